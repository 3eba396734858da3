# SPDX-License-Identifier: MIT
"""`lines --to cbor`: the bytes that RFC 8949 has for it, read back by a decoder and, where there is one, by cbor2."""

import os
import subprocess

from cli import base
from cli.base import ALL_AT_ONCE, TIMEOUT, CliTest, environment, rng, run, run_fed, skipped, variants
from cli.inputs import Input, all_inputs, faulty_files, real_inputs, synthetic_inputs

try:
    import cbor2
except ImportError:
    cbor2 = None

CHUNK = 64 * 1024


def text_head(length):
    for code, size in ((24, 1), (25, 2), (26, 4)):
        if length < 24:
            return bytes([0x60 + length])
        if length < 1 << 8 * size:
            return bytes([0x60 + code]) + length.to_bytes(size, "big")
    raise ValueError(length)


def text_string(line):
    """A string whole, or in chunks that end at characters."""
    if len(line) <= CHUNK:
        return text_head(len(line)) + line
    out, start = [b"\x7f"], 0
    for end in [*range(CHUNK, len(line), CHUNK), len(line)]:
        while end < len(line) and line[end] & 0xC0 == 0x80:
            end -= 1
        out.append(text_head(end - start) + line[start:end])
        start = end
    return b"".join(out) + b"\xff"


def encoded(lines):
    return b"\x9f" + b"".join(text_string(line.encode("utf-8")) for line in lines) + b"\xff"


def decoded(data):
    """The strings of an array of unknown length: as much of RFC 8949 as there is in it."""
    assert data[0] == 0x9F and data[-1] == 0xFF, (data[:1], data[-1:])
    at, lines, chunks = 1, [], None
    while at < len(data) - 1:
        first = data[at]
        at += 1
        if first == 0x7F and chunks is None:
            chunks = []
        elif first == 0xFF and chunks is not None:
            lines.append("".join(chunks))
            chunks = None
        else:
            assert first >> 5 == 3 and first & 31 < 28, (at - 1, first)
            length = first & 31
            if length >= 24:
                size = 1 << (length - 24)
                length = int.from_bytes(data[at:at + size], "big")
                at += size
            assert at + length < len(data), (at, length)
            text = data[at:at + length].decode("utf-8")
            at += length
            (lines if chunks is None else chunks).append(text)
    assert chunks is None and at == len(data) - 1, at
    return lines


def split(text):
    lines = text.split("\n")
    return lines if lines[-1] else lines[:-1]


class Cbor(CliTest):
    """`lines --to cbor`."""

    def expect(self, what, result, lines):
        self.same(what, result, encoded(lines))
        self.assertTrue(decoded(result.out) == lines, f"{what}: is read back otherwise")
        if cbor2 is None:
            skipped("reading CBOR back by cbor2: this Python has none")
        else:
            self.assertTrue(cbor2.loads(result.out) == lines, f"{what}: cbor2 reads it back otherwise")

    def test_literals(self):
        for data, options, hex_ in ((b"", [], "9fff"), (b"\n", [], "9f60ff"), (b"a\nbc", [], "9f6161626263ff"),
                                    ("ü\r\n水\r".encode(), [], "9f63c3bc0d64e6b0b40dff"),
                                    ("ü\r\n水\r".encode(), ["--crlf"], "9f62c3bc64e6b0b40dff"),
                                    (b"x" * 24, [], "9f7818" + "78" * 24 + "ff"),
                                    (b"a\xffb\n", ["--invalid", "replace"], "9f6561efbfbd62ff"),
                                    (b"a\xffb\n", ["--invalid", "drop"], "9f626162ff")):
            self.same(f"{data} {options}", run("lines", "--to", "cbor", *options, stdin=data), bytes.fromhex(hex_))

    def test_files_and_pipes(self):
        for variant in variants():
            for text in all_inputs():
                for options in ([], ["--crlf"]):
                    if options and variant != variants()[0]:
                        continue
                    with self.subTest(input=text.name, options=options, variant=variant):
                        lines = text.split("--crlf" in options)
                        args = ("lines", "--to", "cbor", *options)
                        self.expect(f"{text.name}, {options}, {variant}", run(*args, text.path, variant=variant), lines)
                        self.expect(f"{text.name}, {options}, {variant}, a pipe", run(*args, stdin=text.data, variant=variant), lines)

    def test_the_same_bytes_in_any_pieces(self):
        def pieces(text):
            random_ = rng("cbor " + text.name)
            at = 0
            while at < len(text.data):
                size = random_.choice((1, 2, 3, 5, 63, 64, 65, 4095, 4097, 60000, CHUNK))
                yield text.data[at:at + size]
                at += size

        for text in [text for text in synthetic_inputs() if len(text.data) > 6 * 1024][::2]:
            with self.subTest(input=text.name):
                self.expect(text.name, run_fed("lines", "--to", "cbor", "--crlf", pieces=pieces(text)), text.split(True))
        for text in [text.head(6 * 1024) for text in real_inputs() + synthetic_inputs() if len(text.data) <= ALL_AT_ONCE]:
            with self.subTest(input=text.name):
                self.expect(text.name, run_fed("lines", "--to", "cbor", "--crlf", pieces=text.data), text.split(True))

    def test_chunks(self):
        """Lines about as long as a chunk and two, with characters and a CR over the ends."""
        for size in (CHUNK, 2 * CHUNK):
            for character in ("x", "é", "€", "😀"):
                for before in range(5):
                    for end in ("\n", "\r\n", "", "\r"):
                        text = "y" * (size - before) + character + end
                        for crlf in (False, True):
                            with self.subTest(size=size, character=character, before=before, end=end, crlf=crlf):
                                input_ = Input("cbor chunks", text.encode("utf-8"))
                                self.expect("chunks", run("lines", "--to", "cbor", *["--crlf"][:crlf], input_.path), input_.split(crlf))

    def test_over_files(self):
        cut = [self.file(f"cbor-cut-{i}", data) for i, data in enumerate((b"one\ntw", b"o\r", b"\n\xe2", b"", b"\x82\xac\nend"))]
        self.expect("a line over files", run("lines", "--to", "cbor", *cut), ["one", "two\r", "€", "end"])
        self.expect("CRLF over files", run("lines", "--to", "cbor", "--crlf", *cut), ["one", "two", "€", "end"])

    def test_invalid(self):
        for large in (False, True):
            for name, path, data, _ in faulty_files(large):
                for how, python in (("replace", "replace"), ("drop", "ignore")):
                    with self.subTest(input=name, how=how):
                        self.expect(f"{name}, {how}", run("lines", "--to", "cbor", "--invalid", how, path), split(data.decode("utf-8", python)))

    def test_stops(self):
        """At the place that JSON stops at; what is written is the start of what would have come."""
        for name, path, data, _ in faulty_files(True):
            with self.subTest(input=name):
                json, cbor = run("lines", path), run("lines", "--to", "cbor", path)
                self.assertEqual((cbor.code, cbor.err), (json.code, json.err))
                self.assertEqual(cbor.code, 1)
                whole = encoded(split(data.decode("utf-8", "replace")))
                self.assertEqual(cbor.out[:1], b"\x9f")
                self.assertTrue(whole.startswith(cbor.out), name)

    def test_json_is_the_default(self):
        self.same("--to json", run("lines", "--to", "json", "--compact", stdin=b"a\nb"), b'["a","b"]')
        self.same("the last one counts", run("lines", "--to", "cbor", "--to", "json", stdin=b"a"), b'["a"]')

    def test_refused(self):
        for args, mentions in ((["lines", "--to", "xml"], ("--to", "json or cbor", "xml")), (["lines", "--to"], ("--to",)),
                               (["escape", "--to", "cbor"], ("--to",)), (["utf8", "--to", "cbor"], ("--to",)),
                               (["lines", "--to", "cbor", "--compact"], ("--compact", "--to cbor")),
                               (["lines", "--style", "rfc8259", "--to", "cbor"], ("--style", "--to cbor")),
                               (["lines", "--to", "cbor", "--style", "go"], ("--style", "--to cbor"))):
            with self.subTest(args=args):
                out = os.path.join(base.work, "cbor-refused")
                result = run(*args, "-o", out) if args[-1] != "--to" else run(*args)
                self.refused(" ".join(args), result, 2, *mentions)
                self.assertEqual(result.out, b"")
                self.assertFalse(os.path.exists(out), "a file was made")

    def test_terminal(self):
        """No newline follows it there: that would be an item more."""
        try:
            master, slave = os.openpty()
        except OSError as error:
            skipped(f"output to a terminal: no pseudo-terminal to be had ({error})")
            self.skipTest("no pseudo-terminal")
        with open(master, "rb", buffering=0) as terminal:
            process = subprocess.Popen([base.quern, "lines", "--to", "cbor"], stdin=subprocess.PIPE, stdout=slave, env=environment())
            process.communicate(b"a", TIMEOUT)
            os.close(slave)
            self.assertEqual((process.returncode, terminal.read(100)), (0, b"\x9f\x61a\xff"))

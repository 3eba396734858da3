# SPDX-License-Identifier: MIT
"""`escape` and `lines` against json.dumps, and `-o`."""

import errno
import json
import os
import subprocess

from cli import base
from cli.base import ALL_AT_ONCE, READ_SIZE, TIMEOUT, CliTest, environment, rng, run, run_fed, skipped, variants
from cli.inputs import Input, real_inputs, synthetic_inputs, all_inputs, faults


class Json(CliTest):
    """`escape` and `lines` against json.dumps."""

    def check(self, inputs, variant, way):
        for text in inputs:
            for command, expected in (("escape", text.escaped), ("lines", text.lined)):
                with self.subTest(input=text.name, command=command, variant=variant):
                    what = f"{command}, {text.name}, {variant}"
                    if way == "file":
                        result = run(command, text.path, variant=variant)
                    elif way == "pipe":
                        result = run(command, stdin=text.data, variant=variant)
                    else:
                        result = run_fed(command, pieces=way(text), variant=variant)
                    self.same(what, result, expected)

    def test_file(self):
        for variant in variants():
            self.check(all_inputs(), variant, "file")

    def test_pipe(self):
        for variant in variants():
            self.check(all_inputs(), variant, "pipe")

    def test_options(self):
        for variant in variants():
            for text in all_inputs():
                for options in (["--compact"], ["--crlf"], ["--crlf", "--compact"]):
                    if len(text.data) > ALL_AT_ONCE and "\r" not in text.text and variant != variants()[0]:
                        continue
                    with self.subTest(input=text.name, options=options, variant=variant):
                        what = f"lines {' '.join(options)}, {text.name}, {variant}"
                        expected = text.lines(crlf="--crlf" in options, compact="--compact" in options)
                        self.same(what, run("lines", *options, text.path, variant=variant), expected)

    def test_one_byte_at_a_time(self):
        """All that is small, all of blns.json and the start of each long text, in every variant."""
        sizes = {"blns.json": ALL_AT_ONCE, "examples/mill.txt": 10 * 1024}
        inputs = [text.head(sizes.get(text.name, 6 * 1024)) for text in real_inputs()]
        inputs += [text for text in synthetic_inputs() if len(text.data) <= 6 * 1024]
        for variant in variants():
            self.check(inputs, variant, lambda text: text.data)

    def test_one_byte_at_a_time_in_full(self):
        """Everything up to 100 KiB and that much of what is longer, in the best variant."""
        inputs = [text.head(ALL_AT_ONCE) for text in real_inputs()]
        inputs += [text for text in synthetic_inputs() if 6 * 1024 < len(text.data) <= ALL_AT_ONCE]
        inputs += [text.head(ALL_AT_ONCE) for text in synthetic_inputs() if text.name == "3 MiB mixed"]
        self.check(inputs, variants()[0], lambda text: text.data)

    def test_one_byte_at_a_time_crlf(self):
        for text in synthetic_inputs():
            if "\r" in text.text and len(text.data) <= ALL_AT_ONCE:
                with self.subTest(input=text.name):
                    self.same(text.name, run_fed("lines", "--crlf", pieces=text.data), text.lines(crlf=True))

    def test_random_pieces(self):
        def pieces(text):
            random_ = rng(text.name)
            at = 0
            while at < len(text.data):
                size = random_.choice((1, 2, 3, 5, 63, 64, 65, 4095, 4097, 60000))
                yield text.data[at:at + size]
                at += size

        inputs = real_inputs() + [text for text in synthetic_inputs() if len(text.data) > ALL_AT_ONCE][::3]
        for variant in variants():
            self.check(inputs, variant, pieces)

    def test_concatenation(self):
        files = [self.file(f"cat-{i}", data) for i, data in enumerate((b"one\n", b'"two"', b"", b"three \xe2\x82\xac\n"))]
        whole = Input("cat", b'one\n"two"three \xe2\x82\xac\n')
        self.same("files", run("escape", *files), whole.escaped)
        self.same("a file twice", run("escape", files[1], files[1]), b'"\\"two\\"\\"two\\""')
        self.same("standard input between files", run("escape", files[0], "-", files[3], stdin=b'"two"'), whole.escaped)
        cut = [self.file(f"cut-{i}", b) for i, b in enumerate((b"a\xf0", b"\x9f", b"\x98\x80b"))]
        self.same("a character over three files", run("escape", *cut), '"a😀b"'.encode("utf-8"))

    def test_concatenation_of_all(self):
        inputs = all_inputs()
        expected = json.dumps("".join(text.text for text in inputs), ensure_ascii=False).encode("utf-8")
        for variant in variants():
            with self.subTest(variant=variant):
                self.same(f"escape, {variant}", run("escape", *(text.path for text in inputs), variant=variant), expected)

    def test_lines_of_several_files(self):
        files = [self.file(f"lines-{i}", data) for i, data in enumerate((b"one\ntwo\n", b"", b"\n", b"three\r\n"))]
        self.same("lines", run("lines", *files), b'["one", "two", "", "three\\r"]')
        self.same("lines --crlf --compact", run("lines", "--crlf", "--compact", *files), b'["one","two","","three"]')
        self.same("lines -", run("lines", files[0], "-", stdin=b"in\n"), b'["one", "two", "in"]')
        cut = [self.file(f"lines-cut-{i}", data) for i, data in enumerate((b"one\ntw", b"o\r", b"\n\xe2", b"", b"\x82\xac\nend"))]
        self.same("a line over files", run("lines", *cut), '["one", "two\\r", "€", "end"]'.encode("utf-8"))
        self.same("CRLF over files", run("lines", "--crlf", *cut), '["one", "two", "€", "end"]'.encode("utf-8"))

    def test_standard_input(self):
        for command, expected in (("escape", b'"a\\n"'), ("lines", b'["a"]')):
            self.same(f"{command} -", run(command, "-", stdin=b"a\n"), expected)
            self.same(command, run(command, stdin=b"a\n"), expected)
            with open(os.devnull, "rb") as null:
                done = subprocess.run([base.quern, command], stdin=null, stdout=subprocess.PIPE, env=environment(), timeout=TIMEOUT)
            self.assertEqual((done.returncode, done.stdout), (0, b'""' if command == "escape" else b"[]"))

    def test_options_behind_files(self):
        path = self.file("behind", b"a\r\nb\n")
        self.same("lines FILE --compact", run("lines", path, "--compact"), b'["a\\r","b"]')
        self.same("lines FILE --crlf", run("lines", path, "--crlf"), b'["a", "b"]')

    def test_terminal(self):
        """On a terminal, and only there, a newline follows the JSON."""
        try:
            master, slave = os.openpty()
        except OSError as error:
            skipped(f"output to a terminal: no pseudo-terminal to be had ({error})")
            self.skipTest("no pseudo-terminal")
        with open(master, "rb", buffering=0) as terminal:
            process = subprocess.Popen([base.quern, "escape"], stdin=subprocess.PIPE, stdout=slave, env=environment())
            os.close(slave)
            process.stdin.write(b"a\tb")
            process.stdin.close()
            shown = b""
            try:
                while piece := terminal.read(100):
                    shown += piece
            except OSError as error:  # how Linux tells that the other side is closed
                if error.errno != errno.EIO:
                    raise
            self.assertEqual(process.wait(TIMEOUT), 0)
        self.assertEqual(shown, b'"a\\tb"\r\n')


class Output(CliTest):
    """`-o FILE`."""

    def contents(self, path):
        with open(path, "rb") as file:
            return file.read()

    def test_written(self):
        source = self.file("source", b'a "b"\nc')
        out = os.path.join(base.work, "out")
        for command, expected in (("escape", b'"a \\"b\\"\\nc"'), ("lines", b'["a \\"b\\"", "c"]')):
            for i, args in enumerate((["-o", out, source], [source, "-o", out], ["-o", out, "-"], ["-o", out])):
                with self.subTest(args=[command, *args]):
                    self.file("out", b"something longer that was there before " * 5000 if i % 2 else b"")
                    self.same(f"{command} -o", run(command, *args, stdin=b'a "b"\nc'), b"")
                    self.assertEqual(self.contents(out), expected)

    def test_new_file(self):
        out = os.path.join(base.work, "new out file")
        self.same("escape -o", run("escape", "-o", out, stdin=b"x"), b"")
        self.assertEqual(self.contents(out), b'"x"')

    def test_large(self):
        out = os.path.join(base.work, "large-out")
        for text in all_inputs():
            if len(text.data) >= READ_SIZE:
                with self.subTest(input=text.name):
                    self.same("lines -o", run("lines", "-o", out, text.path), b"")
                    self.assertTrue(self.contents(out) == text.lined, f"{text.name}: -o differs from standard output")

    def test_utf8(self):
        source = self.file("utf8-source", b"ab\xff")
        out = os.path.join(base.work, "utf8-out")
        result = run("utf8", "-o", out, source)
        self.assertEqual((result.code, result.out), (1, b""), result)
        self.report("utf8 -o", self.contents(out), [(source, faults(b"ab\xff"))])

    def test_impossible(self):
        source = self.file("source", b"a\n")
        for command in ("escape", "lines", "utf8"):
            for out in (os.path.join(base.work, "no-such-folder", "out"), base.work):
                with self.subTest(command=command, out=out):
                    self.refused(f"{command} -o", run(command, "-o", out, source), 3, out)

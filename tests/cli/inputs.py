# SPDX-License-Identifier: MIT
"""Texts, well-formed and not, in files, and what the tool has to make of them."""

import codecs
import functools
import json
import os
import re

from cli import base
from cli.base import ALL_AT_ONCE, EMULATED, READ_SIZE, ROOT, THIN, rng, skipped


class Input:
    """A text, the file that holds it, and what the tool has to make of it."""

    def __init__(self, name, data, path=None):
        self.name, self.data = name, data
        self.text = data.decode("utf-8")
        self.path = path
        if path is None:
            self.path = os.path.join(base.work, re.sub(r"[^A-Za-z0-9.+-]", "_", name))
            with open(self.path, "wb") as file:
                file.write(data)

    @functools.cached_property
    def escaped(self):
        return json.dumps(self.text, ensure_ascii=False).encode("utf-8")

    def split(self, crlf=False):
        lines = self.text.split("\n")
        last = lines.pop()  # not ended by LF, so its CR stays
        if crlf:
            lines = [line[:-1] if line.endswith("\r") else line for line in lines]
        return lines + [last] if last else lines

    def lines(self, crlf=False, compact=False):
        separators = (",", ":") if compact else (", ", ": ")
        return json.dumps(self.split(crlf), ensure_ascii=False, separators=separators).encode("utf-8")

    @functools.cached_property
    def lined(self):
        return self.lines()

    def head(self, size):
        """The first `size` bytes, less a sequence that this cuts."""
        if len(self.data) <= size:
            return self
        return Input(f"{self.name} (first {size} bytes)", self.data[:size].decode("utf-8", "ignore").encode("utf-8"))


WORDS = ["quern", "stone", "жёрнов", "μύλος", "رحى", "चक्की", "磨", "맷돌", "🌾", "🍞", "é", "€", '"', "\\", "\t", "\x01", "\x7f", "  "]


def mixed(name, size):
    """Random text of all lengths of lines and all lengths of sequences, of exactly `size` bytes."""
    random_ = rng(name)
    out, length = [], 0
    while length < size:
        line = " ".join(random_.choices(WORDS, k=random_.choice((0, 1, 3, 10, 40, 300)))) + random_.choice(("\n", "\n", "\r\n"))
        line = line.encode("utf-8")
        out.append(line)
        length += len(line)
    return padded(b"".join(out)[:size].decode("utf-8", "ignore").encode("utf-8"), size)


def padded(data, size):
    return data + b"." * (size - len(data))


def some(inputs):
    if not THIN:
        return list(inputs)
    step = 5 if EMULATED else 3
    skipped(f"{step - 1} of {step} synthetic inputs: under an emulator and with sanitizers, the others must do")
    return list(inputs)[::step]


def synthetic():
    controls = "".join(map(chr, range(32)))
    long_line = rng("long line")
    yield "empty", b""
    yield "one byte", b"x"
    yield "one newline", b"\n"
    yield "only newlines", b"\n" * 1000
    yield "newlines over a read", b"\n" * (READ_SIZE + 5)
    yield "no final newline", b"first\nsecond\nthird"
    yield "final newline", b"first\nsecond\nthird\n"
    yield "empty lines", b"\n\nfirst\n\n\nsecond\n\n"
    yield "CRLF", b"first\r\nsecond\r\n\r\nthird\r\n"
    yield "CR here and there", b"\r\r\n\r\n\ra\rb\r\r\nc\n\rd\r\n\re\r"
    yield "CR only", b"first\rsecond\r"
    yield "one CR", b"\r"
    yield "CRLF only", b"\r\n" * 700
    yield "all control characters", controls.encode()
    yield "control characters in text", "".join(f"{c}ab{c}{c}\N{EURO SIGN}" for c in controls + "\x7f\x80\x9f").encode("utf-8")
    yield "NULs", b"\0" * 5000
    yield "NULs in lines", b"a\0b\n\0\n\0\0end\0"
    yield "DEL", b"\x7f" * 300 + b"a\x7f\n"
    yield "quotes", b'"' * 70000
    yield "quotes dense", b'"a"\\b"' * 20000
    yield "backslashes", b"\\" * 4097
    yield "line separators", "a\u2028b\u2029c\u0085d\x0b\x0ce\x1c\x1d\x1ef\ufeff".encode("utf-8")
    yield "byte order mark", b"\xef\xbb\xbfhello\n"
    yield "ends of the ranges", "\x00\x7f\x80\u07ff\u0800\ud7ff\ue000\uffff\U00010000\U0010ffff".encode("utf-8", "strict") * 50
    yield "long line", "".join(long_line.choices(WORDS, k=400000)).encode("utf-8")
    yield "long lines", b"\n".join((b"a" * (1 << 20), b"\xe2\x82\xac" * 400000, b'"' * ((1 << 20) + 1), b"end"))
    yield "3 MiB mixed", mixed("3 MiB mixed", 3 << 20)
    for off in range(-3, 4):
        size = READ_SIZE + off
        cycle = "я€😀".encode("utf-8")
        for shift in (0, 1) if off else range(4):  # the boundary falls on other bytes of the characters
            count, rest = divmod(size - shift, len(cycle))
            yield f"256 KiB {off:+} bytes of characters, shift {shift}", b"-" * shift + cycle * count + b"+" * rest
    ascii_ = mixed("ASCII", 64).decode("utf-8", "ignore").encode("ascii", "ignore")
    filler = (ascii_ * (READ_SIZE // len(ascii_) + 1))[:READ_SIZE]
    for character in ("é", "€", "😀"):
        sequence = character.encode("utf-8")
        for before in range(1, len(sequence)):
            for behind in (b"", b"tail\n"):
                yield (f"256 KiB boundary {before} bytes into {len(sequence)}, {len(behind)} bytes behind",
                       filler[:READ_SIZE - before] + sequence + behind)
    for before, what in ((1, "\r\n"), (1, "\r\r\n"), (2, "\r\r\n"), (1, "\r"), (0, "\n"), (1, "\n"), (1, '"\\'), (1, "\x01\x02"), (1, "\rx\n")):
        yield f"256 KiB boundary {before} bytes into {what!r}", b"x" * (READ_SIZE - before) + what.encode() + b"y"


@functools.lru_cache(maxsize=None)
def real_inputs():
    inputs = []
    mill = ROOT / "examples" / "mill.txt"
    inputs.append(Input("examples/mill.txt", mill.read_bytes(), mill))
    if base.data_folder is None:
        skipped("unicode_lipsum and naughty_strings: no data folder was given")
        return inputs
    lipsum = sorted((base.data_folder / "unicode_lipsum").glob("*.utf8.txt"))
    if not lipsum:
        skipped(f"unicode_lipsum: nothing in {base.data_folder / 'unicode_lipsum'}")
    blns = base.data_folder / "naughty_strings" / "blns.json"
    if not blns.is_file():
        skipped(f"naughty_strings: no {blns}")
        blns = None
    return inputs + [Input(path.name, path.read_bytes(), path) for path in lipsum + [blns] * bool(blns)]


@functools.lru_cache(maxsize=None)
def synthetic_inputs():
    return [Input(name, data) for name, data in some(synthetic())]


def all_inputs():
    return real_inputs() + synthetic_inputs()


# Faults


class Fault:
    """An ill-formed part of some bytes: `data` holds the maximal subpart; counts from 1, but for `offset`."""

    def __init__(self, text, start, end, reason, line, line_start):
        self.offset, self.data = start, text[start:end]
        self.line, self.column = line, start - line_start + 1
        self.kind = "truncated" if reason == "unexpected end of data" else "ill-formed"

    def __str__(self):
        return f"offset {self.offset}, line {self.line}, column {self.column}: {self.kind}: {self.data.hex(' ')}"


def faults(text):
    """What CPython's decoder finds; it reports maximal subparts, as the Unicode Standard recommends."""
    found = []
    line, line_start = 1, 0

    def handler(error):
        nonlocal line, line_start
        scanned = found[-1].offset if found else 0
        newlines = text.count(b"\n", scanned, error.start)
        if newlines:
            line += newlines
            line_start = text.rindex(b"\n", scanned, error.start) + 1
        found.append(Fault(text, error.start, error.end, error.reason, line, line_start))
        return "", error.end

    codecs.register_error("quern-faults", handler)
    text.decode("utf-8", "quern-faults")
    return found


# Text around a fault, and how the rest of the bytes looks. Every row of table 3-7 is hit from both sides.
SEQUENCES = [bytes.fromhex(h) for h in (
    "80", "bf", "8080", "c0", "c1", "c080", "c0af", "c1bf", "c2", "c228", "c2c2", "c2c3a9", "dfff",
    "e0", "e080", "e08080", "e09fbf", "e0a0", "e0a028", "e0a0e0a080", "e1", "e128", "e228", "e282", "e28228", "e282e2", "e282f09f8d9e",
    "ed", "ed9f", "eda0", "eda080", "edafbf", "edb080", "edbfbf", "eda081edb080", "ee80", "efbf", "efbf28", "ef",
    "f0", "f08f", "f0808080", "f08fbfbf", "f090", "f09080", "f09f9828", "f09f28", "f09f98", "f09f98f09f9880", "f1", "f180", "f1808028",
    "f4", "f48f", "f48fbf", "f490", "f4908080", "f48fbf28", "f5", "f5808080", "f880808080", "fc8080808080", "fe", "ff", "feff", "fffe",
    "c3c3c3", "e282c3", "f0e2c3", "80c3a980", "f09f92c0", "efbbc0bf")]


def faulty():
    """Pairs of a name and bytes with at least one fault."""
    for sequence in SEQUENCES:
        name = sequence.hex()
        yield f"{name} alone", sequence
        yield f"{name} then text", sequence + b"abc\n"
        yield f"{name} within text", "ab\nжёрнов 🌾\n\nквёрн ".encode("utf-8") + sequence + "磨 and more text to the end of the line\n".encode("utf-8")
        yield f"{name} at the end", b"line\n" * 9 + "μύλος".encode("utf-8") + sequence
    for length in (15, 16, 31, 32, 63, 64, 65, 127, 128):
        yield f"ff behind {length} bytes", b"a" * length + b"\xff" + b"b" * 40
        yield f"e2 82 at the end, behind {length} bytes", b"\n" * length + b"\xe2\x82"


def faulty_large():
    head = mixed("head of faults", READ_SIZE - 64) + b"." * 64
    for text in ("e228", "e28228", "e282", "f09f98", "f09f9828", "f0", "c3", "80", "eda080", "f0808080", "ff", "c3ff", "e282f09f98"):
        sequence = bytes.fromhex(text)
        for before in range(len(sequence) + 1):
            for behind in (b"", b"tail\n"):
                yield (f"{text}, {before} bytes before the 256 KiB boundary, {len(behind)} bytes behind",
                       head[:READ_SIZE - before] + sequence + behind)
    yield "a column beyond a read", b"ab\n" + b"x" * (READ_SIZE + 77) + b"\xff" + b"y" * READ_SIZE + b"\xc3"
    yield "lines beyond a read", b"a\n" * READ_SIZE + b"\xe2\x82" + b"\n" * 70000 + b"b\xff\n"
    yield "only ff", b"\xff" * 5000
    yield "only continuations", b"\x80\n" * 5000
    yield "only leads", b"\xf0" * 4099
    yield "truncated everywhere", b"\xe2\x82\xf0\x9f\x98\xc3\n" * 2000 + b"\xf0\x9f"
    yield "random bytes", rng("random bytes").randbytes(300 * 1024)
    yield "random bytes of sequences", bytes(rng("sequences").choices(b"\n a\x80\x8f\x90\x9f\xa0\xbf\xc1\xc2\xdf\xe0\xe2\xed\xef\xf0\xf1\xf4\xf5", k=100 * 1024))


@functools.lru_cache(maxsize=None)
def faulty_files(large):
    """Rows of name, path, bytes, faults."""
    rows = []
    for i, (name, data) in enumerate(some(faulty_large() if large else faulty())):
        path = os.path.join(base.work, f"{'large' if large else 'small'}-fault-{i}")
        with open(path, "wb") as file:
            file.write(data)
        found = faults(data)
        assert found, f"{name} has no fault"
        rows.append((name, path, data, found))
    return rows


def inputs_for_pipe():
    return real_inputs() + [text for text in synthetic_inputs() if len(text.data) > ALL_AT_ONCE][::2]

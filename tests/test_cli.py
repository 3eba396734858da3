#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""Tests of the `quern` command, against what Python's own json and codecs modules say.

    python3 tests/test_cli.py PATH_TO_QUERN [PATH_TO_DATA] [unittest options and test names]

PATH_TO_DATA is a folder with unicode_lipsum/ and naughty_strings/; what is missing is skipped, and named.

Environment:
    QUERN_TEST_SANITIZED=1  the tool was built with sanitizers: its memory is not measured
    QUERN_TEST_EMULATOR=... the tool runs under an emulator: fewer variants are tried
    QUERN_TEST_STATIC=1     the tool was built with QUERN_DISPATCH=static: it has one variant
    QUERN_TEST_SEED=N       another seed for the random inputs
"""

import codecs
import ctypes
import errno
import fcntl
import functools
import json
import os
import pathlib
import random
import re
import shutil
import signal
import subprocess
import sys
import tempfile
import threading
import time
import unittest

READ_SIZE = 256 * 1024  # the tool's reads; sequences are laid across this boundary
ALL_AT_ONCE = 100 * 1024  # the longest input that is fed one byte at a time
TIMEOUT = 120  # seconds; no run takes that long but one that hangs
MEMORY_LIMIT = 4096  # KiB
ROOT = pathlib.Path(__file__).resolve().parent.parent
EMULATED = bool(os.environ.get("QUERN_TEST_EMULATOR"))
STATIC = os.environ.get("QUERN_TEST_STATIC") == "1"
SEED = int(os.environ.get("QUERN_TEST_SEED", "20"))

quern = None  # path of the tool
data_folder = None  # a pathlib.Path, or None
work = None  # a fresh folder for files
skips = []  # sentences


def skipped(what):
    if what not in skips:
        skips.append(what)
        print("skipped: " + what, flush=True)


def rng(name):
    """A generator that depends on the seed and the name alone, whatever ran before."""
    return random.Random(f"{SEED}/{name}")


# Running the tool


class Result:
    def __init__(self, code, out, err):
        self.code, self.out, self.err = code, out, err

    @property
    def message(self):
        return self.err.decode("utf-8", "replace")

    def __repr__(self):
        return f"exit {self.code}, {len(self.out)} bytes out, stderr {self.message[:500]!r}"


def environment(variant=None):
    env = {k: v for k, v in os.environ.items() if k != "QUERN_VARIANT"}
    if variant is not None:
        env["QUERN_VARIANT"] = variant
    return env


def run(*args, stdin=b"", variant=None, stdout=subprocess.PIPE, **more):
    """Runs the tool with `stdin` (bytes) given through a pipe at once."""
    done = subprocess.run([quern, *map(os.fspath, args)], input=stdin, stdout=stdout, stderr=subprocess.PIPE,
                          env=environment(variant), timeout=TIMEOUT, **more)
    return Result(done.returncode, done.stdout or b"", done.stderr)


def packet_pipe():
    """A pipe whose reads return what one write wrote, never two writes in one; an ordinary one where there is none."""
    try:
        ends = os.pipe2(os.O_CLOEXEC | os.O_DIRECT)
    except (OSError, AttributeError):
        skipped("packet pipes: not supported here, so several bytes may arrive in one read")
        return os.pipe()
    try:
        fcntl.fcntl(ends[1], 1031, 1 << 20)  # F_SETPIPE_SZ: each packet takes a page
    except OSError:
        pass
    return ends


ONE_BYTE = [bytes([i]) for i in range(256)]


def run_fed(*args, pieces, variant=None):
    """Runs the tool with a pipe as its standard input that gets `pieces`, one write each (bytes: one byte each)."""
    if isinstance(pieces, bytes):
        reader, writer = packet_pipe()
        pieces = map(ONE_BYTE.__getitem__, pieces)
    else:
        reader, writer = os.pipe()
    with subprocess.Popen([quern, *args], stdin=reader, stdout=subprocess.PIPE, stderr=subprocess.PIPE,
                          env=environment(variant)) as process:
        os.close(reader)

        def feed():
            try:
                write = os.write
                for piece in pieces:
                    while piece:
                        piece = piece[write(writer, piece):]
            except BrokenPipeError:
                pass  # the tool stopped at a fault
            finally:
                os.close(writer)

        thread = threading.Thread(target=feed, daemon=True)
        thread.start()
        try:
            out, err = process.communicate(timeout=TIMEOUT)
        except subprocess.TimeoutExpired:
            process.kill()
            raise
        thread.join(TIMEOUT)
    return Result(process.returncode, out, err)


class Row:
    def __init__(self, line):
        words = line.replace("*", " * ").split()
        self.active = "*" in words
        words = [w for w in words if w != "*"]
        self.name = words[0]
        answers = [w.strip(",;:()") for w in words[1:]]
        answers = [(i, w) for i, w in enumerate(answers) if w in ("yes", "no")]
        self.supported = answers[0][1] == "yes" if answers else None
        self.why_not = " ".join(words[answers[0][0] + 2:]) if answers else ""


def variant_rows(output):
    """The rows of `quern variants`; lines without a "yes" or "no", such as a heading, are none."""
    rows = [Row(line) for line in output.decode("utf-8").splitlines() if line.replace("*", "").strip()]
    return [row for row in rows if row.supported is not None]


@functools.lru_cache(maxsize=None)
def all_rows():
    result = run("variants")
    rows = variant_rows(result.out)
    if result.code != 0 or not rows:
        raise AssertionError(f"`quern variants` told no variants: {result!r} {result.out[:500]!r}")
    return rows


@functools.lru_cache(maxsize=None)
def variants():
    """The names of the variants that run here and are tried, the one in use or the best one first."""
    for row in all_rows():
        if not row.supported:
            skipped(f"variant {row.name}: not supported here" + (f" ({row.why_not})" if row.why_not else ""))
    names = [row.name for row in all_rows() if row.supported]
    in_use = [row.name for row in all_rows() if row.active]
    if STATIC:
        tried, why = in_use, "the build calls one variant directly"
    elif EMULATED:
        tried, why = in_use, "under an emulator, one is enough"
    elif any(name.endswith("_emulated") for name in names):
        tried, why = in_use + [name for name in names if name.endswith("_emulated")], "in a build without emulated ones, they are tried"
    else:
        tried, why = names, ""
    for name in names:
        if name not in tried:
            skipped(f"variant {name}: {why}")
    return tried


# Inputs


class Input:
    """A text, the file that holds it, and what the tool has to make of it."""

    def __init__(self, name, data, path=None):
        self.name, self.data = name, data
        self.text = data.decode("utf-8")
        self.path = path
        if path is None:
            self.path = os.path.join(work, re.sub(r"[^A-Za-z0-9.+-]", "_", name))
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
    if data_folder is None:
        skipped("unicode_lipsum and naughty_strings: no data folder was given")
        return inputs
    lipsum = sorted((data_folder / "unicode_lipsum").glob("*.utf8.txt"))
    if not lipsum:
        skipped(f"unicode_lipsum: nothing in {data_folder / 'unicode_lipsum'}")
    blns = data_folder / "naughty_strings" / "blns.json"
    if not blns.is_file():
        skipped(f"naughty_strings: no {blns}")
        blns = None
    return inputs + [Input(path.name, path.read_bytes(), path) for path in lipsum + [blns] * bool(blns)]


@functools.lru_cache(maxsize=None)
def synthetic_inputs():
    return [Input(name, data) for name, data in synthetic()]


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
    for i, (name, data) in enumerate(faulty_large() if large else faulty()):
        path = os.path.join(work, f"{'large' if large else 'small'}-fault-{i}")
        with open(path, "wb") as file:
            file.write(data)
        found = faults(data)
        assert found, f"{name} has no fault"
        rows.append((name, path, data, found))
    return rows


# What the tests share


class CliTest(unittest.TestCase):
    maxDiff = 2000

    def same(self, what, result, expected):
        """A result that is fine, with `expected` and nothing else on its standard output."""
        if result.out != expected:
            limit = min(len(result.out), len(expected))
            at = next((i for i in range(limit) if result.out[i] != expected[i]), limit) if limit < 1000 else self.first_difference(result.out, expected)
            self.fail(f"{what}: differs at byte {at} of {len(expected)} (got {len(result.out)} bytes): "
                      f"got {result.out[max(0, at - 20):at + 40]!r}, not {expected[max(0, at - 20):at + 40]!r}; {result!r}")
        self.assertEqual(result.code, 0, f"{what}: {result!r}")
        self.assertEqual(result.err, b"", f"{what}: {result!r}")

    @staticmethod
    def first_difference(a, b):
        low, high = 0, min(len(a), len(b))
        while low < high:
            middle = (low + high + 1) // 2
            if a[:middle] == b[:middle]:
                low = middle
            else:
                high = middle - 1
        return low

    def refused(self, what, result, code, *mentions):
        """A result with this exit code and something on standard error that mentions all of `mentions`."""
        self.assertEqual(result.code, code, f"{what}: {result!r}")
        self.assertTrue(result.err.strip(), f"{what}: nothing on standard error")
        for mention in mentions:
            self.assertIn(str(mention), result.message, what)

    def place(self, what, result, name, fault):
        """A result that stopped at ill-formed text and says where."""
        self.refused(what, result, 1)
        pattern = rf"offset {fault.offset}\b.*\bline {fault.line}\b.*\bcolumn {fault.column}\b"
        self.assertRegex(result.message, pattern, f"{what}: the place is wrong")
        if name is not None:
            self.assertIn(name, result.message, what)

    def report(self, what, output, expected):
        """The output of `utf8` for `expected`: pairs of a name (None: any) and its faults, or its size if it is valid."""
        got = output.decode("utf-8", "replace").split("\n")
        self.assertEqual(got.pop(), "", f"{what}: the last line does not end")
        wanted = []
        for name, outcome in expected:
            if isinstance(outcome, int):
                wanted.append((name, f"valid UTF-8, {outcome} bytes"))
            else:
                wanted += [(name, str(fault)) for fault in outcome]
        for i, ((name, rest), line) in enumerate(zip(wanted, got)):
            if name is None:  # however standard input is called
                name = line[:-len(rest) - 2]
                self.assertTrue(name, f"{what}: line {i + 1} of the report: {line!r}")
            self.assertEqual(line, f"{name}: {rest}", f"{what}: line {i + 1} of the report")
        self.assertEqual(len(got), len(wanted), f"{what}: lines of the report; {got[len(wanted):len(wanted) + 3]}")

    def file(self, name, data):
        path = os.path.join(work, name)
        with open(path, "wb") as file:
            file.write(data)
        return path


class Variants(CliTest):
    def test_rows(self):
        result = run("variants")
        self.assertEqual((result.code, result.err), (0, b""), result)
        rows = variant_rows(result.out)
        names = [row.name for row in rows]
        self.assertEqual(len(names), len(set(names)), f"a name twice: {names}")
        self.assertIn("scalar", [row.name for row in rows if row.supported])
        self.assertEqual(len([row for row in rows if row.active]), 1, f"active rows, in {result.out!r}")
        for row in rows:
            if row.active:
                self.assertTrue(row.supported, row.name)
            if not row.supported:
                self.assertTrue(row.why_not, f"{row.name}: it is not told why it does not run here")

    @unittest.skipIf(STATIC, "the build calls one variant directly")
    def test_chosen(self):
        self.assertTrue(variants())
        for variant in variants():
            with self.subTest(variant=variant):
                result = run("variants", variant=variant)
                self.assertEqual((result.code, result.err), (0, b""), result)
                self.assertEqual([row.name for row in variant_rows(result.out) if row.active], [variant])

    @unittest.skipIf(STATIC, "the build calls one variant directly")
    def test_refused(self):
        best = [row.name for row in all_rows() if row.active]
        text = self.file("refused", b'"a"\n')
        for name in ["no-such-variant"] + [row.name for row in all_rows() if not row.supported]:
            with self.subTest(variant=name):
                result = run("variants", variant=name)
                self.refused("variants", result, 0, name)
                self.assertEqual([row.name for row in variant_rows(result.out) if row.active], best)
                result = run("lines", text, variant=name)
                self.assertEqual((result.code, result.out), (0, b'["\\"a\\""]'), result)

    def test_output_file(self):
        path = os.path.join(work, "variants-output")
        result = run("variants", "-o", path)
        self.assertEqual((result.code, result.out), (0, b""), result)
        with open(path, "rb") as file:
            self.assertEqual([row.name for row in variant_rows(file.read())], [row.name for row in all_rows()])


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
                done = subprocess.run([quern, command], stdin=null, stdout=subprocess.PIPE, env=environment(), timeout=TIMEOUT)
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
            process = subprocess.Popen([quern, "escape"], stdin=subprocess.PIPE, stdout=slave, env=environment())
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
        out = os.path.join(work, "out")
        for command, expected in (("escape", b'"a \\"b\\"\\nc"'), ("lines", b'["a \\"b\\"", "c"]')):
            for i, args in enumerate((["-o", out, source], [source, "-o", out], ["-o", out, "-"], ["-o", out])):
                with self.subTest(args=[command, *args]):
                    self.file("out", b"something longer that was there before " * 5000 if i % 2 else b"")
                    self.same(f"{command} -o", run(command, *args, stdin=b'a "b"\nc'), b"")
                    self.assertEqual(self.contents(out), expected)

    def test_new_file(self):
        out = os.path.join(work, "new out file")
        self.same("escape -o", run("escape", "-o", out, stdin=b"x"), b"")
        self.assertEqual(self.contents(out), b'"x"')

    def test_large(self):
        out = os.path.join(work, "large-out")
        for text in all_inputs():
            if len(text.data) >= READ_SIZE:
                with self.subTest(input=text.name):
                    self.same("lines -o", run("lines", "-o", out, text.path), b"")
                    self.assertTrue(self.contents(out) == text.lined, f"{text.name}: -o differs from standard output")

    def test_utf8(self):
        source = self.file("utf8-source", b"ab\xff")
        out = os.path.join(work, "utf8-out")
        result = run("utf8", "-o", out, source)
        self.assertEqual((result.code, result.out), (1, b""), result)
        self.report("utf8 -o", self.contents(out), [(source, faults(b"ab\xff"))])

    def test_impossible(self):
        source = self.file("source", b"a\n")
        for command in ("escape", "lines", "utf8"):
            for out in (os.path.join(work, "no-such-folder", "out"), work):
                with self.subTest(command=command, out=out):
                    self.refused(f"{command} -o", run(command, "-o", out, source), 3, out)


class Utf8(CliTest):
    def test_valid(self):
        inputs = all_inputs()
        for variant in variants():
            with self.subTest(variant=variant):
                result = run("utf8", *(text.path for text in inputs), variant=variant)
                self.report(f"utf8, {variant}", result.out, [(os.fspath(text.path), len(text.data)) for text in inputs])
                self.assertEqual((result.code, result.err), (0, b""), result)

    def test_valid_from_pipe(self):
        for variant in variants():
            for text in inputs_for_pipe():
                with self.subTest(input=text.name, variant=variant):
                    result = run("utf8", stdin=text.data, variant=variant)
                    self.report(f"utf8, {text.name}, {variant}", result.out, [(None, len(text.data))])
                    self.assertEqual((result.code, result.err), (0, b""), result)

    def test_names(self):
        for name in ("with space", "Жёрнов.txt", "a:b, c"):
            path = self.file(name, b"abcd")
            self.report(name, run("utf8", path).out, [(path, 4)])

    def test_faults(self):
        for large in (False, True):
            rows = faulty_files(large)
            for variant in variants():
                with self.subTest(variant=variant, large=large):
                    result = run("utf8", *(path for _, path, _, _ in rows), variant=variant)
                    self.report(f"utf8, {variant}", result.out, [(path, found) for _, path, _, found in rows])
                    self.assertEqual(result.code, 1, result)

    def test_faults_from_pipe(self):
        rows = faulty_files(False)[::5] + faulty_files(True)[::3] + faulty_files(True)[-8:]
        for name, _, data, found in rows:
            with self.subTest(input=name):
                result = run("utf8", stdin=data)
                self.report(name, result.out, [(None, found)])
                self.assertEqual(result.code, 1, result)

    def test_faults_one_byte_at_a_time(self):
        for variant in variants():
            for name, _, data, found in faulty_files(False)[1::4]:
                with self.subTest(input=name, variant=variant):
                    result = run_fed("utf8", pieces=data, variant=variant)
                    self.report(f"{name}, {variant}", result.out, [(None, found)])
                    self.assertEqual(result.code, 1, result)

    def test_some_files_at_fault(self):
        good, bad = self.file("good", b"ab\n"), self.file("bad", b"\xc3\n\xc3(\xe2\x82")
        for files in ((good, bad), (bad, good), (good, bad, good, bad)):
            result = run("utf8", *files)
            self.report("utf8", result.out, [(path, 3 if path == good else faults(b"\xc3\n\xc3(\xe2\x82")) for path in files])
            self.assertEqual(result.code, 1, result)

    def test_files_are_apart(self):
        """A character that goes over the border of two files is a fault in both."""
        first, second = self.file("first", b"a\xe2\x82"), self.file("second", b"\xacb")
        result = run("utf8", first, second)
        self.report("utf8", result.out, [(first, faults(b"a\xe2\x82")), (second, faults(b"\xacb"))])
        self.assertEqual(result.code, 1, result)

    def test_json_stops(self):
        """`escape` and `lines` refuse what is ill-formed, and tell the first fault."""
        rows = faulty_files(False)[2::4] + faulty_files(False)[3::8]
        for variant in variants():
            for name, path, _, found in rows + faulty_files(True)[::2]:
                for command in ("escape", "lines"):
                    with self.subTest(input=name, command=command, variant=variant):
                        self.place(f"{command}, {name}, {variant}", run(command, path, variant=variant), path, found[0])

    def test_json_stops_all_kinds(self):
        for name, path, _, found in faulty_files(False) + faulty_files(True):
            for command in ("escape", "lines"):
                with self.subTest(input=name, command=command):
                    self.place(f"{command}, {name}", run(command, path), path, found[0])

    def test_json_stops_one_byte_at_a_time(self):
        for name, _, data, found in faulty_files(False)[2::4]:
            for command in ("escape", "lines"):
                with self.subTest(input=name, command=command):
                    self.place(f"{command}, {name}", run_fed(command, pieces=data), None, found[0])

    def test_json_stops_in_a_later_file(self):
        """The place is one within the file that the message names."""
        good, bad = self.file("good", b"first\nsecond\n"), self.file("bad", b"ab\ncd\xff")
        for command in ("escape", "lines"):
            self.place(command, run(command, good, bad), bad, faults(b"ab\ncd\xff")[0])

    def test_json_stops_between_files(self):
        """A sequence that the next file does not go on with is at fault where it begins."""
        first = b"one\ntwo \xf0\x9f"
        for i, others in enumerate(([b"(b\n"], [b"", b"\x98", b"(b"], [b""], [b"\x98", b""])):
            files = [self.file(f"between-{i}-{j}", data) for j, data in enumerate((first, *others))]
            for command in ("escape", "lines"):
                with self.subTest(command=command, others=others):
                    self.place(command, run(command, *files), files[0], faults(first)[0])


def inputs_for_pipe():
    return real_inputs() + [text for text in synthetic_inputs() if len(text.data) > ALL_AT_ONCE][::2]


class Failures(CliTest):
    """Exit codes and what goes with them."""

    COMMANDS = ("utf8", "escape", "lines")

    def test_usage(self):
        for args in (["--no-such-option"], ["no-such-command"], ["variants", "--no-such-option"], ["escape", "-o"], ["lines", "-o"],
                     *([command, "--no-such-option"] for command in self.COMMANDS), *([command, "-Q"] for command in self.COMMANDS)):
            with self.subTest(args=args):
                result = run(*args)
                self.refused(" ".join(args), result, 2)
                self.assertEqual(result.out, b"")

    def test_named_in_the_message(self):
        self.refused("command", run("no-such-command"), 2, "no-such-command")
        self.refused("option", run("lines", "--no-such-option"), 2, "no-such-option")

    def test_no_command(self):
        result = run()
        self.refused("no command", result, 2)
        self.assertRegex(result.message.lower(), "usage")
        self.assertEqual(result.out, b"")

    def test_help(self):
        result = run("--help")
        self.assertEqual((result.code, result.err), (0, b""), result)
        for command in ("variants", *self.COMMANDS):
            self.assertIn(command, result.out.decode("utf-8"))
            own = run(command, "--help")
            self.assertEqual((own.code, own.err), (0, b""), own)
            self.assertIn(command, own.out.decode("utf-8"))
        own = run("lines", "--help").out.decode("utf-8")
        self.assertIn("--crlf", own)
        self.assertIn("--compact", own)

    def test_version(self):
        result = run("--version")
        self.assertEqual((result.code, result.err), (0, b""), result)
        version = re.search(r"\d+\.\d+\.\d+", result.out.decode("utf-8"))
        self.assertTrue(version, result.out)
        header = (ROOT / "include" / "quern" / "base.h").read_text(encoding="utf-8")
        numbers = re.findall(r"^#define QUERN_VERSION_(?:MAJOR|MINOR|PATCH) (\d+)$", header, re.MULTILINE)
        self.assertEqual(version.group(), ".".join(numbers))

    def test_missing_file(self):
        path = os.path.join(work, "no-such-file")
        good = self.file("good", b"a\n")
        for command in self.COMMANDS:
            with self.subTest(command=command):
                self.refused(command, run(command, path), 3, path)
                self.refused(f"{command}, first of two", run(command, path, good), 3, path)
                self.refused(f"{command}, second of two", run(command, good, path), 3, path)

    def test_directory(self):
        for command in self.COMMANDS:
            with self.subTest(command=command):
                self.refused(command, run(command, work), 3, work)

    def full(self):
        if not os.path.exists("/dev/full"):
            skipped("a full device: no /dev/full here")
            self.skipTest("no /dev/full")
        return "/dev/full"

    def test_full_device(self):
        full = self.full()
        for text in (Input("small", b"a\n"), Input("big", b"some text\n" * 100000)):
            for command in self.COMMANDS:
                with self.subTest(command=command, input=text.name):
                    self.refused(f"{command} -o", run(command, "-o", full, text.path), 3)
                    with open(full, "wb") as out:
                        self.refused(command, run(command, text.path, stdout=out), 3)
        for args in (["variants"], ["--version"], ["--help"], ["lines", "--help"]):
            with self.subTest(args=args), open(full, "wb") as out:
                self.refused(" ".join(args), run(*args, stdout=out), 3)

    def test_full_device_with_faults(self):
        path = self.file("many-faults", b"\xff\n" * 50000)
        self.refused("utf8 -o", run("utf8", "-o", self.full(), path), 3)

    def test_closed_pipe(self):
        big = self.file("for-closed-pipe", b'a "line" of text\n' * 200000)
        bad = self.file("faults-for-closed-pipe", b"\xff\n" * 100000)
        for command, path in (("escape", big), ("lines", big), ("utf8", bad)):
            for read in (0, 10):
                for restore in (True, False):  # SIGPIPE at its default; ignored
                    with self.subTest(command=command, read=read, ignored=not restore):
                        reader, writer = os.pipe()
                        process = subprocess.Popen([quern, command, path], stdout=writer, stderr=subprocess.PIPE,
                                                   env=environment(), restore_signals=restore)
                        os.close(writer)
                        if read:
                            os.read(reader, read)
                        os.close(reader)
                        try:
                            _, err = process.communicate(timeout=TIMEOUT)
                        except subprocess.TimeoutExpired:
                            process.kill()
                            self.fail("it hangs")
                        self.assertIn(process.returncode, (3, -signal.SIGPIPE) if restore else (3,), err)
                        self.assertLessEqual(err.count(b"\n"), 2, err)
                        self.assertLess(len(err), 400, err)


class Memory(CliTest):
    SIZE = 64 << 20

    def peak(self, *args):
        """The peak of the tool's resident memory in KiB.

        A program's figure starts with that of the process which it replaced, here a Python with all the texts. So a small
        shell starts the tool and leaves it behind, and this process, as the reaper of orphans, gets the figure.
        """
        err = os.path.join(work, "memory-err")
        with open(err, "wb") as file:
            shell = subprocess.run(["/bin/sh", "-c", '"$@" >/dev/null & echo $!', "sh", quern, *args], stdin=subprocess.DEVNULL,
                                   stdout=subprocess.PIPE, stderr=file, env=environment(), timeout=TIMEOUT, check=True)
        pid = int(shell.stdout)
        end = time.monotonic() + TIMEOUT
        while True:
            done, status, usage = os.wait4(pid, os.WNOHANG)
            if done:
                break
            if time.monotonic() > end:
                os.kill(pid, signal.SIGKILL)
                os.waitpid(pid, 0)
                self.fail("it hangs")
            time.sleep(0.002)
        with open(err, "rb") as file:
            self.assertEqual((os.waitstatus_to_exitcode(status), file.read()), (0, b""))
        return usage.ru_maxrss

    def native(self):
        """Whether the tool is a program for the processor that Python runs on."""
        with open(quern, "rb") as tool, open(sys.executable, "rb") as python:
            heads = tool.read(20), python.read(20)
        return heads[0][:4] == b"\x7fELF" and heads[0][4:6] + heads[0][18:] == heads[1][4:6] + heads[1][18:]

    def test_peak(self):
        why = None
        if os.environ.get("QUERN_TEST_SANITIZED") == "1":
            why = "the tool is built with sanitizers (QUERN_TEST_SANITIZED=1)"
        elif not sys.platform.startswith("linux"):
            why = "it is measured on Linux only"
        elif not self.native():
            why = "the tool is not a native program of this machine"
        if why:
            skipped(f"peak memory: {why}")
            self.skipTest(why)

        libc = ctypes.CDLL(None, use_errno=True)
        if libc.prctl(36, 1, 0, 0, 0) != 0:  # PR_SET_CHILD_SUBREAPER
            raise OSError(ctypes.get_errno(), "prctl")
        lines, line = os.path.join(work, "64MiB-lines"), os.path.join(work, "64MiB-line")
        try:
            block = mixed("64 MiB", 1 << 20)
            for path, piece in ((lines, block), (line, block.replace(b"\n", b" "))):
                with open(path, "wb") as file:
                    for _ in range(self.SIZE >> 20):
                        file.write(piece)
            for args in (["lines", lines], ["lines", "--crlf", lines], ["lines", line], ["escape", lines], ["utf8", lines]):
                with self.subTest(args=args):
                    peak = self.peak(*args)
                    self.assertGreater(peak, 0)
                    self.assertLess(peak, MEMORY_LIMIT, f"KiB of memory for {' '.join(args)}")
                    if args == ["lines", lines]:
                        print(f"peak memory of `quern lines` on 64 MiB: {peak} KiB", flush=True)
        finally:
            libc.prctl(36, 0, 0, 0, 0)
            for path in (lines, line):
                if os.path.exists(path):
                    os.unlink(path)


def main(argv):
    global quern, data_folder, work
    args = argv[1:]
    if not args or args[0].startswith("-"):
        print(__doc__, file=sys.stderr)
        return 2
    quern = shutil.which(args.pop(0))
    if quern is None:
        print(f"test_cli: {argv[1]}: no such program", file=sys.stderr)
        return 1
    quern = os.path.abspath(quern)
    if args and not args[0].startswith("-") and args[0].split(".")[0] not in globals():
        data_folder = pathlib.Path(args.pop(0)).resolve()
    print(f"test_cli: {quern}, seed {SEED}", flush=True)

    start = time.monotonic()
    work = tempfile.mkdtemp(prefix="quern-test-cli-")
    try:
        program = unittest.main(module=__name__, argv=[argv[0], *args], exit=False)
    finally:
        shutil.rmtree(work, ignore_errors=True)
    result = program.result
    at_fault = {id(getattr(test, "test_case", test)) for test, _ in result.failures + result.errors}
    failed = len(at_fault) + len(result.unexpectedSuccesses)
    passed = result.testsRun - failed - len(result.skipped)
    for what in skips:
        print("skipped: " + what)
    print(f"{passed} passed, {failed} failed, {len(result.skipped)} skipped")
    print(f"test_cli: {time.monotonic() - start:.1f} s", flush=True)
    if result.testsRun == 0:
        print("test_cli: no test was run", file=sys.stderr)
        return 1
    return 0 if result.wasSuccessful() else 1


if __name__ == "__main__":
    sys.exit(main(sys.argv))

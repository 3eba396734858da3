# SPDX-License-Identifier: MIT
"""Running the tool, and what its tests share."""

import fcntl
import functools
import os
import pathlib
import random
import subprocess
import threading
import unittest

READ_SIZE = 256 * 1024  # the tool's reads; sequences are laid across this boundary
TIMEOUT = 120  # seconds; no run takes that long but one that hangs
MEMORY_LIMIT = 4096  # KiB
ROOT = pathlib.Path(__file__).resolve().parent.parent.parent
EMULATED = bool(os.environ.get("QUERN_TEST_EMULATOR"))
SANITIZED = os.environ.get("QUERN_TEST_SANITIZED") == "1"
THIN = EMULATED or SANITIZED  # the tool is many times slower, so some of the inputs must do
ALL_AT_ONCE = (10 if THIN else 100) * 1024  # the longest input that is fed one byte at a time
STATIC = os.environ.get("QUERN_TEST_STATIC") == "1"
SEED = int(os.environ.get("QUERN_TEST_SEED", "20"), 0)

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
    elif THIN:
        tried, why = in_use, "under an emulator and with sanitizers, one is enough"
    elif any(name.endswith("_emulated") for name in names):
        tried, why = in_use + [name for name in names if name.endswith("_emulated")], "in a build without emulated ones, they are tried"
    else:
        tried, why = names, ""
    for name in names:
        if name not in tried:
            skipped(f"variant {name}: {why}")
    return tried


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

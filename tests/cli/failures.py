# SPDX-License-Identifier: MIT
"""Exit codes, messages, help; memory."""

import ctypes
import os
import re
import resource
import signal
import subprocess
import sys
import time

from cli import base
from cli.base import EMULATED, SANITIZED, TIMEOUT, MEMORY_LIMIT, ROOT, CliTest, environment, run, skipped
from cli.inputs import Input, mixed


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
        for command in ("variants", "styles", "bench", *self.COMMANDS):
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
        path = os.path.join(base.work, "no-such-file")
        good = self.file("good", b"a\n")
        for command in self.COMMANDS:
            with self.subTest(command=command):
                self.refused(command, run(command, path), 3, path)
                self.refused(f"{command}, first of two", run(command, path, good), 3, path)
                self.refused(f"{command}, second of two", run(command, good, path), 3, path)

    def test_directory(self):
        for command in self.COMMANDS:
            with self.subTest(command=command):
                self.refused(command, run(command, base.work), 3, base.work)

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
        for args in (["variants"], ["styles"], ["bench"], ["lines", "--style", "help"], ["--version"], ["--help"], ["lines", "--help"]):
            with self.subTest(args=args), open(full, "wb") as out:
                self.refused(" ".join(args), run(*args, stdout=out), 3)

    def test_full_device_with_faults(self):
        path = self.file("many-faults", b"\xff\n" * 50000)
        self.refused("utf8 -o", run("utf8", "-o", self.full(), path), 3)

    def test_output_appended_to_an_input(self):
        """It would be read as it grows, without end (but for the limit here)."""
        limit = {"preexec_fn": lambda: resource.setrlimit(resource.RLIMIT_FSIZE, (1 << 22, 1 << 22))}
        data = b"text\n" * 100000
        path = self.file("appended-to", data)
        for args in ([path], ["-o", "-", self.file("appended-first", b"a"), path]):
            for command in self.COMMANDS:
                with self.subTest(command=command, args=args), open(path, "ab") as out:
                    self.refused(command, run(command, *args, stdout=out, **limit), 2, "standard output")
        with open(path, "rb") as source, open(path, "ab") as out:
            done = subprocess.run([base.quern, "escape"], stdin=source, stdout=out, stderr=subprocess.PIPE, env=environment(), timeout=TIMEOUT, **limit)
        self.assertEqual(done.returncode, 2, done.stderr)
        with open(path, "rb") as file:
            self.assertEqual(file.read(), data)
        # A command that reads nothing has no input.
        with open(path, "rb") as source, open(path, "ab") as out:
            subprocess.run([base.quern, "styles"], stdin=source, stdout=out, env=environment(), timeout=TIMEOUT, check=True)

    def test_closed_streams(self):
        """No file takes the place of a standard stream that is closed."""
        if EMULATED:
            skipped("closed standard streams: the emulator opens files itself")
            self.skipTest("emulated")

        def closed(which, *args):
            done = subprocess.run(["/bin/sh", "-c", f'exec "$0" "$@" {which}', base.quern, *args], stdin=subprocess.DEVNULL,
                                  stdout=subprocess.PIPE, stderr=subprocess.PIPE, env=environment(), timeout=TIMEOUT)
            return base.Result(done.returncode, done.stdout, done.stderr)

        bad, good = self.file("closed-bad", b"a\xffb"), self.file("closed-good", b"good")
        out = os.path.join(base.work, "closed-out")
        result = closed("2>&-", "utf8", "--repair", "drop", "-o", out, bad)
        with open(out, "rb") as file:
            self.assertEqual((result.code, file.read()), (0, b"ab"), result)
        self.refused("standard input", closed("<&-", "escape", good, "-"), 3, "standard input")
        self.refused("standard output", closed(">&-", "escape", good), 3, "standard output")
        self.refused("both", closed("<&- >&-", "utf8", "-o", out), 3, "standard input")

    def test_closed_pipe(self):
        big = self.file("for-closed-pipe", b'a "line" of text\n' * 200000)
        bad = self.file("faults-for-closed-pipe", b"\xff\n" * 100000)
        for command, path in (("escape", big), ("lines", big), ("utf8", bad)):
            for read in (0, 10):
                for restore in (True, False):  # SIGPIPE at its default; ignored
                    with self.subTest(command=command, read=read, ignored=not restore):
                        reader, writer = os.pipe()
                        process = subprocess.Popen([base.quern, command, path], stdout=writer, stderr=subprocess.PIPE,
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
        err = os.path.join(base.work, "memory-err")
        with open(err, "wb") as file:
            shell = subprocess.run(["/bin/sh", "-c", '"$@" >/dev/null & echo $!', "sh", base.quern, *args], stdin=subprocess.DEVNULL,
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
        with open(base.quern, "rb") as tool, open(sys.executable, "rb") as python:
            heads = tool.read(20), python.read(20)
        return heads[0][:4] == b"\x7fELF" and heads[0][4:6] + heads[0][18:] == heads[1][4:6] + heads[1][18:]

    def test_peak(self):
        why = None
        if SANITIZED:
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
        lines, line = os.path.join(base.work, "64MiB-lines"), os.path.join(base.work, "64MiB-line")
        try:
            block = mixed("64 MiB", 1 << 20)
            for path, piece in ((lines, block), (line, block.replace(b"\n", b" "))):
                with open(path, "wb") as file:
                    for _ in range(self.SIZE >> 20):
                        file.write(piece)
            for args in (["lines", lines], ["lines", "--crlf", lines], ["lines", line], ["lines", "--to", "cbor", lines], ["lines", "--to", "cbor", line], ["escape", lines], ["utf8", lines]):
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

# SPDX-License-Identifier: MIT
"""The progress bar: on a terminal alone, after a second, and gone at the end."""

import os
import re
import select
import subprocess
import threading
import time

from cli import base
from cli.base import TIMEOUT, CliTest, environment, skipped

SIZE = r"\d+(?:\.\d)? (?:B|[KMG]iB)"


class Screen:
    """What one line of a terminal shows: CR goes to its start, what is printed covers what was there."""

    def __init__(self):
        self.line, self.column, self.shown = "", 0, set()

    def feed(self, text):
        for character in text:
            if character == "\r":
                self.column = 0
                self.shown.add(self.line.rstrip())
            elif character == "\n":
                self.shown.add(self.line.rstrip())
                self.line, self.column = "", 0
            else:
                self.line = self.line[:self.column] + character + self.line[self.column + 1:]
                self.column += 1


class Progress(CliTest):
    def watch(self, args, pieces=(), pause=0.0, slow_output=0.0, out_to_terminal=False, env=None):
        """Runs the tool with a terminal as standard error; returns its exit code, output, and what the terminal got."""
        try:
            master, slave = os.openpty()
        except OSError as error:
            skipped(f"the progress bar: no pseudo-terminal to be had ({error})")
            self.skipTest("no pseudo-terminal")
        process = subprocess.Popen([base.quern, *args], stdin=subprocess.PIPE, stdout=slave if out_to_terminal else subprocess.PIPE, stderr=slave,
                                   env={**environment(), **(env or {})})
        os.close(slave)

        def feed():
            try:
                for piece in pieces:
                    process.stdin.write(piece)
                    process.stdin.flush()
                    time.sleep(pause)
                process.stdin.close()
            except BrokenPipeError:
                pass

        out = []

        def take():
            started = time.monotonic()
            while piece := os.read(process.stdout.fileno(), 65536):
                out.append(piece)
                if time.monotonic() - started < slow_output:
                    time.sleep(0.1)

        threads = [threading.Thread(target=feed, daemon=True)]
        if not out_to_terminal:
            threads.append(threading.Thread(target=take, daemon=True))
        for thread in threads:
            thread.start()
        shown, end = b"", time.monotonic() + TIMEOUT
        while time.monotonic() < end:
            if select.select([master], [], [], 0.1)[0]:
                try:
                    piece = os.read(master, 65536)
                except OSError:  # how Linux tells that the other side is closed
                    break
                if not piece:
                    break
                shown += piece
        os.close(master)
        code = process.wait(TIMEOUT)
        for thread in threads:
            thread.join(TIMEOUT)
        if process.stdout:
            process.stdout.close()
        return code, b"".join(out), shown.decode("utf-8", "replace")

    def gone(self, shown):
        """The screen, whose line has to be empty at the end, with the cursor at its start."""
        screen = Screen()
        screen.feed(shown)
        self.assertEqual((screen.line.strip(), screen.column), ("", 0), f"left on the terminal: {shown!r}")
        return screen

    def test_pipe(self):
        """A length that is not known: bytes so far, and their rate."""
        piece = b"some text\n" * 10000
        code, out, shown = self.watch(["escape"], [piece] * 18, 0.1)
        self.assertEqual((code, len(out)), (0, 2 + 18 * len(piece) + 18 * 10000))
        lines = [line for line in self.gone(shown).shown if line]
        self.assertTrue(lines, repr(shown))
        for line in lines:
            self.assertRegex(line, rf"^{SIZE}, {SIZE}/s$")
        self.assertLessEqual(len(lines), 12, "drawn more often than ten times a second")

    def test_file(self):
        """A length that is known: a bar. The file is large for the pipe behind the tool, which is read slowly."""
        path = self.file("progress", b"some text\n" * 800000)
        code, out, shown = self.watch(["lines", path, path], slow_output=1.8)
        self.assertEqual((code, out[:14], out[-2:]), (0, b'["some text", ', b'"]'))
        lines = [line for line in self.gone(shown).shown if line]
        self.assertTrue(lines, repr(shown))
        for line in lines:
            match = re.match(rf"^\[(#*)(\.*)\] (\d+) %, {SIZE} of 15 MiB, {SIZE}/s$", line)
            self.assertTrue(match, line)
            self.assertEqual((len(match[1]), len(match[1] + match[2])), (int(match[3]) // 5, 20), line)
            self.assertLess(len(line), 80)
        self.assertLess(max(int(line.split("] ")[1].split()[0]) for line in lines), 101)

    def test_not_within_a_second(self):
        code, _, shown = self.watch(["escape"], [b"text"] * 3, 0.1)
        self.assertEqual((code, shown), (0, ""))

    def test_not_without_a_terminal(self):
        pieces = [b"some text\n" * 1000] * 14
        with subprocess.Popen([base.quern, "escape"], stdin=subprocess.PIPE, stdout=subprocess.DEVNULL, stderr=subprocess.PIPE, env=environment()) as process:
            for piece in pieces:
                process.stdin.write(piece)
                process.stdin.flush()
                time.sleep(0.1)
            process.stdin.close()
            self.assertEqual((process.stderr.read(), process.wait(TIMEOUT)), (b"", 0))

    def test_messages_stand_alone(self):
        """A message takes the bar's place, and does not end up behind it."""
        pieces = [b"some text\n" * 10000] * 13
        code, out, shown = self.watch(["escape"], [*pieces, b"\xff"], 0.1)
        self.assertEqual(code, 1)
        screen = self.gone(shown)
        self.assertIn("quern: standard input: offset 1300000, line 130001, column 1: ill-formed UTF-8: ff", screen.shown)
        code, out, shown = self.watch(["utf8", "--repair", "drop"], [*pieces, b"\xff", *pieces], 0.1)
        self.assertEqual((code, out), (0, b"".join(pieces) * 2))
        self.assertIn("standard input: offset 1300000, line 130001, column 1: ill-formed: ff", self.gone(shown).shown)

    def test_output_on_the_same_terminal(self):
        """Output and bar do not mix: what is written takes the bar away for a second."""
        line = b"some text\n"
        code, _, shown = self.watch(["utf8"], [line * 10000] * 14, 0.1, out_to_terminal=True)
        self.assertEqual(code, 0)
        self.assertIn("standard input: valid UTF-8, 1400000 bytes", self.gone(shown).shown)
        code, _, shown = self.watch(["escape"], [line * 10000] * 14, 0.1, out_to_terminal=True)
        self.assertEqual((code, shown.replace("\r\n", "\n").replace("\r", "")), (0, '"' + "some text\\n" * 140000 + '"\n'))

    def test_locale_does_not_matter(self):
        code, _, shown = self.watch(["escape"], [b"some text\n" * 700] * 14, 0.1, env={"LC_ALL": "de_DE.UTF-8"})
        self.assertEqual(code, 0)
        self.assertRegex(shown, rf"{SIZE}, {SIZE}/s")

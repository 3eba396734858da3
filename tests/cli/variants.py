# SPDX-License-Identifier: MIT
"""`variants`."""

import os
import time
import unittest

from cli import base
from cli.base import EMULATED, STATIC, CliTest, all_rows, run, variant_rows, variants


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
        path = os.path.join(base.work, "variants-output")
        result = run("variants", "-o", path)
        self.assertEqual((result.code, result.out), (0, b""), result)
        with open(path, "rb") as file:
            self.assertEqual([row.name for row in variant_rows(file.read())], [row.name for row in all_rows()])


class Bench(CliTest):
    """`bench`: that all is there, and no figure is nonsense. How fast it is, is not tested."""

    KERNELS = ["escape_find", "escape_write", "utf8_prefix", "text_copy", "copy", "swap_copy64"]

    def test_table(self):
        path = os.path.join(base.work, "bench-output")
        for args in ([], ["-o", path]):
            start = time.monotonic()
            result = run("bench", *args)
            took = time.monotonic() - start
            self.assertEqual((result.code, result.err), (0, b""), result)
            printed = result.out
            if args:
                self.assertEqual(printed, b"")
                with open(path, "rb") as file:
                    printed = file.read()
            heading, *lines, last = printed.decode("utf-8").splitlines()
            self.assertEqual(heading.split(), ["variant", *self.KERNELS])
            self.assertRegex(last, "^GB of input a second")
            self.assertEqual([line[2:].split()[0] for line in lines], [row.name for row in all_rows()])
            for line, row in zip(lines, all_rows()):
                self.assertEqual(line[:2], "* " if row.active else "  ", line)
                if row.supported:
                    self.assertRegex(line[2:], r"^\S+( +\d+\.\d\d){6}$")
                    self.assertTrue(all(0 < float(figure) < 10000 for figure in line[2:].split()[1:]) or EMULATED, line)
                else:
                    self.assertIn(row.why_not, line)
            if not EMULATED and os.environ.get("QUERN_TEST_SANITIZED") != "1":
                self.assertLess(took, 10, "seconds; it promises two")

    def test_refused(self):
        self.refused("a file", run("bench", "file"), 2, "FILE")
        self.refused("an option", run("bench", "--crlf"), 2, "--crlf")

# SPDX-License-Identifier: MIT
"""`variants`."""

import os
import unittest

from cli import base
from cli.base import STATIC, CliTest, all_rows, run, variant_rows, variants


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

# SPDX-License-Identifier: MIT
"""`utf8 --repair`, against Python's decoder."""

import os

from cli import base
from cli.base import CliTest, run, run_fed, skipped, variants
from cli.inputs import faults, faulty_files, real_inputs


class Repair(CliTest):
    POLICIES = (("replace", "replace"), ("drop", "ignore"))

    def repaired(self, what, result, files, python):
        """`files`: pairs of a name (None: any) and bytes. Their text comes out, and their faults are told."""
        expected = b"".join(data.decode("utf-8", python).encode() for _, data in files)
        self.report(f"{what}: standard error", result.err, [(name, faults(data)) for name, data in files if faults(data)])
        result.err = b""
        self.same(what, result, expected)

    def test_files(self):
        for large in (False, True):
            rows = faulty_files(large)
            for how, python in self.POLICIES:
                for variant in variants():
                    with self.subTest(how=how, variant=variant, large=large):
                        result = run("utf8", "--repair", how, *(path for _, path, _, _ in rows), variant=variant)
                        self.repaired(f"{how}, {variant}", result, [(path, data) for _, path, data, _ in rows], python)

    def test_pipes(self):
        for name, _, data, _ in faulty_files(False)[::6] + faulty_files(True)[1::3]:
            with self.subTest(input=name):
                self.repaired(name, run("utf8", "--repair", "replace", stdin=data), [(None, data)], "replace")

    def test_one_byte_at_a_time(self):
        for name, _, data, _ in faulty_files(False)[2::6]:
            for how, python in self.POLICIES:
                with self.subTest(input=name, how=how):
                    self.repaired(name, run_fed("utf8", "--repair", how, pieces=data), [(None, data)], python)

    def test_nothing_to_repair(self):
        for text in real_inputs():
            self.same(text.name, run("utf8", "--repair", "drop", text.path), text.data)
        self.same("empty", run("utf8", "--repair", "replace"), b"")

    def test_output_file(self):
        data = b"ab\n\xff\xe2\x82c"
        path, out = self.file("repair-source", data), os.path.join(base.work, "repair-out")
        result = run("utf8", "--repair", "replace", "-o", out, path)
        with open(out, "rb") as file:
            self.assertEqual((result.code, result.out, file.read()), (0, b"", data.decode("utf-8", "replace").encode()), result)
        result = run("utf8", "--repair", "replace", "-o", path, path)
        self.refused("onto itself", result, 2, path)
        with open(path, "rb") as file:
            self.assertEqual(file.read(), data)

    def test_failures(self):
        missing, good = os.path.join(base.work, "no-such-file"), self.file("repair-good", b"good\n")
        result = run("utf8", "--repair", "replace", good, missing, good)
        self.refused("a missing file", result, 3, missing)
        self.assertEqual(result.out, b"good\ngood\n")
        if os.path.exists("/dev/full"):
            for data in (b"a\xff", b"a\xff" * 100000):
                self.refused("a full device", run("utf8", "--repair", "drop", "-o", "/dev/full", stdin=data), 3)

    def test_web_platform_tests(self):
        """Whole and in pieces as given; the second column is Python's own answer too."""
        path = base.data_folder and base.data_folder / "wpt_encoding" / "replacement_utf8.tsv"
        if not path or not path.is_file():
            skipped(f"wpt_encoding: no {path}")
            self.skipTest("no wpt_encoding")
        rows = [line.split("\t") for line in path.read_text().splitlines()[1:]]
        self.assertGreaterEqual(len(rows), 18)
        for kind, given, wanted in rows:
            pieces = [bytes.fromhex(piece) for piece in given.split("|")]
            expected = bytes.fromhex(wanted.replace("|", ""))
            data = b"".join(pieces)
            with self.subTest(kind=kind, input=given):
                self.assertEqual(data.decode("utf-8", "replace").encode(), expected)
                self.repaired(given, run("utf8", "--repair", "replace", stdin=data), [(None, data)], "replace")
                self.repaired(given, run_fed("utf8", "--repair", "replace", pieces=iter(pieces)), [(None, data)], "replace")

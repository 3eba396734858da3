# SPDX-License-Identifier: MIT
"""`utf8`, and what `escape` and `lines` refuse."""

import os

from cli.base import CliTest, run, run_fed, variants
from cli.inputs import all_inputs, inputs_for_pipe, faults, faulty_files


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

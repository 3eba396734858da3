#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""compare.py and report.py on tables small enough to be worked out by hand."""
import contextlib
import io
import os
import subprocess
import sys
import tempfile
import unittest

sys.dont_write_bytecode = True
HERE = os.path.dirname(os.path.abspath(__file__))
sys.path.insert(0, HERE)
import compare  # noqa: E402
import measures  # noqa: E402
import thresholds  # noqa: E402

HEADER = "workload\twho\tvariant\tcompiler\tsize\tmin_ns\tmedian_ns\tGBps\tvs_libc\n"
X86 = HEADER + (
    "escape_find\tlibc\t-\tgcc 12\t4096\t20\t21\t204.8\t1\n"
    "escape_find\tquern\tavx2\tgcc 12\t4096\t40\t41\t102.4\t0.5\n"
    "escape_find\tlibc\t-\tclang 14\t4096\t20\t21\t204.8\t1\n"
    "escape_find\tquern\tavx2\tclang 14\t4096\t50\t51\t81.9\t0.4\n"
    "escape_find\tquern\tscalar\tclang 14\t4096\t2000\t2001\t2.05\t0.01\n"
    "utf8_prefix, cjk\tlibc\t-\tgcc 12\t1023\t10\t10\t102\t1\n"
    "utf8_prefix, cjk\tquern\tavx2\tgcc 12\t1023\t50\t50\t20.5\t0.2\n"
    "utf8_prefix, cjk\tsimdutf\thaswell\tgcc 12\t1023\t60\t60\t17\t0.166\n"
    "utf8_prefix, cjk\tsimdutf\ticelake\tgcc 12\t1023\t30\t30\t34\t0.33\n")
ARM = HEADER + (
    "escape_find\tlibc\t-\tclang 15\t4096\t80\t81\t51.2\t1\n"
    "escape_find\tquern\tneon\tclang 15\t4096\t100\t101\t40.96\t0.8\n"
    "escape_find\tquern\tscalar\tclang 15\t4096\t1000\t1001\t4.1\t0.08\n")


class Compare(unittest.TestCase):
    def setUp(self):
        folder = tempfile.TemporaryDirectory()
        self.addCleanup(folder.cleanup)
        self.paths = []
        for name, text in (("x86", X86), ("arm", ARM)):
            path = os.path.join(folder.name, name + ".tsv")
            with open(path, "w", encoding="utf-8") as file:
                file.write(text)
            self.paths.append(path)

    def run_compare(self, *more):
        out = io.StringIO()
        with contextlib.redirect_stdout(out):
            compare.main(self.paths + list(more))
        return out.getvalue().splitlines()

    def test_joined(self):
        lines = self.run_compare()
        self.assertEqual(lines[0], "| workload | size | who | x86: ns | GB/s | vs libc | arm: ns | GB/s | vs libc | "
                                   "time of arm / x86 |")
        self.assertEqual(lines[2:6], [
            "| escape_find | 4 KiB | libc | 20.0 | 205 | 1.00 | 80.0 | 51.2 | 1.00 | 4.00 |",
            # The better compiler's row.
            "| escape_find | 4 KiB | quern avx2 | 40.0 | 102 | 0.50 |  |  |  |  |",
            "| escape_find | 4 KiB | quern scalar | 2000 | 2.05 | 0.01 | 1000 | 4.10 | 0.08 | 0.50 |",
            "| escape_find | 4 KiB | quern neon |  |  |  | 100 | 41.0 | 0.80 |  |"])
        # A text cut at a character counts as its nominal size.
        self.assertIn("| utf8_prefix, cjk | 1 KiB | simdutf icelake | 30.0 | 34.0 | 0.33 |  |  |  |  |", lines)

    def test_best(self):
        lines = self.run_compare("--best", "--names", "here", "there")
        self.assertIn("| escape_find | 4 KiB | quern | 40.0 (avx2) | 102 | 0.50 | 100 (neon) | 41.0 | 0.80 | 2.50 |",
                      lines)
        self.assertIn("time of there / here", lines[0])

    def checks(self, path):
        return {(c.topic.split(":")[0], c.variant): c for c in thresholds.kernel_checks(measures.Measures.load(path), None)}

    def test_thresholds(self):
        found = self.checks(self.paths[0])
        scan = found["escape_find, clean, 4 KiB", "avx2"]
        self.assertEqual((scan.verdict, scan.worst()[1], scan.worst("clang 14")[1]), ("met", 0.5, 0.4))
        # Against haswell, not icelake.
        utf8 = found["utf8_prefix, 1 KiB to 4 MiB", "avx2"]
        self.assertEqual((utf8.verdict, utf8.worst()[1]), ("met", 1.2))
        self.assertNotIn(("escape_find, clean, 4 KiB", "avx512"), found)
        self.assertEqual(self.checks(self.paths[1])["escape_find, clean, 4 KiB", "neon"].verdict, "shown only")

    def test_by_share(self):
        shares = measures.Shares([{"workload": "utf8_prefix, cjk", "size": "1024", "who": "simdjson",
                                   "variant": "haswell", "share": "0.25"}])
        text = X86.replace("utf8_prefix, cjk\tsimdutf", "other\tsimdutf")
        with open(self.paths[0], "w", encoding="utf-8") as file:
            file.write(text)
        found = [c for c in thresholds.kernel_checks(measures.Measures.load(self.paths[0]), shares)
                 if c.topic.startswith("utf8_prefix, 1 KiB") and c.variant == "avx2"]
        self.assertEqual((found[0].worst()[1], found[0].cells[0].by_share, found[0].verdict), (0.8, True, "missed"))

    def test_writers(self):
        rows = [("json_strings, 50 % quotes", "quern", "avx2", 4096, 10, ""),
                ("json_strings, 50 % quotes", "sonic-cpp", "v3", 4096, 25, ""),
                ("json_strings, 50 % quotes", "sonic-cpp", "native", 4096, 5, ""),
                ("text_copy, cjk", "quern", "avx2", 62, 10, ""),
                ("text_copy, cjk", "shape:three_passes", "avx2", 62, 12, ""),
                ("text_copy, cjk", "shape:three_passes", "sse42", 62, 5, ""),
                ("json_strings_checked, cjk", "quern", "avx2", 64, 10, ""),
                ("json_strings, cjk", "simdjson", "v3", 64, 8, ""),
                ("ovs, Q0 S0, fresh", "quern", "avx2", 100000, 10, "25"),
                ("ovs, Q0 S0, fresh", "shape:ovs_after", "-", 100000, 9, "43"),
                ("json_strings", "quern", "avx2", 5, 3, ""),
                ("json_strings", "quern", "avx2", 8, 4, "")]
        with open(self.paths[0], "w", encoding="utf-8") as file:
            file.write(HEADER.strip() + "\tfaults\n")
            for workload, who, variant, size, ns, faults in rows:
                file.write(f"{workload}\t{who}\t{variant}\tgcc 12\t{size}\t{ns}\t{ns}\t1\t1\t{faults}\n")
        m = measures.Measures.load(self.paths[0])
        self.assertEqual(m.get("ovs, Q0 S0, fresh", 100000, "gcc 12", "shape:ovs_after").faults, 43)
        # Short strings are not cut: 5 bytes are not nearly 8.
        self.assertEqual([m.get("json_strings", n, "gcc 12", "quern", "avx2").min_ns for n in (5, 8)], [3, 4])
        found = {(c.topic.split(":")[0], c.variant): (c.verdict, c.worst()[1]) for c in thresholds.writer_checks(m, None)}
        self.assertEqual(found["50 % quotes, 4 KiB", "avx2"], ("met", 2.5))
        self.assertEqual(found["text_copy, from 64 B on", "avx2"], ("missed", 1.2))
        self.assertEqual([f for t, f in found.items() if t[0] == "checked writing" and t[1] == "avx2"], [("met", 0.8)])
        self.assertEqual(found["Open vSwitch's bytes, fresh memory", "avx2"], ("missed", 0.9))
        # A shape of another variant is no loss, whatever its speed.
        self.assertEqual([loss[4].variant for loss in measures.losses(m)], ["-"])

    def test_cbor_and_sinks(self):
        rows = [("ints, small, 10^6, reused", "quern", "avx2", 8, 1), ("ints, small, 10^6, reused", "libcbor", "-", 8, 3),
                ("ints, small, 10^6, reused", "quern:calls", "avx2", 8, 2),
                ("ints, small, 10^6, reused", "nlohmann", "native", 8, 6),
                ("binary_to_cbor, reused", "quern", "avx2", 32, 10), ("binary_to_cbor, reused", "nlohmann", "native", 32, 80),
                ("json, strings of 64 KiB", "quern", "avx2", 67000000, 10),
                ("json, strings of 64 KiB", "quern:memory", "avx2", 67000000, 12),
                ("json, strings of 64 KiB", "quern:memory", "sse42", 67000000, 40)]
        with open(self.paths[0], "w", encoding="utf-8") as file:
            file.write(HEADER)
            for workload, who, variant, size, ns in rows:
                file.write(f"{workload}\t{who}\t{variant}\tgcc 12\t{size}\t{ns}\t{ns}\t1\t1\n")
        m = measures.Measures.load(self.paths[0])
        found = {c.topic: (c.verdict, c.worst()[1]) for c in thresholds.cbor_checks(m, None) + thresholds.sink_checks(m, None)
                 if c.cells}
        self.assertEqual(found, {
            "BinaryToCbor, memory reused, 8 to 64 B: speed against nlohmann": ("met", 8),
            "10^6 integers, a call each, small and 32-bit: speed against nlohmann": ("missed", 3),
            "10^6 integers, a call each, small and 32-bit: speed against libcbor": ("met", 1.5),
            "10^6 numbers at once: speed against libcbor": ("met", 3),
            "JSON of stable strings of 64 KiB by reference, collected: speed against a copy in memory": ("missed", 1.2)})

    def test_markdown_page(self):
        page = self.paths[0] + ".md"
        with open(page, "w", encoding="utf-8") as file:
            file.write("before\n<!-- begin: written by bench/report.py -->\nold\n"
                       "<!-- end: written by bench/report.py -->\nafter\n")
        subprocess.run([sys.executable, os.path.join(HERE, "report.py"), self.paths[0], "--markdown", page], check=True)
        with open(page, encoding="utf-8") as file:
            text = file.read()
        self.assertTrue(text.startswith("before\n") and text.endswith("after\n") and "\nold\n" not in text)
        self.assertIn("| utf8_prefix, cjk | 1 KiB | 102 |  | 20.5 | simdutf icelake | 34.0 | 0.60 |", text)


if __name__ == "__main__":
    unittest.main()

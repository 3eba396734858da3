#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""Draws the README's picture from a table of bench_kernels: plot.py kernels.tsv picture.svg"""
import csv
import sys

import matplotlib

matplotlib.use("svg")
matplotlib.rcParams["svg.hashsalt"] = "quern"  # the same table gives the same file
import matplotlib.pyplot as plt  # noqa: E402

PANELS = [
    ("escape scan, 4 KiB", "escape_find", 4096),
    ("escape scan and copy, 4 KiB", "escape_copy", 4096),
    ("UTF-8 check, ASCII, 64 KiB", "utf8_prefix, ascii", 65536),
    ("UTF-8 check, Chinese, 64 KiB", "utf8_prefix, cjk", 65536),
    ("JSON strings, 0 to 31 bytes", "json_string, list 0-31", None),
]
COLOURS = {"scalar": "#c9b79c", "swar": "#b08968", "sse42": "#7f9172", "neon": "#7f9172", "avx2": "#4f7cac", "avx512": "#2f4858"}


def main(table, picture):
    rows = list(csv.DictReader(open(table), delimiter="\t"))
    figure, axes = plt.subplots(1, len(PANELS), figsize=(15, 2.9))
    for axis, (title, workload, size) in zip(axes, PANELS):
        found = [r for r in rows if r["workload"] == workload and (size is None or abs(int(r["size"]) - size) <= 4)]
        ours = [r for r in reversed(found) if r["who"] == "quern"]
        libc = next(r for r in found if r["who"] != "quern")
        values = [float(r["GBps"]) for r in ours]
        bars = axis.barh([r["variant"] for r in ours], values, color=[COLOURS[r["variant"]] for r in ours])
        axis.bar_label(bars, fmt="%.3g", padding=3, fontsize=9)
        axis.axvline(float(libc["GBps"]), color="#a33", linewidth=1, linestyle=":")
        axis.set_title(title, fontsize=9)
        axis.set_xlim(0, 1.25 * max(*values, float(libc["GBps"])))
        axis.set_xlabel(f"GB/s   (dotted: {libc['who']}, {float(libc['GBps']):.3g})", fontsize=8)
        axis.tick_params(labelsize=8)
        axis.spines[["top", "right"]].set_visible(False)
    figure.tight_layout()

    figure.savefig(picture, metadata={"Date": None})


main(*sys.argv[1:])

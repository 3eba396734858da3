#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""Draws the README's picture from a table of bench_kernels: plot.py kernels.tsv picture.svg"""
import os
import sys

sys.dont_write_bytecode = True
sys.path.insert(0, os.path.dirname(os.path.abspath(__file__)))
from measures import Measures  # noqa: E402
from plots import COLOURS, plt  # noqa: E402

plt.rcParams.update({"svg.fonttype": "path", "font.size": 10})  # it stands alone, whatever fonts there are

# Title, workload, size, and what the C library does there.
PANELS = [
    ("escape scan, 4 KiB", "escape_find", 4096, "memchr"),
    ("escape scan and copy, 4 KiB", "escape_copy", 4096, "memcpy"),
    ("UTF-8 check, ASCII, 64 KiB", "utf8_prefix, ascii", 65536, "memchr"),
    ("UTF-8 check, Chinese, 64 KiB", "utf8_prefix, cjk", 65536, "memchr"),
    ("JSON strings, 0 to 31 bytes, checked", "json_strings_checked, random 0-31", None, "memcpy"),
]


def main(table, picture):
    m = Measures.load(table)
    figure, axes = plt.subplots(1, len(PANELS), figsize=(15, 2.9))
    for axis, (title, workload, size, libc_name) in zip(axes, PANELS):
        ours = [m.best(workload, size, None, lambda r, v=v: r.who == "quern" and r.variant == v) for v in m.variants()]
        libc = m.best(workload, size, None, lambda r: r.who == "libc").gbps
        values = [row.gbps for row in ours]
        bars = axis.barh([row.variant for row in ours], values, color=[COLOURS[row.variant] for row in ours])
        axis.bar_label(bars, fmt="%.3g", padding=3, fontsize=9)
        axis.axvline(libc, color="#a33", linewidth=1, linestyle=":")
        axis.set_title(title, fontsize=9)
        axis.set_xlim(0, 1.25 * max(*values, libc))
        axis.set_xlabel(f"GB/s   (dotted: {libc_name}, {libc:.3g})", fontsize=8)
        axis.tick_params(labelsize=8)
        axis.spines[["top", "right"]].set_visible(False)
    figure.tight_layout()

    figure.savefig(picture, metadata={"Date": None})


main(*sys.argv[1:])

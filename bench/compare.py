#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""Joins the tables of two machines into one, in Markdown, on standard output: compare.py a.tsv b.tsv

A line for each workload, size and contender: the time of each machine with its best compiler, and against the C library
of the same run, which is what can be compared between machines. Contenders are matched by name and variant; those that
only one machine has (quern's neon and avx2, say) keep a line with one half empty. With --best, quern has one line for
each workload: its best variant on each machine.
"""
import argparse
import os
import sys

sys.dont_write_bytecode = True
sys.path.insert(0, os.path.dirname(os.path.abspath(__file__)))
from measures import Measures, number, size_text  # noqa: E402


def half(row, show_variant):
    """What is shown of one machine's row: its time, speed, ratio to the C library and compiler."""
    if row is None:
        return ["", "", ""]
    time = number(row.min_ns) + (f" ({row.variant})" if show_variant else "")
    return [time, number(row.gbps), number(row.vs_libc)]


def joined(a, b, best):
    """The rows of the joined table, as lists of texts."""
    lines = []
    places = list(a.cells) + [place for place in b.cells if place not in a.cells]
    for workload, size in places:
        keys = a.contenders(workload, size)
        keys += [key for key in b.contenders(workload, size) if key not in keys]
        if best:
            keys = [key for key in keys if key[0] != "quern"]
            keys.insert(1, ("quern", None))
        for who, variant in keys:
            def fits(row, who=who, variant=variant):
                return row.who == who and variant in (None, row.variant)
            ours, theirs = (m.best(workload, size, None, fits) for m in (a, b))
            if ours is None and theirs is None:
                continue
            name = who if variant in (None, "-") else f"{who} {variant}"
            ratio = number(theirs.min_ns / ours.min_ns) if ours and theirs else ""
            lines.append([workload, size_text(size), name, *half(ours, variant is None), *half(theirs, variant is None),
                          ratio])
    return lines


def main(arguments):
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("a")
    parser.add_argument("b")
    parser.add_argument("--names", nargs=2, help="what to call the machines; the files' names are what is taken else")
    parser.add_argument("--best", action="store_true", help="only the best variant of quern on each machine")
    options = parser.parse_args(arguments)
    names = options.names or [os.path.splitext(os.path.basename(path))[0] for path in (options.a, options.b)]
    header = ["workload", "size", "who"]
    for name in names:
        header += [f"{name}: ns", "GB/s", "vs libc"]
    header.append(f"time of {names[1]} / {names[0]}")
    print("| " + " | ".join(header) + " |")
    print("|" + " --- |" * len(header))
    for line in joined(Measures.load(options.a), Measures.load(options.b), options.best):
        print("| " + " | ".join(line) + " |")


if __name__ == "__main__":
    main(sys.argv[1:])

#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""Makes pages of a table of one of the benchmark programs.

    report.py kernels.tsv --html PAGE         a page by itself, with plots (needs matplotlib)
    report.py kernels.tsv --markdown PAGE     rewrites the part of a Markdown page between the markers

--of writers, --of cbor, --of sinks: the table is of bench_writers, bench_cbor, bench_sinks.

--about FILE names a table of what the machine is (section, name, value); --shares FILE that of peers' shares.
"""
import argparse
import csv
import html
import io
import os
import sys

sys.dont_write_bytecode = True
sys.path.insert(0, os.path.dirname(os.path.abspath(__file__)))
from measures import LEVELS, Measures, Shares, losses, nominal, number, size_text  # noqa: E402
from thresholds import cbor_checks, kernel_checks, sink_checks, writer_checks  # noqa: E402


class Kernels:
    title = "quern: kernels, sinks, JSON strings"
    begin = "<!-- begin: written by bench/report.py -->"
    end = "<!-- end: written by bench/report.py -->"
    checks = staticmethod(kernel_checks)
    note = ""


class Writers:
    title = "quern: the JSON writer"
    begin = "<!-- begin: writers, written by bench/report.py -->"
    end = "<!-- end: writers, written by bench/report.py -->"
    checks = staticmethod(writer_checks)
    note = (
        " Libraries that write from a document of their own (all but simdjson, RapidJSON and yajl) have it built "
        "beforehand; the others are called value by value, as quern is. The C library’s row is a memcpy call for each "
        "string, for numbers snprintf, for the document a memcpy of it. A number counts as 8 bytes.")


class Cbor:
    title = "quern: the CBOR writer"
    begin = "<!-- begin: cbor, written by bench/report.py -->"
    end = "<!-- end: cbor, written by bench/report.py -->"
    checks = staticmethod(cbor_checks)
    note = (
        " nlohmann writes from a document built beforehand, the others are called value by value, as is quern:calls; "
        "quern is given all numbers in one call. The C library’s row is a memcpy of what is written, for the document a "
        "memcpy of its bytes between constants and a head. A number counts as 8 bytes.")


class Sinks:
    title = "quern: sinks"
    begin = "<!-- begin: sinks, written by bench/report.py -->"
    end = "<!-- end: sinks, written by bench/report.py -->"
    checks = staticmethod(sink_checks)
    note = (
        " The C library’s row is a memcpy call for each run of bytes, for what goes to a callback, a FILE or a descriptor "
        "an fwrite call.")


PAGES = {"kernels": Kernels, "writers": Writers, "cbor": Cbor, "sinks": Sinks}

# ---- tables: a header and rows of texts, for both kinds of page ----------------------------------------------------


def about_tables(about):
    sections = {}
    for section, name, value in about:
        sections.setdefault(section, []).append((name, value))
    return sections


def check_table(found, compilers):
    header = ["what", "variant", "at least", "aim", *compilers, "best", "verdict"]
    rows = []
    for check in found:
        sign = "≤" if check.time else "≥"
        cell, figure = check.worst()
        met = sum(check.met(c) for c in check.cells)
        verdict = check.verdict
        if verdict in ("met", "missed") and len(check.cells) > 1:
            verdict += f", {met} of {len(check.cells)}"
        if check.cells and check.aim is not None and all(check.aimed(c) for c in check.cells):
            verdict += ", aim reached"
        if any(c.by_share for c in check.cells):
            verdict += ", by share"
        if cell and len(check.cells) > 1:
            verdict += f"; worst: {cell.label}"
        rows.append([check.topic, check.variant, f"{sign} {check.at_least}" if check.at_least is not None else "",
                     f"{sign} {check.aim}" if check.aim is not None else "",
                     *(number(check.worst(c)[1]) for c in compilers), number(figure), verdict])
    return header, rows


def cells_table(found, compilers):
    header = ["what", "variant", "where", *compilers, "best", "asked", "verdict"]
    rows = []
    for check in found:
        for cell in check.cells if len(check.cells) > 1 else []:
            limit = check.limit(cell)
            rows.append([check.topic, check.variant, cell.label + (" (by share)" if cell.by_share else ""),
                         *(number(cell.figures.get(c)) for c in compilers), number(check.best(cell)),
                         "" if limit is None else f"{'≤' if check.time else '≥'} {limit}",
                         "" if limit is None else "met" if check.met(cell) else "missed"])
    return header, rows


def loss_table(m):
    header = ["workload", "size", "variant of quern", "GB/s", "faster", "GB/s", "quern's share"]
    return header, [[workload, size_text(size) or f"mean {ours.size} B", ours.variant, number(ours.gbps), other.name,
                     number(other.gbps), number(share)] for share, workload, size, ours, other in losses(m)]


def overview_table(m):
    """A line for each workload: GB/s of each variant and of the best of the others, of the best compiler."""
    variants = m.variants()
    header = ["workload", "size", "C library", *variants, "best peer or shape", "GB/s", "best of quern against it"]
    rows = []
    for workload, size in m.cells:
        def best(fits, workload=workload, size=size):
            return m.best(workload, size, None, fits)
        ours = [best(lambda r, v=v: r.who == "quern" and r.variant == v) for v in variants]
        libc, other = best(lambda r: r.who == "libc"), best(lambda r: r.is_peer or r.who.startswith("shape:"))
        top = min((r for r in ours if r), key=lambda r: r.min_ns, default=None)
        any_row = top or libc
        rows.append([workload, size_text(size) or f"mean {any_row.size} B", number(libc and libc.gbps),
                     *(number(r and r.gbps) for r in ours), other.name if other else "",
                     number(other and other.gbps), number(other.min_ns / top.min_ns) if other and top else ""])
    return header, rows


def cell_table(m, workload, size):
    """All contenders of one workload: times and speed of each compiler's run, the fastest first."""
    header = ["who"]
    counted = any(r.faults is not None for run in m.cells[workload, size].values() for r in run.values())
    for compiler in m.compilers:
        header += [f"{compiler}: min ns", "median ns", "GB/s", "vs libc", *["page faults"] * counted]
    header += ["best of quern against it"]
    best = m.best(workload, size, None, lambda r: r.who == "quern")

    def fastest(key):
        return m.best(workload, size, None, lambda r: (r.who, r.variant) == key)
    rows = []
    for key in sorted(m.contenders(workload, size), key=lambda k: fastest(k).min_ns):
        line = [fastest(key).name]
        for compiler in m.compilers:
            row = m.get(workload, size, compiler, *key)
            figures = (row.min_ns, row.median_ns, row.gbps, row.vs_libc, *[row.faults] * counted) if row else ()
            line += [number(x) for x in figures] or [""] * (4 + counted)
        line.append(number(fastest(key).min_ns / best.min_ns) if best else "")
        rows.append(line)
    return header, rows


def share_table(m, shares):
    """Peers that this run lacks, by their share of memcpy or memchr on the machine where they were measured."""
    header = ["workload", "size", "peer", "measured", "its share of", "its share", "quern", "quern's share here",
              "quern against it"]
    there = {(r.workload, nominal(r.workload, r.size), r.who) for cell in m.cells.values() for run in cell.values()
             for r in run.values()}
    rows = []
    for entry in shares.rows:
        size = nominal(entry["workload"], int(entry["size"]))
        if (entry["workload"], size, entry["who"]) in there:
            continue
        fitting = [v for v in m.variants() if entry["variant"] in LEVELS.get(v, ())]
        ours = m.best(entry["workload"], size, None, lambda r: r.who == "quern" and r.variant in fitting)
        if ours:
            rows.append([entry["workload"], size_text(size) or f"mean {entry['size']} B",
                         f"{entry['who']} {entry['variant']}".removesuffix(" -"), entry["date"], entry["limit"],
                         number(float(entry["share"])), ours.variant, number(ours.vs_libc),
                         number(ours.vs_libc / float(entry["share"]))])
    return header, rows


# ---- pages -----------------------------------------------------------------------------------------------------------

INTRODUCTION = (
    "Minima of interleaved rounds, pinned to one core; every result was checked before it was timed. Ratios within one "
    "compiler's run are the result, absolute times are only true of this machine. “Random” workloads are strings of "
    "random lengths in 8 MiB that no branch predictor learns. Quern and what is compiled with it (shapes, libraries "
    "that are headers) were built by the compiler named; other libraries by whoever built them.")
SHARE_NOTE = (
    "A peer that this run lacks is compared by share: its share of memcpy's or memchr's speed, on the machine and the "
    "day that bench/peer-shares.tsv names, against quern's share here. That is weaker than a run side by side.")
LOSS_NOTE = (
    "Where a peer, at the level of instruction set of the variant, or an algorithm written out is faster than that "
    "variant of quern; each with its best compiler. memcpy and memchr are not listed here: they do less.")
CHECK_NOTE = (
    "Of several sizes or texts, the figure is that of the worst. A compiler's column is that compiler's worst; “best” "
    "takes for each case the better compiler first. “Shown only”: there is no threshold.")

STYLE = """
body { font: 15px/1.5 system-ui, sans-serif; max-width: 78rem; margin: 2rem auto; padding: 0 1rem; color: #222; }
table { border-collapse: collapse; font-size: 13px; margin: .5rem 0 1.5rem; }
th, td { padding: .15rem .6rem; border-bottom: 1px solid #e3e3e3; text-align: right; white-space: nowrap; }
th:first-child, td:first-child { text-align: left; white-space: normal; }
td.text { text-align: left; white-space: normal; } th { background: #f5f3ef; vertical-align: bottom; }
tr.ours td:first-child { font-weight: 600; } .met { color: #2d6a4f; } .missed { color: #b00020; font-weight: 600; }
svg { max-width: 100%; height: auto; } details { margin: .4rem 0; } summary { cursor: pointer; }
"""


def html_table(table):
    header, rows = table
    if not rows:
        return "<p>None.</p>"

    def cell(text):
        kind = "missed" if text.startswith("missed") else "met" if text.startswith("met") else ""
        plain = text.replace(".", "", 1).replace("≤ ", "").replace("≥ ", "").isdigit() or not text
        kinds = " ".join(k for k in (kind, "" if plain else "text") if k)
        return f'<td class="{kinds}">{html.escape(text)}</td>' if kinds else f"<td>{html.escape(text)}</td>"
    lines = ["<table><tr>" + "".join(f"<th>{html.escape(h)}</th>" for h in header) + "</tr>"]
    for row in rows:
        ours = ' class="ours"' if row[0].startswith("quern ") else ""
        lines.append(f"<tr{ours}>" + "".join(cell(c) for c in row) + "</tr>")
    return "\n".join(lines) + "</table>"


def html_page(m, shares, about, of):
    import plots
    found = of.checks(m, shares)
    parts = ["<!doctype html><html lang=\"en\"><meta charset=\"utf-8\">"
             f"<title>{of.title}</title><style>{STYLE}</style><h1>{of.title}</h1>"
             f"<p>{html.escape(INTRODUCTION + of.note)}</p>"]

    def section(title, note, table):
        parts.append(f"<h2>{html.escape(title)}</h2>" + (f"<p>{html.escape(note)}</p>" if note else ""))
        parts.append(html_table(table))
    for title, values in about_tables(about).items():
        parts.append(f"<h3>{html.escape(title)}</h3>" + html_table((["", ""], [list(v) for v in values])))
    section("What it must show", CHECK_NOTE, check_table(found, m.compilers))
    parts.append("<details><summary>every single case</summary>" + html_table(cells_table(found, m.compilers))
                 + "</details>")
    section("Where quern loses", LOSS_NOTE, loss_table(m))
    plot = {Kernels: plots.kernel_plots, Writers: plots.writer_plots, Cbor: plots.cbor_plots, Sinks: plots.sink_plots}
    for title, svg in plot[of](m):
        parts.append(f"<h2>{html.escape(title)}</h2>{svg}")
    section("Overview, GB/s of the best compiler", "", overview_table(m))
    if shares:
        section("By share", SHARE_NOTE, share_table(m, shares))
    parts.append("<h2>Every figure</h2>")
    for workload, size in m.cells:
        title = f"{workload} {size_text(size)}".strip()
        parts.append(f"<details><summary>{html.escape(title)}</summary>" + html_table(cell_table(m, workload, size))
                     + "</details>")
    return "\n".join(parts) + "</html>\n"


def markdown_table(table):
    header, rows = table
    if not rows:
        return "None.\n"
    lines = ["| " + " | ".join(header) + " |", "|" + " --- |" * len(header)]
    lines += ["| " + " | ".join(row) + " |" for row in rows]
    return "\n".join(lines) + "\n"


def markdown_block(m, shares, about, of):
    parts = [INTRODUCTION + of.note + "\n"]
    for title, values in about_tables(about).items():
        parts.append(f"**{title}**\n\n" + "\n".join(f"- {name}: {value}" for name, value in values) + "\n")
    parts.append(f"### What it must show\n\n{CHECK_NOTE}\n")
    parts.append(markdown_table(check_table(of.checks(m, shares), m.compilers)))
    parts.append(f"### Where quern loses\n\n{LOSS_NOTE}\n\n" + markdown_table(loss_table(m)))
    parts.append("### Every workload, GB/s of the best compiler\n\n" + markdown_table(overview_table(m)))
    if shares:
        parts.append(f"### By share\n\n{SHARE_NOTE}\n\n" + markdown_table(share_table(m, shares)))
    return "\n".join(parts)


def rewrite(path, block, begin, end):
    with open(path, encoding="utf-8") as file:
        page = file.read()
    if begin not in page or end not in page:
        sys.exit(f"{path}: no place for the tables; it must have the lines\n{begin}\n{end}")
    head, tail = page.split(begin, 1)[0], page.split(end, 1)[1]
    with open(path, "w", encoding="utf-8") as file:
        file.write(f"{head}{begin}\n\n{block}\n{end}{tail}")


def main():
    here = os.path.dirname(os.path.abspath(__file__))
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("table")
    parser.add_argument("--about")
    parser.add_argument("--shares", default=os.path.join(here, "peer-shares.tsv"))
    parser.add_argument("--of", choices=PAGES, default="kernels")
    parser.add_argument("--html")
    parser.add_argument("--markdown")
    options = parser.parse_args()
    of = PAGES[options.of]
    m = Measures.load(options.table)
    if not m.cells:
        sys.exit(f"{options.table}: no rows")
    shares = Shares.load(options.shares) if options.shares else None
    about = []
    if options.about:
        with open(options.about, encoding="utf-8", newline="") as file:
            about = [line for line in csv.reader(file, delimiter="\t", quoting=csv.QUOTE_NONE) if len(line) == 3]
    if options.html:
        with open(options.html, "w", encoding="utf-8") as file:
            file.write(html_page(m, shares, about, of))
    if options.markdown:
        rewrite(options.markdown, markdown_block(m, shares, about, of), of.begin, of.end)
    if not options.html and not options.markdown:
        print(markdown_table(check_table(of.checks(m, shares), m.compilers)))


if __name__ == "__main__":
    main()

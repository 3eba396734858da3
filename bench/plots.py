# SPDX-License-Identifier: MIT
"""The plots of the pages of report.py, as (title, SVG text). Figures of the best compiler."""
import io
import re

import matplotlib

matplotlib.use("svg")
matplotlib.rcParams.update({"svg.hashsalt": "quern", "svg.fonttype": "none", "font.size": 9})
import matplotlib.pyplot as plt  # noqa: E402

from measures import LEVELS, SCRIPTS, number, size_text  # noqa: E402

COLOURS = {"scalar": "#c9b79c", "swar": "#b08968", "sse42": "#7f9172", "neon": "#7f9172", "avx2": "#4f7cac",
           "avx512": "#2f4858"}
PEER_COLOURS = {"libc": "#a33", "sonic-cpp": "#8e44ad", "simdjson": "#d35400", "yyjson": "#16a085",
                "rapidjson": "#c0392b", "simdutf": "#d35400", "nlohmann": "#777777", "libcbor": "#16a085",
                "tinycbor": "#8e44ad", "qcbor": "#d35400"}


def svg(figure):
    figure.tight_layout()
    out = io.StringIO()
    figure.savefig(out, format="svg", metadata={"Date": None})
    plt.close(figure)
    text = out.getvalue()
    return text[text.index("<svg"):]


def line(m, axis, workload, fits, label, **style):
    points = [(size, m.best(workload, size, None, fits)) for w, size in m.cells if w == workload and size]
    points = [(size, row.gbps) for size, row in points if row]
    if points:
        axis.plot(*zip(*points), label=label, marker="o", markersize=3, linewidth=1.4, **style)


def size_axis(axis, title):
    axis.set_xscale("log", base=2)
    axis.set_yscale("log")
    axis.set_title(title)
    axis.set_xlabel("bytes")
    axis.set_ylabel("GB/s")
    axis.grid(True, which="major", color="#ddd", linewidth=0.5)
    axis.spines[["top", "right"]].set_visible(False)


def legend(axis):
    axis.legend(fontsize=7, loc="upper left", bbox_to_anchor=(1.01, 1), frameon=False)


def ours(m, axis, workload):
    for v in m.variants():
        line(m, axis, workload, lambda r, v=v: r.who == "quern" and r.variant == v, f"quern {v}",
             color=COLOURS.get(v, "#333"))


def unit(workload, size):
    if workload.startswith(("doubles", "ints")):
        return "ns per number"
    if workload.startswith("write, "):
        return "ns per run"
    return "ns per string" if size is None or workload.startswith("json_strings") else "ns per call"


def bars(m, panels, most=14):
    """A panel of bars for each (workload, size) of the table: times, at most the fastest `most`."""
    panels = [panel for panel in panels if panel in m.cells]
    lines = max(1, (len(panels) + 2) // 3)
    figure, axes = plt.subplots(lines, 3, figsize=(13, 4.75 * lines), squeeze=False)
    for axis in axes.flat[len(panels):]:
        axis.axis("off")
    for axis, (workload, size) in zip(axes.flat, panels):
        rows = [m.best(workload, size, None, lambda r, key=key: (r.who, r.variant) == key)
                for key in m.contenders(workload, size)]
        rows = sorted(rows, key=lambda r: r.min_ns)[:most]
        rows.reverse()
        drawn = axis.barh([r.name for r in rows], [r.min_ns for r in rows],
                          color=[COLOURS.get(r.variant, "#333") if r.who == "quern"
                                 else "#d99" if r.who == "libc" else "#d8d8d8" for r in rows])
        axis.bar_label(drawn, labels=[number(r.min_ns) for r in rows], padding=3, fontsize=8)
        axis.set_title(f"{workload} {size_text(size)}".strip())
        axis.set_xlabel(unit(workload, size))
        axis.set_xlim(0, 1.18 * max(r.min_ns for r in rows))
        axis.tick_params(labelsize=8)
        axis.spines[["top", "right"]].set_visible(False)
    return svg(figure)


def kernel_plots(m):
    figure, axes = plt.subplots(1, 2, figsize=(13, 4.2))
    for axis, workload, libc in zip(axes, ("escape_find", "escape_copy"), ("memchr", "memcpy")):
        ours(m, axis, workload)
        line(m, axis, workload, lambda r: r.who == "libc", libc, color=PEER_COLOURS["libc"], linestyle=":")
        for who in sorted({who for w, s in m.cells if w == workload for who, _ in m.contenders(w, s)}):
            if who not in ("quern", "libc"):
                line(m, axis, workload, lambda r, who=who: r.who == who, who, linestyle="--", alpha=0.7)
        size_axis(axis, workload + ", nothing to escape")
        legend(axis)
    yield "Escape scan, alone and with the copy", svg(figure)

    figure, axes = plt.subplots(2, 3, figsize=(13, 7.5))
    for axis, script in zip(axes.flat, SCRIPTS):
        workload = f"utf8_prefix, {script}"
        ours(m, axis, workload)
        for v in m.variants():
            if v != "scalar":
                line(m, axis, workload,
                     lambda r, v=v: r.who in ("simdutf", "simdjson") and r.variant in LEVELS.get(v, ()),
                     f"best of simdutf, simdjson at {v}", color=COLOURS.get(v, "#333"), linestyle="--", alpha=0.7)
        size_axis(axis, script)
    handles, labels = axes.flat[0].get_legend_handles_labels()
    axes.flat[5].axis("off")
    axes.flat[5].legend(handles, labels, loc="center", fontsize=8)
    yield "UTF-8 check, by script", svg(figure)

    figure, axes = plt.subplots(1, 2, figsize=(13, 4.2))
    for axis, workload in zip(axes, ("json_strings", "json_strings_checked")):
        ours(m, axis, workload)
        line(m, axis, workload, lambda r: r.who == "libc", "a memcpy call per string", color=PEER_COLOURS["libc"],
             linestyle=":")
        for who in ("sonic-cpp", "simdjson", "yyjson", "rapidjson", "nlohmann"):
            line(m, axis, workload, lambda r, who=who: r.who == who, who, color=PEER_COLOURS[who], linestyle="--",
                 alpha=0.7)
        size_axis(axis, "UTF-8 checked" if workload.endswith("checked") else "UTF-8 not checked")
        legend(axis)
    yield "JSON strings of one length", svg(figure)

    panels = [("escape_find, random 0-31", None), ("sink_write, random 0-31", None),
              ("json_strings, random 0-31", None), ("json_strings, random 0-63", None),
              ("utf8_prefix, cjk, random 0-63", None), ("line_locate", 65536)]
    yield "Short strings of random lengths: time, less is better; at most the fastest fourteen", bars(m, panels)


def densities(m, axis, kind, suffix, size):
    """Speed by the percentage of bytes to escape."""
    def points(fits):
        found = []
        for workload, of_size in m.cells:
            match = re.fullmatch(rf"json_strings, (\d+) % ({kind}|quotes){suffix}", workload)
            if match and of_size == size and (match[2] == kind or match[1] == "0"):
                row = m.best(workload, size, None, fits)
                if row:
                    found.append((int(match[1]), row.gbps))
        return sorted(found)
    for v in m.variants():
        mine = points(lambda r, v=v: r.who == "quern" and r.variant == v)
        if mine:
            axis.plot(*zip(*mine), label=f"quern {v}", color=COLOURS.get(v, "#333"), marker="o", markersize=3)
    for who in ("sonic-cpp", "simdjson", "yyjson", "rapidjson", "nlohmann"):
        theirs = points(lambda r, who=who: r.who == who)
        if theirs:
            axis.plot(*zip(*theirs), label=who, color=PEER_COLOURS[who], linestyle="--", alpha=0.7)
    axis.set_xscale("symlog", linthresh=1)
    axis.set_xticks([0, 1, 2, 5, 10, 20, 50, 100], [0, 1, 2, 5, 10, 20, 50, 100])
    axis.set_yscale("log")
    axis.set_title(f"{kind}{suffix}" + (f", {size_text(size)}" if size else ""))
    axis.set_xlabel("% of the bytes")
    axis.set_ylabel("GB/s")
    axis.grid(True, which="major", color="#ddd", linewidth=0.5)
    axis.spines[["top", "right"]].set_visible(False)


def writer_plots(m):
    figure, axes = plt.subplots(2, 2, figsize=(13, 8))
    for line_of_axes, (suffix, size) in zip(axes, (("", 4096), (", random 0-63", None))):
        for axis, kind in zip(line_of_axes, ("quotes", "controls")):
            densities(m, axis, kind, suffix, size)
    legend(axes[0][1])
    yield "JSON strings by how much is to be escaped", svg(figure)
    yield "JSON strings, numbers and a document: time, less is better; at most the fastest fourteen", bars(m, [
        ("json_strings, 2 % quotes + 1 % controls", 4096), ("json_strings, 2 % quotes + 1 % controls, random 0-63", None),
        ("ovs, Q2 S1, reused", 10 ** 7), ("json_strings_checked, cyrillic", 64), ("json_strings_checked, ascii", 64),
        ("json_strings, random 0-31", None), ("doubles, canada", 8), ("ints, random widths", 8),
        *[place for place in m.cells if place[0].startswith("document")]])


def cbor_plots(m):
    figure, axes = plt.subplots(1, 2, figsize=(13, 4.2))
    for axis, workload in zip(axes, ("binary_to_cbor, reused", "binary_to_cbor, fresh")):
        ours(m, axis, workload)
        line(m, axis, workload, lambda r: r.who == "libc", "memcpy and a head", color=PEER_COLOURS["libc"], linestyle=":")
        for who in ("nlohmann", "libcbor", "tinycbor", "qcbor", "shape:insert", "shape:push_back"):
            line(m, axis, workload, lambda r, who=who: r.who == who, who, color=PEER_COLOURS.get(who, "#bbb"),
                 linestyle="--", alpha=0.7)
        size_axis(axis, workload)
        legend(axis)
    yield "BinaryToCbor of nlohmann/json", svg(figure)
    yield "Arrays of 10^6: time, less is better; at most the fastest fourteen", bars(m, [
        *[(f"{kind}, 10^6, reused", 8)
          for kind in ("ints, small", "ints, 32-bit", "ints, mixed widths", "ints, 64-bit", "doubles")],
        ("ints, 64-bit, 10^6, fresh", 8), ("ints, 64-bit, 10^7, fresh", 8), ("ints, 64-bit, 10^6, fresh, mmap", 8),
        *[(f"typed_array, 64-bit, {order}, 10^6, reused", 8 * 10 ** 6) for order in ("native", "swapped")]])


def sink_plots(m):
    figure, axes = plt.subplots(2, 4, figsize=(16, 7.5))
    names = [name for name in dict.fromkeys(workload for workload, _ in m.cells) if name.count(",") == 1
             and name.startswith("write, ")]
    for axis, name in zip(axes.flat, names):
        ours(m, axis, name)
        line(m, axis, name, lambda r: r.who == "libc", "C library", color=PEER_COLOURS["libc"], linestyle=":")
        size_axis(axis, name)
    axes.flat[0].legend(fontsize=7)
    yield "Runs of one length", svg(figure)
    yield "JSON of strings of 64 KiB, by reference and by copy: time, less is better", bars(
        m, [place for place in m.cells if place[0].startswith("json, ")])

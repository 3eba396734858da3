# SPDX-License-Identifier: MIT
"""What the tables of the benchmark programs must show."""
from measures import LEVELS, SCRIPTS, Cell, Check, size_text


class Checks:
    """Collects checks; its other methods make the figures, functions of (variant, workload, size, compiler)."""

    def __init__(self, measures, shares):
        self.measures = measures
        self.shares = shares
        self.found = []

    def add(self, topic, wanted, places, figure, time=False, share_at_least=None):
        """`wanted`: variant -> (at least, aim). `figure` gives a number, None, or a number and True for one by share."""
        for variant, (at_least, aim) in wanted.items():
            if variant not in self.measures.variants():
                continue
            check = Check(topic, variant, at_least, aim, time, share_at_least)
            for workload, size in places:
                cell = Cell(f"{workload} {size_text(size)}".strip(), {})
                for compiler in self.measures.compilers:
                    number = figure(variant, workload, size, compiler)
                    if isinstance(number, tuple):
                        number, cell.by_share = number
                    if number is not None:
                        cell.figures[compiler] = number
                if cell.figures:
                    check.cells.append(cell)
            self.found.append(check)

    def ours(self, variant, workload, size, compiler):
        return self.measures.get(workload, size, compiler, "quern", variant)

    def speed_against_libc(self, variant, workload, size, compiler):
        row = self.ours(variant, workload, size, compiler)
        return row.vs_libc if row else None

    def time_against(self, who):
        def figure(variant, workload, size, compiler):
            row, other = self.ours(variant, workload, size, compiler), self.measures.get(workload, size, compiler, who)
            return row.min_ns / other.min_ns if row and other else None
        return figure

    def speed_against(self, fits, there=None, who="quern"):
        """Of `who`, against the fastest of the rows that fit; `there`: in what workload they are, given quern's."""
        def figure(variant, workload, size, compiler):
            row = self.measures.get(workload, size, compiler, who, variant)
            place = there(workload) if there else workload
            other = self.measures.best(place, size, compiler, lambda r: fits(r, variant))
            return other.min_ns / row.min_ns if row and other else None
        return figure

    def speed_against_peers(self, whos=None, there=None):
        """Against the best of these libraries, or of all, at the variant's level; by share if none is in this run."""
        side_by_side = self.speed_against(lambda r, variant: r.is_peer and (whos is None or r.who in whos)
                                          and r.variant in LEVELS.get(variant, ()), there)

        def figure(variant, workload, size, compiler):
            ratio = side_by_side(variant, workload, size, compiler)
            row = self.ours(variant, workload, size, compiler)
            if ratio is not None or not row or not self.shares:
                return ratio
            place = there(workload) if there else workload
            share = self.shares.of(place, size, whos, LEVELS.get(variant, ()))
            return (row.vs_libc / share, True) if share else None
        return figure


def kernel_checks(m, shares):
    c = Checks(m, shares)
    add, time_against, speed_against_libc = c.add, c.time_against, c.speed_against_libc
    speed_against = c.speed_against_peers

    add("escape_find, clean, 4 KiB: share of memchr's speed",
        {"avx512": (0.5, None), "avx2": (0.4, None), "sse42": (0.2, None), "swar": (0.06, None), "neon": (None, None)},
        [("escape_find", 4096)], speed_against_libc)
    short = [(f"escape_find, random {r}", None) for r in ("0-15", "0-31", "3-12")]
    add("escape_find, random lengths: time against memchr",
        {"avx512": (1.0, None), "avx2": (2.3, None), "sse42": (2.3, None), "neon": (None, None)},
        short, time_against("libc"), time=True)
    add("escape_find, random lengths: time against serde_json's SWAR",
        {"swar": (0.65, None), "avx2": (0.5, None), "sse42": (0.5, None), "avx512": (0.2, None), "neon": (None, None)},
        short, time_against("shape:serde_swar"), time=True)

    utf8 = ("simdjson", "simdutf")
    add("utf8_prefix, 1 KiB to 4 MiB: speed against the best of simdjson and simdutf on that ISA",
        {"avx512": (1.0, 1.2), "avx2": (1.0, 1.2), "sse42": (1.0, 1.2), "neon": (None, None), "swar": (None, None)},
        [(f"utf8_prefix, {s}", n) for s in SCRIPTS for n in (1024, 65536, 1 << 20, 4 << 20)],
        speed_against(utf8), share_at_least=0.9)
    other = [s for s in SCRIPTS if s != "ascii"]
    for place, limits, places in (
            ("16 B", (0.95, 2, 1.3), [(f"utf8_prefix, {s}", 16) for s in other]),
            ("64 B", (0.95, 1.2, 1.3), [(f"utf8_prefix, {s}", 64) for s in other]),
            ("random 0-63", (1.5, 1.5, 1.3), [(f"utf8_prefix, {s}, random 0-63", None) for s in other])):
        add(f"utf8_prefix, not ASCII, {place}: speed against the best of simdjson and simdutf on that ISA",
            {"avx512": (limits[0], None), "avx2": (limits[1], None), "sse42": (limits[2], None), "neon": (None, None)},
            places, speed_against(utf8))

    for size, least, aims in ((8, (1.5, 2.2, 2.0), (1.25, 1.9, 1.7)), (16, (1.5, 2.2, 2.0), (1.25, 1.9, 1.7)),
                              (64, (1.4, 1.9, 1.8), (1.15, 1.6, 1.6)), (256, (1.5, 1.4, 2.0), (1.15, 1.2, 1.7)),
                              (4096, (1.4, 1.45, 2.9), (1.2, 1.3, 2.6))):
        wanted = dict(zip(("avx512", "avx2", "sse42"), zip(least, aims)))
        wanted["neon"] = (None, None)
        add(f"json_strings, {size_text(size)}: time against a memcpy call per string", wanted,
            [("json_strings", size)], time_against("libc"), time=True)
    add("json_strings: speed against the best of sonic-cpp, simdjson's builder, yyjson, rapidjson at that level",
        {"avx512": (1.0, None), "avx2": (1.0, None), "sse42": (1.0, None), "neon": (None, None)},
        [("json_strings", n) for n in (8, 16, 64, 256, 4096)]
        + [(f"json_strings, random {r}", None) for r in ("0-15", "0-31", "0-63")],
        speed_against(("sonic-cpp", "simdjson", "yyjson", "rapidjson")))
    add("json_strings, random 0-63: speed against a memcpy call per string",
        {"avx512": (2.8, 4.2), "avx2": (1.5, 2.5), "sse42": (1.3, 1.8), "neon": (None, None)},
        [("json_strings, random 0-63", None)], speed_against_libc)

    for r, limits in (("0-15", ((4, 5), (1.9, 2.6), (1.9, 2.1))), ("0-31", ((4, 5.4), (2.4, 2.8), (1.3, 1.45)))):
        wanted = dict(zip(("avx512", "avx2", "sse42"), limits))
        wanted["neon"] = (None, None)
        add(f"sink_write, random {r}: speed against a memcpy call each", wanted,
            [(f"sink_write, random {r}", None)], speed_against_libc)
    add("line_locate, lines of 37 bytes: speed against memchr per line",
        {"avx512": (8, None), "avx2": (8, None), "sse42": (4, None), "swar": (1.2, None), "neon": (None, None)},
        [("line_locate", n) for n in (4096, 65536, 1 << 20)], speed_against_libc)

    order = [v for v in m.variants() if v != "neon"]
    long = [(w, n) for w in ("escape_find", "escape_copy") for n in (64, 256, 4096, 65536, 1 << 20)]
    long += [(f"utf8_prefix, {s}", n) for s in SCRIPTS for n in (64, 1024, 65536, 1 << 20, 4 << 20)]
    for before, after in zip(order, order[1:]):
        step = c.speed_against(lambda r, _, before=before: r.who == "quern" and r.variant == before)
        add(f"from 64 B on: speed against {before}", {after: (1.0, None)}, long, step)
    return c.found


def writer_checks(m, shares):
    c = Checks(m, shares)
    peers = c.speed_against_peers()

    def each(**wanted):
        return {**wanted, "sse42": (None, None), "neon": (None, None)}

    for mix, short, wide, aim in (("2 % quotes + 1 % controls", 1.3, (1.7, 1.1), 2.4),
                                  ("10 % quotes + 1 % controls", 2.2, (2.8, 1.5), 4.4)):
        for label, place, least in (("4 KiB", (f"json_strings, {mix}", 4096), wide[0]),
                                    ("random 0-63", (f"json_strings, {mix}, random 0-63", None), short)):
            c.add(f"{mix}, {label}: speed against the best library at that level",
                  each(avx512=(least, aim), avx2=(wide[1], None)), [place], peers)
    for mix, least in (("50 % quotes", (5, 2)), ("50 % controls", (2, 1.5))):
        c.add(f"{mix}, 4 KiB: speed against the best library at that level",
              each(avx512=(least[0], None), avx2=(least[1], None)), [(f"json_strings, {mix}", 4096)], peers)

    def against_run_copy(r, _):
        return r.who == "shape:ovs_after"
    for quotes, controls, least, aim in ((0, 0, (2.5, 4, 4.5, 5), 6), (2, 1, (1.8, 2.5, 3, 5), 8),
                                         (10, 1, (1.4, 3.5, 4.5, 8), 13)):
        wanted = dict(zip(("swar", "sse42", "avx2", "avx512"), ((n, None) for n in least)))
        wanted["avx512"] = (least[3], aim)
        c.add(f"Open vSwitch's bytes, Q{quotes} S{controls}, reused memory: speed against its run-copy shape",
              {**wanted, "neon": (None, None)},
              [(f"ovs, Q{quotes} S{controls}, reused", n) for n in (10 ** 7, 10 ** 8)], c.speed_against(against_run_copy))
    ahead = {v: (1.0, None) for v in ("swar", "sse42", "neon", "avx2", "avx512")}
    mixes = ("Q0 S0", "Q2 S1", "Q10 S1")
    c.add("Open vSwitch's bytes, 10^5, reused memory: speed against its run-copy shape", ahead,
          [(f"ovs, {mix}, reused", 10 ** 5) for mix in mixes], c.speed_against(against_run_copy))
    c.add("Open vSwitch's bytes, fresh memory: speed against its run-copy shape", ahead,
          [(f"ovs, {mix}, fresh", n) for mix in mixes for n in (10 ** 5, 10 ** 7, 10 ** 8)],
          c.speed_against(against_run_copy))

    three = c.speed_against(lambda r, variant: r.who == "shape:three_passes" and r.variant == variant)
    c.add("text_copy, from 64 B on: speed against three passes of the same variant",
          each(avx512=(1.5, 2), avx2=(1.3, 2)),
          [(f"text_copy, {s}", n) for s in SCRIPTS for n in (64, 256, 4096, 65536)], three)
    c.add("text_copy, 16 B: speed against three passes of the same variant", each(avx512=(1.0, 2), avx2=(1.0, 2)),
          [(f"text_copy, {s}", 16) for s in SCRIPTS], three)

    def checked(scripts):
        return [(f"json_strings_checked, {s}", n) for s in scripts for n in (64, 4096)]
    c.add("checked writing, Cyrillic: speed against the best library that checks, at that level",
          each(avx512=(10, None), avx2=(10, None)), checked(["cyrillic"]), peers)
    c.add("checked writing, other scripts: speed against the best library that checks, at that level",
          each(avx512=(1.0, None), avx2=(1.0, None)), checked(s for s in SCRIPTS if s != "cyrillic"), peers)
    c.add("checked writing: speed against the best library that does not check, at that level",
          each(avx512=(0.65, 1.0), avx2=(0.65, 1.0)), checked(SCRIPTS),
          c.speed_against_peers(there=lambda w: w.replace("_checked", "")))
    c.add("checked writing, ASCII, 256 B and 4 KiB: share of a memcpy call's speed per string",
          each(avx512=(0.7, 0.9), avx2=(None, None)),
          [("json_strings_checked, ascii", n) for n in (256, 4096)], c.speed_against_libc)

    yyjson = c.speed_against(lambda r, _: r.who == "yyjson")
    for what in ("doubles", "ints"):
        c.add(f"{what}: speed against yyjson's writer", {v: (1.0, 1.5) for v in m.variants()[-1:]},
              [place for place in m.cells if place[0].startswith(f"{what}, ")], yyjson)
    c.add("a whole document: speed against the best library at that level", each(avx512=(None, None), avx2=(None, None)),
          [place for place in m.cells if place[0].startswith("document")], peers)
    for style in ("HTML-safe", "ASCII-only"):
        c.add(f"{style} style, ASCII that it does not escape, 4 KiB: speed against the default style",
              {v: (0.7, None) for v in ("sse42", "neon", "avx2", "avx512")},
              [(f"json_strings, {style} style", 4096)],
              c.speed_against(lambda r, variant: r.who == "quern" and r.variant == variant,
                              there=lambda _: "json_strings, default style"))
    return c.found


def cbor_checks(m, _shares):
    c = Checks(m, None)
    best = m.variants()[-1:]

    def add(topic, at_least, places, other, who="quern", aim=None, variants=best):
        c.add(topic, {v: (at_least, aim) for v in variants}, places,
              c.speed_against(lambda r, _: r.who == other, who=who))

    def ten_to_the(power, *kinds, to="reused"):
        return [(f"{kind}, 10^{power}, {to}", 8) for kind in kinds]
    document = "binary_to_cbor, {}".format
    add("BinaryToCbor, memory reused, 8 to 64 B: speed against nlohmann", 7, [(document("reused"), n) for n in (8, 16, 32, 64)],
        "nlohmann", aim=10)
    add("BinaryToCbor, memory reused, from 4 KiB on: speed against memcpy and a head", 0.95,
        [(document("reused"), n) for n in (4096, 8192, 16384, 32768)], "libc")
    add("BinaryToCbor, fresh, to 512 B: speed against the insert shape", 3,
        [(document("fresh"), n) for n in (8, 16, 32, 64, 128, 256, 512)], "shape:insert")
    even = ten_to_the(6, "ints, small", "ints, 32-bit")
    mixed = ten_to_the(6, "ints, mixed widths")
    add("10^6 integers, a call each, small and 32-bit: speed against nlohmann", 4, even, "nlohmann", "quern:calls", aim=5)
    add("10^6 integers, a call each, small and 32-bit: speed against libcbor", 0.9, even, "libcbor", "quern:calls")
    add("10^6 integers, a call each, mixed widths: speed against libcbor", 3, mixed, "libcbor", "quern:calls")
    add("10^6 numbers at once: speed against libcbor", 2,
        [*even, *mixed, *ten_to_the(6, "ints, 64-bit", "doubles")], "libcbor")
    add("10^6 doubles at once: speed against a memcpy that swaps bytes", 0.8, ten_to_the(6, "doubles"), "shape:swap_loop")
    for power, at_least in ((6, 5), (7, 2)):
        place = ten_to_the(power, "ints, 64-bit", to="fresh")
        add(f"10^{power} 64-bit integers, fresh: speed against zeros in a window", at_least, place, "shape:zero_window")
        add(f"10^{power} 64-bit integers, fresh: speed against realloc", 1.0, place, "shape:realloc")
    for order, at_least in (("native", 0.95), ("swapped", 0.8)):
        add(f"typed arrays of 10^6, {order}: speed against memcpy", at_least,
            [(f"typed_array, {8 * width}-bit, {order}, 10^6, reused", 10 ** 6 * width) for width in (2, 4, 8)], "libc")
    return c.found


def sink_checks(m, _shares):
    c = Checks(m, None)
    copied = c.speed_against(lambda r, variant: r.who == "quern:memory" and r.variant == variant)
    for label, name in (("collected", "json, strings of 64 KiB"),
                        ("through a socket pair", "json, strings of 64 KiB, socket pair")):
        c.add(f"JSON of stable strings of 64 KiB by reference, {label}: speed against a copy in memory",
              {v: (1.5, 3) for v in m.variants()[-1:]}, [place for place in m.cells if place[0] == name], copied)
    return c.found

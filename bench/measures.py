# SPDX-License-Identifier: MIT
"""The table of bench_kernels, and what it must show. Used by report.py and compare.py."""
import csv
from dataclasses import dataclass, field

VARIANTS = ["scalar", "swar", "sse42", "neon", "avx2", "avx512"]
NOMINAL = [8, 16, 31, 64, 256, 1024, 4096, 65536, 1 << 20, 4 << 20]
SCRIPTS = ["ascii", "latin", "cyrillic", "cjk", "emoji"]

# Which of a peer's variants is of the same level as a variant of quern. "-": whatever it was built for.
LEVELS = {
    "scalar": {"fallback"},
    "swar": {"fallback"},
    "sse42": {"westmere", "v2", "-"},
    "avx2": {"haswell", "v3", "-"},
    "avx512": {"icelake", "native", "-"},
    "neon": {"arm64", "native", "-"},
}


@dataclass(frozen=True)
class Row:
    workload: str
    who: str
    variant: str
    compiler: str
    size: int
    min_ns: float
    median_ns: float
    gbps: float
    vs_libc: float

    @property
    def name(self):
        return self.who if self.variant == "-" else f"{self.who} {self.variant}"

    @property
    def is_peer(self):
        return self.who not in ("quern", "libc") and not self.who.startswith("shape:")


def nominal(workload, size):
    """The size asked for: texts are cut at characters, and of random lengths only the mean is known."""
    if "random" in workload:
        return None
    nearest = min(NOMINAL, key=lambda n: abs(n - size))
    return nearest if abs(nearest - size) < 4 else size


def size_text(size):
    if size is None:
        return ""
    for unit, name in ((1 << 20, "MiB"), (1 << 10, "KiB")):
        if size >= unit and size % unit == 0:
            return f"{size // unit} {name}"
    return f"{size} B"


class Measures:
    """Rows by workload and nominal size, in the order of the table."""

    def __init__(self, rows):
        self.cells = {}  # (workload, size) -> {compiler: {(who, variant): Row}}
        self.compilers = []
        for row in rows:
            if row.compiler not in self.compilers:
                self.compilers.append(row.compiler)
            cell = self.cells.setdefault((row.workload, nominal(row.workload, row.size)), {})
            cell.setdefault(row.compiler, {})[row.who, row.variant] = row

    @classmethod
    def load(cls, path):
        with open(path, encoding="utf-8", newline="") as file:
            table = csv.DictReader(file, delimiter="\t")
            return cls(
                Row(r["workload"], r["who"], r["variant"], r["compiler"], int(r["size"]), float(r["min_ns"]),
                    float(r["median_ns"]), float(r["GBps"]), float(r["vs_libc"]))
                for r in table)

    def get(self, workload, size, compiler, who, variant="-"):
        return self.cells.get((workload, size), {}).get(compiler, {}).get((who, variant))

    def best(self, workload, size, compiler, fits):
        """The fastest row for which `fits`, of one compiler's run, or of all if `compiler` is None."""
        cell = self.cells.get((workload, size), {})
        runs = cell.values() if compiler is None else [cell.get(compiler, {})]
        rows = [row for run in runs for row in run.values() if fits(row)]
        return min(rows, key=lambda row: row.min_ns, default=None)

    def contenders(self, workload, size):
        names = []
        for run in self.cells.get((workload, size), {}).values():
            names += [key for key in run if key not in names]
        return names

    def variants(self):
        there = {variant for cell in self.cells.values() for run in cell.values() for who, variant in run
                 if who == "quern"}
        return [v for v in VARIANTS if v in there] + sorted(there - set(VARIANTS))


class Shares:
    """Figures of peers as shares of the memcpy or memchr of their own run, on another machine."""

    def __init__(self, rows):
        self.rows = rows

    @classmethod
    def load(cls, path):
        with open(path, encoding="utf-8", newline="") as file:
            return cls(list(csv.DictReader(file, delimiter="\t")))

    def of(self, workload, size, whos, level):
        found = [float(r["share"]) for r in self.rows
                 if r["workload"] == workload and r["who"] in whos and r["variant"] in level
                 and (size is None or int(r["size"]) == size)]
        return max(found, default=None)


@dataclass
class Cell:
    label: str
    figures: dict  # compiler -> figure
    by_share: bool = False


@dataclass
class Check:
    topic: str
    variant: str
    at_least: float  # None: shown only
    aim: float
    time: bool = False  # a ratio of times: less is better
    share_at_least: float = None  # what holds for cells by share
    cells: list = field(default_factory=list)

    def better(self, a, b):
        return a < b if self.time else a > b

    def best(self, cell):
        return (min if self.time else max)(cell.figures.values())

    def limit(self, cell):
        return self.share_at_least if cell.by_share and self.share_at_least else self.at_least

    def met(self, cell):
        limit = self.limit(cell)
        return limit is None or not self.better(limit, self.best(cell))

    def aimed(self, cell):
        return self.aim is not None and not self.better(self.aim, self.best(cell))

    def worst(self, compiler=None):
        """The cell furthest from what is asked, and its figure; of one compiler, or of the best of them."""
        cells = [(cell, self.best(cell) if compiler is None else cell.figures.get(compiler)) for cell in self.cells]
        cells = [(cell, figure) for cell, figure in cells if figure is not None]
        return (max if self.time else min)(cells, key=lambda c: c[1] / (self.limit(c[0]) or 1), default=(None, None))

    @property
    def verdict(self):
        if not self.cells:
            return "no figure"
        if self.at_least is None:
            return "shown only"
        return "met" if all(self.met(c) for c in self.cells) else "missed"


def _check(measures, topic, variant, at_least, aim, places, figure, time=False, share_at_least=None):
    """`figure(workload, size, compiler)` gives a number, None, or a number and True for one by share."""
    check = Check(topic, variant, at_least, aim, time, share_at_least)
    for workload, size in places:
        cell = Cell(f"{workload} {size_text(size)}".strip(), {})
        for compiler in measures.compilers:
            number = figure(workload, size, compiler)
            if isinstance(number, tuple):
                number, cell.by_share = number
            if number is not None:
                cell.figures[compiler] = number
        if cell.figures:
            check.cells.append(cell)
    return check


def checks(m, shares):
    """What the project set out to show, evaluated."""
    found = []

    def add(topic, wanted, places, figure, **options):
        for variant, (at_least, aim) in wanted.items():
            if variant in m.variants():
                found.append(_check(m, topic, variant, at_least, aim, places,
                                    lambda w, s, c, v=variant: figure(v, w, s, c), **options))

    def speed_against_libc(variant, workload, size, compiler):
        row = m.get(workload, size, compiler, "quern", variant)
        return row.vs_libc if row else None

    def time_against(who):
        def figure(variant, workload, size, compiler):
            row, other = m.get(workload, size, compiler, "quern", variant), m.get(workload, size, compiler, who)
            return row.min_ns / other.min_ns if row and other else None
        return figure

    def speed_against(whos):
        def figure(variant, workload, size, compiler):
            row = m.get(workload, size, compiler, "quern", variant)
            if not row:
                return None
            peer = m.best(workload, size, compiler,
                          lambda r: r.who in whos and r.variant in LEVELS.get(variant, ()))
            if peer:
                return peer.min_ns / row.min_ns
            share = shares.of(workload, size, whos, LEVELS.get(variant, ())) if shares else None
            return (row.vs_libc / share, True) if share else None
        return figure

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
        def step(variant, workload, size, compiler, before=before):
            row = m.get(workload, size, compiler, "quern", variant)
            slower = m.get(workload, size, compiler, "quern", before)
            return slower.min_ns / row.min_ns if row and slower else None
        add(f"from 64 B on: speed against {before}", {after: (1.0, None)}, long, step)
    return found


def losses(m):
    """Where a peer or a shape of the same level is faster than quern's variant, best of all compilers for both."""
    found = []
    for workload, size in m.cells:
        for variant in m.variants():
            ours = m.best(workload, size, None, lambda r: r.who == "quern" and r.variant == variant)
            level = LEVELS.get(variant, set())
            other = m.best(workload, size, None, lambda r: (r.is_peer and r.variant in level)
                           or (r.who.startswith("shape:") and variant not in ("scalar",)))
            if ours and other and other.min_ns < ours.min_ns:
                found.append((other.min_ns / ours.min_ns, workload, size, ours, other))
    return sorted(found, key=lambda loss: loss[0])

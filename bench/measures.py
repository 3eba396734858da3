# SPDX-License-Identifier: MIT
"""The tables of the benchmark programs, and what a threshold is; the thresholds are in thresholds.py."""
import csv
import re
from dataclasses import dataclass, field

VARIANTS = ["scalar", "swar", "sse42", "neon", "avx2", "avx512"]
NOMINAL = [8, 16, 31, 32, 64, 256, 1024, 4096, 65536, 1 << 20, 4 << 20]
SCRIPTS = ["ascii", "latin", "cyrillic", "cjk", "emoji"]  # and latin50, without thresholds

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
    faults: float = None  # page faults, where they were counted

    @property
    def name(self):
        return self.who if self.variant == "-" else f"{self.who} {self.variant}"

    @property
    def is_peer(self):
        return self.who.split(":")[0] not in ("quern", "libc") and not self.who.startswith("shape:")


def nominal(workload, size):
    """The size asked for: texts are cut at characters, and of random lengths only the mean is known."""
    if re.search(r"random \d", workload):
        return None
    if size < 13:  # these are not cut
        return size
    nearest = min(NOMINAL, key=lambda n: abs(n - size))
    return nearest if abs(nearest - size) < 4 else size


def number(value):
    if value is None:
        return ""
    return f"{value:.0f}" if value >= 100 else f"{value:.1f}" if value >= 10 else f"{value:.2f}"


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
                    float(r["median_ns"]), float(r["GBps"]), float(r["vs_libc"]),
                    float(r["faults"]) if r.get("faults") else None)
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
                 if r["workload"] == workload and (whos is None or r["who"] in whos) and r["variant"] in level
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


def losses(m):
    """Where a peer or a shape of the same level is faster than quern's variant, best of all compilers for both."""
    found = []
    for workload, size in m.cells:
        for variant in m.variants():
            ours = m.best(workload, size, None, lambda r: r.who == "quern" and r.variant == variant)
            level = LEVELS.get(variant, set())
            other = m.best(workload, size, None, lambda r: (r.is_peer and r.variant in level)
                           or (r.who.startswith("shape:") and variant != "scalar"
                               and r.variant in ("-", variant)))
            if ours and other and other.min_ns < ours.min_ns:
                found.append((other.min_ns / ours.min_ns, workload, size, ours, other))
    return sorted(found, key=lambda loss: loss[0])

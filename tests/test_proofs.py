# SPDX-License-Identifier: MIT
"""Proofs, for all inputs, of what the kernels are built from. The text of the C functions is read from the sources and
run on symbolic bytes (proofs/c_text.py); z3 shows that no input breaks a claim. A kernel that changes is proved anew;
one that is written in terms not known here makes its proof fail.

A proof that cannot fail says nothing: each also has wrong versions of the text, every one of which must be refuted.

usage: test_proofs.py SOURCE [PART-OF-A-NAME]
"""
import importlib.util
import os
import subprocess
import sys
import time
from pathlib import Path

if importlib.util.find_spec("z3") is None:
    # Debian's module belongs to Debian's interpreter.
    other = "/usr/bin/python3"
    if Path(other).exists() and subprocess.run([other, "-c", "import z3"], capture_output=True).returncode == 0:
        os.execv(other, [other, *sys.argv])
    print("skipped: the Python module z3 is missing (Debian: python3-z3)")
    sys.exit(77)

import z3

sys.dont_write_bytecode = True  # the tree stays as it is
sys.path.insert(0, str(Path(__file__).parent / "proofs"))
from c_text import U64, U8, Fault, Memory, Num, Pointer, Reference, Run, Source, integer, join, truth
from machine import BITS, byte, byte_names, first_of, from_conditions, is_escaped, last_of, lookup, shim, x86

ROOT = Path(sys.argv[1])
VECTORS = ["vec", "vec_flags", "vec_tally", "__m128i", "__m256i", "__m512i"]
PROOFS = []


def proof(name, files, wrong, defined=None):
    """Registers a function that yields claims about a Source of these files; `wrong` are (function, old, new text)."""

    def register(claims):
        PROOFS.append((name, [ROOT / "src" / file for file in files], wrong, defined or {}, claims))
        return claims

    return register


def size(n):
    return Num(U64, n)


def text(count, name="s"):
    return Memory(byte_names(name, count), name)


def at(memory):
    return Pointer(memory) if memory.cells else None


def ways(source, builtins, act):
    """Claims of each way through `act(run)`, which gives a list of claims."""
    for condition, claims in Run.paths(source, builtins, act):
        yield z3.Implies(condition, z3.And(*claims))


# ---- what is right -------------------------------------------------------------------------------


def between(x, low, high):
    return z3.And(z3.UGE(x, low), z3.ULE(x, high))


# The Unicode Standard, table 3-7.
TABLE_3_7 = [
    [(0x00, 0x7F)],
    [(0xC2, 0xDF), (0x80, 0xBF)],
    [(0xE0, 0xE0), (0xA0, 0xBF), (0x80, 0xBF)],
    [(0xE1, 0xEC), (0x80, 0xBF), (0x80, 0xBF)],
    [(0xED, 0xED), (0x80, 0x9F), (0x80, 0xBF)],
    [(0xEE, 0xEF), (0x80, 0xBF), (0x80, 0xBF)],
    [(0xF0, 0xF0), (0x90, 0xBF), (0x80, 0xBF), (0x80, 0xBF)],
    [(0xF1, 0xF3), (0x80, 0xBF), (0x80, 0xBF), (0x80, 0xBF)],
    [(0xF4, 0xF4), (0x80, 0x8F), (0x80, 0xBF), (0x80, 0xBF)],
]


def begins_row(row, cells):
    """The bytes are the first ones of a sequence of this row."""
    return z3.And(*[between(x, low, high) for x, (low, high) in zip(cells, row)])


def is_sequence(cells):
    """The bytes are one well-formed sequence."""
    return z3.Or(*[begins_row(row, cells) for row in TABLE_3_7 if len(row) == len(cells)])


def is_cut_sequence(cells):
    """The bytes begin a well-formed sequence that is longer."""
    return z3.Or(*[begins_row(row, cells) for row in TABLE_3_7 if len(row) > len(cells)])


# ---- words ---------------------------------------------------------------------------------------


def exact_flags(source, function, wanted):
    def act(run):
        cells = byte_names("x", 8)
        flags = run.call(function, Num(U64, join(cells)))
        return [
            z3.Extract(8 * i + 7, 8 * i, flags.bv) == z3.If(wanted(cells[i]), byte(0x80), byte(0)) for i in range(8)
        ]

    return ways(source, BITS, act)


@proof(
    "word_escaped flags exactly the bytes to escape, in all 2^64 words",
    ["common/word.h"],
    [
        ("word_escaped", "((x ^ 2 * WORD_ONES) & WORD_LOW7)", "(x ^ 2 * WORD_ONES)"),
        ("word_escaped", "0x80 - 0x21", "0x80 - 0x20"),
        ("word_escaped", "0x5C", "0x5D"),
        ("word_escaped", "| x)", ")"),
    ],
)
def word_escaped(source):
    yield from exact_flags(source, "word_escaped", is_escaped)


@proof(
    "word_newlines flags exactly the line feeds, in all 2^64 words",
    ["common/word.h"],
    [("word_newlines", "((x & WORD_LOW7) + WORD_LOW7)", "(x + WORD_LOW7)"), ("word_newlines", "| x)", ")")],
)
def word_newlines(source):
    yield from exact_flags(source, "word_newlines", lambda x: x == 10)


@proof(
    "reverse_word reverses the bytes of each element, in all 2^64 words",
    ["common/reverse.h"],
    [("reverse_word", "(x & low) << 8", "x << 8"), ("reverse_word", "x << 32 | x >> 32", "x")],
)
def reverse_word(source):
    for width in (2, 4, 8):

        def act(run):
            cells = byte_names("x", 8)
            word = run.call("reverse_word", Num(U64, join(cells)), size(width))
            return [
                z3.Extract(8 * i + 7, 8 * i, word.bv) == cells[i - i % width + width - 1 - i % width] for i in range(8)
            ]

        yield from ways(source, BITS, act)


@proof(
    "word_first is the first flagged byte in memory, in either byte order; load64 and store64 agree",
    ["common/word.h", "common/load.h"],
    [("word_first", "/ 8", "/ 4"), ("bits_swap_bytes", "x << 32 | x >> 32", "x")],
)
def word_first(source):
    for big_endian in (0, 1):
        other = source.on_machine(QUERN_BIG_ENDIAN=big_endian)

        def act(run):
            memory = text(8)
            word = run.call("load64", at(memory))
            flags = Num(U64, word.bv & 0x8080808080808080)
            high = [z3.UGE(x, 0x80) for x in memory.cells]
            back, narrow = Memory([None] * 8), Memory([None] * 4)
            run.call("store64", at(back), word)
            run.call("store32", at(narrow), run.call("load32", at(memory)))
            return [
                z3.Implies(z3.Or(*high), run.call("word_first", flags).to(U64).bv == first_of(high, 8)),
                *[x == y for x, y in zip(back.cells + narrow.cells, memory.cells + memory.cells)],
            ]

        yield from ways(other, BITS, act)


@proof(
    "bits.h: the portable forms, all 2^64 words",
    ["common/bits.h"],
    [
        ("bits_trailing_zeros", "!(x & 1)", "!(x & 3)"),
        ("bits_highest", "x >>= 1", "x >>= 2"),
        ("bits_first", "64", "63"),
        ("bits_count", ">> 4", ">> 3"),
    ],
)
def bit_counts(source):
    x = Num(U64, z3.BitVec("x", 64))
    for name in BITS:

        def act(run):
            if name in ("bits_trailing_zeros", "bits_highest") and not run.decide(x.bv != 0):
                return []
            return [run.call(name, x).bv == BITS[name](x).bv]

        yield from ways(source, {}, act)


@proof(
    "select_below chooses by a < b, for all numbers below 2^63",
    ["common/load.h"],
    [("select_below", "a - b", "b - a"), ("select_below", "sizeof a * 8 - 1", "sizeof a * 8 - 2")],
)
def select_below(source):
    def act(run):
        a, b, yes, no = (Num(U64, z3.BitVec(name, 64)) for name in ("a", "b", "yes", "no"))
        got = run.call("select_below", a, b, yes, no)
        return [z3.Implies(z3.And(a.bv >= 0, b.bv >= 0), got.bv == z3.If(z3.ULT(a.bv, b.bv), yes.bv, no.bv))]

    yield from ways(source, BITS, act)


@proof(
    "load_first_of_4, _8, _16: the first n bytes with zeros above, no other byte read, for every n",
    ["common/load.h"],
    [
        ("load_first_of_4", "p[n - 1] << (n * 8 - 8)", "p[n - 1] << (n * 8 - 7)"),
        ("load_first_of_4", "p[n / 2] << (n / 2 * 8)", "p[n / 2] << (n * 8 / 2)"),
        ("load_first_of_4", "p[n - 1]", "p[n]"),
        ("load_first_of_8", "n >= 4", "n >= 3"),
        ("load_first_of_8", "n * 8 - 32", "n * 8 - 24"),
        ("load_first_of_16", ">> (120 - n * 8) >> 8", ">> (128 - n * 8)"),
        ("load_first_of_16", "p + n - 8", "p + 8"),
    ],
)
def load_first(source):
    for most in (4, 8, 16):
        for n in range(most):

            def act(run):
                memory = text(n)
                if most == 16:
                    scope = {"low": (U64, None), "high": (U64, None)}
                    run.call("load_first_of_16", at(memory), size(n), Reference(scope, "low"), Reference(scope, "high"))
                    return [
                        z3.Concat(scope["high"][1].bv, scope["low"][1].bv) == join(memory.cells + [byte(0)] * (16 - n))
                    ]
                expected = join(memory.cells + [byte(0)] * (8 - n))
                return [run.call(f"load_first_of_{most}", at(memory), size(n)).to(U64).bv == expected]

            yield from ways(source, BITS, act)


def copies(source, builtins, function, lengths, slack=0):
    """A copying function writes [0, n) as they are, and nothing else."""
    for n in lengths:

        def act(run):
            src, dst = text(n), Memory([None] * (n + slack), "dst")
            run.call(function, at(dst), at(src), size(n))
            if None in dst.cells[:n]:
                raise Fault(f"byte {dst.cells.index(None)} of {n} is not written")
            return [x == y for x, y in zip(src.cells, dst.cells)] or [z3.BoolVal(True)]

        yield from ways(source, builtins, act)


@proof(
    "copy_below_16 writes [0, n) and nothing else, for every n",
    ["common/load.h"],
    [
        ("copy_below_16", "d[n / 2] = middle;", ""),
        ("copy_below_16", "store64(d + n - 8, last)", "store64(d + n - 7, last)"),
        ("copy_below_16", "n >= 4", "n > 4"),
        ("copy_below_16", "n > 0", "n > 1"),
        ("copy_below_16", "s[n - 1]", "s[n / 2]"),
    ],
)
def copy_below_16(source):
    yield from copies(source, BITS, "copy_below_16", range(16))


@proof(
    "windows.h, tiny.h: the first byte to escape, for every n below 4, from 4 to 15, from 16 to 64",
    ["common/windows.h", "common/tiny.h"],
    [
        ("windows4_step", "n / 8 * 4", "n / 4 * 4"),
        ("windows4_first", "12 + o", "13 + o"),
        ("windows4_first", "n - 12 - o", "n - 12"),
        ("windows16_step", "n >= 32", "n > 32"),
        ("windows16_first", "n < 32", "n <= 32"),
        ("windows16_first", "n - 48 - o", "n - 47 - o"),
        ("tiny_escape", "word_escaped(word)", "word_escaped(word | 32)"),
        ("tiny_escape", "store32(dst, word)", "store32(dst + n, word)"),
    ],
)
def windows(source):
    for width, lengths in ((4, range(4, 16)), (16, range(16, 65))):
        for n in lengths:

            def act(run):
                s = byte_names("s", n)
                o = run.call(f"windows{width}_step", size(n)).value
                if not 0 <= o <= n - width:
                    raise Fault(f"a window at {o} of {n}")
                windows = [s[at : at + width] for at in (0, o, n - width - o, n - width)]
                mask = from_conditions([is_escaped(x) for window in windows for x in window], U64)
                return [run.call(f"windows{width}_first", mask, size(n)).bv == first_of([is_escaped(x) for x in s], n)]

            yield from ways(source, BITS, act)
    for n in range(4):
        for copied in (False, True):

            def act(run):
                src, dst, scope = text(n), Memory([None] * (n + 4), "dst"), {"high": (None, None)}
                got = run.call(
                    "tiny_escape", Pointer(dst) if copied else None, at(src), size(n), Reference(scope, "high")
                )
                return [
                    got.to(U64).bv == first_of([is_escaped(x) for x in src.cells], n),
                    truth(scope["high"][1]) == z3.Or(*[z3.UGE(x, 0x80) for x in src.cells]),
                    *[x == y for x, y in zip(src.cells, dst.cells) if copied],
                ]

            yield from ways(source, BITS, act)


# ---- the swar kernels ----------------------------------------------------------------------------


def escape_scans(source, builtins, lengths, forms=("escape_find", "escape_copy", "escape_copy_slack")):
    """Whole kernels, for all texts of these lengths: the first byte to escape, what is before it copied, no other byte
    read or written."""
    for form in forms:
        slack = 64 if form.endswith("slack") else 0
        for n in lengths:

            def act(run):
                src, dst = text(n), Memory([None] * (n + slack), "dst")
                source_pointer = at(src)
                arguments = (
                    [None, source_pointer, size(n)]
                    if form == "escape_find"
                    else [None, Pointer(dst) if dst.cells else None, source_pointer, size(n)]
                )
                got = run.call(form, *arguments).to(U64)
                claims = [got.bv == first_of([is_escaped(x) for x in src.cells], n)]
                for i in range(n if form != "escape_find" else 0):
                    claims.append(
                        z3.Or(
                            z3.ULE(got.bv, i),
                            z3.BoolVal(False) if dst.cells[i] is None else dst.cells[i] == src.cells[i],
                        )
                    )
                return claims

            yield from ways(source, builtins, act)


@proof(
    "swar escape_find, escape_copy, escape_copy_slack: whole functions, all texts of 0 to 19, 31 to 35, 48, 49 bytes",
    ["swar/escape.c"],
    [
        ("first_of_two", "8 + word_first(high)", "7 + word_first(high)"),
        ("scan", "len - i > 32", "len - i > 33"),
        ("scan", "first + len - 12 - o", "first + len - 12"),
        ("scan", "len - 16 + first_of_two", "i + 16 + first_of_two"),
        ("scan", "store64(dst + len - 16, c);", ""),
        ("scan", "dst + len - 8", "dst + len - 7"),
    ],
)
def swar_escape(source):
    yield from escape_scans(source, BITS, [*range(20), *range(31, 36), 48, 49])


@proof(
    "swar copy, copy_slack: whole functions, lengths 0 to 70",
    ["swar/copy.c"],
    [
        ("copy", "len - i > 16", "len - i > 24"),
        ("copy", "to + len - 16", "to + len - 15"),
        ("copy_slack", "store64(to + 8, high);", ""),
    ],
)
def swar_copy(source):
    yield from copies(source, BITS, "copy", range(71))
    yield from copies(source, BITS, "copy_slack", range(71), 64)


def line_locations(source, builtins, lengths):
    """Whole kernels: how many line feeds, and where the last of them ends."""
    for n in lengths:

        def act(run):
            src = text(n)
            run.builtins["line_start"] = lambda *arguments: run.one_of(
                run.call_text("line_start", *arguments).to(U64), n
            )
            got = run.call("line_locate", at(src), size(n))
            feeds = [x == 10 for x in src.cells]
            count = sum([z3.If(c, z3.BitVecVal(1, 64), z3.BitVecVal(0, 64)) for c in feeds], z3.BitVecVal(0, 64))
            return [got["newlines"].bv == count, got["start"].bv == last_of([z3.BoolVal(False)] + feeds, 0)]

        yield from ways(source, builtins, act)


@proof(
    "swar line_locate: whole function, all texts of 0 to 20 bytes",
    ["swar/line.c"],
    [
        ("line_start", "/ 8 + 1", "/ 8"),
        ("line_start", "src[len - 1]", "src[len]"),
        ("line_locate", ">> 7", ">> 6"),
        ("line_locate", "0x0001000100010001", "0x0001000100010000"),
    ],
)
def swar_line(source):
    yield from line_locations(source, BITS, range(21))


@proof(
    "swar line_locate: eight counters of up to 255 are summed right, and 255 additions do not overflow one",
    ["swar/line.c"],
    [
        (
            "line_locate",
            "counters = (counters & UINT64_C(0x00ff00ff00ff00ff)) + (counters >> 8 & UINT64_C(0x00ff00ff00ff00ff));",
            "",
        ),
        ("line_locate", "words > 255", "words > 256"),
        ("line_locate", "words = 255", "words = 256"),
        ("line_locate", ">> 48", ">> 49"),
    ],
)
def swar_line_sum(source):
    # The loop that counts is left out; what it leaves in the counters is arbitrary.
    body = source.raw("line_locate")
    counters = Num(U64, z3.BitVec("counters", 64))
    reduction = body[body.index("counters += word_newlines") :]
    reduction = reduction[reduction.index(";") + 1 : reduction.index("for (;")]
    statements = source.parser("{" + reduction.rsplit("}", 1)[0] + "}").statement()[1]
    run = Run(source)
    scope = {"counters": (U64, counters), "line": (None, {"newlines": size(0), "start": size(0)})}
    # In two steps, or z3 takes minutes: pairs of counters first, then four arbitrary sums of pairs.
    run.run(statements[0], scope)
    cells = [z3.ZeroExt(8, z3.Extract(8 * i + 7, 8 * i, counters.bv)) for i in range(8)]
    yield scope["counters"][1].bv == z3.Concat(*[cells[i] + cells[i + 1] for i in (6, 4, 2, 0)])
    pairs = [z3.BitVec(f"pair{i}", 16) for i in range(4)]
    scope["counters"] = (U64, Num(U64, z3.Concat(*pairs)))
    run.run(("block", statements[1:]), scope)
    total = sum(z3.ZeroExt(48, pair) for pair in pairs)
    yield z3.Implies(z3.And(*[z3.ULE(pair, 510) for pair in pairs]), scope["line"][1]["newlines"].bv == total)
    # The most words that one round takes, by the text before the loop; each adds at most 1 to each counter.
    limit = body[body.index("size_t words") : body.index("uint64_t counters")]
    for rest in (8, 8 * 254, 8 * 255, 8 * 256, 8 * 300, 8 * 100000):
        scope = {"line": (None, {"newlines": size(0), "start": size(rest)}), "i": (U64, size(0))}
        Run(source).run(source.parser("{" + limit + "}").statement(), scope)
        yield z3.BoolVal(1 <= scope["words"][1].value <= 255 and scope["words"][1].value * 8 <= rest)
    for k in range(255):
        cells = byte_names("c", 8)
        flags = byte_names("f", 8)
        after = join(cells) + z3.LShR(join(flags), 7)
        before = [z3.And(z3.ULE(c, k), z3.Or(f == 0, f == 0x80)) for c, f in zip(cells, flags)]
        exact = [z3.Extract(8 * i + 7, 8 * i, after) == cells[i] + z3.LShR(flags[i], 7) for i in range(8)]
        if k % 51 == 0 or k == 254:
            yield z3.Implies(z3.And(*before), z3.And(*exact))


# ---- the templates, over the shim as it is promised ----------------------------------------------

# Vectors of 4 bytes and blocks of 8 say all that wider ones do, in less time; and blocks of one vector, as AVX-512 has
# them.
SHAPES = [dict(width=4, block=8), dict(width=8, block=8, step=4, least=0)]


@proof(
    "escape_flags and escape_key, all 256 bytes",
    ["kernels/escape_scan.h"],
    [
        ("escape_flags", "vec_splat(2)", "vec_splat(3)"),
        ("escape_flags", "vec_splat(0x20)", "vec_splat(0x1F)"),
        ("escape_key", "vec_splat(0x20)", "vec_splat(0x21)"),
        ("escape_key", "vec_min", "vec_or"),
    ],
)
def escape_conditions(source):
    def act(run):
        x = (z3.BitVec("x", 8),)
        return [
            run.call("escape_flags", x)[0] == is_escaped(x[0]),
            z3.ULE(run.call("escape_key", x)[0], 0x20) == is_escaped(x[0]),
        ]

    yield from ways(source, shim(1), act)


@proof(
    "escape.tpl.h: whole kernels over small vectors, all texts of 0 to 20 bytes and some longer",
    ["kernels/escape.tpl.h"],
    [
        ("escape_scan", "return i + escape_first(flags)", "return i + 1 + escape_first(flags)"),
        ("escape_scan", "len - VEC_BYTES + escape_first(flags)", "i + escape_first(flags)"),
        ("escape_scan", "len - i >= 4 * VEC_BYTES", "len - i >= 3 * VEC_BYTES"),
        ("escape_scan", "len <= BLOCK_BYTES", "len < BLOCK_BYTES / 2"),
        ("escape_scan", "vec_store(dst + len - VEC_BYTES, v);", ";"),
        ("escape_scan", "slack ? dst : NULL", "dst"),
        ("escape_first", "/ VEC_MASK_STEP", ""),
    ],
)
def escape_template(source):
    for shape, lengths in zip(SHAPES, ([*range(21), 25, 33], [*range(10), 33, 41])):
        yield from escape_scans(source, shim(**shape), lengths)


@proof(
    "copy.tpl.h: whole kernels over vectors of 16 and 64 bytes, lengths 0 to 420 and around COPY_LONG",
    ["kernels/copy.tpl.h"],
    [
        ("copy_64", "k < 64", "k < 48"),
        ("copy_vectors", "len > 128", "len > 160"),
        ("copy_vectors", "len - i > 128", "len - i > 192"),
        ("copy_vectors", "len <= 256", "len <= 257"),
        ("copy_vectors", "vec_store(dst + len - VEC_BYTES, last);", ""),
        ("copy_strict", "len >= VEC_BYTES", "len > VEC_BYTES"),
        ("copy_slack", "len <= BLOCK_BYTES", "len <= 2 * BLOCK_BYTES"),
    ],
)
def copy_template(source):
    for width, least in ((16, 4), (64, 0)):
        lengths = [*range(421), 2047, 2048, 2049]
        yield from copies(source, shim(width, block=64, least=least), "copy", lengths)
        yield from copies(source, shim(width, block=64, least=least), "copy_slack", lengths, 64)


@proof(
    "line.tpl.h: whole kernel over small vectors, all texts of 0 to 20 bytes",
    ["kernels/line.tpl.h"],
    [
        ("line_start", "/ VEC_MASK_STEP + 1; len", "/ VEC_MASK_STEP; len"),
        ("line_start", "bits_highest(mask) + 1", "bits_highest(mask)"),
        ("line_locate", "rounds > VEC_TALLY_ROUNDS", "rounds > VEC_TALLY_ROUNDS + 1"),
        ("line_newlines_of_block", "vec_splat('\\n')", "vec_splat(0)"),
    ],
)
def line_template(source):
    yield from line_locations(source, shim(**SHAPES[0]), range(21))
    yield from line_locations(source, shim(**SHAPES[1], tally_rounds=1), range(21))


# ---- UTF-8 ---------------------------------------------------------------------------------------


@proof(
    "utf8_sequence is table 3-7, and maximal subparts, for all bytes and all room",
    ["common/utf8.h"],
    [
        ("utf8_sequence", "lead < 0xC2", "lead < 0xC1"),
        ("utf8_sequence", "lead > 0xF4", "lead > 0xF5"),
        ("utf8_sequence", "second_high = 0x9F", "second_high = 0xA0"),
        ("utf8_sequence", "(p[i] & 0xC0) != 0x80", "(p[i] & 0x80) != 0x80"),
        ("utf8_sequence", "i >= room", "i > room"),
        ("utf8_sequence", "{i, QUERN_STOP_ILL_FORMED}", "{1, QUERN_STOP_ILL_FORMED}"),
    ],
)
def utf8_sequence(source):
    for room in range(1, 6):

        def act(run):
            memory = text(room)
            got = run.call("utf8_sequence", at(memory), size(room))
            lengths = [
                z3.And(got["why"].bv == 0, got["length"].bv == n) == is_sequence(memory.cells[:n])
                for n in range(1, min(room, 4) + 1)
            ]
            subpart = z3.BitVecVal(1, 64)
            for n in range(2, min(room, 3) + 1):
                subpart = z3.If(is_cut_sequence(memory.cells[:n]), z3.BitVecVal(n, 64), subpart)
            return lengths + [
                (got["why"].bv == 2) == is_cut_sequence(memory.cells),
                z3.Implies(got["why"].bv != 0, got["length"].bv == subpart),
            ]

        yield from ways(source, BITS, act)


def boundaries(cells):
    """Of each offset, whether the bytes before it are well-formed."""
    well = [z3.BoolVal(True)]
    for k in range(1, len(cells) + 1):
        well.append(z3.Or(*[z3.And(well[k - n], is_sequence(cells[k - n : k])) for n in range(1, min(4, k) + 1)]))
    return well


@proof(
    "utf8_boundary is a boundary wherever the bytes before are faultless but for an open sequence",
    ["common/utf8.h"],
    [
        ("utf8_boundary", "back <= 3", "back <= 2"),
        ("utf8_boundary", "byte >= 0xC0", "byte >= 0xE0"),
        ("utf8_boundary", "back = 1", "back = 2"),
    ],
)
def utf8_boundary(source):
    for offset in range(8):

        def act(run):
            memory = text(offset)
            well = boundaries(memory.cells)
            open_ = z3.Or(
                well[offset],
                *[z3.And(well[k], is_cut_sequence(memory.cells[k:])) for k in range(max(0, offset - 3), offset)],
            )
            got = run.call("utf8_boundary", at(memory), size(offset)).bv
            # A whole sequence at the end may be gone over again.
            return [
                z3.Implies(open_, z3.Or(*[z3.And(got == k, well[k]) for k in range(offset + 1)])),
                z3.ULE(offset - got, 3),
            ]

        yield from ways(source, BITS, act)


def fault_lane(source, b3, b2, b1, b0):
    """utf8_faults of one byte, b0, with the three before it."""
    run = Run(source, shim(1))
    return run.call("utf8_faults", run.call("utf8_load_tables"), (b0,), (b1,), (b2,), (b3,))[0]


@proof(
    "utf8_faults.h: the tables' faults are none exactly where table 3-7 allows, whatever the length of the text",
    ["kernels/utf8_faults.h"],
    [
        ("utf8_load_tables", "0xE0 - 0x80", "0xE1 - 0x80"),
        ("utf8_load_tables", "0xF0 - 0x80", "0xF0 - 0x7F"),
        ("utf8_load_tables", "vec_splat(0x0F)", "vec_splat(0x07)"),
        ("utf8_faults", "vec_and(leads, t->high)", "vec_or(leads, t->high)"),
        (None, "UTF8_TOO_SHORT | UTF8_OVERLONG_3 | UTF8_SURROGATE,", "UTF8_TOO_SHORT | UTF8_OVERLONG_3,"),
        (None, "UTF8_TOO_SHORT | UTF8_OVERLONG_2,", "UTF8_TOO_SHORT,"),
        (None, "UTF8_CARRY | UTF8_OVERLONG_2, UTF8_CARRY, UTF8_CARRY,", "UTF8_CARRY, UTF8_CARRY, UTF8_CARRY,"),
        (None, "UTF8_TOO_LARGE = 1 << 3", "UTF8_TOO_LARGE = 1 << 2"),
        (
            None,
            "UTF8_CARRY = UTF8_TOO_SHORT | UTF8_TOO_LONG | UTF8_TWO_CONTS",
            "UTF8_CARRY = UTF8_TOO_SHORT | UTF8_TOO_LONG",
        ),
    ],
)
def utf8_tables(source):
    # A boundary with the three bytes before it: zeros where the text begins, else the end of well-formed text.
    before = byte_names("b", 3)  # the nearest one last
    ends = []
    for skipped in range(4):
        # Up to three bytes of a sequence are seen; its first ones may be out of sight.
        for row in TABLE_3_7:
            if len(row) - skipped == 3 or (len(row) <= 3 and skipped == 0):
                seen = row[skipped:]
                rest = before[: 3 - len(seen)]
                own = z3.And(*[between(x, low, high) for x, (low, high) in zip(before[3 - len(seen) :], seen)])
                ends.append(z3.And(own, ends_well(rest)))
    good_end = z3.Or(*ends)
    s = byte_names("s", 4)
    line = before + s
    faults = [fault_lane(source, line[i], line[i + 1], line[i + 2], line[i + 3]) for i in range(4)]
    # A well-formed sequence shows no fault in any of its bytes, and behind it there is again such a boundary.
    for n in range(1, 5):
        yield z3.Implies(z3.And(good_end, is_sequence(s[:n])), z3.And(*[faults[i] == 0 for i in range(n)]))
    # Anything else, also a sequence that zeros cut at the end of the text, shows one within four bytes.
    well_formed = z3.Or(*[is_sequence(s[:n]) for n in range(1, 5)])
    yield z3.Implies(z3.And(good_end, z3.Not(well_formed)), z3.Or(*[f != 0 for f in faults]))
    # Between ASCII there is none: such a step needs no look, but for what is open before it.
    ascii_ = [z3.ULT(x, 0x80) for x in line[:4]]
    yield z3.Implies(z3.And(*ascii_), faults[0] == 0)


def ends_well(cells):
    """These bytes can be the last ones of well-formed text (or zeros before it): a bound from above."""
    if not cells:
        return z3.BoolVal(True)
    options = []
    for row in TABLE_3_7:
        for skipped in range(len(row)):
            seen = row[skipped:]
            if len(seen) > len(cells) or (skipped and len(seen) < len(cells)):
                continue
            own = z3.And(*[between(x, low, high) for x, (low, high) in zip(cells[len(cells) - len(seen) :], seen)])
            options.append(z3.And(own, ends_well(cells[: len(cells) - len(seen)])))
    return z3.Or(*options)


@proof(
    "utf8_faults.h: all 65,536 pairs of bytes, by enumeration",
    ["kernels/utf8_faults.h"],
    [
        (None, "UTF8_TOO_LARGE = 1 << 3", "UTF8_TOO_LARGE = 1 << 2"),
        (None, "UTF8_TOO_SHORT | UTF8_OVERLONG_2,", "UTF8_TOO_SHORT,"),
    ],
)
def utf8_pairs(source):
    run = Run(source)
    first_high, first_low, second_high = (
        [x.as_long() for x in run.load({}, f"utf8_{name}").read(16)]
        for name in ("first_high", "first_low", "second_high")
    )
    two_conts = run.load({}, "UTF8_TWO_CONTS").value
    rows = [row[:2] for row in TABLE_3_7]
    can_follow = {
        (first, second)
        for row in rows
        if len(row) > 1
        for first in range(row[0][0], row[0][1] + 1)
        for second in range(row[1][0], row[1][1] + 1)
    }
    leads = set(range(0xC0, 0x100))
    conts = set(range(0x80, 0xC0))
    for first in range(256):
        for second in range(256):
            faults = first_high[first >> 4] & first_low[first & 15] & second_high[second >> 4]
            if first in conts and second in conts:
                right = faults == two_conts
            elif first in leads:
                right = (faults == 0) == ((first, second) in can_follow)
            else:
                right = (faults != 0) == (second in conts and first not in conts)
            yield right


def style_of(low):
    """A style with these nibble maps, as far as the scan reads it."""
    high = [1 << h for h in range(8)] + [0] * 8
    return {"low_": Pointer(Memory(low, "low_")), "high_": Pointer(Memory(high, "high_"))}


def is_in_set(low, x):
    """Whether the set of ASCII bytes has x: bit x >> 4 of low[x & 15]."""
    bits = lookup(tuple(low), x & 15)
    return z3.And(z3.ULT(x, 0x80), z3.Or(*[z3.And(x >> 4 == h, z3.Extract(h, h, bits) == 1) for h in range(8)]))


@proof(
    "style_flags: every byte in every set, the lead or a high bit; style_replaces says the same",
    ["kernels/style_scan.h", "common/style.h"],
    [
        ("style_marks", "vec_lookup(s->high", "vec_lookup(s->low"),
        ("style_marks", "vec_and(v, s->high_bit)", "v"),
        ("style_flags", "vec_lookup(s->high", "vec_lookup(s->low"),
        ("style_flags", "vec_is_equal(v, s->lead)", "vec_is_equal(v, s->one)"),
        ("style_load", "vec_splat(1)", "vec_splat(2)"),
        ("style_replaces", "byte >> 4", "byte >> 5"),
    ],
)
def style_flags(source):
    low = byte_names("low", 16)
    x, lead = byte_names("x", 2)
    for high_bit in (0, 0x80):
        for checked in (0, 1):
            run = Run(source, shim(1))
            style_set = run.call("style_load", style_of(low), Num(U8, lead), Num(U8, high_bit))
            got = run.call("style_flags", style_set, (x,), Num(U8, checked))[0]
            also = x == lead if checked else z3.And(z3.BoolVal(high_bit != 0), z3.UGE(x, 0x80))
            yield got == z3.Or(is_in_set(low, x), also)
    for value in range(256):
        replaced = Run(source, BITS).call("style_replaces", style_of(low), Num(U8, value))
        yield truth(replaced) == z3.simplify(is_in_set(low, byte(value)))


@proof(
    "utf8_is_cut: the end of faultless text cuts a sequence, all endings of 3 to 6 bytes",
    ["kernels/utf8_faults.h"],
    [("utf8_is_cut", "end[-2] >= 0xE0", "end[-2] >= 0xC0"), ("utf8_is_cut", "end[-3]", "end[-2]")],
)
def utf8_is_cut(source):
    for n in range(3, 7):

        def act(run):
            memory = text(n)
            well = boundaries(memory.cells)
            cut = z3.Or(*[z3.And(well[k], is_cut_sequence(memory.cells[k:])) for k in range(n - 3, n)])
            got = run.call("utf8_is_cut", at(memory), size(n)).bv != 0
            return [z3.Implies(z3.Or(well[n], cut), got == cut)]

        yield from ways(source, BITS, act)


def walk(cells):
    """Of each offset, what utf8_prefix has to find from there on: (length, why)."""
    found = [(z3.BitVecVal(len(cells), 64), z3.BitVecVal(0, 64))]
    for k in reversed(range(len(cells))):
        cut = is_cut_sequence(cells[k:])
        length, why = z3.BitVecVal(k, 64), z3.If(cut, z3.BitVecVal(2, 64), z3.BitVecVal(1, 64))
        for n in range(1, min(4, len(cells) - k) + 1):
            whole = is_sequence(cells[k : k + n])
            length, why = z3.If(whole, found[-n][0], length), z3.If(whole, found[-n][1], why)
        found.append((length, why))
    return found[::-1]


def utf8_kernels(source, shape, lengths):
    """Whole kernels. The walk by single sequences is taken as what utf8_sequence was shown to be."""
    for n in lengths:

        def act(run):
            memory = text(n)
            found = walk(memory.cells)
            run.builtins["utf8_walk"] = lambda src, len_, from_: {
                "length": Num(U64, found[from_.value][0]),
                "why": Num(U64, found[from_.value][1]),
            }
            got = run.call("utf8_prefix", at(memory), size(n))
            return [got["length"].bv == found[0][0], got["why"].to(U64).bv == found[0][1]]

        yield from ways(source, shim(**shape), act)


@proof(
    "utf8.tpl.h: whole kernel over small vectors, all texts of 0 to 13 bytes, 24",
    ["kernels/utf8.tpl.h"],
    [
        ("utf8_prefix", "high && QUERN_UNLIKELY(vec_any(utf8_faults_at(&tables, src + i, v[0])))", "0"),
        ("utf8_prefix", "utf8_faults_after(&tables, start.v[BLOCK_VECTORS - 1], rest.v[0])", "vec_zero()"),
        ("utf8_prefix", "len < VEC_BYTES + 3", "len < VEC_BYTES + 2"),
        ("utf8_prefix", "utf8_locate(src, len, step)", "utf8_locate(src, len, len)"),
        ("utf8_prefix", "(high && QUERN_UNLIKELY(utf8_is_cut(src, len)))", "0"),
        ("utf8_block_is_faulty", "vec_or(utf8_block_faults(&tables, b), vec_subtract_saturated(b->v[BLOCK_VECTORS - 1], ends))", "utf8_block_faults(&tables, b)"),
        ("utf8_faults_at", "p - 3", "p - 2"),
    ],
)
def utf8_template(source):
    yield from utf8_kernels(source, SHAPES[0], [*range(14), 24])
    yield from utf8_kernels(source, SHAPES[1], range(13))


# ---- the x86 shims -------------------------------------------------------------------------------


def equal(got, expected):
    return z3.And(*[x == y for x, y in zip(got, expected, strict=True)])


def shim_claims(source, width):
    """Each operation of a shim does what its name promises, on all vectors."""
    model = shim(width, block=64)
    builtins = x86()
    a, b = tuple(byte_names("a", width)), tuple(byte_names("b", width))
    for n in range(65):

        def act(run):
            src, dst = text(n), Memory([None] * n, "dst")
            got = [
                cell for v in run.call("block_load_first", at(src) or Pointer(src), size(n))["v"] for cell in v or ()
            ]
            claims = [equal(got, src.cells + [byte(0)] * (64 - n))]
            if 0 < n < width:
                run.call("copy_below_vector", Pointer(dst), Pointer(src), size(n))
                if None in dst.cells:
                    raise Fault("copy_below_vector leaves a byte out")
                claims.append(equal(dst.cells, src.cells))
            return claims

        yield from ways(source, builtins, act)

    def mask(run, flags, expected):
        return run.call("flags_mask", flags).bv == model["flags_mask"](expected).bv

    def act(run):
        memory = text(width)
        stored = Memory([None] * width)
        run.call("vec_store", Pointer(stored), run.call("vec_load", Pointer(memory)))
        yield equal(stored.cells, memory.cells)
        yield equal(run.call("vec_zero"), model["vec_zero"]())
        x = Num(U8, z3.BitVec("x", 8))
        yield equal(run.call("vec_splat", x), model["vec_splat"](x))
        for name in (
            "vec_and",
            "vec_or",
            "vec_xor",
            "vec_min",
            "vec_add_saturated",
            "vec_subtract_saturated",
            "vec_before_1",
            "vec_before_2",
            "vec_before_3",
        ):
            yield equal(run.call(name, a, b), model[name](a, b))
        nibble = run.call("vec_splat", integer(0x0F))
        yield equal(run.call("vec_high_nibble", a, nibble), model["vec_high_nibble"](a, nibble))
        table = text(16, "t")
        low = tuple(x & 15 for x in b)
        yield equal(
            run.call("vec_lookup", run.call("vec_table", Pointer(table)), low),
            tuple(lookup(table.cells, i) for i in low),
        )
        ascii_bytes = tuple(x & 0x7F for x in b)
        yield equal(
            run.call("vec_lookup_ascii", run.call("vec_table", Pointer(table)), ascii_bytes),
            tuple(lookup(table.cells, i & 15) for i in ascii_bytes),
        )
        if width < 64:
            yield equal(
                run.call("vec_lookup_low", run.call("vec_table", Pointer(table)), b),
                tuple(z3.If(z3.ULT(i, 16), lookup(table.cells, i), byte(0)) for i in b),
            )
        for name in ("vec_is_equal", "vec_is_at_most"):
            yield mask(run, run.call(name, a, b), model[name](a, b))
        yield mask(run, run.call("vec_is_high", a), model["vec_is_high"](a))
        equal_flags, low_flags = run.call("vec_is_equal", a, b), run.call("vec_is_at_most", a, b)
        yield mask(
            run,
            run.call("flags_or", equal_flags, low_flags),
            model["flags_or"](model["vec_is_equal"](a, b), model["vec_is_at_most"](a, b)),
        )
        yield (run.call("flags_any", equal_flags).bv != 0) == z3.Or(*[x == y for x, y in zip(a, b)])
        yield (run.call("vec_any", a).bv != 0) == z3.Or(*[x != 0 for x in a])
        block = [tuple(byte_names(f"v{k}_", width)) for k in range(64 // width)]
        ten = model["vec_splat"](integer(10))
        yield run.call("block_mask", [run.call("vec_is_equal", v, ten) for v in block]).bv == from_conditions(
            [x == 10 for v in block for x in v], U64
        ).bv
        # One addition, where one byte is equal: that many of them add up is left to the tests.
        tally = run.call("tally_sum", run.call("tally_add", run.call("tally_zero"), run.call("vec_is_equal", a, ten)))
        for i in range(width):
            only = [a[k] == 10 if k == i else a[k] != 10 for k in range(width)]
            yield z3.Implies(z3.And(*only), tally.bv == 1)

    for condition, claims in Run.paths(source, builtins, lambda run: list(act(run))):
        for claim in claims:
            yield z3.Implies(condition, claim)


@proof(
    "sse42/vec.h: every operation, the first n bytes for every n",
    ["sse42/vec.h"],
    [
        ("vec_before_2", "14", "13"),
        ("vec_is_at_most", "_mm_min_epu8(a, b), a", "_mm_min_epu8(a, b), b"),
        ("vec_high_nibble", "v, 4", "v, 3"),
        ("block16_offset", "16 * k < last", "16 * k <= last + 1"),
        ("block16_offset", "distance < 16", "distance < 15"),
        ("sse_words", "load32_raw(p + n - 4)", "load32_raw(p + n - 5)"),
        (
            None,
            "{0, 1, 2, 3, 4, 5, 6, 7, 12, 13, 14, 15, Z, Z, Z, Z}",
            "{0, 1, 2, 3, 4, 5, 6, 7, 12, 13, 14, 14, Z, Z, Z, Z}",
        ),
    ],
)
def sse42_shim(source):
    yield from shim_claims(source, 16)


@proof(
    "avx2/vec.h: every operation, the first n bytes for every n",
    ["avx2/vec.h"],
    [
        (None, "_mm256_permute2x128_si256(before, v, 0x21)", "_mm256_permute2x128_si256(before, v, 0x20)"),
        ("block_load_first", "32 - n % 4 * 8", "24 - n % 4 * 8"),
        ("block_load_first", "(int)(n / 4)", "(int)(n / 4 + 1)"),
        ("avx2_load_words", "masks + 16", "masks + 15"),
        ("copy_below_vector", "n >= 16", "n >= 8"),
        ("vec_high_nibble", "v, 4", "v, 3"),
    ],
)
def avx2_shim(source):
    yield from shim_claims(source, 32)


@proof(
    "avx512/vec.h: every operation, the masks of BZHI for every n",
    ["avx512/vec.h"],
    [
        ("avx512_first", "(unsigned)n", "(unsigned)n + 1"),
        ("avx512_lanes_before", "before, 6", "before, 5"),
        ("vec_is_at_most", "_mm512_cmple_epu8_mask", "_mm512_cmplt_epu8_mask"),
        ("flags_any", "!", ""),
    ],
)
def avx512_shim(source):
    yield from shim_claims(source, 64)


def short_claims(source, least):
    """short_copy and short_escape, for every n: they write 64 bytes at most, read nothing else, find the first."""
    for n in range(least, 65):
        for copied in (False, True):

            def act(run):
                src, dst, copy, scope = (
                    text(n),
                    Memory([None] * 64, "dst"),
                    Memory([None] * 64, "copy"),
                    {"high": (None, None)},
                )
                source_pointer = at(src) or Pointer(src)
                got = run.call(
                    "short_escape", Pointer(dst) if copied else None, source_pointer, size(n), Reference(scope, "high")
                ).to(U64)
                if n and copied:
                    run.call("short_copy", Pointer(copy), source_pointer, size(n))
                if copied and None in dst.cells[:n] + copy.cells[:n]:
                    raise Fault("a byte is not written")
                return [
                    got.bv == first_of([is_escaped(x) for x in src.cells], n),
                    truth(scope["high"][1]) == z3.Or(*[z3.UGE(x, 0x80) for x in src.cells]),
                    *[z3.And(x == y, x == z) for x, y, z in zip(src.cells, dst.cells, copy.cells) if copied],
                ]

            yield from ways(source, x86(), act)


@proof(
    "short16.h on SSE4.2: short_copy, short_escape, all inputs of 4 to 64 bytes",
    ["sse42/vec.h", "kernels/short16.h"],
    [
        ("short_escape", "vec_load(src + n - 16 - o)", "vec_load(src + n - 16)"),
        ("short_copy", "store32_raw(dst + o, b);", ""),
    ],
)
def sse42_short(source):
    yield from short_claims(source, 4)


@proof(
    "avx2/short.h: short_copy, short_escape, all inputs of 4 to 64 bytes",
    ["avx2/vec.h", "avx2/short.h"],
    [
        ("short_escape", "n / 4 * 4", "n / 4 * 4 + 1"),
        ("short_escape", "n - 4 + bits", "n - 3 + bits"),
        ("short_copy", "store32_raw(dst + n - 4, last);", ""),
    ],
)
def avx2_short(source):
    yield from short_claims(source, 4)


@proof(
    "avx512/short.h: short_copy, short_escape, all inputs of 0 to 64 bytes",
    ["avx512/vec.h", "avx512/short.h"],
    [
        ("short_escape", "avx512_first(n)", "avx512_first(n + 1)"),
        ("short_copy", "first >> 32", "first >> 31"),
        ("short_copy", "dst + 32", "dst + 31"),
    ],
)
def avx512_short(source):
    yield from short_claims(source, 0)


# ---- running -------------------------------------------------------------------------------------


def holds(claim):
    if isinstance(claim, bool):
        return claim, None
    solver = z3.SolverFor("QF_BV")
    solver.add(z3.Not(claim))
    answer = solver.check()
    if answer == z3.unknown:
        raise RuntimeError(f"undecided: {solver.reason_unknown()}")
    return answer == z3.unsat, solver.model() if answer == z3.sat else None


def source_of(files, defined, wrong=()):
    source = Source(files, defined, [w for w in wrong if w[0]], VECTORS, [w for w in wrong if not w[0]])
    return source


def run_proof(name, files, wrong, defined, claims):
    begun = time.process_time()
    proved = 0
    for claim in claims(source_of(files, defined)):
        good, model = holds(claim)
        if not good:
            print(f"NOT TRUE: {name}: claim {proved}: {str(model)[:400]}")
            return False
        proved += 1
    for mutation in wrong:
        refuted = False
        try:
            source = source_of(files, defined, [mutation])
            refuted = any(not holds(claim)[0] for claim in claims(source))
        except Fault:
            refuted = True
        if not refuted or not source.changed():
            print(f"CANNOT FAIL: {name}: {mutation[0]}: {mutation[1]} -> {mutation[2]}")
            return False
    print(
        f"proved: {name}: {proved} claims; wrong versions refuted: {len(wrong)}; {time.process_time() - begun:.1f} s",
        flush=True,
    )
    return proved > 0 and len(wrong) > 0


def main():
    wanted = sys.argv[2] if len(sys.argv) > 2 else ""
    failed = 0
    for name, files, wrong, defined, claims in PROOFS:
        if wanted not in name:
            continue
        try:
            good = run_proof(name, files, wrong, defined, claims)
        except (Fault, LookupError, SyntaxError, RuntimeError, KeyError, TypeError) as error:
            print(f"NOT PROVED: {name}: {type(error).__name__}: {error}")
            if os.environ.get("QUERN_PROOFS_TRACE"):
                raise
            good = False
        failed += not good
    print(f"proofs: {len(PROOFS)}, failed: {failed}")
    return 1 if failed else 0


if __name__ == "__main__":
    sys.exit(main())

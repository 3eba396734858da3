# SPDX-License-Identifier: MIT
"""What stands under the kernels, as models: the operations of the vector shim as its comments promise them, and the
intrinsics that the x86 shims are made of, after Intel's manual. Vectors are tuples of bytes (z3, 8 bits), flags of the
shim's model are tuples of truth values."""
import z3

from c_text import I32, U32, U64, Fault, Num, Type, integer, split


def byte(value):
    return z3.BitVecVal(value, 8)


def byte_names(name, count):
    return [z3.BitVec(f"{name}{i}", 8) for i in range(count)]


def first_of(conditions, otherwise, bits=64):
    """The index of the first one that holds."""
    result = z3.BitVecVal(otherwise, bits)
    for i in reversed(range(len(conditions))):
        result = z3.If(conditions[i], z3.BitVecVal(i, bits), result)
    return result


def last_of(conditions, otherwise, bits=64):
    result = z3.BitVecVal(otherwise, bits)
    for i, condition in enumerate(conditions):
        result = z3.If(condition, z3.BitVecVal(i, bits), result)
    return result


def bit_conditions(number):
    return [z3.Extract(i, i, number.bv) == 1 for i in range(number.type.bits)]


def from_conditions(conditions, type_):
    bits = [z3.If(c, z3.BitVecVal(1, 1), z3.BitVecVal(0, 1)) for c in reversed(conditions)]
    bits = [z3.BitVecVal(0, 1)] * (type_.bits - len(bits)) + bits
    return Num(type_, z3.Concat(*bits))


def any_of(conditions):
    return Num(I32, z3.If(z3.Or(*conditions), z3.BitVecVal(1, 32), z3.BitVecVal(0, 32)))


def is_escaped(x):
    """What the default style escapes: RFC 8259, section 7."""
    return z3.Or(z3.ULT(x, 0x20), x == 0x22, x == 0x5C)


def saturated_sum(a, b):
    return z3.If(z3.ULT(a + b, a), byte(255), a + b)


def saturated_difference(a, b):
    return z3.If(z3.ULT(a, b), byte(0), a - b)


def minimum(a, b):
    return z3.If(z3.ULE(a, b), a, b)


def counted(function):
    """For 0, which has no such bit, nothing is known of the answer: who uses it is found wrong."""
    return lambda x: Num(
        U32, z3.If(x.bv == 0, z3.FreshConst(z3.BitVecSort(32), "undefined"), function(bit_conditions(x), 0, 32))
    )


BITS = {
    "bits_trailing_zeros": counted(first_of),
    "bits_highest": counted(last_of),
    "bits_first": lambda x: Num(U32, first_of(bit_conditions(x), 64, 32)),
    "bits_count": lambda x: Num(U32, sum(z3.ZeroExt(31, z3.Extract(i, i, x.bv)) for i in range(64))),
}


# ---- the shim, as it is promised -----------------------------------------------------------------


def lookup(table, index):
    """table[index] of 16 bytes, for an index below 16."""
    result = byte(0)
    for i in range(16):
        result = z3.If(index == i, table[i], result)
    return result


def shim(width, step=1, tally_rounds=3, block=8, least=4):
    """Every operation of src/sse42/vec.h and short.h, on vectors of `width` bytes and blocks of `block`. What may be
    written behind an input is made unknown."""

    def lanes(function):
        return lambda a, b: tuple(function(x, y) for x, y in zip(a, b, strict=True))

    def block_load_first(p, n):
        if not n.known or n.value > block:
            raise Fault("block_load_first of more than a block")
        cells = (p.read(n.value) if n.value else []) + [byte(0)] * (block - n.value)
        return {"v": [tuple(cells[i : i + width]) for i in range(0, block, width)]}

    def copy_below_vector(dst, src, n):
        if not n.known or n.value >= width:
            raise Fault("copy_below_vector of a whole vector")
        if n.value:
            dst.write(src.read(n.value))

    def short_copy(dst, src, n):
        if not least <= n.value <= block:
            raise Fault(f"a short input of {n.value} bytes")
        if n.value:
            dst.write(src.read(n.value))
        for i in range(n.value, 64):
            dst.plus(i).write([z3.FreshConst(z3.BitVecSort(8), "scribbled")])

    def short_escape(dst, src, n, high):
        cells = src.read(n.value) if n.value else []
        if dst is not None:
            short_copy(dst, src, n)
        elif not least <= n.value <= block:
            raise Fault(f"a short input of {n.value} bytes")
        high.scope[high.name] = (None, any_of([z3.UGE(x, 0x80) for x in cells]))
        return Num(U64, first_of([is_escaped(x) for x in cells], n.value))

    def mask(flags):
        return from_conditions([c for c in flags for _ in range(step)], U64)

    def tally_add(tally, flags):
        if tally[1] == tally_rounds:
            raise Fault("more additions than VEC_TALLY_ROUNDS")
        return tally[0] + sum(z3.If(c, z3.BitVecVal(1, 64), z3.BitVecVal(0, 64)) for c in flags), tally[1] + 1

    def before(n):
        return lambda b, v: (b + v)[width - n : 2 * width - n]

    return dict(
        BITS,
        **{
            "VEC_BYTES": integer(width),
            "VEC_MASK_STEP": integer(step),
            "VEC_TALLY_ROUNDS": integer(tally_rounds),
            "BLOCK_BYTES": integer(block),
            "vec_load": lambda p: tuple(p.read(width)),
            "vec_store": lambda p, v: p.write(v),
            "block_load_first": block_load_first,
            "block_mask": lambda flags: from_conditions([c for f in flags for c in f], U64),
            "copy_below_vector": copy_below_vector,
            "SHORT_TAKES": lambda n: integer(int(n.value >= least)),
            "short_copy": short_copy,
            "short_escape": short_escape,
            "vec_pin": lambda v: None,
            "vec_zero": lambda: (byte(0),) * width,
            "vec_splat": lambda b: (z3.Extract(7, 0, b.bv),) * width,
            "vec_and": lanes(lambda a, b: a & b),
            "vec_or": lanes(lambda a, b: a | b),
            "vec_xor": lanes(lambda a, b: a ^ b),
            "vec_min": lanes(minimum),
            "vec_add_saturated": lanes(saturated_sum),
            "vec_subtract_saturated": lanes(saturated_difference),
            "vec_high_nibble": lambda v, nibble: tuple(z3.LShR(x, 4) for x in v),
            "vec_table": lambda table: tuple(byte(x) if isinstance(x, int) else x for x in table.read(16)),
            "vec_lookup": lambda table, index: tuple(lookup(table, i) for i in index),
            # From 0x80 on a shim may give anything that the table has, or 0; the templates' other look-up is 0 there.
            "vec_lookup_ascii": lambda table, index: tuple(lookup(table, i & 15) for i in index),
            "vec_before_1": before(1),
            "vec_before_2": before(2),
            "vec_before_3": before(3),
            "vec_is_equal": lanes(lambda a, b: a == b),
            "vec_is_at_most": lanes(z3.ULE),
            "vec_is_high": lambda v: tuple(z3.UGE(x, 0x80) for x in v),
            "flags_or": lanes(z3.Or),
            "flags_any": any_of,
            "flags_mask": mask,
            "vec_any": lambda v: any_of([x != 0 for x in v]),
            "tally_zero": lambda: (z3.BitVecVal(0, 64), 0),
            "tally_add": tally_add,
            "tally_sum": lambda tally: Num(U64, tally[0]),
        },
    )


# ---- x86 -----------------------------------------------------------------------------------------


def words(v, size):
    """A register as numbers of `size` bytes."""
    return [z3.Concat(*reversed(v[i : i + size])) for i in range(0, len(v), size)]


def register(numbers):
    return tuple(cell for number in numbers for cell in split(Num(Type(number.size(), False), number)))


def halves16(function):
    """For instructions that work on each 16 bytes alone."""
    return lambda *vectors: tuple(
        cell for i in range(0, len(vectors[0]), 16) for cell in function(*[v[i : i + 16] for v in vectors])
    )


def shuffle(table, index):
    return [z3.If(z3.UGE(i, 0x80), byte(0), lookup(table, i & 15)) for i in index]


def sums_of_eight(a, b):
    out = []
    for i in range(0, 16, 8):
        total = z3.BitVecVal(0, 64)
        for x, y in zip(a[i : i + 8], b[i : i + 8]):
            total = total + z3.ZeroExt(56, z3.If(z3.UGE(x, y), x - y, y - x))
        out += register([total])
    return out


def all_ones(condition, bits):
    return z3.If(condition, z3.BitVecVal(-1, bits), z3.BitVecVal(0, bits))


def masked_words(p, mask):
    """VPMASKMOVD: what is masked off is not read."""
    cells = []
    for i, lane in enumerate(words(mask, 4)):
        lane = z3.simplify(lane)
        if not z3.is_bv_value(lane):
            raise Fault("an unknown mask")
        cells += p.plus(4 * i).read(4) if lane.as_long() >> 31 else [byte(0)] * 4
    return tuple(cells)


def known_mask(mask):
    if not mask.known:
        raise Fault("an unknown mask")
    return [bool(mask.value >> i & 1) for i in range(mask.type.bits)]


def masked_bytes(mask, p):
    return tuple(p.plus(i).read(1)[0] if wanted else byte(0) for i, wanted in enumerate(known_mask(mask)))


def store_masked_bytes(p, mask, v):
    for i, wanted in enumerate(known_mask(mask)):
        if wanted:
            p.plus(i).write([v[i]])


def zero_from(x, n):
    """BZHI: bits from n on are cleared; only the lowest byte of n counts."""
    n = n.value & 255
    return Num(U64, x.value & ((1 << n) - 1)) if n < 64 else x


def x86():
    models = dict(BITS)
    for name, width, si in (("_mm", 16, "si128"), ("_mm256", 32, "si256"), ("_mm512", 64, "si512")):

        def lanes(function):
            return lambda a, b: tuple(function(x, y) for x, y in zip(a, b, strict=True))

        def of_words(size, function):
            return lambda a, b, size=size, function=function: register(
                [function(x, y) for x, y in zip(words(a, size), words(b, size))]
            )

        models.update(
            {
                f"{name}_loadu_{si}": lambda p, width=width: tuple(p.read(width)),
                f"{name}_storeu_{si}": lambda p, v: p.write(v),
                f"{name}_setzero_{si}": lambda width=width: (byte(0),) * width,
                f"{name}_set1_epi8": lambda b, width=width: (z3.Extract(7, 0, b.bv),) * width,
                f"{name}_set1_epi32": lambda x, width=width: register([x.to(U32).bv] * (width // 4)),
                f"{name}_and_{si}": lanes(lambda a, b: a & b),
                f"{name}_or_{si}": lanes(lambda a, b: a | b),
                f"{name}_xor_{si}": lanes(lambda a, b: a ^ b),
                f"{name}_min_epu8": lanes(minimum),
                f"{name}_adds_epu8": lanes(saturated_sum),
                f"{name}_subs_epu8": lanes(saturated_difference),
                f"{name}_sub_epi8": lanes(lambda a, b: a - b),
                f"{name}_cmpeq_epi8": lanes(lambda a, b: all_ones(a == b, 8)),
                f"{name}_cmpeq_epi32": of_words(4, lambda a, b: all_ones(a == b, 32)),
                f"{name}_cmpgt_epi32": of_words(4, lambda a, b: all_ones(a > b, 32)),
                f"{name}_add_epi64": of_words(8, lambda a, b: a + b),
                f"{name}_srli_epi16": lambda v, n: register([z3.LShR(x, n.value) for x in words(v, 2)]),
                f"{name}_shuffle_epi8": halves16(shuffle),
                f"{name}_sad_epu8": halves16(sums_of_eight),
                f"{name}_alignr_epi8": lambda a, b, n: halves16(lambda x, y: (y + x)[n.value : n.value + 16])(a, b),
                f"{name}_movemask_epi8": lambda v: from_conditions([z3.UGE(x, 0x80) for x in v], U32).to(I32),
                f"{name}_testz_{si}": lambda a, b: Num(
                    I32, z3.If(z3.And(*[x & y == 0 for x, y in zip(a, b)]), z3.BitVecVal(1, 32), z3.BitVecVal(0, 32))
                ),
            }
        )
    mask_of = lambda function: lambda a, b: from_conditions([function(x, y) for x, y in zip(a, b)], U64)
    models.update(
        {
            "_mm_setr_epi32": lambda *numbers: register([n.bv for n in numbers]),
            "_mm_cvtsi32_si128": lambda x: register([x.bv, z3.BitVecVal(0, 32), z3.BitVecVal(0, 64)]),
            "_mm256_zextsi128_si256": lambda v: v + (byte(0),) * 16,
            "_mm256_maskz_loadu_epi8": lambda mask, p: masked_bytes(mask, p)[:32],
            "_mm_set_epi64x": lambda high, low: register([low.bv, high.bv]),
            "_mm_cvtsi128_si32": lambda v: Num(I32, words(v, 4)[0]),
            "_mm_extract_epi32": lambda v, i: Num(I32, words(v, 4)[i.value]),
            "_mm256_setr_epi32": lambda *numbers: register([n.bv for n in numbers]),
            "_mm256_castsi256_si128": lambda v: v[:16],
            "_mm256_extracti128_si256": lambda v, i: v[16 * i.value : 16 * i.value + 16],
            "_mm256_broadcastsi128_si256": lambda v: v + v,
            "_mm256_permute2x128_si256": lambda a, b, n: tuple(
                cell for k in (n.value & 3, n.value >> 4 & 3) for cell in (a[:16], a[16:], b[:16], b[16:])[k]
            ),
            "_mm256_maskload_epi32": masked_words,
            "_mm512_broadcast_i32x4": lambda v: v * 4,
            "_mm512_alignr_epi64": lambda a, b, n: (b + a)[8 * n.value : 8 * n.value + 64],
            "_mm512_maskz_loadu_epi8": masked_bytes,
            "_mm512_mask_storeu_epi8": store_masked_bytes,
            "_mm512_cmpeq_epi8_mask": mask_of(lambda a, b: a == b),
            "_mm512_cmple_epu8_mask": mask_of(z3.ULE),
            "_mm512_cmplt_epu8_mask": mask_of(z3.ULT),
            "_mm512_test_epi8_mask": mask_of(lambda a, b: a & b != 0),
            "_mm512_movepi8_mask": lambda v: from_conditions([z3.UGE(x, 0x80) for x in v], U64),
            "_kor_mask64": lambda a, b: Num(U64, a.bv | b.bv),
            "_kortestz_mask64_u8": lambda a, b: Num(
                I32, z3.If(a.bv | b.bv == 0, z3.BitVecVal(1, 32), z3.BitVecVal(0, 32))
            ),
            "_cvtu64_mask64": lambda x: x,
            "_cvtmask64_u64": lambda x: x,
            "_bzhi_u64": zero_from,
            "_mm_popcnt_u64": lambda x: Num(I32, sum(z3.ZeroExt(31, z3.Extract(i, i, x.bv)) for i in range(64))),
            "_mm_prefetch": lambda *_: None,
            "_MM_HINT_T0": integer(0),
        }
    )
    return models

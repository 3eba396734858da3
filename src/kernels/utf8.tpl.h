/* SPDX-License-Identifier: MIT */
/*
 * UTF-8 validation; how faults are found is in utf8_faults.h. Runs of ASCII are only looked at, four vectors at a time.
 */
#include "kernels/utf8_faults.h"

QUERN_COLD static quern_span utf8_locate(const char *src, size_t len, size_t step)
{
    return utf8_walk(src, len, utf8_boundary(src, step));
}

enum { UTF8_VECTORS = 4, UTF8_STEP = UTF8_VECTORS * VEC_BYTES };

/* Whether a byte of so many steps is not ASCII. */
QUERN_INLINE bool utf8_step_any_high(const char *src, size_t steps)
{
    vec all = vec_load(src);
    for (size_t k = 1; k < steps * UTF8_VECTORS; k++)
        all = vec_or(all, vec_load(src + k * VEC_BYTES));
    return flags_any(vec_is_high(all));
}

quern_utf8_prefix_function QUERN_KERNEL(utf8_prefix);
quern_span QUERN_KERNEL(utf8_prefix)(const char *src, size_t len)
{
    if (len <= BLOCK_BYTES) {
        const block b = block_load_first(src, len);
        if (block_any_high(b.v) && QUERN_UNLIKELY(utf8_block_is_faulty(&b)))
            return utf8_locate(src, len, 0);
        return (quern_span){len, QUERN_STOP_END};
    }

    utf8_tables tables = utf8_load_tables();
    vec_pin(&tables.nibble);
    vec_pin(&tables.lead_of_3);
    vec_pin(&tables.lead_of_4);
    vec_pin(&tables.high);
    block start;
    for (size_t k = 0; k < BLOCK_VECTORS; k++)
        start.v[k] = vec_load(src + k * VEC_BYTES);
    /* Whether what stands before i is not ASCII, and may have left a sequence open. */
    bool high = block_any_high(start.v);
    if (high && QUERN_UNLIKELY(vec_any(utf8_block_faults(&tables, &start))))
        return utf8_locate(src, len, 0);

    size_t i = BLOCK_BYTES;
    for (; len - i >= UTF8_STEP; i += UTF8_STEP) {
        vec v[UTF8_VECTORS];
        for (size_t k = 0; k < UTF8_VECTORS; k++)
            v[k] = vec_load(src + i + k * VEC_BYTES);
        const vec all = vec_or(vec_or(v[0], v[1]), vec_or(v[2], v[3]));
        if (!flags_any(vec_is_high(all))) {
            /* A sequence left open shows in the first vector. */
            if (high && QUERN_UNLIKELY(vec_any(utf8_faults_at(&tables, src + i, v[0]))))
                return utf8_locate(src, len, i);
            high = false;
            /* Where there is one step of ASCII there is often more: two steps a test. */
            while (len - i >= 3 * UTF8_STEP && !utf8_step_any_high(src + i + UTF8_STEP, 2))
                i += 2 * UTF8_STEP;
            continue;
        }
        high = true;
        /* Two vectors a test: with four between tests, gcc mixes them all until it runs out of registers. */
        for (size_t k = 0; k < UTF8_VECTORS; k += 2) {
            const char *p = src + i + k * VEC_BYTES;
            const vec faults =
                vec_or(utf8_faults_at(&tables, p, v[k]), utf8_faults_at(&tables, p + VEC_BYTES, v[k + 1]));
            if (QUERN_UNLIKELY(vec_any(faults)))
                return utf8_locate(src, len, i);
        }
    }

    /* The rest, less than a step. Its last vector overlaps what is done: a second look finds the same. */
    const size_t step = i;
    vec faults = vec_zero();
    if (VEC_BYTES == BLOCK_BYTES && len < VEC_BYTES + 3) {
        /* That vector would lack the three bytes before it. */
        const block rest = block_load_first(src + i, len - i);
        high = high || block_any_high(rest.v);
        faults = utf8_faults_after(&tables, start.v[BLOCK_VECTORS - 1], rest.v[0]);
        i = len;
    }
    for (; i < len; i += VEC_BYTES) {
        const char *p = src + (len - i < VEC_BYTES ? len - VEC_BYTES : i);
        const vec v = vec_load(p);
        if (high || flags_any(vec_is_high(v))) {
            faults = vec_or(faults, utf8_faults_at(&tables, p, v));
            high = true;
        }
    }
    if (QUERN_UNLIKELY(vec_any(faults)) || (high && QUERN_UNLIKELY(utf8_is_cut(src, len))))
        return utf8_locate(src, len, step);
    return (quern_span){len, QUERN_STOP_END};
}

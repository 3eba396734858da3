/* SPDX-License-Identifier: MIT */
/*
 * Doubles and floats, shortest. A value is c * 2^q with a whole c. It is scaled to t = c * u, u = 2^q / 10^(k+1) from
 * 1/10 to 1, by one product of c with a 125-bit power of ten. What reads back as the value is an interval of width u
 * around t: it holds at most one whole number, and a tenth at the least. If it holds a whole number, that one has the
 * fewest digits (but for zeros at its end); else one more digit is needed, and the nearest tenth is in the interval.
 *
 * This is Giulietti's Schubfach (Raffaello Giulietti, "The Schubfach way to render doubles", 2021) with two changes.
 * One product instead of three: the interval's ends are compared by fractions of 64 bits, as Yaoyuan Guo's yyjson and
 * Victor Zverovich's zmij do; where a comparison is within the error of the fractions, as for ends that are whole
 * numbers, Schubfach proper decides. And t is scaled by one power of ten more than there, so that its whole part is the
 * digits that are always written, its fraction is what is compared, and no division by 10 is left.
 *
 * tests/test_number.py shows that the powers are precise enough, for every exponent.
 */
#include "number/number.h"

#include "common/kernel.h"
#include "number/digits.h"
#include "number/multiply.h"
#include "number/tables.h"

#include <stdbool.h>

enum {
    DOUBLE_FRACTION = 52,
    DOUBLE_BIAS = 1075, /* value = c * 2^(field - DOUBLE_BIAS) */
    FLOAT_FRACTION = 23,
    FLOAT_BIAS = 150
};

/* digits * 10^exponent */
typedef struct decimal {
    uint64_t digits;
    int exponent;
} decimal;

/*
 * floor(log10(2^q)), or, if `irregular`, floor(log10(3/4 * 2^q)); floor(log2(10^k)). For all that doubles need. What is
 * shifted is never negative.
 */
static inline int floor_log10_of_power_of_2(int q, bool irregular)
{
    return (int)(((uint32_t)q * 1262611 - (irregular ? 524031 : 0) + (UINT32_C(400) << 22)) >> 22) - 400;
}

static inline int floor_log2_of_power_of_10(int k)
{
    return (int)(((uint32_t)k * 1741647 + (UINT32_C(1100) << 19)) >> 19) - 1100;
}

/* 64 bits of power * x / 2^128, and, in bit 0, whether there is more: less than 2 / 2^64 is the power's error. */
static uint64_t multiply_to_odd(const uint64_t power[2], uint64_t x)
{
    uint64_t low0, low1;
    const uint64_t high0 = multiply(power[1], x, &low0);
    uint64_t high1 = multiply(power[0], x, &low1);
    low1 += high0;
    high1 += low1 < high0;
    return high1 | (low1 > 1);
}

/*
 * Schubfach, with its rounding to odd, for any c > 0. A value is irregular if the one below it is nearer than the one
 * above. The result has at most 17 digits, perhaps zeros at its end.
 */
static QUERN_COLD decimal shortest_schubfach(uint64_t c, int q, bool irregular)
{
    const int k = floor_log10_of_power_of_2(q, irregular);
    const uint64_t *power = powers[-k - POWERS_MIN];
    const int h = q + floor_log2_of_power_of_10(-k) + 4;
    const uint64_t odd = c & 1;
    /* In quarters. The ends of the interval belong to it if c is even. */
    const uint64_t value = multiply_to_odd(power, 4 * c << h);
    const uint64_t lower = multiply_to_odd(power, (4 * c - 2 + irregular) << h) + odd;
    const uint64_t upper = multiply_to_odd(power, (4 * c + 2) << h) - odd;
    const uint64_t s = value / 4;
    if (s >= 10) {
        const uint64_t tens = s / 10;
        const bool below = lower <= 40 * tens;
        const bool above = 40 * tens + 40 <= upper;
        if (below != above)
            return (decimal){tens + above, k + 1};
    }
    const bool below = lower <= 4 * s;
    const bool above = 4 * s + 4 <= upper;
    if (below != above)
        return (decimal){s + above, k};
    const uint64_t middle = 4 * s + 2;
    return (decimal){s + (value > middle || (value == middle && (s & 1))), k};
}

/* (10 * whole + last) * 10^exponent, last < 10. */
typedef struct scaled {
    uint64_t whole;
    uint64_t last;
    int exponent;
} scaled;

/*
 * For a value that is not irregular. `*unsure`: the result means nothing, since an end of the interval is too near to a
 * whole number, or t to the middle between two tenths.
 */
QUERN_INLINE scaled shortest_scaled(uint64_t c, int q, bool *unsure)
{
    const int k = floor_log10_of_power_of_2(q, false);
    const uint64_t *power = pinned_address(powers[-k - 1 - POWERS_MIN]);
    const int h = q + floor_log2_of_power_of_10(-k - 1) + 4;
    c <<= h;
    uint64_t fraction, whole, low;
    const uint64_t carry = multiply(power[1], c, &low);
    whole = multiply(power[0], c, &fraction);
    fraction += carry;
    whole += fraction < carry;

    /*
     * In units of 2^-64, `fraction` is off by less than 1 to either side, and half the width by less than 8 downwards,
     * so an order is certain where the difference is above 16. Ten times the fraction is off by less than 16. Half the
     * width is 1/20 at the least: if no whole number is within it, the nearest tenth is neither 0 nor 10.
     */
    const uint64_t half = power[0] << h >> 1;
    const uint64_t up = fraction >> 63;
    const uint64_t distance = (fraction ^ (0 - up)) + up; /* from the nearest whole number */
    uint64_t rest;
    const uint64_t tenth = multiply(fraction, 10, &rest);
    *unsure = distance - half + 16 <= 32 || rest - (UINT64_C(1) << 63) + 16 <= 32;

    /* All ones if the nearest whole number is in the interval: the sign of a difference, lest it become a branch. */
    const uint64_t shorter = 0 - ((distance - half) >> 63);
    return (scaled){whole + (up & shorter), (tenth + (rest >> 63)) & ~shorter, k};
}

/* Writes the eight bytes of a word of digits, the highest first. */
QUERN_INLINE void digits_store(char *dst, uint64_t digits)
{
    store64(dst, bits_swap_bytes(digits));
}

/*
 * Writes 0.d1d2d3... * 10^point: 16 digits, whose first is not 0, and a last one. Not inline: both halves of the work
 * do with the registers that need not be saved, and the first one ends in a jump.
 */
static QUERN_NOINLINE size_t write_digits(char *dst, uint64_t digits, uint64_t last, int point, size_t sign)
{
    dst[0] = '-';
    dst += sign;
    const digits_text d = digits_of_17(digits, last);
    const uint64_t high = d.high, low = d.low;
    const size_t count = 17 - d.zeros;
    last += '0';

    if (QUERN_LIKELY(point >= 1 && point <= 7)) {
        /* The digits behind the point are written over those of the first word. */
        const size_t before = (size_t)point;
        digits_store(dst, high);
        dst[before] = '.';
        digits_store(dst + before + 1, high << 8 * before);
        digits_store(dst + 9, low);
        dst[17] = (char)last;
        return sign + (count > before ? count + 1 : before);
    }
    if (point > -6 && point <= 0) {
        const size_t zeros = (size_t)-point;
        memcpy(dst, "0.000000", 8);
        digits_store(dst + 2 + zeros, high);
        digits_store(dst + 10 + zeros, low);
        dst[18 + zeros] = (char)last;
        return sign + 2 + zeros + count;
    }
    if (point > 0 && point <= 21) {
        const size_t before = (size_t)point;
        digits_store(dst, high);
        digits_store(dst + 8, low);
        digits_store(dst + 16, DIGITS_ZEROS);
        dst[16] = (char)last;
        if (count <= before)
            return sign + before;
        if (before < 16)
            digits_store(dst + before + 1, low << 8 * (before - 8));
        dst[before] = '.';
        dst[17] = (char)last;
        return sign + count + 1;
    }
    dst[0] = (char)(high >> 56);
    dst[1] = '.';
    digits_store(dst + 2, high << 8);
    digits_store(dst + 9, low);
    dst[17] = (char)last;
    const size_t length = count + (count > 1);
    const char *exponent = exponents[point - 1 - EXPONENTS_MIN];
    memcpy(dst + length, exponent, 8);
    return sign + length + (unsigned char)exponent[7];
}

/* |value| = c * 2^q, not 0. */
static size_t write_schubfach(char *dst, uint64_t c, int q, bool irregular, size_t sign)
{
    decimal value = shortest_schubfach(c, q, irregular);
    int point = value.exponent + 16;
    uint64_t last = 0;
    if (value.digits >= UINT64_C(10000000000000000)) {
        last = value.digits % 10;
        value.digits /= 10;
        point++;
    }
    while (value.digits < UINT64_C(1000000000000000)) {
        value.digits *= 10;
        point--;
    }
    return write_digits(dst, value.digits, last, point, sign);
}

/* For what the fast way has no answer for; called at its end, so that it needs no frame. */
static QUERN_COLD size_t write_double(char *dst, uint64_t bits)
{
    const uint64_t fraction = bits & ((UINT64_C(1) << DOUBLE_FRACTION) - 1);
    const int field = (int)(bits >> DOUBLE_FRACTION & 0x7ff);
    if (field == 0 && fraction == 0) {
        dst[0] = '0';
        return 1;
    }
    const size_t sign = (size_t)(bits >> 63);
    if (field == 0)
        return write_schubfach(dst, fraction, 1 - DOUBLE_BIAS, false, sign);
    return write_schubfach(dst, fraction | UINT64_C(1) << DOUBLE_FRACTION, field - DOUBLE_BIAS,
                           fraction == 0 && field > 1, sign);
}

size_t quern_number_from_double(char *dst, double value)
{
    uint64_t bits;
    memcpy(&bits, &value, sizeof bits);
    const uint64_t fraction = bits & ((UINT64_C(1) << DOUBLE_FRACTION) - 1);
    const int field = (int)(bits >> DOUBLE_FRACTION & 0x7ff);
    const uint64_t c = fraction | UINT64_C(1) << DOUBLE_FRACTION;
    /* The binary places behind the point; whole numbers below 2^53 are integers. */
    const unsigned places = (unsigned)(DOUBLE_BIAS - field);
    if (places <= bits_trailing_zeros(c)) {
        const int64_t whole = (int64_t)(c >> places);
        return quern_number_from_int64(dst, bits >> 63 ? -whole : whole);
    }
    if (QUERN_UNLIKELY(field == 0 || fraction == 0))
        return write_double(dst, bits);
    bool unsure;
    const scaled s = shortest_scaled(c, field - DOUBLE_BIAS, &unsure);
    if (QUERN_UNLIKELY(unsure))
        return write_double(dst, bits);
    /* 16 digits and one, or 15 and one: all ones if so. */
    const uint64_t few = 0 - ((s.whole - UINT64_C(1000000000000000)) >> 63);
    const uint64_t digits = s.whole + ((s.whole * 9 + s.last) & few);
    return write_digits(dst, digits, s.last & ~few, s.exponent + 17 + (int)few, (size_t)(bits >> 63));
}

static QUERN_COLD size_t write_float(char *dst, uint32_t bits)
{
    const uint32_t fraction = bits & ((UINT32_C(1) << FLOAT_FRACTION) - 1);
    const int field = (int)(bits >> FLOAT_FRACTION & 0xff);
    if (field == 0 && fraction == 0) {
        dst[0] = '0';
        return 1;
    }
    const size_t sign = bits >> 31;
    if (field == 0)
        return write_schubfach(dst, fraction, 1 - FLOAT_BIAS, false, sign);
    return write_schubfach(dst, fraction | UINT32_C(1) << FLOAT_FRACTION, field - FLOAT_BIAS,
                           fraction == 0 && field > 1, sign);
}

size_t quern_number_from_float(char *dst, float value)
{
    uint32_t bits;
    memcpy(&bits, &value, sizeof bits);
    const uint32_t fraction = bits & ((UINT32_C(1) << FLOAT_FRACTION) - 1);
    const int field = (int)(bits >> FLOAT_FRACTION & 0xff);
    if (QUERN_UNLIKELY(field == 0 || fraction == 0))
        return write_float(dst, bits);
    bool unsure;
    const scaled s = shortest_scaled(fraction | UINT32_C(1) << FLOAT_FRACTION, field - FLOAT_BIAS, &unsure);
    if (QUERN_UNLIKELY(unsure))
        return write_float(dst, bits);
    /* 7 to 9 digits, to be 16. */
    const uint64_t digits = s.whole * 10 + s.last;
    const bool nine = digits >= 100000000, seven = digits < 10000000;
    const uint64_t scale = nine ? 10000000 : seven ? 1000000000 : 100000000;
    return write_digits(dst, digits * scale, 0, s.exponent + 8 + nine - seven, bits >> 31);
}

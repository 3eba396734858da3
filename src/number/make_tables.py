# SPDX-License-Identifier: MIT
"""Writes tables.h, the tables of src/number/, to standard output.

usage: python3 src/number/make_tables.py > src/number/tables.h
"""

# 10^k for what doubles need: 2^q · 10^k for all q of doubles, with one digit before the point or none.
MIN_POWER, MAX_POWER = -293, 324
BITS = 125
# The exponents that are written: 5e-324 to 1.7976931348623157e+308.
MIN_EXPONENT, MAX_EXPONENT = -324, 308


def floor_log2_of_power(k):
    """floor(log2(10^k))"""
    return (10**k).bit_length() - 1 if k >= 0 else -((10**-k - 1).bit_length())


def power(k):
    """10^k · 2^(124 - floor(log2(10^k))), rounded up: 125 bits."""
    shift = BITS - 1 - floor_log2_of_power(k)
    numerator = 10 ** max(k, 0) << max(shift, 0)
    denominator = 10 ** max(-k, 0) << max(-shift, 0)
    return -(-numerator // denominator)


def print_texts(texts, size):
    """The rows of a table of texts, `size` bytes each, whose last byte is the length."""
    line = "   "
    for text in texts:
        entry = " {" + ", ".join([f"'{c}'" for c in text] + ["0"] * (size - 1 - len(text)) + [str(len(text))]) + "},"
        if len(line) + len(entry) > 120:
            print(line)
            line = "   "
        line += entry
    print(line)
    print("};\n")


def main():
    print("/* SPDX-License-Identifier: MIT */")
    print("/* Made by make_tables.py: do not edit. */\n/* clang-format off */")
    print("#ifndef QUERN_NUMBER_TABLES_H\n#define QUERN_NUMBER_TABLES_H\n\n#include <stdint.h>\n")
    print(f"enum {{ POWERS_MIN = {MIN_POWER}, POWERS_MAX = {MAX_POWER}, EXPONENTS_MIN = {MIN_EXPONENT}, EXPONENTS_MAX = {MAX_EXPONENT} }};\n")
    print("/* 10^k * 2^(124 - floor(log2(10^k))), rounded up, for k from POWERS_MIN: 125 bits, the high word first. */")
    print("static const uint64_t powers[POWERS_MAX - POWERS_MIN + 1][2] = {")
    for k in range(MIN_POWER, MAX_POWER + 1):
        g = power(k)
        assert g >> (BITS - 1) == 1
        print(f"    {{UINT64_C(0x{g >> 64:016x}), UINT64_C(0x{g & (1 << 64) - 1:016x})}}, /* {k} */")
    print("};\n")
    print("/* The text of the numbers below 100; its length is the last byte. */")
    print("static const char small[100][4] = {")
    print_texts([str(i) for i in range(100)], 4)
    print("/* The two digits of each. */")
    print("static const char pairs[] =")
    for i in range(0, 100, 50):
        print('    "' + "".join(f"{j:02}" for j in range(i, i + 50)) + ('"' if i == 0 else '";\n'))
    print("/* The text of an exponent, from EXPONENTS_MIN; its length is the last byte. */")
    print("static const char exponents[EXPONENTS_MAX - EXPONENTS_MIN + 1][8] = {")
    print_texts([f"e{e:+d}" for e in range(MIN_EXPONENT, MAX_EXPONENT + 1)], 8)
    print("#endif")


if __name__ == "__main__":
    main()

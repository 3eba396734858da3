/* SPDX-License-Identifier: MIT */
/* The library's replacements for ASCII characters: \u00xx, the short escapes of RFC 8259 section 7, and "\/". */
#include "common/style.h"

/* clang-format off */
#define LETTER(c) {{'\\', c}, 2}
#define HEX(h, l) {{'\\', 'u', '0', '0', h, l}, 6}
#define DIGITS(h) \
    HEX(h, '0'), HEX(h, '1'), HEX(h, '2'), HEX(h, '3'), HEX(h, '4'), HEX(h, '5'), HEX(h, '6'), HEX(h, '7'), \
    HEX(h, '8'), HEX(h, '9')
#define ROW(h, A, B, C, D, E, F) \
    DIGITS(h), HEX(h, A), HEX(h, B), HEX(h, C), HEX(h, D), HEX(h, E), HEX(h, F)

/* U+0000 on, with the short escapes that there are. */
#define ROW_0(A, B, C, D, E, F) \
    HEX('0', '0'), HEX('0', '1'), HEX('0', '2'), HEX('0', '3'), HEX('0', '4'), HEX('0', '5'), HEX('0', '6'), HEX('0', '7'), \
    LETTER('b'), LETTER('t'), LETTER('n'), HEX('0', B), LETTER('f'), LETTER('r'), HEX('0', E), HEX('0', F)
#define ROW_2(A, B, C, D, E, F) \
    HEX('2', '0'), HEX('2', '1'), LETTER('"'), HEX('2', '3'), HEX('2', '4'), HEX('2', '5'), HEX('2', '6'), HEX('2', '7'), \
    HEX('2', '8'), HEX('2', '9'), HEX('2', A), HEX('2', B), HEX('2', C), HEX('2', D), HEX('2', E), LETTER('/')
#define ROW_5(A, B, C, D, E, F) DIGITS('5'), HEX('5', A), HEX('5', B), LETTER('\\'), HEX('5', D), HEX('5', E), HEX('5', F)
#define TABLE(...) { \
    ROW_0(__VA_ARGS__), ROW('1', __VA_ARGS__), ROW_2(__VA_ARGS__), ROW('3', __VA_ARGS__), \
    ROW('4', __VA_ARGS__), ROW_5(__VA_ARGS__), ROW('6', __VA_ARGS__), ROW('7', __VA_ARGS__), \
    ROW('0', __VA_ARGS__), ROW('1', __VA_ARGS__), ROW('2', __VA_ARGS__), ROW('3', __VA_ARGS__), \
    ROW('4', __VA_ARGS__), ROW('5', __VA_ARGS__), ROW('6', __VA_ARGS__), ROW('7', __VA_ARGS__)}
/* clang-format on */

const quern_replacement quern_style_table[2][256] = {TABLE('a', 'b', 'c', 'd', 'e', 'f'),
                                                     TABLE('A', 'B', 'C', 'D', 'E', 'F')};

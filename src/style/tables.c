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

#define PLAIN(c) {{(char)(c)}, 1}
#define PLAIN_4(c) PLAIN(c), PLAIN(c + 1), PLAIN(c + 2), PLAIN(c + 3)
#define PLAIN_16(c) PLAIN_4(c), PLAIN_4(c + 4), PLAIN_4(c + 8), PLAIN_4(c + 12)
#define LOWER 'a', 'b', 'c', 'd', 'e', 'f'
#define CALL(macro, ...) macro(__VA_ARGS__)

const quern_replacement quern_escape_units[256] = {
    CALL(ROW_0, LOWER), CALL(ROW, '1', LOWER),
    PLAIN(0x20), PLAIN(0x21), LETTER('"'), PLAIN(0x23), PLAIN_4(0x24), PLAIN_4(0x28), PLAIN_4(0x2C),
    PLAIN_16(0x30), PLAIN_16(0x40),
    PLAIN_4(0x50), PLAIN_4(0x54), PLAIN_4(0x58), LETTER('\\'), PLAIN(0x5D), PLAIN(0x5E), PLAIN(0x5F),
    PLAIN_16(0x60), PLAIN_16(0x70), PLAIN_16(0x80), PLAIN_16(0x90), PLAIN_16(0xA0), PLAIN_16(0xB0),
    PLAIN_16(0xC0), PLAIN_16(0xD0), PLAIN_16(0xE0), PLAIN_16(0xF0)};
/* clang-format on */

const quern_replacement quern_style_table[2][256] = {TABLE('a', 'b', 'c', 'd', 'e', 'f'),
                                                     TABLE('A', 'B', 'C', 'D', 'E', 'F')};

const unsigned char quern_escape_shuffles[256][16] = {
#include "style/shuffles.h"
};

#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""Writes src/style/shuffles.h: for each set of bytes to escape among eight, where each of sixteen slots comes from.

    python3 src/style/make_shuffles.py > src/style/shuffles.h
"""

print("/* SPDX-License-Identifier: MIT */")
print("/* Written by make_shuffles.py: 0 to 7 is that byte, 8 the reverse solidus. */")
print("/* clang-format off */")
for mask in range(256):
    slots = []
    for byte in range(8):
        if mask >> byte & 1:
            slots.append(8)
        slots.append(byte)
    slots += [0] * (16 - len(slots))
    print("{" + ", ".join(map(str, slots)) + "},")
print("/* clang-format on */")

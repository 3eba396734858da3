# SPDX-License-Identifier: MIT
"""Numbers as text: the tables come from their script, are precise enough for every exponent, and lead to what Python prints.

usage: test_number.py SOURCE NUMBER_LINES
"""
import os
import random
import re
import struct
import subprocess
import sys
import unittest
from fractions import Fraction
from pathlib import Path

SOURCE, NUMBER_LINES = Path(sys.argv[1]), sys.argv[2]
EMULATOR = os.environ.get("QUERN_TEST_EMULATOR", "").split()
STRIDE = max(1, int(os.environ.get("QUERN_TEST_STRIDE", "1")))

# c * 2^q: doubles, and floats
DOUBLES = (range(-1074, 972), 2**53)
FLOATS = (range(-149, 105), 2**24)


def floor_log10(x):
    """floor(log10(x)) of a fraction."""
    k = len(str(x.numerator)) - len(str(x.denominator))
    while Fraction(10) ** k > x:
        k -= 1
    while Fraction(10) ** (k + 1) <= x:
        k += 1
    return k


def floor_log2_of_power_of_10(k):
    """floor(log2(10^k)) of a whole k."""
    return (10**k).bit_length() - 1 if k >= 0 else -(10**-k - 1).bit_length()


def extremes(a, m, n):
    """The smallest a * x mod m that is not 0, and the largest, for x from 1 to n. By the records of both kinds, as in Euclid's algorithm:
    the next one comes at the sum of the last ones' places."""
    a %= m
    if a == 0:
        return None, 0
    low, low_at = a, 1  # a * low_at mod m = low
    high, high_at = m - a, 1  # a * high_at mod m = m - high
    while low_at + high_at <= n:
        if low >= high:
            # low - high at low_at + high_at, and so on
            steps = min((low - 1) // high if low % high == 0 else low // high, (n - low_at) // high_at)
            if steps == 0:
                break  # low == high: the next one is 0
            low, low_at = low - steps * high, low_at + steps * high_at
        else:
            steps = min((high - 1) // low if high % low == 0 else high // low, (n - high_at) // low_at)
            if steps == 0:
                break
            high, high_at = high - steps * low, high_at + steps * low_at
    return low, m - high


class Extremes(unittest.TestCase):
    def test_against_trial(self):
        for m in range(1, 60):
            for a in range(1, m + 1):
                for n in (1, 2, 3, 7, 30, 100):
                    values = {a * x % m for x in range(1, n + 1)}
                    least = min(values - {0}, default=None)
                    self.assertEqual(extremes(a, m, n), (least, max(values)), (a, m, n))


class Tables(unittest.TestCase):
    def test_the_script_writes_the_file(self):
        made = subprocess.run([sys.executable, SOURCE / "src/number/make_tables.py"], check=True, stdout=subprocess.PIPE).stdout
        self.assertEqual(made, (SOURCE / "src/number/tables.h").read_bytes())

    def setUp(self):
        text = (SOURCE / "src/number/tables.h").read_text()
        self.first = int(re.search(r"POWERS_MIN = (-?\d+)", text)[1])
        self.powers = [int(high, 16) << 64 | int(low, 16) for high, low in
                       re.findall(r"^    \{UINT64_C\(0x(\w+)\), UINT64_C\(0x(\w+)\)\}", text, re.M)]

    def power(self, k):
        return self.powers[k - self.first]

    def test_powers(self):
        """Each is 10^k, scaled to 125 bits, and less than one unit too large."""
        self.assertEqual((self.first, len(self.powers)), (-293, 618))
        for k in range(self.first, self.first + len(self.powers)):
            exact = Fraction(10) ** k * Fraction(2) ** (124 - floor_log2_of_power_of_10(k))
            self.assertEqual(self.power(k).bit_length(), 125)
            self.assertTrue(0 <= self.power(k) - exact < 1, k)

    def test_logarithms(self):
        """The integer arithmetic of real.c gives the floor of the logarithms, within 32 bits."""
        code = (SOURCE / "src/number/real.c").read_text()
        factor10, irregular, offset10, shift10 = map(int, re.search(
            r"\(uint32_t\)q \* (\d+) - \(irregular \? (\d+) : 0\) \+ \(UINT32_C\((\d+)\) << \d+\)\) >> (\d+)\) - \3", code).groups())
        factor2, offset2, shift2 = map(int, re.search(
            r"\(uint32_t\)k \* (\d+) \+ \(UINT32_C\((\d+)\) << \d+\)\) >> (\d+)\) - \2", code).groups())
        for q in DOUBLES[0]:
            for less, of in ((0, Fraction(2) ** q), (irregular, Fraction(3, 4) * Fraction(2) ** q)):
                shifted = q * factor10 - less + (offset10 << shift10)
                self.assertTrue(0 <= shifted < 2**32)
                self.assertEqual((shifted >> shift10) - offset10, floor_log10(of), q)
        for k in range(self.first, self.first + len(self.powers)):
            shifted = k * factor2 + (offset2 << shift2)
            self.assertTrue(0 <= shifted < 2**32)
            self.assertEqual((shifted >> shift2) - offset2, floor_log2_of_power_of_10(k), k)

    def test_rounding_to_odd(self):
        """What Schubfach compares are x * 2^q / 10^k with multiples of 4, for even x up to 4c + 2 and 4c - 1 where a value is irregular,
        and with multiples of 2 for x = 4c. Each is one, or farther from one than the power's error and than what is cut off: so the
        comparisons come out as those of the exact numbers."""
        unit = Fraction(1, 2**64)
        nearest = 1
        for exponents, limit in (DOUBLES, FLOATS):
            for q in exponents:
                for irregular in (False, True):
                    k = floor_log10(Fraction(3, 4) * Fraction(2) ** q if irregular else Fraction(2) ** q)
                    h = q + floor_log2_of_power_of_10(-k) + 4
                    most = 4 * limit + 2
                    self.assertTrue(0 <= h and most << h < 2**64, q)
                    exact = Fraction(2) ** q / Fraction(10) ** k
                    # What the power of the table makes too large: less than one unit in 2^-128, times what it is multiplied with.
                    error = Fraction(most << h, 2**128)
                    self.assertLess(error, unit, q)
                    for multiple, xs in ((4, (2 * limit - 1, 2 * limit, 2 * limit + 2)), (2, (2 * limit,))):
                        if irregular:
                            parts = [x * exact / multiple % 1 for x in xs]
                            low, high = min([x for x in parts if x], default=None), max(parts)
                        else:
                            # x = 2, 4, 6, ..., 4c + 2; x = 4, 8, ..., 4c
                            step = (2 if multiple == 4 else 4) * exact / multiple
                            count = 2 * limit + 1 if multiple == 4 else limit
                            low, high = (x and Fraction(x, step.denominator)
                                         for x in extremes(step.numerator, step.denominator, count))
                        if low:
                            nearest = min(nearest, low * multiple)
                            self.assertGreaterEqual(low * multiple, 2 * unit, q)
                            self.assertLess(high * multiple + error, multiple, q)
        print(f"the nearest, without being one: {float(nearest * 2**64)} / 2^64")

    def test_scaled(self):
        """The bounds that the fast way relies on: the scaled value's unit is from 1/10 to 1, the shift from 0 to 3, nothing overflows,
        and the errors are those that its comment states."""
        for exponents, limit in (DOUBLES, FLOATS):
            for q in exponents:
                k = floor_log10(Fraction(2) ** q)
                h = q + floor_log2_of_power_of_10(-k - 1) + 4
                power = self.power(-k - 1)
                exact = Fraction(2) ** q / Fraction(10) ** (k + 1)
                self.assertTrue(Fraction(1, 10) <= exact < 1, q)
                self.assertTrue(0 <= h <= 3 and limit << h < 2**64, q)
                fraction_error = Fraction(limit << h, 2**64)  # upwards, in units of 2^-64; downwards it is cut off: 1
                self.assertLess(fraction_error * 10, 1, q)
                half = (power >> 64) << h >> 1
                self.assertTrue(0 <= exact / 2 * 2**64 - half < 8, q)


def as_ecmascript(value):
    """Python's digits, which are the shortest and nearest, in ECMAScript's form (ECMA-262, 6.1.6.1.20)."""
    if value == 0:
        return "0"
    sign = "-" if value < 0 else ""
    mantissa, _, exponent = repr(abs(value)).partition("e")
    whole, _, fraction = mantissa.partition(".")
    digits = (whole + fraction).lstrip("0")
    point = len(whole) + int(exponent or 0) - (len(whole + fraction) - len(digits))
    digits = digits.rstrip("0")
    k, n = len(digits), point
    if k <= n <= 21:
        return sign + digits + "0" * (n - k)
    if 0 < n <= 21:
        return sign + digits[:n] + "." + digits[n:]
    if -6 < n <= 0:
        return sign + "0." + "0" * -n + digits
    return sign + digits[0] + ("." + digits[1:] if k > 1 else "") + f"e{n - 1:+d}"


class Python(unittest.TestCase):
    def check(self, bits):
        bits = [b for b in bits if b >> 52 & 0x7FF != 0x7FF]
        text = "".join(f"{b:016x}\n" for b in bits)
        lines = subprocess.run([*EMULATOR, NUMBER_LINES], input=text, check=True, text=True, stdout=subprocess.PIPE).stdout.splitlines()
        self.assertEqual(len(lines), len(bits))
        for b, line in zip(bits, lines):
            value = struct.unpack("<d", struct.pack("<Q", b))[0]
            if line != as_ecmascript(value):
                self.fail(f"{value!r}: got {line}, expected {as_ecmascript(value)}")

    def test_random_bits(self):
        source = random.Random(20)
        self.check(source.getrandbits(64) for _ in range(300000 // STRIDE))

    def test_decimals(self):
        source = random.Random(21)

        def bits():
            for _ in range(200000 // STRIDE):
                digits = source.randrange(1, 18)
                value = float(f"{source.randrange(10**digits)}e{source.randrange(-25, 10)}")
                yield struct.unpack("<Q", struct.pack("<d", value))[0] + source.choice((0, 0, 1))

        self.check(bits())

    def test_powers(self):
        powers = [2.0**e for e in range(-1074, 1024)] + [float(f"1e{e}") for e in range(-323, 309)]
        self.check(struct.unpack("<Q", struct.pack("<d", p))[0] + ulps for p in powers for ulps in (0, 1, 2))


if __name__ == "__main__":
    unittest.main(argv=sys.argv[:1], verbosity=1)

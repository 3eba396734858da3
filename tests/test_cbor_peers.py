# SPDX-License-Identifier: MIT
"""The CBOR writer read back by cbor2 and by Node's cborg, and against cbor2's canonical encoder.

usage: test_cbor_peers.py CBOR_SCRIPT [unittest options]

What a machine has not got is skipped, by name. QUERN_TEST_SEED=N: other random items.
"""
import json
import math
import os
import random
import shutil
import struct
import subprocess
import sys
import unittest

try:
    import cbor2
except ImportError:
    # Debian's module belongs to Debian's interpreter.
    other = "/usr/bin/python3"
    if os.path.exists(other) and subprocess.run([other, "-c", "import cbor2"], capture_output=True).returncode == 0:
        os.execv(other, [other, *sys.argv])
    cbor2 = None

SCRIPT = sys.argv[1]
SEED = int(os.environ.get("QUERN_TEST_SEED", "20"), 0)
EMULATOR = os.environ.get("QUERN_TEST_EMULATOR", "").split()
COUNT = 1000


def calls(value, rng):
    """The lines that cbor_script.c reads."""
    if isinstance(value, (dict, list)):
        yield ("{" if isinstance(value, dict) else "[") + (str(len(value)) if rng.randrange(2) else "")
        for item in value:
            yield from calls(item, rng)
            if isinstance(value, dict):
                yield from calls(value[item], rng)
        yield ")"
    elif value is None:
        yield "n"
    elif isinstance(value, bool):
        yield "t" if value else "f"
    elif isinstance(value, str):
        yield "s" + value.encode().hex()
    elif isinstance(value, bytes):
        yield "b" + value.hex()
    elif isinstance(value, int):
        n = value if value >= 0 else -1 - value
        if n < 2**64:
            yield ("+" if value >= 0 else "-") + str(n)
        else:
            yield ("#" if value >= 0 else "~") + n.to_bytes((n.bit_length() + 7) // 8, "big").hex()
    else:
        yield "d" + struct.pack(">d", value).hex()


def write(values, *arguments):
    """What the writer makes of each: (status, bytes)."""
    rng = random.Random(SEED)
    lines = "".join(line + "\n" for value in values for line in [*calls(value, rng), "."])
    out = subprocess.run([*EMULATOR, SCRIPT, *arguments], input=lines.encode(), stdout=subprocess.PIPE, check=True).stdout
    at, items = 0, []
    for _ in values:
        end = out.index(b"\n", at)
        status, length = map(int, out[at:end].split())
        items.append((status, out[end + 1:end + 1 + length]))
        at = end + 1 + length
    assert at == len(out)
    return items


def random_value(rng, depth=0, javascript=False):
    kind = rng.randrange(9 if depth < 6 else 7)
    if kind < 2:
        return "".join(rng.choice("abc \"\0äß日😀") for _ in range(rng.choice([0, 1, 3, 23, 24, 300])))
    if kind == 2:
        return rng.randbytes(rng.choice([0, 1, 23, 24, 256])) if not javascript else "bytes"
    if kind < 5:
        bits = rng.choice([4, 5, 8, 16, 32, 52] + ([] if javascript else [64, 80, 200]))
        return rng.getrandbits(bits) * rng.choice([1, -1])
    if kind == 5:
        return rng.choice([None, True, False])
    if kind == 6:
        return rng.choice([0.5, 65504.0, 2.0**-24, 1.1, 3.5e38, 2.0**-149, -1e300, rng.random()] +
                          ([] if javascript else [1.0, -0.0, math.inf, -math.inf]))
    count = rng.choice([0, 0, 1, 2, 5, 24])
    if kind == 7:
        return [random_value(rng, depth + 1, javascript) for _ in range(count)]
    return {"k" + str(rng.getrandbits(20)): random_value(rng, depth + 1, javascript) for _ in range(count)}


def items(name, javascript=False):
    rng = random.Random(f"{SEED}/{name}")
    return [random_value(rng, 0, javascript) for _ in range(COUNT)]


def checked(written):
    assert all(status == 0 for status, _ in written)
    return [data for _, data in written]


class Peers(unittest.TestCase):
    maxDiff = 300

    def test_cbor2_reads_it(self):
        if cbor2 is None:
            self.skipTest("this Python has no cbor2")
        values = items("cbor2")
        for arguments in ([], ["deterministic"]):
            for value, data in zip(values, checked(write(values, *arguments)), strict=True):
                read = cbor2.loads(data)
                self.assertEqual(repr(read) if arguments == [] else read, repr(value) if arguments == [] else value)

    def test_cbor2_writes_the_same_deterministic_bytes(self):
        """Its canonical form is the older one, shorter keys first, which is the same for keys that are strings. Version
        5.4.6 does not find the largest half, 65504."""
        if cbor2 is None:
            self.skipTest("this Python has no cbor2")
        values = [value for value in items("canonical") if "65504.0" not in repr(value)]
        for value, data in zip(values, checked(write(values, "deterministic")), strict=True):
            self.assertEqual(data, cbor2.dumps(value, canonical=True))

    def test_cborg_reads_it(self):
        node = shutil.which("node")
        if node is None:
            self.skipTest("there is no node")
        program = ("import {decode} from 'cborg'; import fs from 'fs'; const lines = fs.readFileSync(0, 'utf8').split('\\n');"
                   "for (const line of lines) if (line) console.log(JSON.stringify(decode(Buffer.from(line, 'hex'))));")
        if subprocess.run([node, "--input-type=module", "-e", "import 'cborg'"], stderr=subprocess.DEVNULL).returncode != 0:
            self.skipTest("node has no cborg here")
        values = items("cborg", javascript=True)
        for arguments in ([], ["deterministic"]):
            lines = "".join(data.hex() + "\n" for data in checked(write(values, *arguments)))
            read = subprocess.run([node, "--input-type=module", "-e", program], input=lines, text=True, stdout=subprocess.PIPE, check=True).stdout
            self.assertEqual([json.loads(line) for line in read.splitlines()], values)

    def test_the_script(self):
        """What needs no peer: the bytes of RFC 8949's examples come through the script."""
        self.assertEqual(checked(write([[1, [2, 3]], {"b": 1, "a": -2**64 - 1}], "deterministic")),
                         [bytes.fromhex("8201820203"), bytes.fromhex("a26161c3490100000000000000006162") + b"\1"])


if __name__ == "__main__":
    unittest.main(argv=[sys.argv[0], *sys.argv[2:]], verbosity=2)

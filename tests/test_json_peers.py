# SPDX-License-Identifier: MIT
"""The JSON writer against Python's json, Node's JSON.stringify, and public documents.

usage: test_json_peers.py JSON_SCRIPT DATA [unittest options]

What a machine has not got is skipped, by name. QUERN_TEST_SEED=N: other random documents.
"""
import json
import os
import random
import shutil
import struct
import subprocess
import sys
import unittest
from pathlib import Path

SCRIPT, DATA = sys.argv[1], Path(sys.argv[2])
SEED = int(os.environ.get("QUERN_TEST_SEED", "20"), 0)
EMULATOR = os.environ.get("QUERN_TEST_EMULATOR", "").split()
compared = {}


class Pairs(list):
    """A map as (key, value) pairs, in the order of the text."""


def calls(value):
    """The lines that json_script.c reads."""
    if isinstance(value, (dict, Pairs)):
        yield "{"
        for key, item in value.items() if isinstance(value, dict) else value:
            yield "k" + key.encode().hex()
            yield from calls(item)
        yield ")"
    elif isinstance(value, list):
        yield "["
        for item in value:
            yield from calls(item)
        yield ")"
    elif value is None:
        yield "n"
    elif isinstance(value, bool):
        yield "t" if value else "f"
    elif isinstance(value, str):
        yield "s" + value.encode().hex()
    elif isinstance(value, int):
        yield ("#" if not -2**63 <= value < 2**64 else "i" if value < 0 else "u") + str(value)
    else:
        yield "d" + struct.pack(">d", value).hex()


def write(values, *arguments):
    """What the writer makes of each: (status, text)."""
    lines = "".join(line + "\n" for value in values for line in [*calls(value), "."])
    out = subprocess.run([*EMULATOR, SCRIPT, *arguments], input=lines.encode(), stdout=subprocess.PIPE, check=True).stdout
    at, texts = 0, []
    for _ in values:
        end = out.index(b"\n", at)
        status, length = map(int, out[at:end].split())
        texts.append((status, out[end + 1:end + 1 + length]))
        at = end + 1 + length
    assert at == len(out)
    return texts


def random_text(rng):
    pools = ["abcdefghij \"\\/\b\f\n\r\t\x00\x1f\x7f", "äöüßéñ", "ложка", "日本語\u2028\u2029\uffff\ue000", "😀𝄞\U0010ffff"]
    return "".join(rng.choice(rng.choice(pools)) for _ in range(rng.choice([0, 1, 3, 8, 20, 70])))


def random_value(rng, depth=0):
    kind = rng.randrange(9 if depth < 6 else 6)
    if kind < 2:
        return random_text(rng)
    if kind == 2:
        return rng.choice([0, -1, rng.getrandbits(31), -rng.getrandbits(50), rng.getrandbits(53)])
    if kind == 3:
        return rng.choice([None, True, False])
    if kind < 6:  # such that Python writes them as ECMAScript does
        return rng.choice([0.5, -0.1, round(rng.uniform(-1e6, 1e6), 3) + 0.0001, rng.random() + 0.001])
    count = rng.choice([0, 0, 1, 2, 5, 12])
    if kind == 6:
        return [random_value(rng, depth + 1) for _ in range(count)]
    return {"k" + random_text(rng): random_value(rng, depth + 1) for _ in range(count)}


def documents(name, count=400):
    rng = random.Random(f"{SEED}/{name}")
    return [random_value(rng) for _ in range(count)]


class Peers(unittest.TestCase):
    maxDiff = 300

    def compare(self, what, texts, expected):
        for (status, text), right in zip(texts, expected, strict=True):
            self.assertEqual(status, 0)
            self.assertEqual(text, right)
        compared[what] = compared.get(what, 0) + len(expected)

    def data(self, name):
        path = DATA / name
        if not path.exists():
            self.skipTest(f"{path} is not there")
        return path

    def test_python(self):
        values = documents("python")
        forms = {
            (): {"separators": (",", ":")},
            ("spaced",): {},
            ("spaced", "ascii"): {"ensure_ascii": True},
            **{(f"indent={n}",): {"indent": n} for n in (1, 2, 3, 4, 8, 100)},
            ("indent=-1",): {"indent": "\t"},
        }
        for arguments, options in forms.items():
            expected = [json.dumps(v, **{"ensure_ascii": False, **options}).encode() for v in values]
            self.compare("Python's json.dumps", write(values, *arguments), expected)

    def test_node(self):
        node = shutil.which("node")
        if not node:
            self.skipTest("Node is not there")
        rng = random.Random(f"{SEED}/node")
        values = documents("node")
        values += [struct.unpack(">d", struct.pack(">Q", rng.getrandbits(64)))[0] for _ in range(2000)]
        values = [v for v in values if not isinstance(v, float) or v - v == 0]
        program = ("const lines = require('fs').readFileSync(0, 'utf8').split('\\n'); lines.pop();"
                   "for (const line of lines) { const t = Buffer.from(JSON.stringify(JSON.parse(line), null, eval(process.argv[1])));"
                   "process.stdout.write(t.length + '\\n'); process.stdout.write(t) }")
        lines = "".join(json.dumps(v, ensure_ascii=False, separators=(",", ":")).replace("\u2028", "\\u2028") + "\n" for v in values)
        for indent, arguments in {"0": (), "1": ("indent=1",), "2": ("indent=2",), "10": ("indent=10",), "'\\t'": ("indent=-1",)}.items():
            out = subprocess.run([node, "-e", program, indent], input=lines.encode(), stdout=subprocess.PIPE, check=True).stdout
            at, expected = 0, []
            while at < len(out):
                end = out.index(b"\n", at)
                expected.append(out[end + 1:end + 1 + int(out[at:end])])
                at = end + 1 + len(expected[-1])
            self.compare("Node's JSON.stringify", write(values, *arguments), expected)

    def test_canonical_by_python(self):
        """Python sorts by code points; encoded as UTF-16, big-endian, keys are in the order of RFC 8785."""
        def order(value):
            if isinstance(value, dict):
                return {k: order(value[k]) for k in sorted(value, key=lambda k: k.encode("utf-16-be"))}
            return [order(v) for v in value] if isinstance(value, list) else value

        values = documents("canonical", 1000)
        expected = [json.dumps(order(v), ensure_ascii=False, separators=(",", ":")).encode() for v in values]
        self.compare("sorted by Python", write(values, "canonical"), expected)

    def test_jcs(self):
        """The suite of RFC 8785's author: 6 documents."""
        folder = self.data("jcs")
        names = sorted(p.name for p in (folder / "input").glob("*.json"))
        self.assertEqual(len(names), 6)
        values = [json.loads((folder / "input" / n).read_bytes(), object_pairs_hook=Pairs) for n in names]
        self.compare("jcs suite", write(values, "canonical"), [(folder / "output" / n).read_bytes() for n in names])

    def test_roundtrip(self):
        """27 documents, byte-equal, but for the form of a whole double and of an exponent, which is ECMAScript's."""
        ours = {b"[0.0]": b"[0]", b"[-0.0]": b"[-0]", b"[1.7976931348623157e308]": b"[1.7976931348623157e+308]"}
        texts = [p.read_bytes() for p in sorted(self.data("roundtrip").glob("*.json"))]
        self.assertEqual(len(texts), 27)
        values = [json.loads(t, object_pairs_hook=Pairs) for t in texts]
        self.compare("roundtrip", write(values), [ours.get(t, t) for t in texts])

    def test_own_cases(self):
        rows = [line.split("\t") for line in self.data("own_cases/json_cases.tsv").read_text().splitlines()]
        texts = [bytes.fromhex(row[2]) for row in rows if row[1] == "accept"]
        self.assertEqual(len(texts), 24)
        values = []
        for text in texts:
            value = json.loads(text, object_pairs_hook=Pairs)
            try:
                list(calls(value))
            except UnicodeEncodeError:
                continue  # a lone surrogate is nothing that UTF-8 has
            if "inf" not in repr(value):  # nor is 1e400 a double
                values.append(value)
        for arguments in (), ("spaced", "ascii"), ("indent=2",):
            for value, (status, text) in zip(values, write(values, *arguments), strict=True):
                self.assertEqual(status, 0)
                self.assertEqual(json.loads(text, object_pairs_hook=Pairs), value)
        compared["own cases, read back"] = 3 * len(values)

    def test_naughty_strings(self):
        strings = json.loads(self.data("naughty_strings/blns.json").read_bytes())
        self.assertGreater(len(strings), 400)
        self.compare("naughty strings", write([strings]), [json.dumps(strings, ensure_ascii=False, separators=(",", ":")).encode()])
        self.compare("naughty strings", write([strings], "ascii", "spaced"), [json.dumps(strings).encode()])
        maps = [{text: text for text in strings}]
        self.compare("naughty strings", write(maps), [json.dumps(maps[0], ensure_ascii=False, separators=(",", ":")).encode()])


if __name__ == "__main__":
    result = unittest.main(argv=[sys.argv[0], *sys.argv[3:]], exit=False).result
    for case, why in result.skipped:
        print(f"skipped: {case.id().rsplit('.', 1)[1]}: {why}")
    print("documents compared: " + ", ".join(f"{what} {count}" for what, count in compared.items()))
    sys.exit(not result.wasSuccessful())

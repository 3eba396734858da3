#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""The ready-made styles, byte for byte against the programs and libraries that they are named after.

    python3 tests/test_dialects.py FOLDER [--markdown]

FOLDER has style_filter and a program for each library that the build found; other producers are looked for on the PATH
(sources in tests/dialects/). One that is missing is skipped, and named. --markdown: the table as docs/dialects.md has it.

Compared are each code point as a string of its own, random strings of several alphabets, and, where the producer takes
any bytes, ill-formed ones, which both have to treat alike: write the same, or refuse.

Environment:
    QUERN_TEST_STRIDE=N  about one string in N
    QUERN_TEST_SEED=N    another seed for the random strings
"""

import functools
import json
import os
import pathlib
import platform
import random
import re
import shutil
import struct
import subprocess
import sys
import tempfile
import time

SOURCES = pathlib.Path(__file__).resolve().parent / "dialects"
STRIDE = max(1, int(os.environ.get("QUERN_TEST_STRIDE") or 1))
SEED = int(os.environ.get("QUERN_TEST_SEED", "20"), 0)
TIMEOUT = 600  # seconds
REFUSED = 0xFFFFFFFF

folder = None  # a pathlib.Path
work = None


class Missing(Exception):
    """Why a producer cannot be had."""


def run(args, stdin=b"", **more):
    """The output of a program that has to succeed."""
    done = subprocess.run([os.fspath(a) for a in args], input=stdin, stdout=subprocess.PIPE, stderr=subprocess.PIPE, timeout=TIMEOUT, **more)
    if done.returncode != 0:
        raise RuntimeError(f"{args[0]}: exit {done.returncode}: {done.stderr.decode('utf-8', 'replace')[-1000:]}")
    return done.stdout


def frame(texts):
    """Bytes one behind the other, each behind its length; None: refused."""
    pack = struct.Struct("<I").pack
    return b"".join(pack(REFUSED) if t is None else pack(len(t)) + t for t in texts)


def unframe(data):
    texts, at = [], 0
    while at < len(data):
        (length,) = struct.unpack_from("<I", data, at)
        at += 4
        if length == REFUSED:
            texts.append(None)
        else:
            texts.append(data[at:at + length])
            at += length
    return texts


# Strings


def code_points():
    """All 1,112,064 scalar values; where they are thinned, those that some style treats apart stay."""
    kept = set(range(0x300)) | set(range(0x2020, 0x2031)) | {0xD7FF, 0xE000, 0xFDD0, 0xFEFF, 0xFFFD, 0xFFFE, 0xFFFF, 0x10000, 0x10FFFF}
    return [chr(c) for c in range(0x110000) if not 0xD800 <= c < 0xE000 and (c in kept or c % STRIDE == 0)]


SPECIALS = '"\\/\b\f\n\r\t\x00\x01\x1f\x7f<>&\'\x80\x9f\u2028\u2029\ufffd\ufeff\uffff\U00010000\U0010ffff'


def alphabets():
    yield "ASCII", [chr(c) for c in range(128)]
    yield "printable ASCII", [chr(c) for c in range(32, 127)]
    yield "words and specials", [chr(c) for c in range(97, 123)] * 4 + list(SPECIALS)
    yield "specials", list(SPECIALS)
    yield "HTML", list("<a href='x'>&amp;</a> \"q\"\n\u2028\u2029")
    yield "Latin, Greek, Cyrillic", [chr(c) for c in range(0xA0, 0x530)] + [" "] * 100
    yield "CJK and Hangul", [chr(c) for c in range(0x4E00, 0x5000)] + [chr(c) for c in range(0xAC00, 0xAE00)] + list("。、\n")
    yield "emoji", [chr(c) for c in range(0x1F300, 0x1F650)] + list(" \u200d\ufe0f\U0001f3fd")
    yield "planes", [chr(c) for c in range(0x10000, 0x110000, 0x1357)]
    yield "mixed", [chr(c) for c in range(128)] + list("жёрнов μύλος رحى चक्की 磨 맷돌 🌾🍞é€") + list(SPECIALS)


def random_strings():
    """At least 100,000, of 0 to 300 characters, most of them short."""
    kinds = list(alphabets())
    random_ = random.Random(f"{SEED}/strings")
    texts = []
    for _ in range(10500 // STRIDE + 1):
        for _, alphabet in kinds:
            length = random_.choice((0, 1, 2, 3, 5, 8, 13, 16, 17, 31, 33, 64, 65, 100, 300)) if random_.random() < 0.3 else random_.randrange(24)
            texts.append("".join(random_.choices(alphabet, k=length)))
    return texts


def ill_formed_strings():
    """Bytes that are not UTF-8: of the kinds of bytes that table 3-7 tells apart, amid characters."""
    random_ = random.Random(f"{SEED}/ill-formed")
    parts = [bytes([b]) for b in b"\x80\x8f\x90\x9f\xa0\xbf\xc0\xc1\xc2\xdf\xe0\xe1\xed\xef\xf0\xf1\xf4\xf5\xff"]
    parts += [p.encode("utf-8") for p in ("a", "<", "\n", '"', "é", "€", "\u2028", "😀")] + [b"\xe2\x80", b"\xed\xa0\x80", b"\xf0\x80\x80\x80", b"\xf4\x90\x80\x80"]
    texts = []
    while len(texts) < 30000 // STRIDE + 1:
        text = b"".join(random_.choices(parts, k=random_.randrange(1, 20)))
        try:
            text.decode("utf-8")
        except UnicodeDecodeError:
            texts.append(text)
    return texts


# Producers: each has dialects, a version, and makes framed output of framed input or of strings


class Producer:
    nul = True  # strings may contain U+0000
    ill_formed = False  # it takes bytes that are not UTF-8, in a way of its own that a style has too

    def __init__(self, name, *dialects):
        self.name, self.dialects = name, dialects

    def prepare(self):
        """Raises Missing; returns the version."""
        raise NotImplementedError

    def produce(self, dialect, texts, framed):
        """`framed` is `texts`, framed."""
        raise NotImplementedError

    def close(self):
        pass


class Program(Producer):
    """One that speaks the frames of dialects/frame.h."""

    def __init__(self, name, *dialects, find, nul=True, ill_formed=True):
        super().__init__(name, *dialects)
        self.find, self.nul, self.ill_formed = find, nul, ill_formed

    def prepare(self):
        self.command = self.find()
        return run([*self.command, "--version"]).decode().strip()

    def produce(self, dialect, texts, framed):
        return run([*self.command, dialect], framed)


def built(name):
    def find():
        path = folder / name
        if not path.exists():
            raise Missing("the build found no such library")
        return [path]
    return find


def script(interpreter, name):
    def find():
        path = shutil.which(interpreter)
        if path is None:
            raise Missing(f"no {interpreter} on the PATH")
        return [path, SOURCES / name]
    return find


def go_program():
    go = shutil.which("go")
    if go is None:
        raise Missing("no go on the PATH")
    program = os.path.join(work, "go_json")
    run([go, "build", "-o", program, SOURCES / "go.go"],
        env={**os.environ, "GOCACHE": os.path.join(work, "go-cache"), "GO111MODULE": "off", "GOTOOLCHAIN": "local", "GOFLAGS": ""})
    return [program]


def serde_program():
    """Built from the crates that the system's packages bring, by the system's own cargo, without a network."""
    registry = pathlib.Path("/usr/share/cargo/registry")
    crates = sorted(registry.glob("serde_json-*"))
    if not crates:
        raise Missing(f"no serde_json in {registry}")
    cargo = "/usr/bin/cargo"
    if not os.access(cargo, os.X_OK):
        raise Missing(f"no {cargo}")
    project = pathlib.Path(work, "serde_json")
    (project / "src").mkdir(parents=True)
    (project / ".cargo").mkdir()
    shutil.copy(SOURCES / "serde_json.rs", project / "src" / "main.rs")
    (project / "Cargo.toml").write_text('[package]\nname = "producer"\nversion = "0.0.0"\nedition = "2021"\n\n[dependencies]\nserde_json = "1"\n')
    (project / ".cargo" / "config.toml").write_text(
        f'[source.crates-io]\nreplace-with = "system"\n\n[source.system]\ndirectory = "{registry}"\n')
    run([cargo, "build", "--release", "--offline", "--quiet"], cwd=project,
        env={**os.environ, "PATH": "/usr/bin:/bin", "CARGO_HOME": os.path.join(work, "cargo"), "RUSTC": "/usr/bin/rustc"})
    program = os.path.join(work, "serde_json_program")  # knows no version of its crate by itself
    with open(program, "w") as file:
        version = crates[-1].name.rsplit("-", 1)[1]
        file.write(f'#!/bin/sh\n[ "$1" = --version ] && exec echo {version}\nexec "{project}/target/release/producer" "$@"\n')
    os.chmod(program, 0o755)
    return [program]


class Python(Producer):
    def prepare(self):
        return platform.python_version()

    def produce(self, dialect, texts, framed):
        encode = json.JSONEncoder(ensure_ascii=dialect == "python").encode
        return frame(encode(t).encode("utf-8") for t in texts)


class Jq(Producer):
    """Reads the strings as JSON, one a line, and writes them so."""

    def prepare(self):
        self.path = shutil.which("jq")
        if self.path is None:
            raise Missing("no jq on the PATH")
        return run([self.path, "--version"]).decode().strip().replace("jq-", "")

    def produce(self, dialect, texts, framed):
        encode = json.JSONEncoder().encode
        options = ["-c", "-a"] if dialect == "jq-ascii" else ["-c"]
        lines = run([self.path, *options, "."], "\n".join(map(encode, texts)).encode("ascii")).split(b"\n")
        return frame(lines[:-1])


class Postgresql(Producer):
    """A server of its own on a socket in a folder of its own; it does not run as root, so root becomes nobody."""

    nul = False
    server = None

    def tool(self, name):
        places = [p for p in sorted(pathlib.Path("/usr/lib/postgresql").glob("*/bin"), reverse=True)] + [None]
        for place in places:
            path = shutil.which(name, path=place and os.fspath(place))
            if path:
                return path
        raise Missing(f"no {name}")

    def prepare(self):
        initdb, postgres, self.psql = map(self.tool, ("initdb", "postgres", "psql"))
        self.home = tempfile.mkdtemp(prefix="quern-pg-")
        self.user = {}
        if os.getuid() == 0:
            import pwd
            try:
                nobody = pwd.getpwnam("nobody")
            except KeyError:
                raise Missing("it does not run as root, and there is no user nobody") from None
            os.chown(self.home, nobody.pw_uid, nobody.pw_gid)
            self.user = {"user": nobody.pw_uid, "group": nobody.pw_gid, "extra_groups": []}
        data = os.path.join(self.home, "data")
        try:
            run([initdb, "-D", data, "-U", "quern", "-A", "trust", "-E", "UTF8", "--locale=C", "--no-sync"], cwd=self.home, **self.user)
        except (RuntimeError, OSError) as error:
            raise Missing(f"initdb fails: {str(error)[:300]}") from None
        with open(os.path.join(self.home, "log"), "wb") as log:
            self.server = subprocess.Popen(
                [postgres, "-D", data, "-k", self.home, "-c", "listen_addresses=", "-c", "fsync=off", "-c", "shared_buffers=64MB"],
                stdout=log, stderr=log, cwd=self.home, **self.user)
        end = time.monotonic() + 30
        while True:
            try:
                return self.ask("show server_version").decode().split()[0]
            except RuntimeError:
                if self.server.poll() is not None or time.monotonic() > end:
                    log = pathlib.Path(self.home, "log").read_text(errors="replace")
                    raise Missing(f"its server does not start: {log[-300:]}") from None
            time.sleep(0.1)

    def ask(self, query, stdin=b""):
        return run([self.psql, "-X", "-q", "-A", "-t", "-h", self.home, "-U", "quern", "-d", "postgres", "-v", "ON_ERROR_STOP=1", "-c", query], stdin)

    def produce(self, dialect, texts, framed):
        rows = b"".join(b"%d\t%s\n" % (i, t.encode("utf-8").hex().encode()) for i, t in enumerate(texts))
        self.ask("drop table if exists t; create table t (i int, h text)")
        self.ask("copy t from stdin", rows)
        made = self.ask("copy (select encode(convert_to(to_json(convert_from(decode(h, 'hex'), 'UTF8'))::text, 'UTF8'), 'hex') "
                        "from t order by i) to stdout")
        return frame(bytes.fromhex(line.decode()) for line in made.split(b"\n")[:-1])

    def close(self):
        if self.server:
            self.server.terminate()
            self.server.wait(30)
            self.server = None
        if hasattr(self, "home"):
            shutil.rmtree(self.home, ignore_errors=True)


class Go(Program):
    def prepare(self):
        version = super().prepare()
        numbers = [int(n) for n in re.findall(r"\d+", version)[:2]]
        # \b and \f became short in 1.22.
        self.dialects = ("go-1.21", "go-1.21-nohtml") if numbers < [1, 22] else ("go", "go-nohtml")
        return version


def producers():
    yield Python("Python", "python", "python-unicode")
    yield Program("Node.js", "node", find=script("node", "node.js"), ill_formed=False)
    yield Jq("jq", "jq", "jq-ascii")
    yield Program("Jansson", "jansson", "jansson-ascii", "jansson-slash", find=built("jansson"))
    yield Program("cJSON", "cjson", find=built("cjson"), nul=False)
    yield Program("json-c", "json-c", "json-c-noslash", find=built("json_c"))
    yield Program("YAJL", "yajl", "yajl-slash", find=built("yajl"))
    yield Program("nlohmann::json", "nlohmann", "nlohmann-ascii", find=built("nlohmann"))
    yield Program("RapidJSON", "rapidjson", "rapidjson-ascii", find=built("rapidjson"))
    yield Program("serde_json", "serde-json", find=serde_program)
    yield Postgresql("PostgreSQL", "postgresql")
    yield Go("Go", "go", "go-nohtml", "go-1.21", "go-1.21-nohtml", find=go_program)
    yield Program("PHP", "php", "php-noslash", "php-unicode", "php-unicode-noslash", find=script("php", "php.php"))


# Comparing


@functools.lru_cache(maxsize=None)
def strings(nul):
    texts = code_points() + random_strings()
    texts = texts if nul else [t for t in texts if "\0" not in t]
    return texts, frame(t.encode("utf-8") for t in texts)


@functools.lru_cache(maxsize=None)
def ill_formed():
    texts = ill_formed_strings()
    return texts, frame(texts)


def style(name, framed):
    return run([folder / "style_filter", name], framed)


def difference(texts, ours, theirs):
    """The first string that is written differently; None if there is none."""
    if ours == theirs:
        return None
    ours, theirs = unframe(ours), unframe(theirs)
    for text, a, b in zip(texts, ours, theirs):
        if a != b:
            return f"of {text!r} the style makes {a!r}, the producer {b!r}"
    return f"{len(texts)} strings, but {len(ours)} and {len(theirs)} answers"


def self_test():
    """That a difference would be found."""
    texts = ["abc", "\x7f", "é"]
    framed = frame(t.encode("utf-8") for t in texts)
    found = difference(texts, style("python-unicode", framed), Python("").produce("python", texts, framed))
    assert found and "'\\x7f'" in found, found
    assert "answers" in difference(texts, style("node", framed), frame([b'"abc"', b'"\x7f"'])), "fewer answers than strings"


def check(producer, dialect):
    """Returns the row of the table, and what is wrong, if anything is."""
    texts, framed = strings(producer.nul)
    wrong = difference(texts, style(dialect, framed), producer.produce(dialect, texts, framed))
    count = 0
    if wrong is None and producer.ill_formed:
        bad, framed = ill_formed()
        count = len(bad)
        wrong = difference(bad, style(dialect, framed), producer.produce(dialect, bad, framed))
    return (dialect, len(texts), count), wrong


def main(argv):
    global folder, work
    if len(argv) not in (2, 3):
        print(__doc__, file=sys.stderr)
        return 2
    folder = pathlib.Path(argv[1]).resolve()
    markdown = argv[2:] == ["--markdown"]
    start = time.monotonic()
    work = tempfile.mkdtemp(prefix="quern-test-dialects-")
    rows, faults, skips = [], 0, []
    try:
        self_test()
        for producer in producers():
            try:
                version = producer.prepare()
                for dialect in producer.dialects:
                    row, wrong = check(producer, dialect)
                    if wrong:
                        faults += 1
                        print(f"{dialect}, {producer.name} {version}: {wrong}", file=sys.stderr, flush=True)
                    else:
                        rows.append((*row, f"{producer.name} {version}", "" if producer.nul else "no NUL"))
            except Missing as why:
                skips.append(f"skipped: {producer.name}: {why}")
                print(skips[-1], flush=True)
            finally:
                producer.close()
    finally:
        shutil.rmtree(work, ignore_errors=True)
    if markdown:
        print("| style | producer | strings | ill-formed | |\n| --- | --- | --- | --- | --- |")
        for dialect, count, bad, version, note in rows:
            print(f"| `{dialect}` | {version} | {count:,} | {bad and f'{bad:,}' or '–'} | {note} |")
    else:
        print(f"{'style':20} {'producer':24} {'strings equal':>13} {'ill-formed':>10}")
        for dialect, count, bad, version, note in rows:
            print(f"{dialect:20} {version:24} {count:13} {bad or '-':>10} {note}")
    print(f"test_dialects: {len(rows)} compared, {faults} differ, {len(skips)} producers skipped, {time.monotonic() - start:.1f} s")
    return 1 if faults or not rows else 0


if __name__ == "__main__":
    sys.exit(main(sys.argv))

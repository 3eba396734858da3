# SPDX-License-Identifier: MIT
"""`styles`, `--style` and `--invalid`, against json.dumps and what is told of other producers."""

import json
import os
import re

from cli import base
from cli.base import ROOT, CliTest, run, run_fed, variants
from cli.inputs import Input, all_inputs, faulty_files, mixed, real_inputs, synthetic_inputs


def escapes_in_capitals(text):
    return re.sub(r"\\u[0-9a-f]{4}", lambda m: "\\u" + m.group()[2:].upper(), text)


def of_go(text):
    for character in "<>&\u2028\u2029":
        text = text.replace(character, f"\\u{ord(character):04x}")
    return text


def ascii_only(value, **separators):
    return json.dumps(value, **separators)


def unicode(value, **separators):
    return json.dumps(value, ensure_ascii=False, **separators)


# What each makes of a value: for texts in which a reverse solidus stands nowhere before a "u" these replacements in the
# JSON text are right.
WRITERS = {
    "rfc8259": unicode,
    "python": ascii_only,
    "python-unicode": unicode,
    "node": unicode,
    "jq": lambda v, **s: unicode(v, **s).replace("\x7f", "\\u007f"),
    "jansson-ascii": lambda v, **s: escapes_in_capitals(ascii_only(v, **s).replace("\\u007f", "\x7f")),
    "json-c": lambda v, **s: unicode(v, **s).replace("/", "\\/"),
    "yajl": lambda v, **s: escapes_in_capitals(unicode(v, **s)),
    "go": lambda v, **s: of_go(unicode(v, **s)),
    "go-1.21": lambda v, **s: of_go(unicode(v, **s)).replace("\\b", "\\u0008").replace("\\f", "\\u000c"),
    "php": lambda v, **s: ascii_only(v, **s).replace("\\u007f", "\x7f").replace("/", "\\/"),
}


def plain(text):
    """The text without what the replacements above would take for an escape."""
    return Input(f"{text.name}, plain", text.data.replace(b"\\", b"/"))


class Styles(CliTest):
    def test_list(self):
        result = run("styles")
        self.assertEqual((result.code, result.err), (0, b""), result)
        names = [line.split()[0] for line in result.out.decode().splitlines()]
        self.assertEqual(len(names), len(set(names)))
        for line in result.out.decode().splitlines():
            self.assertRegex(line, r"^[a-z0-9.-]+  +\S.*\S$")
        self.assertLessEqual(set(WRITERS), set(names))
        pages = (ROOT / "docs" / "dialects.md").read_text(encoding="utf-8")
        for name in set(names) - {"rfc8259"}:
            self.assertIn(f"`{name}`", pages, "is not in docs/dialects.md")
        for command in ("escape", "lines"):
            self.same(f"{command} --style help", run(command, "--style", "help"), result.out)
        out = os.path.join(base.work, "styles-out")
        self.same("styles -o", run("styles", "-o", out), b"")
        self.same("--style help -o", run("lines", "--style=help", "-o", out + "-2", "no-such-file"), b"")
        for path in (out, out + "-2"):
            with open(path, "rb") as file:
                self.assertEqual(file.read(), result.out)
        for name in names:
            self.same(name, run("lines", "--style", name, stdin=b"a\nb c\n"), b'["a", "b c"]')

    def check(self, text, variant=None, way=run):
        for name, write in WRITERS.items():
            with self.subTest(style=name, input=text.name, variant=variant):
                self.same("escape", way(text, "escape", "--style", name), write(text.text).encode())
                self.same("lines", way(text, "lines", "--style", name), write(text.split()).encode())
                self.same("lines --compact", way(text, "lines", "--style", name, "--compact", "--crlf"),
                          write(text.split(crlf=True), separators=(",", ":")).encode())

    def test_written(self):
        small = [text for text in synthetic_inputs() if len(text.data) <= 10000]
        for variant in variants():
            for text in small[::4 if variant == variants()[0] else 9] + [Input("styles", mixed("styles", 30000)), *real_inputs()[:2]]:
                self.check(plain(text), variant, lambda t, *args: run(*args, t.path, variant=variant))

    def test_written_long(self):
        for text in all_inputs():
            if len(text.data) > 10000:
                self.check(plain(text), None, lambda t, *args: run(*args, t.path))

    def test_one_byte_at_a_time(self):
        self.check(plain(Input("styles", mixed("styles", 2000))), None, lambda t, *args: run_fed(*args, pieces=t.data))

    def test_refused(self):
        for args, mention in ((["escape", "--style", "gopher"], "gopher"), (["lines", "--style", ""], "quern styles"), (["lines", "--style"], "--style"),
                              (["utf8", "--style", "go"], "--style"), (["escape", "--crlf"], "--crlf"), (["variants", "--style", "go"], "--style"),
                              (["escape", "--invalid", "keep"], "keep"), (["lines", "--invalid"], "--invalid"),
                              (["utf8", "--invalid", "drop"], "--invalid"), (["escape", "--repair", "drop"], "--repair"),
                              (["utf8", "--repair", "stop"], "stop"), (["utf8", "--repair"], "--repair"), (["styles", "file"], "FILE")):
            with self.subTest(args=args):
                result = run(*args)
                self.refused(" ".join(args), result, 2, mention)
                self.assertEqual(result.out, b"")


class Invalid(CliTest):
    """`--invalid`, where Python's decoder replaces and leaves out the same subparts."""

    POLICIES = (("replace", "replace"), ("drop", "ignore"))

    def expect(self, what, way, data, python):
        text = data.decode("utf-8", python)
        self.same(f"escape, {what}", way("escape"), unicode(text).encode())
        lines = text.split("\n")
        lines = lines if lines[-1] else lines[:-1]
        self.same(f"lines, {what}", way("lines"), unicode(lines).encode())

    def test_files(self):
        rows = faulty_files(False)
        for variant in variants():
            first = variant == variants()[0]
            for name, path, data, _ in (rows if first else rows[::9]) + faulty_files(True)[::2 if first else 7]:
                for how, python in self.POLICIES:
                    with self.subTest(input=name, how=how, variant=variant):
                        self.expect(f"{name}, {how}, {variant}", lambda c: run(c, "--invalid", how, path, variant=variant), data, python)

    def test_large(self):
        for name, _, data, _ in faulty_files(True):
            for how, python in self.POLICIES:
                with self.subTest(input=name, how=how):
                    self.expect(f"{name}, {how}", lambda c: run(c, "--invalid", how, stdin=data), data, python)

    def test_one_byte_at_a_time(self):
        for name, _, data, _ in faulty_files(False)[::5]:
            for how, python in self.POLICIES:
                with self.subTest(input=name, how=how):
                    self.expect(f"{name}, {how}", lambda c: run_fed(c, "--invalid", how, pieces=data), data, python)

    def test_over_files(self):
        """Subparts are those of the files joined."""
        for i, parts in enumerate(([b"a\xf0", b"\x9f", b"\x98(b\n"], [b"\xe2", b"\x82"], [b"\xe2\x82", b"", b"\xac\xff"], [b"\xed", b"\xa0\x80x"], [b"\xf0\x9f\x98", b""])):
            files = [self.file(f"invalid-{i}-{j}", part) for j, part in enumerate(parts)]
            for how, python in self.POLICIES:
                with self.subTest(parts=parts, how=how):
                    self.expect(str(parts), lambda c: run(c, "--invalid", how, *files), b"".join(parts), python)

    def test_stop_is_the_default(self):
        path = self.file("invalid-stop", b"ab\n\xff")
        for command in ("escape", "lines"):
            asked, default = run(command, "--invalid", "stop", path), run(command, path)
            self.assertEqual((asked.code, asked.out, asked.err), (default.code, default.out, default.err))
            self.refused(command, asked, 1, "offset 3, line 2, column 1")

    def test_last_one_counts(self):
        self.same("twice", run("escape", "--invalid", "drop", "--invalid", "replace", stdin=b"a\xff"), '"a\ufffd"'.encode())

    def test_crlf(self):
        self.same("a CR before a fault", run("lines", "--crlf", "--invalid", "drop", stdin=b"a\r\xff\nb\r\n"), b'["a", "b"]')
        self.same("a CR before a fault", run("lines", "--crlf", "--invalid", "replace", stdin=b"a\r\xff\nb\r\n"), '["a\\r\ufffd", "b"]'.encode())

    def test_with_a_style(self):
        data = b"a\xff\xe2\x82<\n\xf0\x9f\x98"
        for command in ("escape", "lines"):
            text = data.decode("utf-8", "replace")
            value = text if command == "escape" else text.split("\n")
            self.same("python", run(command, "--style", "python", "--invalid", "replace", stdin=data), ascii_only(value).encode())
            self.same("go", run(command, "--style", "go", "--invalid", "replace", stdin=data), of_go(unicode(value)).encode())

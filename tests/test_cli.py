#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""Tests of the `quern` command, against what Python's own json and codecs modules say.

    python3 tests/test_cli.py [--part=K/N] PATH_TO_QUERN [PATH_TO_DATA] [unittest options and test names]

--part=K/N runs the K-th, N+K-th, ... of the tests: N such runs can go side by side, and no test is left out.

PATH_TO_DATA is a folder with unicode_lipsum/, naughty_strings/ and wpt_encoding/; what is missing is skipped, and named.

Environment:
    QUERN_TEST_SANITIZED=1  the tool was built with sanitizers: its memory is not measured, fewer inputs and variants are tried
    QUERN_TEST_EMULATOR=... the tool runs under an emulator: fewer inputs and variants are tried
    QUERN_TEST_STATIC=1     the tool was built with QUERN_DISPATCH=static: it has one variant
    QUERN_TEST_SEED=N       another seed for the random inputs
"""

import os
import pathlib
import shutil
import sys
import tempfile
import time
import unittest

from cli import base
from cli.cbor import Cbor
from cli.checking import Utf8
from cli.failures import Failures, Memory
from cli.progress import Progress
from cli.repair import Repair
from cli.styles import Invalid, Styles
from cli.variants import Bench, Variants
from cli.writing import Json, Output


class Part(unittest.TestLoader):
    """Loads the tests of one part: of all in order, those at `first`, `first` + `step`, ..."""

    def __init__(self, first, step):
        super().__init__()
        self.first, self.step = first, step

    def loadTestsFromModule(self, module, *args, **kwargs):
        def tests(suite):
            for test in suite:
                yield from tests(test) if isinstance(test, unittest.TestSuite) else [test]

        return self.suiteClass(list(tests(super().loadTestsFromModule(module, *args, **kwargs)))[self.first::self.step])


def main(argv):
    args = argv[1:]
    loader = unittest.defaultTestLoader
    if args and args[0].startswith("--part="):
        part, _, parts = args.pop(0)[7:].partition("/")
        loader = Part(int(part) - 1, int(parts))
    if not args or args[0].startswith("-"):
        print(__doc__, file=sys.stderr)
        return 2
    tool = shutil.which(args.pop(0))
    if tool is None:
        print(f"test_cli: {argv[1]}: no such program", file=sys.stderr)
        return 1
    base.quern = os.path.abspath(tool)
    if args and not args[0].startswith("-") and args[0].split(".")[0] not in globals():
        base.data_folder = pathlib.Path(args.pop(0)).resolve()
    print(f"test_cli: {base.quern}, seed {base.SEED}", flush=True)

    start = time.monotonic()
    base.work = tempfile.mkdtemp(prefix="quern-test-cli-")
    try:
        program = unittest.main(module=__name__, argv=[argv[0], *args], testLoader=loader, exit=False)
    finally:
        shutil.rmtree(base.work, ignore_errors=True)
    result = program.result
    at_fault = {id(getattr(test, "test_case", test)) for test, _ in result.failures + result.errors}
    failed = len(at_fault) + len(result.unexpectedSuccesses)
    passed = result.testsRun - failed - len(result.skipped)
    for what in base.skips:
        print("skipped: " + what)
    print(f"{passed} passed, {failed} failed, {len(result.skipped)} skipped")
    print(f"test_cli: {time.monotonic() - start:.1f} s", flush=True)
    if result.testsRun == 0:
        print("test_cli: no test was run", file=sys.stderr)
        return 1
    return 0 if result.wasSuccessful() else 1


if __name__ == "__main__":
    sys.exit(main(sys.argv))

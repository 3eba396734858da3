#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""Tests of the `quern` command, against what Python's own json and codecs modules say.

    python3 tests/test_cli.py PATH_TO_QUERN [PATH_TO_DATA] [unittest options and test names]

PATH_TO_DATA is a folder with unicode_lipsum/, naughty_strings/ and wpt_encoding/; what is missing is skipped, and named.

Environment:
    QUERN_TEST_SANITIZED=1  the tool was built with sanitizers: its memory is not measured
    QUERN_TEST_EMULATOR=... the tool runs under an emulator: fewer variants are tried
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
from cli.checking import Utf8
from cli.failures import Failures, Memory
from cli.progress import Progress
from cli.repair import Repair
from cli.styles import Invalid, Styles
from cli.variants import Variants
from cli.writing import Json, Output


def main(argv):
    args = argv[1:]
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
        program = unittest.main(module=__name__, argv=[argv[0], *args], exit=False)
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

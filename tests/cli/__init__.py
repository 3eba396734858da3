# SPDX-License-Identifier: MIT
"""The tests of the `quern` command; tests/test_cli.py runs them."""

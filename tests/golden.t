#!/bin/sh
# SPDX-License-Identifier: BSD-3-Clause
# Runs: quick check sanitize
# Golden tests, tests/golden/*.case; golden.pl says how they work.
exec perl tests/golden.pl "$@"

#!/bin/sh
# SPDX-License-Identifier: BSD-3-Clause
# Runs: check
# The verb compare in JSON and CSV: what is charged adds up; the tests are in compare.pl.
exec perl tests/compare.pl

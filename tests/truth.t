#!/bin/sh
# SPDX-License-Identifier: BSD-3-Clause
# Runs: nightly
# Access patterns beside measurements: rows that agreed still do; the tests are in truth.pl.
exec perl tests/truth.pl

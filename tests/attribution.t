#!/bin/sh
# SPDX-License-Identifier: BSD-3-Clause
# Runs: nightly nightly-sanitize
# What each rule adds to what was measured; the tests are in attribution.pl.
exec perl tests/attribution.pl

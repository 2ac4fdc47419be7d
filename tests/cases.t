#!/bin/sh
# SPDX-License-Identifier: BSD-3-Clause
# Runs: nightly nightly-sanitize
# Inputs that were once answered wrongly, and what is right of them; the tests are in cases.pl.
exec perl tests/cases.pl

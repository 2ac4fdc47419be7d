#!/bin/sh
# SPDX-License-Identifier: BSD-3-Clause
# Runs: nightly
# Predictions beside measurements: errors stay below bounds, and docs/evidence/fidelity.md shows them; the tests are in
# fidelity.pl.
exec perl tests/fidelity.pl

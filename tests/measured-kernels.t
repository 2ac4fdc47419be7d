#!/bin/sh
# SPDX-License-Identifier: BSD-3-Clause
# Runs: check
# Tables of measured kernels grow row by row, and go on where they were interrupted; the tests are in measured-kernels.pl.
exec perl tests/measured-kernels.pl

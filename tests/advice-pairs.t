#!/bin/sh
# SPDX-License-Identifier: BSD-3-Clause
# Runs: nightly
# What advice says of kernels whose cause is known; the tests are in advice-pairs.pl.
exec perl tests/advice-pairs.pl "$@"

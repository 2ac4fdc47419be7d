#!/bin/sh
# SPDX-License-Identifier: BSD-3-Clause
# Runs: nightly
# Occupancy on AMD's GPUs is what LLVM's backend says of kernels that take as much; the tests are in llvm-occupancy.pl.
exec perl tests/llvm-occupancy.pl

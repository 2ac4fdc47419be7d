#!/bin/sh
# SPDX-License-Identifier: BSD-3-Clause
# Runs: nightly
# A copy takes what its bytes take at the bandwidth of device memory, whatever a thread moves at once; the
# tests are in copy.pl.
exec perl tests/copy.pl

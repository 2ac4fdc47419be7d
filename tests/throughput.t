#!/bin/sh
# SPDX-License-Identifier: BSD-3-Clause
# Runs: check
# Descriptions beside NVIDIA's tables of throughputs; the tests are in throughput.pl.
exec perl tests/throughput.pl

#!/bin/sh
# SPDX-License-Identifier: BSD-3-Clause
# Runs: check
# Signals at random times while files are written; the tests are in kill.pl.
exec sh -c 'ulimit -c 0 && exec perl tests/kill.pl'

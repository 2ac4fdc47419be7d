#!/bin/sh
# SPDX-License-Identifier: BSD-3-Clause
# Runs: nightly
# --trace writes trace events, which Perl's own JSON::PP reads; the tests are in trace.pl.
exec perl tests/trace.pl

#!/bin/sh
# SPDX-License-Identifier: BSD-3-Clause
# Runs: check nightly-sanitize
# The JSON output, read by Perl's own JSON::PP; the tests are in json.pl.
exec perl tests/json.pl

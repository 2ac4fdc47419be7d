#!/bin/sh
# SPDX-License-Identifier: BSD-3-Clause
# Runs: check nightly-sanitize
# What compare charges where sources differ; the tests are in pairs.pl.
exec perl tests/pairs.pl

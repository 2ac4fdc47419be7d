#!/bin/sh
# SPDX-License-Identifier: BSD-3-Clause
# Runs: check nightly-sanitize
# The verb list; the tests are in list.pl.
exec perl tests/list.pl

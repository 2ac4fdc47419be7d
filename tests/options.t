#!/bin/sh
# SPDX-License-Identifier: BSD-3-Clause
# Runs: check
# The table of options and what is made of it; the tests are in options.pl.
exec perl -Itests tests/options.pl

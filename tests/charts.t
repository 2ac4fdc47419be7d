#!/bin/sh
# SPDX-License-Identifier: BSD-3-Clause
# Runs: nightly
# Charts are readable, and those of docs/ are up to date; the tests are in charts.pl.
exec perl tests/charts.pl

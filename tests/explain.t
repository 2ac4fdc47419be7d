#!/bin/sh
# SPDX-License-Identifier: BSD-3-Clause
# Runs: nightly
# What runs say of themselves: critical path, waits, sensitivity, advice; the tests are in
# explain.pl, the cases in explain/.
exec perl -Itests tests/explain.pl

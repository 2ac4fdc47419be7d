#!/bin/sh
# SPDX-License-Identifier: BSD-3-Clause
# Runs: nightly
# Cards of families do in simulation what their figures say; the tests are in cards.pl.
exec perl tests/cards.pl

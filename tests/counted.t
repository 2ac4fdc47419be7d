#!/bin/sh
# SPDX-License-Identifier: BSD-3-Clause
# Runs: check
# Operations are those that all groups executed, where all were. The tests are in counted.pl.
exec perl tests/counted.pl

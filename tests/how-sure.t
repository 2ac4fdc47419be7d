#!/bin/sh
# SPDX-License-Identifier: BSD-3-Clause
# Runs: check
# How sure an answer is of groups that were not executed: rows of random length. The tests are in how-sure.pl.
exec perl tests/how-sure.pl

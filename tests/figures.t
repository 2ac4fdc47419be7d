#!/bin/sh
# SPDX-License-Identifier: BSD-3-Clause
# Runs: check
# Every figure that people read is in the JSON, for every verb that answers. figures.pl has the runs.
exec perl tests/figures.pl "$@"

#!/bin/sh
# SPDX-License-Identifier: BSD-3-Clause
# Runs: check
# One answer, many voices: text, JSON and page say the same. voices.pl has the runs.
exec perl tests/voices.pl "$@"

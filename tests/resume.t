#!/bin/sh
# SPDX-License-Identifier: BSD-3-Clause
# Runs: nightly
# What --resume makes of files that were changed; the tests are in resume.pl.
exec perl -Itests tests/resume.pl

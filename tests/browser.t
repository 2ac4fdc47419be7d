#!/bin/sh
# SPDX-License-Identifier: BSD-3-Clause
# Runs: nightly
# Pages to share (--report) as a browser shows them; the tests are in browser.pl.
exec perl tests/browser.pl

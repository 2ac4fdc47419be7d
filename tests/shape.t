#!/bin/sh
# SPDX-License-Identifier: BSD-3-Clause
# Runs: check nightly-sanitize
# Advice on the launch's shape, for the kernels of pairs/shape.cu; the tests are in shape.pl.
exec perl tests/shape.pl

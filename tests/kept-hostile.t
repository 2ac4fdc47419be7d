#!/bin/sh
# SPDX-License-Identifier: BSD-3-Clause
# Runs: check nightly-sanitize
# Whatever becomes of the folder of what is kept, and of those who share it; the tests are in kept-hostile.pl, which has
# file systems of its own where it may.
if unshare -rm sh -c 'mount -t tmpfs none /mnt' 2>/dev/null; then
    exec unshare -rm sh -c 'ulimit -c 0 && exec perl tests/kept-hostile.pl mount'
fi
exec sh -c 'ulimit -c 0 && exec perl tests/kept-hostile.pl'

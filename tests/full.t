#!/bin/sh
# SPDX-License-Identifier: BSD-3-Clause
# Runs: check
# Disks that are full, and files that may not grow, for every file that is written; the tests are in
# full.pl, which has a file system of its own where it may.
if unshare -rm sh -c 'mount -t tmpfs none /mnt' 2>/dev/null; then
    exec unshare -rm perl tests/full.pl mount
fi
exec perl tests/full.pl

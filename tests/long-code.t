#!/bin/sh
# SPDX-License-Identifier: BSD-3-Clause
# Runs: nightly
# Code of more instructions than a graph can have; it takes a while to be read.
. tests/tap.sh

awk 'BEGIN {
    print ".version 8.0\n.target sm_80\n.address_size 64\n.visible .entry long()\n{\n.reg .b32 %r<2>;"
    for (i = 0; i <= 1000000; i++) print "not.b32 %r1,%r1;"
    print "ret;\n}"
}' >"$TAP_TMP/long.ptx"
tap_exit 'code that is too long is refused' 1 "$PIPESIM" build "$TAP_TMP/long.ptx" --grid 1 --block 1
tap_like '... and the message says how long it is' 'kernel "long" has 1000002 instructions.*at most 1000000 can' "$(cat "$TAP_ERR")"
tap_done

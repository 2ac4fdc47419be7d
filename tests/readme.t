#!/bin/sh
# SPDX-License-Identifier: BSD-3-Clause
# What README.md shows is what the program prints, and its graph of a newcomer's kernel runs.
. tests/tap.sh

# The N-th fenced block of README.md.
block() {
    awk -v n="$1" '/^```/ { open = !open; count += open; next } open && count == n' README.md
}

tap_ok 'the second command runs' "$PIPESIM" mmul08.idg --gpu pascal.xml
block 2 >"$TAP_TMP/shown"
head -n "$(wc -l <"$TAP_TMP/shown")" "$TAP_OUT" >"$TAP_TMP/printed"
tap_is 'and prints what README.md shows' "$(cat "$TAP_TMP/printed")" "$(cat "$TAP_TMP/shown")"

block 4 >"$TAP_TMP/own.idg"
tap_ok "the newcomer's own graph runs" "$PIPESIM" "$TAP_TMP/own.idg" --gpu pascal.xml --param n=8
tap_like 'as the kernel that it names' '^dot on GeForce' "$(cat "$TAP_OUT")"
tap_done

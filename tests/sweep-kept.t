#!/bin/sh
# SPDX-License-Identifier: BSD-3-Clause
# Runs: quick check sanitize
# What --resume refuses in a file that is there, and where it says that is. Random changes of such files are in
# resume.pl, sweeps that were stopped in sweep.t.
. tests/tap.sh

input=tests/golden/input
kept=$TAP_TMP/kept.csv
sweep="sweep $input/chain.idg --gpu $input/toy.xml --vary n=1..3"
# shellcheck disable=SC2086 # command lines are words
tap_ok 'a sweep that is kept' "$PIPESIM" $sweep --format csv --output "$TAP_TMP/whole.csv"

# refuses NAME PATTERN: to continue the file, which stays as it is.
refuses() {
    cp "$kept" "$TAP_TMP/before.csv"
    # shellcheck disable=SC2086 # command lines are words
    tap_exit "$1" 1 "$PIPESIM" $sweep --resume "$kept"
    tap_like '... is said' "$2" "$(cat "$TAP_ERR")"
    tap_ok '... and nothing is changed' cmp "$kept" "$TAP_TMP/before.csv"
}

{ cat "$TAP_TMP/whole.csv"; printf chain; } >"$kept"
refuses 'what begins a row behind the last point' 'kept.csv:5: all points of this sweep stand above this row'
sed '3s/^chain,Toy/chain,Boy/' "$TAP_TMP/whole.csv" >"$kept"
refuses 'a row of another GPU' 'kept.csv:3:7: this row is not that of point 2'
sed '3s/.,\(s[0-9a-f]*\)$/,\1/' "$TAP_TMP/whole.csv" >"$kept"
refuses 'a check that is too short' 'kept.csv:3:[0-9]+: check: it does not fit the row'
sed '3s/.$//' "$TAP_TMP/whole.csv" >"$kept"
refuses 'the name of a sweep that is too short' 'kept.csv:3:[0-9]+: this row is not that of point 2'
tap_done

#!/bin/sh
# SPDX-License-Identifier: BSD-3-Clause
# Runs: check
# The golden tests see what they are for: a byte, a line's end, a status, a file too much or too few; and UPDATE=1
# writes what is.
# shellcheck disable=SC2016 # sed and the case's shell shall see what stands in quotes
. tests/tap.sh
GOLDEN=$TAP_TMP/golden
export GOLDEN
mkdir "$GOLDEN"
case=$GOLDEN/sweep.case

# The case as it must be: a call that writes to all that is watched.
fresh() {
    rm -f "$GOLDEN"/*
    echo 'pipesim sweep saxpy.idg --gpu pascal.xml --vary active=1,999 --output "$OUT/points.csv"' >"$case"
    UPDATE=1 tests/golden.t >/dev/null 2>&1
}

# fails NAME COMMAND...: after the command the golden tests fail; before it they passed.
fails() {
    fails_name=$1
    shift
    fresh
    tests/golden.t >/dev/null 2>&1 || echo "$fails_name: it fails as it was written" | tap_diag
    "$@"
    tap_exit "$fails_name" 1 tests/golden.t
}

fresh
tap_ok 'what UPDATE=1 wrote passes' tests/golden.t sweep
tap_is 'all that there is is in it' "$(grep '^-- ' "$case" | tr '\n' ' ')" '-- stderr -- -- OUT/points.csv -- '
fails 'another byte' sed -i '3s/ /;/' "$case"
fails 'a line less' sed -i '$d' "$case"
fails 'a status that is none' sh -c "echo '-- status 1 --' >>$case"
fails 'no newline at the end' sed -i 's/points.csv --$/points.csv, without its last newline --/' "$case"
fails 'a last line without its newline' sh -c "printf %s \"\$(cat $case)\" >$case"
fails 'a file that the case does not know' sed -i '/^-- OUT/,$d' "$case"
fails 'a file that is not there' sh -c "printf '%s\n' '-- OUT/x --' x >>$case"
fails 'a file of no case' touch "$GOLDEN/sweep.out"
fails 'a call of nothing' sed -i '1s/pipesim/pipesm/' "$case"

fresh
echo 'pipesim sweep saxpy.idg --gpu none.xml' >"$case"
tap_exit 'a first line alone fails' 1 tests/golden.t
UPDATE=1 tests/golden.t >/dev/null 2>&1
tap_like 'until it is written: its status' '^-- status [12] --$' "$(tail -n 1 "$case")"
tap_done

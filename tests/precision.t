#!/bin/sh
# SPDX-License-Identifier: BSD-3-Clause
# Runs: nightly
# Long runs are extrapolated and say their interval; --exact and short runs are not; what is no
# precision is refused.
. tests/tap.sh

v100="mmul16.idg --gpu v100.xml"

# refused NAME OPTIONS...: wrong usage, and the message names the option.
refused() {
    name=$1
    shift
    tap_exit "$name is refused" 2 "$PIPESIM" mmul08.idg --gpu pascal.xml "$@"
    tap_like "$name: the message says why" 'precision' "$(head -1 "$TAP_ERR")"
}

refused 'a precision of 0' --precision 0%
refused 'a negative precision' --precision=-1%
refused 'a precision above 50 %' --precision 50.1%
refused 'no number' --precision fine%
refused 'a precision without per cent' --precision 0.005
refused 'a precision of what is exact' --precision 1% --exact
refused 'a precision where nothing is skipped' --precision 1% --no-fast-forward

# shellcheck disable=SC2086
{
    tap_ok 'a long run' "$PIPESIM" $v100 --param size=8192
    cp "$TAP_OUT" "$TAP_TMP/first"
    tap_like 'says its interval' '^Time  *[0-9.]* ms \+- [0-9.]*,' "$(grep '^Time' "$TAP_TMP/first")"
    tap_like 'and how much of it was extrapolated' '[0-9.]* % of the time' "$(grep '^Estimated' "$TAP_TMP/first")"
    tap_ok 'the same call' "$PIPESIM" $v100 --param size=8192
    cp "$TAP_OUT" "$TAP_TMP/second"
    tap_ok 'gives the same digits' cmp "$TAP_TMP/first" "$TAP_TMP/second"

    "$PIPESIM" $v100 --param size=8192 --format json >"$TAP_TMP/json"
    tap_like 'JSON has the interval' 'half_width_seconds": 0[.]0*[1-9]' "$(cat "$TAP_TMP/json")"

    tap_like '... which time did not cut short' '"cut": false' "$(cat "$TAP_TMP/json")"

    "$PIPESIM" $v100 --param size=4096 --precision 5% --format csv >"$TAP_TMP/csv"
    tap_like 'CSV has the interval, in its last column' '^half_width_seconds [0-9.e-]*[1-9][0-9.e-]*$' \
        "$(awk -F, '{ printf "%s%s", sep, $NF; sep = " " }' "$TAP_TMP/csv")"

    for jobs in 1 2; do
        "$PIPESIM" sweep $v100 --vary size=4096,8192 --jobs $jobs >"$TAP_TMP/$jobs"
    done
    tap_ok 'a sweep gives the same, whatever --jobs' cmp "$TAP_TMP/1" "$TAP_TMP/2"
    tap_is 'and says each interval' "$(grep -c 's +-' "$TAP_TMP/1")" 2

    "$PIPESIM" mmul08.idg --gpu pascal.xml --param size=65536 >"$TAP_TMP/exact"
    "$PIPESIM" $v100 --param size=512 >>"$TAP_TMP/exact"
    tap_is 'what repeats exactly has none, nor what is short' "$(grep -c '+-\|^Estimated' "$TAP_TMP/exact")" 0
}
tap_done

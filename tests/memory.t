#!/bin/sh
# SPDX-License-Identifier: BSD-3-Clause
# Runs: check
# Loops stay rolled: mmul08 of order 2^20, which issues 10^16 warp instructions per CU, loads and
# runs within 50 MB. The answer comes at once, since what repeats is skipped; without that the run
# would take years, and is ended after a second on the processor.
. tests/tap.sh

limit_kb=51200
large='mmul08.idg --gpu pascal.xml --param size=1048576 --tables'

if [ -n "$PIPESIM_CHECKER" ]; then
    tap_skip 'a matrix of order 2^20' "$PIPESIM_CHECKER needs memory of its own"
    tap_done
    exit
fi

# with_data KB COMMAND...: with so much memory for its data.
with_data() (
    # shellcheck disable=SC3045 # dash, bash and busybox know -d
    ulimit -d "$1" && shift && "$@"
)

# shellcheck disable=SC2086 # $large is several words
{
tap_ok "a matrix of order 2^20 is answered within $limit_kb kB" \
    with_data $limit_kb timeout 600 "$PIPESIM" $large
tap_like 'since nearly all of its time is skipped' '^Skipped +100.0 % of the cycles' "$(cat "$TAP_OUT")"

"$PIPESIM" $large --no-fast-forward >"$TAP_OUT" 2>&1 &
}
pid=$!
# has_worked: for a second.
has_worked() {
    awk -v each="$(getconf CLK_TCK)" '{ exit $14 + $15 < each }' "/proc/$pid/stat"
}
tap_wait has_worked
peak=$(awk '/^VmHWM:/ { print $2 }' "/proc/$pid/status")
state=$(awk '/^State:/ { print $2 }' "/proc/$pid/status")
kill "$pid"
wait "$pid" 2>/dev/null

tap_like 'every instruction of it is being simulated' '^[RSD]$' "$state"
tap_ok "its memory peaks at ${peak:-?} kB, below $limit_kb kB" [ "${peak:-$limit_kb}" -lt "$limit_kb" ]
tap_is 'nothing was printed before the answer' "$(cat "$TAP_OUT")" ''
tap_done

#!/bin/sh
# SPDX-License-Identifier: BSD-3-Clause
# Loops stay rolled: mmul08 of order 2^20, which issues 10^16 warp instructions per CU, loads and
# starts within 50 MB. The run would take years, so it is ended after a second and a half.
. tests/tap.sh

limit_kb=51200

if [ -n "$PIPESIM_CHECKER" ]; then
    tap_skip 'a matrix of order 2^20' "$PIPESIM_CHECKER needs memory of its own"
    tap_done
    exit
fi

"$PIPESIM" mmul08.idg --gpu pascal.xml --param size=1048576 >"$TAP_OUT" 2>&1 &
pid=$!
sleep 1.5
peak=$(awk '/^VmHWM:/ { print $2 }' "/proc/$pid/status")
state=$(awk '/^State:/ { print $2 }' "/proc/$pid/status")
kill "$pid"
wait "$pid" 2>/dev/null

tap_like 'a matrix of order 2^20 is being simulated' '^[RS]$' "$state"
tap_ok "its memory peaks at ${peak:-?} kB, below $limit_kb kB" [ "${peak:-$limit_kb}" -lt "$limit_kb" ]
tap_is 'nothing was printed before the answer' "$(cat "$TAP_OUT")" ''
tap_done

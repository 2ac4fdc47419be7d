#!/bin/sh
# SPDX-License-Identifier: BSD-3-Clause
# Runs: quick check
# Products of matrices by wgmma and TMA, as graphs have them by hand: each way to write one is faster than the one before
# it, as everybody finds, and none reaches the peak of the tensor cores.
. tests/tap.sh

# Microseconds, to the nearest, without the launch.
time_of() {
    "$PIPESIM" "graphs/$1.idg" --gpu h100 --format json >"$TAP_OUT"
    awk 'match($0, /"cycles": [0-9.]+/) && !cycles { cycles = substr($0, RSTART + 10, RLENGTH - 10) }
        match($0, /"clock_mhz": [0-9.]+/) { printf "%.0f", cycles / substr($0, RSTART + 13, RLENGTH - 13); exit }' "$TAP_OUT"
}

before=1000000
for graph in product-wgmma product-wgmma-stages product-wgmma-roles product-wgmma-two-consumers; do
    us=$(time_of "$graph")
    tap_ok "$graph takes less than what is simpler, $us us" test "$us" -lt "$before"
    # 2 * 4096^3 operations, 4096 in a cycle of each of 132 compute units.
    tap_ok '... and more than its tensor cores' test "$us" -gt 128
    tap_ok '... and reaches 60 % of 800 TFLOP/s' test "$us" -lt 287
    before=$us
done
tap_done

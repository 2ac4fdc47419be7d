#!/bin/sh
# SPDX-License-Identifier: BSD-3-Clause
# Runs: nightly
# What Triton makes of an attention for Hopper (tests/hopper/triton-attention.py) takes longer than its products, and
# what is published for such kernels within 15 % (docs/evidence/attention.md). Our own is written in three ways, of
# which the last is the fastest of those that take turns.
. tests/tap.sh

N=16384 HEADS=16

# To the nearest, of the answer in $TAP_OUT.
microseconds() {
    awk 'match($0, /"cycles": [0-9.]+/) && !cycles { cycles = substr($0, RSTART + 10, RLENGTH - 10) }
        match($0, /"clock_mhz": [0-9.]+/) { printf "%.0f", cycles / substr($0, RSTART + 13, RLENGTH - 13); exit }' "$TAP_OUT"
}

BYTES=$((N * HEADS * 128 * 2))
set -- --arg "zero:$BYTES" --arg "zero:$BYTES" --arg "zero:$BYTES" --arg "zero:$BYTES"
"$PIPESIM" tests/hopper/triton-attention.ptx --from ptx --gpu h100 --grid "$((N / 128)),$HEADS" --block 256 \
    --shared 131072 --registers 141 "$@" --arg $N --arg 0.1275 --arg zero:8 --arg zero:8 --no-cache --format json \
    >"$TAP_OUT" 2>"$TAP_TMP/said"
us=$(microseconds)
tap_ok 'an attention is answered without a warning' test ! -s "$TAP_TMP/said"
# 4 * 16 * 16384^2 * 128 operations: at 989 TFLOP/s, and at 477 more and less 15 %.
tap_ok "... takes more than its tensor cores, $us us" test "${us:-0}" -gt 2223
tap_ok '... and is not more than 15 % faster than what is published' test "${us:-0}" -gt 4008
tap_ok '... nor so much slower' test "${us:-1000000}" -lt 5424

MAP=tensor:f16:128x$((N * HEADS)):box=64x128:swizzle=128:zero:$BYTES
for way in alone turns ahead; do
    "$PIPESIM" tests/hopper/attention.ptx --from ptx --kernel $way --gpu h100 --grid "$((N / 128)),$HEADS" --block 384 \
        --shared 163840 --registers 168 --arg q="$MAP" --arg k="$MAP" --arg v="$MAP" --arg "o=zero:$BYTES" --arg n=$N \
        --arg scale=0.1275 --no-cache --format json >"$TAP_OUT" 2>"$TAP_TMP/said"
    us=$(microseconds)
    tap_ok "our own, $way, is answered without a warning" test ! -s "$TAP_TMP/said"
    tap_ok "... and takes more than its tensor cores, $us us" test "${us:-0}" -gt 2223
    [ $way = turns ] && turns=$us
done
tap_ok 'who multiplies ahead is faster than who only takes turns' test "${us:-1000000}" -lt "${turns:-0}"
tap_done

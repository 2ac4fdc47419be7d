#!/bin/sh
# SPDX-License-Identifier: BSD-3-Clause
# Runs: nightly
# Time of products of 1024 x 1024 on an RTX PRO 6000 Max-Q, from PTX: each is faster than the one before, as was measured of
# such kernels (docs/evidence/fidelity.md), and none is faster than the tensor cores.
. tests/tap.sh

# KERNEL BLOCK: nanoseconds, without the launch's.
time_of() {
    "$PIPESIM" tests/blackwell/ladder.ptx --from ptx --gpu pro6000mq --kernel "$1" --grid 8x8 --block "$2" --cache warm \
        --arg 0=zero:4M --arg 1=zero:4M --arg 2=zero:4M --arg 3=1024 --no-cache --format json >"$TAP_OUT" 2>"$TAP_ERR" ||
        return
    awk 'match($0, /"cycles": [0-9.]+/) { printf "%.0f", substr($0, RSTART + 10, RLENGTH - 10) / 2.28; exit }' "$TAP_OUT"
}

before=99999999
for kernel in mma_base:512 mma_swizzle:512 mma_vec:512 mma_fp8:128 mma_mxfp4:128; do
    now=$(time_of "${kernel%:*}" "${kernel#*:}")
    tap_ok "${kernel%:*} takes ${now:-no} ns, less than the one before" test "${now:-99999999}" -lt "$before"
    before=${now:-0}
done
tap_ok '... and more than 4 bits take at the peak of 1756 TFLOP/s' test "$before" -gt 1223
tap_done

#!/bin/sh
# SPDX-License-Identifier: BSD-3-Clause
# Runs: nightly
# Time of products with tensor memory on a B200: what Triton makes of a product of 4096 x 4096, from PTX, stays below the
# tensor cores' peak and above what simple kernels reach there, as does our own by groups and by pairs of them; a product
# that a GPU has no unit for is an error.
. tests/tap.sh

# TFLOP/s of 4096^3 by the answer in $TAP_OUT, at the clock that power leaves it.
tera() {
    awk 'match($0, /"cycles": [0-9.]+/) && !cycles { cycles = substr($0, RSTART + 10, RLENGTH - 10) }
        match($0, /"clock_mhz": [0-9.]+/) {
            printf "%.0f", 2 * 4096^3 / cycles * substr($0, RSTART + 13, RLENGTH - 13) * 1e6 / 1e12; exit }' "$TAP_OUT"
}

# FILE BYTES: TFLOP/s, to the nearest, without the launch; what is said goes to $TAP_TMP/said.
rate_of() {
    "$PIPESIM" "tests/blackwell/triton-product-$1-100.ptx" --from ptx --gpu "${3:-b200}" --grid 32x32 --block 128 \
        --shared 99400 --registers 255 --arg 0="zero:$((4096 * 4096 * $2))" --arg 1="zero:$((4096 * 4096 * $2))" \
        --arg 2=zero:33554432 --arg 3=4096 --arg 4=4096 --arg 5=4096 --arg 6=zero:16 --arg 7=zero:16 --no-cache \
        --format json >"$TAP_OUT" 2>"$TAP_TMP/said" || return
    tera
}

halves=$(rate_of fp16 2)
tap_ok "4096^3 in halves takes less than the tensor cores give, $halves TFLOP/s" test "${halves:-9999}" -lt 2250
tap_ok '... and reaches what people see of such kernels' test "${halves:-0}" -gt 600
tap_ok '... without a warning' test ! -s "$TAP_TMP/said"
bytes=$(rate_of fp8e4nv 1)
tap_ok "4096^3 in 8 bits, $bytes TFLOP/s, is faster" test "${bytes:-0}" -gt "${halves:-9999}"
tap_ok '... and takes less than the tensor cores give' test "${bytes:-9999}" -lt 4500
tap_ok 'a GPU without tensor memory is none for it' test -z "$(rate_of fp16 2 h100)"
tap_ok '... which is said' grep -q "asks for class 'tensor[^']*', which GPU 'H100 " "$TAP_TMP/said"

# Our own product: a pair of groups reads half as much of B for each, so it is faster.
MAP=tensor:f16:4096x4096:box=64x128:swizzle=128:zero:33554432
gemm_of() {
    "$PIPESIM" tests/blackwell/gemm.ptx --from ptx --kernel "$1" --gpu b200 --grid 512 --block 192 --shared 196608 \
        --registers 96 --arg 0=$MAP --arg 1=$MAP --arg 2=zero:33554432 --arg 3=4096 --no-cache --format json \
        >"$TAP_OUT" 2>"$TAP_TMP/said" || return
    tera
}
single=$(gemm_of single)
tap_ok "a group alone reaches $single TFLOP/s, less than the peak" test "${single:-9999}" -lt 2250
tap_ok '... and more than Triton' test "${single:-0}" -gt "${halves:-9999}"
pair=$(gemm_of pair)
mhz=$(sed -n 's/.*"clock_mhz": \([0-9]*\).*/\1/p' "$TAP_OUT" | head -1)
tap_ok "a pair of groups reaches $pair, no less than one alone" test "${pair:-0}" -ge "${single:-9999}"
tap_ok '... and less than the peak' test "${pair:-9999}" -lt 2250
tap_ok "... at a clock that power lowers, $mhz MHz" test "${mhz:-9999}" -lt 1965
tap_ok '... by no more than full tensor cores would' test "${mhz:-0}" -ge 1366
tap_done

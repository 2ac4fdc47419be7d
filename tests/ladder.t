#!/bin/sh
# SPDX-License-Identifier: BSD-3-Clause
# Runs: nightly
# A product of matrices on Hopper, written in five ways and executed: each is faster than the one before it, as everybody
# finds, and no answer reaches the peak of the tensor cores.
. tests/tap.sh

N=4096
MAP=tensor:f16:${N}x$N:box=64x128:swizzle=128:zero:$((2 * N * N))

# KERNEL GROUPS THREADS BYTES REGISTERS [OPTION...]: microseconds, to the nearest, without the launch; warnings go to $TAP_TMP/said.
time_of() {
    launch="--kernel $1 --grid $2 --block $3 --shared $4 --registers $5"
    shift 5
    # shellcheck disable=SC2086 # the launch is words
    "$PIPESIM" tests/hopper/gemm-ladder.ptx --from ptx --gpu h100 $launch --arg a_map="$MAP" --arg b_map="$MAP" \
        --arg c=zero:$((2 * N * N)) --arg n=$N --no-cache "$@" --format json >"$TAP_OUT" 2>"$TAP_TMP/said" || return
    awk 'match($0, /"cycles": [0-9.]+/) && !cycles { cycles = substr($0, RSTART + 10, RLENGTH - 10) }
        match($0, /"clock_mhz": [0-9.]+/) { printf "%.0f", cycles / substr($0, RSTART + 13, RLENGTH - 13); exit }' "$TAP_OUT"
}

before=1000000
while read -r kernel groups threads bytes registers; do
    us=$(time_of "$kernel" "$groups" "$threads" "$bytes" "$registers")
    tap_ok "$kernel takes less than what is simpler, $us us" test "${us:-1000000}" -lt "$before"
    # 2 * 4096^3 operations, 4096 in a cycle of each of 132 compute units.
    tap_ok '... and more than its tensor cores' test "${us:-0}" -gt 128
    tap_ok '... without a warning' test ! -s "$TAP_TMP/said"
    before=${us:-0}
done <<KERNELS
plain 1024 128 32768 154
stages 1024 128 131072 154
one 1024 256 131072 154
two 512 384 196608 168
persistent 132 384 196608 168
KERNELS
# Of a second consumer and a tile twice as large advice tells as much as the next kernel gains, within five points.
told=$(time_of one 1024 256 131072 154 --advise >/dev/null && sed -n 's/.*"kind": "consumers".*"gain": \([0-9.]*\).*/\1/p' "$TAP_OUT")
came=$(awk "BEGIN { print 1 - $(time_of two 512 384 196608 168) / $(time_of one 1024 256 131072 154) }")
tap_ok "two consumers gain ${told:-nothing}, told, and $came" awk "BEGIN { exit !(${told:-9} - $came < .05 && $came - ${told:-9} < .05) }"
tap_ok 'the best reaches 60 % of 800 TFLOP/s' test "$before" -lt 287
tap_done

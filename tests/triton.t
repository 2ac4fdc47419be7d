#!/bin/sh
# SPDX-License-Identifier: BSD-3-Clause
# Runs: quick check
# Shared memory of a launch, from what Triton writes beside a cubin; graphs that are kept know of it.
. tests/tap.sh

export XDG_CACHE_HOME="$TAP_TMP/cache"
cp tests/cases/row-sums.cubin "$TAP_TMP/k.cubin"
kernel=_Z1kPKfPfii

# has BYTES [OPTION...]: the graph has so many bytes of shared memory.
has() {
    bytes=$1
    shift
    tap_ok "$bytes bytes $*" "$PIPESIM" run "$TAP_TMP/k.cubin" --gpu a100 --nvdisasm tests/stand-in/nvdisasm --format json \
        --grid 64 --block 256 --arg 0=zero:16M --arg 1=zero:64K --arg 2=64 --arg 3=256 "$@"
    tap_like '... are those of the answer' "\"local_memory_bytes\": ${bytes}[,}]" "$(grep local_memory_bytes "$TAP_OUT")"
}

has 0
printf '{"num_warps": 8, "shared": 8192, "name": "%s"}' "$kernel" >"$TAP_TMP/k.json"
has 8192
tap_like '... and it is said where they are from' "k.json: a launch of \"$kernel\" has 8192 bytes of shared memory, as Triton wrote there;" \
    "$(cat "$TAP_ERR")"
has 8192
printf '{"num_warps": 8, "shared": 16384, "name": "%s"}' "$kernel" >"$TAP_TMP/k.json"
has 16384
has 1024 --shared 1K
tap_is '... which the user said, so nothing is told' "$(grep -c Triton "$TAP_ERR")" 0
printf '{"num_warps": 8, "shared": 8192, "name": "another"}' >"$TAP_TMP/k.json"
has 0
tap_done

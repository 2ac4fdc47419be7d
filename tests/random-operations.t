#!/bin/sh
# SPDX-License-Identifier: BSD-3-Clause
# Runs: nightly
# 1 344 random kernels as PTX and as the machine code that ptxas makes of them for seven architectures: results, and
# operations by type (tests/unit/operations-random.c, tests/unit/sass-work.c). Skipped where ptxas or nvdisasm is missing.
. tests/tap.sh

for needed in ptxas nvdisasm; do
    command -v $needed >/dev/null && continue
    tap_skip 'random kernels in machine code' "no $needed on PATH"
    tap_done
done

# One module of the kernels of several runs.
one_module() {
    awk '!/^\.(version|target|address_size)/ || !seen[$1]++'
}

# kernels KIND FROM TO: random ones of all generators.
kernels() {
    for seed in $(seq "$2" "$3"); do
        case $1 in
        random) tests/sass/random.pl "$seed" 25 "random_$seed" ;;
        fused) tests/sass/straight.pl "$seed" "fused_$seed" fused ;;
        integers) tests/sass/integers.pl "$seed" "integers_$seed" ;;
        *) tests/sass/straight.pl "$seed" "straight_$seed" ;;
        esac
    done | one_module
}

# Of each kind 336 kernels, in modules of 48.
folder=$TAP_TMP/modules
mkdir "$folder"
from=1
for arch in 75 80 86 89 90 100 120; do
    for kind in straight fused integers random; do
        name=$folder/$kind-$arch
        kernels $kind $from $((from + 47)) >"$name.ptx"
        tap_ok "ptxas compiles 48 kernels ($kind) for sm_$arch" ptxas -arch=sm_$arch "$name.ptx" -o "$name.cubin"
        nvdisasm -json "$name.cubin" >"$name.json"
    done
    from=$((from + 48))
done
tap_is 'there are a thousand kernels' "$(cat "$folder"/*.ptx | grep -c '\.entry' | awk '{ print ($1 >= 1000) }')" 1
tap_ok 'results and operations are those of the PTX' \
    env OPERATIONS_FOLDER="$folder" "${BUILD:-build}/tests/unit/operations-random.t"
grep -v '^# [a-z]*_[0-9]*$' "$TAP_OUT" >&2
tap_ok 'each instruction counts as what it does' \
    env SASS_LISTINGS="$folder" "${BUILD:-build}/tests/unit/sass-work.t" -p /sass-work/listings
grep -v '^# [a-z]*_[0-9]*$' "$TAP_OUT" >&2
tap_done

#!/bin/sh
# SPDX-License-Identifier: BSD-3-Clause
# operations.sh FROM TO ARCH...: random kernels (random.pl with the seeds FROM to TO) as the machine code that ptxas makes of
# them for each architecture (75, 120): whether each instruction counts as what it does (tests/unit/sass-work.c, which is
# built). Needs ptxas and nvdisasm.
set -eu
here=$(dirname "$0") seed=$1 last=$2
shift 2
root=$(cd "$here/../.." && pwd)
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
trap 'exit 1' HUP INT TERM
while [ "$seed" -le "$last" ]; do
    "$here/random.pl" "$seed" >"$folder/r.ptx"
    for arch; do
        name=$folder/$seed-$arch
        ptxas -arch="sm_$arch" "$folder/r.ptx" -o "$name.cubin" && nvdisasm -json "$name.cubin" >"$name.json"
    done
    seed=$((seed + 1))
done
cd "$root"
SASS_LISTINGS=$folder "${BUILD:-build}/tests/unit/sass-work.t" -p /sass-work/listings

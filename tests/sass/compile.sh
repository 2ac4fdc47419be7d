#!/bin/sh
# SPDX-License-Identifier: BSD-3-Clause
# compile.sh [FOLDER]: the machine code beside this script anew, of kernels of tests/corpus: PTX without lines of the
# source, one kernel, through ptxas and nvdisasm, which must be on PATH. Tests need neither. With line tables the code
# is the same, so that the same listing goes with it.
set -eu
here=$(dirname "$0") out=${1:-$(dirname "$0")}
ptx=$(mktemp)
trap 'rm -f "$ptx"' EXIT

# make NAME KERNEL ARCH
make() {
    sed '/^[[:space:]]*\.\(loc\|file\)[[:space:]]/d; /^[[:space:]]*\.section/,/^[[:space:]]*}/d' "$here/../corpus/$1.ptx" >"$ptx"
    ptxas -arch="sm_$3" -e "$2" "$ptx" -o "$out/$1-$3.cubin"
    symbol=$(readelf -sW "$out/$1-$3.cubin" 2>/dev/null | awk -v kernel="$2" '$4 == "FUNC" && $NF == kernel { print $1 + 0 }')
    nvdisasm -json -fun "$symbol" "$out/$1-$3.cubin" >"$out/$1-$3.json"
}

ptxas -arch=sm_80 -lineinfo "$here/../corpus/mmul16.ptx" -o "$out/mmul16-lines-80.cubin"
for arch in 80 120; do
    make calls calls $arch
    make histogram histogram_shared $arch
    make mmul16 mmul $arch
    make reduction reduce_shuffle $arch
    make saxpy saxpy $arch
done

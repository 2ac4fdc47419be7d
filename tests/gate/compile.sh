#!/bin/sh
# SPDX-License-Identifier: BSD-3-Clause
# Makes the cubins of tests/gate anew, with nvcc and ptxas; lines are those of the sources there. With registers for
# few, spilled.cubin keeps some of them in memory.
set -eu
cd "$(dirname "$0")"
make_cubin() {
    source=$1 cubin=$2 arch=$3
    shift 3
    nvcc -ptx -lineinfo "-arch=$arch" -o "$cubin.ptx" "$source.cu"
    sed -i "s,\"[^\"]*/$source.cu\",\"kernels/sums.cu\"," "$cubin.ptx"
    ptxas -lineinfo "-arch=$arch" "$@" -o "$cubin.cubin" "$cubin.ptx"
    rm "$cubin.ptx"
}
make_cubin before before sm_80
make_cubin after after sm_80
make_cubin before spilled sm_80 --maxrregcount 24
make_cubin before before-90 sm_90
ptxas -lineinfo -arch=sm_80 -o lines.cubin lines.ptx

#!/bin/sh
# SPDX-License-Identifier: BSD-3-Clause
# compile.sh: the machine code beside this script anew, by nvcc and ptxas of CUDA 13 and by nvdisasm, which must be on PATH, and
# names.ptx, float-sums.ptx and any-sums*.ptx. Some sources are those of ../mechanisms. saxpy.cl needs clang and libclc (Debian: clang-14, libclc-14-dev), too.
# Tests need none of them.
set -eu
cd "$(dirname "$0")"
LIBCLC=${LIBCLC:-/usr/lib/clc/nvptx64--nvidiacl.bc}
ptx=$(mktemp)
trap 'rm -f "$ptx"' EXIT

# code NAME KERNEL ARCH: machine code of the PTX, and its listing.
code() {
    ptxas -arch="sm_$3" -e "$2" "$ptx" -o "$1.cubin"
    nvdisasm -json "$1.cubin" >"$1.json"
}

# cuda NAME KERNEL ARCH SOURCE [OPTION...]: one kernel of the source.
cuda() {
    name=$1 kernel=$2 arch=$3 source=$4
    shift 4
    nvcc -ptx -arch="sm_$arch" "$@" -o "$ptx" "$source"
    code "$name" "$kernel" "$arch"
}

cuda kidiv kidiv 89 rcp-fp64.cu -use_fast_math
cuda krsq krsq 89 rcp-fp64.cu -use_fast_math
cuda h1s h1s 86 half-scalar.cu
cuda h2s h2s 86 half-scalar.cu
cuda im2col _Z6im2colPKfPfiiii 86 im2col.cu
cuda both both 80 int-ceiling.cu
cuda row-sums _Z1kPKfPfii 75 row-sums.cu
cuda softmax softmax 80 softmax.cu
cuda sums-one one 80 float-sums.cu
cuda sums-own own 80 float-sums.cu
for kernel in double xor half halves; do
    cuda "any-$kernel" "any_$kernel" 80 any-sums.cu
done
cuda any-far far 90 any-sums.cu
cuda three-loops _Z3twoPKfPfi 80 three-loops.cu
cuda vote kvote 75 ../mechanisms/vote.cu
cuda redux kredux 80 ../mechanisms/vote.cu
for entries in 16 256; do
    cuda "constant-$entries" klut_c 80 ../mechanisms/constant-lanes.cu -DN=$entries
    cuda "global-$entries" klut_g 80 ../mechanisms/constant-lanes.cu -DN=$entries
    cuda "look-ups-$entries" look 86 look-ups.cu -DN=$entries
done
for mode in 0 1 2 3; do
    cuda "lds128-$mode" u 75 ../mechanisms/lds128.cu -DMODE=$mode
done
for kernel in hg hs; do
    cuda "$kernel" "$kernel" 90 ../mechanisms/histogram.cu
done
for kernel in rd ttile tpad; do
    cuda "$kernel" "$kernel" 90 ../mechanisms/transpose.cu
done

{
    echo '// SPDX-License-Identifier: BSD-3-Clause'
    nvcc -ptx -arch=sm_80 -o - names.cu
} >names.ptx
{
    echo '// SPDX-License-Identifier: BSD-3-Clause'
    nvcc -ptx -arch=sm_80 -o - float-sums.cu
} >float-sums.ptx
{
    echo '// SPDX-License-Identifier: BSD-3-Clause'
    nvcc -ptx -arch=sm_80 -o - any-sums.cu
} >any-sums.ptx
{
    echo '// SPDX-License-Identifier: BSD-3-Clause'
    nvcc -ptx -arch=sm_90 -o - any-sums.cu
} >any-sums-90.ptx

clang --target=nvptx64-nvidia-nvcl -x cl -O2 -march=sm_60 -Xclang -mlink-builtin-bitcode -Xclang "$LIBCLC" -Wno-linker-warnings \
    -S -o "$ptx" saxpy.cl
code saxpy saxpy 80

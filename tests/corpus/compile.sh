#!/bin/sh
# SPDX-License-Identifier: BSD-3-Clause
# Makes the PTX of the kernels in this folder, in ../pairs, ../agents, ../hopper and ../blackwell anew: CUDA by nvcc (CUDA
# 13), OpenCL by clang for nvptx64 with libclc's work-item functions (Debian: clang-14 and libclc-14-dev). Without these
# compilers it says so and leaves things as they are: the PTX is in the repository, so that tests need no compiler. What
# was written as PTX by hand (table.ptx, triton-*.ptx, bad/) stays.
#
# Architectures are the least that the compiler or the kernel allows, so that the PTX shows few features
# beyond those that a kernel needs. Line tables name sources, wherever they and the toolkit lie.
set -eu
cd "$(dirname "$0")"
PATH=$PATH:${CUDA:-/usr/local/cuda}/bin
LIBCLC=${LIBCLC:-/usr/lib/clc/nvptx64--nvidiacl.bc}

# tidy PTX: with our licence, without folders in its line table, and with zeroes for the checksum of a path
# in the names that the compiler makes up (_INTERNAL_ and eight digits), which stand there as tables of bytes.
tidy() {
    echo '// SPDX-License-Identifier: BSD-3-Clause'
    perl -0777 -pe '
        s{^(\s*\.file\s+\d+\s+")(?:\." ")?(?:[^"]*/)?}{$1}mg;
        $next = qr/(?:,|\n\.b8 )/;
        $internal = join $next, map ord, split //, "_INTERNAL_";
        s{$internal\K((?:$next\d+){8})}{(my $eight = $1) =~ s/(?<!b)\d+/48/g; $eight}eg;' "$1"
}

# cuda SOURCE PTX ARCHITECTURE [OPTION...]
cuda() {
    source=$1 ptx=$2 architecture=$3
    shift 3
    nvcc -ptx -lineinfo -arch="$architecture" "$@" -o "$ptx.new" "$source"
    tidy "$ptx.new" >"$ptx"
    rm "$ptx.new"
}

# clang_with_libclc ARGUMENT...: compiles OpenCL for nvptx64.
clang_with_libclc() {
    clang --target=nvptx64-nvidia-nvcl -x cl -O2 -march=sm_60 -gline-directives-only \
        -fdebug-compilation-dir=. -Wno-linker-warnings -Xclang -mlink-builtin-bitcode \
        -Xclang "$LIBCLC" "$@"
}

# opencl SOURCE PTX [OPTION...]
opencl() {
    source=$1 ptx=$2
    shift 2
    clang_with_libclc "$@" -S -o "$ptx.new" "$source"
    tidy "$ptx.new" >"$ptx"
    rm "$ptx.new"
}

if command -v nvcc >/dev/null; then
    for source in *.cu ../pairs/*.cu ../agents/*.cu ../hopper/*.cu ../blackwell/*.cu; do
        [ -e "$source" ] || continue # elsewhere, alone
        name=${source%.cu}
        case $name in
        mmul)
            cuda mmul.cu mmul08.ptx sm_75 -DTILE=8
            cuda mmul.cu mmul16.ptx sm_75 -DTILE=16
            ;;
        ../pairs/exact-*-after) cuda "$source" "$name.ptx" sm_75 -use_fast_math ;;
        */stages* | */consumers* | */multicast* | */columns*) cuda "$source" "$name.ptx" sm_90a ;;
        gemm-async | gemm-tensor | mma | */block* | */halves*) cuda "$source" "$name.ptx" sm_80 ;;
        ../hopper/gemm-shapes) ;; # ../validate/shapes.pl compiles it in many sizes
        ../hopper/gemm-scaled)
            made=$(mktemp -d)
            ../hopper/multiply.pl e4m3 96 >"$made/multiply.cuh"
            cuda "$source" "$name.ptx" sm_90a "-I$made" -DROWS=128 -DCOLUMNS=96 -DSTAGES=2 -DPAIR=2
            rm -r "$made"
            ;;
        ../hopper/*) cuda "$source" "$name.ptx" sm_90a ;;
        ../blackwell/ladder) cuda "$source" "$name.ptx" sm_120a ;;
        ../blackwell/*) cuda "$source" "$name.ptx" sm_100a ;;
        *) cuda "$source" "$name.ptx" sm_75 ;;
        esac
    done
    # Packed, as the repository has it; without times and owners, so that the same PTX is the same archive.
    [ ! -d ../pairs ] ||
        (cd ../pairs && tar --sort=name --mtime=@0 --owner=0 --group=0 --numeric-owner -cf - -- *.ptx | gzip -9n >ptx.tar.gz &&
            touch .unpacked)
else
    echo "compile.sh: nvcc is missing (it is in CUDA's toolkit): kernels in CUDA stay as they are"
fi

# A clang does not read a libclc that a later one made.
if [ -e "$LIBCLC" ] && clang_with_libclc -S -o /dev/null saxpy.cl >/dev/null 2>&1; then
    opencl saxpy.cl saxpy-opencl.ptx
    opencl ../../graphs/mmul.cl mmul16-opencl.ptx -DTILE=16
else
    echo "compile.sh: clang or libclc is missing, or they do not fit (Debian: clang-14, libclc-14-dev): kernels in OpenCL" \
        "stay as they are"
fi

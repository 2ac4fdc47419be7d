#!/bin/sh
# SPDX-License-Identifier: BSD-3-Clause
# compile.sh [FOLDER]: the machine code beside this script anew, for nine architectures: of kernels of tests/corpus (PTX
# without lines of the source, one kernel; one cubin with line tables, which leave the code as it is), of random ones, and of
# some that only machine code needs, whose PTX is kept, too. Needs ptxas and nvdisasm on PATH; tests need neither. Those of CUDA
# 12.8, for sm_70 and sm_72, are where ./bootstrap --only sass puts them, or in the folder OLDER.
set -eu
here=$(dirname "$0") out=${1:-$(dirname "$0")}
: "${OLDER:=${XDG_DATA_HOME:-$HOME/.local/share}/pipesim/sass/older}"
ptx=$(mktemp)
trap 'rm -f "$ptx"' EXIT

# make NAME KERNEL ARCH
make() {
    sed '/^[[:space:]]*\.\(loc\|file\)[[:space:]]/d; /^[[:space:]]*\.section/,/^[[:space:]]*}/d' "$here/../corpus/$1.ptx" >"$ptx"
    ptxas -arch="sm_$3" -e "$2" "$ptx" -o "$out/$1-$3.cubin"
    symbol=$(readelf -sW "$out/$1-$3.cubin" 2>/dev/null | awk -v kernel="$2" '$4 == "FUNC" && $NF == kernel { print $1 + 0 }')
    nvdisasm -json -fun "$symbol" "$out/$1-$3.cubin" >"$out/$1-$3.json"
}

# whole NAME ARCH: all kernels of PTX that is kept.
whole() {
    ptxas -arch="sm_$2" "$out/$1.ptx" -o "$out/$1-$2.cubin"
    nvdisasm -json "$out/$1-$2.cubin" >"$out/$1-$2.json"
}

# corpus ARCH: all kernels of each PTX of the corpus, without lines of the source, in a folder of its own.
corpus() {
    mkdir -p "$out/corpus"
    for source in "$here"/../corpus/*.ptx; do
        name=$(basename "$source" .ptx)
        sed '/^[[:space:]]*\.\(loc\|file\)[[:space:]]/d; /^[[:space:]]*\.section/,/^[[:space:]]*}/d' "$source" >"$ptx"
        ptxas -arch="sm_$1" "$ptx" -o "$out/corpus/$name.cubin"
        nvdisasm -json "$out/corpus/$name.cubin" >"$out/corpus/$name.json"
    done
}

# older NAME ARCH: all kernels of PTX, as if it were for that chip, by CUDA 12.8, which lists subroutines behind each.
older() {
    case $1 in random70 | divisions) cp "$out/$1.ptx" "$ptx" ;; *)
        sed "s/^\.target sm_75/.target sm_$2/; s/^\.version .*/.version 8.7/
            /^[[:space:]]*\.\(loc\|file\)[[:space:]]/d; /^[[:space:]]*\.section/,/^[[:space:]]*}/d" "$here/../corpus/$1.ptx" >"$ptx" ;;
    esac
    "$OLDER/ptxas" -arch="sm_$2" "$ptx" -o "$out/$1-$2.cubin"
    "$OLDER/nvdisasm" -json "$out/$1-$2.cubin" >"$out/$1-$2.json"
}

# What only sm_90a has.
ptxas -arch=sm_90a "$out/warpgroup.ptx" -o "$out/warpgroup-90.cubin"
ptxas -arch=sm_90a "$out/warpgroup-sparse.ptx" -o "$out/warpgroup-sparse-90.cubin"
sed '/^[[:space:]]*\.\(loc\|file\)[[:space:]]/d; /^[[:space:]]*\.section/,/^[[:space:]]*}/d' "$here/../hopper/gemm-roles.ptx" >"$ptx"
ptxas -arch=sm_90a "$ptx" -o "$out/gemm-roles-90.cubin"
sed '/^[[:space:]]*\.\(loc\|file\)[[:space:]]/d; /^[[:space:]]*\.section/,/^[[:space:]]*}/d' "$here/../hopper/cluster-sums.ptx" >"$ptx"
ptxas -arch=sm_90a "$ptx" -o "$out/cluster-sums-90.cubin"
for name in warpgroup warpgroup-sparse gemm-roles cluster-sums; do
    nvdisasm -json "$out/$name-90.cubin" >"$out/$name-90.json"
done

# What goes wrong, with line tables.
for which in hopper:90 blackwell:100; do
    ptxas -lineinfo -arch="sm_${which#*:}a" "$here/../${which%:*}/wrong.ptx" -o "$out/wrong-${which#*:}.cubin"
    nvdisasm -json "$out/wrong-${which#*:}.cubin" >"$out/wrong-${which#*:}.json"
done

# What only sm_100a has: a product of each kind of factors, and what Triton makes.
{
    sed '/^\.visible/,$d' "$here/../blackwell/product.ptx"
    for kind in f16 tf32 f8f6f4 i8; do
        sed -n '/^\.visible/,$p' "$here/../blackwell/product.ptx" | sed "s/entry product/entry product_$kind/; s/kind::KIND/kind::$kind/"
    done
} >"$ptx"
ptxas -arch=sm_100a "$ptx" -o "$out/tensor-products-100.cubin"
ptxas -arch=sm_100a "$out/tensor-memory.ptx" -o "$out/tensor-memory-100.cubin"
for name in triton-product-fp16 triton-product-fp8e4nv triton-attention; do
    sed '/^[[:space:]]*\.\(loc\|file\)[[:space:]]/d; /^[[:space:]]*\.section/,/^[[:space:]]*}/d' "$here/../blackwell/$name-100.ptx" >"$ptx"
    ptxas -arch=sm_100a "$ptx" -o "$out/$name-100.cubin"
done
{
    sed '/^\.visible/,$d' "$here/../blackwell/pair.ptx"
    for kind in f16 f8f6f4; do
        sed -n '/^\.visible/,$p' "$here/../blackwell/pair.ptx" | sed "s/entry pair/entry pair_$kind/; s/kind::KIND/kind::$kind/"
    done
} >"$ptx"
ptxas -arch=sm_100a "$ptx" -o "$out/tensor-pairs-100.cubin"
for name in tensor-products tensor-pairs tensor-memory triton-product-fp16 triton-product-fp8e4nv triton-attention; do
    nvdisasm -json "$out/$name-100.cubin" >"$out/$name-100.json"
done

# A loop of more code than a scheduler keeps.
{
    echo '.version 8.7 .target sm_75 .address_size 64'
    echo '.visible .entry unrolled(.param .u64 out, .param .f32 x) { .reg .pred %p<2>; .reg .b32 %r<2>; .reg .f32 %f<3>; .reg .b64 %rd<3>;'
    echo 'ld.param.u64 %rd1, [out]; ld.param.f32 %f1, [x]; mov.f32 %f2, %f1; mov.b32 %r1, 0;'
    echo 'again:'
    awk 'BEGIN { for (i = 0; i < 1030; i++) print "fma.rn.f32 %f2, %f2, %f1, %f1;" }'
    echo 'add.s32 %r1, %r1, 1; setp.ne.s32 %p1, %r1, 3; @%p1 bra again; cvta.to.global.u64 %rd2, %rd1; st.global.f32 [%rd2], %f2; ret; }'
} >"$ptx"
ptxas -arch=sm_75 "$ptx" -o "$out/unrolled-75.cubin"
nvdisasm -json "$out/unrolled-75.cubin" >"$out/unrolled-75.json"

ptxas -arch=sm_80 -lineinfo "$here/../corpus/mmul16.ptx" -o "$out/mmul16-lines-80.cubin"

# Two parts that are linked.
for part in 1 2; do
    nvcc -rdc=true -gencode arch=compute_80,code=sm_80 -DPART=$part -dc -o "$ptx.$part.o" "$here/../program/parts.cu"
done
nvlink -arch=sm_80 "$ptx.1.o" "$ptx.2.o" -o "$out/parts-80.cubin"
rm "$ptx.1.o" "$ptx.2.o"

# Seeds and statements of small kernels that between them have many opcodes.
for kernel in 20:20 46:20 2:12 45:12 34:12 25:12 27:12 37:12 3:12 47:12; do
    "$here/random.pl" "${kernel%:*}" "${kernel#*:}" "random_${kernel%:*}"
done | awk '!/^\.(version|target|address_size)/ || !seen[$1]++' >"$out/random.ptx"

# Such kernels without what came with sm_75.
for kernel in 10:60 21:40 47:30; do
    "$here/random.pl" "${kernel%:*}" "${kernel#*:}" "random_${kernel%:*}" 70
done | awk '!/^\.(version|target|address_size)/ || !seen[$1]++' >"$out/random70.ptx"

for arch in 75 80 86 89 90 100 120; do
    make histogram histogram_shared $arch
    make mmul16 mmul $arch
    make reduction reduce_shuffle $arch
    make saxpy saxpy $arch
    make votes votes $arch
    whole random $arch
done
for arch in 75 90 120; do
    whole indirect $arch
done
for arch in 75 90 120; do
    whole idioms $arch
    whole functions $arch
    whole textures $arch
done
for arch in 90 100 120; do
    whole hopper $arch
done
for arch in 75 86 100; do
    whole counts $arch
done
whole rare 80
whole rare 90
whole cluster 90
whole cluster 100
whole rare 120
whole pairs 100
whole pairs 120
whole narrow 80
whole narrow 90
whole float8 89
whole float8 120
ptxas -arch=sm_100a "$out/reduced.ptx" -o "$out/reduced-100.cubin"
nvdisasm -json "$out/reduced-100.cubin" >"$out/reduced-100.json"
ptxas -arch=sm_120a "$out/block-scales.ptx" -o "$out/block-scales-120.cubin"
nvdisasm -json "$out/block-scales-120.cubin" >"$out/block-scales-120.json"
for arch in 80 90 120; do
    whole fewer $arch
    whole sparse $arch
done
for arch in 90 100 120; do
    whole several $arch
done
whole sparse8 89
whole sparse8 120
for name in eight asked latest; do
    ptxas -arch=sm_100a "$out/$name.ptx" -o "$out/$name-100.cubin"
    nvdisasm -json "$out/$name-100.cubin" >"$out/$name-100.json"
done
whole scaled 75
whole kept 75
whole outside 75
whole masks 80
make calls calls 80
make gemm-async gemm_async 80
make calls calls 120
whole divisions 75
corpus 80
for name in histogram mmul16 reduction saxpy votes wmma random70 divisions; do
    older $name 70
done
older saxpy 72
older random70 72

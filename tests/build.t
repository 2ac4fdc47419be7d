#!/bin/sh
# SPDX-License-Identifier: BSD-3-Clause
# Runs: nightly
# The verb build, and code in place of a graph: what is wrong is said, buffers hold what the kernel
# computed, one step gives what two give, access patterns are found, and it is fast. Compilers are
# scripts here, and real ones where they are installed.
. tests/tap.sh

corpus=tests/corpus
: "${CC:=cc}"
TMPDIR=$TAP_TMP/passing
export TMPDIR
mkdir "$TMPDIR" "$TAP_TMP/bin" "$TAP_TMP/none"
unset PIPESIM_PATH NO_COLOR
out=$TAP_TMP/out.idg

# A matrix of 64 x 64: enough for each way, and quick.
mmul="--grid 4x4 --block 16x16 --arg size=64 --arg a=ramp:16K --arg b=ramp:16K --arg c=zero:16K"
transpose="--grid 4x4 --block 32x8 --arg width=128 --arg height=128 --arg in=ramp:64K --arg out=zero:64K"

# refused NAME STATUS MESSAGE ARGUMENT...: one line says what is wrong, and nothing is written.
refused() {
    refused_name=$1 refused_status=$2 refused_like=$3
    shift 3
    rm -f "$out"
    tap_exit "$refused_name" "$refused_status" "$PIPESIM" "$@"
    tap_like '... is said' "$refused_like" "$(cat "$TAP_ERR")"
    tap_is '... in one line' "$(wc -l <"$TAP_ERR")" 1
    tap_is '... and nothing is written' "$(cat "$TAP_OUT"; ls "$out" 2>/dev/null)" ''
}

# build ARGUMENT...: the verb on the product of matrices, into $out.
# shellcheck disable=SC2086 # the options are words
build() {
    "$PIPESIM" build $corpus/mmul16.ptx $mmul --registers none -o "$out" "$@"
}

# shellcheck disable=SC2086 # the options are words
{
# ---- what is wrong
refused 'no file' 2 'say which kernel' build
mkdir "$TAP_TMP/folder.cu" "$TAP_TMP/folder.ptx"
refused 'a folder for a source' 1 "folder.cu is a folder, and a kernel's code is asked for" build "$TAP_TMP/folder.cu" -o "$out"
refused '... and for code' 1 'folder.ptx is a folder, and' "$TAP_TMP/folder.ptx" --gpu pascal.xml
printf '.version 7.0\n.target sm_70\n.address_size 64\n.func f() { ret; }\n' >"$TAP_TMP/functions.ptx"
refused 'a module without a kernel' 1 'functions.ptx: has no kernel, which is an .entry with a body' \
    build "$TAP_TMP/functions.ptx" -o "$out"
refused '... has none that could be listed' 1 'functions.ptx: has no kernel' build --list "$TAP_TMP/functions.ptx"
refused 'a file that is missing' 1 'there is no file "nosuch.ptx"' build nosuch.ptx --grid 1 --block 1
refused 'a graph' 1 '^pipesim: tests/golden/input/chain.idg is a graph already, and .*; pipesim show tests/golden/input/chain.idg shows it$' \
    build tests/golden/input/chain.idg --grid 1 --block 1
refused '... and a GPU' 1 'toy.xml is a GPU description, and a kernel' build --list tests/golden/input/toy.xml
printf '\177ELF\002\001\001' >"$TAP_TMP/code.cubin"
refused 'machine code' 1 'code.cubin: no machine code for a GPU of NVIDIA is found in it' build --list "$TAP_TMP/code.cubin"
refused '... as a graph' 1 'code.cubin: no machine code' "$TAP_TMP/code.cubin" --gpu v100.xml
echo nothing >"$TAP_TMP/nothing.txt"
refused 'a file that is no PTX' 1 'nothing.txt:1: ' build "$TAP_TMP/nothing.txt" --grid 1 --block 1
printf '.version 8.0\n.target sm_80\n.address_size 64\n.visible .entry k(\n{\n' >"$TAP_TMP/cut.ptx"
refused 'PTX that cannot be read' 1 'cut.ptx:5: ' build "$TAP_TMP/cut.ptx" --grid 1 --block 1
refused 'two files' 2 'one file at a time' build $corpus/mmul16.ptx $corpus/mmul08.ptx
refused 'a kernel that is not there' 1 'transpose_naive, transpose_tiled.* transpose_padded' build \
    $corpus/transpose.ptx --kernel nosuch $transpose -o "$out"
rm -f "$out"
tap_exit 'one of several, which is not said' 2 "$PIPESIM" build $corpus/transpose.ptx $transpose -o "$out"
tap_like '... is said' 'transpose.ptx: has 3 kernels; choose one by a command line above' "$(cat "$TAP_ERR")"
tap_is '... behind a line for each' "$(sed -n 's/^pipesim build .* --kernel \([a-z_]*\) .*/\1/p' "$TAP_ERR" | paste -s -d ' ')" \
    'transpose_naive transpose_tiled transpose_padded'
tap_is '... and nothing is written' "$(cat "$TAP_OUT"; ls "$out" 2>/dev/null)" ''
refused 'arguments that are missing' 2 \
    'lacks values for b, c; its arguments are: a \(.u64\), b \(.u64\), c \(.u64\), size \(.u32\)' \
    build $corpus/mmul16.ptx --grid 4x4 --block 16x16 --arg size=64 --arg a=ramp:16K
refused 'an argument that is not there' 2 "no argument 'd'; its arguments are: a \(" build \
    $corpus/mmul16.ptx $mmul --arg d=1
refused 'one that is given twice' 2 'size has a value already' build $corpus/mmul16.ptx $mmul --arg size=32
refused 'one by another name' 2 'size has a value already' build $corpus/mmul16.ptx $mmul --arg 3=32
refused 'one too many' 2 'has no more arguments' build $corpus/mmul16.ptx $mmul --arg 5
refused 'a number for a number that it is not' 2 "'1.5' is no whole number of the type .u32" build \
    $corpus/mmul16.ptx --grid 1 --block 1 --arg size=1.5 --arg zero:4 --arg zero:4 --arg zero:4
refused 'one that does not fit' 2 "'5000000000' is no whole number" build $corpus/mmul16.ptx --grid 1 \
    --block 1 --arg size=5000000000 --arg zero:4 --arg zero:4 --arg zero:4
refused 'a buffer for a number' 2 'no address of a buffer' build $corpus/mmul16.ptx --grid 1 --block 1 \
    --arg size=zero:4 --arg zero:4 --arg zero:4 --arg zero:4
for fill in ones:4: zero: zero:4:f32: ramp:4:f31: random:4:x: random:4:1:f32:-1: zero:4Q: zero:-4: \
    zero:size/0: zero:nosuch: zero:99999999999G:; do
    refused "a buffer of ${fill%:}" 2 '^pipesim: --arg a: ' build $corpus/mmul16.ptx --grid 1 --block 1 \
        --arg size=64 --arg "a=${fill%:}" --arg b=zero:4 --arg c=zero:4
done
refused 'a buffer of a file that is missing' 1 'nosuch.bin: ' build $corpus/mmul16.ptx --grid 1 --block 1 \
    --arg size=64 --arg a=@nosuch.bin --arg b=zero:4 --arg c=zero:4
given="--arg size=64 --arg a=zero:16K --arg b=zero:16K --arg c=zero:16K"
refused 'no grid' 2 'lacks --grid; .* --grid GROUPS --block 16x16 ' build $corpus/mmul16.ptx $given --block 16x16
refused 'no block' 2 'lacks --block; .* --grid 4x4 --block THREADS ' build $corpus/mmul16.ptx $given --grid 4x4
for grid in 0x4 4x 4x4x4x4 'size/7' nosuch '4,,4' '(size' 4x-1 1x70000; do
    refused "a grid of $grid" 2 '^pipesim: --grid: ' build $corpus/mmul16.ptx $given --block 16x16 --grid "$grid"
done
refused 'a direction of 2048 threads' 2 '^pipesim: --block: the 2048 in direction y must be a number from 1 to 1024$' build $corpus/mmul16.ptx $given --grid 4x4 --block 1x2048
refused 'a block of 2048 threads' 1 '1024' build $corpus/mmul16.ptx $given --grid 4x4 --block 64x32
for sample in 4,0 0,0,1 x '' ';' 1,2,3,4 -1; do
    refused "a sample of '$sample'" 2 '^pipesim: --sample: ' build $corpus/mmul16.ptx $mmul --sample "$sample"
done
refused 'a sample of a grid that is too large' 2 'more than' build $corpus/mmul16.ptx $given \
    --block 16x16 --grid 60000x60000 --sample all
refused 'registers' 2 '^pipesim: --registers: ' build $corpus/mmul16.ptx $mmul --registers 0
for bad in agpr=32 64,32 64,sgpr=96,agpr=32 64,vgpr=1 '64,' 64,agpr=0; do
    refused "registers $bad" 2 '^pipesim: --registers: ' build $corpus/mmul16.ptx $mmul --registers "$bad"
done
refused 'local memory' 2 '^pipesim: --shared: ' build $corpus/mmul16.ptx $mmul --shared 1T
refused 'instructions' 2 '^pipesim: --max-instructions: ' build $corpus/mmul16.ptx $mmul --max-instructions 0
for bad in 0 x -1 1.5M ''; do
    refused "memory of '$bad'" 2 '^pipesim: --memory: ' build $corpus/mmul16.ptx $mmul --memory "$bad"
done
refused 'more memory than allowed' 1 'wrote to more than 1000 bytes of buffers; a higher --memory allows it$' \
    build $corpus/mmul16.ptx $given --grid 4x4 --block 16x16 --memory 1000
tap_ok 'memory for one block' "$PIPESIM" build $corpus/mmul16.ptx $given --grid 4x4 --block 16x16 -o "$out" --memory 16K
tap_ok '... and for all' "$PIPESIM" build $corpus/mmul16.ptx $given --grid 4x4 --block 16x16 -o "$out.all"
tap_ok '... give the same graph' cmp "$out" "$out.all"
refused 'a buffer from a device' 1 '^pipesim: --arg a: /dev/zero is a device, ' build $corpus/mmul16.ptx \
    --grid 1 --block 1 --arg size=1 --arg a=@/dev/zero --arg b=zero:4 --arg c=zero:4
refused 'a quote that does not end' 2 '^pipesim: --compiler-options: ' build $corpus/mmul.cu $mmul \
    --compiler-options "-D'"
refused 'more instructions than allowed' 1 'loop at mmul.cu:2[0-9].*; a higher --max-instructions lets' build $corpus/mmul16.ptx $mmul --max-instructions 1000
refused '... with a unit' 1 'is not done after 1024 warp instructions' build $corpus/mmul16.ptx $mmul --max-instructions 1K
printf '.version 99.0\n.target sm_999\n.address_size 64\n.visible .entry k()\n{\nret;\n}\n' >"$TAP_TMP/newer.ptx"
tap_ok 'code newer than this program' "$PIPESIM" build "$TAP_TMP/newer.ptx" --grid 1 --block 1 --registers none -o "$out"
tap_is '... is said to be so, once' "$(sed 's/^.*newer.ptx:\([12]: [^ ]* [^ ]*\).*$/\1/' "$TAP_ERR" | tr '\n' ';')" \
    '1: PTX 99.0;2: sm_999 is;'
cat >"$TAP_TMP/endless.ptx" <<'END'
.version 8.0
.target sm_80
.address_size 64
.visible .entry endless()
{
    .reg .b32 %r<2>;
L:
    add.u32 %r1, %r1, 1;
    bra L;
}
END
refused 'a loop without an end' 1 'in the loop at .*endless.ptx:8; a higher --max-instructions lets' build "$TAP_TMP/endless.ptx" \
    --grid 1 --block 1 --max-instructions 100000
printf '.version 8.0\n.target sm_80\n.address_size 64\n.visible .entry k()\n{\n}\n' >"$TAP_TMP/empty.ptx"
tap_ok 'a kernel without any instruction' "$PIPESIM" build "$TAP_TMP/empty.ptx" --grid 1 --block 1 -o "$out"
tap_ok '... has a graph that can be read' "$PIPESIM" show "$out"
sed "s/mmul\.cu/m$(printf '\377\001')l.cu/" $corpus/mmul16.ptx >"$TAP_TMP/latin.ptx"
tap_ok 'a source whose name is no UTF-8' "$PIPESIM" build "$TAP_TMP/latin.ptx" --grid 4x4 --block 16x16 \
    --arg ramp:16K --arg ramp:16K --arg zero:16K --arg 64 --registers none -o "$out"
tap_ok '... has a graph that can be read' "$PIPESIM" show "$out"
refused 'a buffer that is too small' 1 'mmul.cu:24: thread \(.*behind the end of "b"' build $corpus/mmul16.ptx --grid 4x4 --block 16x16 \
    --arg size=64 --arg a=zero:16K --arg b=zero:64 --arg c=zero:16K
refused 'to dump what is no buffer' 2 'no buffer' build $corpus/mmul16.ptx $mmul --dump "size=$TAP_TMP/x" -o "$out"
refused 'to dump what is not there' 2 "no argument 'd'" build $corpus/mmul16.ptx $mmul --dump "d=$TAP_TMP/x" -o "$out"
refused 'to dump without a file' 2 'NAME=FILE' build $corpus/mmul16.ptx $mmul --dump c -o "$out"
refused 'options of code for a graph' 2 'is for the code of a kernel' run mmul08.idg --gpu pascal.xml --grid 4x4
refused 'a source for a GPU' 1 "mmul.cu is a kernel's code, and a GPU description is asked for: pipesim $corpus/mmul.cu --gpu" mmul08.idg --gpu $corpus/mmul.cu
refused 'bytes of no unit' 2 "^pipesim: --arg a: '4Q' is no number of bytes; write 4096, 4K, 4M, 1G, or" \
    build $corpus/mmul16.ptx --grid 4x4 --block 16x16 --arg size=64 --arg a=ramp:4Q --arg b=ramp:16K --arg c=zero:16K
refused 'a number for a pointer' 1 'reads 4 bytes at .*, since "a" is the number 4096 and no buffer; --arg a=zero:BYTES gives it one$' \
    build $corpus/mmul16.ptx --grid 4x4 --block 16x16 --arg size=64 --arg a=4096 --arg b=ramp:16K --arg c=zero:16K
refused '... an uneven one' 1 'no multiple of 4, since "a" is the number 5 and no buffer; --arg a=zero:BYTES gives it one$' \
    build $corpus/mmul16.ptx --grid 4x4 --block 16x16 --arg size=64 --arg a=5 --arg b=ramp:16K --arg c=zero:16K
refused 'shared memory of which the launch says nothing' 1 'writes 4 bytes at 0x0 of .shared memory \(0 bytes\), whose size the launch gives: --shared BYTES$' \
    build $corpus/reduction.ptx --kernel reduce_shared --grid 3 --block 128 --arg n=1000 --arg in=ramp:4K --arg out=zero:4K
refused 'a GPU that is none' 1 'GPU description' build $corpus/mmul16.ptx $mmul --gpu mmul08.idg
refused 'a folder for the output' 1 'cannot be written' build $corpus/mmul16.ptx $mmul \
    --registers none -o "$TAP_TMP"

# ---- kernels and arguments
tap_ok 'kernels are listed' "$PIPESIM" build --list $corpus/transpose.ptx
tap_is '... all' "$(grep -c '^transpose_' "$TAP_OUT")" 3
tap_like '... with the names of the source' '^  width +0 +\.u32 +transpose_naive_param_0$' "$(cat "$TAP_OUT")"
cp $corpus/mmul16.ptx "$TAP_TMP/alone.ptx"
tap_ok 'without a source' "$PIPESIM" build --list "$TAP_TMP/alone.ptx"
tap_like '... with those of the PTX' '^  mmul_param_3 +3 +\.u32$' "$(cat "$TAP_OUT")"

tap_ok 'a source beside the PTX' build
tap_like '... is quoted' '<!-- 15: const int row = blockIdx.y' "$(cat "$out")"
mkdir "$TAP_TMP/headers"
sed 's/^\t\.loc\t1 \(2[0-9]\) /\t.loc\t2 \1 /; s|^\t\.file\t1 "mmul.cu"|&\n\t.file\t2 "elsewhere/header.h"|' \
    $corpus/mmul16.ptx >"$TAP_TMP/headers/mmul16.ptx"
sed 's/^/wrong: /' $corpus/mmul.cu >"$TAP_TMP/headers/header.h"
cp $corpus/mmul.cu "$TAP_TMP/headers"
tap_ok 'code that is mostly a header'"'"'s' "$PIPESIM" build "$TAP_TMP/headers/mmul16.ptx" $mmul --registers none -o "$out"
tap_like '... is of the file that the kernel is in' ' name="mmul" file="mmul.cu" digest="[0-9a-f]{64}" code="ptx">' "$(cat "$out")"
tap_like '... whose lines are quoted' '<!-- 15: const int row = blockIdx.y' "$(cat "$out")"
tap_like '... lines of the other have its name' ' line="header.h:2[0-9]"' "$(cat "$out")"
tap_is '... and are not quoted' "$(grep -c 'wrong:' "$out")" 0
hidden=$(printf '\342\200\256')
mkdir "$TAP_TMP/hidden"
sed "s|^\t\.file\t1 \"mmul.cu\"|\t.file\t1 \"mm${hidden}ul.cu\"|" $corpus/mmul16.ptx >"$TAP_TMP/hidden/mmul16.ptx"
sed "s/const int row = /&$hidden/" $corpus/mmul.cu >"$TAP_TMP/hidden/mm${hidden}ul.cu"
tap_ok 'a source that turns directions' "$PIPESIM" build "$TAP_TMP/hidden/mmul16.ptx" $mmul --registers none -o "$out"
tap_like '... has its name without' ' name="mmul" file="mm\?ul.cu" digest="[0-9a-f]{64}" code="ptx">' "$(cat "$out")"
tap_like '... and its lines' '<!-- 15: const int row =  blockIdx.y' "$(cat "$out")"

tap_ok 'arguments by name' build
cp "$out" "$TAP_TMP/names.idg"
tap_ok '... by number, PTX and order' "$PIPESIM" build $corpus/mmul16.ptx --grid 4,4 --block '16, 16' \
    --arg mmul_param_3=0x40 --arg 1=ramp:16384 --arg ramp:4*size*size --arg zero:4*size^2 --registers none -o "$out"
tap_is '... are the same' "$(cmp "$out" "$TAP_TMP/names.idg")" ''
tap_ok '... by order, where there is no source' "$PIPESIM" build "$TAP_TMP/alone.ptx" --grid 4x4 --block 16x16 \
    --arg ramp:16K --arg ramp:16K --arg zero:16K --arg 64 --registers none -o "$out"
refused '... not by names that nobody knows' 2 "nobody knows which argument of kernel mmul is 'a', since no source was found that declares it in one way; write --arg 0=VALUE" \
    build "$TAP_TMP/alone.ptx" --grid 4x4 --block 16x16 --arg a=ramp:16K --arg b=ramp:16K --arg c=zero:16K --arg size=64 -o "$out"

# ---- what a kernel computes
# The elements of type $1 and $2 bytes of the file $3, one per line.
numbers() {
    od -An -v "-w$2" -t "$1$2" "$3" | tr -d ' '
}

# Products that decide nothing but what is stored are computed where somebody looks at that.
tap_ok 'products are dumped' "$PIPESIM" build tests/sass/float8.ptx --from ptx --grid 3 --block 64 --arg out=zero:36864 \
    --arg in=random:1536 --sample all --dump "out=$TAP_TMP/products" -o "$out"
tap_ok '... with what they come to' test "$(od -An -v -w4 -tx4 "$TAP_TMP/products" | sort -u | wc -l)" -gt 100

tap_ok 'a transpose is dumped' "$PIPESIM" build $corpus/transpose.ptx --kernel transpose_tiled --grid 2x2 \
    --block 32x8 --arg width=40 --arg height=36 --arg in=ramp:4*width*height:u32 \
    --arg out=zero:4*width*height --sample all --dump "out=$TAP_TMP/turned" --dump "in=$TAP_TMP/straight" -o "$out"
tap_is '... in full' "$(numbers u 4 "$TAP_TMP/turned")" \
    "$(awk 'BEGIN { for (x = 0; x < 40; x++) for (y = 0; y < 36; y++) print y * 40 + x }')"
tap_is '... its source is as it was' "$(numbers u 4 "$TAP_TMP/straight")" \
    "$(awk 'BEGIN { for (i = 0; i < 1440; i++) print i }')"
tap_ok 'one group of it' "$PIPESIM" build $corpus/transpose.ptx --kernel transpose_tiled --grid 2x2 \
    --block 32x8 --arg width=40 --arg height=36 --arg in=ramp:5760:u32 --arg out=zero:5760 \
    --sample '1,1' --registers none --dump "out=$TAP_TMP/part" -o "$out"
tap_is '... wrote its part alone' "$(numbers u 4 "$TAP_TMP/part" | awk '$1 { n++ } END { print n }')" 32
tap_is '... of which nothing more is said' "$(cat "$TAP_ERR")" ''
tap_ok 'no group is named' "$PIPESIM" build $corpus/transpose.ptx --kernel transpose_tiled --grid 2x2 \
    --block 32x8 --arg width=40 --arg height=36 --arg in=ramp:5760:u32 --arg out=zero:5760 \
    --dump "out=$TAP_TMP/part" -o "$out"
tap_like '... so parts are missing, which is said' 'warning: --dump: not all groups were executed' "$(cat "$TAP_ERR")"

# ---- which groups are executed
# A kernel of which only the first of the groups do something; each adds to one counter.
cat >"$TAP_TMP/some.ptx" <<'EOF'
.version 7.0
.target sm_70
.address_size 64
.visible .entry some(.param .u64 total, .param .u64 values, .param .u32 n)
{
    .reg .pred %p<3>;
    .reg .b32 %r<8>;
    .reg .b64 %rd<6>;
    ld.param.u64 %rd1, [total];
    ld.param.u64 %rd2, [values];
    ld.param.u32 %r1, [n];
    mov.u32 %r2, %ctaid.x;
    mov.u32 %r3, %ntid.x;
    mov.u32 %r4, %tid.x;
    mad.lo.s32 %r5, %r2, %r3, %r4;
    setp.ge.s32 %p1, %r5, %r1;
    @%p1 bra $end;
    mul.wide.s32 %rd3, %r5, 4;
    add.s64 %rd4, %rd2, %rd3;
    ld.global.u32 %r6, [%rd4];
    setp.ne.s32 %p2, %r4, 0;
    @%p2 bra $end;
    red.global.add.u32 [%rd1], %r6;
$end:
    ret;
}
EOF
sums="$TAP_TMP/some.ptx --arg total=zero:4 --arg values=ramp:40K:u32 --block 64 --gpu v100.xml --from ptx --grid 160 --registers none"
# Says $1, of $2 values to $3; groups $4.
build_sums() {
    # shellcheck disable=SC2086 # words
    tap_ok "$1" "$PIPESIM" build $sums --arg "n=$2" -o "$3" ${4:+--sample "$4"}
}
build_sums 'groups that add to one counter' 10240 "$TAP_TMP/default.idg"
tap_like '... meet there' 'class="atomic.global" .*spot="total_0"' "$(cat "$TAP_TMP/default.idg")"
sed 's/red\.global\.add\.u32 \[%rd1\], %r6/red.global.add.f32 [%rd1], %f1/; s/\.visible \.entry/.visible .entry/' \
    "$TAP_TMP/some.ptx" | sed '/^{/a .reg .f32 %f<2>;' | sed 's/ld\.global\.u32 %r6, \[%rd4\];/&\nmov.b32 %f1, %r6;/' >"$TAP_TMP/floats.ptx"
tap_ok 'groups that add floats' "$PIPESIM" build "$TAP_TMP/floats.ptx" ${sums#* } --arg n=10240 -o "$TAP_TMP/floats.idg"
tap_like '... of a class of their own' 'class="atomic.global.float" .*spot="total_0"' "$(cat "$TAP_TMP/floats.idg")"
build_sums 'the group that it is by default, by its name' 10240 "$TAP_TMP/named.idg" 79
tap_ok '... changes nothing' cmp "$TAP_TMP/default.idg" "$TAP_TMP/named.idg"
build_sums 'three groups, of which one is at the end of the data' 10210 "$TAP_TMP/three.idg" '159;2;3'
tap_like '... all find room at once: the graph is of the one that ends last' 'Executed: 3 groups, of which 159,0,0 is this graph' \
    "$(cat "$TAP_TMP/three.idg")"
tap_like '... of two kinds' 'Kinds of groups: 99.4 % as 2,0,0 .* 0.6 % as 159,0,0 ' "$(cat "$TAP_TMP/three.idg")"
build_sums 'a launch of which a third has nothing to do' 6820 "$TAP_TMP/third.idg"
tap_like '... which is found out' 'Kinds of groups: 6[0-9.]* % as 79,0,0 .*, 3[0-9.]* % as ' "$(cat "$TAP_TMP/third.idg")"
tap_is '... and of each the graph has one' "$(grep -c '<kind name="group_[0-9]*_0_0" share="[0-9]*">' "$TAP_TMP/third.idg")" 2
build_sums 'a launch of which nearly all has nothing to do' 640 "$TAP_TMP/few.idg"
tap_like '... has both, those with more first' '<kind name="group_[0-9]_0_0" share="1">.*<kind name="group_79_0_0" share="1[0-9]">' \
    "$(tr '\n' ' ' <"$TAP_TMP/few.idg")"
build_sums 'a group that has nothing to do' 640 "$TAP_TMP/nothing.idg" 79
tap_like '... which is said' 'warning: the graph is of group 79,0,0, which reads and writes no global memory, .* if others do more: --sample X,Y,Z$' "$(cat "$TAP_ERR")"
build_sums 'one that does something' 640 "$TAP_TMP/something.idg" 3
tap_is '... of which nothing is said' "$(cat "$TAP_ERR")" ''
tap_ok 'data for the group that is named alone' "$PIPESIM" build "$TAP_TMP/some.ptx" --arg total=zero:4 \
    --arg values=ramp:256:u32 --arg n=10240 --block 64 --grid 160 --sample 0 -o "$out"
tap_like '... others are left out, which is said' 'warning: shares of traffic are without .* group' "$(cat "$TAP_ERR")"
tap_is '... once' "$(grep -c 'shares of traffic' "$TAP_ERR")" 1
# shellcheck disable=SC2086 # words
tap_ok 'what caches make of it' "$PIPESIM" build $sums --arg n=10240 --stats
tap_like '... is told' 'sectors found: [0-9.]* % of those that reach L1, [0-9.]* % of those that reach L2' "$(cat "$TAP_OUT")"

# Each tenth group counts to 30 000, all others to 120 000.
cat >"$TAP_TMP/long.ptx" <<'EOF'
.version 8.0
.target sm_70
.address_size 64
.visible .entry count(.param .u64 out)
{
    .reg .b64 %rd<4>;
    .reg .b32 %r<8>;
    .reg .pred %p<2>;
    ld.param.u64 %rd1, [out];
    mov.u32 %r1, %ctaid.x;
    rem.u32 %r2, %r1, 10;
    setp.eq.u32 %p1, %r2, 9;
    selp.u32 %r3, 30000, 120000, %p1;
    mov.u32 %r4, 0;
$loop:
    add.u32 %r4, %r4, 1;
    setp.lt.u32 %p1, %r4, %r3;
    @%p1 bra $loop;
    mul.wide.u32 %rd2, %r1, 4;
    add.s64 %rd3, %rd1, %rd2;
    st.global.u32 [%rd3], %r4;
    ret;
}
EOF
tap_ok 'a group in the middle that does a quarter of what others do' "$PIPESIM" build "$TAP_TMP/long.ptx" --from ptx --gpu v100.xml \
    --grid 400 --block 32 --arg out=zero:1600 -o "$TAP_TMP/long.idg"
tap_like '... is found to be of the rarer kind' 'Kinds of groups: [5-9][0-9.]* % as [0-9]*[0-8],0,0 .360010 ' "$(cat "$TAP_TMP/long.idg")"

# Fields of a struct that is passed by value.
cat >"$TAP_TMP/struct.ptx" <<'END'
.version 8.0
.target sm_80
.address_size 64
.visible .entry k(.param .align 8 .b8 s[40], .param .u32 n)
{
    .reg .b32 %r<8>;
    .reg .b64 %rd<8>;
    .reg .f32 %f<8>;
    ld.param.u64 %rd1, [s];
    ld.param.u64 %rd2, [s+8];
    ld.param.f32 %f1, [s+16];
    ld.param.v2.u32 {%r1, %r2}, [s+24];
    ld.param.u32 %r3, [n];
    ld.global.u32 %r4, [%rd1+4];
    mad.lo.u32 %r5, %r4, %r2, %r3;
    st.global.u32 [%rd2], %r5;
    st.global.f32 [%rd2+4], %f1;
    ret;
}
END
fields() {
    "$PIPESIM" build "$TAP_TMP/struct.ptx" --grid 1 --block 1 --registers none -o "$out" "$@"
}
tap_ok 'fields of a struct are listed' "$PIPESIM" build --list "$TAP_TMP/struct.ptx"
tap_is '... as the kernel reads them' "$(tr -s ' ' <"$TAP_OUT" | tr '\n' ';')" \
    'k; s 0 40 bytes; s+0 .u64; s+8 .u64; s+16 .f32; s+24 .u32; s+28 .u32; n 1 .u32;'
tap_ok 'fields of a struct are given' fields --arg s+0=ramp:16:u32 --arg 0+8=zero:8 --arg s+16=2.5 --arg s+28=7 \
    --arg n=3 --dump "s+8=$TAP_TMP/field"
tap_is '... and used' "$(od -An -v -tx4 "$TAP_TMP/field" | tr -s ' ')" ' 0000000a 40200000'
head -c 40 /dev/zero | tr '\0' '\001' >"$TAP_TMP/struct.bin"
tap_ok 'fields in the bytes of a struct' fields --arg s=@"$TAP_TMP/struct.bin" --arg s+0=ramp:16:u32 --arg s+8=zero:8 \
    --arg s+28=0x7:u16 --arg 5 --dump "s+8=$TAP_TMP/field"
tap_is '... replace them alone' "$(od -An -v -tx4 "$TAP_TMP/field" | tr -s ' ')" ' 0101000c 01010101'
tap_exit 'the address that a field holds counts' 1 fields --arg s+0=zero:4 --arg s+8=zero:8 --arg n=3
tap_like '... for the buffer'"'"'s name' 'right behind the end of "s\+0"' "$(cat "$TAP_ERR")"
field_is() { # WHY MESSAGE ARGUMENT...
    field_why=$1 field_like=$2
    shift 2
    tap_exit "$field_why" 2 fields --arg n=3 "$@"
    tap_like '... is said' "$field_like" "$(cat "$TAP_ERR")"
}
field_is 'a field of unknown type' '^pipesim: --arg s\+20: the kernel loads nothing from there' --arg s+20=5
field_is 'a field of no type' "there is no type 'u33'" --arg s+20=5:u33
field_is 'a field beyond the end' '2 bytes from there on do not fit into this argument, which has 40' --arg s+39=5:u16
field_is 'a field far beyond' 'do not fit' --arg s+18446744073709551615=zero:8
field_is 'a field of a number' 'this argument is no struct' --arg s=zero:40 --arg n+0=5
field_is 'a field of nothing' "no argument 't'" --arg t+0=5
field_is 'a field that is given twice' 'has a value already' --arg s+0=zero:8 --arg s+0=zero:8
field_is 'a struct as a number' 'or each field by its place, such as s\+0=VALUE' --arg s=5
field_is 'to dump a field that is a number' 'this field is no buffer' --arg s+16=5 --dump "s+16=$TAP_TMP/x"

# What compilers of Python pass. The examples of docs/reference/build.md run as they stand there, but of PTX wherever they run.
# example TEXT: the fenced block with this text, and what the next one shows.
example() {
    awk -v text="$1" '/^```/ { if (open && index(all, text)) { printf "%s", all; exit }
            open = !open; all = ""; next } open { all = all $0 "\n" }' docs/reference/build.md |
        sed -e "s|^pipesim|$PIPESIM|" -e 's|--gpu [av]100.xml|& --from ptx|'
}
shown() {
    awk -v text="$1" '/^```/ { if (open && found) exit; if (open && index(all, text)) found = 1
            open = !open; all = ""; next } open { all = all $0 "\n"; if (found) print }' docs/reference/build.md
}
tap_ok 'arguments of Triton are listed' sh -c "$(example 'build --list tests/ptx/triton')"
tap_is '... as docs/reference/build.md shows' "$(cat "$TAP_OUT")" "$(shown 'build --list tests/ptx/triton')"
tap_ok 'a kernel in the way of Triton' sh -c "$(example 'pipesim tests/ptx/triton') --registers none"
tap_is '... whose own arguments are zeros' "$(cat "$TAP_ERR")" \
    'pipesim: arguments that were not given are zeros: global_scratch, profile_scratch'
tap_like '... has a time' '^Time ' "$(cat "$TAP_OUT")"
tap_ok '... computes' "$PIPESIM" build tests/ptx/triton.ptx --grid 2 --arg n=600 --arg factor=2.5 --arg x=ramp:4*n \
    --arg out=zero:4*n --registers none --sample all --dump "out=$TAP_TMP/scaled" -o "$out"
tap_is '... what it says' "$(numbers f 4 "$TAP_TMP/scaled" | awk '$1 != 2.5 * i { print NR, $1 } { i++ } END { print NR }')" 600
# One that reads its scratch memory.
sed 's/\[scale_param_1\]/[scale_param_4]/' tests/ptx/triton.ptx >"$TAP_TMP/scratch.ptx"
cp tests/ptx/scale.py "$TAP_TMP"
tap_ok 'scratch memory that is read' "$PIPESIM" build "$TAP_TMP/scratch.ptx" --grid 2 --arg n=600 --arg factor=2.5 \
    --arg out=ramp:4*n --registers none --sample all --dump "out=$TAP_TMP/scaled" -o "$out"
tap_is '... is zeros, which is said' "$(head -n 1 "$TAP_ERR")" \
    'pipesim: arguments that were not given are zeros: x, global_scratch (16M), profile_scratch'
tap_is '... and read' "$(numbers f 4 "$TAP_TMP/scaled" | sort -u)" 0
tap_exit 'arguments that are read' 2 "$PIPESIM" build tests/ptx/triton.ptx --grid 2 --arg n=600 --arg factor=2.5 --arg x=ramp:4*n
tap_like '... must be given' '^pipesim: kernel scale lacks values for out; ' "$(cat "$TAP_ERR")"
tap_ok 'arguments of Numba are listed' "$PIPESIM" build --list tests/ptx/numba.ptx
tap_is '... array by array' "$(tr -s ' \n' ' ' <"$TAP_OUT" | sed 's/^row_sums[^ ]* //; s/ factor.*//')" \
    "$(for array in sums table; do
        number=$([ $array = sums ] && echo 0 || echo 7)
        for part in 'meminfo|who owns its memory; never read' 'parent|the object of Python; never read' \
            'nitems|how many elements; never read' 'itemsize|bytes of an element; never read' 'data|its elements' \
            'shape0|elements along the axis' 'shape1|elements along the axis' \
            'strides0|bytes from one to the next' 'strides1|bytes from one to the next'; do
            case $array-$part in
            sums-*1\|*) continue ;;
            sums-strides0* | table-shape0*) part="$part; never read" ;;
            esac
            echo "${array}_${part%|*} $number .u64 array: ${part#*|}"
            number=$((number + 1))
        done
    done | tr '\n' ' ' | sed 's/ $//')"
tap_ok 'a kernel in the way of Numba' sh -c "$(example 'pipesim tests/ptx/numba') --registers none"
tap_is '... whose parts that are not read are zeros' "$(grep -c 'zeros: sums_meminfo, .*, table_shape0$' "$TAP_ERR")" 1
tap_like '... has a time' '^Time ' "$(cat "$TAP_OUT")"
cp tests/ptx/numba.ptx "$TAP_TMP"
tap_ok '... without its source, computes' "$PIPESIM" build "$TAP_TMP/numba.ptx" --grid 2 --block 4 --arg arg2=0.5 \
    --arg arg0_shape0=7 --arg arg0_data=zero:28 --arg arg1_shape1=3 --arg arg1_data=ramp:7*3*4 --arg arg1_strides0=4 \
    --arg arg1_strides1=28 --registers none --sample all --dump "arg0_data=$TAP_TMP/sums" -o "$out"
tap_is '... sums of rows' "$(numbers f 4 "$TAP_TMP/sums" | tr '\n' ' ')" '10.5 12 13.5 15 16.5 18 19.5 '

# What the host copies to a variable is an argument, too.
cat >"$TAP_TMP/constant.ptx" <<'END'
.version 8.0
.target sm_80
.address_size 64
.const .align 4 .b8 factor[8];
.visible .global .align 4 .u32 _ZN2ns5addedE;
.visible .entry k(.param .u64 p)
{
    .reg .b32 %r<8>;
    .reg .b64 %rd<2>;
    ld.param.u64 %rd1, [p];
    ld.global.u32 %r1, [%rd1+4];
    ld.const.u32 %r2, [factor+4];
    ld.global.u32 %r3, [_ZN2ns5addedE];
    mad.lo.u32 %r4, %r1, %r2, %r3;
    st.global.u32 [%rd1], %r4;
    ret;
}
END
constant() {
    "$PIPESIM" build "$TAP_TMP/constant.ptx" --grid 1 --block 1 --registers none --arg p=ramp:8:u32 \
        --dump "p=$TAP_TMP/product" -o "$out" "$@"
}
tap_ok 'constants that nobody gives' constant --arg _ZN2ns5addedE=5
tap_is '... are zeros' "$(numbers u 4 "$TAP_TMP/product" | tr '\n' ' ')" '5 1 '
tap_like '... which is said' '^pipesim: warning: constants that the host sets are zeros here: factor; ' "$(cat "$TAP_ERR")"
tap_ok 'constants that are given' constant --arg factor=ramp:8:u32 --arg _ZN2ns5addedE=0x10
tap_is '... are used' "$(numbers u 4 "$TAP_TMP/product" | tr '\n' ' ')" '17 1 '
tap_is '... and nothing is said' "$(cat "$TAP_ERR")" ''
tap_exit 'more than it holds' 2 constant --arg factor=ramp:12:u32
tap_like '... is said' '^pipesim: --arg factor: this variable has 8 bytes, and 12 were given$' "$(cat "$TAP_ERR")"

# What the fills are: an unused group, so that nothing is written.
fill() {
    "$PIPESIM" build $corpus/transpose.ptx --kernel transpose_naive --grid 1 --block 1 --arg width=0 \
        --arg height=0 --arg in=zero:8 --arg "out=$1" --registers none --dump "out=$TAP_TMP/fill" -o /dev/null
}
tap_ok 'a ramp of halves' fill ramp:12:f16
tap_is '... counts' "$(od -An -v -tx2 "$TAP_TMP/fill" | tr -s ' ')" ' 0000 3c00 4000 4200 4400 4500'
tap_ok 'of bfloat16' fill ramp:6:bf16
tap_is '... counts' "$(od -An -v -tx2 "$TAP_TMP/fill" | tr -s ' ')" ' 0000 3f80 4000'
tap_ok 'of doubles' fill ramp:24:f64
tap_is '... counts' "$(numbers f 8 "$TAP_TMP/fill" | tr '\n' ' ')" '0 1 2 '
tap_ok 'of singles, with bytes left over' fill ramp:10
tap_is '... counts' "$(od -An -v -tx2 "$TAP_TMP/fill" | tr -s ' ')" ' 0000 0000 0000 3f80 0000'
tap_ok 'of bytes' fill ramp:258:u8
tap_is '... begins anew' "$(numbers u 1 "$TAP_TMP/fill" | tail -n 3 | tr '\n' ' ')" '255 0 1 '
tap_ok 'random numbers' fill random:4000
cp "$TAP_TMP/fill" "$TAP_TMP/random"
tap_is '... are fractions around a half' "$(numbers f 4 "$TAP_TMP/fill" |
    awk '{ s += $1; bad += $1 < 0 || $1 >= 1 } END { print bad + 0, (s / NR > 0.45 && s / NR < 0.55) }')" '0 1'
tap_ok '... with their seed' fill random:4000:1
tap_is '... are the same' "$(cmp "$TAP_TMP/fill" "$TAP_TMP/random")" ''
tap_ok '... with another' fill random:4000:2
tap_exit '... are others' 1 cmp "$TAP_TMP/fill" "$TAP_TMP/random"
tap_ok '... of whole numbers below a bound' fill random:4000:7:u32:10
tap_is '... are all of them' "$(numbers u 4 "$TAP_TMP/fill" | sort -nu | tr '\n' ' ')" '0 1 2 3 4 5 6 7 8 9 '
# Buffers of several blocks hold what they always held: their checksums.
while read -r what sum; do
    fill "$what" >"$TAP_OUT" 2>"$TAP_ERR"
    tap_is "$what" "$(cksum <"$TAP_TMP/fill")" "$sum"
done <<'END'
random:300001:5 2761717466 300001
random:300001:4294967295:f64 4003688674 300001
random:70000:7:f16 2591028851 70000
random:70000:7:bf16 3251982875 70000
random:200000:9:u8 3839030328 200000
random:200000:9:u16:1000 2254260379 200000
random:200000:9:s32:77 456658647 200000
random:400000:9:u64 1364937807 400000
random:400000:9:u64:12345678901 1677333317 400000
random:300000:5:f32:1000 2355543941 300000
random:400000:3:f64:7 1995835067 400000
ramp:300001 1716837445 300001
ramp:300001:f64 3643630022 300001
ramp:200000:f16 2247722 200000
ramp:200000:bf16 80564661 200000
ramp:200000:u8 1205004431 200000
ramp:300002:u16 3375415769 300002
ramp:300000:s32 2528287408 300000
ramp:300001:u64 2066588712 300001
END
# What is read first is filled first: the product is that of the whole buffer all the same.
for what in random:4*n ramp:4*n random:4*n:3:u32:1000; do
    tap_ok "$what, of which parts are read, from the end" "$PIPESIM" build tests/ptx/triton.ptx --grid 320 --arg n=163840 \
        --arg factor=1 --arg "x=$what" --arg out=zero:4*n --registers none --sample '319;40;41;200;0' \
        --dump "out=$TAP_TMP/parts" -o "$out"
    tap_ok '... and as a whole' "$PIPESIM" build tests/ptx/triton.ptx --grid 320 --arg n=163840 --arg factor=1 \
        --arg "x=$what" --arg out=zero:4*n --registers none --sample 0 --dump "x=$TAP_TMP/whole" -o "$out"
    for group in 0 40 41 200 319; do
        tap_is "... group $group is the same" "$(for file in parts whole; do
            dd if="$TAP_TMP/$file" bs=2048 skip=$group count=1 2>/dev/null | cksum
        done | uniq | wc -l)" 1
    done
done
printf 'abcdefgh' >"$TAP_TMP/bytes"
tap_ok 'a file' fill "@$TAP_TMP/bytes"
tap_is '... is there' "$(cat "$TAP_TMP/fill")" abcdefgh

# ---- graphs
tap_ok 'expressions' "$PIPESIM" build $corpus/mmul16.ptx --grid '(size/16)x(size/16)' --block 16x16 \
    --arg size=64 --arg a=ramp:16K --arg b=ramp:16K --arg c=zero:16K --registers 38 --gpu pascal.xml -o "$out"
tap_ok '... stay in the graph, whose parameter can be changed' "$PIPESIM" "$out" --gpu pascal.xml \
    --param size=1024 --format json
tap_like '... and decides the launch' '"groups": 4096, "group_size": 256' "$(cat "$TAP_OUT")"
tap_like 'registers are the launch'"'"'s' '<launch .*registers="38"' "$(cat "$out")"
tap_like '... and who counted them is said' 'Registers: given by --registers' "$(cat "$out")"
tap_is 'it is valid' "$(xmllint --nonet --noout --relaxng "${BUILD:-build}/idg/idg.rng" "$out" 2>&1 | grep -v validates)" ''
tap_ok 'accumulation and scalar registers' "$PIPESIM" build $corpus/mmul16.ptx $mmul --registers 64,agpr=32,sgpr=96
tap_like '... are the launch'"'"'s, too' '<launch .*registers="64" accumulators="32" scalar-registers="96"' "$(cat "$TAP_OUT")"
tap_ok 'scalar ones alone' "$PIPESIM" build $corpus/mmul16.ptx $mmul --registers 64,sgpr=96
tap_like '... are the launch'"'"'s, too' '<launch .*registers="64" scalar-registers="96"' "$(cat "$TAP_OUT")"
tap_ok 'a graph on standard output' "$PIPESIM" build $corpus/mmul16.ptx $mmul --registers none
tap_is '... is the one in a file' "$(cmp "$TAP_OUT" "$TAP_TMP/names.idg")" ''
tap_ok 'from standard input' sh -c "$PIPESIM build - --grid 4x4 --block 16x16 --arg ramp:16K --arg ramp:16K \
    --arg zero:16K --arg 64 -o $out <$corpus/mmul16.ptx"

# What is not AMD's own code runs on its GPUs, with a warning: as PTX, and as a graph of it.
stands='the kernel is PTX, which stands in for AMD'
for gpu in mi300x rx7900xtx; do
    tap_ok "PTX on $gpu" "$PIPESIM" $corpus/mmul16.ptx --gpu $gpu $mmul --registers 38 --format json
    tap_is '... with a warning, once' "$(cat "$TAP_ERR" "$TAP_OUT" | grep -c "$stands")" 1
    tap_like '... which stands in the report' "$stands" "$(cat "$TAP_OUT")"
    tap_ok "... and a graph of PTX on $gpu" "$PIPESIM" "$out" --gpu $gpu --format json
    tap_like '... with it, too' "$stands" "$(cat "$TAP_OUT")"
    tap_ok "a graph by hand on $gpu" "$PIPESIM" graphs/saxpy.idg --gpu $gpu
    tap_like '... without' '^$' "$(grep PTX "$TAP_ERR" "$TAP_OUT")"
done
tap_ok 'in one step' "$PIPESIM" $corpus/mmul16.ptx --gpu pascal.xml $mmul --registers 38 --format json
tap_like '... without a warning on what PTX is for' '^$' "$(grep 'kernel is PTX' "$TAP_ERR" "$TAP_OUT")"
tap_like '... says what was executed' '^  "code": "PTX, as for all GPUs before Volta",$' "$(cat "$TAP_OUT")"
# A graph is not known to be of code, so it has neither the code nor the record of strangers' kernels.
common() {
    sed -e '/"code":/d' -e '/"strangers":/d' -e 's/; people asked in public [^"]*//' -e 's/,$//' "$1"
}
common "$TAP_OUT" >"$TAP_TMP/one"
tap_ok '... and in two' build --gpu pascal.xml --registers 38
tap_ok '... the graph' "$PIPESIM" "$out" --gpu pascal.xml --format json
tap_is '... the answer is the same' "$(common "$TAP_OUT" | cmp - "$TAP_TMP/one")" ''
tap_ok 'a sweep of code' "$PIPESIM" sweep $corpus/mmul16.ptx --gpu pascal.xml $mmul --vary active=1,2 --format csv
tap_is '... has its rows' "$(wc -l <"$TAP_OUT")" 3
# Caches differ, so each GPU has a graph of its own: 4 MiB are kept in L2 of one of these.
strided="$corpus/transpose.ptx --kernel transpose_naive --grid 32x32 --block 32x8 --arg width=1024 --arg height=1024 --arg in=ramp:4M --arg out=zero:4M --registers 16"
# seconds_of FILE GPU: of the first point on it.
seconds_of() {
    awk -F, -v gpu="$2" 'NR == 1 { for (i = 1; i <= NF; i++) at[$i] = i } $at["gpu"] ~ gpu { print $at["seconds"]; exit }' "$1"
}
tap_ok 'a sweep of code over two GPUs' "$PIPESIM" sweep $strided --from ptx --gpu gtx660.xml --gpu v100.xml --vary active=2 --format csv
cp "$TAP_OUT" "$TAP_TMP/both.csv"
for gpu in gtx660:GTX v100:V100; do
    tap_ok '... and over one' "$PIPESIM" sweep $strided --from ptx --gpu "${gpu%:*}" --vary active=2 --format csv
    tap_is '... agree' "$(seconds_of "$TAP_TMP/both.csv" "${gpu#*:}")" "$(seconds_of "$TAP_OUT" "${gpu#*:}")"
done
tap_ok 'the roofline of code over two GPUs' "$PIPESIM" roofline $strided --from ptx --gpu gtx660.xml --gpu v100.xml --format csv
cp "$TAP_OUT" "$TAP_TMP/both.csv"
for gpu in gtx660:GTX v100:V100; do
    tap_ok '... and over one' "$PIPESIM" roofline $strided --from ptx --gpu "${gpu%:*}" --format csv
    tap_is '... agree' "$(seconds_of "$TAP_TMP/both.csv" "${gpu#*:}")" "$(seconds_of "$TAP_OUT" "${gpu#*:}")"
done
tap_ok 'code beside itself' "$PIPESIM" compare $corpus/convolution.ptx --gpu pascal.xml --grid 3x2 --block 16x16 --arg 40 --arg 21 \
    --arg zero:3360 --arg zero:3360 --versus --active 2
tap_is '... warns of what is the same once' "$(cat "$TAP_ERR" "$TAP_OUT" | grep -c 'fewer groups')" 1
tap_like '... of both' '^Warnings$' "$(cat "$TAP_OUT")"
tap_ok 'code whose argument is varied' "$PIPESIM" sweep $corpus/mmul16.ptx --gpu pascal.xml $mmul --vary size=64
tap_is '... is executed with each value' "$(sed -n '3s/^ *\([0-9]*\) .*/\1/p' "$TAP_OUT")$(grep -c 'is executed once' "$TAP_ERR")" 640
tap_ok 'groups of code are varied' "$PIPESIM" sweep $corpus/mmul16.ptx --gpu pascal.xml $mmul --vary groups=64
tap_like '... which is executed once, and says so' "^pipesim: warning: --vary groups: .*mmul16.ptx is executed once, with the values of --arg and --grid, so which bytes caches serve stays" "$(cat "$TAP_ERR")"
tap_ok 'the roofline of code' "$PIPESIM" roofline $corpus/mmul16.ptx mmul16.idg --gpu pascal.xml $mmul --format csv
tap_is '... has its rows' "$(wc -l <"$TAP_OUT")" 3
tap_ok 'code is shown' "$PIPESIM" show $corpus/mmul16.ptx $mmul
tap_like '... as its graph' '^graph mmul' "$(cat "$TAP_OUT")"
tap_ok 'code is shown as it is on a GPU' "$PIPESIM" show $corpus/mmul16.ptx $mmul --registers 38 --gpu pascal.xml --xml
tap_is '... whose caches count' "$(cmp "$TAP_OUT" "$out")" ''
refused 'code is shown on one GPU' 2 '^pipesim: --gpu v100.xml: one GPU at a time' show $corpus/mmul16.ptx $mmul \
    --gpu pascal.xml --gpu v100.xml
for verb in run 'sweep --vary active=1' roofline; do
    tap_ok "${verb%% *} of code, the GPU from standard input" sh -c "$PIPESIM $verb $corpus/mmul16.ptx $mmul \
        --registers 38 --format csv --gpu - <gpus/pascal.xml"
    tap_is '... has its rows' "$(wc -l <"$TAP_OUT")" 2
done
input="--from ptx --gpu pascal.xml --registers 38 --grid 4x4 --block 16x16 --arg 0=ramp:16K --arg 1=ramp:16K --arg 2=zero:16K"
tap_ok 'code from standard input is compared' sh -c "$PIPESIM compare - --arg 3=64 $input --versus --active 2 <$corpus/mmul16.ptx"
tap_ok '... with a file' sh -c "$PIPESIM compare $corpus/mmul16.ptx - --arg 3=64 $input <$corpus/mmul16.ptx"
tap_like '... and is called as it is given' '^B  mmul of - on' "$(cat "$TAP_OUT")"
tap_ok '... and has a roofline' sh -c "$PIPESIM roofline - --arg 3=64 $input --format csv <$corpus/mmul16.ptx"
tap_is '... with its row' "$(wc -l <"$TAP_OUT")" 2
sed 's/entry some(/entry _Z4somePjS_j(/' "$TAP_TMP/some.ptx" >"$TAP_TMP/mangled.ptx"
tap_ok 'the roofline of a kernel by its name in PTX' "$PIPESIM" roofline "$TAP_TMP/mangled.ptx" --kernel _Z4somePjS_j \
    ${sums#* } --arg n=10240 --format csv
tap_like '... which graphs call otherwise' '^some,1,' "$(cat "$TAP_OUT")"

# ---- loops that run as often as loaded data say
cat >"$TAP_TMP/spmv.ptx" <<'END'
.version 8.0
.target sm_80
.address_size 64
.visible .entry spmv(.param .u64 row, .param .u64 sums, .param .u32 n)
{
    .reg .pred %p<3>; .reg .b32 %r<8>; .reg .b64 %rd<6>;
    ld.param.u64 %rd1, [row];
    ld.param.u64 %rd2, [sums];
    ld.param.u32 %r6, [n];
    mov.u32 %r1, %tid.x;
    mul.wide.u32 %rd3, %r1, 4;
    add.u64 %rd4, %rd1, %rd3;
    ld.global.u32 %r2, [%rd4];
    mov.u32 %r3, 0;
    setp.eq.u32 %p1, %r2, 0;
    @%p1 bra DONE;
MORE:
    add.u32 %r3, %r3, 1;
    setp.lt.u32 %p2, %r3, %r2;
    @%p2 bra MORE;
DONE:
    add.u64 %rd5, %rd2, %rd3;
    st.global.u32 [%rd5], %r3;
    ret;
}
END
head -c 128 /dev/zero >"$TAP_TMP/rows"
# Says $1 of the file $2 with rows $3: as many lines of that as $4.
says_of_rows() {
    tap_ok "$1" "$PIPESIM" build "$2" --grid 1 --block 32 --from ptx --arg "row=$3" --arg sums=zero:128 --arg n=8 -o "$out"
    tap_is '... is said, or is not' \
        "$(grep -c 'spmv\.ptx:18: how often this loop runs follows from what is loaded .*; --arg NAME=@FILE ' "$TAP_ERR")" "$4"
}
says_of_rows 'rows of nothing' "$TAP_TMP/spmv.ptx" zero:128 1
says_of_rows 'rows of some length' "$TAP_TMP/spmv.ptx" ramp:128:u32 1
says_of_rows 'rows that were given' "$TAP_TMP/spmv.ptx" "@$TAP_TMP/rows" 0
# The register holds another value by then.
sed -i 's/mov\.u32 %r3, 0;/& mov.u32 %r2, %r6;/' "$TAP_TMP/spmv.ptx"
says_of_rows 'a count that is an argument' "$TAP_TMP/spmv.ptx" ramp:128:u32 0
sed -i 's/mov\.u32 %r2, %r6;/setp.eq.u32 %p1, %r6, 99; @%p1 bra RARE; & JOIN:/; s/^    ret;/& RARE: bra JOIN;/' "$TAP_TMP/spmv.ptx"
says_of_rows '... but for threads that are not there' "$TAP_TMP/spmv.ptx" ramp:128:u32 0

# ---- what is not executed
# Rows of the table in docs/reference/build.md: an instruction and the class of its node.
rows="$TAP_TMP/rows"
cat >"$rows" <<'END'
tensor|tcgen05.mma.ws.cta_group::1.kind::f16 [%r2], %rd2, %rd3, %r3, %p1
unknown|tcgen05.shift.cta_group::1.down [%r5]
tensor.f8.f32.sparse.m16n8k64|mma.sp::ordered_metadata.sync.aligned.m16n8k64.row.col.kind::mxf8f6f4.block_scale.scale_vec::1X.f32.e4m3.e4m3.f32.ue8m0 {%f0,%f1,%f2,%f3}, {%r1,%r2,%r3,%r4}, {%r5,%r6,%r7,%r8}, {%f0,%f1,%f2,%f3}, %r9, 0x0, %r1, {0, 0}, %r2, {0, 0}
copy.load|cp.async.bulk.tensor.3d.shared::cluster.global.im2col::w.mbarrier::complete_tx::bytes [%r2], [%rd1, {%r1, %r1, %r1}], [%r2+8], {%h1}
global.load.texture|sured.b.add.1d.u32.trap [%rd1, {%r1}], %r8
unknown|istypep.texref %p1, %rd1
atomic.global|atom.global.exch.b128 %q0, [%rd1], %q1
memory.fence|clusterlaunchcontrol.query_cancel.is_canceled.pred.b128 %p1, %q0
global.load|ld.global.b128 %q0, [%rd1]
global.store|st.global.b128 [%rd1], %q0
conversion.pack|cvt.rs.satfinite.e4m3x4.f32 %r1, {%f1,%f2,%f3,%f4}, %r2
unknown|alloca.u64 %rd2, 16
END
while IFS='|' read -r class instruction; do
    {
        printf '.version 8.7\n.target sm_100a\n.address_size 64\n.visible .entry k(.param .u64 p)\n{\n'
        echo '.reg .pred %p<9>; .reg .b32 %r<16>; .reg .b64 %rd<8>; .reg .f32 %f<16>; .reg .b128 %q<3>; .reg .b16 %h<2>;'
        printf 'ld.param.u64 %%rd1, [p];\n%s;\nret;\n}\n' "$instruction"
    } >"$TAP_TMP/skipped.ptx"
    tap_ok "skipped: ${instruction%% *}" "$PIPESIM" build "$TAP_TMP/skipped.ptx" --grid 1 --block 32 --arg p=zero:64 \
        --no-dead --no-constants --no-frame --no-schedule --registers none --partial -o "$out"
    tap_like '... which a warning says' "^pipesim: warning: partial answer, without what ${instruction%% *} does: " "$(cat "$TAP_ERR")"
    tap_is '... is of its class, and nothing is known of its memory' \
        "$(sed -n 's/^ *<node name="[^"]*" class="\([^"]*\)"\(.*\)$/\1\2/p' "$out" |
            sed 's/ after="[^"]*"//; s/ ops="[^"]*" type="[^"]*"//; s/ line="[^"]*"//')" "$class/>"
    refused '... else an error' 1 "skipped\\.ptx:8: ${instruction%% *}( with these operands)? is not known to pipesim, and its results decide " \
        build "$TAP_TMP/skipped.ptx" --grid 1 --block 32 --arg p=zero:64 -o "$out"
    family=${instruction%%.*}
    tap_ok '... which the documentation lists' grep -q "\`${family}[.\`]" docs/reference/build.md
done <"$rows"

{
    printf '.version 8.7\n.target sm_80\n.address_size 64\n.visible .entry k(.param .u64 p)\n{\n'
    echo '.reg .pred %p<2>; .reg .b32 %r<4>; .reg .b64 %rd<2>; .reg .f32 %f<8>;'
    echo 'ld.param.u64 %rd1, [p]; mov.u32 %r1, 0;'
    echo 'L: add.u32 %r1, %r1, 1; setp.lt.u32 %p1, %r1, 500; @%p1 bra L;'
    echo 'ld.global.newcache.f32 %f4, [%rd1]; st.global.f32 [%rd1], %f4; ret;'
    echo '}'
} >"$TAP_TMP/skipped.ptx"
launch='--grid 4 --block 32 --arg p=zero:64 --registers none'
refused 'however little is skipped' 1 \
    'skipped.ptx:9: ld.global.newcache.f32 is not known to pipesim, and its results decide what is stored at .*skipped.ptx:9; --partial answers without what it does' \
    build "$TAP_TMP/skipped.ptx" $launch
refused '... in a run' 1 'ld.global.newcache.f32 is not known' "$TAP_TMP/skipped.ptx" --gpu pascal.xml $launch
tap_ok '... with --partial' "$PIPESIM" build "$TAP_TMP/skipped.ptx" $launch --partial -o "$out"
tap_like '... a warning' 'warning: partial answer, without what ld.global.newcache.f32 does: 0.066 % of the' "$(cat "$TAP_ERR")"
tap_ok '... the graph says so' grep -q 'Partial: without what ld.global.newcache.f32 does' "$out"
for input in "$out" "$TAP_TMP/skipped.ptx $launch --partial"; do
    tap_ok "... a run says so: ${input##*/}" "$PIPESIM" $input --gpu pascal.xml
    tap_like '... first' '^Partial +without what ld.global.newcache.f32 does' "$(sed -n 3p "$TAP_OUT")"
    tap_ok '... its JSON' "$PIPESIM" $input --gpu pascal.xml --format json
    tap_like '... too' '"partial": "without what ld.global.newcache.f32 does' "$(cat "$TAP_OUT")"
done
refused '--partial of a graph' 2 '^pipesim: --partial is for the code of a kernel' mmul08.idg --gpu pascal.xml --partial

# ---- the instruction mix
# count CLASS COLUMN: of the table on standard output, a class with its subclasses. Columns are two
# blanks apart, digits in threes one.
count() {
    sed 's/^ *//' "$TAP_OUT" | awk -F '  +' -v name="$1" -v column="$2" '
        $1 == name || index($1, name ".") == 1 { gsub(/ /, "", $column); sum += $column } END { print sum + 0 }'
}
tap_ok 'the mix' "$PIPESIM" build $corpus/mmul16.ptx $mmul --stats
tap_like '... before and after' '^ +before +after$' "$(cat "$TAP_OUT")"
tap_like '... and of how many groups it is' '^mmul: executed [0-9 ]+ warp instructions \([0-9 ]+ of threads\) of 12 groups$' "$(cat "$TAP_OUT")"
tap_is '... merges the loads of a tile: 4 of 16 bytes and 16 of 4' "$(count shared.load 3)" $((20 * 4 * 8))
tap_ok '... or leaves them' "$PIPESIM" build $corpus/mmul16.ptx $mmul --stats --no-merge-loads
tap_is '... as they are' "$(count shared.load 3)" $((32 * 4 * 8))
tap_ok 'without the rule loops' "$PIPESIM" build $corpus/mmul16.ptx $mmul --stats --no-loops
tap_is '... there is no loop' "$(count loop 3)" 0
tap_ok 'without the rule parameters' "$PIPESIM" build $corpus/mmul16.ptx $mmul --stats --no-parameters
tap_is '... they are loaded: four by each warp' "$(count constant 3)" $((4 * 8))
tap_ok 'without the rule dead, which finds nothing here' build --no-dead
for rule in moves addresses merge-loads loops parameters constants frame schedule; do
    tap_ok "without the rule $rule" build --no-$rule
    tap_exit '... the graph is another' 1 cmp -s "$out" "$TAP_TMP/names.idg"
done
# Under the rule frame, specials are read once, whatever the rule specials says of other reads.
build --no-frame && cp "$out" "$TAP_TMP/no-frame.idg"
tap_ok 'without the rule specials' build --no-frame --no-specials
tap_exit '... the graph is another' 1 cmp -s "$out" "$TAP_TMP/no-frame.idg"
tap_ok 'with a graph, too' build --stats
tap_like '... the mix is on standard output' 'before +after' "$(cat "$TAP_OUT")"
tap_like '... and the graph in its file' '<idg ' "$(cat "$out")"

# ---- transposes, found without being told
for way in naive tiled padded; do
    tap_ok "the transpose $way" "$PIPESIM" build $corpus/transpose.ptx --kernel transpose_$way $transpose -o "$TAP_TMP/$way.idg"
done
# classes FILE PATTERN: how many nodes have such a class.
classes() {
    grep -Ec "class=\"$2\"" "$1"
}
tap_ok 'tiled: 32-way conflicts' test "$(classes "$TAP_TMP/tiled.idg" 'local\.load[a-z.]*\.c32')" -gt 0
tap_is '... of loads alone' "$(classes "$TAP_TMP/tiled.idg" 'local\.store[a-z.]*\.c[0-9]+')" 0
tap_is 'padded: no conflicts' "$(classes "$TAP_TMP/padded.idg" 'local.*\.c[0-9]+')" 0
tap_ok 'naive: stores to one sector per thread' test "$(classes "$TAP_TMP/naive.idg" 'global\.store\.s32')" -gt 0
tap_is '... loads are coalesced' "$(classes "$TAP_TMP/naive.idg" 'global\.load\.s[0-9]+')" 0
for way in tiled padded; do
    tap_is "$way: global memory is coalesced" "$(classes "$TAP_TMP/$way.idg" 'global\.[a-z]*\.s[0-9]+')" 0
done

# ---- source
# as NAME LINE...: a script in the place of a program.
as() {
    as_name=$1
    shift
    printf '#!/bin/sh\n' >"$TAP_TMP/bin/$as_name"
    printf '%s\n' "$@" >>"$TAP_TMP/bin/$as_name"
    chmod +x "$TAP_TMP/bin/$as_name"
}
program=$(cd "$(dirname "$PIPESIM")" && pwd)/$(basename "$PIPESIM")
cp $corpus/mmul.cu $corpus/saxpy.cl "$TAP_TMP"
ptx=$(pwd)/$corpus/mmul16.ptx
real_path=$PATH
PATH=$TAP_TMP/bin:$PATH
# shellcheck disable=SC2016 # it is the script that shall see them
last='case $1 in --list-gpu-arch) echo compute_75; echo compute_80; echo compute_90; exit;; esac
echo "$*" >>'"$TAP_TMP"'/calls; for word; do [ "$before" = -o ] && out=$word; before=$word; done'
as nvcc "$last" "cp $ptx \"\$out\""
as ptxas 'echo "ptxas info : Compiling entry function '"'mmul'"' for '"'sm_75'"'" >&2' \
    'echo "ptxas info : Used 44 registers, 2048 bytes smem" >&2'
tap_ok 'CUDA source' "$PIPESIM" build "$TAP_TMP/mmul.cu" $mmul -o "$out"
tap_like '... is compiled for a usual GPU' '^-ptx -lineinfo -arch=sm_80 -Xcompiler -MD,-MF,[^ ]*[.]d -o ' "$(tail -n 1 "$TAP_TMP/calls")"
tap_like '... its registers counted' '<launch .*registers="44"' "$(cat "$out")"
tap_like '... which is said' 'Registers: as ptxas -v reports them for sm_75' "$(cat "$out")"
tap_ok '... or not' "$PIPESIM" build "$TAP_TMP/mmul.cu" $mmul --registers none -o "$out"
tap_is '... then not' "$(grep -c registers= "$out")" 0
tap_ok '... for a GPU' "$PIPESIM" build "$TAP_TMP/mmul.cu" $mmul --gpu pascal.xml -o "$out"
tap_like '... the nearest that the compiler knows' '-arch=sm_75 ' "$(tail -n 1 "$TAP_TMP/calls")"
tap_like '... which is said' 'no sm_61, .* compiled for sm_75' "$(cat "$TAP_ERR")"
tap_ok '... for what is asked for' "$PIPESIM" build "$TAP_TMP/mmul.cu" $mmul --arch sm_86 \
    --compiler-options '-DTILE=16 "-DX=a b"' -o "$out"
tap_like '... with its options' '-arch=sm_86 -DTILE=16 -DX=a b -Xcompiler -MD,-MF,[^ ]*[.]d -o ' "$(tail -n 1 "$TAP_TMP/calls")"
: >"$TAP_TMP/calls"
tap_ok 'two launches of one source are compared' "$PIPESIM" compare "$TAP_TMP/mmul.cu" $mmul --gpu pascal.xml \
    --versus --active 1
tap_is '... it is compiled once' "$(wc -l <"$TAP_TMP/calls")" 1
for differs in '--arch sm_90' '--compiler-options -DTILE=8' '--gpu v100.xml' $corpus/mmul.cu; do
    : >"$TAP_TMP/calls"
    # shellcheck disable=SC2086 # words
    tap_ok "one source and $differs" "$PIPESIM" compare "$TAP_TMP/mmul.cu" $mmul --gpu pascal.xml --versus $differs
    tap_is '... are compiled twice' "$(wc -l <"$TAP_TMP/calls")" 2
done

# Names that a shell or a compiler would take for something else. Like nvcc, the script has a shell
# read them between quotes.
# shellcheck disable=SC2016 # as above
as nvcc "$last" 'eval ": \"$word\" \"$out\""' 'folder=$(dirname "$word")' \
    'head -n 1 "$word" >>'"$TAP_TMP"'/first; ls -ld "$folder" >>'"$TAP_TMP"'/modes' \
    'case $word in */source.cu) cmp "$folder/beside/header.h" '"$TAP_TMP/headers/header.h || exit 3;; esac" "cp $ptx \"\$out\""
# shellcheck disable=SC2016 # the program gets them as they are
for name in 'a b' "it's" 'a"b' '$(touch ran)' '`touch ran`' 'a;touch ran;' '-options' '@list' 'a&b|c' 'a\b' \
    "$(printf 'two\nlines')" "$(printf 'latin\344')"; do
    mkdir "$TAP_TMP/hostile"
    cp "$TAP_TMP/headers/header.h" "$TAP_TMP/hostile"
    cp "$TAP_TMP/mmul.cu" "$TAP_TMP/hostile/$name.cu"
    printable=$(printf %s "$name" | tr '\n' ' ' | tr -d '\344')
    tap_ok "a source called $printable" sh -c 'cd "$1" && shift && exec "$@"' sh "$TAP_TMP/hostile" "$program" \
        build $mmul --registers none -o "$out" -- "$name.cu"
    tap_is '... runs nothing' "$(find "$TAP_TMP/hostile" -name ran)" ''
    tap_like '... goes by a name of ours' '/pipesim-[^/ ]*/source\.cu$' "$(tail -n 1 "$TAP_TMP/calls")"
    tap_is '... in a private folder' "$(tail -n 1 "$TAP_TMP/modes" | cut -c1-10)" drwx------
    # shellcheck disable=SC2059 # printf reads the string as C does
    tap_is '... which says the real one' "$(printf "$(tail -n 1 "$TAP_TMP/first" | tr -d %)" | tr -d '\357\277\275')" \
        "#line 1 \"$(printf %s "$name" | tr -d '\344').cu\""
    rm -r "$TAP_TMP/hostile"
done
# shellcheck disable=SC2016 # as above
mkdir "$TAP_TMP/\$(touch ran)" "$TAP_TMP/tmp \$(touch ran)"
cp "$TAP_TMP/headers/header.h" "$TAP_TMP/mmul.cu" "$TAP_TMP/\$(touch ran)"
# shellcheck disable=SC2016 # as above
tap_ok 'a folder and a TMPDIR of such names' sh -c 'cd "$1" && TMPDIR=$1/$2 "$3" build "\$(touch ran)/mmul.cu" $4 -o $5' sh \
    "$TAP_TMP" 'tmp $(touch ran)' "$program" "$mmul" "$out"
tap_is '... run nothing' "$(find "$TAP_TMP" -name ran)" ''
tap_is 'and nothing is left' "$(ls -A "$TMPDIR")" ''
tap_ok 'a usual name' "$PIPESIM" build $corpus/mmul.cu $mmul -o "$out"
tap_like '... stays as it is' " $corpus/mmul\.cu\$" "$(tail -n 1 "$TAP_TMP/calls")"
as nvcc "$last" 'echo "mmul.cu(7): error: what is this" >&2; exit 2'
tap_exit 'a source that does not compile' 1 "$PIPESIM" build "$TAP_TMP/mmul.cu" $mmul -o "$out.new"
tap_like '... the compiler says why' '^mmul.cu\(7\): error: what is this$' "$(cat "$TAP_ERR")"
tap_like '... and that it failed' \
    'nvcc failed, with the exit status 2; it says above why, and --compiler-options passes it' "$(cat "$TAP_ERR")"
tap_exit '... nothing is written' 1 test -e "$out.new"
tap_is '... and nothing is left' "$(ls -A "$TMPDIR")" ''
# shellcheck disable=SC2016 # as above
for signal in HUP:129 INT:130 TERM:143; do
    as nvcc "$last" "echo half >\"\$out\"; kill -${signal%:*} \$PPID; exec sleep 100"
    tap_exit "SIG${signal%:*} ends compiling" "${signal#*:}" \
        tap_default "$PIPESIM" build "$TAP_TMP/mmul.cu" $mmul -o "$out.new"
    tap_is '... and nothing is left' "$(find "$TMPDIR" -type f)" ''
    tap_exit '... or written' 1 test -e "$out.new"
done
as nvcc "$last" "cp '$TAP_TMP/functions.ptx' \"\$out\""
echo '__device__ int f(int x) { return x; }' >"$TAP_TMP/none.cu"
refused 'a source without a kernel' 1 'finds no kernel in it, which is a __global__ function$' build "$TAP_TMP/none.cu"
printf '%s\n' 'template <class T, int N>' '__global__ void __launch_bounds__(256, 2)' 'scale(T *x)' '{ x[0] = N; }' \
    >"$TAP_TMP/template.cu"
refused '... one that is a template' 1 \
    'since scale is a template; .*such as: template __global__ void scale<float>\(float \*, int\);$' \
    build "$TAP_TMP/template.cu"
as nvcc "$last" 'kill -SEGV $$'
refused 'a compiler that crashes' 1 '^pipesim: nvcc failed, with the exit status 139$' build "$TAP_TMP/mmul.cu" $mmul -o "$out.new"
# A compiler that does not mind being asked to end: the question was for us.
as nvcc "$last" "trap '' TERM; kill -TERM \$PPID; cp $ptx \"\$out\""
tap_exit 'a compiler that goes on after SIGTERM' 143 "$PIPESIM" build "$TAP_TMP/mmul.cu" $mmul -o "$out.new"
tap_exit '... writes nothing' 1 test -e "$out.new"
tap_is '... and leaves nothing' "$(find "$TMPDIR" -type f)" ''
# What our parent has us ignore, compilers ignore, too, and nothing else.
# shellcheck disable=SC2016 # $SIG is Perl's
if [ -r /proc/self/status ]; then
    as nvcc "$last" "sed -n 's/SigIgn:[^0-9a-f]*/0x/p' /proc/self/status >$TAP_TMP/ignored; cp $ptx \"\$out\""
    tap_ok 'a compiler' perl -e '$SIG{PIPE} = $SIG{XFSZ} = "DEFAULT"; exec @ARGV' "$PIPESIM" build "$TAP_TMP/mmul.cu" $mmul -o "$out"
    tap_is '... has no signal ignored' "$(($(cat "$TAP_TMP/ignored") & 0x1001000))" 0
    tap_ok 'a compiler, where broken pipes are ignored' perl -e '$SIG{PIPE} = "IGNORE"; exec @ARGV' "$PIPESIM" build "$TAP_TMP/mmul.cu" $mmul -o "$out"
    tap_is '... has them ignored' "$(($(cat "$TAP_TMP/ignored") & 0x1000))" $((0x1000))
    { perl -e '$SIG{PIPE} = "IGNORE"; 1 while syswrite STDOUT, "x"; exec @ARGV' "$PIPESIM" show v100.xml --xml; echo $? >"$TAP_TMP/status"; } 2>"$TAP_ERR" | true
    tap_is '... and a reader that goes away ends us' "$(cat "$TAP_TMP/status")$(cat "$TAP_ERR")" 141
fi
as ptxas 'echo "ptxas fatal : no such target" >&2; exit 1'
refused 'an assembler that fails' 1 'ptxas fatal : no such target' build $corpus/mmul16.ptx $mmul --registers ptxas -o "$out"
tap_ok '... where it was not asked for, there is a graph' "$PIPESIM" build $corpus/mmul16.ptx $mmul -o "$out"
tap_like '... and a warning' \
    '^pipesim: warning: registers are not known, so they limit no occupancy: .*no such target; --registers N states them$' \
    "$(cat "$TAP_ERR")"
tap_ok '... unless none are wanted' "$PIPESIM" build $corpus/mmul16.ptx $mmul --registers none -o "$out"
tap_is '... then nothing is said' "$(cat "$TAP_ERR")" ''
# An assembler of the past: it looks at the version first.
# shellcheck disable=SC2016 # as above
as ptxas 'version=$(sed -n "s/^\.version //p" "$4")' 'case $version in' \
    '9.0) echo "ptxas info : Compiling entry function '"'mmul'"' for '"'sm_75'"'"' \
    'echo "ptxas info : Used 44 registers, 2048 bytes smem";;' \
    '*) echo "ptxas $4, line 1; fatal : Unsupported .version $version; current version is '"'9.0'"'"; exit 255;; esac >&2'
sed 's/^\.version.*/.version 9.4/' $corpus/mmul16.ptx >"$TAP_TMP/later.ptx"
tap_ok 'PTX later than the assembler' "$PIPESIM" build "$TAP_TMP/later.ptx" --grid 4x4 --block 16x16 --arg 3=64 \
    --arg ramp:16K --arg ramp:16K --arg zero:16K -o "$out"
tap_like '... has its registers' '<launch .*registers="44"' "$(cat "$out")"
tap_like '... as of the version that it knows, which is said' \
    'as ptxas -v reports them for sm_75, read as PTX 9.0, the latest version that it knows' "$(cat "$out")"
sed 's/^\.version.*/.version 9.0/; s/mmul/other/g' $corpus/mmul16.ptx >"$TAP_TMP/later.ptx"
refused 'one that tells of another kernel' 1 '--registers ptxas: ptxas does not tell the registers of other: ' build \
    "$TAP_TMP/later.ptx" --grid 4x4 --block 16x16 --arg 3=64 --arg ramp:16K --arg ramp:16K --arg zero:16K --registers ptxas
rm "$TAP_TMP/bin/"*
# As many loads stand first as registers allow: where nobody tells how many there are, those of a full CU.
# build_spmv OPTION...: a loop that has four times two loads.
build_spmv() {
    data=$corpus/data/spmv
    "$PIPESIM" build $corpus/spmv.ptx --kernel spmv_thread --from ptx --grid 3 --block 32 --arg rows=90 --arg "first=@$data-first.bin" \
        --arg "columns=@$data-columns.bin" --arg "values=@$data-values.bin" --arg "x=@$data-x.bin" --arg y=zero:360 "$@" -o "$out"
}
# nodes_of OPTION...: the names of its graph's nodes, in their order.
nodes_of() {
    build_spmv "$@" 2>/dev/null
    sed -n 's/.*<node name="\([^"]*\)".*/\1/p' "$out"
}
tap_ok 'two GPUs whose registers allow 32 for each thread of a full CU' \
    test "$(nodes_of --gpu a100 --registers none)" = "$(nodes_of --gpu h100 --registers none)"
tap_ok '... one that allows 64' test "$(nodes_of --gpu t4 --registers none)" = "$(nodes_of --gpu t4 --registers 64)"
tap_ok '... which is another order' test "$(nodes_of --gpu a100 --registers none)" != "$(nodes_of --gpu t4 --registers none)"
# No compiler at all, unless CUDA is where nobody can take it away.
if [ ! -e /usr/local/cuda/bin/nvcc ]; then
    tap_exit 'no compiler of CUDA' 1 env PATH="$TAP_TMP/none" "$program" build "$TAP_TMP/mmul.cu" $mmul
    tap_like '... is said, and which package has it' 'nvcc.* nvidia-cuda-toolkit' "$(cat "$TAP_ERR")"
else
    tap_skip 'no compiler of CUDA' 'there is one in /usr/local/cuda'
fi
if [ ! -e /usr/local/cuda/bin/ptxas ]; then
    tap_ok 'no assembler of CUDA' env PATH="$TAP_TMP/none" "$program" build $corpus/mmul16.ptx $mmul
    tap_like '... is said' 'warning: registers are not known, .*there is no ptxas, ' "$(cat "$TAP_ERR")"
else
    tap_skip 'no assembler of CUDA' 'there is one in /usr/local/cuda'
fi
tap_exit 'no compiler of OpenCL' 1 env PATH="$TAP_TMP/none" "$program" build "$TAP_TMP/saxpy.cl" --grid 1 --block 1
tap_like '... is said, and which packages have it' 'packages clang and libclc-14, needs the compiler clang, which was looked for on PATH$' "$(cat "$TAP_ERR")"
PATH=$real_path
if { command -v nvcc || test -e /usr/local/cuda/bin/nvcc; } >/dev/null 2>&1; then
    tap_ok 'a real compiler of CUDA' "$PIPESIM" build "$TAP_TMP/mmul.cu" --compiler-options -DTILE=16 $mmul -o "$out"
    tap_ok '... in one step' "$PIPESIM" "$TAP_TMP/mmul.cu" --compiler-options -DTILE=16 $mmul --gpu v100.xml
    for gpu in a100:sm_80 rtx4090:sm_89 t4:sm_75; do
        tap_ok "registers on ${gpu%:*}" build_spmv --gpu "${gpu%:*}"
        tap_like '... are those of its own architecture' "as ptxas -v reports them for ${gpu#*:}" "$(cat "$out")"
    done
    # shellcheck disable=SC2016 # the compiler shall not see them
    hostile='$(touch ran)`touch ran` "x';
    mkdir "$TAP_TMP/$hostile"
    echo '#include "tile.h"' | cat - "$TAP_TMP/mmul.cu" >"$TAP_TMP/$hostile/$hostile.cu"
    echo '#define TILE 16' >"$TAP_TMP/$hostile/tile.h"
    # shellcheck disable=SC2016 # as above
    tap_ok '... of a name that a shell would run' sh -c 'cd "$1" && shift && exec "$@"' sh "$TAP_TMP" "$program" \
        build "$hostile/$hostile.cu" $mmul -o "$out"
    tap_is '... which it does not' "$(find "$TAP_TMP" -name ran)" ''
    # shellcheck disable=SC2016 # as above
    tap_like '... and names' ' file="\$\(touch ran\)`touch ran` &quot;x\.cu"' "$(cat "$out")"
    tap_like '... and finds' '<!-- 16: const int row = blockIdx.y' "$(cat "$out")"
else
    tap_skip 'a real compiler of CUDA' 'there is none'
fi
saxpy="--grid 4 --block 256 --arg n=1024 --arg a=2.5 --arg x=ramp:4K --arg y=ramp:4K"
# shellcheck disable=SC2086 # the launch is many words
if "$PIPESIM" build "$TAP_TMP/saxpy.cl" $saxpy -o "$out" 2>"$TAP_ERR" || ! grep -q 'OpenCL source, for which' "$TAP_ERR"; then
    tap_ok 'a real compiler of OpenCL' "$PIPESIM" build "$TAP_TMP/saxpy.cl" $saxpy --sample all --dump "y=$TAP_TMP/y" -o "$out"
    tap_is '... of a kernel that computes' "$(numbers f 4 "$TAP_TMP/y" | tail -n 1)" 3580.5
    # libclc 14 has no such function for this target, of which clang 14 dies.
    echo 'float beyond(float); __kernel void k(__global float *x) { *x = beyond(*x) + native_exp(*x); }' >"$TAP_TMP/dies.cl"
    "$PIPESIM" build "$TAP_TMP/dies.cl" --grid 1 --block 1 --arg zero:4 -o "$out" >/dev/null 2>"$TAP_ERR"
    tap_is '... which may end badly, and leaves no files of its own' "$(ls -A "$TMPDIR")" ''
else
    tap_skip 'a real compiler of OpenCL' 'no clang is whole'
fi
tap_is 'nothing is left' "$(ls -A "$TMPDIR")" ''

# ---- functions, also where some lanes go the slow way
"$PIPESIM" build $corpus/trigonometry.ptx --kernel trigonometry --grid 1 --block 64 --arg n=60 \
    --arg angles=@$corpus/data/trigonometry-angles.bin --arg sines=zero:240 --arg cosines=zero:240 --registers none -o "$out"
tap_is 'sines and cosines of large angles are known' "$(grep -o 'op="[a-z]*f"' "$out" | sort -u | tr '\n' ' ')" 'op="cosf" op="sinf" '
}
tap_done

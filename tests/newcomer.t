#!/bin/sh
# SPDX-License-Identifier: BSD-3-Clause
# Runs: quick check sanitize
# What newcomers type, with their usual mistakes: each message has its cure, and what it says runs.
. tests/tap.sh

program=$(cd "$(dirname "$PIPESIM")" && pwd)/$(basename "$PIPESIM")
corpus=$PWD/tests/corpus
unset PIPESIM_PATH
cat >"$TAP_TMP/chase.ptx" <<'END'
.version 8.0
.target sm_70
.address_size 64
.visible .entry _Z5chasePPfS_i(.param .u64 rows, .param .u64 out, .param .u32 m)
{
    .reg .pred %p<2>;
    .reg .b32 %r<5>;
    .reg .b64 %rd<8>;
    .reg .f32 %f<3>;
    ld.param.u64 %rd1, [rows];
    ld.param.u64 %rd2, [out];
    ld.param.u32 %r1, [m];
    mov.u32 %r2, %tid.x;
    mul.wide.u32 %rd3, %r2, 4;
    mov.f32 %f2, 0f00000000;
next:
    ld.global.u64 %rd4, [%rd1];
    add.s64 %rd5, %rd4, %rd3;
    ld.global.f32 %f1, [%rd5];
    add.f32 %f2, %f2, %f1;
    add.s64 %rd1, %rd1, 8;
    sub.u32 %r1, %r1, 1;
    setp.ne.u32 %p1, %r1, 0;
    @%p1 bra next;
    add.s64 %rd6, %rd2, %rd3;
    st.global.f32 [%rd6], %f2;
    ret;
}
END
cp "$corpus/saxpy.ptx" "$corpus/saxpy.cu" "$corpus/transpose.ptx" "$corpus/transpose.cu" "$TAP_TMP"
cd "$TAP_TMP" || exit 1

# told NAME STATUS PATTERN ARGUMENT...
told() {
    told_name=$1 told_status=$2 told_like=$3
    shift 3
    tap_exit "$told_name" "$told_status" "$program" "$@"
    tap_like '... is told with its cure' "$told_like" "$(cat "$TAP_ERR")"
}

# ---- files and options
told 'a file in other letters' 1 '^pipesim: there is no file "Saxpy.ptx"; did you mean saxpy.ptx\?$' Saxpy.ptx --gpu v100
told 'an ending with a slip' 1 'there is no graph "saxpy.ptxx"; .*; did you mean saxpy.ptx\?$' saxpy.ptxx --gpu v100
printf 'a,b\n' >profile.csv
told 'a profile with a slip' 1 'there is no profile or graph "proflie.csv"; .*; did you mean profile.csv\?$' roofline proflie.csv --gpu v100
cp saxpy.cu add.cu
told 'a source without its ending, nearly a graph of ours' 2 'there is no verb or graph "add"; did you mean add\.cu\? ' add
rm add.cu
for verb in compare roofline; do
    told "$verb: nothing on standard input" 1 '^pipesim: (standard input|-: the file) is empty$' "$verb" - --gpu v100 --gpu a100 </dev/null
done
# fed NAME STATUS PATTERN VERB: PTX on standard input, without a launch.
fed() {
    # shellcheck disable=SC2016 # they are the inner shell's
    tap_exit "$1" "$2" sh -c '"$0" "$1" - --gpu v100 --gpu a100 <saxpy.ptx' "$program" "$4"
    tap_like '... is told with its cure' "$3" "$(cat "$TAP_ERR")"
}
fed 'compare: code on standard input lacks a launch' 2 '^pipesim: A: kernel saxpy lacks values .* Add --guess ' compare
fed 'roofline: code on standard input is no profile' 1 '^pipesim: -:1: this is no profile of a kind ' roofline
told 'nothing on standard input' 1 '^pipesim: standard input is empty$' - --gpu v100 </dev/null
told 'GPU and kernel swapped' 2 "^pipesim: 'v100' is a GPU description; write saxpy.ptx --gpu v100 " v100 saxpy.ptx
told 'an argument as an option' 2 'Unknown option --n; an argument of the kernel is --arg n=VALUE ' saxpy.ptx --gpu v100 --n 1M
told 'an option of no kernel' 2 'Unknown option --grp \(see' mmul08 --grp pascal
told 'a dash from a printed page' 2 "'—gpu' begins with a dash, and options with two hyphens: --gpu " saxpy.ptx —gpu v100
told 'a value behind its name' 2 "'1M' looks like an argument's value; write --arg NAME=1M " saxpy.ptx --gpu v100 --arg n 1M
told 'values without --arg' 2 "'x=zero:4M' looks like an argument's value; write --arg x=zero:4M " saxpy.ptx --gpu v100 --arg n=1M x=zero:4M
for values in 'n=1M,x=zero:4M' 'n=1M x=zero:4M' 'n=1M;x=zero:4M'; do
    told "values in one word, $values" 2 'is more than one value; write --arg for each$' saxpy.ptx --gpu v100 --arg "$values"
done
told 'a word in other letters than the locale has' 1 "'4×1' has letters that this locale has not; write ASCII's, or set LC_ALL=C.UTF-8" \
    saxpy.ptx --gpu v100 --grid 4×1
given='--from ptx --gpu v100 --arg n=1K --arg a=2 --arg x=zero:4K --arg y=zero:4K'
# shellcheck disable=SC2086 # words, here and below
{
told 'digits with commas' 2 "'1,000' has commas between its digits; write 1000" saxpy.ptx --from ptx --gpu v100 --grid 4 --block 256 \
    --arg n=1,000 --arg a=2 --arg x=zero:4K --arg y=zero:4K
told '... of a grid' 2 '^pipesim: --grid: 16,384 may be a number or several directions; write 16384 or 16x384, whichever is meant$' saxpy.ptx $given --grid 16,384 --block 256
told '... of threads' 2 '^pipesim: --threads: 16,384 may be .*write 16384 or 16x384' saxpy.ptx $given --threads 16,384 --block 256
told '... of a block' 2 '^pipesim: --block: a comma divides directions, so that 1,024 is no number; write 1024$' saxpy.ptx $given --grid 1 --block 1,024
told '... in a sweep' 2 '--vary block=64,1,024: 024 begins with 0; a comma divides values, so that a number has none in it' \
    sweep saxpy.ptx $given --threads 1K --vary block=64,1,024
told '... of a macro in a sweep' 2 '--vary T=1,024: 024 begins with 0' sweep saxpy.cu --gpu v100 --threads 1K --block 64 --vary T=1,024
tap_ok '... which are three directions' "$program" saxpy.ptx $given --grid 1,2,2 --block 32,16,2
told 'a launch as CUDA has it' 2 "'<<<4,256>>>' is all of a launch; write --grid 4 --block 256$" saxpy.ptx $given --grid '<<<4,256>>>'
tap_ok '... which runs' "$program" saxpy.ptx $given --grid 4 --block 256
tap_ok '... as does dim3' "$program" saxpy.ptx $given --grid 'dim3(4,1,1)' --block '(256,1,1)'

# ---- pointers
told 'a number for a pointer' 1 '"x" is the number 4096 and no buffer; --arg x=zero:BYTES gives it one$' \
    saxpy.ptx --from ptx --gpu v100 --arg n=1K --arg a=2 --arg x=4K --arg y=zero:4K --grid 4 --block 256
chase='chase.ptx --from ptx --gpu v100 --grid 1 --block 32'
told 'pointers to pointers' 2 '--arg rows=pointers:COUNT:zero:BYTES --arg out=zero:BYTES --arg m=NUMBER$' $chase
told '... are no guess' 1 'give them: --arg rows=pointers:COUNT:zero:BYTES is the addresses' chase.ptx --from ptx --gpu v100 --guess
told '... and no plain buffer' 1 'rows points to pointers: --arg rows=pointers:COUNT:zero:BYTES gives it the addresses' $chase \
    --arg rows=zero:64 --arg out=zero:128 --arg m=4
tap_ok '... run as is told' "$program" $chase --arg rows=pointers:4:zero:128 --arg out=zero:128 --arg m=4
tap_ok '... as many as an argument says' "$program" $chase --arg rows=pointers:m:zero:32*m --arg out=zero:128 --arg m=4
told '... of buffers that are too small' 1 'behind the end of "rows\[0\]"' $chase --arg rows=pointers:4:zero:64 --arg out=zero:128 --arg m=4
told '... too few of them' 1 'behind the end of "rows"' $chase --arg rows=pointers:2:zero:128 --arg out=zero:128 --arg m=4
for wrong in pointers: pointers:4 pointers:4: pointers::zero:4 pointers:0:zero:4 pointers:4097:zero:4 pointers:4:ones:4 'pointers:4*(:zero:4'; do
    told "$wrong" 2 '^pipesim: --arg rows: ' $chase --arg "rows=$wrong" --arg out=zero:128 --arg m=4
done
tap_ok 'what they hold' "$program" build $chase --registers none --arg rows=pointers:4:ramp:128 --arg out=zero:128 --arg m=4 \
    --dump out=sums -o graph.idg
tap_is '... is summed up' "$(od -An -v -w4 -tf4 sums | tr -d ' ' | tr '\n' ' ')" \
    "$(awk 'BEGIN { for (i = 0; i < 32; i++) printf "%d ", 4 * i }')"

# ---- several kernels
both='transpose.ptx --from ptx --gpu v100 --kernel transpose_naive --kernel transpose_tiled'
told 'two kernels that lack all' 2 'The lines above have all 2 launches: filled in, in a file, --launches FILE takes them' $both
sed '/^pipesim/d; s/GROUPS/4x4/; s/THREADS/32x8/; s/BYTES/64K/g; s/NUMBER/128/g' "$TAP_ERR" >launches
tap_ok '... which that does' "$program" transpose.ptx --from ptx --gpu v100 --launches launches
tap_is '... for both' "$(grep -c '^transpose_' "$TAP_OUT")" 2
sizes='--grid 4x4 --block 32x8 --arg width=128 --arg height=128 --arg in=zero:64K --arg out=zero:64K'
told 'an argument of neither' 2 '--arg depth=1: none of the kernels has such an argument' $both $sizes --arg depth=1
}
cat >two.ptx <<'END'
.version 7.0
.target sm_70
.address_size 64
.visible .entry first(.param .u64 first_param_0, .param .u32 first_param_1)
{
    .reg .b32 %r<3>;
    .reg .b64 %rd<3>;
    ld.param.u64 %rd1, [first_param_0];
    ld.param.u32 %r1, [first_param_1];
    st.global.u32 [%rd1], %r1;
    ret;
}
.visible .entry second(.param .u64 second_param_0, .param .u64 second_param_1)
{
    .reg .b32 %r<3>;
    .reg .b64 %rd<3>;
    ld.param.u64 %rd1, [second_param_0];
    ld.param.u64 %rd2, [second_param_1];
    ld.global.u32 %r1, [%rd1];
    st.global.u32 [%rd2], %r1;
    ret;
}
END
printf '__global__ void first(int *a, int n)\n{\n    *a = n;\n}\n__global__ void second(int *a, int *b)\n{\n    *b = *a;\n}\n' >two.cu
printf '.file 1 "two.cu"\n' >>two.ptx
tap_ok 'arguments for two kernels, of which each takes its own' "$program" two.ptx --from ptx --gpu v100 --kernel first --kernel second \
    --grid 1 --block 32 --arg a=zero:4 --arg b=zero:4 --arg n=3
told 'a name of another kernel behind one kernel' 2 "kernel first has no argument 'b'" two.ptx --from ptx --gpu v100 \
    --grid 1 --block 32 --arg a=zero:4 --kernel first --arg n=3 --arg b=zero:4 --kernel second --arg b=zero:4

# ---- a source that was written after the code that was made of it
touch -d '2026-01-01 12:00:00' two.ptx
touch -d '2026-01-01 12:01:00' two.cu
stale='two.ptx --from ptx --gpu v100 --kernel first --grid 1 --block 32'
# shellcheck disable=SC2086 # as above
{
told 'names of a later source' 2 "nobody knows which argument of kernel first is 'n', since .*two.cu was written after two.ptx, .*: compile that again, or touch two.ptx .*; write --arg 0=VALUE" \
    $stale --arg n=3 --arg a=zero:4
told '... are not asked for' 2 'whose names are not known since .*two.cu was written after two.ptx' $stale
tap_ok '... numbers are taken' "$program" $stale --arg 0=zero:4 --arg 1=3
tap_like '... with a warning' 'warning: this is the code as it was compiled, and lines of its source may be others: .*two.cu was written after' \
    "$(cat "$TAP_ERR")"
touch -d '2026-01-01 12:02:00' two.ptx
tap_ok '... names, too, of code that is newer' "$program" $stale --arg n=3 --arg a=zero:4
tap_is '... of which nothing is said' "$(grep 'was written' "$TAP_ERR")" ''
}

# ---- a profile as Windows keeps it
iconv -f UTF-8 -t UTF-16LE "$corpus/../golden/input/ncu.csv" >wide.csv 2>/dev/null
told 'UTF-16' 1 "UTF-8 is needed: iconv -f UTF-16LE -t UTF-8 'wide.csv' >utf-8.csv$" roofline wide.csv --gpu v100
sh -c "$(sed 's/.*is needed: //' "$TAP_ERR")"
tap_ok '... which runs as it is told' cmp utf-8.csv "$corpus/../golden/input/ncu.csv"

# ---- memory that a group shares, of machine code
# asked FILE: the kernels that are asked for bytes of it.
asked() {
    "$program" "$corpus/../sass/corpus/$1.cubin" --gpu a100 2>&1 | sed -n 's/.*--kernel \([a-z_]*\) .*--shared BYTES$/\1/p'
}
tap_is 'an array of which the launch says how large it is, beside one of the kernel' "$(asked reduction)" reduce_shared
tap_is '... of another kernel' "$(asked scan)" scan_tree
told '... of the only one' 2 '--arg param_0=zero:BYTES --shared BYTES$' "$corpus/../sass/corpus/bitonic.cubin" --gpu a100
told 'no such array' 2 '--arg param_3=zero:BYTES$' "$corpus/../sass/corpus/saxpy.cubin" --gpu a100
tap_done

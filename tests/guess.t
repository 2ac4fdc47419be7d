#!/bin/sh
# SPDX-License-Identifier: BSD-3-Clause
# Runs: check nightly-sanitize
# --guess: what the code tells of its arguments, what is told of each guess, and where no guess would be honest.
. tests/tap.sh

corpus=tests/corpus

# guessed FILE OPTIONS...: the answer's guesses, each "name=value:sure" on a line.
guessed() {
    file=$1
    shift
    "$PIPESIM" "$corpus/$file" --from ptx --gpu v100 --guess "$@" --format json 2>"$TAP_ERR" |
        perl -MJSON::PP -0777 -ne 'print map { "$_->{name}=$_->{value}:$_->{sure}\n" } @{decode_json($_)->{guessed}}'
}

tap_is 'numbers that threads are held against are as many, and fractions 1' "$(guessed saxpy.ptx | tr '\n' ' ')" \
    'grid=5120:weak block=256:weak n=1310720:likely a=1:likely x=zeros:code y=zeros:code '
tap_is 'groups of a tile are as large as the code has them apart' "$(guessed mmul16.ptx | sed -n 2p)" \
    'block=16x16:likely'
tap_is 'a length of rows that loops go by is a weak guess' "$(guessed mmul16.ptx | tail -n 1)" 'size=1152:weak'
tap_is 'what a shared array has places for limits a group' "$(guessed transpose.ptx --kernel transpose_tiled | sed -n 2p)" \
    'block=32x8:likely'
tap_is '... and sizes follow from how far groups are apart' \
    "$(guessed transpose.ptx --kernel transpose_tiled --grid 4x4 | grep -e width -e height | tr '\n' ' ')" \
    'width=128:likely height=128:likely '
tap_is '... as groups do from a size' \
    "$(guessed transpose.ptx --kernel transpose_tiled --arg width=64 --arg height=96 | sed -n 1p)" 'grid=2x3:likely'
tap_is 'rows that a thread has in turn are no threads' \
    "$(guessed transpose.ptx --kernel transpose_naive --grid 4x4 | tr '\n' ' ')" \
    'block=32x8:likely width=128:likely height=128:likely in=zeros:code out=zeros:code '
tap_is '... each array for itself' "$(guessed gemm-registers.ptx --grid 2x2 | sed -n 1p)" 'block=8x8:likely'
tap_is 'where threads have several elements each, how long rows are is a weak guess' \
    "$(guessed gemm-registers.ptx --grid 2x2 --block 8x8 | grep -e '^[mnk]=' | tr '\n' ' ')" 'm=64:likely n=64:weak k=64:weak '
tap_is 'a buffer whose values become places in shared memory is a ramp' \
    "$(guessed histogram.ptx --kernel histogram_shared | grep '^in=')" 'in=0, 1, 2, ... (u8):weak'
tap_is 'the source of an asynchronous copy is a buffer' "$(guessed gemm-async.ptx | grep '^a=')" 'a=zeros:code'
tap_is 'what decides a branch is a weak guess' "$(guessed black-scholes.ptx | grep '^price=')" 'price=zeros:weak'
tap_is "Triton's blocks are as many elements as the code has them apart" "$(guessed triton-add.ptx | sed -n 5p)" \
    'add_kernel_param_3=10485760:likely'
tap_is 'a grid follows from a number that is given' "$(guessed saxpy.ptx --arg n=1000 | sed -n 1p)" 'grid=4:likely'
tap_is 'numbers follow from a grid and a block that are given' \
    "$(guessed saxpy.ptx --grid 10 --block 64 | grep '^n=')" 'n=640:likely'
tap_is 'what is given is not guessed' \
    "$(guessed saxpy.ptx --grid 10 --block 64 --arg n=640 --arg a=2 --arg x=zero:4K --arg y=zero:4K)" ''

tap_ok 'the text says what is assumed' "$PIPESIM" $corpus/saxpy.ptx --from ptx --gpu v100 --guess
tap_like 'each with how sure it is and the option that replaces it' \
    'n = 1310720 \(likely: .*--arg n=NUMBER\)' "$(tr -s ' \n' '  ' <"$TAP_OUT")"
tap_ok 'a graph of guesses is written' "$PIPESIM" build $corpus/saxpy.ptx --from ptx --gpu v100 --guess \
    -o "$TAP_TMP/guessed.idg"
tap_ok 'CSV of it has a column' "$PIPESIM" "$TAP_TMP/guessed.idg" --gpu v100 --format csv
tap_like 'that says what is assumed' 'half_width_seconds,assumed' "$(cat "$TAP_OUT")"
tap_ok 'so has its page' "$PIPESIM" "$TAP_TMP/guessed.idg" --gpu v100 --report "$TAP_TMP/page.html"
tap_like 'a line' 'Assumed' "$(cat "$TAP_TMP/page.html")"
"$PIPESIM" $corpus/saxpy.ptx --from ptx --gpu v100 --guess >"$TAP_TMP/first"
tap_is 'a kept graph says the same' "$("$PIPESIM" $corpus/saxpy.ptx --from ptx --gpu v100 --guess | cmp - "$TAP_TMP/first")" ''

tap_exit 'without --guess values are asked for' 2 "$PIPESIM" $corpus/saxpy.ptx --from ptx --gpu v100
tap_like 'and --guess is offered' 'Add --guess for a first answer' "$(cat "$TAP_ERR")"
tap_exit 'a loop that ends on data is no guess' 2 "$PIPESIM" $corpus/spmv.ptx --kernel spmv_thread --from ptx \
    --gpu v100 --guess
tap_like 'and the message says where, and what to give' \
    '--guess: spmv.cu:14: a loop ends by what is in first.*--arg first=@FILE' "$(cat "$TAP_ERR")"
cat >"$TAP_TMP/bad.ptx" <<'END'
.version 8.0
.target sm_70
.address_size 64
.visible .entry chase(.param .u64 list)
{
    .reg .b64 %rd<4>;
    .reg .f32 %f<2>;
    ld.param.u64 %rd1, [list];
    ld.global.u64 %rd2, [%rd1];
    ld.global.f32 %f1, [%rd2];
    st.global.f32 [%rd1], %f1;
    ret;
}
.visible .entry forever(.param .u64 out)
{
    .reg .b64 %rd<2>;
    .reg .b32 %r<2>;
    ld.param.u64 %rd1, [out];
again:
    add.u32 %r1, %r1, 1;
    bra again;
}
.visible .entry point(.param .align 8 .b8 where[24])
{
    .reg .b64 %rd<2>;
    .reg .b32 %r<2>;
    ld.param.u64 %rd1, [where];
    ld.param.u32 %r1, [where+16];
    st.global.u32 [%rd1], %r1;
    ret;
}
END
tap_exit 'pointers to pointers are no guess' 1 "$PIPESIM" "$TAP_TMP/bad.ptx" --kernel chase --from ptx --gpu v100 --guess
tap_like 'and the message says so' 'reads from list.*pointers to pointers' "$(cat "$TAP_ERR")"
tap_exit 'a struct is none' 2 "$PIPESIM" "$TAP_TMP/bad.ptx" --kernel point --from ptx --gpu v100 --guess
tap_like 'and its fields are asked for' '--arg where\+0=VALUE' "$(cat "$TAP_ERR")"
tap_exit 'a loop without end ends' 1 "$PIPESIM" "$TAP_TMP/bad.ptx" --kernel forever --from ptx --gpu v100 --guess \
    --max-instructions 10000
tap_like 'and the message says what was guessed' 'these were guessed \(--guess\)' "$(cat "$TAP_ERR")"
tap_exit '... also where nobody said how many instructions it may have' 1 "$PIPESIM" "$TAP_TMP/bad.ptx" \
    --kernel forever --from ptx --gpu v100 --guess
tap_like '... after fewer than without guesses' 'not done after 16777216 .*--max-instructions' "$(cat "$TAP_ERR")"
tap_exit 'a grid of a number that lacks is no guess' 2 "$PIPESIM" $corpus/saxpy.ptx --from ptx --gpu v100 --guess \
    --grid n/256
tap_like 'and the number is asked for' 'numbers that it needs have to be given' "$(cat "$TAP_ERR")"
tap_done

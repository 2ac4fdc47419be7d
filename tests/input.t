#!/bin/sh
# SPDX-License-Identifier: BSD-3-Clause
# Runs: check sanitize
# pipesim -: standard input is read by its content, and leaves nothing behind.
. tests/tap.sh

corpus=tests/corpus
mkdir "$TAP_TMP/passing"
# time_of FILE: what a kernel takes by its name; of_input FILE: the same as standard input.
time_of() {
    "$PIPESIM" "$1" --from ptx --gpu v100 --guess 2>/dev/null | grep '^Time'
}
of_input() {
    TMPDIR=$TAP_TMP/passing "$PIPESIM" - --from ptx --gpu v100 --guess <"$1" 2>"$TAP_ERR" | grep '^Time'
}

for kernel in saxpy mmul16 softmax; do
    tap_is "PTX of $kernel" "$(of_input $corpus/$kernel.ptx)" "$(time_of $corpus/$kernel.ptx)"
done
tap_is '... in a pipe' "$(tail -n +1 $corpus/saxpy.ptx | "$PIPESIM" - --from ptx --gpu v100 --guess 2>/dev/null |
    grep '^Time')" "$(time_of $corpus/saxpy.ptx)"
tap_is 'a graph' "$("$PIPESIM" - --gpu pascal.xml <graphs/mmul08.idg)" "$("$PIPESIM" mmul08.idg --gpu pascal.xml)"
if command -v nvcc >/dev/null; then
    tap_is 'CUDA' "$(of_input $corpus/saxpy.cu)" "$(time_of $corpus/saxpy.cu)"
fi

# refused WORDS TEXT PATTERN STATUS: that text as standard input is refused.
refused() {
    printf '%s\n' "$2" >"$TAP_TMP/text"
    # shellcheck disable=SC2016 # they are the inner shell's
    tap_exit "$1" "$4" sh -c '"$0" - --gpu v100 --guess <"$1"' "$PIPESIM" "$TAP_TMP/text"
    tap_like '... in one sentence' "$3" "$(cat "$TAP_ERR")"
}
refused 'a listing without its bits' "$(printf '\t.target sm_80\n\t.section .text.k,"ax"\n        /*0000*/                   MOV R1, c[0x0][0x28] ;')" \
    "^pipesim: standard input: a listing of machine code needs each instruction's bits, .*nvdisasm -c -hex" 1
refused 'another text' 'int main(void) { return 0; }' '^pipesim: standard input is neither a graph nor a kernel' 1
refused 'nothing' '' '^pipesim: standard input is neither' 1
refused 'PTX that is none' '.version 9.0 nonsense' '^pipesim: -:1: ' 1

# ---- what a person can copy of it runs
cat >"$TAP_TMP/two.ptx" <<'END'
.version 7.0
.target sm_70
.address_size 64
.visible .entry first(.param .u64 a, .param .u32 n)
{
    .reg .b32 %r<3>;
    .reg .b64 %rd<3>;
    ld.param.u64 %rd1, [a];
    ld.param.u32 %r1, [n];
    st.global.u32 [%rd1], %r1;
    ret;
}
.visible .entry second(.param .u64 b)
{
    .reg .b32 %r<3>;
    .reg .b64 %rd<3>;
    ld.param.u64 %rd1, [b];
    ld.global.u32 %r1, [%rd1];
    st.global.u32 [%rd1+4], %r1;
    ret;
}
END
# filled TEXT: the command lines in it, filled in.
filled() {
    printf '%s\n' "$1" | grep -o 'pipesim run .*' | sed -e 's/GROUPS/4/; s/THREADS/32/; s/BYTES/4K/g; s/NUMBER/7/g'
}
# copied NAME FILE OPTION...: each line that is told with standard input runs with it, as it is told.
copied() {
    copied_name=$1 copied_file=$2
    shift 2
    "$PIPESIM" - "$@" <"$copied_file" 2>"$TAP_TMP/told"
    filled "$(cat "$TAP_TMP/told")" >"$TAP_TMP/lines"
    tap_is "$copied_name: no passing file is told" "$(grep '/tmp\|stdin' "$TAP_TMP/told")" ''
    tap_ok '... but command lines' test -s "$TAP_TMP/lines"
    while IFS= read -r line; do
        tap_ok "... $line" sh -c "\"\$0\" ${line#pipesim } <\"\$1\"" "$PIPESIM" "$copied_file"
    done <"$TAP_TMP/lines"
}
copied 'two kernels' "$TAP_TMP/two.ptx" --gpu v100 --from ptx
copied 'one of them' "$TAP_TMP/two.ptx" --gpu v100 --from ptx --kernel first
printf 'first --grid 4 --block 32 --arg a=zero:4K --arg n=7\nsecond --grid 4 --block 32 --arg b=zero:4K\n' >"$TAP_TMP/launches"
# shellcheck disable=SC2016 # they are the inner shell's
tap_ok 'a file of launches' sh -c '"$0" - --from ptx --gpu v100 --launches "$1" <"$2"' "$PIPESIM" "$TAP_TMP/launches" "$TAP_TMP/two.ptx"
tap_like '... of which all read the same input' '^second ' "$(cat "$TAP_OUT")"
for verb in 'sweep --vary active=1,2' 'build -o /dev/null' show; do
    # shellcheck disable=SC2016,SC2086 # as above; the verb's words
    tap_ok "$verb takes standard input" sh -c 'from=$1; shift; exec "$@" <"$from"' sh "$TAP_TMP/two.ptx" "$PIPESIM" $verb - \
        --kernel second --gpu v100 --from ptx --grid 4 --block 32 --arg b=zero:4K
done
if command -v nvcc >/dev/null; then
    printf '__global__ void k(int *a, int n)\n{\n    a[n] = n;\n}\n' >"$TAP_TMP/k.cu"
    copied 'CUDA' "$TAP_TMP/k.cu" --gpu v100 --from ptx
    for run in 1 2; do
        "$PIPESIM" - --gpu v100 --from ptx --explain --format json --grid 4 --block 32 --arg a=zero:4K --arg n=7 \
            <"$TAP_TMP/k.cu" >"$TAP_TMP/run$run" 2>&1
    done
    tap_like '... has lines of a file of one name' '"stdin.cu:3' "$(cat "$TAP_TMP/run1")"
    tap_ok '... so answers are equal' cmp "$TAP_TMP/run1" "$TAP_TMP/run2"
    # shellcheck disable=SC2016 # as above
    tap_exit '... a fault' 1 sh -c '"$0" - --gpu v100 --from ptx --grid 4 --block 32 --arg a=zero:4 --arg n=7 <"$1"' "$PIPESIM" "$TAP_TMP/k.cu"
    tap_like '... has its line' '^pipesim: stdin.cu:3: ' "$(cat "$TAP_ERR")"
else
    tap_skip 'CUDA from standard input' 'nvcc is not installed'
fi

# ---- a listing of machine code is a cubin again
if command -v nvdisasm >/dev/null; then
    for kernel in saxpy sor mandelbrot; do
        nvdisasm -c -hex tests/sass/corpus/$kernel.cubin >"$TAP_TMP/listing"
        tap_is "the listing of $kernel" "$("$PIPESIM" - --gpu a100 --guess <"$TAP_TMP/listing" 2>/dev/null | grep '^Time')" \
            "$("$PIPESIM" tests/sass/corpus/$kernel.cubin --gpu a100 --guess 2>/dev/null | grep '^Time')"
    done
    tap_like '... has a time' '^Time' "$("$PIPESIM" - --gpu a100 --guess <"$TAP_TMP/listing" 2>/dev/null | grep '^Time')"
    tap_like '... and its control codes' '^0000 [0-9-]{2}:[0-9-]:[0-9-]:[Y-]:[0-9]{2} [A-Z]' \
        "$("$PIPESIM" - --gpu a100 --guess --listing <"$TAP_TMP/listing" 2>/dev/null)"
else
    tap_skip 'a listing of machine code' 'nvdisasm is not installed'
fi

# ---- Compiler Explorer hands out assembly in a file, behind options for llvm-mca
sed 's/^\.hword/.short/' $corpus/saxpy.ptx >"$TAP_TMP/output.s.mca"
TMPDIR=$TAP_TMP/passing
XDG_DATA_HOME=$TAP_TMP # where no disassembler is
export TMPDIR XDG_DATA_HOME
tap_ok 'assembly of Compiler Explorer' editors/compiler-explorer.sh -mtriple=nvptx64 -mcpu=generic --gpu a100 --gpu v100 \
    --arg 0=640 "$TAP_TMP/output.s.mca"
tap_like '... is answered for the GPU that a person asks for' '^saxpy on Tesla V100' "$(cat "$TAP_OUT")"
tap_like '... with the argument' 'Launch +3 groups of 256' "$(cat "$TAP_OUT")"
tap_like '... by line of the source, or by instruction where there are ptxas and nvdisasm' '^(Source lines|Listing:)' \
    "$(cat "$TAP_OUT")"
# With nvcc it is the host's assembly, and what nvcc keeps lies beside it: the PTX that comes with it has the lines.
mkdir "$TAP_TMP/nvcc"
printf '\t.file\t"kernel.cudafe1.cpp"\n\tmovq\t%%rsp, %%rbp\n' | tee "$TAP_TMP/nvcc/output.s" >"$TAP_TMP/nvcc/output.s.mca"
cp $corpus/saxpy.ptx "$TAP_TMP/nvcc/kernel.compute_75.ptx"
echo 'no PTX of a later one' >"$TAP_TMP/nvcc/kernel.compute_100.ptx"
tap_ok 'what nvcc keeps for Compiler Explorer' editors/compiler-explorer.sh -mtriple=x86_64 -mcpu=generic --gpu v100 \
    "$TAP_TMP/nvcc/output.s.mca"
tap_like '... is the device code' '^saxpy on Tesla V100' "$(cat "$TAP_OUT")"
mkdir "$TAP_TMP/clang"
cp $corpus/saxpy.ptx "$TAP_TMP/clang/output.s"
grep -v '^[[:space:]]*\.\(loc\|file\)' $corpus/saxpy.ptx >"$TAP_TMP/clang/output.s.mca"
tap_ok "clang's assembly" editors/compiler-explorer.sh --gpu v100 --tables "$TAP_TMP/clang/output.s.mca"
tap_is '... is read with its lines' "$(grep '^Source' "$TAP_OUT")" \
    "$("$PIPESIM" - --gpu v100 --guess --tables <"$TAP_TMP/clang/output.s" 2>/dev/null | grep '^Source')"
echo '<Compilation failed>' >"$TAP_TMP/failed.s.mca"
tap_exit 'what was not compiled' 1 editors/compiler-explorer.sh -mtriple=x86_64 -mcpu=generic "$TAP_TMP/failed.s.mca"
tap_is '... is told' "$(cat "$TAP_ERR")" 'pipesim: the compiler made no assembly: <Compilation failed>'
tap_exit 'a file that is not there' 2 editors/compiler-explorer.sh --gpu v100 "$TAP_TMP/none"
tap_is 'no file is left' "$(ls "$TAP_TMP/passing")" ''
tap_done

#!/bin/sh
# SPDX-License-Identifier: BSD-3-Clause
# Runs: quick check sanitize
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
refused 'PTX that is none' '.version 9.0 nonsense' '\.ptx:' 1

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
tap_exit 'a file that is not there' 2 editors/compiler-explorer.sh --gpu v100 "$TAP_TMP/none"
tap_is 'no file is left' "$(ls "$TAP_TMP/passing")" ''
tap_done

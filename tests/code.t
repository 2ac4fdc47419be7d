#!/bin/sh
# SPDX-License-Identifier: BSD-3-Clause
# Runs: check
# bench --code: a page of the kernels' machine code. What is right and what is wrong of it, is in
# tests/unit/code*.c; docs/evidence/bench-code.md is such a page.
. tests/tap.sh

mkdir "$TAP_TMP/none" "$TAP_TMP/compiler"
ln -s "$(cd "$BUILD" && pwd)/tests/stand-in/cuda.so" "$TAP_TMP/compiler/libnvrtc.so.13"

# with FOLDER COMMAND...: libraries come from that folder alone.
with() (
    PIPESIM_DRIVERS=$1
    export PIPESIM_DRIVERS
    shift
    "$@"
)

# says PATTERN: one line, and nothing else.
says() {
    tap_like '... it is said' "^pipesim: $1\$" "$(cat "$TAP_ERR")"
    tap_is '... in one line' "$(wc -l <"$TAP_ERR")" 1
    tap_is '... and nothing else is written' "$(cat "$TAP_OUT")" ''
}

tap_exit 'without NVRTC' 1 with "$TAP_TMP/none" "$PIPESIM" bench --code sm_90
says '--code: kernels cannot be compiled, for libnvrtc.* was looked for and not found.*'
tap_exit 'an NVRTC that does not know the chip' 1 with "$TAP_TMP/compiler" "$PIPESIM" bench --code sm_75,sm_120
says '--code: NVRTC 13.0 does not know sm_120 .*'
tap_exit 'what a compiler makes that is no machine code' 1 with "$TAP_TMP/compiler" "$PIPESIM" bench --code sm_90 --classes fadd-ilp1
says '--code sm_90: fadd-ilp1: the machine code is no ELF file, or a damaged one'
tap_exit 'no kernel of that name' 1 with "$TAP_TMP/compiler" "$PIPESIM" bench --code sm_90 --classes 'nothing*'
says '--classes nothing\*: no benchmark has such a name'
tap_exit 'without clang' 1 env PATH="$TAP_TMP/none" "$PIPESIM" bench --code gfx90a
says "--code: there is no clang for AMD's GPUs on PATH; .*"
for wrong in '--code=' '--code sm_90,' '--code pascal' '--code sm_90 --quick' '--code sm_90 --raw x' \
    '--code sm_90 --from x' '--code sm_90 --backend cuda' '--code sm_90 --format json'; do
    # shellcheck disable=SC2086 # they are words
    tap_exit "wrong usage: $wrong" 2 with "$TAP_TMP/compiler" "$PIPESIM" bench $wrong
done

if "$PIPESIM" bench --code sm_90 --classes 'fadd-ilp*' >"$TAP_TMP/page.md" 2>/dev/null; then
    tap_like 'a page says which compiler it is of' 'compiled by NVRTC [0-9]+\.[0-9]+;' "$(cat "$TAP_TMP/page.md")"
    tap_like '... how many kernels are right' '^\| right \| 4 \|' "$(grep '^| right' "$TAP_TMP/page.md")"
    tap_is '... and what they have in a trip' "$(grep '^| fadd' "$TAP_TMP/page.md")" \
        '| fadd | 1 2 4 8 | 64 128 256 512 | FADD |'
    tap_is '... and that nothing is wrong' "$(tail -n 1 "$TAP_TMP/page.md")" 'Nothing is wrong.'
    tap_ok 'a page in a file' "$PIPESIM" bench --code sm_90 --classes 'fadd-ilp*' -o "$TAP_TMP/again.md"
    tap_ok '... is the same' cmp "$TAP_TMP/page.md" "$TAP_TMP/again.md"
else
    tap_skip 'a page' 'NVRTC is not installed'
fi

# AMD's architectures have two columns, and the second one says where it differs from the first.
if "$PIPESIM" bench --code gfx90a --classes 's*-ilp1' >"$TAP_TMP/amd.md" 2>"$TAP_ERR"; then
    tap_is 'a page for AMD has a column for each language' "$(grep '^| |' "$TAP_TMP/amd.md")" '| | gfx90a HIP | gfx90a OpenCL |'
    tap_like '... and says what OpenCL is compiled with' 'builtins-amd\.h' "$(cat "$TAP_TMP/amd.md")"
    tap_is '... each has the kernels that there are' "$(grep '^| kernels' "$TAP_TMP/amd.md")" '| kernels | 4 | 3 |'
    tap_is '... what is the same in both is said once' "$(grep '^| shift' "$TAP_TMP/amd.md")" \
        '| shift | 1 | 64 | v_lshlrev_b32_e32 | as HIP |'
    tap_like '... what is not, in each' '\| v_sin_f32_e32 \| v_sin_f32_e32 \(v_mul' "$(grep '^| sin' "$TAP_TMP/amd.md")"
    tap_like '... what there is in one, there' '\| ds_bpermute_b32 \| \|$' "$(grep '^| shuffle' "$TAP_TMP/amd.md")"
else
    tap_like 'no page for AMD without a clang that has its GPUs, and llvm-objdump' 'clang|llvm-objdump' "$(cat "$TAP_ERR")"
fi

# ---- the page in docs/ has the kernels that there are
missing=
mkdir "$TAP_TMP/sources"
PIPESIM_KERNEL_SOURCES="$TAP_TMP/sources" "$BUILD/tests/unit/bench-kernels.t" -p /bench-kernels/sources >"$TAP_OUT"
for source in "$TAP_TMP"/sources/*.cu; do
    name=$(basename "$source" .cu)
    cut -f1 docs/evidence/rows/bench-code.tsv | grep -Eq "(^|, )${name%-ilp*}(,|$)" || missing="$missing $name"
done
tap_is 'docs/evidence/rows/bench-code.tsv has all kernels (make bench-code)' "$missing" ''
tap_is '... and of all that it has the code is right, for AMD in both languages' \
    "$(sed -n 's/^| right |//p' docs/evidence/bench-code.md) $(cat docs/evidence/bench-code.md docs/evidence/rows/bench-code.tsv | tr '\t' '|' | grep -Ec 'gfx90a HIP ?[|] ?gfx90a OpenCL')" \
    "$(sed -n 's/^| kernels |//p' docs/evidence/bench-code.md) 2"

tap_done

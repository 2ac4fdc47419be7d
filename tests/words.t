#!/bin/sh
# SPDX-License-Identifier: BSD-3-Clause
# Runs: check
# What is said of CUDA's kernels calls the memory that a group shares by CUDA's word, whoever says it; files keep the
# names of classes, and either name may be typed.
. tests/tap.sh

corpus=$PWD/tests/corpus
launch='--grid 4x4 --block 16x16 --arg size=64 --arg a=ramp:16K --arg b=ramp:16K --arg c=zero:16K --registers 32 --from ptx'

# said NAME FILE OPTION...: all that is said of that file's kernel.
said() {
    said_name=$1
    shift
    # shellcheck disable=SC2086 # launches are words
    tap_ok "$said_name" "$PIPESIM" "$@" $launch --report "$TAP_TMP/page.html"
    cat "$TAP_TMP/page.html" >>"$TAP_OUT"
}

for gpu in a100 pascal; do
    said "CUDA on $gpu" "$corpus/mmul16.ptx" --gpu "$gpu" --advise --explain --tables --sensitivity --timeline
    # style sheets have such words, too
    tap_is '... says shared' "$(grep -iw 'local' "$TAP_OUT" "$TAP_ERR")" ''
    tap_like '... of classes' 'shared\.load' "$(cat "$TAP_OUT")"
    tap_like '... and of what is varied' 'shared memory' "$(cat "$TAP_OUT")"
done
# shellcheck disable=SC2086 # as above
tap_ok 'a comparison' "$PIPESIM" compare "$corpus/mmul16.ptx" $launch --gpu a100 --versus --active 1
tap_is '... says shared' "$(grep -iw 'local' "$TAP_OUT" "$TAP_ERR")" ''

for verb in show 'build --stats' 'roofline --gpu pascal' 'roofline --gpu pascal --format gnuplot --chart-kind hierarchical'; do
    # shellcheck disable=SC2086 # verbs and launches are words
    tap_ok "$verb" "$PIPESIM" $verb "$corpus/mmul16.ptx" $launch
    tap_is '... says shared' "$(grep -iw 'local' "$TAP_OUT")" ''
    tap_like '... indeed' 'shared' "$(cat "$TAP_OUT")"
done

# In OpenCL's words, as before.
tap_ok 'OpenCL' "$PIPESIM" mmul08.idg --gpu pascal.xml --param size=64 --advise --explain --tables
tap_is '... says local' "$(grep -iw 'shared' "$TAP_OUT" "$TAP_ERR")" ''
tap_like '... of classes' 'local\.load' "$(cat "$TAP_OUT")"
for verb in show 'roofline --gpu pascal.xml'; do
    # shellcheck disable=SC2086 # verbs are words
    tap_ok "OpenCL, $verb" "$PIPESIM" $verb mmul08.idg --param size=64
    tap_is '... says local' "$(grep -iw 'shared' "$TAP_OUT" "$TAP_ERR")" ''
done

# Files and other programs.
# shellcheck disable=SC2086 # as above
tap_ok 'JSON' "$PIPESIM" "$corpus/mmul16.ptx" $launch --gpu a100 --format json --explain
tap_is '... has the names of classes' "$(grep -c '"\(class\|name\)": "shared' "$TAP_OUT")" 0
tap_like '... which are local' '"class": "local\.load' "$(cat "$TAP_OUT")"
for name in local shared; do
    # shellcheck disable=SC2086 # as above
    "$PIPESIM" "$corpus/mmul16.ptx" $launch --gpu a100 --what-if "$name.load.issue=9" --format json |
        sed 's/"what_if": "[^"]*"//; s/"text": "[^"]*"//' >"$TAP_TMP/$name"
done
tap_is 'either name is of one class' "$(sed 's/shared\.load\.issue/local.load.issue/' "$TAP_TMP/shared")" "$(cat "$TAP_TMP/local")"
tap_ok '... in a sweep, too' "$PIPESIM" sweep mmul08.idg --gpu pascal.xml --vary shared.load.issue=7,9 --format csv
tail -n +2 "$TAP_OUT" | cut -d, -f3-16 >"$TAP_TMP/varied"
tap_ok '... and by our name' "$PIPESIM" sweep mmul08.idg --gpu pascal.xml --vary local.load.issue=7,9 --format csv
tap_is '... which is the same' "$(cat "$TAP_TMP/varied")" "$(tail -n +2 "$TAP_OUT" | cut -d, -f3-16)"
tap_done

#!/bin/sh
# SPDX-License-Identifier: BSD-3-Clause
# Runs: check nightly-sanitize
# The listing of machine code (--listing): it adds up to all other tables, fits its columns, and is in the page. How it
# looks, goldens say.
. tests/tap.sh

data=tests/corpus/data
nvdisasm="--nvdisasm tests/stand-in/nvdisasm"
mmul="--grid 2x2 --block 16x16 --arg @$data/mmul16-a.bin --arg @$data/mmul16-b.bin --arg zero:4096 --arg 32"
saxpy="--grid 5 --block 256 --arg 0=1200 --arg 1=2.3 --arg 2=@$data/saxpy-x.bin --arg 3=@$data/saxpy-y.bin"

# Options are words.
# shellcheck disable=SC2086
# adds_up NAME ARGUMENT...: the listing of that run.
adds_up() {
    adds_name=$1
    shift
    tap_ok "$adds_name" "$PIPESIM" "$@" $nvdisasm --listing --format json
    cp "$TAP_OUT" "$TAP_TMP/run.json"
    tap_ok '... is read' tests/listing.pl "$TAP_TMP/run.json"
    tap_is '... and adds up to the tables' "$(cat "$TAP_OUT")" ''
}

# shellcheck disable=SC2086
# fits NAME ARGUMENT...: that report has no line of more than 100 columns.
fits() {
    fits_name=$1
    shift
    tap_ok "$fits_name" "$PIPESIM" "$@" $nvdisasm --listing
    tap_is '... fits 100 columns' "$(awk 'length > 100' "$TAP_OUT")" ''
}

# shellcheck disable=SC2086 # the options are words
{
adds_up 'a loop' tests/sass/mmul16-lines-80.cubin $mmul --gpu a100.xml
adds_up 'one that is rolled up, on many CUs' tests/sass/mmul16-lines-80.cubin --gpu rtx4090.xml --cus all \
    --grid 4x64 --block 16x16 --arg ramp:4M --arg ramp:4M --arg zero:4M --arg 1024
adds_up 'without program order' tests/sass/mmul16-lines-80.cubin $mmul --gpu a100.xml --published
adds_up 'code without lines' tests/sass/saxpy-80.cubin $saxpy --gpu a100.xml
adds_up 'calls, branches, a stack' tests/sass/calls-80.cubin --gpu a100.xml --grid 2 --block 64 \
    --arg 0=100 --arg 1=18 --arg 2=@$data/calls-program.bin --arg 3=@$data/calls-in.bin --arg 4=zero:400
fits 'a listing' tests/sass/mmul16-lines-80.cubin $mmul --gpu a100.xml --what-if global.load.completion=99
fits 'a comparison' compare tests/sass/mmul16-lines-80.cubin tests/sass/mmul16-120.cubin $mmul --gpu a100.xml

# ---- what is loaded from memory
tap_ok 'a listing as JSON' "$PIPESIM" tests/sass/mmul16-lines-80.cubin $mmul $nvdisasm --gpu a100.xml --listing --format json
tap_like '... names the load that a store waits for, and its level' \
    '"address": 528, .*"kind": "data", "class": "global.load", "pipeline": null, "on": 416, "level": "device"' \
    "$(cat "$TAP_OUT")"

# ---- the page
tap_ok 'a page with a listing' "$PIPESIM" tests/sass/mmul16-lines-80.cubin $mmul $nvdisasm --gpu a100.xml --listing --no-source --report "$TAP_TMP/page.html"
tap_ok '... is well-formed' xmllint --noout --nonet "$TAP_TMP/page.html"
tap_is '... and has all instructions' "$(grep -c "^<tr.*</code></th><td><code>" "$TAP_TMP/page.html")" 76
tap_ok '... in JSON, too' "$PIPESIM" tests/sass/mmul16-lines-80.cubin $mmul $nvdisasm --gpu a100.xml --listing --format json
tap_is '... and colours those on the critical path' "$(grep -c "^<tr style='background:rgba(var(--heat).*</code></th><td><code>" "$TAP_TMP/page.html")" \
    "$(perl -MJSON::PP -0 -e 'print scalar grep { $_->{cycles} > 0 } @{ decode_json(<>)->{listing}{instructions} }' "$TAP_OUT")"
tap_ok 'without being asked to' "$PIPESIM" tests/sass/mmul16-lines-80.cubin $mmul $nvdisasm --gpu a100.xml --no-source --report "$TAP_TMP/page.html"
tap_is '... it has none' "$(grep -c 'Machine code' "$TAP_TMP/page.html")" 0

# ---- what is kept
# Who builds anew writes anew.
PIPESIM_CACHE=$TAP_TMP/kept
"$PIPESIM" tests/sass/mmul16-lines-80.cubin $mmul $nvdisasm --gpu a100.xml >/dev/null
entries=$(find "$PIPESIM_CACHE" -type f -exec ls -i {} + | sort)
for what in 'run --listing' 'run --listing --format json' "run --report $TAP_TMP/page.html" show 'show --xml'; do
    tap_ok "$what" "$PIPESIM" $what tests/sass/mmul16-lines-80.cubin $mmul $nvdisasm --gpu a100.xml
    cat "$TAP_OUT" "$TAP_TMP/page.html" "$TAP_ERR" >"$TAP_TMP/of kept"
    tap_ok '... without what is kept' "$PIPESIM" $what tests/sass/mmul16-lines-80.cubin $mmul $nvdisasm --gpu a100.xml --no-cache
    tap_is '... is the same' "$(cat "$TAP_OUT" "$TAP_TMP/page.html" "$TAP_ERR")" "$(cat "$TAP_TMP/of kept")"
done
tap_is '... and nothing was built anew' "$(find "$PIPESIM_CACHE" -type f -exec ls -i {} + | sort)" "$entries"

# ---- two
tap_ok 'the same twice' "$PIPESIM" compare tests/sass/saxpy-80.cubin $saxpy $nvdisasm --gpu a100.xml --gpu rtx4090.xml --listing --format json
tap_is '... is the same' "$(grep -c '"change": "same", "a": \([0-9]*\), "b": \1, ' "$TAP_OUT")" \
    "$(grep -c '"change": "[a-z-]*", "a": ' "$TAP_OUT")"
}
tap_done

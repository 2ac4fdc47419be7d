#!/bin/sh
# SPDX-License-Identifier: BSD-3-Clause
# Runs: nightly
# What golden tests cannot see of --timeline: terminals, their width, colour.
. tests/tap.sh

input=tests/golden/input
small="$input/chain.idg --gpu $input/toy.xml"
unset PIPESIM_PATH NO_COLOR COLUMNS

# timeline FILE: what it has from the timeline's heading on.
timeline() {
    sed -n '/^Timeline/,/^$/p' "$1"
}

# widest FILE: columns of the widest line.
widest() {
    timeline "$1" | awk '{ if (length($0) > most) most = length($0) } END { print most + 0 }'
}

# shellcheck disable=SC2086 # $small is several words
{
for columns in 20 40 80 132; do
    tap_ok "a terminal of $columns columns" env COLUMNS=$columns "$PIPESIM" mmul08.idg --gpu pascal.xml \
        --active 1 --timeline
    cp "$TAP_OUT" "$TAP_TMP/drawn"
    tap_ok '... is not too narrow' test "$(widest "$TAP_TMP/drawn")" -le "$columns"
    tap_ok '... and used' test "$(widest "$TAP_TMP/drawn")" -gt $((columns / 2))
    tap_like '... for the warps' '^ *1 [#:.=|-]+$' "$(timeline "$TAP_TMP/drawn")"
done
narrow='^pipesim: there are 20 columns, and lines of a report take up to 80; --output FILE keeps them whole$'
tap_ok 'twenty columns' env COLUMNS=20 "$PIPESIM" $small
tap_like '... are told to be few for a report' "$narrow" "$(cat "$TAP_ERR")"
tap_like '... which is there' '^Limited by ' "$(cat "$TAP_OUT")"
tap_ok 'ten' env COLUMNS=10 "$PIPESIM" $small
tap_like '... are ten' '^pipesim: there are 10 columns, ' "$(cat "$TAP_ERR")"
tap_ok 'one' env COLUMNS=1 "$PIPESIM" $small
tap_like '... is one' '^pipesim: there is 1 column, ' "$(cat "$TAP_ERR")"
tap_ok 'twenty' env COLUMNS=20 "$PIPESIM" $small
tap_ok '... for a comparison' env COLUMNS=20 "$PIPESIM" compare $small --versus --active 1
tap_like '... likewise' "$narrow" "$(cat "$TAP_ERR")"
for enough in 'COLUMNS=80' 'COLUMNS=200' 'NOTHING=1' 'COLUMNS=0' 'COLUMNS=-3'; do
    tap_ok "with $enough" env $enough "$PIPESIM" $small --explain
    tap_is '... nothing is said' "$(cat "$TAP_ERR")" ''
done
for quiet in '--format json' '--format csv' "--output $TAP_TMP/report"; do
    tap_ok "with $quiet" env COLUMNS=20 "$PIPESIM" $small $quiet
    tap_exit '... neither' 1 grep columns "$TAP_ERR"
done
tap_is 'reports do not depend on it' "$(COLUMNS=20 "$PIPESIM" mmul08.idg --gpu pascal.xml --groups 64 --explain --sensitivity --advise 2>&1 | sed '/^pipesim: /d' | cksum)" \
    "$("$PIPESIM" mmul08.idg --gpu pascal.xml --groups 64 --explain --sensitivity --advise | cksum)"
for verb in 'mmul08.idg --explain --sensitivity --advise' 'compare mmul08.idg mmul16.idg'; do
    tap_ok "$verb" "$PIPESIM" $verb --gpu pascal.xml --groups 64
    tap_is '... takes no more than 80 columns' "$(awk 'length($0) > 80' "$TAP_OUT")" ''
done
tap_ok 'five columns are twenty' env COLUMNS=5 "$PIPESIM" $small --timeline
tap_ok '... but no more' test "$(widest "$TAP_OUT")" -le 20
tap_ok 'no number of columns' env COLUMNS=wide "$PIPESIM" $small --timeline
tap_like '... is none' 'a column is 1 cycle; warps of CU 0, 2 of 2' "$(cat "$TAP_OUT")"
tap_ok 'many columns' env COLUMNS=99999999 "$PIPESIM" $small --timeline
tap_ok 'all warps' "$PIPESIM" mmul08.idg --gpu pascal.xml --timeline --timeline-warps all
tap_is '... are 64' "$(timeline "$TAP_OUT" | grep -c '^ *[0-9][0-9]* [#:.=|-]')" 64
tap_ok 'a list of warps' "$PIPESIM" mmul08.idg --gpu pascal.xml --timeline --timeline-warps 60-63,2,61
tap_is '... in its order, each once' \
    "$(timeline "$TAP_OUT" | sed -n 's/^ *\([0-9][0-9]*\) [#:.=|-].*/\1/p' | tr '\n' ' ')" '60 61 62 63 2 '
tap_exit 'too many warps' 1 "$PIPESIM" saxpy.idg --gpu pascal.xml --groups 90000 --active 4000 --timeline \
    --timeline-warps all
tap_like '... are told' 'at most 2048 warps; list fewer than' "$(cat "$TAP_ERR")"
tap_like '... after the report' '^saxpy on ' "$(cat "$TAP_OUT")"

# ---- windows, columns, legend
tap_exit 'a window without a cycle' 2 "$PIPESIM" $small --timeline=5..5
tap_like '... is told so' 'the window 5\.\.5 ends where it begins; write FROM' "$(cat "$TAP_ERR")"
mmul="mmul08.idg --gpu pascal.xml --groups 64"
tap_ok 'half a cycle' "$PIPESIM" $mmul --timeline=10..10.5
tap_like '... is a column of its own' '^cycles 10 to 10\.5 of .*, a column is 0\.5 cycles;' "$(timeline "$TAP_OUT")"
tap_like '... and shown' '^   0 #$' "$(timeline "$TAP_OUT")"
tap_ok 'a cycle and a half' "$PIPESIM" $mmul --timeline=10.5..12
tap_like '... is two columns, the first of them half' '^   0 ##$' "$(timeline "$TAP_OUT")"
tap_like '... and labelled with its begin' '^warp 10\.5$' "$(timeline "$TAP_OUT")"
tap_ok 'a window that does not begin at a round number' env COLUMNS=80 "$PIPESIM" mmul08.idg --gpu pascal.xml --timeline=650..1650
tap_like '... has labels that are round' '^warp 650     800       1 000     1 200     1 400     1 600$' "$(timeline "$TAP_OUT")"
for columns in 20 33 47 80; do
    tap_ok "a window of all but 600 cycles in $columns columns" env COLUMNS=$columns "$PIPESIM" mmul08.idg \
        --gpu pascal.xml --groups 640 --timeline=600..
    tap_ok '... fits' test "$(widest "$TAP_OUT")" -le "$columns"
done
tap_ok 'the end of a run' "$PIPESIM" mmul08.idg --gpu pascal.xml --groups 330 --timeline=156200.. --timeline-warps all
tap_like '... where places are empty' '^   0 #*[^ ]*$' "$(timeline "$TAP_OUT")"
tap_like '... says what a blank is' 'blank: no warp is there' "$(timeline "$TAP_OUT" | tr '\n' ' ')"
tap_ok 'where none are' "$PIPESIM" $small --timeline
tap_is '... it does not, nor speak of several runs' "$(grep -c 'blank\|as it is' "$TAP_OUT")" 0
tap_ok 'with a what-if' "$PIPESIM" $small --timeline --what-if alu.issue=2
tap_like '... it says of which run it is' '^Timeline \(as it is\)$' "$(cat "$TAP_OUT")"

# ---- skipped time
tap_ok 'a window behind skipped time' "$PIPESIM" $small --param n=1000000000000 --timeline=1000000000000..1000000000040
tap_like '... is simulated' '^   0 [#.]+$' "$(timeline "$TAP_OUT")"
tap_ok 'a window that is too long for that' "$PIPESIM" $small --param n=1000000000000 --timeline=..
tap_like '... shows what was skipped' '^   0 ~+-?$' "$(timeline "$TAP_OUT")"
tap_like '... and says so' 'skipped: as the cycles before' "$(timeline "$TAP_OUT")"
"$PIPESIM" $small --param n=5000 --timeline=7000..7060 >"$TAP_TMP/hurried"
"$PIPESIM" $small --param n=5000 --timeline=7000..7060 --no-fast-forward >"$TAP_TMP/every"
tap_is 'fast-forward changes nothing' "$(timeline "$TAP_TMP/hurried")" "$(timeline "$TAP_TMP/every")"

# ---- terminals
if script -qec true /dev/null >/dev/null 2>&1 </dev/null; then
    LC_ALL=C.UTF-8 script -qec "$PIPESIM $small --timeline" /dev/null >"$TAP_TMP/terminal" </dev/null
    tap_like 'a terminal has colour' "$(printf '\033')"'\[32m' "$(cat "$TAP_TMP/terminal")"
    tap_like '... and shades where its locale does' "$(printf '\342\226\210')" "$(cat "$TAP_TMP/terminal")"
    NO_COLOR=1 LC_ALL=C script -qec "$PIPESIM $small --timeline" /dev/null >"$TAP_TMP/terminal" </dev/null
    # shellcheck disable=SC2016 # it is sh that shall see $1
    tap_ok '... not against the wish of its user' sh -c '! grep -q "$(printf "\033")\[3" "$1"' sh "$TAP_TMP/terminal"
    tap_like '... and letters elsewhere' '   0 #\.\.\.#' "$(cat "$TAP_TMP/terminal")"
    LC_ALL=C script -qec "stty cols 30; $PIPESIM $small --param n=400 --timeline" /dev/null \
        >"$TAP_TMP/terminal" </dev/null
    sed -e 's/\r//; s/\x1b\[[0-9]*m//g' "$TAP_TMP/terminal" >"$TAP_TMP/plain"
    tap_like 'a narrow terminal is told of' '^pipesim: there are 30 columns' "$(cat "$TAP_TMP/plain")"
    sed -i '/^pipesim: /d' "$TAP_TMP/plain"
    tap_like '... and has a timeline' '^   0 [#:.=]+' "$(cat "$TAP_TMP/plain")"
    tap_ok '... that fits it' test "$(widest "$TAP_TMP/plain")" -le 30
else
    tap_skip 'terminals' 'no script(1)'
fi
if [ -c /dev/full ]; then
    tap_exit 'a full disk' 1 sh -c "$PIPESIM $small --timeline >/dev/full"
    tap_like '... is said' 'standard output: cannot be written' "$(cat "$TAP_ERR")"
fi
}
tap_done

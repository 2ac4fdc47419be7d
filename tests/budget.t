#!/bin/sh
# SPDX-License-Identifier: BSD-3-Clause
# Runs: nightly
# --budget: what is known by the end of the time, and what is said where that is nothing.
# shellcheck disable=SC2086 # command lines are words
. tests/tap.sh

run="mmul08.idg --gpu pascal.xml --param size=512"
# Runs that take hours.
endless="mmul08.idg --gpu pascal.xml --param size=16384 --no-fast-forward"

for bad in 0 -1 soon 1e5x ''; do
    tap_exit "a budget of '$bad'" 2 "$PIPESIM" $run --budget "$bad"
    tap_like '... is none' '^pipesim: --budget' "$(cat "$TAP_ERR")"
done
for whole in --trace --log; do
    tap_exit "what $whole writes" 2 "$PIPESIM" $run --budget 5 $whole "$TAP_TMP/whole"
    tap_like '... needs the whole run' "^pipesim: --budget .* $whole needs it whole" "$(cat "$TAP_ERR")"
done
tap_exit 'a sweep of a million points and one' 1 "$PIPESIM" sweep tests/golden/input/chain.idg \
    --gpu tests/golden/input/toy.xml --vary alu.completion=1..9901 --vary n=1..101 --budget 1
tap_like '... keeps too many' '^pipesim: --budget keeps all points of a sweep, at most 1000000; ' "$(cat "$TAP_ERR")"
tap_exit 'part of a sweep' 2 "$PIPESIM" sweep $run --vary active=1..4 --budget 5 --shard 1/2 --format csv
tap_exit 'a sweep that goes on' 2 "$PIPESIM" sweep $run --vary active=1..4 --budget 5 --resume "$TAP_TMP/rows"

tap_ok 'time enough' "$PIPESIM" $run --budget 1000 --advise --jobs 1
cp "$TAP_OUT" "$TAP_TMP/within"
tap_ok '... changes nothing' "$PIPESIM" $run --advise --jobs 1
tap_is '... at all' "$(cat "$TAP_TMP/within")" "$(cat "$TAP_OUT")"
sweep="sweep $run --vary active=1..4 --vary local.issue=4..6 --jobs 2"
tap_ok '... of a sweep' "$PIPESIM" $sweep --budget 1000
cp "$TAP_OUT" "$TAP_TMP/within"
tap_ok '... neither' "$PIPESIM" $sweep
tap_is '... its rows are in their order' "$(cat "$TAP_TMP/within")" "$(cat "$TAP_OUT")"
tap_ok '... a budget of ages' "$PIPESIM" $run --budget 99999999999999

if [ -n "$PIPESIM_CHECKER" ]; then
    tap_skip 'time that is out' "$PIPESIM_CHECKER takes its own"
    tap_done
    exit
fi
tap_exit 'less than reading takes' 1 timeout 600 "$PIPESIM" $endless --budget 0.000001
tap_like '... is said' '^pipesim: --budget 0.000001: reading and building took longer; .*roofline it is at least [0-9.e+]+ ms' "$(cat "$TAP_ERR")"
tap_exit 'less than tells anything' 1 timeout 600 "$PIPESIM" $endless --exact --budget 0.5
tap_like '... gives the bound' '^pipesim: --budget 0.5: (reading and building took longer; )?time was out before .*roofline it is at least [0-9.e+]+ ms' "$(cat "$TAP_ERR")"
tap_exit '... of a whole sweep' 1 timeout 600 "$PIPESIM" sweep $endless --vary active=1..4 --budget 0.5
tap_like '... too' 'before a single one of 4 points' "$(cat "$TAP_ERR")"

# The least time in which there is an answer at all cuts it short: nobody waits for so narrow an interval.
for budget in 0.5 1 2 4 8 16 32 64 128; do
    timeout 600 "$PIPESIM" mmul16.idg --gpu v100.xml --groups 100000000 --precision 0.0001% --budget $budget --format json \
        >"$TAP_TMP/cut" 2>/dev/null && break
done
tap_like 'a run that is cut short says so' '"half_width_seconds": [0-9.e-]*[1-9][0-9.e-]*, "cut": true' "$(cat "$TAP_TMP/cut")"

# Points that take a tenth of a second and more, and the least time in which there are four of them; the ends of halves
# come first, on both GPUs.
part="sweep mmul08.idg --gpu pascal.xml --gpu v100.xml --param size=832 --no-fast-forward --jobs 1 --vary active=17..32 --vary local.issue=1..999"
for budget in 2 4 8 16 32 64 128; do
    timeout 600 "$PIPESIM" $part --budget $budget --format csv >"$TAP_OUT" 2>"$TAP_ERR"
    n=$(($(wc -l <"$TAP_OUT") - 1))
    [ "$n" -lt 4 ] || break
done
tap_like 'part of a sweep says how much of it' "--budget $budget: $n of 31968 points were simulated by then" "$(cat "$TAP_ERR")"
tap_is '... the first of both GPUs' "$(grep -cE '^([^,]*,){2}17,1,' "$TAP_OUT")" 2
tap_is '... far apart points' "$(grep -cE '^([^,]*,){2}(17|25),(1|513),' "$TAP_OUT")" "$((n < 8 ? n : 8))"

advise="mmul16.idg --gpu v100.xml --param size=1024 --advise --sensitivity --exact"
# The least time in which there is an answer leaves some of it out, whatever else the machine does.
for budget in 0.4 0.8 1.6 3.2 6.4 12.8 25.6 51.2 102.4; do
    timeout 600 "$PIPESIM" $advise --jobs 1 --budget $budget --format json >"$TAP_TMP/advice" 2>&1 && break
done
tap_like 'part of the advice says what was not tried' 'time was out: [0-9]+ of [0-9]+ simulations of other inputs were not made' \
    "$(cat "$TAP_TMP/advice")"
tap_like '... of which JSON has the number' '"untried": [1-9]' "$(cat "$TAP_TMP/advice")"
tap_done

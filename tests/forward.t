#!/bin/sh
# SPDX-License-Identifier: BSD-3-Clause
# Runs: check nightly-sanitize
# What a run prints is the same whether time is skipped or not, but for saying so; and the event log
# of a run that skips.
. tests/tap.sh

input=tests/golden/input
chain="$input/chain.idg --gpu $input/toy.xml"
mix="$input/mix.idg --gpu $input/capable.xml"

# prints FILE ARGUMENTS...: what is printed with them, but for what tells of skipped time.
prints() {
    file=$1
    shift
    "$PIPESIM" "$@" 2>&1 | sed -e '/^Skipped /d' -e 's/"\(skipped_cycles\|simulated_instructions\)": [0-9.]*/"\1":/g' >"$file"
}

# same ARGUMENTS...: all figures are equal, and time is skipped where it may be.
same() {
    for format in --tables --format=json --format=csv; do
        prints "$TAP_TMP/fast" "$@" "$format"
        prints "$TAP_TMP/slow" "$@" "$format" --no-fast-forward
        tap_ok "with $format: $*" cmp "$TAP_TMP/fast" "$TAP_TMP/slow"
    done
    tap_ok '... skips' "$PIPESIM" "$@" --tables
    tap_like '... and says so' '^Skipped +[0-9.]+ % of the cycles' "$(cat "$TAP_OUT")"
    tap_ok '... nothing with --no-fast-forward' "$PIPESIM" "$@" --tables --no-fast-forward
    tap_is '... of which it says nothing' "$(grep Skipped "$TAP_OUT")" ''
}

# shellcheck disable=SC2086 # they are several words
{
same $chain --param n=2000 --groups 6
same $mix --param n=300 --groups 40 --what-if memory.issue=3
same $mix --param n=2 --groups 1000 --cus all
same $mix --param n=50 --groups 500 --schedulers 2 --order program --policy lrr --contention on \
    --overheads on --cus all
same mmul08.idg --gpu pascal.xml --param size=256 --active 4
same mmul16.idg --gpu fermi.xml --param size=256
same dfma.idg --gpu v100.xml --param ilp=3 --param trips=200 --group-size 512

# ---- the log of a run that is long, but for what is skipped
tap_ok 'a chain of 10^12 has a log' "$PIPESIM" $chain --param n=1000000000000 --groups 1 --log - \
    --format csv
tap_like '... that shows what is skipped' '^\.\.\. +skipped +from [0-9]+ to [0-9]+: [0-9]+ times the [0-9]+ cycles' \
    "$(cat "$TAP_OUT")"
tap_like '... and the end' '^4000000000001 +done +group 0$' "$(cat "$TAP_OUT")"
tap_exit 'but not if it were to have every event' 1 "$PIPESIM" $chain --param n=1000000000000 \
    --groups 1 --log - --no-fast-forward
tap_like '... which is said' 'at most 1000000 instructions; this one simulates more:' \
    "$(cat "$TAP_ERR")"
# Each warp issues twice, so that nothing can have repeated.
tap_exit 'nor where nothing is skipped' 1 "$PIPESIM" $chain --param n=2 --group-size 32 \
    --groups 1200000 --active 600000 --log -
tap_like '... which is said, too' 'at most 1000000 instructions; this one simulates more:' \
    "$(cat "$TAP_ERR")"
# Where nothing recurs for a long time, nobody waits for the end to be told.
tap_exit 'nor a run that would take hours' 1 timeout 600 "$PIPESIM" mmul08.idg --gpu v100.xml \
    --param size=65536 --log -
tap_like '... which is said at once' 'this one simulates more:' "$(cat "$TAP_ERR")"
}
tap_done

#!/bin/sh
# SPDX-License-Identifier: BSD-3-Clause
# Runs: nightly
# What --explain costs, in instructions as callgrind counts them (runs differ by 0.2 %):
# for each further group at most 2.5 times as much again as the answer alone (which hears of no
# single instruction, while who explains must), and nothing where nobody asks. In instructions a
# group costs an explained run 2.29 million, and a plain one 0.67.
. tests/tap.sh

if [ -n "$PIPESIM_CHECKER" ]; then
    tap_skip 'what --explain costs' "$PIPESIM_CHECKER slows down"
    tap_done
    exit
fi
if ! command -v valgrind >/dev/null; then
    tap_skip 'what --explain costs' 'valgrind counts it; ./bootstrap --only quality installs it'
    tap_done
    exit
fi

# count FILE OPTION...: instructions of a run; its profile stays in the file.
count() {
    count_file=$1
    shift
    valgrind --quiet --tool=callgrind --callgrind-out-file="$count_file" \
        "$PIPESIM" mmul16.idg --gpu pascal.xml --no-fast-forward "$@" >"$TAP_OUT" 2>"$TAP_ERR"
    awk '/^(summary|totals):/ { print $2; exit }' "$count_file"
}

plain=$TAP_TMP/plain
explained=$TAP_TMP/explained
plain_few=$(count "$plain" --groups 20)
plain_many=$(count "$plain" --groups 70)
explained_few=$(count "$explained" --groups 20 --explain)
explained_many=$(count "$explained" --groups 70 --explain)
for each in "$plain_few" "$plain_many" "$explained_few" "$explained_many"; do
    tap_like "callgrind counts $each" '^[1-9][0-9]+$' "$each"
done

# growth FEW MANY FEW MANY: how many times the first pair's growth the second's is, as a percentage.
growth() {
    echo $((($4 - $3) * 100 / ($2 - $1)))
}
percent=$(growth "$plain_few" "$plain_many" "$explained_few" "$explained_many")
tap_ok "explained, 50 groups take $percent % of the instructions, at most 350" \
    [ "$percent" -le 350 ]
tap_ok 'which is more than nothing' [ "$percent" -gt 100 ]

# The V100's refinements (schedulers, program order, lrr, levels) beside the published model: 5 more
# groups on a CU, with the statistics of both.
refined() {
    count_file=$TAP_TMP/refined
    valgrind --quiet --tool=callgrind --callgrind-out-file="$count_file" \
        "$PIPESIM" mmul16.idg --gpu v100.xml --no-fast-forward --groups "$1" >"$TAP_OUT" 2>"$TAP_ERR"
    awk '/^(summary|totals):/ { print $2; exit }' "$count_file"
}
percent=$(growth "$plain_few" "$plain_many" "$(refined 160)" "$(refined 560)")
tap_ok "refined, 5 groups of a CU take $percent % of the published model's instructions, at most 215" \
    [ "$percent" -le 215 ]

# The functions of a profile, by the files that they are in: a build without -g has none.
if ! grep -q 'sim/engine' "$plain"; then
    tap_skip 'which files are heard of' 'the build has no debug information'
    tap_done
    exit
fi
tap_exit 'no file of the path or the waits is heard of where nobody asks' 1 \
    grep -E 'sim/listen/(path|waits)' "$plain"
tap_ok 'but where somebody does' grep -E 'sim/listen/(path|waits)' "$explained"
tap_done

#!/bin/sh
# SPDX-License-Identifier: BSD-3-Clause
# How many instructions the engine executes for each that it simulates, as callgrind counts them:
# the same on every day, unlike times. Arguments: the benchmark's program, and names of runs (all).
set -eu

bench=$1
shift
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT

if [ $# -eq 0 ]; then
    # shellcheck disable=SC2046 # they are several words
    set -- $("$bench" once)
fi
for name; do
    simulated=$(valgrind --quiet --tool=callgrind --callgrind-out-file="$folder/$name" \
        --toggle-collect=ps_sim_run "$bench" once "$name")
    executed=$(awk '/^(summary|totals):/ { print $2; exit }' "$folder/$name")
    printf '%-12s %7.1f instructions per simulated instruction (%s / %s)\n' "$name" \
        "$(echo "$executed $simulated" | awk '{ print $1 / $2 }')" "$executed" "$simulated"
done

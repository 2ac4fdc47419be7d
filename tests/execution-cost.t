#!/bin/sh
# SPDX-License-Identifier: BSD-3-Clause
# Runs: nightly
# What executing a kernel and recording it costs, in the processor's instructions for each of a
# thread, as callgrind counts them, which are the same on every day: of two builds that differ in how
# often a loop runs alone, the difference. What a graph costs, and buffers of which little is read.
. tests/tap.sh

if [ -n "$PIPESIM_CHECKER" ]; then
    tap_skip 'what executing costs' "$PIPESIM_CHECKER slows down"
    tap_done
    exit
fi
if ! command -v valgrind >/dev/null; then
    tap_skip 'what executing costs' 'valgrind counts it; ./bootstrap --only quality installs it'
    tap_done
    exit
fi

# count NAME OPTION...: the processor's instructions of a build, and those of threads.
count() {
    count_file=$TAP_TMP/$1
    shift
    valgrind --quiet --tool=callgrind --callgrind-out-file="$count_file" \
        "$PIPESIM" build --stats -o "$TAP_TMP/graph.idg" --from ptx --registers none "$@" >"$TAP_OUT" 2>"$TAP_ERR"
    processor=$(awk '/^(summary|totals):/ { print $2; exit }' "$count_file")
    threads=$(sed -n 's/^.*executed .* warp instructions (\([0-9 ]*\) of threads).*$/\1/p' "$TAP_ERR" "$TAP_OUT" | tr -d ' ')
}

# costs WHAT MOST FEW MANY OPTION...: the difference between --arg FEW and --arg MANY, per hundred
# instructions of threads.
costs() {
    costs_what=$1
    costs_most=$2
    costs_few=$3
    costs_many=$4
    shift 4
    count few "$@" --arg "$costs_few"
    few_processor=$processor
    few_threads=$threads
    count many "$@" --arg "$costs_many"
    tap_like "callgrind counts $processor for $threads" '^[1-9][0-9]* [1-9][0-9]*$' "$processor $threads"
    percent=$(((processor - few_processor) * 100 / (threads - few_threads)))
    tap_ok "$costs_what: a hundred instructions of threads take $percent, at most $costs_most" \
        [ "$percent" -le "$costs_most" ]
}

# Without vectors of 256 bits, and a multiplication with an addition in one, more are needed.
if grep -q '^flags.* avx2' /proc/cpuinfo 2>/dev/null && grep -q '^flags.* fma' /proc/cpuinfo; then
    arithmetic=900
    mixed=2250
else
    arithmetic=1250
    mixed=4800
fi
costs arithmetic "$arithmetic" most=200 most=1100 tests/corpus/mandelbrot.ptx --grid 8x8 --block 16x16 \
    --arg width=128 --arg height=128 --arg left=-0.2 --arg top=0.2 --arg step=0.001 --arg counts=zero:64K
costs 'loads, arithmetic and barriers' "$mixed" size=512 size=1024 tests/corpus/mmul16.ptx --grid 16x16 --block 16x16 \
    --arg a=zero:4M --arg b=zero:4M --arg c=zero:4M

# graph WHAT MOST OPTION...: millions of the processor's instructions for a graph.
graph() {
    graph_what=$1
    graph_most=$2
    shift 2
    count graph "$@"
    millions=$((processor / 1000000))
    tap_ok "$graph_what: $millions million instructions, at most $graph_most" [ "$millions" -le "$graph_most" ]
}
graph 'mmul16 of 1024 x 1024' 1300 tests/corpus/mmul16.ptx --grid 64x64 --block 16x16 --arg size=1024 --arg a=ramp:4M \
    --arg b=ramp:4M --arg c=zero:4M
graph 'a gigabyte of random numbers, of which few are read' 400 tests/ptx/triton.ptx --grid n/512 --arg n=16777216 \
    --arg factor=2 --arg x=random:1G --arg out=ramp:1G
tap_done

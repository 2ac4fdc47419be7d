#!/bin/sh
# SPDX-License-Identifier: BSD-3-Clause
# A thousand configurations of gemm.cu with nothing kept, with all kept, and the best ten of them: seconds of each on the
# clock, and of processors, compilers included. Needs nvcc, and for machine code ptxas and nvdisasm.
#     tests/bench/tune/run.sh [OPTION OF SWEEP...]
set -eu
PIPESIM=${PIPESIM:-./pipesim}
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
PIPESIM_CACHE=$folder/cache
export PIPESIM_CACHE

# Seconds of processors of all that ran so far.
processors() {
    times >"$folder/times"
    tail -n 1 "$folder/times" | awk -F '[ms ]+' '{ print 60 * $1 + $2 + 60 * $3 + $4 }'
}

# timed WHAT OPTION...
timed() {
    what=$1
    shift
    begun=$(date +%s.%N)
    processors >"$folder/before"
    "$PIPESIM" sweep tests/bench/tune/gemm.cu --gpu a100.xml --grid '(size/TILE)x(size/TILE)' \
        --block '(TILE/WORK)x(TILE/WORK)' --arg size=512 --arg 'a=random:4*size*size' --arg 'b=random:4*size*size' \
        --arg 'c=zero:4*size*size' --vary TILE=16,32,64,128 --vary WORK=1,2,4,8 --vary DEPTH=4,8,16,32 \
        --vary UNROLL=1,2,4,8,16,32,64,128 --vary PAD=0,1 --jobs 2 --format csv "$@" >"$folder/out.csv" 2>"$folder/said" || :
    processors >"$folder/after"
    awk -v begun="$begun" -v now="$(date +%s.%N)" -v before="$(cat "$folder/before")" -v after="$(cat "$folder/after")" -v what="$what" -F, '
        NR > 1 { rows++; failed += $0 ~ /,,,,/ }
        END {
            printf "%-8s %7.1f s of the clock, %7.1f of processors: %6.2f a second of a processor; %d rows, %d of them without a time\n",
                what, now - begun, after - before, 1024 / (after - before), rows, failed
        }' "$folder/out.csv"
}

timed cold "$@"
timed warm "$@"
timed 'best 10' --best 10 "$@"
grep '^pipesim: the best' "$folder/said"

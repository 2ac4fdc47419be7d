#!/bin/sh
# SPDX-License-Identifier: BSD-3-Clause
# Double precision multiply-adds on a Tesla V100, predicted beside measured: prints the two tables
# and the mean error that docs/evidence/v100-dfma.md shows, in its form. The measured figures are read from
# that document, so that they stand in one place.
#
#     tests/validate/v100.sh [OPTION...]    options for pipesim sweep, such as --policy gto
#
# PIPESIM is the program, ./pipesim unless set; TRIPS how often the loop is to run, 10000 as in the
# benchmark unless set: far fewer give nearly the same.
set -eu
LC_ALL=C
export LC_ALL
cd "$(dirname "$0")/../.."

trips=${TRIPS:-10000}
tmp=$(mktemp -d)
trap 'rm -rf "$tmp"' EXIT
trap 'exit 1' HUP INT TERM
# A single group has fewer groups than the GPU has CUs: a warning that means nothing here.
if ! "${PIPESIM:-./pipesim}" sweep dfma.idg --gpu v100.xml --groups 1 --vary 'group-size=32..1024*2' \
    --vary ilp=1..8 --param "trips=$trips" --format csv "$@" >"$tmp/sweep.csv" 2>"$tmp/messages"; then
    cat "$tmp/messages" >&2
    exit 1
fi

# The document first: its measured cells. Then the sweep: cycles of each cell, by column names.
# The benchmark divides by 128 multiply-adds and its trips, whatever the number of chains.
awk -F '[,|]' -v trips="$trips" '
    function table(title, cells, format, warps, ilp) {
        printf "%s\n\n| warps |", title
        for (ilp = 1; ilp <= 8; ilp++) printf " %d |", ilp
        printf "\n|--:|--:|--:|--:|--:|--:|--:|--:|--:|\n"
        for (warps = 1; warps <= 32; warps *= 2) {
            printf "| %d |", warps
            for (ilp = 1; ilp <= 8; ilp++) printf " " format " |", cells[warps, ilp]
            printf "\n"
        }
        printf "\n"
    }
    function size(x) { return x < 0 ? -x : x }

    FNR == NR && /^#/ { measuring = $0 == "## Measured" }
    FNR == NR && measuring && /^\| *[0-9]/ && !seen[$2 + 0]++ && $2 > 0 {
        for (ilp = 1; ilp <= 8; ilp++) measured[$2 + 0, ilp] = $(ilp + 2) + 0
    }
    FNR == NR { next }
    FNR == 1 { for (i = 1; i <= NF; i++) column[$i] = i; next }
    {
        warps = $column["group-size"] / 32
        ilp = $column["ilp"]
        cell = $column["cycles"] / (warps * 128 * trips)
        predicted[warps, ilp] = cell
        if (measured[warps, ilp] > 0) {
            wrong[warps, ilp] = 100 * (cell / measured[warps, ilp] - 1)
            sum += size(wrong[warps, ilp])
            closed = 8 / (warps * ilp)
            if (closed < 4 / warps) closed = 4 / warps
            if (closed < 1) closed = 1
            closed_sum += size(100 * (closed / measured[warps, ilp] - 1))
            count++
        }
    }
    END {
        if (count != 48) {
            printf "v100.sh: %d of 48 cells have a measured and a predicted figure\n", count > "/dev/stderr"
            exit 1
        }
        table("Predicted cycles per multiply-add, by warps and chains:", predicted, "%.2f")
        table("Difference from the measured figure in percent:", wrong, "%+.1f")
        printf "Mean absolute error: %.2f %% (closed form: %.2f %%)\n", sum / count, closed_sum / count
    }' docs/evidence/v100-dfma.md "$tmp/sweep.csv"

#!/bin/sh
# SPDX-License-Identifier: BSD-3-Clause
# Whether launches that somebody measured are slower than their ceilings, as all must be:
#
#     tests/validate/bounds.sh GPU FILE...
#
# prints for each profile the launches with a time and a ceiling, the largest share of its time
# that a ceiling takes of one, and by which; and those that are faster. A single one fails.
# PIPESIM is the program, ./pipesim unless set.
set -eu
LC_ALL=C
export LC_ALL
if [ $# -lt 2 ]; then
    echo "usage: $0 GPU FILE..." >&2
    exit 2
fi
gpu=$1
shift
tmp=$(mktemp -d)
trap 'rm -rf "$tmp"' EXIT
trap 'exit 1' HUP INT TERM
status=0
for file; do
    if ! "${PIPESIM:-./pipesim}" roofline "$file" --gpu "$gpu" --launches apart --format csv \
        >"$tmp/csv" 2>"$tmp/messages"; then
        cat "$tmp/messages" >&2
        exit 2
    fi
    # Columns are counted from the end, since names of kernels have commas.
    awk -F, -v file="$file" '
        function value(name) { return $(NF + column[name]) }
        NR == 1 { for (i = 1; i <= NF; i++) column[$i] = i - NF; next }
        value("measured_seconds") == "" || value("least_seconds") == "" { next }
        {
            n++
            share = value("least_seconds") / value("measured_seconds")
            if (share > most) { most = share; by = value("least_by") }
            if (share > 1) {
                passed++
                printf "%s: %.1f %% of its time is its ceiling %s: %s\n", file, 100 * share, value("least_by"), $0
            }
        }
        END {
            printf "%s: %d launches, %d faster than a ceiling; at most %.1f %% of the time, by %s\n",
                file, n, passed, 100 * most, by
            exit passed > 0
        }' "$tmp/csv" || status=1
done
exit $status

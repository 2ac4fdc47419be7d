#!/bin/sh
# SPDX-License-Identifier: BSD-3-Clause
# What mixbench measured, held against the roofline: how much of min(T_op, O_krn * B_mem) each type of
# operation reaches, at clocks of your choice. Takes a table of the figures that mixbench's README
# (ekondis/mixbench, GPL-2.0, so not part of this project) shows, as CSV with this header:
#
#     gpu,type,compute_iters,ops_per_byte,time_ms,GOPS,GBps
#
#     tests/validate/mixbench.sh FILE                                         RTX 2070
#     tests/validate/mixbench.sh FILE 'RTX 2070' rtx2070.xml 1410 1620 1829   the same
#     tests/validate/mixbench.sh FILE gfx90a mi210.xml 1700                   a 104-CU gfx90a
#
# PIPESIM is the program, ./pipesim unless set. With KERNELS=FILE, the kernels go there as JSON, for
# `pipesim roofline`; with DATA=FILE, one block for each type and clock for docs/make/mixbench.gp:
# intensity, rate, roof.
set -eu
LC_ALL=C
export LC_ALL
if [ $# -eq 0 ] || [ $# -eq 2 ] || [ $# -eq 3 ]; then
    echo "usage: $0 FILE [GPU-IN-FILE GPU.xml MHZ...]" >&2
    exit 2
fi
file=$1
shift
[ $# -gt 0 ] || set -- 'RTX 2070' rtx2070.xml 1410 1620 1829
device=$1 gpu=$2
shift 2
tmp=$(mktemp -d)
trap 'rm -rf "$tmp"' EXIT
trap 'exit 1' HUP INT TERM

# What a kernel does in one second: rates are all that a roofline compares. Every operation is half
# of a multiply-add, so that E_mix is 1 and the ceiling is the plain roofline. (Packed single
# precision has a peak of its own, which descriptions do not state.)
awk -F, -v device="$device" '
    BEGIN {
        type["Single Precision"] = "fp32"; type["Double precision"] = "fp64"
        type["Half precision"] = "fp16"; type["Integer"] = "int"
        print "{\"kernels\": ["
    }
    index($1, device) && $2 in type {
        printf "%s  {\"name\": \"%s %d\", \"measured_seconds\": 1, \"parameters\": ", comma, tolower($2), $3
        printf "{\"K_type\": \"%s\", \"W_comp\": %.6e, \"O_krn\": %s, \"E_mix\": 1}}", type[$2], $6 * 1e9, $4
        comma = ",\n"
        rows++
    }
    END {
        print "\n]}"
        if (rows == 0) print "mixbench.sh: no rows of " device > "/dev/stderr"
        exit rows == 0
    }' "$file" >"$tmp/kernels.json"
[ -z "${KERNELS:-}" ] || cp "$tmp/kernels.json" "$KERNELS"

for clock in "$@"; do
    if ! "${PIPESIM:-./pipesim}" roofline "$tmp/kernels.json" --gpu "$gpu" --clock "$clock" \
        --format csv 2>"$tmp/messages"; then
        cat "$tmp/messages" >&2
        exit 1
    fi
done >"$tmp/rows.csv"

awk -F, -v clocks="$*" -v data="${DATA:-}" '
    FNR == 1 { for (i = 1; i <= NF; i++) column[$i] = i; n = split(clocks, clock, " ") }
    $1 == "kernel" { next }
    {
        name = $1; sub(/ [0-9]+$/, "", name)
        mhz = $column["clock_mhz"] + 0
        at = $column["O_krn"]
        rate = $column["W_comp"] / 1e9
        share = $column["ceiling_seconds"] / $column["measured_seconds"]
        if (!(name in seen)) { seen[name]; order[++types] = name }
        points[name, mhz]++
        per_mhz[name] = $column["T_op"] / mhz
        if (rate > highest[name]) highest[name] = rate
        if (share > most[name, mhz]) { most[name, mhz] = share; where[name, mhz] = at }
        if (!((name, mhz) in least) || share < least[name, mhz]) { least[name, mhz] = share; low[name, mhz] = at }
        lines[name, mhz] = lines[name, mhz] sprintf("%s %.6g %.6g\n", at, rate, rate / share)
    }
    END {
        printf "| type | points | highest rate | needs at least |"
        for (c = 1; c <= n; c++) printf " most at %s MHz | at |", clock[c]
        printf " least at %s MHz | at |\n|:--|--:|--:|--:|", clock[n]
        for (c = 1; c <= n; c++) printf "--:|--:|"
        print "--:|--:|"
        for (t = 1; t <= types; t++) {
            name = order[t]
            printf "| %s | %d | %.0f | %.0f MHz |", name, points[name, clock[1]], highest[name], 1e9 * highest[name] / per_mhz[name]
            for (c = 1; c <= n; c++)
                printf " %.1f %% | %s |", 100 * most[name, clock[c]], where[name, clock[c]]
            printf " %.1f %% | %s |\n", 100 * least[name, clock[n]], low[name, clock[n]]
            for (c = 1; c <= n && data != ""; c++)
                printf "# %s at %s MHz: intensity, rate, roof\n%s\n\n", name, clock[c], lines[name, clock[c]] > data
        }
    }' "$tmp/rows.csv"

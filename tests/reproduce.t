#!/bin/sh
# SPDX-License-Identifier: BSD-3-Clause
# Runs: check
# docs/evidence/roofline.md shows what others published beside what the program says: its commands run, and its
# tables are what they print (of its charts tests/charts.t knows). The figures that papers claim are compared
# with the program's; and the arrows of a trajectory lead from each version to the next.
. tests/tap.sh

export PIPESIM
page=docs/evidence/roofline.md

# shows FILE: the page has these lines, one after another.
shows() {
    perl -e 'local $/; open my $page, "<", $ARGV[0] or die $!; open my $part, "<", $ARGV[1] or die $!;
        my ($p, $q) = (<$page>, <$part>); exit !(length $q && index("\n$p", "\n$q") >= 0)' "$page" "$1"
}

# between NAME NUMBER LOW HIGH
between() {
    tap_ok "$1: ${2:-nothing}, from $3 to $4" \
        awk -v x="${2:-nothing}" -v low="$3" -v high="$4" 'BEGIN { exit !(x + 0 == x && x >= low && x <= high) }'
}

# ---- tables
for table in example table-4 eight-steps veccopy stencil; do
    tap_ok "roofline.sh $table" tests/validate/roofline.sh $table
    cp "$TAP_OUT" "$TAP_TMP/$table.md"
    tap_ok "... prints what $page shows" shows "$TAP_TMP/$table.md"
done
tap_exit 'roofline.sh without a table is wrong usage' 2 tests/validate/roofline.sh

# cell TABLE ROW COLUMN: a number of a table, the row by a pattern.
cell() {
    awk -F'|' -v row="$2" -v column="$3" '$0 ~ row { print $(column + 1) + 0; exit }' "$TAP_TMP/$1.md"
}
between 'GTX 660: 5.21 ms within 0.1 %' "$(cell example 'GTX 660' 3)" 5.20479 5.21521
between "GTX 660: within 0.1 % of the tool's 5.21397 ms" "$(cell example 'GTX 660' 5)" -0.1 0.1
between 'GTX 960, base clock: the error' "$(cell example '1127' 7)" 9.1 9.3
between 'GTX 960, boost clock: the error' "$(cell example '1178' 7)" 4.4 4.6
between "GTX 960: the clock of the tool's 2.56032 ms" "$(cell example '1401.5' 3)" 2.5595 2.5605
tap_is 'Table 4: all three errors are inside what rounding leaves open' \
    "$(grep -c '| inside |$' "$TAP_TMP/table-4.md")" 3
between 'eight steps: v8 of the peak is 55 %' "$(cell eight-steps '^. v8' 3)" 54.5 55.5
between 'eight steps: v8 of the customised peak is 70 %' "$(cell eight-steps '^. v8' 4)" 69.5 70.5
between 'eight steps: the customised peak is 5.3 TFLOP/s' \
    "$(sed -n 's/.*Customised: \([0-9.]*\) .*/\1/p' "$TAP_TMP/eight-steps.md")" 5.25 5.35
tap_is 'eight steps: nine versions' "$(grep -c '^| v[0-8] ' "$TAP_TMP/eight-steps.md")" 9
tap_like 'the stencil: traffic of L2 decides, between what two ceilings said and what was measured' \
    '^[|] L2 [|] 2\.96 ms [|] 1624 ' "$(sed -n 3p "$TAP_TMP/stencil.md")"
tap_is '... and no ceiling is above 3.43 ms' "$(awk -F'|' 'NR > 2 && $3 + 0 > 3.43' "$TAP_TMP/stencil.md")" ''
between 'vecCopy: measured in microseconds' "$(cell veccopy bytes 3)" 20.16 20.16

# The summary at the page's top and what the text quotes.
cat "$TAP_TMP"/*.md >"$TAP_TMP/all.md"
sed -n '1,/^Sources/p' $page >"$TAP_TMP/summary"
for figure in '5.213 ms' '3.184 ms' '5.31 TFLOP/s' '55.2 %' '69.9 %' '12.08 us' '20.16 us' '2.96 ms'; do
    tap_is "$figure is in the summary and in a table" \
        "$(grep -c -F "$figure" "$TAP_TMP/summary" | sed 's/[1-9].*/yes/') $(grep -c -F "$figure" "$TAP_TMP/all.md" | sed 's/[1-9].*/yes/')" \
        'yes yes'
done

# ---- commands
grep '^    \./pipesim ' $page >"$TAP_TMP/commands"
tap_ok 'the page has commands' [ -s "$TAP_TMP/commands" ]
while read -r command; do
    tap_ok "$command" sh -c "\"\$PIPESIM\" ${command#./pipesim }"
    cat "$TAP_OUT" >>"$TAP_TMP/answers"
done <"$TAP_TMP/commands"
tap_like 'C_ldst on the GTX 960 is what the page says' '^  C_ldst +\(15\) +1\.912 ' "$(cat "$TAP_TMP/answers")"

# ---- mixbench: a made-up table in place of the real one
cat >"$TAP_TMP/mixbench.csv" <<'END'
gpu,type,compute_iters,ops_per_byte,time_ms,GOPS,GBps
GeForce RTX 2070 (CUDA),Single Precision,0,0.250,0.30,56,224
GeForce RTX 2070 (CUDA),Single Precision,256,128.250,5.30,9745.92,76
GeForce RTX 2070 (CUDA),Integer,256,128.250,5.30,3248.64,25
other,Single Precision,0,0.250,0.30,400,1600
END
tap_ok 'mixbench.sh' tests/validate/mixbench.sh "$TAP_TMP/mixbench.csv" 'RTX 2070' rtx2070.xml 1410 2820
tap_is '... finds the largest share of the roof, at both clocks, and the least' \
    "$(grep '^| single' "$TAP_OUT")" \
    '| single precision | 2 | 9746 | 2115 MHz | 150.0 % | 128.25 | 75.0 % | 128.25 | 52.8 % | 0.25 |'
tap_like '... for each type' '^\| integer \| 1 \| 3249 \| 705 MHz \| 50\.0 % ' "$(cat "$TAP_OUT")"
tap_exit 'rows of no such GPU are an error' 1 tests/validate/mixbench.sh "$TAP_TMP/mixbench.csv" MI300 mi210.xml 1700
tap_like '... that says so' 'no rows of MI300' "$(cat "$TAP_ERR")"

# ---- a trajectory: three versions whose traffic falls, as a profiler's metrics and as parameters.
# For each version: name, seconds, operations, bytes of L1, L2 and device memory.
cat >"$TAP_TMP/versions" <<'END'
v0 8e-3 8e9 16e9 8e9 4e9
v1 4e-3 8e9 16e9 4e9 2e9
v2 2e-3 8e9 8e9 2e9 1e9
END
awk 'BEGIN { printf "{\"kernels\": [" }
    {
        printf "%s{\"name\": \"%s\", \"measured_seconds\": %s, \"parameters\": {\"K_type\": \"fp64\", ", comma, $1, $2
        printf "\"W_comp\": %s, \"E_mix\": 1, \"traffic\": {\"L1\": %s, \"L2\": %s, \"device\": %s}}}", $3, $4, $5, $6
        comma = ",\n"
    }
    END { print "]}" }' "$TAP_TMP/versions" >"$TAP_TMP/versions.json"
# All operations are multiply-adds: half as many instructions.
awk 'BEGIN {
        metrics = "smsp__sass_thread_inst_executed_op_dadd_pred_on.sum,smsp__sass_thread_inst_executed_op_dmul_pred_on.sum," \
            "smsp__sass_thread_inst_executed_op_dfma_pred_on.sum,smsp__sass_thread_inst_executed_op_fp64_pred_on.sum," \
            "gpu__time_duration.sum,l1tex__t_bytes.sum,lts__t_bytes.sum,dram__bytes_read.sum,dram__bytes_write.sum"
        gsub(",", "\",\"", metrics)
        printf "\"ID\",\"Kernel Name\",\"%s\"\n\"\",\"\",\"inst\",\"inst\",\"inst\",\"inst\",\"nsecond\",\"byte\",\"byte\",\"byte\",\"byte\"\n", metrics
    }
    {
        printf "\"%d\",\"%s\",\"0\",\"0\",\"%.0f\",\"%.0f\",\"%.0f\",\"%.0f\",\"%.0f\",\"%.0f\",\"0\"\n", NR - 1, $1,
            $3 / 2, $3 / 2, $2 * 1e9, $4, $5, $6
    }' "$TAP_TMP/versions" >"$TAP_TMP/versions.csv"

# arrows KIND PROFILE: the chart's arrows, as LEVEL FROM TO, by the mark that each end is next to (in
# the plane of the chart, where both axes are logarithmic).
arrows() {
    "$PIPESIM" roofline "$2" --gpu mi210.xml --chart-kind "$1" --trajectory --format gnuplot 2>/dev/null |
        sed -n 's/^set arrow from \([^ ,]*\),\([^ ,]*\) to \([^ ,]*\),\([^ ,]*\) .*filled.*/\1 \2 \3 \4/p' |
        awk -v unit="$3" '
            function mark(x, y, best, name, i, d) {
                for (i in at_x) {
                    d = (log(x) - at_x[i]) ^ 2 + (log(y * unit) - at_y[i]) ^ 2
                    if (name == "" || d < best) { best = d; name = i }
                }
                return name
            }
            FNR == NR {
                for (i = 4; i <= 6; i++) { at_x[$1 " " i] = log($3 / $i); at_y[$1 " " i] = log($3 / $2) }
                next
            }
            {
                split(mark($1, $2), from, " "); split(mark($3, $4), to, " ")
                split("L1 L2 device", level, " ")
                print (from[2] == to[2] ? level[from[2] - 3] : "ACROSS"), from[1], to[1]
            }' "$TAP_TMP/versions" -
}
for profile in versions.json versions.csv; do
    tap_is "$profile: arrows between marks of device memory, in order" \
        "$(arrows roofline "$TAP_TMP/$profile" 1e12)" 'device v0 v1
device v1 v2'
    tap_is "$profile: the same for each level" "$(arrows hierarchical "$TAP_TMP/$profile" 1e12)" 'L1 v0 v1
L1 v1 v2
L2 v0 v1
L2 v1 v2
device v0 v1
device v1 v2'
done
tap_done

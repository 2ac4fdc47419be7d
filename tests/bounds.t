#!/bin/sh
# SPDX-License-Identifier: BSD-3-Clause
# Runs: check nightly-sanitize
# A ceiling is never passed: no launch of a profile that the tests have is faster than its bound on a
# GPU of its kind, and no stream that others measured has more of device memory than the bound allows.
# tests/validate/bounds.sh says the same of any profile, tests/fidelity.pl of all else that was measured.
. tests/tap.sh

export PIPESIM
profiles=tests/profiles

# The made-up ones are of an A100 (compute capability 8.0) or of no GPU that has a description.
for file in ncu-long ncu-raw ncu-roofline-long ncu-roofline-raw; do
    tap_ok "$file.csv on an A100" tests/validate/bounds.sh a100 $profiles/$file.csv
done
tap_ok 'a copy on an MI210' tests/validate/bounds.sh mi210 $profiles/mi200-veccopy-pmc_perf.csv
tap_like '... which has a ceiling' ' 1 launches, 0 faster .* 50.8 % of the time, by device' "$(cat "$TAP_OUT")"
tap_exit 'what is faster' 1 tests/validate/bounds.sh rtx2070 $profiles/mi200-veccopy-pmc_perf.csv
tap_like '... is found' ': 1 launches, 1 faster than a ceiling' "$(cat "$TAP_OUT")"
tap_exit 'no profile is wrong usage' 2 tests/validate/bounds.sh a100

# The highest GB/s of any kernel and occupancy, of each GPU.
echo '{"kernels": [{"name": "k", "parameters": {"W_comp": 0, "W_traf": 1e9, "K_type": "int"}}]}' >"$TAP_TMP/gigabyte.json"
awk -F'\t' '
    NR > 1 { for (i = 6; i <= 11; i++) if ($i > most[$1]) most[$1] = $i }
    END { for (gpu in most) print gpu, most[gpu] }' tests/validate/data/gpu-stream.tsv | sort >"$TAP_TMP/streams"
tap_is 'streams of nine GPUs' "$(wc -l <"$TAP_TMP/streams" | tr -d ' ')" 9
while read -r gpu most; do
    tap_ok "a gigabyte on $gpu" "$PIPESIM" roofline "$TAP_TMP/gigabyte.json" --gpu "$gpu" --format csv
    # shellcheck disable=SC2016 # columns are awk's
    tap_ok "... takes no longer than at $most GB/s" awk -F, -v most="$most" '
        NR == 1 { for (i = 1; i <= NF; i++) if ($i == "least_seconds") column = i; next }
        { exit !($column > 0 && $column <= 1 / most) }' "$TAP_OUT"
    # So says a run, of a copy that is memory's.
    tap_ok "a copy of 2 GiB on $gpu" "$PIPESIM" tests/validate/streams.ptx --from ptx --kernel copy4 --gpu "$gpu" --grid 1048576 \
        --block 256 --registers 16 --arg 0=zero:1G --arg 1=zero:1G --format csv
    # shellcheck disable=SC2016 # columns are awk's
    tap_ok '... likewise' awk -F, -v most="$most" '
        NR == 1 { for (i = 1; i <= NF; i++) if ($i == "ceiling_seconds") column = i; next }
        { exit !($(column) > 0 && $(column) <= 2 * 1073741824 / most / 1e9) }' "$TAP_OUT"
done <"$TAP_TMP/streams"

# What L2 keeps of 67.1 MB that are stored takes no time: at the data sheet's 672 GB/s all of it would take 299.6 us.
# Ncu on an RTX 5070: 43.6 MB are written, in 292.9 us.
tap_ok 'a saxpy of 2^24 elements on an RTX 5070' "$PIPESIM" roofline graphs/saxpy.idg --gpu rtx5070 --param n=16777216 --format json
# shellcheck disable=SC2016 # they are Perl's
tap_ok '... takes no longer than measured' perl -0ne '/"device": \{"work": 201326592,[^}]*"seconds": ([0-9.e-]+)/ or exit 1;
    exit !($1 > 2e-4 && $1 <= 292.928e-6)' "$TAP_OUT"
fill='saxpy.idg --gpu rtx5090 --param n=1048576'
# shellcheck disable=SC2086 # options are several
tap_ok 'what L2 keeps whole' "$PIPESIM" $fill
tap_like '... is no bound' '^Roofline +at least 4.681 us for its traffic, but for what caches may keep' "$(cat "$TAP_OUT")"
# shellcheck disable=SC2016 # words are a pattern
tap_like '... and may not have to be waited for' '4 194 304 bytes may stay in caches while the kernel runs' "$(tr -s ' \n' '  ' <"$TAP_OUT")"

# What a profiler counts behind the L2 of an MI300X, its Infinity Cache may have served.
cp $profiles/mi200-veccopy-pmc_perf.csv "$TAP_TMP/copy.csv"
tap_ok 'a copy on an MI300X' "$PIPESIM" roofline "$TAP_TMP/copy.csv" --gpu mi300x.xml
tap_like '... has a ceiling of L3' '^  L3 +16 777 728  B +17 200 ' "$(cat "$TAP_OUT")"
tap_is '... and none of device memory' "$(grep -c '^  device ' "$TAP_OUT")" 0
# Where nothing tells the clock, it may have been the highest; --clock and a profile tell it.
tap_ok 'a graph on an MI300X' "$PIPESIM" roofline mmul08.idg --gpu mi300x.xml
tap_like '... issues at 2100 MHz at most' '^  fp32 +2 147 483 648 +163 430 ' "$(cat "$TAP_OUT")"
tap_ok '... at the clock that is asked for' "$PIPESIM" roofline mmul08.idg --gpu mi300x.xml --clock 1464
tap_like '... less' '^  fp32 +2 147 483 648 +113 934 ' "$(cat "$TAP_OUT")"
tap_done

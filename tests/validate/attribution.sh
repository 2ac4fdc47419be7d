#!/bin/sh
# SPDX-License-Identifier: BSD-3-Clause
# Makes the table and the chart of docs/evidence/attribution.md, and its rows, anew; `make attribution` calls it.
#
#     [ROWS=all] [KERNELS=FOLDER] tests/validate/attribution.sh
#
# PIPESIM is the program, ./pipesim unless set.
set -eu
LC_ALL=C
export LC_ALL
cd "$(dirname "$0")/../.."
here=tests/validate
tmp=$(mktemp -d)
trap 'rm -rf "$tmp"' EXIT
trap 'exit 1' HUP INT TERM
"$here/attribution.pl" run >"$tmp/run.tsv"
"$here/attribution.pl" sets "$tmp/run.tsv" >"$tmp/table"
"$here/put.pl" docs/evidence/attribution.md sets "$tmp/table"
"$here/attribution.pl" rows "$tmp/run.tsv" >"$tmp/rows"
cp "$tmp/rows" docs/evidence/rows/attribution.tsv
"$here/attribution.pl" chart "$tmp/run.tsv" >"$tmp/chart"
sets=$(cut -f 1 "$tmp/chart" | grep . | sort -u | wc -l)
rules=$(cut -f 2 "$tmp/chart" | grep . | sort -u | wc -l)
gnuplot -d -e "data = '$tmp/chart'; sets = $sets; rules = $rules; out = 'docs/pictures/attribution.svg'" docs/make/attribution.gp

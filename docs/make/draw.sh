#!/bin/sh
# SPDX-License-Identifier: BSD-3-Clause
# Draws the charts of docs/evidence/charts.md and docs/evidence/roofline.md anew.
#
#     docs/make/draw.sh                   all but that of mixbench
#     docs/make/draw.sh MIXBENCH.csv      that too; see tests/validate/mixbench.sh
#
# PIPESIM is the program, ./pipesim unless set; OUT the folder for the charts, docs/pictures unless set. Pictures
# of pages are taken where chromium is installed.
set -eu
LC_ALL=C
export LC_ALL
mixbench=
if [ $# -gt 0 ]; then
    mixbench=$(cd "$(dirname "$1")" && pwd)/$(basename "$1")
fi
cd "$(dirname "$0")/../.."
: "${PIPESIM:=./pipesim}" "${OUT:=docs/pictures}"
export PIPESIM
tmp=$(mktemp -d)
trap 'rm -rf "$tmp"' EXIT
trap 'exit 1' HUP INT TERM

# ---- docs/evidence/charts.md: its commands as they stand, in what looks like this folder
ln -s "$(cd "$(dirname "$PIPESIM")" && pwd)/$(basename "$PIPESIM")" "$tmp/pipesim"
mkdir "$tmp/docs"
ln -s "$(cd "$OUT" && pwd)" "$tmp/docs/pictures"
ln -s "$PWD/tests" "$tmp/tests"
grep '^    \./pipesim ' docs/evidence/charts.md >"$tmp/commands"
while read -r command; do
    (cd "$tmp" && sh -c "$command") >"$tmp/answer" 2>"$tmp/said" </dev/null || {
        cat "$tmp/said" >&2
        exit 1
    }
done <"$tmp/commands"

tests/validate/launches.pl >"$tmp/launches.tsv"
gnuplot -d -e "data = '$tmp/launches.tsv'; out = '$OUT/chart-fidelity.svg'" docs/make/fidelity.gp

# shoot PICTURE ARGUMENT...
shoot() {
    picture=$1
    shift
    docs/make/shoot.pl "$tmp/mmul08.html" "$OUT/$picture" "$@" || [ $? -eq 3 ]
}
shoot report.png 860 1000
shoot report-phone.png 360 800 phone

# ---- docs/evidence/roofline.md
# chart NAME ARGUMENT...: a chart by pipesim itself.
chart() {
    name=$1
    shift
    "$PIPESIM" roofline "$@" --chart "$OUT/roofline-$name.svg" >"$tmp/answer"
}

example=tests/profiles/gpuroofperf-example.json
chart example $example --gpu gtx960.xml --measured 2.9151
chart quadrants $example --gpu gtx660.xml --gpu gtx960.xml --chart-kind quadrants
chart veccopy tests/profiles/mi200-veccopy-pmc_perf.csv --gpu mi210.xml --chart-kind hierarchical

DATA=$tmp/steps.dat tests/validate/roofline.sh eight-steps >"$tmp/answer"
gnuplot -d -e "data = '$tmp/steps.dat'; out = '$OUT/roofline-eight-steps.svg'" docs/make/eight-steps.gp

if [ -n "$mixbench" ]; then
    DATA=$tmp/mixbench.dat tests/validate/mixbench.sh "$mixbench" >"$tmp/answer"
    gnuplot -d -e "data = '$tmp/mixbench.dat'; out = '$OUT/roofline-mixbench.svg'" docs/make/mixbench.gp
fi

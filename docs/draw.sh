#!/bin/sh
# SPDX-License-Identifier: BSD-3-Clause
# Draws the charts of docs/roofline.md anew.
#
#     docs/draw.sh                   all but that of mixbench
#     docs/draw.sh MIXBENCH.csv      that too; see tests/validate/mixbench.sh
#
# PIPESIM is the program, ./pipesim unless set; OUT the folder for the charts, docs unless set.
set -eu
LC_ALL=C
export LC_ALL
mixbench=
if [ $# -gt 0 ]; then
    mixbench=$(cd "$(dirname "$1")" && pwd)/$(basename "$1")
fi
cd "$(dirname "$0")/.."
: "${PIPESIM:=./pipesim}" "${OUT:=docs}"
export PIPESIM
tmp=$(mktemp -d)
trap 'rm -rf "$tmp"' EXIT
trap 'exit 1' HUP INT TERM

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
gnuplot -d -e "data = '$tmp/steps.dat'; out = '$OUT/roofline-eight-steps.svg'" docs/eight-steps.gp

if [ -n "$mixbench" ]; then
    DATA=$tmp/mixbench.dat tests/validate/mixbench.sh "$mixbench" >"$tmp/answer"
    gnuplot -d -e "data = '$tmp/mixbench.dat'; out = '$OUT/roofline-mixbench.svg'" docs/mixbench.gp
fi

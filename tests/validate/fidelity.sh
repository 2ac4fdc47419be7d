#!/bin/sh
# SPDX-License-Identifier: BSD-3-Clause
# Makes the tables and charts of docs/evidence/fidelity.md anew; `make fidelity` calls it. Between "<!-- NAME -->" and
# "<!-- end -->" stands what is printed here under that name; the rest of the page stays. docs/evidence/rows/ has the
# tables with a line for each row.
#
#     [RODINIA=FOLDER] [SWEEPS=FOLDER] [KERNELS=FOLDER] tests/validate/fidelity.sh
#
# RODINIA is a checkout of Rodinia (rodinia.sh), of which every launch's graph is made, and those anew that the tree has;
# where nvdisasm is installed, of its machine code, too.
# SWEEPS has all figures of gpu-benches' gpu-stream, v100.txt and mi100.txt, whose licence keeps them out of this
# project. KERNELS has rtx2080ti.csv, times of simple kernels without a licence; with it all kernels of ours are compiled
# (nvcc, ptxas and nvdisasm) and run, some ten minutes the first time. Without these, their tables stay as they are, as do the figures that the page quotes. PIPESIM is the
# program, ./pipesim unless set.
set -eu
LC_ALL=C
export LC_ALL
cd "$(dirname "$0")/../.."
: "${PIPESIM:=./pipesim}"
export PIPESIM
page=docs/evidence/fidelity.md
here=tests/validate
tmp=$(mktemp -d)
trap 'rm -rf "$tmp"' EXIT
trap 'exit 1' HUP INT TERM

# put NAME TABLE: the file stands in the page under that name now.
put() {
    "$here/put.pl" "$page" "$1" "$2"
}

# table NAME PART FILE
table() {
    "$here/tables.pl" "$2" "$3" >"$tmp/table"
    put "$1" "$tmp/table"
}

# rows NAME PART FILE
rows() {
    "$here/tables.pl" --tabs "$2" "$3" >"$tmp/table"
    cp "$tmp/table" "docs/evidence/rows/$1.tsv"
}

# The tree has graphs of some launches, enough for tests/fidelity.t; the page shows all.
keep() { # GRAPHS
    for graph in "$here"/graphs/rodinia/*.idg "$here"/graphs/rodinia/*.idg.gz; do
        name=$(basename "${graph%.gz}" .idg)
        case $graph in
        *.gz) gzip -9n <"$1/$name.idg" >"$graph" ;;
        *) cp "$1/$name.idg" "$graph" ;;
        esac
        echo "$name"
    done >"$tmp/kept"
    awk -F'\t' 'NR == FNR { kept[$1]; next } FNR == 1 || $1 in kept' "$tmp/kept" "$1/rates.tsv" >"$here/graphs/rodinia/rates.tsv"
}

if [ -n "${RODINIA:-}" ]; then
    "$here/rodinia.sh" "$RODINIA" "$tmp/graphs"
    keep "$tmp/graphs"
    GRAPHS=$tmp/graphs "$here/launches.pl" >"$tmp/launches.tsv"
    for part in errors hits limits; do
        table "$part" $part "$tmp/launches.tsv"
    done
    rows rodinia rows "$tmp/launches.tsv"
    if PATH=$PATH:/usr/local/cuda/bin command -v nvdisasm >/dev/null; then
        FROM=sass "$here/rodinia.sh" "$RODINIA" "$tmp/machine"
        FROM=sass GRAPHS=$tmp/machine "$here/launches.pl" >"$tmp/machine.tsv"
        "$here/tables.pl" code "$tmp/launches.tsv" "$tmp/machine.tsv" >"$tmp/table"
        put code "$tmp/table"
    fi
    gnuplot -d -e "data = '$tmp/launches.tsv'; out = 'docs/pictures/fidelity.svg'" docs/make/fidelity.gp
fi
"$here/copies.pl" gpus/*.xml >"$tmp/copies.tsv"
rows copies copies "$tmp/copies.tsv"

if [ -n "${KERNELS:-}" ]; then
    "$here/kernels.pl" >"$tmp/kernels.tsv"
    table sets sets "$tmp/kernels.tsv"
    grep -v '^simple' "$tmp/kernels.tsv" >"$tmp/ours.tsv"
    rows kernels set-rows "$tmp/ours.tsv"
fi

# quoted NAME: the figures that the page quotes under that name.
quoted() {
    sed -n "/<!-- measured $1 -->/,/<!-- end -->/p" "$page" >"$tmp/quoted"
    echo "$tmp/quoted"
}

# sweep GPU MHZ: what the page quotes, and all figures where they are at hand.
sweep() {
    "$here/streams.pl" "$(quoted "$1")" "$1.xml" "$2" >"$tmp/$1.tsv"
    table "sweep $1" sweep "$tmp/$1.tsv"
    [ -n "${SWEEPS:-}" ] || return 0
    "$here/streams.pl" "$SWEEPS/$1.txt" "$1.xml" "$2" >"$tmp/all.tsv"
    table "streams $1" streams "$tmp/all.tsv"
}
sweep v100 1380
sweep mi100 1502

"$here/mixes.pl" "$(quoted rtx2070)" rtx2070.xml 1829 >"$tmp/mixes.tsv"
table mixes mixes "$tmp/mixes.tsv"

"$here/gemm.pl" >"$tmp/gemm.tsv"
table gemm gemm "$tmp/gemm.tsv"
"$here/streams.pl" "$here/data/gpu-stream.tsv" >"$tmp/streams.tsv"
"$here/rooflines.pl" "$here/data/gpu-roofline.tsv" >"$tmp/rooflines.tsv"
"$here/figures.pl" "$here/data/cards.tsv" >"$tmp/figures.tsv"
"$here/tables.pl" summary "$tmp/streams.tsv" "$tmp/rooflines.tsv" "$tmp/figures.tsv" >"$tmp/table"
put summary "$tmp/table"
"$here/caches.pl" "$here/data/gpu-l2-stream.tsv" >"$tmp/held.tsv"
"$here/caches.pl" "$here/data/gpu-small-kernels.tsv" >"$tmp/small.tsv"
table held held "$tmp/held.tsv"
table small small "$tmp/small.tsv"
table occupancy occupancy "$tmp/streams.tsv"
rows streams sweeps "$tmp/streams.tsv"
table rooflines rooflines "$tmp/rooflines.tsv"
table products products "$tmp/figures.tsv"
for part in rates chases cycles; do
    rows $part $part "$tmp/figures.tsv"
done

# What answers say of their error; the tree has some of Rodinia's launches, and so has the table.
"$here/launches.pl" >"$tmp/kept.tsv"
set -- "$tmp/kept.tsv" "$tmp/v100.tsv" "$tmp/mi100.tsv" "$tmp/mixes.tsv" "$tmp/rooflines.tsv" "$tmp/streams.tsv"
"$here/certainty.pl" --markdown "$@" >"$tmp/table"
put certainty "$tmp/table"
"$here/certainty.pl" "$@" >"$tmp/table"
awk -v table="$tmp/table" '
    /\/\* end \*\// { while ((getline line <table) > 0) print line; skip = 0 }
    !skip
    /\/\* begin \*\// { skip = 1 }' answer/known-error.c >"$tmp/known-error.c"
cp "$tmp/known-error.c" answer/known-error.c

"$here/v100.sh" >"$tmp/dfma"
grep '^Mean absolute error' "$tmp/dfma" >"$tmp/table"
put dfma "$tmp/table"

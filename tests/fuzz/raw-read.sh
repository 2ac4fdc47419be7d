#!/bin/sh
# SPDX-License-Identifier: BSD-3-Clause
# raw-read.sh PROGRAM FOLDER: raw files of models in FOLDER, of as many kinds of rows as fit into an input.
set -u
program=$1 folder=$2
bench() {
    "$program" bench --backend "model:$1" --grid "$2" --classes "$3" --noise 0.02 --raw "$folder/$4.csv" -o "$folder/$4.xml" --force >/dev/null 2>&1
    rm -f "$folder/$4.xml"
}
bench fermi.xml reduced 'fadd*' latency
bench fermi.xml reduced 'local*' local
bench fermi.xml reduced 'global*' global
bench v100.xml quick 'mix*' mix
bench v100.xml quick 'peak*' peak
bench pascal.xml quick 'stream*' stream
bench v100.xml quick 'walk*' walk
latency-bench/convert-campaign tests/measurements/kernels/measurements.csv >"$folder/kernels.csv"

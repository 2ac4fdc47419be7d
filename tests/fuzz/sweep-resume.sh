#!/bin/sh
# SPDX-License-Identifier: BSD-3-Clause
# sweep-resume.sh PROGRAM FOLDER: the files of the sweep that sweep-resume.c goes on with, whole and cut off, and
# of others.
set -u
program=$1 folder=$2
sweep() {
    "$program" sweep graphs/fadd.idg --gpu gpus/fermi.xml --format csv "$@" 2>/dev/null
}
sweep --vary active=1..3 --shard 1/1 >"$folder/whole.csv"
head -c 700 "$folder/whole.csv" >"$folder/cut.csv"
head -n 1 "$folder/whole.csv" >"$folder/header.csv"
sweep --vary active=1..3 --shard 2/2 >"$folder/part.csv"
sweep --vary active=1..3 >"$folder/other.csv"

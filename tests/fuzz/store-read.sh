#!/bin/sh
# SPDX-License-Identifier: BSD-3-Clause
# store-read.sh PROGRAM FOLDER: kept results for the fuzzer to begin with, and a graph as it is kept.
set -eu
program=$1 folder=$2
PIPESIM_CACHE=$(mktemp -d)
export PIPESIM_CACHE
trap 'rm -rf "$PIPESIM_CACHE"' EXIT
build() {
    "$program" build tests/corpus/saxpy.ptx --gpu pascal.xml --registers none --from ptx --grid 4 --block 128 \
        --arg n=512 --arg a=2 --arg x=zero:2K --arg y=zero:2K 2>/dev/null
}
build >/dev/null
PIPESIM_BUILD_HANDS_ON=1 build >"$folder/graph"
for file in "$PIPESIM_CACHE"/?/*; do
    cp "$file" "$folder"
done

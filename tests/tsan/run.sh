#!/bin/sh
# SPDX-License-Identifier: BSD-3-Clause
# run.sh PROGRAM UNIT...: what uses threads, by a program and unit tests with ThreadSanitizer (make check-tsan). The
# first race ends it with status 66.
set -eu
program=$1
shift
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
TSAN_OPTIONS="suppressions=tests/tsan/suppressions halt_on_error=1 ${TSAN_OPTIONS:-}"
# GLib's own pools of memory would hide who frees what before whom.
G_SLICE=always-malloc
export TSAN_OPTIONS G_SLICE

try() {
    echo "pipesim $*"
    "$program" "$@" >"$work/out" 2>"$work/said" || {
        status=$?
        tail -n 60 "$work/said" >&2
        exit "$status"
    }
}
small='graphs/mmul08.idg --gpu gpus/pascal.xml --param size=128 --jobs 4'
# shellcheck disable=SC2086 # they are words
{
    try sweep $small --vary active=1..16 --format csv --output "$work/rows.csv"
    try sweep graphs/mmul08.idg graphs/fadd.idg --gpu gpus/pascal.xml --gpu gpus/v100.xml --jobs 4 \
        --vary groups=1..20 --resume "$work/more.csv"
    try run $small
    try run $small --explain --sensitivity --advise
    try run $small --sensitivity --no-fast-forward --format json
    try run $small --report "$work/page.html"
    try bench --backend model:gpus/pascal.xml --quick --classes 'f*' --output "$work/gpu.xml"
    try validate gpus/pascal.xml --backend model:gpus/pascal.xml --quick --classes saxpy \
        --jobs 4 --output "$work/report.md"
}
for unit; do
    echo "$unit"
    "$unit" >"$work/out" 2>"$work/said" || {
        status=$?
        tail -n 60 "$work/said" >&2
        exit "$status"
    }
done

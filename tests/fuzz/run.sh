#!/bin/sh
# SPDX-License-Identifier: BSD-3-Clause
# run.sh CC SECONDS BUILD PROGRAM MAKE...: builds the fuzz targets with MAKE... and runs each for SECONDS.
# Prints TAP; skips where CC has no libFuzzer.
set -u
cc=$1 seconds=$2 build=$3 program=$4
shift 4

mkdir -p "$build/found"
if ! echo 'int LLVMFuzzerTestOneInput(const char *d, unsigned long n); int LLVMFuzzerTestOneInput(const char *d, unsigned long n) { return (int)n * !d; }' |
    "$cc" -x c -fsanitize=fuzzer,address,undefined -o "$build/probe" - 2>"$build/probe.log"; then
    echo "1..0 # SKIP $cc cannot build with -fsanitize=fuzzer; on Debian, install clang and its libclang-rt-*-dev"
    exit 0
fi
"$@" >"$build/make.log" 2>&1 || { cat "$build/make.log"; echo "Bail out! the fuzz targets do not build"; exit 1; }

# seed NAME: the inputs to begin with, in a folder of their own. Files of the same name stand in different folders.
seed() {
    mkdir -p "$build/$1" "$build/$1.seeds"
    if [ -f "tests/fuzz/$1.seeds" ]; then
        # shellcheck disable=SC2013 # patterns, one per word
        for file in $(cat "tests/fuzz/$1.seeds"); do
            [ -f "$file" ] && cp "$file" "$build/$1.seeds/$(echo "$file" | tr / -)"
        done
    fi
    [ ! -x "tests/fuzz/$1.sh" ] || "tests/fuzz/$1.sh" "$program" "$build/$1.seeds"
}

n=0 failed=0
for source in tests/fuzz/*.c; do
    name=$(basename "$source" .c)
    n=$((n + 1))
    seed "$name"
    set -- -max_total_time="$seconds" -timeout=30 -rss_limit_mb=2048 -max_len=65536 \
        -print_final_stats=1 -artifact_prefix="$build/found/$name-"
    [ -f "tests/fuzz/$name.dict" ] && set -- "$@" -dict="tests/fuzz/$name.dict"
    if G_SLICE=always-malloc "$build/tests/fuzz/$name.fuzz" "$@" "$build/$name" "$build/$name.seeds" \
        >"$build/$name.log" 2>&1; then
        runs=$(sed -n 's/^stat::number_of_executed_units: *//p' "$build/$name.log")
        echo "ok $n - $name: $runs inputs in $seconds s"
    else
        failed=1
        tail -n 40 "$build/$name.log" | sed 's/^/# /'
        echo "not ok $n - $name: the input is in $build/found"
    fi
done
echo "1..$n"
exit $failed

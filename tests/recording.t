#!/bin/sh
# SPDX-License-Identifier: BSD-3-Clause
# Runs: check sanitize
# Recordings of programs: what `program --record` writes is taken by other verbs in place of a graph.
. tests/tap.sh

: "${CC:=cc}" "${CFLAGS:=}" "${LDFLAGS:=}"
app=$TAP_TMP/app run=$TAP_TMP/run.pst
PIPESIM=$(readlink -f "$PIPESIM")
libraries=$(dirname "$PIPESIM")/libpipesim-driver
# shellcheck disable=SC2086 # the flags are words
tap_ok 'a program' $CC $CFLAGS $LDFLAGS -std=c11 -D_POSIX_C_SOURCE=200809L -I. -o "$app" \
    tests/program/driver-api.c -L"$libraries" -lcuda -Wl,-rpath-link,"$(dirname "$libraries")"

tap_ok 'it is recorded' "$PIPESIM" program --gpu a100 --record "$run" --format json -o "$TAP_TMP/json" -- "$app" run
tap_is 'and its results are right' "$(cat "$TAP_OUT")" 'ok 103 timed'
tap_exit 'a recording that cannot be written' 1 "$PIPESIM" program --gpu a100 --record "$TAP_TMP/nowhere/run.pst" -- "$app" run
tap_is '... is none of a program that runs' "$(cat "$TAP_OUT")" ''
tap_like '... and is told' 'nowhere/run.pst: cannot be written' "$(cat "$TAP_ERR")"
tap_ok 'its launches are listed' "$PIPESIM" show "$run"
tap_is 'with kernels, groups and threads' "$(sed 's/  */ /g; s/^ //; s/ $//' "$TAP_OUT")" \
    'Launch Kernel Groups Threads Shared bytes Stream
1 saxpy 8 128 0 0
2 saxpy 8 128 0 0
3 counted 3 32 0 0'

# The seconds of launch $1 on $2.
seconds() {
    "$PIPESIM" run "$run" --launch "$1" --gpu "$2" --format json | sed -n 's/.*"seconds": \([0-9.e-]*\).*/\1/p' | head -1
}
least=$(tr -s ' \n' ' ' <"$TAP_TMP/json" | sed -n 's/.*"counted", [^}]*"seconds": \([0-9.e-]*\),.*/\1/p')
tap_like 'a launch has a time' '^[0-9.]+e-06$' "$least"
tap_is 'which is that of the program' "$(seconds 3 a100)" "$least"
tap_like 'on another GPU, too' '^[0-9.]+e-06$' "$(seconds 3 h100)"

tap_ok 'advice' "$PIPESIM" run "$run" --launch 2 --gpu h100 --advise
tap_like 'is on that launch' '^saxpy on H100' "$(cat "$TAP_OUT")"
tap_ok 'a page' "$PIPESIM" run "$run" --launch 1 --gpu a100 --report "$TAP_TMP/page.html" -o "$TAP_TMP/out"
tap_ok 'two launches beside each other' "$PIPESIM" compare "$run" --gpu a100 --launch 1 --versus --launch 3
tap_like 'are told apart' 'A  saxpy on .*--launch 1.*B  counted on .*--launch 3' "$(tr '\n' ' ' <"$TAP_OUT")"
tap_ok 'one launch on two GPUs' "$PIPESIM" compare "$run" --launch 1 --gpu a100 --gpu h100
tap_ok 'a sweep' "$PIPESIM" sweep "$run" --launch 1 --gpu a100 --gpu h100 --vary active=1..2 --format csv
tap_is 'has each point on each GPU' "$(grep -c saxpy "$TAP_OUT")" 4
tap_ok 'a roofline' "$PIPESIM" roofline "$run" --launch 1 --gpu a100
tap_like 'has the kernel' 'saxpy' "$(cat "$TAP_OUT")"
tap_ok 'the graph itself' "$PIPESIM" show "$run" --launch 1 --gpu a100 --xml
tap_like 'is one' '<idg' "$(cat "$TAP_OUT")"

# ---- programs beside each other, kernel by kernel
cp "$run" "$TAP_TMP/b.pst"
tap_ok 'two recordings' "$PIPESIM" compare "$run" "$TAP_TMP/b.pst" --gpu a100
tap_like 'that are the same take as long' 'All launches take 8.* us in A and 8.* us in B.*saxpy  *2  *2 .* 1.000.*total  *3  *3 ' \
    "$(tr '\n' ' ' <"$TAP_OUT")"
tap_ok 'one recording on two GPUs' "$PIPESIM" compare "$run" --gpu a100 --gpu h100 --format csv
tap_like 'has both times of each kernel' '^counted,1,1,[0-9.]+e-06,[0-9.]+e-06,0,0,-[0-9.]+e-07,0.95' "$(cat "$TAP_OUT")"
tap_ok 'a program and a recording of it' \
    "$PIPESIM" compare --program "$app run" "$run" --gpu a100 --format json -o "$TAP_TMP/json"
tap_is 'the program prints what it prints' "$(cat "$TAP_OUT")" 'ok 103 timed'
tap_like 'and both are alike' '"total": .*"seconds_a": ([0-9.e-]+), "seconds_b": \1,.*"ratio": 1[,.}]' "$(cat "$TAP_TMP/json")"
tap_ok 'a stand-in' \
    "$PIPESIM" compare --program "$app run" "$run" --gpu a100 --stand-in blas -o "$TAP_TMP/out"
tap_ok 'a program with two arguments' "$PIPESIM" compare --program "$app run" --program "$app forks" --gpu a100 -o "$TAP_TMP/out"
tap_like 'whose kernels are told by name' 'saxpy  *2  *1 ' "$(cat "$TAP_TMP/out")"

# ---- what launches read by handles, and graphs: the recording has all of it
for name in texture-api graph-api; do
    # shellcheck disable=SC2086,SC2046 # the flags are words
    tap_ok "$name" $CC $CFLAGS $LDFLAGS -std=c11 -D_POSIX_C_SOURCE=200809L -I. $(pkg-config --cflags glib-2.0) \
        -o "$TAP_TMP/$name" "tests/program/$name.c" -L"$libraries" -lcuda -lm -Wl,-rpath-link,"$(dirname "$libraries")"
    tap_ok '... is recorded' "$PIPESIM" program --gpu a100 --record "$TAP_TMP/$name.pst" -o "$TAP_TMP/out" -- "$TAP_TMP/$name"
    tap_ok '... and compared with itself' \
        "$PIPESIM" compare --program "$TAP_TMP/$name" "$TAP_TMP/$name.pst" --gpu a100 --format csv -o "$TAP_TMP/csv"
    tap_is '... whose kernels all take as long' "$(awk -F, 'NR > 1 && ($4 != $5 || $6 != $7) { print $1 }' "$TAP_TMP/csv")" ''
done

# ---- what cannot be is one clear error
# refused WHAT STATUS PATTERN ARGUMENT...
refused() {
    what=$1 status=$2 pattern=$3
    shift 3
    tap_exit "$what" "$status" "$PIPESIM" "$@"
    tap_like '... is said' "$pattern" "$(cat "$TAP_ERR")"
    tap_is '... in one line' "$(wc -l <"$TAP_ERR")" 1
}
refused 'no launch' 2 'has 3 launches: say which, such as --launch 3; pipesim show .* lists them' run "$run" --gpu a100
refused 'a launch that is not there' 2 'launch 4: .* has 3 launches' run "$run" --gpu a100 --launch 4
refused 'a launch of a graph' 2 'launch is for a recording' run mmul08.idg --gpu a100 --launch 1
refused 'a launch beside code' 2 'launch is for a recording' compare mmul08.idg mmul16.idg --gpu a100 --launch 1
refused 'a grid' 2 'grid is for the code of a kernel' run "$run" --gpu a100 --launch 1 --grid 4
refused 'a GPU of AMD' 1 'states no compute capability' run "$run" --gpu mi100 --launch 1
refused 'a GPU that is too old' 1 'no code in the program suits a GPU of sm_61' run "$run" --gpu pascal --launch 1
refused 'no GPU' 2 'say for which GPU' show "$run" --launch 1
refused 'a recording as a GPU' 1 'is a recording of a program, and a GPU description is asked for' run mmul08.idg --gpu "$run"
refused 'a place that cannot be written' 1 'cannot be written' \
    program --gpu a100 --record "$TAP_TMP/none/run.pst" -o "$TAP_TMP/out" -- "$app" run

refused 'a program alone' 2 'two programs are compared, or one on two GPUs' compare --program "$app run" --gpu a100
refused 'a stand-in of kernels' 2 'stand-in is of programs' \
    compare mmul08.idg mmul16.idg --gpu pascal --stand-in blas
refused 'a program beside a graph' 2 'mmul08.idg is no recording' compare --program "$app run" mmul08.idg --gpu a100
refused 'an option of kernels' 2 'active is of kernels, and programs are compared' compare "$run" --gpu a100 --gpu h100 --active 4
refused 'a program that is no shell word' 2 'no shell could read it' compare --program "$app 'run" "$run" --gpu a100
refused 'a program without launches' 1 'launched no kernel|did not start CUDA' compare --program /bin/true "$run" --gpu a100
head -c 3000 "$run" >"$TAP_TMP/cut.pst"
refused 'one that was cut' 1 'cut.pst: the recording was cut: its end is missing' run "$TAP_TMP/cut.pst" --gpu a100
perl -e 'local $/; open F, "<", $ARGV[0]; $_ = <F>; substr($_, 300, 1) ^= "\x01"; print' "$run" >"$TAP_TMP/changed.pst"
refused 'one that was changed' 1 'changed.pst: (the recording|it) was changed' run "$TAP_TMP/changed.pst" --gpu a100 --launch 1
sed '1s/2/7/' "$run" >"$TAP_TMP/later.pst"
refused 'one of another version' 1 'is of version 7, and this pipesim reads version 2' run "$TAP_TMP/later.pst" --gpu a100

# ---- what dies leaves a recording up to then
tap_exit 'a program that dies' 134 "$PIPESIM" program --gpu a100 --record "$run" -o "$TAP_TMP/out" -- "$app" dies
tap_ok 'its launch before is recorded' "$PIPESIM" run "$run" --gpu a100
tap_done

#!/bin/sh
# SPDX-License-Identifier: BSD-3-Clause
# Runs: check
# Recordings of programs on a device, without one: the program runs on pipesim's own driver, and a stand-in
# (tests/stand-in/cupti-shim.c) tells the library that `pipesim profile --record` injects what NVIDIA's driver would.
# What `pipesim program --record` has of the same program says what is right.
. tests/tap.sh

: "${CC:=cc}" "${CFLAGS:=}" "${LDFLAGS:=}"
PIPESIM=$(readlink -f "$PIPESIM")
libraries=$(dirname "$PIPESIM")/libpipesim-driver
flags="-std=c11 -D_POSIX_C_SOURCE=200809L -I. -fPIC -fvisibility=hidden $CFLAGS $LDFLAGS"
lib=$TAP_TMP/lib app=$TAP_TMP/app run=$TAP_TMP/run.pst whole=$TAP_TMP/whole.pst
ptx=tests/program/recorded.ptx STANDIN_CUBIN=tests/program/recorded.cubin
PIPESIM_PROGRAM_GPU=$(readlink -f gpus/a100.xml)
TMPDIR=$TAP_TMP/passing
mkdir "$lib" "$TMPDIR"

# compile WHAT...: with the flags of the build.
compile() {
    # shellcheck disable=SC2086 # the flags are words
    $CC $flags "$@" -ldl -lpthread
}
tap_ok 'the stand-in CUPTI' compile -shared -Wl,-soname,libcupti.so.13 -o "$lib/libcupti.so.13" tests/stand-in/cupti-library.c
tap_ok '... and what tells it' compile -shared -o "$lib/shim.so" tests/stand-in/cupti-shim.c
tap_ok 'a program' compile -o "$app" tests/program/recorded.c -L"$libraries" -lcuda -Wl,-rpath-link,"$(dirname "$libraries")"
tap_ok 'all of it, by pipesim program' "$PIPESIM" program --gpu a100 --record "$whole" -o "$TAP_TMP/out" -- "$app" $ptx
# Machine code needs nvdisasm; without it, all times are those of PTX.
machine=$TAP_TMP/machine.pst
"$PIPESIM" program --gpu a100 --record "$machine" -o "$TAP_TMP/out" -- "$app" $STANDIN_CUBIN >"$TAP_TMP/said" 2>&1 || machine=
LD_LIBRARY_PATH=$lib:$libraries${LD_LIBRARY_PATH:+:$LD_LIBRARY_PATH}
export LD_LIBRARY_PATH PIPESIM_PROGRAM_GPU STANDIN_CUBIN TMPDIR

# record STATUS NAME OPTION... -- ARGUMENT...: runs the program under the recorder.
record() {
    tap_status=$1 tap_title=$2
    shift 2
    set -- "$@" end
    while [ "$1" != -- ]; do
        set -- "$@" "$1"
        shift
    done
    shift
    # What stands before `end` are the program's arguments, what stands behind it are options.
    arguments=
    while [ "$1" != end ]; do
        arguments="$arguments $1"
        shift
    done
    shift
    rm -f "$run"
    # shellcheck disable=SC2086 # the arguments are words
    tap_exit "$tap_title" "$tap_status" "$PIPESIM" profile --metrics times -o "$TAP_TMP/out.csv" --record "$run" "$@" \
        -- env LD_PRELOAD="$lib/shim.so" "$app" $arguments
}
# listed: the list of its launches, without what depends on nothing.
listed() {
    "$PIPESIM" show "$run" | sed 1d | tr -s ' ' | sed 's/^ //; s/ $//'
}
# seconds FILE LAUNCH GPU
seconds() {
    "$PIPESIM" run "$1" --launch "$2" --gpu "$3" --format json | sed -n 's/.*"seconds": \([0-9.e-]*\).*/\1/p' | head -1
}
said() {
    tap_like "... $1" "$2" "$(cat "$TAP_ERR")"
}

# ---- all forms of launches
record 0 'it is recorded' -- $ptx
tap_is 'and runs twice, with right results' "$(cat "$TAP_OUT")" "$(printf 'sum 3820000\nsum 3820000')"
said 'what there is' "10 launches, 7 of them with their code and memory, are in $run"
tap_is 'launches that are left out have their numbers and times' "$(listed)" \
    '1 scale 79 128 0 0 79.00 us
2 through 1 128 0 0 1.000 us
3 scale 79 128 0 0 79.00 us
4 scale 79 128 0 1 79.00 us
5 scale 79 128 0 1 79.00 us not in it: a CUDA graph launched it
6 idle 2 32 0 0 2.000 us
7 idle 2 32 0 0 2.000 us as launch 6
8 idle 2 32 0 0 2.000 us as launch 6
9 idle 2 32 0 0 2.000 us not in it: it was not asked for
10 idle 2 32 0 0 2.000 us not in it: it was not asked for'
for n in 1 2 3 4 6; do
    tap_is "launch $n takes as long as in the other recording" "$(seconds "$run" $n a100)" "$(seconds "${machine:-$whole}" $n a100)"
    tap_is '... on another GPU, too' "$(seconds "$run" $n h100)" "$(seconds "$whole" $n h100)"
done
tap_exit 'one that is left out' 1 "$PIPESIM" run "$run" --launch 5 --gpu a100
said 'is refused' 'run.pst: launch 5 is not in it: a CUDA graph launched it'
tap_is 'nothing passing is left' "$(ls "$TMPDIR")" ''

# ---- predicted times beside the measured ones
tap_ok 'it is validated' "$PIPESIM" validate "$run" --gpu a100 --format csv
said 'another device is seen' "measured on 'Stand-in GPU 100' of compute capability 9.0 with 108 compute units, and .* has 8.0 and 108"
tap_is 'predicted times are those of each launch' "$(awk -F, '$1 == 2 || $1 == 4 || $1 == 6 { print $6 }' "$TAP_OUT")" \
    "$(for n in 2 4 6; do seconds "$run" $n a100; done)"
tap_is 'measured ones, too' "$(awk -F, '$1 == 2 || $1 == 5 { print $2 "," $3 "," $5 "," ($6 == "" ? "" : "X") "," $10 }' "$TAP_OUT")" \
    'through,1,1e-06,X,
scale,79,7.9e-05,,a CUDA graph launched it'
tap_is 'the error is their quotient less 1' "$(awk -F, '$7 != "" && NR > 1 { d = $6 / $5 - 1 - $7; if (d > 1e-6 || d < -1e-6) print }' "$TAP_OUT")" ''
tap_ok 'for people' "$PIPESIM" validate "$run" --gpu h100
tap_like '... kernel by kernel' '^  scale  *3  *237.0 us .* -9[0-9.]* %' "$(cat "$TAP_OUT")"
tap_like '... with what was left out' '3 of 10 launches are not in the recording' "$(tr -s '\n ' '  ' <"$TAP_OUT")"
tap_exit 'a recording without times' 1 "$PIPESIM" validate "$whole" --gpu a100
said 'is refused' 'no launch has a measured time; on a machine with a GPU, pipesim profile --record makes'
tap_exit 'a recording without a GPU' 2 "$PIPESIM" validate "$run"
said 'is refused' 'say for which GPU, one: --gpu h100'
tap_exit 'a recording that is measured' 2 "$PIPESIM" validate "$run" --gpu a100 --quick
said 'is refused' 'quick: a recording was measured already'
tap_exit 'a description with another' 2 "$PIPESIM" validate pascal.xml --gpu a100
said 'is refused' 'gpu is for a recording .pipesim profile --record FILE., and .pascal.xml. is none'
tap_exit 'a recording that is not there' 2 "$PIPESIM" validate nowhere.pst --gpu a100
said 'is told as such' 'there is no recording .nowhere.pst.'
tap_exit '... where its launches are listed, too' 1 "$PIPESIM" show nowhere.pst
said 'is told as such' 'there is no recording "nowhere.pst"'
tap_exit 'a recording for AMD' 1 "$PIPESIM" validate "$run" --gpu mi100
said 'is refused' 'states no compute capability'

# ---- which launches
record 0 'launches that are named' --launch 2,9..10 -- $ptx
tap_is '... are those' "$(listed | grep -vc 'not in it')" 3
tap_is '... under their numbers' "$(seconds "$run" 2 a100)" "$(seconds "${machine:-$whole}" 2 a100)"
record 1 'a launch that is not there' --launch 11 -- $ptx
said 'is an error' 'record: no launch can be recorded: of 10 launches, --launch 11 none is one'
tap_ok '... without a file' test ! -e "$run"
record 1 'a launch of a graph' --launch 5 -- $ptx
said 'is none that can be' 'none is one that the program makes itself, without a CUDA graph'

# ---- limits
record 0 'little memory' --memory 90K -- $ptx
said 'leaves out what needs more' '[1-6] of 7 launches could not be recorded: the recording would have more memory than it may .--memory'
tap_like '... and has the rest' 'not in it: the recording would have more' "$(listed)"
record 1 'too little for any launch' --memory 1 --launch 1 -- $ptx
said 'is an error' 'no launch was recorded: the recording would have more memory than it may .--memory'
tap_ok '... without a file' test ! -e "$run"
# shellcheck disable=SC2016 # the inner shell's
tap_exit 'a disk that is full' 0 sh -c 'trap "" XFSZ; ulimit -f 250; exec "$@"' sh "$PIPESIM" profile --metrics times \
    -o "$TAP_TMP/out.csv" --record "$run" -- env LD_PRELOAD="$lib/shim.so" "$app" $ptx
said 'leaves out what does not fit' 'launches could not be recorded: there is no room for what it reads .TMPDIR may'
tap_exit 'no room for the recording' 1 "$PIPESIM" profile --metrics times -o "$TAP_TMP/out.csv" --record /dev/full \
    -- env LD_PRELOAD="$lib/shim.so" "$app" $ptx
said 'is an error' 'record: /dev/full: cannot be written'

# ---- code
STANDIN_LAZY=1
export STANDIN_LAZY
record 0 'code that is loaded within a launch' -- $ptx
tap_like '... leaves that launch out' '^1 scale .* not in it: its code was not loaded before it' "$(listed)"
tap_is '... and no other' "$(listed | grep -c '79.00 us not in it')" 2

# A fat binary inside the program has the machine code that is loaded, and PTX.
perl -e 'sub slurp { local ( @ARGV, $/ ) = shift; <> }
    for my $kind ( [ 1, slurp("tests/program/recorded.ptx") ], [ 2, slurp("tests/program/recorded.cubin") ] ) {
        my ( $n, $bytes ) = @$kind;
        $all .= pack( "vvVQVVVVVVQQQ", $n, 0x101, 64, length $bytes, 0, 0, 0, 80, 0, 0, 0, 0, 0 ) . $bytes;
    }
    print "\0" x 8, pack( "VvvQ", 0xba55ed50, 1, 16, length $all ), $all' >"$TAP_TMP/fat"
if objcopy --add-section .nv_fatbin="$TAP_TMP/fat" "$app" "$TAP_TMP/fat-app" 2>"$TAP_TMP/said"; then
    plain=$app app=$TAP_TMP/fat-app
    record 0 'code that the program has inside' -- $ptx
    tap_is '... has its PTX' "$(seconds "$run" 3 h100)" "$(seconds "$whole" 3 h100)"
    app=$plain
else
    tap_skip 'code that the program has inside' 'there is no objcopy'
fi
unset STANDIN_LAZY
if [ -n "$machine" ]; then
    record 0 'machine code alone' -- $STANDIN_CUBIN
    tap_is '... takes as long' "$(seconds "$run" 3 a100)" "$(seconds "$machine" 3 a100)"
    tap_exit '... on no other generation' 1 "$PIPESIM" run "$run" --launch 3 --gpu h100
    said 'which is said' 'no code in the program suits a GPU of sm_90; it has machine code for sm_80'
else
    tap_skip 'machine code alone' 'there is no nvdisasm'
fi

# ---- several threads and processes
tap_ok 'a program with threads' compile -o "$TAP_TMP/threads" tests/program/recorded-threads.c -L"$libraries" -lcuda \
    -Wl,-rpath-link,"$(dirname "$libraries")"
plain=$app app=$TAP_TMP/threads
record 0 'that load and launch at once' --launch 1..200 -- $ptx
app=$plain
said 'has all its launches' '200 launches, 200 of them with their code and memory'
tap_exit 'two processes' 0 "$PIPESIM" profile --metrics times -o "$TAP_TMP/out.csv" --record "$run" \
    -- env LD_PRELOAD="$lib/shim.so" sh -c "$app $ptx; $app $ptx"
tap_is '... have launches one after the other' "$(listed | grep -c ' us$')" 10
tap_is '... of which each can be asked about' "$(seconds "$run" 13 a100)" "$(seconds "$run" 3 a100)"

# ---- programs that are not the same twice
record 137 'a program that is killed when it is recorded' -- $ptx dies "$TAP_TMP/died"
said 'is told' 'did not end by itself when it was recorded'
tap_is '... its launches up to then are there' "$(seconds "$run" 4 a100)" "$(seconds "${machine:-$whole}" 4 a100)"
tap_like '... and the others say so' '^6 idle .* not in it: the program did not launch it again' "$(listed)"
record 137 'one that is killed at once' -- $ptx dies "$TAP_TMP/died"
said 'is not recorded' 'nothing was measured: env launched no kernel'
tap_ok '... without a file' test ! -e "$run"
record 0 'one with another grid' -- $ptx other "$TAP_TMP/other"
tap_like '... leaves that launch out' '^4 scale .* not in it: the program launched it with another grid' "$(listed)"

# ---- what cannot be is one clear error
# refused WHAT PATTERN ARGUMENT...
refused() {
    what=$1 pattern=$2
    shift 2
    tap_exit "$what" 2 "$PIPESIM" profile "$@" -- "$app"
    said 'is said' "$pattern"
    tap_is '... in one line' "$(wc -l <"$TAP_ERR")" 1
}
refused 'launches of no recording' 'launch is for a recording: say --record FILE, too' --launch 1
refused 'memory of no recording' 'memory is for a recording' --memory 1G
refused 'no list' "launch: '3..1' names no launches; say for example 12, or 1,5,20..30" --record "$run" --launch 3..1
refused 'no size' "memory: '0' is no number of bytes above 0" --record "$run" --memory 0
refused 'a program for HIP' 'record: programs for HIP are not recorded yet' --record "$run" --backend hip
tap_done

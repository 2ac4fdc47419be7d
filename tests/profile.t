#!/bin/sh
# SPDX-License-Identifier: BSD-3-Clause
# Runs: nightly nightly-sanitize
# The verb profile, on a machine without a GPU: a stand-in driver loads our library into a stand-in
# program, where it meets a stand-in for CUPTI (tests/stand-in/cupti.h); AMD's profilers and Nsight
# Compute are scripts here.
. tests/tap.sh

: "${CC:=cc}" "${CFLAGS:=}" "${LDFLAGS:=}"
flags="-std=c11 -D_POSIX_C_SOURCE=200809L -I. -fPIC -fvisibility=hidden $CFLAGS $LDFLAGS"
lib=$TAP_TMP/lib
bin=$TAP_TMP/bin
app=$TAP_TMP/app
out=$TAP_TMP/out.csv
TMPDIR=$TAP_TMP/passing
export TMPDIR
mkdir "$lib" "$bin" "$TMPDIR" "$TAP_TMP/old" "$TAP_TMP/c"

# compile WHAT...: with the flags of the build.
compile() {
    # shellcheck disable=SC2086 # the flags are words
    $CC $flags "$@" -ldl -lpthread
}

tap_ok 'the stand-in driver' compile -shared -Wl,-soname,libcuda.so.1 -o "$lib/libcuda.so.1" tests/stand-in/cupti-cuda.c
tap_ok 'the stand-in CUPTI' compile -shared -Wl,-soname,libcupti.so.13 -o "$lib/libcupti.so.13" tests/stand-in/cupti-library.c
tap_ok 'one without range profiling' compile -DNO_RANGES -shared -Wl,-soname,libcupti.so.13 \
    -o "$TAP_TMP/old/libcupti.so.13" tests/stand-in/cupti-library.c
tap_ok 'the stand-in program' compile -o "$app" tests/stand-in/cupti-app.c
LD_LIBRARY_PATH=$lib${LD_LIBRARY_PATH:+:$LD_LIBRARY_PATH}
PATH=$bin:$PATH
export LD_LIBRARY_PATH PATH

# The headers are C++ for one that they do not need.
: >"$TAP_TMP/c/string"
cuda=$(dirname "$(readlink -f "$(command -v nvcc || echo /nowhere/bin/nvcc)")")/..
layout() {
    printf '#include <cupti_range_profiler.h>\n' | $CC -I"$1" -E -x c - >/dev/null 2>&1
}
found=
for folder in "$cuda/include" "$cuda/extras/CUPTI/include" /usr/local/cuda/include /usr/include; do
    if [ -z "$found" ] && layout "$folder"; then
        found=$folder
    fi
done
if [ -n "$found" ]; then
    # shellcheck disable=SC2086 # it may come with words
    tap_ok "our declarations are those of CUPTI's headers" $CC -std=c11 -I. -I"$found" -I"$TAP_TMP/c" -I"$found/.." \
        -fsyntax-only tests/stand-in/cupti-layout.c
else
    tap_skip "our declarations are those of CUPTI's headers" 'they are not here'
fi

# profile STATUS NAME ARGUMENT...: runs the verb on the stand-in program.
profile() {
    tap_status=$1
    tap_title=$2
    shift 2
    rm -f "$out"
    tap_exit "$tap_title" "$tap_status" "$PIPESIM" profile -o "$out" "$@"
}

# rows KERNEL METRIC: its values, in the order of launches.
rows() {
    awk -F'","' -v kernel="$1" -v metric="$2" '$5 == kernel && $13 == metric { sub(/"$/, "", $15); print $15 }' "$out" |
        paste -sd' '
}

# ---- a program with two kernels
saxpy=_Z5saxpyfPKfPf
profile 0 'a program is profiled' -- "$app" launch:$saxpy:10 launch:scale:20 launch:$saxpy:30 say:hello complain:oh
tap_is '... its output is its own, twice' "$(cat "$TAP_OUT")" "$(printf 'hello\nhello')"
tap_is '... on both streams' "$(grep -c '^oh$' "$TAP_ERR")" 2
tap_like '... and at the end it is said what there is' "^pipesim: 3 launches, 3 of them with counters, are in $out$" "$(cat "$TAP_ERR")"
tap_is '... names are readable' "$(rows 'saxpy(float, float const*, float*)' gpu__time_duration.sum)" '10000 30000'
tap_is '... and those that are stay' "$(rows scale gpu__time_duration.sum)" 20000
tap_is '... counters went to their launches' "$(rows 'saxpy(float, float const*, float*)' dram__bytes_read.sum)" '10020 30020'
tap_is '... also by the first metric of several that are needed' "$(rows scale smsp__inst_executed.sum)" 2000023
tap_is '... with registers and memory' "$(rows scale launch__registers_per_thread),$(rows scale launch__shared_mem_per_block_dynamic)" 32,512
tap_like '... the row says where' '"scale","1","7","\(64, 1, 1\)","\(20, 1, 1\)","Stand-in GPU 100","9.0"' "$(cat "$out")"
tap_is '... each way to know a metric is the first' "$(grep -c 'dram__sectors_read\|dram__bytes_op_read' "$out")" 0
tap_ok '... and the roofline reads it' "$PIPESIM" roofline "$out" --gpu tests/golden/input/peaks.xml --format json
tap_like '... with measured times' '"measured_seconds": 4e-05|"measured_seconds": 0.00004' "$(cat "$TAP_OUT")"
tap_is '... and misses nothing' "$(cat "$TAP_ERR")" ''
tap_ok '... also launch by launch' "$PIPESIM" roofline "$out" --gpu tests/golden/input/peaks.xml --format csv --launches apart
tap_is '... three of them' "$(wc -l <"$TAP_OUT")" 4

profile 0 "a program's own options" "$app" -o --help -- launch:scale:20
tap_is '... are its own' "$(rows scale gpu__time_duration.sum)" 20000
profile 0 'times alone' --metrics times -- "$app" launch:scale:20 say:once
tap_is '... take one run' "$(cat "$TAP_OUT")" once
tap_is '... and have no counters' "$(grep -c 'dram__' "$out")" 0
tap_ok '... the roofline reads them' "$PIPESIM" roofline "$out" --gpu tests/golden/input/peaks.xml --format csv

# ---- more than CUPTI keeps at once; contexts; devices
many=$(perl -e 'print join " ", map { "launch:k:$_" } 1 .. 150')
# shellcheck disable=SC2086 # they are words
profile 0 'many launches' -- "$app" $many
tap_is '... all have their own counters' "$(rows k dram__bytes_read.sum)" \
    "$(perl -e 'print join " ", map { 1000 * $_ + 20 } 1 .. 150')"
profile 0 'a context that ends, and another' -- "$app" launch:a:1 end device:0 launch:a:2 end
tap_is '... both counted' "$(rows a dram__bytes_read.sum)" '1020 2020'
profile 0 'two GPUs' -- "$app" launch:a:1 device:1 launch:a:2 device:0 launch:a:3
tap_is '... stand there by name' "$(awk -F'","' '$13 == "gpu__time_duration.sum" { print $10 }' "$out" | paste -sd,)" \
    'Stand-in GPU 100,Stand-in GPU 200,Stand-in GPU 100'
tap_is '... with their own counters' "$(rows a dram__bytes_read.sum)" '1020 2020 3020'
STANDIN_TWINS=1 profile 0 'two GPUs of one name' -- "$app" launch:a:1 device:1 launch:a:2
tap_like '... are told apart' '"Stand-in GPU 100 \(1\)"' "$(cat "$out")"
profile 0 'launches that fail, and CUDA graphs' -- "$app" launch:a:1 fail:a launch:a:2 graph:a launch:a:3
tap_is '... are not counted' "$(rows a dram__bytes_read.sum)" '1020 2020 3020'
tap_is '... but graphs are timed' "$(rows a gpu__time_duration.sum)" '1000 2000 1000 3000'
tap_is '... and do not count as what lacks counters' "$(grep -c 'only times or only counters' "$TAP_ERR")" 0
# shellcheck disable=SC2016 # $0 and $1 are the inner shell's
profile 0 'programs that a script starts' -- sh -c '"$0" launch:a:1; "$0" launch:a:2' "$app"
tap_is '... are profiled, too' "$(rows a dram__bytes_read.sum)" '1020 2020'
STANDIN_LACKS=bytes_read profile 0 'a device that lacks a metric' -- "$app" launch:a:1
tap_is '... has another way to know it' "$(rows a dram__bytes_op_read.sum)" 1023
printf 'some input' >"$TAP_TMP/input"
# shellcheck disable=SC2016 # they are the inner shell's
{
tap_ok 'standard input from a file' sh -c '"$1" profile -o "$2" -- "$3" launch:a:1 read <"$4"' sh "$PIPESIM" "$out" "$app" "$TAP_TMP/input"
tap_is '... is read in both runs' "$(cat "$TAP_OUT")" "$(printf 'read 10\nread 10')"
tap_ok '... from a pipe' sh -c 'cat "$4" | "$1" profile -o "$2" -- "$3" launch:a:1 read' sh "$PIPESIM" "$out" "$app" "$TAP_TMP/input"
}
tap_like '... only in the first, which is said' 'standard input is a pipe' "$(cat "$TAP_ERR")"
tap_ok 'to standard output' "$PIPESIM" profile -o - --metrics times "$app" launch:a:1
tap_like '... behind the program' '^"ID","Process ID"' "$(cat "$TAP_OUT")"

# ---- how programs end
profile 3 'a program that fails' -- "$app" launch:a:1 exit:3
tap_like '... is not run again' 'failed \(status 3\), and is not run again' "$(cat "$TAP_ERR")"
tap_is '... what was measured is kept' "$(rows a gpu__time_duration.sum)" 1000
# is_kept: whether the running program has written what it measured, as it does each second.
is_kept() {
    grep -qs "^launch" "$TMPDIR"/*/*
}
{ tap_wait is_kept; touch "$TAP_TMP/kept"; } &
profile 137 'a program that is killed' -- "$app" launch:a:1 "wait:$TAP_TMP/kept" launch:b:2 kill:9
wait $!
tap_is '... keeps what is older than a second' "$(rows a gpu__time_duration.sum)" 1000
tap_like '... which is said' 'did not end by itself' "$(cat "$TAP_ERR")"
profile 0 'a program that does less in its second run' -- "$app" launch:a:1 "again:$TAP_TMP/mark" launch:a:2
tap_is '... has its times' "$(rows a gpu__time_duration.sum)" '1000 2000'
tap_like '... and a warning' '1 launches have only times or only counters' "$(cat "$TAP_ERR")"
profile 0 'a program that does more in its second run' -- "$app" launch:a:1 "new:$TAP_TMP/more" launch:a:2
tap_is '... has the times of its first' "$(rows a gpu__time_duration.sum)" 1000
tap_like '... and a warning' '1 launches have only times or only counters' "$(cat "$TAP_ERR")"
"$PIPESIM" profile -o "$out.stopped" --metrics times -- "$app" launch:a:1 wait:/nowhere >"$TAP_OUT" 2>"$TAP_ERR" &
runs=$!
tap_wait is_kept
kill -TERM $runs
stopped=0
wait $runs || stopped=$?
tap_is 'a signal goes to the program' "$stopped" 143
tap_ok '... and what was measured is kept' grep -q '"gpu__time_duration.sum","ns","1000"' "$out.stopped"

# An interrupt from the terminal goes to all of its group.
# shellcheck disable=SC2016 # it is Perl's
perl -e '$SIG{INT} = "DEFAULT"; setpgrp; exec @ARGV' "$PIPESIM" profile -o "$out.interrupted" --metrics times -- \
    "$app" launch:a:1 wait:/nowhere >"$TAP_OUT" 2>"$TAP_ERR" &
runs=$!
tap_wait is_kept
kill -INT -$runs
stopped=0
wait $runs || stopped=$?
tap_is 'an interrupt ends the program' "$stopped" 130
tap_ok '... and what was measured is kept' grep -q '"gpu__time_duration.sum","ns","1000"' "$out.interrupted"

# ---- what cannot be measured
profile 1 'a program without CUDA' -- "$app" say:hi
tap_like '... is told of' 'did not start CUDA' "$(cat "$TAP_ERR")"
tap_exit '... and nothing is written' 1 test -e "$out"
profile 5 '... whose status counts more' -- "$app" exit:5
echo before >"$TAP_TMP/kept.csv"
tap_exit '... and a file that is there' 1 "$PIPESIM" profile -o "$TAP_TMP/kept.csv" -- "$app" say:hi
tap_is '... stays' "$(cat "$TAP_TMP/kept.csv")" before
profile 1 'a program that launches nothing' -- "$app" device:0
tap_like '... is told of' 'launched no kernel' "$(cat "$TAP_ERR")"
profile 127 'a command that is not there' -- ./no-such-program
tap_like '... is told of' "there is no program './no-such-program'" "$(cat "$TAP_ERR")"
profile 126 'one that is no program' -- ./README.md
profile 2 'no command'
tap_like '... is wrong usage' 'say which program to run' "$(cat "$TAP_ERR")"
profile 2 'an unknown metric' --metrics all -- "$app"
profile 2 'an unknown backend' --backend metal -- "$app"
tap_exit 'a file that cannot be written' 1 "$PIPESIM" profile -o /nowhere/out.csv -- "$app" launch:a:1 say:ran
tap_is '... is known before anything runs' "$(cat "$TAP_OUT")" ''
STANDIN_FORBIDDEN=1 profile 0 'counters that are forbidden' -- "$app" launch:a:1
tap_like '... say which setting forbids them' 'NVreg_RestrictProfilingToAdminUsers=0' "$(cat "$TAP_ERR")"
tap_is '... and leave the times' "$(rows a gpu__time_duration.sum),$(rows a dram__bytes_read.sum)" 1000,
STANDIN_VERSION=18 profile 1 'a CUPTI that is too old' -- "$app" launch:a:1
tap_like '... is told of' "CUPTI's version 18 is too old" "$(cat "$TAP_ERR")"
STANDIN_VERSION=140000 profile 1 'one that is too new' -- "$app" launch:a:1
tap_like '... is told of' 'too new' "$(cat "$TAP_ERR")"
PIPESIM_CUPTI=/nowhere/libcupti.so profile 1 'no CUPTI' -- "$app" launch:a:1
tap_like '... is told of' 'CUPTI cannot be opened' "$(cat "$TAP_ERR")"
PIPESIM_CUPTI=$TAP_TMP/old/libcupti.so.13 profile 0 'a CUPTI without range profiling' -- "$app" launch:a:1
tap_like '... is told of' 'has no range profiling, which came with CUDA 12.6; with --counters ncu' "$(cat "$TAP_ERR")"
STANDIN_MISCOUNT=1 profile 0 'a launch that was not counted' -- "$app" launch:a:1 launch:b:2
tap_is '... leaves the others in doubt' "$(grep -c dram__ "$out")" 0
tap_like '... and is told of' 'CUPTI counted 1 of 2 launches' "$(cat "$TAP_ERR")"
profile 0 'a launch without times' -- "$app" launch:a:1 launch:a:999 launch:a:998 launch:a:2
tap_is '... is left out' "$(rows a gpu__time_duration.sum),$(rows a dram__bytes_read.sum)" '1000 2000,1020 2020'
tap_like '... and told of' '2 launches could not be timed' "$(cat "$TAP_ERR")"
STANDIN_DROPPED=1 profile 0 'records that were dropped' -- "$app" launch:a:1
tap_like '... are told of' 'some launches may be missing: CUPTI dropped 3 records' "$(cat "$TAP_ERR")"
PIPESIM_INJECTION=/nowhere/x.so profile 1 'no library of ours' -- "$app" launch:a:1

# ---- Nsight Compute
profile 0 'ncu that is not there' --counters ncu -- "$app" launch:a:1
tap_like '... is told of, and times are kept' 'there are no counters: .* program ncu, which is not found' "$(cat "$TAP_ERR")"
cat >"$bin/ncu" <<'END'
#!/bin/sh
while [ $# -gt 0 ]; do
    case $1 in
    --csv) shift ;;
    --log-file) log=$2 && shift 2 ;;
    --metrics) metrics=$2 && shift 2 ;;
    --*) shift 2 ;;
    *) break ;;
    esac
done
[ -z "$STANDIN_FORBIDDEN" ] || { echo '==ERROR== ERR_NVGPUCTRPERM - The user does not have permission' >"$log"; exec "$@"; }
{
    echo '==PROF== Connected to process 9 (app)'
    echo '"ID","Process ID","Process Name","Host Name","Kernel Name","Context","Stream","Block Size","Grid Size","Device","CC","Section Name","Metric Name","Metric Unit","Metric Value"'
    for launch in 0 1; do
        for metric in $(echo "$metrics" | tr , ' '); do
            echo "\"$launch\",\"9\",\"app\",\"h\",\"a\",\"1\",\"7\",\"(64, 1, 1)\",\"(1, 1, 1)\",\"0\",\"9.0\",\"s\",\"$metric\",\"\",\"1,00$launch\""
        done
    done
} >"$log"
exec "$@"
END
chmod +x "$bin/ncu"
profile 0 'ncu counts' --counters ncu -- "$app" launch:a:1 launch:a:2
tap_is '... and its counters join' "$(rows a dram__bytes_read.sum),$(rows a gpu__time_duration.sum)" '1000 1001,1000 2000'
STANDIN_FORBIDDEN=1 profile 0 'ncu that may not' --counters ncu -- "$app" launch:a:1
tap_like '... says so' 'NVreg_RestrictProfilingToAdminUsers=0' "$(cat "$TAP_ERR")"

# ---- HIP
if ! command -v rocprofv3 >/dev/null && ! command -v rocprof >/dev/null; then
    profile 1 'HIP without a profiler' --backend hip -- "$app"
    tap_like '... is told of' 'needs ROCm.s rocprofv3 or rocprof, and neither is in PATH' "$(cat "$TAP_ERR")"
fi
cat >"$bin/rocprofv3" <<'END'
#!/bin/sh
counters=
[ "$1" != --list-avail ] || [ -z "$STANDIN_END" ] || { kill -TERM "$PPID"; exec sleep 100; }
[ "$1" != --list-avail ] || { echo 'SQ_INSTS SQ_INSTS_VALU_FMA_F32, SQ_INSTS_VALU_ADD_F32, SQ_INSTS_VALU_MUL_F32, SQ_INSTS_VALU_TRANS_F32 FETCH_SIZE WRITE_SIZE'; exit 0; }
while [ "$1" != -- ]; do
    case $1 in
    -d) dir=$2 && shift ;;
    --pmc) while [ "${2#--}" = "$2" ]; do counters="$counters $2"; shift; done ;;
    esac
    shift
done
shift
mkdir -p "$dir/host"
if [ -n "$counters" ]; then
    echo "$counters" >>"$STANDIN_LOG"
    [ -z "$STANDIN_FAIL" ] || exit 9
    file=$dir/host/77_counter_collection.csv
    echo '"Correlation_Id","Dispatch_Id","Agent_Id","Queue_Id","Process_Id","Thread_Id","Grid_Size","Kernel_Id","Kernel_Name","Workgroup_Size","LDS_Block_Size","Scratch_Size","VGPR_Count","SGPR_Count","Counter_Name","Counter_Value","Start_Timestamp","End_Timestamp"' >"$file"
    for launch in 1 2; do
        for counter in $counters; do
            value=1000
            [ "$counter" != SQ_INSTS ] || value=100000
            echo "$launch,$launch,2,1,77,77,1024,9,\"copy(float*)\",64,0,0,8,16,\"$counter\",$value.000000,100,999100" >>"$file"
        done
    done
else
    file=$dir/host/77_kernel_trace.csv
    echo '"Kind","Agent_Id","Queue_Id","Thread_Id","Dispatch_Id","Kernel_Id","Kernel_Name","Correlation_Id","Start_Timestamp","End_Timestamp","Private_Segment_Size","Group_Segment_Size","Workgroup_Size_X","Workgroup_Size_Y","Workgroup_Size_Z","Grid_Size_X","Grid_Size_Y","Grid_Size_Z"' >"$file"
    echo '"KERNEL_DISPATCH",2,1,77,1,9,"copy(float*)",1,1000,3000,0,0,64,1,1,1024,1,1' >>"$file"
    echo '"KERNEL_DISPATCH",2,1,77,2,9,"copy(float*)",2,5000,9000,0,0,64,1,1,1024,1,1' >>"$file"
fi
exec "$@"
END
chmod +x "$bin/rocprofv3"
STANDIN_LOG=$TAP_TMP/log
export STANDIN_LOG
profile 0 'HIP by rocprofv3' --backend hip -- "$app" say:ran
tap_like '... times are those of the run for times' '"measured_seconds": 6e-06|"measured_seconds": 0.000006' "$(cat "$out")"
tap_like '... with both launches' '"launches": 2' "$(cat "$out")"
tap_like '... and traffic' '"W_traf": 4096000' "$(cat "$out")"
tap_is '... each key is as the schema says' "$(perl -Itests tests/schema.pl "profile=$out")" ''
tap_is '... only what the device has is asked for' "$(tr ' ' '\n' <"$STANDIN_LOG" | grep -c .)" 7
tap_is '... few counters at a time' "$(awk 'NF > 4' "$STANDIN_LOG")" ''
tap_ok '... and the roofline reads it' "$PIPESIM" roofline "$out" --gpu tests/golden/input/peaks.xml --format csv
STANDIN_END=1 profile 143 'SIGTERM while counters are listed' --backend hip -- "$app" say:ran
tap_is '... leaves nothing behind' "$(ls "$TMPDIR")" ''
STANDIN_FAIL=1 profile 0 'HIP, where counters fail' --backend hip -- "$app" say:ran
tap_like '... is told of' 'the run for SQ_INSTS.* failed with status 9' "$(cat "$TAP_ERR")"
tap_like '... whatever then is lacking' 'there are no counters, so the file has only times: rocprofv3 wrote no' "$(cat "$TAP_ERR")"
tap_ok '... and the roofline reads the times' "$PIPESIM" roofline "$out" --gpu tests/golden/input/peaks.xml --format csv
profile 4 'a HIP program that fails' --backend hip -- "$app" exit:4
tap_like '... has its times' '"launches": 2' "$(cat "$out")"
tap_is 'nothing was left behind' "$(ls "$TMPDIR")" ''
tap_done

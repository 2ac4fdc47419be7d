#!/bin/sh
# SPDX-License-Identifier: BSD-3-Clause
# Runs: check sanitize
# The verb program: programs on our own driver and runtime. One of the driver's interface needs no compiler of CUDA's;
# those of the runtime are compiled where there is nvcc.
. tests/tap.sh

: "${CC:=cc}" "${CFLAGS:=}" "${LDFLAGS:=}"
app=$TAP_TMP/app
PIPESIM=$(readlink -f "$PIPESIM")
libraries=$(dirname "$PIPESIM")/libpipesim-driver
# shellcheck disable=SC2086 # the flags are words
tap_ok 'a program of the driver interface' $CC $CFLAGS $LDFLAGS -std=c11 -D_POSIX_C_SOURCE=200809L -I. -o "$app" \
    tests/program/driver-api.c -L"$libraries" -lcuda -Wl,-rpath-link,"$(dirname "$libraries")"

program() {
    timeout 120 "$PIPESIM" program --gpu "${gpu:-a100}" "$@"
}

# ---- its results are right, and its launches have times
# what one that is run already has in its environment is not this one's
for name in GPU LOG MEMORY MOST GRAPHS JOBS RECORD SOME; do
    export "PIPESIM_PROGRAM_$name=1"
done
tap_ok 'it runs' program -o "$TAP_TMP/out" -- "$app" run
for name in GPU LOG MEMORY MOST GRAPHS JOBS RECORD SOME; do
    unset "PIPESIM_PROGRAM_$name"
done
tap_is 'its results are right, a variable counts its threads, and events have times' "$(cat "$TAP_OUT")" 'ok 103 timed'
tap_like 'a row for each kernel' 'saxpy  *2 ' "$(cat "$TAP_TMP/out")"
tap_like 'and for the other' 'counted  *1 ' "$(cat "$TAP_TMP/out")"
tap_like 'and for copies' 'to device  *3 ' "$(cat "$TAP_TMP/out")"
tap_ok 'as CSV' program --format csv -o "$TAP_TMP/csv" -- "$app" run
mean=$(sed -n 's/^saxpy,2,[^,]*,\([^,]*\),.*/\1/p' "$TAP_TMP/csv")
tap_like 'whose mean is a time' '^[0-9.]*e-06$' "$mean"
tap_ok 'as JSON' program --format json -o "$TAP_TMP/json" -- "$app" run
tap_like 'which says what was simulated: PTX of the program, or machine code of it' '"code": "(sm|compute)_[0-9]+"' \
    "$(cat "$TAP_TMP/json")"
tap_like 'of which no time is unknown' '"total": .*"launches": 3,.*"unknown": 0' "$(cat "$TAP_TMP/json")"

tap_ok 'with trace events' program --trace "$TAP_TMP/trace" --format json -o "$TAP_TMP/json" -- "$app" run
tap_is 'in which each stream and each way has its times in turn, as long in all as the table says' "$(perl -MJSON::PP -e '
    my ($trace, $told) = map { local (@ARGV, $/) = $_; decode_json(<>) } @ARGV;
    my (%end, $launches, $n);
    for (grep { $_->{ph} eq "X" } @$trace) {
        die "track $_->{tid} overlaps" if $_->{ts} < ($end{ $_->{tid} } // 0) - 1e-6;
        $end{ $_->{tid} } = $_->{ts} + $_->{dur};
        $launches += $_->{dur}, $n++ if $_->{cat} eq "launch";
    }
    printf "%d launches, off by less than a nanosecond each: %d", $n,
        abs($launches - 1e6 * $told->{total}{total_seconds}) < 0.001 * $n;' "$TAP_TMP/trace" "$TAP_TMP/json" 2>&1)" \
    '3 launches, off by less than a nanosecond each: 1'

# ---- copies: 1 MiB at 25.9 and 26 GB/s and 1.4 us takes 41.9 and 41.7 us; on the device 1.765 us and 2 MiB at 1382 GB/s
tap_ok 'advice' program --advise -o "$TAP_TMP/out" -- "$app" run
tap_like 'it is on the kernel that takes most' 'Advice on saxpy \([0-9.]+ % of all launches' "$(cat "$TAP_TMP/out")"
tap_like 'it says what all launches gain' 'of[[:space:]]+all[[:space:]]+launches[[:space:]]+that[[:space:]]+is' \
    "$(cat "$TAP_TMP/out")"
tap_ok 'advice as JSON' program --advise --format json -o "$TAP_TMP/json" -- "$app" run
gain() { # whether the first gain of the program is the first gain of the kernel by its share
    perl -MJSON::PP -0777 -ne '$a = decode_json($_)->{advised}[0]; $one = $a->{answer}{advice}[0]{gain};
        exit(abs($one * $a->{share} - $a->{program_gains}[0]) > 1e-9 || $a->{share} >= 1)' "$TAP_TMP/json"
}
tap_ok 'a gain of the program is the gain of the kernel by its share' gain
tap_ok 'a page' program --report "$TAP_TMP/page.html" -o "$TAP_TMP/out" -- "$app" run
if command -v xmllint >"$TAP_TMP/which"; then
    tap_ok 'it is well-formed' xmllint --noout --nonet "$TAP_TMP/page.html"
else
    tap_skip 'it is well-formed' 'xmllint is not installed'
fi
tap_like 'it has bars of streams and copies' 'Kernels of stream 0.*Copies to the device' "$(tr '\n' ' ' <"$TAP_TMP/page.html")"
tap_like 'it has a roofline and advice' '<svg.*Advice on saxpy' "$(tr '\n' ' ' <"$TAP_TMP/page.html")"
tap_exit 'a page that cannot be' 1 program --report "$TAP_TMP/none/page.html" -o "$TAP_TMP/out" -- "$app" run
tap_exit 'advice as CSV' 2 program --advise --format csv -- "$app" run
tap_ok 'copies in streams' program --format json -o "$TAP_TMP/json" -- "$app" copies
tap_is 'take the time of the link, one after the other each way, and the host waits where memory is not pinned' \
    "$(cat "$TAP_OUT")" 'to the device 42, host 0
one after the other 84
beside it 84
on the device 86.9, host 0
behind it 86.9
not pinned: the host waits, 1'
tap_like 'a copy of memory that is not pinned may take longer, which is said' 'not pinned are timed as if it were' \
    "$(cat "$TAP_TMP/json")"
tap_like 'and the sum of each way is told' '"way": "to host", "count": 1, "bytes": 1048576, "seconds": 4.17' \
    "$(tr -s ' \n' ' ' <"$TAP_TMP/json")"

# ---- what cannot be is what the real driver says
program -o "$TAP_TMP/none" -- "$app" errors >"$TAP_TMP/errors" 2>"$TAP_TMP/said"
tap_is 'they have the numbers that the driver gives' "$(cat "$TAP_TMP/errors")" 'memory CUDA_ERROR_OUT_OF_MEMORY
function CUDA_ERROR_NOT_FOUND
newer CUDA_ERROR_NO_BINARY_FOR_GPU
image CUDA_ERROR_INVALID_IMAGE
block CUDA_ERROR_INVALID_VALUE
shared CUDA_SUCCESS
shared CUDA_ERROR_INVALID_VALUE
clusters CUDA_ERROR_INVALID_CLUSTER_SIZE
beyond CUDA_ERROR_INVALID_VALUE
rows CUDA_ERROR_INVALID_VALUE
pieces CUDA_ERROR_INVALID_VALUE
box 30464
free CUDA_ERROR_INVALID_VALUE
external CUDA_ERROR_NOT_SUPPORTED
external CUDA_ERROR_NOT_SUPPORTED
table CUDA_ERROR_NOT_FOUND
address 1 0
address 0 1
address 0 2'
tap_like "a runtime of NVIDIA's is told what it is" "app has NVIDIA's own runtime inside" "$(cat "$TAP_TMP/said")"
tap_is 'what is not there is named once' "$(grep -c cuImportExternalMemory "$TAP_TMP/said")" 1
tap_like 'a program that launches nothing' 'launched no kernel' "$(cat "$TAP_TMP/said")"

program -o "$TAP_TMP/none" -- "$app" beyond >"$TAP_TMP/errors" 2>"$TAP_TMP/said"
tap_is 'a read beyond a buffer is found after the launch, by all calls' "$(cat "$TAP_TMP/errors")" 'launch CUDA_SUCCESS
synchronize CUDA_ERROR_ILLEGAL_ADDRESS
free CUDA_ERROR_ILLEGAL_ADDRESS'
tap_like 'and the message says which thread and buffer' 'thread .104,0,0. of group .7,0,0. reads 4 bytes.*right behind the end of "allocation [0-9]*", the nearest buffer .4000 bytes' "$(cat "$TAP_TMP/said")"

# fault KERNEL ERROR MESSAGE: the launch succeeds, and all later calls return the error.
fault() {
    program --max-instructions 10K -o "$TAP_TMP/none" -- "$app" fault "$1" >"$TAP_TMP/errors" 2>"$TAP_TMP/said"
    tap_is "$1: the launch succeeds, later calls tell" "$(cat "$TAP_TMP/errors")" "launch CUDA_SUCCESS
synchronize CUDA_ERROR_$2
copy CUDA_ERROR_$2"
    tap_like 'and the message says what it was' "$3" "$(cat "$TAP_TMP/said")"
}
fault misaligned MISALIGNED_ADDRESS 'no multiple of 4'
fault trapped LAUNCH_FAILED 'came to a trap'
fault shared LAUNCH_FAILED 'of .shared memory'
fault endless LAUNCH_TIMEOUT 'is not done after 10240 warp instructions.*a higher --max-instructions'
program -o "$TAP_TMP/none" -- "$app" fault small >"$TAP_TMP/errors" 2>"$TAP_TMP/said"
tap_is 'more threads than the code allows are refused at once' "$(cat "$TAP_TMP/errors")" 'launch CUDA_ERROR_LAUNCH_OUT_OF_RESOURCES
synchronize CUDA_SUCCESS
copy CUDA_SUCCESS'
tap_like 'and the message says how many it allows' 'allows groups of 32 threads' "$(cat "$TAP_TMP/said")"
tap_exit 'a limit that is none' 2 program --max-instructions many -- "$app"

# ---- only those groups that times need
# mean FILE: of saxpy
mean() {
    sed -n 's/^saxpy,2,[^,]*,\([^,]*\),.*/\1/p' "$1"
}
tap_exit 'some groups: the program finds that its results are not right' 1 program --groups some --format csv \
    -o "$TAP_TMP/some" -- "$app" run
tap_like 'as it says' '^y.[0-9]*. is ' "$(cat "$TAP_OUT")"
tap_is 'times are those of all groups' "$(mean "$TAP_TMP/some")" "$(mean "$TAP_TMP/csv")"
program --groups some --report "$TAP_TMP/page.html" -o "$TAP_TMP/out" -- "$app" run >"$TAP_TMP/said" 2>&1
for file in out page.html; do
    text=$(tr -s '[:space:]' ' ' <"$TAP_TMP/$file" | sed 's/&quot;/"/g')
    tap_like "$file says that results are not right" 'what the program computes is not right' "$text"
    tap_like "$file names the kernel whose results are copied" 'kernel "saxpy": the host reads what it writes' "$text"
done
tap_ok 'all groups' program --groups all -o "$TAP_TMP/out" -- "$app" run
tap_exit 'a recording that cannot be' 1 program --record "$TAP_TMP/none/run.pst" -o "$TAP_TMP/early" -- "$app" run
tap_like 'is refused' '^pipesim: --record: ' "$(cat "$TAP_ERR")"
tap_ok '... before the program runs' test ! -e "$TAP_TMP/early"
tap_exit 'a recording of some groups' 2 program --groups some --record "$TAP_TMP/some.pst" -- "$app" run
tap_like 'is refused' 'a recording has what all groups accessed' "$(cat "$TAP_ERR")"
tap_exit 'groups that are none' 2 program --groups few -- "$app" run

# ---- ends
tap_exit 'a program that dies has its status' 134 program -o "$TAP_TMP/out" -- "$app" dies
tap_like 'and what it did before is told' 'saxpy  *1 ' "$(cat "$TAP_TMP/out")"
tap_like '... and that it died is said' 'failed with status 134 [(]Aborted[)]: what it did until then is told' "$(cat "$TAP_ERR")"
tap_ok 'a program that forks' program -o "$TAP_TMP/out" -- "$app" forks
tap_is 'whose child has no driver' "$(cat "$TAP_OUT")" 'child 3'
tap_exit 'a program without CUDA' 1 program -- "$app" nothing
tap_like 'is said' 'did not start CUDA' "$(cat "$TAP_ERR")"
tap_exit 'one that is not there' 127 program -- "$TAP_TMP/gone"
tap_exit 'no program' 2 program
tap_exit 'no GPU' 2 "$PIPESIM" program -- "$app"
tap_exit 'bytes that are none' 2 program --memory much -- "$app"
tap_exit 'a GPU of AMD' 1 "$PIPESIM" program --gpu mi100 -- "$app"
tap_like 'is said' 'states no compute capability' "$(cat "$TAP_ERR")"
cp "$app" "$TAP_TMP/setuid" && chmod u+s "$TAP_TMP/setuid"
tap_exit 'a program that is set-uid' 1 program -- "$TAP_TMP/setuid"
tap_like 'is refused' 'is set-uid' "$(cat "$TAP_ERR")"
chmod u-s,g+s "$TAP_TMP/setuid"
tap_exit 'one that is set-gid' 1 program -- "$TAP_TMP/setuid"
tap_like 'is refused, too' 'is set-uid or set-gid' "$(cat "$TAP_ERR")"

# ---- programs with search paths of their own, in which another driver is
mkdir "$TAP_TMP/other" && : >"$TAP_TMP/empty.c" && $CC -shared -o "$TAP_TMP/other/libcuda.so.1" "$TAP_TMP/empty.c"
# shellcheck disable=SC2086 # the flags are words
tap_ok 'a program with another driver in its DT_RPATH' $CC $CFLAGS $LDFLAGS -std=c11 -D_POSIX_C_SOURCE=200809L -I. \
    -o "$TAP_TMP/apart" tests/program/driver-api.c -L"$libraries" -lcuda -Wl,-rpath-link,"$(dirname "$libraries")" \
    -Wl,--disable-new-dtags,-rpath,"$TAP_TMP/other"
tap_ok 'finds ours' program -o "$TAP_TMP/out" -- "$TAP_TMP/apart" run
# shellcheck disable=SC2086 # the flags are words
tap_ok 'a program that opens the driver by its path' $CC $CFLAGS $LDFLAGS -o "$TAP_TMP/by-path" \
    tests/program/by-path.c -ldl
program -- "$TAP_TMP/by-path" "$TAP_TMP/other/libcuda.so.1" >"$TAP_TMP/path" 2>"$TAP_TMP/said"
tap_is 'opens ours' "$(cat "$TAP_TMP/path")" ok

# ---- programs of CUDA 12, whose runtime has other entries
# shellcheck disable=SC2086 # the flags are words
tap_ok 'a program of the runtime of CUDA 12' $CC $CFLAGS $LDFLAGS -std=c11 -o "$TAP_TMP/older" tests/program/runtime-12.c \
    -L"$libraries/12" -L"$libraries" -lcudart -Wl,-rpath-link,"$libraries:$(dirname "$libraries")"
tap_ok 'it runs' program --format csv -o "$TAP_TMP/csv" -- "$TAP_TMP/older"
tap_is 'with the parameters and layouts of that version' "$(cat "$TAP_OUT")" \
    'version 12090, properties 0: sm_80, 108 units, warps of 32, clock 1
launch: 0 0 0 0, then 1
graph: error 0, capturing 1, last 1, edges 1, then 3
pointer: 0, type 3, behind; texture: 0 0, bytes 4, after'
tap_like 'and its launches have times' '^add,3,[0-9.]+e-06,' "$(cat "$TAP_TMP/csv")"
mkdir "$TAP_TMP/bin"
# shellcheck disable=SC2016 # the stand-in expands it
printf '#!/bin/sh\necho "Cuda compilation tools, release 12.4, V12.4.131"\necho "$NVCC_PREPEND_FLAGS"\n' >"$TAP_TMP/bin/nvcc"
chmod +x "$TAP_TMP/bin/nvcc"
PATH=$TAP_TMP/bin:$PATH tap_ok 'nvcc of CUDA 12' program --build 'nvcc' -o "$TAP_TMP/out" -- "$app" run
tap_like 'links what it builds with that runtime' "-L[^ ]*/libpipesim-driver/12 -L[^ ]*/libpipesim-driver" "$(cat "$TAP_OUT")"

# ---- graphs
api() { # NAME WHAT
    # shellcheck disable=SC2086,SC2046 # the flags are words
    tap_ok "a program of $2" $CC $CFLAGS $LDFLAGS -std=c11 -D_POSIX_C_SOURCE=200809L -I. $(pkg-config --cflags glib-2.0) \
        -o "$TAP_TMP/$1" "tests/program/$1.c" -L"$libraries" -lcuda -lm -Wl,-rpath-link,"$(dirname "$libraries")"
    tap_ok 'it runs' program -o "$TAP_TMP/out" -- "$TAP_TMP/$1"
}
api graph-api 'graphs'
tap_is 'they do what they are made of, in the order of their edges' "$(cat "$TAP_OUT")" 'made 16, seen 16
changed 37 of 3 nodes
updated 21
updated as another 910
inside 32
unjoined 904
wrong stream 903
captured: nothing was done before, then 3
two of three kernels overlap: 2.00
legacy 900
waited for one, then 1 more: 2.00
freed before 1
memory of a graph 77, freed again 1
high mark 1048576, then 0 and 1048576, set 1 1'
tap_like 'and each launch has a time' 'change  *11 ' "$(cat "$TAP_TMP/out")"

# ---- tensor maps
gpu=h100
api tensor-api 'tensor maps'
tap_is 'boxes are copied by maps that the driver encodes, and what it does not encode is told' "$(cat "$TAP_OUT")" \
    '214 215 0 0 314 315 0 0 414 415 0 0 514 515 0 0
5214 5215 0 0 5314 5315 0 0 5414 5415 0 0 5514 5515 0 0
312 313 314 315 0 0 0 0 404 405 406 407 408 409 410 411
too many pixels 1
wrong stride 1, elements of 4 bits 801, another swizzle 801, wrong address 1'
gpu=

# ---- textures
api texture-api 'textures and surfaces'
tap_is 'filters, edges and formats are as documented' "$(cat "$TAP_OUT")" 'point, clamp: 11 12 21 0 33 11 11 33
linear, clamp: 11 11.5 18.75 0 33 11 11.0039062 33
linear, border: 11 11.5 18.75 -1 -1 11 11.0039062 24.5
wrap: 11 0 3 1
mirror: 11 3 0 2
wrap of other coordinates is clamp: 11 12 21 0 33 11 11 33
four around: 21
size: 4
of three dimensions: 111 166.5 150
layered: 211 102 200
fractions of bytes: 0.200000003 0.300000012
bytes: 51 102
linear memory: 0 9 0 0
surface: 21 33 0 0
written: 1021 1033 0 0
destroyed twice: 1
beyond it: failed'
tap_like 'a surface has an end' 'accesses what lies beyond a surface of 4x4x1 elements' "$(cat "$TAP_ERR")"
tap_like 'and each launch has a time' 'two  *7  *[0-9]' "$(cat "$TAP_TMP/out")"

# ---- what cannot be compiled as a program for that GPU
mkdir "$TAP_TMP/old" && cat >"$TAP_TMP/old/nvcc" <<'END'
#!/bin/sh
printf 'compute_75\ncompute_80\n'
END
chmod +x "$TAP_TMP/old/nvcc"
echo 'int main() { return 0; }' >"$TAP_TMP/main.cu"
PATH=$TAP_TMP/old:$PATH tap_exit 'a GPU that nvcc does not know' 1 "$PIPESIM" "$TAP_TMP/main.cu" --gpu v100
tap_like 'is said' 'main.cu has a main, and nvcc knows no sm_70, which Tesla V100' "$(cat "$TAP_ERR")"
tap_exit 'a GPU without CUDA' 1 "$PIPESIM" "$TAP_TMP/main.cu" --gpu mi210
tap_like 'is said, too' 'main.cu has a main, and Instinct MI210 runs no CUDA program' "$(cat "$TAP_ERR")"

# ---- programs of the runtime
if ! command -v nvcc >/dev/null || [ -n "$PIPESIM_CHECKER" ]; then
    tap_skip 'programs of the runtime' 'nvcc is not installed'
    tap_done
fi
cp tests/program/*.cu "$TAP_TMP"
cd "$TAP_TMP" || exit 1
tap_ok 'one that was linked with NVIDIA own runtime' nvcc -o static runtime.cu
tap_exit 'is refused' 1 program -- ./static
tap_like 'with the line that builds it again' 'pipesim program --build' "$(cat "$TAP_ERR")"
tap_ok 'built again, it runs' program --build 'nvcc -o again runtime.cu' -o out -- ./again
tap_is 'with right results' "$(tail -1 "$TAP_OUT")" 'ok'
tap_like 'and kernels by the names that people write' 'sums<int>  *1 ' "$(tr '\n' ' ' <out)"
codes=compute_80
if command -v nvdisasm >/dev/null; then
    tap_ok 'with machine code alone' program --build 'nvcc -gencode arch=compute_80,code=sm_80 -o machine runtime.cu' -o out -- ./machine
    tap_is 'with right results' "$(tail -1 "$TAP_OUT")" 'ok'
    codes="$codes sm_80"
else
    tap_skip 'programs with machine code alone' 'nvdisasm is not installed'
fi
for code in $codes; do
    tap_ok "kernels that print, as $code" \
        program --build "nvcc -gencode arch=compute_80,code=$code -o print print.cu" -o out -- ./print
    tap_is 'do so when the host waits for them' "$(cat "$TAP_OUT")" 'launched
thread 0  1.50 abc x 1234567890123 ff 0x10
thread 1  1.50 abc x 1234567890123 ff 0x10
7 arguments'
    tap_ok "kernels that allocate memory, as $code" \
        program --build "nvcc -lineinfo -gencode arch=compute_80,code=$code -o heap heap.cu" -o out -- ./heap
    tap_is 'find it in later launches' "$(cat "$TAP_OUT")" '8388608 bytes
1048576 bytes
0 wrong
10 pieces
10 pieces
cudaErrorInvalidValue'
    tap_like 'in no time, which is said' 'malloc takes no time here' "$(cat out)"
    tap_ok 'a recording has the heap, too' program --record heap.pst -o out -- ./heap
    tap_ok 'so that what it has is freed there' "$PIPESIM" run heap.pst --launch 3 --gpu a100
    tap_exit 'but not beyond what they allocated' 188 program -o out -- ./heap beyond
    tap_like 'which is told' \
        'heap.cu:72.*thread \(0,0,0\).*right behind the end of what malloc gave \(40 bytes\)' "$(cat "$TAP_ERR")"
    tap_exit 'nor do they free it twice' 207 program -o out -- ./heap twice
    tap_like 'which is told, too' 'heap.cu:79.*thread \(0,0,0\).* frees 0x' "$(cat "$TAP_ERR")"
done
tap_ok 'a source with a main is a program' "$PIPESIM" print.cu --gpu a100 -o out
tap_is 'which runs' "$(tail -1 "$TAP_OUT")" '7 arguments'
tap_like 'and has a row for each kernel' 'tell  *1 ' "$(cat out)"
tap_ok 'with a block its kernel alone is asked for' \
    "$PIPESIM" print.cu --gpu a100 --grid 1 --block 2 --arg f=1.5
tap_like 'whose time is told' 'cycles' "$(cat "$TAP_OUT")"
tap_ok 'or several launches of it' \
    "$PIPESIM" print.cu --gpu a100 --kernel tell --kernel tell --grid 3 --block 2 --arg f=1.5
tap_like 'with the groups of each' 'tell *3 of 2 ' "$(cat "$TAP_OUT")"
echo '__global__ void f() {} int main() { f<<<1, 1>>>(); return cudaDeviceSynchronize() + 188; }' >status.cu
tap_exit 'a status that is no signal' 188 "$PIPESIM" status.cu --gpu a100
tap_like 'is told without one' 'failed with status 188: what' "$(cat "$TAP_ERR")"
tap_is 'and a program without copies has no table of them' "$(grep -c '^copies' "$TAP_OUT")" 0
echo 'int main() { return 3 }' >wrong.cu
tap_exit 'one that nvcc refuses' 1 "$PIPESIM" wrong.cu --gpu a100
tap_like 'is said' 'nvcc ends with status .*a header \(-I FOLDER\).*run it by: pipesim program --gpu [a-z0-9]* -- ' "$(cat "$TAP_ERR")"
cp print.cu 'two words.cu'
tap_exit 'a name that a shell would read' 1 "$PIPESIM" 'two words.cu' --gpu a100
tap_like 'is refused' 'hands names to a shell' "$(cat "$TAP_ERR")"
tap_ok 'with a default stream for each thread' \
    program --build 'nvcc -default-stream per-thread -o own runtime.cu' -o out -- ./own
tap_is 'with right results' "$(tail -1 "$TAP_OUT")" 'ok'
tap_ok 'groups that meet' program --build 'nvcc -arch=sm_80 -o grid grid.cu' --format json -o out -- ./grid
tap_is 'see what others wrote, and more than the GPU holds are refused' "$(cat "$TAP_OUT")" '0 0 wrong 0, too large 720'
tap_like 'in a time' '"unknown": 0' "$(cat out)"
tap_like 'without waits for groups that come later, which is said' 'meet .grid.sync.*at least that long' "$(cat out)"
# Where they meet lies elsewhere in the constants of each of these.
for on in a100:80 h100:90 rtx5090:120; do
    code=arch=compute_${on#*:},code=sm_${on#*:}
    if ! command -v nvdisasm >/dev/null; then
        tap_skip "groups that meet, as sm_${on#*:}" 'nvdisasm is not installed'
        continue
    fi
    tap_ok "groups that meet, as sm_${on#*:}" \
        "$PIPESIM" program --gpu "${on%:*}" --build "nvcc -gencode $code -o grid grid.cu" -o out -- ./grid
    tap_is 'see what others wrote' "$(cat "$TAP_OUT")" '0 0 wrong 0, too large 720'
done
tap_ok 'launches that no device takes' program --build 'nvcc -arch=sm_80 -o refused refused.cu' -o out -- ./refused
tap_is 'are refused, and others go on' "$(cat "$TAP_OUT")" '701 9 1 0 0 0'

tap_ok 'conditional nodes of graphs' program --build 'nvcc -arch=sm_80 -o conditions conditions.cu' -o out -- ./conditions
tap_is 'do what kernels say' "$(cat "$TAP_OUT")" \
    '0 errors, left 0, turns 9, if 6, else 30, first 1, second 10, refused 1'
tap_like 'which takes no time, as is said' 'conditional node.*no time includes it' "$(tr -s ' \n' ' ' <out)"

# ---- pointers in device code: to functions, to virtual ones, to variables
pointers() { # GPU, WHAT, the options of nvcc
    card=$1 what=$2
    shift 2
    if ! printf '%s\n' "$*" | grep -q code=compute && ! command -v nvdisasm >/dev/null; then
        tap_skip "pointers in $what" 'nvdisasm is not installed'
        tap_skip 'lead where they should' 'nvdisasm is not installed'
        return
    fi
    tap_ok "pointers in $what" \
        "$PIPESIM" program --gpu "$card" --build "nvcc $* -o pointers pointers.cu" -o out -- ./pointers
    tap_is 'lead where they should' "$(cat "$TAP_OUT")" '0 0'
}
pointers a100 PTX -gencode arch=compute_80,code=compute_80
for one in 80:a100 90:h100 120:rtx5090; do
    code=arch=compute_${one%:*},code=sm_${one%:*}
    pointers "${one#*:}" "machine code for sm_${one%:*}" -gencode "$code"
    pointers "${one#*:}" "code for sm_${one%:*} that was compiled apart" -rdc=true -gencode "$code"
done

# ---- code that was compiled apart: kernels that launch kernels are refused, and others run
if command -v nvdisasm >/dev/null; then
    tap_ok 'compiled apart' program --build 'nvcc -rdc=true -arch=sm_80 -o apart apart.cu' -o out -- ./apart
    tap_is 'it runs' "$(cat "$TAP_OUT")" '0 0 63'
    tap_ok 'for a GPU that its machine code is not for' \
        "$PIPESIM" program --gpu h100 --build 'nvcc -rdc=true -arch=sm_80 -o apart apart.cu' -o out -- ./apart
    tap_is 'it runs' "$(cat "$TAP_OUT")" '0 0 63'
    program --build 'nvcc -rdc=true -arch=sm_80 -DNESTED -o nested apart.cu' -o out -- ./nested >result 2>said
    tap_is 'a kernel that launches kernels is not launched, and another is' "$(cat result)" '209 0 63'
    tap_like 'which is said' 'kernel "nested".* launches kernels itself .dynamic parallelism' "$(cat said)"
    nvcc -rdc=true -arch=sm_80 -DFAR=2 -dc -o more.o apart.cu
    tap_ok 'with a function in another file' \
        program --build 'nvcc -rdc=true -arch=sm_80 -DFAR=1 -o far apart.cu more.o' -o out -- ./far
    tap_is 'it runs' "$(cat "$TAP_OUT")" '0 0 63'
    for one in 80:a100 90:h100; do
        nvcc -rdc=true -arch="sm_${one%:*}" -DPART=2 -dc -o second.o parts.cu
        gpu=${one#*:}
        tap_ok "parts that each have a function of one name, for sm_${one%:*}" program \
            --build "nvcc -rdc=true -arch=sm_${one%:*} -DPART=1 -o parts parts.cu second.o" -o out -- ./parts
        tap_is 'each calls its own' "$(cat "$TAP_OUT")" '0 0'
    done
    unset gpu
    nvcc -rdc=true -arch=sm_80 -DPART=2 -dc -o other.o named.cu
    tap_ok 'kernels that name what is not in their code' \
        program --build 'nvcc -rdc=true -arch=sm_80 -DPART=1 -o named named.cu other.o' --format csv -o out -- ./named
    tap_is 'count with a variable and print' "$(cat "$TAP_OUT")" 'thread 3 other 4 0 5 36'
    tap_is 'by machine code' "$(grep -c compute_80 out)" 0
    program --build 'nvcc -rdc=true -arch=compute_80 -DFAR=1 -o far apart.cu more.o' -o out -- ./far >result 2>said
    tap_like 'pieces of PTX, too' 'in several pieces' "$(cat said)"
else
    tap_skip 'code that was compiled apart' 'nvdisasm is not installed'
fi
tap_done

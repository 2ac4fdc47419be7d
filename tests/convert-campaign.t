#!/bin/sh
# SPDX-License-Identifier: BSD-3-Clause
# Runs: check
# latency-bench/convert-campaign: what becomes of another campaign's measurements.
. tests/tap.sh

measurements=tests/measurements/measurements.csv
device='device,A,compute_units=100;cc=6.0;l2_bytes=1;local_bytes_per_cu=1;registers_per_cu=1;threads_per_cu=2048;driver=12040,mhz,1000'

# slope FILE CLASS WARPS ILP STEP: cycles of a link, from the runs of two links and of one.
slope() {
    awk -F , -v class="$2" -v warps="$3" -v ilp="$4" -v step="$5" '
        $3 == class && $11 == warps && $5 == ilp && $14 == step { sum += $12 == 2 ? $16 : -$16; n++ }
        END { print n == 2 ? sum : n + 0 " rows" }' "$1"
}

# convert ROW...: behind that of the device.
convert() {
    printf '%s\n' "$device" "$@" >"$TAP_TMP/rows.csv"
    latency-bench/convert-campaign "$TAP_TMP/rows.csv"
}

# ---- chains
tap_ok 'a campaign is converted' latency-bench/convert-campaign "$measurements"
cp "$TAP_OUT" "$TAP_TMP/raw.csv"
while read -r class warps ilp step cycles; do
    tap_is "... $class of $warps warps, ilp $ilp, step $step" "$(slope "$TAP_TMP/raw.csv" "$class" "$warps" "$ilp" "$step")" "$cycles"
done <<'END'
fadd 1 1 0 4
fadd 32 1 0 8
fadd 64 1 0 16
fadd 64 2 0 32
conversion 1 1 0 12
fmadd 1 1 0 4
cos 1 2 0 22
local.load 1 1 1 24
local.load 32 1 32 1024
global.load 1 1 1 600
loop 1 1 0 20
rcp 1 1 0 30
rcp 64 4 0 512
END
tap_is '... the device is told' "$(grep -E '^device,(name|architecture|driver|compute_units|limits_warps|schedulers),' "$TAP_TMP/raw.csv")" \
    'device,name,Synthetic GPU
device,architecture,sm_90
device,driver,"550.00, CUDA 12.4"
device,compute_units,100
device,schedulers,4
device,limits_warps,64'
tap_is '... and the clock' "$(awk -F , '$1 == "run" { print $18 }' "$TAP_TMP/raw.csv" | sort -u)" 1700
tap_ok '... a description follows' "$PIPESIM" bench --from "$TAP_TMP/raw.csv" -o "$TAP_TMP/made.xml"
tap_ok '... which is held against its kernels' "$PIPESIM" validate "$TAP_TMP/made.xml" --from "$TAP_TMP/raw.csv"
tap_like '... saxpy is there' '^\| saxpy \| 1 \|' "$(cat "$TAP_OUT")"

# ---- whole kernels; the factors that their times were made with are in tests/measurements/README
tap_ok 'whole kernels' latency-bench/convert-campaign tests/measurements/kernels/measurements.csv
cp "$TAP_OUT" "$TAP_TMP/kernels.csv"
tap_is '... what has no graph is named' "$(cat "$TAP_ERR")" \
    'convert-campaign: tests/measurements/kernels/measurements.csv: warning: left out, since there is no graph of them: nbody'
tap_ok '... the others are compared' "$PIPESIM" validate pascal.xml --from "$TAP_TMP/kernels.csv"
tap_is '... errors are what they were made with' \
    "$(awk -F ' *[|] *' 'NF > 10 && $3 ~ /^[0-9]+$/ && $4 ~ /^[-+0]/ { sub(/ %/, "", $4); printf "%s %s, ", $2, $4 }' "$TAP_OUT")" \
    'mmul08 -6.0, mmul16 -9.1, mmul16/scalar -20.0, mmul08-conflict -2.0, volkov-16 +5.3, saxpy -4.8, transpose -4.8, transpose-conflict -50.0, reduction -9.1, stencil +100.0, memory-ilp4/stream-read 0.0, all points -1.8, '

# ---- mmul's accesses: 128 * 128 groups on 100 CUs, that is 164 on the fullest, 4 at a time, of which each loads 128 times:
# 41 * 128 links of 1 microsecond, and a launch of 2
convert 'kernel,empty,block=64;groups=1;mhz=1000,median_ms,0.002' \
    'kernel,empty,block=64;groups=132;mhz=1000,median_ms,0.5' \
    'kernel,pattern,matrix=A;block=8;active=4;warps=8;loads_per_thread=128;mhz=1000,median_ms,5.25' \
    'kernel,pattern,matrix=A;block=8;active=4;warps=8;loads_per_thread=128;mhz=1000,min_ms,1' \
    'kernel,pattern,matrix=B;block=16;active=8;warps=64;loads_per_thread=64;mhz=2000,median_ms,0.002' >"$TAP_OUT" 2>"$TAP_ERR"
tap_is "mmul's accesses" "$(slope "$TAP_OUT" global.load.A.8x8 8 1 1)" 1000
tap_is '... one that took no longer than an empty launch is left out' "$(grep -c '^run' "$TAP_OUT"), $(cat "$TAP_ERR")" \
    "2, convert-campaign: $TAP_TMP/rows.csv: warning: line 6: there is no figure, and the row is left out"

# ---- what is no figure, a figure that is there again, and a last row that was cut off
printf '%s\n' "$device" 'chain,fadd,warps=1;ilp=1,cycles_per_op_of_one_warp,-nan' 'chain,fadd,warps=2;ilp=1,cycles_per_op_of_one_warp,4' \
    'chain,fadd,warps=2;ilp=1,cycles_per_op_of_one_warp,5' >"$TAP_TMP/gaps.csv"
printf 'chain,fadd,warps=3;ilp=1,cycles_per_op_of_one_war' >>"$TAP_TMP/gaps.csv"
tap_ok 'gaps' latency-bench/convert-campaign "$TAP_TMP/gaps.csv"
tap_is '... are told' "$(cat "$TAP_ERR")" "convert-campaign: $TAP_TMP/gaps.csv: warning: line 2: there is no figure, and the row is left out
convert-campaign: $TAP_TMP/gaps.csv: warning: the last row is cut off, and left out"
tap_is '... and a second figure is a repeat' "$(awk -F , '$1 == "run" { print $12, $15, $16 }' "$TAP_OUT")" '1 0 4
2 0 8
1 1 5
2 1 10'
tap_is '... compute capability 6.0 has two schedulers' "$(grep -E '^device,(schedulers|driver)' "$TAP_OUT")" 'device,driver,CUDA driver 12040
device,schedulers,2'

# ---- errors: refused NAME LINE MESSAGE ROW
refused() {
    tap_exit "$1" 1 convert "$4"
    tap_is '... is an error' "$(cat "$TAP_ERR")" "convert-campaign: $TAP_TMP/rows.csv:$2: $3"
    tap_is '... and nothing is written' "$(cat "$TAP_OUT")" ''
}
mmul='active=2;warps=4;size=1024'
refused 'warps that are missing' 2 'warps is missing' 'chain,fadd,ilp=1,cycles_per_op_of_one_warp,4'
refused 'no warps' 2 "warps: '0' is no integer from 1 on" 'chain,fadd,warps=0;ilp=1,cycles_per_op_of_one_warp,4'
refused 'a figure that is none' 2 "cycles_per_op_of_one_warp: '4x' is no number" 'chain,fadd,warps=1;ilp=1,cycles_per_op_of_one_warp,4x'
refused 'another form' 2 "a row is 'section,name,key=value;...,metric,value'" 'a,b,c'
refused 'another matrix' 2 "matrix: 'C' is neither A nor B" 'kernel,pattern,matrix=C;block=8;active=4;warps=8;loads_per_thread=128;mhz=1,median_ms,5'
refused 'warps of other groups' 2 'these keys make no launch: active groups of block * block threads have other warps' \
    'kernel,pattern,matrix=A;block=8;active=4;warps=9;loads_per_thread=128;mhz=1,median_ms,5'
refused 'loads that are missing' 2 'loads_per_thread is missing' 'kernel,pattern,matrix=A;block=8;active=4;warps=8;mhz=1,median_ms,5'
refused 'a time that is none' 2 "median_ms: 'soon' is no number" "kernel,mmul08,$mmul,median_ms,soon"
refused 'a time below zero' 2 "median_ms: '-1' is no time" "kernel,mmul08,$mmul,median_ms,-1"
refused 'a key that is no number' 2 "size: 'big' is no integer from 1 on" 'kernel,mmul08,active=2;warps=4;size=big,median_ms,1'
refused 'keys that make no launch' 2 'these keys make no launch: 0 groups of 64 threads, 0 trips' 'kernel,mmul08,active=2;warps=4;size=1,median_ms,1'
refused 'nothing but what is not known' 2 'there is nothing in it that pipesim knows' 'kernel,nbody,n=1,median_ms,1'
device='kernel,saxpy,block=256;n=1,median_ms,1'
refused 'a file without the device' 1 "a row 'device,NAME,compute_units=...' must come first, to say which GPU was measured" ''
device='device,A,cc=9.0,mhz,1'
refused 'a device without CUs' 1 'compute_units is missing' ''
tap_exit 'a file that is not there' 1 latency-bench/convert-campaign "$TAP_TMP/none.csv"
tap_exit 'no file' 2 latency-bench/convert-campaign
tap_exit 'a file that was not converted' 1 "$PIPESIM" bench --from "$measurements" -o "$TAP_TMP/x.xml"
tap_like '... is refused' "csv:1:1: this is no raw file of pipesim, whose first line begins with 'record,'$" "$(cat "$TAP_ERR")"
tap_done

#!/bin/sh
# SPDX-License-Identifier: BSD-3-Clause
# Runs: check nightly-sanitize
# Kernels compiled beforehand (bench --precompile, --cubins), with stand-ins for CUDA's driver and
# NVRTC. tests/unit/cubins.c has what may be wrong with a file of them.
. tests/tap.sh

program=$(cd "$(dirname "$PIPESIM")" && pwd)/$(basename "$PIPESIM")
stand_in=$(cd "$BUILD" && pwd)/tests/stand-in/cuda.so
work=$TAP_TMP/work
mkdir "$work" "$TAP_TMP/driver" "$TAP_TMP/compiler"
ln -s "$stand_in" "$TAP_TMP/driver/libcuda.so.1"
ln -s "$stand_in" "$TAP_TMP/compiler/libnvrtc.so.13"

# on WHAT COMMAND...: in a folder of its own, on a machine with a driver, a compiler or both.
on() (
    case $1 in
    driver) PIPESIM_DRIVERS=$TAP_TMP/driver ;;
    compiler) PIPESIM_DRIVERS=$TAP_TMP/compiler ;;
    both) PIPESIM_DRIVERS=$TAP_TMP/driver:$TAP_TMP/compiler ;;
    esac
    shift
    export PIPESIM_DRIVERS
    cd "$work" && "$program" "$@"
)

# with SETTINGS COMMAND...: what the stand-ins are like (tests/stand-in/device.h).
with() (
    PIPESIM_STAND_IN=$1
    export PIPESIM_STAND_IN
    shift
    "$@"
)

# says MESSAGE: that, in one line, and nothing else.
says() {
    tap_is '... it is said in one line' "$(cat "$TAP_ERR")" "pipesim: $1"
}

# ---- made on one machine
tap_ok 'kernels are compiled without a device' on compiler bench --precompile sm_75,sm_90 -o made/cubins
tap_is '... the files are told' "$(cat "$TAP_OUT")" "$(printf 'made/cubins/sm_75.cubins\nmade/cubins/sm_90.cubins')"
tap_is '... and nothing else is there' "$(ls "$work/made/cubins")" "$(printf 'sm_75.cubins\nsm_90.cubins')"
tap_like '... they say what they are' '^pipesim cubins 1 sm_90 13\.0 [0-9a-f]{64}$' "$(head -n 1 "$work/made/cubins/sm_90.cubins")"
tap_exit 'an architecture that NVRTC does not know' 1 on compiler bench --precompile sm_75,sm_120 -o none
says 'NVRTC 13.0 does not know sm_120 (it knows sm_75 to sm_90)'
tap_exit 'no NVRTC' 1 on driver bench --precompile sm_75 -o none
says 'kernels cannot be compiled, for libnvrtc.so.13, libnvrtc.so.12, libnvrtc.so.11.2, libnvrtc.so was looked for and not found; NVRTC comes with the CUDA toolkit, and PIPESIM_DRIVERS can name its folder'
tap_is '... leaves nothing behind' "$(find "$work" -name 'none*')" ''
tap_exit 'a place for them that is a file' 1 on compiler bench --precompile sm_75 -o made/cubins/sm_75.cubins
says 'made/cubins/sm_75.cubins: cannot be made: Not a directory'
for wrong in '--precompile sm_75' '--precompile sm_75 -o -' '--precompile sm_75 -o x --quick' \
    '--precompile 75 -o x' '--precompile sm_075 -o x' '--precompile sm_75, -o x' '--precompile compute_75 -o x' \
    '--cubins x --backend hip' '--cubins x --backend model:pascal.xml' '--cubins x --from y'; do
    # shellcheck disable=SC2086 # they are words
    tap_exit "wrong usage: $wrong" 2 on compiler bench $wrong
done

# ---- run on another
PIPESIM_STAND_IN=cycles=1024
export PIPESIM_STAND_IN
quick='--grid reduced --classes f*'
# shellcheck disable=SC2086 # they are words
{
    tap_ok 'a device without NVRTC' on driver bench --cubins made/cubins --grid reduced -o gpu.xml
    tap_like '... what was run is in the measurements' '^device,driver,"CUDA driver 13\.0, cubins of NVRTC 13\.0 for sm_90"$' \
        "$(cat "$work/gpu.raw.csv")"
    tap_is '... and all of it ran' "$(grep -c 'cubin.*another version' "$work/gpu.raw.csv")" 0
    tap_ok 'whole kernels' on driver validate gpu.xml --cubins made/cubins --grid reduced -o report.md
    tap_is '... all of them' "$(grep -c 'cubin of another version' "$work/report.validate.raw.csv")" 0

    mkdir "$work/old" "$work/bad"
    cp "$work/made/cubins/sm_75.cubins" "$work/old"
    tap_exit 'cubins for another chip' 1 on driver bench --cubins old $quick -o none.xml
    says 'no device: CUDA: the cubins in old are for sm_75; this GPU is sm_90'
    tap_exit 'no folder' 1 on driver bench --cubins none $quick -o none.xml
    says 'no device: CUDA: none: this folder of cubins cannot be read: No such file or directory'
    tap_exit 'a file in place of a folder' 1 on driver bench --cubins gpu.xml $quick -o none.xml
    says 'no device: CUDA: gpu.xml: this folder of cubins cannot be read: Not a directory'
    tap_exit 'an empty folder' 1 on driver bench --cubins bad $quick -o none.xml
    says 'no device: CUDA: there are no cubins in bad; precompile some for sm_90'
    head -c 1000 "$work/made/cubins/sm_90.cubins" >"$work/bad/sm_90.cubins"
    tap_exit 'a file that was cut off' 1 on driver bench --cubins bad $quick -o none.xml
    says 'no device: CUDA: bad/sm_90.cubins: the file is damaged: its checksum is not the one it states; precompile it anew'
    tap_exit 'a driver that is older than NVRTC was' 1 with driver=12040 on driver bench --cubins made/cubins $quick -o none.xml
    says 'no device: CUDA: the cubins in made/cubins are NVRTC 13.0'"'"'s, which the driver of CUDA 12.4 cannot load: update the driver, or make cubins with an older NVRTC'
    tap_is '... and nothing is left behind' "$(find "$work" -name 'none*')" ''
    # The text that the stand-in for NVRTC makes holds no chain.
    tap_exit 'NVRTC that is older than the GPU' 1 with 'cycles=1024 no-code=1' on both bench $quick -o older.xml
    tap_is '... what is done is said in one line' "$(head -n 1 "$TAP_ERR")" \
        'pipesim: NVRTC 13.0 does not know sm_90: it compiles for sm_89, and the driver makes machine code of that'
    tap_ok '... cubins need none' with 'cycles=1024 no-code=1' on both bench --cubins made/cubins $quick -o newer.xml
    tap_is '... and nothing is said' "$(grep -v warning: "$TAP_ERR")" ''

    # ---- a cache that nobody tells of, and 1 GiB of memory, which a sweep does not fit
    small='benchmarks of device memory are left out: 1024 MiB are too little to overwrite a cache of 256 MiB twice'
    tap_ok 'a cache that the driver does not tell of' with 'cycles=1024 no-l2=1' on driver bench --cubins made/cubins --grid reduced -o small.xml
    tap_like '... what is left out is said in one line' "^pipesim: [1-9] $small\$" "$(cat "$TAP_ERR")"
    tap_exit '... where nothing else was asked for' 1 with 'cycles=1024 no-l2=1' on driver bench --cubins made/cubins --grid reduced --classes 'memory-*' -o none.xml
    says "--classes memory-*: nothing is left to measure: 2 $small"
}
tap_done

#!/bin/sh
# SPDX-License-Identifier: BSD-3-Clause
# Runs: check
# Programs whose kernels other libraries compile and launch: NVRTC, cuda.bindings, cuda.core, numba-cuda, and Triton's
# launcher, each where it is installed (for the Python that PIPESIM_PYTHON names, else python3). They find our libcuda.
. tests/tap.sh

: "${CC:=cc}" "${CFLAGS:=}" "${LDFLAGS:=}"
PIPESIM=$(readlink -f "$PIPESIM")
libraries=$(dirname "$PIPESIM")/libpipesim-driver
python=${PIPESIM_PYTHON:-python3}
export TRITON_CACHE_DIR="$TAP_TMP/triton" NUMBA_CACHE_DIR="$TAP_TMP/numba" PYTHONDONTWRITEBYTECODE=1

if ! "$PIPESIM" run tests/cases/row-sums.cubin --gpu a100 --grid 4 --block 256 --arg 0=zero:16M --arg 1=zero:64K \
    --arg 2=64 --arg 3=256 >"$TAP_TMP/said" 2>&1; then
    echo '1..0 # SKIP nvdisasm is not installed, and these libraries give machine code alone'
    exit 0
fi

# answered WHAT KERNEL LAST COMMAND...: the program ends with that line, and its kernel has a time.
answered() {
    what=$1 kernel=$2 last=$3
    shift 3
    : >"$TAP_TMP/csv"
    tap_ok "$what: it runs" timeout 300 "$PIPESIM" program --gpu a100 --format csv -o "$TAP_TMP/csv" -- "$@"
    tap_is '... and its results are right' "$(tail -1 "$TAP_OUT")" "$last"
    tap_like '... and its launch has a time' "^\"?${kernel}[^,]*,1,[0-9.]+e-06,.*,sm_80" "$(cat "$TAP_TMP/csv")"
}

# ---- NVRTC
# shellcheck disable=SC2086 # the flags are words
tap_ok 'a program that compiles by NVRTC' $CC $CFLAGS $LDFLAGS -std=c11 -D_POSIX_C_SOURCE=200809L -I. \
    -o "$TAP_TMP/nvrtc" tests/program/nvrtc.c -L"$libraries" -lcuda -ldl -Wl,-rpath-link,"$(dirname "$libraries")"
site=$("$python" -c 'import sysconfig; print(sysconfig.get_paths()["purelib"])' 2>"$TAP_TMP/said")
found=0
for library in /usr/local/cuda/lib64/libnvrtc.so.1? "$site"/nvidia/cu1?/lib/libnvrtc.so.1? \
    "$site"/nvidia/cuda_nvrtc/lib/libnvrtc.so.1?; do
    [ -f "$library" ] || continue
    found=1
    answered "NVRTC, ${library##*/}" saxpy ok "$TAP_TMP/nvrtc" "$library"
done
[ "$found" = 1 ] || tap_skip 'NVRTC' 'libnvrtc is not installed'

# ---- Python
# script NAME KERNEL LAST MODULE PACKAGE
script() {
    if "$python" -c "import numpy, $4" >"$TAP_TMP/said" 2>&1; then
        answered "$1" "$2" "$3" "$python" "tests/program/$1.py"
    else
        tap_skip "$1" "$5 is not installed for $python"
    fi
}
script cuda-bindings saxpy ok cuda.bindings.nvrtc cuda-python
script cuda-core 'saxpy<float>' ok cuda.core cuda-core
script numba-cuda saxpy 'ok timed' numba_cuda numba-cuda
script triton-launcher saxpy ok triton triton
tap_done

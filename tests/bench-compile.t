#!/bin/sh
# SPDX-License-Identifier: BSD-3-Clause
# Runs: nightly
# The kernels of the micro-benchmarks, through every compiler that is installed: nvcc for CUDA,
# hipcc or clang for HIP, clang for OpenCL C 1.2. NVRTC has them all in tests/unit/bench-kernels.c.
. tests/tap.sh

sources=$TAP_TMP/sources
mkdir "$sources"
tap_ok 'all sources are written' env PIPESIM_KERNEL_SOURCES="$sources" \
    "$BUILD/tests/unit/bench-kernels.t" -p /bench-kernels/sources

# One of each kind: those that differ in a figure compile alike.
few='fadd-ilp1 dfma-ilp2 hfma-ilp1 iadd-ilp8 logic-ilp1 conversion-f2i-ilp2 conversion-i2f-ilp1 rcp-ilp1 sin-ilp1 fdiv-ilp1
     loop-ilp1 barrier-ilp1 shuffle-ilp1 local-load-c8 local-store-c2 local-load-v2-ilp4 local-load-v4 local-store-v2 local-store-v4 atomic-local-c1 constant-load-ilp4
     global-load-l1 global-load-l2 global-load-s8 global-load-v2 global-load-v4 atomic-global peak-b-l1 memory-ilp1 stream-write global-store-v2 global-store-v4
     global-load-a-8x8 global-load-b-16x16-ilp4 global-store-b-8x8 peak-t-tensor intensity-4 mix-16
     walk flow flow-copy flow-queue flow-queue-copy flow-request flow-tag touch-address touch-line touch-sectors touch-partial launch launch-store'

# compile ENDING COMMAND...: each of the few that there are, told by name if it fails.
compile() {
    ending=$1
    shift
    for name in $few; do
        [ -f "$sources/$name.$ending" ] || continue
        "$@" "$sources/$name.$ending" || { echo "$name does not compile" && return 1; }
    done
}

# How often the code of a kernel in a file has an instruction, by an extended regular expression.
count() {
    grep -Ec "$2" "$1"
}

has() {
    command -v "$1" >/dev/null 2>&1
}

if has nvcc; then
    cuda() {
        nvcc -arch=sm_90 -cubin -o "$TAP_TMP/cuda.cubin" "$1"
    }
    tap_ok 'nvcc compiles the CUDA kernels' compile cu cuda
    nvcc -arch=sm_75 -ptx -o "$TAP_TMP/fadd.ptx" "$sources/fadd-ilp4.cu" 2>"$TAP_ERR"
    tap_is 'and keeps four chains of 64 additions' "$(count "$TAP_TMP/fadd.ptx" 'add\.rn\.f32')" 256
else
    tap_skip 'nvcc compiles the CUDA kernels' 'nvcc is not installed'
fi

# clang does what hipcc does, where it has AMD's GPUs; no header is needed.
if has hipcc; then
    amd() {
        hipcc -x hip --offload-arch=gfx90a --cuda-device-only -O3 -S -o "$TAP_TMP/hip.s" "$1"
    }
elif has clang && clang --print-targets | grep -q amdgcn; then
    amd() {
        clang -x hip --offload-arch=gfx90a --cuda-device-only -nogpuinc -nogpulib -O3 -S \
            -o "$TAP_TMP/hip.s" "$1"
    }
fi
if has amd; then
    tap_ok 'the HIP kernels compile' compile hip amd
    for kernel in fadd-ilp4:v_add_f32:256 local-store-c2:ds_write_b32:32 rcp-ilp1:v_rcp_f32:16 \
        'global-load-l1:global_load_dword :32' 'global-load-s1:global_load_dword :16' global-store-v4:global_store_dwordx4:8 global-load-v4:global_load_dwordx4:16 \
        local-load-v2:ds_read_b64:32 local-store-v4:ds_write_b128:32 conversion-i2f-ilp1:v_cvt_f32_i32:32 imad-ilp1:v_mad_u64_u32:64 \
        global-load-a-8x8:global_load_dword:16 global-store-b-8x8:global_store_dword:16 \
        walk:global_load_dwordx2:17 flow:global_load_dwordx4:2 flow-copy:global_store_dwordx4:2 flow-request:global_load_dword:8 \
        touch-address:global_atomic_add:1 touch-partial:global_store_dword:1; do
        name=${kernel%%:*} rest=${kernel#*:}
        amd "$sources/$name.hip" 2>"$TAP_ERR"
        found=$(count "$TAP_TMP/hip.s" "${rest%:*}")
        tap_is "$name holds its chain" "$((found >= ${rest#*:}))" 1
    done
    # Of four loads under way one is waited for.
    for kernel in global-load-s1-ilp4:vmcnt:48 global-load-l2-ilp4:vmcnt:48 atomic-global-ilp4:vmcnt:24 local-load-c1-ilp4:lgkmcnt:96; do
        name=${kernel%%:*} rest=${kernel#*:}
        amd "$sources/$name.hip" 2>"$TAP_ERR"
        found=$(count "$TAP_TMP/hip.s" "s_waitcnt ${rest%:*}\([1-3]\)")
        tap_is "chains of $name do not wait for each other" "$((found >= ${rest#*:}))" 1
    done
    # A trip of 16 links: loads, waits and the loop's counter.
    amd "$sources/global-load-s1.hip" 2>"$TAP_ERR"
    tap_is 'a link of a ring is a load and nothing else' \
        "$(perl -ne '/^\.LBB/ and @b = (); /^\s+([a-z]\w+)/ and push @b, $1; /cbranch/ && 8 < grep { /^global/ } @b and print join " ", grep { !/^(global_load_dword$|s_)/ } @b' "$TAP_TMP/hip.s")" ''
else
    tap_skip 'the HIP kernels compile' 'neither hipcc nor a clang for AMD is installed'
fi

if clang --version >/dev/null 2>&1; then
    opencl() {
        clang -x cl -cl-std=CL1.2 -target spir64-unknown-unknown -Xclang -finclude-default-header \
            -Werror -Wno-unknown-pragmas -fsyntax-only "$1"
    }
    tap_ok 'clang reads the OpenCL kernels' compile cl opencl
else
    tap_skip 'clang reads the OpenCL kernels' 'clang is not installed'
fi

tap_done

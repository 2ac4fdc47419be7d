#!/bin/sh
# SPDX-License-Identifier: BSD-3-Clause
# Runs: nightly
# A space of Kernel Tuner's with 1 001 configurations, each of which is other code, cold: what one takes of the
# processor. Ten minutes of two cores are 1 200 seconds for 1 000.
. tests/tap.sh

python=$(command -v python3) || {
    echo '1..0 # SKIP python3 is not installed'
    exit 0
}
command -v nvcc >/dev/null || {
    echo '1..0 # SKIP nvcc is not installed'
    exit 0
}
if [ -n "$PIPESIM_CHECKER" ]; then
    echo '1..0 # SKIP Python does not run under the checker'
    exit 0
fi
PIPESIM_LIBRARY=$(cd "$(dirname "$PIPESIM")" && pwd)/libpipesim.so.0
PYTHONPATH=$PWD/python
PYTHONDONTWRITEBYTECODE=1
export PIPESIM_LIBRARY PYTHONPATH PYTHONDONTWRITEBYTECODE
cd "$TAP_TMP" || exit 1

cat >smooth.cu <<'END'
extern "C" __global__ __launch_bounds__(block_size_x) void smooth(int n, const float *x, float *y)
{
    __shared__ float tile[block_size_x + TAPS];
    for (int k = 0; k < WORK; k++) {
        const int i = (blockIdx.x * WORK + k) * block_size_x + threadIdx.x;
        tile[threadIdx.x] = i < n ? x[i] : 0;
        if (threadIdx.x < TAPS)
            tile[block_size_x + threadIdx.x] = i + block_size_x < n ? x[i + block_size_x] : 0;
        __syncthreads();
        float sum = 0;
        for (int tap = 0; tap < TAPS; tap++)
            sum += tile[threadIdx.x + tap];
        if (i < n)
            y[i] = sum / TAPS;
        __syncthreads();
    }
}
END
cat >smooth.json <<'END'
{"ConfigurationSpace": {"TuningParameters": [
    {"Name": "block_size_x", "Type": "int", "Values": "[32, 64, 96, 128, 160, 192, 256, 320, 384, 512, 640, 768, 1024]"},
    {"Name": "WORK", "Type": "int", "Values": "[1, 2, 3, 4, 5, 6, 7, 8, 10, 12, 16]"},
    {"Name": "TAPS", "Type": "int", "Values": "[2, 3, 4, 5, 6, 7, 8]"}]},
 "KernelSpecification": {"Language": "CUDA", "KernelName": "smooth", "KernelFile": "smooth.cu",
    "ProblemSize": [1048576], "GlobalSize": {"X": "1048576"}, "LocalSize": {"X": "block_size_x"},
    "GridDivX": ["block_size_x", "WORK"],
    "Arguments": [{"MemoryType": "Scalar", "Type": "int32", "FillValue": 1048576},
        {"MemoryType": "Vector", "Type": "float", "Size": 1048576, "FillType": "Random"},
        {"MemoryType": "Vector", "Type": "float", "Size": 1048576, "FillType": "Constant", "FillValue": 0}]}}
END
cat >run.py <<'END'
import resource
import sys
import time
import pipesim.kernel_tuner

def seconds():
    return sum(sum(resource.getrusage(who)[:2]) for who in (resource.RUSAGE_SELF, resource.RUSAGE_CHILDREN))

begun, used = time.monotonic(), seconds()
predicted = pipesim.kernel_tuner.predict("smooth.json", gpu="a100")
predicted.write_cache("cache.json")
times = {one.result.time_us for one in predicted if one.result}
answered = sum(1 for one in predicted if one.result)
print(len(predicted), answered, len(times), round(seconds() - used), round(time.monotonic() - begun))
END
tap_ok 'a space is predicted' "$python" run.py
read -r all answered times used took <"$TAP_OUT"
tap_is '... with all of its configurations' "$all $answered" '1001 1001'
tap_ok "... of which $times times differ" [ "$times" -gt 500 ]
tap_ok "... in $used s of the processor, below 1 200 ($took s by the clock)" [ "$used" -lt 1200 ]
tap_done

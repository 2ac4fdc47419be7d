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
# A disassembler that says its runs and the bytes that it gets.
disassembler=$(command -v nvdisasm || ls "${XDG_DATA_HOME:-$HOME/.local/share}/pipesim/sass/bin/nvdisasm" 2>/dev/null)
if [ -n "$disassembler" ]; then
    mkdir bin
    cat >bin/nvdisasm <<END
#!/bin/sh
[ "\$1" != -json ] || for file; do :; done
echo "\$* \$(wc -c <"\${file:-/dev/null}")" >>$TAP_TMP/runs
exec $disassembler "\$@"
END
    chmod +x bin/nvdisasm
    PATH=$TAP_TMP/bin:$PATH
fi
cat >run.py <<'END'
import os
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
at_once = min(16, -(-len(predicted) // os.cpu_count()))
print(len(predicted), answered, len(times), -(-len(predicted) // at_once), round(seconds() - used),
      round(time.monotonic() - begun))
# What was listed with others is as if it had been listed alone.
if os.path.exists("runs"):
    os.rename("runs", "listed")
for one in list(predicted)[:10] if len(sys.argv) > 1 else []:
    launch = predicted.space.launch(one.configuration)
    alone = pipesim.run(launch.pop("path"), "a100", no_cache=True, **launch)
    if alone.to_dict()["result"] != one.result.to_dict()["result"]:
        print("differs:", one.configuration)
END
tap_ok 'a space is predicted' "$python" run.py ${disassembler:+compare}
read -r all answered times batches used took <"$TAP_OUT"
if [ -n "$disassembler" ]; then
    tap_is '... as each configuration is alone' "$(grep differs "$TAP_OUT")" ''
    # 16 configurations are a batch, and a run of it lists at most 64 KiB of code. Two runs that follow each other in a
    # batch have more than that together, and a cubin is no smaller than its code.
    runs=$(grep -c '^-json' listed)
    most=$(awk -v batches="$batches" '/^-json/ { bytes += $NF } END { print batches + int(2 * bytes / 65536) }' listed)
    tap_ok "... and $runs runs of the disassembler list all, of $batches batches $most at most" [ "$runs" -le "$most" ]
else
    tap_skip 'machine code that is listed together' 'nvdisasm is not installed'
fi
tap_is '... with all of its configurations' "$all $answered" '1001 1001'
tap_ok "... of which $times times differ" [ "$times" -gt 500 ]
tap_ok "... in $used s of the processor, below 1 100 ($took s by the clock)" [ "$used" -lt 1100 ]
tap_done

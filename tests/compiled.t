#!/bin/sh
# SPDX-License-Identifier: BSD-3-Clause
# Runs: nightly sanitize
# The executor's own tests once more, with all kernels compiled for this processor, where LLVM's library is found:
# random programs, and the instructions' operands, give what they give step by step.
. tests/tap.sh

units=$BUILD/tests/unit
export PIPESIM_TEST_COMPILED=1
# To compile a random program takes a quarter of a second.
seeds=20
[ "${PIPESIM_SEEDS_TIMES:-1}" != 10 ] || seeds=500
if "$units/ptx-compiled.t" 2>&1 | grep -q '# SKIP'; then
    tap_skip 'compiled code' 'there is no LLVM, or no AVX2'
    tap_done
    exit 0
fi
tap_ok 'random programs' env PIPESIM_SEEDS=$seeds timeout 1200 "$units/ptx-run-random.t"
for test in ptx-run ptx-run-memory ptx-run-rows ptx-run-errors ptx-run-watch ptx-run-spin ptx-run-sync; do
    tap_ok "$test" timeout 300 "$units/$test.t"
done
tap_done

#!/bin/sh
# SPDX-License-Identifier: BSD-3-Clause
# Runs: check
# Every JSON that the program writes is as the schema of tell/facts.table says, key by key: none is written
# that it does not have, and it has none that is never written. (What `profile` writes is held
# against it by profile.t.) The page that docs/make/json.pl makes of it says what each key is.
. tests/tap.sh

input=tests/golden/input
levels=tests/levels
explain=tests/explain

# written DOCUMENT NAME ARGUMENT...: what the program prints then, as a file NAME, joins the documents.
documents=
written() {
    document=$1 name=$2
    shift 2
    tap_ok "$name" "$PIPESIM" "$@"
    cp "$TAP_OUT" "$TAP_TMP/$name.json"
    documents="$documents $document=$TAP_TMP/$name.json"
}

written shown described show $input/capable.xml v100.xml --format json
written shown_graph graph show mmul08.idg --gpu pascal.xml --format json
written shown_graph held show tests/golden/input/hold.idg --format json
sed 's/local-memory="[^"]*"/local-memory="70000"/' graphs/mmul08.idg >"$TAP_TMP/g.idg"
written shown_graph unfit show "$TAP_TMP/g.idg" --gpu gtx960 --format json
written run plain $input/mix.idg --gpu $input/capable.xml --overheads on --measured 0.0025 --format json
written run ptx tests/corpus/saxpy.ptx --from ptx --gpu v100.xml --kernel saxpy --grid 4 --block 256 --arg 1 --arg 2 --arg ramp:4K \
    --arg zero:4K --registers none --format json
written run unsaid saxpy.idg --gpu rx6900xt --format json
written run guessed tests/corpus/saxpy.ptx --from ptx --gpu v100.xml --guess --format json
written run explained $explain/conflict.idg --gpu $explain/gpu.xml --advise --what-if local.issue=9 --format json
written launch_table several tests/corpus/saxpy.ptx --from ptx --gpu v100.xml --grid 4 --block 256 --arg 1 --arg 2 --arg ramp:4K \
    --arg zero:4K --registers none --count 3 --format json
sed 's/fma.rn.f32.*/txq.width.b32 %r1, [%rd6]; &/' tests/corpus/saxpy.ptx >"$TAP_TMP/partial.ptx"
written run partial "$TAP_TMP/partial.ptx" --partial --from ptx --gpu v100.xml --kernel saxpy --grid 4 --block 256 --arg 1 --arg 2 --arg ramp:4K \
    --arg zero:4K --registers none --format json
written run shaped tests/pairs/shape.ptx --from ptx --gpu v100.xml --kernel scale --grid 4000 --block 16 --arg ramp:256K --arg 2 --arg 64000 \
    --registers 32 --advise --format json
written run stepped $explain/registers.idg --gpu $explain/gpu.xml --advise --format json
# shellcheck disable=SC2046 # the launch is words
written run loops tests/pairs/unroll-columns.ptx $(sed -n 's/^launch: //p' tests/pairs/unroll-columns.pair) --advise --format json
written run refined $input/chain.idg --gpu $input/refined.xml --sensitivity --format json
written run levels $levels/table.idg --gpu $levels/gpu.xml --advise --sensitivity --format json
written run estimated mmul16.idg --gpu v100.xml --param size=8192 --format json
written run clamped $input/mix.idg --gpu $input/slow.xml --groups 64 --format json
written run cold $levels/stream.idg --gpu $levels/gpu.xml --cache warm --groups 4000 --format json
written run kinds $input/kinds.idg --gpu $input/toy.xml --format json
written run groups tests/ptx/rows-shared.ptx --from ptx --gpu v100.xml --grid 8000 --block 32 --arg first=random:32004:7:u32:2000 \
    --arg values=zero:8000 --arg sums=zero:32000 --registers none --format json
written run roles product-wgmma-two-consumers --gpu h100 --explain --format json
written run unknown $input/other.idg --gpu $input/toy.xml --explain --format json
written sweep sweep sweep $input/chain.idg --gpu $input/toy.xml --vary n=1..2 --what-if alu.issue=2 --format json
# Of code, also what cannot be.
tap_exit 'refused is written' 1 "$PIPESIM" sweep tests/corpus/saxpy.ptx --from ptx --gpu v100.xml --kernel saxpy --grid 4 --vary block=256,9999 \
    --arg 1 --arg 2 --arg ramp:4K --arg zero:4K --registers none --format json
cp "$TAP_OUT" "$TAP_TMP/refused.json"
documents="$documents sweep=$TAP_TMP/refused.json"
written comparison compare compare $input/chain.idg --gpu $input/toy.xml --what-if alu.issue=2 --versus --param n=9 --format json
# Two sets of kernels.
written gate same gate tests/gate/before.cubin tests/gate/before.cubin --format json
tap_exit 'a gate that fails' 1 "$PIPESIM" gate tests/gate/before.cubin tests/gate/after.cubin --gpu a100 --block 384 --format json
cp "$TAP_OUT" "$TAP_TMP/gate.json"
documents="$documents gate=$TAP_TMP/gate.json"
# A list of kernels, of which one is new, one slower, and one gone.
mkdir "$TAP_TMP/list"
printf 'gpus = ["v100"]\n[[kernel]]\nfile = "chain.idg"\n' >"$TAP_TMP/list/k.toml"
printf '[[kernel]]\nname = "new"\nfile = "chain.idg"\n' | cat "$TAP_TMP/list/k.toml" - >"$TAP_TMP/list/now.toml"
printf '[[kernel]]\nname = "gone"\nfile = "chain.idg"\n' | cat "$TAP_TMP/list/k.toml" - >"$TAP_TMP/list/was.toml"
sed 's/COUNT/10/; s/LINE"/3"/' tests/gate/chain.idg.in >"$TAP_TMP/list/chain.idg"
tap_ok 'a baseline' "$PIPESIM" check "$TAP_TMP/list/was.toml" --update
mv "$TAP_TMP/list/was.baseline.json" "$TAP_TMP/list/now.baseline.json"
sed 's/COUNT/20000/; s/LINE"/3"/' tests/gate/chain.idg.in >"$TAP_TMP/list/chain.idg"
tap_exit 'a check that fails' 1 "$PIPESIM" check "$TAP_TMP/list/now.toml" --format json
cp "$TAP_OUT" "$TAP_TMP/check.json"
documents="$documents check=$TAP_TMP/check.json"
# Against another folder, whose kernel has no bank conflicts.
mkdir "$TAP_TMP/was"
sed 's/class="fmadd"/class="local.load"/' "$TAP_TMP/list/chain.idg" >"$TAP_TMP/was/chain.idg"
sed 's/class="fmadd"/class="local.load.c4"/' "$TAP_TMP/list/chain.idg" >"$TAP_TMP/list/conflicts.idg"
mv "$TAP_TMP/list/conflicts.idg" "$TAP_TMP/list/chain.idg"
cp "$TAP_TMP/list/k.toml" "$TAP_TMP/was"
tap_exit 'a check with bank conflicts' 1 "$PIPESIM" check "$TAP_TMP/list/k.toml" --before "$TAP_TMP/was" --format json
cp "$TAP_OUT" "$TAP_TMP/conflicts.json"
documents="$documents check=$TAP_TMP/conflicts.json"
mkdir "$TAP_TMP/is"
sed 's/name="chain"/name="sums"/' "$TAP_TMP/was/chain.idg" >"$TAP_TMP/was/sums.idg"
sed 's/name="chain"/name="sums"/' "$TAP_TMP/list/chain.idg" >"$TAP_TMP/is/sums.idg"
cp tests/gate/spilled.cubin "$TAP_TMP/was"
cp tests/gate/spilled.cubin "$TAP_TMP/is"
printf 'gpus = ["v100"]\n[[kernel]]\nfile = "sums.idg"\n' >"$TAP_TMP/launches.toml"
tap_exit 'a gate with launches' 1 "$PIPESIM" gate "$TAP_TMP/was" "$TAP_TMP/is" --gpu v100 --launches "$TAP_TMP/launches.toml" \
    --format json
cp "$TAP_OUT" "$TAP_TMP/gate-launches.json"
documents="$documents gate=$TAP_TMP/gate-launches.json"
# Machine code, with what nvdisasm would print.
nvdisasm="--nvdisasm tests/stand-in/nvdisasm"
data=tests/corpus/data
mmul="--grid 2x2 --block 16x16 --arg @$data/mmul16-a.bin --arg @$data/mmul16-b.bin --arg zero:4096 --arg 32"
# shellcheck disable=SC2086 # the options are words
{
    written run listing tests/sass/mmul16-lines-80.cubin $nvdisasm $mmul --gpu a100.xml --listing --format json
    written comparison listings compare tests/sass/mmul16-lines-80.cubin tests/sass/mmul16-120.cubin $nvdisasm $mmul --gpu a100.xml \
        --listing --format json
}
written roofline_report graphs roofline mmul08.idg $input/other.idg --gpu pascal.xml --gpu v100.xml --format json
written roofline_report code roofline tests/corpus/saxpy.ptx --from ptx --gpu gtx660.xml --gpu v100.xml --kernel saxpy \
    --grid 4 --block 256 --arg 1 --arg 2 --arg ramp:4K --arg zero:4K --registers none --format json
written roofline_report launches roofline tests/profiles/ncu-raw.csv --gpu v100.xml --launches apart --format json
written roofline_report parameters roofline tests/profiles/gpuroofperf-example.json --gpu gtx660.xml --format json
written list list list --format json
written bench bench bench --backend model:v100.xml --quick --output "$TAP_TMP/v100.xml" --format json
mkdir "$TAP_TMP/bin"
ln -s "$PWD/tests/compiler/ptxas" "$TAP_TMP/bin/ptxas"
real_path=$PATH
PATH=$TAP_TMP/bin:$PATH
written schedule schedule bench --backend compiler:sm_90 --output "$TAP_TMP/sm_90.xml" --format json
PATH=$real_path
tap_ok 'a trace with skipped time' \
    "$PIPESIM" $input/chain.idg --gpu $input/toy.xml --param n=100000 --trace "$TAP_TMP/skips.trace"
tap_ok 'a trace with stages' \
    "$PIPESIM" product-wgmma-two-consumers --gpu h100 --trace "$TAP_TMP/stages.trace" --trace-window 20000..21000
tap_ok 'a trace with source lines' \
    "$PIPESIM" mmul08.idg --gpu pascal.xml --param size=64 --trace "$TAP_TMP/lines.trace" --trace-window 1000..1100
libraries=$(dirname "$PIPESIM")
tap_ok 'a program' "${CC:-cc}" -std=c11 -D_POSIX_C_SOURCE=200809L -I. -o "$TAP_TMP/program" tests/program/driver-api.c \
    -L"$libraries/libpipesim-driver" -lcuda -Wl,-rpath-link,"$libraries"
tap_ok '... and its launches' "$PIPESIM" program --gpu a100 --advise --format json --output "$TAP_TMP/program.json" \
    --trace "$TAP_TMP/program.trace" -- "$TAP_TMP/program"
tap_ok 'a program of cuBLAS' "${CC:-cc}" -std=c11 -o "$TAP_TMP/blas" tests/program/blas.c -L"$libraries/libpipesim-driver/blas" \
    -L"$libraries/libpipesim-driver" -lcublas -lcudart -lm -Wl,-rpath-link,"$libraries/libpipesim-driver:$libraries"
tap_ok '... and what stands in for it' "$PIPESIM" program --gpu a100 --stand-in blas --format json \
    --output "$TAP_TMP/blas.json" -- "$TAP_TMP/blas" vectors
tap_ok '... and two of it' "$PIPESIM" compare --program "$TAP_TMP/program run" --gpu a100 --gpu h100 --format json \
    --output "$TAP_TMP/programs.json"
documents="$documents program=$TAP_TMP/program.json program=$TAP_TMP/blas.json program_trace=$TAP_TMP/program.trace"
documents="$documents programs_compared=$TAP_TMP/programs.json"
# A recording with measured times: tests/device-recording.t has who stands in for a device.
compile_in() {
    "${CC:-cc}" -std=c11 -D_POSIX_C_SOURCE=200809L -I. -fPIC -fvisibility=hidden "$@" -ldl -lpthread
}
tap_ok 'a stand-in for CUPTI' compile_in -shared -Wl,-soname,libcupti.so.13 -o "$TAP_TMP/libcupti.so.13" tests/stand-in/cupti-library.c
tap_ok '... and what tells it' compile_in -shared -o "$TAP_TMP/shim.so" tests/stand-in/cupti-shim.c
tap_ok '... and a program' compile_in -o "$TAP_TMP/recorded" tests/program/recorded.c -L"$libraries/libpipesim-driver" -lcuda \
    -Wl,-rpath-link,"$libraries"
tap_ok '... which is recorded' env PIPESIM_CUPTI="$TAP_TMP/libcupti.so.13" PIPESIM_PROGRAM_GPU="$PWD/gpus/a100.xml" \
    LD_LIBRARY_PATH="$TAP_TMP:$libraries/libpipesim-driver" STANDIN_CUBIN=tests/program/recorded.cubin \
    "$PIPESIM" profile --metrics times -o "$TAP_TMP/profile.csv" --record "$TAP_TMP/run.pst" -- \
    env LD_PRELOAD="$TAP_TMP/shim.so" "$TAP_TMP/recorded" tests/program/recorded.ptx
written recording_validated measured validate "$TAP_TMP/run.pst" --gpu a100 --format json
documents="$documents trace=$TAP_TMP/skips.trace trace=$TAP_TMP/lines.trace trace=$TAP_TMP/stages.trace"

# shellcheck disable=SC2086 # the documents are words
tap_ok 'they are read' perl -Itests tests/schema.pl $documents
tap_is '... and are as the schema says, which says no more' "$(cat "$TAP_OUT")" ''

# ---- the page
tap_ok 'the page is made of the schema' docs/make/json.pl "$BUILD/tell/pipesim.schema.json"
cp "$TAP_OUT" "$TAP_TMP/json.md"
tap_is '... every key says what it is' "$(grep -c '^| `.*|  *|$' "$TAP_TMP/json.md")" 0
# shellcheck disable=SC2016 # the page's own quotes
tap_is '... and keys of every document are there' \
    "$(grep -c -e '^| `programs\[\].code\[\].trips` |' -e '^| `errors\[\].simulated.mean` |' "$TAP_TMP/json.md")" 2

# ---- the reader would see what is wrong
sed 's/"pipesim": /"extra": 1, &/' "$TAP_TMP/bench.json" >"$TAP_TMP/extra.json"
tap_like 'a key that the schema lacks is seen' '\$\.extra: is not in the schema' \
    "$(perl -Itests tests/schema.pl "bench=$TAP_TMP/extra.json")"
sed 's/"varies": /"extra": 1, &/; s/"type": "fp32"/"extra": 1, &/' "$TAP_TMP/levels.json" >"$TAP_TMP/extra.json"
tap_like '... and one deep in another' '\.sensitivity.*\.extra: is not in the schema' \
    "$(perl -Itests tests/schema.pl "run=$TAP_TMP/extra.json")"
tap_like '... and one beside those of another definition' '\.roofline\.extra: is not in the schema' \
    "$(perl -Itests tests/schema.pl "run=$TAP_TMP/extra.json")"
tap_like 'a key that nothing has is seen' 'no output has run\.varied' \
    "$(perl -Itests tests/schema.pl "run=$TAP_TMP/plain.json")"
tap_like 'another document is not taken for it' "has no 'kernels'" \
    "$(perl -Itests tests/schema.pl "roofline_report=$TAP_TMP/compare.json")"
tap_done

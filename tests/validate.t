#!/bin/sh
# SPDX-License-Identifier: BSD-3-Clause
# Runs: nightly
# The verb validate from end to end: on a model, whose latencies are known, on measurements of
# another campaign, and on the processor itself where an OpenCL driver for it is there.
. tests/tap.sh

program=$(cd "$(dirname "$PIPESIM")" && pwd)/$(basename "$PIPESIM")
work=$TAP_TMP/work
kernels=$TAP_TMP/kernels.raw.csv
mkdir "$work"

# pipesim ARGUMENT...: in a folder of its own, since files are made there.
pipesim() (
    cd "$work" && "$program" "$@"
)

# mean REPORT KERNEL: the simulator's mean error, in per cent.
mean() {
    awk -F ' *[|] *' -v kernel="$2" '$2 == kernel && NF > 10 { sub(/ %/, "", $4); print $4; exit }' "$work/$1"
}

# below TEXT LEAST MOST: the number is from LEAST to MOST.
within() {
    awk -v x="$1" -v least="$2" -v most="$3" 'BEGIN { exit !(x != "" && x + 0 >= least && x + 0 <= most) }'
}

# ---- a model that is what its description says
tap_ok 'a model is held against its own description' \
    pipesim validate pascal.xml --backend model:pascal.xml --grid reduced -o same.md --points same.csv
tap_is '... all errors are 0' "$(mean same.md 'all points')" '0.0'
tap_like '... it is said that a model is no GPU' 'say nothing of a GPU' "$(cat "$work/same.md")"
for kernel in mmul08 mmul16 mmul08-conflict stream-read volkov-16 saxpy transpose transpose-conflict reduction stencil; do
    tap_like "... $kernel is there" "^\| $kernel \| [0-9]" "$(cat "$work/same.md")"
done
tap_is '... the CSV has a row for each point' "$(($(wc -l <"$work/same.csv") - 1))" \
    "$(awk -F ' *[|] *' '$2 == "all points" { print $3 }' "$work/same.md")"
tap_ok '... raw data are kept beside the report' [ -s "$work/same.validate.raw.csv" ]
tap_ok '... and are read again' pipesim validate pascal.xml --from same.validate.raw.csv -o again.md
sed 1,3d "$work/same.md" >"$TAP_TMP/same"
sed 1,3d "$work/again.md" >"$TAP_TMP/again"
tap_ok '... with the same result' cmp "$TAP_TMP/same" "$TAP_TMP/again"

# ---- noise, and latencies that differ
tap_ok 'a model with noise' \
    pipesim validate v100.xml --backend model:v100.xml --grid reduced --noise 0.02 -o noise.md
tap_ok '... errors are of its size' within "$(mean noise.md 'all points')" -2 2
"$PIPESIM" show pascal.xml --xml | sed 's/\(class name="global[^"]*" .*issue="\)[0-9.]*/\116/' >"$work/slow.xml"
tap_ok 'a model with slower memory' \
    pipesim validate pascal.xml --backend model:slow.xml --grid reduced --classes saxpy -o slow.md
tap_is '... is no reason to doubt the description' "$(grep -c 'does not describe' "$TAP_ERR")" 0
tap_ok '... is simulated as too fast, by as much' within "$(mean slow.md saxpy)" -27 -20

tap_ok 'measurements of another device' pipesim validate gtx660.xml --from same.validate.raw.csv -o another.md
tap_like '... are no confirmation' "^pipesim: warning: 'GeForce GTX 660' does not describe the device that was measured: simulated times are off by [0-9]+ % in the mean, by [-+][0-9]+ % at worst$" \
    "$(cat "$TAP_ERR")"

# says_clock MHZ: what is said where the description states another clock than the one that was measured, 1506 MHz.
says_clock() {
    "$PIPESIM" show pascal.xml --xml | sed "s/ boost-clock=\"[0-9.]*\"//; s/ boost-source=\"[^\"]*\"//
        s/ load-clock=\"[0-9.]*\"/ load-clock=\"$1\"/" >"$work/clock.xml"
    pipesim validate clock.xml --from same.validate.raw.csv -o "clock$1.md" 2>"$TAP_ERR"
    grep -c 'these, 1506 MHz; the description states another one$' "$work/clock$1.md"
}
for mhz in 1300 1800; do
    tap_is "a description's clock of $mhz MHz is another one" "$(says_clock $mhz)" 1
done
for mhz in 1480 1530; do
    tap_is "... $mhz MHz is the same" "$(says_clock $mhz)" 0
done

# ---- refusals
tap_exit 'measurements that exist' 1 pipesim validate pascal.xml --backend model:pascal.xml -o same.md
tap_like '... are not overwritten' 'same\.validate\.raw\.csv: exists already' "$(cat "$TAP_ERR")"
tap_exit 'no file for measurements' 2 pipesim validate pascal.xml --backend model:pascal.xml
tap_exit 'no description' 2 pipesim validate -o x.md
tap_exit 'two descriptions' 2 pipesim validate pascal.xml v100.xml -o x.md
tap_exit 'a graph instead of one' 1 pipesim validate saxpy.idg -o x.md
tap_exit 'a kernel that is not there' 1 pipesim validate pascal.xml --backend model:pascal.xml --classes none -o x.md
tap_like '... what there is is told' 'mmul08' "$(cat "$TAP_ERR")"
tap_exit 'no such format' 2 pipesim validate pascal.xml --from same.validate.raw.csv --format markdown
tap_ok 'all points instead of a report' pipesim validate pascal.xml --from same.validate.raw.csv --format csv
tap_is '... are the same' "$(cat "$TAP_OUT")" "$(cat "$work/same.csv")"
tap_ok 'the report as JSON' pipesim validate pascal.xml --from same.validate.raw.csv --format json
cp "$TAP_OUT" "$work/same.json"
tap_ok '... is held against the schema' perl -Itests tests/schema.pl validated="$work/same.json"
tap_is '... and has all that the schema has' "$(cat "$TAP_OUT")" ''
tap_is '... and the errors of the report' "$(perl -MJSON::PP -e 'local $/; my ($all) = grep { !defined $_->{kernel} } @{ decode_json(<>)->{errors} };
    printf "%.1f", abs( 100 * $all->{simulated}{mean} )' "$work/same.json")" "$(mean same.md 'all points')"
tap_is 'nothing else was made' "$(find "$work" -name 'x.*')" ''

# ---- a description that lacks a class
"$PIPESIM" show pascal.xml --xml | grep -v 'class name="fadd"' >"$work/lacks.xml"
tap_ok 'a class that is missing' pipesim validate lacks.xml --from same.validate.raw.csv -o lacks.md
tap_like '... is said' 'reduction.*left out: .*fadd' "$(cat "$work/lacks.md")"
tap_like '... and the rest is there' '^\| mmul08 \|' "$(cat "$work/lacks.md")"
tap_exit 'one that serves no kernel' 1 pipesim validate lacks.xml --backend model:pascal.xml --classes 'volkov*' -o none.md
tap_like '... is an error' 'fadd' "$(cat "$TAP_ERR")"

# ---- kernels that did not compile, and launches that could not be made
grep -v '^run,\(saxpy\|mmul16\),' "$work/same.validate.raw.csv" >"$work/skip.raw.csv"
echo 'run,saxpy,whole,whole,1,1,0,0,0,0,0,0,0,0,0,,,,saxpy does not compile: no such thing,0,0,0,0' >>"$work/skip.raw.csv"
echo 'run,mmul16,whole,whole,1,1,0,64,256,2048,8,8,196608,128,0,,,,out of resources,0,0,0,0' >>"$work/skip.raw.csv"
tap_ok 'kernels that were skipped' pipesim validate pascal.xml --from skip.raw.csv -o skip.md
tap_like '... one that does not compile is named' 'saxpy is left out: saxpy does not compile: no such' "$(cat "$work/skip.md")"
tap_like '... and a launch that is impossible' 'mmul16: 1 launch is left out: out of resources' "$(cat "$work/skip.md")"
tap_like '... the others are there' '^\| mmul08 \|' "$(cat "$work/skip.md")"

# ---- another campaign's times; convert-campaign.t has what is in them
latency-bench/convert-campaign tests/measurements/kernels/measurements.csv >"$kernels" 2>"$TAP_ERR"
tap_ok 'times of another campaign' pipesim validate pascal.xml --from "$kernels" -o other.md --chart other.svg
tap_is '... another program of a graph has its name' "$(mean other.md mmul16/scalar)" -20.0
tap_like '... the chart is named' '\(other\.svg\)' "$(cat "$work/other.md")"
tap_ok '... and there' [ -s "$work/other.svg" ]
tap_is '... gnuplot had nothing to say' "$(grep -c gnuplot "$TAP_ERR")" 0
tap_ok 'a description of another GPU' pipesim validate v100.xml --from "$kernels"
tap_like '... is warned of' 'is it of another GPU' "$(cat "$TAP_ERR")"
sed 's/^device,warp_size,32$/device,warp_size,64/' "$work/same.validate.raw.csv" >"$work/waves.csv"
tap_ok 'one whose warps are wider' pipesim validate pascal.xml --from waves.csv -o waves.md
tap_like '... too' ' 10 compute units and warps of 64 threads, .* has 10 and 32: is it of another GPU' "$(cat "$TAP_ERR")"

# ---- micro-benchmarks, as in Table II; the description that follows says nothing of launches, so these cost nothing
sed 's/ overheads="on"//' gpus/v100.xml >"$work/launches.xml"
tap_ok 'a model is measured' pipesim bench --backend model:launches.xml --noise 0.02 --quick --classes 'f*' -o f.xml
tap_ok '... and its chains are simulated' pipesim validate f.xml --from f.raw.csv -o f.md
tap_ok '... as they were measured' within "$(mean f.md fmadd-ilp1)" -3 3
tap_exit 'kernels in place of a description' 1 pipesim validate same.validate.raw.csv --from same.validate.raw.csv

# ---- stopping and going on
head -n 60 "$work/same.validate.raw.csv" >"$work/part.raw.csv"
printf 'run,mmul' >>"$work/part.raw.csv"
tap_ok 'measurements that were cut off go on' \
    pipesim validate pascal.xml --backend model:pascal.xml --grid reduced --resume --raw part.raw.csv -o part.md
sed 1,3d "$work/part.md" >"$TAP_TMP/part"
tap_ok '... to the same report' cmp "$TAP_TMP/part" "$TAP_TMP/same"

# ---- outputs never replace measurements
cp "$work/same.validate.raw.csv" "$TAP_TMP/same.before"
ln "$work/same.validate.raw.csv" "$work/link.csv"
for option in '-o same.validate.raw.csv' '-o ./same.validate.raw.csv' '-o link.csv' '--points link.csv'; do
    # shellcheck disable=SC2086 # they are words
    tap_exit "$option" 2 pipesim validate pascal.xml --from same.validate.raw.csv $option
    tap_like '... is refused' 'csv. holds the measurements, and would be replaced; name another file' "$(cat "$TAP_ERR")"
done
tap_exit 'points in place of what will be measured' 2 \
    pipesim validate pascal.xml --backend model:pascal.xml --grid reduced -o new.md --points ./new.validate.raw.csv
tap_exit 'a description' 2 pipesim bench --from link.csv --force -o same.validate.raw.csv
tap_ok '... the measurements stay' cmp "$work/same.validate.raw.csv" "$TAP_TMP/same.before"

# ---- measurements of another kind
cp "$work/f.raw.csv" "$TAP_TMP/f.before"
tap_exit 'micro-benchmarks' 1 pipesim validate pascal.xml --backend model:launches.xml --grid reduced --resume --raw f.raw.csv -o x.md
tap_is '... are not continued with whole kernels' "$(cat "$TAP_ERR")" \
    'pipesim: f.raw.csv: holds micro-benchmarks, as bench measures them, and is not continued with whole kernels; measure into another file'
tap_ok '... and stay as they are' cmp "$work/f.raw.csv" "$TAP_TMP/f.before"
tap_exit 'whole kernels' 1 pipesim bench --backend model:pascal.xml --quick --resume --raw same.validate.raw.csv -o x.xml
tap_is '... are not continued with micro-benchmarks' "$(cat "$TAP_ERR")" \
    'pipesim: same.validate.raw.csv: holds whole kernels, as validate measures them, and is not continued with micro-benchmarks; measure into another file'
tap_ok '... and stay as they are' cmp "$work/same.validate.raw.csv" "$TAP_TMP/same.before"

# ---- the processor as an OpenCL device
why_not=$(tap_no_opencl)
if [ -z "$why_not" ]; then
    # What PoCL does not free is not ours.
    ASAN_OPTIONS=detect_leaks=0
    export ASAN_OPTIONS
    tap_ok 'whole kernels on the processor' pipesim validate pascal.xml --backend opencl --grid reduced -o cpu.md
    tap_like '... each is there' '^\| mmul08 \|' "$(cat "$work/cpu.md")"
    tap_is '... none was left out' "$(grep -Ec 'is left out|left out:' "$work/cpu.md")" 0
else
    tap_skip 'whole kernels on the processor' "$why_not"
fi
tap_done

#!/bin/sh
# SPDX-License-Identifier: BSD-3-Clause
# Runs: check
# latency-bench/campaign: on a model, and with stand-ins for what may be missing or fail.
. tests/tap.sh

program=$(cd "$(dirname "$PIPESIM")" && pwd)/$(basename "$PIPESIM")
campaign=$(pwd)/latency-bench/campaign
work=$TAP_TMP/work
mkdir "$work" "$TAP_TMP/bin"

# campaign ARGUMENT...: with the program under test, in a folder of its own.
campaign() (
    cd "$work" && PIPESIM=$program "$campaign" "$@"
)

# stand_in NAME: a program of that name on PATH, whose script is standard input.
stand_in() {
    { echo '#!/bin/sh' && cat; } >"$TAP_TMP/bin/$1"
    chmod +x "$TAP_TMP/bin/$1"
}

# with_stand_ins COMMAND...
with_stand_ins() (
    PATH=$TAP_TMP/bin:$PATH
    export PATH
    "$@"
)

# ---- from end to end
tap_ok 'a campaign on a model' campaign --backend model:v100.xml --grid reduced v100
tap_like '... the errors are told' '^\| saxpy \|' "$(cat "$TAP_OUT")"
for file in gpu.xml gpu.raw.csv bench.txt environment.txt report.md points.csv validation.raw.csv micro.md; do
    tap_ok "... $file is there" [ -s "$work/v100/$file" ]
done
tap_ok '... the description is read' "$PIPESIM" saxpy.idg --gpu "$work/v100/gpu.xml"
tap_exit 'a folder with a report' 1 campaign --backend model:v100.xml --grid reduced v100
tap_is '... stays as it is' "$(cat "$TAP_ERR")" \
    'campaign: v100/report.md exists already: choose another folder, or remove it'
rm "$work/v100/report.md"
tap_ok 'one without goes on' campaign --backend model:v100.xml --grid reduced v100
tap_like '... with the description that is there' 'gpu\.xml is there already' "$(cat "$TAP_OUT")"
tap_ok '... to its report' [ -s "$work/v100/report.md" ]

# ---- time is up
# The last runs are missing, and so is what would be made of them.
stand_in timeout <<'END'
limit=$1
shift
"$@" || exit
case $* in *--grid*) ;; *) exit 0 ;; esac
while [ "$1" != -o ]; do shift; done
rm -f "$2"
while [ "$1" != --raw ]; do shift; done
head -n "$(($(wc -l <"$2") - 9))" "$2" >"$2.half" && mv "$2.half" "$2"
exit 124
END
tap_ok 'what was measured in time will do' \
    with_stand_ins campaign --backend model:v100.xml --grid reduced late
tap_like '... it is said' 'stopped after its 180 s' "$(cat "$TAP_ERR")"
tap_is '... and that it goes on' "$(tail -n 1 "$TAP_ERR")" \
    'campaign: time was up before all was measured; the same command goes on'
tap_ok '... the description is there' [ -s "$work/late/gpu.xml" ]
tap_ok '... and the report' [ -s "$work/late/report.md" ]
rm "$TAP_TMP/bin/timeout"
tap_ok '... and the same command does' campaign --backend model:v100.xml --grid reduced late
# same FILE: the runs are those of the campaign that nothing ended.
same() {
    [ "$(grep '^run' "$work/late/$1")" = "$(grep '^run' "$work/v100/$1")" ]
}
tap_ok '... to all runs of the micro-benchmarks' same gpu.raw.csv
tap_ok '... and of the kernels' same validation.raw.csv
tap_exit '... and then it is done' 1 campaign --backend model:v100.xml --grid reduced late
tap_is '... with nothing left' "$(cat "$TAP_ERR")" \
    'campaign: late/report.md exists already: choose another folder, or remove it'

# ---- somebody ends it, as Ctrl-C or the end of a terminal does: a signal to all of its processes
(cd "$work" && PIPESIM=$program exec perl -e 'setpgrp; exec @ARGV' "$campaign" --backend model:v100.xml ended) >"$TAP_OUT" 2>"$TAP_ERR" &
child=$!
while kill -0 "$child" 2>/dev/null && ! grep -q '^run' "$work/ended/gpu.raw.csv" 2>/dev/null; do :; done
kill -TERM "-$child"
wait "$child" 2>/dev/null
rows=0
for _ in 1 2 3 4 5 6 7 8 9 10; do # on a busy machine it may take a while
    before=$rows rows=$(wc -l <"$work/ended/gpu.raw.csv")
    [ "$rows" -ne "$before" ] || break
    sleep 0.5
done
tap_ok 'a signal to the group ends what measures, too' [ "$rows" -lt "$(wc -l <"$work/v100/gpu.raw.csv")" ]
tap_ok '... and what was measured stays' [ "$rows" -gt 0 ]
tap_ok '... which the folder says to be a part' [ -s "$work/ended/unfinished" ]

# ---- what fails
if "$PIPESIM" bench --backend cuda --classes none -o - --raw "$work/none.csv" 2>&1 | grep -q 'no benchmark has such a name'; then
    tap_skip 'without a GPU' 'CUDA is here'
else
    tap_exit 'without a GPU' 1 campaign none
    tap_like '... the libraries are named' '^campaign: no GPU here: CUDA \(libcuda\.so.* HIP \(libamdhip64' "$(cat "$TAP_ERR")"
    tap_is '... in one line' "$(wc -l <"$TAP_ERR")" 1
    tap_is '... and nothing is left behind' "$(find "$work" -name 'none*')" ''
fi
tap_exit 'a device that is not there' 1 campaign --backend model:nothing.xml --grid reduced none
tap_is '... leaves nothing behind' "$(find "$work" -name 'none*')" ''

# A device that vanishes in mid-run.
stand_in vanishing <<'END'
[ "$1" = bench ] || exit 0
while [ $# -gt 1 ]; do
    [ "$1" != --raw ] || raw=$2
    shift
done
echo record >"$raw"
echo "pipesim: fadd-ilp1: cuEventSynchronize: CUDA_ERROR_DEVICE_UNAVAILABLE (46)" >&2
exit 1
END
tap_exit 'a device that vanishes' 1 env PIPESIM="$TAP_TMP/bin/vanishing" "$campaign" --backend cuda "$work/gone"
tap_like '... the driver is quoted' 'CUDA_ERROR_DEVICE_UNAVAILABLE' "$(cat "$TAP_ERR")"
tap_ok '... what was measured is kept' [ -s "$work/gone/gpu.raw.csv" ]

# Kernels that cannot be run: the description stays.
stand_in half <<END
[ "\$1" != validate ] || { echo "pipesim: not one kernel can be compiled" >&2; exit 1; }
exec "$program" "\$@"
END
tap_exit 'kernels that cannot be run' 1 env PIPESIM="$TAP_TMP/bin/half" "$campaign" --backend model:pascal.xml --grid reduced "$work/half"
tap_like '... the description is named' 'gpu\.xml; there is no report' "$(cat "$TAP_ERR")"
tap_ok '... and there' [ -s "$work/half/gpu.xml" ]

# Nothing to build with, and nothing that is built.
mkdir -p "$TAP_TMP/bare/latency-bench" "$TAP_TMP/few"
cp "$campaign" "$TAP_TMP/bare/latency-bench/"
for tool in sh date dirname sed cat; do
    ln -s "$(command -v "$tool")" "$TAP_TMP/few/$tool"
done
tap_exit 'without a compiler' 1 env -u PIPESIM PATH="$TAP_TMP/few" "$TAP_TMP/bare/latency-bench/campaign" "$work/bare"
tap_like '... what is missing is named' '^campaign: pipesim is not built, and to build it these are missing: make cc pkg-config' "$(cat "$TAP_ERR")"
tap_is '... in one line' "$(wc -l <"$TAP_ERR")" 1
tap_exit 'a program that is not there' 1 env PIPESIM=/nowhere/pipesim "$campaign" "$work/bare"
tap_is '... nothing is left behind' "$(find "$work" -name 'bare*')" ''

# ---- usage
tap_ok 'help' "$campaign" --help
tap_like '... says how to call it' '^Usage: .*latency-bench/campaign \[OPTION' "$(cat "$TAP_OUT")"
for wrong in '--what' '--grid huge' '--grid' 'one two'; do
    # shellcheck disable=SC2086 # they are words
    tap_exit "wrong usage: $wrong" 2 campaign $wrong
done
tap_done

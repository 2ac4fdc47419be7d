#!/bin/sh
# SPDX-License-Identifier: BSD-3-Clause
# Runs: nightly nightly-sanitize
# Sweeps over code: each value is compiled, built and executed, in the order of the lists whatever the number of jobs;
# what cannot be is a row; the best are those of the whole sweep.
. tests/tap.sh

corpus=$PWD/tests/corpus
source=$TAP_TMP/mmul.cu
# What no source names is no macro of it.
{ cat "$corpus/mmul.cu" && echo '// T is the type of elements.'; } >"$source"

# A compiler for two tiles.
mkdir "$TAP_TMP/bin"
cat >"$TAP_TMP/bin/nvcc" <<END
#!/bin/sh
case \$1 in --list-gpu-arch) echo compute_75; exit;; esac
for word; do
    [ "\$before" = -o ] && out=\$word
    case \$word in -MD,-MF,*) rule=\${word#-MD,-MF,};; esac
    case \$word in -DTILE=*) tile=\${word#*=};; esac
    before=\$word
done
echo "\$tile" >>$TAP_TMP/calls
case \$tile in
    8) ptx=mmul08;;
    16) ptx=mmul16;;
    *) echo "\$0: to work" >&2; echo "mmul.cu(9): error: no tile of '\$tile'" >&2; exit 2;;
esac
cp $corpus/\$ptx.ptx "\$out"
[ -z "\$rule" ] || echo "\$out : $source" >"\$rule"
END
chmod +x "$TAP_TMP/bin/nvcc"
PATH=$TAP_TMP/bin:$PATH
: >"$TAP_TMP/calls"
launch='--grid (size/TILE)x(size/TILE) --block (TILE)x(TILE) --arg size=64 --arg a=zero:4*size*size
    --arg b=zero:4*size*size --arg c=zero:4*size*size --registers 32'

# sweep NAME STATUS OPTION...
sweep() {
    sweep_name=$1
    sweep_status=$2
    shift 2
    # shellcheck disable=SC2086 # launches are words
    tap_exit "$sweep_name" "$sweep_status" "$PIPESIM" sweep "$source" --gpu pascal.xml $launch "$@"
}

sweep 'macros and arguments' 1 --vary size=64,96 --vary TILE=8,16,5 --format csv
cp "$TAP_OUT" "$TAP_TMP/first"
tap_is '... are in the order of the lists' "$(tail -n +2 "$TAP_TMP/first" | cut -d, -f3,4 | tr '\n' ' ')" '64,8 64,16 64,5 96,8 96,16 96,5 '
tap_is '... and what does not compile says so' "$(grep -c ",5,,,,,,,,,,,,,,,mmul.cu(9): error: no tile of '5'," "$TAP_TMP/first")" 2
tap_is '... and nothing else does' "$(grep -c ',false,0.0,,' "$TAP_TMP/first")" 4
tap_is '... and nothing on standard error but notes' "$(grep -v 'no sm_61\|assumed' "$TAP_ERR")" ''
# Each row is what a run of its own says.
for size in 64 96; do
    for tile in 8 16; do
        # shellcheck disable=SC2046 # as above
        tap_ok "a run of tile $tile, size $size" "$PIPESIM" "$source" --gpu pascal.xml \
            $(echo "$launch" | sed "s/TILE/$tile/g; s/size=64/size=$size/") --compiler-options "-DTILE=$tile" --format csv --no-cache
        tap_is '... is its row' "$(sed -n "s/^\([^,]*,[^,]*\),$size,$tile,/\1,/p" "$TAP_TMP/first" | cut -d, -f1-16)" "$(tail -n 1 "$TAP_OUT")"
    done
done
: >"$TAP_TMP/calls"
for jobs in 1 7; do
    sweep "with $jobs jobs" 1 --vary size=64,96 --vary TILE=8,16,5 --format csv --jobs $jobs
    tap_is '... it is the same' "$(cat "$TAP_OUT")" "$(cat "$TAP_TMP/first")"
done
tap_is '... and only what failed is tried again' "$(sort -u "$TAP_TMP/calls")" 5
sweep 'without a cache' 1 --vary size=64,96 --vary TILE=8,16,5 --format csv --no-cache
tap_is '... it is the same' "$(cat "$TAP_OUT")" "$(cat "$TAP_TMP/first")"
sweep 'as a table' 1 --vary TILE=5,8
tap_like '... it has a row for what fails' "^ +5  mmul.cu\(9\): error: no tile of '5'" "$(cat "$TAP_OUT")"
tap_is '... below the header' "$(sed -n 2p "$TAP_OUT" | cut -c1-13)" ' TILE  active'
# shellcheck disable=SC2046 # as above
tap_ok 'an argument alone' "$PIPESIM" sweep "$source" --gpu pascal.xml $(echo "$launch" | sed s/TILE/8/g) --compiler-options -DTILE=8 \
    --vary size=64 --format json
tap_like '... is a number' '"varied": \{"size": 64\}' "$(cat "$TAP_OUT")"
if command -v gnuplot >/dev/null; then
    sweep 'as a chart' 1 --vary TILE=5,8,16 --vary T=float,double --chart "$TAP_TMP/tiles.svg"
    tap_is '... over numbers, with a curve for each word' "$(sed -nE 's/.*<text>(mmul on.*|TILE|T=[a-z]*)<.*/\1/p' "$TAP_TMP/tiles.svg" | sort | tr '\n' ';')" \
        'T=double;T=float;TILE;mmul on GeForce GTX 1060 6GB;'
else
    tap_skip 'as a chart' 'gnuplot is not installed'
fi
block=$(echo "$launch" | sed 's/--block [^ ]*//; s/--grid [^ ]*//')
for format in csv json text; do
    # shellcheck disable=SC2086 # as above
    tap_exit "blocks, $format" 1 "$PIPESIM" sweep "$corpus/mmul16.ptx" --gpu pascal.xml $block --from ptx \
        --vary block=16x16,64x64 --vary grid=4x4 --format $format
    cp "$TAP_OUT" "$TAP_TMP/block.$format"
done
tap_like '... are words' ',16x16,4x4,' "$(cat "$TAP_TMP/block.csv")"
tap_like '... of JSON, too' '"varied": \{"block": "64x64", "grid": "4x4"\},' "$(cat "$TAP_TMP/block.json")"
tap_like '... and what cannot be launched says so' '^64x64 .*4096 threads, and 1024 are the most' "$(cat "$TAP_TMP/block.text")"

# ---- what cannot be launched whatever the code
: >"$TAP_TMP/calls"
sweep 'too many threads' 1 --vary TILE=64,33 --format csv
tap_is '... are said of each' "$(grep -c ',"a group of [0-9]*x[0-9]*x1 is [0-9]* threads, and 1024 are the most",' "$TAP_OUT")" 2
tap_is '... without a compiler' "$(cat "$TAP_TMP/calls")" ''
tap_exit 'no groups' 2 "$PIPESIM" sweep "$source" --gpu pascal.xml --compiler-options -DTILE=8 --vary block=16x16,8x8 --arg size=64
tap_like '... are said once, with all else that is missing' '^pipesim: kernel .* lacks values for .*, and --grid; .*pipesim sweep .*--vary=block=16x16,8x8 --grid GROUPS --arg' "$(cat "$TAP_ERR")"
tap_is '... in one line' "$(wc -l <"$TAP_ERR")" 1

# ---- what makes no sense
refused() {
    refused_text=$1
    shift
    sweep "$1" 2 "$@"
    tap_like '... is said' "$refused_text" "$(cat "$TAP_ERR")"
}
refused '^pipesim: --vary TYLE: that is a macro .-DTYLE=[.]*., which neither .* nor the launch names' --vary TYLE=8,16
# parameter NAME EXIT DECLARATION: a source with that kernel, whose NAME is varied and has no --arg.
parameter() {
    echo "$3 { for (int i = 0; i < TILE; i++) b[i] = n; }" >"$TAP_TMP/own.cu"
    : >"$TAP_TMP/calls"
    tap_exit "$3: $1" "$2" "$PIPESIM" sweep "$TAP_TMP/own.cu" --gpu pascal.xml --grid 8 --block 8 --registers 32 \
        --vary "$1=8,16"
    case $1 in
        [nb]) tap_like '... is said' "^pipesim: --vary $1: that is a parameter of a kernel in .*: write --arg $1=$1, too\$" \
            "$(cat "$TAP_ERR")" && tap_is '... without a compiler' "$(cat "$TAP_TMP/calls")" '' ;;
        *) tap_ok '... is left to the compiler' test -s "$TAP_TMP/calls" ;;
    esac
}
parameter n 2 '__global__ void own(float *b, int n)'
parameter n 2 'extern "C" __global__ void __launch_bounds__(2 * TILE) own(int n, float *b)'
parameter b 2 '__global__ void own(const float *__restrict__ a, float *b, int n)'
parameter TILE 2 '__global__ void __launch_bounds__(2 * TILE) own(float *b, int n)'
# shellcheck disable=SC2046 # as above
tap_ok 'a macro that a header of another folder may name is taken' "$PIPESIM" sweep "$source" --gpu pascal.xml \
    $(echo "$launch" | sed s/TILE/8/g) --compiler-options '-DTILE=8 -Ielsewhere' --vary TYLE=8,16
refused '^pipesim: --resume does not go with a --vary of code: run it again' --vary TILE=8 --resume "$TAP_TMP/new.csv"
refused '^pipesim: --shard does not go with a --vary of code: give each machine values' --vary TILE=8 --shard 1/2
refused '^pipesim: --chart: its horizontal axis is of numbers' --vary T=float,double --chart "$TAP_TMP/words.svg"
refused '^pipesim: --vary active=1..max: what max is shows only when the code is built' --vary TILE=8 --vary active=1..max
refused '^pipesim: --vary grid: it is set by an option of its own already' --vary grid=1,2
refused '^pipesim: --vary TILE=8,: a value is missing' --vary TILE=8,
refused '^pipesim: --best chooses among all points' --vary active=1 --best 2 --shard 1/2
# shellcheck disable=SC2086 # as above
tap_exit 'graphs among code' 2 "$PIPESIM" sweep "$source" mmul08.idg --gpu pascal.xml $launch --vary TILE=8
tap_like '... is said' '^pipesim: mmul08.idg: lists of code' "$(cat "$TAP_ERR")"

# ---- the best
# best NAME N JOBS COMMAND...: the rows of the command's N best, by time, then by order.
best() {
    best_name=$1
    best_n=$2
    shift 2
    tap_exit "$best_name, whole" "$best_status" "$PIPESIM" sweep "$@" --format csv
    awk -F, 'NR == 1 { for (i = 1; i <= NF; i++) at[$i] = i; next } $at["result_seconds"] != "" { print $at["result_seconds"], NR, $0 }' "$TAP_OUT" |
        sort -g -k1,1 -k2,2n | head -n "$best_n" | cut -d' ' -f3- >"$TAP_TMP/wanted"
    for jobs in 1 4; do
        tap_exit "$best_name" "$best_status" "$PIPESIM" sweep "$@" --format csv --best "$best_n" --jobs $jobs
        tap_is "... are those of the whole sweep" "$(tail -n +2 "$TAP_OUT" | sed 's/,[^,]*$//')" "$(sed 's/,[^,]*$//' "$TAP_TMP/wanted")"
        grep '^pipesim: the best' "$TAP_ERR" >"$TAP_TMP/said.$jobs"
    done
    tap_is '... and as many are left out with several jobs' "$(cat "$TAP_TMP/said.1")" "$(cat "$TAP_TMP/said.4")"
}
best_status=0
best 'the best of graphs' 5 mmul08.idg mmul16.idg transpose.idg --gpu pascal.xml --gpu v100.xml --vary groups=40,80,500,2000 --vary active=1..4
tap_like '... do without many' 'the best 5 of 96 points: [0-9]+ were simulated, [1-9][0-9]+ were not, since a bound proves that they are worse$' "$(cat "$TAP_TMP/said.1")"
best 'all of them' 1000 mmul08.idg --gpu pascal.xml --vary active=1..4
tap_like '... are simulated' 'the best 4 of 4 points: all were simulated' "$(cat "$TAP_TMP/said.1")"
best_status=1
# shellcheck disable=SC2086 # as above
best 'the best of code' 3 "$source" --gpu pascal.xml $launch --vary TILE=16,8,5 --vary size=32,64,256,512
tap_like '... do without some' 'the best 3 of 12 points: [0-9]+ were simulated, [1-9]+ were not, since a bound proves that they are worse, 4 cannot be: 4 since mmul\.cu\(9\): error: no tile of .5.$' "$(cat "$TAP_TMP/said.1")"
tap_exit 'the best within a budget' 2 "$PIPESIM" sweep mmul16.idg --gpu v100.xml --vary active=1..4 --best 2 --budget 9
tap_like '... are not to be had' '--best needs all points, and --budget may leave some out' "$(cat "$TAP_ERR")"

tap_done

#!/bin/sh
# SPDX-License-Identifier: BSD-3-Clause
# Machine code as input: a stand-in for nvdisasm prints what is stored beside cubins in tests/sass. Where ptxas and
# nvdisasm are installed, PTX goes through them, too.
. tests/tap.sh

TMPDIR=$TAP_TMP/passing
export TMPDIR
mkdir "$TMPDIR" "$TAP_TMP/none"
unset PIPESIM_PATH
out=$TAP_TMP/out.idg

# stand_in NAME TEXT: a program that is nvdisasm.
stand_in() {
    printf '#!/bin/sh\n%s\n' "$2" >"$TAP_TMP/$1"
    chmod +x "$TAP_TMP/$1"
}

# prints NAME FILE: one that prints this.
prints() {
    stand_in "$1" "cat '$2'"
}

# refused NAME STATUS MESSAGE ARGUMENT...: one line says what is wrong, and nothing is left.
refused() {
    refused_name=$1 refused_status=$2 refused_like=$3
    shift 3
    rm -f "$out"
    tap_exit "$refused_name" "$refused_status" "$PIPESIM" "$@"
    tap_like '... is said' "$refused_like" "$(cat "$TAP_ERR")"
    tap_is '... in one line' "$(wc -l <"$TAP_ERR")" 1
    tap_is '... and nothing is left' "$(cat "$TAP_OUT"; ls "$TMPDIR" "$out" 2>/dev/null)" "$TMPDIR:"
}

# Options of launches of tests/corpus, with parameters by number.
data=tests/corpus/data
saxpy="--grid 5 --block 256 --arg 0=1200 --arg 1=2.3 --arg 2=@$data/saxpy-x.bin --arg 3=@$data/saxpy-y.bin"
mmul="--grid 2x2 --block 16x16 --arg @$data/mmul16-a.bin --arg @$data/mmul16-b.bin --arg zero:4096 --arg 32"
mmul_named="--grid 2x2 --block 16x16 --arg a=@$data/mmul16-a.bin --arg b=@$data/mmul16-b.bin --arg c=zero:4096 --arg size=32"

# shellcheck disable=SC2086 # the options are words
{
# ---- a cubin
for arch in 80 120; do
    prints "mmul-$arch" "$PWD/tests/sass/mmul16-$arch.json"
    tap_ok "a cubin for sm_$arch is built" "$PIPESIM" build tests/sass/mmul16-$arch.cubin --nvdisasm "$TAP_TMP/mmul-$arch" \
        $mmul --sample all --dump 2="$TAP_TMP/c-$arch" --gpu a100.xml -o "$out"
    tap_is '... without a word' "$(cat "$TAP_ERR")" ''
    tap_like '... and says of what' "Built from the machine code of the kernel mmul of mmul16-$arch.cubin .sm_$arch, as nvdisasm V[0-9.]* lists it." "$(cat "$out")"
    tap_like '... with the memory that PTX states' 'local-memory="2048"' "$(cat "$out")"
    tap_like '... the registers of the cubin' 'registers="3[27]"' "$(cat "$out")"
    tap_is '... 16 products in the loop' "$(grep -c 'class="fmadd"' "$out")" 16
    tap_is '... and no operations of moves' "$(grep 'class="hfma"' "$out" | grep -c 'ops=')" 0
done
tap_ok 'PTX computes the same' "$PIPESIM" build tests/corpus/mmul16.ptx $mmul_named --registers none --sample all --dump c="$TAP_TMP/c-ptx" -o "$out"
tap_is '... bit by bit' "$(cmp "$TAP_TMP/c-ptx" "$TAP_TMP/c-80" 2>&1; cmp "$TAP_TMP/c-ptx" "$TAP_TMP/c-120" 2>&1)" ''

prints saxpy "$PWD/tests/sass/saxpy-80.json"
cubin="tests/sass/saxpy-80.cubin --nvdisasm $TAP_TMP/saxpy"
tap_ok 'a cubin can be run at once' "$PIPESIM" $cubin $saxpy --gpu a100.xml
tap_ok 'rules do not apply to it' "$PIPESIM" build $cubin $saxpy --no-moves --no-schedule -o "$TAP_TMP/rules.idg"
tap_ok '...' "$PIPESIM" build $cubin $saxpy -o "$out"
tap_is '... and change nothing' "$(cmp "$out" "$TAP_TMP/rules.idg" 2>&1)" ''
tap_ok 'its registers may be given' "$PIPESIM" build $cubin $saxpy --registers 99 -o "$out"
tap_like '...' 'registers="99"' "$(cat "$out")"
tap_ok 'a list needs no nvdisasm' env PATH="$TAP_TMP/none" "$PIPESIM" build --list tests/sass/saxpy-80.cubin
tap_is '... and has the parameters' "$(tr -s ' ' <"$TAP_OUT")" "$(printf 'saxpy\n param_0 0 .b32\n param_1 1 .b32\n param_2 2 .b64\n param_3 3 .b64')"
cp tests/sass/saxpy-80.cubin "$TAP_TMP/-strange name.ptx"
tap_ok 'what it is is told by its bytes' "$PIPESIM" build --nvdisasm "$TAP_TMP/saxpy" $saxpy -o "$out" "$TAP_TMP/-strange name.ptx"
tap_is 'nothing is left behind' "$(ls "$TMPDIR")" ''

# In a group of half a warp the code goes straight through its 57 instructions; the last load is for no lane (as many load
# as there are warps in the group, rounded down), but issues as all do.
prints reduction "$PWD/tests/sass/reduction-80.json"
tap_ok 'a group of half a warp is built' "$PIPESIM" build tests/sass/reduction-80.cubin --nvdisasm "$TAP_TMP/reduction" \
    --grid 1 --block 16 --arg 0=16 --arg 1=zero:64 --arg 2=zero:4 -o "$out"
tap_is '... each instruction is a node' "$(grep -c '<node' "$out")" 57
tap_is '... a load for no lane loads nothing' "$(grep -c 'class="local.load' "$out")" 0

# The compiler's stall counts say when results are there, whatever a description states.
"$PIPESIM" show a100.xml --xml | sed '/<class name="fmadd"/s/completion="[^"]*"/completion="23"/' >"$TAP_TMP/late.xml"
prints mmul "$PWD/tests/sass/mmul16-80.json"
for verb in build run; do
    tap_ok "a description with a wrong latency is noticed ($verb)" "$PIPESIM" $verb tests/sass/mmul16-80.cubin --nvdisasm "$TAP_TMP/mmul" \
        $mmul --gpu "$TAP_TMP/late.xml" -o "$out"
    tap_is '... and said' "$(cat "$TAP_ERR")" 'pipesim: warning: the stall counts of the code and the latencies of A100 SXM4 40GB disagree: fmadd is read after 4 cycles (0x2d0, 0x2f0), not 23'
done

# ---- what is wrong with nvdisasm
saxpy80="build tests/sass/saxpy-80.cubin $saxpy -o $out"
if [ ! -x /usr/local/cuda/bin/nvdisasm ]; then
    PATH_before=$PATH
    PATH=$TAP_TMP/none:/usr/bin:/bin
    if command -v nvdisasm >/dev/null; then
        tap_skip 'no nvdisasm' 'it is installed'
    else
        refused 'no nvdisasm' 1 'saxpy-80.cubin: machine code needs nvdisasm, which was looked for on PATH and in .*pip install nvidia-cuda-nvdisasm' $saxpy80
    fi
    PATH=$PATH_before
fi
refused 'one that is not there' 1 '^pipesim: --nvdisasm: there is no program "nosuch"$' $saxpy80 --nvdisasm nosuch
refused 'an empty name' 2 '--nvdisasm' $saxpy80 --nvdisasm ''
stand_in failing 'echo "nvdisasm fatal   : no such thing" >&2; echo more >&2; exit 1'
refused 'one that fails' 1 'saxpy-80.cubin: nvdisasm fails: nvdisasm fatal   : no such thing$' $saxpy80 --nvdisasm "$TAP_TMP/failing"
stand_in silent 'exit 3'
refused 'one that fails without a word' 1 'nvdisasm fails: Child process exited with code 3' $saxpy80 --nvdisasm "$TAP_TMP/silent"
stand_in text 'echo "        /*0000*/ MOV R1, c[0x0][0x28] ;"'
refused 'one that knows no JSON' 1 'the listing of nvdisasm is no JSON' $saxpy80 --nvdisasm "$TAP_TMP/text"
stand_in nothing ':'
refused 'one that prints nothing' 1 'the listing of nvdisasm is no JSON' $saxpy80 --nvdisasm "$TAP_TMP/nothing"
stand_in other 'echo "{\"SchemaVersion\": 99, \"functions\": {}}"'
refused 'one with another schema' 1 'the listing of nvdisasm of an unknown version has no instructions of the kernel "saxpy"' $saxpy80 --nvdisasm "$TAP_TMP/other"
head -c 900 tests/sass/saxpy-80.json >"$TAP_TMP/cut.json"
prints cut "$TAP_TMP/cut.json"
refused 'a listing that is cut off' 1 'the listing of nvdisasm is no JSON' $saxpy80 --nvdisasm "$TAP_TMP/cut"
sed 's/{"opcode":"STG[^}]*},//' tests/sass/saxpy-80.json >"$TAP_TMP/short.json"
prints short "$TAP_TMP/short.json"
refused 'one that is too short' 1 "the listing of nvdisasm V[0-9.]* and the kernel's code differ in length" $saxpy80 --nvdisasm "$TAP_TMP/short"
prints other-kernel "$PWD/tests/sass/mmul16-80.json"
refused 'that of another kernel' 1 'has no instructions of the kernel "saxpy"' $saxpy80 --nvdisasm "$TAP_TMP/other-kernel"
sed 's/"opcode":"FFMA"/"opcode":"NOSUCH"/' tests/sass/saxpy-80.json >"$TAP_TMP/unknown.json"
prints unknown "$TAP_TMP/unknown.json"
tap_ok 'what nobody knows is skipped' "$PIPESIM" build tests/sass/saxpy-80.cubin --nvdisasm "$TAP_TMP/unknown" $saxpy -o "$out"
tap_like '... which a warning says' '^pipesim: warning: NOSUCH .* is not known and was skipped$' "$(cat "$TAP_ERR")"

# ---- what is wrong with the file
head -c 2000 tests/sass/saxpy-80.cubin >"$TAP_TMP/cut.cubin"
refused 'a cubin that is cut off' 1 'cut.cubin: ' build "$TAP_TMP/cut.cubin" $saxpy -o "$out" --nvdisasm "$TAP_TMP/saxpy"
{ head -c 49 tests/sass/saxpy-80.cubin; printf '\106'; tail -c +51 tests/sass/saxpy-80.cubin; } >"$TAP_TMP/old.cubin"
refused 'one for an old architecture' 1 'old.cubin: machine code for sm_70, and instructions of sm_75 to' build "$TAP_TMP/old.cubin" $saxpy -o "$out"
refused 'a kernel that is not there' 1 'saxpy' $saxpy80 --kernel nosuch
refused 'an argument too many' 2 '--arg' $saxpy80 --arg 1
refused 'a word that --from does not know' 2 "--from: there is no code 'c'; it is ptx or sass" $saxpy80 --from c

# ---- PTX through ptxas
ptxas=$(command -v ptxas || ls /usr/local/cuda/bin/ptxas 2>/dev/null)
nvdisasm=$(command -v nvdisasm || ls /usr/local/cuda/bin/nvdisasm 2>/dev/null)
if [ -z "$ptxas" ]; then
    refused 'PTX without ptxas' 1 'there is no ptxas, which was looked for on PATH' build tests/corpus/mmul16.ptx $mmul_named --from sass -o "$out"
elif [ -z "$nvdisasm" ]; then
    tap_skip 'PTX through ptxas' 'nvdisasm is not installed'
else
    for arch in 75 80 86 89 90 100 120; do
        tap_ok "PTX as machine code for sm_$arch" "$PIPESIM" build tests/corpus/mmul16.ptx $mmul_named --from sass --arch sm_$arch --sample all --dump c="$TAP_TMP/c-$arch" -o "$out"
        tap_is '... computes the same' "$(cat "$TAP_ERR"; cmp "$TAP_TMP/c-ptx" "$TAP_TMP/c-$arch" 2>&1)" ''
    done
    tap_ok "a GPU's architecture is compiled for" "$PIPESIM" build tests/corpus/mmul16.ptx $mmul_named --from sass --gpu h100.xml -o "$out"
    tap_like '...' 'sm_90, as nvdisasm' "$(cat "$out")"
    cat >"$TAP_TMP/variables.cu" <<'CU'
__constant__ float factors[8];
__device__ int offset = 3;
extern "C" __global__ void scale(float *x) { x[threadIdx.x] = factors[threadIdx.x & 7] + (float)offset; }
CU
    if command -v nvcc >/dev/null || [ -x /usr/local/cuda/bin/nvcc ]; then
        tap_ok 'variables hold what they are given' "$PIPESIM" build "$TAP_TMP/variables.cu" --from sass --gpu a100.xml --grid 1 --block 8 \
            --arg x=zero:32 --arg factors=ramp:32 --dump x="$TAP_TMP/x" -o "$out"
        tap_is '...' "$(od -An -v -tf4 "$TAP_TMP/x" | tr -s ' \n' ' ')" ' 3 4 5 6 7 8 9 10 '
    fi
fi
}
tap_done

#!/bin/sh
# SPDX-License-Identifier: BSD-3-Clause
# Runs: nightly nightly-sanitize
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

# on_stage COMMAND...: with tools of a stage, and those of the machine out of reach.
tools=$TAP_TMP/tools
mkdir -p "$tools" "$TAP_TMP/cuda/bin"
ln -s "$(command -v cat)" "$(command -v cp)" "$tools"
# shellcheck disable=SC2317 # it is called by tap_ok
on_stage() {
    env PATH="$tools" CUDA_HOME="$TAP_TMP/cuda" XDG_DATA_HOME="$TAP_TMP/data" "$@"
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
    case $1 in on_stage) ;; *) set -- "$PIPESIM" "$@" ;; esac
    tap_exit "$refused_name" "$refused_status" "$@"
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
# An nvdisasm that never ends works on beside all that follows, up to the limit. (tests/tool.t has one that only waits.)
stand_in hanging 'while :; do :; done'
mkdir "$TAP_TMP/hung"
(
    TMPDIR=$TAP_TMP/hung "$PIPESIM" build tests/sass/saxpy-80.cubin $saxpy --nvdisasm "$TAP_TMP/hanging" -o "$TAP_TMP/hung.idg" 2>"$TAP_TMP/hung.err"
    echo $? >"$TAP_TMP/hung.status"
) &
hung=$!

# ---- a cubin
for arch in 80 120; do
    prints "mmul-$arch" "$PWD/tests/sass/mmul16-$arch.json"
    tap_ok "a cubin for sm_$arch is built" "$PIPESIM" build tests/sass/mmul16-$arch.cubin --nvdisasm "$TAP_TMP/mmul-$arch" \
        $mmul --sample all --dump 2="$TAP_TMP/c-$arch" --gpu "$([ $arch = 80 ] && echo a100 || echo rtx5090).xml" -o "$out"
    tap_is '... without a word' "$(cat "$TAP_ERR")" ''
    tap_like '... and says of what' "Built from the machine code of the kernel mmul of mmul16-$arch.cubin .sm_$arch, as nvdisasm V[0-9.]* lists it." "$(cat "$out")"
    tap_like '... with the memory that PTX states' 'local-memory="2048"' "$(cat "$out")"
    tap_like '... the registers of the cubin' 'registers="3[27]"' "$(cat "$out")"
    tap_is '... 16 products in the loop' "$(grep -c 'class="fmadd"' "$out")" 16
    tap_is '... and no operations of moves' "$(grep 'class="hfma"' "$out" | grep -c 'ops=')" 0
done
# A whole number for a float of a kernel whose name tells no types is that float's bits.
prints saxpy-80 "$PWD/tests/sass/saxpy-80.json"
for factor in -2 -2.0; do
    tap_ok "a float is $factor" "$PIPESIM" build tests/sass/saxpy-80.cubin --nvdisasm "$TAP_TMP/saxpy-80" --grid 5 --block 256 --arg 0=1200 \
        --arg 1=$factor --arg 2=@$data/saxpy-x.bin --arg 3=@$data/saxpy-y.bin --sample all --dump 3="$TAP_TMP/y$factor" -o "$out"
done
tap_ok '... and both are the same' cmp "$TAP_TMP/y-2" "$TAP_TMP/y-2.0"
# What waits by stall counts and by order: the first product adds to the last of the iteration before, of the loop alone.
tap_ok 'a loop says what it reads' "$PIPESIM" build tests/sass/mmul16-80.cubin --nvdisasm "$TAP_TMP/mmul-80" $mmul -o "$out"
tap_like '... beside what it waits for' 'name="R8_2" class="fmadd" after="R8" .*reads="R22 R21_6"' "$(cat "$out")"
tap_is '... and other code does not' "$(sed '/<loop/,/<.loop/d' "$out" | grep -c 'reads=')" 0
tap_ok 'advice moves loads of machine code' "$PIPESIM" tests/sass/mmul16-80.cubin --nvdisasm "$TAP_TMP/mmul-80" \
    --grid 3x3 --block 16x16 --arg zero:64K --arg zero:64K --arg zero:64K --arg 128 --gpu a100.xml --advise
tap_like '... which gives something' 'loads of the next iteration of the loop .*before the work on this one' "$(tr -s ' \n' ' ' <"$TAP_OUT")"
tap_ok 'PTX computes the same' "$PIPESIM" build tests/corpus/mmul16.ptx $mmul_named --registers none --sample all --dump c="$TAP_TMP/c-ptx" -o "$out"
tap_is '... bit by bit' "$(cmp "$TAP_TMP/c-ptx" "$TAP_TMP/c-80" 2>&1; cmp "$TAP_TMP/c-ptx" "$TAP_TMP/c-120" 2>&1)" ''
ptx_nodes=$(grep -c '<node' "$out")
for arch in 80 120; do
    nodes=$("$PIPESIM" build tests/sass/mmul16-$arch.cubin --nvdisasm "$TAP_TMP/mmul-$arch" $mmul -o - | grep -c '<node')
    tap_ok "... the graph of sm_$arch has at most twice the nodes of PTX's" test "$nodes" -gt 50 -a "$nodes" -le $((2 * ptx_nodes))
done

# A cubin numbers its parameters. Their names are those of the source, where its line tables lead to that; else none is taken
# for what it may be: in another order the time would be another one.
named='--arg size=48 --arg c=zero:9216 --arg b=ramp:9216 --arg a=ramp:9216'
numbered='--arg 3=48 --arg 2=zero:9216 --arg 1=ramp:9216 --arg 0=ramp:9216'
shape="--nvdisasm $TAP_TMP/mmul-80 --grid 3x3 --block 16x16"
mkdir "$TAP_TMP/beside"
cp tests/sass/mmul16-lines-80.cubin tests/sass/mmul16-80.cubin tests/corpus/mmul.cu "$TAP_TMP/beside"
tap_ok 'a cubin with lines, whose source is beside it' "$PIPESIM" build "$TAP_TMP/beside/mmul16-lines-80.cubin" $shape $named -o "$out"
cp "$out" "$TAP_TMP/named.idg"
tap_ok '... has its names, in any order' "$PIPESIM" build "$TAP_TMP/beside/mmul16-lines-80.cubin" $shape $numbered -o "$out"
tap_is '... as numbers have' "$(cmp "$out" "$TAP_TMP/named.idg" 2>&1)" ''
tap_ok '... which are listed' "$PIPESIM" build --list "$TAP_TMP/beside/mmul16-lines-80.cubin"
tap_is '...' "$(tr -s ' ' <"$TAP_OUT")" \
    "$(printf 'mmul\n a 0 .b64 param_0\n b 1 .b64 param_1\n c 2 .b64 param_2\n size 3 .b32 param_3')"
refused 'a cubin without lines has none' 2 "nobody knows which argument of kernel mmul is 'size', since no source was found that declares it in one way; write --arg 0=VALUE" \
    build "$TAP_TMP/beside/mmul16-80.cubin" $shape $named -o "$out"
tap_ok '... but numbers' "$PIPESIM" build "$TAP_TMP/beside/mmul16-80.cubin" $shape $numbered -o "$out"
rm "$TAP_TMP/beside/mmul.cu"
refused '... nor has one with lines, whose source is not found' 2 "nobody knows which argument of kernel mmul is 'size'" \
    build "$TAP_TMP/beside/mmul16-lines-80.cubin" $shape $named -o "$out"

prints saxpy "$PWD/tests/sass/saxpy-80.json"
cubin="tests/sass/saxpy-80.cubin --nvdisasm $TAP_TMP/saxpy"
refused 'a place in machine code is its address' 1 'tests/sass/saxpy-80\.cubin at 0xa0: thread' \
    build $cubin --grid 3 --block 96 --arg 100 --arg 2 --arg zero:40 --arg zero:40 -o "$out"
refused '... with its line, where there is one' 1 'mmul\.cu:24 .at 0x1a0.: thread' \
    build tests/sass/mmul16-lines-80.cubin --nvdisasm "$TAP_TMP/mmul-80" --grid 3x3 --block 16x16 \
    --arg zero:9216 --arg zero:92 --arg zero:9216 --arg 48 -o "$out"
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

# ---- what is wrong with nvdisasm
saxpy80="build tests/sass/saxpy-80.cubin $saxpy -o $out"
refused 'no nvdisasm' 1 "saxpy-80.cubin: machine code needs nvdisasm, which was looked for on PATH, in $TAP_TMP/cuda/bin and as $TAP_TMP/data/pipesim/sass/bin/nvdisasm .*pip install nvidia-cuda-nvdisasm" \
    on_stage "$PIPESIM" $saxpy80
refused 'one that is not there' 1 '^pipesim: --nvdisasm: there is no program "nosuch"$' $saxpy80 --nvdisasm nosuch
refused 'an empty name' 2 '--nvdisasm' $saxpy80 --nvdisasm ''
stand_in failing 'echo "nvdisasm fatal   : no such thing" >&2; echo more >&2; exit 1'
refused 'one that fails' 1 'saxpy-80.cubin: nvdisasm fails: nvdisasm fatal   : no such thing$' $saxpy80 --nvdisasm "$TAP_TMP/failing"
stand_in silent 'exit 3'
refused 'one that fails without a word' 1 'nvdisasm fails: Child process exited with code 3' $saxpy80 --nvdisasm "$TAP_TMP/silent"
stand_in text 'echo "        /*0000*/ MOV R1, c[0x0][0x28] ;"'
refused 'one that knows no JSON' 1 'the listing of nvdisasm is no JSON' $saxpy80 --nvdisasm "$TAP_TMP/text"
stand_in endless 'exec yes'
refused 'one that never stops' 1 'saxpy-80.cubin: nvdisasm wrote more than 256 MiB, and was ended$' $saxpy80 --nvdisasm "$TAP_TMP/endless"
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
for opcode in NOSUCH:NOSUCH NOSUCH.X.64x8:'NOSUCH\.X\.64x8' 'A;bra b:UNNAMED' 'A..B:UNNAMED' A.:UNNAMED QMMA.16832:QMMA.16832 UTMASTG:UTMASTG; do
    sed "s/\"opcode\":\"FFMA\"/\"opcode\":\"${opcode%:*}\"/" tests/sass/saxpy-80.json >"$TAP_TMP/unknown.json"
    prints unknown "$TAP_TMP/unknown.json"
    refused "what nobody knows ends the run: ${opcode%:*}" 1 "${opcode#*:} is not known to pipesim, and its results decide what is stored at .* at 0xd0; --partial" \
        build tests/sass/saxpy-80.cubin --nvdisasm "$TAP_TMP/unknown" $saxpy -o "$out"
    tap_ok '... but with --partial' "$PIPESIM" build tests/sass/saxpy-80.cubin --nvdisasm "$TAP_TMP/unknown" $saxpy --partial -o "$out"
    tap_like '... which a warning says' "^pipesim: warning: partial answer, without what ${opcode#*:} does: " "$(cat "$TAP_ERR")"
done
for opcode in MEMBAR.SC.VC CCTL.IVALL PMTRIG ERRBAR; do
    sed "s/\"opcode\":\"FFMA\"/\"opcode\":\"$opcode\"/" tests/sass/saxpy-80.json >"$TAP_TMP/unknown.json"
    prints unknown "$TAP_TMP/unknown.json"
    tap_ok "what has no effect but on time is known: $opcode" "$PIPESIM" build tests/sass/saxpy-80.cubin --nvdisasm "$TAP_TMP/unknown" $saxpy -o "$out"
    tap_is '... without a word' "$(grep -c 'not known\|partial' "$TAP_ERR")" 0
done
sed 's/"opcode":"FFMA"/"opcode":"NANOSLEEP"/' tests/sass/saxpy-80.json >"$TAP_TMP/unknown.json"
prints unknown "$TAP_TMP/unknown.json"
refused 'threads that sleep' 1 'threads sleep here, for anything from nothing to twice what they ask for' \
    build tests/sass/saxpy-80.cubin --nvdisasm "$TAP_TMP/unknown" $saxpy -o "$out"
sed 's/"opcode":"STG[A-Z.0-9]*"/"opcode":"STG2.E"/' tests/sass/saxpy-80.json >"$TAP_TMP/unknown.json"
prints unknown "$TAP_TMP/unknown.json"
refused 'a store that nobody knows' 1 'STG2\.E is not known to pipesim, and its results decide what memory holds' \
    build tests/sass/saxpy-80.cubin --nvdisasm "$TAP_TMP/unknown" $saxpy -o "$out"

# ---- Volta, whose code is listed by CUDA 12 alone
prints saxpy-70 "$PWD/tests/sass/saxpy-70.json"
tap_ok 'a cubin for sm_70 is run' "$PIPESIM" tests/sass/saxpy-70.cubin --nvdisasm "$TAP_TMP/saxpy-70" $saxpy --gpu v100
tap_like '... as it is' '^Code +machine code for sm_70, as the file has it$' "$(cat "$TAP_OUT")"
tap_is '... without a word' "$(cat "$TAP_ERR")" ''
# lists_only NAME CHIPS: an nvdisasm whose --help names these chips, and which lists no other.
lists_only() {
    stand_in "$1" "case \$1 in --help) echo \"        Allowed values for this option:  $2.\" ;; *) echo \"nvdisasm fatal   : no such chip\" >&2; exit 1 ;; esac"
}
lists_only late "'SM75','SM90a','SM121'"
lists_only early "'SM50','SM70','SM90'"
refused 'an nvdisasm too new for the chip' 1 "^pipesim: tests/sass/saxpy-70.cubin: machine code for sm_70, and $TAP_TMP/late lists that for sm_75 to sm_121; nvdisasm of CUDA 12.8, which ./bootstrap --only sass gets, lists it, and --nvdisasm says where it is$" \
    build tests/sass/saxpy-70.cubin $saxpy -o "$out" --nvdisasm "$TAP_TMP/late"
refused 'one too old for it' 1 "^pipesim: tests/sass/mmul16-120.cubin: machine code for sm_120, and $TAP_TMP/early lists that for sm_50 to sm_90; nvdisasm of the latest CUDA, which ./bootstrap --only sass gets, lists it, and --nvdisasm says where it is$" \
    build tests/sass/mmul16-120.cubin $mmul -o "$out" --nvdisasm "$TAP_TMP/early"
refused 'one that fails otherwise' 1 'nvdisasm fails: nvdisasm fatal   : no such chip$' build tests/sass/saxpy-70.cubin $saxpy -o "$out" --nvdisasm "$TAP_TMP/early"
# Of several the one that lists the chip is taken: the latest is found first, that of CUDA 12 beside it.
mkdir -p "$TAP_TMP/data/pipesim/sass/bin" "$TAP_TMP/data/pipesim/sass/older"
cp "$TAP_TMP/late" "$TAP_TMP/data/pipesim/sass/bin/nvdisasm"
refused 'the latest alone' 1 "lists that for sm_75 to sm_121" on_stage "$PIPESIM" build tests/sass/saxpy-70.cubin $saxpy -o "$out"
# shellcheck disable=SC2016 # it is the stand-in's
printf '#!/bin/sh\ncase $1 in --help) echo "'"'SM50','SM70'"'" ;; *) cat "%s/tests/sass/saxpy-70.json" ;; esac\n' "$PWD" >"$TAP_TMP/data/pipesim/sass/older/nvdisasm"
chmod +x "$TAP_TMP/data/pipesim/sass/older/nvdisasm"
tap_ok '... with an older one beside it' on_stage "$PIPESIM" build tests/sass/saxpy-70.cubin $saxpy -o "$out"
# PTX is assembled for the chip itself where there is a ptxas for it, else for sm_75; the answer says which.
cp tests/sass/saxpy-70.cubin tests/sass/saxpy-80.cubin "$TAP_TMP/data"
volta="on_stage $PIPESIM $TAP_TMP/saxpy.ptx $saxpy --gpu v100 --no-cache"
sed 's/^\.target sm_75/.target sm_70/' tests/corpus/saxpy.ptx >"$TAP_TMP/saxpy.ptx"
assembles() {
    # shellcheck disable=SC2016 # it is the stand-in's
    printf '#!/bin/sh\ncase $1 in --help) echo "%s" ;; *) for last; do :; done; cp "%s/saxpy-%s.cubin" "$last" ;; esac\n' "$2" "$PWD/tests/sass" "$3" >"$1"
    chmod +x "$1"
}
assembles "$TAP_TMP/cuda/bin/ptxas" "'sm_75'" 75
# shellcheck disable=SC2016 # it is the stand-in's
printf '#!/bin/sh\ncase $1 in --help) echo "'"'SM75'"'" ;; *) cat "%s/tests/sass/saxpy-75.json" ;; esac\n' "$PWD" >"$TAP_TMP/data/pipesim/sass/bin/nvdisasm"
tap_ok 'PTX for a V100 where no ptxas is for it' $volta
tap_like '...' '^Code +machine code for sm_75, .*; the GPU is sm_70, which CUDA 12 compiles for' "$(tr -s ' \n' ' ' <"$TAP_OUT" | sed 's/ Code/\nCode/')"
assembles "$TAP_TMP/data/pipesim/sass/older/ptxas" "'sm_50','sm_70'" 70
tap_ok '... and where one is' $volta
tap_like '...' '^Code +machine code for sm_70, made by ptxas, since that and nvdisasm are found How' "$(tr -s ' \n' ' ' <"$TAP_OUT" | sed 's/ Code/\nCode/')"
# What PTX is for a later GPU, no assembler makes code for this one of.
tap_ok 'PTX for sm_75 on a V100' on_stage "$PIPESIM" tests/corpus/saxpy.ptx $saxpy --gpu v100 --no-cache
tap_like '... which does not run it' '; the GPU is sm_70, which does not run PTX for sm_75; compile for sm_70 \(nvcc of CUDA 12\), or write .target sm_70 How' \
    "$(tr -s ' \n' ' ' <"$TAP_OUT")"
sed 's/^\.target sm_75/.target sm_72/' tests/corpus/saxpy.ptx >"$TAP_TMP/saxpy-72.ptx"
assembles "$TAP_TMP/data/pipesim/sass/older/ptxas" "'sm_70','sm_72'" 70
# shellcheck disable=SC2016 # it is the stand-in's
printf '#!/bin/sh\ncase $1 in --help) echo "'"'SM70','SM72'"'" ;; *) cat "%s/tests/sass/saxpy-70.json" ;; esac\n' "$PWD" >"$TAP_TMP/data/pipesim/sass/older/nvdisasm"
tap_ok 'PTX for sm_72, which no V100 takes, is assembled for that' on_stage "$PIPESIM" "$TAP_TMP/saxpy-72.ptx" $saxpy --gpu v100 --no-cache
tap_like '... and not for sm_75' '^Code +machine code for sm_70, made by ptxas' "$(cat "$TAP_OUT")"
rm -r "$TAP_TMP/data" "$TAP_TMP/cuda/bin/ptxas"

# ---- what is wrong with the file
head -c 2000 tests/sass/saxpy-80.cubin >"$TAP_TMP/cut.cubin"
refused 'a cubin that is cut off' 1 'cut.cubin: ' build "$TAP_TMP/cut.cubin" $saxpy -o "$out" --nvdisasm "$TAP_TMP/saxpy"
# patched NAME OFFSET BYTES: the cubin of saxpy with other bytes there, as printf %b spells them.
patched() {
    printf '%b' "$3" >"$TAP_TMP/bytes"
    { head -c "$2" tests/sass/saxpy-80.cubin; cat "$TAP_TMP/bytes"; tail -c +$(($2 + $(wc -c <"$TAP_TMP/bytes") + 1)) tests/sass/saxpy-80.cubin; } >"$TAP_TMP/$1.cubin"
}
# Offsets in the header of the file, and in that of .text.saxpy, its 14th section.
file_type=16 sections_at=40 flags=48 text_at=$((2176 + 13 * 64 + 24)) text_size=$((2176 + 13 * 64 + 32))
for one in "old:$((flags + 1)):\\075:machine code for sm_61, and instructions of sm_70 to sm_121 are known; compiled for one of these, or to PTX .nvcc -ptx., it can be read" \
    "new:$((flags + 1)):\\0202:machine code for sm_130, and instructions of sm_70 to sm_121 are known; compiled for one of these, or to PTX .nvcc -ptx., it can be read" \
    "linked:$file_type:\\0001:machine code that is not linked; nvlink, or nvcc without -dc, links it" \
    "outside:$sections_at:\\0377\\0377\\0377\\0377:its sections are not in the file, which is damaged or cut off" \
    "beyond:$text_at:\\0377\\0377\\0377\\0177:the section .text.saxpy reaches out of the file" \
    "long:$text_size:\\0000\\0000\\0000\\0177:the section .text.saxpy reaches out of the file" \
    "odd:$text_size:\\0201:the section .text.saxpy has 385 bytes, which are no instructions"; do
    name=${one%%:*} rest=${one#*:}
    message=${rest#*:}
    patched "$name" "${rest%%:*}" "${message%%:*}"
    refused "a cubin that is $name" 1 "^pipesim: $TAP_TMP/$name.cubin: ${message#*:}" build "$TAP_TMP/$name.cubin" $saxpy -o "$out" --nvdisasm "$TAP_TMP/saxpy"
done
for length in 4 63 64 65 1000 2175 2177 3071; do
    head -c $length tests/sass/saxpy-80.cubin >"$TAP_TMP/cut.cubin"
    refused "a cubin of $length bytes" 1 'cut.cubin: ' build "$TAP_TMP/cut.cubin" $saxpy -o "$out" --nvdisasm "$TAP_TMP/saxpy"
done

# ---- what is wrong with a listing
calls="build tests/sass/calls-80.cubin --grid 1 --block 32 --arg 0 --arg 0 --arg zero:4 --arg zero:4 --arg zero:4 -o $out"
# listed NAME FILE COMMAND: a stand-in that prints this listing, changed by sed.
listed() {
    sed "$3" "tests/sass/$2.json" >"$TAP_TMP/$1.json"
    prints "$1" "$TAP_TMP/$1.json"
}
listed away saxpy-80 's/"opcode":"STG[^}]*}/"opcode":"BRA","operands":"0xfff0"}/'
refused 'a branch out of the code' 1 'kernel "saxpy" at 0x[0-9a-f]*: a branch to 0xfff0, where the code has no instruction$' $saxpy80 --nvdisasm "$TAP_TMP/away"
listed between saxpy-80 's/"opcode":"STG[^}]*}/"opcode":"BRA","operands":"0x18"}/'
refused '... or into an instruction' 1 'a branch to 0x18, where the code has no instruction$' $saxpy80 --nvdisasm "$TAP_TMP/between"
listed long saxpy-80 's/{"opcode":"EXIT"/{"opcode":"NOP"},&/'
refused 'a listing that is too long' 1 "the listing of nvdisasm V[0-9.]* and the kernel's code differ in length" $saxpy80 --nvdisasm "$TAP_TMP/long"
listed renamed saxpy-80 's/sass-instructions/instructions/; s/"Producer":"nvdisasm V[0-9.]*/"Producer":"nvdisasm V99.1.2/'
refused 'a schema that has other names' 1 'the listing of nvdisasm V99.1.2 has no instructions of the kernel "saxpy"$' $saxpy80 --nvdisasm "$TAP_TMP/renamed"
listed nameless saxpy-80 's/"opcode":"FFMA"/"mnemonic":"FFMA"/'
refused '... or another for an opcode' 1 'the listing of nvdisasm V[0-9.]* has an instruction without an opcode$' $saxpy80 --nvdisasm "$TAP_TMP/nameless"
# shellcheck disable=SC2016 # it is a name
listed elsewhere calls-80 's/"\$calls\$_Z3popPKiPi"/"vprintf"/g'
refused 'a call of what is not there' 1 'kernel "calls" at 0x[0-9a-f]*: a call of "vprintf", which is not in the code' $calls --nvdisasm "$TAP_TMP/elsewhere"
listed address calls-80 's/"R2,0x280"/"R2,32@lo(factors)"/'
refused 'the address of what the file does not name is no number' 1 \
    'kernel "calls" at 0x[0-9a-f]*: MOV needs an address that the file does not name$' $calls --nvdisasm "$TAP_TMP/address"

refused 'a kernel that is not there' 1 'saxpy' $saxpy80 --kernel nosuch
refused 'an argument too many' 2 '--arg' $saxpy80 --arg 1
refused 'a word that --from does not know' 2 "--from: there is no code 'c'; it is ptx or sass" $saxpy80 --from c

# ---- which code is executed
# code_is NAME WHAT: what the answer says of it; nothing on standard error but lines that a test has looked at.
code_is() {
    tap_like "$1" "^  \"code\": \"$2\",\$" "$(cat "$TAP_OUT")"
}
named="--arg n=1200 --arg a=2.3 --arg x=@$data/saxpy-x.bin --arg y=@$data/saxpy-y.bin --grid 5 --block 256"
ptx="tests/corpus/saxpy.ptx --kernel saxpy --format json --registers 16"
lost='saxpy.ptx: PTX is executed in place of machine code, so the instructions that the compiler chooses and their order are lost:'
tap_ok 'without ptxas, PTX is executed' on_stage "$PIPESIM" $ptx $named --gpu a100.xml
tap_like '... and one line says what is lost' "^pipesim: .*$lost there is no ptxas .*; --from ptx asks for PTX\$" "$(cat "$TAP_ERR")"
tap_is '... once' "$(grep -c 'in place of' "$TAP_ERR")" 1
code_is '... the answer says why' "PTX, since there is no ptxas .NVIDIA's CUDA toolkit has it."
cp "$TAP_OUT" "$TAP_TMP/as-ptx"
tap_ok '... once for two GPUs' on_stage "$PIPESIM" sweep tests/corpus/saxpy.ptx --kernel saxpy --registers 16 $named --gpu a100.xml --gpu h100.xml --vary active=1
tap_is '...' "$(grep -c 'in place of' "$TAP_ERR")" 1
tap_ok 'asked for, PTX is executed without a word' on_stage "$PIPESIM" $ptx $named --gpu a100.xml --from ptx
tap_is '...' "$(cat "$TAP_ERR")" ''
code_is '... as the answer says' 'PTX, as --from asks'
tap_is '... and it is the same' "$(grep -v '"code"' "$TAP_OUT" | cmp - "$TAP_TMP/as-ptx" 2>&1 | sed 's/.*line //')" "$(grep -n '"code"' "$TAP_TMP/as-ptx" | sed 's/:.*//')"
# shellcheck disable=SC2016 # the stand-in expands them
printf '#!/bin/sh\necho "$*" >>"%s"\nfor last; do :; done\ncp "%s" "$last"\n' "$TAP_TMP/asked" "$PWD/tests/sass/saxpy-80.cubin" >"$tools/ptxas"
chmod +x "$tools/ptxas"
tap_ok 'without nvdisasm, too' on_stage "$PIPESIM" $ptx $named --gpu a100.xml
tap_like '... which one line says' "$lost there is no nvdisasm \(./bootstrap --only sass gets it\); --from ptx asks for PTX\$" "$(cat "$TAP_ERR")"
mkdir -p "$TAP_TMP/data/pipesim/sass/bin"
cp "$TAP_TMP/saxpy" "$TAP_TMP/data/pipesim/sass/bin/nvdisasm"
for gpu in a100:80 rtx3090:86 b200:100 v100:75; do
    : >"$TAP_TMP/asked"
    tap_ok "with both, machine code is executed on ${gpu%:*}" on_stage "$PIPESIM" $ptx $named --gpu "${gpu%:*}.xml"
    tap_like '... of which ptxas is asked for the architecture' "^-v -lineinfo -arch=sm_${gpu#*:} " "$(cat "$TAP_TMP/asked")"
    cp "$TAP_ERR" "$TAP_TMP/said-${gpu%:*}"
    cp "$TAP_OUT" "$TAP_TMP/answer-${gpu%:*}"
done
tap_is '... without a word, where it is of the GPU' "$(cat "$TAP_TMP/said-a100")" ''
tap_is '... else with one line' "$(cat "$TAP_TMP/said-v100")" \
    'pipesim: warning: machine code for sm_80 does not run on Tesla V100 PCIe 16GB, whose compute capability is 7.0; the answer is that of such instructions on it'
tap_like '... the answer has what and why' '"code": "machine code for sm_80, made by ptxas, since that and nvdisasm are found",' "$(cat "$TAP_TMP/answer-a100")"
tap_like '... and of which GPU it is not' '"code": "machine code for sm_80, .*; the GPU is sm_70",' "$(cat "$TAP_TMP/answer-v100")"
tap_ok '... in words, too' on_stage "$PIPESIM" ${ptx%--format*} $named --gpu a100.xml
tap_like '...' '^Code          machine code for sm_80, made by ptxas' "$(cat "$TAP_OUT")"
for other in 'p100.xml:as for all GPUs before Volta' 'mi100.xml:as for all GPUs of AMD' \
    'a100.xml --no-moves:since rules of PTX are chosen .--no-....'; do
    tap_ok "PTX with ${other%%:*}" on_stage "$PIPESIM" $ptx $named --gpu ${other%%:*}
    code_is '...' "PTX, ${other#*:}"
    tap_is '... without a word on machine code' "$(grep -v 'stands in for AMD\|within a wave of 64' "$TAP_ERR")" ''
done
cp "$TAP_TMP/failing" "$TAP_TMP/data/pipesim/sass/bin/nvdisasm"
tap_ok 'where a tool fails, PTX is executed' on_stage "$PIPESIM" $ptx $named --gpu a100.xml
tap_like '... which one line says' "$lost nvdisasm fails: nvdisasm fatal   : no such thing; --from ptx" "$(cat "$TAP_ERR")"
tap_ok '... with its path given, too' on_stage "$PIPESIM" $ptx $named --gpu a100.xml --nvdisasm "$TAP_TMP/failing"
code_is '...' 'PTX, since nvdisasm fails: nvdisasm fatal   : no such thing'
refused '... but not where machine code is asked for' 1 'nvdisasm fails: nvdisasm fatal' on_stage "$PIPESIM" $ptx $named --gpu a100.xml --from sass
refused '... nor with a wrong --nvdisasm' 1 '--nvdisasm: there is no program "nosuch"' on_stage "$PIPESIM" $ptx $named --gpu a100.xml --nvdisasm nosuch

# ptxas refuses the text, and takes one that says debug, of which a warning tells; one for an older ptxas may be refused for that.
cp "$tools/ptxas" "$TAP_TMP/ptxas"
cp "$TAP_TMP/saxpy" "$TAP_TMP/data/pipesim/sass/bin/nvdisasm"
# shellcheck disable=SC2016 # the stand-in expands them
echo 'for last; do :; done; rm -f "$last"; echo "ptxas x.ptx, line 19; error   : Arguments mismatch for instruction '\''add'\''" >&2; exit 255' >"$tools/ptxas"
sed -i '1i #!/bin/sh' "$tools/ptxas"
refused 'PTX that ptxas refuses' 1 "^pipesim: tests/corpus/saxpy.ptx: ptxas refuses line 19 of the PTX: Arguments mismatch for instruction 'add'\$" \
    on_stage "$PIPESIM" $ptx $named --gpu a100.xml
tap_ok '... may be executed as PTX' on_stage "$PIPESIM" $ptx $named --gpu a100.xml --from ptx
cp "$TAP_TMP/ptxas" "$tools/ptxas"
in_order='--arg 1200 --arg 2.3 --arg @tests/corpus/data/saxpy-x.bin --arg @tests/corpus/data/saxpy-y.bin --grid 5 --block 256'
sed 's/^\(\.target.*\)/\1, debug/' tests/corpus/saxpy.ptx >"$TAP_TMP/debug.ptx"
tap_ok 'PTX for debuggers is answered' on_stage "$PIPESIM" "$TAP_TMP/debug.ptx" ${ptx#* } $in_order --gpu a100.xml
tap_like '... with a warning' '^pipesim: warning: .*debug.ptx: its .target says debug, so ptxas does not optimise it; compiled without -G' "$(cat "$TAP_ERR")"
tap_ok '... as PTX, too' on_stage "$PIPESIM" "$TAP_TMP/debug.ptx" ${ptx#* } $in_order --gpu a100.xml --from ptx
tap_like '... with a warning that it counts as optimised' \
    '^pipesim: warning: .*debug.ptx: its .target says debug, so ptxas does not optimise it, and the PTX that is executed here counts as optimised' \
    "$(cat "$TAP_ERR")"
tap_ok '... which no GPU of AMD needs' on_stage "$PIPESIM" "$TAP_TMP/debug.ptx" ${ptx#* } $in_order --gpu mi210.xml --registers 16
tap_is '...' "$(grep -c debug "$TAP_ERR")" 0

# ---- fat binaries: anything that has cubins in it
{ printf '\120\355\125\272'; head -c 60 /dev/zero; cat tests/sass/saxpy-80.cubin tests/sass/saxpy-120.cubin; } >"$TAP_TMP/two"
prints saxpy-120 "$PWD/tests/sass/saxpy-120.json"
for gpu in a100:80:saxpy rtx5090:120:saxpy-120 v100:80:saxpy rtx4090:80:saxpy; do
    arch=${gpu#*:}
    tap_ok "of two architectures, that for ${gpu%%:*} is taken" "$PIPESIM" "$TAP_TMP/two" $saxpy --gpu "${gpu%%:*}.xml" --nvdisasm "$TAP_TMP/${arch#*:}" --format json
    tap_is '... which one line says' "$(grep -v 'does not run on Tesla V100' "$TAP_ERR")" "pipesim: $TAP_TMP/two: of its machine code for sm_80 and sm_120 that for sm_${arch%:*} is taken"
    code_is '... and the answer' "machine code for sm_${arch%:*}, as the file has it.*"
done
tap_ok 'or that of --arch' "$PIPESIM" build "$TAP_TMP/two" $saxpy --arch sm_80 --gpu rtx5090.xml --nvdisasm "$TAP_TMP/saxpy" -o "$out"
{ printf '\177ELF'; head -c 300 /dev/zero; cat tests/sass/saxpy-80.cubin tests/sass/mmul16-80.cubin tests/sass/saxpy-80.cubin; } >"$TAP_TMP/a.out"
tap_exit 'several kernels' 2 "$PIPESIM" build "$TAP_TMP/a.out" $saxpy -o "$out"
tap_like '... are said to be there' 'a.out: has 2 kernels; choose one by a command line above' "$(cat "$TAP_ERR")"
tap_is '... each with its command line' "$(sed -n 's/.*\(--kernel [a-z]*\).*/\1/p' "$TAP_ERR")" '--kernel saxpy
--kernel mmul'
tap_ok '... which a list has' "$PIPESIM" build --list "$TAP_TMP/a.out"
tap_is '...' "$(grep -v '^ ' "$TAP_OUT" | paste -s -d ' ')" 'saxpy mmul'
tap_ok '... one of them' "$PIPESIM" "$TAP_TMP/a.out" --kernel mmul $mmul --gpu a100.xml --nvdisasm "$TAP_TMP/mmul-80"
refused '... and one that is not there' 1 'a.out: has no kernel "fft"' build "$TAP_TMP/a.out" --kernel fft $saxpy -o "$out"
head -c 300 "$TAP_TMP/a.out" | cat - tests/sass/calls-80.json >"$TAP_TMP/none"/b.out
refused 'a program without a kernel' 1 'b.out: no machine code for a GPU of NVIDIA is found in it' build "$TAP_TMP/none/b.out" $saxpy -o "$out" 
{ printf '\120\355\125\272'; head -c 60 /dev/zero; } >"$TAP_TMP/packed.fatbin"
refused 'compressed, without cuobjdump' 1 'packed.fatbin: no machine code .* if it is compressed, cuobjdump of the CUDA toolkit finds it, which is not here' \
    on_stage "$PIPESIM" build "$TAP_TMP/packed.fatbin" $saxpy -o "$out"
# shellcheck disable=SC2016 # the stand-in expands them
printf '#!/bin/sh\n[ "$1 $2" = "-xelf all" ] && [ -s "$3" ] && cp "%s"/*-80.cubin . && echo Extracting\n' "$PWD/tests/sass" >"$TAP_TMP/cuda/bin/cuobjdump"
chmod +x "$TAP_TMP/cuda/bin/cuobjdump"
tap_ok 'cuobjdump extracts what is compressed' on_stage "$PIPESIM" build "$TAP_TMP/packed.fatbin" --kernel saxpy $saxpy --nvdisasm "$TAP_TMP/saxpy" -o "$out"
tap_is '... without a word' "$(cat "$TAP_OUT" "$TAP_ERR")" ''

# A fat binary with a plain kernel and a compressed one: a header, and an entry for each.
entry() { printf '\002\000\001\001\100\000\000\000'; perl -e 'print pack("Q<", shift), "\0" x 48' "$(wc -c <"$1")"; cat "$1"; }
printf '(\265/\375 packed' >"$TAP_TMP/packed"
{ entry tests/sass/saxpy-80.cubin; entry "$TAP_TMP/packed"; } >"$TAP_TMP/entries"
{ printf '\120\355\125\272\001\000\020\000'; perl -e 'print pack("Q<", shift)' "$(wc -c <"$TAP_TMP/entries")"; cat "$TAP_TMP/entries"; } >"$TAP_TMP/both.fatbin"
tap_ok 'cuobjdump extracts what is compressed beside what is not' on_stage "$PIPESIM" build --list "$TAP_TMP/both.fatbin"
tap_like '...' '^mmul' "$(cat "$TAP_OUT")"
rm "$TAP_TMP/cuda/bin/cuobjdump"
tap_ok 'without it what is not compressed is there' on_stage "$PIPESIM" build "$TAP_TMP/both.fatbin" $saxpy --nvdisasm "$TAP_TMP/saxpy" -o "$out"
tap_like '... and a warning says of the rest' '^pipesim: warning: .*both.fatbin: not all of its machine code is found; if it is compressed, cuobjdump of the CUDA toolkit finds it, which is not here, and nvcc --compress-mode=none leaves it as it is$' "$(cat "$TAP_ERR")"
printf '#!/bin/sh\necho "cuobjdump fatal: no" >&2\nexit 1\n' >"$TAP_TMP/cuda/bin/cuobjdump"
chmod +x "$TAP_TMP/cuda/bin/cuobjdump"
tap_exit 'a cuobjdump that fails' 1 on_stage "$PIPESIM" build "$TAP_TMP/packed.fatbin" $saxpy -o "$out"
tap_like '... is said' 'packed.fatbin: no machine code .*, and cuobjdump, which finds what is compressed, fails$' "$(cat "$TAP_ERR")"
printf '#!/bin/sh\n:\n' >"$TAP_TMP/cuda/bin/cuobjdump"
refused 'one that finds nothing' 1 'packed.fatbin: no machine code' on_stage "$PIPESIM" build "$TAP_TMP/packed.fatbin" $saxpy -o "$out"
tap_is 'nothing is left behind' "$(ls "$TMPDIR")" ''

# ---- PTX through ptxas
ptxas=$(command -v ptxas || ls /usr/local/cuda/bin/ptxas 2>/dev/null)
nvdisasm=$(command -v nvdisasm || ls /usr/local/cuda/bin/nvdisasm 2>/dev/null)
if [ -z "$ptxas" ]; then
    refused 'PTX without ptxas' 1 'there is no ptxas, which was looked for on PATH' build tests/corpus/mmul16.ptx $mmul_named --from sass --nvdisasm "$TAP_TMP/saxpy" -o "$out"
elif [ -z "$nvdisasm" ]; then
    tap_skip 'PTX through ptxas' 'nvdisasm is not installed'
else
    for arch in 75 80 86 89 90 100 120; do
        tap_ok "PTX as machine code for sm_$arch" "$PIPESIM" build tests/corpus/mmul16.ptx $mmul_named --from sass --arch sm_$arch --sample all --dump c="$TAP_TMP/c-$arch" -o "$out"
        tap_is '... computes the same' "$(cat "$TAP_ERR"; cmp "$TAP_TMP/c-ptx" "$TAP_TMP/c-$arch" 2>&1)" ''
    done
    real=$(dirname "$ptxas"):$(dirname "$nvdisasm"):$PATH
    tap_ok 'random kernels compute as machine code what they do as PTX' env PATH="$real" PIPESIM="$PIPESIM" tests/sass/compare.sh 1 4 75 90 120
    tap_ok 'launches of the corpus do' env PATH="$real" PIPESIM="$PIPESIM" BUILD="$BUILD" tests/sass/corpus.sh 120
    tap_ok "a GPU's architecture is compiled for" "$PIPESIM" build tests/corpus/mmul16.ptx $mmul_named --from sass --gpu h100.xml -o "$out"
    tap_like '...' 'sm_90, as nvdisasm' "$(cat "$out")"
    # What neither the corpus nor random kernels have: a product of doubles, and matrices that are stored.
    cat >"$TAP_TMP/matrices.ptx" <<'PTX'
.version 8.0
.target sm_90
.address_size 64
.visible .entry matrices(.param .u64 out, .param .u64 in)
{
    .reg .f64 %d<6>; .reg .b64 %l<5>; .reg .b32 %r<8>;
    .shared .align 16 .b8 tile[1024];
    ld.param.u64 %l0, [out]; ld.param.u64 %l1, [in];
    mov.u32 %r0, %tid.x; mul.wide.u32 %l2, %r0, 16; add.s64 %l3, %l1, %l2; add.s64 %l4, %l0, %l2;
    ld.global.f64 %d0, [%l3]; ld.global.f64 %d1, [%l3+8]; ld.global.f64 %d2, [%l3+512]; ld.global.f64 %d3, [%l3+520];
    mma.sync.aligned.m8n8k4.row.col.f64.f64.f64.f64 {%d4, %d5}, {%d0}, {%d1}, {%d2, %d3};
    st.global.f64 [%l4], %d4; st.global.f64 [%l4+8], %d5;
    mov.u32 %r1, tile; shl.b32 %r2, %r0, 4; add.u32 %r2, %r1, %r2;
    ld.global.b32 %r3, [%l3]; ld.global.b32 %r4, [%l3+4]; ld.global.b32 %r5, [%l3+8]; ld.global.b32 %r6, [%l3+12];
    stmatrix.sync.aligned.m8n8.x4.shared.b16 [%r2], {%r3, %r4, %r5, %r6};
    stmatrix.sync.aligned.m8n8.x2.trans.shared.b16 [%r2+512], {%r3, %r4};
    bar.sync 0;
    ld.shared.b32 %r7, [%r2]; st.global.b32 [%l4+512], %r7;
    ld.shared.b32 %r7, [%r2+512]; st.global.b32 [%l4+516], %r7;
    ret;
}
PTX
    matrices="$TAP_TMP/matrices.ptx --grid 1 --block 32 --arg out=zero:1K --arg in=random:1K -o $out"
    tap_ok 'matrices of doubles, and stored ones' "$PIPESIM" build $matrices --from ptx --registers none --dump out="$TAP_TMP/of-ptx"
    for arch in 90 100 120; do
        tap_ok "... by machine code for sm_$arch" "$PIPESIM" build $matrices --from sass --arch sm_$arch --dump out="$TAP_TMP/of-sass"
        tap_is '... are the same' "$(cat "$TAP_ERR"; cmp "$TAP_TMP/of-ptx" "$TAP_TMP/of-sass" 2>&1)" ''
    done
    cat >"$TAP_TMP/variables.cu" <<'CU'
__constant__ float factors[8];
__device__ int offset = 3;
extern "C" __global__ void scale(float *x) { x[threadIdx.x] = factors[threadIdx.x & 7] + (float)offset; }
CU
    if command -v nvcc >/dev/null || [ -x /usr/local/cuda/bin/nvcc ]; then
        tap_ok 'variables hold what they are given' "$PIPESIM" build "$TAP_TMP/variables.cu" --from sass --gpu a100.xml --grid 1 --block 8 \
            --arg x=zero:32 --arg factors=ramp:32 --dump x="$TAP_TMP/x" -o "$out"
        tap_is '...' "$(od -An -v -tf4 "$TAP_TMP/x" | tr -s ' \n' ' ')" ' 3 4 5 6 7 8 9 10 '
        cat >"$TAP_TMP/debug.cu" <<'CU'
extern "C" __global__ void wave(float *x) { x[threadIdx.x] = sinf(x[threadIdx.x]); }
CU
        nvcc=$(command -v nvcc || echo /usr/local/cuda/bin/nvcc)
        tap_ok 'code for debuggers, which asks for the end of its stack' "$nvcc" -G -cubin -arch=sm_75 \
            -o "$TAP_TMP/debug.cubin" "$TAP_TMP/debug.cu"
        tap_ok '... is executed' "$PIPESIM" "$TAP_TMP/debug.cubin" --gpu rtx2080ti --grid 1 --block 32 --arg 0=zero:128
        tap_is '... with no warning of how it waits, on which nobody can act' "$(cat "$TAP_ERR" "$TAP_OUT" | grep -c scoreboard)" 0
    fi
fi
wait $hung
tap_is 'an nvdisasm that hangs is ended' "$(cat "$TAP_TMP/hung.status")" 1
tap_like '... which one line says' '^pipesim: tests/sass/saxpy-80.cubin: nvdisasm had not ended after 30 seconds of work, and was ended$' "$(cat "$TAP_TMP/hung.err")"
tap_is '... and nothing is left' "$(wc -l <"$TAP_TMP/hung.err"; ls "$TAP_TMP/hung" "$TAP_TMP/hung.idg" 2>/dev/null)" "$(printf '1\n%s:' "$TAP_TMP/hung")"
}
tap_done

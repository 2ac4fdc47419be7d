#!/bin/sh
# SPDX-License-Identifier: BSD-3-Clause
# Runs: check nightly-sanitize
# What is compiled and built is kept by content: made once, made anew when anything that made it is another, and
# whatever becomes of the folder, the answer is that of a program that keeps nothing.
. tests/tap.sh

corpus=tests/corpus
source=$TAP_TMP/mmul.cu
launch='--block 8x8 --arg size=64 --arg a=zero:16K --arg b=zero:16K --arg c=zero:16K'
gpu='--gpu pascal.xml --grid 8x8'
kept=$TAP_TMP/kept
PIPESIM_CACHE=$kept
cp $corpus/mmul.cu "$source"
echo '#define UNUSED' >"$TAP_TMP/header.h"

# A compiler that gives mmul08.ptx whatever it is told, and says what it read; each call is a line.
mkdir "$TAP_TMP/bin"
cat >"$TAP_TMP/bin/nvcc" <<END
#!/bin/sh
case \$1 in --list-gpu-arch) echo compute_75; exit;; esac
echo "\$*" >>$TAP_TMP/calls
for word; do
    [ "\$before" = -o ] && out=\$word
    case \$word in -MD,-MF,*) rule=\${word#-MD,-MF,};; esac
    before=\$word
done
cp $PWD/$corpus/mmul08.ptx "\$out"
[ -z "\$rule" ] || printf '%s : %s \\\\\\n %s\\n' "\$out" "$source" "$TAP_TMP/header.h" >"\$rule"
END
cat >"$TAP_TMP/bin/ptxas" <<END
#!/bin/sh
echo "\$*" >>$TAP_TMP/asked
echo "ptxas info : Compiling entry function 'mmul' for 'sm_75'" >&2
echo "ptxas info : Used 44 registers, 2048 bytes smem" >&2
END
chmod +x "$TAP_TMP/bin/nvcc" "$TAP_TMP/bin/ptxas"
PATH=$TAP_TMP/bin:$PATH
: >"$TAP_TMP/calls"
: >"$TAP_TMP/asked"

# ran NAME COMPILED ASKED OPTION...: the answer is the one without a cache, and so often the programs ran until now.
ran() {
    ran_name=$1
    ran_compiled=$2
    ran_asked=$3
    shift 3
    # shellcheck disable=SC2086 # launches are words
    tap_ok "$ran_name" "$PIPESIM" "$source" $gpu $launch --format csv "$@"
    tap_is '... says what a program says that keeps nothing' "$(cat "$TAP_OUT")" "$(cat "$TAP_TMP/answer")"
    tap_is '... compiles as often as it must' "$(wc -l <"$TAP_TMP/calls") $(wc -l <"$TAP_TMP/asked")" "$ran_compiled $ran_asked"
}

# shellcheck disable=SC2086 # as above
"$PIPESIM" "$source" $gpu $launch --format csv --no-cache >"$TAP_TMP/answer" 2>"$TAP_TMP/said"
tap_is 'nothing is kept with --no-cache' "$(test -e "$kept" && echo there)" ''
ran 'the first time' 2 2
tap_is '... with its notes' "$(cat "$TAP_ERR")" "$(cat "$TAP_TMP/said")"
ran 'again' 2 2
tap_is '... with its notes' "$(cat "$TAP_ERR")" "$(cat "$TAP_TMP/said")"
ran 'with --no-cache' 3 3 --no-cache
echo '/* changed */' >>"$source"
ran 'the source is another' 4 3
echo '#define OTHER' >>"$TAP_TMP/header.h"
ran 'a header is another' 5 3
ran 'a macro is another' 6 3 --compiler-options -DOTHER=1
mkdir "$TAP_TMP/first"
ran 'a folder of headers' 7 3 --compiler-options "-I$TAP_TMP/first"
ran '... again' 7 3 --compiler-options "-I$TAP_TMP/first"
cp "$TAP_TMP/header.h" "$TAP_TMP/first"
ran '... has a header of that name now' 8 3 --compiler-options "-I$TAP_TMP/first"
ran 'options in a file' 9 3 --compiler-options "@$TAP_TMP/answer"
ran '... which may name others, so that nobody keeps that' 10 3 --compiler-options "@$TAP_TMP/answer"
echo '# another' >>"$TAP_TMP/bin/ptxas"
ran 'ptxas is another' 10 4
echo '# another' >>"$TAP_TMP/bin/nvcc"
ran 'nvcc is another' 11 4
ran 'and all is there again' 11 4

# ---- options of the compiler that are for the assembler
ran 'an option of ptxas' 12 5 --compiler-options '-maxrregcount 32 -Xptxas -dlcm=cg'
tap_like '... which it is given' ' -maxrregcount=32 -dlcm=cg ' "$(tail -n 1 "$TAP_TMP/asked")"
ran '... again' 12 5 --compiler-options '-maxrregcount 32 -Xptxas -dlcm=cg'

# ---- several launches: those that are alike are built and simulated once, which shows where nothing is kept
printf 'mmul --grid 8x8\nmmul --grid 8x8 --count 3\nmmul --count 2 --grid=8x8\nmmul --grid 4x4\n' >"$TAP_TMP/launches"
: >"$TAP_TMP/calls"
: >"$TAP_TMP/asked"
# shellcheck disable=SC2086 # launches are words
tap_ok 'a file of launches' "$PIPESIM" "$source" --gpu pascal.xml $launch --launches "$TAP_TMP/launches" --format csv --no-cache
tap_is '... builds once those that are alike, of one compilation' "$(wc -l <"$TAP_TMP/calls") $(wc -l <"$TAP_TMP/asked")" '1 2'
tap_is '... and counts all' "$(cut -d , -f 1-4 "$TAP_OUT" | tail -n +2 | paste -s -d ' ')" \
    'mmul,64,64,1 mmul,64,64,3 mmul,64,64,2 mmul,16,64,1 total,,,7'

# ---- the launch
# shellcheck disable=SC2086 # as above
other() {
    tap_ok "$1" "$PIPESIM" "$source" $2 --format csv
    cp "$TAP_OUT" "$TAP_TMP/kept.csv"
    tap_ok '... and without what is kept' "$PIPESIM" "$source" $2 --format csv --no-cache
    tap_is '... is the same' "$(cat "$TAP_TMP/kept.csv")" "$(cat "$TAP_OUT")"
}
other 'another grid' "--gpu pascal.xml --grid 4x4 $launch"
other 'another GPU' "--gpu gtx660.xml --grid 8x8 $launch"
other 'another argument' "$gpu $(echo "$launch" | sed s/size=64/size=32/)"
# ---- the folder
: >"$TAP_TMP/calls"
: >"$TAP_TMP/asked"
find "$kept" -type f >"$TAP_TMP/files"
while read -r file; do
    head -c 40 "$file" >"$TAP_TMP/cut"
    cp "$TAP_TMP/cut" "$file"
done <"$TAP_TMP/files"
ran 'all that is kept is cut off' 1 1
while read -r file; do
    # one time in 256 it is an X already
    if dd if="$file" bs=1 skip=50 count=1 2>/dev/null | grep -q X; then
        other=Y
    else
        other=X
    fi
    printf '%s' $other | dd of="$file" bs=1 seek=50 conv=notrunc 2>/dev/null
done <"$TAP_TMP/files"
ran 'and damaged' 2 2
ran '... and made anew' 2 2
rm -r "$kept"
echo 'no folder' >"$kept"
ran 'no folder can be made' 3 3
tap_is '... which is said once' "$(grep -c "^pipesim: warning: $kept: cannot be written: .*, so what is compiled and built is not kept" "$TAP_ERR")" 1
rm "$kept"
if [ "$(id -u)" -ne 0 ]; then
    mkdir "$kept"
    chmod 500 "$kept"
    ran 'the folder can only be read' 4 4
    tap_is '... which is said once' "$(grep -c 'cannot be written: Permission denied' "$TAP_ERR")" 1
    chmod 700 "$kept"
else
    tap_skip 'the folder can only be read' 'root may write everywhere'
fi
rm -rf "$kept"
: >"$TAP_TMP/calls"
: >"$TAP_TMP/asked"
PIPESIM_CACHE=/dev/full/cache
ran 'a folder in no folder' 1 1
PIPESIM_CACHE=$kept
PIPESIM_CACHE_SIZE=16
export PIPESIM_CACHE_SIZE
ran 'nothing may stay' 2 2
tap_is '... and does not' "$(find "$kept" -type f | wc -l)" 0
PIPESIM_CACHE_SIZE=much
# shellcheck disable=SC2086 # as above
tap_exit 'a size that is none' 2 "$PIPESIM" "$source" $gpu $launch
tap_like '... is said' "^pipesim: PIPESIM_CACHE_SIZE: 'much' is no number of bytes, such as 500M or 2G" "$(cat "$TAP_ERR")"
unset PIPESIM_CACHE_SIZE
full="$corpus/mmul08.ptx $gpu $launch --registers none --format csv"
# shellcheck disable=SC2086 # as above
"$PIPESIM" $full --no-cache >"$TAP_TMP/full" 2>/dev/null
# shellcheck disable=SC2086 # as above
(ulimit -f 0; "$PIPESIM" $full 2>&1) | cat >"$TAP_TMP/said"
tap_is 'a disk that is full changes nothing' "$(grep -v '^pipesim: ' "$TAP_TMP/said")" "$(cat "$TAP_TMP/full")"
tap_is '... and is said once' "$(grep -c "^pipesim: warning: $kept: cannot be written: File too large, so" "$TAP_TMP/said")" 1
for number in 1 2 3 4; do
    # shellcheck disable=SC2086 # as above
    "$PIPESIM" "$source" $gpu $launch --format csv >"$TAP_TMP/answer.$number" 2>/dev/null &
done
wait
tap_is 'four at once say the same' "$(cat "$TAP_TMP"/answer.[1-4])" "$(cat "$TAP_TMP/answer" "$TAP_TMP/answer" "$TAP_TMP/answer" "$TAP_TMP/answer")"

# ---- several launches of one source
: >"$TAP_TMP/calls"
# shellcheck disable=SC2086 # as above
tap_ok 'two launches that keep nothing' "$PIPESIM" "$source" --gpu pascal.xml $launch --no-cache --kernel mmul --grid 8x8 --kernel mmul --grid 4x4
tap_is '... compile their source once' "$(wc -l <"$TAP_TMP/calls")" 1
# shellcheck disable=SC2086 # as above
tap_ok '... and once for each set of options' "$PIPESIM" "$source" --gpu pascal.xml $launch --no-cache \
    --kernel mmul --grid 8x8 --kernel mmul --grid 4x4 --compiler-options -DOTHER=1
tap_is '... which is twice more' "$(wc -l <"$TAP_TMP/calls")" 3
# shellcheck disable=SC2086 # as above
tap_ok 'two architectures that are compared' "$PIPESIM" compare "$source" --gpu pascal.xml $launch --grid 8x8 --no-cache \
    --versus --arch compute_75
tap_is '... take a compilation each' "$(wc -l <"$TAP_TMP/calls")" 5
tap_done

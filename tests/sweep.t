#!/bin/sh
# SPDX-License-Identifier: BSD-3-Clause
# Runs: nightly
# Sweeps that are stopped and resumed, split and joined: always the bytes of one that ran through.
. tests/tap.sh

input=tests/golden/input
# A name that needs quotes, and begins as a formula; a size that fails for every third point; a list that
# depends on another one.
sed 's/name="chain"/name="=a, \&quot;b\&quot;\&#10;c"/' $input/chain.idg >"$TAP_TMP/odd.idg"
gpu="--gpu $input/toy.xml"
points="$input/chain.idg $TAP_TMP/odd.idg $gpu --vary group-size=32,512,64 --vary active=1..max"
points="$points --vary alu.issue=1..2+0.5 --groups 8"
full=$TAP_TMP/full.csv
part=$TAP_TMP/part.csv

# says NAME PATTERN: the last command has said so, in one line beside its warnings.
says() {
    tap_like "$1" "$2" "$(grep -v ' warning: ' "$TAP_ERR")"
    tap_is '... in one line' "$(grep -cv ' warning: ' "$TAP_ERR")" 1
}

# keeps NAME: part.csv still is what part.before has.
keeps() {
    tap_ok "$1" cmp "$part" "$TAP_TMP/part.before"
}

# shellcheck disable=SC2046,SC2086 # $points is several words, and so is what find finds
{
# ---- a point that fails
tap_exit 'a sweep goes on behind a point that fails' 1 "$PIPESIM" sweep $points --format csv \
    --output "$full"
total=$(grep -c ',s[0-9a-f]*$' "$full")
tap_is '... and has a row for every point' "$total" 50
tap_is '... one is empty but for what it is' "$(sed -n 14p "$full" | cut -d, -f 1-11)" \
    'chain,Toy,512,,,,,,,,'
tap_is '... every row ends with the same' "$(sed -n 's/.*,\(s[0-9a-f]*\)$/\1/p' "$full" | sort -u | wc -l)" 1
tap_is '... the failed ones are said' "$(grep -c 'too large.*group-size=512' "$TAP_ERR")" 2

# ---- resuming
tap_exit 'a file that is not there is begun' 1 "$PIPESIM" sweep $points --resume "$part"
tap_ok '... as one sweep writes it' cmp "$part" "$full"
bytes=$(wc -c <"$full")
cut=0
wrong=
while [ "$cut" -lt "$bytes" ]; do
    head -c "$cut" "$full" >"$part"
    "$PIPESIM" sweep $points --resume "$part" --jobs 2 >"$TAP_OUT" 2>"$TAP_ERR"
    [ $? -eq 1 ] && cmp -s "$part" "$full" || wrong="$wrong $cut"
    cut=$((cut + 61))
done
tap_is 'cut off anywhere, it becomes the same' "$wrong" ''
head -c 900 "$full" >"$part"
head -c 5000 /dev/zero >>"$part"
tap_exit 'a power cut leaves zeros' 1 "$PIPESIM" sweep $points --resume "$part"
tap_ok '... which are cut off' cmp "$part" "$full"
{ cat "$full" && head -c 3000000 /dev/zero; } >"$part"
tap_exit 'zeros behind a whole file' 1 "$PIPESIM" sweep $points --resume "$part"
tap_like '... need nothing' 'all 50 points are there; nothing to do' "$(cat "$TAP_ERR")"
tap_ok '... and are cut off' cmp "$part" "$full"
tap_exit 'a whole file' 1 "$PIPESIM" sweep $points --resume "$part"
tap_like '... needs nothing' 'all 50 points are there; nothing to do' "$(cat "$TAP_ERR")"
tap_like '... but tells that points had failed' '2 of the 50 points that were there had failed' \
    "$(cat "$TAP_ERR")"
tap_ok '... and is left' cmp "$part" "$full"
tap_ok 'the same name as output is no error' "$PIPESIM" sweep $input/chain.idg $gpu --vary n=1,2 \
    --format csv --resume "$TAP_TMP/both.csv" --output "$TAP_TMP/both.csv"

slow="sweep mmul08.idg --gpu pascal.xml --param size=128 --no-fast-forward --vary active=1..32"
slow="$slow --vary local.issue=1..1000"
has_more() {
    test "$(awk 'END { print NR }' "$TAP_TMP/slow.csv")" -gt "$1"
}
# runs_until LINES: the slow sweep, as $!, once its file has more lines than that.
runs_until() {
    "$PIPESIM" $slow --resume "$TAP_TMP/slow.csv" 2>/dev/null &
    tap_wait has_more "$1"
}
rows=1
for signal in TERM KILL; do
    runs_until "$rows"
    kill -$signal $! && wait $! 2>/dev/null
    before=$rows rows=$(wc -l <"$TAP_TMP/slow.csv")
    tap_ok "SIG$signal leaves what was done" test "$rows" -gt "$before"
done
runs_until "$rows"
tap_exit 'two at a time' 1 "$PIPESIM" $slow --resume "$TAP_TMP/slow.csv"
says '... do not write one file' 'slow.csv: cannot be continued: another sweep is writing it'
kill $! && wait $! 2>/dev/null

# ---- a file of another sweep
small="sweep $input/chain.idg $gpu"
"$PIPESIM" $small --vary n=1..9 --format csv 2>/dev/null | head -c 300 >"$TAP_TMP/part.before"
# other NAME PATTERN ARGUMENTS...: is refused, and the file stays as it was.
other() {
    name=$1 pattern=$2
    shift 2
    cp "$TAP_TMP/part.before" "$part"
    tap_exit "$name" 1 "$PIPESIM" "$@" --resume "$part"
    says '... is another sweep' "$pattern"
    keeps '... whose file stays as it was'
}
row='part.csv:[23]:[0-9]*: this row is not that of point [12] of this sweep \(.*n=[1-9].*left as it is$'
sed 's/completion="4"/completion="5"/' $input/toy.xml >"$TAP_TMP/toy.xml"
sed 's/<param name="n" value="4"/<param name="n" value="5"/' $input/chain.idg >"$TAP_TMP/chain.idg"
other 'another list' "$row" $small --vary n=1..10
other 'other values' "$row" $small --vary n=1,3,9
other 'another clock' "$row" $small --vary n=1..9 --clock 900
other 'another launch' "$row" $small --vary n=1..9 --groups 3
other 'another policy' "$row" $small --vary n=1..9 --policy oldest
other 'another GPU of that name' "$row" sweep $input/chain.idg --gpu "$TAP_TMP/toy.xml" --vary n=1..9
other 'another graph of that name' "$row" sweep "$TAP_TMP/chain.idg" $gpu --vary n=1..9
other 'a shard' 'its header is' $small --vary n=1..9 --shard 1/2
other 'another name' 'its header is' $small --vary active=1..9
other 'a what-if' 'its header is' $small --vary n=1..9 --what-if alu.issue=2
"$PIPESIM" $small --vary n=1..9 --format csv 2>/dev/null >"$TAP_TMP/part.before"
sed -n 2p "$TAP_TMP/part.before" >"$part" && cat "$part" >>"$TAP_TMP/part.before"
other 'a row too many' 'part.csv:11: all points of this sweep stand above' $small --vary n=1..9
printf 'kernel,gpu,n,\0\n' >"$TAP_TMP/part.before"
other 'a byte of zero' 'part.csv:1: this is no comma-separated row' $small --vary n=1..9
head -c 3000000 /dev/zero | tr '\0' x >"$TAP_TMP/part.before"
other 'an endless line' 'part.csv:1: this is no comma-separated row' $small --vary n=1..9
{ cat "$full" && printf '\0x'; } >"$TAP_TMP/part.before"
other 'more than zeros behind a whole file' 'part.csv:[0-9]*: this is no comma-separated row' sweep $points
printf 'notes' >"$TAP_TMP/part.before"
other 'a line without an end' 'its header is .notes.' $small --vary n=1..9

# broken NAME CELL MESSAGE SCRIPT: with a broken cell in its third row the file is not continued, wherever it ends.
broken() {
    for rows in 3 9; do
        "$PIPESIM" $small --vary alu.completion=1..9 --measured 2 --format csv 2>/dev/null | head -n $((rows + 1)) |
            awk -F, -v OFS=, -v "name=$2" -v "script=$4" 'NR == 1 { for (i = 1; i <= NF; i++) at[$i] = i }
                NR == 3 { i = at[name]; $i = script == "." ? "" : script ~ /^[+]/ ? $i substr(script, 2) : script }
                { print }' >"$TAP_TMP/part.before"
        other "$1" "part.csv:3:[0-9]+: $3.*; the file was changed" $small --vary alu.completion=1..9 --measured 2
    done
}
broken 'cycles that are none' cycles "cycles: 'oops'" oops
broken '... that are not there' cycles 'cycles: there is no value' .
broken '... with zeros behind' cycles "cycles: '.*00'" +.00
broken '... with a sign' cycles "cycles: '-5'" -5
broken 'groups out of range' active_groups "active_groups: '0'" 0
broken '... with a zero in front' active_warps "active_warps: '01'" 01
broken 'seconds spelled otherwise' seconds "seconds: '1e-3'" 1e-3
broken '... without an end' seconds "seconds: 'nan'" nan
broken '... with digits that nobody writes' result_seconds "result_seconds: '0.12345678901'" 0.12345678901
broken 'seconds below zero' seconds "seconds: '-1.0'" -1.0
broken 'a flag that is none' clamped "clamped: 'True'" True
broken 'a name with quotes that it does not need' busiest "busiest: '\"alu\"'" '"alu"'
broken 'another time that was measured' measured_seconds "measured_seconds: '0.003'" 0.003
broken 'a cell too many' half_width_seconds "measured_seconds: '0.0021'" '0.0,0.0021'
broken 'another figure' cycles 'check: it does not fit the row, whose check is c[0-9a-f]*' 12345
broken 'another pipeline' busiest 'check: it does not fit the row' blu
broken 'another check' check 'check: it does not fit the row' c00000000
broken 'a row that goes on' sweep 'the row goes on behind its last column' +,1
sed 's/<idg/ <!-- a comment --> <idg/' $input/chain.idg >"$TAP_TMP/renamed.idg"
"$PIPESIM" $small --vary n=1..9 --format csv 2>/dev/null | head -c 300 >"$part"
tap_ok 'comments, names and threads do not matter' "$PIPESIM" sweep "$TAP_TMP/renamed.idg" $gpu \
    --vary n=1..9 --no-fast-forward --jobs 1 --resume "$part"
printf '' >"$part"
chmod 400 "$part"
if [ -w "$part" ]; then
    tap_skip 'a file that may not be written' 'root may write all'
else
    tap_exit 'a file that may not be written' 1 "$PIPESIM" $small --vary n=1 --resume "$part"
    says '... is said' 'part.csv: cannot be continued: Permission denied'
    chmod 200 "$part"
    tap_exit 'nor read' 1 "$PIPESIM" $small --vary n=1 --resume "$part"
    says '... is said' 'part.csv: cannot be continued: Permission denied'
fi
rm -f "$part"
mkfifo "$TAP_TMP/pipe"
tap_exit 'a pipe' 1 timeout 600 "$PIPESIM" $small --vary n=1 --resume "$TAP_TMP/pipe"
says '... is no plain file' 'it is no plain file'
if [ -w /dev/full ]; then
    tap_exit 'a full disk' 1 sh -c "ulimit -f 1 && trap '' XFSZ && exec $PIPESIM $small \
        --vary alu.issue=1..99 --resume $part"
    says '... is said' 'part.csv: cannot be written: File too large'
    tap_ok '... with room again, it goes on' "$PIPESIM" $small --vary alu.issue=1..99 \
        --resume "$part"
    "$PIPESIM" $small --vary alu.issue=1..99 --format csv >"$TAP_TMP/room.csv" 2>/dev/null
    tap_ok '... as if nothing had been' cmp "$TAP_TMP/room.csv" "$part"
fi

# ---- shards
# Fewer files may be open at first than there are shards.
with_few_files() {
    # shellcheck disable=SC3045 # dash and bash have it
    (ulimit -S -n 40 && "$@")
}
for n in 1 3 4 50; do
    k=0
    while [ "$k" -lt "$n" ]; do
        k=$((k + 1))
        "$PIPESIM" sweep $points --shard "$k/$n" >"$TAP_TMP/s$n-$k.csv" 2>/dev/null
    done
    tap_ok "$n shards are joined, in whatever order" with_few_files "$PIPESIM" sweep --merge \
        $(find "$TAP_TMP" -name "s$n-*.csv" | sort -r) --output "$TAP_TMP/merged.csv"
    tap_ok '... to what one sweep writes' cmp "$TAP_TMP/merged.csv" "$full"
done
tap_is 'every N-th point is of a shard' "$(sed -n 's/.*,2\/3,\([0-9]*\),50$/\1/p' \
    "$TAP_TMP/s3-2.csv" | head -n 3 | tr '\n' ' ')" '2 5 8 '
head -c 700 "$TAP_TMP/s3-2.csv" >"$part"
tap_exit 'a shard that was cut off' 1 "$PIPESIM" sweep $points --shard 2/3 --resume "$part"
tap_ok '... goes on' cmp "$part" "$TAP_TMP/s3-2.csv"
tap_ok 'standard input can be a part' sh -c "$PIPESIM sweep --merge $TAP_TMP/s3-1.csv - \
    $TAP_TMP/s3-3.csv <$part | cmp - $full"
tap_exit '... and another shard is not continued' 1 "$PIPESIM" sweep $points --shard 1/3 \
    --resume "$part"
says '... is said' 'part.csv:2:[0-9]*: this row is not that of point 1 of this sweep'

# refuses NAME PATTERN PART...: the parts are not joined, and an old file stays.
refuses() {
    name=$1 pattern=$2
    shift 2
    echo old >"$TAP_TMP/merged.csv"
    tap_exit "$name" 1 "$PIPESIM" sweep --merge "$@" --output "$TAP_TMP/merged.csv"
    says '... is said' "$pattern"
    tap_is '... and nothing is written' "$(cat "$TAP_TMP/merged.csv")" old
}
s=$TAP_TMP/s3
t=$TAP_TMP/t
cut_lines() { head -n "-$1" "$s-2.csv" >"$t.csv"; }
refuses 'the first part missing' 'shard 1/3 is missing' "$s-2.csv" "$s-3.csv"
refuses 'the second' 'shard 2/3 is missing' "$s-1.csv" "$s-3.csv"
refuses 'the last' 'shard 3/3 is missing' "$s-1.csv" "$s-2.csv"
refuses 'one twice' 's3-2.csv and .*s3-2.csv are both shard 2/3' "$s-1.csv" "$s-2.csv" "$s-2.csv"
refuses '... beside all' 'are both shard 1/3' "$s-1.csv" "$s-2.csv" "$s-1.csv" "$s-3.csv"
refuses 'another number of shards' 's3-1.csv is one of 3 shards, and .*s4-2.csv one of 4' \
    "$s-1.csv" "$TAP_TMP/s4-2.csv" "$s-3.csv"
cut_lines 1
refuses 'a row cut off at the end' 't.csv: the part is cut off before point 50 of 50' \
    "$s-1.csv" "$t.csv" "$s-3.csv"
head -c -20 "$s-2.csv" >"$t.csv"
refuses 'half a row' 't.csv:[0-9]*: the part is cut off in this row' "$s-1.csv" "$t.csv" "$s-3.csv"
head -n 1 "$s-2.csv" >"$t.csv"
refuses 'a header alone' 'shard 2/3 is missing among the parts; .*t.csv has no point' \
    "$s-1.csv" "$t.csv" "$s-3.csv"
refuses '... and nothing beside' 't.csv: there is no point in this part' "$t.csv"
head -c 20 "$s-2.csv" >"$t.csv"
refuses 'half a header' 't.csv:1: this is no part of a sweep' "$s-1.csv" "$t.csv" "$s-3.csv"
sed 4d "$s-2.csv" >"$t.csv"
refuses 'a row lost' 't.csv:[0-9]*: this is point 11, and point 8 is due' \
    "$s-1.csv" "$t.csv" "$s-3.csv"
{ cat "$s-2.csv" && tail -n 2 "$s-2.csv"; } >"$t.csv"
refuses 'a row twice' 't.csv:[0-9]*: ' "$s-1.csv" "$t.csv" "$s-3.csv"
refuses 'a whole sweep' 'full.csv:1: this is the CSV of a whole sweep' "$full"
refuses 'no CSV' 'toy.xml:1: this is no part of a sweep' "$s-1.csv" "$TAP_TMP/toy.xml"
refuses 'an endless file' '/dev/zero:1: this is no comma-separated row' "$s-1.csv" /dev/zero
"$PIPESIM" sweep $points --clock 1 --shard 2/3 >"$t.csv" 2>/dev/null
refuses 'a part of another sweep' 'are parts of different sweeps: of other options' \
    "$s-1.csv" "$t.csv" "$s-3.csv"
sed 's/,50$/,53/' "$s-2.csv" >"$t.csv"
refuses '... of other points' 'are parts of different sweeps: of other options' \
    "$s-1.csv" "$t.csv" "$s-3.csv"
"$PIPESIM" $small --vary n=1..9 --shard 2/3 >"$t.csv" 2>/dev/null
refuses '... with other columns' 'are parts of different sweeps: their columns differ' \
    "$s-1.csv" "$t.csv" "$s-3.csv"
sed '3s/false/true/' "$s-2.csv" >"$t.csv"
refuses 'a row that was changed' 't.csv:3: this row was changed: its check does not fit it' \
    "$s-1.csv" "$t.csv" "$s-3.csv"
sed '$s/,2\/3,/,1\/3,/' "$s-2.csv" >"$t.csv"
refuses 'a row that contradicts itself' 't.csv:[0-9]*: this is no row of a part' \
    "$s-1.csv" "$t.csv" "$s-3.csv"

# Of three points in five shards the first three parts have one each. Every choice of parts that has these is the whole;
# every other is refused.
"$PIPESIM" $small --vary n=1..3 --format csv >"$TAP_TMP/whole.csv" 2>/dev/null
for i in 1 2 3 4 5; do
    "$PIPESIM" $small --vary n=1..3 --shard $i/5 >"$TAP_TMP/five-$i.csv" 2>/dev/null
done
wrong=
for choice in $(seq 31); do
    parts=
    for i in 1 2 3 4 5; do
        [ $((choice >> (i - 1) & 1)) = 0 ] || parts="$parts $TAP_TMP/five-$i.csv"
    done
    if "$PIPESIM" sweep --merge $parts --output "$TAP_TMP/merged.csv" 2>/dev/null; then
        [ $((choice & 7)) = 7 ] && cmp -s "$TAP_TMP/merged.csv" "$TAP_TMP/whole.csv"
    else
        [ $((choice & 7)) != 7 ]
    fi || wrong="$wrong $choice"
done
tap_is 'any parts that have all points are the whole, and no others are' "$wrong" ''

# ---- many points
# peak POINTS: the sweep's memory in kB when nearly all is written; all of it cannot be, since
# nobody reads the rest.
mkfifo "$TAP_TMP/rows"
peak() {
    "$PIPESIM" $small --param n=1 --groups 1 --vary "alu.completion=1..$1" --format csv --jobs 2 \
        >"$TAP_TMP/rows" 2>/dev/null &
    {
        head -n "$(($1 - 3000))" >/dev/null
        awk '/^VmHWM:/ { print $2 }' "/proc/$!/status"
        cat >/dev/null
    } <"$TAP_TMP/rows"
    wait $!
}
if [ -n "$PIPESIM_CHECKER" ]; then
    tap_skip 'memory of a long sweep' "$PIPESIM_CHECKER needs memory of its own"
else
    few=$(peak 4000)
    many=$(peak 100000)
    tap_ok "100 000 points ($many kB) need no more memory than 4 000 ($few kB)" \
        test "$many" -lt "$((few + 2048))"
    tap_ok 'ten million points begin at once' sh -c "timeout 600 $PIPESIM $small \
        --vary alu.completion=1..10000000 --format csv 2>/dev/null | head -n 3 | grep -q Toy,2"
fi
}
tap_done

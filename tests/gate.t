#!/bin/sh
# SPDX-License-Identifier: BSD-3-Clause
# Runs: check sanitize
# pipesim gate: kernels before a change and after it, in files and folders, what fails and where, in each format.
. tests/tap.sh

data=tests/gate
before=$data/before.cubin

tap_ok 'nothing changed' "$PIPESIM" gate $before $before
tap_is '... is said' "$(cat "$TAP_OUT")" 'No kernel is worse than is allowed; 0 of 4 kernels differ'
tap_exit 'a kernel that spills fails' 1 "$PIPESIM" gate $before $data/spilled.cubin
tap_like '... with its figures' '^  sums  sm_80  FAILS  32 -> 24  0 -> 40  0 -> 22 +0  60 -> 84$' "$(cat "$TAP_OUT")"
tap_like '... and the line with most of it' '^- kernels/sums\.cu:8: sums: 0 bytes of stack before, 40 after' "$(cat "$TAP_OUT")"
tap_is '... nothing else fails' "$(grep -c FAILS "$TAP_OUT")" 1
tap_is '... and nothing is on standard error' "$(cat "$TAP_ERR")" ''
tap_ok 'the way back is none worse' "$PIPESIM" gate $data/spilled.cubin $before

tap_exit 'an occupancy that falls fails' 1 "$PIPESIM" gate $before $data/after.cubin --gpu a100 --block 128
tap_like '... by shared memory' 'tile .*FAILS .*1 024 -> 49 152 .*100.0 % -> 18\.8 %' "$(cat "$TAP_OUT")"
tap_like '... others are new' 'fresh +sm_80 +new' "$(cat "$TAP_OUT")"
tap_like '... or gone' 'gone +sm_80 +gone' "$(cat "$TAP_OUT")"
tap_is '... what is the same is not listed' "$(grep -c scale "$TAP_OUT")" 0
tap_ok 'limits are taken off' "$PIPESIM" gate $before $data/after.cubin --gpu a100 --limit stack=none --limit local=none \
    --limit occupancy=none
tap_ok 'growth up to the limit' "$PIPESIM" gate $before $data/after.cubin --limit stack=96 --limit local=30 --limit registers=15
tap_exit '... and beyond' 1 "$PIPESIM" gate $before $data/after.cubin --limit stack=96 --limit local=30 --limit registers=14
tap_like '... is told' 'sums: 32 registers of a thread before, 47 after; at most 14 more is allowed' "$(tr '\n' ' ' <"$TAP_OUT" | sed 's/  */ /g')"
tap_ok 'in per cent' "$PIPESIM" gate $before $data/after.cubin --limit stack=none --limit local=none --limit registers=46.875%
tap_exit '... a little less' 1 "$PIPESIM" gate $before $data/after.cubin --limit stack=none --limit local=none --limit registers=46.8%
tap_exit 'of nothing, any growth is too much' 1 "$PIPESIM" gate $before $data/after.cubin --limit stack=900% --limit local=none

# What limits the occupancy, and the next step.
tap_exit 'steps' 1 "$PIPESIM" gate $before $data/after.cubin --gpu a100 --block 384
tap_like '... fewer registers' '^  sums  registers +40 registers of a thread at most: 4 groups at once, 75.0 % of the warps$' "$(cat "$TAP_OUT")"
tap_like '... fewer bytes' '^  tile  local memory +40 960 bytes of local memory at most: 4 groups at once, 50.0 % of the warps$' "$(cat "$TAP_OUT")"

tap_exit 'threads that nobody says' 1 "$PIPESIM" gate $before $data/spilled.cubin --gpu a100
tap_is '... give no table of them' "$(grep -c '^Occupancy' "$TAP_OUT")" 0

# The formats of other programs have the same findings.
words="0 bytes of stack before, 40 after; no more is allowed; 12 of the kernel's 22 accesses to local memory are in this line"
tap_exit 'notes' 1 "$PIPESIM" gate $before $data/spilled.cubin --format notes
tap_is '... as compilers write them' "$(head -n 1 "$TAP_OUT")" "kernels/sums.cu:8: error: sums: $words"
tap_exit 'commands of workflows' 1 "$PIPESIM" gate $before $data/spilled.cubin --format github
tap_is '... show it beside the line' "$(head -n 1 "$TAP_OUT")" "::error file=kernels/sums.cu,line=8,title=sums%3A stack::$words"
tap_exit 'a test report' 1 "$PIPESIM" gate $before $data/spilled.cubin --format junit
cp "$TAP_OUT" "$TAP_TMP/junit.xml"
tap_ok '... is XML' xmllint --noout "$TAP_TMP/junit.xml"
"$PIPESIM" gate $before $data/after.cubin --format junit >"$TAP_TMP/junit.xml"
tap_is '... with a case for each kernel that differs' "$(xmllint --xpath 'count(//testcase)' "$TAP_TMP/junit.xml")" 4
tap_is '... and what fails' "$(xmllint --xpath 'string(//testcase[failure]/@name)' "$TAP_TMP/junit.xml")" sums
tap_exit 'a log of SARIF' 1 "$PIPESIM" gate $before $data/spilled.cubin --format sarif
cp "$TAP_OUT" "$TAP_TMP/log.sarif"
# shellcheck disable=SC2016 # $r is Perl's
tap_ok '... is JSON with its place' perl -MJSON::PP -e 'my $r = decode_json(join "", <>)->{runs}[0];
    my $f = $r->{results}[0]; my $p = $f->{locations}[0]{physicalLocation};
    exit !($f->{ruleId} eq "stack" && $f->{level} eq "error" && $p->{artifactLocation}{uri} eq "kernels/sums.cu" &&
           $p->{region}{startLine} == 8 && @{$r->{tool}{driver}{rules}} == 2)' "$TAP_TMP/log.sarif"
tap_ok 'notes where nothing is wrong' "$PIPESIM" gate $before $before --format notes
tap_is '... are none' "$(cat "$TAP_OUT")" ''
tap_ok 'advice as notes' "$PIPESIM" tests/explain/conflict.idg --gpu tests/explain/gpu.xml --advise --format notes
tap_like '... is at its line' '^conflict\.cl:3: note: conflict: .* that is a bank conflict of degree 4$' "$(cat "$TAP_OUT")"
tap_ok 'advice as SARIF' "$PIPESIM" tests/explain/conflict.idg --gpu tests/explain/gpu.xml --advise --format sarif
tap_like '... with the same place' '"uri": "conflict\.cl"}, "region": ."startLine": 3' "$(cat "$TAP_OUT")"

# Folders: cubins and objects in them, and below.
mkdir -p "$TAP_TMP/a/deep" "$TAP_TMP/b/deep" "$TAP_TMP/b/.git" "$TAP_TMP/none"
cp $before "$TAP_TMP/a/deep/kernels.cubin"
cp $data/spilled.cubin "$TAP_TMP/b/deep/kernels.cubin"
cp $before "$TAP_TMP/b/.git/other.cubin"
printf 'no machine code' >"$TAP_TMP/a/notes.o"
tap_exit 'folders' 1 "$PIPESIM" gate "$TAP_TMP/a" "$TAP_TMP/b"
tap_like '... the same kernels' '^1 of 4 kernels' "$(cat "$TAP_OUT")"
tap_is '... what is hidden or no machine code stays out, unsaid' "$(grep -c Note "$TAP_OUT")" 0
# Two files have kernels of one name: each is held against its own.
cp $data/spilled.cubin "$TAP_TMP/a/other.cubin"
cp $data/spilled.cubin "$TAP_TMP/b/other.cubin"
tap_exit 'files with kernels of one name' 1 "$PIPESIM" gate "$TAP_TMP/a" "$TAP_TMP/b" --format csv
tap_like '... are told apart by their files' '^sums,sm_80,deep/kernels\.cubin,failed,32,24,0,40,0,22,0,0,60,84,,,,,,$' "$(cat "$TAP_OUT")"
tap_is '... each alone' "$(wc -l <"$TAP_OUT")" 2
# An archive has cubins like any file.
ar r "$TAP_TMP/libk.a" $before 2>/dev/null
tap_ok 'an archive' "$PIPESIM" gate "$TAP_TMP/libk.a" $before
cat $before $data/before-90.cubin >"$TAP_TMP/both.fatbin"
tap_ok 'several architectures' "$PIPESIM" gate "$TAP_TMP/both.fatbin" $before
tap_is '... each is compared with its own' "$(grep -c 'sm_90 *gone' "$TAP_OUT")" 4
tap_ok '... with a GPU, that which suits it' "$PIPESIM" gate "$TAP_TMP/both.fatbin" $before --gpu a100
tap_is '... alone' "$(grep -c sm_90 "$TAP_OUT")" 0
tap_like '... and what is not known is told' 'the occupancy of 3 kernels is not known' "$(tr '\n' ' ' <"$TAP_OUT" | sed 's/  */ /g')"
# The kilobyte of the system is no byte of the kernel.
tap_ok 'Hopper' "$PIPESIM" gate $before $data/before-90.cubin --format csv
tap_like '... has the same shared memory' '^tile,sm_90,.*,added,,[0-9]+,,0,,0,,1024,' "$(cat "$TAP_OUT")"

# Many kernels: what 800 of them need, in ten seconds.
mkdir "$TAP_TMP/many"
i=0
while [ $i -lt 200 ]; do
    cp $before "$TAP_TMP/many/$i.cubin"
    i=$((i + 1))
done
tap_ok '800 kernels in ten seconds' timeout 10 "$PIPESIM" gate "$TAP_TMP/many" "$TAP_TMP/many" --gpu a100 --block 128
tap_is '... all of them' "$(head -n 1 "$TAP_OUT")" 'No kernel is worse than is allowed; 0 of 800 kernels differ (A100 SXM4 40GB)'

# ---- times and bank conflicts, where a list has the launches
mkdir -p "$TAP_TMP/was" "$TAP_TMP/is"
cp $before "$TAP_TMP/was/k.cubin"
cp $data/spilled.cubin "$TAP_TMP/is/k.cubin"
# launches KEY: a list of that head with two launches of one kernel.
launches() {
    printf '%s\n' 'gpus = "a100"' "$1" >"$TAP_TMP/kernels.toml"
    for grid in 4 400; do
        printf '%s\n' '[[kernel]]' "name = \"sums $grid\"" 'file = "k.cubin"' 'kernel = "sums"' "grid = $grid" 'block = 128' \
            'arg = ["0=zero:16M", "1=zero:16M", "2=3"]'
    done >>"$TAP_TMP/kernels.toml"
}
# timed STATUS NAME ARGUMENT...: a gate with these launches, whose stack and accesses are free.
timed() {
    status=$1 name=$2
    shift 2
    tap_exit "$name" "$status" "$PIPESIM" gate "$TAP_TMP/was" "$TAP_TMP/is" --gpu a100 --launches "$TAP_TMP/kernels.toml" \
        --limit stack=none --limit local=none "$@"
}
# A graph of that name has the launch as well: 64 groups of 2 warps, 21 000 loads of 7 further passes each.
graph() {
    sed "s/COUNT/1000/; s/LINE\"/3\"/; s/name=\"chain\"/name=\"sums\"/; s/class=\"fmadd\"/class=\"$1\"/" "$data/chain.idg.in"
}
graph local.load >"$TAP_TMP/was/sums.idg"
graph local.load.c8 >"$TAP_TMP/is/sums.idg"
printf '%s\n' 'gpus = "a100"' 'slower = "900%"' '[[kernel]]' 'file = "sums.idg"' >"$TAP_TMP/kernels.toml"
timed 0 'more bank conflicts'
timed 1 '... where no more are allowed' --limit conflicts=0
tap_like '... are told' ' 0 passes for bank conflicts before, 18 816 000 after; no more is allowed' \
    "$(tr '\n' ' ' <"$TAP_OUT" | sed 's/  */ /g')"
cp "$TAP_TMP/was/k.cubin" "$TAP_TMP/is/more.cubin"
timed 1 'launches of one of two kernels'
tap_is '... are not left out' "$(cat "$TAP_ERR")" "pipesim: $TAP_TMP/is/sums.idg: sums.idg of the launches is no kernel of \
$TAP_TMP/is, or several of it are"
rm "$TAP_TMP/is/more.cubin" "$TAP_TMP/was/sums.idg"
timed 0 'launches of a kernel that was not there'
tap_like '... are told' 'Note: .*/was/sums\.idg: not there, so sums\.idg has no time' "$(tr '\n' ' ' <"$TAP_OUT" | sed 's/  */ /g')"
rm "$TAP_TMP/is/sums.idg"
timed 1 'launches of a kernel that is nowhere'
tap_is '... are an error' "$(cat "$TAP_ERR")" "pipesim: $TAP_TMP/kernels.toml:3: sums.idg is in neither folder"
if command -v nvdisasm >"$TAP_TMP/nvdisasm"; then
    launches 'slower = "0%"'
    timed 1 'a kernel whose launches take longer fails'
    tap_like '... the table has conflicts and time' 'conflicts +time +change$' "$(cat "$TAP_OUT")"
    tap_like '... of the kernel' '^  sums .* FAILS .* 0 +[0-9.]+ us +\+[0-9.]+ %$' "$(cat "$TAP_OUT")"
    tap_like '... the finding has the line that grew most' \
        '^- kernels/sums\.cu:12: sums: .* us for its launches before, .*; no more is allowed; .* of this line$' \
        "$(tr '\n' ' ' <"$TAP_OUT" | sed 's/  */ /g; s/ - /\n- /g; s/line .*$/line/')"
    timed 1 '... in a test report' --format junit
    tap_like '... too' '<failure type="time" message="[^"]* for its launches' "$(cat "$TAP_OUT")"
    timed 1 '... and beside its line' --format github
    tap_like '... in the source' '^::error file=kernels/sums\.cu,line=12,title=sums%3A time::' "$(cat "$TAP_OUT")"
    timed 1 '... and in columns' --format csv
    together=$(tail -n 1 "$TAP_OUT" | cut -d, -f19)
    sed -i '/sums 400/,$d' "$TAP_TMP/kernels.toml" && sed -i '$d' "$TAP_TMP/kernels.toml"
    timed 1 'one launch' --format csv
    # shellcheck disable=SC2016 # @ARGV is Perl's
    tap_ok '... takes less than two' perl -e 'exit !($ARGV[0] > $ARGV[1] && $ARGV[1] > 0)' "$together" \
        "$(tail -n 1 "$TAP_OUT" | cut -d, -f19)"
    launches 'slower = "60%"'
    timed 0 'as much slower as the list allows'
    timed 0 '... with no more conflicts' --limit conflicts=0
    sed -i 's/"sums"/"nosuch"/' "$TAP_TMP/kernels.toml"
    timed 1 'a name that no kernel has'
    tap_like '... is an error with the name of the launch' '^pipesim: sums 4: ' "$(cat "$TAP_ERR")"
else
    tap_skip 'launches of cubins' 'nvdisasm is not installed'
fi

# refuses STATUS NAME MESSAGE ARGUMENT...: one line, which says that.
refuses() {
    status=$1 name=$2 message=$3
    shift 3
    tap_exit "$name" "$status" "$PIPESIM" gate "$@"
    tap_is '... it is said in one line' "$(cat "$TAP_ERR")" "pipesim: $message"
    tap_is '... and nothing else is' "$(cat "$TAP_OUT")" ''
}
hint='(see pipesim gate --help)'
refuses 2 'one file' "gate takes two files or folders, the one before a change and the one after it $hint" $before
refuses 1 'no such file' 'none.cubin: cannot be read: No such file or directory' $before none.cubin
refuses 1 'an empty folder' "$TAP_TMP/none: there is no kernel in it; machine code is asked for (cubins, fat binaries, objects, \
libraries), or PTX and CUDA sources" $before "$TAP_TMP/none"
head -c 4000 $before >"$TAP_TMP/cut.cubin"
refuses 1 'half a cubin' "$TAP_TMP/cut.cubin: its sections are not in the file, which is damaged or cut off" $before "$TAP_TMP/cut.cubin"
refuses 2 'no such figure' "--limit \"speed=3\" is no limit; FIGURE=GROWTH is one, and FIGURE is registers, stack, local, shared, \
instructions, occupancy or conflicts $hint" $before $before --limit speed=3
for wrong in registers=-1 registers= registers=3x registers=1e999 registers=3%%; do
    refuses 2 "no limit: $wrong" "--limit \"$wrong\": a limit is a number from 0 on (registers=4), a share (registers=3%), or \
none $hint" $before $before --limit $wrong
done
refuses 2 'a limit of the time, which is of the list' "--limit \"time=3\" is no limit; FIGURE=GROWTH is one, and FIGURE is \
registers, stack, local, shared, instructions, occupancy or conflicts $hint" $before $before --limit time=3
refuses 2 'launches without a GPU' "--launches are simulated on a GPU, which --gpu says $hint" $before $before --launches k.toml
refuses 1 'no such list' 'none.toml: cannot be read: No such file or directory' $before $before --gpu a100 --launches none.toml
refuses 2 'threads without a GPU' "--block is for the occupancy, which needs --gpu $hint" $before $before --block 64

# ---- PTX
if command -v ptxas >/dev/null; then
    tap_ok 'PTX for one architecture alone is compiled for that' "$PIPESIM" gate tests/pairs/multicast.ptx \
        tests/pairs/multicast.ptx --gpu h100
else
    tap_skip 'PTX for one architecture alone is compiled for that' 'ptxas is not installed'
fi
tap_done

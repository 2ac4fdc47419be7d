#!/bin/sh
# SPDX-License-Identifier: BSD-3-Clause
# Runs: nightly nightly-sanitize
# What golden tests cannot see: files, devices, pipes, the environment, charts, threads.
. tests/tap.sh

input=tests/golden/input
small="$input/chain.idg --gpu $input/toy.xml"
unset PIPESIM_PATH NO_COLOR

# shellcheck disable=SC2086 # $small is several words
{
# ---- output files appear whole or not at all
tap_ok 'a report goes to a file' "$PIPESIM" $small --output "$TAP_TMP/report"
tap_like '... and is the report' '^chain on Toy' "$(cat "$TAP_TMP/report")"
tap_is '... with nothing on standard output' "$(cat "$TAP_OUT")" ''
tap_exit 'a run that fails' 1 "$PIPESIM" $small --group-size 512 --output "$TAP_TMP/report"
tap_like '... leaves the old file as it was' '^chain on Toy' "$(cat "$TAP_TMP/report")"
tap_exit 'a sweep whose points all fail' 1 "$PIPESIM" sweep $small --vary group-size=512 \
    --output "$TAP_TMP/sweep" --chart "$TAP_TMP/chart.svg"
tap_is '... leaves no file, and none under another name' \
    "$(find "$TAP_TMP" -type f ! -name '.std*')" "$TAP_TMP/report"
ln -s report "$TAP_TMP/link"
tap_ok 'a link is followed' "$PIPESIM" $small --format csv --output "$TAP_TMP/link"
tap_like '... to its file' '^kernel,gpu' "$(cat "$TAP_TMP/report")"
tap_ok '... and stays one' test -L "$TAP_TMP/link"
tap_ok 'a device is written to, not replaced' "$PIPESIM" $small --output /dev/null
tap_ok '... and stays one' test -c /dev/null

# ---- standard output that cannot be written
if [ -c /dev/full ]; then
    for what in "$small" "sweep $small --vary n=1,2" 'show pascal.xml' --version 'run --help'; do
        tap_exit "full disk: $what" 1 sh -c "$PIPESIM $what >/dev/full"
        tap_like '... is said' 'standard output: cannot be written' "$(cat "$TAP_ERR")"
    done
fi
# ends_early LINES ARGUMENTS...: the exit status where the reader leaves after so many lines.
ends_early() {
    lines=$1
    shift
    { { "$PIPESIM" "$@" 2>"$TAP_ERR"; echo "$?" >&3; } | head -n "$lines" >/dev/null; } 3>&1
}
tap_is 'a reader that goes away ends a sweep as it ends other tools' \
    "$(ends_early 1 sweep $small --vary n=1..20000 --output -)" 141
tap_is '... silently but for its warning' "$(grep -v warning "$TAP_ERR")" ''
# The same of a reader that has left before, however slow the machine is.
finds_none() {
    mkfifo "$TAP_TMP/left"
    {
        { read -r _ <"$TAP_TMP/left"; "$PIPESIM" "$@" 2>"$TAP_ERR"; echo "$?" >&3; } |
            { exec <&-; echo >"$TAP_TMP/left"; }
    } 3>&1
}
tap_is '... and show' "$(finds_none show pascal.xml)" 141
tap_is '... silently' "$(cat "$TAP_ERR")" ''

# ---- a chart that is interrupted (tests/kill.t: all that writes, at any time)
mkdir "$TAP_TMP/ended" "$TAP_TMP/bin"
cat >"$TAP_TMP/bin/gnuplot" <<'END'
#!/bin/sh
echo $$ >"$GNUPLOT_PID"
cat "$GNUPLOT_PICTURE"
eval "$GNUPLOT_END"
END
chmod +x "$TAP_TMP/bin/gnuplot"
# with_gnuplot END COMMAND...: with a gnuplot that draws half a picture; no core is kept.
with_gnuplot() {
    ending=$1
    shift
    env PATH="$TAP_TMP/bin:$PATH" GNUPLOT_PID="$TAP_TMP/pid" GNUPLOT_PICTURE="$TAP_TMP/half" GNUPLOT_END="$ending" \
        sh -c 'ulimit -c 0 && exec perl -e "$@"' sh "$TAP_DEFAULT" "$@"
}
echo '<svg>' >"$TAP_TMP/half"
echo old >"$TAP_TMP/ended/chart.svg"
half="sweep $small --vary n=1,2 --chart $TAP_TMP/ended/chart.svg"
for signal in HUP:129 INT:130 QUIT:131 XCPU:152 TERM:143 KILL:137; do
    tap_exit "SIG${signal%:*} ends a chart" "${signal#*:}" with_gnuplot "kill -${signal%:*} \$PPID; exec sleep 100" "$PIPESIM" $half
    tap_is '... no other file is left' "$(ls -A "$TAP_TMP/ended")" chart.svg
    tap_is '... and the one that was there is whole' "$(cat "$TAP_TMP/ended/chart.svg")" old
    tap_wait sh -c "! kill -0 $(cat "$TAP_TMP/pid")"
    tap_exit '... gnuplot has ended, too' 1 kill -0 "$(cat "$TAP_TMP/pid")"
done
for end in 'kill -KILL $$:killed by signal 9' 'exit 3:exited with code 3' 'exit 0:its picture is cut off' \
    'echo what is this >&2; exit 1:code 1: what is this'; do
    tap_exit "a gnuplot that ends with '${end%%:*}'" 1 with_gnuplot "${end%%:*}" "$PIPESIM" $half
    tap_like '... is told' "^pipesim: gnuplot failed: .*${end#*:}\$" "$(cat "$TAP_ERR")"
    tap_is '... and leaves the old chart' "$(cat "$TAP_TMP/ended/chart.svg")" old
done

# ---- memory that runs out
if [ -n "$PIPESIM_CHECKER" ]; then
    tap_skip 'memory that runs out' "$PIPESIM_CHECKER needs memory of its own"
else
    # The least of these is too little for the libraries, before the program begins (127).
    said=
    wrong=
    for limit in $(seq 40000 6000 124000); do
        for what in "mmul08.idg --gpu pascal.xml --no-fast-forward --jobs 2 --report $TAP_TMP/limit.html" \
            "sweep $small --vary n=1..9 --jobs 4 --output $TAP_TMP/limit.txt"; do
            sh -c "ulimit -v $limit && exec $PIPESIM $what" >"$TAP_OUT" 2>"$TAP_ERR"
            status=$?
            case $status in
            0 | 127) ;;
            1) said="$said$(grep -v warning "$TAP_ERR")" ;;
            *) wrong="$wrong $limit:$status" ;;
            esac
        done
    done
    tap_is 'memory that runs out is a failure as any other' "$wrong" ''
    tap_like '... which is said' 'pipesim: out of memory: there is no room for [0-9]+ bytes more; ' "$said"
    tap_like '... as that of threads is' 'pipesim: 4 threads cannot be started: ' "$said"
fi

# ---- a sweep that a signal ends
long="sweep mmul08.idg --gpu pascal.xml --param size=256 --vary active=1..max --vary local.issue=1..999"
mkfifo "$TAP_TMP/reader"
"$PIPESIM" $long --format csv 2>/dev/null >"$TAP_TMP/reader" &
{
    read -r head && read -r row && kill $! && printf '%s\n' "$head" "$row" && cat
} <"$TAP_TMP/reader" >"$TAP_TMP/rows"
wait $! 2>/dev/null
tap_is 'a signal ends a sweep' $? 143
tap_ok 'what was done before has reached the reader' test "$(wc -l <"$TAP_TMP/rows")" -gt 1
tap_is '... in whole lines' "$(awk -F, 'NF != 20' "$TAP_TMP/rows")" ''

# ---- progress on a terminal
# on_terminal PATTERN COMMAND SIZE...: the command on a terminal, as $run, with the first of these sizes that takes so
# long that the pattern is shown. How long it takes is the machine's business.
on_terminal() {
    pattern=$1 command=$2
    shift 2
    for size; do
        run="$command --param size=$size"
        script -qec "$PIPESIM $run" /dev/null >"$TAP_TMP/terminal" </dev/null
        ! grep -qE "$pattern" "$TAP_TMP/terminal" || return 0
    done
}
if [ -n "$PIPESIM_CHECKER" ]; then
    tap_skip 'progress on a terminal' "$PIPESIM_CHECKER would take minutes"
elif script -qec true /dev/null >/dev/null 2>&1 </dev/null; then
    far='[0-9]+ of 8 points \([0-9]+ %\), [0-9]+ s left'
    on_terminal "$far" 'sweep mmul08.idg --gpu pascal.xml --no-fast-forward --jobs 1 --vary active=1..8' 832 1664 3328
    tap_like 'a long sweep shows how far it is' "$far" "$(cat "$TAP_TMP/terminal")"
    # Each line of progress must be followed by another or be wiped; then rows alone remain.
    wipe='s/[^\r]*\x1b\[K\r//g; s/\x1b\[K//g; s/\r$//'
    sed "$wipe" "$TAP_TMP/terminal" >"$TAP_TMP/wiped"
    tap_ok '... the same sweep into a file' "$PIPESIM" $run --output "$TAP_TMP/plain"
    tap_is '... has the rows that stand on the terminal' "$(cat "$TAP_TMP/wiped")" \
        "$(cat "$TAP_TMP/plain")"
    # A run is for tests/progress.t, but for one whose groups all end together.
    on_terminal 'simulating for 1 s' 'mmul08.idg --gpu pascal.xml --groups 320 --no-fast-forward' 196608 786432 3145728
    tap_like 'where nothing can be counted, it shows how long it runs' 'simulating for 1 s' \
        "$(cat "$TAP_TMP/terminal")"
else
    tap_skip 'progress on a terminal' 'script cannot make a terminal here'
fi

# ---- where files are found
mkdir "$TAP_TMP/own"
sed 's/name="chain"/name="own"/' $input/chain.idg >"$TAP_TMP/own/only-here.idg"
tap_exit 'a name is not found anywhere' 1 "$PIPESIM" only-here.idg --gpu $input/toy.xml
tap_like '... the message says what lists what there is' 'pipesim list --graphs lists what there is$' \
    "$(cat "$TAP_ERR")"
tap_exit 'nor is a GPU' 1 "$PIPESIM" show gpu-nowhere.xml
tap_like '... of GPUs, too' 'pipesim list lists what there is$' "$(cat "$TAP_ERR")"
PIPESIM_PATH=/nonexistent:$TAP_TMP/own
export PIPESIM_PATH
tap_ok 'it is found in PIPESIM_PATH' "$PIPESIM" only-here.idg --gpu $input/toy.xml
tap_ok '... without its ending, too' "$PIPESIM" only-here --gpu $input/toy
tap_like '... and is that one' '^own on Toy' "$(cat "$TAP_OUT")"
cp $input/mix.idg "$TAP_TMP/own/only-here"
tap_ok 'a file of that very name goes first' "$PIPESIM" only-here --gpu $input/toy.xml
tap_like '... and is a graph whatever it is called' '^mix on Toy' "$(cat "$TAP_OUT")"
rm "$TAP_TMP/own/only-here"
mkdir "$TAP_TMP/own/only-here"
tap_ok '... unless it is a folder' "$PIPESIM" only-here --gpu $input/toy.xml
tap_exit 'misspelt' 1 "$PIPESIM" only-hear.idg --gpu $input/toy.xml
tap_like '... it is what may have been meant' 'did you mean only-here\?$' "$(cat "$TAP_ERR")"
tap_exit 'in place of a verb, too' 2 "$PIPESIM" only-hear --gpu $input/toy.xml
tap_like '... it is what may have been meant' 'did you mean only-here\? \(see' "$(cat "$TAP_ERR")"
tap_exit 'what resembles nothing' 1 "$PIPESIM" far-away.idg --gpu $input/toy.xml
tap_like '... is told what there is' 'pipesim list --graphs lists what there is$' "$(cat "$TAP_ERR")"
cp graphs/fadd.idg "$TAP_TMP/own/v100.idg"
tap_ok 'what is both a graph and a GPU' "$PIPESIM" v100 --gpu v100 --format csv
tap_like '... is each in its place' '^fadd,Tesla V100' "$(cat "$TAP_OUT")"
rm "$TAP_TMP/own/v100.idg"
cp $input/chain.idg "$TAP_TMP/own/mmul08.idg"
tap_ok '... which goes before what comes with pipesim' "$PIPESIM" mmul08.idg --gpu $input/toy.xml
tap_like '... (it is the other file)' '^chain on Toy' "$(cat "$TAP_OUT")"
unset PIPESIM_PATH
program=$(cd "$(dirname "$PIPESIM")" && pwd)/$(basename "$PIPESIM")
tap_ok 'from another folder, what comes with pipesim is found' \
    sh -c "cd '$TAP_TMP' && '$program' show saxpy.idg"
tap_is '... and nothing is said' "$(cat "$TAP_ERR")" ''
tap_ok 'in a folder with a graph of the same name' sh -c "cd '$TAP_TMP/own' && '$program' mmul08 --gpu '$PWD/$input/toy.xml'"
tap_like '... that one is taken' '^chain on ' "$(cat "$TAP_OUT")"
tap_like '... which is said' '^pipesim: mmul08.idg of the current folder is taken, and not /.*/mmul08.idg, which has the same name$' "$(cat "$TAP_ERR")"
tap_ok '... in a roofline, too' sh -c "cd '$TAP_TMP/own' && '$program' roofline mmul08.idg --gpu '$PWD/$input/peaks.xml'"
tap_like '... which is said' 'mmul08.idg of the current folder is taken' "$(cat "$TAP_ERR")"
tap_ok 'a pipe can be read' sh -c "cat $input/chain.idg | $PIPESIM /dev/stdin --gpu $input/toy.xml"

# ---- text
tap_ok 'the report' "$PIPESIM" mmul08.idg --gpu pascal.xml --param size=64 --what-if local.issue=7
tap_is '... fits 80 columns' "$(awk 'length > 80' "$TAP_OUT")" ''
tap_is '... has no colour when it is no terminal' "$(tr -d '\n -~' <"$TAP_OUT")" ''

# ---- a sweep is the same for any number of threads
for jobs in 1 2 7; do
    tap_ok "a sweep with $jobs threads" "$PIPESIM" sweep mmul08.idg mmul16.idg --gpu pascal.xml \
        --gpu fermi.xml --param size=64 --vary active=1..max --vary local.issue=1..3+0.5 \
        --format csv --jobs $jobs --output "$TAP_TMP/jobs$jobs"
done
tap_is '... 2 as 1' "$(cmp "$TAP_TMP/jobs1" "$TAP_TMP/jobs2")" ''
tap_is '... 7 as 1' "$(cmp "$TAP_TMP/jobs1" "$TAP_TMP/jobs7")" ''

# ---- charts
chart="sweep $small --groups 64 --vary active=1..max"
if command -v gnuplot >/dev/null; then
    for type in svg png pdf; do
        tap_ok "a chart as $type" "$PIPESIM" $chart --chart "$TAP_TMP/chart.$type"
    done
    tap_like '... SVG' '^<svg' "$(cat "$TAP_TMP/chart.svg")"
    tap_like '... with its axis' 'active warps' "$(cat "$TAP_TMP/chart.svg")"
    tap_like '... and its performance' 'GFLOP/s' "$(cat "$TAP_TMP/chart.svg")"
    tap_like '... and its title as the title of the file' '^<title>chain_on_Toy</title>' \
        "$(cat "$TAP_TMP/chart.svg")"
    for word in result simulated roofline; do
        tap_like "... and its $word" ">$word<" "$(tr -d ' ' <"$TAP_TMP/chart.svg")"
    done
    "$PIPESIM" sweep $input/mix.idg --gpu $input/slow.xml --vary active=1,2 --groups 8 \
        --measured 0.001 --chart "$TAP_TMP/measured.svg" >/dev/null
    tap_like 'a measured time is a line of its own' '>measured<' \
        "$(tr -d ' ' <"$TAP_TMP/measured.svg")"
    tap_ok 'a chart of large numbers' "$PIPESIM" sweep $small --vary groups=1,1048576,33554432 \
        --param n=1 --chart "$TAP_TMP/large.svg"
    tap_like '... has ticks that people can read' '>33\.6M<' "$(tr -d ' ' <"$TAP_TMP/large.svg")"
    tap_is '... PNG' "$(head -c 4 "$TAP_TMP/chart.png" | tail -c 3)" PNG
    tap_is '... PDF' "$(head -c 4 "$TAP_TMP/chart.pdf")" %PDF
    sed "s/title=\"[^\"]*\"//; s/name=\"chain\"/name=\"it's \`id\` \$x {\/Bold b}\"/" \
        $input/chain.idg >"$TAP_TMP/quoted.idg"
    tap_ok 'a name full of quotes' "$PIPESIM" sweep "$TAP_TMP/quoted.idg" --gpu $input/toy.xml \
        --vary n=1,2 --chart "$TAP_TMP/quo'ted.svg"
    tap_like '... is drawn as it is' "it's .id. .x ./Bold b" \
        "$(sed "s/&#39;/'/g; s/&apos;/'/g" "$TAP_TMP/quo'ted.svg")"
    tap_ok 'without counted operations' "$PIPESIM" sweep $input/other.idg --gpu $input/toy.xml \
        --vary n=1,2 --chart "$TAP_TMP/time.svg"
    tap_like '... a chart shows the time' 'time .ms' "$(cat "$TAP_TMP/time.svg")"
    # Between the program and gnuplot: what the one writes and the other says, in a locale without é.
    mkdir "$TAP_TMP/between"
    cat >"$TAP_TMP/between/gnuplot" <<END
#!/bin/sh
tee "$TAP_TMP/script.gp" | "$(command -v gnuplot)" "\$@" 2>"$TAP_TMP/said"
END
    chmod +x "$TAP_TMP/between/gnuplot"
    sed 's/name="chain"/name="é 2 µs"/' $input/chain.idg >"$TAP_TMP/accents.idg"
    tap_ok 'names beyond ASCII' env PATH="$TAP_TMP/between:$PATH" "$PIPESIM" sweep "$TAP_TMP/accents.idg" \
        --gpu $input/toy.xml --vary n=1,2 --chart "$TAP_TMP/accents.svg"
    tap_like '... are drawn as they are' '>é 2 µs on Toy<' "$(cat "$TAP_TMP/accents.svg")"
    tap_is '... in the encoding that the script names' "$(grep -c '^set encoding utf8$' "$TAP_TMP/script.gp")" 1
    tap_is '... of which gnuplot does not complain' "$(cat "$TAP_TMP/said")" ''
else
    tap_skip 'charts' 'gnuplot is not installed'
fi
mkdir "$TAP_TMP/empty"
tap_exit 'without gnuplot' 1 env PATH="$TAP_TMP/empty" "$program" $chart --chart "$TAP_TMP/no.svg"
tap_like '... the message says what is missing' 'gnuplot' "$(cat "$TAP_ERR")"
tap_is '... and nothing was simulated in vain' "$(cat "$TAP_OUT")" ''

# ---- bad input stays within bounds
tap_exit 'an endless file is refused' 1 timeout 600 "$PIPESIM" /dev/zero --gpu pascal.xml
tap_exit '... as a profile, too' 1 timeout 600 "$PIPESIM" roofline /dev/zero --gpu pascal.xml
tap_exit 'show refuses it, too' 1 timeout 600 "$PIPESIM" show /dev/zero
}
# ---- the library does not know the program's options
options=$("$PIPESIM" --help-all 2>/dev/null; for verb in run sweep compare roofline bench validate profile list show build; do "$PIPESIM" "$verb" --help; done)
options=$(echo "$options" | grep -oE '^ +(-., )?--[a-z-]+' | grep -oE '[a-z][a-z-]+' | sort -u | paste -sd '|' -)
tap_like 'there are options' 'levels.*what-if' "$options"
tap_is 'the library names none of them' \
    "$(grep -rnE --include='*.[cly]' "\"[^\"]*--($options)([^a-z-]|\$)" answer base draw gpu idg latency-bench launch lift ptx roofline sass sim tell advice sweep profile | grep -vE '(ncu|nsys|Compute|nvprof|rocprof|rocprofv3|profiler) [^"]*--|clang|:[0-9]+: \*')" ''
tap_done

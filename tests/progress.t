#!/bin/sh
# SPDX-License-Identifier: BSD-3-Clause
# Runs: nightly
# The line that says how far the program is: on a terminal alone, after a second, one for whatever
# it is busy with, never wider than the terminal, and gone when there is something else to see.
. tests/tap.sh

if [ -n "$PIPESIM_CHECKER" ]; then
    tap_skip 'a line of progress' "$PIPESIM_CHECKER would take minutes"
    tap_done
    exit
fi
if ! script -qec true /dev/null >/dev/null 2>&1 </dev/null; then
    tap_skip 'a line of progress' 'script cannot make a terminal here'
    tap_done
    exit
fi

# on_terminal COMMAND: as a shell runs it there; what the terminal got is "$TAP_TMP/seen".
on_terminal() {
    script -qefc "$1" /dev/null >"$TAP_TMP/seen" </dev/null
}

# shows NAME LINE COMMAND: an endless one shows such a line, and is ended then.
shows() {
    : >"$TAP_TMP/seen"
    on_terminal "echo \$\$ >$TAP_TMP/pid; exec $3" &
    tap_wait grep -Eq "$2" "$TAP_TMP/seen"
    kill -TERM "$(cat "$TAP_TMP/pid")"
    wait $!
    tap_like "$1" "$2" "$(cat "$TAP_TMP/seen")"
}

# The command that waits until such a line was seen.
until_seen=$TAP_TMP/until-seen
cat >"$until_seen" <<END
#!/bin/sh
for _ in \$(seq 2000); do
    grep -Eq "\$1" "$TAP_TMP/seen" && exit
    sleep 0.1
done
END
chmod +x "$until_seen"

# The same without the lines of progress, each of which ends with the next or is wiped.
rest() {
    sed 's/[^\r]*\x1b\[K\r//g; s/\x1b\[K//g; s/\r$//' "$TAP_TMP/seen"
}

# slowly FILE LINE: a command that writes it line by line, with pauses until that line was seen.
slowly() {
    echo "while IFS= read -r l; do echo \"\$l\"; grep -Eq '$2' $TAP_TMP/seen || sleep 0.5; done <$1"
}

corpus=tests/corpus
code="--grid 4x4 --block 16x16 --arg size=64 --arg a=ramp:16K --arg b=ramp:16K --arg c=zero:16K --registers none"

# ---- one for each kind of work
profile=tests/profiles/nvprof-metrics.csv
on_terminal "$(slowly "$profile" 'reading -:') | $PIPESIM roofline - --gpu pascal.xml --format csv"
tap_like 'a file that is read' 'reading -: 0 MB' "$(cat "$TAP_TMP/seen")"
tap_is '... the answer is that of a file' "$(rest)" "$("$PIPESIM" roofline $profile --gpu pascal.xml --format csv 2>&1)"

mkdir "$TAP_TMP/bin"
# shellcheck disable=SC2016 # what the script says
printf '#!/bin/sh\ncase $* in *-o*) ;; *) echo sm_80; exit;; esac\n%s compiling\nwhile [ "$1" != -o ]; do shift; done\ncat %s >"$2"\necho "a word of the compiler" >&2\n' "$until_seen" "$PWD/$corpus/mmul16.ptx" \
    >"$TAP_TMP/bin/nvcc"
chmod +x "$TAP_TMP/bin/nvcc"
on_terminal "PATH=$TAP_TMP/bin:\$PATH $PIPESIM build $corpus/mmul.cu $code --from ptx --list"
tap_like 'a source that is compiled' 'compiling tests/corpus/mmul.cu for [0-9]+ s' "$(cat "$TAP_TMP/seen")"
tap_like '... the compiler is heard, too' '^a word of the compiler$' "$(rest)"

shows 'groups that are executed' 'executing a group: [0-9 ]+ warp instructions, at most [0-9 ]+, [0-9]+ s left' \
    "$PIPESIM build $corpus/mmul16.ptx --grid 64x64 --block 16x16 --arg size=1024 --arg a=zero:4M --arg b=zero:4M --arg c=zero:4M --registers none --sample all -o /dev/null"
endless="mmul08.idg --gpu pascal.xml --param size=16384 --no-fast-forward"
shows 'two runs' '[0-9]+ % simulated, [0-9hmin ]+ (h|min|s) left' "$PIPESIM compare $endless --versus --active 30"
shows 'what is tried' '[0-9]+ of [0-9]+ points' \
    "$PIPESIM mmul08.idg --gpu pascal.xml --param size=1024 --no-fast-forward --sensitivity --jobs 1"
shows 'a part of a sweep' '[12] of 3 points' \
    "$PIPESIM sweep mmul08.idg --gpu pascal.xml --param size=1760 --no-fast-forward --vary active=1..7 --shard 1/3 --jobs 1 --format csv"
mkfifo "$TAP_TMP/slow.idg"
("$until_seen" 'working for'; cat graphs/saxpy.idg) >"$TAP_TMP/slow.idg" &
on_terminal "$PIPESIM show $TAP_TMP/slow.idg"
tap_like 'work of no name' 'working for [0-9]+ s' "$(cat "$TAP_TMP/seen")"
wait

# ---- where and how it stands
long="mmul08.idg --gpu pascal.xml --param size=1760 --no-fast-forward"
# shellcheck disable=SC2086 # they are words
tap_ok 'into files there is none' "$PIPESIM" $long --format csv
tap_is '... nothing is said' "$(cat "$TAP_ERR")" ''
cp "$TAP_OUT" "$TAP_TMP/plain"
begun=$(date +%s)
on_terminal "$PIPESIM $long --format csv"
took=$(($(date +%s) - begun + 1))
tap_is 'it is wiped before the answer' "$(rest)" "$(cat "$TAP_TMP/plain")"
lines=$(tr '\r' '\n' <"$TAP_TMP/seen" | grep -c simulated)
tap_ok "... ten lines a second at most ($lines in $took s)" test "$lines" -le "$((10 * took))"
on_terminal "stty cols 24; $PIPESIM roofline $TAP_TMP/no-such-file-with-quite-a-long-name.csv --gpu pascal.xml; $(slowly "$profile" 'stdin: 0 MB') | $PIPESIM roofline /dev/../dev/../dev/../dev/stdin --gpu pascal.xml >$TAP_TMP/out"
tap_is 'it is no wider than the terminal' \
    "$(tr '\r' '\n' <"$TAP_TMP/seen" | sed -n 's/\x1b\[K$//p' | awk 'length > 23')" ''
tap_like '... what is cut off is the middle of the name' 'read.*\.\.\.[a-z/]*stdin: 0 MB' "$(cat "$TAP_TMP/seen")"
on_terminal "$PIPESIM sweep mmul08.idg --gpu pascal.xml --param size=832 --no-fast-forward --jobs 1 --vary active=1..4 --format json"
rest >"$TAP_TMP/rows"
tap_ok 'rows that do not end a line are left alone' "$PIPESIM" sweep mmul08.idg --gpu pascal.xml --param size=832 \
    --no-fast-forward --jobs 1 --vary active=1..4 --format json
tap_is '... all of them' "$(cat "$TAP_TMP/rows")" "$(cat "$TAP_OUT")"

# ---- signals
shows 'a signal finds a line' simulated "$PIPESIM $endless --output $TAP_TMP/never"
tap_is '... which it wipes' "$(tail -c 3 "$TAP_TMP/seen" | od -An -c | tr -d ' ')" '033[K'
tap_ok '... and nothing is left behind' test ! -e "$TAP_TMP/never"
tap_done

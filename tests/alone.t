#!/bin/sh
# SPDX-License-Identifier: BSD-3-Clause
# Runs: check nightly-sanitize
# One program that aborts neither ends the suite nor hides what others say: it alone has failed.
. tests/tap.sh

# program NAME LINE...: a test in shell.
program() {
    file=$TAP_TMP/$1.t
    shift
    printf '%s\n' '#!/bin/sh' "$@" >"$file"
    chmod +x "$file"
}
# As GLib's programs do where an assertion fails.
program aborts 'echo 1..3' 'echo ok 1' 'echo "ERROR:x.c:7:test: (a == b)" >&2' \
    'echo "Bail out! ERROR:x.c:7:test: (a == b)"' 'ulimit -c 0' 'kill -ABRT $$'
program bails 'echo 1..2' 'echo ok 1' 'echo "Bail out! no more"' 'echo ok 2'
program fails 'echo 1..1' 'echo not ok 1' 'exit 1'
program passes "echo ok 1 >$TAP_TMP/ran" 'echo 1..1' 'echo ok 1'
program skips 'echo "1..0 # SKIP nothing to do"'

# The line of the Makefile, with one test after the other.
# shellcheck disable=SC2016 # it is make's
runs=$(sed -n 's/^ *PERL5LIB=tests \(prove .*\) \$(PROVEFLAGS)$/PERL5LIB=tests \1/p' make/check.mk)
tap_like 'the Makefile runs tests one by one' '^PERL5LIB=tests prove .*alone\.pl' "$runs"
ln -s "$PWD/tests" "$TAP_TMP"
# suite STATUS NAME PROGRAM...: all of them; "$TAP_OUT" has what is said.
suite() {
    suite_status=$1
    suite_name=$2
    shift 2
    tap_exit "$suite_name" "$suite_status" sh -c "cd '$TAP_TMP' && $runs $* 2>&1"
}
suite 0 'all pass' ./passes.t ./skips.t
rm "$TAP_TMP/ran"
suite 1 'one aborts' ./aborts.t ./passes.t
tap_is '... the one behind it runs' "$(cat "$TAP_TMP/ran")" 'ok 1'
tap_like '... the one that aborts is named, and how it ended' 'aborts\.t +\(Wstat: [0-9]+ .*Tests: 2 Failed: 1' "$(cat "$TAP_OUT")"
tap_like '... as a failure' '^Result: FAIL' "$(cat "$TAP_OUT")"
tap_is '... and nothing stops' "$(grep -i 'stopped' "$TAP_OUT")" ''
tap_is '... nor has another failed' "$(grep -c 'Wstat' "$TAP_OUT")" 1
suite 1 'one gives up in order' ./bails.t ./passes.t
tap_like '... which is a failure, too' 'bails\.t .*Failed: [1-9]' "$(cat "$TAP_OUT")"
suite 1 'several fail, two of them aborted' ./fails.t ./aborts.t ./passes.t ./bails.t
tap_is '... all are named' "$(sed -n 's/^\.\/\([a-z]*\)\.t  *(Wstat.*/\1/p' "$TAP_OUT" | sort | tr '\n' ' ')" 'aborts bails fails '

# A status and a signal are handed on, and each line.
for ends in 'exit 0:0' 'exit 3:3' 'kill -TERM $$:143' 'kill -KILL $$:137'; do
    program ends 'echo ok 1 - one' 'echo two >&2' "${ends%:*}"
    tap_exit "what ends with '${ends%:*}'" "${ends##*:}" perl tests/alone.pl "$TAP_TMP/ends.t"
    tap_is '... says what it said' "$(sed '$d' "$TAP_OUT")+$(cat "$TAP_ERR")" 'ok 1 - one+two'
    tap_like '... and how long processors worked' '^# processors: [0-9]+\.[0-9][0-9] s$' "$(tail -n 1 "$TAP_OUT")"
done

# All unit tests are one program, and a link says which.
tap_exit 'a unit test says what it has' 0 "$BUILD/tests/unit/reference-self.t" -l
tap_is '... that of its name' "$(grep '^/' "$TAP_OUT" | grep -vc "^/reference-self/")" 0
ln -s "$(cd "$BUILD" && pwd)/tests/unit/programs" "$TAP_TMP/no-such.t"
tap_exit 'a link of another name runs none' 2 "$TAP_TMP/no-such.t"
tap_like '... and says so' 'no-such\.t: there is no tests/unit/no-such\.c; start one of the links' "$(cat "$TAP_ERR")"
tap_done

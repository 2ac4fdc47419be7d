# shellcheck shell=sh
# SPDX-License-Identifier: BSD-3-Clause
# TAP for tests in POSIX shell. A test is an executable tests/NAME.t that runs with the repository's
# root as its current directory:
#
#     #!/bin/sh
#     . tests/tap.sh
#     tap_ok   'the graph reads'       "$PIPESIM" show saxpy.idg
#     tap_exit 'a typo is wrong usage' 2 "$PIPESIM" --grpu pascal.xml
#     tap_like 'and the message says'  'unknown option' "$(cat "$TAP_ERR")"
#     tap_is   'one line of output'    "$(wc -l < "$TAP_OUT")" 1
#     tap_done
#
# PIPESIM is the program under test, TAP_TMP a folder that vanishes at the end; TAP_OUT and TAP_ERR
# are files with what the last command of tap_ok or tap_exit wrote.
#
# `make sanitize` and `make valgrind` set PIPESIM_CHECKER to sanitizers or valgrind: tests that
# measure memory skip themselves then.

LC_ALL=C
export LC_ALL
: "${PIPESIM:=./pipesim}" "${PIPESIM_CHECKER:=}"
TAP_TMP=$(mktemp -d) || exit 1
TAP_OUT=$TAP_TMP/.stdout
TAP_ERR=$TAP_TMP/.stderr
tap_count=0
tap_failed=0
trap 'rm -rf "$TAP_TMP"' EXIT
# Nothing that a test builds is kept among what the user's programs keep.
PIPESIM_CACHE=$TAP_TMP/.cache
export PIPESIM_CACHE
trap 'exit 1' HUP INT TERM

# Lines of standard input as TAP diagnostics.
tap_diag() {
    sed 's/^/#   /' >&2
}

tap_pass() {
    tap_count=$((tap_count + 1))
    echo "ok $tap_count - $1"
}

tap_fail() {
    tap_count=$((tap_count + 1))
    tap_failed=$((tap_failed + 1))
    echo "not ok $tap_count - $1"
}

# tap_skip NAME WHY
tap_skip() {
    tap_count=$((tap_count + 1))
    echo "ok $tap_count - $1 # SKIP $2"
}

# tap_no_opencl: says why no OpenCL device can be measured; nothing where one can.
tap_no_opencl() {
    "$PIPESIM" bench --backend opencl --classes none -o - --raw "$TAP_TMP/no-opencl.csv" 2>&1 |
        sed -n '/no benchmark has such a name/q; s/^pipesim: //p'
}

# tap_exit NAME STATUS COMMAND...: the command ends with that status.
tap_exit() {
    tap_name=$1
    tap_want=$2
    shift 2
    tap_got=0
    "$@" >"$TAP_OUT" 2>"$TAP_ERR" </dev/null || tap_got=$?
    if [ "$tap_got" -eq "$tap_want" ]; then
        tap_pass "$tap_name"
    else
        tap_fail "$tap_name"
        echo "exit status $tap_got, expected $tap_want: $*" | tap_diag
        tail -n 20 "$TAP_ERR" | tap_diag
    fi
}

# tap_ok NAME COMMAND...: the command succeeds.
tap_ok() {
    tap_name=$1
    shift
    tap_exit "$tap_name" 0 "$@"
}

# tap_is NAME GOT WANTED: two texts are equal.
tap_is() {
    if [ "$2" = "$3" ]; then
        tap_pass "$1"
    else
        tap_fail "$1"
        printf 'got:      %s\nexpected: %s\n' "$2" "$3" | tap_diag
    fi
}

# tap_like NAME PATTERN TEXT: the extended regular expression matches a line of the text.
tap_like() {
    if printf '%s\n' "$3" | grep -Eq -e "$2"; then
        tap_pass "$1"
    else
        tap_fail "$1"
        printf 'no line matches: %s\ngot: %s\n' "$2" "$3" | tap_diag
    fi
}

# tap_wait COMMAND...: waits until the command succeeds. What has not come after some minutes never
# will, on however busy a machine, and the test that follows says so.
tap_wait() {
    for _ in $(seq 2000); do
        "$@" >/dev/null 2>&1 && return
        sleep 0.1
    done
}

# tap_default COMMAND...: with the signals that a shell in the background ignores as they are at a
# terminal.
# shellcheck disable=SC2016 # it is Perl's
TAP_DEFAULT='$SIG{$_} = "DEFAULT" for qw(HUP INT QUIT); exec @ARGV or die'
tap_default() {
    perl -e "$TAP_DEFAULT" "$@"
}

# Ends the test: the plan, and the exit status.
tap_done() {
    echo "1..$tap_count"
    [ "$tap_failed" -eq 0 ]
    exit
}

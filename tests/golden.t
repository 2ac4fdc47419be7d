#!/bin/sh
# SPDX-License-Identifier: BSD-3-Clause
# Golden tests: each tests/golden/NAME.cmd holds, on one line, the arguments of pipesim (as a shell
# reads them: quotes, and < FILE for standard input). Expected are
#
#     NAME.out      standard output; nothing where there is no such file
#     NAME.err      standard error; nothing where there is no such file
#     NAME.status   the exit status; 0 where there is no such file
#
# A test is added by adding files. GOLDEN_UPDATE=1 writes the expected files anew: read the
# difference before you keep it. The folder of the program is written as PROGRAM, the one above
# it as PREFIX, the version as VERSION, the list of what graphs and GPUs there are as DATA, what
# tells a sweep from others in the last column of its CSV as SWEEP and the sum over each row as
# CHECK, and how much of a run was skipped, which is no part of the answer, as SKIPPED.
. tests/tap.sh

program=$(cd "$(dirname "$PIPESIM")" && pwd -P)
version=$("$PIPESIM" --version | sed 's/^pipesim //')
# What must be the same everywhere.
unset PIPESIM_PATH NO_COLOR COLUMNS

plain() {
    sed -e "s|${program%/*}/share/|PREFIX/share/|g" -e "s|$program/|PROGRAM/|g" \
        -e "s|\"pipesim\": \"$version\"|\"pipesim\": \"VERSION\"|" \
        -e "s|^pipesim $version\$|pipesim VERSION|" \
        -e 's/^\(Skipped  *\)[0-9.]* %/\1SKIPPED %/' -e 's/"skipped_cycles": [1-9][0-9.]*/"skipped_cycles": SKIPPED/' \
        -e 's/,c[0-9a-f]\{8\},s[0-9a-f]\{16\}$/,CHECK,SWEEP/' -e 's/\(; there are[a-z ]*:\) [^ ]*\.\(idg\|xml\)\(, [^ ]*\)*/\1 DATA/'
}

# keep FILE GOT: the expected file becomes what came out, or goes if that is nothing.
keep() {
    if [ -s "$2" ]; then cp "$2" "$1"; else rm -f "$1"; fi
}

# expected FILE: what the file holds, or nothing.
expected() {
    if [ -f "$1" ]; then cat "$1"; fi
}

for cmd in tests/golden/*.cmd; do
    base=${cmd%.cmd}
    name=${base#tests/golden/}
    status=0
    # shellcheck disable=SC2016 # it is eval that shall see $PIPESIM
    eval '"$PIPESIM"' "$(cat "$cmd")" >"$TAP_OUT" 2>"$TAP_ERR" </dev/null || status=$?
    plain <"$TAP_OUT" >"$TAP_TMP/out"
    plain <"$TAP_ERR" >"$TAP_TMP/err"
    : >"$TAP_TMP/status"
    [ "$status" -eq 0 ] || echo "$status" >"$TAP_TMP/status"
    same=yes
    for part in out err status; do
        if [ -n "${GOLDEN_UPDATE:-}" ]; then
            keep "$base.$part" "$TAP_TMP/$part"
        fi
        expected "$base.$part" >"$TAP_TMP/expected"
        if ! diff -u "$TAP_TMP/expected" "$TAP_TMP/$part" >"$TAP_TMP/diff"; then
            same=no
            head -n 30 "$TAP_TMP/diff" | sed "1s|.*|--- $base.$part|; 2s|.*|+++ pipesim $(sed 's/[|&\\]/\\&/g' "$cmd")|" | tap_diag
        fi
    done
    if [ $same = yes ]; then tap_pass "$name"; else tap_fail "$name"; fi
done
tap_done

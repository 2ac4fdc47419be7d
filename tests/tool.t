#!/bin/sh
# SPDX-License-Identifier: BSD-3-Clause
# Runs: check sanitize
# Programs that work for us within limits (base/tool.h): seconds of work, which other programs do not use up,
# seconds by the clock, and bytes.
. tests/tap.sh

built=$BUILD/cli/system
# Flags are words.
# shellcheck disable=SC2046,SC2086
tap_ok 'a program that runs others builds' ${CC:-cc} -std=gnu11 $CFLAGS -I. -I"$BUILD" $(pkg-config --cflags glib-2.0) -o "$TAP_TMP/within" \
    tests/tool/within.c "$built/draft.o" "$built/line.o" "$BUILD/base/tool.o" "$BUILD/base/folder.o" "$BUILD/base/progress.o" "$BUILD/base/error.o" $LDFLAGS $(pkg-config --libs glib-2.0)

# is NAME ANSWER WORK WAIT BYTES SCRIPT: what becomes of that script within those limits.
is() {
    tap_ok "$1" "$TAP_TMP/within" "$3" "$4" "$5" sh -c "$6"
    tap_is '...' "$(cat "$TAP_OUT")" "$2"
}

is 'a program that ends' 'ended; 3 bytes' 60 600 100 'echo hi'
is 'one that works on' 'had not ended after 1 seconds of work; 0 bytes' 1 600 100 'while :; do :; done'
is 'one that hangs without working' 'had not ended after 2 seconds; 0 bytes' 600 2 100 'exec sleep 1000'
is 'one that takes its time, and little of the processor' 'ended; 0 bytes' 1 600 100 'sleep 3'
is 'one that writes too much' 'wrote too much; 101 bytes' 60 600 100 'printf %101s; exec sleep 1000'
is 'one without limits' 'ended; 200 bytes' 0 0 0 'printf %200s'
tap_done

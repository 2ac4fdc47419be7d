#!/bin/sh
# SPDX-License-Identifier: BSD-3-Clause
# Runs: quick check
# The kernel that lift/README.md follows through all rooms: its commands run, and make the code that stands there.
. tests/tap.sh

program=$(cd "$(dirname "$PIPESIM")" && pwd)/$(basename "$PIPESIM")

# block N: the page's fenced block of that number.
block() {
    awk -v n="$1" '/^```/ { inside = !inside; if (inside) i++; next } inside && i == n' lift/README.md
}

block 2 >"$TAP_TMP/sums.ptx"
for n in 3 5; do
    block "$n" | sed "s|^\\./pipesim|'$program'|" >"$TAP_TMP/command"
    tap_like "block $n is a command" 'pipesim' "$(cat "$TAP_TMP/command")"
    tap_ok '... which runs' sh -c "cd '$TAP_TMP' && . ./command"
    tap_is '... and makes what stands below it' "$(sed -n '/^  <code>/,/^  <.code>/p' "$TAP_OUT" | sed -e 1d -e '$d' -e 's/^    //')" \
        "$(block $((n + 1)))"
done
tap_done

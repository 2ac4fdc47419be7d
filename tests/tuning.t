#!/bin/sh
# SPDX-License-Identifier: BSD-3-Clause
# Runs: check
# What docs/guide/tuning.md shows is what its commands print.
. tests/tap.sh

export PIPESIM

# The N-th fenced block of the page.
block() {
    awk -v n="$1" '/^```/ { open = !open; count += open; next } open && count == n' docs/guide/tuning.md
}

# The N-th command of the page that begins with that.
command_of() {
    sed -n "s|^    \($1 .*\)|\1|p" docs/guide/tuning.md | sed -n "$2p"
}

# shellcheck disable=SC2046,SC2013,SC2016 # the arguments are words, and so are keys; backticks are Markdown
{
tap_ok 'the loop runs' perl $(command_of 'docs/guide/tune\.pl' 1)
tap_is '... and prints what the page shows' "$(cat "$TAP_OUT")" "$(block 1)"
tap_ok 'the sweep runs' "$PIPESIM" $(command_of '\./pipesim' 2 | sed 's|^\./pipesim||')
tap_is '... and prints what the page shows' "$(cat "$TAP_OUT")" "$(block 2)"
tap_ok 'the run with JSON runs' "$PIPESIM" $(command_of '\./pipesim' 1 | sed 's|^\./pipesim||')
for n in 1 2 3 4; do
    eval "set -- $(command_of 'docs/guide/tune-code\.pl' $n)"
    tap_ok "what advice says is done: $n" perl "$@"
    tap_is '... as the page shows' "$(cat "$TAP_OUT")" "$(block $((n + 2)))"
done
tap_exit 'a run is needed' 1 perl docs/guide/tune-code.pl unroll=-DUNROLL=4 --
tap_like '... which is said' '^usage: docs/guide/tune-code\.pl' "$(cat "$TAP_ERR")"
tap_ok 'what makes it no faster' perl docs/guide/tune-code.pl throughput='--param tile=4' -- docs/guide/tiled.idg --gpu pascal.xml --param tile=8
tap_like '... is tried' '^throughput at .*: --param tile=4 takes ' "$(cat "$TAP_OUT")"
tap_like '... and not kept' '^left:.throughput +at .* of 867\.0 us|instead of 867\.0 us' "$(cat "$TAP_OUT")"
tap_exit 'without values there is no loop' 1 perl docs/guide/tune.pl docs/guide/tiled.idg pascal.xml tile
tap_like '... which is said' '^usage: docs/guide/tune\.pl' "$(cat "$TAP_ERR")"
tap_exit 'nor with those that cannot be' 1 perl docs/guide/tune.pl docs/guide/tiled.idg pascal.xml tile 7
tap_like '... which is said, too' 'nothing could be simulated' "$(cat "$TAP_ERR")"
tap_exit 'one of them that cannot be' 1 perl docs/guide/tune.pl docs/guide/tiled.idg pascal.xml tile 4 x
tap_like '... leaves the best of the others' '^best: tile=4 of those that could be simulated; then' "$(cat "$TAP_OUT")"
tap_like '... and is said' '^not simulated: tile=x$' "$(cat "$TAP_ERR")"
for key in $(sed -n 's/^| `\([a-z_.]*\)` .*/\1/p' docs/guide/tuning.md); do
    tap_like "the schema has $key" "\"${key##*.}\": " "$(cat "$BUILD/tell/pipesim.schema.json")"
done
}
tap_done

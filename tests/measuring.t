#!/bin/sh
# SPDX-License-Identifier: BSD-3-Clause
# Runs: check nightly-sanitize
# docs/evidence/verified.md says of every part of latency-bench/ how it was verified, and names tests that are there. The
# commands of docs/tools/measuring.md run.
. tests/tap.sh

page=docs/tools/measuring.md
verified=docs/evidence/verified.md
program=$(cd "$(dirname "$PIPESIM")" && pwd)/$(basename "$PIPESIM")

# ---- the table
sed -n '/^| part of/,/^$/{/^|/p}' "$verified" | sed 1,2d >"$TAP_TMP/rows"
for part in latency-bench/*; do
    [ -d "$part" ] || [ "$part" = latency-bench/campaign ] || continue
    tap_ok "$part has a row" grep -q "^| \`${part#latency-bench/}\`" "$TAP_TMP/rows"
done
cut -d '|' -f 3- "$TAP_TMP/rows" | grep -oE '[a-z0-9/-]+\.(t|c)\>' | sort -u >"$TAP_TMP/tests"
tap_ok 'tests are named' [ "$(wc -l <"$TAP_TMP/tests")" -gt 15 ]
while read -r test; do
    tap_ok "tests/$test is there" [ -f "tests/$test" ]
done <"$TAP_TMP/tests"
tap_is 'every part was verified somehow' "$(grep -vc '`' "$TAP_TMP/rows")" 0
tap_is '... or what says "none so far" is wrong' "$(grep -c '|  *|$' "$TAP_TMP/rows")" "$(wc -l <"$TAP_TMP/rows")"

# ---- commands
stand_in=$(cd "$BUILD" && pwd)/tests/stand-in/cuda.so
mkdir "$TAP_TMP/there" "$TAP_TMP/drivers"
ln -s "$stand_in" "$TAP_TMP/drivers/libcuda.so.1"
ln -s "$stand_in" "$TAP_TMP/drivers/libnvrtc.so.13"
ln -s "$program" "$TAP_TMP/there/pipesim"
PIPESIM_DRIVERS=$TAP_TMP/drivers
export PIPESIM_DRIVERS
# What a campaign leaves; its own commands run in bundle.t.
tap_ok 'a campaign' env PIPESIM="$program" latency-bench/campaign --backend model:v100.xml --grid reduced "$TAP_TMP/there/mine"
sed -n 's/^\(\.\/pipesim [^#]*\).*/\1/p' "$page" >"$TAP_TMP/commands"
tap_is 'the page has commands' "$(wc -l <"$TAP_TMP/commands")" 4
while read -r command; do
    case $command in
    *--precompile*) command=$(echo "$command" | sed 's/sm_80/sm_75/') ;; # the stand-in knows that one
    *--cubins*) command="PIPESIM_STAND_IN=cycles=1024 $command --grid reduced" ;;
    esac
    tap_ok "$command" sh -c "cd '$TAP_TMP/there' && $command"
done <"$TAP_TMP/commands"
for file in mine.xml mine.md mygpu.xml cubins/sm_90.cubins; do
    tap_ok "... $file is there" [ -s "$TAP_TMP/there/$file" ]
done
sed -n 's/^make \([a-z-]*\).*/\1/p' "$page" >"$TAP_TMP/targets"
while read -r target; do
    tap_ok "make $target" grep -q "^$target:.*## " make/*.mk
done <"$TAP_TMP/targets"
tap_done

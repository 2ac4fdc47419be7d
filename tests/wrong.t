#!/bin/sh
# SPDX-License-Identifier: BSD-3-Clause
# Runs: check nightly-sanitize
# Launches of code that does something wrong (tests/corpus/bad): each ends with an error whose text has
# what NAME.says has, a regular expression a line. No line of the code has two messages.
. tests/tap.sh

folder=$PWD/tests/corpus/bad
program=$(cd "$(dirname "$PIPESIM")" && pwd)/$(basename "$PIPESIM")
for launch in "$folder"/*.launch; do
    name=${launch##*/}
    name=${name%.launch}
    words=$(cat "$launch")
    status=1
    [ "$name" != missing-argument ] || status=2
    # shellcheck disable=SC2086,SC2016 # the launch's words; the inner shell expands the rest
    tap_exit "$name is refused" "$status" sh -c 'cd "$1" && shift && exec "$@"' sh "$folder" "$program" build $words \
        --registers none --max-instructions 1000000 -o "$TAP_TMP/graph.idg"
    while IFS= read -r like; do
        tap_like "... with /$like/" "$like" "$(cat "$TAP_ERR")"
    done <"$folder/$name.says"
    tap_is "... each line once" '' "$(grep -o '\.ptx:[0-9]*:\|line [0-9]* of the PTX' "$TAP_ERR" | tr -dc '0-9\n' |
        sort | uniq -d)"
done
tap_done

#!/bin/sh
# SPDX-License-Identifier: BSD-3-Clause
# Runs: quick check
# The functions that the library exports for all are those of tests/install/exported.txt: none comes or goes unseen. Of a
# release none goes before SOVERSION changes. UPDATE=1 writes the list anew.
. tests/tap.sh

list=tests/install/exported.txt

# What the headers that pipesim.h includes declare for all.
declared() {
    # shellcheck disable=SC2046 # they are words
    make/exports.pl --list $(sed -n 's/^#include "\(.*\)"/\1/p' pipesim.h) | LC_ALL=C sort -u
}

declared >"$TAP_TMP/declared"
if [ "${UPDATE:-}" = 1 ]; then
    cp "$TAP_TMP/declared" "$list"
fi
# What differs of two lists, each name with what became of it.
differing() {
    LC_ALL=C comm -13 "$1" "$2" | sed 's/$/ was added/'
    LC_ALL=C comm -23 "$1" "$2" | sed 's/$/ went away/'
}
tap_is 'the public headers declare what the list has' "$(differing "$list" "$TAP_TMP/declared")" ''
tap_like '... among it what examples call' '^ps_gpu_load$' "$(cat "$list")"
sed -e '/^ps_gpu_load$/d' -e '$a ps_zzz' "$list" >"$TAP_TMP/other"
tap_is 'a list that differs is told of, name by name' "$(differing "$list" "$TAP_TMP/other")" \
    'ps_zzz was added
ps_gpu_load went away'

# A header that is installed includes none that stays at home.
installed=$(sed -n 's/^#include "\(.*\)"/\1/p' pipesim.h)
# shellcheck disable=SC2086 # they are words
tap_is 'public headers include public headers' \
    "$(grep -ho '^#include "[^"]*"' $installed | sed 's/.*"\(.*\)"/\1/' | LC_ALL=C sort -u | while read -r header; do
        echo "$installed" | grep -qxF "$header" || echo "$header"
    done)" ''
tap_done

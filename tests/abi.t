#!/bin/sh
# SPDX-License-Identifier: BSD-3-Clause
# Runs: quick check
# The functions that the library exports for all are declared as tests/install/exported.txt has them: none comes, goes
# or changes its type unseen. No function of a release does before SOVERSION changes. UPDATE=1 writes the list anew.
. tests/tap.sh

list=tests/install/exported.txt

# What the headers that pipesim.h includes declare for all.
declared() {
    # shellcheck disable=SC2046 # they are words
    make/exports.pl --signatures $(sed -n 's/^#include "\(.*\)"/\1/p' pipesim.h) | LC_ALL=C sort -u
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
tap_like '... among it what examples call' '^0\.1\.0 PsGpu \*ps_gpu_load\(const char \*path, GError \*\*error\)$' "$(cat "$list")"
sed -e '/ps_gpu_load(/d' -e 's/ps_idg_load(const char \*path/ps_idg_load(char *path/' -e '$a 9.9.9 void ps_zzz(void)' "$list" |
    LC_ALL=C sort >"$TAP_TMP/other"
tap_is '... each with the release that brought it' "$(grep -v '^[0-9]*\.[0-9]*\.[0-9]* ' "$list")" ''
sed 's/ \* Since: .*/ */' gpu/load.h >"$TAP_TMP/silent.h"
tap_like '... which a header that does not say lacks' '^never: PsGpu \*ps_gpu_load' \
    "$(make/exports.pl --signatures "$TAP_TMP/silent.h")"
tap_is 'a list that differs is told of, one declaration after the other' "$(differing "$list" "$TAP_TMP/other")" \
    '0.1.0 PsIdg *ps_idg_load(char *path, GError **error) was added
9.9.9 void ps_zzz(void) was added
0.1.0 PsGpu *ps_gpu_load(const char *path, GError **error) went away
0.1.0 PsIdg *ps_idg_load(const char *path, GError **error) went away'
# shellcheck disable=SC2046 # they are words
names=$(make/exports.pl --list $(sed -n 's/^#include "\(.*\)"/\1/p' pipesim.h) | LC_ALL=C sort -u)
tap_is 'each function that is exported has its declaration there' \
    "$(grep -o '\bps_[a-z0-9_]*(' "$list" | tr -d '(' | LC_ALL=C sort -u)" "$names"

# A header that is installed includes none that stays at home.
installed=$(sed -n 's/^#include "\(.*\)"/\1/p' pipesim.h)
# shellcheck disable=SC2086 # they are words
tap_is 'public headers include public headers' \
    "$(grep -ho '^#include "[^"]*"' $installed | sed 's/.*"\(.*\)"/\1/' | LC_ALL=C sort -u | while read -r header; do
        echo "$installed" | grep -qxF "$header" || echo "$header"
    done)" ''

# A caller knows the size of these two alone; all else is a pointer to what only the library knows. So an older
# caller works with a newer library, and a binding needs no offsets.
# shellcheck disable=SC2086 # they are words
tap_is 'public structs whose members callers see' \
    "$(sed -n '/^typedef struct {/,/^}/s/^} \(.*\);/\1/p' $installed | LC_ALL=C sort)" 'PsHearer
PsProgress'
tap_done

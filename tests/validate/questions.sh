#!/bin/sh
# SPDX-License-Identifier: BSD-3-Clause
# Writes the tables of docs/evidence/questions.md anew, and the record that How sure quotes (answer/strangers.c): some two
# minutes. It needs nvcc and nvdisasm.
#
#     tests/validate/questions.sh
set -eu
here=$(dirname "$0")
tmp=$(mktemp -d)
trap 'rm -rf "$tmp"' EXIT
"$here/questions.pl" >"$tmp/said.tsv"
for part in rows unsettled summary; do
    "$here/strangers.pl" "$part" "$tmp/said.tsv" >"$tmp/table"
    "$here/put.pl" docs/evidence/questions.md "$part" "$tmp/table"
done
"$here/strangers.pl" code "$tmp/said.tsv" >"$tmp/table"
awk -v table="$tmp/table" '
    /\/\* end \*\// { while ((getline line <table) > 0) print line; skip = 0 }
    !skip
    /\/\* begin \*\// { skip = 1 }' answer/strangers.c >"$tmp/strangers.c"
cp "$tmp/strangers.c" answer/strangers.c

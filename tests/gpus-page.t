#!/bin/sh
# SPDX-License-Identifier: BSD-3-Clause
# Runs: check
# docs/reference/gpus.md shows what the descriptions say, and the errors that docs/evidence/fidelity.md has.
. tests/tap.sh

tap_ok 'the tables are made' docs/make/gpus.pl
cp "$TAP_OUT" "$TAP_TMP/made"
tap_ok 'docs/reference/gpus.md shows them; if not: make gpus-page' diff "$TAP_TMP/made" docs/reference/gpus.md
for gpu in gpus/*.xml; do
    name=${gpu##*/}
    tap_is "$name stands in all three" "$(grep -c "^| \`${name%.xml}\` |" docs/reference/gpus.md)" 3
done
tap_done

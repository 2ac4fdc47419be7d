#!/bin/sh
# SPDX-License-Identifier: BSD-3-Clause
# Makes the tables of docs/evidence/truth.md anew; `make truth` calls it. PIPESIM is the program, ./pipesim unless set.
set -eu
cd "$(dirname "$0")/../.."
tmp=$(mktemp -d)
trap 'rm -rf "$tmp"' EXIT
trap 'exit 1' HUP INT TERM
for name in known everyday; do
    tests/validate/truth.pl $name >"$tmp/table"
    tests/validate/put.pl docs/evidence/truth.md $name "$tmp/table"
done

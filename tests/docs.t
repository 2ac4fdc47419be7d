#!/bin/sh
# SPDX-License-Identifier: BSD-3-Clause
# Runs: check
# make docs: every public function is in the library's reference, and has something to say there.
. tests/tap.sh

unset MAKEFLAGS MFLAGS MAKELEVEL # of the make that runs this test
if ! command -v doxygen >/dev/null; then
    echo '1..0 # SKIP doxygen is not installed (./bootstrap --only docs)'
    exit 0
fi
pages=$TAP_TMP/docs

make_docs() {
    make --no-print-directory BOOTSTRAP=true DOCS="$pages" "$@" docs
}

tap_ok 'make docs' make_docs
# shellcheck disable=SC2046 # they are words
functions=$(make/exports.pl --list $(sed -n 's/^#include "\(.*\)"/\1/p' pipesim.h))
for name in $functions; do
    grep -q "\b$name()" "$pages"/html/globals_func*.html || echo "$name"
done >"$TAP_TMP/missing"
tap_is 'each public function is in it' "$(cat "$TAP_TMP/missing")" ''
tap_like 'comments are shown as they stand' 'Tells how far long work is' "$(cat "$pages/html/progress_8h.html")"

cat >"$TAP_TMP/silent.h" <<'END_OF_HEADER'
/* SPDX-License-Identifier: BSD-3-Clause */
/* A header with a function that says nothing. */
int ps_says_nothing(void);
END_OF_HEADER
tap_exit 'a function without a comment' 2 make_docs PUBLIC_H="$TAP_TMP/silent.h"
tap_like '... is an error that names it' 'ps_says_nothing.* is not documented' "$(cat "$TAP_OUT")"
tap_done

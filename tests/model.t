#!/bin/sh
# SPDX-License-Identifier: BSD-3-Clause
# Runs: check nightly-sanitize
# docs/reference/model.md is what code cites, and it names the tests that hold its rules: each section that is cited is there, and
# each test that is named.
. tests/tap.sh

page=docs/reference/model.md

# Sections that code cites, one a line: "docs/reference/model.md, section 4", "sections 5 and 6".
cited() {
    grep -rhoE --include='*.[chly]' --include='*.rng*' --include='*.fields' --include='*.md' 'docs/reference/model\.md, sections? [0-9]+( and [0-9]+)?' \
        answer base cli gpu idg latency-bench lift ptx roofline sim tests HACKING.md | grep -oE '[0-9]+' | sort -u
}

for section in $(cited); do
    tap_ok "section $section, which code cites, is there" grep -q "^## $section\\. " "$page"
done
tap_is 'what code calls MODEL is that page' \
    "$(grep -rlE --include='*.[chly]' --include='*.rng*' --include='*.fields' '\bMODEL\b' answer base cli gpu idg latency-bench lift ptx roofline sim tests)" ''

# Names of tests stand in backquotes and begin with a slash: `/reference-self/chain`.
# shellcheck disable=SC2016 # no command, but how the page writes names
missing=$(grep -oE '`/[a-z0-9/-]+`' "$page" | tr -d '`' | sort -u | while read -r name; do
    grep -qF "\"$name\"" tests/unit/*.c || echo "$name"
done)
tap_is 'every test that it names is there' "$missing" ''
# shellcheck disable=SC2016
for file in $(grep -oE '`(tests|sim|idg|docs)/[a-z0-9/.-]+\.(c|h|t)`' "$page" | tr -d '`' | sort -u); do
    tap_ok "$file, which it names, is there" [ -f "$file" ]
done
for rule in T1 T2 T3 T4 T5 T6 T7 T8 T9 R1 R2 R3 R4 R5 R6 R7 R8; do
    tap_ok "rule $rule is there" grep -qE "^(- \\*\\*$rule\\.|### $rule\\. )" "$page"
done
tap_done

#!/bin/sh
# SPDX-License-Identifier: BSD-3-Clause
# Runs: check
# Tables of fields (gpu/gpu.fields, idg/idg.fields): what is wrong with one is said with its line, and nothing is compiled of it. And
# their schemas are schemas.
. tests/tap.sh

cat >"$TAP_TMP/types" <<'END'
  @elements
  <define name="count">
    <data type="integer">
      <param name="minInclusive">1</param>
      <param name="maxInclusive">9</param>
    </data>
  </define>
  <define name="name">
    <data type="string"/>
  </define>
END

# made WHAT TABLE: what is made of that text.
made() {
    printf '%b' "$2" >"$TAP_TMP/bad.fields"
    awk -v what="$1" -v format=gpu -f make/fields.awk "$TAP_TMP/types" "$TAP_TMP/bad.fields" >"$TAP_OUT" 2>"$TAP_ERR"
}

# refused NAME LINE TABLE PATTERN: it is refused at that line.
refused() {
    if made c "$3"; then tap_fail "$1"; else tap_pass "$1"; fi
    tap_like '... with its line' "^$TAP_TMP/bad\.fields:$2: $4" "$(cat "$TAP_ERR")"
    tap_is '... and without a table' "$(grep -c 'PS_FIELD_' "$TAP_OUT")" 0
}

box='<box>  PsBox\n      It is a box.\n'
refused 'an unknown type' 3 "$box  a  cuont  -\n      A.\n" "'a' is of no type: 'cuont'"
refused 'a column that is not there' 3 "$box  a  count\n      A.\n" 'an attribute is written .* has 2 columns'
refused 'one blank between columns' 3 "$box  a count  -\n      A.\n" '(neither an element|an attribute is written)'
refused 'an attribute that is told twice' 5 "$box  a  count  -\n      A.\n  a  count  -\n      A.\n" "<box> has 'a' twice"
refused 'an element that is told twice' 3 "$box$box" "the element 'box' is told twice"
refused 'an attribute without an element' 1 '  a  count  -\n' 'an attribute stands before the first element'
refused 'an attribute that means nothing' 3 "$box  a  count  -\n  b  count  -\n      B.\n" "'a' has no text"
refused 'a last attribute that means nothing' 3 "$box  a  count  -\n" "'a' has no text"
refused 'an element that means nothing' 1 '<box>  PsBox\n  a  count  -\n      A.\n' "'box' has no text"
refused 'an element without a struct' 1 '<box>\n      Box.\n' 'an element is written'
refused 'a text before all' 1 '      A.\n' 'a text stands before the first element'
refused 'a line at a wrong place' 3 "$box   a  count  -\n" 'neither an element'
refused 'a number that is a word' 3 "$box  a  count  many\n      A.\n" "'a' cannot be 'many'"
refused 'a word that is none of them' 3 "$box  a  on|off  (of)\n      A.\n" "'a' cannot be '\\(of\\)'"
refused 'a text that is a number' 3 "$box  a  name  7\n      A.\n" "'a' cannot be '7'"
refused 'a content that is no element' 1 '<box>  PsBox  lid+\n      Box.\n' "<box> holds 'lid', which is no element"

# What is right has its member, its bounds and what holds without it.
made c "$box  a-b=c.d  count  (7)  label: unit\n      A.\n"
tap_like 'a row' '\{"a-b", PS_FIELD_WHOLE\(PsBox, c\.d\), \.absent = 7, \.always = 0, \.least = 1, \.most = 9, \.label = "label", \.unit = "unit"\}' \
    "$(cat "$TAP_OUT")"
made rng "$box  a  count  needed\n      Less < more & so.\n"
tap_like 'a text of the schema' 'Less &lt; more &amp; so\.' "$(cat "$TAP_OUT")"

# The members' types are those of the struct: what does not fit does not compile.
compiled() {
    {
        printf '#include "base/fields.h"\n#define PS_FIELD_OWN_TYPES\ntypedef struct { PsRational clock; } PsBox;\n'
        printf 'const PsField field = {"clock", PS_FIELD_%s(PsBox, clock)};\n' "$1"
    } >"$TAP_TMP/field.c"
    # shellcheck disable=SC2046 # flags are words
    ${CC:-cc} -std=c11 -I. $(pkg-config --cflags glib-2.0 libxml-2.0) -fsyntax-only "$TAP_TMP/field.c"
}
tap_ok 'a decimal number is one' compiled DECIMAL
tap_exit 'a fraction is no whole number' 1 compiled WHOLE
tap_exit '... and no text' 1 compiled TEXT

xmllint --noout --relaxng "$BUILD/gpu/gpu.rng" /dev/null 2>"$TAP_ERR"
tap_is 'the schema of GPUs is one' "$(grep -c 'failed to compile' "$TAP_ERR")" 0
xmllint --noout --relaxng "$BUILD/idg/idg.rng" /dev/null 2>"$TAP_ERR"
tap_is 'that of graphs, too' "$(grep -c 'failed to compile' "$TAP_ERR")" 0

# A line of the table of graphs that is wrong is named.
sed 's/^\(  hold  *\)expression/\1expresion/' idg/idg.fields >"$TAP_TMP/graph.fields"
awk -v what=c -v format=idg -f make/fields.awk idg/idg.rng.in "$TAP_TMP/graph.fields" >"$TAP_OUT" 2>"$TAP_ERR"
line=$(grep -n '^  hold  *expresion' "$TAP_TMP/graph.fields" | cut -d: -f1)
tap_like "a graph's line that is wrong" "^$TAP_TMP/graph\.fields:$line: 'hold' is of no type: 'expresion'" "$(cat "$TAP_ERR")"
tap_done

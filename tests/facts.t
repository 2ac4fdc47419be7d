#!/bin/sh
# SPDX-License-Identifier: BSD-3-Clause
# Runs: check
# The table of facts (tell/facts.table): what is wrong with it is said with its line, and nothing is made of it. And
# every fact of the table is in the schema of the JSON, with a value of its type.
. tests/tap.sh

# refused NAME LINE TEXT PATTERN: the table of that text is refused at that line.
refused() {
    printf '%b' "$3" >"$TAP_TMP/bad.table"
    if awk -v what=ids -f make/facts.awk "$TAP_TMP/bad.table" >"$TAP_OUT" 2>"$TAP_ERR"; then
        tap_fail "$1"
    else
        tap_pass "$1"
    fi
    tap_like '... with its line' "^$TAP_TMP/bad\.table:$2: $4" "$(cat "$TAP_ERR")"
    tap_is '... and without an id' "$(grep -c '#define PS_FACT' "$TAP_OUT")" 0
}

refused 'an unknown type' 2 'a name\nb nane\n' "'b' is of no type: 'nane'"
refused 'no type' 1 'a\n' "'a' is of no type"
refused 'a fact told twice' 3 'a row\n  b name\n  b count\n' "'b' is told twice"
refused 'a fact within a value' 2 'a name\n  b name\n' "'b' is within 'a', which holds no others"
refused 'a fact that is too deep' 2 'a row\n    b name\n' "'b' is neither within"
refused 'half a step' 2 'a row\n b name\n' "'b' is neither within"
refused 'a part within a fact' 2 'a row\n  b part\n' "'b' is a part within 'a'"
refused 'a part that is not there' 2 'a row\n  b with\n' "'b' is no part"
refused 'a first fact within nothing' 1 '  a name\n' "'a' is neither within"

awk -v what=ids -f make/facts.awk tell/facts.table >"$TAP_TMP/fact-ids.h"

# What a fact means changes no id.
sed 's/^\( *\)occupancy  .*/&\n\1  = share; 0..\n\1  | What it means./' tell/facts.table >"$TAP_TMP/meant.table"
awk -v what=ids -f make/facts.awk "$TAP_TMP/meant.table" >"$TAP_TMP/meant.h"
tap_ok 'a meaning changes no id' cmp "$TAP_TMP/fact-ids.h" "$TAP_TMP/meant.h"

# bad_view NAME LINE TEXT PATTERN: the views of that text are refused at that line.
bad_view() {
    printf '%b' "$3" >"$TAP_TMP/bad.table"
    if awk -v what=table -f make/views.awk "$TAP_TMP/fact-ids.h" "$TAP_TMP/bad.table" >"$TAP_OUT" 2>"$TAP_ERR"; then
        tap_fail "$1"
    else
        tap_pass "$1"
    fi
    tap_like '... with its line' "^$TAP_TMP/bad\.table:$2: $4" "$(cat "$TAP_ERR")"
    tap_is '... and nothing is made' "$(cat "$TAP_OUT")" ''
}

bad_view 'a view of what is no fact' 3 'v\n    kernel\n    kernal\n' "'kernal' is no fact"
bad_view 'a view without a fact' 2 '# views\nv\nw\n    kernel\n' "the view 'v' names no fact"
bad_view 'a last view without a fact' 3 'w\n    kernel\nv\n' "the view 'v' names no fact"
bad_view 'the same fact twice in a view' 3 'v\n    kernel\n    kernel "head"\n' "'kernel' is there twice"
bad_view 'a view twice' 3 'v\n    kernel\nv\n' "the view 'v' is there twice"
bad_view 'a column of no view' 1 '    kernel\n' "'kernel' is in no view"
bad_view 'rows that hold no facts' 2 'v\n    rows kernel\n' "'kernel' holds no facts"
bad_view 'an unknown type of column' 2 'v\n    kernel wide\n' "'wide' says nothing about a column"
bad_view 'three facts in a column' 2 'v\n    kernel,gpu,code\n' "'kernel,gpu,code' are more than two facts"
bad_view 'a flag that is none' 2 'v\n    kernel unless=x\n' "'x' is no fact"

sed -n '/ part$/d; / with$/d; s/^ *\([A-Za-z0-9_]*\)  *[a-z].*/\1/p' tell/facts.table | sort -u | while read -r key; do
    grep -q "\"$key\":" docs/reference/pipesim.schema.json || echo "$key"
done >"$TAP_TMP/lacking"
tap_is 'the schema has every key' "$(cat "$TAP_TMP/lacking")" ''

# differences TABLE: where that table and the schema differ (tests/facts.pl).
differences() {
    perl tests/facts.pl "$1" docs/reference/pipesim.schema.json run launch_table comparison list bench schedule
}
tap_is '... and no other, and both have the same types' "$(differences tell/facts.table)" ''
tap_is '... and a meaning is no key' "$(differences "$TAP_TMP/meant.table")" ''
sed '/^list  *part/,/^bench/{s/warp_size  *count/warp_size name/; /vendor/d; s/compute_units/units/;}' \
    tell/facts.table >"$TAP_TMP/other.table"
tap_is '... what differs is seen' "$(differences "$TAP_TMP/other.table")" \
    "list.gpus.units: not in the schema
list.gpus.warp_size: 'name' in the table, 'integer' in the schema
list.gpus.sources.vendor: not in the table
list.gpus.compute_units: not in the table
list.gpus.vendor: not in the table"
tap_done

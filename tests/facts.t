#!/bin/sh
# SPDX-License-Identifier: BSD-3-Clause
# Runs: check
# The table of facts (tell/facts.table): what is wrong with it is said with its line, and nothing is made of it. A small
# table becomes the JSON schema that it should. (That what the program writes is as the schema says, both ways, is
# tested by schema.t.)
. tests/tap.sh

# refused NAME LINE TEXT PATTERN: the table of that text is refused at that line.
refused() {
    printf '%b' "$3" >"$TAP_TMP/bad.table"
    if awk -v what=ids -f make/facts/read.awk -f make/facts/c.awk "$TAP_TMP/bad.table" >"$TAP_OUT" 2>"$TAP_ERR"; then
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

# What a fact says of itself, which its type must allow.
says="'a' says nothing about itself"
refused 'a fact without a meaning' 1 'a name\nb name\n  | B.\n' "$says"
refused 'a meaning without a full stop' 1 'a name\n  | A\n' "'a' does not say what it means in a sentence"
refused 'half a sentence' 1 'a name\n  | Of b.\n' "'a' says what it means in half a sentence: 'Of b.'"
refused 'a unit is no meaning' 1 'a number\n  = seconds\n' "$says"
refused 'a document without a meaning' 2 '#\na part pipesim a\n' "$says"
refused 'an unknown unit' 2 'a number\n  = secunds; 0..\n  | A.\n' "'secunds' says nothing about 'a': it is no unit that make/facts/read.awk lists"
refused 'the unit of a name' 2 'a name\n  = seconds\n  | A.\n' "'a' is no number"
refused 'bounds of a flag' 2 'a flag\n  = 0..1\n  | A.\n' "'a' is no number"
refused 'words for a number' 2 'a count\n  = one of b, c\n  | A.\n' "'a' is no name"
refused 'a count that is a share' 2 'a count\n  = share\n  | A.\n' "'a' is a share"
refused 'a number without a unit' 1 'a number\n  = 0..\n  | A.\n' "'a' is a number without a unit"
refused 'bounds that nothing is between' 2 'a number\n  = 2..1\n  | A.\n' "'a' can have no value: 2 is above 1"
refused 'items of a value' 2 'a name\n  = 3 items or more\n  | A.\n' "'a' is no list"
refused 'another type beside the type' 2 'a count\n  = of name\n  | A.\n' "'a' is a count, whose type"
refused 'a row that is a list' 2 'a row\n  = list\n  | A.\n' "'a' is no part"
refused 'a meaning below nothing' 1 '  | A.\n' 'this stands right below no fact'
refused 'a meaning behind what is within' 4 'a row\n  b name\n    | B.\n  | A.\n' 'this stands right below no fact'
refused 'a fact like none' 1 'a name\n  = like b\n' "'a' is like 'b', which is no fact"
refused 'a fact like one of another type' 3 'b name\n  | B.\na count\n  = like b\n' "'a' is like 'b', which is of another"
refused 'null of what is told elsewhere' 6 'p part\n  b name\n    | B.\nq part\n  p with\n    = nullable\n' "'p' is told elsewhere"

awk -v what=ids -f make/facts/read.awk -f make/facts/c.awk tell/facts.table >"$TAP_TMP/fact-ids.h"

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
bad_view 'an unknown type of column' 2 'v\n    kernel broad\n' "'broad' says nothing about a column"
bad_view 'three facts in a column' 2 'v\n    kernel,gpu,code\n' "'kernel,gpu,code' are more than two facts"
bad_view 'a flag that is none' 2 'v\n    kernel unless=x\n' "'x' is no fact"
bad_view 'another' 2 'v\n    kernel only=x\n' "'x' is no fact"
bad_view 'rows of which nobody knows how many' 2 'v\n    rows lines most\n' "'most' says nothing about rows"
bad_view 'rows by what is no fact' 2 'v\n    rows lines most 3 by x\n' "'x' is no fact"
bad_view 'a table that is set in no known way' 2 'v\n    set loose\n' "'loose' is no way to set a table"
bad_view 'words that are not there' 2 'v\n    kernel words=w\n' "there are no words 'w'"
bad_view 'words twice' 2 'words w a "A"\nwords w b "B"\n' "the words 'w' are there twice"
bad_view 'words without a value' 1 'words w "A"\n' 'words are values, each with what it is called'
bad_view 'a what-if without a key' 3 'v\n    rows lines\n    lines.busy other\n' "the view 'v' has no key"

# ---- the schema of a small table
cat >"$TAP_TMP/small.table" <<'end'
answer part
  | What is said.
time row
  | How long it "takes", \n.
  seconds number
    = seconds; 0..
    | The time in seconds.
  best number
    = like time.seconds; nullable; optional
  bound name
    = one of compute, memory; one of shared memory; nullable
    | What limits it,
    | in one word.
place part
  line name
    = nullable
    | Its line.
tried part
  | One that was tried.
  value exact
    = no unit; whole; above 0
    | What was tried.
  was any
    | What it was.
show part pipesim show
  | A document.
  answer with
  rows objects
    = 1 items or more; nullable
    | What there is.
    place with
    * row
      | By name.
      n count
        = 0..9
        | How many.
  half row
    = optional
    | With half.
    tried with
  peaks entries
    = of number or name
    | By peak.
  grid numbers
    = of count; 1..
    | In x.
  time.best with
    = optional
all part pipesim all
  = list of either
  | All of them.
  show with
  tried with
end
cat >"$TAP_TMP/small.json" <<'end'
{
  "anyOf": [{"$ref": "#/$defs/show"}, {"$ref": "#/$defs/all"}],
  "$defs": {
    "answer": {
      "description": "What is said.", "type": "object", "properties": {"time": {"$ref": "#/$defs/time"}}, "required": ["time"]
    },
    "time": {
      "description": "How long it \"takes\", \\n.", "type": "object",
      "properties": {
        "seconds": {"description": "The time in seconds.", "type": "number", "minimum": 0, "unit": "seconds"},
        "best": {"$ref": "#/$defs/time.best"},
        "bound": {"description": "What limits it, in one word.", "enum": ["compute", "memory", "shared memory", null]}
      },
      "required": ["seconds", "bound"], "additionalProperties": false
    },
    "time.best": {"description": "The time in seconds.", "type": ["number", "null"], "minimum": 0, "unit": "seconds"},
    "tried": {
      "description": "One that was tried.", "type": "object",
      "properties": {
        "value": {"description": "What was tried.", "type": "integer", "exclusiveMinimum": 0},
        "was": {"description": "What it was."}
      },
      "required": ["value", "was"]
    },
    "show": {
      "title": "pipesim show", "description": "A document.", "type": "object", "$ref": "#/$defs/answer",
      "properties": {
        "rows": {
          "description": "What there is.", "type": ["array", "null"], "minItems": 1,
          "items": {
            "type": "object", "properties": {"line": {"description": "Its line.", "type": ["string", "null"]}}, "required": ["line"],
            "additionalProperties": {
              "description": "By name.", "type": "object",
              "properties": {"n": {"description": "How many.", "type": "integer", "minimum": 0, "maximum": 9}},
              "required": ["n"], "additionalProperties": false
            }
          }
        },
        "half": {"description": "With half.", "type": "object", "$ref": "#/$defs/tried", "unevaluatedProperties": false},
        "peaks": {"description": "By peak.", "type": "object", "additionalProperties": {"type": ["number", "string"]}},
        "grid": {"description": "In x.", "type": "array", "items": {"type": "integer", "minimum": 1}},
        "best": {"$ref": "#/$defs/time.best"}
      },
      "required": ["rows", "peaks", "grid"], "unevaluatedProperties": false
    },
    "all": {
      "title": "pipesim all", "description": "All of them.", "type": "array",
      "items": {"anyOf": [{"$ref": "#/$defs/show"}, {"$ref": "#/$defs/tried", "unevaluatedProperties": false}]}
    }
  }
}
end
# sorted FILE: JSON in one order, so that files can be compared, without what is the same of all tables.
sorted() {
    perl -MJSON::PP -0777 -ne '
        my $json = JSON::PP->new->utf8->canonical->pretty;
        my $all  = $json->decode($_);
        delete @$all{qw($schema $id title description)};
        print $json->encode($all)' "$1"
}
awk -f make/facts/read.awk -f make/facts/schema.awk "$TAP_TMP/small.table" >"$TAP_TMP/made.json"
tap_is 'the schema of a small table' "$(sorted "$TAP_TMP/made.json")" "$(sorted "$TAP_TMP/small.json")"
printf 'a part\n  | A.\n  b name\n    | B.\nc row\n  | C.\n  a with\n  a with\n' >"$TAP_TMP/bad.table"
tap_exit 'an object that extends two' 1 awk -f make/facts/read.awk -f make/facts/schema.awk "$TAP_TMP/bad.table"
tap_like '... is refused with its line' 'bad\.table:8: .a. is a second part that .c. extends' "$(cat "$TAP_ERR")"
tap_done

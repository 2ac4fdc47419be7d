# SPDX-License-Identifier: BSD-3-Clause
# tell/views.table as C: with -v what=ids the ids of the views, else the views. The first file has the ids of the
# facts, as make/facts/c.awk makes them, from which a fact's name and what holds others are known.

function fail(text) {
    print FILENAME ":" FNR ": " text > "/dev/stderr"
    failed = 1
    exit 1
}

# The number of a fact that is named as in the table, "launch.occupancy".
function number_of(name,    id) {
    id = "PS_FACT_" toupper(name)
    gsub(/\.\*/, ".EACH", id)
    gsub(/[^A-Z0-9_]/, "_", id)
    if (!(id in numbers))
        fail("'" name "' is no fact of tell/facts.table")
    return numbers[id]
}

function group_of(name,    number) {
    number = number_of(name)
    if (!(number in groups))
        fail("'" name "' holds no facts")
    return number
}

# Takes the text between the quotes off the line; it may be empty.
function quoted(    text) {
    if (!match($0, /"[^"]*"/))
        return "NULL"
    text = substr($0, RSTART, RLENGTH)
    $0 = substr($0, 1, RSTART - 1) " " substr($0, RSTART + RLENGTH)
    return text
}

function end_view() {
    if (view == "")
        return
    if (n_columns == 0) {
        print FILENAME ":" begun ": the view '" view "' names no fact" > "/dev/stderr"
        failed = 1
        exit 1
    }
    if (n_rows == 0)
        tables = tables "static const PsViewRows ROWS_" n_views "[] = {{.fact = PS_VIEW_NO_FACT}};\n"
    else
        tables = tables "static const PsViewRows ROWS_" n_views "[] = {\n" rows "};\n"
    tables = tables "static const PsViewColumn COLUMNS_" n_views "[] = {\n" columns "};\n\n"
    if (joined != "" && n_rows > 0 && !keyed) {
        print FILENAME ":" joined ": the view '" view "' has no key that rows of the what-if are found by" > "/dev/stderr"
        failed = 1
        exit 1
    }
    list = list "    {ROWS_" n_views ", " n_rows ", COLUMNS_" n_views ", " n_columns ", " title ", " more ", " set "},\n"
    n_views++
}

# words NAME VALUE "WORD" ...: what values are called, as a list of C; further ones may stand on indented lines.
function begin_words() {
    naming = $2
    if (naming in lists)
        fail("the words '" naming "' are there twice")
    lists[naming] = 1
    called_so = ""
    sub(/^words +[^ ]+/, "")
    read_words()
}

function read_words(    pair, pieces) {
    sub(/^ */, " ")
    while (match($0, /^ +[^ "]+ +"[^"]*"/)) {
        pair = substr($0, RSTART, RLENGTH)
        $0 = substr($0, RSTART + RLENGTH)
        split(pair, pieces, " ")
        match(pair, /"[^"]*"/)
        called_so = called_so "    {\"" pieces[1] "\", " substr(pair, RSTART, RLENGTH) "},\n"
    }
    if ($0 !~ /^ *$/)
        fail("words are values, each with what it is called: '" $0 "'")
}

function end_words() {
    if (naming == "")
        return
    if (called_so == "")
        fail("the words '" naming "' are none")
    tables = tables "static const PsViewWord WORDS_" naming "[] = {\n" called_so "    {NULL, NULL}};\n\n"
    naming = ""
}

BEGIN {
    split("value plain precise word inside entries name chip number thousands rounded cycles of interval share part " \
          "scaled latency change elasticity near beside arrow duration common estimate place percent billions keyed starred", words, " ")
    for (i = 1; i in words; i++)
        kinds[words[i]] = 1
    split("may-lack signed left items optional both key label blank other alone becomes sum unrated hidden wide once several", words, " ")
    for (i = 1; i in words; i++)
        flags[words[i]] = 1
}

# #define PS_FACT_LAUNCH ((PsGroupFact){5})
FNR == NR {
    if ($1 == "#define" && $2 ~ /^PS_FACT_/ && match($3, /[{][0-9]+[}]/)) {
        numbers[$2] = substr($3, RSTART + 1, RLENGTH - 2)
        if ($3 ~ /PsGroupFact/)
            groups[numbers[$2]] = 1
    }
    next
}

/^#/ || NF == 0 { next }

/^[^ ]/ { end_words() }

/^words / {
    end_view()
    view = ""
    begin_words()
    next
}

naming != "" {
    read_words()
    next
}

/^[^ ]/ {
    end_view()
    if ($1 !~ /^[a-z_]+$/ || NF != 1)
        fail("a view is a line with its name alone: '" $0 "'")
    if ($1 in views)
        fail("the view '" $1 "' is there twice")
    view = $1
    views[view] = 1
    begun = FNR
    rows = columns = ""
    n_rows = n_columns = 0
    when = "PS_VIEW_NO_FACT"
    title = more = "NULL"
    set = "0"
    joined = ""
    keyed = 0
    split("", seen)
    ids[n_views + 0] = "PS_VIEW_" toupper(view)
    next
}

view == "" { fail("'" $1 "' is in no view") }

$1 == "rows" {
    word = quoted()
    group = group_of($2)
    most = 0
    by = "PS_VIEW_NO_FACT"
    others = filled = "FALSE"
    for (i = 3; i <= NF; i++)
        if ($i == "most" && $(i + 1) ~ /^[0-9]+$/)
            most = $(++i)
        else if ($i == "by")
            by = number_of($(++i))
        else if ($i == "others")
            others = "TRUE"
        else if ($i == "if-any")
            filled = "TRUE"
        else
            fail("'" $i "' says nothing about rows")
    rows = rows "    {" group ", " word ", " most ", " by ", " others ", " filled "},\n"
    n_rows++
    next
}

$1 == "title" {
    title = quoted()
    next
}

$1 == "more" {
    more = quoted()
    next
}

$1 == "set" {
    for (i = 2; i <= NF; i++) {
        if ($i !~ /^(tight|headless|keeps-rows|down)$/)
            fail("'" $i "' is no way to set a table")
        word = toupper($i)
        gsub(/-/, "_", word)
        set = set " | PS_VIEW_" word
    }
    next
}

$1 == "when" {
    when = group_of($2)
    next
}

# A column: its facts, joined by commas, in the group before the colon; ^: told before the rows.
{
    head = quoted()
    what_is = $1
    shown = what_is ($0 ~ / other( |$)/ ? " other" : "")
    if (shown in seen)
        fail("'" what_is "' is there twice")
    seen[shown] = 1
    outer = sub(/^\^/, "", what_is) ? "PS_VIEW_OUTER" : "0"
    within = unless = "PS_VIEW_NO_FACT"
    if (i = index(what_is, ":")) {
        within = group_of(substr(what_is, 1, i - 1))
        what_is = substr(what_is, i + 1)
    }
    kind = "VALUE"
    options = outer
    called = instead = "NULL"
    for (i = 2; i <= NF; i++) {
        if ($i in kinds)
            kind = toupper($i)
        else if ($i in flags) {
            word = toupper($i)
            gsub(/-/, "_", word)
            options = options " | PS_VIEW_" word
            if ($i == "other" || $i == "becomes")
                joined = FNR
            keyed = keyed || $i == "key"
        } else if ($i ~ /^words=/) {
            called = substr($i, 7)
            if (!(called in lists))
                fail("there are no words '" called "'")
            called = "WORDS_" called
        } else if ($i ~ /^unless=[^:]*:[^:]+$/) {
            split(substr($i, 8), names, ":")
            unless = number_of(names[1])
            instead = "\"" names[2] "\""
        } else if ($i ~ /^unless=/)
            unless = number_of(substr($i, 8))
        else if ($i ~ /^only=/) {
            unless = number_of(substr($i, 6))
            options = options " | PS_VIEW_ONLY"
        }
        else
            fail("'" $i "' says nothing about a column")
    }
    n = what_is == "-" ? 0 : split(what_is, names, ",")
    if (n > 2)
        fail("'" what_is "' are more than two facts")
    facts = ""
    for (i = 1; i <= 2; i++)
        facts = facts (i > 1 ? ", " : "") (i <= n ? number_of(names[i]) : "PS_VIEW_NO_FACT")
    columns = columns "    {" head ", {" facts "}, " within ", " when ", " unless ", PS_CELL_" kind ", " options \
        ", " called ", " instead "},\n"
    n_columns++
}

END {
    if (!failed) {
        end_words()
        end_view()
    }
    if (failed)
        exit 1
    print "/* Made of tell/views.table. */"
    if (what == "ids") {
        print "#ifndef PIPESIM_TELL_VIEW_IDS_H\n#define PIPESIM_TELL_VIEW_IDS_H\n\ntypedef enum {"
        for (i = 0; i < n_views; i++)
            print "    " ids[i] ","
        print "} PsViewId;\n\n#endif"
    } else {
        print "#include \"tell/view.h\"\n"
        printf "%s", tables
        print "const PsView ps_views[] = {"
        printf "%s};\n", list
    }
}

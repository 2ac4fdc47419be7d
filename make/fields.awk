# SPDX-License-Identifier: BSD-3-Clause
# A table of fields (its head says how it is written), after the types that its schema has: with -v what=rng the schema,
# with what=h and what=c what base/fields.h reads and writes by, with what=md a page. -v format=gpu names them.

function fail(text, at) {
    print FILENAME ":" (at ? at : FNR) ": " text > "/dev/stderr"
    failed = 1
    exit 1
}

function c_name(name) { gsub(/-/, "_", name); return name }
function quoted(text) { gsub(/["\\]/, "\\\\&", text); return "\"" text "\"" }
function escaped(text) { gsub(/&/, "\\&amp;", text); gsub(/</, "\\&lt;", text); gsub(/>/, "\\&gt;", text); return text }
function put(indent, line) { printf "%*s%s\n", indent, "", line }

# The attribute or element that ends here must mean something.
function check_text() {
    if (rows && text[rows] == "") {
        if (element[rows] == "" || !(name[rows] in meaning))
            fail("'" name[rows] "' has no text that says what it means", at[rows])
        text[rows] = meaning[name[rows]]
    }
    if (rows && element[rows] != "")
        meaning[name[rows]] = text[rows]
}

function check_content(is,   n, word) {
    for (n = split(content[is], word, /[ |()*+]+/); n > 0; n--)
        if (word[n] != "" && word[n] != "text" && !(("<" word[n]) in seen))
            fail("<" is "> holds '" word[n] "', which is no element", at[first[is]])
}

# The types of the schema: whole numbers, decimal ones, and what stays a text. The rest of a schema is kept as it is.
FNR == NR {
    schema[FNR] = $0
    if (match($0, /<define name="[^"]*"/)) {
        define = substr($0, RSTART + 14, RLENGTH - 15)
        kind[define] = "TEXT"
    }
    if (/<data type="integer"/) kind[define] = "WHOLE"
    if (/<data type="decimal"/) kind[define] = "DECIMAL"
    if (match($0, /(min|max)Inclusive">[0-9]+/)) {
        bound = substr($0, RSTART, RLENGTH)
        sub(/.*>/, "", bound)
        if (/minInclusive/) least[define] = bound
        else most[define] = bound
    }
    lines = FNR
    next
}

/^#/ || NF == 0 { next }

/^      / {
    if (!rows)
        fail("a text stands before the first element")
    sub(/^ +/, "")
    text[rows] = text[rows] (text[rows] == "" ? "" : " ") $0
    next
}

/^</ {
    check_text()
    if (!/^<[a-z][a-z0-9-]*>  [^ ]+(  [^ ].*)?$/)
        fail("an element is written <NAME>  STRUCT  CONTENT")
    at[++rows] = FNR
    name[rows] = substr($1, 2, length($1) - 2)
    if (("<" name[rows]) in seen)
        fail("the element '" name[rows] "' is told twice")
    seen["<" name[rows]] = 1
    of = name[rows]
    struct[of] = $2
    prefix[of] = ""
    if (i = index($2, ".")) {
        struct[of] = substr($2, 1, i - 1)
        prefix[of] = substr($2, i + 1) "."
    }
    if (root == "")
        root = struct[of]
    content[of] = $0
    sub(/^<[^ ]+  [^ ]+ */, "", content[of])
    order[++elements] = of
    first[of] = rows
    next
}

{
    check_text()
    if (!/^  [a-z][^ ]*  /)
        fail("neither an element, <NAME>, nor an attribute after two blanks, nor a text after six")
    if (of == "")
        fail("an attribute stands before the first element")
    n = split(substr($0, 3), column, /   */)
    if (n < 3 || n > 4)
        fail("an attribute is written NAME  TYPE  WITHOUT  LABEL: UNIT, with two blanks between, and this has " n " columns")
    at[++rows] = FNR
    element[rows] = of
    split(column[1], part, "=")
    name[rows] = part[1]
    if ((of " " name[rows]) in seen)
        fail("<" of "> has '" name[rows] "' twice")
    seen[of " " name[rows]] = 1
    member[rows] = part[2] == "-" ? "" : prefix[of] (part[2] == "" ? c_name(part[1]) : part[2])
    type[rows] = column[2]
    set_type(column[2])
    set_without(column[3])
    if (split(column[4], part, ": ") == 2) {
        unit[rows] = part[2]
        label[rows] = part[1]
    } else
        label[rows] = column[4]
}

# A type of the schema, one of the words that stand in its place, or a range of whole numbers.
function set_type(is,   word) {
    if (is in kind) {
        sort[rows] = kind[is]
        low[rows] = least[is]
        high[rows] = most[is]
        if (is == "switch") { sort[rows] = "WORD"; words[rows] = "off|on" }
    } else if (is ~ /^count [0-9]+\.\.[0-9]+$/) {
        sort[rows] = "WHOLE"
        split(is, word, /[ .]+/)
        low[rows] = word[2]
        high[rows] = word[3]
    } else if (index(is, "|") || is ~ /^[0-9]+$/ || is ~ /^'.*'$/) {
        gsub(/'/, "", is)
        sort[rows] = "WORD"
        words[rows] = is
    } else
        fail("'" name[rows] "' is of no type: '" is "'; the schema has no such <define>")
}

function set_without(is,   bare, word, n) {
    without[rows] = is
    bare = is
    gsub(/[()]/, "", bare)
    always[rows] = bare == is && is != "-"
    absent[rows] = 0
    if (is == "needed" || is == "-")
        return
    if (sort[rows] == "WORD") {
        n = split(words[rows], word, "|")
        while (n && word[n] != bare)
            n--
        absent[rows] = n - 1
    } else if (bare ~ /^[0-9]+$/ && sort[rows] != "TEXT")
        absent[rows] = bare
    else
        n = -1
    if (sort[rows] == "WORD" ? !n : n < 0)
        fail("'" name[rows] "' cannot be '" is "' where it is not stated: say needed, - or a value of its type")
}

# ---- the schema ----------------------------------------------------------------------------------

function put_text(indent, what,   line, n, i, word) {
    n = split(escaped(what), word, " ")
    line = "<a:documentation>" word[1]
    for (i = 2; i <= n; i++) {
        if (length(line) + length(word[i]) > 110) {
            put(indent, line)
            line = word[i]
        } else
            line = line " " word[i]
    }
    put(indent, line "</a:documentation>")
}

function put_type(indent, r,   word, n, i) {
    if (type[r] in kind)
        put(indent, "<ref name=\"" type[r] "\"/>")
    else if (sort[r] == "WHOLE")
        put(indent, "<data type=\"integer\"><param name=\"minInclusive\">" low[r] "</param>" \
            "<param name=\"maxInclusive\">" high[r] "</param></data>")
    else {
        n = split(words[r], word, "|")
        if (n > 1) put(indent, "<choice>")
        for (i = 1; i <= n; i++)
            if (word[i] != "-") put(indent + 2, "<value>" word[i] "</value>")
        if (n > 1) put(indent, "</choice>")
    }
}

function put_attribute(indent, r) {
    if (without[r] != "needed") put(indent, "<optional>")
    put(indent, "<attribute name=\"" name[r] "\">")
    put_text(indent + 2, text[r])
    put_type(indent + 2, r)
    put(indent, "</attribute>")
    if (without[r] != "needed") put(indent, "</optional>")
}

# One part of what is within an element: text, or names with | between, and * or + behind one or behind a bracket.
function put_part(indent, is,   times, word, n, i) {
    if (is == "text") { put(indent, "<text/>"); return }
    times = is ~ /\*$/ ? "zeroOrMore" : is ~ /\+$/ ? "oneOrMore" : ""
    if (is ~ /^\(/) {
        gsub(/[()*+]/, "", is)
    } else if (index(is, "|"))
        times = "choice"
    else
        gsub(/[*+]/, "", is)
    n = split(is, word, "|")
    if (times) put(indent, "<" times ">")
    if (n > 1 && times != "choice") put(indent, "<choice>")
    for (i = 1; i <= n; i++) {
        if (word[i] ~ /[*+]$/) put_part(indent + 2, word[i])
        else put(indent + 2, "<ref name=\"" word[i] "\"/>")
    }
    if (n > 1 && times != "choice") put(indent, "</choice>")
    if (times) put(indent, "</" times ">")
}

# Attributes have no order anyway; but libxml2 takes exponential time for many optional ones in a group, and none in an
# interleave.
function put_element(is,   r, n, i, part, some) {
    put(2, "<define name=\"" is "\">")
    put(4, "<element name=\"" is "\">")
    put_text(6, text[first[is]])
    for (r = first[is] + 1; element[r] == is; r++)
        some += without[r] != "needed"
    if (some > 4) put(6, "<interleave>")
    for (r = first[is] + 1; element[r] == is; r++)
        put_attribute(6, r)
    if (some > 4) put(6, "</interleave>")
    n = split(content[is], part, " ")
    for (i = 1; i <= n; i++)
        put_part(6, part[i])
    if (!n) put(6, "<empty/>")
    put(4, "</element>")
    put(2, "</define>")
}

function put_schema(   i, e) {
    for (i = 1; i <= lines; i++) {
        if (schema[i] !~ /^ *@elements$/)
            print schema[i]
        else
            for (e = 1; e <= elements; e++)
                put_element(order[e])
    }
}

# ---- C -------------------------------------------------------------------------------------------

function put_field(r,   word, n, i) {
    printf "    {\"%s\", PS_FIELD_%s(%s, %s), .absent = %s, .always = %d", name[r], sort[r], struct[element[r]], member[r], \
        absent[r], always[r]
    if (sort[r] == "WHOLE")
        printf ", .least = %s, .most = %s", low[r], high[r]
    if (sort[r] == "WORD") {
        n = split(words[r], word, "|")
        printf ", .n_words = %d, .words = (const char *const[]){", n
        for (i = 1; i <= n; i++)
            printf "%s%s", (i == 1 ? "" : ", "), word[i] == "-" ? "NULL" : quoted(word[i])
        printf "}"
    }
    if (label[r] != "")
        printf ", .label = %s, .unit = %s", quoted(label[r]), quoted(unit[r])
    print "},"
}

function put_c(   e, is, r, n, of_root) {
    print "#include \"" format "/" format "-fields.h\"\n#include \"" format "/internal.h\"\n"
    for (e = 1; e <= elements; e++) {
        is = order[e]
        if (struct[is] == "-")
            continue
        n = 0
        print "static const PsField " c_name(is) "_fields[] = {"
        for (r = first[is] + 1; element[r] == is; r++)
            if (member[r] != "") { put_field(r); n++ }
        print "};"
        printf "const PsFields ps_%s_fields_%s = {\"%s\", %s_fields, %d};\n\n", format, c_name(is), is, c_name(is), n
        if (struct[is] == root)
            of_root = of_root "&ps_" format "_fields_" c_name(is) ", "
    }
    print "const PsFields *const ps_" format "_fields[] = {" of_root "NULL};"
}

function put_h(   e) {
    print "#ifndef PIPESIM_FIELDS_" toupper(format) "_H\n#define PIPESIM_FIELDS_" toupper(format) "_H"
    print "#include \"base/fields.h\""
    for (e = 1; e <= elements; e++)
        if (struct[order[e]] != "-")
            print "extern const PsFields ps_" format "_fields_" c_name(order[e]) ";"
    print "/* The elements that are the file's own struct, or a member of it; NULL ends them. */"
    print "extern const PsFields *const ps_" format "_fields[];\n#endif"
}

# ---- the page ------------------------------------------------------------------------------------

function cell(is) { gsub(/\|/, "\\|", is); return is }

function put_page(   e, r, is) {
    print "# " toupper(format) ": elements and attributes\n"
    for (e = 1; e <= elements; e++) {
        is = order[e]
        print "## `<" is ">`\n\n" text[first[is]] "\n\n| attribute | type | unit | without it | meaning |\n|---|---|---|---|---|"
        for (r = first[is] + 1; element[r] == is; r++)
            print "| `" name[r] "` | " cell(type[r]) " | " unit[r] " | " without[r] " | " cell(text[r]) " |"
        print ""
    }
}

END {
    if (!failed)
        check_text()
    for (i = 1; i <= elements && !failed; i++)
        check_content(order[i])
    if (failed)
        exit 1
    if (what != "rng" && what != "md")
        print "/* Made of " format "/" format ".fields. */"
    if (what == "rng") put_schema()
    else if (what == "h") put_h()
    else if (what == "c") put_c()
    else put_page()
}

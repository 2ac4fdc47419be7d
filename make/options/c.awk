# SPDX-License-Identifier: BSD-3-Clause
# The table in C: with -v what=ids the names of verbs and options (build/cli/option-ids.h), else what
# cli/option-table.h declares.

function upper(text) {
    gsub(/-/, "_", text)
    return toupper(text)
}

function quoted(text) {
    if (text == "")
        return "NULL"
    gsub(/\\/, "\\\\\\\\", text)
    gsub(/"/, "\\\"", text)
    gsub(/\n/, "\\n", text)
    return "\"" text "\""
}

# With what {} stands for.
function filled(i, text, filling) {
    sub(/\{\}/, filling, text)
    return quoted(text)
}

function mask(verbs,    list, k, count, text) {
    count = split(verbs, list, " ")
    for (k = 1; k <= count; k++)
        text = text (k > 1 ? " | " : "") "1U << VERB_" upper(list[k])
    return count ? text : "0"
}

function print_ids(    i, v, done) {
    print "/* Made of cli/options.table. */\n#ifndef PIPESIM_CLI_OPTION_IDS_H\n#define PIPESIM_CLI_OPTION_IDS_H\n"
    print "typedef enum {"
    for (v = 1; v <= n_verbs; v++)
        print "    VERB_" upper(verb[v]) ","
    print "    N_VERBS\n} Verb;\n\n/* X(VERB_RUN, run) for each of them. */\n#define EACH_VERB(X) \\"
    for (v = 1; v <= n_verbs; v++)
        print "    X(VERB_" upper(verb[v]) ", " verb[v] ")" (v < n_verbs ? " \\" : "")
    print "\n/* OPTION_FILES is what is no option. */\ntypedef enum {"
    for (i = 1; i <= n; i++)
        if (!done[name[i]]++)
            print "    OPTION_" upper(name[i]) ","
    print "    OPTION_FILES,\n    N_OPTIONS\n} OptionId;\n\n#endif"
}

function type_of(i,    type) {
    type = field[i, "type"]
    sub(/ .*/, "", type)
    return field[i, "value"] == "" ? "SWITCH" : type == "" ? "TEXT" : toupper(type)
}

function print_option(i,    type, k) {
    type = field[i, "type"]
    printf "    {.id = OPTION_%s, .name = %s, ", upper(name[i]), quoted(name[i])
    if (letter[i])
        printf ".letter = '%s', ", letter[i]
    printf ".type = TYPE_%s, .many = %s, ", type_of(i), type ~ / many$/ ? "TRUE" : "FALSE"
    printf ".verbs = %s, .code = %s, ", mask(field[i, "verbs"]), mask(field[i, "code"])
    if (match(type, /[-0-9]+\.\./)) {
        printf ".least = %s, ", substr(type, RSTART, RLENGTH - 2)
        match(type, /\.\.[0-9]+/)
        printf ".most = G_GINT64_CONSTANT(%s), .fallback = %s, ", substr(type, RSTART + 2, RLENGTH - 2), fallback_of(i)
    }
    if (n_words[i]) {
        printf ".noun = %s, .words = (const char *const[]){", quoted(noun[i])
        for (k = 1; k <= n_words[i]; k++)
            printf "%s, ", quoted(words[i, k])
        printf "NULL}, "
    }
    printf ".first = %s, .group = %s, ", mask(field[i, "first"]), quoted(field[i, "group"])
    printf ".value = %s, ", filled(i, field[i, "value"], words_with("|", i))
    printf ".help = %s},\n", filled(i, field[i, "help"], n_words[i] ? choices(i) : fallback_of(i))
}

function fallback_of(i,    type) {
    type = field[i, "type"]
    return sub(/.* = /, "", type) ? type : "0"
}

# A part of a help.txt; the last line of these two is ended by who prints them.
function said_of(v, part,    text) {
    text = said[verb[v], part]
    sub(/\n+$/, part ~ /usage|summary/ ? "" : "\n", text)
    return "." part " = " quoted(text)
}

function print_table(    i, v) {
    print "/* Made of cli/options.table. */\n#include \"cli/option-table.h\"\n\nconst Option OPTIONS[] = {"
    for (i = 1; i <= n; i++)
        print_option(i)
    print "};\n\nconst guint N_OPTION_ROWS = G_N_ELEMENTS(OPTIONS);\n\nconst VerbText VERBS[] = {"
    for (v = 1; v <= n_verbs; v++)
        print "    {.name = " quoted(verb[v]) ", " said_of(v, "overview") ", " said_of(v, "usage") ", " \
            said_of(v, "summary") ", " said_of(v, "description") ", .is_command = " (said[verb[v], "complete"] == "command\n" ? "TRUE" : "FALSE") "},"
    print "};"
}

END {
    if (what == "ids")
        print_ids()
    else
        print_table()
}

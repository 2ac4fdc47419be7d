# SPDX-License-Identifier: BSD-3-Clause
# Reads cli/options.table and the help.txt of every verb, for the other scripts here, which then
# have, at the end:
#
#   verb[1..n_verbs]          names of the verbs, in order
#   name[i], letter[i]        of the i-th option, 1..n
#   field[i, KEYWORD]         what stands behind @verbs, @code, @value, @type, @help, @first, @group, @complete
#   words[i, 1..n_words[i]]   the words that its value may be, and which of them is the default
#   fallback[i]               (0: none is); noun[i] is what errors call them
#   entry[PART]               the options of a part of the man page, in mdoc
#   said[VERB, PART]          the parts of a help.txt:
#       overview              lines in `pipesim --help`
#       usage, summary        in `pipesim VERB --help`, before its options
#       description           likewise, behind them
#       complete              how what is no option is completed: as @complete of options, or
#                             "model" for a GPU behind "model:", or "command" for a program and
#                             its arguments, which are not the verb's then
#       synopsis, about       mdoc: lines of SYNOPSIS, and what the verb does
#       before-options        mdoc: text around the list of its options
#       after-options

function fail(why) {
    print why > "/dev/stderr"
    failed = 1
    exit 1
}

function bad(why) {
    fail(FILENAME ":" FNR ": " why)
}

# "a (default), b or c"
function choices(i,    k, text) {
    for (k = 1; k <= n_words[i]; k++)
        text = text (k == 1 ? "" : k == n_words[i] ? " or " : ", ") words[i, k] (k == fallback[i] ? " (default)" : "")
    return text
}

function words_with(separator, i,    k, text) {
    for (k = 1; k <= n_words[i]; k++)
        text = text (k == 1 ? "" : separator) words[i, k]
    return text
}

# The verbs that "*" stands for.
function others(    v, text) {
    for (v = 1; v <= n_verbs; v++)
        if (!taken[name[n], verb[v]])
            text = text (text == "" ? "" : " ") verb[v]
    return text
}

function check_verbs(verbs,    list, k, v, found) {
    for (k = split(verbs, list, " "); k > 0; k--) {
        found = 0
        for (v = 1; v <= n_verbs; v++)
            found = found || verb[v] == list[k]
        if (!found)
            bad("there is no verb " list[k])
        if (taken[name[n], list[k]]++)
            bad(list[k] " has --" name[n] " twice")
    }
}

function read_words(i, text,    list, k, count) {
    if (match(text, /^[a-z]+: /)) {
        noun[i] = substr(text, 1, RLENGTH - 2)
        text = substr(text, RLENGTH + 1)
    }
    count = split(text, list, " ")
    for (k = 1; k <= count; k++) {
        if (sub(/\*$/, "", list[k]))
            fallback[i] = k
        words[i, k] = list[k]
    }
    n_words[i] = count
}

function read_type(i, type) {
    if (sub(/^words /, "", type))
        read_words(i, type)
    else if (type !~ /^(number -?[0-9]+\.\.[0-9]+( = [0-9]+)?|bytes|(text|bytes|path) many|path)$/)
        bad("there is no type '" type "'")
}

# What stands behind the name of the option in the man page.
function argument(i, stated) {
    if (stated != "" || field[i, "value"] == "")
        return stated
    return n_words[i] ? "Cm " words_with(" | ", i) : "Ar " tolower(field[i, "value"])
}

function read_option(keyword, rest) {
    if (!n)
        bad("@" keyword " stands before the first @option")
    field[n, keyword] = rest
    if (keyword == "man") {
        part = $2
        sub(/^[a-z]+ */, "", rest)
        rest = argument(n, rest)
        entry[part] = entry[part] ".It Fl " (letter[n] ? letter[n] " , Fl " : "") "-" name[n] (rest == "" ? "" : " " rest) "\n"
        return
    }
    if (keyword !~ /^(verbs|code|value|type|help|first|group|complete)$/)
        bad("there is no @" keyword)
    if (rest == "*")
        field[n, keyword] = others()
    if (keyword == "verbs" || keyword == "code")
        check_verbs(field[n, keyword])
    if (keyword == "type")
        read_type(n, rest)
    if (keyword == "complete" && rest !~ /^(files$|(ending|words|begin|value) )/)
        bad("nothing is completed by '" rest "'")
}

function start_part(keyword, rest) {
    if (keyword !~ /^(overview|usage|summary|description|complete|synopsis|about|before-options|after-options)$/)
        bad("there is no @" keyword)
    part = keyword
    said[folder[2], part] = rest == "" ? "" : rest "\n"
}

FNR == 1 {
    split(FILENAME, folder, "/")
    is_table = FILENAME ~ /\.table$/
    part = ""
}

/^#/ {
    next
}

/^@/ {
    keyword = substr($1, 2)
    rest = $0
    sub(/^@[a-z-]+ */, "", rest)
    if (!is_table)
        start_part(keyword, rest)
    else if (keyword == "verb")
        verb[++n_verbs] = rest
    else if (keyword == "option") {
        name[++n] = $2
        letter[n] = $3
    } else
        read_option(keyword, rest)
    next
}

is_table && NF {
    entry[part] = entry[part] $0 "\n"
}

!is_table {
    said[folder[2], part] = said[folder[2], part] $0 "\n"
}

END {
    if (failed)
        exit 1
    for (i = 1; i <= n; i++)
        for (k = split("verbs help man", wanted, " "); k > 0; k--)
            if (!((i, wanted[k]) in field))
                fail("cli/options.table: --" name[i] " lacks @" wanted[k])
    for (v = 1; v <= n_verbs; v++)
        for (k = split("overview summary synopsis about", wanted, " "); k > 0; k--)
            if (!((verb[v], wanted[k]) in said))
                fail("cli/" verb[v] "/help.txt lacks @" wanted[k])
}

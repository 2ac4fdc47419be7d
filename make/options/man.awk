# SPDX-License-Identifier: BSD-3-Clause
# The man page from its template, in which a line that begins with @ stands for
#
#   @verbs WHAT       what each help.txt says: synopsis, about, or options (with the entries)
#   @options PART     the entries of this part, as a list

function options(part) {
    printed[part] = 1
    return entry[part] == "" ? "" : ".Bl -tag -width Ds\n" entry[part] ".El\n"
}

function section(v,    text) {
    text = said[v, "before-options"] options(v) said[v, "after-options"]
    return text == "" ? "" : ".Ss Options of " v "\n" text
}

function of_verbs(what,    v, text) {
    for (v = 1; v <= n_verbs; v++)
        if (what == "about")
            text = text ".It Cm " verb[v] "\n" said[verb[v], "about"]
        else if (what == "synopsis")
            text = text said[verb[v], "synopsis"]
        else
            text = text section(verb[v])
    return text
}

END {
    while ((got = getline line < template) > 0) {
        split(line, word, " ")
        if (word[1] == "@verbs")
            printf "%s", of_verbs(word[2])
        else if (word[1] == "@options")
            printf "%s", options(word[2])
        else
            print line
    }
    if (got < 0)
        fail(template ": cannot be read")
    for (part in entry)
        if (!printed[part])
            fail("cli/options.table: the man page has no part '" part "'")
}

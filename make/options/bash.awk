# SPDX-License-Identifier: BSD-3-Clause
# The completion from its template, in which a line "# @options" stands for the functions that know
# the table.

function patterns(i,    list, k, count, text) {
    count = split(field[i, "verbs"] " " field[i, "code"], list, " ")
    for (k = 1; k <= count; k++) {
        text = text (k > 1 ? " | " : "") list[k] ":--" name[i]
        if (letter[i])
            text = text " | " list[k] ":-" letter[i]
    }
    return text
}

function print_values(    i, how) {
    print "# Completes the value of an option (\"run:--gpu\"), of which a part is there; fails where none is due."
    print "_pipesim_value() {\n    case $1 in"
    for (i = 1; i <= n; i++) {
        if (field[i, "value"] == "")
            continue
        how = n_words[i] ? "words " words_with(" ", i) : field[i, "complete"]
        print "    " patterns(i) ")"
        if (field[i, "value"] ~ /^\[/)
            print "        [ -n \"$equals\" ] || return 1"
        print "        _pipesim_offer \"$2\" " (how == "" ? "nothing" : how)
        print "        ;;"
    }
    print "    *) return 1 ;;\n    esac\n}\n"
}

function print_options(    v, i, text) {
    print "_pipesim_options() {\n    case $1 in"
    for (v = 1; v <= n_verbs; v++) {
        text = ""
        for (i = 1; i <= n; i++)
            if (index(" " field[i, "verbs"] " " field[i, "code"] " ", " " verb[v] " "))
                text = text (text == "" ? "" : " ") "--" name[i]
        print "    " verb[v] ") echo '" text "' ;;"
    }
    print "    esac\n}\n"
}

function print_arguments(    v, how) {
    print "_pipesim_arguments() {\n    case $1 in"
    for (v = 1; v <= n_verbs; v++) {
        how = said[verb[v], "complete"]
        sub(/\n+$/, "", how)
        print "    " verb[v] ") _pipesim_offer \"$2\" " (how == "" ? "nothing" : how) " ;;"
    }
    print "    esac\n}\n"
}

END {
    while ((got = getline line < template) > 0)
        if (line != "# @options")
            print line
        else {
            for (v = 1; v <= n_verbs; v++)
                verbs = verbs (v > 1 ? " " : "") verb[v]
            print "_pipesim_verbs='" verbs "'\n"
            print_options()
            print_values()
            print_arguments()
        }
    if (got < 0)
        fail(template ": cannot be read")
}

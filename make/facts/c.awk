# SPDX-License-Identifier: BSD-3-Clause
# tell/facts.table, which read.awk has read, as C: with -v what=ids the ids of the facts, else their table.

# The C type of an id says which values its fact takes (tell/facts.h).
BEGIN {
    split("string Text boolean Flag integer Count number Number group Group items Group entries Group array Group any Any", \
          pairs, " ")
    for (i = 1; i in pairs; i += 2)
        kinds[pairs[i]] = pairs[i + 1]
}

function id_of(i,    id) {
    id = path[i]
    gsub(/\*/, "EACH", id)
    gsub(/[^A-Za-z0-9_]/, "_", id)
    return "PS_FACT_" toupper(id)
}

function print_ids(    i, at) {
    print "#ifndef PIPESIM_TELL_FACT_IDS_H\n#define PIPESIM_TELL_FACT_IDS_H\n"
    for (i = 0; i < n; i++)
        if (type[i] != "with")
            printf "#define %s ((Ps%sFact){%d})\n", id_of(i), type[i] == "exact" ? "Exact" : kinds[json[type[i]]], at++
    print "\n#endif"
}

function print_table(    i) {
    print "#include \"tell/facts.h\"\n\nconst PsFactRow ps_fact_table[] = {"
    for (i = 0; i < n; i++)
        if (type[i] != "with")
            printf "    {\"%s\", %s, PS_FACT_IS_%s},\n", key[i], heading[i] == "" ? "NULL" : "\"" heading[i] "\"", \
                toupper(type[i])
    print "};"
}

END {
    if (failed)
        exit 1
    print "/* Made of tell/facts.table. */"
    if (what == "ids")
        print_ids()
    else
        print_table()
}

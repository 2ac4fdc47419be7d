# SPDX-License-Identifier: BSD-3-Clause
# tell/facts.table as C: with -v what=ids the ids of the facts, else their table.

function fail(text) {
    print FILENAME ":" FNR ": " text > "/dev/stderr"
    failed = 1
    exit 1
}

# The C type of an id says which values its fact takes (tell/facts.h).
BEGIN {
    n = 0
    open = -1
    split("name Text sentence Text flag Flag count Count exact Exact number Number figure Number" \
          " precise Number object Group row Group list Group objects Group part Group entries Group names Group texts Group numbers Group with -", words, " ")
    for (i = 1; i in words; i += 2)
        kinds[words[i]] = words[i + 1]
}

# What a fact means, its unit and its bounds stand below it; ids need neither.
/^#/ || /^ *[|=] / || NF == 0 { next }

{
    match($0, /^ */)
    depth = RLENGTH / 2
    if (depth != int(depth) || depth > open + 1)
        fail("'" $1 "' is neither within the fact above it nor beside it")
    if (!($2 in kinds))
        fail("'" $1 "' is of no type: '" $2 "'")
    if (depth > 0 && kinds[types[depth - 1]] != "Group")
        fail("'" $1 "' is within '" keys[depth - 1] "', which holds no others")
    if ($2 == "part" && depth > 0)
        fail("'" $1 "' is a part within '" keys[depth - 1] "'")
    if ($2 == "part")
        parts[$1] = 1
    keys[depth] = $1
    types[depth] = $2
    open = depth
    if ($2 == "with") {
        wanted[$1] = FNR
        next
    }
    id = "PS_FACT"
    for (i = 0; i <= depth; i++)
        id = id "_" (keys[i] == "*" ? "EACH" : toupper(keys[i]))
    gsub(/[^A-Z0-9_]/, "_", id)
    if (id in seen)
        fail("'" $1 "' is told twice")
    seen[id] = 1
    heading = $0
    sub(/^ *[^ ]+ +[^ ]+ */, "", heading)
    rows[n] = "    {\"" $1 "\", " (heading == "" ? "NULL" : "\"" heading "\"") ", PS_FACT_IS_" toupper($2) "},"
    ids[n] = "#define " id " ((Ps" kinds[$2] "Fact){" n "})"
    n++
}

END {
    for (part in wanted)
        if (!failed && !(part in parts)) {
            print FILENAME ":" wanted[part] ": '" part "' is no part" > "/dev/stderr"
            failed = 1
        }
    if (failed)
        exit 1
    print "/* Made of tell/facts.table. */"
    if (what == "ids") {
        print "#ifndef PIPESIM_TELL_FACT_IDS_H\n#define PIPESIM_TELL_FACT_IDS_H\n"
        for (i = 0; i < n; i++)
            print ids[i]
        print "\n#endif"
    } else {
        print "#include \"tell/facts.h\"\n\nconst PsFactRow ps_fact_table[] = {"
        for (i = 0; i < n; i++)
            print rows[i]
        print "};"
    }
}

# SPDX-License-Identifier: BSD-3-Clause
# Reads tell/facts.table for the other scripts here, which then have, of each of its lines 0..n-1:
#
#   key[i], type[i], heading[i]    as the line has them; place[i] is the line's number
#   path[i]                        all keys down to it: launch.occupancy
#   within[i]                      the line that it stands within; -1: it stands outermost
#   members[i], member[i, k]       what stands within it, k from 1
#   meaning[i], unit[i]            "" where there is none
#   least[i], above[i], most[i]    bounds of its values; "" where there is none
#   words[i]                       the words that it may be, ", " between them
#   optional[i], nullable[i]       whether it may be left out, or be null
#   least_items[i]                 of a list; of[i]: what the values of entries and the items of numbers are
#   whole[i]                       of a number: it has no decimals
#   list[i]                        of a part: `list`, or `list of either`
#   target[i]                      of `with`: the line that stands here, too
#
# number[path] is a line by its path. What is wrong with the table is said with its line, and ends the build.

function fail_at(at, text) {
    if (!failed)
        print FILENAME ":" at ": " text > "/dev/stderr"
    failed = 1
    exit 1
}

function fail(text) {
    fail_at(FNR, text)
}

# What JSON has for a type; a group holds other facts.
BEGIN {
    n = 0
    open = -1
    split("name string sentence string flag boolean count integer exact number number number figure number" \
          " precise number any any object group row group list items objects items part group entries entries" \
          " names array texts array numbers array with -", pairs, " ")
    for (i = 1; i in pairs; i += 2)
        json[pairs[i]] = pairs[i + 1]
    n_units = split("cycles;seconds;MHz;MiB;bytes;bytes per cycle;bytes per second;1e9 bytes per second;operations;" \
                    "operations per byte;operations per second;1e9 operations per second;share;ratio;" \
                    "instructions;warp instructions;groups;warps;threads;registers;iterations;sectors;CUs;stages;" \
                    "microseconds;no unit;any unit", pairs, ";")
    for (i = 1; i <= n_units; i++)
        units[pairs[i]] = 1
}

function holds_others(i) {
    return json[type[i]] == "group" || json[type[i]] == "items" || json[type[i]] == "entries"
}

function is_number(i) {
    return json[type[i]] == "integer" || json[type[i]] == "number" || type[i] == "numbers" || \
        (type[i] == "entries" && of[i] ~ /number|count/)
}

# One piece of the line of bounds; returns whether it is one.
function take(i, piece) {
    if (piece == "optional" || piece == "nullable") {
        if (piece == "optional")
            optional[i] = 1
        else
            nullable[i] = 1
    } else if (piece == "whole")
        whole[i] = 1
    else if (piece in units)
        unit[i] = piece
    else if (sub(/^one of /, "", piece))
        words[i] = words[i] (words[i] == "" ? "" : ", ") piece
    else if (sub(/^like /, "", piece))
        like[i] = piece
    else if (sub(/^above /, "", piece))
        above[i] = piece
    else if (piece ~ /^-?[0-9]*\.\.-?[0-9]*$/) {
        least[i] = piece
        sub(/\.\..*/, "", least[i])
        most[i] = piece
        sub(/.*\.\./, "", most[i])
    } else if (piece ~ /^[0-9]+ items or more$/)
        least_items[i] = piece + 0
    else if (piece ~ /^of (name|number|count|flag)( or (name|number|count|flag))*$/)
        of[i] = substr(piece, 4)
    else if (piece == "list" || piece == "list of either")
        list[i] = piece
    else
        return 0
    return 1
}

# Which pieces go with which types.
function check_bounds(i) {
    if ((unit[i] least[i] above[i] most[i] whole[i]) != "" && !is_number(i))
        fail("'" key[i] "' is no number: a " type[i] " has neither a unit nor bounds")
    if (words[i] != "" && type[i] != "name" && type[i] != "names")
        fail("'" key[i] "' is no name: a " type[i] " is not one of some words")
    if (unit[i] == "share" && type[i] == "count")
        fail("'" key[i] "' is a share, which is no count")
    if ((least[i] above[i]) != "" && most[i] != "" && least[i] + above[i] > most[i] + 0)
        fail("'" key[i] "' can have no value: " least[i] above[i] " is above " most[i])
    if (of[i] != "" && type[i] != "entries" && type[i] != "numbers")
        fail("'" key[i] "' is a " type[i] ", whose type says what it is of")
    if (least_items[i] != "" && json[type[i]] != "items" && json[type[i]] != "array")
        fail("'" key[i] "' is no list: a " type[i] " has no items")
    if (list[i] != "" && type[i] != "part")
        fail("'" key[i] "' is no part: a " type[i] " is a list by its type")
    if (type[i] == "with" && (nullable[i] || like[i] != ""))
        fail("'" key[i] "' is told elsewhere: it may be optional here, and no more")
}

/^#/ || NF == 0 { next }

/^ *[=|] / {
    match($0, /^ */)
    if (n == 0 || RLENGTH / 2 != open + 1)
        fail("this stands right below no fact: '" $0 "'")
    text = substr($0, RLENGTH + 3)
    if (substr($0, RLENGTH + 1, 1) == "|") {
        meaning[n - 1] = meaning[n - 1] (meaning[n - 1] == "" ? "" : " ") text
        next
    }
    n_pieces = split(text, pairs, /; */)
    for (i = 1; i <= n_pieces; i++)
        if (!take(n - 1, pairs[i]))
            fail("'" pairs[i] "' says nothing about '" key[n - 1] "': it is no unit that make/facts/read.awk lists, no bounds, and not 'nullable'")
    check_bounds(n - 1)
    next
}

{
    match($0, /^ */)
    depth = RLENGTH / 2
    if (depth != int(depth) || depth > open + 1)
        fail("'" $1 "' is neither within the fact above it nor beside it")
    if (!($2 in json))
        fail("'" $1 "' is of no type: '" $2 "'")
    within[n] = depth == 0 ? -1 : latest[depth - 1]
    if (depth > 0 && !holds_others(within[n]))
        fail("'" $1 "' is within '" key[within[n]] "', which holds no others")
    if ($2 == "part" && depth > 0)
        fail("'" $1 "' is a part within '" key[within[n]] "'")
    key[n] = $1
    type[n] = $2
    place[n] = FNR
    latest[depth] = n
    open = depth
    heading[n] = $0
    sub(/^ *[^ ]+ +[^ ]+ */, "", heading[n])
    path[n] = (depth == 0 ? "" : path[within[n]] ".") $1
    if (depth > 0)
        member[within[n], ++members[within[n]]] = n
    if ($2 != "with") {
        if (toupper(path[n]) in seen)
            fail("'" $1 "' is told twice")
        seen[toupper(path[n])] = 1
        number[path[n]] = n
    }
    n++
}

# What stands in no part is a member of the part `answer`.
function give_to_answer(    i, answer) {
    if (!("answer" in number))
        return
    answer = number["answer"]
    for (i = 0; i < n; i++)
        if (within[i] == -1 && type[i] != "part")
            member[answer, ++members[answer]] = i
}

# `with` is a part's name, or the path of a fact.
function find_targets(    i) {
    for (i = 0; i < n; i++)
        if (type[i] == "with") {
            if (!(key[i] in number) || (key[i] !~ /\./ && type[number[key[i]]] != "part"))
                fail_at(place[i], "'" key[i] "' is no part")
            target[i] = number[key[i]]
        }
}

# A fact that is like another has its bounds, and its meaning where it has none of its own.
function copy_like(    i, from) {
    for (i = 0; i < n; i++)
        if (like[i] != "") {
            if (!(like[i] in number))
                fail_at(place[i], "'" key[i] "' is like '" like[i] "', which is no fact")
            from = number[like[i]]
            if (json[type[from]] != json[type[i]] || like[from] != "")
                fail_at(place[i], "'" key[i] "' is like '" like[i] "', which is of another type or like a third")
            if (meaning[i] == "")
                meaning[i] = meaning[from]
            unit[i] = unit[i] unit[from]
            words[i] = words[i] words[from]
            if ((least[i] above[i] most[i]) == "") {
                least[i] = least[from]
                above[i] = above[from]
                most[i] = most[from]
            }
            nullable[i] = nullable[i] || nullable[from]
        }
}

function check_meanings(    i) {
    for (i = 0; i < n; i++)
        if (meaning[i] == "" && type[i] != "with" && (type[i] != "part" || heading[i] != ""))
            fail_at(place[i], "'" key[i] "' says nothing about itself: a line '| ' below it has its meaning")
        else if (meaning[i] != "" && meaning[i] !~ /\.\)?$/)
            fail_at(place[i], "'" key[i] "' does not say what it means in a sentence with a full stop")
        else if (meaning[i] ~ /^(Of|That|So|Who|Whose|Likewise|And)[ ,.:]/)
            fail_at(place[i], "'" key[i] "' says what it means in half a sentence: '" meaning[i] "'")
        else if (json[type[i]] == "number" && unit[i] == "")
            fail_at(place[i], "'" key[i] "' is a " type[i] " without a unit ('no unit' where it has none)")
}

END {
    if (failed)
        exit 1
    find_targets()
    copy_like()
    check_meanings()
    give_to_answer()
}

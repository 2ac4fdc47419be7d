# SPDX-License-Identifier: BSD-3-Clause
# The JSON schema of tell/facts.table, which read.awk has read. Definitions are: the parts that say what they mean
# (those with a heading are the documents that the program writes), what stands outermost and holds others, and the
# facts that stand elsewhere, too.

function quoted(text) {
    gsub(/\\/, "\\\\\\\\", text)
    gsub(/"/, "\\\"", text)
    return "\"" text "\""
}

function blanks(depth) {
    return sprintf("%" depth * 2 "s", "")
}

function and_also(text, more) {
    return text == "" ? more : more == "" ? text : text ", " more
}

# Joins properties of one schema; each may be "".
function joined(a, b, c, d) {
    return and_also(and_also(a, b), and_also(c, d))
}

function pair(name, value) {
    return value == "" ? "" : quoted(name) ": " value
}

# A word, or several, as an enum has them.
function enum_of(i,    some, k, text, n_some) {
    n_some = split(words[i], some, /, /)
    for (k = 1; k <= n_some; k++)
        text = and_also(text, quoted(some[k]))
    return "[" text (nullable[i] && json[type[i]] == "string" ? ", null" : "") "]"
}

function bounds_of(i) {
    return joined(pair("minimum", least[i]), pair("exclusiveMinimum", above[i]), pair("maximum", most[i]))
}

# Any type allows null, too.
function type_name(name, is_nullable) {
    if (name == "\"any\"")
        return ""
    return pair("type", is_nullable ? "[" name ", \"null\"]" : name)
}

# `number or name` as JSON names them.
function types_of(i,    some, k, text, n_some) {
    n_some = split(of[i] == "" ? "number" : of[i], some, / or /)
    for (k = 1; k <= n_some; k++)
        text = and_also(text, quoted(json[some[k]]))
    if (type[i] == "entries" && nullable[i])
        text = text ", \"null\""
    return pair("type", text ~ /,/ ? "[" text "]" : text)
}

function about(i, user) {
    return pair("description", quoted(meaning[user] != "" ? meaning[user] : meaning[i]))
}

function with_unit(i) {
    return unit[i] == "" || unit[i] ~ / unit$/ ? "" : pair("unit", quoted(unit[i]))
}

# What a fact is that holds no others, and no items.
function value_of(i) {
    if (words[i] != "")
        return pair("enum", enum_of(i))
    return joined(type_name(quoted(whole[i] ? "integer" : json[type[i]]), nullable[i]), bounds_of(i), with_unit(i))
}

function plain_array(i,    item) {
    if (type[i] == "numbers")
        item = and_also(types_of(i), bounds_of(i))
    else
        item = words[i] != "" ? pair("enum", enum_of(i)) : pair("type", "\"string\"")
    return joined(type_name("\"array\"", nullable[i]), pair("items", "{" item "}"), \
                  pair("minItems", least_items[i]), with_unit(i))
}

function plain_entries(i) {
    return pair("type", "\"object\"") ", " \
        pair("additionalProperties", "{" joined(types_of(i), bounds_of(i), with_unit(i)) "}")
}

function is_definition(i) {
    if (type[i] == "part")
        return meaning[i] != ""
    return is_shared[i] || (within[i] == -1 && holds_others(i))
}

# A part that is no document may be extended, so that who refers to it closes it.
function is_open(i) {
    return type[i] == "part" && heading[i] == ""
}

function reference(i) {
    return pair("$ref", quoted("#/$defs/" path[i]))
}

function refer(i, user) {
    return "{" joined(meaning[user] == "" || user == i ? "" : about(i, user), reference(i), \
                      is_open(i) ? pair("unevaluatedProperties", "false") : "") "}"
}

# The set of what stands within a group: `size`, `item` with the `user` that has it there, the definition that it
# extends, and what is there for every other key.
function gather(i, set,    k, one) {
    for (k = 1; k <= members[i]; k++) {
        one = member[i, k]
        if (key[one] == "*" && type[one] != "with")
            each[set] = one
        else if (type[one] != "with" || key[one] ~ /\./)
            item[set, ++size[set]] = one
        else if (meaning[target[one]] == "")
            gather(target[one], set)
        else if (set in base)
            fail_at(place[one], "'" key[one] "' is a second part that '" key[i] "' extends")
        else
            base[set] = target[one]
    }
}

function property(one, depth) {
    if (type[one] == "with")
        return refer(target[one], one)
    return is_definition(one) ? refer(one, one) : schema_of(one, depth)
}

function properties_of(set, depth,    k, text) {
    for (k = 1; k <= size[set]; k++)
        text = text (k == 1 ? "\n" : ",\n") blanks(depth + 2) \
            pair(last_key(item[set, k]), property(item[set, k], depth + 2))
    return "{" text "\n" blanks(depth + 1) "}"
}

function last_key(one) {
    return key[type[one] == "with" ? target[one] : one]
}

function required_of(set,    k, text) {
    for (k = 1; k <= size[set]; k++)
        if (!optional[item[set, k]])
            text = and_also(text, quoted(last_key(item[set, k])))
    return text == "" ? "" : "[" text "]"
}

function closing(i, set, depth) {
    if (set in each)
        return pair("additionalProperties", schema_of(each[set], depth + 1))
    if (is_open(i) && is_definition(i))
        return ""
    return pair(set in base ? "unevaluatedProperties" : "additionalProperties", "false")
}

function line(depth, text) {
    return text == "" ? "" : ",\n" blanks(depth + 1) text
}

# An object of what stands within i. said: what stands first.
function object_of(i, said, may_be_null, depth,    set, text) {
    set = ++n_sets
    gather(i, set)
    text = line(depth, said) line(depth, type_name("\"object\"", may_be_null))
    if (set in base)
        text = text line(depth, reference(base[set]))
    if (set in size)
        text = text line(depth, pair("properties", properties_of(set, depth)))
    text = text line(depth, pair("required", required_of(set))) line(depth, closing(i, set, depth))
    return "{" substr(text, 2) "\n" blanks(depth) "}"
}

function any_of(i,    k, text) {
    for (k = 1; k <= members[i]; k++)
        text = and_also(text, refer(target[member[i, k]], target[member[i, k]]))
    return "{" pair("anyOf", "[" text "]") "}"
}

function title_of(i) {
    return type[i] == "part" && heading[i] != "" ? pair("title", quoted(heading[i])) : ""
}

# The rows of a list, or the items of a part that is one.
function items_of(i, depth) {
    return list[i] == "list of either" ? any_of(i) : object_of(i, "", 0, depth)
}

function schema_of(i, depth,    said) {
    said = and_also(title_of(i), about(i, i))
    if (json[type[i]] == "items" || list[i] != "")
        return "{" joined(said, type_name("\"array\"", nullable[i]), pair("minItems", least_items[i]), \
                          pair("items", items_of(i, depth))) "}"
    if (json[type[i]] == "entries")
        return "{" said ", " (members[i] > 0 ? pair("type", "\"object\"") ", " \
                              pair("additionalProperties", object_of(i, "", 0, depth)) : plain_entries(i)) "}"
    if (json[type[i]] == "group")
        return object_of(i, said, nullable[i], depth)
    return "{" and_also(said, json[type[i]] == "array" ? plain_array(i) : value_of(i)) "}"
}

function documents(    i, text) {
    for (i = 0; i < n; i++)
        if (type[i] == "part" && heading[i] != "")
            text = and_also(text, refer(i, i))
    return "[" text "]"
}

END {
    if (failed)
        exit 1
    for (i = 0; i < n; i++)
        if (type[i] == "with" && key[i] ~ /\./)
            is_shared[target[i]] = 1
    print "{\n  \"$schema\": \"https://json-schema.org/draft/2020-12/schema\",\n  \"$id\": \"urn:pipesim:json:1\","
    print "  \"title\": \"The JSON of pipesim\","
    print "  \"description\": \"Every JSON document that pipesim writes, each a definition of its own. Keys may be " \
        "added; none is removed or changed. Times are seconds unless the key says otherwise; " \
        "what is not known is null.\","
    print "  " pair("anyOf", documents()) ",\n  \"$defs\": {"
    text = ""
    for (i = 0; i < n; i++)
        if (is_definition(i))
            text = text (text == "" ? "" : ",\n") "    " quoted(path[i]) ": " schema_of(i, 2)
    print text "\n  }\n}"
}

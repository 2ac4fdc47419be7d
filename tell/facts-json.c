/* SPDX-License-Identifier: BSD-3-Clause */
/* Facts as JSON (json.h). */
#include "tell/json.h"

static const struct {
    char bracket;
    PsJsonLayout layout;
} GROUPS[] = {
    [PS_FACT_IS_OBJECT] = {'{', PS_JSON_LINES}, [PS_FACT_IS_ROW] = {'{', PS_JSON_LINE},
    [PS_FACT_IS_LIST] = {'[', PS_JSON_LINES},   [PS_FACT_IS_OBJECTS] = {'[', PS_JSON_LINES},
    [PS_FACT_IS_ENTRIES] = {'{', PS_JSON_LINE}, [PS_FACT_IS_NAMES] = {'[', PS_JSON_LINE},
    [PS_FACT_IS_TEXTS] = {'[', PS_JSON_LINES},  [PS_FACT_IS_NUMBERS] = {'[', PS_JSON_LINE}};

static void put_whole(PsJson *json, const char *key, double value)
{
    g_autofree char *text = g_strdup_printf("%.0f", value);
    ps_json_raw(json, key, text);
}

static void put_value(const PsFact *fact, PsJson *json)
{
    switch (fact->type) {
    case PS_FACT_IS_FLAG:
        ps_json_raw(json, fact->key, fact->value.flag ? "true" : "false");
        break;
    case PS_FACT_IS_COUNT:
        ps_json_int(json, fact->key, fact->value.count);
        break;
    case PS_FACT_IS_EXACT:
        ps_json_exact(json, fact->key, fact->value.exact);
        break;
    case PS_FACT_IS_WHOLE:
        put_whole(json, fact->key, fact->value.number);
        break;
    case PS_FACT_IS_NUMBER:
        ps_json_double(json, fact->key, fact->value.number);
        break;
    case PS_FACT_IS_FIGURE:
        ps_json_figure(json, fact->key, fact->value.number);
        break;
    case PS_FACT_IS_PRECISE:
        ps_json_precise(json, fact->key, fact->value.number);
        break;
    default:
        ps_json_text(json, fact->key, fact->value.text);
    }
}

void ps_json_open_fact(PsJson *json, PsGroupFact fact)
{
    const PsFactRow *row = &ps_fact_table[fact.n];
    ps_json_open(json, row->key, GROUPS[row->type].bracket, GROUPS[row->type].layout);
}

/* Puts the facts from `at` up to `end`, siblings, with their members. */
static void put_facts(const PsTold *facts, guint at, guint end, PsJson *json)
{
    while (at < end) {
        const PsFact *fact = ps_told_at(facts, at);
        if (!fact->known) {
            ps_json_unknown(json, fact->key);
        } else if (fact->type < PS_FACT_IS_OBJECT) {
            put_value(fact, json);
        } else {
            const char bracket = GROUPS[fact->type].bracket;
            ps_json_open(json, fact->key, bracket, GROUPS[fact->type].layout);
            put_facts(facts, at + 1, fact->end, json);
            ps_json_close(json, bracket == '{' ? '}' : ']');
        }
        at = fact->end;
    }
}

void ps_json_told_object(PsJson *json, const PsTold *facts)
{
    ps_json_open(json, NULL, '{', PS_JSON_LINES);
    ps_json_told(json, facts);
    ps_json_close(json, '}');
}

void ps_json_told_document(GString *out, const PsTold *facts)
{
    ps_json_told_object(&(PsJson){.out = out}, facts);
    g_string_append_c(out, '\n');
}

void ps_json_told(PsJson *json, const PsTold *facts)
{
    put_facts(facts, 0, ps_told_length(facts), json);
}

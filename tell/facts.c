/* SPDX-License-Identifier: BSD-3-Clause */
/* See facts.h. A tree is an array in the order of telling. */
#include "tell/facts.h"

#include <math.h>

#define NO_FACT G_MAXUINT16

struct PsTold {
    GArray *all;  /* PsFact */
    GArray *open; /* guint: open groups, outermost first */
};

static void free_fact(void *data)
{
    PsFact *fact = data;
    if (fact->known && ps_fact_is_text(fact))
        g_free(fact->value.text);
}

PsTold *ps_told_new(void)
{
    PsTold *facts = g_new(PsTold, 1);
    facts->all = g_array_new(FALSE, TRUE, sizeof(PsFact));
    g_array_set_clear_func(facts->all, free_fact);
    facts->open = g_array_new(FALSE, FALSE, sizeof(guint));
    return facts;
}

void ps_told_free(PsTold *facts)
{
    if (!facts)
        return;
    g_array_unref(facts->all);
    g_array_unref(facts->open);
    g_free(facts);
}

/* ---- telling ------------------------------------------------------------------------------- */

/* A new fact, known but without a value. */
static PsFact *add(PsTold *facts, const char *key, PsFactType type, guint16 number)
{
    const guint n = facts->all->len;
    g_array_set_size(facts->all, n + 1);
    PsFact *fact = &g_array_index(facts->all, PsFact, n);
    fact->key = key;
    fact->type = type;
    fact->fact = number;
    fact->known = TRUE;
    fact->end = n + 1;
    return fact;
}

static PsFact *add_row(PsTold *facts, guint16 number)
{
    return add(facts, ps_fact_table[number].key, ps_fact_table[number].type, number);
}

static void open_last(PsTold *facts)
{
    const guint n = facts->all->len - 1;
    g_array_append_val(facts->open, n);
}

void ps_tell_text(PsTold *facts, PsTextFact fact, const char *text)
{
    PsFact *new = add_row(facts, fact.n);
    new->known = text != NULL;
    new->value.text = g_strdup(text);
}

void ps_tell_taken(PsTold *facts, PsTextFact fact, char *text)
{
    g_autofree char *taken = text;
    if (taken && *taken)
        ps_tell_text(facts, fact, taken);
}

void ps_tell_flag(PsTold *facts, PsFlagFact fact, gboolean flag)
{
    add_row(facts, fact.n)->value.flag = flag;
}

void ps_tell_count(PsTold *facts, PsCountFact fact, gint64 count)
{
    add_row(facts, fact.n)->value.count = count;
}

void ps_tell_exact(PsTold *facts, PsExactFact fact, PsRational exact)
{
    add_row(facts, fact.n)->value.exact = exact;
}

void ps_tell_number(PsTold *facts, PsNumberFact fact, double number)
{
    PsFact *new = add_row(facts, fact.n);
    new->known = isfinite(number);
    new->value.number = number;
}

void ps_tell_any(PsTold *facts, PsAnyFact fact, const PsFact *from)
{
    PsFact *new = add_row(facts, fact.n);
    new->known = from && from->known && from->type < PS_FACT_IS_OBJECT;
    if (!new->known)
        return;
    new->type = from->type;
    new->value = from->value;
    if (ps_fact_is_text(from))
        new->value.text = g_strdup(from->value.text);
}

void ps_tell_unknown(PsTold *facts, guint16 fact)
{
    add_row(facts, fact)->known = FALSE;
}

void ps_tell_stated(PsTold *facts, PsExactFact fact, PsRational exact)
{
    if (exact.num)
        ps_tell_exact(facts, fact, exact);
    else
        ps_tell_unknown(facts, fact.n);
}

void ps_tell_positive(PsTold *facts, PsCountFact fact, gint64 count)
{
    if (count > 0)
        ps_tell_count(facts, fact, count);
    else
        ps_tell_unknown(facts, fact.n);
}

void ps_tell_open(PsTold *facts, PsGroupFact fact)
{
    add_row(facts, fact.n);
    open_last(facts);
}

void ps_tell_close(PsTold *facts)
{
    const guint opened = g_array_index(facts->open, guint, facts->open->len - 1);
    g_array_index(facts->all, PsFact, opened).end = facts->all->len;
    g_array_set_size(facts->open, facts->open->len - 1);
}

static void tell_entry(PsTold *facts, const char *key, PsFactType type, double number)
{
    PsFact *fact = add(facts, key, type, NO_FACT);
    fact->known = isfinite(number);
    fact->value.number = number;
}

void ps_tell_item(PsTold *facts)
{
    const guint opened = g_array_index(facts->open, guint, facts->open->len - 1);
    const gboolean objects = ps_told_at(facts, opened)->type == PS_FACT_IS_OBJECTS;
    add(facts, NULL, objects ? PS_FACT_IS_OBJECT : PS_FACT_IS_ROW, NO_FACT);
    open_last(facts);
}

void ps_tell_item_text(PsTold *facts, const char *text)
{
    ps_tell_entry_text(facts, NULL, text);
}

void ps_tell_item_count(PsTold *facts, gint64 count)
{
    add(facts, NULL, PS_FACT_IS_COUNT, NO_FACT)->value.count = count;
}

void ps_tell_item_number(PsTold *facts, double number)
{
    ps_tell_entry_number(facts, NULL, number);
}

void ps_tell_entry(PsTold *facts, const char *key)
{
    add(facts, key, PS_FACT_IS_ROW, NO_FACT);
    open_last(facts);
}

void ps_tell_entry_text(PsTold *facts, const char *key, const char *text)
{
    add(facts, key, PS_FACT_IS_NAME, NO_FACT)->value.text = g_strdup(text);
}

void ps_tell_entry_flag(PsTold *facts, const char *key, gboolean flag)
{
    add(facts, key, PS_FACT_IS_FLAG, NO_FACT)->value.flag = flag;
}

void ps_tell_entry_exact(PsTold *facts, const char *key, PsRational exact)
{
    add(facts, key, PS_FACT_IS_EXACT, NO_FACT)->value.exact = exact;
}

void ps_tell_entry_figure(PsTold *facts, const char *key, double number)
{
    tell_entry(facts, key, PS_FACT_IS_FIGURE, number);
}

void ps_tell_entry_number(PsTold *facts, const char *key, double number)
{
    tell_entry(facts, key, PS_FACT_IS_NUMBER, number);
}

void ps_tell_entry_whole(PsTold *facts, const char *key, double number)
{
    tell_entry(facts, key, PS_FACT_IS_WHOLE, number);
}

void ps_tell_again(PsTold *facts, const PsTold *from, guint i)
{
    const guint base = facts->all->len, end = ps_told_at(from, i)->end;
    for (guint k = i; k < end; k++) {
        PsFact fact = *ps_told_at(from, k);
        if (fact.known && ps_fact_is_text(&fact))
            fact.value.text = g_strdup(fact.value.text);
        fact.end = fact.end - i + base;
        g_array_append_val(facts->all, fact);
    }
}

void ps_tell_members(PsTold *facts, const PsTold *from)
{
    for (guint i = 0; i < from->all->len; i = ps_told_at(from, i)->end)
        ps_tell_again(facts, from, i);
}

void ps_tell_found(PsTold *facts, const PsTold *from, PsGroupFact fact)
{
    for (guint i = 0; i < from->all->len; i++)
        if (ps_told_at(from, i)->fact == fact.n) {
            ps_tell_again(facts, from, i);
            return;
        }
}

/* ---- reading ------------------------------------------------------------------------------- */

guint ps_told_length(const PsTold *facts)
{
    return facts->all->len;
}

const PsFact *ps_told_at(const PsTold *facts, guint i)
{
    return &g_array_index(facts->all, PsFact, i);
}

gboolean ps_fact_is_text(const PsFact *fact)
{
    return fact->type == PS_FACT_IS_NAME || fact->type == PS_FACT_IS_SENTENCE;
}

gboolean ps_fact_is_number(const PsFact *fact)
{
    return fact->type >= PS_FACT_IS_NUMBER && fact->type <= PS_FACT_IS_PRECISE;
}

double ps_fact_number(const PsFact *fact)
{
    return !fact || !fact->known            ? NAN
           : fact->type == PS_FACT_IS_COUNT ? (double)fact->value.count
           : fact->type == PS_FACT_IS_EXACT ? ps_rational_to_double(fact->value.exact)
           : fact->type == PS_FACT_IS_WHOLE || ps_fact_is_number(fact) ? fact->value.number
                                                                       : NAN;
}

const char *ps_fact_column(guint16 fact)
{
    const PsFactRow *row = &ps_fact_table[fact];
    return row->heading ? row->heading : row->key;
}

const PsFact *ps_told_find(const PsTold *facts, guint16 fact)
{
    for (guint i = 0; i < facts->all->len; i++) {
        const PsFact *one = ps_told_at(facts, i);
        if (one->fact == fact)
            return one->known ? one : NULL;
    }
    return NULL;
}

const char *ps_told_text(const PsTold *facts, PsTextFact fact)
{
    const PsFact *found = ps_told_find(facts, fact.n);
    return found && *found->value.text ? found->value.text : NULL;
}

const char *ps_fact_heading(PsTextFact fact)
{
    return ps_fact_table[fact.n].heading;
}

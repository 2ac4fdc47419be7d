/* SPDX-License-Identifier: BSD-3-Clause */
/* See facts-csv.h. */
#include "tell/facts-csv.h"

#include "base/cell.h"
#include "tell/format.h"

/* The value as JSON has it, but for the quotes; NULL: none. */
static char *value_text(const PsFact *fact)
{
    switch (fact->type) {
    case PS_FACT_IS_NAME:
    case PS_FACT_IS_SENTENCE:
        return g_strdup(fact->value.text);
    case PS_FACT_IS_FLAG:
        return g_strdup(fact->value.flag ? "true" : "false");
    case PS_FACT_IS_COUNT:
        return g_strdup_printf("%" G_GINT64_FORMAT, fact->value.count);
    case PS_FACT_IS_WHOLE:
        return g_strdup_printf("%.0f", fact->value.number);
    case PS_FACT_IS_EXACT:
        return ps_format_rational(fact->value.exact);
    case PS_FACT_IS_NUMBER:
    case PS_FACT_IS_FIGURE:
        return ps_format_plain(fact->value.number);
    case PS_FACT_IS_PRECISE:
        return ps_format_exact(fact->value.number);
    default:
        return NULL;
    }
}

/* The fact of that number among those from `at` up to `end`, at any depth; NULL: none is known. */
static const PsFact *find_within(const PsTold *facts, guint at, guint end, guint16 number)
{
    for (; at < end; at++) {
        const PsFact *fact = ps_told_at(facts, at);
        if (fact->fact == number)
            return fact->known ? fact : NULL;
    }
    return NULL;
}

static void put_row(GString *out, const PsTold *facts, guint item, const guint16 *columns,
                    gsize n_columns)
{
    const guint end = ps_told_at(facts, item)->end;
    for (gsize i = 0; i < n_columns; i++) {
        const PsFact *fact = find_within(facts, item + 1, end, columns[i]);
        g_autofree char *text = fact ? value_text(fact) : NULL;
        if (i)
            g_string_append_c(out, ',');
        ps_cell_put(out, text ? text : "", FALSE);
    }
    g_string_append_c(out, '\n');
}

void ps_csv_told(GString *out, const PsTold *facts, PsGroupFact group, const guint16 *columns,
                 gsize n_columns)
{
    for (gsize i = 0; i < n_columns; i++)
        g_string_append_printf(out, "%s%s", i ? "," : "", ps_fact_column(columns[i]));
    g_string_append_c(out, '\n');
    guint at = 0;
    while (at < ps_told_length(facts) && ps_told_at(facts, at)->fact != group.n)
        at++;
    if (at == ps_told_length(facts))
        return;
    const guint end = ps_told_at(facts, at)->end;
    for (guint item = at + 1; item < end; item = ps_told_at(facts, item)->end)
        put_row(out, facts, item, columns, n_columns);
}

/* SPDX-License-Identifier: BSD-3-Clause */
/* See view-values.h. */
#include "tell/view-values.h"

#include "base/cell.h"
#include "tell/format.h"

#include <math.h>
#include <string.h>

static char *format_number(const PsFact *fact)
{
    return fact->type == PS_FACT_IS_COUNT   ? ps_format_count(fact->value.count)
           : fact->type == PS_FACT_IS_WHOLE ? ps_format_count((gint64)fact->value.number)
                                            : ps_format_number(ps_fact_number(fact));
}

/* Columns for a GPU's own name, so that its row fits 100 columns. */
#define CHIP_WIDTH 22

/* Shortens "Instinct MI250 (...)": text in brackets goes first. */
static char *format_chip(const char *name)
{
    const char *bracket = strstr(name, " (");
    if (g_utf8_strlen(name, -1) <= CHIP_WIDTH || !bracket)
        return ps_format_cut(name, CHIP_WIDTH);
    g_autofree char *before = g_strndup(name, (gsize)(bracket - name));
    g_autofree char *chip = g_strconcat(before, " (...)", NULL);
    return ps_format_cut(chip, CHIP_WIDTH);
}

/* The share of a count in the sum over its group. */
static char *format_part(const PsViewRow *row, const PsFact *fact)
{
    guint first = row->at;
    while (ps_told_at(row->facts, first) != fact)
        first++;
    while (ps_told_at(row->facts, first - 1)->type == PS_FACT_IS_COUNT)
        first--;
    double sum = 0;
    for (guint i = first; i < row->end; i++)
        if (ps_told_at(row->facts, i)->type == PS_FACT_IS_COUNT)
            sum += ps_fact_number(ps_told_at(row->facts, i));
        else
            break;
    return fact->value.count ? g_strdup_printf("%.0f %%", 100 * ps_fact_number(fact) / sum)
                             : g_strdup("-");
}

static char *format_of(const PsFact *fact, const PsFact *other)
{
    g_autofree char *first = format_number(fact);
    return g_strdup_printf("%s of %" G_GINT64_FORMAT, first, other ? other->value.count : 0);
}

/* The change from one time to another in per cent: "-48.1 %", "0", "-" if it is impossible. */
static char *format_change(double to, double from)
{
    if (!isfinite(to) || !(from > 0))
        return g_strdup("-");
    const double change = to / from - 1;
    g_autofree char *share = ps_format_share(fabs(change));
    return change == 0 ? g_strdup("0") : g_strdup_printf("%c%s", change < 0 ? '-' : '+', share);
}

/* A percentage for narrow columns; one beyond all measure has no digits. */
static char *format_percent(double share, gboolean with_sign)
{
    if (fabs(share) >= 9.9995)
        return g_strdup(">999%");
    return g_strdup_printf("%s%.1f%%", with_sign && share > 0 ? "+" : "", 100 * share);
}

/* ---- texts --------------------------------------------------------------------------------- */

const char *ps_view_called(const PsViewColumn *column, const char *text)
{
    for (const PsViewWord *word = column->words; word && word->value; word++)
        if (strcmp(word->value, text) == 0)
            return word->word;
    return NULL;
}

/* A name, or a flag (g_free); NULL: it is neither, or has no value. */
static char *format_text(const PsViewColumn *column, const PsFact *fact)
{
    if (!fact || !(ps_fact_is_text(fact) || fact->type == PS_FACT_IS_FLAG))
        return NULL;
    const char *text = ps_fact_is_text(fact) ? fact->value.text
                       : fact->value.flag    ? "true"
                                             : "false";
    const char *word = ps_view_called(column, text);
    return ps_text_clean(word ? word : text);
}

/* TRUE if the second fact adds to the first, rather than replaces it. */
static gboolean shows_both(const PsViewColumn *column)
{
    return column->type == PS_CELL_NEAR || column->type == PS_CELL_BESIDE ||
           column->type == PS_CELL_ARROW;
}

/* A count as it is; any other number as a share. */
static char *format_end(const PsViewColumn *column, const PsFact *fact)
{
    char *text = format_text(column, fact);
    return text || !fact                    ? text
           : fact->type == PS_FACT_IS_COUNT ? format_number(fact)
           : ps_fact_is_number(fact)        ? ps_format_share(ps_fact_number(fact))
                                            : NULL;
}

static char *format_pair(const PsViewColumn *column, const PsFact *fact, const PsFact *other)
{
    const gboolean moves = column->type == PS_CELL_ARROW;
    char *text = moves ? format_end(column, fact) : format_text(column, fact);
    g_autofree char *first = text,
                    *second = moves ? format_end(column, other) : format_text(column, other);
    if (other && !second)
        second = ps_format_share(ps_fact_number(other));
    if (!first)
        return g_strdup("-");
    if (column->type == PS_CELL_NEAR)
        return g_strconcat(other && other->value.flag ? "near " : "", first, NULL);
    if (!second || !*second || (column->type == PS_CELL_ARROW && strcmp(first, second) == 0))
        return g_strdup(first);
    const char *between = column->type == PS_CELL_ARROW ? " -> " : *first ? " " : "";
    return g_strconcat(first, between, second, NULL);
}

/* ---- a figure and how sure it is ----------------------------------------------------------- */

static double member_of(const PsViewRow *row, const PsFact *group, PsNumberFact number)
{
    const PsViewColumn column = {.facts = {number.n, PS_VIEW_NO_FACT}, .within = group->fact};
    return ps_fact_number(ps_view_fact(row, &column, 0));
}

/* "2.003 +-0.010", ">= 12.3", "12.3..14.1". */
static char *format_estimate(const PsViewRow *row, const PsFact *group)
{
    const double value = member_of(row, group, PS_FACT_ESTIMATE_VALUE),
                 least = member_of(row, group, PS_FACT_ESTIMATE_LOW),
                 most = member_of(row, group, PS_FACT_ESTIMATE_HIGH);
    g_autofree char *number = ps_format_number(isfinite(value) ? value : least),
                    *high = ps_format_number(most);
    const double half = MAX(most - value, value - least);
    if (isfinite(value))
        return half >= 0 && isfinite(half) ? g_strdup_printf("%s +-%.2g", number, half)
                                           : g_steal_pointer(&number);
    if (least > 0)
        return isfinite(most) ? g_strconcat(number, "..", high, NULL)
                              : g_strconcat(">= ", number, NULL);
    return isfinite(most) ? g_strconcat("<= ", high, NULL) : g_strdup("-");
}

/* ---- all ----------------------------------------------------------------------------------- */

static char *format_figure(const PsViewRow *row, const PsViewColumn *column, const PsFact *fact,
                           const PsFact *other)
{
    switch (column->type) {
    case PS_CELL_THOUSANDS:
        return ps_format_number(ps_fact_number(fact) / 1000);
    case PS_CELL_BILLIONS:
        return ps_format_number(ps_fact_number(fact) / 1e9);
    case PS_CELL_ROUNDED:
        return ps_format_count((gint64)(ps_fact_number(fact) + 0.5));
    case PS_CELL_CYCLES:
        return ps_format_rounded_cycles(fact->value.exact);
    case PS_CELL_LATENCY:
        return ps_format_latency(fact->value.exact);
    case PS_CELL_OF:
        return format_of(fact, other);
    case PS_CELL_INTERVAL:
        return ps_format_interval(ps_fact_number(fact), other ? ps_fact_number(other) : 0);
    case PS_CELL_STARRED: {
        g_autofree char *time =
            ps_format_interval(ps_fact_number(fact), other ? ps_fact_number(other) : 0);
        return g_strconcat(time, ps_view_is_emptied(row, column) ? "*" : "", NULL);
    }
    case PS_CELL_SHARE:
        return column->flags & PS_VIEW_SIGNED ? ps_format_signed_share(ps_fact_number(fact))
                                              : ps_format_share(ps_fact_number(fact));
    case PS_CELL_DURATION:
        return ps_fact_number(fact) > 0 ? ps_format_time(ps_fact_number(fact)) : g_strdup("0");
    case PS_CELL_SCALED:
        return ps_format_scaled(ps_fact_number(fact));
    case PS_CELL_CHANGE:
        return format_change(ps_fact_number(fact), ps_fact_number(other));
    case PS_CELL_ELASTICITY:
        return ps_format_elasticity(ps_fact_number(fact));
    case PS_CELL_ESTIMATE:
        return format_estimate(row, fact);
    case PS_CELL_PERCENT:
        return format_percent(ps_fact_number(fact), (column->flags & PS_VIEW_SIGNED) != 0);
    case PS_CELL_PART:
        return format_part(row, fact);
    default:
        return format_number(fact);
    }
}

char *ps_view_value(const PsViewRow *row, const PsViewColumn *column, const PsFact *fact,
                    const PsFact *other)
{
    if (ps_fact_is_text(fact) && column->type == PS_CELL_CHIP)
        return format_chip(fact->value.text);
    if (shows_both(column))
        return format_pair(column, fact, other);
    char *text = format_text(column, fact);
    return text ? text : format_figure(row, column, fact, other);
}

char *ps_view_cell(const PsViewRow *row, const PsViewColumn *column)
{
    const PsFact *fact = ps_view_fact(row, column, 0), *other = ps_view_fact(row, column, 1);
    if (column->flags & PS_VIEW_ITEMS && !ps_view_is_item(row))
        return g_strdup("");
    if (column->flags & PS_VIEW_ONCE && ps_view_place(row) > 1)
        return g_strdup("");
    if (column->type == PS_CELL_KEYED)
        return g_strdup(ps_view_entry(row));
    if (column->type == PS_CELL_PLACE)
        return g_strdup_printf("%u", ps_view_place(row));
    const char *word = column->type == PS_CELL_WORD ? ps_view_word(row) : NULL;
    if ((!fact && !other) || (word && fact && !fact->known))
        return g_strdup(word ? word : "");
    if (!fact || (!fact->known && other && ps_fact_is_text(fact) && !shows_both(column))) {
        fact = other;
        other = NULL;
    }
    if (!fact->known)
        return g_strdup(column->flags & PS_VIEW_BLANK ? "" : "-");
    if (column->type != PS_CELL_STARRED && ps_view_is_emptied(row, column))
        return g_strdup(column->instead ? column->instead : "-");
    return ps_view_value(row, column, fact, other && other->known ? other : NULL);
}

/* SPDX-License-Identifier: BSD-3-Clause */
/* See facts-csv.h. */
#include "tell/facts-csv.h"
#include "tell/view.h"

#include "base/cell.h"
#include "tell/format.h"

#include <math.h>
#include <string.h>

/* ---- cells --------------------------------------------------------------------------------- */

/* A line that is being written. */
typedef struct {
    GString *out;
    gboolean filled; /* it has a cell */
} Line;

static void put(Line *line, const char *text)
{
    if (line->filled)
        g_string_append_c(line->out, ',');
    line->filled = TRUE;
    ps_cell_put(line->out, text ? text : "", FALSE);
}

/* The value in JSON's form, except for quotes and whole numbers; NULL: it is a group. */
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

/* JSON has no infinite numbers, so they are unknown there. */
static gboolean is_infinite(const PsFact *fact)
{
    return ps_fact_is_number(fact) && isinf(fact->value.number);
}

/* NULL: the fact was not told, or has no value. */
static const PsFact *known(const PsFact *fact, const PsViewColumn *column)
{
    return fact && (fact->known || (column->type == PS_CELL_PLAIN && is_infinite(fact))) ? fact
                                                                                         : NULL;
}

static char *cell_text(const PsViewRow *row, const PsViewColumn *column)
{
    if (column->type == PS_CELL_INSIDE)
        return g_strdup(ps_view_is_inside(row, column) ? "true" : "false");
    const PsFact *fact = known(ps_view_fact(row, column, 0), column);
    if (!fact)
        fact = known(ps_view_fact(row, column, 1), column);
    if (!fact || ps_view_is_emptied(row, column))
        return g_strdup(column->type == PS_CELL_WORD ? ps_view_word(row) : NULL);
    return column->type == PS_CELL_PLAIN ? ps_format_plain(fact->value.number)
           : column->type == PS_CELL_PRECISE && ps_fact_is_number(fact)
               ? ps_format_exact(fact->value.number)
               : value_text(fact);
}

/* ---- columns ------------------------------------------------------------------------------- */

/* Called for each column of a row. entry: the entry of a column of entries, or NULL. */
typedef void (*EachColumn)(const PsViewRow *row, const PsViewColumn *column, const PsFact *entry,
                           void *data);

static void each_entry(const PsViewRow *row, const PsViewColumn *column, EachColumn each,
                       void *data)
{
    const PsFact *group = ps_view_fact(row, column, 0);
    if (!group || !group->known)
        return;
    for (guint at = ps_view_first(row, group); at < group->end;
         at = ps_told_at(row->facts, at)->end)
        each(row, column, ps_told_at(row->facts, at), data);
}

static void each_column(const PsViewRow *row, EachColumn each, void *data)
{
    for (guint i = 0; i < row->view->n_columns; i++) {
        const PsViewColumn *column = &row->view->columns[i];
        if (!ps_view_has(row->facts, column))
            continue;
        if (column->type == PS_CELL_ENTRIES)
            each_entry(row, column, each, data);
        else
            each(row, column, NULL, data);
    }
}

static const char *head_of(const PsViewColumn *column, const PsFact *entry)
{
    return entry ? entry->key : column->head ? column->head : ps_fact_column(column->facts[0]);
}

static void put_head(const PsViewRow *row, const PsViewColumn *column, const PsFact *entry,
                     void *data)
{
    (void)row;
    put(data, head_of(column, entry));
}

static void put_cell(const PsViewRow *row, const PsViewColumn *column, const PsFact *entry,
                     void *data)
{
    g_autofree char *text = !entry         ? cell_text(row, column)
                            : entry->known ? value_text(entry)
                                           : NULL;
    put(data, text);
}

/* All facts as one row, for columns outside of lists. */
static PsViewRow whole(PsViewId view, const PsTold *facts)
{
    return (PsViewRow){.view = &ps_views[view], .facts = facts, .end = ps_told_length(facts)};
}

void ps_csv_heads(GString *out, PsViewId view, const PsTold *facts)
{
    const PsViewRow all = whole(view, facts);
    each_column(&all, put_head, &(Line){.out = out});
    g_string_append_c(out, '\n');
}

void ps_csv_rows(GString *out, PsViewId view, const PsTold *facts)
{
    PsViewRow row = {.view = &ps_views[view], .facts = facts};
    while (ps_view_next(&row)) {
        each_column(&row, put_cell, &(Line){.out = out});
        g_string_append_c(out, '\n');
    }
}

void ps_csv_told(GString *out, PsViewId view, const PsTold *facts)
{
    ps_csv_heads(out, view, facts);
    ps_csv_rows(out, view, facts);
}

/* ---- cells that are there ------------------------------------------------------------------ */

static gboolean is_count(const char *text)
{
    guint64 value;
    return *text != '0' && g_ascii_string_to_unsigned(text, 10, 1, G_MAXINT64, &value, NULL);
}

/* TRUE for a number in the form of ps_format_plain. */
static gboolean is_figure(const char *text, gboolean may_be_negative)
{
    char *end;
    const double value = g_ascii_strtod(text, &end);
    if (end == text || *end || !isfinite(value) || (signbit(value) && !may_be_negative))
        return FALSE;
    g_autofree char *plain = ps_format_plain(value);
    return strcmp(text, plain) == 0;
}

/* TRUE for a whole number without leading zeros, and an optional fraction without trailing
 * zeros. */
static gboolean is_decimal(const char *text)
{
    static const char digits[] = "0123456789";
    const gsize whole_digits = strspn(text, digits);
    if (whole_digits == 0 || whole_digits > strlen("9223372036854775807") ||
        (*text == '0' && whole_digits > 1))
        return FALSE;
    if (!text[whole_digits])
        return TRUE;
    const char *fraction = text + whole_digits + 1;
    const gsize places = strspn(fraction, digits);
    return text[whole_digits] == '.' && places > 0 && !fraction[places] &&
           fraction[places - 1] != '0';
}

/* TRUE if it is quoted as ps_cell_put quotes. */
static gboolean is_name(const char *cell)
{
    g_autoptr(GString) text = g_string_new(NULL), again = g_string_new(NULL);
    const gboolean quoted = *cell == '"';
    const gsize length = strlen(cell);
    if (quoted && (length < 2 || cell[length - 1] != '"'))
        return FALSE;
    g_string_append_len(text, cell + quoted, (gssize)(length - 2 * (gsize)quoted));
    g_string_replace(text, "\"\"", "\"", 0);
    ps_cell_put(again, text->str, FALSE);
    return strcmp(cell, again->str) == 0;
}

static gboolean is_of_type(const PsViewColumn *column, const char *cell)
{
    if (!*cell && column->flags & PS_VIEW_MAY_LACK)
        return TRUE;
    switch (ps_fact_table[column->facts[0]].type) {
    case PS_FACT_IS_COUNT:
        return is_count(cell);
    case PS_FACT_IS_EXACT:
        return is_decimal(cell) || is_figure(cell, FALSE);
    case PS_FACT_IS_NUMBER:
    case PS_FACT_IS_FIGURE:
        return is_figure(cell, (column->flags & PS_VIEW_SIGNED) != 0);
    case PS_FACT_IS_FLAG:
        return strcmp(cell, "true") == 0 || strcmp(cell, "false") == 0;
    default:
        return is_name(cell);
    }
}

/* The column that is searched. */
typedef struct {
    guint left;
    const char *cell, *name;
    gboolean fits;
} Wanted;

static void check_cell(const PsViewRow *row, const PsViewColumn *column, const PsFact *entry,
                       void *data)
{
    Wanted *wanted = data;
    if (wanted->left-- > 0)
        return;
    wanted->left = G_MAXUINT;
    g_autofree char *due = entry ? NULL : cell_text(row, column);
    wanted->name = head_of(column, entry);
    wanted->fits = due ? strcmp(due, wanted->cell) == 0 : is_of_type(column, wanted->cell);
}

gboolean ps_csv_fits(PsViewId view, const PsTold *facts, guint i, const char *cell,
                     const char **name)
{
    const PsViewRow all = whole(view, facts);
    Wanted wanted = {.left = i, .cell = cell};
    each_column(&all, check_cell, &wanted);
    *name = wanted.name;
    return wanted.fits;
}

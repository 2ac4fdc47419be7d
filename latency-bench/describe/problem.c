/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Reasons why something could not be measured. If a device lacks something, many kernels and
 * launches lack it; the raw file has every reason, and a few lines sum them up.
 */
#include "latency-bench/describe/describe.h"

#include <string.h>

/* Characters of a reason, at most. */
#define MOST_REASON 160

/* The rows of a class. */
typedef struct {
    const char *class_name; /* borrowed, like the next */
    const char *reason;
    guint n, n_problems;
} Tally;

static Tally *find(GHashTable *by_class, GPtrArray *tallies, const PsRawRow *row)
{
    Tally *tally = g_hash_table_lookup(by_class, row->class_name);
    if (!tally) {
        tally = g_new(Tally, 1);
        *tally = (Tally){row->class_name, NULL, 0, 0};
        g_ptr_array_add(tallies, tally);
        g_hash_table_insert(by_class, (void *)row->class_name, tally);
    }
    return tally;
}

static GPtrArray *count(const PsRaw *raw)
{
    GPtrArray *tallies = g_ptr_array_new_with_free_func(g_free);
    g_autoptr(GHashTable) by_class = g_hash_table_new(g_str_hash, g_str_equal);
    for (guint i = 0; i < raw->rows->len; i++) {
        const PsRawRow *row = raw->rows->pdata[i];
        Tally *tally = find(by_class, tallies, row);
        tally->n++;
        tally->n_problems += row->problem != NULL;
        if (!tally->reason)
            tally->reason = row->problem;
    }
    return tallies;
}

/* Cuts a reason to one line of UTF-8 (g_free). */
static char *shorten(const char *reason)
{
    g_autofree char *line = ps_text_clean(reason);
    char *text = g_utf8_make_valid(line, -1);
    if (g_utf8_strlen(text, -1) <= MOST_REASON)
        return text;
    g_autofree char *whole = text, *begin = g_utf8_substring(whole, 0, MOST_REASON - 3);
    return g_strconcat(begin, "...", NULL);
}

static void warn_parts(PsDescribe *describe, const Tally *tally)
{
    g_autofree char *reason = shorten(tally->reason);
    ps_describe_warn(describe, "%s: %u of %u runs could not be made: %s", tally->class_name,
                     tally->n_problems, tally->n, reason);
}

void ps_describe_problems(PsDescribe *describe)
{
    g_autoptr(GPtrArray) tallies = count(describe->raw);
    g_autoptr(GString) names = g_string_new(NULL);
    const Tally *first = NULL;
    for (guint i = 0; i < tallies->len; i++) {
        const Tally *tally = tallies->pdata[i];
        if (tally->n_problems == tally->n) {
            g_string_append_printf(names, "%s%s", names->len ? ", " : "", tally->class_name);
            first = first ? first : tally;
        } else if (tally->n_problems) {
            warn_parts(describe, tally);
        }
    }
    if (!first)
        return;
    g_autofree char *reason = shorten(first->reason);
    ps_describe_warn(describe, "not measured: %s; the first of them because: %s", names->str,
                     reason);
}

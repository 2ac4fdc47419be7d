/* SPDX-License-Identifier: BSD-3-Clause */
#include "tests/help/roll-text.h"

static void append_sequence(GString *text, const PsRollSequence *sequence);

static void append_loop(GString *text, const PsRollItem *loop)
{
    g_string_append_c(text, 'L');
    if (loop->loop == PS_PTX_NOWHERE)
        g_string_append_c(text, '-');
    else
        g_string_append_printf(text, "%u", loop->loop);
    for (guint i = 0; i < loop->coarse; i++)
        g_string_append_c(text, '~');
    g_string_append_c(text, '{');
    for (guint i = 0; i < loop->n_runs; i++) {
        g_string_append_printf(text, "%s%" G_GINT64_FORMAT "x[", i > 0 ? " " : "",
                               loop->runs[i].times);
        append_sequence(text, loop->runs[i].body);
        g_string_append_c(text, ']');
    }
    g_string_append_c(text, '}');
}

static void append_sequence(GString *text, const PsRollSequence *sequence)
{
    for (guint i = 0; i < sequence->n_items; i++) {
        if (i > 0)
            g_string_append_c(text, ' ');
        if (sequence->items[i].kind == PS_ROLL_STEP)
            g_string_append_printf(text, "%u", sequence->items[i].point);
        else
            append_loop(text, &sequence->items[i]);
    }
}

char *roll_text(const PsRollSequence *sequence)
{
    GString *text = g_string_new(NULL);
    append_sequence(text, sequence);
    return g_string_free(text, FALSE);
}

void roll_unroll(const PsRollSequence *sequence, GArray *points)
{
    for (guint i = 0; i < sequence->n_items; i++) {
        const PsRollItem *item = &sequence->items[i];
        if (item->kind == PS_ROLL_STEP)
            g_array_append_val(points, item->point);
        for (guint k = 0; item->kind == PS_ROLL_LOOP && k < item->n_runs; k++)
            for (gint64 t = 0; t < item->runs[k].times; t++)
                roll_unroll(item->runs[k].body, points);
    }
}

PsRollCoarse roll_coarsest(const PsRollSequence *sequence)
{
    PsRollCoarse coarsest = PS_ROLL_EXACT;
    for (guint i = 0; i < sequence->n_items; i++) {
        const PsRollItem *item = &sequence->items[i];
        if (item->kind != PS_ROLL_LOOP)
            continue;
        coarsest = MAX(coarsest, item->coarse);
        for (guint k = 0; k < item->n_runs; k++)
            coarsest = MAX(coarsest, roll_coarsest(item->runs[k].body));
    }
    return coarsest;
}

void roll_count(const PsRollSequence *sequence, gint64 times, gint64 *counts)
{
    for (guint i = 0; i < sequence->n_items; i++) {
        const PsRollItem *item = &sequence->items[i];
        if (item->kind == PS_ROLL_STEP)
            counts[item->point] += times;
        for (guint k = 0; item->kind == PS_ROLL_LOOP && k < item->n_runs; k++)
            roll_count(item->runs[k].body, times * item->runs[k].times, counts);
    }
}

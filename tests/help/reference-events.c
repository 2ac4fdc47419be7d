/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Events of a run as a list that can be compared and printed: see reference.h.
 */
#include "tests/help/reference.h"

static int compare(gint64 a, gint64 b)
{
    return (a > b) - (a < b);
}

static int compare_events(gconstpointer a, gconstpointer b)
{
    const RefEvent *x = a, *y = b;
    int order = compare(x->time, y->time);
    order = order ? order : compare(x->kind, y->kind);
    order = order ? order : compare(x->group, y->group);
    order = order ? order : compare(x->warp, y->warp);
    return order ? order : compare(x->position, y->position);
}

void ref_events_sort(GArray *events)
{
    g_array_sort(events, compare_events);
}

gboolean ref_event_equal(const RefEvent *a, const RefEvent *b)
{
    return compare_events(a, b) == 0 && a->ready == b->ready && a->cu == b->cu;
}

char *ref_event_text(const RefEvent *event)
{
    static const char *const words[] = {"complete", "done", "launch", "issue"};
    g_autoptr(GString) text = g_string_new(NULL);
    g_string_printf(text, "%" G_GINT64_FORMAT " %s group %" G_GINT64_FORMAT, event->time,
                    words[event->kind], event->group);
    if (event->kind == REF_COMPLETE || event->kind == REF_ISSUE)
        g_string_append_printf(text, " warp %" G_GINT64_FORMAT " position %" G_GINT64_FORMAT,
                               event->warp, event->position);
    if (event->kind == REF_ISSUE)
        g_string_append_printf(text, " ready %" G_GINT64_FORMAT, event->ready);
    if (event->cu > 0)
        g_string_append_printf(text, " cu %u", event->cu);
    return g_strdup(text->str);
}

void ref_result_free(RefResult *result)
{
    if (!result)
        return;
    g_array_unref(result->events);
    g_free(result);
}

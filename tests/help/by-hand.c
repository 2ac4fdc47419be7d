/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Graphs and schedules of the tests of the slow simulator: see by-hand.h.
 */
#include "tests/help/by-hand.h"

Graph graph_new(void)
{
    Graph graph = {build_idg("1", "32"), ps_scope_new(), NULL};
    graph.body = ps_idg_add_code(graph.idg)->body;
    return graph;
}

void graph_free(Graph *graph)
{
    ps_idg_free(graph->idg);
    ps_scope_free(graph->scope);
}

void check_events(const RefResult *result, RefEventKind kind, const char *const *expected)
{
    for (guint i = 0; i < result->events->len; i++) {
        const RefEvent *event = &g_array_index(result->events, RefEvent, i);
        if (event->kind != kind)
            continue;
        g_autofree char *text = ref_event_text(event);
        g_assert_cmpstr(text, ==, *expected);
        if (*expected)
            expected++;
    }
    g_assert_null(*expected);
}

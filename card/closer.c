/* SPDX-License-Identifier: BSD-3-Clause */
#include "card/closer.h"

#include "advice/advice.h"
#include "card/summary.h"

#include <math.h>
#include <string.h>

/* Launches with the same graph. */
typedef struct {
    guint64 graph;
    gint64 launches;
    double seconds;
} Alike;

static void closer_free(gpointer data)
{
    PsCardCloser *closer = data;
    ps_answer_free(closer->answer);
    ps_idg_free(closer->idg);
    g_free(closer);
}

static Alike *alike_of(GArray *all, guint64 graph)
{
    for (guint i = 0; i < all->len; i++)
        if (g_array_index(all, Alike, i).graph == graph)
            return &g_array_index(all, Alike, i);
    const Alike alike = {.graph = graph};
    g_array_append_val(all, alike);
    return &g_array_index(all, Alike, all->len - 1);
}

/* Launches of the kernel with one graph that together take most of its time; graph 0: none has a
 * graph. */
static Alike dearest(const PsCardRead *read, const char *kernel)
{
    g_autoptr(GArray) all = g_array_new(FALSE, FALSE, sizeof(Alike));
    Alike best = {.graph = 0};
    for (guint i = 0; i < read->launches->len; i++) {
        const PsCardLaunched *launch = &g_array_index(read->launches, PsCardLaunched, i);
        if (launch->kernel != kernel || !launch->graph || isnan(launch->seconds))
            continue;
        Alike *alike = alike_of(all, launch->graph);
        alike->launches++;
        alike->seconds += launch->seconds;
        if (alike->seconds > best.seconds)
            best = *alike;
    }
    return best;
}

static gboolean ask(PsCardCloser *closer, const PsCardCloserOptions *options, gboolean advised,
                    GError **error)
{
    PsQuestion *question = &closer->question;
    *question = (PsQuestion){.idg = closer->idg,
                             .gpu = options->gpu,
                             .explain = advised,
                             .sketch = TRUE,
                             .progress = options->progress};
    closer->answer = ps_answer_new(question, NULL, error);
    return closer->answer &&
           (!advised || (ps_answer_find_sensitivities(closer->answer, question, FALSE,
                                                      options->threads, error) &&
                         ps_answer_find_advice(closer->answer, question, options->threads, error)));
}

GPtrArray *ps_card_closer_new(const PsCardRead *read, const PsCardCloserOptions *options,
                              GError **error)
{
    PsCardRow all;
    g_autoptr(GArray) rows = ps_card_summary(read, &all);
    g_autoptr(GPtrArray) list = g_ptr_array_new_with_free_func(closer_free);
    guint n = 0;
    for (guint i = 0; i < rows->len && list->len < options->most; i++) {
        const PsCardRow *row = &g_array_index(rows, PsCardRow, i);
        /* the program cannot change what stands in for a library's kernels */
        const gboolean advised = !row->stand_in && n < options->advised;
        if (!advised && options->most == options->advised)
            continue;
        const Alike alike = dearest(read, row->kernel);
        const char *text = g_hash_table_lookup(read->graphs, &alike.graph);
        if (!text)
            continue;
        n += advised;
        PsCardCloser *closer = g_new0(PsCardCloser, 1);
        g_ptr_array_add(list, closer);
        closer->kernel = row->kernel;
        closer->launches = alike.launches;
        closer->share = alike.seconds / all.total;
        closer->idg = ps_idg_parse(text, strlen(text), row->kernel, error);
        if (!closer->idg || !ask(closer, options, advised, error))
            return NULL;
    }
    return g_steal_pointer(&list);
}

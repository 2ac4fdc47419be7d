/* SPDX-License-Identifier: BSD-3-Clause */
/* The tool gpus: lists described GPUs. */
#include "gpu/find.h"
#include "serve/pick.h"
#include "serve/short.h"
#include "tell/gpus-facts.h"
#include "tell/gpus-listed.h"

#include <string.h>

/* TRUE if the name or the architecture contains the text, in any case. */
static gboolean has(const char *name, const char *text)
{
    g_autofree char *low = name ? g_ascii_strdown(name, -1) : NULL;
    return low && strstr(low, text);
}

static gboolean is_found(const PsGpu *gpu, const char *text)
{
    g_autofree char *low = g_ascii_strdown(text, -1), *file = g_path_get_basename(gpu->path);
    return has(gpu->name, low) || has(gpu->architecture, low) || has(file, low);
}

static void tell_names(const PsTold *all, guint most, PsTold *facts)
{
    ps_tell_open(facts, PS_FACT_SHORT_GPUS_NAMES);
    for (guint i = 0; i < ps_told_length(all) && most > 0; i++) {
        const PsFact *fact = ps_told_at(all, i);
        if (fact->fact != PS_FACT_LIST_GPUS_NAME.n)
            continue;
        ps_tell_item_text(facts, fact->value.text);
        most--;
    }
    ps_tell_close(facts);
}

/* names: the number of names that are told alone; 0: all GPUs with figures (g_free). */
static char *tell(const PsTold *all, guint n, guint names)
{
    const PsPicks picked = PS_PICKS(
        PS_FACT_LIST_GPUS_NAME.n, PS_FACT_LIST_GPUS_GPU.n, PS_FACT_LIST_GPUS_ARCHITECTURE.n,
        PS_FACT_LIST_GPUS_COMPUTE_UNITS.n, PS_FACT_LIST_GPUS_CLOCK_MHZ.n,
        PS_FACT_LIST_GPUS_BANDWIDTH.n, PS_FACT_LIST_GPUS_GFLOPS.n);
    g_autoptr(PsTold) facts = ps_told_new();
    if (names > 0)
        tell_names(all, names, facts);
    else
        ps_pick_items(facts, PS_FACT_SHORT_GPUS_GPUS, all, PS_FACT_LIST_GPUS, G_MAXUINT, picked);
    ps_tell(facts, PS_FACT_SHORT_GPUS_LEFT_OUT, names > 0 ? (gint64)n - names : 0);
    return ps_short_json(facts);
}

char *ps_serve_gpus(const PsToolCall *call, GError **error)
{
    (void)error;
    const char *text = ps_arguments_text(call->arguments, "find");
    g_autoptr(GPtrArray) warnings = g_ptr_array_new_with_free_func(g_free);
    g_autoptr(GPtrArray) gpus = ps_gpus_listed(call->folders->gpus, warnings);
    for (guint i = gpus->len; text && i-- > 0;)
        if (!is_found(gpus->pdata[i], text))
            g_ptr_array_remove_index(gpus, i);
    if (ps_call_detail(call) == PS_DETAIL_JSON)
        return ps_gpus_listed_json(gpus, warnings);
    g_autoptr(PsTold) all = ps_told_new();
    ps_tell_gpus(gpus, all);
    g_autofree char *whole = tell(all, gpus->len, 0);
    if (strlen(whole) <= PS_SHORT_BYTES)
        return g_steal_pointer(&whole);
    for (guint names = gpus->len;; names--) {
        g_autofree char *some = tell(all, gpus->len, names);
        if (strlen(some) <= PS_SHORT_BYTES || names == 1)
            return g_steal_pointer(&some);
    }
}

/* SPDX-License-Identifier: BSD-3-Clause */
/* The list for programs, one telling for all formats; tell/facts.table has its keys. */
#include "cli/list/list.h"
#include "pipesim-private.h"

static void tell_graph(const PsIdg *idg, PsTold *facts)
{
    g_autofree char *name = list_name(idg->path);
    ps_tell_item(facts);
    ps_tell(facts, PS_FACT_LIST_GRAPHS_NAME, name);
    ps_tell(facts, PS_FACT_LIST_GRAPHS_FILE, idg->path);
    ps_tell(facts, PS_FACT_LIST_GRAPHS_KERNEL, idg->name);
    ps_tell(facts, PS_FACT_LIST_GRAPHS_TITLE, idg->title);
    ps_tell_close(facts);
}

PsTold *list_told(const List *list)
{
    PsTold *facts = ps_told_new();
    ps_tell(facts, PS_FACT_LIST_PIPESIM, PIPESIM_VERSION);
    if (list->gpus)
        ps_tell_gpus(list->gpus, facts);
    if (list->graphs) {
        ps_tell_open(facts, PS_FACT_LIST_GRAPHS);
        for (guint i = 0; i < list->graphs->len; i++)
            tell_graph(list->graphs->pdata[i], facts);
        ps_tell_close(facts);
    }
    ps_tell_open(facts, PS_FACT_LIST_WARNINGS);
    for (guint i = 0; i < list->warnings->len; i++)
        ps_tell_item_text(facts, list->warnings->pdata[i]);
    ps_tell_close(facts);
    return facts;
}

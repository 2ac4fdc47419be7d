/* SPDX-License-Identifier: BSD-3-Clause */
/* Prints the list as text: a table of GPUs, and graphs with their titles. */
#include "cli/list/list.h"

#include "pipesim-private.h"

static void put_gpus(const List *list, const PsTold *facts, const PsPaper *paper)
{
    ps_paper_part(paper, list->gpus->len ? "GPUs" : "GPUs: none");
    if (!list->gpus->len)
        return;
    g_autoptr(PsTable) table = ps_table_of_view(PS_VIEW_GPUS_PAGE, facts, NULL, FALSE);
    ps_paper_table(paper, table, 2);
    ps_paper_text(
        paper, "  ",
        "MHz under load, else of the boost clock, else of the base clock; GB/s of device "
        "memory and TFLOP/s in single precision at this clock; then the shares of classes "
        "and settings that are measured, published, ...");
}

static void put_graphs(const List *list, const PsTold *facts, const PsPaper *paper)
{
    ps_paper_part(paper, list->graphs->len ? "Graphs" : "Graphs: none");
    g_autoptr(PsTable) table = ps_table_of_view(PS_VIEW_GRAPHS_PAGE, facts, NULL, FALSE);
    ps_table_wrap_last(table);
    if (list->graphs->len)
        ps_paper_table(paper, table, 2);
}

void list_text(const List *list, const PsTold *facts, const PsPaper *paper)
{
    if (list->gpus)
        put_gpus(list, facts, paper);
    if (list->gpus && list->graphs)
        ps_paper_gap(paper);
    if (list->graphs)
        put_graphs(list, facts, paper);
}

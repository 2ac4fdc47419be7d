/* SPDX-License-Identifier: BSD-3-Clause */
/* What the verb list found, and how it is written. */
#ifndef PIPESIM_CLI_LIST_LIST_H
#define PIPESIM_CLI_LIST_LIST_H

#include "pipesim-private.h"

typedef struct {
    GPtrArray *gpus;     /* PsGpu by their files' names; NULL: not asked for */
    GPtrArray *graphs;   /* PsIdg, likewise */
    GPtrArray *warnings; /* texts: which files are left out, and why */
} List;

/* What --gpu takes for the description, or a verb for the graph, of that path (g_free). */
char *list_name(const char *path);

/* All that is said of them. */
PsTold *list_told(const List *list);

/* The page for people. */
void list_text(const List *list, const PsTold *facts, const PsPaper *paper);

#endif

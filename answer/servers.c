/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * The work of levels of memory (rule R7), and of the whole chip's other servers of memory (R8), in
 * a run. See answer.h.
 */
#include "answer/answer.h"
#include "answer/figures.h"

#include <math.h>
#include <string.h>

double ps_server_utilization(const PsAnswer *answer, const PsServerRow *row)
{
    const double ticks = (double)answer->result.ticks * (double)row->units;
    return ticks > 0 ? (double)row->busy / ticks : 0;
}

const PsServerRow *ps_server_called(const PsAnswer *answer, const char *name)
{
    for (guint i = 0; i < answer->servers->len; i++)
        if (strcmp(((const PsServerRow *)answer->servers->pdata[i])->name, name) == 0)
            return answer->servers->pdata[i];
    return NULL;
}

const PsServerRow *ps_busiest_server(const PsAnswer *answer)
{
    const PsServerRow *busiest = NULL;
    for (guint i = 0; i < answer->servers->len; i++) {
        const PsServerRow *row = answer->servers->pdata[i];
        if (row->busy > (busiest ? busiest->busy : 0))
            busiest = row;
    }
    return busiest;
}

/* Without R6 the fullest CU stands for all; the others run the remaining groups. */
double ps_server_bytes(const PsAnswer *answer, const PsServerRow *row)
{
    const PsLaunch *launch = &answer->machine->launch;
    const gboolean all = answer->machine->refinements.all_cus;
    return all ? row->bytes : row->bytes * (double)launch->groups / (double)launch->groups_per_cu;
}

double ps_server_hits(const PsAnswer *answer, const PsServerRow *row)
{
    for (guint i = 0; i < answer->servers->len; i++) {
        const PsServerRow *next = answer->servers->pdata[i];
        if (next->level < PS_N_LEVELS && next->level > row->level && row->bytes > 0)
            return fmax(0, 1 - next->bytes / row->bytes);
    }
    return NAN;
}

/* Ticks of a group for which the nodes of a class keep a server busy. */
static double time_at(const PsAnswer *answer, guint class_index, guint server)
{
    const PsMachine *machine = answer->machine;
    double sum = 0;
    for (guint p = 0; p < answer->kernel->n_programs; p++) {
        const double warps =
            ps_kernel_mean_warps(answer->kernel, p, machine->launch.warps_per_group);
        for (guint n = 0; n < answer->kernel->programs[p].n_nodes; n++) {
            const PsNodeCost *cost = &machine->costs[p][n];
            for (guint s = 0; machine->class_of[p][n] == class_index && s < cost->n_stops; s++)
                if (cost->stops[s].server == server)
                    sum += warps * (double)answer->kernel->programs[p].nodes[n].count *
                           (double)cost->stops[s].service;
        }
    }
    return sum;
}

guint ps_server_busiest_class(const PsAnswer *answer, const PsServerRow *row)
{
    guint server = 0, most = G_MAXUINT;
    double longest = 0;
    while (answer->servers->pdata[server] != row)
        server++;
    for (guint i = 0; i < answer->machine->n_classes; i++) {
        const double time = time_at(answer, i, server);
        if (time > longest) {
            longest = time;
            most = i;
        }
    }
    return most;
}

gboolean ps_class_differs(const PsMachine *machine, guint class_index)
{
    const PsMachineClass *bound = &machine->classes[class_index];
    for (guint p = 0; bound->by_levels && p < machine->kernel->n_programs; p++)
        for (guint n = 0; n < machine->kernel->programs[p].n_nodes; n++) {
            const PsLatency *latency = &machine->costs[p][n].latency;
            if (machine->class_of[p][n] == class_index &&
                (ps_rational_cmp(latency->issue, bound->latency.issue) != 0 ||
                 ps_rational_cmp(latency->completion, bound->latency.completion) != 0))
                return TRUE;
        }
    return FALSE;
}

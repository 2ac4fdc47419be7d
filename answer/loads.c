/* SPDX-License-Identifier: BSD-3-Clause */
/* See loads.h. Statistics have rows of used pipelines alone, so they are found by name. */
#include "answer/loads.h"

#include "answer/levels.h"

#include <string.h>

double load_of_pipeline(const Answer *answer, guint pipeline)
{
    const PsPipeline *description = answer->gpu->pipelines->pdata[pipeline];
    for (guint i = 0; i < answer->pipelines->len; i++) {
        const PsStatsRow *row = answer->pipelines->pdata[i];
        if (strcmp(row->name, description->name) == 0)
            return answer_share(answer, row);
    }
    return 0;
}

double load_of_class(const Answer *answer, guint class_)
{
    return answer_share(answer, answer->classes->pdata[class_]);
}

guint load_busiest_class(const Answer *answer, guint pipeline)
{
    const PsMachine *machine = answer->machine;
    guint most = G_MAXUINT;
    for (guint i = 0; i < machine->n_classes; i++) {
        const PsStatsRow *row = answer->classes->pdata[i];
        if (machine->classes[i].pipeline == pipeline && row->issued > 0 &&
            (most == G_MAXUINT || row->busy > ((PsStatsRow *)answer->classes->pdata[most])->busy))
            most = i;
    }
    return most;
}

guint load_busiest_pipeline(const Answer *answer)
{
    guint most = G_MAXUINT;
    for (guint i = 0; i < answer->gpu->pipelines->len; i++) {
        const double load = load_of_pipeline(answer, i);
        if (load > 0 && (most == G_MAXUINT || load > load_of_pipeline(answer, most)))
            most = i;
    }
    return most;
}

double load_of_dispatch(const Answer *answer)
{
    const PsMachine *machine = answer->machine;
    const double intervals = (double)machine->launch.groups_per_cu - 1;
    return answer->result.ticks && intervals > 0
               ? intervals * (double)machine->group_interval / (double)answer->result.ticks
               : 0;
}

/* A pipeline or what serves memory. */
static const char *busiest_server(const Answer *answer, double *load)
{
    const PsStatsRow *pipeline = answer_busiest(answer);
    const PsServerRow *server = level_busiest(answer);
    *load = answer_busy(answer);
    if (!pipeline || !server || level_load(answer, server) <= *load)
        return pipeline ? pipeline->name : NULL;
    *load = level_load(answer, server);
    return server->name;
}

const char *load_busiest(const Answer *answer, double *load)
{
    const char *name = busiest_server(answer, load);
    const double dispatch = load_of_dispatch(answer);
    if (!name || dispatch <= *load)
        return name;
    *load = dispatch;
    return "dispatch";
}

/* SPDX-License-Identifier: BSD-3-Clause */
/* How busy pipelines are, and which unit is busiest. Statistics have rows of used pipelines alone,
 * so pipelines are found by name. See answer.h. */
#include "answer/answer.h"
#include "answer/figures.h"

#include <math.h>
#include <string.h>

double ps_answer_share(const PsAnswer *answer, const PsStatsRow *row)
{
    return answer->result.ticks
               ? (double)row->busy / ((double)answer->result.ticks * (double)row->units)
               : 0;
}

const PsStatsRow *ps_answer_busiest(const PsAnswer *answer)
{
    return answer->pipelines->len ? answer->pipelines->pdata[answer->busiest] : NULL;
}

double ps_answer_busy(const PsAnswer *answer)
{
    const PsStatsRow *row = ps_answer_busiest(answer);
    return row ? ps_answer_share(answer, row) : 0;
}

double ps_pipeline_utilization(const PsAnswer *answer, guint pipeline)
{
    const PsPipeline *description = answer->gpu->pipelines->pdata[pipeline];
    for (guint i = 0; i < answer->pipelines->len; i++) {
        const PsStatsRow *row = answer->pipelines->pdata[i];
        if (strcmp(row->name, description->name) == 0)
            return ps_answer_share(answer, row);
    }
    return 0;
}

double ps_class_utilization(const PsAnswer *answer, guint class_index)
{
    return ps_answer_share(answer, answer->classes->pdata[class_index]);
}

guint ps_busiest_class(const PsAnswer *answer, guint pipeline)
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

guint ps_busiest_pipeline(const PsAnswer *answer)
{
    guint most = G_MAXUINT;
    for (guint i = 0; i < answer->gpu->pipelines->len; i++) {
        const double load = ps_pipeline_utilization(answer, i);
        if (load > 0 && (most == G_MAXUINT || load > ps_pipeline_utilization(answer, most)))
            most = i;
    }
    return most;
}

double ps_dispatch_utilization(const PsAnswer *answer)
{
    const PsMachine *machine = answer->machine;
    const double intervals = (double)machine->launch.groups_per_cu - 1;
    return answer->result.ticks && intervals > 0
               ? intervals * (double)machine->group_interval / (double)answer->result.ticks
               : 0;
}

double ps_starts_share(const PsAnswer *answer)
{
    const PsMachine *machine = answer->machine;
    const PsLaunch *launch = &machine->launch;
    const double rounds =
        fmax(1, (double)launch->groups_per_cu / (double)MAX(launch->active_groups, 1));
    const double ticks =
        (rounds - 1) * (double)machine->turnaround + rounds * (double)machine->group_launch;
    return answer->result.ticks ? ticks / (double)answer->result.ticks : 0;
}

double ps_port_utilization(const PsAnswer *answer)
{
    const PsMachine *machine = answer->machine;
    const double ports = (double)machine->refinements.schedulers * (double)machine->n_cus;
    return ports > 0 && answer->result.ticks
               ? (double)answer->result.instructions * (double)machine->port_busy /
                     ((double)answer->result.ticks * ports)
               : 0;
}

PsBusiest ps_answer_busiest_part(const PsAnswer *answer)
{
    const PsStatsRow *pipeline = ps_answer_busiest(answer);
    const PsServerRow *server = ps_busiest_server(answer);
    if (!pipeline)
        return (PsBusiest){PS_BUSY_NOTHING, NULL, 0};
    PsBusiest busiest = {PS_BUSY_PIPELINE, pipeline->name, ps_answer_busy(answer)};
    if (server && ps_server_utilization(answer, server) > busiest.load)
        busiest = (PsBusiest){PS_BUSY_SERVER, server->name, ps_server_utilization(answer, server)};
    if (ps_dispatch_utilization(answer) > busiest.load)
        busiest = (PsBusiest){PS_BUSY_DISPATCH, NULL, ps_dispatch_utilization(answer)};
    const double ports = ps_port_utilization(answer);
    if (busiest.load < PS_SATURATED && ports >= PS_NEARLY_SATURATED && ports > busiest.load)
        busiest = (PsBusiest){PS_BUSY_PORTS, NULL, ports};
    return busiest;
}

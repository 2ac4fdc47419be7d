/* SPDX-License-Identifier: BSD-3-Clause */
/* How much of the time each figure of the description decides. See answer.h. */
#include "answer/answer-private.h"
#include "answer/figures.h"
#include "base/class-name.h"
#include "gpu/rows.h"

#include <math.h>
#include <string.h>

typedef struct {
    const PsAnswer *answer;
    GArray *figures; /* PsWeighed */
} Weights;

/* ---- figures ------------------------------------------------------------------------------- */

static gboolean is_assumed(const PsGpu *gpu, const char *id)
{
    const PsSource *source = id ? ps_gpu_source(gpu, id) : NULL;
    return source && source->kind == PS_SOURCE_ASSUMED;
}

static gboolean is_same(const PsWeighed *x, const PsWeighed *y)
{
    return x->kind == y->kind && x->level == y->level && g_strcmp0(x->name, y->name) == 0 &&
           g_strcmp0(x->attribute, y->attribute) == 0;
}

static void add(Weights *weights, PsWeighed one, const char *source)
{
    for (guint i = 0; i < weights->figures->len; i++) {
        PsWeighed *known = &g_array_index(weights->figures, PsWeighed, i);
        if (!is_same(known, &one))
            continue;
        known->share += one.share;
        return;
    }
    one.assumed = is_assumed(weights->answer->gpu, source);
    g_array_append_val(weights->figures, one);
}

static void add_setting(Weights *weights, PsAssumedKind kind, const char *attribute, double share)
{
    const char *element = kind == PS_ASSUMED_MEMORY    ? "memory"
                          : kind == PS_ASSUMED_ATOMICS ? "atomics"
                                                       : "overheads";
    add(weights, (PsWeighed){.kind = kind, .attribute = attribute, .share = share},
        ps_gpu_setting_source(weights->answer->gpu, element, attribute));
}

static void add_class(Weights *weights, const PsClass *class, double share)
{
    add(weights, (PsWeighed){.kind = PS_ASSUMED_CLASS, .name = class->name, .share = share},
        class->source);
}

static void add_level(Weights *weights, const PsMemoryLevel *level, double share)
{
    add(weights, (PsWeighed){.kind = PS_ASSUMED_LEVEL, .level = level->level, .share = share},
        level->source);
}

static void add_rows(Weights *weights, const PsMemoryLevel *level, double share)
{
    const PsWeighed rows = {
        .kind = PS_ASSUMED_LEVEL, .level = level->level, .attribute = "rows", .share = share};
    add(weights, rows, level->rows_source);
}

/* ---- what keeps something busy ------------------------------------------------------------- */

static gboolean is_atomic(const Weights *weights, const PsMachineClass *bound)
{
    return weights->answer->gpu->atomics.stated && ps_class_covers("atomic", bound->asked);
}

/* What decides lambda of accesses to global memory. */
static const char *setting_of_issue(const PsAnswer *answer, const PsMachineClass *bound)
{
    const PsMemory *memory = &answer->gpu->memory;
    const int of_texture = ps_rational_cmp(bound->latency.issue, memory->texture);
    if (ps_class_covers("global.load.texture", bound->asked) && of_texture == 0)
        return "texture";
    return answer->machine->counted && ps_rational_cmp(bound->latency.issue, memory->request) > 0
               ? "wavefront"
               : "request";
}

/* Adds lambda of a class. */
static void add_issue(Weights *weights, const PsMachineClass *bound, double share)
{
    if (!bound->by_levels)
        add_class(weights, bound->class, share);
    else if (is_atomic(weights, bound))
        add_setting(weights, PS_ASSUMED_ATOMICS, "request", share);
    else
        add_setting(weights, PS_ASSUMED_MEMORY, setting_of_issue(weights->answer, bound), share);
}

/* Adds a busy pipeline: its classes share it by the times that they keep it busy. */
static void add_pipeline(Weights *weights, guint pipeline, double share)
{
    const PsAnswer *answer = weights->answer;
    double all = 0;
    for (guint turn = 0; turn < 2; turn++)
        for (guint i = 0; i < answer->machine->n_classes; i++) {
            const PsMachineClass *bound = &answer->machine->classes[i];
            const double busy = (double)((const PsStatsRow *)answer->classes->pdata[i])->busy;
            if (bound->pipeline != pipeline || !(busy > 0))
                continue;
            if (turn == 0)
                all += busy;
            else
                add_issue(weights, bound, share * busy / all);
        }
}

/* Adds the queue in front of a pipeline (R11): the longest wait before it depends on its length. */
static void add_queue(Weights *weights, const PsMachineClass *bound, double share)
{
    const PsPipeline *pipeline = weights->answer->gpu->pipelines->pdata[bound->pipeline];
    const PsWeighed queue = {.kind = PS_ASSUMED_PIPELINE,
                             .name = pipeline->name,
                             .attribute = "pipeline-queue",
                             .share = share};
    if (bound->queue > 0)
        add(weights, queue, pipeline->queue_source);
}

/* Adds queues of a pipeline that is busy for that share of the time. No queue gains more than the
 * rest, and a queue that never fills gains nothing. */
static void add_queues(Weights *weights, guint pipeline, double load, double share)
{
    const PsAnswer *answer = weights->answer;
    double queued = 0;
    for (guint i = 0; i < answer->machine->n_classes; i++)
        if (answer->machine->classes[i].pipeline == pipeline)
            queued += (double)((const PsStatsRow *)answer->classes->pdata[i])->queued;
    for (guint i = 0; i < answer->machine->n_classes && queued > 0; i++) {
        const double blocked = (double)((const PsStatsRow *)answer->classes->pdata[i])->blocked;
        if (answer->machine->classes[i].pipeline == pipeline)
            add_queue(weights, &answer->machine->classes[i],
                      share * fmax(0, 1 - load) * blocked / queued);
    }
}

/* The share of the first level's time that its tags decide, rather than its port. */
static double share_of_tags(const PsAnswer *answer)
{
    const PsMachine *machine = answer->machine;
    const double rate = ps_rational_to_double(g_array_index(machine->servers, PsServer, 0).rate);
    double all = 0, tags = 0;
    for (guint p = 0; p < answer->kernel->n_programs; p++)
        for (guint n = 0; n < answer->kernel->programs[p].n_nodes; n++) {
            const PsNodeCost *cost = &machine->costs[p][n];
            if (!cost->n_stops || cost->stops[0].server != 0)
                continue;
            const double takes = ps_rational_to_double(cost->stops[0].cycles);
            const double bytes = ps_rational_to_double(cost->moved[machine->levels[0].level]);
            const double times = (double)answer->kernel->programs[p].nodes[n].count;
            all += times * takes;
            if (takes > 1.01 * bytes / rate)
                tags += times * takes;
        }
    return all > 0 ? tags / all : 0;
}

/* The parts of L2's slices' time: sectors written in part, whole sectors stored, and everything
 * else. */
typedef struct {
    double partial, stored, other;
} Slices;

static Slices slices_of(const PsAnswer *answer, guint server)
{
    Slices sum = {0, 0, 0};
    for (guint p = 0; p < answer->kernel->n_programs; p++)
        for (guint n = 0; n < answer->kernel->programs[p].n_nodes; n++) {
            const PsNodeCost *cost = &answer->machine->costs[p][n];
            const PsProgramNode *node = &answer->kernel->programs[p].nodes[n];
            const char *asked = node->item->class_name;
            const gboolean stores = ps_class_writes(asked) && !ps_class_covers("atomic", asked);
            for (guint s = 0; s < cost->n_stops; s++) {
                if (cost->stops[s].server != server)
                    continue;
                const double all = ps_rational_to_double(cost->stops[s].cycles),
                             parts = ps_rational_to_double(cost->parts);
                sum.partial += (double)node->count * parts;
                *(stores ? &sum.stored : &sum.other) += (double)node->count * (all - parts);
            }
        }
    return sum;
}

static const PsMemoryLevel *find_l2(const PsMachine *machine)
{
    for (guint i = 0; i < machine->n_levels; i++)
        if (machine->levels[i].level == PS_LEVEL_L2)
            return &machine->levels[i];
    return NULL;
}

/* Adds L2's slices: work without a rate there takes its part of L2's bandwidth. */
static void add_slices(Weights *weights, guint server, double share)
{
    const PsMachine *machine = weights->answer->machine;
    const PsAtomics *atomics = &weights->answer->gpu->atomics;
    const PsMemoryLevel *l2 = find_l2(machine);
    const Slices takes = slices_of(weights->answer, server);
    const double all = takes.partial + takes.stored + takes.other;
    const gboolean rated = atomics->loads.num > 0 && !machine->parts;
    const double stores = (atomics->stores.num > 0 ? takes.stored : 0) + (rated ? takes.other : 0),
                 rest = takes.stored + takes.other - stores;
    if (takes.partial > 0)
        add_setting(weights, PS_ASSUMED_ATOMICS, "partial", share * takes.partial / all);
    if (stores > 0)
        add_setting(weights, PS_ASSUMED_ATOMICS, "stores", share * stores / all);
    if (rest > 0 && l2)
        add_level(weights, l2, share * rest / all);
}

static void add_server(Weights *weights, guint server, double share)
{
    const PsMachine *machine = weights->answer->machine;
    const char *name = g_array_index(machine->servers, PsServer, server).name;
    if (g_strcmp0(name, machine->slices) == 0) {
        add_slices(weights, server, share);
        return;
    }
    if (server >= machine->n_levels) {
        add_setting(weights, PS_ASSUMED_ATOMICS,
                    strcmp(name, "atomics") == 0 ? "sectors" : "address", share);
        return;
    }
    if (server == 0 && machine->counted && machine->levels[0].bandwidth.num == 0) {
        add_setting(weights, PS_ASSUMED_MEMORY, "wavefront", share);
        return;
    }
    const PsMemoryLevel *level = &machine->levels[server];
    const PsServerRow *row = weights->answer->servers->pdata[server];
    const double rows = row->busy > 0 ? (double)row->opening / (double)row->busy : 0,
                 tags = server == 0 ? fmax(share_of_tags(weights->answer) - rows, 0) : 0;
    add_level(weights, level, share * (1 - tags - rows));
    if (rows > 0)
        add_rows(weights, level, share * rows);
    if (tags > 0)
        add_setting(weights, PS_ASSUMED_MEMORY, "tag", share * tags);
}

/* ---- what a warp waits for ----------------------------------------------------------------- */

/* Adds each level's part of Lambda: r_i L_i, less what the next level has in its place. */
static void add_latency(Weights *weights, const PsNodeCost *cost, gboolean atomic, double share)
{
    const PsMachine *machine = weights->answer->machine;
    const double all = ps_rational_to_double(cost->latency.completion);
    double left = 1;
    for (guint i = machine->n_levels; i > 0; i--) {
        const PsMemoryLevel *level = &machine->levels[i - 1];
        PsRational cycles;
        double weight = i == 1 ? 1 : 0, deeper = 0;
        for (guint s = 0; s < cost->n_stops; s++) {
            const double at = cost->stops[s].weight / (double)PS_STOP_WHOLE;
            if (cost->stops[s].server == i - 1)
                weight = at;
            else if (cost->stops[s].server >= i && cost->stops[s].server < machine->n_levels)
                deeper = fmax(deeper, at);
        }
        if (weight <= deeper || !ps_gpu_cycles(level->latency, level->at, machine->clock, &cycles))
            continue;
        const double part =
            fmin(left, (weight - deeper) * ps_rational_to_double(cycles) / fmax(all, 1e-9));
        if (atomic && level->level <= PS_LEVEL_L2)
            break;
        add_level(weights, level, share * part);
        left -= part;
    }
    if (atomic)
        add_setting(weights, PS_ASSUMED_ATOMICS, "latency", share * left);
}

/* Mean ticks of loads that get to a server; 0: none does. */
static double mean_load(const PsAnswer *answer, guint server)
{
    const PsMachine *machine = answer->machine;
    double all = 0, times = 0;
    for (guint p = 0; p < answer->kernel->n_programs; p++)
        for (guint n = 0; n < answer->kernel->programs[p].n_nodes; n++) {
            const PsNodeCost *cost = &machine->costs[p][n];
            const PsStatsRow *row = answer->classes->pdata[machine->class_of[p][n]];
            const double count = (double)answer->kernel->programs[p].nodes[n].count;
            for (guint s = 0; s < cost->n_stops && !cost->posted; s++) {
                if (cost->stops[s].server != server)
                    continue;
                all += count * ((double)cost->completion +
                                (double)row->delayed / (double)MAX(row->issued, 1));
                times += count;
            }
        }
    return times > 0 ? all / times : 0;
}

/* A device memory with a window (R7). Loads take W ticks, of which they wait x q for the work of x
 * windows, and the memory is busy for 1 - (1 - x)^2 of the time. The time of loads and the load of
 * memory limit each other: if loads are issued 1 % faster, they take longer by that share of 1
 * %. */
typedef struct {
    double takes, waits; /* W, x q */
    double slows;
} Crowd;

static Crowd crowd_at(const PsAnswer *answer, guint server)
{
    const double queue = (double)g_array_index(answer->machine->servers, PsServer, server).queue;
    const double load = fmin(ps_server_utilization(answer, answer->servers->pdata[server]), 1);
    const double idle = fmax(sqrt(1 - load), 1e-9);
    Crowd crowd = {.takes = fmax(mean_load(answer, server), 1), .waits = queue * (1 - idle)};
    crowd.slows = queue * load / (2 * idle * crowd.takes);
    return crowd;
}

/* Adds the waits of loads at a busy device memory, which would be shorter if it were less busy. */
static void add_wait(Weights *weights, guint server, double share)
{
    const double slows = crowd_at(weights->answer, server).slows;
    add_server(weights, server, share * slows / (1 + slows));
    add_setting(weights, PS_ASSUMED_MEMORY, "queue", share / (1 + slows));
}

/* TRUE if loads wait longer the busier the server is: at device memory, not at L2's slices. */
static gboolean is_crowded(const PsAnswer *answer, guint number)
{
    const PsServer *server = &g_array_index(answer->machine->servers, PsServer, number);
    return server->window > 0 && server->level < PS_N_LEVELS;
}

/* Adds a saturated server. */
static void add_saturated(Weights *weights, guint server, double share)
{
    if (!is_crowded(weights->answer, server)) {
        add_server(weights, server, share);
        return;
    }
    const Crowd crowd = crowd_at(weights->answer, server);
    const double queue = fmin(crowd.waits / crowd.takes / (1 + crowd.slows), 1);
    add_server(weights, server, share * (1 - queue));
    add_setting(weights, PS_ASSUMED_MEMORY, "queue", share * queue);
}

/* Adds a node's wait in memory, so many cycles of that share of the time each: first as loads wait
 * at a busy device memory, the rest by the load of the servers that it visits. */
static void add_delay(Weights *weights, const PsNodeCost *cost, double delay, double cycle)
{
    const PsAnswer *answer = weights->answer;
    double all = 0;
    for (guint s = 0; s < cost->n_stops; s++) {
        const PsStop *stop = &cost->stops[s];
        all += stop->weight * ps_server_utilization(answer, answer->servers->pdata[stop->server]);
        if (!is_crowded(answer, stop->server))
            continue;
        const double waits = crowd_at(answer, stop->server).waits * stop->weight / PS_STOP_WHOLE;
        const double part = fmin(delay, waits / (double)answer->machine->ticks_per_cycle);
        add_wait(weights, stop->server, cycle * part);
        delay -= part;
    }
    for (guint s = 0; s < cost->n_stops && all > 0; s++) {
        const PsStop *stop = &cost->stops[s];
        const double load =
            stop->weight * ps_server_utilization(answer, answer->servers->pdata[stop->server]);
        add_server(weights, stop->server, cycle * delay * load / all);
    }
}

/* Adds a node; one cycle of the path is so much of the time. */
static void add_node(Weights *weights, guint p, guint n, double cycle)
{
    const PsAnswer *answer = weights->answer;
    const guint class_index = answer->machine->class_of[p][n];
    const PsMachineClass *bound = &answer->machine->classes[class_index];
    const PsNodeCost *cost = &answer->machine->costs[p][n];
    const PsStatsRow *row = answer->classes->pdata[class_index];
    if (answer->kernel->programs[p].nodes[n].free_store) {
        add_issue(weights, bound, cycle * ps_rational_to_double(cost->latency.issue));
        return;
    }
    const double latency = cycle * ps_rational_to_double(cost->latency.completion);
    if (bound->by_levels)
        add_latency(weights, cost, is_atomic(weights, bound), latency);
    else
        add_class(weights, bound->class, latency);
    add_pipeline(weights, bound->pipeline,
                 cycle * ps_answer_mean(answer, row->queued, row->issued));
    add_queue(weights, bound, cycle * ps_answer_mean(answer, row->blocked, row->issued));
    add_delay(weights, cost, ps_answer_mean(answer, row->delayed, row->issued), cycle);
}

static void add_path(Weights *weights, double share)
{
    g_auto(PsCriticalPath) path = ps_critical_path(weights->answer);
    if (!path.times || !(path.length > 0))
        return;
    for (guint n = 0; n < weights->answer->kernel->programs[path.program].n_nodes; n++)
        if (path.times[n])
            add_node(weights, path.program, n, share * path.times[n] / path.length);
}

/* ---- the whole ----------------------------------------------------------------------------- */

/* Adds all figures that the run used. */
static void add_used(Weights *weights)
{
    const PsAnswer *answer = weights->answer;
    for (guint i = 0; i < answer->machine->n_classes; i++)
        if (((const PsStatsRow *)answer->classes->pdata[i])->issued > 0)
            add_issue(weights, &answer->machine->classes[i], 0);
    for (guint i = 0; i < answer->servers->len; i++)
        if (((const PsServerRow *)answer->servers->pdata[i])->visits > 0)
            add_server(weights, i, 0);
}

/* Adds the figures of the busiest unit; FALSE if nothing is nearly saturated. */
static gboolean add_busiest(Weights *weights, double load, double share)
{
    const PsAnswer *answer = weights->answer;
    const PsBusiest busiest = ps_answer_busiest_part(answer);
    if (busiest.load < load || busiest.load < PS_NEARLY_SATURATED || busiest.kind == PS_BUSY_PORTS)
        return FALSE;
    if (busiest.kind == PS_BUSY_DISPATCH)
        add_setting(weights, PS_ASSUMED_OVERHEADS, "dispatch", share * busiest.load);
    else if (busiest.kind == PS_BUSY_PIPELINE) {
        add_pipeline(weights, ps_busiest_pipeline(answer), share * busiest.load);
        add_queues(weights, ps_busiest_pipeline(answer), busiest.load, share);
    }
    for (guint i = 0; busiest.kind == PS_BUSY_SERVER && i < answer->servers->len; i++)
        if (answer->servers->pdata[i] == ps_busiest_server(answer))
            add_saturated(weights, i, share * busiest.load);
    return TRUE;
}

/* Adds the costs of groups that follow each other in a place, and of the first instructions, which
 * come from device memory. Returns their share of the time. */
static double add_launches(Weights *weights, double share)
{
    const PsMachine *machine = weights->answer->machine;
    const double ticks = (double)weights->answer->result.ticks;
    const PsLaunch *launch = &machine->launch;
    const double rounds = (double)launch->groups_per_cu / (double)MAX(launch->active_groups, 1);
    const double next = fmax(rounds - 1, 0) * (double)machine->turnaround / ticks;
    const double start = rounds * (double)machine->group_launch / ticks;
    const double fetch = fmin(1, (double)machine->fetch / ticks);
    if (machine->turnaround > 0 && rounds > 1)
        add_setting(weights, PS_ASSUMED_OVERHEADS, "turnaround", share * fmin(1, next));
    if (machine->group_launch > 0)
        add_setting(weights, PS_ASSUMED_OVERHEADS, "group-launch", share * fmin(1, start));
    if (machine->group_interval > 0)
        add_setting(weights, PS_ASSUMED_OVERHEADS, "dispatch", 0);
    if (machine->n_levels > 0 && fetch > 0)
        add_level(weights, &machine->levels[machine->n_levels - 1], share * fetch);
    return fmin(1, next + start + fetch);
}

/* Instructions that a group's warps issue on one scheduler, in the mean over all kinds, if the
 * group's first warp belongs to scheduler 0. */
static double work_of_scheduler(const PsAnswer *answer, gint64 scheduler)
{
    const PsKernel *kernel = answer->kernel;
    const PsMachine *machine = answer->machine;
    double work = 0;
    for (guint k = 0; k < kernel->n_kinds; k++)
        for (gint64 w = scheduler; w < machine->launch.warps_per_group;
             w += machine->refinements.schedulers) {
            const int p = ps_kernel_program_of(kernel, k, w);
            work += p < 0 ? 0 : (double)kernel->programs[p].length * (double)kernel->kinds[k].share;
        }
    return work;
}

/* If the warps of a group do unequal work, the place of its first slot (R1) decides which scheduler
 * has most, and no vendor has published that place. Adds the share of the time that it decides, and
 * returns it: the fullest scheduler's excess over the mean, if it is nearly saturated. */
static double add_first_slot(Weights *weights, double share)
{
    const PsAnswer *answer = weights->answer;
    const gint64 schedulers = answer->machine->refinements.schedulers;
    const PsBusiest busiest = ps_answer_busiest_part(answer);
    double most = 0, all = 0, load = ps_port_utilization(answer);
    if (schedulers < 2 || answer->machine->launch.warps_per_group % schedulers != 0)
        return 0;
    for (gint64 s = 0; s < schedulers; s++) {
        const double work = work_of_scheduler(answer, s);
        most = fmax(most, work);
        all += work;
    }
    if (busiest.kind == PS_BUSY_PIPELINE &&
        ((const PsPipeline *)answer->gpu->pipelines->pdata[ps_busiest_pipeline(answer)])
            ->per_scheduler)
        load = fmax(load, busiest.load);
    const double times = all > 0 ? most * (double)schedulers / all : 1;
    if (times < 1.01 || load * times < PS_NEARLY_SATURATED)
        return 0;
    const double part = fmin(1, load * times) * (1 - 1 / times);
    const PsWeighed one = {.kind = PS_ASSUMED_OVERHEADS,
                           .attribute = "first-slot",
                           .assumed = TRUE,
                           .share = share * part};
    g_array_append_val(weights->figures, one);
    return part;
}

/* If not all different groups were executed, the time depends on the others' work: by the error of
 * their mean, for as many groups as have no like among the executed ones. */
static void add_groups(Weights *weights)
{
    const PsAnswer *answer = weights->answer;
    const PsIdgLaunch *launch = &answer->idg->launch;
    const double share = 1 - answer->launch_seconds / answer->seconds;
    const PsRational parts[2] = {launch->work_error, launch->unseen};
    static const char *const attributes[2] = {"work-error", "unseen"};
    for (guint i = 0; i < 2; i++) {
        const PsWeighed one = {.kind = PS_ASSUMED_GROUPS,
                               .attribute = attributes[i],
                               .assumed = TRUE,
                               .share = share * fmin(1, ps_rational_to_double(parts[i]))};
        if (parts[i].num > 0)
            g_array_append_val(weights->figures, one);
    }
}

static int largest_first(gconstpointer a, gconstpointer b)
{
    const PsWeighed *x = a, *y = b;
    return (x->share < y->share) - (x->share > y->share);
}

GArray *ps_answer_weigh(const PsAnswer *answer)
{
    Weights weights = {answer, g_array_new(FALSE, FALSE, sizeof(PsWeighed))};
    if (answer->result.ticks == 0)
        return weights.figures;
    add_used(&weights);
    if (answer->launch_seconds > 0)
        add_setting(&weights, PS_ASSUMED_OVERHEADS, "kernel-launch",
                    answer->launch_seconds / answer->seconds);
    /* Where the roofline decides, no figure of the simulation does. */
    double share = answer->clamped ? 0 : 1 - answer->launch_seconds / answer->seconds;
    /* No assumption concerns ports. */
    const double ports = ps_port_utilization(answer);
    share *= 1 - add_first_slot(&weights, share);
    if (add_busiest(&weights, ports, share))
        share *= 1 - fmin(1, ps_answer_busiest_part(answer).load);
    else if (ports >= PS_NEARLY_SATURATED)
        share *= 1 - fmin(1, ports);
    share *= 1 - add_launches(&weights, share);
    add_path(&weights, share);
    add_groups(&weights);
    g_array_sort(weights.figures, largest_first);
    return weights.figures;
}

PsSecondsBetween ps_answer_between(const PsAnswer *answer)
{
    const double error = fmin(1, ps_rational_to_double(answer->idg->launch.work_error));
    const double off = error * (answer->seconds - answer->launch_seconds);
    return (PsSecondsBetween){answer->seconds - off, answer->seconds + off};
}

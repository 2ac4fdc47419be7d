/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * The tick: the least common denominator of all times of a machine, so that each time is a whole
 * number.
 */
#include "gpu/rows.h"
#include "sim/engine/binding.h"

/* A latency in ticks stays below this, so that a time and a latency never overflow together. */
#define MAX_LATENCY_TICKS (G_MAXINT64 / 8)

__extension__ typedef __int128 Wide;

gboolean ps_in_parts(PsRational a, PsRational b, gboolean up, gint64 *parts)
{
    const Wide den = (Wide)a.den * b.num;
    Wide num;
    if (b.num <= 0 || __builtin_mul_overflow((Wide)a.num * b.den, (Wide)PS_STOP_WHOLE, &num) ||
        den > ((Wide)1 << 124))
        return FALSE;
    const Wide result = num / den, rest = num % den;
    if (result >= G_MAXINT64 / 2)
        return FALSE;
    *parts = (gint64)result + (up ? rest > 0 : 2 * rest >= den);
    return TRUE;
}

/* A time in cycles, and the place of its value in ticks. */
typedef struct {
    PsRational cycles;
    gint64 *ticks;
} Time;

static void add_time(GArray *times, PsRational cycles, gint64 *ticks)
{
    const Time time = {cycles, ticks};
    g_array_append_val(times, time);
}

/* Lists the costs of nodes. */
static void list_costs(PsMachine *machine, GArray *times)
{
    for (guint p = 0; p < machine->kernel->n_programs; p++)
        for (guint n = 0; n < machine->kernel->programs[p].n_nodes; n++) {
            PsNodeCost *cost = &machine->costs[p][n];
            add_time(times, cost->latency.completion, &cost->completion);
            PsRational completion = cost->posted ? cost->drain : cost->latency.completion;
            if (cost->posted && ps_rational_cmp(completion, cost->latency.issue) < 0)
                completion = cost->latency.issue;
            add_time(times, cost->latency.issue, &cost->issue);
            add_time(times, completion, &cost->completion);
            add_time(times, machine->kernel->programs[p].nodes[n].hold, &cost->hold);
            for (guint s = 0; s < cost->n_stops; s++)
                add_time(times, cost->stops[s].cycles, &cost->stops[s].service);
        }
}

/* Lists the waits of loads at device memory. */
static void list_servers(PsMachine *machine, GArray *times)
{
    for (guint s = 0; s < machine->servers->len; s++) {
        PsServer *server = &g_array_index(machine->servers, PsServer, s);
        add_time(times, server->queue_cycles, &server->queue);
        add_time(times, server->window_cycles, &server->window);
    }
}

/* At first no CU has the kernel's instructions, and only an instruction asks for the arguments.
 * Both come one after the other, from where the launch before left them, if there was one,
 * otherwise from device memory. */
static gboolean list_fetch(PsMachine *machine, GArray *times)
{
    const guint n = machine->n_levels;
    const PsMemoryLevel *level =
        &machine->levels[machine->refinements.cache == PS_CACHE_WARM && n > 1 ? n - 2 : n - 1];
    PsRational once;
    gint64 parts;
    if (!ps_gpu_cycles(level->latency, level->at, machine->clock, &once) ||
        !ps_rational_mul(once, PS_RATIONAL_INT(2 * PS_STOP_WHOLE), &once))
        return FALSE;
    parts = ps_rational_ceil(once);
    if (!ps_rational_make(parts, PS_STOP_WHOLE, &once))
        return FALSE;
    add_time(times, once, &machine->fetch);
    return TRUE;
}

/* Launches: each CU gets a part of what the whole GPU dispatches. */
static gboolean list_overheads(PsMachine *machine, GArray *times)
{
    const PsOverheads *overheads = &machine->gpu->overheads;
    PsRational interval;
    if (!ps_rational_mul(overheads->dispatch, PS_RATIONAL_INT(machine->busy_cus), &interval))
        return FALSE;
    if (ps_rational_cmp(interval, overheads->group_interval) < 0)
        interval = overheads->group_interval;
    add_time(times, overheads->group_launch, &machine->group_launch);
    add_time(times, interval, &machine->group_interval);
    add_time(times, overheads->turnaround, &machine->turnaround);
    return !machine->refinements.levels || list_fetch(machine, times);
}

/* Lists all times of the machine; a port is busy for 1/width cycles. */
static gboolean list_times(PsMachine *machine, GArray *times)
{
    const PsRefinements *refinements = &machine->refinements;
    for (guint i = 0; i < machine->n_classes; i++) {
        PsMachineClass *entry = &machine->classes[i];
        add_time(times, entry->latency.issue, &entry->issue);
        add_time(times, entry->latency.completion, &entry->completion);
    }
    list_costs(machine, times);
    list_servers(machine, times);
    if (refinements->overheads && !list_overheads(machine, times))
        return FALSE;
    if (refinements->schedulers > 0) {
        PsRational busy;
        if (!ps_rational_div(PS_RATIONAL_INT(1), refinements->issue_width, &busy))
            return FALSE;
        add_time(times, busy, &machine->port_busy);
        add_time(times, PS_RATIONAL_INT(machine->gpu->read_window), &machine->read_window);
    }
    return TRUE;
}

static gboolean in_ticks(const PsMachine *machine, const Time *time)
{
    return !__builtin_mul_overflow(time->cycles.num, machine->ticks_per_cycle / time->cycles.den,
                                   time->ticks) &&
           *time->ticks <= MAX_LATENCY_TICKS;
}

gboolean ps_machine_find_ticks(PsMachine *machine, GError **error)
{
    g_autoptr(GArray) times = g_array_new(FALSE, FALSE, sizeof(Time));
    gboolean fits = list_times(machine, times);
    machine->ticks_per_cycle = 1;
    for (guint i = 0; fits && i < times->len; i++)
        fits = ps_rational_common_denominator(g_array_index(times, Time, i).cycles,
                                              &machine->ticks_per_cycle);
    for (guint i = 0; fits && i < times->len; i++)
        fits = in_ticks(machine, &g_array_index(times, Time, i));
    if (!fits)
        g_set_error(error, PS_ERROR, PS_ERROR_LIMIT,
                    "the latencies%s have no common tick that fits 64 bits: use fewer decimals",
                    machine->refinements.schedulers > 0 ? " and the issue width" : "");
    return fits;
}

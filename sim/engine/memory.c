/* SPDX-License-Identifier: BSD-3-Clause */
/* Rounded values are multiples of 1/1024 cycle, so that the tick of a run stays coarse: service
 * times are rounded up, so that nothing moves faster than its level can; weights and latencies to
 * the nearest. */
#include "sim/engine/memory.h"

#include "base/class-name.h"
#include "gpu/level.h"
#include "gpu/rows.h"
#include "sim/engine/binding.h"
#include "sim/engine/traffic.h"

#include <string.h>

#define PARTS PS_STOP_WHOLE
#define SECTOR 32 /* bytes: the unit of lines in graphs, and of rates in <atomics> */

static gboolean too_fine(const char *what, GError **error)
{
    g_set_error(error, PS_ERROR, PS_ERROR_LIMIT,
                "levels of memory: %s is too large or too fine for an exact fraction; use fewer "
                "decimals",
                what);
    return FALSE;
}

/* ---- the description's levels -------------------------------------------------------------- */

/* Units of work per cycle, for each CU with groups, at a rate of the whole chip in 10^9 per second.
 * A rate that follows the clock is the same in cycles at every clock. */
static gboolean part_of_cu(const PsMachine *machine, PsRational bandwidth, PsRational *rate)
{
    const PsRational at = machine->gpu->atomics.rates_at;
    PsRational all;
    return ps_rational_mul(at.num ? at : machine->clock, PS_RATIONAL_INT(machine->busy_cus),
                           &all) &&
           ps_rational_mul(bandwidth, PS_RATIONAL_INT(1000), rate) &&
           ps_rational_div(*rate, all, rate);
}

static guint add_server(PsMachine *machine, char *name /* taken */, PsLevel level, PsRational rate)
{
    const PsServer server = {.name = name,
                             .level = level,
                             .rate = rate,
                             .queue_cycles = {0, 1},
                             .window_cycles = {0, 1}};
    g_array_append_val(machine->servers, server);
    return machine->servers->len - 1;
}

/* ---- a node -------------------------------------------------------------------------------- */

guint ps_memory_pipeline(const PsMachine *machine, const PsProgramNode *node, guint pipeline)
{
    const PsGpu *gpu = machine->gpu;
    const gboolean own = ps_node_is_atomic(node) && gpu->atomics.stated;
    const gboolean one = gpu->memory.wavefront.num > 0 && gpu->local.stated;
    return one && !own && !ps_class_is_copy(node->item->class_name) ? gpu->local.pipeline
                                                                    : pipeline;
}

/* Nanoseconds in cycles, rounded to the nearest 1/1024. */
static gboolean cycles_of(const PsMachine *machine, PsRational ns, PsRational *cycles)
{
    gint64 parts;
    return ps_rational_mul(ns, machine->clock, &ns) &&
           ps_in_parts(ns, PS_RATIONAL_INT(1000), FALSE, &parts) &&
           ps_rational_make(parts, PARTS, cycles);
}

static gboolean find_window(const PsMachine *machine, PsServer *server)
{
    const PsMemory *memory = &machine->gpu->memory;
    return memory->queue.num == 0 || cycles_of(machine, memory->window, &server->window_cycles);
}

/* How long loads wait at a busy device memory, by the share of its traffic that is mixed. */
static gboolean find_queue(const PsMachine *machine, PsServer *server)
{
    const PsMemory *memory = &machine->gpu->memory;
    PsRational share, more;
    if (memory->queue.num == 0)
        return TRUE;
    return ps_rational_make(machine->mixed, PARTS, &share) &&
           ps_rational_sub(memory->queue_mixed, memory->queue, &more) &&
           ps_rational_mul(more, share, &more) && ps_rational_add(more, memory->queue, &more) &&
           cycles_of(machine, more, &server->queue_cycles) && find_window(machine, server);
}

/* R8: the name of the work that takes most of the stores' time at L2's slices. */
static const char *name_slices(const PsMachine *machine, const PsLaunchTraffic *traffic)
{
    const PsAtomics *atomics = &machine->gpu->atomics;
    if (!machine->parts)
        return machine->stored ? "stores" : NULL;
    return machine->stored && traffic->whole / ps_rational_to_double(atomics->stores) >
                                  traffic->partial / ps_rational_to_double(atomics->partial)
               ? "stores"
               : "partial";
}

gboolean ps_memory_init(PsMachine *machine, const GPtrArray *what_if, GError **error)
{
    const PsGpu *gpu = machine->gpu;
    machine->servers = g_array_new(FALSE, TRUE, sizeof(PsServer));
    if (!machine->refinements.levels)
        return TRUE;
    machine->counted = ps_traffic_is_counted(machine);
    PsLaunchTraffic traffic = ps_traffic_of_launch(machine);
    const gboolean fits = ps_traffic_fits(machine, &traffic);
    machine->written_back = ps_traffic_written_back(machine, &traffic);
    machine->mixed = ps_gpu_mixed_parts(traffic.read, traffic.written);
    machine->parts = traffic.parts && gpu->atomics.partial.num > 0;
    machine->stored = traffic.stored && gpu->atomics.stores.num > 0;
    machine->slices = name_slices(machine, &traffic);
    for (guint i = 0; i < gpu->memory.levels->len; i++) {
        PsMemoryLevel *level = &machine->levels[machine->n_levels++];
        PsRational rate;
        *level = g_array_index(gpu->memory.levels, PsMemoryLevel, i);
        if (!ps_gpu_level_bandwidth(level, machine->mixed, &level->bandwidth))
            return too_fine("a bandwidth", error);
        if (!ps_what_if_apply_to_level(level, what_if, machine->clock))
            return too_fine("a figure", error);
        if (!ps_gpu_level_rate(level, machine->busy_cus, machine->clock, &rate))
            return too_fine("a bandwidth", error);
        add_server(machine, g_strdup(ps_level_name(level->level)), level->level, rate);
    }
    machine->warm = machine->refinements.cache == PS_CACHE_WARM && fits;
    return find_queue(machine, &g_array_index(machine->servers, PsServer, machine->n_levels - 1)) ||
           too_fine("a wait at device memory", error);
}

/* TRUE if the share is too large. A level that is asked for a sector may bring the whole line;
 * graphs state six decimals. */
static gboolean exceeds(const PsMachine *machine, PsRational share, PsRational before)
{
    const gint64 line = MAX(machine->gpu->memory.line_bytes, SECTOR);
    const PsRational rounding = {1, 100000};
    PsRational most;
    return ps_rational_make(line, SECTOR, &most) && ps_rational_mul(before, most, &most) &&
           ps_rational_add(most, rounding, &most) && ps_rational_cmp(share, most) > 0;
}

static gboolean check_shares(const PsMachine *machine, const PsProgramNode *node, GError **error)
{
    PsLevel before = PS_N_LEVELS;
    for (PsLevel level = PS_LEVEL_L0; level < PS_N_LEVELS; level++) {
        if (node->share[level].num < 0)
            continue;
        if (before != PS_N_LEVELS && exceeds(machine, node->share[level], node->share[before])) {
            g_autofree char *more = ps_rational_format(node->share[level]);
            g_autofree char *less = ps_rational_format(node->share[before]);
            ps_error_at(
                error, PS_ERROR_VALUE, ps_idg_place(machine->kernel->idg, node->item->line),
                "node '%s' loads %s of its bytes from %s, which is more than whole lines of "
                "the %s that gets past what is before it (%s); make %s no more than that",
                node->item->name, more, ps_level_name(level), less, ps_level_name(before),
                ps_level_name(level));
            return FALSE;
        }
        before = level;
    }
    return TRUE;
}

/* A node's properties while its stops are found. */
typedef struct {
    PsMachine *machine;
    const PsProgramNode *node;
    PsNodeCost *cost;
    const PsClass *copy; /* for a copy of many bytes (R7): the class that serves it; else NULL */
    gboolean atomic;     /* an atomic operation for which the description has figures */
    gboolean writes;     /* any atomic operation, or a store */
    gint64 bytes;        /* per thread */
    guint weight;        /* of the level before */
    PsRational before;   /* latency of the level before, cycles */
} Way;

static gboolean add_stop(Way *way, guint server, PsRational work, PsRational rate)
{
    gint64 parts;
    PsStop *stop = &way->cost->stops[way->cost->n_stops];
    if (!ps_in_parts(work, rate, TRUE, &parts) || !ps_rational_make(parts, PARTS, &stop->cycles))
        return FALSE;
    stop->server = server;
    stop->has_window = g_array_index(way->machine->servers, PsServer, server).window_cycles.num > 0;
    stop->weight = way->weight;
    way->cost->n_stops++;
    return TRUE;
}

/* Adds the latency of a level beyond that of the level before, times the share of instances that
 * get there. An atomic's latency covers all levels up to L2. */
static gboolean add_latency(Way *way, const PsMemoryLevel *level, gboolean first)
{
    PsRational cycles, more, share;
    PsRational *sum = &way->cost->latency.completion;
    if (!ps_gpu_cycles(level->latency, level->at, way->machine->clock, &cycles))
        return FALSE;
    const gboolean counts = !way->atomic || (!first && level->level > PS_LEVEL_L2);
    if (counts && (!ps_rational_sub(cycles, way->before, &more) ||
                   !ps_rational_make(way->weight, PARTS, &share) ||
                   !ps_rational_mul(more, share, &more) || !ps_rational_add(*sum, more, sum)))
        return FALSE;
    way->before = cycles;
    return TRUE;
}

/* How many of 1024 instances get to a level, by the mean bytes that they move there. */
static gboolean find_weight(Way *way, PsRational moved)
{
    gint64 parts;
    if (!ps_in_parts(moved, PS_RATIONAL_INT(way->machine->gpu->memory.sector_bytes), FALSE, &parts))
        return FALSE;
    way->weight = (guint)CLAMP(parts, 1, (gint64)way->weight);
    return TRUE;
}

/* The server of that name for the whole chip; made if there is none. */
static guint chip_server(PsMachine *machine, const char *name)
{
    guint server = 0;
    while (server < machine->servers->len &&
           strcmp(g_array_index(machine->servers, PsServer, server).name, name) != 0)
        server++;
    if (server == machine->servers->len)
        add_server(machine, g_strdup(name), PS_N_LEVELS, PS_RATIONAL_INT(0));
    return server;
}

/* The server of a spot. */
static guint find_spot(PsMachine *machine, const char *spot)
{
    g_autofree char *name = g_strdup_printf("spot %s", spot);
    return chip_server(machine, name);
}

/* Adds a stop at a server of the whole chip. A CU takes its part of a rate in 10^9 per second: all
 * CUs do the same work at the same time. */
static gboolean stop_at_chip(Way *way, const char *name, PsRational work, PsRational rate)
{
    PsRational part;
    return rate.num == 0 || (part_of_cu(way->machine, rate, &part) &&
                             add_stop(way, chip_server(way->machine, name), work, part));
}

/* Nanoseconds of a request of so many sectors of a line, at least one. All four take as long as the
 * rate of lines says, the first alone as the rate of one address says; times are linear in
 * between. */
static gboolean line_time(const PsAtomics *atomics, PsRational sectors, PsRational *ns)
{
    PsRational address, line, more;
    const PsRational one = PS_RATIONAL_INT(1), all = PS_RATIONAL_INT(4);
    if (!ps_rational_div(one, atomics->address, &address))
        return FALSE;
    if (ps_rational_cmp(sectors, one) == 0) {
        *ns = address;
        return TRUE;
    }
    if (!ps_rational_div(one, atomics->per_line, &line))
        return FALSE;
    if (ps_rational_cmp(sectors, all) > 0)
        return ps_rational_div(sectors, all, ns) && ps_rational_mul(*ns, line, ns);
    return ps_rational_sub(line, address, &more) && ps_rational_sub(sectors, one, &sectors) &&
           ps_rational_mul(more, sectors, &more) &&
           ps_rational_div(more, PS_RATIONAL_INT(3), &more) && ps_rational_add(address, more, ns);
}

/* The longer of the time and work / rate, if that rate is stated. */
static gboolean at_least(PsRational work, PsRational rate, PsRational *ns)
{
    PsRational least;
    if (rate.num == 0)
        return TRUE;
    if (!ps_rational_div(work, rate, &least))
        return FALSE;
    if (ps_rational_cmp(*ns, least) < 0)
        *ns = least;
    return TRUE;
}

/* Turns of a request: PTX was executed in warps of 32 threads, and a larger wave has several. */
static gint64 turns_of(const Way *way)
{
    const PsMachine *machine = way->machine;
    const gint64 warps = machine->kernel->idg->of_ptx ? MAX(machine->gpu->warp_size / 32, 1) : 1;
    return MAX(way->node->item->serial, 1) * warps;
}

/* Adds the nanoseconds of the operations beyond one in each sector: operations at one address take
 * turns. */
static gboolean add_serial(const Way *way, PsRational sectors, PsRational *ns)
{
    PsRational more = PS_RATIONAL_INT(turns_of(way));
    if (ps_rational_cmp(more, sectors) <= 0)
        return TRUE;
    return ps_rational_sub(more, sectors, &more) &&
           ps_rational_div(more, way->machine->gpu->atomics.address, &more) &&
           ps_rational_add(*ns, more, ns);
}

/* The mean nanoseconds of a request of so many sectors at its spot: the sectors that go there, and
 * the operations one after the other within them. A store takes one sector. */
static gboolean spot_time(const Way *way, PsRational sectors, PsRational *ns)
{
    const PsAtomics *atomics = &way->machine->gpu->atomics;
    const PsProgramNode *node = way->node;
    const PsRational one = PS_RATIONAL_INT(1);
    const PsRational write = ps_node_is_atomic(node) ? PS_RATIONAL_INT(0) : atomics->write;
    if (atomics->per_line.num == 0 || ps_rational_cmp(sectors, one) < 0)
        sectors = one; /* one time for any number, if only one address has a rate */
    return line_time(atomics, sectors, ns) && add_serial(way, sectors, ns) &&
           ps_rational_mul(*ns, node->turns, ns) && at_least(node->turns, write, ns);
}

/* Bytes of a warp at a level, by the share that gets there. They are a warp's part of the bytes of
 * all threads of a group. */
static gboolean moved_by_warp(const Way *way, PsRational share, PsRational *moved)
{
    const PsLaunch *launch = &way->machine->launch;
    PsRational threads;
    return ps_rational_make(launch->group_size, launch->warps_per_group, &threads) &&
           ps_rational_mul(threads, PS_RATIONAL_INT(way->bytes), &threads) &&
           ps_rational_mul(threads, share, moved);
}

/* Adds the cycles, in 1/1024, that so many sectors take a slice of L2, at a rate of the whole chip
 * in 10^9 per second. */
static gboolean add_sectors(const Way *way, PsRational sectors, PsRational rate, gint64 *parts)
{
    PsRational part;
    gint64 more;
    if (sectors.num == 0)
        return TRUE;
    if (!part_of_cu(way->machine, rate, &part) || !ps_in_parts(sectors, part, TRUE, &more))
        return FALSE;
    *parts += more;
    return TRUE;
}

/* Adds the cycles of whole sectors by L2's bandwidth, if no rate of slices is stated for them. */
static gboolean add_bytes(const Way *way, PsRational sectors, gint64 *parts)
{
    const PsMachine *machine = way->machine;
    PsRational rate, bytes;
    gint64 more;
    guint i = 0;
    while (i < machine->n_levels && machine->levels[i].level != PS_LEVEL_L2)
        i++;
    if (sectors.num == 0 || i == machine->n_levels || machine->levels[i].bandwidth.num == 0)
        return TRUE;
    PsMemoryLevel l2 = machine->levels[i];
    l2.port = PS_RATIONAL_INT(0);
    if (!ps_gpu_level_rate(&l2, machine->busy_cus, machine->clock, &rate) ||
        !ps_rational_mul(sectors, PS_RATIONAL_INT(SECTOR), &bytes) ||
        !ps_in_parts(bytes, rate, TRUE, &more))
        return FALSE;
    *parts += more;
    return TRUE;
}

/* R8: sectors that a node writes in part, if the launch has such stores and their time is known. */
static gboolean partial_sectors(const Way *way, PsRational *sectors)
{
    *sectors = PS_RATIONAL_INT(0);
    return !way->machine->parts ||
           (moved_by_warp(way, ps_node_partial(way->machine, way->node), sectors) &&
            ps_rational_div(*sectors, PS_RATIONAL_INT(SECTOR), sectors));
}

/* R8: stores take time of L2's slices. If a launch has such stores, all other traffic of L2 takes
 * time there, too. */
static gboolean stop_at_slices(Way *way, PsRational sectors)
{
    PsMachine *machine = way->machine;
    const PsAtomics *atomics = &machine->gpu->atomics;
    const PsRational rate = ps_node_is_store(way->node) ? atomics->stores
                            : machine->parts            ? PS_RATIONAL_INT(0)
                                                        : atomics->loads;
    PsRational partial, whole, cycles;
    gint64 parts = 0;
    if ((!machine->parts && !machine->stored) || sectors.num == 0)
        return TRUE;
    if (!partial_sectors(way, &partial) || !ps_rational_sub(sectors, partial, &whole) ||
        !add_sectors(way, partial, atomics->partial, &parts) ||
        !ps_rational_make(parts, PARTS, &way->cost->parts) ||
        !(rate.num > 0 ? add_sectors(way, whole, rate, &parts) : add_bytes(way, whole, &parts)) ||
        !ps_rational_make(parts, PARTS, &cycles))
        return FALSE;
    if (parts == 0)
        return TRUE;
    const guint server = chip_server(machine, machine->slices);
    return find_window(machine, &g_array_index(machine->servers, PsServer, server)) &&
           add_stop(way, server, cycles, PS_RATIONAL_INT(1));
}

/* R8: adds stops at servers of the whole chip, which serve one request after the other. */
static gboolean stop_at_chip_servers(Way *way)
{
    const PsAtomics *atomics = &way->machine->gpu->atomics;
    const PsProgramNode *node = way->node;
    const PsRational share = ps_node_share(way->machine, node, PS_LEVEL_L2);
    PsRational moved, sectors, ns, part;
    if (!moved_by_warp(way, share, &moved) ||
        !ps_rational_div(moved, PS_RATIONAL_INT(SECTOR), &sectors))
        return FALSE;
    if (way->atomic && sectors.num > 0 && !stop_at_chip(way, "atomics", sectors, atomics->sectors))
        return FALSE;
    if (!stop_at_slices(way, sectors))
        return FALSE;
    if (!node->spot || atomics->address.num == 0)
        return TRUE;
    return spot_time(way, sectors, &ns) && part_of_cu(way->machine, PS_RATIONAL_INT(1), &part) &&
           add_stop(way, find_spot(way->machine, node->spot), ns, part);
}

/* A what-if of the port of the CU's own cache replaces all cycles that an access takes there. */
static gboolean go_by_port(const PsMachine *machine, PsRational *cycles)
{
    const PsRational stated = g_array_index(machine->gpu->memory.levels, PsMemoryLevel, 0).port;
    const PsRational port = machine->levels[0].port;
    return stated.num == 0 || ps_rational_cmp(stated, port) == 0 ||
           (ps_rational_mul(*cycles, stated, cycles) && ps_rational_div(*cycles, port, cycles));
}

/* Cycles of an access by its wavefronts, or by its lines if these take longer, rounded up. If the
 * graph does not count wavefronts, threads' bytes are taken as adjacent. */
static gboolean by_wavefronts(const Way *way, PsRational *cycles)
{
    const PsMemory *memory = &way->machine->gpu->memory;
    PsRational n = way->node->wavefronts, lines;
    gint64 parts;
    if ((n.num == 0 && !ps_rational_make(MAX(way->bytes, 4), 4, &n)) ||
        !ps_rational_mul(n, memory->wavefront, cycles) ||
        !ps_rational_mul(way->node->lines, memory->lookup, &lines))
        return FALSE;
    if (ps_rational_cmp(*cycles, lines) < 0)
        *cycles = lines;
    return go_by_port(way->machine, cycles) &&
           ps_in_parts(*cycles, PS_RATIONAL_INT(1), TRUE, &parts) &&
           ps_rational_make(parts, PARTS, cycles);
}

/* TRUE if wavefronts decide how long the node takes the CU's own cache. */
static gboolean is_counted(const Way *way)
{
    return way->machine->counted && !way->atomic && !way->copy &&
           way->machine->levels[0].bandwidth.num == 0;
}

/* Bytes per cycle at a level. L2's bandwidth counts reads: stores whose sectors have a rate take
 * its port alone. */
static PsRational rate_at(const Way *way, guint i)
{
    const PsMachine *machine = way->machine;
    const PsMemoryLevel *level = &machine->levels[i];
    return machine->stored && ps_node_is_store(way->node) && level->level == PS_LEVEL_L2
               ? level->port
               : g_array_index(machine->servers, PsServer, i).rate;
}

/* Bytes of a load at device memory, and those that are written back for it. */
static gboolean add_written_back(const Way *way, PsRational *moved)
{
    const PsMachine *machine = way->machine;
    PsRational factor;
    return machine->written_back == 0 || way->writes ||
           (ps_rational_make(PARTS + machine->written_back, PARTS, &factor) &&
            ps_rational_mul(*moved, factor, moved));
}

/* Cycles that device memory takes to open the rows that the request alone needs. */
static gboolean time_of_rows(const Way *way, PsRational rate, PsRational *cycles)
{
    const PsMachine *machine = way->machine;
    *cycles = PS_RATIONAL_INT(0);
    return rate.num == 0 || way->node->rows.num == 0 ||
           (ps_rational_mul(machine->clock, PS_RATIONAL_INT(machine->busy_cus), cycles) &&
            ps_rational_mul(*cycles, way->node->rows, cycles) &&
            ps_rational_div(*cycles, PS_RATIONAL_INT(1000), cycles) &&
            ps_rational_div(*cycles, rate, cycles));
}

/* Adds a stop at a level, for the time of the bytes, of the lines if each takes so many cycles, or
 * of the rows, whichever is longest. */
static gboolean stop_at_level(Way *way, guint i, PsRational moved, PsRational lines)
{
    const PsRational rate = rate_at(way, i);
    PsRational bytes = {0, 1}, rows;
    if (!ps_rational_mul(lines, way->machine->gpu->memory.tag, &lines) ||
        !time_of_rows(way, way->machine->levels[i].rows, &rows))
        return FALSE;
    const PsRational least = ps_rational_cmp(lines, rows) < 0 ? rows : lines;
    if (least.num == 0)
        return rate.num == 0 || add_stop(way, i, moved, rate);
    if (rate.num > 0 && !ps_rational_div(moved, rate, &bytes))
        return FALSE;
    way->cost->opens |= ps_rational_cmp(bytes, rows) < 0 && ps_rational_cmp(lines, rows) < 0;
    return add_stop(way, i, ps_rational_cmp(bytes, least) < 0 ? least : bytes, PS_RATIONAL_INT(1));
}

/* Adds the stop at the first level. A CU's own cache is taken by wavefronts where they are counted;
 * lines then take their time behind it, where they miss. */
static gboolean stop_at(Way *way, guint i, PsRational moved)
{
    const PsRational none = PS_RATIONAL_INT(0);
    if (way->machine->levels[i].level == PS_LEVEL_DEVICE && !add_written_back(way, &moved))
        return FALSE;
    const PsRational first = way->cost->moved[way->machine->levels[0].level];
    PsRational lines = way->node->lines;
    if (i == 0 && is_counted(way))
        return by_wavefronts(way, &lines) && add_stop(way, 0, lines, PS_RATIONAL_INT(1));
    if (i == 1 && is_counted(way) && first.num > 0)
        return ps_rational_mul(lines, moved, &lines) && ps_rational_div(lines, first, &lines) &&
               stop_at_level(way, i, moved, lines);
    return stop_at_level(way, i, moved, i == 0 ? lines : none);
}

/* Passes one level of the way. */
static gboolean pass_level(Way *way, guint i)
{
    PsMachine *machine = way->machine;
    const PsMemoryLevel *level = &machine->levels[i];
    PsRational *moved = &way->cost->moved[level->level];
    if (!moved_by_warp(way, ps_node_share(machine, way->node, level->level), moved))
        return FALSE;
    const gboolean visited = way->copy ? way->before.num > 0 : i > 0;
    if (visited && moved->num > 0 && !find_weight(way, *moved))
        return FALSE;
    if (((i == 0 && !way->copy) || moved->num > 0) && !add_latency(way, level, i == 0))
        return FALSE;
    if (moved->num == 0)
        return TRUE;
    return stop_at(way, i, *moved);
}

/* TRUE for a level that copies bypass: their unit stands beside the CU's own caches. */
static gboolean is_beside(const Way *way, PsLevel level)
{
    return way->copy && level < PS_LEVEL_L2;
}

static gboolean pass_levels(Way *way)
{
    const PsMachine *machine = way->machine;
    const PsAtomics *atomics = &machine->gpu->atomics;
    gboolean chip = FALSE;
    way->cost->latency.completion = way->copy ? way->copy->latency.completion : PS_RATIONAL_INT(0);
    if (way->atomic && !ps_gpu_cycles(atomics->latency, atomics->at, machine->clock,
                                      &way->cost->latency.completion))
        return FALSE;
    for (guint i = 0; i < machine->n_levels; i++) {
        if (!chip && machine->levels[i].level > PS_LEVEL_L2) {
            chip = TRUE;
            if (!stop_at_chip_servers(way))
                return FALSE;
        }
        if (!is_beside(way, machine->levels[i].level) && !pass_level(way, i))
            return FALSE;
    }
    return TRUE;
}

static gboolean round_completion(PsNodeCost *cost)
{
    gint64 parts;
    return ps_in_parts(cost->latency.completion, PS_RATIONAL_INT(1), FALSE, &parts) &&
           ps_rational_make(MAX(parts, 1), PARTS, &cost->latency.completion);
}

/* The unit of copies is busy for as long as its class says for so many bytes. */
static gboolean find_issue_of_copy(const Way *way)
{
    PsLatency latency = way->copy->latency;
    PsRational bytes;
    gint64 parts;
    return moved_by_warp(way, PS_RATIONAL_INT(1), &bytes) &&
           ps_gpu_work_latency(way->copy, bytes, &latency) &&
           ps_in_parts(latency.issue, PS_RATIONAL_INT(1), TRUE, &parts) &&
           ps_rational_make(parts, PARTS, &way->cost->latency.issue);
}

/* The last byte of a copy comes later than the first by the time that the slowest server on the way
 * takes for all bytes. */
static gboolean end_copy(const Way *way)
{
    PsRational slowest = way->cost->latency.issue;
    for (guint s = 0; way->copy && s < way->cost->n_stops; s++)
        if (ps_rational_cmp(way->cost->stops[s].cycles, slowest) > 0)
            slowest = way->cost->stops[s].cycles;
    return !way->copy ||
           ps_rational_add(way->cost->latency.completion, slowest, &way->cost->latency.completion);
}

/* Lanes take turns at the units for textures, which have fewer elements a cycle. */
static void wait_for_texture(const Way *way)
{
    const PsRational least = way->machine->gpu->memory.texture;
    PsRational *issue = &way->cost->latency.issue;
    if (ps_class_covers("global.load.texture", way->node->item->class_name) &&
        ps_rational_cmp(*issue, least) < 0)
        *issue = least;
}

/* The load/store unit takes more cycles for more than 4 bytes per thread, or for more wavefronts
 * than it takes requests in that time. */
static gboolean find_issue(const Way *way)
{
    const PsGpu *gpu = way->machine->gpu;
    PsRational *issue = &way->cost->latency.issue, more;
    if (way->copy)
        return find_issue_of_copy(way);
    *issue = way->atomic ? gpu->atomics.request : gpu->memory.request;
    if (way->atomic)
        return TRUE;
    if (way->machine->counted) {
        if (!by_wavefronts(way, &more))
            return FALSE;
        if (ps_rational_cmp(*issue, more) < 0)
            *issue = more;
    } else if (!ps_rational_make(MAX(way->bytes, 4), 4, &more) ||
               !ps_rational_mul(*issue, more, issue)) {
        return FALSE;
    }
    wait_for_texture(way);
    return TRUE;
}

gboolean ps_memory_cost(PsMachine *machine, const PsProgramNode *node, const PsClass *class,
                        PsNodeCost *cost, GError **error)
{
    const gboolean atomic = ps_node_is_atomic(node) && machine->gpu->atomics.stated;
    const gboolean writes = ps_class_writes(node->item->class_name);
    Way way = {.machine = machine,
               .node = node,
               .cost = cost,
               .copy = ps_class_is_copy(node->item->class_name) ? class : NULL,
               .atomic = atomic,
               .writes = writes,
               .bytes = node->bytes > 0 ? node->bytes : 4,
               .weight = PARTS,
               .before = {0, 1}};
    if (!writes && !check_shares(machine, node, error))
        return FALSE;
    cost->posted = writes && !node->awaited;
    cost->drain = machine->gpu->memory.store;
    cost->parts = PS_RATIONAL_INT(0);
    cost->stops = g_new0(PsStop, PS_MAX_STOPS);
    return (find_issue(&way) && pass_levels(&way) && end_copy(&way) && round_completion(cost)) ||
           too_fine("what a node moves", error);
}

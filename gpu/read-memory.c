/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Reads a description's memory: levels of global memory, atomics, local memory. The schema has
 * checked that each number is one. This file checks which of them a level must have, and that
 * levels fit each other.
 */
#include "gpu/level.h"
#include "gpu/internal.h"
#include "gpu/rows.h"

#include <string.h>

gboolean ps_gpu_read_pipeline_name(const PsGpu *gpu, const xmlNode *element, const char *what,
                                   guint *pipeline, GError **error)
{
    g_autofree char *name = ps_xml_text(element, "pipeline");
    const int index = ps_gpu_find_pipeline(gpu, name);
    if (index >= 0) {
        *pipeline = (guint)index;
        return TRUE;
    }
    g_autofree char *names = ps_gpu_pipeline_names(gpu);
    ps_error_at(error, PS_ERROR_VALUE, ps_xml_place(element),
                "%s is on the pipeline '%s', which is not there; the file has: %s", what, name,
                *names ? names : "no pipelines");
    return FALSE;
}

/* ---- levels -------------------------------------------------------------------------------- */

/* Reads `latency` with the clock that it counts, or `latency-ns`, which becomes cycles at 1000
 * MHz. */
static gboolean read_latency(const xmlNode *element, PsMemoryLevel *level, GError **error)
{
    PsRational ns = {0, 1};
    if (!ps_xml_decimal(element, "latency-ns", &ns, error))
        return FALSE;
    const gboolean cycles = level->latency.num > 0;
    if (cycles == (ns.num > 0) || (!cycles && level->at.num > 0)) {
        ps_error_at(error, PS_ERROR_VALUE, ps_xml_place(element),
                    "the level '%s' needs either 'latency', in cycles of the clock 'at' or of the "
                    "compute unit's, or 'latency-ns'",
                    ps_level_name(level->level));
        return FALSE;
    }
    if (!cycles) {
        level->latency = ns;
        level->at = PS_RATIONAL_INT(1000);
    }
    return TRUE;
}

/* More bytes per cycle than any compute unit moves (the most so far: 128): such a figure was meant
 * for all units together, or in another unit. */
#define PORT_MOST 4096

/* The CU's own cache: PS_LEVEL_L0, or PS_LEVEL_L1 if the description has no L0. */
static PsLevel own_cache(const PsGpu *gpu)
{
    const PsMemoryLevel *cache = ps_gpu_own_cache(gpu);
    return cache ? cache->level : PS_LEVEL_L1;
}

/* The fault of a level's attributes, in words; NULL: there is none. */
static const char *wrong_with(const PsGpu *gpu, const PsMemoryLevel *level)
{
    const gboolean device = level->level == PS_LEVEL_DEVICE, own = level->level == own_cache(gpu);
    PsRational moved;
    if (device && level->bytes)
        return "has no capacity that a simulation could exhaust: leave out 'bytes'";
    if (!device && !level->bytes)
        return "needs its capacity: add 'bytes'";
    if (level->bytes % gpu->memory.line_bytes != 0)
        return "has a capacity that is no multiple of the line's bytes: correct 'bytes', or 'line' "
               "of <memory>";
    if (own && level->bandwidth.num)
        return "belongs to one compute unit: state 'port', its bytes per cycle, in place of "
               "'bandwidth'";
    if (own && !level->port.num)
        return "needs 'port', its bytes per cycle";
    if (ps_rational_cmp(level->port, PS_RATIONAL_INT(PORT_MOST)) > 0)
        return "has a port of more than 4096: it counts bytes per cycle of one compute unit; 10^9 "
               "bytes per second of all of them are its 'bandwidth'";
    if (!own && level->bandwidth.num && ps_rational_mul(level->port, gpu->clock, &moved) &&
        ps_rational_div(moved, PS_RATIONAL_INT(1000), &moved) &&
        ps_rational_cmp(moved, level->bandwidth) > 0)
        return "moves less than the port of one compute unit (at the base clock): correct 'port', "
               "in bytes per cycle, or 'bandwidth', in 10^9 bytes per second of all of them";
    if (level->rows.num && !device)
        return "has no rows to open, as device memory has: leave out 'rows'";
    if (level->mixed.num && !device)
        return "has one bandwidth: 'mixed' is for device memory, which turns from reading to "
               "writing";
    if (level->mixed.num && ps_rational_cmp(level->mixed, level->bandwidth) > 0)
        return "moves more where reads and writes are mixed: make 'mixed' at most 'bandwidth'";
    if (level->dirty.num && (own || device))
        return "has nothing to write back: 'dirty' is for a cache that all compute units share";
    if (ps_rational_cmp(level->dirty, PS_RATIONAL_INT(1)) > 0)
        return "would write back more than it holds: 'dirty' is a share, at most 1";
    if (!own && !level->bandwidth.num)
        return "needs 'bandwidth', the 10^9 bytes per second of all compute units together";
    return NULL;
}

/* Levels stand from the compute unit outwards. A level farther away is no smaller, and answers
 * later. */
static gboolean check_order(const PsGpu *gpu, const PsMemoryLevel *before,
                            const PsMemoryLevel *level, PsPlace place, GError **error)
{
    const char *name = ps_level_name(level->level), *other = ps_level_name(before->level);
    PsRational sooner, later;
    if (level->level == before->level)
        ps_error_at(error, PS_ERROR_VALUE, place, "there are two levels '%s', the first in line %d",
                    name, before->line);
    else if (level->level < before->level)
        ps_error_at(error, PS_ERROR_VALUE, place,
                    "the level '%s' comes after '%s': levels stand from the compute unit outwards, "
                    "l0, l1, l2, l3, l4, device",
                    name, other);
    else if (level->bytes && level->bytes < before->bytes)
        ps_error_at(error, PS_ERROR_VALUE, place,
                    "the level '%s' is smaller than '%s' before it: capacities grow with depth; "
                    "correct 'bytes' of one of them",
                    name, other);
    else if (!ps_gpu_cycles(before->latency, before->at, gpu->clock, &sooner) ||
             !ps_gpu_cycles(level->latency, level->at, gpu->clock, &later))
        ps_error_at(error, PS_ERROR_LIMIT, place,
                    "the latency of '%s' or '%s' takes fractions beyond 64 bits at the base clock: "
                    "use fewer decimals",
                    other, name);
    else if (ps_rational_cmp(sooner, later) >= 0)
        ps_error_at(error, PS_ERROR_VALUE, place,
                    "the level '%s' answers no later than '%s' before it (at the base clock): "
                    "latencies grow with depth",
                    name, other);
    else if (before->bandwidth.num && ps_rational_cmp(level->bandwidth, before->bandwidth) > 0)
        ps_error_at(error, PS_ERROR_VALUE, place,
                    "the level '%s' moves more than '%s' before it, which all of that passes: "
                    "correct 'bandwidth' of one of them",
                    name, other);
    else
        return TRUE;
    return FALSE;
}

static gboolean read_level(PsGpu *gpu, const xmlNode *element, GError **error)
{
    PsMemoryLevel *level = ps_gpu_add_level(gpu, PS_LEVEL_L0);
    const PsPlace place = ps_xml_place(element);
    level->line = place.line;
    if (!ps_gpu_read_fields(gpu, &ps_gpu_fields_level, element, level, error) ||
        !read_latency(element, level, error))
        return FALSE;
    const PsOwnSource rows = {"rows", "rows-source", "who says how many", level->rows.num > 0,
                              level->rows_source};
    if (!ps_gpu_check_own_source(gpu, element, &rows, error))
        return FALSE;
    const char *wrong = wrong_with(gpu, level);
    if (wrong)
        ps_error_at(error, PS_ERROR_VALUE, place, "the level '%s' %s", ps_level_name(level->level),
                    wrong);
    return !wrong &&
           (gpu->memory.levels->len == 1 || check_order(gpu, level - 1, level, place, error));
}

/* ---- memory -------------------------------------------------------------------------------- */

/* The fault of the wavefronts of the CU's own cache, in words; NULL: none, or they are not
 * stated. */
static const char *wrong_with_wavefronts(const PsGpu *gpu)
{
    const PsMemory *memory = &gpu->memory;
    const PsMemoryLevel *own = ps_gpu_own_cache(gpu);
    PsRational moved;
    if (memory->lookup.num && !memory->wavefront.num)
        return "<memory> says what 'lookup' takes beside wavefronts, but not what these take: add "
               "'wavefront', or leave out 'lookup'";
    if (memory->wavefront.num && !own)
        return "<memory> has wavefronts of L1, but no level 'l1': add it, or leave out 'wavefront'";
    if (ps_rational_cmp(memory->lookup, memory->wavefront) > 0)
        return "<memory> takes longer to look up a line than for a wavefront of it: correct "
               "'lookup' or 'wavefront'";
    if (own && ps_rational_mul(own->port, memory->wavefront, &moved) &&
        ps_rational_cmp(moved, PS_RATIONAL_INT(memory->line_bytes)) > 0)
        return "<memory> has a port of 'l1' that moves more than a line for each wavefront: "
               "correct 'port' or 'wavefront'";
    return NULL;
}

/* The fault of the wait at a busy device memory, in words; NULL: none, or it is not stated. */
static const char *wrong_with_queue(const PsMemory *memory)
{
    const gboolean all = memory->queue.num && memory->queue_mixed.num && memory->window.num;
    if (!all && (memory->queue.num || memory->queue_mixed.num || memory->window.num))
        return "<memory> says in part how loads wait at device memory that is busy: state all of "
               "'queue', 'queue-mixed' and 'window', or none";
    if (ps_rational_cmp(memory->queue_mixed, memory->queue) < 0)
        return "<memory> has loads that wait less where reads and writes are mixed: make "
               "'queue-mixed' at least 'queue'";
    if (ps_rational_cmp(memory->window, memory->queue_mixed) < 0)
        return "<memory> has loads that wait longer at device memory than there is work before "
               "them: make 'window' at least 'queue-mixed'";
    return NULL;
}

static gboolean check_memory(const PsGpu *gpu, const xmlNode *element, GError **error)
{
    const PsMemory *memory = &gpu->memory;
    const char *queue = wrong_with_queue(memory);
    const char *wrong = queue ? queue : wrong_with_wavefronts(gpu);
    if (!ps_gpu_level(gpu, PS_LEVEL_DEVICE))
        wrong = "<memory> needs the level 'device' as its last: every access may get there";
    else if (memory->line_bytes % memory->sector_bytes != 0)
        wrong = "<memory> has a line that is no multiple of its sector: correct 'line' or 'sector'";
    else if (memory->fill_bytes % memory->sector_bytes != 0)
        wrong = "<memory> fills what is no multiple of its sector: correct 'fill' or 'sector'";
    else if (memory->fetch_bytes % memory->sector_bytes != 0)
        wrong = "<memory> fetches what is no multiple of its sector: correct 'fetch' or 'sector'";
    else if (!memory->l1_global && !ps_gpu_own_cache(gpu))
        wrong = "<memory> says what L1 keeps, but has no level 'l1': add it, or leave out "
                "'l1-global'";
    if (wrong)
        ps_error_at(error, PS_ERROR_VALUE, ps_xml_place(element), "%s", wrong);
    return !wrong;
}

gboolean ps_gpu_read_memory(PsGpu *gpu, const xmlNode *element, GError **error)
{
    PsMemory *memory = &gpu->memory;
    memory->line = ps_gpu_own_line(element);
    if (!ps_gpu_read_pipeline_name(gpu, element, "<memory>", &memory->pipeline, error) ||
        !ps_gpu_read_fields(gpu, &ps_gpu_fields_memory, element, gpu, error))
        return FALSE;
    for (const xmlNode *level = ps_xml_first(element); level; level = ps_xml_next(level)) {
        if (!read_level(gpu, level, error))
            return FALSE;
    }
    return check_memory(gpu, element, error);
}

/* ---- atomics ------------------------------------------------------------------------------- */

static gboolean states_rate(const PsAtomics *atomics)
{
    return atomics->address.num || atomics->sectors.num || atomics->partial.num ||
           atomics->stores.num;
}

static gboolean check_atomics(const PsGpu *gpu, const xmlNode *element, GError **error)
{
    const PsAtomics *atomics = &gpu->atomics;
    const char *wrong = NULL;
    if (!gpu->memory.levels)
        wrong = "<atomics> adds to <memory>, which is not there: add it, or state a <class> "
                "'atomic' instead";
    else if (atomics->per_line.num && !atomics->address.num)
        wrong = "<atomics> states a rate for all sectors of a line, but none for one address: add "
                "'address'";
    else if (ps_rational_cmp(atomics->per_line, atomics->address) > 0)
        wrong = "<atomics> serves requests to all sectors of a line faster than requests to one "
                "address: correct 'line' or 'address'";
    else if (atomics->block.num && !atomics->address.num)
        wrong = "<atomics> has lines that take turns, but no rate for one address: add 'address', "
                "or leave out 'block'";
    else if (atomics->block.num && ps_rational_cmp(atomics->block, PS_RATIONAL_INT(1)) < 0)
        wrong = "<atomics> has blocks of less than a line: make 'block' at least 1";
    else if (atomics->write.num && !atomics->address.num)
        wrong = "<atomics> states a rate for stores at one sector, but none for one address: add "
                "'address'";
    else if (atomics->write.num && ps_rational_cmp(atomics->write, atomics->address) > 0)
        wrong = "<atomics> serves stores at one sector faster than atomics at one address: correct "
                "'write' or 'address'";
    else if (atomics->loads.num && !atomics->stores.num)
        wrong = "<atomics> states what loads take beside stores, but no rate of stores: add "
                "'stores', or leave out 'loads'";
    else if (atomics->partial.num && atomics->stores.num &&
             ps_rational_cmp(atomics->partial, atomics->stores) > 0)
        wrong = "<atomics> takes parts of sectors faster than whole ones: correct 'partial' or "
                "'stores'";
    else if (atomics->rates_at.num && !states_rate(atomics))
        wrong = "<atomics> states a clock for rates, but no rate: remove 'rates-at'";
    if (wrong)
        ps_error_at(error, PS_ERROR_VALUE, ps_xml_place(element), "%s", wrong);
    return !wrong;
}

gboolean ps_gpu_read_atomics(PsGpu *gpu, const xmlNode *element, GError **error)
{
    PsAtomics *atomics = &gpu->atomics;
    atomics->stated = TRUE;
    atomics->line = ps_gpu_own_line(element);
    return ps_gpu_read_pipeline_name(gpu, element, "<atomics>", &atomics->pipeline, error) &&
           ps_gpu_read_fields(gpu, &ps_gpu_fields_atomics, element, gpu, error) &&
           check_atomics(gpu, element, error);
}

/* ---- local memory -------------------------------------------------------------------------- */

static gboolean check_local(const PsGpu *gpu, const xmlNode *element, GError **error)
{
    const PsLocalMemory *local = &gpu->local;
    const PsRational one = PS_RATIONAL_INT(1);
    const char *wrong = NULL;
    if (ps_rational_cmp(local->atomic, one) < 0)
        wrong = "<local-memory> has atomics that take less than a load: make 'atomic' at least 1";
    else if (local->atomic_issue.num && ps_rational_cmp(local->atomic_issue, one) < 0)
        wrong = "<local-memory> has atomics that keep their pipeline for less than a load does: "
                "make 'atomic-issue' at least 1";
    else if (ps_rational_cmp(local->atomic_issue, local->atomic) > 0)
        wrong = "<local-memory> has atomics that keep their pipeline for longer than they take: "
                "correct 'atomic-issue' or 'atomic'";
    else if (local->swap.num && ps_rational_cmp(local->swap, one) < 0)
        wrong = "<local-memory> has compare-and-swap faster than other atomics: make 'swap' at "
                "least 1";
    if (wrong)
        ps_error_at(error, PS_ERROR_VALUE, ps_xml_place(element), "%s", wrong);
    return !wrong;
}

gboolean ps_gpu_read_local(PsGpu *gpu, const xmlNode *element, GError **error)
{
    PsLocalMemory *local = &gpu->local;
    local->stated = TRUE;
    local->line = ps_gpu_own_line(element);
    return ps_gpu_read_pipeline_name(gpu, element, "<local-memory>", &local->pipeline, error) &&
           ps_gpu_read_fields(gpu, &ps_gpu_fields_local_memory, element, gpu, error) &&
           check_local(gpu, element, error);
}

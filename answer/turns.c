/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * How long turns of atomics at one place may take beyond the description's figure (model.md, R8).
 * It has one rate for all operations, measured with integers, of which L2 adds one per cycle. A
 * floating-point sum must be ready before the next number is added, and no adder is done within a
 * cycle. Of AMD's GPUs none of this is measured: an operation may go to the last cache and back, as
 * all tries but one do where AMD's compiler makes a loop of the atomic.
 */
#include "answer/figures.h"
#include "base/class-name.h"
#include "gpu/rows.h"

#include <math.h>

/* A time that is longer by a smaller share is not worth a word. */
#define TURNS_LEAST 0.1

/* A description's turn in cycles of the compute units at that clock (MHz). */
static double turn_now(const PsAtomics *atomics, double clock)
{
    const double at = atomics->rates_at.num ? ps_rational_to_double(atomics->rates_at) : clock;
    return at / (1000 * ps_rational_to_double(atomics->address));
}

/* Cycles at that clock of a request to the last cache and back; NaN: there is no such cache. */
static double trip(const PsGpu *gpu, double clock)
{
    const GArray *levels = gpu->memory.levels;
    double cycles = NAN;
    for (guint i = 0; levels && i < levels->len; i++) {
        const PsMemoryLevel *level = &g_array_index(levels, PsMemoryLevel, i);
        if (level->level != PS_LEVEL_DEVICE)
            cycles = ps_rational_to_double(level->latency) *
                     (level->at.num ? clock / ps_rational_to_double(level->at) : 1);
    }
    return cycles;
}

static gboolean is_assumed(const PsGpu *gpu)
{
    const PsSource *source = ps_gpu_source(gpu, ps_gpu_setting_source(gpu, "atomics", "address"));
    return source && source->kind == PS_SOURCE_ASSUMED;
}

/* Cycles of a turn of that class's operations, at most; NaN: the description's figure holds. */
static double turn_at_most(const PsAnswer *answer, const char *class_name, PsTurns *turns)
{
    const PsGpu *gpu = answer->gpu;
    const PsClass *add = ps_gpu_class(gpu, "fadd", NULL);
    if (ps_gpu_is_amd(gpu) && is_assumed(gpu)) {
        turns->why = PS_TURNS_TRIPS;
        return trip(gpu, ps_rational_to_double(answer->clock));
    }
    turns->why = PS_TURNS_FLOATS;
    return add && ps_class_covers("atomic.global.float", class_name)
               ? ps_rational_to_double(add->latency.completion)
               : (double)NAN;
}

PsTurns ps_answer_turns(const PsAnswer *answer)
{
    const PsAtomics *atomics = &answer->gpu->atomics;
    PsTurns longest = {.seconds = NAN};
    for (guint i = 0; i < answer->servers->len && atomics->address.num > 0; i++) {
        const PsServerRow *row = answer->servers->pdata[i];
        const guint index = ps_server_busiest_class(answer, row);
        if (!g_str_has_prefix(row->name, "spot ") || index == G_MAXUINT ||
            !ps_class_covers("atomic", answer->machine->classes[index].asked))
            continue;
        PsTurns turns = {.now = turn_now(atomics, ps_rational_to_double(answer->clock))};
        turns.most = turn_at_most(answer, answer->machine->classes[index].asked, &turns);
        turns.seconds =
            ps_server_utilization(answer, row) * answer->seconds * turns.most / turns.now;
        if (turns.seconds > (1 + TURNS_LEAST) * answer->seconds &&
            !(turns.seconds <= longest.seconds))
            longest = turns;
    }
    return longest;
}

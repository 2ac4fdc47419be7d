/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * What a compiler that does four iterations of a loop at once makes of a kernel. nvcc's versions do
 * so to different loops, and where warps wait for what such a loop loads, that decides: the sums of
 * columns of docs/evidence/questions.md took a quarter of the time. Machine code that was given has
 * no such doubt.
 */
#include "answer/answer-private.h"
#include "answer/figures.h"
#include "base/class-name.h"
#include "idg/edit.h"
#include "idg/rearrange.h"

#include <math.h>
#include <string.h>

#define TIMES 4
/* What warps wait for most must be so much of their path, and the time shorter by so much. */
#define WAITED_LEAST 0.3
#define SHORTER_LEAST 0.2
#define MOST_SIMULATED 4000000

/* Whether a compiler here made the code, of what another one may make something else. */
static gboolean is_compiled(const PsIdg *idg)
{
    return idg->made_of && !strstr(idg->made_of, "as the file has it");
}

static gboolean is_load(const PsAnswer *answer, guint program, guint node)
{
    const PsProgramNode *at = &answer->kernel->programs[program].nodes[node];
    return ps_class_covers("global.load", at->item->class_name) && at->n_loops > 0 &&
           at->loops[0].trips >= 2 * TIMES;
}

/* The load of global memory that a warp's path has most of, in a loop; FALSE: there is none. */
static gboolean find_load(const PsAnswer *answer, guint *program, guint *node)
{
    g_auto(PsCriticalPath) path = ps_critical_path(answer);
    guint most = 0;
    *program = path.program;
    for (guint n = 0; path.times && n < answer->kernel->programs[path.program].n_nodes; n++)
        if (is_load(answer, path.program, n) && path.times[n] > most) {
            most = path.times[n];
            *node = n;
        }
    return most > 0;
}

/* Seconds of the graph as it is now, on the answer's machine; NaN where that takes long to find. */
static double seconds_of(const PsAnswer *answer, const PsIdg *idg)
{
    const PsMachine *machine = answer->machine;
    const PsMachineOptions options = {.refinements = machine->refinements, .clock = machine->clock};
    const PsSimOptions bounded = {.most_instructions = MOST_SIMULATED};
    g_autoptr(GPtrArray) warnings = g_ptr_array_new_with_free_func(g_free);
    g_autoptr(PsKernel) kernel = ps_kernel_new(idg, answer->kernel->scope, NULL);
    g_autoptr(PsMachine) other =
        kernel ? ps_machine_new(kernel, answer->gpu, &machine->launch, &options, warnings, NULL)
               : NULL;
    PsSimResult result;
    if (!other || !ps_sim_run(other, &bounded, &result, NULL))
        return NAN;
    return ps_rational_to_double(result.cycles) / (ps_rational_to_double(machine->clock) * 1e6) +
           answer->launch_seconds;
}

/* Whether a load of a program is that of another one's line, for codes of several kinds of warps
 * may each have a loop. */
static gboolean is_same(const PsAnswer *answer, const PsAtOnce *found, guint program, guint node)
{
    const PsProgramNode *load = &answer->kernel->programs[found->program].nodes[found->node];
    const PsProgramNode *at = &answer->kernel->programs[program].nodes[node];
    if (program == found->program)
        return node == found->node;
    g_autofree char *line = ps_item_line(answer->idg, load->item);
    g_autofree char *other = ps_item_line(answer->idg, at->item);
    return line && g_strcmp0(line, other) == 0;
}

/* Does four iterations at once wherever the graph has that loop; FALSE where no compiler would. */
static gboolean rearrange(const PsAnswer *answer, const PsAtOnce *found, PsIdg *idg)
{
    const PsIdgWay way = {.times = TIMES, .scope = answer->kernel->scope};
    for (guint p = 0; p < answer->kernel->n_programs; p++)
        for (guint n = 0; n < answer->kernel->programs[p].n_nodes; n++) {
            const char *name = answer->kernel->programs[p].nodes[n].item->name;
            PsIdgRearranged did;
            if (!is_load(answer, p, n) || !is_same(answer, found, p, n))
                continue;
            if (!ps_idg_rearrange(idg, p, name, &way, &did) || did.passes_store || did.apart ||
                did.loads >= TIMES)
                return FALSE;
            break;
        }
    return TRUE;
}

PsAtOnce ps_answer_at_once(const PsAnswer *answer)
{
    PsAtOnce found = {.seconds = NAN};
    double share = 0;
    if (!is_compiled(answer->idg) || g_strcmp0(ps_answer_limit(answer), "latency") != 0)
        return found;
    (void)ps_critical_class(answer, &share);
    if (share < WAITED_LEAST || !find_load(answer, &found.program, &found.node))
        return found;
    g_autoptr(PsIdg) idg = ps_idg_copy(answer->idg);
    if (!rearrange(answer, &found, idg))
        return found;
    const double seconds = seconds_of(answer, idg);
    if (seconds <= (1 - SHORTER_LEAST) * answer->seconds)
        found.seconds = seconds;
    return found;
}

/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * The effect of a compiler that does four iterations of a loop at once. nvcc's versions do so to
 * different loops, and where warps wait for the loads of such a loop, that decides: the sums of
 * columns of docs/evidence/questions.md took a quarter of the time. Machine code from the user
 * leaves no such doubt.
 *
 * The reverse holds for GPUs of AMD, whose code NVIDIA's PTX stands for: nvcc does four iterations
 * of a loop at once whose trips it does not know, and LLVM none.
 */
#include "answer/answer-private.h"
#include "answer/figures.h"
#include "base/class-name.h"
#include "gpu/rows.h"
#include "idg/edit.h"
#include "idg/rearrange.h"

#include <math.h>
#include <string.h>

#define TIMES 4
/* Least share of the path that warps wait for the load, and least gain in time. */
#define WAITED_LEAST 0.3
#define SHORTER_LEAST 0.2
#define MOST_SIMULATED 4000000

/* TRUE if a compiler made the code here; another version may make other code. */
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

/* The load of global memory in a loop that takes most of a warp's path; FALSE: there is none. */
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

/* Seconds of the graph in its present form on the answer's machine; NaN if that takes long to
 * find. */
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

/* TRUE if the load is on the same line as one of another program: codes of several kinds of warps
 * may each have the loop. */
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

/* Does four iterations at once wherever the graph has that loop; FALSE if no compiler would. */
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

/* ---- one at a time --------------------------------------------------------------------------- */

static gboolean is_alike(const PsIdgItem *item, const PsIdgItem *load)
{
    return item->kind == PS_IDG_NODE && ps_class_covers("global.load", item->class_name) &&
           item->source_line == load->source_line && g_strcmp0(item->file, load->file) == 0;
}

/* Has the loads of that line in four parts, each of which waits for the one before it, as the loads
 * of one iteration do for those of another; FALSE: there are no four. */
static gboolean part(const GPtrArray *body, const PsIdgItem *load)
{
    g_autoptr(GPtrArray) loads = g_ptr_array_new();
    for (guint i = 0; i < body->len; i++)
        if (is_alike(body->pdata[i], load))
            g_ptr_array_add(loads, body->pdata[i]);
    const guint each = loads->len / TIMES;
    if (each == 0 || loads->len % TIMES != 0)
        return FALSE;
    for (guint i = each; i < loads->len; i++)
        (void)ps_idg_add_dep(loads->pdata[i],
                             ((const PsIdgItem *)loads->pdata[i / each * each - 1])->name);
    return TRUE;
}

PsAtOnce ps_answer_one_by_one(const PsAnswer *answer)
{
    PsAtOnce found = {.seconds = NAN};
    if (!is_compiled(answer->idg) || !answer->idg->of_ptx || !ps_gpu_is_amd(answer->gpu) ||
        !find_load(answer, &found.program, &found.node))
        return found;
    const char *name = answer->kernel->programs[found.program].nodes[found.node].item->name;
    g_autoptr(PsIdg) idg = ps_idg_copy(answer->idg);
    const PsIdgItem *load = ps_idg_find(idg, found.program, name);
    g_autoptr(GPtrArray) loops = ps_idg_loops_around(idg, found.program, load);
    if (load->source_line == 0 || loops->len == 0 ||
        !part(((const PsIdgItem *)loops->pdata[0])->body, load))
        return found;
    const double seconds = seconds_of(answer, idg);
    if (seconds >= (1 + SHORTER_LEAST) * answer->seconds)
        found.seconds = seconds;
    return found;
}

/* SPDX-License-Identifier: BSD-3-Clause */
/* Binding: each class that the graph asks for gets a pipeline, lambda and Lambda, in ticks. */
#include "sim/sim.h"

#include <string.h>

/* A latency in ticks stays below this, so that a time and a latency never overflow together. */
#define MAX_LATENCY_TICKS (G_MAXINT64 / 8)

/* What-ifs for one class: of those that cover it the longest name wins, of equal names the later,
 * for each of the two latencies by itself. */
static void apply_what_ifs(const GPtrArray *list, const char *asked, gboolean *used,
                           PsLatency *latency)
{
    gsize issue_length = 0, completion_length = 0;
    for (guint i = 0; list != NULL && i < list->len; i++) {
        const PsWhatIf *what_if = list->pdata[i];
        const gsize length = strlen(what_if->klass);
        if (!ps_class_covers(what_if->klass, asked))
            continue;
        used[i] = TRUE;
        if (what_if->issue.num > 0 && length >= issue_length) {
            latency->issue = what_if->issue;
            issue_length = length;
        }
        if (what_if->completion.num > 0 && length >= completion_length) {
            latency->completion = what_if->completion;
            completion_length = length;
        }
    }
}

/* Says what in a binding is not what the graph or the description asked for. (A more general class
 * of the same name is: that is how graphs are meant to be served.) */
static void warn(const PsBoundClass *bound, GPtrArray *warnings)
{
    if (bound->match == PS_MATCH_DEFAULT)
        g_ptr_array_add(warnings, g_strdup_printf("class %s: the GPU has none like it; its default "
                                                  "%s is a guess",
                                                  bound->asked, bound->klass->name));
    if (bound->klass->at != NULL)
        g_ptr_array_add(warnings,
                        g_strdup_printf("class %s: the published model uses no table over active "
                                        "warps, but the latencies of the class itself",
                                        bound->asked));
}

/* One class of the graph. node is the first that asks for it, for the message. */
static gboolean bind_class(const PsMachine *machine, const PsIdgItem *node, PsBoundClass *bound,
                           GError **error)
{
    const PsGpu *gpu = machine->gpu;
    bound->asked = node->klass;
    bound->klass = ps_gpu_class(gpu, node->klass, &bound->match);
    if (bound->klass == NULL) {
        const PsIdg *idg = machine->kernel->idg;
        g_autofree char *known = ps_gpu_class_names(gpu);
        ps_error_at(error, PS_ERROR_VALUE, ps_idg_place(idg, node->line),
                    "node '%s' asks for class '%s', which GPU '%s' lacks; it has: %s", node->name,
                    node->klass, gpu->name, known);
        return FALSE;
    }
    bound->pipeline = bound->klass->pipeline;
    bound->latency = bound->klass->latency;
    return TRUE;
}

/* The published model knows pipelines of a whole CU: S pipelines of lambda make one of lambda/S. */
static gboolean whole_cu(const PsGpu *gpu, PsBoundClass *bound, GError **error)
{
    const PsPipeline *pipeline = gpu->pipelines->pdata[bound->pipeline];
    if (!pipeline->per_scheduler || gpu->schedulers <= 1 ||
        ps_rational_div(bound->latency.issue, PS_RATIONAL_INT(gpu->schedulers),
                        &bound->latency.issue))
        return TRUE;
    g_set_error(error, PS_ERROR, PS_ERROR_LIMIT, "the issue latency of %s is too fine",
                bound->asked);
    return FALSE;
}

/* Binds the class of each node; classes that were bound already are shared. */
static gboolean bind_nodes(PsMachine *machine, const GPtrArray *what_if, gboolean *used,
                           GPtrArray *warnings, GError **error)
{
    const PsKernel *kernel = machine->kernel;
    g_autoptr(GHashTable) index = g_hash_table_new(g_str_hash, g_str_equal);
    g_autoptr(GArray) classes = g_array_new(FALSE, TRUE, sizeof(PsBoundClass));
    for (guint p = 0; p < kernel->n_programs; p++) {
        const PsProgram *program = &kernel->programs[p];
        machine->class_of[p] = g_new(guint, MAX(program->n_nodes, 1));
        for (guint n = 0; n < program->n_nodes; n++) {
            const PsIdgItem *node = program->nodes[n].item;
            guint known = GPOINTER_TO_UINT(g_hash_table_lookup(index, node->klass));
            if (known == 0) {
                PsBoundClass bound = {0};
                if (!bind_class(machine, node, &bound, error))
                    return FALSE;
                apply_what_ifs(what_if, node->klass, used, &bound.latency);
                if (!whole_cu(machine->gpu, &bound, error))
                    return FALSE;
                warn(&bound, warnings);
                g_array_append_val(classes, bound);
                known = classes->len;
                g_hash_table_insert(index, node->klass, GUINT_TO_POINTER(known));
            }
            machine->class_of[p][n] = known - 1;
        }
    }
    machine->n_classes = classes->len;
    machine->classes = (PsBoundClass *)(void *)g_array_free(g_steal_pointer(&classes), FALSE);
    return TRUE;
}

static gboolean check_what_if(const PsMachine *machine, const GPtrArray *what_if,
                              const gboolean *used, GError **error)
{
    for (guint i = 0; what_if != NULL && i < what_if->len; i++) {
        if (used[i])
            continue;
        GString *asked = g_string_new(NULL);
        for (guint c = 0; c < machine->n_classes; c++)
            g_string_append_printf(asked, "%s%s", c > 0 ? ", " : "", machine->classes[c].asked);
        g_set_error(error, PS_ERROR, PS_ERROR_USAGE,
                    "what-if: no node of graph '%s' is of class '%s'; it asks for: %s",
                    machine->kernel->idg->name, ((const PsWhatIf *)what_if->pdata[i])->klass,
                    asked->str);
        g_string_free(asked, TRUE);
        return FALSE;
    }
    return TRUE;
}

static gboolean in_ticks(const PsMachine *machine, PsRational latency, gint64 *ticks)
{
    return !__builtin_mul_overflow(latency.num, machine->ticks_per_cycle / latency.den, ticks) &&
           *ticks <= MAX_LATENCY_TICKS;
}

static gboolean find_ticks(PsMachine *machine, GError **error)
{
    gboolean fits = TRUE;
    machine->ticks_per_cycle = 1;
    for (guint i = 0; fits && i < machine->n_classes; i++)
        fits = ps_rational_common_denominator(machine->classes[i].latency.issue,
                                              &machine->ticks_per_cycle) &&
               ps_rational_common_denominator(machine->classes[i].latency.completion,
                                              &machine->ticks_per_cycle);
    for (guint i = 0; fits && i < machine->n_classes; i++) {
        PsBoundClass *bound = &machine->classes[i];
        fits = in_ticks(machine, bound->latency.issue, &bound->issue) &&
               in_ticks(machine, bound->latency.completion, &bound->completion);
    }
    if (!fits)
        g_set_error(error, PS_ERROR, PS_ERROR_LIMIT,
                    "the latencies have no common tick that fits 64 bits: use fewer decimals");
    return fits;
}

static gboolean check_warps(const PsMachine *machine, GError **error)
{
    for (gint64 w = 0; w < machine->launch.warps_per_group; w++) {
        if (ps_kernel_program_of(machine->kernel, w) >= 0)
            continue;
        const PsIdg *idg = machine->kernel->idg;
        ps_error_at(error, PS_ERROR_VALUE, ps_idg_place(idg, idg->launch.line),
                    "no code is for warp %" G_GINT64_FORMAT " of a group's %" G_GINT64_FORMAT
                    ": add a <code> without 'warps' for the rest",
                    w, machine->launch.warps_per_group);
        return FALSE;
    }
    return TRUE;
}

PsMachine *ps_machine_new(const PsKernel *kernel, const PsGpu *gpu, const PsLaunch *launch,
                          const PsMachineOptions *options, GPtrArray *warnings, GError **error)
{
    const GPtrArray *what_if = options != NULL ? options->what_if : NULL;
    g_autoptr(PsMachine) machine = g_new0(PsMachine, 1);
    machine->kernel = kernel;
    machine->gpu = gpu;
    machine->launch = *launch;
    machine->n_cus = 1;
    machine->class_of = g_new0(guint *, kernel->n_programs);
    g_autofree gboolean *used = g_new0(gboolean, what_if != NULL ? what_if->len + 1 : 1);
    if (!check_warps(machine, error) || !bind_nodes(machine, what_if, used, warnings, error) ||
        !check_what_if(machine, what_if, used, error) || !find_ticks(machine, error))
        return NULL;
    return g_steal_pointer(&machine);
}

void ps_machine_free(PsMachine *machine)
{
    if (machine == NULL)
        return;
    for (guint p = 0; p < machine->kernel->n_programs; p++)
        g_free(machine->class_of[p]);
    g_free(machine->class_of);
    g_free(machine->classes);
    g_free(machine);
}

PsRational ps_machine_cycles(const PsMachine *machine, gint64 ticks)
{
    PsRational cycles = {0, 1};
    /* Cannot fail: ticks_per_cycle is above 0 and reducing only shrinks. */
    (void)ps_rational_make(ticks, machine->ticks_per_cycle, &cycles);
    return cycles;
}

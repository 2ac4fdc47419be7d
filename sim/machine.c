/* SPDX-License-Identifier: BSD-3-Clause */
/* Binding: each class that the graph asks for gets a pipeline, lambda and Lambda, in ticks. */
#include "sim/binding.h"

#include <string.h>

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
static void warn(const PsMachine *machine, const PsBoundClass *bound, GPtrArray *warnings)
{
    if (bound->match == PS_MATCH_DEFAULT)
        g_ptr_array_add(warnings, g_strdup_printf("class %s: the GPU has none like it; its default "
                                                  "%s is a guess",
                                                  bound->asked, bound->klass->name));
    if (bound->klass->at != NULL && !machine->refinements.contention)
        g_ptr_array_add(warnings,
                        g_strdup_printf("class %s: without contention its table over active warps "
                                        "is not used, but the latencies of the class itself",
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
        const PsPlace place = ps_idg_place(idg, node->line);
        g_autofree char *known = ps_gpu_class_names(gpu);
        if (gpu->classes->len > 0)
            ps_error_at(error, PS_ERROR_VALUE, place,
                        "node '%s' asks for class '%s', which GPU '%s' lacks; it has: %s",
                        node->name, node->klass, gpu->name, known);
        else
            ps_error_at(error, PS_ERROR_VALUE, place,
                        "node '%s' asks for class '%s', but GPU '%s' has no latencies: its "
                        "description is for the roofline alone",
                        node->name, node->klass, gpu->name);
        return FALSE;
    }
    bound->pipeline = bound->klass->pipeline;
    bound->latency = bound->klass->latency;
    const gint64 warps = machine->launch.active_groups * machine->launch.warps_per_group;
    if (!machine->refinements.contention ||
        ps_class_latency_at(bound->klass, warps, &bound->latency))
        return TRUE;
    g_set_error(error, PS_ERROR, PS_ERROR_LIMIT,
                "the table over active warps of class %s has a latency that is too long or too "
                "fine, or warps that do not increase",
                bound->klass->name);
    return FALSE;
}

/* With schedulers (R1) each has its instance of such a pipeline. Without, there are only pipelines
 * of a whole CU: S pipelines of lambda make one of lambda/S. */
static gboolean settle_pipeline(const PsMachine *machine, PsBoundClass *bound, GError **error)
{
    const PsGpu *gpu = machine->gpu;
    const PsPipeline *pipeline = gpu->pipelines->pdata[bound->pipeline];
    bound->per_scheduler = pipeline->per_scheduler && machine->refinements.schedulers > 0;
    if (!pipeline->per_scheduler || bound->per_scheduler || gpu->schedulers <= 1 ||
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
                if (!settle_pipeline(machine, &bound, error))
                    return FALSE;
                warn(machine, &bound, warnings);
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

/* R6: one CU stands for all, or each that gets a group is simulated. */
static gboolean settle_cus(PsMachine *machine, GError **error)
{
    const PsLaunch *launch = &machine->launch;
    const gint64 schedulers = machine->refinements.schedulers;
    const gint64 each = MAX(launch->active_groups * launch->warps_per_group, schedulers);
    machine->n_cus =
        machine->refinements.all_cus ? MIN(machine->gpu->compute_units, launch->groups) : 1;
    if (machine->n_cus <= PS_SIM_MAX_WARPS / MAX(each, 1))
        return TRUE;
    g_set_error(error, PS_ERROR, PS_ERROR_LIMIT,
                "%" G_GINT64_FORMAT " CUs with %" G_GINT64_FORMAT
                " %s each: at most %d are simulated at once",
                machine->n_cus, each, each > schedulers ? "warps" : "schedulers", PS_SIM_MAX_WARPS);
    return FALSE;
}

static gboolean check_refinements(const PsMachine *machine, GPtrArray *warnings, GError **error)
{
    const PsRefinements *refinements = &machine->refinements;
    if (refinements->schedulers > 0 && refinements->issue_width.num <= 0) {
        g_set_error(error, PS_ERROR, PS_ERROR_USAGE,
                    "the issue width of schedulers must be above 0");
        return FALSE;
    }
    if (!refinements->contention)
        return TRUE;
    for (guint i = 0; i < machine->gpu->classes->len; i++)
        if (((const PsClass *)machine->gpu->classes->pdata[i])->at != NULL)
            return TRUE;
    g_ptr_array_add(warnings, g_strdup_printf("contention: no class of GPU '%s' has a table over "
                                              "active warps, so it changes nothing",
                                              machine->gpu->name));
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
    machine->refinements = options != NULL ? options->refinements : (PsRefinements){0};
    machine->kernel_launch =
        machine->refinements.overheads ? gpu->overheads.kernel_launch : PS_RATIONAL_INT(0);
    machine->class_of = g_new0(guint *, kernel->n_programs);
    g_autofree gboolean *used = g_new0(gboolean, what_if != NULL ? what_if->len + 1 : 1);
    if (!check_warps(machine, error) || !check_refinements(machine, warnings, error) ||
        !settle_cus(machine, error) || !bind_nodes(machine, what_if, used, warnings, error) ||
        !check_what_if(machine, what_if, used, error) || !ps_machine_find_ticks(machine, error))
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

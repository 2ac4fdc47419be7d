/* SPDX-License-Identifier: BSD-3-Clause */
/* Binding: each class that the graph asks for gets a pipeline, lambda and Lambda, in ticks. */
#include "base/class-name.h"
#include "sim/engine/binding.h"
#include "base/matrix.h"
#include "base/nearest.h"
#include "gpu/rows.h"
#include "idg/words.h"
#include "sim/engine/memory.h"
#include "sim/engine/traffic.h"

#include <string.h>

/* Warns where a binding differs from what the graph or the description asked for. (A more general
 * class of the same name is what the graph asks for.) */
static void warn(const PsMachine *machine, const PsMachineClass *entry, GPtrArray *warnings)
{
    if (entry->match == PS_MATCH_DEFAULT)
        g_ptr_array_add(warnings, g_strdup_printf("class %s: the GPU has none like it; its default "
                                                  "%s is a guess",
                                                  entry->asked, entry->class->name));
    if (entry->class->at && !machine->refinements.contention)
        g_ptr_array_add(warnings,
                        g_strdup_printf("class %s: contention is off, so its own latencies are "
                                        "used, not its table over active warps",
                                        entry->asked));
}

static gboolean fail_class(const PsMachine *machine, const PsIdgItem *node, GError **error)
{
    const PsGpu *gpu = machine->gpu;
    const PsPlace place = ps_idg_place(machine->kernel->idg, node->line);
    if (gpu->classes->len == 0) {
        ps_error_at(error, PS_ERROR_VALUE, place,
                    "node '%s' asks for class '%s', but GPU '%s' has no latencies: its description "
                    "serves only the roofline",
                    node->name, node->class_name, gpu->name);
        return FALSE;
    }
    g_autoptr(GPtrArray) names = g_ptr_array_new();
    for (guint i = 0; i < gpu->classes->len; i++)
        g_ptr_array_add(names, ((const PsClass *)gpu->classes->pdata[i])->name);
    g_autofree char *known = ps_gpu_class_names(gpu),
                    *near = ps_did_you_mean(node->class_name, names);
    ps_error_at(error, PS_ERROR_VALUE, place,
                "node '%s' asks for class '%s', which GPU '%s' lacks; it has: %s%s", node->name,
                node->class_name, gpu->name, known, near);
    return FALSE;
}

/* Refuses a product that the GPU's tensor cores cannot do. A more general class would serve it at a
 * cost that has nothing to do with it, for it may hold fewer operations than an instruction of
 * theirs. */
static gboolean check_product(const PsMachine *machine, const PsIdgItem *node, GError **error)
{
    const PsPlace place = ps_idg_place(machine->kernel->idg, node->line);
    g_autofree char *lacking = ps_gpu_product_lacking(machine->gpu, node->class_name);
    if (!lacking)
        return ps_matrix_check(node->class_name, place, error);
    ps_error_at(error, PS_ERROR_VALUE, place, "node '%s' multiplies matrices (%s), for which %s",
                node->name, node->class_name, lacking);
    return FALSE;
}

/* Binds one class of the graph. node, the first that asks for it, is for the message. */
static gboolean bind_class(const PsMachine *machine, const PsIdgItem *node, PsMachineClass *entry,
                           GError **error)
{
    const PsGpu *gpu = machine->gpu;
    if (!check_product(machine, node, error))
        return FALSE;
    entry->asked = node->class_name;
    entry->class = ps_gpu_class(gpu, node->class_name, &entry->match);
    if (!entry->class || !ps_gpu_serves_product(entry->class, node->class_name))
        return fail_class(machine, node, error);
    entry->pipeline = entry->class->pipeline;
    entry->latency = entry->class->latency;
    if (entry->class->derived)
        (void)ps_gpu_local_latency(gpu, entry->asked, &entry->pipeline, &entry->latency);
    else
        (void)(ps_gpu_pass_latency(entry->class, entry->asked, &entry->latency) &&
               ps_gpu_product_latency(entry->class, entry->asked, &entry->latency));
    const gint64 warps = machine->launch.active_groups * machine->launch.warps_per_group;
    if (!machine->refinements.contention ||
        ps_class_latency_at(entry->class, warps, &entry->latency))
        return TRUE;
    g_set_error(error, PS_ERROR, PS_ERROR_LIMIT,
                "the table over active warps of class %s has a latency that is too long or too "
                "fine, or warps that do not increase",
                entry->class->name);
    return FALSE;
}

/* With schedulers (R1) each has its own instance of such a pipeline. */
static void settle_pipeline(const PsMachine *machine, PsMachineClass *entry)
{
    const PsPipeline *pipeline = machine->gpu->pipelines->pdata[entry->pipeline];
    entry->per_scheduler = pipeline->per_scheduler && machine->refinements.schedulers > 0;
}

/* Without schedulers a pipeline belongs to the whole CU: S pipelines of lambda become one of
 * lambda/S. */
static gboolean settle_issue(const PsMachine *machine, const PsMachineClass *entry,
                             PsRational *issue, GError **error)
{
    const PsGpu *gpu = machine->gpu;
    const PsPipeline *pipeline = gpu->pipelines->pdata[entry->pipeline];
    if (!pipeline->per_scheduler || entry->per_scheduler || gpu->schedulers <= 1 ||
        ps_rational_div(*issue, PS_RATIONAL_INT(gpu->schedulers), issue))
        return TRUE;
    g_set_error(error, PS_ERROR, PS_ERROR_LIMIT, "the issue latency of %s is too fine",
                entry->asked);
    return FALSE;
}

/* The classes bound so far, and their places by name. */
typedef struct {
    GArray *classes; /* PsMachineClass */
    GHashTable *index;
    GPtrArray *warnings;
} Binding;

/* Binds the class that a node asks for, unless it is bound already; *number is the class's
 * number. */
static gboolean bind_once(const PsMachine *machine, const PsIdgItem *node, Binding *binding,
                          guint *number, GError **error)
{
    const guint known = GPOINTER_TO_UINT(g_hash_table_lookup(binding->index, node->class_name));
    *number = known > 0 ? known - 1 : binding->classes->len;
    if (known > 0)
        return TRUE;
    PsMachineClass entry = {0};
    if (!bind_class(machine, node, &entry, error))
        return FALSE;
    settle_pipeline(machine, &entry);
    warn(machine, &entry, binding->warnings);
    g_array_append_val(binding->classes, entry);
    g_hash_table_insert(binding->index, node->class_name, GUINT_TO_POINTER(binding->classes->len));
    return TRUE;
}

/* The node's cost: by rules R7 and R8, otherwise that of its class. Reports show such a class with
 * the latencies of its first node. */
static gboolean bind_cost(PsMachine *machine, const PsProgramNode *node, PsMachineClass *entry,
                          PsNodeCost *cost, GError **error)
{
    *cost = (PsNodeCost){
        .latency = entry->latency, .posted = node->free_store, .drain = PS_RATIONAL_INT(0)};
    if (!ps_memory_rules(machine, node, entry->class))
        return TRUE;
    if (!ps_memory_cost(machine, node, entry->class, cost, error))
        return FALSE;
    if (entry->by_levels)
        return TRUE;
    entry->latency = cost->latency;
    entry->by_levels = TRUE;
    entry->pipeline = ps_memory_pipeline(machine, node, entry->pipeline);
    settle_pipeline(machine, entry);
    return TRUE;
}

/* Binds each node; nodes share classes. */
static gboolean bind_nodes(PsMachine *machine, GPtrArray *warnings, GError **error)
{
    const PsKernel *kernel = machine->kernel;
    g_autoptr(GHashTable) index = g_hash_table_new(g_str_hash, g_str_equal);
    g_autoptr(GArray) classes = g_array_new(FALSE, TRUE, sizeof(PsMachineClass));
    Binding binding = {classes, index, warnings};
    for (guint p = 0; p < kernel->n_programs; p++) {
        const PsProgram *program = &kernel->programs[p];
        machine->class_of[p] = g_new(guint, MAX(program->n_nodes, 1));
        machine->costs[p] = g_new0(PsNodeCost, MAX(program->n_nodes, 1));
        for (guint n = 0; n < program->n_nodes; n++) {
            const PsProgramNode *node = &program->nodes[n];
            guint *number = &machine->class_of[p][n];
            if (!bind_once(machine, node->item, &binding, number, error) ||
                !bind_cost(machine, node, &g_array_index(classes, PsMachineClass, *number),
                           &machine->costs[p][n], error))
                return FALSE;
        }
    }
    machine->n_classes = classes->len;
    machine->classes = (PsMachineClass *)(void *)g_array_free(g_steal_pointer(&classes), FALSE);
    return TRUE;
}

/* TRUE if the pipeline serves barriers of the kernel. */
static gboolean serves_barriers(const PsMachine *machine, guint pipeline)
{
    for (guint p = 0; p < machine->kernel->n_programs; p++)
        for (guint n = 0; n < machine->kernel->programs[p].n_nodes; n++)
            if (machine->kernel->programs[p].nodes[n].barrier &&
                machine->classes[machine->class_of[p][n]].pipeline == pipeline)
                return TRUE;
    return FALSE;
}

/* R11: schedulers hand instances over to pipelines' queues in program order. A warp arrives at a
 * barrier when the barrier issues, so a pipeline that serves barriers has no queue. */
static void settle_queues(PsMachine *machine)
{
    if (machine->refinements.schedulers == 0 || machine->refinements.order != PS_ORDER_PROGRAM)
        return;
    for (guint c = 0; c < machine->n_classes; c++) {
        PsMachineClass *class = &machine->classes[c];
        const PsPipeline *pipeline = machine->gpu->pipelines->pdata[class->pipeline];
        if (pipeline->queue > 0 && !serves_barriers(machine, class->pipeline))
            class->queue = (guint)pipeline->queue;
    }
}

/* lambda becomes that of the simulated pipelines; Lambda stays. */
static gboolean settle_issues(PsMachine *machine, GError **error)
{
    for (guint i = 0; i < machine->n_classes; i++)
        if (!settle_issue(machine, &machine->classes[i], &machine->classes[i].latency.issue, error))
            return FALSE;
    for (guint p = 0; p < machine->kernel->n_programs; p++)
        for (guint n = 0; n < machine->kernel->programs[p].n_nodes; n++)
            if (!settle_issue(machine, &machine->classes[machine->class_of[p][n]],
                              &machine->costs[p][n].latency.issue, error))
                return FALSE;
    return TRUE;
}

/* TRUE if a what-if names a level that is simulated. */
static gboolean is_of_level(const PsMachine *machine, const PsWhatIf *what_if)
{
    for (guint i = 0; i < machine->n_levels; i++)
        if (strcmp(ps_level_name(machine->levels[i].level), what_if->class_name) == 0)
            return TRUE;
    return FALSE;
}

/* Refuses a what-if that changes nothing. */
static gboolean fail_what_if(const PsMachine *machine, const PsWhatIf *what_if, GError **error)
{
    const PsIdg *idg = machine->kernel->idg;
    g_autoptr(GString) known = g_string_new(NULL);
    g_autoptr(GPtrArray) names = g_ptr_array_new_with_free_func(g_free);
    for (guint c = 0; c < machine->n_classes; c++) {
        g_autofree char *asked = ps_idg_class_words(idg, machine->classes[c].asked);
        g_string_append_printf(known, "%s%s", c > 0 ? ", " : "", asked);
        ps_class_add_names(asked, names);
    }
    if (what_if->latency.num == 0 && what_if->bandwidth.num == 0 && what_if->port.num == 0) {
        g_autofree char *words = ps_idg_class_words(idg, what_if->class_name);
        g_autofree char *near = ps_did_you_mean(words, names);
        g_set_error(error, PS_ERROR, PS_ERROR_USAGE,
                    "what-if: no node of graph '%s' is of class '%s'; it asks for: %s%s", idg->name,
                    words, known->str, near);
        return FALSE;
    }
    g_string_truncate(known, 0);
    for (guint i = 0; i < machine->n_levels; i++)
        g_string_append_printf(known, "%s%s", i > 0 ? ", " : "",
                               ps_level_name(machine->levels[i].level));
    if (machine->n_levels == 0)
        g_set_error(error, PS_ERROR, PS_ERROR_USAGE, "what-if: level '%s' is not simulated: %s",
                    what_if->class_name,
                    !machine->gpu->memory.levels ? "the description of the GPU states no <memory>"
                                                 : "levels are off; set levels to on");
    else
        g_set_error(error, PS_ERROR, PS_ERROR_USAGE,
                    "what-if: GPU '%s' has no level '%s'; it has: %s", machine->gpu->name,
                    what_if->class_name, known->str);
    return FALSE;
}

static gboolean check_what_if(const PsMachine *machine, const GPtrArray *what_if,
                              const gboolean *used, GError **error)
{
    for (guint i = 0; what_if && i < what_if->len; i++)
        if (!used[i] && !is_of_level(machine, what_if->pdata[i]))
            return fail_what_if(machine, what_if->pdata[i], error);
    return TRUE;
}

static gboolean check_warps_of(const PsMachine *machine, guint kind, GError **error)
{
    const char *name = machine->kernel->kinds[kind].name;
    for (gint64 w = 0; w < machine->launch.warps_per_group; w++) {
        if (ps_kernel_program_of(machine->kernel, kind, w) >= 0)
            continue;
        const PsIdg *idg = machine->kernel->idg;
        ps_error_at(error, PS_ERROR_VALUE, ps_idg_place(idg, idg->launch.line),
                    "no code is for warp %" G_GINT64_FORMAT " of a group's %" G_GINT64_FORMAT
                    "%s%s: add a <code> without 'warps' for the rest",
                    w, machine->launch.warps_per_group, name ? " of the kind " : "",
                    name ? name : "");
        return FALSE;
    }
    return TRUE;
}

/* R12: refuses a wait for warps that do not exist. */
static gboolean check_awaited(const PsMachine *machine, guint p, const PsProgramNode *node,
                              GError **error)
{
    const PsKernel *kernel = machine->kernel;
    for (guint i = 0; i < node->n_waits; i++) {
        gint64 w = 0;
        while (w < machine->launch.warps_per_group &&
               ps_kernel_program_of(kernel, kernel->programs[p].kind, w) !=
                   (int)node->waits[i].program)
            w++;
        if (w < machine->launch.warps_per_group)
            continue;
        ps_error_at(error, PS_ERROR_VALUE, ps_idg_place(kernel->idg, node->item->line),
                    "node '%s' awaits warps of the role '%s', but no warp of a group, which has "
                    "%" G_GINT64_FORMAT ", runs that code",
                    node->item->name, kernel->programs[node->waits[i].program].role,
                    machine->launch.warps_per_group);
        return FALSE;
    }
    return TRUE;
}

static gboolean check_roles(const PsMachine *machine, GError **error)
{
    const PsKernel *kernel = machine->kernel;
    for (guint p = 0; p < kernel->n_programs; p++)
        for (guint n = 0; n < kernel->programs[p].n_nodes; n++)
            if (!check_awaited(machine, p, &kernel->programs[p].nodes[n], error))
                return FALSE;
    return TRUE;
}

static gboolean check_warps(const PsMachine *machine, GError **error)
{
    for (guint k = 0; k < machine->kernel->n_kinds; k++)
        if (!check_warps_of(machine, k, error))
            return FALSE;
    return check_roles(machine, error);
}

/* R6: one CU stands for all, or each CU with a group is simulated. */
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

/* Costs of classes were measured with all CUs at work; levels share their rates among the CUs that
 * are. */
static void warn_of_few_groups(const PsMachine *machine, GPtrArray *warnings)
{
    const gint64 groups = machine->launch.groups, units = machine->gpu->compute_units;
    if (groups < units && !machine->refinements.levels)
        g_ptr_array_add(warnings, g_strdup_printf("the launch has fewer groups (%" G_GINT64_FORMAT
                                                  ") than the GPU has CUs (%" G_GINT64_FORMAT
                                                  "): memory latencies assume that all CUs compete",
                                                  groups, units));
}

/* The first node that holds its warp (R9); NULL: none does. */
static const PsIdgItem *first_hold(const PsKernel *kernel)
{
    for (guint p = 0; p < kernel->n_programs; p++)
        for (guint n = 0; n < kernel->programs[p].n_nodes; n++)
            if (kernel->programs[p].nodes[n].hold.num > 0)
                return kernel->programs[p].nodes[n].item;
    return NULL;
}

static gboolean has_waits(const PsKernel *kernel)
{
    for (guint p = 0; p < kernel->n_programs; p++)
        for (guint n = 0; n < kernel->programs[p].n_nodes; n++)
            if (kernel->programs[p].nodes[n].n_waits > 0)
                return TRUE;
    return FALSE;
}

/* R9: a hold keeps back the next instruction in program order, and results that holds wait for have
 * no edges. So holds imply R2. */
static void settle_order(PsMachine *machine, GPtrArray *warnings)
{
    if (has_waits(machine->kernel)) { /* R12: awaits have a meaning in that order alone */
        machine->refinements.order = PS_ORDER_PROGRAM;
        return;
    }
    const PsIdgItem *item = first_hold(machine->kernel);
    if (!item || machine->refinements.order == PS_ORDER_PROGRAM)
        return;
    machine->refinements.order = PS_ORDER_PROGRAM;
    g_ptr_array_add(warnings, g_strdup_printf("node '%s' holds its warp, so the run is simulated "
                                              "in program order: a hold means nothing in another",
                                              item->name));
}

static gboolean check_refinements(PsMachine *machine, GPtrArray *warnings, GError **error)
{
    PsRefinements *refinements = &machine->refinements;
    settle_order(machine, warnings);
    warn_of_few_groups(machine, warnings);
    if (refinements->schedulers > 0 && refinements->issue_width.num <= 0) {
        g_set_error(error, PS_ERROR, PS_ERROR_USAGE,
                    "the issue width of schedulers must be above 0");
        return FALSE;
    }
    if (!refinements->contention || ps_has_tables(machine->gpu))
        return TRUE;
    refinements->contention = FALSE;
    g_ptr_array_add(warnings, g_strdup_printf("contention: no class of GPU '%s' has a table over "
                                              "active warps, so it changes nothing",
                                              machine->gpu->name));
    return TRUE;
}

PsMachine *ps_machine_new(const PsKernel *kernel, const PsGpu *gpu, const PsLaunch *launch,
                          const PsMachineOptions *options, GPtrArray *warnings, GError **error)
{
    const GPtrArray *what_if = options ? options->what_if : NULL;
    g_autoptr(PsMachine) machine = g_new0(PsMachine, 1);
    machine->kernel = kernel;
    machine->gpu = gpu;
    machine->launch = *launch;
    machine->refinements = options ? options->refinements : (PsRefinements){0};
    machine->kernel_launch =
        machine->refinements.overheads ? gpu->overheads.kernel_launch : PS_RATIONAL_INT(0);
    machine->class_of = g_new0(guint *, kernel->n_programs);
    machine->costs = g_new0(PsNodeCost *, kernel->n_programs);
    machine->clock =
        options != NULL && options->clock.num > 0 ? options->clock : ps_gpu_usual_clock(gpu);
    machine->busy_cus = MIN(gpu->compute_units, launch->groups);
    g_autofree gboolean *used = g_new0(gboolean, what_if ? what_if->len + 1 : 1);
    if (!check_warps(machine, error) || !check_refinements(machine, warnings, error) ||
        !settle_cus(machine, error) || !ps_memory_init(machine, what_if, error) ||
        !bind_nodes(machine, warnings, error) || !ps_what_if_apply(machine, what_if, used, error) ||
        !settle_issues(machine, error) || !check_what_if(machine, what_if, used, error) ||
        !ps_machine_find_ticks(machine, error))
        return NULL;
    settle_queues(machine);
    return g_steal_pointer(&machine);
}

static void free_costs(const PsMachine *machine, guint p)
{
    for (guint n = 0; machine->costs[p] && n < machine->kernel->programs[p].n_nodes; n++)
        g_free(machine->costs[p][n].stops);
    g_free(machine->costs[p]);
}

void ps_machine_free(PsMachine *machine)
{
    if (!machine)
        return;
    for (guint p = 0; p < machine->kernel->n_programs; p++) {
        g_free(machine->class_of[p]);
        free_costs(machine, p);
    }
    g_free(machine->class_of);
    g_free(machine->costs);
    for (guint i = 0; machine->servers && i < machine->servers->len; i++)
        g_free(g_array_index(machine->servers, PsServer, i).name);
    g_clear_pointer(&machine->servers, g_array_unref);
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

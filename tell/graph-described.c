/* SPDX-License-Identifier: BSD-3-Clause */
/* See graph-described.h. */
#include "tell/graph-described.h"

#include "gpu/rows.h"
#include "idg/words.h"
#include "sim/sim.h"
#include "tell/next-step.h"
#include "tell/sources.h"

#include <string.h>

/* ---- parameters and launch ----------------------------------------------------------------- */

static void tell_params(const PsKernel *kernel, PsTold *facts)
{
    const GPtrArray *params = kernel->idg->params;
    ps_tell_open(facts, PS_FACT_SHOWN_GRAPH_PARAMETERS);
    for (guint i = 0; i < params->len; i++) {
        const PsIdgParam *param = params->pdata[i];
        PsRational value = PS_RATIONAL_INT(0);
        ps_scope_get(kernel->scope, param->name, &value);
        ps_tell_item(facts);
        ps_tell(facts, PS_FACT_SHOWN_GRAPH_PARAMETERS_NAME, param->name);
        ps_tell(facts, PS_FACT_SHOWN_GRAPH_PARAMETERS_VALUE, value);
        ps_tell(facts, PS_FACT_SHOWN_GRAPH_PARAMETERS_TEXT, param->text);
        ps_tell_close(facts);
    }
    ps_tell_close(facts);
}

/* The expression behind a number (borrowed); NULL: it is the number itself. */
static const char *other_than(const PsExpr *expr, gint64 value)
{
    g_autofree char *number = g_strdup_printf("%" G_GINT64_FORMAT, value);
    return strcmp(number, ps_expr_text(expr)) == 0 ? NULL : ps_expr_text(expr);
}

static void tell_size(const char *what, gint64 value, const PsExpr *expr, PsTold *facts)
{
    if (!expr)
        return;
    ps_tell_item(facts);
    ps_tell(facts, PS_FACT_SHOWN_GRAPH_LAUNCH_NAME, what);
    ps_tell(facts, PS_FACT_SHOWN_GRAPH_LAUNCH_VALUE, value);
    ps_tell(facts, PS_FACT_SHOWN_GRAPH_LAUNCH_EXPRESSION, other_than(expr, value));
    ps_tell_close(facts);
}

static void tell_launch(const PsKernel *kernel, PsTold *facts)
{
    const PsIdgLaunch *launch = &kernel->idg->launch;
    g_autofree char *bytes =
        g_strdup_printf("bytes of %s per group", ps_idg_local_memory(kernel->idg));
    ps_tell_open(facts, PS_FACT_SHOWN_GRAPH_LAUNCH);
    tell_size("groups", kernel->groups, launch->groups, facts);
    tell_size("threads per group", kernel->group_size, launch->group_size, facts);
    tell_size("registers per thread", kernel->registers, launch->registers, facts);
    tell_size("accumulation registers per thread", kernel->accumulators, launch->accumulators,
              facts);
    tell_size("scalar registers per warp", kernel->scalar_registers, launch->scalar_registers,
              facts);
    tell_size(bytes, kernel->local_memory, launch->local_memory, facts);
    tell_size("columns of tensor memory per group", kernel->tensor_memory, launch->tensor_memory,
              facts);
    ps_tell_close(facts);
}

/* ---- code ---------------------------------------------------------------------------------- */

typedef struct {
    const PsKernel *kernel;
    GHashTable *nodes; /* PsIdgItem -> PsProgramNode, for nodes with instances */
    PsTold *facts;
} Code;

/* "x", "x@all", "x@2", "x@(2*k)" (g_free) */
static char *dep_text(const PsIdgDep *dep)
{
    const char *all = dep->all ? "@all" : "";
    if (!dep->distance)
        return g_strconcat(dep->on, all, NULL);
    const char *distance = ps_expr_text(dep->distance);
    const gboolean bare =
        ps_expr_is_name(distance) || strspn(distance, "0123456789") == strlen(distance);
    return g_strdup_printf(bare ? "%s%s@%s" : "%s%s@(%s)", dep->on, all, distance);
}

static void tell_needs(const PsIdgItem *item, PsTold *facts)
{
    ps_tell_open(facts, PS_FACT_SHOWN_GRAPH_PROGRAMS_CODE_AFTER);
    for (guint i = 0; i < item->after->len; i++) {
        g_autofree char *text = dep_text(item->after->pdata[i]);
        ps_tell_item_text(facts, text);
    }
    ps_tell_close(facts);
}

static void tell_traffic(const PsProgramNode *node, PsTold *facts)
{
    ps_tell(facts, PS_FACT_SHOWN_GRAPH_PROGRAMS_CODE_BYTES, node->bytes);
    ps_tell_open(facts, PS_FACT_SHOWN_GRAPH_PROGRAMS_CODE_SHARES);
    for (guint i = 0; i < PS_N_LEVELS; i++)
        if (node->share[i].num >= 0)
            ps_tell_entry_number(facts, ps_level_name((PsLevel)i),
                                 ps_rational_to_double(node->share[i]));
    ps_tell_close(facts);
}

/* A node without instances has no values. */
static void tell_values(const PsIdgItem *item, const PsProgramNode *node, PsTold *facts)
{
    if (node->hold.num > 0)
        ps_tell(facts, PS_FACT_SHOWN_GRAPH_PROGRAMS_CODE_HOLD, node->hold);
    if (node->ops) {
        ps_tell(facts, PS_FACT_SHOWN_GRAPH_PROGRAMS_CODE_OPERATIONS, node->ops);
        ps_tell(facts, PS_FACT_SHOWN_GRAPH_PROGRAMS_CODE_TYPE, item->type);
    }
    if (node->bytes)
        tell_traffic(node, facts);
}

static void tell_node(const Code *code, const PsIdgItem *item, gint64 depth)
{
    PsTold *facts = code->facts;
    const PsIdg *idg = code->kernel->idg;
    const PsProgramNode *node = g_hash_table_lookup(code->nodes, item);
    const char *file = item->file ? item->file : idg->file;
    ps_tell_item(facts);
    ps_tell(facts, PS_FACT_SHOWN_GRAPH_PROGRAMS_CODE_DEPTH, depth);
    ps_tell(facts, PS_FACT_SHOWN_GRAPH_PROGRAMS_CODE_NAME, item->name);
    ps_tell_taken(facts, PS_FACT_SHOWN_GRAPH_PROGRAMS_CODE_CLASS,
                  ps_idg_class_words(idg, item->class_name));
    ps_tell(facts, PS_FACT_SHOWN_GRAPH_PROGRAMS_CODE_COUNT, node ? node->count : 0);
    if (item->after->len)
        tell_needs(item, facts);
    if (node)
        tell_values(item, node, facts);
    if (item->source_line)
        ps_tell_taken(
            facts, PS_FACT_SHOWN_GRAPH_PROGRAMS_CODE_LINE,
            g_strdup_printf("%s%s%d", file ? file : "line", file ? ":" : " ", item->source_line));
    ps_tell_close(facts);
}

static gboolean tell_body(const Code *code, const GPtrArray *body, gint64 depth, GError **error);

static gboolean tell_loop(const Code *code, const PsIdgItem *loop, gint64 depth, GError **error)
{
    PsTold *facts = code->facts;
    const PsIdg *idg = code->kernel->idg;
    const PsPlace place = {idg->path ? idg->path : idg->name, loop->line};
    gint64 trips;
    if (!ps_expr_eval_int(loop->times, code->kernel->scope, place,
                          &(PsIntRange){"trip count", 0, G_MAXINT64}, &trips, error))
        return FALSE;
    ps_tell_item(facts);
    ps_tell(facts, PS_FACT_SHOWN_GRAPH_PROGRAMS_CODE_DEPTH, depth);
    ps_tell(facts, PS_FACT_SHOWN_GRAPH_PROGRAMS_CODE_NAME, loop->name);
    ps_tell(facts, PS_FACT_SHOWN_GRAPH_PROGRAMS_CODE_TRIPS, trips);
    ps_tell(facts, PS_FACT_SHOWN_GRAPH_PROGRAMS_CODE_EXPRESSION, other_than(loop->times, trips));
    ps_tell_close(facts);
    return tell_body(code, loop->body, depth + 1, error);
}

static gboolean tell_body(const Code *code, const GPtrArray *body, gint64 depth, GError **error)
{
    for (guint i = 0; i < body->len; i++) {
        const PsIdgItem *item = body->pdata[i];
        if (item->kind == PS_IDG_NODE)
            tell_node(code, item, depth);
        else if (!tell_loop(code, item, depth, error))
            return FALSE;
    }
    return TRUE;
}

/* Names the warps that run the code: "every warp", "warps 0..3", "every warp of inside, which 60.0
 * % of the groups are". */
static char *describe_warps(const PsKernel *kernel, guint program)
{
    GString *text = g_string_new(NULL);
    const PsKernelKind *kind = &kernel->kinds[kernel->programs[program].kind];
    for (guint i = 0; i < kind->n_warps; i++) {
        const PsKernelWarps *warps = &kind->warps[i];
        if (warps->program != program)
            continue;
        if (warps->last == G_MAXINT64)
            g_string_append(text, kind->n_warps > 1 ? "every other warp" : "every warp");
        else if (warps->last == warps->first)
            g_string_append_printf(text, "%swarp %" G_GINT64_FORMAT, text->len ? ", " : "",
                                   warps->first);
        else
            g_string_append_printf(text, "%swarps %" G_GINT64_FORMAT " to %" G_GINT64_FORMAT,
                                   text->len ? ", " : "", warps->first, warps->last);
    }
    if (kind->name)
        g_string_append_printf(text, " of %s, which %.1f %% of the groups are", kind->name,
                               100 * (double)kind->share / (double)kernel->parts);
    return g_string_free(text, FALSE);
}

/* ---- the instruction mix ------------------------------------------------------------------- */

typedef struct {
    const char *class_name;
    gint64 count;
} Mix;

/* Instances per class, in order of first use. */
static GArray *mix_of(const PsProgram *program)
{
    GArray *mix = g_array_new(FALSE, FALSE, sizeof(Mix));
    g_autoptr(GHashTable) index = g_hash_table_new(g_str_hash, g_str_equal);
    for (guint i = 0; i < program->n_nodes; i++) {
        const PsProgramNode *node = &program->nodes[i];
        const guint known = GPOINTER_TO_UINT(g_hash_table_lookup(index, node->item->class_name));
        if (known > 0) {
            g_array_index(mix, Mix, known - 1).count += node->count;
            continue;
        }
        const Mix first = {node->item->class_name, node->count};
        g_array_append_val(mix, first);
        g_hash_table_insert(index, node->item->class_name, GUINT_TO_POINTER(mix->len));
    }
    return mix;
}

/* The last program gets the sum over all. */
static void tell_mix(const PsKernel *kernel, const PsProgram *program, PsTold *facts)
{
    g_autoptr(GArray) mix = mix_of(program);
    const Mix all = {NULL, program->length};
    g_array_append_val(mix, all);
    ps_tell_open(facts, PS_FACT_SHOWN_GRAPH_PROGRAMS_MIX);
    for (guint i = 0; i < mix->len; i++) {
        const Mix *some = &g_array_index(mix, Mix, i);
        ps_tell_item(facts);
        g_autofree char *words =
            some->class_name ? ps_idg_class_words(kernel->idg, some->class_name) : NULL;
        ps_tell(facts, PS_FACT_SHOWN_GRAPH_PROGRAMS_MIX_CLASS, words);
        ps_tell(facts, PS_FACT_SHOWN_GRAPH_PROGRAMS_MIX_COUNT, some->count);
        ps_tell(facts, PS_FACT_SHOWN_GRAPH_PROGRAMS_MIX_SHARE,
                (double)some->count / (double)program->length);
        ps_tell_close(facts);
    }
    ps_tell_close(facts);
}

static gboolean tell_program(const PsKernel *kernel, guint i, PsTold *facts, GError **error)
{
    const PsProgram *program = &kernel->programs[i];
    g_autoptr(GHashTable) nodes = g_hash_table_new(NULL, NULL);
    for (guint n = 0; n < program->n_nodes; n++)
        g_hash_table_insert(nodes, (void *)program->nodes[n].item, &program->nodes[n]);
    const Code code = {kernel, nodes, facts};
    ps_tell_item(facts);
    ps_tell_taken(facts, PS_FACT_SHOWN_GRAPH_PROGRAMS_WARPS, describe_warps(kernel, i));
    ps_tell_open(facts, PS_FACT_SHOWN_GRAPH_PROGRAMS_CODE);
    const gboolean told =
        tell_body(&code, ((const PsIdgCode *)kernel->idg->codes->pdata[i])->body, 0, error);
    ps_tell_close(facts);
    tell_mix(kernel, program, facts);
    ps_tell_close(facts);
    return told;
}

/* ---- what a GPU holds of it ---------------------------------------------------------------- */

static char *describe_step(const PsGpu *gpu, const PsGroupNeeds *needs,
                           const PsOccupancy *occupancy)
{
    PsNextStep step;
    return ps_gpu_next_step(gpu, needs, occupancy, &step)
               ? ps_next_step_words(&step, gpu)
               : g_strdup("none by registers, local memory or the size of groups");
}

static void tell_active(const PsGpu *gpu, const PsGroupNeeds *needs, const PsOccupancy *occupancy,
                        PsTold *facts)
{
    const gint64 warps = occupancy->groups * occupancy->warps_per_group, most = gpu->limits.warps;
    ps_tell(facts, PS_FACT_SHOWN_GRAPH_OCCUPANCY_GROUPS, occupancy->groups);
    ps_tell(facts, PS_FACT_SHOWN_GRAPH_OCCUPANCY_WARPS, warps);
    if (most) {
        ps_tell(facts, PS_FACT_SHOWN_GRAPH_OCCUPANCY_MOST_WARPS, most);
        ps_tell(facts, PS_FACT_SHOWN_GRAPH_OCCUPANCY_SHARE, (double)warps / (double)most);
    }
    ps_tell_taken(facts, PS_FACT_SHOWN_GRAPH_OCCUPANCY_LIMITED_BY,
                  ps_occupancy_limit_words(occupancy->limited_by));
    ps_tell_taken(facts, PS_FACT_SHOWN_GRAPH_OCCUPANCY_NEXT_STEP,
                  describe_step(gpu, needs, occupancy));
}

static void tell_occupancy(const PsKernel *kernel, const PsGpu *gpu, PsTold *facts)
{
    const PsGroupNeeds needs = ps_kernel_needs(kernel, kernel->group_size);
    PsOccupancy occupancy;
    g_autoptr(GError) why = NULL;
    ps_tell_open(facts, PS_FACT_SHOWN_GRAPH_OCCUPANCY);
    ps_tell(facts, PS_FACT_SHOWN_GRAPH_OCCUPANCY_GPU, gpu->name);
    if (!ps_gpu_occupancy_in_words(gpu, &needs, ps_idg_local_memory(kernel->idg), &occupancy, &why))
        ps_tell_taken(facts, PS_FACT_SHOWN_GRAPH_OCCUPANCY_PROBLEM,
                      g_strconcat("no group fits: ", why->message, NULL));
    else if (occupancy.groups == G_MAXINT64)
        ps_tell(facts, PS_FACT_SHOWN_GRAPH_OCCUPANCY_PROBLEM,
                "groups at once are not known: the description states no limits");
    else
        tell_active(gpu, &needs, &occupancy, facts);
    ps_tell_close(facts);
}

PsTold *ps_graph_described(const PsKernel *kernel, const PsGpu *gpu, GError **error)
{
    const PsIdg *idg = kernel->idg;
    g_autoptr(PsTold) facts = ps_told_new();
    gboolean told = TRUE;
    ps_tell(facts, PS_FACT_SHOWN_GRAPH_PIPESIM, PIPESIM_VERSION);
    ps_tell(facts, PS_FACT_SHOWN_GRAPH_KERNEL, idg->name);
    ps_tell(facts, PS_FACT_SHOWN_GRAPH_TITLE, idg->title);
    ps_tell(facts, PS_FACT_SHOWN_GRAPH_FILE, idg->path);
    tell_params(kernel, facts);
    tell_launch(kernel, facts);
    ps_tell_open(facts, PS_FACT_SHOWN_GRAPH_PROGRAMS);
    for (guint i = 0; i < kernel->n_programs && told; i++)
        told = tell_program(kernel, i, facts, error);
    ps_tell_close(facts);
    ps_tell_sources(idg->sources, facts);
    if (gpu)
        tell_occupancy(kernel, gpu, facts);
    return told ? g_steal_pointer(&facts) : NULL;
}

/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Launches the same code with other groups: executes them to compare the buffers that they leave,
 * or builds their graph. See shape.h.
 */
#include "launch/shape.h"

#include "ptx/run/run.h"
#include "ptx/run/freedom.h"

#include <string.h>

/* Warp instructions of a group that is executed for its writes, at most. */
#define MOST_INSTRUCTIONS ((guint64)1 << 22)

struct PsLaunchFreedom {
    const PsLaunchCode *launched;
    PsPtxCode *code;
    PsPtxFreedom in[3];
    gboolean hidden;        /* it names variables, which cannot be compared */
    GHashTable *doubles[3]; /* number of groups -> 1 + whether twice as many do the same */
};

PsLaunchShape ps_launch_code_shape(const PsLaunchCode *code)
{
    PsLaunchShape shape;
    memcpy(shape.groups, code->options.launch.grid, sizeof shape.groups);
    memcpy(shape.threads, code->options.launch.block, sizeof shape.threads);
    return shape;
}

/* ---- other launches -------------------------------------------------------------------------- */

/* Arguments to which no kernel has written. */
static PsLaunchArguments *fresh_arguments(const PsLaunchCode *code, GError **error)
{
    g_autoptr(GPtrArray) told = g_ptr_array_new_with_free_func(g_free);
    return ps_launch_arguments_new(code->module, code->kernel, &code->texts, told, told, error);
}

static void set_shape(const PsLaunchCode *code, const PsLaunchShape *shape,
                      const PsLaunchArguments *arguments, PsBuildOptions *options)
{
    *options = code->options;
    memcpy(options->launch.grid, shape->groups, sizeof shape->groups);
    memcpy(options->launch.block, shape->threads, sizeof shape->threads);
    memset(options->grid_text, 0, sizeof options->grid_text);
    memset(options->block_text, 0, sizeof options->block_text);
    options->launch.arguments = arguments->values;
    options->launch.n_arguments = arguments->n;
    options->n_samples = 0;
    options->samples = NULL;
    options->sampled = NULL;
}

PsIdg *ps_launch_code_build(const PsLaunchCode *code, const PsLaunchShape *shape, const PsGpu *gpu,
                            PsHearer hearer, GError **error)
{
    PsBuildOptions options;
    g_autoptr(PsLaunchArguments) arguments = fresh_arguments(code, error);
    if (!arguments)
        return NULL;
    set_shape(code, shape, arguments, &options);
    options.progress = hearer;
    g_autoptr(PsBuild) build = ps_launch_build(&options, gpu, error);
    return build ? g_steal_pointer(&build->idg) : NULL;
}

/* ---- the same work --------------------------------------------------------------------------- */

/* Executes these groups of a shape on fresh arguments; NULL if that is impossible. */
static PsLaunchArguments *execute(const PsLaunchCode *code, const PsLaunchShape *shape,
                                  const guint (*groups)[3], guint n)
{
    PsBuildOptions options;
    g_autoptr(PsLaunchArguments) arguments = fresh_arguments(code, NULL);
    if (!arguments)
        return NULL;
    set_shape(code, shape, arguments, &options);
    g_autoptr(PsPtxMachine) machine = ps_ptx_machine_new(options.module, &options.launch, NULL);
    if (!machine)
        return NULL;
    ps_ptx_machine_limit(machine, MOST_INSTRUCTIONS);
    for (guint i = 0; i < n; i++)
        if (!ps_ptx_run_group(machine, groups[i], NULL, NULL) || ps_ptx_machine_full(machine))
            return NULL;
    return g_steal_pointer(&arguments);
}

static gboolean is_written(const PsPtxBlocks *blocks, gsize i)
{
    return (blocks->made[i] & PS_PTX_BLOCK_WRITTEN) != 0;
}

static void make_block(PsPtxBlocks *blocks, gsize i)
{
    if (!blocks->made[i])
        blocks->make(blocks->data, i, NULL);
}

/* TRUE if both memories agree; blocks that neither wrote are unchanged on both sides. */
static gboolean is_same_memory(const guint8 *a, PsPtxBlocks *of_a, const guint8 *b,
                               PsPtxBlocks *of_b, gsize size)
{
    if (!of_a || !of_b)
        return size == 0 || memcmp(a, b, size) == 0;
    gboolean same = TRUE;
    for (gsize i = 0; same && i < of_a->n; i++) {
        const gsize at = i * PS_PTX_BLOCK;
        if (!is_written(of_a, i) && !is_written(of_b, i))
            continue;
        make_block(of_a, i);
        make_block(of_b, i);
        same = memcmp(a + at, b + at, MIN(PS_PTX_BLOCK, size - at)) == 0;
    }
    return same;
}

static gboolean is_same_argument(const PsPtxArgument *a, const PsPtxArgument *b)
{
    gboolean same = !a->data || is_same_memory(a->data, a->blocks, b->data, b->blocks, a->size);
    for (guint i = 0; same && i < a->n_fields; i++) {
        const PsPtxField *x = &a->fields[i], *y = &b->fields[i];
        same = is_same_memory(x->data, x->blocks, y->data, y->blocks, x->size);
    }
    return same;
}

static gboolean is_same(const PsLaunchArguments *a, const PsLaunchArguments *b)
{
    gboolean same = a && b;
    for (guint i = 0; same && i < a->n; i++)
        same = is_same_argument(&a->values[i], &b->values[i]);
    return same;
}

/* TRUE if doubling the number of groups in direction d changes nothing. The first and the last of
 * the groups are compared: in the larger launch they, together with the groups as far behind them,
 * must leave what they leave alone in the smaller one. */
static gboolean double_does_same(const PsLaunchCode *code, guint d, guint groups)
{
    PsLaunchShape once = ps_launch_code_shape(code), twice;
    guint some[2][3] = {{0}}, both[4][3];
    once.groups[d] = groups;
    twice = once;
    twice.groups[d] = 2 * groups;
    for (guint i = 0; i < 3; i++)
        some[1][i] = once.groups[i] - 1;
    const guint n = memcmp(some[0], some[1], sizeof some[0]) == 0 ? 1 : 2;
    for (guint i = 0; i < 2 * n; i++) {
        memcpy(both[i], some[i / 2], sizeof both[i]);
        both[i][d] += i % 2 * groups;
    }
    g_autoptr(PsLaunchArguments) a = execute(code, &once, (const guint(*)[3])some, n);
    g_autoptr(PsLaunchArguments) b =
        a ? execute(code, &twice, (const guint(*)[3])both, 2 * n) : NULL;
    return is_same(a, b);
}

/* Asks double_does_same once for each number. */
static gboolean may_double(PsLaunchFreedom *freedom, guint d, guint groups)
{
    gpointer known;
    const gboolean fits = 2 * (guint64)groups <= (d == 0 ? (guint64)G_MAXINT32 : G_MAXUINT16);
    if (freedom->hidden || !fits)
        return FALSE;
    if (!freedom->doubles[d])
        freedom->doubles[d] = g_hash_table_new(NULL, NULL);
    if (g_hash_table_lookup_extended(freedom->doubles[d], GUINT_TO_POINTER(groups), NULL, &known))
        return GPOINTER_TO_INT(known);
    const gboolean same = double_does_same(freedom->launched, d, groups);
    g_hash_table_insert(freedom->doubles[d], GUINT_TO_POINTER(groups), GINT_TO_POINTER(same));
    return same;
}

static gboolean allows_in(PsLaunchFreedom *freedom, guint d, const PsLaunchShape *shape)
{
    const PsLaunchShape now = ps_launch_code_shape(freedom->launched);
    const PsPtxFreedom *in = &freedom->in[d];
    const guint64 had = (guint64)now.groups[d] * now.threads[d],
                  has = (guint64)shape->groups[d] * shape->threads[d];
    if (shape->threads[d] != now.threads[d] && in->tie != PS_PTX_TIE_NONE)
        return FALSE;
    if (has == had)
        return TRUE;
    if (has > had)
        return may_double(freedom, d, now.groups[d]);
    const guint fewer = (guint)(has / now.threads[d]);
    return in->counted && fewer > 0 && may_double(freedom, d, fewer);
}

gboolean ps_launch_freedom_allows(PsLaunchFreedom *freedom, const PsLaunchShape *shape)
{
    const guint *most = freedom->launched->options.launch.kernel->most, *n = shape->threads;
    const guint64 threads = (guint64)n[0] * n[1] * n[2],
                  limit = most[0] ? (guint64)most[0] * most[1] * most[2] : G_MAXUINT64;
    gboolean allowed = threads <= limit && ps_ptx_block_check(shape->threads, NULL);
    for (guint d = 0; allowed && d < 3; d++)
        allowed = allows_in(freedom, d, shape);
    return allowed;
}

/* ---- what the code tells --------------------------------------------------------------------- */

static gboolean names_global(const PsPtxCode *code)
{
    for (guint i = 0; i < code->n_points; i++) {
        const PsPtxInstruction *instruction = code->points[i].instruction;
        for (guint k = 0; k < instruction->n_operands; k++) {
            const PsPtxOperand *operand = &instruction->operands[k];
            const gboolean named =
                operand->kind == PS_PTX_OPERAND_VARIABLE || operand->kind == PS_PTX_OPERAND_ADDRESS;
            if (named && operand->variable && operand->variable->space == PS_PTX_GLOBAL)
                return TRUE;
        }
    }
    return FALSE;
}

PsLaunchFreedom *ps_launch_freedom_new(const PsLaunchCode *code, GError **error)
{
    const PsBuildOptions *options = &code->options;
    PsPtxCode *expanded =
        ps_ptx_code_new(code->outlined ? options->module : code->module,
                        code->outlined ? options->launch.kernel : code->kernel, error);
    if (!expanded)
        return NULL;
    PsLaunchFreedom *freedom = g_new0(PsLaunchFreedom, 1);
    freedom->launched = code;
    freedom->code = expanded;
    freedom->hidden = names_global(expanded);
    ps_ptx_freedom(expanded, code->system, freedom->in);
    return freedom;
}

void ps_launch_freedom_free(PsLaunchFreedom *freedom)
{
    if (!freedom)
        return;
    for (guint d = 0; d < 3; d++)
        g_clear_pointer(&freedom->doubles[d], g_hash_table_unref);
    ps_ptx_code_free(freedom->code);
    g_free(freedom);
}

const PsPtxFreedom *ps_launch_freedom_in(const PsLaunchFreedom *freedom, guint d)
{
    return &freedom->in[d];
}

/* The line in the kernel's own file at which the instruction's code was inlined. */
static char *place_of(const PsPtxModule *module, const PsPtxInstruction *instruction)
{
    const PsPtxPlace kernel = ps_ptx_place_in(module, instruction, "");
    const PsPtxPlace place = ps_ptx_place_in(module, instruction, kernel.file);
    g_autofree char *name = place.file ? g_path_get_basename(place.file) : NULL;
    return name ? g_strdup_printf("%s:%d", name, place.line) : NULL;
}

char *ps_launch_freedom_where(const PsLaunchFreedom *freedom, guint d)
{
    const PsPtxCode *code = freedom->code;
    const guint point = freedom->in[d].point;
    if (point == PS_PTX_NOWHERE)
        return NULL;
    char *place = place_of(code->module, code->points[point].instruction);
    return place ? place : ps_ptx_code_where(code, point);
}

/* SPDX-License-Identifier: BSD-3-Clause */
/* Random waits for other warps: see random-roles.h. */
#include "tests/help/random-roles.h"
#include "idg/program.h"
#include "tests/help/build-graph.h"
#include "tests/help/engine.h"

/* Sets the generator apart, so that cases without roles are what they were. */
#define ROLES_SEED 0x7013
#define LIMITS_SEED 0x7014

typedef struct {
    GRand *rand, *limits; /* of its own, so that what has no limit is as it was */
    const RandomCase *c;
    const PsKernel *kernel; /* without waits */
} Roles;

static gboolean chance(const Roles *roles, int percent)
{
    return g_rand_int_range(roles->rand, 0, 100) < percent;
}

static PsExpr *number(gint64 value)
{
    g_autofree char *text = g_strdup_printf("%" G_GINT64_FORMAT, value);
    return build_expr(text);
}

static void name_codes(const PsIdg *idg)
{
    for (guint i = 0; i < idg->codes->len; i++)
        ((PsIdgCode *)idg->codes->pdata[i])->name = g_strdup_printf("role%u", i);
}

static gboolean has_warps(const Roles *roles, guint p)
{
    const guint kind = roles->kernel->programs[p].kind;
    for (gint64 w = 0; w < roles->c->warps_per_group; w++)
        if (ps_kernel_program_of(roles->kernel, kind, w) == (int)p)
            return TRUE;
    return FALSE;
}

/* Which node is awaited; what stands before is likelier not to close a circle. */
static const PsProgramNode *choose(const Roles *roles, guint p, guint v, guint *program)
{
    const PsKernel *kernel = roles->kernel;
    *program = (guint)g_rand_int_range(roles->rand, 0, (gint32)kernel->n_programs);
    const PsProgram *of = &kernel->programs[*program];
    if (of->kind != kernel->programs[p].kind || of->n_nodes == 0 || !has_warps(roles, *program))
        return NULL;
    const guint most = chance(roles, 85) ? MIN(v + 1, of->n_nodes) : of->n_nodes;
    const PsProgramNode *on = &of->nodes[g_rand_int_range(roles->rand, 0, (gint32)most)];
    return *program == p && on == &of->nodes[v] && chance(roles, 80) ? NULL : on;
}

/* The fewest before with which the last instance does not wait for more than there are. */
static gint64 least_before(const PsProgramNode *node, const PsProgramNode *on, gint64 per,
                           gint64 every)
{
    return MAX((node->count - 1) / every + 1 - on->count / per, 0);
}

static void add_await(const Roles *roles, guint p, guint v)
{
    const PsProgramNode *node = &roles->kernel->programs[p].nodes[v];
    guint program;
    const PsProgramNode *on = choose(roles, p, v, &program);
    if (!on)
        return;
    g_autofree char *role = g_strdup_printf("role%u", program);
    PsIdgAwait *await = ps_idg_add_await((PsIdgItem *)node->item, role, on->item->name);
    await->all = program != p && chance(roles, 6);
    if (await->all)
        return;
    const gint64 per = chance(roles, 30) ? g_rand_int_range(roles->rand, 2, 5) : 1;
    const gint64 every = chance(roles, 30) ? g_rand_int_range(roles->rand, 2, 5) : 1;
    const gint64 more = chance(roles, 50) ? g_rand_int_range(roles->rand, 0, 4) : 0;
    gint64 before =
        least_before(node, on, per, every) + MAX(more, program == p && on >= node ? 1 : 0);
    await->to_all = g_rand_int_range(roles->limits, 0, 100) < 40;
    if (await->to_all)
        before -= g_rand_int_range(roles->limits, 0, 6);
    await->per = per > 1 ? number(per) : NULL;
    await->every = every > 1 ? number(every) : NULL;
    await->before = before != 0 ? number(before) : NULL;
}

void random_case_roles(RandomCase *random_case)
{
    GError *error = NULL;
    name_codes(random_case->idg);
    g_autoptr(PsKernel) kernel = ps_kernel_new(random_case->idg, random_case->overrides, &error);
    g_assert_no_error(error);
    Roles roles = {g_rand_new_with_seed(random_case->seed ^ ROLES_SEED),
                   g_rand_new_with_seed(random_case->seed ^ LIMITS_SEED), random_case, kernel};
    const gint32 percent = g_rand_int_range(roles.rand, 5, 60);
    for (guint p = 0; p < kernel->n_programs; p++)
        for (guint v = 0; v < kernel->programs[p].n_nodes; v++)
            while (chance(&roles, percent))
                add_await(&roles, p, v);
    random_case->refinements.order = PS_ORDER_PROGRAM;
    g_rand_free(roles.rand);
    g_rand_free(roles.limits);
}

static void drop_awaits(const GPtrArray *body)
{
    for (guint i = 0; i < body->len; i++) {
        PsIdgItem *item = body->pdata[i];
        g_clear_pointer(&item->awaits.list, g_ptr_array_unref);
        if (item->kind == PS_IDG_LOOP)
            drop_awaits(item->body);
    }
}

void random_case_roles_that_end(RandomCase *random_case)
{
    random_case_roles(random_case);
    const EngineRun run = engine_run_of(random_case);
    PsSimResult result;
    if (engine_run(&run, &result, NULL))
        return;
    for (guint i = 0; i < random_case->idg->codes->len; i++)
        drop_awaits(((const PsIdgCode *)random_case->idg->codes->pdata[i])->body);
}

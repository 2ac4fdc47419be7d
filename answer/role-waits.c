/* SPDX-License-Identifier: BSD-3-Clause */
/* Sums the waits of nodes by the role of the waiting warps. See role-waits.h. */
#include "answer/role-waits.h"

#include "base/class-name.h"

#include <math.h>

const char *ps_role_for_name(PsRoleFor what)
{
    static const char *const names[PS_ROLE_N_FOR] = {"copies", "stages", "products", "warps",
                                                     "barrier"};
    return names[what];
}

guint ps_role_does(const PsProgram *program)
{
    guint does = 0;
    for (guint n = 0; n < program->n_nodes; n++) {
        const char *name = program->nodes[n].item->class_name;
        if (ps_class_fills_stage(name))
            does |= PS_ROLE_COPIES;
        else if (ps_class_covers("tensor", name))
            does |= PS_ROLE_PRODUCTS;
        else if (ps_class_is_global(name) && ps_class_is_store(name))
            does |= PS_ROLE_EPILOGUE;
    }
    return does;
}

/* ---- roles --------------------------------------------------------------------------------- */

static void role_free(gpointer data)
{
    PsRole *role = data;
    g_array_unref(role->warps);
    g_array_unref(role->waits);
    g_free(role);
}

static guint role_that_does(const PsRoleTable *table, guint does)
{
    guint r = 0;
    while (r < table->roles->len && ((const PsRole *)table->roles->pdata[r])->does != does)
        r++;
    if (r == table->roles->len) {
        PsRole *role = g_new0(PsRole, 1);
        role->does = does;
        role->warps = g_array_new(FALSE, FALSE, sizeof(guint));
        role->waits = g_array_new(FALSE, FALSE, sizeof(PsRoleWait));
        g_ptr_array_add(table->roles, role);
    }
    return r;
}

static gboolean has_warp(const PsRole *role, guint warp)
{
    for (guint i = 0; i < role->warps->len; i++)
        if (g_array_index(role->warps, guint, i) == warp)
            return TRUE;
    return FALSE;
}

static void find_roles(PsRoleTable *table, const PsMachine *machine)
{
    const PsKernel *kernel = machine->kernel;
    for (guint warp = 0; warp < machine->launch.warps_per_group; warp++)
        for (guint kind = 0; kind < kernel->n_kinds; kind++) {
            const int p = ps_kernel_program_of(kernel, kind, warp);
            if (p < 0)
                continue;
            table->role_of[p] = role_that_does(table, ps_role_does(&kernel->programs[p]));
            PsRole *role = table->roles->pdata[table->role_of[p]];
            if (!has_warp(role, warp))
                g_array_append_val(role->warps, warp);
        }
}

/* ---- waits --------------------------------------------------------------------------------- */

/* TRUE if a node waits until a stage is given back. */
static gboolean waits_for_stage(const PsRoleTable *table, guint program, guint node)
{
    for (guint r = 0; r < table->rings->len; r++) {
        const PsRing *ring = table->rings->pdata[r];
        for (guint i = 0; ring->producer == program && i < ring->waits->len; i++)
            if (g_array_index(ring->waits, guint, i) == node)
                return TRUE;
    }
    return FALSE;
}

/* The cause of a wait at a barrier, or for other warps. */
static PsRoleWait of_barrier(const PsRoleTable *table, const PsKernel *kernel,
                             const PsNodeWait *wait)
{
    const PsProgramNode *node = &kernel->programs[wait->program].nodes[wait->node];
    if (node->n_waits == 0)
        return (PsRoleWait){PS_ROLE_FOR_BARRIER, G_MAXUINT, 0};
    for (guint w = 0; w < node->n_waits; w++) {
        const PsProgramWait *on = &node->waits[w];
        if (ps_class_fills_stage(kernel->programs[on->program].nodes[on->on].item->class_name))
            return (PsRoleWait){PS_ROLE_FOR_COPIES, table->role_of[on->program], 0};
    }
    return (PsRoleWait){waits_for_stage(table, wait->program, wait->node) ? PS_ROLE_FOR_STAGES
                                                                          : PS_ROLE_FOR_WARPS,
                        table->role_of[node->waits[0].program], 0};
}

/* The kind of an awaited node, if it has one; otherwise PS_ROLE_N_FOR. */
static PsRoleWait what_of(const PsRoleTable *table, const PsKernel *kernel, const PsNodeWait *wait)
{
    const PsRoleWait none = {PS_ROLE_N_FOR, G_MAXUINT, 0};
    if (wait->kind == PS_WAIT_BARRIER)
        return of_barrier(table, kernel, wait);
    if (wait->kind != PS_WAIT_DATA || wait->on == G_MAXUINT)
        return none;
    const char *on = kernel->programs[wait->program].nodes[wait->on].item->class_name;
    const guint own = table->role_of[wait->program];
    return ps_class_fills_stage(on)        ? (PsRoleWait){PS_ROLE_FOR_COPIES, own, 0}
           : ps_class_covers("tensor", on) ? (PsRoleWait){PS_ROLE_FOR_PRODUCTS, own, 0}
                                           : none;
}

static void add_wait(PsRole *role, const PsRoleWait *what, double ticks)
{
    for (guint i = 0; i < role->waits->len; i++) {
        PsRoleWait *wait = &g_array_index(role->waits, PsRoleWait, i);
        if (wait->what == what->what && wait->role == what->role) {
            wait->share += ticks;
            return;
        }
    }
    const PsRoleWait wait = {what->what, what->role, ticks};
    g_array_append_val(role->waits, wait);
}

static int largest_first(gconstpointer a, gconstpointer b)
{
    const PsRoleWait *x = a, *y = b;
    if (x->share != y->share)
        return x->share > y->share ? -1 : 1;
    return x->what != y->what ? (int)x->what - (int)y->what
                              : (x->role > y->role) - (x->role < y->role);
}

static void find_waits(PsRoleTable *table, const PsKernel *kernel, const GArray *node_waits)
{
    for (guint i = 0; i < node_waits->len; i++) {
        const PsNodeWait *wait = &g_array_index(node_waits, PsNodeWait, i);
        PsRole *role = table->roles->pdata[table->role_of[wait->program]];
        const PsRoleWait what = what_of(table, kernel, wait);
        role->ticks += wait->ticks;
        if (what.what != PS_ROLE_N_FOR)
            add_wait(role, &what, wait->ticks);
    }
    for (guint r = 0; r < table->roles->len; r++) {
        PsRole *role = table->roles->pdata[r];
        for (guint i = 0; i < role->waits->len; i++)
            g_array_index(role->waits, PsRoleWait, i).share /= role->ticks;
        g_array_sort(role->waits, largest_first);
    }
}

/* ---- stages -------------------------------------------------------------------------------- */

/* TRUE if two rings of groups of two kinds are the same ring. */
static gboolean is_same(const PsKernel *kernel, const PsRing *a, const PsRing *b)
{
    const PsProgram *x = &kernel->programs[a->producer], *y = &kernel->programs[b->producer];
    return a->kind != b->kind && g_strcmp0(x->role, y->role) == 0 && a->stages == b->stages &&
           a->ahead == b->ahead &&
           g_array_index(a->copies, PsRingCopy, 0).node ==
               g_array_index(b->copies, PsRingCopy, 0).node;
}

static void add_stages(PsRoleTable *table, const PsKernel *kernel, const PsRing *ring,
                       PsStageMeans means)
{
    const PsRoleStages stages = {ring, means};
    for (guint i = 0; i < table->stages->len; i++)
        if (is_same(kernel, g_array_index(table->stages, PsRoleStages, i).ring, ring))
            return;
    if (!isnan(means.under_way))
        g_array_append_val(table->stages, stages);
}

static gboolean has_roles(const PsKernel *kernel)
{
    for (guint p = 0; p < kernel->n_programs; p++)
        if (kernel->programs[p].role)
            return TRUE;
    return FALSE;
}

PsRoleTable *ps_role_table_new(const PsMachine *machine, GPtrArray *rings, const PsStages *stages,
                               const GArray *node_waits)
{
    const PsKernel *kernel = machine->kernel;
    PsRoleTable *table = g_new0(PsRoleTable, 1);
    table->rings = rings;
    table->roles = g_ptr_array_new_with_free_func(role_free);
    table->stages = g_array_new(FALSE, FALSE, sizeof(PsRoleStages));
    table->role_of = g_new0(guint, kernel->n_programs + 1);
    if (rings->len == 0 && !has_roles(kernel)) {
        ps_role_table_free(table);
        return NULL;
    }
    find_roles(table, machine);
    if (node_waits)
        find_waits(table, kernel, node_waits);
    for (guint r = 0; stages && r < rings->len; r++)
        add_stages(table, kernel, rings->pdata[r], ps_stages_means(stages, r));
    return table;
}

void ps_role_table_free(PsRoleTable *table)
{
    if (!table)
        return;
    g_ptr_array_unref(table->rings);
    g_ptr_array_unref(table->roles);
    g_array_unref(table->stages);
    g_free(table->role_of);
    g_free(table);
}

/* SPDX-License-Identifier: BSD-3-Clause */
/* Roles of warps: a node's awaits become numbers of instances of other warps. */
#include "idg/internal.h"
#include "idg/program-private.h"

#include <string.h>

gint64 ps_program_wait_needs(const PsProgramWait *wait, gint64 k)
{
    return MIN(wait->first + wait->per * (k / wait->every), wait->most);
}

/* A node that awaits other warps, as messages name it. */
typedef struct {
    PsKernel *kernel;
    guint program;
    const PsIdgItem *item;
    PsProgramNode *node; /* NULL: it has no instances */
} Waiter;

/* The node that is awaited. */
typedef struct {
    const PsIdgAwait *written;
    guint program;
    PsProgramNode *node; /* NULL: it has no instances */
    PsProgramWait wait;
} Awaited;

static PsPlace place_of(const Waiter *waiter)
{
    return ps_idg_place(waiter->kernel->idg, waiter->item->line);
}

static const PsIdgItem *find_item(const GPtrArray *body, const char *name)
{
    const PsIdgItem *found = NULL;
    for (guint i = 0; i < body->len && !found; i++) {
        const PsIdgItem *item = body->pdata[i];
        if (item->kind == PS_IDG_LOOP)
            found = find_item(item->body, name);
        else if (strcmp(item->name, name) == 0)
            found = item;
    }
    return found;
}

static PsProgramNode *node_of(PsProgram *program, const PsIdgItem *item)
{
    for (guint n = 0; n < program->n_nodes; n++)
        if (program->nodes[n].item == item)
            return &program->nodes[n];
    return NULL;
}

static gboolean find_role(const Waiter *waiter, Awaited *on, GError **error)
{
    const PsKernel *kernel = waiter->kernel;
    const guint kind = kernel->programs[waiter->program].kind;
    g_autoptr(GString) roles = g_string_new(NULL);
    for (guint p = 0; p < kernel->n_programs; p++) {
        const PsProgram *program = &kernel->programs[p];
        if (program->kind != kind || !program->role)
            continue;
        on->program = p;
        if (strcmp(program->role, on->written->role) == 0)
            return TRUE;
        g_string_append_printf(roles, "%s%s", roles->len > 0 ? ", " : "", program->role);
    }
    ps_error_at(error, PS_ERROR_VALUE, place_of(waiter),
                "node '%s' awaits '%s:%s', but no code has the name '%s'; there are: %s",
                waiter->item->name, on->written->role, on->written->on, on->written->role,
                roles->len > 0 ? roles->str : "none");
    return FALSE;
}

static gboolean find_node(const Waiter *waiter, Awaited *on, GError **error)
{
    const PsIdgCode *code = waiter->kernel->idg->codes->pdata[on->program];
    const PsIdgItem *item = find_item(code->body, on->written->on);
    if (!item) {
        ps_error_at(error, PS_ERROR_VALUE, place_of(waiter),
                    "node '%s' awaits '%s:%s', but the code '%s' has no node of that name",
                    waiter->item->name, on->written->role, on->written->on, on->written->role);
        return FALSE;
    }
    on->node = node_of(&waiter->kernel->programs[on->program], item);
    return TRUE;
}

/* The numbers of "*P/E@D". */
static gboolean count(const Waiter *waiter, Awaited *on, GError **error)
{
    const PsIdgAwait *written = on->written;
    const PsScope *scope = waiter->kernel->scope;
    gint64 before = 0, all;
    on->wait = (PsProgramWait){.program = on->program, .per = 1, .every = 1, .most = G_MAXINT64};
    if (written->to_all)
        on->wait.most = on->node ? on->node->count : 0;
    if (written->all) {
        on->wait.first = on->node ? on->node->count : 0;
        on->wait.per = 0;
        return TRUE;
    }
    const struct {
        const PsExpr *expr;
        PsIntRange range;
        gint64 *value;
    } parts[] = {
        {written->per, {"number of instances", 1, G_MAXINT32}, &on->wait.per},
        {written->every, {"number of waits", 1, G_MAXINT32}, &on->wait.every},
        {written->before, {"number of instances before", -G_MAXINT32, G_MAXINT32}, &before},
    };
    for (guint i = 0; i < G_N_ELEMENTS(parts); i++)
        if (parts[i].expr && !ps_expr_eval_int(parts[i].expr, scope, place_of(waiter),
                                               &parts[i].range, parts[i].value, error))
            return FALSE;
    on->wait.first = on->wait.per * (1 - before);
    if (!waiter->node ||
        !__builtin_mul_overflow((waiter->node->count - 1) / on->wait.every, on->wait.per, &all))
        return TRUE;
    ps_error_at(error, PS_ERROR_LIMIT, place_of(waiter),
                "node '%s' awaits more than 2^63 instances of '%s:%s'", waiter->item->name,
                written->role, written->on);
    return FALSE;
}

/* Refuses a wait for an instance that never comes. */
static gboolean check_reach(const Waiter *waiter, const Awaited *on, GError **error)
{
    const PsProgramWait *wait = &on->wait;
    const gint64 there = on->node ? on->node->count : 0;
    const gint64 last = ps_program_wait_needs(wait, waiter->node->count - 1);
    if (last <= there)
        return TRUE;
    ps_error_at(error, PS_ERROR_VALUE, place_of(waiter),
                "node '%s' awaits %" G_GINT64_FORMAT
                " instances of '%s:%s' in its last of %" G_GINT64_FORMAT
                ", but a warp has only %" G_GINT64_FORMAT " of these: it would wait for ever",
                waiter->item->name, last, on->written->role, on->written->on, waiter->node->count,
                there);
    return FALSE;
}

static void add_wait(const Waiter *waiter, Awaited *on)
{
    PsProgramNode *node = waiter->node;
    const PsProgramWait *wait = &on->wait;
    if (ps_program_wait_needs(wait, node->count - 1) <= 0)
        return;
    on->wait.on = (guint)(on->node - waiter->kernel->programs[on->program].nodes);
    on->node->watched = TRUE;
    node->waits = g_renew(PsProgramWait, node->waits, node->n_waits + 1);
    node->waits[node->n_waits++] = on->wait;
}

/* Rule T5 asks of the written graph whether anything waits for a store, so awaits are counted
 * here. */
static gboolean resolve(const Waiter *waiter, const PsIdgAwait *written, GError **error)
{
    Awaited on = {.written = written};
    if (!find_role(waiter, &on, error) || !find_node(waiter, &on, error) ||
        !count(waiter, &on, error))
        return FALSE;
    if (on.node) {
        on.node->awaited = TRUE;
        on.node->free_store = FALSE;
    }
    if (!waiter->node)
        return TRUE;
    if (!check_reach(waiter, &on, error))
        return FALSE;
    add_wait(waiter, &on);
    return TRUE;
}

static gboolean resolve_body(PsKernel *kernel, guint program, const GPtrArray *body, GError **error)
{
    for (guint i = 0; i < body->len; i++) {
        const PsIdgItem *item = body->pdata[i];
        if (item->kind == PS_IDG_LOOP && !resolve_body(kernel, program, item->body, error))
            return FALSE;
        if (!item->awaits.list)
            continue;
        const Waiter waiter = {kernel, program, item, node_of(&kernel->programs[program], item)};
        for (guint a = 0; a < item->awaits.list->len; a++)
            if (!resolve(&waiter, item->awaits.list->pdata[a], error))
                return FALSE;
    }
    return TRUE;
}

/* Refuses two codes of one name in a kind of groups. */
static gboolean check_roles(const PsKernel *kernel, GError **error)
{
    for (guint p = 0; p < kernel->n_programs; p++)
        for (guint q = 0; q < p; q++) {
            const PsProgram *a = &kernel->programs[q], *b = &kernel->programs[p];
            const PsIdgCode *code = kernel->idg->codes->pdata[p];
            if (a->kind != b->kind || !a->role || g_strcmp0(a->role, b->role) != 0)
                continue;
            ps_error_at(error, PS_ERROR_VALUE, ps_idg_place(kernel->idg, code->line),
                        "two codes are named '%s'; a role is one code", b->role);
            return FALSE;
        }
    return TRUE;
}

gboolean ps_program_resolve_awaits(PsKernel *kernel, GError **error)
{
    if (!check_roles(kernel, error))
        return FALSE;
    for (guint p = 0; p < kernel->n_programs; p++) {
        const PsIdgCode *code = kernel->idg->codes->pdata[p];
        if (!resolve_body(kernel, p, code->body, error))
            return FALSE;
    }
    return TRUE;
}

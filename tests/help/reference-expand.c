/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Expansion of a code into instances: see reference-expand.h. First the loops are walked as a
 * processor would walk them; then each dependence is looked up by going back through the list.
 */
#include "tests/help/reference-expand.h"

#include <string.h>

typedef struct {
    const PsScope *scope;
    GPtrArray *list;
    GArray *loops; /* RefLoop that are open, outermost first */
    guint executions;
} Walk;

static void instance_free(gpointer data)
{
    RefInstance *instance = data;
    g_array_unref(instance->loops);
    g_array_unref(instance->needs);
    g_array_unref(instance->awaits);
    g_free(instance);
}

static gint64 evaluate(const PsExpr *expr, const PsScope *scope)
{
    GError *error = NULL;
    gint64 value = 0;
    if (!ps_expr_eval_int(expr, scope, (PsPlace){"test", 0},
                          &(PsIntRange){"number", -1000000, 1000000}, &value, &error))
        g_error("%s", error->message);
    return value;
}

static gboolean part_is(const char *class_name, guint part, const char *word)
{
    g_auto(GStrv) parts = g_strsplit(class_name, ".", -1);
    return g_strv_length(parts) > part && strcmp(parts[part], word) == 0;
}

/* ---- the list ------------------------------------------------------------------------------ */

static void walk_node(Walk *walk, const PsIdgItem *item)
{
    RefInstance *instance = g_new0(RefInstance, 1);
    instance->item = item;
    instance->loops = g_array_copy(walk->loops);
    instance->needs = g_array_new(FALSE, FALSE, sizeof(guint));
    instance->awaits = g_array_new(FALSE, FALSE, sizeof(RefAwait));
    instance->barrier = part_is(item->class_name, 0, "barrier");
    instance->store = part_is(item->class_name, 1, "store");
    g_ptr_array_add(walk->list, instance);
}

static void walk_body(Walk *walk, const GPtrArray *body)
{
    for (guint i = 0; i < body->len; i++) {
        const PsIdgItem *item = body->pdata[i];
        if (item->kind == PS_IDG_NODE) {
            walk_node(walk, item);
            continue;
        }
        RefLoop loop = {item, walk->executions++};
        g_array_append_val(walk->loops, loop);
        for (gint64 trips = evaluate(item->times, walk->scope); trips > 0; trips--)
            walk_body(walk, item->body);
        g_array_set_size(walk->loops, walk->loops->len - 1);
    }
}

static void number_barriers(const GPtrArray *list)
{
    guint barriers = 0;
    for (guint i = 0; i < list->len; i++) {
        RefInstance *instance = list->pdata[i];
        instance->barrier_number = barriers;
        barriers += instance->barrier;
    }
}

/* TRUE if a node of the body, whether it ever runs or not, depends on that name. */
static gboolean depended_on(const GPtrArray *body, const char *name)
{
    for (guint i = 0; i < body->len; i++) {
        const PsIdgItem *item = body->pdata[i];
        if (item->kind == PS_IDG_LOOP && depended_on(item->body, name))
            return TRUE;
        for (guint d = 0; item->kind == PS_IDG_NODE && d < item->after->len; d++)
            if (strcmp(((const PsIdgDep *)item->after->pdata[d])->on, name) == 0)
                return TRUE;
    }
    return FALSE;
}

static void find_unneeded(const GPtrArray *list, const GPtrArray *body)
{
    for (guint i = 0; i < list->len; i++) {
        RefInstance *instance = list->pdata[i];
        instance->unneeded = !depended_on(body, instance->item->name);
    }
}

/* ---- dependences --------------------------------------------------------------------------- */

/* The place of the most recent instance of that name before a place; -1 where there is none. */
static int recent(const GPtrArray *list, const char *name, int before)
{
    int place = before - 1;
    while (place >= 0 && strcmp(((RefInstance *)list->pdata[place])->item->name, name) != 0)
        place--;
    return place;
}

static void need(RefInstance *instance, int place)
{
    guint value = (guint)place;
    if (place >= 0)
        g_array_append_val(instance->needs, value);
}

static void need_recent(const GPtrArray *list, guint v, const char *name, gint64 distance)
{
    int place = (int)v;
    while (distance-- > 0 && place >= 0)
        place = recent(list, name, place);
    need(list->pdata[v], place);
}

static const RefLoop *find_loop(const RefInstance *instance, const PsIdgItem *loop)
{
    for (guint i = 0; i < instance->loops->len; i++)
        if (g_array_index(instance->loops, RefLoop, i).loop == loop)
            return &g_array_index(instance->loops, RefLoop, i);
    return NULL;
}

/* The outermost loop around x that is not around v. */
static const RefLoop *outermost(const RefInstance *x, const RefInstance *v)
{
    for (guint i = 0; i < x->loops->len; i++) {
        const RefLoop *loop = &g_array_index(x->loops, RefLoop, i);
        if (!find_loop(v, loop->loop))
            return loop;
    }
    return NULL;
}

/* Trip counts do not change, so the most recent execution that made an instance of x is the most
 * recent one, or x has no instances at all. */
static void need_all(const GPtrArray *list, guint v, const char *name)
{
    int last = recent(list, name, (int)v);
    if (last < 0)
        return;
    const RefLoop *loop = outermost(list->pdata[last], list->pdata[v]);
    if (!loop) {
        need(list->pdata[v], last);
        return;
    }
    for (int x = last; x >= 0; x = recent(list, name, x)) {
        const RefLoop *same = find_loop(list->pdata[x], loop->loop);
        if (same->execution == loop->execution)
            need(list->pdata[v], x);
    }
}

static void need_fence(const GPtrArray *list, guint v)
{
    int place = (int)v - 1;
    while (place >= 0 && !((RefInstance *)list->pdata[place])->barrier)
        place--;
    need(list->pdata[v], place);
}

static void find_needs(const GPtrArray *list, guint v, const PsScope *scope)
{
    const RefInstance *instance = list->pdata[v];
    for (guint d = 0; d < instance->item->after->len; d++) {
        const PsIdgDep *dep = instance->item->after->pdata[d];
        if (dep->all)
            need_all(list, v, dep->on);
        else
            need_recent(list, v, dep->on, dep->distance ? evaluate(dep->distance, scope) : 1);
    }
    need_fence(list, v);
}

GPtrArray *ref_expand(const GPtrArray *body, const PsScope *scope)
{
    Walk walk = {scope, g_ptr_array_new_with_free_func(instance_free),
                 g_array_new(FALSE, FALSE, sizeof(RefLoop)), 0};
    walk_body(&walk, body);
    g_array_unref(walk.loops);
    number_barriers(walk.list);
    find_unneeded(walk.list, body);
    for (guint v = 0; v < walk.list->len; v++)
        find_needs(walk.list, v, scope);
    return walk.list;
}

/* ---- what other warps do (R12) ------------------------------------------------------------- */

static guint code_named(const PsIdg *idg, guint kind, const char *role)
{
    for (guint c = 0; c < idg->codes->len; c++) {
        const PsIdgCode *code = idg->codes->pdata[c];
        if (code->kind == kind && code->name && strcmp(code->name, role) == 0)
            return c;
    }
    g_error("no code is named %s", role);
}

static gint64 instances_of(const GPtrArray *list, guint before, const char *name)
{
    gint64 n = 0;
    for (guint i = 0; i < before; i++)
        n += strcmp(((const RefInstance *)list->pdata[i])->item->name, name) == 0;
    return n;
}

static void await_one(const RefInstance *instance, const PsIdgAwait *await, gint64 k, guint code,
                      const GPtrArray *list, const PsScope *scope)
{
    const gint64 per = await->per ? evaluate(await->per, scope) : 1;
    const gint64 every = await->every ? evaluate(await->every, scope) : 1;
    const gint64 before = await->before ? evaluate(await->before, scope) : 0;
    RefAwait needs = {code, await->on, per * (k / every + 1 - before)};
    if (await->to_all)
        needs.first = MIN(needs.first, instances_of(list, list->len, await->on));
    if (await->all)
        needs.first = instances_of(list, list->len, await->on);
    g_array_append_val(instance->awaits, needs);
    for (guint i = 0; i < list->len; i++) {
        RefInstance *x = list->pdata[i];
        if (strcmp(x->item->name, await->on) == 0)
            x->unneeded = FALSE;
    }
}

void ref_expand_awaits(const PsIdg *idg, const PsScope *scope, const GPtrArray *codes)
{
    for (guint c = 0; c < codes->len; c++) {
        const GPtrArray *list = codes->pdata[c];
        const guint kind = ((const PsIdgCode *)idg->codes->pdata[c])->kind;
        for (guint i = 0; i < list->len; i++) {
            const RefInstance *instance = list->pdata[i];
            const GPtrArray *awaits = instance->item->awaits.list;
            const gint64 k = instances_of(list, i, instance->item->name);
            for (guint a = 0; awaits && a < awaits->len; a++) {
                const guint code = code_named(idg, kind, ((PsIdgAwait *)awaits->pdata[a])->role);
                await_one(instance, awaits->pdata[a], k, code, codes->pdata[code], scope);
            }
        }
    }
}

/* ---- which code a warp runs ---------------------------------------------------------------- */

static gboolean claims(const PsIdgCode *code, const PsScope *scope, gint64 warp)
{
    for (guint i = 0; code->warps && i < code->warps->len; i++) {
        const PsIdgWarps *range = code->warps->pdata[i];
        gint64 first = evaluate(range->first, scope);
        gint64 last = range->last ? evaluate(range->last, scope) : first;
        if (first <= warp && warp <= last)
            return TRUE;
    }
    return FALSE;
}

guint ref_code_of(const PsIdg *idg, const PsScope *scope, guint kind, gint64 warp)
{
    for (guint c = 0; c < idg->codes->len; c++) {
        const PsIdgCode *code = idg->codes->pdata[c];
        if (code->kind == kind && claims(code, scope, warp))
            return c;
    }
    for (guint c = 0; c < idg->codes->len; c++) {
        const PsIdgCode *code = idg->codes->pdata[c];
        if (code->kind == kind && !code->warps)
            return c;
    }
    g_error("no code for warp %" G_GINT64_FORMAT, warp);
}

guint ref_kinds(const PsIdg *idg)
{
    return idg->kinds->len > 0 ? idg->kinds->len : 1;
}

gint64 ref_share(const PsIdg *idg, const PsScope *scope, guint kind)
{
    if (idg->kinds->len == 0)
        return 1;
    return evaluate(((const PsIdgGroups *)idg->kinds->pdata[kind])->share, scope);
}

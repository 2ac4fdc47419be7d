/* SPDX-License-Identifier: BSD-3-Clause */
/* See edit.h. */
#include "idg/edit.h"

#include "idg/internal.h"

#include <string.h>

/* ---- copies -------------------------------------------------------------------------------- */

static void copy_body(const GPtrArray *from, GPtrArray *to)
{
    for (guint i = 0; i < from->len; i++)
        g_ptr_array_add(to, ps_idg_copy_item(from->pdata[i]));
}

/* Recursive; PS_IDG_MAX_DEPTH bounds it. */
PsIdgItem *ps_idg_copy_item(const PsIdgItem *item)
{
    PsIdgItem *copy = g_new0(PsIdgItem, 1);
    copy->kind = item->kind;
    ps_fields_copy(ps_idg_item_fields(item), item, copy);
    if (item->kind == PS_IDG_LOOP) {
        copy->body = g_ptr_array_new_with_free_func(ps_idg_free_item);
        copy_body(item->body, copy->body);
    }
    copy->file = g_strdup(item->file);
    copy->comment = g_strdup(item->comment);
    copy->line = item->line;
    copy->instruction = item->instruction;
    return copy;
}

PsIdgCode *ps_idg_add_copy(PsIdg *idg, const PsIdgCode *code)
{
    PsIdgCode *copy = ps_idg_add_code(idg);
    copy->line = code->line;
    copy->kind = code->kind;
    copy->name = g_strdup(code->name);
    copy_body(code->body, copy->body);
    return copy;
}

void ps_idg_sort_codes(PsIdg *idg)
{
    g_autoptr(GPtrArray) sorted = g_ptr_array_new();
    for (guint k = 0; k < MAX(idg->kinds->len, 1); k++)
        for (guint i = 0; i < idg->codes->len; i++)
            if (((const PsIdgCode *)idg->codes->pdata[i])->kind == k)
                g_ptr_array_add(sorted, idg->codes->pdata[i]);
    memcpy(idg->codes->pdata, sorted->pdata, sorted->len * sizeof *sorted->pdata);
}

PsExpr *ps_idg_number(gint64 number)
{
    g_autofree char *text = g_strdup_printf("%" G_GINT64_FORMAT, number);
    return ps_expr_new(text, (PsPlace){text, 0}, NULL);
}

static void copy_code(const PsIdgCode *code, PsIdg *to)
{
    PsIdgCode *copy = ps_idg_add_copy(to, code);
    for (guint i = 0; code->warps && i < code->warps->len; i++) {
        const PsIdgWarps *warps = code->warps->pdata[i];
        ps_idg_add_warps(copy, ps_idg_copy_expr(warps->first), ps_idg_copy_expr(warps->last));
    }
}

static void copy_lists(const PsIdg *idg, PsIdg *to)
{
    for (guint i = 0; i < idg->sources->len; i++) {
        const PsSource *source = idg->sources->pdata[i];
        PsSource *copy = g_memdup2(source, sizeof *source);
        copy->id = g_strdup(source->id);
        copy->text = g_strdup(source->text);
        copy->family = g_strdup(source->family);
        g_ptr_array_add(to->sources, copy);
    }
    for (guint i = 0; i < idg->guesses->len; i++) {
        const PsIdgGuess *guess = idg->guesses->pdata[i];
        PsIdgGuess *copy = g_new0(PsIdgGuess, 1);
        ps_fields_copy(&ps_idg_fields_guess, guess, copy);
        copy->text = g_strdup(guess->text);
        copy->sure = guess->sure;
        g_ptr_array_add(to->guesses, copy);
    }
    for (guint i = 0; i < idg->params->len; i++) {
        const PsIdgParam *param = idg->params->pdata[i];
        PsIdgParam *copy = ps_idg_add_param(to, NULL, NULL);
        ps_fields_copy(&ps_idg_fields_param, param, copy);
        copy->text = g_strdup(param->text);
        copy->line = param->line;
    }
}

/* A code belongs to the kind that was added last before it. */
static void copy_codes(const PsIdg *idg, PsIdg *to)
{
    for (guint i = 0; i < idg->codes->len; i++) {
        const PsIdgCode *code = idg->codes->pdata[i];
        for (guint k = to->kinds->len; k < idg->kinds->len && k <= code->kind; k++) {
            const PsIdgGroups *kind = idg->kinds->pdata[k];
            PsIdgGroups *copy = ps_idg_add_kind(to, NULL, NULL);
            ps_fields_copy(&ps_idg_fields_kind, kind, copy);
            copy->line = kind->line;
        }
        copy_code(code, to);
    }
}

PsIdg *ps_idg_copy(const PsIdg *idg)
{
    PsIdg *copy = ps_idg_new(idg->name);
    copy->path = g_strdup(idg->path);
    for (guint i = 0; ps_idg_fields[i]; i++)
        ps_fields_copy(ps_idg_fields[i], idg, copy);
    copy->launch.line = idg->launch.line;
    copy_lists(idg, copy);
    copy_codes(idg, copy);
    copy->stated_paths = idg->stated_paths ? g_hash_table_ref(idg->stated_paths) : NULL;
    copy->made_of = g_strdup(idg->made_of);
    copy->warnings = idg->warnings ? g_ptr_array_ref(idg->warnings) : NULL;
    copy->wave = idg->wave;
    return copy;
}

/* ---- finding ------------------------------------------------------------------------------- */

static PsIdgItem *find_in(const GPtrArray *body, const char *name)
{
    PsIdgItem *found = NULL;
    for (guint i = 0; !found && i < body->len; i++) {
        PsIdgItem *item = body->pdata[i];
        if (item->kind == PS_IDG_LOOP)
            found = find_in(item->body, name);
        else if (strcmp(item->name, name) == 0)
            found = item;
    }
    return found;
}

PsIdgItem *ps_idg_find(const PsIdg *idg, guint code, const char *name)
{
    return find_in(((const PsIdgCode *)idg->codes->pdata[code])->body, name);
}

/* ---- removing ------------------------------------------------------------------------------ */

/* The place of a node in the code. */
typedef struct {
    const PsIdgItem *item;
    const GPtrArray *body; /* the body that has it */
    guint position;        /* in program order */
    gboolean goes;
} Spot;

typedef struct {
    GHashTable *spots; /* name -> Spot */
    PsIdgMeans means;
    void *data;
    guint n, gone;
} Removal;

static void find_spots(Removal *removal, const GPtrArray *body)
{
    for (guint i = 0; i < body->len; i++) {
        const PsIdgItem *item = body->pdata[i];
        if (item->kind == PS_IDG_LOOP) {
            find_spots(removal, item->body);
            continue;
        }
        Spot *spot = g_new0(Spot, 1);
        *spot = (Spot){item, body, removal->n++, removal->means(item, removal->data)};
        removal->gone += spot->goes;
        g_hash_table_insert(removal->spots, item->name, spot);
    }
}

/* The iterations of their common body between a node and its producer, beside the written distance:
 * 1 where the producer stands later, since its instance is of the iteration before. */
static int turn(const Spot *on, const Spot *node)
{
    return on->position < node->position ? 1 : 0;
}

static const char *distance_of(const PsIdgDep *dep)
{
    return dep->distance ? ps_expr_text(dep->distance) : "1";
}

/* The dependence of v on y by way of r, which is removed. Distances add up within one body;
 * elsewhere v waits for the latest instance, or for all. */
static PsIdgDep *bridge(const Spot *v, const PsIdgDep *on_r, const Spot *r, const PsIdgDep *on_y,
                        const Spot *y)
{
    PsIdgDep *dep = g_new0(PsIdgDep, 1);
    dep->on = g_strdup(on_y->on);
    dep->all = (on_r->all && r->body == y->body) || on_y->all;
    if (dep->all || v->body != r->body || r->body != y->body ||
        (!on_r->distance && !on_y->distance && y->position < r->position &&
         r->position < v->position))
        return dep;
    const int more = turn(y, v) - turn(r, v) - turn(y, r);
    g_autofree char *text =
        g_strdup_printf("((%s)+(%s)%+d)", distance_of(on_r), distance_of(on_y), more);
    dep->distance = ps_expr_new(text, (PsPlace){"after", 0}, NULL);
    return dep;
}

/* The dependences of a node when the removed nodes are gone. */
typedef struct {
    const Removal *removal;
    const Spot *node;
    GPtrArray *deps;  /* PsIdgDep, owned here */
    GHashTable *seen; /* names of removed nodes that were looked through */
} Rewiring;

static gboolean is_there(const GPtrArray *deps, const PsIdgDep *dep)
{
    for (guint i = 0; i < deps->len; i++) {
        const PsIdgDep *other = deps->pdata[i];
        if (strcmp(other->on, dep->on) == 0 && other->all == dep->all &&
            strcmp(distance_of(other), distance_of(dep)) == 0)
            return TRUE;
    }
    return FALSE;
}

/* Takes over the dependence. Recursive through removed nodes; each is visited once, so that circles
 * end. */
static void take(Rewiring *rewiring, PsIdgDep *dep)
{
    const Spot *on = g_hash_table_lookup(rewiring->removal->spots, dep->on);
    const gboolean goes = on && on->goes;
    if (!goes && rewiring->deps->len < PS_IDG_MAX_AFTER && !is_there(rewiring->deps, dep)) {
        g_ptr_array_add(rewiring->deps, dep);
        return;
    }
    if (goes && g_hash_table_add(rewiring->seen, on->item->name))
        for (guint i = 0; i < on->item->after->len; i++) {
            const PsIdgDep *next = on->item->after->pdata[i];
            const Spot *y = g_hash_table_lookup(rewiring->removal->spots, next->on);
            if (y && y != on)
                take(rewiring, bridge(rewiring->node, dep, on, next, y));
        }
    ps_idg_free_dep(dep);
}

static gboolean waits_for_any(const Removal *removal, const PsIdgItem *item)
{
    for (guint i = 0; i < item->after->len; i++) {
        const PsIdgDep *dep = item->after->pdata[i];
        const Spot *on = g_hash_table_lookup(removal->spots, dep->on);
        if (on && on->goes)
            return TRUE;
    }
    return FALSE;
}

static void rewire(const Removal *removal, PsIdgItem *item)
{
    if (!waits_for_any(removal, item))
        return;
    g_autoptr(GPtrArray) old = item->after;
    g_autoptr(GHashTable) seen = g_hash_table_new(g_str_hash, g_str_equal);
    item->after = ps_idg_new_deps();
    Rewiring rewiring = {removal, g_hash_table_lookup(removal->spots, item->name), item->after,
                         seen};
    g_ptr_array_set_free_func(old, NULL);
    for (guint i = 0; i < old->len; i++)
        take(&rewiring, old->pdata[i]);
}

static void rewire_body(const Removal *removal, const GPtrArray *body)
{
    for (guint i = 0; i < body->len; i++) {
        PsIdgItem *item = body->pdata[i];
        if (item->kind == PS_IDG_LOOP)
            rewire_body(removal, item->body);
        else if (!((const Spot *)g_hash_table_lookup(removal->spots, item->name))->goes)
            rewire(removal, item);
    }
}

static void drop(const Removal *removal, GPtrArray *body)
{
    for (guint i = body->len; i-- > 0;) {
        PsIdgItem *item = body->pdata[i];
        if (item->kind == PS_IDG_LOOP)
            drop(removal, item->body);
        if (item->kind == PS_IDG_LOOP
                ? item->body->len == 0
                : ((const Spot *)g_hash_table_lookup(removal->spots, item->name))->goes)
            g_ptr_array_remove_index(body, i);
    }
}

guint ps_idg_remove(PsIdg *idg, guint code, PsIdgMeans means, void *data)
{
    GPtrArray *body = ((PsIdgCode *)idg->codes->pdata[code])->body;
    g_autoptr(GHashTable) spots = g_hash_table_new_full(g_str_hash, g_str_equal, NULL, g_free);
    Removal removal = {.spots = spots, .means = means, .data = data};
    find_spots(&removal, body);
    rewire_body(&removal, body);
    drop(&removal, body);
    return removal.gone;
}

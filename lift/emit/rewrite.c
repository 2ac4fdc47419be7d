/* SPDX-License-Identifier: BSD-3-Clause */
/* See rewrite.h. */
#include "lift/emit/rewrite.h"

#include "idg/edit.h"
#include "idg/internal.h"
#include "lift/values/sequence.h"

#include <string.h>

/* A node of the code. */
typedef struct {
    PsIdgItem *item;
    GPtrArray *body;  /* the body that has it */
    guint number;     /* in program order */
    const char *to;   /* the operation that replaces it, or NULL */
    GPtrArray *parts; /* Place: nodes of its operation, borrowed; NULL: none */
    gboolean goes;
} Place;

typedef struct {
    GHashTable *by_name; /* name -> Place */
    GPtrArray *places;   /* the places in program order, owned */
} Places;

static void free_place(void *data)
{
    Place *place = data;
    g_clear_pointer(&place->parts, g_ptr_array_unref);
    g_free(place);
}

static void find_places(Places *places, GPtrArray *body)
{
    for (guint i = 0; i < body->len; i++) {
        PsIdgItem *item = body->pdata[i];
        if (item->kind == PS_IDG_LOOP) {
            find_places(places, item->body);
            continue;
        }
        Place *place = g_new0(Place, 1);
        *place = (Place){.item = item, .body = body, .number = places->places->len};
        g_ptr_array_add(places->places, place);
        g_hash_table_insert(places->by_name, item->name, place);
    }
}

static Place *place_of(const Places *places, const char *name)
{
    return name ? g_hash_table_lookup(places->by_name, name) : NULL;
}

/* Asks for the replacement of each node, and gives replaced nodes their parts. */
static void choose(const Places *places, PsRewriteTo to, gpointer data)
{
    for (guint i = 0; i < places->places->len; i++) {
        Place *place = places->places->pdata[i];
        if (!place_of(places, place->item->part))
            place->to = to(place->item, data);
        place->goes = place->to && !*place->to;
    }
    for (guint i = 0; i < places->places->len; i++) {
        Place *place = places->places->pdata[i], *whole = place_of(places, place->item->part);
        if (!whole || !whole->to)
            continue;
        if (!whole->parts)
            whole->parts = g_ptr_array_new();
        g_ptr_array_add(whole->parts, place);
        place->goes = TRUE;
    }
}

/* TRUE if a part is computed from the result: then its readers read the result in another form. */
static gboolean is_result(const Places *places, const Place *place)
{
    const Place *whole = place_of(places, place->item->part);
    for (guint i = 0; whole && i < place->item->after->len; i++)
        if (place->number > whole->number &&
            place_of(places, ((const PsIdgDep *)place->item->after->pdata[i])->on) == whole)
            return TRUE;
    return FALSE;
}

/* Keeps parts that an unchanged node needs. TRUE if there was one. */
static gboolean keep_needed(const Places *places, const Place *place)
{
    gboolean any = FALSE;
    for (guint i = 0; !place->goes && !place->to && i < place->item->after->len; i++) {
        Place *on = place_of(places, ((const PsIdgDep *)place->item->after->pdata[i])->on);
        if (!on || !on->goes || on->to || is_result(places, on))
            continue;
        on->goes = FALSE;
        any = TRUE;
    }
    return any;
}

static void keep_shared(const Places *places)
{
    gboolean any = TRUE;
    while (any) {
        any = FALSE;
        for (guint i = 0; i < places->places->len; i++)
            any |= keep_needed(places, places->places->pdata[i]);
    }
}

/* ---- new nodes ----------------------------------------------------------------------------- */

static gboolean has_dep(const GPtrArray *deps, const char *on)
{
    for (guint i = 0; i < deps->len; i++)
        if (strcmp(((const PsIdgDep *)deps->pdata[i])->on, on) == 0)
            return TRUE;
    return FALSE;
}

/* The name of a node outside of the operation that a node inside waits for; NULL: it is inside. A
 * later node's value is of the iteration before; if it is the result, or computed from it, it
 * becomes the whole's. */
static const char *outside_of(const Places *places, const Place *whole, const Place *from,
                              const char *name)
{
    const Place *on = place_of(places, name);
    if (!on || (on != whole && g_strcmp0(on->item->part, whole->item->name) != 0))
        return name;
    return from->number <= whole->number && on->number >= whole->number && from->body == whole->body
               ? whole->item->name
               : NULL;
}

/* Adds the dependences of an operation's node on nodes outside. A distance counts in the body in
 * which it is written. */
static void collect(const Places *places, const Place *whole, const Place *from, GPtrArray *deps)
{
    for (guint i = 0; i < from->item->after->len; i++) {
        const PsIdgDep *dep = from->item->after->pdata[i];
        const char *on = outside_of(places, whole, from, dep->on);
        if (!on || has_dep(deps, on))
            continue;
        PsIdgDep *copy = g_new0(PsIdgDep, 1);
        copy->on = g_strdup(on);
        copy->all = dep->all;
        if (dep->distance && from->body == whole->body)
            copy->distance = ps_expr_new(ps_expr_text(dep->distance), (PsPlace){"after", 0}, NULL);
        g_ptr_array_add(deps, copy);
    }
}

/* The inputs of the operation's parts, or of all of it with the result. */
static GPtrArray *inputs_of(const Places *places, const Place *place, gboolean all)
{
    GPtrArray *deps = ps_idg_new_deps();
    for (guint i = 0; place->parts && i < place->parts->len; i++)
        collect(places, place, place->parts->pdata[i], deps);
    if (all || deps->len == 0)
        collect(places, place, place, deps);
    return deps;
}

static char *name_of(const Place *place, const PsSequence *sequence, guint step)
{
    return step == sequence->result ? g_strdup(place->item->name)
                                    : g_strdup_printf("%s__r%u", place->item->name, step + 1);
}

static void add_inputs(PsIdgItem *node, const GPtrArray *inputs)
{
    for (guint i = 0; i < inputs->len && node->after->len < PS_IDG_MAX_AFTER; i++) {
        const PsIdgDep *input = inputs->pdata[i];
        PsIdgDep *dep = ps_idg_add_dep(node, input->on);
        dep->all = input->all;
        if (input->distance)
            dep->distance = ps_expr_new(ps_expr_text(input->distance), (PsPlace){"after", 0}, NULL);
    }
}

/* The node with the result keeps its operations, as those on singles if it becomes one on
 * singles. */
static void change_result(PsIdgItem *node, const char *class_name)
{
    g_free(node->class_name);
    node->class_name = g_strdup(class_name);
    g_clear_pointer(&node->op, g_free);
    g_clear_pointer(&node->by, g_free);
    g_ptr_array_set_size(node->after, 0);
    if (g_strcmp0(node->type, "fp64") == 0 && *class_name == 'f') {
        g_free(node->type);
        node->type = g_strdup("fp32");
    }
}

/* Adds a step before the result, at its source line. */
static PsIdgItem *new_step(GPtrArray *holder, const Place *place, const char *name,
                           const char *class_name)
{
    PsIdgItem *node = ps_idg_add_node(holder, name, class_name);
    node->source_line = place->item->source_line;
    node->file = g_strdup(place->item->file);
    node->via = g_strdup(place->item->via);
    node->near = place->item->near;
    return node;
}

/* Writes the steps in the result's place; returns the number of additional ones. */
static guint write_steps(const Places *places, const Place *place)
{
    g_autoptr(PsSequence) sequence = ps_sequence_new(place->to);
    g_autoptr(GPtrArray) all = inputs_of(places, place, TRUE);
    g_autoptr(GPtrArray) of_parts = inputs_of(places, place, FALSE), holder = g_ptr_array_new();
    guint at = 0;
    g_ptr_array_find(place->body, place->item, &at);
    for (guint s = 0; s < sequence->steps->len; s++, at++) {
        const PsStep *step = &g_array_index(sequence->steps, PsStep, s);
        g_autofree char *name = name_of(place, sequence, s);
        PsIdgItem *node = place->item;
        if (s == sequence->result)
            change_result(node, step->class_name);
        else
            g_ptr_array_insert(place->body, (gint)at,
                               node = new_step(holder, place, name, step->class_name));
        if (step->reads)
            add_inputs(node, s == sequence->result ? all : of_parts);
        for (guint a = 0; a < step->n_after; a++) {
            g_autofree char *before = name_of(place, sequence, step->after[a]);
            ps_idg_add_dep(node, before);
        }
    }
    return sequence->steps->len - 1;
}

/* -------------------------------------------------------------------------------------------- */

static gboolean is_gone(const PsIdgItem *node, void *gone)
{
    return g_hash_table_contains(gone, node->name);
}

int ps_rewrite(PsIdg *idg, guint code, PsRewriteTo to, gpointer data)
{
    g_autoptr(GHashTable) by_name = g_hash_table_new(g_str_hash, g_str_equal);
    g_autoptr(GHashTable) gone = g_hash_table_new_full(g_str_hash, g_str_equal, g_free, NULL);
    g_autoptr(GPtrArray) list = g_ptr_array_new_with_free_func(free_place);
    const Places places = {by_name, list};
    guint more = 0;
    find_places((Places *)&places, ((PsIdgCode *)idg->codes->pdata[code])->body);
    choose(&places, to, data);
    keep_shared(&places);
    for (guint i = 0; i < list->len; i++) {
        const Place *place = list->pdata[i];
        if (place->to && *place->to)
            more += write_steps(&places, place);
    }
    for (guint i = 0; i < list->len; i++) {
        const Place *place = list->pdata[i];
        if (place->goes)
            g_hash_table_add(gone, g_strdup(place->item->name));
    }
    return (int)ps_idg_remove(idg, code, is_gone, gone) - (int)more;
}

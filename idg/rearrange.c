/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Turns a loop into sections, loops that follow one another. Unrolled: the trips that do several
 * iterations each, and the iterations that remain. With loads an iteration ahead: the first loads,
 * the trips that load for the next iteration, and the rest of the last iteration.
 *
 * A dependence refers to an instance so many trips back in the same section. Where that would be
 * before the section's first trip, the instance is in another section: then the node waits for the
 * latest one there, too. Instances of one node complete in order, so that waits for no more than
 * before.
 */
#include "idg/edit.h"
#include "idg/internal.h"
#include "idg/rearrange-private.h"

#include <string.h>

#define MOST_SECTIONS 3
/* Length of a trip count that still fits into another one twice. */
#define MOST_TIMES (PS_EXPR_MAX_BYTES / 4)

typedef struct {
    GArray *copies; /* PsCopy, in order */
    gint64 step;    /* iterations of a trip */
    gboolean once;  /* the copies serve the loop alone and exist once per trip */
    char *times;    /* trips */
} Section;

typedef struct {
    GPtrArray *parent; /* the body that has the loop */
    guint at;          /* the loop's place in it */
    const PsIdgItem *loop;
    gboolean enclosed; /* another loop encloses the loop */
    PsBody *body;
    GHashTable *names; /* names of the code's nodes; owned strings */
    const PsIdgWay *way;
    Section sections[MOST_SECTIONS];
    guint n_sections;
    GPtrArray *sums; /* [node]: PsIdgItem that add up the node's chains, borrowed; or NULL */
} Plan;

/* ---- finding it ---------------------------------------------------------------------------- */

/* Finds the loop whose own body has the node. Recursive; PS_IDG_MAX_DEPTH bounds it. */
static gboolean find_loop(Plan *plan, GPtrArray *parent, const char *node, guint depth)
{
    for (guint i = 0; i < parent->len; i++) {
        const PsIdgItem *item = parent->pdata[i];
        if (item->kind != PS_IDG_LOOP)
            continue;
        for (guint j = 0; j < item->body->len; j++)
            if (g_strcmp0(((const PsIdgItem *)item->body->pdata[j])->name, node) == 0 &&
                ((const PsIdgItem *)item->body->pdata[j])->kind == PS_IDG_NODE) {
                plan->parent = parent;
                plan->at = i;
                plan->loop = item;
                plan->enclosed = depth > 0;
                return TRUE;
            }
        if (find_loop(plan, item->body, node, depth + 1))
            return TRUE;
    }
    return FALSE;
}

/* Calls a function for each node of a body. */
static void each_node(const GPtrArray *body, void (*call)(PsIdgItem *node, Plan *plan), Plan *plan)
{
    for (guint i = 0; i < body->len; i++) {
        PsIdgItem *item = body->pdata[i];
        if (item->kind == PS_IDG_LOOP)
            each_node(item->body, call, plan);
        else
            call(item, plan);
    }
}

static void note_name(PsIdgItem *node, Plan *plan)
{
    g_hash_table_add(plan->names, g_strdup(node->name));
}

/* A name like this one that no node has; borrowed from the plan. */
static const char *new_name(const Plan *plan, const char *name)
{
    for (guint i = 1;; i++) {
        char *text = g_strdup_printf("%s__%u", name, i);
        if (!g_hash_table_contains(plan->names, text)) {
            g_hash_table_add(plan->names, text);
            return text;
        }
        g_free(text);
    }
}

/* ---- sections ------------------------------------------------------------------------------ */

/* Takes ownership of the copies and of the trip count. */
static void add_section(Plan *plan, GArray *copies, gint64 step, char *times)
{
    plan->sections[plan->n_sections++] = (Section){copies, step, step > 1, times};
}

/* Adds copies of all nodes of an iteration, or of the early ones, or of the others; in their
 * order. */
static void add_copies(const PsBody *body, GArray *copies, gboolean early, gboolean late,
                       gint64 offset)
{
    for (guint i = 0; i < body->nodes->len; i++) {
        const PsCopy copy = {i, offset, NULL};
        if (ps_body_node(body, i)->early ? early : late)
            g_array_append_val(copies, copy);
    }
}

static GArray *new_copies(void)
{
    return g_array_new(FALSE, FALSE, sizeof(PsCopy));
}

static void plan_prefetch(Plan *plan)
{
    const char *n = ps_expr_text(plan->loop->times);
    GArray *first = new_copies(), *main = new_copies(), *last = new_copies();
    add_copies(plan->body, first, TRUE, FALSE, 0);
    add_copies(plan->body, main, TRUE, FALSE, 1);
    add_copies(plan->body, main, FALSE, TRUE, 0);
    add_copies(plan->body, last, FALSE, TRUE, 0);
    add_section(plan, first, 1, g_strdup_printf("min(1,%s)", n));
    add_section(plan, main, 1, g_strdup_printf("max(0,(%s)-1)", n));
    add_section(plan, last, 1, g_strdup_printf("min(1,%s)", n));
}

static void plan_unroll(Plan *plan, gboolean *passes_store)
{
    const char *n = ps_expr_text(plan->loop->times);
    const guint times = plan->way->times;
    GArray *main = ps_body_order(plan->body, times, plan->way->chains, passes_store);
    add_section(plan, main, times, g_strdup_printf("floor((%s)/%u)", n, times));
    if (times == 1)
        return;
    GArray *rest = new_copies();
    add_copies(plan->body, rest, TRUE, TRUE, 0);
    add_section(plan, rest, 1, g_strdup_printf("(%s)-%u*floor((%s)/%u)", n, times, n, times));
}

/* ---- what copies wait for ------------------------------------------------------------------ */

/* The copy of a node in a section whose iteration has this remainder by the section's step; -1:
 * there is none. */
static gint64 find_copy(const Section *section, guint node, gint64 iteration)
{
    const gint64 step = section->step;
    for (guint i = 0; i < section->copies->len; i++) {
        const PsCopy *copy = &g_array_index(section->copies, PsCopy, i);
        if (copy->node == node && ((copy->offset - iteration) % step + step) % step == 0)
            return i;
    }
    return -1;
}

/* The copy of the latest iteration of a trip; NULL: there is none. */
static const PsCopy *last_copy(const Section *section, guint node)
{
    const PsCopy *last = NULL;
    for (guint i = 0; i < section->copies->len; i++) {
        const PsCopy *copy = &g_array_index(section->copies, PsCopy, i);
        if (copy->node == node && (!last || copy->offset > last->offset))
            last = copy;
    }
    return last;
}

/* Adds a dependence, unless the node has it already or waits for a later instance. */
static void wait_for(PsIdgItem *item, const char *on, gint64 distance)
{
    g_autofree char *text = g_strdup_printf("%" G_GINT64_FORMAT, distance);
    for (guint i = 0; i < item->after->len; i++) {
        const PsIdgDep *dep = item->after->pdata[i];
        if (strcmp(dep->on, on) == 0 && !dep->all &&
            (!dep->distance || strcmp(ps_expr_text(dep->distance), text) == 0))
            return;
    }
    PsIdgDep *dep = ps_idg_add_dep(item, on);
    if (distance > 1)
        dep->distance = ps_expr_new(text, (PsPlace){"after", 0}, NULL);
}

/* An instance before the section's first trip is the latest one of another section. */
static void wait_elsewhere(const Plan *plan, guint at, guint node, PsIdgItem *item)
{
    for (guint s = 0; s < plan->n_sections; s++) {
        const PsCopy *copy = last_copy(&plan->sections[s], node);
        if (s != at && copy && (s < at || plan->enclosed))
            wait_for(item, copy->item->name, 1);
    }
}

/* The iteration that a copy needs, counted like the iterations of its trip; -1: none. A node that
 * exists once per trip needs its producer of an earlier trip. */
static gint64 target_of(const Plan *plan, const Section *section, const PsCopy *copy,
                        const PsNeed *need)
{
    const PsBodyNode *node = ps_body_node(plan->body, copy->node);
    const gboolean once = section->once && ps_body_node(plan->body, need->on)->once;
    if (once)
        return node->once ? copy->offset - need->back * section->step : -1;
    return copy->offset -
           (plan->way->chains && section->once && node->summed && need->on == node->adds_to
                ? section->step * need->back
                : need->back);
}

/* FALSE if this order does not allow the dependence. */
static gboolean wait_for_need(const Plan *plan, guint at, guint place, const PsNeed *need)
{
    const Section *section = &plan->sections[at];
    const PsCopy *copy = &g_array_index(section->copies, PsCopy, place);
    const gint64 target = target_of(plan, section, copy, need);
    const gint64 found = find_copy(section, need->on, target);
    gint64 trips = 1;
    if (found >= 0) {
        const PsCopy *on = &g_array_index(section->copies, PsCopy, found);
        trips = (on->offset - target) / section->step;
        if (trips + (found < place) < 1)
            return FALSE;
        wait_for(copy->item, on->item->name, trips + (found < place));
    }
    if (trips > 0)
        wait_elsewhere(plan, at, need->on, copy->item);
    return TRUE;
}

/* Keeps the dependences on nodes outside of the loop. */
static void wait_outside(const Plan *plan, const PsBodyNode *node, PsIdgItem *item)
{
    for (guint i = 0; i < node->item->after->len; i++) {
        const PsIdgDep *dep = node->item->after->pdata[i];
        if (g_hash_table_contains(plan->body->by_name, dep->on))
            continue;
        PsIdgDep *copy = ps_idg_add_dep(item, dep->on);
        copy->all = dep->all;
        copy->distance = dep->distance
                             ? ps_expr_new(ps_expr_text(dep->distance), (PsPlace){"after", 0}, NULL)
                             : NULL;
    }
}

static gboolean wait_in_section(const Plan *plan, guint at)
{
    const Section *section = &plan->sections[at];
    for (guint i = 0; i < section->copies->len; i++) {
        const PsCopy *copy = &g_array_index(section->copies, PsCopy, i);
        const PsBodyNode *node = ps_body_node(plan->body, copy->node);
        wait_outside(plan, node, copy->item);
        for (guint n = 0; n < node->needs->len; n++)
            if (!wait_for_need(plan, at, i, &g_array_index(node->needs, PsNeed, n)))
                return FALSE;
    }
    return TRUE;
}

/* The section whose trips do most iterations. */
static guint main_section(const Plan *plan)
{
    return plan->way->prefetch ? 1 : 0;
}

/* ---- making them --------------------------------------------------------------------------- */

/* A copy of the node without its dependences. The latest copy of the trips keeps the node's name,
 * so that other nodes find it. */
static PsIdgItem *make_copy(const Plan *plan, guint at, const PsCopy *copy)
{
    const PsIdgItem *node = ps_body_node(plan->body, copy->node)->item;
    PsIdgItem *item = ps_idg_copy_item(node);
    const gboolean keeps_name =
        at == main_section(plan) && last_copy(&plan->sections[at], copy->node) == copy;
    g_ptr_array_set_size(item->after, 0);
    g_clear_pointer(&item->reads, g_ptr_array_unref);
    g_clear_pointer(&item->comment, g_free);
    if (!keeps_name) {
        g_free(item->name);
        item->name = g_strdup(new_name(plan, node->name));
    }
    return item;
}

/* A stall count keeps the warp until the next instruction may issue. Only the last copy of a node
 * keeps it: behind the others stands a copy for another iteration. */
static void make_section(const Plan *plan, guint at, GPtrArray *made)
{
    const Section *section = &plan->sections[at];
    PsIdgItem *loop = ps_idg_add_loop(made, plan->loop->name,
                                      ps_expr_new(section->times, (PsPlace){"times", 0}, NULL));
    g_autofree gboolean *held = g_new0(gboolean, plan->body->nodes->len);
    for (guint i = 0; i < section->copies->len; i++) {
        PsCopy *copy = &g_array_index(section->copies, PsCopy, i);
        copy->item = make_copy(plan, at, copy);
        g_ptr_array_add(loop->body, copy->item);
    }
    for (guint i = section->copies->len; i-- > 0;) {
        const PsCopy *copy = &g_array_index(section->copies, PsCopy, i);
        if (held[copy->node])
            g_clear_pointer(&copy->item->hold, ps_expr_free);
        held[copy->node] = TRUE;
    }
}

static const char *copy_name(const Plan *plan, guint node, guint iteration)
{
    const Section *section = &plan->sections[0];
    const guint at = (guint)find_copy(section, node, iteration);
    return g_array_index(section->copies, PsCopy, at).item->name;
}

/* Adds up the chains that end in a node, one after the other. */
static void make_sums(Plan *plan, guint node, GPtrArray *made)
{
    const PsIdgItem *of = ps_body_node(plan->body, node)->item;
    const char class_name[] = {of->class_name[0], 'a', 'd', 'd', '\0'};
    const char *before = copy_name(plan, node, 0);
    PsIdgItem *sum;
    guint iteration = 1;
    do {
        sum = ps_idg_add_node(made, new_name(plan, of->name), class_name);
        wait_for(sum, before, 1);
        wait_for(sum, copy_name(plan, node, iteration), 1);
        sum->file = g_strdup(of->file);
        sum->source_line = of->source_line;
        before = sum->name;
    } while (++iteration < plan->way->times);
    wait_for(sum, last_copy(&plan->sections[1], node)->item->name, 1);
    plan->sums->pdata[node] = sum;
}

static void make_all_sums(Plan *plan, GPtrArray *made, PsIdgRearranged *did)
{
    for (guint i = 0; plan->way->chains && i < plan->body->nodes->len; i++)
        if (ps_body_node(plan->body, i)->summed) {
            make_sums(plan, ps_body_node(plan->body, i)->adds_to, made);
            did->sums++;
            did->rounds = did->rounds || ps_body_node(plan->body, i)->item->class_name[0] != 'i';
        }
}

/* ---- who waits for them -------------------------------------------------------------------- */

static gboolean has_far(const GPtrArray *body, const Plan *plan)
{
    for (guint i = 0; i < body->len; i++) {
        const PsIdgItem *item = body->pdata[i];
        if (item == plan->loop)
            continue;
        if (item->kind == PS_IDG_LOOP && has_far(item->body, plan))
            return TRUE;
        for (guint d = 0; item->kind == PS_IDG_NODE && d < item->after->len; d++) {
            const PsIdgDep *dep = item->after->pdata[d];
            if (dep->distance && g_hash_table_contains(plan->body->by_name, dep->on))
                return TRUE;
        }
    }
    return FALSE;
}

/* An item that waited for a node's latest instance, or for all, waits for those of its copies. */
static void wait_for_copies(const Plan *plan, guint node, gboolean all, PsIdgItem *item)
{
    for (guint s = 0; s < plan->n_sections; s++)
        for (guint i = 0; i < plan->sections[s].copies->len; i++) {
            const PsCopy *copy = &g_array_index(plan->sections[s].copies, PsCopy, i);
            if (copy->node != node || (!all && copy != last_copy(&plan->sections[s], node)))
                continue;
            if (all)
                ps_idg_add_dep(item, copy->item->name)->all = TRUE;
            else
                wait_for(item, copy->item->name, 1);
        }
}

static gboolean waits_for_loop(const Plan *plan, const PsIdgItem *item)
{
    for (guint i = 0; i < item->after->len; i++)
        if (g_hash_table_contains(plan->body->by_name,
                                  ((const PsIdgDep *)item->after->pdata[i])->on))
            return TRUE;
    return FALSE;
}

static void rewire(PsIdgItem *item, Plan *plan)
{
    if (!waits_for_loop(plan, item))
        return;
    g_autoptr(GPtrArray) old = item->after;
    item->after = ps_idg_new_deps();
    g_ptr_array_set_free_func(old, NULL);
    for (guint i = 0; i < old->len; i++) {
        PsIdgDep *dep = old->pdata[i];
        const guint node = GPOINTER_TO_UINT(g_hash_table_lookup(plan->body->by_name, dep->on));
        if (node == 0) {
            g_ptr_array_add(item->after, dep);
            continue;
        }
        const PsIdgItem *sum = plan->sums->pdata[node - 1];
        if (sum)
            wait_for(item, sum->name, 1);
        else
            wait_for_copies(plan, node - 1, dep->all, item);
        ps_idg_free_dep(dep);
    }
}

/* ---- what it takes ------------------------------------------------------------------------- */

static void count(const Plan *plan, const GPtrArray *made, PsIdgRearranged *did)
{
    const PsIdgItem *loop = made->pdata[main_section(plan)];
    const gint64 before = ps_body_words(plan->loop->body, plan->way->scope, NULL);
    const gint64 after = ps_body_words(loop->body, plan->way->scope, NULL);
    did->words = (guint)MAX(0, after - before);
    for (guint i = 0; i < plan->body->nodes->len; i++) {
        const PsBodyNode *node = ps_body_node(plan->body, i);
        did->loads += node->load;
        did->apart = did->apart || (node->fence && !node->once);
    }
}

/* ---- all ----------------------------------------------------------------------------------- */

static gboolean is_changed(const Plan *plan)
{
    const GArray *copies = plan->sections[0].copies;
    gboolean summed = FALSE;
    for (guint i = 0; i < plan->body->nodes->len; i++)
        summed = summed || ps_body_node(plan->body, i)->summed;
    if (plan->way->chains)
        return summed && plan->way->times > 1;
    for (guint i = 0; plan->way->times == 1 && !plan->way->prefetch && i < copies->len; i++)
        if (g_array_index(copies, PsCopy, i).node != i)
            return TRUE;
    return plan->way->times > 1 || plan->way->prefetch;
}

static gboolean is_sound(const Plan *plan, const PsIdgCode *code)
{
    gboolean sound = is_changed(plan) && !has_far(code->body, plan);
    for (guint s = 0; sound && s < plan->n_sections; s++)
        sound = wait_in_section(plan, s);
    return sound;
}

/* Puts the new items in the place of the loop. */
static void replace(Plan *plan, const PsIdgCode *code, GPtrArray *made)
{
    PsIdgItem *loop = g_ptr_array_steal_index(plan->parent, plan->at);
    each_node(code->body, rewire, plan);
    for (guint i = 0; i < made->len; i++)
        g_ptr_array_insert(plan->parent, (gint)(plan->at + i), made->pdata[i]);
    g_ptr_array_set_free_func(made, NULL);
    ps_idg_free_item(loop);
}

static gboolean carry_out(Plan *plan, const PsIdgCode *code, PsIdgRearranged *did)
{
    g_autoptr(GPtrArray) made = g_ptr_array_new_with_free_func(ps_idg_free_item);
    *did = (PsIdgRearranged){0};
    if (plan->way->prefetch)
        plan_prefetch(plan);
    else
        plan_unroll(plan, &did->passes_store);
    for (guint s = 0; s < plan->n_sections; s++)
        make_section(plan, s, made);
    if (!is_sound(plan, code))
        return FALSE;
    make_all_sums(plan, made, did);
    count(plan, made, did);
    replace(plan, code, made);
    return TRUE;
}

static void clear_plan(Plan *plan)
{
    for (guint s = 0; s < plan->n_sections; s++) {
        g_array_unref(plan->sections[s].copies);
        g_free(plan->sections[s].times);
    }
}

gboolean ps_idg_rearrange(PsIdg *idg, guint code, const char *node, const PsIdgWay *way,
                          PsIdgRearranged *did)
{
    const PsIdgCode *of = idg->codes->pdata[code];
    Plan plan = {.way = way};
    if (ps_idg_has_awaits(idg) || /* awaits count instances */
        !find_loop(&plan, of->body, node, 0) || strlen(ps_expr_text(plan.loop->times)) > MOST_TIMES)
        return FALSE;
    g_autoptr(PsBody) body = ps_body_new(plan.loop->body, way->scope);
    if (!body || (way->prefetch && !ps_body_find_early(body)))
        return FALSE;
    g_autoptr(GHashTable) names = g_hash_table_new_full(g_str_hash, g_str_equal, g_free, NULL);
    g_autoptr(GPtrArray) sums = g_ptr_array_new();
    g_ptr_array_set_size(sums, (gint)body->nodes->len);
    plan.body = body;
    plan.names = names;
    plan.sums = sums;
    each_node(of->body, note_name, &plan);
    const gboolean done = carry_out(&plan, of, did);
    clear_plan(&plan);
    return done;
}

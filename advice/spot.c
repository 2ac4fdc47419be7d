/* SPDX-License-Identifier: BSD-3-Clause */
/* Advice on atomics and stores that meet at one place and take turns there. See kind.h. */
#include "advice/access.h"
#include "answer/traffic.h"

#include "base/class-name.h"
#include "idg/edit.h"
#include "idg/words.h"

#include <math.h>
#include <string.h>

/* "one line of counters": a spot has the name of its buffer and the number of the line. */
static char *describe_spot(const PsAdvice *advice)
{
    const PsMoved *moved = advice->data;
    const char *number = strrchr(moved->spot, '_');
    return g_strdup_printf("%s of all groups meet at one line of %.*s, and take turns",
                           ps_class_is_store(advice->class_name) ? "stores" : "atomics",
                           number ? (int)(number - moved->spot) : (int)strlen(moved->spot),
                           moved->spot);
}

/* The sentence on accesses that meet in global memory, with its remedy. */
static char *spot_sentence(const PsAnswer *answer, const PsAdvice *advice, const char *what)
{
    g_autofree char *meet = describe_spot(advice);
    return ps_moved_sentence(answer, advice, g_strdup_printf("%s: %s", meet, what));
}

static char *describe_registers(const PsAnswer *answer, const PsAdvice *advice)
{
    return spot_sentence(answer, advice,
                         "sums of each thread, then of its group, and one atomic of each group");
}

static char *describe_local(const PsAnswer *answer, const PsAdvice *advice)
{
    g_autofree char *what = g_strdup_printf("sums in %s, which each group adds once,",
                                            ps_idg_local_memory(answer->idg));
    return spot_sentence(answer, advice, what);
}

static char *describe_apart(const PsAnswer *answer, const PsAdvice *advice)
{
    const PsMoved *moved = advice->data;
    if (moved->spot)
        return spot_sentence(answer, advice, "a line of its own for each group");
    return ps_moved_sentence(answer, advice,
                             g_strdup_printf("up to %" G_GINT64_FORMAT
                                             " threads of a warp meet at one address of %s: "
                                             "one of its own for each",
                                             moved->now, ps_idg_local_memory(answer->idg)));
}

static const PsAdviceChange in_registers = PS_MOVED_CHANGE("in-registers", describe_registers);

static const PsAdviceChange in_local = PS_MOVED_CHANGE("in-local", describe_local);

static const PsAdviceChange own_places = PS_MOVED_CHANGE("own-places", describe_apart);

#define MOST_SPOTS 3
#define ALL_MEET 32  /* PsIdgItem.meet */
#define SHUFFLES 5   /* shuffles that add up the values of a warp's threads */
#define SECTOR 32    /* bytes */
#define ROUNDED 0.01 /* rounding of a figure that a graph states in six decimals */

/* A program's nodes at one spot. */
typedef struct {
    const PsAnswer *answer;
    PsIdg *idg; /* the graph with the change */
    guint program;
    GPtrArray *nodes; /* PsProgramNode of the answer's kernel, in program order */
} Meeting;

static PsIdgItem *item_of(const Meeting *meeting, guint i)
{
    const PsProgramNode *node = meeting->nodes->pdata[i];
    return ps_idg_find(meeting->idg, meeting->program, node->item->name);
}

static gint64 warps_of(const Meeting *meeting)
{
    return MAX(meeting->answer->machine->launch.warps_per_group, 1);
}

/* ---- sums of each group first --------------------------------------------------------------- */

/* Nodes that are added behind the loops of the last node, at its source line. */
typedef struct {
    GPtrArray *body;
    guint index; /* index of the next node */
    const PsIdgItem *like;
    char *after; /* name of the node before */
} Behind;

static Behind behind(const Meeting *meeting)
{
    PsIdgItem *item = item_of(meeting, meeting->nodes->len - 1);
    g_autoptr(GPtrArray) loops = ps_idg_loops_around(meeting->idg, meeting->program, item);
    Behind place = {.body = ((PsIdgCode *)meeting->idg->codes->pdata[meeting->program])->body,
                    .like = item,
                    .after = g_strdup(item->name)};
    g_ptr_array_find(place.body, loops->len ? loops->pdata[loops->len - 1] : item, &place.index);
    place.index++;
    return place;
}

/* Adds a node that waits for the one before. */
static PsIdgItem *add_node(Behind *place, const char *what, const char *class_name)
{
    g_autoptr(GPtrArray) holder = g_ptr_array_new();
    g_autofree char *name = g_strdup_printf("%s__%s", place->like->name, what);
    PsIdgItem *node = ps_idg_add_node(holder, name, class_name);
    ps_idg_add_dep(node, place->after);
    node->source_line = place->like->source_line;
    node->file = g_strdup(place->like->file);
    g_ptr_array_insert(place->body, (gint)place->index++, node);
    g_free(place->after);
    place->after = g_strdup(name);
    return node;
}

/* Distinct bytes that the group touches, per thread. */
static double distinct_of(const Meeting *meeting)
{
    double once = 0;
    for (guint i = 0; i < meeting->nodes->len; i++) {
        const PsProgramNode *node = meeting->nodes->pdata[i];
        once += ps_traffic_distinct(meeting->answer, node) * (double)(node->bytes * node->count);
    }
    return once;
}

/* The traffic of a warp's part of its group's merged atomics, in bytes per thread: each sector that
 * the group touches once, at least one of them, and no more than now. */
static PsAccessTraffic merged_traffic(const Meeting *meeting, gint64 times)
{
    const double sector = SECTOR / (double)meeting->answer->gpu->warp_size;
    PsAccessTraffic merged = ps_access_traffic(meeting->nodes->pdata[0]);
    merged.rows = 0; /* sums lie beside each other */
    const double once = fmax(distinct_of(meeting), sector / (double)warps_of(meeting));
    for (guint level = 0; level < PS_N_LEVELS; level++) {
        double now = 0;
        for (guint i = 0; i < meeting->nodes->len; i++) {
            const PsProgramNode *node = meeting->nodes->pdata[i];
            now += ps_access_traffic(node).reach[level] * (double)node->count;
        }
        merged.reach[level] =
            merged.reach[level] < 0 ? -1 : fmin(once, now) / (double)MAX(times, 1);
    }
    return merged;
}

/* Begins a loop, whose body gets the next nodes. */
static void begin_loop(Behind *place, gint64 times)
{
    g_autoptr(GPtrArray) holder = g_ptr_array_new();
    g_autofree char *text = g_strdup_printf("%" G_GINT64_FORMAT, times);
    PsIdgItem *loop = ps_idg_add_loop(holder, NULL, ps_expr_new(text, (PsPlace){"times", 0}, NULL));
    g_ptr_array_insert(place->body, (gint)place->index, loop);
    place->body = loop->body;
    place->index = 0;
}

/* Adds the group's sums: adjacent threads add adjacent sums, so each warp makes as many requests as
 * its part of them fills, and all warps together at least one. */
static void add_merged(const Meeting *meeting, Behind *place)
{
    const PsProgramNode *node = meeting->nodes->pdata[0];
    const PsClassAccess beside = {.conflicts = 0};
    const double requests = distinct_of(meeting) / (double)MAX(node->bytes, 1);
    const gint64 times = MAX((gint64)ceil(requests - ROUNDED), 1);
    const PsAccessTraffic traffic = merged_traffic(meeting, times);
    const double least = 1 / (double)warps_of(meeting);
    g_autofree char *class_name = ps_access_class(node->item->class_name, &beside);
    (void)add_node(place, "meets", "barrier");
    if (times > 1)
        begin_loop(place, times);
    PsIdgItem *merged = add_node(place, "merged", class_name);
    ps_access_set_traffic(merged, &traffic);
    merged->spot = g_strdup(node->item->spot);
    g_autofree char *turns = g_strdup_printf("%.6f", ps_rational_to_double(node->turns) *
                                                         fmin(fmax(requests, least), 1));
    merged->turns = ps_expr_new(turns, (PsPlace){"turns", 0}, NULL);
}

/* Each thread adds in a register, warps by shuffles, the group in local memory. */
static void sum_in_registers(const Meeting *meeting)
{
    Behind place = behind(meeting);
    for (guint i = 0; i < meeting->nodes->len; i++)
        ps_access_leave_global(item_of(meeting, i), "iadd");
    for (guint i = 0; i < SHUFFLES; i++) {
        g_autofree char *moved = g_strdup_printf("moved%u", i);
        g_autofree char *added = g_strdup_printf("added%u", i);
        (void)add_node(&place, moved, "shuffle");
        (void)add_node(&place, added, "iadd");
    }
    (void)add_node(&place, "local", "atomic.local");
    add_merged(meeting, &place);
    g_free(place.after);
}

/* The group adds in local memory, where threads of a warp that meet take turns. */
static void sum_in_local(const Meeting *meeting)
{
    Behind place = behind(meeting);
    for (guint i = 0; i < meeting->nodes->len; i++) {
        PsIdgItem *item = item_of(meeting, i);
        const PsClassAccess access = {.conflicts = item->meet};
        g_autofree char *local = ps_class_with_access("atomic.local", &access);
        ps_access_leave_global(item, local);
    }
    add_merged(meeting, &place);
    g_free(place.after);
}

/* ---- places --------------------------------------------------------------------------------- */

static void take_apart(const Meeting *meeting)
{
    for (guint i = 0; i < meeting->nodes->len; i++) {
        PsIdgItem *item = item_of(meeting, i);
        g_clear_pointer(&item->spot, g_free);
        g_clear_pointer(&item->turns, ps_expr_free);
    }
}

/* Sums whose results nothing reads can be added up beforehand. */
static const PsAdviceChange *change_of(const GPtrArray *nodes)
{
    gboolean all_meet = TRUE;
    for (guint i = 0; i < nodes->len; i++) {
        const PsProgramNode *node = nodes->pdata[i];
        if (node->awaited || !ps_class_covers("atomic", node->item->class_name))
            return &own_places;
        all_meet = all_meet && node->item->meet == ALL_MEET;
    }
    return all_meet ? &in_registers : &in_local;
}

static const PsAdviceChange *change(const Meeting *meeting)
{
    const PsAdviceChange *const which = change_of(meeting->nodes);
    if (which == &in_registers)
        sum_in_registers(meeting);
    else if (which == &in_local)
        sum_in_local(meeting);
    else
        take_apart(meeting);
    return which;
}

static void advise_spot(PsAdvicePlan *plan, const char *spot)
{
    const PsAnswer *answer = plan->answer;
    g_auto(PsAccessPlaces) places = ps_access_places();
    const PsAdviceChange *which = &own_places;
    PsIdg *idg = ps_idg_copy(plan->question->idg);
    for (guint p = 0; p < answer->kernel->n_programs; p++) {
        g_autoptr(GPtrArray) nodes = g_ptr_array_new();
        for (guint n = 0; n < answer->kernel->programs[p].n_nodes; n++)
            if (g_strcmp0(answer->kernel->programs[p].nodes[n].spot, spot) == 0) {
                g_ptr_array_add(nodes, &answer->kernel->programs[p].nodes[n]);
                ps_access_add_place(&places, answer, p, n);
            }
        if (nodes->len)
            which = change(&(Meeting){answer, idg, p, nodes});
    }
    PsAdvice *advice = ps_access_advise(plan, PS_CAUSE_ONE_ADDRESS, which, idg, &places);
    ((PsMoved *)advice->data)->spot = ps_text_clean(spot);
}

/* ---- local memory --------------------------------------------------------------------------- */

/* Advises on atomics of local memory for which each thread has its own address. */
static void advise_local(PsAdvicePlan *plan)
{
    const PsAnswer *answer = plan->answer;
    g_auto(PsAccessPlaces) places = ps_access_places();
    g_autoptr(PsIdg) idg = ps_idg_copy(plan->question->idg);
    for (guint p = 0; p < answer->kernel->n_programs; p++)
        for (guint n = 0; n < answer->kernel->programs[p].n_nodes; n++) {
            const PsProgramNode *node = &answer->kernel->programs[p].nodes[n];
            PsClassAccess access = ps_class_access(node->item->class_name);
            if (!ps_class_covers("atomic.local", node->item->class_name) || access.conflicts < 2)
                continue;
            PsIdgItem *item = ps_idg_find(idg, p, node->item->name);
            access.conflicts = 1;
            g_free(item->class_name);
            item->class_name = ps_access_class(node->item->class_name, &access);
            ps_access_add_place(&places, answer, p, n);
        }
    if (places.node == G_MAXUINT)
        return;
    PsAdvice *advice =
        ps_access_advise(plan, PS_CAUSE_ONE_ADDRESS, &own_places, g_steal_pointer(&idg), &places);
    const PsProgramNode *node = &answer->kernel->programs[places.program].nodes[places.node];
    PsMoved *moved = advice->data;
    moved->now = ps_class_access(node->item->class_name).conflicts;
    moved->then = 1;
}

/* ---- all ------------------------------------------------------------------------------------ */

/* Looks at servers of spots by name, those that serve longest first, as far as they matter. */
static void find(PsAdvicePlan *plan)
{
    const PsAnswer *answer = plan->answer;
    g_autoptr(GHashTable) seen = g_hash_table_new(g_str_hash, g_str_equal);
    for (guint p = 0; p < answer->kernel->n_programs; p++)
        for (guint n = 0; n < answer->kernel->programs[p].n_nodes; n++) {
            const char *spot = answer->kernel->programs[p].nodes[n].spot;
            if (spot && g_hash_table_size(seen) < MOST_SPOTS &&
                g_hash_table_add(seen, (gpointer)spot))
                advise_spot(plan, spot);
        }
    advise_local(plan);
}

const PsAdviceKind ps_advice_kind_spot = {.find = find, .copies_graph = TRUE};

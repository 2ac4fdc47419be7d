/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Advice on loads of data that the same group has loaded before (PsIdgItem, distinct), and that
 * local memory could hold: in a single loop, the data of a strip of its iterations; elsewhere the
 * data of all loads of a body, if these are few. See kind.h.
 */
#include "advice/access.h"
#include "answer/traffic.h"

#include "base/class-name.h"
#include "idg/edit.h"
#include "idg/words.h"
#include "tell/format.h"

#include <math.h>

static char *sentence(const PsAnswer *answer, const PsAdvice *advice)
{
    const PsMoved *moved = advice->data;
    g_autofree char *now = ps_format_scaled((double)moved->now);
    g_autofree char *then = ps_format_scaled((double)moved->then);
    return ps_moved_sentence(
        answer, advice,
        g_strdup_printf("a group's loads move %s bytes, of which %s are distinct: these once, and "
                        "kept in %s,",
                        now, then, ps_idg_local_memory(answer->idg)));
}

static const PsAdviceChange in_local = PS_MOVED_CHANGE("in-local", sentence);

#define MOST_TILES 3
#define WORD 4           /* bytes that a thread loads at once to fill a tile */
#define MOST_LOADS 4     /* loads of each thread for a strip */
#define MOST_WHOLE 16    /* loads of each thread for all data of a group */
#define MOST_BYTES 32768 /* bytes of a group's tile */
#define COALESCED                                                                                  \
    1.25 /* largest ratio of touched to requested sectors: for a run that begins within a sector   \
          */

/* Loads of one body. */
typedef struct {
    guint program;
    const PsProgramNode *first;  /* its first load in program order */
    GPtrArray *nodes;            /* PsProgramNode, borrowed from the answer's kernel */
    double asked, distinct;      /* bytes per thread in each run of the body */
    gboolean coalesced, counted; /* all of them are coalesced; counted: PS_ADDRESS_COUNTED */
    gint64 strip;                /* iterations that one tile serves; 0: all */
    guint loads;                 /* loads of each thread that fill it */
} Tile;

static void tile_free(void *data)
{
    Tile *tile = data;
    g_ptr_array_unref(tile->nodes);
    g_free(tile);
}

/* ---- finding ------------------------------------------------------------------------------- */

/* TRUE if the group has loaded most of the data before; its bytes that are new. */
static gboolean is_again(const PsAnswer *answer, const PsProgramNode *node, double *distinct)
{
    if (!node->item->distinct || node->item->invariant || node->bytes <= 0 ||
        !ps_class_covers("global.load", node->item->class_name))
        return FALSE;
    *distinct = ps_traffic_distinct(answer, node) * (double)node->bytes;
    return *distinct >= 0;
}

/* TRUE if warps of the group meet in a loop around the node: other warps may write the data in
 * between. */
static gboolean meets_in_loop(const PsProgram *program, const PsProgramNode *node)
{
    for (guint n = 0; node->n_loops && n < program->n_nodes; n++) {
        const PsProgramNode *other = &program->nodes[n];
        if (other->barrier && other->n_loops &&
            other->loops[other->n_loops - 1].number == node->loops[node->n_loops - 1].number)
            return TRUE;
    }
    return FALSE;
}

static Tile *tile_for(GPtrArray *tiles, guint program, const PsProgramNode *node)
{
    for (guint i = 0; i < tiles->len; i++) {
        Tile *tile = tiles->pdata[i];
        if (tile->program == program && ps_access_loop(tile->first) == ps_access_loop(node))
            return tile;
    }
    Tile *tile = g_new0(Tile, 1);
    *tile = (Tile){.program = program,
                   .first = node,
                   .nodes = g_ptr_array_new(),
                   .coalesced = TRUE,
                   .counted = TRUE};
    g_ptr_array_add(tiles, tile);
    return tile;
}

/* The node's share of bytes at the first level that it states. */
static double first_share(const PsProgramNode *node)
{
    for (guint level = 0; level < PS_N_LEVELS; level++)
        if (ps_rational_to_double(node->share[level]) >= 0)
            return ps_rational_to_double(node->share[level]);
    return 1;
}

/* Loads whose addresses depend on loaded values are left out: what they will reload is not known in
 * advance. */
static GPtrArray *find_tiles(const PsAdvicePlan *plan)
{
    const PsAnswer *answer = plan->answer;
    GPtrArray *tiles = g_ptr_array_new_with_free_func(tile_free);
    for (guint p = 0; p < answer->kernel->n_programs; p++)
        for (guint n = 0; n < answer->kernel->programs[p].n_nodes; n++) {
            const PsProgramNode *node = &answer->kernel->programs[p].nodes[n];
            double distinct;
            if (!is_again(answer, node, &distinct) ||
                meets_in_loop(&answer->kernel->programs[p], node))
                continue;
            const PsAddress address = ps_access_address(plan, p, node);
            if (address == PS_ADDRESS_LOADED)
                continue;
            Tile *tile = tile_for(tiles, p, node);
            g_ptr_array_add(tile->nodes, (gpointer)node);
            tile->asked += (double)node->bytes;
            tile->distinct += distinct;
            tile->coalesced = tile->coalesced && first_share(node) <= COALESCED;
            tile->counted = tile->counted && address == PS_ADDRESS_COUNTED;
        }
    return tiles;
}

/* ---- how large ------------------------------------------------------------------------------- */

static double bytes_of(const PsAnswer *answer, const Tile *tile)
{
    const double times = (double)(tile->strip ? tile->strip : tile->first->count);
    return tile->distinct * times * (double)answer->kernel->group_size;
}

static gboolean fits(const PsAnswer *answer, Tile *tile, guint most)
{
    const double bytes = bytes_of(answer, tile);
    tile->loads = (guint)ceil(bytes / (double)answer->kernel->group_size / WORD);
    return tile->loads > 0 && tile->loads <= most && bytes <= MOST_BYTES;
}

/* Finds the most iterations that one tile can serve. Data that are reloaded in one loop alone are
 * reloaded by adjacent threads, or soon. */
static gboolean find_strip(const PsAnswer *answer, Tile *tile)
{
    const gint64 trips = tile->first->n_loops == 1 ? tile->first->loops[0].trips : 0;
    gint64 best = 0;
    for (gint64 strip = 1; tile->coalesced && tile->counted && strip <= MIN(trips, 64); strip++) {
        tile->strip = strip;
        if (trips % strip == 0 && fits(answer, tile, MOST_LOADS))
            best = strip;
    }
    tile->strip = best;
    return best > 0 && fits(answer, tile, MOST_LOADS);
}

static gboolean is_worth_it(const PsAnswer *answer, Tile *tile)
{
    return 2 * tile->distinct <= tile->asked &&
           (find_strip(answer, tile) || fits(answer, tile, MOST_WHOLE));
}

/* ---- the graph with a tile ------------------------------------------------------------------- */

typedef struct {
    GPtrArray *body;
    gint index; /* index of the next node */
    const PsIdgItem *like;
} Place;

static PsIdgItem *add_node(Place *place, const char *what, guint number, const char *class_name)
{
    g_autoptr(GPtrArray) holder = g_ptr_array_new();
    g_autofree char *name = g_strdup_printf("%s__%s%u", place->like->name, what, number);
    PsIdgItem *node = ps_idg_add_node(holder, name, class_name);
    node->source_line = place->like->source_line;
    node->file = g_strdup(place->like->file);
    g_ptr_array_insert(place->body, place->index++, node);
    return node;
}

/* A load's part in filling the tile: each level moves what reaches it now, at most each byte
 * once. */
static PsAccessTraffic part_of(const Tile *tile)
{
    const double times = (double)(tile->strip ? tile->strip : tile->first->count);
    const double once = tile->distinct * times / tile->loads;
    PsAccessTraffic part = {.bytes = WORD};
    for (guint level = 0; level < PS_N_LEVELS; level++) {
        double sum = 0;
        for (guint i = 0; i < tile->nodes->len; i++)
            sum += ps_access_traffic(tile->nodes->pdata[i]).reach[level];
        part.reach[level] = sum < 0 ? -1 : fmin(once, sum * times / tile->loads);
    }
    return part;
}

/* Adds the filling: between barriers each thread loads its part and stores it where all can read
 * it. */
static void add_filling(const Tile *tile, Place *place)
{
    const PsAccessTraffic part = part_of(tile);
    (void)add_node(place, "free", 0, "barrier");
    for (guint i = 0; i < tile->loads; i++)
        ps_access_set_traffic(add_node(place, "fetch", i, "global.load"), &part);
    for (guint i = 0; i < tile->loads; i++) {
        g_autofree char *fetch = g_strdup_printf("%s__fetch%u", place->like->name, i);
        ps_idg_add_dep(add_node(place, "keep", i, "local.store"), fetch);
    }
    (void)add_node(place, "full", 0, "barrier");
}

/* The place where the tile is filled: before the strip, before all loops, or before the first
 * load. */
static Place place_of(const Tile *tile, PsIdg *idg)
{
    PsIdgItem *first = ps_idg_find(idg, tile->program, tile->first->item->name);
    g_autoptr(GPtrArray) loops = ps_idg_loops_around(idg, tile->program, first);
    GPtrArray *body = ((PsIdgCode *)idg->codes->pdata[tile->program])->body;
    if (tile->strip > 1)
        return (Place){ps_idg_strip(idg, tile->program, loops->pdata[0], tile->strip)->body, 0,
                       first};
    if (tile->strip)
        return (Place){((PsIdgItem *)loops->pdata[0])->body, 0, first};
    guint index = 0;
    g_ptr_array_find(body, loops->len ? loops->pdata[loops->len - 1] : first, &index);
    return (Place){body, (gint)index, first};
}

/* Bytes of the node and of the tile's nodes beside it, which are joined with it. */
static gint64 join_beside(PsIdg *idg, const Tile *tile, guint first)
{
    const PsProgramNode *node = tile->nodes->pdata[first];
    PsIdgItem *item = ps_idg_find(idg, tile->program, node->item->name);
    gint64 bytes = node->bytes;
    for (guint i = first + 1; node->item->beside && i < tile->nodes->len; i++) {
        const PsProgramNode *other = tile->nodes->pdata[i];
        if (g_strcmp0(other->item->beside, node->item->beside) != 0)
            continue;
        ps_idg_join(idg, tile->program, item, ps_idg_find(idg, tile->program, other->item->name));
        bytes += other->bytes;
    }
    return bytes;
}

/* The address within a strip takes next to no work. */
static void load_locally(PsIdg *idg, const Tile *tile)
{
    for (guint i = 0; i < tile->nodes->len; i++) {
        const PsProgramNode *node = tile->nodes->pdata[i];
        PsIdgItem *item = ps_idg_find(idg, tile->program, node->item->name);
        if (!item)
            continue; /* it stands beside an earlier one */
        const PsClassAccess from = ps_class_access(node->item->class_name);
        const PsClassAccess access = {.broadcast = from.broadcast,
                                      .words = join_beside(idg, tile, i) / 4};
        g_autofree char *local = ps_class_with_access("local.load", &access);
        ps_access_leave_global(item, local);
        if (tile->strip)
            g_ptr_array_set_size(item->after, 0);
    }
}

static PsIdg *with_tile(const PsAdvicePlan *plan, const Tile *tile)
{
    PsIdg *idg = ps_idg_copy(plan->question->idg);
    Place place = place_of(tile, idg);
    add_filling(tile, &place);
    load_locally(idg, tile);
    ps_idg_drop_unused(idg, tile->program, plan->question->idg);
    const gint64 bytes =
        plan->answer->kernel->local_memory + (gint64)ceil(bytes_of(plan->answer, tile));
    g_autofree char *text = g_strdup_printf("%" G_GINT64_FORMAT, bytes);
    ps_expr_free(idg->launch.local_memory);
    idg->launch.local_memory = ps_expr_new(text, (PsPlace){"local-memory", 0}, NULL);
    return idg;
}

/* ---- all ------------------------------------------------------------------------------------- */

static void advise(PsAdvicePlan *plan, const Tile *tile)
{
    const PsAnswer *answer = plan->answer;
    const PsProgram *program = &answer->kernel->programs[tile->program];
    g_auto(PsAccessPlaces) places = ps_access_places();
    double moved = 0;
    for (guint i = 0; i < tile->nodes->len; i++) {
        const PsProgramNode *node = tile->nodes->pdata[i];
        moved += fmax(first_share(node), 0) * (double)node->bytes;
        ps_access_add_place(&places, answer, tile->program, (guint)(node - program->nodes));
    }
    PsAdvice *advice =
        ps_access_advise(plan, PS_CAUSE_REUSE, &in_local, with_tile(plan, tile), &places);
    const double threads = (double)(answer->kernel->group_size * tile->first->count);
    PsMoved *of = advice->data;
    of->now = (gint64)(moved * threads);
    of->then = (gint64)(tile->distinct * threads);
}

static void find(PsAdvicePlan *plan)
{
    g_autoptr(GPtrArray) tiles = find_tiles(plan);
    for (guint i = 0, n = 0; i < tiles->len && n < MOST_TILES; i++)
        if (is_worth_it(plan->answer, tiles->pdata[i])) {
            advise(plan, tiles->pdata[i]);
            n++;
        }
}

const PsAdviceKind ps_advice_kind_tile = {.find = find, .copies_graph = TRUE};

/* SPDX-License-Identifier: BSD-3-Clause */
/* Advice on narrow accesses that one wider access could replace: those of several nodes, or of one
 * node in several iterations (PsIdgItem, beside and vector). See kind.h. */
#include "advice/access.h"

#include "base/class-name.h"
#include "idg/edit.h"

#include <math.h>
#include <string.h>

static char *sentence(const PsAnswer *answer, const PsAdvice *advice)
{
    const PsMoved *moved = advice->data;
    const char *such = moved->then == 16  ? " (such as a float4)"
                       : moved->then == 8 ? " (such as a float2)"
                                          : "";
    return ps_moved_sentence(
        answer, advice,
        g_strdup_printf("one access of %" G_GINT64_FORMAT " bytes%s instead of %" G_GINT64_FORMAT
                        " of %" G_GINT64_FORMAT " each, which are beside each other,",
                        moved->then, such, moved->then / MAX(moved->now, 1), moved->now));
}

static const PsAdviceChange wider = PS_MOVED_CHANGE("wider", sentence);

/* Accesses of one program that become one, in program order. */
typedef struct {
    guint program;
    GArray *nodes; /* guint */
    guint times;   /* accesses of each node */
} Piece;

static void piece_free(void *data)
{
    Piece *piece = data;
    g_array_unref(piece->nodes);
    g_free(piece);
}

static const PsProgramNode *node_of(const PsAnswer *answer, const Piece *piece, guint i)
{
    const guint node = g_array_index(piece->nodes, guint, i);
    return &answer->kernel->programs[piece->program].nodes[node];
}

/* ---- finding ------------------------------------------------------------------------------- */

static Piece *new_piece(guint program, guint node, guint times)
{
    Piece *piece = g_new0(Piece, 1);
    *piece = (Piece){program, g_array_new(FALSE, FALSE, sizeof(guint)), times};
    g_array_append_val(piece->nodes, node);
    return piece;
}

/* TRUE if two nodes run together, and make the same access to as many bytes. */
static gboolean are_alike(const PsProgramNode *a, const PsProgramNode *b)
{
    const guint inner =
        a->n_loops > 0 && b->n_loops > 0 ? a->loops[0].number == b->loops[0].number : TRUE;
    return a->n_loops == b->n_loops && inner && a->count == b->count && a->bytes == b->bytes &&
           a->bytes > 0 &&
           ps_class_is_store(a->item->class_name) == ps_class_is_store(b->item->class_name);
}

static void add_beside(const PsAnswer *answer, guint program, guint node, GHashTable *first,
                       GPtrArray *pieces)
{
    const PsProgramNode *one = &answer->kernel->programs[program].nodes[node];
    Piece *piece = g_hash_table_lookup(first, one->item->beside);
    if (!piece) {
        piece = new_piece(program, node, 1);
        g_hash_table_insert(first, one->item->beside, piece);
        g_ptr_array_add(pieces, piece);
    } else if (are_alike(node_of(answer, piece, 0), one)) {
        g_array_append_val(piece->nodes, node);
    }
}

static gboolean repeats(const PsProgramNode *node)
{
    const guint times = node->item->vector;
    return times > 1 && node->bytes > 0 && node->n_loops > 0 && node->loops[0].trips % times == 0;
}

static GPtrArray *find_pieces(const PsAnswer *answer)
{
    GPtrArray *pieces = g_ptr_array_new_with_free_func(piece_free);
    for (guint p = 0; p < answer->kernel->n_programs; p++) {
        const PsProgram *program = &answer->kernel->programs[p];
        g_autoptr(GHashTable) first = g_hash_table_new(g_str_hash, g_str_equal);
        for (guint n = 0; n < program->n_nodes; n++)
            if (program->nodes[n].item->beside)
                add_beside(answer, p, n, first, pieces);
            else if (repeats(&program->nodes[n]))
                g_ptr_array_add(pieces, new_piece(p, n, program->nodes[n].item->vector));
    }
    for (guint i = pieces->len; i-- > 0;) {
        const Piece *piece = pieces->pdata[i];
        if (piece->nodes->len * piece->times < 2)
            g_ptr_array_remove_index(pieces, i);
    }
    return pieces;
}

/* ---- the graph with wider accesses --------------------------------------------------------- */

/* The traffic of the wider access. An aligned piece of a thread's memory lies in one sector, so
 * each narrow access touches the same sectors, and the wider one touches them once; levels behind
 * get no more, and no lane opens more than a row of device memory. It has a wavefront for each word
 * of a thread, or as many as the narrow ones together if lanes lie further apart. */
static PsAccessTraffic traffic_of(const PsAnswer *answer, const Piece *piece)
{
    PsAccessTraffic all = {.bytes = 0};
    double most = G_MAXDOUBLE;
    gboolean first = TRUE;
    for (guint i = 0; i < piece->nodes->len; i++)
        all.bytes += (double)(node_of(answer, piece, i)->bytes * piece->times);
    for (guint level = 0; level < PS_N_LEVELS; level++) {
        double sum = 0, largest = 0;
        for (guint i = 0; i < piece->nodes->len; i++) {
            const PsAccessTraffic one = ps_access_traffic(node_of(answer, piece, i));
            sum += one.reach[level] * piece->times;
            largest = fmax(largest, one.reach[level]);
        }
        all.reach[level] = sum < 0 ? -1 : fmin(first ? largest : sum, most);
        first = first && sum < 0;
        most = sum < 0 ? most : all.reach[level];
    }
    for (guint i = 0; i < piece->nodes->len; i++) {
        const PsAccessTraffic one = ps_access_traffic(node_of(answer, piece, i));
        if (one.wavefronts > 0)
            all.wavefronts = fmax(all.wavefronts, fmax(one.wavefronts, all.bytes / 4));
        all.rows += one.rows * (double)piece->times;
    }
    all.rows = fmin(all.rows, (double)answer->gpu->warp_size);
    return all;
}

static void widen(const PsAnswer *answer, const Piece *piece, PsIdgItem *item)
{
    const PsAccessTraffic traffic = traffic_of(answer, piece);
    const gint64 words = (gint64)traffic.bytes / 4;
    PsClassAccess access = ps_class_access(item->class_name);
    const gint64 fill = (gint64)traffic.bytes * answer->gpu->warp_size / 32;
    access.sectors = access.sectors > fill ? access.sectors : 1;
    access.words = words;
    char *wide = ps_access_class(item->class_name, &access);
    g_free(item->class_name);
    item->class_name = wide;
    ps_access_set_traffic(item, &traffic);
}

/* Puts a load in the place of the first access, a store in that of the last. */
static void join_piece(const PsAnswer *answer, const Piece *piece, PsIdg *idg)
{
    const guint n = piece->nodes->len;
    const guint keep = ps_class_is_store(node_of(answer, piece, 0)->item->class_name) ? n - 1 : 0;
    PsIdgItem *item = ps_idg_find(idg, piece->program, node_of(answer, piece, keep)->item->name);
    widen(answer, piece, item);
    for (guint i = 0; i < n; i++) {
        const char *name = node_of(answer, piece, i)->item->name;
        if (i != keep)
            ps_idg_join(idg, piece->program, item, ps_idg_find(idg, piece->program, name));
    }
}

/* Cuts the loop into strips; before each strip one access loads for all of it. */
static void strip_piece(const PsAnswer *answer, const Piece *piece, PsIdg *idg,
                        GHashTable *stripped)
{
    PsIdgItem *item = ps_idg_find(idg, piece->program, node_of(answer, piece, 0)->item->name);
    g_autoptr(GPtrArray) loops = ps_idg_loops_around(idg, piece->program, item);
    const guint known = GPOINTER_TO_UINT(g_hash_table_lookup(stripped, loops->pdata[0]));
    if (known && known != piece->times)
        return;
    if (!known)
        ps_idg_strip(idg, piece->program, loops->pdata[0], piece->times);
    g_hash_table_insert(stripped, loops->pdata[0], GUINT_TO_POINTER(piece->times));
    widen(answer, piece, item);
    ps_idg_hoist(idg, piece->program, item, 1, FALSE);
}

static PsIdg *with_wider(const PsAdvicePlan *plan, const GPtrArray *pieces)
{
    PsIdg *idg = ps_idg_copy(plan->question->idg);
    g_autoptr(GHashTable) stripped = g_hash_table_new(NULL, NULL);
    for (guint i = 0; i < pieces->len; i++) {
        const Piece *piece = pieces->pdata[i];
        if (piece->times > 1)
            strip_piece(plan->answer, piece, idg, stripped);
        else
            join_piece(plan->answer, piece, idg);
    }
    for (guint code = 0; code < idg->codes->len; code++)
        ps_idg_drop_unused(idg, code, plan->question->idg);
    return idg;
}

/* Tells the bytes that a thread moves at once, at the place that is told: now, and with the wider
 * access. */
static void tell_bytes(const PsAnswer *answer, const GPtrArray *pieces, PsAdvice *advice)
{
    PsMoved *moved = advice->data;
    for (guint i = 0; i < pieces->len; i++) {
        const Piece *piece = pieces->pdata[i];
        const guint n = piece->nodes->len;
        for (guint k = 0; k < n && piece->program == advice->program; k++)
            if (g_array_index(piece->nodes, guint, k) == advice->node) {
                moved->now = node_of(answer, piece, k)->bytes;
                moved->then = moved->now * n * piece->times;
            }
    }
}

static void find(PsAdvicePlan *plan)
{
    g_autoptr(GPtrArray) pieces = find_pieces(plan->answer);
    g_auto(PsAccessPlaces) places = ps_access_places();
    for (guint i = 0; i < pieces->len; i++) {
        const Piece *piece = pieces->pdata[i];
        for (guint k = 0; k < piece->nodes->len; k++)
            ps_access_add_place(&places, plan->answer, piece->program,
                                g_array_index(piece->nodes, guint, k));
    }
    if (pieces->len)
        tell_bytes(plan->answer, pieces,
                   ps_access_advise(plan, PS_CAUSE_NARROW_ACCESS, &wider, with_wider(plan, pieces),
                                    &places));
}

const PsAdviceKind ps_advice_kind_wide = {.find = find, .copies_graph = TRUE};

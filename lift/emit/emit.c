/* SPDX-License-Identifier: BSD-3-Clause */
/* Spots become nodes and loops. */
#include "lift/emit/emit.h"

#include "base/class-name.h"
#include "idg/internal.h"
#include "lift/values/operation.h"
#include "lift/values/uniform.h"
#include "lift/memory/beside.h"

#include <math.h>
#include <string.h>

#define MOST_COMMENT 120

typedef struct {
    const PsRoles *roles;
    const PsWarpRole *role;
    const PsSpots *spots;
    PsSymbols *symbols;
    const PsSourceText *text;
    const PsOperationTable *operations;
    int line;         /* line of the last comment */
    double *lanes;    /* per point: share of the warps' threads that come to it; NULL: all do */
    double *executed; /* per point without access: share that execute it; NULL: as many */
    guint8 *keeps;    /* per spot: it is in straight code in which a store keeps a load behind it */
} Emit;

/* ---- classes -------------------------------------------------------------------------------- */

static gboolean moves_matrices(const PsPtxMnemonic *mnemonic)
{
    return strcmp(mnemonic->opcode, "ldmatrix") == 0 || strcmp(mnemonic->opcode, "stmatrix") == 0;
}

/* Words of each lane in the matrices of ldmatrix and stmatrix: one for each. */
static gint64 words_of_matrices(const PsPtxMnemonic *mnemonic)
{
    return ps_ptx_has(mnemonic, "x4") ? 4 : ps_ptx_has(mnemonic, "x2") ? 2 : 1;
}

static const PsPtxMnemonic *mnemonic_of(const PsSpots *spots, guint i)
{
    return ps_facts_instruction(spots->facts, ps_spot(spots, i)->point)->mnemonic;
}

/* Words of 4 bytes that each lane moves at once: 1 if the class does not depend on it. */
static gint64 words_of(const PsSpots *spots, guint i, guint bytes)
{
    const char *name = ps_spot_fact(spots, i)->name;
    static const char *const plain[] = {
        "local.load",      "local.store",      "global.load", "global.store",
        "global.load.own", "global.store.own", NULL};
    const PsPtxMnemonic *mnemonic = mnemonic_of(spots, i);
    if (moves_matrices(mnemonic))
        return words_of_matrices(mnemonic);
    if (!g_strv_contains(plain, name) || strcmp(mnemonic->opcode, "wmma") == 0)
        return 1;
    return bytes == 8 || bytes == 16 || bytes == 32 ? bytes / 4 : 1;
}

/* TRUE for accesses to memory that the graph shows. Where all warps wait for each other at an
 * mbarrier, the access to the mbarrier itself does not matter. A constant that is read into a
 * uniform register is a move by its class, which has neither a pattern nor bytes. */
static gboolean is_access(const PsSpots *spots, guint i)
{
    const PsFact *fact = ps_spot_fact(spots, i);
    return ps_spot(spots, i)->pattern && fact->class.kind != PS_CLASS_BARRIER &&
           !ps_class_covers("logic", fact->name);
}

char *ps_spot_class(const PsSpots *spots, guint i)
{
    const PsSpot *spot = ps_spot(spots, i);
    const char *name = ps_spot_fact(spots, i)->name;
    if (!is_access(spots, i) || ps_class_covers("copy", name))
        return g_strdup(name);
    PsPattern pattern = *spot->pattern;
    pattern.degree = spot->degree;
    pattern.bytes = spot->bytes > 0 ? spot->bytes : pattern.bytes;
    PsClassAccess access = ps_pattern_access(&pattern);
    access.words = words_of(spots, i, pattern.bytes);
    if (moves_matrices(mnemonic_of(spots, i))) { /* each by itself, whatever rows others share */
        access.broadcast = 0;
        access.pairs = 0;
    }
    return ps_class_with_access(name, &access);
}

static void count_class(GHashTable *counts, const char *class_name, gint64 times)
{
    gint64 *count = g_hash_table_lookup(counts, class_name);
    if (!count) {
        count = g_new0(gint64, 1);
        g_hash_table_insert(counts, g_strdup(class_name), count);
    }
    *count += times;
}

static void count_spot(const PsSpots *spots, guint i, GHashTable *counts, gint64 times)
{
    const PsSequence *sequence = ps_spot_fact(spots, i)->sequence;
    if (!sequence) {
        g_autofree char *class_name = ps_spot_class(spots, i);
        count_class(counts, class_name, times);
    }
    count_class(counts, "logic.mov", times * ps_spot(spots, i)->moves);
    for (guint s = 0; sequence && s < sequence->steps->len; s++)
        count_class(counts, g_array_index(sequence->steps, PsStep, s).class_name, times);
}

void ps_spots_count_classes(const PsSpots *spots, gint64 warps, GHashTable *counts)
{
    gint64 times = warps;
    if (spots->facts->rules[PS_BUILD_FRAME])
        count_class(counts, "logic.mov", warps);
    for (guint i = 0; i < spots->spots->len; i++) {
        const PsSpot *spot = ps_spot(spots, i);
        if (spot->kind == PS_SPOT_LOOP)
            times *= spot->times;
        if (spot->kind == PS_SPOT_END)
            times /= ps_spot(spots, spot->partner)->times;
        if (ps_spot_is_node(spots, i))
            count_spot(spots, i, counts, times);
    }
}

/* ---- dependences ------------------------------------------------------------------------------
 */

/* TRUE if spot x lies in a loop that spot v is not in. */
static gboolean is_deeper(const PsSpots *spots, guint x, guint v)
{
    const guint around = ps_spot(spots, x)->around;
    return around != PS_NO_SPOT && (v < around || v > ps_spot(spots, around)->partner);
}

/* TRUE where a barrier need not wait for an access, since it waits for another one that does. */
static gboolean is_implied(const PsSpots *spots, const PsSpot *node, const PsEdge *edge)
{
    for (guint i = 0; !edge->value && i < node->edges->len; i++) {
        const PsEdge *other = &g_array_index(node->edges, PsEdge, i);
        const PsSpot *by = ps_spot(spots, other->on);
        if (other->on <= edge->on || other->value || other->distance > edge->distance ||
            by->around != ps_spot(spots, edge->on)->around || !by->edges || !by->alive)
            continue;
        for (guint j = 0; j < by->edges->len; j++) {
            const PsEdge *needs = &g_array_index(by->edges, PsEdge, j);
            if (needs->on == edge->on && needs->value && needs->distance == 1)
                return TRUE;
        }
    }
    return FALSE;
}

static void add_dependence(const PsSpots *spots, guint i, const PsEdge *edge, PsIdgItem *node)
{
    if (node->after->len >= PS_IDG_MAX_AFTER)
        return;
    PsIdgDep *dep = ps_idg_add_dep(node, ps_spot(spots, edge->on)->name);
    if (edge->distance > 1)
        dep->distance = ps_number_expr(edge->distance);
    else
        dep->all = !edge->value && is_deeper(spots, edge->on, i);
}

static int compare_edges(const void *a, const void *b)
{
    const PsEdge *x = a, *y = b;
    return x->on < y->on ? -1 : x->on > y->on;
}

static void add_dependences(const PsSpots *spots, guint i, PsIdgItem *node)
{
    const PsSpot *spot = ps_spot(spots, i);
    if (!spot->edges)
        return;
    g_array_sort(spot->edges, compare_edges);
    for (guint e = 0; e < spot->edges->len; e++) {
        const PsEdge *edge = &g_array_index(spot->edges, PsEdge, e);
        if (ps_spot_is_node(spots, edge->on) && !is_implied(spots, spot, edge))
            add_dependence(spots, i, edge, node);
    }
}

static gboolean is_innermost(const PsSpots *spots, guint loop)
{
    const guint end = ps_spot(spots, loop)->partner;
    for (guint i = loop + 1; i < end; i++)
        if (ps_spot(spots, i)->kind == PS_SPOT_LOOP)
            return FALSE;
    return TRUE;
}

/* TRUE where the node waits for that, or for a later instance of it. */
static gboolean waits_for(const PsSpot *spot, const PsEdge *read)
{
    for (guint e = 0; spot->edges && e < spot->edges->len; e++) {
        const PsEdge *edge = &g_array_index(spot->edges, PsEdge, e);
        if (edge->on == read->on && edge->distance <= read->distance)
            return TRUE;
    }
    return FALSE;
}

/* What machine code reads beside what it waits for, of the same body: in an innermost loop, and
 * where a load might come before a store. */
static void add_reads(const Emit *emit, guint i, PsIdgItem *node)
{
    const PsSpots *spots = emit->spots;
    const PsSpot *spot = ps_spot(spots, i);
    if (!spot->reads ||
        !(emit->keeps[i] || (spot->around != PS_NO_SPOT && is_innermost(spots, spot->around))))
        return;
    g_array_sort(spot->reads, compare_edges);
    for (guint e = 0; e < spot->reads->len && e < PS_IDG_MAX_AFTER; e++) {
        const PsEdge *read = &g_array_index(spot->reads, PsEdge, e);
        const PsSpot *on = ps_spot(spots, read->on);
        if (!ps_spot_is_node(spots, read->on) || waits_for(spot, read))
            continue;
        PsIdgDep *dep = ps_idg_add_read(node, on->name);
        if (read->distance > 1)
            dep->distance = ps_number_expr(read->distance);
    }
}

static PsExpr *other_than(gint64 number, gint64 usual)
{
    return number != usual ? ps_number_expr(number) : NULL;
}

/* What it needs of other warps. */
static void add_awaits(const Emit *emit, guint i, PsIdgItem *node)
{
    const GArray *awaits = emit->role->awaits;
    guint n = 0;
    for (guint a = 0; a < awaits->len; a++) {
        const PsRoleAwait *await = &g_array_index(awaits, PsRoleAwait, a);
        if (await->spot != i || n++ >= PS_IDG_MAX_AFTER)
            continue;
        const PsWarpRole *other = emit->roles->list->pdata[await->role];
        PsIdgAwait *to =
            ps_idg_add_await(node, other->name, ps_spot(other->spots, await->on)->name);
        to->per = other_than(await->per, 1);
        to->every = other_than(await->every, 1);
        to->before = other_than(await->before, 0);
        to->to_all = await->to_all;
    }
}

/* ---- nodes ---------------------------------------------------------------------------------- */

static PsExpr *share_expr(double share, const char *what)
{
    char text[G_ASCII_DTOSTR_BUF_SIZE];
    g_ascii_formatd(text, sizeof text, "%.6f", CLAMP(share, 0, 1e9));
    char *end = text + strlen(text);
    while (end[-1] == '0')
        *--end = '\0';
    if (end[-1] == '.')
        *--end = '\0';
    return ps_expr_new(text, (PsPlace){what, 0}, NULL);
}

/* TRUE where compilers will add up what the lanes of a warp add to one integer: they do so where
 * they know that it is one. */
static gboolean is_added_up(const PsFacts *facts, guint point, const PsMeeting *meeting)
{
    const PsPtxMnemonic *mnemonic = ps_facts_instruction(facts, point)->mnemonic;
    const PsPtxType type = mnemonic->types[0];
    return !facts->machine && meeting->lanes == PS_PTX_LANES && ps_ptx_has(mnemonic, "add") &&
           (type == PS_PTX_U32 || type == PS_PTX_S32) && ps_uniform_address(facts, point);
}

/* Where all groups meet at one line and take turns: names the line by its buffer and its number
 * there. */
static void add_spot(const PsFacts *facts, const PsPattern *pattern, PsIdgItem *node)
{
    PsMeeting meeting;
    if (!ps_pattern_meeting(pattern, &meeting))
        return;
    node->spot = g_strdup_printf("%s_%" G_GUINT64_FORMAT, meeting.buffer, meeting.line);
    g_strcanon(node->spot, G_CSET_A_2_Z G_CSET_a_2_z G_CSET_DIGITS "_", '_');
    if (g_ascii_isdigit(node->spot[0]))
        node->spot[0] = '_';
    node->meet = meeting.lanes > 1 ? meeting.lanes : 0;
    if (meeting.serial > 1 && !is_added_up(facts, pattern->point, &meeting))
        node->serial = meeting.serial;
    if (meeting.share < 1)
        node->turns = share_expr(meeting.share, "turns");
}

/* The share of a warp's lanes that have threads: the mean over the warps of a group. */
static double fullness(const PsSymbols *symbols)
{
    const guint *block = symbols->options->launch.block;
    const double threads = (double)block[0] * block[1] * block[2];
    return threads / (ceil(threads / PS_PTX_LANES) * PS_PTX_LANES);
}

/* Levels that keep lines need time for each line. The number of lines is stated where it is larger
 * than is likely for so many sectors: where the sectors lie apart. */
static void add_lines(const PsPattern *pattern, PsIdgItem *node)
{
    if (pattern->lines > 1 && 2 * pattern->lines > pattern->sectors)
        node->lines = ps_number_expr(pattern->lines);
}

/* No engine that copies on its own has lanes; atomics are counted otherwise. */
static void add_wavefronts(const PsPattern *pattern, const PsTraffic *traffic, PsIdgItem *node)
{
    if (traffic->wavefronts > 0 && pattern->bytes <= PS_SECTOR &&
        !ps_class_covers("atomic", node->class_name))
        node->wavefronts = share_expr(traffic->wavefronts / traffic->requests, "wavefronts");
}

/* What L1 would keep of the read-only path's loads is stated from this share on. */
#define LEAST_KEPT 0.01

/* How the access lies to others. all: bytes that its threads asked for, in sectors. */
static void add_neighbours(const PsSpots *spots, const PsSpot *spot, double all, PsIdgItem *node)
{
    const PsTraffic traffic = ps_pattern_traffic(spot->pattern);
    if (spot->beside != PS_NO_SPOT)
        node->beside = g_strdup(ps_spot(spots, spot->beside)->name);
    node->vector = spot->vector;
    node->invariant = spot->invariant;
    if (ps_pattern_is_reused(spot->pattern))
        node->distinct = share_expr(traffic.distinct / all, "distinct");
    if (traffic.read_only < (1 - LEAST_KEPT) * traffic.l2)
        node->read_only = share_expr(traffic.read_only / all, "read-only");
    if (traffic.l1 > all)
        node->offset = ps_pattern_begin(spot->pattern);
}

/* A copy of many bytes passes L1: a few lanes ask for them, and each thread of the warp has its
 * part. */
static void add_copied(const PsPattern *pattern, const PsTraffic *traffic, PsIdgItem *node)
{
    const guint64 lanes = (guint64)(pattern->lanes / pattern->requests);
    const double all = traffic->l1 > 0 ? traffic->l1 : 1;
    ps_expr_free(node->bytes);
    node->bytes =
        ps_number_expr((gint64)(MAX(lanes, 1) * pattern->bytes + PS_PTX_LANES - 1) / PS_PTX_LANES);
    node->share[PS_LEVEL_L2] = share_expr(traffic->l2 / all, "share");
    node->share[PS_LEVEL_DEVICE] = share_expr(traffic->device / all, "share");
}

static void add_traffic(const Emit *emit, const PsSpot *spot, PsIdgItem *node)
{
    const PsPattern *pattern = spot->pattern;
    node->bytes = ps_number_expr(spot->bytes > 0 ? spot->bytes : pattern->bytes);
    if ((pattern->space != PS_PTX_GLOBAL && pattern->space != PS_PTX_LOCAL) ||
        pattern->requests == 0 || pattern->bytes == 0)
        return;
    const PsTraffic traffic = ps_pattern_traffic(pattern);
    if (ps_class_covers("copy", node->class_name)) {
        add_copied(pattern, &traffic, node);
        return;
    }
    const double all = traffic.requests * pattern->bytes * fullness(emit->symbols);
    node->share[PS_LEVEL_L1] = share_expr(traffic.l1 / all, "share");
    node->share[PS_LEVEL_L2] = share_expr(traffic.l2 / all, "share");
    node->share[PS_LEVEL_DEVICE] = share_expr(traffic.device / all, "share");
    add_lines(pattern, node);
    add_wavefronts(pattern, &traffic, node);
    add_neighbours(emit->spots, spot, all, node);
    add_spot(emit->spots->facts, pattern, node);
}

/* A comment with the line of the source, if that differs from the last comment's. */
static char *comment_of(Emit *emit, const PsIdgItem *item)
{
    const PsSourceText *text = emit->text;
    const int line = item->source_line;
    if (line <= 0 || line == emit->line || !text->lines || item->file)
        return NULL;
    emit->line = line;
    if ((guint)line > text->n_lines)
        return NULL;
    g_autofree char *stripped = g_strstrip(g_strdup(text->lines[line - 1]));
    if (strlen(stripped) > MOST_COMMENT)
        memcpy(stripped + MOST_COMMENT - 3, "...", sizeof "...");
    return *stripped ? g_strdup_printf("%d: %s", line, stripped) : NULL;
}

/* The place of what was inlined, beside that of the call. */
static char *header_of(const PsPtxModule *module, const PsPtxInstruction *instruction)
{
    g_autofree char *file = ps_valid_text(ps_plain_file(ps_ptx_file(module, instruction)));
    return g_strdup_printf("%s:%d", file ? file : "?", instruction->source_line);
}

/* Where the point is in the source, in the kernel's own file if it can be said so. */
static void add_line(const Emit *emit, guint point, PsIdgItem *item)
{
    const PsFacts *facts = emit->spots->facts;
    const PsPtxModule *module = facts->code->module;
    const PsPtxInstruction *instruction = ps_facts_instruction(facts, point);
    const PsPtxPlace place = ps_ptx_place_in(module, instruction, emit->text->file);
    const char *file = ps_plain_file(place.file);
    if (place.line <= 0)
        return;
    item->source_line = place.line;
    item->near = instruction->near;
    if (file && g_strcmp0(file, emit->text->name) != 0)
        item->file = ps_valid_text(file);
    if (g_strcmp0(place.file, ps_ptx_file(module, instruction)) != 0)
        item->via = header_of(module, instruction);
}

/* A few threads that stay away now and then say nothing. */
#define FULL 0.99
/* Shares have six digits, and are above 0. */
#define LEAST_LANES 1e-6

static gboolean is_alone(const PsSpots *spots, const PsSpot *spot)
{
    guint n = 0;
    for (guint i = 0; i < spots->spots->len; i++)
        n += ps_spot(spots, i)->kind == PS_SPOT_STEP && ps_spot(spots, i)->point == spot->point;
    return n == 1;
}

/* How many threads of a warp come to it. Where a point has several nodes, such as those of a loop's
 * last iteration, stores and atomics of global memory have those of all that are like this one. At
 * a place where all groups meet one lane may act for a warp, which says nothing of the others. */
static double lanes_of(const Emit *emit, const PsSpot *spot, const PsIdgItem *item)
{
    const PsPattern *pattern = spot->pattern;
    if (!item->share[PS_LEVEL_L1] || !ps_class_writes(item->class_name) || item->spot ||
        is_alone(emit->spots, spot))
        return emit->lanes[spot->point];
    return fmax((double)pattern->lanes /
                    ((double)pattern->requests * PS_PTX_LANES * fullness(emit->symbols)),
                LEAST_LANES);
}

/* A product with tensor memory is one thread's, and as long as if all had asked for it. */
static gboolean acts_for_all(const PsIdgItem *item)
{
    return item->class_name && ps_class_covers("tensor.tcgen05", item->class_name);
}

/* Which threads come to it, where add_executed has not said which of them execute it. */
static void add_lanes(const Emit *emit, const PsSpot *spot, PsIdgItem *item)
{
    if (acts_for_all(item) || !emit->lanes || emit->lanes[spot->point] > FULL)
        return;
    const double lanes = lanes_of(emit, spot, item);
    if (!item->lanes && lanes <= FULL)
        item->lanes = share_expr(lanes, "lanes");
    item->side = spot->side;
}

static void add_place(Emit *emit, const PsSpot *spot, PsIdgItem *item)
{
    const PsFacts *facts = emit->spots->facts;
    const guint point = spot->point;
    add_lanes(emit, spot, item);
    if (facts->machine)
        item->instruction = g_array_index(facts->machine->origins, PsSassOrigin, point).machine + 1;
    add_line(emit, point, item);
    item->comment = comment_of(emit, item);
}

/* An operation is done by those threads for which the guard is true. FALSE: it never was. */
static gboolean add_executed(const Emit *emit, guint point, PsIdgItem *node)
{
    const double share = emit->executed ? emit->executed[point] : 1;
    if (share <= 0)
        return FALSE;
    if (acts_for_all(node))
        return TRUE;
    if (emit->executed && share <= FULL) {
        node->lanes = share_expr(fmax(share, LEAST_LANES), "lanes");
    }
    return TRUE;
}

/* Sets the operations of a node: they are those of the PTX instruction as a whole. Machine code
 * divides whole numbers by way of reciprocals of singles, and nothing is computed in singles then.
 */
static void add_result(const Emit *emit, guint i, PsIdgItem *node)
{
    const PsFact *fact = ps_spot_fact(emit->spots, i);
    if (fact->class.ops == 0 || (strcmp(fact->class.type, "int") != 0 &&
                                 ps_operation_table_is_of_integers(emit->operations, i)))
        return;
    if (!add_executed(emit, ps_spot(emit->spots, i)->point, node))
        return;
    node->ops = ps_number_expr(fact->class.ops);
    node->type = g_strdup(fact->class.type);
}

static char *move_name(const PsSpot *spot, guint move)
{
    return g_strdup_printf("%s__c%u", spot->name, move);
}

/* Adds nodes that move constants to registers before the instruction. */
static void emit_moves(Emit *emit, guint i, GPtrArray *body)
{
    const PsSpot *spot = ps_spot(emit->spots, i);
    for (guint m = 1; m <= spot->moves; m++) {
        g_autofree char *name = move_name(spot, m);
        PsIdgItem *node = ps_idg_add_node(body, name, "logic.mov");
        node->part = g_strdup(ps_operation_table_whole(emit->operations, i));
        add_place(emit, spot, node);
    }
}

static void await_moves(const PsSpot *spot, PsIdgItem *node)
{
    for (guint m = 1; m <= spot->moves && node->after->len < PS_IDG_MAX_AFTER; m++) {
        g_autofree char *name = move_name(spot, m);
        ps_idg_add_dep(node, name);
    }
}

/* R9: every instruction takes the issue port for a cycle, so a stall count of 1 holds nothing. */
static void add_hold(const PsSpots *spots, guint point, PsIdgItem *node)
{
    const PsSassControl *control = ps_facts_control(spots->facts, point);
    if (control && control->stall > 1)
        node->hold = ps_number_expr(control->stall);
}

/* R10: what it reads of the banks of registers, which PTX does not know. */
static void add_banks(const PsSpots *spots, guint point, PsIdgItem *node)
{
    const PsSassReads *reads = ps_facts_reads(spots->facts, point);
    for (guint bank = 0; reads && bank < PS_IDG_BANKS; bank++) {
        node->banks[bank] = reads->of[bank];
        node->kept[bank] = reads->kept[bank];
    }
}

static void emit_one(Emit *emit, guint i, GPtrArray *body)
{
    const PsSpot *spot = ps_spot(emit->spots, i);
    g_autofree char *class_name = ps_spot_class(emit->spots, i);
    emit_moves(emit, i, body);
    PsIdgItem *node = ps_idg_add_node(body, spot->name, class_name);
    add_dependences(emit->spots, i, node);
    add_awaits(emit, i, node);
    await_moves(spot, node);
    add_hold(emit->spots, spot->point, node);
    add_banks(emit->spots, spot->point, node);
    add_reads(emit, i, node);
    if (is_access(emit->spots, i))
        add_traffic(emit, spot, node);
    add_result(emit, i, node);
    ps_operation_table_state(emit->operations, i, node);
    add_place(emit, spot, node);
}

/* The name of one step of a sequence. The step with the result is named as the instruction, others
 * with "__", which no other name has (name.c). */
static char *step_name(const PsSpot *spot, const PsSequence *sequence, guint step)
{
    if (step == sequence->result)
        return g_strdup(spot->name);
    return g_strdup_printf("%s__%u", spot->name, step + 1);
}

static void emit_sequence(Emit *emit, guint i, GPtrArray *body)
{
    const PsSpot *spot = ps_spot(emit->spots, i);
    const PsFact *fact = ps_spot_fact(emit->spots, i);
    for (guint s = 0; s < fact->sequence->steps->len; s++) {
        const PsStep *step = &g_array_index(fact->sequence->steps, PsStep, s);
        g_autofree char *name = step_name(spot, fact->sequence, s);
        PsIdgItem *node = ps_idg_add_node(body, name, step->class_name);
        if (step->reads)
            add_dependences(emit->spots, i, node);
        for (guint a = 0; a < step->n_after && node->after->len < PS_IDG_MAX_AFTER; a++) {
            g_autofree char *before = step_name(spot, fact->sequence, step->after[a]);
            ps_idg_add_dep(node, before);
        }
        if (s == fact->sequence->result) {
            add_result(emit, i, node);
            ps_operation_table_state(emit->operations, i, node);
        } else if (!fact->class.unit) {
            const char *whole = ps_operation_table_whole(emit->operations, i);
            node->part = g_strdup(whole ? whole : spot->name);
        }
        add_place(emit, spot, node);
    }
}

static void emit_node(Emit *emit, guint i, GPtrArray *body)
{
    if (ps_spot_fact(emit->spots, i)->sequence)
        emit_sequence(emit, i, body);
    else
        emit_one(emit, i, body);
}

/* ---- loops ---------------------------------------------------------------------------------- */

static gboolean has_nodes(const PsSpots *spots, guint begin, guint end)
{
    for (guint i = begin; i < end; i++)
        if (ps_spot_is_node(spots, i))
            return TRUE;
    return FALSE;
}

/* A loop is named after the source line of its branch back, its last step; without one, of its
 * first step. */
static char *loop_name(const PsSpots *spots, guint begin)
{
    for (guint i = ps_spot(spots, begin)->partner; i-- > begin + 1;) {
        const PsSpot *spot = ps_spot(spots, i);
        if (spot->kind != PS_SPOT_STEP)
            continue;
        const int line = ps_facts_instruction(spots->facts, spot->point)->source_line;
        if (line > 0)
            return g_strdup_printf("line%d", line);
    }
    return NULL;
}

/* The compiler's own, before all that people wrote: nearest to its first line. */
static void emit_frame(const Emit *emit, GPtrArray *body)
{
    PsIdgItem *node = ps_idg_add_node(body, "frame__1", "logic.mov");
    for (guint i = 0; i < emit->spots->spots->len && node->source_line == 0; i++)
        if (ps_spot(emit->spots, i)->kind == PS_SPOT_STEP)
            add_line(emit, ps_spot(emit->spots, i)->point, node);
    node->near = node->source_line > 0;
}

/* Whether a load of global memory stands behind a store there, from one spot to before another,
 * none of which begins or ends a loop, and nothing but the store keeps it there. */
static gboolean store_keeps(const PsSpots *spots, guint first, guint end)
{
    gboolean stored = FALSE;
    for (guint i = first; i < end; i++) {
        const PsClass *class = &ps_spot_fact(spots, i)->class;
        const gboolean global = g_str_has_prefix(class->name, "global");
        if (class->kind == PS_CLASS_BARRIER || class->kind == PS_CLASS_BRANCH ||
            class->kind == PS_CLASS_EFFECT)
            stored = FALSE;
        else if (global && class->kind == PS_CLASS_STORE)
            stored = TRUE;
        else if (global && stored && class->kind == PS_CLASS_LOAD)
            return TRUE;
    }
    return FALSE;
}

/* Which spots of straight code are between the same loops as such a load. */
static guint8 *find_kept(const PsSpots *spots)
{
    const guint n = spots->spots->len;
    guint8 *keeps = g_new0(guint8, n + 1);
    for (guint first = 0, end; first < n; first = end + 1) {
        for (end = first; end < n && ps_spot(spots, end)->kind == PS_SPOT_STEP;)
            end++;
        if (store_keeps(spots, first, end))
            memset(keeps + first, TRUE, end - first);
    }
    return keeps;
}

/* How often a warp comes to each point: each executed the same steps, so the spots tell. */
static double *times_of_points(const PsSpots *spots)
{
    double *all = g_new0(double, spots->facts->code->n_points);
    gint64 times = 1;
    for (guint i = 0; i < spots->spots->len; i++) {
        const PsSpot *spot = ps_spot(spots, i);
        if (spot->kind == PS_SPOT_LOOP)
            times *= spot->times;
        else if (spot->kind == PS_SPOT_END)
            times /= ps_spot(spots, spot->partner)->times;
        else
            all[spot->point] += (double)times;
    }
    return all;
}

static double *shares_of_lanes(const PsSpots *spots, const PsRollWarps *warps)
{
    if (!warps->idle)
        return NULL;
    double *shares = times_of_points(spots);
    for (guint p = 0; p < spots->facts->code->n_points; p++)
        if (shares[p] > 0)
            shares[p] = fmax(1 - (double)warps->idle[p] / (shares[p] * (double)warps->lanes),
                             1.0 / PS_PTX_LANES);
    return shares;
}

static double *shares_executed(const PsSpots *spots, const PsRollWarps *warps)
{
    if (!warps->barred)
        return NULL;
    double *shares = times_of_points(spots);
    for (guint p = 0; p < spots->facts->code->n_points; p++) {
        const guint64 missing = warps->barred[p] + (warps->idle ? warps->idle[p] : 0);
        if (shares[p] > 0)
            shares[p] = fmax(1 - (double)missing / (shares[p] * (double)warps->lanes), 0);
    }
    return shares;
}

void ps_role_emit(const PsRoles *roles, guint role, PsSymbols *symbols, const PsSourceText *text,
                  GPtrArray *body)
{
    const PsWarpRole *of = roles->list->pdata[role];
    const PsSpots *spots = of->spots;
    g_autofree double *lanes = shares_of_lanes(spots, of->as);
    g_autofree double *executed = shares_executed(spots, of->as);
    g_autofree guint8 *keeps = find_kept(spots);
    g_autoptr(PsOperationTable) operations = ps_operation_table_new(symbols, spots);
    Emit emit = {roles, of, spots, symbols, text, operations, 0, lanes, executed, keeps};
    g_autoptr(GPtrArray) bodies = g_ptr_array_new();
    g_ptr_array_add(bodies, body);
    if (spots->facts->rules[PS_BUILD_FRAME])
        emit_frame(&emit, body);
    for (guint at = 0; at < spots->spots->len; at++) {
        const guint i = spots->order[at];
        const PsSpot *spot = ps_spot(spots, i);
        GPtrArray *inner = bodies->pdata[bodies->len - 1];
        if (spot->kind == PS_SPOT_END) {
            g_ptr_array_set_size(bodies, (gint)bodies->len - 1);
        } else if (spot->kind == PS_SPOT_LOOP && !has_nodes(spots, i + 1, spot->partner)) {
            at = spot->partner;
        } else if (spot->kind == PS_SPOT_LOOP) {
            g_autofree char *name = loop_name(spots, i);
            PsIdgItem *loop = ps_idg_add_loop(inner, name, ps_symbols_trips(symbols, spots, i));
            g_ptr_array_add(bodies, loop->body);
        } else if (ps_spot_is_node(spots, i)) {
            emit_node(&emit, i, inner);
        }
    }
}

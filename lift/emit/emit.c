/* SPDX-License-Identifier: BSD-3-Clause */
/* Spots become nodes and loops. */
#include "lift/emit/emit-private.h"

#include "base/class-name.h"
#include "idg/internal.h"

#include <math.h>
#include <string.h>

#define MOST_COMMENT 120

/* ---- nodes ---------------------------------------------------------------------------------- */

/* A comment with the source line, if the last comment has another. */
static char *comment_of(PsEmit *emit, const PsIdgItem *item)
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

/* The place in the inlined function, beside that of its call. */
static char *header_of(const PsPtxModule *module, const PsPtxInstruction *instruction)
{
    g_autofree char *file = ps_valid_text(ps_plain_file(ps_ptx_file(module, instruction)));
    return g_strdup_printf("%s:%d", file ? file : "?", instruction->source_line);
}

/* Adds the point's place in the source, in the kernel's own file if that is known. */
static void add_line(const PsEmit *emit, guint point, PsIdgItem *item)
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

/* A share of lanes; a few threads that stay away now and then do not count. */
#define FULL 0.99
/* Shares have six digits and are above 0. */
#define LEAST_LANES 1e-6

static gboolean is_alone(const PsSpots *spots, const PsSpot *spot)
{
    guint n = 0;
    for (guint i = 0; i < spots->spots->len; i++)
        n += ps_spot(spots, i)->kind == PS_SPOT_STEP && ps_spot(spots, i)->point == spot->point;
    return n == 1;
}

/* The share of a warp's threads that run the node. If a point has several nodes, such as those of a
 * loop's last iteration, stores and atomics of global memory have the share over all that are
 * alike. Where all groups meet, one lane may act for its warp, which says nothing about the
 * others. */
static double lanes_of(const PsEmit *emit, const PsSpot *spot, const PsIdgItem *item)
{
    const PsPattern *pattern = spot->pattern;
    if (!item->share[PS_LEVEL_L1] || !ps_class_writes(item->class_name) || item->spot ||
        is_alone(emit->spots, spot))
        return emit->lanes[spot->point];
    return fmax((double)pattern->lanes /
                    ((double)pattern->requests * PS_PTX_LANES * ps_emit_fullness(emit->symbols)),
                LEAST_LANES);
}

/* TRUE for a product with tensor memory: one thread issues it for all. */
static gboolean acts_for_all(const PsIdgItem *item)
{
    return item->class_name && ps_class_covers("tensor.tcgen05", item->class_name);
}

/* Adds which threads run the node, unless add_executed has told which of them execute it. */
static void add_lanes(const PsEmit *emit, const PsSpot *spot, PsIdgItem *item)
{
    if (acts_for_all(item) || !emit->lanes || emit->lanes[spot->point] > FULL)
        return;
    const double lanes = lanes_of(emit, spot, item);
    if (!item->lanes && lanes <= FULL)
        item->lanes = ps_share_expr(lanes, "lanes");
    item->side = spot->side;
}

static void add_place(PsEmit *emit, const PsSpot *spot, PsIdgItem *item)
{
    const PsFacts *facts = emit->spots->facts;
    const guint point = spot->point;
    add_lanes(emit, spot, item);
    if (facts->machine)
        item->instruction = g_array_index(facts->machine->origins, PsSassOrigin, point).machine + 1;
    add_line(emit, point, item);
    item->comment = comment_of(emit, item);
}

/* Adds the threads that do the operation: those for which the guard is true. FALSE: it never
 * was. */
static gboolean add_executed(const PsEmit *emit, guint point, PsIdgItem *node)
{
    const double share = emit->executed ? emit->executed[point] : 1;
    if (share <= 0)
        return FALSE;
    if (acts_for_all(node))
        return TRUE;
    const gboolean counted = emit->role->counted && emit->lanes && emit->lanes[point] <= FULL;
    if (emit->executed && (share <= FULL || counted))
        node->lanes = ps_share_expr(fmax(share, LEAST_LANES), "lanes");
    return TRUE;
}

/* Sets the operations of a node: those of the whole PTX instruction. Machine code divides integers
 * by reciprocals of singles, which does not count as computing in singles. */
static void add_result(const PsEmit *emit, guint i, PsIdgItem *node)
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
static void emit_moves(PsEmit *emit, guint i, GPtrArray *body)
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
static void add_hold(const PsSpots *spots, const PsSpot *spot, PsIdgItem *node)
{
    const PsSassControl *control = ps_facts_control(spots->facts, spot->point);
    const guint hold = control ? control->stall : spot->hold;
    if (hold > 1)
        node->hold = ps_number_expr(hold);
}

/* R10: adds its reads from the banks of registers, which PTX does not know. */
static void add_banks(const PsSpots *spots, guint point, PsIdgItem *node)
{
    const PsSassReads *reads = ps_facts_reads(spots->facts, point);
    for (guint bank = 0; reads && bank < PS_IDG_BANKS; bank++) {
        node->banks[bank] = reads->of[bank];
        node->kept[bank] = reads->kept[bank];
    }
}

static void emit_one(PsEmit *emit, guint i, GPtrArray *body)
{
    const PsSpot *spot = ps_spot(emit->spots, i);
    g_autofree char *class_name = ps_spot_class(emit->spots, i);
    emit_moves(emit, i, body);
    PsIdgItem *node = ps_idg_add_node(body, spot->name, class_name);
    ps_emit_dependences(emit->spots, i, node);
    ps_emit_awaits(emit, i, node);
    await_moves(spot, node);
    add_hold(emit->spots, spot, node);
    add_banks(emit->spots, spot->point, node);
    ps_emit_reads(emit, i, node);
    if (ps_spot_is_access(emit->spots, i))
        ps_emit_traffic(emit, spot, node);
    add_result(emit, i, node);
    ps_operation_table_state(emit->operations, i, node);
    add_place(emit, spot, node);
    if (ps_spot_is_access(emit->spots, i))
        ps_emit_partial(emit, spot, node);
}

/* The name of one step of a sequence. The step with the result has the instruction's name; others
 * have "__", which no other name contains (name.c). */
static char *step_name(const PsSpot *spot, const PsSequence *sequence, guint step)
{
    if (step == sequence->result)
        return g_strdup(spot->name);
    return g_strdup_printf("%s__%u", spot->name, step + 1);
}

static void emit_sequence(PsEmit *emit, guint i, GPtrArray *body)
{
    const PsSpot *spot = ps_spot(emit->spots, i);
    const PsFact *fact = ps_spot_fact(emit->spots, i);
    for (guint s = 0; s < fact->sequence->steps->len; s++) {
        const PsStep *step = &g_array_index(fact->sequence->steps, PsStep, s);
        g_autofree char *name = step_name(spot, fact->sequence, s);
        PsIdgItem *node = ps_idg_add_node(body, name, step->class_name);
        if (step->reads)
            ps_emit_dependences(emit->spots, i, node);
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

static void emit_node(PsEmit *emit, guint i, GPtrArray *body)
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

/* A loop has the name of the source line of its branch back, its last step; if there is none, of
 * its first step. */
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

/* The body of a new loop; or, for one that always runs once, the body around it. Takes ownership of
 * the expression. */
static GPtrArray *open_loop(GPtrArray *body, const char *name, PsExpr *times)
{
    if (strcmp(ps_expr_text(times), "1") != 0)
        return ps_idg_add_loop(body, name, times)->body;
    ps_expr_free(times);
    return body;
}

/* Adds the compiler's own code before the source's: nearest to its first line. */
static void emit_frame(const PsEmit *emit, GPtrArray *body)
{
    PsIdgItem *node = ps_idg_add_node(body, "frame__1", "logic.mov");
    for (guint i = 0; i < emit->spots->spots->len && node->source_line == 0; i++)
        if (ps_spot(emit->spots, i)->kind == PS_SPOT_STEP)
            add_line(emit, ps_spot(emit->spots, i)->point, node);
    node->near = node->source_line > 0;
}

/* TRUE if, between two spots of straight code, only a store to global memory keeps a load of global
 * memory behind it. */
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

/* [spot]: it stands in straight code with such a load. */
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

void ps_role_emit(const PsRoles *roles, guint role, PsSymbols *symbols, const PsSourceText *text,
                  GPtrArray *body)
{
    const PsWarpRole *of = roles->list->pdata[role];
    const PsSpots *spots = of->spots;
    g_autofree double *lanes = ps_role_comes(of);
    g_autofree double *executed = ps_role_executes(of);
    g_autofree guint8 *keeps = find_kept(spots);
    g_autoptr(PsOperationTable) operations = ps_operation_table_new(symbols, spots);
    PsEmit emit = {roles, of, spots, symbols, text, operations, 0, lanes, executed, keeps};
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
            g_ptr_array_add(bodies, open_loop(inner, name, ps_symbols_trips(symbols, spots, i)));
        } else if (ps_spot_is_node(spots, i)) {
            emit_node(&emit, i, inner);
        }
    }
}

/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * The rule "schedule": the order within straight code, as an assembler makes it. Instructions are
 * placed one by one: of those whose operands are ready, the one that is wanted earliest. An
 * instruction is wanted at its position in PTX; one that another needs, by its latency before that
 * one. For loads from global memory the latency is so large that they come as early as operands,
 * memory and registers allow. The use of a load comes when nothing else is left to do while the
 * load is under way. Where nobody tells the number of registers, it is the one with which a compute
 * unit still has all its warps, which ptxas keeps to for the sake of loads: of two loops with
 * sixteen loads at once it takes 32 registers on sm_80 and 90, 40 on sm_86 and 89, 55 on sm_75.
 *
 * Straight code ends where other code joins it, at branches (those to subroutines for unusual
 * operands of divisions and square roots, too) and at fences. No instruction moves across these.
 * Accesses to memory stay on their side of a barrier, and other instructions do not.
 *
 * A warp's special functions and its products of matrices come as far apart as their unit takes for
 * one: other instructions come in between, and where there are none the instruction before holds
 * the warp (R9). They are wanted so early that those behind them on their unit find their time.
 * Loads of matrices and asynchronous copies are kept apart by what else there is to do.
 *
 * An instruction stays on the same side of everything that it depends on, in this iteration of a
 * loop or the next, so that every dependence stays what it was.
 */
#include "base/class-name.h"
#include "lift/rules/rules.h"
#include "lift/rules/schedule-live.h"
#include "lift/rules/schedule-memory.h"

#include <string.h>

/* Instructions that are ordered together, at most; longer straight code is ordered in pieces. */
#define MOST_ITEMS 1024

/* Instructions that an assembler tries to put between a load and its first use. The figure for
 * local memory was chosen on the corpus (tests/validate/sass.pl): of 6, 8, 10, 12, 14, 20 and 30
 * the one with distances nearest to ptxas's. */
#define FAR_LATENCY 400
#define NEAR_LATENCY 10
#define SLOW_LATENCY 20
#define DOUBLE_LATENCY 8
#define TENSOR_LATENCY 24
#define LATENCY 4

#define MOST_REGISTERS 255
/* Part of the registers that hold no value, since several must stand beside each other. Chosen on
 * the order of copies, loads and barriers among products in eight of Triton's kernels: of a 64th, a
 * 32nd, 3, 4, 5 and 6 64ths the one nearest to ptxas's. */
#define LOST_PART 16
#define LEAST_PART 4 /* iterations of an unrolled loop ordered by themselves, at least */

typedef struct {
    guint to;
    guint latency; /* latency of its result, in instructions; 0: only the order counts */
} Link;

/* Units that an assembler keeps a warp's instructions apart for. */
typedef enum { UNIT_OTHER, UNIT_SPECIAL, UNIT_TENSOR, UNIT_MATRICES, N_UNITS } Unit;

typedef struct {
    guint spot;
    guint latency;
    gint64 wanted; /* position in the code at which it is wanted */
    gint64 ready;  /* time at which its operands are ready */
    guint waits;   /* number of items that must come before it and are not placed yet */
    gboolean placed;
    Unit unit;
    GArray *next; /* Link */
} Item;

typedef struct {
    PsSpots *spots;
    guint *item_of; /* [spot]: its number in the block plus 1, or 0 */
    GArray *items;  /* Item, in the order of the code */
    PsLive *live;
    gint64 most_live;     /* bytes of registers */
    gint64 limit;         /* bytes of registers that exist */
    guint first, window;  /* items that may be placed: a window from the first unplaced one */
    gboolean full;        /* registers ran out */
    guint apart[N_UNITS]; /* cycles from an instruction of the unit to the next */
    gint64 free[N_UNITS]; /* time at which the next one may issue */
    gboolean known;       /* an assembler stated their number */
} Block;

static Item *item(const Block *block, guint i)
{
    return &g_array_index(block->items, Item, i);
}

/* ---- what an instruction is --------------------------------------------------------------------
 */

static guint latency_of_class(const char *name)
{
    static const char *const far[] = {"global", "memory", "atomic.global", NULL};
    static const char *const near[] = {"local", "atomic.local", "constant", "shuffle", NULL};
    static const char *const slow[] = {"conversion", "logic.special", NULL};
    static const char *const doubles[] = {"dadd", "dmul", "dfma", NULL};
    if (ps_class_is_special(name) || ps_class_is_one_of(name, slow))
        return SLOW_LATENCY;
    if (ps_class_covers("global.load.async", name)) /* it has no result */
        return LATENCY;
    return ps_class_is_one_of(name, far)       ? FAR_LATENCY
           : ps_class_covers("tensor", name)   ? TENSOR_LATENCY
           : ps_class_is_one_of(name, near)    ? NEAR_LATENCY
           : ps_class_is_one_of(name, doubles) ? DOUBLE_LATENCY
                                               : LATENCY;
}

/* The latency of a spot; for a sequence, that of all steps up to the result. */
static guint latency_of(const PsSpots *spots, guint i)
{
    const PsFact *fact = ps_spot_fact(spots, i);
    if (!fact->sequence)
        return latency_of_class(fact->name);
    const GArray *steps = fact->sequence->steps;
    g_autofree guint *end = g_new0(guint, steps->len);
    for (guint s = 0; s < steps->len; s++) {
        const PsStep *step = &g_array_index(steps, PsStep, s);
        for (guint a = 0; a < step->n_after; a++)
            end[s] = MAX(end[s], end[step->after[a]]);
        end[s] += latency_of_class(step->class_name);
    }
    return MAX(end[fact->sequence->result], steps->len);
}

static gboolean has_branch(const PsSequence *sequence)
{
    for (guint s = 0; sequence && s < sequence->steps->len; s++)
        if (strcmp(g_array_index(sequence->steps, PsStep, s).class_name, "branch") == 0)
            return TRUE;
    return FALSE;
}

/* TRUE for a branch within an unrolled loop, which the loop drops. */
static gboolean is_left_out(const PsSpots *spots, guint i)
{
    return ps_spot_is_unrolled(spots, i) && !ps_spot_is_node(spots, i);
}

/* TRUE if instructions before the spot stay there: another path leads to the spot. */
static gboolean begins_block(const PsSpots *spots, guint i)
{
    const guint point = ps_spot(spots, i)->point;
    const PsPtxCode *code = spots->facts->code;
    return ps_spot_leads(spots, i) && (!ps_spot_is_unrolled(spots, i) ||
                                       code->loops[code->points[point].loop].header == point);
}

/* TRUE if no instruction may move across this one. */
static gboolean ends_block(const PsSpots *spots, guint i)
{
    const PsFact *fact = ps_spot_fact(spots, i);
    return (fact->class.kind == PS_CLASS_BRANCH && !is_left_out(spots, i)) ||
           fact->class.kind == PS_CLASS_EFFECT ||
           (fact->class.kind == PS_CLASS_WAIT && ps_spot_is_node(spots, i)) ||
           has_branch(fact->sequence);
}

/* ---- a block ------------------------------------------------------------------------------------
 */

static void add_link(Block *block, guint from, guint to, guint latency)
{
    const Link link = {to, latency};
    g_array_append_val(item(block, from)->next, link);
    item(block, to)->waits++;
}

static void link_edges(Block *block, guint i)
{
    const GArray *edges = ps_spot(block->spots, item(block, i)->spot)->edges;
    for (guint e = 0; edges && e < edges->len; e++) {
        const PsEdge *edge = &g_array_index(edges, PsEdge, e);
        const guint on = block->item_of[edge->on];
        if (on == 0 || on - 1 == i)
            continue;
        const gboolean now = on - 1 < i && edge->distance == 1;
        if (on - 1 < i)
            add_link(block, on - 1, i, now ? item(block, on - 1)->latency : 0);
        else
            add_link(block, i, on - 1, 0);
    }
}

static void link_memory(Block *block, const PsMemoryUses *uses)
{
    for (guint i = 0; i < uses->uses->len; i++)
        for (guint j = 0; j < i; j++)
            if (ps_memory_keeps_order(uses, j, i))
                add_link(block, block->item_of[ps_memory_use(uses, j)->spot] - 1,
                         block->item_of[ps_memory_use(uses, i)->spot] - 1, 0);
}

/* A barrier comes before other work if an access behind it waits for that, and else stays behind
 * what is written before it. */
static void link_barriers(Block *block, const PsMemoryUses *uses)
{
    for (guint i = uses->uses->len; i-- > 0;) {
        const PsMemoryUse *use = ps_memory_use(uses, i);
        if (!use->constant && !use->barrier)
            return;
        const guint at = block->item_of[use->spot] - 1;
        for (guint before = 0; use->barrier && before < at; before++)
            add_link(block, before, at, 0);
    }
}

static void find_wanted(Block *block)
{
    gint64 next[N_UNITS]; /* when the next one of each unit is wanted */
    for (guint u = 0; u < N_UNITS; u++)
        next[u] = block->items->len;
    for (guint i = block->items->len; i-- > 0;) {
        Item *from = item(block, i);
        /* a value that is read after the block counts as read at its end */
        from->wanted = MIN((gint64)i, (gint64)block->items->len - from->latency);
        for (guint l = 0; l < from->next->len; l++) {
            const Link *link = &g_array_index(from->next, Link, l);
            from->wanted = MIN(from->wanted, item(block, link->to)->wanted - MAX(1, link->latency));
        }
        if (from->unit == UNIT_SPECIAL || from->unit == UNIT_TENSOR) {
            from->wanted = MIN(from->wanted, next[from->unit] - block->apart[from->unit]);
            next[from->unit] = from->wanted;
        }
    }
}

/* The time, from `now` on, at which the item can issue. */
static gint64 ready_at(const Block *block, guint i, gint64 now)
{
    const Item *at = item(block, i);
    return MAX(MAX(at->ready, now), block->free[at->unit]);
}

/* TRUE if a should be placed before b. */
static gboolean is_better(Block *block, guint a, guint b, gint64 now)
{
    const Item *x = item(block, a), *y = item(block, b);
    const gint64 x_ready = ready_at(block, a, now), y_ready = ready_at(block, b, now);
    if (block->live->now >= block->most_live) {
        block->full = TRUE;
        const gint64 of_x = ps_live_change(block->live, a), of_y = ps_live_change(block->live, b);
        if (of_x != of_y)
            return of_x < of_y;
    }
    if (x_ready != y_ready)
        return x_ready < y_ready;
    return x->wanted != y->wanted ? x->wanted < y->wanted : a < b;
}

/* Places an item; items that waited only for it may be placed from now on. */
static void put(Block *block, guint i, gint64 now, GArray *open)
{
    const Item *at = item(block, i);
    ps_live_place(block->live, i);
    for (guint l = 0; l < at->next->len; l++) {
        const Link *link = &g_array_index(at->next, Link, l);
        Item *to = item(block, link->to);
        to->ready = MAX(to->ready, now + MAX(1, link->latency));
        if (--to->waits == 0)
            g_array_append_val(open, link->to);
    }
}

static gboolean is_near(const Block *block, const GArray *open, guint o)
{
    return g_array_index(open, guint, o) - block->first < block->window;
}

/* Takes the best of the items that may be placed. The first unplaced one is among them, since
 * everything that it waits for stands before it. */
static guint take_best(Block *block, GArray *open, gint64 now)
{
    guint best = 0;
    for (guint o = 1; o < open->len; o++)
        if (is_near(block, open, o) &&
            (!is_near(block, open, best) || is_better(block, g_array_index(open, guint, o),
                                                      g_array_index(open, guint, best), now)))
            best = o;
    const guint result = g_array_index(open, guint, best);
    g_array_remove_index(open, best);
    return result;
}

/* A spot in its new place, and the cycles for which it holds its warp. */
typedef struct {
    guint spot, hold;
} Placed;

/* Writes the new order of spots, and returns the time at which the last one issues. */
static gint64 order_items(Block *block, Placed *order)
{
    g_autoptr(GArray) open = g_array_new(FALSE, FALSE, sizeof(guint));
    gint64 now = 0;
    memset(block->free, 0, sizeof block->free);
    block->first = 0;
    for (guint i = 0; i < block->items->len; i++)
        if (item(block, i)->waits == 0)
            g_array_append_val(open, i);
    for (guint n = 0; open->len > 0; n++) {
        const guint i = take_best(block, open, now);
        const gint64 at = ready_at(block, i, now);
        const Unit unit = item(block, i)->unit;
        if ((unit == UNIT_SPECIAL || unit == UNIT_TENSOR) && n > 0 &&
            at > MAX(now, item(block, i)->ready))
            order[n - 1].hold = (guint)(at - (now - 1));
        now = at;
        block->free[unit] = now + block->apart[unit];
        put(block, i, now++, open);
        order[n] = (Placed){item(block, i)->spot, 0};
        item(block, i)->placed = TRUE;
        while (block->first < block->items->len && item(block, block->first)->placed)
            block->first++;
    }
    return now;
}

/* If the loads of an unrolled loop's iterations need more registers than exist, the loop may be
 * faster with fewer iterations in flight. */
static void order_best(Block *block, Placed *order)
{
    const guint n = block->items->len;
    const gboolean unrolled = n > 0 && ps_spot_is_unrolled(block->spots, item(block, 0)->spot);
    g_autofree Item *before = g_memdup2(block->items->data, n * sizeof(Item));
    g_autofree Placed *other = g_new(Placed, n + 1);
    g_autoptr(GArray) registers = ps_live_save(block->live);
    block->window = n;
    block->full = FALSE;
    gint64 least = order_items(block, order);
    for (guint part = 2; unrolled && block->full && part <= LEAST_PART; part *= 2) {
        memcpy(block->items->data, before, n * sizeof(Item));
        ps_live_restore(block->live, registers);
        block->window = MAX(n / part, 1);
        const gint64 now = order_items(block, other);
        if (now < least)
            memcpy(order, other, n * sizeof(Placed));
        least = MIN(least, now);
    }
}

/* ---- all ----------------------------------------------------------------------------------------
 */

/* Orders a block: its nodes in their new order, then the spots that are no nodes. */
static void order_block(Block *block, const PsMemoryUses *uses, guint begin, guint end)
{
    for (guint i = 0; i < block->items->len; i++)
        link_edges(block, i);
    link_memory(block, uses);
    link_barriers(block, uses);
    find_wanted(block);
    ps_live_begin(block->live, begin, end);
    block->most_live = block->known ? block->limit : MAX(block->limit, ps_live_most(block->live));
    g_autofree Placed *order = g_new(Placed, block->items->len + 1);
    order_best(block, order);
    guint n = begin;
    for (guint i = 0; i < block->items->len; i++) {
        ps_spot(block->spots, order[i].spot)->hold = order[i].hold;
        block->spots->order[n++] = order[i].spot;
    }
    for (guint i = begin; i < end; i++)
        if (block->item_of[i] == 0)
            block->spots->order[n++] = i;
    for (guint i = begin; i < end; i++)
        block->item_of[i] = 0;
}

static Unit unit_of(const PsSpots *spots, guint i)
{
    static const char *const matrices[] = {"local.load.matrix", "global.load.async", NULL};
    const PsFact *fact = ps_spot_fact(spots, i);
    if (fact->sequence)
        return UNIT_OTHER;
    return ps_class_is_special(fact->name)            ? UNIT_SPECIAL
           : ps_class_covers("tensor", fact->name)    ? UNIT_TENSOR
           : ps_class_is_one_of(fact->name, matrices) ? UNIT_MATRICES
                                                      : UNIT_OTHER;
}

static void add_item(Block *block, guint spot)
{
    const Item new = {.spot = spot,
                      .latency = latency_of(block->spots, spot),
                      .unit = unit_of(block->spots, spot),
                      .next = g_array_new(FALSE, FALSE, sizeof(Link))};
    g_array_append_val(block->items, new);
    block->item_of[spot] = block->items->len;
}

static void item_clear(gpointer data)
{
    g_array_unref(((Item *)data)->next);
}

/* Collects the block that begins at this spot, and returns its end. */
static guint gather_block(Block *block, PsMemoryUses *uses, guint begin)
{
    const PsSpots *spots = block->spots;
    guint end = begin;
    for (; end < spots->spots->len && block->items->len < MOST_ITEMS; end++) {
        const PsSpot *spot = ps_spot(spots, end);
        if (spot->kind != PS_SPOT_STEP || ends_block(spots, end) ||
            (end > begin && begins_block(spots, end)))
            break;
        if (ps_spot_is_node(spots, end))
            add_item(block, end);
        ps_memory_uses_add(uses, end);
    }
    return end;
}

void ps_rule_schedule(PsSpots *spots, gint64 registers, gint64 full_registers,
                      const PsBuildApart *apart)
{
    const guint n = spots->spots->len;
    g_autofree guint *item_of = g_new0(guint, n + 1);
    g_autoptr(GArray) items = g_array_new(FALSE, FALSE, sizeof(Item));
    const gint64 limit = 4 * (registers > 0        ? registers - registers / LOST_PART
                              : full_registers > 0 ? full_registers
                                                   : MOST_REGISTERS);
    Block block = {.spots = spots,
                   .item_of = item_of,
                   .items = items,
                   .limit = limit,
                   .known = registers > 0,
                   .apart = {0, apart->special, apart->tensor, apart->matrices}};
    g_autoptr(PsLive) live = ps_live_new(spots);
    block.live = live;
    PsMemoryUses *uses = ps_memory_uses_new(spots);
    g_array_set_clear_func(items, item_clear);
    for (guint i = 0; i < n;) {
        const guint end = gather_block(&block, uses, i);
        order_block(&block, uses, i, end);
        g_array_set_size(items, 0);
        ps_memory_uses_clear(uses);
        i = MAX(end, i + 1); /* the spot that ends a block belongs to none */
    }
    ps_memory_uses_free(uses);
}

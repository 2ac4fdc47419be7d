/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Dependences: the spots are executed once more, but a register holds the producers of its value
 * instead of the value: instance k of a spot. So what an instruction reads tells which instructions
 * it depends on, and how many instances back. A loop is walked until an iteration leaves the
 * registers as the iteration before did, with instances counted from its own end: from then on all
 * iterations are alike, and the rest is skipped. So a loop takes a few iterations, however often it
 * runs.
 *
 * Within a warp the instances of one node complete in order. So the latest of several instances
 * stands for all; and if an instruction reads a node at several distances, the shortest is written:
 * it waits for no less than is needed.
 *
 * Of machine code scoreboards take the place of registers: a result of variable latency releases
 * the one that its instruction names, and who must not issue before names it, too. Results of fixed
 * latency are waited for by the compiler's stall counts, which become holds (emit.c). Nothing waits
 * until operands have been read: an instruction that issues has read them. In loops registers are
 * followed nevertheless: who reads whose result is noted beside.
 */
#include "lift/values/spots.h"

#include "base/class-name.h"

#include <string.h>

/* Most producers of one register; if there are more, the latest spots are kept. */
#define MOST_PRODUCERS 64
/* Iterations that are walked of a loop whose iterations never become alike. */
#define MOST_ITERATIONS 64
#define MOST_STEPS 4000000 /* after so many steps, two iterations of each loop must do */
#define MOST_BACK 256 /* most executions of a copy back that a wait for an mbarrier may reach */
#define GROUPS 16     /* groups of copies under way that are kept apart; older ones count as one */
#define SCOREBOARDS 6 /* of a warp */
/* Values that are neither registers, groups nor executions of copies. */
#define OTHERS (2 + PS_N_BESIDE + SCOREBOARDS)

typedef struct {
    guint spot;
    gint64 index;
} Producer;

/* Sorted by spot. */
typedef struct {
    guint n, size;
    Producer *list;
} Value;

/* The latest executions of a copy that waits for mbarriers refer to. */
typedef struct {
    guint point;
    guint n;       /* so many are needed */
    Value *values; /* the latest first */
} Latest;

typedef struct {
    PsSpots *spots;
    guint n_values;
    Value *values;              /* values of the registers, followed by those below */
    Value *open[PS_N_BESIDE];   /* what goes on beside the warp and is in no group yet */
    Value *groups[PS_N_BESIDE]; /* its groups, the latest first */
    Value *waited; /* copies that were waited for since the last barrier, and waits for mbarriers */
    Value *access; /* accesses since the last barrier */
    Value *boards; /* machine code: of each scoreboard, what has yet to release it */
    guint owed;    /* those that the next node waits for, as bits */
    Value sources; /* what the present step reads */
    Value read;    /* machine code: the same by registers */
    gint64 *count; /* per spot: instances so far */
    Value *extra;  /* per spot: what other parts of its node, executed before, read */
    guint64 steps;
    guint n_latest; /* copies that waits for mbarriers refer to */
    Latest *latest;
} Walk;

/* ---- values --------------------------------------------------------------------------------- */

static guint find_producer(const Value *value, guint spot)
{
    guint low = 0, high = value->n;
    if (high > 0 && value->list[high - 1].spot < spot)
        return high;
    while (low < high) {
        const guint middle = low + (high - low) / 2;
        if (value->list[middle].spot < spot)
            low = middle + 1;
        else
            high = middle;
    }
    return low;
}

static void add_producer(Value *value, guint spot, gint64 index)
{
    const guint at = find_producer(value, spot);
    if (at < value->n && value->list[at].spot == spot) {
        value->list[at].index = MAX(value->list[at].index, index);
        return;
    }
    if (value->n == value->size) {
        value->size = MAX(4, 2 * value->size);
        value->list = g_renew(Producer, value->list, value->size);
    }
    memmove(&value->list[at + 1], &value->list[at], (value->n - at) * sizeof(Producer));
    value->list[at] = (Producer){spot, index};
    value->n++;
}

static void add_value(Value *value, const Value *from)
{
    for (guint i = 0; i < from->n; i++)
        add_producer(value, from->list[i].spot, from->list[i].index);
}

static void set_value(Value *value, const Value *from)
{
    if (value == from)
        return;
    value->n = 0;
    add_value(value, from);
}

static void limit_value(Value *value)
{
    if (value->n <= MOST_PRODUCERS)
        return;
    memmove(value->list, &value->list[value->n - MOST_PRODUCERS],
            MOST_PRODUCERS * sizeof(Producer));
    value->n = MOST_PRODUCERS;
}

/* ---- edges ---------------------------------------------------------------------------------- */

static void add_to_edges(const Walk *walk, GArray **edges, const Producer *on, gboolean is_value)
{
    if (walk->count[on->spot] == 0)
        return; /* part of a loop's node that has yet to come */
    const gint64 distance = MAX(1, walk->count[on->spot] - on->index);
    if (!*edges)
        *edges = g_array_new(FALSE, FALSE, sizeof(PsEdge));
    for (guint i = 0; i < (*edges)->len; i++) {
        PsEdge *edge = &g_array_index(*edges, PsEdge, i);
        if (edge->on != on->spot)
            continue;
        edge->distance = MIN(edge->distance, distance);
        edge->value = edge->value || is_value;
        return;
    }
    const PsEdge edge = {on->spot, distance, is_value};
    g_array_append_val(*edges, edge);
}

static void add_edge(Walk *walk, guint spot, const Producer *on, gboolean is_value)
{
    add_to_edges(walk, &ps_spot(walk->spots, spot)->edges, on, is_value);
}

static void add_edges(Walk *walk, guint spot, const Value *on, gboolean is_value)
{
    for (guint i = 0; i < on->n; i++)
        add_edge(walk, spot, &on->list[i], is_value);
}

/* ---- steps ---------------------------------------------------------------------------------- */

/* Writes the results. Where lanes are apart, the others keep the old value, for which what is under
 * a condition waits itself. But a register that only one point writes was written before in all
 * lanes that read it, so its old value does not matter. */
static void write_registers(Walk *walk, const PsSpot *spot, const Value *value)
{
    const PsFacts *facts = walk->spots->facts;
    const PsFact *fact = ps_spot_is(facts, spot);
    for (guint i = 0; i < fact->n_to; i++) {
        const guint number = ps_fact_to(facts, fact)[i];
        Value *reg = &walk->values[number];
        if (spot->partial && fact->under == PS_PTX_NOWHERE && ps_facts_n_writers(facts, number) > 1)
            add_value(reg, value);
        else
            set_value(reg, value);
        limit_value(reg);
    }
}

/* Collects what the step reads. A step with a guard may leave its result as it was, so it reads
 * that, too. */
static void gather_sources(const Walk *walk, const PsSpot *spot, Value *sources)
{
    const PsFacts *facts = walk->spots->facts;
    const PsFact *fact = ps_spot_is(facts, spot);
    const gboolean under = fact->under != PS_PTX_NOWHERE;
    const gboolean guarded = ps_facts_instruction(facts, spot->point)->guard >= 0;
    sources->n = 0;
    if (under)
        add_value(sources, &walk->values[fact->under]);
    for (guint i = 0; i < fact->n_from; i++)
        add_value(sources, &walk->values[ps_fact_from(facts, fact)[i].reg]);
    for (guint i = 0; i < fact->n_to; i++) {
        const guint number = ps_fact_to(facts, fact)[i];
        if (guarded || (under && ps_facts_n_writers(facts, number) > 1))
            add_value(sources, &walk->values[number]);
    }
}

static void step_part(Walk *walk, guint at)
{
    const PsSpot *spot = ps_spot(walk->spots, at);
    const gboolean later = spot->into > at;
    for (guint i = 0; later && i < walk->sources.n; i++) {
        /* what another part of the same node produces is no dependence */
        const Producer *producer = &walk->sources.list[i];
        if (producer->spot != spot->into || producer->index < walk->count[spot->into])
            add_producer(&walk->extra[spot->into], producer->spot, producer->index);
    }
    walk->sources.n = 0;
    add_producer(&walk->sources, spot->into, walk->count[spot->into] - (later ? 0 : 1));
    write_registers(walk, spot, &walk->sources);
}

static void add_extra(Walk *walk, guint at)
{
    add_edges(walk, at, &walk->extra[at], TRUE);
    walk->extra[at].n = 0;
}

static void wait_for_copies(Walk *walk, guint at)
{
    if (ps_spot(walk->spots, at)->role == PS_ROLE_NODE)
        add_edges(walk, at, walk->waited, FALSE);
}

static void step_barrier(Walk *walk, guint at)
{
    add_edges(walk, at, walk->access, FALSE);
    wait_for_copies(walk, at);
    walk->access->n = 0;
    walk->waited->n = 0;
}

static Latest *latest_of(const Walk *walk, guint point)
{
    for (guint i = 0; i < walk->n_latest; i++)
        if (walk->latest[i].point == point)
            return &walk->latest[i];
    return NULL;
}

static PsClassBeside beside_of(const Walk *walk, guint at)
{
    const guint point = ps_spot(walk->spots, at)->point;
    return ps_class_beside(ps_facts_instruction(walk->spots->facts, point)->mnemonic);
}

/* Notes an execution that mbarriers count. */
static void note_latest(const Walk *walk, guint at)
{
    Latest *latest = latest_of(walk, ps_spot(walk->spots, at)->point);
    for (guint i = latest ? latest->n : 0; i-- > 1;)
        set_value(&latest->values[i], &latest->values[i - 1]);
    if (!latest)
        return;
    latest->values[0].n = 0;
    add_producer(&latest->values[0], at, walk->count[at]);
}

static void step_copy(Walk *walk, guint at)
{
    add_producer(walk->open[beside_of(walk, at)], at, walk->count[at]);
    note_latest(walk, at);
}

/* A wait for an mbarrier waits for copies, and loads after it wait for the wait. */
static void step_wait_mbarrier(Walk *walk, guint at, const PsPtxWait *wait)
{
    for (guint i = 0; i < wait->n; i++) {
        const Latest *latest = latest_of(walk, wait->list[i].point);
        if (latest && wait->list[i].back <= latest->n)
            add_edges(walk, at, &latest->values[wait->list[i].back - 1], FALSE);
    }
}

static void step_memory(Walk *walk, guint at, const PsClass *class)
{
    if (class->kind == PS_CLASS_COPY) {
        step_copy(walk, at);
        return;
    }
    if (ps_class_covers("local.load", class->name))
        wait_for_copies(walk, at);
    /* assemblers let a warp come to a barrier while its loads of global memory are under way */
    if (!walk->spots->facts->machine && !ps_class_covers("constant", class->name) &&
        !ps_class_covers("global.load", class->name))
        add_producer(walk->access, at, walk->count[at]);
}

/* What the next node waits for. */
static void note_scoreboards(Walk *walk, guint point)
{
    const PsSassControl *control = ps_facts_control(walk->spots->facts, point);
    walk->owed |= control ? control->wait : 0;
}

/* What waits for a scoreboard has waited for all that comes after it. */
static void await_scoreboards(Walk *walk, guint at)
{
    for (guint i = 0; i < SCOREBOARDS; i++)
        if (walk->owed >> i & 1) {
            add_edges(walk, at, &walk->boards[i], TRUE);
            walk->boards[i].n = 0;
        }
    walk->owed = 0;
}

static void take_scoreboard(Walk *walk, guint at)
{
    const PsSpot *spot = ps_spot(walk->spots, at);
    const PsSassControl *control = ps_facts_control(walk->spots->facts, spot->point);
    if (control->write < SCOREBOARDS && !spot->off)
        add_producer(&walk->boards[control->write], at, walk->count[at]);
}

/* Notes the nodes of the same body whose results machine code reads, whatever it waits for: that
 * may be rearranged. */
static void note_reads(Walk *walk, guint at)
{
    PsSpot *spot = ps_spot(walk->spots, at);
    gather_sources(walk, spot, &walk->read);
    for (guint i = 0; i < walk->read.n; i++)
        if (ps_spot(walk->spots, walk->read.list[i].spot)->around == spot->around)
            add_to_edges(walk, &spot->reads, &walk->read.list[i], TRUE);
}

/* The same: its result, of the instance that has just been counted. */
static void note_result(Walk *walk, guint at)
{
    const PsSpot *spot = ps_spot(walk->spots, at);
    walk->read.n = 0;
    add_producer(&walk->read, at, walk->count[at] - 1);
    write_registers(walk, spot, &walk->read);
}

/* What makes the instruction's result known to those that wait for it. */
static void step_result(Walk *walk, guint at)
{
    const PsSpot *spot = ps_spot(walk->spots, at);
    if (walk->spots->facts->machine) {
        take_scoreboard(walk, at);
        walk->count[at]++;
        note_result(walk, at);
        return;
    }
    walk->sources.n = 0;
    add_producer(&walk->sources, at, walk->count[at]);
    walk->count[at]++;
    write_registers(walk, spot, &walk->sources);
}

/* ---- groups of copies ------------------------------------------------------------------------ */

static void step_commit(Walk *walk, guint at)
{
    const PsClassBeside beside = beside_of(walk, at);
    Value *groups = walk->groups[beside], *open = walk->open[beside];
    add_value(&groups[GROUPS - 1], &groups[GROUPS - 2]);
    for (guint i = GROUPS - 2; i > 0; i--)
        set_value(&groups[i], &groups[i - 1]);
    set_value(&groups[0], open);
    open->n = 0;
}

/* Adds the copies that are waited for. */
static void step_wait(Walk *walk, guint at, Value *waited)
{
    const PsFacts *facts = walk->spots->facts;
    const guint point = ps_spot(walk->spots, at)->point;
    Value *groups = walk->groups[beside_of(walk, at)], *open = walk->open[beside_of(walk, at)];
    gint64 pending = 0;
    if (beside_of(walk, at) == PS_BESIDE_MOVES ||
        ps_ptx_has(ps_facts_instruction(facts, point)->mnemonic, "wait_all")) {
        add_value(waited, open);
        open->n = 0;
    } else if (!ps_facts_constant(facts, point, 0, &pending)) {
        pending = 0;
    }
    for (gint64 i = CLAMP(pending, 0, GROUPS); i < GROUPS; i++) {
        add_value(waited, &groups[i]);
        groups[i].n = 0;
    }
}

/* Nodes that end groups of copies, whose scoreboard in machine code is released when these are
 * there, or wait for groups. */
static void step_groups(Walk *walk, guint at, const PsClass *class)
{
    const PsSassControl *control =
        ps_facts_control(walk->spots->facts, ps_spot(walk->spots, at)->point);
    walk->sources.n = 0;
    if (class->kind == PS_CLASS_COMMIT) {
        step_commit(walk, at);
        if (control && control->write < SCOREBOARDS)
            add_value(&walk->boards[control->write], &walk->groups[beside_of(walk, at)][0]);
    }
    if (class->kind == PS_CLASS_WAIT)
        step_wait(walk, at, &walk->sources);
    add_edges(walk, at, &walk->sources, FALSE);
}

/* ---- nodes ---------------------------------------------------------------------------------- */

static gboolean is_product(const Walk *walk, guint at)
{
    const PsSpot *spot = ps_spot(walk->spots, at);
    return !spot->off &&
           ps_class_is_product(ps_facts_instruction(walk->spots->facts, spot->point)->mnemonic);
}

/* A product that is added to another one's result follows it in the tensor core, without a wait. */
static gboolean adds_up(const Walk *walk, guint at, guint to)
{
    return is_product(walk, at) && is_product(walk, to);
}

/* What goes on beside the warp: a product, or what moves words of tensor memory. */
static void note_beside(Walk *walk, guint at)
{
    const PsSpot *spot = ps_spot(walk->spots, at);
    const PsPtxMnemonic *mnemonic = ps_facts_instruction(walk->spots->facts, spot->point)->mnemonic;
    if (is_product(walk, at))
        add_producer(walk->open[PS_BESIDE_PRODUCTS], at, walk->count[at]);
    else if (ps_class_is_awaited(mnemonic) && !spot->off)
        note_latest(walk, at);
    else if (ps_class_covers("tensor_memory", ps_spot_fact(walk->spots, at)->class.name))
        add_producer(walk->open[PS_BESIDE_MOVES], at, walk->count[at]);
}

static void step_node(Walk *walk, guint at)
{
    const PsSpot *spot = ps_spot(walk->spots, at);
    const PsClass *class = &ps_spot_fact(walk->spots, at)->class;
    await_scoreboards(walk, at);
    if (walk->spots->facts->machine)
        note_reads(walk, at);
    for (guint i = 0; i < walk->sources.n; i++)
        if ((walk->sources.list[i].spot != at || walk->sources.list[i].index < walk->count[at]) &&
            !adds_up(walk, at, walk->sources.list[i].spot))
            add_edge(walk, at, &walk->sources.list[i], TRUE);
    add_extra(walk, at);
    note_beside(walk, at);
    const PsPtxWait *wait = spot->pattern ? spot->pattern->wait : NULL;
    if (wait)
        step_wait_mbarrier(walk, at, wait);
    if (class->kind == PS_CLASS_BARRIER)
        step_barrier(walk, at);
    else if (wait)
        add_producer(walk->waited, at, walk->count[at]);
    else if (class->kind >= PS_CLASS_LOAD && class->kind <= PS_CLASS_COPY &&
             class->kind != PS_CLASS_BRANCH)
        step_memory(walk, at, class);
    else if (walk->spots->facts->machine || class->kind == PS_CLASS_WAIT)
        step_groups(walk, at, class);
    step_result(walk, at);
}

static void step(Walk *walk, guint at)
{
    const PsSpot *spot = ps_spot(walk->spots, at);
    const gboolean machine = walk->spots->facts->machine != NULL;
    walk->steps++;
    if (machine)
        note_scoreboards(walk, spot->point);
    if (spot->role == PS_ROLE_NOTHING || spot->role == PS_ROLE_ABSENT)
        return;
    if (spot->role == PS_ROLE_COMMIT) {
        step_commit(walk, at);
        return;
    }
    if (spot->role == PS_ROLE_WAIT) {
        step_wait(walk, at, walk->waited);
        return;
    }
    if (!machine)
        gather_sources(walk, spot, &walk->sources);
    if (spot->role == PS_ROLE_PART)
        step_part(walk, at);
    else if (spot->role == PS_ROLE_FORWARD)
        write_registers(walk, spot, &walk->sources);
    else
        step_node(walk, at);
}

/* ---- loops ---------------------------------------------------------------------------------- */

/* A loop that is being walked. */
typedef struct {
    guint begin, end;
    GArray *written;           /* guint: values that the body changes */
    gint64 *before;            /* instances per spot of the body, when it was entered ... */
    gint64 *last;              /* ... and when the present iteration began */
    GArray *state, *old_state; /* gint64 */
} Loop;

static void walk_range(Walk *walk, guint begin, guint end);

static gboolean is_of_loop(const Loop *loop, const Producer *producer)
{
    return producer->spot > loop->begin && producer->spot < loop->end &&
           producer->index >= loop->before[producer->spot - loop->begin];
}

/* Notes the values that the body changes, with this loop's instances counted from the end of the
 * iteration. */
static void take_state(const Walk *walk, Loop *loop)
{
    GArray *state = loop->old_state;
    loop->old_state = loop->state;
    loop->state = state;
    g_array_set_size(state, 0);
    for (guint i = 0; i < loop->written->len; i++) {
        const Value *value = &walk->values[g_array_index(loop->written, guint, i)];
        const gint64 n = value->n;
        g_array_append_val(state, n);
        for (guint j = 0; j < value->n; j++) {
            const Producer *producer = &value->list[j];
            const gboolean own = is_of_loop(loop, producer);
            const gint64 both[] = {((gint64)producer->spot << 1) + own,
                                   own ? walk->count[producer->spot] - producer->index
                                       : producer->index};
            g_array_append_vals(state, both, 2);
        }
    }
}

static gboolean is_alike(const Loop *loop)
{
    return loop->state->len == loop->old_state->len &&
           (loop->state->len == 0 || memcmp(loop->state->data, loop->old_state->data,
                                            loop->state->len * sizeof(gint64)) == 0);
}

/* Skips the remaining iterations, which are all like the last one. */
static void skip_rest(Walk *walk, const Loop *loop, gint64 rest)
{
    for (guint i = 0; i < loop->written->len; i++) {
        Value *value = &walk->values[g_array_index(loop->written, guint, i)];
        for (guint j = 0; j < value->n; j++) {
            Producer *producer = &value->list[j];
            if (is_of_loop(loop, producer))
                producer->index +=
                    rest * (walk->count[producer->spot] - loop->last[producer->spot - loop->begin]);
        }
    }
    for (guint i = loop->begin; i < loop->end; i++)
        walk->count[i] += rest * (walk->count[i] - loop->last[i - loop->begin]);
}

static void find_written(const Walk *walk, Loop *loop)
{
    const PsFacts *facts = walk->spots->facts;
    g_autoptr(GHashTable) seen = g_hash_table_new(NULL, NULL);
    loop->written = g_array_new(FALSE, FALSE, sizeof(guint));
    for (guint i = loop->begin; i < loop->end; i++) {
        const PsSpot *spot = ps_spot(walk->spots, i);
        if (spot->kind != PS_SPOT_STEP)
            continue;
        const PsFact *fact = ps_spot_is(facts, spot);
        for (guint j = 0; j < fact->n_to; j++) {
            const guint reg = ps_fact_to(facts, fact)[j];
            if (g_hash_table_add(seen, GUINT_TO_POINTER(reg)))
                g_array_append_val(loop->written, reg);
        }
    }
    for (guint i = facts->n_registers; i < walk->n_values; i++)
        g_array_append_val(loop->written, i);
}

static void iterate(Walk *walk, Loop *loop, gint64 times)
{
    const gsize size = (loop->end - loop->begin) * sizeof(gint64);
    for (gint64 i = 1; i <= times; i++) {
        memcpy(loop->last, &walk->count[loop->begin], size);
        walk_range(walk, loop->begin + 1, loop->end);
        take_state(walk, loop);
        const gint64 most = walk->steps > MOST_STEPS ? 2 : MOST_ITERATIONS;
        if (i < times && ((i > 1 && is_alike(loop)) || i >= most)) {
            skip_rest(walk, loop, times - i);
            return;
        }
    }
}

/* Walks what may not be executed: whoever reads a result of it afterwards waits for what was there
 * before, too. */
static void walk_rest(Walk *walk, Loop *loop)
{
    g_autofree Value *before = g_new0(Value, loop->written->len + 1);
    for (guint i = 0; i < loop->written->len; i++)
        add_value(&before[i], &walk->values[g_array_index(loop->written, guint, i)]);
    walk_range(walk, loop->begin + 1, loop->end);
    for (guint i = 0; i < loop->written->len; i++) {
        add_value(&walk->values[g_array_index(loop->written, guint, i)], &before[i]);
        g_free(before[i].list);
    }
}

static void walk_loop(Walk *walk, guint begin)
{
    const PsSpot *spot = ps_spot(walk->spots, begin);
    const gsize size = (spot->partner - begin) * sizeof(gint64);
    g_autofree gint64 *before = g_memdup2(&walk->count[begin], size);
    g_autofree gint64 *last = g_malloc0(size);
    g_autoptr(GArray) state = g_array_new(FALSE, FALSE, sizeof(gint64));
    g_autoptr(GArray) old_state = g_array_new(FALSE, FALSE, sizeof(gint64));
    Loop loop = {begin, spot->partner, NULL, before, last, state, old_state};
    find_written(walk, &loop);
    if (spot->rest)
        walk_rest(walk, &loop);
    else
        iterate(walk, &loop, spot->times);
    g_array_unref(loop.written);
}

static void walk_range(Walk *walk, guint begin, guint end)
{
    for (guint i = begin; i < end; i++) {
        const PsSpot *spot = ps_spot(walk->spots, i);
        if (spot->kind == PS_SPOT_LOOP) {
            walk_loop(walk, i);
            i = ps_spot(walk->spots, i)->partner;
        } else {
            step(walk, i);
        }
    }
}

static void free_values(Value *values, guint n)
{
    for (guint i = 0; i < n; i++)
        g_free(values[i].list);
    g_free(values);
}

/* Finds the copies that waits for mbarriers refer to, and how far back; returns how many values
 * they take. */
static guint find_latest(const PsSpots *spots, GArray *list)
{
    guint n = 0;
    for (guint i = 0; i < spots->spots->len; i++) {
        const PsPattern *pattern = ps_spot(spots, i)->pattern;
        for (guint k = 0; pattern && pattern->wait && k < pattern->wait->n; k++) {
            const PsPtxAwaited *awaited = &pattern->wait->list[k];
            Latest *latest = NULL;
            for (guint j = 0; j < list->len && !latest; j++)
                if (g_array_index(list, Latest, j).point == awaited->point)
                    latest = &g_array_index(list, Latest, j);
            if (!latest) {
                const Latest new = {awaited->point, 0, NULL};
                g_array_append_val(list, new);
                latest = &g_array_index(list, Latest, list->len - 1);
            }
            const guint back = MIN(awaited->back, MOST_BACK);
            n += back > latest->n ? back - latest->n : 0;
            latest->n = MAX(latest->n, back);
        }
    }
    return n;
}

/* Copies of a counter add to what it was before all of them, each its own multiple of the step. */
static void unchain(const PsSpots *spots, guint i)
{
    GArray *edges = ps_spot(spots, i)->edges;
    for (guint e = 0; edges && e < edges->len; e++) {
        const PsSpot *on = ps_spot(spots, g_array_index(edges, PsEdge, e).on);
        if (g_array_index(edges, PsEdge, e).on >= i || on->point != ps_spot(spots, i)->point ||
            on->around != ps_spot(spots, i)->around || !on->edges)
            continue;
        g_array_remove_index(edges, e);
        g_array_append_vals(edges, on->edges->data, on->edges->len);
        return;
    }
}

void ps_spots_walk(PsSpots *spots)
{
    const guint n_registers = spots->facts->n_registers;
    const guint n = spots->spots->len;
    g_autoptr(GArray) latest = g_array_new(FALSE, FALSE, sizeof(Latest));
    Walk walk = {.spots = spots,
                 .n_values =
                     n_registers + PS_N_BESIDE * GROUPS + OTHERS + find_latest(spots, latest),
                 .n_latest = latest->len,
                 .latest = (Latest *)(gpointer)latest->data};
    walk.values = g_new0(Value, walk.n_values);
    Value *next = &walk.values[n_registers + PS_N_BESIDE * GROUPS + OTHERS];
    for (guint i = 0; i < walk.n_latest; next += walk.latest[i++].n)
        walk.latest[i].values = next;
    for (guint b = 0; b < PS_N_BESIDE; b++) {
        walk.groups[b] = &walk.values[n_registers + b * GROUPS];
        walk.open[b] = &walk.values[n_registers + PS_N_BESIDE * GROUPS + b];
    }
    walk.waited = walk.open[0] + PS_N_BESIDE;
    walk.access = walk.waited + 1;
    walk.boards = walk.waited + 2;
    walk.count = g_new0(gint64, n + 1);
    walk.extra = g_new0(Value, n + 1);
    walk_range(&walk, 0, n);
    for (guint i = 0; i < n; i++)
        if (ps_spot(spots, i)->again)
            unchain(spots, i);
    free_values(walk.values, walk.n_values);
    free_values(walk.extra, n);
    g_free(walk.sources.list);
    g_free(walk.read.list);
    g_free(walk.count);
}

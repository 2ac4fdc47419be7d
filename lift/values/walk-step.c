/* SPDX-License-Identifier: BSD-3-Clause */
/* One step of a walk: the producers that it waits for, and what later steps will wait for. */
#include "lift/values/walk.h"

#include "base/class-name.h"

/* ---- edges ---------------------------------------------------------------------------------- */

static void add_to_edges(const PsWalk *walk, GArray **edges, const PsProducer *on,
                         gboolean is_value)
{
    if (walk->count[on->spot] == 0)
        return; /* part of a loop's node that comes later */
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

static void add_edge(PsWalk *walk, guint spot, const PsProducer *on, gboolean is_value)
{
    add_to_edges(walk, &ps_spot(walk->spots, spot)->edges, on, is_value);
}

static void add_edges(PsWalk *walk, guint spot, const PsProducers *on, gboolean is_value)
{
    for (guint i = 0; i < on->n; i++)
        add_edge(walk, spot, &on->list[i], is_value);
}

/* ---- steps ---------------------------------------------------------------------------------- */

/* Writes the results. Where lanes are apart, the others keep the old value, so a conditional step
 * waits for that itself. A register with a single writer was written before in all lanes that read
 * it, so its old value does not matter. */
static void write_registers(PsWalk *walk, const PsSpot *spot, const PsProducers *value)
{
    const PsFacts *facts = walk->spots->facts;
    const PsFact *fact = ps_spot_is(facts, spot);
    for (guint i = 0; i < fact->n_to; i++) {
        const guint number = ps_fact_to(facts, fact)[i];
        PsProducers *reg = &walk->values[number];
        if (spot->partial && fact->under == PS_PTX_NOWHERE && ps_facts_n_writers(facts, number) > 1)
            ps_producers_add_all(reg, value);
        else
            ps_producers_set(reg, value);
        ps_producers_limit(reg);
    }
}

/* Collects the inputs of the step. A guarded step may keep its old result, so it reads that,
 * too. */
static void gather_sources(const PsWalk *walk, const PsSpot *spot, PsProducers *sources)
{
    const PsFacts *facts = walk->spots->facts;
    const PsFact *fact = ps_spot_is(facts, spot);
    const gboolean under = fact->under != PS_PTX_NOWHERE;
    const gboolean guarded = ps_facts_instruction(facts, spot->point)->guard >= 0;
    sources->n = 0;
    if (under)
        ps_producers_add_all(sources, &walk->values[fact->under]);
    for (guint i = 0; i < fact->n_from; i++)
        ps_producers_add_all(sources, &walk->values[ps_fact_from(facts, fact)[i].reg]);
    for (guint i = 0; i < fact->n_to; i++) {
        const guint number = ps_fact_to(facts, fact)[i];
        if (guarded || (under && ps_facts_n_writers(facts, number) > 1))
            ps_producers_add_all(sources, &walk->values[number]);
    }
}

static void step_part(PsWalk *walk, guint at)
{
    const PsSpot *spot = ps_spot(walk->spots, at);
    const gboolean later = spot->into > at;
    for (guint i = 0; later && i < walk->sources.n; i++) {
        /* a value from another part of the same node is no dependence */
        const PsProducer *producer = &walk->sources.list[i];
        if (producer->spot != spot->into || producer->index < walk->count[spot->into])
            ps_producers_add(&walk->extra[spot->into], producer->spot, producer->index);
    }
    walk->sources.n = 0;
    ps_producers_add(&walk->sources, spot->into, walk->count[spot->into] - (later ? 0 : 1));
    write_registers(walk, spot, &walk->sources);
}

static void add_extra(PsWalk *walk, guint at)
{
    add_edges(walk, at, &walk->extra[at], TRUE);
    walk->extra[at].n = 0;
}

static void wait_for_copies(PsWalk *walk, guint at)
{
    if (ps_spot(walk->spots, at)->role == PS_ROLE_NODE)
        add_edges(walk, at, walk->waited, FALSE);
}

static void step_barrier(PsWalk *walk, guint at)
{
    add_edges(walk, at, walk->access, FALSE);
    wait_for_copies(walk, at);
    walk->access->n = 0;
    walk->waited->n = 0;
}

static PsLatest *latest_of(const PsWalk *walk, guint point)
{
    for (guint i = 0; i < walk->n_latest; i++)
        if (walk->latest[i].point == point)
            return &walk->latest[i];
    return NULL;
}

static PsClassBeside beside_of(const PsWalk *walk, guint at)
{
    const guint point = ps_spot(walk->spots, at)->point;
    return ps_class_beside(ps_facts_instruction(walk->spots->facts, point)->mnemonic);
}

/* Notes an execution that mbarriers count. */
static void note_latest(const PsWalk *walk, guint at)
{
    PsLatest *latest = latest_of(walk, ps_spot(walk->spots, at)->point);
    for (guint i = latest ? latest->n : 0; i-- > 1;)
        ps_producers_set(&latest->values[i], &latest->values[i - 1]);
    if (!latest)
        return;
    latest->values[0].n = 0;
    ps_producers_add(&latest->values[0], at, walk->count[at]);
}

static void step_copy(PsWalk *walk, guint at)
{
    ps_producers_add(walk->open[beside_of(walk, at)], at, walk->count[at]);
    note_latest(walk, at);
}

/* A wait for an mbarrier waits for copies, and later loads wait for the wait. */
static void step_wait_mbarrier(PsWalk *walk, guint at, const PsPtxWait *wait)
{
    for (guint i = 0; i < wait->n; i++) {
        const PsLatest *latest = latest_of(walk, wait->list[i].point);
        if (latest && wait->list[i].back <= latest->n)
            add_edges(walk, at, &latest->values[wait->list[i].back - 1], FALSE);
    }
}

static void step_memory(PsWalk *walk, guint at, const PsClass *class)
{
    if (class->kind == PS_CLASS_COPY) {
        step_copy(walk, at);
        return;
    }
    if (ps_class_covers("local.load", class->name))
        wait_for_copies(walk, at);
    /* assemblers let a warp arrive at a barrier while its loads of global memory are in flight */
    if (!walk->spots->facts->machine && !ps_class_covers("constant", class->name) &&
        !ps_class_covers("global.load", class->name) && !ps_class_covers("local.load", class->name))
        ps_producers_add(walk->access, at, walk->count[at]);
}

/* Notes what the next node waits for. */
static void note_scoreboards(PsWalk *walk, guint point)
{
    const PsSassControl *control = ps_facts_control(walk->spots->facts, point);
    walk->owed |= control ? control->wait : 0;
}

/* Everything behind a wait for a scoreboard has waited for it, too. */
static void await_scoreboards(PsWalk *walk, guint at)
{
    for (guint i = 0; i < PS_WALK_BOARDS; i++)
        if (walk->owed >> i & 1) {
            add_edges(walk, at, &walk->boards[i], TRUE);
            walk->boards[i].n = 0;
        }
    walk->owed = 0;
}

static void take_scoreboard(PsWalk *walk, guint at)
{
    const PsSpot *spot = ps_spot(walk->spots, at);
    const PsSassControl *control = ps_facts_control(walk->spots->facts, spot->point);
    if (control->write < PS_WALK_BOARDS && !spot->off)
        ps_producers_add(&walk->boards[control->write], at, walk->count[at]);
}

/* Notes the nodes of the same body whose results machine code reads, whatever it waits for: these
 * may be rearranged. */
static void note_reads(PsWalk *walk, guint at)
{
    PsSpot *spot = ps_spot(walk->spots, at);
    gather_sources(walk, spot, &walk->read);
    for (guint i = 0; i < walk->read.n; i++)
        if (ps_spot(walk->spots, walk->read.list[i].spot)->around == spot->around)
            add_to_edges(walk, &spot->reads, &walk->read.list[i], TRUE);
}

/* Notes its result, of the instance that was just counted. */
static void note_result(PsWalk *walk, guint at)
{
    const PsSpot *spot = ps_spot(walk->spots, at);
    walk->read.n = 0;
    ps_producers_add(&walk->read, at, walk->count[at] - 1);
    write_registers(walk, spot, &walk->read);
}

/* Notes how the instruction's result becomes known to those that wait for it. */
static void step_result(PsWalk *walk, guint at)
{
    const PsSpot *spot = ps_spot(walk->spots, at);
    if (walk->spots->facts->machine) {
        take_scoreboard(walk, at);
        walk->count[at]++;
        note_result(walk, at);
        return;
    }
    walk->sources.n = 0;
    ps_producers_add(&walk->sources, at, walk->count[at]);
    walk->count[at]++;
    write_registers(walk, spot, &walk->sources);
}

/* ---- groups of copies ------------------------------------------------------------------------ */

static void step_commit(PsWalk *walk, guint at)
{
    const PsClassBeside beside = beside_of(walk, at);
    PsProducers *groups = walk->groups[beside], *open = walk->open[beside];
    ps_producers_add_all(&groups[PS_WALK_GROUPS - 1], &groups[PS_WALK_GROUPS - 2]);
    for (guint i = PS_WALK_GROUPS - 2; i > 0; i--)
        ps_producers_set(&groups[i], &groups[i - 1]);
    ps_producers_set(&groups[0], open);
    open->n = 0;
}

/* Adds the awaited copies. */
static void step_wait(PsWalk *walk, guint at, PsProducers *waited)
{
    const PsFacts *facts = walk->spots->facts;
    const guint point = ps_spot(walk->spots, at)->point;
    PsProducers *groups = walk->groups[beside_of(walk, at)],
                *open = walk->open[beside_of(walk, at)];
    gint64 pending = 0;
    if (beside_of(walk, at) == PS_BESIDE_MOVES ||
        ps_ptx_has(ps_facts_instruction(facts, point)->mnemonic, "wait_all")) {
        ps_producers_add_all(waited, open);
        open->n = 0;
    } else if (!ps_facts_constant(facts, point, 0, &pending)) {
        pending = 0;
    }
    for (gint64 i = CLAMP(pending, 0, PS_WALK_GROUPS); i < PS_WALK_GROUPS; i++) {
        ps_producers_add_all(waited, &groups[i]);
        groups[i].n = 0;
    }
}

/* Handles nodes that end groups of copies, whose scoreboard in machine code is released when the
 * copies have arrived, and nodes that wait for groups. */
static void step_groups(PsWalk *walk, guint at, const PsClass *class)
{
    const PsSassControl *control =
        ps_facts_control(walk->spots->facts, ps_spot(walk->spots, at)->point);
    walk->sources.n = 0;
    if (class->kind == PS_CLASS_COMMIT) {
        step_commit(walk, at);
        if (control && control->write < PS_WALK_BOARDS)
            ps_producers_add_all(&walk->boards[control->write],
                                 &walk->groups[beside_of(walk, at)][0]);
    }
    if (class->kind == PS_CLASS_WAIT)
        step_wait(walk, at, &walk->sources);
    add_edges(walk, at, &walk->sources, FALSE);
}

/* ---- nodes ---------------------------------------------------------------------------------- */

static gboolean is_product(const PsWalk *walk, guint at)
{
    const PsSpot *spot = ps_spot(walk->spots, at);
    return !spot->off &&
           ps_class_is_product(ps_facts_instruction(walk->spots->facts, spot->point)->mnemonic);
}

/* TRUE for a product that is added to the result of another: it follows in the tensor core without
 * a wait. */
static gboolean adds_up(const PsWalk *walk, guint at, guint to)
{
    return is_product(walk, at) && is_product(walk, to);
}

/* Notes an operation beside the warp: a product, or moves of words of tensor memory. */
static void note_beside(PsWalk *walk, guint at)
{
    const PsSpot *spot = ps_spot(walk->spots, at);
    const PsPtxMnemonic *mnemonic = ps_facts_instruction(walk->spots->facts, spot->point)->mnemonic;
    if (is_product(walk, at))
        ps_producers_add(walk->open[PS_BESIDE_PRODUCTS], at, walk->count[at]);
    else if (ps_class_is_awaited(mnemonic) && !spot->off)
        note_latest(walk, at);
    else if (ps_class_covers("tensor_memory", ps_spot_fact(walk->spots, at)->class.name))
        ps_producers_add(walk->open[PS_BESIDE_MOVES], at, walk->count[at]);
}

static void step_node(PsWalk *walk, guint at)
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
        ps_producers_add(walk->waited, at, walk->count[at]);
    else if (class->kind >= PS_CLASS_LOAD && class->kind <= PS_CLASS_COPY &&
             class->kind != PS_CLASS_BRANCH)
        step_memory(walk, at, class);
    else if (walk->spots->facts->machine || class->kind == PS_CLASS_WAIT)
        step_groups(walk, at, class);
    step_result(walk, at);
}

void ps_walk_step(PsWalk *walk, guint at)
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

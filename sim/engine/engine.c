/* SPDX-License-Identifier: BSD-3-Clause */
#include "sim/engine/engine.h"

/* Instructions between two looks whether the run is cancelled: some milliseconds. */
#define LOOK (1 << 16)

static void make_vacant(PsEngine *engine, guint place)
{
    const PsItem item = {.position = place};
    ps_heap_push(&engine->vacant, &item, &(guint){G_MAXUINT});
}

/* ---- listeners ----------------------------------------------------------------------------- */

static void add(PsAudience *audience, const PsListener *listener, gboolean wants)
{
    if (!wants)
        return;
    audience->list = g_renew(const PsListener *, audience->list, audience->n + 1);
    audience->list[audience->n++] = listener;
}

static PsGroups groups_of(const PsEngine *engine, guint place)
{
    const PsResident *group = &engine->places[place];
    const PsCus *cus = &engine->cus;
    const gint64 before = engine->plan->machine->n_cus * (group->group - group->nth);
    return (PsGroups){cus->first,
                      cus->n,
                      before + cus->first * group->wanted + group->nth,
                      cus->n > 1 ? group->wanted : 0,
                      place,
                      group->kind};
}

static PsInstance instance_of(const PsEngine *engine, const PsItem *item)
{
    const PsWarp *warp = &engine->warps[item->slot];
    return (PsInstance){.of = groups_of(engine, warp->place),
                        .warp = item->slot - warp->place * engine->warps_per_group,
                        .program = (guint)(warp->program - engine->plan->programs),
                        .node = item->node,
                        .position = item->position};
}

void ps_engine_tell_launched(const PsEngine *engine, gint64 time, guint place)
{
    const PsGroups groups = groups_of(engine, place);
    for (guint i = 0; i < engine->on_launched.n; i++) {
        const PsListener *listener = engine->on_launched.list[i];
        listener->launched(listener->self, time + engine->base, &groups);
    }
}

void ps_engine_tell_issued(const PsEngine *engine, gint64 time, const PsItem *item, gint64 begin,
                           gint64 served)
{
    PsInstance instance = instance_of(engine, item);
    instance.queued = begin - time;
    instance.delay = instance.queued + served;
    for (guint i = 0; i < engine->on_issued.n; i++) {
        const PsListener *listener = engine->on_issued.list[i];
        listener->issued(listener->self, time + engine->base, item->ready + engine->base,
                         &instance);
    }
}

void ps_engine_tell_completed(const PsEngine *engine, gint64 time, const PsItem *item)
{
    const PsInstance instance = instance_of(engine, item);
    for (guint i = 0; i < engine->on_completed.n; i++) {
        const PsListener *listener = engine->on_completed.list[i];
        listener->completed(listener->self, time + engine->base, &instance);
    }
}

static void tell_finished(const PsEngine *engine, gint64 time, guint place)
{
    const PsGroups groups = groups_of(engine, place);
    for (guint i = 0; i < engine->on_finished.n; i++) {
        const PsListener *listener = engine->on_finished.list[i];
        listener->finished(listener->self, time + engine->base, &groups);
    }
}

void ps_engine_tell_tally(PsEngine *engine)
{
    PsTally *tally = &engine->tally;
    for (guint i = 0; i < engine->on_tallied.n; i++)
        engine->on_tallied.list[i]->tallied(engine->on_tallied.list[i]->self, tally);
    for (guint n = 0; n < tally->n_nodes; n++)
        tally->nodes[n] = (PsTallyNode){0};
    for (guint h = 0; h < tally->n_holds; h++)
        tally->holds[h].node = PS_TALLY_NONE;
}

void ps_engine_tell_marked(PsEngine *engine, guint mark)
{
    ps_engine_tell_tally(engine);
    for (guint i = 0; i < engine->on_marked.n; i++)
        engine->on_marked.list[i]->marked(engine->on_marked.list[i]->self, mark);
}

void ps_engine_tell_skipped(PsEngine *engine, const PsSkip *skip)
{
    PsSkip all = *skip;
    ps_engine_tell_tally(engine);
    all.cu = engine->cus.first;
    all.n_cus = engine->cus.n;
    all.instructions *= all.n_cus;
    all.groups *= all.n_cus;
    for (guint i = 0; i < engine->on_skipped.n; i++)
        engine->on_skipped.list[i]->skipped(engine->on_skipped.list[i]->self, &all);
}

/* ---- state --------------------------------------------------------------------------------- */

static void add_listeners(PsEngine *engine, const PsSimOptions *options)
{
    for (guint i = 0; i < options->n_listeners; i++) {
        const PsListener *listener = &options->listeners[i];
        add(&engine->on_launched, listener, listener->launched != NULL);
        add(&engine->on_issued, listener, listener->issued != NULL);
        add(&engine->on_completed, listener, listener->completed != NULL);
        add(&engine->on_finished, listener, listener->finished != NULL);
        add(&engine->on_marked, listener, listener->marked != NULL);
        add(&engine->on_skipped, listener, listener->skipped != NULL);
        add(&engine->on_tallied, listener, listener->tallied != NULL);
    }
}

static void init_tally(PsEngine *engine)
{
    const PsPlan *plan = engine->plan;
    if (engine->on_tallied.n == 0)
        return;
    const guint n_pipes = plan->n_pipelines * (1 + (guint)plan->machine->refinements.schedulers);
    engine->tally = (PsTally){engine->cus.first,
                              engine->cus.n,
                              plan->n_nodes,
                              n_pipes,
                              g_new0(PsTallyNode, plan->n_nodes + 1),
                              g_new0(PsTallyHold, n_pipes + 1)};
    for (guint h = 0; h < n_pipes; h++)
        engine->tally.holds[h].node = PS_TALLY_NONE;
}

void ps_engine_init(PsEngine *engine, const PsPlan *plan, const PsSimOptions *options,
                    const PsCus *cus)
{
    const PsLaunch *launch = &plan->machine->launch;
    *engine = (PsEngine){.plan = plan,
                         .cus = *cus,
                         .groups = cus->groups,
                         .limit = G_MAXINT64,
                         .most = G_MAXINT64,
                         .whole_from = options->whole_from,
                         .whole_to = options->whole_to,
                         .precision = options->precision,
                         .exact = options->exact_instructions > 0 ? options->exact_instructions
                                                                  : PS_SIM_EXACT_INSTRUCTIONS,
                         .hurry = options->hurry,
                         .budget = PS_SIM_WAITING_LIMIT};
    engine->warps_per_group = (guint)launch->warps_per_group;
    engine->n_places = (guint)launch->active_groups;
    engine->oldest = engine->newest = PS_NO_PLACE;
    engine->last_launch = -plan->machine->group_interval;
    engine->event = PS_NO_EVENT;
    ps_queue_init(&engine->leaving);
    engine->server_free = g_new0(gint64, plan->machine->servers->len + 1);
    engine->places = g_new0(PsResident, engine->n_places);
    for (guint place = 0; place < engine->n_places; place++) {
        engine->places[place].group = -1;
        make_vacant(engine, place);
    }
    const guint n_warps = engine->n_places * engine->warps_per_group;
    engine->warps = g_new(PsWarp, n_warps);
    for (guint slot = 0; slot < n_warps; slot++) {
        ps_warp_init(&engine->warps[slot], plan);
        engine->warps[slot].place = slot / engine->warps_per_group;
    }
    guint most_nodes = 1;
    for (guint p = 0; p < plan->n_programs; p++)
        most_nodes = MAX(most_nodes, plan->programs[p].n_nodes);
    engine->released = g_new(guint, most_nodes);
    add_listeners(engine, options);
    init_tally(engine);
}

void ps_engine_clear(PsEngine *engine)
{
    for (guint slot = 0; slot < engine->n_places * engine->warps_per_group; slot++)
        ps_warp_clear(&engine->warps[slot]);
    ps_heap_clear(&engine->ends);
    ps_queue_clear(&engine->leaving);
    ps_heap_clear(&engine->vacant);
    g_free(engine->server_free);
    g_free(engine->warps);
    g_free(engine->places);
    g_free(engine->released);
    g_free(engine->tally.nodes);
    g_free(engine->tally.holds);
    const PsAudience *const audiences[] = {
        &engine->on_launched, &engine->on_issued,  &engine->on_completed, &engine->on_finished,
        &engine->on_marked,   &engine->on_skipped, &engine->on_tallied};
    for (guint i = 0; i < G_N_ELEMENTS(audiences); i++)
        g_free(audiences[i]->list);
}

/* ---- the places of groups ------------------------------------------------------------------ */

/* The time at which the next place becomes free. */
static gint64 next_to_leave(const PsEngine *engine)
{
    return engine->leaving.count > 0 ? ps_queue_at(&engine->leaving, 0)->ready : PS_NOT_DUE;
}

static void find_turn(PsEngine *engine)
{
    engine->turn = engine->ends.count > 0 ? engine->ends.items[0].ready : PS_NOT_DUE;
    if (engine->launched == engine->groups && !engine->scout)
        return;
    engine->turn = MIN(engine->turn, next_to_leave(engine));
    if (engine->vacant.count > 0)
        engine->turn =
            MIN(engine->turn, engine->last_launch + engine->plan->machine->group_interval);
}

void ps_engine_end(PsEngine *engine, guint place)
{
    const PsItem end = {.ready = engine->places[place].gone, .position = place};
    ps_heap_push(&engine->ends, &end, &(guint){G_MAXUINT});
    find_turn(engine);
}

/* Takes out the place of a group that ended out of the order of launches. */
static void forget_place(PsEngine *engine, guint place)
{
    PsResident *group = &engine->places[place];
    group->group = -1;
    if (group->older != PS_NO_PLACE)
        engine->places[group->older].newer = group->newer;
    else
        engine->oldest = group->newer;
    if (group->newer != PS_NO_PLACE)
        engine->places[group->newer].older = group->older;
    else
        engine->newest = group->older;
}

/* The group that certainly advances: the one that the policy prefers, or the oldest where slots
 * decide nothing. PS_NO_PLACE: there is none. */
static guint preferred_place(const PsEngine *engine)
{
    if (engine->plan->machine->refinements.policy != PS_POLICY_GTY)
        return engine->oldest;
    for (guint place = engine->n_places; place-- > 0;)
        if (engine->places[place].group >= 0)
            return place;
    return PS_NO_PLACE;
}

/* Watches a group whose loops repeat while others wait. */
static void watch(PsEngine *engine)
{
    const guint place = preferred_place(engine);
    engine->watched = -1;
    if (place == PS_NO_PLACE)
        return;
    const PsResident *group = &engine->places[place];
    engine->watched =
        group->group * engine->warps_per_group + engine->plan->kinds[group->kind].longest;
}

/* R5: the place of a group that ended takes some time to become free. Groups end in order of time,
 * so their places become free in the same order. */
static void leave(PsEngine *engine, guint place, gint64 end)
{
    ps_queue_reserve(&engine->leaving, &(guint){G_MAXUINT});
    *ps_queue_at(&engine->leaving, engine->leaving.count++) =
        (PsItem){.ready = end + engine->plan->machine->turnaround, .position = place};
}

void ps_engine_vacate(PsEngine *engine, gint64 time)
{
    while (engine->ends.count > 0 && engine->ends.items[0].ready <= time) {
        const PsItem end = ps_heap_pop(&engine->ends);
        const guint place = (guint)end.position;
        if (engine->on_finished.n > 0)
            tell_finished(engine, end.ready, place);
        forget_place(engine, place);
        leave(engine, place, end.ready);
        engine->end = end.ready;
    }
    for (; next_to_leave(engine) <= time; ps_queue_pop(&engine->leaving))
        make_vacant(engine, (guint)ps_queue_at(&engine->leaving, 0)->position);
    find_turn(engine);
    watch(engine);
}

/* Groups come in waves of one at the start, and where launches are an interval apart. On the only
 * CU the waves make no difference. */
gboolean ps_engine_begin_wave(PsEngine *engine, gint64 time)
{
    const PsMachine *machine = engine->plan->machine;
    if (engine->vacant.count == 0) /* the last group's place is not free yet (R5) */
        return TRUE;
    const gboolean single = time == 0 || machine->group_interval > 0 || machine->n_cus == 1;
    engine->wave = engine->launched;
    engine->wanted = single ? 1 : engine->vacant.count;
    engine->parted = engine->scout && engine->wanted > engine->groups - engine->wave;
    return !engine->parted;
}

guint ps_engine_take_place(PsEngine *engine, gint64 time)
{
    if (engine->vacant.count == 0 || engine->launched == engine->groups ||
        engine->last_launch + engine->plan->machine->group_interval > time)
        return PS_NO_PLACE;
    const guint place = (guint)ps_heap_pop(&engine->vacant).position;
    const gint64 nth = (engine->launched - engine->wave) % engine->wanted;
    const guint kind = ps_kernel_kind_of(engine->plan->machine->kernel, engine->launched);
    engine->places[place] = (PsResident){.group = engine->launched++,
                                         .wanted = engine->wanted,
                                         .nth = nth,
                                         .kind = kind,
                                         .last_arrival = -1,
                                         .older = engine->newest,
                                         .newer = PS_NO_PLACE};
    if (engine->newest != PS_NO_PLACE)
        engine->places[engine->newest].newer = place;
    else
        engine->oldest = place;
    engine->newest = place;
    engine->last_launch = time;
    engine->event = 0;
    find_turn(engine);
    watch(engine);
    return place;
}

void ps_engine_renumber(PsEngine *engine, gint64 groups)
{
    engine->launched += groups;
    for (guint p = engine->oldest; p != PS_NO_PLACE; p = engine->places[p].newer) {
        const gint64 more = engine->places[p].stays ? 0 : groups;
        engine->places[p].group += more;
        for (guint w = 0; w < engine->warps_per_group; w++)
            engine->warps[p * engine->warps_per_group + w].rank += more * engine->warps_per_group;
    }
    watch(engine);
}

/* ---- the end ------------------------------------------------------------------------------- */

gboolean ps_engine_goes_on(PsEngine *engine)
{
    engine->cancelled = engine->cancel && g_atomic_int_get(engine->cancel);
    if (engine->cancelled || engine->simulated > engine->limit)
        return FALSE;
    engine->most = engine->cancel ? MIN(engine->limit, engine->simulated + LOOK) : engine->limit;
    return TRUE;
}

gboolean ps_engine_fail(const PsEngine *engine, GError **error)
{
    if (engine->cancelled) {
        g_set_error_literal(error, PS_ERROR, PS_ERROR_CANCELLED, "the run was cancelled");
        return FALSE;
    }
    if (engine->simulated > engine->limit) {
        g_set_error_literal(error, PS_ERROR, PS_ERROR_LIMIT,
                            "the run simulates more instructions than it may");
        return FALSE;
    }
    if (!engine->stuck && engine->now == PS_NOT_DUE)
        return ps_engine_fail_deadlock(engine, error);
    if (!engine->stuck) {
        g_set_error(error, PS_ERROR, PS_ERROR_LIMIT,
                    "the run takes more than 2^62 ticks of 1/%" G_GINT64_FORMAT " cycle",
                    engine->plan->machine->ticks_per_cycle);
        return FALSE;
    }
    const PsIdgItem *item = engine->stuck->item;
    const gboolean dataflow = engine->plan->machine->refinements.order == PS_ORDER_DATAFLOW;
    ps_error_at(error, PS_ERROR_LIMIT, ps_idg_place(engine->plan->machine->kernel->idg, item->line),
                "some %d instances wait for a pipeline or are under way at once, the last of node "
                "'%s', which may run ahead of others without bound; let it depend on what holds it "
                "back on the GPU%s",
                PS_SIM_WAITING_LIMIT, item->name, dataflow ? ", or set the order to program" : "");
    return FALSE;
}

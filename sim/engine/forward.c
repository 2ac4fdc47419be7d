/* SPDX-License-Identifier: BSD-3-Clause */
#include "sim/engine/forward.h"

/* Words that the search for recurrences may read per simulated instruction, at first. An
 * instruction costs about as much as 50 words. */
#define WORDS_PER_INSTRUCTION 8
#define WORDS_AT_FIRST (1 << 13)

/* The cost of an event in words, beside the words that it reads and one for each place of a
 * group. */
#define WORDS_PER_EVENT 48

/* Events before an inner loop is looked at: those with few trips begin anew all the time. */
#define INNER_EVENTS 8

/* Hashes that are kept at each depth; a new one replaces one with equal lowest bits. */
#define SEEN 1024

/* Instructions after which a run that does not look harder keeps hashes: earlier repeats are found
 * soon without them. */
#define SEEN_FROM (1 << 16)

/* States that are kept at each depth (one of several that come), and the words that one may
 * have. */
#define LATEST 32
#define ONE_OF 4
#define LATEST_WORDS (1 << 17)

void ps_forward_init(PsForward *forward, const PsEngine *engine, gboolean on)
{
    *forward = (PsForward){.on = on};
    if (on && engine->eager)
        forward->seen = g_new0(PsSeen, PS_FORWARD_DEPTHS * SEEN);
    for (guint d = 0; d < PS_FORWARD_DEPTHS && forward->seen; d++)
        forward->latest[d] = g_new0(PsKept, LATEST);
    ps_estimate_init(&forward->estimate, engine, on);
}

static void clear_moments(PsMoments *moments)
{
    if (!moments)
        return;
    ps_moment_clear(&moments->present);
    ps_trail_clear(&moments->now.counters);
    for (guint i = 0; i < PS_FORWARD_MOMENTS; i++)
        ps_moment_clear(&moments->moments[i]);
    g_free(moments);
}

void ps_forward_clear(PsForward *forward)
{
    for (guint d = 0; d < PS_FORWARD_DEPTHS; d++) {
        ps_trail_clear(&forward->kept[d].exact);
        ps_trail_clear(&forward->kept[d].counters);
        for (guint i = 0; forward->latest[d] && i < LATEST; i++) {
            ps_trail_clear(&forward->latest[d][i].exact);
            ps_trail_clear(&forward->latest[d][i].counters);
            ps_moment_clear(&forward->latest[d][i].bytes);
        }
        g_free(forward->latest[d]);
        clear_moments(forward->moments[d]);
    }
    ps_moment_clear(&forward->present);
    ps_estimate_clear(&forward->estimate);
    g_free(forward->seen);
}

/* Starts the search anew at that depth and below. */
static void search_anew(PsForward *forward, guint depth)
{
    for (guint d = depth; d < PS_FORWARD_DEPTHS; d++) {
        forward->kept[d].kept = FALSE;
        forward->kept[d].events = 0;
        forward->kept[d].power = d > 1 ? INNER_EVENTS : 1;
        forward->kept[d].search++;
        forward->kept[d].event = forward->kept[d].until = 0;
        forward->kept[d].again.length = 0;
        forward->kept[d].guessed = FALSE;
    }
}

void ps_forward_forget(PsForward *forward)
{
    search_anew(forward, 0);
}

static gint64 effort(const PsForward *forward)
{
    gint64 words = 0;
    for (guint d = 0; d < PS_FORWARD_DEPTHS; d++)
        words += forward->kept[d].exact.effort + forward->kept[d].counters.effort;
    return words;
}

PsKept *ps_forward_event(PsForward *forward, const PsEngine *engine, guint depth)
{
    if (!forward->on)
        return NULL;
    search_anew(forward, depth + 1);
    if ((effort(forward) - WORDS_AT_FIRST) / WORDS_PER_INSTRUCTION > engine->simulated)
        return NULL;
    forward->kept[depth].exact.effort += WORDS_PER_EVENT + engine->n_places;
    forward->kept[depth].event++;
    return &forward->kept[depth];
}

gboolean ps_forward_keeps(PsKept *kept)
{
    if (++kept->events < kept->power)
        return FALSE;
    kept->events = 0;
    kept->power = MAX(2 * kept->power, 1);
    return TRUE;
}

void ps_forward_number_groups(PsEngine *engine)
{
    guint age = 0;
    for (guint place = engine->oldest; place != PS_NO_PLACE; place = engine->places[place].newer)
        engine->places[place].age = age++;
}

static gboolean visit_group(const PsEngine *engine, const PsResident *group, PsTrail *trail)
{
    return (engine->plan->n_kinds == 1 || ps_trail_word(trail, group->kind)) &&
           ps_trail_word(trail, group->live) && ps_trail_word(trail, group->wanted) &&
           ps_trail_word(trail, group->nth) && ps_trail_time(trail, engine, group->gone) &&
           ps_trail_word(trail, group->arrived) &&
           (group->arrived == 0 || (ps_trail_word(trail, group->last_arrival - engine->now) &&
                                    ps_trail_word(trail, group->last_completion)));
}

/* When a device memory with a window is free; NULL: there is no such memory. */
static gint64 *device_free(const PsEngine *engine)
{
    const PsMachine *machine = engine->plan->machine;
    const guint device = machine->n_levels - 1;
    const gboolean has_window =
        machine->n_levels > 0 && g_array_index(machine->servers, PsServer, device).window > 0;
    return has_window ? &engine->server_free[device] : NULL;
}

/* When that memory was last asked, with all skipped time. */
static gint64 asked_at(const PsEngine *engine)
{
    return engine->asked + engine->base;
}

gboolean ps_forward_asked_alike(const PsKept *kept, const PsEngine *engine)
{
    const gint64 period = engine->now + engine->base - kept->time;
    const gint64 later = asked_at(engine) - kept->asked;
    return !device_free(engine) || later == 0 || later == period;
}

/* The backlog of that memory when it was last asked, and its next answer. */
static gboolean visit_device(const PsEngine *engine, gint64 free_at, PsTrail *trail)
{
    return ps_trail_word(trail, free_at - engine->asked) &&
           ps_trail_time(trail, engine, engine->answered);
}

/* Nothing asked that memory in the repeating period: its backlog shrinks as time passes. */
static void skip_device(PsEngine *engine, const PsKept *since, gint64 ticks)
{
    gint64 *free_at = device_free(engine);
    if (!free_at || asked_at(engine) != since->asked)
        return;
    engine->asked -= ticks;
    *free_at -= ticks;
}

/* Compares the places that become free, and when, and the times at which servers are free. */
static gboolean visit_turns(const PsEngine *engine, gboolean by_place, PsTrail *trail)
{
    gboolean same = ps_trail_word(trail, engine->leaving.count);
    for (guint i = 0; same && i < engine->leaving.count; i++) {
        const PsItem *item = ps_queue_at(&engine->leaving, i);
        same = ps_trail_time(trail, engine, item->ready) &&
               (!by_place || ps_trail_word(trail, item->position));
    }
    for (guint s = 0; same && s < engine->plan->machine->servers->len; s++)
        same = ps_trail_time(trail, engine, engine->server_free[s]);
    const gint64 *device = device_free(engine);
    return same && (!device || visit_device(engine, *device, trail));
}

/* Compares which kinds of groups come next. */
static gboolean visit_kinds(const PsEngine *engine, PsTrail *trail)
{
    return engine->plan->n_kinds == 1 ||
           ps_trail_word(trail, engine->launched % engine->plan->machine->kernel->parts);
}

gboolean ps_forward_visit_groups(const PsEngine *engine, gboolean by_place, PsTrail *trail)
{
    const gint64 interval = engine->plan->machine->group_interval;
    if (!visit_kinds(engine, trail) || !ps_trail_word(trail, engine->vacant.count) ||
        !ps_trail_time(trail, engine, engine->last_launch + interval) ||
        !visit_turns(engine, by_place, trail))
        return FALSE;
    for (guint p = engine->oldest; p != PS_NO_PLACE; p = engine->places[p].newer)
        if ((by_place && !ps_trail_word(trail, p)) ||
            !visit_group(engine, &engine->places[p], trail))
            return FALSE;
    return TRUE;
}

/* A hash of the parts of a state that are quickly read: its groups, when their warps end, and how
 * far warps are behind the oldest one. */
static guint64 hash_state(const PsEngine *engine, PsKept *kept)
{
    PsTrail trail = ps_trail_for_hash();
    const guint n = engine->warps_per_group;
    (void)ps_forward_visit_groups(engine, FALSE, &trail);
    for (guint p = engine->oldest; p != PS_NO_PLACE; p = engine->places[p].newer)
        for (guint slot = p * n; slot < (p + 1) * n; slot++) {
            const PsWarp *warp = &engine->warps[slot];
            (void)ps_trail_word(&trail, warp->left - engine->warps[engine->oldest * n].left);
            (void)ps_trail_time(&trail, engine, warp->done);
        }
    kept->exact.effort += trail.effort;
    return trail.hash;
}

PsKept *ps_forward_recall(PsForward *forward, const PsEngine *engine, guint depth)
{
    if (!forward->seen && engine->simulated >= SEEN_FROM)
        forward->seen = g_new0(PsSeen, PS_FORWARD_DEPTHS * SEEN);
    if (!forward->seen)
        return NULL;
    const PsKept *kept = &forward->kept[depth];
    forward->hash = hash_state(engine, &forward->kept[depth]);
    for (guint back = 1; forward->latest[depth] && back <= LATEST; back++) {
        PsKept *one = &forward->latest[depth][(forward->next[depth] - back) % LATEST];
        if (one->kept && one->search == kept->search && one->hash == forward->hash)
            return one;
    }
    return NULL;
}

/* TRUE if a state is to be kept as one of the latest: each state around the begin of a period in an
 * earlier search, none before it, otherwise one of several. */
static gboolean is_one(PsForward *forward, guint depth)
{
    const PsMoments *moments = forward->moments[depth];
    const gint64 later = moments ? forward->kept[depth].event - moments->begin : ONE_OF + 1;
    return later > ONE_OF ? forward->came[depth]++ % ONE_OF == 0 : later >= -ONE_OF;
}

PsKept *ps_forward_room(PsForward *forward, guint depth)
{
    const PsKept *kept = &forward->kept[depth];
    if (!forward->latest[depth] || kept->exact.n > LATEST_WORDS || !is_one(forward, depth))
        return NULL;
    PsKept *room = &forward->latest[depth][forward->next[depth]++ % LATEST];
    room->search = kept->search;
    room->hash = forward->hash;
    room->exact.effort = room->counters.effort = 0;
    return room;
}

/* By how many events later a stretch is expected that did not begin when expected. */
static gint64 later(const PsStretch *expected)
{
    return 1 + expected->length / 8;
}

/* TRUE if a stretch is expected to begin with this state. A stretch that did not come again began
 * later, as it will in the next search. */
static gboolean is_expected(PsStretch *expected, PsKept *kept)
{
    if (kept->guessed && kept->event == kept->until)
        expected->begin += later(expected);
    kept->guessed &= kept->event < kept->until;
    return expected->length > 0 && kept->event == expected->begin && kept->event > kept->until;
}

/* Keeps this state for so many events. */
static gboolean keep_for(PsKept *kept, gint64 events, gboolean guessed)
{
    kept->until = kept->event + events;
    kept->events = 0;
    kept->power = MAX(kept->power, events + 1);
    kept->guessed = guessed;
    return TRUE;
}

gboolean ps_forward_recalls(PsForward *forward, guint depth)
{
    if (!forward->seen)
        return FALSE;
    PsKept *kept = &forward->kept[depth];
    PsStretch *expected = &forward->expected[depth];
    const guint64 hash = forward->hash;
    PsSeen *seen = &forward->seen[depth * SEEN + hash % SEEN];
    const gint64 now = kept->event, after = now - seen->event;
    const gboolean again = seen->search == kept->search + 1 && seen->hash == hash;
    *seen = (PsSeen){hash, now, kept->search + 1};
    if (again && kept->again.length == 0)
        kept->again = (PsStretch){now - after, after};
    if (is_expected(expected, kept))
        return keep_for(kept, expected->length, TRUE);
    return again && now > kept->until && keep_for(kept, after, FALSE);
}

/* Expects the stretch that repeats in this search again in later ones; of several begins, the
 * latest. */
static void expect(PsStretch *expected, const PsStretch *again)
{
    if (again->length == 0)
        return;
    const gint64 before = again->length == expected->length ? expected->begin : 0;
    *expected = (PsStretch){MAX(again->begin, before), again->length};
}

gint64 ps_forward_most(const PsKept *kept, const PsEngine *engine)
{
    const gint64 now = engine->now + engine->base;
    const gint64 groups = engine->launched - kept->launched;
    gint64 most = (PS_MAX_TIME - now) / (now - kept->time);
    if (groups > 0)
        most = MIN(most, (engine->groups - engine->launched) / groups);
    if (now < engine->whole_to)
        most = MIN(most, MAX(engine->whole_from - now, 0) / (now - kept->time));
    return most;
}

void ps_forward_mark(const PsForward *forward, PsKept *kept, guint depth, PsEngine *engine)
{
    kept->at = forward->kept[depth].event;
    kept->time = engine->now + engine->base;
    kept->asked = asked_at(engine);
    kept->instructions = engine->instructions + engine->simulated;
    kept->launched = engine->launched;
    ps_engine_tell_marked(engine, depth);
}

void ps_forward_skip(PsForward *forward, const PsKept *since, guint depth, PsEngine *engine,
                     gint64 times)
{
    const PsKept *kept = &forward->kept[depth];
    PsSkip skip = {.mark = depth, .from = engine->now + engine->base, .times = times};
    skip.period = skip.from - since->time;
    skip.to = skip.from + times * skip.period;
    skip.instructions = times * (engine->instructions + engine->simulated - since->instructions);
    skip.groups = times * (engine->launched - since->launched);
    if (skip.groups > 0)
        ps_engine_renumber(engine, skip.groups);
    skip_device(engine, since, skip.to - skip.from);
    engine->instructions += skip.instructions;
    engine->base += skip.to - skip.from;
    engine->skips++;
    forward->kept[depth].guessed = FALSE;
    expect(&forward->expected[depth], &kept->again);
    ps_engine_tell_skipped(engine, &skip);
    /* Where more could be skipped, the search for the next period starts here: listeners may rely
     * on it that no skip is part of a stretch that repeats from the same mark. */
    if (skip.from < engine->whole_to)
        forward->kept[depth] =
            (PsKept){.exact = kept->exact, .counters = kept->counters, .search = kept->search + 1};
}

/* ---- jumps ---------------------------------------------------------------------------------- */

/* Bytes of a moment that count as one word: they are copied, not compared. */
#define BYTES_PER_WORD 32

/* Events from one moment to the next. */
static gint64 moment_step(const PsMoments *moments)
{
    return 1 + (moments->length - 1) / PS_FORWARD_MOMENTS;
}

static PsMoment *moment_of(PsMoments *moments, gint64 event)
{
    return &moments->moments[event / moment_step(moments) % PS_FORWARD_MOMENTS];
}

/* Moments around the origin of the latest jump, in steps: before it, and in all. */
#define STEPS_BEFORE 2
#define STEPS_AROUND 3

/* TRUE if a jump may start from that event. Groups mostly have as many iterations as those before
 * them, so whole periods leave about the same remainder. A moment costs as much as simulating a few
 * of its instructions, so far ones would be saved for nothing. */
static gboolean is_likely(const PsMoments *moments, gint64 event)
{
    const gint64 step = moment_step(moments), length = moments->length;
    const gint64 behind = (event - moments->last + STEPS_BEFORE * step) % length;
    return moments->last == 0 || (behind + length) % length <= STEPS_AROUND * step;
}

void ps_forward_saved(PsForward *forward, PsKept *room, guint depth)
{
    room->kept = room->saved = TRUE;
    forward->kept[depth].exact.effort += (gint64)room->bytes.n / BYTES_PER_WORD;
}

PsMoment *ps_forward_moment(PsForward *forward, const PsEngine *engine, guint depth)
{
    PsKept *kept = &forward->kept[depth];
    PsMoments *moments = forward->moments[depth];
    if (!moments || moments->tried == kept->search + 1 || kept->event < moments->begin - ONE_OF ||
        kept->event % moment_step(moments) != 0 || !is_likely(moments, kept->event) ||
        kept->exact.n > LATEST_WORDS)
        return NULL;
    PsMoment *moment = moment_of(moments, kept->event);
    kept->exact.effort += (gint64)moment->n / BYTES_PER_WORD;
    moment->event = kept->event;
    moment->search = kept->search + 1;
    moment->time = engine->now + engine->base;
    moment->instructions = engine->instructions + engine->simulated;
    return moment;
}

/* Learns the length of a period. For another length, moments stand elsewhere. */
static void learn_length(PsForward *forward, const PsKept *since, guint depth)
{
    const gint64 length = forward->kept[depth].event - since->at;
    if (!forward->moments[depth])
        forward->moments[depth] = g_new0(PsMoments, 1);
    PsMoments *moments = forward->moments[depth];
    for (guint i = 0; moments->length != length && i < PS_FORWARD_MOMENTS; i++)
        moments->moments[i].search = 0;
    moments->length = length;
    moments->begin = since->at;
}

GPtrArray *ps_forward_moments(PsForward *forward, const PsKept *since, guint depth,
                              const PsEngine *engine, gint64 times)
{
    const PsKept *kept = &forward->kept[depth];
    const gint64 now = engine->now + engine->base, period = now - since->time;
    if (!forward->latest[depth] || depth == 0 || since->launched != engine->launched ||
        now < engine->whole_to)
        return NULL;
    const PsMoments *before = forward->moments[depth];
    if (before && before->tried == kept->search + 1)
        return NULL;
    learn_length(forward, since, depth);
    g_autoptr(GPtrArray) list = g_ptr_array_new();
    PsMoments *moments = forward->moments[depth];
    moments->last = 0;
    for (gint64 event = since->at + 1; event < kept->event; event++) {
        PsMoment *moment = moment_of(moments, event);
        if (moment->search == kept->search + 1 && moment->event == event)
            g_ptr_array_add(list, moment);
    }
    if (list->len == 0 || times >= (PS_MAX_TIME - now) / period)
        return NULL;
    moments->tried = kept->search + 1;
    moments->now.time = now;
    moments->now.instructions = engine->instructions + engine->simulated;
    return g_steal_pointer(&list);
}

void ps_forward_jump(PsForward *forward, const PsKept *since, guint depth, PsEngine *engine,
                     gint64 times)
{
    PsMoments *moments = forward->moments[depth];
    const PsMoment *from = moments->chosen;
    moments->last = from->event;
    engine->base = from->time + times * (moments->now.time - since->time) - engine->now;
    engine->instructions = from->instructions - engine->simulated +
                           times * (moments->now.instructions - since->instructions);
    engine->skips++;
}

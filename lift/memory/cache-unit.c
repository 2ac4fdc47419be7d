/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * The first-level cache of a compute unit, which the groups that it holds at once share, and those
 * that follow them. What each group asks for is written down while it is executed, warp by warp;
 * when all are over, their requests go through one cache in turns: one request of every warp of
 * every group that is there, then the next of each. Loads that join a request go in its turn: while
 * a sector is on its way, whoever asks for it waits for that one. Iterations that an assembler lays
 * out together take as many turns as loads wait for each other in one of them (copies.h). A group
 * that has none left gives its place to the next of the list. Where warps wait for each other, at
 * barriers, is not looked at.
 *
 * What passes L1 comes to the unit's part of L2, as large as that of every other one: what a group
 * reads again is lost there if it and those beside it touched more since. Which of that the launch
 * fetches again is for those to say who know what groups share (pattern-settle.c). Threads' own
 * memory is shared with nobody: what is lost of it has been written, or is read again. L1 writes it
 * back where its line is replaced, unless it was loaded for the last time (ld.lu) before.
 *
 * A group's requests are written down up to a limit, beyond which what came first stands for all.
 */
#include "lift/memory/cache.h"

#define MOST_WORDS (1U << 22) /* of all groups */
#define GROUP_WORDS (MOST_WORDS / 16)

/* A stream is a list of requests: a head, then a word for each line that the request touches. */
#define HEAD(number, n, kind) ((guint64)(number) << 32 | (guint64)(n) << 8 | (kind))
#define TOUCH_BITS PS_LINE_SECTORS

/* Kinds of requests; the two lowest bits are the PsAccess. */
enum { KEEP = 4, PRIVATE = 8, JOINS = 16, ENTERS = 32, WRITES = 64, LAST = 128, ACCESS = 3 };

typedef struct {
    GArray *words;   /* guint64 */
    gboolean enters; /* the warp has entered a loop since its last request */
    guint at;        /* place of the next request */
    guint end;       /* end of the iterations at once that it is in; behind it: none */
    guint wave;      /* the first of their loads that have not come */
} Stream;

typedef struct {
    guint round;
    GArray *streams; /* Stream, by warp */
} Listed;

struct PsUnit {
    PsPatternRules rules;
    GPtrArray *groups; /* Listed: groups that have ended */
    Listed *now;
    PsCopy *copies;     /* by pattern; NULL: no iterations are at once */
    guint n_now, n_all; /* words of the present group, and of all earlier groups */
};

static void listed_free(gpointer data)
{
    Listed *group = data;
    if (!group)
        return;
    for (guint i = 0; i < group->streams->len; i++)
        g_array_unref(g_array_index(group->streams, Stream, i).words);
    g_array_unref(group->streams);
    g_free(group);
}

PsUnit *ps_unit_new(const PsPatternRules *rules)
{
    PsUnit *unit = g_new0(PsUnit, 1);
    unit->rules = *rules;
    unit->groups = g_ptr_array_new_with_free_func(listed_free);
    return unit;
}

void ps_unit_free(PsUnit *unit)
{
    if (!unit)
        return;
    g_clear_pointer(&unit->now, listed_free);
    g_ptr_array_unref(unit->groups);
    g_free(unit->copies);
    g_free(unit);
}

/* ---- writing down --------------------------------------------------------------------------- */

void ps_unit_begin(PsUnit *unit, guint round)
{
    g_clear_pointer(&unit->now, listed_free); /* remains of a group that failed */
    unit->now = g_new0(Listed, 1);
    unit->now->round = round;
    unit->now->streams = g_array_new(FALSE, TRUE, sizeof(Stream));
    unit->n_now = 0;
}

static Stream *stream_of(Listed *group, guint warp)
{
    while (group->streams->len <= warp) {
        const Stream fresh = {.words = g_array_new(FALSE, FALSE, sizeof(guint64))};
        g_array_append_val(group->streams, fresh);
    }
    return &g_array_index(group->streams, Stream, warp);
}

void ps_unit_enters(PsUnit *unit, guint warp)
{
    if (unit->now)
        stream_of(unit->now, warp)->enters = TRUE;
}

void ps_unit_access(PsUnit *unit, guint warp, const PsRequest *request, const GArray *touches)
{
    const guint n = 1 + touches->len;
    if (!unit->now || unit->n_now + n > GROUP_WORDS || unit->n_all + unit->n_now + n > MOST_WORDS)
        return;
    Stream *stream = stream_of(unit->now, warp);
    GArray *words = stream->words;
    const guint64 kind = (guint64)request->access | (request->keep ? KEEP : 0) |
                         (request->private ? PRIVATE : 0) | (request->joins ? JOINS : 0) |
                         (stream->enters ? ENTERS : 0) | (request->writes ? WRITES : 0) |
                         (request->last ? LAST : 0);
    const guint64 head = HEAD(request->number, touches->len, kind);
    g_array_append_val(words, head);
    for (guint i = 0; i < touches->len; i++) {
        const PsTouch *touch = &g_array_index(touches, PsTouch, i);
        const guint64 word = touch->line << TOUCH_BITS | touch->sectors;
        g_array_append_val(words, word);
    }
    unit->n_now += n;
    stream->enters = FALSE;
}

void ps_unit_end(PsUnit *unit)
{
    if (!unit->now)
        return;
    unit->n_all += unit->n_now;
    g_ptr_array_add(unit->groups, g_steal_pointer(&unit->now));
}

void ps_unit_set_copies(PsUnit *unit, PsCopy *copies)
{
    g_free(unit->copies);
    unit->copies = copies;
}

/* ---- in turns ------------------------------------------------------------------------------- */

/* The place of one resident group on the compute unit. */
typedef struct {
    Listed *group; /* NULL: empty */
    gboolean counts;
} Place;

typedef struct {
    PsUnit *unit;
    PsCache *l1;
    PsCache *l2;    /* the unit's part, beside everything that ever came; NULL: not simulated */
    GArray *passed; /* PsPassed, by pattern */
    const guint8 *also_kept;
    guint next, warm;
} Replay;

static int by_round(gconstpointer a, gconstpointer b)
{
    const Listed *x = *(Listed *const *)a, *y = *(Listed *const *)b;
    return x->round < y->round ? -1 : x->round > y->round;
}

static PsPassed *passed_of(GArray *passed, guint number)
{
    if (number >= passed->len)
        g_array_set_size(passed, number + 1);
    return &g_array_index(passed, PsPassed, number);
}

/* The line that a word means. Threads' own memory belongs to the place: the next group there uses
 * the same memory. */
static guint64 line_in(guint64 word, guint64 kind, guint place)
{
    const guint64 line = word >> TOUCH_BITS;
    return kind & PRIVATE ? line + ((guint64)place << 48) : line;
}

static void pass_l2(const Replay *replay, guint64 kind, guint64 line, guint sectors,
                    PsPassed *passed)
{
    guint lost = 0;
    if (!replay->l2 || sectors == 0)
        return;
    ps_cache_bring(replay->l2, (PsTouch){.line = line, .sectors = sectors}, &lost);
    if ((kind & ACCESS) == PS_ACCESS_LOAD)
        passed->lost += ps_count_sectors(lost);
}

/* Threads' writes to their own memory leave L1 when the line is replaced. */
static void write_back(const Replay *replay, gboolean counts)
{
    const PsLeaving leaving = ps_cache_take_leaving(replay->l1);
    if (leaving.sectors == 0)
        return;
    PsPassed sum = {.l2 = ps_count_sectors(leaving.sectors)};
    pass_l2(replay, PS_ACCESS_LOAD, leaving.line, leaving.sectors, &sum);
    if (!counts)
        return;
    PsPassed *all = passed_of(replay->passed, leaving.writer);
    all->l2 += sum.l2;
    all->lost += sum.lost;
}

/* Stores to threads' own memory bring nothing from behind L1; data loaded for the last time need
 * not be written back. */
static void own_memory(const Replay *replay, guint64 kind, guint number, PsTouch touch)
{
    if (kind & WRITES)
        ps_cache_write(replay->l1, touch, number);
    if (kind & LAST)
        ps_cache_give_up(replay->l1, touch);
}

static const guint64 *request_at(const Stream *stream, guint at)
{
    return &g_array_index(stream->words, guint64, at);
}

/* The begin of the next request. */
static guint behind(const Stream *stream, guint at)
{
    return at + 1 + (guint)(*request_at(stream, at) >> 8 & 0xffffff);
}

static void one_request(Replay *replay, const guint64 *words, guint place, gboolean counts)
{
    const guint64 kind = words[0] & 0xff;
    const guint n = (guint)(words[0] >> 8 & 0xffffff), number = (guint)(words[0] >> 32);
    const PsRequest request = {.access = (PsAccess)(kind & ACCESS),
                               .keep = (kind & KEEP) ||
                                       (replay->also_kept && replay->also_kept[number])};
    PsPassed sum = {0};
    for (guint i = 1; i <= n; i++) {
        const PsTouch touch = {.line = line_in(words[i], kind, place),
                               .sectors = (guint)(words[i] & ((1U << TOUCH_BITS) - 1))};
        const guint left = ps_pass_l1(&replay->unit->rules, replay->l1, &request, touch, &sum);
        if (kind & WRITES)
            sum.l2 -= ps_count_sectors(left);
        else
            pass_l2(replay, kind, touch.line, left, &sum);
        write_back(replay, counts);
        own_memory(replay, kind, number, touch);
    }
    if (!counts)
        return;
    PsPassed *all = passed_of(replay->passed, number);
    all->l1 += sum.l1;
    all->l2 += sum.l2;
    all->found += sum.found;
    all->lost += sum.lost;
}

/* ---- iterations at once ---------------------------------------------------------------------- */

/* NULL: there is no request, or it belongs to no iterations at once. */
static const PsCopy *copy_at(const PsUnit *unit, const Stream *stream, guint at)
{
    if (!unit->copies || at >= stream->words->len)
        return NULL;
    const PsCopy *copy = &unit->copies[*request_at(stream, at) >> 32];
    return copy->loop != PS_PTX_NOWHERE ? copy : NULL;
}

/* Begins the next iterations: as many as are at once, or half as many of the remaining ones, and so
 * on. An iteration whose loads no lane executes is not seen. */
static void begin_iterations(const PsUnit *unit, Stream *stream)
{
    const PsCopy *first = copy_at(unit, stream, stream->at), *last = first;
    guint ends[PS_COPIES_MOST], n = 0;
    if (!first)
        return;
    for (guint at = behind(stream, stream->at); n < first->at_once; at = behind(stream, at)) {
        const PsCopy *copy = copy_at(unit, stream, at);
        const gboolean same =
            copy && copy->loop == first->loop && !(*request_at(stream, at) & ENTERS);
        if (!same || copy->point <= last->point)
            ends[n++] = at;
        if (!same)
            break;
        last = copy;
    }
    guint size = first->at_once;
    while (size > n)
        size /= 2;
    stream->end = ends[size - 1];
    stream->wave = 0;
}

/* Makes the loads of these iterations that wait for the fewest loads before them. */
static void one_wave(Replay *replay, Stream *stream, guint place, gboolean counts)
{
    const PsUnit *unit = replay->unit;
    guint wave = G_MAXUINT, later = 0;
    for (guint at = stream->at; at < stream->end; at = behind(stream, at)) {
        const guint of = copy_at(unit, stream, at)->wave;
        wave = of >= stream->wave ? MIN(wave, of) : wave;
        later = MAX(later, of);
    }
    for (guint at = stream->at; at < stream->end; at = behind(stream, at))
        if (copy_at(unit, stream, at)->wave == wave)
            one_request(replay, request_at(stream, at), place, counts);
    stream->wave = wave + 1;
    stream->at = later > wave ? stream->at : stream->end;
}

/* ---- turns ----------------------------------------------------------------------------------- */

/* TRUE if the stream's next request joins the one before it. */
static gboolean goes_on(const PsUnit *unit, const Stream *stream)
{
    return stream->at < stream->words->len && (*request_at(stream, stream->at) & JOINS) &&
           !copy_at(unit, stream, stream->at);
}

static void one_turn(Replay *replay, Stream *stream, guint place, gboolean counts)
{
    if (stream->end <= stream->at)
        begin_iterations(replay->unit, stream);
    if (stream->end > stream->at) {
        one_wave(replay, stream, place, counts);
        return;
    }
    do {
        one_request(replay, request_at(stream, stream->at), place, counts);
        stream->at = behind(stream, stream->at);
    } while (goes_on(replay->unit, stream));
}

/* Lets each warp of a group make its next request, with those that join it. FALSE: none has one
 * left. */
static gboolean turn_of(Replay *replay, const Place *place, guint number)
{
    gboolean any = FALSE;
    for (guint w = 0; w < place->group->streams->len; w++) {
        Stream *stream = &g_array_index(place->group->streams, Stream, w);
        if (stream->at >= stream->words->len)
            continue;
        one_turn(replay, stream, number, place->counts);
        any = TRUE;
    }
    return any;
}

static void fill(Replay *replay, Place *place)
{
    const GPtrArray *groups = replay->unit->groups;
    place->group = replay->next < groups->len ? groups->pdata[replay->next] : NULL;
    place->counts = replay->next >= replay->warm;
    replay->next++;
}

static void begin_again(const PsUnit *unit)
{
    for (guint i = 0; i < unit->groups->len; i++) {
        const Listed *group = unit->groups->pdata[i];
        for (guint w = 0; w < group->streams->len; w++) {
            Stream *stream = &g_array_index(group->streams, Stream, w);
            stream->at = stream->end = 0;
        }
    }
}

/* The bytes of L2 for n groups, with equal parts for all units that run at once; 0: unknown. */
static guint64 part_of_l2(const PsPatternRules *rules, guint held, guint n)
{
    const guint64 all =
        (guint64)MAX(rules->grid[0], 1) * MAX(rules->grid[1], 1) * MAX(rules->grid[2], 1);
    const guint64 at_once = MIN((guint64)rules->units * held, all);
    return at_once > 0 && rules->l2 > 0 ? MAX(rules->l2 / at_once * n, PS_LINE) : 0;
}

void ps_unit_replay(PsUnit *unit, const guint8 *also_kept, GArray *passed)
{
    const PsPatternRules *rules = &unit->rules;
    const guint n = unit->groups->len;
    const guint held = MAX(MIN(rules->resident, rules->rounds), 1);
    if (n == 0 || rules->l1 == 0)
        return;
    const guint64 part = part_of_l2(rules, held, MIN(n, held));
    begin_again(unit);
    g_ptr_array_sort(unit->groups, by_round);
    /* With fewer groups than the unit would hold, the cache is smaller in proportion. If the launch
     * has more groups than were executed, the first half of the requests only fills the cache. */
    Replay replay = {.unit = unit,
                     .l1 = ps_cache_new(rules->l1 * MIN(n, held) / held, 0),
                     .l2 = part > 0 && !also_kept ? ps_cache_new(G_MAXUINT64, part) : NULL,
                     .passed = passed,
                     .also_kept = also_kept,
                     .warm = n < rules->rounds ? n / 2 : 0};
    g_autofree Place *places = g_new0(Place, held);
    for (guint i = 0; i < held; i++)
        fill(&replay, &places[i]);
    for (gboolean any = TRUE; any;) {
        any = FALSE;
        for (guint i = 0; i < held; i++) {
            while (places[i].group && !turn_of(&replay, &places[i], i))
                fill(&replay, &places[i]);
            any = any || places[i].group;
        }
    }
    ps_cache_free(replay.l1);
    ps_cache_free(replay.l2);
}

/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Fast-forward. The system is deterministic: when its whole state recurs, what follows repeats, and
 * whole periods can be skipped. The state is compared, never a hash of it; a skip is exact.
 *
 * Two kinds of recurrence count, both relative to the present time:
 *
 * - No group was launched in between. Warps are further on in their loops, and in nothing else: of
 *   each node's trip counters exactly one fell (those of the loops inside it are where they were),
 *   and all nodes of a warp went equally far in program order. A counter decides nothing until it
 *   comes to its end, so as many periods can be skipped as leave every counter above it.
 * - Groups were launched in between. In the order of their launches, the groups on the CU are
 *   exactly where those of before were. As many periods can be skipped as there are groups waiting.
 *
 * Both may come together: groups that were there all the time are further on in their loops, those
 * behind them, which came later, are where others were. A warp that could issue all the time, and
 * never did because others were preferred, is where it was, though it has waited longer.
 *
 * A device memory with a window (R7) does its work more slowly the less is left. So the work before
 * it depends on when it was asked last: as long ago as when the state was kept, or not since then.
 * In the second case that stays when it was, whatever is skipped.
 *
 * States are looked at when a loop of the oldest group goes round (by gty, of the one in the last
 * place, since others may stand still for as long as it runs), or when a group is launched. For
 * each depth of loops (0: launches) one state is kept, and replaced after 1, 2, 4, 8 ... such
 * events (Brent's way to find a cycle): a period is found soon after it has begun to repeat,
 * whatever its length. What happens at one depth starts the search at all deeper ones anew.
 *
 * A long run also remembers a hash of a part of each state that it met. When a hash comes again,
 * that state is kept at once, and compared with the one that comes as many events later. A run that
 * nobody listens to, and whose simulated instructions nobody limits, looks harder: it does so from
 * the start. It also keeps one in a few of the latest states, and compares it with the next one of
 * the same hash, so a period is mostly found when it has come once. The hash only says when to keep
 * and when to compare.
 *
 * Groups that were launched together run the same loop as those before them, and mostly come into a
 * rhythm of the same length after as many iterations. A state is kept where that is expected, so
 * that the period is found when it has come once; where it begins later, it is expected later in
 * the next search.
 *
 * Once such a run knows how long a period is, it also saves its state: at most events, and after a
 * successful jump only around the event from which it went. Skipping whole periods leaves a part of
 * one, which is not simulated either: the engine is set back to a moment of the period, and all is
 * moved from there to the latest event that it may be moved to. From a moment on, a counter falls
 * as often in a period as it did in the one that was compared.
 *
 * Looking costs at most a fixed share of the simulation: it stops while the words that it has read,
 * and those that an event stands for, are too many for the instructions simulated.
 *
 * The state leaves out values that follow from the rest (bounds such as PsStage.due, the turn of
 * groups), values that are set before they are read (the source of an instance, a wave), and times
 * that have passed. Internal to sim/.
 */
#ifndef PIPESIM_SIM_ENGINE_FORWARD_H
#define PIPESIM_SIM_ENGINE_FORWARD_H

#include "sim/engine/estimate.h"
#include "sim/engine/moment.h"
#include "sim/engine/trail.h"

/* A stretch that repeats, in events of a search: where it first began, and its length (0: none). */
typedef struct {
    gint64 begin, length;
} PsStretch;

/* A state that was kept. */
typedef struct {
    gboolean kept;
    gboolean saved; /* bytes only so far; words are made on demand */
    PsMoment bytes;
    gint64 events, power; /* events since it was kept, and when to keep another one */
    PsTrail exact;        /* what must be equal */
    PsTrail counters;     /* what may have moved */
    gint64 time;          /* with all that was skipped */
    gint64 asked;         /* the same time of device memory's last request (engine.h) */
    gint64 instructions, launched;
    guint64 hash;        /* hash of a part of it */
    guint search;        /* the number of the search at this depth */
    gint64 at;           /* the event of that search at which it was kept */
    gint64 event, until; /* in that search: events so far, and up to which this state stays */
    PsStretch again;     /* the first stretch whose hash came again in that search */
    gboolean guessed;    /* it stays since a stretch is expected to begin with it */
} PsKept;

/* A hash that was met. */
typedef struct {
    guint64 hash;
    gint64 event; /* at which it was met last, in that search */
    guint search; /* that one's number and 1; 0: none was met */
} PsSeen;

/* Moments of a period that are kept at most, at each depth. */
#define PS_FORWARD_MOMENTS 32

/* Moments at a depth, which are saved once it is known how long a period is. */
typedef struct {
    gint64 begin, length; /* events: where a period began in its search, and its length */
    guint tried;          /* the number of the search in which a jump was last tried, and 1 */
    gint64 last;      /* the event of the moment from which the latest jump went; 0: it failed */
    PsKept now;       /* the state from which a jump is tried: its counters */
    PsMoment present; /* the same state, to come back to */
    PsMoment *chosen; /* to which the engine was set back */
    PsMoment moments[PS_FORWARD_MOMENTS]; /* by event */
} PsMoments;

typedef struct {
    gboolean on;
    PsSeen *seen; /* of each depth, by the hash's lowest bits; NULL: nothing is looked for */
    PsKept kept[PS_FORWARD_DEPTHS];
    PsKept *latest[PS_FORWARD_DEPTHS];     /* with the harder search: the latest states */
    guint next[PS_FORWARD_DEPTHS];         /* ... the one that is replaced next ... */
    guint came[PS_FORWARD_DEPTHS];         /* ... and events so far */
    guint64 hash;                          /* of the state that is looked at */
    PsMoment present;                      /* it, while the engine is set back to an earlier one */
    PsStretch expected[PS_FORWARD_DEPTHS]; /* by what came again in earlier searches */
    PsMoments *moments[PS_FORWARD_DEPTHS]; /* with the harder search; NULL: none are saved */
    PsExtrapolation estimate;
} PsForward;

void ps_forward_init(PsForward *forward, const PsEngine *engine, gboolean on);
void ps_forward_clear(PsForward *forward);

/* Counts an event at this depth, and starts the search anew at deeper ones. NULL if the event is
 * passed over, else the kept state. */
PsKept *ps_forward_event(PsForward *forward, const PsEngine *engine, guint depth);

/* TRUE when another state is to be kept. */
gboolean ps_forward_keeps(PsKept *kept);

/* Finds the hash of this state and, for who looks harder, the latest state with it that was kept in
 * this search; else NULL. */
PsKept *ps_forward_recall(PsForward *forward, const PsEngine *engine, guint depth);

/* The same of a hash alone, which is remembered. TRUE when it was met before, so that this state is
 * to be kept. */
gboolean ps_forward_recalls(PsForward *forward, guint depth);

/* The place where this state may be kept among the latest; NULL: none. */
PsKept *ps_forward_room(PsForward *forward, guint depth);

/* Visits groups by age, and what belongs to no warp and not to the stage. by_place: places are not
 * alike. */
void ps_forward_number_groups(PsEngine *engine);
gboolean ps_forward_visit_groups(const PsEngine *engine, gboolean by_place, PsTrail *trail);

/* TRUE if the last request to a device memory with a window was as long before now as before that
 * state, or if there was none since then. */
gboolean ps_forward_asked_alike(const PsKept *kept, const PsEngine *engine);

/* Periods that may be skipped, as far as time and waiting groups allow. */
gint64 ps_forward_most(const PsKept *kept, const PsEngine *engine);

/* Skips so many periods, the last of which began with that state; warps have their new counters.
 * Calls the listeners. */
void ps_forward_skip(PsForward *forward, const PsKept *since, guint depth, PsEngine *engine,
                     gint64 times);

/* Forgets the kept states after an estimate, since nothing repeats exactly then. */
void ps_forward_forget(PsForward *forward);

/* Calls the listeners: a state is kept. */
void ps_forward_mark(const PsForward *forward, PsKept *kept, guint depth, PsEngine *engine);

/* Called when this state repeats the kept one and so many periods may be skipped. Returns the
 * moments since then, by event, to which the engine may be set back (to be unreferenced); NULL: a
 * jump is not to be tried. */
GPtrArray *ps_forward_moments(PsForward *forward, const PsKept *since, guint depth,
                              const PsEngine *engine, gint64 times);

/* Notes that a state was saved as bytes in this room. */
void ps_forward_saved(PsForward *forward, PsKept *room, guint depth);

/* The moment that this state is to be saved as; NULL: none. */
PsMoment *ps_forward_moment(PsForward *forward, const PsEngine *engine, guint depth);

/* Goes on from the chosen moment, to which the engine was set back, so many periods later. Nobody
 * listens. */
void ps_forward_jump(PsForward *forward, const PsKept *since, guint depth, PsEngine *engine,
                     gint64 times);

/* The next of the kept counters. */
static inline gint64 ps_forward_before(PsTrail *counters)
{
    counters->effort++;
    return counters->words[counters->at++];
}

/* A counter that fell from before to now, and goes on to fall: how often before it comes to 0. */
static inline void ps_forward_limit(gint64 before, gint64 now, gint64 *most)
{
    if (before > now)
        *most = MIN(*most, (now - 1) / (before - now));
}

/* The same for a counter that is somewhere within the period. */
static inline void ps_forward_limit_at(gint64 before, gint64 after, gint64 now, gint64 *most)
{
    if (before > after)
        *most = MIN(*most, (now - 1) / (before - after));
}

/* The same counter, so many periods later. */
static inline void ps_forward_move(gint64 before, gint64 *now, gint64 times)
{
    *now -= times * (before - *now);
}

#endif

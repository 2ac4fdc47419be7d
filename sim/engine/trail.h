/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * The state of an engine as a sequence of words, relative to the present and to the order of
 * groups: written once, then compared with the state at a later time, word by word. Two states with
 * equal words behave alike from then on (sim/engine/forward.h says what else must hold). Internal
 * to sim/.
 */
#ifndef PIPESIM_SIM_ENGINE_TRAIL_H
#define PIPESIM_SIM_ENGINE_TRAIL_H

#include "sim/engine/engine.h"
#include "sim/engine/merge.h"

typedef struct {
    gint64 *words;
    gsize n, capacity;
    gsize at;           /* comparing: the next word */
    gboolean recording; /* else comparing */
    gboolean hashing;   /* recording: only the hash of the words is kept */
    guint64 hash;
    gint64 effort; /* words that were written or read so far */
} PsTrail;

void ps_trail_clear(PsTrail *trail);

/* Starts to record, or to compare. */
void ps_trail_begin(PsTrail *trail, gboolean recording);

/* A trail that finds a hash. It needs no ps_trail_clear. */
PsTrail ps_trail_for_hash(void);

static inline void ps_trail_mix(PsTrail *trail, gint64 word)
{
    const guint64 mixed = (trail->hash ^ (guint64)word) * G_GUINT64_CONSTANT(0x9e3779b97f4a7c15);
    trail->hash = mixed ^ mixed >> 29;
}

/* Makes room for more words; FALSE when that would be too many to keep. */
gboolean ps_trail_grow(PsTrail *trail);

/* FALSE when the word differs from the recorded one, or there is no room to record it. */
static inline gboolean ps_trail_word(PsTrail *trail, gint64 word)
{
    trail->effort++;
    if (!trail->recording)
        return trail->at < trail->n && trail->words[trail->at++] == word;
    if (trail->hashing) {
        ps_trail_mix(trail, word);
        return TRUE;
    }
    if (trail->n == trail->capacity && !ps_trail_grow(trail))
        return FALSE;
    trail->words[trail->n++] = word;
    return TRUE;
}

/* Words that lie side by side, n of them. FALSE as above. */
gboolean ps_trail_words(PsTrail *trail, const gint64 *words, gsize n);

/* Visits a time of which only the future matters. */
static inline gboolean ps_trail_time(PsTrail *trail, const PsEngine *engine, gint64 time)
{
    return ps_trail_word(trail, MAX(time - engine->now, 0));
}

/* A node's completions that are to come, the latest first. */
static inline gboolean ps_trail_history(PsTrail *trail, const PsEngine *engine,
                                        const PsNodeState *state)
{
    for (gint64 back = 0;; back++) {
        const gint64 done = back < state->known ? ps_warp_recall(state, back) : 0;
        if (done <= engine->now)
            return ps_trail_word(trail, 0);
        if (!ps_trail_word(trail, done - engine->now))
            return FALSE;
    }
}

/* Instances that wait, in the order in which they stand. */
gboolean ps_trail_queue(PsTrail *trail, const PsEngine *engine, const PsQueue *queue);
gboolean ps_trail_merge(PsTrail *trail, const PsEngine *engine, const PsMerge *merge);

/* After a skip: instances follow their warps. */
void ps_trail_shift_queue(const PsEngine *engine, PsQueue *queue);
void ps_trail_shift_merge(const PsEngine *engine, PsMerge *merge);

#endif

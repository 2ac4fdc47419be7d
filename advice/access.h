/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * What kinds of advice on single accesses to memory share: how much of the critical path they are,
 * and graphs in which they move something else. Internal to this folder.
 */
#ifndef PIPESIM_ADVICE_ACCESS_H
#define PIPESIM_ADVICE_ACCESS_H

#include "advice/kind.h"
#include "base/class-name.h"

/* The node's share of the critical path. */
double ps_access_path_share(const PsAnswer *answer, guint program, guint node);

/* What accesses of a thread move: bytes that they ask for, and that reach each level; -1 where that
 * is not stated. wavefronts: those of a request of a warp; 0: not stated. */
typedef struct {
    double bytes;
    double reach[PS_N_LEVELS];
    double wavefronts;
} PsAccessTraffic;

PsAccessTraffic ps_access_traffic(const PsProgramNode *node);
/* The innermost loop that a node is in; G_MAXUINT: none. */
guint ps_access_loop(const PsProgramNode *node);

/* Gives a node of a graph that traffic. */
void ps_access_set_traffic(PsIdgItem *item, const PsAccessTraffic *traffic);

/* Makes it an instruction of that class, which is no access to global memory. */
void ps_access_leave_global(PsIdgItem *item, const char *class_name);

/* The class of accesses of a plain class ("global.load" of "global.load.s8.v2") with that pattern
 * (g_free). */
char *ps_access_class(const char *class_name, const PsClassAccess *access);

/* What the address of an access follows from, of what its own body computes. */
typedef enum {
    PS_ADDRESS_COUNTED,  /* sums and products of counters: as good as known in each iteration */
    PS_ADDRESS_COMPUTED, /* other arithmetic */
    PS_ADDRESS_LOADED    /* what global memory has, which is known only when it runs */
} PsAddress;

PsAddress ps_access_address(const PsAdvicePlan *plan, guint program, const PsProgramNode *node);

/* Nodes that one item is about, with their share of the critical path; the largest is where it is
 * placed. */
typedef struct {
    guint program, node; /* node G_MAXUINT: there is none so far */
    double largest, share;
    GHashTable *lines; /* of the source that they are on, "file:line"; owned */
} PsAccessPlaces;

PsAccessPlaces ps_access_places(void);
void ps_access_places_clear(PsAccessPlaces *places);
void ps_access_add_place(PsAccessPlaces *places, const PsAnswer *answer, guint program, guint node);

/* The data of such advice. Of wide accesses bytes that a thread moves at once; of aligned ones
 * sectors of a request; of those in registers times that a thread's bytes there are loaded or
 * stored; of tiles bytes that a group moves; of one address threads that meet. */
typedef struct {
    gint64 now, then; /* 0: it has no such figure */
    guint offset;     /* of aligned ones: PsIdgItem */
    double share;     /* of read-only loads: of what they ask L2 for, what L1 would have */
    char *spot;       /* in global memory, where accesses meet (PsIdgItem); clean, or NULL */
    guint more_lines; /* other source lines with such accesses */
} PsMoved;

void ps_moved_clear(void *moved);
void ps_moved_tell(const PsAdvice *advice, PsTold *facts);

/* What is to be done (taken), and what it would give (g_free). */
char *ps_moved_sentence(const PsAnswer *answer, const PsAdvice *advice, char *what);

#define PS_MOVED_CHANGE(is, says)                                                                  \
    {                                                                                              \
        .name = (is), .sentence = (says), .tell_figures = ps_moved_tell, .clear = ps_moved_clear   \
    }

/* Adds an item with the graph (taken) as it would be; its data are PsMoved. */
PsAdvice *ps_access_advise(PsAdvicePlan *plan, PsCause cause, const PsAdviceChange *change,
                           PsIdg *idg, const PsAccessPlaces *places);

G_DEFINE_AUTO_CLEANUP_CLEAR_FUNC(PsAccessPlaces, ps_access_places_clear)

#endif

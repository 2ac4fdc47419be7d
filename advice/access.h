/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * The common part of advice on single accesses to memory: their share of the critical path, and
 * graphs in which they move other bytes. Internal to this folder.
 */
#ifndef PIPESIM_ADVICE_ACCESS_H
#define PIPESIM_ADVICE_ACCESS_H

#include "advice/kind.h"
#include "base/class-name.h"

/* The node's share of the critical path. */
double ps_access_path_share(const PsAnswer *answer, guint program, guint node);

/* The traffic of an access: the bytes that a thread asks for, and those that reach each level; -1
 * if not stated. wavefronts, and rows of device memory that are opened for it alone: of a warp's
 * request; 0: not stated. */
typedef struct {
    double bytes;
    double reach[PS_N_LEVELS];
    double wavefronts, rows;
} PsAccessTraffic;

PsAccessTraffic ps_access_traffic(const PsProgramNode *node);
/* The innermost loop that a node is in; G_MAXUINT: none. */
guint ps_access_loop(const PsProgramNode *node);

/* Sets the traffic of a node of a graph. */
void ps_access_set_traffic(PsIdgItem *item, const PsAccessTraffic *traffic);

/* Makes the node an instruction of that class, which is no access to global memory. */
void ps_access_leave_global(PsIdgItem *item, const char *class_name);

/* The class of accesses with that pattern: "global.load.s8.v2" for the plain class "global.load"
 * (g_free). */
char *ps_access_class(const char *class_name, const PsClassAccess *access);

/* The origin of an access's address, as far as its own body computes it. */
typedef enum {
    PS_ADDRESS_COUNTED,  /* sums and products of counters: as good as known in each iteration */
    PS_ADDRESS_COMPUTED, /* other arithmetic */
    PS_ADDRESS_LOADED    /* values from global memory, which are known only when it runs */
} PsAddress;

PsAddress ps_access_address(const PsAdvicePlan *plan, guint program, const PsProgramNode *node);

/* Nodes that an item is about, with their share of the critical path; the item is placed at the
 * largest. */
typedef struct {
    guint program, node; /* node G_MAXUINT: there is none yet */
    double largest, share;
    GHashTable *lines; /* of the source that they are on, "file:line"; owned */
} PsAccessPlaces;

PsAccessPlaces ps_access_places(void);
void ps_access_places_clear(PsAccessPlaces *places);
void ps_access_add_place(PsAccessPlaces *places, const PsAnswer *answer, guint program, guint node);

/* The data of such advice. The figures are, for wide accesses, bytes that a thread moves at once;
 * for aligned ones, sectors of a request; for values kept in registers, how often a thread's bytes
 * are loaded or stored; for tiles, bytes that a group moves; for one address, threads that meet. */
typedef struct {
    gint64 now, then; /* 0: it has no such figure */
    guint offset;     /* of aligned ones: PsIdgItem */
    double share; /* for read-only loads: the share of their requests to L2 that L1 would have */
    char *spot;   /* the place in global memory where accesses meet (PsIdgItem); clean, or NULL */
    guint more_lines; /* other source lines with such accesses */
} PsMoved;

void ps_moved_clear(void *moved);
void ps_moved_tell(const PsAdvice *advice, PsTold *facts);

/* The sentence: the change (taken), and its gain (g_free). */
char *ps_moved_sentence(const PsAnswer *answer, const PsAdvice *advice, char *what);

#define PS_MOVED_CHANGE(is, says)                                                                  \
    {                                                                                              \
        .name = (is), .sentence = (says), .tell_figures = ps_moved_tell, .clear = ps_moved_clear   \
    }

/* Adds an item with the changed graph (taken); its data are PsMoved. */
PsAdvice *ps_access_advise(PsAdvicePlan *plan, PsCause cause, const PsAdviceChange *change,
                           PsIdg *idg, const PsAccessPlaces *places);

G_DEFINE_AUTO_CLEANUP_CLEAR_FUNC(PsAccessPlaces, ps_access_places_clear)

#endif

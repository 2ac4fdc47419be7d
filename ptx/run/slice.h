/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Computes values that follow from a thread's place alone, for threads whose groups are not
 * executed. A slice has the instructions behind the guard of a point, or behind its address, if
 * each value comes from one instruction, on any way of the threads. These are computed for 32
 * threads at once: of one warp, or of many groups, if nothing depends on the thread, or only values
 * that grow with it. Memory is read as it is now. Nothing is written, and nothing fails.
 */
#ifndef PIPESIM_PTX_RUN_SLICE_H
#define PIPESIM_PTX_RUN_SLICE_H

#include "ptx/run/run.h"

G_BEGIN_DECLS

/* The most numbers that a slice computes. */
#define PS_PTX_SLICE_OUTPUTS 64

typedef struct PsPtxSlice PsPtxSlice;

/* For the code of a machine, which must live as long and run no group while something is computed.
 * NULL: the code is too large. */
PsPtxSlice *ps_ptx_slice_new(PsPtxMachine *machine);
void ps_ptx_slice_free(PsPtxSlice *slice);

/* Adds the lanes in which the predicate of the point's guard is 1, before negation; or those whose
 * access at the point lies in a buffer. Returns the number of the output, from 0 on;
 * -1: it does not follow from the place alone, or there are too many. */
int ps_ptx_slice_guard(PsPtxSlice *slice, guint point);
int ps_ptx_slice_address(PsPtxSlice *slice, guint point);

/* Adds the values that the branch at the point depends on, if a loop computes its guard anew each
 * time: numbers that each thread has. Returns how many they are; -1: they do not follow from the
 * place alone. */
int ps_ptx_slice_loop(PsPtxSlice *slice, guint point, int numbers[PS_PTX_SLICE_OUTPUTS]);

/* Each lane's value of that number, as computed last; NULL: there is no such number. If corners
 * stand for groups, the lanes of a group lie beside each other. */
const guint64 *ps_ptx_slice_values(const PsPtxSlice *slice, guint number);

/* TRUE if that number's lanes may differ within a group. */
gboolean ps_ptx_slice_by_thread(const PsPtxSlice *slice, guint number);

/* How many instructions these numbers take for 32 threads, bit by bit. */
guint ps_ptx_slice_length(const PsPtxSlice *slice, guint64 numbers);

/* Computes these numbers, bit by bit, for n groups, at most 32, from that place in the launch on (x
 * counts first): none of them may differ within a group. lanes: by number. FALSE: memory cannot be
 * read. */
gboolean ps_ptx_slice_groups(PsPtxSlice *slice, guint64 numbers, guint64 first, guint n,
                             guint32 lanes[PS_PTX_SLICE_OUTPUTS]);

/* Computes these numbers for a warp of the group at that place. exist: the lanes that there are. */
gboolean ps_ptx_slice_threads(PsPtxSlice *slice, guint64 numbers, guint64 place, guint warp,
                              guint32 lanes[PS_PTX_SLICE_OUTPUTS], guint32 *exist);

/* Corners of a group. If a compared value grows, or falls, with the thread, and is on the same side
 * at all corners, it is so for all threads. */
guint ps_ptx_slice_corners(const PsPtxSlice *slice);

/* TRUE if these numbers may be told from corners. */
gboolean ps_ptx_slice_is_ordered(const PsPtxSlice *slice, guint64 numbers);

/* TRUE if each of these numbers is the same for all threads of a group, or grows, or falls, with
 * the thread, so that a corner's says about what all have. */
gboolean ps_ptx_slice_grows(const PsPtxSlice *slice, guint64 numbers);

/* Does as ps_ptx_slice_groups, but computes at the corners of n groups, which have 32 corners at
 * most in all. sure: the groups whose threads all do the same; the results of the others mean
 * nothing. */
gboolean ps_ptx_slice_at_corners(PsPtxSlice *slice, guint64 numbers, guint64 first, guint n,
                                 guint32 lanes[PS_PTX_SLICE_OUTPUTS], guint32 *sure);

G_DEFINE_AUTOPTR_CLEANUP_FUNC(PsPtxSlice, ps_ptx_slice_free)

G_END_DECLS
#endif

/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Copies to shared memory that a warp has not waited for (cp.async). Here they are done at once; on
 * a device they are under way until a wait for their group. A thread that reads the bytes before
 * that may get the old ones: a race, which a warning tells.
 *
 * The bytes are marked beside those that somebody wrote (PsPtxMachine.written), until the warp that
 * copies waits for the group, or lets an mbarrier count its copies. Only some loads of each point
 * are looked at, as in watch.h.
 */
#ifndef PIPESIM_PTX_RUN_PENDING_H
#define PIPESIM_PTX_RUN_PENDING_H

#include "ptx/run/warp.h"

G_BEGIN_DECLS

/* The mark in PsPtxMachine.written of a byte that is under way. */
#define PS_PTX_UNDER_WAY 3

/* The step copies so many bytes to that place of shared memory. */
void ps_ptx_pending_add(PsPtxRunner *runner, guint64 place, guint bytes);
/* All copies since the last call become a group. */
void ps_ptx_pending_commit(PsPtxRunner *runner);
/* Waits for all groups but the last `but`. */
void ps_ptx_pending_wait(PsPtxRunner *runner, guint64 but);
/* Takes the marks off all bytes. */
void ps_ptx_pending_end(PsPtxRunner *runner);
/* Checks a lane's load of bytes, whose state is in `written`. A race is told once for each
 * point. */
void ps_ptx_pending_look(PsPtxRunner *runner, const PsPtxStep *step, guint lane,
                         const guint8 *written, gsize bytes);

G_END_DECLS
#endif

/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Groups that wait for memory that other groups write: finds out whether the writers had to wait
 * themselves. In a scan that looks back they did not, so a wait is at most as long as one group's
 * work. Where they did, groups come one after the other.
 */
#ifndef PIPESIM_CARD_WAITS_H
#define PIPESIM_CARD_WAITS_H

#include "card/launch.h"

G_BEGIN_DECLS

/* Executes the first groups of a launch in their order, on memory as it was. points: where the
 * code's loops read what other groups write (guint). machine: what the code is the translation of,
 * or NULL. FALSE and *error (PS_ERROR_VALUE): groups come one after the other; or the executor's
 * error. */
gboolean ps_card_waits_check(const PsCardRun *run, const PsPtxModule *code,
                             const PsSassCode *machine, const GArray *points, GError **error);

G_END_DECLS
#endif

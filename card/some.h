/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Launches of which only some groups are executed, and the memory after them. A piece that such a
 * launch wrote is untrue: other groups would have written there, too, or other values. The results
 * of a launch that read untrue memory are untrue, too.
 */
#ifndef PIPESIM_CARD_SOME_H
#define PIPESIM_CARD_SOME_H

#include "card/launch.h"

G_BEGIN_DECLS

/* TRUE if some groups of the run are to be executed alone: the card was told so (ps_card_some), the
 * launch has more groups than are looked at anyway, and these do not all wait for each other. */
gboolean ps_card_some_wanted(const PsCardRun *run);

/* Executes four groups in place of all. It executes all where one of the four waits for others, or
 * makes a mistake that no untrue memory explains. Makes the run's snapshot; its work is an
 * estimate. FALSE and *error as ps_card_run. */
gboolean ps_card_some_run(PsCardRun *run, GError **error);

/* Marks what a launch of all groups wrote as untrue, if the launch read untrue memory. It is called
 * before the launch's snapshot is freed. */
void ps_card_some_end(const PsCardRun *run);

G_END_DECLS
#endif

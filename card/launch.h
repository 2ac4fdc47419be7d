/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * The state that the parts of a launch share: launch.c has it executed (run.c), and its time found
 * (time.c).
 */
#ifndef PIPESIM_CARD_LAUNCH_H
#define PIPESIM_CARD_LAUNCH_H

#include "card/module-private.h"
#include "card/snapshot.h"

G_BEGIN_DECLS

typedef struct PsCardRecord PsCardRecord;     /* repeat.h */
typedef struct PsCardRecorded PsCardRecorded; /* recorder.h */

typedef struct {
    PsCard *card;
    const PsCardLaunch *launch;
    PsPtxArgument *arguments;
    PsCardSnapshot *snapshot;
    PsCardWork work;
    guint64 workspace;        /* of a cooperative launch; 0: it is none */
    PsCardRecord *record;     /* of what it touches, while it is executed; or NULL */
    PsCardRecorded *recorded; /* or NULL */
    guint number;             /* the recorder's; 0: it has none */
    gboolean read_untrue;     /* it touched memory that is not right (some.h) */
    gboolean late;            /* it is executed when something asks for what it leaves */
} PsCardRun;

/* ---- launch.c ------------------------------------------------------------------------------- */

/* FALSE and *error: no device takes a launch of that size, or this one does not. */
gboolean ps_card_launch_check(const PsCard *card, const PsCardLaunch *launch, GError **error);

/* ---- run.c ---------------------------------------------------------------------------------- */

/* Finds the run's arguments (g_free). FALSE and *error (PS_ERROR_USAGE): the launch has too few. */
gboolean ps_card_run_arguments(PsCardRun *run, GError **error);

/* Makes the workspace of a cooperative launch, which is a piece of the device's memory. FALSE and
 * *error: there is no room. */
gboolean ps_card_run_workspace(PsCardRun *run, GError **error);

/* Makes the card's heap, where it has none and the launch's code may want one. FALSE and *error:
 * there is no room. */
gboolean ps_card_run_heap(const PsCardRun *run, GError **error);

/* Executes all groups. FALSE and *error as ps_ptx_run_group. */
gboolean ps_card_run(PsCardRun *run, GError **error);

/* The device's memory for that code (PsPtxPlaced): as it is, or as it was before the launch.
 * machine: what the code is the translation of, or NULL; also when it is freed. */
GArray *ps_card_place(const PsCardRun *run, const PsPtxModule *code, const PsSassCode *machine,
                      gboolean live);
void ps_card_place_free(GArray *placed, const PsSassCode *machine);

/* For the executor; everything in it is borrowed. */
PsPtxLaunch ps_card_launch_of(const PsCardRun *run, const PsPtxModule *code, const GArray *placed);

/* ---- call.c --------------------------------------------------------------------------------- */

/* The inputs of the launch, apart from memory that a kernel can write: its sizes, arguments and
 * constants. NULL: it has further inputs, such as textures. */
GBytes *ps_card_call(const PsCardRun *run);

/* ---- time.c --------------------------------------------------------------------------------- */

/* FALSE: so many of its launches were simulated that no further one will be. */
gboolean ps_card_time_may_ask(const PsCardFunction *function);

/* Finds the time of a launch that was executed, from its snapshot. */
void ps_card_time(PsCardRun *run, PsCardLaunched *told);

/* The graph of a launch from its snapshot (ps_build_free); *name becomes that of the code
 * (interned). NULL and *error. */
PsBuild *ps_card_lift(PsCardRun *run, const char **name, GError **error);

G_END_DECLS
#endif

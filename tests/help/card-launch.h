/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * A V100 in this process with a module of several kernels, and memory that f writes. In f each
 * thread adds 1 to a word of its own; what the other kernels do stands beside their code.
 */
#ifndef PIPESIM_TESTS_HELP_CARD_LAUNCH_H
#define PIPESIM_TESTS_HELP_CARD_LAUNCH_H

#include "card/card.h"

typedef struct {
    PsGpu *gpu;
    PsCardLog *log;
    PsCard *card;
    PsCardModule *module;
    PsCardFunction *function;
    const PsCardPiece *out;
    int pipe[2];
} CardFixture;

enum { CARD_GROUPS = 4, CARD_THREADS = 32 };

void card_set_up(CardFixture *fixture, gconstpointer data);
/* Closes the end of the pipe that is read. The other end is closed by card_read_log, or by a test
 * that reads no log. */
void card_tear_down(CardFixture *fixture, gconstpointer data);

/* Launches f with so many groups and rounds. *seconds may be NULL. FALSE and *error as
 * ps_card_launch. */
gboolean card_launch(const CardFixture *fixture, guint groups, guint32 rounds, double *seconds,
                     GError **error);

/* Ends the log, and reads what it has told. ps_card_read_free. */
PsCardRead *card_read_log(const CardFixture *fixture);

#endif

/* SPDX-License-Identifier: BSD-3-Clause */
/* A program's launches by their kernels, and all of them. */
#ifndef PIPESIM_CARD_SUMMARY_H
#define PIPESIM_CARD_SUMMARY_H

#include "card/log.h"

G_BEGIN_DECLS
#pragma GCC visibility push(default)

/* Launches of one kernel, or of all. Seconds are of those whose time is known; NaN: of none. */
typedef struct {
    const char *kernel; /* as the code names it; NULL: all */
    gint64 launches;
    gint64 how[PS_CARD_UNKNOWN + 1]; /* by PsCardHow */
    double total, least, most;
    double mean;
    double share;         /* of the time of all launches; NaN: that is not known, or 0 */
    const char *code;     /* what was simulated of the first launch with a time; NULL: none */
    const char *stand_in; /* the library for whose kernels they stand in; NULL: none */
    double bound;         /* the mean of their bounds; NaN: one is not known, or they stand in for
                             none */
    const char *limit;    /* what limits those that take most of the time; NULL: not known */
    const char *limit_words; /* what people call that */
} PsCardRow;

/* PsCardRow by their total times, the longest first; the texts are the log's. *all: their sum. */
GArray *ps_card_summary(const PsCardRead *read, PsCardRow *all);

/* Copies of one way. */
typedef struct {
    guint64 count, bytes;
    double seconds; /* of those whose time is known; NaN: of none */
} PsCardCopies;

void ps_card_copies(const PsCardRead *read, PsCardCopies copies[PS_CARD_SET + 1]);

/* When the last stream is done, in seconds from the program's begin; what has no known time takes
 * none. */
double ps_card_end(const PsCardRead *read);

#pragma GCC visibility pop
G_END_DECLS
#endif

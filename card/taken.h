/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * A recording of launches on a device: the content that the library in the program copied before
 * each launch (latency-bench/profile), joined with the times of another run, in which nothing was
 * copied. The nth launch of a kernel in a process of one run is the nth in the other.
 */
#ifndef PIPESIM_CARD_TAKEN_H
#define PIPESIM_CARD_TAKEN_H

#include "card/recording.h"

G_BEGIN_DECLS
#pragma GCC visibility push(default)

typedef struct PsCardTaken PsCardTaken;

/* Reads what one process has written, up to the first place that it does not understand, since the
 * process may have been killed. NULL: it is no such file. */
PsCardTaken *ps_card_taken_read(GBytes *bytes);
void ps_card_taken_free(PsCardTaken *taken);

/* When it began, on the axis of all processes; whether it ended by itself. */
gint64 ps_card_taken_start(const PsCardTaken *taken);
gboolean ps_card_taken_done(const PsCardTaken *taken);

/* Why nothing could be taken, or NULL; and variables whose place is not known (char *). */
const char *ps_card_taken_failure(const PsCardTaken *taken);
const GPtrArray *ps_card_taken_variables(const PsCardTaken *taken);

/* The compute units of a device; 0: not known. */
guint ps_card_taken_units(const PsCardTaken *taken, guint device);

/* A launch as it was measured; texts are borrowed. */
typedef struct {
    const char *kernel; /* as the code names it */
    guint process;      /* from 0, in the order in which they began */
    guint grid[3], block[3], stream;
    guint64 shared;  /* bytes that the launch adds */
    guint device;    /* of the array of devices, from 1; 0: not known */
    gboolean graph;  /* a CUDA graph launched it */
    gboolean wanted; /* its contents are wanted */
    double seconds;  /* NaN: not known */
} PsCardMeasured;

/* How many launches are in the recording, with their contents; how many of those that were wanted
 * are not, and why the first of them is not (NULL: none; g_free). */
typedef struct {
    guint whole, missing;
    char *why;
    gboolean too_large; /* for some of these, more memory would have to be allowed */
} PsCardTakenCount;

/* The inputs of a recording; borrowed. */
typedef struct {
    const GPtrArray *taken; /* PsCardTaken, in the order in which the processes began */
    const GArray *measured; /* PsCardMeasured, in the order of the program */
    const GArray *devices;  /* PsCardDevice */
} PsCardTakenAll;

/* Writes a recording: all launches that were measured, with their contents where these were taken.
 * FALSE and *error of `put`. */
gboolean ps_card_taken_write(const PsCardTakenAll *all, PsCardPut put, gpointer data,
                             PsCardTakenCount *count, GError **error);

G_DEFINE_AUTOPTR_CLEANUP_FUNC(PsCardTaken, ps_card_taken_free)

#pragma GCC visibility pop
G_END_DECLS
#endif

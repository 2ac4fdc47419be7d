/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * A recording of a program: its launches, with code, arguments and the memory that they access, in
 * one file (chunk.h). Any launch can be asked about again, for any GPU that the code suits.
 */
#ifndef PIPESIM_CARD_RECORDING_H
#define PIPESIM_CARD_RECORDING_H

#include "base/message.h"

G_BEGIN_DECLS
#pragma GCC visibility push(default)

typedef struct PsCardRecording PsCardRecording;

/* TRUE if the file begins as a recording of any version does. */
gboolean ps_card_recording_is(const char *path);

/* NULL and *error: PS_ERROR_READ where the file cannot be read, PS_ERROR_SYNTAX where it is no
 * recording, was cut or changed, PS_ERROR_VALUE for another version's. What memory held is looked
 * at when it is wanted. */
PsCardRecording *ps_card_recording_open(const char *path, GError **error);

/* The same of bytes; the name is for messages. */
PsCardRecording *ps_card_recording_new(GBytes *bytes, const char *name, GError **error);
void ps_card_recording_free(PsCardRecording *recording);

const char *ps_card_recording_name(const PsCardRecording *recording);

/* How many launches the program made, of which some may be left out, and what is launched. */
guint ps_card_recording_count(const PsCardRecording *recording);

/* The device on which launches were measured. */
typedef struct {
    const char *name;
    guint capability, compute_units; /* 0: not known */
} PsCardDevice;

typedef struct {
    const char *kernel; /* as the code names it; texts are the recording's */
    guint grid[3], block[3], stream;
    guint64 shared;
    guint first;      /* the number of the first launch that is this one, perhaps it itself */
    gboolean good;    /* it ended well */
    const char *left; /* why the recording lacks it, of which nothing but this is known; or NULL */
    double measured;  /* seconds; NaN: it was not measured */
    const PsCardDevice *device; /* that it was measured on; NULL: not known */
} PsCardRecordedLaunch;

/* Launch n, from 1 in the order of the program. FALSE and *error (PS_ERROR_SYNTAX): the file was
 * changed there. */
gboolean ps_card_recording_launch(const PsCardRecording *recording, guint n,
                                  PsCardRecordedLaunch *launch, GError **error);

/* Writes bytes somewhere. FALSE and *error. */
typedef gboolean (*PsCardPut)(gpointer data, gconstpointer bytes, gsize size, GError **error);

/* Writes a recording of what ps_card_record_to wrote; *cut: the end of that is no whole chunk, as
 * where the program was killed, and is left out. FALSE and *error of `put`. */
gboolean ps_card_recording_finish(GBytes *chunks, PsCardPut put, gpointer data, gboolean *cut,
                                  GError **error);

G_DEFINE_AUTOPTR_CLEANUP_FUNC(PsCardRecording, ps_card_recording_free)

#pragma GCC visibility pop
G_END_DECLS
#endif

/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Chooses the launches of a program to record, and makes the recording of their inputs and times:
 * see card/taken.h for how it is made.
 */
#ifndef PIPESIM_PROFILE_RECORDED_H
#define PIPESIM_PROFILE_RECORDED_H

#include "profile/traced.h"

G_BEGIN_DECLS
#pragma GCC visibility push(default)

/* FALSE and *error (PS_ERROR_USAGE): it is no list of launches, such as "12,20..30"; NULL is none.
 */
gboolean ps_traced_launches_check(const char *launches, GError **error);

/* Chooses the launches to record: a byte for each launch of the trace (g_free). launches is a list
 * as above; NULL: the first ones of each kernel, grid and block. Messages call the list `option`.
 * The choice is written to the file at path, which the injected library reads. NULL and *error: no
 * launch can be recorded. */
guint8 *ps_traced_choose(const PsTraced *times, const char *launches, const char *option,
                         const char *path, GError **error);

/* The content of a recording. */
typedef struct {
    gboolean (*put)(gpointer data, gconstpointer bytes, gsize size, GError **error);
    gpointer data;
    const char *cure; /* ends the message about too many bytes of memory: " (--memory BYTES)" */
} PsTracedOutput;

/* Launches, and a byte for each: whether it is to be recorded (ps_traced_choose). */
typedef struct {
    const PsTraced *times;
    const guint8 *wanted;
} PsTracedWanted;

/* Puts the recording of what the library left in the folder. *whole: how many launches have their
 * code and memory; what is missing is added to doubts (char *). FALSE and *error. */
gboolean ps_traced_record(const PsTracedWanted *launches, const char *folder,
                          const PsTracedOutput *output, guint *whole, GPtrArray *doubts,
                          GError **error);

#pragma GCC visibility pop
G_END_DECLS
#endif

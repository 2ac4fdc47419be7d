/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * A timeline of the warps of the first CU as text: a row for each of them and a letter for some
 * cycles.
 */
#ifndef PIPESIM_TELL_TIMELINE_TEXT_H
#define PIPESIM_TELL_TIMELINE_TEXT_H

#include "answer/window.h"

G_BEGIN_DECLS
#pragma GCC visibility push(default)

/* The content of the drawing, and its terminal. */
typedef struct {
    PsWindow window;
    const guint *warps; /* of the CU, each once, in the order of the rows (ps_timeline_warps) */
    guint n_warps;
    const char *which; /* the run's name among several; NULL: there is one */
    guint width;       /* columns of the terminal */
    gboolean colour;
    gboolean shades; /* UTF-8 instead of ASCII */
    gboolean no_fast_forward;
} PsTimelineLook;

/* TRUE if the text is a list of warps: "0-7,12" or "all"; NULL is one, too. */
gboolean ps_timeline_is_list(const char *list);

/* The warps of the answer's CU that a list names, each once (g_array_unref); NULL: the first ones.
 * NULL and *error if one of them is not there, or they are too many for a text. */
GArray *ps_timeline_warps(const PsAnswer *answer, const char *list, GError **error);

/* Appends the timeline of the answer's run, which is simulated again. FALSE and *error where the
 * window is not in it. */
gboolean ps_timeline_text(const PsAnswer *answer, const PsTimelineLook *look, GString *out,
                          GError **error);

#pragma GCC visibility pop
G_END_DECLS
#endif

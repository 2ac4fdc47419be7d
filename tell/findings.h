/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Findings: faults of kernels, with their places. They are facts (tell/facts.table, `finding`) that
 * people read as text, and other programs in their own formats. Advice is one kind of them.
 */
#ifndef PIPESIM_TELL_FINDINGS_H
#define PIPESIM_TELL_FINDINGS_H

#include "tell/facts.h"

G_BEGIN_DECLS
#pragma GCC visibility push(default)

/* Texts are the facts', but for the file. */
typedef struct {
    const char *kernel, *figure, *sentence;
    const char *on;    /* the architecture of its code, or the GPU */
    const char *cause; /* NULL: none */
    char *file;        /* NULL: it is not known, and nor is the line */
    gint64 line;
    gboolean fails; /* else it is a note */
} PsFinding;

/* The findings of a document, in their order (PsFinding; g_array_unref). They live no longer than
 * the facts. */
GArray *ps_findings(const PsTold *facts);

/* The sentence, with the cause behind it (g_free). */
char *ps_finding_words(const PsFinding *finding);

#pragma GCC visibility pop
G_END_DECLS
#endif

/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Warnings that many kernels or files share. Each is said once, with the first ones that it is
 * about and how many more there are, so that a file of a thousand kernels does not bury its table.
 */
#ifndef PIPESIM_TELL_NOTES_H
#define PIPESIM_TELL_NOTES_H

#include <glib.h>

G_BEGIN_DECLS
#pragma GCC visibility push(default)

typedef struct PsNotes PsNotes;

PsNotes *ps_notes_new(void);
void ps_notes_free(PsNotes *notes);

/* Adds a kernel that the text is about; kernel is NULL if it is about none. Both are copied, but
 * only the first few names, so that memory grows with the texts alone. */
void ps_notes_add(PsNotes *notes, const char *text, const char *kernel);

/* One more file that says the same of a kernel (or of all, if kernel is NULL). The same is what
 * differs in nothing but the line that it speaks of; the first one is told. */
void ps_notes_add_of_file(PsNotes *notes, const char *file, const char *kernel, const char *text);

/* A warning of an importer, which begins with the file, and where it is about one, the kernel. */
void ps_notes_add_warning(PsNotes *notes, const char *path, const char *text);

/* The sentences (char *), in the order in which they first appeared. Free with g_ptr_array_unref.
 */
GPtrArray *ps_notes_texts(const PsNotes *notes);

G_DEFINE_AUTOPTR_CLEANUP_FUNC(PsNotes, ps_notes_free)

#pragma GCC visibility pop
G_END_DECLS
#endif

/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Warnings that many kernels or files share. Each is said once, with the first ones that it is
 * about and how many more there are, so that a file of a thousand kernels does not bury its table.
 */
#ifndef PIPESIM_CLI_ROOFLINE_NOTES_H
#define PIPESIM_CLI_ROOFLINE_NOTES_H

#include <glib.h>

typedef struct Notes Notes;

Notes *notes_new(void);
void notes_free(Notes *notes);

/* One more kernel that the text is about; kernel is NULL where it is about none. Both are copied,
 * but of the names only the first few, so that memory grows with the texts alone. */
void notes_add(Notes *notes, const char *text, const char *kernel);

/* One more file that says the same of a kernel (or of all, if kernel is NULL). The same is what
 * differs in nothing but the line that it speaks of; the first one is told. */
void notes_add_of_file(Notes *notes, const char *file, const char *kernel, const char *text);

/* The sentences (char *), in the order in which they first appeared. Free with g_ptr_array_unref.
 */
GPtrArray *notes_texts(const Notes *notes);

G_DEFINE_AUTOPTR_CLEANUP_FUNC(Notes, notes_free)

#endif

/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * The text of a source file that a graph names. A graph may come from anywhere, and a page that is
 * made of it and shared must not show files that nobody meant to show. So files are looked for
 * beside the graph and in the current folder alone, under a name that leads neither up nor into
 * hidden folders; symbolic links lead nowhere else either. Of an absolute name only the last part
 * counts. If code says that its source is elsewhere, only a regular file with a source's suffix is
 * read.
 */
#ifndef PIPESIM_ANSWER_SOURCE_FILE_H
#define PIPESIM_ANSWER_SOURCE_FILE_H

#include "idg/idg.h"

G_BEGIN_DECLS
#pragma GCC visibility push(default)

/* A longer text has the rest in its last line. */
#define PS_SOURCE_MAX_LINES 200000

typedef struct {
    char *name;         /* as the graph has it */
    const char *digest; /* that the graph says it must have; borrowed, or NULL */
    char *path;         /* of the file that was read; NULL: none was */
    gboolean stated;    /* TRUE if it is where the code says, and not beside the code */
    char **lines;       /* of that file, without their ends, else NULL */
    gboolean changed;   /* TRUE if the file is not the one that the graph was made of: see why */
    char *why;          /* why none was read, a clause that names it, else NULL */
} PsSourceFile;

/* The file of that name (PsIdg.file, PsIdgItem.file). */
PsSourceFile *ps_source_file_new(const PsIdg *idg, const char *name);
void ps_source_file_free(PsSourceFile *source);

G_DEFINE_AUTOPTR_CLEANUP_FUNC(PsSourceFile, ps_source_file_free)

#pragma GCC visibility pop
G_END_DECLS
#endif

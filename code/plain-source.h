/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * A source under a name that is safe for other people's compilers: nvcc hands names to a shell, and
 * a name that begins with "-" or "@" is an option or a list of options.
 *
 * A plain name (folder.h) is given as it is. nvcc puts the path into names of static things and of
 * headers, and no path that changes from run to run shall get into graphs. Any other source, and
 * any that is to have another text, is copied to a private folder, where a line says which file it
 * is: messages, __FILE__ and PTX name that. Its headers are found by a link there to the folder
 * that it is in.
 */
#ifndef PIPESIM_CODE_PLAIN_SOURCE_H
#define PIPESIM_CODE_PLAIN_SOURCE_H

#include <glib.h>

typedef struct {
    char *path;   /* for the compiler */
    char *beside; /* the first folder for #include "...", beside path's; NULL: none */
    char *folder; /* the copy's; NULL: there is none */
} PsPlainSource;

/* The text replaces the file's content in a copy; NULL: the file's own content. FALSE and *error
 * where the source has to be copied, and cannot be. */
gboolean ps_plain_source_init(PsPlainSource *plain, const char *path, const char *text,
                              GError **error);
void ps_plain_source_clear(PsPlainSource *plain);

G_DEFINE_AUTO_CLEANUP_CLEAR_FUNC(PsPlainSource, ps_plain_source_clear)

#endif

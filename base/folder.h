/* SPDX-License-Identifier: BSD-3-Clause */
/* Folders for files that pass. */
#ifndef PIPESIM_BASE_FOLDER_H
#define PIPESIM_BASE_FOLDER_H

#include <glib.h>

G_BEGIN_DECLS
#pragma GCC visibility push(default)

/* TRUE for a path of letters, digits and "_./+-" that begins with none of "+-": no shell and no
 * compiler reads it as anything else. */
gboolean ps_folder_is_plain(const char *path);

/* The folder for passing files, TMPDIR's where that has a plain path (g_free). */
char *ps_folder_tmp(void);

/* A new folder in it that nobody else can read or write. NULL and *error. Ends with
 * ps_folder_remove. */
char *ps_folder_private(GError **error);

/* Removes it with all that is in it, and frees its path; NULL is fine. */
void ps_folder_remove(char *folder);

#pragma GCC visibility pop
G_END_DECLS
#endif

/* SPDX-License-Identifier: BSD-3-Clause */
/* Temporary folders. */
#ifndef PIPESIM_BASE_FOLDER_H
#define PIPESIM_BASE_FOLDER_H

#include <glib.h>

G_BEGIN_DECLS
#pragma GCC visibility push(default)

/* TRUE for a path of letters, digits and "_./+-" that begins with none of "+-": no shell and no
 * compiler reads it as anything else. */
gboolean ps_folder_is_plain(const char *path);

/* The folder for temporary files: TMPDIR's if its path is plain (g_free). */
char *ps_folder_tmp(void);

/* A new temporary folder that nobody else can read or write; ps_folder_remove frees it. NULL and
 * *error where none can be made. */
char *ps_folder_private(GError **error);

/* Removes the folder with all that is in it, and frees its path. NULL is fine. */
void ps_folder_remove(char *folder);

#pragma GCC visibility pop
G_END_DECLS
#endif

/* SPDX-License-Identifier: BSD-3-Clause */
/* Folders for files that pass. */
#ifndef PIPESIM_CLI_SYSTEM_FOLDER_H
#define PIPESIM_CLI_SYSTEM_FOLDER_H

#include <glib.h>

/* TRUE for a path of letters, digits and "_./+-" that begins with none of "+-": no shell and no
 * compiler reads it as anything else. */
gboolean folder_is_plain(const char *path);

/* The folder for passing files, TMPDIR's where that has a plain path (g_free). */
char *folder_tmp(void);

/* A new folder in it that nobody else can read or write. NULL and *error. Ends with
 * folder_remove. */
char *folder_private(GError **error);

/* Removes it with all that is in it, and frees its path; NULL is fine. */
void folder_remove(char *folder);

#endif

/* SPDX-License-Identifier: BSD-3-Clause */
/* See folder.h. */
#include "base/folder.h"

#include "base/message.h"

#include <errno.h>
#include <glib/gstdio.h>
#include <string.h>

/* The depth of folders that are looked into. */
#define DEEPEST 8

gboolean ps_folder_is_plain(const char *path)
{
    return path[strspn(path, G_CSET_A_2_Z G_CSET_a_2_z G_CSET_DIGITS "_./+-")] == '\0' &&
           !strchr("+-", *path);
}

char *ps_folder_tmp(void)
{
    return g_strdup(ps_folder_is_plain(g_get_tmp_dir()) ? g_get_tmp_dir() : "/tmp");
}

char *ps_folder_private(GError **error)
{
    g_autofree char *tmp = ps_folder_tmp();
    g_autofree char *folder = g_build_filename(tmp, "pipesim-XXXXXX", NULL);
    if (g_mkdtemp(folder))
        return g_steal_pointer(&folder);
    g_set_error(error, PS_ERROR, PS_ERROR_READ, "%s: cannot be written: %s", folder,
                g_strerror(errno));
    return NULL;
}

/* Links are not followed. */
static void empty(const char *folder, guint depth)
{
    g_autoptr(GDir) dir = g_dir_open(folder, 0, NULL);
    const char *name;
    while (dir && (name = g_dir_read_name(dir)) != NULL) {
        g_autofree char *path = g_build_filename(folder, name, NULL);
        if (g_unlink(path) != 0 && depth > 0) {
            empty(path, depth - 1);
            g_rmdir(path);
        }
    }
}

void ps_folder_remove(char *folder)
{
    if (!folder)
        return;
    empty(folder, DEEPEST);
    g_rmdir(folder);
    g_free(folder);
}

/* SPDX-License-Identifier: BSD-3-Clause */
/* See below.h. */
#include "serve/below.h"

#include "base/message.h"

#include <errno.h>
#include <glib/gstdio.h>
#include <limits.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

static char *refuse(const char *what, const char *path, const char *why, GError **error)
{
    g_autofree char *clean = ps_text_clean(path);
    g_set_error(error, PS_ERROR, PS_ERROR_READ, "%s: %s: %s", what, clean, why);
    return NULL;
}

/* The rest of a path behind the folder; NULL: the path is not below it. */
static const char *behind(const char *path, const char *folder)
{
    const gsize length = folder ? strlen(folder) : 0;
    return length > 0 && strncmp(path, folder, length) == 0 && path[length] == '/'
               ? path + length + 1
               : NULL;
}

/* The path without the current folder at its begin; NULL for another absolute one. The folder has
 * two names where a link leads to it: a shell's, and its own. */
static const char *relative(const char *path)
{
    if (*path != '/')
        return path;
    g_autofree char *shown = g_get_current_dir();
    char own[PATH_MAX];
    const char *rest = behind(path, shown);
    return rest ? rest : behind(path, getcwd(own, sizeof own));
}

/* What is wrong with a part of the path; NULL: nothing. */
static const char *check_step(const char *path, gboolean last, PsBelowKind kind)
{
    GStatBuf status;
    if (g_lstat(path, &status) != 0)
        return errno == ENOENT || errno == ENOTDIR ? "there is no such file"
                                                   : "it cannot be looked at";
    if (S_ISLNK(status.st_mode))
        return "a symbolic link is on the way, which is not followed; give the file itself";
    if (!last || kind == PS_BELOW_FOLDER)
        return S_ISDIR(status.st_mode) ? NULL : "there is no such folder";
    return S_ISREG(status.st_mode)   ? NULL
           : S_ISDIR(status.st_mode) ? "it is a folder, and a file is asked for"
                                     : "it is neither a file nor a folder";
}

char *ps_below(const char *what, const char *path, PsBelowKind kind, GError **error)
{
    const char *rest = relative(path);
    if (!rest)
        return refuse(what, path, "it is not below the folder that the server was started in",
                      error);
    g_auto(GStrv) steps = g_strsplit(rest, "/", -1);
    g_autoptr(GString) way = g_string_new(".");
    for (char **step = steps; *step; step++) {
        if (strcmp(*step, "..") == 0)
            return refuse(what, path, "'..' is not followed; give a path below the server's folder",
                          error);
        if (!**step || strcmp(*step, ".") == 0)
            continue;
        g_string_append_printf(way, "/%s", *step);
        const char *wrong = check_step(way->str, !step[1], kind);
        if (wrong)
            return refuse(what, path, wrong, error);
    }
    if (way->len < 2)
        return kind == PS_BELOW_FOLDER
                   ? g_strdup(".")
                   : refuse(what, path, "a file below the server's folder is asked for", error);
    return g_strdup(way->str[2] == '-' ? way->str : way->str + 2);
}

gboolean ps_below_has(const char *name)
{
    GStatBuf status;
    return *name && !strchr(name, '/') && g_lstat(name, &status) == 0;
}

/* SPDX-License-Identifier: BSD-3-Clause */
/* See plain-source.h. */
#include "code/plain-source.h"

#include "base/folder.h"
#include "base/file.h"
#include "code/options.h"

#include <errno.h>
#include <string.h>
#include <unistd.h>

/* The line that names the next line's file, in C's spelling of strings. If the name is no UTF-8,
 * compilers would complain at each line that they quote. */
static char *line_of(const char *path)
{
    g_autofree char *valid = g_utf8_make_valid(path, -1);
    GString *line = g_string_new("#line 1 \"");
    for (const char *at = valid; *at; at++)
        if (g_ascii_isalnum(*at) || strchr("_./+-", *at))
            g_string_append_c(line, *at);
        else
            g_string_append_printf(line, "\\%03o", (guint)(guint8)*at);
    g_string_append(line, "\"\n");
    return g_string_free(line, FALSE);
}

static gboolean write_copy(const PsPlainSource *plain, const char *path, const char *other,
                           GError **error)
{
    gsize length = other ? strlen(other) : 0;
    g_autofree char *text = other ? g_strdup(other)
                                  : ps_file_read(path, PS_CODE_MOST_SOURCE, &length, error),
                    *line = line_of(path);
    if (!text)
        return FALSE;
    /* A byte order mark may only come first. */
    const gsize mark = g_str_has_prefix(text, "\xEF\xBB\xBF") ? 3 : 0;
    g_autoptr(GString) copy = g_string_new(line);
    g_string_append_len(copy, text + mark, (gssize)(length - mark));
    return g_file_set_contents_full(plain->path, copy->str, (gssize)copy->len,
                                    G_FILE_SET_CONTENTS_NONE, 0600, error);
}

static gboolean link_beside(const PsPlainSource *plain, const char *path, GError **error)
{
    g_autofree char *folder = g_path_get_dirname(path),
                    *whole = g_canonicalize_filename(folder, NULL);
    if (symlink(whole, plain->beside) == 0)
        return TRUE;
    g_set_error(error, PS_ERROR, PS_ERROR_READ, "%s: cannot be written: %s", plain->beside,
                g_strerror(errno));
    return FALSE;
}

gboolean ps_plain_source_init(PsPlainSource *plain, const char *path, const char *text,
                              GError **error)
{
    *plain = (PsPlainSource){0};
    if (!text && ps_folder_is_plain(path)) {
        plain->path = g_strdup(path);
        return TRUE;
    }
    plain->folder = ps_folder_private(error);
    if (!plain->folder)
        return FALSE;
    g_autofree char *name = g_strconcat("source", strrchr(path, '.'), NULL);
    plain->path = g_build_filename(plain->folder, name, NULL);
    plain->beside = g_build_filename(plain->folder, "beside", NULL);
    return write_copy(plain, path, text, error) && link_beside(plain, path, error);
}

void ps_plain_source_clear(PsPlainSource *plain)
{
    ps_folder_remove(g_steal_pointer(&plain->folder));
    g_clear_pointer(&plain->path, g_free);
    g_clear_pointer(&plain->beside, g_free);
}

/* SPDX-License-Identifier: BSD-3-Clause */
/* See input.h. */
#include "cli/system/input.h"

#include "cli/system/draft.h"

#include <glib/gstdio.h>
#include <string.h>

/* The file is registered before its folder, so that a signal removes it first. */
static char *new_path(const char *ending, GError **error)
{
    sigset_t old;
    g_autofree char *name = g_strconcat("stdin", ending, NULL);
    ps_tool_block_signals(&old);
    g_autofree char *folder = ps_folder_private(error);
    char *path = folder ? g_build_filename(folder, name, NULL) : NULL;
    if (path) {
        draft_begin(path);
        draft_begin(folder);
    }
    pthread_sigmask(SIG_SETMASK, &old, NULL);
    return path;
}

void input_remove(char *input)
{
    if (!input)
        return;
    g_autofree char *path = input, *folder = g_path_get_dirname(input);
    draft_remove(path);
    g_rmdir(folder);
    draft_keep(folder);
}

static char *make_file(const char *ending, GBytes *bytes, GError **error)
{
    gsize size;
    char *path = new_path(ending, error);
    const char *data = g_bytes_get_data(bytes, &size);
    if (!path || g_file_set_contents_full(path, data ? data : "", (gssize)size,
                                          G_FILE_SET_CONTENTS_NONE, 0600, error))
        return path;
    input_remove(path);
    return NULL;
}

static char *take_bytes(GError **error)
{
    gsize length = 0;
    char *text = ps_file_read("-", PS_CODE_MOST_SOURCE, &length, error);
    g_autoptr(GBytes) bytes = text ? g_bytes_new_take(text, length) : NULL;
    if (text && !length) {
        g_set_error_literal(error, PS_ERROR, PS_ERROR_VALUE, "standard input is empty");
        return NULL;
    }
    const char *ending = text ? ps_peek_ending("standard input", text, length, error) : NULL;
    if (g_strcmp0(ending, ".sass") == 0) {
        g_autoptr(GBytes) made =
            ps_sass_from_text(g_bytes_get_data(bytes, NULL), length, "standard input", error);
        return made ? make_file(".cubin", made, error) : NULL;
    }
    return ending ? make_file(ending, bytes, error) : NULL;
}

gboolean input_take(char **files, char **input, GError **error)
{
    for (char **file = files; file && *file; file++) {
        if (strcmp(*file, "-") != 0 || ps_peek_is_xml("-"))
            continue;
        *input = take_bytes(error);
        if (!*input)
            return FALSE;
        g_free(*file);
        *file = g_strdup(*input);
        return TRUE;
    }
    return TRUE;
}

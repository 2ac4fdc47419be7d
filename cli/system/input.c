/* SPDX-License-Identifier: BSD-3-Clause */
/* See input.h. */
#include "cli/system/input.h"

#include "cli/system/draft.h"

#include <string.h>

static char *take_bytes(GError **error)
{
    gsize length = 0;
    char *text = ps_file_read("-", PS_CODE_MOST_SOURCE, &length, error);
    g_autoptr(GBytes) bytes = text ? g_bytes_new_take(text, length) : NULL;
    const char *ending = text ? ps_peek_ending("standard input", text, length, error) : NULL;
    if (g_strcmp0(ending, ".sass") == 0) {
        g_autoptr(GBytes) made =
            ps_sass_from_text(g_bytes_get_data(bytes, NULL), length, "standard input", error);
        return made ? ps_tool_file(&draft_host, ".cubin", made, error) : NULL;
    }
    return ending ? ps_tool_file(&draft_host, ending, bytes, error) : NULL;
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

/* SPDX-License-Identifier: BSD-3-Clause */
/* See root.h. */
#include "base/root.h"

#include <string.h>

/* The text behind a comment, a processing instruction or a declaration that starts at c; NULL where
 * c starts an element. */
static const char *skip(const char *c, const char *end)
{
    const char *close = NULL;
    if (g_str_has_prefix(c, "<!--"))
        close = "-->";
    else if (g_str_has_prefix(c, "<?"))
        close = "?>";
    else if (g_str_has_prefix(c, "<!"))
        close = ">";
    if (!close)
        return NULL;
    const char *found = g_strstr_len(c, end - c, close);
    return found ? found + strlen(close) : end;
}

char *ps_root_element(const char *text, gsize length)
{
    const char *c = text, *end = text + length;
    while (c < end) {
        if (*c != '<') {
            c++;
            continue;
        }
        const char *after = skip(c, end);
        if (!after)
            break;
        c = after;
    }
    if (c >= end)
        return NULL;
    const char *name = ++c;
    while (c < end && *c && !strchr(" \t\r\n/>", *c)) {
        if (*c == ':')
            name = c + 1;
        c++;
    }
    return g_strndup(name, (gsize)(c - name));
}

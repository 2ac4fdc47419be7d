/* SPDX-License-Identifier: BSD-3-Clause */
/* See cell.h. */
#include "base/cell.h"

#include "base/message.h"

#include <string.h>

/* The characters that begin a formula in a spreadsheet. */
static const char FORMULA[] = "=+-@";

static gboolean is_number(const char *text)
{
    char *end;
    g_ascii_strtod(text, &end);
    return strspn(text, "0123456789.eE+-") == strlen(text) && end != text && *end == '\0';
}

/* TRUE if the text is a formula, perhaps behind apostrophes. */
static gboolean is_formula(const char *text)
{
    text += strspn(text, "'");
    return *text && strchr(FORMULA, *text);
}

void ps_cell_put(GString *row, const char *text, gboolean quoted)
{
    g_autofree char *clean = ps_text_clean(text);
    quoted = quoted || strpbrk(clean, ",\"");
    if (quoted)
        g_string_append_c(row, '"');
    if (is_formula(clean) && !is_number(clean))
        g_string_append_c(row, '\'');
    for (const char *c = clean; *c; c++) {
        if (*c == '"')
            g_string_append_c(row, '"');
        g_string_append_c(row, *c);
    }
    if (quoted)
        g_string_append_c(row, '"');
}

gboolean ps_cell_is_guarded(const char *text)
{
    return *text == '\'' && is_formula(text);
}

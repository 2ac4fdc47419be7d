/* SPDX-License-Identifier: BSD-3-Clause */
/* See terminal.h. */
#define _GNU_SOURCE /* struct winsize */
#include "cli/system/terminal.h"

#include "cli/fail.h"
#include "pipesim-private.h"

#include <string.h>
#include <sys/ioctl.h>
#include <unistd.h>

#define LEAST_WIDTH 20
#define MOST_WIDTH 1000

static gboolean is_standard(const char *output)
{
    return !output || strcmp(output, "-") == 0;
}

gboolean terminal_gets(const char *output)
{
    return is_standard(output) && isatty(STDOUT_FILENO);
}

gboolean terminal_wants_colour(const char *output)
{
    const char *no = g_getenv("NO_COLOR");
    return !(no && *no) && terminal_gets(output);
}

/* The columns of the terminal behind a file descriptor, without limits. */
static guint columns_there(int fd)
{
    const char *columns = g_getenv("COLUMNS");
    guint64 width;
    struct winsize size;
    if (columns && g_ascii_string_to_unsigned(columns, 10, 1, G_MAXINT, &width, NULL))
        return (guint)width;
    if (ioctl(fd, TIOCGWINSZ, &size) == 0 && size.ws_col > 0)
        return size.ws_col;
    return PS_TEXT_WIDTH;
}

guint terminal_width_of(int fd)
{
    return CLAMP(columns_there(fd), LEAST_WIDTH, MOST_WIDTH);
}

guint terminal_width(void)
{
    return terminal_width_of(STDOUT_FILENO);
}

gboolean terminal_has_shades(void)
{
    static const char *const names[] = {"LC_ALL", "LC_CTYPE", "LANG"};
    for (guint i = 0; i < G_N_ELEMENTS(names); i++) {
        const char *locale = g_getenv(names[i]);
        if (!locale || !*locale)
            continue;
        g_autofree char *upper = g_ascii_strup(locale, -1);
        return strstr(upper, "UTF-8") || strstr(upper, "UTF8");
    }
    return FALSE;
}

void terminal_note_narrow(const char *output)
{
    const guint width = columns_there(STDOUT_FILENO);
    if (!is_standard(output) || width >= PS_TEXT_WIDTH)
        return;
    g_autofree char *there = ps_format_noun(width, "column");
    g_autofree char *text = g_strdup_printf(
        "there %s %s, and lines of a report take up to %d; --output FILE keeps them whole",
        width == 1 ? "is" : "are", there, PS_TEXT_WIDTH);
    note(text);
}

/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Messages on standard error. File names and contents may be part of them, so characters that a
 * terminal could take for a command, or a script for a second line, are replaced.
 */
#include "cli/fail.h"

#include "cli/system/line.h"

#include <stdio.h>

static void say(const char *prefix, const char *text)
{
    g_autofree char *line = ps_text_clean(text);
    line_lift();
    fprintf(stderr, "%s%s\n", prefix, line);
    line_lower(TRUE);
}

int exit_status(const GError *error)
{
    return error->domain == G_OPTION_ERROR || g_error_matches(error, PS_ERROR, PS_ERROR_USAGE)
               ? EXIT_USAGE
               : EXIT_INPUT;
}

int fail(const GError *error)
{
    say("pipesim: ", error->message);
    return exit_status(error);
}

void note(const char *text)
{
    say("pipesim: ", text);
}

void warn(const char *text)
{
    say("pipesim: warning: ", text);
}

void show_command(const char *text)
{
    say("", text);
}

gboolean usage_error(GError **error, const char *format, ...)
{
    va_list arguments;
    va_start(arguments, format);
    g_autofree char *text = g_strdup_vprintf(format, arguments);
    va_end(arguments);
    g_set_error_literal(error, PS_ERROR, PS_ERROR_USAGE, text);
    return FALSE;
}

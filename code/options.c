/* SPDX-License-Identifier: BSD-3-Clause */
/* See options.h. */
#include "code/options.h"

#include <string.h>

#define WARNING "warning: "

void ps_code_tell(const PsCodeOptions *options, const char *told)
{
    const gboolean warning = g_str_has_prefix(told, WARNING);
    if (options->told)
        g_ptr_array_add(options->told, g_strdup(told));
    if (options->quiet ||
        (options->said && g_ptr_array_find_with_equal_func(options->said, told, g_str_equal, NULL)))
        return;
    if (options->said)
        g_ptr_array_add(options->said, g_strdup(told));
    if (options->host.tell)
        options->host.tell(told + (warning ? strlen(WARNING) : 0), warning, options->host.data);
}

void ps_code_note(const PsCodeOptions *options, const char *text)
{
    ps_code_tell(options, text);
}

void ps_code_warn(const PsCodeOptions *options, const char *text)
{
    g_autofree char *told = g_strconcat(WARNING, text, NULL);
    ps_code_tell(options, told);
}

GPtrArray *ps_code_warnings(const GPtrArray *told)
{
    GPtrArray *warnings = g_ptr_array_new_with_free_func(g_free);
    for (guint i = 0; i < told->len; i++) {
        const char *text = told->pdata[i];
        if (g_str_has_prefix(text, WARNING))
            g_ptr_array_add(warnings, g_strdup(text + strlen(WARNING)));
    }
    return warnings;
}

void ps_code_begin(const PsCodeOptions *options, const char *what, const char *name)
{
    if (options->host.begin)
        options->host.begin(what, name, options->host.data);
}

const char *ps_code_shown(const PsCodeOptions *options, const char *path)
{
    return options->shown ? options->shown : path;
}

char *ps_code_quote(const char *word)
{
    return !*word || strpbrk(word, " \t\n\"'$&|;<>()*?[]{}!`\\#~") ? g_shell_quote(word)
                                                                   : g_strdup(word);
}

/* SPDX-License-Identifier: BSD-3-Clause */
/* The common part of the translation: looking up modifiers, noting registers, writing PTX. */
#include "sass/tell.h"

#include <string.h>

gboolean ps_sass_has(const PsSassTeller *teller, const char *modifier)
{
    return teller->parts[0] && g_strv_contains((const char *const *)teller->parts + 1, modifier);
}

void ps_sass_reads(PsSassTeller *teller, guint reg, gboolean address)
{
    PsSassUse *use = teller->use;
    if (use->n_from == PS_SASS_MOST_FROM)
        return;
    use->address[use->n_from] = address;
    use->from[use->n_from++] = (guint16)reg;
}

void ps_sass_add_origin(PsSassTeller *teller, gboolean stands)
{
    const PsSassOrigin origin = {teller->number, stands};
    g_array_append_val(teller->origins, origin);
}

static void say(PsSassTeller *teller, const char *guard, gboolean stands, const char *text)
{
    if (text[0] == '@' && guard[0]) { /* a branch on a predicate that has a guard, too */
        const char *behind = strchr(text, ' ');
        g_string_append_printf(teller->body,
                               "setp.ne.u32 %%s9,0,0;\n%smov.pred %%s9,%.*s;\n@%%s9%s;\n", guard,
                               (int)(behind - text - 1), text + 1, behind);
        ps_sass_add_origin(teller, FALSE);
        ps_sass_add_origin(teller, FALSE);
    } else {
        g_string_append_printf(teller->body, "%s%s;\n", guard, text);
    }
    ps_sass_add_origin(teller, stands);
}

void ps_sass_say(PsSassTeller *teller, gboolean stands, const char *format, ...)
{
    va_list arguments;
    va_start(arguments, format);
    g_autofree char *text = g_strdup_vprintf(format, arguments);
    va_end(arguments);
    say(teller, teller->guard, stands, text);
}

void ps_sass_say_to_all(PsSassTeller *teller, gboolean stands, const char *text)
{
    say(teller, "", stands, text);
}

char *ps_sass_label(const PsSassTeller *teller, gint64 target)
{
    return g_strdup_printf("L%u_%" G_GINT64_MODIFIER "x", teller->copy, (guint64)target);
}

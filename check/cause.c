/* SPDX-License-Identifier: BSD-3-Clause */
/* See cause.h. */
#include "check/cause.h"

#include "tell/format.h"

#include <string.h>

/* Lines are equal if their texts are, since lines may have been inserted; if a text is unknown, by
 * their numbers. */
static gboolean is_same(const PsCheckLine *a, const PsCheckLine *b)
{
    return a->text && b->text ? strcmp(a->text, b->text) == 0 : strcmp(a->line, b->line) == 0;
}

/* The cycles of all equal lines. */
static double cycles_of(const PsCheckResult *result, const PsCheckLine *like)
{
    double cycles = 0;
    for (guint i = 0; i < result->lines->len; i++)
        if (is_same(result->lines->pdata[i], like))
            cycles += ((const PsCheckLine *)result->lines->pdata[i])->cycles;
    return cycles;
}

/* The line whose part of the critical path grew most; NULL: none did. */
static const PsCheckLine *grown_most(const PsCheckResult *before, const PsCheckResult *after,
                                     double *grown)
{
    const PsCheckLine *most = NULL;
    *grown = 0;
    for (guint i = 0; i < after->lines->len; i++) {
        const PsCheckLine *line = after->lines->pdata[i];
        const double more = cycles_of(after, line) - cycles_of(before, line);
        if (more > *grown) {
            most = line;
            *grown = more;
        }
    }
    return most;
}

char *ps_check_cause(const PsCheckKernel *kernel, const PsCheckResult *before,
                     const PsCheckResult *after, char **file, gint64 *line)
{
    double grown = 0;
    const PsCheckLine *most = grown_most(before, after, &grown);
    g_autofree char *cycles = ps_format_number(grown);
    *file = most ? ps_check_place(kernel->path, most->line, line) : NULL;
    return *file ? g_strdup_printf("this line has %s cycles more of the critical path", cycles)
                 : NULL;
}

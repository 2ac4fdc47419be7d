/* SPDX-License-Identifier: BSD-3-Clause */
/* See hint.h. */
#include "launch/hint.h"

#include "launch/arguments-private.h"

#include <string.h>

char *ps_launch_hint(const PsLaunchArguments *arguments, const PsLaunchTexts *texts,
                     const char *message)
{
    const char *word = texts->argument_name ? texts->argument_name : "argument";
    for (guint i = 0; i < arguments->n; i++) {
        const PsPtxArgument *value = &arguments->values[i];
        const char *name = arguments->names[i];
        g_autofree char *number = g_strdup_printf("\"%s\" is the number ", name);
        if (strstr(message, number))
            return g_strdup_printf("; %s %s=zero:BYTES gives it one", word, name);
        if (strstr(message, " memory") && value->data && !value->n_fields &&
            ps_launch_pointers(arguments, i) > 1)
            return g_strdup_printf("; %s points to pointers: %s %s=pointers:COUNT:zero:BYTES gives "
                                   "it the addresses of so many buffers",
                                   name, word, name);
    }
    return NULL;
}

/* SPDX-License-Identifier: BSD-3-Clause */
/* The names of a kernel's parameters. */
#include "base/nearest.h"
#include "base/usage.h"
#include "launch/arguments-private.h"
#include "ptx/names.h"

#include <string.h>

const PsPtxVariable *ps_launch_param(const PsLaunchArguments *arguments, guint number)
{
    return arguments->kernel->params->pdata[number];
}

char *ps_launch_arguments_describe(const PsLaunchArguments *arguments)
{
    GString *text = g_string_new(NULL);
    for (guint i = 0; i < arguments->n; i++) {
        const PsPtxVariable *param = ps_launch_param(arguments, i);
        g_string_append_printf(text, "%s%s (", i ? ", " : "", arguments->names[i]);
        if (ps_ptx_is_struct(param))
            g_string_append_printf(text, "%" G_GUINT64_FORMAT " bytes)", param->size);
        else
            g_string_append_printf(text, ".%s)", ps_ptx_type_name(param->type));
    }
    if (!arguments->n)
        g_string_append(text, "none");
    return g_string_free(text, FALSE);
}

int ps_launch_number(const PsLaunchArguments *arguments, const char *name)
{
    guint64 number;
    for (guint i = 0; i < arguments->n; i++)
        if (strcmp(arguments->names[i], name) == 0)
            return (int)i;
    for (guint i = 0; i < arguments->n; i++)
        if (strcmp(ps_launch_param(arguments, i)->name, name) == 0)
            return (int)i;
    if (arguments->n && g_ascii_string_to_unsigned(name, 10, 0, arguments->n - 1, &number, NULL))
        return (int)number;
    return -1;
}

int ps_launch_find(const PsLaunchArguments *arguments, const char *what, const char *name,
                   GError **error)
{
    const int found = ps_launch_number(arguments, name);
    if (found >= 0)
        return found;
    g_autoptr(GPtrArray) names = g_ptr_array_new();
    for (guint i = 0; i < arguments->n; i++)
        g_ptr_array_add(names, arguments->names[i]);
    g_autofree char *all = ps_launch_arguments_describe(arguments),
                    *near = ps_did_you_mean(name, names),
                    *shown = ps_ptx_kernel_name(arguments->kernel);
    ps_usage_error(error, "%s: kernel %s has no argument '%s'; its arguments are: %s%s", what,
                   shown, name, all, near);
    return -1;
}

/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Finding a kernel by the name that its author gave it.
 */
#include "idg/ptx/ptx.h"
#include <string.h>

#define MOST_LISTED 20

static gboolean is_kernel(const PsPtxFunction *function)
{
    return function->entry && function->body;
}

static gboolean fits(const PsPtxFunction *function, const char *name)
{
    g_autofree char *plain = name ? ps_ptx_plain_name(function->name) : NULL;

    return !name || strcmp(plain, name) == 0;
}

/* "a, b and c": the kernels of that name (NULL: all) as they are written, and how C++ wrote them
 * where that differs. */
static char *list(const PsPtxModule *module, const char *name)
{
    GString *text = g_string_new(NULL);
    guint n = 0;

    for (guint i = 0; i < module->functions->len; i++) {
        const PsPtxFunction *function = module->functions->pdata[i];
        if (!is_kernel(function) || !fits(function, name) || ++n > MOST_LISTED)
            continue;
        g_autofree char *plain = ps_ptx_plain_name(function->name);
        g_string_append_printf(text, "%s%s", n == 1 ? "" : ", ", plain);
        if (strcmp(plain, function->name) != 0)
            g_string_append_printf(text, " (%s)", function->name);
    }
    if (n > MOST_LISTED)
        g_string_append_printf(text, " and %u more", n - MOST_LISTED);
    return g_string_free(text, FALSE);
}

static void refuse(const PsPtxModule *module, const char *name, guint n, GError **error)
{
    g_autofree char *kernels = list(module, n > 1 ? name : NULL);
    const PsPlace place = {module->path, 0};

    if (!*kernels)
        ps_error_at(error, PS_ERROR_VALUE, place, "has no kernel, which is an .entry with a body");
    else if (!name)
        ps_error_at(error, PS_ERROR_VALUE, place, "has several kernels; choose one of %s", kernels);
    else if (n > 1)
        ps_error_at(error, PS_ERROR_VALUE, place,
                    "has several kernels \"%s\"; give the whole name of one of %s", name, kernels);
    else
        ps_error_at(error, PS_ERROR_VALUE, place, "has no kernel \"%s\"; there are: %s", name,
                    kernels);
}

const PsPtxFunction *ps_ptx_kernel(const PsPtxModule *module, const char *name, GError **error)
{
    const PsPtxFunction *found = NULL;
    guint n = 0;

    for (guint i = 0; i < module->functions->len; i++) {
        const PsPtxFunction *function = module->functions->pdata[i];
        if (!is_kernel(function))
            continue;
        if (name && strcmp(function->name, name) == 0)
            return function;
        if (fits(function, name)) {
            found = function;
            n++;
        }
    }
    if (n == 1)
        return found;
    refuse(module, name, n, error);
    return NULL;
}

/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Finding a kernel by the name that its author gave it, and names by which the kernels of a module
 * differ.
 */
#include "ptx/kernel-form.h"
#include "base/nearest.h"
#include <string.h>

#define MOST_LISTED 20

static gboolean is_kernel(const PsPtxFunction *function)
{
    return function->entry && function->body;
}

/* ---- names --------------------------------------------------------------------------------- */

/* Names each kernel that has no name yet in this form, unless another kernel has the same name in
 * it. */
static void give_names(const PsPtxModule *module, NameForm form, char **names)
{
    const guint n = module->functions->len;
    g_autoptr(GHashTable) taken = g_hash_table_new(g_str_hash, g_str_equal);
    g_autoptr(GPtrArray) forms = g_ptr_array_new_with_free_func(g_free);
    for (guint i = 0; i < n; i++) {
        const PsPtxFunction *function = module->functions->pdata[i];
        char *name = is_kernel(function) ? kernel_form(function, form) : g_strdup("");
        g_ptr_array_add(forms, name);
        const guint before = GPOINTER_TO_UINT(g_hash_table_lookup(taken, name));
        g_hash_table_insert(taken, name, GUINT_TO_POINTER(before + 1));
    }
    for (guint i = 0; i < n; i++) {
        const char *name = forms->pdata[i];
        if (!names[i] && (!*name || GPOINTER_TO_UINT(g_hash_table_lookup(taken, name)) == 1))
            names[i] = g_strdup(name);
    }
}

char **ps_ptx_kernel_names(const PsPtxModule *module)
{
    char **names = g_new0(char *, module->functions->len + 1);
    for (NameForm form = FORM_BARE; form < N_FORMS; form++)
        give_names(module, form, names);
    return names;
}

char *ps_ptx_kernel_name(const PsPtxFunction *kernel)
{
    return kernel_form(kernel, FORM_BARE);
}

char *ps_ptx_parameter_name(const PsPtxFunction *kernel, const PsPtxVariable *param)
{
    g_autofree char *plain = ps_ptx_plain_name(kernel->name);
    const gboolean own = g_str_has_prefix(param->name, kernel->name);
    return own ? g_strconcat(plain, param->name + strlen(kernel->name), NULL)
               : g_strdup(param->name);
}

/* ---- finding ------------------------------------------------------------------------------- */

/* A list of the kernels that fit the name as well as `least`: "a, b and c". */
static char *list(const PsPtxModule *module, char **names, const char *written, PsKernelFit least)
{
    GString *text = g_string_new(NULL);
    guint n = 0;
    for (guint i = 0; i < module->functions->len; i++) {
        const PsPtxFunction *function = module->functions->pdata[i];
        if (!is_kernel(function) || (written && kernel_fit(function, names[i], written) < least) ||
            ++n > MOST_LISTED)
            continue;
        g_string_append_printf(text, "%s%s", n == 1 ? "" : ", ", names[i]);
    }
    if (n > MOST_LISTED)
        g_string_append_printf(text, " and %u more", n - MOST_LISTED);
    return g_string_free(text, FALSE);
}

/* A similar name, for a name that fits no kernel. Only plain names are compared, since few people
 * mistype only the arguments. */
static char *suggest(const PsPtxModule *module, const char *written)
{
    g_autoptr(GPtrArray) names = g_ptr_array_new_with_free_func(g_free);
    g_autofree char *name = g_strndup(written, strcspn(written, "<("));
    const char *scope = g_strrstr(name, "::");
    for (guint i = 0; i < module->functions->len; i++) {
        const PsPtxFunction *function = module->functions->pdata[i];
        if (is_kernel(function))
            g_ptr_array_add(names, ps_ptx_plain_name(function->name));
    }
    return ps_did_you_mean(scope ? scope + 2 : name, names);
}

gboolean ps_ptx_has_kernel(const PsPtxModule *module, GError **error)
{
    for (guint i = 0; i < module->functions->len; i++)
        if (is_kernel(module->functions->pdata[i]))
            return TRUE;
    ps_error_at(error, PS_ERROR_VALUE, (PsPlace){module->path, 0},
                "has no kernel, which is an .entry with a body");
    return FALSE;
}

static void refuse(const PsPtxModule *module, char **names, const char *written, PsKernelFit fit,
                   GError **error)
{
    g_autofree char *kernels = list(module, names, written, fit);
    const PsPlace place = {module->path, 0};
    if (!ps_ptx_has_kernel(module, error))
        return;
    if (!written)
        ps_error_at(error, PS_ERROR_VALUE, place, "has several kernels; choose one of %s", kernels);
    else if (fit > PS_KERNEL_FIT_NONE)
        ps_error_at(error, PS_ERROR_VALUE, place,
                    "has several kernels \"%s\"; give more of the name of one of %s", written,
                    kernels);
    else {
        g_autofree char *near = suggest(module, written);
        ps_error_at(error, PS_ERROR_VALUE, place, "has no kernel \"%s\"; there are: %s%s", written,
                    kernels, near);
    }
}

const PsPtxFunction *ps_ptx_kernel(const PsPtxModule *module, const char *name, GError **error)
{
    const PsPtxFunction *found = NULL;
    g_auto(GStrv) names = ps_ptx_kernel_names(module);
    PsKernelFit best = PS_KERNEL_FIT_NONE;
    guint n = 0;
    for (guint i = 0; i < module->functions->len; i++) {
        const PsPtxFunction *function = module->functions->pdata[i];
        if (!is_kernel(function))
            continue;
        const PsKernelFit fit = name ? kernel_fit(function, names[i], name) : PS_KERNEL_FIT_NONE;
        if (fit < best || (name && fit == PS_KERNEL_FIT_NONE))
            continue;
        n = fit > best ? 1 : n + 1;
        best = fit;
        found = function;
    }
    if (n == 1)
        return found;
    refuse(module, names, name, best, error);
    return NULL;
}

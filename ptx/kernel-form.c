/* SPDX-License-Identifier: BSD-3-Clause */
/* See kernel-form.h. */
#include "ptx/kernel-form.h"
#include <string.h>

char *kernel_form(const PsPtxFunction *kernel, NameForm form)
{
    g_autofree char *name = form == FORM_MANGLED ? NULL : ps_kernel_demangle(kernel->name);
    if (!name)
        return form == FORM_MANGLED ? g_strdup(kernel->name) : ps_ptx_plain_name(kernel->name);
    if (form != FORM_WHOLE)
        return ps_kernel_short_name(name, form == FORM_SCOPED);
    return g_strdup(g_str_has_prefix(name, "void ") ? name + strlen("void ") : name);
}

PsKernelFit kernel_fit(const PsPtxFunction *kernel, const char *shown, const char *written)
{
    if (strcmp(kernel->name, written) == 0 || strcmp(shown, written) == 0)
        return PS_KERNEL_FIT_EXACT;
    g_autofree char *whole = kernel_form(kernel, FORM_WHOLE);
    return MIN(ps_kernel_fit(whole, written), PS_KERNEL_FIT_NAME);
}

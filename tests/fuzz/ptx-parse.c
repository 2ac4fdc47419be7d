/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Any text is a PTX module or has one clear error. What is a module can be spelled and freed.
 */
#include "ptx/instruction.h"

#define MOST_FOUND 8

int LLVMFuzzerTestOneInput(const guint8 *data, gsize size);

static void spell(const PsPtxFunction *function)
{
    for (guint i = 0; i < function->instructions->len; i++) {
        g_autofree char *text =
            ps_ptx_spell(function, &g_array_index(function->instructions, PsPtxInstruction, i));
        g_assert_nonnull(text);
    }
}

int LLVMFuzzerTestOneInput(const guint8 *data, gsize size)
{
    g_autoptr(GError) error = NULL;
    g_autoptr(PsPtxModule) module = ps_ptx_parse((const char *)data, size, "fuzz.ptx", &error);
    if (!module) {
        g_assert_nonnull(error);
        return 0;
    }
    g_assert_no_error(error);
    g_auto(GStrv) names = ps_ptx_kernel_names(module);
    for (guint i = 0; i < module->functions->len; i++) {
        const PsPtxFunction *function = module->functions->pdata[i];
        g_autofree char *plain = ps_ptx_plain_name(function->name);
        g_assert_nonnull(plain);
        spell(function);
        /* What a kernel is shown by finds it; each time all are looked at. */
        if (i < MOST_FOUND && *names[i])
            g_assert_true(ps_ptx_kernel(module, names[i], NULL) == function);
    }
    return 0;
}

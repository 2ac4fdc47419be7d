/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Anything is a file of machine code, or has one clear error; any instructions of NVIDIA's, and any
 * text of a disassembler, can be held against a kernel.
 */
#include "latency-bench/code/instruction.h"

int LLVMFuzzerTestOneInput(const guint8 *data, gsize size);

static const PsBenchKernel *choose_kernel(guint number)
{
    static GPtrArray *all; /* as long as this runs */
    if (!all)
        all = ps_bench_kernels();
    return all->pdata[number % all->len];
}

static void look_at(PsCode *code, const GError *error, guint number)
{
    g_assert_true((code == NULL) == (error != NULL));
    if (!code)
        return;
    g_autoptr(PsCodeReport) report = ps_code_report(choose_kernel(number), code);
    for (guint i = 0; i < report->names->len; i++)
        g_assert_cmpint(g_array_index(report->names, PsCodeName, i).n, >, 0);
    ps_code_free(code);
}

int LLVMFuzzerTestOneInput(const guint8 *data, gsize size)
{
    static const int capabilities[] = {75, 80, 86, 90, 100, 120};
    const guint number = size ? data[size - 1] : 0;
    g_autoptr(GBytes) image = g_bytes_new(data, size);
    g_autofree char *text = g_strndup((const char *)data, size);
    GError *error = NULL;
    look_at(ps_code_read(image, "f", NULL, &error), error, number);
    g_clear_error(&error);
    look_at(ps_code_read_amd(text, "f", &error), error, number);
    g_clear_error(&error);
    look_at(ps_code_read_nvidia(data, size, capabilities[number % G_N_ELEMENTS(capabilities)]),
            NULL, number / G_N_ELEMENTS(capabilities));
    return 0;
}

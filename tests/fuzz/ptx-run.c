/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Any text that is a PTX module can be executed, or there is one clear error. Its first kernel runs
 * with small buffers, few threads and few instructions.
 */
#include "tests/fuzz/arguments.h"

int LLVMFuzzerTestOneInput(const guint8 *data, gsize size);

static void hear(gpointer data, const PsPtxEvent *event)
{
    guint64 *sum = data;
    *sum += event->point + event->mask;
    for (guint lane = 0; event->memory && lane < PS_PTX_LANES; lane++)
        if ((event->mask >> lane & 1) != 0)
            *sum += event->address[lane];
}

static void run(const PsPtxModule *module, const PsPtxFunction *kernel)
{
    g_autofree guint8 *bytes = g_malloc0((gsize)BUFFER * MOST_ARGUMENTS);
    PsPtxArgument arguments[MOST_ARGUMENTS] = {{.name = NULL}};
    guint64 sum = 0;
    PsPtxListener listener = {.data = &sum, .executed = hear};
    PsPtxLaunch launch = {.kernel = kernel,
                          .grid = {2, 1, 1},
                          .block = {kernel->required[0] > 0 ? kernel->required[0] : 40,
                                    MAX(kernel->required[1], 1), MAX(kernel->required[2], 1)},
                          .dynamic_shared = 256,
                          .n_arguments = fill(kernel, arguments, bytes),
                          .arguments = arguments,
                          .most_instructions = 20000};
    g_autoptr(GError) error = NULL;
    if (launch.n_arguments > MOST_ARGUMENTS)
        return;
    g_autoptr(PsPtxMachine) machine = ps_ptx_machine_new(module, &launch, &error);
    for (guint i = 0; machine && i < 2; i++) {
        const guint group[] = {i, 0, 0};
        g_clear_error(&error);
        gboolean good = ps_ptx_run_group(machine, group, &listener, &error);
        g_assert_true(good == (error == NULL));
    }
    g_assert_true(machine || error);
}

int LLVMFuzzerTestOneInput(const guint8 *data, gsize size)
{
    g_autoptr(GError) error = NULL;
    g_autoptr(PsPtxModule) module = ps_ptx_parse((const char *)data, size, "fuzz.ptx", &error);
    for (guint i = 0; module && i < module->functions->len; i++) {
        const PsPtxFunction *function = module->functions->pdata[i];
        if (!function->entry || !function->body)
            continue;
        run(module, function);
        break;
    }
    return 0;
}

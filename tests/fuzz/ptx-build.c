/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Any text that is a PTX module becomes a graph, or there is one clear error. Its first kernel runs
 * with small buffers, few threads and few instructions; which rules are on follows from the text's
 * length. What is written of the graph can be read again.
 */
#include "tests/fuzz/arguments.h"

#include "lift/build.h"

#include <string.h>

int LLVMFuzzerTestOneInput(const guint8 *data, gsize size);

/* Most lengths have all rules on, as users have them. */
static void choose_rules(PsBuildOptions *options, gsize size)
{
    for (guint rule = 0; size % 3 == 0 && rule < PS_BUILD_N_RULES; rule++)
        options->rules[rule] = (size / 3 >> rule & 1) == 0;
    options->l1 = size % 2 ? 16384 : 0;
    options->l2 = size % 5 ? 1 << 20 : 0;
}

static void check(const PsBuild *build)
{
    g_autoptr(GError) error = NULL;
    g_autofree char *text = ps_idg_write(build->idg);
    g_autoptr(PsIdg) again = ps_idg_parse(text, strlen(text), "fuzz.idg", &error);
    g_assert_no_error(error);
    g_assert_nonnull(again);
    for (guint i = 0; i < build->warnings->len; i++)
        g_assert_nonnull(build->warnings->pdata[i]);
}

static void build(const PsPtxModule *module, const PsPtxFunction *kernel, gsize size)
{
    g_autofree guint8 *bytes = g_malloc0((gsize)BUFFER * MOST_ARGUMENTS);
    PsPtxArgument arguments[MOST_ARGUMENTS] = {{.name = NULL}};
    g_autoptr(GError) error = NULL;
    PsBuildOptions options;
    ps_build_options_init(&options);
    choose_rules(&options, size);
    options.module = module;
    options.launch =
        (PsPtxLaunch){.kernel = kernel,
                      .grid = {2, 1, 1},
                      .block = {kernel->required[0] > 0 ? kernel->required[0] : 40,
                                MAX(kernel->required[1], 1), MAX(kernel->required[2], 1)},
                      .dynamic_shared = 256,
                      .n_arguments = fill(kernel, arguments, bytes),
                      .arguments = arguments,
                      .most_instructions = 20000};
    if (options.launch.n_arguments > MOST_ARGUMENTS)
        return;
    g_autoptr(PsBuild) built = ps_build(&options, &error);
    g_assert_true((built == NULL) == (error != NULL));
    if (built)
        check(built);
}

int LLVMFuzzerTestOneInput(const guint8 *data, gsize size)
{
    g_autoptr(GError) error = NULL;
    g_autoptr(PsPtxModule) module = ps_ptx_parse((const char *)data, size, "fuzz.ptx", &error);
    for (guint i = 0; module && i < module->functions->len; i++) {
        const PsPtxFunction *function = module->functions->pdata[i];
        if (!function->entry || !function->body)
            continue;
        build(module, function, size);
        break;
    }
    return 0;
}

/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * The text around a body of PTX, and how it is launched.
 */
#include "tests/help/ptx-launch.h"
#include "base/message.h"
#include "tests/help/compiled.h"
#include <string.h>

char *ptx_text(const PtxLaunch *launch)
{
    return g_strconcat(
        ".version 8.0\n.target sm_100a\n.address_size 64\n", launch->before ? launch->before : "",
        "\n.visible .entry k(.param .u64 out, .param .u32",
        launch->place ? " .ptr .shared .align 4" : "", " n)",
        launch->directives ? launch->directives : "",
        "\n{\n"
        ".reg .pred %p<20>; .reg .b16 %h<20>; .reg .b32 %r<60>; .reg .b64 %rd<40>;\n"
        ".reg .f32 %f<20>;\n"
        "ld.param.u64 %rd1, [out]; cvta.to.global.u64 %rd1, %rd1; ld.param.u32 %r2, [n];\n"
        "mov.u32 %r1, %tid.x; mul.wide.u32 %rd2, %r1, 4; add.u64 %rd2, %rd1, %rd2;\n",
        launch->body, "\n}\n", NULL);
}

static void or_one(guint to[3], const guint from[3], guint first)
{
    to[0] = from[0] > 0 ? from[0] : first;
    to[1] = MAX(from[1], 1);
    to[2] = MAX(from[2], 1);
}

static gboolean run_all(PsPtxMachine *machine, const PtxLaunch *launch, const guint grid[3],
                        GError **error)
{
    guint group[3];
    for (group[2] = 0; group[2] < grid[2]; group[2]++)
        for (group[1] = 0; group[1] < grid[1]; group[1]++)
            for (group[0] = 0; group[0] < grid[0]; group[0]++)
                if (ps_ptx_group_leads(machine, group) &&
                    !ps_ptx_run_group(machine, group, launch->listener, error))
                    return FALSE;
    return TRUE;
}

static void check_warnings(const PsPtxMachine *machine, const char *expected)
{
    const GPtrArray *warnings = ps_ptx_machine_warnings(machine);
    for (guint i = expected != NULL; i < warnings->len; i++)
        g_assert_cmpstr(warnings->pdata[i], ==, NULL);
    if (!expected)
        return;
    g_assert_cmpuint(warnings->len, ==, 1);
    if (warnings->len > 0 && !strstr(warnings->pdata[0], expected))
        g_assert_cmpstr(warnings->pdata[0], ==, expected);
}

guint32 *ptx_launch(const PtxLaunch *launch, GError **error)
{
    g_autofree char *text = ptx_text(launch);
    g_autoptr(PsPtxModule) module = ps_ptx_parse(text, strlen(text), "x.ptx", error);
    PsPtxLaunch how = {.dynamic_shared = launch->dynamic_shared,
                       .most_instructions = launch->most_instructions,
                       .partial = launch->partial,
                       .clocks = launch->clocks,
                       .n_arguments = 2};
    PsPtxArgument arguments[2] = {{.name = "out"}, {.name = "n", .bits = launch->n}};
    if (!module)
        return NULL;
    module->machine = launch->machine;
    how.kernel = ps_ptx_kernel(module, "k", error);
    if (!how.kernel)
        return NULL;
    or_one(how.block, launch->block, 32);
    or_one(how.grid, launch->grid, 1);
    guint words = launch->words > 0 ? launch->words : how.block[0] * how.block[1] * how.block[2];
    g_autofree guint32 *out = g_new0(guint32, words);
    arguments[0].data = (guint8 *)out;
    arguments[0].size = words * sizeof *out;
    how.arguments = arguments;
    g_autoptr(PsPtxCompiled) compiled = compiled_new();
    how.compiled = compiled;
    g_autoptr(PsPtxMachine) machine = ps_ptx_machine_new(module, &how, error);
    if (!machine || !run_all(machine, launch, how.grid, error) ||
        (launch->timed && !ps_ptx_machine_check_spins(machine, error)))
        return NULL;
    if (!launch->any_warning)
        check_warnings(machine, launch->warning);
    return g_steal_pointer(&out);
}

void ptx_assert(const PtxLaunch *launch, PtxExpected expected)
{
    g_autoptr(GError) error = NULL;
    g_autofree guint32 *out = ptx_launch(launch, &error);
    guint block[3];
    g_assert_no_error(error);
    or_one(block, launch->block, 32);
    guint words = launch->words > 0 ? launch->words : block[0] * block[1] * block[2];
    for (guint i = 0; out && i < words; i++) {
        if (out[i] != expected(i, launch->n))
            g_test_message("word %u", i);
        g_assert_cmphex(out[i], ==, expected(i, launch->n));
    }
}

static void test_case(gconstpointer data)
{
    const PtxLaunchCase *one = data;
    ptx_assert(&one->launch, one->expected);
}

void ptx_add_cases(const PtxLaunchCase *cases, gsize n)
{
    for (gsize i = 0; i < n; i++)
        g_test_add_data_func(cases[i].path, &cases[i], test_case);
}

void ptx_assert_fails(const PtxLaunch *launch, int code, const char *message)
{
    g_autoptr(GError) error = NULL;
    g_autofree guint32 *out = ptx_launch(launch, &error);
    g_assert_null(out);
    g_assert_error(error, PS_ERROR, code);
    if (error)
        g_assert_cmpstr(error->message, ==, message);
}

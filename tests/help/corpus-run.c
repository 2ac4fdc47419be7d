/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Executes the corpus's launches: the one place that knows the executor. Variants of operations for
 * other vectors must leave the same in all buffers.
 */
#include "tests/help/corpus.h"

#include "ptx/run/warp.h"

#include <string.h>

guint corpus_fill_arguments(const CorpusLaunch *launch, gpointer const buffers[],
                            PsPtxArgument arguments[])
{
    guint n = 0;
    for (; launch->arguments[n].name; n++) {
        const CorpusArgument *argument = &launch->arguments[n];
        arguments[n] = (PsPtxArgument){.name = argument->name};
        if (argument->count > 0) {
            arguments[n].data = buffers[n];
            arguments[n].size = corpus_buffer_size(argument);
        } else {
            arguments[n].bits = corpus_scalar(argument);
        }
    }
    return n;
}

static gboolean run_groups(PsPtxMachine *machine, const guint grid[3], GError **error)
{
    if (!machine)
        return FALSE;
    for (guint z = 0; z < grid[2]; z++)
        for (guint y = 0; y < grid[1]; y++)
            for (guint x = 0; x < grid[0]; x++) {
                const guint group[3] = {x, y, z};
                if (ps_ptx_group_leads(machine, group) &&
                    !ps_ptx_run_group(machine, group, NULL, error))
                    return FALSE;
            }
    return TRUE;
}

/* An instruction that was skipped would make results right by chance only. What makes a time too
 * short is no such thing. */
static void check_warnings(const PsPtxMachine *machine, guint expected)
{
    const GPtrArray *warnings = ps_ptx_machine_warnings(machine);
    guint n = 0;
    for (guint i = 0; i < warnings->len; i++) {
        const char *text = g_ptr_array_index(warnings, i);
        g_test_message("%s", text);
        n += !strstr(text, "the time may be too short");
    }
    g_assert_cmpuint(n, ==, expected);
}

static gboolean run_with(const PsPtxModule *module, const PsPtxLaunch *launch, PsPtxVectors vectors,
                         guint warnings, GError **error)
{
    g_autoptr(PsPtxMachine) machine = ps_ptx_machine_with(module, launch, vectors, error);
    if (!run_groups(machine, launch->grid, error))
        return FALSE;
    check_warnings(machine, warnings);
    return TRUE;
}

static void copy_buffers(const CorpusLaunch *launch, gpointer const to[], gpointer const from[])
{
    for (guint i = 0; launch->arguments[i].name; i++)
        if (from[i])
            memcpy(to[i], from[i], corpus_buffer_size(&launch->arguments[i]));
}

gboolean corpus_run(const CorpusLaunch *launch, gpointer const buffers[], GError **error)
{
    g_autofree char *path = g_build_filename("tests/corpus", launch->ptx, NULL);
    g_autoptr(PsPtxModule) module = ps_ptx_load(path, error);
    return module && corpus_run_module(launch, module, buffers, error);
}

gboolean corpus_run_module(const CorpusLaunch *launch, const PsPtxModule *module,
                           gpointer const buffers[], GError **error)
{
    const PsPtxFunction *kernel = ps_ptx_kernel(module, launch->kernel, error);
    if (!kernel)
        return FALSE;
    PsPtxArgument arguments[CORPUS_MOST_ARGUMENTS];
    PsPtxLaunch all = {.kernel = kernel,
                       .dynamic_shared = launch->dynamic_shared,
                       .n_arguments = corpus_fill_arguments(launch, buffers, arguments),
                       .arguments = arguments};
    memcpy(all.grid, launch->grid, sizeof all.grid);
    memcpy(all.block, launch->block, sizeof all.block);
    gpointer *plain_buffers = corpus_buffers_new(launch);
    PsPtxArgument plain_arguments[CORPUS_MOST_ARGUMENTS];
    PsPtxLaunch plain = all;
    plain.arguments = plain_arguments;
    corpus_fill_arguments(launch, plain_buffers, plain_arguments);
    copy_buffers(launch, plain_buffers, buffers);
    const gboolean good = run_with(module, &all, ps_ptx_vectors(), launch->warnings, error) &&
                          run_with(module, &plain, PS_PTX_PLAIN, launch->warnings, error);
    for (guint i = 0; good && launch->arguments[i].name; i++)
        if (buffers[i])
            g_assert_cmpmem(buffers[i], corpus_buffer_size(&launch->arguments[i]), plain_buffers[i],
                            corpus_buffer_size(&launch->arguments[i]));
    corpus_buffers_free(plain_buffers);
    return good;
}

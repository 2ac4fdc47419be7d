/* SPDX-License-Identifier: BSD-3-Clause */
/* The sources of the kernels for validation, compiled by nvcc where it is installed: it takes
 * seconds, and tells nothing of our code that the sanitizers would see. */
#include "latency-bench/code.h"
#include "latency-bench/internal.h"
#include "latency-bench/validate.h"

#include <glib/gstdio.h>
#include <string.h>

/* Every source is CUDA C, too: nvcc makes PTX of it, and finds nothing to warn of. */
static void test_nvcc(void)
{
    g_autofree char *nvcc = g_find_program_in_path("nvcc");
    g_autoptr(GPtrArray) kernels = ps_validation_kernels();
    if (!nvcc) {
        g_test_skip("nvcc is not installed");
        return;
    }
    g_autofree char *folder = g_dir_make_tmp("pipesim-XXXXXX", NULL);
    g_autofree char *in = g_build_filename(folder, "kernel.cu", NULL);
    g_autofree char *out = g_build_filename(folder, "kernel.ptx", NULL);
    for (guint i = 0; i < kernels->len; i++) {
        const PsBenchKernel *kernel = kernels->pdata[i];
        if (g_str_has_prefix(kernel->name, "volkov") && strcmp(kernel->name, "volkov-16") != 0)
            continue;
        g_autofree char *source = ps_bench_source(kernel, "CUDA");
        g_assert_true(g_file_set_contents(in, source, -1, NULL));
        char *argv[] = {nvcc, (char *)"-ptx", (char *)"-o", out, in, NULL};
        g_autofree char *said = NULL;
        int status = 1;
        g_spawn_sync(NULL, argv, NULL, 0, NULL, NULL, NULL, &said, &status, NULL);
        g_test_message("%s: %s", kernel->name, said);
        g_assert_cmpint(status, ==, 0);
        g_autofree char *code = NULL, *unseen = NULL;
        g_autoptr(GError) error = NULL;
        g_assert_true(g_file_get_contents(out, &code, NULL, NULL));
        ps_bench_check_code(kernel, NULL, code, &unseen, &error);
        g_assert_no_error(error);
    }
    g_unlink(in);
    g_unlink(out);
    g_rmdir(folder);
}

int main(int argc, char **argv)
{
    g_test_init(&argc, &argv, NULL);
    g_test_set_nonfatal_assertions();
    g_test_add_func("/validate-nvcc/sources", test_nvcc);
    return g_test_run();
}

/* SPDX-License-Identifier: BSD-3-Clause */
/* What a host hears of building: names as people wrote them. */
#include "code/graph.h"

#include <glib/gstdio.h>

static const char text[] = ".version 8.0\n.target sm_80\n.address_size 64\n"
                           ".visible .entry _ZN2ns4k_ofILi32EEEvPf(.param .u64 p) { ret; }\n";

static void begin(const char *what, const char *name, gpointer data)
{
    if (what)
        g_ptr_array_add(data, g_strdup_printf("%s %s", what, name));
}

static void test_executing(void)
{
    g_autoptr(GError) error = NULL;
    g_autoptr(GPtrArray) begun = g_ptr_array_new_with_free_func(g_free);
    g_autofree char *path = NULL;
    char *arguments[] = {(char *)"p=0", NULL};
    const PsCodeOptions options = {.host = {.begin = begin, .data = begun},
                                   .prefix = "--",
                                   .grid = (char *)"1",
                                   .block = (char *)"32",
                                   .arguments = arguments,
                                   .registers_from = PS_CODE_REGISTERS_NONE,
                                   .from = PS_CODE_PTX};
    g_close(g_file_open_tmp("progress-XXXXXX.ptx", &path, &error), NULL);
    g_file_set_contents(path, text, -1, &error);
    g_assert_no_error(error);
    g_autoptr(PsBuiltGraph) built = ps_built_graph_new(&options, path, NULL, &error);
    g_unlink(path);
    g_assert_no_error(error);
    g_assert_cmpuint(begun->len, ==, 3);
    g_assert_true(g_str_has_suffix(begun->pdata[0], path));
    g_assert_cmpstr(begun->pdata[2], ==, "executing k_of");
    g_assert_cmpstr(built->build->idg->name, ==, "k_of");
}

int main(int argc, char **argv)
{
    g_test_init(&argc, &argv, NULL);
    g_test_add_func("/code-progress/executing", test_executing);
    return g_test_run();
}

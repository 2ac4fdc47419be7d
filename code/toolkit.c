/* SPDX-License-Identifier: BSD-3-Clause */
/* See toolkit.h. */
#include "code/toolkit.h"

char *ps_toolkit_folder(void)
{
    const char *home = g_getenv("CUDA_HOME");
    return g_build_filename(home && *home ? home : "/usr/local/cuda", "bin", NULL);
}

static char *in_own(const char *folder, const char *name)
{
    return g_build_filename(g_get_user_data_dir(), "pipesim", "sass", folder, name, NULL);
}

char *ps_toolkit_own(const char *name)
{
    return in_own("bin", name);
}

static void add(GPtrArray *all, char *path)
{
    g_autofree char *own = path;
    if (own && g_file_test(own, G_FILE_TEST_IS_EXECUTABLE) &&
        !g_ptr_array_find_with_equal_func(all, own, g_str_equal, NULL))
        g_ptr_array_add(all, g_steal_pointer(&own));
}

GPtrArray *ps_toolkit_all(const char *name)
{
    GPtrArray *all = g_ptr_array_new_with_free_func(g_free);
    g_autofree char *folder = ps_toolkit_folder();
    add(all, g_find_program_in_path(name));
    add(all, g_build_filename(folder, name, NULL));
    add(all, ps_toolkit_own(name));
    add(all, in_own("older", name));
    return all;
}

/* The chips that --help names as values of an option, 'sm_70' (ptxas) or 'SM70' (nvdisasm). */
static GArray *chips_of(const PsToolHost *tools, const char *program)
{
    GArray *chips = g_array_new(FALSE, FALSE, sizeof(guint));
    char *argv[] = {(char *)program, (char[]){"--help"}, NULL};
    g_autoptr(GString) said = g_string_new(NULL);
    g_autoptr(GRegex) one = g_regex_new("'(?:sm_|SM)([0-9]+)'", G_REGEX_RAW, 0, NULL);
    g_autoptr(GMatchInfo) match = NULL;
    const PsTool tool = {.host = tools,
                         .argv = argv,
                         .written = said,
                         .limits = {.work = 10, .wait = 300, .bytes = 1 << 20}};
    ps_tool_run(&tool, NULL);
    for (g_regex_match(one, said->str, 0, &match); g_match_info_matches(match);
         g_match_info_next(match, NULL)) {
        g_autofree char *number = g_match_info_fetch(match, 1);
        const guint chip = (guint)g_ascii_strtoull(number, NULL, 10);
        g_array_append_val(chips, chip);
    }
    return chips;
}

gboolean ps_toolkit_knows(const PsToolHost *tools, const char *program, guint architecture)
{
    g_autoptr(GArray) chips = chips_of(tools, program);
    for (guint i = 0; i < chips->len; i++)
        if (g_array_index(chips, guint, i) == architecture)
            return TRUE;
    return chips->len == 0;
}

char *ps_toolkit_known(const PsToolHost *tools, const char *program)
{
    g_autoptr(GArray) chips = chips_of(tools, program);
    guint least = G_MAXUINT, most = 0;
    for (guint i = 0; i < chips->len; i++) {
        least = MIN(least, g_array_index(chips, guint, i));
        most = MAX(most, g_array_index(chips, guint, i));
    }
    return chips->len ? g_strdup_printf("sm_%u to sm_%u", least, most) : NULL;
}

char *ps_toolkit_for(const PsToolHost *tools, const char *name, guint architecture)
{
    g_autoptr(GPtrArray) all = ps_toolkit_all(name);
    for (guint i = 0; i < all->len; i++)
        if (ps_toolkit_knows(tools, all->pdata[i], architecture))
            return g_strdup(all->pdata[i]);
    return NULL;
}

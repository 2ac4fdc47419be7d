/* SPDX-License-Identifier: BSD-3-Clause */
/* See toolkit.h. */
#include "code/toolkit.h"

#include "base/tool.h"
#include "code/kept.h"

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

/* The output of --help (g_bytes_unref). It is kept, since running a program takes a tenth of a
 * second. */
static GBytes *help_of(const PsCodeOptions *options, const char *program)
{
    g_autoptr(GChecksum) key = ps_store_key_new("help 1");
    ps_store_key_add_program(key, program);
    GBytes *kept = ps_kept_find(options, key, NULL);
    if (kept)
        return kept;
    char *argv[] = {(char *)program, (char[]){"--help"}, NULL};
    g_autoptr(GString) said = g_string_new(NULL);
    const PsTool tool = {.host = options->host.tools,
                         .argv = argv,
                         .written = said,
                         .limits = {.work = 10, .wait = 300, .bytes = 1 << 20}};
    const gboolean good = ps_tool_run(&tool, NULL);
    GBytes *help = g_string_free_to_bytes(g_steal_pointer(&said));
    if (good)
        ps_kept_put(options, key, NULL, help);
    return help;
}

/* The chips that --help lists for an option: 'sm_70' (ptxas) or 'SM70' (nvdisasm). */
static GArray *chips_of(const PsCodeOptions *options, const char *program)
{
    GArray *chips = g_array_new(FALSE, FALSE, sizeof(guint));
    g_autoptr(GBytes) help = help_of(options, program);
    g_autoptr(GRegex) one = g_regex_new("'(?:sm_|SM)([0-9]+)'", G_REGEX_RAW, 0, NULL);
    g_autoptr(GMatchInfo) match = NULL;
    gsize size;
    const char *said = g_bytes_get_data(help, &size);
    for (g_regex_match_full(one, said ? said : "", (gssize)size, 0, 0, &match, NULL);
         g_match_info_matches(match); g_match_info_next(match, NULL)) {
        g_autofree char *number = g_match_info_fetch(match, 1);
        const guint chip = (guint)g_ascii_strtoull(number, NULL, 10);
        g_array_append_val(chips, chip);
    }
    return chips;
}

gboolean ps_toolkit_knows(const PsCodeOptions *options, const char *program, guint architecture)
{
    g_autoptr(GArray) chips = chips_of(options, program);
    for (guint i = 0; i < chips->len; i++)
        if (g_array_index(chips, guint, i) == architecture)
            return TRUE;
    return chips->len == 0;
}

char *ps_toolkit_known(const PsCodeOptions *options, const char *program)
{
    g_autoptr(GArray) chips = chips_of(options, program);
    guint least = G_MAXUINT, most = 0;
    for (guint i = 0; i < chips->len; i++) {
        least = MIN(least, g_array_index(chips, guint, i));
        most = MAX(most, g_array_index(chips, guint, i));
    }
    return chips->len ? g_strdup_printf("sm_%u to sm_%u", least, most) : NULL;
}

char *ps_toolkit_for(const PsCodeOptions *options, const char *name, guint architecture)
{
    g_autoptr(GPtrArray) all = ps_toolkit_all(name);
    for (guint i = 0; i < all->len; i++)
        if (ps_toolkit_knows(options, all->pdata[i], architecture))
            return g_strdup(all->pdata[i]);
    return NULL;
}

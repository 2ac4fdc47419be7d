/* SPDX-License-Identifier: BSD-3-Clause */
#include "code/tool-run.h"

#include "base/folder.h"

#include <string.h>

void ps_code_add_words(GPtrArray *argv, const char *const *texts)
{
    for (; *texts; texts++)
        g_ptr_array_add(argv, g_strdup(*texts));
}

/* A compiler's first error, or the first line (g_free); NULL: it printed nothing. */
static char *first_error(const char *said)
{
    const char *at = strstr(said, "error");
    while (at && at > said && at[-1] != '\n')
        at--;
    at = at ? at : said;
    g_autofree char *line = g_strndup(at, strcspn(at, "\n"));
    return *line ? g_utf8_make_valid(line, -1) : NULL;
}

/* Runs without printing: its messages become part of ours. Its temporary files have their own
 * folder, since a killed compiler removes none. */
static gboolean run_unseen(const PsCodeOptions *build, char **argv, GError **error)
{
    char *folder = ps_folder_private(error);
    if (!folder)
        return FALSE;
    g_auto(GStrv) environment = g_environ_setenv(g_get_environ(), "TMPDIR", folder, TRUE);
    g_autoptr(GString) said = g_string_new(NULL);
    g_autoptr(GError) why = NULL;
    const PsTool tool = {.host = build->host.tools,
                         .argv = argv,
                         .environment = environment,
                         .said = said,
                         .hearer = build->host.hearer};
    const gboolean good = ps_tool_run(&tool, &why);
    g_autofree char *told = good ? NULL : first_error(said->str),
                    *name = g_path_get_basename(argv[0]);
    ps_folder_remove(folder);
    if (!good && g_error_matches(why, PS_ERROR, PS_ERROR_CANCELLED))
        g_propagate_error(error, g_steal_pointer(&why));
    else if (!good)
        g_set_error(error, PS_ERROR, PS_ERROR_READ, "%s failed: %s", name,
                    told ? told : why->message);
    return good;
}

#define CRASHED 128 /* a shell's status of what a signal ended, and above */

int ps_code_run_tool(const PsCodeOptions *build, const GPtrArray *argv, GError **error)
{
    if (!build->host.compile) {
        run_unseen(build, (char **)argv->pdata, error);
        return 0;
    }
    g_autofree char *folder = ps_folder_tmp();
    g_auto(GStrv) environment = g_environ_setenv(g_get_environ(), "TMPDIR", folder, TRUE);
    int asked;
    const int status = build->host.compile((char **)argv->pdata, environment, &asked, error);
    if (status == 0 || asked)
        return asked;
    g_autofree char *name = g_path_get_basename(argv->pdata[0]);
    if (error && !*error && status >= CRASHED)
        g_set_error(error, PS_ERROR, PS_ERROR_READ, "%s failed, with the exit status %d", name,
                    status);
    else if (error && !*error)
        g_set_error(error, PS_ERROR, PS_ERROR_READ,
                    "%s failed, with the exit status %d; it says above why, and %scompiler-options "
                    "passes it options such as -I FOLDER",
                    name, status, build->prefix);
    return 0;
}

void ps_code_end(const PsCodeOptions *build, int signal, GError **error)
{
    if (signal && build->host.end)
        build->host.end(signal);
    if (signal && error && !*error)
        g_set_error(error, PS_ERROR, PS_ERROR_CANCELLED, "ended by signal %d", signal);
}

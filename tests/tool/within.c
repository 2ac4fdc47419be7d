/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * A program within limits: WORK WAIT BYTES PROGRAM ARGUMENT... What became of it is printed, with
 * how many bytes it wrote.
 */
#include "cli/system/draft.h"

#include <stdlib.h>

int main(int argc, char **argv)
{
    if (argc < 5)
        return 2;
    g_autoptr(GString) written = g_string_new(NULL);
    const PsTool tool = {
        .host = &draft_host,
        .argv = argv + 4,
        .written = written,
        .limits = {(guint)atoi(argv[1]), (guint)atoi(argv[2]), (gsize)atoi(argv[3])}};
    g_autoptr(GError) error = NULL;
    const gboolean good = ps_tool_run(&tool, &error);
    g_print("%s; %" G_GSIZE_FORMAT " bytes\n", good ? "ended" : error->message, written->len);
    return 0;
}

/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * A program within limits: WORK WAIT BYTES PROGRAM ARGUMENT... What became of it is printed, with
 * how many bytes it wrote.
 */
#include "cli/system/tool.h"

#include <stdlib.h>

int main(int argc, char **argv)
{
    if (argc < 5)
        return 2;
    const ToolLimits limits = {(guint)atoi(argv[1]), (guint)atoi(argv[2]), (gsize)atoi(argv[3])};
    g_autoptr(GString) written = g_string_new(NULL);
    g_autoptr(GError) error = NULL;
    const gboolean good = tool_run_within(argv + 4, &limits, written, NULL, &error);
    g_print("%s; %" G_GSIZE_FORMAT " bytes\n", good ? "ended" : error->message, written->len);
    return 0;
}

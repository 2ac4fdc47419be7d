/* SPDX-License-Identifier: BSD-3-Clause */
/* The verb mcp: passes standard input to the library's server of tools, and its lines to standard
 * output. */
#include "cli/check.h"
#include "cli/fail.h"
#include "cli/find.h"
#include "cli/verbs.h"
#include "pipesim-private.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

static gboolean say(const char *line, gpointer data)
{
    gsize length = strlen(line);
    (void)data;
    while (length > 0) {
        const gssize written = write(STDOUT_FILENO, line, length);
        if (written < 0 && errno != EINTR)
            return FALSE;
        line += MAX(written, 0);
        length -= (gsize)MAX(written, 0);
    }
    return TRUE;
}

/* Reads to the end of standard input. FALSE and *error if that fails. */
static gboolean hear(PsService *service, GError **error)
{
    char bytes[1 << 16];
    for (;;) {
        const gssize n = read(STDIN_FILENO, bytes, sizeof bytes);
        if (n == 0)
            return TRUE;
        if (n > 0) {
            ps_service_hear(service, bytes, (gsize)n);
        } else if (errno != EINTR) {
            const int why = errno;
            g_set_error(error, PS_ERROR, PS_ERROR_READ, "standard input cannot be read: %s",
                        g_strerror(why));
            return FALSE;
        }
    }
}

static gboolean check(const Options *options, GError **error)
{
    if (options->output)
        return usage_error(error, "--output is no use here: a client reads standard output");
    return !options->files ||
           usage_error(error, "'%s': mcp takes no names: a client asks for files",
                       options->files[0]);
}

int mcp_verb(const Options *options)
{
    g_autoptr(GError) error = NULL;
    if (!check(options, &error))
        return check_failed(error);
    g_autoptr(GPtrArray) gpus = find_folders("gpus"), graphs = find_folders("graphs");
    PsService *service = ps_service_new((const char *const *)gpus->pdata,
                                        (const char *const *)graphs->pdata, say, NULL, &error);
    if (!service)
        return fail(error);
    const gboolean heard = hear(service, &error);
    const int why = ps_service_end(service) ? 0 : EPIPE;
    if (heard && why)
        g_set_error(&error, PS_ERROR, PS_ERROR_READ, "standard output cannot be written");
    return error ? fail(error) : EXIT_SUCCESS;
}

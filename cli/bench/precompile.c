/* SPDX-License-Identifier: BSD-3-Clause */
/* See precompile.h. */
#include "cli/bench/precompile.h"

#include "cli/fail.h"
#include "cli/system/output.h"
#include "pipesim-private.h"

#include <errno.h>
#include <stdlib.h>

static gboolean make_folder(const char *path, GError **error)
{
    if (g_mkdir_with_parents(path, 0777) == 0)
        return TRUE;
    const int why = errno;
    g_set_error(error, PS_ERROR, PS_ERROR_READ, "%s: cannot be made: %s", path, g_strerror(why));
    return FALSE;
}

/* Names each file as soon as it is written: each takes a while. */
static gboolean write_archive(void *self, const char *name, GBytes *archive, GError **error)
{
    const Options *options = self;
    g_autofree char *path = g_build_filename(options->output, name, NULL);
    g_autofree char *text = g_strdup_printf("%s\n", path);
    gsize bytes;
    const void *data = g_bytes_get_data(archive, &bytes);
    return make_folder(options->output, error) && output_write_bytes(path, data, bytes, error) &&
           output_write(NULL, text, error);
}

int bench_precompile(const Options *options)
{
    g_autoptr(GError) error = NULL;
    progress_begin(options->progress, "compiling kernels", NULL);
    if (ps_precompile((const char *const *)options->bench.precompile, write_archive,
                      (void *)options, &error))
        return EXIT_SUCCESS;
    return fail(error);
}

/* SPDX-License-Identifier: BSD-3-Clause */
/* See output.h. */
#define _XOPEN_SOURCE 700 /* realpath */
#include "cli/system/output.h"

#include "cli/system/draft.h"
#include "cli/system/interrupt.h"
#include "cli/system/line.h"
#include "cli/system/nameless.h"

#include <errno.h>
#include <glib/gstdio.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

struct Output {
    char *path;      /* final path, links resolved; only for messages unless is_new */
    char *draft;     /* temporary name, or NULL */
    gboolean is_new; /* a new file; otherwise output goes to the path directly */
    FILE *stream;
    gboolean at_once; /* each text is written at once */
    gboolean is_terminal;
    int why; /* errno of the first failed write, or 0 */
};

static gboolean output_error(GError **error, const char *path, int why)
{
    g_set_error(error, G_FILE_ERROR, g_file_error_from_errno(why), "%s: cannot be written: %s",
                path, g_strerror(why));
    return FALSE;
}

static void output_free(Output *output)
{
    g_free(output->path);
    g_free(output->draft);
    g_free(output);
}

/* Opens a file without a name if the system can. */
static int open_new(Output *output)
{
    g_autofree char *folder = g_path_get_dirname(output->path);
    g_autofree char *name = g_path_get_basename(output->path);
    const int fd = nameless_open(folder);
    if (fd >= 0)
        return fd;
    output->draft = g_strdup_printf("%s/.%s.XXXXXX", folder, name);
    return draft_open(output->draft);
}

/* Opens a new file beside the path, with the mode of the file that it replaces. */
static FILE *open_beside(Output *output, const struct stat *old)
{
    const int fd = open_new(output);
    if (fd < 0)
        return NULL;
    output->is_new = TRUE;
    /* If that is refused, the new file has the usual mode, which is no error. */
    if (old)
        (void)!fchmod(fd, old->st_mode & 07777);
    return fdopen(fd, "wb");
}

static FILE *open_stream(Output *output, const char *path)
{
    struct stat old;
    const gboolean exists = stat(path, &old) == 0;
    if (exists && S_ISDIR(old.st_mode)) {
        errno = EISDIR;
        return NULL;
    }
    if (exists && !S_ISREG(old.st_mode))
        return fopen(path, "wb");
    char *real = exists ? realpath(path, NULL) : NULL;
    if (real) {
        g_free(output->path);
        output->path = g_strdup(real);
        free(real);
    }
    return open_beside(output, exists ? &old : NULL);
}

Output *output_open(const char *path, GError **error)
{
    Output *output = g_new0(Output, 1);
    if (!path || strcmp(path, "-") == 0) {
        output->path = g_strdup("standard output");
        output->stream = stdout;
        output->at_once = TRUE;
        output->is_terminal = isatty(STDOUT_FILENO);
        return output;
    }
    output->path = g_strdup(path);
    output->stream = open_stream(output, path);
    if (!output->stream) {
        output_error(error, path, errno);
        output_free(output);
        return NULL;
    }
    return output;
}

Output *output_append(const char *path, FILE *stream)
{
    Output *output = g_new0(Output, 1);
    *output = (Output){.path = g_strdup(path), .stream = stream, .at_once = TRUE};
    return output;
}

/* A reader that goes away ends the program, even if the parent process ignores that signal.
 * Programs that we run shall inherit the ignoring, so it is changed only here. */
static void end_without_reader(int why)
{
    if (why != EPIPE)
        return;
    draft_end();
    interrupt_die(SIGPIPE);
}

static gboolean write_bytes(Output *output, const void *bytes, gsize size)
{
    if (output->is_terminal)
        line_lift();
    const gboolean put = fwrite(bytes, 1, size, output->stream) == size &&
                         (!output->at_once || fflush(output->stream) == 0);
    if (output->is_terminal)
        line_lower(size == 0 || ((const char *)bytes)[size - 1] == '\n');
    return put;
}

gboolean output_put_bytes(Output *output, const void *bytes, gsize size, GError **error)
{
    const gboolean put = write_bytes(output, bytes, size);
    if (!put && !output->why) {
        output->why = errno;
        end_without_reader(output->why);
    }
    return put || output_error(error, output->path, output->why);
}

gboolean output_put(Output *output, const char *text, GError **error)
{
    return output_put_bytes(output, text, strlen(text), error);
}

/* The first failure counts. */
static void note_failure(Output *output, gboolean failed)
{
    if (!failed || output->why)
        return;
    output->why = errno;
    end_without_reader(output->why);
}

/* FALSE and errno. Some file systems report a full disk only here. Files that are not on a disk
 * need no wait. */
static gboolean reach_disk(FILE *stream)
{
    return fsync(fileno(stream)) == 0 || errno == EINVAL || errno == EROFS || errno == ENOTSUP;
}

/* FALSE and errno. */
static gboolean put_in_place(Output *output)
{
    if (!output->draft)
        return nameless_name(fileno(output->stream), output->path);
    if (g_rename(output->draft, output->path) != 0)
        return FALSE;
    draft_keep(output->draft);
    g_clear_pointer(&output->draft, g_free);
    return TRUE;
}

/* Leaves standard output open; removes an output that did not get its place. */
static void end_output(Output *output)
{
    if (output->stream != stdout)
        fclose(output->stream);
    if (output->draft)
        draft_remove(output->draft);
    output_free(output);
}

gboolean output_commit(Output *output, GError **error)
{
    note_failure(output, fflush(output->stream) != 0);
    note_failure(output, output->stream != stdout && !reach_disk(output->stream));
    note_failure(output, output->is_new && !output->why && !put_in_place(output));
    const gboolean done = !output->why || output_error(error, output->path, output->why);
    end_output(output);
    return done;
}

void output_drop(Output *output)
{
    if (output)
        end_output(output);
}

gboolean output_write(const char *path, const char *text, GError **error)
{
    return output_write_bytes(path, text, strlen(text), error);
}

gboolean output_write_bytes(const char *path, const void *bytes, gsize size, GError **error)
{
    Output *output = output_open(path, error);
    if (!output)
        return FALSE;
    if (output_put_bytes(output, bytes, size, error))
        return output_commit(output, error);
    output_drop(output);
    return FALSE;
}

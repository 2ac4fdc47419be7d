/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Reads a file, a pipe or a device up to a limit, until its end: pipes and devices have no size to
 * ask for.
 */
#include "base/file.h"
#include <errno.h>
#include <fcntl.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#define MIB ((gsize)1024 * 1024)

static gboolean read_error(const char *path, const char *what, GError **error)
{
    ps_error_at(error, PS_ERROR_READ, (PsPlace){path, 0}, "cannot be read: %s", what);
    return FALSE;
}

static gboolean too_long(const char *path, gsize max_bytes, GError **error)
{
    const gboolean whole = max_bytes % MIB == 0;
    ps_error_at(error, PS_ERROR_LIMIT, (PsPlace){path, 0},
                "longer than %" G_GSIZE_FORMAT " %s, the most allowed",
                whole ? max_bytes / MIB : max_bytes, whole ? "MiB" : "bytes");
    return FALSE;
}

static gboolean read_all(int fd, const char *path, gsize max_bytes, GString *bytes, GError **error)
{
    struct stat status;
    if (fstat(fd, &status) == 0 && S_ISDIR(status.st_mode))
        return read_error(path, "it is a folder, not a file", error);
    char chunk[16 * 1024];
    while (bytes->len <= max_bytes) {
        ssize_t got = read(fd, chunk, sizeof chunk);
        if (got == 0)
            return TRUE;
        if (got > 0)
            g_string_append_len(bytes, chunk, got);
        else if (errno != EINTR)
            return read_error(path, g_strerror(errno), error);
    }
    return too_long(path, max_bytes, error);
}

char *ps_file_read(const char *path, gsize max_bytes, gsize *length, GError **error)
{
    const gboolean standard_input = strcmp(path, "-") == 0;
    int fd = standard_input ? STDIN_FILENO : open(path, O_RDONLY | O_CLOEXEC | O_NOCTTY);
    if (fd < 0) {
        read_error(path, g_strerror(errno), error);
        return NULL;
    }
    GString *bytes = g_string_new(NULL);
    const gboolean ok = read_all(fd, path, max_bytes, bytes, error);
    if (!standard_input)
        close(fd);
    if (length)
        *length = bytes->len;
    return g_string_free(bytes, !ok);
}

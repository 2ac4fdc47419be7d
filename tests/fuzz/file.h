/* SPDX-License-Identifier: BSD-3-Clause */
/* An input as a file, for readers that take a path. Needs _GNU_SOURCE, for memfd_create. */
#ifndef PIPESIM_TESTS_FUZZ_FILE_H
#define PIPESIM_TESTS_FUZZ_FILE_H

#include <glib.h>

#include <sys/mman.h>
#include <unistd.h>

/* Begins the path of each such file. */
#define FUZZ_FOLDER "/proc/self/fd/"

typedef struct {
    int fd;
    char path[32];
} FuzzFile;

static inline FuzzFile fuzz_file(const guint8 *data, gsize size)
{
    FuzzFile file = {.fd = memfd_create("fuzz", 0)};
    g_assert_cmpint(file.fd, >=, 0);
    g_assert_cmpint(write(file.fd, data, size), ==, (gssize)size);
    g_snprintf(file.path, sizeof file.path, FUZZ_FOLDER "%d", file.fd);
    return file;
}

static inline void fuzz_file_clear(FuzzFile *file)
{
    close(file->fd);
}

/* Either a result or one error, which names the file. */
static inline void fuzz_check(gboolean good, const GError *error)
{
    g_assert_true(good == (error == NULL));
    if (error)
        g_assert_nonnull(g_strstr_len(error->message, -1, FUZZ_FOLDER));
}

G_DEFINE_AUTO_CLEANUP_CLEAR_FUNC(FuzzFile, fuzz_file_clear)

#endif

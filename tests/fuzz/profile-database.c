/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Profiles that are SQLite databases: see profile.h. SQLite opens no file of memory, so that this
 * is one on a disk of it.
 */
#define _GNU_SOURCE /* memfd_create */
#include "tests/fuzz/profile.h"

#include <fcntl.h>

int LLVMFuzzerTestOneInput(const guint8 *data, gsize size);

int LLVMFuzzerTestOneInput(const guint8 *data, gsize size)
{
    static char path[64];
    if (!*path)
        g_snprintf(path, sizeof path, "/dev/shm/pipesim-fuzz-%d.db", (int)getpid());
    const int fd = open(path, O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, 0600);
    g_assert_cmpint(fd, >=, 0);
    g_assert_cmpint(write(fd, data, size), ==, (gssize)size);
    close(fd);
    fuzz_profile(path);
    unlink(path);
    return 0;
}

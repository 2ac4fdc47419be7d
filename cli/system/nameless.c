/* SPDX-License-Identifier: BSD-3-Clause */
/* See nameless.h. */
#define _GNU_SOURCE /* O_TMPFILE */
#include "cli/system/nameless.h"

#include "pipesim-private.h"

#include <errno.h>
#include <fcntl.h>
#include <glib/gstdio.h>
#include <unistd.h>

#ifdef O_TMPFILE
/* The system's own name of the file, which link needs (g_free). */
static char *name_by_number(int fd)
{
    return g_strdup_printf("/proc/self/fd/%d", fd);
}

int nameless_open(const char *folder)
{
    const int fd = open(folder, O_TMPFILE | O_RDWR | O_CLOEXEC, 0666);
    if (fd < 0)
        return -1;
    g_autofree char *number = name_by_number(fd);
    if (access(number, F_OK) == 0)
        return fd;
    /* Without /proc the file could never get a name. */
    close(fd);
    return -1;
}

/* Only rename replaces a name, and rename needs one to begin with. */
static gboolean replace(const char *number, const char *path)
{
    g_autofree char *folder = g_path_get_dirname(path), *base = g_path_get_basename(path);
    for (;;) {
        g_autofree char *passing =
            g_strdup_printf("%s/.%s.%06x", folder, base, (guint)g_random_int_range(0, 1 << 24));
        if (linkat(AT_FDCWD, number, AT_FDCWD, passing, AT_SYMLINK_FOLLOW) == 0) {
            if (g_rename(passing, path) == 0)
                return TRUE;
            const int why = errno;
            g_unlink(passing);
            errno = why;
            return FALSE;
        }
        if (errno != EEXIST)
            return FALSE;
    }
}

gboolean nameless_name(int fd, const char *path)
{
    sigset_t old;
    g_autofree char *number = name_by_number(fd);
    ps_tool_block_signals(&old);
    gboolean named = linkat(AT_FDCWD, number, AT_FDCWD, path, AT_SYMLINK_FOLLOW) == 0;
    if (!named && errno == EEXIST)
        named = replace(number, path);
    const int why = errno;
    pthread_sigmask(SIG_SETMASK, &old, NULL);
    errno = why;
    return named;
}
#else
int nameless_open(const char *folder)
{
    (void)folder;
    return -1;
}

gboolean nameless_name(int fd, const char *path)
{
    (void)fd;
    (void)path;
    errno = ENOSYS;
    return FALSE;
}
#endif

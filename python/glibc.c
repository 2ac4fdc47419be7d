/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * What the wheel's libraries take from glibc and glibc 2.28 lacks under these names: the kernel's
 * calls, and nothing for the two by which GIO asks name servers, which nobody here does.
 */
#define _GNU_SOURCE
#include <errno.h>
#include <fcntl.h>
#include <sys/syscall.h>
#include <unistd.h>

/* The headers of glibc 2.33 declare each of them, and would make two of them one. */
#pragma GCC diagnostic ignored "-Wmissing-prototypes"

int stat(const char *path, void *found)
{
    return (int)syscall(SYS_newfstatat, AT_FDCWD, path, found, 0);
}

int lstat(const char *path, void *found)
{
    return (int)syscall(SYS_newfstatat, AT_FDCWD, path, found, AT_SYMLINK_NOFOLLOW);
}

int fstat(int file, void *found)
{
    return (int)syscall(SYS_fstat, file, found);
}

int fstatat(int folder, const char *path, void *found, int flags)
{
    return (int)syscall(SYS_newfstatat, folder, path, found, flags);
}

int stat64(const char *path, void *found) __attribute__((alias("stat")));
int lstat64(const char *path, void *found) __attribute__((alias("lstat")));
int fstat64(int file, void *found) __attribute__((alias("fstat")));

int close_range(unsigned first, unsigned last, int flags)
{
    return (int)syscall(SYS_close_range, first, last, flags);
}

pid_t gettid(void)
{
    return (pid_t)syscall(SYS_gettid);
}

static int fail(void)
{
    errno = ENOSYS;
    return -1;
}

int dn_expand(void)
{
    return fail();
}

int res_nquery(void)
{
    return fail();
}

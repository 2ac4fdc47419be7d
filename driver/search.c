/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * The loader of a program asks this library, by LD_AUDIT, where each library is (rtld-audit(7)). A
 * library with a search path of its own (DT_RPATH) would find NVIDIA's beside itself before it
 * looks into LD_LIBRARY_PATH, and so would one that is opened by its whole path. Libraries that lie
 * in the folders of PIPESIM_PROGRAM_LIBRARIES are found there.
 *
 * It is loaded into each process of the program, before all else, with a C library of its own. So
 * it needs nothing but that.
 */
#define _GNU_SOURCE
#include <link.h>

#include <limits.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#pragma GCC visibility push(default)

unsigned int la_version(unsigned int version)
{
    return version < LAV_CURRENT ? version : LAV_CURRENT;
}

/* Several threads never come here at once: the loader holds its lock. It copies the path. */
char *la_objsearch(const char *name, uintptr_t *cookie, unsigned int from)
{
    static char path[PATH_MAX];
    const char *slash = strrchr(name, '/'), *last = slash ? slash + 1 : name;
    const char *folders = getenv("PIPESIM_PROGRAM_LIBRARIES");
    (void)cookie;
    while (from == LA_SER_ORIG && folders && *folders) {
        const size_t length = strcspn(folders, ":");
        const int n = snprintf(path, sizeof path, "%.*s/%s", (int)length, folders, last);
        if (n > 0 && (size_t)n < sizeof path && access(path, R_OK) == 0)
            return path;
        folders += length + (folders[length] == ':');
    }
    return (char *)name;
}

#pragma GCC visibility pop

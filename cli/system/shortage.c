/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * When the system has no memory left, the program ends like after any failure: with a message, exit
 * status 1, and no draft left. This file decides that for every user of memory: libxml2 would go on
 * with half a file, and GLib ends a program by a trap, or, if its own message finds no room, by
 * endless recursion.
 *
 * The program's own malloc, calloc, realloc and posix_memalign (GSlice's) precede those of the C
 * library, which allows that. They call those of the C library, whose free stays in use. Memory
 * checkers replace them in the same way and are left alone; so are other C libraries.
 */
#include "cli/system/draft.h"
#include "cli/fail.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>

#ifdef __has_feature
#define CLANG_HAS(feature) __has_feature(feature)
#else
#define CLANG_HAS(feature) 0
#endif

#if defined(__GLIBC__) && !defined(__SANITIZE_ADDRESS__) && !defined(__SANITIZE_THREAD__) &&       \
    !CLANG_HAS(address_sanitizer) && !CLANG_HAS(thread_sanitizer)

/* glibc's names for its own. NOLINTBEGIN(clang-diagnostic-reserved-identifier) */
void *__libc_malloc(size_t size);
void *__libc_calloc(size_t n, size_t size);
void *__libc_realloc(void *old, size_t size);
void *__libc_memalign(size_t alignment, size_t size);
/* NOLINTEND(clang-diagnostic-reserved-identifier) */

/* Needs no memory; any thread may call it. */
static G_NORETURN void end(size_t size)
{
    char text[256];
    const int length = snprintf(text, sizeof text,
                                "pipesim: out of memory: there is no room for %zu bytes more; a "
                                "smaller problem, fewer --jobs or a higher limit (ulimit -v) "
                                "helps\n",
                                size);
    draft_end();
    (void)!write(STDERR_FILENO, text, (size_t)length);
    _exit(EXIT_INPUT);
}

__attribute__((visibility("default"))) void *malloc(size_t size)
{
    void *memory = __libc_malloc(size);
    if (!memory)
        end(size);
    return memory;
}

__attribute__((visibility("default"))) void *calloc(size_t n, size_t size)
{
    void *memory = __libc_calloc(n, size);
    if (!memory)
        end(n * size);
    return memory;
}

/* NULL for a size of 0, which frees. */
__attribute__((visibility("default"))) void *realloc(void *old, size_t size)
{
    void *memory = __libc_realloc(old, size);
    if (!memory && size)
        end(size);
    return memory;
}

__attribute__((visibility("default"))) int posix_memalign(void **memory, size_t alignment,
                                                          size_t size)
{
    if (alignment % sizeof(void *) != 0 || (alignment & (alignment - 1)) != 0 || alignment == 0)
        return EINVAL;
    *memory = __libc_memalign(alignment, size);
    if (!*memory)
        end(size);
    return 0;
}

#endif

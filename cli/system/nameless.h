/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Files that get a name when they are whole. Whatever ends the program before, kill -9 and a crash
 * among it, leaves nothing of them. Linux has such files on most of its file systems.
 */
#ifndef PIPESIM_CLI_SYSTEM_NAMELESS_H
#define PIPESIM_CLI_SYSTEM_NAMELESS_H

#include <glib.h>

/* A file without a name in that folder: a file descriptor to read and write; -1 where the file
 * system or the kernel has no such files, or the folder takes none. */
int nameless_open(const char *folder);

/* Gives it its name, in place of the file that has it now. FALSE and errno on failure. For the main
 * thread: no signal comes in between. Only where a file is replaced, and kill -9 comes between the
 * two calls that it takes, the new one stays under a passing name, whole, beside the old one. */
gboolean nameless_name(int fd, const char *path);

#endif

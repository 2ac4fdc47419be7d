/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Files that get a name when they are complete. Whatever ends the program before, even kill -9 or a
 * crash, leaves nothing of them. Linux has such files on most of its file systems.
 */
#ifndef PIPESIM_CLI_SYSTEM_NAMELESS_H
#define PIPESIM_CLI_SYSTEM_NAMELESS_H

#include <glib.h>

/* A file without a name in that folder: a file descriptor to read and write; -1 where the file
 * system or the kernel has no such files, or the folder takes none. */
int nameless_open(const char *folder);

/* Gives the file its name, replacing the file that has it. FALSE and errno on failure. For the main
 * thread: no signal comes in between. If kill -9 comes between the two calls that a replacement
 * takes, the new file stays, complete, under a temporary name beside the old one. */
gboolean nameless_name(int fd, const char *path);

#endif

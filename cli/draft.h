/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Files under a passing name. They vanish if a signal (Ctrl-C, an end of the terminal, a closed
 * pipe) ends the program before they are in their place.
 */
#ifndef PIPESIM_CLI_DRAFT_H
#define PIPESIM_CLI_DRAFT_H

/* Makes the file; the XXXXXX in path become what makes it new. Returns a file descriptor, -1 and
 * errno on failure. For the main thread. */
int draft_open(char *path);

/* The file is in its place, or shall stay under its name. */
void draft_keep(const char *path);

/* Removes the file. */
void draft_remove(const char *path);

#endif

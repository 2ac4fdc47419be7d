/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * How the program speaks on standard error, and the exit status that each kind of failure has.
 */
#ifndef PIPESIM_CLI_FAIL_H
#define PIPESIM_CLI_FAIL_H

#include "pipesim-private.h"

enum { EXIT_INPUT = 1, EXIT_USAGE = 2 };

/* Says "pipesim: " and the message on one line, and returns the exit status for that error. */
int fail(const GError *error);

/* The exit status alone. */
int exit_status(const GError *error);

/* Prints "pipesim: " and the text on one line: a remark, neither error nor doubt. */
void note(const char *text);

/* Says "pipesim: warning: " and the text on one line. */
void warn(const char *text);

/* Prints the text alone on one line: a command, to be copied. */
void show_command(const char *text);

/* An error of wrong usage (PS_ERROR_USAGE); returns FALSE, so that a parser can return it. */
gboolean usage_error(GError **error, const char *format, ...) G_GNUC_PRINTF(2, 3);

#endif

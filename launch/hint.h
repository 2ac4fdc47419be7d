/* SPDX-License-Identifier: BSD-3-Clause */
/* Finds the likely cause if a kernel accesses memory outside of its arguments. */
#ifndef PIPESIM_LAUNCH_HINT_H
#define PIPESIM_LAUNCH_HINT_H

#include "launch/launch.h"

/* A clause for the end of the error's message, "; a is ..." (g_free): which argument is a pointer
 * and got the number that the message has, or points to pointers and got a plain buffer, and what
 * to give it. NULL: none. */
char *ps_launch_hint(const PsLaunchArguments *arguments, const PsLaunchTexts *texts,
                     const char *message);

#endif

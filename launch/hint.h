/* SPDX-License-Identifier: BSD-3-Clause */
/* What may be the cause where a kernel goes to memory that is none of its arguments'. */
#ifndef PIPESIM_LAUNCH_HINT_H
#define PIPESIM_LAUNCH_HINT_H

#include "launch/launch.h"

/* Which argument is a pointer and got a number, of which the error's message speaks, or points to
 * pointers and got a plain buffer, and what to give it (g_free), "; a is ...", for the message's
 * end. NULL: none. */
char *ps_launch_hint(const PsLaunchArguments *arguments, const PsLaunchTexts *texts,
                     const char *message);

#endif

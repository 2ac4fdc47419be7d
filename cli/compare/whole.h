/* SPDX-License-Identifier: BSD-3-Clause */
/* Whether whole programs are compared, or kernels. */
#ifndef PIPESIM_CLI_COMPARE_WHOLE_H
#define PIPESIM_CLI_COMPARE_WHOLE_H

#include <glib.h>

/* Whether all of these files (NULL ends them) are recordings. */
gboolean compare_are_recordings(char **files);

/* Whether the command line's words are about programs. */
gboolean compare_is_of_programs(char **argv);

#endif

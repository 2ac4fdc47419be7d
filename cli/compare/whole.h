/* SPDX-License-Identifier: BSD-3-Clause */
/* Decides whether programs or kernels are compared. */
#ifndef PIPESIM_CLI_COMPARE_WHOLE_H
#define PIPESIM_CLI_COMPARE_WHOLE_H

#include <glib.h>

/* TRUE if all of these files (NULL ends them) are recordings. */
gboolean compare_are_recordings(char **files);

/* TRUE if the command line is about programs. */
gboolean compare_is_of_programs(char **argv);

#endif

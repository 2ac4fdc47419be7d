/* SPDX-License-Identifier: BSD-3-Clause */
/* What is installed with libpipesim. */
#ifndef PIPESIM_CLI_SYSTEM_BESIDE_H
#define PIPESIM_CLI_SYSTEM_BESIDE_H

#include <glib.h>

/* The path of a file or folder beside libpipesim, as in a checkout, or in the folder pipesim there
 * (g_free); NULL: there is none. *folder becomes that of libpipesim (g_free). */
char *beside_library(const char *name, GFileTest is, char **folder);

#endif

/* SPDX-License-Identifier: BSD-3-Clause */
/* An item of the list, in all formats. */
#include "cli/list/list.h"

#include <string.h>

char *list_name(const char *path)
{
    char *name = g_path_get_basename(path);
    *strrchr(name, '.') = '\0'; /* its ending led to it */
    return name;
}

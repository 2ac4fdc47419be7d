/* SPDX-License-Identifier: BSD-3-Clause */
/* What all forms of the list say of one of its items. */
#include "cli/list/list.h"

#include <string.h>

char *list_name(const char *path)
{
    char *name = g_path_get_basename(path);
    *strrchr(name, '.') = '\0'; /* it was found by its ending */
    return name;
}

ListPeaks list_peaks(const PsGpu *gpu)
{
    PsPeaks peaks;
    ps_peaks_resolve(gpu, PS_RATIONAL_INT(0), &peaks);
    return (ListPeaks){peaks.value[PS_T_SP] / 1e9, peaks.value[PS_B_MEM] / 1e9};
}

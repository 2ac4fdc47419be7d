/* SPDX-License-Identifier: BSD-3-Clause */
#include "tests/help/small-gpu.h"

#include <string.h>

const char small_gpu[] =
    "<?xml version='1.0'?>\n"                                                             /* 1 */
    "<gpu xmlns='urn:pipesim:gpu:1' version='1' name='Test'>\n"                           /* 2 */
    "<source id='s' kind='measured'>Me.</source>\n"                                       /* 3 */
    "<chip compute-units='2' clock='1000.5' warp-size='64' schedulers='4' source='s'/>\n" /* 4 */
    "<limits warps='8' local-memory-reserved='1024' register-unit='16'/>\n"               /* 5 */
    "<class name='a' pipeline='p' issue='0.5' completion='3'/>\n"                         /* 6 */
    "<class name='a.b' pipeline='q' issue='2' completion='7' source='s'>\n"               /* 7 */
    "<at warps='1' issue='1' completion='2.25'/>\n"                                       /* 8 */
    "<at warps='4' issue='3' completion='9'/></class>\n"                                  /* 9 */
    "<pipeline name='p'/>\n"                                                              /* 10 */
    "<pipeline name='q' per='scheduler' source='s'/>\n"                                   /* 11 */
    "<default kind='unknown' class='a.b'/>\n"                                             /* 12 */
    "<default kind='integer' class='a'/>\n"                                               /* 13 */
    "<peak name='B_mem' value='90' datasheet='100.125' source='s'/>\n"                    /* 14 */
    "<source kind='assumed'>All of it.</source>\n"                                        /* 15 */
    "</gpu>\n";

PsGpu *small_gpu_parse(const char *text, GError **error)
{
    return ps_gpu_parse(text, strlen(text), "x.xml", error);
}

PsGpu *gpu_load(const char *path)
{
    g_autoptr(GError) error = NULL;
    PsGpu *gpu = ps_gpu_load(path, &error);
    g_assert_no_error(error);
    g_assert_nonnull(gpu);
    return gpu;
}

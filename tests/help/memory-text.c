/* SPDX-License-Identifier: BSD-3-Clause */
#include "tests/help/memory-text.h"

#include <string.h>

const char memory_good[] =
    "<gpu xmlns='urn:pipesim:gpu:1' version='1' name='Test'>\n"                       /* 1 */
    "<source id='s' kind='measured'>Me.</source>\n"                                   /* 2 */
    "<chip compute-units='10' clock='1000' warp-size='32'/>\n"                        /* 3 */
    "<pipeline name='global'/><pipeline name='local'/><pipeline name='atomic'/>\n"    /* 4 */
    "<memory pipeline='global' request='2' source='s'>\n"                             /* 5 */
    "<level name='l1' bytes='65536' port='64' latency='30'/>\n"                       /* 6 */
    "<level name='l2' bytes='1048576' port='32' bandwidth='500' latency-ns='200'/>\n" /* 7 */
    "<level name='device' bandwidth='100' latency='800' at='1600' source='s'/>\n"     /* 8 */
    "</memory>\n"                                                                     /* 9 */
    "<atomics pipeline='atomic' latency='300' at='1500' address='1.25' line='0.5'\n"  /* 10 */
    " sectors='3' partial='20' source='s'/>\n"                                        /* 11 */
    "<local-memory pipeline='local' wavefront='1' least='2.1' completion='25' atomic='2'"
    " source='s'/>\n"                                                  /* 12 */
    "<class name='fadd' pipeline='local' issue='1' completion='4'/>\n" /* 13 */
    "</gpu>\n";

PsGpu *memory_parse(const char *text, GError **error)
{
    return ps_gpu_parse(text, strlen(text), "x.xml", error);
}

PsGpu *memory_parse_with(const char *old, const char *new, GError **error)
{
    g_autoptr(GString) text = g_string_new(memory_good);
    g_assert_cmpuint(g_string_replace(text, old, new, 1), ==, 1);
    return memory_parse(text->str, error);
}

PsGpu *memory_parse_good(const char *old, const char *new)
{
    g_autoptr(GError) error = NULL;
    PsGpu *gpu = memory_parse_with(old, new, &error);
    g_assert_no_error(error);
    g_assert_nonnull(gpu);
    return gpu;
}

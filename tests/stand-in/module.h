/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * What CUDA's and HIP's stand-ins share beyond device.h: attributes, and a compiler.
 */
#ifndef PIPESIM_TESTS_STAND_IN_MODULE_H
#define PIPESIM_TESTS_STAND_IN_MODULE_H

#include "tests/stand-in/device.h"

static int figure(int attribute, const int (*figures)[2], gsize n, int *value, int unknown)
{
    for (gsize i = 0; i < n; i++)
        if (figures[i][0] == attribute) {
            *value = figures[i][1];
            return 0;
        }
    return unknown;
}

/* ---- the compiler -------------------------------------------------------------------------- */

typedef struct {
    char *source;
    const char *log;
} Compiled;

static void keep_architecture(int n, const char *const *options, const char *prefix)
{
    for (int i = 0; i < n; i++)
        if (g_str_has_prefix(options[i], prefix))
            g_strlcpy(state.arch, options[i] + strlen(prefix), sizeof state.arch);
}

static int new_program(void **program, const char *source)
{
    Compiled *compiled = make(sizeof *compiled);
    compiled->source = g_strdup(source);
    compiled->log = "";
    *program = compiled;
    return 0;
}

static int free_program(void **program)
{
    g_free(((Compiled *)*program)->source);
    give_back(*program);
    *program = NULL;
    return 0;
}

/* Compiles all that has no #error in it. */
static int compile_program(void *program)
{
    Compiled *compiled = program;
    if (!strstr(compiled->source, "#error"))
        return 0;
    compiled->log = "kernel.cu(3): error: #error told so\n1 error detected";
    return 6;
}

static const char *compiler_error(int error)
{
    return error == 6 ? "RTC_ERROR_COMPILATION" : error == 1 ? "RTC_ERROR_OUT_OF_MEMORY" : NULL;
}

#endif

/* SPDX-License-Identifier: BSD-3-Clause */
/* Machine code written by hand: the words are as ptxas writes them, with other registers. */
#ifndef PIPESIM_TESTS_HELP_SASS_LINES_H
#define PIPESIM_TESTS_HELP_SASS_LINES_H

#include "tests/help/sass.h"

#define SASS_LINES_MOST 32

/* What a kernel "k" at 0 has beside its instructions: a parameter, or NULL, and a subroutine "s" at
 * that offset if it is not 0. */
typedef struct {
    guint capability;
    const PsSassParam *param;
    guint64 subroutine;
} SassBeside;

/* The code of a listing of nvdisasm's; the kernel has a name and its bytes. Free with
 * ps_sass_code_free. */
PsSassCode *sass_code_of_json(const PsSassKernel *of, const SassBeside *beside, const char *json);

/* An instruction. at: the registers that its word has at the three places; marks: a bit for each
 * place that .reuse stands at. */
typedef struct {
    const char *opcode, *operands;
    guint8 at[3], marks;
} SassLine;

#define SASS_END                                                                                   \
    {                                                                                              \
        NULL, NULL, {0}, 0                                                                         \
    }

/* The code of a kernel k for sm_86, of lines up to SASS_END. Its one parameter has 8 bytes,
 * and bank 3 has 11 82 93 f4 05 06. Free with ps_sass_code_free. */
PsSassCode *sass_code_of_lines(const SassLine *lines);

#endif

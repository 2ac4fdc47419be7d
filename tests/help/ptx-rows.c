/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Runs cases on rows of operands.
 */
#include "tests/help/ptx-rows.h"
#include <string.h>

#define ROWS 2048

guint64 *ptx_rows(guint rows, const char *from, guint32 seed)
{
    g_autoptr(GRand) rand = g_rand_new_with_seed(seed);
    gsize n = strlen(from);
    guint64 *in = g_new0(guint64, rows * n);
    for (gsize i = 0; i < rows * n; i++) {
        char letter = from[i % n];
        in[i] = letter == 'p' ? g_rand_int(rand) & 1
                              : ptx_operand(rand, letter == 'h'   ? 16
                                                  : letter == 'r' ? 32
                                                                  : 64);
    }
    return in;
}

void ptx_check(const PtxCase *cases, gsize n)
{
    for (gsize i = 0; i < n; i++) {
        guint n_from = (guint)strlen(cases[i].from);
        gsize n_to = strlen(cases[i].to);
        g_autofree guint64 *in = ptx_rows(ROWS, cases[i].from, (guint32)i + 1);
        g_autofree guint64 *out = g_new0(guint64, ROWS * n_to);
        if (!ptx_run(cases[i].body, cases[i].to, cases[i].from, ROWS, in, out))
            continue;
        for (gsize row = 0; row < ROWS; row++)
            if (!ptx_same(cases[i].body, n_from, &in[row * n_from], out[row * n_to],
                          cases[i].reference(&in[row * n_from], cases[i].option)))
                break;
    }
}

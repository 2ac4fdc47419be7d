/* SPDX-License-Identifier: BSD-3-Clause */
/* See matrix.h. */
#include "base/matrix.h"

#include <stdio.h>
#include <string.h>

/* Shapes of the PTX ISA (mma, wmma, wgmma) and of AMD's matrix instructions (MFMA, WMMA), by rows
 * and columns; depths are powers of 2 up to the most. */
static const struct {
    guint m, n, least, most;
} shapes[] = {{8, 8, 4, 128},  {16, 8, 4, 256}, {16, 16, 1, 128}, {32, 8, 16, 16},
              {8, 32, 16, 16}, {32, 32, 1, 64}, {4, 4, 1, 4}};

gboolean ps_matrix_shape(const char *part, guint *m, guint *n, guint *k)
{
    int length = 0;
    return part[0] == 'm' && g_ascii_isdigit(part[1]) &&
           sscanf(part, "m%4un%4uk%4u%n", m, n, k, &length) == 3 && part[length] == '\0';
}

static gboolean is_known(guint m, guint n, guint k)
{
    if (k == 0 || (k & (k - 1)) != 0)
        return FALSE;
    if (m == 64 && n % 8 == 0 && n > 0 && n <= 256) /* of four warps */
        return k >= 8 && k <= 256;
    for (gsize i = 0; i < G_N_ELEMENTS(shapes); i++)
        if (shapes[i].m == m && shapes[i].n == n)
            return k >= shapes[i].least && k <= shapes[i].most;
    return FALSE;
}

gboolean ps_matrix_check(const char *klass, PsPlace place, GError **error)
{
    if (!g_str_has_prefix(klass, "tensor."))
        return TRUE;
    g_auto(GStrv) parts = g_strsplit(klass, ".", -1);
    for (char **part = parts; *part; part++) {
        guint m, n, k;
        if (!ps_matrix_shape(*part, &m, &n, &k) || is_known(m, n, k))
            continue;
        ps_error_at(
            error, PS_ERROR_VALUE, place,
            "the class '%s' has the shape %s, which no GPU's matrix instructions have; name "
            "one that they have, such as m16n8k16, and say with more nodes what takes "
            "several",
            klass, *part);
        return FALSE;
    }
    return TRUE;
}

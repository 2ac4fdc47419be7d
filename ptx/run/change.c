/* SPDX-License-Identifier: BSD-3-Clause */
/* Reductions of single elements in memory, as copies do them. */
#include "ptx/run/copy.h"
#include "ptx/step/number.h"
#include <string.h>

static guint64 whole(PsTensorChange change, guint64 a, guint64 b, guint bytes, gboolean negative)
{
    const guint unused = 64 - 8 * bytes;
    const gint64 x = (gint64)(a << unused) >> unused, y = (gint64)(b << unused) >> unused;
    switch (change) {
    case PS_TENSOR_ADD:
        return a + b;
    case PS_TENSOR_MIN:
        return (negative ? x < y : a < b) ? a : b;
    case PS_TENSOR_MAX:
        return (negative ? x > y : a > b) ? a : b;
    case PS_TENSOR_INC:
        return a >= b ? 0 : a + 1;
    case PS_TENSOR_DEC:
        return a == 0 || a > b ? b : a - 1;
    case PS_TENSOR_AND:
        return a & b;
    case PS_TENSOR_OR:
        return a | b;
    case PS_TENSOR_XOR:
    default:
        return a ^ b;
    }
}

static double fraction_of(PsTensorElement element, guint64 code)
{
    return element == PS_TENSOR_F16    ? (double)ps_ptx_half_value(code)
           : element == PS_TENSOR_BF16 ? (double)ps_ptx_bfloat_value(code)
           : element == PS_TENSOR_F64  ? ps_ptx_double(code)
                                       : (double)ps_ptx_single(code);
}

static guint64 code_of(PsTensorElement element, double value)
{
    return element == PS_TENSOR_F16    ? ps_ptx_half_bits(value)
           : element == PS_TENSOR_BF16 ? ps_ptx_bfloat_bits(value)
           : element == PS_TENSOR_F64  ? ps_ptx_double_raw(value)
                                       : ps_ptx_single_bits((float)value);
}

gboolean ps_ptx_change_called(const PsPtxMnemonic *mnemonic, PsTensorChange *change)
{
    static const char *const names[] = {"add", "min", "max", "inc", "dec", "and", "or", "xor"};
    for (guint i = 0; i < G_N_ELEMENTS(names); i++)
        if (ps_ptx_has(mnemonic, names[i])) {
            *change = (PsTensorChange)i;
            return TRUE;
        }
    return FALSE;
}

gboolean ps_ptx_tensor_change(PsTensorElement element, PsTensorChange change, guint8 *to,
                              const guint8 *by)
{
    const guint bytes = ps_tensor_element_bytes(element);
    const gboolean fraction = element >= PS_TENSOR_F16;
    guint64 a = 0, b = 0, result;
    memcpy(&a, to, bytes);
    memcpy(&b, by, bytes);
    if (fraction && change > PS_TENSOR_MAX)
        return FALSE;
    if (fraction) {
        const double x = fraction_of(element, a), y = fraction_of(element, b);
        result = change == PS_TENSOR_ADD                     ? code_of(element, x + y)
                 : (change == PS_TENSOR_MIN ? x < y : x > y) ? a
                                                             : b;
    } else {
        result = whole(change, a, b, bytes, element == PS_TENSOR_S32 || element == PS_TENSOR_S64);
    }
    memcpy(to, &result, bytes);
    return TRUE;
}

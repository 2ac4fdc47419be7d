/* SPDX-License-Identifier: BSD-3-Clause */
/* Parts that the texts of all kernels share. See blas-ptx.h. */
#include "driver/blas-ptx.h"

guint blas_bytes(BlasType type)
{
    static const guint bytes[] = {[BLAS_F16] = 2, [BLAS_BF16] = 2, [BLAS_F32] = 4, [BLAS_F64] = 8};
    return bytes[type];
}

const char *blas_type_name(BlasType type)
{
    static const char *const names[] = {"f16", "bf16", "f32", "f64"};
    return names[type];
}

guint blas_target(guint capability)
{
    static const guint targets[] = {80, 75, 70, 60};
    for (guint i = 0; i < G_N_ELEMENTS(targets); i++)
        if (capability >= targets[i])
            return targets[i];
    return 50;
}

void blas_ptx_module(GString *out, guint target)
{
    g_string_append_printf(out, ".version 7.0\n.target sm_%u\n.address_size 64\n", target);
}

void blas_ptx_scale_registers(GString *out, gboolean doubles)
{
    g_string_append_printf(out,
                           ".reg .b64 %%scale;\n.reg .b32 %%how;\n.reg .b16 %%half;\n"
                           ".reg .pred %%value, %%of_half;\n.reg .f%u %%alpha, %%beta;\n",
                           doubles ? 64 : 32);
}

void blas_ptx_scale(GString *out, const char *name, gboolean doubles)
{
    g_string_append_printf(out, "ld.param.b64 %%scale, [%s];\nld.param.u32 %%how, [scales];\n",
                           name);
    g_string_append(out, "setp.eq.u32 %value, %how, 0;\nsetp.eq.u32 %of_half, %how, 2;\n");
    if (doubles) {
        g_string_append_printf(out,
                               "@%%value mov.b64 %%%s, %%scale;\n"
                               "@!%%value ld.global.f64 %%%s, [%%scale];\n",
                               name, name);
        return;
    }
    g_string_append_printf(out,
                           "@%%value cvt.u32.u64 %%how, %%scale;\n@%%value mov.b32 %%%s, %%how;\n"
                           "@%%value bra HAS_%s;\n@!%%of_half ld.global.f32 %%%s, [%%scale];\n"
                           "@%%of_half ld.global.b16 %%half, [%%scale];\n"
                           "@%%of_half cvt.f32.f16 %%%s, %%half;\nHAS_%s:\n",
                           name, name, name, name, name);
}

void blas_ptx_load(GString *out, BlasType type, const char *predicate, const char *value,
                   const char *address)
{
    switch (type) {
    case BLAS_F64:
        g_string_append_printf(out,
                               "mov.f64 %s, 0d0000000000000000;\n@%s ld.global.f64 %s, [%s];\n",
                               value, predicate, value, address);
        break;
    case BLAS_F32:
        g_string_append_printf(out, "mov.f32 %s, 0f00000000;\n@%s ld.global.f32 %s, [%s];\n", value,
                               predicate, value, address);
        break;
    default:
        g_string_append_printf(out, "mov.b16 %%h0, 0;\n@%s ld.global.b16 %%h0, [%s];\n", predicate,
                               address);
        g_string_append_printf(out,
                               type == BLAS_F16 ? "cvt.f32.f16 %s, %%h0;\n"
                                                : "cvt.u32.u16 %%s0, %%h0;\n"
                                                  "shl.b32 %%s0, %%s0, 16;\nmov.b32 %s, %%s0;\n",
                               value);
    }
}

void blas_ptx_store(GString *out, BlasType type, const char *predicate, const char *value,
                    const char *address)
{
    if (type == BLAS_F64 || type == BLAS_F32)
        g_string_append_printf(out, "@%s st.global.f%u [%s], %s;\n", predicate,
                               8 * blas_bytes(type), address, value);
    else
        g_string_append_printf(out, "cvt.rn.%s.f32 %%h0, %s;\n@%s st.global.b16 [%s], %%h0;\n",
                               type == BLAS_F16 ? "f16" : "bf16", value, predicate, address);
}

/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * The names of PTX's types and state spaces.
 */
#include "ptx/parser.h"
#include <string.h>

static const struct {
    const char *name;
    guint size;
} types[PS_PTX_N_TYPES] = {
    [PS_PTX_NO_TYPE] = {"", 0},      [PS_PTX_PRED] = {"pred", 0},   [PS_PTX_B8] = {"b8", 1},
    [PS_PTX_B16] = {"b16", 2},       [PS_PTX_B32] = {"b32", 4},     [PS_PTX_B64] = {"b64", 8},
    [PS_PTX_B128] = {"b128", 16},    [PS_PTX_U8] = {"u8", 1},       [PS_PTX_U16] = {"u16", 2},
    [PS_PTX_U32] = {"u32", 4},       [PS_PTX_U64] = {"u64", 8},     [PS_PTX_S8] = {"s8", 1},
    [PS_PTX_S16] = {"s16", 2},       [PS_PTX_S32] = {"s32", 4},     [PS_PTX_S64] = {"s64", 8},
    [PS_PTX_F16] = {"f16", 2},       [PS_PTX_F16X2] = {"f16x2", 4}, [PS_PTX_BF16] = {"bf16", 2},
    [PS_PTX_BF16X2] = {"bf16x2", 4}, [PS_PTX_TF32] = {"tf32", 4},   [PS_PTX_F32] = {"f32", 4},
    [PS_PTX_F64] = {"f64", 8},       [PS_PTX_OPAQUE] = {"?", 0},
};

/* Types that this reader knows only by name: packed ones, small ones of tensor cores, handles. */
static const char *const opaque[] = {
    "b1",     "b4x16",  "b4x16_p64",  "b6p2x16", "b6x16_p32", "e2m1",    "e2m1x2", "e2m1x4",
    "e2m3",   "e2m3x2", "e2m3x4",     "e3m2",    "e3m2x2",    "e3m2x4",  "e4m3",   "e4m3x2",
    "e4m3x4", "e5m2",   "e5m2x2",     "e5m2x4",  "f32x2",     "s16x2",   "s2",     "s2f6x2",
    "s4",     "s8x4",   "samplerref", "surfref", "texref",    "u16x2",   "u2",     "u4",
    "u8x4",   "ue4m3",  "ue4m3x2",    "ue5m3",   "ue8m0",     "ue8m0x2",
};

static const char *const spaces[PS_PTX_N_SPACES] = {
    [PS_PTX_GENERIC] = "generic", [PS_PTX_GLOBAL] = "global", [PS_PTX_SHARED] = "shared",
    [PS_PTX_LOCAL] = "local",     [PS_PTX_CONST] = "const",   [PS_PTX_PARAM] = "param",
    [PS_PTX_REG] = "reg",
};

const char *ps_ptx_type_name(PsPtxType type)
{
    return (guint)type < PS_PTX_N_TYPES ? types[type].name : "?";
}

guint ps_ptx_type_size(PsPtxType type)
{
    return (guint)type < PS_PTX_N_TYPES ? types[type].size : 0;
}

const char *ps_ptx_space_name(PsPtxSpace space)
{
    return (guint)space < PS_PTX_N_SPACES ? spaces[space] : "?";
}

PsPtxType ps_ptx_type_find(const char *text)
{
    for (PsPtxType type = PS_PTX_PRED; type < PS_PTX_OPAQUE; type++)
        if (strcmp(text, types[type].name) == 0)
            return type;
    for (gsize i = 0; i < G_N_ELEMENTS(opaque); i++)
        if (strcmp(text, opaque[i]) == 0)
            return PS_PTX_OPAQUE;
    return PS_PTX_NO_TYPE;
}

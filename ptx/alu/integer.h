/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * The parts of the integer family. Each decodes its own instructions, as a PsPtxFamily does.
 */
#ifndef PIPESIM_PTX_ALU_INTEGER_H
#define PIPESIM_PTX_ALU_INTEGER_H

#include "ptx/step/lane.h"

G_BEGIN_DECLS

gboolean ps_ptx_add(PsPtxDecode *decode, PsPtxStep *step, char **unsupported);
gboolean ps_ptx_multiply(PsPtxDecode *decode, PsPtxStep *step, char **unsupported);
gboolean ps_ptx_carry(PsPtxDecode *decode, PsPtxStep *step, char **unsupported);
gboolean ps_ptx_packed(PsPtxDecode *decode, PsPtxStep *step, char **unsupported);
gboolean ps_ptx_video(PsPtxDecode *decode, PsPtxStep *step, char **unsupported);

/* The 32-bit or 64-bit number that an integer of so many bits is; bits above are ignored. */
static inline gint64 ps_ptx_signed(guint64 value, guint bits)
{
    guint64 sign = (guint64)1 << (bits - 1);
    guint64 low = value & (sign | (sign - 1));
    return (gint64)((low ^ sign) - sign);
}

/* Table entries: of an instruction that has a function for each type, NAME_u16 ..., and of one
 * whose functions, NAME_16 ..., do not depend on signs. N is the number of sources. */
#define PS_PTX_UNSIGNED(OPCODE, NAME, N)                                                           \
    {OPCODE ".u16", NAME##_u16, N, {PS_PTX_U16}}, {OPCODE ".u32", NAME##_u32, N, {PS_PTX_U32}},    \
    {                                                                                              \
        OPCODE ".u64", NAME##_u64, N,                                                              \
        {                                                                                          \
            PS_PTX_U64                                                                             \
        }                                                                                          \
    }
#define PS_PTX_SIGNED(OPCODE, NAME, N)                                                             \
    {OPCODE ".s16", NAME##_s16, N, {PS_PTX_S16}}, {OPCODE ".s32", NAME##_s32, N, {PS_PTX_S32}},    \
    {                                                                                              \
        OPCODE ".s64", NAME##_s64, N,                                                              \
        {                                                                                          \
            PS_PTX_S64                                                                             \
        }                                                                                          \
    }
#define PS_PTX_ALIKE(OPCODE, NAME, N)                                                              \
    {OPCODE ".u16", NAME##_16, N, {PS_PTX_U16}}, {OPCODE ".u32", NAME##_32, N, {PS_PTX_U32}},      \
        {OPCODE ".u64", NAME##_64, N, {PS_PTX_U64}}, {OPCODE ".s16", NAME##_16, N, {PS_PTX_S16}},  \
        {OPCODE ".s32", NAME##_32, N, {PS_PTX_S32}},                                               \
    {                                                                                              \
        OPCODE ".s64", NAME##_64, N,                                                               \
        {                                                                                          \
            PS_PTX_S64                                                                             \
        }                                                                                          \
    }

G_END_DECLS
#endif

/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * prmt, which picks four of eight bytes, and shf, which shifts two words as one.
 */
#include "ptx/alu/bits.h"

/* Byte number `which & 7` of b:a, or with bit 3 its sign eight times. */
static inline guint32 picked(guint64 both, guint32 which)
{
    guint32 byte = both >> ((which & 7) * 8) & 0xff;
    if ((which & 8) != 0)
        return (byte & 0x80) != 0 ? 0xff : 0;
    return byte;
}

static inline guint32 permuted(guint32 a, guint32 b, guint32 selectors)
{
    guint64 both = (guint64)b << 32 | a;
    guint32 result = 0;
    for (guint i = 0; i < 4; i++)
        result |= picked(both, selectors >> (i * 4)) << (i * 8);
    return result;
}

/* Modes: selectors that follow from the low two bits of c. */
static inline guint32 forward4(guint32 c)
{
    static const guint32 selectors[] = {0x3210, 0x4321, 0x5432, 0x6543};
    return selectors[c & 3];
}

static inline guint32 backward4(guint32 c)
{
    static const guint32 selectors[] = {0x5670, 0x6701, 0x7012, 0x0123};
    return selectors[c & 3];
}

static inline guint32 replicate8(guint32 c)
{
    return (c & 3) * 0x1111;
}

static inline guint32 edge_left(guint32 c)
{
    static const guint32 selectors[] = {0x3210, 0x3211, 0x3222, 0x3333};
    return selectors[c & 3];
}

static inline guint32 edge_right(guint32 c)
{
    static const guint32 selectors[] = {0x0000, 0x1110, 0x2210, 0x3210};
    return selectors[c & 3];
}

static inline guint32 replicate16(guint32 c)
{
    return (c & 1) != 0 ? 0x3232 : 0x1010;
}

PS_PTX_EACH_3(prmt, guint32, guint32, permuted(a, b, c))
PS_PTX_EACH_3(prmt_f4e, guint32, guint32, permuted(a, b, forward4(c)))
PS_PTX_EACH_3(prmt_b4e, guint32, guint32, permuted(a, b, backward4(c)))
PS_PTX_EACH_3(prmt_rc8, guint32, guint32, permuted(a, b, replicate8(c)))
PS_PTX_EACH_3(prmt_ecl, guint32, guint32, permuted(a, b, edge_left(c)))
PS_PTX_EACH_3(prmt_ecr, guint32, guint32, permuted(a, b, edge_right(c)))
PS_PTX_EACH_3(prmt_rc16, guint32, guint32, permuted(a, b, replicate16(c)))

static inline guint64 joined(guint32 low, guint32 high)
{
    return (guint64)high << 32 | low;
}

PS_PTX_EACH_3(shf_l_clamp, guint32, guint32, joined(a, b) << MIN(c, 32) >> 32)
PS_PTX_EACH_3(shf_l_wrap, guint32, guint32, joined(a, b) << (c & 31) >> 32)
PS_PTX_EACH_3(shf_r_clamp, guint32, guint32, joined(a, b) >> MIN(c, 32))
PS_PTX_EACH_3(shf_r_wrap, guint32, guint32, joined(a, b) >> (c & 31))

static const PsPtxEntry table[] = {
    {"prmt.b32", prmt, 3, {PS_PTX_B32}},
    {"prmt.b32.f4e", prmt_f4e, 3, {PS_PTX_B32}},
    {"prmt.b32.b4e", prmt_b4e, 3, {PS_PTX_B32}},
    {"prmt.b32.rc8", prmt_rc8, 3, {PS_PTX_B32}},
    {"prmt.b32.ecl", prmt_ecl, 3, {PS_PTX_B32}},
    {"prmt.b32.ecr", prmt_ecr, 3, {PS_PTX_B32}},
    {"prmt.b32.rc16", prmt_rc16, 3, {PS_PTX_B32}},
    {"shf.l.clamp.b32", shf_l_clamp, 3, {PS_PTX_B32}},
    {"shf.l.wrap.b32", shf_l_wrap, 3, {PS_PTX_B32}},
    {"shf.r.clamp.b32", shf_r_clamp, 3, {PS_PTX_B32}},
    {"shf.r.wrap.b32", shf_r_wrap, 3, {PS_PTX_B32}},
};

gboolean ps_ptx_permute(PsPtxDecode *decode, PsPtxStep *step, char **unsupported)
{
    return ps_ptx_entry(table, G_N_ELEMENTS(table), decode, step, unsupported);
}

/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Conversions of addresses between spaces, and questions about them.
 */
#include "ptx/step/lane.h"
#include "ptx/run/warp.h"

/* Adds `add` to the sources, cut to `keep`. */
PS_PTX_INLINE void shift_with(PsPtxWarp *warp, const PsPtxStep *step, guint32 mask)
{
    const guint64 window = ps_ptx_runner(warp)->machine->window[step->space];
    const guint64 add = step->flags != 0 ? 0 - window : window;
    const guint64 keep = step->flags != 0 && step->type == PS_PTX_U32 ? G_MAXUINT32 : G_MAXUINT64;
    const guint64 *from = ps_ptx_source(warp, step, 0);
    guint64 result[PS_PTX_LANES];
    PS_PTX_EACH_LANE result[lane] = (from[lane] + add) & keep;
    ps_ptx_give(warp, step->to[0], result, mask);
}

static void shift_plain(PsPtxWarp *warp, const PsPtxStep *step, guint32 mask)
{
    shift_with(warp, step, mask);
}

__attribute__(PS_PTX_FOR_AVX2) static void shift_avx2(PsPtxWarp *warp, const PsPtxStep *step,
                                                      guint32 mask)
{
    shift_with(warp, step, mask);
}

/* TRUE if a place in shared memory is the group's own. */
static gboolean is_own(const PsPtxMachine *machine, guint64 place)
{
    return machine->cluster->n == 1 || machine->launch.workspace ||
           place >> PS_PTX_RANK_AT == machine->rank;
}

/* flags: 1 asks whether the address is in shared memory of any group of the cluster. */
static void is_space(PsPtxWarp *warp, const PsPtxStep *step, guint32 mask)
{
    const PsPtxMachine *machine = ps_ptx_runner(warp)->machine;
    const gboolean any = step->space != PS_PTX_SHARED || step->flags != 0;
    const guint64 *from = ps_ptx_source(warp, step, 0);
    guint64 result[PS_PTX_LANES];
    guint64 offset;
    for (guint lane = 0; lane < PS_PTX_LANES; lane++)
        result[lane] = ps_ptx_window(machine, from[lane], &offset) == step->space &&
                       (any || is_own(machine, offset));
    ps_ptx_give(warp, step->to[0], result, mask);
}

static void give_zero(PsPtxWarp *warp, const PsPtxStep *step, guint32 mask)
{
    static const guint64 zeros[PS_PTX_LANES];
    ps_ptx_give(warp, step->to[0], zeros, mask);
}

/* flags: 1 converts from a generic address, 0 to one. */
static gboolean decode_cvta(PsPtxDecode *decode, PsPtxStep *step)
{
    static const PsPtxExecute shift[PS_PTX_N_VECTORS] = {shift_plain, shift_avx2};
    step->flags = ps_ptx_has(decode->mnemonic, "to") ? 1 : 0;
    step->execute = shift[decode->vectors];
    return step->space != PS_PTX_GENERIC && ps_ptx_decode_usual(decode, step, step->type) &&
           step->n_to == 1 && step->n_from == 1;
}

static gboolean decode_isspacep(PsPtxDecode *decode, PsPtxStep *step)
{
    step->execute = is_space;
    step->flags = ps_ptx_has(decode->mnemonic, "shared::cluster") ? 1 : 0;
    return step->space != PS_PTX_GENERIC && ps_ptx_decode_usual(decode, step, PS_PTX_U64) &&
           step->n_to == 1 && step->n_from == 1;
}

static void give_rank(PsPtxWarp *warp, const PsPtxStep *step, guint32 mask)
{
    const PsPtxMachine *machine = ps_ptx_runner(warp)->machine;
    const guint64 alone = machine->cluster->n > 1 ? PS_PTX_RANK_MASK : 0;
    for (guint32 rest = mask; rest != 0; rest &= rest - 1) {
        const guint lane = (guint)__builtin_ctz(rest);
        guint64 address = warp->slots[step->from[0]][lane];
        ps_ptx_window(machine, address, &address);
        warp->slots[step->to[0]][lane] = address >> PS_PTX_RANK_AT & alone;
    }
}

static gboolean decode_rank(PsPtxDecode *decode, PsPtxStep *step)
{
    step->execute = give_rank;
    return ps_ptx_decode_usual(decode, step, PS_PTX_U64) && step->n_to == 1 && step->n_from == 1;
}

/* Cache policies. */
static gboolean decode_zero(PsPtxDecode *decode, PsPtxStep *step)
{
    step->execute = give_zero;
    return ps_ptx_decode_to(decode, step, 0) && step->n_to == 1;
}

static const PsPtxOpcode table[] = {{"cvta", decode_cvta},
                                    {"isspacep", decode_isspacep},
                                    {"createpolicy", decode_zero},
                                    {"getctarank", decode_rank}};

gboolean ps_ptx_address(PsPtxDecode *decode, PsPtxStep *step, char **unsupported)
{
    return ps_ptx_decode_by(decode, step, table, G_N_ELEMENTS(table), unsupported);
}

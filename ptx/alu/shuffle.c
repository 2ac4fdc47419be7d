/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * shfl: each lane reads another lane's value. The third operand has the lane beyond which a lane
 * keeps its own value, and above bit 8 the bits of a lane's number that say which segment it is in.
 */
#include "ptx/alu/lanes.h"

typedef enum { UP, DOWN, BUTTERFLY, INDEX } Mode;

guint ps_ptx_shuffle_from(guint kind, guint lane, guint32 b, guint32 c, gboolean *inside)
{
    const Mode mode = (Mode)kind;
    gint by = (gint)(b & 31);
    guint segment = c >> 8 & 31;
    gint most = (gint)((lane & segment) | (c & 31 & ~segment));
    gint least = (gint)(lane & segment);
    gint from;
    switch (mode) {
    case UP:
        from = (gint)lane - by;
        *inside = from >= most;
        break;
    case DOWN:
        from = (gint)lane + by;
        *inside = from <= most;
        break;
    case BUTTERFLY:
        from = (gint)lane ^ by;
        *inside = from <= most;
        break;
    case INDEX:
    default:
        from = least | (by & (gint)~segment);
        *inside = from <= most;
        break;
    }
    return *inside ? (guint)from : lane;
}

static void execute_shuffle(PsPtxWarp *warp, const PsPtxStep *step, guint32 mask)
{
    const guint64 *a = ps_ptx_source(warp, step, 0);
    const guint64 *b = ps_ptx_source(warp, step, 1);
    const guint64 *c = ps_ptx_source(warp, step, 2);
    guint64 result[PS_PTX_LANES];
    guint64 predicate[PS_PTX_LANES];
    for (guint lane = 0; lane < PS_PTX_LANES; lane++) {
        gboolean inside;
        guint from =
            ps_ptx_shuffle_from(step->kind, lane, (guint32)b[lane], (guint32)c[lane], &inside);
        result[lane] = a[from];
        predicate[lane] = inside ? 1 : 0;
    }
    ps_ptx_give(warp, step->to[0], result, mask);
    if (step->n_to == 2)
        ps_ptx_give(warp, step->to[1], predicate, mask);
}

gboolean ps_ptx_shuffle(PsPtxDecode *decode, PsPtxStep *step, char **unsupported)
{
    static const char *const modes[] = {"up", "down", "bfly", "idx"};
    static const PsPtxType types[] = {PS_PTX_B32};
    const PsPtxMnemonic *mnemonic = decode->mnemonic;
    if (strcmp(mnemonic->opcode, "shfl") != 0)
        return FALSE;
    guint mode = 0;
    while (mode < G_N_ELEMENTS(modes) && !ps_ptx_has(mnemonic, modes[mode]))
        mode++;
    guint n = ps_ptx_has(mnemonic, "sync") ? 4 : 3;
    if (mode == G_N_ELEMENTS(modes) || !ps_ptx_decode_typed(decode, step, types, 1) ||
        step->n_from != n)
        return ps_ptx_cannot(decode, step, unsupported);
    step->type = PS_PTX_B32;
    step->kind = mode;
    step->execute = execute_shuffle;
    return TRUE;
}

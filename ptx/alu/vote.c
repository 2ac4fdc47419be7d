/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * vote, activemask and elect: instructions on predicates of a warp's lanes.
 */
#include "ptx/alu/lanes.h"

typedef enum { ALL, ANY, UNIFORM, BALLOT } Kind;

/* Lanes whose predicate is set. */
static guint32 votes(const PsPtxWarp *warp, const PsPtxStep *step)
{
    const guint64 *from = ps_ptx_source(warp, step, 0);
    guint32 set = 0;
    for (guint lane = 0; lane < PS_PTX_LANES; lane++)
        set |= (guint32)(from[lane] & 1) << lane;
    return set;
}

static guint32 outcome(Kind kind, guint32 set, guint32 taking_part)
{
    switch (kind) {
    case ALL:
        return (set & taking_part) == taking_part;
    case ANY:
        return (set & taking_part) != 0;
    case UNIFORM:
        return (set & taking_part) == taking_part || (set & taking_part) == 0;
    case BALLOT:
    default:
        return set & taking_part;
    }
}

/* Each lane may name other lanes; an instruction without .sync names all. */
static void execute_vote(PsPtxWarp *warp, const PsPtxStep *step, guint32 mask)
{
    const guint64 *members = step->n_from == 2 ? ps_ptx_source(warp, step, 1) : NULL;
    guint32 set = votes(warp, step);
    guint64 result[PS_PTX_LANES];
    for (guint lane = 0; lane < PS_PTX_LANES; lane++) {
        guint32 named = members ? (guint32)members[lane] : G_MAXUINT32;
        result[lane] = outcome((Kind)step->kind, set, named & mask);
    }
    ps_ptx_give(warp, step->to[0], result, mask);
}

static void execute_active(PsPtxWarp *warp, const PsPtxStep *step, guint32 mask)
{
    guint64 result[PS_PTX_LANES];
    for (guint lane = 0; lane < PS_PTX_LANES; lane++)
        result[lane] = mask;
    ps_ptx_give(warp, step->to[0], result, mask);
}

/* elect: the lowest named lane is the leader. All lanes get its number, and a predicate that is
 * true in the leader. */
static void execute_elect(PsPtxWarp *warp, const PsPtxStep *step, guint32 mask)
{
    const guint64 *members = ps_ptx_source(warp, step, 0);
    guint64 leader[PS_PTX_LANES];
    guint64 elected[PS_PTX_LANES];
    for (guint lane = 0; lane < PS_PTX_LANES; lane++) {
        guint32 named = (guint32)members[lane] & mask;
        guint first = named == 0 ? 0 : (guint)__builtin_ctz(named);
        leader[lane] = first;
        elected[lane] = named != 0 && first == lane;
    }
    ps_ptx_give(warp, step->to[0], leader, mask);
    if (step->n_to == 2)
        ps_ptx_give(warp, step->to[1], elected, mask);
}

static gboolean decode_vote(PsPtxDecode *decode, PsPtxStep *step, char **unsupported)
{
    static const char *const kinds[] = {"all", "any", "uni", "ballot"};
    static const PsPtxType types[] = {PS_PTX_PRED, PS_PTX_B32};
    const PsPtxMnemonic *mnemonic = decode->mnemonic;
    guint kind = 0;
    while (kind < G_N_ELEMENTS(kinds) && !ps_ptx_has(mnemonic, kinds[kind]))
        kind++;
    guint n = ps_ptx_has(mnemonic, "sync") ? 2 : 1;
    if (kind == G_N_ELEMENTS(kinds) || !ps_ptx_decode_typed(decode, step, types, 2) ||
        step->n_from != n || step->n_to != 1)
        return ps_ptx_cannot(decode, step, unsupported);
    step->kind = kind;
    step->execute = execute_vote;
    return TRUE;
}

gboolean ps_ptx_vote(PsPtxDecode *decode, PsPtxStep *step, char **unsupported)
{
    static const PsPtxType types[] = {PS_PTX_B32};
    const char *opcode = decode->mnemonic->opcode;
    if (strcmp(opcode, "vote") == 0)
        return decode_vote(decode, step, unsupported);
    gboolean elect = strcmp(opcode, "elect") == 0;
    if (!elect && strcmp(opcode, "activemask") != 0)
        return FALSE;
    if (!ps_ptx_decode_typed(decode, step, types, 1) || step->n_from != (elect ? 1 : 0))
        return ps_ptx_cannot(decode, step, unsupported);
    step->execute = elect ? execute_elect : execute_active;
    return TRUE;
}

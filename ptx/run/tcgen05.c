/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Copies of shared memory into tensor memory, and the arrivals at mbarriers that tell of the ends
 * of products and copies. One thread executes them, at once.
 */
#include "ptx/run/descriptor.h"
#include "ptx/run/mbarrier.h"
#include "ptx/run/phase.h"
#include "ptx/run/tensor-memory.h"
#include "ptx/step/lane.h"
#include "ptx/step/operands.h"
#include <string.h>

/* ---- copies of shared memory ---------------------------------------------------------------- */

#define MOST_BYTES (128U * 32U)
#define ROWS 32U /* rows that lie together */

/* Rows of some bytes: 32 rows lie together, and the next 32 begin `block` lanes on; copies of all
 * of them follow, each `apart` lanes on. */
typedef struct {
    guint rows, bytes, block, copies, apart;
    guint parts; /* groups that copy: 1, or 2 where a pair does */
} Cp;

static guint64 value_of(const PsPtxWarp *warp, const PsPtxStep *step, guint source, guint lane)
{
    return warp->slots[step->from[source]][lane];
}

/* Reads rows of bytes as a matrix of integers. */
static gboolean read_rows(PsPtxWarp *warp, const PsPtxStep *step, const PsPtxTensorPart *part,
                          double *bytes)
{
    const Cp *cp = step->more;
    const guint64 word = value_of(warp, step, 1, part->lane);
    const PsPtxFactor factor = {PS_PTX_ELEMENT_U8, cp->rows, cp->bytes, FALSE, 0, part->group};
    guint64 descriptor;
    const char *why = ps_ptx_descriptor_of_tensor(word, &descriptor);
    if (!why)
        return ps_ptx_descriptor_read(warp, step, descriptor, &factor, "copies a matrix",
                                      (PsPtxFactorTo){bytes, cp->bytes, 1});
    ps_ptx_fail(warp, step, part->lane,
                "copies a matrix whose descriptor 0x%016" G_GINT64_MODIFIER "x has %s", word, why);
    return FALSE;
}

/* A group's own shared memory goes to its own tensor memory. */
static gboolean copy_part(PsPtxWarp *warp, const PsPtxStep *step, guint lane, PsPtxMachine *group)
{
    const Cp *cp = step->more;
    const PsPtxTensorPart part = {lane,
                                  value_of(warp, step, 0, lane) + (guint64)step->offset,
                                  PS_PTX_TENSOR_LANES,
                                  cp->bytes / 4,
                                  "copies into",
                                  group};
    double bytes[MOST_BYTES];
    PsPtxTensorPlace first;
    if (!ps_ptx_tensor_reach(warp, step, &part, &first) || !read_rows(warp, step, &part, bytes))
        return FALSE;
    for (guint i = 0; i < cp->copies * cp->rows * part.columns; i++) {
        const guint column = i % part.columns, row = i / part.columns % cp->rows;
        const guint at =
            row / ROWS * cp->block + row % ROWS + i / part.columns / cp->rows * cp->apart;
        const double *four = bytes + row * cp->bytes + column * 4;
        group->tensor->word[at][first.column + column] = (guint32)four[0] | (guint32)four[1] << 8 |
                                                         (guint32)four[2] << 16 |
                                                         (guint32)four[3] << 24;
    }
    return TRUE;
}

static void copy(PsPtxWarp *warp, const PsPtxStep *step, guint32 mask)
{
    const Cp *cp = step->more;
    PsPtxMachine *machine = ps_ptx_runner(warp)->machine;
    const guint lane = (guint)__builtin_ctz(mask);
    ps_ptx_phase_executes(ps_ptx_runner(warp), step->point, TRUE);
    if (cp->parts == 1)
        (void)copy_part(warp, step, lane, machine);
    else if (ps_ptx_tensor_has_pair(warp, step, lane))
        for (guint p = 0; p < 2; p++)
            if (!copy_part(warp, step, lane, ps_ptx_tensor_group(machine, p)))
                return;
}

/* tcgen05.cp [t], descriptor */
static gboolean decode_copy(PsPtxDecode *decode, PsPtxStep *step)
{
    static const struct {
        const char *shape, *to;
        Cp cp;
    } shapes[] = {{"128x256b", NULL, {128, 32, ROWS, 1, 0, 1}},
                  {"128x128b", NULL, {128, 16, ROWS, 1, 0, 1}},
                  {"64x128b", "warpx2::02_13", {64, 16, ROWS, 2, 2 * ROWS, 1}},
                  {"64x128b", "warpx2::01_23", {64, 16, 2 * ROWS, 2, ROWS, 1}},
                  {"32x128b", NULL, {32, 16, ROWS, 4, ROWS, 1}}};
    const PsPtxMnemonic *mnemonic = decode->mnemonic;
    step->execute = copy;
    for (guint i = 0; i < G_N_ELEMENTS(shapes); i++)
        if (ps_ptx_has(mnemonic, shapes[i].shape) &&
            (!shapes[i].to || ps_ptx_has(mnemonic, shapes[i].to)) &&
            !ps_ptx_has(mnemonic, "b8x16")) { /* the elements become wider */
            Cp *cp = g_memdup2(&shapes[i].cp, sizeof *cp);
            cp->parts = ps_ptx_has(mnemonic, "cta_group::2") ? 2 : 1;
            step->more = cp;
            return ps_ptx_decode_from(decode, step, 0, PS_PTX_U32) && step->n_from == 1 &&
                   ps_ptx_decode_from(decode, step, 1, PS_PTX_B64) && step->n_from == 2;
        }
    return FALSE;
}

/* ---- what ends ------------------------------------------------------------------------------ */

static gboolean arrive_at(PsPtxWarp *warp, const PsPtxStep *step, guint lane, guint64 word)
{
    PsPtxRunner *runner = ps_ptx_runner(warp);
    guint64 address[PS_PTX_LANES] = {0};
    guint8 *memory[PS_PTX_LANES];
    const PsPtxTouched what = {PS_PTX_SHARED, 8, address, FALSE, 0};
    /* devices read the lower half of an address, which is its place in any space */
    if (ps_ptx_window(runner->machine, word, &address[lane]) != PS_PTX_SHARED)
        address[lane] = word & G_MAXUINT32;
    if (!ps_ptx_reach(runner, step, (guint32)1 << lane, &what, memory))
        return FALSE;
    ps_ptx_phase_counts_open(runner, memory[lane]);
    ps_ptx_phase_counts(runner, memory[lane], step->point, FALSE);
    if (ps_ptx_mbarrier_arrive(warp, memory[lane]))
        return TRUE;
    ps_ptx_fail(warp, step, lane,
                "arrives at an mbarrier that waits for no more arrivals in this phase");
    return FALSE;
}

/* tcgen05.commit: an arrival when all products and copies of the thread have ended, which is now.
 * step->kind: it goes to the groups of a mask. */
static void commit(PsPtxWarp *warp, const PsPtxStep *step, guint32 mask)
{
    const PsPtxMachine *machine = ps_ptx_runner(warp)->machine;
    guint64 address[PS_PTX_LANES];
    ps_ptx_addresses(warp, step, address);
    ps_ptx_phase_executes(ps_ptx_runner(warp), step->point, FALSE);
    for (guint32 rest = mask; rest != 0; rest &= rest - 1) {
        const guint lane = (guint)__builtin_ctz(rest);
        guint64 ranks = step->kind ? warp->slots[step->from[1]][lane] & G_MAXUINT16 : 1;
        if (step->kind && !ps_ptx_cluster_has(warp, step, lane, ranks))
            return;
        for (; ranks != 0; ranks &= ranks - 1)
            if (!arrive_at(warp, step, lane,
                           step->kind ? ps_ptx_cluster_at(machine, address[lane],
                                                          (guint64)__builtin_ctzll(ranks))
                                      : address[lane]))
                return;
    }
    ps_ptx_phase_close(ps_ptx_runner(warp));
}

static gboolean decode_commit(PsPtxDecode *decode, PsPtxStep *step)
{
    step->execute = commit;
    step->kind = ps_ptx_has(decode->mnemonic, "multicast::cluster");
    return ps_ptx_decode_from(decode, step, 0, PS_PTX_U64) && step->n_from == 1 &&
           (!step->kind || ps_ptx_decode_from(decode, step, 1, PS_PTX_U16)) &&
           step->n_from == 1 + step->kind;
}

/* ---- decoding ------------------------------------------------------------------------------- */

static gboolean decode_any(PsPtxDecode *decode, PsPtxStep *step)
{
    const char *does = decode->mnemonic->parts[0];
    if (!does)
        return FALSE;
    if (strcmp(does, "mma") == 0)
        return ps_ptx_tensor_multiply(decode, step);
    if (strcmp(does, "commit") == 0)
        return decode_commit(decode, step);
    if (strcmp(does, "cp") == 0)
        return decode_copy(decode, step);
    return ps_ptx_tensor_take(decode, step);
}

gboolean ps_ptx_tcgen05(PsPtxDecode *decode, PsPtxStep *step, char **unsupported)
{
    if (strcmp(decode->mnemonic->opcode, "tcgen05") != 0)
        return FALSE;
    if (!decode_any(decode, step))
        return ps_ptx_cannot(decode, step, unsupported);
    return TRUE;
}

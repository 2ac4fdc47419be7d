/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * ldmatrix, stmatrix and movmatrix: 8 x 8 matrices of 16 bits, of which lane l has two neighbours
 * in row l / 4. Eight lanes give the addresses of a matrix's rows, of 16 bytes each.
 */
#include "ptx/alu/matrix.h"
#include "ptx/run/families.h"

enum { TRANSPOSED = 1 };

/* The row and the column of a lane's element i. */
static void place_of(const PsPtxStep *step, guint lane, guint i, guint *row, guint *column)
{
    gboolean transposed = (step->flags & TRANSPOSED) != 0;
    *row = transposed ? lane % 4 * 2 + i : lane / 4;
    *column = transposed ? lane / 4 : lane % 4 * 2 + i;
}

/* The lanes that give addresses for so many matrices. */
static guint32 speakers(guint matrices)
{
    return matrices >= 4 ? G_MAXUINT32 : ((guint32)1 << (8 * matrices)) - 1;
}

/* The rows of all matrices; FALSE with the warp's error set. */
static gboolean reach(PsPtxWarp *warp, const PsPtxStep *step, guint matrices,
                      guint8 *rows[PS_PTX_LANES])
{
    guint64 address[PS_PTX_LANES];
    ps_ptx_addresses(warp, step, address);
    return ps_ptx_touch(warp, step, speakers(matrices), address, 16, rows);
}

static void execute_load(PsPtxWarp *warp, const PsPtxStep *step, guint32 mask)
{
    guint8 *rows[PS_PTX_LANES] = {NULL};
    if (!reach(warp, step, step->n_to, rows))
        return;
    for (guint matrix = 0; matrix < step->n_to; matrix++) {
        guint64 result[PS_PTX_LANES] = {0};
        for (guint lane = 0; lane < PS_PTX_LANES; lane++)
            for (guint i = 0; i < 2; i++) {
                guint row, column;
                place_of(step, lane, i, &row, &column);
                const guint8 *at = &rows[matrix * 8 + row][column * 2];
                result[lane] |= (guint64)(at[0] | at[1] << 8) << (i * 16);
            }
        ps_ptx_give(warp, step->to[matrix], result, mask);
    }
}

static void execute_store(PsPtxWarp *warp, const PsPtxStep *step, guint32 mask)
{
    guint8 *rows[PS_PTX_LANES] = {NULL};
    guint matrices = step->n_from - 1;
    if (!reach(warp, step, matrices, rows))
        return;
    for (guint matrix = 0; matrix < matrices; matrix++)
        for (guint lane = 0; lane < PS_PTX_LANES; lane++)
            for (guint i = 0; (mask >> lane & 1) != 0 && i < 2; i++) {
                guint row, column;
                place_of(step, lane, i, &row, &column);
                guint64 word = ps_ptx_source(warp, step, 1 + matrix)[lane] >> (i * 16);
                rows[matrix * 8 + row][column * 2] = (guint8)word;
                rows[matrix * 8 + row][column * 2 + 1] = (guint8)(word >> 8);
            }
}

static void execute_transpose(PsPtxWarp *warp, const PsPtxStep *step, guint32 mask)
{
    const guint64 *from = ps_ptx_source(warp, step, 0);
    guint64 result[PS_PTX_LANES] = {0};
    for (guint lane = 0; lane < PS_PTX_LANES; lane++)
        for (guint i = 0; i < 2; i++) {
            guint row, column;
            place_of(step, lane, i, &row, &column);
            guint64 word = from[row * 4 + column / 2] >> (column % 2 * 16);
            result[lane] |= (word & 0xffff) << (i * 16);
        }
    ps_ptx_give(warp, step->to[0], result, mask);
}

static gboolean is_matrix_count(guint n)
{
    return n == 1 || n == 2 || n == 4;
}

static gboolean decode_move(PsPtxDecode *decode, PsPtxStep *step)
{
    const char *opcode = decode->mnemonic->opcode;
    step->flags = ps_ptx_has(decode->mnemonic, "trans") ? TRANSPOSED : 0;
    if (!ps_ptx_has(decode->mnemonic, "m8n8") || !ps_ptx_has(decode->mnemonic, "b16") ||
        !ps_ptx_operands(decode, 2, 2))
        return FALSE;
    if (strcmp(opcode, "stmatrix") == 0) {
        step->execute = execute_store;
        return ps_ptx_decode_from(decode, step, 0, PS_PTX_U64) && step->n_from == 1 &&
               ps_ptx_decode_from(decode, step, 1, PS_PTX_B32) && is_matrix_count(step->n_from - 1);
    }
    gboolean load = strcmp(opcode, "ldmatrix") == 0;
    step->execute = load ? execute_load : execute_transpose;
    return ps_ptx_decode_to(decode, step, 0) &&
           ps_ptx_decode_from(decode, step, 1, load ? PS_PTX_U64 : PS_PTX_B32) &&
           step->n_from == 1 && is_matrix_count(step->n_to);
}

gboolean ps_ptx_matrix_move(PsPtxDecode *decode, PsPtxStep *step, char **unsupported)
{
    static const char *const own[] = {"ldmatrix", "stmatrix", "movmatrix", NULL};
    if (!ps_ptx_opcode_in(decode, own))
        return FALSE;
    return decode_move(decode, step) || ps_ptx_cannot(decode, step, unsupported);
}

/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * mma: fragments as the PTX ISA lays them out. In all shapes but m8n8k4 of halves a lane's register
 * has neighbours in k: of A in row lane / 4 (and 8 rows below, in every second register), of B in
 * column lane / 4; four lanes beside each other go on in k, and then further registers.
 */
#include "idg/ptx/alu/matrix.h"

typedef struct {
    PsPtxProduct product;
    gboolean quad_pairs; /* m8n8k4 of halves: four products, each of eight lanes */
    guint a, b, c, d;    /* registers of each fragment */
} Mma;

static guint64 code_at(guint64 word, guint which, guint bits)
{
    return bits == 64 ? word : word >> (which * bits) & (((guint64)1 << bits) - 1);
}

/* Elements of a register of that type. */
static guint per_register(PsPtxElement element)
{
    guint bits = ps_ptx_element_bits(element);
    return bits == 64 ? 1 : 32 / bits;
}

static void gather_a(const PsPtxWarp *warp, const PsPtxStep *step, double *to)
{
    const Mma *mma = step->more;
    const PsPtxProduct *product = &mma->product;
    guint per = per_register(product->a);
    guint bits = ps_ptx_element_bits(product->a);
    guint down = product->m / 8;
    for (guint reg = 0; reg < mma->a; reg++)
        for (guint lane = 0; lane < PS_PTX_LANES; lane++)
            for (guint i = 0; i < per; i++) {
                guint row = lane / 4 + reg % down * 8;
                guint k = reg / down * 4 * per + lane % 4 * per + i;
                guint64 word = ps_ptx_source(warp, step, reg)[lane];
                to[row * product->k + k] = ps_ptx_element_value(product->a, code_at(word, i, bits));
            }
}

static void gather_b(const PsPtxWarp *warp, const PsPtxStep *step, double *to)
{
    const Mma *mma = step->more;
    const PsPtxProduct *product = &mma->product;
    guint per = per_register(product->b);
    guint bits = ps_ptx_element_bits(product->b);
    for (guint reg = 0; reg < mma->b; reg++)
        for (guint lane = 0; lane < PS_PTX_LANES; lane++)
            for (guint i = 0; i < per; i++) {
                guint k = reg * 4 * per + lane % 4 * per + i;
                guint64 word = ps_ptx_source(warp, step, mma->a + reg)[lane];
                to[k * product->n + lane / 4] =
                    ps_ptx_element_value(product->b, code_at(word, i, bits));
            }
}

static void gather_c(const PsPtxWarp *warp, const PsPtxStep *step, double *to)
{
    const Mma *mma = step->more;
    const PsPtxProduct *product = &mma->product;
    guint per = per_register(product->c);
    guint bits = ps_ptx_element_bits(product->c);
    for (guint lane = 0; lane < PS_PTX_LANES; lane++)
        for (guint i = 0; i < mma->c * per; i++) {
            guint row, column;
            ps_ptx_accumulator_at(product->m, lane, i, &row, &column);
            guint64 word = ps_ptx_source(warp, step, mma->a + mma->b + i / per)[lane];
            to[row * product->n + column] =
                ps_ptx_element_value(product->c, code_at(word, i % per, bits));
        }
}

static void execute_mma(PsPtxWarp *warp, const PsPtxStep *step, guint32 mask)
{
    const Mma *mma = step->more;
    const PsPtxProduct *product = &mma->product;
    PsPtxMatrices matrices;
    gather_a(warp, step, matrices.a);
    gather_b(warp, step, matrices.b);
    gather_c(warp, step, matrices.c);
    ps_ptx_product_compute(product, &matrices);
    guint per = per_register(product->d);
    guint bits = ps_ptx_element_bits(product->d);
    for (guint reg = 0; reg < mma->d; reg++) {
        guint64 result[PS_PTX_LANES] = {0};
        for (guint lane = 0; lane < PS_PTX_LANES; lane++)
            for (guint i = 0; i < per; i++) {
                guint row, column;
                ps_ptx_accumulator_at(product->m, lane, reg * per + i, &row, &column);
                guint64 code = ps_ptx_element_code(product, matrices.c[row * product->n + column]);
                result[lane] |= code << (i * bits);
            }
        ps_ptx_give(warp, step->to[reg], result, mask);
    }
}

/* m8n8k4 of halves: lanes 0 to 3 and 16 to 19 do the first product, 4 to 7 and 20 to 23 the second,
 * and so on. Where element i of a lane's part lies: */
static void quad_a_at(gboolean row_major, guint lane, guint i, guint *row, guint *k)
{
    guint upper = lane >= 16 ? 4 : 0;
    *row = upper + (row_major ? lane % 4 : i);
    *k = row_major ? i : lane % 4;
}

static void quad_b_at(gboolean row_major, guint lane, guint i, guint *k, guint *column)
{
    guint upper = lane >= 16 ? 4 : 0;
    *k = row_major ? lane % 4 : i;
    *column = upper + (row_major ? i : lane % 4);
}

static void quad_c_at(PsPtxElement element, guint lane, guint i, guint *row, guint *column)
{
    guint upper = lane >= 16 ? 4 : 0;
    if (element == PS_PTX_ELEMENT_F16) {
        *row = upper + lane % 4;
        *column = i;
        return;
    }
    *row = upper + (lane & 1) + (i & 2);
    *column = (i & 4) + (lane & 2) + (i & 1);
}

static void gather_quad(const PsPtxWarp *warp, const PsPtxStep *step, guint lane,
                        PsPtxMatrices *matrices)
{
    const Mma *mma = step->more;
    const PsPtxProduct *product = &mma->product;
    guint row, column;
    for (guint i = 0; i < 4; i++) {
        guint64 a = ps_ptx_source(warp, step, i / 2)[lane];
        guint64 b = ps_ptx_source(warp, step, 2 + i / 2)[lane];
        quad_a_at(product->row_a, lane, i, &row, &column);
        matrices->a[row * 4 + column] = ps_ptx_half_value(code_at(a, i % 2, 16));
        quad_b_at(product->row_b, lane, i, &row, &column);
        matrices->b[row * 8 + column] = ps_ptx_half_value(code_at(b, i % 2, 16));
    }
    guint per = per_register(product->c);
    for (guint i = 0; i < 8; i++) {
        guint64 c = ps_ptx_source(warp, step, 4 + i / per)[lane];
        quad_c_at(product->c, lane, i, &row, &column);
        matrices->c[row * 8 + column] =
            ps_ptx_element_value(product->c, code_at(c, i % per, 32 / per));
    }
}

static void execute_quads(PsPtxWarp *warp, const PsPtxStep *step, guint32 mask)
{
    const Mma *mma = step->more;
    const PsPtxProduct *product = &mma->product;
    guint per = per_register(product->d);
    guint64 result[8][PS_PTX_LANES] = {{0}};
    for (guint quad = 0; quad < 4; quad++) {
        PsPtxMatrices matrices;
        for (guint i = 0; i < 8; i++)
            gather_quad(warp, step, quad * 4 + i % 4 + i / 4 * 16, &matrices);
        ps_ptx_product_compute(product, &matrices);
        for (guint j = 0; j < 64; j++) {
            guint lane = quad * 4 + j % 4 + j / 32 * 16;
            guint i = j / 4 % 8;
            guint row, column;
            quad_c_at(product->d, lane, i, &row, &column);
            result[i / per][lane] |= ps_ptx_element_code(product, matrices.c[row * 8 + column])
                                     << (i % per * 32 / per);
        }
    }
    for (guint reg = 0; reg < mma->d; reg++)
        ps_ptx_give(warp, step->to[reg], result[reg], mask);
}

/* Registers that a matrix of so many elements takes of each lane. */
static guint registers(guint elements, PsPtxElement element)
{
    return elements / PS_PTX_LANES / per_register(element);
}

gboolean ps_ptx_mma(PsPtxDecode *decode, PsPtxStep *step, char **unsupported)
{
    if (strcmp(decode->mnemonic->opcode, "mma") != 0)
        return FALSE;
    Mma *mma = g_new0(Mma, 1);
    PsPtxProduct *product = &mma->product;
    step->more = mma;
    if (!ps_ptx_product_read(decode->mnemonic, product))
        return ps_ptx_cannot(decode, step, unsupported);
    mma->quad_pairs = product->m == 8 && product->k == 4 && product->a == PS_PTX_ELEMENT_F16;
    guint copies = mma->quad_pairs ? 4 : 1;
    mma->a = registers(copies * product->m * product->k, product->a);
    mma->b = registers(copies * product->k * product->n, product->b);
    mma->c = registers(copies * product->m * product->n, product->c);
    mma->d = registers(copies * product->m * product->n, product->d);
    if (mma->a == 0 || mma->b == 0 || decode->mnemonic->n_types < 4 ||
        !ps_ptx_operands(decode, 4, 4) || !ps_ptx_decode_usual(decode, step, PS_PTX_B64) ||
        step->n_to != mma->d || step->n_from != mma->a + mma->b + mma->c)
        return ps_ptx_cannot(decode, step, unsupported);
    step->execute = mma->quad_pairs ? execute_quads : execute_mma;
    return TRUE;
}

/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * mma: fragments as the PTX ISA lays them out. In all shapes but m8n8k4 of halves a lane's register
 * has neighbours in k: of A in row lane / 4 (and 8 rows below, in every second register), of B in
 * column lane / 4; four lanes beside each other go on in k, and then further registers.
 */
#include "ptx/alu/matrix-sparse.h"

typedef struct {
    PsPtxProduct product;
    PsPtxSparse sparse;  /* the elements of A that are stored; kept is 0: all */
    gboolean quad_pairs; /* m8n8k4 of halves: four products, of eight lanes each */
    guint a, b, c, d;    /* registers of each fragment */
    guint blocks;        /* scales of a row of A, or a column of B; 0: none */
    gboolean powers;     /* scales are exponents of 8 bits, else e4m3 without a sign */
} Mma;

/* The number of elements in a register of that type. */
static guint per_register(PsPtxElement element)
{
    guint bits = ps_ptx_element_bits(element);
    return bits == 64 ? 1 : 32 / bits;
}

/* Reads element i of each lane's part of a source. */
static void element_of(const PsPtxWarp *warp, const PsPtxStep *step, guint source, guint i,
                       PsPtxElement element, double value[PS_PTX_LANES])
{
    const Mma *mma = step->more;
    const guint64 *word = ps_ptx_source(warp, step, source);
    guint shift = i * ps_ptx_element_bits(element);
    guint64 code[PS_PTX_LANES];
    for (guint lane = 0; lane < PS_PTX_LANES; lane++)
        code[lane] = word[lane] >> shift;
    ps_ptx_element_values(mma->product.vectors, element, code, value);
}

static void gather_a(const PsPtxWarp *warp, const PsPtxStep *step, double *to)
{
    const Mma *mma = step->more;
    const PsPtxProduct *product = &mma->product;
    const guint k = mma->sparse.kept > 0 ? mma->sparse.kept : product->k;
    guint per = per_register(product->a);
    guint down = product->m / 8;
    double value[PS_PTX_LANES];
    for (guint i = 0; i < mma->a * per; i++) {
        guint reg = i / per;
        guint first_row = reg % down * 8;
        guint first_k = reg / down * 4 * per + i % per;
        element_of(warp, step, reg, i % per, product->a, value);
        ps_ptx_spread_lanes(&to[first_row * k + first_k], k, per, value);
    }
}

static void gather_b(const PsPtxWarp *warp, const PsPtxStep *step, double *to)
{
    const Mma *mma = step->more;
    const PsPtxProduct *product = &mma->product;
    guint per = per_register(product->b);
    double value[PS_PTX_LANES];
    for (guint i = 0; i < mma->b * per; i++) {
        guint first_k = i / per * 4 * per + i % per;
        element_of(warp, step, mma->a + i / per, i % per, product->b, value);
        ps_ptx_spread_lanes(&to[first_k * product->n], 1, (gsize)per * product->n, value);
    }
}

static void gather_c(const PsPtxWarp *warp, const PsPtxStep *step, double *to)
{
    const Mma *mma = step->more;
    const PsPtxProduct *product = &mma->product;
    guint per = per_register(product->c);
    double value[PS_PTX_LANES];
    for (guint i = 0; i < mma->c * per; i++) {
        element_of(warp, step, mma->a + mma->b + i / per, i % per, product->c, value);
        ps_ptx_accumulator_put(product, i, value, to);
    }
}

/* ---- scales of blocks ----------------------------------------------------------------------- */

static double scale_of(const Mma *mma, guint64 code)
{
    if (!mma->powers)
        return ps_ptx_decode_format((guint32)code & 0x7f, &ps_ptx_format_e4m3);
    return (code & 0xff) == 0xff ? NAN : ldexp(1, (int)(code & 0xff) - 127);
}

/* Multiplies a row of A or a column of B by the scales in a lane's word, from a byte on. */
static void scale_row(const Mma *mma, guint64 word, guint byte, double *to, gsize step)
{
    const guint k = mma->product.k;
    for (guint i = 0; i < k; i++)
        to[i * step] *= scale_of(mma, word >> (byte + i / (k / mma->blocks)) % 4 * 8);
}

/* Multiplies by the scales of blocks. Behind A, B and C come the scales of A, the byte of the first
 * one and the lanes of four that have them, then the same for B. Two lanes of four have a row of A
 * each, and one has a column of B. */
static void scale_blocks(const PsPtxWarp *warp, const PsPtxStep *step, PsPtxMatrices *matrices)
{
    const Mma *mma = step->more;
    const PsPtxProduct *product = &mma->product;
    const guint first = mma->a + mma->b + mma->c;
    guint at[6];
    for (guint i = 0; i < 6; i++)
        at[i] = (guint)ps_ptx_source(warp, step, first + i)[0];
    for (guint row = 0; row < product->m; row++) {
        const guint lane = row % 8 * 4 + (at[2] & 1) * 2 + row / 8;
        scale_row(mma, ps_ptx_source(warp, step, first)[lane], at[1] & 3,
                  matrices->a + row * product->k, 1);
    }
    for (guint column = 0; column < product->n; column++)
        scale_row(mma, ps_ptx_source(warp, step, first + 3)[column * 4 + (at[5] & 3)], at[4] & 3,
                  matrices->b + column, product->n);
}

static void execute_mma(PsPtxWarp *warp, const PsPtxStep *step, guint32 mask)
{
    const Mma *mma = step->more;
    const PsPtxProduct *product = &mma->product;
    PsPtxMatrices matrices;
    gather_a(warp, step, matrices.a);
    gather_b(warp, step, matrices.b);
    gather_c(warp, step, matrices.c);
    if (mma->blocks > 0)
        scale_blocks(warp, step, &matrices);
    if (mma->sparse.kept > 0)
        ps_ptx_sparse_compute(product, &mma->sparse,
                              ps_ptx_source(warp, step, mma->a + mma->b + mma->c), &matrices);
    else
        ps_ptx_product_compute(product, &matrices);
    guint per = per_register(product->d);
    guint bits = ps_ptx_element_bits(product->d);
    for (guint reg = 0; reg < mma->d; reg++) {
        guint64 result[PS_PTX_LANES] = {0}, code[PS_PTX_LANES];
        double value[PS_PTX_LANES];
        for (guint i = 0; i < per; i++) {
            ps_ptx_accumulator_get(product, reg * per + i, matrices.c, value);
            ps_ptx_element_codes(product, value, code);
            for (guint lane = 0; lane < PS_PTX_LANES; lane++)
                result[lane] |= code[lane] << (i * bits);
        }
        ps_ptx_give(warp, step->to[reg], result, mask);
    }
}

/* m8n8k4 of halves: lanes 0 to 3 and 16 to 19 do the first product, 4 to 7 and 20 to 23 the second,
 * and so on. Finds the place of element i of a lane's part. */
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

static void gather_quads(const PsPtxWarp *warp, const PsPtxStep *step, PsPtxMatrices quads[4])
{
    const Mma *mma = step->more;
    const PsPtxProduct *product = &mma->product;
    guint per = per_register(product->c);
    double a[PS_PTX_LANES], b[PS_PTX_LANES], c[PS_PTX_LANES];
    guint row, column;
    for (guint i = 0; i < 8; i++) {
        element_of(warp, step, i % 4 / 2, i % 2, product->a, a);
        element_of(warp, step, 2 + i % 4 / 2, i % 2, product->b, b);
        element_of(warp, step, 4 + i / per, i % per, product->c, c);
        for (guint lane = 0; lane < PS_PTX_LANES; lane++) {
            PsPtxMatrices *quad = &quads[lane % 16 / 4];
            quad_a_at(product->row_a, lane, i % 4, &row, &column);
            quad->a[row * 4 + column] = a[lane];
            quad_b_at(product->row_b, lane, i % 4, &row, &column);
            quad->b[row * 8 + column] = b[lane];
            quad_c_at(product->c, lane, i, &row, &column);
            quad->c[row * 8 + column] = c[lane];
        }
    }
}

static void execute_quads(PsPtxWarp *warp, const PsPtxStep *step, guint32 mask)
{
    const Mma *mma = step->more;
    const PsPtxProduct *product = &mma->product;
    guint per = per_register(product->d);
    guint64 result[8][PS_PTX_LANES] = {{0}};
    PsPtxMatrices quads[4];
    gather_quads(warp, step, quads);
    for (guint quad = 0; quad < 4; quad++)
        ps_ptx_product_compute(product, &quads[quad]);
    for (guint i = 0; i < 8; i++)
        for (guint lane = 0; lane < PS_PTX_LANES; lane++) {
            guint row, column;
            quad_c_at(product->d, lane, i, &row, &column);
            double value = quads[lane % 16 / 4].c[row * 8 + column];
            result[i / per][lane] |= ps_ptx_element_code(product, value) << (i % per * 16);
        }
    for (guint reg = 0; reg < mma->d; reg++)
        ps_ptx_give(warp, step->to[reg], result[reg], mask);
}

void ps_ptx_product_idle(PsPtxWarp *warp, const PsPtxStep *step, guint32 mask)
{
    static const guint64 nothing[PS_PTX_LANES];
    for (guint reg = 0; reg < step->n_to; reg++)
        ps_ptx_give(warp, step->to[reg], nothing, mask);
}

/* The number of registers in each lane for a matrix of that many elements. */
static guint registers(guint elements, PsPtxElement element)
{
    return elements / PS_PTX_LANES / per_register(element);
}

/* FALSE where the scales of blocks are not known. */
static gboolean read_scales(const PsPtxMnemonic *mnemonic, Mma *mma)
{
    static const struct {
        const char *part;
        guint blocks;
    } sizes[] = {{"scale_vec::1X", 1}, {"scale_vec::2X", 2}, {"scale_vec::4X", 4}};
    if (!ps_ptx_has(mnemonic, "block_scale"))
        return TRUE;
    mma->powers = ps_ptx_has(mnemonic, "ue8m0");
    mma->blocks = ps_ptx_has(mnemonic, "kind::mxf8f6f4") ? 1 : 2;
    for (guint i = 0; i < G_N_ELEMENTS(sizes); i++)
        if (ps_ptx_has(mnemonic, sizes[i].part))
            mma->blocks = sizes[i].blocks;
    return mma->powers || ps_ptx_has(mnemonic, "ue4m3");
}

/* The number of registers behind A, B and C: scales, or the words that say which elements are
 * stored and which lanes' words those are. */
static guint more_registers(const Mma *mma)
{
    return mma->blocks > 0 ? 6 : mma->sparse.kept > 0 ? 2 : 0;
}

/* Counts the registers of each fragment. FALSE: a factor would have none. */
static gboolean count_registers(Mma *mma)
{
    const PsPtxProduct *product = &mma->product;
    mma->quad_pairs = product->m == 8 && product->k == 4 && product->a == PS_PTX_ELEMENT_F16;
    const guint copies = mma->quad_pairs ? 4 : 1;
    const guint k = mma->sparse.kept > 0 ? mma->sparse.kept : product->k;
    mma->a = registers(copies * product->m * k, product->a);
    mma->b = registers(copies * product->k * product->n, product->b);
    mma->c = registers(copies * product->m * product->n, product->c);
    mma->d = registers(copies * product->m * product->n, product->d);
    return mma->a > 0 && mma->b > 0;
}

gboolean ps_ptx_mma(PsPtxDecode *decode, PsPtxStep *step, char **unsupported)
{
    if (strcmp(decode->mnemonic->opcode, "mma") != 0)
        return FALSE;
    Mma *mma = g_new0(Mma, 1);
    step->more = mma;
    if (!ps_ptx_product_read(decode->mnemonic, &mma->product) ||
        !read_scales(decode->mnemonic, mma) ||
        !ps_ptx_sparse_read(decode, &mma->product, &mma->sparse) || !count_registers(mma))
        return ps_ptx_cannot(decode, step, unsupported);
    mma->product.vectors = decode->vectors;
    const guint operands = mma->blocks > 0 ? 8 : mma->sparse.kept > 0 ? 6 : 4;
    if (decode->mnemonic->n_types < 4 || !ps_ptx_operands(decode, operands, operands) ||
        !ps_ptx_decode_usual(decode, step, PS_PTX_B64) || step->n_to != mma->d ||
        step->n_from != mma->a + mma->b + mma->c + more_registers(mma))
        return ps_ptx_cannot(decode, step, unsupported);
    step->execute = decode->no_products ? ps_ptx_product_idle
                    : mma->quad_pairs   ? execute_quads
                                        : execute_mma;
    return TRUE;
}

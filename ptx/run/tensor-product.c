/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * tcgen05.mma: products whose result is in tensor memory, of a group or a pair of groups of a
 * cluster, with scales of blocks. One thread executes a product, at once. The terms are added in
 * the order of k, exactly as long as 53 bits hold the sum; then D is added, and the result rounded
 * once. A device adds with fewer bits, in an order that is not documented.
 */
#include "ptx/run/descriptor.h"
#include "ptx/run/phase.h"
#include "ptx/run/tensor-instruction.h"
#include "ptx/run/tensor-memory.h"
#include "ptx/step/lane.h"
#include "ptx/step/operands.h"
#include <string.h>

#define MOST_M 256U
#define MOST_N 256U
#define MOST_K 64U
#define LANES 128U
#define SCALE_LANES 32U /* rows of scales; each quarter of the lanes has a copy of them */

typedef struct {
    PsPtxKind kind;
    gboolean in_tensor; /* A is in tensor memory */
    guint parts;        /* groups that take part: 1 or 2 */
    gint64 d_offset, a_offset, scale_offset[2];
    guint scales;  /* number of the source with the place of A's scales; the next one is B's; 0:
                      none */
    guint blocks;  /* scales of a row */
    guint masks;   /* number of the source that has the first lanes that are not written; 0: none */
    guint enables; /* number of the source that says whether D is added */
    guint scale;   /* D is first multiplied by 2^-scale */
    PsPtxVectors vectors;
    PsPtxTensorProduct done; /* the product that was executed; m is 0: none as yet */
} Mma;

typedef struct {
    double a[MOST_M * MOST_K], b[MOST_K * MOST_N], c[MOST_M * MOST_N];
} Room;

/* The product of one thread. */
typedef struct {
    PsPtxWarp *warp;
    const PsPtxStep *step;
    guint lane;
    PsPtxTensorInstruction is;
    PsPtxTensorPlace d;
    Room *room;
} Product;

static const Mma *mma_of(const Product *one)
{
    return one->step->more;
}

static guint64 value_of(const Product *one, guint source)
{
    return one->warp->slots[one->step->from[source]][one->lane];
}

static PsPtxMachine *group_of(const Product *one, guint part)
{
    PsPtxMachine *machine = ps_ptx_runner(one->warp)->machine;
    return mma_of(one)->parts == 1 ? machine : ps_ptx_tensor_group(machine, part);
}

/* ---- matrices in tensor memory -------------------------------------------------------------- */

/* The number of rows of A and D in a group. */
static guint rows_of(const Product *one)
{
    return one->is.product.m / mma_of(one)->parts;
}

/* TRUE for a pair whose groups have 64 rows each: the second half of the columns is then in the
 * second half of the lanes. */
static gboolean is_folded(const Product *one)
{
    return mma_of(one)->parts == 2 && rows_of(one) < LANES;
}

/* The lane of a row. Where a single group has 64 rows, each warp has 16. */
static guint lane_of(const Product *one, guint row)
{
    return mma_of(one)->parts == 2 || rows_of(one) == LANES ? row : row / 16 * 32 + row % 16;
}

static guint lanes_of(const Product *one)
{
    return is_folded(one) ? LANES : lane_of(one, rows_of(one) - 1) + 1;
}

/* Reads n values of a row from words of a lane, `per` in each word. */
static void read_row(PsPtxElement element, const guint32 *words, guint per, guint n, double *to)
{
    const guint bits = 32 / per;
    for (guint first = 0; first < n; first += PS_PTX_LANES) {
        const guint some = MIN(n - first, PS_PTX_LANES);
        guint64 code[PS_PTX_LANES] = {0};
        double value[PS_PTX_LANES];
        for (guint i = 0; i < some; i++)
            code[i] = words[(first + i) / per] >> (first + i) % per * bits;
        ps_ptx_element_values(PS_PTX_PLAIN, element, code, value);
        memcpy(to + first, value, some * sizeof *value);
    }
}

/* The words of a row of D from column `first` on, `n` side by side. */
static guint32 *words_of(const Product *one, guint row, guint first, guint *n)
{
    const guint rows = rows_of(one), all = one->is.product.n;
    PsPtxTensorMemory *memory = group_of(one, row / rows)->tensor;
    const guint lane = one->d.lane + lane_of(one, row % rows);
    const gboolean second = is_folded(one) && first >= all / 2;
    *n = is_folded(one) ? all / 2 : all;
    return &memory->word[lane + (second ? LANES / 2 : 0)][one->d.column + first % *n];
}

/* ---- factors -------------------------------------------------------------------------------- */

static gboolean read_descriptor(const Product *one, guint source, PsPtxFactor *factor,
                                const char *name, PsPtxFactorTo to)
{
    guint64 descriptor;
    const char *why = ps_ptx_descriptor_of_tensor(value_of(one, source), &descriptor);
    factor->bits = ps_ptx_kind_bits(mma_of(one)->kind, factor->element);
    if (!why)
        return ps_ptx_descriptor_read(one->warp, one->step, descriptor, factor, name, to);
    ps_ptx_fail(one->warp, one->step, one->lane,
                "%s whose descriptor 0x%016" G_GINT64_MODIFIER "x has %s", name,
                value_of(one, source), why);
    return FALSE;
}

/* Reads the rows of A from a group's tensor memory. */
static gboolean read_held(const Product *one, guint part)
{
    const Mma *mma = mma_of(one);
    const PsPtxProduct *product = &one->is.product;
    const gboolean wide = ps_ptx_kind_bits(mma->kind, product->a) == 4;
    const PsPtxElement element = wide ? PS_PTX_ELEMENT_E2M1_OF_8 : product->a;
    const guint per = 32 / ps_ptx_element_bits(element);
    const PsPtxTensorPart place = {one->lane,     value_of(one, 1) + (guint64)mma->a_offset,
                                   lanes_of(one), product->k / per,
                                   "multiplies",  group_of(one, part)};
    PsPtxTensorPlace a;
    if (!ps_ptx_tensor_reach(one->warp, one->step, &place, &a))
        return FALSE;
    for (guint row = 0; row < rows_of(one); row++)
        read_row(element, &place.group->tensor->word[a.lane + lane_of(one, row)][a.column], per,
                 product->k, one->room->a + (part * rows_of(one) + row) * product->k);
    return TRUE;
}

static gboolean gather_factors(const Product *one, guint part)
{
    const PsPtxProduct *product = &one->is.product;
    const guint rows = rows_of(one), columns = product->n / mma_of(one)->parts;
    PsPtxFactor a = {product->a, rows, product->k, one->is.across[0], 0, group_of(one, part)};
    PsPtxFactor b = {product->b, columns, product->k, one->is.across[1], 0, group_of(one, part)};
    const PsPtxFactorTo to_a = {one->room->a + part * rows * product->k, product->k, 1};
    const PsPtxFactorTo to_b = {one->room->b + part * columns, 1, product->n};
    return (mma_of(one)->in_tensor ? read_held(one, part)
                                   : read_descriptor(one, 1, &a, "multiplies a matrix A", to_a)) &&
           read_descriptor(one, 2, &b, "multiplies a matrix B", to_b);
}

/* ---- scales of blocks ----------------------------------------------------------------------- */

/* Reads the word with a row's scales; each quarter of the lanes has the same word. */
static gboolean read_scales(const Product *one, const PsPtxTensorPart *place, guint row,
                            guint32 *word)
{
    const guint lane = row % SCALE_LANES, column = (place->address & 0xffff) + row / SCALE_LANES;
    *word = place->group->tensor->word[lane][column];
    for (guint copy = 1; copy < LANES / SCALE_LANES; copy++)
        if (place->group->tensor->word[lane + copy * SCALE_LANES][column] != *word) {
            ps_ptx_fail(one->warp, one->step, one->lane,
                        "multiplies with scales in column %u of tensor memory that differ between "
                        "lane %u and lane %u, which must have the same",
                        column, lane, lane + copy * SCALE_LANES);
            return FALSE;
        }
    return TRUE;
}

static double scale_of(const Product *one, guint32 code)
{
    if (!one->is.powers)
        return ps_ptx_decode_format(code & 0x7f, &ps_ptx_format_e4m3);
    return code == 0xff ? NAN : ldexp(1, (int)code - 127);
}

/* Multiplies a group's rows of a factor (0: A, 1: B) by their scales. */
static gboolean scale_rows(const Product *one, guint part, guint which, double *to,
                           const gsize steps[2])
{
    const Mma *mma = mma_of(one);
    const PsPtxProduct *product = &one->is.product;
    const guint rows = which == 0 ? rows_of(one) : product->n, per = product->k / mma->blocks;
    const PsPtxTensorPart place = {one->lane,
                                   value_of(one, mma->scales + which) +
                                       (guint64)mma->scale_offset[which],
                                   LANES,
                                   (rows + SCALE_LANES - 1) / SCALE_LANES,
                                   "multiplies with scales in",
                                   group_of(one, part)};
    PsPtxTensorPlace first;
    guint32 word;
    if (!ps_ptx_tensor_reach(one->warp, one->step, &place, &first))
        return FALSE;
    for (guint row = 0; row < rows; row++) {
        if (!read_scales(one, &place, row, &word))
            return FALSE;
        for (guint i = 0; i < product->k; i++)
            to[row * steps[0] + i * steps[1]] *=
                scale_of(one, word >> (one->is.scale[which] + i / per) % 4 * 8 & 0xff);
    }
    return TRUE;
}

static gboolean scale_all(const Product *one)
{
    const PsPtxProduct *product = &one->is.product;
    for (guint part = 0; part < mma_of(one)->parts; part++)
        if (!scale_rows(one, part, 0, one->room->a + part * rows_of(one) * product->k,
                        (const gsize[2]){product->k, 1}))
            return FALSE;
    return scale_rows(one, 0, 1, one->room->b, (const gsize[2]){1, product->n});
}

/* ---- D -------------------------------------------------------------------------------------- */

static void gather_d(const Product *one)
{
    const Mma *mma = mma_of(one);
    const PsPtxProduct *product = &one->is.product;
    const double factor = 1.0 / (double)(1U << mma->scale);
    Room *room = one->room;
    guint n = 0;
    memset(room->c, 0, sizeof *room->c * product->m * product->n);
    for (guint row = 0; value_of(one, mma->enables) != 0 && row < product->m; row++) {
        double *to = room->c + row * product->n;
        for (guint first = 0; first < product->n; first += n) {
            const guint32 *words = words_of(one, row, first, &n);
            read_row(product->d, words, 1, n, to + first);
        }
        for (guint i = 0; mma->scale > 0 && i < product->n; i++)
            to[i] *= factor;
    }
}

static gboolean is_masked(const Product *one, guint row, gboolean second)
{
    const Mma *mma = mma_of(one);
    const guint rows = rows_of(one);
    const guint lane =
        one->d.lane + lane_of(one, row % rows) + (second ? LANES / 2 : 0) + row / rows * LANES;
    return mma->masks != 0 && (value_of(one, mma->masks + lane / 32) >> lane % 32 & 1) != 0;
}

static void spread(const Product *one)
{
    const PsPtxProduct *product = &one->is.product;
    guint n = 0;
    for (guint row = 0; row < product->m; row++)
        for (guint first = 0; first < product->n; first += n) {
            guint32 *words = words_of(one, row, first, &n);
            for (guint i = 0; !is_masked(one, row, first > 0) && i < n; i++)
                words[i] = (guint32)ps_ptx_element_code(product,
                                                        one->room->c[row * product->n + first + i]);
        }
}

/* ---- executing ------------------------------------------------------------------------------ */

/* Keeps the product's shape and types, from which its time is computed. */
static void note(const Product *one)
{
    static const char *const factors_of[] = {
        [PS_PTX_ELEMENT_F16] = "f16",   [PS_PTX_ELEMENT_BF16] = "bf16",
        [PS_PTX_ELEMENT_TF32] = "tf32", [PS_PTX_ELEMENT_U8] = "s8",
        [PS_PTX_ELEMENT_S8] = "s8",     [PS_PTX_ELEMENT_E4M3] = "e4m3",
        [PS_PTX_ELEMENT_E5M2] = "e4m3", [PS_PTX_ELEMENT_E2M3] = "e4m3",
        [PS_PTX_ELEMENT_E3M2] = "e4m3", [PS_PTX_ELEMENT_E2M1] = "e4m3"};
    static const char *const results_of[] = {
        [PS_PTX_ELEMENT_F16] = "f16", [PS_PTX_ELEMENT_F32] = "f32", [PS_PTX_ELEMENT_S32] = "s32"};
    Mma *mma = one->step->more;
    const PsPtxProduct *product = &one->is.product;
    const PsPtxTensorProduct now = {
        .factor = mma->kind == PS_PTX_KIND_MXF4 ? "e2m1" : factors_of[product->a],
        .result = results_of[product->d],
        .m = product->m,
        .n = product->n,
        .k = product->k,
        .pair = mma->parts == 2,
        .held = mma->in_tensor};
    const PsPtxTensorProduct *before = &mma->done;
    const gboolean same =
        before->m == 0 ||
        (strcmp(before->factor, now.factor) == 0 && strcmp(before->result, now.result) == 0 &&
         before->m == now.m && before->n == now.n && before->k == now.k);
    const gboolean differs = before->differs || !same;
    const guint by = mma->done.by | 1U << (ps_ptx_runner(one->warp)->machine->rank & 1);
    mma->done = now;
    mma->done.differs = differs;
    mma->done.by = by;
}

static gboolean reach_d(Product *one)
{
    const Mma *mma = mma_of(one);
    const guint columns = one->is.product.n / (is_folded(one) ? 2 : 1);
    for (guint part = 0; part < mma->parts; part++) {
        const PsPtxTensorPart place = {one->lane,         value_of(one, 0) + (guint64)mma->d_offset,
                                       lanes_of(one),     columns,
                                       "multiplies into", group_of(one, part)};
        if (!ps_ptx_tensor_reach(one->warp, one->step, &place, &one->d))
            return FALSE;
    }
    return TRUE;
}

static gboolean is_good(Product *one)
{
    const Mma *mma = mma_of(one);
    const guint32 word = (guint32)value_of(one, 3);
    one->is = ps_ptx_tensor_instruction(mma->kind, word);
    const char *why = ps_ptx_tensor_wrong(mma->kind, word, &one->is, mma->parts == 2);
    if (!why && mma->in_tensor && is_folded(one))
        why = "64 rows of each group of a pair, with A in tensor memory, which is not executed";
    if (!why)
        return mma->parts == 1 || ps_ptx_tensor_has_pair(one->warp, one->step, one->lane);
    ps_ptx_fail(one->warp, one->step, one->lane,
                "multiplies with the instruction descriptor 0x%08x, which has %s", word, why);
    return FALSE;
}

static gboolean multiply(Product *one)
{
    const Mma *mma = mma_of(one);
    const PsPtxProduct *product = &one->is.product;
    if (!is_good(one) || !reach_d(one))
        return FALSE;
    for (guint part = 0; part < mma->parts; part++)
        if (!gather_factors(one, part))
            return FALSE;
    if (mma->scales > 0 && !scale_all(one))
        return FALSE;
    for (guint i = 0; one->is.negative && i < product->m * product->k; i++)
        one->room->a[i] = -one->room->a[i];
    gather_d(one);
    const PsPtxWideProduct wide = {product->m, product->n, product->k, mma->vectors};
    ps_ptx_wide_product(&wide, one->room->a, one->room->b, one->room->c);
    spread(one);
    note(one);
    return TRUE;
}

static void multiply_all(PsPtxWarp *warp, const PsPtxStep *step, guint32 mask)
{
    PsPtxTensorMemory *memory = ps_ptx_tensor_memory(ps_ptx_runner(warp)->machine);
    if (!memory->room)
        memory->room = g_new(Room, 1);
    ps_ptx_phase_executes(ps_ptx_runner(warp), step->point, TRUE);
    for (guint32 rest = mask; rest != 0; rest &= rest - 1) {
        Product one = {
            .warp = warp, .step = step, .lane = (guint)__builtin_ctz(rest), .room = memory->room};
        if (!multiply(&one))
            return;
    }
}

const PsPtxTensorProduct *ps_ptx_machine_product(const PsPtxMachine *machine, guint point)
{
    const PsPtxStep *step = &machine->steps[point];
    const PsPtxMnemonic *mnemonic = machine->code->points[point].instruction->mnemonic;
    const gboolean is_product = strcmp(mnemonic->opcode, "tcgen05") == 0 && !step->tally &&
                                strcmp(mnemonic->parts[0], "mma") == 0;
    const Mma *mma = is_product ? step->more : NULL;
    return mma && mma->done.m > 0 ? &mma->done : NULL;
}

/* ---- decoding ------------------------------------------------------------------------------- */

/* Decodes the places of the scales of A and B, and the depth of k that each scale is for. */
static gboolean decode_scales(PsPtxDecode *decode, PsPtxStep *step)
{
    static const struct {
        const char *part;
        guint blocks; /* number of scales in a depth of 64 */
    } sizes[] = {{"scale_vec::2X", 2}, {"scale_vec::4X", 4}, {"block32", 2}, {"block16", 4}};
    Mma *mma = step->more;
    mma->blocks = mma->kind == PS_PTX_KIND_MXF8F6F4 ? 1 : 2;
    for (guint i = 0; mma->kind == PS_PTX_KIND_MXF4 && i < G_N_ELEMENTS(sizes); i++)
        if (ps_ptx_has(decode->mnemonic, sizes[i].part))
            mma->blocks = sizes[i].blocks;
    mma->scales = step->n_from;
    for (guint i = 0; i < 2; i++) {
        step->offset = 0;
        if (decode->instruction->n_operands < 7 ||
            !ps_ptx_decode_from(decode, step, 4 + i, PS_PTX_U32))
            return FALSE;
        mma->scale_offset[i] = step->offset;
    }
    step->offset = 0;
    return step->n_from == mma->scales + 2;
}

/* Decodes the operands behind the instruction's descriptor: {lanes}, whether D is added, and its
 * divisor. */
static gboolean decode_rest(PsPtxDecode *decode, PsPtxStep *step)
{
    const PsPtxInstruction *instruction = decode->instruction;
    Mma *mma = step->more;
    guint i = mma->scales > 0 ? 6 : 4;
    if (i < instruction->n_operands && instruction->operands[i].kind == PS_PTX_OPERAND_VECTOR) {
        mma->masks = step->n_from;
        if (!ps_ptx_decode_from(decode, step, i++, PS_PTX_U32) ||
            step->n_from != mma->masks + 4 * mma->parts)
            return FALSE;
    }
    mma->enables = step->n_from;
    if (!ps_ptx_decode_from(decode, step, i++, PS_PTX_PRED) || step->n_from != mma->enables + 1)
        return FALSE;
    if (i == instruction->n_operands)
        return TRUE;
    mma->scale = (guint)instruction->operands[i].value;
    return instruction->operands[i].kind == PS_PTX_OPERAND_IMMEDIATE && mma->scale < 16 &&
           i + 1 == instruction->n_operands;
}

static gboolean find_kind(const PsPtxMnemonic *mnemonic, PsPtxKind *kind)
{
    static const struct {
        const char *name;
        PsPtxKind kind;
    } kinds[] = {{"kind::f16", PS_PTX_KIND_F16},         {"kind::tf32", PS_PTX_KIND_TF32},
                 {"kind::f8f6f4", PS_PTX_KIND_F8F6F4},   {"kind::i8", PS_PTX_KIND_I8},
                 {"kind::f16_tf32", PS_PTX_KIND_FLOATS}, {"kind::mxf8f6f4", PS_PTX_KIND_MXF8F6F4},
                 {"kind::mxf4", PS_PTX_KIND_MXF4},       {"kind::mxf4nvf4", PS_PTX_KIND_MXF4}};
    for (guint i = 0; i < G_N_ELEMENTS(kinds); i++)
        if (ps_ptx_has(mnemonic, kinds[i].name)) {
            *kind = kinds[i].kind;
            return ps_ptx_kind_is_scaled(*kind) == ps_ptx_has(mnemonic, "block_scale");
        }
    return FALSE;
}

gboolean ps_ptx_tensor_multiply(PsPtxDecode *decode, PsPtxStep *step)
{
    static const char *const never[] = {"ws", "sp", "ashift"};
    const PsPtxMnemonic *mnemonic = decode->mnemonic;
    PsPtxKind kind;
    for (guint i = 0; i < G_N_ELEMENTS(never); i++)
        if (ps_ptx_has(mnemonic, never[i]))
            return FALSE;
    if (!find_kind(mnemonic, &kind) || decode->instruction->n_operands < 5)
        return FALSE;
    Mma *mma = g_new0(Mma, 1);
    step->more = mma;
    step->execute = multiply_all;
    mma->kind = kind;
    mma->parts = ps_ptx_has(mnemonic, "cta_group::2") ? 2 : 1;
    mma->vectors = decode->vectors;
    mma->in_tensor = decode->instruction->operands[1].kind == PS_PTX_OPERAND_ADDRESS;
    if (!ps_ptx_decode_from(decode, step, 0, PS_PTX_U32))
        return FALSE;
    mma->d_offset = step->offset;
    step->offset = 0;
    if (!ps_ptx_decode_from(decode, step, 1, PS_PTX_B64))
        return FALSE;
    mma->a_offset = step->offset;
    return ps_ptx_decode_from(decode, step, 2, PS_PTX_B64) &&
           ps_ptx_decode_from(decode, step, 3, PS_PTX_U32) && step->n_from == 4 &&
           (!ps_ptx_kind_is_scaled(kind) || decode_scales(decode, step)) &&
           decode_rest(decode, step);
}

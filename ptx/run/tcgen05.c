/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Products whose result is in tensor memory (tcgen05.mma), copies of shared memory into it, and
 * the arrivals at mbarriers that tell of their ends. One thread executes them, at once. Sums are
 * over k in its order, exactly where 53 bits hold them, then D, rounded once. A device adds with
 * fewer bits, in an order that nobody states.
 */
#include "ptx/run/descriptor.h"
#include "ptx/run/mbarrier.h"
#include "ptx/run/phase.h"
#include "ptx/run/tensor-memory.h"
#include "ptx/step/lane.h"
#include "ptx/step/operands.h"
#include <string.h>

#define MOST_M 128U
#define MOST_N 256U
#define MOST_K 32U
#define HALF_M 64U

/* FLOATS is of machine code, whose descriptor alone says whether factors are of 16 or 32 bits. */
typedef enum { KIND_F16, KIND_TF32, KIND_F8F6F4, KIND_I8, KIND_FLOATS } Kind;

typedef struct {
    Kind kind;
    gboolean in_tensor; /* A is in tensor memory */
    gint64 d_offset, a_offset;
    guint masks;   /* number of the source that has the first lanes that are not written; 0: none */
    guint enables; /* number of the source: D is added */
    guint scale;   /* D is multiplied by 2^-scale first */
    PsPtxVectors vectors;
    PsPtxTensorProduct done; /* what was multiplied; m is 0: nothing as yet */
} Mma;

typedef struct {
    double a[MOST_M * MOST_K], b[MOST_K * MOST_N], c[MOST_M * MOST_N];
} Room;

/* What the instruction's descriptor says. */
typedef struct {
    PsPtxProduct product;
    gboolean negative;
    gboolean across_a, across_b;
} Instruction;

/* ---- the instruction's descriptor ----------------------------------------------------------- */

/* The types of factors, for each kind, and of D by their numbers in the descriptor. */
#define NONE PS_PTX_N_ELEMENTS
static const PsPtxElement factors[][8] = {
    [KIND_F16] = {PS_PTX_ELEMENT_F16, PS_PTX_ELEMENT_BF16, NONE, NONE, NONE, NONE, NONE, NONE},
    [KIND_TF32] = {NONE, NONE, PS_PTX_ELEMENT_TF32, NONE, NONE, NONE, NONE, NONE},
    [KIND_F8F6F4] = {PS_PTX_ELEMENT_E4M3, PS_PTX_ELEMENT_E5M2, NONE, NONE, NONE, NONE, NONE, NONE},
    [KIND_I8] = {PS_PTX_ELEMENT_U8, PS_PTX_ELEMENT_S8, NONE, NONE, NONE, NONE, NONE, NONE},
    [KIND_FLOATS] = {PS_PTX_ELEMENT_F16, PS_PTX_ELEMENT_BF16, PS_PTX_ELEMENT_TF32, NONE, NONE, NONE,
                     NONE, NONE}};
static const PsPtxElement results[][4] = {
    [KIND_F16] = {PS_PTX_ELEMENT_F16, PS_PTX_ELEMENT_F32, NONE, NONE},
    [KIND_TF32] = {NONE, PS_PTX_ELEMENT_F32, NONE, NONE},
    [KIND_F8F6F4] = {PS_PTX_ELEMENT_F16, PS_PTX_ELEMENT_F32, NONE, NONE},
    [KIND_I8] = {NONE, NONE, PS_PTX_ELEMENT_S32, NONE},
    [KIND_FLOATS] = {PS_PTX_ELEMENT_F16, PS_PTX_ELEMENT_F32, NONE, NONE}};

static Instruction take_apart(Kind kind, guint32 word)
{
    Instruction is = {.product = {.m = (word >> 24 & 31) << 4,
                                  .n = (word >> 17 & 63) << 3,
                                  .d = results[kind][word >> 4 & 3],
                                  .a = factors[kind][word >> 7 & 7],
                                  .b = factors[kind][word >> 10 & 7],
                                  .satfinite = kind == KIND_I8 && (word >> 3 & 1) != 0},
                      .negative = ((word >> 13 ^ word >> 14) & 1) != 0,
                      .across_a = (word >> 15 & 1) != 0,
                      .across_b = (word >> 16 & 1) != 0};
    is.product.c = is.product.d;
    is.product.k = is.product.a == NONE ? 0 : 256 / ps_ptx_element_bits(is.product.a);
    return is;
}

/* What is wrong with it, or cannot be executed; NULL: nothing. */
static const char *wrong(Kind kind, guint32 word, const Instruction *is)
{
    const PsPtxProduct *product = &is->product;
    if ((word >> 2 & 1) != 0)
        return "a sparse product, which is not executed";
    if (kind == KIND_F8F6F4 && ((word >> 7 & 7) > 1 || (word >> 10 & 7) > 1) &&
        (word >> 7 & 7) < 6 && (word >> 10 & 7) < 6)
        return "factors of 6 or 4 bits, which are not executed";
    if (product->a == NONE || product->b == NONE)
        return "types of factors that its kind does not have";
    if (product->d == NONE)
        return "a type of the result that its kind does not have";
    if (product->m != HALF_M && product->m != MOST_M)
        return "a number of rows that is neither 64 nor 128";
    if (product->n < 8 || product->n > MOST_N || product->n % (product->m == MOST_M ? 16 : 8) != 0)
        return "a number of columns that is no multiple of 16 (of 64 rows: of 8) up to 256";
    if (kind == KIND_I8 && is->negative)
        return "a factor that is negated, which integers cannot be";
    return NULL;
}

/* ---- matrices in tensor memory -------------------------------------------------------------- */

/* The lane of a row: of 64 rows each warp has 16. */
static guint lane_of(const PsPtxProduct *product, guint row)
{
    return product->m == MOST_M ? row : row / 16 * 32 + row % 16;
}

static guint lanes_of(const PsPtxProduct *product)
{
    return lane_of(product, product->m - 1) + 1;
}

/* n values of a row from words of a lane, `per` in each. */
static void read_row(PsPtxElement element, const guint32 *words, guint per, guint n, double *to)
{
    const guint bits = 32 / per;
    for (guint first = 0; first < n; first += PS_PTX_LANES) {
        const guint some = MIN(n - first, PS_PTX_LANES);
        guint64 code[PS_PTX_LANES] = {0};
        double value[PS_PTX_LANES];
        for (guint i = 0; i < some; i++)
            code[i] = words[(first + i) / per] >> (first + i) % per * bits;
        ps_ptx_element_values(element, code, value);
        memcpy(to + first, value, some * sizeof *value);
    }
}

/* A product of one thread. */
typedef struct {
    PsPtxWarp *warp;
    const PsPtxStep *step;
    guint lane;
    Instruction is;
    PsPtxTensorPlace d;
    Room *room;
} Product;

static guint64 value_of(const Product *one, guint source)
{
    return one->warp->slots[one->step->from[source]][one->lane];
}

static gboolean read_descriptor(const Product *one, guint source, const PsPtxFactor *factor,
                                const char *name, PsPtxFactorTo to)
{
    guint64 descriptor;
    const char *why = ps_ptx_descriptor_of_tensor(value_of(one, source), &descriptor);
    if (!why)
        return ps_ptx_descriptor_read(one->warp, one->step, descriptor, factor, name, to);
    ps_ptx_fail(one->warp, one->step, one->lane,
                "multiplies a matrix %s whose descriptor 0x%016" G_GINT64_MODIFIER "x has %s", name,
                value_of(one, source), why);
    return FALSE;
}

static gboolean gather_a(const Product *one)
{
    const Mma *mma = one->step->more;
    const PsPtxProduct *product = &one->is.product;
    const guint per = 32 / ps_ptx_element_bits(product->a);
    const PsPtxFactor factor = {product->a, product->m, product->k, one->is.across_a};
    const PsPtxTensorPart part = {one->lane, value_of(one, 1) + (guint64)mma->a_offset,
                                  lanes_of(product), product->k / per, "multiplies"};
    PsPtxTensorPlace a;
    if (!mma->in_tensor)
        return read_descriptor(one, 1, &factor, "A", (PsPtxFactorTo){one->room->a, product->k, 1});
    if (!ps_ptx_tensor_reach(one->warp, one->step, &part, &a))
        return FALSE;
    const PsPtxTensorMemory *memory = ps_ptx_runner(one->warp)->machine->tensor;
    for (guint row = 0; row < product->m; row++)
        read_row(product->a, &memory->word[a.lane + lane_of(product, row)][a.column], per,
                 product->k, one->room->a + row * product->k);
    return TRUE;
}

static gboolean gather(const Product *one)
{
    const Mma *mma = one->step->more;
    const PsPtxProduct *product = &one->is.product;
    const PsPtxFactor factor = {product->b, product->n, product->k, one->is.across_b};
    const PsPtxTensorMemory *memory = ps_ptx_runner(one->warp)->machine->tensor;
    Room *room = one->room;
    if (!gather_a(one) ||
        !read_descriptor(one, 2, &factor, "B", (PsPtxFactorTo){room->b, 1, product->n}))
        return FALSE;
    for (guint i = 0; one->is.negative && i < product->m * product->k; i++)
        room->a[i] = -room->a[i];
    memset(room->c, 0, sizeof *room->c * product->m * product->n);
    const double factor_d = 1.0 / (double)(1U << mma->scale);
    for (guint row = 0; value_of(one, mma->enables) != 0 && row < product->m; row++) {
        double *to = room->c + row * product->n;
        read_row(product->d, &memory->word[one->d.lane + lane_of(product, row)][one->d.column], 1,
                 product->n, to);
        for (guint i = 0; mma->scale > 0 && i < product->n; i++)
            to[i] *= factor_d;
    }
    return TRUE;
}

static void spread(const Product *one)
{
    const Mma *mma = one->step->more;
    const PsPtxProduct *product = &one->is.product;
    PsPtxTensorMemory *memory = ps_ptx_runner(one->warp)->machine->tensor;
    for (guint row = 0; row < product->m; row++) {
        const guint lane = one->d.lane + lane_of(product, row);
        if (mma->masks != 0 && (value_of(one, mma->masks + lane / 32) >> lane % 32 & 1) != 0)
            continue;
        for (guint i = 0; i < product->n; i++)
            memory->word[lane][one->d.column + i] =
                (guint32)ps_ptx_element_code(product, one->room->c[row * product->n + i]);
    }
}

/* Keeps what it was, for whoever asks how long it takes. */
static void note(const Product *one)
{
    static const char *const factors_of[] = {[PS_PTX_ELEMENT_F16] = "f16",
                                             [PS_PTX_ELEMENT_BF16] = "bf16",
                                             [PS_PTX_ELEMENT_TF32] = "tf32",
                                             [PS_PTX_ELEMENT_U8] = "s8",
                                             [PS_PTX_ELEMENT_S8] = "s8",
                                             [PS_PTX_ELEMENT_E4M3] = "e4m3",
                                             [PS_PTX_ELEMENT_E5M2] = "e4m3"};
    static const char *const results_of[] = {[PS_PTX_ELEMENT_F16] = "f16",
                                             [PS_PTX_ELEMENT_F32] = "f32",
                                             [PS_PTX_ELEMENT_S32] = "s32"};
    Mma *mma = one->step->more;
    const PsPtxProduct *product = &one->is.product;
    const PsPtxTensorProduct now = {.factor = factors_of[product->a],
                                    .result = results_of[product->d],
                                    .m = product->m,
                                    .n = product->n,
                                    .k = product->k,
                                    .held = mma->in_tensor};
    const PsPtxTensorProduct *before = &mma->done;
    const gboolean same = before->m == 0 ||
                          (before->factor == now.factor && before->result == now.result &&
                           before->m == now.m && before->n == now.n && before->k == now.k);
    const gboolean differs = before->differs || !same;
    mma->done = now;
    mma->done.differs = differs;
}

static gboolean multiply(Product *one)
{
    const Mma *mma = one->step->more;
    const PsPtxProduct *product = &one->is.product;
    const guint32 word = (guint32)value_of(one, 3);
    one->is = take_apart(mma->kind, word);
    const char *why = wrong(mma->kind, word, &one->is);
    if (why) {
        ps_ptx_fail(one->warp, one->step, one->lane,
                    "multiplies with the instruction descriptor 0x%08x, which has %s", word, why);
        return FALSE;
    }
    const PsPtxTensorPart part = {one->lane, value_of(one, 0) + (guint64)mma->d_offset,
                                  lanes_of(product), product->n, "multiplies into"};
    if (!ps_ptx_tensor_reach(one->warp, one->step, &part, &one->d) || !gather(one))
        return FALSE;
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

/* ---- copies of shared memory ---------------------------------------------------------------- */

typedef struct {
    guint rows, bytes, times; /* bytes of a row; so many times below each other */
} Cp;

static void copy(PsPtxWarp *warp, const PsPtxStep *step, guint32 mask)
{
    const Cp *cp = step->more;
    PsPtxTensorMemory *memory = ps_ptx_tensor_memory(ps_ptx_runner(warp)->machine);
    const guint lane = (guint)__builtin_ctz(mask);
    const Product one = {.warp = warp, .step = step, .lane = lane};
    const PsPtxFactor factor = {PS_PTX_ELEMENT_U8, cp->rows, cp->bytes, FALSE};
    const PsPtxTensorPart part = {lane, value_of(&one, 0) + (guint64)step->offset,
                                  cp->rows * cp->times, cp->bytes / 4, "copies into"};
    double bytes[MOST_M * 32];
    PsPtxTensorPlace first;
    ps_ptx_phase_executes(ps_ptx_runner(warp), step->point, TRUE);
    if (!ps_ptx_tensor_reach(warp, step, &part, &first) ||
        !read_descriptor(&one, 1, &factor, "to copy", (PsPtxFactorTo){bytes, cp->bytes, 1}))
        return;
    for (guint row = 0; row < part.lanes; row++)
        for (guint i = 0; i < part.columns; i++) {
            const double *four = bytes + row % cp->rows * cp->bytes + i * 4;
            memory->word[first.lane + row][first.column + i] =
                (guint32)four[0] | (guint32)four[1] << 8 | (guint32)four[2] << 16 |
                (guint32)four[3] << 24;
        }
}

/* tcgen05.cp [t], descriptor */
static gboolean decode_copy(PsPtxDecode *decode, PsPtxStep *step)
{
    static const struct {
        const char *shape;
        Cp cp;
    } shapes[] = {{"128x256b", {128, 32, 1}}, {"128x128b", {128, 16, 1}}, {"32x128b", {32, 16, 4}}};
    const PsPtxMnemonic *mnemonic = decode->mnemonic;
    step->execute = copy;
    for (guint i = 0; i < G_N_ELEMENTS(shapes); i++)
        if (ps_ptx_has(mnemonic, shapes[i].shape) &&
            !ps_ptx_has(mnemonic, "b8x16")) { /* elements that become wider */
            step->more = g_memdup2(&shapes[i].cp, sizeof(Cp));
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
    /* devices read the lower half of an address, which is the place whatever its space */
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
    ps_ptx_addresses(warp, step, 0, address);
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

/* ---- decoding products ---------------------------------------------------------------------- */

/* What follows the instruction's descriptor: {lanes}, whether D is added, by what it is divided. */
static gboolean decode_rest(PsPtxDecode *decode, PsPtxStep *step)
{
    const PsPtxInstruction *instruction = decode->instruction;
    Mma *mma = step->more;
    guint i = 4;
    if (i < instruction->n_operands && instruction->operands[i].kind == PS_PTX_OPERAND_VECTOR) {
        mma->masks = step->n_from;
        if (!ps_ptx_decode_from(decode, step, i++, PS_PTX_U32) || step->n_from != mma->masks + 4)
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

static gboolean decode_mma(PsPtxDecode *decode, PsPtxStep *step)
{
    static const char *const kinds[] = {"kind::f16", "kind::tf32", "kind::f8f6f4", "kind::i8",
                                        "kind::f16_tf32"};
    static const char *const never[] = {"ws", "sp", "block_scale", "ashift"};
    const PsPtxMnemonic *mnemonic = decode->mnemonic;
    guint kind = 0;
    for (guint i = 0; i < G_N_ELEMENTS(never); i++)
        if (ps_ptx_has(mnemonic, never[i]))
            return FALSE;
    while (kind < G_N_ELEMENTS(kinds) && !ps_ptx_has(mnemonic, kinds[kind]))
        kind++;
    if (kind == G_N_ELEMENTS(kinds) || decode->instruction->n_operands < 5)
        return FALSE;
    Mma *mma = g_new0(Mma, 1);
    step->more = mma;
    step->execute = multiply_all;
    mma->kind = (Kind)kind;
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
           decode_rest(decode, step);
}

static gboolean decode_any(PsPtxDecode *decode, PsPtxStep *step)
{
    const char *does = decode->mnemonic->parts[0];
    if (!does || ps_ptx_has(decode->mnemonic, "cta_group::2"))
        return FALSE;
    if (strcmp(does, "mma") == 0)
        return decode_mma(decode, step);
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

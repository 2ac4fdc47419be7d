/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * wgmma: products of a warpgroup, which is four warps. Each warp has 16 of the 64 rows of D, and of
 * A where A is in registers. A warp waits until all four have come, and the last one multiplies for
 * all. So the result is there at once, and no warp goes on before memory was read for the others,
 * too.
 */
#include "ptx/alu/matrix-sparse.h"
#include "ptx/code/expand.h"
#include "ptx/run/descriptor.h"
#include "ptx/run/families.h"
#include "ptx/run/phase.h"
#include "ptx/run/watch.h"
#include "ptx/step/lane.h"
#include "ptx/step/operands.h"
#include <string.h>

#define WARPS 4U
#define ALL_WARPS ((1U << WARPS) - 1)
#define ROWS 64U /* rows of D */
#define WARP_ROWS 16U
#define MOST_N 256U
#define MOST_K 256U
#define NARROW 3U /* the code of a swizzle of 32 bytes in a descriptor */

typedef struct {
    PsPtxProduct product; /* m, n, k, types, satfinite; row_a and row_b have no meaning here */
    PsPtxSparse sparse;   /* the elements of A that are stored; kept is 0: all */
    gboolean registers;   /* A is in registers */
    gboolean across_a, across_b;
    gboolean negative; /* A * B is subtracted */
    gboolean idle;     /* D is not asked for, and stays as it is */
    PsPtxVectors vectors;
} Wgmma;

/* Matrices of a warpgroup, row after row. */
typedef struct {
    double a[ROWS * MOST_K], b[MOST_K * MOST_N], c[ROWS * MOST_N];
} Room;

/* ---- D -------------------------------------------------------------------------------------- */

/* The place of a lane's element i of D in the rows of its warp. */
static guint at(guint n, guint lane, guint i)
{
    return (lane / 4 + i / 2 % 2 * 8) * n + i / 4 * 8 + lane % 4 * 2 + i % 2;
}

static guint per_register(PsPtxElement element)
{
    return 32 / ps_ptx_element_bits(element);
}

static void gather_d(const PsPtxWarp *warp, const PsPtxStep *step, double *c)
{
    const Wgmma *wgmma = step->more;
    const PsPtxElement element = wgmma->product.d;
    const guint per = per_register(element), n = wgmma->product.n;
    for (guint i = 0; i < step->n_both * per; i++) {
        const guint64 *word = warp->slots[step->both[i / per]];
        guint64 code[PS_PTX_LANES];
        double value[PS_PTX_LANES];
        for (guint lane = 0; lane < PS_PTX_LANES; lane++)
            code[lane] = word[lane] >> i % per * 16;
        ps_ptx_element_values(wgmma->vectors, element, code, value);
        for (guint lane = 0; lane < PS_PTX_LANES; lane++)
            c[at(n, lane, i)] = value[lane];
    }
}

static void spread_d(const PsPtxWarp *warp, const PsPtxStep *step, const double *c)
{
    const Wgmma *wgmma = step->more;
    const PsPtxProduct *product = &wgmma->product;
    const guint per = per_register(product->d);
    for (guint reg = 0; reg < step->n_both; reg++) {
        guint64 *word = warp->slots[step->both[reg]];
        for (guint lane = 0; lane < PS_PTX_LANES; lane++) {
            word[lane] = 0;
            for (guint i = 0; i < per; i++)
                word[lane] |= ps_ptx_element_code(product, c[at(product->n, lane, reg * per + i)])
                              << i * 16;
        }
    }
}

/* Marks the registers of D as written (watch.h). */
static void define_d(PsPtxRunner *runner, const PsPtxStep *step)
{
    for (guint i = 0; runner->undefined && i < step->n_both; i++)
        ps_ptx_watch_define(runner, step->both[i]);
}

/* ---- factors -------------------------------------------------------------------------------- */

/* The number of stored elements in a row of A. */
static guint depth_of(const Wgmma *wgmma)
{
    return wgmma->sparse.kept > 0 ? wgmma->sparse.kept : wgmma->product.k;
}

/* Reads a warp's rows of A from its registers. The elements of a register are neighbours in k;
 * every second register is eight rows below; further registers go on in k. */
static void gather_a(const PsPtxWarp *warp, const PsPtxStep *step, double *a)
{
    const Wgmma *wgmma = step->more;
    const PsPtxProduct *product = &wgmma->product;
    const guint per = per_register(product->a);
    for (guint i = 0; i < 4 * per; i++) {
        const guint64 *word = ps_ptx_source(warp, step, i / per);
        const guint row = i / per % 2 * 8, k = i / per / 2 * 4 * per + i % per;
        guint64 code[PS_PTX_LANES];
        double value[PS_PTX_LANES];
        for (guint lane = 0; lane < PS_PTX_LANES; lane++)
            code[lane] = word[lane] >> i % per * ps_ptx_element_bits(product->a);
        ps_ptx_element_values(wgmma->vectors, product->a, code, value);
        for (guint lane = 0; lane < PS_PTX_LANES; lane++)
            a[(row + lane / 4) * depth_of(wgmma) + k + lane % 4 * per] = value[lane];
    }
}

/* Number of the source that says which elements of A are stored. */
static guint words_at(const Wgmma *wgmma)
{
    return wgmma->registers ? 5 : 2;
}

static PsPtxRunner *warp_of(PsPtxRunner *runner, guint number)
{
    return &runner->machine->warps[runner->open.number / WARPS * WARPS + number];
}

/* Reads A and B; FALSE with the warp's error set. */
static gboolean gather_factors(PsPtxRunner *runner, const PsPtxStep *step, Room *room)
{
    const Wgmma *wgmma = step->more;
    const PsPtxProduct *product = &wgmma->product;
    const guint64 b = ps_ptx_source(&runner->open, step, wgmma->registers ? 4 : 1)[0];
    const PsPtxFactor factor_a = {product->a, ROWS, depth_of(wgmma), wgmma->across_a, 0, NULL};
    const PsPtxFactor factor_b = {product->b, product->n, product->k, wgmma->across_b, 0, NULL};
    for (guint w = 0; wgmma->registers && !wgmma->idle && w < WARPS; w++)
        gather_a(&warp_of(runner, w)->open, step, room->a + w * WARP_ROWS * depth_of(wgmma));
    if (!wgmma->registers &&
        !ps_ptx_descriptor_read(&runner->open, step, ps_ptx_source(&runner->open, step, 0)[0],
                                &factor_a, "multiplies a matrix A",
                                (PsPtxFactorTo){wgmma->idle ? NULL : room->a, depth_of(wgmma), 1}))
        return FALSE;
    if (wgmma->sparse.kept > 0 && !wgmma->across_b && b >> 62 == NARROW) {
        ps_ptx_fail(&runner->open, step, 0,
                    "multiplies a matrix B whose rows have 64 bytes with a swizzle of 32, which is "
                    "not executed");
        return FALSE;
    }
    for (guint i = 0; wgmma->negative && !wgmma->idle && i < ROWS * depth_of(wgmma); i++)
        room->a[i] = -room->a[i];
    return ps_ptx_descriptor_read(&runner->open, step, b, &factor_b, "multiplies a matrix B",
                                  (PsPtxFactorTo){wgmma->idle ? NULL : room->b, 1, product->n});
}

/* Multiplies the rows of a warp by the rows of B that the stored elements belong to. */
static void multiply_kept(const PsPtxWarp *warp, const PsPtxStep *step, Room *room, guint w)
{
    const Wgmma *wgmma = step->more;
    const PsPtxProduct *product = &wgmma->product;
    const guint kept = wgmma->sparse.kept;
    const guint64 *words = ps_ptx_source(warp, step, words_at(wgmma));
    for (guint row = 0; row < WARP_ROWS; row++) {
        const double *a = room->a + (w * WARP_ROWS + row) * kept;
        double *c = room->c + (w * WARP_ROWS + row) * product->n, sum[MOST_N] = {0};
        for (guint i = 0; i < kept; i++) {
            const guint k = ps_ptx_sparse_place(product, &wgmma->sparse, words, row, i);
            for (guint column = 0; column < product->n; column++)
                sum[column] += a[i] * room->b[k * product->n + column];
        }
        for (guint column = 0; column < product->n; column++)
            c[column] += sum[column];
    }
}

/* ---- all four ------------------------------------------------------------------------------- */

static void multiply(PsPtxRunner *runner, const PsPtxStep *step)
{
    const Wgmma *wgmma = step->more;
    const PsPtxProduct *product = &wgmma->product;
    const guint scale = step->from[step->n_from - 1];
    const gsize rows = (gsize)WARP_ROWS * product->n;
    if (!runner->machine->product)
        runner->machine->product = g_new(Room, 1);
    Room *room = runner->machine->product;
    if (!gather_factors(runner, step, room))
        return;
    for (guint w = 0; w < WARPS; w++)
        define_d(warp_of(runner, w), step);
    if (wgmma->idle)
        return;
    memset(room->c, 0, WARPS * rows * sizeof *room->c);
    for (guint w = 0; w < WARPS; w++)
        if (warp_of(runner, w)->open.slots[scale][0] != 0)
            gather_d(&warp_of(runner, w)->open, step, room->c + w * rows);
    const PsPtxWideProduct wide = {ROWS, product->n, product->k, wgmma->vectors};
    if (wgmma->sparse.kept == 0)
        ps_ptx_wide_product(&wide, room->a, room->b, room->c);
    for (guint w = 0; wgmma->sparse.kept > 0 && w < WARPS; w++)
        multiply_kept(&warp_of(runner, w)->open, step, room, w);
    for (guint w = 0; w < WARPS; w++)
        spread_d(&warp_of(runner, w)->open, step, room->c + w * rows);
}

/* FALSE with the warp's error set where descriptors or scales of the warp's lanes, or of its
 * warpgroup, differ. */
static gboolean agrees(PsPtxRunner *runner, const PsPtxStep *step)
{
    const Wgmma *wgmma = step->more;
    for (guint w = 0; w < WARPS; w++)
        for (guint i = wgmma->registers ? 4 : 0; i < step->n_from; i++) {
            if (wgmma->sparse.kept > 0 && i == words_at(wgmma))
                continue;
            const guint64 *other = warp_of(runner, w)->open.slots[step->from[i]];
            const guint64 first = warp_of(runner, 0)->open.slots[step->from[i]][0];
            for (guint lane = 0; lane < PS_PTX_LANES; lane++)
                if (other[lane] != first) {
                    ps_ptx_fail(&warp_of(runner, w)->open, step, lane,
                                "has another descriptor or scale than the first of its warpgroup "
                                "(0x%" G_GINT64_MODIFIER "x, not 0x%" G_GINT64_MODIFIER "x)",
                                other[lane], first);
                    runner->open.error = g_steal_pointer(&warp_of(runner, w)->open.error);
                    return FALSE;
                }
        }
    return TRUE;
}

static gboolean may_come(PsPtxRunner *runner, const PsPtxStep *step, guint32 mask)
{
    const guint first = runner->open.number / WARPS * WARPS;
    const PsPtxWarpgroup *group = &runner->machine->warpgroups[first / WARPS];
    if (first + WARPS > runner->machine->n_warps || mask != G_MAXUINT32) {
        ps_ptx_fail(&runner->open, step, (guint)__builtin_ctz(mask),
                    "multiplies with a part of a warpgroup; all 128 threads of four warps must");
        return FALSE;
    }
    if (group->came == 0 || group->step->point == step->point)
        return TRUE;
    g_autofree char *where = ps_ptx_code_where(runner->machine->code, group->step->point);
    ps_ptx_fail(&runner->open, step, 0, "multiplies here, another warp of its warpgroup at %s",
                where);
    return FALSE;
}

static void come(PsPtxWarp *warp, const PsPtxStep *step, guint32 mask)
{
    PsPtxRunner *runner = ps_ptx_runner(warp);
    PsPtxWarpgroup *group = &runner->machine->warpgroups[warp->number / WARPS];
    const guint32 bit = 1U << warp->number % WARPS;
    if ((group->done & bit) != 0) {
        group->done &= ~bit;
        return;
    }
    if (!may_come(runner, step, mask))
        return;
    group->step = step;
    group->came |= bit;
    if (group->came != ALL_WARPS) {
        ps_ptx_paths_wait(runner, PS_PTX_POLLS, step, mask);
        return;
    }
    group->came = 0;
    group->done = ALL_WARPS & ~bit;
    if (agrees(runner, step))
        multiply(runner, step);
}

char *ps_ptx_warpgroup_missing(const PsPtxRunner *runner, const PsPtxStep *step)
{
    const PsPtxWarpgroup *group = &runner->machine->warpgroups[runner->open.number / WARPS];
    if (step->execute != come)
        return NULL;
    GString *text = g_string_new("for");
    const guint first = runner->open.number / WARPS * WARPS;
    for (guint w = 0; w < WARPS; w++)
        if ((group->came >> w & 1) == 0)
            g_string_append_printf(text, "%s warp %u", text->len > 3 ? " and" : "", first + w);
    g_string_append(text, " of its warpgroup to multiply, too");
    return g_string_free(text, FALSE);
}

/* ---- before products ------------------------------------------------------------------------ */

/* Tells the listener that the warp's products begin when all four warps have come to the fence
 * before them. None waits here: they wait for each other at the products themselves. */
static void fence(PsPtxWarp *warp, const PsPtxStep *step, guint32 mask)
{
    PsPtxRunner *runner = ps_ptx_runner(warp);
    const PsPtxMachine *machine = runner->machine;
    const PsPtxListener *listener = machine->listener;
    const guint first = warp->number / WARPS * WARPS;
    PsPtxEnder enders[WARPS];
    if (!listener || !listener->met || first + WARPS > machine->n_warps)
        return;
    ps_ptx_phase_executes(runner, step->point, FALSE);
    for (guint w = 0; w < WARPS; w++) {
        enders[w] = ps_ptx_phase_latest(runner, step->point);
        enders[w].warp = first + w;
    }
    const PsPtxEvent event = {.warp = warp->number,
                              .point = step->point,
                              .active = mask,
                              .mask = mask,
                              .enders = enders,
                              .n_enders = WARPS,
                              .rank = machine->rank};
    listener->met(listener->data, &event);
}

/* ---- decoding ------------------------------------------------------------------------------- */

/* "m64n256k16" */
static gboolean read_shape(const char *part, PsPtxProduct *product)
{
    char *end;
    if (!g_str_has_prefix(part, "m64n"))
        return FALSE;
    product->m = ROWS;
    product->n = (guint)g_ascii_strtoull(part + 4, &end, 10);
    product->k = *end == 'k' ? (guint)g_ascii_strtoull(end + 1, &end, 10) : 0;
    return *end == '\0';
}

/* TRUE if the types fit: the stored part of a row of A has 256 bits. */
static gboolean types_fit(const PsPtxProduct *product, guint k)
{
    const guint bits = ps_ptx_element_bits(product->a);
    const gboolean whole = product->a >= PS_PTX_ELEMENT_S8 && product->a <= PS_PTX_ELEMENT_B1;
    const gboolean halves = product->d == PS_PTX_ELEMENT_F16 && product->a != PS_PTX_ELEMENT_BF16 &&
                            product->a != PS_PTX_ELEMENT_TF32;
    return bits == ps_ptx_element_bits(product->b) && k * bits == 256 && product->n >= 8 &&
           product->n <= MOST_N && product->n % 8 == 0 &&
           (whole ? product->d == PS_PTX_ELEMENT_S32 : product->d == PS_PTX_ELEMENT_F32 || halves);
}

static gboolean read_product(const PsPtxMnemonic *mnemonic, Wgmma *wgmma)
{
    PsPtxProduct *product = &wgmma->product;
    PsPtxElement types[3];
    guint n = 0;
    for (guint i = 0; mnemonic->parts[i]; i++)
        if (n < 3 && ps_ptx_element_called(mnemonic->parts[i], &types[n]))
            n++;
        else
            read_shape(mnemonic->parts[i], product);
    if (n != 3)
        return FALSE;
    product->d = product->c = types[0];
    product->a = types[1];
    product->b = types[2];
    product->satfinite = ps_ptx_has(mnemonic, "satfinite");
    if (ps_ptx_has(mnemonic, "sp"))
        wgmma->sparse.kept = product->k / 2;
    return types_fit(product, depth_of(wgmma)) &&
           (product->a != PS_PTX_ELEMENT_B1 || wgmma->sparse.kept == 0);
}

/* Reads the immediate operands from number `first` on: the factor of A and of B, 1 or -1, and
 * whether they are transposed. */
static gboolean read_immediates(const PsPtxInstruction *instruction, guint first, Wgmma *wgmma)
{
    const guint n = instruction->n_operands - first;
    const PsPtxOperand *operands = instruction->operands + first;
    const guint transposes = ps_ptx_element_bits(wgmma->product.a) != 16 ? 0
                             : wgmma->registers                          ? 1
                                                                         : 2;
    const gboolean whole = wgmma->product.d == PS_PTX_ELEMENT_S32;
    for (guint i = 0; i < n; i++)
        if (operands[i].kind != PS_PTX_OPERAND_IMMEDIATE)
            return FALSE;
    if (n != (whole ? 0 : 2 + transposes))
        return FALSE;
    wgmma->negative = !whole && (operands[0].value < 0) != (operands[1].value < 0);
    wgmma->across_a = transposes == 2 && operands[2].value != 0;
    wgmma->across_b = transposes > 0 && operands[1 + transposes].value != 0;
    return TRUE;
}

static gboolean decode_product(PsPtxDecode *decode, PsPtxStep *step)
{
    Wgmma *wgmma = step->more;
    const PsPtxInstruction *instruction = decode->instruction;
    const PsPtxProduct *product = &wgmma->product;
    if (!read_product(decode->mnemonic, wgmma))
        return FALSE;
    const gboolean sparse = wgmma->sparse.kept > 0;
    const guint scale = sparse ? 5 : 3;
    if (instruction->n_operands < scale + 1 ||
        (sparse && !ps_ptx_sparse_selects(product, &instruction->operands[4])))
        return FALSE;
    wgmma->sparse.selector = sparse ? (guint)instruction->operands[4].value : 0;
    wgmma->vectors = decode->vectors;
    wgmma->idle = decode->no_products;
    wgmma->registers = instruction->operands[1].kind == PS_PTX_OPERAND_VECTOR;
    return ps_ptx_decode_both(decode, step, 0) &&
           step->n_both == WARP_ROWS * product->n / PS_PTX_LANES / per_register(product->d) &&
           ps_ptx_decode_from(decode, step, 1, PS_PTX_B64) &&
           step->n_from == (wgmma->registers ? 4 : 1) &&
           ps_ptx_decode_from(decode, step, 2, PS_PTX_B64) &&
           (!sparse || ps_ptx_decode_from(decode, step, 3, PS_PTX_U32)) &&
           ps_ptx_decode_from(decode, step, scale, PS_PTX_PRED) &&
           step->n_from == (wgmma->registers ? 6U : 3U) + (guint)sparse &&
           read_immediates(instruction, scale + 1, wgmma);
}

gboolean ps_ptx_wgmma_fence(PsPtxDecode *decode, PsPtxStep *step)
{
    if (strcmp(decode->mnemonic->opcode, "wgmma") != 0 || !ps_ptx_has(decode->mnemonic, "fence"))
        return FALSE;
    step->execute = fence;
    return TRUE;
}

gboolean ps_ptx_wgmma(PsPtxDecode *decode, PsPtxStep *step, char **unsupported)
{
    if (strcmp(decode->mnemonic->opcode, "wgmma") != 0 ||
        !ps_ptx_has(decode->mnemonic, "mma_async"))
        return FALSE;
    step->more = g_new0(Wgmma, 1);
    if (!decode_product(decode, step))
        return ps_ptx_cannot(decode, step, unsupported);
    step->execute = come;
    return TRUE;
}

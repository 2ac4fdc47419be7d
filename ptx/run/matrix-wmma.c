/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * wmma: PTX does not state the layout of fragments. Here a lane of A or B has elements that are
 * neighbours in memory, which it loads at once, and an accumulator has the layout of mma.
 */
#include "ptx/alu/matrix.h"
#include "ptx/run/families.h"

typedef enum { LOAD_A, LOAD_B, LOAD_C, STORE } Move;

typedef struct {
    PsPtxProduct product;
    Move move;
    PsPtxElement element; /* type of the elements that are moved */
    guint registers;
    guint stride_at; /* number of the source that is the stride; 0: there is none */
    gboolean row;    /* rows, not columns, lie together in memory */
} Wmma;

static guint per_register(PsPtxElement element)
{
    guint bits = ps_ptx_element_bits(element);
    return bits == 64 ? 1 : 32 / bits;
}

/* Gives the rows and columns of the matrix that is moved. */
static void size_of(const Wmma *wmma, guint *rows, guint *columns)
{
    const PsPtxProduct *product = &wmma->product;
    *rows = wmma->move == LOAD_B ? product->k : product->m;
    *columns = wmma->move == LOAD_A ? product->k : product->n;
}

/* The number of different elements of A or B in a lane; a fragment of halves holds each several
 * times. */
static guint share(guint rows, guint columns)
{
    return rows * columns / PS_PTX_LANES;
}

/* The place of the lane's elements of A or B from number i on, which lie together in memory. */
static guint64 place_of(const Wmma *wmma, guint lane, guint i, guint64 stride)
{
    guint rows, columns;
    size_of(wmma, &rows, &columns);
    if (wmma->move == LOAD_A || wmma->move == LOAD_B) {
        guint inner = wmma->row ? columns : rows;
        guint index = lane * share(rows, columns) + i;
        return index / inner * stride + index % inner;
    }
    guint row, column;
    ps_ptx_accumulator_at(rows, lane, i, &row, &column);
    return wmma->row ? row * stride + column : column * stride + row;
}

/* The number of elements that a lane moves at once, at most 16 bytes. */
static guint at_once(const Wmma *wmma, guint n)
{
    guint together = n;
    if (wmma->move == LOAD_C || wmma->move == STORE)
        together = wmma->row ? 2 : 1;
    return MIN(together, 128 / ps_ptx_element_bits(wmma->element));
}

static guint64 stride_of(const PsPtxWarp *warp, const PsPtxStep *step)
{
    const Wmma *wmma = step->more;
    guint rows, columns;
    size_of(wmma, &rows, &columns);
    if (wmma->stride_at == 0)
        return wmma->row ? columns : rows;
    return (guint32)ps_ptx_source(warp, step, wmma->stride_at)[0];
}

/* Finds the memory of each lane's elements from number i on. */
static gboolean reach(PsPtxWarp *warp, const PsPtxStep *step, guint32 mask, guint i, guint n,
                      guint8 *memory[PS_PTX_LANES])
{
    const Wmma *wmma = step->more;
    guint64 stride = stride_of(warp, step);
    guint bits = ps_ptx_element_bits(wmma->element);
    guint64 address[PS_PTX_LANES];
    ps_ptx_addresses(warp, step, address);
    for (guint lane = 0; lane < PS_PTX_LANES; lane++)
        address[lane] += place_of(wmma, lane, i, stride) * bits / 8;
    return ps_ptx_touch(warp, step, mask, address, n * bits / 8, memory);
}

/* Adds a lane's next n bits to words of `size` bits, from bit `at` of its fragment on. */
static inline void load_words(guint lane, const guint8 *from, guint at, guint n, guint size,
                              guint64 words[PS_PTX_MAX_TO][PS_PTX_LANES])
{
    const guint part = MIN(n, size);
    for (guint i = 0; i < n; i += part) {
        guint64 bits = 0;
        memcpy(&bits, from + i / 8, part / 8);
        words[(at + i) / size][lane] |= GUINT64_FROM_LE(bits) << (at + i) % size;
    }
}

static void execute_load(PsPtxWarp *warp, const PsPtxStep *step, guint32 mask)
{
    const Wmma *wmma = step->more;
    guint per = per_register(wmma->element);
    guint bits = ps_ptx_element_bits(wmma->element);
    guint rows, columns;
    size_of(wmma, &rows, &columns);
    guint n = share(rows, columns);
    guint together = at_once(wmma, n);
    guint words = MAX(n / per, 1);
    guint64 loaded[PS_PTX_MAX_TO][PS_PTX_LANES]; /* words of 32 bits, or doubles */
    memset(loaded, 0, words * sizeof *loaded);
    for (guint i = 0; i < n; i += together) {
        guint8 *memory[PS_PTX_LANES] = {NULL};
        if (!reach(warp, step, mask, i, together, memory))
            return;
        for (guint32 rest = mask; rest != 0; rest &= rest - 1)
            load_words((guint)__builtin_ctz(rest), memory[__builtin_ctz(rest)], i * bits,
                       together * bits, per * bits, loaded);
    }
    for (guint reg = 0; reg < wmma->registers; reg++)
        ps_ptx_give(warp, step->to[reg], loaded[reg % words], mask);
}

static void execute_store(PsPtxWarp *warp, const PsPtxStep *step, guint32 mask)
{
    const Wmma *wmma = step->more;
    guint per = per_register(wmma->element);
    guint bytes = ps_ptx_element_bits(wmma->element) / 8;
    guint n = wmma->registers * per;
    guint together = at_once(wmma, n);
    for (guint i = 0; i < n; i += together) {
        guint8 *memory[PS_PTX_LANES] = {NULL};
        if (!reach(warp, step, mask, i, together, memory))
            return;
        for (guint lane = 0; lane < PS_PTX_LANES; lane++)
            for (guint j = 0; (mask >> lane & 1) != 0 && j < together; j++) {
                guint element = i + j;
                guint64 word = ps_ptx_source(warp, step, 1 + element / per)[lane];
                guint64 code = GUINT64_TO_LE(word >> (element % per * bytes * 8));
                memcpy(&memory[lane][j * bytes], &code, bytes);
            }
    }
}

/* Reads element i of a fragment, for all lanes; its first register is that source. */
static void element_of(const PsPtxWarp *warp, const PsPtxStep *step, guint source, guint i,
                       PsPtxElement element, double value[PS_PTX_LANES])
{
    const Wmma *wmma = step->more;
    guint per = per_register(element);
    const guint64 *word = ps_ptx_source(warp, step, source + i / per);
    guint shift = i % per * ps_ptx_element_bits(element);
    guint64 code[PS_PTX_LANES];
    for (guint lane = 0; lane < PS_PTX_LANES; lane++)
        code[lane] = word[lane] >> shift;
    ps_ptx_element_values(wmma->product.vectors, element, code, value);
}

/* Reads A or B, from number `first` on, from registers that execute_load filled. All elements of a
 * lane lie in one row, or in one column. */
static void gather(const PsPtxWarp *warp, const PsPtxStep *step, guint first, Move move, double *to)
{
    const Wmma *wmma = step->more;
    Wmma part = *wmma;
    part.move = move;
    PsPtxElement element = move == LOAD_A ? wmma->product.a : wmma->product.b;
    gboolean row_major = move == LOAD_A ? wmma->product.row_a : wmma->product.row_b;
    guint rows, columns;
    size_of(&part, &rows, &columns);
    guint inner = row_major ? columns : rows;
    guint n = share(rows, columns), at[PS_PTX_LANES];
    for (guint lane = 0; lane < PS_PTX_LANES; lane++)
        at[lane] = row_major ? lane * n : lane * n % inner * columns + lane * n / inner;
    double value[PS_PTX_LANES];
    for (guint i = 0; i < n; i++) {
        double *some = &to[row_major ? i : i * columns];
        element_of(warp, step, first, i, element, value);
        for (guint lane = 0; lane < PS_PTX_LANES; lane++)
            some[at[lane]] = value[lane];
    }
}

/* The number of registers of a fragment of A or B; 0 where the type does not go with the shape. */
static guint fragment(guint rows, guint columns, PsPtxElement element)
{
    guint words = share(rows, columns) / per_register(element);
    if (words > PS_PTX_MAX_TO)
        return 0;
    return element == PS_PTX_ELEMENT_F16 && words != 0 ? 8 : words;
}

static void execute_product(PsPtxWarp *warp, const PsPtxStep *step, guint32 mask)
{
    const Wmma *wmma = step->more;
    const PsPtxProduct *product = &wmma->product;
    PsPtxMatrices matrices;
    guint a = fragment(product->m, product->k, product->a);
    guint b = fragment(product->k, product->n, product->b);
    guint n = share(product->m, product->n);
    gather(warp, step, 0, LOAD_A, matrices.a);
    gather(warp, step, a, LOAD_B, matrices.b);
    double value[PS_PTX_LANES];
    for (guint i = 0; i < n; i++) {
        element_of(warp, step, a + b, i, product->c, value);
        ps_ptx_accumulator_put(product, i, value, matrices.c);
    }
    ps_ptx_product_compute(product, &matrices);
    guint per = per_register(product->d);
    for (guint reg = 0; reg < n / per; reg++) {
        guint64 result[PS_PTX_LANES] = {0}, code[PS_PTX_LANES];
        for (guint i = 0; i < per; i++) {
            ps_ptx_accumulator_get(product, reg * per + i, matrices.c, value);
            ps_ptx_element_codes(product, value, code);
            for (guint lane = 0; lane < PS_PTX_LANES; lane++)
                result[lane] |= code[lane] << (i * 16);
        }
        ps_ptx_give(warp, step->to[reg], result, mask);
    }
}

static gboolean decode_product(PsPtxDecode *decode, PsPtxStep *step)
{
    const Wmma *wmma = step->more;
    const PsPtxProduct *product = &wmma->product;
    guint accumulator = share(product->m, product->n);
    guint n = fragment(product->m, product->k, product->a) +
              fragment(product->k, product->n, product->b) + accumulator / per_register(product->c);
    step->execute = decode->no_products ? ps_ptx_product_idle : execute_product;
    return ps_ptx_operands(decode, 4, 4) && ps_ptx_decode_usual(decode, step, PS_PTX_B64) &&
           step->n_to == accumulator / per_register(product->d) && step->n_from == n;
}

/* wmma.load d, [p], stride and wmma.store [p], s, stride; the stride may be left out. */
static gboolean decode_move(PsPtxDecode *decode, PsPtxStep *step, gboolean store)
{
    Wmma *wmma = step->more;
    guint rows, columns;
    size_of(wmma, &rows, &columns);
    gboolean factor = wmma->move == LOAD_A || wmma->move == LOAD_B;
    wmma->registers = factor ? fragment(rows, columns, wmma->element)
                             : share(rows, columns) / per_register(wmma->element);
    wmma->row = wmma->product.row_a;
    guint address = store ? 0 : 1;
    guint n = store ? 1 + wmma->registers : 1;
    if (wmma->registers == 0 || wmma->registers > PS_PTX_MAX_TO ||
        !(factor || ps_ptx_is_accumulator(wmma->element)) || !ps_ptx_operands(decode, 2, 3) ||
        (!store && !ps_ptx_decode_to(decode, step, 0)) ||
        !ps_ptx_decode_from(decode, step, address, PS_PTX_U64) ||
        (store && !ps_ptx_decode_from(decode, step, 1, PS_PTX_B64)) || step->n_from != n)
        return FALSE;
    if (decode->instruction->n_operands == 3) {
        wmma->stride_at = step->n_from;
        if (!ps_ptx_decode_from(decode, step, 2, PS_PTX_U32))
            return FALSE;
    }
    step->execute = store ? execute_store : execute_load;
    return store || step->n_to == wmma->registers;
}

gboolean ps_ptx_wmma(PsPtxDecode *decode, PsPtxStep *step, char **unsupported)
{
    const PsPtxMnemonic *mnemonic = decode->mnemonic;
    if (strcmp(mnemonic->opcode, "wmma") != 0)
        return FALSE;
    Wmma *wmma = g_new0(Wmma, 1);
    step->more = wmma;
    gboolean product = ps_ptx_has(mnemonic, "mma");
    gboolean store = ps_ptx_has(mnemonic, "store");
    if (!ps_ptx_product_read(mnemonic, &wmma->product))
        return ps_ptx_cannot(decode, step, unsupported);
    wmma->product.vectors = decode->vectors;
    wmma->element = wmma->product.d;
    wmma->move = store                       ? STORE
                 : ps_ptx_has(mnemonic, "a") ? LOAD_A
                 : ps_ptx_has(mnemonic, "b") ? LOAD_B
                                             : LOAD_C;
    gboolean good = product ? decode_product(decode, step) : decode_move(decode, step, store);
    return good || ps_ptx_cannot(decode, step, unsupported);
}

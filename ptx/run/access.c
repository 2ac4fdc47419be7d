/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Loads and stores.
 */
#include "ptx/run/pending.h"
#include "ptx/run/mbarrier.h"
#include "ptx/run/row.h"
#include "ptx/run/watch.h"
#include <string.h>

/* A bit of step->flags: the step reads memory that other threads may write meanwhile, so it may be
 * part of a loop that waits. */
#define SPINS 1U

/* ---- loads and stores ----------------------------------------------------------------------- */

/* Copies memory; the usual sizes need no call. */
static inline void move(void *to, const void *from, guint size)
{
    if (size == 4)
        memcpy(to, from, 4);
    else if (size == 8)
        memcpy(to, from, 8);
    else
        memcpy(to, from, size);
}

static void fetch(guint64 *to, guint8 *const memory[PS_PTX_LANES], guint32 mask, guint at,
                  guint size)
{
    for (guint32 rest = mask; rest != 0; rest &= rest - 1) {
        guint lane = (guint)__builtin_ctz(rest);
        guint64 value = 0;
        move(&value, memory[lane] + at, size);
        to[lane] = value;
    }
}

/* Reads or writes an element of all lanes' vectors, `at` bytes behind the vector's first byte. */
#define FETCH_AND_PUT(TYPE)                                                                        \
    PS_PTX_INLINE void fetch_##TYPE(guint64 *restrict to, const PsPtxRow *row,                     \
                                    const guint64 *restrict address, guint at, guint stride)       \
    {                                                                                              \
        TYPE value;                                                                                \
        const guint64 first = row->start;                                                          \
        const guint8 *restrict from = row->data + at;                                              \
        if (row->consecutive && stride == sizeof value) {                                          \
            from += address[0] - first;                                                            \
            PS_PTX_EACH_LANE                                                                       \
            {                                                                                      \
                memcpy(&value, from + lane * sizeof value, sizeof value);                          \
                to[lane] = value;                                                                  \
            }                                                                                      \
            return;                                                                                \
        }                                                                                          \
        PS_PTX_EACH_LANE_ALONE                                                                     \
        {                                                                                          \
            memcpy(&value, from + (address[lane] - first), sizeof value);                          \
            to[lane] = value;                                                                      \
        }                                                                                          \
    }                                                                                              \
    /* Reads or writes the same element for a piece of regular lanes. */                           \
    PS_PTX_INLINE void fetch_piece_##TYPE(guint64 *restrict to, const guint8 *restrict from,       \
                                          gsize stride)                                            \
    {                                                                                              \
        TYPE value;                                                                                \
        if (stride == 0) {                                                                         \
            memcpy(&value, from, sizeof value);                                                    \
            PS_PTX_EACH_OF_PIECE to[lane] = value;                                                 \
        } else if (stride == sizeof value) {                                                       \
            PS_PTX_EACH_OF_PIECE                                                                   \
            {                                                                                      \
                memcpy(&value, from + lane * sizeof value, sizeof value);                          \
                to[lane] = value;                                                                  \
            }                                                                                      \
        } else {                                                                                   \
            for (guint lane = 0; lane < PS_PTX_PIECE; lane++) {                                    \
                memcpy(&value, from + lane * stride, sizeof value);                                \
                to[lane] = value;                                                                  \
            }                                                                                      \
        }                                                                                          \
    }                                                                                              \
    PS_PTX_INLINE void put_piece_##TYPE(const guint64 *restrict from, guint8 *restrict to,         \
                                        gsize stride)                                              \
    {                                                                                              \
        TYPE value;                                                                                \
        if (stride == sizeof value) {                                                              \
            PS_PTX_EACH_OF_PIECE                                                                   \
            {                                                                                      \
                value = (TYPE)from[lane];                                                          \
                memcpy(to + lane * sizeof value, &value, sizeof value);                            \
            }                                                                                      \
        } else {                                                                                   \
            for (guint lane = 0; lane < PS_PTX_PIECE; lane++) {                                    \
                value = (TYPE)from[lane];                                                          \
                memcpy(to + lane * stride, &value, sizeof value);                                  \
            }                                                                                      \
        }                                                                                          \
    }                                                                                              \
    PS_PTX_INLINE void put_##TYPE(const guint64 *restrict from, const PsPtxRow *row,               \
                                  const guint64 *restrict address, guint at, guint stride)         \
    {                                                                                              \
        TYPE value;                                                                                \
        const guint64 first = row->start;                                                          \
        guint8 *restrict to = row->data + at;                                                      \
        if (row->consecutive && stride == sizeof value) {                                          \
            to += address[0] - first;                                                              \
            PS_PTX_EACH_LANE                                                                       \
            {                                                                                      \
                value = (TYPE)from[lane];                                                          \
                memcpy(to + lane * sizeof value, &value, sizeof value);                            \
            }                                                                                      \
            return;                                                                                \
        }                                                                                          \
        PS_PTX_EACH_LANE_ALONE                                                                     \
        {                                                                                          \
            value = (TYPE)from[lane];                                                              \
            memcpy(to + (address[lane] - first), &value, sizeof value);                            \
        }                                                                                          \
    }

FETCH_AND_PUT(guint8)
FETCH_AND_PUT(guint16)
FETCH_AND_PUT(guint32)
FETCH_AND_PUT(guint64)

/* Extends numbers of `size` bytes to `wide` bytes by copies of the sign. */
static void extend(guint64 *to, guint32 mask, guint size, guint wide)
{
    const guint shift = 64 - 8 * size, back = 64 - 8 * wide;
    for (guint lane = 0; lane < PS_PTX_LANES; lane++)
        if ((mask >> lane & 1) != 0)
            to[lane] = (guint64)((gint64)(to[lane] << shift) >> shift) << back >> back;
}

/* Checks whether the loaded bytes were written, and whether a copy to them is still pending. */
PS_PTX_INLINE void look(PsPtxRunner *runner, const PsPtxStep *step, guint32 mask)
{
    if (!runner->touched || (runner->space != PS_PTX_SHARED && runner->space != PS_PTX_LOCAL) ||
        runner->machine->looks[step->point] >= PS_PTX_MOST_LOOKS)
        return;
    for (guint32 rest = runner->space == PS_PTX_SHARED ? mask & ~runner->strays & ~runner->remote
                                                       : 0;
         rest != 0; rest &= rest - 1) {
        const guint lane = (guint)__builtin_ctz(rest);
        ps_ptx_pending_look(runner, step, lane, runner->machine->written + runner->address[lane],
                            runner->bytes);
    }
    ps_ptx_watch_memory(runner, step, mask);
}

/* TRUE if all lanes' bytes in shared memory were written. */
static gboolean is_written(const PsPtxRow *row, guint bytes)
{
    const guint8 *written = row->buffer->written;
    if (row->consecutive)
        return !memchr(written + (row->address[0] - row->start), 0, (gsize)bytes * PS_PTX_LANES);
    guint32 all = 0x01010101U, four;
    for (guint at = 0; at + 4 <= bytes; at += 4)
        PS_PTX_EACH_LANE_ALONE
        {
            memcpy(&four, written + (row->address[lane] - row->start) + at, 4);
            all &= four;
        }
    for (guint at = 0; at < bytes % 4; at++)
        PS_PTX_EACH_LANE_ALONE all &= written[row->address[lane] - row->start + at] * 0x01010101U;
    return all == 0x01010101U;
}

/* Does the same for all lanes. Usually the whole array was written, and no byte needs a look: that
 * is checked ever less often. */
static void look_at_row(PsPtxRunner *runner, const PsPtxStep *step, const PsPtxRow *row,
                        guint bytes)
{
    guint8 *looks = &runner->machine->looks[step->point];
    if (*looks >= PS_PTX_MOST_LOOKS)
        return;
    if ((*looks & (*looks - 1)) == 0)
        ps_ptx_row_learn(row->buffer);
    PS_PTX_EACH_LANE
    ps_ptx_pending_look(runner, step, lane,
                        row->buffer->written + (row->address[lane] - row->start), bytes);
    if (ps_ptx_row_known(row) || is_written(row, bytes))
        *looks += !ps_ptx_first(runner->machine)->memory_doubts; /* each lane is looked at by
                                                                    itself */
    else
        ps_ptx_watch_memory(runner, step, G_MAXUINT32);
}

static void load_lanes(PsPtxWarp *warp, const PsPtxStep *step, guint32 mask)
{
    const guint size = step->kind & 0xff, wide = step->kind >> 8;
    guint64 address[PS_PTX_LANES];
    guint8 *memory[PS_PTX_LANES];
    ps_ptx_addresses(warp, step, address);
    const PsPtxTouched what = {step->space, size * step->vector, address, TRUE, 0};
    if (!ps_ptx_reach(ps_ptx_runner(warp), step, mask, &what, memory))
        return;
    for (guint i = 0; i < step->vector; i++) {
        guint64 *to = warp->slots[step->to[i]];
        fetch(to, memory, mask, i * size, size);
        if (wide != 0)
            extend(to, mask, size, wide);
    }
    look(ps_ptx_runner(warp), step, mask);
}

static void store_lanes(PsPtxWarp *warp, const PsPtxStep *step, guint32 mask)
{
    const guint size = step->kind;
    guint64 address[PS_PTX_LANES];
    guint8 *memory[PS_PTX_LANES];
    ps_ptx_addresses(warp, step, address);
    if (!ps_ptx_touch(warp, step, mask, address, size * step->vector, memory))
        return;
    for (guint i = 0; i < step->vector; i++) {
        const guint64 *from = warp->slots[step->from[1 + i]];
        for (guint32 rest = mask; rest != 0; rest &= rest - 1) {
            guint lane = (guint)__builtin_ctz(rest);
            move(memory[lane] + (gsize)i * size, &from[lane], size);
        }
    }
}

/* Finds the row of memory at all lanes' addresses; the runner keeps the row's places. */
PS_PTX_INLINE gboolean find_row(PsPtxWarp *warp, const PsPtxStep *step, guint32 mask, guint bytes,
                                gboolean reads, PsPtxRow *row)
{
    PsPtxRunner *runner = ps_ptx_runner(warp);
    const PsPtxTouched what = {step->space, bytes, warp->slots[step->from[0]], reads,
                               (guint64)step->offset};
    row->address = runner->address;
    if (mask != G_MAXUINT32 || !ps_ptx_row(runner->machine, step, mask, &what, row))
        return FALSE;
    ps_ptx_note(runner, row->space, bytes);
    return TRUE;
}

/* TRUE if all lanes' addresses are regular (PsPtxRegular). */
PS_PTX_INLINE gboolean find_regular(PsPtxWarp *warp, const PsPtxStep *step, guint32 mask,
                                    guint bytes, gboolean reads, PsPtxRegular *regular)
{
    PsPtxRunner *runner = ps_ptx_runner(warp);
    const PsPtxTouched what = {step->space, bytes, warp->slots[step->from[0]], reads,
                               (guint64)step->offset};
    if (mask != G_MAXUINT32 || !ps_ptx_regular(runner->machine, step, &what, regular))
        return FALSE;
    ps_ptx_note(runner, what.space == PS_PTX_GENERIC ? PS_PTX_GLOBAL : what.space, bytes);
    return TRUE;
}

PS_PTX_INLINE void load_regular(PsPtxWarp *warp, const PsPtxStep *step, const PsPtxRegular *regular)
{
    const guint size = step->kind & 0xff, wide = step->kind >> 8;
    for (guint i = 0; i < step->vector; i++) {
        guint64 *to = warp->slots[step->to[i]];
        for (guint k = 0; k < PS_PTX_PIECES; k++) {
            const guint8 *from = regular->data[k] + (gsize)i * size;
            guint64 *piece = to + (gsize)k * PS_PTX_PIECE;
            if (size == 4)
                fetch_piece_guint32(piece, from, regular->stride[k]);
            else if (size == 8)
                fetch_piece_guint64(piece, from, regular->stride[k]);
            else if (size == 2)
                fetch_piece_guint16(piece, from, regular->stride[k]);
            else
                fetch_piece_guint8(piece, from, regular->stride[k]);
        }
        if (wide != 0)
            extend(to, G_MAXUINT32, size, wide);
    }
}

PS_PTX_INLINE void store_regular(const PsPtxWarp *warp, const PsPtxStep *step,
                                 const PsPtxRegular *regular)
{
    const guint size = step->kind;
    for (guint k = 0; k < PS_PTX_PIECES; k++)
        for (guint i = 0; i < step->vector; i++) {
            const guint64 *from = warp->slots[step->from[1 + i]] + (gsize)k * PS_PTX_PIECE;
            guint8 *to = regular->data[k] + (gsize)i * size;
            if (size == 4)
                put_piece_guint32(from, to, regular->stride[k]);
            else if (size == 8)
                put_piece_guint64(from, to, regular->stride[k]);
            else if (size == 2)
                put_piece_guint16(from, to, regular->stride[k]);
            else
                put_piece_guint8(from, to, regular->stride[k]);
        }
}

PS_PTX_INLINE void load_with(PsPtxWarp *warp, const PsPtxStep *step, guint32 mask)
{
    const guint size = step->kind & 0xff, wide = step->kind >> 8, stride = size * step->vector;
    const guint64 *address = ps_ptx_runner(warp)->address;
    PsPtxRegular regular;
    PsPtxRow row;
    if ((step->flags & SPINS) != 0)
        ps_ptx_runner(warp)->may_spin = TRUE;
    if (find_regular(warp, step, mask, stride, TRUE, &regular)) {
        load_regular(warp, step, &regular);
        return;
    }
    if (!find_row(warp, step, mask, stride, TRUE, &row)) {
        load_lanes(warp, step, mask);
        return;
    }
    for (guint i = 0; i < step->vector; i++) {
        guint64 *to = warp->slots[step->to[i]];
        if (size == 4)
            fetch_guint32(to, &row, address, i * size, stride);
        else if (size == 8)
            fetch_guint64(to, &row, address, i * size, stride);
        else if (size == 2)
            fetch_guint16(to, &row, address, i * size, stride);
        else
            fetch_guint8(to, &row, address, i * size, stride);
        if (wide != 0)
            extend(to, mask, size, wide);
    }
    if (row.buffer->written && !ps_ptx_row_known(&row))
        look_at_row(ps_ptx_runner(warp), step, &row, stride);
}

PS_PTX_INLINE void store_with(PsPtxWarp *warp, const PsPtxStep *step, guint32 mask)
{
    const guint size = step->kind, stride = size * step->vector;
    const guint64 *address = ps_ptx_runner(warp)->address;
    PsPtxRegular regular;
    PsPtxRow row;
    if (step->space != PS_PTX_CONST && find_regular(warp, step, mask, stride, FALSE, &regular)) {
        store_regular(warp, step, &regular);
        return;
    }
    if (step->space == PS_PTX_CONST || !find_row(warp, step, mask, stride, FALSE, &row)) {
        store_lanes(warp, step, mask);
        return;
    }
    for (guint i = 0; i < step->vector; i++) {
        const guint64 *from = warp->slots[step->from[1 + i]];
        if (size == 4)
            put_guint32(from, &row, address, i * size, stride);
        else if (size == 8)
            put_guint64(from, &row, address, i * size, stride);
        else if (size == 2)
            put_guint16(from, &row, address, i * size, stride);
        else
            put_guint8(from, &row, address, i * size, stride);
    }
}

/* The variants of a step. */
#define VARIANTS(NAME)                                                                             \
    static void NAME##_plain(PsPtxWarp *warp, const PsPtxStep *step, guint32 mask)                 \
    {                                                                                              \
        NAME##_with(warp, step, mask);                                                             \
    }                                                                                              \
    __attribute__(PS_PTX_FOR_AVX2) static void NAME##_avx2(PsPtxWarp *warp, const PsPtxStep *step, \
                                                           guint32 mask)                           \
    {                                                                                              \
        NAME##_with(warp, step, mask);                                                             \
    }                                                                                              \
    static const PsPtxExecute NAME[PS_PTX_N_VECTORS] = {NAME##_plain, NAME##_avx2};

VARIANTS(load)
VARIANTS(store)

static gboolean is_signed(PsPtxType type)
{
    return type >= PS_PTX_S8 && type <= PS_PTX_S64;
}

/* Bytes of the register that is operand number `which`, or of a vector's first register. */
static guint register_bytes(const PsPtxDecode *decode, guint which)
{
    const PsPtxOperand *operand = &decode->instruction->operands[which];
    if (operand->kind == PS_PTX_OPERAND_VECTOR && operand->n_members > 0)
        operand = &operand->members[0];
    if (operand->kind != PS_PTX_OPERAND_REGISTER)
        return 0;
    return ps_ptx_type_size(
        g_array_index(decode->point->in->function->registers, PsPtxRegister, operand->reg).type);
}

static gboolean is_spin(const PsPtxMnemonic *mnemonic)
{
    return ps_ptx_has(mnemonic, "volatile") || ps_ptx_has(mnemonic, "acquire") ||
           ps_ptx_has(mnemonic, "relaxed") || ps_ptx_has(mnemonic, "mmio");
}

/* The type of the data: the last type written, as in ld.global.L2::128B.v2.u32. */
static PsPtxType moved_type(const PsPtxMnemonic *mnemonic)
{
    PsPtxType type = PS_PTX_NO_TYPE;
    for (gsize i = 0; i < G_N_ELEMENTS(mnemonic->types) && i < mnemonic->n_types; i++)
        type = mnemonic->types[i];
    return type;
}

static gboolean decode_load(PsPtxDecode *decode, PsPtxStep *step)
{
    const PsPtxType type = moved_type(decode->mnemonic);
    const guint size = ps_ptx_type_size(type);
    if (size == 0 || size > 8 || !ps_ptx_decode_to(decode, step, 0) ||
        !ps_ptx_decode_from(decode, step, 1, PS_PTX_U64) || step->n_to != step->vector)
        return FALSE;
    const guint wide = register_bytes(decode, 0);
    step->kind = size | (is_signed(type) && wide > size && wide <= 8 ? wide << 8 : 0);
    step->flags = is_spin(decode->mnemonic) ? SPINS : 0;
    step->execute = load[decode->vectors];
    return TRUE;
}

/* st.async stores to another group of the cluster; the mbarrier in the last source gets the
 * bytes. */
static void store_async(PsPtxWarp *warp, const PsPtxStep *step, guint32 mask)
{
    const guint barrier = 1 + step->vector;
    store_lanes(warp, step, mask);
    if (!warp->error)
        ps_ptx_mbarrier_pay_lanes(
            warp, step, mask,
            &(PsPtxPaid){barrier, *(const gint64 *)step->more, step->kind * step->vector});
}

static gboolean decode_store_async(PsPtxDecode *decode, PsPtxStep *step)
{
    gint64 *offset = g_new0(gint64, 1);
    const guint n_from = step->n_from;
    const gint64 own = step->offset;
    step->more = offset;
    step->execute = store_async;
    if (!ps_ptx_has(decode->mnemonic, "mbarrier::complete_tx::bytes") ||
        !ps_ptx_decode_from(decode, step, 2, PS_PTX_U64) || step->n_from != n_from + 1)
        return FALSE;
    *offset = step->offset;
    step->offset = own;
    return TRUE;
}

/* st.async to global memory informs no mbarrier. */
static gboolean is_alone(const PsPtxDecode *decode)
{
    return decode->mnemonic->space == PS_PTX_GLOBAL && decode->instruction->n_operands == 2;
}

static gboolean decode_store(PsPtxDecode *decode, PsPtxStep *step)
{
    const PsPtxType type = moved_type(decode->mnemonic);
    step->kind = ps_ptx_type_size(type);
    step->execute = store[decode->vectors];
    return step->kind > 0 && step->kind <= 8 && ps_ptx_decode_from(decode, step, 0, PS_PTX_U64) &&
           step->n_from == 1 && ps_ptx_decode_from(decode, step, 1, type) &&
           step->n_from == 1 + step->vector &&
           (!ps_ptx_has(decode->mnemonic, "async") || is_alone(decode) ||
            decode_store_async(decode, step));
}

/* multimem names memory of several GPUs by one address. Here there is one GPU, so its memory stands
 * for all. */
static gboolean decode_multimem(PsPtxDecode *decode, PsPtxStep *step)
{
    return ps_ptx_has(decode->mnemonic, "ld_reduce")
               ? decode_load(decode, step)
               : ps_ptx_has(decode->mnemonic, "st") && decode_store(decode, step);
}

static const PsPtxOpcode table[] = {{"ld", decode_load},
                                    {"ldu", decode_load},
                                    {"st", decode_store},
                                    {"multimem", decode_multimem},
                                    {"prefetch", ps_ptx_decode_nothing},
                                    {"prefetchu", ps_ptx_decode_nothing},
                                    {"discard", ps_ptx_decode_nothing},
                                    {"applypriority", ps_ptx_decode_nothing}};

gboolean ps_ptx_access(PsPtxDecode *decode, PsPtxStep *step, char **unsupported)
{
    const PsPtxMnemonic *mnemonic = decode->mnemonic;
    if (strcmp(mnemonic->opcode, "multimem") == 0 && !ps_ptx_has(mnemonic, "ld_reduce") &&
        !ps_ptx_has(mnemonic, "st"))
        return FALSE; /* atomic.c has multimem.red */
    return ps_ptx_decode_by(decode, step, table, G_N_ELEMENTS(table), unsupported);
}

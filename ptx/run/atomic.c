/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Atomic operations. Lanes follow each other, the lowest first; no other warp of the group runs
 * meanwhile. Where other groups run at the same time, words of global memory are exchanged by
 * atomic instructions of the processor.
 *
 * A compare-and-swap fails where another warp changed the word since it was read. Warps whose
 * operations queue at shared memory have all read before the first of them is served. So a
 * compare-and-swap that would succeed first lets the other warps come to the same point; one that
 * fails, as at a lock that is taken, does not.
 */
#include "ptx/alu/convert.h"
#include "ptx/run/atomic-usual.h"
#include "ptx/run/mbarrier.h"
#include "ptx/run/watch.h"
#include <math.h>
#include <string.h>

typedef guint64 (*Operation)(PsPtxType type, guint64 old, guint64 b, guint64 c);

typedef struct {
    Operation operation;
    PsPtxAtomicUsual usual; /* the same for all lanes; or NULL */
    guint size;             /* bytes of an element */
    gint64 barrier_offset;  /* red.async: offset of the last source, whose mbarrier gets the
                               bytes */
} Atomic;

/* ---- numbers -------------------------------------------------------------------------------- */

static gint64 to_signed(PsPtxType type, guint64 bits)
{
    const guint shift = 64 - 8 * ps_ptx_type_size(type);
    return (gint64)(bits << shift) >> shift;
}

static gboolean is_signed(PsPtxType type)
{
    return type >= PS_PTX_S8 && type <= PS_PTX_S64;
}

static gboolean is_float(PsPtxType type)
{
    return type == PS_PTX_F16 || type == PS_PTX_BF16 || type == PS_PTX_F32 || type == PS_PTX_F64;
}

static guint64 from_number(PsPtxType type, double number)
{
    switch (type) {
    case PS_PTX_F16:
        return ps_ptx_half_bits(number);
    case PS_PTX_BF16:
        return ps_ptx_bfloat_bits(number);
    case PS_PTX_F32:
        return ps_ptx_single_raw((float)number);
    default:
        return ps_ptx_double_raw(number);
    }
}

/* ---- operations ----------------------------------------------------------------------------- */

static guint64 add(PsPtxType type, guint64 old, guint64 b, guint64 c)
{
    (void)c;
    /* The sum of two singles is rounded twice, which gives the same as one rounding: double has
     * more than twice the bits. */
    if (is_float(type))
        return from_number(type, ps_ptx_convert_value(type, old) + ps_ptx_convert_value(type, b));
    return old + b;
}

static guint64 least(PsPtxType type, guint64 old, guint64 b, guint64 c)
{
    (void)c;
    if (is_float(type))
        return from_number(type,
                           fmin(ps_ptx_convert_value(type, old), ps_ptx_convert_value(type, b)));
    if (is_signed(type))
        return to_signed(type, old) < to_signed(type, b) ? old : b;
    return MIN(old, b);
}

static guint64 most(PsPtxType type, guint64 old, guint64 b, guint64 c)
{
    (void)c;
    if (is_float(type))
        return from_number(type,
                           fmax(ps_ptx_convert_value(type, old), ps_ptx_convert_value(type, b)));
    if (is_signed(type))
        return to_signed(type, old) > to_signed(type, b) ? old : b;
    return MAX(old, b);
}

static guint64 increment(PsPtxType type, guint64 old, guint64 b, guint64 c)
{
    (void)type;
    (void)c;
    return old >= b ? 0 : old + 1;
}

static guint64 decrement(PsPtxType type, guint64 old, guint64 b, guint64 c)
{
    (void)type;
    (void)c;
    return old == 0 || old > b ? b : old - 1;
}

static guint64 and_bits(PsPtxType type, guint64 old, guint64 b, guint64 c)
{
    (void)type;
    (void)c;
    return old & b;
}

static guint64 or_bits(PsPtxType type, guint64 old, guint64 b, guint64 c)
{
    (void)type;
    (void)c;
    return old | b;
}

static guint64 xor_bits(PsPtxType type, guint64 old, guint64 b, guint64 c)
{
    (void)type;
    (void)c;
    return old ^ b;
}

static guint64 exchange(PsPtxType type, guint64 old, guint64 b, guint64 c)
{
    (void)type;
    (void)old;
    (void)c;
    return b;
}

static guint64 swap_if(PsPtxType type, guint64 old, guint64 b, guint64 c)
{
    (void)type;
    return old == b ? c : old;
}

static const struct {
    const char *name;
    Operation operation;
} operations[] = {{"add", add},       {"min", least},    {"max", most},   {"inc", increment},
                  {"dec", decrement}, {"and", and_bits}, {"or", or_bits}, {"xor", xor_bits},
                  {"exch", exchange}, {"cas", swap_if}};

/* ---- executing ------------------------------------------------------------------------------ */

/* Copies memory; the usual size needs no call. */
static inline void move(void *to, const void *from, guint size)
{
    if (size == 4)
        memcpy(to, from, 4);
    else
        memcpy(to, from, size);
}

/* The new value of an element; packed types change each half by itself. */
static guint64 changed(const PsPtxStep *step, guint64 old, guint64 b, guint64 c)
{
    const Operation operation = ((const Atomic *)step->more)->operation;
    if (step->type != PS_PTX_F16X2 && step->type != PS_PTX_BF16X2)
        return operation(step->type, old, b, c);
    const PsPtxType half = step->type == PS_PTX_F16X2 ? PS_PTX_F16 : PS_PTX_BF16;
    return operation(half, old & 0xffff, b & 0xffff, c & 0xffff) |
           operation(half, old >> 16, b >> 16 & 0xffff, c >> 16 & 0xffff) << 16;
}

/* Puts `new` in place of `old`. FALSE: memory holds something else, which becomes *old. */
#define EXCHANGE(TYPE)                                                                             \
    static gboolean exchange_##TYPE(guint8 *memory, guint64 *old, guint64 new)                     \
    {                                                                                              \
        TYPE there = (TYPE)*old;                                                                   \
        const gboolean done =                                                                      \
            __atomic_compare_exchange_n((TYPE *)(gpointer)memory, &there, (TYPE) new, FALSE,       \
                                        __ATOMIC_RELAXED, __ATOMIC_RELAXED) != 0;                  \
        *old = there;                                                                              \
        return done;                                                                               \
    }
EXCHANGE(guint16)
EXCHANGE(guint32)
EXCHANGE(guint64)

/* Changes an element, at a multiple of its size, while other threads may change it, too. */
static guint64 apply_beside(const PsPtxStep *step, guint8 *memory, guint64 b, guint64 c)
{
    const guint size = ((const Atomic *)step->more)->size;
    gboolean (*const put)(guint8 *, guint64 *, guint64) = size == 8   ? exchange_guint64
                                                          : size == 4 ? exchange_guint32
                                                                      : exchange_guint16;
    guint64 old = 0; /* a guess; the first attempt finds the value in memory */
    while (!put(memory, &old, changed(step, old, b, c)))
        ;
    return old;
}

/* Changes one element. Returns the old value, and counts a change of it. */
static guint64 apply(const PsPtxStep *step, guint8 *memory, guint64 b, guint64 c, guint64 *changes)
{
    const Atomic *atomic = step->more;
    guint64 old = 0;
    move(&old, memory, atomic->size);
    const guint64 new = changed(step, old, b, c);
    *changes += (old ^ new) << (64 - 8 * atomic->size) != 0;
    move(memory, &new, atomic->size);
    return old;
}

static gboolean would_succeed(const PsPtxWarp *warp, const PsPtxStep *step, guint32 mask,
                              guint8 *const memory[PS_PTX_LANES])
{
    const guint size = ((const Atomic *)step->more)->size;
    for (guint32 rest = mask; rest != 0; rest &= rest - 1) {
        const guint lane = (guint)__builtin_ctz(rest);
        if (memcmp(memory[lane], &warp->slots[step->from[1]][lane], size) == 0)
            return TRUE;
    }
    return FALSE;
}

/* TRUE if the step is postponed until the other warps have had a turn. */
static gboolean gives_way(PsPtxWarp *warp, const PsPtxStep *step, guint32 mask,
                          guint8 *const memory[PS_PTX_LANES])
{
    const Atomic *atomic = step->more;
    PsPtxRunner *runner = ps_ptx_runner(warp);
    const gboolean comes_again = runner->gave_way;
    if (atomic->operation != swap_if || runner->space != PS_PTX_SHARED || step->vector > 1 ||
        runner->machine->n_warps == 1)
        return FALSE;
    runner->gave_way =
        !comes_again && runner->executed > runner->began && would_succeed(warp, step, mask, memory);
    if (runner->gave_way)
        ps_ptx_paths_wait(runner, PS_PTX_POLLS, step, mask);
    return runner->gave_way;
}

/* TRUE if threads that execute other groups may change the same words. */
static gboolean is_beside(const PsPtxRunner *runner)
{
    return runner->machine->lock && runner->space == PS_PTX_GLOBAL;
}

static void apply_usual(PsPtxWarp *warp, const PsPtxStep *step, guint32 mask,
                        guint8 *const memory[PS_PTX_LANES])
{
    PsPtxRunner *runner = ps_ptx_runner(warp);
    PsPtxAtomicLanes lanes = {.memory = memory,
                              .b = warp->slots[step->from[1]],
                              .to = step->n_to > 0 ? warp->slots[step->to[0]] : NULL,
                              .mask = mask,
                              .beside = is_beside(runner)};
    ((const Atomic *)step->more)->usual(&lanes);
    runner->may_spin |= lanes.reads;
    runner->machine->changes += lanes.changes;
}

static void apply_all(PsPtxWarp *warp, const PsPtxStep *step, guint32 mask,
                      guint8 *const memory[PS_PTX_LANES])
{
    const Atomic *atomic = step->more;
    const guint64 ones = atomic->size == 8 ? G_MAXUINT64 : ((guint64)1 << (8 * atomic->size)) - 1;
    const gboolean three = step->n_from == 1 + 2 * step->vector;
    const gboolean beside = is_beside(ps_ptx_runner(warp));
    PsPtxMachine *machine = ps_ptx_runner(warp)->machine;
    for (guint32 rest = mask; rest != 0; rest &= rest - 1) {
        const guint lane = (guint)__builtin_ctz(rest);
        for (guint i = 0; i < step->vector; i++) {
            guint64 b = warp->slots[step->from[1 + i]][lane] & ones;
            guint64 c = three ? warp->slots[step->from[1 + step->vector + i]][lane] & ones : 0;
            guint8 *at = memory[lane] + (gsize)i * atomic->size;
            const guint64 old =
                beside ? apply_beside(step, at, b, c) : apply(step, at, b, c, &machine->changes);
            if (b == 0) /* adding 0 is a way to read */
                ps_ptx_runner(warp)->may_spin = TRUE;
            if (step->n_to > 0)
                warp->slots[step->to[i]][lane] = old;
        }
    }
}

/* A value that was computed from unwritten shared memory stays undefined; an exchanged one does
 * not. */
static void note_written(PsPtxRunner *runner, const PsPtxStep *step, guint32 mask)
{
    const Atomic *atomic = step->more;
    const gboolean writes = atomic->operation == exchange;
    if (!writes && step->n_to > 0 && runner->touched &&
        runner->machine->looks[step->point] < PS_PTX_MOST_LOOKS)
        ps_ptx_watch_memory(runner, step, mask);
    for (guint32 rest = writes ? mask : 0; rest != 0; rest &= rest - 1) {
        const guint lane = (guint)__builtin_ctz(rest);
        const gboolean remote = (runner->remote >> lane & 1) != 0;
        const PsPtxMachine *group = remote ? runner->where[lane] : runner->machine;
        memset(group->written + runner->address[lane], 1, (gsize)atomic->size * step->vector);
    }
}

static void execute(PsPtxWarp *warp, const PsPtxStep *step, guint32 mask)
{
    const Atomic *atomic = step->more;
    const gboolean shared = step->space == PS_PTX_SHARED;
    guint64 address[PS_PTX_LANES];
    guint8 *memory[PS_PTX_LANES];
    if (step->n_to > 0 && (atomic->operation == swap_if || atomic->operation == exchange))
        ps_ptx_runner(warp)->may_spin = TRUE;
    ps_ptx_addresses(warp, step, address);
    const PsPtxTouched what = {step->space, atomic->size * step->vector, address, shared, 0};
    if (!ps_ptx_reach_more(ps_ptx_runner(warp), step, mask, &what, memory) ||
        gives_way(warp, step, mask, memory))
        return;
    (atomic->usual ? apply_usual : apply_all)(warp, step, mask, memory);
    if (shared)
        note_written(ps_ptx_runner(warp), step, mask);
}

static void execute_async(PsPtxWarp *warp, const PsPtxStep *step, guint32 mask)
{
    const Atomic *atomic = step->more;
    execute(warp, step, mask);
    if (!warp->error)
        ps_ptx_mbarrier_pay_lanes(
            warp, step, mask, &(PsPtxPaid){step->n_from - 1, atomic->barrier_offset, atomic->size});
}

/* red.async [a], b, [mbarrier] */
static gboolean decode_async(PsPtxDecode *decode, PsPtxStep *step)
{
    Atomic *atomic = step->more;
    const gint64 own = step->offset;
    if (!ps_ptx_has(decode->mnemonic, "mbarrier::complete_tx::bytes") ||
        !ps_ptx_decode_from(decode, step, 2, PS_PTX_U64) || step->n_from != 3)
        return FALSE;
    atomic->barrier_offset = step->offset;
    step->offset = own;
    step->execute = execute_async;
    return TRUE;
}

static gboolean find(const PsPtxMnemonic *mnemonic, Atomic *found)
{
    const PsPtxType type = mnemonic->n_types ? mnemonic->types[0] : PS_PTX_NO_TYPE;
    for (gsize i = 0; i < G_N_ELEMENTS(operations); i++)
        if (ps_ptx_has(mnemonic, operations[i].name)) {
            *found = (Atomic){.operation = operations[i].operation,
                              .usual = mnemonic->vector > 1
                                           ? NULL
                                           : ps_ptx_atomic_usual(operations[i].name, type)};
            return TRUE;
        }
    return FALSE;
}

/* red.async to global memory informs no mbarrier. */
static gboolean is_alone(const PsPtxDecode *decode)
{
    return decode->mnemonic->space == PS_PTX_GLOBAL && decode->instruction->n_operands == 2;
}

static gboolean decode_atomic(PsPtxDecode *decode, PsPtxStep *step)
{
    const gboolean result = strcmp(decode->mnemonic->opcode, "atom") == 0;
    Atomic found;
    const guint size = ps_ptx_type_size(step->type);
    if (!find(decode->mnemonic, &found) || size == 0 || size > 8)
        return FALSE;
    const guint values = found.operation == swap_if ? 2 : 1;
    found.size = size;
    if (result && (!ps_ptx_decode_to(decode, step, 0) || step->n_to != step->vector))
        return FALSE;
    if (!ps_ptx_decode_from(decode, step, result, PS_PTX_U64) || step->n_from != 1)
        return FALSE;
    /* an operand after the values is a cache policy */
    for (guint i = 0; i < values; i++)
        if (!ps_ptx_decode_from(decode, step, result + 1U + i, step->type))
            return FALSE;
    if (step->n_from != 1 + values * step->vector)
        return FALSE;
    step->more = g_memdup2(&found, sizeof found);
    step->execute = execute;
    return !ps_ptx_has(decode->mnemonic, "async") || is_alone(decode) || decode_async(decode, step);
}

gboolean ps_ptx_atomic(PsPtxDecode *decode, PsPtxStep *step, char **unsupported)
{
    static const char *const own[] = {"atom", "red", NULL};
    const gboolean of_all = strcmp(decode->mnemonic->opcode, "multimem") == 0;
    if (of_all ? !ps_ptx_has(decode->mnemonic, "red") : !ps_ptx_opcode_in(decode, own))
        return FALSE;
    if (!decode_atomic(decode, step))
        *unsupported = g_strdup_printf("%s with these operands", decode->mnemonic->text);
    return TRUE;
}

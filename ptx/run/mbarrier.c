/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * mbarriers: 64 bits of shared memory. PTX states no layout; this is the layout of machine code
 * from sm_90 on, which computes some words itself (sass/table.c). From bit 1 on: the number of
 * arrivals that complete a phase (20 bits), the bytes that asynchronous copies still have to bring
 * (22 bits, signed), the arrivals that are still missing in the present phase (20 bits), and at the
 * top the parity of the phase. Numbers of arrivals are stored as 2^20 minus the number, so a device
 * counts up.
 *
 * A thread that waits for a phase which is not complete lets others run, and tries again at its
 * warp's next turn; so a wait that never ends is recognised (ps_ptx_deadlock). A thread that only
 * tests does the same, since the number of its tries here does not say how often it tries on a
 * device; the test fails only if no other thread can go on.
 */
#include "ptx/run/warp.h"
#include "ptx/run/mbarrier.h"
#include "ptx/run/phase.h"
#include <string.h>

#define COUNT_BITS 20
#define COUNT_MASK (((guint64)1 << COUNT_BITS) - 1)
#define COUNT_AT 1
#define OWED_AT 21
#define MISSING_AT 43
#define OWED_MASK (((guint64)1 << 22) - 1)
#define PARITY ((guint64)1 << 63)

enum { INIT, INVAL, ARRIVE, EXPECT, COMPLETE, TEST, TRY, PENDING };

/* step->flags */
enum { WITH_COUNT = 1, WITH_EXPECT = 2, DROP = 4, BY_PARITY = 8 };

static guint64 read_word(const guint8 *memory)
{
    guint64 word;
    memcpy(&word, memory, sizeof word);
    return word;
}

/* A number of arrivals, at COUNT_AT or MISSING_AT. */
static guint64 arrivals(guint64 word, guint at)
{
    return (0 - (word >> at)) & COUNT_MASK;
}

static guint64 with_arrivals(guint64 word, guint at, guint64 arrivals)
{
    return (word & ~(COUNT_MASK << at)) | ((0 - arrivals) & COUNT_MASK) << at;
}

static guint64 with_owed(guint64 word, gint64 change)
{
    guint64 owed = ((word >> OWED_AT) + (guint64)change) & OWED_MASK;
    return (word & ~(OWED_MASK << OWED_AT)) | owed << OWED_AT;
}

guint64 ps_ptx_mbarrier_new(guint64 n)
{
    return with_arrivals(with_arrivals(0, COUNT_AT, n), MISSING_AT, n);
}

/* The word after arrivals were counted: if none is missing, the phase ends. */
static guint64 settle(guint64 word)
{
    if (arrivals(word, MISSING_AT) != 0 || (word >> OWED_AT & OWED_MASK) != 0)
        return word;
    return with_arrivals(word, MISSING_AT, arrivals(word, COUNT_AT)) ^ PARITY;
}

/* Writes the word, and informs phase.c. */
static void put_word(PsPtxWarp *warp, guint8 *memory, guint64 word, PsPtxPhaseChange change)
{
    const gboolean completes = ((word ^ read_word(memory)) & PARITY) != 0;
    memcpy(memory, &word, sizeof word);
    ps_ptx_phase_change(ps_ptx_runner(warp), memory, change, completes);
}

/* The way in which an arrival differs from a plain one: how many arrivals it counts as, how many
 * bytes it expects, and whether its thread leaves the mbarrier for good. */
typedef struct {
    guint64 count, expect;
    gboolean drop;
} Arrival;

static gboolean arrive(PsPtxWarp *warp, guint8 *memory, Arrival arrival)
{
    const guint64 count = arrival.count;
    guint64 word = read_word(memory);
    const guint64 missing = arrivals(word, MISSING_AT), all = arrivals(word, COUNT_AT);
    if (count > missing)
        return FALSE;
    word = with_arrivals(with_owed(word, (gint64)arrival.expect), MISSING_AT, missing - count);
    if (arrival.drop)
        word = with_arrivals(word, COUNT_AT, all - MIN(count, all));
    put_word(warp, memory, settle(word), PS_PTX_PHASE_ARRIVES);
    return TRUE;
}

void ps_ptx_mbarrier_pay(PsPtxWarp *warp, guint8 *memory, guint64 bytes)
{
    put_word(warp, memory, settle(with_owed(read_word(memory), -(gint64)bytes)), PS_PTX_PHASE_PAYS);
}

gboolean ps_ptx_mbarrier_pay_lanes(PsPtxWarp *warp, const PsPtxStep *step, guint32 mask,
                                   const PsPtxPaid *paid)
{
    PsPtxRunner *runner = ps_ptx_runner(warp);
    const PsPtxTouched word = {PS_PTX_SHARED, 8, warp->slots[step->from[paid->source]], FALSE,
                               (guint64)paid->offset};
    guint8 *memory[PS_PTX_LANES];
    ps_ptx_phase_executes(runner, step->point, FALSE);
    if (!ps_ptx_reach(runner, step, mask, &word, memory))
        return FALSE;
    for (guint32 rest = mask; rest != 0; rest &= rest - 1) {
        guint8 *here = memory[__builtin_ctz(rest)];
        ps_ptx_phase_counts(runner, here, step->point, TRUE);
        ps_ptx_mbarrier_pay(warp, here, paid->bytes);
    }
    return TRUE;
}

gboolean ps_ptx_mbarrier_arrive(PsPtxWarp *warp, guint8 *memory)
{
    return arrive(warp, memory, (Arrival){.count = 1});
}

gboolean ps_ptx_mbarrier_tests(const PsPtxStep *step)
{
    return step->kind == TEST;
}

/* Finds the mbarriers at the lanes' addresses, which are from[0] plus the step's offset. */
static gboolean reach(PsPtxWarp *warp, const PsPtxStep *step, guint32 mask,
                      guint8 *memory[PS_PTX_LANES])
{
    guint64 address[PS_PTX_LANES];
    ps_ptx_addresses(warp, step, address);
    return ps_ptx_touch(warp, step, mask, address, 8, memory);
}

static guint64 source(const PsPtxWarp *warp, const PsPtxStep *step, guint which, guint lane)
{
    return warp->slots[step->from[which]][lane];
}

static void change(PsPtxWarp *warp, const PsPtxStep *step, guint32 mask)
{
    guint8 *memory[PS_PTX_LANES];
    if (!reach(warp, step, mask, memory))
        return;
    for (guint32 rest = mask; rest != 0; rest &= rest - 1) {
        const guint lane = (guint)__builtin_ctz(rest);
        const guint64 amount = step->kind == INVAL ? 0 : source(warp, step, 1, lane) & G_MAXUINT32;
        guint64 word = read_word(memory[lane]);
        if (step->kind == INIT && (amount == 0 || amount > COUNT_MASK)) {
            ps_ptx_fail(warp, step, lane,
                        "initialises an mbarrier with a count of %" G_GUINT64_FORMAT
                        "; it must be from 1 to %" G_GUINT64_FORMAT,
                        amount, COUNT_MASK);
            return;
        }
        if (step->kind == INIT || step->kind == INVAL)
            word = with_arrivals(with_arrivals(0, COUNT_AT, amount), MISSING_AT, amount);
        else if (step->kind == EXPECT)
            word = with_owed(word, (gint64)amount);
        else
            word = settle(with_owed(word, -(gint64)amount));
        put_word(warp, memory[lane], word,
                 step->kind <= INVAL ? PS_PTX_PHASE_BEGINS : PS_PTX_PHASE_PAYS);
    }
}

static void come(PsPtxWarp *warp, const PsPtxStep *step, guint32 mask)
{
    guint8 *memory[PS_PTX_LANES];
    if (!reach(warp, step, mask, memory))
        return;
    ps_ptx_phase_executes(ps_ptx_runner(warp), step->point, FALSE);
    for (guint32 rest = mask; rest != 0; rest &= rest - 1) {
        const guint lane = (guint)__builtin_ctz(rest);
        const guint64 state = read_word(memory[lane]);
        const guint64 expect =
            (step->flags & WITH_EXPECT) != 0 ? source(warp, step, 1, lane) & G_MAXUINT32 : 0;
        const guint64 count =
            (step->flags & WITH_COUNT) != 0 ? source(warp, step, 1, lane) & G_MAXUINT32 : 1;
        ps_ptx_phase_counts(ps_ptx_runner(warp), memory[lane], step->point, FALSE);
        if (!arrive(warp, memory[lane], (Arrival){count, expect, (step->flags & DROP) != 0})) {
            ps_ptx_fail(warp, step, lane,
                        "arrives %" G_GUINT64_FORMAT
                        " time%s at an mbarrier that waits for %" G_GUINT64_FORMAT
                        " more arrivals in this phase (was it initialised?)",
                        count, count == 1 ? "" : "s", arrivals(state, MISSING_AT));
            return;
        }
        if (step->n_to > 0)
            warp->slots[step->to[0]][lane] = state;
    }
}

static void test(PsPtxWarp *warp, const PsPtxStep *step, guint32 mask)
{
    PsPtxRunner *runner = ps_ptx_runner(warp);
    guint8 *memory[PS_PTX_LANES];
    guint32 done = 0;
    if (!reach(warp, step, mask, memory))
        return;
    for (guint32 rest = mask; rest != 0; rest &= rest - 1) {
        const guint lane = (guint)__builtin_ctz(rest);
        const guint64 parity = read_word(memory[lane]) >> 63;
        const guint64 asked = source(warp, step, 1, lane);
        const guint64 of = (step->flags & BY_PARITY) != 0 ? asked & 1 : asked >> 63;
        done |= (guint32)(parity != of) << lane;
    }
    for (guint32 rest = mask & ~done; rest != 0; rest &= rest - 1)
        ps_ptx_phase_tries(runner, memory[__builtin_ctz(rest)]);
    if (done == 0 && (step->kind == TRY || !runner->machine->cluster->impatient)) {
        ps_ptx_paths_wait(runner, PS_PTX_POLLS, step, mask);
        return;
    }
    if (done != 0)
        runner->wait = ps_ptx_phase_waits(runner, step->point, done, memory);
    for (guint lane = 0; lane < PS_PTX_LANES; lane++)
        if ((mask >> lane & 1) != 0)
            warp->slots[step->to[0]][lane] = done >> lane & 1;
    runner->may_spin = TRUE;
    runner->yield |= done == 0;
}

static void pending(PsPtxWarp *warp, const PsPtxStep *step, guint32 mask)
{
    for (guint lane = 0; lane < PS_PTX_LANES; lane++)
        if ((mask >> lane & 1) != 0)
            warp->slots[step->to[0]][lane] = arrivals(source(warp, step, 0, lane), MISSING_AT);
}

/* ---- what is missing ------------------------------------------------------------------------ */

/* Appends ", and warps 1, 2 have not arrived". */
static void append_absent(const PsPtxRunner *runner, const guint8 *memory, GString *text)
{
    const PsPtxMachine *machine = runner->machine;
    const guint32 arrived = ps_ptx_phase_arrived(runner, memory);
    g_autoptr(GString) list = g_string_new(NULL);
    guint n = 0;
    for (guint w = 0; w < machine->n_warps; w++)
        if ((arrived >> w & 1) == 0 && ++n > 0)
            g_string_append_printf(list, "%s%u", n > 1 ? ", " : "", w);
    if (n == machine->n_warps)
        g_string_append(text, ", and no warp has arrived");
    else if (n > 0)
        g_string_append_printf(text, ", and warp%s %s ha%s not arrived", n > 1 ? "s" : "",
                               list->str, n > 1 ? "ve" : "s");
}

char *ps_ptx_mbarrier_pending(const PsPtxRunner *runner, const PsPtxStep *step, guint lane)
{
    const PsPtxMachine *machine = runner->machine;
    guint64 address = runner->open.slots[step->from[0]][lane] + (guint64)step->offset;
    if (ps_ptx_window(machine, address, &address) == PS_PTX_GLOBAL)
        address = ps_ptx_cluster_at(machine, address & G_MAXUINT32, machine->rank);
    const PsPtxBuffer *buffer = ps_ptx_buffer_at(machine, PS_PTX_SHARED, address);
    const guint64 place = buffer ? address - buffer->address : 0;
    if (!buffer || buffer->size < 8 || place > buffer->size - 8)
        return g_strdup("an mbarrier");
    const guint64 word = read_word(buffer->data + place), missing = arrivals(word, MISSING_AT);
    const gint64 owed = (gint64)((word >> OWED_AT & OWED_MASK) << 42) >> 42; /* the number of bytes
                                                                                has a sign */
    GString *text = g_string_new("the mbarrier ");
    if (buffer->name)
        g_string_append_printf(text, "%s+%" G_GUINT64_FORMAT, buffer->name, place);
    else
        g_string_append_printf(text, "at 0x%" G_GINT64_MODIFIER "x", address);
    g_string_append_printf(
        text, ", where %" G_GUINT64_FORMAT " arrival%s and %" G_GINT64_FORMAT " bytes are missing",
        missing, missing == 1 ? "" : "s", owed);
    if (missing > 0)
        append_absent(runner, buffer->data + place, text);
    return g_string_free(text, FALSE);
}

/* ---- decoding ------------------------------------------------------------------------------- */

static gboolean decode_arrive(PsPtxDecode *decode, PsPtxStep *step)
{
    const PsPtxInstruction *instruction = decode->instruction;
    const gboolean result =
        instruction->n_operands > 0 && instruction->operands[0].kind != PS_PTX_OPERAND_ADDRESS;
    const gboolean noinc = ps_ptx_has(decode->mnemonic, "noComplete");
    step->execute = come;
    step->flags = ps_ptx_has(decode->mnemonic, "expect_tx")       ? WITH_EXPECT
                  : instruction->n_operands == 2U + (guint)result ? WITH_COUNT
                                                                  : 0;
    if (ps_ptx_has(decode->mnemonic, "arrive_drop"))
        step->flags |= DROP;
    if (noinc && (step->flags & WITH_COUNT) == 0)
        return FALSE;
    if (result && (!ps_ptx_decode_to(decode, step, 0) || step->n_to != 1))
        return FALSE;
    return ps_ptx_decode_rest(decode, step, result, PS_PTX_U32) &&
           step->n_from == ((step->flags & (WITH_COUNT | WITH_EXPECT)) != 0 ? 2 : 1);
}

static gboolean decode_change(PsPtxDecode *decode, PsPtxStep *step, guint kind)
{
    const guint n = kind == INVAL ? 1 : 2;
    step->kind = kind;
    step->execute = change;
    return decode->instruction->n_operands == n &&
           ps_ptx_decode_rest(decode, step, 0, PS_PTX_U32) && step->n_from == n;
}

static gboolean decode_test(PsPtxDecode *decode, PsPtxStep *step)
{
    step->kind = ps_ptx_has(decode->mnemonic, "try_wait") ? TRY : TEST;
    step->flags = ps_ptx_has(decode->mnemonic, "parity") ? BY_PARITY : 0;
    step->execute = test;
    /* a third source would be how long to wait */
    return decode->instruction->n_operands >= 3 && ps_ptx_decode_to(decode, step, 0) &&
           ps_ptx_decode_from(decode, step, 1, PS_PTX_U64) &&
           ps_ptx_decode_from(decode, step, 2, PS_PTX_B64) && step->n_to == 1 && step->n_from == 2;
}

gboolean ps_ptx_mbarrier(PsPtxDecode *decode, PsPtxStep *step)
{
    const PsPtxMnemonic *mnemonic = decode->mnemonic;
    if (ps_ptx_has(mnemonic, "init"))
        return decode_change(decode, step, INIT);
    if (ps_ptx_has(mnemonic, "inval"))
        return decode_change(decode, step, INVAL);
    if (ps_ptx_has(mnemonic, "arrive") || ps_ptx_has(mnemonic, "arrive_drop"))
        return decode_arrive(decode, step);
    if (ps_ptx_has(mnemonic, "expect_tx"))
        return decode_change(decode, step, EXPECT);
    if (ps_ptx_has(mnemonic, "complete_tx"))
        return decode_change(decode, step, COMPLETE);
    if (ps_ptx_has(mnemonic, "test_wait") || ps_ptx_has(mnemonic, "try_wait"))
        return decode_test(decode, step);
    if (ps_ptx_has(mnemonic, "pending_count")) {
        step->execute = pending;
        return ps_ptx_decode_usual(decode, step, PS_PTX_B64) && step->n_to == 1 &&
               step->n_from == 1;
    }
    return FALSE;
}

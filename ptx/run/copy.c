/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Asynchronous copies. They are executed at once, which looks the same to all code that waits for
 * them as PTX demands. tensor.c has those by tensor maps.
 */
#include "ptx/run/pending.h"
#include "ptx/run/copy.h"
#include "ptx/run/mbarrier.h"
#include "ptx/run/phase.h"
#include "ptx/run/warp.h"
#include <string.h>

/* The operands of a copy besides its destination, which is source 0 with the step's offset. */
typedef struct {
    gint64 from_offset;
    gint64 barrier_offset;
    PsPtxSpace to, from;
    guint bytes;        /* 0: a source holds their number */
    gboolean ignorable; /* source `size` is a predicate: if it is true, zeros are written instead */
    guint size;         /* number of the source that holds the bytes to copy; 0: there is none */
    guint barrier;      /* number of the source that is an mbarrier; 0: there is none */
    gboolean reduces;   /* what is there changes so, in such elements */
    PsTensorChange change;
    PsTensorElement element;
    guint groups; /* number of the source that has a bit for each group of the cluster that gets
                     the copy; 0: none */
} Copy;

static void addresses(const PsPtxWarp *warp, guint slot, gint64 offset,
                      guint64 address[PS_PTX_LANES])
{
    for (guint lane = 0; lane < PS_PTX_LANES; lane++)
        address[lane] = warp->slots[slot][lane] + (guint64)offset;
}

/* ---- few bytes per lane --------------------------------------------------------------------- */

static guint bytes_of(const PsPtxWarp *warp, const PsPtxStep *step, guint lane)
{
    const Copy *copy = step->more;
    if (copy->size == 0)
        return copy->bytes;
    const guint64 value = warp->slots[step->from[copy->size]][lane];
    if (copy->ignorable)
        return value != 0 ? 0 : copy->bytes;
    return (guint)MIN(value & G_MAXUINT32, copy->bytes);
}

/* Finds the memory that the lanes copy from, for each lane as many bytes as it asks for. FALSE: an
 * access failed. The listener gets whole accesses of the lanes that copy any byte, and no access if
 * no lane copies one: a device then fills with zeros, and reads no memory. */
static gboolean reach_few(PsPtxRunner *runner, const PsPtxStep *step, guint32 mask,
                          guint8 *from[PS_PTX_LANES])
{
    const PsPtxWarp *warp = &runner->open;
    const Copy *copy = step->more;
    guint64 address[PS_PTX_LANES];
    guint32 whole = 0, idle = 0;
    for (guint32 rest = mask; rest != 0; rest &= rest - 1) {
        const guint lane = (guint)__builtin_ctz(rest), bytes = bytes_of(warp, step, lane);
        whole |= (guint32)(bytes == copy->bytes) << lane;
        idle |= (guint32)(bytes == 0) << lane;
    }
    addresses(warp, step->from[1], copy->from_offset, address);
    if (whole != 0 &&
        !ps_ptx_reach(runner, step, whole,
                      &(PsPtxTouched){copy->from, copy->bytes, address, TRUE, 0}, from))
        return FALSE;
    if (whole == 0) {
        const guint64 place = runner->machine->place[copy->from];
        for (guint lane = 0; lane < PS_PTX_LANES; lane++)
            runner->address[lane] = address[lane] & place;
        ps_ptx_note(runner, copy->from, copy->bytes);
    }
    runner->idle = idle;
    for (guint32 rest = mask & ~whole; rest != 0; rest &= rest - 1) {
        const guint lane = (guint)__builtin_ctz(rest), bytes = bytes_of(warp, step, lane);
        for (guint i = 0; i < bytes; i++) {
            guint64 byte_address[PS_PTX_LANES] = {0};
            byte_address[lane] = address[lane] + i;
            if (!ps_ptx_reach(runner, step, (guint32)1 << lane,
                              &(PsPtxTouched){copy->from, 1, byte_address, TRUE, 0}, from))
                return FALSE;
        }
        if (bytes > 0)
            from[lane] -= bytes - 1;
    }
    return TRUE;
}

static void copy_few(PsPtxWarp *warp, const PsPtxStep *step, guint32 mask)
{
    PsPtxRunner *runner = ps_ptx_runner(warp);
    const Copy *copy = step->more;
    guint64 address[PS_PTX_LANES];
    guint8 *to[PS_PTX_LANES], *from[PS_PTX_LANES];
    ps_ptx_phase_executes(runner, step->point, TRUE);
    if (!reach_few(runner, step, mask, from))
        return;
    addresses(warp, step->from[0], step->offset, address);
    if (!ps_ptx_reach(runner, step, mask, &(PsPtxTouched){copy->to, copy->bytes, address, FALSE, 0},
                      to))
        return;
    for (guint32 rest = mask; rest != 0; rest &= rest - 1) {
        const guint lane = (guint)__builtin_ctz(rest), bytes = bytes_of(warp, step, lane);
        memset(to[lane], 0, copy->bytes);
        if (bytes > 0)
            memcpy(to[lane], from[lane], bytes);
        ps_ptx_pending_add(runner, address[lane] & runner->machine->place[PS_PTX_SHARED],
                           copy->bytes);
    }
}

/* cp.async.ca.shared.global [to], [from], bytes {, read | ignore} {, cache policy} */
static gboolean decode_few(PsPtxDecode *decode, PsPtxStep *step)
{
    const PsPtxInstruction *instruction = decode->instruction;
    Copy *copy = g_new0(Copy, 1);
    step->more = copy;
    step->execute = copy_few;
    copy->to = PS_PTX_SHARED;
    copy->from = PS_PTX_GLOBAL;
    if (instruction->n_operands < 3 || instruction->operands[2].kind != PS_PTX_OPERAND_IMMEDIATE ||
        !ps_ptx_decode_from(decode, step, 1, PS_PTX_U64))
        return FALSE;
    copy->from_offset = step->offset;
    step->n_from = 0;
    if (!ps_ptx_decode_from(decode, step, 0, PS_PTX_U64) ||
        !ps_ptx_decode_from(decode, step, 1, PS_PTX_U64))
        return FALSE;
    step->offset = instruction->operands[0].value;
    copy->bytes = (guint)instruction->operands[2].value;
    if (instruction->n_operands > 3 + (guint)ps_ptx_has(decode->mnemonic, "L2::cache_hint")) {
        const PsPtxOperand *operand = &instruction->operands[3];
        copy->size = 2;
        copy->ignorable =
            operand->kind == PS_PTX_OPERAND_REGISTER &&
            g_array_index(decode->point->in->function->registers, PsPtxRegister, operand->reg)
                    .type == PS_PTX_PRED;
        if (!ps_ptx_decode_from(decode, step, 3, PS_PTX_U32))
            return FALSE;
    }
    return (copy->bytes == 4 || copy->bytes == 8 || copy->bytes == 16) &&
           step->n_from == 2 + (copy->size != 0);
}

static gboolean reduce(const Copy *copy, guint8 *to, const guint8 *from, guint bytes)
{
    const guint step = ps_tensor_element_bytes(copy->element);
    for (guint i = 0; i < bytes; i += step)
        if (!ps_ptx_tensor_change(copy->element, copy->change, to + i, from + i))
            return FALSE;
    return TRUE;
}

/* The copy of one lane. */
typedef struct {
    guint lane, bytes;
    guint64 to, from, barrier;
} Lane;

static gboolean move_many(PsPtxRunner *runner, const PsPtxStep *step, const Lane *lane)
{
    const Copy *copy = step->more;
    const PsPtxMany read = {copy->from, lane->from, lane->bytes, TRUE};
    const PsPtxMany written = {copy->to, lane->to, lane->bytes, FALSE};
    const guint8 *source = ps_ptx_reach_many(runner, step, lane->lane, &read);
    guint8 *target = source ? ps_ptx_reach_many(runner, step, lane->lane, &written) : NULL;
    if (!target)
        return FALSE;
    if (!copy->reduces) {
        memmove(target, source, lane->bytes);
    } else if (!reduce(copy, target, source, lane->bytes)) {
        ps_ptx_fail(&runner->open, step, lane->lane, "reduces elements that cannot be reduced so");
        return FALSE;
    }
    runner->bytes = MAX(runner->bytes, lane->bytes);
    return TRUE;
}

/* Copies to one group, and tells its mbarrier. */
static gboolean copy_lane(PsPtxRunner *runner, const PsPtxStep *step, const Lane *lane)
{
    const Copy *copy = step->more;
    guint64 word[PS_PTX_LANES] = {0};
    guint8 *memory[PS_PTX_LANES];
    if (lane->bytes > 0 && !move_many(runner, step, lane))
        return FALSE;
    if (copy->barrier == 0)
        return TRUE;
    word[lane->lane] = lane->barrier;
    if (!ps_ptx_reach(runner, step, (guint32)1 << lane->lane,
                      &(PsPtxTouched){PS_PTX_SHARED, 8, word, FALSE, 0}, memory))
        return FALSE;
    ps_ptx_phase_counts(runner, memory[lane->lane], step->point, TRUE);
    ps_ptx_mbarrier_pay(&runner->open, memory[lane->lane], lane->bytes);
    return TRUE;
}

/* Copies to each of the groups that the instruction names. */
static gboolean copy_to_all(PsPtxRunner *runner, const PsPtxStep *step, Lane lane)
{
    const Copy *copy = step->more;
    const Lane own = lane;
    if (copy->groups == 0)
        return copy_lane(runner, step, &lane);
    const guint64 ranks = runner->open.slots[step->from[copy->groups]][lane.lane] & G_MAXUINT16;
    if (!ps_ptx_cluster_has(&runner->open, step, lane.lane, ranks))
        return FALSE;
    for (guint64 rest = ranks; rest != 0; rest &= rest - 1) {
        lane.to = ps_ptx_cluster_at(runner->machine, own.to, (guint64)__builtin_ctzll(rest));
        lane.barrier =
            ps_ptx_cluster_at(runner->machine, own.barrier, (guint64)__builtin_ctzll(rest));
        if (!copy_lane(runner, step, &lane))
            return FALSE;
    }
    return TRUE;
}

static void copy_many(PsPtxWarp *warp, const PsPtxStep *step, guint32 mask)
{
    PsPtxRunner *runner = ps_ptx_runner(warp);
    const Copy *copy = step->more;
    guint64 to[PS_PTX_LANES], from[PS_PTX_LANES], word[PS_PTX_LANES] = {0};
    addresses(warp, step->from[0], step->offset, to);
    addresses(warp, step->from[1], copy->from_offset, from);
    ps_ptx_phase_executes(runner, step->point, FALSE);
    if (copy->barrier != 0)
        addresses(warp, step->from[copy->barrier], copy->barrier_offset, word);
    for (guint32 rest = mask; rest != 0; rest &= rest - 1) {
        const guint lane = (guint)__builtin_ctz(rest);
        const guint bytes = (guint)warp->slots[step->from[copy->size]][lane];
        if (bytes % 16 != 0) {
            ps_ptx_fail(warp, step, lane, "copies %u bytes, which is no multiple of 16", bytes);
            return;
        }
        if (!copy_to_all(runner, step, (Lane){lane, bytes, to[lane], from[lane], word[lane]}))
            return;
    }
}

/* cp.reduce.async.bulk */
static gboolean decode_reduction(const PsPtxMnemonic *mnemonic, Copy *copy)
{
    static const struct {
        PsPtxType type;
        PsTensorElement element;
    } elements[] = {{PS_PTX_B32, PS_TENSOR_U32},   {PS_PTX_U32, PS_TENSOR_U32},
                    {PS_PTX_S32, PS_TENSOR_S32},   {PS_PTX_B64, PS_TENSOR_U64},
                    {PS_PTX_U64, PS_TENSOR_U64},   {PS_PTX_S64, PS_TENSOR_S64},
                    {PS_PTX_F16, PS_TENSOR_F16},   {PS_PTX_F32, PS_TENSOR_F32},
                    {PS_PTX_BF16, PS_TENSOR_BF16}, {PS_PTX_F64, PS_TENSOR_F64}};
    copy->reduces = TRUE;
    for (gsize i = 0; i < G_N_ELEMENTS(elements); i++)
        if (elements[i].type == mnemonic->types[0]) {
            copy->element = elements[i].element;
            return ps_ptx_change_called(mnemonic, &copy->change);
        }
    return FALSE;
}

/* Decodes an address operand as source number step->n_from, and gives its offset. */
static gboolean decode_address(PsPtxDecode *decode, PsPtxStep *step, guint operand, gint64 *offset)
{
    if (!ps_ptx_decode_from(decode, step, operand, PS_PTX_U64))
        return FALSE;
    *offset = step->offset;
    return TRUE;
}

/* cp.async.bulk.TO.FROM {...} [to], [from], bytes {, [mbarrier]}, and reductions. */
static gboolean decode_many(PsPtxDecode *decode, PsPtxStep *step)
{
    const PsPtxMnemonic *mnemonic = decode->mnemonic;
    const gboolean barrier = ps_ptx_has(mnemonic, "mbarrier::complete_tx::bytes");
    gint64 to_offset;
    if (ps_ptx_has(mnemonic, "prefetch"))
        return TRUE;
    if (ps_ptx_has(mnemonic, "cp_mask") || ps_ptx_has(mnemonic, "ignore_oob"))
        return FALSE;
    Copy *copy = g_new0(Copy, 1);
    step->more = copy;
    step->execute = copy_many;
    copy->to = mnemonic->space;
    /* a copy to global memory is from shared memory; one to shared memory may be from either */
    copy->from = mnemonic->space == PS_PTX_SHARED && ps_ptx_has(mnemonic, "global") ? PS_PTX_GLOBAL
                                                                                    : PS_PTX_SHARED;
    copy->size = 2;
    if (ps_ptx_has(mnemonic, "reduce") && !decode_reduction(mnemonic, copy))
        return FALSE;
    copy->barrier = barrier ? 3 : 0;
    copy->groups = ps_ptx_has(mnemonic, "multicast::cluster") ? 4 : 0;
    if (!decode_address(decode, step, 0, &to_offset) ||
        !decode_address(decode, step, 1, &copy->from_offset) ||
        !ps_ptx_decode_from(decode, step, 2, PS_PTX_U32) ||
        (barrier && !decode_address(decode, step, 3, &copy->barrier_offset)) ||
        (copy->groups != 0 && !ps_ptx_decode_from(decode, step, 4, PS_PTX_U16)))
        return FALSE;
    step->offset = to_offset;
    return step->n_from == 3U + (guint)barrier + (guint)(copy->groups != 0) &&
           (copy->to == PS_PTX_SHARED || copy->to == PS_PTX_GLOBAL);
}

/* ---- waiting -------------------------------------------------------------------------------- */

/* cp.async.mbarrier.arrive.noinc: an arrival when the thread's copies have arrived, which is now.
 * Without .noinc (step->kind 0) the mbarrier first expects one more arrival; so all that happens is
 * that the phase counts the copies. */
static void arrive(PsPtxWarp *warp, const PsPtxStep *step, guint32 mask)
{
    guint64 address[PS_PTX_LANES];
    guint8 *memory[PS_PTX_LANES];
    ps_ptx_addresses(warp, step, address);
    if (!ps_ptx_touch(warp, step, mask, address, 8, memory))
        return;
    ps_ptx_phase_executes(ps_ptx_runner(warp), step->point, FALSE);
    for (guint32 rest = mask; rest != 0; rest &= rest - 1) {
        const guint lane = (guint)__builtin_ctz(rest);
        ps_ptx_phase_counts_open(ps_ptx_runner(warp), memory[lane]);
        ps_ptx_phase_counts(ps_ptx_runner(warp), memory[lane], step->point, FALSE);
        if (step->kind != 0 && !ps_ptx_mbarrier_arrive(warp, memory[lane])) {
            ps_ptx_fail(warp, step, lane,
                        "arrives at an mbarrier that waits for no more arrivals in this phase");
            return;
        }
    }
    ps_ptx_phase_close(ps_ptx_runner(warp));
    ps_ptx_pending_end(ps_ptx_runner(warp));
}

static gboolean decode_arrive(PsPtxDecode *decode, PsPtxStep *step)
{
    step->kind = ps_ptx_has(decode->mnemonic, "noinc");
    step->execute = arrive;
    return ps_ptx_decode_from(decode, step, 0, PS_PTX_U64) && step->n_from == 1;
}

static void commit(PsPtxWarp *warp, const PsPtxStep *step, guint32 mask)
{
    (void)step;
    (void)mask;
    ps_ptx_pending_commit(ps_ptx_runner(warp));
}

static void wait_for(PsPtxWarp *warp, const PsPtxStep *step, guint32 mask)
{
    (void)mask;
    ps_ptx_pending_wait(ps_ptx_runner(warp), (guint64)step->offset);
}

static void wait_for_all(PsPtxWarp *warp, const PsPtxStep *step, guint32 mask)
{
    (void)step;
    (void)mask;
    ps_ptx_pending_end(ps_ptx_runner(warp));
}

/* cp.async.commit_group, wait_group n, wait_all */
static gboolean decode_wait(PsPtxDecode *decode, PsPtxStep *step)
{
    const PsPtxInstruction *instruction = decode->instruction;
    step->execute = ps_ptx_has(decode->mnemonic, "commit_group") ? commit
                    : ps_ptx_has(decode->mnemonic, "wait_group") ? wait_for
                                                                 : wait_for_all;
    if (instruction->n_operands > 0 && instruction->operands[0].kind == PS_PTX_OPERAND_IMMEDIATE)
        step->offset = instruction->operands[0].value;
    return TRUE;
}

static gboolean decode_copy(PsPtxDecode *decode, PsPtxStep *step)
{
    const PsPtxMnemonic *mnemonic = decode->mnemonic;
    if (!ps_ptx_has(mnemonic, "async"))
        return FALSE;
    if (ps_ptx_has(mnemonic, "bulk") && !ps_ptx_has(mnemonic, "tensor") &&
        (ps_ptx_has(mnemonic, "commit_group") || ps_ptx_has(mnemonic, "wait_group")))
        return TRUE;
    if (ps_ptx_has(mnemonic, "commit_group") || ps_ptx_has(mnemonic, "wait_group") ||
        ps_ptx_has(mnemonic, "wait_all"))
        return decode_wait(decode, step);
    if (ps_ptx_has(mnemonic, "mbarrier"))
        return decode_arrive(decode, step);
    if (ps_ptx_has(mnemonic, "tensor"))
        return ps_ptx_decode_tensor(decode, step);
    if (ps_ptx_has(mnemonic, "bulk"))
        return decode_many(decode, step);
    return decode_few(decode, step);
}

gboolean ps_ptx_copy(PsPtxDecode *decode, PsPtxStep *step, char **unsupported)
{
    if (strcmp(decode->mnemonic->opcode, "cp") != 0)
        return FALSE;
    if (!decode_copy(decode, step)) {
        g_clear_pointer(&step->more, g_free);
        *unsupported = g_strdup(decode->mnemonic->text);
    }
    return TRUE;
}

/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Executes watched steps, and keeps which bits of registers nobody wrote.
 */
#include "ptx/run/watch.h"
#include <string.h>

static void watched(PsPtxWarp *warp, const PsPtxStep *step, guint32 mask);

/* ---- bits that nobody wrote ----------------------------------------------------------------- */

/* Chooses the steps without watches where the warp's registers have no undefined bits: loads from
 * memory are looked at anyway. Clocks need watches. */
static void choose_steps(PsPtxRunner *runner)
{
    const PsPtxMachine *machine = runner->machine;
    runner->open.steps =
        machine->plain_suits && runner->n_doubtful == 0 ? machine->plain : machine->steps;
}

static void set_lane(PsPtxRunner *runner, guint row, guint lane, guint64 bits)
{
    const guint32 bit = (guint32)1 << lane, before = runner->doubtful[row];
    const guint32 now = bits != 0 ? before | bit : before & ~bit;
    runner->undefined[row][lane] = bits;
    runner->doubtful[row] = now;
    if ((before != 0) == (now != 0))
        return;
    runner->n_doubtful += now != 0 ? 1 : -1U;
    choose_steps(runner);
}

/* Makes the steps anew: from now on warps have other watches, and look at what they load. */
static void make_anew(const PsPtxMachine *machine)
{
    for (guint r = 0; r < machine->cluster->n; r++) {
        PsPtxMachine *group = machine->cluster->groups[r];
        ps_ptx_watch_make(group);
        if (group->looks)
            memset(group->looks, 0, machine->code->n_points);
        for (guint w = 0; w < group->n_warps; w++)
            choose_steps(&group->warps[w]);
    }
}

static void define(PsPtxRunner *runner, const PsPtxStep *step, guint32 mask)
{
    for (guint i = 0; i < step->n_to; i++)
        for (guint32 rest = runner->doubtful[step->to[i]] & mask; rest != 0; rest &= rest - 1)
            set_lane(runner, step->to[i], (guint)__builtin_ctz(rest), 0);
}

static const PsPtxWatch *watch_of(const PsPtxRunner *runner, const PsPtxStep *step)
{
    return ps_ptx_first(runner->machine)->watches[step->point];
}

/* The lanes of mask in which the step's guard comes from bits that nobody wrote. */
static guint32 of_guard(const PsPtxRunner *runner, const PsPtxStep *step, guint32 mask)
{
    const PsPtxWatch *watch = watch_of(runner, step);
    return watch->guard ? runner->doubtful[step->guard] & mask : 0;
}

static guint32 of_rows(const PsPtxRunner *runner, const guint *rows, guint n, guint32 mask)
{
    guint32 lanes = 0;
    for (guint i = 0; i < n; i++)
        lanes |= runner->doubtful[rows[i]];
    return lanes & mask;
}

/* The origin of the undefined bits of these rows in that lane. */
static PsPtxOrigin origin_of(const PsPtxRunner *runner, const guint *rows, guint n, guint32 lanes)
{
    for (guint i = 0; i < n; i++)
        if ((runner->doubtful[rows[i]] & lanes) != 0)
            return runner->origins[rows[i]];
    return (PsPtxOrigin){0};
}

/* ---- what computes -------------------------------------------------------------------------- */

/* Other values that are tried for bits that nobody wrote. */
enum { INVERSE, ZEROS, ONES, OTHER, BESIDE, MIXED, MIXED_AGAIN, N_TRIES };

/* A try replaces a source's value: (value & own) ^ (value of another source & other) ^ constant. */
typedef struct {
    guint64 own, other, constant;
} Try;

static Try try_of(guint try, guint row)
{
    const guint64 all = G_MAXUINT64;
    const guint64 mixed =
        (row + 1) * G_GUINT64_CONSTANT(0x9e3779b97f4a7c15) * (2 * (guint64)try + 1);
    const Try tries[N_TRIES] = {[INVERSE] = {all, 0, all},
                                [ZEROS] = {0, 0, 0},
                                [ONES] = {0, 0, all},
                                [OTHER] = {0, all, 0},
                                [BESIDE] = {0, all, all},
                                [MIXED] = {0, 0, mixed},
                                [MIXED_AGAIN] = {0, 0, mixed ^ mixed >> 31}};
    return tries[try];
}

typedef guint64 Row[PS_PTX_LANES];

/* The rows that a step reads and writes, before it and after it. */
typedef struct {
    Row from[PS_PTX_MAX_FROM], to[PS_PTX_MAX_TO], result[PS_PTX_MAX_TO];
} Rows;

static void keep(const PsPtxWarp *warp, Row *rows, const guint *numbers, guint n)
{
    for (guint i = 0; i < n; i++)
        memcpy(rows[i], warp->slots[numbers[i]], sizeof(Row));
}

static void put_back(const PsPtxWarp *warp, Row *rows, const guint *numbers, guint n)
{
    for (guint i = 0; i < n; i++)
        memcpy(warp->slots[numbers[i]], rows[i], sizeof(Row));
}

/* A source in another row than this one; the row itself where there is none. */
static const guint64 *other_row(const PsPtxWarp *warp, const PsPtxStep *step, guint row)
{
    for (guint i = 0; i < step->n_from; i++)
        if (step->from[i] != row)
            return warp->slots[step->from[i]];
    return warp->slots[row];
}

static void change(const PsPtxRunner *runner, const PsPtxStep *step, guint try, guint row)
{
    const guint64 *undefined = runner->undefined[row];
    const guint64 *other = other_row(&runner->open, step, row);
    guint64 *values = runner->open.slots[row];
    const Try with = try_of(try, row);
    for (guint lane = 0; lane < PS_PTX_LANES; lane++) {
        const guint64 value = values[lane];
        const guint64 tried = (value & with.own) ^ (other[lane] & with.other) ^ with.constant;
        values[lane] = value ^ ((value ^ tried) & undefined[lane]);
    }
}

/* The bits of a result that may differ where the bits in `differ` do. */
static guint64 spread(PsPtxSpreads spreads, guint64 differ, guint64 bits)
{
    if (differ == 0)
        return 0;
    return bits & (spreads == PS_PTX_SPREADS_NOT  ? differ
                   : spreads == PS_PTX_SPREADS_UP ? ~((differ & (0 - differ)) - 1)
                                                  : G_MAXUINT64);
}

/* TRUE if further tries would change nothing: all bits of these lanes' results may differ, and the
 * lanes are all that a try changes. */
static gboolean is_settled(const PsPtxRunner *runner, const PsPtxStep *step, guint32 lanes,
                           Row *differ)
{
    const PsPtxWatch *watch = watch_of(runner, step);
    if (!step->alone)
        return FALSE;
    for (guint i = 0; i < step->n_to; i++)
        for (guint32 rest = lanes; rest != 0; rest &= rest - 1)
            if (spread(watch->spreads, differ[i][__builtin_ctz(rest)], watch->bits[i]) !=
                watch->bits[i])
                return FALSE;
    return TRUE;
}

/* Executes the step, and again with other values. differ: the result bits that change; doubtful:
 * the lanes that have undefined bits. */
static void try_all(PsPtxRunner *runner, const PsPtxStep *step, guint32 mask, guint32 doubtful,
                    Row *differ)
{
    const PsPtxWatch *watch = watch_of(runner, step);
    PsPtxWarp *warp = &runner->open;
    g_autofree Rows *rows = g_new(Rows, 1);
    const guint32 carry = warp->carry;
    keep(warp, rows->from, watch->from, watch->n_from);
    keep(warp, rows->to, step->to, step->n_to);
    watch->execute(warp, step, mask);
    const guint32 carried = warp->carry;
    const PsPtxTally tally = step->tally ? *step->tally : (PsPtxTally){0};
    keep(warp, rows->result, step->to, step->n_to);
    for (guint try = 0; try < N_TRIES && !(try > 0 && is_settled(runner, step, doubtful, differ));
         try++) {
        put_back(warp, rows->to, step->to, step->n_to);
        put_back(warp, rows->from, watch->from, watch->n_from);
        for (guint i = 0; i < watch->n_from; i++)
            change(runner, step, try, watch->from[i]);
        warp->carry = carry;
        watch->execute(warp, step, mask);
        for (guint i = 0; i < step->n_to; i++)
            for (guint lane = 0; lane < PS_PTX_LANES; lane++)
                differ[i][lane] |= warp->slots[step->to[i]][lane] ^ rows->result[i][lane];
    }
    put_back(warp, rows->from, watch->from, watch->n_from);
    put_back(warp, rows->result, step->to, step->n_to);
    warp->carry = carried;
    if (step->tally)
        *step->tally = tally;
}

/* TRUE if two sources have undefined bits in one lane, and the step may remove one from the other,
 * as in a + b - b; or if that was so before. */
static gboolean meet(const PsPtxRunner *runner, const PsPtxStep *step, guint32 lanes)
{
    const PsPtxWatch *watch = watch_of(runner, step);
    guint32 seen = 0;
    gboolean mixed = FALSE;
    for (guint i = 0; i < watch->n_from; i++) {
        const guint32 doubtful = runner->doubtful[watch->from[i]] & lanes;
        mixed |= doubtful != 0 && runner->origins[watch->from[i]].mixed;
        mixed |= watch->spreads == PS_PTX_SPREADS_UP && (seen & doubtful) != 0;
        seen |= doubtful;
    }
    return mixed;
}

/* The lanes that a shuffle is about to read values for from lanes that give none. */
typedef struct {
    guint32 lanes, surely;
} Taken;

/* Makes watches for such lanes from the first such shuffle on. */
static Taken about_to_take(PsPtxRunner *runner, const PsPtxStep *step, guint32 mask)
{
    PsPtxMachine *machine = ps_ptx_first(runner->machine);
    Taken taken = {0};
    taken.lanes = machine->skips || runner->machine->trusts
                      ? 0
                      : ps_ptx_watch_astray(runner, step, mask, &taken.surely);
    if (taken.lanes == 0 || machine->lane_doubts)
        return taken;
    machine->lane_doubts = TRUE;
    ps_ptx_watch_find(machine, watched);
    if (machine->watches)
        make_anew(machine);
    return taken;
}

static void note_taken(PsPtxRunner *runner, const PsPtxStep *step, const Taken *taken)
{
    for (guint32 rest = taken->lanes; rest != 0; rest &= rest - 1)
        set_lane(runner, step->to[0], (guint)__builtin_ctz(rest), watch_of(runner, step)->bits[0]);
    if (taken->lanes != 0)
        runner->origins[step->to[0]] =
            (PsPtxOrigin){.where = step->point, .lane = TRUE, .mixed = taken->surely == 0};
}

void ps_ptx_watch_lanes(PsPtxRunner *runner, const PsPtxStep *step, guint32 mask,
                        PsPtxExecute execute)
{
    const Taken taken = about_to_take(runner, step, mask);
    execute(&runner->open, step, mask);
    if (taken.lanes != 0 && ps_ptx_first(runner->machine)->watches && watch_of(runner, step))
        note_taken(runner, step, &taken);
}

/* Copies the undefined bits of a row with the value that a move takes from it. */
static void move_bits(PsPtxRunner *runner, const PsPtxStep *step, guint32 mask)
{
    const PsPtxWatch *watch = watch_of(runner, step);
    const guint from = watch->from[0], to = step->to[0];
    watch->execute(&runner->open, step, mask);
    for (guint32 rest = mask & (runner->doubtful[from] | runner->doubtful[to]); rest != 0;
         rest &= rest - 1) {
        const guint lane = (guint)__builtin_ctz(rest);
        set_lane(runner, to, lane, runner->undefined[from][lane] & watch->bits[0]);
    }
    runner->origins[to] = runner->origins[from];
}

static void compute_values(PsPtxRunner *runner, const PsPtxStep *step, guint32 mask)
{
    const PsPtxWatch *watch = watch_of(runner, step);
    const guint32 guard = of_guard(runner, step, mask);
    /* a step that reads other lanes may read any of them */
    const guint32 seen = step->alone ? mask : runner->open.threads;
    const guint32 lanes = of_rows(runner, watch->from, watch->n_from, seen);
    PsPtxOrigin origin = origin_of(runner, watch->from, watch->n_from, lanes);
    g_autofree Row *differ = NULL;
    if (lanes == 0 && guard == 0) {
        watch->execute(&runner->open, step, mask);
        define(runner, step, mask);
        return;
    }
    if (watch->moves && guard == 0) {
        move_bits(runner, step, mask);
        return;
    }
    differ = g_new0(Row, PS_PTX_MAX_TO);
    if (lanes == 0)
        origin = runner->origins[step->guard];
    try_all(runner, step, mask, lanes, differ);
    origin.computed |= lanes == 0 || watch->spreads != PS_PTX_SPREADS_NOT;
    origin.mixed |= !origin.clock && meet(runner, step, lanes);
    for (guint i = 0; i < step->n_to; i++) {
        for (guint32 rest = mask; rest != 0; rest &= rest - 1) {
            const guint lane = (guint)__builtin_ctz(rest);
            const gboolean all = (guard >> lane & 1) != 0;
            set_lane(runner, step->to[i], lane,
                     all ? watch->bits[i]
                         : spread(watch->spreads, differ[i][lane], watch->bits[i]));
        }
        runner->origins[step->to[i]] = origin;
    }
}

static void compute(PsPtxRunner *runner, const PsPtxStep *step, guint32 mask)
{
    Taken taken = {0};
    if (watch_of(runner, step)->shuffles)
        taken = about_to_take(runner, step, mask);
    compute_values(runner, step, mask);
    note_taken(runner, step, &taken);
}

static void read_clock(PsPtxRunner *runner, const PsPtxStep *step, guint32 mask)
{
    const PsPtxWatch *watch = watch_of(runner, step);
    watch->execute(&runner->open, step, mask);
    for (guint i = 0; i < step->n_to; i++) {
        for (guint32 rest = mask; rest != 0; rest &= rest - 1)
            set_lane(runner, step->to[i], (guint)__builtin_ctz(rest), watch->bits[i]);
        runner->origins[step->to[i]] = (PsPtxOrigin){.where = step->point, .clock = TRUE};
    }
}

/* ---- memory --------------------------------------------------------------------------------- */

/* The bytes at the lane's address that were written, as 1 and 0. */
static guint8 *bytes_at(const PsPtxRunner *runner, guint lane)
{
    if (runner->space == PS_PTX_LOCAL)
        return runner->stored + lane * runner->machine->code->thread_bytes + runner->address[lane];
    const PsPtxMachine *machine =
        (runner->remote >> lane & 1) != 0 ? runner->where[lane] : runner->machine;
    return machine->written + runner->address[lane];
}

static guint64 unwritten_bits(const guint8 *written, guint bytes, guint64 all)
{
    guint64 bits = 0;
    for (guint i = 0; i < bytes; i++)
        bits |= written[i] ? 0 : (guint64)0xff << (8 * i);
    /* the sign is in the highest byte */
    return bits >> (8 * bytes - 1) & 1 ? (bits | ~(G_MAXUINT64 >> (64 - 8 * bytes))) & all : bits;
}

static gboolean all_written(const PsPtxRunner *runner, guint32 mask)
{
    for (guint32 rest = mask & ~runner->strays; rest != 0; rest &= rest - 1)
        if (memchr(bytes_at(runner, (guint)__builtin_ctz(rest)), 0, runner->bytes))
            return FALSE;
    return TRUE;
}

/* Notes the bits of a result that nobody wrote, after a load, or an atomic operation, from memory
 * that was looked at. */
static void note_loaded(PsPtxRunner *runner, const PsPtxStep *step, guint32 mask)
{
    const PsPtxWatch *watch = watch_of(runner, step);
    const guint size = runner->bytes / MAX(step->vector, 1);
    if (all_written(runner, mask)) {
        define(runner, step, mask);
        return;
    }
    for (guint i = 0; i < step->n_to && size <= 8; i++) {
        guint64 any = 0;
        for (guint32 rest = mask; rest != 0; rest &= rest - 1) {
            const guint lane = (guint)__builtin_ctz(rest);
            const gboolean strays = (runner->strays >> lane & 1) != 0;
            const guint64 bits = strays ? 0
                                        : unwritten_bits(bytes_at(runner, lane) + (gsize)i * size,
                                                         size, watch->bits[i]);
            set_lane(runner, step->to[i], lane, bits);
            any |= bits;
        }
        if (any != 0)
            runner->origins[step->to[i]] =
                (PsPtxOrigin){.where = step->point,
                              .shared = runner->space == PS_PTX_SHARED,
                              .own = runner->space == PS_PTX_LOCAL,
                              .mixed = ps_ptx_first(runner->machine)->memory_mixed};
    }
}

/* A stored value that depends on bits that nobody wrote stays unwritten in shared memory and the
 * thread's own; other memory is for others to read. Compilers fill some vectors only in part: the
 * elements that were computed count, or all of them. */
static void look_at_stored(PsPtxRunner *runner, const PsPtxStep *step, guint32 mask)
{
    const PsPtxWatch *watch = watch_of(runner, step);
    const guint bytes = runner->bytes / MAX(step->vector, 1);
    const guint64 all = bytes >= 8 ? G_MAXUINT64 : ((guint64)1 << (8 * bytes)) - 1;
    for (guint32 rest = mask; rest != 0 && watch->n_from > 0; rest &= rest - 1) {
        const guint lane = (guint)__builtin_ctz(rest);
        const PsPtxOrigin *origin = NULL;
        guint n = 0;
        for (guint i = 0; i < watch->n_from; i++) {
            const PsPtxOrigin *of = &runner->origins[watch->from[i]];
            if ((~runner->undefined[watch->from[i]][lane] & all) != 0)
                continue;
            n++;
            origin = of->computed || !origin ? of : origin;
        }
        if (n > 0 && (origin->computed || n >= MAX(step->vector, 1))) {
            ps_ptx_watch_tell(runner, step, lane, PS_PTX_TELL_STORED, origin);
            return;
        }
    }
}

/* Forgets which memory was known to be written. */
static void forget_known(const PsPtxMachine *machine)
{
    for (guint r = 0; r < machine->cluster->n; r++) {
        const GArray *arrays = machine->cluster->groups[r]->buffers[PS_PTX_SHARED];
        for (guint i = 0; i < arrays->len; i++)
            g_array_index(arrays, PsPtxBuffer, i).known = 0;
    }
}

static void keep_unwritten(PsPtxRunner *runner, const PsPtxStep *step, guint32 mask)
{
    const guint bytes = runner->bytes / MAX(step->vector, 1);
    if (runner->space == PS_PTX_SHARED)
        forget_known(runner->machine);
    for (guint i = 1; i < step->n_from && i <= step->vector; i++) {
        if (runner->origins[step->from[i]].lane)
            continue;
        for (guint32 rest = runner->doubtful[step->from[i]] & mask & ~runner->strays; rest != 0;
             rest &= rest - 1) {
            const guint lane = (guint)__builtin_ctz(rest);
            const guint64 bits = runner->undefined[step->from[i]][lane];
            ps_ptx_first(runner->machine)->memory_mixed |= runner->origins[step->from[i]].mixed;
            for (guint k = 0; k < bytes && k < 8; k++)
                if ((bits >> (8 * k) & 0xff) != 0)
                    bytes_at(runner, lane)[(gsize)(i - 1) * bytes + k] = 0;
        }
    }
}

/* The lanes whose addresses an access reads. */
static guint32 that_address(const PsPtxRunner *runner, const PsPtxStep *step)
{
    const PsPtxMnemonic *mnemonic =
        runner->machine->code->points[step->point].instruction->mnemonic;
    if (strcmp(mnemonic->opcode, "ldmatrix") != 0 && strcmp(mnemonic->opcode, "stmatrix") != 0)
        return G_MAXUINT32;
    const gboolean tall = ps_ptx_has(mnemonic, "m16n16"); /* twice as many rows */
    const gboolean four = ps_ptx_has(mnemonic, "x4"), two = ps_ptx_has(mnemonic, "x2");
    return four || (tall && two) ? G_MAXUINT32 : two || tall ? 0xffff : 0xff;
}

static void access_memory(PsPtxRunner *runner, const PsPtxStep *step, guint32 mask)
{
    const PsPtxWatch *watch = watch_of(runner, step);
    const guint32 addresses = watch->n_address > 0 ? mask & that_address(runner, step) : 0;
    const guint32 lanes = of_rows(runner, watch->address, watch->n_address, addresses);
    if (lanes != 0) {
        const PsPtxOrigin origin = origin_of(runner, watch->address, watch->n_address, lanes);
        ps_ptx_watch_tell(runner, step, (guint)__builtin_ctz(lanes), PS_PTX_TELL_ADDRESS, &origin);
    }
    if (runner->open.error)
        return;
    const guint notes = runner->machine->notes;
    const gboolean stores = watch->stores, loads = watch->loads; /* the watch may be gone after
                                                                    the step */
    runner->machine->notes |= PS_PTX_NOTED_WATCH;                /* where its lanes' bytes lie */
    watch->execute(&runner->open, step, mask);
    runner->machine->notes = notes;
    if (runner->open.error)
        return;
    const PsPtxSpace space = runner->touched ? runner->space : PS_PTX_PARAM;
    const gboolean kept = space == PS_PTX_SHARED || space == PS_PTX_LOCAL;
    if (stores && kept)
        keep_unwritten(runner, step, mask);
    else if (stores && space == PS_PTX_GLOBAL)
        look_at_stored(runner, step, mask);
    if (kept && loads && ps_ptx_first(runner->machine)->memory_doubts)
        note_loaded(runner, step, mask);
    else
        define(runner, step, mask);
}

/* ---- steps ---------------------------------------------------------------------------------- */

static void index_branch(PsPtxRunner *runner, const PsPtxStep *step, guint32 mask)
{
    const PsPtxWatch *watch = watch_of(runner, step);
    const guint32 lanes = of_rows(runner, watch->from, watch->n_from, mask);
    const PsPtxOrigin origin = origin_of(runner, watch->from, watch->n_from, lanes);
    if (lanes != 0)
        ps_ptx_watch_tell(runner, step, (guint)__builtin_ctz(lanes), PS_PTX_TELL_INDEX, &origin);
    if (!runner->open.error)
        watch->execute(&runner->open, step, mask);
}

static void watched(PsPtxWarp *warp, const PsPtxStep *step, guint32 mask)
{
    PsPtxRunner *runner = ps_ptx_runner(warp);
    switch (watch_of(runner, step)->kind) {
    case PS_PTX_WATCH_COMPUTE:
        compute(runner, step, mask);
        break;
    case PS_PTX_WATCH_CLOCK:
        read_clock(runner, step, mask);
        break;
    case PS_PTX_WATCH_ACCESS:
        access_memory(runner, step, mask);
        break;
    case PS_PTX_WATCH_INDEX:
        index_branch(runner, step, mask);
        break;
    default:
        watch_of(runner, step)->execute(warp, step, mask);
        define(runner, step, mask);
        break;
    }
}

void ps_ptx_watch(PsPtxMachine *machine)
{
    if (!machine->skips)
        ps_ptx_watch_find(machine, watched);
}

void ps_ptx_watch_memory(PsPtxRunner *runner, const PsPtxStep *step, guint32 mask)
{
    PsPtxMachine *machine = ps_ptx_first(runner->machine);
    if (machine->memory_doubts && runner->open.steps != machine->plain)
        return; /* the step is watched */
    if (!machine->memory_doubts)
        runner->machine->looks[step->point]++;
    if (all_written(runner, mask))
        return;
    if (!machine->memory_doubts) {
        machine->memory_doubts = TRUE;
        ps_ptx_watch_find(machine, watched);
        if (!machine->watches)
            return;
        make_anew(machine);
    }
    if (watch_of(runner, step))
        note_loaded(runner, step, mask);
}

/* TRUE if the branch decides whether a loop goes on. */
static gboolean ends_loop(const PsPtxCode *code, guint point)
{
    const PsPtxPoint *at = &code->points[point];
    return at->loop != PS_PTX_NOWHERE && (ps_ptx_code_may_leave(code, point, at->loop) ||
                                          at->target == code->loops[at->loop].header);
}

void ps_ptx_watch_guard(PsPtxRunner *runner, const PsPtxStep *step)
{
    const PsPtxWatch *watch = watch_of(runner, step);
    const guint32 lanes = of_guard(runner, step, runner->open.active);
    if (lanes == 0)
        return;
    const guint lane = (guint)__builtin_ctz(lanes);
    const PsPtxOrigin *origin = &runner->origins[step->guard];
    if (watch->kind == PS_PTX_WATCH_CONTROL || watch->kind == PS_PTX_WATCH_INDEX) {
        ps_ptx_watch_tell(runner, step, lane,
                          ends_loop(runner->machine->code, step->point) ? PS_PTX_TELL_LOOP
                                                                        : PS_PTX_TELL_BRANCH,
                          origin);
        return;
    }
    if (watch->kind == PS_PTX_WATCH_ACCESS)
        ps_ptx_watch_tell(runner, step, lane, PS_PTX_TELL_GUARD, origin);
    for (guint i = 0; i < step->n_to; i++) {
        for (guint32 rest = lanes; rest != 0; rest &= rest - 1)
            set_lane(runner, step->to[i], (guint)__builtin_ctz(rest), watch->bits[i]);
        runner->origins[step->to[i]] = *origin;
        runner->origins[step->to[i]].computed = TRUE;
    }
}

/* ---- groups --------------------------------------------------------------------------------- */

void ps_ptx_watch_define(PsPtxRunner *runner, guint row)
{
    for (guint32 rest = runner->doubtful[row]; rest != 0; rest &= rest - 1)
        set_lane(runner, row, (guint)__builtin_ctz(rest), 0);
}

void ps_ptx_watch_make(PsPtxMachine *machine)
{
    for (guint w = 0; w < machine->n_warps; w++) {
        PsPtxRunner *runner = &machine->warps[w];
        if (runner->undefined)
            return;
        runner->undefined = (Row *)g_malloc0_n(machine->n_slots, sizeof(Row));
        runner->doubtful = g_new0(guint32, machine->n_slots);
        runner->origins = g_new0(PsPtxOrigin, machine->n_slots);
    }
}

/* Registers are undefined when a group begins. */
static void begin_warp(PsPtxRunner *runner)
{
    const PsPtxMachine *machine = ps_ptx_first(runner->machine);
    for (guint i = 0; i < machine->n_slots; i++)
        if (runner->doubtful[i] != 0)
            memset(runner->undefined[i], 0, sizeof(Row));
    memset(runner->doubtful, 0, machine->n_slots * sizeof *runner->doubtful);
    runner->n_doubtful = 0;
    for (guint i = 0; i < machine->n_kept && !runner->machine->trusts; i++) {
        const guint row = machine->fixed->len + i, reg = machine->kept_registers[i];
        if (!machine->watched_rows[row] || reg == 0)
            continue;
        runner->origins[row] = (PsPtxOrigin){.where = reg - 1};
        for (guint32 rest = runner->open.threads; rest != 0; rest &= rest - 1)
            set_lane(runner, row, (guint)__builtin_ctz(rest),
                     ps_ptx_watch_bits(machine->code, reg - 1));
    }
    choose_steps(runner);
}

/* TRUE if the group is executed without watches. Following undefined bits takes many times as long
 * as the steps themselves. Most groups of a grid do the same, so it is enough to follow the first
 * ones, and some from all over the grid. The choice does not depend on which thread executes
 * them. */
static gboolean is_trusted(const PsPtxMachine *machine)
{
    const guint *grid = machine->launch.grid, *group = machine->group;
    const guint64 number = group[0] + (guint64)grid[0] * (group[1] + (guint64)grid[1] * group[2]);
    return machine->launch.watches_some && number >= PS_PTX_WATCHED_FIRST &&
           number % PS_PTX_WATCHED_OF != 0;
}

void ps_ptx_watch_begin(PsPtxMachine *machine)
{
    if (!machine->looks)
        machine->looks = g_new(guint8, (gsize)machine->code->n_points + 1);
    machine->trusts = is_trusted(machine);
    memset(machine->looks, machine->skips || machine->trusts ? PS_PTX_MOST_LOOKS : 0,
           machine->code->n_points);
    memset(machine->written, 0, machine->shared_bytes);
    memset(machine->written, 1, MIN(machine->module->system, machine->shared_bytes));
    forget_known(machine);
    if (!ps_ptx_first(machine)->watches)
        return;
    ps_ptx_watch_make(machine);
    for (guint w = 0; w < machine->n_warps; w++)
        begin_warp(&machine->warps[w]);
}

/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Finds the steps that may read values that nobody wrote or that only a device has, or results of
 * such values. It follows all ways through the code with the set of rows that may have undefined
 * bits there. A thread's way is one of these, so a row that is in the set on none of them needs no
 * watch.
 */
#include "ptx/code/expand.h"
#include "ptx/run/watch.h"
#include <string.h>

/* Most bytes of the sets of all blocks; code that would need more is not watched. */
#define MOST_BYTES ((gsize)1 << 26)

typedef struct {
    PsPtxMachine *machine;
    gboolean memory, lanes;
    PsPtxExecute execute;
    guint n_rows, n_words; /* sizes of a set */
    guint *alias;          /* row that a step names -> row that the value comes from */
    guint8 *exempt;        /* rows that are taken to be defined */
    guint8 *kinds;         /* per point: PsPtxWatchKind */
    GArray *firsts;        /* guint: points that begin blocks, and the end */
    guint *block_of;       /* point -> block */
    guint64 *in;           /* the sets at the beginnings of all blocks */
    guint8 *reached;       /* per block */
    guint64 *now;          /* the set behind the last step */
} Find;

static gboolean has(const guint64 *set, guint row)
{
    return (set[row / 64] >> row % 64 & 1) != 0;
}

static void put(guint64 *set, guint row, gboolean in)
{
    const guint64 bit = (guint64)1 << row % 64;
    set[row / 64] = in ? set[row / 64] | bit : set[row / 64] & ~bit;
}

/* ---- steps ---------------------------------------------------------------------------------- */

static gboolean is(const PsPtxPoint *point, const char *const *opcodes)
{
    for (; *opcodes; opcodes++)
        if (strcmp(point->instruction->mnemonic->opcode, *opcodes) == 0)
            return TRUE;
    return FALSE;
}

static gboolean has_address(const PsPtxOperand *operands, guint n)
{
    for (guint i = 0; i < n; i++)
        if (operands[i].kind == PS_PTX_OPERAND_ADDRESS ||
            (operands[i].kind == PS_PTX_OPERAND_LIST &&
             has_address(operands[i].members, operands[i].n_members)))
            return TRUE;
    return FALSE;
}

/* TRUE if it reads a clock, or another register whose value only a device has. */
static gboolean reads_device(const PsPtxMachine *machine, const PsPtxStep *step)
{
    if (ps_ptx_watch_special(machine->code, step->point))
        return TRUE;
    const PsPtxPrelude *prelude =
        g_hash_table_lookup(machine->preludes, GUINT_TO_POINTER(step->point));
    for (guint i = 0; prelude && i < prelude->n; i++)
        if (prelude->before[i].kind == PS_PTX_READ_CLOCK)
            return TRUE;
    return FALSE;
}

static PsPtxWatchKind kind_of(const PsPtxMachine *machine, guint number)
{
    static const char *const control[] = {"bra", "call", "ret", "exit", "trap", NULL};
    static const char *const others[] = {"bar",   "barrier", "nanosleep", "brkpt",
                                         "fence", "wgmma",   NULL};
    const PsPtxPoint *point = &machine->code->points[number];
    const PsPtxInstruction *instruction = point->instruction;
    if (strcmp(instruction->mnemonic->opcode, "brx") == 0)
        return PS_PTX_WATCH_INDEX;
    if (is(point, control))
        return PS_PTX_WATCH_CONTROL;
    if (is(point, others))
        return PS_PTX_WATCH_NOTHING;
    if (has_address(instruction->operands, instruction->n_operands))
        return PS_PTX_WATCH_ACCESS;
    return reads_device(machine, &machine->steps[number]) ? PS_PTX_WATCH_CLOCK
                                                          : PS_PTX_WATCH_COMPUTE;
}

/* The number of a step's first sources that are addresses, not values to store. */
static guint n_addresses(const PsPtxPoint *point, const PsPtxStep *step)
{
    static const char *const copies[] = {"cp", NULL};
    return MIN(is(point, copies) ? 2 : 1, step->n_from);
}

static gboolean loads_memory(const PsPtxPoint *point, const PsPtxStep *step)
{
    static const char *const loads[] = {"ld", "ldu", NULL}, *const atomics[] = {"atom", NULL};
    if (is(point, atomics))
        return step->space == PS_PTX_SHARED;
    return is(point, loads) && (step->space == PS_PTX_SHARED || step->space == PS_PTX_LOCAL ||
                                step->space == PS_PTX_GENERIC);
}

static gboolean shuffles(const PsPtxPoint *point)
{
    static const char *const opcodes[] = {"shfl", NULL};
    return is(point, opcodes);
}

/* TRUE if it reads memory that may be shared or the thread's own, in any space. */
static gboolean loads(const PsPtxPoint *point)
{
    static const char *const opcodes[] = {"ld", "ldu", "atom", NULL};
    return is(point, opcodes);
}

/* TRUE if it gives a row the bits of another row. */
static gboolean moves(const Find *find, const PsPtxPoint *point, const PsPtxStep *step)
{
    static const char *const opcodes[] = {"mov", NULL};
    return is(point, opcodes) && step->n_from == 1 && step->n_to == 1 &&
           find->alias[step->from[0]] == step->from[0];
}

static gboolean is_doubtful(const Find *find, guint row)
{
    const guint from = find->alias[row];
    return !find->exempt[from] && has(find->now, from);
}

/* Changes the set before the point to the set behind it. */
static void pass(const Find *find, guint number)
{
    const PsPtxPoint *point = &find->machine->code->points[number];
    const PsPtxStep *step = &find->machine->steps[number];
    const PsPtxWatchKind kind = (PsPtxWatchKind)find->kinds[number];
    const gboolean guard = step->guard >= 0 && is_doubtful(find, (guint)step->guard);
    gboolean doubt = guard || kind == PS_PTX_WATCH_CLOCK ||
                     (find->memory && loads_memory(point, step)) ||
                     (find->lanes && shuffles(point));
    for (guint i = 0; kind == PS_PTX_WATCH_COMPUTE && i < step->n_from; i++)
        doubt |= is_doubtful(find, step->from[i]);
    for (guint i = 0; i < step->n_to; i++)
        if (step->guard < 0 || doubt)
            put(find->now, step->to[i], doubt);
    for (guint i = 0; i < step->n_both; i++) /* their old values may be undefined */
        put(find->now, step->both[i], FALSE);
}

/* ---- ways ----------------------------------------------------------------------------------- */

static void begin_block(const Find *find, guint block)
{
    memcpy(find->now, find->in + (gsize)block * find->n_words, find->n_words * sizeof *find->now);
}

/* Adds the set to that of the block where a point lies; TRUE if that grows. */
static gboolean flow_to(const Find *find, guint point)
{
    gboolean grows = FALSE;
    if (point >= find->machine->code->n_points)
        return FALSE;
    const guint block = find->block_of[point];
    guint64 *in = find->in + (gsize)block * find->n_words;
    for (guint i = 0; i < find->n_words; i++) {
        grows |= (find->now[i] & ~in[i]) != 0;
        in[i] |= find->now[i];
    }
    grows |= !find->reached[block];
    find->reached[block] = TRUE;
    return grows;
}

static gboolean flow_on(const Find *find, guint last)
{
    const PsPtxPoint *point = &find->machine->code->points[last];
    const gboolean parts =
        point->target != PS_PTX_NOWHERE || point->targets || ps_ptx_leaves(point) != PS_PTX_STAYS;
    gboolean grows = FALSE;
    if (point->target != PS_PTX_NOWHERE)
        grows |= flow_to(find, point->target);
    for (guint i = 0; point->targets && i < point->targets->len; i++)
        grows |= flow_to(find, g_array_index(point->targets, guint, i));
    if (!parts || point->instruction->guard >= 0)
        grows |= flow_to(find, last + 1);
    return grows;
}

static guint first_of(const Find *find, guint block)
{
    return g_array_index(find->firsts, guint, block);
}

static void follow(const Find *find)
{
    gboolean grows = TRUE;
    while (grows) {
        grows = FALSE;
        for (guint b = 0; b + 1 < find->firsts->len; b++) {
            if (!find->reached[b])
                continue;
            begin_block(find, b);
            for (guint i = first_of(find, b); i < first_of(find, b + 1); i++)
                pass(find, i);
            grows |= flow_on(find, first_of(find, b + 1) - 1);
        }
    }
}

/* Calls act(find, point) with the set before each point that can be reached. */
static void each_point(Find *find, void (*act)(Find *find, guint point))
{
    for (guint b = 0; b + 1 < find->firsts->len; b++) {
        if (!find->reached[b])
            continue;
        begin_block(find, b);
        for (guint i = first_of(find, b); i < first_of(find, b + 1); i++) {
            act(find, i);
            pass(find, i);
        }
    }
}

/* ---- watches -------------------------------------------------------------------------------- */

/* Notes rows with undefined bits that the step reads. */
static void note_reads(Find *find, guint point)
{
    const PsPtxStep *step = &find->machine->steps[point];
    guint8 *watched = find->machine->watched_rows;
    if (!step->execute)
        return;
    if (step->guard >= 0 && is_doubtful(find, (guint)step->guard))
        watched[find->alias[step->guard]] = TRUE;
    for (guint i = 0; i < step->n_from; i++)
        if (is_doubtful(find, step->from[i]))
            watched[find->alias[step->from[i]]] = TRUE;
}

static guint64 bits_of_type(PsPtxType type)
{
    const guint size = ps_ptx_type_size(type);
    return type == PS_PTX_PRED      ? 1
           : size == 0 || size >= 8 ? G_MAXUINT64
                                    : ((guint64)1 << (8 * size)) - 1;
}

/* Adds the bits of the registers of an operand, for the step's next destinations. */
static void add_bits(const PsPtxPoint *point, const PsPtxOperand *operand, PsPtxWatch *watch,
                     guint *n)
{
    if (operand->kind == PS_PTX_OPERAND_VECTOR || operand->kind == PS_PTX_OPERAND_LIST)
        for (guint i = 0; i < operand->n_members; i++)
            add_bits(point, &operand->members[i], watch, n);
    else if (*n < PS_PTX_MAX_TO)
        watch->bits[(*n)++] = operand->kind == PS_PTX_OPERAND_REGISTER
                                  ? bits_of_type(g_array_index(point->in->function->registers,
                                                               PsPtxRegister, operand->reg)
                                                     .type)
                                  : G_MAXUINT64;
}

static PsPtxSpreads spreads_of(const PsPtxPoint *point)
{
    static const char *const moves[] = {"mov",  "and",  "or",   "xor",  "not", "lop3",
                                        "selp", "shl",  "shr",  "prmt", "bfi", "bfe",
                                        "shf",  "shfl", "slct", "cnot", NULL};
    static const char *const sums[] = {"add", "sub", "mul", "mad", "neg", NULL};
    const PsPtxMnemonic *mnemonic = point->instruction->mnemonic;
    const PsPtxType type = mnemonic->types[0];
    const gboolean whole = type >= PS_PTX_B8 && type <= PS_PTX_S64;
    if (is(point, moves) || (strcmp(mnemonic->opcode, "cvt") == 0 && whole))
        return PS_PTX_SPREADS_NOT;
    return is(point, sums) && whole && !ps_ptx_has(mnemonic, "hi") ? PS_PTX_SPREADS_UP
                                                                   : PS_PTX_SPREADS_ALL;
}

static void add_row(const Find *find, guint row, gboolean twice, guint *rows, guint *n)
{
    const guint from = find->alias[row];
    if (!is_doubtful(find, row))
        return;
    for (guint i = 0; !twice && i < *n; i++)
        if (rows[i] == from)
            return;
    rows[(*n)++] = from;
}

static void add_sources(const Find *find, const PsPtxPoint *point, const PsPtxStep *step,
                        PsPtxWatch *watch)
{
    const gboolean access = watch->kind == PS_PTX_WATCH_ACCESS;
    const guint n = access ? n_addresses(point, step) : 0;
    for (guint i = 0; i < n; i++)
        add_row(find, step->from[i], FALSE, watch->address, &watch->n_address);
    for (guint i = n; i < step->n_from; i++)
        add_row(find, step->from[i], access, watch->from, &watch->n_from);
}

static void add_watch(Find *find, guint number)
{
    PsPtxMachine *machine = find->machine;
    const PsPtxPoint *point = &machine->code->points[number];
    PsPtxStep *step = &machine->steps[number];
    PsPtxWatch *before = machine->watches[number];
    PsPtxWatch watch = {.kind = (PsPtxWatchKind)find->kinds[number],
                        .execute = before ? before->execute : step->execute,
                        .spreads = spreads_of(point),
                        .stores = strcmp(point->instruction->mnemonic->opcode, "st") == 0,
                        .loads = loads(point),
                        .shuffles = shuffles(point),
                        .moves = moves(find, point, step)};
    guint n = 0;
    if (!step->execute)
        return;
    watch.guard = step->guard >= 0 && is_doubtful(find, (guint)step->guard);
    add_sources(find, point, step, &watch);
    gboolean needed = watch.guard || watch.n_from > 0 || watch.n_address > 0;
    for (guint i = 0; i < step->n_to; i++)
        needed |= machine->watched_rows[step->to[i]];
    if (!needed)
        return;
    for (guint i = 0; i < point->instruction->n_operands; i++)
        add_bits(point, &point->instruction->operands[i], &watch, &n);
    step->watched = watch.guard;
    machine->plain_suits &= watch.kind != PS_PTX_WATCH_CLOCK;
    if (watch.kind != PS_PTX_WATCH_CONTROL)
        step->execute = find->execute;
    machine->watches[number] = g_memdup2(&watch, sizeof watch);
    g_free(before);
}

/* ---- the whole ------------------------------------------------------------------------------ */

static void find_blocks(Find *find)
{
    const PsPtxCode *code = find->machine->code;
    find->firsts = g_array_new(FALSE, FALSE, sizeof(guint));
    find->block_of = g_new0(guint, (gsize)code->n_points + 1);
    for (guint i = 0; i < code->n_points; i++) {
        if (code->points[i].leader)
            g_array_append_val(find->firsts, i);
        find->block_of[i] = find->firsts->len - 1;
    }
    g_array_append_val(find->firsts, code->n_points);
}

/* Finds the row that each value comes from: a source that is negated before the step is in another
 * row. The values that calls pass are taken to be defined. */
static void find_rows(Find *find)
{
    const PsPtxMachine *machine = find->machine;
    GHashTableIter iter;
    gpointer value;
    find->alias = g_new(guint, find->n_rows);
    find->exempt = g_new0(guint8, find->n_rows);
    find->kinds = g_new(guint8, (gsize)machine->code->n_points + 1);
    for (guint i = 0; i < find->n_rows; i++)
        find->alias[i] = i;
    g_hash_table_iter_init(&iter, machine->preludes);
    while (g_hash_table_iter_next(&iter, NULL, &value)) {
        const PsPtxPrelude *prelude = value;
        for (guint i = 0; i < prelude->n; i++)
            find->alias[prelude->before[i].to] = prelude->before[i].from;
    }
    for (guint i = 0; i < machine->code->n_points; i++) {
        find->kinds[i] = (guint8)kind_of(machine, i);
        if (find->kinds[i] != PS_PTX_WATCH_CONTROL)
            continue;
        for (guint k = 0; k < machine->steps[i].n_to; k++)
            find->exempt[machine->steps[i].to[k]] = TRUE;
    }
}

static void clear(Find *find)
{
    g_free(find->alias);
    g_free(find->exempt);
    g_free(find->kinds);
    g_array_unref(find->firsts);
    g_free(find->block_of);
    g_free(find->in);
    g_free(find->reached);
    g_free(find->now);
}

/* TRUE if some steps bring the writes of other groups; these must be steps that may be watched
 * alone (spin.c). */
static gboolean brings(const PsPtxMachine *machine)
{
    return machine->launch.others && machine->launch.others->points->len > 0;
}

static void make_watches(Find *find)
{
    PsPtxMachine *machine = find->machine;
    gboolean any = FALSE;
    if (!machine->watched_rows)
        machine->watched_rows = g_new0(guint8, find->n_rows);
    each_point(find, note_reads);
    for (guint i = 0; i < find->n_rows; i++)
        any |= machine->watched_rows[i];
    if (!any)
        return;
    if (!machine->watches) {
        machine->watches = g_new0(PsPtxWatch *, (gsize)machine->code->n_points + 1);
        machine->plain =
            g_memdup2(machine->steps, (machine->code->n_points + 1) * sizeof *machine->steps);
    }
    machine->plain_suits = ps_ptx_cluster_size(machine) == 1 && !brings(machine);
    memset(machine->native, 0, sizeof machine->native);
    each_point(find, add_watch);
}

void ps_ptx_watch_find(PsPtxMachine *machine, PsPtxExecute execute)
{
    Find find = {.machine = machine,
                 .memory = machine->memory_doubts,
                 .lanes = machine->lane_doubts,
                 .execute = execute,
                 .n_rows = machine->n_slots};
    const guint n_fixed = machine->fixed->len;
    find.n_words = find.n_rows / 64 + 1;
    find_blocks(&find);
    find_rows(&find);
    const gsize words = (gsize)find.firsts->len * find.n_words;
    if (machine->code->n_points > 0 && words < MOST_BYTES / sizeof(guint64)) {
        find.in = g_new0(guint64, words);
        find.reached = g_new0(guint8, find.firsts->len);
        find.now = g_new0(guint64, find.n_words);
        for (guint i = n_fixed; i < n_fixed + machine->n_kept; i++)
            put(find.in, i, TRUE);
        find.reached[0] = TRUE;
        follow(&find);
        make_watches(&find);
    }
    clear(&find);
}

void ps_ptx_watch_free(PsPtxMachine *machine)
{
    for (guint i = 0; machine->watches && i < machine->code->n_points; i++)
        g_free(machine->watches[i]);
    g_clear_pointer(&machine->watches, g_free);
    g_clear_pointer(&machine->watched_rows, g_free);
    g_clear_pointer(&machine->plain, g_free);
    g_clear_pointer(&machine->kept_registers, g_free);
    g_clear_pointer(&machine->looks, g_free);
    g_clear_pointer(&machine->written, g_free);
    g_clear_pointer(&machine->told, g_hash_table_unref);
}

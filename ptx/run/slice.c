/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Finds the instructions that a value comes from. Each register at each point comes from one
 * instruction, or from several, depending on the way; then its value is not known. An instruction
 * with a guard leaves the old value in some lanes, so the result is known if the old value is. See
 * slice.h.
 */
#include "ptx/run/slice-private.h"

#include "ptx/code/expand.h"
#include "ptx/code/walk.h"

#include <string.h>

#define NOBODY G_MAXUINT

typedef struct {
    guint reg, from; /* from: the instruction's point, plus 1; 0: none; or PS_PTX_SLICE_SEVERAL */
} Reaching;

/* ---- which registers ------------------------------------------------------------------------ */

static void add_register(PsPtxRegisters *registers, guint reg)
{
    registers->more |= registers->n == PS_PTX_SLICE_REGISTERS;
    if (!registers->more)
        registers->list[registers->n++] = reg;
}

static void add_operand(PsPtxRegisters *registers, const PsPtxPoint *at,
                        const PsPtxOperand *operand)
{
    for (guint i = 0; i < operand->n_members; i++)
        add_operand(registers, at, &operand->members[i]);
    if ((operand->kind == PS_PTX_OPERAND_REGISTER || operand->kind == PS_PTX_OPERAND_ADDRESS) &&
        operand->reg >= 0)
        add_register(registers, ps_ptx_code_register(at, operand->reg));
}

PsPtxRegisters ps_ptx_slice_written(const PsPtxPoint *at)
{
    PsPtxRegisters registers = {0};
    for (guint i = 0; i < ps_ptx_n_destinations(at->instruction); i++)
        add_operand(&registers, at, &at->instruction->operands[i]);
    return registers;
}

PsPtxRegisters ps_ptx_slice_read(const PsPtxPoint *at)
{
    const PsPtxInstruction *instruction = at->instruction;
    PsPtxRegisters registers = {0};
    const guint first = instruction->guard >= 0 ? 0 : ps_ptx_n_destinations(instruction);
    for (guint i = first; i < instruction->n_operands; i++)
        add_operand(&registers, at, &instruction->operands[i]);
    if (instruction->guard >= 0)
        add_register(&registers, ps_ptx_code_register(at, instruction->guard));
    return registers;
}

/* ---- where they come from ------------------------------------------------------------------- */

typedef struct {
    PsPtxWalk walk; /* its values are points, plus 1 */
    PsPtxSlice *slice;
    gboolean looks;
} Search;

static guint join(gpointer user, guint there, guint here)
{
    (void)user;
    return there == 0 || there == here ? here : here == 0 ? there : PS_PTX_SLICE_SEVERAL;
}

static void pass(gpointer user, guint point)
{
    Search *search = user;
    const PsPtxPoint *at = &search->walk.code->points[point];
    const PsPtxRegisters read = ps_ptx_slice_read(at), written = ps_ptx_slice_written(at);
    PsPtxSlice *slice = search->slice;
    if (search->looks)
        slice->first[point] = slice->reaching->len;
    for (guint i = 0; search->looks && i < read.n; i++) {
        const Reaching one = {read.list[i], search->walk.now[read.list[i]]};
        g_array_append_val(slice->reaching, one);
    }
    for (guint i = 0; i < written.n; i++)
        search->walk.now[written.list[i]] = written.more ? PS_PTX_SLICE_SEVERAL : point + 1;
}

/* FALSE: the code is too large. */
static gboolean find_reaching(PsPtxSlice *slice)
{
    Search search = {.slice = slice};
    const PsPtxWalker walker = {pass, join, &search};
    if (!ps_ptx_walk_init(&search.walk, slice->machine->code, walker))
        return FALSE;
    ps_ptx_walk_all(&search.walk, TRUE);
    ps_ptx_walk_settle(&search.walk);
    search.looks = TRUE;
    ps_ptx_walk_all(&search.walk, FALSE);
    ps_ptx_walk_clear(&search.walk);
    return TRUE;
}

guint ps_ptx_slice_from(const PsPtxSlice *slice, guint point, guint reg)
{
    const guint n = ps_ptx_slice_read(&slice->machine->code->points[point]).n;
    for (guint i = 0; i < n; i++) {
        const Reaching *one = &g_array_index(slice->reaching, Reaching, slice->first[point] + i);
        if (one->reg == reg)
            return one->from;
    }
    return PS_PTX_SLICE_SEVERAL;
}

/* ---- what can be computed ------------------------------------------------------------------- */

static gboolean is_one_of(const PsPtxMnemonic *mnemonic, const char *const *parts)
{
    for (guint i = 0; parts[i]; i++)
        if (ps_ptx_has(mnemonic, parts[i]))
            return TRUE;
    return FALSE;
}

/* TRUE for a load of memory that is as at the begin of the launch, unless a group writes it. */
static gboolean is_plain_load(const PsPtxPoint *at)
{
    static const char *const looks[] = {"volatile", "acquire", "relaxed", "mmio", NULL};
    const PsPtxMnemonic *mnemonic = at->instruction->mnemonic;
    const PsPtxSpace space = mnemonic->space;
    return (strcmp(mnemonic->opcode, "ld") == 0 || strcmp(mnemonic->opcode, "ldu") == 0) &&
           !is_one_of(mnemonic, looks) &&
           (space == PS_PTX_GLOBAL || space == PS_PTX_CONST || space == PS_PTX_GENERIC ||
            (space == PS_PTX_PARAM && !at->in->caller));
}

/* TRUE for an instruction with a carry, which goes from one instruction to the next beside the
 * registers. */
static gboolean has_carry(const PsPtxMnemonic *mnemonic)
{
    static const char *const sets[] = {"cc", NULL};
    return is_one_of(mnemonic, sets) || strcmp(mnemonic->opcode, "addc") == 0 ||
           strcmp(mnemonic->opcode, "subc") == 0 || strcmp(mnemonic->opcode, "madc") == 0;
}

/* Finds the dependences of a special register; FALSE: it depends on more than the place. */
static gboolean by_place(PsPtxSpecial special, guint *depends)
{
    const gboolean of_group = special >= PS_PTX_CTAID_X && special <= PS_PTX_CTAID_Z;
    const gboolean same = (special >= PS_PTX_NTID_X && special <= PS_PTX_NTID_Z) ||
                          (special >= PS_PTX_NCTAID_X && special <= PS_PTX_NCTAID_Z) ||
                          special == PS_PTX_NWARPID || special == PS_PTX_DYNAMIC_SMEM_SIZE ||
                          special == PS_PTX_TOTAL_SMEM_SIZE;
    if (of_group)
        *depends |= PS_PTX_BY_GROUP;
    if (ps_ptx_rows_of_thread(special))
        *depends |= PS_PTX_BY_THREAD;
    return of_group || same || ps_ptx_rows_of_thread(special);
}

gboolean ps_ptx_slice_by_place(const PsPtxOperand *operand, guint *depends)
{
    gboolean good =
        operand->kind != PS_PTX_OPERAND_SPECIAL || by_place((PsPtxSpecial)operand->value, depends);
    for (guint i = 0; good && i < operand->n_members; i++)
        good = ps_ptx_slice_by_place(&operand->members[i], depends);
    return good;
}

/* ---- parts ---------------------------------------------------------------------------------- */

static void free_part(gpointer data)
{
    PsPtxSlicePart *part = data;
    g_free(part->step.more);
    g_free(part->step.both);
    g_free(part->step.tally);
    g_free(part->before);
    g_free(part->from);
    g_free(part);
}

PsPtxSlicePart *ps_ptx_slice_part(const PsPtxSlice *slice, guint point)
{
    return slice->parts->pdata[slice->part_of[point] - 1];
}

/* Finds the row of a register at a point; FALSE: it is not known. */
static gboolean find_row(PsPtxSlice *slice, PsPtxSlicePart *part, guint point, guint reg,
                         guint *row)
{
    const guint from = ps_ptx_slice_from(slice, point, reg);
    *row = PS_PTX_SLICE_ZEROS;
    if (from == 0)
        return TRUE;
    if (from == PS_PTX_SLICE_SEVERAL || !ps_ptx_slice_add(slice, from - 1))
        return FALSE;
    const PsPtxSlicePart *source = ps_ptx_slice_part(slice, from - 1);
    part->depends |= source->depends;
    part->from = g_renew(guint, part->from, part->n_from + 1);
    part->from[part->n_from++] = slice->part_of[from - 1] - 1;
    for (guint i = 0; i < source->n_regs; i++)
        if (source->regs[i] == reg)
            *row = source->step.to[i];
    return *row != PS_PTX_SLICE_ZEROS;
}

/* Finds the row of a slot that a step reads: the row of a register, or the slot itself. */
static gboolean map_slot(PsPtxSlice *slice, PsPtxSlicePart *part, guint *slot)
{
    const guint point = part->step.point;
    const PsPtxRegisters read = ps_ptx_slice_read(&slice->machine->code->points[point]);
    for (guint i = 0; i < read.n; i++)
        if (slice->decoder->slot_of[read.list[i]] == *slot + 1)
            return find_row(slice, part, point, read.list[i], slot);
    return *slot < PS_PTX_SLICE_SLOTS;
}

static gboolean map_sources(PsPtxSlice *slice, PsPtxSlicePart *part)
{
    guint guard = (guint)part->step.guard;
    gboolean good = part->step.guard < 0 || map_slot(slice, part, &guard);
    part->step.guard = part->step.guard < 0 ? -1 : (gint32)guard;
    for (guint i = 0; good && i < part->step.n_from; i++)
        good = map_slot(slice, part, &part->step.from[i]);
    for (guint i = 0; good && i < part->n_before; i++)
        good = map_slot(slice, part, &part->before[i].from);
    return good;
}

/* The register of a slot; NOBODY: the slot is for a result that nothing reads. */
static guint register_of(const PsPtxSlice *slice, const PsPtxRegisters *written, guint slot)
{
    for (guint i = 0; i < written->n; i++)
        if (slice->decoder->slot_of[written->list[i]] == slot + 1)
            return written->list[i];
    return NOBODY;
}

/* Gives each result a row of its own. */
static gboolean map_results(PsPtxSlice *slice, PsPtxSlicePart *part)
{
    const guint point = part->step.point;
    const PsPtxPoint *at = &slice->machine->code->points[point];
    const PsPtxRegisters written = ps_ptx_slice_written(at);
    PsPtxStep *step = &part->step;
    if (written.more || slice->n_rows + step->n_to > PS_PTX_SLICE_ROWS)
        return FALSE;
    for (guint i = 0; i < step->n_to; i++) {
        part->regs[i] = register_of(slice, &written, step->to[i]);
        part->old[i] = PS_PTX_SLICE_ZEROS;
        if (step->guard >= 0 && part->regs[i] != NOBODY &&
            !find_row(slice, part, point, part->regs[i], &part->old[i]))
            return FALSE;
        step->to[i] = slice->n_rows++;
    }
    part->n_regs = step->n_to;
    return TRUE;
}

/* Writes the rows of values that no step writes and no place decides. */
static void make_fixed(PsPtxSlice *slice)
{
    const GArray *fixed = slice->decoder->fixed;
    for (; slice->n_fixed < fixed->len; slice->n_fixed++) {
        const PsPtxFixed *one = &g_array_index(fixed, PsPtxFixed, slice->n_fixed);
        if (one->slot >= PS_PTX_SLICE_SLOTS)
            continue;
        const guint64 value =
            one->special ? ps_ptx_rows_group(slice->machine, (PsPtxSpecial)one->value) : one->value;
        for (guint lane = 0; lane < PS_PTX_LANES; lane++)
            slice->rows[one->slot][lane] = value;
    }
}

static gboolean fill_part(PsPtxSlice *slice, PsPtxSlicePart *part, guint point)
{
    const PsPtxPoint *at = &slice->machine->code->points[point];
    const PsPtxInstruction *instruction = at->instruction;
    const GArray *before = slice->decoder->before;
    const gboolean accesses = strcmp(instruction->mnemonic->opcode, "ld") == 0 ||
                              strcmp(instruction->mnemonic->opcode, "ldu") == 0;
    gboolean good = !has_carry(instruction->mnemonic) && !ps_ptx_slice_read(at).more &&
                    ps_ptx_decode_alone(slice->machine, slice->decoder, point, &part->step) &&
                    part->step.n_both == 0 && (part->step.straight || is_plain_load(at));
    for (guint i = 0; good && i < instruction->n_operands; i++)
        good = ps_ptx_slice_by_place(&instruction->operands[i], &part->depends);
    part->n_before = before->len;
    part->before = g_memdup2(before->data, before->len * sizeof(PsPtxBefore));
    part->reads = accesses;
    part->bytes = (part->step.kind & 0xff) * part->step.vector;
    make_fixed(slice);
    if (!good || !map_sources(slice, part) || !map_results(slice, part))
        return FALSE;
    ps_ptx_slice_find_order(slice, part);
    return TRUE;
}

gboolean ps_ptx_slice_add(PsPtxSlice *slice, guint point)
{
    if (slice->part_of[point] > 0)
        return ps_ptx_slice_part(slice, point)->done; /* a part that is not done yet reads its
                                                         own result */
    if (slice->parts->len >= PS_PTX_SLICE_SLOTS / 2)
        return FALSE;
    PsPtxSlicePart *part = g_new0(PsPtxSlicePart, 1);
    g_ptr_array_add(slice->parts, part);
    const guint number = slice->parts->len - 1;
    slice->part_of[point] = number + 1;
    part->done = fill_part(slice, part, point);
    if (part->done)
        g_array_append_val(slice->order, number);
    return part->done;
}

/* ---- what is asked for ---------------------------------------------------------------------- */

/* Notes that the number needs a part and all parts before it. */
static void need(const PsPtxSlice *slice, guint number, guint part)
{
    PsPtxSlicePart *one = slice->parts->pdata[part];
    if (one->needed >> number & 1)
        return;
    one->needed |= (guint64)1 << number;
    for (guint i = 0; i < one->n_from; i++)
        need(slice, number, one->from[i]);
}

/* Asks for a register at a point: FALSE if its value is not known. */
static gboolean ask(PsPtxSlice *slice, guint point, guint reg, PsPtxSliceOutput *output)
{
    PsPtxSlicePart asks = {0};
    g_clear_pointer(&slice->threads, g_free);
    const gboolean good =
        slice->n_outputs < PS_PTX_SLICE_OUTPUTS && find_row(slice, &asks, point, reg, &output->row);
    for (guint i = 0; good && i < asks.n_from; i++)
        need(slice, slice->n_outputs, asks.from[i]);
    output->depends = asks.depends;
    for (guint i = 0; good && i < asks.n_from; i++) {
        const PsPtxSlicePart *source = slice->parts->pdata[asks.from[i]];
        output->order = MAX(output->order, source->order);
    }
    g_free(asks.from);
    return good;
}

int ps_ptx_slice_ask(PsPtxSlice *slice, guint point, guint reg)
{
    const PsPtxSlicePart *part = ps_ptx_slice_part(slice, point);
    PsPtxSliceOutput output = {.value = TRUE, .depends = part->depends, .order = part->order};
    if (slice->n_outputs >= PS_PTX_SLICE_OUTPUTS)
        return -1;
    for (guint i = 0; i < part->n_regs; i++)
        if (part->regs[i] == reg)
            output.row = part->step.to[i];
    need(slice, slice->n_outputs, slice->part_of[point] - 1);
    slice->outputs[slice->n_outputs] = output;
    return (int)slice->n_outputs++;
}

const guint64 *ps_ptx_slice_values(const PsPtxSlice *slice, guint number)
{
    const PsPtxSliceOutput *output = &slice->outputs[number];
    return output->value ? slice->rows[output->row] : NULL;
}

int ps_ptx_slice_guard(PsPtxSlice *slice, guint point)
{
    const PsPtxPoint *at = &slice->machine->code->points[point];
    PsPtxSliceOutput output = {0};
    if (at->instruction->guard < 0 ||
        !ask(slice, point, ps_ptx_code_register(at, at->instruction->guard), &output))
        return -1;
    slice->outputs[slice->n_outputs] = output;
    return (int)slice->n_outputs++;
}

int ps_ptx_slice_address(PsPtxSlice *slice, guint point)
{
    const PsPtxPoint *at = &slice->machine->code->points[point];
    const PsPtxInstruction *instruction = at->instruction;
    const PsPtxMnemonic *mnemonic = instruction->mnemonic;
    const PsPtxOperand *address = NULL;
    for (guint i = 0; !address && i < instruction->n_operands; i++)
        if (instruction->operands[i].kind == PS_PTX_OPERAND_ADDRESS)
            address = &instruction->operands[i];
    const guint size = ps_ptx_type_size(mnemonic->types[MAX(mnemonic->n_types, 1) - 1]);
    PsPtxSliceOutput output = {.access = TRUE, .space = mnemonic->space};
    if (!address || address->reg < 0 || size == 0 ||
        (mnemonic->space != PS_PTX_GLOBAL && mnemonic->space != PS_PTX_GENERIC) ||
        !ask(slice, point, ps_ptx_code_register(at, address->reg), &output))
        return -1;
    output.offset = (guint64)address->value;
    output.bytes = size * MAX(mnemonic->vector, 1);
    slice->outputs[slice->n_outputs] = output;
    return (int)slice->n_outputs++;
}

/* ---- the whole ------------------------------------------------------------------------------ */

PsPtxSlice *ps_ptx_slice_new(PsPtxMachine *machine)
{
    PsPtxSlice *slice = g_new0(PsPtxSlice, 1);
    const gsize n = (gsize)machine->code->n_points + 1;
    slice->machine = machine;
    slice->decoder = ps_ptx_decoder_new(machine->code, machine->addresses);
    slice->reaching = g_array_new(FALSE, FALSE, sizeof(Reaching));
    slice->first = g_new0(guint, n);
    slice->part_of = g_new0(guint, n);
    slice->parts = g_ptr_array_new_with_free_func(free_part);
    slice->order = g_array_new(FALSE, FALSE, sizeof(guint));
    slice->rows = g_malloc0(PS_PTX_SLICE_ROWS * sizeof *slice->rows);
    slice->spans = g_new0(double, PS_PTX_SLICE_ROWS);
    slice->n_rows = PS_PTX_SLICE_ZEROS + 1;
    slice->runner = g_new0(PsPtxRunner, 1);
    slice->runner->machine = machine;
    slice->runner->open.slots = slice->rows;
    slice->runner->open.steps = machine->steps;
    if (!find_reaching(slice))
        g_clear_pointer(&slice, ps_ptx_slice_free);
    return slice;
}

void ps_ptx_slice_free(PsPtxSlice *slice)
{
    ps_ptx_decoder_free(slice->decoder);
    g_array_unref(slice->reaching);
    g_free(slice->first);
    g_free(slice->part_of);
    g_ptr_array_unref(slice->parts);
    g_array_unref(slice->order);
    g_free(slice->rows);
    g_free(slice->threads);
    g_free(slice->spans);
    g_clear_error(&slice->runner->open.error);
    g_free(slice->runner);
    g_free(slice);
}

gboolean ps_ptx_slice_by_thread(const PsPtxSlice *slice, guint number)
{
    return (slice->outputs[number].depends & PS_PTX_BY_THREAD) != 0;
}

guint ps_ptx_slice_length(const PsPtxSlice *slice, guint64 numbers)
{
    guint length = 0;
    for (guint i = 0; i < slice->order->len; i++) {
        const PsPtxSlicePart *part = slice->parts->pdata[g_array_index(slice->order, guint, i)];
        length += (part->needed & numbers) != 0 && part->depends != 0;
    }
    return length;
}

/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Warns of code that is allowed and hardly ever meant: a whole number that is divided by zero, and
 * a mask of an instruction of several lanes that leaves out a lane that executes it, or names a
 * lane that is elsewhere. The step goes on as it would without the warning.
 */
#include "ptx/step/lane.h"
#include "ptx/run/watch.h"

#include <string.h>

/* Most instructions between one step and the next, in a division of whole numbers. */
#define MOST_BETWEEN 32

typedef enum { DIVISOR, MASK, LANES } Kind;

struct PsPtxMisuse {
    PsPtxExecute execute; /* the step's own function */
    Kind kind;
    gboolean shuffles;
    guint source; /* number of the source that is looked at */
    gboolean told;
};

/* Warns of the lane, once: the thread's number comes first. Takes the text over. */
static void tell(const PsPtxRunner *runner, const PsPtxStep *step, guint lane, char *text)
{
    PsPtxMachine *machine = runner->machine;
    g_autofree char *where = ps_ptx_code_where(machine->code, step->point);
    g_autofree char *thread = ps_ptx_thread_text(runner, lane), *what = text;
    machine->misuses[step->point]->told = TRUE;
    ps_ptx_machine_warn(machine, PS_PTX_WARNS(PS_PTX_WARNS_MISUSE, step->point),
                        g_strdup_printf("%s: %s %s", where, thread, what));
}

static void warn_absent(const PsPtxRunner *runner, const PsPtxStep *step, guint lane,
                        guint32 members)
{
    const char *opcode = runner->machine->code->points[step->point].instruction->mnemonic->text;
    tell(runner, step, lane,
         g_strdup_printf("is named by the mask 0x%08x of %s as lane %u, and does not execute it "
                         "with the others; a GPU may wait for that lane, here its registers count "
                         "as they are",
                         members, opcode, lane));
}

static void warn(const PsPtxRunner *runner, const PsPtxStep *step, guint lane, guint32 members)
{
    const PsPtxMachine *machine = runner->machine;
    const PsPtxMisuse *misuse = machine->misuses[step->point];
    const char *opcode = machine->code->points[step->point].instruction->mnemonic->text;
    char *text =
        misuse->kind == MASK && machine->module->machine
            ? g_strdup_printf("executes an operation of several lanes whose mask 0x%08x leaves out "
                              "its lane, %u; what that does is not defined",
                              members, lane)
        : misuse->kind == MASK
            ? g_strdup_printf("executes %s, whose mask 0x%08x leaves out its lane, %u; what that "
                              "does is not defined from Volta on",
                              opcode, members, lane)
        : machine->module->machine
            ? g_strdup("takes the reciprocal of a whole number that is 0, as in a division by it, "
                       "which has no defined result")
            : g_strdup("divides a whole number by 0, which has no defined result");
    tell(runner, step, lane, text);
}

/* Warns of lanes that the masks name and that have not ended, but are not here. */
static void look_for_absent(const PsPtxWarp *warp, const PsPtxStep *step, guint32 mask)
{
    const PsPtxRunner *runner = ps_ptx_runner((PsPtxWarp *)warp);
    const PsPtxMisuse *misuse = runner->machine->misuses[step->point];
    const guint64 *from = warp->slots[step->from[misuse->source]];
    guint32 members = 0;
    if (misuse->told || (runner->live & ~mask) == 0)
        return;
    PS_PTX_EACH_LANE if (mask >> lane & 1) members |= (guint32)from[lane];
    const guint32 absent = members & runner->live & ~mask;
    if (absent != 0)
        warn_absent(runner, step, (guint)__builtin_ctz(absent), members);
}

static void execute(PsPtxWarp *warp, const PsPtxStep *step, guint32 mask)
{
    const PsPtxMachine *machine = ps_ptx_runner(warp)->machine;
    const PsPtxMisuse *misuse = machine->misuses[step->point];
    const guint64 *from = warp->slots[step->from[misuse->source]];
    guint64 all = mask; /* the bits that all lanes' masks have: usually all lanes give the same
                           mask */
    if (misuse->kind == MASK && !misuse->told)
        PS_PTX_EACH_LANE all &= from[lane];
    const gboolean looks = !misuse->told && (misuse->kind == DIVISOR || all != mask);
    for (guint32 rest = looks ? mask : 0; rest != 0 && !misuse->told; rest &= rest - 1) {
        const guint lane = (guint)__builtin_ctz(rest);
        if (misuse->kind == DIVISOR ? from[lane] == 0 : (from[lane] >> lane & 1) == 0)
            warn(ps_ptx_runner(warp), step, lane, (guint32)from[lane]);
    }
    if (misuse->kind == MASK && !machine->module->machine)
        look_for_absent(warp, step, mask);
    if (misuse->shuffles)
        ps_ptx_watch_lanes(ps_ptx_runner(warp), step, mask, misuse->execute);
    else if (misuse->execute)
        misuse->execute(warp, step, mask);
}

static gboolean is(const PsPtxInstruction *instruction, const char *opcode)
{
    return strcmp(instruction->mnemonic->opcode, opcode) == 0;
}

/* TRUE if an operand behind the first is the register. */
static gboolean reads(const PsPtxInstruction *instruction, gint32 reg)
{
    for (guint i = 1; i < instruction->n_operands; i++)
        if (instruction->operands[i].kind == PS_PTX_OPERAND_REGISTER &&
            instruction->operands[i].reg == reg)
            return TRUE;
    return FALSE;
}

/* The next instruction with this opcode that reads what the one at a point writes, or NULL where it
 * is far, or another value is written before. The point moves there. */
static const PsPtxInstruction *reader(const PsPtxCode *code, guint *point, const char *opcode)
{
    const gint32 reg = code->points[*point].instruction->operands[0].reg;
    const guint end = MIN(code->n_points, *point + MOST_BETWEEN + 1);
    for (guint p = *point + 1; p < end; p++) {
        const PsPtxInstruction *next = code->points[p].instruction;
        if (is(next, opcode) && reads(next, reg)) {
            *point = p;
            return next;
        }
        if (next->n_operands > 0 && next->operands[0].kind == PS_PTX_OPERAND_REGISTER &&
            next->operands[0].reg == reg)
            break;
    }
    return NULL;
}

/* TRUE where a division of whole numbers of 16 bits begins in machine code: the divisor as a single
 * is scaled, the reciprocal of that is scaled back, and 2 is added to its bits, which no division
 * of singles does. */
static gboolean divides_halves(const PsPtxCode *code, guint point)
{
    if (!reader(code, &point, "mul") || !reader(code, &point, "rcp") ||
        !reader(code, &point, "mul"))
        return FALSE;
    const PsPtxInstruction *sum = reader(code, &point, "add");
    return sum && sum->n_operands == 3 && sum->operands[2].kind == PS_PTX_OPERAND_IMMEDIATE &&
           sum->operands[2].value == 2;
}

/* TRUE for a division of whole numbers. In machine code that is its beginning: a divisor is rounded
 * up to a single, and the reciprocal of that is taken, or it is one of 16 bits. */
static gboolean divides(const PsPtxMachine *machine, guint point)
{
    const PsPtxInstruction *first = machine->code->points[point].instruction;
    const PsPtxMnemonic *mnemonic = first->mnemonic;
    const PsPtxType type = mnemonic->types[0];
    if (is(first, "div") || is(first, "rem"))
        return type >= PS_PTX_U8 && type <= PS_PTX_S64;
    if (!machine->module->machine || !is(first, "cvt") || type != PS_PTX_F32 ||
        mnemonic->types[1] < PS_PTX_U8 || mnemonic->types[1] > PS_PTX_S64)
        return FALSE;
    return ps_ptx_has(mnemonic, "rp") ? reader(machine->code, &point, "rcp") != NULL
                                      : divides_halves(machine->code, point);
}

/* TRUE if the last operand says which lanes take part. In lifted machine code an event has that
 * operand (sass/table.c). */
static gboolean has_mask(const PsPtxMachine *machine, const PsPtxInstruction *instruction)
{
    if (machine->module->machine)
        return is(instruction, "pmevent") && ps_ptx_has(instruction->mnemonic, "mask");
    return ps_ptx_has(instruction->mnemonic, "sync") &&
           (is(instruction, "shfl") || is(instruction, "vote") || is(instruction, "match") ||
            is(instruction, "redux"));
}

void ps_ptx_misuse(PsPtxMachine *machine, PsPtxStep *step)
{
    const PsPtxInstruction *instruction = machine->code->points[step->point].instruction;
    const gboolean division = divides(machine, step->point);
    const gboolean lanes = !division && has_mask(machine, instruction);
    const gboolean shuffles = is(instruction, "shfl") && step->execute;
    if (step->n_from == 0 || !(lanes || shuffles || (division && step->execute)))
        return;
    const PsPtxOperand *last = &instruction->operands[instruction->n_operands - 1];
    if (division && last->kind == PS_PTX_OPERAND_IMMEDIATE && last->value != 0)
        return;
    PsPtxMisuse *misuse = g_new(PsPtxMisuse, 1);
    *misuse = (PsPtxMisuse){.execute = step->execute,
                            .kind = division ? DIVISOR
                                    : lanes  ? MASK
                                             : LANES,
                            .shuffles = shuffles,
                            .source = step->n_from - 1};
    machine->misuses[step->point] = misuse;
    step->execute = execute;
}

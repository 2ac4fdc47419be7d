/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Branches, ends of functions, and calls. A call copies its arguments in registers; calls of the
 * few functions that devices have built in (print.c, heap.c) are executed here, too.
 */
#include "ptx/code/expand.h"
#include "ptx/code/pointers.h"
#include "ptx/run/heap.h"
#include "ptx/run/pointer.h"
#include "ptx/run/print.h"
#include <string.h>

static const PsPtxPoint *point_of(const PsPtxRunner *runner, const PsPtxStep *step)
{
    return &runner->machine->code->points[step->point];
}

/* Sends the lanes of mask to the target, the others to the next point. */
static void part(PsPtxRunner *runner, const PsPtxStep *step, guint32 mask, guint target)
{
    const PsPtxPart parts[] = {{mask, target}, {runner->open.active & ~mask, step->point + 1}};
    ps_ptx_paths_part(runner, parts, 2, point_of(runner, step)->meet);
}

static void branch(PsPtxWarp *warp, const PsPtxStep *step, guint32 mask)
{
    PsPtxRunner *runner = ps_ptx_runner(warp);
    const guint target = point_of(runner, step)->target;
    if (mask == warp->active)
        runner->pc = target;
    else
        part(runner, step, mask, target);
}

static void branch_by_index(PsPtxWarp *warp, const PsPtxStep *step, guint32 mask)
{
    PsPtxRunner *runner = ps_ptx_runner(warp);
    const PsPtxPoint *point = point_of(runner, step);
    const guint64 *index = warp->slots[step->from[0]];
    PsPtxPart parts[PS_PTX_LANES + 1];
    guint n = 0;
    for (guint32 rest = mask; rest != 0; rest &= rest - 1) {
        guint lane = (guint)__builtin_ctz(rest);
        guint32 value = (guint32)index[lane];
        if (value >= point->targets->len) {
            ps_ptx_fail(warp, step, lane, "branches to target %u of %u (the first is 0)", value,
                        point->targets->len);
            return;
        }
        parts[n++] = (PsPtxPart){(guint32)1 << lane, g_array_index(point->targets, guint, value)};
    }
    parts[n++] = (PsPtxPart){warp->active & ~mask, step->point + 1};
    ps_ptx_paths_part(runner, parts, n, point->meet);
}

static void end(PsPtxWarp *warp, const PsPtxStep *step, guint32 mask)
{
    (void)step;
    PsPtxRunner *runner = ps_ptx_runner(warp);
    ps_ptx_paths_end(runner, mask);
    ps_ptx_barriers_check(runner->machine);
    ps_ptx_cluster_check(runner->machine);
}

void ps_ptx_end_kernel(PsPtxWarp *warp, const PsPtxStep *step, guint32 mask)
{
    end(warp, step, mask);
}

/* TRUE if the instruction reads the place where a cooperative launch has memory for all groups to
 * meet. */
static gboolean reads_workspace(const PsPtxInstruction *instruction)
{
    for (int i = 0; i < instruction->n_operands; i++) {
        const PsPtxOperand *operand = &instruction->operands[i];
        if (operand->kind == PS_PTX_OPERAND_SPECIAL && operand->name &&
            g_str_has_prefix(operand->name, "%envreg"))
            return TRUE;
    }
    return FALSE;
}

/* TRUE where the groups of a cooperative launch trap because there is no memory for all to meet. */
static gboolean is_of_grid(const PsPtxCode *code, guint point)
{
    const char *file = ps_ptx_file(code->module, code->points[point].instruction);
    if (file)
        return strstr(file, "cooperative_groups") != NULL;
    for (guint i = 0; i < code->n_points; i++)
        if (reads_workspace(code->points[i].instruction))
            return TRUE;
    return FALSE;
}

static void trap(PsPtxWarp *warp, const PsPtxStep *step, guint32 mask)
{
    const PsPtxCode *code = ps_ptx_runner(warp)->machine->code;
    ps_ptx_fail(warp, step, (guint)__builtin_ctz(mask),
                is_of_grid(code, step->point)
                    ? "comes to a grid.sync() of cooperative groups, where all groups of the grid "
                      "meet; groups are executed one by one, so let each part of the kernel "
                      "between such meetings be a kernel of its own"
                    : "came to a trap");
}

/* Assemblers make one instruction of a breakpoint and of a trap. */
static void breakpoint(PsPtxWarp *warp, const PsPtxStep *step, guint32 mask)
{
    ps_ptx_fail(warp, step, (guint)__builtin_ctz(mask),
                "came to a breakpoint, which without a debugger is a trap");
}

static void yield(PsPtxWarp *warp, const PsPtxStep *step, guint32 mask)
{
    (void)step;
    (void)mask;
    ps_ptx_runner(warp)->yield = TRUE;
}

/* ---- calls ---------------------------------------------------------------------------------- */

/* A value that a call passes, in a register on one side at least. It is copied from a slot or the
 * thread's memory to a slot or the thread's memory. */
typedef struct {
    gboolean from_memory, to_memory;
    gsize from, to;
    guint bytes;
} Copy;

typedef struct {
    guint n;
    Copy copies[];
} Copies;

static guint64 passed(const PsPtxWarp *warp, const PsPtxStep *step, guint lane, const Copy *copy)
{
    const PsPtxRunner *runner = (const PsPtxRunner *)(gconstpointer)warp;
    const guint8 *own = runner->local + lane * runner->machine->code->thread_bytes;
    guint64 value = 0;
    if (!copy->from_memory)
        return warp->slots[step->from[copy->from]][lane];
    memcpy(&value, own + copy->from, copy->bytes);
    return value;
}

static void pass(PsPtxWarp *warp, const PsPtxStep *step, guint lane, const Copy *copy,
                 guint64 value)
{
    const PsPtxRunner *runner = ps_ptx_runner(warp);
    guint8 *own = runner->local + lane * runner->machine->code->thread_bytes;
    if (copy->to_memory)
        memcpy(own + copy->to, &value, copy->bytes);
    else
        warp->slots[step->to[copy->to]][lane] = value;
}

static void copy_values(PsPtxWarp *warp, const PsPtxStep *step, guint32 mask)
{
    const Copies *copies = step->more;
    for (guint i = 0; copies && i < copies->n; i++) {
        const Copy *copy = &copies->copies[i];
        for (guint32 rest = mask; rest != 0; rest &= rest - 1) {
            const guint lane = (guint)__builtin_ctz(rest);
            pass(warp, step, lane, copy, passed(warp, step, lane, copy));
        }
    }
}

void ps_ptx_enter(PsPtxWarp *warp, const PsPtxStep *step, guint32 mask)
{
    PsPtxRunner *runner = ps_ptx_runner(warp);
    copy_values(warp, step, mask);
    if (mask != warp->active) /* lanes that do not call go to the call's end */
        part(runner, step, warp->active & ~mask, point_of(runner, step)->target);
}

static void ret(PsPtxWarp *warp, const PsPtxStep *step, guint32 mask)
{
    copy_values(warp, step, mask);
    branch(warp, step, mask);
}

static void fail_assertion(PsPtxWarp *warp, const PsPtxStep *step, guint32 mask)
{
    ps_ptx_runner(warp)->machine->fault = PS_PTX_FAULT_ASSERTION;
    ps_ptx_fail(warp, step, (guint)__builtin_ctz(mask), "fails an assertion");
}

/* The caller's value for a parameter of the callee. */
typedef struct {
    PsPtxDecode *decode;
    PsPtxStep *step;
    GArray *copies;
    const PsPtxInline *callee;
} Binding;

static gint register_named(const PsPtxFunction *function, const char *name)
{
    for (guint i = 0; i < function->registers->len; i++)
        if (strcmp(g_array_index(function->registers, PsPtxRegister, i).name, name) == 0)
            return (gint)i;
    return -1;
}

/* Finds the callee's parameter, in a register or in the thread's memory. */
static gboolean callee_side(const Binding *binding, const PsPtxVariable *param, gboolean to,
                            gsize *offset, gboolean *memory)
{
    *memory = param->space != PS_PTX_REG;
    if (*memory)
        return ps_ptx_layout_find(binding->callee, param, offset);
    gint reg = register_named(binding->callee->function, param->name);
    if (reg < 0)
        return FALSE;
    *offset = to ? binding->step->n_to : binding->step->n_from;
    return ps_ptx_decode_registers(binding->decode, binding->step,
                                   binding->callee->first_register + (guint)reg, 1, to);
}

/* Finds the caller's value, at the point `caller` of its code. */
static gboolean caller_side(const Binding *binding, const PsPtxOperand *operand,
                            const PsPtxInline *caller, gboolean to, gsize *offset, gboolean *memory)
{
    PsPtxStep *step = binding->step;
    *memory = operand->kind == PS_PTX_OPERAND_VARIABLE;
    if (*memory) {
        gboolean found = ps_ptx_layout_find(caller, operand->variable, offset);
        *offset += (gsize)operand->value;
        return found;
    }
    *offset = to ? step->n_to : step->n_from;
    if (operand->kind == PS_PTX_OPERAND_REGISTER)
        return ps_ptx_decode_registers(binding->decode, step,
                                       caller->first_register + (guint)operand->reg, 1, to);
    return FALSE;
}

/* Adds the copies for one list of parameters. A parameter that lies where the caller's variable
 * lies needs none. */
static gboolean add_copies(Binding *binding, const GPtrArray *params, const PsPtxOperand *list,
                           const PsPtxInline *caller, gboolean back)
{
    for (guint i = 0; list && i < params->len && i < list->n_members; i++) {
        const PsPtxVariable *param = params->pdata[i];
        const PsPtxOperand *operand = &list->members[i];
        Copy copy = {.bytes = (guint)MIN(param->size, 8)};
        gsize here, there;
        gboolean here_memory, there_memory;
        if (operand->kind == PS_PTX_OPERAND_SINK ||
            (operand->kind == PS_PTX_OPERAND_VARIABLE && param->space != PS_PTX_REG))
            continue;
        if (operand->kind == PS_PTX_OPERAND_IMMEDIATE && !back) {
            here = binding->step->n_from;
            here_memory = FALSE;
            if (!ps_ptx_decode_value(binding->decode, binding->step, operand, param->type))
                return FALSE;
        } else if (!caller_side(binding, operand, caller, back, &here, &here_memory)) {
            return FALSE;
        }
        if (!callee_side(binding, param, !back, &there, &there_memory))
            return FALSE;
        copy.from = back ? there : here;
        copy.from_memory = back ? there_memory : here_memory;
        copy.to = back ? here : there;
        copy.to_memory = back ? here_memory : there_memory;
        g_array_append_val(binding->copies, copy);
    }
    return TRUE;
}

/* Makes the step copy values to the callee, or back from it. */
static gboolean decode_copies(PsPtxDecode *decode, PsPtxStep *step, const PsPtxInline *callee,
                              gboolean back)
{
    const PsPtxPoint *caller = &decode->code->points[callee->call];
    const PsPtxInstruction *instruction = caller->instruction;
    g_autoptr(GArray) copies = g_array_new(FALSE, FALSE, sizeof(Copy));
    Binding binding = {decode, step, copies, callee};
    PsPtxCall parts = ps_ptx_call_parts(instruction);
    const int list = back ? parts.out : parts.in;
    if (list < 0)
        return TRUE;
    if (!add_copies(&binding, back ? callee->function->returns : callee->function->params,
                    &instruction->operands[list], caller->in, back))
        return FALSE;
    if (copies->len == 0)
        return TRUE;
    Copies *more = g_malloc(sizeof(Copies) + copies->len * sizeof(Copy));
    more->n = copies->len;
    memcpy(more->copies, copies->data, copies->len * sizeof(Copy));
    step->more = more;
    return TRUE;
}

/* ---- functions that devices have built in --------------------------------------------------- */

typedef enum { PRINTS, TAKES, GIVES_BACK } What;

/* The arguments of a call, and the place of its result. */
typedef struct {
    const char *does; /* for a warning: what the function does here instead */
    What what;
    Copy in[2];
    gboolean returns;
    Copy out;
} Known;

/* Warns once that the function does something else here. */
static void warn_of(PsPtxMachine *machine, const PsPtxStep *step, const char *does)
{
    const GPtrArray *warnings = machine->warnings;
    for (guint i = 0; i < warnings->len; i++)
        if (g_str_has_suffix(warnings->pdata[i], does))
            return;
    g_autofree char *where = ps_ptx_code_where(machine->code, step->point);
    ps_ptx_machine_warn(machine, PS_PTX_WARNS(PS_PTX_WARNS_CALL, (gsize)does),
                        g_strdup_printf("%s: %s", where, does));
}

/* Takes memory of the heap. A simulated group may find more room, since it comes after others than
 * in the launch. */
static guint64 take(PsPtxMachine *machine, const PsPtxStep *step, guint64 bytes)
{
    const guint64 piece = ps_ptx_heap_take(machine, bytes);
    if (!piece)
        warn_of(machine, step,
                "malloc returned 0, since the heap had no room; the time may be that of groups "
                "that found some");
    return piece;
}

/* Executes a lane's call; returns its result. */
static guint64 call_of_lane(PsPtxRunner *runner, const PsPtxStep *step, guint lane)
{
    const Known *known = step->more;
    PsPtxMachine *machine = runner->machine;
    const PsPtxWarp *warp = &runner->open;
    const guint64 value = passed(warp, step, lane, &known->in[0]);
    if (known->what == TAKES)
        return take(machine, step, value);
    if (known->what == GIVES_BACK && value && !ps_ptx_heap_give_back(machine, value)) {
        ps_ptx_fail(&runner->open, step, lane,
                    "frees 0x%" G_GINT64_MODIFIER
                    "x, where no piece of the heap begins that malloc gave and nobody freed",
                    value);
    }
    if (known->what != PRINTS || !machine->launch.printed)
        return 0;
    const PsPtxPrint what = {lane, value, passed(warp, step, lane, &known->in[1])};
    return (guint32)ps_ptx_print(runner, step, &what);
}

static void call_known(PsPtxWarp *warp, const PsPtxStep *step, guint32 mask)
{
    PsPtxRunner *runner = ps_ptx_runner(warp);
    const Known *known = step->more;
    if (known->what != PRINTS || !runner->machine->launch.printed)
        warn_of(runner->machine, step, known->does);
    for (guint32 rest = mask; rest != 0 && !warp->error; rest &= rest - 1) {
        const guint lane = (guint)__builtin_ctz(rest);
        const guint64 result = call_of_lane(runner, step, lane);
        if (known->returns)
            pass(warp, step, lane, &known->out, result);
    }
}

/* Finds the place of a value that a call takes; it may be an immediate. */
static gboolean decode_taken(Binding *binding, const PsPtxOperand *operand, Copy *copy)
{
    copy->bytes = binding->decode->code->module->address_size / 8;
    if (operand->kind != PS_PTX_OPERAND_IMMEDIATE)
        return caller_side(binding, operand, binding->decode->point->in, FALSE, &copy->from,
                           &copy->from_memory);
    copy->from = binding->step->n_from;
    return ps_ptx_decode_value(binding->decode, binding->step, operand, PS_PTX_B64);
}

static What what_is(const char *name)
{
    if (strcmp(name, PS_PTX_MALLOC) == 0)
        return TAKES;
    return strcmp(name, PS_PTX_FREE) == 0 ? GIVES_BACK : PRINTS;
}

static gboolean decode_known(PsPtxDecode *decode, PsPtxStep *step, PsPtxCall parts)
{
    const PsPtxOperand *operands = decode->instruction->operands;
    const PsPtxFunction *function = operands[parts.callee].function;
    const PsPtxOperand *in = parts.in < 0 ? NULL : &operands[parts.in];
    const PsPtxOperand *out = parts.out < 0 ? NULL : &operands[parts.out];
    Known *known = g_new0(Known, 1);
    Binding binding = {decode, step, NULL, NULL};
    step->more = known;
    if (strcmp(function->name, "__assertfail") == 0) {
        step->execute = fail_assertion;
        return TRUE;
    }
    step->execute = call_known;
    known->does = ps_ptx_call_known(function->name);
    known->what = what_is(function->name);
    const guint n = known->what == PRINTS ? 2 : 1;
    if (n != (in ? in->n_members : 0))
        return FALSE;
    for (guint i = 0; i < n; i++)
        if (!decode_taken(&binding, &in->members[i], &known->in[i]))
            return FALSE;
    known->returns = out && out->n_members > 0 && function->returns->len > 0;
    if (!known->returns)
        return TRUE;
    const PsPtxVariable *result = function->returns->pdata[0];
    known->out.bytes = (guint)MIN(result->size, 8);
    return caller_side(&binding, &out->members[0], decode->point->in, TRUE, &known->out.to,
                       &known->out.to_memory);
}

static gboolean decode_call(PsPtxDecode *decode, PsPtxStep *step)
{
    const PsPtxInline *callee = ps_ptx_code_callee(decode->code, step->point);
    PsPtxCall parts = ps_ptx_call_parts(decode->instruction);
    if (ps_ptx_pointers_calls(decode->instruction))
        return ps_ptx_pointer_decode(decode, step, (guint)parts.callee);
    if (!callee && ps_ptx_pointers_made(decode->instruction)) {
        step->execute = ps_ptx_pointer_recursion;
        return TRUE;
    }
    if (!callee)
        return decode_known(decode, step, parts);
    if (!decode_copies(decode, step, callee, FALSE))
        return FALSE;
    step->execute = step->more || decode->instruction->guard >= 0 ? ps_ptx_enter : NULL;
    return TRUE;
}

static gboolean decode_ret(PsPtxDecode *decode, PsPtxStep *step)
{
    if (!decode->point->in->caller) {
        step->execute = end;
        return TRUE;
    }
    step->execute = ret;
    return decode_copies(decode, step, decode->point->in, TRUE);
}

static gboolean decode_branch(PsPtxDecode *decode, PsPtxStep *step)
{
    step->execute = branch;
    return decode->point->target != PS_PTX_NOWHERE;
}

static gboolean decode_indexed(PsPtxDecode *decode, PsPtxStep *step)
{
    step->execute = branch_by_index;
    return decode->point->targets && decode->point->targets->len > 0 &&
           ps_ptx_decode_from(decode, step, 0, PS_PTX_U32);
}

static gboolean decode_end(PsPtxDecode *decode, PsPtxStep *step)
{
    step->execute = strcmp(decode->mnemonic->opcode, "trap") == 0 ? trap : end;
    return TRUE;
}

static gboolean decode_breakpoint(PsPtxDecode *decode, PsPtxStep *step)
{
    (void)decode;
    step->execute = breakpoint;
    return TRUE;
}

static gboolean decode_sleep(PsPtxDecode *decode, PsPtxStep *step)
{
    (void)decode;
    step->execute = yield;
    return TRUE;
}

/* pmevent counts for profilers. In lifted machine code it also names the lanes that take part in an
 * operation of several lanes. */
static gboolean decode_event(PsPtxDecode *decode, PsPtxStep *step)
{
    return decode->instruction->n_operands != 1 || !ps_ptx_has(decode->mnemonic, "mask") ||
           ps_ptx_decode_from(decode, step, 0, PS_PTX_U32);
}

static const PsPtxOpcode table[] = {{"bra", decode_branch},
                                    {"brx", decode_indexed},
                                    {"call", decode_call},
                                    {"ret", decode_ret},
                                    {"exit", decode_end},
                                    {"trap", decode_end},
                                    {"nanosleep", decode_sleep},
                                    {"brkpt", decode_breakpoint},
                                    {"pmevent", decode_event},
                                    {"pragma", ps_ptx_decode_nothing},
                                    {"setmaxnreg", ps_ptx_registers}};

gboolean ps_ptx_control(PsPtxDecode *decode, PsPtxStep *step, char **unsupported)
{
    return ps_ptx_decode_by(decode, step, table, G_N_ELEMENTS(table), unsupported);
}

/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * setmaxnreg: warps give registers back to their group, or take some of these. A group begins with
 * the kernel's .maxnreg for each thread, rounded up to the registers that a warp gets at once.
 * Without .maxnreg the number of free registers is not known, and no warp waits. The documentation
 * does not say whether warps that have ended leave their registers to the group: here they do, so
 * that no launch is refused which a device may execute.
 */
#include "ptx/run/families.h"
#include "ptx/run/warp.h"
#include "ptx/step/operands.h"

#define AT_ONCE 8 /* registers of each thread */
#define LEAST 24
#define MOST 256

static guint asked_by(const PsPtxRunner *runner, const PsPtxStep *step, guint lane)
{
    return (guint)runner->open.slots[step->from[0]][lane];
}

/* Registers of a thread when the group begins; 0: not known. */
static guint first_of(const PsPtxMachine *machine)
{
    return (machine->code->kernel->most_registers + AT_ONCE - 1) / AT_ONCE * AT_ONCE;
}

static guint has(const PsPtxRunner *runner)
{
    return runner->registers ? runner->registers : first_of(runner->machine);
}

/* Registers, of each thread of a warp, that no warp of the group has. */
static guint left_of(const PsPtxMachine *machine)
{
    guint left = machine->n_warps * first_of(machine);
    for (guint w = 0; w < machine->n_warps; w++)
        if (machine->warps[w].live != 0)
            left -= has(&machine->warps[w]);
    return left;
}

static gboolean may_ask(PsPtxRunner *runner, const PsPtxStep *step, guint lane)
{
    const guint asked = asked_by(runner, step, lane), own = has(runner);
    const gboolean is_range = asked >= LEAST && asked <= MOST && asked % AT_ONCE == 0;
    const gboolean is_way = own == 0 || (step->kind ? asked >= own : asked <= own);
    if (!is_range)
        ps_ptx_fail(&runner->open, step, lane,
                    "asks for %u registers; these must be a multiple of %d from %d to %d", asked,
                    AT_ONCE, LEAST, MOST);
    else if (!is_way)
        ps_ptx_fail(&runner->open, step, lane, "%s registers until it has %u, but it has %u",
                    step->kind ? "takes" : "gives back", asked, own);
    return is_range && is_way;
}

static void give_back(PsPtxWarp *warp, const PsPtxStep *step, guint32 mask)
{
    PsPtxRunner *runner = ps_ptx_runner(warp);
    const guint lane = (guint)__builtin_ctz(mask);
    if (may_ask(runner, step, lane) && has(runner) > 0)
        runner->registers = asked_by(runner, step, lane);
}

static void take(PsPtxWarp *warp, const PsPtxStep *step, guint32 mask)
{
    PsPtxRunner *runner = ps_ptx_runner(warp);
    const guint lane = (guint)__builtin_ctz(mask);
    if (!may_ask(runner, step, lane) || has(runner) == 0)
        return;
    if (asked_by(runner, step, lane) - has(runner) > left_of(runner->machine))
        ps_ptx_paths_wait(runner, PS_PTX_POLLS, step, mask);
    else
        runner->registers = asked_by(runner, step, lane);
}

char *ps_ptx_registers_missing(const PsPtxRunner *runner, const PsPtxStep *step)
{
    if (step->execute != take)
        return NULL;
    return g_strdup_printf("for %u registers each, of which they have %u and other warps have left "
                           "%u (setmaxnreg)",
                           asked_by(runner, step, 0), has(runner), left_of(runner->machine));
}

gboolean ps_ptx_registers(PsPtxDecode *decode, PsPtxStep *step)
{
    step->kind = ps_ptx_has(decode->mnemonic, "inc");
    step->execute = step->kind ? take : give_back;
    return decode->instruction->n_operands == 1 && ps_ptx_decode_from(decode, step, 0, PS_PTX_U32);
}

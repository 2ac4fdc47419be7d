/* SPDX-License-Identifier: BSD-3-Clause */
/* See registers.h. Every trial asks the occupancy itself, so that its rule stands once. */
#include "answer/registers.h"

#include "gpu/gpu.h"
#include "idg/words.h"

#define MOST_REGISTERS 255 /* that an instruction can name */

/* Groups at once with so many registers per thread; 0: none fits. */
static gint64 groups_with(const PsAnswer *answer, gint64 registers)
{
    PsGroupNeeds needs = ps_kernel_needs(answer->kernel, answer->machine->launch.group_size);
    PsOccupancy occupancy;
    needs.registers = registers;
    return ps_gpu_occupancy(answer->gpu, &needs, &occupancy, NULL)
               ? MIN(occupancy.groups, answer->machine->launch.groups_per_cu)
               : 0;
}

/* The nearest choice from `from` on, in steps of 1 or -1, with another number of groups than
 * now. */
static PsRegisterStep nearest(const PsAnswer *answer, gint64 from, gint64 by)
{
    for (gint64 r = from; r >= 1 && r <= MOST_REGISTERS; r += by) {
        const gint64 groups = groups_with(answer, r);
        if (groups > 0 && groups != answer->machine->launch.active_groups)
            return (PsRegisterStep){r, groups};
    }
    return (PsRegisterStep){0, 0};
}

PsRegisterSteps ps_answer_register_steps(const PsAnswer *answer)
{
    const gint64 now = answer->kernel->registers;
    PsRegisterSteps steps = {{0, 0}, {0, 0}};
    if (answer->machine->launch.forced || !ps_idg_chooses_registers(answer->idg))
        return steps;
    if (now > 0)
        steps.fewer = nearest(answer, now - 1, -1);
    steps.more = nearest(answer, now + 1, 1);
    return steps;
}

/* SPDX-License-Identifier: BSD-3-Clause */
/* See making.h. */
#include "code/making.h"

#include "code/machine.h"
#include "code/toolchain.h"
#include "code/toolkit.h"
#include "idg/words.h"

/* The architecture for which the kernel is assembled (g_free): the one that was asked for;
 * otherwise the GPU's, if the PTX is for an earlier one and for all later ones, and some ptxas
 * knows it; otherwise the PTX's. A driver does the same, and the number of registers depends on
 * it. */
static char *target_for(const PsMaking *making, const PsGpu *gpu)
{
    const char *stated = making->built->module->module->target;
    const guint wanted = ps_toolchain_architecture(gpu),
                least = ps_machine_code_architecture(stated);
    if (making->options->arch)
        return g_strdup(making->options->arch);
    g_autofree char *ptxas =
        least && wanted > least ? ps_toolkit_for(making->options, "ptxas", wanted) : NULL;
    return ptxas ? g_strdup_printf("sm_%u", wanted) : g_strdup(stated);
}

/* ptxas's messages, and the version of PTX that replaced the module's. */
static gboolean ask_ptxas(PsMaking *making, const PsGpu *gpu, GError **error)
{
    const PsCodeModule *module = making->built->module;
    g_autofree char *version = NULL, *as = NULL, *target = target_for(making, gpu);
    making->with.registers = ps_toolchain_count_registers(
        making->options, module->text, making->built->kernel->name, target, &version, error);
    if (!making->with.registers)
        return FALSE;
    if (version)
        as = g_strdup_printf(", read as PTX %s, the latest version that it knows", version);
    making->registers_from =
        g_strdup_printf(PS_IDG_REGISTERS_CHOSEN " for %s%s.", target, as ? as : "");
    return TRUE;
}

gboolean ps_making_registers(PsMaking *making, const PsGpu *gpu, GError **error)
{
    const PsCodeOptions *options = making->options;
    const PsSassCode *machine = making->built->machine;
    g_autoptr(GError) why = NULL;
    if (machine && options->registers_from != PS_CODE_REGISTERS_GIVEN &&
        options->registers_from != PS_CODE_REGISTERS_NONE) {
        making->with.registers = machine->registers;
        making->registers_from = g_strdup("Registers: as the machine code states them.");
        return TRUE;
    }
    if (options->registers_from == PS_CODE_REGISTERS_GIVEN) {
        making->with.registers = options->registers;
        making->with.accumulators = options->accumulators;
        making->with.scalar_registers = options->scalar_registers;
        making->registers_from = g_strdup("Registers: given by --registers.");
    }
    if (options->registers_from == PS_CODE_REGISTERS_GIVEN ||
        options->registers_from == PS_CODE_REGISTERS_NONE || ask_ptxas(making, gpu, &why))
        return TRUE;
    if (g_error_matches(why, PS_ERROR, PS_ERROR_CANCELLED)) {
        g_propagate_error(error, g_steal_pointer(&why));
        return FALSE;
    }
    if (options->registers_from == PS_CODE_REGISTERS_PTXAS) {
        g_propagate_prefixed_error(error, g_steal_pointer(&why),
                                   "%sregisters ptxas: ", options->prefix);
        return FALSE;
    }
    making->registers_missing =
        g_strdup_printf("registers are not known, so they limit no occupancy: "
                        "%s; %sregisters N states them",
                        why->message, options->prefix);
    return TRUE;
}

/* SPDX-License-Identifier: BSD-3-Clause */
/* See making.h. */
#include "code/making.h"

#include "code/toolchain.h"
#include "idg/words.h"

/* What ptxas tells, and with which version of PTX in place of the module's. */
static gboolean ask_ptxas(PsMaking *making, GError **error)
{
    const PsCodeModule *module = making->built->module;
    g_autofree char *version = NULL, *as = NULL;
    making->with.registers =
        ps_toolchain_count_registers(making->options, module->text, making->built->kernel->name,
                                     module->module->target, &version, error);
    if (!making->with.registers)
        return FALSE;
    if (version)
        as = g_strdup_printf(", read as PTX %s, the latest version that it knows", version);
    making->registers_from =
        g_strdup_printf(PS_IDG_REGISTERS_CHOSEN " for %s%s.", module->module->target, as ? as : "");
    return TRUE;
}

gboolean ps_making_registers(PsMaking *making, GError **error)
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
        options->registers_from == PS_CODE_REGISTERS_NONE || ask_ptxas(making, &why))
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

/* SPDX-License-Identifier: BSD-3-Clause */
#include "code/machine.h"

#include "code/disassembler.h"
#include "code/toolchain.h"
#include "code/toolkit.h"
#include "launch/variables.h"
#include "ptx/instruction.h"
#include "sass/file.h"

#include <string.h>

/* ---- variables ------------------------------------------------------------------------------ */

GHashTable *ps_machine_code_values(const PsPtxModule *module)
{
    GHashTable *values = g_hash_table_new(NULL, NULL);
    for (guint i = 0; i < module->variables->len; i++) {
        PsPtxVariable *variable = module->variables->pdata[i];
        g_hash_table_insert(values, variable, variable->init);
    }
    return values;
}

static void set_variables(const PsMachineCodeOf *of, PsSassImage *image)
{
    const GPtrArray *variables = of->module->module->variables;
    for (guint i = 0; i < variables->len; i++) {
        const PsPtxVariable *variable = variables->pdata[i];
        if (variable->init != g_hash_table_lookup(of->before, variable))
            ps_sass_image_set(image, variable->name, variable->init, variable->size);
    }
}

/* ---- constants ------------------------------------------------------------------------------ */

/* TRUE if the operand is in the constant, or is the address of its bank. */
static gboolean is_at(const PsPtxOperand *operand, const PsSassConstant *constant)
{
    const gboolean address = operand->kind == PS_PTX_OPERAND_ADDRESS;
    const PsPtxVariable *variable =
        address || operand->kind == PS_PTX_OPERAND_VARIABLE ? operand->variable : NULL;
    g_autofree char *bank = g_strdup_printf("bank_%u", constant->bank);
    return variable && strcmp(variable->name, bank) == 0 &&
           (!address || (guint64)operand->value - constant->at < constant->size);
}

static gboolean is_read(const PsPtxModule *told, const PsSassConstant *constant)
{
    for (guint f = 0; f < told->functions->len; f++) {
        const PsPtxFunction *function = told->functions->pdata[f];
        for (guint i = 0; i < function->instructions->len; i++) {
            const PsPtxInstruction *instruction =
                &g_array_index(function->instructions, PsPtxInstruction, i);
            for (guint k = 0; k < instruction->n_operands; k++)
                if (is_at(&instruction->operands[k], constant))
                    return TRUE;
        }
    }
    return FALSE;
}

static gboolean is_zero(PsSassBytes bank, const PsSassConstant *constant)
{
    for (guint64 i = constant->at; bank.bytes && i < constant->at + constant->size; i++)
        if (bank.bytes[i] != 0)
            return FALSE;
    return TRUE;
}

/* The host sets constants before a launch; initial values from a program's text are in the file. */
static void warn_of_zeros(const PsMachineCodeOf *of, const PsSassImage *image,
                          const PsSassKernel *kernel, const PsPtxModule *told)
{
    g_autoptr(GPtrArray) unset = g_ptr_array_new(), warnings = g_ptr_array_new_full(1, g_free);
    g_autofree char *word = g_strconcat(of->options->prefix, "arg", NULL);
    for (guint i = 0; i < image->constants->len; i++) {
        const PsSassConstant *constant = &g_array_index(image->constants, PsSassConstant, i);
        PsPtxVariable *variable = ps_variables_find(of->module->module, constant->name);
        if (variable && variable->init == g_hash_table_lookup(of->before, variable) &&
            is_zero(kernel->banks[constant->bank], constant) && is_read(told, constant))
            g_ptr_array_add(unset, variable);
    }
    ps_variables_warn_of(unset, "constants that the host sets", word, warnings);
    for (guint i = 0; i < warnings->len; i++)
        ps_code_warn(of->options, warnings->pdata[i]);
}

/* ---- code ----------------------------------------------------------------------------------- */

static PsSassCode *read_code(const PsMachineCodeOf *of, const GPtrArray *images, GError **error)
{
    PsSassImage *image = NULL;
    const PsSassKernel *kernel = ps_sass_images_kernel(images, of->kernel->name, &image);
    if (!kernel) {
        g_set_error(error, PS_ERROR, PS_ERROR_VALUE, "%s: the machine code has no kernel \"%s\"",
                    of->name, of->kernel->name);
        return NULL;
    }
    PsSassListing *listing = ps_disassemble(of, image, kernel, error);
    if (!listing)
        return NULL;
    set_variables(of, image);
    PsSassCode *code = ps_sass_code_new(image, kernel, listing, of->kernel, error);
    /* What the module warns of, waits that the table does not expect, is for our own tests
     * (tests/unit/sass-run.c): a user can do nothing about it. */
    if (code && of->given && of->module->machine)
        warn_of_zeros(of, image, kernel, code->module);
    return code;
}

/* TRUE if there are programs that make and list machine code for the chip: CUDA 13 has none for
 * chips before sm_75. */
static gboolean is_within_reach(const PsMachineCodeOf *of, guint architecture)
{
    if (architecture >= PS_SASS_FIRST_OF_CUDA_13)
        return TRUE;
    g_autofree char *ptxas = ps_toolkit_for(of->options, "ptxas", architecture),
                    *nvdisasm = ps_disassembler_for(of->options, architecture);
    return ptxas && nvdisasm && ps_toolkit_knows(of->options, nvdisasm, architecture);
}

guint ps_machine_code_architecture(const char *target)
{
    char *end = NULL;
    const guint64 number =
        g_str_has_prefix(target, "sm_") ? g_ascii_strtoull(target + 3, &end, 10) : 0;
    return end && !*end ? (guint)number : 0;
}

/* The architecture to assemble for (g_free): the one that was asked for. Otherwise the GPU's, if
 * the PTX is for it or an earlier one and for all later ones, or was compiled here by an nvcc that
 * knows none before sm_75. Otherwise the PTX's, or CUDA 13's first if no assembler makes that. */
static char *choose_target(const PsMachineCodeOf *of)
{
    const char *stated = of->module->module->target;
    const guint wanted = ps_toolchain_architecture(of->gpu),
                least = ps_machine_code_architecture(stated);
    const gboolean oldest = of->module->source && least == PS_SASS_FIRST_OF_CUDA_13;
    if (of->options->arch)
        return g_strdup(of->options->arch);
    if (wanted >= PS_SASS_OLDEST && least && (wanted >= least || oldest) &&
        is_within_reach(of, wanted))
        return g_strdup_printf("sm_%u", wanted);
    const gboolean has_own = least >= PS_SASS_OLDEST && is_within_reach(of, least);
    return least && least < PS_SASS_FIRST_OF_CUDA_13 && !has_own
               ? g_strdup_printf("sm_%d", PS_SASS_FIRST_OF_CUDA_13)
               : g_strdup(stated);
}

static GPtrArray *assemble(const PsMachineCodeOf *of, const char *ptx, const char *target,
                           GError **error)
{
    g_autofree char *version = NULL;
    g_autoptr(GBytes) cubin = ps_toolchain_make_cubin(of->options, ptx, target, &version, error);
    return cubin ? ps_sass_images_new(cubin, of->name, error) : NULL;
}

static PsSassCode *assemble_for(const PsMachineCodeOf *of, const char *ptx, const char *target,
                                GError **error)
{
    g_autoptr(GPtrArray) images = assemble(of, ptx, target, error);
    return images ? read_code(of, images, error) : NULL;
}

/* The PTX as if nvcc had compiled it for the target (g_free). */
static char *ptx_for(const PsMachineCodeOf *of, const char *target)
{
    g_autoptr(GRegex) line =
        g_regex_new("^(\\s*\\.target\\s+)sm_[0-9]+", G_REGEX_MULTILINE | G_REGEX_RAW, 0, NULL);
    g_autofree char *by = g_strdup_printf("\\g<1>%s", target);
    return g_regex_replace(line, of->module->text, -1, 0, by, 0, NULL);
}

PsSassCode *ps_machine_code_new(const PsMachineCodeOf *of, GError **error)
{
    if (of->module->machine)
        return read_code(of, of->module->machine, error);
    g_autofree char *nvdisasm = ps_disassembler_find(of, 0, error);
    if (!nvdisasm)
        return NULL;
    g_autofree char *target = choose_target(of);
    const char *stated = of->module->module->target;
    if (!of->options->arch &&
        ps_machine_code_architecture(target) < ps_machine_code_architecture(stated)) {
        g_autofree char *ptx = ptx_for(of, target);
        PsSassCode *code = assemble_for(of, ptx, target, NULL);
        if (code)
            return code; /* otherwise it has features of sm_75 */
        g_free(g_steal_pointer(&target));
        target = g_strdup(stated);
    }
    return assemble_for(of, of->module->text, target, error);
}

void ps_machine_code_list_later(const PsMachineCodeOf *of, PsDisassembly *work)
{
    const PsPtxModule *module = of->module->module;
    g_autofree char *target = choose_target(of);
    if (!of->options->arch &&
        ps_machine_code_architecture(target) < ps_machine_code_architecture(module->target))
        return; /* it may need a second try */
    GPtrArray *images = assemble(of, of->module->text, target, NULL);
    if (images)
        ps_disassembly_add(work, of, images);
}

/* SPDX-License-Identifier: BSD-3-Clause */
/* Reports what a launch lacks: everything in one message, with a command line to fill in. */
#include "base/usage.h"
#include "launch/arguments-private.h"
#include "launch/lent.h"
#include "ptx/instruction.h"
#include "ptx/names.h"
#include "ptx/run/uses.h"

#include <string.h>

static gboolean lacks(const PsTaking *taking, guint number)
{
    return !taking->texts[number] && !taking->in_parts[number];
}

static gboolean has_addresses(const PsLaunchArguments *arguments)
{
    for (guint i = 0; i < arguments->n; i++)
        if (ps_launch_param(arguments, i)->pointer)
            return TRUE;
    return FALSE;
}

/* The number of the first parameter that points to shared memory; the number of parameters if none
 * does. */
static guint first_shared(const PsLaunchArguments *arguments)
{
    guint i = 0;
    while (i < arguments->n && !ps_launch_param(arguments, i)->to_shared)
        i++;
    return i;
}

/* The kernel's uses of its parameters; none if the file has no readable code. */
static PsPtxUses uses_of(const PsTaking *taking)
{
    PsPtxUses uses = {0};
    const PsPtxFunction *kernel = taking->arguments->kernel;
    g_autoptr(PsPtxCode) code = kernel->body ? ps_ptx_code_new(taking->module, kernel, NULL) : NULL;
    if (!code || !ps_ptx_uses(code, 0, &uses, NULL))
        return (PsPtxUses){0};
    return uses;
}

/* TRUE if the parameter is an address: by the compiler's or the code's word. Otherwise any
 * parameter of 64 bits may be one, unless the code or the kernel's name shows a number. */
static gboolean is_address(const PsTaking *taking, const PsPtxUses *uses, guint number)
{
    const PsPtxVariable *param = ps_launch_param(taking->arguments, number);
    const PsPtxUse *use = number < uses->n ? &uses->params[number] : NULL;
    if (param->pointer || (use && use->pointer))
        return TRUE;
    if (use && (use->fraction || use->kind != PS_PTX_USE_NONE))
        return FALSE;
    const PsPtxType type = ps_launch_type(taking->arguments, number);
    return !has_addresses(taking->arguments) && (type == PS_PTX_U64 || type == PS_PTX_B64);
}

/* The placeholder for a value. */
static char *placeholder(const PsTaking *taking, const PsPtxUses *uses, guint number)
{
    const PsLaunchArguments *arguments = taking->arguments;
    const PsPtxVariable *param = ps_launch_param(arguments, number);
    if (ps_ptx_is_struct(param))
        return g_strdup_printf("zero:%" G_GUINT64_FORMAT, param->size);
    if (param->to_shared)
        return g_strdup(first_shared(arguments) == number ? "0" : "OFFSET");
    const gboolean chased = number < uses->n && uses->params[number].chased != PS_PTX_NOWHERE;
    return g_strdup(!is_address(taking, uses, number) ? "NUMBER"
                    : chased || ps_launch_pointers(arguments, number) > 1
                        ? "pointers:COUNT:zero:BYTES"
                        : "zero:BYTES");
}

/* Adds a word: quoted for a shell unless it is plain. */
static void add_word(GString *line, const char *option, const char *text)
{
    g_autofree char *quoted =
        text[strspn(text, G_CSET_A_2_Z G_CSET_a_2_z G_CSET_DIGITS "_.,:=+-@/")]
            ? g_shell_quote(text)
            : g_strdup(text);
    g_string_append_printf(line, " %s %s", option, quoted);
}

/* A buffer that a program lent has no text that a person could write. */
static gboolean is_lent(const PsLaunchTexts *texts, const char *text)
{
    const char *value = strrchr(text, '@');
    return value && ps_lent_find(texts->lent, value);
}

/* Fields of a struct; more of them are better given by a file. */
#define MOST_FIELDS 16

/* The register into which the instruction loads the struct's field; -1: it does not. */
static int loaded_into(const PsPtxInstruction *instruction, const PsPtxVariable *param,
                       guint64 offset)
{
    const PsPtxOperand *from = instruction->n_operands > 1 ? &instruction->operands[1] : NULL;
    const PsPtxOperand *to = &instruction->operands[0];
    if (!from || from->kind != PS_PTX_OPERAND_ADDRESS || from->variable != param ||
        from->value < 0 || (guint64)from->value > offset || !instruction->mnemonic->n_types)
        return -1;
    const guint size = ps_ptx_type_size(instruction->mnemonic->types[0]);
    const guint64 member = size ? (offset - (guint64)from->value) / size : 0;
    if (to->kind == PS_PTX_OPERAND_VECTOR)
        return member < to->n_members ? to->members[member].reg : -1;
    return member == 0 ? to->reg : -1;
}

/* TRUE if the instruction accesses memory through the register. */
static gboolean goes_to(const PsPtxInstruction *instruction, int reg)
{
    for (guint k = 0; reg >= 0 && k < instruction->n_operands; k++) {
        const PsPtxOperand *operand = &instruction->operands[k];
        if (operand->reg == reg && (operand->kind == PS_PTX_OPERAND_ADDRESS ||
                                    (k > 0 && strcmp(instruction->mnemonic->opcode, "cvta") == 0)))
            return TRUE;
    }
    return FALSE;
}

static gboolean is_address_field(const PsPtxFunction *kernel, const PsPtxVariable *param,
                                 guint64 offset)
{
    int reg = -1;
    for (guint i = 0; i < kernel->instructions->len; i++) {
        const PsPtxInstruction *instruction =
            &g_array_index(kernel->instructions, PsPtxInstruction, i);
        if (goes_to(instruction, reg))
            return TRUE;
        const int loaded = loaded_into(instruction, param, offset);
        reg = loaded >= 0 ? loaded : reg;
    }
    return FALSE;
}

/* Adds the struct's fields as the kernel reads them. FALSE if the kernel reads none of them singly,
 * or too many. */
static gboolean add_fields(GString *line, const PsTaking *taking, guint number)
{
    const PsLaunchArguments *arguments = taking->arguments;
    const PsPtxVariable *param = ps_launch_param(arguments, number);
    g_autoptr(GArray) fields = ps_ptx_fields_used(arguments->kernel, param);
    for (guint i = 0; fields->len <= MOST_FIELDS && i < fields->len; i++) {
        const PsPtxFieldUse *field = &g_array_index(fields, PsPtxFieldUse, i);
        const gboolean address = is_address_field(arguments->kernel, param, field->offset);
        g_autofree char *text =
            g_strdup_printf("%s+%" G_GUINT64_FORMAT "=%s", arguments->names[number], field->offset,
                            address ? "zero:BYTES" : "NUMBER");
        add_word(line, taking->word, text);
    }
    return fields->len > 0 && fields->len <= MOST_FIELDS;
}

static void add_values(GString *line, const PsTaking *taking, const PsPtxUses *uses)
{
    const PsLaunchArguments *arguments = taking->arguments;
    for (guint i = 0; i < arguments->n; i++) {
        const gboolean in_fields =
            lacks(taking, i) && ps_ptx_is_struct(ps_launch_param(arguments, i));
        if (!lacks(taking, i) || (in_fields && add_fields(line, taking, i)))
            continue;
        g_autofree char *value = placeholder(taking, uses, i);
        g_autofree char *text = g_strconcat(arguments->names[i], "=", value, NULL);
        add_word(line, taking->word, text);
    }
}

/* TRUE if the kernel uses a shared array whose size the launch sets. */
static gboolean has_dynamic(const PsPtxFunction *kernel)
{
    for (guint i = 0; kernel->body && i < kernel->instructions->len; i++) {
        const PsPtxInstruction *instruction =
            &g_array_index(kernel->instructions, PsPtxInstruction, i);
        for (guint k = 0; k < instruction->n_operands; k++) {
            const PsPtxOperand *operand = &instruction->operands[k];
            const gboolean named = operand->kind == PS_PTX_OPERAND_VARIABLE ||
                                   (operand->kind == PS_PTX_OPERAND_ADDRESS && operand->reg < 0);
            if (named && operand->variable && operand->variable->space == PS_PTX_SHARED &&
                operand->variable->size == 0)
                return TRUE;
        }
    }
    return FALSE;
}

static gboolean asks_for_shared(const PsTaking *taking)
{
    return taking->given->shared_name &&
           (taking->given->dynamic || first_shared(taking->arguments) < taking->arguments->n ||
            has_dynamic(taking->arguments->kernel));
}

char *ps_taking_command(const PsTaking *taking)
{
    const PsLaunchTexts *texts = taking->given;
    const PsPtxUses uses = uses_of(taking);
    GString *line = g_string_new(texts->command);
    if (texts->lacking)
        g_string_append_printf(line, " %s", texts->lacking);
    if (texts->threads)
        add_word(line, texts->threads_name, texts->threads);
    else if (texts->grid_name)
        add_word(line, texts->grid_name, texts->grid ? texts->grid : "GROUPS");
    if (texts->block_name && (texts->block || !taking->arguments->kernel->required[0]))
        add_word(line, texts->block_name, texts->block ? texts->block : "THREADS");
    for (const char **text = taking->all; *text; text++)
        if (!is_lent(texts, *text))
            add_word(line, taking->word, *text);
    add_values(line, taking, &uses);
    if (asks_for_shared(taking))
        add_word(line, texts->shared_name, "BYTES");
    if (texts->rest)
        g_string_append_printf(line, " %s", texts->rest);
    g_free(uses.params);
    return g_strchug(g_string_free(line, FALSE));
}

static void list(GString *names, const char *name)
{
    g_string_append_printf(names, "%s%s", names->len ? ", " : "", name);
}

/* The names of what is missing, such as "values for x, y, and GRID, BLOCK" (g_free); NULL: nothing
 * is. */
static char *what_lacks(const PsTaking *taking)
{
    const PsLaunchTexts *texts = taking->given;
    g_autoptr(GString) values = g_string_new(NULL), options = g_string_new(NULL);
    for (guint i = 0; i < taking->arguments->n; i++)
        if (lacks(taking, i))
            list(values, taking->arguments->names[i]);
    if (texts->lacking) {
        g_autofree char *name = g_strndup(texts->lacking, strcspn(texts->lacking, " "));
        list(options, name);
    }
    if (texts->grid_name && !texts->grid && !texts->threads)
        list(options, texts->grid_name);
    if (texts->block_name && !texts->block && !taking->arguments->kernel->required[0])
        list(options, texts->block_name);
    if (!values->len && !options->len)
        return NULL;
    return g_strconcat(values->len ? "values for " : "", values->str,
                       values->len && options->len ? ", and " : "", options->str, NULL);
}

gboolean ps_taking_check_missing(const PsTaking *taking, GError **error)
{
    const PsLaunchArguments *arguments = taking->arguments;
    g_autofree char *what = what_lacks(taking);
    if (!what)
        return TRUE;
    g_autofree char *all = ps_launch_arguments_describe(arguments),
                    *shown = ps_ptx_kernel_name(arguments->kernel),
                    *line = ps_taking_command(taking);
    const guint shared = first_shared(arguments);
    g_autofree char *place =
        shared < arguments->n
            ? g_strdup_printf("; %s is where an array begins in the launch's local memory",
                              arguments->names[shared])
            : g_strdup("");
    g_autofree char *guess =
        taking->given->guess_name
            ? g_strdup_printf("Add %s for a first answer without them, or fill in",
                              taking->given->guess_name)
            : g_strdup("Fill in");
    g_autofree char *nameless =
        taking->doubt && !taking->named
            ? g_strconcat(", whose names are not known since ", taking->doubt, NULL)
            : g_strdup("");
    return ps_usage_error(error,
                          "kernel %s lacks %s; its arguments are: %s%s. %s (buffers are "
                          "zero:BYTES, ramp:BYTES, random:BYTES or @FILE%s): %s",
                          shown, what, all, nameless, guess, place, line);
}

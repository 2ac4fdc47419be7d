/* SPDX-License-Identifier: BSD-3-Clause */
/* Checks instructions against the table of forms. */
#include "ptx/form.h"

#include <string.h>

/* ---- finding a form ------------------------------------------------------------------------- */

/* TRUE if a word is in the first `length` characters of a list of words with blanks between. Its
 * .target becomes *target, if that is less. */
static gboolean lists(const char *list, gsize length, const char *word, guint *target)
{
    const gsize own = strlen(word);
    for (const char *at = list, *end = list + length; at < end;) {
        const gsize all = MIN(strcspn(at, " |"), (gsize)(end - at));
        if (all >= own && memcmp(at, word, own) == 0) {
            if (all == own)
                return TRUE;
            if (at[own] == ':' && g_ascii_isdigit(at[own + 1])) {
                *target = MAX(*target, (guint)g_ascii_strtoull(at + own + 1, NULL, 10));
                return TRUE;
            }
        }
        at += all + 1;
    }
    return FALSE;
}

/* The types that are allowed for the n-th type, from *at on; FALSE: there is no n-th type. */
static gboolean types_of(const PsPtxForm *form, guint n, const char **at, gsize *length)
{
    *at = form->types;
    for (guint i = 0; i < n; i++) {
        *at = strchr(*at, '|');
        if (!*at)
            return FALSE;
        (*at)++;
    }
    *length = strcspn(*at, "|");
    return TRUE;
}

/* TRUE if the form has all parts; *target: the oldest target that has them. */
static gboolean has_all(const PsPtxForm *form, const PsPtxMnemonic *mnemonic, guint *target)
{
    guint n_types = 0, some = 0;
    const char *at;
    gsize length;
    *target = form->target;
    for (const char *const *part = mnemonic->parts; form->parts && *part; part++) {
        if (lists(form->parts, strlen(form->parts), *part, target))
            continue;
        if (!form->types || !types_of(form, n_types, &at, &length) ||
            !lists(at, length, *part, target))
            return FALSE;
        n_types++;
    }
    for (const char *c = form->types; c && *c; c++)
        some += *c == '|';
    return !form->types || n_types == some + 1;
}

const PsPtxForm *ps_ptx_form(const PsPtxMnemonic *mnemonic)
{
    static const PsPtxForm any = {.operands = "+"};
    gboolean there = FALSE;
    guint target;
    for (guint i = 0; i < ps_ptx_n_forms; i++) {
        const PsPtxForm *form = &ps_ptx_forms[i];
        if (strcmp(form->opcode, mnemonic->opcode) != 0)
            continue;
        if (has_all(form, mnemonic, &target))
            return form;
        there = TRUE;
    }
    return there ? NULL : &any;
}

/* ---- operands ------------------------------------------------------------------------------- */

typedef enum { WHOLE, FRACTION, BITS, PREDICATE } Sort;

static Sort sort_of(PsPtxType type)
{
    return type == PS_PTX_PRED                        ? PREDICATE
           : type >= PS_PTX_U8 && type <= PS_PTX_S64  ? WHOLE
           : type >= PS_PTX_F16 && type <= PS_PTX_F64 ? FRACTION
                                                      : BITS;
}

/* TRUE if a register of that type may stand for a value of `wanted`; `wider`: it may have more
 * bits. */
static gboolean agrees(PsPtxType wanted, PsPtxType type, gboolean wider)
{
    const Sort a = sort_of(wanted), b = sort_of(type);
    const guint least = ps_ptx_type_size(wanted), size = ps_ptx_type_size(type);
    if (a == PREDICATE || b == PREDICATE)
        return a == b;
    if (least == 0 || size == 0) /* types that are known by name alone */
        return TRUE;
    if (size != least && !(wider && size > least))
        return FALSE;
    return a == BITS || b == BITS || (a == b && (a != FRACTION || wanted == type));
}

/* The type of a letter; NO_TYPE: any type. *wider: registers of more bits are allowed, too. */
static PsPtxType type_of(const PsPtxMnemonic *mnemonic, char letter, gboolean *wider)
{
    const PsPtxType *types = mnemonic->types;
    *wider = letter == 'r' || letter == 's' || letter == 'v';
    switch (letter) {
    case 'p':
    case 'P':
        return PS_PTX_PRED;
    case 'u':
        return PS_PTX_U32;
    case 'w':
        return types[0] == PS_PTX_U16 || types[0] == PS_PTX_S16 ? PS_PTX_U32 : PS_PTX_U64;
    case 'r':
    case 'D':
        return types[0];
    case 's':
        return types[1];
    case 'v':
        return mnemonic->n_types > 0 ? types[mnemonic->n_types - 1] : PS_PTX_NO_TYPE;
    default:
        return g_ascii_isdigit(letter) ? types[letter - '0'] : PS_PTX_NO_TYPE;
    }
}

static char *wrong_address(const PsPtxInstruction *instruction, const PsPtxFunction *function,
                           const PsPtxOperand *operand)
{
    const PsPtxRegister *reg = &g_array_index(function->registers, PsPtxRegister, operand->reg);
    const Sort sort = sort_of(reg->type);
    if (sort == WHOLE || sort == BITS)
        return NULL;
    return g_strdup_printf("%s takes an address where it has %s, which is .%s",
                           instruction->mnemonic->text, reg->name, ps_ptx_type_name(reg->type));
}

/* The reason why a value in one register is wrong (g_free). */
static char *wrong_value(const PsPtxInstruction *instruction, const PsPtxFunction *function,
                         const PsPtxOperand *operand, char letter)
{
    gboolean wider;
    const PsPtxType wanted = type_of(instruction->mnemonic, letter, &wider);
    if (letter == 'a' && operand->kind == PS_PTX_OPERAND_ADDRESS && operand->reg >= 0)
        return wrong_address(instruction, function, operand);
    if (operand->kind != PS_PTX_OPERAND_REGISTER || wanted == PS_PTX_NO_TYPE)
        return NULL;
    const PsPtxRegister *reg = &g_array_index(function->registers, PsPtxRegister, operand->reg);
    if (agrees(wanted, reg->type, wider))
        return NULL;
    return g_strdup_printf("%s takes .%s where it has %s, which is .%s",
                           instruction->mnemonic->text, ps_ptx_type_name(wanted), reg->name,
                           ps_ptx_type_name(reg->type));
}

char *ps_ptx_form_wrong(const PsPtxForm *form, const PsPtxFunction *function,
                        const PsPtxInstruction *instruction)
{
    guint at = 0;
    gboolean may_lack = FALSE;
    for (const char *letter = form->operands; *letter; letter++) {
        if (*letter == '+')
            return NULL;
        if (*letter == '?') {
            may_lack = TRUE;
            continue;
        }
        const guint n = strchr("PD", *letter) ? 1U + instruction->pair : 1U;
        for (guint i = 0; i < n; i++, at++) {
            if (at >= instruction->n_operands)
                return may_lack
                           ? NULL
                           : g_strdup_printf("%s lacks an operand", instruction->mnemonic->text);
            char kind = *letter;
            if (i > 0)
                kind = 'p';
            char *wrong = wrong_value(instruction, function, &instruction->operands[at], kind);
            if (wrong)
                return wrong;
        }
    }
    return at < instruction->n_operands
               ? g_strdup_printf("%s has an operand too many", instruction->mnemonic->text)
               : NULL;
}

guint ps_ptx_target(const PsPtxModule *module)
{
    const char *target = module->target;
    return g_str_has_prefix(target, "sm_") ? (guint)g_ascii_strtoull(target + 3, NULL, 10) : 0;
}

char *ps_ptx_form_too_new(const PsPtxForm *form, const PsPtxModule *module,
                          const PsPtxMnemonic *mnemonic)
{
    const guint stated = ps_ptx_target(module);
    guint target = 0;
    if (!form->opcode || !has_all(form, mnemonic, &target) || stated == 0 || stated >= target)
        return NULL;
    return g_strdup_printf("%s needs .target sm_%u or later, and the module has %s", mnemonic->text,
                           target, module->target);
}

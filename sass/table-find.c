/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * The row of an instruction: by its opcode, its modifiers and its operands. table.c says how rows
 * are written.
 */
#include "sass/table.h"

#include "sass/modifier.h"

#include <string.h>

static gboolean is_product(const PsSassRow *row)
{
    return g_strcmp0(row->text, "<PRODUCT>") == 0;
}

/* TRUE if the opcode is the row's, and has all of its modifiers, in that order. */
static gboolean is_of(const PsSassRow *row, const char *opcode, char *const *parts)
{
    const gsize length = strcspn(row->opcode, ". ");
    if (strncmp(row->opcode, opcode, length) != 0 || opcode[length] != '\0')
        return FALSE;
    guint next = 1;
    for (const char *at = row->opcode + length; *at == '.';) {
        const gsize part = strcspn(at + 1, ". ");
        while (parts[next] &&
               (strlen(parts[next]) != part || strncmp(parts[next], at + 1, part) != 0))
            next++;
        if (!parts[next++])
            return FALSE;
        at += 1 + part;
    }
    return TRUE;
}

/* Scopes and orders of memory, hints to caches and to the barrier, uniform registers kept in plain
 * ones meanwhile (MOV.SPILL, R2UR.FILL), and what is so anyway. */
static const char *const harmless[] = {
    "E",    "SYS", "GPU",    "SM",      "CTA",     "STRONG",         "WEAK",  "EF",   "EL", "EU",
    "LU",   "NA",  "LTC64B", "LTC128B", "LTC256B", "DEFER_BLOCKING", "RN",    "S32",  "U",  "IDX",
    "MMIO", "VC",  "EFL2",   "ENL2",    "ELL2",    "PACK_AB",        "SPILL", "FILL", NULL};

/* TRUE if all of the modifiers are known to the row. */
static gboolean knows_all(const PsSassRow *row, char *const *parts)
{
    g_auto(GStrv) own = NULL;
    if (!row->text)
        return TRUE;
    const gboolean product = is_product(row);
    for (guint i = 1; parts[i]; i++) {
        if (product && ps_sass_is_of_product(parts[i]))
            continue;
        if (g_strv_contains(harmless, parts[i]) || ps_sass_modifier_matters(row->text, parts[i]) ||
            (strpbrk(row->shape, "VW") &&
             (strcmp(parts[i], "64") == 0 || strcmp(parts[i], "128") == 0)))
            continue;
        if (!own)
            own = g_strsplit_set(row->opcode, ". ", -1);
        if (!g_strv_contains((const char *const *)own + 1, parts[i]))
            return FALSE;
    }
    return TRUE;
}

static gboolean may_be(char letter, const PsSassOperand *operand)
{
    const gboolean value = operand->kind == PS_SASS_REGISTER || operand->kind == PS_SASS_UNIFORM;
    switch (letter) {
    case 'P':
    case 'R':
        return ps_sass_is_predicate(operand);
    case 'N':
        return ps_sass_is_predicate(operand) && operand->reg == PS_SASS_ZERO && operand->inverted;
    case 'p':
        return ps_sass_is_predicate(operand) || operand->sign;
    case 'o':
    case 'O':
    case 'V':
    case 'D':
    case 'B':
    case 'E':
    case 'H':
    case 'M':
    case 'T':
    case 't':
    case 'U':
    case 'u':
    case 'Q':
    case 'W':
    case 'd':
    case 'g':
    case 'm':
    case 'q':
        return value;
    case 's':
        return operand->kind == PS_SASS_NUMBER || (value && (operand->pair || operand->single));
    case 'n':
    case 'l':
        return operand->kind == PS_SASS_NUMBER;
    case 'a': /* neither shared nor own memory has descriptors */
        return operand->kind == PS_SASS_ADDRESS && !g_str_has_prefix(operand->text, "desc");
    case 'A':
    case 'G':
    case 'b':
        return operand->kind == PS_SASS_ADDRESS;
    case 'c':
        return operand->kind == PS_SASS_CONSTANT;
    case 'k':
        return value && operand->minus;
    case 'x':
        return TRUE;
    default:
        return value || operand->kind == PS_SASS_NUMBER || operand->kind == PS_SASS_CONSTANT;
    }
}

static gboolean is_nothing(const PsSassOperand *operand)
{
    return ps_sass_is_predicate(operand) && operand->reg == PS_SASS_ZERO;
}

/* D, A in registers or not, the descriptors, C. */
static gboolean are_of_product(const GArray *operands)
{
    const guint at =
        operands->len > 1 && g_array_index(operands, PsSassOperand, 1).kind == PS_SASS_REGISTER ? 2
                                                                                                : 1;
    return operands->len > at + 1 &&
           g_str_has_prefix(g_array_index(operands, PsSassOperand, at).text, "gdesc[UR") &&
           g_array_index(operands, PsSassOperand, 0).reg != PS_SASS_ZERO &&
           g_array_index(operands, PsSassOperand, at + 1).kind == PS_SASS_REGISTER;
}

/* Finds the operand of each letter of the row's shape. FALSE: they do not fit. */
static gboolean fits(const PsSassRow *row, char *const *parts, const GArray *operands, guint *at)
{
    guint next = 0;
    at[0] = 0;
    if (row->shape[0] == '*')
        return is_product(row)                          ? are_of_product(operands)
               : g_strcmp0(row->text, "<TEXTURE>") == 0 ? ps_sass_is_texture(parts, operands)
                                                        : TRUE;
    for (guint i = 0; row->shape[i]; i++) {
        while (next < operands->len &&
               !may_be(row->shape[i], &g_array_index(operands, PsSassOperand, next)) &&
               is_nothing(&g_array_index(operands, PsSassOperand, next)))
            next++;
        if (next >= operands->len ||
            !may_be(row->shape[i], &g_array_index(operands, PsSassOperand, next)))
            return FALSE;
        at[i] = next;
        /* a number for two halves is written as two numbers */
        next += row->shape[i] == 'h' &&
                        g_array_index(operands, PsSassOperand, next).kind == PS_SASS_NUMBER
                    ? 2
                    : 1;
    }
    while (next < operands->len && is_nothing(&g_array_index(operands, PsSassOperand, next)))
        next++;
    return next == operands->len;
}

static const PsSassRow *find(const char *opcode, char *const *parts, const GArray *operands,
                             guint *at)
{
    for (gsize i = 0; i < ps_sass_n_rows; i++)
        if (is_of(&ps_sass_rows[i], opcode, parts) && fits(&ps_sass_rows[i], parts, operands, at) &&
            knows_all(&ps_sass_rows[i], parts))
            return &ps_sass_rows[i];
    return NULL;
}

const PsSassRow *ps_sass_row(char *const *parts, const GArray *operands,
                             guint at[PS_SASS_MOST_OPERANDS])
{
    /* Instructions on values that all lanes share (the uniform datapath) have the same names with a
     * U. */
    static const char *const shared[][2] = {{"LDCU", "LDC"}, {"VOTEU", "VOTE"}};
    const char *opcode = parts[0];
    const PsSassRow *row = find(opcode, parts, operands, at);
    for (gsize i = 0; !row && i < G_N_ELEMENTS(shared); i++)
        if (strcmp(opcode, shared[i][0]) == 0)
            row = find(shared[i][1], parts, operands, at);
    return row || opcode[0] != 'U' ? row : find(opcode + 1, parts, operands, at);
}

/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Operands as nvdisasm writes them.
 */
#include "sass/operand.h"

#include <string.h>

/* ---- parting -------------------------------------------------------------------------------- */

static void end_part(GPtrArray *parts, GString *part)
{
    g_ptr_array_add(parts, g_strdup(g_strstrip(part->str)));
    g_string_truncate(part, 0);
}

/* The length of "desc" where a place with a descriptor begins, with a comma that nvdisasm 13 puts
 * behind it rather than before: "R0desc,[UR4][R2.64]", "[R7]desc[UR4][R2.64]". */
static gsize descriptor_length(const char *at)
{
    const gsize length = strlen("desc");
    if (strncmp(at, "desc", length) != 0)
        return 0;
    return at[length] == '[' ? length : g_str_has_prefix(at + length, ",[") ? length + 1 : 0;
}

/* TRUE if a place that follows without a comma is an operand of its own: behind a register or
 * another place, as in listings of Volta's code (R6[R2]), behind a uniform register
 * (URZ[UR8+0x10]), and behind a predicate or a place with a descriptor: !P0[R121][R134.64] and
 * desc[UR8][R4.64][R11] of nvdisasm 12.8 to 13.1. */
static gboolean is_whole(const char *part)
{
    return part[0] == '[' || part[0] == 'R' || part[part[0] == '!'] == 'P' ||
           g_str_has_prefix(part, "UR") || (g_str_has_prefix(part, "desc[") && strstr(part, "]["));
}

/* Splits a list of operands at its commas, except those in brackets, and where commas are missing.
 * A place behind a bank or a descriptor (c[0x0][0x160], desc[UR4][R2.64]) belongs to that. */
static char **split(const char *text)
{
    GPtrArray *parts = g_ptr_array_new();
    g_autoptr(GString) part = g_string_new(NULL);
    int depth = 0;
    for (const char *at = text; *at; at++) {
        const gboolean of_matrix = at > text && strchr("gi", at[-1]); /* gdesc[UR8], idesc[UR9] */
        const gsize descriptor = depth == 0 && !of_matrix ? descriptor_length(at) : 0;
        if (descriptor > 0) {
            if (part->len > 0)
                end_part(parts, part);
            g_string_append(part, "desc");
            at += descriptor - 1;
            continue;
        }
        const gboolean second = depth == 0 && *at == '[' && is_whole(part->str);
        depth += (*at == '[') - (*at == ']');
        if ((*at == ',' && depth == 0) || second)
            end_part(parts, part);
        if (*at != ',' || depth > 0)
            g_string_append_c(part, *at);
    }
    if (part->len > 0)
        end_part(parts, part);
    g_ptr_array_add(parts, NULL);
    return (char **)g_ptr_array_free(parts, FALSE);
}

/* ---- one operand ---------------------------------------------------------------------------- */

/* Skips the prefix; FALSE if the text does not begin with it. */
static gboolean take(const char **at, const char *prefix)
{
    const gsize length = strlen(prefix);
    if (strncmp(*at, prefix, length) != 0)
        return FALSE;
    *at += length;
    return TRUE;
}

/* The number of a register such as R5 behind its letters, or PS_SASS_ZERO for RZ and PT. */
static gboolean take_number(const char **at, int *number)
{
    if (**at == 'Z' || **at == 'T') {
        (*at)++;
        *number = PS_SASS_ZERO;
        return TRUE;
    }
    if (!g_ascii_isdigit(**at))
        return FALSE;
    *number = (int)g_ascii_strtoull(*at, (char **)at, 10);
    return TRUE;
}

static gboolean ends_name(char c)
{
    return !g_ascii_isalnum(c) && c != '_';
}

static gboolean take_register(const char **at, PsSassOperand *operand)
{
    static const struct {
        const char *letters;
        PsSassKind kind;
    } files[] = {{"UR", PS_SASS_UNIFORM},
                 {"UP", PS_SASS_UNIFORM_PREDICATE},
                 {"R", PS_SASS_REGISTER},
                 {"P", PS_SASS_PREDICATE}};
    for (gsize i = 0; i < G_N_ELEMENTS(files); i++) {
        const char *behind = *at;
        int number = PS_SASS_ZERO;
        if (!take(&behind, files[i].letters) || !take_number(&behind, &number) ||
            !ends_name(*behind))
            continue;
        operand->kind = files[i].kind;
        operand->reg = number;
        *at = behind;
        return TRUE;
    }
    return FALSE;
}

static gint64 take_offset(const char **at)
{
    const gboolean minus = **at == '-';
    if (**at == '-' || **at == '+')
        (*at)++;
    const guint64 value = g_ascii_strtoull(*at, (char **)at, 0);
    return minus ? (gint64)(0 - value) : (gint64)value;
}

/* .64, .X4, .U32 and the like behind an address's register. */
static void take_address_suffixes(const char **at, PsSassOperand *operand, gboolean uniform)
{
    while (**at == '.') {
        (*at)++;
        const gsize length =
            strspn(*at, "0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz_");
        if (strncmp(*at, "U32", length) == 0 && !uniform)
            operand->narrow = TRUE;
        else if (**at == 'X' && !uniform)
            operand->scale = (guint)g_ascii_strtoull(*at + 1, NULL, 10);
        *at += length;
    }
}

/* The inside of [ ]: R2.64+UR4+0x10, UR4+0x8, 0x160. */
static void read_place(const char *at, PsSassOperand *operand)
{
    operand->reg = operand->uniform = PS_SASS_ZERO;
    while (*at && *at != ']') {
        PsSassOperand part = {0};
        if (*at == '+' && !g_ascii_isdigit(at[1]) && at[1] != '-')
            at++;
        if (!take_register(&at, &part)) {
            const char *before = at;
            operand->value += take_offset(&at);
            if (at == before) /* a form that this reader does not know */
                return;
            continue;
        }
        if (part.kind == PS_SASS_UNIFORM)
            operand->uniform = part.reg;
        else
            operand->reg = part.reg;
        take_address_suffixes(&at, operand, part.kind == PS_SASS_UNIFORM);
    }
}

static gboolean take_constant(const char *at, PsSassOperand *operand)
{
    if (!take(&at, "c["))
        return FALSE;
    operand->kind = PS_SASS_CONSTANT;
    operand->bank = (guint)g_ascii_strtoull(at, (char **)&at, 0);
    if (!take(&at, "]["))
        return FALSE;
    read_place(at, operand);
    return TRUE;
}

static gboolean take_address(const char *at, PsSassOperand *operand)
{
    const char *inside = g_str_has_prefix(at, "desc[") ? strstr(at, "][") : NULL;
    if (inside)
        at = inside + 1;
    if (*at != '[')
        return FALSE;
    operand->kind = PS_SASS_ADDRESS;
    read_place(at + 1, operand);
    return TRUE;
}

/* Operands of products: descriptors gdesc[UR4], which are two registers, and idesc[UR5]; text
 * behind them only tells the hardware what to keep. tmem[UR6+0x20] is an address. */
static gboolean take_described(const char *at, PsSassOperand *operand)
{
    if (g_str_has_prefix(at, "tmem["))
        return take_address(at + strlen("tmem"), operand);
    return (take(&at, "gdesc[") || take(&at, "idesc[")) && take_register(&at, operand);
}

/* Reads two singles. This reader knows no other form. */
static void read_pair(const char *at, PsSassOperand *operand)
{
    static const struct {
        const char *text;
        gboolean crossed, second_minus;
    } forms[] = {{".F32x2.HI_LO", FALSE, FALSE},
                 {".F32x2.LO_HI", TRUE, FALSE},
                 {".F32x2.HI_LO.NP", FALSE, TRUE},
                 {".F32x2.LO_HI.NP", TRUE, TRUE}};
    for (gsize i = 0; i < G_N_ELEMENTS(forms); i++) {
        const gsize length = strlen(forms[i].text);
        if (strncmp(at, forms[i].text, length) != 0 ||
            (at[length] != '\0' && strcmp(at + length, ".reuse") != 0))
            continue;
        operand->pair = TRUE;
        operand->crossed = forms[i].crossed;
        operand->second_minus = forms[i].second_minus;
    }
}

/* Behind a register or constant: .H0_H0, .B1. The hint .reuse does not change the value. */
static void read_selectors(const char *at, PsSassOperand *operand)
{
    const char *half = strstr(at, ".H"), *byte = strstr(at, ".B");
    if (half && (half[2] == '0' || half[2] == '1') &&
        (half[3] != '_' || half[5] == half[2])) /* .H1_H0 takes both halves as they are */
        operand->half = half[2];
    const char *single = strstr(at, ".F32");
    if (single && single[strlen(".F32")] == 'x')
        read_pair(single, operand);
    else
        operand->single = single != NULL;
    operand->sign = strstr(at, ".SIGN") != NULL;
    operand->by_column = strstr(at, ".COL") != NULL;
    if (byte && byte[2] >= '0' && byte[2] <= '3')
        operand->byte = byte[2];
}

static PsSassOperand read_operand(const char *text)
{
    PsSassOperand operand = {
        .reg = PS_SASS_ZERO, .uniform = PS_SASS_ZERO, .scale = 1, .text = text};
    const char *at = text;
    operand.inverted = *at == '~' || *at == '!';
    at += operand.inverted;
    const gboolean minus = *at == '-';
    const char *plain = at + minus;
    operand.absolute = *plain == '|';
    plain += operand.absolute;
    if (take_register(&plain, &operand) || take_constant(plain, &operand)) {
        operand.minus = minus;
        read_selectors(plain, &operand);
        return operand;
    }
    if (take_address(at, &operand) || take_described(at, &operand))
        return operand;
    if (g_ascii_isdigit(*plain) || *plain == '+' || g_str_has_prefix(plain, "INF") ||
        g_str_has_prefix(plain, "QNAN") || g_str_has_prefix(plain, "SNAN")) {
        const char *number = at;
        operand.kind = PS_SASS_NUMBER;
        operand.value = take_offset(&number);
        return operand;
    }
    operand.kind = PS_SASS_OTHER;
    return operand;
}

GArray *ps_sass_operands(const char *text, char ***kept)
{
    GArray *operands = g_array_new(FALSE, FALSE, sizeof(PsSassOperand));
    *kept = split(text ? text : "");
    for (guint i = 0; (*kept)[i]; i++) {
        const PsSassOperand operand = read_operand((*kept)[i]);
        g_array_append_val(operands, operand);
    }
    return operands;
}

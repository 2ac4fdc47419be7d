/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Operands and constant expressions, which share one grammar: "a+4" is an address where a is a
 * register or variable, and a number where it is one.
 */
#include "ptx/parse.tab.h"
#include "ptx/parser.h"
#include <math.h>
#include <string.h>

static gboolean is_constant(const PsPtxValue *value)
{
    return value->operand.kind == PS_PTX_OPERAND_IMMEDIATE;
}

static gboolean is_integer(const PsPtxValue *value)
{
    return is_constant(value) && value->operand.literal == PS_PTX_INTEGER;
}

static void complain(PsPtxParser *parser, const char *what)
{
    ps_ptx_complain(parser, PS_ERROR_VALUE, parser->token_line, "%s", what);
}

static PsPtxValue integer(gint64 number, gboolean is_unsigned)
{
    return (PsPtxValue){.operand = {.kind = PS_PTX_OPERAND_IMMEDIATE, .reg = -1, .value = number},
                        .is_unsigned = is_unsigned};
}

static double to_double(const PsPtxValue *value)
{
    const guint64 bits = (guint64)value->operand.value;
    const guint32 low = (guint32)bits;
    double number;
    float single;
    if (value->operand.literal == PS_PTX_INTEGER)
        return value->is_unsigned ? (double)bits : (double)value->operand.value;
    memcpy(&number, &bits, sizeof number);
    memcpy(&single, &low, sizeof single);
    return value->operand.literal == PS_PTX_SINGLE ? (double)single : number;
}

static PsPtxValue from_double(double number)
{
    PsPtxValue value = integer(0, FALSE);
    memcpy(&value.operand.value, &number, sizeof number);
    value.operand.literal = PS_PTX_DOUBLE;
    return value;
}

/* ---- names --------------------------------------------------------------------------------- */

static void bound_value(PsPtxParser *parser, const PsPtxBinding *binding, PsPtxOperand *operand)
{
    switch (binding->bound) {
    case PS_PTX_BOUND_REGISTER:
        operand->kind = PS_PTX_OPERAND_REGISTER;
        operand->reg = binding->index;
        operand->variable = NULL; /* so that an address computed from it has no variable */
        break;
    case PS_PTX_BOUND_TUPLE:
        operand->kind = PS_PTX_OPERAND_VECTOR;
        operand->n_members = (guint8)binding->count;
        operand->members =
            ps_ptx_arena_get(parser->arena, binding->count * sizeof *operand->members);
        for (guint i = 0; i < binding->count; i++) {
            operand->members[i].kind = PS_PTX_OPERAND_REGISTER;
            operand->members[i].reg = binding->index + (gint32)i;
        }
        break;
    case PS_PTX_BOUND_VARIABLE:
        operand->kind = PS_PTX_OPERAND_VARIABLE;
        operand->variable = binding->variable;
        break;
    case PS_PTX_BOUND_FUNCTION:
        operand->kind = PS_PTX_OPERAND_FUNCTION;
        operand->function = binding->function;
        break;
    default: /* settled when its scope ends: a label of an inner scope may still come */
        operand->kind = PS_PTX_OPERAND_OTHER;
        operand->name = binding->name->text;
        break;
    }
}

PsPtxValue ps_ptx_value_name(PsPtxParser *parser, PsPtxName *name)
{
    PsPtxValue value = {.operand = {.kind = PS_PTX_OPERAND_OTHER, .reg = -1, .name = name->text}};
    const PsPtxBinding *binding = ps_ptx_look_up(parser, name);
    if (binding)
        bound_value(parser, binding, &value.operand);
    else if (strcmp(name->text, "_") == 0)
        value.operand.kind = PS_PTX_OPERAND_SINK;
    else if (strcmp(name->text, "WARP_SZ") == 0)
        value = integer(32, TRUE);
    else
        ps_ptx_special(parser, name, &value);
    return value;
}

PsPtxValue ps_ptx_value_index(PsPtxParser *parser, PsPtxName *name, PsPtxValue index)
{
    PsPtxValue value = ps_ptx_value_name(parser, name);
    const gint64 element = (gint64)ps_ptx_value_count(parser, index);
    if (value.operand.kind != PS_PTX_OPERAND_VARIABLE) {
        ps_ptx_complain(parser, PS_ERROR_VALUE, parser->token_line,
                        "\"%s\" is no variable, so it has no elements", name->text);
        return value;
    }
    const PsPtxVariable *variable = value.operand.variable;
    const gint64 size = (gint64)ps_ptx_type_size(variable->type) * variable->vector;
    if (element > G_MAXINT32)
        complain(parser, "an index is below 2147483648");
    else
        value.operand.value = element * size;
    return value;
}

guint64 ps_ptx_value_count(PsPtxParser *parser, PsPtxValue value)
{
    if (is_integer(&value) && (value.is_unsigned || value.operand.value >= 0))
        return (guint64)value.operand.value;
    complain(parser, "a whole number that is not negative is expected here");
    return 0;
}

/* ---- lists --------------------------------------------------------------------------------- */

guint ps_ptx_value_push(PsPtxParser *parser, PsPtxValue value)
{
    g_array_append_val(parser->values, value);
    return parser->values->len - 1;
}

static void take_members(PsPtxParser *parser, guint first, PsPtxOperand *operand)
{
    const guint n = parser->values->len - first;
    if (n > PS_PTX_MAX_OPERANDS) {
        ps_ptx_complain(parser, PS_ERROR_LIMIT, parser->token_line,
                        "more than %d operands are in one list", PS_PTX_MAX_OPERANDS);
    } else {
        operand->n_members = (guint8)n;
        operand->members = ps_ptx_arena_get(parser->arena, n * sizeof *operand->members);
    }
    for (guint i = 0; i < operand->n_members; i++) {
        const PsPtxValue *value = &g_array_index(parser->values, PsPtxValue, first + i);
        operand->members[i] = value->operand;
        if (value->sum)
            operand->members[i].kind = PS_PTX_OPERAND_ADDRESS;
        if (value->sum && operand->literal != PS_PTX_SQUARE)
            complain(parser, "a register plus a number is an address, which stands in [ ]");
    }
    g_array_set_size(parser->values, first);
}

PsPtxValue ps_ptx_value_vector(PsPtxParser *parser, guint first)
{
    PsPtxValue value = {.operand = {.kind = PS_PTX_OPERAND_VECTOR, .reg = -1}};
    take_members(parser, first, &value.operand);
    return value;
}

/* [a] */
static gboolean address(PsPtxValue *value)
{
    PsPtxOperand *operand = &value->operand;
    if (operand->negated || value->generic || value->masked)
        return FALSE;
    if (operand->kind == PS_PTX_OPERAND_REGISTER)
        operand->variable = NULL;
    else if (operand->kind != PS_PTX_OPERAND_VARIABLE && !is_integer(value))
        return FALSE;
    operand->kind = PS_PTX_OPERAND_ADDRESS;
    value->sum = FALSE;
    return TRUE;
}

PsPtxValue ps_ptx_value_list(PsPtxParser *parser, guint first, int form)
{
    PsPtxValue list = {
        .operand = {.kind = PS_PTX_OPERAND_LIST, .literal = (guint8)form, .reg = -1}};
    if (parser->values->len == first + 1) {
        PsPtxValue only = g_array_index(parser->values, PsPtxValue, first);
        list.is_unsigned = only.is_unsigned;
        if (form == PS_PTX_SQUARE && address(&only)) {
            g_array_set_size(parser->values, first);
            return only;
        }
    }
    take_members(parser, first, &list.operand);
    return list;
}

/* Makes a plain value of (1+2), which is a list only where nothing is computed with it. */
PsPtxValue ps_ptx_value_unwrap(PsPtxValue value)
{
    const PsPtxOperand *operand = &value.operand;
    if (operand->kind == PS_PTX_OPERAND_LIST && operand->literal == PS_PTX_ROUND &&
        operand->n_members == 1)
        value.operand = operand->members[0];
    return value;
}

/* ---- operators ----------------------------------------------------------------------------- */

PsPtxValue ps_ptx_value_unary(PsPtxParser *parser, int op, PsPtxValue a)
{
    a = ps_ptx_value_unwrap(a);
    PsPtxOperand *operand = &a.operand;
    const guint64 bits = (guint64)operand->value;

    if (op == '+' && is_constant(&a))
        return a;
    if (op == '-' && is_integer(&a))
        return integer((gint64)(0 - bits), FALSE);
    if (op == '-' && is_constant(&a)) {
        operand->value ^= operand->literal == PS_PTX_SINGLE ? (gint64)1 << 31 : G_MININT64;
        return a;
    }
    if (op == '!' && is_integer(&a))
        return integer(!bits, FALSE);
    if (op == '~' && is_integer(&a))
        return integer((gint64)~bits, a.is_unsigned);
    if ((op == '!' || op == '-') && operand->kind == PS_PTX_OPERAND_REGISTER && !a.sum &&
        !operand->negated) {
        operand->negated = TRUE;
        return a;
    }
    ps_ptx_complain(parser, PS_ERROR_VALUE, parser->token_line, "\"%c\" stands before a number%s",
                    op, op == '!' || op == '-' ? " or a register" : "");
    return a;
}

static gint64 compare(int op, gint64 a, gint64 b, gboolean is_unsigned)
{
    const int order =
        is_unsigned ? ((guint64)a > (guint64)b) - ((guint64)a < (guint64)b) : (a > b) - (a < b);
    switch (op) {
    case '<':
        return order < 0;
    case '>':
        return order > 0;
    case PTX_LE:
        return order <= 0;
    case PTX_GE:
        return order >= 0;
    case PTX_EQ:
        return order == 0;
    default:
        return order != 0;
    }
}

static gint64 shift(int op, gint64 a, guint64 by, gboolean is_unsigned)
{
    if (by > 63)
        return op == PTX_SHR && !is_unsigned && a < 0 ? -1 : 0;
    if (op == PTX_SHL)
        return (gint64)((guint64)a << by);
    return is_unsigned ? (gint64)((guint64)a >> by) : a >> by;
}

/* Divides; b is not 0. */
static gint64 divide(int op, gint64 a, gint64 b, gboolean is_unsigned)
{
    if (is_unsigned)
        return (gint64)(op == '/' ? (guint64)a / (guint64)b : (guint64)a % (guint64)b);
    if (b == -1) /* the least number divided by -1 would overflow */
        return op == '/' ? (gint64)(0 - (guint64)a) : 0;
    return op == '/' ? a / b : a % b;
}

static gint64 calculate(int op, gint64 a, gint64 b, gboolean is_unsigned)
{
    switch (op) {
    case '+':
        return (gint64)((guint64)a + (guint64)b);
    case '-':
        return (gint64)((guint64)a - (guint64)b);
    case '*':
        return (gint64)((guint64)a * (guint64)b);
    case '/':
    case '%':
        return divide(op, a, b, is_unsigned);
    case '&':
        return a & b;
    case '|':
        return a | b;
    case '^':
        return a ^ b;
    case PTX_AND:
        return a && b;
    case PTX_OR:
        return a || b;
    default:
        return compare(op, a, b, is_unsigned);
    }
}

static PsPtxValue integers(PsPtxParser *parser, int op, PsPtxValue a, PsPtxValue b)
{
    const gboolean both = a.is_unsigned || b.is_unsigned;
    const gint64 x = a.operand.value, y = b.operand.value;
    if (op == PTX_SHL || op == PTX_SHR)
        return integer(shift(op, x, (guint64)y, a.is_unsigned), a.is_unsigned);
    if ((op == '/' || op == '%') && y == 0) {
        complain(parser, "a constant is divided by 0");
        return a;
    }
    const gboolean arithmetic = op < 256 && strchr("+-*/%&|^", op);
    return integer(calculate(op, x, y, both), arithmetic && both);
}

static gboolean doubles(int op, const PsPtxValue *a, const PsPtxValue *b, PsPtxValue *result)
{
    const double x = to_double(a), y = to_double(b);
    switch (op) {
    case '+':
        *result = from_double(x + y);
        return TRUE;
    case '-':
        *result = from_double(x - y);
        return TRUE;
    case '*':
        *result = from_double(x * y);
        return TRUE;
    case '/':
        *result =
            from_double(y == 0 ? (x == 0 ? NAN : copysign(INFINITY, x) * copysign(1, y)) : x / y);
        return TRUE;
    default:
        return FALSE;
    }
}

/* register + 4, variable - 4, 4 + variable */
static gboolean offset(int op, PsPtxValue a, PsPtxValue b, PsPtxValue *result)
{
    if (op == '+' && is_integer(&a) && !is_constant(&b))
        return offset(op, b, a, result);
    const gboolean reg = a.operand.kind == PS_PTX_OPERAND_REGISTER && !a.operand.negated;
    if ((op != '+' && op != '-') || !is_integer(&b) ||
        (!reg && a.operand.kind != PS_PTX_OPERAND_VARIABLE &&
         a.operand.kind != PS_PTX_OPERAND_FUNCTION))
        return FALSE;
    a.operand.value = calculate(op, a.operand.value, b.operand.value, FALSE);
    a.sum = a.sum || reg;
    *result = a;
    return TRUE;
}

PsPtxValue ps_ptx_value_binary(PsPtxParser *parser, int op, PsPtxValue a, PsPtxValue b)
{
    PsPtxValue result = a;
    if (op == '|' && !(is_constant(&a) && is_constant(&b))) {
        const guint first = ps_ptx_value_push(parser, a);
        ps_ptx_value_push(parser, b);
        return ps_ptx_value_list(parser, first, PS_PTX_PAIR);
    }
    a = ps_ptx_value_unwrap(a);
    b = ps_ptx_value_unwrap(b);
    if (is_integer(&a) && is_integer(&b))
        return integers(parser, op, a, b);
    if (is_constant(&a) && is_constant(&b) && doubles(op, &a, &b, &result))
        return result;
    if (!offset(op, a, b, &result))
        complain(parser, op == '+' || op == '-'
                             ? "only a number can be added to a register or an address"
                             : "only constants can be calculated with");
    return result;
}

PsPtxValue ps_ptx_value_choose(PsPtxParser *parser, PsPtxValue which, PsPtxValue a, PsPtxValue b)
{
    which = ps_ptx_value_unwrap(which);
    if (!is_integer(&which))
        complain(parser, "\"?\" stands after a constant");
    return which.operand.value ? ps_ptx_value_unwrap(a) : ps_ptx_value_unwrap(b);
}

PsPtxValue ps_ptx_value_cast(PsPtxParser *parser, PsPtxType type, PsPtxValue a)
{
    a = ps_ptx_value_unwrap(a);
    if (!is_integer(&a) || (type != PS_PTX_S64 && type != PS_PTX_U64))
        complain(parser, "a constant is cast to .s64 or .u64 only");
    a.is_unsigned = type == PS_PTX_U64;
    return a;
}

/* 0xff00(variable): one byte of its address. */
PsPtxValue ps_ptx_value_masked(PsPtxParser *parser, PsPtxValue mask, PsPtxValue a)
{
    guint64 bits = (guint64)mask.operand.value;
    guint shift_bytes = 0;
    while (bits && !(bits & 0xff)) {
        bits >>= 8;
        shift_bytes++;
    }
    a = ps_ptx_value_unwrap(a);
    if (bits != 0xff)
        complain(parser, "a mask of an address leaves one byte: 0xff, 0xff00, ...");
    if (a.operand.kind != PS_PTX_OPERAND_VARIABLE && a.operand.kind != PS_PTX_OPERAND_FUNCTION)
        complain(parser, "a mask stands before an address");
    a.shift = (guint8)shift_bytes;
    a.masked = 1;
    return a;
}

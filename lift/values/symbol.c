/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Registers as expressions. A value that is not negative under the launch is assumed never to be,
 * so that a shift to the right is a division. Thread and group numbers count as 0: a loop that
 * starts at its thread's number runs as often as for the first thread. Callers compare an
 * expression with what was executed.
 */
#include "lift/values/symbol.h"

#include <string.h>

#define MOST_TEXT 200
#define MOST_DEPTH 24

void ps_symbol_clear(PsSymbol *symbol)
{
    g_clear_pointer(&symbol->text, g_free);
}

PsSymbol ps_symbol_number(gint64 value)
{
    return (PsSymbol){g_strdup_printf("%" G_GINT64_FORMAT, value), value, value < 0, TRUE};
}

static PsSymbol unknown(void)
{
    return (PsSymbol){NULL, 0, FALSE, FALSE};
}

/* ---- arithmetic ------------------------------------------------------------------------------ */

static gint64 floor_divide(gint64 a, gint64 b)
{
    return a / b - ((a % b != 0) && ((a < 0) != (b < 0)));
}

static gboolean compute(char op, gint64 a, gint64 b, gint64 *result)
{
    if (strchr("/dc%", op) && (b <= 0 || a == G_MININT64))
        return FALSE;
    switch (op) {
    case '+':
        return !__builtin_add_overflow(a, b, result);
    case '-':
        return !__builtin_sub_overflow(a, b, result);
    case '*':
        return !__builtin_mul_overflow(a, b, result);
    case '/':
        *result = a / b;
        return a % b == 0;
    case 'd':
        *result = floor_divide(a, b);
        return TRUE;
    case 'c':
        *result = -floor_divide(-a, b);
        return TRUE;
    default:
        *result = a - b * floor_divide(a, b);
        return TRUE;
    }
}

static gboolean is_number(const PsSymbol *symbol, gint64 value)
{
    return symbol->constant && symbol->value == value;
}

/* The operand that is the result if an operation changes nothing, such as + 0 or * 1: 1 or 2; else
 * 0. */
static int neutral(char op, const PsSymbol *a, const PsSymbol *b)
{
    if (strchr("+-", op) && is_number(b, 0))
        return 1;
    if (strchr("*/dc", op) && is_number(b, 1))
        return 1;
    if ((op == '+' && is_number(a, 0)) || (op == '*' && is_number(a, 1)))
        return 2;
    return 0;
}

static char *bracketed(const PsSymbol *symbol)
{
    return g_strdup_printf(symbol->sum ? "(%s)" : "%s", symbol->text);
}

/* The text of an operation. In a division inside ceil() or floor(), a needs brackets if it is a
 * sum. */
static char *spell(char op, const PsSymbol *a, const PsSymbol *b)
{
    if (strchr("+-", op)) {
        g_autofree char *right = op == '-' || b->value < 0 ? bracketed(b) : g_strdup(b->text);
        return g_strdup_printf("%s%c%s", a->text, op, right);
    }
    g_autofree char *left = bracketed(a);
    /* x*(y*z) and x/(y*z) need brackets around the second operand */
    const gboolean plain = b->constant || ps_expr_is_name(b->text);
    g_autofree char *right = g_strdup_printf(plain ? "%s" : "(%s)", b->text);
    if (op == 'd' || op == 'c')
        return g_strdup_printf("%s(%s/%s)", op == 'd' ? "floor" : "ceil", left, right);
    return g_strdup_printf("%s%c%s", left, op, right);
}

PsSymbol ps_symbol_combine(char op, PsSymbol a, PsSymbol b)
{
    PsSymbol result = unknown();
    gint64 value;
    if (a.text && b.text && strlen(a.text) + strlen(b.text) < MOST_TEXT &&
        compute(op, a.value, b.value, &value)) {
        const int which = neutral(op, &a, &b);
        if (which > 0) {
            result = which == 1 ? a : b;
            *(which == 1 ? &a : &b) = unknown();
        } else if (a.constant && b.constant) {
            result = ps_symbol_number(value);
        } else if (op == '*' && (is_number(&a, 0) || is_number(&b, 0))) {
            result = ps_symbol_number(0);
        } else {
            result = (PsSymbol){spell(op, &a, &b), value, strchr("+-", op) != NULL, FALSE};
        }
    }
    ps_symbol_clear(&a);
    ps_symbol_clear(&b);
    return result;
}

/* ---- arguments and the launch -----------------------------------------------------------------
 */

static gint64 value_of_argument(const PsPtxVariable *param, const PsPtxArgument *argument)
{
    const guint bits = 8 * ps_ptx_type_size(param->type);
    const gboolean is_signed = param->type >= PS_PTX_S8 && param->type <= PS_PTX_S64;
    guint64 value = argument->bits;
    if (bits > 0 && bits < 64) {
        value &= (G_GUINT64_CONSTANT(1) << bits) - 1;
        /* nvcc writes .u32 for int, too: a number that looks negative is negative */
        if ((is_signed || bits == 32) && value >> (bits - 1) & 1)
            return (gint64)value - (gint64)(G_GUINT64_CONSTANT(1) << bits);
    }
    return (gint64)value;
}

static gboolean is_integer(PsPtxType type)
{
    return type >= PS_PTX_B8 && type <= PS_PTX_S64 && type != PS_PTX_B128;
}

static gboolean can_be_param(const char *name)
{
    static const char *const reserved[] = {"ceil", "floor", "log2", "max", "min", "all", NULL};
    return name && strlen(name) <= 100 && ps_expr_is_name(name) && !g_strv_contains(reserved, name);
}

PsSymbols *ps_symbols_new(const PsBuildOptions *options)
{
    PsSymbols *symbols = g_new0(PsSymbols, 1);
    const PsPtxLaunch *launch = &options->launch;
    symbols->options = options;
    symbols->scope = ps_scope_new();
    symbols->used = g_hash_table_new(g_str_hash, g_str_equal);
    for (guint i = 0; i < launch->n_arguments && i < launch->kernel->params->len; i++) {
        const PsPtxArgument *argument = &launch->arguments[i];
        const PsPtxVariable *param = launch->kernel->params->pdata[i];
        PsRational unused;
        if (!argument->data && !argument->bytes && !argument->address && is_integer(param->type) &&
            param->size == ps_ptx_type_size(param->type) && can_be_param(argument->name) &&
            !ps_scope_get(symbols->scope, argument->name, &unused))
            ps_scope_set(symbols->scope, argument->name,
                         PS_RATIONAL_INT(value_of_argument(param, argument)));
    }
    return symbols;
}

void ps_symbols_free(PsSymbols *symbols)
{
    if (!symbols)
        return;
    ps_scope_free(symbols->scope);
    g_hash_table_unref(symbols->used);
    g_free(symbols);
}

static PsSymbol of_argument(const PsSymbols *symbols, const PsPtxVariable *variable, gint64 offset)
{
    const PsPtxLaunch *launch = &symbols->options->launch;
    guint i;
    PsRational value;
    if (offset != 0 || !g_ptr_array_find(launch->kernel->params, variable, &i) ||
        i >= launch->n_arguments || launch->arguments[i].data || !launch->arguments[i].name ||
        !ps_scope_get(symbols->scope, launch->arguments[i].name, &value))
        return unknown();
    return (PsSymbol){g_strdup(launch->arguments[i].name), value.num, FALSE, FALSE};
}

/* A dimension of the launch, with the user's expression if it gives the same number. */
static PsSymbol of_dimension(const PsSymbols *symbols, const char *text, guint value)
{
    g_autoptr(PsExpr) expr = text ? ps_expr_new(text, (PsPlace){"launch", 0}, NULL) : NULL;
    PsRational result;
    if (!expr || !ps_expr_eval(expr, symbols->scope, (PsPlace){"launch", 0}, &result, NULL) ||
        ps_rational_cmp(result, PS_RATIONAL_INT(value)) != 0 || strlen(text) > MOST_TEXT)
        return ps_symbol_number(value);
    char *end = NULL;
    (void)g_ascii_strtoull(text, &end, 10);
    if (*end == '\0')
        return ps_symbol_number(value);
    return (PsSymbol){g_strdup(text), value, !ps_expr_is_name(text), FALSE};
}

static PsSymbol of_special(const PsSymbols *symbols, gint64 special)
{
    const PsBuildOptions *options = symbols->options;
    if (special >= PS_PTX_NTID_X && special <= PS_PTX_NTID_Z)
        return of_dimension(symbols, options->block_text[special - PS_PTX_NTID_X],
                            options->launch.block[special - PS_PTX_NTID_X]);
    if (special >= PS_PTX_NCTAID_X && special <= PS_PTX_NCTAID_Z)
        return of_dimension(symbols, options->grid_text[special - PS_PTX_NCTAID_X],
                            options->launch.grid[special - PS_PTX_NCTAID_X]);
    if (special <= PS_PTX_CTAID_Z || special == PS_PTX_LANEID || special == PS_PTX_WARPID)
        return ps_symbol_number(0);
    return unknown();
}

/* ---- instructions -----------------------------------------------------------------------------
 */

/* The loop to be ignored, and the depth of the search. */
typedef struct {
    const PsSymbols *symbols;
    guint outside;
    int depth;
} Look;

static PsSymbol of_register(Look look, guint reg);

static PsSymbol of_operand(Look look, guint point, guint i)
{
    const PsPtxPoint *at = &look.symbols->facts->code->points[point];
    if (i >= at->instruction->n_operands)
        return unknown();
    const PsPtxOperand *operand = &at->instruction->operands[i];
    if (operand->kind == PS_PTX_OPERAND_IMMEDIATE && operand->literal == PS_PTX_INTEGER) {
        const gboolean narrow = ps_ptx_type_size(at->instruction->mnemonic->types[0]) == 4;
        /* 0xfffffff0 of 32 bits is -16 */
        return ps_symbol_number(narrow ? (gint32)operand->value : operand->value);
    }
    if (operand->kind == PS_PTX_OPERAND_SPECIAL)
        return of_special(look.symbols, operand->value);
    if (operand->kind == PS_PTX_OPERAND_REGISTER)
        return of_register(look, ps_ptx_code_register(at, operand->reg));
    return unknown();
}

static PsSymbol of_two(Look look, char op, guint point, guint a, guint b)
{
    return ps_symbol_combine(op, of_operand(look, point, a), of_operand(look, point, b));
}

static PsSymbol of_load(Look look, guint point)
{
    const PsFacts *facts = look.symbols->facts;
    const PsPtxInstruction *instruction = ps_facts_instruction(facts, point);
    const PsFact *fact = &facts->facts[point];
    if (instruction->mnemonic->space != PS_PTX_PARAM || instruction->n_operands < 2)
        return unknown();
    const PsPtxOperand *operand = &instruction->operands[1];
    if (fact->n_from == 0 && operand->kind == PS_PTX_OPERAND_ADDRESS && operand->variable)
        return of_argument(look.symbols, operand->variable, operand->value);
    const guint store = fact->n_from == 1
                            ? ps_facts_definition(facts, ps_fact_from(facts, fact)[0].reg)
                            : PS_PTX_NOWHERE;
    return store != PS_PTX_NOWHERE ? of_operand(look, store, 1) : unknown();
}

static PsSymbol power(gint64 n)
{
    return n >= 0 && n < 62 ? ps_symbol_number(G_GINT64_CONSTANT(1) << n) : unknown();
}

/* x >> n for an x that is not negative. */
static PsSymbol of_shift_right(Look look, guint point)
{
    const guint bits =
        8 * ps_ptx_type_size(ps_facts_instruction(look.symbols->facts, point)->mnemonic->types[0]);
    PsSymbol x = of_operand(look, point, 1), n = of_operand(look, point, 2);
    const gboolean good = x.text && n.text && n.constant && x.value >= 0;
    const gint64 by = n.value;
    ps_symbol_clear(&n);
    if (good && by >= 0 && by < bits - 1)
        return ps_symbol_combine('d', x, power(by));
    ps_symbol_clear(&x);
    return good ? ps_symbol_number(0) : unknown();
}

/* x & (2^n - 1) is the remainder of x / 2^n; x & -2^n is x without it. */
static PsSymbol of_mask(Look look, guint point)
{
    PsSymbol x = of_operand(look, point, 1), mask = of_operand(look, point, 2);
    const gint64 m = mask.value;
    const gboolean good = x.text && mask.text && mask.constant && x.value >= 0;
    ps_symbol_clear(&mask);
    if (good && m > 0 && (m & (m + 1)) == 0)
        return ps_symbol_combine('%', x, ps_symbol_number(m + 1));
    if (good && m < 0 && (-m & (-m - 1)) == 0) {
        PsSymbol copy = x;
        copy.text = g_strdup(x.text);
        return ps_symbol_combine('-', x, ps_symbol_combine('%', copy, ps_symbol_number(-m)));
    }
    ps_symbol_clear(&x);
    return unknown();
}

/* A division, rounded down, like that of integers that are not negative. */
static PsSymbol of_division(Look look, char op, guint point)
{
    PsSymbol a = of_operand(look, point, 1), b = of_operand(look, point, 2);
    if (a.text && b.text && a.value >= 0 && b.value > 0)
        return ps_symbol_combine(op, a, b);
    ps_symbol_clear(&a);
    ps_symbol_clear(&b);
    return unknown();
}

static PsSymbol of_extreme(Look look, const char *name, guint point)
{
    PsSymbol a = of_operand(look, point, 1), b = of_operand(look, point, 2);
    PsSymbol result = unknown();
    if (a.text && b.text && strlen(a.text) + strlen(b.text) < MOST_TEXT) {
        const gint64 value = (a.value < b.value) == (name[1] == 'i') ? a.value : b.value;
        result = a.constant && b.constant
                     ? ps_symbol_number(value)
                     : (PsSymbol){g_strdup_printf("%s(%s,%s)", name, a.text, b.text), value, FALSE,
                                  FALSE};
    }
    ps_symbol_clear(&a);
    ps_symbol_clear(&b);
    return result;
}

static PsSymbol of_shift_left(Look look, guint point)
{
    PsSymbol n = of_operand(look, point, 2);
    const PsSymbol factor = n.text && n.constant ? power(n.value) : unknown();
    ps_symbol_clear(&n);
    return ps_symbol_combine('*', of_operand(look, point, 1), factor);
}

static PsSymbol of_integer(Look look, guint point)
{
    const char *opcode = ps_facts_instruction(look.symbols->facts, point)->mnemonic->opcode;
    if (strcmp(opcode, "mov") == 0 || strcmp(opcode, "cvt") == 0 || strcmp(opcode, "cvta") == 0)
        return of_operand(look, point, 1);
    if (strcmp(opcode, "add") == 0 || strcmp(opcode, "sub") == 0)
        return of_two(look, opcode[0] == 'a' ? '+' : '-', point, 1, 2);
    if (strcmp(opcode, "mul") == 0)
        return of_two(look, '*', point, 1, 2);
    if (strcmp(opcode, "mad") == 0)
        return ps_symbol_combine('+', of_two(look, '*', point, 1, 2), of_operand(look, point, 3));
    if (strcmp(opcode, "shl") == 0)
        return of_shift_left(look, point);
    if (strcmp(opcode, "shr") == 0)
        return of_shift_right(look, point);
    if (strcmp(opcode, "and") == 0)
        return of_mask(look, point);
    if (strcmp(opcode, "div") == 0 || strcmp(opcode, "rem") == 0)
        return of_division(look, opcode[0] == 'd' ? 'd' : '%', point);
    if (strcmp(opcode, "min") == 0 || strcmp(opcode, "max") == 0)
        return of_extreme(look, opcode, point);
    if (strcmp(opcode, "neg") == 0)
        return ps_symbol_combine('-', ps_symbol_number(0), of_operand(look, point, 1));
    return unknown();
}

/* The value of a point's result. Values beyond 32 bits are unknown, since they would have wrapped
 * around. */
static PsSymbol of_point(Look look, guint point)
{
    const PsPtxInstruction *instruction = ps_facts_instruction(look.symbols->facts, point);
    const PsPtxMnemonic *mnemonic = instruction->mnemonic;
    if (instruction->guard >= 0 || ps_ptx_has(mnemonic, "hi") || ps_ptx_has(mnemonic, "cc"))
        return unknown();
    if (strcmp(mnemonic->opcode, "ld") == 0)
        return of_load(look, point);
    if (!is_integer(mnemonic->types[0]) ||
        (mnemonic->n_types > 1 && !is_integer(mnemonic->types[1])))
        return unknown();
    PsSymbol result = of_integer(look, point);
    const guint bits = ps_ptx_has(mnemonic, "wide") ? 64 : 8 * ps_ptx_type_size(mnemonic->types[0]);
    if (result.text && bits <= 32 &&
        (result.value >= G_GINT64_CONSTANT(1) << bits ||
         result.value < -(G_GINT64_CONSTANT(1) << (bits - 1))))
        ps_symbol_clear(&result);
    return result;
}

/* The value of a register; of several writers only one outside of the ignored loop counts. */
static PsSymbol of_register(Look look, guint reg)
{
    const PsFacts *facts = look.symbols->facts;
    guint found = PS_PTX_NOWHERE;
    if (--look.depth < 0)
        return unknown();
    for (guint i = facts->first_writer[reg]; i < facts->first_writer[reg + 1]; i++) {
        const guint point = facts->writers[i];
        if (look.outside != PS_PTX_NOWHERE && ps_ptx_code_in_loop(facts->code, point, look.outside))
            continue;
        if (found != PS_PTX_NOWHERE)
            return unknown();
        found = point;
    }
    return found == PS_PTX_NOWHERE ? unknown() : of_point(look, found);
}

PsSymbol ps_symbol_of_operand(const PsSymbols *symbols, guint point, guint operand, guint outside)
{
    return of_operand((Look){symbols, outside, MOST_DEPTH}, point, operand);
}

PsSymbol ps_symbol_of_register(const PsSymbols *symbols, guint reg, guint outside)
{
    return of_register((Look){symbols, outside, MOST_DEPTH}, reg);
}

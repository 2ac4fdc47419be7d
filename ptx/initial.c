/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Initial values: numbers and addresses, in braces that follow the array's dimensions; a value that
 * is missing in a brace is 0.
 */
#include "ptx/parser.h"
#include <string.h>

static guint64 element_bytes(const PsPtxVariable *variable)
{
    return MAX(ps_ptx_type_size(variable->type), 1);
}

/* The number of levels of braces that are allowed: one for each dimension, and one for vectors. */
static guint levels(const PsPtxInitial *initial)
{
    return initial->dims->len + (initial->variable->vector > 1);
}

/* Bytes that one pair of braces of this level holds; level 0 is the outermost. 0: any number. */
static guint64 brace_bytes(const PsPtxInitial *initial, guint level)
{
    guint64 bytes = element_bytes(initial->variable) * initial->variable->vector;
    if (level >= initial->dims->len)
        return level == initial->dims->len ? bytes : element_bytes(initial->variable);
    for (guint i = level; i < initial->dims->len; i++)
        bytes *=
            g_array_index(initial->dims, guint64, i); /* cannot overflow: declare_dim checked it */
    return bytes;
}

void ps_ptx_initial_open(PsPtxParser *parser)
{
    PsPtxInitial *initial = &parser->initial;
    if (initial->open->len > levels(initial))
        ps_ptx_complain(parser, PS_ERROR_VALUE, parser->token_line,
                        "the initial value of \"%s\" has more { } in each other than its type",
                        initial->variable->name);
    g_array_append_val(initial->open, initial->at);
}

void ps_ptx_initial_close(PsPtxParser *parser)
{
    PsPtxInitial *initial = &parser->initial;
    const guint level = initial->open->len - 1;
    const guint64 start = g_array_index(initial->open, guint64, level);
    const guint64 bytes = brace_bytes(initial, level);
    g_array_set_size(initial->open, level);
    if (bytes && initial->at > start + bytes)
        ps_ptx_complain(parser, PS_ERROR_VALUE, parser->token_line,
                        "a { } of \"%s\" has more values than elements", initial->variable->name);
    else if (bytes)
        initial->at = start + bytes;
}

/* FALSE for an .extern, whose value is in another module. */
static gboolean is_here(PsPtxParser *parser)
{
    if (parser->declared.external)
        ps_ptx_complain(parser, PS_ERROR_VALUE, parser->token_line,
                        "\"%s\" is .extern or .common, so it has no initial value here",
                        parser->initial.variable->name);
    return !parser->declared.external;
}

static gboolean room(PsPtxParser *parser, guint64 size)
{
    PsPtxInitial *initial = &parser->initial;
    const PsPtxVariable *variable = initial->variable;
    if (variable->size && initial->at + size > variable->size) {
        ps_ptx_complain(parser, PS_ERROR_VALUE, parser->token_line,
                        "\"%s\" has more initial values than elements", variable->name);
        return FALSE;
    }
    if (initial->at + size > PS_PTX_MAX_INITIAL - parser->initial_bytes) {
        ps_ptx_complain(parser, PS_ERROR_LIMIT, parser->token_line,
                        "the initial values take more than %" G_GSIZE_FORMAT " bytes",
                        PS_PTX_MAX_INITIAL);
        return FALSE;
    }
    return TRUE;
}

static guint64 float_bits(double number, PsPtxType type)
{
    guint64 bits = 0;
    float single = (float)number;
    if (type == PS_PTX_F32)
        memcpy(&bits, &single, sizeof single);
    else
        memcpy(&bits, &number, sizeof number);
    return bits;
}

/* The bits of the number as a value of the type. */
static gboolean number_bits(const PsPtxOperand *operand, PsPtxType type, guint64 *bits)
{
    const gboolean real = type == PS_PTX_F32 || type == PS_PTX_F64;
    float single;
    double number;
    *bits = (guint64)operand->value;
    if (operand->literal == PS_PTX_INTEGER) {
        if (real)
            *bits = float_bits((double)operand->value, type);
        return TRUE;
    }
    const guint size = ps_ptx_type_size(type);
    if (operand->literal == PS_PTX_SINGLE && size == 4)
        return TRUE;
    if (operand->literal == PS_PTX_DOUBLE && size == 8)
        return TRUE;
    memcpy(&single, &operand->value, sizeof single);
    memcpy(&number, &operand->value, sizeof number);
    *bits = float_bits(operand->literal == PS_PTX_SINGLE ? (double)single : number, type);
    return real;
}

static void put(PsPtxInitial *initial, guint64 bits, guint64 size)
{
    if (bits) {
        initial->nonzero = TRUE;
        const guint64 end = initial->at + size;
        const guint old = initial->bytes->len;
        if (end > old) {
            g_byte_array_set_size(initial->bytes, (guint)end);
            memset(initial->bytes->data + old, 0, (gsize)end - old);
        }
        for (guint64 i = 0; i < MIN(size, 8); i++)
            initial->bytes->data[initial->at + i] = (guint8)(bits >> (8 * i));
    }
    initial->at += size;
}

/* Joins relocations that are consecutive bytes of one address. */
static gboolean merge(GArray *relocations, const PsPtxRelocation *next)
{
    if (relocations->len == 0)
        return FALSE;
    PsPtxRelocation *last = &g_array_index(relocations, PsPtxRelocation, relocations->len - 1);
    if (last->at + last->size != next->at || last->shift + last->size != next->shift ||
        last->of != next->of || last->function != next->function || last->offset != next->offset ||
        last->generic != next->generic)
        return FALSE;
    last->size++;
    return TRUE;
}

static void put_address(PsPtxParser *parser, const PsPtxValue *value, guint size)
{
    PsPtxInitial *initial = &parser->initial;
    const gboolean function = value->operand.kind == PS_PTX_OPERAND_FUNCTION;
    const PsPtxRelocation relocation = {
        .at = initial->at,
        .size = value->masked ? 1 : size,
        .of = function ? NULL : value->operand.variable,
        .function = function ? value->operand.function : NULL,
        .offset = value->operand.value,
        .generic = value->generic,
        .shift = value->shift,
    };
    if (!initial->variable->relocations)
        initial->variable->relocations = g_array_new(FALSE, FALSE, sizeof relocation);
    if (!value->masked || !merge(initial->variable->relocations, &relocation))
        g_array_append_val(initial->variable->relocations, relocation);
    put(initial, 0, size);
}

void ps_ptx_initial_value(PsPtxParser *parser, PsPtxValue value)
{
    PsPtxInitial *initial = &parser->initial;
    const PsPtxOperand *operand = &value.operand;
    const guint64 size = element_bytes(initial->variable);
    guint64 bits;
    if (!is_here(parser) || !room(parser, size))
        return;
    if (operand->kind == PS_PTX_OPERAND_VARIABLE || operand->kind == PS_PTX_OPERAND_FUNCTION)
        put_address(parser, &value, (guint)size);
    else if (operand->kind == PS_PTX_OPERAND_OTHER)
        ps_ptx_complain(parser, PS_ERROR_VALUE, parser->token_line,
                        "\"%s\" is not declared: no variable or function has this name here",
                        operand->name);
    else if (operand->kind != PS_PTX_OPERAND_IMMEDIATE ||
             !number_bits(operand, initial->variable->type, &bits))
        ps_ptx_complain(parser, PS_ERROR_VALUE, parser->token_line,
                        "an initial value of \"%s\" is no .%s", initial->variable->name,
                        ps_ptx_type_name(initial->variable->type));
    else
        put(initial, bits, size);
}

void ps_ptx_initial_end(PsPtxParser *parser)
{
    PsPtxInitial *initial = &parser->initial;
    PsPtxVariable *variable = initial->variable;
    if (variable->size == 0)
        variable->size = initial->at;
    if (initial->nonzero && room(parser, 0) && variable->size <= PS_PTX_MAX_INITIAL) {
        variable->init = ps_ptx_arena_get(parser->arena, variable->size);
        memcpy(variable->init, initial->bytes->data, MIN(initial->bytes->len, variable->size));
        parser->initial_bytes += variable->size;
    }
    g_byte_array_set_size(initial->bytes, 0);
    g_array_set_size(initial->open, 0);
    initial->at = 0;
    initial->nonzero = FALSE;
}

/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Slots of a step's operands.
 */
#include "ptx/step/operands.h"
#include "ptx/code/expand.h"
#include "ptx/step/number.h"
#include <string.h>

struct PsPtxDecoder *ps_ptx_decoder_new(const PsPtxCode *code, GHashTable *addresses)
{
    struct PsPtxDecoder *decoder = g_new0(struct PsPtxDecoder, 1);
    decoder->code = code;
    decoder->addresses = addresses;
    decoder->fixed = g_array_new(FALSE, FALSE, sizeof(PsPtxFixed));
    decoder->slot_of = g_new0(guint, (gsize)code->n_registers + 1);
    decoder->constants = g_hash_table_new_full(g_int64_hash, g_int64_equal, g_free, NULL);
    decoder->places = g_hash_table_new_full(g_int64_hash, g_int64_equal, g_free, NULL);
    decoder->before = g_array_new(FALSE, FALSE, sizeof(PsPtxBefore));
    decoder->families = g_hash_table_new(NULL, NULL);
    return decoder;
}

void ps_ptx_decoder_free(struct PsPtxDecoder *decoder)
{
    g_clear_pointer(&decoder->fixed, g_array_unref);
    g_free(decoder->slot_of);
    g_hash_table_unref(decoder->constants);
    g_hash_table_unref(decoder->places);
    g_array_unref(decoder->before);
    g_hash_table_unref(decoder->families);
    g_free(decoder);
}

/* ---- slots ---------------------------------------------------------------------------------- */

static guint new_slot(struct PsPtxDecoder *decoder)
{
    return decoder->n_slots++;
}

static guint fixed_slot(struct PsPtxDecoder *decoder, gboolean special, guint64 value)
{
    PsPtxFixed fixed = {.slot = new_slot(decoder), .special = special, .value = value};
    g_array_append_val(decoder->fixed, fixed);
    return fixed.slot;
}

guint ps_ptx_register_slot(struct PsPtxDecoder *decoder, guint reg)
{
    if (decoder->slot_of[reg] == 0)
        decoder->slot_of[reg] = new_slot(decoder) + 1;
    return decoder->slot_of[reg] - 1;
}

static guint constant_slot(struct PsPtxDecoder *decoder, guint64 value)
{
    gpointer slot = g_hash_table_lookup(decoder->constants, &value);
    if (!slot) {
        slot = GUINT_TO_POINTER(fixed_slot(decoder, FALSE, value) + 1);
        g_hash_table_insert(decoder->constants, g_memdup2(&value, sizeof value), slot);
    }
    return GPOINTER_TO_UINT(slot) - 1;
}

/* A slot for an address of a variable. */
static guint address_slot(struct PsPtxDecoder *decoder, const PsPtxVariable *variable,
                          guint64 address)
{
    if (!variable || variable->space != PS_PTX_SHARED)
        return constant_slot(decoder, address);
    gpointer slot = g_hash_table_lookup(decoder->places, &address);
    if (!slot) {
        slot = GUINT_TO_POINTER(fixed_slot(decoder, FALSE, address) + 1);
        g_array_index(decoder->fixed, PsPtxFixed, decoder->fixed->len - 1).shared = TRUE;
        g_hash_table_insert(decoder->places, g_memdup2(&address, sizeof address), slot);
    }
    return GPOINTER_TO_UINT(slot) - 1;
}

static void do_before(struct PsPtxDecoder *decoder, PsPtxBefore before)
{
    g_array_append_val(decoder->before, before);
}

static guint special_slot(struct PsPtxDecoder *decoder, PsPtxSpecial special)
{
    if (decoder->specials[special] == 0)
        decoder->specials[special] = fixed_slot(decoder, TRUE, special) + 1;
    guint slot = decoder->specials[special] - 1;
    if (special >= PS_PTX_CLOCK && special <= PS_PTX_GLOBALTIMER)
        do_before(decoder, (PsPtxBefore){PS_PTX_READ_CLOCK, slot, slot, 8, special});
    return slot;
}

/* ---- immediates ----------------------------------------------------------------------------- */

static double number_of(const PsPtxOperand *operand)
{
    if (operand->literal == PS_PTX_SINGLE) {
        guint32 bits = (guint32)operand->value;
        float value;
        memcpy(&value, &bits, sizeof value);
        return value;
    }
    if (operand->literal == PS_PTX_DOUBLE) {
        double value;
        memcpy(&value, &operand->value, sizeof value);
        return value;
    }
    return (double)operand->value;
}

static guint64 bits_of(const PsPtxOperand *operand, PsPtxType type)
{
    const guint size = ps_ptx_type_size(type);
    if (type == PS_PTX_PRED)
        return operand->value != 0;
    if (type == PS_PTX_F32 || (operand->literal == PS_PTX_DOUBLE && size == 4))
        return operand->literal == PS_PTX_SINGLE ? (guint32)operand->value
                                                 : ps_ptx_single_raw((float)number_of(operand));
    if (type == PS_PTX_F64)
        return ps_ptx_double_raw(number_of(operand));
    if (type == PS_PTX_F16 && operand->literal != PS_PTX_INTEGER)
        return ps_ptx_half_bits(number_of(operand));
    if (type == PS_PTX_BF16 && operand->literal != PS_PTX_INTEGER)
        return ps_ptx_bfloat_bits(number_of(operand));
    if (size > 0 && size < 8)
        return (guint64)operand->value & (((guint64)1 << (8 * size)) - 1);
    return (guint64)operand->value;
}

/* ---- operands ------------------------------------------------------------------------------- */

static gboolean add_from(PsPtxStep *step, guint slot)
{
    if (step->n_from == PS_PTX_MAX_FROM)
        return FALSE;
    step->from[step->n_from++] = slot;
    return TRUE;
}

static gboolean add_to(PsPtxStep *step, guint slot)
{
    if (step->n_to == PS_PTX_MAX_TO)
        return FALSE;
    step->to[step->n_to++] = slot;
    return TRUE;
}

static guint negated_slot(const PsPtxDecode *decode, const PsPtxOperand *operand, guint slot)
{
    const PsPtxRegister *reg =
        &g_array_index(decode->point->in->function->registers, PsPtxRegister, operand->reg);
    guint to = new_slot(decode->decoder);
    do_before(decode->decoder, (PsPtxBefore){reg->type == PS_PTX_PRED ? PS_PTX_NOT : PS_PTX_NEGATE,
                                             to, slot, ps_ptx_type_size(reg->type), PS_PTX_CLOCK});
    return to;
}

static gboolean register_from(const PsPtxDecode *decode, PsPtxStep *step,
                              const PsPtxOperand *operand)
{
    guint slot =
        ps_ptx_register_slot(decode->decoder, ps_ptx_code_register(decode->point, operand->reg));
    return add_from(step, operand->negated ? negated_slot(decode, operand, slot) : slot);
}

static gboolean address_of(const PsPtxDecode *decode, const PsPtxOperand *operand, guint64 *address)
{
    const struct PsPtxDecoder *decoder = decode->decoder;
    return ps_ptx_variable_address(decoder->code, decoder->addresses, decode->point->in,
                                   operand->variable, address);
}

static gboolean address_from(const PsPtxDecode *decode, PsPtxStep *step,
                             const PsPtxOperand *operand)
{
    guint64 address = 0;
    step->offset = operand->value;
    if (operand->reg >= 0)
        return add_from(step,
                        ps_ptx_register_slot(decode->decoder,
                                             ps_ptx_code_register(decode->point, operand->reg)));
    if (operand->variable && !address_of(decode, operand, &address))
        return FALSE;
    return add_from(step, address_slot(decode->decoder, operand->variable, address));
}

static gboolean from(const PsPtxDecode *decode, PsPtxStep *step, const PsPtxOperand *operand,
                     PsPtxType type)
{
    struct PsPtxDecoder *decoder = decode->decoder;
    guint64 address;
    switch (operand->kind) {
    case PS_PTX_OPERAND_REGISTER:
        return register_from(decode, step, operand);
    case PS_PTX_OPERAND_IMMEDIATE:
        return add_from(step, constant_slot(decoder, bits_of(operand, type)));
    case PS_PTX_OPERAND_SPECIAL:
        return add_from(step, special_slot(decoder, (PsPtxSpecial)operand->value));
    case PS_PTX_OPERAND_VARIABLE:
        return address_of(decode, operand, &address) &&
               add_from(step, address_slot(decoder, operand->variable,
                                           address + (guint64)operand->value));
    case PS_PTX_OPERAND_ADDRESS:
        return address_from(decode, step, operand);
    case PS_PTX_OPERAND_VECTOR:
    case PS_PTX_OPERAND_LIST:
        for (guint i = 0; i < operand->n_members; i++)
            if (!from(decode, step, &operand->members[i], type))
                return FALSE;
        return TRUE;
    case PS_PTX_OPERAND_FUNCTION:
        return add_from(step, constant_slot(decoder, ps_ptx_function_address(operand->function)));
    case PS_PTX_OPERAND_SINK:
        return add_from(step, constant_slot(decoder, 0));
    default:
        return FALSE;
    }
}

static gboolean to(const PsPtxDecode *decode, PsPtxStep *step, const PsPtxOperand *operand)
{
    struct PsPtxDecoder *decoder = decode->decoder;
    switch (operand->kind) {
    case PS_PTX_OPERAND_REGISTER:
        return add_to(
            step, ps_ptx_register_slot(decoder, ps_ptx_code_register(decode->point, operand->reg)));
    case PS_PTX_OPERAND_SINK:
        if (decoder->sink == 0)
            decoder->sink = new_slot(decoder) + 1;
        return add_to(step, decoder->sink - 1);
    case PS_PTX_OPERAND_VECTOR:
    case PS_PTX_OPERAND_LIST:
        for (guint i = 0; i < operand->n_members; i++)
            if (!to(decode, step, &operand->members[i]))
                return FALSE;
        return TRUE;
    default:
        return FALSE;
    }
}

gboolean ps_ptx_decode_from(PsPtxDecode *decode, PsPtxStep *step, guint operand, PsPtxType type)
{
    return operand < decode->instruction->n_operands &&
           from(decode, step, &decode->instruction->operands[operand], type);
}

gboolean ps_ptx_decode_to(PsPtxDecode *decode, PsPtxStep *step, guint operand)
{
    return operand < decode->instruction->n_operands &&
           to(decode, step, &decode->instruction->operands[operand]);
}

gboolean ps_ptx_decode_two_addresses(PsPtxDecode *decode, PsPtxStep *step)
{
    if (!ps_ptx_decode_from(decode, step, 0, PS_PTX_U64))
        return FALSE;
    const gint64 first = step->offset;
    step->offset = 0;
    if (!ps_ptx_decode_from(decode, step, 1, PS_PTX_U64) || step->n_from != 2)
        return FALSE;
    step->more = g_memdup2(&step->offset, sizeof step->offset);
    step->offset = first;
    return TRUE;
}

gboolean ps_ptx_decode_both(PsPtxDecode *decode, PsPtxStep *step, guint operand)
{
    const PsPtxOperand *list = &decode->instruction->operands[operand];
    if (list->kind != PS_PTX_OPERAND_VECTOR)
        return FALSE;
    step->both = g_new(guint, (gsize)list->n_members + 1);
    for (guint i = 0; i < list->n_members; i++) {
        if (list->members[i].kind != PS_PTX_OPERAND_REGISTER)
            return FALSE;
        step->both[step->n_both++] = ps_ptx_register_slot(
            decode->decoder, ps_ptx_code_register(decode->point, list->members[i].reg));
    }
    return TRUE;
}

const PsPtxOpcode *ps_ptx_find_opcode(const PsPtxDecode *decode, const PsPtxOpcode *table, gsize n)
{
    for (gsize i = 0; i < n; i++)
        if (strcmp(decode->mnemonic->opcode, table[i].opcode) == 0)
            return &table[i];
    return NULL;
}

gboolean ps_ptx_decode_by(PsPtxDecode *decode, PsPtxStep *step, const PsPtxOpcode *table, gsize n,
                          char **unsupported)
{
    const PsPtxOpcode *own = ps_ptx_find_opcode(decode, table, n);
    if (!own)
        return FALSE;
    if (!own->decode(decode, step))
        *unsupported = g_strdup_printf("%s with these operands", decode->mnemonic->text);
    return TRUE;
}

gboolean ps_ptx_decode_nothing(PsPtxDecode *decode, PsPtxStep *step)
{
    (void)decode;
    step->execute = NULL;
    return TRUE;
}

gboolean ps_ptx_decode_rest(PsPtxDecode *decode, PsPtxStep *step, guint first, PsPtxType type)
{
    for (guint i = first; i < decode->instruction->n_operands; i++)
        if (!ps_ptx_decode_from(decode, step, i, type))
            return FALSE;
    return TRUE;
}

gboolean ps_ptx_decode_usual(PsPtxDecode *decode, PsPtxStep *step, PsPtxType type)
{
    const guint n_to = decode->instruction->pair != 0 ? 2 : 1;
    for (guint i = 0; i < n_to && i < decode->instruction->n_operands; i++)
        if (!ps_ptx_decode_to(decode, step, i))
            return FALSE;
    return ps_ptx_decode_rest(decode, step, n_to, type);
}

gboolean ps_ptx_decode_value(PsPtxDecode *decode, PsPtxStep *step, const PsPtxOperand *operand,
                             PsPtxType type)
{
    return from(decode, step, operand, type);
}

gboolean ps_ptx_decode_registers(PsPtxDecode *decode, PsPtxStep *step, guint first, guint n,
                                 gboolean destination)
{
    for (guint i = 0; i < n; i++) {
        guint slot = ps_ptx_register_slot(decode->decoder, first + i);
        if (!(destination ? add_to(step, slot) : add_from(step, slot)))
            return FALSE;
    }
    return TRUE;
}

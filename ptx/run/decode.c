/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Makes a step of each point. Slots are given to what the code uses: registers, immediates and
 * addresses (equal ones share a slot), special registers.
 */
#include "ptx/alu/number.h"
#include "ptx/run/expand.h"
#include "ptx/run/warp.h"
#include <string.h>

struct PsPtxDecoder {
    PsPtxMachine *machine;
    guint *slot_of;                    /* register of the code -> slot + 1 */
    GHashTable *constants;             /* value (gint64 *) -> slot + 1 */
    guint specials[PS_PTX_N_SPECIALS]; /* slot + 1 */
    guint sink;                        /* slot + 1 */
    GArray *before;                    /* PsPtxBefore of the present step */
    GHashTable *families;              /* PsPtxMnemonic -> number of its family + 1; 0: none */
};

static const PsPtxFamily ps_ptx_families[] = {
    ps_ptx_access,  ps_ptx_control, ps_ptx_integer, ps_ptx_bits,  ps_ptx_float,
    ps_ptx_compare, ps_ptx_convert, ps_ptx_half,    ps_ptx_lanes, ps_ptx_special_function,
    ps_ptx_atomic,  ps_ptx_sync,    ps_ptx_copy,    ps_ptx_matrix};

void ps_ptx_machine_warn(PsPtxMachine *machine, char *text)
{
    /* To add what is there would put the new text in the old one's place. */
    if (g_hash_table_contains(machine->warned, text)) {
        g_free(text);
        return;
    }
    g_hash_table_add(machine->warned, text);
    g_ptr_array_add(machine->warnings, text);
}

/* ---- slots ---------------------------------------------------------------------------------- */

static guint new_slot(struct PsPtxDecoder *decoder)
{
    return decoder->machine->n_slots++;
}

static guint fixed_slot(struct PsPtxDecoder *decoder, gboolean special, guint64 value)
{
    PsPtxFixed fixed = {new_slot(decoder), special, value};
    g_array_append_val(decoder->machine->fixed, fixed);
    return fixed.slot;
}

static guint register_slot(struct PsPtxDecoder *decoder, guint reg)
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
    guint slot = register_slot(decode->decoder, ps_ptx_code_register(decode->point, operand->reg));
    return add_from(step, operand->negated ? negated_slot(decode, operand, slot) : slot);
}

static gboolean address_from(const PsPtxDecode *decode, PsPtxStep *step,
                             const PsPtxOperand *operand)
{
    guint64 address = 0;
    step->offset = operand->value;
    if (operand->reg >= 0)
        return add_from(step, register_slot(decode->decoder,
                                            ps_ptx_code_register(decode->point, operand->reg)));
    if (operand->variable && !ps_ptx_variable_address(decode->decoder->machine, decode->point->in,
                                                      operand->variable, &address))
        return FALSE;
    return add_from(step, constant_slot(decode->decoder, address));
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
        return ps_ptx_variable_address(decoder->machine, decode->point->in, operand->variable,
                                       &address) &&
               add_from(step, constant_slot(decoder, address + (guint64)operand->value));
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
        return add_to(step,
                      register_slot(decoder, ps_ptx_code_register(decode->point, operand->reg)));
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
        *unsupported =
            g_strdup_printf("%s with these operands is not executed", decode->mnemonic->text);
    return TRUE;
}

gboolean ps_ptx_decode_nothing(PsPtxDecode *decode, PsPtxStep *step)
{
    (void)decode;
    step->execute = NULL;
    return TRUE;
}

gboolean ps_ptx_decode_usual(PsPtxDecode *decode, PsPtxStep *step, PsPtxType type)
{
    const guint n_to = decode->instruction->pair != 0 ? 2 : 1;
    for (guint i = 0; i < decode->instruction->n_operands; i++)
        if (i < n_to ? !ps_ptx_decode_to(decode, step, i)
                     : !ps_ptx_decode_from(decode, step, i, type))
            return FALSE;
    return TRUE;
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
        guint slot = register_slot(decode->decoder, first + i);
        if (!(destination ? add_to(step, slot) : add_from(step, slot)))
            return FALSE;
    }
    return TRUE;
}

/* ---- what comes before a step --------------------------------------------------------------- */

static guint64 clock_of(const PsPtxRunner *runner, PsPtxSpecial special)
{
    const guint64 now = runner->machine->warp_instructions + runner->executed;
    return special == PS_PTX_CLOCK      ? now & G_MAXUINT32
           : special == PS_PTX_CLOCK_HI ? now >> 32
                                        : now;
}

static void with_prelude(PsPtxWarp *warp, const PsPtxStep *step, guint32 mask)
{
    const PsPtxRunner *runner = ps_ptx_runner(warp);
    const PsPtxPrelude *prelude =
        g_hash_table_lookup(runner->machine->preludes, GUINT_TO_POINTER(step->point));
    for (guint i = 0; i < prelude->n; i++) {
        const PsPtxBefore *before = &prelude->before[i];
        const guint64 *source = warp->slots[before->from];
        guint64 *result = warp->slots[before->to];
        const guint64 ones =
            before->bytes == 8 ? G_MAXUINT64 : ((guint64)1 << (8 * before->bytes)) - 1;
        for (guint lane = 0; lane < PS_PTX_LANES; lane++)
            result[lane] = before->kind == PS_PTX_NOT      ? source[lane] == 0
                           : before->kind == PS_PTX_NEGATE ? (0 - source[lane]) & ones
                                                           : clock_of(runner, before->clock);
    }
    prelude->execute(warp, step, mask);
}

static void free_prelude(gpointer data)
{
    PsPtxPrelude *prelude = data;
    g_free(prelude->before);
    g_free(prelude);
}

static void add_prelude(struct PsPtxDecoder *decoder, PsPtxStep *step)
{
    GArray *before = decoder->before;
    if (before->len == 0)
        return;
    if (step->execute) {
        PsPtxPrelude *prelude = g_new(PsPtxPrelude, 1);
        *prelude = (PsPtxPrelude){step->execute, before->len,
                                  g_memdup2(before->data, before->len * sizeof(PsPtxBefore))};
        g_hash_table_insert(decoder->machine->preludes, GUINT_TO_POINTER(step->point), prelude);
        step->execute = with_prelude;
    }
    g_array_set_size(before, 0);
}

/* ---- steps ---------------------------------------------------------------------------------- */

static void begin_step(PsPtxStep *step, guint point, const PsPtxMnemonic *mnemonic)
{
    *step = (PsPtxStep){.point = point, .guard = -1, .vector = 1};
    if (mnemonic) {
        step->type = mnemonic->types[0];
        step->type2 = mnemonic->n_types > 1 ? mnemonic->types[1] : mnemonic->types[0];
        step->vector = MAX(mnemonic->vector, 1);
        step->space = mnemonic->space;
    }
}

/* The family of the instruction, which fills in the step; FALSE: it is not known. */
static gboolean by_family(PsPtxDecode *decode, PsPtxStep *step, char **unsupported)
{
    GHashTable *families = decode->decoder->families;
    const guint point = step->point;
    gpointer known;
    if (g_hash_table_lookup_extended(families, decode->mnemonic, NULL, &known))
        return GPOINTER_TO_UINT(known) > 0 &&
               ps_ptx_families[GPOINTER_TO_UINT(known) - 1](decode, step, unsupported);
    for (guint i = 0; i < G_N_ELEMENTS(ps_ptx_families); i++) {
        begin_step(step, point, decode->mnemonic);
        if (ps_ptx_families[i](decode, step, unsupported)) {
            g_hash_table_insert(families, (gpointer)decode->mnemonic, GUINT_TO_POINTER(i + 1));
            return TRUE;
        }
    }
    g_hash_table_insert(families, (gpointer)decode->mnemonic, GUINT_TO_POINTER(0));
    return FALSE;
}

static void execute_skipped(PsPtxWarp *warp, const PsPtxStep *step, guint32 mask)
{
    (void)warp;
    (void)mask;
    step->tally->skipped++;
}

static void skip(PsPtxStep *step)
{
    step->execute = execute_skipped;
    step->tally = g_new0(PsPtxTally, 1);
}

static void decode_step(struct PsPtxDecoder *decoder, guint point)
{
    PsPtxMachine *machine = decoder->machine;
    const PsPtxPoint *at = &machine->code->points[point];
    PsPtxStep *step = &machine->steps[point];
    PsPtxDecode decode = {machine->code, at, at->instruction, at->instruction->mnemonic, decoder};
    g_autofree char *unsupported = NULL;
    begin_step(step, point, decode.mnemonic);
    gboolean known = by_family(&decode, step, &unsupported);
    if (!known || unsupported) {
        skip(step);
        g_array_set_size(decoder->before, 0);
        ps_ptx_machine_warn(machine, unsupported
                                         ? g_steal_pointer(&unsupported)
                                         : g_strdup_printf("%s is not known and was skipped",
                                                           decode.mnemonic->text));
    }
    add_prelude(decoder, step);
    if (at->instruction->guard >= 0) {
        step->guard =
            (gint32)register_slot(decoder, ps_ptx_code_register(at, at->instruction->guard));
        step->guard_negated = at->instruction->guard_negated;
    }
}

void ps_ptx_decode(PsPtxMachine *machine)
{
    const PsPtxCode *code = machine->code;
    struct PsPtxDecoder decoder = {
        .machine = machine,
        .slot_of = g_new0(guint, (gsize)code->n_registers + 1),
        .constants = g_hash_table_new_full(g_int64_hash, g_int64_equal, g_free, NULL),
        .before = g_array_new(FALSE, FALSE, sizeof(PsPtxBefore)),
        .families = g_hash_table_new(NULL, NULL)};
    machine->preludes = g_hash_table_new_full(NULL, NULL, NULL, free_prelude);
    machine->steps = g_new0(PsPtxStep, (gsize)code->n_points + 1);
    for (guint i = 0; i < code->n_points; i++)
        decode_step(&decoder, i);
    begin_step(&machine->steps[code->n_points], code->n_points, NULL);
    machine->steps[code->n_points].execute = ps_ptx_end_kernel;
    g_free(decoder.slot_of);
    g_hash_table_unref(decoder.constants);
    g_array_unref(decoder.before);
    g_hash_table_unref(decoder.families);
}

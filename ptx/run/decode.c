/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Makes a step of each point: finds its family, and puts preludes before it that its operands need.
 */
#include "ptx/alu/families.h"
#include "ptx/run/watch.h"

/* How much steps of a family do. */
typedef enum {
    COMPUTES, /* their steps only write their destinations, and cannot fail */
    ACCESSES, /* their steps also access memory, and may fail */
    MORE      /* their steps read other lanes, or change where lanes go on */
} Does;

static const struct {
    PsPtxFamily decode;
    Does does;
} families[] = {{ps_ptx_access, ACCESSES},
                {ps_ptx_control, MORE},
                {ps_ptx_integer, COMPUTES},
                {ps_ptx_bits, COMPUTES},
                {ps_ptx_float, COMPUTES},
                {ps_ptx_compare, COMPUTES},
                {ps_ptx_convert, COMPUTES},
                {ps_ptx_half, COMPUTES},
                {ps_ptx_address, COMPUTES},
                {ps_ptx_lanes, MORE},
                {ps_ptx_special_function, COMPUTES},
                {ps_ptx_atomic, MORE},
                {ps_ptx_sync, MORE},
                {ps_ptx_copy, MORE},
                {ps_ptx_cancel, MORE},
                {ps_ptx_tensor_map, MORE},
                {ps_ptx_texture, ACCESSES},
                {ps_ptx_matrix, MORE}};

/* ---- what comes before a step --------------------------------------------------------------- */

static guint64 clock_of(const PsPtxRunner *runner, PsPtxSpecial special)
{
    const PsPtxMachine *machine = runner->machine;
    const guint64 now = machine->warp_instructions + runner->executed + machine->ahead;
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

static void add_prelude(PsPtxMachine *machine, struct PsPtxDecoder *decoder, PsPtxStep *step)
{
    GArray *before = decoder->before;
    if (before->len == 0)
        return;
    if (step->execute) {
        PsPtxPrelude *prelude = g_new(PsPtxPrelude, 1);
        *prelude = (PsPtxPrelude){step->execute, before->len,
                                  g_memdup2(before->data, before->len * sizeof(PsPtxBefore))};
        g_hash_table_insert(machine->preludes, GUINT_TO_POINTER(step->point), prelude);
        step->execute = with_prelude;
        step->straight = 0;
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

/* Lets the instruction's family fill in the step. FALSE: no family knows it. */
static gboolean by_family(PsPtxDecode *decode, PsPtxStep *step, char **unsupported)
{
    GHashTable *found = decode->decoder->families;
    const guint point = step->point;
    gpointer known;
    guint i = 0;
    if (g_hash_table_lookup_extended(found, decode->mnemonic, NULL, &known)) {
        i = GPOINTER_TO_UINT(known);
        if (i < G_N_ELEMENTS(families))
            families[i].decode(decode, step, unsupported);
    } else {
        for (; i < G_N_ELEMENTS(families); i++) {
            begin_step(step, point, decode->mnemonic);
            if (families[i].decode(decode, step, unsupported))
                break;
        }
        g_hash_table_insert(found, (gpointer)decode->mnemonic, GUINT_TO_POINTER(i));
    }
    if (i == G_N_ELEMENTS(families))
        return FALSE;
    step->straight = families[i].does == COMPUTES;
    step->alone = families[i].does != MORE;
    return TRUE;
}

static void decode_step(PsPtxMachine *machine, struct PsPtxDecoder *decoder, guint point)
{
    const PsPtxPoint *at = &machine->code->points[point];
    PsPtxStep *step = &machine->steps[point];
    PsPtxDecode decode = {machine->code,
                          at,
                          at->instruction,
                          at->instruction->mnemonic,
                          decoder,
                          machine->vectors,
                          machine->launch.textures != NULL,
                          machine->no_products};
    g_autofree char *unsupported = NULL;
    begin_step(step, point, decode.mnemonic);
    const gboolean known = decode.mnemonic->known && by_family(&decode, step, &unsupported);
    if (!known || unsupported) {
        ps_ptx_skip_step(step, unsupported ? g_steal_pointer(&unsupported)
                                           : g_strdup(decode.mnemonic->text));
        machine->skips = TRUE;
        g_array_set_size(decoder->before, 0);
    } else {
        ps_ptx_misuse(machine, step);
    }
    add_prelude(machine, decoder, step);
    if (at->instruction->guard >= 0) {
        step->guard =
            (gint32)ps_ptx_register_slot(decoder, ps_ptx_code_register(at, at->instruction->guard));
        step->guard_negated = at->instruction->guard_negated;
    }
}

gboolean ps_ptx_decode_alone(const PsPtxMachine *machine, struct PsPtxDecoder *decoder, guint point,
                             PsPtxStep *step)
{
    const PsPtxPoint *at = &machine->code->points[point];
    PsPtxDecode decode = {.code = machine->code,
                          .point = at,
                          .instruction = at->instruction,
                          .mnemonic = at->instruction->mnemonic,
                          .decoder = decoder,
                          .vectors = machine->vectors};
    g_autofree char *unsupported = NULL;
    g_array_set_size(decoder->before, 0);
    begin_step(step, point, decode.mnemonic);
    if (!decode.mnemonic->known || !by_family(&decode, step, &unsupported) || unsupported)
        return FALSE;
    if (at->instruction->guard >= 0) {
        step->guard =
            (gint32)ps_ptx_register_slot(decoder, ps_ptx_code_register(at, at->instruction->guard));
        step->guard_negated = at->instruction->guard_negated;
    }
    return step->alone;
}

/* Counts the steps that follow each point straight on: lanes part and meet only where blocks
 * begin. */
static void find_straight(PsPtxMachine *machine)
{
    PsPtxStep *steps = machine->steps;
    for (guint i = machine->code->n_points; i-- > 0;) {
        const gboolean on = i + 1 < machine->code->n_points && !machine->code->points[i + 1].leader;
        if (steps[i].straight == 0)
            continue;
        steps[i].straight += on ? steps[i + 1].straight : 0;
        if (steps[i].guard < 0)
            steps[i].plain = 1 + (on ? steps[i + 1].plain : 0);
    }
}

void ps_ptx_decode(PsPtxMachine *machine)
{
    const PsPtxCode *code = machine->code;
    struct PsPtxDecoder *decoder = ps_ptx_decoder_new(code, machine->addresses);
    machine->preludes = g_hash_table_new_full(NULL, NULL, NULL, free_prelude);
    machine->misuses = g_new0(PsPtxMisuse *, machine->code->n_points + 1);
    machine->steps = g_new0(PsPtxStep, (gsize)code->n_points + 1);
    for (guint i = 0; i < code->n_points; i++)
        decode_step(machine, decoder, i);
    begin_step(&machine->steps[code->n_points], code->n_points, NULL);
    machine->steps[code->n_points].execute = ps_ptx_end_kernel;
    find_straight(machine);
    machine->n_slots = decoder->n_slots;
    machine->fixed = g_steal_pointer(&decoder->fixed);
    g_autofree guint *registers = g_new0(guint, (gsize)machine->n_slots + 1);
    for (guint i = 0; i < code->n_registers; i++)
        if (decoder->slot_of[i] > 0)
            registers[decoder->slot_of[i] - 1] = i + 1;
    ps_ptx_rows_place(machine, registers);
    ps_ptx_watch(machine);
    ps_ptx_decoder_free(decoder);
}

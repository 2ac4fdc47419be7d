/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * tensormap.replace changes a field of a tensor map in memory, each lane by itself, and
 * tensormap.cp_fenceproxy copies a map from shared to global memory, as a whole warp. ptxas turns a
 * change into loads, selections of bits and stores: `fields` has the words and bits from that code.
 */
#include "ptx/run/copy.h"
#include "ptx/step/lane.h"
#include "ptx/step/operands.h"
#include "ptx/tensor-map.h"
#include <string.h>

/* A field of a tensor map: the bits of a word that hold a value. */
typedef struct {
    const char *name;
    guint word;     /* byte of the word in the map */
    guint bits, at; /* width of the field, and its first bit, for dimension 0 */
    guint apart;    /* bits from one dimension's field to the next; 0: the map has one such field */
    guint less;     /* difference of the value to the stored bits */
    guint64 most;   /* number of values that are allowed; 0: all that fit */
} Field;

static const Field fields[] = {
    {"global_address", 0, 64, 0, 0, 0, 0},    {"rank", 8, 3, 4, 0, 0, 5},
    {"elemtype", 8, 4, 7, 0, 0, 16},          {"interleave_layout", 8, 2, 11, 0, 0, 3},
    {"swizzle_mode", 8, 2, 13, 0, 0, 4},      {"fill_mode", 8, 1, 15, 0, 0, 2},
    {"swizzle_atomicity", 8, 3, 19, 0, 0, 4}, {"global_dim", 32, 32, 0, 32, 1, 0},
    {"global_stride", 12, 32, 0, 32, 0, 0},   {"element_stride", 52, 3, 0, 3, 1, 0},
    {"box_dim", 52, 8, 24, 8, 1, 0},
};

enum { HIGH_STRIDES = 28, KINDS = 8, WIDE_SWIZZLE = 0x400000, TF32_BIT = 0x10000 };

typedef struct {
    const Field *field;
    guint dimension;
} Replace;

/* Bits of a word that change, and their new values. */
typedef struct {
    guint word;
    guint64 mask, bits;
} Change;

static Change change_of(const Replace *replace, guint64 value)
{
    const Field *field = replace->field;
    const guint at = field->at + replace->dimension * field->apart;
    const guint word = field->word + at / 32 * 4;
    const guint64 ones = field->bits == 64 ? G_MAXUINT64 : ((guint64)1 << field->bits) - 1;
    return (Change){word, ones << at % 32, ((value - field->less) & ones) << at % 32};
}

/* The change of the element's type. The types behind bf16 are tf32, with a bit of its own and the
 * code of f32, and types of fewer than 8 bits. */
static Change change_of_element(guint64 value)
{
    enum { TF32 = PS_TENSOR_TF32, FEWER = PS_TENSOR_TF32_FTZ + 1 };
    const gboolean tf32 = value == TF32 || value == PS_TENSOR_TF32_FTZ;
    const guint64 code = value >= FEWER ? value - 2 : tf32 ? value - TF32 + PS_TENSOR_F32 : value;
    return (Change){KINDS, 15U << 7 | (tf32 ? TF32_BIT : 0), code << 7 | (tf32 ? TF32_BIT : 0)};
}

static gboolean is(const Replace *replace, const char *name)
{
    return strcmp(replace->field->name, name) == 0;
}

/* Gives the changes of words by a new value; returns their number. */
static guint changes_of(const Replace *replace, guint64 value, Change changes[2])
{
    changes[0] = change_of(replace, value);
    if (is(replace, "elemtype"))
        changes[0] = change_of_element(value);
    if (is(replace, "swizzle_mode"))
        changes[0].mask |= WIDE_SWIZZLE;
    if (!is(replace, "global_stride"))
        return 1;
    const guint high = 4 * replace->dimension;
    changes[0].bits = value >> 4 & G_MAXUINT32;
    changes[1] = (Change){HIGH_STRIDES, (guint64)15 << high, (value >> 36 & 15) << high};
    return 2;
}

static gboolean apply(PsPtxWarp *warp, const PsPtxStep *step, guint lane, guint64 map,
                      const Change *change)
{
    guint64 address[PS_PTX_LANES] = {0};
    guint8 *memory[PS_PTX_LANES] = {NULL};
    const guint bytes = change->mask > G_MAXUINT32 ? 8 : 4;
    guint64 word = 0;
    address[lane] = map + change->word;
    if (!ps_ptx_touch(warp, step, (guint32)1 << lane, address, bytes, memory))
        return FALSE;
    memcpy(&word, memory[lane], bytes);
    word = (word & ~change->mask) | change->bits;
    memcpy(memory[lane], &word, bytes);
    return TRUE;
}

static gboolean replace_lane(PsPtxWarp *warp, const PsPtxStep *step, guint lane)
{
    const Replace *replace = step->more;
    const guint64 map = warp->slots[step->from[0]][lane] + (guint64)step->offset;
    const guint64 value = warp->slots[step->from[1]][lane];
    Change changes[2];
    if (map % PS_TENSOR_MAP_BYTES != 0) {
        ps_ptx_fail(warp, step, lane, "changes a tensor map at no multiple of %u bytes",
                    PS_TENSOR_MAP_BYTES);
        return FALSE;
    }
    if (replace->field->most > 0 && value >= replace->field->most) {
        ps_ptx_fail(warp, step, lane,
                    "makes %s of a tensor map %" G_GUINT64_FORMAT
                    "; it may be 0 to %" G_GUINT64_FORMAT,
                    replace->field->name, value, replace->field->most - 1);
        return FALSE;
    }
    const guint n = changes_of(replace, value, changes);
    for (guint i = 0; i < n; i++)
        if (!apply(warp, step, lane, map, &changes[i]))
            return FALSE;
    return TRUE;
}

static void replace_field(PsPtxWarp *warp, const PsPtxStep *step, guint32 mask)
{
    for (guint32 rest = mask; rest != 0; rest &= rest - 1)
        if (!replace_lane(warp, step, (guint)__builtin_ctz(rest)))
            return;
}

/* A warp copies its first lane's map. step->more: offset of the second address from its base. */
static void copy_map(PsPtxWarp *warp, const PsPtxStep *step, guint32 mask)
{
    PsPtxRunner *runner = ps_ptx_runner(warp);
    const gint64 *offset = step->more;
    const guint lane = (guint)__builtin_ctz(mask);
    const PsPtxMany from = {PS_PTX_SHARED, warp->slots[step->from[1]][lane] + (guint64)*offset,
                            PS_TENSOR_MAP_BYTES, TRUE};
    const PsPtxMany to = {PS_PTX_GLOBAL, warp->slots[step->from[0]][lane] + (guint64)step->offset,
                          PS_TENSOR_MAP_BYTES, FALSE};
    if ((from.at | to.at) % PS_TENSOR_MAP_BYTES != 0) {
        ps_ptx_fail(warp, step, lane, "copies a tensor map from or to no multiple of %u bytes",
                    PS_TENSOR_MAP_BYTES);
        return;
    }
    const guint8 *source = ps_ptx_reach_many(runner, step, lane, &from);
    guint8 *target = source ? ps_ptx_reach_many(runner, step, lane, &to) : NULL;
    if (target)
        memcpy(target, source, PS_TENSOR_MAP_BYTES);
    runner->touched = FALSE;
    runner->address[lane] = to.at;
    ps_ptx_note(runner, PS_PTX_GLOBAL, PS_TENSOR_MAP_BYTES);
}

/* ---- decoding ------------------------------------------------------------------------------- */

/* [map], value or [map], dimension, value */
static gboolean decode_replace(PsPtxDecode *decode, PsPtxStep *step)
{
    const PsPtxInstruction *instruction = decode->instruction;
    Replace *replace = g_new0(Replace, 1);
    step->more = replace;
    step->execute = replace_field;
    for (gsize i = 0; i < G_N_ELEMENTS(fields); i++)
        if (ps_ptx_has(decode->mnemonic, fields[i].name))
            replace->field = &fields[i];
    if (!replace->field || !ps_ptx_has(decode->mnemonic, "tile"))
        return FALSE;
    const guint value = replace->field->apart > 0 ? 2 : 1;
    if (instruction->n_operands != value + 1)
        return FALSE;
    if (value == 2) {
        if (instruction->operands[1].kind != PS_PTX_OPERAND_IMMEDIATE ||
            instruction->operands[1].value < 0 ||
            instruction->operands[1].value >= PS_TENSOR_MAX_RANK)
            return FALSE;
        replace->dimension = (guint)instruction->operands[1].value;
    }
    const gboolean wide = replace->field->bits == 64 || is(replace, "global_stride");
    return ps_ptx_decode_from(decode, step, 0, PS_PTX_U64) && step->n_from == 1 &&
           ps_ptx_decode_from(decode, step, value, wide ? PS_PTX_B64 : PS_PTX_B32) &&
           step->n_from == 2;
}

/* [global], [shared], 128 */
static gboolean decode_copy(PsPtxDecode *decode, PsPtxStep *step)
{
    step->execute = copy_map;
    return decode->instruction->n_operands == 3 && ps_ptx_decode_two_addresses(decode, step);
}

gboolean ps_ptx_tensor_map(PsPtxDecode *decode, PsPtxStep *step, char **unsupported)
{
    const PsPtxMnemonic *mnemonic = decode->mnemonic;
    if (strcmp(mnemonic->opcode, "tensormap") != 0)
        return FALSE;
    if (ps_ptx_has(mnemonic, "cp_fenceproxy") ? !decode_copy(decode, step)
                                              : !decode_replace(decode, step))
        return ps_ptx_cannot(decode, step, unsupported);
    return TRUE;
}

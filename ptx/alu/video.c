/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Video instructions on one number (vadd, vabsdiff, vmin, vset, vshl, ...) and on two halves or
 * four bytes (vadd2, vabsdiff4, ...), with the operations on a third source (.add, .min, .max).
 * Operands that are a byte or half of a register, or parts in another order (%r1.b0, %r1.h10), are
 * not executed, and neither is vmad.
 */
#include "ptx/alu/integer.h"

typedef enum { ADD, SUB, DIFFERENCE, LEAST, GREATEST, LEFT, RIGHT, AVERAGE, SET } Kind;
typedef enum { NONE, SUM, LEAST_OF, GREATEST_OF } Second;

typedef struct {
    Kind kind;
    Second second;
    guint parts; /* 1, 2, 4 */
    gboolean signed_d, signed_a, signed_b;
    gboolean sat, wrap;
    gboolean less, equal, greater; /* vset: the relations that give true */
} Video;

/* Shifts by 0 to 32 bits: larger counts are clamped, or wrapped. */
static gint64 shifted(const Video *video, gint64 a, gint64 b)
{
    guint32 by = video->wrap ? (guint32)b & 31 : MIN((guint32)b, 32);
    return video->kind == LEFT ? (gint64)((guint64)a << by) : a >> by;
}

static gint64 primary(const Video *video, gint64 a, gint64 b)
{
    switch (video->kind) {
    case ADD:
        return a + b;
    case SUB:
        return a - b;
    case DIFFERENCE:
        return ABS(a - b);
    case LEAST:
        return MIN(a, b);
    case GREATEST:
        return MAX(a, b);
    case LEFT:
    case RIGHT:
        return shifted(video, a, b);
    case AVERAGE:
        return (a + b + (a + b >= 0 ? 1 : 0)) >> 1;
    case SET:
    default:
        return a < b ? video->less : a == b ? video->equal : video->greater;
    }
}

static gint64 clamped(const Video *video, gint64 value, guint bits)
{
    gint64 most = ((gint64)1 << (bits - (video->signed_d ? 1 : 0))) - 1;
    gint64 least = video->signed_d ? -most - 1 : 0;
    return CLAMP(value, least, most);
}

static gint64 part_of(guint64 word, guint i, guint bits, gboolean is_signed)
{
    guint64 low = word >> (i * bits) & (((guint64)1 << bits) - 1);
    return is_signed ? ps_ptx_signed(low, bits) : (gint64)low;
}

static guint32 combined(const Video *video, guint32 value, guint32 c)
{
    gboolean less = video->signed_d ? (gint32)value < (gint32)c : value < c;
    if (video->second == SUM)
        return value + c;
    return less == (video->second == LEAST_OF) ? value : c;
}

static guint32 one_lane(const Video *video, guint64 a, guint64 b, guint64 c)
{
    guint bits = 32 / video->parts;
    guint32 result = 0;
    guint32 sum = (guint32)c;
    for (guint i = 0; i < video->parts; i++) {
        gint64 value = primary(video, part_of(a, i, bits, video->signed_a),
                               part_of(b, i, bits, video->signed_b));
        if (video->sat)
            value = clamped(video, value, bits);
        guint64 low = (guint64)value & (((guint64)1 << bits) - 1);
        sum += video->signed_d ? (guint32)ps_ptx_signed(low, bits) : (guint32)low;
        result |= (guint32)(low << (i * bits));
    }
    if (video->second == NONE)
        return result;
    return video->parts > 1 ? sum : combined(video, result, (guint32)c);
}

static void execute_video(PsPtxWarp *warp, const PsPtxStep *step, guint32 mask)
{
    const guint64 *a = ps_ptx_source(warp, step, 0);
    const guint64 *b = ps_ptx_source(warp, step, 1);
    const guint64 *c = ps_ptx_source(warp, step, step->n_from == 3 ? 2 : 0);
    guint64 result[PS_PTX_LANES];
    for (guint lane = 0; lane < PS_PTX_LANES; lane++)
        result[lane] = one_lane(step->more, a[lane], b[lane], c[lane]);
    ps_ptx_give(warp, step->to[0], result, mask);
}

static const struct {
    const char *opcode;
    Kind kind;
    guint parts;
} opcodes[] = {
    {"vadd", ADD, 1},
    {"vadd2", ADD, 2},
    {"vadd4", ADD, 4},
    {"vsub", SUB, 1},
    {"vsub2", SUB, 2},
    {"vsub4", SUB, 4},
    {"vabsdiff", DIFFERENCE, 1},
    {"vabsdiff2", DIFFERENCE, 2},
    {"vabsdiff4", DIFFERENCE, 4},
    {"vmin", LEAST, 1},
    {"vmin2", LEAST, 2},
    {"vmin4", LEAST, 4},
    {"vmax", GREATEST, 1},
    {"vmax2", GREATEST, 2},
    {"vmax4", GREATEST, 4},
    {"vavrg2", AVERAGE, 2},
    {"vavrg4", AVERAGE, 4},
    {"vset", SET, 1},
    {"vset2", SET, 2},
    {"vset4", SET, 4},
    {"vshl", LEFT, 1},
    {"vshr", RIGHT, 1},
};

static const struct {
    const char *part;
    gboolean less, equal, greater;
} relations[] = {{"eq", FALSE, TRUE, FALSE}, {"ne", TRUE, FALSE, TRUE},  {"lt", TRUE, FALSE, FALSE},
                 {"le", TRUE, TRUE, FALSE},  {"gt", FALSE, FALSE, TRUE}, {"ge", FALSE, TRUE, TRUE}};

static void read_modifiers(const PsPtxMnemonic *mnemonic, Video *video)
{
    gboolean set = video->kind == SET;
    video->signed_d = !set && mnemonic->types[0] == PS_PTX_S32;
    video->signed_a = mnemonic->types[set ? 0 : 1] == PS_PTX_S32;
    video->signed_b = mnemonic->types[set ? 1 : 2] == PS_PTX_S32;
    video->sat = ps_ptx_has(mnemonic, "sat");
    video->wrap = ps_ptx_has(mnemonic, "wrap");
    video->second = ps_ptx_has(mnemonic, "add")   ? SUM
                    : ps_ptx_has(mnemonic, "min") ? LEAST_OF
                    : ps_ptx_has(mnemonic, "max") ? GREATEST_OF
                                                  : NONE;
    for (guint i = 0; i < G_N_ELEMENTS(relations); i++)
        if (ps_ptx_has(mnemonic, relations[i].part)) {
            video->less = relations[i].less;
            video->equal = relations[i].equal;
            video->greater = relations[i].greater;
        }
}

gboolean ps_ptx_video(PsPtxDecode *decode, PsPtxStep *step, char **unsupported)
{
    const PsPtxMnemonic *mnemonic = decode->mnemonic;
    for (guint i = 0; i < G_N_ELEMENTS(opcodes); i++) {
        if (strcmp(opcodes[i].opcode, mnemonic->opcode) != 0)
            continue;
        Video *video = g_new0(Video, 1);
        step->more = video;
        video->kind = opcodes[i].kind;
        video->parts = opcodes[i].parts;
        read_modifiers(mnemonic, video);
        guint least = video->second == NONE ? 2 : 3;
        if (mnemonic->n_types != (video->kind == SET ? 2 : 3) ||
            !ps_ptx_decode_usual(decode, step, PS_PTX_B32) || step->n_to != 1 ||
            step->n_from < least || step->n_from > 3)
            return ps_ptx_cannot(decode, step, unsupported);
        step->execute = execute_video;
        return TRUE;
    }
    return FALSE;
}

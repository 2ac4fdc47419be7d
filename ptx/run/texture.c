/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Textures and surfaces (texture.h). Weights of a linear filter have 8 bits of fraction, as CUDA's
 * documentation says. Here they are summed exactly and rounded once; how devices do that is not
 * documented.
 */
#include "ptx/alu/families.h"
#include "ptx/run/texture.h"
#include "ptx/run/warp.h"

#include <math.h>
#include <string.h>

enum { FRACTION = 256, CHANNELS = 4, CUBE_FACES = 6 };

typedef enum { SAMPLE, GATHER, LOAD, STORE, QUERY } Does;
typedef enum { OUT_TRAP, OUT_CLAMP, OUT_ZERO } Out;

typedef struct {
    Does does;
    guint rank;     /* number of coordinates without the layer */
    gboolean layer; /* the layer is the first coordinate */
    gboolean cube;
    gboolean whole; /* coordinates are whole numbers */
    gboolean own;   /* values have the texture's own type, as in machine code */
    guint channel;  /* the channel of GATHER */
    guint bytes;    /* bytes of an element of the vector, for LOAD and STORE */
    guint first;    /* the source that STORE stores first */
    Out out;        /* what an access beyond the surface does */
    guint64 (*asked)(const PsPtxTexture *texture); /* the property that QUERY asks for */
} Texture;

/* The places at which lanes with one texture look: an index and a weight for each dimension and
 * side. */
typedef struct {
    gint64 index[2];
    double weight[2];
} Axis;
typedef struct {
    const PsPtxTexture *of;
    guint32 lanes;
    guint rank;
    Axis axis[3][PS_PTX_LANES];
    guint layer[PS_PTX_LANES];
} Look;

static const PsPtxTexture *texture_of(PsPtxWarp *warp, const PsPtxStep *step, guint lane)
{
    const PsPtxLaunch *launch = &ps_ptx_runner(warp)->machine->launch;
    const guint64 handle = warp->slots[step->from[0]][lane];
    if (handle > 0 && handle <= launch->n_textures && launch->textures[handle - 1])
        return launch->textures[handle - 1];
    ps_ptx_fail(warp, step, lane, "uses %" G_GUINT64_FORMAT ", which is no texture or surface",
                handle);
    return NULL;
}

/* ---- coordinates ---------------------------------------------------------------------------- */

static double number(guint64 bits)
{
    const guint32 low = (guint32)bits;
    float value;
    memcpy(&value, &low, sizeof value);
    return isfinite(value) ? CLAMP((double)value, -1e9, 1e9) : 0;
}

static void find_axis(const PsPtxTexture *texture, guint dimension, double at, Axis *axis)
{
    const double n = texture->size[dimension];
    const gboolean turns = texture->normalized && texture->edge[dimension] == PS_PTX_BEYOND_WRAP;
    if (texture->normalized)
        at = (turns ? at - floor(at) : at) * n;
    if (texture->linear) {
        const double fixed = floor((at - 0.5) * FRACTION + 0.5);
        axis->index[0] = (gint64)floor(fixed / FRACTION);
        axis->weight[1] = fixed / FRACTION - (double)axis->index[0];
    } else {
        axis->index[0] = (gint64)floor(at);
        axis->weight[1] = 0;
    }
    axis->index[1] = axis->index[0] + 1;
    axis->weight[0] = 1 - axis->weight[1];
}

/* Finds the face of a cube in a direction, and the place on that face. */
static guint find_face(double x[3])
{
    const double size[] = {fabs(x[0]), fabs(x[1]), fabs(x[2])};
    const guint major = size[0] >= size[1] && size[0] >= size[2] ? 0 : size[1] >= size[2] ? 1 : 2;
    const gboolean back = x[major] < 0;
    const double most = size[major] > 0 ? size[major] : 1;
    const double s = major == 0 ? (back ? x[2] : -x[2]) : major == 1 ? x[0] : back ? -x[0] : x[0];
    const double t = major == 1 ? (back ? -x[2] : x[2]) : -x[1];
    x[0] = (s / most + 1) / 2;
    x[1] = (t / most + 1) / 2;
    return 2 * major + back;
}

static void find_lane(const PsPtxWarp *warp, const PsPtxStep *step, guint lane, Look *look)
{
    const Texture *does = step->more;
    const PsPtxTexture *texture = look->of;
    const guint *from = &step->from[1 + does->layer];
    const guint layer = does->layer ? (guint)warp->slots[step->from[1]][lane] : 0;
    double x[3] = {0, 0, 0};
    for (guint i = 0; i < does->rank; i++)
        x[i] = number(warp->slots[from[i]][lane]);
    const guint face = does->cube ? find_face(x) : 0;
    const guint cubes = does->cube ? CUBE_FACES : 1;
    look->layer[lane] = MIN(layer * cubes + face, MAX(texture->layers, 1) - 1);
    for (guint i = 0; i < look->rank; i++) {
        Axis *axis = &look->axis[i][lane];
        if (does->whole)
            *axis = (Axis){{(gint32)warp->slots[from[i]][lane], 0}, {1, 0}};
        else if (does->own && i > 0 && x[i] == 0 && texture->size[i] == 1)
            *axis = (Axis){{0, 0}, {1, 0}}; /* of one dimension, which machine code reads as two */
        else
            find_axis(texture, i, x[i], axis);
    }
}

/* Puts an index into the texture; FALSE: there is no such element, and *index is the nearest
 * one. */
static gboolean into(const PsPtxTexture *texture, guint dimension, gint64 *index)
{
    const gint64 n = texture->size[dimension];
    const PsPtxBeyond edge = texture->edge[dimension];
    if (*index >= 0 && *index < n)
        return TRUE;
    if (texture->normalized && edge == PS_PTX_BEYOND_WRAP) {
        *index = (*index % n + n) % n;
    } else if (texture->normalized && edge == PS_PTX_BEYOND_MIRROR) {
        const gint64 turn = (*index % (2 * n) + 2 * n) % (2 * n);
        *index = turn < n ? turn : 2 * n - 1 - turn;
    } else {
        *index = CLAMP(*index, 0, n - 1);
        return edge != PS_PTX_BEYOND_BORDER && !texture->plain;
    }
    return TRUE;
}

/* ---- elements ------------------------------------------------------------------------------- */

static gint64 whole_of(const PsPtxTexture *texture, const guint8 *at)
{
    guint32 bits = 0;
    memcpy(&bits, at, texture->bytes);
    const guint unused = 32 - 8 * texture->bytes;
    return texture->texel == PS_PTX_TEXEL_SIGNED ? (gint64)((gint32)(bits << unused) >> unused)
                                                 : (gint64)bits;
}

static double half_of(const guint8 *at)
{
    guint16 bits;
    memcpy(&bits, at, sizeof bits);
    const int exponent = bits >> 10 & 31, mantissa = bits & 1023;
    const double value = exponent == 31 ? (mantissa ? NAN : INFINITY)
                         : exponent     ? ldexp(1024 + mantissa, exponent - 25)
                                        : ldexp(mantissa, -24);
    return bits >> 15 ? -value : value;
}

/* The value of a channel for interpolation, or as a whole number; a double holds both exactly. */
static double channel_of(const PsPtxTexture *texture, const guint8 *at)
{
    float value;
    if (texture->texel == PS_PTX_TEXEL_FLOAT) {
        if (texture->bytes == 2)
            return half_of(at);
        memcpy(&value, at, sizeof value);
        return (double)value;
    }
    const double whole = (double)whole_of(texture, at);
    if (!texture->fraction)
        return whole;
    const guint bits = 8 * texture->bytes - (texture->texel == PS_PTX_TEXEL_SIGNED);
    return MAX(whole / (ldexp(1, (int)bits) - 1), -1);
}

/* Reads one of the elements around: the bits of `tap` choose the side in each dimension. */
static gboolean read_tap(PsPtxWarp *warp, const PsPtxStep *step, const Look *look, guint tap,
                         double value[CHANNELS][PS_PTX_LANES])
{
    const PsPtxTexture *texture = look->of;
    guint64 address[PS_PTX_LANES] = {0};
    guint8 *memory[PS_PTX_LANES];
    guint32 beyond = 0;
    for (guint32 rest = look->lanes; rest != 0; rest &= rest - 1) {
        const guint lane = (guint)__builtin_ctz(rest);
        gint64 index[3] = {0, 0, 0};
        for (guint i = 0; i < look->rank; i++) {
            index[i] = look->axis[i][lane].index[tap >> i & 1];
            beyond |= (guint32)!into(texture, i, &index[i]) << lane;
        }
        address[lane] = texture->address +
                        ((guint64)index[2] + look->layer[lane]) * texture->plane +
                        (guint64)index[1] * texture->pitch +
                        (guint64)index[0] * texture->bytes * texture->channels;
    }
    const PsPtxTouched what = {PS_PTX_GLOBAL, texture->bytes * texture->channels, address, TRUE, 0};
    if (!ps_ptx_reach_more(ps_ptx_runner(warp), step, look->lanes, &what, memory))
        return FALSE;
    for (guint32 rest = look->lanes; rest != 0; rest &= rest - 1) {
        const guint lane = (guint)__builtin_ctz(rest);
        for (guint c = 0; c < CHANNELS; c++)
            value[c][lane] = beyond >> lane & 1 ? (double)texture->border[c]
                             : c < texture->channels
                                 ? channel_of(texture, memory[lane] + (gsize)c * texture->bytes)
                                 : (c == CHANNELS - 1);
    }
    return TRUE;
}

static guint64 bits_of(const PsPtxTexture *texture, const PsPtxStep *step, double value)
{
    const float single = (float)value;
    guint32 bits;
    const gboolean is_float = ((const Texture *)step->more)->own
                                  ? texture->texel == PS_PTX_TEXEL_FLOAT || texture->fraction
                                  : step->type == PS_PTX_F32;
    if (!is_float)
        return (guint32)(gint64)value;
    memcpy(&bits, &single, sizeof bits);
    return bits;
}

/* ---- tex and tld4 --------------------------------------------------------------------------- */

static double weight_of(const Look *look, guint tap, guint lane)
{
    double weight = 1;
    for (guint i = 0; i < look->rank; i++)
        weight *= look->axis[i][lane].weight[tap >> i & 1];
    return weight;
}

/* Adds the elements of a tap with their weights; a single tap has weight 1. */
static void add_tap(const Look *look, guint tap, guint taps, double (*value)[PS_PTX_LANES],
                    double (*sum)[PS_PTX_LANES])
{
    for (guint32 rest = look->lanes; rest != 0; rest &= rest - 1) {
        const guint lane = (guint)__builtin_ctz(rest);
        const double weight = taps > 1 ? weight_of(look, tap, lane) : 1;
        for (guint c = 0; c < CHANNELS; c++)
            sum[c][lane] += weight != 0 ? weight * value[c][lane] : 0;
    }
}

static void sample(PsPtxWarp *warp, const PsPtxStep *step, const Look *look)
{
    double value[CHANNELS][PS_PTX_LANES] = {{0}}, sum[CHANNELS][PS_PTX_LANES] = {{0}};
    const guint taps =
        look->of->linear && !((const Texture *)step->more)->whole ? 1U << look->rank : 1;
    for (guint tap = 0; tap < taps; tap++) {
        if (!read_tap(warp, step, look, tap, value))
            return;
        add_tap(look, tap, taps, value, sum);
    }
    for (guint c = 0; c < step->n_to; c++)
        for (guint lane = 0; lane < PS_PTX_LANES; lane++)
            if (look->lanes >> lane & 1)
                warp->slots[step->to[c]][lane] = bits_of(look->of, step, sum[c][lane]);
}

/* GATHER: one channel of the four elements that a linear filter would read, counter-clockwise from
 * the lower left one. */
static void gather(PsPtxWarp *warp, const PsPtxStep *step, const Look *look)
{
    static const guint order[CHANNELS] = {2, 3, 1, 0};
    const guint channel = ((const Texture *)step->more)->channel;
    double value[CHANNELS][PS_PTX_LANES] = {{0}};
    for (guint c = 0; c < step->n_to && c < CHANNELS; c++) {
        if (!read_tap(warp, step, look, order[c], value))
            return;
        for (guint lane = 0; lane < PS_PTX_LANES; lane++)
            if (look->lanes >> lane & 1)
                warp->slots[step->to[c]][lane] = bits_of(look->of, step, value[channel][lane]);
    }
}

/* The lanes that use the same texture as the first lane. */
static guint32 alike(const PsPtxWarp *warp, const PsPtxStep *step, guint32 lanes)
{
    const guint64 *handle = warp->slots[step->from[0]];
    const guint first = (guint)__builtin_ctz(lanes);
    guint32 same = 0;
    for (guint32 rest = lanes; rest != 0; rest &= rest - 1) {
        const guint lane = (guint)__builtin_ctz(rest);
        same |= (guint32)(handle[lane] == handle[first]) << lane;
    }
    return same;
}

static void look_up(PsPtxWarp *warp, const PsPtxStep *step, guint32 mask)
{
    const Texture *does = step->more;
    Look look = {.rank = does->cube ? 2 : does->rank};
    for (guint32 left = mask; left != 0 && !warp->error; left &= ~look.lanes) {
        PsPtxTexture between;
        look.of = texture_of(warp, step, (guint)__builtin_ctz(left));
        look.lanes = alike(warp, step, left);
        if (!look.of)
            return;
        if (does->does == GATHER) {
            between = *look.of;
            between.linear = TRUE;
            look.of = &between;
        }
        for (guint32 rest = look.lanes; rest != 0; rest &= rest - 1)
            find_lane(warp, step, (guint)__builtin_ctz(rest), &look);
        (does->does == GATHER ? gather : sample)(warp, step, &look);
    }
}

/* ---- suld and sust -------------------------------------------------------------------------- */

/* The address of a lane's bytes; 0: the bytes lie beyond the surface. */
static guint64 surface_address(PsPtxWarp *warp, const PsPtxStep *step, guint lane)
{
    const Texture *does = step->more;
    const PsPtxTexture *surface = texture_of(warp, step, lane);
    gint64 at[3] = {0, 0, 0};
    gboolean inside = TRUE;
    if (!surface)
        return 0;
    const gint64 bytes = does->bytes * step->vector, element = surface->bytes * surface->channels;
    const gint64 most[] = {surface->size[0] * element - bytes, surface->size[1] - 1,
                           surface->size[2] - 1};
    for (guint i = 0; i < does->rank; i++) {
        at[i] = (gint32)warp->slots[step->from[1 + does->layer + i]][lane];
        inside &= at[i] >= 0 && at[i] <= most[i];
        at[i] = CLAMP(at[i], 0, most[i]);
    }
    const guint layer = does->layer ? (guint)warp->slots[step->from[1]][lane] : 0;
    inside &= layer < MAX(surface->layers, 1);
    if (!inside && does->out == OUT_TRAP)
        ps_ptx_fail(warp, step, lane, "accesses what lies beyond a surface of %ux%ux%u elements",
                    surface->size[0], surface->size[1], surface->size[2]);
    if (!inside && (does->out != OUT_CLAMP || does->does == STORE))
        return 0;
    return surface->address +
           ((guint64)at[2] + MIN(layer, MAX(surface->layers, 1) - 1)) * surface->plane +
           (guint64)at[1] * surface->pitch + (guint64)at[0];
}

static void move_lane(PsPtxWarp *warp, const PsPtxStep *step, guint lane, guint8 *memory)
{
    const Texture *does = step->more;
    for (guint i = 0; i < step->vector; i++) {
        guint64 value = 0;
        if (does->does == STORE) {
            memcpy(memory + (gsize)i * does->bytes, &warp->slots[step->from[does->first + i]][lane],
                   does->bytes);
        } else {
            if (memory)
                memcpy(&value, memory + (gsize)i * does->bytes, does->bytes);
            warp->slots[step->to[i]][lane] = value;
        }
    }
}

static void move_surface(PsPtxWarp *warp, const PsPtxStep *step, guint32 mask)
{
    const Texture *does = step->more;
    guint64 address[PS_PTX_LANES] = {0};
    guint8 *memory[PS_PTX_LANES] = {NULL};
    guint32 inside = 0;
    for (guint32 rest = mask; rest != 0 && !warp->error; rest &= rest - 1) {
        const guint lane = (guint)__builtin_ctz(rest);
        address[lane] = surface_address(warp, step, lane);
        inside |= (guint32)(address[lane] != 0) << lane;
    }
    const PsPtxTouched what = {PS_PTX_GLOBAL, does->bytes * step->vector, address,
                               does->does == LOAD, 0};
    if (warp->error || (inside && !ps_ptx_reach(ps_ptx_runner(warp), step, inside, &what, memory)))
        return;
    ps_ptx_runner(warp)->idle = inside ? mask & ~inside : 0;
    for (guint32 rest = does->does == STORE ? inside : mask; rest != 0; rest &= rest - 1)
        move_lane(warp, step, (guint)__builtin_ctz(rest), memory[__builtin_ctz(rest)]);
}

/* ---- txq and suq ---------------------------------------------------------------------------- */

static guint64 ask_width(const PsPtxTexture *texture)
{
    return texture->size[0];
}

static guint64 ask_height(const PsPtxTexture *texture)
{
    return texture->size[1];
}

static guint64 ask_depth(const PsPtxTexture *texture)
{
    return texture->size[2];
}

static guint64 ask_layers(const PsPtxTexture *texture)
{
    return texture->layers;
}

static guint64 ask_normalized(const PsPtxTexture *texture)
{
    return texture->normalized != 0;
}

static void query(PsPtxWarp *warp, const PsPtxStep *step, guint32 mask)
{
    const Texture *does = step->more;
    for (guint32 rest = mask; rest != 0; rest &= rest - 1) {
        const guint lane = (guint)__builtin_ctz(rest);
        const PsPtxTexture *texture = texture_of(warp, step, lane);
        if (!texture)
            return;
        warp->slots[step->to[0]][lane] = does->asked(texture);
    }
}

/* ---- decoding ------------------------------------------------------------------------------- */

/* Reads the shape; FALSE: it is not executed. */
static gboolean read_shape(const PsPtxMnemonic *mnemonic, Texture *does)
{
    static const struct {
        const char *name;
        guint rank;
        gboolean layer, cube;
    } shapes[] = {{"1d", 1, FALSE, FALSE}, {"2d", 2, FALSE, FALSE}, {"3d", 3, FALSE, FALSE},
                  {"a1d", 1, TRUE, FALSE}, {"a2d", 2, TRUE, FALSE}, {"cube", 3, FALSE, TRUE},
                  {"acube", 3, TRUE, TRUE}};
    for (guint i = 0; i < G_N_ELEMENTS(shapes); i++)
        if (ps_ptx_has(mnemonic, shapes[i].name)) {
            does->rank = shapes[i].rank;
            does->layer = shapes[i].layer;
            does->cube = shapes[i].cube;
            return TRUE;
        }
    return FALSE;
}

static Texture *begin(PsPtxStep *step, Does what, PsPtxExecute execute)
{
    Texture *does = g_new0(Texture, 1);
    does->does = what;
    step->more = does;
    step->execute = execute;
    return does;
}

/* Levels and slopes choose among smaller copies of a texture, and here there are none. */
static gboolean decode_tex(PsPtxDecode *decode, PsPtxStep *step)
{
    Texture *does = begin(step, SAMPLE, look_up);
    does->whole = step->type2 == PS_PTX_S32;
    does->own = step->type == PS_PTX_B32;
    return read_shape(decode->mnemonic, does) && ps_ptx_type_size(step->type) == 4 &&
           step->type != PS_PTX_F16X2 && ps_ptx_decode_to(decode, step, 0) &&
           ps_ptx_decode_from(decode, step, 1, PS_PTX_B64) &&
           step->n_from >= 1 + does->layer + does->rank;
}

static gboolean decode_tld4(PsPtxDecode *decode, PsPtxStep *step)
{
    static const char *const channels[CHANNELS] = {"r", "g", "b", "a"};
    Texture *does = begin(step, GATHER, look_up);
    does->own = step->type == PS_PTX_B32;
    for (guint i = 0; i < CHANNELS; i++)
        if (ps_ptx_has(decode->mnemonic, channels[i]))
            does->channel = i;
    return read_shape(decode->mnemonic, does) && does->rank == 2 &&
           ps_ptx_decode_to(decode, step, 0) && ps_ptx_decode_from(decode, step, 1, PS_PTX_B64) &&
           step->n_from >= 1 + does->layer + does->rank;
}

static gboolean decode_surface(PsPtxDecode *decode, PsPtxStep *step, Does what)
{
    const PsPtxMnemonic *mnemonic = decode->mnemonic;
    Texture *does = begin(step, what, move_surface);
    does->bytes = ps_ptx_type_size(step->type);
    does->out = ps_ptx_has(mnemonic, "clamp")  ? OUT_CLAMP
                : ps_ptx_has(mnemonic, "zero") ? OUT_ZERO
                                               : OUT_TRAP;
    return ps_ptx_has(mnemonic, "b") && does->bytes > 0 && read_shape(mnemonic, does) &&
           !does->cube;
}

static gboolean decode_suld(PsPtxDecode *decode, PsPtxStep *step)
{
    return decode_surface(decode, step, LOAD) && ps_ptx_decode_to(decode, step, 0) &&
           ps_ptx_decode_from(decode, step, 1, PS_PTX_B64) && step->n_to == step->vector;
}

static gboolean decode_sust(PsPtxDecode *decode, PsPtxStep *step)
{
    if (!decode_surface(decode, step, STORE) || !ps_ptx_decode_from(decode, step, 0, PS_PTX_B64))
        return FALSE;
    ((Texture *)step->more)->first = step->n_from;
    return ps_ptx_decode_from(decode, step, 1, step->type);
}

static gboolean decode_query(PsPtxDecode *decode, PsPtxStep *step)
{
    static const struct {
        const char *name;
        guint64 (*asked)(const PsPtxTexture *texture);
    } list[] = {{"width", ask_width},
                {"height", ask_height},
                {"depth", ask_depth},
                {"array_size", ask_layers},
                {"normalized_coords", ask_normalized}};
    Texture *does = begin(step, QUERY, query);
    for (guint i = 0; i < G_N_ELEMENTS(list); i++)
        if (ps_ptx_has(decode->mnemonic, list[i].name))
            does->asked = list[i].asked;
    return does->asked && ps_ptx_decode_usual(decode, step, PS_PTX_B64);
}

static const PsPtxOpcode table[] = {{"tex", decode_tex},   {"tld4", decode_tld4},
                                    {"suld", decode_suld}, {"sust", decode_sust},
                                    {"txq", decode_query}, {"suq", decode_query}};

/* A launch that does not say what handles stand for cannot execute textures. */
gboolean ps_ptx_texture(PsPtxDecode *decode, PsPtxStep *step, char **unsupported)
{
    if (!decode->textures && ps_ptx_find_opcode(decode, table, G_N_ELEMENTS(table))) {
        *unsupported = g_strdup(decode->mnemonic->text);
        return TRUE;
    }
    return ps_ptx_decode_by(decode, step, table, G_N_ELEMENTS(table), unsupported);
}

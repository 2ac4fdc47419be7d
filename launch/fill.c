/* SPDX-License-Identifier: BSD-3-Clause */
/* Values go through double where the type has a fraction, through 64 bits else. */
#include "launch/fill.h"

#include "base/file.h"
#include "base/usage.h"
#include "launch/blocks.h"
#include "launch/launch.h"

#include <errno.h>
#include <glib/gstdio.h>
#include <math.h>
#include <string.h>
#include <sys/stat.h>

/* More than GPUs have. */
#define MOST_BYTES (G_GUINT64_CONSTANT(1) << 36)

typedef enum { KIND_NONE, KIND_INTEGER, KIND_FLOAT, KIND_EITHER } Kind;

/* What numbers a type takes: .b32 of newer compilers is an int or a float. */
static Kind kind_of(PsPtxType type)
{
    switch (type) {
    case PS_PTX_F16:
    case PS_PTX_BF16:
    case PS_PTX_F32:
    case PS_PTX_F64:
        return KIND_FLOAT;
    case PS_PTX_B16:
    case PS_PTX_B32:
    case PS_PTX_B64:
        return KIND_EITHER;
    case PS_PTX_B8:
    case PS_PTX_U8:
    case PS_PTX_U16:
    case PS_PTX_U32:
    case PS_PTX_U64:
    case PS_PTX_S8:
    case PS_PTX_S16:
    case PS_PTX_S32:
    case PS_PTX_S64:
        return KIND_INTEGER;
    default:
        return KIND_NONE;
    }
}

gboolean ps_fill_is_float(PsPtxType type)
{
    return kind_of(type) == KIND_FLOAT;
}

/* ---- bits of floating-point numbers -------------------------------------------------------- */

static guint32 single_bits(double value)
{
    const float single = (float)value;
    guint32 bits;
    memcpy(&bits, &single, sizeof bits);
    return bits;
}

/* Rounded to the nearest, ties to even; what is too large becomes infinite. */
static guint32 half_bits(double value)
{
    const guint32 sign = signbit(value) ? 0x8000 : 0;
    const double size = fabs(value);
    int exponent;
    if (isnan(value))
        return sign | 0x7e00;
    if (size >= 65520)
        return sign | 0x7c00;
    if (!(size > 0))
        return sign;
    (void)frexp(size, &exponent);
    /* The last place: of normal numbers 2^-11 of the power above, of small ones 2^-24. */
    const int place = MAX(exponent - 11, -24);
    const guint32 units = (guint32)nearbyint(ldexp(size, -place));
    return sign | (place == -24 ? units : ((guint32)(place + 24) << 10) + units);
}

/* The upper half of a single, rounded likewise. */
static guint32 brain_bits(double value)
{
    const guint32 bits = single_bits(value);
    if (isnan(value))
        return (bits >> 16) | 0x40;
    return (bits + 0x7fff + ((bits >> 16) & 1)) >> 16;
}

guint64 ps_fill_float_bits(double value, PsPtxType type)
{
    guint64 bits;
    switch (type) {
    case PS_PTX_F16:
    case PS_PTX_B16:
        return half_bits(value);
    case PS_PTX_BF16:
        return brain_bits(value);
    case PS_PTX_F64:
    case PS_PTX_B64:
        memcpy(&bits, &value, sizeof bits);
        return bits;
    default:
        return single_bits(value);
    }
}

/* ---- numbers ------------------------------------------------------------------------------- */

/* Whether so many bits hold it, as a number with a sign or as one without. */
static gboolean parse_integer(const char *text, guint size, guint64 *bits)
{
    const gboolean negative = *text == '-';
    const char *digits = text + negative;
    const gboolean hex = digits[0] == '0' && (digits[1] == 'x' || digits[1] == 'X');
    const guint width = 8 * size;
    char *end;
    digits += hex ? 2 : 0;
    if (!g_ascii_isxdigit(*digits))
        return FALSE;
    errno = 0;
    const guint64 value = g_ascii_strtoull(digits, &end, hex ? 16 : 10);
    if (errno || *end)
        return FALSE;
    const guint64 most = negative      ? G_GUINT64_CONSTANT(1) << (width - 1)
                         : width == 64 ? G_MAXUINT64
                                       : (G_GUINT64_CONSTANT(1) << width) - 1;
    if (value > most)
        return FALSE;
    *bits = (negative ? 0 - value : value) &
            (width == 64 ? G_MAXUINT64 : (G_GUINT64_CONSTANT(1) << width) - 1);
    return TRUE;
}

static gboolean parse_float(const char *text, PsPtxType type, guint64 *bits)
{
    char *end;
    const double value = g_ascii_strtod(text, &end);
    if (end == text || *end || g_ascii_isspace(*text))
        return FALSE;
    *bits = ps_fill_float_bits(value, type);
    return TRUE;
}

gboolean ps_fill_number(const char *what, const char *text, PsPtxType type, guint64 *bits,
                        GError **error)
{
    const Kind kind = kind_of(type);
    *bits = 0;
    if ((kind & KIND_INTEGER) != 0 && parse_integer(text, ps_ptx_type_size(type), bits))
        return TRUE;
    if ((kind & KIND_FLOAT) != 0 && parse_float(text, type, bits))
        return TRUE;
    return ps_usage_error(error,
                          "%s: '%s' is no %s of the type .%s, and no zero:BYTES, ramp:BYTES, "
                          "random:BYTES or @FILE",
                          what, text, kind == KIND_INTEGER ? "whole number" : "number",
                          ps_ptx_type_name(type));
}

/* ---- buffers ------------------------------------------------------------------------------- */

gboolean ps_launch_bytes(const char *text, guint64 *bytes)
{
    static const char units[] = "KMG";
    const gsize length = strlen(text);
    const char *unit = length > 1 ? strchr(units, text[length - 1]) : NULL;
    const guint shift = unit ? 10 * (guint)(unit - units + 1) : 0;
    g_autofree char *number = g_strndup(text, unit ? length - 1 : length);
    if (!g_ascii_string_to_unsigned(number, 10, 0, G_MAXINT64 >> shift, bytes, NULL))
        return FALSE;
    *bytes <<= shift;
    return TRUE;
}

static gboolean parse_type(const char *what, const char *text, PsPtxType *type, GError **error)
{
    *type = PS_PTX_F32;
    if (!text || !*text)
        return TRUE;
    for (PsPtxType each = PS_PTX_NO_TYPE; each < PS_PTX_N_TYPES; each++)
        if (strcmp(text, ps_ptx_type_name(each)) == 0 && kind_of(each) != KIND_NONE &&
            kind_of(each) != KIND_EITHER) {
            *type = each;
            return TRUE;
        }
    return ps_usage_error(error,
                          "%s: there is no type '%s' of elements; it is f32, f64, f16, bf16, u8, "
                          "u16, u32, u64, s8, s16, s32 or s64",
                          what, text);
}

static gboolean parse_size(const char *what, const char *text, const PsScope *scope, gsize *size,
                           GError **error)
{
    const PsIntRange range = {"number of bytes", 0, (gint64)MOST_BYTES};
    guint64 bytes;
    gint64 value;
    if (ps_launch_bytes(text, &bytes)) {
        *size = bytes;
        return bytes <= MOST_BYTES ||
               ps_usage_error(error, "%s: %s bytes are more than any GPU has", what, text);
    }
    g_autoptr(GError) why = NULL;
    g_autoptr(PsExpr) expr = ps_expr_new(text, (PsPlace){what, 0}, &why);
    if (!expr)
        return ps_usage_error(
            error,
            "%s: '%s' is no number of bytes; write 4096, 4K, 4M, 1G, or a formula "
            "of other arguments such as 4*n",
            what, text);
    if (!ps_expr_eval_int(expr, scope, (PsPlace){what, 0}, &range, &value, &why))
        return ps_usage_error(error, "%s", why->message);
    *size = (gsize)value;
    return TRUE;
}

/* A whole number; *value stays as it is where there is no text. */
static gboolean parse_count(const char *what, const char *text, guint64 most, guint64 *value,
                            GError **error)
{
    return !text || !*text || g_ascii_string_to_unsigned(text, 10, 0, most, value, NULL) ||
           ps_usage_error(error, "%s: '%s' is no whole number from 0 to %" G_GUINT64_FORMAT, what,
                          text, most);
}

/* The text's parts between colons, NULL where they are missing. */
typedef enum { FILL_ZERO, FILL_RAMP, FILL_RANDOM, N_FILLS } FillKind;

typedef struct {
    FillKind kind;
    const char *bytes, *parts[3];
} Fill;

static gboolean split(const char *what, char **words, Fill *fill, GError **error)
{
    static const struct {
        const char *name, *usage;
        guint most;
    } kinds[] = {[FILL_ZERO] = {"zero", "zero:BYTES", 2},
                 [FILL_RAMP] = {"ramp", "ramp:BYTES[:TYPE]", 3},
                 [FILL_RANDOM] = {"random", "random:BYTES[:SEED[:TYPE[:BELOW]]]", 5}};
    const guint n = g_strv_length(words);
    FillKind kind = FILL_ZERO;
    while (kind < N_FILLS && g_strcmp0(words[0], kinds[kind].name) != 0)
        kind++;
    if (kind == N_FILLS)
        return ps_usage_error(error,
                              "%s: a buffer cannot be filled with '%s'; it is %s, %s, %s or @FILE",
                              what, n ? words[0] : "", kinds[FILL_ZERO].usage,
                              kinds[FILL_RAMP].usage, kinds[FILL_RANDOM].usage);
    if (n < 2 || n > kinds[kind].most || !*words[1])
        return ps_usage_error(error, "%s: write %s", what, kinds[kind].usage);
    fill->kind = kind;
    fill->bytes = words[1];
    for (guint i = 2; i < n; i++)
        fill->parts[i - 2] = words[i];
    return TRUE;
}

static gboolean parse(const char *what, const Fill *fill, PsFill *as, GError **error)
{
    guint64 seed = 1;
    as->random = fill->kind == FILL_RANDOM;
    if (!parse_type(what, fill->parts[as->random ? 1 : 0], &as->type, error) ||
        (as->random && (!parse_count(what, fill->parts[0], G_MAXUINT32, &seed, error) ||
                        !parse_count(what, fill->parts[2], G_MAXINT64, &as->below, error))))
        return FALSE;
    as->seed = (guint32)seed;
    return TRUE;
}

static guint8 *make(const char *what, const Fill *fill, const PsScope *scope, gsize *size,
                    PsPtxBlocks **blocks, GError **error)
{
    PsFill as = {0};
    if (!parse(what, fill, &as, error) || !parse_size(what, fill->bytes, scope, size, error))
        return NULL;
    guint8 *data = g_malloc0(MAX(*size, 1));
    if (fill->kind != FILL_ZERO)
        *blocks = ps_blocks_new(&as, data, *size);
    return data;
}

gboolean ps_fill_is(const char *text)
{
    return *text == '@' || strchr(text, ':');
}

/* Of devices some have no end. */
static guint8 *read_bytes(const char *what, const char *path, gsize *size, GError **error)
{
    GStatBuf status;
    if (g_stat(path, &status) == 0 && (S_ISCHR(status.st_mode) || S_ISBLK(status.st_mode))) {
        g_set_error(
            error, PS_ERROR, PS_ERROR_READ,
            "%s: %s is a device, whose bytes have no end; name a file, or say zero:BYTES or "
            "random:BYTES",
            what, path);
        return NULL;
    }
    return (guint8 *)ps_file_read(path, MOST_BYTES, size, error);
}

guint8 *ps_fill_make_later(const char *what, const char *text, const PsScope *scope, gsize *size,
                           PsPtxBlocks **blocks, GError **error)
{
    *blocks = NULL;
    if (*text == '@')
        return read_bytes(what, text + 1, size, error);
    g_auto(GStrv) words = g_strsplit(text, ":", 6);
    Fill fill = {0};
    return split(what, words, &fill, error) ? make(what, &fill, scope, size, blocks, error) : NULL;
}

guint8 *ps_fill_make(const char *what, const char *text, const PsScope *scope, gsize *size,
                     GError **error)
{
    PsPtxBlocks *blocks;
    guint8 *data = ps_fill_make_later(what, text, scope, size, &blocks, error);
    ps_blocks_finish(blocks);
    ps_blocks_free(blocks);
    return data;
}

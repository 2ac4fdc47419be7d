/* SPDX-License-Identifier: BSD-3-Clause */
/* Reads how a person describes the content of a buffer. */
#include "launch/fill.h"

#include "base/count.h"
#include "base/file.h"
#include "base/usage.h"
#include "launch/blocks.h"
#include "launch/launch.h"
#include "launch/value.h"

#include <fcntl.h>
#include <glib/gstdio.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

/* More bytes than a GPU has. */
#define MOST_BYTES (G_GUINT64_CONSTANT(1) << 36)

/* ---- parts of the text ---------------------------------------------------------------------- */

static gboolean parse_type(const char *what, const char *text, PsPtxType *type, GError **error)
{
    *type = PS_PTX_F32;
    if (!text || !*text)
        return TRUE;
    for (PsPtxType each = PS_PTX_NO_TYPE; each < PS_PTX_N_TYPES; each++)
        if (strcmp(text, ps_ptx_type_name(each)) == 0 && ps_value_is_element(each)) {
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
    if (ps_count_parse(text, &bytes)) {
        *size = bytes;
        return bytes <= MOST_BYTES ||
               ps_usage_error(error, "%s: %s bytes are more than any GPU has", what, text);
    }
    g_autoptr(GError) why = NULL;
    g_autofree char *formula = ps_value_expand(text);
    g_autoptr(PsExpr) expr = ps_expr_new(formula, (PsPlace){what, 0}, &why);
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

/* Reads a whole number; without a text *value stays. */
static gboolean parse_count(const char *what, const char *text, guint64 most, guint64 *value,
                            GError **error)
{
    return !text || !*text || g_ascii_string_to_unsigned(text, 10, 0, most, value, NULL) ||
           ps_usage_error(error, "%s: '%s' is no whole number from 0 to %" G_GUINT64_FORMAT, what,
                          text, most);
}

/* The parts of the text between colons; NULL: missing. */
typedef struct {
    PsFillKind kind;
    const char *bytes, *parts[3];
} Fill;

static gboolean split(const char *what, char **words, Fill *fill, GError **error)
{
    static const struct {
        const char *name, *usage;
        guint most;
    } kinds[] = {[PS_FILL_ZERO] = {"zero", "zero:BYTES", 2},
                 [PS_FILL_RAMP] = {"ramp", "ramp:BYTES[:TYPE]", 3},
                 [PS_FILL_RANDOM] = {"random", "random:BYTES[:SEED[:TYPE[:BELOW]]]", 5}};
    const guint n = g_strv_length(words);
    PsFillKind kind = PS_FILL_ZERO;
    while (kind < G_N_ELEMENTS(kinds) && g_strcmp0(words[0], kinds[kind].name) != 0)
        kind++;
    if (kind == G_N_ELEMENTS(kinds))
        return ps_usage_error(error,
                              "%s: a buffer cannot be filled with '%s'; it is %s, %s, %s or @FILE",
                              what, n ? words[0] : "", kinds[PS_FILL_ZERO].usage,
                              kinds[PS_FILL_RAMP].usage, kinds[PS_FILL_RANDOM].usage);
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
    const gboolean random = fill->kind == PS_FILL_RANDOM;
    as->kind = fill->kind;
    if (!parse_type(what, fill->parts[random ? 1 : 0], &as->type, error) ||
        (random && (!parse_count(what, fill->parts[0], G_MAXUINT32, &seed, error) ||
                    !parse_count(what, fill->parts[2], G_MAXINT64, &as->below, error))))
        return FALSE;
    as->seed = (guint32)seed;
    return TRUE;
}

static guint8 *make(const char *what, const Fill *fill, const PsScope *scope, gsize *size,
                    PsPtxBlocks **blocks, GError **error)
{
    PsFill as = {0};
    guint8 *data;
    if (!parse(what, fill, &as, error) || !parse_size(what, fill->bytes, scope, size, error))
        return NULL;
    *blocks = ps_blocks_new(&as, *size, &data, error);
    return data;
}

/* ---- bytes ---------------------------------------------------------------------------------- */

gboolean ps_fill_is(const char *text)
{
    return *text == '@' || strchr(text, ':');
}

/* A file is read where it is touched. An input without places, such as a pipe, is read at once;
 * some devices have no end. */
static guint8 *read_bytes(const char *what, const char *path, gsize *size, PsPtxBlocks **blocks,
                          GError **error)
{
    GStatBuf status;
    const gboolean there = g_stat(path, &status) == 0;
    guint8 *data;
    if (there && (S_ISCHR(status.st_mode) || S_ISBLK(status.st_mode))) {
        g_set_error(
            error, PS_ERROR, PS_ERROR_READ,
            "%s: %s is a device, whose bytes have no end; name a file, or say zero:BYTES or "
            "random:BYTES",
            what, path);
        return NULL;
    }
    if (!there || !S_ISREG(status.st_mode) || status.st_size < PS_PTX_BLOCK ||
        (guint64)status.st_size > MOST_BYTES)
        return (guint8 *)ps_file_read(path, MOST_BYTES, size, error);
    const PsFill fill = {
        .kind = PS_FILL_FILE, .file = open(path, O_RDONLY | O_CLOEXEC), .path = path};
    if (fill.file < 0)
        return (guint8 *)ps_file_read(path, MOST_BYTES, size, error); /* reports the reason */
    *size = (gsize)status.st_size;
    *blocks = ps_blocks_new(&fill, *size, &data, error);
    if (!*blocks)
        close(fill.file);
    return data;
}

gboolean ps_fill_check(const char *what, const char *text, GError **error)
{
    g_auto(GStrv) words = g_strsplit(text, ":", 6);
    g_autoptr(PsScope) none = ps_scope_new();
    Fill fill = {0};
    PsFill as = {0};
    guint64 bytes;
    gsize size;
    if (*text == '@') {
        g_autofree guint8 *read = NULL;
        if (!g_file_test(text + 1, G_FILE_TEST_EXISTS))
            read = (guint8 *)ps_file_read(text + 1, MOST_BYTES, &size, error);
        return read || g_file_test(text + 1, G_FILE_TEST_EXISTS);
    }
    if (!split(what, words, &fill, error) || !parse(what, &fill, &as, error))
        return FALSE;
    g_autofree char *formula = ps_value_expand(fill.bytes);
    g_autoptr(PsExpr) expr = ps_expr_new(formula, (PsPlace){what, 0}, NULL);
    return (expr && !ps_count_parse(fill.bytes, &bytes)) ||
           parse_size(what, fill.bytes, none, &size, error);
}

guint8 *ps_fill_make_later(const char *what, const char *text, const PsScope *scope, gsize *size,
                           PsPtxBlocks **blocks, GError **error)
{
    *blocks = NULL;
    if (*text == '@')
        return read_bytes(what, text + 1, size, blocks, error);
    g_auto(GStrv) words = g_strsplit(text, ":", 6);
    Fill fill = {0};
    return split(what, words, &fill, error) ? make(what, &fill, scope, size, blocks, error) : NULL;
}

guint8 *ps_fill_make(const char *what, const char *text, const PsScope *scope, gsize *size,
                     GError **error)
{
    PsPtxBlocks *blocks;
    guint8 *data = ps_fill_make_later(what, text, scope, size, &blocks, error);
    if (!data || !blocks)
        return data;
    guint8 *copy = ps_blocks_finish(blocks, error) ? g_malloc(MAX(*size, 1)) : NULL;
    if (copy)
        memcpy(copy, data, *size);
    ps_blocks_free(blocks);
    return copy;
}

void ps_fill_free(guint8 *data, PsPtxBlocks *blocks)
{
    if (blocks)
        ps_blocks_free(blocks);
    else
        g_free(data);
}

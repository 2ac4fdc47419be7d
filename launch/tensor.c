/* SPDX-License-Identifier: BSD-3-Clause */
#include "launch/tensor.h"

#include "base/count.h"
#include "base/usage.h"
#include "launch/fill.h"
#include "launch/lent.h"
#include "ptx/names.h"
#include "ptx/tensor-map.h"

#include <string.h>

#define BEGIN "tensor:"
#define USAGE "tensor:TYPE:SIZE[:box=SIZE][:swizzle=BYTES][:stride=BYTES][:step=SIZE][:nan]:BUFFER"

gboolean ps_tensor_is(const char *text)
{
    return g_str_has_prefix(text, BEGIN);
}

/* Reads "4096x128" as numbers and returns how many; 0: the text is not 1 to `most` numbers. */
static guint read_numbers(const char *text, guint64 *numbers, guint most)
{
    g_auto(GStrv) parts = g_strsplit(text, "x", -1);
    const guint n = g_strv_length(parts);
    for (guint i = 0; i < n && n <= most; i++)
        if (!ps_count_parse(parts[i], &numbers[i]) || numbers[i] == 0)
            return 0;
    return n <= most ? n : 0;
}

/* Reads one part NAME=VALUE; FALSE: the text is no such part. */
static gboolean read_part(const char *part, PsTensorMap *map)
{
    guint64 numbers[PS_TENSOR_MAX_RANK] = {0};
    const char *equals = strchr(part, '=');
    if (strcmp(part, "nan") == 0)
        return map->nan = TRUE;
    if (!equals)
        return FALSE;
    const guint n = read_numbers(equals + 1, numbers, map->rank);
    if (g_str_has_prefix(part, "swizzle="))
        map->swizzle = (guint)numbers[0];
    for (guint i = 0; i < n; i++)
        if (g_str_has_prefix(part, "box="))
            map->box[i] = (guint)MIN(numbers[i], G_MAXINT);
        else if (g_str_has_prefix(part, "step="))
            map->step[i] = (guint)MIN(numbers[i], G_MAXINT);
        else if (g_str_has_prefix(part, "stride=") && i + 1 < map->rank)
            map->stride[i + 1] = numbers[i];
    if (g_str_has_prefix(part, "swizzle="))
        return n == 1 && (map->swizzle == 32 || map->swizzle == 64 || map->swizzle == 128);
    if (g_str_has_prefix(part, "stride="))
        return n + 1 == map->rank;
    return n == map->rank && (g_str_has_prefix(part, "box=") || g_str_has_prefix(part, "step="));
}

/* Reads the type and the size. */
static gboolean begin(const char *what, char **parts, PsTensorMap *map, GError **error)
{
    if (g_strv_length(parts) < 4)
        return ps_usage_error(error, "%s: write %s", what, USAGE);
    if (!ps_tensor_element_called(parts[1], &map->element))
        return ps_usage_error(error,
                              "%s: there is no type '%s' of a tensor's elements; it is fp16, bf16, "
                              "fp32, tf32, fp64, u8 (and fp8), u16, u32, s32, u64 or s64",
                              what, parts[1]);
    map->rank = read_numbers(parts[2], map->size, PS_TENSOR_MAX_RANK);
    if (map->rank == 0)
        return ps_usage_error(error,
                              "%s: '%s' is no size of a tensor; write the elements of each of 1 to "
                              "5 dimensions, such as 4096x128",
                              what, parts[2]);
    map->stride[0] = ps_tensor_element_bytes(map->element);
    for (guint i = 0; i < map->rank; i++) {
        map->box[i] = (guint)MIN(map->size[i], 256);
        map->step[i] = 1;
        if (i > 0)
            map->stride[i] = map->stride[i - 1] * map->size[i - 1];
    }
    return TRUE;
}

static guint64 bytes_of(const PsTensorMap *map)
{
    guint64 bytes = map->size[0] * map->stride[0];
    for (guint i = 1; i < map->rank; i++)
        bytes += (map->size[i] - 1) * map->stride[i];
    return bytes;
}

/* The buffer's text (g_free): parts from `first` on. */
static char *buffer_of(char **parts, guint first, const PsTensorMap *map)
{
    const char *type = map->element == PS_TENSOR_F16    ? "f16"
                       : map->element == PS_TENSOR_BF16 ? "bf16"
                       : map->element == PS_TENSOR_F64  ? "f64"
                       : map->element == PS_TENSOR_U8   ? "u8"
                       : map->element <= PS_TENSOR_U32  ? "u32"
                                                        : "f32";
    if (parts[first + 1])
        return g_strjoinv(":", parts + first);
    if (strcmp(parts[first], "zero") == 0)
        return g_strdup_printf("zero:%" G_GUINT64_FORMAT, bytes_of(map));
    if (strcmp(parts[first], "ramp") == 0)
        return g_strdup_printf("ramp:%" G_GUINT64_FORMAT ":%s", bytes_of(map), type);
    if (strcmp(parts[first], "random") == 0)
        return g_strdup_printf("random:%" G_GUINT64_FORMAT ":1:%s", bytes_of(map), type);
    return g_strdup(parts[first]);
}

/* Reads the map without its address, and the text of its buffer (g_free). */
static gboolean parse(const char *what, const char *text, PsTensorMap *map, char **buffer,
                      GError **error)
{
    g_auto(GStrv) parts = g_strsplit(text, ":", -1);
    guint i = 3;
    if (!begin(what, parts, map, error))
        return FALSE;
    while (parts[i] &&
           (strcmp(parts[i], "nan") == 0 || (*parts[i] != '@' && strchr(parts[i], '='))))
        if (!read_part(parts[i++], map))
            return ps_usage_error(error,
                                  "%s: '%s' is no part of a tensor of %u dimensions; write %s",
                                  what, parts[i - 1], map->rank, USAGE);
    if (!parts[i])
        return ps_usage_error(error, "%s: nothing says what the tensor holds; write %s", what,
                              USAGE);
    g_autofree char *wrong = ps_tensor_map_wrong(map);
    if (wrong)
        return ps_usage_error(error, "%s: this is no tensor map, since %s", what, wrong);
    *buffer = buffer_of(parts, i, map);
    return TRUE;
}

gboolean ps_tensor_check(const char *what, const char *text, GHashTable *lent, GError **error)
{
    PsTensorMap map = {0};
    g_autofree char *buffer = NULL;
    return parse(what, text, &map, &buffer, error) &&
           (ps_lent_find(lent, buffer) || ps_fill_check(what, buffer, error));
}

gboolean ps_tensor_set(const PsFieldsOf *of, PsPtxArgument *argument, const char *text,
                       GError **error)
{
    PsTensorMap map = {0};
    g_autofree char *buffer = NULL;
    if (of->param->size != PS_TENSOR_MAP_BYTES)
        return ps_usage_error(error,
                              "%s: this argument is no tensor map, which has %d bytes; it has "
                              "%" G_GUINT64_FORMAT,
                              of->what, PS_TENSOR_MAP_BYTES, of->param->size);
    if (!parse(of->what, text, &map, &buffer, error) ||
        !ps_fields_set(of, argument, 0, buffer, error))
        return FALSE;
    ps_tensor_map_encode(&map, (guint8 *)argument->bytes);
    const guint64 given = argument->fields[argument->n_fields - 1].size;
    return given >= bytes_of(&map) || ps_usage_error(error,
                                                     "%s: the tensor takes %" G_GUINT64_FORMAT
                                                     " bytes, and %" G_GUINT64_FORMAT " were given",
                                                     of->what, bytes_of(&map), given);
}

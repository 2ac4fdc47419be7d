/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * The peaks that the Empirical Roofline Toolkit found:
 *
 *     roofline.json    {"empirical": {"gflops": {"data": [["FP64 GFLOPs", 7068.86]]},
 *                                     "gbytes": {"data": [["L1", 2996.82], ["DRAM", 828.76]]}}}
 *     sum, and text    "7068.86 FP64 GFLOPs EMP", "2996.82 L1 EMP", "828.76 DRAM EMP"
 *
 * Several runs may follow one another: the highest figure of each counts. A figure without a
 * precision is double, the only one that ERT had at first.
 *
 * ERT numbers the plateaus of bandwidth that it sees from the innermost on, and does not see all
 * caches of a GPU: the plateau that it calls L1 on a V100 is L2. Device memory is the outermost, so
 * plateaus are counted from there; if there are more plateaus than the GPU has caches, their caches
 * are not known.
 */
#include "base/json-read.h"
#include "roofline/import/peaks.h"
#include "roofline/terms.h"

#include <math.h>
#include <string.h>

#define JSON_MAX_BYTES (16 << 20)

#define MOST_CACHES 4

/* ERT's figures, in 10^9 per second; 0: none. */
typedef struct {
    double half, single, of_double, tensor;
    double cache[MOST_CACHES]; /* from the innermost plateau on */
    double device;
} Found;

/* The place of a peak of that name; NULL: the name is no peak's. */
static double *place_of(Found *found, const char *name)
{
    const struct {
        const char *name;
        double *place;
    } places[] = {{"GFLOPs", &found->of_double},     {"FP64 GFLOPs", &found->of_double},
                  {"FP32 GFLOPs", &found->single},   {"FP16 GFLOPs", &found->half},
                  {"TENSOR GFLOPs", &found->tensor}, {"L1", &found->cache[0]},
                  {"L2", &found->cache[1]},          {"L3", &found->cache[2]},
                  {"L4", &found->cache[3]},          {"DRAM", &found->device}};
    for (guint i = 0; i < G_N_ELEMENTS(places); i++)
        if (strcmp(name, places[i].name) == 0)
            return places[i].place;
    return NULL;
}

/* The name of the peak of a level in the description; NULL: none. */
static const char *name_of(const PsGpu *gpu, const PsMemoryLevel *level)
{
    for (PsPeakKind kind = 0; kind < PS_N_PEAKS; kind++)
        if (ps_peak_level(gpu, kind) == level)
            return ps_peak_kind_name(kind);
    return NULL;
}

/* Names the peaks of the GPU's caches from device memory inwards, and returns their number; entries
 * may be NULL. A description without levels is of a GPU with two. */
static guint name_caches(const PsGpu *gpu, const char *names[MOST_CACHES])
{
    const GArray *levels = gpu->memory.levels;
    guint n = 0;
    if (!levels) {
        names[n++] = ps_peak_kind_name(PS_B_L2);
        names[n++] = ps_peak_kind_name(PS_B_L1);
    }
    for (guint i = levels ? levels->len : 0; i-- > 0 && n < MOST_CACHES;) {
        const PsMemoryLevel *level = &g_array_index(levels, PsMemoryLevel, i);
        if (level->level != PS_LEVEL_DEVICE)
            names[n++] = name_of(gpu, level);
    }
    return n;
}

static void take_caches(const Found *found, PsGpu *gpu)
{
    const char *names[MOST_CACHES];
    guint plateaus = 0;
    for (guint i = 0; i < MOST_CACHES; i++)
        if (found->cache[i] > 0)
            plateaus = i + 1;
    if (plateaus > name_caches(gpu, names))
        return;
    for (guint i = 0; i < plateaus; i++) {
        const double value = found->cache[plateaus - 1 - i];
        if (names[i] && value > 0)
            ps_peak_set(gpu, names[i], value, ps_gpu_usual_clock(gpu));
    }
}

/* FALSE where there is no figure. */
static gboolean take(const Found *found, PsGpu *gpu)
{
    const struct {
        const char *name;
        double value;
    } peaks[] = {{"T_HP", found->half},
                 {"T_SP", found->single},
                 {"T_DP", found->of_double},
                 {"T_tensor.f16.f32", found->tensor},
                 {"B_mem", found->device}};
    gboolean is_any = FALSE;
    for (guint i = 0; i < G_N_ELEMENTS(peaks); i++)
        if (peaks[i].value > 0) {
            ps_peak_set(gpu, peaks[i].name, peaks[i].value, ps_gpu_usual_clock(gpu));
            is_any = TRUE;
        }
    take_caches(found, gpu);
    return is_any;
}

/* ---- JSON ---------------------------------------------------------------------------------- */

/* One ["L1", 2996.82] while it is read. */
typedef struct {
    Found *found;
    char *name;
    guint n;
} Pair;

static gboolean read_pair(PsJson *json, gpointer self, GError **error)
{
    Pair *pair = self;
    double value;
    if (pair->n++ == 0)
        return ps_json_string(json, &pair->name, error);
    if (!ps_json_number(json, &value, error))
        return FALSE;
    double *place = place_of(pair->found, pair->name);
    if (place && !ps_peak_is_one(value))
        return ps_json_error(json, error, PS_ERROR_VALUE,
                             "this is no peak of %s: it must be a number above 0", pair->name);
    if (place)
        *place = fmax(*place, value);
    return TRUE;
}

static gboolean data_item(PsJson *json, gpointer self, GError **error)
{
    Pair pair = {self, NULL, 0};
    const gboolean ok = ps_json_array(json, read_pair, &pair, error);
    g_free(pair.name);
    return ok && (pair.n == 2 || ps_json_error(json, error, PS_ERROR_VALUE,
                                               "a peak is a pair, its name and a number"));
}

static gboolean data_member(PsJson *json, const char *key, gpointer self, GError **error)
{
    return strcmp(key, "data") == 0 ? ps_json_array(json, data_item, self, error)
                                    : ps_json_skip(json, error);
}

static gboolean rates_member(PsJson *json, const char *key, gpointer self, GError **error)
{
    return strcmp(key, "gflops") == 0 || strcmp(key, "gbytes") == 0
               ? ps_json_object(json, data_member, self, error)
               : ps_json_skip(json, error);
}

static gboolean outer_member(PsJson *json, const char *key, gpointer self, GError **error)
{
    return strcmp(key, "empirical") == 0 ? ps_json_object(json, rates_member, self, error)
                                         : ps_json_skip(json, error);
}

gboolean ps_peaks_ert_json(PsCsv *csv, PsGpu *gpu, GError **error)
{
    const PsPlace place = {csv->name, csv->line};
    Found found = {0};
    gsize length;
    g_autofree char *text = ps_csv_rest(csv, JSON_MAX_BYTES, &length, error);
    if (!text)
        return FALSE;
    PsJson json;
    ps_json_init(&json, place, text, length);
    if (!ps_json_object(&json, outer_member, &found, error) || !ps_json_finish(&json, error))
        return FALSE;
    if (take(&found, gpu))
        return TRUE;
    ps_error_at(error, PS_ERROR_VALUE, (PsPlace){csv->name, 0},
                "there are no peaks here; ERT's roofline.json has them in \"empirical\", such as "
                "\"gflops\": {\"data\": [[\"FP64 GFLOPs\", 7000]]}");
    return FALSE;
}

/* ---- text ---------------------------------------------------------------------------------- */

/* The name behind the number at the begin of a line, without ERT's "EMP"; NULL where the line
 * begins with no number. Free with g_free. */
static char *split_line(const char *line, double *value)
{
    char *end;
    *value = g_ascii_strtod(line, &end);
    if (end == line || !g_ascii_isspace(*end))
        return NULL;
    g_auto(GStrv) words = g_strsplit_set(end, " \t\r", -1);
    g_autoptr(GString) name = g_string_new(NULL);
    for (guint i = 0; words[i]; i++)
        if (*words[i] && strcmp(words[i], "EMP") != 0)
            g_string_append_printf(name, "%s%s", name->len ? " " : "", words[i]);
    return g_string_free(g_steal_pointer(&name), FALSE);
}

gboolean ps_peaks_is_ert(const char *line)
{
    double value;
    g_autofree char *name = split_line(line, &value);
    return name && g_str_has_suffix(name, "GFLOPs");
}

static gboolean take_line(PsCsv *csv, Found *found, GError **error)
{
    double value;
    g_autofree char *name = split_line(csv->text, &value);
    double *place = name ? place_of(found, name) : NULL;
    if (!place)
        return TRUE;
    if (!ps_peak_is_one(value)) {
        ps_error_at(error, PS_ERROR_VALUE, (PsPlace){csv->name, csv->line},
                    "this is no peak of %s: it must be a number above 0", name);
        return FALSE;
    }
    *place = fmax(*place, value);
    return TRUE;
}

gboolean ps_peaks_ert_text(PsCsv *csv, PsGpu *gpu, GError **error)
{
    Found found = {0};
    PsCsvState state = PS_CSV_ROW;
    for (; state == PS_CSV_ROW; state = ps_csv_line(csv, error))
        if (!take_line(csv, &found, error))
            return FALSE;
    return state == PS_CSV_END && take(&found, gpu);
}

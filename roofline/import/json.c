/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Kernel parameters that were measured elsewhere, in the form that `pipesim roofline --format json`
 * prints:
 *
 *     {"kernels": [{"name": "matrixMul", "launches": 1, "measured_seconds": 0.0029,
 *                   "parameters": {"K_type": "fp32", "W_comp": 1048576000, "W_traf": 72716160,
 *                                  "E_mix": 1, "D_ops": 0.3473, "D_ldst": 0.478}}]}
 *
 * or the array alone, or one kernel alone; "metrics" beside the parameters are those that the
 * ceilings come from. A value that is null or absent is not known. Reports have other keys about
 * the kernel, which are passed over; in "parameters" and "metrics" other keys are errors, since a
 * misspelt name would count as not known.
 */
#include "roofline/import/import.h"
#include "base/json-read.h"
#include "roofline/terms.h"
#include <math.h>
#include <string.h>

#define JSON_MAX_BYTES (64 * 1024 * 1024)

/* Most difference between O_krn, which is printed with few digits, and W_comp / W_traf, as a share
 * of it. */
#define INTENSITY_SLACK 0.01

#define MOST_LAUNCHES 9007199254740992.0 /* larger integers are not exact */

/* ---- parameters ---------------------------------------------------------------------------- */

typedef struct {
    const char *name;
    gsize offset;
    double most;
} Number;

#define NUMBER(name, member, most)                                                                 \
    {                                                                                              \
        name, G_STRUCT_OFFSET(PsParams, member), most                                              \
    }

static const Number numbers[] = {
    NUMBER("W_comp", W_comp, INFINITY),
    NUMBER("W_traf", W_traf, INFINITY),
    NUMBER("E_mix", E_mix, 1),
    NUMBER("D_ops", D_ops, 1),
    NUMBER("D_ldst", D_ldst, 1),
    NUMBER("D_other", D_other, 1),
    NUMBER("O_krn", O_krn, INFINITY),
    NUMBER("ops_per_instruction", ops_per_instruction, INFINITY),
};

static const Number levels[] = {
    NUMBER("L1", traffic[PS_LEVEL_L1], INFINITY),
    NUMBER("L2", traffic[PS_LEVEL_L2], INFINITY),
    NUMBER("device", traffic[PS_LEVEL_DEVICE], INFINITY),
};

/* The part of a kernel that is read so far. */
typedef struct {
    PsParams params;
    PsMetrics metrics;
    char *name, *device;
    double launches, seconds;
    gboolean has_params, has_metrics;
    guint seen_keys, seen_numbers, seen_levels, seen_metrics; /* bits, by index */
} Draft;

static void draft_clear(Draft *draft)
{
    g_free(draft->name);
    g_free(draft->device);
}

static void draft_init(Draft *draft)
{
    *draft = (Draft){.seconds = NAN};
    for (guint i = 0; i < G_N_ELEMENTS(numbers); i++)
        G_STRUCT_MEMBER(double, &draft->params, numbers[i].offset) = NAN;
    for (guint i = 0; i < G_N_ELEMENTS(levels); i++)
        G_STRUCT_MEMBER(double, &draft->params, levels[i].offset) = NAN;
    draft->params.traffic[PS_LEVEL_L0] = draft->params.traffic[PS_LEVEL_L3] =
        draft->params.traffic[PS_LEVEL_L4] = NAN;
    ps_metrics_init(&draft->metrics);
}

/* FALSE and *error the second time that a key is seen. */
static gboolean see(PsJson *json, guint *seen, guint index, const char *key, GError **error)
{
    if (*seen & 1U << index)
        return ps_json_error(json, error, PS_ERROR_SYNTAX, "\"%s\" is stated twice", key);
    *seen |= 1U << index;
    return TRUE;
}

static gboolean read_number(PsJson *json, const Number *number, PsParams *params, GError **error)
{
    double value;
    if (ps_json_null(json))
        return TRUE;
    if (!ps_json_number(json, &value, error))
        return FALSE;
    char text[G_ASCII_DTOSTR_BUF_SIZE];
    g_ascii_formatd(text, sizeof text, "%.6g", value);
    if (value < 0 && isinf(number->most))
        return ps_json_error(json, error, PS_ERROR_VALUE, "%s is %s; it must not be negative",
                             number->name, text);
    if (value < 0 || value > number->most)
        return ps_json_error(json, error, PS_ERROR_VALUE,
                             "%s is %s; it must be a fraction from 0 to 1 (34.7 %% is 0.347)",
                             number->name, text);
    if (value == 0 && number->offset == G_STRUCT_OFFSET(PsParams, ops_per_instruction))
        return ps_json_error(json, error, PS_ERROR_VALUE, "%s is 0; it must be above 0",
                             number->name);
    G_STRUCT_MEMBER(double, params, number->offset) = value;
    return TRUE;
}

static gboolean read_type(PsJson *json, PsParams *params, GError **error)
{
    g_autofree char *name = NULL;
    if (ps_json_null(json))
        return TRUE;
    if (!ps_json_string(json, &name, error))
        return FALSE;
    params->K_type = ps_k_type_of(name);
    return params->K_type != PS_K_UNKNOWN ||
           ps_json_error(json, error, PS_ERROR_VALUE,
                         "K_type is \"%s\"; there are \"fp64\", \"fp32\", \"int\", \"fp16\" and "
                         "\"tensor\"",
                         name);
}

static gboolean level_member(PsJson *json, const char *key, gpointer self, GError **error)
{
    Draft *draft = self;
    for (guint i = 0; i < G_N_ELEMENTS(levels); i++) {
        if (strcmp(key, levels[i].name) == 0)
            return see(json, &draft->seen_levels, i, key, error) &&
                   read_number(json, &levels[i], &draft->params, error);
    }
    return ps_json_error(json, error, PS_ERROR_VALUE,
                         "no level of memory is \"%s\"; there are \"L1\", \"L2\" and \"device\"",
                         key);
}

static gboolean parameter_member(PsJson *json, const char *key, gpointer self, GError **error)
{
    enum { TYPE = G_N_ELEMENTS(numbers), TRAFFIC };
    Draft *draft = self;
    for (guint i = 0; i < G_N_ELEMENTS(numbers); i++) {
        if (strcmp(key, numbers[i].name) == 0)
            return see(json, &draft->seen_numbers, i, key, error) &&
                   read_number(json, &numbers[i], &draft->params, error);
    }
    if (strcmp(key, "beyond_paper") == 0) /* reports have this key for K_type */
        return ps_json_skip(json, error);
    if (strcmp(key, "K_type") == 0)
        return see(json, &draft->seen_numbers, TYPE, key, error) &&
               read_type(json, &draft->params, error);
    if (strcmp(key, "traffic") == 0)
        return see(json, &draft->seen_numbers, TRAFFIC, key, error) &&
               (ps_json_null(json) || ps_json_object(json, level_member, draft, error));
    return ps_json_error(json, error, PS_ERROR_VALUE,
                         "no parameter is called \"%s\"; there are K_type, W_comp, W_traf, E_mix, "
                         "D_ops, D_ldst, D_other, O_krn, traffic and ops_per_instruction",
                         key);
}

/* ---- metrics ------------------------------------------------------------------------------- */

static gboolean read_metric(PsJson *json, PsMetric metric, Draft *draft, GError **error)
{
    double *value = &draft->metrics.value[metric];
    if (ps_json_null(json))
        return TRUE;
    if (!ps_json_number(json, value, error))
        return FALSE;
    draft->has_metrics = TRUE;
    return *value >= 0 || ps_json_error(json, error, PS_ERROR_VALUE,
                                        "%s is below 0, and no count is", ps_metric_name(metric));
}

static gboolean metric_member(PsJson *json, const char *key, gpointer self, GError **error)
{
    Draft *draft = self;
    for (PsMetric i = 0; i < PS_N_METRICS; i++)
        if (strcmp(key, ps_metric_name(i)) == 0)
            return see(json, &draft->seen_metrics, i, key, error) &&
                   read_metric(json, i, draft, error);
    return ps_json_error(json, error, PS_ERROR_VALUE,
                         "no metric is called \"%s\"; they are those that a report has", key);
}

/* ---- a kernel ------------------------------------------------------------------------------ */

static const char *const kernel_keys[] = {"name",   "launches",   "measured_seconds",
                                          "device", "parameters", "metrics"};

static gboolean read_launches(PsJson *json, Draft *draft, GError **error)
{
    if (ps_json_null(json))
        return TRUE;
    if (!ps_json_number(json, &draft->launches, error))
        return FALSE;
    return (draft->launches >= 0 && draft->launches <= MOST_LAUNCHES &&
            draft->launches == floor(draft->launches)) ||
           ps_json_error(json, error, PS_ERROR_VALUE,
                         "launches must be a whole number, or null where it is not known");
}

static gboolean read_seconds(PsJson *json, Draft *draft, GError **error)
{
    if (ps_json_null(json))
        return TRUE;
    if (!ps_json_number(json, &draft->seconds, error))
        return FALSE;
    return draft->seconds > 0 ||
           ps_json_error(json, error, PS_ERROR_VALUE,
                         "measured_seconds must be above 0, or null where it is not known");
}

static gboolean kernel_member(PsJson *json, const char *key, gpointer self, GError **error)
{
    Draft *draft = self;
    guint i = 0;
    while (i < G_N_ELEMENTS(kernel_keys) && strcmp(key, kernel_keys[i]) != 0)
        i++;
    if (i == G_N_ELEMENTS(kernel_keys))
        return ps_json_skip(json, error);
    if (!see(json, &draft->seen_keys, i, key, error))
        return FALSE;
    switch (i) {
    case 0:
        return ps_json_string(json, &draft->name, error);
    case 1:
        return read_launches(json, draft, error);
    case 2:
        return read_seconds(json, draft, error);
    case 3:
        return ps_json_null(json) || ps_json_string(json, &draft->device, error);
    case 4:
        draft->has_params = TRUE;
        return ps_json_object(json, parameter_member, draft, error);
    default:
        return ps_json_null(json) || ps_json_object(json, metric_member, draft, error);
    }
}

/* Sets the error where two figures should be one. */
static gboolean contradiction(GError **error, double a, double b, const char *what)
{
    char one[G_ASCII_DTOSTR_BUF_SIZE], other[G_ASCII_DTOSTR_BUF_SIZE];
    g_ascii_formatd(one, sizeof one, "%.6g", a);
    g_ascii_formatd(other, sizeof other, "%.6g", b);
    g_set_error(error, PS_ERROR, PS_ERROR_VALUE, "%s: %s and %s", what, one, other);
    return FALSE;
}

/* Checks that figures of the same quantity do not differ; one of them is enough. */
static gboolean settle(PsParams *params, GError **error)
{
    const double device = params->traffic[PS_LEVEL_DEVICE];
    if (isnan(params->W_traf))
        params->W_traf = device;
    if (!isnan(device) && device != params->W_traf)
        return contradiction(error, params->W_traf, device,
                             "W_traf and the traffic of \"device\", the same bytes, differ");
    if (fabs(params->O_krn * params->W_traf - params->W_comp) > INTENSITY_SLACK * params->W_comp)
        return contradiction(error, params->O_krn, params->W_comp / params->W_traf,
                             "O_krn and W_comp / W_traf, which it stands for, differ");
    return ps_params_complete(params, error);
}

/* Hands a kernel on: a copy, unless the caller takes kernels one by one. */
static gboolean deliver(PsImport *import, const PsProfileKernel *kernel, GError **error)
{
    const PsProfileOptions *options = import->options;
    if (options->each)
        return options->each(options->self, kernel, error);
    PsProfileKernel *copy = g_new(PsProfileKernel, 1);
    *copy = *kernel;
    copy->name = g_strdup(kernel->name);
    copy->device = g_strdup(kernel->device);
    g_ptr_array_add(import->profile->kernels, copy);
    return TRUE;
}

/* Finishes a kernel that was read and that begins where json->mark is. */
static gboolean finish_kernel(PsJson *json, PsImport *import, Draft *draft, GError **error)
{
    if (!draft->name || !*draft->name)
        return ps_json_error(json, error, PS_ERROR_VALUE, "a kernel without a \"name\"");
    if (!draft->has_params)
        return ps_json_error(json, error, PS_ERROR_VALUE,
                             "kernel \"%s\" has no \"parameters\", such as {\"K_type\": \"fp32\", "
                             "\"W_comp\": 2e9, \"W_traf\": 12e6}",
                             draft->name);
    g_autoptr(GError) inner = NULL;
    if (!settle(&draft->params, &inner))
        return ps_json_error(json, error, PS_ERROR_VALUE, "kernel \"%s\": %s", draft->name,
                             inner->message);
    PsProfileKernel kernel = {.name = draft->name,
                              .device = draft->device,
                              .launches = (gint64)draft->launches,
                              .has_metrics = draft->has_metrics,
                              .metrics = draft->metrics,
                              .params = draft->params,
                              .seconds = draft->seconds,
                              .line = ps_json_line(json)};
    return deliver(import, &kernel, error);
}

typedef struct {
    PsImport *import;
    guint64 n; /* number of kernels */
} Reader;

static gboolean kernel_item(PsJson *json, gpointer self, GError **error)
{
    Reader *reader = self;
    Draft draft;
    draft_init(&draft);
    ps_json_peek(json);
    const char *start = json->at;
    gboolean ok = ps_json_object(json, kernel_member, &draft, error);
    if (ok) {
        json->mark = start;
        ok = finish_kernel(json, reader->import, &draft, error);
    }
    reader->n++;
    draft_clear(&draft);
    return ok;
}

/* ---- the file ------------------------------------------------------------------------------ */

static gboolean read_list(PsJson *json, PsImport *import, GError **error)
{
    ps_json_peek(json);
    const char *start = json->at;
    Reader reader = {.import = import};
    if (!ps_json_array(json, kernel_item, &reader, error))
        return FALSE;
    json->mark = start;
    return reader.n > 0 ||
           ps_json_error(json, error, PS_ERROR_VALUE, "there is no kernel in this list");
}

/* The outermost object, which has kernels or is a kernel. */
typedef struct {
    PsImport *import;
    Draft draft;
    gboolean has_kernels;
} Outermost;

static gboolean outermost_member(PsJson *json, const char *key, gpointer self, GError **error)
{
    Outermost *outermost = self;
    if (strcmp(key, "kernels") != 0)
        return kernel_member(json, key, &outermost->draft, error);
    if (outermost->has_kernels)
        return ps_json_error(json, error, PS_ERROR_SYNTAX, "\"kernels\" is stated twice");
    outermost->has_kernels = TRUE;
    return read_list(json, outermost->import, error);
}

static gboolean read_outermost(PsJson *json, PsImport *import, GError **error)
{
    Outermost outermost = {.import = import};
    draft_init(&outermost.draft);
    const char *start = json->at;
    gboolean ok = ps_json_object(json, outermost_member, &outermost, error);
    json->mark = ok ? start : json->mark;
    if (ok && outermost.has_kernels && outermost.draft.has_params)
        ok = ps_json_error(json, error, PS_ERROR_SYNTAX,
                           "\"kernels\" and \"parameters\" side by side; there is either a list "
                           "of kernels or one kernel");
    else if (ok && !outermost.has_kernels && !outermost.draft.has_params)
        ok = ps_json_error(json, error, PS_ERROR_SYNTAX,
                           "neither \"kernels\" nor \"parameters\"; there should be {\"kernels\": "
                           "[{\"name\": ..., \"parameters\": {\"K_type\": ...}}]}");
    else if (ok && !outermost.has_kernels)
        ok = finish_kernel(json, import, &outermost.draft, error);
    draft_clear(&outermost.draft);
    return ok;
}

gboolean ps_import_json(PsImport *import, GError **error)
{
    gsize length;
    const PsPlace place = {import->csv->name, import->csv->line};
    g_autofree char *text = ps_csv_rest(import->csv, JSON_MAX_BYTES, &length, error);
    if (!text)
        return FALSE;
    PsJson json;
    ps_json_init(&json, place, text, length);
    const gboolean is_list = ps_json_peek(&json) == '[';
    return (is_list ? read_list(&json, import, error) : read_outermost(&json, import, error)) &&
           ps_json_finish(&json, error);
}

/* SPDX-License-Identifier: BSD-3-Clause */
/* See measuring-options.h. */
#include "cli/measuring-options.h"

#include "cli/fail.h"

#include <string.h>

static gboolean parse_backend(const char *text, BenchOptions *bench, GError **error)
{
    static const char *const names[] = {"cuda", "hip", "opencl", NULL};
    if (!text)
        return TRUE;
    if (g_str_has_prefix(text, "model:") && text[6]) {
        bench->model = text + 6;
        return TRUE;
    }
    if (g_str_has_prefix(text, "compiler:") && text[9]) {
        bench->compiler = text + 9;
        return TRUE;
    }
    if (!g_strv_contains(names, text))
        return usage_error(error,
                           "--backend: there is no backend '%s'; it is cuda, hip, opencl, "
                           "model:GPU, such as model:pascal.xml, or compiler:ARCH, such as "
                           "compiler:sm_90",
                           text);
    bench->backend = text;
    return TRUE;
}

static gboolean parse_grid(const Value *given, BenchOptions *bench, GError **error)
{
    const Value *grid = &given[OPTION_GRID];
    const gboolean quick = given[OPTION_QUICK].on;
    bench->grid = quick ? PS_GRID_QUICK : (PsBenchGrid)grid->word;
    bench->grid_given = quick || is_given(grid);
    return !quick || !is_given(grid) ||
           usage_error(error, "--quick and --grid %s: one of them at a time", grid->text);
}

static gboolean parse_noise(const char *text, double *noise, GError **error)
{
    PsRational value;
    if (!text)
        return TRUE;
    if (!ps_rational_parse(text, &value) || value.num < 0 ||
        ps_rational_cmp(value, PS_RATIONAL_INT(1)) >= 0)
        return usage_error(error,
                           "--noise: '%s' is no share, a decimal number from 0 to below 1, such "
                           "as 0.02",
                           text);
    *noise = ps_rational_to_double(value);
    return TRUE;
}

/* Options of one backend alone. */
static gboolean check_cubins(const Value *given, GError **error)
{
    if (given[OPTION_CUBINS].text && given[OPTION_BACKEND].text &&
        strcmp(given[OPTION_BACKEND].text, "cuda") != 0)
        return usage_error(error, "--cubins is for --backend cuda, and not for %s",
                           given[OPTION_BACKEND].text);
    return !given[OPTION_CUBINS].text || *given[OPTION_CUBINS].text ||
           usage_error(error, "--cubins: the name of the folder is empty");
}

/* Options of a device need a device; options of a model need a model. */
static gboolean check_source(const Value *given, const BenchOptions *bench, GError **error)
{
    static const OptionId with[] = {OPTION_FROM,  OPTION_OUTPUT, OPTION_FORCE, OPTION_FORMAT,
                                    OPTION_CHART, OPTION_POINTS, OPTION_JOBS,  OPTION_FILES};
    const char *other = given[OPTION_FROM].text ? given_other_than(given, with) : NULL;
    if (other)
        return usage_error(error, "--from takes measurements from a file; leave out --%s", other);
    if ((given[OPTION_NOISE].text || given[OPTION_SEED].text) && !bench->model)
        return usage_error(error, "--%s is for a model; add --backend model:GPU, or leave it out",
                           given[OPTION_NOISE].text ? "noise" : "seed");
    if (given[OPTION_DEVICE].text && bench->model)
        return usage_error(error, "--device: a model is a single device; leave it out");
    return TRUE;
}

gboolean measuring_options_check_names(const Value *given, GError **error)
{
    const char *output = given[OPTION_OUTPUT].text, *raw = given[OPTION_RAW].text,
               *from = given[OPTION_FROM].text;
    if (g_strcmp0(raw, "-") == 0 || g_strcmp0(from, "-") == 0)
        return usage_error(error, "%s: measurements are kept in a file, and not in a stream",
                           from ? "--from" : "--raw");
    if (g_strcmp0(output, "-") == 0 && !raw && !from)
        return usage_error(error, "--output - leaves no name for the measurements; add --raw FILE");
    return !raw || g_strcmp0(raw, output) != 0 ||
           usage_error(error, "--raw and --output: both are '%s'", raw);
}

gboolean measuring_options_parse(const Value *given, Options *options, GError **error)
{
    BenchOptions *bench = &options->bench;
    bench->cubins = given[OPTION_CUBINS].text;
    bench->classes = given[OPTION_CLASSES].text;
    bench->raw = given[OPTION_RAW].text;
    bench->from = given[OPTION_FROM].text;
    bench->resume = given[OPTION_RESUME].on;
    bench->force = given[OPTION_FORCE].on;
    bench->device = (guint)given[OPTION_DEVICE].number;
    bench->seed = (guint32)given[OPTION_SEED].number;
    return parse_backend(given[OPTION_BACKEND].text, bench, error) &&
           parse_grid(given, bench, error) &&
           parse_noise(given[OPTION_NOISE].text, &bench->noise, error) &&
           check_source(given, bench, error) && check_cubins(given, error);
}

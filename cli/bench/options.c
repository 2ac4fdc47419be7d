/* SPDX-License-Identifier: BSD-3-Clause */
/* See bench-options.h. */
#include "cli/bench/options.h"

#include "cli/fail.h"

#include <string.h>

/* More devices than a machine has. */
#define MOST_DEVICES 1000

static gboolean parse_backend(const char *text, BenchOptions *bench, GError **error)
{
    static const char *const names[] = {"cuda", "hip", "opencl", NULL};
    if (!text)
        return TRUE;
    if (g_str_has_prefix(text, "model:") && text[6]) {
        bench->model = g_strdup(text + 6);
        return TRUE;
    }
    if (!g_strv_contains(names, text))
        return usage_error(error,
                           "--backend: there is no backend '%s'; it is cuda, hip, opencl or "
                           "model:GPU, such as model:pascal.xml",
                           text);
    bench->backend = g_strdup(text);
    return TRUE;
}

static gboolean parse_number(const char *name, const char *text, guint64 most, guint64 *value,
                             GError **error)
{
    return !text || g_ascii_string_to_unsigned(text, 10, 0, most, value, NULL) ||
           usage_error(error, "%s: '%s' is not a whole number from 0 to %" G_GUINT64_FORMAT, name,
                       text, most);
}

static gboolean parse_grid(const Raw *raw, PsBenchGrid *grid, GError **error)
{
    static const char *const names[] = {
        [PS_GRID_FULL] = "full", [PS_GRID_QUICK] = "quick", [PS_GRID_REDUCED] = "reduced"};
    *grid = raw->quick ? PS_GRID_QUICK : PS_GRID_FULL;
    if (!raw->grid)
        return TRUE;
    if (raw->quick)
        return usage_error(error, "--quick and --grid %s: one of them at a time", raw->grid);
    for (guint i = 0; i < G_N_ELEMENTS(names); i++)
        if (strcmp(raw->grid, names[i]) == 0) {
            *grid = (PsBenchGrid)i;
            return TRUE;
        }
    return usage_error(error, "--grid: there is no grid '%s'; it is full, quick or reduced",
                       raw->grid);
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

/* The architectures, and where what is compiled for them goes. */
static gboolean parse_precompile(const Raw *raw, BenchOptions *bench, GError **error)
{
    static const char *const with_precompile[] = {"precompile", "output", NULL};
    if (!raw->precompile)
        return TRUE;
    const char *other = raw_other_than(raw, with_precompile);
    if (other)
        return usage_error(error, "--precompile measures nothing; leave out --%s", other);
    if (!raw->output || !*raw->output || strcmp(raw->output, "-") == 0)
        return usage_error(error, "--precompile: say into which folder, with --output FOLDER");
    bench->precompile = g_strsplit(raw->precompile, ",", -1);
    return *bench->precompile ||
           usage_error(error, "--precompile: say for which architectures, such as sm_80,sm_90");
}

static gboolean parse_code(const Raw *raw, BenchOptions *bench, GError **error)
{
    static const char *const with_code[] = {"code", "classes", "output", NULL};
    const char *other = raw->code ? raw_other_than(raw, with_code) : NULL;
    if (other)
        return usage_error(error, "--code measures nothing; leave out --%s", other);
    bench->code = raw->code ? g_strsplit(raw->code, ",", -1) : NULL;
    return !raw->code || *bench->code ||
           usage_error(error, "--code: say for which architectures, such as sm_90,gfx90a");
}

/* They are one backend's. */
static gboolean check_cubins(const Raw *raw, GError **error)
{
    if (raw->cubins && raw->backend && strcmp(raw->backend, "cuda") != 0)
        return usage_error(error, "--cubins is for --backend cuda, and not for %s", raw->backend);
    return !raw->cubins || *raw->cubins ||
           usage_error(error, "--cubins: the name of the folder is empty");
}

/* What is said of a device needs one, and what is said of a model needs that. */
static gboolean check_source(const Raw *raw, const BenchOptions *bench, GError **error)
{
    static const char *const with_from[] = {"from",  "output", "force", "format",
                                            "chart", "points", "jobs",  NULL};
    const char *other = raw->from ? raw_other_than(raw, with_from) : NULL;
    if (other)
        return usage_error(error, "--from takes measurements that are there; leave out --%s",
                           other);
    if ((raw->noise || raw->seed) && !bench->model)
        return usage_error(error, "--%s is of a model; add --backend model:GPU, or leave it out",
                           raw->noise ? "noise" : "seed");
    if (raw->device && bench->model)
        return usage_error(error, "--device: a model is a single device; leave it out");
    return TRUE;
}

/* Both are read again: by whoever uses the description, and by --from and --resume. */
static gboolean check_files(const Raw *raw, GError **error)
{
    const struct {
        const char *name, *path;
    } files[] = {{"--output", raw->output}, {"--raw", raw->raw}, {"--from", raw->from}};
    for (guint i = 0; i < G_N_ELEMENTS(files); i++)
        if (files[i].path && !*files[i].path)
            return usage_error(error, "%s: the name of the file is empty", files[i].name);
    if (g_strcmp0(raw->raw, "-") == 0 || g_strcmp0(raw->from, "-") == 0)
        return usage_error(error, "%s: measurements are kept in a file, and not in a stream",
                           raw->from ? "--from" : "--raw");
    if (g_strcmp0(raw->output, "-") == 0 && !raw->raw && !raw->from)
        return usage_error(error, "--output - leaves no name for the measurements; add --raw FILE");
    if (raw->raw && g_strcmp0(raw->raw, raw->output) == 0)
        return usage_error(error, "--raw and --output: both are '%s'", raw->raw);
    return TRUE;
}

gboolean bench_options_parse(const Raw *raw, Options *options, GError **error)
{
    BenchOptions *bench = &options->bench;
    guint64 device = 0, seed = 1;
    bench->cubins = g_strdup(raw->cubins);
    bench->classes = g_strdup(raw->classes);
    bench->raw = g_strdup(raw->raw);
    bench->from = g_strdup(raw->from);
    bench->resume = raw->go_on;
    bench->grid_given = raw->grid || raw->quick;
    bench->force = raw->force;
    if (!parse_backend(raw->backend, bench, error) || !parse_grid(raw, &bench->grid, error) ||
        !parse_number("--device", raw->device, MOST_DEVICES, &device, error) ||
        !parse_number("--seed", raw->seed, G_MAXUINT32, &seed, error) ||
        !parse_noise(raw->noise, &bench->noise, error) || !check_source(raw, bench, error) ||
        !parse_precompile(raw, bench, error) || !parse_code(raw, bench, error) ||
        !check_cubins(raw, error))
        return FALSE;
    bench->device = (guint)device;
    bench->seed = (guint32)seed;
    return bench->code || check_files(raw, error);
}

void bench_options_clear(BenchOptions *bench)
{
    char *const texts[] = {bench->backend, bench->model, bench->cubins,
                           bench->classes, bench->raw,   bench->from};
    for (guint i = 0; i < G_N_ELEMENTS(texts); i++)
        g_free(texts[i]);
    g_strfreev(bench->precompile);
    g_strfreev(bench->code);
}

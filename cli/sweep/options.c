/* SPDX-License-Identifier: BSD-3-Clause */
/* See options.h. */
#include "cli/sweep/options.h"

#include "cli/fail.h"

#include <string.h>

/* Reads a whole number from 1 to PS_SWEEP_MAX_POINTS. */
static gboolean parse_part(const char *text, guint *value)
{
    guint64 number;
    if (!g_ascii_string_to_unsigned(text, 10, 1, PS_SWEEP_MAX_POINTS, &number, NULL))
        return FALSE;
    *value = (guint)number;
    return TRUE;
}

static gboolean parse_shard(const char *text, Options *options, GError **error)
{
    if (!text)
        return TRUE;
    g_auto(GStrv) parts = g_strsplit(text, "/", 0);
    if (g_strv_length(parts) == 2 && parse_part(parts[0], &options->shard) &&
        parse_part(parts[1], &options->shards) && options->shard <= options->shards)
        return TRUE;
    return usage_error(
        error, "--shard: '%s' is not K/N with whole numbers, K from 1 to N, such as 1/4", text);
}

static gboolean check_resume(const Value *given, GError **error)
{
    const char *resume = given[OPTION_RESUME].text, *output = given[OPTION_OUTPUT].text;
    if (!resume)
        return TRUE;
    if (strcmp(resume, "-") == 0)
        return usage_error(error, "--resume: what went to standard output cannot be continued; "
                                  "name a file");
    return !output || strcmp(output, resume) == 0 ||
           usage_error(error, "--resume %s: this is the file that is written; leave out --output",
                       resume);
}

/* Refuses options that would have no effect with --merge. */
static gboolean check_merge(const Value *given, GError **error)
{
    static const OptionId with[] = {OPTION_MERGE, OPTION_OUTPUT, OPTION_FORMAT, OPTION_FILES};
    const char *other = given[OPTION_MERGE].on ? given_other_than(given, with) : NULL;
    return !other || usage_error(error, "--merge joins CSV files, and takes no --%s", other);
}

static gboolean check_csv(const Value *given, Options *options, GError **error)
{
    const char *name = given[OPTION_RESUME].text  ? "--resume continues"
                       : given[OPTION_SHARD].text ? "--shard writes parts of"
                       : given[OPTION_MERGE].on   ? "--merge joins parts of"
                                                  : NULL;
    if (!name)
        return TRUE;
    if (given[OPTION_FORMAT].text && options->format != FORMAT_CSV)
        return usage_error(error, "%s a CSV; leave out --format %s", name,
                           given[OPTION_FORMAT].text);
    if (given[OPTION_CHART].text)
        return usage_error(error, "%s a CSV, and a --chart needs all points of one sweep", name);
    options->format = FORMAT_CSV;
    return TRUE;
}

/* Refuses code here: rows are known to belong to one sweep by its graphs, which code does not have
 * yet, and included files may change between two parts. */
static gboolean check_code(const Value *given, const Options *options, GError **error)
{
    const gboolean code = ps_sweep_is_of_code(options->vary);
    if (code && given[OPTION_RESUME].text)
        return usage_error(error, "--resume does not go with a --vary of code: run it again, which "
                                  "is quick, since what was compiled and built is kept");
    if (code && given[OPTION_SHARD].text)
        return usage_error(error, "--shard does not go with a --vary of code: give each machine "
                                  "values of its own");
    return !code || !given[OPTION_CHART].text || ps_sweep_has_x(options->vary) ||
           usage_error(error, "--chart: its horizontal axis is of numbers, and each --vary is of "
                              "words");
}

/* The best points are known only when all have bounds. */
static gboolean check_best(const Value *given, GError **error)
{
    static const OptionId others[] = {OPTION_RESUME, OPTION_SHARD, OPTION_CHART, OPTION_FILES};
    const char *other = given[OPTION_BEST].number ? given_one_of(given, others) : NULL;
    if (given[OPTION_BEST].number && given[OPTION_BUDGET].text)
        return usage_error(error, "--best needs all points, and --budget may leave some out");
    return !other ||
           usage_error(error, "--best chooses among all points of one sweep, and --%s is of others",
                       other);
}

gboolean sweep_options_parse(const Value *given, Options *options, GError **error)
{
    options->merge = given[OPTION_MERGE].on;
    options->signature = given_signature(given);
    return check_merge(given, error) && parse_shard(given[OPTION_SHARD].text, options, error) &&
           check_resume(given, error) && check_csv(given, options, error) &&
           check_code(given, options, error) && check_best(given, error);
}

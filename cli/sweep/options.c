/* SPDX-License-Identifier: BSD-3-Clause */
/* See sweep-options.h. */
#include "cli/sweep/options.h"

#include "cli/fail.h"

#include <string.h>

/* A whole number from 1 to VARY_MAX_POINTS. */
static gboolean parse_part(const char *text, guint *value)
{
    guint64 number;
    if (!g_ascii_string_to_unsigned(text, 10, 1, VARY_MAX_POINTS, &number, NULL))
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

static gboolean check_resume(const Raw *raw, GError **error)
{
    if (!raw->resume)
        return TRUE;
    if (!*raw->resume)
        return usage_error(error, "--resume: the name of the file is empty");
    if (strcmp(raw->resume, "-") == 0)
        return usage_error(error, "--resume: what went to standard output cannot be continued; "
                                  "name a file");
    return !raw->output || strcmp(raw->output, raw->resume) == 0 ||
           usage_error(error, "--resume %s: this is the file that is written; leave out --output",
                       raw->resume);
}

/* Whatever else was given would have no effect. */
static gboolean check_merge(const Raw *raw, GError **error)
{
    static const char *const names[] = {"merge", "output", "format", NULL};
    const char *other = raw->merge ? raw_other_than(raw, names) : NULL;
    return !other ||
           usage_error(error, "--merge joins CSVs that are there, and takes no --%s", other);
}

static gboolean check_csv(const Raw *raw, Options *options, GError **error)
{
    const char *name = raw->resume  ? "--resume continues"
                       : raw->shard ? "--shard writes parts of"
                       : raw->merge ? "--merge joins parts of"
                                    : NULL;
    if (!name)
        return TRUE;
    if (raw->format && options->format != FORMAT_CSV)
        return usage_error(error, "%s a CSV; leave out --format %s", name, raw->format);
    if (raw->chart)
        return usage_error(error, "%s a CSV, and a --chart needs all points of one sweep", name);
    options->format = FORMAT_CSV;
    return TRUE;
}

gboolean sweep_options_parse(const Raw *raw, Options *options, GError **error)
{
    options->merge = raw->merge;
    options->signature = raw_signature(raw);
    return check_merge(raw, error) && parse_shard(raw->shard, options, error) &&
           check_resume(raw, error) && check_csv(raw, options, error);
}

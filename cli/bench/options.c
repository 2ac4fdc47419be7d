/* SPDX-License-Identifier: BSD-3-Clause */
/* See options.h. */
#include "cli/bench/options.h"

#include "cli/fail.h"
#include "cli/measuring-options.h"

#include <string.h>

/* Reads the architectures, and where their compiled code goes. */
static gboolean parse_precompile(const Value *given, BenchOptions *bench, GError **error)
{
    static const OptionId with[] = {OPTION_PRECOMPILE, OPTION_OUTPUT, OPTION_FILES};
    const char *output = given[OPTION_OUTPUT].text;
    if (!given[OPTION_PRECOMPILE].text)
        return TRUE;
    const char *other = given_other_than(given, with);
    if (other)
        return usage_error(error, "--precompile measures nothing; leave out --%s", other);
    if (!output || strcmp(output, "-") == 0)
        return usage_error(error, "--precompile: say into which folder, with --output FOLDER");
    bench->precompile = g_strsplit(given[OPTION_PRECOMPILE].text, ",", -1);
    return *bench->precompile ||
           usage_error(error, "--precompile: say for which architectures, such as sm_80,sm_90");
}

static gboolean parse_code(const Value *given, BenchOptions *bench, GError **error)
{
    static const OptionId with[] = {OPTION_CODE, OPTION_CLASSES, OPTION_OUTPUT, OPTION_FILES};
    const char *other = given[OPTION_CODE].text ? given_other_than(given, with) : NULL;
    if (other)
        return usage_error(error, "--code measures nothing; leave out --%s", other);
    bench->code = given[OPTION_CODE].text ? g_strsplit(given[OPTION_CODE].text, ",", -1) : NULL;
    return !given[OPTION_CODE].text || *bench->code ||
           usage_error(error, "--code: say for which architectures, such as sm_90,gfx90a");
}

/* An assembler needs no device: nothing is measured. */
static gboolean check_compiler(const Value *given, const BenchOptions *bench, GError **error)
{
    static const OptionId with[] = {OPTION_BACKEND, OPTION_OUTPUT, OPTION_FORCE, OPTION_FORMAT,
                                    OPTION_FILES};
    const char *other = bench->compiler ? given_other_than(given, with) : NULL;
    return !other || usage_error(error, "--backend compiler:%s measures nothing; leave out --%s",
                                 bench->compiler, other);
}

gboolean bench_options_parse(const Value *given, Options *options, GError **error)
{
    BenchOptions *bench = &options->bench;
    return measuring_options_parse(given, options, error) &&
           parse_precompile(given, bench, error) && parse_code(given, bench, error) &&
           check_compiler(given, bench, error) &&
           (bench->code || bench->compiler || measuring_options_check_names(given, error));
}

void bench_options_clear(BenchOptions *bench)
{
    g_strfreev(bench->precompile);
    g_strfreev(bench->code);
}

/* SPDX-License-Identifier: BSD-3-Clause */
/* See options.h. */
#include "cli/run/options.h"

#include "cli/fail.h"

#include <string.h>

/* Standard output holds the answer, unless that goes elsewhere. */
static gboolean check_report(const Value *given, GError **error)
{
    const char *report = given[OPTION_REPORT].text, *output = given[OPTION_OUTPUT].text;
    if (given[OPTION_NO_SOURCE].on && !report)
        return usage_error(error, "--no-source leaves the source out of the page that --report "
                                  "writes; add that");
    if (report && (g_str_has_suffix(report, ".pdf") || g_str_has_suffix(report, ".svg") ||
                   g_str_has_suffix(report, ".png")))
        return usage_error(error, "--report '%s': the page is HTML; its name ends in .html",
                           report);
    return g_strcmp0(report, "-") != 0 || (output && strcmp(output, "-") != 0) ||
           usage_error(error, "--report: standard output has the answer already; name a file for "
                              "the page, or one for the answer with --output");
}

static gboolean parse_windows(const Value *given, Options *options, GError **error)
{
    const char *timeline = given[OPTION_TIMELINE].text, *trace = given[OPTION_TRACE].text;
    if (is_given(&given[OPTION_TIMELINE_WARPS]) && !timeline)
        return usage_error(error, "--timeline-warps chooses the warps of --timeline; add that");
    if (is_given(&given[OPTION_TRACE_WINDOW]) && !trace)
        return usage_error(error, "--trace-window chooses the cycles of --trace FILE; add that");
    if (timeline && !format_is_for_people(options->format))
        return usage_error(error, "--timeline is text; --trace FILE is for programs");
    if (g_strcmp0(trace, "-") == 0)
        return usage_error(error, "--trace: standard output has the report; name a file");
    const char *warps = given[OPTION_TIMELINE_WARPS].text;
    if (!ps_timeline_is_list(warps))
        return usage_error(error, "--timeline-warps: '%s' is no list of warps; write 0-7,12 or all",
                           warps);
    return window_parse("--timeline", timeline, &options->timeline_window, error) &&
           window_parse("--trace-window", given[OPTION_TRACE_WINDOW].text, &options->trace_window,
                        error);
}

gboolean run_options_parse(const Value *given, Options *options, GError **error)
{
    return parse_windows(given, options, error) && check_report(given, error);
}

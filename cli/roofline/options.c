/* SPDX-License-Identifier: BSD-3-Clause */
/* See options.h. */
#include "cli/roofline/options.h"

#include "cli/fail.h"
#include "pipesim-private.h"

/* Options of a chart need a chart, and each chart has only some of them. */
static gboolean check_chart(const Value *given, const Options *options, GError **error)
{
    const char *name = given[OPTION_CHART_KIND].text   ? "--chart-kind"
                       : given[OPTION_TRAJECTORY].on   ? "--trajectory"
                       : given[OPTION_DISCOUNTED].text ? "--discounted"
                                                       : NULL;
    if (name && !given[OPTION_CHART].text && options->format != FORMAT_GNUPLOT)
        return usage_error(error, "%s is about a chart; add --chart FILE or --format gnuplot",
                           name);
    if (given[OPTION_DISCOUNTED].text && options->roofline.kind != PS_DRAW_ROOFLINE)
        return usage_error(error, "--discounted draws a roofline; leave out --chart-kind %s",
                           given[OPTION_CHART_KIND].text);
    if (given[OPTION_TRAJECTORY].on && options->roofline.kind == PS_DRAW_QUADRANTS)
        return usage_error(error, "--trajectory draws arrows between kernels, and a chart of "
                                  "quadrants has only lines for them");
    return TRUE;
}

static gboolean check_measured(const Value *given, const Options *options, GError **error)
{
    if (!given[OPTION_MEASURED].text)
        return TRUE;
    if (options->roofline.apart)
        return usage_error(error, "--measured is the time of a kernel's launches together; leave "
                                  "out --launches apart");
    return TRUE;
}

gboolean roofline_options_parse(const Value *given, Options *options, GError **error)
{
    RooflineOptions *roofline = &options->roofline;
    roofline->trajectory = given[OPTION_TRAJECTORY].on;
    roofline->discounted = given[OPTION_DISCOUNTED].text;
    roofline->kernel = given[OPTION_KERNEL].text;
    roofline->peaks = given[OPTION_PEAKS].text;
    roofline->top = (guint)given[OPTION_TOP].number;
    roofline->apart = given[OPTION_LAUNCHES].word == 1;
    roofline->kind = (PsDrawKind)given[OPTION_CHART_KIND].word;
    return check_chart(given, options, error) && check_measured(given, options, error);
}

/* SPDX-License-Identifier: BSD-3-Clause */
/* See roofline-options.h. */
#include "cli/roofline/options.h"

#include "cli/fail.h"

#include <string.h>

static gboolean parse_launches(const char *text, gboolean *apart, GError **error)
{
    *apart = g_strcmp0(text, "apart") == 0;
    return !text || *apart || strcmp(text, "sum") == 0 ||
           usage_error(error, "--launches: there is no choice '%s'; it is sum or apart", text);
}

static gboolean parse_kind(const char *text, PsDrawKind *kind, GError **error)
{
    static const char *const names[] = {[PS_DRAW_ROOFLINE] = "roofline",
                                        [PS_DRAW_HIERARCHICAL] = "hierarchical",
                                        [PS_DRAW_QUADRANTS] = "quadrants"};
    *kind = PS_DRAW_ROOFLINE;
    if (!text)
        return TRUE;
    for (guint i = 0; i < G_N_ELEMENTS(names); i++)
        if (strcmp(text, names[i]) == 0) {
            *kind = (PsDrawKind)i;
            return TRUE;
        }
    return usage_error(error,
                       "--chart-kind: there is no kind '%s'; it is roofline, hierarchical or "
                       "quadrants",
                       text);
}

/* What is about a chart needs one, and not every chart has it. */
static gboolean check_chart(const Raw *raw, const Options *options, GError **error)
{
    const char *name = raw->chart_kind   ? "--chart-kind"
                       : raw->trajectory ? "--trajectory"
                       : raw->discounted ? "--discounted"
                                         : NULL;
    if (name && !raw->chart && options->format != FORMAT_GNUPLOT)
        return usage_error(error, "%s is about a chart; add --chart FILE or --format gnuplot",
                           name);
    if (raw->discounted && options->roofline.kind != PS_DRAW_ROOFLINE)
        return usage_error(error, "--discounted draws a roofline; leave out --chart-kind %s",
                           raw->chart_kind);
    if (raw->trajectory && options->roofline.kind == PS_DRAW_QUADRANTS)
        return usage_error(error, "--trajectory draws arrows between kernels, and a chart of "
                                  "quadrants has only lines for them");
    return TRUE;
}

static gboolean check_measured(const Raw *raw, const Options *options, GError **error)
{
    if (!raw->measured)
        return TRUE;
    if (options->roofline.apart)
        return usage_error(error, "--measured is the time of a kernel's launches together; leave "
                                  "out --launches apart");
    return TRUE;
}

gboolean roofline_options_parse(const Raw *raw, Options *options, GError **error)
{
    RooflineOptions *roofline = &options->roofline;
    roofline->trajectory = raw->trajectory;
    roofline->discounted = g_strdup(raw->discounted);
    roofline->kernel = g_strdup(raw->kernel);
    if (!parse_launches(raw->launches, &roofline->apart, error) ||
        !parse_kind(raw->chart_kind, &roofline->kind, error))
        return FALSE;
    return check_chart(raw, options, error) && check_measured(raw, options, error);
}

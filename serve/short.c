/* SPDX-License-Identifier: BSD-3-Clause */
/* See short.h. */
#include "serve/short.h"

#include "base/rational.h"
#include "base/usage.h"
#include "tell/format.h"
#include "tell/json.h"

/* Columns of a name: names of templates may have thousands. */
#define NAME_COLUMNS 60

PsDetail ps_call_detail(const PsToolCall *call)
{
    const char *text = ps_arguments_text(call->arguments, "detail");
    return g_strcmp0(text, "text") == 0   ? PS_DETAIL_TEXT
           : g_strcmp0(text, "json") == 0 ? PS_DETAIL_JSON
                                          : PS_DETAIL_SHORT;
}

gboolean ps_call_measured(const PsToolCall *call, double *seconds, GError **error)
{
    const char *text = ps_arguments_text(call->arguments, "measured_us");
    PsRational value = {0, 1};
    if (text && (!ps_rational_parse(text, &value) || value.num <= 0))
        return ps_usage_error(error, "measured_us: '%s' is no time, a decimal number above 0",
                              text);
    *seconds = ps_rational_to_double(value) / 1e6;
    return TRUE;
}

char *ps_short_json(const PsTold *facts)
{
    PsJson json = {.out = g_string_new(NULL)};
    ps_json_open(&json, NULL, '{', PS_JSON_LINE);
    ps_json_told(&json, facts);
    ps_json_close(&json, '}');
    return g_string_free(json.out, FALSE);
}

char *ps_short_name(const char *name)
{
    return ps_format_cut(name, NAME_COLUMNS);
}

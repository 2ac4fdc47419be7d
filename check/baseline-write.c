/* SPDX-License-Identifier: BSD-3-Clause */
/* Writes a baseline. See baseline.h. */
#include "check/baseline.h"

#include "tell/json.h"

#include <math.h>

static void write_result(PsJson *json, const PsCheckResult *result)
{
    ps_json_open(json, NULL, '{', PS_JSON_LINES);
    ps_json_text(json, "name", result->name);
    ps_json_text(json, "gpu", result->gpu);
    ps_json_precise(json, "seconds", result->seconds);
    if (!isnan(result->conflicts))
        ps_json_precise(json, "bank_conflicts", result->conflicts);
    ps_json_open(json, "lines", '[', PS_JSON_LINES);
    for (guint i = 0; i < result->lines->len; i++) {
        const PsCheckLine *line = result->lines->pdata[i];
        ps_json_open(json, NULL, '{', PS_JSON_LINE);
        ps_json_text(json, "line", line->line);
        if (line->text)
            ps_json_text(json, "text", line->text);
        ps_json_precise(json, "cycles", line->cycles);
        ps_json_close(json, '}');
    }
    ps_json_close(json, ']');
    ps_json_close(json, '}');
}

char *ps_check_baseline_write(const GPtrArray *results)
{
    GString *out = g_string_new(NULL);
    PsJson json = {.out = out};
    ps_json_open(&json, NULL, '{', PS_JSON_LINES);
    ps_json_text(&json, "baseline", PIPESIM_VERSION);
    ps_json_open(&json, "results", '[', PS_JSON_LINES);
    for (guint i = 0; i < results->len; i++)
        write_result(&json, results->pdata[i]);
    ps_json_close(&json, ']');
    ps_json_close(&json, '}');
    g_string_append_c(out, '\n');
    return g_string_free(out, FALSE);
}

/* SPDX-License-Identifier: BSD-3-Clause */
/* Findings as a log of SARIF 2.1.0, which code hosts and editors read. */
#include "tell/findings-formats.h"

#include "tell/json.h"

#include <string.h>

#define SCHEMA                                                                                     \
    "https://docs.oasis-open.org/sarif/sarif/v2.1.0/errata01/os/schemas/sarif-schema-2.1.0.json"

/* The first finding of each figure stands for its rule. */
static gboolean is_first(const GArray *all, guint i)
{
    for (guint k = 0; k < i; k++)
        if (strcmp(g_array_index(all, PsFinding, k).figure,
                   g_array_index(all, PsFinding, i).figure) == 0)
            return FALSE;
    return TRUE;
}

static void put_tool(PsJson *json, const GArray *all)
{
    ps_json_open(json, "tool", '{', PS_JSON_LINES);
    ps_json_open(json, "driver", '{', PS_JSON_LINES);
    ps_json_text(json, "name", "pipesim");
    ps_json_text(json, "version", PIPESIM_VERSION);
    ps_json_open(json, "rules", '[', PS_JSON_LINES);
    for (guint i = 0; i < all->len; i++) {
        if (!is_first(all, i))
            continue;
        ps_json_open(json, NULL, '{', PS_JSON_LINE);
        ps_json_text(json, "id", g_array_index(all, PsFinding, i).figure);
        ps_json_close(json, '}');
    }
    ps_json_close(json, ']');
    ps_json_close(json, '}');
    ps_json_close(json, '}');
}

static void put_physical(PsJson *json, const PsFinding *finding, const char *root)
{
    g_autofree char *file = ps_finding_file(finding, root);
    g_autofree char *uri = g_path_is_absolute(file) ? g_filename_to_uri(file, NULL, NULL)
                                                    : g_uri_escape_string(file, "/", FALSE);
    ps_json_open(json, "physicalLocation", '{', PS_JSON_LINE);
    ps_json_open(json, "artifactLocation", '{', PS_JSON_LINE);
    ps_json_text(json, "uri", uri);
    ps_json_close(json, '}');
    ps_json_open(json, "region", '{', PS_JSON_LINE);
    ps_json_int(json, "startLine", finding->line);
    ps_json_close(json, '}');
    ps_json_close(json, '}');
}

static void put_location(PsJson *json, const PsFinding *finding, const char *root)
{
    ps_json_open(json, "locations", '[', PS_JSON_LINES);
    ps_json_open(json, NULL, '{', PS_JSON_LINES);
    if (finding->line)
        put_physical(json, finding, root);
    ps_json_open(json, "logicalLocations", '[', PS_JSON_LINE);
    ps_json_open(json, NULL, '{', PS_JSON_LINE);
    ps_json_text(json, "fullyQualifiedName", finding->kernel);
    ps_json_text(json, "kind", "function");
    ps_json_close(json, '}');
    ps_json_close(json, ']');
    ps_json_close(json, '}');
    ps_json_close(json, ']');
}

static void put_result(PsJson *json, const PsFinding *finding, const char *root)
{
    g_autofree char *words = ps_finding_words(finding);
    g_autofree char *text = g_strdup_printf("%s: %s", finding->kernel, words);
    ps_json_open(json, NULL, '{', PS_JSON_LINES);
    ps_json_text(json, "ruleId", finding->figure);
    ps_json_text(json, "level", finding->fails ? "error" : "note");
    ps_json_open(json, "message", '{', PS_JSON_LINE);
    ps_json_text(json, "text", text);
    ps_json_close(json, '}');
    put_location(json, finding, root);
    ps_json_close(json, '}');
}

void ps_findings_sarif(GString *out, const PsTold *facts, const char *root)
{
    g_autoptr(GArray) all = ps_findings(facts);
    PsJson json = {.out = out};
    ps_json_open(&json, NULL, '{', PS_JSON_LINES);
    ps_json_text(&json, "$schema", SCHEMA);
    ps_json_text(&json, "version", "2.1.0");
    ps_json_open(&json, "runs", '[', PS_JSON_LINES);
    ps_json_open(&json, NULL, '{', PS_JSON_LINES);
    put_tool(&json, all);
    ps_json_open(&json, "results", '[', PS_JSON_LINES);
    for (guint i = 0; i < all->len; i++)
        put_result(&json, &g_array_index(all, PsFinding, i), root);
    ps_json_close(&json, ']');
    ps_json_close(&json, '}');
    ps_json_close(&json, ']');
    ps_json_close(&json, '}');
    g_string_append_c(out, '\n');
}

/* SPDX-License-Identifier: BSD-3-Clause */
/* See methods.h. */
#include "serve/methods.h"

#include "base/usage.h"
#include "serve/rpc.h"
#include "tell/json.h"

#include <string.h>

/* What a client tells its model about this server. */
#define INSTRUCTIONS                                                                               \
    "pipesim predicts how long a GPU kernel takes, without a GPU. Loop: write the kernel, call "   \
    "run, make the change with the largest gain, until no gain is above 0.05. Gains are shares "   \
    "of "                                                                                          \
    "the time, seconds are exact figures of a model: read how_sure before relying on them."

char *ps_mcp_initialize(const char *params, const char **version, GError **error)
{
    static const char *const versions[] = {PS_MCP_VERSIONS, NULL};
    static const char *const names[] = {"protocolVersion", NULL};
    char *members[1] = {NULL};
    if (!params || !ps_rpc_members(params, names, members, params ? error : NULL)) {
        if (!params)
            ps_usage_error(error, "protocolVersion is missing");
        return NULL;
    }
    g_autofree char *wanted = ps_rpc_string(members[0]);
    g_free(members[0]);
    if (!wanted) {
        ps_usage_error(error, "protocolVersion, which is a string, is missing");
        return NULL;
    }
    *version = versions[0];
    for (guint i = 0; versions[i]; i++)
        if (strcmp(versions[i], wanted) == 0)
            *version = versions[i];
    return g_strdup_printf("{\"protocolVersion\": \"%s\", \"capabilities\": {\"tools\": {}}, "
                           "\"serverInfo\": {\"name\": \"pipesim\", \"version\": \"%s\"}, "
                           "\"instructions\": \"%s\"}",
                           *version, PIPESIM_VERSION, INSTRUCTIONS);
}

/* ---- calls --------------------------------------------------------------------------------- */

void ps_mcp_call_clear(PsMcpCall *call)
{
    g_clear_pointer(&call->arguments, g_free);
    g_clear_pointer(&call->token, g_free);
}

static const PsServedTool *find_tool(const char *name)
{
    for (const PsServedTool *tool = ps_served_tools; tool->name; tool++)
        if (strcmp(tool->name, name) == 0)
            return tool;
    return NULL;
}

/* A token is a string or a whole number; other values ask for no progress. */
static char *token_of(const char *meta)
{
    static const char *const names[] = {"progressToken", NULL};
    char *members[1] = {NULL};
    if (!meta || !ps_rpc_members(meta, names, members, NULL) || !members[0])
        return NULL;
    if (*members[0] == '"' || *members[0] == '-' || g_ascii_isdigit(*members[0]))
        return members[0];
    g_free(members[0]);
    return NULL;
}

gboolean ps_mcp_call_read(const char *params, PsMcpCall *call, GError **error)
{
    static const char *const names[] = {"name", "arguments", "_meta", NULL};
    char *members[3] = {NULL};
    *call = (PsMcpCall){0};
    if (!params)
        return ps_usage_error(error, "a tool's name is missing");
    if (!ps_rpc_members(params, names, members, error))
        return FALSE;
    g_autofree char *name = ps_rpc_string(members[0]);
    call->tool = name ? find_tool(name) : NULL;
    call->arguments = members[1];
    call->token = token_of(members[2]);
    g_free(members[0]);
    g_free(members[2]);
    if (call->tool)
        return TRUE;
    ps_mcp_call_clear(call);
    return ps_usage_error(error, "there is no tool \"%s\"; tools/list has all", name ? name : "");
}

char *ps_mcp_call_result(const char *text, gboolean failed)
{
    g_autofree char *quoted = ps_rpc_quote(text);
    return g_strdup_printf("{\"content\": [{\"type\": \"text\", \"text\": %s}], \"isError\": %s}",
                           quoted, failed ? "true" : "false");
}

char *ps_mcp_cancelled(const char *params)
{
    static const char *const names[] = {"requestId", NULL};
    char *members[1] = {NULL};
    return params && ps_rpc_members(params, names, members, NULL) ? members[0] : NULL;
}

char *ps_mcp_progress(const char *token, double progress, const char *words)
{
    PsJson json = {.out = g_string_new(NULL)};
    ps_json_open(&json, NULL, '{', PS_JSON_LINE);
    ps_json_text(&json, "jsonrpc", "2.0");
    ps_json_text(&json, "method", "notifications/progress");
    ps_json_open(&json, "params", '{', PS_JSON_LINE);
    ps_json_raw(&json, "progressToken", token);
    ps_json_figure(&json, "progress", progress);
    if (words)
        ps_json_text(&json, "message", words);
    ps_json_close(&json, '}');
    ps_json_close(&json, '}');
    return g_string_free(json.out, FALSE);
}

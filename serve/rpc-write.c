/* SPDX-License-Identifier: BSD-3-Clause */
/* Responses of JSON-RPC; see rpc.h. */
#include "serve/rpc.h"

#include "tell/json.h"

char *ps_rpc_quote(const char *text)
{
    PsJson json = {.out = g_string_new(NULL)};
    ps_json_text(&json, NULL, text);
    return g_string_free(json.out, FALSE);
}

char *ps_rpc_result(const char *id, const char *result)
{
    return g_strdup_printf("{\"jsonrpc\": \"2.0\", \"id\": %s, \"result\": %s}", id, result);
}

char *ps_rpc_error(const char *id, int code, const char *message)
{
    g_autofree char *text = ps_rpc_quote(message);
    return g_strdup_printf(
        "{\"jsonrpc\": \"2.0\", \"id\": %s, \"error\": {\"code\": %d, \"message\": %s}}",
        id ? id : "null", code, text);
}

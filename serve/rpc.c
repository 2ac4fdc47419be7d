/* SPDX-License-Identifier: BSD-3-Clause */
/* See rpc.h. */
#include "serve/rpc.h"

#include "base/json-read.h"

#include <string.h>

/* Bytes of an id, which the response repeats. */
#define LONGEST_ID 256

/* ---- members ------------------------------------------------------------------------------- */

/* The text of the next value (g_free). */
static char *take_value(PsJson *json, GError **error)
{
    (void)ps_json_peek(json);
    const char *start = json->at;
    return ps_json_skip(json, error) ? g_strndup(start, (gsize)(json->at - start)) : NULL;
}

typedef struct {
    const char *const *names;
    char **members;
} Wanted;

static gboolean take_member(PsJson *json, const char *key, gpointer self, GError **error)
{
    const Wanted *wanted = self;
    guint i = 0;
    while (wanted->names[i] && strcmp(wanted->names[i], key) != 0)
        i++;
    if (!wanted->names[i])
        return ps_json_skip(json, error);
    if (wanted->members[i])
        return ps_json_error(json, error, PS_ERROR_VALUE, "'%s' is there twice", key);
    return (wanted->members[i] = take_value(json, error)) != NULL;
}

static gboolean take_members(const char *text, gsize length, const Wanted *wanted, GError **error)
{
    PsJson json;
    ps_json_init(&json, (PsPlace){"message", 1}, text, length);
    return ps_json_object(&json, take_member, (gpointer)wanted, error) &&
           ps_json_finish(&json, error);
}

gboolean ps_rpc_members(const char *text, const char *const *names, char **members, GError **error)
{
    const Wanted wanted = {names, members};
    for (guint i = 0; names[i]; i++)
        members[i] = NULL;
    if (take_members(text, strlen(text), &wanted, error))
        return TRUE;
    for (guint i = 0; names[i]; i++)
        g_clear_pointer(&members[i], g_free);
    return FALSE;
}

char *ps_rpc_string(const char *json)
{
    PsJson reader;
    char *text = NULL;
    if (!json)
        return NULL;
    ps_json_init(&reader, (PsPlace){"message", 1}, json, strlen(json));
    return ps_json_string(&reader, &text, NULL) ? text : NULL;
}

/* ---- messages ------------------------------------------------------------------------------ */

void ps_rpc_message_free(PsRpcMessage *message)
{
    if (!message)
        return;
    g_free(message->id);
    g_free(message->method);
    g_free(message->params);
    g_free(message->wrong);
    g_free(message);
}

static void refuse(PsRpcMessage *message, int code, const char *why)
{
    message->kind = PS_RPC_WRONG;
    message->code = code;
    message->wrong = g_strdup(why);
}

/* An id is a string or a number. */
static gboolean is_id(const char *json)
{
    return strlen(json) <= LONGEST_ID && (*json == '"' || *json == '-' || g_ascii_isdigit(*json));
}

enum { VERSION, ID, METHOD, PARAMS, RESULT, ERROR, N_MEMBERS };

static void take_apart(PsRpcMessage *message, char **members)
{
    g_autofree char *version = ps_rpc_string(members[VERSION]);
    if (members[ID] && is_id(members[ID]))
        message->id = g_strdup(members[ID]);
    if (g_strcmp0(version, "2.0") != 0) {
        refuse(message, PS_RPC_NO_REQUEST, "\"jsonrpc\": \"2.0\" is missing");
    } else if (members[ID] && !message->id) {
        refuse(message, PS_RPC_NO_REQUEST, "an id is a string of 256 bytes at most, or a number");
    } else if (!members[METHOD] && (members[RESULT] || members[ERROR])) {
        message->kind = PS_RPC_RESPONSE;
    } else if (!(message->method = ps_rpc_string(members[METHOD]))) {
        refuse(message, PS_RPC_NO_REQUEST, "a method, which is a string, is missing");
    } else if (members[PARAMS] && *members[PARAMS] != '{') {
        refuse(message, PS_RPC_NO_PARAMS, "params must be an object");
    } else {
        message->kind = message->id ? PS_RPC_REQUEST : PS_RPC_NOTIFICATION;
        message->params = g_strdup(members[PARAMS]);
    }
}

/* TRUE for JSON that is no object, which is another error. */
static gboolean is_value(const char *text, gsize length)
{
    PsJson json;
    ps_json_init(&json, (PsPlace){"message", 1}, text, length);
    return ps_json_skip(&json, NULL) && ps_json_finish(&json, NULL);
}

PsRpcMessage *ps_rpc_read(const char *text, gsize length)
{
    static const char *const names[] = {"jsonrpc", "id",    "method", "params",
                                        "result",  "error", NULL};
    PsRpcMessage *message = g_new0(PsRpcMessage, 1);
    char *members[N_MEMBERS] = {NULL};
    const Wanted wanted = {names, members};
    g_autoptr(GError) error = NULL;
    if (take_members(text, length, &wanted, &error))
        take_apart(message, members);
    else
        refuse(message, is_value(text, length) ? PS_RPC_NO_REQUEST : PS_RPC_NO_JSON,
               error->message);
    for (guint i = 0; i < N_MEMBERS; i++)
        g_free(members[i]);
    return message;
}

static gboolean take_item(PsJson *json, gpointer self, GError **error)
{
    char *item = take_value(json, error);
    if (item)
        g_ptr_array_add(self, item);
    return item != NULL;
}

GPtrArray *ps_rpc_batch(const char *text, gsize length, GError **error)
{
    PsJson json;
    g_autoptr(GPtrArray) items = g_ptr_array_new_with_free_func(g_free);
    ps_json_init(&json, (PsPlace){"message", 1}, text, length);
    if (!ps_json_array(&json, take_item, items, error) || !ps_json_finish(&json, error))
        return NULL;
    if (items->len > 0)
        return g_steal_pointer(&items);
    g_set_error(error, PS_ERROR, PS_ERROR_VALUE, "a batch holds at least one message");
    return NULL;
}

/* SPDX-License-Identifier: BSD-3-Clause */
/* Messages of JSON-RPC 2.0, as the Model Context Protocol restricts them: reading and writing. */
#ifndef PIPESIM_SERVE_RPC_H
#define PIPESIM_SERVE_RPC_H

#include "base/error.h"

G_BEGIN_DECLS

/* Codes of errors, section 5.1 of the specification of JSON-RPC. */
#define PS_RPC_NO_JSON (-32700)
#define PS_RPC_NO_REQUEST (-32600)
#define PS_RPC_NO_METHOD (-32601)
#define PS_RPC_NO_PARAMS (-32602)
#define PS_RPC_BUSY (-32000)

typedef enum {
    PS_RPC_REQUEST,
    PS_RPC_NOTIFICATION,
    PS_RPC_RESPONSE, /* to a request of ours */
    PS_RPC_WRONG     /* none of them */
} PsRpcKind;

/* A message. Its JSON members are as received. */
typedef struct {
    PsRpcKind kind;
    char *id;     /* JSON, a string or a number; NULL: it has none */
    char *method; /* NULL: it has none */
    char *params; /* JSON, an object; NULL: it has none */
    int code;     /* of WRONG: the error's code and words */
    char *wrong;
} PsRpcMessage;

/* Reads a message of so many bytes with any content (ps_rpc_message_free). */
PsRpcMessage *ps_rpc_read(const char *text, gsize length);
void ps_rpc_message_free(PsRpcMessage *message);

/* The messages of a batch, char * each, in their order (g_ptr_array_unref). NULL and *error where
 * it is no array, or holds none. */
GPtrArray *ps_rpc_batch(const char *text, gsize length, GError **error);

/* The members of an object that have one of these names, of which NULL ends the list, as JSON, in
 * the order of the names; NULL where one is not there (g_free each). FALSE and *error where it is
 * no object, or has a member twice. Others are passed over. */
gboolean ps_rpc_members(const char *text, const char *const *names, char **members, GError **error);

/* JSON that is a string, without its quotes and escapes (g_free); NULL where it is none. */
char *ps_rpc_string(const char *json);

/* A text as a string of JSON (g_free). Bytes that are no UTF-8 are replaced. */
char *ps_rpc_quote(const char *text);

/* A response on one line; result is JSON, id is JSON or NULL: not known (g_free). */
char *ps_rpc_result(const char *id, const char *result);
char *ps_rpc_error(const char *id, int code, const char *message);

G_DEFINE_AUTOPTR_CLEANUP_FUNC(PsRpcMessage, ps_rpc_message_free)

G_END_DECLS
#endif

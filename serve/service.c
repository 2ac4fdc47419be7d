/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * See service.h. The caller's thread listens: it splits lines, and answers quick requests at once.
 * The server's thread runs tools. Both write through `reply`.
 */
#include "serve/service.h"

#include "serve/methods.h"
#include "serve/rpc.h"

#include <string.h>

/* Calls that may wait; further ones are refused with a message. */
#define MOST_CALLS 64

/* Several messages in one. Its replies are sent together when the last is ready. */
typedef struct {
    guint pending; /* replies still to come, and one while it is read */
    GPtrArray *replies;
} Batch;

typedef struct {
    PsService *service;
    Batch *batch; /* NULL: a message by itself */
    char *id;     /* JSON */
    PsMcpCall call;
    gint cancelled;
    PsPhase phase; /* phase of the latest progress: */
    double base, progress;
} Call;

struct PsService {
    PsServedFolders folders;
    PsServiceSay say;
    gpointer data;
    GString *line; /* the message received so far */
    gboolean too_long;
    const char *version; /* version of the protocol in use */
    GThread *thread;
    GMutex mutex; /* guards what follows */
    GCond changed;
    GQueue waiting; /* Call */
    Call *current;
    gboolean ended; /* no more calls will follow */
    gboolean mute;  /* writing has failed */
};

/* ---- replies ------------------------------------------------------------------------------- */

static void say(PsService *service, const char *text)
{
    g_autofree char *line = g_strconcat(text, "\n", NULL);
    if (!service->mute && !service->say(line, service->data))
        service->mute = TRUE;
}

/* Notes one reply of a batch: text; NULL: it has none, since nobody wants it. The mutex is held. */
static void settle(PsService *service, Batch *batch, const char *text)
{
    if (text)
        g_ptr_array_add(batch->replies, g_strdup(text));
    if (--batch->pending > 0)
        return;
    g_ptr_array_add(batch->replies, NULL);
    g_autofree char *all = g_strjoinv(", ", (char **)batch->replies->pdata);
    g_autofree char *whole = g_strconcat("[", all, "]", NULL);
    if (*all)
        say(service, whole);
    g_ptr_array_unref(batch->replies);
    g_free(batch);
}

static void reply(PsService *service, Batch *batch, const char *text)
{
    g_mutex_lock(&service->mutex);
    if (batch)
        settle(service, batch, text);
    else if (text)
        say(service, text);
    g_mutex_unlock(&service->mutex);
}

static void reply_result(PsService *service, Batch *batch, const char *id, const char *result)
{
    g_autofree char *text = ps_rpc_result(id, result);
    reply(service, batch, text);
}

static void reply_error(PsService *service, Batch *batch, const char *id, int code, const char *why)
{
    g_autofree char *text = ps_rpc_error(id, code, why);
    reply(service, batch, text);
}

/* ---- calls --------------------------------------------------------------------------------- */

static void call_free(Call *call)
{
    ps_mcp_call_clear(&call->call);
    g_free(call->id);
    g_free(call);
}

static const char *phase_words(PsPhase phase)
{
    static const char *const words[] = {[PS_PHASE_RUN] = "simulating",
                                        [PS_PHASE_PLAN] = "preparing",
                                        [PS_PHASE_POINTS] = "simulating points",
                                        [PS_PHASE_GROUP] = "executing a group",
                                        [PS_PHASE_FILE] = "reading",
                                        [PS_PHASE_TOOL] = "compiling"};
    return words[phase];
}

/* Progress never falls: a phase that starts anew counts from the next whole number. */
static gboolean hear_progress(const PsProgress *progress, gpointer of)
{
    Call *call = of;
    if (g_atomic_int_get(&call->cancelled))
        return FALSE;
    if (progress->phase != call->phase || call->base + progress->share < call->progress)
        call->base = (double)(gint64)call->progress + 1;
    call->phase = progress->phase;
    const double now = call->base + progress->share;
    if (call->call.token && now > call->progress) {
        g_autofree char *text =
            ps_mcp_progress(call->call.token, now, phase_words(progress->phase));
        g_mutex_lock(&call->service->mutex);
        say(call->service, text);
        g_mutex_unlock(&call->service->mutex);
    }
    call->progress = MAX(now, call->progress);
    return TRUE;
}

/* The tool's answer, or the reason why there is none (g_free). */
static char *work(Call *call, gboolean *failed)
{
    g_autoptr(GError) error = NULL;
    const PsServedTool *tool = call->call.tool;
    g_autoptr(PsArguments) arguments =
        ps_arguments_read(call->call.arguments, tool->groups, &error);
    const PsToolCall asked = {&call->service->folders, arguments, {hear_progress, call}};
    char *text = arguments ? tool->work(&asked, &error) : NULL;
    *failed = text == NULL;
    return text ? text : g_strdup(error->message);
}

static void answer(Call *call)
{
    gboolean failed = FALSE;
    g_autofree char *text = g_atomic_int_get(&call->cancelled) ? NULL : work(call, &failed);
    if (!text || g_atomic_int_get(&call->cancelled)) {
        reply(call->service, call->batch, NULL);
        return;
    }
    g_autofree char *result = ps_mcp_call_result(text, failed);
    reply_result(call->service, call->batch, call->id, result);
}

/* The next call; NULL: none will follow. */
static Call *take_call(PsService *service)
{
    g_mutex_lock(&service->mutex);
    while (g_queue_is_empty(&service->waiting) && !service->ended)
        g_cond_wait(&service->changed, &service->mutex);
    service->current = g_queue_pop_head(&service->waiting);
    g_mutex_unlock(&service->mutex);
    return service->current;
}

static gpointer work_off(gpointer of)
{
    PsService *service = of;
    Call *call;
    while ((call = take_call(service)) != NULL) {
        answer(call);
        g_mutex_lock(&service->mutex);
        service->current = NULL;
        g_mutex_unlock(&service->mutex);
        call_free(call);
    }
    return NULL;
}

/* The unanswered call with that id; NULL: there is none. The mutex is held. */
static Call *find_call(PsService *service, const char *id)
{
    if (service->current && strcmp(service->current->id, id) == 0)
        return service->current;
    for (GList *at = service->waiting.head; at; at = at->next)
        if (strcmp(((Call *)at->data)->id, id) == 0)
            return at->data;
    return NULL;
}

/* Takes the call and returns NULL, or returns why not. */
static const char *give_call(PsService *service, Call *call)
{
    const char *why = NULL;
    g_mutex_lock(&service->mutex);
    if (find_call(service, call->id))
        why = "a call of this id is not answered yet";
    else if (g_queue_get_length(&service->waiting) >= MOST_CALLS)
        why = "too many calls wait; ask again when some are answered";
    else
        g_queue_push_tail(&service->waiting, call);
    g_cond_signal(&service->changed);
    g_mutex_unlock(&service->mutex);
    return why;
}

static void begin_call(PsService *service, Batch *batch, const PsRpcMessage *message)
{
    g_autoptr(GError) error = NULL;
    Call *call = g_new0(Call, 1);
    call->service = service;
    call->batch = batch;
    call->id = g_strdup(message->id);
    const char *why = NULL;
    int code = PS_RPC_BUSY;
    if (!ps_mcp_call_read(message->params, &call->call, &error)) {
        code = PS_RPC_NO_PARAMS;
        why = error->message;
    } else {
        why = give_call(service, call);
    }
    if (!why)
        return;
    reply_error(service, batch, message->id, code, why);
    call_free(call);
}

static void cancel_call(PsService *service, const char *params)
{
    g_autofree char *id = ps_mcp_cancelled(params);
    if (!id)
        return;
    g_mutex_lock(&service->mutex);
    Call *call = find_call(service, id);
    if (call)
        g_atomic_int_set(&call->cancelled, 1);
    g_mutex_unlock(&service->mutex);
}

/* ---- messages ------------------------------------------------------------------------------ */

static void initialize(PsService *service, Batch *batch, const PsRpcMessage *message)
{
    g_autoptr(GError) error = NULL;
    const char *version = service->version;
    g_autofree char *result = batch ? NULL : ps_mcp_initialize(message->params, &version, &error);
    if (result) {
        service->version = version;
        reply_result(service, batch, message->id, result);
    } else {
        reply_error(service, batch, message->id, PS_RPC_NO_PARAMS,
                    error ? error->message : "initialize stands in no batch");
    }
}

static void list_tools(PsService *service, Batch *batch, const PsRpcMessage *message)
{
    static const char *const names[] = {"cursor", NULL};
    char *members[1] = {NULL};
    const gboolean more =
        message->params && ps_rpc_members(message->params, names, members, NULL) && members[0];
    g_free(members[0]);
    g_autofree char *tools = ps_tools_json();
    if (more)
        reply_error(service, batch, message->id, PS_RPC_NO_PARAMS,
                    "the list has one page, and no cursor");
    else
        reply_result(service, batch, message->id, tools);
}

static void hear_request(PsService *service, Batch *batch, const PsRpcMessage *message)
{
    if (strcmp(message->method, "initialize") == 0)
        initialize(service, batch, message);
    else if (strcmp(message->method, "ping") == 0)
        reply_result(service, batch, message->id, "{}");
    else if (strcmp(message->method, "tools/list") == 0)
        list_tools(service, batch, message);
    else if (strcmp(message->method, "tools/call") == 0)
        begin_call(service, batch, message);
    else
        reply_error(service, batch, message->id, PS_RPC_NO_METHOD, "there is no such method here");
}

/* Notes that a reply will come, if one will. */
static void expect(PsService *service, Batch *batch)
{
    g_mutex_lock(&service->mutex);
    if (batch)
        batch->pending++;
    g_mutex_unlock(&service->mutex);
}

static void hear_message(PsService *service, Batch *batch, const char *text, gsize length)
{
    g_autoptr(PsRpcMessage) message = ps_rpc_read(text, length);
    switch (message->kind) {
    case PS_RPC_REQUEST:
        expect(service, batch);
        hear_request(service, batch, message);
        break;
    case PS_RPC_WRONG:
        expect(service, batch);
        reply_error(service, batch, message->id, message->code, message->wrong);
        break;
    case PS_RPC_NOTIFICATION:
        if (strcmp(message->method, "notifications/cancelled") == 0)
            cancel_call(service, message->params);
        break;
    case PS_RPC_RESPONSE:
        break;
    }
}

static void hear_batch(PsService *service, const char *text, gsize length)
{
    g_autoptr(GError) error = NULL;
    g_autoptr(GPtrArray) items = ps_rpc_batch(text, length, &error);
    if (!items) {
        reply_error(service, NULL, NULL, PS_RPC_NO_REQUEST, error->message);
        return;
    }
    Batch *batch = g_new(Batch, 1);
    *batch = (Batch){1, g_ptr_array_new_with_free_func(g_free)};
    for (guint i = 0; i < items->len; i++)
        hear_message(service, batch, items->pdata[i], strlen(items->pdata[i]));
    reply(service, batch, NULL);
}

static void hear_line(PsService *service)
{
    const GString *line = service->line;
    const gsize blanks = strspn(line->str, " \t\r");
    if (service->too_long)
        reply_error(service, NULL, NULL, PS_RPC_NO_REQUEST, "a message has 4 MiB at most");
    else if (line->str[blanks] == '[' && g_strcmp0(service->version, PS_MCP_BATCHES) == 0)
        hear_batch(service, line->str, line->len);
    else if (blanks < line->len)
        hear_message(service, NULL, line->str, line->len);
    g_string_truncate(service->line, 0);
    service->too_long = FALSE;
}

void ps_service_hear(PsService *service, const char *bytes, gsize length)
{
    const char *end = bytes + length;
    while (bytes < end) {
        const char *newline = memchr(bytes, '\n', (gsize)(end - bytes));
        const gsize part = (gsize)((newline ? newline : end) - bytes);
        if (service->line->len + part > PS_SERVICE_MOST_BYTES)
            service->too_long = TRUE;
        if (!service->too_long)
            g_string_append_len(service->line, bytes, (gssize)part);
        if (newline)
            hear_line(service);
        bytes += part + (newline != NULL);
    }
}

/* ---- beginning and end --------------------------------------------------------------------- */

static void service_free(PsService *service)
{
    g_string_free(service->line, TRUE);
    g_queue_clear(&service->waiting);
    g_mutex_clear(&service->mutex);
    g_cond_clear(&service->changed);
    g_free(service);
}

PsService *ps_service_new(const char *const *gpus, const char *const *graphs, PsServiceSay say_line,
                          gpointer data, GError **error)
{
    PsService *service = g_new0(PsService, 1);
    service->folders = (PsServedFolders){gpus, graphs};
    service->say = say_line;
    service->data = data;
    service->line = g_string_new(NULL);
    g_mutex_init(&service->mutex);
    g_cond_init(&service->changed);
    g_queue_init(&service->waiting);
    service->thread = g_thread_try_new("calls", work_off, service, NULL);
    if (service->thread)
        return service;
    g_set_error(error, PS_ERROR, PS_ERROR_LIMIT, "no thread can be had");
    service_free(service);
    return NULL;
}

gboolean ps_service_end(PsService *service)
{
    if (service->line->len > 0 || service->too_long)
        hear_line(service);
    g_mutex_lock(&service->mutex);
    service->ended = TRUE;
    g_cond_signal(&service->changed);
    g_mutex_unlock(&service->mutex);
    g_thread_join(service->thread);
    const gboolean whole = !service->mute;
    service_free(service);
    return whole;
}

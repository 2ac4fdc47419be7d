/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * What a kernel's graph asks from its code.
 */
#include "latency-bench/code/instruction.h"

#include <string.h>

/* TRUE for nodes that count a loop's trips and compute addresses: in whole kernels they stand for
 * whatever the compiler makes of that. */
static gboolean is_overhead(const PsBenchKernel *kernel, const char *class_name)
{
    return kernel->kind == PS_BENCH_WHOLE &&
           (strcmp(class_name, "loop") == 0 || strcmp(class_name, "index") == 0);
}

static gboolean waits_for_itself(const PsIdgItem *node)
{
    for (guint i = 0; i < node->after->len; i++)
        if (strcmp(((const PsIdgDep *)node->after->pdata[i])->on, node->name) == 0)
            return TRUE;
    return FALSE;
}

static void ask_node(const PsBenchKernel *kernel, const PsIdgItem *node, gint64 times,
                     GArray *classes)
{
    const char *pattern = ps_code_pattern(node->class_name);
    if (!pattern || times == 0 || is_overhead(kernel, node->class_name))
        return;
    for (guint i = 0; i < classes->len; i++) {
        PsCodeClass *old = &g_array_index(classes, PsCodeClass, i);
        if (old->steps != times || ps_code_pattern(old->class_name) != pattern)
            continue;
        old->chains++;
        old->chained = old->chained && waits_for_itself(node);
        return;
    }
    const PsCodeClass new = {.class_name = node->class_name,
                             .chains = 1,
                             .steps = times,
                             .chained = times > 1 && waits_for_itself(node)};
    g_array_append_val(classes, new);
}

static gint64 times_of(const PsIdgItem *loop, const PsScope *scope)
{
    const PsIntRange range = {"trip count", 0, G_MAXINT32};
    gint64 times = 1;
    ps_expr_eval_int(loop->times, scope, (PsPlace){0}, &range, &times, NULL);
    return times;
}

static void ask_body(const PsBenchKernel *kernel, const GPtrArray *body, const PsScope *scope,
                     gint64 times, GArray *classes)
{
    for (guint i = 0; i < body->len; i++) {
        const PsIdgItem *item = body->pdata[i];
        if (item->kind == PS_IDG_LOOP)
            ask_body(kernel, item->body, scope, times * times_of(item, scope), classes);
        else
            ask_node(kernel, item, times, classes);
    }
}

GArray *ps_code_ask(const PsBenchKernel *kernel, gboolean *in_loop)
{
    GArray *classes = g_array_new(FALSE, FALSE, sizeof(PsCodeClass));
    *in_loop = FALSE;
    if (!kernel->graph)
        return classes;
    const GPtrArray *body = ((const PsIdgCode *)kernel->graph->codes->pdata[0])->body;
    PsScope *scope = ps_scope_new();
    for (guint i = 0; i < kernel->graph->params->len; i++) {
        const PsIdgParam *param = kernel->graph->params->pdata[i];
        PsRational value;
        if (ps_expr_eval(param->value, scope, (PsPlace){0}, &value, NULL))
            ps_scope_set(scope, param->name, value);
    }
    for (guint i = 0; i < body->len && !*in_loop; i++)
        if (((const PsIdgItem *)body->pdata[i])->kind == PS_IDG_LOOP) {
            body = ((const PsIdgItem *)body->pdata[i])->body;
            *in_loop = TRUE;
        }
    ask_body(kernel, body, scope, 1, classes);
    ps_scope_free(scope);
    return classes;
}

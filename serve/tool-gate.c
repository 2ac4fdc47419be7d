/* SPDX-License-Identifier: BSD-3-Clause */
/* The tool gate. It takes files alone, since links in a folder may lead elsewhere. */
#include "base/rational.h"
#include "base/usage.h"
#include "gate/told.h"
#include "gpu/find.h"
#include "serve/below.h"
#include "serve/pick.h"
#include "serve/short.h"
#include "tell/json.h"

#include <string.h>

/* Threads of a group that GPUs take. */
#define MOST_THREADS 1024

/* Reads the kernels of the file that the argument names. */
static PsGateSet *read_set(const PsToolCall *call, const char *name, const PsGateReading *reading,
                           GError **error)
{
    const char *given = ps_arguments_text(call->arguments, name);
    g_autofree char *path = given ? ps_below(name, given, PS_BELOW_FILE, error) : NULL;
    if (!given)
        ps_usage_error(error, "'%s' is missing", name);
    return path ? ps_gate_set_new(reading, path, error) : NULL;
}

static gboolean set_limits(const PsToolCall *call, PsGateLimit limits[PS_GATE_N_FIGURES],
                           GError **error)
{
    ps_gate_limits_init(limits);
    for (guint i = 0; i < call->arguments->given->len; i++) {
        const PsGiven *given = call->arguments->given->pdata[i];
        if (strcmp(given->row->name, "limit") == 0 &&
            !ps_gate_limit_set(limits, given->text, error))
            return FALSE;
    }
    return TRUE;
}

static gboolean set_occupancy(const PsToolCall *call, PsGateReading *reading, PsGpu **gpu,
                              GError **error)
{
    const char *on = ps_arguments_text(call->arguments, "gpu");
    const char *threads = ps_arguments_text(call->arguments, "block");
    PsRational n = {0, 1};
    if (threads && (!ps_rational_parse(threads, &n) || !ps_rational_is_int(n) || n.num < 1 ||
                    n.num > MOST_THREADS))
        return ps_usage_error(error, "block: '%s' is no whole number from 1 to %d", threads,
                              MOST_THREADS);
    g_autofree char *file = on && ps_below_has(on) ? g_strconcat("./", on, NULL) : g_strdup(on);
    reading->group_size = n.num;
    if (!on)
        return !threads || ps_usage_error(error, "'block' is for the occupancy, which needs 'gpu'");
    reading->gpu = *gpu = ps_gpu_find(file, call->folders->gpus, error);
    return *gpu != NULL;
}

/* The short answer with so many findings (g_free). */
static char *tell_short(const PsTold *all, guint n)
{
    const PsPicks picked = PS_PICKS(PS_FACT_GATE_VERDICT.n, PS_FACT_GATE_WORDS.n,
                                    PS_FACT_GATE_FAILED.n, PS_FACT_GATE_SAME.n);
    const PsPicks finding =
        PS_PICKS(PS_FACT_FINDING_LEVEL.n, PS_FACT_FINDING_KERNEL.n, PS_FACT_FINDING_SENTENCE.n,
                 PS_FACT_FINDING_CAUSE.n, PS_FACT_FINDING_FILE.n, PS_FACT_FINDING_LINE.n);
    g_autoptr(PsTold) facts = ps_told_new();
    ps_pick(facts, all, picked);
    ps_pick_items(facts, PS_FACT_SHORT_GATE_FINDINGS, all, PS_FACT_GATE_FINDINGS, n, finding);
    ps_tell(facts, PS_FACT_SHORT_GATE_LEFT_OUT,
            (gint64)ps_pick_count(all, PS_FACT_GATE_FINDINGS) - n);
    return ps_short_json(facts);
}

static char *tell(const PsToolCall *call, const PsTold *all)
{
    if (ps_call_detail(call) == PS_DETAIL_JSON) {
        GString *out = g_string_new(NULL);
        ps_json_told_document(out, all);
        return g_string_free(out, FALSE);
    }
    for (guint n = ps_pick_count(all, PS_FACT_GATE_FINDINGS);; n--) {
        g_autofree char *text = tell_short(all, n);
        if (strlen(text) <= PS_SHORT_BYTES || n == 0)
            return g_steal_pointer(&text);
    }
}

char *ps_serve_gate(const PsToolCall *call, GError **error)
{
    const PsCodeOptions code = {.prefix = "", .host.hearer = call->hearer};
    PsGateReading reading = {.code = &code};
    PsGateLimit limits[PS_GATE_N_FIGURES];
    g_autoptr(PsGpu) gpu = NULL;
    if (!set_limits(call, limits, error) || !set_occupancy(call, &reading, &gpu, error))
        return NULL;
    g_autoptr(PsGateSet) before = read_set(call, "before", &reading, error);
    g_autoptr(PsGateSet) after = before ? read_set(call, "after", &reading, error) : NULL;
    if (!after)
        return NULL;
    g_autoptr(PsGate) gate = ps_gate_new(before, after, limits, gpu);
    g_autoptr(PsTold) all = ps_gate_told(gate);
    return tell(call, all);
}

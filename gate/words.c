/* SPDX-License-Identifier: BSD-3-Clause */
/* See words.h. */
#include "gate/words.h"

#include "tell/format.h"

static const char *const nouns[PS_GATE_N_FIGURES] = {
    [PS_GATE_REGISTERS] = "registers of a thread",     [PS_GATE_STACK] = "bytes of stack",
    [PS_GATE_LOCAL] = "accesses to local memory",      [PS_GATE_SHARED] = "bytes of shared memory",
    [PS_GATE_INSTRUCTIONS] = "instructions",           [PS_GATE_OCCUPANCY] = "of the warps at once",
    [PS_GATE_CONFLICTS] = "passes for bank conflicts", [PS_GATE_TIME] = "for its launches"};

const char *ps_gate_limit_name(guint bit)
{
    return bit == PS_LIMIT_WARPS           ? "warps"
           : bit == PS_LIMIT_GROUPS        ? "groups"
           : bit == PS_LIMIT_REGISTERS     ? "registers"
           : bit == PS_LIMIT_LOCAL_MEMORY  ? "local_memory"
           : bit == PS_LIMIT_TENSOR_MEMORY ? "tensor_memory"
                                           : "scalar_registers";
}

static char *value_words(PsGateFigure figure, double value)
{
    return figure == PS_GATE_OCCUPANCY ? ps_format_share(value)
           : figure == PS_GATE_TIME    ? ps_format_time(value)
                                       : ps_format_count((gint64)value);
}

/* "4 more", "3 % more", "2 points less" (g_free); NULL: none at all. */
static char *limit_words(PsGateFigure figure, const PsGateLimit *limit)
{
    const char *way = figure == PS_GATE_OCCUPANCY ? "less" : "more";
    char most[G_ASCII_DTOSTR_BUF_SIZE];
    g_ascii_formatd(most, sizeof most, "%.10g", limit->most);
    if (limit->most <= 0)
        return NULL;
    return g_strdup_printf("%s%s %s", most,
                           limit->in_per_cent            ? " %"
                           : figure == PS_GATE_OCCUPANCY ? " percentage points"
                                                         : "",
                           way);
}

char *ps_gate_sentence(const PsGatePair *pair, PsGateFigure figure, const PsGateLimit *limit)
{
    g_autofree char *before = value_words(figure, pair->before->figures[figure]),
                    *after = value_words(figure, pair->after->figures[figure]),
                    *most = limit_words(figure, limit);
    const char *way = figure == PS_GATE_OCCUPANCY ? "less" : "more";
    char *text = g_strdup_printf("%s %s before, %s after; %s%s is allowed", before, nouns[figure],
                                 after, most ? "at most " : "no ", most ? most : way);
    if (figure == PS_GATE_OCCUPANCY && pair->after->cannot_start) {
        char *longer = g_strdup_printf("%s: %s", text, pair->after->cannot_start);
        g_free(text);
        return longer;
    }
    return text;
}

char *ps_gate_verdict(const PsGate *gate)
{
    const guint all = gate->n_same + gate->pairs->len;
    g_autofree char *kernels = ps_format_noun(all, "kernel");
    if (!gate->n_failed)
        return g_strdup_printf("No kernel is worse than is allowed; %u of %s differ%s",
                               gate->pairs->len, kernels, gate->pairs->len == 1 ? "s" : "");
    return g_strdup_printf("%u of %s %s worse than is allowed", gate->n_failed, kernels,
                           gate->n_failed == 1 ? "is" : "are");
}

char *ps_gate_cause(const PsGateKernel *kernel, guint n)
{
    return g_strdup_printf("%u of the kernel's %" G_GINT64_FORMAT
                           " accesses to local memory are in this line",
                           n, kernel->mix.of[PS_SASS_MIX_LOCAL]);
}

char *ps_gate_unknown_occupancy(guint kernels)
{
    g_autofree char *noun = ps_format_noun(kernels, "kernel");
    return g_strdup_printf("the occupancy of %s is not known, for the code does not state the "
                           "threads of a group; --block says them for all",
                           noun);
}

/* SPDX-License-Identifier: BSD-3-Clause */
/* See next-step.h. */
#include "tell/next-step.h"

#include "tell/format.h"

char *ps_occupancy_limit_words(guint limited_by)
{
    static const struct {
        PsLimitBits bit;
        const char *words;
    } limits[] = {{PS_LIMIT_REGISTERS, "registers"},
                  {PS_LIMIT_SCALAR_REGISTERS, "scalar registers"},
                  {PS_LIMIT_LOCAL_MEMORY, "local memory"},
                  {PS_LIMIT_TENSOR_MEMORY, "tensor memory"},
                  {PS_LIMIT_WARPS, "warps"},
                  {PS_LIMIT_GROUPS, "groups"}};
    GString *text = g_string_new(NULL);
    for (guint i = 0; i < G_N_ELEMENTS(limits); i++)
        if (limited_by & limits[i].bit)
            g_string_append_printf(text, "%s%s", text->len ? " and " : "", limits[i].words);
    return g_string_free(text, FALSE);
}

char *ps_next_step_words(const PsNextStep *step, const PsGpu *gpu)
{
    GString *text = g_string_new(NULL);
    g_autofree char *registers = ps_format_count(step->registers),
                    *bytes = ps_format_count(step->local_memory),
                    *threads = ps_format_count(step->group_size),
                    *groups = ps_format_noun(step->groups, "group");
    if (step->registers >= 0)
        g_string_append_printf(text, "%s registers of a thread", registers);
    if (step->local_memory >= 0)
        g_string_append_printf(text, "%s%s bytes of local memory", text->len ? " and " : "", bytes);
    if (step->group_size >= 0)
        g_string_append_printf(text, "groups of %s threads", threads);
    else
        g_string_append(text, " at most");
    g_string_append_printf(text, ": %s at once", groups);
    if (gpu->limits.warps) {
        g_autofree char *share = ps_format_share((double)step->warps / (double)gpu->limits.warps);
        g_string_append_printf(text, ", %s of the warps", share);
    }
    return g_string_free(text, FALSE);
}

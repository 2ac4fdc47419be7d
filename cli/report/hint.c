/* SPDX-License-Identifier: BSD-3-Clause */
/* See hint.h. */
#include "cli/report/hint.h"

#include "answer/critical.h"
#include "cli/report/describe.h"
#include "cli/report/format.h"
#include "answer/levels.h"
#include "answer/loads.h"

/* A pipeline takes no more instructions. */
static char *relieve_pipeline(const Answer *answer)
{
    const guint pipeline = load_busiest_pipeline(answer);
    const guint class = load_busiest_class(answer, pipeline);
    const PsPipeline *description = answer->gpu->pipelines->pdata[pipeline];
    g_autofree char *share =
        format_share(load_of_class(answer, class) / load_of_pipeline(answer, pipeline));
    return g_strdup_printf("fewer or cheaper instructions of %s: %s of what %s is busy with",
                           answer->machine->classes[class].asked, share, description->name);
}

/* A level of memory, or what serves it, carries no more. */
static char *relieve_level(const Answer *answer, const PsServerRow *level)
{
    const guint class = level_busiest_class(answer, level);
    const char *name = class < answer->machine->n_classes ? answer->machine->classes[class].asked
                                                          : "loads and stores";
    if (level->level == PS_LEVEL_DEVICE)
        return g_strdup_printf("fewer bytes from and to device memory, most of which %s moves",
                               name);
    if (level->level < PS_N_LEVELS)
        return g_strdup_printf("fewer sectors per request, or data kept in registers and local "
                               "memory: %s moves most",
                               name);
    g_autofree char *text = level_text(level);
    return g_strdup_printf("fewer requests of %s to %s: combine them within a warp or group first",
                           name, text);
}

/* Nothing is busy all the time: warps wait. */
static char *hide_latency(const Answer *answer)
{
    double share;
    const PsLaunch *launch = &answer->machine->launch;
    const PsMachineClass *class = critical_class(answer, &share);
    const char *awaited = class ? class->asked : "results";
    if (launch->groups < answer->gpu->compute_units)
        return g_strdup_printf("more groups: %" G_GINT64_FORMAT " of %" G_GINT64_FORMAT
                               " CUs have work",
                               launch->groups, answer->gpu->compute_units);
    const gint64 warps = launch->active_groups * launch->warps_per_group;
    g_autofree char *limits = describe_limits(answer);
    if (warps < answer->gpu->limits.warps && *limits)
        return g_strdup_printf("more warps at once (now limited by %s), or more independent "
                               "instructions while %s is awaited",
                               limits, awaited);
    return g_strdup_printf("more independent instructions in each warp while %s is awaited",
                           awaited);
}

char *hint_new(const Answer *answer)
{
    if (!answer_busiest(answer) || answer->clamped)
        return NULL;
    double load;
    const PsServerRow *level = level_busiest(answer);
    (void)load_busiest(answer, &load);
    if (load < ANSWER_NEARLY)
        return hide_latency(answer);
    if (load_of_dispatch(answer) >= load)
        return g_strdup("larger groups, or more work in each");
    return level && level_load(answer, level) >= load ? relieve_level(answer, level)
                                                      : relieve_pipeline(answer);
}

/* SPDX-License-Identifier: BSD-3-Clause */
/* The sensitivities of an answer, from either source. See sensitivity.h. */
#include "answer/sensitivity.h"

#include "answer/answer-private.h"
#include "answer/cycle-cache.h"

const char *ps_varies_name(PsVaries varies)
{
    static const char *const names[] = {
        "issue",  "completion", "level_latency", "level_bandwidth", "level_port",
        "active", "groups",     "registers",     "local_memory",    "clock"};
    return names[varies];
}

gboolean ps_varies_of_level(PsVaries varies)
{
    return varies == PS_VARIES_LEVEL_LATENCY || varies == PS_VARIES_LEVEL_BANDWIDTH ||
           varies == PS_VARIES_LEVEL_PORT;
}

void ps_sensitivities_free(PsSensitivities *sensitivities)
{
    if (!sensitivities)
        return;
    g_ptr_array_unref(sensitivities->rows);
    g_ptr_array_unref(sensitivities->avoidables);
    ps_cycle_cache_free(sensitivities->cache);
    g_free(sensitivities);
}

/* SPDX-License-Identifier: BSD-3-Clause */
/* See figure-words.h. */
#include "tell/figure-words.h"

#include "answer/words.h"

#include <string.h>

const char *ps_assumed_name(const PsAssumed *assumed)
{
    switch (assumed->kind) {
    case PS_ASSUMED_LEVEL:
        return assumed->level == PS_LEVEL_DEVICE ? "device memory" : ps_level_name(assumed->level);
    case PS_ASSUMED_MEMORY:
        return "loads and stores";
    case PS_ASSUMED_ATOMICS:
        return "atomics";
    case PS_ASSUMED_OVERHEADS:
        return "what launches cost";
    case PS_ASSUMED_GROUPS:
        return "what groups do";
    case PS_ASSUMED_CLASS:
    case PS_ASSUMED_PIPELINE:
        break;
    }
    return assumed->name;
}

/* A limit's words within a sentence; NULL: its name serves. */
static const char *limit_words(const char *limit)
{
    static const char *const words[][2] = {{"ceiling", "the roofline's ceiling"},
                                           {"issue", "the issue of instructions"},
                                           {"dispatch", "the dispatch of groups"},
                                           {"atomics", "atomics"},
                                           {"device", "device memory"},
                                           {"partial", "partial sectors"},
                                           {"stores", "stores to L2"},
                                           {"spot", "one address"}};
    for (guint i = 0; i < G_N_ELEMENTS(words); i++)
        if (strcmp(words[i][0], limit) == 0)
            return words[i][1];
    return NULL;
}

char *ps_limit_describe(const PsAnswer *answer, const char *limit)
{
    const char *words = limit_words(limit);
    if (words)
        return g_strdup(words);
    for (PsLevel level = PS_LEVEL_L0; level < PS_N_LEVELS; level++)
        if (strcmp(ps_level_name(level), limit) == 0)
            return g_ascii_strup(limit, -1);
    g_autofree char *pipeline = ps_answer_pipeline_words(answer, limit);
    return g_strdup_printf("the pipeline %s", pipeline);
}

/* Words for attributes that a description states once. */
static const char *attribute_words(const char *attribute)
{
    static const char *const words[][2] = {
        {"request", "requests of loads and stores"},
        {"texture", "requests of textures"},
        {"tag", "lines in L1"},
        {"wavefront", "wavefronts of L1"},
        {"lookup", "lines in L1"},
        {"store", "what stores hold their warps"},
        {"latency", "the latency of atomics"},
        {"sectors", "the rate of atomics"},
        {"partial", "the rate of partial sectors"},
        {"stores", "the rate of stores to L2"},
        {"address", "the rates at one place, address and line"},
        {"kernel-launch", "the kernel's launch"},
        {"turnaround", "the turnaround of groups"},
        {"group-launch", "the start of groups"},
        {"dispatch", "the dispatch of groups"},
        {"first-slot", "the first slot of groups"},
        {"rows", "rows that device memory opens"},
        {"queue", "waits at a busy device memory"},
        {"work-error", "how much groups do that were not executed"},
        {"unseen", "groups of whose place in the grid none was executed"},
    };
    for (guint i = 0; i < G_N_ELEMENTS(words); i++)
        if (strcmp(words[i][0], attribute) == 0)
            return words[i][1];
    return attribute;
}

static const char *figure_words(const PsWeighed *weighed)
{
    static const char *const levels[PS_N_LEVELS] = {"L0", "L1", "L2", "L3", "L4", "device memory"};
    if (weighed->kind == PS_ASSUMED_LEVEL && !weighed->attribute)
        return levels[weighed->level];
    if (!weighed->attribute)
        return weighed->name;
    if (weighed->kind == PS_ASSUMED_ATOMICS && strcmp(weighed->attribute, "request") == 0)
        return "requests of atomics";
    return attribute_words(weighed->attribute);
}

char *ps_weighed_name(const PsAnswer *answer, const PsWeighed *weighed)
{
    if (weighed->kind != PS_ASSUMED_PIPELINE)
        return g_strdup(figure_words(weighed));
    g_autofree char *pipeline = ps_answer_pipeline_words(answer, weighed->name);
    return g_strdup_printf("how many instructions wait in front of %s", pipeline);
}

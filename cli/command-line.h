/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * The command line as texts: which options each verb takes, what --help says of them, and what was
 * given. What the texts mean is the business of options.h.
 */
#ifndef PIPESIM_CLI_COMMAND_LINE_H
#define PIPESIM_CLI_COMMAND_LINE_H

#include <glib.h>

/* As many as build.h has rules. */
#define RAW_RULES 10

typedef enum {
    VERB_RUN,
    VERB_SWEEP,
    VERB_COMPARE,
    VERB_ROOFLINE,
    VERB_BENCH,
    VERB_VALIDATE,
    VERB_BUILD,
    VERB_SHOW,
    VERB_LIST
} Verb;

/* "run" */
const char *verb_name(Verb verb);

/* What --help says of a verb (g_free). */
char *options_help(Verb verb);

/* What was given; what was not is NULL or FALSE. */
typedef struct {
    gboolean help, dot, xml, sources, merge, published, no_fast_forward, trajectory;
    gboolean explain, sensitivity, advise, tables; /* of run */
    gboolean versus;                               /* of compare: for --help, others look for it */
    char *report;                                  /* of run, as the next */
    gboolean no_source;
    gboolean only_gpus, only_graphs; /* of list: --gpus, --graphs */
    char **files, **gpus, **params, **what_if, **vary;
    char *groups, *group_size, *active, *clock, *jobs;
    char *format, *output, *log, *chart, *resume, *shard;
    char *chart_kind, *discounted, *kernel, *launches;
    char *policy, *order, *schedulers, *contention, *overheads, *cus, *levels, *cache;
    char *clamp, *measured;
    gboolean quick, go_on, force; /* of bench; go_on is its --resume */
    char *backend, *device, *cubins, *precompile, *code, *classes, *grid, *raw, *from, *seed,
        *noise;
    char *timeline, *timeline_warps, *trace, *trace_window;
    char *points; /* of validate */
    /* of build; grid and kernel are there, too */
    gboolean stats, partial, merge_loads, no_rule[RAW_RULES];
    char **arg, **dump;
    char *list, *block, *shared, *registers, *sample, *arch, *max_instructions, *compiler_options;
} Raw;

/* Fills *raw, which is zeroed, from argv, which starts with the program's name and lacks the verb.
 * FALSE and *error for an option that is not there, or is another verb's. raw_clear is due in both
 * cases. */
gboolean raw_read(Verb verb, char **argv, Raw *raw, GError **error);
void raw_clear(Raw *raw);

/* To the error of an option that GOption does not know (others stay as they are) adds which of
 * these ("--gpu") may have been meant. */
void option_suggest(GError *error, const GPtrArray *options);

/* The name of the first option that was given and is not one of these (NULL-terminated); NULL where
 * there is none. */
const char *raw_other_than(const Raw *raw, const char *const *names);

/* The name of the first option that was given and is one of these; NULL where there is none. */
const char *raw_any_of(const Raw *raw, const char *const *names);

/* The name of the first option of the verb that takes one value and is in argv (as above) more than
 * once, and none of `without` (NULL-terminated); NULL where there is none. */
const char *raw_repeated(Verb verb, char **argv, const char *const *without);

/* The verb's options that raw has and the other lacks or has with another value, but for those of
 * `without`: "--block 128" each, as a shell would read it (g_strfreev). */
char **raw_differences(Verb verb, const Raw *raw, const Raw *other, const char *const *without);

/* The options that decide what a simulation gives, as they were given: all but those that choose
 * graphs, GPUs, and what is done with the results (g_free). */
char *raw_signature(const Raw *raw);

G_DEFINE_AUTO_CLEANUP_CLEAR_FUNC(Raw, raw_clear)

#endif

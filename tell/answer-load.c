/* SPDX-License-Identifier: BSD-3-Clause */
/* The busy units of a run, and how long instructions waited for them, as facts. */
#include "answer/answer-private.h"
#include "answer/figures.h"
#include "answer/words.h"
#include "gpu/rows.h"
#include "idg/words.h"
#include "tell/answer-parts.h"

#include "tell/describe.h"
#include "tell/words.h"

static void tell_busiest(const PsAnswer *answer, PsTold *facts)
{
    const PsBusiest busiest = ps_answer_busiest_part(answer);
    ps_tell_open(facts, PS_FACT_BUSIEST);
    ps_tell(facts, PS_FACT_BUSIEST_NAME, ps_busiest_name(&busiest));
    g_autofree char *words = ps_busiest_words(answer, &busiest);
    ps_tell(facts, PS_FACT_BUSIEST_WORDS, words);
    ps_tell(facts, PS_FACT_BUSIEST_BUSY, busiest.load);
    ps_tell_close(facts);
}

static void tell_pipelines(const PsAnswer *answer, PsTold *facts)
{
    ps_tell_open(facts, PS_FACT_PIPELINES);
    for (guint i = 0; i < answer->pipelines->len; i++) {
        const PsStatsRow *row = answer->pipelines->pdata[i];
        ps_tell_item(facts);
        ps_tell(facts, PS_FACT_PIPELINES_NAME, row->name);
        ps_tell_taken(facts, PS_FACT_PIPELINES_WORDS, ps_answer_pipeline_words(answer, row->name));
        ps_tell(facts, PS_FACT_PIPELINES_BUSY, ps_answer_share(answer, row));
        ps_tell(facts, PS_FACT_PIPELINES_INSTRUCTIONS, row->issued);
        ps_tell(facts, PS_FACT_PIPELINES_MEAN_WAIT,
                ps_answer_mean(answer, row->queued, row->issued));
        ps_tell(facts, PS_FACT_PIPELINES_LONGEST_WAIT, ps_answer_mean(answer, row->most_queued, 1));
        ps_tell_close(facts);
    }
    ps_tell_close(facts);
}

/* Tells a level, and the share of it of one of the CUs that have work. */
static void tell_level(const PsAnswer *answer, guint i, PsTold *facts)
{
    const PsServerRow *row = answer->servers->pdata[i];
    const PsMachine *machine = answer->machine;
    const PsMemoryLevel *level = &machine->levels[i];
    const double bytes = ps_server_bytes(answer, row);
    PsRational latency = level->latency;
    (void)ps_gpu_cycles(level->latency, level->at, machine->clock, &latency);
    ps_tell_item(facts);
    ps_tell(facts, PS_FACT_MEMORY_LEVELS_NAME, row->name);
    ps_tell_taken(facts, PS_FACT_MEMORY_LEVELS_WORDS, ps_server_words(row));
    ps_tell(facts, PS_FACT_MEMORY_LEVELS_BUSY, ps_server_utilization(answer, row));
    ps_tell(facts, PS_FACT_MEMORY_LEVELS_VISITS, row->visits);
    ps_tell(facts, PS_FACT_MEMORY_LEVELS_BYTES, bytes);
    ps_tell(facts, PS_FACT_MEMORY_LEVELS_BYTES_PER_SECOND, bytes / ps_answer_execution(answer));
    ps_tell(facts, PS_FACT_MEMORY_LEVELS_HIT_RATE, ps_server_hits(answer, row));
    ps_tell(facts, PS_FACT_MEMORY_LEVELS_LATENCY, latency);
    ps_tell(facts, PS_FACT_MEMORY_LEVELS_BYTES_PER_CYCLE,
            g_array_index(machine->servers, PsServer, i).rate);
    ps_tell_close(facts);
}

static void tell_server(const PsAnswer *answer, const PsServerRow *row, PsTold *facts)
{
    ps_tell_item(facts);
    ps_tell(facts, PS_FACT_MEMORY_SERVERS_NAME, row->name);
    ps_tell_taken(facts, PS_FACT_MEMORY_SERVERS_WORDS, ps_server_words(row));
    ps_tell(facts, PS_FACT_MEMORY_SERVERS_BUSY, ps_server_utilization(answer, row));
    ps_tell(facts, PS_FACT_MEMORY_SERVERS_VISITS, row->visits);
    ps_tell_close(facts);
}

/* Levels come first among the servers of memory. */
static void tell_memory(const PsAnswer *answer, PsTold *facts)
{
    const guint n_levels = answer->machine->n_levels;
    if (n_levels == 0)
        return;
    ps_tell_open(facts, PS_FACT_MEMORY);
    ps_tell(facts, PS_FACT_MEMORY_KEPT, answer->machine->warm);
    ps_tell_open(facts, PS_FACT_MEMORY_LEVELS);
    for (guint i = 0; i < n_levels; i++)
        tell_level(answer, i, facts);
    ps_tell_close(facts);
    ps_tell_open(facts, PS_FACT_MEMORY_SERVERS);
    for (guint i = n_levels; i < answer->servers->len; i++)
        tell_server(answer, answer->servers->pdata[i], facts);
    ps_tell_close(facts);
    ps_tell_close(facts);
}

static const char *match_name(PsMatch match)
{
    static const char *const names[] = {
        [PS_MATCH_EXACT] = "exact", [PS_MATCH_PARENT] = "parent", [PS_MATCH_DEFAULT] = "default"};
    return names[match];
}

/* Latencies are those of what-ifs and descriptions. */
static void tell_class(const PsAnswer *answer, guint i, PsTold *facts)
{
    const PsLatency latency = ps_what_if_latency(answer->machine, i);
    const PsMachineClass *entry = &answer->machine->classes[i];
    const PsPipeline *pipeline = answer->gpu->pipelines->pdata[entry->pipeline];
    const PsStatsRow *row = answer->classes->pdata[i];
    ps_tell_item(facts);
    ps_tell(facts, PS_FACT_CLASSES_NAME, entry->asked);
    ps_tell_taken(facts, PS_FACT_CLASSES_WORDS, ps_answer_class_words(answer, i));
    ps_tell(facts, PS_FACT_CLASSES_SERVED_BY, entry->class->name);
    ps_tell_taken(facts, PS_FACT_CLASSES_SERVED_WORDS,
                  ps_idg_class_words(answer->idg, entry->class->name));
    ps_tell(facts, PS_FACT_CLASSES_MATCH, match_name(entry->match));
    ps_tell(facts, PS_FACT_CLASSES_PIPELINE, pipeline->name);
    ps_tell_taken(facts, PS_FACT_CLASSES_PIPELINE_WORDS,
                  ps_pipeline_words(answer, entry->pipeline));
    ps_tell(facts, PS_FACT_CLASSES_ISSUE, latency.issue);
    ps_tell(facts, PS_FACT_CLASSES_COMPLETION, latency.completion);
    ps_tell(facts, PS_FACT_CLASSES_PER_SCHEDULER, ps_what_if_is_each(answer->machine, i));
    ps_tell(facts, PS_FACT_CLASSES_BUSY, ps_answer_share(answer, row));
    ps_tell(facts, PS_FACT_CLASSES_INSTRUCTIONS, row->issued);
    ps_tell(facts, PS_FACT_CLASSES_MEAN_WAIT, ps_answer_mean(answer, row->queued, row->issued));
    ps_tell(facts, PS_FACT_CLASSES_LONGEST_WAIT, ps_answer_mean(answer, row->most_queued, 1));
    if (entry->by_levels) {
        ps_tell(facts, PS_FACT_CLASSES_PER_NODE, ps_class_differs(answer->machine, i));
        ps_tell(facts, PS_FACT_CLASSES_MEAN_MEMORY_WAIT,
                ps_answer_mean(answer, row->delayed, row->issued));
    }
    ps_tell_close(facts);
}

static void tell_lines(const PsAnswer *answer, PsTold *facts)
{
    ps_tell_open(facts, PS_FACT_LINES);
    for (guint i = 0; i < answer->lines->len; i++) {
        const PsStatsRow *row = answer->lines->pdata[i];
        ps_tell_item(facts);
        ps_tell(facts, PS_FACT_LINES_LINE, row->name);
        ps_tell(facts, PS_FACT_LINES_BUSY, ps_answer_share(answer, row));
        ps_tell(facts, PS_FACT_LINES_INSTRUCTIONS, row->issued);
        ps_tell(facts, PS_FACT_LINES_MEAN_WAIT, ps_answer_mean(answer, row->queued, row->issued));
        ps_tell(facts, PS_FACT_LINES_LONGEST_WAIT, ps_answer_mean(answer, row->most_queued, 1));
        ps_tell_close(facts);
    }
    ps_tell_close(facts);
}

void ps_tell_load(const PsAnswer *answer, PsTold *facts)
{
    tell_busiest(answer, facts);
    tell_pipelines(answer, facts);
    tell_memory(answer, facts);
    ps_tell_open(facts, PS_FACT_CLASSES);
    for (guint i = 0; i < answer->machine->n_classes; i++)
        tell_class(answer, i, facts);
    ps_tell_close(facts);
    tell_lines(answer, facts);
}

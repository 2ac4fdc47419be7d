/* SPDX-License-Identifier: BSD-3-Clause */
/* See card.h. */
#include "card/recorder.h"
#include "card/repeat.h"

#include "code/set.h"

#define MEBIBYTE ((guint64)1 << 20)
/* Bytes of results that are kept: a sort in several passes changes its memory several times before
 * it begins again. */
#define RESULTS (1024 * MEBIBYTE)
/* Used where a description does not state these figures. */
#define USUAL_MEMORY (8192 * MEBIBYTE)

GQuark ps_card_fault_quark(void)
{
    return g_quark_from_static_string("ps-card-fault-quark");
}

PsCard *ps_card_new(const PsGpu *gpu, guint64 memory, PsCardLog *log)
{
    PsCard *card = g_new0(PsCard, 1);
    const guint64 stated = (guint64)gpu->device_memory * MEBIBYTE;
    card->gpu = gpu;
    card->memory = ps_card_memory_new(memory ? memory : stated ? stated : USUAL_MEMORY);
    card->log = log;
    card->threads = g_get_num_processors();
    card->options = (PsCodeOptions){.prefix = "--", .quiet = TRUE, .store = ps_code_store(NULL)};
    card->modules = g_ptr_array_new();
    card->textures = g_ptr_array_new_full(1, g_free); /* never NULL */
    card->printed = g_string_new(NULL);
    card->results = ps_card_results_new(RESULTS);
    return card;
}

void ps_card_free(PsCard *card)
{
    if (!card)
        return;
    while (card->modules->len)
        ps_card_module_free(card->modules->pdata[card->modules->len - 1]);
    g_ptr_array_unref(card->modules);
    g_ptr_array_unref(card->textures);
    ps_card_results_free(card->results);
    ps_card_memory_free(card->memory);
    ps_card_recorder_free(card->recorder);
    g_clear_pointer(&card->given, g_hash_table_unref);
    g_clear_pointer(&card->untrue_read, g_hash_table_unref);
    g_string_free(card->printed, TRUE);
    g_clear_pointer(&card->options.store, ps_store_free);
    g_free(card);
}

void ps_card_limit(PsCard *card, guint64 instructions)
{
    card->options.most_instructions = instructions;
}

void ps_card_threads(PsCard *card, guint threads)
{
    card->threads = threads ? threads : g_get_num_processors();
}

void ps_card_record_to(PsCard *card, int file)
{
    card->recorder = ps_card_recorder_new(file, card->log);
}

void ps_card_steps(PsCard *card)
{
    card->steps = TRUE;
}

const PsGpu *ps_card_gpu(const PsCard *card)
{
    return card->gpu;
}

GString *ps_card_printed(PsCard *card)
{
    return card->printed;
}

PsCardMemory *ps_card_memory(PsCard *card)
{
    return card->memory;
}

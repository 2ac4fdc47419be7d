/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * grid.sync, where all groups of a cooperative grid meet. One thread of each group adds to a word
 * of the workspace, so that the word's highest bit changes when all groups have added. The thread
 * reads the word until that bit differs from the one that it found. How often a device's thread
 * reads depends on when the other groups come. Here it reads once, when all have come.
 */
#include "ptx/run/watch.h"

#include <string.h>

#define WORD 4U /* offset of the word in the workspace */
#define ALL_CAME 0x80000000U
#define ARRIVED (G_GUINT64_CONSTANT(1) << 32)

static const PsPtxPrelude *own_of(const PsPtxMachine *machine, const PsPtxStep *step)
{
    return g_hash_table_lookup(machine->bringers, GUINT_TO_POINTER(step->point));
}

/* The word, if a single lane accesses it; else NULL. */
static const guint8 *word_of(PsPtxWarp *warp, const PsPtxStep *step, guint32 mask)
{
    const PsPtxMachine *machine = ps_ptx_runner(warp)->machine;
    const guint64 word = machine->launch.workspace + WORD;
    guint64 address[PS_PTX_LANES];
    if ((mask & (mask - 1)) != 0)
        return NULL;
    ps_ptx_addresses(warp, step, address);
    if (address[__builtin_ctz(mask)] != word)
        return NULL;
    const PsPtxBuffer *buffer = ps_ptx_buffer_at(machine, PS_PTX_GLOBAL, word);
    return buffer ? buffer->data + (word - buffer->address) : NULL;
}

static guint32 value_of(const guint8 *word)
{
    guint32 value;
    memcpy(&value, word, sizeof value);
    return GUINT32_FROM_LE(value);
}

static void arrive(PsPtxWarp *warp, const PsPtxStep *step, guint32 mask)
{
    PsPtxRunner *runner = ps_ptx_runner(warp);
    const guint8 *word = word_of(warp, step, mask);
    if (word)
        runner->arrived = ARRIVED | value_of(word);
    own_of(runner->machine, step)->execute(warp, step, mask);
}

static void wait_for_all(PsPtxWarp *warp, const PsPtxStep *step, guint32 mask)
{
    PsPtxRunner *runner = ps_ptx_runner(warp);
    const guint8 *word = runner->arrived ? word_of(warp, step, mask) : NULL;
    if (word && ((value_of(word) ^ runner->arrived) & ALL_CAME) == 0) {
        ps_ptx_paths_wait(runner, PS_PTX_POLLS, step, mask);
        return;
    }
    if (word)
        runner->arrived = 0;
    own_of(runner->machine, step)->execute(warp, step, mask);
}

static PsPtxExecute wrapper_of(const PsPtxStep *step, const PsPtxInstruction *instruction)
{
    const char *opcode = instruction->mnemonic->opcode;
    const PsPtxSpace space = instruction->mnemonic->space;
    if (!step->execute || (space != PS_PTX_GLOBAL && space != PS_PTX_GENERIC))
        return NULL;
    return strcmp(opcode, "atom") == 0 ? arrive : strcmp(opcode, "ld") == 0 ? wait_for_all : NULL;
}

void ps_ptx_meeting_prepare(PsPtxMachine *machine)
{
    if (!machine->launch.workspace)
        return;
    machine->bringers = g_hash_table_new_full(NULL, NULL, NULL, g_free);
    for (guint i = 0; i < machine->code->n_points; i++) {
        PsPtxStep *step = &machine->steps[i];
        PsPtxExecute wrapper = wrapper_of(step, machine->code->points[i].instruction);
        PsPtxWatch *watch = machine->watches ? machine->watches[i] : NULL;
        PsPtxExecute *execute = watch ? &watch->execute : &step->execute; /* the function that
                                                                             watches call */
        const PsPtxPrelude own = {.execute = *execute};
        if (!wrapper)
            continue;
        g_hash_table_insert(machine->bringers, GUINT_TO_POINTER(i), g_memdup2(&own, sizeof own));
        *execute = wrapper;
    }
}

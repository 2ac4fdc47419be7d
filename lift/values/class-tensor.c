/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Classes of instructions of tensor memory (tcgen05). Their time depends on the words of each lane,
 * or the rows, that they move: this is the number of passes in the name.
 */
#include "lift/values/class.h"

#include <stdio.h>
#include <string.h>

/* Cycles of a copy at 128 bytes each: its shape states the rows and their bits. */
static guint passes_of_copy(const PsPtxMnemonic *mnemonic)
{
    static const struct {
        const char *shape;
        guint passes;
    } shapes[] = {
        {"128x256b", 32}, {"4x256b", 1}, {"128x128b", 16}, {"64x128b", 8}, {"32x128b", 4}};
    for (gsize i = 0; i < G_N_ELEMENTS(shapes); i++)
        if (ps_ptx_has(mnemonic, shapes[i].shape))
            return shapes[i].passes;
    return 1;
}

/* Words of each lane that a load or store moves: those of its shape, as often as it states. */
static guint passes_of_move(const PsPtxMnemonic *mnemonic)
{
    guint times = 1, number;
    int length;
    for (const char *const *part = mnemonic->parts; *part; part++)
        if (sscanf(*part, "x%3u%n", &number, &length) == 1 && (*part)[length] == '\0')
            times = number;
    return times * (ps_ptx_has(mnemonic, "16x256b") ? 4 : ps_ptx_has(mnemonic, "16x128b") ? 2 : 1);
}

static PsClass moves(const char *name, guint passes, PsClassKind kind)
{
    g_autofree char *all = passes > 1 ? g_strdup_printf("%s.c%u", name, passes) : g_strdup(name);
    return (PsClass){g_intern_string(all), kind, 0, NULL, TRUE, NULL, 0};
}

/* An instruction that only announces an end, such as a commit, takes a place in the warp's
 * order. */
static PsClass orders(const char *name, PsClassKind kind)
{
    return (PsClass){name, kind, 0, NULL, TRUE, NULL, 0};
}

gboolean ps_class_is_awaited(const PsPtxMnemonic *mnemonic)
{
    return strcmp(mnemonic->opcode, "tcgen05") == 0 &&
           (ps_ptx_has(mnemonic, "mma") || ps_ptx_has(mnemonic, "cp"));
}

gboolean ps_class_tensor(const PsPtxMnemonic *mnemonic, PsClass *result)
{
    static const char *const takes[] = {"alloc", "dealloc", "relinquish_alloc_permit", NULL};
    const char *does = mnemonic->parts[0];
    if (strcmp(mnemonic->opcode, "tcgen05") != 0 || !does)
        return FALSE;
    if (strcmp(does, "ld") == 0)
        *result = moves("tensor_memory.load", passes_of_move(mnemonic), PS_CLASS_COMPUTE);
    else if (strcmp(does, "st") == 0)
        *result = moves("tensor_memory.store", passes_of_move(mnemonic), PS_CLASS_EFFECT);
    else if (strcmp(does, "cp") == 0)
        *result = moves("tensor_memory.copy", passes_of_copy(mnemonic), PS_CLASS_EFFECT);
    else if (strcmp(does, "commit") == 0 || g_str_has_prefix(does, "fence::"))
        *result = orders("logic.mov", PS_CLASS_EFFECT);
    else if (g_str_has_prefix(does, "wait::"))
        *result = orders("logic.mov", PS_CLASS_WAIT);
    else if (g_strv_contains(takes, does))
        *result = orders("memory.fence.group", PS_CLASS_EFFECT);
    else
        return FALSE;
    return TRUE;
}

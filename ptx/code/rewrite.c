/* SPDX-License-Identifier: BSD-3-Clause */
/* See rewrite.h. Labels and tables of branches are numbers of instructions, which change. */
#include "ptx/code/rewrite.h"
#include "ptx/arena.h"
#include <string.h>

static void move_labels(PsPtxInstruction *instruction, const guint *moved, PsPtxModule *storage)
{
    PsPtxOperand *own = NULL;
    for (guint i = 0; i < instruction->n_operands; i++) {
        if (instruction->operands[i].kind != PS_PTX_OPERAND_LABEL)
            continue;
        if (!own) {
            const gsize size = instruction->n_operands * sizeof *own;
            own = ps_ptx_arena_get(storage->storage, size);
            memcpy(own, instruction->operands, size);
        }
        own[i].value = moved[own[i].value];
    }
    if (own)
        instruction->operands = own;
}

static GHashTable *moved_tables(GHashTable *tables, const guint *moved)
{
    GHashTable *mine = g_hash_table_new_full(g_str_hash, g_str_equal, NULL,
                                             (GDestroyNotify)(void (*)(void))g_array_unref);
    GHashTableIter iter;
    gpointer name, targets;
    g_hash_table_iter_init(&iter, tables);
    while (g_hash_table_iter_next(&iter, &name, &targets)) {
        GArray *table = g_array_copy(targets);
        for (guint i = 0; i < table->len; i++)
            g_array_index(table, guint, i) = moved[g_array_index(table, guint, i)];
        g_hash_table_insert(mine, name, table);
    }
    return mine;
}

static void fill(const PsPtxRewrite *rewrite, PsPtxFunction *to, const PsPtxFunction *from)
{
    const guint n = from->instructions->len;
    g_autofree guint *moved = g_new(guint, (gsize)n + 1);
    g_autoptr(GArray) plain = g_array_new(FALSE, FALSE, sizeof(guint)); /* instructions with old
                                                                           labels */
    for (guint i = 0; i < n; i++) {
        const PsPtxInstruction *old = &g_array_index(from->instructions, PsPtxInstruction, i);
        moved[i] = to->instructions->len;
        if (rewrite->replaces(rewrite, old)) {
            rewrite->put(rewrite, to, old);
        } else {
            g_array_append_val(plain, moved[i]);
            g_array_append_val(to->instructions, *old);
        }
    }
    moved[n] = to->instructions->len;
    for (guint i = 0; i < plain->len; i++)
        move_labels(
            &g_array_index(to->instructions, PsPtxInstruction, g_array_index(plain, guint, i)),
            moved, rewrite->storage->pdata[0]);
    to->tables = moved_tables(from->tables, moved);
}

PsPtxFunction *ps_ptx_rewrite(const PsPtxRewrite *rewrite, const PsPtxFunction *function)
{
    gboolean any = FALSE;
    for (guint i = 0; i < function->instructions->len && !any; i++)
        any =
            rewrite->replaces(rewrite, &g_array_index(function->instructions, PsPtxInstruction, i));
    if (!any)
        return NULL;
    PsPtxFunction *mine = g_memdup2(function, sizeof *function);
    mine->registers = g_array_copy(function->registers);
    mine->instructions = g_array_new(FALSE, FALSE, sizeof(PsPtxInstruction));
    fill(rewrite, mine, function);
    return mine;
}

void ps_ptx_rewrite_free(gpointer function)
{
    PsPtxFunction *mine = function;
    g_array_unref(mine->registers);
    g_array_unref(mine->instructions);
    g_hash_table_unref(mine->tables);
    g_free(mine);
}

/* SPDX-License-Identifier: BSD-3-Clause */
/* Where a kernel's machine code goes and ends: targets of branches, subroutines, instructions that
 * only fill. */
#include "sass/stretch.h"

#include "ptx/instruction.h"

#include <string.h>

gboolean ps_sass_refuse(const PsSassTelling *telling, const char *format, ...)
{
    va_list arguments;
    va_start(arguments, format);
    g_autofree char *text = g_strdup_vprintf(format, arguments);
    va_end(arguments);
    g_autofree char *name = ps_ptx_plain_name(telling->teller.kernel->name);
    g_set_error(telling->teller.error, PS_ERROR, PS_ERROR_VALUE, "kernel \"%s\" at 0x%x: %s", name,
                telling->teller.number * PS_SASS_BYTES, text);
    return FALSE;
}

void ps_sass_add_edge(PsSassTeller *teller, guint64 target)
{
    const PsSassEdge edge = {teller->number, (guint)(target / PS_SASS_BYTES)};
    if (edge.to < teller->listing->instructions->len)
        g_array_append_val(teller->edges, edge);
}

gboolean ps_sass_is_place(const PsSassTeller *teller, guint64 offset)
{
    return offset % PS_SASS_BYTES == 0 && offset < teller->kernel->text.size;
}

guint64 ps_sass_end_of_subroutine(const PsSassTeller *teller, guint64 start)
{
    guint64 end = teller->kernel->text.size;
    GHashTableIter iter;
    gpointer at;
    g_hash_table_iter_init(&iter, teller->kernel->subroutines);
    while (g_hash_table_iter_next(&iter, NULL, &at)) {
        const guint64 other = GPOINTER_TO_SIZE(at) - 1;
        if (other > start && other < end)
            end = other;
    }
    return end;
}

/* Where a branch goes: the number behind the last comma. */
static guint64 target_of(const PsSassInstruction *instruction)
{
    const char *last = instruction->operands ? strrchr(instruction->operands, ',') : NULL;
    last = last ? last + 1 : instruction->operands ? instruction->operands : "";
    return g_ascii_strtoull(last, NULL, 0);
}

/* TRUE for branches, and for calls that may be one (is_jump). */
static gboolean is_branch(const PsSassTeller *teller, const PsSassInstruction *instruction)
{
    return g_str_has_prefix(instruction->opcode, "BRA") ||
           (g_str_has_prefix(instruction->opcode, "CALL") && instruction->operands &&
            g_str_has_prefix(instruction->operands, "0x") &&
            ps_sass_is_place(teller, target_of(instruction)));
}

static gboolean add_target(PsSassTelling *telling, guint64 target)
{
    ps_sass_add_edge(&telling->teller, target);
    if (!ps_sass_is_place(&telling->teller, target))
        return ps_sass_refuse(
            telling, "a branch to 0x%" G_GINT64_MODIFIER "x, where the code has no instruction",
            target);
    g_hash_table_add(telling->targets, GSIZE_TO_POINTER(target));
    return TRUE;
}

gboolean ps_sass_find_targets(PsSassTelling *telling)
{
    PsSassTeller *teller = &telling->teller;
    const GArray *list = teller->listing->instructions;
    for (teller->number = 0; teller->number < list->len; teller->number++) {
        const PsSassInstruction *instruction =
            &g_array_index(list, PsSassInstruction, teller->number);
        if (!is_branch(teller, instruction))
            continue;
        const guint64 target = target_of(instruction);
        if (!add_target(telling, target))
            return FALSE;
    }
    for (guint i = 0; i < teller->kernel->jumps->len; i++) {
        const PsSassJump *jump = &g_array_index(teller->kernel->jumps, PsSassJump, i);
        teller->number = (guint)(jump->at / PS_SASS_BYTES);
        for (guint k = 0; k < jump->targets->len; k++)
            if (!add_target(telling, g_array_index(jump->targets, guint64, k)))
                return FALSE;
    }
    return TRUE;
}

/* TRUE if another branch goes to the instruction there. */
static gboolean is_reached(const PsSassTeller *teller, guint64 at)
{
    const GArray *list = teller->listing->instructions;
    for (guint i = 0; i < list->len; i++) {
        const PsSassInstruction *other = &g_array_index(list, PsSassInstruction, i);
        if (i != at / PS_SASS_BYTES && strcmp(other->opcode, "BRA") == 0 && target_of(other) == at)
            return TRUE;
    }
    return FALSE;
}

guint64 ps_sass_end_of_code(const PsSassTeller *teller, guint64 end)
{
    const GArray *list = teller->listing->instructions;
    while (end > PS_SASS_BYTES) {
        const PsSassInstruction *last =
            &g_array_index(list, PsSassInstruction, end / PS_SASS_BYTES - 1);
        const gboolean stays = strcmp(last->opcode, "BRA") == 0 && !last->guard &&
                               target_of(last) == end - PS_SASS_BYTES &&
                               !is_reached(teller, end - PS_SASS_BYTES);
        if (strcmp(last->opcode, "NOP") != 0 && !stays)
            break;
        end -= PS_SASS_BYTES;
    }
    return end;
}

guint64 ps_sass_end_of_kernel(const PsSassTeller *teller)
{
    guint64 end = teller->kernel->text.size;
    GHashTableIter iter;
    gpointer at;
    g_hash_table_iter_init(&iter, teller->kernel->subroutines);
    while (g_hash_table_iter_next(&iter, NULL, &at))
        if (GPOINTER_TO_SIZE(at) > 1)
            end = MIN(end, GPOINTER_TO_SIZE(at) - 1);
    return ps_sass_end_of_code(teller, end);
}

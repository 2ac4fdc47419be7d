/* SPDX-License-Identifier: BSD-3-Clause */
/* Advice on 64-bit indices where 32 bits would do. See strength.h. */
#include "advice/strength.h"

#include "base/class-name.h"
#include "tell/format.h"

#include <string.h>

static char *sentence(const PsAnswer *answer, const PsAdvice *advice)
{
    const PsCheaper *cheaper = advice->data;
    g_autofree char *lines = ps_cheaper_lines(cheaper);
    g_autofree char *now = ps_format_noun(cheaper->before, "instruction");
    return ps_cheaper_sentence(
        answer, advice,
        g_strdup_printf("indices are of 64 bits (%s takes %s): int, with one wider product for "
                        "each address%s",
                        cheaper->op, now, *lines ? lines : ","));
}

static const PsAdviceChange narrow = PS_CHEAPER_CHANGE("narrow-index", sentence);

/* Operations on 64-bit integers, and the same on 32 bits. */
static const struct {
    const char *opcode, *to;
    gboolean of_indices; /* pointers without 64-bit indices need no such operation */
} NARROW[] = {
    {"add", "=iadd:*", FALSE},       {"sub", "=iadd:*", FALSE},
    {"neg", "=iadd.sign:*", TRUE},   {"abs", "=iadd.sign:*", TRUE},
    {"mul.lo", "=imad.mul:*", TRUE}, {"mad.lo", "=imad:*", TRUE},
    {"shl", "=shift:*", TRUE},       {"shr", "=shift:*", TRUE},
    {"and", "=logic:*", TRUE},       {"or", "=logic:*", TRUE},
    {"xor", "=logic:*", TRUE},       {"not", "=logic:*", TRUE},
    {"min", "=iadd.minmax:*", TRUE}, {"max", "=iadd.minmax:*", TRUE},
    {"setp", "=iadd.setp:*", TRUE},  {"selp", "=logic.select:*", FALSE},
    {"mov", "=logic.mov:*", FALSE},
};

/* The row of an operation on 64-bit integers; -1: it is none. */
static int row_of(const PsIdgItem *whole)
{
    const char *op = whole->op ? whole->op : "";
    if (!g_str_has_suffix(op, ".s64") && !g_str_has_suffix(op, ".u64") &&
        !g_str_has_suffix(op, ".b64"))
        return -1;
    for (gsize i = 0; i < G_N_ELEMENTS(NARROW); i++) {
        const gsize length = strlen(NARROW[i].opcode);
        if (strncmp(op, NARROW[i].opcode, length) == 0 && op[length] == '.')
            return (int)i;
    }
    return -1;
}

/* How results of such operations, and values computed from them, are used. */
typedef struct {
    PsStrength *strength;
    GHashTable *data;    /* PsIdgItem: 64-bit numbers that are loaded or stored, or become floats */
    GHashTable *address; /* PsIdgItem: an access reads them */
    gboolean changed;
} Uses;

typedef void (*Visit)(Uses *uses, const PsIdgItem *from, const PsIdgItem *to);

/* Visits each pair of operations of which one waits for the other. */
static void visit(Uses *uses, Visit look)
{
    const PsKernel *kernel = uses->strength->answer->kernel;
    for (guint p = 0; p < kernel->n_programs; p++)
        for (guint n = 0; n < kernel->programs[p].n_nodes; n++) {
            const PsProgramNode *node = &kernel->programs[p].nodes[n];
            const PsIdgItem *to = ps_strength_whole(uses->strength, p, n);
            for (guint d = 0; d < node->n_deps; d++) {
                const PsIdgItem *from = ps_strength_whole(uses->strength, p, node->deps[d].on);
                if (!node->deps[d].fence && from != to)
                    look(uses, from, to);
            }
        }
}

static void look_at_ends(Uses *uses, const PsIdgItem *from, const PsIdgItem *to)
{
    const gboolean to_memory =
        ps_class_is_store(to->class_name) || ps_class_covers("atomic", to->class_name);
    if (row_of(from) >= 0 && to->bytes)
        g_hash_table_add(uses->address, (gpointer)from);
    if (row_of(from) >= 0 && ((to_memory && ps_strength_moves_wide(to)) ||
                              ps_class_covers("conversion", to->class_name)))
        g_hash_table_add(uses->data, (gpointer)from);
    if (row_of(to) >= 0 && ps_strength_moves_wide(from))
        g_hash_table_add(uses->data, (gpointer)to);
}

/* Passes a use on to values computed from data, and to values from which data are computed. */
static void spread(Uses *uses, const PsIdgItem *from, const PsIdgItem *to)
{
    if (row_of(from) < 0 || row_of(to) < 0)
        return;
    if (g_hash_table_contains(uses->data, from))
        uses->changed |= g_hash_table_add(uses->data, (gpointer)to);
    if (g_hash_table_contains(uses->data, to))
        uses->changed |= g_hash_table_add(uses->data, (gpointer)from);
}

static gboolean is_index(const Uses *uses, const PsIdgItem *item)
{
    return row_of(item) >= 0 && !g_hash_table_contains(uses->data, item) &&
           !g_hash_table_contains(uses->address, item);
}

static gboolean has_indices(const Uses *uses)
{
    const PsKernel *kernel = uses->strength->answer->kernel;
    for (guint p = 0; p < kernel->n_programs; p++)
        for (guint n = 0; n < kernel->programs[p].n_nodes; n++) {
            const PsIdgItem *item = kernel->programs[p].nodes[n].item;
            if (is_index(uses, item) && NARROW[row_of(item)].of_indices)
                return TRUE;
        }
    return FALSE;
}

/* The 32-bit form of an index's operation. */
static const char *as_narrow(const Uses *uses, const PsIdgItem *item)
{
    return is_index(uses, item) ? NARROW[row_of(item)].to : NULL;
}

/* Replaces the address of a 32-bit index by one wide product with its base. */
static void choose_address(Uses *uses, const PsIdgItem *from, const PsIdgItem *to)
{
    if (is_index(uses, from) && row_of(to) >= 0 && g_hash_table_contains(uses->address, to))
        ps_strength_set(uses->strength, to, "=imad.wide:*");
}

static void choose(Uses *uses)
{
    const PsKernel *kernel = uses->strength->answer->kernel;
    for (guint p = 0; p < kernel->n_programs; p++)
        for (guint n = 0; n < kernel->programs[p].n_nodes; n++) {
            const PsIdgItem *item = kernel->programs[p].nodes[n].item;
            const char *text = as_narrow(uses, item);
            if (text)
                ps_strength_set(uses->strength, item, text);
        }
    visit(uses, choose_address);
}

static void find(PsAdvicePlan *plan)
{
    g_autoptr(PsStrength) strength = ps_strength_new(plan->answer);
    g_autoptr(GHashTable) data = g_hash_table_new(NULL, NULL);
    g_autoptr(GHashTable) address = g_hash_table_new(NULL, NULL);
    Uses uses = {strength, data, address, TRUE};
    visit(&uses, look_at_ends);
    while (uses.changed) {
        uses.changed = FALSE;
        visit(&uses, spread);
    }
    if (has_indices(&uses))
        choose(&uses);
    ps_strength_add(plan, strength, PS_STRENGTH_TOGETHER,
                    &(PsAdviceAbout){PS_CAUSE_WIDE_INDEX, &narrow});
}

const PsAdviceKind ps_advice_kind_index = {.find = find, .copies_graph = TRUE};

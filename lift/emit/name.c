/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Names of nodes: r12 for the node that writes %r12. PTX lacks the names of the source's variables;
 * source lines are comments beside the nodes.
 */
#include "lift/emit/emit.h"

#include <string.h>

#define MOST_NAME 60

/* Makes a name of a text: letters, digits and "_", beginning with a letter. It has no "__" and no
 * "_" at the end, which mark steps of a sequence (emit.c). */
static char *clean(const char *text)
{
    g_autoptr(GString) name = g_string_new(NULL);
    for (const char *c = text; *c && name->len < MOST_NAME; c++)
        if (g_ascii_isalnum(*c) || (*c == '_' && name->len > 0 && name->str[name->len - 1] != '_'))
            g_string_append_c(name, *c);
    if (name->len > 0 && name->str[name->len - 1] == '_')
        g_string_truncate(name, name->len - 1);
    if (name->len == 0 || g_ascii_isdigit(name->str[0]))
        g_string_prepend(name, "v");
    return g_strdup(name->str);
}

/* The register that an instruction writes first, or NULL. */
static const char *register_name(const PsFacts *facts, guint point)
{
    const PsPtxPoint *at = &facts->code->points[point];
    if (at->instruction->n_operands == 0)
        return NULL;
    if (facts->machine)
        return ps_sass_register_name(*ps_fact_to(facts, &facts->facts[point]));
    const PsPtxOperand *operand = &at->instruction->operands[0];
    while ((operand->kind == PS_PTX_OPERAND_VECTOR || operand->kind == PS_PTX_OPERAND_LIST) &&
           operand->n_members > 0)
        operand = &operand->members[0];
    const GArray *registers = at->in->function->registers;
    return operand->kind == PS_PTX_OPERAND_REGISTER && operand->reg >= 0 &&
                   (guint)operand->reg < registers->len
               ? g_array_index(registers, PsPtxRegister, operand->reg).name
               : NULL;
}

static char *wanted_name(const PsSpots *spots, guint i)
{
    const guint point = ps_spot(spots, i)->point;
    const PsFact *fact = ps_spot_fact(spots, i);
    const char *reg = fact->n_to > 0 ? register_name(spots->facts, point) : NULL;
    if (reg && strcmp(fact->name, "loop") != 0)
        return clean(reg);
    switch (fact->class.kind) {
    case PS_CLASS_BARRIER:
        return g_strdup("barrier");
    case PS_CLASS_STORE:
        return g_strdup("store");
    case PS_CLASS_COPY:
        return g_strdup("copy");
    case PS_CLASS_COMMIT:
        return g_strdup("commit");
    case PS_CLASS_WAIT:
        return g_strdup("wait");
    case PS_CLASS_BRANCH:
        return g_strdup(strcmp(fact->name, "loop") == 0 ? "loop" : "branch");
    default:
        return clean(ps_facts_instruction(spots->facts, point)->mnemonic->opcode);
    }
}

/* The name itself, or name_2, name_3, ... if it is taken. `next` has the next number to try for
 * each name. */
static char *unique_name(GHashTable *taken, GHashTable *next, char *name)
{
    guint n = GPOINTER_TO_UINT(g_hash_table_lookup(next, name));
    char *result = g_strdup(name);
    while (!g_hash_table_add(taken, result)) {
        n = MAX(n, 1) + 1;
        result = g_strdup_printf("%s_%u", name, n); /* taken owns the last round's name */
    }
    g_hash_table_insert(next, name, GUINT_TO_POINTER(n));
    return g_strdup(result);
}

void ps_spots_name(PsSpots *spots)
{
    g_autoptr(GHashTable) taken = g_hash_table_new_full(g_str_hash, g_str_equal, g_free, NULL);
    g_autoptr(GHashTable) next = g_hash_table_new_full(g_str_hash, g_str_equal, g_free, NULL);
    for (guint i = 0; i < spots->spots->len; i++)
        if (ps_spot_is_node(spots, i))
            ps_spot(spots, i)->name = unique_name(taken, next, wanted_name(spots, i));
}

/* SPDX-License-Identifier: BSD-3-Clause */
/* Lays out the work of the samples: the spots of each sequence, under one set of rules. */
#include "lift/build-private.h"
#include "lift/rules/rules.h"

#define MOST_SPOTS 1000000

static void free_spots(gpointer data)
{
    ps_spots_free(data);
}

static void free_roles(gpointer data)
{
    ps_roles_free(data);
}

/* Applies the rules that need only facts. Rules that drop instructions come before rules that look
 * at the rest. */
static void apply_rules(PsFacts *facts)
{
    static void (*const rules[PS_BUILD_N_RULES])(PsFacts *) = {
        [PS_BUILD_MOVES] = ps_rule_moves,         [PS_BUILD_PARAMETERS] = ps_rule_parameters,
        [PS_BUILD_SPECIALS] = ps_rule_specials,   [PS_BUILD_LOOPS] = ps_rule_loops,
        [PS_BUILD_ADDRESSES] = ps_rule_addresses, [PS_BUILD_UNROLL] = ps_rule_unroll,
    };
    static const PsBuildRule order[] = {PS_BUILD_MOVES, PS_BUILD_PARAMETERS, PS_BUILD_SPECIALS,
                                        PS_BUILD_LOOPS, PS_BUILD_ADDRESSES,  PS_BUILD_UNROLL};
    for (gsize i = 0; i < G_N_ELEMENTS(order); i++)
        if (facts->rules[order[i]])
            rules[order[i]](facts);
}

/* Makes the spots of a sequence and applies the other rules. The walk finds dependences, which the
 * rule "dead" and all later ones need. */
static void lay_out(PsLayout *layout, const PsRollSequence *sequence, const gboolean *rules,
                    const PsBuildOptions *options)
{
    if (g_hash_table_contains(layout->spots, sequence))
        return;
    PsSpots *spots = ps_spots_new(layout->facts, sequence);
    g_hash_table_insert(layout->spots, (gpointer)sequence, spots);
    ps_symbols_settle_rests(layout->symbols, spots);
    ps_spots_find_partial(spots);
    if (rules[PS_BUILD_MERGE_LOADS])
        ps_rule_merge_loads(spots);
    ps_spots_walk(spots);
    if (rules[PS_BUILD_DEAD])
        ps_rule_dead(spots);
    if (rules[PS_BUILD_CONSTANTS])
        ps_rule_constants(spots);
    if (rules[PS_BUILD_SCHEDULE])
        ps_rule_schedule(spots, options->registers, options->full_registers, &options->apart);
    ps_spots_find_beside(spots);
    ps_spots_name(spots);
}

/* FALSE and *error if the graph would have too many instructions: because the code is long, or
 * because its parts were executed in many different orders. */
static gboolean check_size(const PsPtxCode *code, const PsRollSequence *sequence, GError **error)
{
    const guint n = ps_spots_count(sequence);
    if (n <= MOST_SPOTS)
        return TRUE;
    if (code->n_points > MOST_SPOTS)
        g_set_error(error, PS_ERROR, PS_ERROR_LIMIT,
                    "kernel \"%s\" has %u instructions with its calls expanded, of which the "
                    "graph would have %u; at most %d can be handled",
                    code->kernel->name, code->n_points, n, MOST_SPOTS);
    else
        g_set_error(error, PS_ERROR, PS_ERROR_LIMIT,
                    "a warp took so many different ways that the graph would have %u "
                    "instructions; at most %d can be handled",
                    n, MOST_SPOTS);
    return FALSE;
}

gboolean ps_layout_init(PsLayout *layout, const PsSamples *samples, const gboolean *rules,
                        GError **error)
{
    *layout = (PsLayout){0};
    const PsFactsOf of = {ps_ptx_machine_code(samples->machine),
                          samples->options->machine,
                          samples->groups,
                          samples->meets,
                          samples->apart,
                          samples->ways,
                          samples->products};
    layout->facts = ps_facts_new(&of, rules);
    apply_rules(layout->facts);
    layout->symbols = ps_symbols_new(samples->options);
    layout->symbols->facts = layout->facts;
    layout->spots = g_hash_table_new_full(NULL, NULL, NULL, free_spots);
    layout->roles = g_hash_table_new_full(NULL, NULL, NULL, free_roles);
    for (guint i = 0; i < samples->groups->len; i++) {
        const PsRollGroup *group = samples->groups->pdata[i];
        for (guint j = 0; j < group->warps->len; j++) {
            const PsRollWarps *warps = group->warps->pdata[j];
            if (!check_size(layout->facts->code, warps->sequence, error))
                return FALSE;
            lay_out(layout, warps->sequence, rules, samples->options);
        }
    }
    return TRUE;
}

const PsRoles *ps_layout_roles(const PsLayout *layout, const PsRollGroup *group)
{
    PsRoles *roles = g_hash_table_lookup(layout->roles, group);
    if (roles)
        return roles;
    roles = ps_roles_new(group, layout->spots);
    g_hash_table_insert(layout->roles, (gpointer)group, roles);
    return roles;
}

void ps_layout_clear(PsLayout *layout)
{
    g_clear_pointer(&layout->roles, g_hash_table_unref);
    g_clear_pointer(&layout->spots, g_hash_table_unref);
    g_clear_pointer(&layout->symbols, ps_symbols_free);
    g_clear_pointer(&layout->facts, ps_facts_free);
}

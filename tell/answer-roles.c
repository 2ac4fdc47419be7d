/* SPDX-License-Identifier: BSD-3-Clause */
/* Roles of warps and stages of software pipelines, as facts. */
#include "answer/explain.h"
#include "tell/answer-parts.h"
#include "tell/words.h"

#include <math.h>

static void tell_wait(const PsRoleTable *table, const PsRoleWait *wait, PsTold *facts)
{
    g_autofree char *of = wait->role == G_MAXUINT ? NULL : ps_role_words(table, wait->role);
    ps_tell_item(facts);
    ps_tell(facts, PS_FACT_ROLES_WAITS_FOR, ps_role_for_name(wait->what));
    ps_tell(facts, PS_FACT_ROLES_WAITS_ROLE, of);
    ps_tell(facts, PS_FACT_ROLES_WAITS_SHARE, wait->share);
    ps_tell_close(facts);
}

static void tell_role(const PsRoleTable *table, guint number, PsTold *facts)
{
    const PsRole *role = table->roles->pdata[number];
    ps_tell_item(facts);
    ps_tell_taken(facts, PS_FACT_ROLES_ROLE, ps_role_words(table, number));
    ps_tell(facts, PS_FACT_ROLES_COPIES, (role->does & PS_ROLE_COPIES) != 0);
    ps_tell(facts, PS_FACT_ROLES_PRODUCTS, (role->does & PS_ROLE_PRODUCTS) != 0);
    ps_tell(facts, PS_FACT_ROLES_EPILOGUE, (role->does & PS_ROLE_EPILOGUE) != 0);
    ps_tell_open(facts, PS_FACT_ROLES_WARPS);
    for (guint i = 0; i < role->warps->len; i++)
        ps_tell_item_count(facts, g_array_index(role->warps, guint, i));
    ps_tell_close(facts);
    ps_tell_open(facts, PS_FACT_ROLES_WAITS);
    for (guint i = 0; i < role->waits->len; i++)
        tell_wait(table, &g_array_index(role->waits, PsRoleWait, i), facts);
    ps_tell_close(facts);
    ps_tell_taken(facts, PS_FACT_SPOKEN_WORDS, ps_role_sentence(table, number));
    ps_tell_close(facts);
}

static void tell_stages(const PsAnswer *answer, guint number, PsTold *facts)
{
    const PsRoleTable *table = answer->explain->roles;
    const PsRoleStages *stages = &g_array_index(table->stages, PsRoleStages, number);
    const PsRing *ring = stages->ring;
    ps_tell_item(facts);
    ps_tell_taken(facts, PS_FACT_STAGES_ROLE, ps_role_words(table, table->role_of[ring->producer]));
    ps_tell_place(answer, ring->producer, g_array_index(ring->copies, PsRingCopy, 0).node, facts);
    if (ring->stages > 0)
        ps_tell(facts, PS_FACT_STAGES_STAGES, ring->stages);
    else
        ps_tell_unknown(facts, PS_FACT_STAGES_STAGES.n);
    if (ring->ahead > 0)
        ps_tell(facts, PS_FACT_STAGES_AHEAD, ring->ahead);
    else
        ps_tell_unknown(facts, PS_FACT_STAGES_AHEAD.n);
    ps_tell(facts, PS_FACT_STAGES_BYTES, ps_ring_fill_bytes(answer, ring));
    ps_tell(facts, PS_FACT_STAGES_FILLS, ring->fills);
    ps_tell(facts, PS_FACT_STAGES_UNDER_WAY, stages->means.under_way);
    ps_tell(facts, PS_FACT_STAGES_FULL, stages->means.full);
    ps_tell(facts, PS_FACT_STAGES_IN_USE, stages->means.in_use);
    ps_tell_taken(facts, PS_FACT_SPOKEN_WORDS, ps_stages_sentence(answer, number));
    ps_tell_close(facts);
}

void ps_tell_roles(const PsAnswer *answer, PsTold *facts)
{
    const PsRoleTable *table = answer->explain ? answer->explain->roles : NULL;
    if (!table)
        return;
    ps_tell_open(facts, PS_FACT_ROLES);
    for (guint r = 0; r < table->roles->len; r++)
        tell_role(table, r, facts);
    ps_tell_close(facts);
    ps_tell_open(facts, PS_FACT_STAGES);
    for (guint s = 0; s < table->stages->len; s++)
        tell_stages(answer, s, facts);
    ps_tell_close(facts);
}

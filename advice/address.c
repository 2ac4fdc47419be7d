/* SPDX-License-Identifier: BSD-3-Clause */
/* Finds what an access's address is computed from. See access.h. */
#include "advice/access.h"

#include "base/class-name.h"
#include "idg/edit.h"

#include <string.h>

typedef struct {
    const GPtrArray *body; /* the access's body; values from outside of it do not change in it */
    GHashTable *seen;      /* nodes that were looked at */
    PsAddress address;
} Following;

static const PsIdgItem *find_in(const GPtrArray *body, const char *name)
{
    for (guint i = 0; i < body->len; i++) {
        const PsIdgItem *item = body->pdata[i];
        if (item->kind == PS_IDG_NODE && strcmp(item->name, name) == 0)
            return item;
    }
    return NULL;
}

static PsAddress address_by(const PsIdgItem *node)
{
    static const char *const counting[] = {"iadd", "imad", "shift", "loop", "logic.mov", NULL};
    if (ps_class_covers("global", node->class_name) || ps_class_covers("atomic", node->class_name))
        return PS_ADDRESS_LOADED;
    for (guint i = 0; counting[i]; i++)
        if (ps_class_covers(counting[i], node->class_name))
            return PS_ADDRESS_COUNTED;
    return PS_ADDRESS_COMPUTED;
}

/* Follows everything that a node waits for; each node is looked at once. */
static void follow(Following *following, const GPtrArray *deps)
{
    for (guint i = 0; deps && i < deps->len; i++) {
        const PsIdgDep *dep = deps->pdata[i];
        const PsIdgItem *on = find_in(following->body, dep->on);
        if (!on || !g_hash_table_add(following->seen, (gpointer)on))
            continue;
        following->address = MAX(following->address, address_by(on));
        follow(following, on->after);
        follow(following, on->reads);
    }
}

PsAddress ps_access_address(const PsAdvicePlan *plan, guint program, const PsProgramNode *node)
{
    const PsIdgCode *code = plan->question->idg->codes->pdata[program];
    g_autoptr(GHashTable) seen = g_hash_table_new(NULL, NULL);
    g_autoptr(GPtrArray) loops = ps_idg_loops_around(plan->question->idg, program, node->item);
    const GPtrArray *body = loops->len ? ((const PsIdgItem *)loops->pdata[0])->body : code->body;
    Following following = {body, seen, PS_ADDRESS_COUNTED};
    follow(&following, node->item->after);
    follow(&following, node->item->reads);
    return following.address;
}

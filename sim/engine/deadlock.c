/* SPDX-License-Identifier: BSD-3-Clause */
/* Reports warps that wait for each other for ever (R12): where each stands, and what it waits
 * for. */
#include "sim/engine/engine.h"

/* Sentences of a message, at most. */
#define MOST 8

/* Names the first thing that the warp lacks. */
static void say_lack(const PsEngine *engine, const PsWarp *warp, GString *text)
{
    const PsPlanNode *node = &warp->program->nodes[warp->at];
    for (guint i = 0; i < node->n_waits; i++) {
        const PsPlanWait *wait = &node->waits[i];
        const PsPlanProgram *program = &engine->plan->programs[wait->program];
        for (guint w = 0; w < wait->n_lacks; w++)
            if (warp->lacks[wait->lack + w] > 0) {
                g_string_append_printf(text, "awaits '%s:%s' of warp %u",
                                       engine->plan->machine->kernel->programs[wait->program].role,
                                       program->nodes[wait->on].item->name, program->warps[w]);
                return;
            }
    }
}

static void say_warp(const PsEngine *engine, const PsWarp *warp, guint number, GString *text)
{
    const PsProgram *programs = engine->plan->machine->kernel->programs;
    const char *role = programs[warp->program - engine->plan->programs].role;
    const guint at = warp->lacking ? warp->at : warp->barrier;
    g_string_append_printf(text, "%swarp %u%s%s%s stands at '%s' and ", text->len > 0 ? "; " : "",
                           number, role ? " ('" : "", role ? role : "", role ? "')" : "",
                           warp->program->nodes[at].item->name);
    if (warp->lacking)
        say_lack(engine, warp, text);
    else
        g_string_append(text, "waits for all warps of its group");
}

/* Reports the oldest group with a warp that lacks something; of warps in the same state only the
 * first. */
gboolean ps_engine_fail_deadlock(const PsEngine *engine, GError **error)
{
    const PsPlan *plan = engine->plan;
    const PsWarp *group = &engine->warps[engine->oldest * engine->warps_per_group];
    g_autoptr(GString) text = g_string_new(NULL);
    const PsPlanNode *first = NULL, *told = NULL;
    guint n = 0;
    for (guint w = 0; w < engine->warps_per_group && n < MOST; w++) {
        const PsWarp *warp = &group[w];
        if (warp->left == 0 || !(warp->lacking || warp->arrived))
            continue;
        const PsPlanNode *node = &warp->program->nodes[warp->lacking ? warp->at : warp->barrier];
        if (node == told)
            continue;
        say_warp(engine, warp, w, text);
        first = first ? first : node;
        told = node;
        n++;
    }
    const PsIdg *idg = plan->machine->kernel->idg;
    ps_error_at(error, PS_ERROR_VALUE, ps_idg_place(idg, first ? first->item->line : 0),
                "the warps of a group wait for each other for ever: %s", text->str);
    return FALSE;
}

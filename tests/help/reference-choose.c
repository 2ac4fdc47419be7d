/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Which of two nodes that could issue now goes first: T3 and refinement R3 for the slow simulator.
 * No two nodes are equal under any policy.
 */
#include "tests/help/reference-sim.h"

Node *ref_node(const Choice *choice)
{
    return &choice->group->warps[choice->warp].nodes[choice->position];
}

gint64 ref_slot(const RefRun *run, const Choice *choice)
{
    return choice->group->place * run->warps_per_group + choice->warp;
}

static gboolean older(const Choice *a, const Choice *b)
{
    if (a->group->number != b->group->number)
        return a->group->number < b->group->number;
    if (a->warp != b->warp)
        return a->warp < b->warp;
    return a->position < b->position;
}

static gboolean ready_earlier(const Choice *a, const Choice *b)
{
    const Node *x = ref_node(a), *y = ref_node(b);
    return x->ready != y->ready ? x->ready < y->ready : older(a, b);
}

/* How many slots after last_slot this one comes, cyclically: last_slot itself comes at the end. */
static gint64 turns(const RefRun *run, gint64 slot, gint64 last_slot)
{
    gint64 slots = run->active_groups * run->warps_per_group, turn = 0;
    for (gint64 s = last_slot; turn == 0 || s != slot; turn++)
        s = (s + 1) % slots;
    return turn;
}

gboolean ref_sooner_in_turn(const RefRun *run, const Choice *a, const Choice *b, gint64 last_slot)
{
    gint64 slots = run->active_groups * run->warps_per_group;
    gint64 last = last_slot == UNKNOWN ? slots - 1 : last_slot;
    gint64 x = turns(run, ref_slot(run, a), last), y = turns(run, ref_slot(run, b), last);
    return x != y ? x < y : a->position < b->position;
}

/* The choice is of the warp that the server issued from last. */
static gboolean of_last_warp(const RefRun *run, const Choice *choice, const Server *server)
{
    return ref_slot(run, choice) == server->last_slot &&
           choice->group->number == server->last_group;
}

static gboolean greedier(const RefRun *run, const Choice *a, const Choice *b, const Server *server)
{
    gboolean x = of_last_warp(run, a, server), y = of_last_warp(run, b, server);
    return x != y ? x : older(a, b);
}

static gboolean of_greater_slot(const RefRun *run, const Choice *a, const Choice *b)
{
    gint64 x = ref_slot(run, a), y = ref_slot(run, b);
    return x != y ? x > y : a->position < b->position;
}

static gboolean greedy_or_younger(const RefRun *run, const Choice *a, const Choice *b,
                                  const Server *server)
{
    gboolean x = of_last_warp(run, a, server), y = of_last_warp(run, b, server);
    return x != y ? x : of_greater_slot(run, a, b);
}

gboolean ref_before(const RefRun *run, const Choice *a, const Choice *b, const Server *server)
{
    switch (run->policy) {
    case PS_POLICY_LRR:
        return ref_sooner_in_turn(run, a, b, server->last_slot);
    case PS_POLICY_GTO:
        return greedier(run, a, b, server);
    case PS_POLICY_GTY:
        return greedy_or_younger(run, a, b, server);
    case PS_POLICY_OLDEST:
        return older(a, b);
    case PS_POLICY_FIFO:
    default:
        return ready_earlier(a, b);
    }
}

/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * A node of the slow simulator while R7 and R8 bind it: the bytes that it moves, how deep its
 * instances get, what serves it, and which servers it visits. Each function is a sentence of
 * docs/reference/model.md.
 */
#ifndef PIPESIM_TESTS_HELP_REFERENCE_NODE_H
#define PIPESIM_TESTS_HELP_REFERENCE_NODE_H

#include "tests/help/fraction.h"
#include "tests/help/reference-traffic.h"

/* Servers of a compute unit: its levels by their numbers, then these, then one for each spot. */
enum { REF_ATOMIC_SECTORS = PS_N_LEVELS, REF_PARTIAL_SECTORS, REF_FIRST_SPOT };

/* A node, while what it does is worked out. */
typedef struct {
    const RefMemory *memory;
    const PsIdgItem *item;
    const PsScope *scope;
    guint spot;       /* the server of its spot */
    gboolean counted; /* the graph counts wavefronts, and the description says what they take */
    gboolean kept;   /* what it finds in device memory a launch before has left in the last cache */
    gboolean parts;  /* some node of the launch writes sectors in part */
    gboolean stored; /* some node of the launch is a store, and whole sectors have a rate */
} RefNode;

gboolean ref_is_stated(PsRational figure);

/* TRUE if that part of the class's name, from 0, is the word. */
gboolean ref_part_is(const PsIdgItem *item, guint part, const char *word);

/* The expression's value, which must have one. */
Fraction ref_value_of(const RefNode *node, const PsExpr *expr);

gboolean ref_is_atomic(const PsIdgItem *item);

/* A copy of many bytes, by a unit of its own. */
gboolean ref_is_copy(const PsIdgItem *item);

gboolean ref_goes_through_levels(const PsGpu *gpu, const PsIdgItem *item);

/* What is not stated of a level is as of the next deeper one that is stated, else as of the nearest
 * one before it, else 1. */
Fraction ref_stated_share(const RefNode *node, PsLevel level);

/* m_i: the bytes that an instance moves at the level. */
Fraction ref_bytes_at(const RefNode *node, PsLevel level);

/* b_i: bytes per cycle of the simulated compute unit. */
Fraction ref_rate_of(const RefMemory *memory, const PsMemoryLevel *level);

Fraction ref_latency_in_cycles(const RefMemory *memory, PsRational latency, PsRational at);

/* r_i of a level in 1/1024: 1 at the first that is visited, then never more than at the one that
 * was visited before, nor than the sectors that are moved. */
gint64 ref_weight_at(const RefNode *node, PsLevel level);

/* Ticks of so many cycles, which must be a whole number; of cycles rounded to 1/1024. */
gint64 ref_ticks_of(const RefNode *node, Fraction cycles);

gint64 ref_ticks_rounded(const RefNode *node, Fraction cycles);

/* An access of which nobody counts wavefronts has one for each word. */
Fraction ref_wavefront_cycles(const RefNode *node);

/* A copy takes its unit as many times as long as it has more bytes than the class is for. */
Fraction ref_copy_cycles(const RefNode *node);

Fraction ref_completion_cycles(const RefNode *node);

/* Without schedulers (R1), pipelines of which each scheduler has one count as one that is faster.
 */
void ref_find_service(const RefNode *node, RefTraffic *traffic);

gboolean ref_is_store(const PsIdgItem *item);

gboolean ref_writes(const PsIdgItem *item);

/* The share of the bytes that is moved in sectors of which the node writes a part: what it states,
 * but no more than gets to L2; else all, where more sectors are moved than its lanes fill. */
Fraction ref_share_in_part(const RefNode *node);

RefTraffic *ref_traffic_of(const RefNode *node);

#endif

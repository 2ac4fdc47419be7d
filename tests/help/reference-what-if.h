/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * What-ifs (docs/reference/model.md, section 4) of classes, word for word and slowly, for the slow
 * simulator: what nodes take, in ticks, becomes what the what-ifs make of it.
 */
#ifndef PIPESIM_TESTS_HELP_REFERENCE_WHAT_IF_H
#define PIPESIM_TESTS_HELP_REFERENCE_WHAT_IF_H

#include "sim/sim.h"
#include "tests/help/reference.h"

/* Where what nodes take stands, before and after: with levels of memory in traffic, else in classes
 * (RefClass). traffic may be NULL. */
typedef struct {
    const PsIdg *idg;
    const PsScope *scope;
    const PsGpu *gpu;
    gint64 schedulers; /* R1; 0: none */
    gint64 ticks_per_cycle;
    GArray *classes;
    GHashTable *traffic;
} RefCosts;

/* Appends the nodes (PsIdgItem) of a body that have an instance, in the order of the text. */
void ref_nodes(const GPtrArray *body, const PsScope *scope, GPtrArray *nodes);

void ref_what_if(const RefCosts *costs, const GPtrArray *what_ifs);

#endif

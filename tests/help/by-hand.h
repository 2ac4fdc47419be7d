/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * What the tests of the slow simulator share: graphs in few words, and schedules worked out by hand
 * to hold its events against.
 */
#ifndef PIPESIM_TESTS_HELP_BY_HAND_H
#define PIPESIM_TESTS_HELP_BY_HAND_H

#include "tests/help/build-graph.h"
#include "tests/help/reference.h"

typedef struct {
    PsIdg *idg;
    PsScope *scope;
    GPtrArray *body; /* of the first code */
} Graph;

Graph graph_new(void);
void graph_free(Graph *graph);

/* Compares all events of a kind, in the order in which they happened, with lines of text; NULL is
 * the end of them. */
void check_events(const RefResult *result, RefEventKind kind, const char *const *expected);

#endif

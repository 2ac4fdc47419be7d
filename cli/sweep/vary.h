/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * What a sweep varies: NAME=LIST.
 *
 *     active=1..max           every whole number; max is what occupancy allows
 *     size=256..4096*2        each by that factor more: 256, 512, 1024, 2048, 4096
 *     local.issue=4..16+4     each by that step more: 4, 8, 12, 16
 *     groups=10,20,100..200   several of these, in the order given
 *
 * NAME is active, groups, group-size, a parameter of the graph, or CLASS.issue or CLASS.completion.
 * Values are exact decimals. An end that no step meets is left out: 1..10+4 is 1, 5, 9.
 */
#ifndef PIPESIM_CLI_SWEEP_VARY_H
#define PIPESIM_CLI_SWEEP_VARY_H

#include "pipesim.h"

/* The most points of a list, and of a whole sweep. */
#define VARY_MAX_POINTS 10000000

typedef enum {
    VARY_ACTIVE,
    VARY_GROUPS,
    VARY_GROUP_SIZE,
    VARY_PARAM,
    VARY_ISSUE,
    VARY_COMPLETION,
} VaryKind;

typedef struct {
    char *name; /* as given */
    VaryKind kind;
    char *klass;       /* of the two latencies; else NULL */
    GArray *ranges;    /* of the list's parts, private to vary.c */
    char *list;        /* as given */
    gboolean uses_max; /* "max" is in it: its values depend on the occupancy */
    guint length;      /* how many values; 0 if uses_max */
    int width;         /* columns of the longest one; 0 if uses_max */
} Vary;

/* Reads "NAME=LIST". NULL and *error (wrong usage) where it is malformed, empty, endless or longer
 * than VARY_MAX_POINTS. */
Vary *vary_parse(const char *text, GError **error);
void vary_free(Vary *vary);

/* FALSE and *error (wrong usage) where the graph has no such parameter or class. */
gboolean vary_check(const Vary *vary, const PsIdg *idg, GError **error);

/* How many values there are, with this for max. FALSE and *error where there is none, too many, or
 * one that makes no sense. */
gboolean vary_count(const Vary *vary, gint64 max, guint *n, GError **error);

/* Where a walk along the values stands. */
typedef struct {
    PsRational value;
    guint range;
    gint64 max;
} VaryAt;

/* Begins a walk, for which vary_count must have succeeded with this max; goes on by one value,
 * FALSE after the last one. A list takes no memory however long it is. */
void vary_first(const Vary *vary, gint64 max, VaryAt *at);
gboolean vary_next(const Vary *vary, VaryAt *at);

G_DEFINE_AUTOPTR_CLEANUP_FUNC(Vary, vary_free)

#endif

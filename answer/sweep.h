/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * The axes of a sweep, NAME=LIST, and its points.
 *
 *     active=1..max           every whole number; max is what occupancy allows
 *     size=256..4096*2        each by that factor more: 256, 512, 1024, 2048, 4096
 *     local.issue=4..16+4     each by that step more: 4, 8, 12, 16
 *     groups=10,20,100..200   several of these, in the order given
 *
 * NAME is active, groups, group-size, a parameter of the graph, or CLASS.issue or CLASS.completion;
 * of code also grid, block, an argument of the kernel, or a macro of its source. Values are exact
 * decimals. An end that no step meets is left out: 1..10+4 is 1, 5, 9.
 */
#ifndef PIPESIM_ANSWER_SWEEP_H
#define PIPESIM_ANSWER_SWEEP_H

#include "answer/answer.h"

G_BEGIN_DECLS
#pragma GCC visibility push(default)

/* The most points of a list, and of a whole sweep. */
#define PS_SWEEP_MAX_POINTS 10000000

/* ---- axes ---------------------------------------------------------------------------------- */

/* The kind of an axis. */
typedef enum {
    PS_SWEEP_AXIS_ACTIVE,
    PS_SWEEP_AXIS_GROUPS,
    PS_SWEEP_AXIS_GROUP_SIZE,
    PS_SWEEP_AXIS_PARAM,
    PS_SWEEP_AXIS_ISSUE,
    PS_SWEEP_AXIS_COMPLETION,
    /* Axes of a kernel's code, which is compiled or executed for each value: */
    PS_SWEEP_AXIS_GRID,
    PS_SWEEP_AXIS_BLOCK,
    PS_SWEEP_AXIS_ARGUMENT,
    PS_SWEEP_AXIS_MACRO,
} PsSweepAxisKind;

/* An axis: what is varied, and through which values. */
typedef struct {
    char *option; /* what messages call it */
    char *name;   /* as given */
    PsSweepAxisKind kind;
    char *class_name;  /* of the two latencies; else NULL */
    GArray *ranges;    /* of the list's parts, private to axis.c */
    GPtrArray *words;  /* char *: the values that are no numbers, such as "16x8"; the first is 0,
                          the next 1. NULL: values are numbers */
    char *list;        /* as given */
    gboolean uses_max; /* "max" is in it: its values depend on the occupancy */
    guint length;      /* how many values; 0 if uses_max */
    int width;         /* columns of the longest one; 0 if uses_max */
} PsSweepAxis;

/* Reads "NAME=LIST"; messages begin with what option is, such as "--vary". NULL and *error
 * (PS_ERROR_USAGE) where it is malformed, empty, endless or longer
 * than PS_SWEEP_MAX_POINTS. */
PsSweepAxis *ps_sweep_axis_parse(const char *option, const char *text, GError **error);

/* The same if the kernel's code is at hand. Then a name may also be grid, block, that of an
 * argument (arguments: "NAME=VALUE" each, NULL at the end, or NULL), or, if there is a source, that
 * of a macro. The values of these may be any words. */
PsSweepAxis *ps_sweep_axis_parse_code(const char *option, const char *text,
                                      const char *const *arguments, gboolean source,
                                      GError **error);
void ps_sweep_axis_free(PsSweepAxis *axis);

/* TRUE if each value makes other code, or executes it otherwise, so that no graph serves all
 * values. */
gboolean ps_sweep_axis_is_code(const PsSweepAxis *axis);

/* A value as it was given, a number in its shortest form (g_free). */
char *ps_sweep_axis_text(const PsSweepAxis *axis, PsRational value);

/* FALSE and *error (PS_ERROR_USAGE) if the graph has no such parameter or class. */
gboolean ps_sweep_axis_check(const PsSweepAxis *axis, const PsIdg *idg, GError **error);

/* The number of values, with this for max. FALSE and *error if there are none, too many, or one
 * that makes no sense. */
gboolean ps_sweep_axis_count(const PsSweepAxis *axis, gint64 max, guint *n, GError **error);

/* The state of a walk along the values. */
typedef struct {
    PsRational value;
    guint range;
    gint64 max;
} PsSweepAxisAt;

/* Begins a walk, for which ps_sweep_axis_count must have succeeded with this max; goes on by one
 * value, FALSE after the last one. A list takes no memory however long it is. */
void ps_sweep_axis_first(const PsSweepAxis *axis, gint64 max, PsSweepAxisAt *at);
gboolean ps_sweep_axis_next(const PsSweepAxis *axis, PsSweepAxisAt *at);

/* ---- questions ----------------------------------------------------------------------------- */

/* A question with values in the places that axes say. */
typedef struct {
    PsQuestion question; /* points into what follows */
    PsScope *params;
    GPtrArray *latencies;         /* NULL if none changes */
    GPtrArray *what_if_latencies; /* the same with the what-if's latencies; NULL if there is no
                                     what-if */
} PsVariedQuestion;

/* The base with the first n of the values, one for each axis (PsSweepAxis), and beside it the same
 * with a what-if ("local.issue=4"; may be NULL), which covers a class as if both were one text.
 * What base points to must outlive it. NULL and *error for a latency that cannot be. */
PsVariedQuestion *ps_varied_question_new(const PsQuestion *base, const GPtrArray *axes,
                                         const PsRational *values, guint n, const char *what_if,
                                         GError **error);
void ps_varied_question_free(PsVariedQuestion *varied);

/* ---- points -------------------------------------------------------------------------------- */

/* Every combination of the axes' values for one graph on one GPU, the last axis fastest. They are
 * made one at a time, since there may be ten million. max is what occupancy allows with the values
 * of the axes before it (and never more groups than a CU has to run). */
typedef struct PsPoints PsPoints;

/* All are borrowed. */
PsPoints *ps_points_new(const PsQuestion *base, const GPtrArray *axes);
void ps_points_free(PsPoints *points);

/* Makes the next point. FALSE at the end. values (one for each axis) receives it; *known says how
 * many of them are set: fewer than all only with *error, when the list behind them cannot be made;
 * the points that it would have had are passed over. */
gboolean ps_points_next(PsPoints *points, PsRational *values, guint *known, GError **error);

/* The number of points; if it exceeds PS_SWEEP_MAX_POINTS, some number above that. Only lists
 * before a max are walked. */
gint64 ps_points_count(const PsQuestion *base, const GPtrArray *axes);

G_DEFINE_AUTOPTR_CLEANUP_FUNC(PsSweepAxis, ps_sweep_axis_free)
G_DEFINE_AUTOPTR_CLEANUP_FUNC(PsVariedQuestion, ps_varied_question_free)
G_DEFINE_AUTOPTR_CLEANUP_FUNC(PsPoints, ps_points_free)

#pragma GCC visibility pop
G_END_DECLS
#endif

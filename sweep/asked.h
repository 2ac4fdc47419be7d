/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * The question of a sweep: a question with values that vary, about each file on each GPU. All of it
 * is borrowed.
 */
#ifndef PIPESIM_SWEEP_ASKED_H
#define PIPESIM_SWEEP_ASKED_H

#include "answer/option-texts.h"
#include "answer/sweep.h"
#include "code/options.h"

G_BEGIN_DECLS
#pragma GCC visibility push(default)

typedef struct {
    const char *prefix;    /* prefix of options' names in messages: "--" of "--vary"; never NULL */
    PsQuestion question;   /* of every point, without its graph, GPU and clock */
    PsAskedClock clock;    /* of every point */
    const GPtrArray *axes; /* PsSweepAxis: what varies */
    const char *what_if;   /* other latencies, as given: "local.issue=4"; NULL: none */
    double measured;       /* seconds; 0: none were told */
    char **files, **gpus;  /* names as given; NULL ends each */
    guint threads;
    guint best;            /* number of fastest points that are wanted; 0: all */
    const char *budget;    /* as given, if the question has a deadline */
    PsHearer hearer;       /* told how many points are done */
    const char *signature; /* what decides the results besides files and GPUs; NULL: rows do
                              not say of which sweep they are */
    guint shard, shards;   /* the points of one of several machines; shards 0: all points */
    /* How a kernel's code is built, if lists of code vary: */
    const PsCodeOptions *code;
    char **builder; /* a command that takes words of the launch and a file behind its own, and
                       writes the graph as ps_kept_graph_pack makes it; NULL ends it */
} PsSweepAsked;

/* TRUE if one of the lists concerns the code, which is then built for each of its values. */
gboolean ps_sweep_is_of_code(const GPtrArray *axes);

/* The question about a graph on a GPU, whatever varies. FALSE and *error where the GPU has no such
 * clock. */
gboolean ps_sweep_question(const PsSweepAsked *asked, const PsIdg *idg, const PsGpu *gpu,
                           PsQuestion *question, GError **error);

#pragma GCC visibility pop
G_END_DECLS
#endif

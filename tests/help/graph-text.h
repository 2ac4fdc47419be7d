/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Small kernels in PTX, and what graphs are built of them, as short texts to compare.
 */
#ifndef PIPESIM_TESTS_HELP_GRAPH_TEXT_H
#define PIPESIM_TESTS_HELP_GRAPH_TEXT_H

#include "lift/build.h"

typedef struct {
    /* Instructions of the kernel, without those around them. Registers: %r 32 bits, %rd 64, %f and
     * %fd floats, %h 16 bits, %p predicates, 40 of each. In shared memory lie s (4096 bytes,
     * aligned to 16) and t (1024 bytes). Every argument is a parameter of its name. */
    const char *ptx;
    const char *functions; /* in front of the kernel, or NULL */
    const char *arguments; /* "n=100 in:4096": a .u32, and a buffer of that many bytes (.u64) */
    guint grid[3], block[3];
    const char *without;    /* rules that are off, in one word: "moves loops"; "all"; NULL: none */
    const char *with;       /* of "constants frame", those that are on; NULL: none */
    const char *grid_text;  /* of x, or NULL */
    const char *block_text; /* of x, or NULL */
    const char *target;     /* "sm_80"; NULL: "sm_100a" */
} GraphCase;

/* The whole module's text. Free with g_free. */
char *graph_module(const GraphCase *graph);

/* Builds; fails the test and returns NULL where that cannot be. */
PsBuild *graph_build(const GraphCase *graph);

/* Hands the options of a case to a function while they live. */
void graph_with_options(const GraphCase *graph, void (*use)(const PsBuildOptions *, gpointer),
                        gpointer data);

/* Builds without --partial, and gives the error, if there is one. */
void graph_build_whole(const GraphCase *graph, GError **error);

/* Codes as lines: "code 0..3" (if there is more than one), "name class after" and "loop TIMES {"
 * ... "}". Free with g_free. */
char *graph_lines(const PsIdg *idg);

/* Fails the test unless these are the lines of the case's graph. */
void graph_assert(const GraphCase *graph, const char *lines);

#endif

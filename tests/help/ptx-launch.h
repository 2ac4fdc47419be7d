/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Runs short pieces of PTX: the body of a kernel k(.u64 out, .u32 n), with registers declared and
 * some of them set:
 *
 *     %r1 tid.x   %r2 n   %rd1 out   %rd2 out + 4 * tid.x   %r3 what `st.global.u32 [%rd2], %r3`
 *     stores, by which bodies end
 */
#ifndef PIPESIM_TESTS_HELP_PTX_LAUNCH_H
#define PIPESIM_TESTS_HELP_PTX_LAUNCH_H

#include "ptx/run/run.h"

#define PTX_STORE "st.global.u32 [%rd2], %r3; ret;"

typedef struct {
    const char *before;     /* of the kernel, in the module; or NULL */
    const char *directives; /* of the kernel, or NULL */
    const char *body;
    guint block[3]; /* 0: 32 x 1 x 1 */
    guint grid[3];  /* 0: 1 x 1 x 1 */
    guint n;        /* the argument */
    guint words;    /* of the buffer out; 0: one per thread of a group */
    guint64 dynamic_shared;
    gboolean place; /* the argument is a place in these bytes */
    guint64 most_instructions;
    const PsPtxListener *listener;
    gboolean machine;     /* the module is taken for one that was told of machine code */
    gboolean partial;     /* what nobody knows is skipped */
    gboolean clocks;      /* loops may end by a clock */
    gboolean timed;       /* waiting in loops, whose time nobody knows, is an error */
    gboolean any_warning; /* warnings do not matter */
    const char *warning;  /* part of the only warning; NULL: there is none */
} PtxLaunch;

/* The module's text. Free with g_free. */
char *ptx_text(const PtxLaunch *launch);

/* What is in `out` after all groups. Free with g_free. NULL and *error, set by the reader, the
 * machine or the run. */
guint32 *ptx_launch(const PtxLaunch *launch, GError **error);

/* What the launch puts in a word: of a thread, or of that number. */
typedef guint32 (*PtxExpected)(guint word, guint n);

/* Asserts that the launch does so in each word. */
void ptx_assert(const PtxLaunch *launch, PtxExpected expected);

/* A test of just that. */
typedef struct {
    const char *path;
    PtxExpected expected;
    PtxLaunch launch;
} PtxLaunchCase;

/* Adds tests; the cases are borrowed until they have run. */
void ptx_add_cases(const PtxLaunchCase *cases, gsize n);

/* Asserts that the launch fails with this code and message. */
void ptx_assert_fails(const PtxLaunch *launch, int code, const char *message);

#endif

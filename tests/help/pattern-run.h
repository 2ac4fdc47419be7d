/* SPDX-License-Identifier: BSD-3-Clause */
/* Groups whose requests are written down by hand, for tests of access patterns and caches. */
#ifndef PIPESIM_TESTS_HELP_PATTERN_RUN_H
#define PIPESIM_TESTS_HELP_PATTERN_RUN_H

#include "lift/loops/roll.h"

#define ALL 0xffffffffU

/* Addresses of buffers. */
#define A G_GUINT64_CONSTANT(0x100000)
#define B G_GUINT64_CONSTANT(0x800000)
#define C G_GUINT64_CONSTANT(0xf00000)

/* Points of the code that all cases use. */
enum {
    LOAD,        /* ld.global */
    CACHED,      /* ld.global.nc */
    STORE,       /* st.global */
    ATOMIC,      /* red.global */
    BYPASS,      /* ld.global.cg */
    LOCAL,       /* ld.shared */
    LOCAL_RED,   /* atom.shared */
    CONSTANT,    /* ld.const */
    STACK,       /* ld.local */
    STACK_STORE, /* st.local */
    STACK_LAST,  /* ld.local.lu */
    COPY,        /* cp.async.ca, of what it loads */
    FIRST,       /* ld.global.nc ... */
    NEXT         /* ... and another, which joins it; all others begin basic blocks */
};

typedef struct {
    PsPtxCode *code;
    PsRoll *roll;
    PsPtxListener listener;
} PatternRun;

PatternRun pattern_run_new(const PsPatternRules *rules);
void pattern_run_clear(PatternRun *run);

G_DEFINE_AUTO_CLEANUP_CLEAR_FUNC(PatternRun, pattern_run_clear)

/* A group begins; it ends, and what it did is settled. */
void pattern_run_begin(PatternRun *run, guint x, guint y, guint z);
void pattern_run_end(PatternRun *run);

/* A request of the point, with lane i at address[i]. */
void pattern_run_request(PatternRun *run, guint point, guint bytes, guint32 mask,
                         const guint64 *address);
/* Lane i at base + i * stride. */
void pattern_run_strided(PatternRun *run, guint point, guint bytes, guint64 base, guint64 stride);

/* The only pattern of a point. Borrowed. */
const PsPattern *pattern_run_pattern(const PatternRun *run, guint point);

#endif

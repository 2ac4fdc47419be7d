/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Launches as rocprofv3 writes them, in whichever format: each with its counters, one after the
 * other. Several values of one counter are of the counter's instances, and add up. Further passes
 * have the same launches again, with other counters.
 */
#ifndef PIPESIM_ROOFLINE_IMPORT_DISPATCHES_H
#define PIPESIM_ROOFLINE_IMPORT_DISPATCHES_H

#include "roofline/import/rocprof.h"

typedef struct {
    PsRocprof rocprof;
    GHashTable *counters; /* char * -> PsRocprofCounter *, of names in the file */
    GHashTable *leads;    /* kernel -> char *, the first counter it came with */
} PsDispatches;

/* Both borrowed, until it is cleared. */
void ps_dispatches_init(PsDispatches *dispatches, PsImport *import, PsCollector *collector);
void ps_dispatches_clear(PsDispatches *dispatches);
G_DEFINE_AUTO_CLEANUP_CLEAR_FUNC(PsDispatches, ps_dispatches_clear)

/* The counter of this name, which the file has. */
PsRocprofCounter ps_dispatches_counter(PsDispatches *dispatches, const char *name);

/* Whether durations of the kernel's launches that begin with this counter are counted. A launch of
 * a further pass, with other counters, was counted already. */
gboolean ps_dispatches_is_lead(PsDispatches *dispatches, const char *device, const char *kernel,
                               const char *counter);

/* ---- not of rows of a table ---------------------------------------------------------------- */

/* An agent that runs kernels. */
typedef struct {
    char *name;    /* "AMD Instinct MI210 (Agent 4)" */
    int wave_size; /* 0: not told */
} PsAgent;

/* Product NULL or "": not known. */
PsAgent *ps_agent_new(guint64 index, const char *product);
void ps_agent_free(PsAgent *agent);

/* FALSE if waves have no such size. */
gboolean ps_agent_set_wave_size(PsAgent *agent, guint64 size);

/* Says that what follows is of another process, which may be another pass over the same
 * launches. */
void ps_dispatches_process(PsDispatches *dispatches);

typedef struct {
    const char *kernel;
    const PsAgent *agent;
    const char *lead;    /* its first counter; "": none */
    guint64 nanoseconds; /* 0: not known */
    int line;            /* its line in the file */
} PsDispatch;

/* A launch begins. FALSE and *error where the caller wants no more, or launches apart that are not.
 */
gboolean ps_dispatches_begin(PsDispatches *dispatches, const PsDispatch *dispatch, GError **error);

/* The value of a counter of the launch that was begun, not negative. */
void ps_dispatches_put(PsDispatches *dispatches, const char *name, double value);

#endif

/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * The state that the driver's entries share. A process has one driver, so this is pipesim's only
 * global state beside that of signals.
 */
#ifndef PIPESIM_DRIVER_STATE_H
#define PIPESIM_DRIVER_STATE_H

#include "driver/stand-in.h"

#include <sys/types.h>

/* What pipesim tells its child, in the environment. */
#define DRIVER_GPU "PIPESIM_PROGRAM_GPU"       /* the description's path */
#define DRIVER_LOG "PIPESIM_PROGRAM_LOG"       /* the log's descriptor */
#define DRIVER_MEMORY "PIPESIM_PROGRAM_MEMORY" /* bytes of the device; left out: the GPU's */
#define DRIVER_MOST "PIPESIM_PROGRAM_MOST" /* warp instructions of a group; 0: the usual limit */
#define DRIVER_GRAPHS "PIPESIM_PROGRAM_GRAPHS" /* 1: the log has what is simulated */
#define DRIVER_JOBS "PIPESIM_PROGRAM_JOBS"     /* threads that execute groups; 0: all processors */
#define DRIVER_RECORD "PIPESIM_PROGRAM_RECORD" /* the recording's descriptor; left out: none */
#define DRIVER_SOME "PIPESIM_PROGRAM_SOME"     /* 1: only some groups of a launch are executed */
#define DRIVER_STEPS "PIPESIM_PROGRAM_STEPS"   /* set where kernels are not to be compiled */

struct Context {
    guint retained; /* of the primary context */
    gboolean primary;
};

struct Stream {
    guint number;
    gboolean apart; /* it does not wait for the legacy stream, nor that for it */
    int priority;
    double at;             /* seconds: when what it was given is done */
    struct Graph *capture; /* what it is given becomes nodes of that; NULL: it is done */
    GPtrArray *last;       /* the nodes that the next one comes after */
    gboolean began;        /* the capture began with it, and ends with it */
    gboolean lent;         /* the capture goes to a graph of the program's */
};

struct Event {
    gboolean recorded;
    double at;
    struct Graph *capture; /* it was recorded in a stream that was captured, ... */
    GPtrArray *last;       /* ... after these nodes */
};

typedef struct {
    GRecMutex lock;
    gboolean started; /* cuInit was called */
    CUresult failed;  /* what it returned */
    pid_t process;
    PsGpu *gpu;
    PsCardLog *log;
    PsCard *card;
    struct Context primary;
    struct Stream legacy;
    GPtrArray *streams;       /* Stream, but for the legacy one */
    guint n_streams;          /* ever made */
    double host;              /* seconds: up to there the host has waited */
    double link[2];           /* up to there copies to the device, and to the host, have taken */
    CUresult sticky;          /* what a kernel did wrong, which all calls tell from then on; or 0 */
    GHashTable *graph_memory; /* see driver/graph-memory.c; NULL: no graph has any */
    GHashTable *said;         /* sentences that were said */
} Driver;

extern Driver driver;

/* Takes the lock, and returns why an entry cannot work: no cuInit, a fork, a kernel that did
 * something wrong. */
CUresult driver_enter(void);
void driver_leave(CUresult *entered);

/* At the beginning of an entry: it returns where it cannot work, and holds the lock to its end. */
#define DRIVER_ENTER                                                                               \
    __attribute__((cleanup(driver_leave))) CUresult entered = driver_enter();                      \
    if (entered)                                                                                   \
    return entered

/* Says the sentence, if it was not said before. */
void driver_say_once(const char *text);

/* Tells it below the table alone, once. */
void driver_note_once(const char *text);

/* Writes what kernels printed, where CUDA does. */
void driver_print(void);

/* Says an error of the library's, frees it, and returns CUDA's number for it. */
CUresult driver_fail(GError *error);

/* The stream's object; NULL: it is none. */
struct Stream *driver_stream(CUstream stream);

/* The time when all work that the stream was given is done, with what it waits for. */
double driver_stream_at(const struct Stream *stream);

/* Adds to the stream's time. */
void driver_stream_add(struct Stream *stream, double seconds);

/* ---- what streams and nodes of graphs do: the caller holds the lock ------------------------- */

/* A kernel's launch. */
typedef struct {
    CUlaunchConfig config; /* without its stream and attributes */
    CUfunction function;
    gboolean cooperative;
    void **params, **extra;
    guint cluster[3]; /* 0: what the code says */
    PsCardStandIn stand_in;
} Launch;
CUresult driver_launch(const Launch *launch, struct Stream *stream);

/* A box of bytes is copied. */
CUresult driver_copy(const CUDA_MEMCPY3D *what, struct Stream *stream);

/* Device memory, of a graph or not, is freed. */
CUresult driver_free(CUdeviceptr memory);

/* Rows of elements get a value. */
typedef struct {
    gpointer to;
    gsize pitch;
    guint32 value;
    guint size; /* of an element */
    gsize width, height;
} Fill;
CUresult driver_set(const Fill *fill, struct Stream *stream);

/* An array that textures read: rows one behind the other. */
struct Array {
    CUDA_ARRAY3D_DESCRIPTOR is;
    const PsCardPiece *piece;
    gsize element, pitch;  /* bytes of an element, and of a row */
    struct Array **levels; /* of one with smaller ones, else NULL */
    guint n_levels;
};

#endif

/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * The state that the driver's entries share. A process has one driver, so this is pipesim's only
 * global state beside that for signals.
 */
#ifndef PIPESIM_DRIVER_STATE_H
#define PIPESIM_DRIVER_STATE_H

#include "driver/stand-in.h"

#include <sys/types.h>

/* Variables of the environment with which pipesim tells its child: */
#define DRIVER_GPU "PIPESIM_PROGRAM_GPU"       /* the description's path */
#define DRIVER_LOG "PIPESIM_PROGRAM_LOG"       /* the log's descriptor */
#define DRIVER_MEMORY "PIPESIM_PROGRAM_MEMORY" /* bytes of memory; unset: the GPU's */
#define DRIVER_MOST "PIPESIM_PROGRAM_MOST" /* warp instructions of a group; 0: the usual limit */
#define DRIVER_GRAPHS "PIPESIM_PROGRAM_GRAPHS" /* 1: the log keeps what is simulated */
#define DRIVER_JOBS "PIPESIM_PROGRAM_JOBS"     /* threads that execute groups; 0: all processors */
#define DRIVER_RECORD "PIPESIM_PROGRAM_RECORD" /* the recording's descriptor; unset: none */
#define DRIVER_SOME "PIPESIM_PROGRAM_SOME"     /* 1: only some groups of a launch are executed */
#define DRIVER_STEPS "PIPESIM_PROGRAM_STEPS"   /* set: kernels are not compiled */

struct Context {
    guint retained; /* of the primary context */
    gboolean primary;
};

struct Stream {
    guint number;
    gboolean apart; /* it does not wait for the legacy stream, nor does that wait for it */
    int priority;
    double at;             /* seconds: end of the work that it was given */
    struct Graph *capture; /* its work becomes nodes of that graph; NULL: it is done */
    GPtrArray *last;       /* the predecessors of the next node */
    gboolean began;        /* the capture began with it, and ends with it */
    gboolean lent;         /* the capture goes to one of the program's graphs */
};

struct Event {
    gboolean recorded;
    double at;
    struct Graph *capture; /* it was recorded in a captured stream, ... */
    GPtrArray *last;       /* ... after these nodes */
};

typedef struct {
    GRecMutex lock;
    gboolean started; /* cuInit was called */
    CUresult failed;  /* result of cuInit */
    pid_t process;
    PsGpu *gpu;
    PsCardLog *log;
    PsCard *card;
    struct Context primary;
    struct Stream legacy;
    GPtrArray *streams;       /* Stream, except the legacy one */
    guint n_streams;          /* streams made so far */
    double host;              /* seconds: end of the host's waits so far */
    double link[2];           /* ends of the copies so far, to the device and to the host */
    CUresult sticky;          /* a kernel's fault, which all later calls return; or 0 */
    GHashTable *graph_memory; /* see driver/graph-memory.c; NULL: no graph has memory */
    GHashTable *said;         /* sentences that were printed */
} Driver;

extern Driver driver;

/* Takes the lock, and returns the error of an entry that cannot work: no cuInit, a fork, a kernel's
 * fault. */
CUresult driver_enter(void);
void driver_leave(CUresult *entered);

/* Begins an entry: returns if it cannot work, and holds the lock to the entry's end. */
#define DRIVER_ENTER                                                                               \
    __attribute__((cleanup(driver_leave))) CUresult entered = driver_enter();                      \
    if (entered)                                                                                   \
    return entered

/* Prints the sentence, unless it was printed before. */
void driver_say_once(const char *text);

/* Adds the sentence below the table, once. */
void driver_note_once(const char *text);

/* Writes kernels' output at the points where CUDA does. */
void driver_print(void);

/* Prints an error of the library's, frees it, and returns CUDA's number for it. */
CUresult driver_fail(GError *error);

/* The stream's object; NULL: there is no such stream. */
struct Stream *driver_stream(CUstream stream);

/* The end of all work that the stream was given, with everything that it waits for. */
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
    guint cluster[3]; /* 0: as the code states */
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

/* An array that textures read: its rows in order. */
struct Array {
    CUDA_ARRAY3D_DESCRIPTOR is;
    const PsCardPiece *piece;
    gsize element, pitch;  /* bytes of an element, and of a row */
    struct Array **levels; /* smaller ones of a mipmapped array, else NULL */
    guint n_levels;
};

#endif

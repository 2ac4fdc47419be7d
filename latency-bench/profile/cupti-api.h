/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * The part of CUPTI's interface that we call, in declarations of our own: CUPTI's headers are in no
 * free package, and without them this builds, and is tested, everywhere.
 *
 * The layouts are those of CUDA 12.0 to 13.x. Records of kernels (CUpti_ActivityKernel8 to 10) and
 * of devices (CUpti_ActivityDevice2 to 5) differ only behind the fields declared here; parameters
 * of functions begin with the size of the struct, by which CUPTI knows which fields are there.
 * cupti.c refuses other versions, and tests/profile.t holds this file against CUPTI's headers where
 * they are installed (tests/stand-in/cupti-layout.c).
 */
#ifndef PIPESIM_LATENCY_BENCH_PROFILE_CUPTI_API_H
#define PIPESIM_LATENCY_BENCH_PROFILE_CUPTI_API_H

#include <stddef.h>
#include <stdint.h>

/* CUptiResult. */
enum {
    CUPTI_OK = 0,
    CUPTI_BAD_METRIC = 17,
    CUPTI_UNSUPPORTED = 27,
    CUPTI_VIRTUALIZED = 33,
    CUPTI_NO_PRIVILEGES = 35,
    CUPTI_SUBSCRIBED = 39 /* another tool has set its callbacks */
};

/* ---- activity ------------------------------------------------------------------------------ */

enum { CUPTI_KIND_KERNEL = 3, CUPTI_KIND_DEVICE = 8, CUPTI_KIND_CONCURRENT_KERNEL = 10 };

/* What each record begins with. */
typedef struct {
    int32_t kind;
} CuptiRecord;

/* A launch. Times in ns, 0 if CUPTI could not take them. */
typedef struct {
    int32_t kind;
    uint8_t cache, shared_memory;
    uint16_t registers;
    int32_t partition[2];
    uint64_t start, end, completed;
    uint32_t device, context, stream;
    int32_t grid[3], block[3];
    int32_t static_memory, dynamic_memory;
    uint32_t local_memory, local_memory_total;
    uint32_t correlation;
    int64_t grid_id;
    const char *name; /* mangled */
    void *reserved;
    uint64_t queued, submitted;
    uint8_t launch[4];
    uint32_t shared_memory_executed;
    uint64_t graph_node; /* 0: not launched by a CUDA graph */
} CuptiKernel;

/* A device; sent when it is first used. */
typedef struct {
    int32_t kind, flags;
    uint64_t bandwidth, memory;
    uint32_t limits[20];
    uint32_t major, minor;
    uint32_t id, ecc;
    uint8_t uuid[16];
    const char *name;
} CuptiDevice;

typedef void (*CuptiWantBuffer)(uint8_t **buffer, size_t *size, size_t *max_records);
typedef void (*CuptiTakeBuffer)(void *context, uint32_t stream, uint8_t *buffer, size_t size,
                                size_t valid);

/* ---- callbacks ----------------------------------------------------------------------------- */

enum { CUPTI_DOMAIN_DRIVER = 1, CUPTI_DOMAIN_RESOURCE = 3 };
enum { CUPTI_ENTER = 0, CUPTI_EXIT = 1 };
enum { CUPTI_CONTEXT_DESTROY_STARTING = 2, CUPTI_MODULE_LOADED = 6, CUPTI_MODULE_UNLOADING = 7 };

/* Calls of the driver that launch: each kernel with its plain form and that of per-thread streams.
 */
enum {
    CUPTI_LAUNCH_KERNEL = 307,
    CUPTI_LAUNCH_KERNEL_PTSZ = 442,
    CUPTI_LAUNCH_COOPERATIVE = 477,
    CUPTI_LAUNCH_COOPERATIVE_PTSZ = 478,
    CUPTI_GRAPH_LAUNCH = 514,
    CUPTI_GRAPH_LAUNCH_PTSZ = 515,
    CUPTI_LAUNCH_KERNEL_EX = 652,
    CUPTI_LAUNCH_KERNEL_EX_PTSZ = 653
};

/* Calls that load code, and those between which launches become nodes of a graph. */
enum {
    CUPTI_MODULE_LOAD_DATA = 19,
    CUPTI_MODULE_LOAD_DATA_EX = 20,
    CUPTI_MODULE_LOAD_FAT_BINARY = 21,
    CUPTI_LIBRARY_LOAD_DATA = 678,
    CUPTI_BEGIN_CAPTURE = 495,
    CUPTI_BEGIN_CAPTURE_PTSZ = 496,
    CUPTI_END_CAPTURE = 497,
    CUPTI_END_CAPTURE_PTSZ = 498,
    CUPTI_BEGIN_CAPTURE_2 = 539,
    CUPTI_BEGIN_CAPTURE_2_PTSZ = 540,
    CUPTI_BEGIN_CAPTURE_TO_GRAPH = 720,
    CUPTI_BEGIN_CAPTURE_TO_GRAPH_PTSZ = 721
};

/* The data of a call of the driver. */
typedef struct {
    int32_t site;
    const char *function;
    const void *parameters;
    void *result;
    const char *symbol; /* the kernel's name, mangled */
    void *context;
    uint32_t context_id;
    uint64_t *data;
    uint32_t correlation;
} CuptiCall;

/* The data of an event of the resource domain. */
typedef struct {
    void *context;
    void *handle;
    const void *descriptor; /* of a module: CuptiModule */
} CuptiResource;

/* Code that was loaded, or is to be unloaded. */
typedef struct {
    uint32_t id;
    size_t size;
    const char *cubin; /* valid during the call alone */
} CuptiModule;

typedef void (*CuptiCallback)(void *self, int32_t domain, uint32_t id, const void *data);

/* ---- range profiling ----------------------------------------------------------------------- */

enum { CUPTI_RANGE_PROFILER = 0, CUPTI_AUTO_RANGE = 1, CUPTI_KERNEL_REPLAY = 2 };

typedef struct CuptiHost CuptiHost;
typedef struct CuptiRanges CuptiRanges;

/* The size that CUPTI is told ends with the last field, padding apart. */
#define CUPTI_SIZE(type, last) (offsetof(type, last) + sizeof(((type *)NULL)->last))

typedef struct {
    size_t size;
    void *priv;
} CuptiInitialize;

typedef struct {
    size_t size;
    void *priv;
    size_t device;
    const char *name; /* out */
} CuptiChipName;

typedef struct {
    size_t size;
    void *priv;
    void *context;
    size_t image_size; /* in and out */
    uint8_t *image;    /* may be NULL: only the size is told */
} CuptiAvailability;

typedef struct {
    size_t size;
    void *priv;
    int32_t type;
    const char *chip;
    const uint8_t *availability;
    CuptiHost *host; /* out */
} CuptiHostInitialize;

typedef struct {
    size_t size;
    void *priv;
    CuptiHost *host;
} CuptiHostDeinitialize;

/* Out, except for the metric's name: what it is. An unknown one is CUPTI_BAD_METRIC. */
typedef struct {
    size_t size;
    void *priv;
    CuptiHost *host;
    const char *metric;
    const char *description, *unit, *dimension;
    int32_t type;
} CuptiHostProperties;

typedef struct {
    size_t size;
    void *priv;
    CuptiHost *host;
    const char **metrics;
    size_t n_metrics;
} CuptiHostAddMetrics;

typedef struct {
    size_t size;
    void *priv;
    CuptiHost *host;
    size_t image_size; /* out for the call that asks for it */
} CuptiHostConfigSize;

typedef struct {
    size_t size;
    void *priv;
    CuptiHost *host;
    size_t image_size;
    uint8_t *image;
} CuptiHostConfig;

typedef struct {
    size_t size;
    void *priv;
    CuptiHost *host;
    const uint8_t *image;
    size_t image_size;
    size_t range;
    const char **metrics;
    size_t n_metrics;
    double *values; /* out */
} CuptiHostEvaluate;

typedef struct {
    size_t size;
    void *priv;
    void *context;
    CuptiRanges *ranges; /* out */
} CuptiRangesEnable;

/* The arguments of disable and of start. */
typedef struct {
    size_t size;
    void *priv;
    CuptiRanges *ranges;
} CuptiRangesCall;

typedef struct {
    size_t size;
    void *priv;
    CuptiRanges *ranges;
    size_t pass, level; /* out, like the next */
    uint8_t all_submitted;
} CuptiRangesStop;

typedef struct {
    size_t size;
    void *priv;
    CuptiRanges *ranges;
    size_t dropped; /* out */
} CuptiRangesDecode;

typedef struct {
    size_t size;
    void *priv;
    CuptiRanges *ranges;
    const char **metrics;
    size_t n_metrics;
    size_t max_ranges;
    uint32_t max_nodes;
    size_t image_size; /* out */
} CuptiRangesDataSize;

typedef struct {
    size_t size;
    void *priv;
    CuptiRanges *ranges;
    size_t image_size;
    uint8_t *image;
} CuptiRangesDataInit;

typedef struct {
    size_t size;
    void *priv;
    CuptiRanges *ranges;
    size_t config_size;
    const uint8_t *config;
    size_t image_size;
    uint8_t *image;
    int32_t range, replay;
    size_t max_ranges;
    uint16_t n_levels, min_level;
    size_t pass;
    uint16_t level;
} CuptiRangesConfig;

typedef struct {
    size_t size;
    void *priv;
    const uint8_t *image;
    size_t image_size;
    size_t n_ranges; /* out */
} CuptiRangesInfo;

#endif

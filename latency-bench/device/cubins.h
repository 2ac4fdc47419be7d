/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Archives of kernels that were compiled for CUDA beforehand, for machines without NVRTC: a file
 * sm_90.cubins for each architecture. It has one line of text,
 *
 *     pipesim cubins 1 sm_90 13.0 CHECKSUM
 *
 * with the format's number, the architecture, NVRTC's version and the SHA-256 of the rest of the
 * file, then a GVariant with the name, the SHA-256 of the source, and the cubin of each kernel.
 */
#ifndef PIPESIM_LATENCY_BENCH_CUBINS_H
#define PIPESIM_LATENCY_BENCH_CUBINS_H

#include "latency-bench/device/nvrtc.h"

/* "sm_90.cubins" is such an archive's name. */
#define PS_CUBINS_ENDING ".cubins"

/* The archive of these kernels (PsBenchKernel; those of other backends are left out) for an
 * architecture. NULL and *error as ps_nvrtc_compile. */
GBytes *ps_cubins_pack(const PsNvrtc *nvrtc, const GPtrArray *kernels, const char *architecture,
                       GError **error);

typedef struct {
    char *path;
    int capability;        /* compute capability of its code: 90 */
    char *version;         /* of NVRTC: "13.0" */
    GHashTable *by_source; /* SHA-256 of the source to GVariant: name, SHA-256, cubin. Names alone
                              do not tell: a micro-benchmark and a whole kernel may share one */
} PsCubins;

/* The archive in a folder whose code runs on a device of that compute capability: its own, or the
 * newest of the same major version before it. NULL and *error: PS_ERROR_READ for a folder or file
 * that cannot be read, PS_ERROR_DEVICE if there is none for this device, PS_ERROR_SYNTAX for a file
 * that is no archive, or damaged. */
PsCubins *ps_cubins_open(const char *folder, int capability, GError **error);
void ps_cubins_free(PsCubins *cubins); /* NULL is fine */

/* The machine code of a kernel, made of this source. NULL and *error (PS_ERROR_DEVICE) if the
 * archive has none, or one of another source. */
GBytes *ps_cubins_find(const PsCubins *cubins, const char *name, const char *source,
                       GError **error);

G_DEFINE_AUTOPTR_CLEANUP_FUNC(PsCubins, ps_cubins_free)

#endif

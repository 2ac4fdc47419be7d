/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * The numbers that a description states once, by the table of fields, for code that shows them all.
 */
#ifndef PIPESIM_GPU_SETTINGS_H
#define PIPESIM_GPU_SETTINGS_H

#include "gpu/gpu.h"

G_BEGIN_DECLS
#pragma GCC visibility push(default)

/* A number of gpu/gpu.fields, as it is shown. */
typedef struct {
    const char *label; /* what people call it: "clock under load" */
    const char *unit;  /* the unit behind the number: "MHz", "per CU"; "" */
    PsRational value;
    gboolean whole;     /* it is one of things that are counted */
    const char *source; /* id of a source of the description, or NULL */
} PsGpuSetting;

/* The settings of an element, "chip" or "memory", in the order of the table, without numbers that
 * are not stated and have no default. A new array of PsGpuSetting (g_array_unref), whose texts
 * belong to the description and the library. */
GArray *ps_gpu_settings(const PsGpu *gpu, const char *element);

#pragma GCC visibility pop
G_END_DECLS
#endif

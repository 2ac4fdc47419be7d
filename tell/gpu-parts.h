/* SPDX-License-Identifier: BSD-3-Clause */
/* What a GPU's description states, part by part, figure by figure. Internal. */
#ifndef PIPESIM_TELL_GPU_PARTS_H
#define PIPESIM_TELL_GPU_PARTS_H

#include "gpu/gpu.h"
#include "tell/facts.h"

/* Parts of a description, in the order in which they are shown. */
typedef enum {
    PS_GPU_PART_CHIP,
    PS_GPU_PART_LIMITS,
    PS_GPU_PART_LEVELS,
    PS_GPU_PART_CACHE,
    PS_GPU_PART_REQUESTS,
    PS_GPU_PART_ATOMICS,
    PS_GPU_PART_LOCAL,
    PS_GPU_PART_PIPELINES,
    PS_GPU_PART_RATES,
    PS_GPU_PART_COMPLETIONS,
    PS_GPU_PART_PEAKS,
    PS_GPU_PART_OVERHEADS,
    PS_GPU_PART_HOST_LINK,
    PS_N_GPU_PARTS
} PsGpuPart;

/* Its word in JSON, and its heading for people. */
const char *ps_gpu_part_name(PsGpuPart part);
const char *ps_gpu_part_title(PsGpuPart part);

/* Tells the part as an item of the open list. FALSE, and nothing told, if the description does not
 * state it. */
gboolean ps_tell_gpu_part(const PsGpu *gpu, PsGpuPart part, PsTold *facts);

/* The kind of a figure's source, and its id in brackets; what is assumed catches the eye. id may be
 * NULL, which is NULL, too (g_free). */
char *ps_gpu_source_words(const PsGpu *gpu, const char *id);

#endif

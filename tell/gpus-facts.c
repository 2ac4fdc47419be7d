/* SPDX-License-Identifier: BSD-3-Clause */
/* The facts of GPUs with descriptions, for all formats. */
#include "tell/gpus-facts.h"

#include "gpu/called.h"
#include "gpu/rows.h"
#include "roofline/roofline.h"
#include "roofline/terms.h"

#include <math.h>

static void tell_peaks(const PsGpu *gpu, PsTold *facts)
{
    PsPeaks peaks;
    ps_peaks_resolve(gpu, PS_RATIONAL_INT(0), &peaks);
    ps_tell_open(facts, PS_FACT_LIST_GPUS_PEAKS);
    for (guint kind = 0; kind < PS_N_PEAKS; kind++)
        if (!isnan(peaks.value[kind]))
            ps_tell_entry_number(facts, ps_peak_kind_name((PsPeakKind)kind),
                                 peaks.value[kind] / 1e9);
    ps_tell_close(facts);
}

static void tell_level(const PsGpu *gpu, const PsMemoryLevel *level, PsTold *facts)
{
    const PsSource *source = level->source ? ps_gpu_source(gpu, level->source) : NULL;
    ps_tell_item(facts);
    ps_tell(facts, PS_FACT_LIST_GPUS_LEVELS_LEVEL, ps_level_name(level->level));
    ps_tell_positive(facts, PS_FACT_LIST_GPUS_LEVELS_BYTES, level->bytes);
    ps_tell_stated(facts, PS_FACT_LIST_GPUS_LEVELS_BYTES_PER_CYCLE, level->port);
    ps_tell_stated(facts, PS_FACT_LIST_GPUS_LEVELS_BANDWIDTH, level->bandwidth);
    ps_tell_stated(facts, PS_FACT_LIST_GPUS_LEVELS_LATENCY_CYCLES, level->latency);
    ps_tell_stated(facts, PS_FACT_LIST_GPUS_LEVELS_LATENCY_MHZ, level->at);
    ps_tell(facts, PS_FACT_LIST_GPUS_LEVELS_SOURCE,
            source ? ps_source_kind_name(source->kind) : NULL);
    ps_tell_close(facts);
}

static void tell_levels(const PsGpu *gpu, PsTold *facts)
{
    ps_tell_open(facts, PS_FACT_LIST_GPUS_LEVELS);
    for (guint i = 0; gpu->memory.levels && i < gpu->memory.levels->len; i++)
        tell_level(gpu, &g_array_index(gpu->memory.levels, PsMemoryLevel, i), facts);
    ps_tell_close(facts);
}

static void tell_sources(const PsGpu *gpu, PsTold *facts)
{
    const PsProvenance counts = ps_gpu_provenance(gpu);
    ps_tell_open(facts, PS_FACT_LIST_GPUS_SOURCES);
    ps_tell(facts, PS_FACT_LIST_GPUS_SOURCES_MEASURED, counts.of[PS_SOURCE_MEASURED]);
    ps_tell(facts, PS_FACT_LIST_GPUS_SOURCES_PUBLISHED, counts.of[PS_SOURCE_PUBLISHED]);
    ps_tell(facts, PS_FACT_LIST_GPUS_SOURCES_VENDOR, counts.of[PS_SOURCE_VENDOR]);
    ps_tell(facts, PS_FACT_LIST_GPUS_SOURCES_DERIVED, counts.of[PS_SOURCE_DERIVED]);
    ps_tell(facts, PS_FACT_LIST_GPUS_SOURCES_ASSUMED, counts.of[PS_SOURCE_ASSUMED]);
    ps_tell(facts, PS_FACT_LIST_GPUS_SOURCES_NONE, counts.unsourced);
    ps_tell_close(facts);
}

static void tell_gpu(const PsGpu *gpu, PsTold *facts)
{
    PsPeaks peaks;
    const PsRational clock = ps_gpu_usual_clock(gpu);
    g_autofree char *name = ps_gpu_stem(gpu->path);
    ps_peaks_resolve(gpu, PS_RATIONAL_INT(0), &peaks);
    ps_tell_item(facts);
    ps_tell(facts, PS_FACT_LIST_GPUS_NAME, name);
    ps_tell(facts, PS_FACT_LIST_GPUS_FILE, gpu->path);
    ps_tell(facts, PS_FACT_LIST_GPUS_GPU, gpu->name);
    ps_tell(facts, PS_FACT_LIST_GPUS_VENDOR, gpu->vendor);
    ps_tell(facts, PS_FACT_LIST_GPUS_ARCHITECTURE, gpu->architecture);
    ps_tell(facts, PS_FACT_LIST_GPUS_COMPUTE_UNITS, gpu->compute_units);
    ps_tell(facts, PS_FACT_LIST_GPUS_CLOCK_MHZ, clock);
    ps_tell(facts, PS_FACT_LIST_GPUS_CLOCK, ps_gpu_clock_name(gpu, clock));
    ps_tell_stated(facts, PS_FACT_LIST_GPUS_BASE_CLOCK_MHZ, gpu->clock);
    ps_tell_stated(facts, PS_FACT_LIST_GPUS_BOOST_CLOCK_MHZ, gpu->boost_clock);
    ps_tell_positive(facts, PS_FACT_LIST_GPUS_DEVICE_MEMORY_MIB, gpu->device_memory);
    ps_tell(facts, PS_FACT_LIST_GPUS_WARP_SIZE, gpu->warp_size);
    ps_tell(facts, PS_FACT_LIST_GPUS_BANDWIDTH, peaks.value[PS_B_MEM] / 1e9);
    ps_tell(facts, PS_FACT_LIST_GPUS_GFLOPS, peaks.value[PS_T_SP] / 1e9);
    tell_peaks(gpu, facts);
    tell_levels(gpu, facts);
    tell_sources(gpu, facts);
    ps_tell_close(facts);
}

void ps_tell_gpus(const GPtrArray *gpus, PsTold *facts)
{
    ps_tell_open(facts, PS_FACT_LIST_GPUS);
    for (guint i = 0; i < gpus->len; i++)
        tell_gpu(gpus->pdata[i], facts);
    ps_tell_close(facts);
}

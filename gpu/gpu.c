/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * A description in memory: making one, its end, finding things in it.
 */
#include "base/source-xml.h"
#include "gpu/internal.h"
#include <string.h>

#define NUMBER(attribute, field, absent)                                                           \
    {                                                                                              \
        attribute, G_STRUCT_OFFSET(PsGpu, field), absent                                           \
    }

const PsGpuInt ps_gpu_chip[PS_GPU_N_CHIP] = {
    NUMBER("compute-units", compute_units, 0), NUMBER("memory", device_memory, 0),
    NUMBER("warp-size", warp_size, 0),         NUMBER("schedulers", schedulers, 0),
    NUMBER("read-window", read_window, 0),
};

const PsGpuInt ps_gpu_limits[PS_GPU_N_LIMITS] = {
    NUMBER("warps", limits.warps, 0),
    NUMBER("groups", limits.groups, 0),
    NUMBER("group-size", limits.group_size, 0),
    NUMBER("registers", limits.registers, 0),
    NUMBER("registers-per-thread", limits.registers_per_thread, 0),
    NUMBER("register-unit", limits.register_unit, 1),
    NUMBER("scalar-registers", limits.scalar_registers, 0),
    NUMBER("scalar-registers-per-warp", limits.scalar_registers_per_warp, 0),
    NUMBER("scalar-register-unit", limits.scalar_register_unit, 1),
    NUMBER("warp-unit", limits.warp_unit, 1),
    NUMBER("local-memory", limits.local_memory, 0),
    NUMBER("local-memory-per-group", limits.local_memory_per_group, 0),
    NUMBER("local-memory-unit", limits.local_memory_unit, 1),
    NUMBER("local-memory-reserved", limits.local_memory_reserved, 0),
};

const char *const ps_gpu_accumulators[] = {[PS_ACCUMULATORS_NONE] = NULL,
                                           [PS_ACCUMULATORS_APART] = "apart",
                                           [PS_ACCUMULATORS_JOINT] = "joint"};

const PsGpuInt ps_gpu_cache[PS_GPU_N_CACHE] = {
    NUMBER("l1", cache.l1, 0),
    NUMBER("l2", cache.l2, 0),
};

static void free_pipeline(void *data)
{
    PsPipeline *pipeline = data;
    g_free(pipeline->name);
    g_free(pipeline->source);
    g_free(pipeline);
}

static void free_class(void *data)
{
    PsClass *class = data;
    g_free(class->name);
    g_free(class->source);
    if (class->at)
        g_array_unref(class->at);
    g_free(class);
}

static void free_default(void *data)
{
    PsDefaultClass *fallback = data;
    g_free(fallback->kind);
    g_free(fallback->class_name);
    g_free(fallback);
}

static void free_peak(void *data)
{
    PsPeak *peak = data;
    g_free(peak->name);
    g_free(peak->source);
    g_free(peak);
}

static void free_level(void *data)
{
    g_free(((PsMemoryLevel *)data)->source);
}

PsMemoryLevel *ps_gpu_add_level(PsGpu *gpu, PsLevel level)
{
    const PsMemoryLevel empty = {.level = level,
                                 .port = {0, 1},
                                 .bandwidth = {0, 1},
                                 .mixed = {0, 1},
                                 .latency = {0, 1},
                                 .at = {0, 1}};
    if (!gpu->memory.levels) {
        gpu->memory.levels = g_array_new(FALSE, FALSE, sizeof(PsMemoryLevel));
        g_array_set_clear_func(gpu->memory.levels, free_level);
    }
    g_array_append_val(gpu->memory.levels, empty);
    return &g_array_index(gpu->memory.levels, PsMemoryLevel, gpu->memory.levels->len - 1);
}

PsGpu *ps_gpu_new(const char *name)
{
    PsGpu *gpu = g_new0(PsGpu, 1);
    gpu->name = g_strdup(name);
    gpu->compute_units = 1;
    gpu->clock = PS_RATIONAL_INT(1000);
    gpu->boost_clock = gpu->load_clock = PS_RATIONAL_INT(0);
    gpu->warp_size = 32;
    gpu->issue_width = PS_RATIONAL_INT(0);
    gpu->memory = (PsMemory){.request = {1, 1},
                             .line_bytes = 128,
                             .sector_bytes = 32,
                             .fetch_bytes = PS_GPU_FETCH,
                             .l1_global = TRUE};
    gpu->atomics = (PsAtomics){.request = {1, 1},
                               .latency = {0, 1},
                               .at = {0, 1},
                               .address = {0, 1},
                               .per_line = {0, 1},
                               .block = {0, 1},
                               .sectors = {0, 1},
                               .partial = {0, 1}};
    gpu->local = (PsLocalMemory){
        .wavefront = {0, 1}, .least = {0, 1}, .completion = {0, 1}, .atomic = {0, 1}};
    gpu->overheads.kernel_launch = PS_RATIONAL_INT(0);
    gpu->overheads.group_launch = PS_RATIONAL_INT(0);
    gpu->overheads.group_interval = PS_RATIONAL_INT(0);
    gpu->overheads.turnaround = PS_RATIONAL_INT(0);
    gpu->overheads.dispatch = PS_RATIONAL_INT(0);
    gpu->overheads.timer = PS_RATIONAL_INT(0);
    gpu->memory.tag = gpu->memory.store = PS_RATIONAL_INT(0);
    gpu->memory.wavefront = gpu->memory.lookup = PS_RATIONAL_INT(0);
    gpu->memory.queue = gpu->memory.queue_mixed = gpu->memory.window = PS_RATIONAL_INT(0);
    gpu->limits.register_unit = 1;
    gpu->limits.scalar_register_unit = 1;
    gpu->limits.warp_unit = 1;
    gpu->limits.local_memory_unit = 1;
    gpu->sources = ps_sources_new();
    gpu->pipelines = g_ptr_array_new_with_free_func(free_pipeline);
    gpu->classes = g_ptr_array_new_with_free_func(free_class);
    gpu->defaults = g_ptr_array_new_with_free_func(free_default);
    gpu->peaks = g_ptr_array_new_with_free_func(free_peak);
    gpu->by_name = g_hash_table_new(g_str_hash, g_str_equal);
    gpu->kept_sources = g_hash_table_new_full(g_str_hash, g_str_equal, g_free, g_free);
    return gpu;
}

void ps_gpu_free(PsGpu *gpu)
{
    if (!gpu)
        return;
    g_free(gpu->path);
    g_free(gpu->name);
    g_free(gpu->vendor);
    g_free(gpu->architecture);
    g_free(gpu->chip_source);
    g_free(gpu->load_source);
    g_free(gpu->memory_source);
    g_free(gpu->limits.source);
    g_free(gpu->cache.source);
    if (gpu->memory.levels)
        g_array_unref(gpu->memory.levels);
    g_free(gpu->memory.source);
    g_free(gpu->atomics.source);
    g_free(gpu->local.source);
    g_free(gpu->overheads.source);
    g_hash_table_unref(gpu->by_name); /* before the classes, whose names are its keys */
    g_hash_table_unref(gpu->kept_sources);
    g_ptr_array_unref(gpu->sources);
    g_ptr_array_unref(gpu->pipelines);
    g_ptr_array_unref(gpu->classes);
    g_ptr_array_unref(gpu->defaults);
    g_ptr_array_unref(gpu->peaks);
    g_free(gpu);
}

gboolean ps_gpu_is_amd(const PsGpu *gpu)
{
    return gpu->vendor && (strcmp(gpu->vendor, "AMD") == 0 ||
                           g_str_has_prefix(gpu->vendor, "Advanced Micro Devices"));
}

PsPipeline *ps_gpu_add_pipeline(PsGpu *gpu, const char *name)
{
    PsPipeline *pipeline = g_new0(PsPipeline, 1);
    pipeline->name = g_strdup(name);
    g_ptr_array_add(gpu->pipelines, pipeline);
    return pipeline;
}

PsClass *ps_gpu_add_class(PsGpu *gpu, const char *name)
{
    PsClass *class = g_new0(PsClass, 1);
    class->name = g_strdup(name);
    class->latency = (PsLatency){PS_RATIONAL_INT(1), PS_RATIONAL_INT(1)};
    class->wide_issue = PS_RATIONAL_INT(0);
    class->pass = PS_RATIONAL_INT(0);
    g_ptr_array_add(gpu->classes, class);
    if (!g_hash_table_contains(gpu->by_name, name)) /* of equal names the first is found */
        g_hash_table_insert(gpu->by_name, class->name, class);
    return class;
}

int ps_gpu_find_pipeline(const PsGpu *gpu, const char *name)
{
    for (guint i = 0; i < gpu->pipelines->len; i++) {
        const PsPipeline *pipeline = g_ptr_array_index(gpu->pipelines, i);
        if (strcmp(pipeline->name, name) == 0)
            return (int)i;
    }
    return -1;
}

const PsPeak *ps_gpu_peak(const PsGpu *gpu, const char *name)
{
    for (guint i = 0; i < gpu->peaks->len; i++) {
        const PsPeak *peak = g_ptr_array_index(gpu->peaks, i);
        if (strcmp(peak->name, name) == 0)
            return peak;
    }
    return NULL;
}

const PsSource *ps_gpu_source(const PsGpu *gpu, const char *id)
{
    return id ? ps_source_find(gpu->sources, id) : NULL;
}

char *ps_gpu_pipeline_names(const PsGpu *gpu)
{
    GString *names = g_string_new(NULL);
    for (guint i = 0; i < gpu->pipelines->len; i++) {
        const PsPipeline *pipeline = g_ptr_array_index(gpu->pipelines, i);
        g_string_append_printf(names, "%s%s", i ? ", " : "", pipeline->name);
    }
    return g_string_free(names, FALSE);
}

char *ps_gpu_class_names(const PsGpu *gpu)
{
    GString *names = g_string_new(NULL);
    for (guint i = 0; i < gpu->classes->len; i++) {
        const PsClass *class = g_ptr_array_index(gpu->classes, i);
        g_string_append_printf(names, "%s%s", i ? ", " : "", class->name);
    }
    return g_string_free(names, FALSE);
}

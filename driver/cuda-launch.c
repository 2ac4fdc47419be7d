/* SPDX-License-Identifier: BSD-3-Clause */
/* Entries that launch: kernels are executed at once, an order that their streams allow. */
#include "driver/graph.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

/* Reads parameters from one piece of memory, in place of a pointer to each. */
static void read_extra(void **extra, PsCardLaunch *launch)
{
    for (; extra && *extra != LAUNCH_PARAM_END; extra += 2) {
        if (*extra == LAUNCH_PARAM_BUFFER_POINTER)
            launch->packed = extra[1];
        else if (*extra == LAUNCH_PARAM_BUFFER_SIZE)
            launch->packed_size = *(const size_t *)extra[1];
    }
}

/* Handles a kernel's fault: the launch itself succeeds, as on a device, where the fault shows
 * later. */
static CUresult fault(GError *error)
{
    static const CUresult results[] = {[PS_PTX_FAULT_OTHER] = CUDA_ERROR_LAUNCH_FAILED,
                                       [PS_PTX_FAULT_ADDRESS] = CUDA_ERROR_ILLEGAL_ADDRESS,
                                       [PS_PTX_FAULT_MISALIGNED] = CUDA_ERROR_MISALIGNED_ADDRESS,
                                       [PS_PTX_FAULT_ASSERTION] = CUDA_ERROR_ASSERT,
                                       [PS_PTX_FAULT_ENDLESS] = CUDA_ERROR_LAUNCH_TIMEOUT,
                                       [PS_PTX_FAULT_UNKNOWN] = CUDA_ERROR_NOT_SUPPORTED};
    driver_print();
    driver.sticky = results[error->code];
    driver_fail(error);
    return CUDA_SUCCESS;
}

/* All groups of a cooperative launch are resident at once. */
static gboolean is_too_large(const Launch *launch)
{
    const CUlaunchConfig *config = &launch->config;
    int groups = 0;
    cuOccupancyMaxActiveBlocksPerMultiprocessorWithFlags(
        &groups, launch->function, (int)(config->block[0] * config->block[1] * config->block[2]),
        config->shared, 0);
    return (guint64)config->grid[0] * config->grid[1] * config->grid[2] >
           (guint64)groups * driver.gpu->compute_units;
}

CUresult driver_launch(const Launch *launch, struct Stream *stream)
{
    GError *error = NULL;
    double seconds;
    PsCardLaunch what = {.function = launch->function,
                         .shared = launch->config.shared,
                         .params = (gconstpointer const *)launch->params,
                         .cooperative = launch->cooperative,
                         .stream = stream->number,
                         .stand_in = launch->stand_in,
                         .begin = driver_stream_at(stream)};
    memcpy(what.grid, launch->config.grid, sizeof what.grid);
    memcpy(what.block, launch->config.block, sizeof what.block);
    memcpy(what.cluster, launch->cluster, sizeof what.cluster);
    read_extra(launch->params ? NULL : launch->extra, &what);
    if (launch->cooperative && is_too_large(launch))
        return CUDA_ERROR_COOPERATIVE_LAUNCH_TOO_LARGE;
    driver_print();
    if (!ps_card_launch(driver.card, &what, &seconds, &error))
        return error->domain == PS_CARD_FAULT ? fault(error) : driver_fail(error);
    driver_stream_add(stream, isnan(seconds) ? 0 : seconds);
    return CUDA_SUCCESS;
}

static CUresult launch(const Launch *what)
{
    DRIVER_ENTER;
    struct Stream *stream = driver_stream(what->config.stream);
    if (!stream || !what->function)
        return CUDA_ERROR_INVALID_HANDLE;
    if (stream->capture)
        return graph_capture(stream, &(Node){.type = NODE_KERNEL, .kernel = *what});
    return driver_launch(what, stream);
}

static gboolean is_cooperative(const CUlaunchConfig *config)
{
    for (unsigned int i = 0; i < config->n_attributes; i++)
        if (config->attributes[i].id == ATTRIBUTE_COOPERATIVE)
            return config->attributes[i].value.cooperative != 0;
    return FALSE;
}

/* If code does not state its clusters, the launch alone does. FALSE: the grid is no multiple of the
 * cluster. */
static gboolean read_cluster(const CUlaunchConfig *config, guint cluster[3])
{
    for (unsigned int i = 0; i < config->n_attributes; i++)
        if (config->attributes[i].id == ATTRIBUTE_CLUSTER)
            memcpy(cluster, config->attributes[i].value.cluster, 3 * sizeof *cluster);
    for (guint i = 0; i < 3; i++)
        if (config->grid[i] % MAX(cluster[i], 1) != 0)
            return FALSE;
    return TRUE;
}

#pragma GCC visibility push(default)

CUresult cuLaunchKernel(CUfunction function, unsigned int grid_x, unsigned int grid_y,
                        unsigned int grid_z, unsigned int block_x, unsigned int block_y,
                        unsigned int block_z, unsigned int shared, CUstream stream, void **params,
                        void **extra)
{
    const CUlaunchConfig config = {.grid = {grid_x, grid_y, grid_z},
                                   .block = {block_x, block_y, block_z},
                                   .shared = shared,
                                   .stream = stream};
    return launch(&(Launch){config, function, FALSE, params, extra, {0}, {0}});
}

CUresult cuLaunchCooperativeKernel(CUfunction function, unsigned int grid_x, unsigned int grid_y,
                                   unsigned int grid_z, unsigned int block_x, unsigned int block_y,
                                   unsigned int block_z, unsigned int shared, CUstream stream,
                                   void **params)
{
    const CUlaunchConfig config = {.grid = {grid_x, grid_y, grid_z},
                                   .block = {block_x, block_y, block_z},
                                   .shared = shared,
                                   .stream = stream};
    return launch(&(Launch){config, function, TRUE, params, NULL, {0}, {0}});
}

CUresult cuLaunchKernelEx(const CUlaunchConfig *config, CUfunction function, void **params,
                          void **extra)
{
    if (!config)
        return CUDA_ERROR_INVALID_VALUE;
    Launch what = {*config, function, is_cooperative(config), params, extra, {0}, {0}};
    if (!read_cluster(config, what.cluster))
        return CUDA_ERROR_INVALID_CLUSTER_SIZE;
    return launch(&what);
}

CUresult driver_stand_in(const CUlaunchConfig *config, CUfunction function, void **params,
                         const PsCardStandIn *what)
{
    g_autofree char *note = g_strdup_printf(
        "kernels whose names begin with stand_in are pipesim's own, in place of those of %s: "
        "their times are not those of %s; \"bound\" is the roofline's time for the same work "
        "with its matrices in device memory, and no kernel is faster",
        what->of, what->of);
    driver_note_once(note);
    return launch(
        &(Launch){.config = *config, .function = function, .params = params, .stand_in = *what});
}

/* All earlier work of the stream is done. */
CUresult cuLaunchHostFunc(CUstream stream, void (*function)(void *), void *data)
{
    {
        DRIVER_ENTER;
        struct Stream *own = driver_stream(stream);
        if (!own)
            return CUDA_ERROR_INVALID_HANDLE;
        if (own->capture)
            return graph_capture(own,
                                 &(Node){.type = NODE_HOST, .function = function, .data = data});
    }
    function(data); /* without the lock: the function may call entries from another thread */
    return CUDA_SUCCESS;
}

CUresult cuStreamAddCallback(CUstream stream, void (*function)(CUstream, CUresult, void *),
                             void *data, unsigned int flags)
{
    (void)flags;
    {
        DRIVER_ENTER;
        const struct Stream *own = driver_stream(stream);
        if (!own)
            return CUDA_ERROR_INVALID_HANDLE;
        if (own->capture)
            return CUDA_ERROR_STREAM_CAPTURE_UNSUPPORTED;
        driver_print();
    }
    function(stream, CUDA_SUCCESS, data);
    return CUDA_SUCCESS;
}

#pragma GCC visibility pop

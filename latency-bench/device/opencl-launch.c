/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Memory and launches behind OpenCL.
 */
#include "latency-bench/device/opencl.h"

#define BLOCKING 1U

static void *handle(PsBuffer buffer)
{
    return (void *)buffer; /* it came from a pointer */
}

static gboolean allocate(PsDriver *driver, gsize bytes, PsBuffer *buffer, GError **error)
{
    Opencl *opencl = (Opencl *)driver;
    int result = 0;
    *buffer = (PsBuffer)opencl->api.create_buffer(opencl->context, CL_MEM_READ_WRITE, bytes, NULL,
                                                  &result);
    return ps_opencl_check(result, "clCreateBuffer", error);
}

static void discard(PsDriver *driver, PsBuffer buffer)
{
    ((Opencl *)driver)->api.release_buffer(handle(buffer));
}

static gboolean write_to(PsDriver *driver, PsBuffer to, gsize offset, GBytes *data, GError **error)
{
    Opencl *opencl = (Opencl *)driver;
    gsize bytes = 0;
    const void *from = g_bytes_get_data(data, &bytes);
    return ps_opencl_check(
        opencl->api.write(opencl->queue, handle(to), BLOCKING, offset, bytes, from, 0, NULL, NULL),
        "clEnqueueWriteBuffer", error);
}

static gboolean read_from(PsDriver *driver, PsBuffer from, void *data, gsize bytes, GError **error)
{
    Opencl *opencl = (Opencl *)driver;
    return ps_opencl_check(
        opencl->api.read(opencl->queue, handle(from), BLOCKING, 0, bytes, data, 0, NULL, NULL),
        "clEnqueueReadBuffer", error);
}

static gboolean set_arguments(const Opencl *opencl, const OpenclProgram *program,
                              const PsBenchLaunch *launch, const PsArguments *arguments,
                              GError **error)
{
    const struct {
        gsize bytes;
        const void *value;
    } values[] = {
        {sizeof(void *), &arguments->memory}, {sizeof(guint32), &arguments->elements},
        {sizeof(guint32), &arguments->step},  {sizeof(guint32), &arguments->length},
        {sizeof(void *), &arguments->times},  {sizeof(void *), &arguments->cus},
        {sizeof(void *), &arguments->sink},   {(gsize)MAX(launch->local_memory, 4), NULL},
    };
    guint n = G_N_ELEMENTS(values) - !program->takes_local;
    for (guint i = 0; i < n; i++)
        if (!ps_opencl_check(
                opencl->api.set_argument(program->kernel, i, values[i].bytes, values[i].value),
                "clSetKernelArg", error))
            return FALSE;
    return TRUE;
}

/* Seconds from the begin of one command to the end of another. */
static gboolean read_time(const Opencl *opencl, void *first, void *last, double *seconds,
                          GError **error)
{
    guint64 begin = 0, end = 0;
    if (!ps_opencl_check(
            opencl->api.profile(first, CL_PROFILING_COMMAND_START, sizeof begin, &begin, NULL),
            "clGetEventProfilingInfo", error) ||
        !ps_opencl_check(
            opencl->api.profile(last, CL_PROFILING_COMMAND_END, sizeof end, &end, NULL),
            "clGetEventProfilingInfo", error))
        return FALSE;
    *seconds = (double)(gint64)(end - begin) * 1e-9;
    return TRUE;
}

static gboolean launch_timed(PsDriver *driver, PsBenchProgram *of, const PsBenchLaunch *launch,
                             const PsArguments *arguments, double *seconds, GError **error)
{
    Opencl *opencl = (Opencl *)driver;
    const OpenclProgram *program = (OpenclProgram *)of;
    gsize local = (gsize)launch->group_size, global = local * (gsize)launch->groups;
    const guint n = (guint)ps_driver_launches(of, launch);
    g_autofree void **events = g_new0(void *, n);
    gboolean timed = set_arguments(opencl, program, launch, arguments, error);
    guint begun = 0;
    for (; timed && begun < n; begun += timed)
        timed = ps_opencl_check(opencl->api.launch(opencl->queue, program->kernel, 1, NULL, &global,
                                                   &local, 0, NULL, &events[begun]),
                                "clEnqueueNDRangeKernel", error);
    timed = timed &&
            ps_opencl_check(opencl->api.wait(1, &events[n - 1]), "clWaitForEvents", error) &&
            read_time(opencl, events[0], events[n - 1], seconds, error);
    for (guint i = 0; i < begun; i++)
        opencl->api.release_event(events[i]);
    return timed;
}

const PsDriverCalls ps_opencl_driver_calls = {
    .allocate = allocate,
    .discard = discard,
    .write = write_to,
    .read = read_from,
    .launch = launch_timed,
};

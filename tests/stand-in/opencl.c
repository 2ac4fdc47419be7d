/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Plays libOpenCL.so.1: one platform with one GPU. Handles of buffers are the host's memory.
 */
#include "tests/stand-in/device.h"
#include <stdio.h>
#include <stdlib.h>

/* Declared once for all: what makes an object says by *error whether it did. */
#define MAKES(function, ...)                                                                       \
    EXPORT void *function(__VA_ARGS__, int *error);                                                \
    void *function(__VA_ARGS__, int *error)
#define DOES(function, ...)                                                                        \
    EXPORT int function(__VA_ARGS__);                                                              \
    int function(__VA_ARGS__)

/* What a function that makes an object returns. */
static void *made(const char *call, void *object, int *error)
{
    *error = enter(call);
    if (*error == 0)
        return object;
    give_back(object);
    return NULL;
}

static int released(const char *call, void *object)
{
    int code = enter(call);
    give_back(object);
    return code;
}

/* Copies what is asked for, as OpenCL's functions do. */
static int answer(const void *from, gsize n, gsize bytes, void *value, gsize *size)
{
    if (size)
        *size = n;
    if (value && bytes < n)
        return -30;
    if (value)
        memcpy(value, from, n);
    return 0;
}

static char the_platform, the_device;

/* What PoCL does without /sys, and others with exit. */
static void end_process(void)
{
    fputs("a line before\nnothing to run on \xff\n", stderr);
    if (state.ends == 1)
        abort();
    exit(0);
}

DOES(clGetPlatformIDs, guint32 n, void **platforms, guint32 *count)
{
    ENTER();
    if (n > 0)
        platforms[0] = &the_platform;
    if (count)
        *count = 1;
    return 0;
}

DOES(clGetDeviceIDs, void *platform, guint64 type, guint32 n, void **devices, guint32 *count)
{
    (void)platform;
    ENTER();
    if (state.ends > 0)
        end_process();
    if (type != 4)
        return -1;
    if (n > 0)
        devices[0] = &the_device;
    if (count)
        *count = (guint32)state.devices;
    return 0;
}

DOES(clGetDeviceInfo, void *device, guint32 what, gsize bytes, void *value, gsize *size)
{
    static const struct {
        guint32 what, bytes;
        guint64 value;
    } numbers[] = {{0x1000, 8, 4},     {0x1002, 4, CUS},     {0x1004, 8, 1024},
                   {0x100C, 4, 1000},  {0x101E, 8, 4194304}, {0x101F, 8, 1 << 30},
                   {0x1023, 8, 65536}, {0x1032, 8, 63}};
    static const struct {
        guint32 what;
        const char *text;
    } texts[] = {{0x102B, "Stand-in"},
                 {0x102C, "Nobody"},
                 {0x102D, "1"},
                 {0x102F, "OpenCL 1.2"},
                 {0x1030, "cl_khr_fp16"}};
    (void)device;
    ENTER();
    for (guint i = 0; i < G_N_ELEMENTS(numbers); i++)
        if (numbers[i].what == what)
            return answer(&numbers[i].value, numbers[i].bytes, bytes, value, size);
    for (guint i = 0; i < G_N_ELEMENTS(texts); i++)
        if (texts[i].what == what)
            return answer(texts[i].text, strlen(texts[i].text) + 1, bytes, value, size);
    return -30;
}

MAKES(clCreateContext, const gintptr *properties, guint32 n, void *const *devices, void *notify,
      void *data)
{
    (void)properties, (void)n, (void)devices, (void)notify, (void)data;
    return made(__func__, make(1), error);
}

DOES(clReleaseContext, void *context)
{
    return released(__func__, context);
}

MAKES(clCreateCommandQueue, void *context, void *device, guint64 properties)
{
    (void)context, (void)device, (void)properties;
    return made(__func__, make(1), error);
}

DOES(clReleaseCommandQueue, void *queue)
{
    return released(__func__, queue);
}

/* All that compiles is a source without an #error. */
typedef struct {
    const char *log;
} Source;

MAKES(clCreateProgramWithSource, void *context, guint32 n, const char **sources,
      const gsize *lengths)
{
    Source *program = make(sizeof *program);
    (void)context, (void)n, (void)lengths;
    program->log = strstr(sources[0], "#error") ? "line 3: #error told so\n" : "";
    return made(__func__, program, error);
}

DOES(clBuildProgram, void *program, guint32 n, void *const *devices, const char *options,
     void *notify, void *data)
{
    (void)n, (void)devices, (void)notify, (void)data;
    ENTER();
    g_strlcpy(state.arch, options, sizeof state.arch);
    return *((Source *)program)->log ? -11 : 0;
}

DOES(clGetProgramBuildInfo, void *program, void *device, guint32 what, gsize bytes, void *value,
     gsize *size)
{
    const char *log = ((Source *)program)->log;
    (void)device, (void)what;
    ENTER();
    return answer(log, strlen(log) + 1, bytes, value, size);
}

/* The code is a text, as NVIDIA's is. */
DOES(clGetProgramInfo, void *program, guint32 what, gsize bytes, void *value, gsize *size)
{
    static const char code[] = "// PTX\n.entry toy() {}\n";
    const gsize length = sizeof code;
    (void)program;
    ENTER();
    if (what == 0x1165)
        return answer(&length, sizeof length, bytes, value, size);
    put_text(*(char **)value, code);
    return 0;
}

DOES(clReleaseProgram, void *program)
{
    return released(__func__, program);
}

/* The arguments of the kernel that was made last. */
static guint64 arguments[8];

MAKES(clCreateKernel, void *program, const char *name)
{
    (void)program, (void)name;
    return made(__func__, make(1), error);
}

DOES(clGetKernelInfo, void *kernel, guint32 what, gsize bytes, void *value, gsize *size)
{
    const guint32 parameters = 8;
    (void)kernel, (void)what;
    ENTER();
    return answer(&parameters, sizeof parameters, bytes, value, size);
}

DOES(clGetKernelWorkGroupInfo, void *kernel, void *device, guint32 what, gsize bytes, void *value,
     gsize *size)
{
    const gsize multiple = WARP;
    (void)kernel, (void)device, (void)what;
    ENTER();
    return answer(&multiple, sizeof multiple, bytes, value, size);
}

DOES(clReleaseKernel, void *kernel)
{
    return released(__func__, kernel);
}

DOES(clSetKernelArg, void *kernel, guint32 index, gsize bytes, const void *value)
{
    (void)kernel;
    ENTER();
    if (value)
        memcpy(&arguments[index], value, bytes);
    return 0;
}

MAKES(clCreateBuffer, void *context, guint64 flags, gsize bytes, void *host)
{
    (void)context, (void)flags, (void)host;
    return made(__func__, make(bytes), error);
}

DOES(clReleaseMemObject, void *buffer)
{
    return released(__func__, buffer);
}

/* The interface has that many parameters, here and below. NOLINTBEGIN(readability-function-size) */
DOES(clEnqueueWriteBuffer, void *queue, char *buffer, guint32 blocking, gsize offset, gsize bytes,
     const void *from, guint32 n, void *const *wait, void **event)
{
    (void)queue, (void)blocking, (void)n, (void)wait, (void)event;
    ENTER();
    memcpy(buffer + offset, from, bytes);
    state.written++;
    return 0;
}

DOES(clEnqueueReadBuffer, void *queue, const char *buffer, guint32 blocking, gsize offset,
     gsize bytes, void *to, guint32 n, void *const *wait, void **event)
{
    (void)queue, (void)blocking, (void)n, (void)wait, (void)event;
    ENTER();
    memcpy(to, buffer + offset, bytes);
    return 0;
}

DOES(clEnqueueNDRangeKernel, void *queue, void *kernel, guint32 dimensions, const gsize *offset,
     const gsize *global, const gsize *local, guint32 n, void *const *wait, void **event)
{
    (void)queue, (void)kernel, (void)dimensions, (void)offset, (void)n, (void)wait;
    void *parameters[7];
    ENTER();
    for (guint i = 0; i < G_N_ELEMENTS(parameters); i++)
        parameters[i] = &arguments[i];
    *event = make(1);
    return run_kernel((unsigned)(*global / *local), (unsigned)*local, parameters);
}
/* NOLINTEND(readability-function-size) */

DOES(clWaitForEvents, guint32 n, void *const *events)
{
    (void)n, (void)events;
    ENTER();
    return 0;
}

DOES(clGetEventProfilingInfo, void *event, guint32 what, gsize bytes, void *value, gsize *size)
{
    const guint64 begin = 77, end = begin + (guint64)(state.seconds * 1e9 + 0.5);
    (void)event;
    ENTER();
    return answer(what == 0x1282 ? &begin : &end, sizeof begin, bytes, value, size);
}

DOES(clReleaseEvent, void *event)
{
    return released(__func__, event);
}

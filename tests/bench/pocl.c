/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * How fast kernels are executed: by the executor of `pipesim build`, which interprets PTX, beside
 * OpenCL on this processor (PoCL), which compiles the same source for it. Thread instructions are
 * those of the PTX, for both, and the time is processor time of all cores that take part.
 */
#include "latency-bench/device/opencl.h"
#include "launch/launch.h"
#include "ptx/run/run.h"
#include "tests/bench/sections.h"

#include <stdio.h>

#define MOST_ARGUMENTS 7

/* A parameter of OpenCL's kernel: a number, or so many bytes of memory. */
typedef struct {
    guint bytes; /* of memory; 0: a number */
    gboolean real;
    double number;
} Parameter;

typedef struct {
    const char *name, *what;
    const char *source, *options; /* of OpenCL */
    const char *ptx, *kernel, *grid, *block;
    const char *arguments[MOST_ARGUMENTS + 1]; /* of the executor */
    Parameter parameters[MOST_ARGUMENTS];      /* the same for OpenCL */
    guint n_parameters;
    gsize groups[2], threads[2];
} PoclKernel;

#define MEMORY(size)                                                                               \
    {                                                                                              \
        .bytes = (size)                                                                            \
    }
#define INTEGER(value)                                                                             \
    {                                                                                              \
        .number = (value)                                                                          \
    }
#define REAL(value)                                                                                \
    {                                                                                              \
        .real = TRUE, .number = (value)                                                            \
    }

static const PoclKernel kernels[] = {
    {.name = "mmul, tiles of 16, size 512",
     .what = "mixed",
     .source = "graphs/mmul.cl",
     .options = "-DTILE=16",
     .ptx = "tests/corpus/mmul16-opencl.ptx",
     .kernel = "mmul",
     .grid = "32x32",
     .block = "16x16",
     .arguments = {"a=random:1M:1", "b=random:1M:2", "c=zero:1M", "size=512"},
     .parameters = {MEMORY(1 << 20), MEMORY(1 << 20), MEMORY(1 << 20), INTEGER(512)},
     .n_parameters = 4,
     .groups = {32, 32},
     .threads = {16, 16}},
    {.name = "mandelbrot, 128 x 128",
     .what = "arithmetic",
     .source = "tests/corpus/mandelbrot.cu",
     .options = "",
     .ptx = "tests/corpus/mandelbrot.ptx",
     .kernel = "mandelbrot",
     .grid = "8x8",
     .block = "16x16",
     .arguments = {"width=128", "height=128", "left=-0.2", "top=0.2", "step=0.001", "most=2000",
                   "counts=zero:32K"},
     .parameters = {INTEGER(128), INTEGER(128), REAL(-0.2), REAL(0.2), REAL(0.001), INTEGER(2000),
                    MEMORY(1 << 15)},
     .n_parameters = 7,
     .groups = {8, 8},
     .threads = {16, 16}},
};

/* What a launch executes, and what that takes. */
typedef struct {
    double instructions, seconds;
} Took;

/* ---- the executor -------------------------------------------------------------------------- */

static void execute_groups(PsPtxModule *module, const PsBuildOptions *options, Took *took)
{
    GError *error = NULL;
    guint64 threads = 0;
    const guint *grid = options->launch.grid;
    g_autoptr(PsPtxMachine) machine = ps_ptx_machine_new(module, &options->launch, &error);
    const double start = bench_seconds();
    for (guint i = 0; machine && i < grid[0] * grid[1]; i++) {
        const guint group[3] = {i % grid[0], i / grid[0], 0};
        if (!ps_ptx_run_group(machine, group, NULL, &error))
            break;
    }
    if (error)
        bench_stop(error);
    ps_ptx_machine_counts(machine, NULL, &threads);
    *took = (Took){(double)threads, bench_seconds() - start};
}

static Took execute(const PoclKernel *kernel)
{
    GError *error = NULL;
    Took took = {0, 0};
    PsBuildOptions options;
    g_autoptr(GPtrArray) notes = g_ptr_array_new_with_free_func(g_free);
    const PsLaunchTexts texts = {
        .grid = kernel->grid, .block = kernel->block, .arguments = kernel->arguments};
    PsPtxModule *module = ps_ptx_load(kernel->ptx, &error);
    PsLaunchArguments *arguments = NULL;
    PsLaunchGrid *grid = NULL;
    const PsPtxFunction *function = module ? ps_ptx_kernel(module, kernel->kernel, &error) : NULL;
    if (function)
        arguments = ps_launch_arguments_new(module, function, &texts, notes, notes, &error);
    if (arguments)
        grid = ps_launch_grid_new(arguments, &texts, &error);
    if (!grid)
        bench_stop(error);
    ps_build_options_init(&options);
    ps_launch_set_up(arguments, grid, &texts, &options);
    execute_groups(module, &options, &took);
    ps_launch_grid_free(grid);
    ps_launch_arguments_free(arguments);
    ps_ptx_free(module);
    return took;
}

/* ---- OpenCL -------------------------------------------------------------------------------- */

typedef struct {
    Opencl *opencl;
    void *program, *kernel;
    void *buffers[MOST_ARGUMENTS];
} Pocl;

static void check(int result, const char *call)
{
    GError *error = NULL;
    if (!ps_opencl_check(result, call, &error))
        bench_stop(error);
}

/* The source in OpenCL's words where it is in CUDA's. */
static char *read_source(const char *path)
{
    static const char *const words[][2] = {
        {"extern \"C\" __global__", "__kernel"},
        {"unsigned short *", "__global unsigned short *"},
        {"blockIdx.x * blockDim.x + threadIdx.x", "get_global_id(0)"},
        {"blockIdx.y * blockDim.y + threadIdx.y", "get_global_id(1)"}};
    GError *error = NULL;
    char *text;
    if (!g_file_get_contents(path, &text, NULL, &error))
        bench_stop(error);
    for (guint i = 0; g_str_has_suffix(path, ".cu") && i < G_N_ELEMENTS(words); i++) {
        g_auto(GStrv) parts = g_strsplit(text, words[i][0], -1);
        g_free(text);
        text = g_strjoinv(words[i][1], parts);
    }
    return text;
}

static void set_arguments(Pocl *pocl, const PoclKernel *kernel)
{
    const OpenclApi *api = &pocl->opencl->api;
    for (guint i = 0; i < kernel->n_parameters; i++) {
        const Parameter *parameter = &kernel->parameters[i];
        const float real = (float)parameter->number;
        const gint32 integer = (gint32)parameter->number;
        int result;
        if (parameter->bytes == 0) {
            check(api->set_argument(pocl->kernel, i, sizeof(float),
                                    parameter->real ? (const void *)&real : (const void *)&integer),
                  "clSetKernelArg");
            continue;
        }
        g_autofree float *contents = g_new(float, parameter->bytes / sizeof(float));
        for (guint k = 0; k < parameter->bytes / sizeof(float); k++)
            contents[k] = 1.0f / (float)(k + 1);
        pocl->buffers[i] = api->create_buffer(pocl->opencl->context, CL_MEM_READ_WRITE,
                                              parameter->bytes, NULL, &result);
        check(result, "clCreateBuffer");
        check(api->write(pocl->opencl->queue, pocl->buffers[i], TRUE, 0, parameter->bytes, contents,
                         0, NULL, NULL),
              "clEnqueueWriteBuffer");
        check(api->set_argument(pocl->kernel, i, sizeof(void *), &pocl->buffers[i]),
              "clSetKernelArg");
    }
}

static void pocl_open(Pocl *pocl, Opencl *opencl, const PoclKernel *kernel)
{
    const OpenclApi *api = &opencl->api;
    g_autofree char *source = read_source(kernel->source);
    const char *text = source;
    int result;
    *pocl = (Pocl){.opencl = opencl};
    pocl->program = api->create_program(opencl->context, 1, &text, NULL, &result);
    check(result, "clCreateProgramWithSource");
    check(api->build(pocl->program, 1, &opencl->id, kernel->options, NULL, NULL), "clBuildProgram");
    pocl->kernel = api->create_kernel(pocl->program, kernel->kernel, &result);
    check(result, "clCreateKernel");
    set_arguments(pocl, kernel);
}

static void pocl_close(Pocl *pocl)
{
    const OpenclApi *api = &pocl->opencl->api;
    for (guint i = 0; i < MOST_ARGUMENTS; i++)
        if (pocl->buffers[i])
            check(api->release_buffer(pocl->buffers[i]), "clReleaseMemObject");
    check(api->release_kernel(pocl->kernel), "clReleaseKernel");
    check(api->release_program(pocl->program), "clReleaseProgram");
}

/* One launch. The first is when PoCL compiles. */
static double pocl_seconds(const Pocl *pocl, const PoclKernel *kernel)
{
    const OpenclApi *api = &pocl->opencl->api;
    const gsize global[2] = {kernel->groups[0] * kernel->threads[0],
                             kernel->groups[1] * kernel->threads[1]};
    void *event = NULL;
    const double start = bench_seconds();
    check(api->launch(pocl->opencl->queue, pocl->kernel, 2, NULL, global, kernel->threads, 0, NULL,
                      &event),
          "clEnqueueNDRangeKernel");
    check(api->wait(1, &event), "clWaitForEvents");
    const double seconds = bench_seconds() - start;
    check(api->release_event(event), "clReleaseEvent");
    return seconds;
}

/* ---- both ---------------------------------------------------------------------------------- */

static void compare(Opencl *opencl, const PoclKernel *kernel)
{
    double executor[BENCH_ROUNDS], pocl[BENCH_ROUNDS], ratio[BENCH_ROUNDS];
    Pocl compiled;
    pocl_open(&compiled, opencl, kernel);
    (void)pocl_seconds(&compiled, kernel);
    for (guint i = 0; i < BENCH_ROUNDS; i++) {
        const Took took = execute(kernel);
        executor[i] = took.instructions / took.seconds * 1e-6;
        pocl[i] = took.instructions / pocl_seconds(&compiled, kernel) * 1e-6;
        ratio[i] = executor[i] / pocl[i];
    }
    pocl_close(&compiled);
    printf("  %-30s %-10s %10.0f %10.0f  %8.3f\n", kernel->name, kernel->what,
           bench_median(executor, BENCH_ROUNDS), bench_median(pocl, BENCH_ROUNDS),
           bench_median(ratio, BENCH_ROUNDS));
}

void bench_pocl(void)
{
    GError *error = NULL;
    PsDevice *device = ps_device_open("opencl", 0, &error);
    if (!device || !device->info.processor) {
        printf("Execution beside PoCL: not measured, %s\n",
               device ? "OpenCL has a device that is no processor" : error->message);
        g_clear_error(&error);
        ps_device_close(device);
        return;
    }
    printf("Execution, millions of thread instructions per second and core, beside %s\n"
           "  %-30s %-10s %10s %10s  %8s\n",
           device->info.name, "kernel", "", "executor", "PoCL", "ratio");
    for (guint i = 0; i < G_N_ELEMENTS(kernels); i++)
        compare((Opencl *)device, &kernels[i]);
    ps_device_close(device);
}

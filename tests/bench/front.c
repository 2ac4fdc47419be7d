/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * The front end: thread instructions per second of kernels of the corpus, in launches that take
 * long enough; executed alone, and built into a graph. Beside them what no executor of this kind
 * can do without: adding two rows of 32 registers into a third.
 */
#include "tests/bench/sections.h"

#include "ptx/run/compiled.h"
#include "ptx/run/run.h"

#include <stdio.h>
#include <string.h>

#define ROW_ADDITIONS 2000000U

typedef struct {
    const char *name, *ptx, *kernel, *grid, *block;
    const char *arguments[8];
    guint64 shared;
    gboolean mixed;
} FrontKernel;

static const FrontKernel kernels[] = {
    {.name = "mandelbrot",
     .ptx = "mandelbrot.ptx",
     .kernel = "mandelbrot",
     .grid = "8x8",
     .block = "16x16",
     .arguments = {"width=128", "height=128", "left=-0.2", "top=0.2", "step=0.001", "most=2000",
                   "counts=zero:65536"}},
    {.name = "nbody",
     .ptx = "nbody.ptx",
     .kernel = "nbody",
     .grid = "n/256",
     .block = "256",
     .shared = 4096,
     .arguments = {"n=65536", "softening=0.01", "bodies=random:16*n", "accelerations=zero:16*n"}},
    {.name = "black-scholes",
     .ptx = "black-scholes.ptx",
     .kernel = "black_scholes",
     .grid = "256",
     .block = "256",
     .arguments = {"n=65536", "rate=0.03", "volatility=0.25", "price=random:262144:1",
                   "strike=random:262144:2", "years=random:262144:3", "call=zero:262144",
                   "put=zero:262144"}},
    {.name = "mmul16",
     .ptx = "mmul16.ptx",
     .kernel = "mmul",
     .grid = "256x256",
     .block = "16x16",
     .mixed = TRUE,
     .arguments = {"a=zero:64M", "b=zero:64M", "c=zero:64M", "size=4096"}},
    {.name = "gemm-registers",
     .ptx = "gemm-registers.ptx",
     .kernel = "gemm_registers",
     .grid = "16x16",
     .block = "8x8",
     .mixed = TRUE,
     .arguments = {"m=512", "n=512", "k=8192", "alpha=1.1", "a=zero:16M", "b=zero:16M", "beta=-0.7",
                   "c=random:1M"}},
    {.name = "stencil7",
     .ptx = "stencil7.ptx",
     .kernel = "stencil7",
     .grid = "16x64",
     .block = "32x4",
     .mixed = TRUE,
     .arguments = {"nx=512", "ny=256", "nz=512", "centre=0.4", "side=0.1", "in=zero:256M",
                   "out=zero:256M"}},
    {.name = "reduce-shared",
     .ptx = "reduction.ptx",
     .kernel = "reduce_shared",
     .grid = "256",
     .block = "256",
     .shared = 1024,
     .mixed = TRUE,
     .arguments = {"n=67108864", "in=zero:256M", "out=zero:1024"}},
    {.name = "histogram-global",
     .ptx = "histogram.ptx",
     .kernel = "histogram_global",
     .grid = "64",
     .block = "256",
     .mixed = TRUE,
     .arguments = {"n=16777216", "in=random:16M:1:u8", "bins=zero:1024"}},
};

/* One kernel, read and with its arguments. */
typedef struct {
    const FrontKernel *kernel;
    PsPtxModule *module;
    PsLaunchArguments *arguments;
    PsLaunchGrid *grid;
    PsBuildOptions options;
} Front;

static void front_free(Front *front)
{
    ps_launch_grid_free(front->grid);
    ps_launch_arguments_free(front->arguments);
    ps_ptx_free(front->module);
    g_free(front);
}

static Front *front_new(const FrontKernel *kernel)
{
    GError *error = NULL;
    Front *front = g_new0(Front, 1);
    const char *given[G_N_ELEMENTS(kernel->arguments) + 1] = {NULL};
    g_autofree char *path = g_build_filename("tests/corpus", kernel->ptx, NULL);
    g_autoptr(GPtrArray) notes = g_ptr_array_new_with_free_func(g_free);
    for (guint i = 0; i < G_N_ELEMENTS(kernel->arguments); i++)
        given[i] = kernel->arguments[i];
    const PsLaunchTexts texts = {.grid = kernel->grid, .block = kernel->block, .arguments = given};
    front->kernel = kernel;
    front->module = ps_ptx_load(path, &error);
    const PsPtxFunction *function =
        front->module ? ps_ptx_kernel(front->module, kernel->kernel, &error) : NULL;
    if (function)
        front->arguments =
            ps_launch_arguments_new(front->module, function, &texts, notes, notes, &error);
    if (front->arguments)
        front->grid = ps_launch_grid_new(front->arguments, &texts, &error);
    if (!front->grid)
        bench_stop(error);
    ps_build_options_init(&front->options);
    ps_launch_set_up(front->arguments, front->grid, &texts, &front->options);
    front->options.launch.dynamic_shared = kernel->shared;
    return front;
}

/* Millions of thread instructions per second of so many groups, or of half a second of them. By
 * compiled code the first group does not count, in which it is made. */
static double execute(const Front *front, guint most, PsPtxCompiled *compiled, guint64 *threads)
{
    GError *error = NULL;
    PsPtxLaunch launch = front->options.launch;
    const guint *grid = launch.grid;
    launch.compiled = compiled;
    g_autoptr(PsPtxMachine) machine = ps_ptx_machine_new(front->module, &launch, &error);
    if (!machine)
        bench_stop(error);
    if (compiled && !ps_ptx_run_group(machine, (const guint[3]){0}, NULL, &error))
        bench_stop(error);
    guint64 before;
    ps_ptx_machine_counts(machine, NULL, &before);
    const double start = bench_seconds();
    double seconds = 0;
    for (guint i = 0; i < MIN(grid[0] * grid[1], most) && seconds < 0.5; i++) {
        const guint group[3] = {i % grid[0], i / grid[0], 0};
        if (!ps_ptx_run_group(machine, group, NULL, &error))
            bench_stop(error);
        seconds = bench_seconds() - start;
    }
    ps_ptx_machine_counts(machine, NULL, threads);
    *threads -= before;
    return (double)*threads * 1e-6 / seconds;
}

static double build(const Front *front, const PsGpu *gpu, guint64 *threads)
{
    GError *error = NULL;
    const double start = bench_seconds();
    g_autoptr(PsBuild) built = ps_launch_build(&front->options, gpu, &error);
    if (!built)
        bench_stop(error);
    *threads = built->thread_instructions;
    return (double)*threads * 1e-6 / (bench_seconds() - start);
}

static void add_row(guint64 *restrict to, const guint64 *a, const guint64 *b)
{
    for (guint lane = 0; lane < PS_PTX_LANES; lane++)
        to[lane] = a[lane] + b[lane];
}

/* Millions of additions of registers per second, 32 at a call. */
static double add_rows(void)
{
    void (*volatile add)(guint64 *restrict, const guint64 *, const guint64 *) = add_row;
    _Alignas(64) guint64 rows[3][PS_PTX_LANES] = {{0}, {1}, {2}};
    const double start = bench_seconds();
    for (guint i = 0; i < ROW_ADDITIONS; i++)
        add(rows[i % 3], rows[(i + 1) % 3], rows[(i + 2) % 3]);
    return (double)ROW_ADDITIONS * PS_PTX_LANES * 1e-6 / (bench_seconds() - start);
}

gboolean bench_front_once(const char *name)
{
    const gboolean builds = g_str_has_prefix(name, "build-");
    for (guint i = 0; i < G_N_ELEMENTS(kernels); i++) {
        if (strcmp(kernels[i].name, name + (builds ? strlen("build-") : 0)) != 0)
            continue;
        Front *front = front_new(&kernels[i]);
        guint64 threads = 0;
        if (builds)
            build(front, NULL, &threads);
        else
            execute(front, 1, NULL, &threads);
        printf("%" G_GUINT64_FORMAT "\n", threads);
        front_free(front);
        return TRUE;
    }
    return FALSE;
}

void bench_front(void)
{
    GError *error = NULL;
    g_autoptr(PsGpu) gpu = ps_gpu_load("gpus/v100.xml", &error);
    if (!gpu)
        bench_stop(error);
    printf(
        "Front end, millions of thread instructions per second (targets: 1000 of arithmetic, 500 "
        "mixed)\n  %-18s %-10s %10s %10s %10s  %s\n",
        "kernel", "", "executed", "built", "row adds", "executed / row adds");
    for (guint i = 0; i < G_N_ELEMENTS(kernels); i++) {
        Front *front = front_new(&kernels[i]);
        guint64 threads = 0;
        double executed[BENCH_ROUNDS], built[BENCH_ROUNDS], rows[BENCH_ROUNDS],
            ratios[BENCH_ROUNDS];
        for (guint k = 0; k < BENCH_ROUNDS; k++) {
            rows[k] = add_rows();
            executed[k] = execute(front, G_MAXUINT, NULL, &threads);
            built[k] = build(front, gpu, &threads);
            ratios[k] = executed[k] / rows[k];
        }
        printf("  %-18s %-10s %10.0f %10.0f %10.0f  %.3f\n", kernels[i].name,
               kernels[i].mixed ? "mixed" : "arithmetic", bench_median(executed, BENCH_ROUNDS),
               bench_median(built, BENCH_ROUNDS), bench_median(rows, BENCH_ROUNDS),
               bench_median(ratios, BENCH_ROUNDS));
        front_free(front);
    }
}

/* Beside them what compiled code does, and how long compiling takes. */
void bench_compiled(void)
{
    printf("Millions of thread instructions per second, step by step and compiled\n"
           "  %-18s %10s %10s %8s %12s\n",
           "kernel", "steps", "compiled", "ratio", "compiling s");
    for (guint i = 0; i < G_N_ELEMENTS(kernels); i++) {
        Front *front = front_new(&kernels[i]);
        guint64 threads = 0;
        double steps[BENCH_ROUNDS], compiled[BENCH_ROUNDS], ratios[BENCH_ROUNDS];
        g_autoptr(PsPtxCompiled) code = ps_ptx_compiled_new(0);
        const double start = bench_seconds();
        execute(front, 0, code, &threads);
        const double making = bench_seconds() - start;
        for (guint k = 0; k < BENCH_ROUNDS; k++) {
            steps[k] = execute(front, G_MAXUINT, NULL, &threads);
            compiled[k] = execute(front, G_MAXUINT, code, &threads);
            ratios[k] = compiled[k] / steps[k];
        }
        printf("  %-18s %10.0f %10.0f %8.1f %12.2f\n", kernels[i].name,
               bench_median(steps, BENCH_ROUNDS), bench_median(compiled, BENCH_ROUNDS),
               bench_median(ratios, BENCH_ROUNDS), making);
        front_free(front);
    }
}

/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * What micro-benchmarks touch of memory: the kernels' own sources run here, thread by thread, with
 * a prelude that tells every address (tests/help/prelude-host.h). What the library says of a launch
 * must be what it touches; and caches, replayed, must hold what they are to hold, and nothing else,
 * on GPUs with small and large ones. With PIPESIM_FOOTPRINTS set to a file, a page of all that is
 * written there.
 */
#include "idg/ptx/run/run.h"
#include "latency-bench/bench.h"
#include "latency-bench/plan/kernel-private.h"
#include "tests/help/replay.h"

#include <dlfcn.h>
#include <glib/gstdio.h>
#include <stdlib.h>
#include <string.h>

#define MIB (G_GINT64_CONSTANT(1) << 20)

/* Accesses of a launch that is still run here. */
#define MOST_ACCESSES (300 * 1000)

/* As in tests/help/prelude-host.h. */
typedef struct {
    guint32 thread, group, group_size, groups, warp_size;
    guint32 (*follow)(guint32 word);
    guint64 (*link)(guint64 place);
    guint64 *addresses;
    guint32 n, most;
} Host;

typedef void (*Function)(guint32 *memory, guint32 elements, guint32 step, guint32 length,
                         guint64 *times, guint32 *cus, guint32 *sink);

/* ---- GPUs ---------------------------------------------------------------------------------- */

typedef struct {
    const char *name, *backend;
    gint64 cus, warp, l2, memory; /* MiB */
    gint64 warps, groups, local_memory;
    gint64 last; /* MiB of its last cache, which HIP does not tell of */
    gint64 l1;   /* KiB, at most */
} Gpu;

static const Gpu gpus[] = {
    {"T4", "CUDA", 40, 32, 4, 16384, 32, 16, 65536, 4, 64},
    {"A100", "CUDA", 108, 32, 40, 40960, 64, 32, 167936, 40, 192},
    {"H100", "CUDA", 132, 32, 50, 81920, 64, 32, 233472, 50, 256},
    {"RTX 5090", "CUDA", 170, 32, 96, 32768, 48, 24, 102400, 96, 128},
    {"MI210", "HIP", 104, 64, 8, 65536, 32, 32, 65536, 8, 16},
    {"MI300X", "HIP", 304, 64, 4, 196608, 32, 32, 65536, 256, 32},
};

static PsDeviceInfo info_of(const Gpu *gpu)
{
    return (PsDeviceInfo){.backend = (char *)gpu->backend,
                          .name = (char *)gpu->name,
                          .compute_units = gpu->cus,
                          .warp_size = gpu->warp,
                          .schedulers = 4,
                          .limits = {.warps = gpu->warps,
                                     .groups = gpu->groups,
                                     .group_size = 1024,
                                     .local_memory = gpu->local_memory,
                                     .local_memory_per_group = gpu->local_memory - 1024,
                                     .local_memory_unit = 128,
                                     .local_memory_reserved = 1024},
                          .memory = gpu->memory * MIB,
                          .l2 = gpu->l2 * MIB,
                          .counter = TRUE,
                          .fp64 = TRUE,
                          .fp16 = TRUE};
}

/* ---- kernels ------------------------------------------------------------------------------- */

static char *folder;
static void *library;
static Host *host;

static char *function_of(const PsBenchKernel *kernel)
{
    return g_strcanon(g_strdup(kernel->name), G_CSET_a_2_z G_CSET_A_2_Z G_CSET_DIGITS "_", '_');
}

static void write_source(const PsBenchKernel *kernel, GPtrArray *command)
{
    g_autofree char *name = function_of(kernel);
    char *path = g_strdup_printf("%s/%s.c", folder, name);
    g_autofree char *text = g_strdup_printf("#include \"tests/help/prelude-host.h\"\n%s\n"
                                            "#define NAME %s\n%s",
                                            ps_text_common, name, kernel->source);
    g_assert_true(g_file_set_contents(path, text, -1, NULL));
    g_ptr_array_add(command, path);
}

/* The compiler's command for all kernels that work in memory, as one library (g_ptr_array_unref).
 */
static GPtrArray *command_of(const GPtrArray *kernels, const char *output)
{
    GPtrArray *command = g_ptr_array_new_with_free_func(g_free);
    const char *compiler = g_getenv("CC");
    static const char *const options[] = {"-std=gnu11", "-O1", "-fPIC", "-shared",
                                          "-I.",        "-w",  "-o"};
    g_ptr_array_add(command, g_strdup(compiler && !strchr(compiler, ' ') ? compiler : "cc"));
    for (guint i = 0; i < G_N_ELEMENTS(options); i++)
        g_ptr_array_add(command, g_strdup(options[i]));
    g_ptr_array_add(command, g_strdup(output));
    for (guint i = 0; i < kernels->len; i++)
        if (((const PsBenchKernel *)kernels->pdata[i])->access != PS_ACCESS_NONE)
            write_source(kernels->pdata[i], command);
    char *own = g_strdup_printf("%s/host.c", folder);
    g_assert_true(
        g_file_set_contents(own, "#include \"tests/help/prelude-host.h\"\nHost host;\n", -1, NULL));
    g_ptr_array_add(command, own);
    g_ptr_array_add(command, NULL);
    return command;
}

static void remove_all(const GPtrArray *command, const char *output)
{
    for (guint i = 0; i + 1 < command->len; i++)
        if (g_str_has_prefix(command->pdata[i], folder))
            g_unlink(command->pdata[i]);
    g_unlink(output);
    g_rmdir(folder);
    g_free(folder);
}

static void compile(void)
{
    g_autoptr(GError) error = NULL;
    g_autoptr(GPtrArray) kernels = ps_bench_kernels();
    folder = g_dir_make_tmp("pipesim-XXXXXX", NULL);
    g_autofree char *output = g_strconcat(folder, "/kernels.so", NULL);
    g_autoptr(GPtrArray) command = command_of(kernels, output);
    int status = 0;
    g_spawn_sync(NULL, (char **)command->pdata, NULL, G_SPAWN_SEARCH_PATH, NULL, NULL, NULL, NULL,
                 &status, &error);
    g_assert_no_error(error);
    g_assert_true(g_spawn_check_wait_status(status, &error));
    library = dlopen(output, RTLD_NOW | RTLD_LOCAL);
    g_assert_nonnull(library);
    host = dlsym(library, "host");
    remove_all(command, output);
}

/* ---- what is in the buffer ----------------------------------------------------------------- */

static struct {
    guint32 *next;   /* line of a ring: the one after it */
    guint32 n_lines; /* of a ring of that many */
    guint64 walk;    /* lines of a walk */
    const PsBenchKernel *kernel;
} content;

/* As the ring is described in plan/kernel.h: position p is at line K p (p + 1) / 2. */
static void make_ring(guint32 n)
{
    if (content.n_lines == n)
        return;
    content.n_lines = n;
    content.next = g_renew(guint32, content.next, n);
    guint32 line = 0;
    for (guint32 p = 0; p < n; p++) {
        const guint32 next = (line + 0x9E3779B1U * (p + 1)) & (n - 1);
        content.next[line] = next;
        line = next;
    }
}

static guint32 follow(guint32 word)
{
    if (content.kernel->memory == PS_MEMORY_TILES)
        return ps_bench_next_tile(content.kernel, word);
    if (content.kernel->memory != PS_MEMORY_RING)
        return word;
    return content.next[word / 64] * 64 + word % 64;
}

/* Any way through all lines will do here. */
static guint64 follow_link(guint64 place)
{
    return (place / REPLAY_LINE + 1) % content.walk * REPLAY_LINE;
}

/* ---- a launch ------------------------------------------------------------------------------ */

/* Sectors in the order in which warps that run side by side touch them. */
typedef struct {
    GArray *sectors; /* guint32 */
    GArray *starts;  /* guint: of each step, the first */
    gint64 first;    /* distinct ones of the first CU in the first step */
} Trace;

static void trace_clear(Trace *trace)
{
    g_array_unref(trace->sectors);
    g_array_unref(trace->starts);
}

G_DEFINE_AUTO_CLEANUP_CLEAR_FUNC(Trace, trace_clear)

typedef struct {
    guint32 step, sector;
} Touch;

/* One warp: distinct sectors of each step. */
static void run_warp(Function function, const PsBenchLaunch *launch, guint32 warp, GArray *touches,
                     guint64 *addresses, guint32 most)
{
    static guint32 memory[64];
    const guint32 lanes = MIN(host->warp_size, host->group_size - warp * host->warp_size);
    guint32 n = 0;
    for (guint32 lane = 0; lane < lanes; lane++) {
        host->thread = warp * host->warp_size + lane;
        host->addresses = addresses + (gsize)lane * most;
        host->n = 0;
        memset(memory, 0, sizeof memory); /* where a walk goes on */
        function(memory, (guint32)(launch->memory / 4), (guint32)launch->step,
                 (guint32)launch->length, NULL, NULL, NULL);
        n = host->n;
        g_assert_cmpuint(n, <=, most);
    }
    for (guint32 step = 0; step < n; step++) {
        guint32 seen[64], n_seen = 0;
        for (guint32 lane = 0; lane < lanes; lane++) {
            const guint64 address = addresses[(gsize)lane * most + step];
            const guint32 sector = (guint32)(address / REPLAY_SECTOR);
            guint32 i = 0;
            g_assert_cmpuint(address, <, launch->memory);
            while (i < n_seen && seen[n_seen - 1 - i] != sector)
                i++;
            if (i < n_seen)
                continue;
            seen[n_seen++] = sector;
            const Touch touch = {step, sector};
            g_array_append_val(touches, touch);
        }
    }
}

static void sort(const GArray *touches, guint32 steps, Trace *trace)
{
    g_array_set_size(trace->starts, steps + 1);
    memset(trace->starts->data, 0, (steps + 1) * sizeof(guint));
    guint *starts = (guint *)(void *)trace->starts->data;
    for (guint i = 0; i < touches->len; i++)
        starts[g_array_index(touches, Touch, i).step + 1]++;
    for (guint32 i = 0; i < steps; i++)
        starts[i + 1] += starts[i];
    g_autofree guint *at = g_memdup2(starts, steps * sizeof(guint));
    g_array_set_size(trace->sectors, touches->len);
    for (guint i = 0; i < touches->len; i++) {
        const Touch *touch = &g_array_index(touches, Touch, i);
        g_array_index(trace->sectors, guint32, at[touch->step]++) = touch->sector;
    }
}

/* Accesses of a thread that warps make side by side. */
static guint of_step(const PsBenchKernel *kernel)
{
    return (guint)kernel->ilp * (kernel->access == PS_ACCESS_COPY ? 2 : 1);
}

static gint64 count_first(const GArray *touches)
{
    g_autoptr(GHashTable) seen = g_hash_table_new(NULL, NULL);
    for (guint i = 0; i < touches->len; i++)
        if (g_array_index(touches, Touch, i).step == 0)
            g_hash_table_add(seen, GUINT_TO_POINTER(g_array_index(touches, Touch, i).sector + 1));
    return g_hash_table_size(seen);
}

/* Accesses of each thread. */
static gint64 accesses_of(const PsBenchKernel *kernel, const PsBenchLaunch *launch)
{
    const gint64 warm = kernel->access == PS_ACCESS_WALK ? launch->step : 0;
    return launch->length * kernel->unroll * of_step(kernel) + warm;
}

/* What a kernel finds here when it runs. */
static void prepare(const PsBenchKernel *kernel, const PsDeviceInfo *info,
                    const PsBenchLaunch *launch)
{
    guint32 ring = 1;
    while (2 * (gint64)ring * 256 <= launch->memory)
        ring *= 2;
    content.kernel = kernel;
    content.walk = (guint64)MAX(1, launch->memory / REPLAY_LINE);
    if (kernel->memory == PS_MEMORY_RING)
        make_ring(ring);
    *host = (Host){.group_size = (guint32)launch->group_size,
                   .groups = (guint32)launch->groups,
                   .warp_size = (guint32)info->warp_size,
                   .follow = follow,
                   .link = follow_link,
                   .most = (guint32)accesses_of(kernel, launch)};
}

/* The groups of the first n CUs. */
static Trace run_cus(const PsBenchKernel *kernel, const PsDeviceInfo *info,
                     const PsBenchLaunch *launch, gint64 n_cus)
{
    Trace trace = {g_array_new(FALSE, FALSE, sizeof(guint32)),
                   g_array_new(FALSE, FALSE, sizeof(guint)), 0};
    g_autofree char *name = function_of(kernel);
    Function function;
    *(void **)&function = dlsym(library, name);
    prepare(kernel, info, launch);
    g_autofree guint64 *addresses = g_new(guint64, (gsize)host->most * (gsize)info->warp_size);
    g_autoptr(GArray) touches = g_array_new(FALSE, FALSE, sizeof(Touch));
    const guint32 most = host->most;
    const gint64 held = launch->warps * info->warp_size / launch->group_size;
    /* CU by CU, so that what the first one holds at once comes first. */
    for (gint64 first = 0; first < n_cus; first++) {
        gint64 n = 0;
        for (gint64 group = first; group < launch->groups; group += info->compute_units) {
            host->group = (guint32)group;
            for (guint32 warp = 0; warp * info->warp_size < launch->group_size; warp++)
                run_warp(function, launch, warp, touches, addresses, most);
            if (++n == held && first == 0)
                trace.first = count_first(touches);
        }
    }
    sort(touches, most, &trace);
    return trace;
}

/* ---- what it touched ----------------------------------------------------------------------- */

static gboolean take_bit(guint8 *bits, guint32 at)
{
    const gboolean was = bits[at / 8] >> at % 8 & 1;
    bits[at / 8] |= (guint8)(1U << at % 8);
    return was;
}

/* The library's figures, but for reuse, which is 1 where any sector is touched in two steps. */
static PsFootprint sum_up(const PsBenchKernel *kernel, const Trace *trace, gint64 memory)
{
    PsFootprint sum = {.sectors = trace->first};
    const gsize n = (gsize)memory / REPLAY_SECTOR + 1;
    g_autofree guint8 *sectors = g_malloc0(n / 8 + 1), *lines = g_malloc0(n / 32 + 1);
    g_autofree guint32 *last = g_new0(guint32, n); /* step, from 1 */
    for (guint access = 0; access + 1 < trace->starts->len; access++)
        for (guint i = g_array_index(trace->starts, guint, access);
             i < g_array_index(trace->starts, guint, access + 1); i++) {
            const guint step = access / of_step(kernel);
            const guint32 sector = g_array_index(trace->sectors, guint32, i);
            sum.bytes += take_bit(sectors, sector) ? 0 : REPLAY_SECTOR;
            sum.lines += !take_bit(lines, sector / 4);
            sum.reuse |= last[sector] && last[sector] != step + 1;
            last[sector] = step + 1;
        }
    return sum;
}

/* What caches must make of it. */
static void check_caches(const Gpu *gpu, const PsBenchKernel *kernel, const PsBenchLaunch *launch,
                         const Trace *trace, gint64 bytes)
{
    if (ps_bench_is_cold(kernel, launch))
        g_assert_cmpint(replay_missed(trace->sectors, 2 * gpu->last * MIB), ==,
                        trace->sectors->len);
    else if (kernel->level == PS_LEVEL_L1 && kernel->kind != PS_BENCH_LEVEL)
        g_assert_cmpint(replay_missed(trace->sectors, 8 * 1024) * REPLAY_SECTOR, ==, bytes);
    else if (kernel->level == PS_LEVEL_L2 && kernel->group_size == 0 &&
             kernel->kind != PS_BENCH_LEVEL)
        g_assert_cmpint(replay_missed(trace->sectors, gpu->l2 * MIB / 2) * REPLAY_SECTOR, ==,
                        bytes);
}

/* What is to be found in L2 no L1 holds when it is asked for again: that of the first CU, whose
 * loads go there, too, since they are not told to pass it by. */
static void check_l1(const Gpu *gpu, const PsDeviceInfo *info, const PsBenchKernel *kernel,
                     const PsBenchLaunch *launch)
{
    if (kernel->access != PS_ACCESS_FLOW || launch->memory < gpu->l2 * MIB / 4)
        return;
    g_auto(Trace) trace = run_cus(kernel, info, launch, 1);
    g_assert_cmpint(replay_missed(trace.sectors, gpu->l1 * 1024), ==, trace.sectors->len);
}

static gint64 cost_of(const PsBenchKernel *kernel, const PsBenchLaunch *launch)
{
    return accesses_of(kernel, launch) * launch->groups * launch->group_size;
}

static void check_launch(const Gpu *gpu, const PsDeviceInfo *info, const PsBenchKernel *kernel,
                         const PsBenchLaunch *launch)
{
    const PsFootprint is = ps_bench_footprint(kernel, info, launch);
    g_auto(Trace) trace = run_cus(kernel, info, launch, info->compute_units);
    const PsFootprint should = sum_up(kernel, &trace, launch->memory);
    g_test_message("%s, %s: %ld groups of %ld, %ld trips, %ld bytes", gpu->name, kernel->name,
                   (long)launch->groups, (long)launch->group_size, (long)launch->length,
                   (long)launch->memory);
    g_assert_cmpint(is.bytes, ==, should.bytes);
    g_assert_cmpint(is.lines, ==, should.lines);
    g_assert_cmpint(is.sectors, ==, should.sectors);
    g_assert_cmpint(is.reuse > 0, ==, should.reuse);
    check_caches(gpu, kernel, launch, &trace, should.bytes);
    check_l1(gpu, info, kernel, launch);
}

/* Of launches that are too long for here, what can be run; FALSE: not even one trip can. */
static gboolean shorten(const PsBenchKernel *kernel, PsBenchLaunch *launch, gint64 most)
{
    while (launch->length > 1 && cost_of(kernel, launch) > most)
        launch->length /= 2;
    return cost_of(kernel, launch) <= most;
}

/* The launch of fewest accesses, and of most that can be run here. */
static void check_kernel(const Gpu *gpu, const PsDeviceInfo *info, const PsBenchPlan *plan, guint k)
{
    const PsBenchKernel *kernel = plan->kernels->pdata[k];
    PsBenchLaunch least = {0}, most = {0};
    for (guint i = 0; i < plan->points->len; i++) {
        const PsBenchPoint *point = &g_array_index(plan->points, PsBenchPoint, i);
        PsBenchLaunch launch = point->launch;
        if (point->kernel != k || !shorten(kernel, &launch, MOST_ACCESSES))
            continue;
        if (!least.groups || cost_of(kernel, &launch) < cost_of(kernel, &least))
            least = launch;
        if (!most.groups || cost_of(kernel, &launch) > cost_of(kernel, &most))
            most = launch;
    }
    if (!least.groups)
        return;
    check_launch(gpu, info, kernel, &least);
    if (memcmp(&least, &most, sizeof least) != 0)
        check_launch(gpu, info, kernel, &most);
}

static void check_gpu(const Gpu *gpu)
{
    const PsDeviceInfo info = info_of(gpu);
    g_autoptr(PsBenchPlan) plan = ps_bench_plan(&info, PS_GRID_FULL, NULL);
    for (guint k = 0; k < plan->kernels->len; k++)
        if (((const PsBenchKernel *)plan->kernels->pdata[k])->access != PS_ACCESS_NONE)
            check_kernel(gpu, &info, plan, k);
}

static void test_gpu(gconstpointer gpu)
{
    check_gpu(gpu);
}

/* ---- the matrix multiplication ------------------------------------------------------------- */

#define ORDER 1024
#define MATRIX_BYTES (4 * ORDER * ORDER)

/* What one CU touches: step and sector, as one number each, ascending, each once. */
static int compare(gconstpointer a, gconstpointer b)
{
    const guint64 x = *(const guint64 *)a, y = *(const guint64 *)b;
    return (x > y) - (x < y);
}

static void tidy(GArray *touched)
{
    guint n = 0;
    g_array_sort(touched, compare);
    for (guint i = 0; i < touched->len; i++)
        if (i == 0 || g_array_index(touched, guint64, i) != g_array_index(touched, guint64, n - 1))
            g_array_index(touched, guint64, n++) = g_array_index(touched, guint64, i);
    g_array_set_size(touched, n);
}

static void put(GArray *touched, guint step, guint64 address)
{
    const guint64 both = (guint64)step << 32 | address / REPLAY_SECTOR;
    g_array_append_val(touched, both);
}

/* Of the benchmark with one chain: the first CU's groups. */
static GArray *touched_by_bench(const PsBenchKernel *kernel, const PsDeviceInfo *info,
                                const PsBenchLaunch *launch)
{
    GArray *touched = g_array_new(FALSE, FALSE, sizeof(guint64));
    g_auto(Trace) trace = run_cus(kernel, info, launch, 1);
    for (guint step = 0; step + 1 < trace.starts->len; step++)
        for (guint i = g_array_index(trace.starts, guint, step);
             i < g_array_index(trace.starts, guint, step + 1); i++)
            put(touched, step, (guint64)g_array_index(trace.sectors, guint32, i) * REPLAY_SECTOR);
    tidy(touched);
    return touched;
}

/* Who listens to mmul: what its warps load from the matrix at `base`, or store there. */
typedef struct {
    guint64 base;
    guint steps[32]; /* of each warp of the group, so far */
    GArray *touched;
} Heard;

static void on_group(gpointer data, const guint group[3])
{
    (void)group;
    memset(((Heard *)data)->steps, 0, sizeof((Heard *)data)->steps);
}

static void on_event(gpointer data, const PsPtxEvent *event)
{
    Heard *heard = data;
    if (!event->memory || event->space != PS_PTX_GLOBAL)
        return;
    gboolean is_ours = FALSE;
    for (guint lane = 0; lane < PS_PTX_LANES; lane++) {
        const guint64 offset = event->address[lane] - heard->base;
        if (!(event->mask >> lane & 1) || offset >= MATRIX_BYTES)
            continue;
        put(heard->touched, heard->steps[event->warp], offset);
        is_ours = TRUE;
    }
    heard->steps[event->warp] += is_ours;
}

/* Of mmul, by executing its code for the same groups. matrix: 0 A, 1 B. */
static GArray *touched_by_mmul(guint tile, guint matrix, gint64 groups, gint64 cus)
{
    g_autoptr(GError) error = NULL;
    g_autofree char *path = g_strdup_printf("tests/corpus/mmul%02u.ptx", tile);
    g_autoptr(PsPtxModule) module = ps_ptx_load(path, &error);
    g_assert_no_error(error);
    g_autofree guint8 *data = g_malloc0(3 * (gsize)MATRIX_BYTES);
    const PsPtxArgument arguments[] = {
        {.name = "a", .data = data, .size = MATRIX_BYTES},
        {.name = "b", .data = data + MATRIX_BYTES, .size = MATRIX_BYTES},
        {.name = "c", .data = data + 2 * (gsize)MATRIX_BYTES, .size = MATRIX_BYTES},
        {.name = "size", .bits = ORDER},
    };
    const PsPtxLaunch launch = {.kernel = ps_ptx_kernel(module, NULL, &error),
                                .grid = {ORDER / tile, ORDER / tile, 1},
                                .block = {tile, tile, 1},
                                .n_arguments = G_N_ELEMENTS(arguments),
                                .arguments = arguments};
    g_autoptr(PsPtxMachine) machine = ps_ptx_machine_new(module, &launch, &error);
    g_assert_no_error(error);
    Heard heard = {.base = ps_ptx_machine_address(machine, matrix),
                   .touched = g_array_new(FALSE, FALSE, sizeof(guint64))};
    const PsPtxListener listener = {&heard, on_group, on_event, NULL};
    for (guint group = 0; group < groups; group += (guint)cus) {
        const guint at[3] = {group % (ORDER / tile), group / (ORDER / tile), 0};
        g_assert_true(ps_ptx_run_group(machine, at, &listener, &error));
        g_assert_no_error(error);
    }
    tidy(heard.touched);
    return heard.touched;
}

/* The benchmark's launch with most groups, whose first steps are mmul's. */
static void check_matrix(const Gpu *gpu, guint tile, guint matrix)
{
    const PsDeviceInfo info = info_of(gpu);
    g_autofree char *name = g_strdup_printf("global-load-%c-%ux%u", matrix ? 'b' : 'a', tile, tile);
    g_autoptr(PsBenchPlan) plan = ps_bench_plan(&info, PS_GRID_FULL, name);
    g_assert_cmpuint(plan->points->len, >, 0);
    const PsBenchKernel *kernel = plan->kernels->pdata[0];
    PsBenchLaunch launch = g_array_index(plan->points, PsBenchPoint, plan->points->len - 1).launch;
    launch.length = ORDER / tile / kernel->unroll; /* one line of tiles, which is all of mmul */
    g_autoptr(GArray) is = touched_by_bench(kernel, &info, &launch);
    g_autoptr(GArray) should = touched_by_mmul(tile, matrix, launch.groups, info.compute_units);
    const gint64 sectors = ps_bench_footprint(kernel, &info, &launch).sectors;
    const gint64 loads = launch.warps * (info.warp_size * 4 / REPLAY_SECTOR);
    g_test_message("%s, %s: %ld of %ld sectors of a CU and step are distinct", gpu->name, name,
                   (long)sectors, (long)loads);
    g_assert_cmpuint(is->len, ==, should->len);
    g_assert_true(is->len == should->len &&
                  memcmp(is->data, should->data, is->len * sizeof(guint64)) == 0);
    g_assert_cmpint(sectors * (ORDER / tile), ==, should->len);
}

static void test_matrices(void)
{
    for (guint i = 0; i < G_N_ELEMENTS(gpus); i++)
        for (guint matrix = 0; matrix < 2; matrix++) {
            check_matrix(&gpus[i], 8, matrix);
            check_matrix(&gpus[i], 16, matrix);
        }
}

/* ---- the page ------------------------------------------------------------------------------ */

/* "walk" of "walk", "fadd" of "fadd-ilp4": chains do not matter here (g_free). */
static char *family_of(const char *name)
{
    const char *end = strstr(name, "-ilp");
    return end ? g_strndup(name, (gsize)(end - name)) : g_strdup(name);
}

typedef struct {
    guint launches;
    gint64 least, most; /* bytes touched */
    gint64 sectors;     /* most, of a CU and step */
    gint64 reuse;       /* least above 0; 0: nothing is met again */
    gint64 memory;
    gboolean is_cold;
} Range;

static void extend(Range *range, const PsBenchKernel *kernel, const PsDeviceInfo *info,
                   const PsBenchLaunch *launch)
{
    const PsFootprint footprint = ps_bench_footprint(kernel, info, launch);
    range->least = range->launches ? MIN(range->least, footprint.bytes) : footprint.bytes;
    range->most = MAX(range->most, footprint.bytes);
    range->sectors = MAX(range->sectors, footprint.sectors);
    range->memory = MAX(range->memory, launch->memory);
    if (footprint.reuse > 0)
        range->reuse = range->reuse ? MIN(range->reuse, footprint.reuse) : footprint.reuse;
    range->is_cold |= ps_bench_is_cold(kernel, launch);
    range->launches++;
}

static void put_size(GString *page, gint64 bytes)
{
    if (bytes >= MIB)
        g_string_append_printf(page, "%.4g MiB", (double)bytes / (double)MIB);
    else
        g_string_append_printf(page, "%.4g KiB", (double)bytes / 1024);
}

static void put_range(GString *page, const char *name, const Range *range)
{
    g_string_append_printf(page, "| %s | %u | ", name, range->launches);
    put_size(page, range->memory);
    g_string_append(page, " | ");
    put_size(page, range->least);
    if (range->most > range->least) {
        g_string_append(page, " to ");
        put_size(page, range->most);
    }
    g_string_append_printf(page, " | %ld | ", (long)range->sectors);
    if (range->reuse)
        put_size(page, range->reuse);
    else
        g_string_append(page, "never");
    g_string_append(page, range->is_cold ? " | emptied |\n" : " | |\n");
}

static void put_gpu(GString *page, const Gpu *gpu)
{
    const PsDeviceInfo info = info_of(gpu);
    g_autoptr(PsBenchPlan) plan = ps_bench_plan(&info, PS_GRID_FULL, NULL);
    g_autofree char *family = NULL;
    Range range = {0};
    g_string_append_printf(
        page,
        "\n## %s: a last cache of %ld MiB\n\n"
        "| benchmark | launches | buffer | touched by a launch | sectors of a CU "
        "and step | met again after | caches |\n|---|--:|--:|--:|--:|--:|---|\n",
        gpu->name, (long)gpu->last);
    for (guint i = 0; i < plan->points->len; i++) {
        const PsBenchPoint *point = &g_array_index(plan->points, PsBenchPoint, i);
        const PsBenchKernel *kernel = plan->kernels->pdata[point->kernel];
        g_autofree char *own = family_of(kernel->name);
        if (family && strcmp(own, family) != 0 && range.launches)
            put_range(page, family, &range);
        if (!family || strcmp(own, family) != 0)
            range = (Range){0};
        if (kernel->access != PS_ACCESS_NONE)
            extend(&range, kernel, &info, &point->launch);
        g_free(family);
        family = g_steal_pointer(&own);
    }
    if (range.launches)
        put_range(page, family, &range);
}

static GString *make_page(void)
{
    GString *page = g_string_new(
        "# What micro-benchmarks touch\n\n"
        "Made by `make footprints`, from the plan of the full grid. `tests/unit/addresses.c` runs "
        "the "
        "kernels' own sources, thread by\nthread, holds the addresses against these figures (which "
        "raw files state of each launch), and replays them through a cache:\nwhat is to be found "
        "in "
        "device memory misses a cache of twice the last one with every access; what is to be found "
        "in L1 or L2\nmisses once. Launches of too many accesses are replayed with fewer trips. "
        "Loads and stores of matrices A, B and C are, step by\nstep, those of mmul08 and mmul16, "
        "whose code is executed for that.\n\n"
        "\"Emptied\": before each launch a sweep reads twice the last cache. \"Met again after\": "
        "the "
        "fewest bytes between two touches of a\nsector within one launch.\n");
    for (guint i = 0; i < G_N_ELEMENTS(gpus); i++)
        put_gpu(page, &gpus[i]);
    return page;
}

static gboolean write_page(const char *path)
{
    g_autoptr(GString) page = make_page();
    return g_file_set_contents(path, page->str, (gssize)page->len, NULL);
}

static void test_page(void)
{
    g_autofree char *text = NULL;
    g_autoptr(GString) page = make_page();
    g_assert_true(g_file_get_contents("docs/footprints.md", &text, NULL, NULL));
    g_assert_cmpstr(text, ==, page->str);
}

int main(int argc, char **argv)
{
    g_test_init(&argc, &argv, NULL);
    g_test_set_nonfatal_assertions();
    if (g_getenv("PIPESIM_FOOTPRINTS"))
        return write_page(g_getenv("PIPESIM_FOOTPRINTS")) ? 0 : 1;
    compile();
    for (guint i = 0; i < G_N_ELEMENTS(gpus); i++) {
        g_autofree char *name = g_strconcat("/addresses/", gpus[i].name, NULL);
        g_test_add_data_func(name, &gpus[i], test_gpu);
    }
    g_test_add_func("/addresses/matrices", test_matrices);
    g_test_add_func("/addresses/page", test_page);
    const int status = g_test_run();
    g_free(content.next);
    dlclose(library);
    return status;
}

/* SPDX-License-Identifier: BSD-3-Clause */
/* See host-kernels.h. */
#include "latency-bench/internal.h"
#include "tests/help/host-kernels.h"

#include "latency-bench/plan/kernel-private.h"
#include "tests/help/replay.h"

#include <dlfcn.h>
#include <glib/gstdio.h>
#include <string.h>

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

void host_kernels_open(void)
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

/* latency-bench/kernel.h describes the ring: position p is at line K p (p + 1) / 2. */
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

void host_trace_clear(HostTrace *trace)
{
    g_array_unref(trace->sectors);
    g_array_unref(trace->starts);
}

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

static void sort(const GArray *touches, guint32 steps, HostTrace *trace)
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

guint host_side_by_side(const PsBenchKernel *kernel)
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

gint64 host_accesses(const PsBenchKernel *kernel, const PsBenchLaunch *launch)
{
    const gint64 warm = kernel->access == PS_ACCESS_WALK ? launch->step : 0;
    return launch->length * kernel->unroll * host_side_by_side(kernel) + warm;
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
                   .most = (guint32)host_accesses(kernel, launch)};
}

HostTrace host_trace(const PsBenchKernel *kernel, const PsDeviceInfo *info,
                     const PsBenchLaunch *launch, gint64 from, gint64 n_cus)
{
    HostTrace trace = {g_array_new(FALSE, FALSE, sizeof(guint32)),
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
    for (gint64 first = from; first < from + n_cus; first++) {
        gint64 n = 0;
        for (gint64 group = first; group < launch->groups; group += info->compute_units) {
            host->group = (guint32)group;
            for (guint32 warp = 0; warp * info->warp_size < launch->group_size; warp++)
                run_warp(function, launch, warp, touches, addresses, most);
            if (++n == held && first == from)
                trace.first = count_first(touches);
        }
    }
    sort(touches, most, &trace);
    return trace;
}

void host_kernels_close(void)
{
    g_clear_pointer(&content.next, g_free);
    content.n_lines = 0;
    dlclose(library);
}

/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Each thread has a machine of its own, with its own registers and shared memory. Threads take the
 * next groups in turn. Buffers belong to the launch, so machines are told that they are not alone:
 * a lock then protects the making of blocks, and atomic operations are atomic (atomic.c).
 *
 * Other threads come only when the caller has executed so much that they pay.
 */
#include "ptx/run/together.h"

#include "ptx/run/apart.h"
#include "ptx/run/warp.h"

#include <signal.h>

/* Warp instructions that the caller executes alone: in about that time a thread and its machine
 * begin. */
#define ALONE 20000
#define MOST_THREADS 64
/* Most groups that are taken at once, and the least number of times that each thread takes some. */
#define MOST_TAKEN 64
#define TURNS 16

typedef struct {
    const PsPtxCrew *crew;
    const PsPtxLaunch *launch;
    guint64 groups;
    guint64 next;   /* atomic: the first group that no thread has taken */
    guint64 failed; /* atomic: the first group that failed; G_MAXUINT64: none */
    guint taken;    /* number of groups that are taken at once */
    GMutex lock;    /* protects the members below, and all that the machines share */
    GError *error;
    PsPtxFault fault;
} Work;

typedef struct {
    Work *work;
    PsPtxMachine *machine;
} Worker;

static void group_at(const guint grid[3], guint64 number, guint group[3])
{
    group[0] = (guint)(number % grid[0]);
    group[1] = (guint)(number / grid[0] % grid[1]);
    group[2] = (guint)(number / grid[0] / grid[1]);
}

/* Keeps the error of the first group that failed. */
static void fail(Work *work, const PsPtxMachine *machine, guint64 number, GError *error)
{
    g_mutex_lock(&work->lock);
    if (number < work->failed) {
        g_clear_error(&work->error);
        work->error = g_steal_pointer(&error);
        work->fault = machine->fault;
        __atomic_store_n(&work->failed, number, __ATOMIC_RELAXED);
    }
    g_mutex_unlock(&work->lock);
    g_clear_error(&error);
}

/* Executes a group; FALSE: it failed. */
static gboolean execute(Work *work, PsPtxMachine *machine, guint64 number)
{
    static const PsPtxListener nobody;
    const PsPtxCrew *crew = work->crew;
    const PsPtxListener *listener = crew->listener ? crew->listener(crew->data, number) : NULL;
    GError *error = NULL;
    guint group[3];
    group_at(work->launch->grid, number, group);
    if (!ps_ptx_group_leads(machine, group))
        return TRUE;
    if (ps_ptx_run_group(machine, group, listener ? listener : &nobody, &error))
        return TRUE;
    fail(work, machine, number, error);
    return FALSE;
}

/* Executes the next groups, until `enough` warp instructions are executed. */
static void execute_alone(Work *work, PsPtxMachine *machine, guint64 enough)
{
    while (work->next < work->groups && machine->warp_instructions < enough)
        if (!execute(work, machine, work->next++))
            work->next = work->groups;
}

static gpointer execute_some(gpointer data)
{
    const Worker *worker = data;
    Work *work = worker->work;
    for (;;) {
        const guint64 first = __atomic_fetch_add(&work->next, work->taken, __ATOMIC_RELAXED);
        const guint64 end = MIN(first + work->taken, work->groups);
        for (guint64 i = first; i < end; i++)
            if (i > __atomic_load_n(&work->failed, __ATOMIC_RELAXED) ||
                !execute(work, worker->machine, i))
                return NULL;
        if (end == work->groups || first >= work->groups)
            return NULL;
    }
}

/* Begins a thread; signals still go to the program's own threads. */
static GThread *begin(Worker *worker)
{
    sigset_t all, before;
    sigfillset(&all);
    pthread_sigmask(SIG_SETMASK, &all, &before);
    GThread *thread = g_thread_try_new("groups", execute_some, worker, NULL);
    pthread_sigmask(SIG_SETMASK, &before, NULL);
    return thread;
}

/* ---- warnings ------------------------------------------------------------------------------- */

static gint by_group(gconstpointer a, gconstpointer b)
{
    const PsPtxWarned *x = a, *y = b;
    if (x->group != y->group)
        return x->group > y->group ? 1 : -1;
    return x->order > y->order ? 1 : x->order < y->order ? -1 : 0;
}

/* Gathers the warnings that one machine would have given: where several machines warn of the same,
 * the warning of the first group. */
static void merge_warnings(const Work *work, GPtrArray *machines, GPtrArray *warnings)
{
    g_autoptr(GArray) all = g_array_new(FALSE, FALSE, sizeof(PsPtxWarned));
    g_autoptr(GHashTable) keys = g_hash_table_new_full(g_int64_hash, g_int64_equal, NULL, NULL);
    for (guint i = 0; i < machines->len; i++) {
        const PsPtxMachine *machine = machines->pdata[i];
        g_array_append_vals(all, machine->warned_of->data, machine->warned_of->len);
    }
    g_array_sort(all, by_group);
    for (guint i = 0; i < all->len; i++) {
        PsPtxWarned *one = &g_array_index(all, PsPtxWarned, i);
        if (one->group <= work->failed && g_hash_table_add(keys, &one->key))
            g_ptr_array_add(warnings, g_strdup(one->text));
    }
}

/* ---- the whole ------------------------------------------------------------------------------ */

/* TRUE if no machine of the launch has global memory of its own that its groups share. */
static gboolean shares_all(const PsPtxMachine *machine)
{
    const GArray *buffers = machine->buffers[PS_PTX_GLOBAL];
    for (guint i = 0; i < buffers->len; i++)
        if (g_array_index(buffers, PsPtxBuffer, i).owned)
            return FALSE;
    return ps_ptx_cluster_size(machine) == 1 && ps_ptx_groups_apart(machine->code);
}

/* Executes the groups that are left, in the caller's thread and as many others as are allowed. */
static void execute_together(Work *work, const PsPtxModule *module, GPtrArray *machines)
{
    const guint64 left = work->groups - work->next;
    const guint most = (guint)MIN(MIN(work->crew->threads, MOST_THREADS), left);
    Worker workers[MOST_THREADS];
    GThread *threads[MOST_THREADS];
    guint n = 1, running = 0;
    work->taken = (guint)CLAMP(left / ((guint64)most * TURNS), 1, MOST_TAKEN);
    for (; n < most; n++) {
        PsPtxMachine *machine = ps_ptx_machine_new(module, work->launch, NULL);
        if (!machine)
            break;
        g_ptr_array_add(machines, machine);
    }
    for (guint i = 0; i < n; i++) {
        workers[i] = (Worker){work, machines->pdata[i]};
        workers[i].machine->lock = &work->lock;
        workers[i].machine->enough = work->crew->enough;
        if (i > 0 && (threads[running] = begin(&workers[i])) != NULL)
            running++;
    }
    execute_some(&workers[0]);
    for (guint i = 0; i < running; i++)
        g_thread_join(threads[i]);
    work->next = work->groups;
}

static void free_machine(gpointer machine)
{
    ps_ptx_machine_free(machine);
}

gboolean ps_ptx_run_all(const PsPtxModule *module, const PsPtxLaunch *launch, const PsPtxCrew *crew,
                        PsPtxDone *done, GError **error)
{
    const guint *grid = launch->grid;
    Work work = {.crew = crew,
                 .launch = launch,
                 .groups = (guint64)grid[0] * grid[1] * grid[2],
                 .failed = G_MAXUINT64};
    *done = (PsPtxDone){.warnings = g_ptr_array_new_with_free_func(g_free)};
    PsPtxMachine *first = ps_ptx_machine_new(module, launch, error);
    if (!first)
        return FALSE;
    g_autoptr(GPtrArray) machines = g_ptr_array_new_with_free_func(free_machine);
    g_ptr_array_add(machines, first);
    first->enough = crew->enough;
    g_mutex_init(&work.lock);
    execute_alone(&work, first, crew->threads > 1 ? ALONE : G_MAXUINT64);
    if (work.next < work.groups && shares_all(first))
        execute_together(&work, module, machines);
    execute_alone(&work, first, G_MAXUINT64);
    done->crew = machines->len;
    merge_warnings(&work, machines, done->warnings);
    for (guint i = 0; i < machines->len && !work.error; i++) {
        const PsPtxMachine *machine = machines->pdata[i];
        done->warps += machine->warp_instructions;
        done->threads += machine->thread_instructions;
    }
    done->fault = work.fault;
    g_mutex_clear(&work.lock);
    if (!work.error)
        return TRUE;
    g_propagate_error(error, work.error);
    return FALSE;
}

/* SPDX-License-Identifier: BSD-3-Clause */
/* Finds what a warp waits for most; answer-private.h says more. */
#include "answer/answer-private.h"
#include "answer/figures.h"

/* Instances that are followed, at most: some milliseconds of work, and a few iterations of any real
 * loop. */
#define MAX_INSTANCES 20000

/* An instance: when its result is ready, in cycles, and what it waited for. */
typedef struct {
    double start, done;
    guint on;     /* node that it waited for, or NOBODY */
    guint number; /* number of that node's instance */
} Step;

#define NOBODY G_MAXUINT

typedef struct {
    const PsAnswer *answer;
    const PsProgram *program;
    const guint *class_of;
    const PsNodeCost *costs;
    const double *wait; /* [class]: mean wait beyond Lambda */
    GArray **steps;     /* [node]: Step of its instances; NULL: not met yet */
    guint left;         /* instances that may yet be followed */
    gboolean in_order;  /* program order (R2) */
    Step before;        /* the last instance in program order */
    double hold;        /* cycles for which that instance holds the warp (R9) */
    guint last;         /* node of the instance that ends last */
    guint last_number;
    double end;
} Path;

static const Step *step_at(const Path *path, guint node, guint number)
{
    return &g_array_index(path->steps[node], Step, number);
}

/* Time from being ready to issue until completion. Nothing waits for a store's completion (T5). */
static double time_of(const Path *path, guint n)
{
    const PsNodeCost *cost = &path->costs[n];
    return path->program->nodes[n].free_store
               ? ps_answer_mean(path->answer, cost->issue, 1)
               : ps_answer_mean(path->answer, cost->completion, 1) + path->wait[path->class_of[n]];
}

/* Follows the next instance of a node. */
static void follow(Path *path, guint n)
{
    const PsProgramNode *node = &path->program->nodes[n];
    if (!path->steps[n])
        path->steps[n] = g_array_new(FALSE, FALSE, sizeof(Step));
    const guint k = path->steps[n]->len;
    Step step = {.on = NOBODY};
    for (guint i = 0; i < node->n_deps; i++) {
        const PsProgramDep *dep = &node->deps[i];
        const gint64 needed = dep->first + dep->per * ((gint64)k / dep->every);
        if (needed < 1 || !path->steps[dep->on] || needed > path->steps[dep->on]->len)
            continue;
        const Step *on = step_at(path, dep->on, (guint)needed - 1);
        if (on->done >= step.start) {
            step.start = on->done;
            step.on = dep->on;
            step.number = (guint)needed - 1;
        }
    }
    /* In order, an instance also waits for what the one before it waited for, and for the end of
     * that one's hold. */
    if (path->in_order && path->before.start + path->hold > step.start) {
        step = path->before;
        step.start += path->hold;
    }
    step.done = step.start + time_of(path, n);
    g_array_append_val(path->steps[n], step);
    path->before = step;
    path->hold = ps_answer_mean(path->answer, path->costs[n].hold, 1);
    path->left--;
    if (step.done > path->end) {
        path->end = step.done;
        path->last = n;
        path->last_number = k;
    }
}

/* The loop around a node at that depth, from 0 for the outermost; NULL: there is none. */
static const PsProgramLoop *loop_at(const PsProgramNode *node, guint depth)
{
    return depth < node->n_loops ? &node->loops[node->n_loops - 1 - depth] : NULL;
}

/* Follows nodes from..to in program order, which share so many loops. */
static void follow_all(Path *path, guint from, guint to, guint depth)
{
    while (from < to && path->left) {
        const PsProgramLoop *loop = loop_at(&path->program->nodes[from], depth);
        guint end = from + 1;
        if (!loop) {
            follow(path, from);
            from = end;
            continue;
        }
        for (; end < to; end++) {
            const PsProgramLoop *other = loop_at(&path->program->nodes[end], depth);
            if (!other || other->number != loop->number)
                break;
        }
        for (gint64 trip = 0; trip < loop->trips && path->left; trip++)
            follow_all(path, from, end, depth + 1);
        from = end;
    }
}

/* Counts the instances of each node on the path. */
static void count_nodes(const Path *path, guint *times)
{
    guint n = path->last, number = path->last_number;
    while (n != NOBODY) {
        const Step *step = step_at(path, n, number);
        times[n]++;
        n = step->on;
        number = step->number;
    }
}

/* [class]: mean cycles in the queue and in memory. */
static double *find_waits(const PsAnswer *answer)
{
    double *wait = g_new(double, answer->machine->n_classes);
    for (guint i = 0; i < answer->machine->n_classes; i++) {
        const PsStatsRow *row = answer->classes->pdata[i];
        wait[i] = ps_answer_mean(answer, row->queued, row->issued) +
                  ps_answer_mean(answer, row->delayed, row->issued);
    }
    return wait;
}

/* The path of one program, and the time of each of its nodes on it. */
static PsCriticalPath find_path(const PsAnswer *answer, guint p, const double *wait)
{
    const PsProgram *program = &answer->kernel->programs[p];
    Path path = {.answer = answer,
                 .program = program,
                 .class_of = answer->machine->class_of[p],
                 .costs = answer->machine->costs[p],
                 .wait = wait,
                 .steps = g_new0(GArray *, program->n_nodes),
                 .left = MAX_INSTANCES,
                 .in_order = answer->machine->refinements.order == PS_ORDER_PROGRAM,
                 .before = {.on = NOBODY},
                 .last = NOBODY};
    follow_all(&path, 0, program->n_nodes, 0);
    PsCriticalPath found = {p, path.end, g_new0(guint, program->n_nodes)};
    count_nodes(&path, found.times);
    for (guint n = 0; n < program->n_nodes; n++)
        g_clear_pointer(&path.steps[n], g_array_unref);
    g_free(path.steps);
    return found;
}

void ps_critical_path_clear(PsCriticalPath *path)
{
    g_clear_pointer(&path->times, g_free);
}

PsCriticalPath ps_critical_path(const PsAnswer *answer)
{
    g_autofree double *wait = find_waits(answer);
    PsCriticalPath longest = {0, 0, NULL};
    for (guint p = 0; p < answer->kernel->n_programs; p++) {
        if (answer->kernel->kinds[answer->kernel->programs[p].kind].share == 0)
            continue; /* no group runs the program */
        PsCriticalPath path = find_path(answer, p, wait), shorter = path;
        if (path.length > longest.length) {
            shorter = longest;
            longest = path;
        }
        ps_critical_path_clear(&shorter);
    }
    return longest;
}

guint ps_critical_class(const PsAnswer *answer, double *share)
{
    const PsMachine *machine = answer->machine;
    g_auto(PsCriticalPath) path = ps_critical_path(answer);
    g_autofree double *cycles = g_new0(double, MAX(machine->n_classes, 1));
    g_autofree double *wait = find_waits(answer);
    guint most = 0;
    if (!path.times)
        return G_MAXUINT;
    const Path of = {.answer = answer,
                     .program = &answer->kernel->programs[path.program],
                     .class_of = machine->class_of[path.program],
                     .costs = machine->costs[path.program],
                     .wait = wait};
    for (guint n = 0; n < of.program->n_nodes; n++)
        cycles[of.class_of[n]] += path.times[n] * time_of(&of, n);
    for (guint i = 1; i < machine->n_classes; i++)
        if (cycles[i] > cycles[most])
            most = i;
    *share = cycles[most] / path.length;
    return most;
}

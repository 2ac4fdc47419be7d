/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Any file can be given to a sweep to go on with, or to be joined with others. One that is of
 * another sweep is left as it is, with one clear error that names it; of one that is not, whole
 * rows stay, and only what behind them is no whole row is cut off.
 */
#define _GNU_SOURCE /* memfd_create */
#include "tests/fuzz/file.h"

#include "cli/sweep/resume.h"
#include "cli/sweep/part.h"
#include "cli/sweep/plan.h"

#include <string.h>

int LLVMFuzzerTestOneInput(const guint8 *data, gsize size);

/* The sweep that the inputs are of: tests/fuzz/sweep-resume.sh. */
#define COMMAND                                                                                    \
    "pipesim graphs/fadd.idg --gpu gpus/fermi.xml --vary active=1..3 --shard 1/1 --format csv"

typedef struct {
    Options *options;
    SweepPlan *plan;
    SweepCsv *csv;
} Sweep;

static const Sweep *the_sweep(void)
{
    static Sweep sweep;
    g_autoptr(GError) error = NULL;
    if (sweep.csv)
        return &sweep;
    g_auto(GStrv) argv = g_strsplit(COMMAND, " ", 0);
    sweep.options = options_parse(VERB_SWEEP, argv, &error);
    g_assert_no_error(error);
    sweep.plan = sweep_plan_new(sweep.options, &error);
    g_assert_no_error(error);
    sweep.csv =
        sweep_csv_new(sweep.options, sweep_id(sweep.options, sweep.plan->graphs, sweep.plan->gpus),
                      sweep.plan->total);
    return &sweep;
}

/* ---- going on ------------------------------------------------------------------------------ */

/* Walks along the points as a sweep does. FALSE and *error where the file is another sweep's. */
static gboolean walk(const Sweep *sweep, Resume *resume, GError **error)
{
    const PsIdg *idg = sweep->plan->graphs->pdata[0];
    const PsGpu *gpu = sweep->plan->gpus->pdata[0];
    PsQuestion base;
    if (!question_of(sweep->options, idg, gpu, &base, error))
        return FALSE;
    g_autoptr(PsPoints) points = ps_points_new(&base, sweep->options->vary);
    PsRational value;
    Point point = {.idg = idg, .gpu = gpu, .values = &value};
    while (ps_points_next(points, &value, &point.known, error)) {
        point.number++;
        const ResumeState state = resume_next(resume, &point, error);
        if (state == RESUME_ERROR || state == RESUME_MISSING)
            return state == RESUME_MISSING;
    }
    return resume_end(resume, error);
}

/* What is there afterwards is the beginning of the input: all of it after an error, else whole
 * rows. */
static void check_left(const FuzzFile *file, const guint8 *data, gsize size, gboolean good)
{
    const off_t left = lseek(file->fd, 0, SEEK_END);
    g_autofree guint8 *there = g_malloc0((gsize)left + 1);
    g_assert_cmpint(left, <=, (gssize)size);
    g_assert_true(good || left == (gssize)size);
    g_assert_cmpint(pread(file->fd, there, (gsize)left, 0), ==, left);
    g_assert_cmpmem(there, (gsize)left, data, (gsize)left);
    g_assert_true(!good || left == 0 || there[left - 1] == '\n');
}

static void resume_file(const guint8 *data, gsize size)
{
    g_auto(FuzzFile) file = fuzz_file(data, size);
    g_autoptr(GError) error = NULL;
    const Sweep *sweep = the_sweep();
    g_autoptr(Resume) resume = resume_open(file.path, sweep->csv, &error);
    const gboolean good = resume && walk(sweep, resume, &error);
    fuzz_check(good, error);
    if (good) {
        Output *output = resume_output(resume, &error);
        g_assert_no_error(error);
        output_drop(output);
    }
    check_left(&file, data, size, good);
}

/* ---- joining ------------------------------------------------------------------------------- */

static void join_file(const guint8 *data, gsize size)
{
    g_auto(FuzzFile) file = fuzz_file(data, size);
    g_autoptr(GError) error = NULL;
    g_autoptr(Part) part = part_open(file.path, &error);
    fuzz_check(part != NULL, error);
    while (part && !part->is_over) {
        g_assert_cmpuint(part->row.shard, <=, part->row.shards);
        g_assert_cmpuint(part->row.point, <=, part->row.points);
        const gboolean good = part_next(part, &error);
        fuzz_check(good, error);
        if (!good)
            break;
    }
}

int LLVMFuzzerTestOneInput(const guint8 *data, gsize size)
{
    resume_file(data, size);
    join_file(data, size);
    return 0;
}

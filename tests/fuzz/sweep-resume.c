/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Any file can be given to a sweep to go on with, or to be joined with others. One that is of
 * another sweep is left as it is, with one clear error that names it; of one that is not, whole
 * rows stay, and only what behind them is no whole row is cut off.
 */
#define _GNU_SOURCE /* memfd_create */
#include "tests/fuzz/file.h"

#include "cli/options.h"
#include "sweep/part.h"

#include <string.h>

int LLVMFuzzerTestOneInput(const guint8 *data, gsize size);

/* The sweep that the inputs are of: tests/fuzz/sweep-resume.sh. */
#define COMMAND                                                                                    \
    "pipesim graphs/fadd.idg --gpu gpus/fermi.xml --vary active=1..3 --shard 1/1 --format csv"

typedef struct {
    PsSweepAsked asked;
    PsSweepPlan *plan;
    PsSweepCsv *csv;
} Sweep;

static const Sweep *the_sweep(void)
{
    static Sweep sweep;
    g_autoptr(GError) error = NULL;
    if (sweep.csv)
        return &sweep;
    g_auto(GStrv) argv = g_strsplit(COMMAND, " ", 0);
    const Options *options = options_parse(VERB_SWEEP, argv, &error);
    g_assert_no_error(error);
    sweep.asked = (PsSweepAsked){.prefix = "--",
                                 .axes = options->vary,
                                 .files = options->files,
                                 .gpus = options->gpus,
                                 .signature = options->signature,
                                 .shard = options->shard,
                                 .shards = options->shards};
    sweep.plan = ps_sweep_plan_new(&sweep.asked);
    ps_sweep_plan_add_graph(sweep.plan, ps_idg_load(options->files[0], &error), NULL);
    g_assert_no_error(error);
    ps_sweep_plan_add_gpu(sweep.plan, ps_gpu_load(options->gpus[0], &error));
    g_assert_no_error(error);
    ps_sweep_plan_pair(sweep.plan, sweep.plan->graphs->pdata[0], sweep.plan->gpus->pdata[0]);
    ps_sweep_plan_check(sweep.plan, &error);
    g_assert_no_error(error);
    sweep.csv = ps_sweep_csv_new(sweep.plan);
    return &sweep;
}

/* ---- going on ------------------------------------------------------------------------------ */

/* Walks along the points as a sweep does. FALSE and *error where the file is another sweep's. */
static gboolean walk(const Sweep *sweep, PsSweepResume *resume, GError **error)
{
    const PsIdg *idg = sweep->plan->graphs->pdata[0];
    const PsGpu *gpu = sweep->plan->gpus->pdata[0];
    PsQuestion base;
    if (!ps_sweep_question(&sweep->asked, idg, gpu, &base, error))
        return FALSE;
    g_autoptr(PsPoints) points = ps_points_new(&base, sweep->asked.axes);
    PsRational value;
    PsSweepPoint point = {.idg = idg, .gpu = gpu, .values = &value};
    while (ps_points_next(points, &value, &point.known, error)) {
        point.number++;
        const PsSweepResumeState state = ps_sweep_resume_next(resume, &point, error);
        if (state == PS_SWEEP_RESUME_ERROR || state == PS_SWEEP_RESUME_MISSING)
            return state == PS_SWEEP_RESUME_MISSING;
    }
    return ps_sweep_resume_end(resume, error);
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
    g_autoptr(PsSweepResume) resume = ps_sweep_resume_open(file.path, sweep->csv, &error);
    const gboolean good = resume && walk(sweep, resume, &error);
    fuzz_check(good, error);
    if (good) {
        FILE *stream = ps_sweep_resume_stream(resume, &error);
        g_assert_no_error(error);
        fclose(stream);
    }
    check_left(&file, data, size, good);
}

/* ---- joining ------------------------------------------------------------------------------- */

static void join_file(const guint8 *data, gsize size)
{
    g_auto(FuzzFile) file = fuzz_file(data, size);
    g_autoptr(GError) error = NULL;
    g_autoptr(PsSweepPart) part = ps_sweep_part_open(file.path, "--", &error);
    fuzz_check(part != NULL, error);
    while (part && !part->is_over) {
        g_assert_cmpuint(part->row.shard, <=, part->row.shards);
        g_assert_cmpuint(part->row.point, <=, part->row.points);
        const gboolean good = ps_sweep_part_next(part, &error);
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

/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * The cycles that the model must give for the matrix multiplications of the pipeline paper (the
 * tables of docs/reference/model.md, section 3), from the files in graphs/ and gpus/.
 */
#include "tests/help/engine.h"

typedef struct {
    const char *graph;
    const char *gpu;
    gint64 active; /* 0: what occupancy allows */
    const char *what_if;
    const char *cycles;
} Row;

#define FERMI_CONFLICT "local.issue=16,local.completion=250"
#define PASCAL_CONFLICT "local.issue=7,local.completion=100"

static const Row table[] = {
    {"mmul08", "fermi", 1, NULL, "128694071"},
    {"mmul08", "fermi", 4, NULL, "32275153"},
    {"mmul08", "fermi", 8, NULL, "19650441"},
    {"mmul08", "pascal", 1, NULL, "144969140.25"},
    {"mmul08", "pascal", 4, NULL, "36264532.5"},
    {"mmul08", "pascal", 32, NULL, "7608491.75"},
    {"mmul08", "fermi", 1, FERMI_CONFLICT, "254547296"},
    {"mmul08", "fermi", 4, FERMI_CONFLICT, "99673188"},
    {"mmul08", "fermi", 8, FERMI_CONFLICT, "86391810"},
    {"mmul08", "pascal", 1, PASCAL_CONFLICT, "213361332.25"},
    {"mmul08", "pascal", 4, PASCAL_CONFLICT, "66433324.25"},
    {"mmul08", "pascal", 32, PASCAL_CONFLICT, "52878093"},
    /* What occupancy allows is the last row of each GPU. */
    {"mmul08", "fermi", 0, NULL, "19650441"},
    {"mmul08", "pascal", 0, NULL, "7608491.75"},
    /* Conflicting loads only, by a graph that says so and by a what-if of the other one. */
    {"mmul08-conflict", "pascal", 0, NULL, "47852462.75"},
    {"mmul16-conflict", "pascal", 0, NULL, "47493520"},
    {"mmul08", "pascal", 0, "local.load.issue=7,local.load.completion=100", "47852462.75"},
    {"mmul16", "pascal", 0, "local.load.issue=7,local.load.completion=100", "47493520"},
};

static gboolean run_row(const Row *row, PsSimResult *result, GError **error)
{
    g_autofree char *graph = g_strdup_printf("graphs/%s.idg", row->graph);
    g_autofree char *description = g_strdup_printf("gpus/%s.xml", row->gpu);
    g_autoptr(PsIdg) idg = ps_idg_load(graph, error);
    g_autoptr(PsGpu) gpu = idg ? ps_gpu_load(description, error) : NULL;
    EngineRun run = {
        .idg = idg, .gpu = gpu, .options = {.active = row->active}, .what_if = row->what_if};
    return gpu && engine_run(&run, result, error);
}

/* Ten million instructions per row are too many at a hundredth of the speed. */
static gboolean skipped(void)
{
    if (g_strcmp0(g_getenv("PIPESIM_CHECKER"), "valgrind") != 0)
        return FALSE;
    g_test_skip("too long under valgrind, which sees smaller runs elsewhere");
    return TRUE;
}

static void test_row(gconstpointer data)
{
    const Row *row = data;
    if (skipped())
        return;
    g_autoptr(GError) error = NULL;
    PsSimResult result = {.ticks = 0};
    run_row(row, &result, &error);
    g_assert_no_error(error);
    g_autofree char *cycles = ps_rational_format(result.cycles);
    g_assert_cmpstr(cycles, ==, row->cycles);
}

/* The graph and the what-if say the same on Fermi, too, whatever that is. */
static void test_fermi_conflict(void)
{
    static const Row rows[] = {
        {"mmul08-conflict", "fermi", 0, NULL, NULL},
        {"mmul08", "fermi", 0, "local.load.issue=16,local.load.completion=250", NULL}};
    if (skipped())
        return;
    g_autoptr(GError) error = NULL;
    PsSimResult results[2] = {{.ticks = 0}, {.ticks = 0}};
    for (guint i = 0; i < G_N_ELEMENTS(rows) && !error; i++)
        run_row(&rows[i], &results[i], &error);
    g_assert_no_error(error);
    g_assert_cmpint(results[0].ticks, >, 0);
    g_assert_cmpint(ps_rational_cmp(results[0].cycles, results[1].cycles), ==, 0);
}

int main(int argc, char **argv)
{
    g_test_init(&argc, &argv, NULL);
    g_test_set_nonfatal_assertions();
    for (guint i = 0; i < G_N_ELEMENTS(table); i++) {
        const Row *row = &table[i];
        g_autofree char *path =
            g_strdup_printf("/model/%s/%s/%u%s%s", row->graph, row->gpu, (guint)row->active,
                            row->what_if ? "/" : "", row->what_if ? row->what_if : "");
        g_test_add_data_func(path, row, test_row);
    }
    g_test_add_func("/model/fermi-conflict", test_fermi_conflict);
    return g_test_run();
}

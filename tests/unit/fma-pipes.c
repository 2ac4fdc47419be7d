/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Mixes of single precision and of integer multiply-adds on GPUs whose pipe for both is two of 16
 * lanes, of which one has integers, and on those where it is one (docs/reference/model.md, section
 * 7): cycles of a scheduler for each trip, worked out by hand.
 */
#include "tests/help/engine.h"

/* A trip has so many instructions in single precision, integer multiply-adds, instructions of two
 * halves. */
typedef struct {
    guint floats, integers, halves;
    guint two, one; /* cycles where there are two pipes, and where there is one */
} Mix;

static const Mix mixes[] = {
    {1, 0, 0, 1, 2},
    {0, 1, 0, 2, 2},
    /* As many of both: each integer multiply-add leaves room for one in single precision. */
    {1, 1, 0, 2, 4},
    {4, 4, 0, 8, 16},
    /* More in single precision: the scheduler is what limits. */
    {2, 1, 0, 3, 6},
    {5, 2, 0, 7, 14},
    /* Fewer: the pipe that has integers. */
    {1, 2, 0, 4, 6},
    {2, 6, 0, 12, 16},
};

/* Halves take both pipes for two cycles. */
static const Mix with_halves[] = {{0, 0, 1, 2, 0}, {1, 0, 1, 3, 0}, {4, 0, 2, 8, 0}};

#define WARPS 8 /* of each scheduler: as many as hide the latency of a chain */

/* Nodes of the classes in turns, as assemblers order them: after each step every class is as far as
 * its share of the trip. */
static void add_nodes(GString *text, const Mix *mix)
{
    const struct {
        const char *name;
        guint count;
    } classes[] = {{"fmadd", mix->floats}, {"imad", mix->integers}, {"hfma", mix->halves}};
    const guint all = mix->floats + mix->integers + mix->halves;
    for (guint step = 0; step < all; step++)
        for (guint c = 0; c < G_N_ELEMENTS(classes); c++)
            for (guint i = classes[c].count * step / all; i < classes[c].count * (step + 1) / all;
                 i++)
                g_string_append_printf(text, "<node name='%s%u' class='%s' after='%s%u'/>",
                                       classes[c].name, i, classes[c].name, classes[c].name, i);
}

static double cycles_of(const char *gpu_name, const Mix *mix, guint trips)
{
    g_autoptr(GString) text =
        g_string_new("<idg xmlns='urn:pipesim:idg:1' version='1' name='mix'>");
    g_string_append_printf(text, "<launch groups='1' group-size='%d'/><code><loop times='%u'>",
                           32 * 4 * WARPS, trips);
    add_nodes(text, mix);
    g_string_append(text, "</loop></code></idg>");
    g_autofree char *path = g_strdup_printf("gpus/%s.xml", gpu_name);
    g_autoptr(GError) error = NULL;
    g_autoptr(PsIdg) idg = ps_idg_parse(text->str, text->len, "mix", &error);
    g_autoptr(PsGpu) gpu = idg ? ps_gpu_load(path, &error) : NULL;
    g_assert_no_error(error);
    EngineRun run = {.idg = idg, .gpu = gpu};
    PsSimResult result;
    if (ps_refinements_resolve(gpu, NULL, &run.refinements, &error))
        engine_run(&run, &result, &error);
    g_assert_no_error(error);
    return ps_rational_to_double(result.cycles);
}

/* What a trip more of all warps takes a scheduler, without what begin and end take. */
static void check(const char *gpu, const Mix *mix, guint expected)
{
    const guint trips = 1000;
    const double more = cycles_of(gpu, mix, 2 * trips) - cycles_of(gpu, mix, trips);
    g_assert_cmpfloat_with_epsilon(more / (trips * WARPS), expected, 0.01 * expected);
}

static void test_two(gconstpointer gpu)
{
    for (guint i = 0; i < G_N_ELEMENTS(mixes); i++)
        check(gpu, &mixes[i], mixes[i].two);
}

static void test_one(gconstpointer gpu)
{
    for (guint i = 0; i < G_N_ELEMENTS(mixes); i++)
        check(gpu, &mixes[i], mixes[i].one);
}

static void test_halves(gconstpointer gpu)
{
    for (guint i = 0; i < G_N_ELEMENTS(with_halves); i++)
        check(gpu, &with_halves[i], with_halves[i].two);
}

int main(int argc, char **argv)
{
    static const char *const two[] = {"rtx3090", "rtx4090", "h100", "b200", "rtx5090", NULL};
    static const char *const one[] = {"rtx2080ti", "a100", NULL};
    static const char *const halves[] = {"rtx3090", "rtx4090", "b200", "rtx5090", NULL};
    g_test_init(&argc, &argv, NULL);
    for (guint i = 0; two[i]; i++) {
        g_autofree char *path = g_strconcat("/fma-pipes/two/", two[i], NULL);
        g_test_add_data_func(path, two[i], test_two);
    }
    for (guint i = 0; one[i]; i++) {
        g_autofree char *path = g_strconcat("/fma-pipes/one/", one[i], NULL);
        g_test_add_data_func(path, one[i], test_one);
    }
    for (guint i = 0; halves[i]; i++) {
        g_autofree char *path = g_strconcat("/fma-pipes/halves/", halves[i], NULL);
        g_test_add_data_func(path, halves[i], test_halves);
    }
    return g_test_run();
}

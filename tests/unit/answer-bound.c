/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Ceilings are bounds: no simulated time is below an answer's, nor below those that `pipesim
 * roofline` tells of the same graph, whatever is simulated. All graphs that the tree has on all its
 * GPUs, and random graphs of the classes that code becomes, on a random one.
 */
#include "answer/answer.h"
#include "roofline/ceilings.h"
#include "roofline/terms.h"
#include "tests/help/seeds.h"

#include <math.h>
#include <string.h>

#define ROUNDING 1e-9

/* GPUs of the tree, PsGpu. */
static GPtrArray *gpus;

static GPtrArray *files_of(const char *folder, const char *suffix)
{
    GPtrArray *files = g_ptr_array_new_with_free_func(g_free);
    g_autoptr(GDir) dir = g_dir_open(folder, 0, NULL);
    const char *name;
    while ((name = g_dir_read_name(dir)))
        if (g_str_has_suffix(name, suffix))
            g_ptr_array_add(files, g_build_filename(folder, name, NULL));
    return files;
}

static void free_gpu(gpointer gpu)
{
    ps_gpu_free(gpu);
}

static void load_gpus(void)
{
    g_autoptr(GPtrArray) files = files_of("gpus", ".xml");
    gpus = g_ptr_array_new_with_free_func(free_gpu);
    for (guint i = 0; i < files->len; i++) {
        g_autoptr(GError) error = NULL;
        g_ptr_array_add(gpus, ps_gpu_load(files->pdata[i], &error));
        g_assert_no_error(error);
    }
}

/* ---- the property --------------------------------------------------------------------------- */

/* The largest time that the quantitative roofline calls a bound, and whose it is. */
static double bound_of_roofline(const PsAnswer *answer, const char **of)
{
    const PsLaunchRoofline *roofline = &answer->roofline;
    PsPrediction prediction;
    PsCeilings ceilings;
    ps_ceilings_find(&roofline->metrics, &roofline->params, &roofline->limits, answer->gpu,
                     answer->clock, &ceilings);
    *of = ceilings.highest < 0 ? "-" : ps_ceiling_name((PsCeilingKind)ceilings.highest);
    const gboolean known =
        ps_predict(&roofline->params, &roofline->limits, answer->gpu, &prediction, NULL);
    if (!known || !(prediction.ceiling_seconds > ceilings.seconds))
        return ceilings.seconds;
    *of = "equation 19's peaks";
    return prediction.ceiling_seconds;
}

/* TRUE where a time is not below the bound. */
static gboolean is_above(const PsAnswer *answer, double simulated, double bound, const char *of)
{
    const gboolean below = simulated < (1 - ROUNDING) * bound;
    const char *path = answer->idg->path;
    if (below)
        g_test_message("%s on %s: %.6g us, and at least %.6g by %s", path ? path : "?",
                       answer->gpu->name, 1e6 * simulated, 1e6 * bound, of);
    return !below;
}

/* One truth: the prediction that a run tells beside its bound is not below that. */
static gboolean is_one_truth(const PsAnswer *answer)
{
    const PsPrediction *prediction = &answer->roofline.prediction;
    return !(prediction->seconds > 0) || isnan(prediction->ceiling_seconds) ||
           is_above(answer, prediction->seconds, prediction->ceiling_seconds,
                    "the bound that it tells");
}

/* TRUE where the unclamped time is not below a bound; *asked counts what was simulated. What the
 * GPU cannot run says nothing. */
static gboolean holds(const PsIdg *idg, const PsGpu *gpu, const PsScope *params, guint *asked)
{
    const PsQuestion question = {.idg = idg,
                                 .gpu = gpu,
                                 .params = params,
                                 .precision = PS_SKETCH_PRECISION,
                                 .clamp = PS_CLAMP_NONE};
    g_autoptr(GError) error = NULL;
    PsAnswer *answer = ps_answer_new(&question, NULL, &error);
    if (!answer)
        return TRUE;
    const PsLaunchRoofline *roofline = &answer->roofline;
    const double simulated = answer->simulated - answer->launch_seconds + answer->half_width;
    const char *of;
    const double bound = bound_of_roofline(answer, &of);
    const gboolean by_answer =
        is_above(answer, simulated, roofline->prediction.ceiling_seconds,
                 ps_peak_kind_name(ps_launch_roofline_ceiling_peak(roofline)));
    const gboolean by_roofline = is_above(answer, simulated, bound, of), one = is_one_truth(answer);
    /* A description without levels has one cost for accesses of any width, and the message says so.
     */
    const gboolean wide = answer->verdict.bytes > 0;
    (*asked)++;
    ps_answer_free(answer);
    return one && (wide || (by_answer && by_roofline));
}

/* ---- all graphs of the tree ----------------------------------------------------------------- */

/* Matrix products are of order 256, and in `make nightly` as large as their graphs say. */
static PsScope *small_order(const PsIdg *idg)
{
    const PsIdgParam *first = idg->params->len ? idg->params->pdata[0] : NULL;
    PsScope *scope = ps_scope_new();
    if (first && g_str_equal(first->name, "size") && seeds_times() <= 1)
        ps_scope_set(scope, "size", PS_RATIONAL_INT(256));
    return scope;
}

/* The gate and `make quick` take each graph on every fourth GPU, and each GPU with every fourth
 * graph. */
static gboolean is_asked(guint graph, guint gpu)
{
    return seeds_times() >= 1 || (graph + gpu) % 4 == 0;
}

static void test_tree(gconstpointer folder)
{
    g_autoptr(GPtrArray) files = files_of(folder, ".idg");
    guint asked = 0;
    for (guint i = 0; i < files->len; i++) {
        g_autoptr(GError) error = NULL;
        PsIdg *idg = ps_idg_load(files->pdata[i], &error);
        g_assert_no_error(error);
        g_autoptr(PsScope) small = small_order(idg);
        for (guint k = 0; k < gpus->len; k++)
            if (is_asked(i, k) && !holds(idg, gpus->pdata[k], small, &asked))
                g_test_fail();
        ps_idg_free(idg);
    }
    g_test_message("%u answers", asked);
    g_assert_cmpuint(asked, >, 4 * files->len);
}

/* ---- random graphs -------------------------------------------------------------------------- */

/* Classes of code, with what an instruction of each counts as. */
static const struct {
    const char *name, *type;
    gint ops;
} classes[] = {
    {"fadd", "fp32", 1},
    {"fmul", "fp32", 1},
    {"fmadd", "fp32", 2},
    {"fadd.minmax", "fp32", 1},
    {"rcp", "fp32", 1},
    {"rsqrt", "fp32", 1},
    {"exp2", "fp32", 1},
    {"dadd", "fp64", 1},
    {"dfma", "fp64", 2},
    {"rcp", "fp64", 1},
    {"hadd", "fp16", 2},
    {"hfma", "fp16", 2},
    {"hfma", "fp16", 4},
    {"iadd", "int", 1},
    {"iadd", "int", 2},
    {"iadd.lea", "int", 2},
    {"iadd.minmax", "int", 1},
    {"imad", "int", 1},
    {"imad", "int", 2},
    {"imad.wide", "int", 2},
    {"imad.high", "int", 2},
    {"imad.dot", "int", 8},
    {"logic", "int", 1},
    {"shift", "int", 1},
    {"shift.field", "int", 1},
    {"conversion.bits", "int", 1},
    {"iadd.setp", NULL, 0},
    {"logic.mov", NULL, 0},
    {"branch", NULL, 0},
    {"conversion.i2f", NULL, 0},
    {"shift.left", "int", 1},
    {"iadd.carry", "int", 1},
    {"imad.mul", "int", 1},
    {"hfma.bf16", "fp16", 4},
    {"hfma.bf16", "fp16", 2},
    {"hadd.minmax", "fp16", 2},
    {"hmul", "fp16", 1},
    {"hadd.convert", "fp16", 1},
    {"exp2", "fp16", 1},
    {"log2", "fp32", 1},
    {"sqrt", "fp32", 1},
    {"sin", "fp32", 1},
    {"dmul", "fp64", 1},
    {"dadd.minmax", "fp64", 1},
    {"dadd.setp", NULL, 0},
    {"conversion.f64", NULL, 0},
    {"shuffle", NULL, 0},
    {"logic.select", NULL, 0},
    {"constant", NULL, 0},
    {"fadd.pair", "fp32", 2},
    {"fmadd.pair", "fp32", 4},
    {"tensor.f16.f32.m16n8k16", "tensor", 128},
    {"tensor.f16.f16.m16n8k16", "tensor", 128},
    {"tensor.bf16.m16n8k8", "tensor", 64},
    {"tensor.tf32.m16n8k8", "tensor", 64},
    {"tensor.s8.m16n8k32", "tensor", 256},
    {"tensor.f64.m8n8k4", "tensor", 16},
    {"tensor.f16.f32.sparse.m16n8k32", "tensor", 256},
    {"tensor.f8.f32.m16n8k32", "tensor", 256},
    {"tensor.f16.f32.m16n16k16", "tensor", 128}, /* of waves of 64 */
};

/* Whether one instruction of the GPU's does it: pairs of singles came with Blackwell, and products
 * of matrices have shapes of NVIDIA's or of AMD's. */
static gboolean is_of(const PsGpu *gpu, const char *class_name)
{
    if (g_str_has_suffix(class_name, ".pair"))
        return gpu->capability >= 100;
    return !g_str_has_prefix(class_name, "tensor") ||
           (gpu->capability > 0) == (strstr(class_name, "n8k") != NULL);
}

static void add_compute(GString *text, GRand *rand, const PsGpu *gpu, guint n)
{
    guint i;
    do
        i = (guint)g_rand_int_range(rand, 0, G_N_ELEMENTS(classes));
    while (!is_of(gpu, classes[i].name));
    g_string_append_printf(text, "<node name=\"n%u\" class=\"%s\"", n, classes[i].name);
    if (n > 0 && g_rand_boolean(rand))
        g_string_append_printf(text, " after=\"n%d\"", g_rand_int_range(rand, 0, (gint32)n));
    if (classes[i].type)
        g_string_append_printf(text, " ops=\"%d\" type=\"%s\"", classes[i].ops, classes[i].type);
    g_string_append(text, "/>\n");
}

/* Shares that do not grow on the way. */
static void add_access(GString *text, GRand *rand, guint n)
{
    static const char *const names[] = {"global.load", "global.store", "global.load.v4",
                                        "atomic.global"};
    const double l2 = g_rand_double_range(rand, 0.1, 1), device = l2 * g_rand_double(rand);
    g_string_append_printf(text,
                           "<node name=\"n%u\" class=\"%s\" bytes=\"%d\" l1=\"1\" l2=\"%.3f\" "
                           "device=\"%.3f\"/>\n",
                           n, names[g_rand_int_range(rand, 0, G_N_ELEMENTS(names))],
                           4 << g_rand_int_range(rand, 0, 3), l2, device);
}

/* Local memory, with conflicts of banks now and then. */
static void add_local(GString *text, GRand *rand, guint n)
{
    static const char *const names[] = {"local.load", "local.store", "local.load.conflict.c8",
                                        "atomic.local"};
    g_string_append_printf(text, "<node name=\"n%u\" class=\"%s\"/>\n", n,
                           names[g_rand_int_range(rand, 0, G_N_ELEMENTS(names))]);
}

static char *random_text(GRand *rand, const PsGpu *gpu)
{
    GString *text = g_string_new("<idg xmlns=\"urn:pipesim:idg:1\" version=\"1\" name=\"random\">");
    const guint n = (guint)g_rand_int_range(rand, 1, 10);
    const gboolean loops = g_rand_boolean(rand);
    g_string_append_printf(text, "<launch groups=\"%d\" group-size=\"%d\"/>\n<code>",
                           g_rand_int_range(rand, 1, 2000), g_rand_int_range(rand, 1, 512));
    if (loops)
        g_string_append_printf(text, "<loop times=\"%d\">", g_rand_int_range(rand, 1, 30));
    for (guint i = 0; i < n; i++)
        switch (g_rand_int_range(rand, 0, 6)) {
        case 0:
            add_access(text, rand, i);
            break;
        case 1:
            add_local(text, rand, i);
            break;
        default:
            add_compute(text, rand, gpu, i);
        }
    g_string_append(text, loops ? "</loop></code></idg>" : "</code></idg>");
    return g_string_free(text, FALSE);
}

static gboolean check_random(guint32 seed, gpointer data)
{
    g_autoptr(GRand) rand = g_rand_new_with_seed(seed);
    const PsGpu *gpu = gpus->pdata[g_rand_int_range(rand, 0, (gint32)gpus->len)];
    g_autofree char *text = random_text(rand, gpu);
    g_autoptr(GError) error = NULL;
    PsIdg *idg = ps_idg_parse(text, strlen(text), "random.idg", &error);
    g_assert_no_error(error);
    const gboolean good = holds(idg, gpu, NULL, data);
    if (!good)
        g_test_message("%s", text);
    ps_idg_free(idg);
    return good;
}

static void test_random(void)
{
    guint asked = 0;
    const guint n = seeds_check((SeedCounts){2000, 20}, check_random, &asked);
    g_test_message("%u answers to %u graphs", asked, n);
    g_assert_cmpuint(2 * asked, >, n);
}

int main(int argc, char **argv)
{
    g_test_init(&argc, &argv, NULL);
    load_gpus();
    g_test_add_data_func("/answer-bound/graphs", "graphs", test_tree);
    g_test_add_data_func("/answer-bound/explain", "tests/explain", test_tree);
    g_test_add_func("/answer-bound/random", test_random);
    const int status = g_test_run();
    g_ptr_array_unref(gpus);
    return status;
}

/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * The two formulas of the pipeline paper, exactly: equation 1 on both of its branches, for chains
 * of n equal instructions in W warps, and saxpy's.
 */
#include "tests/help/build-graph.h"
#include "tests/help/engine.h"

static PsRational rational(const char *text)
{
    PsRational value = {0, 1};
    g_assert_true(ps_rational_parse(text, &value));
    return value;
}

static PsRational times(PsRational a, gint64 n)
{
    PsRational product = {0, 1};
    g_assert_true(ps_rational_mul(a, PS_RATIONAL_INT(n), &product));
    return product;
}

static PsRational plus(PsRational a, PsRational b)
{
    PsRational sum = {0, 1};
    g_assert_true(ps_rational_add(a, b, &sum));
    return sum;
}

static void check_equal(PsRational is, PsRational should, const char *of)
{
    g_autofree char *says = ps_rational_format(is);
    g_autofree char *expected = ps_rational_format(should);
    if (ps_rational_cmp(is, should) != 0)
        g_test_message("%s", of);
    g_assert_cmpstr(says, ==, expected);
}

/* ---- equation 1 ---------------------------------------------------------------------------- */

typedef struct {
    const char *lambda;
    const char *completion;
    gint64 n;
    gint64 groups; /* all at once: W = groups * warps */
    gint64 warps;
    gboolean rolled; /* one node in a loop rather than n nodes */
} Chain;

static PsRational equation1(const Chain *chain)
{
    PsRational issue = rational(chain->lambda), completion = rational(chain->completion);
    gint64 n = chain->n, warps = chain->groups * chain->warps;
    /* W <= Lambda/lambda */
    if (ps_rational_cmp(times(issue, warps), completion) <= 0)
        return plus(times(completion, n), times(issue, warps - 1));
    return plus(completion, times(issue, n * warps - 1));
}

static PsIdg *chain_graph(const Chain *chain)
{
    g_autofree char *groups = g_strdup_printf("%d", (int)chain->groups);
    g_autofree char *size = g_strdup_printf("32*%d", (int)chain->warps);
    g_autofree char *n = g_strdup_printf("%d", (int)chain->n);
    PsIdg *idg = build_idg(groups, size);
    GPtrArray *body = ps_idg_add_code(idg)->body;
    if (chain->rolled) {
        build_node(build_loop(body, n), "a", "a", "a");
        return idg;
    }
    for (gint64 i = 0; i < chain->n; i++) {
        g_autofree char *name = g_strdup_printf("a%d", (int)i);
        g_autofree char *after = i > 0 ? g_strdup_printf("a%d", (int)i - 1) : g_strdup("");
        build_node(body, name, "a", after);
    }
    return idg;
}

static void check_chain(const Chain *chain)
{
    g_autoptr(PsIdg) idg = chain_graph(chain);
    PsGpu *gpu = build_gpu(1, 1);
    build_class(gpu, "a", 0, rational(chain->lambda), rational(chain->completion));
    EngineRun run = {.idg = idg, .gpu = gpu, .options = {.active = chain->groups}};
    g_autoptr(GError) error = NULL;
    PsSimResult result = {.ticks = 0};
    engine_run(&run, &result, &error);
    g_assert_no_error(error);
    g_autofree char *of = g_strdup_printf(
        "n %d, %d groups of %d warps, lambda %s, Lambda %s%s", (int)chain->n, (int)chain->groups,
        (int)chain->warps, chain->lambda, chain->completion, chain->rolled ? ", rolled" : "");
    check_equal(result.cycles, equation1(chain), of);
    g_assert_cmpint(result.instructions, ==, chain->n * chain->groups * chain->warps);
    build_gpu_free(gpu);
}

/* All n and W for a pair of latencies; each W as one group, and as one warp in each of W groups. */
static void check_latencies(const char *lambda, const char *completion)
{
    static const gint64 lengths[] = {1, 2, 3, 10, 37};
    static const gint64 warps[] = {1, 2, 3, 4, 5, 7, 8, 16, 24, 25, 64};
    for (guint i = 0; i < G_N_ELEMENTS(lengths); i++)
        for (guint j = 0; j < G_N_ELEMENTS(warps); j++)
            for (int form = 0; form < 4; form++) {
                gboolean one_group = form % 2 == 1, rolled = form >= 2;
                Chain chain = {lambda,
                               completion,
                               lengths[i],
                               one_group ? 1 : warps[j],
                               one_group ? warps[j] : 1,
                               rolled};
                check_chain(&chain);
            }
}

/* Lambda/lambda whole, not whole, one and below one; whole cycles and fractions of every kind. */
static void test_grid(void)
{
    static const char *const lambdas[] = {"0.25", "1", "1.75", "3", "0.3", "0.125"};
    static const char *const completions[] = {"0.2", "1", "6", "7.5", "24.001"};
    for (guint i = 0; i < G_N_ELEMENTS(lambdas); i++)
        for (guint j = 0; j < G_N_ELEMENTS(completions); j++)
            check_latencies(lambdas[i], completions[j]);
}

/* A long rolled chain on both branches. */
static void test_long(void)
{
    Chain few = {"0.25", "6", 100000, 1, 2, TRUE};
    Chain many = {"0.25", "6", 10000, 2, 16, TRUE};
    check_chain(&few);
    check_chain(&many);
}

/* ---- saxpy --------------------------------------------------------------------------------- */

static const PsLatency *latency(const PsGpu *gpu, const char *class_name)
{
    return &ps_gpu_class(gpu, class_name, NULL)->latency;
}

/* index.Lambda + mem.Lambda + mem.lambda + fmadd.Lambda + mem.lambda */
static void test_saxpy(gconstpointer path)
{
    g_autoptr(GError) error = NULL;
    g_autoptr(PsIdg) idg = ps_idg_load("graphs/saxpy.idg", &error);
    g_assert_no_error(error);
    g_autoptr(PsGpu) gpu = ps_gpu_load(path, &error);
    g_assert_no_error(error);
    if (!idg || !gpu)
        return;
    PsRational mem = latency(gpu, "memory")->issue;
    PsRational expected =
        plus(latency(gpu, "index")->completion, latency(gpu, "memory")->completion);
    expected = plus(expected, plus(mem, plus(latency(gpu, "fmadd")->completion, mem)));
    EngineRun run = {.idg = idg, .gpu = gpu, .options = {1, gpu->warp_size, 1}};
    PsSimResult result = {.ticks = 0};
    engine_run(&run, &result, &error);
    g_assert_no_error(error);
    check_equal(result.cycles, expected, path);
    g_assert_cmpint(result.instructions, ==, 5);
}

int main(int argc, char **argv)
{
    g_test_init(&argc, &argv, NULL);
    g_test_set_nonfatal_assertions();
    g_test_add_func("/equation1/grid", test_grid);
    g_test_add_func("/equation1/long", test_long);
    g_test_add_data_func("/equation1/saxpy/fermi", "gpus/fermi.xml", test_saxpy);
    g_test_add_data_func("/equation1/saxpy/pascal", "gpus/pascal.xml", test_saxpy);
    return g_test_run();
}

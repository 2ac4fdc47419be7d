/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Stall counts against a description's latencies: who is said to be wrong, and who is not.
 */
#include "answer/stalls.h"
#include "tests/help/build-graph.h"

/* Compares stalls of one class: NULL: they agree; "late", "soon". */
static const char *compare_one(const char *class_name, guint cycles, gboolean adjacent,
                               const char *completion)
{
    PsBuildStall stall = {
        .class_name = (char *)class_name, .cycles = cycles, .pairs = 3, .adjacent = adjacent};
    g_autoptr(GPtrArray) stalls = g_ptr_array_new();
    PsGpu *gpu = build_gpu(1, 1);
    PsRational latency;
    g_assert_true(ps_rational_parse(completion, &latency));
    g_ptr_array_add(stalls, &stall);
    build_class(gpu, "fmadd", 0, PS_RATIONAL_INT(1), latency);
    g_autoptr(GArray) disputes = ps_stalls_compare(stalls, gpu);
    const char *says = NULL;
    if (disputes->len > 0) {
        const PsStallDispute *dispute = &g_array_index(disputes, PsStallDispute, 0);
        g_assert_true(dispute->stall == &stall);
        g_assert_cmpstr(dispute->class->name, ==, "fmadd");
        says = dispute->late ? "late" : "soon";
    }
    g_assert_cmpuint(disputes->len, <=, 1);
    build_gpu_free(gpu);
    return says;
}

static void test_compare(void)
{
    static const struct {
        const char *class_name;
        guint cycles;
        gboolean adjacent;
        const char *completion, *says;
    } cases[] = {
        {"fmadd", 4, TRUE, "4", NULL},
        {"fmadd", 4, TRUE, "4.4", NULL}, /* rounded */
        {"fmadd", 4, TRUE, "4.6", "late"},
        {"fmadd", 9, FALSE, "10", "late"},
        {"fmadd", 5, TRUE, "4", NULL}, /* to another pipeline */
        {"fmadd", 6, TRUE, "4", "soon"},
        {"fmadd", 6, FALSE, "4", NULL}, /* something else may have stood between */
        {"fmadd.x", 4, TRUE, "23", "late"},
        {"dfma", 4, TRUE, "23", NULL}, /* no such class */
    };
    for (guint i = 0; i < G_N_ELEMENTS(cases); i++)
        g_assert_cmpstr(compare_one(cases[i].class_name, cases[i].cycles, cases[i].adjacent,
                                    cases[i].completion),
                        ==, cases[i].says);
}

int main(int argc, char **argv)
{
    g_test_init(&argc, &argv, NULL);
    g_test_set_nonfatal_assertions();
    g_test_add_func("/answer-stalls/compare", test_compare);
    return g_test_run();
}

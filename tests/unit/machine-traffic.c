/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * What a launch moves in all, and what each node has of it, asked of graphs as small as can be: the
 * levels' figures depend on it, though most times depend on it little.
 */
#include "answer/answer.h"
#include "sim/engine/traffic.h"

#include <math.h>
#include <string.h>

typedef struct {
    PsGpu *gpu;
    PsIdg *idg;
    PsAnswer *answer;
    PsMachine machine; /* a copy, which may be changed */
    guint cache;       /* bytes of the last cache */
} Set;

/* The machine of one node. */
static void begin(Set *set, const char *gpu, const char *node)
{
    g_autofree char *text = g_strdup_printf(
        "<idg xmlns='urn:pipesim:idg:1' version='1' name='x'><launch groups='64' group-size='64'/>"
        "<code><loop times='10'><node name='x' %s/></loop></code></idg>",
        node);
    g_autoptr(GError) error = NULL;
    set->gpu = ps_gpu_load(gpu, &error);
    g_assert_no_error(error);
    set->idg = ps_idg_parse(text, strlen(text), "x.idg", &error);
    g_assert_no_error(error);
    const PsQuestion question = {.idg = set->idg, .gpu = set->gpu};
    set->answer = ps_answer_new(&question, NULL, &error);
    g_assert_no_error(error);
    set->machine = *set->answer->machine;
    const GArray *levels = set->gpu->memory.levels;
    set->cache = (guint)g_array_index(levels, PsMemoryLevel, levels->len - 2).bytes;
}

static void end(Set *set)
{
    ps_answer_free(set->answer);
    ps_idg_free(set->idg);
    ps_gpu_free(set->gpu);
}

static const PsProgramNode *node_of(const Set *set)
{
    return &set->machine.kernel->programs[0].nodes[0];
}

/* The last cache, and not the memory behind it, holds what was read and written. */
static void test_fits(void)
{
    Set set;
    begin(&set, "gpus/a100.xml", "class='global.load' bytes='4'");
    g_assert_cmpuint(set.cache, ==, 40 << 20);
    const double all = set.cache;
    const PsLaunchTraffic inside[] = {
        {.read = all}, {.written = all}, {.read = all / 4, .written = all / 2}};
    const PsLaunchTraffic beyond[] = {
        {.read = all + 1}, {.written = all + 1}, {.read = all / 2, .written = all / 2 + 1}};
    for (guint i = 0; i < G_N_ELEMENTS(inside); i++) {
        g_assert_true(ps_traffic_fits(&set.machine, &inside[i]));
        g_assert_false(ps_traffic_fits(&set.machine, &beyond[i]));
    }
    end(&set);
}

/* What a dirty cache writes back: all of it where the launch reads many times what the cache holds;
 * the less, the less it reads, and the more it writes itself. It counts as written. */
static void test_written_back(void)
{
    Set set;
    begin(&set, "gpus/a100.xml", "class='global.load' bytes='4'");
    const GArray *levels = set.gpu->memory.levels;
    const double cache = set.cache,
                 dirty = cache * ps_rational_to_double(
                                     g_array_index(levels, PsMemoryLevel, levels->len - 2).dirty);
    PsLaunchTraffic traffic = {.read = 40 * cache, .written = 0};
    g_assert_cmpint(ps_traffic_written_back(&set.machine, &traffic), ==, 0);
    set.machine.refinements.cache = PS_CACHE_DIRTY;
    g_assert_cmpfloat(dirty, >, 0);
    g_assert_cmpint(ps_traffic_written_back(&set.machine, &traffic), ==,
                    (gint64)(PS_STOP_WHOLE * dirty / traffic.read + 0.5));
    g_assert_cmpfloat_with_epsilon(traffic.written, dirty, 1e-6 * dirty);
    double last = dirty;
    for (guint i = 1; i <= 4; i++) {
        const double own = i * cache / 2;
        traffic = (PsLaunchTraffic){.read = cache, .written = own};
        const gint64 parts = ps_traffic_written_back(&set.machine, &traffic);
        const double back = traffic.written - own;
        g_assert_cmpfloat_with_epsilon(back, dirty * exp(-(double)i / 2) * (1 - exp(-1)), 1);
        g_assert_cmpint(parts, ==, (gint64)(PS_STOP_WHOLE * back / cache + 0.5));
        g_assert_cmpfloat(back, <, last);
        last = back;
    }
    traffic = (PsLaunchTraffic){.written = cache};
    g_assert_cmpint(ps_traffic_written_back(&set.machine, &traffic), ==, 0);
    end(&set);
}

/* What gets to each level. An RX 6900 XT has an l0 for each CU and an l1 of several: where the
 * graph knows of no l0, its l1 is the CU's, and what that misses goes to l2. */
static void test_shares(void)
{
    static const struct {
        const char *gpu, *node;
        double share[5]; /* l0, l1, l2, l3, device; below 0: the GPU has none */
    } cases[] = {
        {"gpus/a100.xml", "l1='1' l2='0.5' device='0.25'", {-1, 1, 0.5, -1, 0.25}},
        {"gpus/a100.xml", "l2='0.5'", {-1, 0.5, 0.5, -1, 0.5}},
        {"gpus/rx6900xt.xml", "l1='1' l2='0.5' device='0.25'", {1, 0.5, 0.5, 0.25, 0.25}},
        {"gpus/rx6900xt.xml",
         "l0='1' l1='0.75' l2='0.5' device='0.25'",
         {1, 0.75, 0.5, 0.25, 0.25}},
    };
    static const PsLevel levels[] = {PS_LEVEL_L0, PS_LEVEL_L1, PS_LEVEL_L2, PS_LEVEL_L3,
                                     PS_LEVEL_DEVICE};
    for (guint i = 0; i < G_N_ELEMENTS(cases); i++) {
        Set set;
        g_autofree char *node = g_strdup_printf("class='global.load' bytes='4' %s", cases[i].node);
        begin(&set, cases[i].gpu, node);
        for (guint k = 0; k < G_N_ELEMENTS(levels); k++) {
            const PsRational share = ps_node_share(&set.machine, node_of(&set), levels[k]);
            g_test_message("%s %s: level %u", cases[i].gpu, node, k);
            if (cases[i].share[k] >= 0)
                g_assert_cmpfloat(ps_rational_to_double(share), ==, cases[i].share[k]);
        }
        end(&set);
    }
}

/* Stores are those that bring nothing back; atomic operations in shared memory get to no level. */
static void test_kinds(void)
{
    static const struct {
        const char *class_name;
        gboolean atomic, store, rules;
    } cases[] = {{"global.load", FALSE, FALSE, TRUE},
                 {"global.store", FALSE, TRUE, TRUE},
                 {"atomic.add", TRUE, FALSE, TRUE},
                 {"atomic.local", TRUE, FALSE, FALSE},
                 {"atomic.local.add", TRUE, FALSE, FALSE},
                 {"local.load", FALSE, FALSE, FALSE},
                 {"fmadd", FALSE, FALSE, FALSE}};
    for (guint i = 0; i < G_N_ELEMENTS(cases); i++) {
        Set set;
        g_autofree char *node = g_strdup_printf("class='%s'", cases[i].class_name);
        begin(&set, "gpus/a100.xml", node);
        const PsProgramNode *its = node_of(&set);
        const PsClass *class = ps_gpu_class(set.gpu, cases[i].class_name, NULL);
        g_test_message("%s", cases[i].class_name);
        g_assert_cmpint(ps_node_is_atomic(its), ==, cases[i].atomic);
        g_assert_cmpint(ps_node_is_store(its), ==, cases[i].store);
        g_assert_cmpint(ps_memory_rules(&set.machine, its, class), ==, cases[i].rules);
        end(&set);
    }
}

int main(int argc, char **argv)
{
    g_test_init(&argc, &argv, NULL);
    g_test_set_nonfatal_assertions();
    g_test_add_func("/machine-traffic/fits", test_fits);
    g_test_add_func("/machine-traffic/written-back", test_written_back);
    g_test_add_func("/machine-traffic/shares", test_shares);
    g_test_add_func("/machine-traffic/kinds", test_kinds);
    return g_test_run();
}

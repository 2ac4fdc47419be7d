/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * The state of a warp that is saved and set back, while its histories have one size and then
 * another.
 */
#include "sim/engine/moment.h"

/* Two nodes of which others wait have histories of their own; nobody waits for the third one. */
static PsPlanNode nodes[] = {{.n_outs = 1}, {.n_outs = 1}, {.n_outs = 0}};
static PsPlanProgram program = {.n_nodes = G_N_ELEMENTS(nodes),
                                .n_edges = 2,
                                .n_loops = 1,
                                .nodes = nodes,
                                .history = 2 * PS_HISTORY,
                                .length = 1000};

/* When an instance of a node completes: all later than any time that the test calls the present. */
static gint64 completion(guint node, gint64 instance)
{
    return 1000 * (node + 1) + instance;
}

/* As many instances more complete. Nothing of a history has passed yet, so it grows. */
static void remember(PsWarp *warp, guint node, gint64 n)
{
    guint budget = G_MAXUINT;
    for (gint64 i = 0; i < n; i++) {
        PsNodeState *state = &warp->nodes[node];
        g_assert_true(ps_warp_remember(state, completion(node, state->known), 0, &budget));
    }
}

/* What a history says of so many instances. Before the first one all has passed. */
static void assert_recalls(const PsWarp *warp, guint node, gint64 known)
{
    const PsNodeState *state = &warp->nodes[node];
    g_assert_cmpint(state->known, ==, known);
    for (gint64 back = 0; back < 2 * (gint64)state->mask + 2; back++)
        g_assert_cmpint(ps_warp_recall(state, back), ==,
                        back < known ? completion(node, known - 1 - back) : 0);
}

static void count(PsWarp *warp, gint64 by)
{
    warp->trips[0] = 1 + by;
    for (guint e = 0; e < program.n_edges; e++) {
        warp->needs[e] = 10 + by + e;
        warp->countdowns[e] = 20 + by + e;
    }
    warp->left = 30 + by;
    for (guint n = 0; n < program.n_nodes; n++)
        warp->nodes[n].ready = 40 + by + n;
    warp->nodes[2].known = 50 + by; /* has no history */
}

static void assert_counts(const PsWarp *warp, gint64 by)
{
    g_assert_cmpint(warp->trips[0], ==, 1 + by);
    for (guint e = 0; e < program.n_edges; e++) {
        g_assert_cmpint(warp->needs[e], ==, 10 + by + e);
        g_assert_cmpint(warp->countdowns[e], ==, 20 + by + e);
    }
    g_assert_cmpint(warp->left, ==, 30 + by);
    for (guint n = 0; n < program.n_nodes; n++)
        g_assert_cmpint(warp->nodes[n].ready, ==, 40 + by + n);
    g_assert_cmpint(warp->nodes[2].known, ==, 50 + by);
}

/* Saves a warp after so many completions of its first two nodes, and sets it back when so many more
 * have come. */
static void set_back(const gint64 *then, const gint64 *more)
{
    PsPlan plan = {.n_programs = 1, .programs = &program};
    PsWarp warp;
    PsMoment moment = {0};
    ps_warp_init(&warp, &plan);
    ps_warp_take(&warp, &program);
    ps_warp_start(&warp, 0, 0);
    for (guint n = 0; n < 2; n++)
        remember(&warp, n, then[n]);
    count(&warp, 0);
    ps_moment_begin(&moment, TRUE);
    ps_moment_warp(&moment, &warp);
    for (guint n = 0; n < 2; n++)
        remember(&warp, n, more[n]);
    count(&warp, 100);
    for (guint times = 0; times < 2; times++) { /* a moment may be gone back to again */
        const guint mask = warp.nodes[0].mask;
        ps_moment_begin(&moment, FALSE);
        ps_moment_warp(&moment, &warp);
        g_assert_cmpuint(moment.at, ==, moment.n);
        g_assert_cmpuint(warp.nodes[0].mask, ==, mask); /* the room stays */
        for (guint n = 0; n < 2; n++)
            assert_recalls(&warp, n, then[n]);
        assert_counts(&warp, 0);
        remember(&warp, 1, 3);
        count(&warp, 7);
    }
    ps_warp_clear(&warp);
    ps_moment_clear(&moment);
}

/* Sizes are 4, 8, 16, 32: each node has each of these and then each that is as large or larger. */
static void test_sizes(void)
{
    static const gint64 known[] = {0, 3, 4, 5, 8, 11, 16, 19};
    for (guint i = 0; i < G_N_ELEMENTS(known); i++)
        for (guint j = 0; j < G_N_ELEMENTS(known); j++)
            for (guint k = 0; k < G_N_ELEMENTS(known); k++) {
                const gint64 then[] = {known[i], known[j]};
                const gint64 more[] = {known[k], known[(k + i) % G_N_ELEMENTS(known)]};
                set_back(then, more);
            }
}

/* A history that has not grown wraps around: of what has passed, only the latest stays. */
static void test_wrapped(void)
{
    PsPlan plan = {.n_programs = 1, .programs = &program};
    PsWarp warp;
    PsMoment moment = {0};
    guint budget = G_MAXUINT;
    ps_warp_init(&warp, &plan);
    ps_warp_take(&warp, &program);
    ps_warp_start(&warp, 0, 0);
    for (gint64 i = 0; i < 6; i++)
        g_assert_true(ps_warp_remember(warp.nodes, completion(0, i), completion(0, i), &budget));
    g_assert_cmpuint(warp.nodes[0].mask, ==, PS_HISTORY - 1);
    ps_moment_begin(&moment, TRUE);
    ps_moment_warp(&moment, &warp);
    remember(&warp, 0, 2);
    g_assert_cmpuint(warp.nodes[0].mask, >=, PS_HISTORY);
    ps_moment_begin(&moment, FALSE);
    ps_moment_warp(&moment, &warp);
    for (gint64 back = 0; back < 2 * PS_HISTORY; back++)
        g_assert_cmpint(ps_warp_recall(warp.nodes, back), ==,
                        back < PS_HISTORY ? completion(0, 5 - back) : 0);
    ps_warp_clear(&warp);
    ps_moment_clear(&moment);
}

int main(int argc, char **argv)
{
    g_test_init(&argc, &argv, NULL);
    g_test_add_func("/moment/sizes", test_sizes);
    g_test_add_func("/moment/wrapped", test_wrapped);
    return g_test_run();
}

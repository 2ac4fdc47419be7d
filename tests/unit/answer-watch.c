/* SPDX-License-Identifier: BSD-3-Clause */
/* How far a run is, by what is heard of its groups. */
#include "answer/watch.h"
#include "tests/help/ask.h"

/* Four CUs in two sorts, of 4 groups each. */
static const PsMachine machine = {.n_cus = 4, .launch.groups_per_cu = 4};

static void launch(const PsListener *listener, guint cu)
{
    listener->launched(listener->self, 0, &(PsGroups){.cu = cu, .n_cus = 2});
}

static void finish(const PsListener *listener, guint cu, guint n)
{
    for (guint i = 0; i < n; i++)
        listener->finished(listener->self, 0, &(PsGroups){.cu = cu, .n_cus = 2});
}

static void skip(const PsListener *listener, gint64 groups_per_cu)
{
    listener->skipped(listener->self, &(PsSkip){.n_cus = 2, .groups = 2 * groups_per_cu});
}

static void assert_share(PsWatch *watch, double share)
{
    gint64 since;
    assert_close(ps_watch_share(watch, &since), share);
    g_assert_true((since > 0) == (share > 0));
}

/* What is skipped need not be simulated; the second sort is known of when the first begins. */
static void test_share(void)
{
    PsWatch watch;
    ps_watch_init(&watch);
    const PsListener listener = ps_watch_listener(&watch, &machine);
    assert_share(&watch, 0);
    launch(&listener, 0);
    finish(&listener, 0, 3);
    assert_share(&watch, 3.0 / 8);
    skip(&listener, 1);
    assert_share(&watch, 3.0 / 6);
    launch(&listener, 2);
    finish(&listener, 2, 1);
    assert_share(&watch, 4.0 / 7);
    finish(&listener, 2, 3);
    assert_share(&watch, 1);
    ps_watch_clear(&watch);
}

/* Groups that are on the CUs when all others are skipped still end: no share is above 1, and none
 * is of nothing. */
static void test_most(void)
{
    PsWatch watch;
    ps_watch_init(&watch);
    const PsListener listener = ps_watch_listener(&watch, &machine);
    launch(&listener, 2);
    skip(&listener, 4);
    finish(&listener, 2, 1);
    assert_share(&watch, 1);
    finish(&listener, 2, 1);
    assert_share(&watch, 1);
    ps_watch_clear(&watch);
}

/* A run that fails takes its machine along, before the thread that waits for it hears of that. */
static void test_gone(void)
{
    PsMachine *gone = g_memdup2(&machine, sizeof machine);
    PsWatch watch;
    ps_watch_init(&watch);
    const PsListener listener = ps_watch_listener(&watch, gone);
    launch(&listener, 2);
    finish(&listener, 2, 1);
    memset(gone, 1, sizeof *gone);
    g_free(gone);
    assert_share(&watch, 1.0 / 4);
    ps_watch_clear(&watch);
}

int main(int argc, char **argv)
{
    g_test_init(&argc, &argv, NULL);
    g_test_add_func("/answer/watch/share", test_share);
    g_test_add_func("/answer/watch/most", test_most);
    g_test_add_func("/answer/watch/gone", test_gone);
    return g_test_run();
}

/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Windows of a run: with fast-forward up to them and after them, a window must show what it does in
 * a run that simulates every instruction, and nothing of it may be skipped; the run's answer, its
 * waits and its critical path must be the same as ever.
 */
#include "sim/listen/path.h"
#include "sim/listen/timeline.h"
#include "tests/help/build-graph.h"
#include "tests/help/random-roles.h"
#include "tests/help/random-run.h"

#include <string.h>

#define SEEDS 200
#define SEEDS_VALGRIND 8

/* Cases in a hundred of which the engine must skip a part before the window, at least. */
#define LEAST_SKIPPED 20

typedef struct {
    gint64 from, to; /* the window */
    PsSimResult result;
    GArray *spans;      /* PsTimelineSpan */
    GArray *issues;     /* gint64: times */
    GPtrArray *waits;   /* PsWaitRow */
    gint64 path;        /* ticks of all its rows */
    gboolean in_window; /* something of it was skipped */
    gboolean before;    /* something before it was */
} Seen;

static void seen_clear(Seen *seen)
{
    g_clear_pointer(&seen->spans, g_array_unref);
    g_clear_pointer(&seen->issues, g_array_unref);
    g_clear_pointer(&seen->waits, g_ptr_array_unref);
}

G_DEFINE_AUTO_CLEANUP_CLEAR_FUNC(Seen, seen_clear)

static void on_span(void *data, const PsTimelineSpan *span)
{
    g_array_append_vals(((Seen *)data)->spans, span, 1);
}

static void on_issued(void *data, const PsTimelineIssue *issue)
{
    Seen *seen = data;
    if (issue->time < seen->to)
        g_array_append_val(seen->issues, issue->time);
}

static void on_skipped(void *data, const PsSkip *skip)
{
    Seen *seen = data;
    seen->in_window = seen->in_window || (skip->from < seen->to && skip->to > seen->from);
    seen->before = seen->before || skip->to <= seen->from;
}

static int compare_spans(gconstpointer a, gconstpointer b)
{
    const PsTimelineSpan *x = a, *y = b;
    if (x->group != y->group)
        return x->group < y->group ? -1 : 1;
    if (x->warp != y->warp)
        return x->warp < y->warp ? -1 : 1;
    return (x->from > y->from) - (x->from < y->from);
}

static int compare_times(gconstpointer a, gconstpointer b)
{
    const gint64 *x = a, *y = b;
    return (*x > *y) - (*x < *y);
}

static gboolean look(const PsMachine *machine, gboolean every_one, Seen *seen, GError **error)
{
    const PsTimelineSink sink = {
        .data = seen, .span = on_span, .issued = on_issued, .skipped = on_skipped};
    g_autoptr(PsTimeline) timeline = ps_timeline_new(machine, seen->from, seen->to, &sink);
    g_autoptr(PsWaits) waits = ps_waits_new(machine);
    g_autoptr(PsPath) path = ps_path_new(machine);
    const PsListener listeners[] = {ps_timeline_listener(timeline), ps_waits_listener(waits),
                                    ps_path_listener(path)};
    const PsSimOptions options = {.listeners = listeners,
                                  .n_listeners = 3,
                                  .no_fast_forward = every_one,
                                  .whole_from = seen->from,
                                  .whole_to = seen->to};
    seen->spans = g_array_new(FALSE, FALSE, sizeof(PsTimelineSpan));
    seen->issues = g_array_new(FALSE, FALSE, sizeof(gint64));
    if (!ps_sim_run(machine, &options, &seen->result, error))
        return FALSE;
    seen->waits = ps_waits_rows(waits, seen->result.ticks);
    g_autoptr(GPtrArray) rows = ps_path_rows(path, seen->result.ticks, error);
    for (guint i = 0; rows && i < rows->len; i++)
        seen->path += ((const PsPathRow *)rows->pdata[i])->ticks;
    g_array_sort(seen->spans, compare_spans);
    g_array_sort(seen->issues, compare_times);
    return rows != NULL;
}

/* ---- what must be so ----------------------------------------------------------------------- */

static gboolean good_spans(const Seen *seen)
{
    for (guint i = 0; i < seen->spans->len; i++) {
        const PsTimelineSpan *span = &g_array_index(seen->spans, PsTimelineSpan, i);
        const gboolean follows =
            i > 0 && span[-1].group == span->group && span[-1].warp == span->warp;
        if (span->from < seen->from || span->to > seen->to || span->from >= span->to ||
            (follows && span->from < span[-1].to)) {
            g_test_message("span %u is from %" G_GINT64_FORMAT " to %" G_GINT64_FORMAT, i,
                           span->from, span->to);
            return FALSE;
        }
    }
    return TRUE;
}

static gboolean same_span(const PsTimelineSpan *a, const PsTimelineSpan *b)
{
    return a->kind == b->kind && a->from == b->from && a->to == b->to && a->group == b->group &&
           a->warp == b->warp && a->program == b->program && a->node == b->node &&
           a->which == b->which;
}

static gboolean same_spans(const Seen *hurried, const Seen *every)
{
    for (guint i = 0; i < MIN(hurried->spans->len, every->spans->len); i++) {
        const PsTimelineSpan *a = &g_array_index(hurried->spans, PsTimelineSpan, i);
        const PsTimelineSpan *b = &g_array_index(every->spans, PsTimelineSpan, i);
        if (same_span(a, b))
            continue;
        g_test_message("%s of group %d, warp %u from %" G_GINT64_FORMAT " to %" G_GINT64_FORMAT
                       " should be %s of group %d, warp %u from %" G_GINT64_FORMAT
                       " to %" G_GINT64_FORMAT,
                       ps_wait_kind_name(a->kind), (int)a->group, a->warp, a->from, a->to,
                       ps_wait_kind_name(b->kind), (int)b->group, b->warp, b->from, b->to);
        return FALSE;
    }
    if (hurried->spans->len != every->spans->len)
        g_test_message("%u spans, should be %u", hurried->spans->len, every->spans->len);
    return hurried->spans->len == every->spans->len;
}

static gboolean same_answer(const Seen *hurried, const Seen *every)
{
    gboolean same = hurried->result.ticks == every->result.ticks &&
                    hurried->result.instructions == every->result.instructions &&
                    hurried->path == every->result.ticks && every->path == every->result.ticks &&
                    hurried->waits->len == every->waits->len;
    for (guint i = 0; same && i < every->waits->len; i++) {
        const PsWaitRow *a = hurried->waits->pdata[i], *b = every->waits->pdata[i];
        same = a->kind == b->kind && a->which == b->which && a->ticks == b->ticks;
    }
    if (!same)
        g_test_message("the answer, the waits or the path are not the same");
    return same;
}

static gboolean same_issues(const Seen *hurried, const Seen *every)
{
    const gboolean same =
        hurried->issues->len == every->issues->len &&
        (every->issues->len == 0 || memcmp(hurried->issues->data, every->issues->data,
                                           every->issues->len * sizeof(gint64)) == 0);
    if (!same)
        g_test_message("%u issues, should be %u", hurried->issues->len, every->issues->len);
    return same;
}

/* A window somewhere in the run. */
static gboolean check_case(const RandomCase *random_case, const Engine *engine, gpointer skipped,
                           GError **error)
{
    const PsMachine *machine = engine->machine;
    guint *n_skipped = skipped;
    PsSimResult result;
    g_autoptr(GRand) rand = g_rand_new_with_seed(random_case->seed);
    if (!ps_sim_run(machine, NULL, &result, error))
        return FALSE;
    const gint64 from = (gint64)(g_rand_double(rand) * (double)result.ticks);
    const gint64 to = from + 1 + (gint64)(g_rand_double(rand) * (double)result.ticks / 20);
    g_auto(Seen) hurried = {.from = from, .to = to}, every = {.from = from, .to = to};
    if (!look(machine, FALSE, &hurried, error) || !look(machine, TRUE, &every, error))
        return FALSE;
    *n_skipped += hurried.before;
    gboolean good = good_spans(&every) && good_spans(&hurried) && !hurried.in_window;
    good = same_spans(&hurried, &every) && good;
    good = same_issues(&hurried, &every) && good;
    return same_answer(&hurried, &every) && good;
}

static void test_random(void)
{
    random_run_skipping((SeedCounts){SEEDS, SEEDS_VALGRIND}, check_case, LEAST_SKIPPED);
}

/* The same where warps await others (R12). */
static void test_roles(void)
{
    guint skipped = 0;
    const RandomRun run = {.draw = random_case_new_long,
                           .refine = random_case_roles_that_end,
                           .check = check_case,
                           .data = &skipped};
    random_run((SeedCounts){SEEDS, SEEDS_VALGRIND}, &run);
    if (!g_getenv("PIPESIM_SEED"))
        g_assert_cmpuint(skipped, >, 0);
}

/* Cases in which a warp has issued all within the window, and its group still runs while time is
 * skipped twice: the first skip leaves the warp's wait open, the second tells all of it. */
static void test_open_over_skips(void)
{
    static const guint32 seeds[] = {827, 853};
    guint skipped = 0;
    const RandomRun run = {.draw = random_case_new_long, .check = check_case, .data = &skipped};
    for (guint i = 0; i < G_N_ELEMENTS(seeds); i++)
        g_assert_true(random_run_seed(seeds[i], &run));
    g_assert_cmpuint(skipped, ==, G_N_ELEMENTS(seeds));
}

int main(int argc, char **argv)
{
    g_test_init(&argc, &argv, NULL);
    g_test_set_nonfatal_assertions();
    g_test_add_func("/timeline/random", test_random);
    g_test_add_func("/timeline/roles", test_roles);
    g_test_add_func("/timeline/open-over-skips", test_open_over_skips);
    return g_test_run();
}

/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * The tool sweep. Every argument can vary, so each point is a kernel of its own, which a thread
 * builds and simulates. Kept results are reused.
 */
#include "answer/asked.h"
#include "base/hearer.h"
#include "base/usage.h"
#include "base/workers.h"
#include "serve/pick.h"
#include "serve/short.h"
#include "tell/answer.h"

#include <string.h>

/* Points of a call, and points of a short answer, at most. */
#define MOST_POINTS 100000
#define BEST 5
#define PROBLEMS 2

typedef struct {
    const PsToolCall *call;
    PsHearer hearer; /* for each point: ends it, and tells nothing */
    GPtrArray *points;
    guint failed;
} Sweep;

/* A point and its result: the facts of a short answer, or why there are none. */
typedef struct {
    const Sweep *sweep;
    guint number;
    double seconds;
    PsTold *facts;
    GError *error;
} Point;

static void free_point(gpointer of)
{
    Point *point = of;
    ps_told_free(point->facts);
    g_clear_error(&point->error);
    g_free(point);
}

/* ---- values -------------------------------------------------------------------------------- */

/* The number of a point's value on an axis; the last axis varies fastest. */
static guint value_of(const GPtrArray *axes, guint point, guint axis)
{
    for (guint i = axes->len; i-- > axis + 1;)
        point /= ((const PsArgumentAxis *)axes->pdata[i])->values->len;
    return point % ((const PsArgumentAxis *)axes->pdata[axis])->values->len;
}

/* Counts the points. FALSE and *error if they are too many. */
static gboolean count(const GPtrArray *axes, guint *n, GError **error)
{
    guint64 all = 1;
    if (axes->len == 0)
        return ps_usage_error(error, "'vary' is missing");
    for (guint i = 0; i < axes->len && all <= MOST_POINTS; i++)
        all *= ((const PsArgumentAxis *)axes->pdata[i])->values->len;
    *n = (guint)all;
    return all <= MOST_POINTS ||
           ps_usage_error(error, "vary: more than %d points; vary less at once", MOST_POINTS);
}

static PsArguments *arguments_of(const Point *point)
{
    const GPtrArray *axes = point->sweep->call->arguments->axes;
    PsArguments *all = ps_arguments_over(point->sweep->call->arguments, NULL);
    for (guint i = 0; i < axes->len; i++) {
        const PsArgumentAxis *axis = axes->pdata[i];
        PsArguments *more =
            ps_arguments_over(all, axis->values->pdata[value_of(axes, point->number, i)]);
        ps_arguments_free(all);
        all = more;
    }
    return all;
}

static void tell_varied(const Point *point, PsTold *facts)
{
    const GPtrArray *axes = point->sweep->call->arguments->axes;
    ps_tell_open(facts, PS_FACT_SHORT_SWEEP_BEST_VARIED);
    for (guint i = 0; i < axes->len; i++) {
        const PsArgumentAxis *axis = axes->pdata[i];
        ps_tell_entry_text(facts, axis->row->name,
                           axis->shown->pdata[value_of(axes, point->number, i)]);
    }
    ps_tell_close(facts);
}

/* ---- work ---------------------------------------------------------------------------------- */

static void work_point(void *of)
{
    const PsPicks picked = PS_PICKS(PS_FACT_RESULT_SECONDS.n, PS_FACT_WORDS_LIMITED_BY.n);
    Point *point = of;
    const Sweep *sweep = point->sweep;
    g_autoptr(PsArguments) arguments = arguments_of(point);
    g_autoptr(PsServedKernel) kernel =
        ps_served_kernel_new(sweep->call->folders, arguments, sweep->hearer, &point->error);
    if (!kernel || !ps_asked_complete((PsAsked *)kernel->question, &point->error))
        return;
    g_autoptr(PsAnswer) answer = ps_answer_new(kernel->question, NULL, &point->error);
    if (!answer)
        return;
    g_autoptr(PsTold) all = ps_answer_told(answer, 0);
    point->seconds = answer->seconds;
    point->facts = ps_told_new();
    tell_varied(point, point->facts);
    ps_pick(point->facts, all, picked);
}

static gboolean is_cancelled(const PsProgress *progress, gpointer cancel)
{
    (void)progress;
    return !g_atomic_int_get((gint *)cancel);
}

static gboolean work_off(Sweep *sweep, GError **error)
{
    gint cancel = 0;
    sweep->hearer = (PsHearer){is_cancelled, &cancel};
    const PsWork work = {.jobs = sweep->points,
                         .threads = g_get_num_processors(),
                         .work = work_point,
                         .phase = PS_PHASE_POINTS,
                         .progress = sweep->call->hearer,
                         .cancel = &cancel};
    return ps_work_off(&work, error);
}

/* ---- telling ------------------------------------------------------------------------------- */

/* The fastest first; points without an answer at the end. */
static int by_seconds(const void *a, const void *b)
{
    const Point *one = *(Point *const *)a, *other = *(Point *const *)b;
    if (!one->facts || !other->facts)
        return !one->facts - !other->facts;
    return one->seconds != other->seconds
               ? (one->seconds > other->seconds) * 2 - 1
               : (one->number > other->number) - (one->number < other->number);
}

static void tell_problems(const Sweep *sweep, guint most, PsTold *facts)
{
    ps_tell_open(facts, PS_FACT_SHORT_SWEEP_PROBLEMS);
    for (guint i = sweep->points->len - sweep->failed; i < sweep->points->len && most > 0;
         i++, most--) {
        const Point *point = sweep->points->pdata[i];
        ps_tell_item_text(facts, point->error->message);
    }
    ps_tell_close(facts);
}

/* The short answer with so many points and problems (g_free). */
static char *tell(const Sweep *sweep, guint best, guint problems)
{
    g_autoptr(PsTold) facts = ps_told_new();
    ps_tell(facts, PS_FACT_SHORT_SWEEP_POINTS, (gint64)sweep->points->len);
    ps_tell(facts, PS_FACT_SHORT_SWEEP_FAILED, (gint64)sweep->failed);
    ps_tell_open(facts, PS_FACT_SHORT_SWEEP_BEST);
    for (guint i = 0; i < MIN(best, sweep->points->len - sweep->failed); i++) {
        const Point *point = sweep->points->pdata[i];
        ps_tell_item(facts);
        ps_tell_members(facts, point->facts);
        ps_tell_close(facts);
    }
    ps_tell_close(facts);
    tell_problems(sweep, problems, facts);
    return ps_short_json(facts);
}

static char *tell_fitting(const Sweep *sweep)
{
    guint problems = MIN(sweep->failed, PROBLEMS), best = BEST;
    for (;;) {
        g_autofree char *text = tell(sweep, best, problems);
        if (strlen(text) <= PS_SHORT_BYTES || best + problems == 0)
            return g_steal_pointer(&text);
        if (problems > 1 || (problems == 1 && best <= 1))
            problems--;
        else
            best--;
    }
}

char *ps_serve_sweep(const PsToolCall *call, GError **error)
{
    guint n = 0;
    if (!count(call->arguments->axes, &n, error))
        return NULL;
    g_autoptr(GPtrArray) points = g_ptr_array_new_with_free_func(free_point);
    Sweep sweep = {.call = call, .points = points};
    for (guint i = 0; i < n; i++) {
        Point *point = g_new0(Point, 1);
        point->sweep = &sweep;
        point->number = i;
        g_ptr_array_add(points, point);
    }
    if (!work_off(&sweep, error))
        return NULL;
    for (guint i = 0; i < n; i++)
        sweep.failed += ((Point *)points->pdata[i])->facts == NULL;
    g_ptr_array_sort(points, by_seconds);
    return ps_call_detail(call) == PS_DETAIL_JSON ? tell(&sweep, G_MAXUINT, G_MAXUINT)
                                                  : tell_fitting(&sweep);
}

/* SPDX-License-Identifier: BSD-3-Clause */
#include "sim/engine/estimate.h"

#include <math.h>

/* A run may simulate so many instructions without estimates; these numbers divide it. A residency
 * is as many groups as the CU holds at once: loops of a shorter one are not looked into. A stretch
 * of loops of fewer instructions is too short to tell a rate. */
#define RESIDENCY 16
#define STRETCH 128

/* Residencies at the end that are simulated. */
#define LAST_RESIDENCIES 2

/* Events before the first start in loops, which begin anew all the time. */
#define LOOP_START 8

/* The share of the precision that estimates in loops may use up. */
#define LOOP_SHARE 0.5

/* Warps of a group whose progress differs by less than this share go on alike. */
#define ALIKE 0.125

/* A remainder below this share of the stretch may be simulated. */
#define LEFT_OVER 0.125

static gint64 residency(const PsEngine *engine)
{
    return ps_plan_instructions(engine->plan, engine->n_places);
}

static PsSteadyPoint point_now(const PsEngine *engine)
{
    const gint64 work = engine->instructions + engine->simulated;
    gint64 backlog = 0;
    for (guint s = 0; s < engine->plan->machine->servers->len; s++)
        backlog = MAX(backlog, engine->server_free[s] - engine->now);
    return (PsSteadyPoint){engine->now + engine->base, work,
                           work - ps_plan_instructions(engine->plan, engine->launched), backlog};
}

void ps_estimate_init(PsExtrapolation *estimate, const PsEngine *engine, gboolean on)
{
    const guint n_warps = engine->n_places * engine->warps_per_group;
    estimate->on = on && (engine->precision > 0 || engine->hurry);
    if (!estimate->on)
        return;
    estimate->series = g_new0(PsEstimateSeries, PS_FORWARD_DEPTHS);
    for (guint d = 1; d < PS_FORWARD_DEPTHS; d++)
        for (guint m = 0; m < 2; m++) {
            estimate->series[d].marks[m].left = g_new0(gint64, n_warps + 1);
            estimate->series[d].marks[m].trips = g_new0(PsEstimateTrips, n_warps + 1);
        }
    ps_estimate_restart(estimate, engine, 0, TRUE);
}

void ps_estimate_clear(PsExtrapolation *estimate)
{
    if (!estimate->on)
        return;
    for (guint d = 1; d < PS_FORWARD_DEPTHS; d++)
        for (guint m = 0; m < 2; m++) {
            g_free(estimate->series[d].marks[m].left);
            g_free(estimate->series[d].marks[m].trips);
        }
    g_free(estimate->series);
}

void ps_estimate_restart(PsExtrapolation *estimate, const PsEngine *engine, guint depth,
                         gboolean too)
{
    const PsSteadyPoint point = point_now(engine);
    for (guint d = too ? depth : depth + 1; d < PS_FORWARD_DEPTHS; d++) {
        PsEstimateSeries *series = &estimate->series[d];
        ps_steady_begin(&series->steady, d > 0 ? 1 : engine->n_places, d > 0 ? LOOP_START : 1,
                        &point);
        series->launched = engine->launched;
        series->tested = 0;
    }
}

/* ---- a series ------------------------------------------------------------------------------ */

static guint count_residents(const PsEngine *engine)
{
    guint n = 0;
    for (guint p = engine->oldest; p != PS_NO_PLACE; p = engine->places[p].newer)
        n++;
    return n;
}

/* Marks of estimates have numbers behind those of exact repeats (sim/engine/forward.h). */
static guint mark_number(guint depth, guint which)
{
    return PS_FORWARD_DEPTHS + 2 * depth + which;
}

/* Moves the next start one on: the start to come becomes the present one. */
static void mark(PsEstimateSeries *series, PsEngine *engine, guint depth)
{
    PsEstimateMark *next = &series->marks[series->start];
    next->launched = engine->launched;
    next->residents = count_residents(engine);
    for (guint w = 0; depth > 0 && w < engine->n_places * engine->warps_per_group; w++)
        next->left[w] = engine->warps[w].left;
    ps_engine_tell_marked(engine, mark_number(depth, series->start));
    series->start = 1 - series->start;
}

static gboolean in_a_hurry(const PsEngine *engine)
{
    return engine->hurry && g_atomic_int_get(engine->hurry) != 0;
}

/* FALSE for loops where groups suffice: they tell more, and a run may have many in little time. */
static gboolean is_worth_it(const PsEngine *engine, guint depth)
{
    if (in_a_hurry(engine))
        return TRUE;
    return engine->precision > 0 && engine->before + engine->simulated >= engine->exact &&
           (depth == 0 || residency(engine) >= engine->exact / RESIDENCY);
}

PsEstimateEvent ps_estimate_event(PsExtrapolation *estimate, PsEngine *engine, guint depth)
{
    PsEstimateSeries *series = &estimate->series[depth];
    ps_estimate_restart(estimate, engine, depth, FALSE);
    const gint64 events = depth > 0 ? 1 : engine->launched - series->launched;
    series->launched = engine->launched;
    if (!ps_steady_wants(&series->steady, events))
        return PS_ESTIMATE_NOTHING;
    const PsSteadyPoint point = point_now(engine);
    if (ps_steady_add(&series->steady, &point)) {
        mark(series, engine, depth);
        return PS_ESTIMATE_MARK;
    }
    const guint n = series->steady.n;
    if (series->steady.start == 0 || !is_worth_it(engine, depth) ||
        (n > series->tested && n - series->tested < series->tested / 16))
        return PS_ESTIMATE_NOTHING;
    series->tested = n;
    return PS_ESTIMATE_TEST;
}

PsEstimateMark *ps_estimate_mark(const PsExtrapolation *estimate, guint depth)
{
    PsEstimateSeries *series = &estimate->series[depth];
    return &series->marks[1 - series->start];
}

/* ---- loops --------------------------------------------------------------------------------- */

const PsPlanLoop *ps_estimate_loop(const PsPlanProgram *program, guint depth)
{
    const PsPlanNode *node = &program->nodes[program->deepest];
    return program->n_nodes > 0 && node->n_loops >= depth ? &node->loops[node->n_loops - depth]
                                                          : NULL;
}

/* Barriers in an iteration of a program's loop; -1 if the loops around it have others, at which
 * warps meet that the loop lets drift apart. */
static gint64 barriers_in(const PsPlanProgram *program, guint depth)
{
    const PsPlanLoop *loop = ps_estimate_loop(program, depth);
    gint64 n = 0;
    for (guint i = 0; loop && i < program->n_nodes; i++) {
        const PsPlanNode *node = &program->nodes[i];
        const gint64 inside = ps_estimate_per_iteration(node, loop->number);
        if (node->barrier && inside == 0 && depth > 1 && node->n_loops > 0)
            return -1;
        n += node->barrier ? inside : 0;
    }
    return n;
}

/* Barriers in an iteration of each program of a kind of groups; -1 if the programs differ. */
static gint64 barriers_of(const PsEngine *engine, guint kind, guint depth)
{
    const PsPlan *plan = engine->plan;
    gint64 n = -1;
    for (guint p = 0, of = 0; p < plan->n_programs; p++) {
        if (plan->machine->kernel->programs[p].kind != kind)
            continue;
        const gint64 barriers = barriers_in(&plan->programs[p], depth);
        if (of++ > 0 && barriers != n)
            return -1;
        n = barriers;
    }
    return n;
}

/* Iterations of a warp since the mark. */
static double gone(const PsEngine *engine, const PsEstimateMark *from, guint slot, guint depth)
{
    const PsWarp *warp = &engine->warps[slot];
    const PsPlanLoop *loop = ps_estimate_loop(warp->program, depth);
    return loop ? (double)(from->left[slot] - warp->left) / (double)loop->stride : 0;
}

/* TRUE if all nodes of the warp advanced equally, up to the iteration in progress. */
static gboolean keeps_together(const PsEstimateTrips *from, const PsEstimateTrips *to, double trips)
{
    return from->ahead > 0 && to->ahead > 0 &&
           fabs((double)(from->ahead - to->ahead) - trips) < 1.5 &&
           fabs((double)(from->behind - to->behind) - trips) < 1.5;
}

/* Sets the iterations of a group's warps: equal ones if barriers keep the warps together, or if
 * they advanced about equally, since random differences do not add up. Returns that difference,
 * which would recur each time if it were not random. */
static double find_group_trips(const PsEngine *engine, const PsEstimateMark *from, guint place,
                               guint depth, gboolean together, double *trips)
{
    const guint n = engine->warps_per_group;
    double mean = 0, widest = 0;
    for (guint slot = place * n; slot < (place + 1) * n; slot++) {
        trips[slot] = gone(engine, from, slot, depth);
        mean += trips[slot] / n;
    }
    for (guint slot = place * n; slot < (place + 1) * n; slot++)
        widest = MAX(widest, fabs(trips[slot] - mean));
    for (guint slot = place * n; slot < (place + 1) * n; slot++)
        if (together || widest <= ALIKE * mean)
            trips[slot] = mean;
    return together || widest > ALIKE * mean ? 0 : widest;
}

gboolean ps_estimate_trips(const PsExtrapolation *estimate, const PsEngine *engine,
                           PsEstimateStep *step, const PsEstimateTrips *now, double *trips)
{
    const guint depth = step->depth;
    const PsEstimateSeries *series = &estimate->series[depth];
    const PsEstimateMark *from = &series->marks[series->start];
    const guint n = engine->warps_per_group;
    if (from->launched != engine->launched || from->residents != count_residents(engine))
        return FALSE;
    for (guint p = engine->oldest; p != PS_NO_PLACE; p = engine->places[p].newer) {
        const gint64 barriers = barriers_of(engine, engine->places[p].kind, depth);
        if (barriers < 0)
            return FALSE;
        const double apart = find_group_trips(engine, from, p, depth, barriers > 0, trips);
        step->apart = MAX(step->apart, apart);
        for (guint slot = p * n; slot < (p + 1) * n; slot++)
            if (!keeps_together(&from->trips[slot], &now[slot], gone(engine, from, slot, depth)))
                return FALSE;
    }
    return TRUE;
}

/* ---- deciding ------------------------------------------------------------------------------ */

/* The doubt from skipping in loops. Random: the rate, and half an iteration, since warps do not
 * stand in their iterations where they would. Systematic: the change of the rate that was left, and
 * the drift of warps that are treated alike. */
static PsDoubt doubt_of_loops(const PsEstimateStep *step, const PsSteadyRate *rate)
{
    const double iteration = rate->time / step->trips;
    const double apart = step->apart * (double)step->times * iteration;
    return (PsDoubt){rate->half_width * rate->half_width + iteration * iteration / 4,
                     hypot(rate->change, apart)};
}

/* The doubt from skipping groups. Random: the rate, and how far the groups in progress are when the
 * last ones are launched, at least half a group. Systematic: the change of the rate that was left,
 * and the difference between time by instructions and time by launches. */
static PsDoubt doubt_of_groups(const PsEngine *engine, const PsSteadyRate *rate, double ticks)
{
    const double half_group = (double)engine->plan->group_length / 2;
    const double lead = CLAMP(rate->lead, half_group, half_group * engine->n_places);
    const double end = lead * rate->time / rate->work, ahead = rate->ahead * ticks / rate->work;
    return (PsDoubt){rate->half_width * rate->half_width + end * end, hypot(rate->change, ahead)};
}

/* The doubt of the run behind the skip: servers would have advanced, too. Groups' times include the
 * doubt of estimates in their loops, and so do the groups that are skipped. */
static PsDoubt doubt_after(const PsEngine *engine, const PsEstimateStep *step,
                           const PsSteadyRate *rate, double ticks)
{
    const double now = (double)(engine->now + engine->base);
    const double grows = step->depth > 0 ? 1 : 1 + ticks / now;
    const PsDoubt more =
        step->depth > 0 ? doubt_of_loops(step, rate) : doubt_of_groups(engine, rate, ticks);
    return (PsDoubt){engine->doubt.squares * grows * grows + more.squares,
                     engine->doubt.side * grows + more.side + rate->backlog * ticks / rate->time};
}

/* Half of the 95 % interval, from the doubt and the work that is simulated after the first
 * estimate. An exact run would do other work, as likely, so the time of each scatters. */
static double half_width(PsDoubt doubt, double scatter, double work)
{
    return doubt.side + sqrt(doubt.squares + 2 * scatter * scatter * MAX(work, 0));
}

double ps_estimate_half_width(const PsEngine *engine)
{
    return half_width(engine->doubt, engine->scatter,
                      (double)(engine->simulated - engine->parted_at));
}

/* TRUE if the interval is narrow enough: for the whole run, and in loops for the time until they
 * end. */
static gboolean is_narrow(const PsEngine *engine, const PsEstimateStep *step,
                          const PsSteadyRate *rate, double ticks)
{
    const double left = (double)ps_plan_instructions(engine->plan, engine->groups) -
                        (double)(engine->instructions + engine->simulated);
    const double now = (double)(engine->now + engine->base);
    const double wanted = engine->precision * (now + left * rate->time / rate->work);
    const double since =
        engine->estimated > 0 ? (double)(engine->simulated - engine->parted_at) : 0;
    const double after = since + left - step->work * (double)step->times;
    const PsDoubt doubt = doubt_after(engine, step, rate, ticks), none = {0};
    if (step->depth == 0)
        return half_width(doubt, step->scatter, after) <= wanted;
    return half_width(doubt, 0, 0) <= LOOP_SHARE * engine->precision * (now + ticks) &&
           half_width(none, step->scatter, after) <= LOOP_SHARE * wanted;
}

/* How often the stretch may repeat before a window that must stay whole, and before the time is
 * over. */
static double most_by_time(const PsEngine *engine, const PsSteady *steady)
{
    const gint64 now = engine->now + engine->base;
    const double period = (double)MAX(now - steady->points[steady->start].time, 1);
    const gint64 until = now < engine->whole_to ? MAX(engine->whole_from, now) : PS_MAX_TIME;
    return (double)(until - now) / period;
}

/* The remainder after so many repeats is simulated: TRUE if it is little, or becomes no smaller. */
static gboolean leaves_little(const PsSteady *steady, double most, gint64 times)
{
    const double over = most - (double)times;
    return over <= LEFT_OVER || over * (steady->n - steady->start) <= (double)times;
}

gboolean ps_estimate_decide(const PsExtrapolation *estimate, PsEngine *engine, PsEstimateStep *step)
{
    const PsSteady *steady = &estimate->series[step->depth].steady;
    const gboolean hurried = in_a_hurry(engine);
    const double most = MIN(step->most, most_by_time(engine, steady));
    PsSteadyRate rate;
    if (most < 1)
        return FALSE;
    step->times = (gint64)most;
    const double work = step->work * (double)step->times;
    if ((!hurried && !leaves_little(steady, most, step->times)) ||
        !ps_steady_rate(steady, work, hurried, &rate))
        return FALSE;
    step->rate = rate.time / rate.work;
    step->scatter = MAX(ps_steady_scatter(steady), ps_steady_scatter(&estimate->series[0].steady));
    const double ticks = work * step->rate;
    const gboolean is_long = step->depth == 0 || rate.work * STRETCH >= (double)engine->exact;
    if (!hurried && !(is_long && is_narrow(engine, step, &rate, ticks)))
        return FALSE;
    if (engine->estimated == 0)
        engine->parted_at = engine->simulated;
    engine->doubt = doubt_after(engine, step, &rate, ticks);
    engine->scatter = MAX(engine->scatter, step->scatter);
    return TRUE;
}

gboolean ps_estimate_groups(const PsExtrapolation *estimate, const PsEngine *engine,
                            PsEstimateStep *step)
{
    const PsEstimateSeries *series = &estimate->series[0];
    const gint64 last = LAST_RESIDENCIES * (gint64)engine->n_places;
    const gint64 from = series->marks[series->start].launched;
    step->groups = engine->launched - from;
    step->work = (double)(ps_plan_instructions(engine->plan, engine->launched) -
                          ps_plan_instructions(engine->plan, from));
    step->most = (double)(engine->groups - engine->launched - last) / (double)step->groups;
    return step->groups > 0;
}

void ps_estimate_skip(PsExtrapolation *estimate, PsEngine *engine, const PsEstimateStep *step,
                      gint64 work)
{
    const PsEstimateSeries *series = &estimate->series[step->depth];
    const gint64 now = engine->now + engine->base;
    const gint64 ticks = llround((double)work * step->rate);
    const PsSkip skip = {.mark = mark_number(step->depth, series->start),
                         .from = now,
                         .to = now + ticks,
                         .period = now - series->steady.points[series->steady.start].time,
                         .times = step->times,
                         .instructions = work,
                         .groups = step->times * step->groups,
                         .estimated = TRUE};
    if (skip.groups > 0)
        ps_engine_renumber(engine, skip.groups);
    engine->instructions += work;
    engine->base += ticks;
    engine->estimated += ticks;
    engine->skips++;
    ps_engine_tell_skipped(engine, &skip);
    ps_estimate_restart(estimate, engine, step->depth, TRUE);
}

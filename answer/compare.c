/* SPDX-License-Identifier: BSD-3-Clause */
/* Two critical paths as one table: shares match if they are charged to the same thing. See
 * compare.h. */
#include "answer/compare.h"

#include "answer/answer-private.h"
#include "answer/line-match.h"

#include <math.h>

/* A relative difference of work that counts as none. */
#define SAME_WORK 0.1

/* ---- one table ----------------------------------------------------------------------------- */

/* A charge, while its table is made. */
typedef struct {
    PsCharge charge;
    PsExplainKey key;
    const PsLineGroup *group; /* of its line, or NULL: A and B may each have a line of that name */
} Row;

/* The key of a charge. Which warp comes last at a barrier does not divide charges. */
static PsExplainKey key_of(const PsAnswer *answer, const PsExplainShare *share, PsExplainBy by)
{
    PsExplainKey key = ps_explain_key(answer, share, by);
    key.warp = 0;
    return key;
}

static Row *find_row(const GPtrArray *rows, const PsExplainKey *key, const PsLineGroup *group)
{
    for (guint i = 0; i < rows->len; i++) {
        Row *row = rows->pdata[i];
        if (row->group == group && (group || ps_explain_compare(&row->key, key) == 0))
            return row;
    }
    return NULL;
}

/* The group of a share's line; NULL: the share has no line, or the table is not one of lines. */
static const PsLineGroup *group_of(const PsComparison *comparison, guint side,
                                   const PsExplainShare *share)
{
    return share->line ? g_hash_table_lookup(comparison->lines->of[side], share->line) : NULL;
}

static Row *add_row(GPtrArray *rows, const PsExplainShare *share, const PsExplainKey *key,
                    const PsLineGroup *group)
{
    Row *row = g_new0(Row, 1);
    *row = (Row){{.kind = share->kind, .name = key->name}, *key, group};
    if (group) {
        row->charge.name = row->key.name = group->names[0] ? group->names[0] : group->names[1];
        row->charge.change = group->change;
        row->charge.places[0] = group->names[0];
        row->charge.places[1] = group->names[1];
    }
    g_ptr_array_add(rows, row);
    return row;
}

/* Adds the shares of one side. */
static void add_side(GPtrArray *rows, const PsComparison *comparison, guint side,
                     const GPtrArray *shares, PsExplainBy by)
{
    const PsAnswer *answer = comparison->answers[side];
    for (guint i = 0; i < shares->len; i++) {
        const PsExplainShare *share = shares->pdata[i];
        const PsExplainKey key = key_of(answer, share, by);
        const PsLineGroup *group = group_of(comparison, side, share);
        Row *row = find_row(rows, &key, group);
        if (!row)
            row = add_row(rows, share, &key, group);
        row->charge.ticks[side] += share->ticks;
        row->charge.there[side] = TRUE;
    }
}

static void find_seconds(const PsComparison *comparison, PsCharge *charge)
{
    for (guint side = 0; side < 2; side++) {
        const PsAnswer *answer = comparison->answers[side];
        const PsRational cycles = ps_machine_cycles(answer->machine, charge->ticks[side]);
        charge->seconds[side] =
            ps_rational_to_double(cycles) / (ps_rational_to_double(answer->clock) * 1e6);
    }
    charge->difference = charge->seconds[1] - charge->seconds[0];
}

static int largest_first(gconstpointer a, gconstpointer b)
{
    const Row *x = *(Row *const *)a, *y = *(Row *const *)b;
    const PsCharge *first = &x->charge, *second = &y->charge;
    const double dx = fabs(first->difference), dy = fabs(second->difference);
    if (dx != dy)
        return dx > dy ? -1 : 1;
    const double most_x = MAX(first->seconds[0], first->seconds[1]);
    const double most_y = MAX(second->seconds[0], second->seconds[1]);
    if (most_x != most_y)
        return most_x > most_y ? -1 : 1;
    return ps_explain_compare(&x->key, &y->key);
}

/* A charge is the first member of its row. */
static GPtrArray *make_table(const PsComparison *comparison, const GPtrArray *a, const GPtrArray *b,
                             PsExplainBy by)
{
    GPtrArray *rows = g_ptr_array_new_with_free_func(g_free);
    add_side(rows, comparison, 0, a, by);
    add_side(rows, comparison, 1, b, by);
    for (guint i = 0; i < rows->len; i++)
        find_seconds(comparison, rows->pdata[i]);
    g_ptr_array_sort(rows, largest_first);
    return rows;
}

/* ---- all of it ----------------------------------------------------------------------------- */

static PsCharge off_path(double a, double b)
{
    return (PsCharge){.there = {a != 0, b != 0}, .seconds = {a, b}, .difference = b - a};
}

/* Less work takes less time, which makes no kernel better: says where work differs. */
static void find_work(PsComparison *comparison)
{
    const PsAnswer *a = comparison->answers[0], *b = comparison->answers[1];
    comparison->work_is_operations = a->flops > 0 && b->flops > 0;
    const double ratio = comparison->work_is_operations
                             ? b->flops / a->flops
                             : b->roofline.params.W_traf / a->roofline.params.W_traf;
    comparison->work = isfinite(ratio) && fabs(ratio - 1) > SAME_WORK ? ratio : 1;
}

/* If both fail, A's error is reported. */
gboolean ps_compared_answers(PsQuestion *const questions[2], PsAnswer *answers[2], GError **error)
{
    const PsQuestion *const both[] = {questions[0], questions[1]};
    GError *errors[2];
    questions[0]->explain = questions[1]->explain = TRUE;
    const gboolean done = ps_answers_new(both, 2, answers, errors, error);
    const guint failed = errors[0] ? 0 : 1;
    if (!errors[failed])
        return done;
    g_propagate_prefixed_error(error, g_steal_pointer(&errors[failed]), "%s",
                               failed == 0 ? "A: " : "B: ");
    g_clear_error(&errors[1]);
    g_clear_pointer(&answers[0], ps_answer_free);
    g_clear_pointer(&answers[1], ps_answer_free);
    return FALSE;
}

PsComparison *ps_comparison_new(const PsAnswer *a, const PsAnswer *b)
{
    PsComparison *comparison = g_new0(PsComparison, 1);
    const PsExplain *x = a->explain, *y = b->explain;
    comparison->answers[0] = a;
    comparison->answers[1] = b;
    comparison->difference = b->seconds - a->seconds;
    comparison->launch = off_path(a->launch_seconds, b->launch_seconds);
    comparison->clamp = off_path(a->seconds - a->simulated, b->seconds - b->simulated);
    find_work(comparison);
    comparison->problem = !x->path ? x->problem : !y->path ? y->problem : NULL;
    if (comparison->problem)
        return comparison;
    comparison->lines = ps_line_match_new(a, b);
    comparison->line_problem = comparison->lines->problem;
    comparison->line_note = comparison->lines->note;
    comparison->by_class = make_table(comparison, x->by_class, y->by_class, PS_EXPLAIN_BY_CLASS);
    comparison->by_line = make_table(comparison, x->by_line, y->by_line, PS_EXPLAIN_BY_LINE);
    comparison->by_pipeline =
        make_table(comparison, x->by_pipeline, y->by_pipeline, PS_EXPLAIN_BY_PIPELINE);
    return comparison;
}

void ps_comparison_free(PsComparison *comparison)
{
    if (!comparison)
        return;
    g_clear_pointer(&comparison->by_class, g_ptr_array_unref);
    g_clear_pointer(&comparison->by_line, g_ptr_array_unref);
    g_clear_pointer(&comparison->by_pipeline, g_ptr_array_unref);
    ps_line_match_free(comparison->lines);
    g_free(comparison);
}

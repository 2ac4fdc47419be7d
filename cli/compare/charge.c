/* SPDX-License-Identifier: BSD-3-Clause */
/* Two critical paths as one table: shares are matched by what they are charged to. See compare.h.
 */
#include "cli/compare/compare.h"

#include "answer/explain.h"
#include "cli/report/format.h"

#include <math.h>
#include <string.h>

/* ---- one table ----------------------------------------------------------------------------- */

static void free_charge(void *data)
{
    Charge *charge = data;
    g_free(charge->name);
    g_free(charge->klass);
    g_free(charge);
}

static const char *class_of(const Answer *answer, const ExplainShare *share)
{
    return share->class_ == G_MAXUINT ? NULL : answer->machine->classes[share->class_].asked;
}

/* Which warp comes last at a barrier is no reason to tell two charges apart. */
static char *name_of(const ExplainShare *share, const char *klass)
{
    if (share->kind != PS_PATH_BARRIER || !klass)
        return g_strdup(share->name);
    g_autofree char *clean = ps_text_clean(klass);
    return g_strdup_printf("%s, after its last warp", clean);
}

/* Adds the shares of one side; with_class tells apart by kind and class, else the name does. */
static void add_side(const Versus *versus, guint side, const GPtrArray *shares, gboolean with_class,
                     GPtrArray *charges)
{
    g_autoptr(GHashTable) by_name = g_hash_table_new(g_str_hash, g_str_equal);
    for (guint i = 0; i < charges->len; i++)
        g_hash_table_insert(by_name, ((Charge *)charges->pdata[i])->name, charges->pdata[i]);
    for (guint i = 0; i < shares->len; i++) {
        const ExplainShare *share = shares->pdata[i];
        const char *klass = with_class ? class_of(versus->answers[side], share) : NULL;
        g_autofree char *name = name_of(share, klass);
        Charge *charge = g_hash_table_lookup(by_name, name);
        if (!charge) {
            charge = g_new0(Charge, 1);
            charge->name = g_strdup(name);
            charge->kind = with_class ? ps_path_kind_name(share->kind) : NULL;
            charge->klass = g_strdup(klass);
            g_ptr_array_add(charges, charge);
            g_hash_table_insert(by_name, charge->name, charge);
        }
        charge->ticks[side] += share->ticks;
        charge->there[side] = TRUE;
    }
}

static void find_seconds(const Versus *versus, Charge *charge)
{
    for (guint side = 0; side < 2; side++) {
        const Answer *answer = versus->answers[side];
        const PsRational cycles = ps_machine_cycles(answer->machine, charge->ticks[side]);
        charge->seconds[side] =
            ps_rational_to_double(cycles) / (ps_rational_to_double(answer->clock) * 1e6);
    }
    charge->difference = charge->seconds[1] - charge->seconds[0];
}

static int largest_first(gconstpointer a, gconstpointer b)
{
    const Charge *x = *(Charge *const *)a, *y = *(Charge *const *)b;
    const double dx = fabs(x->difference), dy = fabs(y->difference);
    if (dx != dy)
        return dx > dy ? -1 : 1;
    const double most_x = MAX(x->seconds[0], x->seconds[1]);
    const double most_y = MAX(y->seconds[0], y->seconds[1]);
    if (most_x != most_y)
        return most_x > most_y ? -1 : 1;
    return strcmp(x->name, y->name);
}

static GPtrArray *make_table(const Versus *versus, const GPtrArray *a, const GPtrArray *b,
                             gboolean with_class)
{
    GPtrArray *charges = g_ptr_array_new_with_free_func(free_charge);
    add_side(versus, 0, a, with_class, charges);
    add_side(versus, 1, b, with_class, charges);
    for (guint i = 0; i < charges->len; i++)
        find_seconds(versus, charges->pdata[i]);
    g_ptr_array_sort(charges, largest_first);
    return charges;
}

/* ---- all of it ----------------------------------------------------------------------------- */

static Charge off_path(const char *name, double a, double b)
{
    return (Charge){
        .name = g_strdup(name), .there = {a != 0, b != 0}, .seconds = {a, b}, .difference = b - a};
}

Versus *versus_new(const VersusSide sides[2])
{
    Versus *versus = g_new0(Versus, 1);
    const Answer *a = sides[0].answer, *b = sides[1].answer;
    for (guint side = 0; side < 2; side++) {
        versus->sides[side] = sides[side];
        versus->answers[side] = sides[side].answer;
        if (!sides[side].answer->explain->path && !versus->problem)
            versus->problem = g_strdup(sides[side].answer->explain->problem);
    }
    versus->launch = off_path("the kernel's launch", a->launch_seconds, b->launch_seconds);
    versus->clamp =
        off_path("held back by the clamp", a->seconds - a->simulated, b->seconds - b->simulated);
    if (versus->problem)
        return versus;
    const Explain *x = a->explain, *y = b->explain;
    versus->by_class = make_table(versus, x->by_class, y->by_class, TRUE);
    versus->by_line = make_table(versus, x->by_line, y->by_line, FALSE);
    versus->by_pipeline = make_table(versus, x->by_pipeline, y->by_pipeline, FALSE);
    return versus;
}

void versus_free(Versus *versus)
{
    if (!versus)
        return;
    GPtrArray *const arrays[] = {versus->by_class, versus->by_line, versus->by_pipeline};
    for (guint i = 0; i < G_N_ELEMENTS(arrays); i++)
        if (arrays[i])
            g_ptr_array_unref(arrays[i]);
    g_free(versus->launch.name);
    g_free(versus->clamp.name);
    g_free(versus->problem);
    g_free(versus);
}

double versus_difference(const Versus *versus)
{
    return versus->answers[1]->seconds - versus->answers[0]->seconds;
}

/* Less work takes less time, which makes no kernel better: "; B has 0.5000 times as many
 * operations", or where none are counted, "; B moves 0.5000 times as many bytes". Empty where that
 * is equal, more or less, or not known (g_free). */
static char *describe_work(const Answer *a, const Answer *b)
{
    static const double equal = 0.1;
    const gboolean computes = a->flops > 0 && b->flops > 0;
    const double ratio =
        computes ? b->flops / a->flops : b->bound.params.W_traf / a->bound.params.W_traf;
    if (!isfinite(ratio) || fabs(ratio - 1) <= equal)
        return g_strdup("");
    g_autofree char *times = format_number(ratio);
    return g_strdup_printf("; B %s %s times as many %s", computes ? "has" : "moves", times,
                           computes ? "operations" : "bytes");
}

char *versus_sentence(const Versus *versus)
{
    const Answer *a = versus->answers[0], *b = versus->answers[1];
    g_autofree char *first = format_time(a->seconds), *second = format_time(b->seconds);
    g_autofree char *work = describe_work(a, b);
    const double ratio = answer_ratio(b, a);
    g_autofree char *slower = format_number(ratio), *faster = format_number(1 / ratio);
    if (a->seconds == b->seconds)
        return g_strdup_printf("A and B take the same time: %s%s", first, work);
    if (!(a->seconds > 0) || !(b->seconds > 0))
        return g_strdup_printf("B takes %s, A %s", second, first);
    return ratio > 1 ? g_strdup_printf("B takes %s times as long as A: %s instead of %s%s", slower,
                                       second, first, work)
                     : g_strdup_printf("B is %s times as fast as A: %s instead of %s%s", faster,
                                       second, first, work);
}

/* SPDX-License-Identifier: BSD-3-Clause */
/* See trust.h. */
#include "tell/trust.h"

#include "answer/figures.h"
#include "answer/registers.h"
#include "answer/words.h"
#include "base/class-name.h"
#include "idg/words.h"
#include "tell/figure-words.h"
#include "tell/format.h"
#include "tell/trust-caches.h"
#include "tell/trust-record.h"

#include <math.h>
#include <string.h>

/* Assumed figures that are named; the others are counted. */
#define MAX_NAMES 6

/* "; assumed: branch, what launches cost", or nothing. */
static void append_names(GString *out, const PsIdg *idg, const char *what, const GArray *assumed)
{
    const guint n = assumed ? MIN(assumed->len, MAX_NAMES) : 0;
    for (guint i = 0; i < n; i++) {
        g_autofree char *name =
            ps_idg_class_words(idg, ps_assumed_name(&g_array_index(assumed, PsAssumed, i)));
        g_string_append_printf(out, "%s%s", i ? ", " : what, name);
    }
    if (assumed && n < assumed->len)
        g_string_append_printf(out, " and %u more", assumed->len - n);
}

/* "; assumed: the rate of partial sectors, which decides about 98 % of the time; 3 others decide
 * less", or nothing; returns how many are assumed. */
static guint append_weighed(GString *out, const PsAnswer *answer)
{
    g_autoptr(GArray) weighed = ps_answer_weigh(answer);
    guint named = 0, others = 0;
    for (guint i = 0; i < weighed->len; i++) {
        const PsWeighed *one = &g_array_index(weighed, PsWeighed, i);
        if (!one->assumed)
            continue;
        if (one->share < WEIGHED_LEAST || named == MAX_NAMES) {
            others++;
            continue;
        }
        g_autofree char *figure = ps_weighed_name(answer, one);
        g_autofree char *name = ps_idg_class_words(answer->idg, figure);
        g_string_append_printf(out,
                               named++ ? ", %s (%.0f %%)"
                                       : "; assumed: %s, which decides about %.0f %% of the time",
                               name, 100 * one->share);
    }
    if (others && named)
        g_string_append_printf(out, "; %u %s less", others,
                               others == 1 ? "other decides" : "others decide");
    else if (others)
        g_string_append_printf(out, "; assumed: %u %s less than 1 %% of the time", others,
                               others == 1 ? "figure, which decides"
                                           : "figures, each of which decides");
    return named + others;
}

/* "; power leaves its tensor cores 1 540 of 1 980 MHz; the clock decides about 12 % of the time",
 * the latter where memory is stated in seconds. */
static void append_clock(GString *out, const PsAnswer *answer)
{
    g_autofree char *usual = ps_format_rational(ps_gpu_usual_clock(answer->gpu)),
                    *clock = ps_format_rational(answer->clock);
    if (answer->by_power)
        g_string_append_printf(out, "; power leaves its tensor cores %s of %s MHz", clock, usual);
    const double share = ps_answer_clock_share(answer);
    if (answer->machine->n_levels == 0 || share < WEIGHED_LEAST)
        return;
    g_string_append_printf(out, "; the clock decides about %.0f %% of the time", 100 * share);
    ps_trust_append_base(out, answer, share);
}

/* Tells that the number of groups at once depends on which of two ways groups run, which nothing
 * states; or nothing. */
static void append_pairs(GString *out, const PsGpu *gpu)
{
    if (gpu->pairs)
        g_string_append(out, "; each group is taken to run on one CU, but HIP and OpenCL run it on "
                             "two unless told otherwise: :wgp behind the GPU's name is for two, "
                             ":cu for one");
}

/* "; groups differ in their work: within two standard errors it takes 1.1 ms to 1.4 ms", or
 * nothing. */
static void append_groups(GString *out, const PsAnswer *answer)
{
    const PsSecondsBetween between = ps_answer_between(answer);
    if (!(between.least < between.most))
        return;
    g_autofree char *least = ps_format_time(between.least), *most = ps_format_time(between.most);
    g_string_append_printf(
        out, "; groups differ in their work: within two standard errors it takes %s to %s", least,
        most);
}

/* "; 13 of 10 000 groups were executed: with a likelihood of 95 %, at most 21 % are of a kind that
 * was not", or nothing. */
static void append_hidden(GString *out, const PsAnswer *answer)
{
    const PsIdgLaunch *launch = &answer->idg->launch;
    const gint64 groups = answer->machine->launch.groups;
    if (launch->hidden.num == 0)
        return;
    const double executed = round((double)groups * ps_rational_to_double(launch->executed));
    g_autofree char *all = ps_format_count(groups), *some = ps_format_count((gint64)executed);
    g_autofree char *share = ps_format_share(ps_rational_to_double(launch->hidden));
    g_string_append_printf(
        out,
        "; %s of %s groups were executed: with a likelihood of 95 %%, at most %s "
        "are of a kind that was not",
        some, all, share);
}

/* "of up to 64 there are 3 at once, which makes it 1.9 us", or nothing. */
static void append_step(GString *out, const char *before, const PsRegisterStep *step,
                        const char *from, double seconds)
{
    if (step->registers == 0)
        return;
    g_autofree char *groups = ps_format_count(step->groups);
    g_string_append_printf(out, "%s%s %" G_GINT64_FORMAT " there %s %s at once", before, from,
                           step->registers, step->groups == 1 ? "is" : "are", groups);
    if (isnan(seconds))
        return;
    g_autofree char *time = ps_format_time(seconds);
    g_string_append_printf(out, ", which makes it %s", time);
}

/* "; another compiler may take other registers than the 76 of ptxas, by which 2 groups are there at
 * once: with up to 64 ...; with more than 85 ...", or nothing. */
static void append_registers(GString *out, const PsAnswer *answer)
{
    const PsRegisterSteps steps = ps_answer_register_steps(answer);
    const PsSensitivities *known = answer->sensitivities;
    const gint64 now = answer->kernel->registers;
    if (steps.fewer.registers == 0 && steps.more.registers == 0)
        return;
    g_autofree char *groups = ps_format_noun(answer->machine->launch.active_groups, "group");
    const char *are = answer->machine->launch.active_groups == 1 ? "is" : "are";
    if (now > 0)
        g_string_append_printf(out,
                               "; another compiler may give a thread other registers than the "
                               "%" G_GINT64_FORMAT " of ptxas, by which %s %s there at once: ",
                               now, groups, are);
    else
        g_string_append_printf(out,
                               "; registers are not known, and without their limit %s %s there at "
                               "once: ",
                               groups, are);
    append_step(out, "", &steps.fewer, "with up to", known ? known->fewer_registers : NAN);
    append_step(out, steps.fewer.registers > 0 ? ", " : "", &steps.more, "from",
                known ? known->more_registers : NAN);
}

/* What another number of a loop's iterations at once would change, as a sentence with the loop's
 * place between its parts, or nothing. */
static void append_iterations(GString *out, const PsAnswer *answer, PsAtOnce other,
                              const char *before, const char *after)
{
    if (isnan(other.seconds))
        return;
    g_auto(PsNodePlace) place = ps_answer_place(answer, other.program, other.node);
    g_autofree char *time = ps_format_time(other.seconds);
    g_string_append_printf(out, "; %s the loop around %s %s %s", before,
                           place.line ? place.line : place.node, after, time);
}

/* "; each iteration of the loop around column-sums.cu:25 waits for what it loads: another compiler
 * may do four at once, which makes it about 816 us", or nothing. */
static void append_at_once(GString *out, const PsAnswer *answer)
{
    append_iterations(out, answer, ps_answer_at_once(answer), "each iteration of",
                      "waits for what it loads: another compiler may do four at once, which makes "
                      "it about");
}

/* "; nvcc does four iterations of the loop around x.cu:25 at once, AMD's compilers none whose trips
 * they do not know: one at a time it takes about 1.74 ms", or nothing. */
static void append_one_by_one(GString *out, const PsAnswer *answer)
{
    append_iterations(out, answer, ps_answer_one_by_one(answer), "nvcc does four iterations of",
                      "at once, AMD's compilers none whose trips they do not know: one at a time "
                      "it takes about");
}

/* "; group_777_0_0, 1 of 90 000 groups, is taken to start first: if it started last, all would take
 * about 491 us", or nothing. */
static void append_late(GString *out, const PsAnswer *answer)
{
    const PsLateGroups late = ps_answer_late(answer);
    if (late.groups == 0)
        return;
    g_autofree char *all = ps_format_count(answer->machine->launch.groups),
                    *some = ps_format_count(late.groups), *time = ps_format_time(late.seconds);
    g_string_append_printf(out,
                           "; %s, of which %s of %s groups %s, is taken to start first: where one "
                           "starts last, all take about %s",
                           late.kind ? late.kind : "the longest kind", some, all,
                           late.groups == 1 ? "is" : "are", time);
}

/* Measured kernels that memory limits access it in order: they say little about accesses that
 * mostly do not. */
static void append_scattered(GString *out, const PsAnswer *answer)
{
    guint class_index;
    if (!ps_answer_is_scattered(answer, &class_index))
        return;
    g_autofree char *name = ps_answer_class_words(answer, class_index);
    g_string_append_printf(out, ", which access memory in order, unlike %s", name);
}

/* No measured kernel multiplies matrices by tensor cores. */
static void append_tensor(GString *out, const PsAnswer *answer)
{
    for (guint i = 0; i < answer->machine->n_classes; i++)
        if (ps_class_covers("tensor", answer->machine->classes[i].asked) &&
            ((const PsStatsRow *)answer->classes->pdata[i])->busy > 0) {
            g_string_append(out, ", none of which uses tensor cores");
            return;
        }
}

/* Describes the errors of such predictions; if they are few, also those of all. */
static char *describe_error(const PsAnswer *answer, const PsKnownError *error)
{
    g_autofree char *mean = ps_format_share(error->mean), *worst = ps_format_share(error->worst);
    GString *out = g_string_new(NULL);
    g_string_append_printf(out, "%s off in the mean, %s at worst, of %u", mean, worst, error->rows);
    if (error->rows_of_all) {
        g_autofree char *all = ps_format_share(error->mean_of_all);
        g_autofree char *all_worst = ps_format_share(error->worst_of_all);
        g_string_append_printf(out, " (few; on all GPUs %s and %s, of %u)", all, all_worst,
                               error->rows_of_all);
    }
    append_scattered(out, answer);
    append_tensor(out, answer);
    return g_string_free(out, FALSE);
}

char *ps_known_error_describe(const PsAnswer *answer)
{
    const char *limit = ps_answer_limit(answer);
    const PsKnownError error = ps_answer_known_error(answer);
    const char *architecture = answer->gpu->architecture;
    if (!limit || !architecture)
        return NULL;
    g_autofree char *what = ps_limit_describe(answer, limit);
    g_autofree char *kernels = strcmp(limit, "latency") == 0
                                   ? g_strdup("kernels that wait for results")
                                   : g_strdup_printf("kernels limited by %s", what);
    if (!error.rows)
        return g_strdup_printf("no %s were measured on any GPU", kernels);
    g_autofree char *off = describe_error(answer, &error);
    return error.same ? g_strdup_printf("%s on %s: %s", kernels, architecture, off)
                      : g_strdup_printf("no %s were measured on %s; on others: %s", kernels,
                                        architecture, off);
}

char *ps_trust_describe(const PsAnswer *answer)
{
    static const char *const words[] = {"measured", "published", "a vendor's", "derived"};
    g_auto(PsTrust) trust = ps_answer_trust(answer);
    GString *out = g_string_new(NULL);
    for (guint kind = 0; kind < PS_SOURCE_ASSUMED; kind++)
        if (trust.used[kind])
            g_string_append_printf(out, "%s%s", out->len ? ", " : "the GPU's figures are ",
                                   words[kind]);
    if (trust.unknown)
        g_string_append(out,
                        out->len ? ", or without a source" : "the GPU's figures have no source");
    if (!out->len)
        g_string_append(out, "nothing of it was measured");
    const guint assumed = append_weighed(out, answer);
    if (!assumed && !trust.assumed->len && !trust.unknown)
        g_string_append(out, "; nothing is assumed");
    append_clock(out, answer);
    append_pairs(out, answer->gpu);
    append_groups(out, answer);
    append_hidden(out, answer);
    append_registers(out, answer);
    append_at_once(out, answer);
    append_one_by_one(out, answer);
    append_late(out, answer);
    ps_trust_append_caches(out, answer);
    g_autofree char *error = ps_known_error_describe(answer);
    if (error)
        g_string_append_printf(out, "; %s", error);
    ps_trust_append_strangers(out, answer);
    return g_string_free(out, FALSE);
}

char *ps_certainty_describe(const PsAnswer *answer, const PsAdvice *advice)
{
    GString *out = g_string_new(NULL);
    append_names(out, answer->idg, "; it rests on assumed figures: ", advice->trust.assumed);
    return g_string_free(out, FALSE);
}

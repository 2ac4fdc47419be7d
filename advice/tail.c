/* SPDX-License-Identifier: BSD-3-Clause */
/* Advice on launches that leave compute units idle. See kind.h. */
#include "advice/kind.h"

#include "tell/describe.h"
#include "tell/format.h"

#include <math.h>

typedef struct {
    gint64 groups; /* groups of the launch */
} Groups;

static gint64 groups_of(const PsAdvice *advice)
{
    return ((const Groups *)advice->data)->groups;
}

/* ---- what is said of it -------------------------------------------------------------------- */

/* CUs end at different times. The gain is the time that the same work would save in groups that end
 * together. */
static char *describe_even(const PsAnswer *answer, const PsAdvice *advice)
{
    const PsLaunch *launch = &answer->machine->launch;
    g_autofree char *units = ps_format_noun(answer->gpu->compute_units, "CU");
    g_autofree char *now = ps_format_noun(launch->groups, "group");
    g_autofree char *then = ps_format_noun(groups_of(advice), "group");
    g_autofree char *seconds = ps_format_interval(advice->seconds, advice->half_width);
    g_autofree char *before = ps_format_time(answer->seconds);
    g_autofree char *share = ps_format_share(advice->gain);
    return g_strdup_printf("%s do not fill %s with %" G_GINT64_FORMAT
                           " at once evenly: %s would take %s instead of %s, and all of the work "
                           "at that rate %s less",
                           now, units, launch->active_groups, then, seconds, before, share);
}

/* Some CUs have less to do than others, or nothing, all the time. No other number of groups is
 * known to make this launch faster, but there is room for more work. */
static char *describe_more(const PsAnswer *answer, const PsAdvice *advice)
{
    const gint64 groups = answer->machine->launch.groups;
    g_autofree char *room = ps_room_words(answer);
    g_autofree char *then = ps_format_noun(groups_of(advice), "group");
    g_autofree char *seconds = ps_format_interval(advice->seconds, advice->half_width);
    g_autofree char *times = groups_of(advice) % groups == 0
                                 ? g_strdup_printf("%" G_GINT64_FORMAT, groups_of(advice) / groups)
                                 : ps_format_number((double)groups_of(advice) / (double)groups);
    if (advice->seconds > answer->seconds * (1 + PS_MODEL_ERROR)) {
        g_autofree char *now = ps_sentence_seconds(answer);
        return g_strdup_printf("%s: %s would take %s instead of %s for %s times the work", room,
                               then, seconds, now, times);
    }
    return g_strdup_printf("%s: %s would take %s longer (%s), so there is room for %s times the "
                           "work in each launch",
                           room, then, advice->seconds <= answer->seconds ? "no" : "hardly",
                           seconds, times);
}

static void tell_figures(const PsAdvice *advice, PsTold *facts)
{
    ps_tell_entry_whole(facts, "groups", (double)groups_of(advice));
}

static const PsAdviceChange even = {
    .name = "even-groups", .sentence = describe_even, .tell_figures = tell_figures};

/* Room for more work does not speed this launch up, so it is told last. There is room if more
 * groups take no longer, as far as the model tells; with idle CUs, also if they do more work in the
 * time that they take. */
static gboolean has_room(const PsAnswer *answer, const PsAdvice *advice)
{
    const double part = (double)answer->machine->launch.groups / (double)groups_of(advice);
    const double longer = advice->seconds / answer->seconds;
    const gboolean idle = answer->machine->launch.groups < answer->gpu->compute_units;
    return (longer <= 1 + PS_MODEL_ERROR || idle) && fmax(longer, 1) * part <= 1 - PS_ADVICE_LEAST;
}

/* There is no room left if another shape uses it. */
static gboolean is_covered(const PsAdvice *advice, const PsAdvice *told)
{
    (void)advice;
    return told->change == &ps_change_shape;
}

static const PsAdviceChange more = {.name = "more-groups",
                                    .sentence = describe_more,
                                    .tell_figures = tell_figures,
                                    .has_room = has_room,
                                    .is_covered = is_covered};

/* ---- which they are ------------------------------------------------------------------------ */

static PsAdviceItem *add_groups(PsAdvicePlan *plan, gint64 groups, const PsAdviceChange *change)
{
    PsVariant *variant = ps_variant_new(plan->question);
    variant->question.launch.groups = groups;
    variant->share = (double)plan->answer->explain->tail / (double)plan->answer->result.ticks;
    PsAdviceItem *item = ps_advice_add(plan, PS_CAUSE_TAIL, change, G_MAXUINT, variant);
    ps_advice_data_new(item->advice, Groups)->groups = groups;
    return item;
}

/* Numbers of groups with which all CUs end at once. The next one below makes the same work faster,
 * if each group does more. If all groups run at once, and some CUs have one less than others, the
 * next one above takes as long as now. */
static void find(PsAdvicePlan *plan)
{
    const PsLaunch *launch = &plan->answer->machine->launch;
    const gint64 cus = plan->answer->gpu->compute_units, each = launch->groups / cus;
    const gint64 round = cus * MIN(each, launch->active_groups);
    if (round > 0 && launch->groups % round != 0) {
        const gint64 fewer = launch->groups / round * round;
        PsAdviceItem *item = add_groups(plan, fewer, &even);
        item->weight = (double)launch->groups / (double)fewer;
        item->more_than = &ps_change_shape;
    }
    if (each < launch->active_groups)
        add_groups(plan, (each + 1) * cus, &more);
}

const PsAdviceKind ps_advice_kind_tail = {.find = find};

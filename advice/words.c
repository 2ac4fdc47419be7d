/* SPDX-License-Identifier: BSD-3-Clause */
/* Advice in words, a function for each change that was tried. See words.h. */
#include "advice/words.h"

#include "answer/words.h"
#include "idg/words.h"
#include "tell/describe.h"
#include "tell/format.h"
#include "tell/trust.h"

#include <math.h>

/* ---- costs that may be avoided ------------------------------------------------------------- */

/* "issue latency 7 -> 1 and completion latency 100 -> 30", of what changes. */
static char *describe_latencies(const PsAvoidable *avoidable)
{
    GString *out = g_string_new(NULL);
    const struct {
        const char *name;
        PsRational from, to;
    } parts[] = {{"issue latency", avoidable->from.issue, avoidable->to.issue},
                 {"completion latency", avoidable->from.completion, avoidable->to.completion}};
    for (guint i = 0; i < G_N_ELEMENTS(parts); i++) {
        if (ps_rational_cmp(parts[i].from, parts[i].to) == 0)
            continue;
        g_autofree char *from = ps_format_rational(parts[i].from);
        g_autofree char *to = ps_format_rational(parts[i].to);
        g_string_append_printf(out, "%s%s %s -> %s", out->len ? " and " : "", parts[i].name, from,
                               to);
    }
    return g_string_free(out, FALSE);
}

/* What device memory has to do with it: its bytes are in the graph, and may have been more. */
static char *describe_traffic(const PsAvoidable *avoidable)
{
    if (isnan(avoidable->traffic_from) || isnan(avoidable->traffic_to))
        return g_strdup("how many bytes reach device memory is not known");
    g_autofree char *from = ps_format_scaled(avoidable->traffic_from);
    g_autofree char *to = ps_format_scaled(avoidable->traffic_to);
    if (strcmp(from, to) == 0)
        return g_strdup("the bytes of device memory stay");
    return g_strdup_printf("%s bytes of device memory instead of %s", to, from);
}

/* The class that it is about, in the words of the source's language (g_free); NULL: none. */
static char *class_of(const PsAnswer *answer, const PsAdvice *advice)
{
    return ps_idg_class_words(answer->idg, advice->class_name);
}

static char *tell_coalesced(const PsAvoidable *avoidable, const char *class_name,
                            const char *change, const char *gives)
{
    g_autofree char *traffic = describe_traffic(avoidable);
    g_autofree char *least =
        avoidable->least > 0
            ? g_strdup_printf(", where %" G_GINT64_FORMAT " would do", avoidable->least)
            : g_strdup("");
    return g_strdup_printf(
        "%s touches %" G_GINT64_FORMAT " sectors per request%s: coalesced, it %s%s%s; %s",
        class_name, avoidable->sectors, least, gives, *change ? ", with " : "", change, traffic);
}

static char *tell_class(const PsAnswer *answer, const PsAdvice *advice)
{
    const PsAvoidable *avoidable = advice->avoidable;
    g_autofree char *change = describe_latencies(avoidable);
    g_autofree char *gives = ps_would_give(answer, advice), *name = class_of(answer, advice);
    if (advice->cause == PS_CAUSE_UNCOALESCED)
        return tell_coalesced(avoidable, name, change, gives);
    if (advice->cause == PS_CAUSE_WHAT_IF)
        return g_strdup_printf("%s %s, as the GPU has it, %s", name, change, gives);
    g_autofree char *degree = ps_format_number(ps_rational_to_double(avoidable->degree));
    g_autofree char *exact = ps_format_rational(avoidable->degree);
    return g_strdup_printf("%s %s %s: that is a bank conflict of degree %s", name, change, gives,
                           ps_rational_is_int(avoidable->degree) ? exact : degree);
}

/* ---- saturated pipelines, and levels of memory --------------------------------------------- */

/* "at 96.1 % of the global pipeline", and where its classes may reach device memory what that needs
 * of the time. */
static char *describe_busy(const PsAnswer *answer, const PsAdvice *advice)
{
    const guint pipeline = g_array_index(advice->pipelines, guint, 0);
    g_autofree char *share = ps_format_share(ps_pipeline_utilization(answer, pipeline));
    g_autofree char *name = ps_pipeline_words(answer, pipeline);
    if (isnan(advice->share))
        return g_strdup_printf("at %s of the %s pipeline", share, name);
    g_autofree char *needs = ps_format_share(advice->share);
    return g_strdup_printf("at %s of the %s pipeline, of which device memory needs %s", share, name,
                           needs);
}

static char *tell_pipeline(const PsAnswer *answer, const PsAdvice *advice)
{
    g_autofree char *busy = describe_busy(answer, advice);
    g_autofree char *gives = ps_would_give(answer, advice), *name = class_of(answer, advice);
    const char *only = advice->alone ? "only " : "";
    const char *rest = advice->alone ? "; nothing else gives more than 2 %" : "";
    if (advice->cause == PS_CAUSE_BANDWIDTH)
        return g_strdup_printf("memory bandwidth: %s, %sless traffic helps (%s above all); half of "
                               "it for each instruction %s%s",
                               busy, only, name, gives, rest);
    return g_strdup_printf("%s, %sfewer instructions on it help (%s above all); half of their "
                           "issue latencies %s%s",
                           busy, only, name, gives, rest);
}

static char *busy_pipeline(const PsAnswer *answer, guint pipeline)
{
    g_autofree char *share = ps_format_share(ps_pipeline_utilization(answer, pipeline));
    g_autofree char *name = ps_pipeline_words(answer, pipeline);
    return g_strdup_printf("%s at %s", name, share);
}

static char *class_above_all(const PsAnswer *answer, guint pipeline)
{
    return ps_answer_class_words(answer, ps_busiest_class(answer, pipeline));
}

/* "global at 96.1 % and local at 87.4 %", or what else is said of each. */
static char *list_pipelines(const PsAnswer *answer, const PsAdvice *advice,
                            char *(*say)(const PsAnswer *answer, guint pipeline))
{
    const GArray *pipelines = advice->pipelines;
    GString *out = g_string_new(NULL);
    for (guint i = 0; i < pipelines->len; i++) {
        g_autofree char *name = say(answer, g_array_index(pipelines, guint, i));
        const char *before = i == 0 ? "" : i + 1 < pipelines->len ? ", " : " and ";
        g_string_append_printf(out, "%s%s", before, name);
    }
    return g_string_free(out, FALSE);
}

static char *tell_pipelines(const PsAnswer *answer, const PsAdvice *advice)
{
    g_autofree char *pipelines = list_pipelines(answer, advice, busy_pipeline);
    g_autofree char *classes = list_pipelines(answer, advice, class_above_all);
    g_autofree char *gives = ps_would_give(answer, advice);
    return g_strdup_printf("%u pipelines are near their limits, %s: fewer instructions on %s help "
                           "(%s above all); half of their issue latencies %s",
                           advice->pipelines->len, pipelines,
                           advice->pipelines->len == 2 ? "both" : "all of them", classes, gives);
}

static char *tell_level(const PsAnswer *answer, const PsAdvice *advice)
{
    g_autofree char *share = ps_format_share(ps_server_utilization(answer, advice->server));
    g_autofree char *text = ps_server_words(advice->server);
    g_autofree char *gives = ps_would_give(answer, advice), *name = class_of(answer, advice);
    return g_strdup_printf("%s is busy %s of the time: less traffic there helps (%s above all); "
                           "half of it for each instruction %s",
                           text, share, name, gives);
}

/* ---- latencies ----------------------------------------------------------------------------- */

/* What a kernel may do about a completion latency. */
static const char *less_waiting(const char *class_name)
{
    if (ps_class_covers("barrier", class_name))
        return "fewer barriers";
    if (ps_class_covers("atomic", class_name))
        return "fewer of them, or results that nothing waits for";
    if (!ps_class_is_local(class_name) && !ps_class_is_global(class_name))
        return "fewer of them";
    return "more of them or more warps at once would hide it";
}

static char *tell_latency(const PsAnswer *answer, const PsAdvice *advice)
{
    const PsSensitivity *row = advice->latency;
    g_autofree char *from = ps_format_rational(row->value);
    g_autofree char *to = ps_format_rational(row->tried[0]);
    g_autofree char *gives = ps_would_give(answer, advice);
    g_autofree char *name = ps_idg_class_words(answer->idg, row->class_name);
    const char *varies = ps_varies_words(answer, row->varies),
               *less = less_waiting(row->class_name);
    return ps_class_differs(answer->machine, row->class_index)
               ? g_strdup_printf("half of the %s that levels of memory give each %s %s: %s", varies,
                                 name, gives, less)
               : g_strdup_printf("%s %s %s -> %s %s: %s", name, varies, from, to, gives, less);
}

/* Classes that are named; one more is, rather than "1 other". */
#define MOST_CLASSES 3

static char *tell_latencies(const PsAnswer *answer, const PsAdvice *advice)
{
    g_autoptr(GString) all = g_string_new(NULL);
    const guint n = advice->classes->len, named = n <= MOST_CLASSES + 1 ? n : MOST_CLASSES;
    for (guint i = 0; i < named; i++) {
        const guint class_index = g_array_index(advice->classes, guint, i);
        g_autofree char *asked = ps_answer_class_words(answer, class_index);
        g_string_append_printf(all, "%s%s", i ? ", " : "", asked);
    }
    if (named < n)
        g_string_append_printf(all, " and %u others of the kind", n - named);
    g_autofree char *gives = ps_would_give(answer, advice);
    return g_strdup_printf("half the completion latency of %s together %s: %s", all->str, gives,
                           less_waiting(advice->class_name));
}

/* ---- waits --------------------------------------------------------------------------------- */

#define MOST_RANGES 4

/* The warps of a group of that kind that run the code of one: "warps 4 to 7 and 9". *n is how many.
 */
static char *describe_warps(const PsAnswer *answer, guint kind, gint64 warp, gint64 *n)
{
    const PsKernel *kernel = answer->kernel;
    const gint64 warps = answer->machine->launch.warps_per_group;
    const int program = ps_kernel_program_of(kernel, kind, warp);
    g_autoptr(GPtrArray) ranges = g_ptr_array_new_with_free_func(g_free);
    *n = 0;
    for (gint64 first = 0, last; first < warps; first = last + 1) {
        last = first;
        if (ps_kernel_program_of(kernel, kind, first) != program)
            continue;
        while (last + 1 < warps && ps_kernel_program_of(kernel, kind, last + 1) == program)
            last++;
        *n += last - first + 1;
        g_ptr_array_add(ranges, first == last
                                    ? g_strdup_printf("%" G_GINT64_FORMAT, first)
                                    : g_strdup_printf("%" G_GINT64_FORMAT " to %" G_GINT64_FORMAT,
                                                      first, last));
    }
    GString *out = g_string_new(*n == 1 ? "warp " : "warps ");
    for (guint i = 0; i < ranges->len && i < MOST_RANGES; i++)
        g_string_append_printf(out, "%s%s",
                               i == 0                ? ""
                               : i + 1 < ranges->len ? ", "
                                                     : " and ",
                               (const char *)ranges->pdata[i]);
    if (ranges->len > MOST_RANGES)
        g_string_append(out, " and more");
    return g_string_free(out, FALSE);
}

/* All warps of the late one's code are changed in the variant, and so it says. */
static char *tell_late_warp(const PsAnswer *answer, const PsAdvice *advice)
{
    gint64 n;
    g_autofree char *share = ps_format_share(advice->share);
    g_autofree char *gives = ps_would_give(answer, advice);
    g_autofree char *warps = describe_warps(answer, advice->kind, advice->warp, &n);
    g_autofree char *of =
        n == 1 ? g_strdup("for it") : g_strdup_printf("for %s, which all run its code,", warps);
    return g_strdup_printf("warps spend %s of their time at the barrier, where warp %u comes last: "
                           "no more work %s than for warp %" G_GINT64_FORMAT " %s",
                           share, advice->warp, of, advice->other_warp, gives);
}

static char *tell_ports(const PsAnswer *answer, const PsAdvice *advice)
{
    g_autofree char *share = ps_format_share(advice->share);
    g_autofree char *gives = ps_would_give(answer, advice), *name = class_of(answer, advice);
    g_autofree char *width = ps_format_rational(answer->machine->refinements.issue_width);
    return g_strdup_printf("schedulers issue %s per cycle at most: %s of the critical path waits "
                           "for their ports (%s above all), so fewer instructions of any class "
                           "help; twice as many per cycle %s",
                           width, share, name, gives);
}

/* ---- the launch ---------------------------------------------------------------------------- */

/* "4 registers per thread less (28 instead of 32)" */
static void describe_less(GString *out, const char *noun, const char *of, gint64 then, gint64 now)
{
    if (then == 0)
        return;
    g_autofree char *amount = ps_format_noun(now - then, noun);
    g_autofree char *after = ps_format_count(then);
    g_autofree char *before = ps_format_count(now);
    g_string_append_printf(out, "%s%s%s less (%s instead of %s)", out->len ? " and " : "", amount,
                           of, after, before);
}

static char *tell_needs(const PsAnswer *answer, const PsAdvice *advice)
{
    const PsKernel *kernel = answer->kernel;
    g_autofree char *gives = ps_would_give(answer, advice);
    g_autoptr(GString) needs = g_string_new(NULL);
    g_autofree char *of_group =
        g_strdup_printf(" of %s per group", ps_idg_local_memory(answer->idg));
    describe_less(needs, "byte", of_group, advice->local_memory, kernel->local_memory);
    describe_less(needs, "register", " per thread", advice->registers, kernel->registers);
    const gint64 more = advice->groups - answer->machine->launch.active_groups;
    return more == 1 ? g_strdup_printf("one more group per CU needs %s and %s", needs->str, gives)
                     : g_strdup_printf("%" G_GINT64_FORMAT " more groups per CU need %s and %s",
                                       more, needs->str, gives);
}

static char *tell_active(const PsAnswer *answer, const PsAdvice *advice)
{
    g_autofree char *gives = ps_would_give(answer, advice);
    g_autofree char *more = g_strdup_printf(
        "%" G_GINT64_FORMAT " groups at once instead of %" G_GINT64_FORMAT ", which fit, %s",
        advice->groups, answer->machine->launch.active_groups, gives);
    if (advice->class_index == G_MAXUINT)
        return g_steal_pointer(&more);
    const PsMachineClass *bound = &answer->machine->classes[advice->class_index];
    g_autofree char *latency = ps_format_rational(bound->latency.completion);
    g_autofree char *share = ps_format_share(advice->share), *name = class_of(answer, advice);
    return g_strdup_printf("the completion latency of %s (%s cycles) takes %s of the critical "
                           "path, and too few warps hide it: %s",
                           name, latency, share, more);
}

/* The CUs end at different times. The gain is what the work of this launch would take in groups
 * that end together. */
static char *tell_even_groups(const PsAnswer *answer, const PsAdvice *advice)
{
    const PsLaunch *launch = &answer->machine->launch;
    g_autofree char *units = ps_format_noun(answer->gpu->compute_units, "CU");
    g_autofree char *now = ps_format_noun(launch->groups, "group");
    g_autofree char *then = ps_format_noun(advice->groups, "group");
    g_autofree char *seconds = ps_format_interval(advice->seconds, advice->half_width);
    g_autofree char *before = ps_format_time(answer->seconds);
    g_autofree char *share = ps_format_share(advice->gain);
    return g_strdup_printf("%s do not fill %s with %" G_GINT64_FORMAT
                           " at once evenly: %s would take %s instead of %s, and all of the work "
                           "at that rate %s less",
                           now, units, launch->active_groups, then, seconds, before, share);
}

/* "6 groups leave 74 of 80 CUs without work", "of 80 CUs 20 run 2 groups and the others 1" */
static char *describe_room(const PsAnswer *answer)
{
    const gint64 groups = answer->machine->launch.groups, cus = answer->gpu->compute_units;
    g_autofree char *units = ps_format_noun(cus, "CU");
    g_autofree char *now = ps_format_noun(groups, "group");
    if (groups < cus)
        return g_strdup_printf("%s %s %" G_GINT64_FORMAT " of %s without work", now,
                               groups == 1 ? "leaves" : "leave", cus - groups, units);
    g_autofree char *most = ps_format_noun(groups / cus + 1, "group");
    return g_strdup_printf("of %s %" G_GINT64_FORMAT " %s %s and the others %" G_GINT64_FORMAT,
                           units, groups % cus, groups % cus == 1 ? "runs" : "run", most,
                           groups / cus);
}

/* Some CUs have less to do than others, or nothing, all the time. That this launch would take less
 * time by other groups is not known; that there is room for more is. */
static char *tell_more_groups(const PsAnswer *answer, const PsAdvice *advice)
{
    const gint64 groups = answer->machine->launch.groups;
    g_autofree char *room = describe_room(answer);
    g_autofree char *then = ps_format_noun(advice->groups, "group");
    g_autofree char *seconds = ps_format_interval(advice->seconds, advice->half_width);
    g_autofree char *times = advice->groups % groups == 0
                                 ? g_strdup_printf("%" G_GINT64_FORMAT, advice->groups / groups)
                                 : ps_format_number((double)advice->groups / (double)groups);
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

static char *tell_no_overheads(const PsAnswer *answer, const PsAdvice *advice)
{
    g_autofree char *gives = ps_would_give(answer, advice);
    g_autofree char *kernel = ps_format_time(answer->launch_seconds);
    return g_strdup_printf("launches that cost nothing (the kernel's takes %s, and each group's) "
                           "%s: more work for each launch, and larger groups, come near to that",
                           kernel, gives);
}

/* "32 x 8", "64", without what is 1 behind. */
static char *describe_extent(const guint n[3])
{
    return n[2] > 1   ? g_strdup_printf("%u x %u x %u", n[0], n[1], n[2])
           : n[1] > 1 ? g_strdup_printf("%u x %u", n[0], n[1])
                      : g_strdup_printf("%u", n[0]);
}

/* What of the launch's shape shows that another may be better; "" where only the gain does. */
static char *describe_shape(const PsAnswer *answer)
{
    const PsLaunch *launch = &answer->machine->launch;
    const gint64 lanes = launch->warps_per_group * answer->gpu->warp_size;
    g_autofree char *room = describe_room(answer);
    if (launch->group_size == lanes)
        return launch->groups < answer->gpu->compute_units ? g_strconcat(room, ": ", NULL)
                                                           : g_strdup("");
    g_autofree char *empty = ps_format_share(1 - (double)launch->group_size / (double)lanes);
    return g_strdup_printf("groups of %" G_GINT64_FORMAT
                           " threads leave %s of the lanes of their warps empty: ",
                           launch->group_size, empty);
}

static char *tell_shape(const PsAnswer *answer, const PsAdvice *advice)
{
    g_autofree char *why = describe_shape(answer);
    g_autofree char *threads_then = describe_extent(advice->block[1]);
    g_autofree char *groups_then = describe_extent(advice->grid[1]);
    g_autofree char *threads = describe_extent(advice->block[0]);
    g_autofree char *groups = describe_extent(advice->grid[0]);
    g_autofree char *gives = ps_would_give(answer, advice);
    return g_strdup_printf("%s%s threads in %s groups instead of %s in %s, which the code allows, "
                           "%s",
                           why, threads_then, groups_then, threads, groups, gives);
}

/* ---- cheaper operations -------------------------------------------------------------------- */

static char *tell_strength(const PsAnswer *answer, const PsAdvice *advice)
{
    g_autofree char *what = ps_strength_words(advice);
    g_autofree char *gives = ps_would_give(answer, advice);
    return g_strdup_printf("%s %s", what, gives);
}

/* ---- accesses to memory -------------------------------------------------------------------- */

static char *tell_access(const PsAnswer *answer, const PsAdvice *advice)
{
    g_autofree char *what = ps_access_words(answer, advice);
    g_autofree char *gives = ps_would_give(answer, advice);
    return g_strdup_printf("%s %s", what, gives);
}

static char *tell_loop(const PsAnswer *answer, const PsAdvice *advice)
{
    g_autofree char *gives = ps_would_give(answer, advice);
    return ps_loop_sentence(answer, advice, gives);
}

static char *tell_raised(const PsAnswer *answer, const PsAdvice *advice)
{
    g_autofree char *gives = ps_would_give(answer, advice);
    return ps_raised_sentence(advice, gives);
}

/* ---- nothing ------------------------------------------------------------------------------- */

/* What is busiest, of a run that nothing helps. */
static char *advise_busiest(const PsAnswer *answer, const PsBusiest *busiest)
{
    const PsServerRow *server = ps_busiest_server(answer);
    g_autofree char *busy = ps_format_share(busiest->load);
    if (ps_dispatch_utilization(answer) >= busiest->load)
        return g_strdup_printf("used for %s of the time", busy);
    if (busiest->kind == PS_BUSY_PORTS)
        return g_strdup_printf("at %s of the issue of instructions", busy);
    if (server && ps_server_utilization(answer, server) >= busiest->load) {
        g_autofree char *text = ps_server_words(server);
        return g_strdup_printf("at %s of %s", busy, text);
    }
    g_autofree char *name = ps_answer_pipeline_words(answer, ps_answer_busiest(answer)->name);
    return g_strdup_printf("at %s of the %s pipeline", busy, name);
}

/* "; 65.1 % of the critical path is the completion latency of fmadd, which is the GPU's" */
static char *own_latency(const PsAnswer *answer, const PsAdvice *advice)
{
    g_autofree char *name = class_of(answer, advice);
    if (!name)
        return g_strdup("");
    g_autofree char *share = ps_format_share(advice->share);
    return g_strdup_printf("; %s of the critical path is the completion latency of %s, which is "
                           "the GPU's",
                           share, name);
}

/* Nothing that was tried helps. */
static char *tell_nothing(const PsAnswer *answer, const PsAdvice *advice)
{
    const PsBusiest busiest = ps_answer_busiest_part(answer);
    if (answer->result.ticks == 0)
        return g_strdup("nothing is known: the graph has no instruction to run");
    if (answer->clamped)
        return g_strdup("nothing is known: the simulated time is below what the roofline allows, "
                        "so an input is wrong; see the cross-check, or use --clamp none");
    g_autofree char *where = advise_busiest(answer, &busiest);
    const double headroom = ps_answer_headroom(answer), least = ps_advice_least_gain(answer);
    if (headroom * (1 - PS_ADVICE_LEAST) < 1) {
        g_autofree char *times = ps_format_number(headroom);
        return g_strdup_printf(
            "nothing gives more than %.0f %%: %s, the run takes %s times what the "
            "roofline allows for its operations and bytes",
            100 * least, where, times);
    }
    const PsServerRow *device = ps_server_called(answer, "device");
    if (device && device == ps_busiest_server(answer) && busiest.load >= PS_SATURATED &&
        ps_server_utilization(answer, device) >= busiest.load)
        return g_strdup_printf("nothing is left: %s, the run moves what its threads ask for, once",
                               where);
    /* A variant with half of its issue latencies was among those that gave nothing. */
    if (ps_answer_busy(answer) >= PS_SATURATED && ps_answer_busy(answer) >= busiest.load)
        return g_strdup_printf(
            "nothing alone gives more than %.0f %%: %s, but with half of its issue "
            "latencies other waits would take as long",
            100 * least, where);
    g_autofree char *latency = own_latency(answer, advice);
    return g_strdup_printf("nothing is known: no latency, limit or launch that was tried gives "
                           "more than %.0f %%, and %s is %s%s",
                           100 * least,
                           ps_dispatch_utilization(answer) >= busiest.load ? "the rate of launches"
                           : busiest.kind == PS_BUSY_PORTS                 ? "what is busiest"
                           : busiest.load > ps_answer_busy(answer)         ? "memory"
                                                                           : "the busiest pipeline",
                           where, latency);
}

/* -------------------------------------------------------------------------------------------- */

void ps_advice_phrase(const PsAnswer *answer, PsAdvice *advice)
{
    static char *(*const tell[])(const PsAnswer *, const PsAdvice *) = {
        [PS_CHANGE_NONE] = tell_nothing,
        [PS_CHANGE_CLASS] = tell_class,
        [PS_CHANGE_PIPELINE] = tell_pipeline,
        [PS_CHANGE_PIPELINES] = tell_pipelines,
        [PS_CHANGE_LEVEL] = tell_level,
        [PS_CHANGE_LATENCY] = tell_latency,
        [PS_CHANGE_LATENCIES] = tell_latencies,
        [PS_CHANGE_LATE_WARP] = tell_late_warp,
        [PS_CHANGE_PORTS] = tell_ports,
        [PS_CHANGE_NEEDS] = tell_needs,
        [PS_CHANGE_ACTIVE] = tell_active,
        [PS_CHANGE_EVEN_GROUPS] = tell_even_groups,
        [PS_CHANGE_MORE_GROUPS] = tell_more_groups,
        [PS_CHANGE_NO_OVERHEADS] = tell_no_overheads,
        [PS_CHANGE_SHAPE] = tell_shape,
        [PS_CHANGE_INVERSE] = tell_strength,
        [PS_CHANGE_NARROW_DIVISION] = tell_strength,
        [PS_CHANGE_APPROXIMATE] = tell_strength,
        [PS_CHANGE_FAST_MATH] = tell_strength,
        [PS_CHANGE_SINGLE] = tell_strength,
        [PS_CHANGE_NARROW_INDEX] = tell_strength,
        [PS_CHANGE_COUNTER] = tell_strength,
        [PS_CHANGE_WIDER] = tell_access,
        [PS_CHANGE_ALIGNED] = tell_access,
        [PS_CHANGE_IN_REGISTERS] = tell_access,
        [PS_CHANGE_IN_LOCAL] = tell_access,
        [PS_CHANGE_OWN_PLACES] = tell_access,
        [PS_CHANGE_SORTED] = ps_sorted_sentence,
        [PS_CHANGE_SHARED_OUT] = ps_shared_out_sentence,
        [PS_CHANGE_TENSOR] = ps_tensor_sentence,
        [PS_CHANGE_LOOP] = tell_loop,
        [PS_CHANGE_RAISED] = tell_raised,
        [PS_CHANGE_READ_ONLY] = tell_access};
    g_free(advice->sentence);
    advice->sentence = tell[advice->change](answer, advice);
}

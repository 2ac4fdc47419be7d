/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * What the result does when one input changes, found by simulating that. All values are exact
 * fractions; whole numbers stay whole. See explain.h.
 */
#include "answer/explain.h"
#include "cli/report/format.h"
#include "answer/loads.h"
#include "answer/relief.h"
#include "answer/trial.h"

#include <math.h>
#include <string.h>

static const PsRational FACTORS[SENSITIVITY_FACTORS] = {{1, 2}, {11, 10}, {2, 1}};

#define TENTH 1 /* which of them is 10 % more */

const char *varies_name(Varies varies)
{
    static const char *const names[] = {
        "issue",  "completion", "level_latency", "level_bandwidth", "level_port",
        "active", "groups",     "registers",     "local_memory",    "clock"};
    return names[varies];
}

const char *varies_text(Varies varies)
{
    static const char *const texts[] = {"issue latency", "completion latency",
                                        "latency",       "bandwidth",
                                        "port",          "groups at once",
                                        "groups",        "registers per thread",
                                        "local memory",  "clock"};
    return texts[varies];
}

gboolean varies_of_level(Varies varies)
{
    return varies == VARIES_LEVEL_LATENCY || varies == VARIES_LEVEL_BANDWIDTH ||
           varies == VARIES_LEVEL_PORT;
}

/* Latencies of memory at another clock are quotients that nobody reads. */
char *sensitivity_value(const Sensitivity *row)
{
    g_autofree char *exact = ps_rational_format(row->value);
    return row->varies == VARIES_CLOCK ? g_steal_pointer(&exact)
           : strchr(exact, '/')        ? format_number(ps_rational_to_double(row->value))
                                       : format_cycles(row->value);
}

static void free_row(void *data)
{
    Sensitivity *row = data;
    for (guint i = 0; i < SENSITIVITY_FACTORS; i++)
        g_free(row->why[i]);
    g_free(row->klass);
    g_free(row);
}

void sensitivity_free(Sensitivities *sensitivities)
{
    if (!sensitivities)
        return;
    g_ptr_array_unref(sensitivities->rows);
    g_ptr_array_unref(sensitivities->reliefs);
    memo_free(sensitivities->memo);
    g_free(sensitivities);
}

/* ---- what is tried ------------------------------------------------------------------------- */

typedef struct {
    const Question *question;
    const Answer *answer;
    GPtrArray *rows;   /* Sensitivity */
    GPtrArray *trials; /* Trial, SENSITIVITY_FACTORS of each row */
    gboolean whole;    /* all of it; else half of what may matter */
} Plan;

/* The value times a factor, whole where it must be: rounded away from what it is. NULL where it
 * can be, else why it cannot (g_free). */
static char *vary(PsRational value, guint factor, gboolean whole, PsRational *tried)
{
    const gboolean down = factor == 0;
    if (!ps_rational_mul(value, FACTORS[factor], tried))
        return g_strdup("the value is too large");
    if (whole)
        *tried = PS_RATIONAL_INT(down ? ps_rational_floor(*tried) : ps_rational_ceil(*tried));
    if (tried->num > 0)
        return NULL;
    g_autofree char *text = ps_rational_format(value);
    *tried = PS_RATIONAL_INT(0);
    return g_strdup_printf("%s cannot be halved", text);
}

/* Groups that a CU would hold with these needs. NULL and *groups, or why none fits (g_free). */
static char *fitting(const Answer *answer, gint64 registers, gint64 local_memory, gint64 *groups)
{
    PsGroupNeeds needs = ps_kernel_needs(answer->kernel, answer->machine->launch.group_size);
    needs.registers = registers;
    needs.local_memory = local_memory;
    g_autoptr(GError) error = NULL;
    PsOccupancy occupancy;
    if (!ps_gpu_occupancy(answer->gpu, &needs, &occupancy, &error))
        return g_strdup(error->message);
    *groups = MIN(occupancy.groups, answer->machine->launch.groups_per_cu);
    return NULL;
}

/* Registers and local memory decide nothing but how many groups fit. */
static void set_needs(Trial *trial, const Answer *answer, Varies varies, gint64 value)
{
    const PsKernel *kernel = answer->kernel;
    const PsLaunch *launch = &answer->machine->launch;
    const gboolean registers = varies == VARIES_REGISTERS;
    gint64 groups = launch->active_groups;
    trial->why = fitting(answer, registers ? value : kernel->registers,
                         registers ? kernel->local_memory : value, &groups);
    if (trial->why)
        return;
    if (launch->forced || groups == launch->active_groups) {
        trial->known = TRUE;
        trial->seconds = answer->seconds;
        return;
    }
    trial->question.launch.active = groups;
}

static void set_level(Trial *trial, const Answer *answer, Varies varies, guint level,
                      PsRational value)
{
    PsWhatIf *what_if = ps_what_if_new(ps_level_name(answer->machine->levels[level].level));
    PsRational *figure = varies == VARIES_LEVEL_LATENCY     ? &what_if->latency
                         : varies == VARIES_LEVEL_BANDWIDTH ? &what_if->bandwidth
                                                            : &what_if->port;
    *figure = value;
    g_ptr_array_add(trial->latencies, what_if);
}

/* class_ is the machine's number of the class, or of the level. */
static void set_value(Trial *trial, const Answer *answer, Varies varies, guint class_,
                      PsRational value)
{
    switch (varies) {
    case VARIES_ISSUE:
        /* The ceiling follows from such latencies, and would hide what they do. */
        if (!answer->clamped)
            trial->question.clamp = CLAMP_NONE;
        trial_set_latency(trial, answer, class_, (PsLatency){value, {0, 1}});
        break;
    case VARIES_COMPLETION:
        trial_set_latency(trial, answer, class_, (PsLatency){{0, 1}, value});
        break;
    case VARIES_LEVEL_LATENCY:
    case VARIES_LEVEL_BANDWIDTH:
    case VARIES_LEVEL_PORT:
        set_level(trial, answer, varies, class_, value);
        break;
    case VARIES_ACTIVE:
        trial->question.launch.active = value.num;
        break;
    case VARIES_GROUPS:
        trial->question.launch.groups = value.num;
        break;
    case VARIES_REGISTERS:
    case VARIES_LOCAL_MEMORY:
        set_needs(trial, answer, varies, value.num);
        break;
    case VARIES_CLOCK:
        trial->question.clock = value;
        break;
    }
}

static void plan_row(Plan *plan, Varies varies, guint class_, PsRational value)
{
    Sensitivity *row = g_new0(Sensitivity, 1);
    const gboolean latency = varies == VARIES_ISSUE || varies == VARIES_COMPLETION;
    const gboolean level = varies_of_level(varies);
    row->varies = varies;
    row->value = value;
    if (latency)
        row->klass = ps_text_clean(plan->answer->machine->classes[class_].asked);
    else if (level)
        row->klass = g_strdup(ps_level_name(plan->answer->machine->levels[class_].level));
    for (guint i = 0; i < SENSITIVITY_FACTORS; i++) {
        Trial *trial = trial_new(plan->question);
        trial->why =
            i > 0 && !plan->whole
                ? g_strdup("not asked for")
                : vary(value, i, !latency && !level && varies != VARIES_CLOCK, &row->tried[i]);
        if (!trial->why)
            set_value(trial, plan->answer, varies, class_, row->tried[i]);
        g_ptr_array_add(plan->trials, trial);
    }
    g_ptr_array_add(plan->rows, row);
}

/* The most that half of a latency can gain: no run ends before the pipelines have issued all that
 * it has. What the last instructions issue with may come after the end, hence a little more. */
static double most_gain(const Answer *answer, Varies varies, guint class_)
{
    static const double little = 0.001;
    double least = 0;
    for (guint i = 0; i < answer->gpu->pipelines->len; i++) {
        double load = load_of_pipeline(answer, i);
        if (varies == VARIES_ISSUE && answer->machine->classes[class_].pipeline == i)
            load -= load_of_class(answer, class_) / 2;
        least = fmax(least, load);
    }
    return 1 + little - least;
}

static void plan_latency(Plan *plan, Varies varies, guint class_, PsRational value)
{
    if (plan->whole || most_gain(plan->answer, varies, class_) >= ADVICE_LEAST)
        plan_row(plan, varies, class_, value);
}

static void plan_levels(Plan *plan)
{
    const PsMachine *machine = plan->answer->machine;
    for (guint i = 0; i < machine->n_levels; i++) {
        const PsMemoryLevel *level = &machine->levels[i];
        PsRational latency;
        if (ps_gpu_cycles(level->latency, level->at, machine->clock, &latency))
            plan_row(plan, VARIES_LEVEL_LATENCY, i, latency);
        if (level->bandwidth.num > 0)
            plan_row(plan, VARIES_LEVEL_BANDWIDTH, i, level->bandwidth);
        if (level->port.num > 0)
            plan_row(plan, VARIES_LEVEL_PORT, i, level->port);
    }
}

static void plan_all(Plan *plan)
{
    const PsMachine *machine = plan->answer->machine;
    const PsKernel *kernel = plan->answer->kernel;
    for (guint i = 0; i < machine->n_classes; i++) {
        const PsLatency latency = trial_latency(machine, i);
        plan_latency(plan, VARIES_ISSUE, i, latency.issue);
        plan_latency(plan, VARIES_COMPLETION, i, latency.completion);
    }
    if (!plan->whole)
        return;
    plan_levels(plan);
    plan_row(plan, VARIES_ACTIVE, 0, PS_RATIONAL_INT(machine->launch.active_groups));
    plan_row(plan, VARIES_GROUPS, 0, PS_RATIONAL_INT(machine->launch.groups));
    if (kernel->registers > 0)
        plan_row(plan, VARIES_REGISTERS, 0, PS_RATIONAL_INT(kernel->registers));
    if (kernel->local_memory > 0)
        plan_row(plan, VARIES_LOCAL_MEMORY, 0, PS_RATIONAL_INT(kernel->local_memory));
    plan_row(plan, VARIES_CLOCK, 0, plan->answer->clock);
}

/* ---- what it gave -------------------------------------------------------------------------- */

/* How much the time changes, as a share of what it is. */
static double change(const Answer *answer, double seconds)
{
    return answer->seconds > 0 ? seconds / answer->seconds - 1 : 0;
}

static void conclude(Sensitivity *row, const Answer *answer, GPtrArray *trials, guint first)
{
    for (guint i = 0; i < SENSITIVITY_FACTORS; i++) {
        Trial *trial = trials->pdata[first + i];
        row->seconds[i] = trial->seconds;
        row->why[i] = g_steal_pointer(&trial->why);
        if (!isnan(trial->seconds))
            row->effect = fmax(row->effect, fabs(change(answer, trial->seconds)));
    }
    const double more =
        ps_rational_to_double(row->tried[TENTH]) / ps_rational_to_double(row->value) - 1;
    row->elasticity = more > 0 ? change(answer, row->seconds[TENTH]) / more : NAN;
}

/* Of equal effects what stands first in the graph. */
static int largest_first(gconstpointer a, gconstpointer b)
{
    const Sensitivity *x = *(Sensitivity *const *)a, *y = *(Sensitivity *const *)b;
    return (x->effect < y->effect) - (x->effect > y->effect);
}

/* Nothing varies where nothing runs. */
static gboolean runs_nothing(const Answer *answer)
{
    return answer->result.ticks == 0;
}

/* What was simulated already. */
static void learn(Memo *memo, const Question *question, const Answer *answer)
{
    g_autofree char *key = memo_key(question, answer->machine);
    memo_add(memo, key, answer->result.cycles);
}

Sensitivities *sensitivity_new(const Question *question, const Answer *answer, gboolean whole,
                               guint threads, GError **error)
{
    Plan plan = {question, answer, g_ptr_array_new_with_free_func(free_row),
                 g_ptr_array_new_with_free_func((GDestroyNotify)trial_free), whole};
    g_autoptr(Sensitivities) sensitivities = g_new0(Sensitivities, 1);
    sensitivities->rows = plan.rows;
    sensitivities->memo = memo_new();
    learn(sensitivities->memo, question, answer);
    sensitivities->reliefs = reliefs_plan(question, answer, plan.trials);
    g_autoptr(GPtrArray) trials = plan.trials;
    const guint first = trials->len;
    if (!runs_nothing(answer))
        plan_all(&plan);
    if (!trials_run(trials, threads, sensitivities->memo, &sensitivities->runs, error))
        return NULL;
    reliefs_conclude(sensitivities->reliefs, trials);
    for (guint i = 0; i < plan.rows->len; i++)
        conclude(plan.rows->pdata[i], answer, trials, first + i * SENSITIVITY_FACTORS);
    g_ptr_array_sort(plan.rows, largest_first);
    return g_steal_pointer(&sensitivities);
}

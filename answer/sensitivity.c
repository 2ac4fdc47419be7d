/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Finds how the result changes with one input, by simulating the change. All values are exact
 * fractions; whole numbers stay whole. See sensitivity.h.
 */
#include "answer/avoidable.h"
#include "answer/registers.h"
#include "answer/variant.h"
#include "gpu/rows.h"

#include <math.h>
#include <string.h>

static const PsRational FACTORS[PS_SENSITIVITY_FACTORS] = {{1, 2}, {11, 10}, {2, 1}};

#define TENTH 1 /* index of the factor that adds 10 % */

static void free_row(void *data)
{
    PsSensitivity *row = data;
    for (guint i = 0; i < PS_SENSITIVITY_FACTORS; i++)
        g_free(row->why[i]);
    g_free(row->class_name);
    g_free(row);
}

/* ---- what is tried ------------------------------------------------------------------------- */

typedef struct {
    const PsQuestion *question;
    const PsAnswer *answer;
    GPtrArray *rows;     /* PsSensitivity */
    GPtrArray *variants; /* PsVariant, PS_SENSITIVITY_FACTORS for each row */
    gboolean whole;      /* all rows; otherwise half of them, those that may matter */
} Plan;

/* The value times a factor, rounded away from the value if it must be whole. NULL, or why it cannot
 * be varied (g_free). */
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

/* Finds the groups that a CU would hold with these needs. NULL and *groups, or why none fits
 * (g_free). */
static char *fitting(const PsAnswer *answer, gint64 registers, gint64 local_memory, gint64 *groups)
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

/* Registers and local memory decide only how many groups fit. */
static void set_needs(PsVariant *variant, const PsAnswer *answer, PsVaries varies, gint64 value)
{
    const PsKernel *kernel = answer->kernel;
    const PsLaunch *launch = &answer->machine->launch;
    const gboolean registers = varies == PS_VARIES_REGISTERS;
    gint64 groups = launch->active_groups;
    variant->why = fitting(answer, registers ? value : kernel->registers,
                           registers ? kernel->local_memory : value, &groups);
    if (variant->why)
        return;
    if (launch->forced || groups == launch->active_groups) {
        variant->known = TRUE;
        variant->seconds = answer->seconds;
        return;
    }
    ps_variant_set_active(variant, answer, groups);
}

static void set_level(PsVariant *variant, const PsAnswer *answer, const PsSensitivity *row,
                      PsRational factor)
{
    PsWhatIf *what_if =
        ps_variant_times_level(variant, answer, answer->machine->levels[row->class_index].level);
    *(row->varies == PS_VARIES_LEVEL_LATENCY     ? &what_if->latency
      : row->varies == PS_VARIES_LEVEL_BANDWIDTH ? &what_if->bandwidth
                                                 : &what_if->port) = factor;
}

/* Sets the row's value for that factor. */
static void set_value(PsVariant *variant, const PsAnswer *answer, const PsSensitivity *row,
                      guint factor)
{
    const PsRational value = row->tried[factor], kept = {0, 1};
    switch (row->varies) {
    case PS_VARIES_ISSUE:
        /* The ceiling follows from these latencies, and would hide their effect. */
        if (!answer->clamped)
            variant->question.clamp = PS_CLAMP_NONE;
        ps_variant_times_latency(variant, answer, row->class_index,
                                 (PsLatency){FACTORS[factor], kept});
        break;
    case PS_VARIES_COMPLETION:
        ps_variant_times_latency(variant, answer, row->class_index,
                                 (PsLatency){kept, FACTORS[factor]});
        break;
    case PS_VARIES_LEVEL_LATENCY:
    case PS_VARIES_LEVEL_BANDWIDTH:
    case PS_VARIES_LEVEL_PORT:
        set_level(variant, answer, row, FACTORS[factor]);
        break;
    case PS_VARIES_ACTIVE:
        ps_variant_set_active(variant, answer, value.num);
        break;
    case PS_VARIES_GROUPS:
        variant->question.launch.groups = value.num;
        variant->share = 1;
        break;
    case PS_VARIES_REGISTERS:
    case PS_VARIES_LOCAL_MEMORY:
        set_needs(variant, answer, row->varies, value.num);
        break;
    case PS_VARIES_CLOCK:
        variant->question.clock = value;
        break;
    }
}

static void plan_row(Plan *plan, PsVaries varies, guint class_index, PsRational value)
{
    PsSensitivity *row = g_new0(PsSensitivity, 1);
    const gboolean latency = varies == PS_VARIES_ISSUE || varies == PS_VARIES_COMPLETION;
    const gboolean level = ps_varies_of_level(varies);
    row->varies = varies;
    row->class_index = class_index;
    row->value = value;
    if (latency)
        row->class_name = ps_text_clean(plan->answer->machine->classes[class_index].asked);
    else if (level)
        row->class_name = g_strdup(ps_level_name(plan->answer->machine->levels[class_index].level));
    for (guint i = 0; i < PS_SENSITIVITY_FACTORS; i++) {
        PsVariant *variant = ps_variant_new(plan->question);
        variant->why =
            i > 0 && !plan->whole
                ? g_strdup("not asked for")
                : vary(value, i, !latency && !level && varies != PS_VARIES_CLOCK, &row->tried[i]);
        if (!variant->why)
            set_value(variant, plan->answer, row, i);
        g_ptr_array_add(plan->variants, variant);
    }
    g_ptr_array_add(plan->rows, row);
}

/* Latencies that advice may be about are tried even without the whole table. */
static void plan_latencies(Plan *plan, guint class_index)
{
    const PsAnswer *answer = plan->answer;
    const PsLatency latency = ps_what_if_latency(answer->machine, class_index);
    if (plan->whole)
        plan_row(plan, PS_VARIES_ISSUE, class_index, latency.issue);
    if (plan->whole || (ps_latency_may_help(answer, class_index) &&
                        ps_latency_most_gain(answer) >= PS_ADVICE_LEAST))
        plan_row(plan, PS_VARIES_COMPLETION, class_index, latency.completion);
}

static void plan_levels(Plan *plan)
{
    const PsMachine *machine = plan->answer->machine;
    for (guint i = 0; i < machine->n_levels; i++) {
        const PsMemoryLevel *level = &machine->levels[i];
        PsRational latency;
        if (ps_gpu_cycles(level->latency, level->at, machine->clock, &latency))
            plan_row(plan, PS_VARIES_LEVEL_LATENCY, i, latency);
        if (level->bandwidth.num > 0)
            plan_row(plan, PS_VARIES_LEVEL_BANDWIDTH, i, level->bandwidth);
        if (level->port.num > 0)
            plan_row(plan, PS_VARIES_LEVEL_PORT, i, level->port);
    }
}

static void plan_all(Plan *plan)
{
    const PsMachine *machine = plan->answer->machine;
    const PsKernel *kernel = plan->answer->kernel;
    for (guint i = 0; i < machine->n_classes; i++)
        plan_latencies(plan, i);
    if (!plan->whole)
        return;
    plan_levels(plan);
    plan_row(plan, PS_VARIES_ACTIVE, 0, PS_RATIONAL_INT(machine->launch.active_groups));
    plan_row(plan, PS_VARIES_GROUPS, 0, PS_RATIONAL_INT(machine->launch.groups));
    if (kernel->registers > 0)
        plan_row(plan, PS_VARIES_REGISTERS, 0, PS_RATIONAL_INT(kernel->registers));
    if (kernel->local_memory > 0)
        plan_row(plan, PS_VARIES_LOCAL_MEMORY, 0, PS_RATIONAL_INT(kernel->local_memory));
    plan_row(plan, PS_VARIES_CLOCK, 0, plan->answer->clock);
}

/* Plans the nearest choices of registers, where the compiler's is unknown: two variants, fewer
 * registers first. */
static void plan_registers(const Plan *plan)
{
    const PsRegisterSteps steps = ps_answer_register_steps(plan->answer);
    const PsRegisterStep *both[] = {&steps.fewer, &steps.more};
    for (guint i = 0; i < G_N_ELEMENTS(both); i++) {
        PsVariant *variant = ps_variant_new(plan->question);
        if (both[i]->registers > 0)
            ps_variant_set_active(variant, plan->answer, both[i]->groups);
        else
            variant->why = g_strdup("registers decide no more");
        g_ptr_array_add(plan->variants, variant);
    }
}

/* ---- what it gave -------------------------------------------------------------------------- */

/* The change of the time, as a share of it. */
static double change(const PsAnswer *answer, double seconds)
{
    return answer->seconds > 0 ? seconds / answer->seconds - 1 : 0;
}

static void conclude(PsSensitivity *row, const PsAnswer *answer, GPtrArray *variants, guint first)
{
    for (guint i = 0; i < PS_SENSITIVITY_FACTORS; i++) {
        PsVariant *variant = variants->pdata[first + i];
        row->seconds[i] = variant->seconds;
        row->half_widths[i] = variant->half_width;
        row->why[i] = g_steal_pointer(&variant->why);
        if (!isnan(variant->seconds))
            row->effect = fmax(row->effect, fabs(change(answer, variant->seconds)));
    }
    const double more =
        ps_rational_to_double(row->tried[TENTH]) / ps_rational_to_double(row->value) - 1;
    row->elasticity = more > 0 ? change(answer, row->seconds[TENTH]) / more : NAN;
}

/* 1 if the time can only grow with the value, -1 if it can only shrink; 0: unknown. */
static int direction(PsVaries varies)
{
    switch (varies) {
    case PS_VARIES_ISSUE:
    case PS_VARIES_COMPLETION:
    case PS_VARIES_LEVEL_LATENCY:
        return 1;
    case PS_VARIES_LEVEL_BANDWIDTH:
    case PS_VARIES_LEVEL_PORT:
        return -1;
    default:
        return 0;
    }
}

static double find_chance(const GPtrArray *rows, const PsAnswer *answer)
{
    double most = 0;
    for (guint i = 0; i < rows->len; i++) {
        const PsSensitivity *row = rows->pdata[i];
        for (guint k = 0; k < PS_SENSITIVITY_FACTORS; k++) {
            const int wrong = direction(row->varies) * (k == 0 ? 1 : -1);
            if (!isnan(row->seconds[k]))
                most = fmax(most, wrong * change(answer, row->seconds[k]));
        }
    }
    return most;
}

/* Equal effects keep the graph's order. */
static int largest_first(gconstpointer a, gconstpointer b)
{
    const PsSensitivity *x = *(PsSensitivity *const *)a, *y = *(PsSensitivity *const *)b;
    return (x->effect < y->effect) - (x->effect > y->effect);
}

/* TRUE for a launch without instructions: nothing can vary. */
static gboolean runs_nothing(const PsAnswer *answer)
{
    return answer->result.ticks == 0;
}

/* Takes over what was already simulated. */
static void learn(PsCycleCache *cache, const PsQuestion *question, const PsAnswer *answer)
{
    g_autofree char *key = ps_cycle_cache_key(question, answer->machine);
    ps_cycle_cache_add(cache, key, &answer->result);
}

/* The effort for the whole table is that for the answer's precision. Otherwise the table may cost
 * half of the effort for advice, and makes precise only what may gain enough to be told. */
static PsVariantEffort find_effort(const Plan *plan)
{
    PsVariantEffort effort = {.most = G_MAXINT64};
    if (plan->whole)
        return effort;
    effort = ps_variants_effort(plan->question, plan->answer);
    if (effort.most < G_MAXINT64)
        effort.most /= 2;
    for (guint i = 0; i < plan->variants->len; i++)
        ((PsVariant *)plan->variants->pdata[i])->wanted =
            plan->answer->seconds * (1 - PS_ADVICE_LEAST);
    return effort;
}

gboolean ps_answer_find_sensitivities(PsAnswer *answer, const PsQuestion *question, gboolean whole,
                                      guint threads, GError **error)
{
    PsQuestion of_answer = *question;
    of_answer.clock = answer->clock;
    if (answer->of_waves)
        of_answer.idg = answer->of_waves; /* the graph that was simulated */
    question = &of_answer;
    Plan plan = {question, answer, g_ptr_array_new_with_free_func(free_row),
                 g_ptr_array_new_with_free_func((GDestroyNotify)ps_variant_free), whole};
    g_autoptr(PsSensitivities) sensitivities = g_new0(PsSensitivities, 1);
    sensitivities->rows = plan.rows;
    sensitivities->cache = ps_cycle_cache_new();
    learn(sensitivities->cache, question, answer);
    sensitivities->avoidables = ps_avoidables_plan(question, answer, plan.variants);
    g_autoptr(GPtrArray) variants = plan.variants;
    const guint first = variants->len;
    if (!runs_nothing(answer)) {
        plan_all(&plan);
        plan_registers(&plan);
    }
    PsVariantEffort effort = find_effort(&plan);
    if (!ps_variants_run(question, variants, threads, sensitivities->cache, &effort, error))
        return FALSE;
    sensitivities->runs = effort.runs;
    sensitivities->instructions = effort.instructions;
    sensitivities->cost = whole ? 0 : effort.cost;
    sensitivities->untried = ps_variants_untried(variants);
    ps_avoidables_conclude(sensitivities->avoidables, variants);
    for (guint i = 0; i < plan.rows->len; i++)
        conclude(plan.rows->pdata[i], answer, variants, first + i * PS_SENSITIVITY_FACTORS);
    sensitivities->fewer_registers = sensitivities->more_registers = NAN;
    if (!runs_nothing(answer)) {
        const PsVariant *more = variants->pdata[variants->len - 1],
                        *fewer = variants->pdata[variants->len - 2];
        sensitivities->fewer_registers = fewer->seconds;
        sensitivities->more_registers = more->seconds;
    }
    sensitivities->chance = find_chance(plan.rows, answer);
    g_ptr_array_sort(plan.rows, largest_first);
    ps_sensitivities_free(answer->sensitivities);
    answer->sensitivities = g_steal_pointer(&sensitivities);
    return TRUE;
}

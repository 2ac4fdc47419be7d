/* SPDX-License-Identifier: BSD-3-Clause */
/* See told.h. */
#include "gate/told.h"

#include "base/kernel-name.h"
#include "gate/words.h"
#include "tell/next-step.h"

#include <math.h>

static void tell_limits(const PsGate *gate, PsTold *facts)
{
    ps_tell_open(facts, PS_FACT_GATE_LIMITS);
    for (guint i = 0; i < PS_GATE_N_FIGURES; i++) {
        const PsGateLimit *limit = &gate->limits[i];
        if (!limit->limited)
            continue;
        ps_tell_item(facts);
        ps_tell(facts, PS_FACT_GATE_LIMITS_FIGURE, ps_gate_figure_name(i));
        ps_tell(facts, PS_FACT_GATE_LIMITS_MOST, limit->most);
        ps_tell(facts, PS_FACT_GATE_LIMITS_PER_CENT, limit->in_per_cent);
        ps_tell_close(facts);
    }
    ps_tell_close(facts);
}

/* ---- kernels -------------------------------------------------------------------------------- */

static const PsGateKernel *latest(const PsGatePair *pair)
{
    return pair->after ? pair->after : pair->before;
}

/* The readable name (g_free). */
static char *name_of(const PsGatePair *pair)
{
    const char *symbol = latest(pair)->kernel->name;
    g_autofree char *readable = ps_kernel_demangle(symbol);
    return ps_kernel_short_name(readable ? readable : symbol, TRUE);
}

static gboolean has(const PsGateKernel *kernel, PsGateFigure figure)
{
    return kernel && !isnan(kernel->figures[figure]);
}

static void tell_moved(const PsGatePair *pair, PsGateFigure figure, PsGroupFact group,
                       PsTold *facts)
{
    if (!has(pair->before, figure) && !has(pair->after, figure))
        return;
    ps_tell_open(facts, group);
    if (has(pair->before, figure))
        ps_tell(facts, PS_FACT_MOVED_BEFORE, (gint64)pair->before->figures[figure]);
    if (has(pair->after, figure))
        ps_tell(facts, PS_FACT_MOVED_AFTER, (gint64)pair->after->figures[figure]);
    ps_tell_close(facts);
}

static void tell_time(const PsGatePair *pair, PsTold *facts)
{
    if (!has(pair->before, PS_GATE_TIME) && !has(pair->after, PS_GATE_TIME))
        return;
    ps_tell_open(facts, PS_FACT_GATE_KERNELS_TIME);
    if (has(pair->before, PS_GATE_TIME))
        ps_tell(facts, PS_FACT_GATE_KERNELS_TIME_BEFORE, pair->before->figures[PS_GATE_TIME]);
    if (has(pair->after, PS_GATE_TIME))
        ps_tell(facts, PS_FACT_GATE_KERNELS_TIME_AFTER, pair->after->figures[PS_GATE_TIME]);
    ps_tell_close(facts);
}

static void tell_classes(const PsGatePair *pair, PsTold *facts)
{
    ps_tell_open(facts, PS_FACT_GATE_KERNELS_CLASSES);
    for (guint i = 0; i < PS_SASS_MIX_PADDING; i++) {
        const gint64 before = pair->before ? pair->before->mix.of[i] : 0,
                     after = pair->after ? pair->after->mix.of[i] : 0;
        if (before == after)
            continue;
        ps_tell_item(facts);
        ps_tell(facts, PS_FACT_GATE_KERNELS_CLASSES_CLASS, ps_sass_mix_name(i));
        if (pair->before)
            ps_tell(facts, PS_FACT_MOVED_BEFORE, before);
        if (pair->after)
            ps_tell(facts, PS_FACT_MOVED_AFTER, after);
        ps_tell_close(facts);
    }
    ps_tell_close(facts);
}

static void tell_occupancy(const PsGatePair *pair, PsTold *facts)
{
    if (!has(pair->before, PS_GATE_OCCUPANCY) && !has(pair->after, PS_GATE_OCCUPANCY))
        return;
    ps_tell(facts, PS_FACT_GATE_KERNELS_GROUP_SIZE, latest(pair)->group_size);
    ps_tell_open(facts, PS_FACT_GATE_KERNELS_OCCUPANCY);
    if (has(pair->before, PS_GATE_OCCUPANCY))
        ps_tell(facts, PS_FACT_GATE_KERNELS_OCCUPANCY_BEFORE,
                pair->before->figures[PS_GATE_OCCUPANCY]);
    if (has(pair->after, PS_GATE_OCCUPANCY))
        ps_tell(facts, PS_FACT_GATE_KERNELS_OCCUPANCY_AFTER,
                pair->after->figures[PS_GATE_OCCUPANCY]);
    ps_tell_close(facts);
    ps_tell_open(facts, PS_FACT_GATE_KERNELS_LIMITED_BY);
    for (guint bit = 0; bit < PS_GATE_N_LIMITS; bit++)
        if (latest(pair)->limited_by & 1U << bit)
            ps_tell_item_text(facts, ps_gate_limit_name(1U << bit));
    ps_tell_close(facts);
    if (latest(pair)->limited_by)
        ps_tell_taken(facts, PS_FACT_GATE_KERNELS_LIMITED_WORDS,
                      ps_occupancy_limit_words(latest(pair)->limited_by));
}

static void tell_next_step(const PsGate *gate, const PsGatePair *pair, PsTold *facts)
{
    const PsNextStep *step = &latest(pair)->next;
    if (!step->groups)
        return;
    const double occupancy = (double)step->warps / (double)gate->gpu->limits.warps;
    ps_tell_open(facts, PS_FACT_GATE_KERNELS_NEXT_STEP);
    if (step->registers >= 0)
        ps_tell(facts, PS_FACT_GATE_KERNELS_NEXT_STEP_REGISTERS, step->registers);
    if (step->local_memory >= 0)
        ps_tell(facts, PS_FACT_GATE_KERNELS_NEXT_STEP_SHARED_BYTES, step->local_memory);
    if (step->group_size >= 0)
        ps_tell(facts, PS_FACT_GATE_KERNELS_NEXT_STEP_GROUP_SIZE, step->group_size);
    ps_tell(facts, PS_FACT_GATE_KERNELS_NEXT_STEP_GROUPS, step->groups);
    ps_tell(facts, PS_FACT_GATE_KERNELS_NEXT_STEP_OCCUPANCY, occupancy);
    ps_tell_taken(facts, PS_FACT_GATE_KERNELS_NEXT_STEP_WORDS, ps_next_step_words(step, gate->gpu));
    ps_tell_close(facts);
}

static const char *verdict_of(const PsGatePair *pair)
{
    return !pair->before ? "added" : !pair->after ? "removed" : pair->failed ? "failed" : "passed";
}

static void tell_kernel(const PsGate *gate, const PsGatePair *pair, PsTold *facts)
{
    const PsGateKernel *kernel = latest(pair);
    g_autofree char *name = name_of(pair),
                    *architecture = g_strdup_printf("sm_%d", kernel->image->capability);
    ps_tell_item(facts);
    ps_tell(facts, PS_FACT_GATE_KERNELS_KERNEL, kernel->kernel->name);
    ps_tell(facts, PS_FACT_GATE_KERNELS_NAME, name);
    ps_tell(facts, PS_FACT_GATE_KERNELS_ARCHITECTURE, architecture);
    ps_tell(facts, PS_FACT_GATE_KERNELS_FILE, kernel->file);
    ps_tell(facts, PS_FACT_GATE_KERNELS_VERDICT, verdict_of(pair));
    tell_moved(pair, PS_GATE_REGISTERS, PS_FACT_GATE_KERNELS_REGISTERS, facts);
    tell_moved(pair, PS_GATE_STACK, PS_FACT_GATE_KERNELS_STACK_BYTES, facts);
    tell_moved(pair, PS_GATE_LOCAL, PS_FACT_GATE_KERNELS_LOCAL_INSTRUCTIONS, facts);
    tell_moved(pair, PS_GATE_SHARED, PS_FACT_GATE_KERNELS_SHARED_BYTES, facts);
    tell_moved(pair, PS_GATE_INSTRUCTIONS, PS_FACT_GATE_KERNELS_INSTRUCTIONS, facts);
    tell_classes(pair, facts);
    tell_occupancy(pair, facts);
    tell_moved(pair, PS_GATE_CONFLICTS, PS_FACT_GATE_KERNELS_BANK_CONFLICTS, facts);
    tell_time(pair, facts);
    tell_next_step(gate, pair, facts);
    ps_tell_close(facts);
}

/* ---- findings ------------------------------------------------------------------------------- */

/* The line with most of the figure, its file and its share (g_free each; NULL: unknown). */
static gint64 place_of(const PsGateKernel *kernel, PsGateFigure figure, char **file, char **cause)
{
    guint n = 0;
    const PsGateSlow *slow = &kernel->slow;
    const gint64 line = ps_gate_line(kernel, figure, file, &n);
    *cause = n ? ps_gate_cause(kernel, n) : NULL;
    if (figure != PS_GATE_TIME || !slow->file)
        return line;
    g_autofree char *base = *file ? g_path_get_basename(*file) : NULL;
    if (g_strcmp0(base, slow->file) != 0) { /* otherwise its name has the folder, too */
        g_free(*file);
        *file = g_strdup(slow->file);
    }
    *cause = g_strdup(slow->words);
    return slow->line;
}

static void tell_finding(const PsGate *gate, const PsGatePair *pair, PsGateFigure figure,
                         PsTold *facts)
{
    const PsGateLimit limit = ps_gate_limit_of(gate, pair->after, figure);
    g_autofree char *name = name_of(pair), *file = NULL, *cause = NULL,
                    *sentence = ps_gate_sentence(pair, figure, &limit);
    const gint64 line = place_of(pair->after, figure, &file, &cause);
    ps_tell_item(facts);
    ps_tell(facts, PS_FACT_FINDING_LEVEL, "error");
    ps_tell(facts, PS_FACT_FINDING_KERNEL, name);
    ps_tell_taken(facts, PS_FACT_FINDING_ON,
                  g_strdup_printf("sm_%d", pair->after->image->capability));
    ps_tell(facts, PS_FACT_FINDING_FIGURE, ps_gate_figure_name(figure));
    ps_tell(facts, PS_FACT_FINDING_SENTENCE, sentence);
    if (cause)
        ps_tell(facts, PS_FACT_FINDING_CAUSE, cause);
    ps_tell(facts, PS_FACT_FINDING_FILE, file);
    if (line)
        ps_tell(facts, PS_FACT_FINDING_LINE, line);
    else
        ps_tell_unknown(facts, PS_FACT_FINDING_LINE.n);
    ps_tell_close(facts);
}

static void tell_findings(const PsGate *gate, PsTold *facts)
{
    ps_tell_open(facts, PS_FACT_GATE_FINDINGS);
    for (guint i = 0; i < gate->pairs->len; i++) {
        const PsGatePair *pair = gate->pairs->pdata[i];
        for (guint figure = 0; figure < PS_GATE_N_FIGURES; figure++)
            if (pair->fails[figure])
                tell_finding(gate, pair, figure, facts);
    }
    ps_tell_close(facts);
}

/* ---- all ------------------------------------------------------------------------------------ */

static void tell_left_out(const PsGateSet *set, PsTold *facts)
{
    for (guint i = 0; i < set->warnings->len; i++)
        ps_tell_item_text(facts, set->warnings->pdata[i]);
}

/* Tells kernels whose occupancy was asked for and is unknown. */
static void tell_unknown_occupancy(const PsGate *gate, PsTold *facts)
{
    guint unknown = 0;
    for (guint i = 0; gate->gpu && i < gate->after->kernels->len; i++)
        unknown += !has(gate->after->kernels->pdata[i], PS_GATE_OCCUPANCY);
    g_autofree char *text = ps_gate_unknown_occupancy(unknown);
    if (unknown)
        ps_tell_item_text(facts, text);
}

PsTold *ps_gate_told(const PsGate *gate)
{
    PsTold *facts = ps_told_new();
    ps_tell(facts, PS_FACT_GATE_PIPESIM, PIPESIM_VERSION);
    ps_tell(facts, PS_FACT_GATE_BEFORE, gate->before->path);
    ps_tell(facts, PS_FACT_GATE_AFTER, gate->after->path);
    if (gate->gpu)
        ps_tell(facts, PS_FACT_GATE_GPU, gate->gpu->name);
    ps_tell(facts, PS_FACT_GATE_VERDICT, gate->n_failed ? "failed" : "passed");
    ps_tell_taken(facts, PS_FACT_GATE_WORDS, ps_gate_verdict(gate));
    ps_tell(facts, PS_FACT_GATE_FAILED, gate->n_failed);
    ps_tell(facts, PS_FACT_GATE_SAME, gate->n_same);
    tell_limits(gate, facts);
    ps_tell_open(facts, PS_FACT_GATE_KERNELS);
    for (guint i = 0; i < gate->pairs->len; i++)
        tell_kernel(gate, gate->pairs->pdata[i], facts);
    ps_tell_close(facts);
    tell_findings(gate, facts);
    ps_tell_open(facts, PS_FACT_GATE_WARNINGS);
    tell_left_out(gate->before, facts);
    tell_left_out(gate->after, facts);
    tell_unknown_occupancy(gate, facts);
    ps_tell_close(facts);
    return facts;
}

/* SPDX-License-Identifier: BSD-3-Clause */
/* Sensitivities and advice, as facts. */
#include "answer/figures.h"
#include "tell/answer-parts.h"
#include "tell/figure-words.h"

#include "tell/words.h"

/* A value that is not above 0 is unknown. */
static void tell_positive(PsTold *facts, PsExactFact fact, PsRational value)
{
    if (value.num > 0)
        ps_tell(facts, fact, value);
    else
        ps_tell_unknown(facts, fact.n);
}

/* ---- sensitivities ------------------------------------------------------------------------- */

static void tell_tried(const PsSensitivity *row, guint i, PsGroupFact which, PsTold *facts)
{
    ps_tell_open(facts, which);
    tell_positive(facts, PS_FACT_TRIED_VALUE, row->tried[i]);
    ps_tell(facts, PS_FACT_TRIED_SECONDS, row->seconds[i]);
    ps_tell(facts, PS_FACT_TRIED_PROBLEM, row->why[i]);
    ps_tell_close(facts);
}

static void tell_rows(const PsAnswer *answer, const GPtrArray *rows, PsTold *facts)
{
    ps_tell_open(facts, PS_FACT_SENSITIVITY);
    for (guint i = 0; i < rows->len; i++) {
        const PsSensitivity *row = rows->pdata[i];
        const gboolean of_level = ps_varies_of_level(row->varies);
        ps_tell_item(facts);
        ps_tell(facts, PS_FACT_SENSITIVITY_VARIES, ps_varies_name(row->varies));
        ps_tell(facts, PS_FACT_SENSITIVITY_CLASS, of_level ? NULL : row->class_name);
        if (of_level)
            ps_tell(facts, PS_FACT_SENSITIVITY_LEVEL, row->class_name);
        ps_tell_taken(facts, PS_FACT_SENSITIVITY_WORDS, ps_sensitivity_words(answer, row));
        tell_positive(facts, PS_FACT_SENSITIVITY_VALUE, row->value);
        ps_tell_taken(facts, PS_FACT_SENSITIVITY_VALUE_WORDS, ps_sensitivity_value(row));
        tell_tried(row, 0, PS_FACT_SENSITIVITY_HALF, facts);
        tell_tried(row, 1, PS_FACT_SENSITIVITY_TENTH_MORE, facts);
        tell_tried(row, 2, PS_FACT_SENSITIVITY_DOUBLE, facts);
        ps_tell(facts, PS_FACT_SENSITIVITY_ELASTICITY, row->elasticity);
        ps_tell(facts, PS_FACT_SENSITIVITY_EFFECT, row->effect);
        ps_tell_close(facts);
    }
    ps_tell_close(facts);
}

static void tell_latency(PsLatency latency, PsGroupFact which, PsTold *facts)
{
    ps_tell_open(facts, which);
    tell_positive(facts, PS_FACT_LATENCY_ISSUE, latency.issue);
    tell_positive(facts, PS_FACT_LATENCY_COMPLETION, latency.completion);
    ps_tell_close(facts);
}

static void tell_reliefs(const PsAnswer *answer, const GPtrArray *avoidables, PsTold *facts)
{
    ps_tell_open(facts, PS_FACT_RELIEFS);
    for (guint i = 0; i < avoidables->len; i++) {
        const PsAvoidable *one = avoidables->pdata[i];
        ps_tell_item(facts);
        ps_tell(facts, PS_FACT_RELIEFS_CLASS, one->class_name);
        ps_tell_taken(facts, PS_FACT_RELIEFS_WORDS, ps_relief_words(answer, one));
        ps_tell(facts, PS_FACT_RELIEFS_PLAIN, one->plain);
        tell_latency(one->from, PS_FACT_RELIEFS_FROM, facts);
        tell_latency(one->to, PS_FACT_RELIEFS_TO, facts);
        tell_positive(facts, PS_FACT_RELIEFS_DEGREE, one->degree);
        tell_positive(facts, PS_FACT_RELIEFS_SECTORS, PS_RATIONAL_INT(one->sectors));
        tell_positive(facts, PS_FACT_RELIEFS_LEAST_SECTORS, PS_RATIONAL_INT(one->least));
        ps_tell(facts, PS_FACT_RELIEFS_SECONDS, one->seconds);
        ps_tell(facts, PS_FACT_RELIEFS_PROBLEM, one->why);
        ps_tell_close(facts);
    }
    ps_tell_close(facts);
}

void ps_tell_sensitivities(const PsAnswer *answer, PsTold *facts)
{
    const PsSensitivities *sensitivities = answer->sensitivities;
    if (!sensitivities)
        return;
    tell_rows(answer, sensitivities->rows, facts);
    ps_tell(facts, PS_FACT_SENSITIVITY_CHANCE, sensitivities->chance);
    tell_reliefs(answer, sensitivities->avoidables, facts);
    ps_tell(facts, PS_FACT_SIMULATIONS, sensitivities->runs);
    ps_tell(facts, PS_FACT_SIMULATIONS_INSTRUCTIONS, sensitivities->instructions);
    ps_tell(facts, PS_FACT_UNTRIED, sensitivities->untried);
}

/* ---- advice -------------------------------------------------------------------------------- */

static void tell_certainty(const PsAdvice *advice, PsTold *facts)
{
    const GArray *assumed = advice->trust.assumed;
    ps_tell_open(facts, PS_FACT_ADVICE_CERTAINTY);
    ps_tell_open(facts, PS_FACT_ADVICE_CERTAINTY_ASSUMED);
    for (guint i = 0; assumed && i < assumed->len; i++)
        ps_tell_item_text(facts, ps_assumed_name(&g_array_index(assumed, PsAssumed, i)));
    ps_tell_close(facts);
    /* such gains are not told; programs read the key */
    ps_tell(facts, PS_FACT_ADVICE_CERTAINTY_WITHIN_ERROR, FALSE);
    ps_tell_close(facts);
}

/* Tells the table's fact with that number, if the kind of advice has told it; FALSE: it has not. */
static gboolean tell_own(const PsAdvice *advice, guint16 fact, PsTold *facts)
{
    for (guint i = 0; i < ps_told_length(advice->facts); i = ps_told_at(advice->facts, i)->end)
        if (ps_told_at(advice->facts, i)->fact == fact) {
            ps_tell_again(facts, advice->facts, i);
            return TRUE;
        }
    return FALSE;
}

static void tell_advice(const PsAnswer *answer, const PsAdvice *advice, PsTold *facts)
{
    ps_tell_item(facts);
    ps_tell(facts, PS_FACT_ADVICE_KIND, ps_cause_name(advice->cause));
    ps_tell(facts, PS_FACT_ADVICE_CLASS, advice->class_name);
    ps_tell(facts, PS_FACT_ADVICE_SECONDS, advice->seconds);
    ps_tell(facts, PS_FACT_ADVICE_HALF_WIDTH_SECONDS, advice->half_width);
    ps_tell(facts, PS_FACT_ADVICE_GAIN, advice->gain);
    ps_tell_place(answer, advice->program, advice->node, facts);
    if (!tell_own(advice, PS_FACT_ADVICE_LOOP.n, facts))
        ps_tell_unknown(facts, PS_FACT_ADVICE_LOOP.n);
    ps_tell(facts, PS_FACT_ADVICE_SENTENCE, advice->sentence);
    tell_certainty(advice, facts);
    (void)tell_own(advice, PS_FACT_ADVICE_SHAPE.n, facts);
    (void)tell_own(advice, PS_FACT_ADVICE_FIGURES.n, facts);
    ps_tell_close(facts);
}

static void tell_need(PsTold *facts, PsCountFact fact, gint64 need)
{
    if (need)
        ps_tell(facts, fact, need);
    else
        ps_tell_unknown(facts, fact.n);
}

static void tell_step(const PsAnswer *answer, PsTold *facts)
{
    const PsOccupancyStep *step = answer->occupancy_step;
    if (!step) {
        ps_tell_unknown(facts, PS_FACT_OCCUPANCY_STEP.n);
        return;
    }
    g_autofree char *sentence = ps_step_sentence(answer);
    ps_tell_open(facts, PS_FACT_OCCUPANCY_STEP);
    ps_tell(facts, PS_FACT_OCCUPANCY_STEP_GROUPS, step->groups);
    tell_need(facts, PS_FACT_OCCUPANCY_STEP_REGISTERS, step->registers);
    tell_need(facts, PS_FACT_OCCUPANCY_STEP_LOCAL_MEMORY_BYTES, step->local_memory);
    ps_tell(facts, PS_FACT_OCCUPANCY_STEP_SECONDS, step->seconds);
    ps_tell(facts, PS_FACT_OCCUPANCY_STEP_HALF_WIDTH_SECONDS, step->half_width);
    ps_tell(facts, PS_FACT_OCCUPANCY_STEP_GAIN, step->gain);
    ps_tell(facts, PS_FACT_OCCUPANCY_STEP_PAYS, step->pays);
    ps_tell(facts, PS_FACT_OCCUPANCY_STEP_SENTENCE, sentence);
    ps_tell_close(facts);
}

void ps_tell_advice(const PsAnswer *answer, PsTold *facts)
{
    if (!answer->advice)
        return;
    ps_tell_open(facts, PS_FACT_ADVICE);
    for (guint i = 0; i < answer->advice->len; i++)
        tell_advice(answer, answer->advice->pdata[i], facts);
    ps_tell_close(facts);
    tell_step(answer, facts);
}

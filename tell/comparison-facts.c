/* SPDX-License-Identifier: BSD-3-Clause */
/* See comparison-facts.h. */
#include "tell/comparison-facts.h"

#include "tell/join.h"
#include "tell/words.h"

#include <math.h>

/* ---- charges -------------------------------------------------------------------------------- */

/* A charge that a path lacks has no time on it, not a time of 0. */
static void tell_seconds(const PsComparison *comparison, const PsCharge *charge, PsTold *facts)
{
    const double whole = comparison->answers[0]->seconds;
    ps_tell(facts, PS_FACT_CHARGED_SECONDS_A_SECONDS, charge->there[0] ? charge->seconds[0] : NAN);
    ps_tell(facts, PS_FACT_CHARGED_SECONDS_B_SECONDS, charge->there[1] ? charge->seconds[1] : NAN);
    ps_tell(facts, PS_FACT_CHARGED_SECONDS_DIFFERENCE_SECONDS, charge->difference);
    ps_tell(facts, PS_FACT_CHARGED_SECONDS_OF_A, whole > 0 ? charge->difference / whole : NAN);
}

/* The exact cycles of a side. */
static void tell_cycles(const PsComparison *comparison, const PsCharge *charge, guint side,
                        PsExactFact fact, PsTold *facts)
{
    const PsMachine *machine = comparison->answers[side]->machine;
    if (charge->there[side])
        ps_tell(facts, fact, ps_machine_cycles(machine, charge->ticks[side]));
    else
        ps_tell_unknown(facts, fact.n);
}

static void tell_charge(const PsComparison *comparison, const PsCharge *charge, PsTold *facts)
{
    tell_cycles(comparison, charge, 0, PS_FACT_CHARGE_A_CYCLES, facts);
    tell_cycles(comparison, charge, 1, PS_FACT_CHARGE_B_CYCLES, facts);
    tell_seconds(comparison, charge, facts);
}

/* Tells what a charge is, before its figures. */
typedef void (*TellName)(const PsAnswer *a, const PsCharge *charge, PsTold *facts);

static void tell_class(const PsAnswer *a, const PsCharge *charge, PsTold *facts)
{
    ps_tell(facts, PS_FACT_COMPARISON_DIFFERENCE_BY_CLASS_KIND, ps_path_kind_name(charge->kind));
    ps_tell(facts, PS_FACT_COMPARISON_DIFFERENCE_BY_CLASS_CLASS, charge->name);
    ps_tell_taken(facts, PS_FACT_SPOKEN_WORDS, ps_class_charge_words(a, charge));
}

static void tell_line(const PsAnswer *a, const PsCharge *charge, PsTold *facts)
{
    (void)a;
    ps_tell(facts, PS_FACT_COMPARISON_DIFFERENCE_BY_LINE_LINE, charge->name);
    ps_tell(facts, PS_FACT_COMPARISON_DIFFERENCE_BY_LINE_CHANGE,
            charge->name ? ps_line_change_name(charge->change) : NULL);
    ps_tell(facts, PS_FACT_COMPARISON_DIFFERENCE_BY_LINE_A_LINE, charge->places[0]);
    ps_tell(facts, PS_FACT_COMPARISON_DIFFERENCE_BY_LINE_B_LINE, charge->places[1]);
    ps_tell_taken(facts, PS_FACT_CALLED_NAME, ps_line_charge_words(charge));
}

static void tell_pipeline(const PsAnswer *a, const PsCharge *charge, PsTold *facts)
{
    const gboolean port = !charge->name && charge->kind == PS_PATH_PORT;
    ps_tell(facts, PS_FACT_COMPARISON_DIFFERENCE_BY_PIPELINE_PIPELINE,
            port ? ISSUE_PORT : charge->name);
    ps_tell_taken(facts, PS_FACT_CALLED_NAME, ps_pipeline_charge_words(NULL, charge));
    ps_tell_taken(facts, PS_FACT_SPOKEN_WORDS, ps_pipeline_charge_words(a, charge));
}

static void tell_charges(const PsComparison *comparison, PsGroupFact which,
                         const GPtrArray *charges, TellName tell_name, PsTold *facts)
{
    if (!charges) {
        ps_tell_unknown(facts, which.n);
        return;
    }
    ps_tell_open(facts, which);
    for (guint i = 0; i < charges->len; i++) {
        ps_tell_item(facts);
        tell_name(comparison->answers[0], charges->pdata[i], facts);
        tell_charge(comparison, charges->pdata[i], facts);
        ps_tell_close(facts);
    }
    ps_tell_close(facts);
}

static void tell_off_path(const PsComparison *comparison, PsGroupFact which, const char *name,
                          const PsCharge *charge, PsTold *facts)
{
    PsCharge both = *charge;
    both.there[0] = both.there[1] = TRUE;
    ps_tell_open(facts, which);
    ps_tell(facts, PS_FACT_CALLED_NAME, name);
    tell_seconds(comparison, &both, facts);
    ps_tell_close(facts);
}

/* ---- machine code --------------------------------------------------------------------------- */

/* Tells the instruction's place in one side's own listing, which has the rest. */
static void tell_address(const PsListingRow *row, PsCountFact fact, PsTold *facts)
{
    if (row)
        ps_tell(facts, fact, (gint64)row->number * PS_SASS_BYTES);
    else
        ps_tell_unknown(facts, fact.n);
}

static double cycles_of(const PsListing *listing, const PsListingRow *row)
{
    return row ? ps_rational_to_double(ps_machine_cycles(listing->answer->machine, row->ticks)) : 0;
}

static void tell_instructions(const PsListing *a, const PsListing *b, PsTold *facts)
{
    static const char *const changes[] = {[PS_LISTING_SAME] = "same",
                                          [PS_LISTING_CHANGED] = "changed",
                                          [PS_LISTING_MOVED] = "moved",
                                          [PS_LISTING_ONLY_A] = "only-a",
                                          [PS_LISTING_ONLY_B] = "only-b"};
    g_autoptr(GArray) pairs = ps_listing_align(a, b);
    ps_tell_open(facts, PS_FACT_COMPARISON_DIFFERENCE_INSTRUCTIONS);
    for (guint i = 0; i < pairs->len; i++) {
        const PsListingPair *pair = &g_array_index(pairs, PsListingPair, i);
        ps_tell_item(facts);
        ps_tell(facts, PS_FACT_COMPARISON_DIFFERENCE_INSTRUCTIONS_CHANGE, changes[pair->change]);
        tell_address(pair->rows[0], PS_FACT_COMPARISON_DIFFERENCE_INSTRUCTIONS_A, facts);
        tell_address(pair->rows[1], PS_FACT_COMPARISON_DIFFERENCE_INSTRUCTIONS_B, facts);
        ps_tell(facts, PS_FACT_COMPARISON_DIFFERENCE_INSTRUCTIONS_DIFFERENCE_CYCLES,
                cycles_of(b, pair->rows[1]) - cycles_of(a, pair->rows[0]));
        ps_tell_close(facts);
    }
    ps_tell_close(facts);
}

static void tell_listings(const PsComparison *comparison, const PsComparedSide sides[2],
                          PsTold *facts)
{
    if (!sides[0].machine || !sides[1].machine)
        return;
    g_autoptr(PsListing) a = ps_listing_new(comparison->answers[0], sides[0].machine);
    g_autoptr(PsListing) b = ps_listing_new(comparison->answers[1], sides[1].machine);
    tell_instructions(a, b, facts);
}

/* ---- figures of both ------------------------------------------------------------------------ */

/* The facts of a side, with the options that it was asked with. */
static PsTold *side_told(const PsComparedSide *side)
{
    PsTold *facts = ps_told_new();
    g_autofree char *apart = g_strjoinv(" ", side->apart);
    ps_tell(facts, PS_FACT_SIDE_FILE, side->file);
    ps_tell(facts, PS_FACT_SIDE_OPTIONS, apart);
    ps_tell(facts, PS_FACT_SIDE_WHAT_IF, side->latencies);
    ps_tell_members(facts, side->answer);
    return facts;
}

/* Pipelines and levels of memory are two lists with the same figures. */
static void tell_figures(const PsComparedSide sides[2], PsTold *facts)
{
    g_autoptr(PsTold) a = side_told(&sides[0]), b = side_told(&sides[1]);
    ps_tell_open(facts, PS_FACT_COMPARISON_DIFFERENCE_FIGURES);
    ps_tell_joined(facts, PS_VIEW_COMPARE_FIGURES, a, b);
    ps_tell_close(facts);
    ps_tell_open(facts, PS_FACT_COMPARISON_DIFFERENCE_BUSY);
    ps_tell_joined(facts, PS_VIEW_COMPARE_PIPELINES, a, b);
    ps_tell_joined(facts, PS_VIEW_COMPARE_LEVELS, a, b);
    ps_tell_close(facts);
}

/* ---- all of it ------------------------------------------------------------------------------ */

static void tell_difference(const PsComparison *comparison, const PsComparedSide sides[2],
                            PsTold *facts)
{
    const double a = comparison->answers[0]->seconds, b = comparison->answers[1]->seconds;
    ps_tell_open(facts, PS_FACT_COMPARISON_DIFFERENCE);
    ps_tell(facts, PS_FACT_COMPARISON_DIFFERENCE_SECONDS, comparison->difference);
    ps_tell(facts, PS_FACT_COMPARISON_DIFFERENCE_RATIO, a > 0 ? b / a : NAN);
    ps_tell_taken(facts, PS_FACT_COMPARISON_DIFFERENCE_WORDS, ps_comparison_words(comparison));
    tell_figures(sides, facts);
    tell_charges(comparison, PS_FACT_COMPARISON_DIFFERENCE_BY_CLASS, comparison->by_class,
                 tell_class, facts);
    tell_charges(comparison, PS_FACT_COMPARISON_DIFFERENCE_BY_LINE, comparison->by_line, tell_line,
                 facts);
    tell_charges(comparison, PS_FACT_COMPARISON_DIFFERENCE_BY_PIPELINE, comparison->by_pipeline,
                 tell_pipeline, facts);
    const PsCharge whole = {.seconds = {a, b}, .difference = comparison->difference};
    tell_off_path(comparison, PS_FACT_COMPARISON_DIFFERENCE_LAUNCH, "the kernel's launch",
                  &comparison->launch, facts);
    tell_off_path(comparison, PS_FACT_COMPARISON_DIFFERENCE_CLAMP, "held back by the clamp",
                  &comparison->clamp, facts);
    tell_off_path(comparison, PS_FACT_COMPARISON_DIFFERENCE_WHOLE, "in all", &whole, facts);
    ps_tell(facts, PS_FACT_COMPARISON_DIFFERENCE_PROBLEM, comparison->problem);
    ps_tell(facts, PS_FACT_COMPARISON_DIFFERENCE_LINE_PROBLEM, comparison->line_problem);
    ps_tell(facts, PS_FACT_COMPARISON_DIFFERENCE_LINE_NOTE, comparison->line_note);
    tell_listings(comparison, sides, facts);
    ps_tell_close(facts);
}

static void tell_answer(PsTold *facts, PsGroupFact which, const PsTold *answer)
{
    ps_tell_open(facts, which);
    ps_tell_members(facts, answer);
    ps_tell_close(facts);
}

static void tell_texts(PsTold *facts, PsGroupFact which, char **texts)
{
    ps_tell_open(facts, which);
    for (char **text = texts; *text; text++)
        ps_tell_item_text(facts, *text);
    ps_tell_close(facts);
}

PsTold *ps_comparison_told(const PsComparison *comparison, const PsComparedSide sides[2])
{
    const PsComparedSide *a = &sides[0], *b = &sides[1];
    PsTold *facts = ps_told_new();
    ps_tell(facts, PS_FACT_COMPARISON_PIPESIM, PIPESIM_VERSION);
    tell_answer(facts, PS_FACT_COMPARISON_A, a->answer);
    tell_answer(facts, PS_FACT_COMPARISON_B, b->answer);
    ps_tell_open(facts, PS_FACT_COMPARISON_FILE);
    ps_tell(facts, PS_FACT_COMPARISON_FILE_A, a->file);
    ps_tell(facts, PS_FACT_COMPARISON_FILE_B, b->file);
    ps_tell_close(facts);
    ps_tell_open(facts, PS_FACT_COMPARISON_OPTIONS);
    tell_texts(facts, PS_FACT_COMPARISON_OPTIONS_A, a->apart);
    tell_texts(facts, PS_FACT_COMPARISON_OPTIONS_B, b->apart);
    ps_tell_close(facts);
    ps_tell_open(facts, PS_FACT_COMPARISON_WHAT_IF);
    ps_tell(facts, PS_FACT_COMPARISON_WHAT_IF_A, a->latencies);
    ps_tell(facts, PS_FACT_COMPARISON_WHAT_IF_B, b->latencies);
    ps_tell_close(facts);
    tell_difference(comparison, sides, facts);
    return facts;
}

/* SPDX-License-Identifier: BSD-3-Clause */
/* An answer in sentences, as facts, for readers in every voice. */
#include "tell/answer-parts.h"

#include "tell/describe.h"
#include "tell/guessed.h"
#include "tell/hint.h"
#include "tell/roofline.h"
#include "tell/trust.h"

static void tell_times(const PsAnswer *answer, double measured, PsTold *facts)
{
    ps_tell_taken(facts, PS_FACT_WORDS_TIME, ps_sentence_time(answer));
    ps_tell_taken(facts, PS_FACT_WORDS_PERFORMANCE, ps_sentence_performance(answer));
    if (answer->clamped)
        ps_tell_taken(facts, PS_FACT_WORDS_SIMULATED, ps_sentence_simulated(answer));
    ps_tell_taken(facts, PS_FACT_WORDS_TIMED, ps_sentence_timed(answer));
    if (answer->half_width > 0)
        ps_tell_taken(facts, PS_FACT_WORDS_ESTIMATED, ps_sentence_estimated(answer));
    if (measured > 0)
        ps_tell_taken(facts, PS_FACT_WORDS_MEASURED, ps_sentence_measured(answer, measured));
}

void ps_tell_words(const PsAnswer *answer, double measured, PsTold *facts)
{
    ps_tell_open(facts, PS_FACT_WORDS);
    tell_times(answer, measured, facts);
    ps_tell_taken(facts, PS_FACT_WORDS_LIMITED_BY, ps_sentence_bound(answer));
    ps_tell_taken(facts, PS_FACT_WORDS_WOULD_HELP, ps_hint_new(answer));
    ps_tell_taken(facts, PS_FACT_WORDS_ASSUMED, ps_sentence_guessed(answer));
    ps_tell_taken(facts, PS_FACT_WORDS_HOW_SURE, ps_trust_describe(answer));
    ps_tell_taken(facts, PS_FACT_WORDS_MODEL, ps_sentence_model(answer));
    ps_tell_taken(facts, PS_FACT_WORDS_CACHE, ps_sentence_not_kept(answer));
    ps_tell_taken(facts, PS_FACT_WORDS_LAUNCH, ps_sentence_launch(answer));
    ps_tell_taken(facts, PS_FACT_WORDS_KINDS, ps_sentence_kinds(answer));
    ps_tell_taken(facts, PS_FACT_WORDS_OCCUPANCY, ps_sentence_occupancy(answer));
    ps_tell_taken(facts, PS_FACT_WORDS_ROOFLINE, ps_sentence_ceiling(answer));
    ps_tell_taken(facts, PS_FACT_WORDS_PREDICTION, ps_sentence_prediction(answer));
    ps_tell_taken(facts, PS_FACT_WORDS_CROSS_CHECK, ps_sentence_cross_check(answer));
    ps_tell_close(facts);
}

/* SPDX-License-Identifier: BSD-3-Clause */
/* See refinements.h. */
#include "cli/refinements.h"

#include "cli/fail.h"

/* --published excludes options that change the model. */
static gboolean check_published(const Value *given, GError **error)
{
    static const OptionId others[] = {OPTION_POLICY,     OPTION_ORDER,     OPTION_SCHEDULERS,
                                      OPTION_CONTENTION, OPTION_OVERHEADS, OPTION_CUS,
                                      OPTION_LEVELS,     OPTION_CACHE,     OPTION_FILES};
    const char *other = given[OPTION_PUBLISHED].on ? given_one_of(given, others) : NULL;
    return !other ||
           usage_error(error,
                       "--published turns all refinements off; leave out --published or --%s",
                       other);
}

/* The first of the two words means on, the second off. */
static PsChoice choice_of(const Value *value)
{
    return !is_given(value) ? PS_CHOICE_GPU : value->word == 0 ? PS_CHOICE_ON : PS_CHOICE_OFF;
}

/* Words stand in the table in the order of the enumerations. */
gboolean refinements_parse(const Value *given, PsRefinementOptions *options, GError **error)
{
    *options = (PsRefinementOptions){.published = given[OPTION_PUBLISHED].on,
                                     .has_policy = is_given(&given[OPTION_POLICY]),
                                     .policy = (PsPolicy)given[OPTION_POLICY].word,
                                     .has_order = is_given(&given[OPTION_ORDER]),
                                     .order = (PsOrder)given[OPTION_ORDER].word,
                                     .contention = choice_of(&given[OPTION_CONTENTION]),
                                     .overheads = choice_of(&given[OPTION_OVERHEADS]),
                                     .levels = choice_of(&given[OPTION_LEVELS]),
                                     .cache = (PsCacheState)given[OPTION_CACHE].word,
                                     .all_cus = choice_of(&given[OPTION_CUS])};
    return check_published(given, error) &&
           ps_text_schedulers("--", given[OPTION_SCHEDULERS].text, &options->schedulers, error);
}

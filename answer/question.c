/* SPDX-License-Identifier: BSD-3-Clause */
/* See question.h. A PsQuestion of a caller is the first member of a PsAsked. */
#include "answer/question.h"

#include "answer/asked.h"
#include "base/count.h"
#include "base/usage.h"

#include <string.h>

PsQuestion *ps_question_new(const PsIdg *idg, const PsGpu *gpu)
{
    PsAsked *asked = g_new0(PsAsked, 1);
    asked->params = ps_scope_new();
    asked->what_if = g_string_new(NULL);
    asked->precision = PS_USUAL_PRECISION;
    asked->question = (PsQuestion){
        .idg = idg, .gpu = gpu, .params = asked->params, .refinements = &asked->refinements};
    return &asked->question;
}

void ps_question_free(PsQuestion *question)
{
    PsAsked *asked = (PsAsked *)question;
    if (!asked)
        return;
    ps_scope_free(asked->params);
    g_string_free(asked->what_if, TRUE);
    g_clear_pointer(&asked->latencies, g_ptr_array_unref);
    g_free(asked);
}

void ps_question_set_code(PsQuestion *question, PsKernelCode *code)
{
    ((PsAsked *)question)->code = code;
}

void ps_question_set_hearer(PsQuestion *question, PsHearer hearer)
{
    question->progress = hearer;
}

/* ---- what is more than a word -------------------------------------------------------------- */

static gboolean set_param(PsAsked *asked, const char *text, GError **error)
{
    if (text)
        return ps_text_param("", text, asked->params, error);
    ps_scope_free(asked->params);
    asked->question.params = asked->params = ps_scope_new();
    return TRUE;
}

static gboolean set_what_if(PsAsked *asked, const char *text, GError **error)
{
    g_autofree char *all = asked->what_if->len && text
                               ? g_strdup_printf("%s,%s", asked->what_if->str, text)
                               : g_strdup(text ? text : "");
    g_autoptr(GPtrArray) latencies = text ? ps_what_if_parse(all, error) : NULL;
    if (text && !latencies)
        return FALSE;
    g_string_assign(asked->what_if, all);
    g_clear_pointer(&asked->latencies, g_ptr_array_unref);
    asked->question.latencies = asked->latencies = g_steal_pointer(&latencies);
    return TRUE;
}

static gboolean set_clock(PsAsked *asked, const char *text, GError **error)
{
    return ps_text_clock("", text, &asked->clock, error);
}

static gboolean set_precision(PsAsked *asked, const char *text, GError **error)
{
    asked->precision = text ? asked->precision : PS_USUAL_PRECISION;
    return !text || ps_text_precision("", text, &asked->precision, error);
}

static gboolean set_schedulers(PsAsked *asked, const char *text, GError **error)
{
    asked->refinements.schedulers = text ? asked->refinements.schedulers : 0;
    return ps_text_schedulers("", text, &asked->refinements.schedulers, error);
}

static gboolean set_budget(PsAsked *asked, const char *text, GError **error)
{
    PsRational seconds = {0, 1};
    if (text && (!ps_rational_parse(text, &seconds) || seconds.num <= 0))
        return ps_usage_error(error, "budget: '%s' is no time in seconds, a decimal number above 0",
                              text);
    asked->budget = ps_rational_to_double(seconds);
    return TRUE;
}

static const struct {
    const char *name;
    gboolean (*set)(PsAsked *asked, const char *text, GError **error);
} TEXTS[] = {{"param", set_param},   {"what-if", set_what_if},
             {"clock", set_clock},   {"precision", set_precision},
             {"budget", set_budget}, {"schedulers", set_schedulers}};

/* ---- numbers and switches ------------------------------------------------------------------ */

static const struct {
    const char *name;
    gsize number; /* its offset in PsAsked */
} NUMBERS[] = {{"groups", G_STRUCT_OFFSET(PsAsked, question.launch.groups)},
               {"group-size", G_STRUCT_OFFSET(PsAsked, question.launch.group_size)},
               {"active", G_STRUCT_OFFSET(PsAsked, question.launch.active)}};

static gboolean set_number(gint64 *number, const char *name, const char *text, GError **error)
{
    PsRational value = {0, 1};
    if (text &&
        (!ps_count_parse_rational(text, &value) || !ps_rational_is_int(value) || value.num < 1))
        return ps_usage_error(error, "%s: '%s' is not a whole number above 0", name, text);
    *number = value.num;
    return TRUE;
}

static const struct {
    const char *name;
    gsize on; /* its offset in PsAsked */
} SWITCHES[] = {{"exact", G_STRUCT_OFFSET(PsAsked, exact)},
                {"no-fast-forward", G_STRUCT_OFFSET(PsAsked, question.no_fast_forward)},
                {"published", G_STRUCT_OFFSET(PsAsked, refinements.published)},
                {"explain", G_STRUCT_OFFSET(PsAsked, explain)},
                {"sensitivity", G_STRUCT_OFFSET(PsAsked, sensitivity)},
                {"advise", G_STRUCT_OFFSET(PsAsked, advise)}};

/* ---- words --------------------------------------------------------------------------------- */

static void set_clamp(PsAsked *asked, guint word)
{
    asked->question.clamp = (PsClamp)word;
}

static void set_policy(PsAsked *asked, guint word)
{
    asked->refinements.has_policy = word > 0;
    asked->refinements.policy = (PsPolicy)(word - (word > 0));
}

static void set_order(PsAsked *asked, guint word)
{
    asked->refinements.has_order = word > 0;
    asked->refinements.order = (PsOrder)(word - (word > 0));
}

/* The word "on" comes first. */
static PsChoice choice_of(guint word)
{
    return word == 0 ? PS_CHOICE_GPU : word == 1 ? PS_CHOICE_ON : PS_CHOICE_OFF;
}

static void set_contention(PsAsked *asked, guint word)
{
    asked->refinements.contention = choice_of(word);
}

static void set_overheads(PsAsked *asked, guint word)
{
    asked->refinements.overheads = choice_of(word);
}

static void set_levels(PsAsked *asked, guint word)
{
    asked->refinements.levels = choice_of(word);
}

static void set_cache(PsAsked *asked, guint word)
{
    asked->refinements.cache = word ? (PsCacheState)(word - 1) : PS_CACHE_COLD;
}

static void set_cus(PsAsked *asked, guint word)
{
    asked->refinements.all_cus = choice_of(word);
}

/* Words are counted from 1; 0 takes the option back. */
static const struct {
    const char *name;
    const char *words; /* separated by blanks, in the order of the enumeration */
    void (*set)(PsAsked *asked, guint word);
} WORDS[] = {{"clamp", "ceiling roofline none", set_clamp},
             {"policy", "fifo lrr gto gty oldest", set_policy},
             {"order", "dataflow program", set_order},
             {"contention", "on off", set_contention},
             {"overheads", "on off", set_overheads},
             {"levels", "on off", set_levels},
             {"cache", "cold warm dirty", set_cache},
             {"cus", "all fullest", set_cus}};

static gboolean set_word(PsAsked *asked, guint i, const char *text, GError **error)
{
    g_auto(GStrv) words = g_strsplit(WORDS[i].words, " ", -1);
    guint word = 0;
    while (text && words[word] && strcmp(words[word], text) != 0)
        word++;
    if (text && !words[word])
        return ps_usage_error(error, "%s: '%s' is none of: %s", WORDS[i].name, text,
                              WORDS[i].words);
    WORDS[i].set(asked, text ? word + 1 : 0);
    return TRUE;
}

/* ---- all of it ----------------------------------------------------------------------------- */

static gboolean *find_switch(PsAsked *asked, const char *option)
{
    for (guint i = 0; i < G_N_ELEMENTS(SWITCHES); i++)
        if (strcmp(option, SWITCHES[i].name) == 0)
            return &G_STRUCT_MEMBER(gboolean, asked, SWITCHES[i].on);
    return NULL;
}

static gint64 *find_number(PsAsked *asked, const char *option)
{
    for (guint i = 0; i < G_N_ELEMENTS(NUMBERS); i++)
        if (strcmp(option, NUMBERS[i].name) == 0)
            return &G_STRUCT_MEMBER(gint64, asked, NUMBERS[i].number);
    return NULL;
}

/* The index of the option; the number of options if there is none of that name. */
static guint find_text(const char *option)
{
    guint i = 0;
    while (i < G_N_ELEMENTS(TEXTS) && strcmp(option, TEXTS[i].name) != 0)
        i++;
    return i;
}

static guint find_words(const char *option)
{
    guint i = 0;
    while (i < G_N_ELEMENTS(WORDS) && strcmp(option, WORDS[i].name) != 0)
        i++;
    return i;
}

gboolean ps_question_has(const char *option)
{
    PsAsked none;
    return find_switch(&none, option) || find_number(&none, option) ||
           find_text(option) < G_N_ELEMENTS(TEXTS) || find_words(option) < G_N_ELEMENTS(WORDS);
}

gboolean ps_question_set(PsQuestion *question, const char *option, const char *value,
                         GError **error)
{
    PsAsked *asked = (PsAsked *)question;
    gboolean *on = find_switch(asked, option);
    gint64 *number = find_number(asked, option);
    const guint text = find_text(option), words = find_words(option);
    if (on)
        *on = value != NULL;
    if (on)
        return TRUE;
    if (number)
        return set_number(number, option, value, error);
    if (text < G_N_ELEMENTS(TEXTS))
        return TEXTS[text].set(asked, value, error);
    return words < G_N_ELEMENTS(WORDS)
               ? set_word(asked, words, value, error)
               : ps_usage_error(error, "a question has no option '%s'", option);
}

/* The published model excludes options that would change it. */
static gboolean check_published(const PsRefinementOptions *options, GError **error)
{
    const gboolean other = options->has_policy || options->has_order || options->schedulers ||
                           options->contention || options->overheads || options->levels ||
                           options->cache || options->all_cus;
    return !options->published || !other ||
           ps_usage_error(error, "published turns all refinements off; leave it out, or the other "
                                 "refinements");
}

gboolean ps_asked_complete(PsAsked *asked, GError **error)
{
    PsQuestion *question = &asked->question;
    const gboolean exact = asked->exact || question->no_fast_forward;
    question->precision = exact ? 0 : asked->precision;
    question->explain = asked->explain || asked->advise;
    question->sketch = !asked->explain;
    question->deadline = 0; /* an earlier answer's budget no longer counts */
    return check_published(&asked->refinements, error) &&
           ps_asked_question_clock("", &asked->clock, question->gpu, &question->clock, error);
}

gboolean ps_asked_check_many(const PsAsked *asked, const char *who, GError **error)
{
    const char *name = asked->budget > 0    ? "budget"
                       : asked->sensitivity ? "sensitivity"
                       : asked->advise      ? "advise"
                                            : NULL;
    return !name || ps_usage_error(error, "%s is of one question, and %s", name, who);
}

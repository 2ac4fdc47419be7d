/* SPDX-License-Identifier: BSD-3-Clause */
/* See refinements.h. */
#include "cli/run/refinements.h"

#include "cli/fail.h"

#include <string.h>

/* ---- from the command line ----------------------------------------------------------------- */

/* An option that takes one of some words. */
typedef struct {
    const char *option, *what; /* "--cus", "choice" */
    const char *const *words;  /* NULL-terminated */
} Choice;

/* Where text is among the words, -1 where it was not given. */
static gboolean parse_word(const Choice *choice, const char *text, int *index, GError **error)
{
    *index = -1;
    if (!text)
        return TRUE;
    g_autoptr(GString) known = g_string_new(NULL);
    for (int i = 0; choice->words[i]; i++) {
        if (strcmp(text, choice->words[i]) == 0) {
            *index = i;
            return TRUE;
        }
        g_string_append_printf(known, "%s%s",
                               i == 0                 ? ""
                               : choice->words[i + 1] ? ", "
                                                      : " or ",
                               choice->words[i]);
    }
    return usage_error(error, "%s: there is no %s '%s'; it is %s", choice->option, choice->what,
                       text, known->str);
}

static gboolean parse_order(const char *text, PsRefinementOptions *options, GError **error)
{
    const char *const words[] = {ps_order_name(PS_ORDER_DATAFLOW), ps_order_name(PS_ORDER_PROGRAM),
                                 NULL};
    int index;
    if (!parse_word(&(Choice){"--order", "order", words}, text, &index, error))
        return FALSE;
    options->has_order = index >= 0;
    options->order = index > 0 ? PS_ORDER_PROGRAM : PS_ORDER_DATAFLOW;
    return TRUE;
}

static gboolean parse_policy(const char *text, PsRefinementOptions *options, GError **error)
{
    const char *words[PS_POLICY_OLDEST + 2] = {NULL};
    int index;
    for (PsPolicy policy = PS_POLICY_FIFO; policy <= PS_POLICY_OLDEST; policy++)
        words[policy] = ps_policy_name(policy);
    if (!parse_word(&(Choice){"--policy", "policy", words}, text, &index, error))
        return FALSE;
    options->has_policy = index >= 0;
    options->policy = (PsPolicy)MAX(index, 0);
    return TRUE;
}

/* The first of the two words is on, the second off. */
static gboolean parse_choice(const Choice *of, const char *text, PsChoice *choice, GError **error)
{
    int index;
    if (!parse_word(of, text, &index, error))
        return FALSE;
    *choice = index < 0 ? PS_CHOICE_GPU : index == 0 ? PS_CHOICE_ON : PS_CHOICE_OFF;
    return TRUE;
}

static gboolean parse_switch(const char *option, const char *text, PsChoice *choice, GError **error)
{
    static const char *const words[] = {"on", "off", NULL};
    return parse_choice(&(Choice){option, "setting", words}, text, choice, error);
}

static gboolean parse_schedulers(const char *text, gint64 *schedulers, GError **error)
{
    PsRational number;
    if (!text)
        return TRUE;
    *schedulers = PS_NO_SCHEDULERS;
    if (strcmp(text, "none") == 0)
        return TRUE;
    if (!ps_rational_parse(text, &number) || !ps_rational_is_int(number) || number.num < 1 ||
        number.num > PS_SIM_MAX_SCHEDULERS)
        return usage_error(error,
                           "--schedulers: '%s' is not a whole number from 1 to %d; none turns "
                           "schedulers off",
                           text, PS_SIM_MAX_SCHEDULERS);
    *schedulers = number.num;
    return TRUE;
}

/* --published leaves nothing for others to say. */
static gboolean check_published(const Raw *raw, GError **error)
{
    const struct {
        const char *option, *text;
    } others[] = {{"--policy", raw->policy},         {"--order", raw->order},
                  {"--schedulers", raw->schedulers}, {"--contention", raw->contention},
                  {"--overheads", raw->overheads},   {"--cus", raw->cus},
                  {"--levels", raw->levels},         {"--cache", raw->cache}};
    for (guint i = 0; raw->published && i < G_N_ELEMENTS(others); i++)
        if (others[i].text)
            return usage_error(error,
                               "--published turns all refinements off; leave out --published or %s",
                               others[i].option);
    return TRUE;
}

/* What the last cache holds when the kernel is launched. */
static gboolean parse_cache(const char *text, gboolean *warm, GError **error)
{
    static const char *const words[] = {"cold", "warm", NULL};
    int index;
    if (!parse_word(&(Choice){"--cache", "state", words}, text, &index, error))
        return FALSE;
    *warm = index > 0;
    return TRUE;
}

gboolean refinements_parse(const Raw *raw, PsRefinementOptions *options, GError **error)
{
    static const char *const cus[] = {"all", "fullest", NULL};
    *options = (PsRefinementOptions){.published = raw->published};
    return check_published(raw, error) && parse_policy(raw->policy, options, error) &&
           parse_order(raw->order, options, error) &&
           parse_schedulers(raw->schedulers, &options->schedulers, error) &&
           parse_switch("--contention", raw->contention, &options->contention, error) &&
           parse_switch("--overheads", raw->overheads, &options->overheads, error) &&
           parse_switch("--levels", raw->levels, &options->levels, error) &&
           parse_cache(raw->cache, &options->warm, error) &&
           parse_choice(&(Choice){"--cus", "choice", cus}, raw->cus, &options->all_cus, error);
}

/* ---- for reports --------------------------------------------------------------------------- */

static void add(GString *out, const char *text)
{
    g_string_append_printf(out, "%s%s", out->len ? ", " : "", text);
}

char *refinements_describe(const PsRefinements *refinements)
{
    GString *out = g_string_new(NULL);
    if (refinements->schedulers > 0) {
        g_autofree char *width = ps_rational_format(refinements->issue_width);
        g_string_append_printf(out, "schedulers (%" G_GINT64_FORMAT ", %s per cycle)",
                               refinements->schedulers, width);
    }
    if (refinements->order == PS_ORDER_PROGRAM)
        add(out, "program order");
    if (refinements->policy != PS_POLICY_FIFO)
        add(out, ps_policy_name(refinements->policy));
    if (refinements->contention)
        add(out, "contention");
    if (refinements->overheads)
        add(out, "overheads");
    if (refinements->levels)
        add(out, refinements->warm ? "memory levels (warm)" : "memory levels (cold)");
    if (refinements->all_cus)
        add(out, "all CUs");
    return g_string_free(out, FALSE);
}

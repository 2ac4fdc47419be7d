/* SPDX-License-Identifier: BSD-3-Clause */
/* The tool compare. */
#include "base/usage.h"
#include "serve/pick.h"
#include "serve/short.h"
#include "tell/compared.h"
#include "tell/json.h"

#include <string.h>

/* Items of each list, at most. */
#define ITEMS 3

typedef struct {
    PsServedKernel *kernels[2];
    GPtrArray *options[2]; /* char *: each side's own options, "--active 8"; NULL at the end */
    PsCompared *compared;
} Compared;

static void compared_clear(Compared *of)
{
    ps_compared_free(of->compared);
    for (guint side = 0; side < 2; side++) {
        ps_served_kernel_free(of->kernels[side]);
        g_clear_pointer(&of->options[side], g_ptr_array_unref);
    }
}

G_DEFINE_AUTO_CLEANUP_CLEAR_FUNC(Compared, compared_clear)

/* A side's own options, without files, GPUs and what-ifs, which the document has separately. */
static GPtrArray *own_options(const PsArguments *own)
{
    static const char *const told[] = {"path", "gpu", "what_if", NULL};
    GPtrArray *options = g_ptr_array_new_with_free_func(g_free);
    for (guint i = 0; own && i < own->given->len; i++) {
        const PsGiven *given = own->given->pdata[i];
        g_autofree char *option = ps_served_option(given->row->name);
        if (!g_strv_contains(told, given->row->name))
            g_ptr_array_add(options,
                            g_strdup_printf("--%s %s",
                                            given->row->type == PS_ARGUMENT_VALUES ? "arg" : option,
                                            given->text));
    }
    g_ptr_array_add(options, NULL);
    return options;
}

static gboolean load(const PsToolCall *call, guint side, Compared *of, GError **error)
{
    const PsArguments *own = call->arguments->sides[side];
    g_autoptr(PsArguments) all = ps_arguments_over(call->arguments, own);
    of->options[side] = own_options(own);
    of->kernels[side] = ps_served_kernel_new(call->folders, all, call->hearer, error);
    if (!of->kernels[side])
        g_prefix_error(error, "%s: ", side ? "b" : "a");
    return of->kernels[side] != NULL;
}

static void tell_side(const Compared *of, guint side, PsGroupFact as, PsTold *facts)
{
    const PsPicks picked =
        PS_PICKS(PS_FACT_RESULT_SECONDS.n, PS_FACT_WORDS_TIME.n, PS_FACT_WORDS_LIMITED_BY.n);
    const PsAnswer *answer = of->compared->answers[side];
    g_autofree char *name = ps_short_name(answer->idg->name);
    ps_tell_open(facts, as);
    ps_tell(facts, PS_FACT_SHORT_SIDE_KERNEL, name);
    ps_tell(facts, PS_FACT_SHORT_SIDE_GPU, answer->gpu->name);
    ps_pick(facts, of->compared->sides[side], picked);
    ps_tell_close(facts);
}

/* The short answer with so many items in each list (g_free). */
static char *tell_short(const Compared *of, guint items)
{
    const PsPicks line = PS_PICKS(PS_FACT_COMPARISON_DIFFERENCE_BY_LINE_CHANGE.n,
                                  PS_FACT_COMPARISON_DIFFERENCE_BY_LINE_A_LINE.n,
                                  PS_FACT_COMPARISON_DIFFERENCE_BY_LINE_B_LINE.n,
                                  PS_FACT_CHARGED_SECONDS_DIFFERENCE_SECONDS.n);
    const PsPicks class = PS_PICKS(PS_FACT_COMPARISON_DIFFERENCE_BY_CLASS_KIND.n,
                                   PS_FACT_COMPARISON_DIFFERENCE_BY_CLASS_CLASS.n,
                                   PS_FACT_CHARGED_SECONDS_DIFFERENCE_SECONDS.n);
    const PsTold *all = of->compared->told;
    g_autoptr(PsTold) facts = ps_told_new();
    tell_side(of, 0, PS_FACT_SHORT_COMPARISON_A, facts);
    tell_side(of, 1, PS_FACT_SHORT_COMPARISON_B, facts);
    ps_pick(facts, all, PS_PICKS(PS_FACT_COMPARISON_DIFFERENCE_RATIO.n));
    ps_pick_items(facts, PS_FACT_SHORT_COMPARISON_BY_LINE, all,
                  PS_FACT_COMPARISON_DIFFERENCE_BY_LINE, items, line);
    ps_pick_items(facts, PS_FACT_SHORT_COMPARISON_BY_CLASS, all,
                  PS_FACT_COMPARISON_DIFFERENCE_BY_CLASS, items, class);
    ps_pick(facts, all, PS_PICKS(PS_FACT_COMPARISON_DIFFERENCE_LINE_PROBLEM.n));
    return ps_short_json(facts);
}

char *ps_serve_compare(const PsToolCall *call, GError **error)
{
    g_auto(Compared) of = {0};
    if (!call->arguments->sides[0] || !call->arguments->sides[1]) {
        ps_usage_error(error, "'%s' is missing", call->arguments->sides[0] ? "b" : "a");
        return NULL;
    }
    if (!load(call, 0, &of, error) || !load(call, 1, &of, error))
        return NULL;
    of.compared = ps_compared_new(of.kernels[0]->question, of.kernels[1]->question,
                                  (const char *const *)of.options[0]->pdata,
                                  (const char *const *)of.options[1]->pdata, error);
    if (!of.compared)
        return NULL;
    if (ps_call_detail(call) == PS_DETAIL_JSON) {
        GString *out = g_string_new(NULL);
        ps_json_told_document(out, of.compared->told);
        return g_string_free(out, FALSE);
    }
    for (guint items = ITEMS;; items--) {
        g_autofree char *text = tell_short(&of, items);
        if (strlen(text) <= PS_SHORT_BYTES || items == 0)
            return g_steal_pointer(&text);
    }
}

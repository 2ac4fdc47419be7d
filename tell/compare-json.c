/* SPDX-License-Identifier: BSD-3-Clause */
/* See compare-json.h. */
#include "tell/compare-json.h"

#include "answer/asked.h"
#include "tell/answer.h"
#include "tell/comparison-facts.h"
#include "tell/json.h"

static gboolean complete(PsQuestion *const questions[2], GError **error)
{
    for (guint side = 0; side < 2; side++) {
        PsAsked *asked = (PsAsked *)questions[side];
        GError *why = NULL;
        if (!ps_asked_check_many(asked, "a comparison asks two", &why) ||
            !ps_asked_complete(asked, &why)) {
            g_propagate_prefixed_error(error, why, "%s: ", side ? "B" : "A");
            return FALSE;
        }
        questions[side]->sketch = TRUE;
    }
    return TRUE;
}

/* What the document says of a side besides its answer, whose facts these are. */
static PsComparedSide side_of(const PsQuestion *question, const PsTold *facts,
                              const char *const *options)
{
    static char *none[] = {NULL};
    const PsAsked *asked = (const PsAsked *)question;
    const PsIdg *idg = question->idg;
    return (PsComparedSide){.answer = facts,
                            .file = idg->path ? idg->path : idg->name,
                            .apart = options ? (char **)options : none,
                            .latencies = asked->what_if->len ? asked->what_if->str : NULL};
}

char *ps_compare_json(PsQuestion *a, PsQuestion *b, const char *const *options_a,
                      const char *const *options_b, GError **error)
{
    PsQuestion *const questions[] = {a, b};
    PsAnswer *answers[2];
    if (!complete(questions, error) || !ps_compared_answers(questions, answers, error))
        return NULL;
    g_autoptr(PsAnswer) one = answers[0];
    g_autoptr(PsAnswer) other = answers[1];
    g_autoptr(PsTold) facts_a = ps_answer_told(one, 0);
    g_autoptr(PsTold) facts_b = ps_answer_told(other, 0);
    const PsComparedSide sides[] = {side_of(a, facts_a, options_a), side_of(b, facts_b, options_b)};
    g_autoptr(PsComparison) comparison = ps_comparison_new(one, other);
    g_autoptr(PsTold) facts = ps_comparison_told(comparison, sides);
    GString *out = g_string_new(NULL);
    ps_json_told_document(out, facts);
    return g_string_free(out, FALSE);
}

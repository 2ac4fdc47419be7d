/* SPDX-License-Identifier: BSD-3-Clause */
/* See compare-json.h and compared.h. */
#include "tell/compare-json.h"

#include "answer/asked.h"
#include "tell/answer.h"
#include "tell/compared.h"
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

/* A side's facts in the document, beside those of its answer. */
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

void ps_compared_free(PsCompared *compared)
{
    if (!compared)
        return;
    ps_told_free(compared->told);
    ps_comparison_free(compared->comparison);
    for (guint side = 0; side < 2; side++) {
        ps_told_free(compared->sides[side]);
        ps_answer_free(compared->answers[side]);
    }
    g_free(compared);
}

PsCompared *ps_compared_new(PsQuestion *a, PsQuestion *b, const char *const *options_a,
                            const char *const *options_b, GError **error)
{
    PsQuestion *const questions[] = {a, b};
    g_autoptr(PsCompared) compared = g_new0(PsCompared, 1);
    if (!complete(questions, error) || !ps_compared_answers(questions, compared->answers, error))
        return NULL;
    compared->sides[0] = ps_answer_told(compared->answers[0], 0);
    compared->sides[1] = ps_answer_told(compared->answers[1], 0);
    const PsComparedSide sides[] = {side_of(a, compared->sides[0], options_a),
                                    side_of(b, compared->sides[1], options_b)};
    compared->comparison = ps_comparison_new(compared->answers[0], compared->answers[1]);
    compared->told = ps_comparison_told(compared->comparison, sides);
    return g_steal_pointer(&compared);
}

char *ps_compare_json(PsQuestion *a, PsQuestion *b, const char *const *options_a,
                      const char *const *options_b, GError **error)
{
    g_autoptr(PsCompared) compared = ps_compared_new(a, b, options_a, options_b, error);
    GString *out = compared ? g_string_new(NULL) : NULL;
    if (!compared)
        return NULL;
    ps_json_told_document(out, compared->told);
    return g_string_free(out, FALSE);
}

/* SPDX-License-Identifier: BSD-3-Clause */
/* See answer-text.h. */
#include "tell/answer-text.h"

#include "tell/answer-page.h"

/* Puts the parts on request; tables: these as well. */
static void put_page(const PsAnswer *answer, double measured, gboolean tables, const PsPaper *paper)
{
    const PsAnswerPage page = {.answer = answer,
                               .measured = measured,
                               .shows = answer->shows,
                               .tables = tables,
                               .alone = TRUE};
    ps_answer_page(&page, paper);
}

char *ps_answer_text(const PsAnswer *answer, double measured)
{
    const PsPaper paper = {.out = g_string_new(NULL), .form = PS_PAPER_TEXT};
    put_page(answer, measured, FALSE, &paper);
    return g_string_free(paper.out, FALSE);
}

char *ps_answer_html(const PsAnswer *answer, double measured)
{
    const PsPaper paper = {.out = g_string_new("<div class=\"pipesim\">\n"), .form = PS_PAPER_HTML};
    put_page(answer, measured, TRUE, &paper);
    g_string_append(paper.out, "</div>\n");
    return g_string_free(paper.out, FALSE);
}

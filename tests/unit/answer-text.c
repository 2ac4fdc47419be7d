/* SPDX-License-Identifier: BSD-3-Clause */
/* An answer's sentences as text and as HTML. */
#include "advice/ask.h"
#include "idg/idg.h"
#include "tell/answer-text.h"

#include <string.h>

typedef struct {
    PsGpu *gpu;
    PsIdg *idg;
    PsAnswer *answer;
} Asked;

static Asked ask(const char *title, const char *option)
{
    Asked asked = {0};
    g_autoptr(GError) error = NULL;
    asked.gpu = ps_gpu_load("gpus/pascal.xml", &error);
    asked.idg = ps_idg_load("graphs/mmul08-conflict.idg", &error);
    g_assert_no_error(error);
    if (title) {
        g_free(asked.idg->title);
        asked.idg->title = g_strdup(title);
    }
    g_autoptr(PsQuestion) question = ps_question_new(asked.idg, asked.gpu);
    /* What is told of few groups is told of many. */
    g_assert_true(ps_question_set(question, "groups", "100", &error));
    g_assert_true(!option || ps_question_set(question, option, "", &error));
    asked.answer = ps_question_ask(question, 1, &error);
    g_assert_no_error(error);
    return asked;
}

static void clear(Asked *asked)
{
    ps_answer_free(asked->answer);
    ps_idg_free(asked->idg);
    ps_gpu_free(asked->gpu);
}

static void test_text(void)
{
    Asked asked = ask(NULL, NULL);
    g_autofree char *text = ps_answer_text(asked.answer, 0);
    g_auto(GStrv) lines = g_strsplit(text, "\n", -1);
    g_assert_true(g_str_has_prefix(text, "mmul08-conflict on GeForce GTX 1060 6GB ("));
    g_assert_nonnull(strstr(text, "\nTime          "));
    g_assert_nonnull(strstr(text, "\nLimited by    "));
    g_assert_nonnull(strstr(text, "\nWould help    "));
    g_assert_null(strstr(text, "\nAdvice\n"));
    g_assert_true(g_str_has_suffix(text, "\n"));
    for (char **line = lines; *line; line++)
        g_assert_cmpint(g_utf8_strlen(*line, -1), <=, 80);
    clear(&asked);
}

/* Advice stands in place of what would help. What it needed besides was not asked for. */
static void test_advice(void)
{
    Asked asked = ask(NULL, "advise");
    g_autofree char *text = ps_answer_text(asked.answer, 0),
                    *html = ps_answer_html(asked.answer, 0);
    g_assert_nonnull(strstr(text, "\nAdvice\n  - "));
    g_assert_null(strstr(text, "\nWould help "));
    g_assert_null(strstr(text, "\nSensitivity"));
    g_assert_null(strstr(text, "\nCritical path: "));
    g_assert_nonnull(strstr(html, "<h4>Advice</h4>\n<ul>\n<li>"));
    g_assert_null(strstr(html, "<h4>Sensitivity"));
    clear(&asked);
}

static void test_sensitivity(void)
{
    Asked asked = ask(NULL, "sensitivity");
    g_autofree char *text = ps_answer_text(asked.answer, 0),
                    *html = ps_answer_html(asked.answer, 0);
    g_assert_nonnull(strstr(text, "\nSensitivity"));
    g_assert_null(strstr(text, "\nAdvice\n"));
    g_assert_nonnull(strstr(html, "<h4>Sensitivity"));
    clear(&asked);
}

/* What is explained has its tables in both, and those of --tables are in HTML alone. */
static void test_tables(void)
{
    Asked asked = ask(NULL, "explain");
    g_autofree char *text = ps_answer_text(asked.answer, 0),
                    *html = ps_answer_html(asked.answer, 0);
    g_assert_nonnull(strstr(text, "\nCritical path: "));
    g_assert_null(strstr(text, "\nPipelines "));
    g_assert_null(strstr(text, "--explain"));
    g_assert_nonnull(strstr(html, "<h4>Critical path: "));
    g_assert_nonnull(strstr(html, "<h4>Pipelines"));
    g_assert_nonnull(strstr(html, "<th scope='row'>local</th><td class='n' data-of="));
    g_assert_nonnull(strstr(html, "<pre>"));
    clear(&asked);
}

static void test_html(void)
{
    Asked asked = ask("a <script> & \"more\"", NULL);
    g_autofree char *html = ps_answer_html(asked.answer, 1e-3);
    g_assert_true(g_str_has_prefix(html, "<div class=\"pipesim\">\n<h3>mmul08-conflict on "));
    g_assert_nonnull(strstr(html, "<p>a &lt;script&gt; &amp; &quot;more&quot;</p>"));
    g_assert_nonnull(strstr(html, "<table>\n<tr><th>Time</th><td>"));
    g_assert_nonnull(strstr(html, "<tr><th>Measured</th><td>"));
    g_assert_null(strstr(html, "<script"));
    g_assert_true(g_str_has_suffix(html, "</div>\n"));
    clear(&asked);
}

int main(int argc, char **argv)
{
    g_test_init(&argc, &argv, NULL);
    g_test_add_func("/answer-text/text", test_text);
    g_test_add_func("/answer-text/advice", test_advice);
    g_test_add_func("/answer-text/sensitivity", test_sensitivity);
    g_test_add_func("/answer-text/tables", test_tables);
    g_test_add_func("/answer-text/html", test_html);
    return g_test_run();
}

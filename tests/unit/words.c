/* SPDX-License-Identifier: BSD-3-Clause */
/* What the memory that a group shares is called, by the language of the source. */
#include "answer/words.h"
#include "base/class-name.h"
#include "idg/words.h"
#include "tests/help/ask.h"

#include <string.h>

/* CUDA's and HIP's endings, and PTX of no known source, say shared; OpenCL and graphs say local. */
static void test_language(void)
{
    static const struct {
        const char *file;
        gboolean of_ptx, shared;
    } cases[] = {{"a.cu", FALSE, TRUE},  {"a.cuh", TRUE, TRUE},     {"a.hip", FALSE, TRUE},
                 {"a.cl", FALSE, FALSE}, {"a.cl", TRUE, FALSE},     {"a.py", TRUE, TRUE},
                 {"a.py", FALSE, FALSE}, {NULL, TRUE, TRUE},        {NULL, FALSE, FALSE},
                 {"cu", FALSE, FALSE},   {"a.cu.idg", FALSE, FALSE}};
    for (guint i = 0; i < G_N_ELEMENTS(cases); i++) {
        const PsIdg idg = {.file = (char *)cases[i].file, .of_ptx = cases[i].of_ptx};
        g_autofree char *words = ps_idg_class_words(&idg, "local.load.c4");
        g_assert_cmpint(ps_idg_says_shared(&idg), ==, cases[i].shared);
        g_assert_cmpstr(ps_idg_local_memory(&idg), ==,
                        cases[i].shared ? "shared memory" : "local memory");
        g_assert_cmpstr(words, ==, cases[i].shared ? "shared.load.c4" : "local.load.c4");
        g_assert_null(ps_idg_class_words(&idg, NULL));
    }
}

/* Whatever looks like such a name and is none stays; back and forth gives the name. */
static void test_classes(void)
{
    static const char *const pairs[][2] = {{"local", "shared"},
                                           {"local.load", "shared.load"},
                                           {"local.store.c2.v4", "shared.store.c2.v4"},
                                           {"atomic.local", "atomic.shared"},
                                           {"atomic.local.c8", "atomic.shared.c8"}};
    static const char *const others[] = {
        "locals", "global.local", "atomic", "atomic.global", "localized.load", "fadd", ""};
    for (guint i = 0; i < G_N_ELEMENTS(pairs); i++) {
        g_autofree char *there = ps_class_in_cuda(pairs[i][0]);
        g_autofree char *back = ps_class_of_cuda(pairs[i][1]);
        g_autofree char *again = ps_class_of_cuda(pairs[i][0]);
        g_assert_cmpstr(there, ==, pairs[i][1]);
        g_assert_cmpstr(back, ==, pairs[i][0]);
        g_assert_cmpstr(again, ==, pairs[i][0]);
    }
    for (guint i = 0; i < G_N_ELEMENTS(others); i++) {
        g_autofree char *there = ps_class_in_cuda(others[i]);
        g_autofree char *back = ps_class_of_cuda(others[i]);
        g_assert_cmpstr(there, ==, others[i]);
        g_assert_cmpstr(back, ==, others[i]);
    }
}

static Asked asked_for_local(void)
{
    return asked_new("<class name='atomic.local' pipeline='local' issue='1' completion='8'/>",
                     "groups='2' group-size='32'",
                     "<code><node name='x' class='local.load'/>"
                     "<node name='y' class='atomic.local' after='x'/></code>");
}

/* Either name is of the same class, whatever the kernel's language. */
static void test_what_if(void)
{
    g_auto(Asked) asked = asked_for_local();
    const double now = ask(&asked)->seconds;
    const double local = ask_if(&asked, "local.load.issue=70"),
                 shared = ask_if(&asked, "shared.load.issue=70");
    g_assert_cmpfloat(local, >, now);
    g_assert_cmpfloat(shared, ==, local);
    g_assert_cmpfloat(ask_if(&asked, "atomic.shared.completion=700"), ==,
                      ask_if(&asked, "atomic.local.completion=700"));
}

/* An error has the words of the language: names that it lists are taken back. */
static void test_errors(void)
{
    g_auto(Asked) asked = asked_for_local();
    for (gboolean shared = 0; shared < 2; shared++) {
        g_autoptr(GError) error = NULL;
        g_autoptr(GPtrArray) list = ps_what_if_parse("local.laod.issue=7", NULL);
        asked.idg->of_ptx = shared;
        g_free(asked.idg->file);
        asked.idg->file = NULL;
        asked.question.latencies = list;
        g_assert_false(ps_answer_check(&asked.question, &error));
        g_assert_cmpstr(error->message, ==,
                        shared ? "what-if: no node of graph 'small' is of class 'shared.laod'; it "
                                 "asks for: shared.load, atomic.shared; did you mean shared.load?"
                               : "what-if: no node of graph 'small' is of class 'local.laod'; it "
                                 "asks for: local.load, atomic.local; did you mean local.load?");
    }
}

/* A pipeline that serves L1's wavefronts as well is the load/store unit. */
static void test_pipelines(void)
{
    g_auto(Asked) asked = asked_for_local();
    const PsAnswer *answer = ask(&asked);
    static const struct {
        gboolean of_ptx, both;
        const char *words;
    } cases[] = {{FALSE, FALSE, "local"},
                 {TRUE, FALSE, "shared"},
                 {FALSE, TRUE, "LSU"},
                 {TRUE, TRUE, "LSU"}};
    g_free(asked.idg->file);
    asked.idg->file = NULL;
    asked.gpu->local.stated = TRUE;
    while (
        strcmp(((const PsPipeline *)asked.gpu->pipelines->pdata[asked.gpu->local.pipeline])->name,
               "local") != 0)
        asked.gpu->local.pipeline++;
    for (guint i = 0; i < G_N_ELEMENTS(cases); i++) {
        asked.idg->of_ptx = cases[i].of_ptx;
        asked.gpu->memory.wavefront = PS_RATIONAL_INT(cases[i].both);
        g_autofree char *local = ps_answer_pipeline_words(answer, "local"),
                        *global = ps_answer_pipeline_words(answer, "global");
        g_assert_cmpstr(local, ==, cases[i].words);
        g_assert_cmpstr(global, ==, "global");
    }
}

int main(int argc, char **argv)
{
    g_test_init(&argc, &argv, NULL);
    g_test_add_func("/words/language", test_language);
    g_test_add_func("/words/classes", test_classes);
    g_test_add_func("/words/what-if", test_what_if);
    g_test_add_func("/words/errors", test_errors);
    g_test_add_func("/words/pipelines", test_pipelines);
    return g_test_run();
}

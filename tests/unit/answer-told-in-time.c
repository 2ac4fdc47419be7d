/* SPDX-License-Identifier: BSD-3-Clause */
/* What warps do in a run: as text (timeline-text.h), and as trace events (trace.h). */
#include "advice/ask.h"
#include "base/error.h"
#include "idg/idg.h"
#include "tell/timeline-text.h"
#include "tell/trace.h"

#include <string.h>

typedef struct {
    PsGpu *gpu;
    PsIdg *idg;
    PsAnswer *answer;
} Asked;

static Asked ask(void)
{
    Asked asked = {0};
    g_autoptr(GError) error = NULL;
    asked.gpu = ps_gpu_load("gpus/pascal.xml", &error);
    asked.idg = ps_idg_load("graphs/mmul08.idg", &error);
    g_assert_no_error(error);
    g_autoptr(PsQuestion) question = ps_question_new(asked.idg, asked.gpu);
    g_assert_true(ps_question_set(question, "groups", "100", &error));
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

static PsWindow window(gint64 from, gint64 to)
{
    return (PsWindow){TRUE, PS_RATIONAL_INT(from), PS_RATIONAL_INT(to)};
}

static void test_lists(void)
{
    static const char *const lists[] = {"0", "0-7", "0-7,12", "3,1", "all"};
    static const char *const others[] = {"",   ",", "0,",  "7-0", "-3",
                                         "0-", "a", "0 1", "1;2", "All"};
    g_assert_true(ps_timeline_is_list(NULL));
    for (guint i = 0; i < G_N_ELEMENTS(lists); i++)
        g_assert_true(ps_timeline_is_list(lists[i]));
    for (guint i = 0; i < G_N_ELEMENTS(others); i++)
        g_assert_false(ps_timeline_is_list(others[i]));
}

static void test_warps(void)
{
    Asked asked = ask();
    g_autoptr(GError) error = NULL;
    g_autoptr(GArray) usual = ps_timeline_warps(asked.answer, NULL, &error);
    g_autoptr(GArray) all = ps_timeline_warps(asked.answer, "all", &error);
    g_autoptr(GArray) some = ps_timeline_warps(asked.answer, "3-5,1,4", &error);
    static const guint listed[] = {3, 4, 5, 1};
    g_assert_no_error(error);
    g_assert_cmpuint(usual->len, ==, 16);
    g_assert_cmpuint(all->len, >, 16);
    g_assert_cmpmem(some->data, some->len * sizeof(guint), listed, sizeof listed);
    g_autofree char *beyond = g_strdup_printf("%u", all->len);
    g_assert_null(ps_timeline_warps(asked.answer, beyond, &error));
    g_assert_error(error, PS_ERROR, PS_ERROR_VALUE);
    clear(&asked);
}

/* A row for each warp, each as wide as there is room. */
static void test_text(void)
{
    Asked asked = ask();
    g_autoptr(GError) error = NULL;
    g_autoptr(GString) out = g_string_new(NULL);
    static const guint warps[] = {1, 0};
    PsTimelineLook look = {.window = window(100, 200), .warps = warps, .n_warps = 2, .width = 60};
    g_assert_true(ps_timeline_text(asked.answer, &look, out, &error));
    g_auto(GStrv) lines = g_strsplit(out->str, "\n", -1);
    g_assert_cmpstr(lines[1], ==, "Timeline");
    g_assert_true(g_str_has_prefix(lines[2], "cycles 100 to 200 of "));
    g_assert_nonnull(strstr(out->str, "\n   1 "));
    g_assert_cmpint(strstr(out->str, "\n   1 ") - out->str, <,
                    strstr(out->str, "\n   0 ") - out->str);
    for (char **line = lines; *line; line++)
        g_assert_cmpint(g_utf8_strlen(*line, -1), <=, 60);
    look.window = window(G_MAXINT32, -1);
    g_assert_false(ps_timeline_text(asked.answer, &look, out, &error));
    g_assert_error(error, PS_ERROR, PS_ERROR_VALUE);
    clear(&asked);
}

static gboolean gather(gpointer out, const char *text, G_GNUC_UNUSED GError **error)
{
    g_string_append(out, text);
    return TRUE;
}

static gboolean refuse(gpointer times, G_GNUC_UNUSED const char *text, GError **error)
{
    ++*(guint *)times;
    g_set_error(error, PS_ERROR, PS_ERROR_LIMIT, "full");
    return FALSE;
}

static void test_trace(void)
{
    Asked asked = ask();
    g_autoptr(GError) error = NULL;
    g_autoptr(GString) out = g_string_new(NULL);
    g_autofree char *cut = NULL;
    const PsTraceAsk ask = {.window = window(0, 500)};
    g_assert_true(ps_trace_write(asked.answer, &ask, gather, out, &cut, &error));
    g_assert_no_error(error);
    g_assert_null(cut);
    g_assert_true(g_str_has_prefix(out->str, "[\n{"));
    g_assert_true(g_str_has_suffix(out->str, "}\n]\n"));
    g_assert_nonnull(strstr(out->str, "\"warps of CU 0 (1 us is 1 cycle)\""));
    clear(&asked);
}

/* A writer that fails is not asked again, and its error is the caller's. */
static void test_full(void)
{
    Asked asked = ask();
    g_autoptr(GError) error = NULL;
    g_autofree char *cut = NULL;
    guint times = 0;
    const PsTraceAsk all = {.window = {FALSE, PS_RATIONAL_INT(0), PS_RATIONAL_INT(-1)}},
                     outside = {.window = window(G_MAXINT32, -1)};
    g_assert_false(ps_trace_write(asked.answer, &all, refuse, &times, &cut, &error));
    g_assert_error(error, PS_ERROR, PS_ERROR_LIMIT);
    g_assert_cmpuint(times, ==, 1);
    g_clear_error(&error);
    g_assert_false(ps_trace_write(asked.answer, &outside, refuse, &times, &cut, &error));
    g_assert_error(error, PS_ERROR, PS_ERROR_VALUE);
    g_assert_cmpuint(times, ==, 1);
    clear(&asked);
}

int main(int argc, char **argv)
{
    g_test_init(&argc, &argv, NULL);
    g_test_add_func("/told-in-time/lists", test_lists);
    g_test_add_func("/told-in-time/warps", test_warps);
    g_test_add_func("/told-in-time/text", test_text);
    g_test_add_func("/told-in-time/trace", test_trace);
    g_test_add_func("/told-in-time/full", test_full);
    return g_test_run();
}

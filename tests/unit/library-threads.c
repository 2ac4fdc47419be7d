/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * The library as a binding uses it: several threads ask at once, each with buffers of its own and
 * of all, while another thread reads how far they are and ends one. `make check-tsan` runs it, too.
 */
#include "pipesim.h"

#include <string.h>

#define PTX "tests/corpus/mmul16.ptx"
#define N_THREADS 4
#define N_ROUNDS 3
#define SIZE 64

static float lent[SIZE * SIZE]; /* of all threads */

typedef struct {
    PsMonitor *monitor;
    const char *gpu;
    char *told;
    GError *error;
} Asker;

static void set_launch(PsKernelCode *code, float *result)
{
    static const char *const options[][2] = {
        {"from", "ptx"}, {"grid", "4x4"}, {"block", "16x16"}, {"registers", "38"}, {"arg", "3=64"}};
    for (guint i = 0; i < G_N_ELEMENTS(options); i++)
        g_assert_true(ps_kernel_code_set(code, options[i][0], options[i][1], NULL));
    ps_kernel_code_lend_buffer(code, "0", lent, sizeof lent, TRUE);
    ps_kernel_code_lend_buffer(code, "1", lent, sizeof lent, TRUE);
    ps_kernel_code_lend_buffer(code, "2", result, sizeof lent, FALSE);
}

/* All that a result has, in one text (g_free). NULL and *error. */
static char *ask(const PsGpu *gpu, PsHearer hearer, GError **error)
{
    g_autofree float *result = g_new0(float, SIZE *SIZE);
    g_autoptr(PsKernelCode) code = ps_kernel_code_new(PTX);
    set_launch(code, result);
    g_autoptr(PsIdg) idg = ps_kernel_code_graph(code, gpu, hearer, error);
    if (!idg)
        return NULL;
    g_autoptr(PsQuestion) question = ps_question_new(idg, gpu);
    g_assert_true(ps_question_set(question, "advise", "", NULL));
    ps_question_set_code(question, code);
    ps_question_set_hearer(question, hearer);
    g_autoptr(PsAnswer) answer = ps_question_ask(question, 2, error);
    if (!answer)
        return NULL;
    g_autofree char *json = ps_answer_json(answer, 0), *text = ps_answer_text(answer, 0),
                    *html = ps_answer_html(answer, 0),
                    *bound = ps_question_roofline_json(question, 0, error);
    g_auto(GStrv) told = ps_kernel_code_told(code);
    g_autofree char *lines = g_strjoinv("\n", told);
    return g_strconcat(json, text, html, bound, lines, NULL);
}

static gpointer work(gpointer data)
{
    Asker *asker = data;
    const char *folders[] = {"gpus", NULL};
    const PsHearer hearer = ps_monitor_hearer(asker->monitor);
    for (guint i = 0; i < N_ROUNDS && !asker->error; i++) {
        g_autoptr(PsGpu) gpu = ps_gpu_find(asker->gpu, folders, NULL);
        g_assert_nonnull(gpu);
        g_free(asker->told);
        asker->told = ask(gpu, hearer, &asker->error);
    }
    return NULL;
}

static void ask_at_once(Asker askers[N_THREADS], gboolean end_last)
{
    GThread *threads[N_THREADS];
    for (guint i = 0; i < N_THREADS; i++) {
        askers[i] = (Asker){.monitor = ps_monitor_new(), .gpu = i % 2 ? "v100" : "a100"};
        if (end_last && i == N_THREADS - 1)
            ps_monitor_cancel(askers[i].monitor);
        threads[i] = g_thread_new("asks", work, &askers[i]);
    }
    for (guint i = 0; i < 100; i++) {
        PsProgress progress;
        ps_monitor_progress(askers[i % N_THREADS].monitor, &progress);
        g_usleep(1000);
    }
    if (end_last)
        ps_monitor_cancel(askers[0].monitor);
    for (guint i = 0; i < N_THREADS; i++) {
        g_thread_join(threads[i]);
        ps_monitor_free(askers[i].monitor);
    }
}

static void clear(Asker askers[N_THREADS])
{
    for (guint i = 0; i < N_THREADS; i++) {
        g_free(askers[i].told);
        g_clear_error(&askers[i].error);
    }
}

static void test_same(void)
{
    Asker askers[N_THREADS];
    ask_at_once(askers, FALSE);
    for (guint i = 0; i < N_THREADS; i++) {
        g_assert_no_error(askers[i].error);
        g_assert_cmpstr(askers[i].told, ==, askers[i % 2].told);
    }
    g_assert_cmpstr(askers[0].told, !=, askers[1].told);
    clear(askers);
}

/* Those that are ended, before they begin or at work, leave the others alone. A short run may be
 * over before it looks. */
static void test_ended(void)
{
    Asker askers[N_THREADS];
    ask_at_once(askers, TRUE);
    for (guint i = 0; i < N_THREADS; i++) {
        if (askers[i].error && (i == 0 || i == N_THREADS - 1))
            g_assert_error(askers[i].error, PS_ERROR, PS_ERROR_CANCELLED);
        else
            g_assert_no_error(askers[i].error);
        g_assert_true(askers[i].error || askers[i].told);
    }
    clear(askers);
}

int main(int argc, char **argv)
{
    g_test_init(&argc, &argv, NULL);
    for (guint i = 0; i < SIZE * SIZE; i++)
        lent[i] = (float)i;
    g_test_add_func("/library-threads/same", test_same);
    g_test_add_func("/library-threads/ended", test_ended);
    return g_test_run();
}

/* SPDX-License-Identifier: BSD-3-Clause */
/* A hearer of progress ends the work by what it returns. */
#include "lift/build.h"
#include "base/hearer.h"
#include "base/monitor.h"
#include "ptx/ptx.h"
#include "roofline/profile.h"
#include "tests/help/ask.h"

#include <string.h>
#include <unistd.h>

/* The first word is the last. */
static gboolean end(const PsProgress *progress, gpointer phase)
{
    g_assert_cmpint(progress->phase, ==, *(const PsPhase *)phase);
    return FALSE;
}

/* A run that would take minutes. */
static Asked ask_long(void)
{
    Asked asked = asked_new("", "groups='64000' group-size='256'",
                            "<code><loop times='50000'><node name='x' class='a'/></loop></code>");
    asked.question.no_fast_forward = TRUE;
    return asked;
}

static void test_run(void)
{
    static PsPhase phase = PS_PHASE_RUN;
    g_auto(Asked) asked = ask_long();
    g_autoptr(GError) error = NULL;
    asked.question.progress = (PsHearer){end, &phase};
    g_assert_null(ps_answer_new(&asked.question, NULL, &error));
    g_assert_error(error, PS_ERROR, PS_ERROR_CANCELLED);
}

/* Another thread sees that the work goes on, and ends it. */
static gpointer end_by_monitor(gpointer monitor)
{
    PsProgress progress;
    while (!ps_monitor_progress(monitor, &progress))
        g_usleep(1000);
    g_assert_cmpint(progress.phase, ==, PS_PHASE_RUN);
    ps_monitor_cancel(monitor);
    return NULL;
}

static void test_monitor(void)
{
    g_auto(Asked) asked = ask_long();
    g_autoptr(GError) error = NULL;
    g_autoptr(PsMonitor) monitor = ps_monitor_new();
    PsProgress progress;
    g_assert_false(ps_monitor_progress(monitor, &progress));
    asked.question.progress = ps_monitor_hearer(monitor);
    GThread *thread = g_thread_new("other", end_by_monitor, monitor);
    g_assert_null(ps_answer_new(&asked.question, NULL, &error));
    g_assert_error(error, PS_ERROR, PS_ERROR_CANCELLED);
    g_thread_join(thread);
    /* What begins later ends, too. */
    g_clear_error(&error);
    g_assert_null(ps_answer_new(&asked.question, NULL, &error));
    g_assert_error(error, PS_ERROR, PS_ERROR_CANCELLED);
    ps_monitor_free(NULL);
}

/* None of several is left over. */
static void test_runs(void)
{
    static PsPhase phase = PS_PHASE_RUN;
    g_auto(Asked) asked = ask_long();
    g_autoptr(GError) error = NULL;
    asked.question.progress = (PsHearer){end, &phase};
    const PsQuestion *questions[] = {&asked.question, &asked.question};
    PsAnswer *answers[2];
    GError *errors[2];
    g_assert_false(ps_answers_new(questions, 2, answers, errors, &error));
    g_assert_error(error, PS_ERROR, PS_ERROR_CANCELLED);
    for (guint i = 0; i < 2; i++) {
        g_assert_null(answers[i]);
        g_assert_null(errors[i]);
    }
}

/* Nothing that would be tried is begun, nor goes on. */
static void test_advice(void)
{
    static PsPhase phase = PS_PHASE_POINTS;
    g_auto(Asked) asked = asked_new("", "groups='1' group-size='32'",
                                    "<code><loop times='2'><node name='x' class='a'/></loop>"
                                    "</code>");
    (void)ask(&asked);
    PsAnswer *answer = asked.answer;
    asked.answer = NULL;
    g_auto(Asked) longer = ask_long();
    longer.question.progress = (PsHearer){end, &phase};
    g_autoptr(GError) error = NULL;
    g_assert_false(ps_answer_find_sensitivities(answer, &longer.question, TRUE, 2, &error));
    g_assert_error(error, PS_ERROR, PS_ERROR_CANCELLED);
    ps_answer_free(answer);
}

/* A build of this text's kernel on a grid of so many groups of one thread ends with the first word.
 */
static void check_build(const char *text, guint groups, void (*sampled)(gpointer data))
{
    static PsPhase phase = PS_PHASE_GROUP;
    g_autoptr(GError) error = NULL;
    PsPtxModule *module = ps_ptx_parse(text, strlen(text), "endless.ptx", &error);
    g_assert_no_error(error);
    PsBuildOptions options;
    ps_build_options_init(&options);
    options.module = module;
    options.launch.kernel = module->functions->pdata[0];
    for (guint i = 0; i < 3; i++)
        options.launch.grid[i] = options.launch.block[i] = 1;
    options.launch.grid[0] = groups;
    options.sampled = sampled;
    options.progress = (PsHearer){end, &phase};
    g_assert_null(ps_build(&options, &error));
    g_assert_error(error, PS_ERROR, PS_ERROR_CANCELLED);
    ps_ptx_free(module);
}

static void test_build(void)
{
    check_build(".version 8.0\n.target sm_80\n.address_size 64\n"
                ".visible .entry endless()\n{\n.reg .b32 %r<2>;\nL:\n"
                "add.u32 %r1, %r1, 1;\nbra L;\n}\n",
                1, NULL);
}

/* Until a word is due. */
static void wait_for_word(gpointer data)
{
    (void)data;
    g_usleep(PS_PROGRESS_PAUSE);
}

/* Ends the groups that only show kinds, too: the first one does not end. */
static void test_build_kinds(void)
{
    check_build(".version 8.0\n.target sm_80\n.address_size 64\n"
                ".visible .entry endless()\n{\n.reg .b32 %r<3>;\n.reg .pred %p<2>;\n"
                "mov.u32 %r2, %ctaid.x;\nsetp.ne.u32 %p1, %r2, 0;\n@%p1 ret;\nL:\n"
                "add.u32 %r1, %r1, 1;\nbra L;\n}\n",
                100000, wait_for_word);
}

typedef struct {
    int fd;
    gint enough;
} Slow;

/* What goes on until it is enough, so that a word is due in any case. */
static gpointer write_slowly(gpointer data)
{
    static const char text[] = "no table\n";
    Slow *slow = data;
    while (!g_atomic_int_get(&slow->enough)) {
        (void)!write(slow->fd, text, strlen(text));
        g_usleep(PS_PROGRESS_PAUSE / 10);
    }
    close(slow->fd);
    return NULL;
}

static void test_profile(void)
{
    static PsPhase phase = PS_PHASE_FILE;
    const PsProfileOptions options = {.progress = {end, &phase}};
    int ends[2];
    g_assert_cmpint(pipe(ends), ==, 0);
    Slow slow = {.fd = ends[1]};
    GThread *writer = g_thread_new("writer", write_slowly, &slow);
    g_autofree char *path = g_strdup_printf("/dev/fd/%d", ends[0]);
    g_autoptr(GError) error = NULL;
    g_assert_null(ps_profile_load(path, &options, &error));
    g_assert_error(error, PS_ERROR, PS_ERROR_CANCELLED);
    g_atomic_int_set(&slow.enough, 1);
    g_thread_join(writer);
    close(ends[0]);
}

int main(int argc, char **argv)
{
    g_test_init(&argc, &argv, NULL);
    g_test_add_func("/cancel/run", test_run);
    g_test_add_func("/cancel/monitor", test_monitor);
    g_test_add_func("/cancel/runs", test_runs);
    g_test_add_func("/cancel/advice", test_advice);
    g_test_add_func("/cancel/build", test_build);
    g_test_add_func("/cancel/build-kinds", test_build_kinds);
    g_test_add_func("/cancel/profile", test_profile);
    return g_test_run();
}

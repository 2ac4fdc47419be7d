/* SPDX-License-Identifier: BSD-3-Clause */
/* The verb check: compares the kernels of a list with a stored baseline. */
#include "cli/check.h"
#include "cli/fail.h"
#include "cli/find.h"
#include "cli/gate/gate.h"
#include "cli/system/output.h"
#include "cli/verbs.h"

#include <stdlib.h>

static void free_result(gpointer result)
{
    ps_check_result_free(result);
}

static gboolean ask(const Options *options, const PsCheckPlan *plan, const PsCheckKernel *kernel,
                    GPtrArray *results, GError **error)
{
    const GPtrArray *gpus = kernel->gpus ? kernel->gpus : plan->gpus;
    for (guint i = 0; i < gpus->len; i++) {
        g_autoptr(PsGpu) gpu = find_gpu(gpus->pdata[i], error);
        PsCheckResult *result = NULL;
        if (gpu) {
            progress_begin(options->progress, "simulating", kernel->name);
            result = ps_check_ask(kernel, gpu, gpus->pdata[i], progress_hearer(options->progress),
                                  error);
        }
        if (!result)
            return FALSE;
        g_ptr_array_add(results, result);
    }
    return TRUE;
}

/* Asks for the earlier version of the kernel; a kernel without one is new. */
static gboolean ask_before(const Options *options, const PsCheckPlan *plan,
                           const PsCheckKernel *kernel, const char *folder, GPtrArray *results,
                           GError **error)
{
    const PsCheckKernel other = ps_check_elsewhere(kernel, folder);
    const gboolean good =
        !g_file_test(other.path, G_FILE_TEST_EXISTS) || ask(options, plan, &other, results, error);
    g_free(other.path);
    return good;
}

/* Asks for everything that the plan lists, with the plan's own files or those in a folder
 * (g_ptr_array_unref). NULL and *error. */
static GPtrArray *ask_all(const Options *options, const PsCheckPlan *plan, const char *folder,
                          GError **error)
{
    g_autoptr(GPtrArray) results = g_ptr_array_new_with_free_func(free_result);
    for (guint i = 0; i < plan->kernels->len; i++)
        if (!(folder ? ask_before(options, plan, plan->kernels->pdata[i], folder, results, error)
                     : ask(options, plan, plan->kernels->pdata[i], results, error)))
            return NULL;
    return g_steal_pointer(&results);
}

/* The results of the baseline (g_ptr_array_unref). NULL and *error. */
static GPtrArray *baseline_of(const Options *options, PsCheckPlan *plan, GError **error)
{
    const char *folder = options->given[OPTION_BEFORE].text;
    if (!folder)
        return ps_check_baseline_load(plan->baseline, error);
    g_free(plan->baseline);
    plan->baseline = g_strdup(folder);
    if (g_file_test(folder, G_FILE_TEST_IS_DIR))
        return ask_all(options, plan, folder, error);
    g_set_error(error, PS_ERROR, PS_ERROR_READ, "--before %s: there is no such folder", folder);
    return NULL;
}

static void put_page(const PsTold *facts, const PsPaper *paper)
{
    ps_paper_title(paper, ps_told_text(facts, PS_FACT_CHECK_WORDS), "");
    ps_paper_gap(paper);
    ps_paper_view(paper, PS_VIEW_CHECK_PAGE, facts, NULL, NULL);
    findings_text(facts, "Slower than is allowed", paper);
}

/* Reads the baseline before anything is simulated, so that its faults are reported at once. */
static gboolean compare(const Options *options, PsCheckPlan *plan, guint *failed, GError **error)
{
    const FindingsVerb verb = {"pipesim check", PS_FACT_CHECK_KERNELS_NAME,
                               PS_FACT_CHECK_KERNELS_GPU, PS_VIEW_CHECK, put_page};
    g_autoptr(GPtrArray) baseline = baseline_of(options, plan, error);
    g_autoptr(GPtrArray) results = baseline ? ask_all(options, plan, NULL, error) : NULL;
    if (!results)
        return FALSE;
    g_autoptr(PsTold) facts = ps_check_told(plan, results, baseline, failed);
    g_autofree char *text = findings_format(facts, options, &verb);
    return output_write(options->output, text, error);
}

static gboolean update(const Options *options, const PsCheckPlan *plan, GError **error)
{
    g_autoptr(GPtrArray) results = ask_all(options, plan, NULL, error);
    g_autofree char *text = results ? ps_check_baseline_write(results) : NULL;
    return text && output_write(plan->baseline, text, error);
}

int check_verb(const Options *options)
{
    g_autoptr(GError) error = NULL;
    guint failed = 0;
    if (!check_files(options, "list of kernels, such as kernels.toml", &error) ||
        !check_one_file(options, "", &error) ||
        (options->given[OPTION_UPDATE].on && options->given[OPTION_BEFORE].text &&
         !usage_error(&error, "--update writes the baseline that --before does without")))
        return check_failed(error);
    g_autoptr(PsCheckPlan) plan = ps_check_plan_load(options->files[0], &error);
    const gboolean good =
        plan && (options->given[OPTION_UPDATE].on ? update(options, plan, &error)
                                                  : compare(options, plan, &failed, &error));
    if (!good)
        return fail(error);
    return failed ? EXIT_FAILURE : EXIT_SUCCESS;
}

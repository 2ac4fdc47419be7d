/* SPDX-License-Identifier: BSD-3-Clause */
/* The verb gate: compares kernels before and after a change, and reports those that became
 * worse. */
#include "cli/gate/gate.h"

#include "cli/check.h"
#include "cli/fail.h"
#include "cli/find.h"
#include "cli/system/output.h"
#include "cli/verbs.h"

#include <stdlib.h>

static gboolean check(const Options *options, GError **error)
{
    const guint n = options->files ? g_strv_length(options->files) : 0;
    if (n != 2)
        return usage_error(error, "gate takes two files or folders, the one before a change and "
                                  "the one after it");
    if (options->given[OPTION_BLOCK].number && !options->gpus)
        return usage_error(error, "--block is for the occupancy, which needs --gpu");
    if (options->given[OPTION_LAUNCHES].text && !options->gpus)
        return usage_error(error, "--launches are simulated on a GPU, which --gpu says");
    return check_one_gpu(options, error) && check_folders(options, error);
}

static gboolean set_limits(const Options *options, PsGateLimit limits[PS_GATE_N_FIGURES],
                           GError **error)
{
    char **list = options->given[OPTION_LIMIT].list;
    ps_gate_limits_init(limits);
    for (guint i = 0; list && list[i]; i++) {
        GError *why = NULL;
        if (!ps_gate_limit_set(limits, list[i], &why)) {
            g_propagate_prefixed_error(error, why, "--limit ");
            return FALSE;
        }
    }
    return TRUE;
}

/* Adds times and bank conflicts of the given launches. */
static gboolean launch(const Options *options, PsGateSet *before, PsGateSet *after,
                       const PsGpu *gpu, GError **error)
{
    const char *list = options->given[OPTION_LAUNCHES].text;
    g_autoptr(PsCheckPlan) plan = list ? ps_check_plan_load(list, error) : NULL;
    if (!plan)
        return !list;
    progress_begin(options->progress, "simulating", list);
    return ps_check_launches(plan, before, after, gpu, progress_hearer(options->progress), error);
}

static PsTold *compare(const Options *options, const PsGateReading *reading,
                       const PsGateLimit limits[PS_GATE_N_FIGURES], gboolean *failed,
                       GError **error)
{
    g_autoptr(PsGateSet) before = ps_gate_set_new(reading, options->files[0], error);
    g_autoptr(PsGateSet) after = before ? ps_gate_set_new(reading, options->files[1], error) : NULL;
    if (!after || !launch(options, before, after, reading->gpu, error))
        return NULL;
    g_autoptr(PsGate) gate = ps_gate_new(before, after, limits, reading->gpu);
    *failed = gate->n_failed > 0;
    return ps_gate_told(gate);
}

int gate_verb(const Options *options)
{
    const FindingsVerb verb = {"pipesim gate", PS_FACT_GATE_KERNELS_NAME,
                               PS_FACT_GATE_KERNELS_ARCHITECTURE, PS_VIEW_GATE, gate_text};
    g_autoptr(GError) error = NULL;
    PsGateLimit limits[PS_GATE_N_FIGURES];
    if (!check(options, &error) || !set_limits(options, limits, &error))
        return check_failed(error);
    g_autoptr(PsGpu) gpu = options->gpus ? find_gpu(options->gpus[0], &error) : NULL;
    if (error)
        return fail(error);
    const PsGateReading reading = {&options->code, gpu, options->given[OPTION_BLOCK].number};
    gboolean failed = FALSE;
    g_autoptr(PsTold) facts = compare(options, &reading, limits, &failed, &error);
    g_autofree char *text = facts ? findings_format(facts, options, &verb) : NULL;
    if (!text || !output_write(options->output, text, &error))
        return fail(error);
    return failed ? EXIT_FAILURE : EXIT_SUCCESS;
}

/* SPDX-License-Identifier: BSD-3-Clause */
/* The tool roofline: bounds, without a simulation. */
#include "answer/asked.h"
#include "serve/pick.h"
#include "serve/short.h"
#include "tell/roofline-asked.h"
#include "tell/roofline-json.h"

#include <string.h>

/* The short answer with so many warnings (g_free). */
static char *tell_short(const PsServedKernel *of, PsRooflineKernel *kernel, const GArray *gpus,
                        const GPtrArray *warnings, guint n, double bound)
{
    const PsPicks predicted = PS_PICKS(PS_FACT_PREDICTION_SECONDS.n, PS_FACT_PREDICTION_BOUND.n);
    g_autoptr(PsTold) all = ps_roofline_told(kernel, gpus, FALSE);
    g_autoptr(PsTold) facts = ps_told_new();
    g_autofree char *name = ps_short_name(of->idg->name);
    const PsParams *params = &ps_roofline_result(kernel, 0)->params;
    ps_tell(facts, PS_FACT_SHORT_ROOFLINE_KERNEL, name);
    ps_tell(facts, PS_FACT_SHORT_ROOFLINE_GPU, of->gpu->name);
    ps_tell(facts, PS_FACT_SHORT_ROOFLINE_BOUND_SECONDS, bound);
    ps_tell_open(facts, PS_FACT_SHORT_ROOFLINE_PREDICTED);
    ps_pick(facts, all, predicted);
    ps_tell_close(facts);
    ps_tell(facts, PS_FACT_SHORT_ROOFLINE_INTENSITY, params->O_krn);
    ps_tell(facts, PS_FACT_SHORT_ROOFLINE_MEASURED_SECONDS, kernel->kernel->seconds);
    ps_pick(facts, all, PS_PICKS(PS_FACT_ROOFLINE_REPORT_KERNELS_PREDICTIONS_ERROR.n));
    ps_tell_open(facts, PS_FACT_SHORT_ROOFLINE_WARNINGS);
    for (guint i = 0; i < n; i++)
        ps_tell_item_text(facts, warnings->pdata[i]);
    ps_tell_close(facts);
    return ps_short_json(facts);
}

char *ps_serve_roofline(const PsToolCall *call, GError **error)
{
    double measured, bound = 0;
    if (!ps_call_measured(call, &measured, error))
        return NULL;
    g_autoptr(PsServedKernel) of =
        ps_served_kernel_new(call->folders, call->arguments, call->hearer, error);
    if (!of)
        return NULL;
    if (ps_call_detail(call) == PS_DETAIL_JSON)
        return ps_question_roofline_json(of->question, measured, error);
    g_autoptr(PsNotes) notes = ps_notes_new();
    g_autoptr(GArray) gpus = g_array_new(FALSE, FALSE, sizeof(PsRooflineGpu));
    g_autoptr(PsRooflineKernel) kernel =
        ps_question_roofline(of->question, measured, gpus, notes, error);
    if (!kernel || !ps_asked_complete((PsAsked *)of->question, error) ||
        !ps_answer_bound(of->question, &bound, error))
        return NULL;
    g_autoptr(GPtrArray) warnings = ps_notes_texts(notes);
    for (guint n = warnings->len;; n--) {
        g_autofree char *text = tell_short(of, kernel, gpus, warnings, n, bound);
        if (strlen(text) <= PS_SHORT_BYTES || n == 0)
            return g_steal_pointer(&text);
    }
}

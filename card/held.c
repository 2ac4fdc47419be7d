/* SPDX-License-Identifier: BSD-3-Clause */
/* See held.h. */
#include "card/held.h"

#include "card/replay.h"
#include "card/told.h"
#include "latency-bench/validate.h"
#include "tell/format.h"

#include <math.h>
#include <string.h>

static const PsCardHeldLaunch *at(const PsCardHeld *held, guint i)
{
    return &g_array_index(held->launches, PsCardHeldLaunch, i);
}

/* ---- devices -------------------------------------------------------------------------------- */

/* Times of another device, or of a part of one, say nothing about errors. */
static void look_at_device(PsCardHeld *held, const PsCardDevice *device, const PsGpu *gpu)
{
    const gboolean other_units =
        device->compute_units && device->compute_units != gpu->compute_units;
    if (g_ptr_array_find_with_equal_func(held->devices, device->name, g_str_equal, NULL))
        return;
    g_ptr_array_add(held->devices, (gpointer)device->name);
    if (!other_units && (!device->capability || device->capability == gpu->capability))
        return;
    g_autofree char *name = ps_text_clean(device->name);
    char *text = g_strdup_printf(
        "launches were measured on '%s' of compute capability %u.%u with %u compute units, and the "
        "description of '%s' has %u.%u and %" G_GINT64_FORMAT ": %s",
        name, device->capability / 10, device->capability % 10, device->compute_units, gpu->name,
        (guint)(gpu->capability / 10), (guint)(gpu->capability % 10), gpu->compute_units,
        strstr(device->name, "MIG") ? "this is a part of a device (MIG)" : "is it of another GPU?");
    g_ptr_array_add(held->other, text);
    g_ptr_array_add(held->notes, g_strdup(text));
}

/* ---- launches ------------------------------------------------------------------------------- */

/* Adds the launch. FALSE and *error. */
static gboolean add(PsCardHeld *held, const PsCardRecording *recording, const PsGpu *gpu, guint n,
                    const PsCardLaunched *predicted, GError **error)
{
    PsCardHeldLaunch one = {.predicted = predicted->seconds,
                            .limit = predicted->limit ? g_intern_string(predicted->limit) : NULL,
                            .code = predicted->code ? g_intern_string(predicted->code) : NULL};
    if (!ps_card_recording_launch(recording, n, &one.launch, error))
        return FALSE;
    one.error = one.predicted / one.launch.measured - 1;
    if (one.launch.device)
        look_at_device(held, one.launch.device, gpu);
    g_array_append_val(held->launches, one);
    return TRUE;
}

static gboolean check(const PsCardHeld *held, const PsCardRecording *recording, GError **error)
{
    guint measured = 0;
    for (guint i = 0; i < held->launches->len; i++) {
        measured += !isnan(at(held, i)->launch.measured);
        if (!isnan(at(held, i)->error))
            return TRUE;
    }
    g_set_error(error, PS_ERROR, PS_ERROR_VALUE,
                measured ? "%s: no launch has both a measured and a predicted time%s%s"
                         : "%s: no launch has a measured time%s%s",
                ps_card_recording_name(recording),
                measured && held->notes->len ? ": "
                : measured                   ? ""
                                             : "; on a machine with a GPU, ",
                measured && held->notes->len ? (const char *)held->notes->pdata[0]
                : measured                   ? ""
                                             : "pipesim profile --record makes recordings that "
                                               "have them");
    return FALSE;
}

PsCardHeld *ps_card_held_new(const PsCardRecording *recording, const PsGpu *gpu, GError **error)
{
    g_autoptr(PsCardReplay) replay = ps_card_replay_new(recording, gpu, FALSE);
    g_autoptr(PsCardRead) read = ps_card_replay_all(replay, error);
    if (!read)
        return NULL;
    g_autoptr(PsCardHeld) held = g_new0(PsCardHeld, 1);
    held->launches = g_array_new(FALSE, FALSE, sizeof(PsCardHeldLaunch));
    held->notes = g_ptr_array_new_with_free_func(g_free);
    held->other = g_ptr_array_new_with_free_func(g_free);
    held->devices = g_ptr_array_new();
    for (guint i = 0; i < read->launches->len; i++)
        if (!add(held, recording, gpu, i + 1, &g_array_index(read->launches, PsCardLaunched, i),
                 error))
            return NULL;
    for (guint i = 0; i < read->notes->len; i++)
        g_ptr_array_add(held->notes, g_strdup(read->notes->pdata[i]));
    return check(held, recording, error) ? g_steal_pointer(&held) : NULL;
}

void ps_card_held_free(PsCardHeld *held)
{
    if (!held)
        return;
    g_array_unref(held->launches);
    g_ptr_array_unref(held->notes);
    g_ptr_array_unref(held->other);
    g_ptr_array_unref(held->devices);
    g_free(held);
}

/* ---- facts ---------------------------------------------------------------------------------- */

/* Sums the errors of a kernel's launches; NULL: of all kernels. */
static void tell_errors(const PsCardHeld *held, const char *kernel, PsTold *facts)
{
    g_autofree double *errors = g_new(double, held->launches->len);
    PsErrorSummary summary;
    double measured = 0, predicted = 0;
    guint n = 0;
    for (guint i = 0; i < held->launches->len; i++) {
        const PsCardHeldLaunch *one = at(held, i);
        if (isnan(one->error) || (kernel && strcmp(kernel, one->launch.kernel) != 0))
            continue;
        errors[n++] = one->error;
        measured += one->launch.measured;
        predicted += one->predicted;
    }
    if (!n)
        return;
    ps_error_summary(errors, n, &summary);
    ps_tell_item(facts);
    g_autofree char *name = kernel ? ps_card_kernel_name(kernel) : NULL;
    ps_tell(facts, PS_FACT_RECORDING_VALIDATED_ERRORS_KERNEL, (const char *)name);
    ps_tell(facts, PS_FACT_RECORDING_VALIDATED_ERRORS_LAUNCHES, (gint64)n);
    ps_tell(facts, PS_FACT_RECORDING_VALIDATED_ERRORS_MEASURED_SECONDS, measured);
    ps_tell(facts, PS_FACT_RECORDING_VALIDATED_ERRORS_PREDICTED_SECONDS, predicted);
    ps_tell(facts, PS_FACT_ERROR_SUMMARY_MEAN, summary.mean);
    ps_tell(facts, PS_FACT_ERROR_SUMMARY_DEVIATION, summary.deviation);
    ps_tell(facts, PS_FACT_ERROR_SUMMARY_ABSOLUTE, summary.absolute);
    ps_tell(facts, PS_FACT_ERROR_SUMMARY_WORST, summary.worst);
    ps_tell_close(facts);
}

static void tell_all_errors(const PsCardHeld *held, PsTold *facts)
{
    g_autoptr(GHashTable) told = g_hash_table_new(g_str_hash, g_str_equal);
    ps_tell_open(facts, PS_FACT_RECORDING_VALIDATED_ERRORS);
    for (guint i = 0; i < held->launches->len; i++) {
        const char *kernel = at(held, i)->launch.kernel;
        if (g_hash_table_add(told, (gpointer)kernel))
            tell_errors(held, kernel, facts);
    }
    tell_errors(held, NULL, facts);
    ps_tell_close(facts);
}

static void tell_launch(const PsCardHeldLaunch *one, guint n, PsTold *facts)
{
    const guint *grid = one->launch.grid, *block = one->launch.block;
    ps_tell_item(facts);
    ps_tell(facts, PS_FACT_RECORDING_VALIDATED_LAUNCHES_LAUNCH, (gint64)n);
    ps_tell_taken(facts, PS_FACT_RECORDING_VALIDATED_LAUNCHES_KERNEL,
                  ps_card_kernel_name(one->launch.kernel));
    ps_tell(facts, PS_FACT_RECORDING_VALIDATED_LAUNCHES_GROUPS,
            (gint64)grid[0] * grid[1] * grid[2]);
    ps_tell(facts, PS_FACT_RECORDING_VALIDATED_LAUNCHES_GROUP_SIZE,
            (gint64)block[0] * block[1] * block[2]);
    ps_tell(facts, PS_FACT_RECORDING_VALIDATED_LAUNCHES_MEASURED_SECONDS, one->launch.measured);
    ps_tell(facts, PS_FACT_RECORDING_VALIDATED_LAUNCHES_PREDICTED_SECONDS, one->predicted);
    ps_tell(facts, PS_FACT_RECORDING_VALIDATED_LAUNCHES_ERROR, one->error);
    ps_tell(facts, PS_FACT_RECORDING_VALIDATED_LAUNCHES_LIMIT, one->limit);
    ps_tell(facts, PS_FACT_RECORDING_VALIDATED_LAUNCHES_CODE, one->code);
    ps_tell(facts, PS_FACT_RECORDING_VALIDATED_LAUNCHES_LEFT, one->launch.left);
    ps_tell_close(facts);
}

static void tell_texts(const GPtrArray *texts, PsTold *facts)
{
    for (guint i = 0; i < texts->len; i++)
        ps_tell_item_text(facts, texts->pdata[i]);
    ps_tell_close(facts);
}

PsTold *ps_card_held_told(const PsCardHeld *held, const char *recording, const PsGpu *gpu)
{
    PsTold *facts = ps_told_new();
    ps_tell(facts, PS_FACT_RECORDING_VALIDATED_PIPESIM, PIPESIM_VERSION);
    ps_tell(facts, PS_FACT_RECORDING_VALIDATED_RECORDING, recording);
    ps_tell(facts, PS_FACT_RECORDING_VALIDATED_GPU, gpu->name);
    ps_tell_open(facts, PS_FACT_RECORDING_VALIDATED_DEVICES);
    tell_texts(held->devices, facts);
    tell_all_errors(held, facts);
    ps_tell_open(facts, PS_FACT_RECORDING_VALIDATED_LAUNCHES);
    for (guint i = 0; i < held->launches->len; i++)
        tell_launch(at(held, i), i + 1, facts);
    ps_tell_close(facts);
    ps_tell_open(facts, PS_FACT_RECORDING_VALIDATED_NOTES);
    tell_texts(held->notes, facts);
    return facts;
}

/* ---- the page ------------------------------------------------------------------------------- */

void ps_card_held_put(const PsCardHeld *held, const char *recording, const PsGpu *gpu,
                      const PsTold *facts, const PsPaper *paper)
{
    g_autofree char *clean = ps_text_clean(recording),
                    *described =
                        g_strdup_printf("%s, of %s", gpu->path ? gpu->path : "-", gpu->name);
    g_ptr_array_add(held->devices, NULL);
    g_autofree char *names = g_strjoinv(", ", (char **)held->devices->pdata),
                    *devices = ps_text_clean(names);
    g_ptr_array_remove_index(held->devices, held->devices->len - 1);
    ps_paper_title(paper, clean, ": measured, predicted");
    ps_paper_text(paper, "Measured on   ", *devices ? devices : "a device that is not known");
    ps_paper_text(paper, "Description   ", described);
    ps_paper_view(paper, PS_VIEW_RECORDING_VALIDATED_ERRORS, facts, NULL, NULL);
    ps_paper_text(paper, "",
                  "Errors are (predicted - measured) / measured: below zero is too fast. The "
                  "standard deviation is that of the sample, absolute the mean of the absolute "
                  "values, worst the largest of them.");
    if (held->notes->len)
        ps_paper_heading(paper, "What predictions rely on, and what was left out");
    for (guint i = 0; i < held->notes->len; i++)
        ps_paper_text(paper, "- ", held->notes->pdata[i]);
    ps_paper_view(paper, PS_VIEW_RECORDING_VALIDATED_LAUNCHES, facts, NULL, NULL);
}

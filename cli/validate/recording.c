/* SPDX-License-Identifier: BSD-3-Clause */
/* See recording.h. */
#include "cli/validate/recording.h"

#include "cli/check.h"
#include "cli/fail.h"
#include "cli/find.h"
#include "cli/report/paper.h"
#include "cli/system/output.h"
#include "cli/system/progress.h"
#include "pipesim-private.h"

gboolean validate_is_recording(const Options *options)
{
    return options->files && ps_card_recording_is(options->files[0]);
}

static gboolean check(const Options *options, GError **error)
{
    static const OptionId of_measuring[] = {
        OPTION_CHART, OPTION_BACKEND, OPTION_DEVICE, OPTION_CUBINS, OPTION_QUICK,
        OPTION_GRID,  OPTION_CLASSES, OPTION_RAW,    OPTION_RESUME, OPTION_FROM,
        OPTION_FORCE, OPTION_SEED,    OPTION_NOISE,  OPTION_POINTS, OPTION_FILES};
    const char *name = given_one_of(options->given, of_measuring);
    if (name)
        return usage_error(error, "--%s: a recording was measured already", name);
    if (options->files[1])
        return usage_error(error, "'%s': one recording at a time", options->files[1]);
    return (options->gpus && !options->gpus[1]) ||
           usage_error(error, "say for which GPU, one: --gpu h100");
}

static char *format(const Options *options, const PsCardHeld *held, const PsGpu *gpu)
{
    GString *out = g_string_new(NULL);
    const char *name = options->files[0];
    g_autoptr(PsTold) facts = ps_card_held_told(held, name, gpu);
    const PsPaper paper = paper_for(options, out);
    if (options->format == FORMAT_JSON)
        ps_json_told_document(out, facts);
    else if (options->format == FORMAT_CSV)
        ps_csv_told(out, PS_VIEW_RECORDING_VALIDATED, facts);
    else
        ps_card_held_put(held, name, gpu, facts, &paper);
    return g_string_free(out, FALSE);
}

static gboolean compare(const Options *options, GError **error)
{
    g_autoptr(PsGpu) gpu = find_gpu(options->gpus[0], error);
    g_autoptr(PsCardRecording) recording =
        gpu ? ps_card_recording_open(options->files[0], error) : NULL;
    if (!recording)
        return FALSE;
    progress_begin(options->progress, "simulating", options->files[0]);
    g_autoptr(PsCardHeld) held = ps_card_held_new(recording, gpu, error);
    progress_begin(options->progress, NULL, NULL);
    if (!held)
        return FALSE;
    for (guint i = 0; i < held->other->len; i++)
        warn(held->other->pdata[i]);
    g_autofree char *text = format(options, held, gpu);
    return output_write(options->output, text, error);
}

int validate_recording(const Options *options)
{
    g_autoptr(GError) error = NULL;
    if (!check(options, &error))
        return check_failed(error);
    return compare(options, &error) ? 0 : fail(error);
}

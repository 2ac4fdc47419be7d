/* SPDX-License-Identifier: BSD-3-Clause */
/* See roofline-kernel.h. */
#include "tell/roofline-kernel.h"

#include "idg/words.h"
#include "tell/format.h"

#include <math.h>
#include <string.h>

const PsRooflineGpu *ps_roofline_gpu(const GArray *gpus, guint i)
{
    return &g_array_index(gpus, PsRooflineGpu, i);
}

const PsRooflineResult *ps_roofline_result(const PsRooflineKernel *kernel, guint gpu)
{
    return &g_array_index(kernel->results, PsRooflineResult, gpu);
}

double ps_roofline_achieved(const PsRooflineKernel *kernel, const PsRooflineResult *result)
{
    return result->estimated ? NAN : kernel->kernel->seconds;
}

const char *ps_roofline_highest(const PsRooflineResult *result)
{
    const int highest = result->ceilings.highest;
    return highest < 0 ? NULL : ps_ceiling_name((PsCeilingKind)highest);
}

const char *ps_roofline_ceiling_words(const PsProfileKernel *kernel, PsCeilingKind kind)
{
    return kind == PS_CEILING_LOCAL && kernel->says_shared ? "shared" : ps_ceiling_name(kind);
}

const char *ps_roofline_highest_words(const PsProfileKernel *kernel, const PsRooflineResult *result)
{
    const int highest = result->ceilings.highest;
    return highest < 0 ? NULL : ps_roofline_ceiling_words(kernel, (PsCeilingKind)highest);
}

/* ---- another device ------------------------------------------------------------------------ */

/* TRUE for a model's number ("k40c", "1060"): words with digits, except sizes of memory, boards and
 * architectures. */
static gboolean is_model(const char *word)
{
    static const char *const prefixes[] = {"sxm", "gfx", "sm", "pcie", "cc", "hbm", "gddr", NULL};
    const gsize length = strlen(word);
    if (length < 2 || !strpbrk(word, "0123456789") || g_str_has_suffix(word, "gb"))
        return FALSE;
    for (guint i = 0; prefixes[i]; i++)
        if (g_str_has_prefix(word, prefixes[i]))
            return FALSE;
    return TRUE;
}

/* The models that a name mentions (g_strfreev). */
static char **models_of(const char *name)
{
    g_autofree char *lower = g_ascii_strdown(name, -1);
    g_strcanon(lower, G_CSET_a_2_z G_CSET_DIGITS, ' ');
    g_auto(GStrv) words = g_strsplit(lower, " ", 0);
    g_autoptr(GStrvBuilder) models = g_strv_builder_new();
    for (guint i = 0; words[i]; i++)
        if (is_model(words[i]))
            g_strv_builder_add(models, words[i]);
    return g_strv_builder_end(models);
}

gboolean ps_roofline_is_device(const char *device)
{
    g_auto(GStrv) models = device ? models_of(device) : NULL;
    return models && models[0];
}

gboolean ps_roofline_is_other_device(const char *device, const char *gpu)
{
    g_auto(GStrv) one = models_of(device);
    g_auto(GStrv) other = models_of(gpu);
    if (!one[0] || !other[0])
        return FALSE;
    for (guint i = 0; one[i]; i++)
        if (g_strv_contains((const char *const *)other, one[i]))
            return FALSE;
    return TRUE;
}

/* TRUE if the kernel was measured on another GPU. A profile without a GPU's name (Nsight Compute's
 * mostly have only the compute capability) counts for the first. */
static gboolean ran_elsewhere(const PsProfileKernel *kernel, const GArray *gpus, guint i)
{
    const guint capability = ps_roofline_gpu(gpus, i)->gpu->capability;
    if (kernel->capability && capability && kernel->capability != capability)
        return TRUE;
    return ps_roofline_is_device(kernel->device)
               ? ps_roofline_is_other_device(kernel->device, ps_roofline_gpu(gpus, i)->gpu->name)
               : i > 0;
}

/* ---- results ------------------------------------------------------------------------------- */

/* Describes a ceiling that no kernel can pass, and this one did. */
static double plain_seconds(const PsParams *params, const PsPrediction *prediction)
{
    return params->W_comp > 0 && prediction->attainable > 0
               ? params->W_comp / prediction->attainable
               : prediction->memory_seconds;
}

static void evaluate(const PsProfileKernel *kernel, gboolean other, PsRooflineResult *result)
{
    const PsPrediction *prediction = &result->prediction;
    const gboolean measured = kernel->seconds > 0;
    result->estimated = !measured || other;
    const double seconds = result->estimated ? prediction->seconds : kernel->seconds;
    result->error = measured ? ps_prediction_error(prediction, kernel->seconds) : NAN;
    result->rate = seconds > 0 ? result->params.W_comp / seconds : NAN;
    const double plain = plain_seconds(&result->params, prediction);
    result->efficiency = seconds > 0 && plain > 0 ? plain / seconds : NAN;
    const double least = fmax(fmax(plain, 0), result->ceilings.seconds);
    result->headroom = result->efficiency > 0 ? seconds / least : NAN;
    result->is_headroom_of_ceiling = least > plain;
}

/* Notes what kernel and result together show. */
static char *describe_passed(const PsProfileKernel *kernel, const PsRooflineResult *result,
                             const PsRooflineGpu *on)
{
    const PsGpu *gpu = on->gpu;
    g_autofree char *highest = ps_format_number(ps_rational_to_double(on->highest));
    g_autofree char *clock =
        result->is_clock_told || on->is_asked_for || result->ceilings.highest == PS_CEILING_DEVICE
            ? g_strdup("")
            : g_strdup_printf("its clock was above %s MHz, ", highest);
    return g_strdup_printf(
        "measured faster than the ceiling %s of %s allows: %s%sthat peak of the "
        "description is too low, or the metric too high",
        ps_roofline_highest_words(kernel, result), gpu->name,
        ps_roofline_is_device(kernel->device) ? "" : "it ran on another GPU, or ", clock);
}

/* Adds to the error the kernel that needs a missing peak, and its place in a profile. */
static void note_result(const PsProfileKernel *kernel, const PsRooflineResult *result,
                        const GArray *gpus, guint i, gboolean other, PsNotes *notes)
{
    const PsGpu *gpu = ps_roofline_gpu(gpus, i)->gpu;
    g_autofree char *text = NULL;
    if (kernel->capability && gpu->capability && kernel->capability != gpu->capability)
        text = g_strdup_printf("measured on a GPU of compute capability %u.%u, and %s has %u.%u: "
                               "the error compares two GPUs",
                               kernel->capability / 10, kernel->capability % 10, gpu->name,
                               gpu->capability / 10, gpu->capability % 10);
    else if (!isnan(result->error) && other && !ps_roofline_is_device(kernel->device))
        text = g_strdup_printf("no file says on which GPU the times were measured: taken to be the "
                               "first, %s; the errors on others compare two GPUs",
                               ps_roofline_gpu(gpus, 0)->gpu->name);
    else if (!isnan(result->error) && other)
        text = g_strdup_printf("the error compares two GPUs: measured on %s, predicted for %s",
                               kernel->device, gpu->name);
    else if (!result->estimated && kernel->seconds < result->ceilings.seconds)
        text = describe_passed(kernel, result, ps_roofline_gpu(gpus, i));
    if (text)
        ps_notes_add(notes, text, other ? NULL : kernel->name);
    if (ps_rational_cmp(result->clock, ps_roofline_gpu(gpus, i)->clock) != 0)
        ps_notes_add(
            notes,
            "peaks are at the clock at which the profile says that it was measured, not at "
            "the GPU's usual one",
            kernel->name);
}

static void note_kernel(const PsProfileKernel *kernel, PsNotes *notes)
{
    const PsParams *params = &kernel->params;
    if (params->K_type == PS_K_FP16 || params->K_type == PS_K_TENSOR) {
        g_autofree char *text =
            g_strdup_printf("K_type %s is beyond the paper, which has fp64, fp32 and int",
                            ps_k_type_name(params->K_type));
        ps_notes_add(notes, text, kernel->name);
    }
    if (isinf(params->O_krn))
        ps_notes_add(notes,
                     "no traffic to device memory, so O_krn is infinite and compute is the bound",
                     kernel->name);
}

/* Finds the clock of the measurement on that GPU, to 1 kHz, if possible: profilers lock clocks
 * below the usual one. */
static void add_place(GError *error, const PsProfileKernel *of, const char *path)
{
    g_autofree char *place =
        of->line > 0 ? g_strdup_printf(", %s:%d", path, of->line) : g_strdup("");
    char *message = g_strdup_printf("%s (kernel %s%s)", error->message, of->name, place);
    g_free(error->message);
    error->message = message;
}

/* Sets the kernel's parameters on a GPU, and the peaks that count for it. */
static gboolean find_clock(const PsProfileKernel *of, const PsRooflineGpu *on, gboolean is_other,
                           PsRational *clock)
{
    const double *m = of->metrics.value;
    const double khz = m[PS_M_CYCLES] / m[PS_M_SECONDS] / 1e3;
    const double usual = 1e3 * ps_rational_to_double(ps_gpu_usual_clock(on->gpu));
    return !on->is_asked_for && !is_other && khz > usual / 10 && khz < 2 * usual &&
           ps_rational_make((gint64)rint(khz), 1000, clock);
}

/* Finds ceilings. If the clock is unknown, it may have been the highest. */
static void set_up(const PsProfileKernel *of, const PsMetrics *on_gpu, const PsRooflineGpu *on,
                   gboolean is_other, PsRooflineResult *result)
{
    const PsMetrics *metrics = on_gpu ? on_gpu : &of->metrics;
    *result = (PsRooflineResult){.params = of->params, .clock = on->clock, .peaks = on->peaks};
    if (on_gpu)
        ps_params_from_metrics(on_gpu, &result->params);
    if (!of->has_metrics)
        return;
    if (find_clock(of, on, is_other, &result->clock)) {
        result->is_clock_told = TRUE;
        ps_peaks_resolve(on->gpu, result->clock, &result->peaks);
    }
    ps_peaks_mix(on->gpu, metrics, &result->peaks);
    ps_peaks_products(on->gpu, result->clock, metrics, &result->peaks);
}

/* Where nothing tells the clock, it may have been the highest. */
static void find_ceilings(const PsMetrics *metrics, const PsRooflineGpu *on,
                          PsRooflineResult *result)
{
    const PsRational clock = result->is_clock_told ? result->clock : on->highest;
    PsPeaks limits = on->limits;
    if (result->is_clock_told || (metrics && metrics->value[PS_M_OPS_TENSOR] > 0))
        ps_peaks_limits(on->gpu, clock, metrics, &limits);
    ps_ceilings_find(metrics, &result->params, &limits, on->gpu, clock, &result->ceilings);
}

static gboolean predict(PsRooflineKernel *kernel, const PsMetrics *on_gpus, const GArray *gpus,
                        PsNotes *notes, GError **error)
{
    const PsProfileKernel *of = kernel->kernel;
    gboolean known = FALSE;
    for (guint i = 0; i < gpus->len; i++) {
        const PsRooflineGpu *on = ps_roofline_gpu(gpus, i);
        PsRooflineResult result;
        const gboolean other = ran_elsewhere(of, gpus, i);
        set_up(of, on_gpus ? &on_gpus[i] : NULL, on, other, &result);
        if (!ps_predict(&result.params, &result.peaks, on->gpu, &result.prediction, error)) {
            if (error)
                add_place(*error, of, kernel->path);
            return FALSE;
        }
        find_ceilings(on_gpus ? &on_gpus[i] : of->has_metrics ? &of->metrics : NULL, on, &result);
        ps_prediction_raise(&result.ceilings, &result.params, &result.prediction);
        evaluate(of, other, &result);
        note_result(of, &result, gpus, i, other, notes);
        known |= isfinite(result.prediction.seconds);
        g_array_append_val(kernel->results, result);
    }
    if (!known && of->params.W_comp == 0 && of->params.W_traf == 0)
        ps_notes_add(notes,
                     "nothing is predicted for a kernel that neither computes nor moves data",
                     of->name);
    else if (!known && of->params.W_traf == 0)
        ps_notes_add(
            notes,
            "no traffic to device memory, so compute is the bound; its time is not predicted, "
            "since operations with their mix are not known",
            of->name);
    else if (!known)
        ps_notes_add(notes,
                     "nothing is predicted, since neither operations with their mix nor bytes of "
                     "device memory are known",
                     of->name);
    note_kernel(of, notes);
    return TRUE;
}

/* ---- what it is made of --------------------------------------------------------------------- */

PsRooflineGpu ps_roofline_gpu_at(const PsGpu *gpu, PsRational clock, gboolean is_asked_for)
{
    PsRooflineGpu on = {.gpu = gpu, .clock = clock, .is_asked_for = is_asked_for};
    on.highest = is_asked_for ? clock : ps_gpu_highest_clock(gpu);
    ps_peaks_resolve(gpu, clock, &on.peaks);
    ps_peaks_limits(gpu, on.highest, NULL, &on.limits);
    return on;
}

PsProfileKernel *ps_roofline_graph_kernel(const PsIdg *idg)
{
    PsProfileKernel *counted = g_new0(PsProfileKernel, 1);
    counted->name = g_strdup(idg->name);
    counted->launches = 1;
    counted->has_metrics = TRUE;
    counted->seconds = NAN;
    counted->says_shared = ps_idg_says_shared(idg);
    return counted;
}

/* ---- kernels ------------------------------------------------------------------------------- */

PsProfileKernel *ps_roofline_copy(const PsProfileKernel *kernel)
{
    PsProfileKernel *copy = g_new(PsProfileKernel, 1);
    *copy = *kernel;
    copy->name = g_strdup(kernel->name);
    copy->device = g_strdup(kernel->device);
    return copy;
}

PsRooflineKernel *ps_roofline_kernel_new(const PsProfileKernel *kernel, const char *path,
                                         const PsMetrics *on_gpus, const GArray *gpus,
                                         PsNotes *notes, GError **error)
{
    g_autoptr(PsRooflineKernel) made = g_rc_box_new0(PsRooflineKernel);
    made->path = g_strdup(path);
    made->kernel = ps_roofline_copy(kernel);
    made->results = g_array_sized_new(FALSE, FALSE, sizeof(PsRooflineResult), gpus->len);
    made->is_apart = on_gpus && gpus->len > 1;
    return predict(made, on_gpus, gpus, notes, error) ? g_steal_pointer(&made) : NULL;
}

PsRooflineKernel *ps_roofline_kernel_ref(PsRooflineKernel *kernel)
{
    return g_rc_box_acquire(kernel);
}

static void clear(void *data)
{
    PsRooflineKernel *kernel = data;
    g_free(kernel->path);
    ps_profile_kernel_free(kernel->kernel);
    g_array_unref(kernel->results);
}

void ps_roofline_kernel_unref(void *kernel)
{
    g_rc_box_release_full(kernel, clear);
}

/* SPDX-License-Identifier: BSD-3-Clause */
/* See input.h. */
#include "cli/roofline/input.h"

#include "cli/build/graph.h"
#include "cli/fail.h"
#include "cli/find.h"
#include "pipesim-private.h"

#include <math.h>
#include <string.h>

/* The kind of a file, and what stays of its content. */
typedef struct {
    char *path;         /* path of a profile; NULL for a graph */
    PsProfile *profile; /* NULL until it is read */
    PsMetrics *on_gpus; /* metrics of code for each GPU; NULL for other files */
    gboolean lends;     /* it has nothing but durations, which it gives to the others */
} File;

static void file_free(void *data)
{
    File *file = data;
    g_free(file->path);
    g_free(file->on_gpus);
    g_clear_pointer(&file->profile, ps_profile_free);
    g_free(file);
}

/* ---- graphs -------------------------------------------------------------------------------- */

/* Counts a graph's metrics for warps of one of the GPUs. */
static gboolean count_graph(const RooflineInput *input, const PsIdg *idg, guint gpu,
                            PsMetrics *metrics, GPtrArray *warnings, GError **error)
{
    const PsLaunchOptions *launch = &input->options->launch;
    const PsWavesOf of = {idg, input->options->params, launch->groups, launch->group_size,
                          ((const PsGpu *)input->gpus->pdata[gpu])->warp_size};
    return ps_launch_count(&of, metrics, warnings, error);
}

/* Two unknown values are equal. */
static gboolean are_equal(const PsMetrics *a, const PsMetrics *b)
{
    for (guint i = 0; i < PS_N_METRICS; i++)
        if (a->value[i] != b->value[i] && !(isnan(a->value[i]) && isnan(b->value[i])))
            return FALSE;
    return TRUE;
}

/* A graph's metrics are those of whole warps, whose size may differ between GPUs. */
static void note_warps(const RooflineInput *input, const PsIdg *idg, const PsMetrics *metrics)
{
    for (guint i = 1; i < input->gpus->len; i++) {
        PsMetrics other;
        g_autoptr(GPtrArray) warnings = g_ptr_array_new_with_free_func(g_free);
        if (!count_graph(input, idg, i, &other, warnings, NULL) || are_equal(&other, metrics))
            continue;
        const PsGpu *first = input->gpus->pdata[0], *gpu = input->gpus->pdata[i];
        g_autofree char *text =
            g_strdup_printf("counted for warps of %" G_GINT64_FORMAT
                            " as on %s, and %s has warps of %" G_GINT64_FORMAT,
                            first->warp_size, first->name, gpu->name, gpu->warp_size);
        ps_notes_add(input->notes, text, idg->name);
    }
}

static PsProfile *new_profile(const PsIdg *idg)
{
    PsProfile *profile = g_new0(PsProfile, 1);
    profile->path = g_strdup(idg->path ? idg->path : idg->name);
    profile->kind = "graph";
    profile->kernels = g_ptr_array_new_with_free_func((GDestroyNotify)ps_profile_kernel_free);
    profile->warnings = g_ptr_array_new_with_free_func(g_free);
    g_ptr_array_add(profile->kernels, ps_roofline_graph_kernel(idg));
    return profile;
}

/* Counts a stated graph, which is the same on every GPU. */
static gboolean count_stated(const RooflineInput *input, const PsIdg *idg, File *file,
                             GError **error)
{
    file->profile = new_profile(idg);
    PsProfileKernel *counted = file->profile->kernels->pdata[0];
    if (!count_graph(input, idg, 0, &counted->metrics, file->profile->warnings, error))
        return FALSE;
    note_warps(input, idg, &counted->metrics);
    ps_params_from_metrics(&counted->metrics, &counted->params);
    return TRUE;
}

/* Code has a graph for each GPU, since caches differ. The first GPU's is the kernel's. */
static gboolean count_code(const RooflineInput *input, const char *name, File *file, GError **error)
{
    file->on_gpus = g_new0(PsMetrics, input->gpus->len);
    for (guint i = 0; i < input->gpus->len; i++) {
        PsGpu *gpu = input->gpus->pdata[i];
        g_autoptr(PsIdg) idg = graph_of(input->options, name, &gpu, NULL, error);
        if (!idg)
            return FALSE;
        if (!file->profile)
            file->profile = new_profile(idg);
        if (!count_graph(input, idg, i, &file->on_gpus[i], i ? NULL : file->profile->warnings,
                         error))
            return FALSE;
    }
    PsProfileKernel *counted = file->profile->kernels->pdata[0];
    counted->metrics = file->on_gpus[0];
    ps_params_from_metrics(&counted->metrics, &counted->params);
    return TRUE;
}

/* ---- profiles ------------------------------------------------------------------------------ */

static void note_warnings(const RooflineInput *input, const PsProfile *profile)
{
    for (guint i = 0; i < profile->warnings->len; i++)
        ps_notes_add_warning(input->notes, profile->path, profile->warnings->pdata[i]);
}

/* TRUE for a kernel of which only the duration is known. */
static gboolean is_duration(const PsProfileKernel *kernel)
{
    if (!kernel->has_metrics || isnan(kernel->seconds))
        return FALSE;
    for (guint i = 0; i < PS_N_METRICS; i++)
        if (i != PS_M_SECONDS && !isnan(kernel->metrics.value[i]))
            return FALSE;
    return TRUE;
}

static gboolean has_durations_alone(const PsProfile *profile)
{
    for (guint i = 0; i < profile->kernels->len; i++)
        if (!is_duration(profile->kernels->pdata[i]))
            return FALSE;
    return TRUE;
}

static gboolean no_kernel(const char *path, GError **error)
{
    ps_error_at(error, PS_ERROR_VALUE, (PsPlace){path, 0}, "it has no kernel");
    return FALSE;
}

/* Reads a profile into sums. */
static gboolean load(const RooflineInput *input, File *file, GError **error)
{
    Progress *progress = input->options->progress;
    const PsProfileOptions options = {.progress = progress_hearer(progress)};
    progress_begin(progress, "reading", file->path);
    file->profile = ps_profile_load(file->path, &options, error);
    progress_begin(progress, NULL, NULL);
    if (!file->profile)
        return FALSE;
    if (!file->profile->kernels->len)
        return no_kernel(file->path, error);
    file->lends = has_durations_alone(file->profile);
    return TRUE;
}

/* ---- files --------------------------------------------------------------------------------- */

static File *open_file(const RooflineInput *input, const char *name, GError **error)
{
    g_autoptr(PsIdg) idg = NULL;
    File *file = g_new0(File, 1);
    if (graph_is_built(name) ? count_code(input, name, file, error)
                             : find_profile(name, &file->path, &idg, error) &&
                                   (!idg || count_stated(input, idg, file, error)))
        return file;
    file_free(file);
    return NULL;
}

/* Finds all files, and reads the graphs. */
static GPtrArray *open_files(const RooflineInput *input, GError **error)
{
    g_autoptr(GPtrArray) files = g_ptr_array_new_with_free_func(file_free);
    for (char **name = input->options->files; *name; name++) {
        File *file = open_file(input, *name, error);
        if (!file)
            return NULL;
        g_ptr_array_add(files, file);
    }
    return g_steal_pointer(&files);
}

/* Parameters and launches need graphs. */
static gboolean check_graphs(const RooflineInput *input, const GPtrArray *files, GError **error)
{
    const Options *options = input->options;
    g_autoptr(GPtrArray) params = ps_scope_names(options->params);
    const char *option = params->len                  ? "--param"
                         : options->launch.groups     ? "--groups"
                         : options->launch.group_size ? "--group-size"
                                                      : NULL;
    for (guint i = 0; option && i < files->len; i++)
        if (!((const File *)files->pdata[i])->path)
            return TRUE;
    return !option || usage_error(error, "%s is for graphs, and there are only profiles", option);
}

/* If all files have only durations, none gives them to others. */
static void lend(const RooflineInput *input, GPtrArray *files)
{
    guint others = 0;
    for (guint i = 0; i < files->len; i++)
        others += !((const File *)files->pdata[i])->lends;
    for (guint i = 0; i < files->len; i++) {
        File *file = files->pdata[i];
        guint joined = 0;
        file->lends &= others > 0;
        for (guint j = 0; file->lends && j < files->len; j++) {
            File *to = files->pdata[j];
            if (!to->lends && to->profile)
                joined += ps_profile_join(to->profile, file->profile);
        }
        if (file->lends && !joined && !input->options->roofline.apart)
            ps_notes_add_of_file(input->notes, file->path, NULL,
                                 "none of its durations is used: no kernel of the other files has "
                                 "such a name (and device) and lacks one");
    }
}

/* TRUE if each has a metric that the other lacks. */
static gboolean are_parts(const PsMetrics *a, const PsMetrics *b)
{
    gboolean more = FALSE, fewer = FALSE;
    for (guint i = 0; i < PS_N_METRICS; i++) {
        more |= isnan(b->value[i]) && !isnan(a->value[i]);
        fewer |= isnan(a->value[i]) && !isnan(b->value[i]);
    }
    return more && fewer;
}

/* A profiler that counts few metrics at a time repeats a program and writes a file each time. The
 * files are not joined without being told: nothing distinguishes them from different runs. */
static void note_parts(const RooflineInput *input, const GPtrArray *files)
{
    g_autoptr(GHashTable) known = g_hash_table_new(g_str_hash, g_str_equal);
    for (guint i = 0; i < files->len; i++) {
        const File *file = files->pdata[i];
        for (guint j = 0; file->path && !file->lends && j < file->profile->kernels->len; j++) {
            PsProfileKernel *kernel = file->profile->kernels->pdata[j];
            const PsProfileKernel *other = g_hash_table_lookup(known, kernel->name);
            if (!other && kernel->has_metrics)
                g_hash_table_insert(known, kernel->name, kernel);
            else if (other && kernel->has_metrics && are_parts(&kernel->metrics, &other->metrics))
                ps_notes_add(
                    input->notes,
                    "each file has some metrics and lacks others; if they are of passes of "
                    "one program, join them: cat FILE... | pipesim roofline - ...",
                    kernel->name);
        }
    }
}

/* The receiver copies what it needs of a kernel; nothing is kept here. */
static gboolean give(const RooflineInput *input, const File *file, GError **error)
{
    const PsProfile *profile = file->profile;
    note_warnings(input, profile);
    for (guint i = 0; i < profile->kernels->len; i++) {
        gpointer *kernel = &profile->kernels->pdata[i];
        if (!input->each(input->self, profile->path, *kernel, file->on_gpus, error))
            return FALSE;
        ps_profile_kernel_free(g_steal_pointer(kernel));
    }
    return TRUE;
}

/* ---- launches apart ------------------------------------------------------------------------ */

/* A launch on its way from a file to its listener. */
typedef struct {
    const RooflineInput *input;
    const GPtrArray *files;
    const char *path;
    guint n;
} Stream;

static gboolean take_launch(void *self, const PsProfileKernel *kernel, GError **error)
{
    Stream *stream = self;
    stream->n++;
    g_autoptr(GPtrArray) one =
        g_ptr_array_new_with_free_func((GDestroyNotify)ps_profile_kernel_free);
    g_ptr_array_add(one, ps_roofline_copy(kernel));
    PsProfile profile = {.kernels = one};
    for (guint i = 0; i < stream->files->len; i++) {
        const File *file = stream->files->pdata[i];
        if (file->lends)
            ps_profile_join(&profile, file->profile);
    }
    return stream->input->each(stream->input->self, stream->path, one->pdata[0], NULL, error);
}

static gboolean stream_file(const RooflineInput *input, const GPtrArray *files, const File *file,
                            GError **error)
{
    Stream stream = {.input = input, .files = files, .path = file->path};
    const PsProfileOptions options = {.apart = TRUE,
                                      .each = take_launch,
                                      .self = &stream,
                                      .progress = progress_hearer(input->options->progress)};
    progress_begin(input->options->progress, "reading", file->path);
    g_autoptr(PsProfile) profile = ps_profile_load(file->path, &options, error);
    progress_begin(input->options->progress, NULL, NULL);
    if (!profile)
        return FALSE;
    note_warnings(input, profile);
    return stream.n > 0 || no_kernel(file->path, error);
}

/* Standard input cannot be read twice, so it gives no durations. */
static gboolean read_lenders(const RooflineInput *input, GPtrArray *files, GError **error)
{
    for (guint i = 0; i < files->len && files->len > 1; i++) {
        File *file = files->pdata[i];
        if (file->profile || strcmp(file->path, "-") == 0)
            continue;
        if (!load(input, file, error))
            return FALSE;
        if (!file->lends)
            g_clear_pointer(&file->profile, ps_profile_free);
    }
    lend(input, files);
    return TRUE;
}

static gboolean read_apart(const RooflineInput *input, GPtrArray *files, GError **error)
{
    if (!read_lenders(input, files, error))
        return FALSE;
    for (guint i = 0; i < files->len; i++) {
        const File *file = files->pdata[i];
        const gboolean graph = !file->path;
        if (!file->lends &&
            !(graph ? give(input, file, error) : stream_file(input, files, file, error)))
            return FALSE;
    }
    return TRUE;
}

static void expect(const RooflineInput *input, const File *file)
{
    const GPtrArray *kernels = file->profile->kernels;
    for (guint i = 0; i < kernels->len && !file->lends; i++)
        input->expect(input->self, file->profile->path, kernels->pdata[i]);
}

/* ---- in sum -------------------------------------------------------------------------------- */

static gboolean read_sums(const RooflineInput *input, GPtrArray *files, GError **error)
{
    for (guint i = 0; i < files->len; i++) {
        File *file = files->pdata[i];
        if (!file->profile && !load(input, file, error))
            return FALSE;
    }
    lend(input, files);
    note_parts(input, files);
    for (guint i = 0; i < files->len; i++)
        expect(input, files->pdata[i]);
    for (guint i = 0; i < files->len; i++) {
        const File *file = files->pdata[i];
        if (!file->lends && !give(input, file, error))
            return FALSE;
    }
    return TRUE;
}

gboolean roofline_input_read(const RooflineInput *input, GError **error)
{
    g_autoptr(GPtrArray) files = open_files(input, error);
    if (!files || !check_graphs(input, files, error))
        return FALSE;
    return input->options->roofline.apart ? read_apart(input, files, error)
                                          : read_sums(input, files, error);
}

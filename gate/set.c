/* SPDX-License-Identifier: BSD-3-Clause */
/* See set.h. */
#include "gate/set.h"

#include "base/file.h"
#include "code/cubins-of.h"
#include "gate/files.h"
#include "sass/file.h"

#include <math.h>
#include <string.h>

static const char *const figure_names[PS_GATE_N_FIGURES] = {[PS_GATE_REGISTERS] = "registers",
                                                            [PS_GATE_STACK] = "stack",
                                                            [PS_GATE_LOCAL] = "local",
                                                            [PS_GATE_SHARED] = "shared",
                                                            [PS_GATE_INSTRUCTIONS] = "instructions",
                                                            [PS_GATE_OCCUPANCY] = "occupancy",
                                                            [PS_GATE_CONFLICTS] = "conflicts",
                                                            [PS_GATE_TIME] = "time"};

const char *ps_gate_figure_name(PsGateFigure figure)
{
    return figure_names[figure];
}

/* ---- one kernel ----------------------------------------------------------------------------- */

static gint64 product(const guint threads[3])
{
    return (gint64)threads[0] * threads[1] * threads[2];
}

/* A kernel's own statements come before the user's for all kernels: first the size that it
 * requires, last the largest that it allows. */
static gint64 group_size_of(const PsSassKernel *kernel, gint64 given)
{
    const gint64 required = product(kernel->required), most = product(kernel->most);
    return required ? required : !given ? most : most && given > most ? most : given;
}

static gint64 shared_of(const PsSassImage *image, const PsSassKernel *kernel)
{
    const guint64 own = ps_sass_system_bytes(image);
    return (gint64)(kernel->shared - MIN(kernel->shared, own));
}

/* Finds how many of its groups a compute unit of the GPU holds at once. */
static void occupy(PsGateKernel *kernel, const PsGateReading *reading)
{
    const PsGpu *gpu = reading->gpu;
    kernel->figures[PS_GATE_OCCUPANCY] = NAN;
    kernel->group_size = group_size_of(kernel->kernel, reading->group_size);
    if (!gpu || !kernel->group_size || !gpu->limits.warps)
        return;
    const PsGroupNeeds needs = {.group_size = kernel->group_size,
                                .registers = kernel->kernel->registers,
                                .local_memory = (gint64)kernel->figures[PS_GATE_SHARED]};
    PsOccupancy occupancy = {0};
    g_autoptr(GError) why = NULL;
    if (!ps_gpu_occupancy(gpu, &needs, &occupancy, &why)) {
        kernel->cannot_start = g_strdup(why->message);
        kernel->figures[PS_GATE_OCCUPANCY] = 0;
        return;
    }
    kernel->groups = occupancy.groups;
    kernel->limited_by = occupancy.limited_by;
    ps_gpu_next_step(gpu, &needs, &occupancy, &kernel->next);
    kernel->figures[PS_GATE_OCCUPANCY] =
        (double)(occupancy.groups * occupancy.warps_per_group) / (double)gpu->limits.warps;
}

static void add_kernel(PsGateSet *set, const PsGateReading *reading, const PsSassImage *image,
                       const PsSassKernel *of, const char *file)
{
    PsGateKernel *kernel = g_new0(PsGateKernel, 1);
    kernel->image = image;
    kernel->kernel = of;
    kernel->file = file;
    kernel->mix = ps_sass_mix(image, of);
    kernel->figures[PS_GATE_REGISTERS] = of->registers;
    kernel->figures[PS_GATE_STACK] = (double)of->frame;
    kernel->figures[PS_GATE_LOCAL] = (double)kernel->mix.of[PS_SASS_MIX_LOCAL];
    kernel->figures[PS_GATE_SHARED] = (double)shared_of(image, of);
    kernel->figures[PS_GATE_INSTRUCTIONS] = (double)kernel->mix.all;
    kernel->figures[PS_GATE_CONFLICTS] = kernel->figures[PS_GATE_TIME] = kernel->slower = NAN;
    occupy(kernel, reading);
    g_ptr_array_add(set->kernels, kernel);
}

/* ---- all ------------------------------------------------------------------------------------ */

static gboolean is_packed(const char *path)
{
    gsize length = 0;
    char *text = ps_file_read(path, PS_CODE_MOST_PTX, &length, NULL);
    g_autoptr(GBytes) bytes = text ? g_bytes_new_take(text, length) : NULL;
    return bytes && ps_sass_has_packed(bytes);
}

/* An object file in a folder may have no kernels; a message tells of a file whose kernels cannot be
 * found. */
static gboolean add_file(PsGateSet *set, const PsGateReading *reading, const char *path,
                         const char *file, gboolean found, GError **error)
{
    GError *why = NULL;
    g_autoptr(GPtrArray) images = ps_code_cubins_of(reading->code, path, reading->gpu, &why);
    if (!images && found && g_error_matches(why, PS_ERROR, PS_ERROR_READ)) {
        if (is_packed(path))
            g_ptr_array_add(set->warnings, g_strdup_printf("left out: %s", why->message));
        g_error_free(why);
        return TRUE;
    }
    if (!images) {
        g_propagate_error(error, why);
        return FALSE;
    }
    for (guint i = 0; i < images->len; i++) {
        const PsSassImage *image = images->pdata[i];
        for (guint k = 0; k < image->kernels->len; k++)
            add_kernel(set, reading, image, image->kernels->pdata[k], file);
    }
    g_ptr_array_add(set->images, g_steal_pointer(&images));
    return TRUE;
}

static gint by_name(gconstpointer a, gconstpointer b)
{
    const PsGateKernel *x = *(PsGateKernel *const *)a, *y = *(PsGateKernel *const *)b;
    const gint order = strcmp(x->kernel->name, y->kernel->name),
               architecture = x->image->capability - y->image->capability;
    return order ? order : architecture ? architecture : strcmp(x->file, y->file);
}

static gboolean add_all(PsGateSet *set, const PsGateReading *reading, GError **error)
{
    if (!g_file_test(set->path, G_FILE_TEST_IS_DIR))
        return add_file(set, reading, set->path, set->path, FALSE, error);
    set->files = ps_gate_files(set->path);
    for (guint i = 0; i < set->files->len; i++) {
        g_autofree char *path = g_build_filename(set->path, set->files->pdata[i], NULL);
        if (!add_file(set, reading, path, set->files->pdata[i],
                      ps_gate_file_is_binary(set->files->pdata[i]), error))
            return FALSE;
    }
    return TRUE;
}

static void kernel_free(gpointer data)
{
    PsGateKernel *kernel = data;
    g_free(kernel->cannot_start);
    g_free(kernel->slow.words);
    g_free(kernel->slow.file);
    g_free(kernel);
}

PsGateSet *ps_gate_set_new(const PsGateReading *reading, const char *path, GError **error)
{
    g_autoptr(PsGateSet) set = g_new0(PsGateSet, 1);
    set->path = g_strdup(path);
    set->kernels = g_ptr_array_new_with_free_func(kernel_free);
    set->warnings = g_ptr_array_new_with_free_func(g_free);
    set->images = g_ptr_array_new_with_free_func((GDestroyNotify)(void (*)(void))g_ptr_array_unref);
    if (!add_all(set, reading, error))
        return NULL;
    if (!set->kernels->len) {
        g_set_error(error, PS_ERROR, PS_ERROR_READ,
                    "%s: there is no kernel in it; machine code is asked for (cubins, fat "
                    "binaries, objects, libraries), or PTX and CUDA sources",
                    path);
        return NULL;
    }
    g_ptr_array_sort(set->kernels, by_name);
    return g_steal_pointer(&set);
}

void ps_gate_set_free(PsGateSet *set)
{
    if (!set)
        return;
    g_clear_pointer(&set->kernels, g_ptr_array_unref);
    g_clear_pointer(&set->warnings, g_ptr_array_unref);
    g_clear_pointer(&set->images, g_ptr_array_unref);
    g_clear_pointer(&set->files, g_ptr_array_unref);
    g_free(set->path);
    g_free(set);
}

/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * The properties that an OpenCL device reports. Vendors' extensions are asked if they tell more; a
 * device that does not know them answers with an error, which does not count here.
 */
#include "latency-bench/device/opencl.h"
#include <string.h>

/* A figure of 4 or 8 bytes; 0: the device does not tell. */
static guint64 figure(const Opencl *opencl, guint32 what, gsize bytes)
{
    guint32 small = 0;
    guint64 large = 0;
    void *value = bytes == sizeof small ? (void *)&small : &large;
    if (opencl->api.device_info(opencl->id, what, bytes, value, NULL) != 0)
        return 0;
    return bytes == sizeof small ? small : large;
}

/* A text; NULL: the device does not tell. */
static char *text(const Opencl *opencl, guint32 what)
{
    gsize bytes = 0;
    if (opencl->api.device_info(opencl->id, what, 0, NULL, &bytes) != 0 || bytes == 0)
        return NULL;
    g_autofree char *value = g_malloc0(bytes + 1);
    if (opencl->api.device_info(opencl->id, what, bytes, value, NULL) != 0)
        return NULL;
    return g_utf8_make_valid(g_strstrip(value), -1);
}

/* Threads in lockstep: from the vendors' extensions, otherwise the multiple that a kernel wants for
 * its groups. 0 and *error if that fails, too. */
static gint64 warp_size(Opencl *opencl, GError **error)
{
    guint64 told = figure(opencl, CL_DEVICE_WARP_SIZE_NV, 4);
    if (told == 0)
        told = figure(opencl, CL_DEVICE_WAVEFRONT_WIDTH_AMD, 4);
    if (told > 0)
        return (gint64)told;
    OpenclProgram probe = {0};
    gsize multiple = 0;
    gboolean built = ps_opencl_build(
        opencl, "__kernel void probe(__global float *x) { x[get_global_id(0)] += 1.0f; }\n",
        "probe", &probe, error);
    gboolean known =
        built &&
        ps_opencl_check(opencl->api.group_info(probe.kernel, opencl->id,
                                               CL_KERNEL_PREFERRED_WORK_GROUP_SIZE_MULTIPLE,
                                               sizeof multiple, &multiple, NULL),
                        "clGetKernelWorkGroupInfo", error);
    ps_opencl_discard_program(opencl, &probe);
    return known ? MAX(1, (gint64)multiple) : 0;
}

/* NVIDIA's devices have a compute capability; AMD's have their architecture for a name, and their
 * name elsewhere. */
static void add_architecture(const Opencl *opencl, PsDeviceInfo *info)
{
    guint64 major = figure(opencl, CL_DEVICE_COMPUTE_CAPABILITY_MAJOR_NV, 4);
    if (major > 0) {
        guint64 minor = figure(opencl, CL_DEVICE_COMPUTE_CAPABILITY_MINOR_NV, 4);
        info->architecture = g_strdup_printf("sm_%" G_GUINT64_FORMAT, major * 10 + minor);
    } else if (g_str_has_prefix(info->name, "gfx")) {
        info->architecture = g_strndup(info->name, strcspn(info->name, ":"));
        char *board = text(opencl, CL_DEVICE_BOARD_NAME_AMD);
        if (board) {
            g_free(info->name);
            info->name = board;
        }
    }
}

static void add_texts(const Opencl *opencl, PsDeviceInfo *info)
{
    g_autofree char *version = text(opencl, CL_DEVICE_VERSION);
    g_autofree char *driver = text(opencl, CL_DRIVER_VERSION);
    g_autofree char *extensions = text(opencl, CL_DEVICE_EXTENSIONS);
    char *name = text(opencl, CL_DEVICE_NAME), *vendor = text(opencl, CL_DEVICE_VENDOR);
    info->backend = g_strdup("OpenCL");
    info->name = name ? name : g_strdup("a device without a name");
    info->vendor = vendor ? vendor : g_strdup("unknown");
    info->driver =
        g_strdup_printf("%s, driver %s", version ? version : "OpenCL", driver ? driver : "unknown");
    info->fp16 = extensions && strstr(extensions, "cl_khr_fp16") != NULL;
}

static void add_figures(const Opencl *opencl, PsDeviceInfo *info)
{
    PsLimits *limits = &info->limits;
    info->compute_units = (gint64)figure(opencl, CL_DEVICE_MAX_COMPUTE_UNITS, 4);
    info->boost_clock = PS_RATIONAL_INT((gint64)figure(opencl, CL_DEVICE_MAX_CLOCK_FREQUENCY, 4));
    info->memory = (gint64)figure(opencl, CL_DEVICE_GLOBAL_MEM_SIZE, 8);
    info->l2 = (gint64)figure(opencl, CL_DEVICE_GLOBAL_MEM_CACHE_SIZE, 8);
    info->fp64 = figure(opencl, CL_DEVICE_DOUBLE_FP_CONFIG, 8) != 0;
    limits->group_size = (gint64)figure(opencl, CL_DEVICE_MAX_WORK_GROUP_SIZE, sizeof(gsize));
    limits->local_memory_per_group = (gint64)figure(opencl, CL_DEVICE_LOCAL_MEM_SIZE, 8);
}

gboolean ps_opencl_describe(Opencl *opencl, GError **error)
{
    PsDeviceInfo *info = &opencl->driver.device.info;
    add_texts(opencl, info);
    add_figures(opencl, info);
    add_architecture(opencl, info);
    info->warp_size = warp_size(opencl, error);
    if (info->warp_size == 0)
        return FALSE;
    if (info->compute_units < 1) {
        ps_error_at(error, PS_ERROR_DEVICE, (PsPlace){0}, "%s says that it has no compute units",
                    info->name);
        return FALSE;
    }
    /* A core of a CPU runs one group at a time, with all of its resources. */
    if (figure(opencl, CL_DEVICE_TYPE, 8) & CL_DEVICE_TYPE_CPU) {
        info->processor = TRUE;
        info->limits.groups = 1;
        info->limits.local_memory = info->limits.local_memory_per_group;
        info->limits.warps = info->limits.group_size / info->warp_size;
    }
    return TRUE;
}

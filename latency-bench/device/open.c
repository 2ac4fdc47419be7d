/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Finds a device of any kind.
 */
#include "latency-bench/internal.h"
#include "latency-bench/device/driver.h"
#include <string.h>

/* A kind of real device, and the library that it needs. */
typedef struct {
    const char *option; /* as users write it */
    const char *name;
    const char *const *libraries;
    PsDevice *(*open)(PsLibrary *library, const PsDeviceChoice *choice,
                      GError **error); /* takes the library */
} Backend;

static const char *const cuda_libraries[] = {"libcuda.so.1", NULL};
static const char *const hip_libraries[] = {"libamdhip64.so.7",
                                            "libamdhip64.so.6",
                                            "libamdhip64.so.5",
                                            "libamdhip64.so",
                                            "/opt/rocm/lib/libamdhip64.so",
                                            NULL};
static const char *const opencl_libraries[] = {"libOpenCL.so.1", NULL};

static const Backend backends[] = {
    {"cuda", "CUDA", cuda_libraries, ps_cuda_open},
    {"hip", "HIP", hip_libraries, ps_hip_open},
    {"opencl", "OpenCL", opencl_libraries, ps_opencl_open},
};

/* Failed tries. */
typedef struct {
    GPtrArray *missing; /* char *: "CUDA (libcuda.so.1)" */
    GString *failures;  /* messages of drivers that exist */
} Search;

static PsDevice *try_backend(const Backend *backend, const PsDeviceChoice *choice, Search *search)
{
    g_autoptr(GError) error = NULL;
    PsLibrary *library = ps_library_open(backend->libraries, &error);
    PsDevice *device = library ? backend->open(library, choice, &error) : NULL;
    if (device)
        return device;
    if (!library && g_error_matches(error, PS_ERROR, PS_ERROR_READ)) {
        g_autofree char *names = ps_library_names(backend->libraries);
        g_ptr_array_add(search->missing, g_strdup_printf("%s (%s)", backend->name, names));
    } else {
        g_string_append_printf(search->failures, "%s%s: %s", search->failures->len ? "; " : "",
                               backend->name, error->message);
    }
    return NULL;
}

/* "CUDA (...), HIP (...) and OpenCL (...) were looked for and not found". */
static void append_missing(GString *text, const GPtrArray *missing)
{
    for (guint i = 0; i < missing->len; i++)
        g_string_append_printf(text, "%s%s",
                               i == 0                 ? ""
                               : i + 1 < missing->len ? ", "
                                                      : " and ",
                               (const char *)g_ptr_array_index(missing, i));
    g_string_append_printf(text, " %s looked for and not found", missing->len > 1 ? "were" : "was");
    const char *folders = g_getenv("PIPESIM_DRIVERS");
    if (folders && *folders)
        g_string_append_printf(text, " in PIPESIM_DRIVERS=%s", folders);
}

static void complain(const Search *search, GError **error)
{
    g_autoptr(GString) text = g_string_new(search->failures->str);
    if (search->missing->len > 0) {
        g_string_append(text, text->len ? "; " : "");
        append_missing(text, search->missing);
    }
    ps_error_at(error, PS_ERROR_DEVICE, (PsPlace){0}, "no device: %s", text->str);
}

static PsDevice *open_device(const char *backend, const PsDeviceChoice *choice, GError **error)
{
    g_autoptr(GPtrArray) missing = g_ptr_array_new_with_free_func(g_free);
    g_autoptr(GString) failures = g_string_new(NULL);
    Search search = {missing, failures};
    gboolean known = FALSE;
    for (guint i = 0; i < G_N_ELEMENTS(backends); i++) {
        if (backend && g_ascii_strcasecmp(backend, backends[i].option) != 0)
            continue;
        known = TRUE;
        PsDevice *device = try_backend(&backends[i], choice, &search);
        if (device)
            return device;
    }
    if (known)
        complain(&search, error);
    else
        ps_error_at(error, PS_ERROR_USAGE, (PsPlace){0},
                    "there is no kind of device named '%s'; there are cuda, hip and opencl",
                    backend);
    return NULL;
}

PsDevice *ps_device_open(const char *backend, guint number, GError **error)
{
    return open_device(backend, &(PsDeviceChoice){number, NULL}, error);
}

PsDevice *ps_device_open_cubins(const char *folder, guint number, GError **error)
{
    return open_device("cuda", &(PsDeviceChoice){number, folder}, error);
}

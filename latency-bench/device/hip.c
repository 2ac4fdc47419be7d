/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * AMD's devices: HIP's module API and hipRTC.
 */
#include "latency-bench/device/hip-api.h"
#include "latency-bench/device/module.h"
#include <string.h>

typedef struct {
    PsModuleDevice module;
    HipApi hip;
    PsCompiler compiler;
} Hip;

#define API(member, function)                                                                      \
    {                                                                                              \
        function, G_STRUCT_OFFSET(PsModuleApi, member), FALSE                                      \
    }
static const PsLibrarySymbol functions[] = {
    API(init, "hipInit"),
    API(driver_version, "hipRuntimeGetVersion"),
    API(count, "hipGetDeviceCount"),
    API(get, "hipDeviceGet"),
    API(name, "hipDeviceGetName"),
    API(attribute, "hipDeviceGetAttribute"),
    API(total_memory, "hipDeviceTotalMem"),
    API(module_load, "hipModuleLoadDataEx"),
    API(module_unload, "hipModuleUnload"),
    API(module_function, "hipModuleGetFunction"),
    API(launch, "hipModuleLaunchKernel"),
    API(allocate, "hipMalloc"),
    API(discard, "hipFree"),
    API(write, "hipMemcpyHtoD"),
    API(read, "hipMemcpyDtoH"),
    API(event_create, "hipEventCreateWithFlags"),
    API(event_destroy, "hipEventDestroy"),
    API(event_record, "hipEventRecord"),
    API(event_wait, "hipEventSynchronize"),
    API(event_time, "hipEventElapsedTime"),
};

static const PsLibrarySymbol own_functions[] = {
    {"hipGetErrorName", G_STRUCT_OFFSET(HipApi, error_name), FALSE},
    {"hipSetDevice", G_STRUCT_OFFSET(HipApi, set_device), FALSE},
    {"hipGetDeviceProperties", G_STRUCT_OFFSET(HipApi, properties), TRUE},
    {"hipGetDevicePropertiesR0600", G_STRUCT_OFFSET(HipApi, properties_6), TRUE},
};

static const PsLibrarySymbol compiler_functions[] = {
    {"hiprtcCreateProgram", G_STRUCT_OFFSET(PsCompilerApi, create), FALSE},
    {"hiprtcCompileProgram", G_STRUCT_OFFSET(PsCompilerApi, compile), FALSE},
    {"hiprtcDestroyProgram", G_STRUCT_OFFSET(PsCompilerApi, destroy), FALSE},
    {"hiprtcGetProgramLogSize", G_STRUCT_OFFSET(PsCompilerApi, log_size), FALSE},
    {"hiprtcGetProgramLog", G_STRUCT_OFFSET(PsCompilerApi, log), FALSE},
    {"hiprtcGetCodeSize", G_STRUCT_OFFSET(PsCompilerApi, code_size), FALSE},
    {"hiprtcGetCode", G_STRUCT_OFFSET(PsCompilerApi, code), FALSE},
    {"hiprtcGetErrorString", G_STRUCT_OFFSET(PsCompilerApi, error_text), FALSE},
};

static const PsCompilerKind compiler_kind = {
    .functions = compiler_functions,
    .n_functions = G_N_ELEMENTS(compiler_functions),
    .hint = "hipRTC comes with ROCm",
};

#define INFO(member) G_STRUCT_OFFSET(PsDeviceInfo, member)
static const PsModuleAttribute attributes[] = {
    {INFO(compute_units), HIP_MULTIPROCESSORS, FALSE},
    {INFO(warp_size), HIP_WARP_SIZE, FALSE},
    {INFO(l2), HIP_L2_CACHE, TRUE},
    {INFO(limits.group_size), HIP_MAX_THREADS_PER_BLOCK, FALSE},
    {INFO(limits.registers), HIP_MAX_REGISTERS_PER_MULTIPROCESSOR, TRUE},
    {INFO(limits.local_memory_per_group), HIP_MAX_SHARED_PER_BLOCK, FALSE},
};

static const char *error_name(const PsModuleDevice *module, int error)
{
    return ((const Hip *)module)->hip.error_name(error);
}

static int make_current(PsModuleDevice *module, const char **call)
{
    *call = "hipSetDevice";
    return ((Hip *)module)->hip.set_device(module->id);
}

/* Kernels may use all local memory without asking. */
static int allow(PsModuleDevice *module, void *function, const PsBenchLaunch *launch,
                 const char **call)
{
    (void)module, (void)function, (void)launch;
    *call = "";
    return 0;
}

static const PsModuleKind kind = {
    .backend = "HIP",
    .functions = functions,
    .n_functions = G_N_ELEMENTS(functions),
    .error_name = error_name,
    .make_current = make_current,
    .allow = allow,
};

static void close_hip(PsDevice *device)
{
    PsModuleDevice *module = (PsModuleDevice *)device;
    const char *call = NULL;
    if (module->begin)
        make_current(module, &call);
    ps_module_stop(module);
    ps_compiler_close(&((Hip *)device)->compiler);
    ps_library_close(module->library);
    g_free(module);
}

static const PsDeviceClass device_class = {
    .close = close_hip,
    .compile = ps_module_compile,
    .release = ps_module_release,
    .run = ps_module_run,
    .code = ps_module_code,
    .image = ps_module_image,
    .check = ps_module_check_device,
};

/* "gfx90a" from a struct whose layout depends on the version, but contains one text that is a
 * target's name. Features follow a colon, which the compiler chooses well by itself. NULL: there is
 * no such text. */
static char *find_architecture(const char *bytes, gsize n)
{
    for (gsize at = 0; at + 4 < n; at++) {
        if (strncmp(bytes + at, "gfx", 3) != 0 || !g_ascii_isxdigit(bytes[at + 3]))
            continue;
        gsize end = at + 3;
        while (end < n && g_ascii_isxdigit(bytes[end]))
            end++;
        return g_strndup(bytes + at, end - at);
    }
    return NULL;
}

static gboolean add_architecture(Hip *hip, GError **error)
{
    PsModuleDevice *module = &hip->module;
    gboolean newer = hip->hip.properties_6 != NULL;
    int (*get)(void *, int) = newer ? hip->hip.properties_6 : hip->hip.properties;
    if (!get)
        return TRUE;
    g_autofree char *bytes = g_malloc0(HIP_PROPERTIES_BYTES);
    if (!ps_module_check(module, get(bytes, module->id),
                         newer ? "hipGetDevicePropertiesR0600" : "hipGetDeviceProperties", error))
        return FALSE;
    module->driver.device.info.architecture = find_architecture(bytes, HIP_PROPERTIES_BYTES);
    return TRUE;
}

/* Adds the properties that all of AMD's CUs share: four SIMDs, each with a scheduler (if they have
 * fewer, HIP counts pairs as one multiprocessor). */
static void add_known(PsDeviceInfo *info)
{
    info->vendor = g_strdup("AMD");
    info->schedulers = 4;
    info->fp64 = info->fp16 = TRUE;
    info->limits.registers_per_thread = 256;
}

static gboolean describe(Hip *hip, GError **error)
{
    PsModuleDevice *module = &hip->module;
    PsDeviceInfo *info = &module->driver.device.info;
    int threads = 0, version = 0;
    if (!ps_module_describe(module, attributes, G_N_ELEMENTS(attributes), error) ||
        !PS_MODULE_CALL(module, error, attribute, &threads, HIP_MAX_THREADS_PER_MULTIPROCESSOR,
                        module->id) ||
        !PS_MODULE_CALL(module, error, driver_version, &version))
        return FALSE;
    add_known(info);
    info->limits.warps = threads / info->warp_size;
    info->limits.local_memory =
        MAX(info->limits.local_memory_per_group,
            ps_module_attribute(module, HIP_MAX_SHARED_PER_MULTIPROCESSOR, 0));
    ps_rational_make(ps_module_attribute(module, HIP_CLOCK_RATE, 0), 1000, &info->boost_clock);
    info->driver = g_strdup_printf("HIP %d.%d.%d", version / 10000000, version / 100000 % 100,
                                   version % 100000);
    return add_architecture(hip, error);
}

/* hipRTC has the driver's version, or, in old ones, is part of the driver's library. */
static gboolean start_compiler(Hip *hip, GError **error)
{
    PsModuleDevice *module = &hip->module;
    const char *version = strstr(module->library->name, ".so");
    g_autofree char *same = g_strconcat("libhiprtc", version ? version : ".so", NULL);
    const char *const names[] = {same, "libhiprtc.so", "/opt/rocm/lib/libhiprtc.so",
                                 module->library->name, NULL};
    module->compiler = &hip->compiler;
    const char *architecture = module->driver.device.info.architecture;
    module->options = g_new0(char *, 2);
    if (architecture)
        module->options[0] = g_strconcat("--offload-arch=", architecture, NULL);
    return ps_compiler_open(&hip->compiler, &compiler_kind, names, error);
}

static gboolean start(Hip *hip, guint number, GError **error)
{
    PsModuleDevice *module = &hip->module;
    const char *call = NULL;
    if (!ps_library_functions(module->library, own_functions, G_N_ELEMENTS(own_functions),
                              &hip->hip, error) ||
        !ps_module_start(module, number, error) || !describe(hip, error) ||
        !start_compiler(hip, error))
        return FALSE;
    int result = make_current(module, &call);
    return ps_module_check(module, result, call, error) && ps_module_start_events(module, error);
}

PsDevice *ps_hip_open(PsLibrary *library, const PsDeviceChoice *choice, GError **error)
{
    Hip *hip = g_new0(Hip, 1);
    PsModuleDevice *module = &hip->module;
    ps_module_init(module, &device_class, &kind, library);
    if (start(hip, choice->number, error))
        return &module->driver.device;
    close_hip(&module->driver.device);
    return NULL;
}

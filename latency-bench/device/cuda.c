/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * NVIDIA's devices: CUDA's driver API and NVRTC.
 */
#include "latency-bench/device/cuda-api.h"
#include "latency-bench/device/module.h"
#include "latency-bench/device/nvrtc.h"

typedef struct {
    PsModuleDevice module;
    CudaApi cuda;
    PsNvrtc *nvrtc;   /* one of these: */
    PsCubins *cubins; /* kernels compiled beforehand */
    void *context;
} Cuda;

#define API(member, function)                                                                      \
    {                                                                                              \
        function, G_STRUCT_OFFSET(PsModuleApi, member), FALSE                                      \
    }
static const PsLibrarySymbol functions[] = {
    API(init, "cuInit"),
    API(driver_version, "cuDriverGetVersion"),
    API(count, "cuDeviceGetCount"),
    API(get, "cuDeviceGet"),
    API(name, "cuDeviceGetName"),
    API(attribute, "cuDeviceGetAttribute"),
    API(total_memory, "cuDeviceTotalMem_v2"),
    API(module_load, "cuModuleLoadDataEx"),
    API(module_unload, "cuModuleUnload"),
    API(module_function, "cuModuleGetFunction"),
    API(launch, "cuLaunchKernel"),
    API(allocate, "cuMemAlloc_v2"),
    API(discard, "cuMemFree_v2"),
    API(write, "cuMemcpyHtoD_v2"),
    API(read, "cuMemcpyDtoH_v2"),
    API(event_create, "cuEventCreate"),
    API(event_destroy, "cuEventDestroy_v2"),
    API(event_record, "cuEventRecord"),
    API(event_wait, "cuEventSynchronize"),
    API(event_time, "cuEventElapsedTime"),
};

static const PsLibrarySymbol own_functions[] = {
    {"cuGetErrorName", G_STRUCT_OFFSET(CudaApi, error_name), FALSE},
    {"cuDevicePrimaryCtxRetain", G_STRUCT_OFFSET(CudaApi, context_retain), FALSE},
    {"cuDevicePrimaryCtxRelease_v2", G_STRUCT_OFFSET(CudaApi, context_release), FALSE},
    {"cuCtxSetCurrent", G_STRUCT_OFFSET(CudaApi, context_set), FALSE},
    {"cuFuncSetAttribute", G_STRUCT_OFFSET(CudaApi, function_set), FALSE},
};

#define INFO(member) G_STRUCT_OFFSET(PsDeviceInfo, member)
static const PsModuleAttribute attributes[] = {
    {INFO(compute_units), CUDA_MULTIPROCESSORS, FALSE},
    {INFO(warp_size), CUDA_WARP_SIZE, FALSE},
    {INFO(l2), CUDA_L2_CACHE, FALSE},
    {INFO(limits.group_size), CUDA_MAX_THREADS_PER_BLOCK, FALSE},
    {INFO(limits.groups), CUDA_MAX_BLOCKS_PER_MULTIPROCESSOR, TRUE},
    {INFO(limits.registers), CUDA_MAX_REGISTERS_PER_MULTIPROCESSOR, FALSE},
    {INFO(limits.local_memory), CUDA_MAX_SHARED_PER_MULTIPROCESSOR, FALSE},
    {INFO(limits.local_memory_per_group), CUDA_MAX_SHARED_PER_BLOCK, FALSE},
    {INFO(limits.local_memory_reserved), CUDA_RESERVED_SHARED_PER_BLOCK, TRUE},
};

static const char *error_name(const PsModuleDevice *module, int error)
{
    const char *name = NULL;
    return ((const Cuda *)module)->cuda.error_name(error, &name) == 0 ? name : NULL;
}

static int make_current(PsModuleDevice *module, const char **call)
{
    Cuda *cuda = (Cuda *)module;
    *call = "cuCtxSetCurrent";
    return cuda->cuda.context_set(cuda->context);
}

/* The part of the CU's memory to be local rather than L1: the needs of the groups to be active at
 * once. By itself the driver may choose less, and hold fewer groups. */
static int carveout(const PsDeviceInfo *info, const PsBenchLaunch *launch)
{
    const PsLimits *limits = &info->limits;
    if (launch->local_memory == 0 || launch->warps == 0 || limits->local_memory == 0)
        return -1;
    gint64 warps = (launch->group_size + info->warp_size - 1) / info->warp_size;
    gint64 groups = MAX(1, launch->warps / warps);
    gint64 bytes = groups * (launch->local_memory + limits->local_memory_reserved);
    return (int)MIN(100, (bytes * 100 + limits->local_memory - 1) / limits->local_memory);
}

static int allow(PsModuleDevice *module, void *function, const PsBenchLaunch *launch,
                 const char **call)
{
    Cuda *cuda = (Cuda *)module;
    *call = "cuFuncSetAttribute";
    int result = cuda->cuda.function_set(function, CUDA_FUNCTION_MAX_DYNAMIC_SHARED,
                                         (int)launch->local_memory);
    if (result != 0)
        return result;
    return cuda->cuda.function_set(function, CUDA_FUNCTION_SHARED_CARVEOUT,
                                   carveout(&module->driver.device.info, launch));
}

static const PsModuleKind kind = {
    .backend = "CUDA",
    .log = TRUE,
    .functions = functions,
    .n_functions = G_N_ELEMENTS(functions),
    .error_name = error_name,
    .make_current = make_current,
    .allow = allow,
};

static void close_cuda(PsDevice *device)
{
    Cuda *cuda = (Cuda *)device;
    PsModuleDevice *module = &cuda->module;
    if (cuda->context)
        cuda->cuda.context_set(cuda->context);
    ps_module_stop(module);
    if (cuda->context) {
        cuda->cuda.context_set(NULL);
        cuda->cuda.context_release(module->id);
    }
    ps_nvrtc_free(cuda->nvrtc);
    ps_cubins_free(cuda->cubins);
    ps_library_close(module->library);
    g_free(cuda);
}

static const PsDeviceClass device_class = {
    .close = close_cuda,
    .compile = ps_module_compile,
    .release = ps_module_release,
    .run = ps_module_run,
    .code = ps_module_code,
    .image = ps_module_image,
    .check = ps_module_check_device,
};

/* Adds properties that the device does not report but its compute capability shows (CUDA C++
 * Programming Guide, "Technical Specifications per Compute Capability"). */
static void add_known(PsDeviceInfo *info, int capability)
{
    info->vendor = g_strdup("NVIDIA");
    info->architecture = g_strdup_printf("sm_%d", capability);
    info->schedulers = capability == 60 ? 2 : 4;
    info->fp64 = TRUE;
    info->fp16 = capability >= 53;
    info->limits.registers_per_thread = 255;
    info->limits.register_unit = 256;
    info->limits.warp_unit = 4;
    info->limits.local_memory_unit = capability >= 80 ? 128 : 256;
}

static gboolean describe(Cuda *cuda, int *capability, GError **error)
{
    PsModuleDevice *module = &cuda->module;
    PsDeviceInfo *info = &module->driver.device.info;
    int major = 0, minor = 0, threads = 0;
    if (!ps_module_describe(module, attributes, G_N_ELEMENTS(attributes), error) ||
        !PS_MODULE_CALL(module, error, attribute, &major, CUDA_COMPUTE_CAPABILITY_MAJOR,
                        module->id) ||
        !PS_MODULE_CALL(module, error, attribute, &minor, CUDA_COMPUTE_CAPABILITY_MINOR,
                        module->id) ||
        !PS_MODULE_CALL(module, error, attribute, &threads, CUDA_MAX_THREADS_PER_MULTIPROCESSOR,
                        module->id))
        return FALSE;
    *capability = 10 * major + minor;
    add_known(info, *capability);
    PsLimits *limits = &info->limits;
    limits->warps = threads / info->warp_size;
    limits->local_memory_per_group =
        MAX(limits->local_memory_per_group,
            ps_module_attribute(module, CUDA_MAX_SHARED_PER_BLOCK_OPTIN, 0));
    ps_rational_make(ps_module_attribute(module, CUDA_CLOCK_RATE, 0), 1000, &info->boost_clock);
    return TRUE;
}

/* A driver cannot load the code of a newer compiler. */
static gboolean open_cubins(Cuda *cuda, const char *folder, int version, int capability,
                            GError **error)
{
    PsModuleDevice *module = &cuda->module;
    PsDeviceInfo *info = &module->driver.device.info;
    module->cubins = cuda->cubins = ps_cubins_open(folder, capability, error);
    if (!cuda->cubins)
        return FALSE;
    const char *compiler = cuda->cubins->version;
    const int of = cuda->cubins->capability;
    if (g_ascii_strtoll(compiler, NULL, 10) > version / 1000) {
        ps_error_at(error, PS_ERROR_DEVICE, (PsPlace){0},
                    "the cubins in %s are NVRTC %s's, which the driver of CUDA %d.%d cannot "
                    "load: update the driver, or make cubins with an older NVRTC",
                    folder, compiler, version / 1000, version % 1000 / 10);
        return FALSE;
    }
    info->driver = g_strdup_printf("CUDA driver %d.%d, cubins of NVRTC %s for sm_%d",
                                   version / 1000, version % 1000 / 10, compiler, of);
    if (of != capability)
        info->note = g_strdup_printf("there are no cubins for sm_%d: those for sm_%d are run",
                                     capability, of);
    return TRUE;
}

/* Starts the compiler: for machine code if it knows the device, otherwise for PTX of the newest
 * architecture that the device can run. */
static gboolean start_compiler(Cuda *cuda, int version, int capability, GError **error)
{
    PsModuleDevice *module = &cuda->module;
    cuda->nvrtc = ps_nvrtc_new(version, error);
    if (!cuda->nvrtc)
        return FALSE;
    const int major = cuda->nvrtc->major, minor = cuda->nvrtc->minor;
    const int architecture = ps_nvrtc_newest(cuda->nvrtc, capability);
    PsDeviceInfo *info = &module->driver.device.info;
    info->driver = g_strdup_printf("CUDA driver %d.%d, NVRTC %d.%d", version / 1000,
                                   version % 1000 / 10, major, minor);
    if (architecture == 0) {
        ps_error_at(error, PS_ERROR_DEVICE, (PsPlace){0},
                    "NVRTC %d.%d makes no code for sm_%d, which is too old for it: an older "
                    "version of the CUDA toolkit is needed",
                    major, minor, capability);
        return FALSE;
    }
    module->compiler = &cuda->nvrtc->compiler;
    if (architecture != capability)
        info->note = g_strdup_printf("NVRTC %d.%d does not know sm_%d: it compiles for sm_%d, and "
                                     "the driver makes machine code of that",
                                     major, minor, capability, architecture);
    module->options = g_new0(char *, 2);
    module->options[0] = g_strdup_printf(
        "--gpu-architecture=%s_%d", architecture == capability ? "sm" : "compute", architecture);
    return TRUE;
}

static gboolean start(Cuda *cuda, guint number, const char *cubins, GError **error)
{
    PsModuleDevice *module = &cuda->module;
    int capability = 0, version = 0;
    if (!ps_library_functions(module->library, own_functions, G_N_ELEMENTS(own_functions),
                              &cuda->cuda, error) ||
        !ps_module_start(module, number, error) || !describe(cuda, &capability, error) ||
        !PS_MODULE_CALL(module, error, driver_version, &version) ||
        !(cubins ? open_cubins(cuda, cubins, version, capability, error)
                 : start_compiler(cuda, version, capability, error)))
        return FALSE;
    const char *call = "cuDevicePrimaryCtxRetain";
    int result = cuda->cuda.context_retain(&cuda->context, module->id);
    if (result == 0)
        result = make_current(module, &call);
    return ps_module_check(module, result, call, error) && ps_module_start_events(module, error);
}

PsDevice *ps_cuda_open(PsLibrary *library, const PsDeviceChoice *choice, GError **error)
{
    Cuda *cuda = g_new0(Cuda, 1);
    PsModuleDevice *module = &cuda->module;
    ps_module_init(module, &device_class, &kind, library);
    if (start(cuda, choice->number, choice->cubins, error))
        return &module->driver.device;
    close_cuda(&module->driver.device);
    return NULL;
}

/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Plays libcuda.so.1 and libnvrtc.so.13: a GPU of compute capability 9.0.
 */
#include "tests/stand-in/module.h"

static const int figures[][2] = {
    {1, 1024}, {8, 49152}, {10, WARP},  {13, 1000000}, {16, CUS},   {38, 4194304}, {39, 2048},
    {75, 9},   {76, 0},    {81, 65536}, {82, 65536},   {97, 65536}, {106, 32},     {111, 1024},
};

EXPORT int cuInit(unsigned flags);
EXPORT int cuDriverGetVersion(int *version);
EXPORT int cuDeviceGetCount(int *count);
EXPORT int cuDeviceGet(int *device, int number);
EXPORT int cuDeviceGetName(char *name, int length, int device);
EXPORT int cuDeviceGetAttribute(int *value, int attribute, int device);
EXPORT int cuDeviceTotalMem_v2(gsize *bytes, int device);
EXPORT int cuDevicePrimaryCtxRetain(void **context, int device);
EXPORT int cuDevicePrimaryCtxRelease_v2(int device);
EXPORT int cuCtxSetCurrent(void *context);
EXPORT int cuModuleLoadDataEx(void **module, const void *image, unsigned n, int *options,
                              void **values);
EXPORT int cuModuleUnload(void *module);
EXPORT int cuModuleGetFunction(void **function, void *module, const char *name);
EXPORT int cuFuncSetAttribute(void *function, int attribute, int value);
EXPORT int cuLaunchKernel(void *function, unsigned gx, unsigned gy, unsigned gz, unsigned bx,
                          unsigned by, unsigned bz, unsigned local, void *stream, void **parameters,
                          void **extra);
EXPORT int cuMemAlloc_v2(void **address, gsize bytes);
EXPORT int cuMemFree_v2(void *address);
EXPORT int cuMemcpyHtoD_v2(void *to, const void *from, gsize bytes);
EXPORT int cuMemcpyDtoH_v2(void *to, const void *from, gsize bytes);
EXPORT int cuEventCreate(void **event, unsigned flags);
EXPORT int cuEventDestroy_v2(void *event);
EXPORT int cuEventRecord(void *event, void *stream);
EXPORT int cuEventSynchronize(void *event);
EXPORT int cuEventElapsedTime(float *milliseconds, void *from, void *to);
EXPORT int cuGetErrorName(int error, const char **name);
EXPORT int nvrtcVersion(int *major, int *minor);
EXPORT int nvrtcCreateProgram(void **program, const char *source, const char *name, int n,
                              const char *const *headers, const char *const *names);
EXPORT int nvrtcCompileProgram(void *program, int n, const char *const *options);
EXPORT int nvrtcDestroyProgram(void **program);
EXPORT int nvrtcGetProgramLogSize(void *program, gsize *size);
EXPORT int nvrtcGetProgramLog(void *program, char *log);
EXPORT int nvrtcGetPTXSize(void *program, gsize *size);
EXPORT int nvrtcGetPTX(void *program, char *code);
EXPORT int nvrtcGetCUBINSize(void *program, gsize *size);
EXPORT int nvrtcGetCUBIN(void *program, char *code);
EXPORT const char *nvrtcGetErrorString(int error);
EXPORT int nvrtcGetNumSupportedArchs(int *n);
EXPORT int nvrtcGetSupportedArchs(int *architectures);

int cuInit(unsigned flags)
{
    (void)flags;
    ENTER();
    return state.devices > 0 ? 0 : 100;
}

int cuDriverGetVersion(int *version)
{
    ENTER();
    *version = state.driver ? state.driver : 13000;
    return 0;
}

int cuDeviceGetCount(int *count)
{
    ENTER();
    *count = state.devices;
    return 0;
}

int cuDeviceGet(int *device, int number)
{
    ENTER();
    *device = number + 40;
    return 0;
}

int cuDeviceGetName(char *name, int length, int device)
{
    ENTER();
    g_snprintf(name, (gulong)length, "Stand-in %d", device - 40);
    return 0;
}

int cuDeviceGetAttribute(int *value, int attribute, int device)
{
    (void)device;
    ENTER();
    const int result = figure(attribute, figures, G_N_ELEMENTS(figures), value, 1);
    if (attribute == 38 && state.no_l2)
        *value = 0;
    return result;
}

int cuDeviceTotalMem_v2(gsize *bytes, int device)
{
    (void)device;
    ENTER();
    *bytes = 1 << 30;
    return 0;
}

int cuDevicePrimaryCtxRetain(void **context, int device)
{
    static char the_context;
    (void)device;
    ENTER();
    *context = &the_context;
    state.live++;
    return 0;
}

int cuDevicePrimaryCtxRelease_v2(int device)
{
    (void)device;
    ENTER();
    state.live--;
    return 0;
}

int cuCtxSetCurrent(void *context)
{
    (void)context;
    ENTER();
    return 0;
}

int cuModuleLoadDataEx(void **module, const void *image, unsigned n, int *options, void **values)
{
    int code = enter(__func__);
    g_strlcpy(state.image, image, sizeof state.image);
    for (unsigned i = 0; i < n && code != 0; i++)
        if (options[i] == 5)
            put_text(values[i], "ptxas says why");
    if (code == 0)
        *module = make(1);
    return code;
}

int cuModuleUnload(void *module)
{
    ENTER();
    give_back(module);
    return 0;
}

int cuModuleGetFunction(void **function, void *module, const char *name)
{
    (void)name;
    ENTER();
    *function = module;
    return 0;
}

int cuFuncSetAttribute(void *function, int attribute, int value)
{
    (void)function;
    ENTER();
    state.attribute[attribute - 8] = value;
    return 0;
}

/* The interface has that many. NOLINTNEXTLINE(readability-function-size) */
int cuLaunchKernel(void *function, unsigned gx, unsigned gy, unsigned gz, unsigned bx, unsigned by,
                   unsigned bz, unsigned local, void *stream, void **parameters, void **extra)
{
    (void)function, (void)gy, (void)gz, (void)by, (void)bz, (void)local, (void)stream, (void)extra;
    ENTER();
    return run_kernel(gx, bx, parameters);
}

int cuMemAlloc_v2(void **address, gsize bytes)
{
    ENTER();
    *address = make(bytes);
    return 0;
}

int cuMemFree_v2(void *address)
{
    ENTER();
    give_back(address);
    return 0;
}

int cuMemcpyHtoD_v2(void *to, const void *from, gsize bytes)
{
    ENTER();
    memcpy(to, from, bytes);
    state.written++;
    return 0;
}

int cuMemcpyDtoH_v2(void *to, const void *from, gsize bytes)
{
    ENTER();
    memcpy(to, from, bytes);
    return 0;
}

int cuEventCreate(void **event, unsigned flags)
{
    (void)flags;
    ENTER();
    *event = make(1);
    return 0;
}

int cuEventDestroy_v2(void *event)
{
    ENTER();
    give_back(event);
    return 0;
}

int cuEventRecord(void *event, void *stream)
{
    (void)event, (void)stream;
    ENTER();
    return 0;
}

int cuEventSynchronize(void *event)
{
    (void)event;
    ENTER();
    return 0;
}

int cuEventElapsedTime(float *milliseconds, void *from, void *to)
{
    (void)from, (void)to;
    ENTER();
    *milliseconds = (float)(state.seconds * 1e3);
    return 0;
}

int cuGetErrorName(int error, const char **name)
{
    static const struct {
        int error;
        const char *name;
    } names[] = {{1, "CUDA_ERROR_INVALID_VALUE"},
                 {2, "CUDA_ERROR_OUT_OF_MEMORY"},
                 {46, "CUDA_ERROR_DEVICE_UNAVAILABLE"},
                 {100, "CUDA_ERROR_NO_DEVICE"},
                 {209, "CUDA_ERROR_NO_BINARY_FOR_GPU"},
                 {214, "CUDA_ERROR_ECC_UNCORRECTABLE"},
                 {500, "CUDA_ERROR_NOT_FOUND"},
                 {719, "CUDA_ERROR_LAUNCH_FAILED"},
                 {701, "CUDA_ERROR_LAUNCH_OUT_OF_RESOURCES"}};
    for (guint i = 0; i < G_N_ELEMENTS(names); i++)
        if (names[i].error == error) {
            *name = names[i].name;
            return 0;
        }
    return 1;
}

int nvrtcVersion(int *major, int *minor)
{
    ENTER();
    *major = 13;
    *minor = 0;
    return 0;
}

int nvrtcCreateProgram(void **program, const char *source, const char *name, int n,
                       const char *const *headers, const char *const *names)
{
    (void)name, (void)n, (void)headers, (void)names;
    ENTER();
    return new_program(program, source);
}

int nvrtcCompileProgram(void *program, int n, const char *const *options)
{
    ENTER();
    keep_architecture(n, options, "--gpu-architecture=");
    return compile_program(program);
}

int nvrtcDestroyProgram(void **program)
{
    ENTER();
    return free_program(program);
}

int nvrtcGetProgramLogSize(void *program, gsize *size)
{
    ENTER();
    *size = strlen(((Compiled *)program)->log) + 1;
    return 0;
}

int nvrtcGetProgramLog(void *program, char *log)
{
    ENTER();
    put_text(log, ((Compiled *)program)->log);
    return 0;
}

static const char ptx[] = ".version 9.0\n.target sm_90\n.visible .entry toy() { ret; }\n";

int nvrtcGetPTXSize(void *program, gsize *size)
{
    (void)program;
    ENTER();
    *size = sizeof ptx;
    return 0;
}

int nvrtcGetPTX(void *program, char *code)
{
    (void)program;
    ENTER();
    put_text(code, ptx);
    return 0;
}

int nvrtcGetCUBINSize(void *program, gsize *size)
{
    (void)program;
    ENTER();
    *size = state.no_code ? 0 : 4;
    return 0;
}

int nvrtcGetCUBIN(void *program, char *code)
{
    (void)program;
    ENTER();
    put_text(code, "ELF");
    return 0;
}

const char *nvrtcGetErrorString(int error)
{
    return compiler_error(error);
}

/* no-code: a compiler that is older than the device. Below 0: one that is too new for it. */
int nvrtcGetNumSupportedArchs(int *n)
{
    *n = 2;
    return 0;
}

int nvrtcGetSupportedArchs(int *architectures)
{
    architectures[0] = state.no_code < 0 ? 100 : 75;
    architectures[1] = state.no_code < 0 ? 120 : state.no_code ? 89 : 90;
    return 0;
}

/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Plays libamdhip64.so.6 and libhiprtc.so.6: a GPU of the architecture gfx90a, with warps of 32 so
 * that the stand-in kernel serves it, too.
 */
#include "tests/stand-in/module.h"

static const int figures[][2] = {
    {5, 1700000}, {19, 8388608}, {56, 1024}, {57, 2048},     {63, CUS},
    {72, 65536},  {74, 65536},   {87, WARP}, {10002, 65536},
};

EXPORT int hipInit(unsigned flags);
EXPORT int hipRuntimeGetVersion(int *version);
EXPORT int hipGetDeviceCount(int *count);
EXPORT int hipDeviceGet(int *device, int number);
EXPORT int hipDeviceGetName(char *name, int length, int device);
EXPORT int hipDeviceGetAttribute(int *value, int attribute, int device);
EXPORT int hipDeviceTotalMem(gsize *bytes, int device);
EXPORT int hipGetDevicePropertiesR0600(char *properties, int device);
EXPORT int hipSetDevice(int device);
EXPORT int hipModuleLoadDataEx(void **module, const void *image, unsigned n, int *options,
                               void **values);
EXPORT int hipModuleUnload(void *module);
EXPORT int hipModuleGetFunction(void **function, void *module, const char *name);
EXPORT int hipModuleLaunchKernel(void *function, unsigned gx, unsigned gy, unsigned gz, unsigned bx,
                                 unsigned by, unsigned bz, unsigned local, void *stream,
                                 void **parameters, void **extra);
EXPORT int hipMalloc(void **address, gsize bytes);
EXPORT int hipFree(void *address);
EXPORT int hipMemcpyHtoD(void *to, const void *from, gsize bytes);
EXPORT int hipMemcpyDtoH(void *to, const void *from, gsize bytes);
EXPORT int hipEventCreateWithFlags(void **event, unsigned flags);
EXPORT int hipEventDestroy(void *event);
EXPORT int hipEventRecord(void *event, void *stream);
EXPORT int hipEventSynchronize(void *event);
EXPORT int hipEventElapsedTime(float *milliseconds, void *from, void *to);
EXPORT const char *hipGetErrorName(int error);
EXPORT int hiprtcCreateProgram(void **program, const char *source, const char *name, int n,
                               const char *const *headers, const char *const *names);
EXPORT int hiprtcCompileProgram(void *program, int n, const char *const *options);
EXPORT int hiprtcDestroyProgram(void **program);
EXPORT int hiprtcGetProgramLogSize(void *program, gsize *size);
EXPORT int hiprtcGetProgramLog(void *program, char *log);
EXPORT int hiprtcGetCodeSize(void *program, gsize *size);
EXPORT int hiprtcGetCode(void *program, char *code);
EXPORT const char *hiprtcGetErrorString(int error);

int hipInit(unsigned flags)
{
    (void)flags;
    ENTER();
    return state.devices > 0 ? 0 : 100;
}

int hipRuntimeGetVersion(int *version)
{
    ENTER();
    *version = 60241133;
    return 0;
}

int hipGetDeviceCount(int *count)
{
    ENTER();
    *count = state.devices;
    return 0;
}

int hipDeviceGet(int *device, int number)
{
    ENTER();
    *device = number;
    return 0;
}

int hipDeviceGetName(char *name, int length, int device)
{
    ENTER();
    g_snprintf(name, (gulong)length, "Stand-in %d", device);
    return 0;
}

int hipDeviceGetAttribute(int *value, int attribute, int device)
{
    (void)device;
    ENTER();
    return figure(attribute, figures, G_N_ELEMENTS(figures), value, 1);
}

int hipDeviceTotalMem(gsize *bytes, int device)
{
    (void)device;
    ENTER();
    *bytes = 1 << 30;
    return 0;
}

int hipGetDevicePropertiesR0600(char *properties, int device)
{
    (void)device;
    ENTER();
    put_text(properties, "Stand-in");
    put_text(properties + 1160, "gfx90a:sramecc+:xnack-");
    return 0;
}

int hipSetDevice(int device)
{
    (void)device;
    ENTER();
    return 0;
}

int hipModuleLoadDataEx(void **module, const void *image, unsigned n, int *options, void **values)
{
    (void)image, (void)n, (void)options, (void)values;
    ENTER();
    *module = make(1);
    return 0;
}

int hipModuleUnload(void *module)
{
    ENTER();
    give_back(module);
    return 0;
}

int hipModuleGetFunction(void **function, void *module, const char *name)
{
    (void)name;
    ENTER();
    *function = module;
    return 0;
}

/* The interface has that many. NOLINTNEXTLINE(readability-function-size) */
int hipModuleLaunchKernel(void *function, unsigned gx, unsigned gy, unsigned gz, unsigned bx,
                          unsigned by, unsigned bz, unsigned local, void *stream, void **parameters,
                          void **extra)
{
    (void)function, (void)gy, (void)gz, (void)by, (void)bz, (void)local, (void)stream, (void)extra;
    ENTER();
    return run_kernel(gx, bx, parameters);
}

int hipMalloc(void **address, gsize bytes)
{
    ENTER();
    *address = make(bytes);
    return 0;
}

int hipFree(void *address)
{
    ENTER();
    give_back(address);
    return 0;
}

int hipMemcpyHtoD(void *to, const void *from, gsize bytes)
{
    ENTER();
    memcpy(to, from, bytes);
    state.written++;
    return 0;
}

int hipMemcpyDtoH(void *to, const void *from, gsize bytes)
{
    ENTER();
    memcpy(to, from, bytes);
    return 0;
}

int hipEventCreateWithFlags(void **event, unsigned flags)
{
    (void)flags;
    ENTER();
    *event = make(1);
    return 0;
}

int hipEventDestroy(void *event)
{
    ENTER();
    give_back(event);
    return 0;
}

int hipEventRecord(void *event, void *stream)
{
    (void)event, (void)stream;
    ENTER();
    return 0;
}

int hipEventSynchronize(void *event)
{
    (void)event;
    ENTER();
    return 0;
}

int hipEventElapsedTime(float *milliseconds, void *from, void *to)
{
    (void)from, (void)to;
    ENTER();
    *milliseconds = (float)(state.seconds * 1e3);
    return 0;
}

const char *hipGetErrorName(int error)
{
    return error == 1     ? "hipErrorInvalidValue"
           : error == 2   ? "hipErrorOutOfMemory"
           : error == 9   ? "hipErrorInvalidConfiguration"
           : error == 100 ? "hipErrorNoDevice"
           : error == 719 ? "hipErrorLaunchFailure"
                          : "hipErrorUnknown";
}

int hiprtcCreateProgram(void **program, const char *source, const char *name, int n,
                        const char *const *headers, const char *const *names)
{
    (void)name, (void)n, (void)headers, (void)names;
    ENTER();
    return new_program(program, source);
}

int hiprtcCompileProgram(void *program, int n, const char *const *options)
{
    ENTER();
    keep_architecture(n, options, "--offload-arch=");
    return compile_program(program);
}

int hiprtcDestroyProgram(void **program)
{
    ENTER();
    return free_program(program);
}

int hiprtcGetProgramLogSize(void *program, gsize *size)
{
    ENTER();
    *size = strlen(((Compiled *)program)->log) + 1;
    return 0;
}

int hiprtcGetProgramLog(void *program, char *log)
{
    ENTER();
    put_text(log, ((Compiled *)program)->log);
    return 0;
}

int hiprtcGetCodeSize(void *program, gsize *size)
{
    (void)program;
    ENTER();
    *size = 4;
    return 0;
}

int hiprtcGetCode(void *program, char *code)
{
    (void)program;
    ENTER();
    put_text(code, "ELF");
    return 0;
}

const char *hiprtcGetErrorString(int error)
{
    return compiler_error(error);
}

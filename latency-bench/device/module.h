/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * CUDA's driver API and HIP's module API differ in names, numbers and little else: functions of the
 * same parameters load a module, launch a kernel and time it. So there is one table of functions
 * for both; cuda.c and hip.c fill it, and have the differences. compiler.h has the same for their
 * compilers.
 *
 * The declarations are our own, after the documented interfaces (64-bit Linux): no headers of
 * either are needed to build. Every function returns 0 for success.
 */
#ifndef PIPESIM_LATENCY_BENCH_MODULE_H
#define PIPESIM_LATENCY_BENCH_MODULE_H

#include "latency-bench/device/compiler.h"
#include "latency-bench/device/cubins.h"
#include "latency-bench/device/driver.h"

typedef guintptr PsAddress; /* CUdeviceptr, hipDeviceptr_t */

typedef struct {
    int (*init)(unsigned flags);
    int (*driver_version)(int *version);
    int (*count)(int *count);
    int (*get)(int *device, int number);
    int (*name)(char *name, int length, int device);
    int (*attribute)(int *value, int attribute, int device);
    int (*total_memory)(gsize *bytes, int device);
    int (*module_load)(void **module, const void *image, unsigned n_options, int *options,
                       void **values);
    int (*module_unload)(void *module);
    int (*module_function)(void **function, void *module, const char *name);
    /* Grid x, y, z; block x, y, z; bytes of dynamic local memory. */
    int (*launch)(void *function, unsigned, unsigned, unsigned, unsigned, unsigned, unsigned,
                  unsigned local_memory, void *stream, void **parameters, void **extra);
    int (*allocate)(PsAddress *address, gsize bytes);
    int (*discard)(PsAddress address);
    int (*write)(PsAddress to, const void *from, gsize bytes);
    int (*read)(void *to, PsAddress from, gsize bytes);
    int (*event_create)(void **event, unsigned flags);
    int (*event_destroy)(void *event);
    int (*event_record)(void *event, void *stream);
    int (*event_wait)(void *event);
    int (*event_time)(float *milliseconds, void *from, void *to);
} PsModuleApi;

typedef struct PsModuleDevice PsModuleDevice;

/* A figure that a device reports, and its place in its PsDeviceInfo, a gint64. */
typedef struct {
    gsize offset;
    int attribute;
    gboolean optional; /* older drivers do not know it: it is 0 then */
} PsModuleAttribute;

/* The differences between CUDA and HIP. Functions return an error's number, and in call (borrowed)
 * the name of the function that failed. */
typedef struct {
    const char *backend; /* "CUDA" */
    gboolean log;        /* its driver says why it does not load a module */
    const PsLibrarySymbol *functions;
    guint n_functions;
    const char *(*error_name)(const PsModuleDevice *module, int error); /* borrowed; NULL: none */
    int (*make_current)(PsModuleDevice *module, const char **call);
    /* Before a launch, so that it may have its local memory. */
    int (*allow)(PsModuleDevice *module, void *function, const PsBenchLaunch *launch,
                 const char **call);
} PsModuleKind;

struct PsModuleDevice {
    PsDriver driver;
    const PsModuleKind *kind;
    PsLibrary *library;
    PsModuleApi api;
    const PsCompiler *compiler; /* borrowed from the kind, like the next */
    const PsCubins *cubins;     /* the archive of kernels; NULL: the compiler makes them */
    char **options;             /* of the compiler */
    int id;                     /* the driver's handle of the device */
    void *begin, *end;          /* events */
};

/* FALSE and *error where result is not 0: "cuInit: CUDA_ERROR_NO_DEVICE (100)". Errors that mean a
 * lack of memory or resources are PS_ERROR_RESOURCES. */
gboolean ps_module_check(const PsModuleDevice *module, int result, const char *call,
                         GError **error);

/* The name of a function of PsModuleApi, by its offset. Borrowed. */
const char *ps_module_name(const PsModuleDevice *module, gsize offset);

/* Calls a function of the table and checks it. */
#define PS_MODULE_CALL(module, error, function, ...)                                               \
    ps_module_check(module, (module)->api.function(__VA_ARGS__),                                   \
                    ps_module_name(module, G_STRUCT_OFFSET(PsModuleApi, function)), error)

/* Fills in what a device has before its driver is asked: no clock is known. The device takes the
 * library; its class and kind are borrowed. */
void ps_module_init(PsModuleDevice *module, const PsDeviceClass *methods, const PsModuleKind *kind,
                    PsLibrary *library);

/* Fills the table, initialises the driver and takes device `number`. */
gboolean ps_module_start(PsModuleDevice *module, guint number, GError **error);

/* Fills in the figures that all devices of both have, and those in a table of attributes. */
gboolean ps_module_describe(PsModuleDevice *module, const PsModuleAttribute *attributes, guint n,
                            GError **error);

/* An attribute; fallback if the device does not report it. */
int ps_module_attribute(const PsModuleDevice *module, int attribute, int fallback);

/* The events; the device must be current. */
gboolean ps_module_start_events(PsModuleDevice *module, GError **error);

/* Frees everything but the kind's own parts and the device's memory. */
void ps_module_stop(PsModuleDevice *module);

/* The other calls of PsDeviceClass. */
PsBenchProgram *ps_module_compile(PsDevice *device, const PsBenchKernel *kernel, GError **error);
void ps_module_release(PsDevice *device, PsBenchProgram *program);
gboolean ps_module_run(PsDevice *device, PsBenchProgram *program, const PsBenchLaunch *launch,
                       PsBenchSample *sample, GError **error);
gboolean ps_module_check_device(PsDevice *device, GError **error);
char *ps_module_code(PsDevice *device, PsBenchProgram *program);
GBytes *ps_module_image(PsDevice *device, PsBenchProgram *program);

/* A compiled kernel. */
typedef struct {
    PsDriverProgram base;
    void *module, *function;
    char *code;    /* text, or NULL */
    GBytes *image; /* what was loaded */
} PsModuleProgram;

#endif

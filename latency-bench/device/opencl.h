/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * The common declarations of the OpenCL driver's files.
 */
#ifndef PIPESIM_LATENCY_BENCH_OPENCL_H
#define PIPESIM_LATENCY_BENCH_OPENCL_H

#include "latency-bench/device/driver.h"
#include "latency-bench/device/opencl-api.h"

typedef struct {
    PsDriver driver;
    PsLibrary *library;
    OpenclApi api;
    void *id; /* of the device */
    void *context, *queue;
    char *options; /* of the compiler; NULL: none */
} Opencl;

typedef struct {
    PsDriverProgram base;
    void *program, *kernel;
    gboolean takes_local; /* its last parameter is its dynamic local memory */
} OpenclProgram;

/* FALSE and *error where result is not 0: "clBuildProgram: CL_BUILD_PROGRAM_FAILURE (-11)". A lack
 * of memory or resources is PS_ERROR_RESOURCES. */
gboolean ps_opencl_check(int result, const char *call, GError **error);

/* Fills in the device's own description; the context must be there. */
gboolean ps_opencl_describe(Opencl *opencl, GError **error);

/* Compiles a source, and takes one function of it. Whatever it opened is in program, also after an
 * error. */
gboolean ps_opencl_build(Opencl *opencl, const char *source, const char *function,
                         OpenclProgram *program, GError **error);
void ps_opencl_discard_program(Opencl *opencl, OpenclProgram *program);

/* The text of the program's code, where the driver's code is a text (NVIDIA's is PTX); or NULL. */
char *ps_opencl_code(PsDevice *device, PsBenchProgram *program);

extern const PsDriverCalls ps_opencl_driver_calls;

#endif

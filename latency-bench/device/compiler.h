/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Compilers that are libraries: NVRTC and hipRTC, whose functions differ in their names alone.
 * nvrtc.c and hip.c have the names.
 *
 * The declarations are our own, after the documented interfaces (64-bit Linux). Every function
 * returns 0 for success.
 */
#ifndef PIPESIM_LATENCY_BENCH_COMPILER_H
#define PIPESIM_LATENCY_BENCH_COMPILER_H

#include "latency-bench/device/library.h"

typedef struct {
    int (*version)(int *major, int *minor); /* NVRTC's alone */
    int (*create)(void **program, const char *source, const char *name, int n_headers,
                  const char *const *headers, const char *const *header_names);
    int (*compile)(void *program, int n_options, const char *const *options);
    int (*destroy)(void **program);
    int (*log_size)(void *program, gsize *size);
    int (*log)(void *program, char *log);
    int (*code_size)(void *program, gsize *size); /* PTX, or HIP's object */
    int (*code)(void *program, char *code);
    const char *(*error_text)(int error);
    int (*machine_size)(void *program, gsize *size); /* CUBIN; NULL without, like the next */
    int (*machine)(void *program, char *code);
} PsCompilerApi;

typedef struct {
    const PsLibrarySymbol *functions; /* of PsCompilerApi */
    guint n_functions;
    const char *hint; /* its origin: half a sentence */
    gboolean text;    /* its code is a text, worth showing */
} PsCompilerKind;

typedef struct {
    const PsCompilerKind *kind;
    PsLibrary *library; /* NULL: not opened */
    PsCompilerApi api;
} PsCompiler;

/* Opens the first of the names that can be used. FALSE and *error (PS_ERROR_DEVICE) if none can. */
gboolean ps_compiler_open(PsCompiler *compiler, const PsCompilerKind *kind,
                          const char *const *names, GError **error);
void ps_compiler_close(PsCompiler *compiler);

/* FALSE and *error (PS_ERROR_DEVICE) if result is not 0; function is the offset in PsCompilerApi of
 * the function that returned it. */
gboolean ps_compiler_check(const PsCompiler *compiler, int result, gsize function, GError **error);

/* The loadable code of a kernel: machine code if the compiler makes it for these options (which end
 * in NULL), else its text, which the driver compiles further. *text gets a text to show, or stays
 * as it is (g_free; text may be NULL). NULL and *error (PS_ERROR_DEVICE: the compiler's
 * message). */
GBytes *ps_compiler_run(const PsCompiler *compiler, const char *name, const char *source,
                        const char *const *options, char **text, GError **error);

#endif

/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * The machine code of a kernel, compared with what the kernel measures: an iteration of the loop
 * must have as many instructions of each class as the graph beside the kernel, in one pipe, in as
 * many chains, which take turns. An assembler may undo what the compiler's text (PTX) promises.
 */
#ifndef PIPESIM_LATENCY_BENCH_CODE_H
#define PIPESIM_LATENCY_BENCH_CODE_H

#include "base/progress.h"
#include "latency-bench/kernel.h"

G_BEGIN_DECLS
#pragma GCC visibility push(default)

typedef struct PsCode PsCode; /* the instructions of a function */

/* Reads a function out of a compiler's output: a cubin of sm_75 to sm_121, or AMD's code object,
 * which LLVM's disassembler reads: `disassembler` is its path or name on PATH, NULL: there is none.
 * NULL and *error: PS_ERROR_SYNTAX if it is damaged or no such file, PS_ERROR_VALUE if it lacks the
 * function or is for a chip whose instructions are not known, PS_ERROR_USAGE if the disassembler is
 * lacking. */
PsCode *ps_code_read(GBytes *image, const char *function, const char *disassembler, GError **error);
void ps_code_free(PsCode *code); /* NULL is fine */

/* LLVM's disassembler, on PATH or in ROCm's folder. Free with g_free; NULL if there is none. */
char *ps_code_disassembler(void);

/* The name of a kernel's function: the kernel's with '_' for characters that C does not allow
 * (g_free). */
char *ps_code_function(const PsBenchKernel *kernel);

/* A class of the kernel's graph. */
typedef struct {
    const char *class_name; /* borrowed from the kernel */
    gint64 chains;          /* its nodes */
    gint64 steps;           /* how often a trip has each */
    gboolean chained;       /* each step of a chain waits for the one before it */
    gint64 found;           /* instructions of it in a trip of the machine code */
} PsCodeClass;

/* An instruction's name and how often a trip has it: "FFMA", "MUFU.RCP", "0x1ab" where it has no
 * name. */
typedef struct {
    char *name;
    gint64 n;
    gboolean counted; /* its class is one of these */
} PsCodeName;

typedef struct {
    GArray *classes; /* PsCodeClass: the classes that the measurement divides by */
    GArray *names;   /* PsCodeName: all of a trip, in the order in which they come first */
    char *problem;   /* why the code is not what the kernel measures, one sentence; NULL: it is */
} PsCodeReport;

/* kernel must outlive the report. */
PsCodeReport *ps_code_report(const PsBenchKernel *kernel, const PsCode *code);
void ps_code_report_free(PsCodeReport *report);

/* ---- machine code without a GPU ------------------------------------------------------------- */

typedef struct PsCodeCompilers PsCodeCompilers; /* NVRTC and clang, as far as they were needed */

PsCodeCompilers *ps_code_compilers_new(void);
void ps_code_compilers_free(PsCodeCompilers *compilers); /* NULL is fine */

/* Opens the compiler for an architecture: "sm_90" (NVRTC), "gfx90a" (clang). FALSE and *error:
 * PS_ERROR_USAGE if the text names none, PS_ERROR_DEVICE if there is no such compiler, or NVRTC
 * does not know the architecture. */
gboolean ps_code_compilers_open(PsCodeCompilers *compilers, const char *architecture,
                                GError **error);

/* "NVRTC 13.0 and clang 19.1.7": the opened compilers (g_free). */
char *ps_code_compilers_name(const PsCodeCompilers *compilers);

/* The backends whose kernels are compiled for an architecture: "CUDA", or "HIP" and "OpenCL". NULL
 * ends them; borrowed. */
const char *const *ps_code_backends(const char *architecture);

/* TRUE if there is such a kernel for a backend. */
gboolean ps_code_has(const PsBenchKernel *kernel, const char *backend, const char *architecture);

/* The machine code of a kernel for a backend that has it, one of an architecture whose compiler was
 * opened. OpenCL's built-in functions come from kernels/builtins-amd.h. NULL and *error
 * (PS_ERROR_DEVICE: the compiler's message). */
GBytes *ps_code_compile(const PsCodeCompilers *compilers, const PsBenchKernel *kernel,
                        const char *backend, const char *architecture, GError **error);

/* A page in Markdown (g_free): the machine code of the kernels with such names (a glob; NULL: all),
 * compiled for each architecture without a device, and its faults. prefix stands before options'
 * names, "--". NULL and *error if no compiler is there, no kernel has such a name, nothing can be
 * read, or the hearer (PS_PHASE_POINTS) ends it. */
char *ps_code_page(const char *const *architectures, const char *pattern, const char *prefix,
                   const PsHearer *hearer, GError **error);

G_DEFINE_AUTOPTR_CLEANUP_FUNC(PsCode, ps_code_free)
G_DEFINE_AUTOPTR_CLEANUP_FUNC(PsCodeCompilers, ps_code_compilers_free)
G_DEFINE_AUTOPTR_CLEANUP_FUNC(PsCodeReport, ps_code_report_free)

#pragma GCC visibility pop
G_END_DECLS
#endif

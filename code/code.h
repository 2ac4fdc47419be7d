/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * A kernel's code as its user has it, and how it is launched: PTX, CUDA or OpenCL source, a cubin,
 * a fat binary or a program becomes a graph, by the compilers that are installed, as pipesim does
 * it:
 *
 *     ps_kernel_code_new                          names the file
 *     ps_kernel_code_set, ..._set_buffer,
 *     ..._lend_buffer                             how it is compiled and launched
 *     ps_kernel_code_graph                        the graph for a GPU, for PsQuestion
 *     ps_question_set_code (answer/question.h)    lets advice try other shapes, and pragmas
 *
 * Several may be used at once, each in one thread. No state is global, and no signal is handled.
 * Compilers are run as processes. Nothing is printed: a compiler's messages are part of the error's
 * message, and ps_kernel_code_told has what a person should know.
 *
 * Since: 0.1.0
 */
#ifndef PIPESIM_CODE_CODE_H
#define PIPESIM_CODE_CODE_H

#include "base/progress.h"
#include "gpu/load.h"
#include "idg/load.h"

G_BEGIN_DECLS
#pragma GCC visibility push(default)

typedef struct PsKernelCode PsKernelCode; /* a file of code, and how it is launched */

/* TRUE if the name is that of a kernel's code: it ends in .ptx, .cu, .cl or .cubin, or a file of
 * that name begins as machine code does: fat binaries, programs. */
gboolean ps_kernel_code_is(const char *path);

/* The code in that file, which is not read yet. */
PsKernelCode *ps_kernel_code_new(const char *path);
void ps_kernel_code_free(PsKernelCode *code);

/* Sets an option by the name that `pipesim build` has for it, without dashes; the value is copied:
 *
 *     kernel                     NAME, where the file has several
 *     grid, threads, block       "64x64", "n/16xn/16": groups, threads of all groups, of a group
 *     arg                        "NAME=VALUE"; in place of the same NAME's, else one more
 *     sample                     groups that are executed: "X,Y;...", "all"
 *     shared                     bytes of dynamic shared memory: "16K"
 *     registers                  "N", "ptxas", "none"
 *     arch                       "sm_80", for the compiler; unless given, what suits the GPU
 *     from                       "ptx", "sass": what is executed; unless given, the better one
 *     compiler-options           words for the source's compiler, as a shell reads them
 *     define, include            "NAME=VALUE", a folder: -D and -I for it, each one more; a macro's
 *                                value stands for its name in grid, threads, block and arg, too
 *     nvdisasm                   the disassembler's path
 *     max-instructions, memory   limits: warp instructions of a group, bytes of buffers
 *     guess                      a switch: what the launch lacks is guessed, and told as such
 *     partial, no-cache, no-RULE switches: any value is on
 *
 * NULL takes the option back; of arg, define and include all. FALSE and *error (PS_ERROR_USAGE) for
 * an option that is not there, and a value that it cannot have: the option is as it was. */
gboolean ps_kernel_code_set(PsKernelCode *code, const char *option, const char *value,
                            GError **error);

/* Sets the content of the buffer that an argument points to: bytes in memory, which are copied, in
 * place of "NAME=@FILE". FALSE and *error (PS_ERROR_READ) if there is no room in the folder for
 * temporary files. */
gboolean ps_kernel_code_set_buffer(PsKernelCode *code, const char *argument, gconstpointer data,
                                   gsize size, GError **error);

/* The same without a copy: the bytes stay the caller's, and must stay there until the argument is
 * set again, or the code is freed. What the kernel writes goes into memory of its own, so the bytes
 * are never changed. read_only: they are there to be read; ps_kernel_code_graph then refuses a
 * kernel that writes them (PS_ERROR_VALUE). Nobody knows whether lent bytes are the same as before,
 * so graphs of them are not kept. A tensor map may stand behind the argument's name, all but its
 * buffer, which the bytes are then: "a=tensor:fp16:4096x4096:box=64x64". */
void ps_kernel_code_lend_buffer(PsKernelCode *code, const char *argument, gconstpointer data,
                                gsize size, gboolean read_only);

/* The names of the kernels that the file has, for people and for the option kernel (g_strfreev);
 * gpu may be NULL. NULL and *error as from ps_kernel_code_graph. */
char **ps_kernel_code_kernels(PsKernelCode *code, const PsGpu *gpu, PsHearer hearer,
                              GError **error);

/* The graph of the kernel, launched so, for that GPU (NULL: caches are not known). It is compiled,
 * executed and built, or found among kept graphs (PIPESIM_CACHE). The caller frees it
 * (ps_idg_free). The hearer hears of the progress, and may end the work (PS_ERROR_CANCELLED),
 * compilers too. NULL and *error: PS_ERROR_USAGE if the launch lacks something (the message lists
 * all of it), PS_ERROR_READ if a file cannot be read or no compiler is there or one fails,
 * PS_ERROR_SYNTAX and PS_ERROR_VALUE for faults of the code, PS_ERROR_LIMIT. */
PsIdg *ps_kernel_code_graph(PsKernelCode *code, const PsGpu *gpu, PsHearer hearer, GError **error);

/* Does ahead, for `n` codes together, the work of other programs for their graphs for that GPU:
 * sources are compiled, and the machine code of several is listed in one run of the disassembler,
 * which takes longer to start than to list. The results are kept, so ps_kernel_code_graph finds
 * them; it also reports failures of this work. Nothing is done for codes that keep nothing
 * (no-cache). The hearer is as for ps_kernel_code_graph. */
void ps_kernel_code_prepare(PsKernelCode *const *codes, guint n, const PsGpu *gpu, PsHearer hearer);

/* Messages about the last graph for a person (g_strfreev): which code was executed in place of
 * another, what was assumed. A warning begins with "warning: ". */
char **ps_kernel_code_told(const PsKernelCode *code);

G_DEFINE_AUTOPTR_CLEANUP_FUNC(PsKernelCode, ps_kernel_code_free)

#pragma GCC visibility pop
G_END_DECLS
#endif

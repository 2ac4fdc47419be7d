/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * A PTX module as its text states it: functions of instructions over typed virtual registers,
 * variables in state spaces, and the source lines that .loc gives. Names are resolved: a register
 * is a number, a label the index of an instruction. Instructions and directives that the reader
 * does not know (of a later PTX, say) stay as they are written, with a warning, so that the rest
 * remains useful.
 *
 * The PTX ISA (NVIDIA, "Parallel Thread Execution ISA") defines the language; versions up to 9.x.
 */
#ifndef PIPESIM_PTX_PTX_H
#define PIPESIM_PTX_PTX_H

#include "base/message.h"

G_BEGIN_DECLS
#pragma GCC visibility push(default)

/* State spaces. GENERIC: the instruction names none. */
typedef enum {
    PS_PTX_GENERIC,
    PS_PTX_GLOBAL,
    PS_PTX_SHARED,
    PS_PTX_LOCAL,
    PS_PTX_CONST,
    PS_PTX_PARAM,
    PS_PTX_REG,
    PS_PTX_N_SPACES
} PsPtxSpace;

/* Fundamental and packed types; the order is that of ps_ptx_type_name. Types that only special
 * instructions take (.e4m3x2, .texref, ...) are PS_PTX_OPAQUE. */
typedef enum {
    PS_PTX_NO_TYPE,
    PS_PTX_PRED,
    PS_PTX_B8,
    PS_PTX_B16,
    PS_PTX_B32,
    PS_PTX_B64,
    PS_PTX_B128,
    PS_PTX_U8,
    PS_PTX_U16,
    PS_PTX_U32,
    PS_PTX_U64,
    PS_PTX_S8,
    PS_PTX_S16,
    PS_PTX_S32,
    PS_PTX_S64,
    PS_PTX_F16,
    PS_PTX_F16X2,
    PS_PTX_BF16,
    PS_PTX_BF16X2,
    PS_PTX_TF32,
    PS_PTX_F32,
    PS_PTX_F64,
    PS_PTX_OPAQUE,
    PS_PTX_N_TYPES
} PsPtxType;

const char *ps_ptx_type_name(PsPtxType type); /* "u32"; "" for NO_TYPE, "?" for OPAQUE */
guint ps_ptx_type_size(PsPtxType type);       /* bytes; 0 for pred and types without a size */

/* A variable of a module or function, or a parameter. */
typedef struct {
    char *name;
    PsPtxSpace space;
    PsPtxType type; /* of an element */
    guint vector;   /* elements of a vector: 1, 2, 4, 8 */
    guint64 align;  /* bytes, a power of two */
    guint64 size; /* bytes of the whole variable; 0: extern, and the launch gives the size (dynamic
                     shared memory) */
    gboolean pointer;    /* a parameter with .ptr */
    gboolean to_shared;  /* ... .shared: a place in the launch's own shared memory */
    guint8 *init;        /* size bytes, or NULL for zeros */
    GArray *relocations; /* PsPtxRelocation, or NULL */
    int line;            /* in the PTX text */
} PsPtxVariable;

/* A kernel, or a function that kernels call. */
typedef struct {
    char *name;
    gboolean entry;       /* a kernel */
    gboolean body;        /* FALSE: only declared */
    GPtrArray *params;    /* PsPtxVariable, space PARAM */
    GPtrArray *returns;   /* the same */
    GArray *registers;    /* PsPtxRegister */
    GPtrArray *variables; /* PsPtxVariable: .shared, .local, .param, ... of the body */
    GArray *instructions; /* PsPtxInstruction */
    GHashTable *tables;   /* name of .branchtargets -> GArray of guint, indices of instructions */
    guint required[3];    /* .reqntid: all at least 1, or all 0 */
    guint most[3];        /* .maxntid, the same */
    guint cluster[3];     /* groups of a cluster: .reqnctapercluster, or 0 */
    guint most_registers; /* .maxnreg, registers of a thread; 0: it does not say */
    gboolean in_clusters; /* .blocksareclusters: a launch's grid counts clusters, not groups */
    int line;
} PsPtxFunction;

/* The state of a source when it was compiled. */
typedef struct {
    guint64 time; /* when it was written last, in seconds since 1970; 0: not known */
    guint64 size; /* bytes; 0: not known */
} PsPtxStamp;

/* A file of PTX, read. */
typedef struct {
    char *path; /* the file that it was read from, for messages */
    guint version_major, version_minor;
    char *target;         /* "sm_80" */
    gboolean debug;       /* .target has the word debug: assemblers do not optimise the module */
    guint address_size;   /* 32 or 64 */
    GPtrArray *variables; /* PsPtxVariable of the module */
    GPtrArray *functions; /* PsPtxFunction */
    GHashTable *files;    /* number -> name, from .file */
    GHashTable *stamps;   /* name of such a file (char *) -> PsPtxStamp *, if it is known */
    GArray *calls; /* PsPtxCallSite: places of inlined functions, by .loc; the first is none */
    GPtrArray *warnings; /* texts about unknown instructions and directives, each once */
    gboolean machine;    /* translated from machine code: instructions' lines are their addresses
                            there */
    guint64 system;      /* bytes of shared memory, the first ones, that the system makes zero */
    gpointer storage;    /* owns operands, mnemonics and names */
} PsPtxModule;

/* Reads a file ("-": standard input) or a text (name stands for the file in messages). NULL and
 * *error (PS_ERROR_READ, PS_ERROR_SYNTAX, PS_ERROR_VALUE, PS_ERROR_LIMIT) at the first thing that
 * is wrong, with the line and what was expected. Takes time and memory in proportion to the text.
 */
PsPtxModule *ps_ptx_load(const char *path, GError **error);
PsPtxModule *ps_ptx_parse(const char *text, gsize length, const char *name, GError **error);
void ps_ptx_free(PsPtxModule *module);

/* Puts blanks in the place of the word debug in the text's .target, so that assemblers optimise it,
 * and zeros where debug information has a name that they do not take; its lines stay. */
void ps_ptx_drop_debug(char *text);

/* TRUE if the module has a kernel. FALSE and *error (PS_ERROR_VALUE): it has only functions, or
 * nothing. */
gboolean ps_ptx_has_kernel(const PsPtxModule *module, GError **error);

/* Finds a kernel by its name: by the name in PTX; else by the one that people write (a::f<float,
 * 32>, where scopes, arguments of the template or of the kernel, and blanks may be left out); else
 * by a part of the name. Of these the first that fits exactly one kernel. name NULL: the only
 * kernel of the module. NULL and *error (PS_ERROR_VALUE), which lists the kernels that fit, or all.
 */
const PsPtxFunction *ps_ptx_kernel(const PsPtxModule *module, const char *name, GError **error);

/* The kernel's name for people, without scopes: f<float, 32> (g_free). */
char *ps_ptx_kernel_name(const PsPtxFunction *kernel);

/* For each of the module's functions such a name, with the scopes and arguments by which it differs
 * from the module's other kernels; "" for a function that is no kernel (g_strfreev). */
char **ps_ptx_kernel_names(const PsPtxModule *module);

/* The parameter's name in PTX for people: compilers repeat the kernel's mangled name in it, which
 * is reduced to the plain name: tr_param_0 for _Z2trPf_param_0 (g_free). */
char *ps_ptx_parameter_name(const PsPtxFunction *kernel, const PsPtxVariable *param);

G_DEFINE_AUTOPTR_CLEANUP_FUNC(PsPtxModule, ps_ptx_free)

#pragma GCC visibility pop
G_END_DECLS
#endif

/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * The kernels of a cubin (an ELF file of machine code for one of NVIDIA's architectures): their
 * instructions, registers, memory, places of parameters, and constants.
 */
#ifndef PIPESIM_SASS_IMAGE_H
#define PIPESIM_SASS_IMAGE_H

#include "base/message.h"

G_BEGIN_DECLS
#pragma GCC visibility push(default)

#define PS_SASS_BYTES 16 /* bytes of an instruction */
#define PS_SASS_OLDEST 70
#define PS_SASS_NEWEST 121
#define PS_SASS_FIRST_OF_CUDA_13 75 /* CUDA 12 compiles for those before, too */

typedef struct {
    guint offset, size; /* bytes, from the first parameter on */
} PsSassParam;

/* The initial bytes of the variable from the file; if `bytes` is NULL, zeros. */
typedef struct {
    const guint8 *bytes;
    gsize size;
} PsSassBytes;

/* A word of a constant bank, or of a variable in global memory, that holds the address of a
 * variable, or of a function. */
typedef struct {
    guint bank;           /* 0: it is in a variable, */
    guint in;             /* the number of that one */
    guint64 at;           /* offset in the bank or the variable */
    const char *function; /* one of the driver (vprintf), which is not in the file, or NULL */
    guint section;        /* one of the file: its section, or 0 */
    guint variable;
    guint64 added; /* bytes behind the variable's beginning */
} PsSassAddress;

/* A variable in global memory. */
typedef struct {
    const char *name;
    PsSassBytes init;
    guint64 size;
} PsSassVariable;

/* A variable in constant memory. */
typedef struct {
    const char *name;
    guint bank;
    guint64 at, size; /* in the bank */
} PsSassConstant;

/* its place in the table */
typedef struct {
    guint64 at;      /* offset of the branch */
    GArray *targets; /* guint64, offsets in the code */
} PsSassJump;

/* An address in a line table. */
typedef struct {
    guint64 at;    /* bytes NULL: there is none */
    guint kernel;  /* kernel's number in the image */
    guint64 value; /* offset in the kernel's code */
} PsSassStart;

/* Line tables: of the source, .debug_line; of the PTX, .nv_debug_line_sass. */
typedef enum { PS_SASS_OF_SOURCE, PS_SASS_OF_PTX, PS_SASS_N_TABLES } PsSassTableOf;

typedef struct {
    PsSassBytes bytes; /* NULL: there is none */
    GArray *starts;    /* PsSassStart */
} PsSassTable;

/* Half of a variable's address, which an instruction has as a number. */
typedef struct {
    guint variable;
    gboolean upper;
    guint64 added;
} PsSassHalf;

#define PS_SASS_BANKS 8

typedef struct {
    char *name;
    guint symbol;         /* its number among the file's symbols */
    guint section;        /* its number among the file's sections */
    PsSassBytes text;     /* a multiple of PS_SASS_BYTES */
    gboolean joined;      /* functions that were compiled apart stand behind its own code */
    gboolean is_function; /* no host launches it */
    gboolean own_banks;   /* groups of a cluster, in the same form */
    guint registers;
    guint64 frame;  /* bytes of each thread's stack */
    guint64 shared; /* bytes of a group's memory, those that the system reserves included */
    guint required[3], most[3];           /* threads of a group, as of PsPtxFunction */
    guint cluster[3];                     /* groups of a cluster, likewise */
    guint parameters_at, parameters_size; /* in bank 0 */
    GArray *params;                       /* PsSassParam, in order */
    PsSassBytes banks[PS_SASS_BANKS];     /* except bank 0, which the launch fills */
    GArray *jumps;                        /* PsSassJump */
    GHashTable *subroutines;              /* name -> offset in text + 1 */
    GHashTable *halves;                   /* offset in text -> PsSassHalf */
    GHashTable *apart;   /* offset in text -> name of a function that is not in text */
    GHashTable *reached; /* number of a function -> offset in text + 1, of those that a pointer may
                            lead to in joined code */
} PsSassKernel;

typedef struct {
    char *name;     /* Reads the file's bytes. NULL and *error: it is no cubin, or a damaged one
                       (PS_ERROR_SYNTAX); it is for another architecture, or not linked
                       (PS_ERROR_VALUE). The code itself is checked only when it is translated. */
    int capability; /* 80 of sm_80 */
    GPtrArray *kernels;
    GArray *variables; /* PsSassVariable */
    GArray *constants; /* PsSassConstant */
    GArray *addresses; /* PsSassAddress, of all kernels */
    PsSassTable tables[PS_SASS_N_TABLES];
    gpointer storage;
} PsSassImage;

/* Reads the file's bytes. NULL and *error: it is no cubin, or a damaged one (PS_ERROR_SYNTAX); it
 * is for another architecture, or not linked (PS_ERROR_VALUE). The code itself is checked only when
 * it is asked for. */
PsSassImage *ps_sass_image_new(GBytes *bytes, const char *name, GError **error);
void ps_sass_image_free(PsSassImage *image);

/* The file with one of its kernels alone, for a disassembler: the code, and what it refers to, with
 * symbols under the same numbers. */
GBytes *ps_sass_image_alone(const PsSassImage *image, const PsSassKernel *kernel);

/* Gives a variable a value, as cudaMemcpyToSymbol does: `size` bytes at its beginning, no more than
 * it has. FALSE: the program has no such variable, because the compiler dropped one that nothing
 * reads. */
gboolean ps_sass_image_set(PsSassImage *image, const char *name, const guint8 *bytes, gsize size);

/* The bytes at the beginning of a group's shared memory that the system keeps for itself, in code
 * from sm_90 on. */
guint64 ps_sass_system_bytes(const PsSassImage *image);

/* The number that code has in place of the address of a function that was compiled apart, which
 * stands in that section of the file. No offset in code is as large. */
guint32 ps_sass_function_number(guint section);

/* TRUE if the bytes begin as an ELF file for NVIDIA's GPUs does. */
gboolean ps_sass_is_image(const void *bytes, gsize size);

G_DEFINE_AUTOPTR_CLEANUP_FUNC(PsSassImage, ps_sass_image_free)

#pragma GCC visibility pop
G_END_DECLS
#endif

/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Instructions of any chip, as far as counting them and following their chains needs it. Internal
 * to the library.
 */
#ifndef PIPESIM_LATENCY_BENCH_INSTRUCTION_H
#define PIPESIM_LATENCY_BENCH_INSTRUCTION_H

#include "base/message.h"
#include "latency-bench/code.h"
#include "sass/listing.h"

/* Registers that can be followed have numbers below this. */
#define PS_CODE_REGISTERS 1024

/* How many groups of registers an instruction reads at most. */
#define PS_CODE_READS 4

/* A group of neighbouring registers; n 0: none. */
typedef struct {
    guint16 first, n;
} PsCodeRegisters;

typedef struct {
    gint64 at;        /* bytes from the function's start */
    const char *name; /* the code's own: equal names are one pointer */
    const char *pipe; /* of the CU, which serves it; NULL: not known */
    PsCodeRegisters writes, reads[PS_CODE_READS];
    gint64 target;    /* the target of a branch, as `at`; -1: it is no branch to a known place */
    gboolean guarded; /* it may do nothing, by a predicate */
    gboolean paired;  /* the next one is executed at the same time, and reads the values before
                         this one */
    PsSassControl control; /* NVIDIA's; of others zeros */
} PsInstruction;

struct PsCode {
    GArray *instructions; /* PsInstruction */
    GStringChunk *names;
};

/* Code without instructions. */
PsCode *ps_code_new(void);

/* NVIDIA's of a compute capability (75 to 121): 16 bytes each, size is a multiple of that. */
PsCode *ps_code_read_nvidia(const guint8 *bytes, gsize size, int capability);

/* AMD's, as llvm-objdump -d writes it. NULL and *error (PS_ERROR_VALUE) if the function is not
 * there, or nothing of it can be read. */
PsCode *ps_code_read_amd(const char *text, const char *function, GError **error);

/* A regular expression for the instructions that stand for a class of graphs in a code, PTX's or
 * the machine's; NULL where none do. Borrowed. */
const char *ps_code_pattern(const char *class_name);

/* Whether its instructions may be of several pipes. */
gboolean ps_code_is_mixed(const char *class_name);

/* The classes (PsCodeClass, found 0) of an iteration of the graph's first loop, or, if it has no
 * loop (*in_loop), of the whole graph; none without a graph. Free with g_array_unref. */
GArray *ps_code_ask(const PsBenchKernel *kernel, gboolean *in_loop);

/* The loop of a kernel: instructions from first to last, the branch back. FALSE if no loop has any
 * marked instruction (a byte for each instruction). */
gboolean ps_code_find_loop(const PsCode *code, const guint8 *marks, guint *first, guint *last);

/* The chains of the marked instructions of a stretch. */
typedef struct {
    gint64 n;        /* of them; without the loop's own, see below */
    gint64 depth;    /* of the longest chain */
    gint64 uneven;   /* steps of the chains at which not all of them are */
    gint64 ahead;    /* by how many steps a chain gets ahead of another */
    gint64 alone;    /* how many are waited for before another one comes */
    gint64 all;      /* instructions on the way of the chains, marked or not */
    gint64 at_once;  /* of these, how many wait for the one just before */
    gboolean writes; /* any of them writes a register, so that others could wait for it */
} PsCodeChains;

/* chained: leaves out marked instructions that neither wait for another nor are waited for: they
 * count a loop's trips or compute addresses. */
PsCodeChains ps_code_chains(const PsCode *code, const guint8 *marks, guint first, guint last,
                            gint64 chains, gboolean chained);

#endif

/* SPDX-License-Identifier: BSD-3-Clause */
/* Machine code by hand: NVIDIA's instructions, in an ELF file as its compilers make one. */
#ifndef PIPESIM_TESTS_MACHINE_H
#define PIPESIM_TESTS_MACHINE_H

#include "latency-bench/kernel.h"

/* Opcodes, with all operands in registers. */
enum {
    NV_BRA = 0x947,
    NV_FADD = 0x221,
    NV_FMUL = 0x220,
    NV_FFMA = 0x223,
    NV_HADD2 = 0x230,
    NV_HFMA2_MMA = 0x235,
    NV_IADD3 = 0x210,
    NV_IMAD = 0x224,
    NV_IMAD_WIDE = 0x225,
    NV_I2F = 0x306,
    NV_I2FP = 0x245,
    NV_MUFU = 0x308,
    NV_LDG = 0x981,
    NV_LDS = 0x984,
    NV_STS = 0x388,
    NV_BAR = 0xb1d,
    NV_UNKNOWN = 0x2ff,
    NV_NONE = 255 /* no register */
};

typedef struct {
    int capability; /* 80 */
    GArray *words;  /* guint64, two for each instruction */
} Machine;

Machine machine_new(int capability);
void machine_clear(Machine *machine);

/* writes = opcode(a, b, c), in registers. */
void machine_add(Machine *machine, guint opcode, guint writes, guint a, guint b, guint c);

/* An access of that width (bits 73-75 of the instruction: 4 is 32 bits, 5 is 64, 6 is 128). */
void machine_access(Machine *machine, guint opcode, guint writes, guint address, guint width);

/* VOTE.ANY of a predicate, to a predicate; F2F to double precision, or from it; REDUX to a register
 * of all threads, and the move back. */
void machine_vote(Machine *machine, guint writes, guint of);
void machine_double(Machine *machine, guint writes, guint of, gboolean to_double);
void machine_reduce(Machine *machine, guint writes, guint of);
void machine_from_all(Machine *machine, guint writes, guint of);

/* MUFU.RCP. */
void machine_reciprocal(Machine *machine, guint writes, guint of);

/* The place of the next instruction, and a branch to such a place. */
gint64 machine_here(const Machine *machine);
void machine_branch(Machine *machine, gint64 to);

/* What makes a file another one than compilers make. */
typedef struct {
    const char *section;            /* NULL: ".text.kernel" */
    int machine;                    /* 0: EM_CUDA */
    gboolean first_version, narrow; /* of the format; 32 bits */
    gsize more;                     /* bytes after the last instruction */
} MachineFile;

/* Caller frees. */
GBytes *machine_file(const Machine *machine, const MachineFile *file);

/* A kernel of the name "kernel" whose graph has that many nodes of a class, each so often in a
 * trip, which wait for themselves (chained). Free with ps_bench_kernel_free. */
PsBenchKernel *machine_kernel(const char *class_name, int chains, int steps, gboolean chained);

G_DEFINE_AUTO_CLEANUP_CLEAR_FUNC(Machine, machine_clear)

#endif

/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * NVIDIA's instructions from sm_75 to sm_121: 128 bits each. The low nine bits are the operation,
 * the next three where its operands come from (registers, a constant, the instruction itself, or
 * what all threads share), so that an operation has several opcodes. NVIDIA does not publish them:
 * the table is what NVRTC 13 makes of this project's kernels.
 *
 *     bits 12-15  predicate, 7: none; 15 turns it round
 *     bits 16-23  register that is written, 255: none
 *     bits 24-31, 32-39, 64-71  registers that are read
 *     bits 81-83, 87-89  predicates that are written and read, where `operations` says so
 */
#include "latency-bench/code/instruction.h"

#include <string.h>

#define BYTES 16

/* Operands that are registers. */
enum {
    WRITES = 1,
    A = 2,          /* bits 24-31 */
    B = 4,          /* bits 32-39; 64-71 if the other one is a constant */
    C = 8,          /* bits 64-71; a constant there takes the bits of B */
    DATA = 16,      /* bits 32-39 in any form: stored data */
    WIDE = 32,      /* writes two registers */
    QUAD = 64,      /* four */
    SIZED = 128,    /* bits 73-75 are the width of an access */
    FUNCTION = 256, /* bits 74-77 name a special function */
    DEPTH = 512,    /* bits 75 and 78 are the depth of a product */
    DECIDES = 1024, /* writes a predicate, where it writes no register */
    ASKS = 2048,    /* reads a predicate */
    GATHERS = 4096, /* writes a uniform register */
    FORMAT = 8192   /* bits 75-76 are 3 where it writes two registers */
};
#define AB (WRITES | A | B)
#define ABC (WRITES | A | B | C)

typedef struct {
    guint16 operation;
    const char *name, *pipe;
    guint16 has;
    guint8 from, to; /* compute capabilities; 0: all */
} Operation;

static const Operation operations[] = {
    {0x002, "MOV", "alu", WRITES | B, 0, 0},
    {0x005, "CS2R", "alu", WRITES | WIDE, 0, 0},
    {0x006, "VOTE", "alu", WRITES | DECIDES | ASKS, 0, 0},
    {0x007, "SEL", "alu", AB, 0, 0},
    {0x008, "FSEL", "alu", AB, 0, 0},
    {0x009, "FMNMX", "alu", AB, 0, 0},
    {0x00b, "FSETP", "alu", A | B, 0, 0},
    {0x00c, "ISETP", "alu", A | B | DECIDES, 0, 0},
    {0x010, "IADD3", "alu", ABC, 0, 0},
    {0x011, "LEA", "alu", ABC, 0, 0},
    {0x012, "LOP3", "alu", ABC, 0, 0},
    {0x017, "IMNMX", "alu", AB, 0, 0},
    {0x019, "SHF", "alu", ABC, 0, 0},
    {0x01c, "PLOP3", "alu", 0, 0, 0},
    {0x020, "FMUL", "fma", AB, 0, 0},
    {0x021, "FADD", "fma", AB, 0, 0},
    {0x023, "FFMA", "fma", ABC, 0, 0},
    {0x024, "IMAD", "fma", ABC, 0, 0},
    {0x025, "IMAD.WIDE", "fma", ABC | WIDE, 0, 0},
    {0x027, "IMAD.HI", "fma", ABC, 0, 0},
    {0x028, "DMUL", "fp64", AB | WIDE, 0, 0},
    {0x029, "DADD", "fp64", WRITES | A | C | WIDE, 0, 0},
    {0x02a, "DSETP", "fp64", A | C, 0, 0},
    {0x02b, "DFMA", "fp64", ABC | WIDE, 0, 0},
    {0x030, "HADD2", "fp16", AB, 0, 0},
    /* Since sm_100 the assembler spreads additions over HADD2 and HFMA2, as it did over HFMA2.MMA.
     */
    {0x031, "HFMA2", "fp16", ABC, 75, 90},
    {0x031, "HFMA2", "fma", ABC, 100, 121},
    {0x032, "HMUL2", "fp16", AB, 0, 0},
    {0x035, "HFMA2.MMA", "fp16.mma", ABC, 75, 90},
    {0x035, "IADD", "alu", AB | WIDE, 100, 121},
    {0x036, "VIADD", "alu", AB, 0, 0},
    {0x037, "IMMA", "tensor", ABC | QUAD, 0, 0},
    {0x03c, "HMMA", "tensor", ABC | QUAD | DEPTH, 0, 0},
    {0x03f, "DMMA", "tensor", ABC | QUAD, 0, 0},
    {0x03e, "F2FP", "alu", AB, 0, 0},
    {0x045, "I2FP", "alu", WRITES | B, 0, 0},
    {0x048, "VIMNMX", "alu", AB, 0, 0},
    {0x05a, "UI2F", "uniform", 0, 0, 0},
    {0x082, "UMOV", "uniform", 0, 0, 0},
    {0x087, "USEL", "uniform", 0, 0, 0},
    {0x08c, "UISETP", "uniform", 0, 0, 0},
    {0x090, "UIADD3", "uniform", 0, 0, 0},
    {0x091, "ULEA", "uniform", 0, 0, 0},
    {0x092, "ULOP3", "uniform", 0, 0, 0},
    {0x099, "USHF", "uniform", 0, 0, 0},
    {0x0a4, "UIMAD", "uniform", 0, 0, 0},
    {0x0a5, "UIMAD.WIDE", "uniform", 0, 0, 0},
    {0x0b9, "ULDC", "uniform", 0, 0, 0},
    {0x0cc, "CREDUX", "alu", GATHERS | A, 0, 0},
    {0x102, "FCHK", "xu", 0, 0, 0},
    {0x104, "F2F", "xu", WRITES | B, 0, 0},
    {0x105, "F2I", "xu", WRITES | B, 0, 0},
    {0x106, "I2F", "xu", WRITES | B, 0, 0},
    {0x108, "MUFU", "xu", WRITES | B | FUNCTION, 0, 0},
    {0x110, "F2F.64", "xu", WRITES | B | FORMAT, 0, 0},
    {0x111, "F2I.64", "xu", WRITES | B | WIDE, 0, 0},
    {0x112, "I2F.64", "xu", WRITES | B | WIDE, 0, 0},
    {0x118, "NOP", NULL, 0, 0, 0},
    {0x119, "S2R", NULL, WRITES, 0, 0},
    {0x11d, "BAR", NULL, 0, 0, 0},
    {0x141, "BSYNC", NULL, 0, 0, 0},
    {0x144, "CALL", NULL, 0, 0, 0},
    {0x145, "BSSY", NULL, 0, 0, 0},
    {0x147, "BRA", NULL, 0, 0, 0},
    {0x14d, "EXIT", NULL, 0, 0, 0},
    {0x150, "RET", NULL, 0, 0, 0},
    {0x155, "BMOV", NULL, 0, 0, 0},
    {0x180, "LD", "lsu", WRITES | A | SIZED, 0, 0},
    {0x181, "LDG", "lsu", WRITES | A | SIZED, 0, 0},
    {0x182, "LDC", "constant", WRITES | A | SIZED, 0, 0},
    {0x183, "LDL", "lsu", WRITES | A | SIZED, 0, 0},
    {0x184, "LDS", "lsu", WRITES | A | SIZED, 0, 0},
    {0x185, "ST", "lsu", A | DATA | SIZED, 0, 0},
    {0x186, "STG", "lsu", A | DATA | SIZED, 0, 0},
    {0x187, "STL", "lsu", A | DATA | SIZED, 0, 0},
    {0x188, "STS", "lsu", A | DATA | SIZED, 0, 0},
    {0x189, "SHFL", "lsu", WRITES | A, 0, 0},
    {0x18c, "ATOMS", "lsu", WRITES | A | DATA, 0, 0},
    {0x18d, "ATOMS.CAS", "lsu", WRITES | A | DATA | C, 0, 0},
    {0x18e, "RED", "lsu", A | DATA, 0, 0},
    {0x1a8, "ATOMG", "lsu", WRITES | A | DATA, 0, 0},
    {0x1ac, "LDCU", "uniform", 0, 0, 0},
    {0x1c2, "R2UR", NULL, 0, 0, 0},
    {0x1c3, "S2UR", NULL, 0, 0, 0},
    {0x1c4, "REDUX", "adu", GATHERS | A, 0, 0},
};

#define BRANCH 0x147
#define LAST_OF_OLD_BRANCHES 89 /* the first capability with the newer form of branches is 90 */

/* An unknown instruction may be arithmetic. */
static const Operation unknown = {0, NULL, NULL, ABC, 0, 0};

static guint64 bits(const guint64 *word, guint from, guint n)
{
    const guint64 value = from >= 64  ? word[1] >> (from - 64)
                          : from == 0 ? word[0]
                                      : word[0] >> from | word[1] << (64 - from);
    return value & ((G_GUINT64_CONSTANT(1) << n) - 1);
}

static const Operation *find(guint operation, int capability)
{
    for (guint i = 0; i < G_N_ELEMENTS(operations); i++) {
        const Operation *row = &operations[i];
        if (row->operation == operation &&
            (!row->from || (capability >= row->from && capability <= row->to)))
            return row;
    }
    return &unknown;
}

/* ---- names --------------------------------------------------------------------------------- */

static const char *const FUNCTIONS[] = {"COS", "SIN",    "EX2",    "LG2",  "RCP",
                                        "RSQ", "RCP64H", "RSQ64H", "SQRT", "TANH"};
static const char *const WIDTHS[] = {".U8", ".S8", ".U16", ".S16", "", ".64", ".128", ""};

static const char *name_of(PsCode *code, const Operation *operation, const guint64 *word)
{
    g_autofree char *name = NULL;
    if (!operation->name)
        name = g_strdup_printf("0x%03x", (guint)bits(word, 0, 12));
    else if (operation->has & SIZED)
        name = g_strconcat(operation->name, WIDTHS[bits(word, 73, 3)], NULL);
    else if (operation->has & FUNCTION && bits(word, 74, 4) < G_N_ELEMENTS(FUNCTIONS))
        name = g_strconcat(operation->name, ".", FUNCTIONS[bits(word, 74, 4)], NULL);
    else if (operation->has & DEPTH)
        name = g_strconcat(operation->name,
                           bits(word, 75, 1)   ? ".16816"
                           : bits(word, 78, 1) ? ".1684"
                                               : ".1688",
                           NULL);
    return g_string_chunk_insert_const(code->names, name ? name : operation->name);
}

/* ---- operands ------------------------------------------------------------------------------ */

static guint16 width_of(const Operation *operation, const guint64 *word)
{
    const guint64 width = operation->has & SIZED ? bits(word, 73, 3) : 0;
    const gboolean is_double = operation->has & FORMAT && bits(word, 75, 2) == 3;
    if (operation->has & QUAD || width == 6)
        return 4;
    return operation->has & WIDE || width == 5 || is_double ? 2 : 1;
}

static PsCodeRegisters registers(const guint64 *word, guint from, guint16 n)
{
    enum { NONE = 255 };
    const guint16 first = (guint16)bits(word, from, 8);
    return (PsCodeRegisters){first, first == NONE ? 0 : n};
}

/* Predicates and uniform registers are numbered behind those of threads. */
enum { PREDICATES = 256, SHARED = 512, TRUE_PREDICATE = 7 };

static PsCodeRegisters predicate(const guint64 *word, guint from)
{
    const guint16 number = (guint16)bits(word, from, 3);
    return (PsCodeRegisters){(guint16)(PREDICATES + number), number != TRUE_PREDICATE};
}

static PsCodeRegisters shared(const guint64 *word, guint from)
{
    return (PsCodeRegisters){(guint16)(SHARED + bits(word, from, 8)), 1};
}

/* Adds operands that are no registers of threads. */
static void add_others(const Operation *operation, const guint64 *word, guint form,
                       PsInstruction *to)
{
    enum { SECOND_SHARED = 6, THIRD_SHARED };
    if (operation->has & GATHERS)
        to->writes = shared(word, 16);
    if (operation->has & DECIDES && to->writes.n == 0)
        to->writes = predicate(word, 81);
    if (operation->has & ASKS)
        to->reads[3] = predicate(word, 87);
    if ((operation->has & B && form == SECOND_SHARED) ||
        (operation->has & C && form == THIRD_SHARED))
        to->reads[1] = shared(word, 32);
}

static void add_operands(const Operation *operation, const guint64 *word, PsInstruction *to)
{
    /* Forms: all operands in registers; the third not, in two ways; the second not, in three; the
     * third in a uniform register. */
    enum { REGISTERS = 1, THIRD_IMMEDIATE, THIRD_CONSTANT, THIRD_SHARED = 7 };
    const guint form = (guint)bits(word, 9, 3);
    const gboolean no_third =
        form == THIRD_IMMEDIATE || form == THIRD_CONSTANT || form == THIRD_SHARED;
    if (operation->has & WRITES)
        to->writes = registers(word, 16, width_of(operation, word));
    if (operation->has & A)
        to->reads[0] = registers(word, 24, 1);
    if (operation->has & DATA || (operation->has & B && form == REGISTERS))
        to->reads[1] = registers(word, 32, 1);
    if (operation->has & C && (!no_third || operation->has & B))
        to->reads[2] = registers(word, 64, 1);
    add_others(operation, word, form, to);
}

/* Distance in words of 4 bytes, from behind the branch: bits 34 to 81, and since sm_90 bits 16 to
 * 23 below them. */
static gint64 target_of(const guint64 *word, gint64 at, int capability)
{
    const guint64 high = bits(word, 34, 30) | bits(word, 64, 18) << 30;
    const gint64 offset = (gint64)(high << 16) >> 16;
    const gint64 words =
        capability > LAST_OF_OLD_BRANCHES ? offset * 256 + (gint64)bits(word, 16, 8) : offset;
    return at + BYTES + words * 4;
}

PsCode *ps_code_read_nvidia(const guint8 *bytes, gsize size, int capability)
{
    PsCode *code = ps_code_new();
    for (gsize at = 0; at + BYTES <= size; at += BYTES) {
        guint64 word[2];
        memcpy(word, bytes + at, BYTES);
        word[0] = GUINT64_FROM_LE(word[0]);
        word[1] = GUINT64_FROM_LE(word[1]);
        const Operation *operation = find((guint)bits(word, 0, 9), capability);
        PsInstruction one = {.at = (gint64)at,
                             .name = name_of(code, operation, word),
                             .pipe = operation->pipe,
                             .target = -1,
                             .control = ps_sass_control(word),
                             .guarded = (bits(word, 12, 4) & 7) != 7};
        add_operands(operation, word, &one);
        if (operation->operation == BRANCH)
            one.target = target_of(word, one.at, capability);
        g_array_append_val(code->instructions, one);
    }
    return code;
}

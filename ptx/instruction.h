/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * The instructions of a module's functions with their operands, and the initial values of its
 * variables, which the executor needs.
 */
#ifndef PIPESIM_PTX_INSTRUCTION_H
#define PIPESIM_PTX_INSTRUCTION_H

#include "ptx/ptx.h"

G_BEGIN_DECLS

const char *ps_ptx_space_name(PsPtxSpace space); /* "global"; "generic" */

/* Read-only registers; components are separate. */
typedef enum {
    PS_PTX_TID_X,
    PS_PTX_TID_Y,
    PS_PTX_TID_Z,
    PS_PTX_NTID_X,
    PS_PTX_NTID_Y,
    PS_PTX_NTID_Z,
    PS_PTX_CTAID_X,
    PS_PTX_CTAID_Y,
    PS_PTX_CTAID_Z,
    PS_PTX_NCTAID_X,
    PS_PTX_NCTAID_Y,
    PS_PTX_NCTAID_Z,
    PS_PTX_LANEID,
    PS_PTX_WARPID,
    PS_PTX_NWARPID,
    PS_PTX_SMID,
    PS_PTX_NSMID,
    PS_PTX_GRIDID,
    PS_PTX_LANEMASK_EQ,
    PS_PTX_LANEMASK_LE,
    PS_PTX_LANEMASK_LT,
    PS_PTX_LANEMASK_GE,
    PS_PTX_LANEMASK_GT,
    PS_PTX_CLOCK,
    PS_PTX_CLOCK_HI,
    PS_PTX_CLOCK64,
    PS_PTX_GLOBALTIMER,
    PS_PTX_DYNAMIC_SMEM_SIZE,
    PS_PTX_TOTAL_SMEM_SIZE,
    PS_PTX_CLUSTERID_X,
    PS_PTX_CLUSTERID_Y,
    PS_PTX_CLUSTERID_Z,
    PS_PTX_NCLUSTERID_X,
    PS_PTX_NCLUSTERID_Y,
    PS_PTX_NCLUSTERID_Z,
    PS_PTX_CLUSTER_CTAID_X,
    PS_PTX_CLUSTER_CTAID_Y,
    PS_PTX_CLUSTER_CTAID_Z,
    PS_PTX_CLUSTER_NCTAID_X,
    PS_PTX_CLUSTER_NCTAID_Y,
    PS_PTX_CLUSTER_NCTAID_Z,
    PS_PTX_CLUSTER_CTARANK,
    PS_PTX_CLUSTER_NCTARANK,
    PS_PTX_IS_EXPLICIT_CLUSTER,
    PS_PTX_ENVREG1,       /* the address of a cooperative grid's workspace, upper half ... */
    PS_PTX_ENVREG2,       /* ... and lower one */
    PS_PTX_OTHER_SPECIAL, /* performance counters, ...: read as 0 */
    PS_PTX_N_SPECIALS
} PsPtxSpecial;

const char *ps_ptx_special_name(PsPtxSpecial special); /* "%tid.x" */

/* Part of a variable's initial value that is an address: `at` bytes in, the address of `of`, plus
 * `offset`, as a number of `size` bytes. */
typedef struct {
    gsize at;
    guint size;
    const PsPtxVariable *of;       /* or NULL, and */
    const PsPtxFunction *function; /* a function's address */
    gint64 offset;
    gboolean generic; /* generic(x): the address in the generic space */
    guint shift;      /* the address's bytes from this one on, the lowest being 0; mostly 0 */
} PsPtxRelocation;

typedef enum {
    PS_PTX_OPERAND_REGISTER,  /* reg */
    PS_PTX_OPERAND_IMMEDIATE, /* value, as `literal` says */
    PS_PTX_OPERAND_SPECIAL,   /* value is a PsPtxSpecial */
    PS_PTX_OPERAND_VARIABLE,  /* the address of variable, plus value */
    PS_PTX_OPERAND_ADDRESS,   /* [reg+value], [variable+value] or [value] */
    PS_PTX_OPERAND_VECTOR,    /* {a, b, ...}: members */
    PS_PTX_OPERAND_LIST,      /* (a, b, ...) of a call, or [a, {b, c}] of tensors: members */
    PS_PTX_OPERAND_LABEL,     /* value is the index of the instruction that it stands before;
                                 their number where it ends the function */
    PS_PTX_OPERAND_FUNCTION,  /* function */
    PS_PTX_OPERAND_SINK,      /* _ */
    PS_PTX_OPERAND_OTHER      /* another name (a texture, a .callprototype) */
} PsPtxOperandKind;

typedef enum {
    PS_PTX_INTEGER, /* value is a 64-bit integer */
    PS_PTX_SINGLE,  /* the low 32 bits of value are an IEEE single (0f...) */
    PS_PTX_DOUBLE   /* value holds the bits of an IEEE double (0d..., or 1.5) */
} PsPtxLiteral;

typedef struct PsPtxOperand PsPtxOperand;
struct PsPtxOperand {
    guint8 kind;    /* PsPtxOperandKind */
    guint8 negated; /* !%p; -%r if an instruction allows it */
    guint8 literal; /* PsPtxLiteral; of a LIST: 0 for ( ), 1 for [ ] */
    guint8 n_members;
    gint32 reg; /* a register of the function, or -1: an address without one */
    gint64 value;
    union {
        const PsPtxVariable *variable; /* NULL: an address without one */
        const PsPtxFunction *function;
        PsPtxOperand *members;
        const char *name; /* OTHER (of a .branchtargets: its key in `tables`), SPECIAL */
    };
};

/* Everything before the operands, such as ld.global.nc.v4.f32; shared by all instructions of a
 * module that are spelt alike. */
typedef struct {
    const char *text;         /* the whole text, interned */
    const char *opcode;       /* first part, interned: "ld" */
    const char *const *parts; /* the others in order, interned, NULL at the end */
    PsPtxSpace space;         /* the first state space among its parts */
    PsPtxType types[4];       /* in the order that they are written; NO_TYPE after the last */
    guint n_types;
    guint vector;   /* .v2, .v4, .v8; else 1 */
    gboolean known; /* FALSE: the PTX ISA that this reader knows has no such opcode, or none with
                       these parts */
} PsPtxMnemonic;

/* TRUE if one of the parts after the opcode is this one: ps_ptx_has(m, "rn"). */
gboolean ps_ptx_has(const PsPtxMnemonic *mnemonic, const char *part);

typedef struct {
    const PsPtxMnemonic *mnemonic;
    PsPtxOperand *operands; /* the destination first, as written; p|q counts as two */
    guint8 n_operands;
    guint8 pair;            /* 1: the first two operands were written p|q */
    gint32 guard;           /* register of @%p, or -1 */
    gboolean guard_negated; /* @!%p */
    guint16 file;           /* of .loc: a key of the module's files; 0: none */
    guint8 rolled;          /* a loop that begins with it stays as it is (.pragma "nounroll") */
    guint8 near; /* it has no line of its own: file and line are those of what stands before it */
    int source_line; /* of .loc, 0: none */
    guint call;      /* of the module's: the call by which its function was inlined; 0: none */
    int line;        /* in the PTX text */
} PsPtxInstruction;

typedef struct {
    char *name; /* "%r12" */
    PsPtxType type;
} PsPtxRegister;

/* How many of the operands, from the first one on, the instruction writes: 0, 1, or 2 of a pair
 * p|q. */
guint ps_ptx_n_destinations(const PsPtxInstruction *instruction);

/* TRUE for an instruction that only orders asynchronous products of matrices, or waits for them. */
gboolean ps_ptx_orders_products(const PsPtxMnemonic *mnemonic);

/* Gives a variable of the module another initial value, of at most as many bytes as it has; zeros
 * follow. The bytes are copied. */
void ps_ptx_variable_set(PsPtxModule *module, PsPtxVariable *variable, const guint8 *bytes,
                         gsize size);
/* Replaces the bytes from offset on; the others keep their values. */
void ps_ptx_variable_put(PsPtxModule *module, PsPtxVariable *variable, guint64 offset,
                         const guint8 *bytes, gsize size);

/* The name of a function or variable in the source, without C++'s mangling: "tr" for _Z2trPf,
 * "tile" for _ZZ2trPfE4tile. Free with g_free. */
char *ps_ptx_plain_name(const char *name);

/* A call by which a function was inlined. */
typedef struct {
    guint16 file;
    int line;
    guint call; /* of the module's, always an earlier one: the call by which the function around it
                   was inlined; 0: none */
} PsPtxCallSite;

/* A place in the source; file is borrowed, and NULL if there is none. */
typedef struct {
    const char *file;
    int line;
} PsPtxPlace;

/* The instruction's place in that file (as .file has it, or NULL): its own, or that of the
 * innermost call in the file by which it was inlined; if none is in the file, the outermost. */
PsPtxPlace ps_ptx_place_in(const PsPtxModule *module, const PsPtxInstruction *instruction,
                           const char *file);

/* File of an instruction's .loc, as .file has it; NULL if there is none. Borrowed. */
const char *ps_ptx_file(const PsPtxModule *module, const PsPtxInstruction *instruction);

/* An instruction as PTX, on one line, without the semicolon. Free with g_free. */
char *ps_ptx_spell(const PsPtxFunction *function, const PsPtxInstruction *instruction);

G_END_DECLS
#endif

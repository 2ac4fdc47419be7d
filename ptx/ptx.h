/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * A PTX module as its text states it: functions of instructions over typed virtual registers,
 * variables in state spaces, and the source lines that .loc gives. Names are resolved: a register
 * is a number, a label the index of an instruction. What the reader does not know (an instruction
 * of a later PTX, say) stays as it is written and gets a warning, so that the rest remains useful.
 *
 * The PTX ISA (NVIDIA, "Parallel Thread Execution ISA") defines the language; versions up to 9.x.
 */
#ifndef PIPESIM_PTX_PTX_H
#define PIPESIM_PTX_PTX_H

#include "base/error.h"

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

const char *ps_ptx_type_name(PsPtxType type);    /* "u32"; "" for NO_TYPE, "?" for OPAQUE */
guint ps_ptx_type_size(PsPtxType type);          /* bytes; 0 for pred and what has none */
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
    PS_PTX_OTHER_SPECIAL, /* clusters, performance counters, ...: read as 0 */
    PS_PTX_N_SPECIALS
} PsPtxSpecial;

const char *ps_ptx_special_name(PsPtxSpecial special); /* "%tid.x" */

/* Part of a variable's initial value that is an address: `at` bytes in, the address of `of`, plus
 * `offset`, as a number of `size` bytes. */
typedef struct PsPtxVariable PsPtxVariable;
typedef struct PsPtxFunction PsPtxFunction;
typedef struct {
    gsize at;
    guint size;
    const PsPtxVariable *of;       /* or NULL, and */
    const PsPtxFunction *function; /* a function's address */
    gint64 offset;
    gboolean generic; /* generic(x): the address in the generic space */
    guint shift;      /* the address's bytes from this one on, the lowest being 0; mostly 0 */
} PsPtxRelocation;

/* A variable of a module or function, or a parameter. */
struct PsPtxVariable {
    char *name;
    PsPtxSpace space;
    PsPtxType type;      /* of an element */
    guint vector;        /* elements of a vector: 1, 2, 4, 8 */
    guint64 align;       /* bytes, a power of two */
    guint64 size;        /* bytes of all of it; 0: extern, sized by the launch (dynamic shared) */
    gboolean pointer;    /* a parameter with .ptr */
    guint8 *init;        /* size bytes, or NULL for zeros */
    GArray *relocations; /* PsPtxRelocation, or NULL */
    int line;            /* in the PTX text */
};

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
    PS_PTX_OPERAND_OTHER      /* a name that is none of these (a texture, a .callprototype) */
} PsPtxOperandKind;

typedef enum {
    PS_PTX_INTEGER, /* value is a 64-bit integer */
    PS_PTX_SINGLE,  /* the low 32 bits of value are an IEEE single (0f...) */
    PS_PTX_DOUBLE   /* value holds the bits of an IEEE double (0d..., or 1.5) */
} PsPtxLiteral;

typedef struct PsPtxOperand PsPtxOperand;
struct PsPtxOperand {
    guint8 kind;    /* PsPtxOperandKind */
    guint8 negated; /* !%p; -%r where an instruction allows it */
    guint8 literal; /* PsPtxLiteral; of a LIST: 0 where ( ), 1 where [ ] are around it */
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

/* What stands before the operands, such as ld.global.nc.v4.f32; one for all instructions of a
 * module that are spelt alike. */
typedef struct {
    const char *text;         /* whole, interned */
    const char *opcode;       /* first part, interned: "ld" */
    const char *const *parts; /* the others in order, interned, NULL at the end */
    PsPtxSpace space;         /* of the first part that names one */
    PsPtxType types[4];       /* in the order that they are written; NO_TYPE after the last */
    guint n_types;
    guint vector;   /* .v2, .v4, .v8; else 1 */
    gboolean known; /* the opcode is one of the PTX ISA's that this reader knows */
} PsPtxMnemonic;

/* TRUE if one of the parts after the opcode is this one: ps_ptx_has(m, "rn"). */
gboolean ps_ptx_has(const PsPtxMnemonic *mnemonic, const char *part);

typedef struct {
    const PsPtxMnemonic *mnemonic;
    PsPtxOperand *operands; /* destination first, as written; p|q are two */
    guint8 n_operands;
    guint8 pair;            /* 1: the first two operands were written p|q */
    gint32 guard;           /* register of @%p, or -1 */
    gboolean guard_negated; /* @!%p */
    guint16 file;           /* of .loc: a key of the module's files; 0: none */
    int source_line;        /* of .loc, 0: none */
    int line;               /* in the PTX text */
} PsPtxInstruction;

typedef struct {
    char *name; /* "%r12" */
    PsPtxType type;
} PsPtxRegister;

struct PsPtxFunction {
    char *name;
    gboolean entry;       /* a kernel */
    gboolean body;        /* FALSE: only declared */
    GPtrArray *params;    /* PsPtxVariable, space PARAM */
    GPtrArray *returns;   /* the same */
    GArray *registers;    /* PsPtxRegister */
    GPtrArray *variables; /* PsPtxVariable: .shared, .local, .param, ... of the body */
    GArray *instructions; /* PsPtxInstruction */
    GHashTable *tables;   /* name of .branchtargets -> GArray of guint, indices of instructions */
    guint required[3];    /* .reqntid, or 0 */
    guint most[3];        /* .maxntid, or 0 */
    int line;
};

typedef struct {
    char *path; /* where it was read from, for messages */
    guint version_major, version_minor;
    char *target;         /* "sm_80" */
    guint address_size;   /* 32 or 64 */
    GPtrArray *variables; /* PsPtxVariable of the module */
    GPtrArray *functions; /* PsPtxFunction */
    GHashTable *files;    /* number -> name, from .file */
    GPtrArray *warnings;  /* texts: unknown instructions and directives, each once */
    gpointer storage;     /* what owns operands, mnemonics and names */
} PsPtxModule;

/* Reads a file ("-": standard input) or a text (name stands for the file in messages). NULL and
 * *error (PS_ERROR_READ, PS_ERROR_SYNTAX, PS_ERROR_VALUE, PS_ERROR_LIMIT) at the first thing that
 * is wrong, with the line and what was expected. Takes time and memory in proportion to the text.
 */
PsPtxModule *ps_ptx_load(const char *path, GError **error);
PsPtxModule *ps_ptx_parse(const char *text, gsize length, const char *name, GError **error);
void ps_ptx_free(PsPtxModule *module);

/* Gives a variable of the module another initial value, of at most as many bytes as it has; zeros
 * follow. The bytes are copied. */
void ps_ptx_variable_set(PsPtxModule *module, PsPtxVariable *variable, const guint8 *bytes,
                         gsize size);

/* FALSE and *error (PS_ERROR_VALUE) where the module has functions at most. */
gboolean ps_ptx_has_kernel(const PsPtxModule *module, GError **error);

/* The kernel of that name: as PTX has it, else as people write it (a::f<float, 32>, of which they
 * may leave out scopes, arguments of the template or of the kernel, and blanks), else one of which
 * it is a part, if only one fits so well; name NULL: the only kernel. NULL and *error
 * (PS_ERROR_VALUE) that lists those that fit, or all. */
const PsPtxFunction *ps_ptx_kernel(const PsPtxModule *module, const char *name, GError **error);

/* For people: the kernel's name without scopes, f<float, 32> (g_free). */
char *ps_ptx_kernel_name(const PsPtxFunction *kernel);

/* For each of the module's functions such a name, with as many scopes and arguments as tell it from
 * the module's other kernels; "" for what is no kernel (g_strfreev). */
char **ps_ptx_kernel_names(const PsPtxModule *module);

/* For people: the parameter's name in PTX, in which compilers repeat the kernel's, without what C++
 * made of that: tr_param_0 for _Z2trPf_param_0 (g_free). */
char *ps_ptx_parameter_name(const PsPtxFunction *kernel, const PsPtxVariable *param);

/* The name of a function or variable without what C++ made of it: "tr" for _Z2trPf, "tile" for
 * _ZZ2trPfE4tile. Free with g_free. */
char *ps_ptx_plain_name(const char *name);

/* File of an instruction's .loc, as .file has it; NULL where there is none. Borrowed. */
const char *ps_ptx_file(const PsPtxModule *module, const PsPtxInstruction *instruction);

/* An instruction as PTX, on one line, without the semicolon. Free with g_free. */
char *ps_ptx_spell(const PsPtxFunction *function, const PsPtxInstruction *instruction);

G_DEFINE_AUTOPTR_CLEANUP_FUNC(PsPtxModule, ps_ptx_free)

#pragma GCC visibility pop
G_END_DECLS
#endif

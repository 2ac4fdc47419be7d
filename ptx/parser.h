/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * What the PTX reader's lexer, grammar and actions share. One pass over the text: names are
 * interned, and each knows what it stands for in the innermost scope, so that a look-up costs the
 * same whatever the module's size. Only labels wait, for the end of the scope that may hold them.
 */
#ifndef PIPESIM_PTX_PARSER_H
#define PIPESIM_PTX_PARSER_H

#include "ptx/arena.h"
#include "ptx/instruction.h"

/* Limits, each far above what compilers make. */
#define PS_PTX_MAX_BYTES ((gsize)512 * 1024 * 1024)
#define PS_PTX_MAX_DEPTH 200                          /* of { } in each other */
#define PS_PTX_MAX_NAME 65535                         /* bytes */
#define PS_PTX_MAX_REGISTERS (1 << 24)                /* of a function */
#define PS_PTX_MAX_INITIAL ((gsize)256 * 1024 * 1024) /* bytes of all initial values */
#define PS_PTX_MAX_OPERANDS 255                       /* of an instruction, a vector or a list */

typedef enum {
    PS_PTX_BOUND_REGISTER,
    PS_PTX_BOUND_TUPLE, /* a vector register: `count` registers from `index` on */
    PS_PTX_BOUND_VARIABLE,
    PS_PTX_BOUND_FUNCTION,
    PS_PTX_BOUND_LABEL,
    PS_PTX_BOUND_OTHER /* a .callprototype, .branchtargets or .calltargets */
} PsPtxBound;

typedef struct PsPtxName PsPtxName;
typedef struct PsPtxBinding PsPtxBinding;

/* What a name stands for from its declaration to the end of the scope. */
struct PsPtxBinding {
    PsPtxBound bound;
    guint depth;
    guint count;
    gint32 index; /* of a register or an instruction */
    PsPtxType type;
    gboolean series; /* of a series such as %r<33>, of which it is the stem */
    PsPtxVariable *variable;
    PsPtxFunction *function;
    const char *table; /* what the operands that mean it are called */
    PsPtxName *name;
    PsPtxBinding *outer; /* what the name stands for outside */
    PsPtxBinding *next;  /* in the same scope */
};

struct PsPtxName {
    PsPtxBinding *binding;   /* or NULL */
    PsPtxBinding *series;    /* of which it is the stem, or NULL */
    PsPtxMnemonic *mnemonic; /* made when an instruction is first called so */
    guint length;
    char text[];
};

/* The name whose text an operand holds. */
#define PS_PTX_NAME_OF(chars) ((PsPtxName *)(gpointer)((chars)-offsetof(PsPtxName, text)))

typedef struct {
    PsPtxBinding *bindings;
    guint waiting; /* the first operand of parser->waiting that is its own */
    guint series;  /* depth of the innermost scope with a series, this one included; 0: none */
} PsPtxScope;

/* The forms of PS_PTX_OPERAND_LIST; ptx.h's `literal`. */
enum { PS_PTX_ROUND, PS_PTX_SQUARE, PS_PTX_PAIR };

/* An operand or constant expression in the making. */
typedef struct {
    PsPtxOperand operand;
    gboolean is_unsigned; /* an integer */
    gboolean sum;         /* register + offset, good only in brackets */
    gboolean generic;     /* generic(x) */
    guint8 shift;         /* of a masked address, in bytes */
    guint8 masked;        /* bytes that the mask leaves, 0: no mask */
} PsPtxValue;

/* What a declaration has said before its names. */
typedef struct {
    PsPtxSpace space;
    PsPtxType type;
    guint vector;
    guint64 align;
    gboolean pointer;
    gboolean external;
} PsPtxDeclared;

/* A variable's initial value in the making. */
typedef struct {
    PsPtxVariable *variable;
    GArray *dims;      /* guint64, outermost first; 0: as many as there are values */
    GByteArray *bytes; /* of which the last may be missing; they are 0 */
    GArray *open;      /* guint64: where each open brace began */
    guint64 at;
    gboolean nonzero;
} PsPtxInitial;

/* A .branchtargets, whose labels may come after it. */
typedef struct {
    const char *name;
    PsPtxOperand *targets;
    guint n;
} PsPtxTargets;

typedef struct {
    gpointer scanner;
    PsPtxModule *module;
    PsPtxArena *arena;     /* the module's */
    PsPtxArena *temporary; /* the reader's */
    GHashTable *names;     /* text -> PsPtxName */
    GHashTable *warned;    /* texts that a warning was about */
    GHashTable *aliases;   /* PsPtxFunction -> PsPtxFunction that it is another name of; or NULL */
    GError *error;

    int line;          /* where the lexer is */
    const char *token; /* in the text; its length and its line */
    gsize token_length;
    int token_line;
    int started;   /* the line in which what is unfinished at the end began */
    guint skipped; /* braces open in what an unknown directive has */

    GArray *scopes;          /* PsPtxScope; the first is the module's */
    PsPtxBinding *unused;    /* bindings to use again */
    GPtrArray *waiting;      /* PsPtxOperand that name labels, or nothing yet */
    GArray *waiting_lines;   /* int: where each of them stands; negative: nobody minds */
    GArray *tables;          /* PsPtxTargets of the function */
    PsPtxFunction *function; /* whose header or body it is, or NULL */
    gboolean loose;          /* it is not the module's, but is to be freed */
    gboolean prototype;      /* in a .callprototype */
    GPtrArray *params;       /* where parameters go */
    PsPtxDeclared declared;
    PsPtxInitial initial;
    gsize initial_bytes; /* of the whole module */

    GArray *values;  /* PsPtxValue: members of what is open */
    GArray *words;   /* PsPtxName *: of a list of names */
    GArray *numbers; /* guint64 */
    gint32 guard;
    gboolean guard_negated;
    int instruction_line;
    int target_line; /* of the last .target */
    guint16 file;    /* of the last .loc */
    int source_line;
} PsPtxParser;

/* complain.c: sets parser->error, unless it is set; the next token then ends the parse. */
void ps_ptx_complain(PsPtxParser *parser, PsErrorCode code, int line, const char *format, ...)
    G_GNUC_PRINTF(4, 5);
/* Adds "FILE:LINE: text" to the warnings, unless one about `about` is there. */
void ps_ptx_warn(PsPtxParser *parser, int line, const char *about, const char *format, ...)
    G_GNUC_PRINTF(4, 5);

/* lex.l: words of a text, which ends in two zeros that length does not count, and is changed. */
void ps_ptx_scan_begin(PsPtxParser *parser, char *text, gsize length);
void ps_ptx_scan_end(PsPtxParser *parser);
/* Passes over what follows an unknown directive, with a warning. */
void ps_ptx_skip(PsPtxParser *parser, const PsPtxName *directive);

/* symbol.c */
PsPtxName *ps_ptx_intern(PsPtxParser *parser, const char *text, gsize length);
void ps_ptx_scope_open(PsPtxParser *parser);
void ps_ptx_scope_close(PsPtxParser *parser);
/* Binds the name in the innermost scope; NULL, and an error, if it is bound there already. */
PsPtxBinding *ps_ptx_bind(PsPtxParser *parser, PsPtxName *name, PsPtxBound bound);
/* The same among the module's names. */
PsPtxBinding *ps_ptx_bind_outside(PsPtxParser *parser, PsPtxName *name, PsPtxBound bound);
void ps_ptx_bind_series(PsPtxParser *parser, PsPtxName *stem, PsPtxType type, guint64 count);
/* What the name stands for, a register of a series included; NULL: nothing. */
const PsPtxBinding *ps_ptx_look_up(PsPtxParser *parser, PsPtxName *name);
gint32 ps_ptx_add_register(PsPtxParser *parser, char *name, PsPtxType type);

/* version.c: warn of what the module says that it is for, where that is newer than what is known.
 */
void ps_ptx_check_version(PsPtxParser *parser);
void ps_ptx_check_target(PsPtxParser *parser);

/* special.c: NULL for what is no special register; %tid is a vector. */
gboolean ps_ptx_special(PsPtxParser *parser, PsPtxName *name, PsPtxValue *value);

/* type.c: NO_TYPE for what is no type. */
PsPtxType ps_ptx_type_find(const char *text);

/* opcode.c */
gboolean ps_ptx_opcode_known(const char *opcode);
const PsPtxMnemonic *ps_ptx_mnemonic(PsPtxParser *parser, PsPtxName *name);

/* value.c: operands and constant expressions. Lists take the members from `first` on. */
PsPtxValue ps_ptx_value_name(PsPtxParser *parser, PsPtxName *name);
PsPtxValue ps_ptx_value_index(PsPtxParser *parser, PsPtxName *name, PsPtxValue index);
PsPtxValue ps_ptx_value_list(PsPtxParser *parser, guint first, int form);
PsPtxValue ps_ptx_value_vector(PsPtxParser *parser, guint first);
/* (a) as a; what else the value is stays. */
PsPtxValue ps_ptx_value_unwrap(PsPtxValue value);
PsPtxValue ps_ptx_value_unary(PsPtxParser *parser, int op, PsPtxValue a);
PsPtxValue ps_ptx_value_binary(PsPtxParser *parser, int op, PsPtxValue a, PsPtxValue b);
PsPtxValue ps_ptx_value_choose(PsPtxParser *parser, PsPtxValue which, PsPtxValue a, PsPtxValue b);
PsPtxValue ps_ptx_value_cast(PsPtxParser *parser, PsPtxType type, PsPtxValue a);
PsPtxValue ps_ptx_value_masked(PsPtxParser *parser, PsPtxValue mask, PsPtxValue a);
guint ps_ptx_value_push(PsPtxParser *parser, PsPtxValue value);
/* The value of an expression that must be an integer that is not negative. */
guint64 ps_ptx_value_count(PsPtxParser *parser, PsPtxValue value);

/* instruction.c */
void ps_ptx_guard(PsPtxParser *parser, PsPtxName *name, gboolean negated);
void ps_ptx_instruction(PsPtxParser *parser, PsPtxName *opcode, guint first);
void ps_ptx_label(PsPtxParser *parser, PsPtxName *name);
void ps_ptx_table(PsPtxParser *parser, PsPtxName *name, guint first_word);
void ps_ptx_other(PsPtxParser *parser, PsPtxName *name);

/* label.c: what the function's last scope did not resolve is an error; its tables are made. */
void ps_ptx_labels_end(PsPtxParser *parser);
/* Labels that the scope about to close holds. */
void ps_ptx_labels_resolve(PsPtxParser *parser);

/* declare.c */
void ps_ptx_declare_begin(PsPtxParser *parser, PsPtxSpace space);
void ps_ptx_declare_align(PsPtxParser *parser, guint64 align);
void ps_ptx_declare_register(PsPtxParser *parser, PsPtxName *name);
void ps_ptx_declare_series(PsPtxParser *parser, PsPtxName *stem, guint64 count);
void ps_ptx_declare_param(PsPtxParser *parser, PsPtxName *name);
void ps_ptx_declare_variable(PsPtxParser *parser, PsPtxName *name);
/* [elements]; 0: [] */
void ps_ptx_declare_dim(PsPtxParser *parser, guint64 elements);
void ps_ptx_variable_free(gpointer variable);

/* initial.c */
void ps_ptx_initial_open(PsPtxParser *parser);
void ps_ptx_initial_close(PsPtxParser *parser);
void ps_ptx_initial_value(PsPtxParser *parser, PsPtxValue value);
void ps_ptx_initial_end(PsPtxParser *parser);

/* function.c */
void ps_ptx_function_begin(PsPtxParser *parser, gboolean entry);
void ps_ptx_function_name(PsPtxParser *parser, PsPtxName *name);
void ps_ptx_function_end(PsPtxParser *parser);
void ps_ptx_function_body(PsPtxParser *parser);
void ps_ptx_function_threads(PsPtxParser *parser, guint *threads, guint first);
void ps_ptx_function_free(gpointer function);
void ps_ptx_alias(PsPtxParser *parser, PsPtxName *name, PsPtxName *of);
void ps_ptx_aliases_resolve(PsPtxParser *parser);

#endif

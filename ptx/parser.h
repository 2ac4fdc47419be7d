/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * What the PTX reader's lexer, grammar and actions share. One pass over the text: names are
 * interned, and each has its meaning in the innermost scope, so that a look-up costs the same
 * whatever the module's size. Only labels wait for the end of the scope that may hold them.
 */
#ifndef PIPESIM_PTX_PARSER_H
#define PIPESIM_PTX_PARSER_H

#include "ptx/arena.h"
#include "ptx/instruction.h"

/* Limits, all of them far above what compilers make. */
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

/* The meaning of a name from its declaration to the end of the scope. */
struct PsPtxBinding {
    PsPtxBound bound;
    guint depth;
    guint count;
    gint32 index; /* of a register or an instruction */
    PsPtxType type;
    gboolean series; /* it is a series such as %r<33>, and the name is its stem, %r */
    PsPtxVariable *variable;
    PsPtxFunction *function;
    const char *table; /* of a table: the name by which operands refer to it */
    PsPtxName *name;
    PsPtxBinding *outer; /* what the name means outside of this scope */
    PsPtxBinding *next;  /* the next binding of the same scope */
};

struct PsPtxName {
    PsPtxBinding *binding;   /* or NULL */
    PsPtxBinding *series;    /* the series whose stem the name is, or NULL */
    PsPtxMnemonic *mnemonic; /* made when an instruction is first called so */
    guint length;
    char text[];
};

/* The name that an operand's text belongs to. */
#define PS_PTX_NAME_OF(chars) ((PsPtxName *)(gpointer)((chars)-offsetof(PsPtxName, text)))

typedef struct {
    PsPtxBinding *bindings;
    guint waiting; /* index of the first operand in parser->waiting that is in this scope */
    guint series;  /* depth of the innermost scope with a series, this one included; 0: none */
} PsPtxScope;

/* What encloses a PS_PTX_OPERAND_LIST: ( ), [ ], or nothing, as in p|q; the operand's `literal`. */
enum { PS_PTX_ROUND, PS_PTX_SQUARE, PS_PTX_PAIR };

/* An operand or a constant expression, as far as it has been read. */
typedef struct {
    PsPtxOperand operand;
    gboolean is_unsigned; /* an integer */
    gboolean sum;         /* register + offset, which only an address in brackets may be */
    gboolean generic;     /* generic(x) */
    guint8 shift;         /* of one byte of an address: which byte */
    guint8 masked;        /* of an address with a mask: bytes that the mask leaves; 0: no mask */
} PsPtxValue;

/* The part of a declaration before its names. */
typedef struct {
    PsPtxSpace space;
    PsPtxType type;
    guint vector;
    guint64 align;
    gboolean pointer, to_shared;
    gboolean external;
} PsPtxDeclared;

/* A variable's initial value, as far as it has been read. */
typedef struct {
    PsPtxVariable *variable;
    GArray *dims; /* guint64, outermost dimension first; 0 for [], which has as many elements as
                     there are values */
    GByteArray *bytes; /* bytes at the end that are missing are 0 */
    GArray *open;      /* guint64: the place of each open brace */
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
    GHashTable *warned;    /* subjects of warnings, so that each has one */
    GHashTable *aliases;   /* PsPtxFunction -> the PsPtxFunction that it is an alias of; or NULL */
    GError *error;

    int line;          /* the lexer's line */
    const char *token; /* the present token: its place in the text, its length and line */
    gsize token_length;
    int token_line;
    int started;   /* line of the begin of a comment, string or section without an end */
    guint skipped; /* open braces of an unknown directive that is passed over */

    GArray *scopes;          /* PsPtxScope; the first is the module's */
    PsPtxBinding *unused;    /* bindings whose memory can be used again */
    GPtrArray *waiting;      /* PsPtxOperand that name labels, or names not known yet */
    GArray *waiting_lines;   /* int: the line of each; negative: no error if it stays unknown */
    GArray *tables;          /* PsPtxTargets of the function */
    PsPtxFunction *function; /* the function whose header or body is being read, or NULL */
    gboolean loose;          /* the function is not in the module, so the reader frees it */
    gboolean prototype;      /* in a .callprototype */
    GPtrArray *params;       /* the list that parameters are added to */
    PsPtxDeclared declared;
    PsPtxInitial initial;
    gsize initial_bytes; /* of the whole module */

    GArray *values;  /* PsPtxValue: the members of open lists, vectors and operands */
    GArray *words;   /* PsPtxName *: the members of a list of names */
    GArray *numbers; /* guint64 */
    gint32 guard;
    gboolean guard_negated;
    gboolean rolled_module, rolled_function, rolled_next; /* .pragma "nounroll" is for all loops of
                                                            these, or for one that begins here */
    int instruction_line;
    int version_line; /* of .version */
    int target_line;  /* of the last .target */
    guint16 file;     /* of the last .loc that has a line */
    int source_line;
    gboolean near;         /* the last .loc has none */
    guint call;            /* that its function was inlined at, of the module's; 0: none */
    guint caller;          /* the caller's, of the .loc that is being read */
    GHashTable *locations; /* PsPtxLocation, as itself: those of the function */
} PsPtxParser;

/* place.c: sets the place by a .loc: its file, line and column. Before it comes the call at which
 * its function was inlined, where it has one. A function begins without a place. */
void ps_ptx_loc(PsPtxParser *parser, const guint64 place[3]);
void ps_ptx_loc_inlined(PsPtxParser *parser, const guint64 place[3]);
void ps_ptx_loc_begin(PsPtxParser *parser);
GHashTable *ps_ptx_locations_new(void);

/* complain.c: sets parser->error, unless there is an error already; the lexer then ends the parse.
 */
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
/* Binds the name in the module's scope. */
PsPtxBinding *ps_ptx_bind_outside(PsPtxParser *parser, PsPtxName *name, PsPtxBound bound);
void ps_ptx_bind_series(PsPtxParser *parser, PsPtxName *stem, PsPtxType type, guint64 count);
/* The binding of a name, which may be a register of a series; NULL: the name is not known. */
const PsPtxBinding *ps_ptx_look_up(PsPtxParser *parser, PsPtxName *name);
gint32 ps_ptx_add_register(PsPtxParser *parser, char *name, PsPtxType type);

/* version.c: warns of a version or a target of the module that is newer than those that this reader
 * knows. */
void ps_ptx_check_version(PsPtxParser *parser);
void ps_ptx_tell_newer(PsPtxParser *parser); /* that a newer version may be the reason for
                                                something unknown */
void ps_ptx_check_target(PsPtxParser *parser);

/* special.c: FALSE if the name is no special register; %tid is a vector. */
gboolean ps_ptx_special(PsPtxParser *parser, PsPtxName *name, PsPtxValue *value);

/* type.c: NO_TYPE if the text is no type. */
PsPtxType ps_ptx_type_find(const char *text);

/* opcode.c */
gboolean ps_ptx_opcode_known(const char *opcode);
const PsPtxMnemonic *ps_ptx_mnemonic(PsPtxParser *parser, PsPtxName *name);

/* value.c: operands and constant expressions. Functions with `first` take the members from that
 * index of parser->values on. */
PsPtxValue ps_ptx_value_name(PsPtxParser *parser, PsPtxName *name);
PsPtxValue ps_ptx_value_index(PsPtxParser *parser, PsPtxName *name, PsPtxValue index);
PsPtxValue ps_ptx_value_list(PsPtxParser *parser, guint first, int form);
PsPtxValue ps_ptx_value_vector(PsPtxParser *parser, guint first);
/* (a): the value without its brackets. */
PsPtxValue ps_ptx_value_unwrap(PsPtxValue value);
PsPtxValue ps_ptx_value_unary(PsPtxParser *parser, int op, PsPtxValue a);
PsPtxValue ps_ptx_value_binary(PsPtxParser *parser, int op, PsPtxValue a, PsPtxValue b);
PsPtxValue ps_ptx_value_choose(PsPtxParser *parser, PsPtxValue which, PsPtxValue a, PsPtxValue b);
PsPtxValue ps_ptx_value_cast(PsPtxParser *parser, PsPtxType type, PsPtxValue a);
PsPtxValue ps_ptx_value_masked(PsPtxParser *parser, PsPtxValue mask, PsPtxValue a);
guint ps_ptx_value_push(PsPtxParser *parser, PsPtxValue value);
/* The value of an expression that must be an integer of at least 0. */
guint64 ps_ptx_value_count(PsPtxParser *parser, PsPtxValue value);

/* instruction.c */
void ps_ptx_guard(PsPtxParser *parser, PsPtxName *name, gboolean negated);
void ps_ptx_instruction(PsPtxParser *parser, PsPtxName *opcode, guint first);
void ps_ptx_label(PsPtxParser *parser, PsPtxName *name);
/* A text of .pragma, without its quotes. */
void ps_ptx_pragma(PsPtxParser *parser, const char *text, gsize length);
void ps_ptx_table(PsPtxParser *parser, PsPtxName *name, guint first_word);
void ps_ptx_other(PsPtxParser *parser, PsPtxName *name);

/* label.c: ends the function's body. A name that is still not known is an error; tables get their
 * labels. */
void ps_ptx_labels_end(PsPtxParser *parser);
/* Sets the operands that name labels of the scope that is about to end. */
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
void ps_ptx_function_cluster(PsPtxParser *parser, guint first);
void ps_ptx_function_registers(PsPtxParser *parser, guint first);
void ps_ptx_function_free(gpointer function);
void ps_ptx_alias(PsPtxParser *parser, PsPtxName *name, PsPtxName *of);
void ps_ptx_aliases_resolve(PsPtxParser *parser);

#endif

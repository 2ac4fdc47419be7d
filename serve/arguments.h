/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * The arguments of a tool: JSON becomes the texts that the library's options take, and a table of
 * all arguments becomes the schema that a client sees.
 */
#ifndef PIPESIM_SERVE_ARGUMENTS_H
#define PIPESIM_SERVE_ARGUMENTS_H

#include "base/error.h"

G_BEGIN_DECLS

/* The groups of arguments that a tool may take. */
typedef enum {
    PS_TAKES_KERNEL = 1 << 0,   /* a kernel and its launch */
    PS_TAKES_QUESTION = 1 << 1, /* what is asked of a simulation */
    PS_TAKES_MEASURED = 1 << 2, /* a measured time */
    PS_TAKES_CHANGES = 1 << 3,  /* whether changes are tried */
    PS_TAKES_BUDGET = 1 << 9,   /* how long that may take */
    PS_TAKES_VARY = 1 << 4,     /* values that a sweep varies */
    PS_TAKES_SIDES = 1 << 5,    /* what is A's and B's own */
    PS_TAKES_FIND = 1 << 6,     /* a part of GPUs' names */
    PS_TAKES_DETAIL = 1 << 7,   /* how much is told, in sentences, too */
    PS_TAKES_MORE = 1 << 8,     /* how much is told */
    PS_TAKES_GATE = 1 << 10     /* two files of kernels, and how much worse these may be */
} PsArgumentGroup;

typedef enum {
    PS_ARGUMENT_TEXT,   /* or a number */
    PS_ARGUMENT_FILE,   /* below the server's folder, or a name that comes with pipesim */
    PS_ARGUMENT_GPU,    /* likewise */
    PS_ARGUMENT_FOLDER, /* one, or several */
    PS_ARGUMENT_SHAPE,  /* a number, a text, or numbers of x, y and z */
    PS_ARGUMENT_VALUES, /* of a kernel's arguments: in order, or by their names */
    PS_ARGUMENT_PAIRS,  /* values by their names */
    PS_ARGUMENT_WORD,   /* one of some words */
    PS_ARGUMENT_FLAG,
    PS_ARGUMENT_OBJECT, /* arguments of their own */
    PS_ARGUMENT_LISTS   /* values of other arguments, a list for each */
} PsArgumentType;

/* A row of the table of arguments. */
typedef struct {
    const char *name;
    PsArgumentType type;
    PsArgumentGroup group;
    const char *meaning; /* for the schema */
    const char *words;   /* of a word: blanks between them */
} PsArgumentRow;

/* A given argument: the text that the library's option takes ("NAME=VALUE" for values and pairs).
 * An argument that is given several times has several of these. */
typedef struct {
    const PsArgumentRow *row;
    char *text;
} PsGiven;

/* Values that an argument takes one after the other. */
typedef struct {
    const PsArgumentRow *row;
    GPtrArray *values; /* PsArguments, each with that argument alone */
    GPtrArray *shown;  /* char *: the same as JSON, or as a plain text */
} PsArgumentAxis;

typedef struct PsArguments {
    GPtrArray *given;             /* PsGiven */
    GPtrArray *axes;              /* PsArgumentAxis */
    struct PsArguments *sides[2]; /* A's and B's own; NULL: none */
} PsArguments;

/* The arguments of a tool with these groups, from a JSON object; NULL is an empty one
 * (ps_arguments_free). Paths are checked (below.h). NULL and *error (PS_ERROR_USAGE, _SYNTAX,
 * _VALUE, _READ) if an argument is unknown, of a wrong type, or not allowed. */
PsArguments *ps_arguments_read(const char *json, guint groups, GError **error);
void ps_arguments_free(PsArguments *arguments);

/* The arguments of base, replaced by own's where both have one. Values and pairs are replaced by
 * name. */
PsArguments *ps_arguments_over(const PsArguments *base, const PsArguments *own);

/* The text of an argument, the last one; NULL where it was not given. Borrowed. */
const char *ps_arguments_text(const PsArguments *arguments, const char *name);

/* The table, ended by a row without a name. */
extern const PsArgumentRow ps_argument_rows[];

/* The schema of the arguments of these groups, as JSON (g_free). required: names with blanks
 * between them. */
char *ps_arguments_schema(guint groups, const char *required);

G_DEFINE_AUTOPTR_CLEANUP_FUNC(PsArguments, ps_arguments_free)

G_END_DECLS
#endif

/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * The arguments that a kernel is launched with: what --arg says, for each of the parameters that
 * its PTX has. A parameter is called by its name in the source, where that was found, by its name
 * in the PTX, by its number from 0, or not at all: then values go to the parameters in their order.
 */
#ifndef PIPESIM_CLI_BUILD_ARGUMENTS_H
#define PIPESIM_CLI_BUILD_ARGUMENTS_H

#include "cli/build/module.h"

typedef struct {
    guint n;
    PsPtxArgument *values; /* one for each parameter; their names are those of `names` */
    char **names;          /* what each is called */
    GPtrArray *lacking;    /* char *: those of the common texts that are for none of them */
    PsScope *scope;        /* the numbers among them, by their names */
} Arguments;

/* From the options' arguments and common ones. NULL and *error for values that are missing (lists
 * all), other names that are not there, and what a parameter cannot take. */
Arguments *arguments_new(const BuildModule *module, const PsPtxFunction *kernel,
                         const BuildOptions *options, GError **error);
void arguments_free(Arguments *arguments);

/* The number of the argument that is called so; -1 and *error where there is none. */
int arguments_find(const Arguments *arguments, const PsPtxFunction *kernel, const char *what,
                   const char *name, GError **error);

/* What --dump takes, "NAME=FILE" or "NAME+OFFSET=FILE": the buffer and the file. */
typedef struct {
    const guint8 *data;
    gsize size;
    const char *file;
} ArgumentDump;

gboolean arguments_find_dump(const Arguments *arguments, const PsPtxFunction *kernel,
                             const char *text, ArgumentDump *dump, GError **error);

/* All parameters of a kernel: "a (.u64), size (.u32)"; names may be NULL (g_free). */
char *arguments_describe(const PsPtxFunction *kernel, char **names);

G_DEFINE_AUTOPTR_CLEANUP_FUNC(Arguments, arguments_free)

#endif

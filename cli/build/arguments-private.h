/* SPDX-License-Identifier: BSD-3-Clause */
/* What the parts of build-arguments.h share: texts of --arg on their way to values. */
#ifndef PIPESIM_CLI_BUILD_ARGUMENTS_PRIVATE_H
#define PIPESIM_CLI_BUILD_ARGUMENTS_PRIVATE_H

#include "cli/build/arguments.h"

/* Texts of --arg by the parameter that they are for; borrowed. */
typedef struct {
    const BuildOptions *options;
    PsPtxModule *module;
    const PsPtxFunction *kernel;
    Arguments *arguments;
    const char **texts; /* one for each parameter */
    gboolean *in_parts; /* likewise: some of its fields are given, or zeros will do */
    gboolean named;     /* the source's names are known */
    GString *guessed;   /* parameters that were called by a name that nobody knows */
    GString *zeros;     /* parameters that nobody gave a value and for which zeros will do */
} Taking;

const PsPtxVariable *arguments_param(const PsPtxFunction *kernel, guint number);

/* ---- whose text it is (build-argument-texts.c) --------------------------------------------- */

/* The number of the parameter that is certainly called so, or -1. */
int arguments_number(const PsPtxFunction *kernel, char **names, const char *name);

/* The name in front of "=" (g_free); NULL where there is none: values may hold "=", too. */
char *arguments_name_in(const char *text);

/* The module's variable that is called so, unless a parameter is. */
PsPtxVariable *taking_variable_of(const Taking *taking, const char *name, int number);

/* The texts but for those of the common ones that are another kernel's; borrowed (g_free). */
char **taking_own_texts(const Taking *taking, char **texts, char **common);

/* Structs of which fields are given are none of those that lack a value. */
gboolean taking_mark_parts(Taking *taking, char **texts, GError **error);

/* Gives parameters their texts: first what is certain, then the others in their order. */
gboolean taking_take_all(Taking *taking, char **texts, gboolean certain, GError **error);

/* ---- values (build-argument-values.c) ------------------------------------------------------ */

/* Of numbers, or of buffers, whose sizes may be expressions over numbers. */
gboolean taking_read_all(Taking *taking, gboolean buffers, GError **error);

gboolean taking_set_fields(const Taking *taking, char **texts, GError **error);
gboolean taking_set_variables(const Taking *taking, char **texts, GError **error);

#endif

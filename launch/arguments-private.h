/* SPDX-License-Identifier: BSD-3-Clause */
/* What the parts of ps_launch_arguments_new share: texts on their way to values. */
#ifndef PIPESIM_LAUNCH_ARGUMENTS_PRIVATE_H
#define PIPESIM_LAUNCH_ARGUMENTS_PRIVATE_H

#include "launch/launch.h"

G_BEGIN_DECLS

/* ---- names (argument-names.c) -------------------------------------------------------------- */

const PsPtxVariable *ps_launch_param(const PsLaunchArguments *arguments, guint number);

/* The number of the parameter that is certainly called so, or -1. */
int ps_launch_number(const PsLaunchArguments *arguments, const char *name);

/* The same, but -1 comes with *error, whose message begins with `what`. */
int ps_launch_find(const PsLaunchArguments *arguments, const char *what, const char *name,
                   GError **error);

/* ---- types (argument-types.c) -------------------------------------------------------------- */

/* The type of a parameter that is a number: the code's, or where that only tells how many bits it
 * has, that of the kernel's mangled name, if it has one, and else of what is computed with it. */
PsPtxType ps_launch_type(const PsLaunchArguments *arguments, guint number);

/* How many times the parameter is pointed from: 0 for a number, 2 for a pointer to pointers; from
 * the kernel's mangled name, else from what the compiler says. */
guint ps_launch_pointers(const PsLaunchArguments *arguments, guint number);

/* (argument-uses.c) F32 or F64 where the first sum, product or comparison with the parameter is one
 * of such numbers and of its bits; else the parameter's type. */
PsPtxType ps_launch_type_used(const PsPtxFunction *kernel, guint number);

/* Texts by the parameter that they are for; borrowed. */
typedef struct {
    PsPtxModule *module;
    PsLaunchArguments *arguments;
    const PsLaunchTexts *given;
    const char *word;   /* what the user calls an argument, such as "--arg" */
    const char **all;   /* the texts but for those that are another kernel's, NULL at the end */
    const char **texts; /* one for each parameter */
    gboolean *in_parts; /* likewise: some of its fields are given, or zeros will do */
    gboolean named;     /* the source's names are known */
    gboolean by_name;   /* a parameter got its text by one of these */
    char *doubt;        /* why the source may not be, or is not, the one that was compiled; NULL */
    GString *zeros;     /* parameters that nobody gave a value and for which zeros will do */
} PsTaking;

/* ---- all of it (arguments.c) --------------------------------------------------------------- */

/* A launch's texts on their way to values: none of them is taken yet. */
PsTaking ps_taking_new(PsPtxModule *module, const PsPtxFunction *kernel,
                       const PsLaunchTexts *texts);
void ps_taking_clear(PsTaking *taking);

/* Gives all texts to parameters. FALSE and *error as from ps_launch_arguments_new. */
gboolean ps_taking_take_texts(PsTaking *taking, GError **error);

/* Parameters for which zeros will do get them, if they have no text. */
void ps_taking_fill_missing(PsTaking *taking);

G_DEFINE_AUTO_CLEANUP_CLEAR_FUNC(PsTaking, ps_taking_clear)

/* ---- whose text it is (argument-texts.c) --------------------------------------------------- */

/* The module's variable that the text gives a value, which is *value; NULL where it is of a
 * parameter. */
PsPtxVariable *ps_taking_variable_of(const PsTaking *taking, const char *text, const char **value);

/* The module's variable that is called so, unless a parameter is; NULL. */
PsPtxVariable *ps_taking_variable_called(const PsTaking *taking, const char *name);

/* Chooses `all` among the texts; what of the common ones is another kernel's, the arguments lack.
 */
void ps_taking_choose(PsTaking *taking, const PsLaunchTexts *texts);

/* Structs of which fields are given are none of those that lack a value. */
gboolean ps_taking_mark_parts(PsTaking *taking, GError **error);

/* Gives parameters their texts: first those with names (`with_name`), then the others in their
 * order. A name that nobody knows is an error. */
gboolean ps_taking_take_all(PsTaking *taking, gboolean with_name, GError **error);

/* ---- what is missing (missing.c) ----------------------------------------------------------- */

/* FALSE and an error where a parameter has no value, or the launch no grid or no size of groups. */
gboolean ps_taking_check_missing(const PsTaking *taking, GError **error);

/* As ps_launch_command, once texts have been given to parameters. */
char *ps_taking_command(const PsTaking *taking);

/* ---- values (argument-values.c) ------------------------------------------------------------ */

/* Reads all numbers, or all buffers, whose sizes may be expressions over numbers. */
gboolean ps_taking_read_all(PsTaking *taking, gboolean buffers, GError **error);

gboolean ps_taking_set_fields(const PsTaking *taking, GError **error);
gboolean ps_taking_set_variables(const PsTaking *taking, GError **error);

G_END_DECLS
#endif

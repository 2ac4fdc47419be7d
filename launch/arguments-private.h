/* SPDX-License-Identifier: BSD-3-Clause */
/* The state that the parts of ps_launch_arguments_new share, in which texts become values. */
#ifndef PIPESIM_LAUNCH_ARGUMENTS_PRIVATE_H
#define PIPESIM_LAUNCH_ARGUMENTS_PRIVATE_H

#include "launch/launch.h"

G_BEGIN_DECLS

/* ---- names (argument-names.c) -------------------------------------------------------------- */

const PsPtxVariable *ps_launch_param(const PsLaunchArguments *arguments, guint number);

/* The number of the parameter that certainly has this name, or -1. */
int ps_launch_number(const PsLaunchArguments *arguments, const char *name);

/* The same, but -1 comes with *error, whose message begins with `what`. */
int ps_launch_find(const PsLaunchArguments *arguments, const char *what, const char *name,
                   GError **error);

/* ---- types (argument-types.c) -------------------------------------------------------------- */

/* The type of a parameter that is a number: the code's. If that only tells the number of bits, the
 * type is that of the kernel's mangled name, if it has one, else that of the computation with
 * it. */
PsPtxType ps_launch_type(const PsLaunchArguments *arguments, guint number);

/* How many pointers lead from the parameter to data: 0 for a number, 2 for a pointer to pointers;
 * from the kernel's mangled name, else from what the compiler says. */
guint ps_launch_pointers(const PsLaunchArguments *arguments, guint number);

/* (argument-uses.c) F32 or F64 if the first sum, product or comparison with the parameter is of
 * such numbers and of its size; else the parameter's type. */
PsPtxType ps_launch_type_used(const PsPtxFunction *kernel, guint number);

/* Texts by the parameter that they are for; borrowed. */
typedef struct {
    PsPtxModule *module;
    PsLaunchArguments *arguments;
    const PsLaunchTexts *given;
    const char *word;   /* what the user calls an argument, such as "--arg" */
    const char **all;   /* the texts but for those that are another kernel's, NULL at the end */
    const char **texts; /* one for each parameter */
    gboolean *in_parts; /* one for each parameter: TRUE where some of its fields are given, or zeros
                           will do */
    gboolean named;     /* the source's names are known */
    gboolean by_name;   /* a parameter got its text by such a name */
    char *doubt;        /* why the source may not be the one that was compiled, or is not; NULL */
    GString *zeros;     /* parameters that nobody gave a value and for which zeros will do */
} PsTaking;

/* ---- all of it (arguments.c) --------------------------------------------------------------- */

/* Begins with a launch's texts: none of them is a parameter's yet. */
PsTaking ps_taking_new(PsPtxModule *module, const PsPtxFunction *kernel,
                       const PsLaunchTexts *texts);
void ps_taking_clear(PsTaking *taking);

/* Gives all texts to parameters. FALSE and *error as from ps_launch_arguments_new. */
gboolean ps_taking_take_texts(PsTaking *taking, GError **error);

/* Gives zeros to parameters without a text for which zeros will do. */
void ps_taking_fill_missing(PsTaking *taking);

G_DEFINE_AUTO_CLEANUP_CLEAR_FUNC(PsTaking, ps_taking_clear)

/* ---- whose text it is (argument-texts.c) --------------------------------------------------- */

/* The module's variable that the text gives a value, which *value becomes; NULL where the text is a
 * parameter's. */
PsPtxVariable *ps_taking_variable_of(const PsTaking *taking, const char *text, const char **value);

/* The module's variable of that name, unless a parameter has it; NULL. */
PsPtxVariable *ps_taking_variable_called(const PsTaking *taking, const char *name);

/* Chooses `all` among the texts. Common texts for another kernel alone are left out. */
void ps_taking_choose(PsTaking *taking, const PsLaunchTexts *texts);

/* Removes structs from the list of parameters without a value if their fields are given. */
gboolean ps_taking_mark_parts(PsTaking *taking, GError **error);

/* Gives parameters their texts: first those with names (`with_name`), then the others in their
 * order. A name that nobody knows is an error. */
gboolean ps_taking_take_all(PsTaking *taking, gboolean with_name, GError **error);

/* ---- what is missing (missing.c) ----------------------------------------------------------- */

/* FALSE and an error where a parameter has no value, or the launch no grid or no size of groups. */
gboolean ps_taking_check_missing(const PsTaking *taking, GError **error);

/* As ps_launch_command, once parameters have their texts. */
char *ps_taking_command(const PsTaking *taking);

/* ---- values (argument-values.c) ------------------------------------------------------------ */

/* Reads all numbers, or all buffers, whose sizes may be expressions over numbers. */
gboolean ps_taking_read_all(PsTaking *taking, gboolean buffers, GError **error);

gboolean ps_taking_set_fields(const PsTaking *taking, GError **error);
gboolean ps_taking_set_variables(const PsTaking *taking, GError **error);

G_END_DECLS
#endif

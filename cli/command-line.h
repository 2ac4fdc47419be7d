/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * The command line as values: the given options of a verb, checked as far as the table
 * (option-table.h) goes. options.h checks what values mean together.
 */
#ifndef PIPESIM_CLI_COMMAND_LINE_H
#define PIPESIM_CLI_COMMAND_LINE_H

#include "cli/option-ids.h"

#include <glib.h>

/* "run" */
const char *verb_name(Verb verb);

/* "run, sweep and show", from a set of 1U << Verb (g_free). */
char *verb_names(guint verbs);

/* The text of a verb's --help (g_free). */
char *options_help(Verb verb);

/* The value of one option; NULL or FALSE: not given. */
typedef struct {
    gboolean on;   /* value of a switch */
    char *text;    /* as given */
    char **list;   /* all of them, if there may be many; NULL-terminated */
    gint64 number; /* value of a number; if it was not given, the table's */
    guint word;    /* index of a word; the first if none was given */
} Value;

/* The values of all options by OptionId; OPTION_FILES lists the other words. argv starts with the
 * program's name and lacks the verb. NULL and *error for an option that does not exist, or is
 * another verb's (values_free). */
Value *values_read(Verb verb, char **argv, GError **error);
void values_free(Value *values);

/* The command line with each option and its value as one word, "--grid=4" for "--grid 4"
 * (g_strfreev). NULL and *error as from values_read for an option of another verb. */
char **words_join(Verb verb, char **argv, GError **error);

/* TRUE if such a word is an option that the verb takes for a kernel's code. */
gboolean word_is_of_code(Verb verb, const char *word);

/* Fills in numbers and words. FALSE and *error for an impossible value. */
gboolean values_check(Verb verb, Value *values, GError **error);

gboolean is_given(const Value *value);

/* TRUE if the option is one of these, the last of which is OPTION_FILES. */
gboolean option_among(OptionId id, const OptionId *ids);

/* The name of the first given option that is not one of these; NULL: there is none. */
const char *given_other_than(const Value *values, const OptionId *ids);

/* The name of the first given option that is one of these; NULL: there is none. */
const char *given_one_of(const Value *values, const OptionId *ids);

/* The name of the first given option that the verb takes for a kernel's code alone; NULL: there is
 * none. */
const char *given_for_code(Verb verb, const Value *values);

/* Adds "--NAME=VALUE" for each given value of the verb's options for code, except those in
 * `without`. */
void given_add_code(Verb verb, const Value *values, const OptionId *without, GPtrArray *argv);

/* The same for all options. */
void given_add_all(const Value *values, const OptionId *without, GPtrArray *argv);

/* The name of the first of the verb's options with one value that stands in argv (as above) more
 * than once, except those in `without`; NULL: there is none. */
const char *given_twice(Verb verb, char **argv, const OptionId *without);

/* The verb's given options that the other side lacks or has with another value, except those in
 * `without`: "--block 128" each, quoted for a shell (g_strfreev). */
char **given_differences(Verb verb, const Value *values, const Value *other,
                         const OptionId *without);

/* The given options that decide the results of a simulation: all except those that choose graphs,
 * GPUs, and outputs (g_free). */
char *given_signature(const Value *values);

G_DEFINE_AUTOPTR_CLEANUP_FUNC(Value, values_free)

#endif

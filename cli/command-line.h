/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * The command line as values: what was given of the options that a verb takes, checked as far as
 * the table (option-table.h) goes. What values mean together is the business of options.h.
 */
#ifndef PIPESIM_CLI_COMMAND_LINE_H
#define PIPESIM_CLI_COMMAND_LINE_H

#include "cli/option-ids.h"

#include <glib.h>

/* "run" */
const char *verb_name(Verb verb);

/* "run, sweep and show", of those in 1U << Verb each (g_free). */
char *verb_names(guint verbs);

/* What --help says of a verb (g_free). */
char *options_help(Verb verb);

/* The value of one option. What was not given is NULL or FALSE. */
typedef struct {
    gboolean on;   /* of a switch */
    char *text;    /* as given */
    char **list;   /* all of them, if there may be many; NULL-terminated */
    gint64 number; /* of a number: also where it was not given, what the table has for that */
    guint word;    /* of words: which; the first where none was given */
} Value;

/* The values of all options by OptionId; OPTION_FILES is a list of what else was given. Of argv,
 * which starts with the program's name and lacks the verb. NULL and *error for an option that is
 * not there, or is another verb's (values_free). */
Value *values_read(Verb verb, char **argv, GError **error);
void values_free(Value *values);

/* The command line with each option and its value as one word, "--grid=4" for "--grid 4"
 * (g_strfreev). NULL and *error as from values_read for an option of another verb. */
char **words_join(Verb verb, char **argv, GError **error);

/* Whether such a word is an option that the verb takes for a kernel's code. */
gboolean word_is_of_code(Verb verb, const char *word);

/* Fills in numbers and words. FALSE and *error for a value that its option cannot have. */
gboolean values_check(Verb verb, Value *values, GError **error);

gboolean is_given(const Value *value);

/* TRUE if the option is one of these, the last of which is OPTION_FILES. */
gboolean option_among(OptionId id, const OptionId *ids);

/* The name of the first option that was given and is not one of these; NULL where there is none. */
const char *given_other_than(const Value *values, const OptionId *ids);

/* The name of the first option that was given and is one of these; NULL where there is none. */
const char *given_one_of(const Value *values, const OptionId *ids);

/* The name of the first option that was given and that the verb takes for a kernel's code alone;
 * NULL where there is none. */
const char *given_for_code(Verb verb, const Value *values);

/* Adds "--NAME=VALUE" for each value that was given of the verb's options for a kernel's code, but
 * for those of `without`. */
void given_add_code(Verb verb, const Value *values, const OptionId *without, GPtrArray *argv);

/* The same of all options. */
void given_add_all(const Value *values, const OptionId *without, GPtrArray *argv);

/* The name of the first option of the verb that takes one value and is in argv (as above) more than
 * once, and none of `without`; NULL where there is none. */
const char *given_twice(Verb verb, char **argv, const OptionId *without);

/* The verb's options that are given and that the other lacks or has with another value, but for
 * those of `without`: "--block 128" each, as a shell would read it (g_strfreev). */
char **given_differences(Verb verb, const Value *values, const Value *other,
                         const OptionId *without);

/* The options that decide what a simulation gives, as they were given: all but those that choose
 * graphs, GPUs, and what is done with the results (g_free). */
char *given_signature(const Value *values);

G_DEFINE_AUTOPTR_CLEANUP_FUNC(Value, values_free)

#endif

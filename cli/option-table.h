/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * What cli/options.table says of the options, and the help.txt of each verb of that; make writes
 * both as C (make/options/c.awk).
 */
#ifndef PIPESIM_CLI_OPTION_TABLE_H
#define PIPESIM_CLI_OPTION_TABLE_H

#include "cli/option-ids.h"

#include <glib.h>

typedef enum {
    TYPE_SWITCH,
    TYPE_TEXT,
    TYPE_BYTES, /* a text in any encoding */
    TYPE_PATH,  /* likewise, and not empty */
    TYPE_NUMBER,
    TYPE_WORDS /* one of its words */
} OptionType;

/* An option as some verbs have it. Others may have one of the same name, and so of the same id,
 * that means something else. */
typedef struct {
    OptionId id;
    const char *name;
    char letter; /* 0: none */
    OptionType type;
    gboolean many; /* it may be given several times */
    guint verbs;   /* 1U << Verb, each that takes it and says so in --help */
    guint code;    /* likewise, each that takes it for a kernel's code, and leaves it to build's */
    guint first;   /* likewise, each whose --help has it first, and the others in groups */
    const char *group;            /* below this title; NULL: none */
    gint64 least, most, fallback; /* of a number; the last where it is not given */
    const char *noun;             /* what errors call one of its words; may be NULL */
    const char *const *words;     /* NULL-terminated */
    const char *value;            /* in --help; in [] if it may lack, NULL of a switch */
    const char *help;
} Option;

extern const Option OPTIONS[];
extern const guint N_OPTION_ROWS;

static inline gboolean has_option(Verb verb, const Option *option)
{
    return ((option->verbs | option->code) & 1U << verb) != 0;
}

/* What --help says of a verb, apart from its options. */
typedef struct {
    const char *name;
    const char *overview;                      /* lines in the help of all verbs */
    const char *usage, *summary, *description; /* NULL where there is none */
    gboolean is_command; /* what is no option is a program and its arguments */
} VerbText;

extern const VerbText VERBS[N_VERBS];

#endif

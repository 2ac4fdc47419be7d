/* SPDX-License-Identifier: BSD-3-Clause */
/* See command-line.h: the given values, checked by the table, and access to them. */
#include "cli/command-line.h"

#include "cli/fail.h"
#include "cli/option-table.h"

#include <string.h>

/* ---- by the table -------------------------------------------------------------------------- */

static gboolean check_number(const Option *option, Value *value, GError **error)
{
    PsRational number;
    value->number = option->fallback;
    if (!value->text)
        return TRUE;
    if (!ps_count_parse_rational(value->text, &number) || !ps_rational_is_int(number) ||
        number.num < option->least || number.num > option->most)
        return usage_error(error,
                           "--%s: '%s' is not a whole number from %" G_GINT64_FORMAT
                           " to %" G_GINT64_FORMAT,
                           option->name, value->text, option->least, option->most);
    value->number = number.num;
    return TRUE;
}

static gboolean check_word(const Option *option, Value *value, GError **error)
{
    if (!value->text)
        return TRUE;
    g_autoptr(GString) known = g_string_new(NULL);
    for (guint i = 0; option->words[i]; i++) {
        if (strcmp(value->text, option->words[i]) == 0) {
            value->word = i;
            return TRUE;
        }
        g_string_append_printf(known, "%s%s",
                               i == 0                 ? ""
                               : option->words[i + 1] ? ", "
                                                      : " or ",
                               option->words[i]);
    }
    return usage_error(error, "--%s: there is no %s%s'%s'; it is %s", option->name,
                       option->noun ? option->noun : "", option->noun ? " " : "", value->text,
                       known->str);
}

static gboolean check_path(const Option *option, const Value *value, GError **error)
{
    for (char **path = value->list; path && *path; path++)
        if (!**path)
            return usage_error(error, "one --%s is an empty name", option->name);
    return !value->text || *value->text ||
           usage_error(error, "--%s: the name of the file is empty", option->name);
}

static gboolean check_value(const Option *option, Value *value, GError **error)
{
    switch (option->type) {
    case TYPE_NUMBER:
        return check_number(option, value, error);
    case TYPE_WORDS:
        return check_word(option, value, error);
    case TYPE_PATH:
        return check_path(option, value, error);
    case TYPE_SWITCH:
    case TYPE_TEXT:
    case TYPE_BYTES:
        break;
    }
    return TRUE;
}

gboolean values_check(Verb verb, Value *values, GError **error)
{
    for (guint i = 0; i < N_OPTION_ROWS; i++)
        if (has_option(verb, &OPTIONS[i]) &&
            !check_value(&OPTIONS[i], &values[OPTIONS[i].id], error))
            return FALSE;
    for (char **file = values[OPTION_FILES].list; file && *file; file++)
        if (!**file)
            return usage_error(error, "one of the files is an empty name");
    return TRUE;
}

/* ---- what was given ------------------------------------------------------------------------ */

gboolean is_given(const Value *value)
{
    return value->on || value->text || value->list;
}

gboolean option_among(OptionId id, const OptionId *ids)
{
    while (*ids != id && *ids != OPTION_FILES)
        ids++;
    return *ids == id;
}

const char *given_other_than(const Value *values, const OptionId *ids)
{
    for (guint i = 0; i < N_OPTION_ROWS; i++)
        if (is_given(&values[OPTIONS[i].id]) && !option_among(OPTIONS[i].id, ids))
            return OPTIONS[i].name;
    return NULL;
}

const char *given_one_of(const Value *values, const OptionId *ids)
{
    for (guint i = 0; i < N_OPTION_ROWS; i++)
        if (is_given(&values[OPTIONS[i].id]) && option_among(OPTIONS[i].id, ids))
            return OPTIONS[i].name;
    return NULL;
}

const char *given_for_code(Verb verb, const Value *values)
{
    for (guint i = 0; i < N_OPTION_ROWS; i++)
        if (OPTIONS[i].code & 1U << verb && is_given(&values[OPTIONS[i].id]))
            return OPTIONS[i].name;
    return NULL;
}

static void add_given(const Option *option, const Value *value, GPtrArray *argv)
{
    if (value->on)
        g_ptr_array_add(argv, g_strconcat("--", option->name, NULL));
    if (value->text)
        g_ptr_array_add(argv, g_strdup_printf("--%s=%s", option->name, value->text));
    for (char **text = value->list; text && *text; text++)
        g_ptr_array_add(argv, g_strdup_printf("--%s=%s", option->name, *text));
}

void given_add_code(Verb verb, const Value *values, const OptionId *without, GPtrArray *argv)
{
    for (guint i = 0; i < N_OPTION_ROWS; i++)
        if (OPTIONS[i].code & 1U << verb && !option_among(OPTIONS[i].id, without))
            add_given(&OPTIONS[i], &values[OPTIONS[i].id], argv);
}

/* Verbs may have rows of their own for one option. */
static gboolean is_first_row(guint row)
{
    guint first = 0;
    while (OPTIONS[first].id != OPTIONS[row].id)
        first++;
    return first == row;
}

void given_add_all(const Value *values, const OptionId *without, GPtrArray *argv)
{
    for (guint i = 0; i < N_OPTION_ROWS; i++)
        if (is_first_row(i) && !option_among(OPTIONS[i].id, without))
            add_given(&OPTIONS[i], &values[OPTIONS[i].id], argv);
}

/* A new option of the table counts unless it is listed here. */
char *given_signature(const Value *values)
{
    static const OptionId without[] = {
        OPTION_GPU,      OPTION_FORMAT, OPTION_OUTPUT,          OPTION_CHART,
        OPTION_JOBS,     OPTION_HELP,   OPTION_NO_CACHE,        OPTION_RESUME,
        OPTION_SHARD,    OPTION_MERGE,  OPTION_NO_FAST_FORWARD, OPTION_COUNT,
        OPTION_LAUNCHES, OPTION_FILES};
    GString *out = g_string_new(NULL);
    for (guint i = 0; i < N_OPTION_ROWS; i++) {
        const Value *value = &values[OPTIONS[i].id];
        if (option_among(OPTIONS[i].id, without) || !is_given(value))
            continue;
        for (char **text = value->list; text && *text; text++)
            g_string_append_printf(out, "--%s=%s\n", OPTIONS[i].name, *text);
        if (!value->list)
            g_string_append_printf(out, "--%s=%s\n", OPTIONS[i].name,
                                   value->text ? value->text : "");
    }
    return g_string_free(out, FALSE);
}

/* Adds a value in a shell's quotes. */
static void add_option(GPtrArray *out, const Option *option, const char *value)
{
    static const char plain[] = G_CSET_A_2_Z G_CSET_a_2_z G_CSET_DIGITS "_-+.,:=/@%^";
    g_autofree char *quoted = value[strspn(value, plain)] ? g_shell_quote(value) : g_strdup(value);
    g_ptr_array_add(out, g_strdup_printf("--%s %s", option->name, quoted));
}

static void add_differences(const Option *option, const Value *value, const Value *other,
                            GPtrArray *out)
{
    if (value->on && !other->on)
        g_ptr_array_add(out, g_strconcat("--", option->name, NULL));
    if (value->text && g_strcmp0(value->text, other->text) != 0)
        add_option(out, option, value->text);
    const char *const *others = (const char *const *)other->list;
    for (char **text = value->list; text && *text; text++)
        if (!others || !g_strv_contains(others, *text))
            add_option(out, option, *text);
}

char **given_differences(Verb verb, const Value *values, const Value *other,
                         const OptionId *without)
{
    GPtrArray *out = g_ptr_array_new();
    for (guint i = 0; i < N_OPTION_ROWS; i++)
        if (has_option(verb, &OPTIONS[i]) && !option_among(OPTIONS[i].id, without))
            add_differences(&OPTIONS[i], &values[OPTIONS[i].id], &other[OPTIONS[i].id], out);
    g_ptr_array_add(out, NULL);
    return (char **)g_ptr_array_free(out, FALSE);
}

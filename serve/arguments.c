/* SPDX-License-Identifier: BSD-3-Clause */
/* See arguments.h. */
#include "serve/arguments.h"

#include "base/json-read.h"
#include "base/nearest.h"
#include "serve/below.h"

#include <string.h>

/* Values of one varied list, at most. */
#define MOST_VALUES 100000

/* ---- what was read ------------------------------------------------------------------------- */

static void free_given(gpointer given)
{
    g_free(((PsGiven *)given)->text);
    g_free(given);
}

static void free_axis(gpointer of)
{
    PsArgumentAxis *axis = of;
    g_ptr_array_unref(axis->values);
    g_ptr_array_unref(axis->shown);
    g_free(axis);
}

static PsArguments *arguments_new(void)
{
    PsArguments *arguments = g_new0(PsArguments, 1);
    arguments->given = g_ptr_array_new_with_free_func(free_given);
    arguments->axes = g_ptr_array_new_with_free_func(free_axis);
    return arguments;
}

void ps_arguments_free(PsArguments *arguments)
{
    if (!arguments)
        return;
    g_ptr_array_unref(arguments->given);
    g_ptr_array_unref(arguments->axes);
    ps_arguments_free(arguments->sides[0]);
    ps_arguments_free(arguments->sides[1]);
    g_free(arguments);
}

static void give(PsArguments *arguments, const PsArgumentRow *row, char *text)
{
    PsGiven *given = g_new(PsGiven, 1);
    *given = (PsGiven){row, text};
    g_ptr_array_add(arguments->given, given);
}

const char *ps_arguments_text(const PsArguments *arguments, const char *name)
{
    for (guint i = arguments->given->len; i-- > 0;) {
        const PsGiven *given = arguments->given->pdata[i];
        if (strcmp(given->row->name, name) == 0)
            return given->text;
    }
    return NULL;
}

/* TRUE if own has an argument that replaces that one. */
static gboolean has_instead(const PsArguments *own, const PsGiven *base)
{
    const gboolean by_name =
        base->row->type == PS_ARGUMENT_VALUES || base->row->type == PS_ARGUMENT_PAIRS;
    const gsize length = by_name ? strcspn(base->text, "=") + 1 : 0;
    for (guint i = 0; i < own->given->len; i++) {
        const PsGiven *given = own->given->pdata[i];
        if (given->row == base->row && strncmp(given->text, base->text, length) == 0)
            return TRUE;
    }
    return FALSE;
}

PsArguments *ps_arguments_over(const PsArguments *base, const PsArguments *own)
{
    PsArguments *all = arguments_new();
    for (guint i = 0; i < base->given->len; i++) {
        const PsGiven *given = base->given->pdata[i];
        if (!own || !has_instead(own, given))
            give(all, given->row, g_strdup(given->text));
    }
    for (guint i = 0; own && i < own->given->len; i++) {
        const PsGiven *given = own->given->pdata[i];
        give(all, given->row, g_strdup(given->text));
    }
    return all;
}

/* ---- values -------------------------------------------------------------------------------- */

/* What arguments are read into. */
typedef struct {
    PsArguments *arguments;
    const PsArgumentRow *row;
    guint groups; /* groups that may be given */
    guint n;      /* values so far */
    GString *shape;
} Reading;

static gboolean read_value(PsJson *json, Reading *reading, GError **error);

/* Reads a text, or a number in its own digits (g_free). NULL and *error. */
static char *take_text(PsJson *json, const PsArgumentRow *row, GError **error)
{
    double number;
    char *text = NULL;
    if (ps_json_peek(json) == '-')
        return ps_json_number(json, &number, error)
                   ? g_strndup(json->mark, (gsize)(json->at - json->mark))
                   : NULL;
    if (ps_json_peek(json) == '"')
        return ps_json_string(json, &text, error) ? text : NULL;
    (void)ps_json_skip(json, NULL);
    ps_json_error(json, error, PS_ERROR_USAGE, "%s takes a number or a text", row->name);
    return NULL;
}

/* Checks a value of a kernel's argument: its files must be below the folder. */
static char *check_argument(PsJson *json, const char *name, char *text, GError **error)
{
    g_autofree char *value = text;
    if (*value != '@') {
        if (!strchr(value, '@'))
            return g_steal_pointer(&value);
        ps_json_error(json, error, PS_ERROR_USAGE,
                      "argument %s: '@' begins the name of a file, and stands nowhere else", name);
        return NULL;
    }
    g_autofree char *what = g_strdup_printf("argument %s", name);
    g_autofree char *path = ps_below(what, value + 1, PS_BELOW_FILE, error);
    return path ? g_strconcat("@", path, NULL) : NULL;
}

/* Reads the next member as "NAME=VALUE". */
static gboolean read_pair(PsJson *json, const char *name, Reading *reading, GError **error)
{
    if (!*name || strpbrk(name, "=@"))
        return ps_json_error(json, error, PS_ERROR_USAGE, "%s: '%s' is no name", reading->row->name,
                             name);
    char *value = take_text(json, reading->row, error);
    if (value && reading->row->type == PS_ARGUMENT_VALUES)
        value = check_argument(json, name, value, error);
    if (!value)
        return FALSE;
    give(reading->arguments, reading->row, g_strdup_printf("%s=%s", name, value));
    g_free(value);
    return TRUE;
}

static gboolean read_named(PsJson *json, const char *key, gpointer self, GError **error)
{
    return read_pair(json, key, self, error);
}

static gboolean read_numbered(PsJson *json, gpointer self, GError **error)
{
    Reading *reading = self;
    g_autofree char *name = g_strdup_printf("%u", reading->n++);
    return read_pair(json, name, reading, error);
}

static gboolean read_extent(PsJson *json, gpointer self, GError **error)
{
    Reading *reading = self;
    g_autofree char *text = take_text(json, reading->row, error);
    if (text)
        g_string_append_printf(reading->shape, "%s%s", reading->n++ ? "x" : "", text);
    return text != NULL;
}

static gboolean read_shape(PsJson *json, Reading *reading, GError **error)
{
    if (ps_json_peek(json) != '[') {
        char *text = take_text(json, reading->row, error);
        if (text)
            give(reading->arguments, reading->row, text);
        return text != NULL;
    }
    g_autoptr(GString) shape = g_string_new(NULL);
    reading->shape = shape;
    if (!ps_json_array(json, read_extent, reading, error))
        return FALSE;
    give(reading->arguments, reading->row, g_strdup(shape->str));
    return TRUE;
}

static gboolean read_folder(PsJson *json, gpointer self, GError **error)
{
    Reading *reading = self;
    g_autofree char *text = take_text(json, reading->row, error);
    char *path = text ? ps_below(reading->row->name, text, PS_BELOW_FOLDER, error) : NULL;
    if (path)
        give(reading->arguments, reading->row, path);
    return path != NULL;
}

/* Reads an existing file, with or without its ending, or a name without a folder, which may be one
 * of pipesim's own. */
static gboolean read_file(PsJson *json, Reading *reading, GError **error)
{
    const char *ending = reading->row->type == PS_ARGUMENT_GPU ? ".xml" : ".idg";
    g_autofree char *text = take_text(json, reading->row, error);
    if (!text)
        return FALSE;
    g_autofree char *whole = g_strconcat(text, ending, NULL);
    const char *there = !ps_below_has(text) && ps_below_has(whole) ? whole : text;
    const gboolean is_name = !strchr(text, '/') && !ps_below_has(there) && strcmp(text, "..") != 0;
    char *path =
        is_name ? g_strdup(text) : ps_below(reading->row->name, there, PS_BELOW_FILE, error);
    if (path)
        give(reading->arguments, reading->row, path);
    return path != NULL;
}

static gboolean read_word(PsJson *json, Reading *reading, GError **error)
{
    char *text = take_text(json, reading->row, error);
    if (!text)
        return FALSE;
    g_auto(GStrv) words = g_strsplit(reading->row->words, " ", -1);
    const gboolean known = g_strv_contains((const char *const *)words, text);
    if (!known)
        ps_json_error(json, error, PS_ERROR_USAGE, "%s: '%s' is none of: %s", reading->row->name,
                      text, reading->row->words);
    give(reading->arguments, reading->row, text);
    return known;
}

static gboolean read_flag(PsJson *json, Reading *reading, GError **error)
{
    const char c = ps_json_peek(json);
    if (!ps_json_skip(json, error))
        return FALSE;
    if (c != 't' && c != 'f')
        return ps_json_error(json, error, PS_ERROR_USAGE, "%s is true or false",
                             reading->row->name);
    give(reading->arguments, reading->row, g_strdup(c == 't' ? "true" : "false"));
    return TRUE;
}

/* ---- groups of arguments ------------------------------------------------------------------- */

static const PsArgumentRow *find_row(const char *name, guint groups)
{
    for (const PsArgumentRow *row = ps_argument_rows; row->name; row++)
        if ((row->group & groups) && strcmp(row->name, name) == 0)
            return row;
    return NULL;
}

static gboolean refuse_unknown(PsJson *json, const char *name, guint groups, GError **error)
{
    g_autoptr(GPtrArray) names = g_ptr_array_new();
    for (const PsArgumentRow *row = ps_argument_rows; row->name; row++)
        if (row->group & groups)
            g_ptr_array_add(names, (gpointer)row->name);
    g_autofree char *near = ps_did_you_mean(name, names);
    return ps_json_error(json, error, PS_ERROR_USAGE, "there is no argument '%s' here%s", name,
                         near);
}

static gboolean read_member(PsJson *json, const char *key, gpointer self, GError **error)
{
    const Reading *of = self;
    const PsArgumentRow *row = find_row(key, of->groups);
    if (!row)
        return refuse_unknown(json, key, of->groups, error);
    if (ps_arguments_text(of->arguments, key))
        return ps_json_error(json, error, PS_ERROR_USAGE, "'%s' is there twice", key);
    return read_value(json, &(Reading){of->arguments, row, of->groups, 0, NULL}, error);
}

/* An object of arguments of these groups (ps_arguments_free). */
static PsArguments *read_object(PsJson *json, guint groups, GError **error)
{
    PsArguments *arguments = arguments_new();
    if (ps_json_object(json, read_member, &(Reading){arguments, NULL, groups, 0, NULL}, error))
        return arguments;
    ps_arguments_free(arguments);
    return NULL;
}

static gboolean read_side(PsJson *json, Reading *reading, GError **error)
{
    PsArguments **side = &reading->arguments->sides[*reading->row->name == 'b'];
    if (*side)
        return ps_json_error(json, error, PS_ERROR_USAGE, "'%s' is there twice",
                             reading->row->name);
    *side = read_object(json, PS_TAKES_KERNEL | PS_TAKES_QUESTION, error);
    return *side != NULL;
}

/* ---- lists --------------------------------------------------------------------------------- */

/* A value is shown as JSON, and a text as it is. */
static gboolean read_varied(PsJson *json, gpointer self, GError **error)
{
    PsArgumentAxis *axis = self;
    PsArguments *value = arguments_new();
    (void)ps_json_peek(json);
    const char *start = json->at;
    g_ptr_array_add(axis->values, value);
    if (axis->values->len > MOST_VALUES)
        return ps_json_error(json, error, PS_ERROR_LIMIT, "%s has more than %d values",
                             axis->row->name, MOST_VALUES);
    if (!read_value(json, &(Reading){value, axis->row, 0, 0, NULL}, error))
        return FALSE;
    const char *text = *start == '"' ? ((PsGiven *)value->given->pdata[0])->text : NULL;
    g_ptr_array_add(axis->shown,
                    text ? g_strdup(text) : g_strndup(start, (gsize)(json->at - start)));
    return TRUE;
}

static gboolean read_list(PsJson *json, const char *key, gpointer self, GError **error)
{
    const Reading *of = self;
    const guint groups = PS_TAKES_KERNEL | PS_TAKES_QUESTION;
    const PsArgumentRow *row = find_row(key, groups);
    if (!row)
        return refuse_unknown(json, key, groups, error);
    for (guint i = 0; i < of->arguments->axes->len; i++)
        if (((PsArgumentAxis *)of->arguments->axes->pdata[i])->row == row)
            return ps_json_error(json, error, PS_ERROR_USAGE, "'%s' is there twice", key);
    PsArgumentAxis *axis = g_new0(PsArgumentAxis, 1);
    axis->row = row;
    axis->values =
        g_ptr_array_new_with_free_func((GDestroyNotify)(void (*)(void))ps_arguments_free);
    axis->shown = g_ptr_array_new_with_free_func(g_free);
    g_ptr_array_add(of->arguments->axes, axis);
    if (!ps_json_array(json, read_varied, axis, error))
        return FALSE;
    return axis->values->len > 0 ||
           ps_json_error(json, error, PS_ERROR_USAGE, "%s: the list has no value", key);
}

/* ---- all of it ----------------------------------------------------------------------------- */

static gboolean read_text(PsJson *json, Reading *reading, GError **error)
{
    char *text = take_text(json, reading->row, error);
    if (text)
        give(reading->arguments, reading->row, text);
    return text != NULL;
}

static gboolean read_value(PsJson *json, Reading *reading, GError **error)
{
    switch (reading->row->type) {
    case PS_ARGUMENT_FILE:
    case PS_ARGUMENT_GPU:
        return read_file(json, reading, error);
    case PS_ARGUMENT_FOLDER:
        return ps_json_peek(json) == '[' ? ps_json_array(json, read_folder, reading, error)
                                         : read_folder(json, reading, error);
    case PS_ARGUMENT_SHAPE:
        return read_shape(json, reading, error);
    case PS_ARGUMENT_VALUES:
        return ps_json_peek(json) == '[' ? ps_json_array(json, read_numbered, reading, error)
                                         : ps_json_object(json, read_named, reading, error);
    case PS_ARGUMENT_PAIRS:
        return ps_json_object(json, read_named, reading, error);
    case PS_ARGUMENT_WORD:
        return read_word(json, reading, error);
    case PS_ARGUMENT_FLAG:
        return read_flag(json, reading, error);
    case PS_ARGUMENT_OBJECT:
        return read_side(json, reading, error);
    case PS_ARGUMENT_LISTS:
        return ps_json_object(json, read_list, reading, error);
    case PS_ARGUMENT_TEXT:
        break;
    }
    return read_text(json, reading, error);
}

PsArguments *ps_arguments_read(const char *json, guint groups, GError **error)
{
    PsJson reader;
    const char *text = json ? json : "{}";
    ps_json_init(&reader, (PsPlace){"arguments", 1}, text, strlen(text));
    return read_object(&reader, groups, error);
}

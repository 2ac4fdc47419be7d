/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * See command-line.h. GOption reads the options of the table; what it cannot read is translated
 * first.
 */
#include "cli/command-line.h"

#include "cli/fail.h"
#include "cli/option-table.h"
#include "pipesim-private.h"

#include <string.h>

const char *verb_name(Verb verb)
{
    return VERBS[verb].name;
}

/* ---- the options of each verb -------------------------------------------------------------- */

static GOptionArg kind_of(const Option *option)
{
    switch (option->type) {
    case TYPE_SWITCH:
        return G_OPTION_ARG_NONE;
    case TYPE_BYTES:
    case TYPE_PATH:
        return option->many ? G_OPTION_ARG_FILENAME_ARRAY : G_OPTION_ARG_FILENAME;
    case TYPE_TEXT:
    case TYPE_NUMBER:
    case TYPE_WORDS:
        break;
    }
    return option->many ? G_OPTION_ARG_STRING_ARRAY : G_OPTION_ARG_STRING;
}

static gpointer place_of(const Option *option, Value *value)
{
    return option->type == TYPE_SWITCH ? (gpointer)&value->on
           : option->many              ? (gpointer)&value->list
                                       : (gpointer)&value->text;
}

static GOptionContext *make_context(Verb verb, Value *values)
{
    const VerbText *text = &VERBS[verb];
    GOptionContext *context = g_option_context_new(text->usage);
    GOptionGroup *group = g_option_group_new(text->name, "", "", NULL, NULL);
    for (guint i = 0; i < N_OPTION_ROWS; i++) {
        const Option *option = &OPTIONS[i];
        const GOptionEntry entries[] = {{option->name, option->letter, 0, kind_of(option),
                                         place_of(option, &values[option->id]), option->help,
                                         option->value},
                                        {0}};
        if (has_option(verb, option))
            g_option_group_add_entries(group, entries);
    }
    const GOptionEntry files[] = {{G_OPTION_REMAINING, 0, G_OPTION_FLAG_NONE,
                                   G_OPTION_ARG_FILENAME_ARRAY, &values[OPTION_FILES].list, NULL,
                                   NULL},
                                  {0}};
    g_option_group_add_entries(group, files);
    g_option_context_set_main_group(context, group);
    g_option_context_set_help_enabled(context, FALSE);
    g_option_context_set_strict_posix(context, text->is_command);
    return context;
}

static Value *values_new(void)
{
    return g_new0(Value, N_OPTIONS);
}

void values_free(Value *values)
{
    for (guint id = 0; values && id < N_OPTIONS; id++) {
        g_free(values[id].text);
        g_strfreev(values[id].list);
    }
    g_free(values);
}

/* ---- help ----------------------------------------------------------------------------------- */

/* "-g, --gpu=FILE" (g_free). */
static char *spelling(const Option *option)
{
    const char letter[] = {'-', option->letter, ',', ' ', '\0'};
    return g_strconcat(option->letter ? letter : "", "--", option->name, option->value ? "=" : "",
                       option->value, NULL);
}

/* The verb's help has groups of options; those of code are among them. */
static gboolean is_grouped(Verb verb)
{
    for (guint i = 0; i < N_OPTION_ROWS; i++)
        if (OPTIONS[i].first & 1U << verb)
            return TRUE;
    return FALSE;
}

/* The title above the option in the verb's help; NULL: the option does not stand there. */
static const char *title_of(Verb verb, gboolean grouped, const Option *option)
{
    if (!has_option(verb, option) || (!grouped && option->code & 1U << verb))
        return NULL;
    return !grouped || option->first & 1U << verb || !option->group ? "Options" : option->group;
}

/* The column in which descriptions of options begin. */
static int column_of(Verb verb, gboolean grouped)
{
    gsize most = 0;
    for (guint i = 0; i < N_OPTION_ROWS; i++) {
        g_autofree char *written = spelling(&OPTIONS[i]);
        if (title_of(verb, grouped, &OPTIONS[i]))
            most = MAX(most, strlen(written));
    }
    return (int)most + 5;
}

static void put_group(Verb verb, gboolean grouped, const char *title, GString *help)
{
    const int column = column_of(verb, grouped);
    g_string_append_printf(help, "%s:\n", title);
    for (guint i = 0; i < N_OPTION_ROWS; i++) {
        g_autofree char *written = spelling(&OPTIONS[i]);
        if (g_strcmp0(title_of(verb, grouped, &OPTIONS[i]), title) == 0)
            g_string_append_printf(help, "  %-*s%s\n", column, written, OPTIONS[i].help);
    }
    g_string_append_c(help, '\n');
}

char *options_help(Verb verb)
{
    const VerbText *text = &VERBS[verb];
    const gboolean grouped = is_grouped(verb);
    g_autoptr(GPtrArray) titles = g_ptr_array_new();
    GString *help = g_string_new(NULL);
    g_ptr_array_add(titles, (gpointer) "Options");
    for (guint i = 0; i < N_OPTION_ROWS; i++) {
        const char *title = title_of(verb, grouped, &OPTIONS[i]);
        if (title && !g_ptr_array_find_with_equal_func(titles, title, g_str_equal, NULL))
            g_ptr_array_add(titles, (gpointer)title);
    }
    g_string_append_printf(help, "Usage:\n  pipesim %s [OPTION...]%s%s\n\n", text->name,
                           text->usage ? " " : "", text->usage ? text->usage : "");
    if (text->summary)
        g_string_append_printf(help, "%s\n\n", text->summary);
    for (guint i = 0; i < titles->len; i++)
        put_group(verb, grouped, titles->pdata[i], help);
    if (text->description)
        g_string_append_printf(help, "%s\n", text->description);
    return g_string_free(help, FALSE);
}

/* ---- what GOption does not know ------------------------------------------------------------- */

/* The option of an argument such as "--jobs", "--jobs=2", "-j" or "-j2"; NULL: none. If several
 * verbs have an option of that name, it is this verb's. */
static const Option *find_option(Verb verb, const char *argument)
{
    const Option *found = NULL;
    if (argument[0] != '-' || !argument[1])
        return NULL;
    const gsize length = strcspn(argument + 1, "=") - 1;
    for (guint i = 0; i < N_OPTION_ROWS; i++) {
        const Option *option = &OPTIONS[i];
        if (argument[1] == '-'
                ? strlen(option->name) == length && strncmp(option->name, argument + 2, length) == 0
                : option->letter == argument[1])
            found = !found || has_option(verb, option) ? option : found;
    }
    return found;
}

/* Refuses an option of another verb, and names that verb. */
static gboolean check_verb(Verb verb, const Option *option, GError **error)
{
    guint whose = 0;
    if (has_option(verb, option))
        return TRUE;
    for (guint i = 0; i < N_OPTION_ROWS; i++)
        if (OPTIONS[i].id == option->id)
            whose |= OPTIONS[i].verbs | OPTIONS[i].code;
    g_autofree char *names = verb_names(whose);
    return usage_error(error, "--%s belongs to pipesim %s, and this is pipesim %s", option->name,
                       names, verb_name(verb));
}

/* Refuses a value for a switch: GOption would take "--explain=no" for "--explain". */
static gboolean check_switch(const Option *option, const char *word, GError **error)
{
    const char *value = strchr(word, '=');
    return option->type != TYPE_SWITCH || !value ||
           usage_error(error,
                       "--%s takes no value, and here is '%s'; leave that out, or the option",
                       option->name, value);
}

char *verb_names(guint verbs)
{
    GString *names = g_string_new(NULL);
    for (Verb verb = 0; verb < N_VERBS; verb++)
        if (verbs & 1U << verb)
            g_string_append_printf(names, "%s%s",
                                   !names->len           ? ""
                                   : verbs >> (verb + 1) ? ", "
                                                         : " and ",
                                   verb_name(verb));
    return g_string_free(names, FALSE);
}

/* TRUE for an option whose value, in brackets in the help, may be left out; such a value is never a
 * word of its own. */
static gboolean may_lack_value(const Option *option)
{
    return option->value && option->value[0] == '[';
}

/* The command line in GOption's form: "-j2" becomes "-j" and "2", "--timeline" becomes
 * "--timeline=" (g_strfreev). Words behind the name of a command are the command's. NULL and *error
 * for an option of another verb. */
static char **translate(Verb verb, char **argv, GError **error)
{
    g_autoptr(GPtrArray) out = g_ptr_array_new_with_free_func(g_free);
    gboolean is_value = FALSE, no_more = FALSE;
    for (char **word = argv; *word; word++) {
        const Option *option = is_value || no_more ? NULL : find_option(verb, *word);
        no_more |= !is_value && (strcmp(*word, "--") == 0 ||
                                 (VERBS[verb].is_command && word > argv && **word != '-'));
        if (option && !(check_verb(verb, option, error) && check_switch(option, *word, error)))
            return NULL;
        const gboolean takes = option && option->type != TYPE_SWITCH;
        const gboolean is_short = option && (*word)[1] != '-';
        const gboolean attached = takes && is_short && (*word)[2];
        const gboolean lacks = takes && may_lack_value(option) && !strchr(*word, '=');
        is_value = takes && !attached && !lacks && !strchr(*word, '=');
        g_ptr_array_add(out, attached ? g_strndup(*word, 2)
                                      : g_strconcat(*word, lacks ? "=" : NULL, NULL));
        if (attached)
            g_ptr_array_add(out, g_strdup(*word + 2));
    }
    g_ptr_array_add(out, NULL);
    return (char **)g_ptr_array_steal(out, NULL);
}

char **words_join(Verb verb, char **argv, GError **error)
{
    g_auto(GStrv) words = translate(verb, argv, error);
    GPtrArray *out = g_ptr_array_new();
    gboolean no_more = FALSE;
    for (char **word = words; word && *word; word++) {
        const Option *option = no_more ? NULL : find_option(verb, *word);
        const gboolean takes = option && option->type != TYPE_SWITCH && !strchr(*word, '=');
        no_more |= strcmp(*word, "--") == 0;
        if (takes && word[1]) {
            g_ptr_array_add(out, g_strdup_printf("--%s=%s", option->name, word[1]));
            word++;
        } else {
            g_ptr_array_add(out, g_strdup(*word));
        }
    }
    g_ptr_array_add(out, NULL);
    char **joined = (char **)g_ptr_array_free(out, FALSE);
    if (!words)
        g_clear_pointer(&joined, g_strfreev);
    return joined;
}

gboolean word_is_of_code(Verb verb, const char *word)
{
    const Option *option = find_option(verb, word);
    return option && option->code & 1U << verb;
}

/* TRUE if a kernel's code is among the words of a verb that takes arguments for it. */
static gboolean has_code(Verb verb, char **argv)
{
    gboolean takes = FALSE;
    for (guint i = 0; i < N_OPTION_ROWS; i++)
        takes |= OPTIONS[i].id == OPTION_ARG && has_option(verb, &OPTIONS[i]);
    for (char **word = argv; takes && *word; word++)
        if (**word != '-' && ps_kernel_code_is(*word))
            return TRUE;
    return FALSE;
}

/* Adds the word with letters that the locale does not have, which GOption does not name. */
static void name_letters(char **argv, GError *error)
{
    char **word = argv;
    while (*word && g_str_is_ascii(*word))
        word++;
    if (!g_error_matches(error, G_CONVERT_ERROR, G_CONVERT_ERROR_ILLEGAL_SEQUENCE) || !*word)
        return;
    g_free(error->message);
    error->message = g_strdup_printf("'%s' has letters that this locale has not; write ASCII's, or "
                                     "set LC_ALL=C.UTF-8",
                                     *word);
}

/* Adds to GOption's error about an unknown option which option of the verb may be meant. Other
 * errors stay. */
static void suggest(Verb verb, char **argv, GError *error)
{
    char *written = strstr(error->message, " -");
    if (!written || !g_error_matches(error, G_OPTION_ERROR, G_OPTION_ERROR_UNKNOWN_OPTION))
        return;
    written++;
    written[strcspn(written, "=")] = '\0'; /* a value is not part of the name */
    const char *plain = written + strspn(written, "-");
    g_autofree char *name = g_strconcat("--", plain, NULL);
    g_autoptr(GPtrArray) names = g_ptr_array_new_with_free_func(g_free);
    for (guint i = 0; i < N_OPTION_ROWS; i++)
        if (has_option(verb, &OPTIONS[i]))
            g_ptr_array_add(names, g_strconcat("--", OPTIONS[i].name, NULL));
    /* An option that one or two letters begin is not a likely intention. */
    g_autofree char *message = error->message,
                    *near = strlen(plain) > 2 ? ps_did_you_mean(name, names) : g_strdup("");
    g_autofree char *other =
        *near || !has_code(verb, argv)
            ? g_strdup("")
            : g_strdup_printf("; an argument of the kernel is --arg %s=VALUE", plain);
    error->message = g_strconcat(message, near, other, NULL);
}

Value *values_read(Verb verb, char **argv, GError **error)
{
    g_autoptr(Value) values = values_new();
    g_autoptr(GOptionContext) context = make_context(verb, values);
    g_auto(GStrv) arguments = translate(verb, argv, error);
    g_autoptr(GError) wrong = NULL;
    if (!arguments)
        return NULL;
    if (g_option_context_parse_strv(context, &arguments, &wrong))
        return g_steal_pointer(&values);
    suggest(verb, argv + 1, wrong);
    name_letters(argv, wrong);
    g_propagate_error(error, g_steal_pointer(&wrong));
    return NULL;
}

const char *given_twice(Verb verb, char **argv, const OptionId *without)
{
    g_auto(GStrv) words = translate(verb, argv, NULL);
    gboolean there[N_OPTIONS] = {FALSE};
    for (char **word = words; word && *word && strcmp(*word, "--") != 0; word++) {
        const Option *option = find_option(verb, *word);
        if (!option || option->type == TYPE_SWITCH)
            continue;
        if (!strchr(*word, '=') && word[1])
            word++;
        if (option->many || option_among(option->id, without))
            continue;
        if (there[option->id])
            return option->name;
        there[option->id] = TRUE;
    }
    return NULL;
}

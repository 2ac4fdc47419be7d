/* SPDX-License-Identifier: BSD-3-Clause */
/* See build-arguments.h. Numbers are read first: sizes of buffers may be expressions over them. */
#include "cli/build-arguments.h"

#include "cli/build-blocks.h"
#include "cli/build-fields.h"
#include "cli/build-fill.h"
#include "cli/build-variables.h"
#include "cli/fail.h"

#include <string.h>

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

static const PsPtxVariable *param_of(const PsPtxFunction *kernel, guint number)
{
    return kernel->params->pdata[number];
}

char *arguments_describe(const PsPtxFunction *kernel, char **names)
{
    GString *text = g_string_new(NULL);
    for (guint i = 0; i < kernel->params->len; i++) {
        const PsPtxVariable *param = param_of(kernel, i);
        g_string_append_printf(text, "%s%s (", i ? ", " : "",
                               names && names[i] ? names[i] : param->name);
        if (fields_has(param))
            g_string_append_printf(text, "%" G_GUINT64_FORMAT " bytes)", param->size);
        else
            g_string_append_printf(text, ".%s)", ps_ptx_type_name(param->type));
    }
    if (!kernel->params->len)
        g_string_append(text, "none");
    return g_string_free(text, FALSE);
}

/* ---- whose text it is ---------------------------------------------------------------------- */

/* The number of the parameter that is certainly called so, or -1. */
static int find(const PsPtxFunction *kernel, char **names, const char *name)
{
    guint64 number;
    for (guint i = 0; names && i < kernel->params->len; i++)
        if (g_strcmp0(names[i], name) == 0)
            return (int)i;
    for (guint i = 0; i < kernel->params->len; i++)
        if (strcmp(param_of(kernel, i)->name, name) == 0)
            return (int)i;
    if (kernel->params->len &&
        g_ascii_string_to_unsigned(name, 10, 0, kernel->params->len - 1, &number, NULL))
        return (int)number;
    return -1;
}

int arguments_find(const Arguments *arguments, const PsPtxFunction *kernel, const char *what,
                   const char *name, GError **error)
{
    const int found = find(kernel, arguments->names, name);
    if (found >= 0)
        return found;
    g_autoptr(GPtrArray) names = g_ptr_array_new();
    for (guint i = 0; i < arguments->n; i++)
        g_ptr_array_add(names, arguments->names[i]);
    g_autofree char *all = arguments_describe(kernel, arguments->names),
                    *near = ps_did_you_mean(name, names), *shown = ps_ptx_kernel_name(kernel);
    usage_error(error, "%s: kernel %s has no argument '%s'; its arguments are: %s%s", what, shown,
                name, all, near);
    return -1;
}

/* A buffer whose address is a field of a struct. */
static gboolean find_dump_field(const Arguments *arguments, guint number, guint64 offset,
                                ArgumentDump *dump, GError **error)
{
    const PsPtxField *field = fields_find(&arguments->values[number], offset);
    if (!field)
        return usage_error(error, "--dump %s+%" G_GUINT64_FORMAT ": this field is no buffer",
                           arguments->names[number], offset);
    blocks_finish(field->blocks);
    dump->data = field->data;
    dump->size = field->size;
    return TRUE;
}

gboolean arguments_find_dump(const Arguments *arguments, const PsPtxFunction *kernel,
                             const char *text, ArgumentDump *dump, GError **error)
{
    const char *equals = strchr(text, '=');
    g_autofree char *name = NULL;
    guint64 offset;
    const gboolean field = fields_split(text, &name, &offset, &dump->file);
    if (!field && equals) {
        name = g_strndup(text, (gsize)(equals - text));
        dump->file = equals + 1;
    }
    if (!name || !*name || !*dump->file)
        return usage_error(error, "--dump '%s': write NAME=FILE", text);
    const int number = arguments_find(arguments, kernel, "--dump", name, error);
    if (number < 0)
        return FALSE;
    if (field)
        return find_dump_field(arguments, (guint)number, offset, dump, error);
    blocks_finish(arguments->values[number].blocks);
    dump->data = arguments->values[number].data;
    dump->size = arguments->values[number].size;
    return dump->data || usage_error(error, "--dump %s: this argument is no buffer", name);
}

static gboolean is_field(const char *text)
{
    g_autofree char *name = NULL;
    const char *rest;
    guint64 offset;
    return fields_split(text, &name, &offset, &rest);
}

/* The name in front of "=" (g_free); NULL where there is none: values may hold "=", too. */
static char *name_in(const char *text)
{
    gsize length = 0;
    while (g_ascii_isalnum(text[length]) || (guint8)text[length] >= 0x80 ||
           (text[length] && strchr("_$%.", text[length])))
        length++;
    return length && text[length] == '=' ? g_strndup(text, length) : NULL;
}

static gboolean take(Taking *taking, guint number, const char *text, const char *value,
                     GError **error)
{
    if (taking->texts[number])
        return usage_error(error, "--arg %s: %s has a value already", text,
                           taking->arguments->names[number]);
    taking->texts[number] = value;
    return TRUE;
}

/* The next parameter that has no value gets it. */
static gboolean take_next(Taking *taking, const char *name, const char *text, const char *value,
                          GError **error)
{
    Arguments *arguments = taking->arguments;
    guint next = 0;
    while (next < arguments->n && (taking->texts[next] || taking->in_parts[next]))
        next++;
    if (next == arguments->n) {
        g_autofree char *all = arguments_describe(taking->kernel, arguments->names),
                        *shown = ps_ptx_kernel_name(taking->kernel);
        return usage_error(error, "--arg %s: kernel %s has no more arguments; they are: %s", text,
                           shown, all);
    }
    if (name) {
        g_string_append_printf(taking->guessed, "%s%s is %s", taking->guessed->len ? ", " : "",
                               name, arguments->names[next]);
        g_free(arguments->names[next]);
        arguments->names[next] = g_strdup(name);
    }
    return take(taking, next, text, value, error);
}

/* The module's variable that is called so, unless a parameter is. */
static PsPtxVariable *variable_of(const Taking *taking, const char *name, int number)
{
    return name && number < 0 ? variables_find(taking->module, name) : NULL;
}

/* A text that two kernels are given, and that says by its name that it is none of this one's. */
static gboolean is_anothers(const Taking *taking, const char *text)
{
    g_autofree char *name = NULL;
    const char *rest;
    guint64 offset;
    const gboolean field = fields_split(text, &name, &offset, &rest);
    if (!field)
        name = name_in(text);
    const int number = name ? find(taking->kernel, taking->arguments->names, name) : -1;
    return name && number < 0 && (field || taking->named) && !variable_of(taking, name, number);
}

/* The texts but for those of the common ones that are another kernel's; borrowed (g_free). */
static char **own_texts(const Taking *taking, char **texts, char **common)
{
    char **own = g_new0(char *, (texts ? g_strv_length(texts) : 0) + 1);
    guint n = 0;
    for (; texts && *texts; texts++) {
        if (common && g_strv_contains((const char *const *)common, *texts) &&
            is_anothers(taking, *texts))
            g_ptr_array_add(taking->arguments->lacking, g_strdup(*texts));
        else
            own[n++] = *texts;
    }
    return own;
}

/* Structs of which fields are given are none of those that lack a value. */
static gboolean mark_parts(Taking *taking, char **texts, GError **error)
{
    for (; texts && *texts; texts++) {
        g_autofree char *name = NULL;
        const char *rest;
        guint64 offset;
        if (!fields_split(*texts, &name, &offset, &rest))
            continue;
        const int number = arguments_find(taking->arguments, taking->kernel, "--arg", name, error);
        if (number < 0)
            return FALSE;
        taking->in_parts[number] = TRUE;
    }
    return TRUE;
}

/* First what is certain, then the others in their order. */
static gboolean take_all(Taking *taking, char **texts, gboolean certain, GError **error)
{
    for (; texts && *texts; texts++) {
        if (is_field(*texts))
            continue;
        g_autofree char *name = name_in(*texts);
        const int number = name ? find(taking->kernel, taking->arguments->names, name) : -1;
        const char *value = name ? *texts + strlen(name) + 1 : *texts;
        if (variable_of(taking, name, number))
            continue;
        if (certain && number >= 0) {
            if (!take(taking, (guint)number, *texts, value, error))
                return FALSE;
        } else if (certain && name && taking->named) {
            return arguments_find(taking->arguments, taking->kernel, "--arg", name, error) >= 0;
        } else if (!certain && number < 0 && !take_next(taking, name, *texts, value, error)) {
            return FALSE;
        }
    }
    return TRUE;
}

/* ---- values -------------------------------------------------------------------------------- */

static void into_scope(Arguments *arguments, guint number, const char *text)
{
    PsRational value;
    gint64 integer;
    const char *name = arguments->names[number];
    if (!ps_expr_is_name(name))
        return;
    if (g_str_has_prefix(text, "0x")) {
        integer = (gint64)g_ascii_strtoull(text, NULL, 16);
        ps_scope_set(arguments->scope, name, PS_RATIONAL_INT(integer));
    } else if (ps_rational_parse(text, &value)) {
        ps_scope_set(arguments->scope, name, value);
    }
}

static gboolean read_number(Taking *taking, guint number, GError **error)
{
    Arguments *arguments = taking->arguments;
    const PsPtxVariable *param = param_of(taking->kernel, number);
    const char *text = taking->texts[number];
    g_autofree char *what = g_strdup_printf("--arg %s", arguments->names[number]);
    if (fields_has(param))
        return usage_error(error,
                           "%s: this argument is a struct of %" G_GUINT64_FORMAT
                           " bytes; give them by @FILE, zero:BYTES or ramp:BYTES:TYPE, or each "
                           "field by its place, such as %s+0=VALUE",
                           what, param->size, arguments->names[number]);
    if (!fill_number(what, text, param->type, &arguments->values[number].bits, error))
        return FALSE;
    into_scope(arguments, number, text);
    return TRUE;
}

/* The bytes of a struct that is passed by value. */
static gboolean take_struct(PsPtxArgument *value, const PsPtxVariable *param, const char *what,
                            GError **error)
{
    if (value->size != param->size)
        return usage_error(error,
                           "%s: this argument has %" G_GUINT64_FORMAT " bytes, and %" G_GSIZE_FORMAT
                           " were given",
                           what, param->size, value->size);
    if (value->size <= 8)
        memcpy(&value->bits, value->data, value->size);
    value->bytes = g_steal_pointer(&value->data);
    return TRUE;
}

static gboolean read_buffer(Taking *taking, guint number, GError **error)
{
    Arguments *arguments = taking->arguments;
    PsPtxArgument *value = &arguments->values[number];
    const PsPtxVariable *param = param_of(taking->kernel, number);
    g_autofree char *what = g_strdup_printf("--arg %s", arguments->names[number]);
    if (!fields_has(param) && ps_ptx_type_size(param->type) < 4)
        return usage_error(error,
                           "%s: an argument of the type .%s is no address of a buffer; give a "
                           "number",
                           what, ps_ptx_type_name(param->type));
    if (!fields_has(param) && ps_ptx_type_size(param->type) == 4 && taking->kernel->params->len &&
        (param->type == PS_PTX_F32 || !param->pointer))
        return usage_error(error,
                           "%s: an argument of the type .%s is no address of a buffer; give a "
                           "number",
                           what, ps_ptx_type_name(param->type));
    if (fields_has(param)) {
        value->data = fill_make(what, taking->texts[number], arguments->scope, &value->size, error);
        return value->data && take_struct(value, param, what, error);
    }
    value->data = fill_make_later(what, taking->texts[number], arguments->scope, &value->size,
                                  &value->blocks, error);
    return value->data != NULL;
}

static gboolean read_all(Taking *taking, gboolean buffers, GError **error)
{
    for (guint i = 0; i < taking->arguments->n; i++)
        if (taking->texts[i] && fill_is(taking->texts[i]) == buffers &&
            !(buffers ? read_buffer : read_number)(taking, i, error))
            return FALSE;
    return TRUE;
}

/* The same field before? */
static gboolean is_repeated(char **texts, char *const *text)
{
    const gsize length = (gsize)(strchr(*text, '=') - *text) + 1;
    for (; texts < (char **)text; texts++)
        if (strncmp(*texts, *text, length) == 0)
            return TRUE;
    return FALSE;
}

/* Texts are those of the command line, as below. */
static gboolean set_fields(const Taking *taking, char **texts, GError **error)
{
    Arguments *arguments = taking->arguments;
    FieldsOf of = {.kernel = taking->kernel,
                   .address_size = taking->module->address_size / 8,
                   .scope = arguments->scope};
    for (char **text = texts; text && *text; text++) {
        g_autofree char *name = NULL;
        const char *rest;
        guint64 offset;
        if (!fields_split(*text, &name, &offset, &rest))
            continue;
        if (is_repeated(texts, text))
            return usage_error(error, "--arg %s: this field has a value already", *text);
        const int number = find(taking->kernel, arguments->names, name);
        g_autofree char *what = g_strdup_printf("--arg %s+%" G_GUINT64_FORMAT, name, offset);
        of.param = param_of(taking->kernel, (guint)number);
        if (!fields_set(&of, &arguments->values[number], what, offset, rest, error))
            return FALSE;
    }
    return TRUE;
}

static gboolean set_variables(const Taking *taking, char **texts, GError **error)
{
    for (; texts && *texts; texts++) {
        g_autofree char *name = name_in(*texts);
        const int number = name ? find(taking->kernel, taking->arguments->names, name) : -1;
        PsPtxVariable *variable = variable_of(taking, name, number);
        if (variable && !variables_set(taking->module, variable, *texts + strlen(name) + 1,
                                       taking->arguments->scope, error))
            return FALSE;
    }
    variables_warn(taking->options, taking->module, taking->kernel);
    return TRUE;
}

/* ---- what may be missing -------------------------------------------------------------------- */

/* What a kernel may find in memory that its compiler added; of how much it uses nobody tells. */
#define SCRATCH_BYTES (16 * 1024 * 1024)

/* Whether zeros will do for the parameter, which it gets then: it is never read, or memory that the
 * compiler added. */
static gboolean fill_with_zeros(Taking *taking, guint number)
{
    PsPtxArgument *value = &taking->arguments->values[number];
    const PsPtxVariable *param = param_of(taking->kernel, number);
    const PsPtxRole role = ps_ptx_role(taking->kernel, taking->arguments->names, number);
    if (!ps_ptx_is_read(taking->kernel, param)) {
        value->bytes = fields_has(param) ? g_malloc0(param->size) : NULL;
        value->size = fields_has(param) ? param->size : 0;
        return TRUE;
    }
    if (role != PS_PTX_ROLE_SCRATCH && role != PS_PTX_ROLE_PROFILE)
        return FALSE;
    value->data = g_malloc0(SCRATCH_BYTES);
    value->size = SCRATCH_BYTES;
    return TRUE;
}

static void fill_missing(Taking *taking)
{
    GString *zeros = taking->zeros;
    for (guint i = 0; i < taking->arguments->n; i++) {
        if (taking->texts[i] || taking->in_parts[i])
            continue;
        taking->in_parts[i] = fill_with_zeros(taking, i);
        if (taking->in_parts[i])
            g_string_append_printf(zeros, "%s%s%s", zeros->len ? ", " : "",
                                   taking->arguments->names[i],
                                   taking->arguments->values[i].data ? " (16M)" : "");
    }
}

static void say_zeros(const Taking *taking)
{
    g_autofree char *text =
        g_strdup_printf("arguments that were not given are zeros: %s", taking->zeros->str);
    if (taking->zeros->len && build_says(taking->options, text))
        note(text);
}

/* ---- all of it ----------------------------------------------------------------------------- */

static gboolean check_missing(const Taking *taking, GError **error)
{
    g_autoptr(GString) missing = g_string_new(NULL);
    for (guint i = 0; i < taking->arguments->n; i++)
        if (!taking->texts[i] && !taking->in_parts[i])
            g_string_append_printf(missing, "%s%s", missing->len ? ", " : "",
                                   taking->arguments->names[i]);
    if (!missing->len)
        return TRUE;
    g_autofree char *all = arguments_describe(taking->kernel, taking->arguments->names),
                    *shown = ps_ptx_kernel_name(taking->kernel);
    return usage_error(
        error,
        "kernel %s lacks values for %s; its arguments are: %s. Give each by --arg "
        "NAME=VALUE, where VALUE is a number, zero:BYTES, ramp:BYTES, random:BYTES or "
        "@FILE",
        shown, missing->str, all);
}

static void warn_of_guess(const Taking *taking)
{
    if (!taking->guessed->len)
        return;
    g_autofree char *shown = ps_ptx_kernel_name(taking->kernel);
    g_autofree char *text =
        g_strdup_printf("the source of kernel %s was not found, so its arguments are taken in the "
                        "order in which they are given: %s",
                        shown, taking->guessed->str);
    build_warn(taking->options, text);
}

static gboolean fill_in(Taking *taking, char **texts, GError **error)
{
    if (!mark_parts(taking, texts, error) || !take_all(taking, texts, TRUE, error) ||
        !take_all(taking, texts, FALSE, error))
        return FALSE;
    fill_missing(taking);
    if (!check_missing(taking, error))
        return FALSE;
    say_zeros(taking);
    warn_of_guess(taking); /* which may be why a value does not fit */
    if (!read_all(taking, FALSE, error) || !read_all(taking, TRUE, error) ||
        !set_fields(taking, texts, error) || !set_variables(taking, texts, error))
        return FALSE;
    for (guint i = 0; i < taking->arguments->n; i++)
        taking->arguments->values[i].name = taking->arguments->names[i];
    return TRUE;
}

Arguments *arguments_new(const BuildModule *module, const PsPtxFunction *kernel,
                         const BuildOptions *options, GError **error)
{
    const guint n = kernel->params->len;
    g_auto(GStrv) known = build_module_names(module, kernel);
    g_autoptr(Arguments) arguments = g_new0(Arguments, 1);
    arguments->n = n;
    arguments->values = g_new0(PsPtxArgument, n + 1);
    arguments->names = g_new0(char *, n + 1);
    arguments->scope = ps_scope_new();
    arguments->lacking = g_ptr_array_new_with_free_func(g_free);
    for (guint i = 0; i < n; i++)
        arguments->names[i] =
            known ? g_strdup(known[i]) : ps_ptx_parameter_name(kernel, param_of(kernel, i));
    g_autofree const char **given = g_new0(const char *, n + 1);
    g_autofree gboolean *in_parts = g_new0(gboolean, n + 1);
    Taking taking = {.options = options,
                     .module = module->module,
                     .kernel = kernel,
                     .arguments = arguments,
                     .texts = given,
                     .in_parts = in_parts,
                     .named = known != NULL,
                     .guessed = g_string_new(NULL),
                     .zeros = g_string_new(NULL)};
    g_autofree char **own = own_texts(&taking, options->arguments, options->common);
    const gboolean done = fill_in(&taking, own, error);
    g_string_free(taking.guessed, TRUE);
    g_string_free(taking.zeros, TRUE);
    return done ? g_steal_pointer(&arguments) : NULL;
}

void arguments_free(Arguments *arguments)
{
    if (!arguments)
        return;
    for (guint i = 0; i < arguments->n; i++) {
        blocks_free(arguments->values[i].blocks);
        g_free(arguments->values[i].data);
        g_free((void *)arguments->values[i].bytes);
        fields_clear(&arguments->values[i]);
    }
    g_free(arguments->values);
    g_strfreev(arguments->names);
    ps_scope_free(arguments->scope);
    g_ptr_array_unref(arguments->lacking);
    g_free(arguments);
}

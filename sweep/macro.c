/* SPDX-License-Identifier: BSD-3-Clause */
/* See macro.h. */
#include "sweep/macro.h"

#include "base/nearest.h"
#include "base/usage.h"

/* TRUE if a text has the name as a word. */
static gboolean has_name(const char *text, const char *name)
{
    g_autofree char *quoted = g_regex_escape_string(name, -1);
    g_autofree char *pattern = g_strdup_printf("\\b%s\\b", quoted);
    return text && g_regex_match_simple(pattern, text, G_REGEX_RAW, 0);
}

/* TRUE if the code may include files other than the compiler's: by a name in quotes, or by options
 * that give a folder or a file (-I, -include, -isystem). */
static gboolean may_include_more(const char *code, char **compiler)
{
    for (char **word = compiler; word && *word; word++)
        if (g_str_has_prefix(*word, "-I") || g_str_has_prefix(*word, "-i") ||
            g_str_has_prefix(*word, "--include") || g_str_has_prefix(*word, "--pre-include"))
            return TRUE;
    return g_regex_match_simple("^\\s*#\\s*include\\s*\"", code, G_REGEX_RAW | G_REGEX_MULTILINE,
                                0);
}

/* "; did you mean block?", or a hint for options that are not varied (g_free). */
static char *what_is_varied(const PsSweepAsked *asked, const char *name)
{
    static const char *const varied[] = {"block", "grid", "active", "groups", "group-size"};
    g_autoptr(GPtrArray) names = g_ptr_array_new();
    if (g_ascii_strcasecmp(name, "gpu") == 0)
        return g_strdup_printf("; several GPUs are %sgpu A %sgpu B", asked->prefix, asked->prefix);
    if (g_ascii_strcasecmp(name, "registers") == 0 || g_ascii_strcasecmp(name, "threads") == 0)
        return g_strdup_printf("; %s%s is not varied: sweep once with each", asked->prefix, name);
    for (guint i = 0; i < G_N_ELEMENTS(varied); i++)
        g_ptr_array_add(names, (gpointer)varied[i]);
    return ps_did_you_mean(name, names);
}

/* Refuses a macro that neither the code nor the launch names, since it changes nothing; included
 * files may name it. */
static gboolean check_named(const PsSweepAsked *asked, const char *file, const PsSweepAxis *vary,
                            GError **error)
{
    const PsCodeOptions *build = asked->code;
    g_autofree char *code = NULL;
    if (!g_file_get_contents(file, &code, NULL, NULL) || may_include_more(code, build->compiler))
        return TRUE;
    gboolean named = has_name(code, vary->name) || has_name(build->grid, vary->name) ||
                     has_name(build->threads, vary->name) || has_name(build->block, vary->name);
    for (char **word = build->arguments; word && *word; word++)
        named |= has_name(*word, vary->name);
    for (char **word = build->compiler; word && *word; word++)
        named |= has_name(*word, vary->name);
    g_autofree char *near = named ? NULL : what_is_varied(asked, vary->name);
    return named || ps_usage_error(error,
                                   "%s %s: that is a macro (-D%s=...), which neither %s nor the "
                                   "launch names, so nothing would change%s",
                                   vary->option, vary->name, vary->name, file, near);
}

/* TRUE if a kernel of the source has a parameter of that name: in the last brackets before its
 * body, behind a type. The compiler reports other cases. */
static gboolean is_parameter(const char *code, const char *name)
{
    g_autofree char *quoted = g_regex_escape_string(name, -1);
    g_autofree char *pattern = g_strdup_printf(
        "\\b(__global__|__kernel|kernel)\\b[^;{}]*\\([^(){};]*(\\w\\s+|[*&]\\s*)%s\\s*"
        "(\\[[^\\]]*\\]\\s*)?(,[^(){};]*)?\\)\\s*\\{",
        quoted);
    return g_regex_match_simple(pattern, code, G_REGEX_RAW, 0);
}

/* Refuses a macro with a parameter's name: it would replace that name everywhere, in the compiler's
 * headers, too. */
static gboolean check_no_parameter(const PsSweepAsked *asked, const char *file,
                                   const PsSweepAxis *vary, GError **error)
{
    g_autofree char *code = NULL;
    return !g_file_get_contents(file, &code, NULL, NULL) || !is_parameter(code, vary->name) ||
           ps_usage_error(error,
                          "%s %s: that is a parameter of a kernel in %s, and a list of its values "
                          "replaces that of %sarg: write %sarg %s=%s, too",
                          vary->option, vary->name, file, asked->prefix, asked->prefix, vary->name,
                          vary->name);
}

gboolean ps_sweep_macro_check(const PsSweepAsked *asked, const char *file, const PsSweepAxis *vary,
                              GError **error)
{
    return vary->kind != PS_SWEEP_AXIS_MACRO ||
           (check_no_parameter(asked, file, vary, error) && check_named(asked, file, vary, error));
}

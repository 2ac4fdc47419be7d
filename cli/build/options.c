/* SPDX-License-Identifier: BSD-3-Clause */
/* See build-options.h. */
#include "cli/build/options.h"

#include "cli/fail.h"

#include <string.h>

/* No GPU has as many. */
#define MOST_REGISTERS 1024
#define MOST_SHARED (64 * 1024 * 1024)

/* The command line's switches are in the order of the rules. */
G_STATIC_ASSERT(RAW_RULES == PS_BUILD_N_RULES);

gboolean build_is_code(const char *name)
{
    static const char *const endings[] = {".ptx", ".cu", ".cl"};
    for (guint i = 0; i < G_N_ELEMENTS(endings); i++)
        if (g_str_has_suffix(name, endings[i]) && strlen(name) > strlen(endings[i]))
            return TRUE;
    return FALSE;
}

static gboolean parse_shared(const char *text, guint64 *bytes, GError **error)
{
    *bytes = 0;
    return !text || (ps_launch_bytes(text, bytes) && *bytes <= MOST_SHARED) ||
           usage_error(error, "--shared: '%s' is no number of bytes up to 64M, such as 16K", text);
}

/* "84", "84,agpr=32", "84,agpr=32,sgpr=96": of a thread, and what AMD's compilers report besides.
 */
static gboolean parse_numbers(const char *text, BuildOptions *build)
{
    static const char *const names[] = {"", "agpr=", "sgpr="};
    gint64 *const values[] = {&build->registers, &build->accumulators, &build->scalar_registers};
    g_auto(GStrv) parts = g_strsplit(text, ",", -1);
    guint name = 0;
    for (char **part = parts; *part; part++, name++) {
        guint64 number;
        while (name < G_N_ELEMENTS(names) && !g_str_has_prefix(*part, names[name]))
            name++;
        if (name == G_N_ELEMENTS(names) ||
            !g_ascii_string_to_unsigned(*part + strlen(names[name]), 10, 1, MOST_REGISTERS, &number,
                                        NULL))
            return FALSE;
        *values[name] = (gint64)number;
    }
    return build->registers > 0;
}

static gboolean parse_registers(const char *text, BuildOptions *build, GError **error)
{
    build->registers_from = REGISTERS_AUTO;
    if (!text)
        return TRUE;
    if (strcmp(text, "ptxas") == 0 || strcmp(text, "none") == 0) {
        build->registers_from = *text == 'p' ? REGISTERS_PTXAS : REGISTERS_NONE;
        return TRUE;
    }
    build->registers_from = REGISTERS_GIVEN;
    return parse_numbers(text, build) ||
           usage_error(
               error,
               "--registers: '%s' is no number of registers, as in 84 or 84,agpr=32,sgpr=96, "
               "ptxas or none",
               text);
}

static gboolean parse_most(const char *text, guint64 *most, GError **error)
{
    *most = 0;
    return !text || g_ascii_string_to_unsigned(text, 10, 1, G_MAXINT64, most, NULL) ||
           usage_error(error, "--max-instructions: '%s' is no whole number above 0", text);
}

static gboolean parse_compiler(const char *text, char ***options, GError **error)
{
    g_autoptr(GError) why = NULL;
    *options = NULL;
    if (text && !g_shell_parse_argv(text, NULL, options, &why) &&
        !g_error_matches(why, G_SHELL_ERROR, G_SHELL_ERROR_EMPTY_STRING))
        return usage_error(error, "--compiler-options: '%s': %s", text, why->message);
    if (!*options)
        *options = g_new0(char *, 1);
    return TRUE;
}

gboolean build_options_parse(Raw *raw, BuildOptions *build, GError **error)
{
    if (raw->list && *raw->list && strcmp(raw->list, "mangled") != 0)
        return usage_error(error,
                           "--list=%s: write --list, or --list=mangled for names as PTX has "
                           "them",
                           raw->list);
    if (!parse_shared(raw->shared, &build->shared, error) ||
        !parse_registers(raw->registers, build, error) ||
        !parse_most(raw->max_instructions, &build->most_instructions, error) ||
        !parse_compiler(raw->compiler_options, &build->compiler, error))
        return FALSE;
    build->said = g_ptr_array_new_with_free_func(g_free);
    build->list = raw->list != NULL;
    build->mangled = raw->list && *raw->list;
    build->stats = raw->stats;
    build->partial = raw->partial;
    build->kernel = g_strdup(raw->kernel);
    build->grid = g_strdup(raw->grid);
    build->block = g_strdup(raw->block);
    build->samples = g_strdup(raw->sample);
    build->arch = g_strdup(raw->arch);
    build->arguments = g_strdupv(raw->arg);
    build->dumps = g_strdupv(raw->dump);
    for (guint i = 0; i < PS_BUILD_N_RULES; i++)
        build->no_rule[i] = raw->no_rule[i];
    return TRUE;
}

void build_options_clear(BuildOptions *build)
{
    g_free(build->kernel);
    g_free(build->grid);
    g_free(build->block);
    g_free(build->samples);
    g_free(build->arch);
    g_strfreev(build->arguments);
    g_strfreev(build->common);
    g_strfreev(build->dumps);
    g_strfreev(build->compiler);
    g_clear_pointer(&build->said, g_ptr_array_unref);
}

gboolean build_says(const BuildOptions *build, const char *text)
{
    if (g_ptr_array_find_with_equal_func(build->said, text, g_str_equal, NULL))
        return FALSE;
    g_ptr_array_add(build->said, g_strdup(text));
    return TRUE;
}

void build_warn(const BuildOptions *build, const char *text)
{
    if (build_says(build, text))
        warn(text);
}

const char *build_options_given(Verb verb, const Raw *raw)
{
    static const char *const own[] = {"grid",
                                      "block",
                                      "arg",
                                      "shared",
                                      "registers",
                                      "sample",
                                      "arch",
                                      "dump",
                                      "max-instructions",
                                      "partial",
                                      "compiler-options",
                                      "no-moves",
                                      "no-addresses",
                                      "no-merge-loads",
                                      "merge-loads",
                                      "no-loops",
                                      "no-parameters",
                                      "no-specials",
                                      "no-dead",
                                      "no-constants",
                                      "no-frame",
                                      "no-schedule",
                                      NULL};
    if (verb == VERB_BENCH || verb == VERB_VALIDATE)
        return NULL;
    const char *given = raw_any_of(raw, own);
    return given || !raw->kernel || verb == VERB_ROOFLINE ? given : "kernel";
}

gboolean build_options_check(Verb verb, const Raw *raw, char **files, GError **error)
{
    const char *given = build_options_given(verb, raw);
    for (guint i = 0; files && files[i]; i++)
        if (verb == VERB_BUILD || build_is_code(files[i]))
            return TRUE;
    return !given || !files ||
           usage_error(
               error,
               "--%s is for the code of a kernel, a file that ends in .ptx, .cu or .cl, and "
               "'%s' is none",
               given, files[0]);
}

/* SPDX-License-Identifier: BSD-3-Clause */
/* See options.h. */
#include "cli/build/options.h"

#include "cli/fail.h"
#include "cli/system/peek.h"

#include <string.h>

/* No GPU has as many. */
#define MOST_REGISTERS 1024
#define MOST_SHARED (64 * 1024 * 1024)

gboolean build_is_code(const char *name)
{
    static const char *const endings[] = {".ptx", ".cu", ".cl", ".cubin"};
    for (guint i = 0; i < G_N_ELEMENTS(endings); i++)
        if (g_str_has_suffix(name, endings[i]) && strlen(name) > strlen(endings[i]))
            return TRUE;
    return peek_is_machine_code(name);
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

static gboolean parse_memory(const char *text, guint64 *most, GError **error)
{
    *most = 0;
    return !text || (ps_launch_bytes(text, most) && *most > 0) ||
           usage_error(error,
                       "--memory: '%s' is no number of bytes above 0, such as 4096, 64M or 2G",
                       text);
}

#define USUAL_STORE ((guint64)1 << 30)

/* Where results are kept, and how large that may be, the environment says. */
static gboolean open_store(const Value *given, BuildOptions *build, GError **error)
{
    const char *folder = g_getenv("PIPESIM_CACHE"), *size = g_getenv("PIPESIM_CACHE_SIZE");
    g_autofree char *usual = g_build_filename(g_get_user_cache_dir(), "pipesim", NULL);
    guint64 most = USUAL_STORE;
    if (given[OPTION_NO_CACHE].on)
        return TRUE;
    if (size && *size && !ps_launch_bytes(size, &most))
        return usage_error(error,
                           "PIPESIM_CACHE_SIZE: '%s' is no number of bytes, such as 500M or 2G, "
                           "that what is kept may take",
                           size);
    build->store = ps_store_new(folder && *folder ? folder : usual, most);
    return TRUE;
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

static const OptionId NO_RULE[PS_BUILD_N_RULES] = {[PS_BUILD_MOVES] = OPTION_NO_MOVES,
                                                   [PS_BUILD_ADDRESSES] = OPTION_NO_ADDRESSES,
                                                   [PS_BUILD_MERGE_LOADS] = OPTION_NO_MERGE_LOADS,
                                                   [PS_BUILD_LOOPS] = OPTION_NO_LOOPS,
                                                   [PS_BUILD_PARAMETERS] = OPTION_NO_PARAMETERS,
                                                   [PS_BUILD_SPECIALS] = OPTION_NO_SPECIALS,
                                                   [PS_BUILD_DEAD] = OPTION_NO_DEAD,
                                                   [PS_BUILD_CONSTANTS] = OPTION_NO_CONSTANTS,
                                                   [PS_BUILD_FRAME] = OPTION_NO_FRAME,
                                                   [PS_BUILD_SCHEDULE] = OPTION_NO_SCHEDULE};

gboolean build_options_parse(const Value *given, BuildOptions *build, GError **error)
{
    const char *list = given[OPTION_LIST].text;
    if (list && *list && strcmp(list, "mangled") != 0)
        return usage_error(error,
                           "--list=%s: write --list, or --list=mangled for names as PTX has "
                           "them",
                           list);
    if (!parse_shared(given[OPTION_SHARED].text, &build->shared, error) ||
        !parse_registers(given[OPTION_REGISTERS].text, build, error) ||
        !parse_most(given[OPTION_MAX_INSTRUCTIONS].text, &build->most_instructions, error) ||
        !parse_memory(given[OPTION_MEMORY].text, &build->most_memory, error) ||
        !parse_compiler(given[OPTION_COMPILER_OPTIONS].text, &build->compiler, error))
        return FALSE;
    if (!open_store(given, build, error))
        return FALSE;
    build->said = g_ptr_array_new_with_free_func(g_free);
    build->given = given;
    build->list = list != NULL;
    build->mangled = list && *list;
    build->stats = given[OPTION_STATS].on;
    build->partial = given[OPTION_PARTIAL].on;
    build->kernel = given[OPTION_KERNEL].text;
    build->gpu = given[OPTION_GPU].list ? given[OPTION_GPU].list[0] : NULL;
    build->grid = given[OPTION_GRID].text;
    build->threads = given[OPTION_THREADS].text;
    if (build->grid && build->threads)
        return usage_error(error, "--threads says what --grid follows from; leave out one of them");
    build->block = given[OPTION_BLOCK].text;
    build->samples = given[OPTION_SAMPLE].text;
    build->arch = given[OPTION_ARCH].text;
    build->from = !given[OPTION_FROM].text ? CODE_EITHER : CODE_PTX + given[OPTION_FROM].word;
    build->nvdisasm = given[OPTION_NVDISASM].text;
    build->arguments = given[OPTION_ARG].list;
    build->dumps = given[OPTION_DUMP].list;
    for (guint i = 0; i < PS_BUILD_N_RULES; i++)
        build->no_rule[i] = given[NO_RULE[i]].on;
    return TRUE;
}

void build_options_clear(BuildOptions *build)
{
    g_strfreev(build->common);
    g_strfreev(build->compiler);
    g_clear_pointer(&build->said, g_ptr_array_unref);
    g_clear_pointer(&build->store, ps_store_free);
}

#define WARNING "warning: "

void build_tell(const BuildOptions *build, const char *told)
{
    const gboolean warning = g_str_has_prefix(told, WARNING);
    if (build->told)
        g_ptr_array_add(build->told, g_strdup(told));
    if (build->quiet || g_ptr_array_find_with_equal_func(build->said, told, g_str_equal, NULL))
        return;
    g_ptr_array_add(build->said, g_strdup(told));
    if (warning)
        warn(told + strlen(WARNING));
    else
        note(told);
}

void build_note(const BuildOptions *build, const char *text)
{
    build_tell(build, text);
}

void build_warn(const BuildOptions *build, const char *text)
{
    g_autofree char *told = g_strconcat(WARNING, text, NULL);
    build_tell(build, told);
}

gboolean build_options_check(Verb verb, const Value *given, char **files, GError **error)
{
    const char *name = given_for_code(verb, given);
    for (guint i = 0; files && files[i]; i++)
        if (build_is_code(files[i]))
            return TRUE;
    return !name || !files ||
           usage_error(error,
                       "--%s is for the code of a kernel, a file that ends in .ptx, .cu, .cl or "
                       ".cubin, and "
                       "'%s' is none",
                       name, files[0]);
}

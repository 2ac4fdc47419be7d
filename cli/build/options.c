/* SPDX-License-Identifier: BSD-3-Clause */
/* See options.h. */
#include "cli/build/options.h"

#include "cli/fail.h"
#include "cli/profile/child.h"
#include "cli/system/draft.h"
#include "cli/system/interrupt.h"

#include <string.h>

/* No GPU has as many. */
#define MOST_REGISTERS 1024
#define MOST_SHARED (64 * 1024 * 1024)

static gboolean parse_shared(const char *text, guint64 *bytes, GError **error)
{
    *bytes = 0;
    return !text || (ps_launch_bytes(text, bytes) && *bytes <= MOST_SHARED) ||
           usage_error(error, "--shared: '%s' is no number of bytes up to 64M, such as 16K", text);
}

/* "84", "84,agpr=32", "84,agpr=32,sgpr=96": of a thread, and what AMD's compilers report besides.
 */
static gboolean parse_numbers(const char *text, PsCodeOptions *code)
{
    static const char *const names[] = {"", "agpr=", "sgpr="};
    gint64 *const values[] = {&code->registers, &code->accumulators, &code->scalar_registers};
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
    return code->registers > 0;
}

static gboolean parse_registers(const char *text, PsCodeOptions *code, GError **error)
{
    code->registers_from = PS_CODE_REGISTERS_AUTO;
    if (!text)
        return TRUE;
    if (strcmp(text, "ptxas") == 0 || strcmp(text, "none") == 0) {
        code->registers_from = *text == 'p' ? PS_CODE_REGISTERS_PTXAS : PS_CODE_REGISTERS_NONE;
        return TRUE;
    }
    code->registers_from = PS_CODE_REGISTERS_GIVEN;
    return parse_numbers(text, code) ||
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
static gboolean open_store(const Value *given, PsCodeOptions *code, GError **error)
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
    code->store = ps_store_new(folder && *folder ? folder : usual, most);
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

/* "run k.cu --gpu GPU" may have more of these, as a shell is given them (g_free). */
static char *other_options(const Value *given)
{
    static const OptionId later[] = {OPTION_KERNEL, OPTION_GRID, OPTION_THREADS,
                                     OPTION_BLOCK,  OPTION_ARG,  OPTION_FILES};
    g_autoptr(GPtrArray) others = g_ptr_array_new_with_free_func(g_free);
    GString *text = g_string_new(NULL);
    given_add_code(VERB_RUN, given, later, others);
    for (guint i = 0; i < others->len; i++) {
        g_autofree char *quoted = ps_code_quote(others->pdata[i]);
        g_string_append_printf(text, " %s", quoted);
    }
    return g_string_free(text, FALSE);
}

/* ---- who hears of it ------------------------------------------------------------------------- */

static void tell(const char *text, gboolean warning)
{
    (warning ? warn : note)(text);
}

static void begin(const char *what, const char *name, gpointer progress)
{
    progress_begin(progress, what, name);
}

static void end(int signal)
{
    interrupt_die(signal);
}

static const PsCodeHost HOST = {.tools = &draft_host,
                                .compile = child_run_apart,
                                .end = end,
                                .tell = tell,
                                .show = show_command,
                                .begin = begin};

void code_options_set_progress(PsCodeOptions *code, Progress *progress)
{
    code->host.data = progress;
    code->host.hearer = progress_hearer(progress);
}

/* ---- all of it ------------------------------------------------------------------------------- */

gboolean code_options_parse(const Value *given, PsCodeOptions *code, GError **error)
{
    code->host = HOST;
    code->prefix = "--";
    if (!parse_shared(given[OPTION_SHARED].text, &code->shared, error) ||
        !parse_registers(given[OPTION_REGISTERS].text, code, error) ||
        !parse_most(given[OPTION_MAX_INSTRUCTIONS].text, &code->most_instructions, error) ||
        !parse_memory(given[OPTION_MEMORY].text, &code->most_memory, error) ||
        !parse_compiler(given[OPTION_COMPILER_OPTIONS].text, &code->compiler, error) ||
        !open_store(given, code, error))
        return FALSE;
    if (given[OPTION_GRID].text && given[OPTION_THREADS].text)
        return usage_error(error, "--threads says what --grid follows from; leave out one of them");
    code->said = g_ptr_array_new_with_free_func(g_free);
    code->program = g_get_prgname();
    code->gpu = given[OPTION_GPU].list ? given[OPTION_GPU].list[0] : NULL;
    code->more = other_options(given);
    code->partial = given[OPTION_PARTIAL].on;
    code->kernel = given[OPTION_KERNEL].text;
    code->grid = given[OPTION_GRID].text;
    code->threads = given[OPTION_THREADS].text;
    code->block = given[OPTION_BLOCK].text;
    code->samples = given[OPTION_SAMPLE].text;
    code->arch = given[OPTION_ARCH].text;
    code->from = !given[OPTION_FROM].text ? PS_CODE_EITHER : PS_CODE_PTX + given[OPTION_FROM].word;
    code->nvdisasm = given[OPTION_NVDISASM].text;
    code->arguments = given[OPTION_ARG].list;
    for (guint i = 0; i < PS_BUILD_N_RULES; i++)
        code->no_rule[i] = given[NO_RULE[i]].on;
    return TRUE;
}

void code_options_clear(PsCodeOptions *code)
{
    g_strfreev(code->common);
    g_strfreev(code->compiler);
    g_free((char *)code->more);
    g_clear_pointer(&code->said, g_ptr_array_unref);
    g_clear_pointer(&code->store, ps_store_free);
}

gboolean code_options_check(Verb verb, const Value *given, char **files, GError **error)
{
    const char *name = given_for_code(verb, given);
    for (guint i = 0; files && files[i]; i++)
        if (ps_code_is(files[i]))
            return TRUE;
    return !name || !files ||
           usage_error(error,
                       "--%s is for the code of a kernel, a file that ends in .ptx, .cu, .cl or "
                       ".cubin, and "
                       "'%s' is none",
                       name, files[0]);
}

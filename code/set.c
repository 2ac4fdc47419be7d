/* SPDX-License-Identifier: BSD-3-Clause */
/* See set.h. */
#include "code/set.h"

#include "base/count.h"
#include "base/usage.h"

#include <string.h>

/* More registers per thread than any GPU has. */
#define MOST_REGISTERS 1024
#define MOST_SHARED (64 * 1024 * 1024)

/* ---- numbers --------------------------------------------------------------------------------- */

static gboolean set_shared(PsCodeOptions *options, const char *text, GError **error)
{
    guint64 bytes = 0;
    if (text && (!ps_count_parse(text, &bytes) || bytes > MOST_SHARED))
        return ps_usage_error(error, "%sshared: '%s' is no number of bytes up to 64M, such as 16K",
                              options->prefix, text);
    options->shared = bytes;
    return TRUE;
}

static gboolean set_most(PsCodeOptions *options, const char *text, GError **error)
{
    guint64 most = 0;
    if (text && (!ps_count_parse(text, &most) || !most))
        return ps_usage_error(error,
                              "%smax-instructions: '%s' is no whole number above 0, such as 10M",
                              options->prefix, text);
    options->most_instructions = most;
    return TRUE;
}

static gboolean set_memory(PsCodeOptions *options, const char *text, GError **error)
{
    guint64 most = 0;
    if (text && (!ps_count_parse(text, &most) || !most))
        return ps_usage_error(
            error, "%smemory: '%s' is no number of bytes above 0, such as 4096, 64M or 2G",
            options->prefix, text);
    options->most_memory = most;
    return TRUE;
}

/* "84", "84,agpr=32", "84,agpr=32,sgpr=96": registers of a thread, and what AMD's compilers report
 * in addition. */
static gboolean read_registers(const char *text, gint64 values[3])
{
    static const char *const names[] = {"", "agpr=", "sgpr="};
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
        values[name] = (gint64)number;
    }
    return values[0] > 0;
}

static gboolean set_registers(PsCodeOptions *options, const char *text, GError **error)
{
    gint64 values[3] = {0};
    const PsCodeRegisters from = !text                        ? PS_CODE_REGISTERS_AUTO
                                 : strcmp(text, "ptxas") == 0 ? PS_CODE_REGISTERS_PTXAS
                                 : strcmp(text, "none") == 0  ? PS_CODE_REGISTERS_NONE
                                                              : PS_CODE_REGISTERS_GIVEN;
    if (from == PS_CODE_REGISTERS_GIVEN && !read_registers(text, values))
        return ps_usage_error(
            error,
            "%sregisters: '%s' is no number of registers, as in 84 or 84,agpr=32,sgpr=96, ptxas or "
            "none",
            options->prefix, text);
    options->registers_from = from;
    options->registers = values[0];
    options->accumulators = values[1];
    options->scalar_registers = values[2];
    return TRUE;
}

/* ---- words ----------------------------------------------------------------------------------- */

static gboolean set_from(PsCodeOptions *options, const char *text, GError **error)
{
    if (text && strcmp(text, "ptx") != 0 && strcmp(text, "sass") != 0)
        return ps_usage_error(error, "%sfrom: '%s' is neither ptx nor sass", options->prefix, text);
    options->from = !text ? PS_CODE_EITHER : *text == 'p' ? PS_CODE_PTX : PS_CODE_MACHINE;
    return TRUE;
}

gboolean ps_code_words(const PsCodeOptions *options, const char *text, char ***words,
                       GError **error)
{
    g_autoptr(GError) why = NULL;
    *words = NULL;
    return !text || g_shell_parse_argv(text, NULL, words, &why) ||
           g_error_matches(why, G_SHELL_ERROR, G_SHELL_ERROR_EMPTY_STRING) ||
           ps_usage_error(error, "%scompiler-options: '%s': %s", options->prefix, text,
                          why->message);
}

/* ---- all of it ------------------------------------------------------------------------------- */

static const struct {
    const char *name;
    gboolean (*set)(PsCodeOptions *options, const char *text, GError **error);
    gsize text; /* where the text is kept, for options without a function */
} OPTIONS[] = {{"shared", set_shared, 0},
               {"max-instructions", set_most, 0},
               {"memory", set_memory, 0},
               {"registers", set_registers, 0},
               {"from", set_from, 0},
               {"kernel", NULL, G_STRUCT_OFFSET(PsCodeOptions, kernel)},
               {"grid", NULL, G_STRUCT_OFFSET(PsCodeOptions, grid)},
               {"threads", NULL, G_STRUCT_OFFSET(PsCodeOptions, threads)},
               {"block", NULL, G_STRUCT_OFFSET(PsCodeOptions, block)},
               {"sample", NULL, G_STRUCT_OFFSET(PsCodeOptions, samples)},
               {"arch", NULL, G_STRUCT_OFFSET(PsCodeOptions, arch)},
               {"nvdisasm", NULL, G_STRUCT_OFFSET(PsCodeOptions, nvdisasm)}};

static const char *const NO_RULE[PS_BUILD_N_RULES] = {[PS_BUILD_MOVES] = "no-moves",
                                                      [PS_BUILD_ADDRESSES] = "no-addresses",
                                                      [PS_BUILD_MERGE_LOADS] = "no-merge-loads",
                                                      [PS_BUILD_LOOPS] = "no-loops",
                                                      [PS_BUILD_PARAMETERS] = "no-parameters",
                                                      [PS_BUILD_SPECIALS] = "no-specials",
                                                      [PS_BUILD_DEAD] = "no-dead",
                                                      [PS_BUILD_CONSTANTS] = "no-constants",
                                                      [PS_BUILD_FRAME] = "no-frame",
                                                      [PS_BUILD_SCHEDULE] = "no-schedule",
                                                      [PS_BUILD_UNROLL] = "no-unroll"};

/* The switch with that name; NULL: there is none. */
static gboolean *find_switch(PsCodeOptions *options, const char *name)
{
    for (guint i = 0; i < PS_BUILD_N_RULES; i++)
        if (strcmp(name, NO_RULE[i]) == 0)
            return &options->no_rule[i];
    return strcmp(name, "partial") == 0 ? &options->partial
           : strcmp(name, "guess") == 0 ? &options->guess
                                        : NULL;
}

gboolean ps_code_set(PsCodeOptions *options, const char *name, const char *value, GError **error)
{
    gboolean *on = find_switch(options, name);
    if (on) {
        *on = value != NULL;
        return TRUE;
    }
    for (guint i = 0; i < G_N_ELEMENTS(OPTIONS); i++) {
        if (strcmp(name, OPTIONS[i].name) != 0)
            continue;
        if (OPTIONS[i].set)
            return OPTIONS[i].set(options, value, error);
        G_STRUCT_MEMBER(const char *, options, OPTIONS[i].text) = value;
        return TRUE;
    }
    return ps_usage_error(error, "a kernel's code has no option '%s%s'", options->prefix, name);
}

gboolean ps_code_check(const PsCodeOptions *options, GError **error)
{
    return !options->grid || !options->threads ||
           ps_usage_error(error, "%sthreads says what %sgrid follows from; leave out one of them",
                          options->prefix, options->prefix);
}

#define USUAL_STORE ((guint64)1 << 30)

PsStore *ps_code_store(GError **error)
{
    const char *folder = g_getenv("PIPESIM_CACHE"), *size = g_getenv("PIPESIM_CACHE_SIZE");
    g_autofree char *usual = g_build_filename(g_get_user_cache_dir(), "pipesim", NULL);
    guint64 most = USUAL_STORE;
    if (size && *size && !ps_count_parse(size, &most)) {
        ps_usage_error(error,
                       "PIPESIM_CACHE_SIZE: '%s' is no number of bytes, such as 500M or 2G, that "
                       "what is kept may take",
                       size);
        return NULL;
    }
    return ps_store_new(folder && *folder ? folder : usual, most);
}

/* SPDX-License-Identifier: BSD-3-Clause */
/* See configuration.h. */
#include "sweep/configuration.h"

#include "base/tool.h"
#include "code/kept-graph.h"
#include "code/kept.h"
#include "launch/shape.h"

#include <string.h>

/* ---- the launch of a point ------------------------------------------------------------------- */

/* The members of PsCodeOptions that belong to the point. */
typedef struct {
    char *grid, *threads, *block;
    char **arguments;
    GPtrArray *compiler;
} Launch;

static void launch_clear(Launch *launch)
{
    g_free(launch->grid);
    g_free(launch->threads);
    g_free(launch->block);
    g_strfreev(launch->arguments);
    g_ptr_array_unref(launch->compiler);
}

G_DEFINE_AUTO_CLEANUP_CLEAR_FUNC(Launch, launch_clear)

static void substitute(char **text, const char *name, const char *value)
{
    char *with = *text ? ps_launch_substitute(*text, name, value) : NULL;
    g_free(*text);
    *text = with;
}

/* A macro also replaces its name in the launch. An argument's name stands before its "=". */
static void set_macro(Launch *launch, const char *name, const char *value)
{
    g_ptr_array_add(launch->compiler, g_strdup_printf("-D%s=%s", name, value));
    substitute(&launch->grid, name, value);
    substitute(&launch->threads, name, value);
    substitute(&launch->block, name, value);
    for (char **argument = launch->arguments; argument && *argument; argument++) {
        const char *equals = strchr(*argument, '=');
        g_autofree char *start = g_strndup(*argument, equals ? (gsize)(equals + 1 - *argument) : 0);
        char *rest = g_strdup(*argument + strlen(start));
        substitute(&rest, name, value);
        g_free(*argument);
        *argument = g_strconcat(start, rest, NULL);
        g_free(rest);
    }
}

static void set_argument(Launch *launch, const char *name, const char *value)
{
    g_autofree char *start = g_strconcat(name, "=", NULL);
    for (char **argument = launch->arguments; argument && *argument; argument++)
        if (g_str_has_prefix(*argument, start)) {
            g_free(*argument);
            *argument = g_strconcat(start, value, NULL);
        }
}

static void set_value(Launch *launch, const PsSweepAxis *axis, const char *value)
{
    if (axis->kind == PS_SWEEP_AXIS_MACRO)
        set_macro(launch, axis->name, value);
    if (axis->kind == PS_SWEEP_AXIS_ARGUMENT)
        set_argument(launch, axis->name, value);
    char **text = axis->kind == PS_SWEEP_AXIS_GRID    ? &launch->grid
                  : axis->kind == PS_SWEEP_AXIS_BLOCK ? &launch->block
                                                      : NULL;
    if (text) {
        g_free(*text);
        *text = g_strdup(value);
    }
}

/* Sets grids and blocks first, so that macros are replaced in them, too. */
static void launch_init(Launch *launch, const PsSweepAsked *asked, const PsSweepPoint *point)
{
    const PsCodeOptions *code = asked->code;
    *launch = (Launch){g_strdup(code->grid), g_strdup(code->threads), g_strdup(code->block),
                       g_strdupv(code->arguments), g_ptr_array_new_with_free_func(g_free)};
    for (char **word = code->compiler; *word; word++)
        g_ptr_array_add(launch->compiler, g_strdup(*word));
    for (guint macros = 0; macros < 2; macros++)
        for (guint i = 0; i < asked->axes->len; i++) {
            const PsSweepAxis *axis = asked->axes->pdata[i];
            g_autofree char *value = ps_sweep_axis_text(axis, point->values[i]);
            if ((axis->kind == PS_SWEEP_AXIS_MACRO) == macros)
                set_value(launch, axis, value);
        }
    g_ptr_array_add(launch->compiler, NULL);
}

/* ---- another process ------------------------------------------------------------------------- */

static void add(GPtrArray *argv, const char *name, const char *value)
{
    if (value)
        g_ptr_array_add(argv, g_strdup_printf("--%s=%s", name, value));
}

/* The words in a shell's quotes. */
static char *quote_all(const GPtrArray *words)
{
    GString *all = g_string_new(NULL);
    for (guint i = 0; i + 1 < words->len; i++) {
        g_autofree char *quoted = g_shell_quote(words->pdata[i]);
        g_string_append_printf(all, "%s%s", i ? " " : "", quoted);
    }
    return g_string_free(all, FALSE);
}

static GPtrArray *command(const PsSweepAsked *asked, const PsSweepPoint *point,
                          const Launch *launch)
{
    GPtrArray *argv = g_ptr_array_new_with_free_func(g_free);
    g_autofree char *compiler = quote_all(launch->compiler);
    for (char **word = asked->builder; *word; word++)
        g_ptr_array_add(argv, g_strdup(*word));
    add(argv, "gpu", point->gpu_name);
    add(argv, "grid", launch->grid);
    add(argv, "threads", launch->threads);
    add(argv, "block", launch->block);
    for (char **argument = launch->arguments; argument && *argument; argument++)
        add(argv, "arg", *argument);
    if (*compiler)
        add(argv, "compiler-options", compiler);
    g_ptr_array_add(argv, g_strdup("--"));
    g_ptr_array_add(argv, g_strdup(point->file));
    g_ptr_array_add(argv, NULL);
    return argv;
}

/* Sets the error from the compiler's output: its first error, otherwise its own message, which is
 * the last line. */
static void set_failure(const char *said, const GError *why, GError **error)
{
    static const char own[] = "pipesim: ";
    const char *compiler = NULL, *last = "";
    g_autofree char *valid = g_utf8_make_valid(said, -1);
    g_auto(GStrv) lines = g_strsplit(valid, "\n", -1);
    for (char **line = lines; *line; line++) {
        if (g_str_has_prefix(*line, own))
            last = *line + strlen(own);
        else if (!compiler && strstr(*line, "error"))
            compiler = *line;
    }
    g_set_error_literal(error, PS_ERROR, PS_ERROR_VALUE,
                        compiler ? compiler
                        : *last  ? last
                                 : why->message);
}

static PsIdg *build_apart(const PsSweepAsked *asked, const PsSweepPoint *point,
                          const Launch *launch, GPtrArray *told, GError **error)
{
    g_autoptr(GPtrArray) argv = command(asked, point, launch);
    g_auto(GStrv) environment =
        g_environ_setenv(g_get_environ(), PS_SWEEP_BUILD_HANDS_ON, "1", TRUE);
    g_autoptr(GString) written = g_string_new(NULL), said = g_string_new(NULL);
    g_autoptr(GError) why = NULL;
    const PsTool tool = {.host = asked->code->host.tools,
                         .argv = (char **)argv->pdata,
                         .environment = environment,
                         .written = written,
                         .said = said,
                         .asked = TRUE};
    if (!ps_tool_run(&tool, &why)) {
        set_failure(said->str, why, error);
        return NULL;
    }
    g_autoptr(GBytes) bytes = g_string_free_to_bytes(g_steal_pointer(&written));
    PsIdg *idg = ps_kept_graph_unpack(bytes, told);
    if (!idg)
        g_set_error(error, PS_ERROR, PS_ERROR_READ, "%s: its graph cannot be read", point->file);
    return idg;
}

/* The sweep's options with the launch, which is borrowed. */
static PsCodeOptions options_of(const PsSweepAsked *asked, const Launch *launch)
{
    PsCodeOptions code = *asked->code;
    code.grid = launch->grid;
    code.threads = launch->threads;
    code.block = launch->block;
    code.arguments = launch->arguments;
    code.compiler = (char **)launch->compiler->pdata;
    return code;
}

static gboolean is_varied(const PsSweepAsked *asked, PsSweepAxisKind kind)
{
    for (guint i = 0; i < asked->axes->len; i++)
        if (((const PsSweepAxis *)asked->axes->pdata[i])->kind == kind)
            return TRUE;
    return FALSE;
}

/* Compiles the code as for the point, so that the point finds the compiler's result; launches as
 * the user wrote, since the message repeats that. */
gboolean ps_sweep_code_check(const PsSweepAsked *asked, const PsSweepPoint *point, GError **error)
{
    g_auto(Launch) launch = {0};
    launch_init(&launch, asked, point);
    if (asked->code->guess || (launch.block && !ps_launch_block_check(launch.block, NULL)))
        return TRUE;
    PsCodeOptions code = options_of(asked, &launch);
    g_autoptr(GChecksum) key = ps_kept_graph_key(&code, point->file, point->gpu);
    g_autoptr(GBytes) kept = ps_kept_find(&code, key, NULL);
    if (kept)
        return TRUE;
    code.grid = asked->code->grid;
    code.threads = asked->code->threads;
    code.block = asked->code->block;
    code.arguments = asked->code->arguments;
    code.other_grid = is_varied(asked, PS_SWEEP_AXIS_GRID);
    code.other_block = is_varied(asked, PS_SWEEP_AXIS_BLOCK);
    code.host.compile = NULL;
    code.quiet = TRUE;
    g_autoptr(GError) why = NULL;
    if (ps_code_check_launch(&code, point->file, point->gpu, &why) ||
        !g_error_matches(why, PS_ERROR, PS_ERROR_USAGE))
        return TRUE;
    g_propagate_error(error, g_steal_pointer(&why));
    return FALSE;
}

PsIdg *ps_sweep_code_graph(const PsSweepAsked *asked, const PsSweepPoint *point, GPtrArray *told,
                           GError **error)
{
    g_auto(Launch) launch = {0};
    launch_init(&launch, asked, point);
    if (launch.block && !ps_launch_block_check(launch.block, error))
        return NULL; /* this needs no compiler */
    const PsCodeOptions code = options_of(asked, &launch);
    g_autoptr(GChecksum) key = ps_kept_graph_key(&code, point->file, point->gpu);
    g_autoptr(GBytes) kept = ps_kept_find(&code, key, NULL);
    PsIdg *idg = kept ? ps_kept_graph_unpack(kept, told) : NULL;
    return idg ? idg : build_apart(asked, point, &launch, told, error);
}

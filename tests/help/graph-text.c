/* SPDX-License-Identifier: BSD-3-Clause */
#include "tests/help/graph-text.h"

#include "idg/internal.h"

#include <string.h>

#define MOST_ARGUMENTS 8

static const char registers[] = ".reg .pred %p<40>;\n.reg .b16 %h<40>;\n.reg .b32 %r<40>;\n"
                                ".reg .b64 %rd<40>;\n.reg .f32 %f<40>;\n.reg .f64 %fd<40>;\n"
                                ".shared .align 16 .b8 s[4096];\n.shared .align 4 .b8 t[1024];\n";

char *graph_module(const GraphCase *graph)
{
    g_auto(GStrv) list = g_strsplit(graph->arguments ? graph->arguments : "", " ", -1);
    g_autoptr(GString) text = g_string_new(".version 8.0\n");
    g_string_append_printf(text, ".target %s\n.address_size 64\n",
                           graph->target ? graph->target : "sm_100a");
    g_string_append_printf(text, "%s.visible .entry k(", graph->functions ? graph->functions : "");
    for (guint i = 0; list[i]; i++) {
        const gboolean buffer = strchr(list[i], ':') != NULL;
        g_auto(GStrv) parts = g_strsplit_set(list[i], "=:", 2);
        g_string_append_printf(text, "%s.param .%s %s", i > 0 ? ", " : "", buffer ? "u64" : "u32",
                               parts[0]);
    }
    g_string_append_printf(text, ")\n{\n%s%s\nret;\n}\n", registers, graph->ptx);
    return g_strdup(text->str);
}

/* ---- options -------------------------------------------------------------------------------- */

/* Room for what options borrow. */
typedef struct {
    PsPtxArgument arguments[MOST_ARGUMENTS];
    char *names[MOST_ARGUMENTS];
    guint n;
} Arguments;

static void read_arguments(Arguments *arguments, const char *text)
{
    g_auto(GStrv) list = g_strsplit(text ? text : "", " ", -1);
    for (guint i = 0; i < MOST_ARGUMENTS && list[i]; i++) {
        g_auto(GStrv) parts = g_strsplit_set(list[i], "=:", 2);
        const gint64 value = g_ascii_strtoll(parts[1], NULL, 10);
        PsPtxArgument *argument = &arguments->arguments[arguments->n];
        arguments->names[arguments->n++] = g_strdup(parts[0]);
        argument->name = arguments->names[i];
        if (strchr(list[i], ':')) {
            argument->data = g_malloc0((gsize)value);
            argument->size = (gsize)value;
        } else {
            argument->bits = (guint64)value;
        }
    }
}

static void free_arguments(Arguments *arguments)
{
    for (guint i = 0; i < arguments->n; i++) {
        g_free(arguments->names[i]);
        g_free(arguments->arguments[i].data);
    }
}

static const char *const rule_names[PS_BUILD_N_RULES] = {
    [PS_BUILD_MOVES] = "moves",
    [PS_BUILD_ADDRESSES] = "addresses",
    [PS_BUILD_MERGE_LOADS] = "merge-loads",
    [PS_BUILD_LOOPS] = "loops",
    [PS_BUILD_PARAMETERS] = "parameters",
    [PS_BUILD_SPECIALS] = "specials",
    [PS_BUILD_DEAD] = "dead",
    [PS_BUILD_CONSTANTS] = "constants",
    [PS_BUILD_FRAME] = "frame",
    [PS_BUILD_SCHEDULE] = "schedule",
    [PS_BUILD_UNROLL] = "unroll",
};

/* What every kernel has, or nearly every one, is only in the graphs of tests that ask for it. */
static void turn_off_common(PsBuildOptions *options, const char *with)
{
    static const PsBuildRule common[] = {PS_BUILD_CONSTANTS, PS_BUILD_FRAME, PS_BUILD_SCHEDULE,
                                         PS_BUILD_UNROLL};
    g_auto(GStrv) words = g_strsplit(with ? with : "", " ", -1);
    for (gsize i = 0; i < G_N_ELEMENTS(common); i++)
        options->rules[common[i]] =
            g_strv_contains((const char *const *)words, rule_names[common[i]]);
}

static void turn_off(PsBuildOptions *options, const char *without)
{
    g_auto(GStrv) words = g_strsplit(without ? without : "", " ", -1);
    for (int rule = 0; rule < PS_BUILD_N_RULES; rule++)
        if (g_strv_contains((const char *const *)words, rule_names[rule]) ||
            g_strv_contains((const char *const *)words, "all"))
            options->rules[rule] = FALSE;
}

void graph_with_options(const GraphCase *graph, void (*use)(const PsBuildOptions *, gpointer),
                        gpointer data)
{
    g_autoptr(GError) error = NULL;
    g_autofree char *text = graph_module(graph);
    g_autoptr(PsPtxModule) module = ps_ptx_parse(text, strlen(text), "k.ptx", &error);
    Arguments arguments = {0};
    PsBuildOptions options;
    g_assert_no_error(error);
    if (!module)
        return;
    read_arguments(&arguments, graph->arguments);
    ps_build_options_init(&options);
    options.partial = TRUE;
    turn_off_common(&options, graph->with);
    turn_off(&options, graph->without);
    options.module = module;
    options.launch.kernel = ps_ptx_kernel(module, "k", NULL);
    options.launch.arguments = arguments.arguments;
    options.launch.n_arguments = arguments.n;
    options.grid_text[0] = graph->grid_text;
    options.block_text[0] = graph->block_text;
    for (int d = 0; d < 3; d++) {
        options.launch.grid[d] = MAX(1, graph->grid[d]);
        options.launch.block[d] = MAX(1, graph->block[d]);
    }
    use(&options, data);
    free_arguments(&arguments);
}

static void build_it(const PsBuildOptions *options, gpointer data)
{
    g_autoptr(GError) error = NULL;
    PsBuild **build = data;
    *build = ps_build(options, &error);
    g_assert_no_error(error);
}

PsBuild *graph_build(const GraphCase *graph)
{
    PsBuild *build = NULL;
    graph_with_options(graph, build_it, &build);
    return build;
}

/* ---- lines ---------------------------------------------------------------------------------- */

/* What it awaits of other warps: " <- role:x@2". */
static void append_awaits(GString *lines, const GPtrArray *list)
{
    for (guint i = 0; list && i < list->len; i++) {
        const PsIdgAwait *await = list->pdata[i];
        g_string_append_printf(lines, "%s%s:%s", i > 0 ? " " : " <- ", await->role, await->on);
        if (await->per)
            g_string_append_printf(lines, "*%s", ps_expr_text(await->per));
        if (await->every)
            g_string_append_printf(lines, "/%s", ps_expr_text(await->every));
        if (await->before || await->to_all)
            g_string_append_printf(lines, "@%s%s",
                                   await->before ? ps_expr_text(await->before) : "0",
                                   await->to_all ? "..all" : "");
    }
    g_string_append_c(lines, '\n');
}

static void append_body(GString *lines, const GPtrArray *body)
{
    for (guint i = 0; i < body->len; i++) {
        const PsIdgItem *item = body->pdata[i];
        if (item->kind == PS_IDG_LOOP) {
            g_string_append_printf(lines, "loop %s {\n", ps_expr_text(item->times));
            append_body(lines, item->body);
            g_string_append(lines, "}\n");
            continue;
        }
        g_autofree char *after = ps_idg_spell_deps(item->after);
        g_string_append_printf(lines, "%s %s%s%s", item->name, item->class_name, *after ? " " : "",
                               after);
        append_awaits(lines, item->awaits.list);
    }
}

static void build_whole(const PsBuildOptions *given, gpointer data)
{
    GError **error = data;
    PsBuildOptions options = *given;
    options.partial = FALSE;
    g_autoptr(PsBuild) build = ps_build(&options, error);
    g_assert_true(!build == (*error != NULL));
}

void graph_build_whole(const GraphCase *graph, GError **error)
{
    graph_with_options(graph, build_whole, error);
}

char *graph_lines(const PsIdg *idg)
{
    g_autoptr(GString) lines = g_string_new(NULL);
    for (guint i = 0; i < idg->codes->len; i++) {
        const PsIdgCode *code = idg->codes->pdata[i];
        if (code->warps) {
            g_autofree char *warps = ps_idg_spell_warps(code);
            g_string_append_printf(lines, "code %s\n", warps);
        }
        append_body(lines, code->body);
    }
    return g_strdup(lines->str);
}

void graph_assert(const GraphCase *graph, const char *lines)
{
    g_autoptr(PsBuild) build = graph_build(graph);
    if (!build)
        return;
    g_autofree char *actual = graph_lines(build->idg);
    g_assert_cmpstr(actual, ==, lines);
    g_autofree char *xml = ps_idg_write(build->idg);
    g_autoptr(GError) error = NULL;
    g_autoptr(PsIdg) again = ps_idg_parse(xml, strlen(xml), "again", &error);
    g_assert_no_error(error);
    g_assert_nonnull(again);
}

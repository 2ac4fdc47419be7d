/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * The verb build: a graph of a kernel's code, the content of its buffers afterwards, and its mix of
 * instructions; or a list of the file's kernels.
 */
#include "cli/build/graph.h"
#include "cli/check.h"
#include "cli/fail.h"
#include "cli/find.h"
#include "cli/system/output.h"
#include "pipesim-private.h"
#include "cli/system/terminal.h"
#include "cli/verbs.h"

#include <stdlib.h>
#include <string.h>

/* ---- --list -------------------------------------------------------------------------------- */

/* Describes a parameter: its own name if the source has another, or its purpose if the compiler
 * added it; and whether its value matters. */
static char *describe_param(const PsPtxFunction *kernel, char **names, guint number,
                            const char *own)
{
    const PsPtxVariable *param = kernel->params->pdata[number];
    const char *role = ps_ptx_role_text(ps_ptx_role(kernel, names, number)), *what = *role   ? role
                                                                                     : names ? own
                                                                                             : "";
    const gboolean read = ps_ptx_is_read(kernel, param);
    return g_strconcat(what, *what && !read ? "; " : "", read ? "" : "never read", NULL);
}

/* The fields of a struct that the kernel reads, as --arg names them. */
static void list_fields(const PsPtxFunction *kernel, const PsPtxVariable *param, const char *name,
                        PsTable *table)
{
    g_autoptr(GArray) uses = ps_ptx_fields_used(kernel, param);
    for (guint i = 0; i < uses->len; i++) {
        const PsPtxFieldUse *use = &g_array_index(uses, PsPtxFieldUse, i);
        ps_table_add(table, g_strdup_printf("%s+%" G_GUINT64_FORMAT, name, use->offset));
        ps_table_add(table, g_strdup(""));
        ps_table_add(table, g_strdup_printf(".%s", ps_ptx_type_name(use->type)));
        ps_table_add(table, g_strdup(""));
    }
}

static void list_params(const PsPtxFunction *kernel, char **names, gboolean mangled, GString *out)
{
    g_autoptr(PsTable) table = ps_table_new("lrll");
    ps_table_keep_rows(table);
    for (guint i = 0; i < kernel->params->len; i++) {
        const PsPtxVariable *param = kernel->params->pdata[i];
        const gboolean one = param->size == ps_ptx_type_size(param->type);
        g_autofree char *own =
            mangled ? g_strdup(param->name) : ps_ptx_parameter_name(kernel, param);
        ps_table_add(table, g_strdup(names ? names[i] : own));
        ps_table_add(table, g_strdup_printf("%u", i));
        ps_table_add(table, one ? g_strdup_printf(".%s", ps_ptx_type_name(param->type))
                                : g_strdup_printf("%" G_GUINT64_FORMAT " bytes", param->size));
        ps_table_add(table, describe_param(kernel, names, i, own));
        if (ps_ptx_is_struct(param))
            list_fields(kernel, param, names ? names[i] : own, table);
    }
    if (kernel->params->len)
        ps_table_print(table, 2, out);
}

static char *list_kernels(const PsCodeModule *module, gboolean mangled)
{
    GString *out = g_string_new(NULL);
    g_auto(GStrv) shown = ps_ptx_kernel_names(module->module);
    for (guint i = 0; i < module->module->functions->len; i++) {
        const PsPtxFunction *kernel = module->module->functions->pdata[i];
        if (!kernel->entry || !kernel->body)
            continue;
        g_auto(GStrv) names = ps_ptx_find_names(module->module, kernel, module->source, NULL);
        g_string_append_printf(out, "%s\n", mangled ? kernel->name : shown[i]);
        list_params(kernel, names, mangled, out);
    }
    return g_string_free(out, FALSE);
}

/* Cuts a line that a terminal would break: a kernel's in its middle, an argument's at its end. */
static char *fit_lines(const char *text, guint width)
{
    GString *out = g_string_new(NULL);
    g_auto(GStrv) lines = g_strsplit(text, "\n", 0);
    for (guint i = 0; lines[i] && (*lines[i] || lines[i + 1]); i++) {
        g_autofree char *name = ps_format_cut(lines[i], width),
                        *valid = g_utf8_make_valid(lines[i], -1),
                        *start = g_utf8_substring(valid, 0, MIN(g_utf8_strlen(valid, -1), width));
        g_string_append_printf(out, "%s\n", *lines[i] == ' ' ? start : name);
    }
    return g_string_free(out, FALSE);
}

static gboolean list(const Options *options, const PsGpu *gpu, GError **error)
{
    g_autoptr(PsCodeModule) module =
        ps_code_module_load(&options->code, options->files[0], gpu, error);
    if (!module)
        return FALSE;
    ps_code_module_warn(&options->code, module, NULL);
    g_autofree char *text = list_kernels(module, *options->given[OPTION_LIST].text != '\0');
    g_autofree char *fitted =
        terminal_gets(options->output) ? fit_lines(text, terminal_width()) : g_strdup(text);
    return output_write(options->output, fitted, error);
}

/* ---- --stats ------------------------------------------------------------------------------- */

static void add_row(PsTable *table, const char *name, gint64 before, gint64 after)
{
    ps_table_add(table, g_strdup(name));
    ps_table_add(table, ps_format_count(before));
    ps_table_add(table, ps_format_count(after));
}

/* The hit rates that a profiler would show. */
static void append_rates(GString *out, const PsBuildRates *rates)
{
    if (rates->l1 <= 0 || rates->l2 <= 0)
        return;
    g_string_append_printf(out,
                           "\nGlobal memory, sectors found: %.1f %% of those that reach L1, "
                           "%.1f %% of those that reach L2\n",
                           100 * rates->l1_hits / rates->l1, 100 * rates->l2_hits / rates->l2);
}

static char *describe_mix(const PsBuiltGraph *built)
{
    const PsBuild *build = built->build;
    gint64 before = 0, after = 0;
    g_autoptr(PsTable) table = ps_table_new("lrr");
    ps_table_add(table, g_strdup(""));
    ps_table_add(table, g_strdup("before"));
    ps_table_add(table, g_strdup("after"));
    for (guint i = 0; i < build->mix->len; i++) {
        const PsBuildMix *mix = build->mix->pdata[i];
        g_autofree char *name = ps_idg_class_words(build->idg, mix->class_name);
        add_row(table, name, mix->before, mix->after);
        before += mix->before;
        after += mix->after;
    }
    add_row(table, "all", before, after);
    GString *out = g_string_new(NULL);
    g_autofree char *warps = ps_format_count((gint64)build->warp_instructions),
                    *threads = ps_format_count((gint64)build->thread_instructions),
                    *groups = ps_format_count((gint64)build->groups);
    g_string_append_printf(out,
                           "%s: executed %s warp instructions (%s of threads) of %s groups\n\n"
                           "Warp instructions, before and after the rules\n",
                           build->idg->name, warps, threads, groups);
    ps_table_print(table, 2, out);
    append_rates(out, &build->rates);
    return g_string_free(out, FALSE);
}

/* ---- --dump -------------------------------------------------------------------------------- */

/* The names in NAME=FILE texts (g_strfreev). NULL and *error for another text. */
static char **dump_names(char *const *dumps, GError **error)
{
    g_auto(GStrv) names = g_new0(char *, dumps ? g_strv_length((char **)dumps) + 1 : 1);
    for (guint i = 0; dumps && dumps[i]; i++) {
        const char *equals = strchr(dumps[i], '=');
        if (!equals || equals == dumps[i] || !equals[1]) {
            usage_error(error, "--dump '%s': write NAME=FILE", dumps[i]);
            return NULL;
        }
        names[i] = g_strndup(dumps[i], (gsize)(equals - dumps[i]));
    }
    return g_steal_pointer(&names);
}

static gboolean dump_all(const Options *options, const PsBuiltGraph *built, GError **error)
{
    char **dumps = options->given[OPTION_DUMP].list;
    for (guint i = 0; dumps && dumps[i]; i++) {
        gsize size = 0;
        const void *data = g_bytes_get_data(built->dumped->pdata[i], &size);
        if (!output_write_bytes(strchr(dumps[i], '=') + 1, data, size, error))
            return FALSE;
    }
    return TRUE;
}

/* ---- all of it ----------------------------------------------------------------------------- */

/* --stats alone is an answer; then only a file gets the graph. */
static gboolean write_all(const Options *options, const PsBuiltGraph *built, GError **error)
{
    const gboolean stats = options->given[OPTION_STATS].on;
    g_autofree char *graph = NULL, *mix = describe_mix(built);
    for (guint i = 0; i < built->build->warnings->len; i++)
        warn(built->build->warnings->pdata[i]);
    if (!dump_all(options, built, error))
        return FALSE;
    if (!stats || options->output) {
        graph = ps_build_write(built->build, error);
        if (!graph || !output_write(options->output, graph, error))
            return FALSE;
    }
    return !stats || output_write(NULL, mix, error);
}

/* The graph in the form in which it is kept. */
static gboolean hand_on(const Options *options, const PsGpu *gpu, GError **error)
{
    PsCodeOptions with = options->code;
    gsize size;
    g_autoptr(GPtrArray) told = with.told = g_ptr_array_new_with_free_func(g_free);
    with.host.show = NULL; /* a sweep reads what this prints */
    g_autoptr(GChecksum) key = ps_kept_graph_key(&with, options->files[0], gpu);
    g_autoptr(PsBuiltGraph) built = ps_built_graph_new(&with, options->files[0], gpu, error);
    if (!built)
        return FALSE;
    for (guint i = 0; i < built->build->warnings->len; i++)
        ps_code_warn(&with, built->build->warnings->pdata[i]);
    ps_kept_graph_put(&with, key, built);
    g_autoptr(GBytes) bytes = ps_kept_graph_pack(built, told);
    const void *data = g_bytes_get_data(bytes, &size);
    return output_write_bytes(NULL, data, size, error);
}

static gboolean build(const Options *options, const PsGpu *gpu, GError **error)
{
    if (g_getenv(PS_SWEEP_BUILD_HANDS_ON))
        return hand_on(options, gpu, error);
    PsCodeOptions with = options->code;
    g_auto(GStrv) dumps = with.dumps = dump_names(options->given[OPTION_DUMP].list, error);
    g_autoptr(PsBuiltGraph) built =
        dumps ? ps_built_graph_new(&with, options->files[0], gpu, error) : NULL;
    return built && write_all(options, built, error);
}

static gboolean check_list(const Options *options, GError **error)
{
    const char *list = options->given[OPTION_LIST].text;
    return !list || !*list || strcmp(list, "mangled") == 0 ||
           usage_error(
               error, "--list=%s: write --list, or --list=mangled for names as PTX has them", list);
}

static gboolean check(const Options *options, GError **error)
{
    return check_list(options, error) &&
           check_files(options, "kernel's code to build a graph of", error) &&
           check_one_file(options, "", error) && check_one_gpu(options, error) &&
           check_stdin(options, error);
}

int build_verb(const Options *options)
{
    g_autoptr(GError) error = NULL;
    if (!check(options, &error))
        return check_failed(error);
    g_autoptr(PsGpu) gpu = options->gpus ? find_gpu(options->gpus[0], &error) : NULL;
    if (error || !(options->given[OPTION_LIST].text ? list : build)(options, gpu, &error))
        return fail(error);
    return EXIT_SUCCESS;
}

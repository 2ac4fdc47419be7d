/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * The verb list: the GPUs and graphs that have names without a folder, except those of the current
 * folder. A file that cannot be read is left out, with a warning.
 */
#include "cli/list/list.h"

#include "cli/check.h"
#include "cli/fail.h"
#include "cli/find.h"
#include "cli/report/paper.h"
#include "cli/system/output.h"
#include "cli/verbs.h"
#include "pipesim-private.h"

#include <stdlib.h>
#include <string.h>

static void free_gpu(void *gpu)
{
    ps_gpu_free(gpu);
}

static void free_graph(void *idg)
{
    ps_idg_free(idg);
}

static void leave_out(List *list, const GError *error)
{
    char *text = g_strdup_printf("left out: %s", error->message);
    g_ptr_array_add(list->warnings, text);
    warn(text);
}

/* Other files than descriptions may end in .xml. */
static void add_gpu(List *list, const char *path)
{
    g_autoptr(GError) error = NULL;
    gsize length = 0;
    g_autofree char *text = ps_file_read(path, PS_FILE_MAX_BYTES, &length, &error);
    g_autofree char *root = text ? ps_root_element(text, length) : NULL;
    if (root && strcmp(root, "gpu") != 0)
        return;
    PsGpu *gpu = text ? find_parse_gpu(text, length, path, &error) : NULL;
    if (gpu)
        g_ptr_array_add(list->gpus, gpu);
    else
        leave_out(list, error);
}

static void add_graph(List *list, const char *path)
{
    g_autoptr(GError) error = NULL;
    PsIdg *idg = ps_idg_load(path, &error);
    if (idg)
        g_ptr_array_add(list->graphs, idg);
    else
        leave_out(list, error);
}

static void list_clear(List *list)
{
    if (list->gpus)
        g_ptr_array_unref(list->gpus);
    if (list->graphs)
        g_ptr_array_unref(list->graphs);
    g_ptr_array_unref(list->warnings);
}

G_DEFINE_AUTO_CLEANUP_CLEAR_FUNC(List, list_clear)

static void find_gpus(List *list)
{
    g_autoptr(GPtrArray) paths = find_all_gpus();
    list->gpus = g_ptr_array_new_with_free_func(free_gpu);
    for (guint i = 0; i < paths->len; i++)
        add_gpu(list, paths->pdata[i]);
}

static void find_graphs(List *list)
{
    g_autoptr(GPtrArray) paths = find_all_graphs();
    list->graphs = g_ptr_array_new_with_free_func(free_graph);
    for (guint i = 0; i < paths->len; i++)
        add_graph(list, paths->pdata[i]);
}

/* A table has rows of one kind. */
static gboolean check(const Options *options, gboolean gpus, gboolean graphs, GError **error)
{
    if (options->files)
        return usage_error(error, "'%s': list takes no names; --gpus lists GPUs, --graphs graphs",
                           options->files[0]);
    return options->format != FORMAT_CSV || gpus != graphs ||
           usage_error(error, "--format csv writes one table: say --gpus or --graphs");
}

static char *format_list(const List *list, const Options *options)
{
    GString *out = g_string_new(NULL);
    const PsPaper paper = paper_for(options, out);
    g_autoptr(PsTold) facts = list_told(list);
    if (options->format == FORMAT_JSON)
        ps_json_told_document(out, facts);
    else if (options->format == FORMAT_CSV)
        ps_csv_told(out, list->gpus ? PS_VIEW_LIST_GPUS : PS_VIEW_LIST_GRAPHS, facts);
    else
        list_text(list, facts, &paper);
    return g_string_free(out, FALSE);
}

int list_verb(const Options *options)
{
    const gboolean gpus = options->given[OPTION_GPUS].on, graphs = options->given[OPTION_GRAPHS].on;
    g_autoptr(GError) error = NULL;
    if (!check(options, gpus, graphs, &error))
        return check_failed(error);
    g_auto(List) list = {.warnings = g_ptr_array_new_with_free_func(g_free)};
    if (gpus || !graphs)
        find_gpus(&list);
    if (graphs || !gpus)
        find_graphs(&list);
    g_autofree char *text = format_list(&list, options);
    return output_write(options->output, text, &error) ? EXIT_SUCCESS : fail(error);
}

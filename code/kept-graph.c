/* SPDX-License-Identifier: BSD-3-Clause */
/* See kept-graph.h. */
#include "code/kept-graph.h"

#include "code/kept.h"
#include "code/machine.h"
#include "code/source-ptx.h"
#include "code/toolkit.h"
#include "code/triton.h"

#include <glib/gstdio.h>
#include <string.h>

/* The graph's path, text, inputs and messages; then what the text lacks: paths of sources, and the
 * machine instruction and comment of each item. */
#define FORMAT "(aayaayaayaayaaya(uay))"

/* ---- the key ------------------------------------------------------------------------------- */

static void add_number(GChecksum *key, guint64 number)
{
    g_autofree char *text = g_strdup_printf("%" G_GUINT64_FORMAT, number);
    ps_store_key_add(key, text);
}

static void add_options(GChecksum *key, const PsCodeOptions *options)
{
    const char *const texts[] = {options->prefix,  options->kernel, options->grid,
                                 options->threads, options->block,  options->samples};
    for (guint i = 0; i < G_N_ELEMENTS(texts); i++)
        ps_store_key_add(key, texts[i]);
    ps_store_key_add_list(key, (const char *const *)options->arguments);
    ps_store_key_add_list(key, (const char *const *)options->common);
    const guint64 numbers[] = {options->shared,
                               options->registers_from,
                               (guint64)options->registers,
                               (guint64)options->accumulators,
                               (guint64)options->scalar_registers,
                               options->most_instructions,
                               options->most_memory,
                               options->partial,
                               options->guess,
                               options->from};
    for (guint i = 0; i < G_N_ELEMENTS(numbers); i++)
        add_number(key, numbers[i]);
    for (guint i = 0; i < PS_BUILD_N_RULES; i++)
        add_number(key, options->no_rule[i]);
}

GChecksum *ps_kept_graph_key(const PsCodeOptions *options, const char *name, const PsGpu *gpu)
{
    static const char *const tools[] = {"ptxas", "nvdisasm"};
    const PsCodeSource source = {.path = name, .gpu = gpu, .build = options};
    g_autofree char *text = gpu ? ps_gpu_write(gpu) : NULL,
                    *nvdisasm = ps_machine_code_nvdisasm(options),
                    *cuobjdump = ps_toolchain_find("cuobjdump");
    g_autofree char *triton = ps_triton_beside(name, NULL);
    GChecksum *key = ps_store_key_new("graph 3");
    GStatBuf is;
    ps_store_key_add_self(key);
    ps_store_key_add(key, text);
    ps_store_key_add(key, triton);
    /* A message on a source that is newer than the code (ptx/names.h) depends on this time. */
    add_number(key, g_stat(name, &is) == 0 ? (guint64)is.st_mtime : 0);
    ps_source_ptx_add_to_key(&source, key);
    add_options(key, options);
    ps_store_key_add(key, options->nvdisasm);
    ps_store_key_add_program(key, nvdisasm);
    ps_store_key_add_program(key, cuobjdump);
    for (guint i = 0; i < G_N_ELEMENTS(tools); i++) {
        g_autoptr(GPtrArray) all = ps_toolkit_all(tools[i]);
        for (guint k = 0; k < all->len; k++)
            ps_store_key_add_program(key, all->pdata[k]);
    }
    return key;
}

/* ---- bytes --------------------------------------------------------------------------------- */

static GVariant *text_of(const char *text)
{
    return g_variant_new_bytestring_array(&text, text ? 1 : 0);
}

static GVariant *texts_of(const GPtrArray *texts)
{
    return g_variant_new_bytestring_array((const char *const *)texts->pdata, (gssize)texts->len);
}

/* Each name and the path that the code states; "" if it states several. */
static GVariant *sources_of(const PsIdg *idg)
{
    g_autoptr(GPtrArray) texts = g_ptr_array_new();
    GHashTableIter iter;
    gpointer name, path;
    g_hash_table_iter_init(&iter, idg->stated_paths);
    while (g_hash_table_iter_next(&iter, &name, &path)) {
        g_ptr_array_add(texts, name);
        g_ptr_array_add(texts, path ? path : (gpointer) "");
    }
    return texts_of(texts);
}

/* Lists items in program order, those of loops behind them. */
static void list_items(const GPtrArray *body, GPtrArray *items)
{
    for (guint i = 0; i < body->len; i++) {
        PsIdgItem *item = body->pdata[i];
        g_ptr_array_add(items, item);
        if (item->kind == PS_IDG_LOOP)
            list_items(item->body, items);
    }
}

static GPtrArray *items_of(const PsIdg *idg)
{
    GPtrArray *items = g_ptr_array_new();
    for (guint i = 0; i < idg->codes->len; i++)
        list_items(((const PsIdgCode *)idg->codes->pdata[i])->body, items);
    return items;
}

static GVariant *lacking_of(const PsIdg *idg)
{
    g_autoptr(GPtrArray) items = items_of(idg);
    GVariantBuilder builder;
    g_variant_builder_init(&builder, G_VARIANT_TYPE("a(uay)"));
    for (guint i = 0; i < items->len; i++) {
        const PsIdgItem *item = items->pdata[i];
        g_variant_builder_add(&builder, "(u^ay)", item->instruction,
                              item->comment ? item->comment : "");
    }
    return g_variant_builder_end(&builder);
}

GBytes *ps_kept_graph_pack(const PsBuiltGraph *built, const GPtrArray *told)
{
    const PsIdg *idg = built->build->idg;
    g_autofree char *text = ps_idg_write(idg);
    g_autoptr(GVariant) value = g_variant_ref_sink(
        g_variant_new("(@aay@aay@aay@aay@aay@a(uay))", text_of(idg->path), text_of(text),
                      text_of(idg->made_of), texts_of(told), sources_of(idg), lacking_of(idg)));
    return g_variant_get_data_as_bytes(value);
}

/* The only text of that part (g_free); NULL: it has none. */
static char *text_in(GVariant *value, guint part)
{
    g_autoptr(GVariant) list = g_variant_get_child_value(value, part);
    g_autofree const char **texts = g_variant_get_bytestring_array(list, NULL);
    return g_strdup(texts[0]);
}

static void take_sources(PsIdg *idg, GVariant *value)
{
    g_autoptr(GVariant) list = g_variant_get_child_value(value, 4);
    gsize n;
    g_autofree const char **texts = g_variant_get_bytestring_array(list, &n);
    idg->stated_paths = g_hash_table_new_full(g_str_hash, g_str_equal, g_free, g_free);
    for (gsize i = 0; i + 1 < n; i += 2)
        g_hash_table_replace(idg->stated_paths, g_strdup(texts[i]),
                             *texts[i + 1] ? g_strdup(texts[i + 1]) : NULL);
}

/* FALSE: it is of another graph. */
static gboolean take_lacking(PsIdg *idg, GVariant *value)
{
    g_autoptr(GVariant) list = g_variant_get_child_value(value, 5);
    g_autoptr(GPtrArray) items = items_of(idg);
    if (g_variant_n_children(list) != items->len)
        return FALSE;
    for (guint i = 0; i < items->len; i++) {
        PsIdgItem *item = items->pdata[i];
        const char *comment;
        g_variant_get_child(list, i, "(u^&ay)", &item->instruction, &comment);
        item->comment = *comment ? g_strdup(comment) : NULL;
    }
    return TRUE;
}

PsIdg *ps_kept_graph_unpack(GBytes *bytes, GPtrArray *told)
{
    g_autoptr(GVariant) value =
        g_variant_ref_sink(g_variant_new_from_bytes(G_VARIANT_TYPE(FORMAT), bytes, FALSE));
    g_autofree char *path = text_in(value, 0), *text = text_in(value, 1);
    g_autoptr(PsIdg) idg = text && path ? ps_idg_parse(text, strlen(text), path, NULL) : NULL;
    if (!idg || !take_lacking(idg, value))
        return NULL;
    ps_idg_forget_lines(idg);
    take_sources(idg, value);
    idg->made_of = text_in(value, 2);
    g_autoptr(GVariant) list = g_variant_get_child_value(value, 3);
    g_autofree const char **texts = g_variant_get_bytestring_array(list, NULL);
    for (guint i = 0; texts[i]; i++)
        g_ptr_array_add(told, g_strdup(texts[i]));
    idg->warnings = ps_code_warnings(told);
    return g_steal_pointer(&idg);
}

/* ---- files --------------------------------------------------------------------------------- */

/* Adds the files with the bytes of arguments. */
static void add_arguments(PsStoreInputs *inputs, char *const *arguments)
{
    for (; arguments && *arguments; arguments++) {
        const char *equals = strstr(*arguments, "=@");
        const char *path = **arguments == '@' ? *arguments + 1 : equals ? equals + 2 : NULL;
        if (path)
            g_ptr_array_add(inputs->files, g_strdup(path));
    }
}

/* Adds the sources that the code names, which give names of parameters and lines of nodes: beside
 * the code, or at the stated path. */
static void add_sources(PsStoreInputs *inputs, const PsPtxModule *module)
{
    GHashTableIter iter;
    gpointer file;
    g_autofree char *folder = g_path_get_dirname(module->path ? module->path : "");
    g_hash_table_iter_init(&iter, module->files);
    while (g_hash_table_iter_next(&iter, NULL, &file)) {
        g_autofree char *base = g_path_get_basename(file);
        g_ptr_array_add(inputs->files, g_build_filename(folder, base, NULL));
        g_ptr_array_add(inputs->files, g_strdup(file));
    }
}

void ps_kept_graph_put(const PsCodeOptions *options, GChecksum *key, const PsBuiltGraph *built)
{
    const PsStoreInputs *made_of = built->module->inputs;
    if (!options->store || options->lent || !made_of)
        return;
    g_autoptr(PsStoreInputs) inputs = ps_store_inputs_new();
    ps_store_inputs_add(inputs, made_of);
    inputs->since = made_of->since;
    add_arguments(inputs, options->arguments);
    add_sources(inputs, built->module->module);
    if (built->machine)
        add_sources(inputs, built->machine->module);
    g_autoptr(GBytes) bytes = ps_kept_graph_pack(built, options->told);
    ps_kept_put(options, key, inputs, bytes);
}

PsIdg *ps_kept_graph_find(const PsCodeOptions *options, GChecksum *key)
{
    g_autoptr(GBytes) bytes = options->lent ? NULL : ps_kept_find(options, key, NULL);
    g_autoptr(GPtrArray) told = g_ptr_array_new_with_free_func(g_free);
    PsIdg *idg = bytes ? ps_kept_graph_unpack(bytes, told) : NULL;
    for (guint i = 0; i < told->len; i++)
        ps_code_tell(options, told->pdata[i]);
    return idg;
}

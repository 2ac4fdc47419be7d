/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Reads a module from a file or a text.
 */
#include "base/file.h"
#include "ptx/parse.tab.h"
#include <string.h>

static PsPtxModule *new_module(const char *path)
{
    PsPtxModule *module = g_new0(PsPtxModule, 1);
    module->path = g_strdup(path);
    module->target = g_strdup("");
    module->address_size = 32; /* the default, which compilers never rely on */
    module->variables = g_ptr_array_new_with_free_func(ps_ptx_variable_free);
    module->functions = g_ptr_array_new_with_free_func(ps_ptx_function_free);
    module->files = g_hash_table_new_full(NULL, NULL, NULL, g_free);
    module->stamps = g_hash_table_new_full(g_str_hash, g_str_equal, g_free, g_free);
    module->calls = g_array_new(FALSE, TRUE, sizeof(PsPtxCallSite));
    g_array_set_size(module->calls, 1);
    module->warnings = g_ptr_array_new_with_free_func(g_free);
    module->storage = ps_ptx_arena_new();
    return module;
}

void ps_ptx_free(PsPtxModule *module)
{
    if (!module)
        return;
    g_free(module->path);
    g_free(module->target);
    g_ptr_array_unref(module->variables);
    g_ptr_array_unref(module->functions);
    g_hash_table_unref(module->files);
    g_hash_table_unref(module->stamps);
    g_array_unref(module->calls);
    g_ptr_array_unref(module->warnings);
    ps_ptx_arena_free(module->storage);
    g_free(module);
}

static void start(PsPtxParser *parser, PsPtxModule *module)
{
    const PsPtxScope outermost = {0};
    *parser = (PsPtxParser){
        .module = module,
        .arena = module->storage,
        .temporary = ps_ptx_arena_new(),
        .names = g_hash_table_new(g_str_hash, g_str_equal),
        .locations = ps_ptx_locations_new(),
        .warned = g_hash_table_new_full(g_str_hash, g_str_equal, g_free, NULL),
        .line = 1,
        .token_line = 1,
        .guard = -1,
        .scopes = g_array_new(FALSE, FALSE, sizeof(PsPtxScope)),
        .waiting = g_ptr_array_new(),
        .waiting_lines = g_array_new(FALSE, FALSE, sizeof(int)),
        .tables = g_array_new(FALSE, FALSE, sizeof(PsPtxTargets)),
        .values = g_array_sized_new(FALSE, FALSE, sizeof(PsPtxValue),
                                    16), /* reserved, so that its data pointer is never NULL */
        .words = g_array_new(FALSE, FALSE, sizeof(PsPtxName *)),
        .numbers = g_array_new(FALSE, FALSE, sizeof(guint64)),
        .initial = {.dims = g_array_new(FALSE, FALSE, sizeof(guint64)),
                    .bytes = g_byte_array_new(),
                    .open = g_array_new(FALSE, FALSE, sizeof(guint64))},
    };
    g_array_append_val(parser->scopes, outermost);
}

static void finish(PsPtxParser *parser)
{
    if (parser->loose)
        ps_ptx_function_free(parser->function);
    g_hash_table_unref(parser->names);
    g_hash_table_unref(parser->locations);
    g_hash_table_unref(parser->warned);
    g_clear_pointer(&parser->aliases, g_hash_table_unref);
    g_array_unref(parser->scopes);
    g_ptr_array_unref(parser->waiting);
    g_array_unref(parser->waiting_lines);
    g_array_unref(parser->tables);
    g_array_unref(parser->values);
    g_array_unref(parser->words);
    g_array_unref(parser->numbers);
    g_array_unref(parser->initial.dims);
    g_byte_array_unref(parser->initial.bytes);
    g_array_unref(parser->initial.open);
    ps_ptx_arena_free(parser->temporary);
}

/* TRUE if there is no NUL in the text. PTX has none, and binaries that are taken for PTX have one
 * early. */
static gboolean is_text(PsPtxParser *parser, const char *text, gsize length)
{
    const char *nul = memchr(text, 0, length);
    int line = 1;
    if (!nul)
        return TRUE;
    for (const char *at = text; at < nul; at++)
        line += *at == '\n';
    ps_ptx_complain(parser, PS_ERROR_SYNTAX, line,
                    "a NUL byte, which no text has: PTX is expected, not a binary such as a cubin");
    return FALSE;
}

/* Takes text, which ends in two zeros. NULs at its end are ignored: drivers accept PTX with one,
 * and some compilers write it. */
static PsPtxModule *parse(char *text, gsize length, const char *name, GError **error)
{
    PsPtxModule *module = new_module(name);
    PsPtxParser parser;
    while (length > 0 && text[length - 1] == '\0')
        length--;
    start(&parser, module);
    if (is_text(&parser, text, length)) {
        ps_ptx_scan_begin(&parser, text, length);
        ps_ptx_yyparse(parser.scanner, &parser); /* an error is in parser.error */
        ps_ptx_scan_end(&parser);
    }
    if (module->version_major == 0)
        ps_ptx_complain(&parser, PS_ERROR_SYNTAX, 1, "there is no .version, with which PTX begins");
    if (!parser.error)
        ps_ptx_aliases_resolve(&parser);
    g_free(text);
    finish(&parser);
    if (!parser.error)
        return module;
    g_propagate_error(error, parser.error);
    ps_ptx_free(module);
    return NULL;
}

void ps_ptx_variable_set(PsPtxModule *module, PsPtxVariable *variable, const guint8 *bytes,
                         gsize size)
{
    g_assert(size <= variable->size);
    g_clear_pointer(&variable->relocations, g_array_unref);
    variable->init = ps_ptx_arena_get(module->storage, variable->size);
    if (size > 0)
        memcpy(variable->init, bytes, size);
}

void ps_ptx_variable_put(PsPtxModule *module, PsPtxVariable *variable, guint64 offset,
                         const guint8 *bytes, gsize size)
{
    g_assert(size <= variable->size && offset <= variable->size - size);
    if (!variable->init)
        variable->init = ps_ptx_arena_get(module->storage, variable->size);
    for (guint i = variable->relocations ? variable->relocations->len : 0; i-- > 0;) {
        const PsPtxRelocation *old = &g_array_index(variable->relocations, PsPtxRelocation, i);
        if (old->at < offset + size && offset < old->at + old->size)
            g_array_remove_index(variable->relocations, i);
    }
    memcpy(variable->init + offset, bytes, size);
}

PsPtxModule *ps_ptx_parse(const char *text, gsize length, const char *name, GError **error)
{
    if (length > PS_PTX_MAX_BYTES) {
        ps_error_at(error, PS_ERROR_LIMIT, (PsPlace){name, 0},
                    "longer than %" G_GSIZE_FORMAT " bytes, the most allowed", PS_PTX_MAX_BYTES);
        return NULL;
    }
    char *copy = g_malloc(length + 2);
    if (length)
        memcpy(copy, text, length);
    copy[length] = copy[length + 1] = 0;
    return parse(copy, length, name, error);
}

PsPtxModule *ps_ptx_load(const char *path, GError **error)
{
    gsize length;
    char *text = ps_file_read(path, PS_PTX_MAX_BYTES, &length, error);
    if (!text)
        return NULL;
    text = g_realloc(text, length + 2);
    text[length] = text[length + 1] = 0;
    return parse(text, length, path, error);
}

/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * nvdisasm's JSON: an array of two, [description of the file, [functions]]; "sass-instructions" of
 * a function are its code in order.
 */
#include "sass/listing.h"

#include <json-glib/json-glib.h>
#include <string.h>

static guint bits_of(const guint64 *word, guint from, guint n)
{
    return (guint)(word[from / 64] >> (from % 64) & ((G_GUINT64_CONSTANT(1) << n) - 1));
}

PsSassControl ps_sass_control(const guint64 word[2])
{
    return (PsSassControl){.stall = (guint8)bits_of(word, 105, 4),
                           .yield = bits_of(word, 109, 1) == 0,
                           .write = (guint8)bits_of(word, 110, 3),
                           .read = (guint8)bits_of(word, 113, 3),
                           .wait = (guint8)bits_of(word, 116, 6),
                           .reuse = (guint8)bits_of(word, 122, 4)};
}

static gboolean refuse(GError **error, const char *producer, const char *what)
{
    g_set_error(error, PS_ERROR, PS_ERROR_SYNTAX, "the listing of %s %s", producer, what);
    return FALSE;
}

static JsonObject *object_at(JsonArray *array, guint i)
{
    JsonNode *node =
        array && i < json_array_get_length(array) ? json_array_get_element(array, i) : NULL;
    return node && JSON_NODE_HOLDS_OBJECT(node) ? json_node_get_object(node) : NULL;
}

static JsonArray *array_in(JsonObject *object, const char *member)
{
    JsonNode *node = object ? json_object_get_member(object, member) : NULL;
    return node && JSON_NODE_HOLDS_ARRAY(node) ? json_node_get_array(node) : NULL;
}

static const char *text_in(JsonObject *object, const char *member)
{
    JsonNode *node = json_object_get_member(object, member);
    return node && JSON_NODE_HOLDS_VALUE(node) ? json_node_get_string(node) : NULL;
}

/* What wrote the listing: the first two words of "nvdisasm V13.0.88 Build ...". */
static char *producer_of(JsonNode *root)
{
    JsonArray *all = root && JSON_NODE_HOLDS_ARRAY(root) ? json_node_get_array(root) : NULL;
    JsonObject *head = object_at(all, 0);
    const char *producer = head ? text_in(head, "Producer") : NULL;
    g_auto(GStrv) words = g_strsplit(producer ? producer : "", " ", 3);
    return words[0] && words[1] ? g_strdup_printf("%s %s", words[0], words[1])
                                : g_strdup("nvdisasm of an unknown version");
}

static JsonArray *functions_of(JsonNode *root)
{
    JsonArray *all = root && JSON_NODE_HOLDS_ARRAY(root) ? json_node_get_array(root) : NULL;
    JsonNode *second =
        all && json_array_get_length(all) > 1 ? json_array_get_element(all, 1) : NULL;
    return second && JSON_NODE_HOLDS_ARRAY(second) ? json_node_get_array(second) : NULL;
}

/* Adds to a kernel's instructions what is listed as functions of their own behind function i and
 * belongs to it: subroutines in files of an old form, each of which begins where the one before
 * ends. */
static void add_subroutines(JsonArray *own, JsonArray *functions, guint i)
{
    while (++i < json_array_get_length(functions)) {
        JsonObject *function = object_at(functions, i);
        JsonArray *more = array_in(function, "sass-instructions");
        const gint64 start =
            function ? json_object_get_int_member_with_default(function, "start", 0) : 0;
        if (!more || start == 0 || start != (gint64)json_array_get_length(own) * PS_SASS_BYTES)
            return;
        for (guint k = 0; k < json_array_get_length(more); k++)
            json_array_add_element(own, json_array_dup_element(more, k));
    }
}

/* The instructions of the function of that name; NULL: there is none. */
static JsonArray *find_function(JsonNode *root, const char *name)
{
    JsonArray *functions = functions_of(root);
    for (guint i = 0; functions && i < json_array_get_length(functions); i++) {
        JsonObject *function = object_at(functions, i);
        if (!function || g_strcmp0(text_in(function, "function-name"), name) != 0)
            continue;
        JsonArray *own = array_in(function, "sass-instructions");
        if (own)
            add_subroutines(own, functions, i);
        return own;
    }
    return NULL;
}

static gboolean read_instructions(PsSassListing *listing, JsonArray *list,
                                  const PsSassKernel *kernel, GError **error)
{
    GStringChunk *texts = listing->storage;
    const gsize n = kernel->text.size / PS_SASS_BYTES;
    if (json_array_get_length(list) != n)
        return refuse(error, listing->producer, "and the kernel's code differ in length");
    for (guint i = 0; i < n; i++) {
        JsonObject *object = object_at(list, i);
        const char *opcode = object ? text_in(object, "opcode") : NULL;
        if (!opcode || !opcode[0])
            return refuse(error, listing->producer, "has an instruction without an opcode");
        const char *guard = text_in(object, "predicate"), *operands = text_in(object, "operands");
        PsSassInstruction instruction = {
            .guard = guard ? g_string_chunk_insert_const(texts, guard) : NULL,
            .opcode = g_string_chunk_insert_const(texts, opcode),
            .operands = operands ? g_string_chunk_insert_const(texts, operands) : NULL};
        memcpy(instruction.word, kernel->text.bytes + (gsize)i * PS_SASS_BYTES, PS_SASS_BYTES);
        instruction.control = ps_sass_control(instruction.word);
        g_array_append_val(listing->instructions, instruction);
    }
    return TRUE;
}

PsSassListing *ps_sass_listing_new(const char *json, gssize length, const PsSassKernel *kernel,
                                   GError **error)
{
    g_autoptr(JsonParser) parser = json_parser_new();
    g_autoptr(PsSassListing) listing = g_new0(PsSassListing, 1);
    enum { CHUNK = 4096 };
    listing->instructions = g_array_new(FALSE, FALSE, sizeof(PsSassInstruction));
    listing->storage = g_string_chunk_new(CHUNK);
    if (!json_parser_load_from_data(parser, json, length, NULL) || !json_parser_get_root(parser)) {
        refuse(error, "nvdisasm", "is no JSON");
        return NULL;
    }
    g_autofree char *producer = producer_of(json_parser_get_root(parser));
    listing->producer = g_string_chunk_insert_const(listing->storage, producer);
    JsonArray *list = find_function(json_parser_get_root(parser), kernel->name);
    if (!list) {
        g_autofree char *what =
            g_strdup_printf("has no instructions of the kernel \"%s\"", kernel->name);
        refuse(error, producer, what);
        return NULL;
    }
    if (!read_instructions(listing, list, kernel, error))
        return NULL;
    return g_steal_pointer(&listing);
}

void ps_sass_listing_free(PsSassListing *listing)
{
    if (!listing)
        return;
    g_array_unref(listing->instructions);
    g_string_chunk_free(listing->storage);
    g_free(listing);
}

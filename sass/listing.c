/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * nvdisasm's JSON: an array of two, [description of the file, [functions]]; "sass-instructions" of
 * a function are its code in order.
 */
#include "sass/listing.h"
#include "base/json-read.h"

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

/* A listed instruction, with the listing's texts. */
typedef struct {
    const char *guard, *opcode, *operands; /* NULL: not listed */
} Listed;

/* A listed function. */
typedef struct {
    char *name;    /* NULL: it has none */
    guint64 start; /* 0: not listed, or no whole number */
    GArray *list;  /* Listed; NULL: it has no list */
} Function;

typedef struct {
    GStringChunk *texts;
    const char *kernel;
    char *producer;  /* NULL: not listed */
    guint part;      /* number of the next part of the outermost array */
    GArray *own;     /* Listed, of the kernel; NULL: none */
    gboolean found;  /* a function with the kernel's name was found ... */
    gboolean closed; /* ... and the one behind its last part */
    Function *function;
} Reader;

/* Reads a text; anything else in its place gives NULL. */
static gboolean read_text(PsJson *json, char **text, GError **error)
{
    *text = NULL;
    return ps_json_peek(json) == '"' ? ps_json_string(json, text, error)
                                     : ps_json_skip(json, error);
}

static gboolean keep_text(PsJson *json, Reader *reader, const char **kept, GError **error)
{
    g_autofree char *text = NULL;
    if (!read_text(json, &text, error))
        return FALSE;
    *kept = text ? g_string_chunk_insert_const(reader->texts, text) : NULL;
    return TRUE;
}

static gboolean instruction_member(PsJson *json, const char *key, gpointer self, GError **error)
{
    Reader *reader = self;
    GArray *list = reader->function->list;
    Listed *listed = &g_array_index(list, Listed, list->len - 1);
    if (strcmp(key, "predicate") == 0)
        return keep_text(json, reader, &listed->guard, error);
    if (strcmp(key, "opcode") == 0)
        return keep_text(json, reader, &listed->opcode, error);
    if (strcmp(key, "operands") == 0)
        return keep_text(json, reader, &listed->operands, error);
    return ps_json_skip(json, error);
}

/* A value that is no object is an instruction without members. */
static gboolean instruction(PsJson *json, gpointer self, GError **error)
{
    Reader *reader = self;
    g_array_set_size(reader->function->list, reader->function->list->len + 1);
    return ps_json_peek(json) == '{' ? ps_json_object(json, instruction_member, self, error)
                                     : ps_json_skip(json, error);
}

static gboolean function_member(PsJson *json, const char *key, gpointer self, GError **error)
{
    Reader *reader = self;
    Function *function = reader->function;
    if (strcmp(key, "function-name") == 0) {
        g_free(function->name);
        return read_text(json, &function->name, error);
    }
    if (strcmp(key, "start") == 0 && ps_json_peek(json) == '-')
        return ps_json_unsigned(json, &function->start, error);
    if (strcmp(key, "sass-instructions") != 0 || ps_json_peek(json) != '[')
        return ps_json_skip(json, error);
    if (!function->list)
        function->list = g_array_new(FALSE, TRUE, sizeof(Listed));
    return ps_json_array(json, instruction, self, error);
}

/* Takes the kernel's function, and functions listed right behind it that belong to it: subroutines
 * in files of an old form, each of which begins where the one before ends. */
static void take(Reader *reader, Function *function)
{
    if (!reader->found) {
        reader->found = g_strcmp0(function->name, reader->kernel) == 0;
        if (reader->found)
            reader->own = g_steal_pointer(&function->list);
    } else if (!reader->own || reader->closed || !function->list || function->start == 0 ||
               function->start != (guint64)reader->own->len * PS_SASS_BYTES) {
        reader->closed = TRUE;
    } else {
        g_array_append_vals(reader->own, function->list->data, function->list->len);
    }
}

static gboolean function(PsJson *json, gpointer self, GError **error)
{
    Reader *reader = self;
    Function read = {.name = NULL};
    reader->function = &read;
    const gboolean good = ps_json_peek(json) == '{'
                              ? ps_json_object(json, function_member, self, error)
                              : ps_json_skip(json, error);
    if (good)
        take(reader, &read);
    g_clear_pointer(&read.list, g_array_unref);
    g_free(read.name);
    return good;
}

static gboolean head_member(PsJson *json, const char *key, gpointer self, GError **error)
{
    Reader *reader = self;
    if (strcmp(key, "Producer") != 0)
        return ps_json_skip(json, error);
    g_free(reader->producer);
    return read_text(json, &reader->producer, error);
}

/* Reads the description of the file, the functions, and unknown parts. */
static gboolean part(PsJson *json, gpointer self, GError **error)
{
    Reader *reader = self;
    const guint number = reader->part++;
    if (number == 0 && ps_json_peek(json) == '{')
        return ps_json_object(json, head_member, self, error);
    if (number == 1 && ps_json_peek(json) == '[')
        return ps_json_array(json, function, self, error);
    return ps_json_skip(json, error);
}

static gboolean read_all(Reader *reader, const char *text, gsize length)
{
    PsJson json;
    ps_json_init(&json, (PsPlace){"nvdisasm", 1}, text, length);
    return (ps_json_peek(&json) == '[' ? ps_json_array(&json, part, reader, NULL)
                                       : ps_json_skip(&json, NULL)) &&
           ps_json_finish(&json, NULL);
}

/* The program that wrote the listing: the first two words of "nvdisasm V13.0.88 Build ...". */
static char *producer_of(const Reader *reader)
{
    g_auto(GStrv) words = g_strsplit(reader->producer ? reader->producer : "", " ", 3);
    return words[0] && words[1] ? g_strdup_printf("%s %s", words[0], words[1])
                                : g_strdup("nvdisasm of an unknown version");
}

static gboolean keep_instructions(PsSassListing *listing, const GArray *list,
                                  const PsSassKernel *kernel, GError **error)
{
    const gsize n = kernel->text.size / PS_SASS_BYTES;
    if (list->len != n)
        return refuse(error, listing->producer, "and the kernel's code differ in length");
    for (guint i = 0; i < n; i++) {
        const Listed *listed = &g_array_index(list, Listed, i);
        if (!listed->opcode || !listed->opcode[0])
            return refuse(error, listing->producer, "has an instruction without an opcode");
        PsSassInstruction instruction = {
            .guard = listed->guard, .opcode = listed->opcode, .operands = listed->operands};
        memcpy(instruction.word, kernel->text.bytes + (gsize)i * PS_SASS_BYTES, PS_SASS_BYTES);
        instruction.control = ps_sass_control(instruction.word);
        g_array_append_val(listing->instructions, instruction);
    }
    return TRUE;
}

static gboolean keep(PsSassListing *listing, const Reader *reader, const PsSassKernel *kernel,
                     GError **error)
{
    g_autofree char *producer = producer_of(reader);
    listing->producer = g_string_chunk_insert_const(listing->storage, producer);
    if (reader->own)
        return keep_instructions(listing, reader->own, kernel, error);
    g_autofree char *what =
        g_strdup_printf("has no instructions of the kernel \"%s\"", kernel->name);
    return refuse(error, producer, what);
}

PsSassListing *ps_sass_listing_new(const char *json, gssize length, const PsSassKernel *kernel,
                                   GError **error)
{
    g_autoptr(PsSassListing) listing = g_new0(PsSassListing, 1);
    enum { CHUNK = 4096 };
    listing->instructions = g_array_new(FALSE, FALSE, sizeof(PsSassInstruction));
    listing->storage = g_string_chunk_new(CHUNK);
    Reader reader = {.texts = listing->storage, .kernel = kernel->name};
    const gboolean good = read_all(&reader, json, length < 0 ? strlen(json) : (gsize)length)
                              ? keep(listing, &reader, kernel, error)
                              : refuse(error, "nvdisasm", "is no JSON");
    g_clear_pointer(&reader.own, g_array_unref);
    g_free(reader.producer);
    return good ? g_steal_pointer(&listing) : NULL;
}

void ps_sass_listing_free(PsSassListing *listing)
{
    if (!listing)
        return;
    g_array_unref(listing->instructions);
    g_string_chunk_free(listing->storage);
    g_free(listing);
}

/* SPDX-License-Identifier: BSD-3-Clause */
/* See taken.h; latency-bench/profile/record.h has the form of the file. */
#include "card/taken-private.h"

#include "card/memory.h"
#include "latency-bench/profile/record.h"
#include "ptx/run/launch.h"

#include <string.h>

G_STATIC_ASSERT(PS_RECORD_BLOCK == PS_PTX_BLOCK);

#define MOST_FIELDS 20

typedef struct {
    PsCardTaken *taken;
    const guint8 *bytes;
    gsize size, at;
    char **fields; /* fields of the line */
    guint n;
    GArray *arguments, *pieces; /* since `begin` */
    GHashTable *calls;          /* number of the call -> PsTakenLaunch, owned by `taken` */
} Reading;

static void clear_piece(gpointer data)
{
    g_free(((PsTakenPiece *)data)->name);
}

static void free_launch(gpointer data)
{
    PsTakenLaunch *launch = data;
    g_free(launch->kernel);
    g_free(launch->why);
    g_clear_pointer(&launch->arguments, g_array_unref);
    g_clear_pointer(&launch->pieces, g_array_unref);
    g_free(launch);
}

/* ---- lines ---------------------------------------------------------------------------------- */

/* Goes on behind a line. FALSE: no complete line is left. */
static gboolean next_line(Reading *reading)
{
    const guint8 *start = reading->bytes + reading->at,
                 *end = memchr(start, '\n', reading->size - reading->at);
    g_clear_pointer(&reading->fields, g_strfreev);
    if (!end)
        return FALSE;
    g_autofree char *line = g_strndup((const char *)start, (gsize)(end - start));
    reading->fields = g_strsplit(line, "\t", MOST_FIELDS);
    reading->n = g_strv_length(reading->fields);
    reading->at += (gsize)(end - start) + 1;
    return reading->n > 0 && g_utf8_validate(line, -1, NULL);
}

/* Reads a field as a whole number. FALSE: it is none. */
static gboolean number(const Reading *reading, guint field, guint64 *value)
{
    return field < reading->n &&
           g_ascii_string_to_unsigned(reading->fields[field], 10, 0, G_MAXUINT64, value, NULL);
}

static gboolean numbers(const Reading *reading, guint first, guint *values, guint n)
{
    for (guint i = 0; i < n; i++) {
        guint64 value;
        if (!number(reading, first + i, &value) || value > G_MAXUINT)
            return FALSE;
        values[i] = (guint)value;
    }
    return TRUE;
}

/* The bytes behind a line, whose number is in a field, and their line end. */
static gboolean take_bytes(Reading *reading, guint field, PsTakenBytes *bytes)
{
    guint64 size;
    if (!number(reading, field, &size) || size >= reading->size - reading->at ||
        reading->bytes[reading->at + size] != '\n')
        return FALSE;
    *bytes = (PsTakenBytes){reading->bytes + reading->at, size};
    reading->at += size + 1;
    return TRUE;
}

/* ---- what lines say ------------------------------------------------------------------------- */

static gboolean take_program(Reading *reading)
{
    GPtrArray *programs = reading->taken->programs;
    if (reading->n == 2 &&
        !g_ptr_array_find_with_equal_func(programs, reading->fields[1], g_str_equal, NULL))
        g_ptr_array_add(programs, g_strdup(reading->fields[1]));
    return TRUE;
}

static gboolean take_units(Reading *reading)
{
    enum { MOST_DEVICES = 1024 };
    guint v[2];
    if (!numbers(reading, 1, v, 2) || v[0] >= MOST_DEVICES)
        return FALSE;
    if (reading->taken->units->len <= v[0])
        g_array_set_size(reading->taken->units, v[0] + 1);
    g_array_index(reading->taken->units, guint, v[0]) = v[1];
    return TRUE;
}

static gboolean take_into(Reading *reading, GArray *array)
{
    PsTakenBytes bytes;
    if (!take_bytes(reading, 1, &bytes))
        return FALSE;
    g_array_append_val(array, bytes);
    return TRUE;
}

static gboolean take_module(Reading *reading)
{
    PsTakenModule module;
    if (!numbers(reading, 1, &module.image, 1) || module.image > reading->taken->images->len ||
        !take_bytes(reading, 2, &module.cubin))
        return FALSE;
    g_array_append_val(reading->taken->modules, module);
    return TRUE;
}

static gboolean take_begin(Reading *reading)
{
    g_clear_pointer(&reading->arguments, g_array_unref);
    g_clear_pointer(&reading->pieces, g_array_unref);
    reading->arguments = g_array_new(FALSE, FALSE, sizeof(PsTakenBytes));
    reading->pieces = g_array_new(FALSE, FALSE, sizeof(PsTakenPiece));
    g_array_set_clear_func(reading->pieces, clear_piece);
    return TRUE;
}

static gboolean check_pages(const Reading *reading, const PsTakenPiece *piece)
{
    for (gsize i = 0; i < piece->pages.size / sizeof(guint32); i++) {
        guint32 page;
        memcpy(&page, piece->pages.data + i * sizeof page, sizeof page);
        const gsize bytes = MIN(piece->size - i * PS_RECORD_BLOCK, PS_RECORD_BLOCK);
        if (page < 1 || page > reading->taken->pages->len ||
            g_array_index(reading->taken->pages, PsTakenBytes, page - 1).size != bytes)
            return FALSE;
    }
    return TRUE;
}

static gboolean take_piece(Reading *reading)
{
    PsTakenPiece piece;
    if (reading->n != 6 || !number(reading, 1, &piece.address) ||
        !number(reading, 2, &piece.size) || !numbers(reading, 3, &piece.kind, 1) ||
        piece.kind > PS_CARD_VARIABLE)
        return FALSE;
    g_autofree char *name = g_strdup(reading->fields[5]);
    const gsize n = piece.size / PS_RECORD_BLOCK + (piece.size % PS_RECORD_BLOCK != 0);
    if (!take_bytes(reading, 4, &piece.pages) || piece.pages.size != n * sizeof(guint32) ||
        !check_pages(reading, &piece))
        return FALSE;
    piece.name = g_steal_pointer(&name);
    g_array_append_val(reading->pieces, piece);
    return TRUE;
}

static int by_address(gconstpointer a, gconstpointer b)
{
    const PsTakenPiece *x = a, *y = b;
    return (x->address > y->address) - (x->address < y->address);
}

static void add(Reading *reading, PsTakenLaunch *launch, const char *kernel)
{
    g_autofree char *key = g_strdup_printf("%u %s", launch->nth, kernel);
    const PsTakenLaunch *old = g_hash_table_lookup(reading->taken->launches, key);
    if (old)
        g_hash_table_remove(reading->calls, GUINT_TO_POINTER(old->call));
    launch->kernel = g_strdup(kernel);
    g_hash_table_insert(reading->calls, GUINT_TO_POINTER(launch->call), launch);
    g_hash_table_replace(reading->taken->launches, g_steal_pointer(&key), launch);
}

static gboolean take_taken(Reading *reading)
{
    guint v[15];
    if (reading->n != 17 || !numbers(reading, 1, v, G_N_ELEMENTS(v)) || v[2] < 1 ||
        v[2] > reading->taken->modules->len)
        return FALSE;
    PsTakenLaunch *launch = g_new0(PsTakenLaunch, 1);
    *launch = (PsTakenLaunch){.call = v[0],
                              .nth = v[1],
                              .module = v[2],
                              .grid = {v[4], v[5], v[6]},
                              .block = {v[7], v[8], v[9]},
                              .cluster = {v[10], v[11], v[12]},
                              .shared = v[13],
                              .cooperative = v[14] != 0,
                              .arguments = g_array_ref(reading->arguments),
                              .pieces = g_array_ref(reading->pieces)};
    g_array_sort(launch->pieces, by_address);
    add(reading, launch, reading->fields[16]);
    return take_begin(reading);
}

static gboolean take_left(Reading *reading)
{
    guint v[2];
    if (reading->n != 5 || !numbers(reading, 1, v, 2))
        return FALSE;
    PsTakenLaunch *launch = g_new0(PsTakenLaunch, 1);
    *launch = (PsTakenLaunch){.call = v[0], .nth = v[1], .why = g_strdup(reading->fields[3])};
    add(reading, launch, reading->fields[4]);
    return take_begin(reading);
}

/* The driver refused that call. */
static gboolean take_undone(Reading *reading)
{
    guint call;
    if (!numbers(reading, 1, &call, 1))
        return FALSE;
    const PsTakenLaunch *launch = g_hash_table_lookup(reading->calls, GUINT_TO_POINTER(call));
    if (!launch)
        return TRUE;
    g_autofree char *key = g_strdup_printf("%u %s", launch->nth, launch->kernel);
    g_hash_table_remove(reading->calls, GUINT_TO_POINTER(call));
    g_hash_table_remove(reading->taken->launches, key);
    return TRUE;
}

static gboolean take_failed(Reading *reading)
{
    if (reading->n != 3)
        return FALSE;
    if (strcmp(reading->fields[1], "variable") != 0) {
        g_free(reading->taken->failure);
        reading->taken->failure = g_strdup(reading->fields[2]);
    } else if (!g_ptr_array_find_with_equal_func(reading->taken->variables, reading->fields[2],
                                                 g_str_equal, NULL)) {
        g_ptr_array_add(reading->taken->variables, g_strdup(reading->fields[2]));
    }
    return TRUE;
}

static gboolean take_image(Reading *reading)
{
    return take_into(reading, reading->taken->images);
}

static gboolean take_page(Reading *reading)
{
    return take_into(reading, reading->taken->pages);
}

static gboolean take_argument(Reading *reading)
{
    return take_into(reading, reading->arguments);
}

static gboolean take_done(Reading *reading)
{
    return reading->taken->done = TRUE;
}

/* FALSE: the line has another form. */
static gboolean take_line(Reading *reading)
{
    static const struct {
        const char *what;
        gboolean (*take)(Reading *reading);
    } lines[] = {{"program", take_program},   {"units", take_units},   {"image", take_image},
                 {"module", take_module},     {"page", take_page},     {"begin", take_begin},
                 {"argument", take_argument}, {"piece", take_piece},   {"taken", take_taken},
                 {"left", take_left},         {"undone", take_undone}, {"failed", take_failed},
                 {"done", take_done}};
    for (guint i = 0; i < G_N_ELEMENTS(lines); i++)
        if (strcmp(reading->fields[0], lines[i].what) == 0)
            return lines[i].take(reading);
    return FALSE;
}

/* ---- the file ------------------------------------------------------------------------------- */

static PsCardTaken *taken_new(GBytes *bytes)
{
    PsCardTaken *taken = g_new0(PsCardTaken, 1);
    taken->bytes = g_bytes_ref(bytes);
    taken->programs = g_ptr_array_new_with_free_func(g_free);
    taken->variables = g_ptr_array_new_with_free_func(g_free);
    taken->units = g_array_new(FALSE, TRUE, sizeof(guint));
    taken->images = g_array_new(FALSE, FALSE, sizeof(PsTakenBytes));
    taken->pages = g_array_new(FALSE, FALSE, sizeof(PsTakenBytes));
    taken->modules = g_array_new(FALSE, FALSE, sizeof(PsTakenModule));
    taken->launches = g_hash_table_new_full(g_str_hash, g_str_equal, g_free, free_launch);
    return taken;
}

static gboolean take_first(Reading *reading)
{
    guint64 process, start;
    if (!next_line(reading) || reading->n != 6 ||
        strcmp(reading->fields[0], PS_RECORD_MAGIC) != 0 ||
        strcmp(reading->fields[1], PS_RECORD_VERSION) != 0 || !number(reading, 3, &process) ||
        !number(reading, 4, &start))
        return FALSE;
    reading->taken->process = (gint64)process;
    reading->taken->start = (gint64)start;
    return TRUE;
}

PsCardTaken *ps_card_taken_read(GBytes *bytes)
{
    g_autoptr(PsCardTaken) taken = taken_new(bytes);
    Reading reading = {.taken = taken, .calls = g_hash_table_new(NULL, NULL)};
    reading.bytes = g_bytes_get_data(bytes, &reading.size);
    take_begin(&reading);
    const gboolean good = reading.bytes && take_first(&reading);
    while (good && next_line(&reading) && take_line(&reading))
        ;
    g_strfreev(reading.fields);
    g_array_unref(reading.arguments);
    g_array_unref(reading.pieces);
    g_hash_table_unref(reading.calls);
    return good ? g_steal_pointer(&taken) : NULL;
}

void ps_card_taken_free(PsCardTaken *taken)
{
    if (!taken)
        return;
    g_hash_table_unref(taken->launches);
    g_array_unref(taken->modules);
    g_array_unref(taken->pages);
    g_array_unref(taken->images);
    g_array_unref(taken->units);
    g_ptr_array_unref(taken->variables);
    g_ptr_array_unref(taken->programs);
    g_free(taken->failure);
    g_bytes_unref(taken->bytes);
    g_free(taken);
}

gint64 ps_card_taken_start(const PsCardTaken *taken)
{
    return taken->start;
}

gboolean ps_card_taken_done(const PsCardTaken *taken)
{
    return taken->done;
}

const char *ps_card_taken_failure(const PsCardTaken *taken)
{
    return taken->failure;
}

const GPtrArray *ps_card_taken_variables(const PsCardTaken *taken)
{
    return taken->variables;
}

guint ps_card_taken_units(const PsCardTaken *taken, guint device)
{
    return device < taken->units->len ? g_array_index(taken->units, guint, device) : 0;
}

const PsTakenLaunch *ps_taken_find(const PsCardTaken *taken, const char *kernel, guint nth)
{
    g_autofree char *key = g_strdup_printf("%u %s", nth, kernel);
    return g_hash_table_lookup(taken->launches, key);
}

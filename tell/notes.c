/* SPDX-License-Identifier: BSD-3-Clause */
/* See notes.h. */
#include "tell/notes.h"

#include "tell/format.h"

#include <string.h>

/* Kernels that a warning names, at most. */
#define MAX_NAMES 3

/* Columns of such a name, which is cut beyond them. */
#define MAX_WIDTH 60

/* Some of the names of kernels or files, and the number of others. */
typedef struct {
    GPtrArray *some;
    guint more;
} Names;

typedef struct {
    char *text;
    Names files, kernels;
} Note;

struct PsNotes {
    GPtrArray *all;     /* Note */
    GHashTable *by_key; /* text without numbers of lines (owned) -> Note */
};

static void note_free(void *data)
{
    Note *note = data;
    g_free(note->text);
    g_ptr_array_unref(note->files.some);
    g_ptr_array_unref(note->kernels.some);
    g_free(note);
}

PsNotes *ps_notes_new(void)
{
    PsNotes *notes = g_new(PsNotes, 1);
    notes->all = g_ptr_array_new_with_free_func(note_free);
    notes->by_key = g_hash_table_new_full(g_str_hash, g_str_equal, g_free, NULL);
    return notes;
}

void ps_notes_free(PsNotes *notes)
{
    if (!notes)
        return;
    g_hash_table_unref(notes->by_key);
    g_ptr_array_unref(notes->all);
    g_free(notes);
}

/* The text without the numbers behind " in line " (g_free). */
static char *key_of(const char *text)
{
    static const char line[] = " in line ";
    GString *key = g_string_new(NULL);
    for (const char *found; (found = strstr(text, line)); text = found) {
        found += strlen(line);
        g_string_append_len(key, text, found - text);
        found += strspn(found, "0123456789");
    }
    g_string_append(key, text);
    return g_string_free(key, FALSE);
}

static Note *note_of(PsNotes *notes, const char *text)
{
    g_autofree char *key = key_of(text);
    Note *note = g_hash_table_lookup(notes->by_key, key);
    if (!note) {
        note = g_new0(Note, 1);
        note->text = g_strdup(text);
        note->files.some = g_ptr_array_new_with_free_func(g_free);
        note->kernels.some = g_ptr_array_new_with_free_func(g_free);
        g_ptr_array_add(notes->all, note);
        g_hash_table_insert(notes->by_key, g_steal_pointer(&key), note);
    }
    return note;
}

static void add_name(Names *names, const char *name)
{
    if (g_ptr_array_find_with_equal_func(names->some, name, g_str_equal, NULL))
        return;
    if (names->some->len < MAX_NAMES)
        g_ptr_array_add(names->some, g_strdup(name));
    else
        names->more++;
}

static void add_kernel(Note *note, const char *kernel)
{
    g_autofree char *name = kernel ? ps_format_kernel_name(kernel, MAX_WIDTH) : NULL;
    if (name)
        add_name(&note->kernels, name);
}

void ps_notes_add(PsNotes *notes, const char *text, const char *kernel)
{
    add_kernel(note_of(notes, text), kernel);
}

void ps_notes_add_of_file(PsNotes *notes, const char *file, const char *kernel, const char *text)
{
    Note *note = note_of(notes, text);
    add_name(&note->files, file);
    add_kernel(note, kernel);
}

void ps_notes_add_warning(PsNotes *notes, const char *path, const char *text)
{
    static const char before[] = "kernel '", after[] = "': ";
    g_autofree char *file = g_strconcat(path, ": ", NULL);
    if (!g_str_has_prefix(text, file)) {
        ps_notes_add(notes, text, NULL);
        return;
    }
    text += strlen(file);
    const char *end = g_str_has_prefix(text, before) ? strstr(text, after) : NULL;
    g_autofree char *kernel =
        end ? g_strndup(text + strlen(before), (gsize)(end - text) - strlen(before)) : NULL;
    ps_notes_add_of_file(notes, path, kernel, end ? end + strlen(after) : text);
}

static void put_names(const Names *names, GString *out)
{
    for (guint i = 0; i < names->some->len; i++)
        g_string_append_printf(out, "%s%s", i ? ", " : "", (const char *)names->some->pdata[i]);
    if (names->more)
        g_string_append_printf(out, " and %u more", names->more);
}

/* "FILE, FILE: kernel A, B: text", or "text: A, B" if no file is known. */
static char *sentence(const Note *note)
{
    GString *out = g_string_new(NULL);
    const gboolean is_of_file = note->files.some->len > 0;
    const guint kernels = note->kernels.some->len;
    put_names(&note->files, out);
    if (is_of_file && kernels)
        g_string_append(out, kernels == 1 ? ": kernel " : ": kernels ");
    if (is_of_file)
        put_names(&note->kernels, out);
    g_string_append_printf(out, "%s%s", is_of_file ? ": " : "", note->text);
    if (!is_of_file && kernels) {
        g_string_append(out, ": ");
        put_names(&note->kernels, out);
    }
    return g_string_free(out, FALSE);
}

GPtrArray *ps_notes_texts(const PsNotes *notes)
{
    GPtrArray *texts = g_ptr_array_new_with_free_func(g_free);
    for (guint i = 0; i < notes->all->len; i++)
        g_ptr_array_add(texts, sentence(notes->all->pdata[i]));
    return texts;
}

/* SPDX-License-Identifier: BSD-3-Clause */
/* See class-name.h. */
#include "base/class-name.h"

#include <string.h>

#define MOST_DIGITS 9

/* ---- parts ---------------------------------------------------------------------------------- */

/* The part behind this one; NULL: this is the last. Parts end at dots. */
static const char *next_part(const char *part)
{
    const char *dot = strchr(part, '.');
    return dot ? dot + 1 : NULL;
}

static gboolean is_end(char c)
{
    return c == '.' || c == '\0';
}

static gboolean part_is(const char *part, const char *word)
{
    const gsize length = strlen(word);
    return strncmp(part, word, length) == 0 && is_end(part[length]);
}

/* Digits up to the part's end. */
static gboolean read_number(const char *digits, gint64 *number)
{
    const gsize n = strspn(digits, "0123456789");
    if (n == 0 || n > MOST_DIGITS || !is_end(digits[n]))
        return FALSE;
    *number = g_ascii_strtoll(digits, NULL, 10);
    return TRUE;
}

static gboolean read_count(const char *part, const char *letter, gint64 *number)
{
    return g_str_has_prefix(part, letter) && read_number(part + strlen(letter), number);
}

/* ---- general and special -------------------------------------------------------------------- */

gboolean ps_class_is_name(const char *text)
{
    for (const char *part = text; part; part = next_part(part))
        if (is_end(*part))
            return FALSE;
    return text[strspn(text, G_CSET_A_2_Z G_CSET_a_2_z G_CSET_DIGITS "_.")] == '\0';
}

gboolean ps_class_covers(const char *name, const char *asked)
{
    return part_is(asked, name);
}

gboolean ps_class_is_one_of(const char *asked, const char *const *names)
{
    for (; *names; names++)
        if (ps_class_covers(*names, asked))
            return TRUE;
    return FALSE;
}

gboolean ps_class_is_special(const char *name)
{
    /* "mufu" stands for all of them in descriptions that do not tell them apart. */
    static const char *const special[] = {"rcp",  "rsqrt", "sqrt", "sin", "cos",
                                          "exp2", "log2",  "mufu", NULL};
    return ps_class_is_one_of(name, special);
}

void ps_class_add_names(const char *asked, GPtrArray *names)
{
    for (const char *end = asked + strlen(asked); end; end = g_strrstr_len(asked, end - asked, "."))
        g_ptr_array_add(names, g_strndup(asked, (gsize)(end - asked)));
}

guint ps_class_n_parts(const char *name)
{
    guint n = 0;
    for (const char *part = name; part; part = next_part(part))
        n++;
    return n;
}

char *ps_class_first_parts(const char *name, guint n)
{
    const char *last = name, *next;
    while (n-- > 1 && (next = next_part(last)))
        last = next;
    return g_strndup(name, (gsize)(last - name) + strcspn(last, "."));
}

char *ps_class_cut_last(char *name)
{
    char *dot = strrchr(name, '.');
    if (!dot || dot == name)
        return NULL;
    *dot = '\0';
    return dot + 1;
}

gboolean ps_class_degree(const char *name, gsize *stem, gint64 *degree)
{
    const char *dot = strrchr(name, '.');
    if (!dot || !g_ascii_isalpha(dot[1]) || dot[1] == 'f' || !read_number(dot + 2, degree) ||
        ps_class_covers("tensor", name))
        return FALSE;
    *stem = (gsize)(dot + 2 - name);
    return TRUE;
}

/* ---- memory --------------------------------------------------------------------------------- */

gboolean ps_class_is_local(const char *name)
{
    return ps_class_covers("local", name) || ps_class_covers("atomic.local", name);
}

/* The name with another kind in place of the one that it begins with. */
static char *with_kind(const char *name, const char *kind, const char *other)
{
    return ps_class_covers(kind, name) ? g_strconcat(other, name + strlen(kind), NULL) : NULL;
}

char *ps_class_in_cuda(const char *name)
{
    char *other = with_kind(name, "local", "shared");
    if (!other)
        other = with_kind(name, "atomic.local", "atomic.shared");
    return other ? other : g_strdup(name);
}

char *ps_class_of_cuda(const char *name)
{
    char *own = with_kind(name, "shared", "local");
    if (!own)
        own = with_kind(name, "atomic.shared", "atomic.local");
    return own ? own : g_strdup(name);
}

gboolean ps_class_is_copy(const char *name)
{
    return ps_class_covers("copy", name);
}

gboolean ps_class_is_global(const char *name)
{
    return ps_class_covers("global", name) || ps_class_covers("memory", name) ||
           ps_class_is_copy(name);
}

gboolean ps_class_is_store(const char *name)
{
    const char *second = next_part(name);
    return second && part_is(second, "store");
}

gboolean ps_class_writes(const char *name)
{
    return ps_class_is_store(name) || ps_class_covers("atomic", name);
}

char *ps_class_load_of(const char *name)
{
    if (!ps_class_is_store(name))
        return NULL;
    const char *second = next_part(name);
    return g_strdup_printf("%.*sload%s", (int)(second - name), name, second + strlen("store"));
}

/* ---- counts --------------------------------------------------------------------------------- */

/* In the order in which they are written. */
static const struct {
    const char *letter;
    gsize at;
} COUNTS[] = {{"c", G_STRUCT_OFFSET(PsClassAccess, conflicts)},
              {"stride", G_STRUCT_OFFSET(PsClassAccess, stride)},
              {"s", G_STRUCT_OFFSET(PsClassAccess, sectors)},
              {"p", G_STRUCT_OFFSET(PsClassAccess, pairs)},
              {"v", G_STRUCT_OFFSET(PsClassAccess, words)}};

/* The last part that is this letter and a number; without one, NULL and the number 1. */
static const char *find_count(const char *name, const char *letter, gint64 *number)
{
    const char *found = NULL;
    *number = 1;
    for (const char *part = next_part(name); part; part = next_part(part))
        if (read_count(part, letter, number))
            found = part;
    return found;
}

static const char *find_word(const char *name, const char *word)
{
    const char *part = next_part(name);
    while (part && !part_is(part, word))
        part = next_part(part);
    return part;
}

PsClassAccess ps_class_access(const char *name)
{
    PsClassAccess access = {FALSE, 1, 1, 1, 1, 1};
    if (ps_class_covers("tensor", name)) /* its s8 is a type */
        return access;
    access.broadcast = find_word(name, "broadcast") != NULL;
    for (guint i = 0; i < G_N_ELEMENTS(COUNTS); i++) {
        gint64 *number = &G_STRUCT_MEMBER(gint64, &access, COUNTS[i].at);
        (void)find_count(name, COUNTS[i].letter, number);
        *number = MAX(*number, 1);
    }
    return access;
}

gint64 ps_class_wavefronts(const PsClassAccess *access)
{
    const gint64 conflicts = MAX(access->conflicts, 1), words = MAX(access->words, 1);
    const gboolean shared = words > 1 && (access->broadcast || access->pairs > 1);
    return shared ? conflicts * ((words + 1) / 2) : conflicts * words;
}

char *ps_class_with_access(const char *name, const PsClassAccess *access)
{
    GString *text = g_string_new(name);
    if (access->broadcast)
        g_string_append(text, ".broadcast");
    for (guint i = 0; i < G_N_ELEMENTS(COUNTS); i++) {
        const gint64 number = G_STRUCT_MEMBER(gint64, access, COUNTS[i].at);
        if (number > 1)
            g_string_append_printf(text, ".%s%" G_GINT64_FORMAT, COUNTS[i].letter, number);
    }
    return g_string_free(text, FALSE);
}

gboolean ps_class_is_counted(const char *name)
{
    gint64 number;
    const char *part = next_part(name);
    if (part && (part_is(part, "load") || part_is(part, "store")))
        part = next_part(part);
    if (!part || !ps_class_is_global(name))
        return FALSE;
    for (; part; part = next_part(part))
        if (!read_count(part, "s", &number) && !read_count(part, "v", &number))
            return FALSE;
    return TRUE;
}

/* The name without a count above 1; NULL: it has no such count. */
static char *without_count(const char *name, const char *letter)
{
    gint64 number;
    const char *count = find_count(name, letter, &number);
    if (!count || number < 2)
        return NULL;
    const char *rest = next_part(count);
    return g_strdup_printf("%.*s%s%s", (int)(count - 1 - name), name, rest ? "." : "",
                           rest ? rest : "");
}

char *ps_class_without_conflict(const char *name)
{
    const char *conflict = find_word(name, "conflict");
    if (!conflict)
        return ps_class_covers("local", name) ? without_count(name, "c") : NULL;
    g_autofree char *plain = g_strndup(name, (gsize)(conflict - 1 - name));
    return ps_class_with_access(plain, &(PsClassAccess){.words = ps_class_access(name).words});
}

char *ps_class_coalesced(const char *name)
{
    return ps_class_covers("global", name) ? without_count(name, "s") : NULL;
}

/* SPDX-License-Identifier: BSD-3-Clause */
/* Matches the source lines of two kernels. See line-match.h. */
#include "answer/line-match.h"

#include "answer/answer-private.h"
#include "answer/source-file.h"
#include "base/align.h"

#include <string.h>

/* The least share of common words in two lines of which one may have become the other. */
#define ALIKE 0.5

/* Pairs of lines in a stretch that is compared, at most. */
#define MOST_PAIRS 1000000

/* A source line that has instructions of a kernel. */
typedef struct {
    const char *name; /* as PsExplainShare names it */
    const char *file; /* as the graph names it; NULL: unknown */
    int number;
    gboolean main; /* the file is the kernel's own */
    char *text;    /* without needless white space; NULL: the line goes by its number */
    guint key;     /* equal for equal lines */
    GArray *words; /* words of a line without a counterpart */
    PsLineGroup *group;
} Line;

/* How lines of a file are recognised. */
typedef struct {
    gboolean unchanged; /* by numbers, since both sides have the same text */
    char **lines;       /* borrowed; NULL: numbers, since a side cannot be read */
    guint n_lines;
} File;

typedef struct {
    PsLineMatch *match;
    const PsAnswer *answers[2];
    GArray *lines[2];       /* Line: the kernel's file first, then by name and number */
    GHashTable *sources[2]; /* name of a file -> PsSourceFile */
    GHashTable *files[2];   /* name of a file -> File */
    guint *keys[2];
    guint *beside; /* [A's line]: its counterpart */
} Matching;

const char *ps_line_change_name(PsLineChange change)
{
    static const char *const names[PS_N_LINE_CHANGES] = {[PS_LINE_SAME] = "same",
                                                         [PS_LINE_MOVED] = "moved",
                                                         [PS_LINE_CHANGED] = "changed",
                                                         [PS_LINE_ONLY_A] = "only-a",
                                                         [PS_LINE_ONLY_B] = "only-b"};
    return names[change];
}

static Line *line_at(const Matching *matching, guint side, guint i)
{
    return &g_array_index(matching->lines[side], Line, i);
}

static void line_clear(void *data)
{
    Line *line = data;
    g_free(line->text);
    g_clear_pointer(&line->words, g_array_unref);
}

/* ---- lines --------------------------------------------------------------------------------- */

static int in_order(gconstpointer a, gconstpointer b)
{
    const Line *x = a, *y = b;
    const int by_file = x->main != y->main ? y->main - x->main : g_strcmp0(x->file, y->file);
    return by_file ? by_file : (x->number > y->number) - (x->number < y->number);
}

static void collect_lines(Matching *matching, guint side)
{
    const PsAnswer *answer = matching->answers[side];
    g_autoptr(GHashTable) known = g_hash_table_new(g_str_hash, g_str_equal);
    for (guint p = 0; p < answer->kernel->n_programs; p++)
        for (guint n = 0; n < answer->kernel->programs[p].n_nodes; n++) {
            const PsIdgItem *item = answer->kernel->programs[p].nodes[n].item;
            g_autofree char *name = ps_item_line(answer->idg, item);
            if (!name || g_hash_table_contains(known, name))
                continue;
            const char *file = item->file ? item->file : answer->idg->file;
            const Line line = {.name = g_string_chunk_insert(matching->match->texts, name),
                               .file = file,
                               .number = item->source_line,
                               .main = g_strcmp0(file, answer->idg->file) == 0};
            g_hash_table_add(known, (gpointer)line.name);
            g_array_append_val(matching->lines[side], line);
        }
    g_array_sort(matching->lines[side], in_order);
}

/* ---- what lines go by ---------------------------------------------------------------------- */

static const PsSourceFile *source_of(Matching *matching, guint side, const char *name)
{
    if (!name)
        return NULL;
    PsSourceFile *source = g_hash_table_lookup(matching->sources[side], name);
    if (!source) {
        source = ps_source_file_new(matching->answers[side]->idg, name);
        g_hash_table_insert(matching->sources[side], source->name, source);
    }
    return source;
}

/* The other side's file with the same end of the path; NULL: there is none. */
static const char *counterpart_of(const Matching *matching, guint side, const Line *line)
{
    if (line->main)
        return matching->answers[!side]->idg->file;
    for (guint i = 0; i < matching->lines[!side]->len; i++) {
        const Line *other = line_at(matching, !side, i);
        if (!other->main && g_strcmp0(other->file, line->file) == 0)
            return other->file;
    }
    return NULL;
}

/* In an unchanged text, a line's counterpart has its number. */
static gboolean is_unchanged(const Matching *matching, const PsSourceFile *source,
                             const PsSourceFile *other)
{
    const PsIdg *a = matching->answers[0]->idg, *b = matching->answers[1]->idg;
    return a == b ||
           (source && other && source->lines && other->lines && strcmp(a->name, b->name) == 0 &&
            g_strv_equal((const char *const *)source->lines, (const char *const *)other->lines));
}

/* The text without white space at its ends, and with single blanks within. */
static char *plain_text(const char *text)
{
    GString *plain = g_string_new(NULL);
    g_auto(GStrv) parts = g_strsplit_set(text, " \t\r\f\v", -1);
    for (guint i = 0; parts[i]; i++)
        if (*parts[i])
            g_string_append_printf(plain, "%s%s", plain->len ? " " : "", parts[i]);
    return g_string_free(plain, FALSE);
}

static void set_note(Matching *matching, const PsSourceFile *source)
{
    if (!matching->match->note)
        matching->match->note =
            g_strdup_printf("lines go by their numbers, not by their text: %s", source->why);
}

/* Decides once for each file how its lines are recognised. */
static const File *file_of(Matching *matching, guint side, const Line *line)
{
    const char *name = line->file ? line->file : "";
    File *file = g_hash_table_lookup(matching->files[side], name);
    if (file)
        return file;
    const char *counterpart = counterpart_of(matching, side, line);
    const PsSourceFile *source = source_of(matching, side, line->file);
    const PsSourceFile *other = source_of(matching, !side, counterpart);
    const PsSourceFile *lacking = source && !source->lines ? source
                                  : other && !other->lines ? other
                                                           : NULL;
    file = g_new0(File, 1);
    file->unchanged = is_unchanged(matching, source, other);
    file->lines = source && !lacking ? source->lines : NULL;
    file->n_lines = file->lines ? g_strv_length(file->lines) : 0;
    if (lacking && counterpart && !file->unchanged)
        set_note(matching, lacking);
    g_hash_table_insert(matching->files[side], g_strdup(name), file);
    return file;
}

/* The line's key: its text if both sides can be read; otherwise its number and its file's name.
 * Texts have no line end, which those keys have. */
static char *find_key(Matching *matching, guint side, Line *line)
{
    const File *file = file_of(matching, side, line);
    if (file->unchanged)
        return g_strdup_printf("\n%s:%d", line->main ? "" : line->file, line->number);
    g_autofree char *text = (guint)line->number <= file->n_lines
                                ? plain_text(file->lines[line->number - 1])
                                : g_strdup("");
    if (!*text)
        return g_strdup_printf("\n%s:%d", line->file ? line->file : "?", line->number);
    line->text = g_strdup(text);
    return g_steal_pointer(&text);
}

static void find_keys(Matching *matching)
{
    g_autoptr(GHashTable) keys = g_hash_table_new_full(g_str_hash, g_str_equal, g_free, NULL);
    for (guint side = 0; side < 2; side++) {
        const guint n = matching->lines[side]->len;
        matching->keys[side] = g_new(guint, n + 1);
        for (guint i = 0; i < n; i++) {
            Line *line = line_at(matching, side, i);
            line->key = ps_align_key(keys, find_key(matching, side, line));
            matching->keys[side][i] = line->key;
        }
    }
}

/* ---- groups -------------------------------------------------------------------------------- */

static PsLineGroup *add_group(const Matching *matching, PsLineChange change)
{
    PsLineGroup *group = g_new0(PsLineGroup, 1);
    group->change = change;
    g_ptr_array_add(matching->match->groups, group);
    return group;
}

/* Groups counterparts; numbers of lines show no order. */
static void group_pairs(const Matching *matching, const guint *in_order)
{
    for (guint i = 0; i < matching->lines[0]->len; i++) {
        const guint j = matching->beside[i];
        if (j == PS_ALIGN_NONE)
            continue;
        Line *a = line_at(matching, 0, i), *b = line_at(matching, 1, j);
        const gboolean moved = in_order[i] == PS_ALIGN_NONE && a->text;
        a->group = b->group = add_group(matching, moved ? PS_LINE_MOVED : PS_LINE_SAME);
    }
}

/* The ungrouped line of the other side's stretch that shares most words with this one; NULL: none
 * shares enough. */
static Line *likest(const Matching *matching, const Line *line, guint side, guint from, guint to)
{
    Line *best = NULL;
    double most = 0;
    for (guint i = from; line->words && i < to; i++) {
        Line *other = line_at(matching, side, i);
        const double likeness = other->words ? ps_line_likeness(line->words, other->words) : 0;
        if (likeness >= ALIKE && likeness > most) {
            most = likeness;
            best = other;
        }
    }
    return best;
}

/* Groups the lines of a stretch: one line may have become several, and several one. */
static void group_stretch(const Matching *matching, const guint from[2], const guint to[2])
{
    if ((guint64)(to[0] - from[0]) * (to[1] - from[1]) > MOST_PAIRS)
        return;
    for (guint j = from[1]; j < to[1]; j++) {
        Line *b = line_at(matching, 1, j), *a = likest(matching, b, 0, from[0], to[0]);
        if (a && !a->group)
            a->group = add_group(matching, PS_LINE_CHANGED);
        if (a)
            b->group = a->group;
    }
    for (guint i = from[0]; i < to[0]; i++) {
        Line *a = line_at(matching, 0, i);
        const Line *b = a->group ? NULL : likest(matching, a, 1, from[1], to[1]);
        if (b)
            a->group = b->group;
    }
}

/* Looks at stretches between counterparts that are in order on both sides. */
static void group_stretches(const Matching *matching, const guint *in_order)
{
    guint from[2] = {0, 0};
    for (guint i = 0; i <= matching->lines[0]->len; i++) {
        const guint j = i < matching->lines[0]->len ? in_order[i] : matching->lines[1]->len;
        if (j == PS_ALIGN_NONE)
            continue;
        group_stretch(matching, from, (guint[]){i, j});
        from[0] = i + 1;
        from[1] = j + 1;
    }
}

/* Only lines without a group have words to be compared. */
static void find_words(const Matching *matching)
{
    g_autoptr(GHashTable) ids = g_hash_table_new_full(g_str_hash, g_str_equal, g_free, NULL);
    for (guint side = 0; side < 2; side++)
        for (guint i = 0; i < matching->lines[side]->len; i++) {
            Line *line = line_at(matching, side, i);
            if (!line->group && line->text)
                line->words = ps_line_words(line->text, ids);
        }
}

static void find_groups(Matching *matching)
{
    const guint n = matching->lines[0]->len, m = matching->lines[1]->len;
    const PsAlignSequence a = {matching->keys[0], n}, b = {matching->keys[1], m};
    matching->beside = g_new(guint, n + 1);
    ps_align_in_order(a, b, matching->beside);
    g_autofree guint *in_order = g_memdup2(matching->beside, (n + 1) * sizeof(guint));
    ps_align_moved(a, b, matching->beside);
    group_pairs(matching, in_order);
    find_words(matching);
    group_stretches(matching, in_order);
    for (guint side = 0; side < 2; side++)
        for (guint i = 0; i < matching->lines[side]->len; i++) {
            Line *line = line_at(matching, side, i);
            if (!line->group)
                line->group = add_group(matching, side ? PS_LINE_ONLY_B : PS_LINE_ONLY_A);
        }
}

/* ---- names --------------------------------------------------------------------------------- */

/* Appends the lines from first to last, of one file; the name may begin with the file. */
static void append_lines(GString *name, const Line *first, const Line *last, gboolean same_file)
{
    if (same_file)
        g_string_append_printf(name, ",%d", first->number);
    else
        g_string_append_printf(name, "%s%s", name->len ? "," : "", first->name);
    if (last != first)
        g_string_append_printf(name, "-%d", last->number);
}

/* Names the groups of a side: "mmul.cu:24-27,30". Lines that follow each other among those with
 * instructions are one piece. */
static void name_side(Matching *matching, guint side)
{
    g_autoptr(GHashTable) names = g_hash_table_new(NULL, NULL); /* PsLineGroup -> GString */
    GHashTableIter iter;
    gpointer group, text;
    const Line *file = NULL;
    for (guint i = 0, next; i < matching->lines[side]->len; i = next) {
        const Line *first = line_at(matching, side, i), *last = first;
        for (next = i + 1; next < matching->lines[side]->len;
             last = line_at(matching, side, next++)) {
            const Line *line = line_at(matching, side, next);
            if (line->group != first->group || g_strcmp0(line->file, first->file) != 0)
                break;
        }
        GString *name = g_hash_table_lookup(names, first->group);
        if (!name)
            g_hash_table_insert(names, first->group, name = g_string_new(NULL));
        append_lines(name, first, last,
                     name->len && file && g_strcmp0(file->file, first->file) == 0);
        file = first;
    }
    g_hash_table_iter_init(&iter, names);
    while (g_hash_table_iter_next(&iter, &group, &text)) {
        ((PsLineGroup *)group)->names[side] =
            g_string_chunk_insert(matching->match->texts, ((GString *)text)->str);
        g_string_free(text, TRUE);
    }
}

/* Indexes lines by the names that shares of the path have. */
static void index_lines(Matching *matching, guint side)
{
    for (guint i = 0; i < matching->lines[side]->len; i++) {
        const Line *line = line_at(matching, side, i);
        g_hash_table_insert(matching->match->of[side], (gpointer)line->name, line->group);
    }
}

/* ---- all of it ----------------------------------------------------------------------------- */

/* TRUE if the kernels have nothing in common: equal braces, or likeness alone, do not count. */
static gboolean have_nothing_in_common(const Matching *matching)
{
    for (guint i = 0; i < matching->lines[0]->len; i++) {
        const Line *line = line_at(matching, 0, i);
        const gboolean says_something =
            !line->text || line->text[strcspn(line->text, G_CSET_A_2_Z G_CSET_a_2_z)];
        if (line->group->change < PS_LINE_CHANGED && says_something)
            return FALSE;
    }
    return TRUE;
}

static void find_problem(const Matching *matching)
{
    const guint n = matching->lines[0]->len, m = matching->lines[1]->len;
    matching->match->problem =
        n == 0 && m == 0 ? "neither graph states source lines, so nothing is charged to them"
        : n == 0         ? "A's graph states no source lines, so nothing is charged to them"
        : m == 0         ? "B's graph states no source lines, so nothing is charged to them"
        : have_nothing_in_common(matching)
            ? "no source line of A is one of B's, so nothing is charged to them"
            : NULL;
}

static void matching_clear(Matching *matching)
{
    for (guint side = 0; side < 2; side++) {
        g_array_unref(matching->lines[side]);
        g_hash_table_unref(matching->files[side]);
        g_hash_table_unref(matching->sources[side]);
        g_free(matching->keys[side]);
    }
    g_free(matching->beside);
}

PsLineMatch *ps_line_match_new(const PsAnswer *a, const PsAnswer *b)
{
    PsLineMatch *match = g_new0(PsLineMatch, 1);
    Matching matching = {.match = match, .answers = {a, b}};
    match->groups = g_ptr_array_new_with_free_func(g_free);
    match->texts = g_string_chunk_new(1024);
    for (guint side = 0; side < 2; side++) {
        match->of[side] = g_hash_table_new(g_str_hash, g_str_equal);
        matching.lines[side] = g_array_new(FALSE, TRUE, sizeof(Line));
        g_array_set_clear_func(matching.lines[side], line_clear);
        matching.sources[side] = g_hash_table_new_full(g_str_hash, g_str_equal, NULL,
                                                       (GDestroyNotify)ps_source_file_free);
        matching.files[side] = g_hash_table_new_full(g_str_hash, g_str_equal, g_free, g_free);
        collect_lines(&matching, side);
    }
    find_keys(&matching);
    find_groups(&matching);
    for (guint side = 0; side < 2; side++) {
        name_side(&matching, side);
        index_lines(&matching, side);
    }
    find_problem(&matching);
    matching_clear(&matching);
    return match;
}

void ps_line_match_free(PsLineMatch *match)
{
    if (!match)
        return;
    g_ptr_array_unref(match->groups);
    for (guint side = 0; side < 2; side++)
        g_hash_table_unref(match->of[side]);
    g_string_chunk_free(match->texts);
    g_free(match->note);
    g_free(match);
}

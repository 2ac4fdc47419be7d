/* SPDX-License-Identifier: BSD-3-Clause */
/* Parts of a sweep, written by hand: what is joined, and what is refused with its place. */
#include "sweep/merge.h"

#include "sweep/csv.h"

#include <glib/gstdio.h>
#include <string.h>

#define HEADER "name,cycles,check,sweep"
#define MOST_PARTS 6

typedef struct {
    char *folder;
    char *files[MOST_PARTS + 1];
    guint n;
    gboolean begun;
    GString *put;
} Parts;

static Parts parts_new(void)
{
    return (Parts){.folder = g_dir_make_tmp("parts-XXXXXX", NULL), .put = g_string_new(NULL)};
}

static void parts_clear(Parts *parts)
{
    for (guint i = 0; i < parts->n; i++) {
        g_unlink(parts->files[i]);
        g_free(parts->files[i]);
    }
    g_rmdir(parts->folder);
    g_free(parts->folder);
    g_string_free(parts->put, TRUE);
}

G_DEFINE_AUTO_CLEANUP_CLEAR_FUNC(Parts, parts_clear)

/* A part with that text; a prefix of its name in messages is "pN.csv". */
static void add(Parts *parts, const char *text)
{
    g_autofree char *name = g_strdup_printf("p%u.csv", parts->n + 1);
    parts->files[parts->n] = g_build_filename(parts->folder, name, NULL);
    g_assert_true(g_file_set_contents(parts->files[parts->n++], text, -1, NULL));
}

/* A row with the right check, and these columns of parts behind it (g_free). */
static char *row(const char *cells, const char *id, const char *columns)
{
    g_autofree char *sum = ps_sweep_csv_sum(cells, strlen(cells));
    return g_strdup_printf("%s,%s,%s,%s\n", cells, sum, id, columns);
}

static char *row_of(guint shard, guint shards, guint point, guint points)
{
    g_autofree char *cells = g_strdup_printf("k%u,%u", point, 10 * point);
    g_autofree char *columns = g_strdup_printf("%u/%u,%u,%u", shard, shards, point, points);
    return row(cells, "s1", columns);
}

/* All rows of a shard. */
static char *shard_of(guint shard, guint shards, guint points)
{
    GString *text = g_string_new(HEADER PS_SWEEP_CSV_PART "\n");
    for (guint point = shard; point <= points; point += shards) {
        g_autofree char *line = row_of(shard, shards, point, points);
        g_string_append(text, line);
    }
    return g_string_free(text, FALSE);
}

static void add_shard(Parts *parts, guint shard, guint shards, guint points)
{
    g_autofree char *text = shard_of(shard, shards, points);
    add(parts, text);
}

static gboolean begin(gpointer data, GError **error)
{
    (void)error;
    ((Parts *)data)->begun = TRUE;
    return TRUE;
}

static gboolean put(const char *text, gpointer data, GError **error)
{
    (void)error;
    g_string_append(((Parts *)data)->put, text);
    return TRUE;
}

static gboolean merge(Parts *parts, GError **error)
{
    const PsSweepMerge all = {
        .files = parts->files, .begin = begin, .put = put, .data = parts, .prefix = "--"};
    return ps_sweep_merge(&all, error);
}

/* The parts are refused: the message has that in it. */
static void assert_refused(Parts *parts, const char *why)
{
    g_autoptr(GError) error = NULL;
    g_assert_false(merge(parts, &error));
    if (!strstr(error->message, why))
        g_error("\"%s\" lacks \"%s\"", error->message, why);
}

/* ---- what is joined ------------------------------------------------------------------------ */

static void assert_joined(Parts *parts, guint points)
{
    g_autoptr(GError) error = NULL;
    g_autoptr(GString) whole = g_string_new(HEADER "\n");
    g_assert_true(merge(parts, &error));
    g_assert_no_error(error);
    for (guint point = 1; point <= points; point++) {
        g_autofree char *line = row_of(1, 1, point, points);
        g_autofree char *columns = g_strdup_printf(",1/1,%u,%u\n", point, points);
        line[strlen(line) - strlen(columns)] = '\0';
        g_string_append_printf(whole, "%s\n", line);
    }
    g_assert_true(parts->begun);
    g_assert_cmpstr(parts->put->str, ==, whole->str);
}

/* For any number of shards and points, in any order; shards beyond the last point are empty. */
static void test_joined(void)
{
    for (guint shards = 1; shards <= 4; shards++)
        for (guint points = 1; points <= 6; points++)
            for (guint first = 0; first < shards; first++) {
                g_auto(Parts) parts = parts_new();
                for (guint i = 0; i < shards; i++)
                    add_shard(&parts, (first + i) % shards + 1, shards, points);
                assert_joined(&parts, points);
            }
}

/* An empty shard beyond the last point may be missing. */
static void test_without_empty(void)
{
    g_auto(Parts) parts = parts_new();
    add_shard(&parts, 1, 4, 2);
    add_shard(&parts, 2, 4, 2);
    assert_joined(&parts, 2);
}

/* ---- what is not --------------------------------------------------------------------------- */

static void test_missing(void)
{
    for (guint missing = 1; missing <= 3; missing++) {
        g_auto(Parts) parts = parts_new();
        g_autofree char *why = g_strdup_printf("shard %u/3 is missing", missing);
        for (guint shard = 1; shard <= 3; shard++)
            if (shard != missing)
                add_shard(&parts, shard, 3, 5);
        assert_refused(&parts, why);
    }
}

static void test_twice(void)
{
    g_auto(Parts) parts = parts_new();
    add_shard(&parts, 1, 2, 5);
    add_shard(&parts, 1, 2, 5);
    assert_refused(&parts, "are both shard 1/2");
}

/* Rows of the first of two shards of three points, of which one is wrong. */
static void assert_row_refused(const char *first, const char *second, const char *why)
{
    g_auto(Parts) parts = parts_new();
    g_autofree char *text = g_strconcat(HEADER PS_SWEEP_CSV_PART "\n", first, second, NULL);
    add(&parts, text);
    add_shard(&parts, 2, 2, 3);
    assert_refused(&parts, why);
}

static void test_rows(void)
{
    g_autofree char *one = row_of(1, 2, 1, 3), *three = row_of(1, 2, 3, 3);
    g_autofree char *others = row_of(1, 2, 2, 3), *beyond = row_of(1, 2, 5, 3);
    g_autofree char *of_more = row_of(1, 2, 3, 4), *of_another = row("k3,30", "s2", "1/2,3,3");
    g_autofree char *above = row_of(3, 2, 3, 3);
    static const char cut[] = "k3,30";
    assert_row_refused(one, "", "the part is cut off before point 3 of 3");
    assert_row_refused(one, cut, "p1.csv:3: the part is cut off in this row");
    assert_row_refused(one, others, "p1.csv:3: this is no row of a part");
    assert_row_refused(one, beyond, "p1.csv:3: this is no row of a part");
    assert_row_refused(one, above, "p1.csv:3: this is no row of a part");
    assert_row_refused(one, of_more, "p1.csv:3: this row and those before it are of different");
    assert_row_refused(one, of_another, "p1.csv:3: this row and those before it are of different");
    assert_row_refused(one, one, "p1.csv:3: this is point 1, and point 3 is due");
    assert_row_refused(three, one, "p1.csv:2: this is point 3, and point 1 is due");
}

/* Any letter of a row's cells that is another one, or one more behind its check. */
static void test_changed(void)
{
    g_autofree char *one = row_of(1, 2, 1, 3), *right = row_of(1, 2, 3, 3);
    const gsize checked = strlen("k3,30,c12345678");
    for (gsize at = 0; at < checked; at++) {
        g_autofree char *changed = g_strdup(right);
        changed[at] = right[at] == ',' ? ';' : right[at] == '1' ? '2' : '1';
        assert_row_refused(one, changed,
                           right[at] == ',' ? "this is no row of a part" : "this row was changed");
    }
    g_autofree char *longer = g_strdup_printf("%.*s0%s", (int)checked, right, right + checked);
    assert_row_refused(one, longer, "this row was changed");
}

static void test_more(void)
{
    g_auto(Parts) parts = parts_new();
    g_autofree char *text = shard_of(1, 1, 2), *again = row_of(1, 1, 2, 2);
    g_autofree char *all = g_strconcat(text, again, NULL);
    add(&parts, all);
    assert_refused(&parts, "p1.csv:4: point 2 is there twice");
}

static void test_sweeps(void)
{
    g_auto(Parts) columns = parts_new(), ids = parts_new(), shards = parts_new();
    g_autofree char *line = row("k2,20", "s2", "2/2,2,3");
    g_autofree char *text = g_strconcat(HEADER PS_SWEEP_CSV_PART "\n", line, NULL);
    g_autofree char *fewer = g_strconcat("cycles,check,sweep" PS_SWEEP_CSV_PART "\n", NULL);
    add_shard(&columns, 1, 2, 3);
    add(&columns, fewer);
    assert_refused(&columns, "parts of different sweeps: their columns differ");
    add_shard(&ids, 1, 2, 3);
    add(&ids, text);
    assert_refused(&ids, "parts of different sweeps: of other options");
    add_shard(&shards, 1, 2, 4);
    add_shard(&shards, 2, 3, 4);
    assert_refused(&shards, "one of 2 shards");
}

static void test_no_parts(void)
{
    static const char *const texts[][2] = {
        {"", "the file is empty"},
        {HEADER "\nk1,10,c1,s1\n", "this is the CSV of a whole sweep"},
        {"a,b\n1,2\n", "this is no part of a sweep"},
        {HEADER PS_SWEEP_CSV_PART "\n", "there is no point in this part"}};
    for (guint i = 0; i < G_N_ELEMENTS(texts); i++) {
        g_auto(Parts) parts = parts_new();
        add(&parts, texts[i][0]);
        assert_refused(&parts, texts[i][1]);
        g_assert_false(parts.begun);
    }
}

int main(int argc, char **argv)
{
    g_test_init(&argc, &argv, NULL);
    g_test_add_func("/merge/joined", test_joined);
    g_test_add_func("/merge/without-empty", test_without_empty);
    g_test_add_func("/merge/missing", test_missing);
    g_test_add_func("/merge/twice", test_twice);
    g_test_add_func("/merge/rows", test_rows);
    g_test_add_func("/merge/changed", test_changed);
    g_test_add_func("/merge/more", test_more);
    g_test_add_func("/merge/sweeps", test_sweeps);
    g_test_add_func("/merge/no-parts", test_no_parts);
    return g_test_run();
}

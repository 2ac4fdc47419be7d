/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * The reader of comma-separated values: what RFC 4180 allows and what files really look like, where
 * an error says that it is, and that rows come out the same wherever the bytes happen to be cut.
 */
#include "base/cell.h"
#include "base/csv.h"
#include "base/message.h"

#include <glib/gstdio.h>
#include <string.h>
#include <unistd.h>

static char *path; /* of the file that a case reads */

static void write_file(const char *text, gssize length)
{
    g_autoptr(GError) error = NULL;
    g_file_set_contents(path, text, length, &error);
    g_assert_no_error(error);
}

/* All rows as "a|b|c/" each, or what is wrong, without the file's name. */
static char *read_back(void)
{
    g_autoptr(GError) error = NULL;
    g_autoptr(PsCsv) csv = ps_csv_open(path, &error);
    g_autoptr(GString) rows = g_string_new(NULL);
    PsCsvState state = PS_CSV_ERROR;
    while (csv && (state = ps_csv_line(csv, &error)) == PS_CSV_ROW) {
        if (!ps_csv_split(csv, &error)) {
            state = PS_CSV_ERROR;
            break;
        }
        for (guint i = 0; i < csv->n_fields; i++) {
            g_assert_cmpuint(strlen(csv->fields[i].text), ==, csv->fields[i].length);
            g_string_append_printf(rows, "%s%s", i > 0 ? "|" : "", csv->fields[i].text);
        }
        g_string_append(rows, csv->is_cut ? "..." : "/");
    }
    if (state == PS_CSV_END)
        return g_string_free(g_steal_pointer(&rows), FALSE);
    g_assert_nonnull(error);
    g_assert_true(error && g_str_has_prefix(error->message, path));
    return g_strdup(error ? error->message + strlen(path) : "");
}

static void assert_rows(const char *text, const char *rows)
{
    write_file(text, -1);
    g_autofree char *got = read_back();
    g_assert_cmpstr(got, ==, rows);
}

static void test_rows(void)
{
    assert_rows("", "");
    assert_rows("a\n", "a/");
    assert_rows("\xef\xbb\xbf", "...");
    assert_rows("\xef\xbb\xbf\na\n", "/a/");
    assert_rows("\xef\xbb\n\xef\xbb\xbf\n", "\xef\xbb/\xef\xbb\xbf/");
    assert_rows("a,b\n1,2\n", "a|b/1|2/");
    assert_rows("a,b\r\n1,2\r\n", "a|b/1|2/");
    assert_rows("\xef\xbb\xbf"
                "a,b\n",
                "a|b/");
    assert_rows("\n\na\n", "//a/");
    assert_rows(",\n,,\n", "|/||/");
    assert_rows("a,\n", "a|/");
    assert_rows("\"a\",\"b,c\",d\n", "a|b,c|d/");
    assert_rows("\"\",\"\"\"\",\"a\"\"b\"\"\"\n", "|\"|a\"b\"/");
    assert_rows("\"a\nb\r\nc\",d\ne\n", "a\nb\r\nc|d/e/");
    assert_rows("\"a\"\"\n\"\"b\",\"c\"\"d\"\n", "a\"\n\"b|c\"d/");
    assert_rows("a \"quoted\" word,b\n", "a \"quoted\" word|b/");
}

/* A last row without a line end may be cut off, or not. */
static void test_cut(void)
{
    assert_rows("a,b\n1,2", "a|b/1|2...");
    assert_rows("a,\"b\"", "a|b...");
    assert_rows("a\r", "a...");
}

/* Where an error is does not depend on what stands in the quotes before it. */
static void test_places(void)
{
    static const char *const pieces[] = {"a", "\"\"", "\n", "\xc3\xa4", ",", "\"\"\n"};
    g_autoptr(GRand) random = g_rand_new_with_seed(1);
    for (guint i = 0; i < 500; i++) {
        g_autoptr(GString) row = g_string_new(NULL);
        const gint fields = g_rand_int_range(random, 1, 4);
        for (gint f = 0; f < fields; f++) {
            g_string_append_c(row, '"');
            for (gint n = g_rand_int_range(random, 0, 8); n > 0; n--)
                g_string_append(row, pieces[g_rand_int_range(random, 0, G_N_ELEMENTS(pieces))]);
            g_string_append(row, "\",");
        }
        guint line = 1;
        for (const char *c = row->str; *c; c++)
            line += *c == '\n';
        const char *last = strrchr(row->str, '\n');
        const glong column = g_utf8_strlen(last ? last + 1 : row->str, -1) + 1;
        g_autofree char *error = g_strdup_printf(
            ":%u:%ld: this field goes on behind its closing quote, with 'f': a comma is due there",
            line, column);
        g_string_append(row, "\"e\"f\n");
        assert_rows(row->str, error);
    }
}

static void test_errors(void)
{
    assert_rows("a,b\nc,\"d",
                ":2:3: a quote begins here, and the file ends before it does: it is cut "
                "off");
    assert_rows("a,b\nc,\"d\n\ne,f\n",
                ":2:3: a quote begins here, and the file ends before it does: it is cut off");
    assert_rows(
        "\"\xc3\xa4\",\"b\"c,d\n",
        ":1:5: this field goes on behind its closing quote, with 'c': a comma is due there");
    assert_rows(
        "\"a\"\"b\",\"c\nd\",\"e\"f\n",
        ":2:4: this field goes on behind its closing quote, with 'f': a comma is due there");
    write_file("a\n\xff\xfe"
               "b\0\n\0",
               8);
    g_autofree char *zero = read_back();
    g_assert_cmpstr(zero, ==, ":2: this is a binary file and no text: it has a zero byte here");
    write_file("\xff\xfe"
               "a\0\n\0",
               6);
    g_autofree char *utf16 = read_back();
    g_assert_true(g_str_has_prefix(utf16, ":1: this is UTF-16 text, and UTF-8 is needed: "
                                          "iconv -f UTF-16 -t UTF-8 '"));
    g_assert_true(g_str_has_suffix(utf16, "' >utf-8.csv"));
}

/* UTF-16 without a mark shows by its zeros, in whichever byte order; other zeros are not text. */
static void test_unmarked_utf16(void)
{
    static const struct {
        const char *bytes;
        gsize length;
        const char *says;
    } cases[] = {
        {"\xff\xfe\0\0a\0\0\0\n\0\0\0", 12,
         "this is UTF-32 text, and UTF-8 is needed: iconv -f UTF-32"},
        {"\"\0I\0D\0\"\0\n\0", 10, "this is UTF-16 text, and UTF-8 is needed: iconv -f UTF-16LE"},
        {"\0a\0,\0b\0\n", 8, "this is UTF-16 text, and UTF-8 is needed: iconv -f UTF-16BE"},
        {"\xff\xfe\0\0", 4, "this is UTF-32 text"}, /* a mark alone */
        {"a\0\n\0", 4, "this is UTF-16 text, and UTF-8 is needed: iconv -f UTF-16LE"},
        {"a\0", 2, "this is a binary file and no text"},
        {"a\0\0b", 4, "this is a binary file and no text"},
        {"a\0\0\0", 4, "this is a binary file and no text"},
        {"\0\0\0a", 4, "this is a binary file and no text"},
        {"abc\0def\0", 8, "this is a binary file and no text"},
    };
    for (guint i = 0; i < G_N_ELEMENTS(cases); i++) {
        write_file(cases[i].bytes, (gssize)cases[i].length);
        g_autofree char *got = read_back();
        g_assert_true(g_str_has_prefix(got, ":1: ") && g_str_has_prefix(got + 4, cases[i].says));
    }
}

/* A file that lost its end with the power ends in zeros, however many; what goes on behind them was
 * never text. */
static void test_lost_end(void)
{
    static const gsize lengths[] = {1, 3, 5000, 70000, 1 << 20};
    for (guint i = 0; i < 2 * G_N_ELEMENTS(lengths); i++) {
        const gboolean goes_on = i % 2 == 1;
        g_autoptr(GString) text = g_string_new("a,b\n");
        g_string_set_size(text, text->len + lengths[i / 2]);
        memset(text->str + 4, 0, lengths[i / 2]);
        g_string_append(text, goes_on ? "x\n" : "");
        write_file(text->str, (gssize)text->len);
        g_autoptr(GError) error = NULL;
        g_autoptr(PsCsv) csv = ps_csv_open(path, &error);
        csv->may_lose = TRUE;
        g_assert_cmpint(ps_csv_line(csv, &error), ==, PS_CSV_ROW);
        g_assert_cmpint(ps_csv_line(csv, &error), ==, goes_on ? PS_CSV_ERROR : PS_CSV_END);
        g_assert_cmpint(csv->is_lost, ==, !goes_on);
        g_assert_cmpint(error != NULL, ==, goes_on);
    }
}

/* What is ahead begins behind the mark of UTF-8, at the file's beginning alone. */
static void test_ahead(void)
{
    static const char mark[] = "\xef\xbb\xbf";
    g_autofree char *text = g_strdup_printf("%sa,b\n%sc\n", mark, mark);
    g_autoptr(GError) error = NULL;
    write_file(text, -1);
    g_autoptr(PsCsv) csv = ps_csv_open(path, &error);
    g_assert_true(g_str_has_prefix(ps_csv_ahead(csv, &error), "a,b\n"));
    g_assert_cmpint(ps_csv_line(csv, &error), ==, PS_CSV_ROW);
    g_assert_true(g_str_has_prefix(ps_csv_ahead(csv, &error), mark));
    g_assert_no_error(error);
}

static void test_semicolons(void)
{
    write_file("a;\"b;c\";1,5\n", -1);
    g_autoptr(GError) error = NULL;
    g_autoptr(PsCsv) csv = ps_csv_open(path, &error);
    csv->separator = ';';
    g_assert_cmpint(ps_csv_line(csv, &error), ==, PS_CSV_ROW);
    g_assert_true(ps_csv_split(csv, &error));
    g_assert_cmpuint(csv->n_fields, ==, 3);
    g_assert_cmpstr(csv->fields[1].text, ==, "b;c");
    g_assert_cmpstr(csv->fields[2].text, ==, "1,5");
}

/* Fields that are one after all, and what stands behind them; quotes say that they are several. */
static void test_join(void)
{
    static const struct {
        const char *line;
        guint first, n;
        const char *fields;
    } cases[] = {{"f(int, int),3,50\n", 0, 2, "f(int, int)|3|50"},
                 {"f(int, int),3\n", 0, 2, "f(int, int)|3"},
                 {"1,f<a,b,c>,,2\n", 1, 3, "1|f<a,b,c>||2"},
                 {"a,b\n", 0, 1, "a|b"},
                 {"a,b,c\n", 0, 3, "a,b,c"},
                 {"a,\"b\",c\n", 0, 2, "a|b|c"},
                 {"a,b,\"c\"\n", 0, 2, "a,b|c"}};
    for (guint i = 0; i < G_N_ELEMENTS(cases); i++) {
        write_file(cases[i].line, -1);
        g_autoptr(PsCsv) csv = ps_csv_open(path, NULL);
        g_autoptr(GString) fields = g_string_new(NULL);
        g_assert_cmpint(ps_csv_line(csv, NULL), ==, PS_CSV_ROW);
        g_assert_true(ps_csv_split(csv, NULL));
        ps_csv_join(csv, cases[i].first, cases[i].n);
        for (guint k = 0; k < csv->n_fields; k++) {
            g_assert_cmpuint(strlen(csv->fields[k].text), ==, csv->fields[k].length);
            g_string_append_printf(fields, "%s%s", k ? "|" : "", csv->fields[k].text);
        }
        g_assert_cmpstr(fields->str, ==, cases[i].fields);
    }
}

static void test_no_file(void)
{
    g_autoptr(GError) error = NULL;
    g_assert_null(ps_csv_open("no/such/file", &error));
    g_assert_error(error, PS_ERROR, PS_ERROR_READ);
    g_clear_error(&error);
    g_assert_null(ps_csv_open(".", &error));
    g_assert_error(error, PS_ERROR, PS_ERROR_READ);
    g_assert_cmpstr(error ? error->message : "", ==,
                    ".: cannot be read: it is a folder, not a file");
}

/* Rows of all lengths, so that the window ends at every place within one; the same rows come out
 * as are known to be in. */
static void test_window(void)
{
    g_autoptr(GString) text = g_string_new(NULL);
    g_autoptr(GString) rows = g_string_new(NULL);
    for (guint i = 0; i < 4000; i++) {
        g_autofree char *filler = g_strnfill(i % 251, 'x');
        const gboolean is_long = i % 7 == 0;
        g_string_append_printf(text, "%u,\"%s%s\"\"%s\",%s\n", i, filler, is_long ? "\n" : "",
                               filler, filler);
        g_string_append_printf(rows, "%u|%s%s\"%s|%s/", i, filler, is_long ? "\n" : "", filler,
                               filler);
    }
    g_assert_cmpuint(text->len, >, 8 * 128 * 1024);
    assert_rows(text->str, rows->str);
}

static void test_long_rows(void)
{
    g_autofree char *most = g_strnfill(PS_CSV_MAX_ROW - 2, 'x');
    g_autofree char *text = g_strconcat(most, ",\n", NULL);
    g_autofree char *rows = g_strconcat(most, "|/", NULL);
    assert_rows(text, rows);

    g_autofree char *last = g_strnfill(PS_CSV_MAX_ROW - 1, 'x');
    g_autofree char *whole = g_strconcat(last, ",\n", NULL);
    g_autofree char *its_rows = g_strconcat(last, "|/", NULL);
    assert_rows(whole, its_rows);

    g_autofree char *more = g_strnfill(2 * PS_CSV_MAX_ROW, 'x');
    assert_rows(more, ":1: this row is longer than 1048576 bytes: this is no table of "
                      "comma-separated values");
    g_autofree char *quoted = g_strconcat("a\nb,\"", most, "\n", most, NULL);
    assert_rows(quoted, ":2:3: a quote begins here that does not end");

    g_autofree char *commas = g_strnfill(PS_CSV_MAX_ROW - 1, ',');
    g_autofree char *all = g_strconcat(commas, "\n", NULL);
    write_file(all, -1);
    g_autoptr(PsCsv) csv = ps_csv_open(path, NULL);
    g_assert_cmpint(ps_csv_line(csv, NULL), ==, PS_CSV_ROW);
    g_assert_true(ps_csv_split(csv, NULL));
    g_assert_cmpuint(csv->n_fields, ==, PS_CSV_MAX_ROW);
}

/* The rest of a file, from a line on. */
static void test_rest(void)
{
    g_autofree char *filler = g_strnfill(300000, 'y');
    g_autofree char *text = g_strconcat("\xef\xbb\xbf", "a,b\r\n{\r\n", filler, NULL);
    g_autofree char *expected = g_strconcat("{\r\n", filler, NULL);
    g_autoptr(GError) error = NULL;
    gsize length = 0;
    write_file(text, -1);
    g_autoptr(PsCsv) csv = ps_csv_open(path, &error);
    g_assert_cmpint(ps_csv_line(csv, &error), ==, PS_CSV_ROW);
    g_assert_cmpint(ps_csv_line(csv, &error), ==, PS_CSV_ROW);
    g_autofree char *rest = ps_csv_rest(csv, 1000000, &length, &error);
    g_assert_no_error(error);
    g_assert_cmpuint(length, ==, strlen(expected));
    g_assert_cmpstr(rest, ==, expected);

    for (guint less = 0; less < 2; less++) {
        g_autoptr(PsCsv) whole = ps_csv_open(path, NULL);
        g_assert_cmpint(ps_csv_line(whole, NULL), ==, PS_CSV_ROW);
        g_autofree char *all =
            ps_csv_rest(whole, strlen(text) - strlen("\xef\xbb\xbf") - less, &length, NULL);
        g_assert_cmpstr(all, ==, less ? NULL : text + strlen("\xef\xbb\xbf"));
    }

    g_autoptr(PsCsv) again = ps_csv_open(path, &error);
    g_assert_cmpint(ps_csv_line(again, &error), ==, PS_CSV_ROW);
    g_assert_null(ps_csv_rest(again, 1000, &length, &error));
    g_assert_error(error, PS_ERROR, PS_ERROR_LIMIT);
}

/* A cell as it is written, and that it is read back as the same text, with blanks for control
 * characters; among others of its row. */
static void assert_cell(const char *text, const char *cell)
{
    g_autoptr(GString) row = g_string_new("a,");
    ps_cell_put(row, text, FALSE);
    g_assert_cmpstr(row->str + strlen("a,"), ==, cell);
    g_string_append(row, ",");
    ps_cell_put(row, text, TRUE);
    g_string_append(row, ",b\n");
    g_autofree char *clean = ps_text_clean(text);
    g_autofree char *rows = g_strdup_printf("a|%s|%s|b/", clean, clean);
    assert_rows(row->str, rows);
}

static void test_cells(void)
{
    assert_cell("", "");
    assert_cell("f<float, 4>", "\"f<float, 4>\"");
    assert_cell("a\"b", "\"a\"\"b\"");
    assert_cell("\x1b[31mred\n", " [31mred ");
    assert_cell("=1+1", "'=1+1");
    assert_cell("=LINK(\"x\",\"y\")", "\"'=LINK(\"\"x\"\",\"\"y\"\")\"");
    assert_cell("+f", "'+f");
    assert_cell("-2+3", "'-2+3");
    assert_cell("@SUM", "'@SUM");
    assert_cell("-", "'-");
    assert_cell("'=x", "''=x");
    assert_cell("''-5", "'''-5");
    /* None of these is a formula. */
    assert_cell("'x'", "'x'");
    assert_cell("'", "'");
    assert_cell("a=b", "a=b");
    assert_cell("-0.25", "-0.25");
    assert_cell("+1e-9", "+1e-9");
}

/* Within quotes and without; before anything else an apostrophe is one. */
static void test_guarded(void)
{
    assert_rows("'=a,\"'-b,c\",'d\n", "=a|-b,c|'d/");
}

int main(int argc, char **argv)
{
    g_test_init(&argc, &argv, NULL);
    g_test_set_nonfatal_assertions();
    g_autoptr(GError) error = NULL;
    const int fd = g_file_open_tmp("pipesim-csv-XXXXXX", &path, &error);
    g_assert_no_error(error);
    close(fd);
    g_test_add_func("/csv/lost-end", test_lost_end);
    g_test_add_func("/csv/ahead", test_ahead);
    g_test_add_func("/csv/rows", test_rows);
    g_test_add_func("/csv/cut", test_cut);
    g_test_add_func("/csv/errors", test_errors);
    g_test_add_func("/csv/places", test_places);
    g_test_add_func("/csv/unmarked-utf16", test_unmarked_utf16);
    g_test_add_func("/csv/semicolons", test_semicolons);
    g_test_add_func("/csv/join", test_join);
    g_test_add_func("/csv/no-file", test_no_file);
    g_test_add_func("/csv/window", test_window);
    g_test_add_func("/csv/long-rows", test_long_rows);
    g_test_add_func("/csv/rest", test_rest);
    g_test_add_func("/csv/cells", test_cells);
    g_test_add_func("/csv/guarded", test_guarded);
    const int status = g_test_run();
    g_unlink(path);
    g_free(path);
    return status;
}

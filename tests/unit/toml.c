/* SPDX-License-Identifier: BSD-3-Clause */
/* The part of TOML that lists of kernels are written in; what else there is, is refused with its
 * line. */
#include "base/toml.h"

static gboolean note(const PsTomlEntry *entry, gpointer self, GError **error)
{
    GString *all = self;
    (void)error;
    g_string_append_printf(all, "%d %s%s", entry->place.line, entry->table,
                           entry->of_array ? "+" : "");
    if (entry->key)
        g_string_append_printf(all, ".%s%s", entry->key, entry->is_array ? " [" : " ");
    for (guint i = 0; entry->texts && i < entry->texts->len; i++)
        g_string_append_printf(all, "%s<%s>", i ? "," : "", (char *)entry->texts->pdata[i]);
    g_string_append_c(all, '\n');
    return TRUE;
}

static const struct {
    const char *text, *told;
} good[] = {
    {"", ""},
    {"# nothing\n\n", ""},
    {"a = 1\n", "1 .a <1>\n"},
    {"a-b_1=\"x # y\" # z", "1 .a-b_1 <x # y>\n"},
    {"a = 'C:\\n'\r\nb = -2.5e3\r\n", "1 .a <C:\\n>\n2 .b <-2.5e3>\n"},
    {"a = \"\\t\\\"\\u00e9\\U0001F600\"", "1 .a <\t\"\xc3\xa9\xf0\x9f\x98\x80>\n"},
    {"a = [ 1, 'b',\n # c\n true ,\n]\nd = []", "1 .a [<1>,<b>,<true>\n5 .d [\n"},
    {"[t]\na=false\n[[k]]\na=1\n[[k]]\na=2\n",
     "1 t\n2 t.a <false>\n3 k+\n4 k+.a <1>\n5 k+\n6 k+.a <2>\n"},
};

static void test_good(void)
{
    for (guint i = 0; i < G_N_ELEMENTS(good); i++) {
        g_autoptr(GString) all = g_string_new(NULL);
        g_autoptr(GError) error = NULL;
        g_test_message("%s", good[i].text);
        g_assert_true(ps_toml_read(good[i].text, "k.toml", note, all, &error));
        g_assert_no_error(error);
        g_assert_cmpstr(all->str, ==, good[i].told);
    }
}

static const struct {
    const char *text, *begin;
} bad[] = {
    {"a = 1\nb", "k.toml:2: '=' is expected here"},
    {"a.b = 1", "k.toml:1: a key is expected here"},
    {"\"a\" = 1", "k.toml:1: a key is expected here"},
    {"a = ", "k.toml:1: a value is expected here"},
    {"a = x", "k.toml:1: a value is expected here"},
    {"a = {b = 1}", "k.toml:1: a value is expected here"},
    {"a = 1979-05-27", "k.toml:1: a value is expected here"},
    {"a = 1 2", "k.toml:1: something stands behind the value"},
    {"a = 1\na = 2", "k.toml:2: the key \"a\" is there twice"},
    {"[t]\n[t]", "k.toml:2: the table \"t\" is there twice"},
    {"[t]\n[[t]]", "k.toml:2: the table \"t\" is there twice"},
    {"[[t]]\n[t]", "k.toml:2: the table \"t\" is there twice"},
    {"[t", "k.toml:1: a table's name does not end"},
    {"[[t]", "k.toml:1: a table's name does not end"},
    {"[a.b]", "k.toml:1: a table's name is expected here"},
    {"a = \"b", "k.toml:1: a string does not end in its line"},
    {"a = \"\"\"b\"\"\"", "k.toml:1: strings of several lines are not read"},
    {"a = \"\\x\"", "k.toml:1: a string has a \\ that begins nothing"},
    {"a = \"\\u00\"", "k.toml:1: a letter by its number lacks digits"},
    {"a = \"\\ud800\"", "k.toml:1: a number stands for no letter"},
    {"a = \"b\\u0000c\"", "k.toml:1: a number stands for no letter"},
    {"a = [1\n2]", "k.toml:2: ',' or ']' is expected here"},
    {"a = [1", "k.toml:1: ',' or ']' is expected here"},
    {"a = [[1]]", "k.toml:1: a value is expected here"},
    {"a = \"\xff\"", "k.toml:1: the file is no text in UTF-8"},
};

static void test_bad(void)
{
    for (guint i = 0; i < G_N_ELEMENTS(bad); i++) {
        g_autoptr(GString) all = g_string_new(NULL);
        g_autoptr(GError) error = NULL;
        g_test_message("%s", bad[i].text);
        g_assert_false(ps_toml_read(bad[i].text, "k.toml", note, all, &error));
        g_test_message("%s", error->message);
        g_assert_true(g_str_has_prefix(error->message, bad[i].begin));
    }
}

int main(int argc, char **argv)
{
    g_test_init(&argc, &argv, NULL);
    g_test_add_func("/toml/good", test_good);
    g_test_add_func("/toml/bad", test_bad);
    return g_test_run();
}

/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Bad .idg files: for each, one error that says where and what. Every case is a good file in which
 * one place is replaced.
 */
#include "idg/idg.h"
#include <string.h>

static const char good[] = "<idg xmlns='urn:pipesim:idg:1' version='1' name='k'>\n"
                           "<source id='s' kind='vendor'>who</source>\n"
                           "<param name='n' value='10'>what</param>\n"
                           "<launch groups='n' group-size='64'/>\n"
                           "<code warps='0..3'>\n"
                           "<loop times='n'>\n"
                           "<node name='a' class='global.load' after='b' bytes='4' line='9'/>\n"
                           "<node name='b' class='fadd' ops='1' type='fp32'/>\n"
                           "</loop>\n"
                           "</code>\n"
                           "</idg>\n";

/* The message of the error that the text gives, NULL where it gives none. */
static char *message_of(const char *text, gsize length)
{
    g_autoptr(GError) error = NULL;
    g_autoptr(PsIdg) idg = ps_idg_parse(text, length, "x.idg", &error);
    if (idg)
        return NULL;
    g_assert_nonnull(error);
    return g_strdup(error->message);
}

typedef struct {
    const char *old; /* in the good file */
    const char *new;
    const char *message; /* what the error starts with */
} Case;

static void check_cases(const Case *cases, gsize n)
{
    for (gsize i = 0; i < n; i++) {
        g_autoptr(GString) text = g_string_new(good);
        g_assert_cmpuint(g_string_replace(text, cases[i].old, cases[i].new, 1), ==, 1);
        g_autofree char *message = message_of(text->str, text->len);
        if (!message || !g_str_has_prefix(message, cases[i].message)) {
            g_test_message("with %s", cases[i].new);
            g_assert_cmpstr(message, ==, cases[i].message);
        }
    }
}

#define CHECK(cases) check_cases(cases, G_N_ELEMENTS(cases))

static void test_good(void)
{
    g_autofree char *message = message_of(good, strlen(good));
    g_assert_cmpstr(message, ==, NULL);
}

static void test_xml(void)
{
    static const Case cases[] = {
        {"</loop>", "", "x.idg:10: Opening and ending tag mismatch"},
        {"<idg xml", "idg xml", "x.idg:1: "},
        {"name='k'>", "name='k'", "x.idg:2: "},
        {"name='k'", "name='k' name='l'", "x.idg:1: Attribute name redefined"},
        {"what", "&who;", "x.idg:3: Entity 'who' not defined"},
        {"<idg", "<!DOCTYPE idg [<!ENTITY who 'x'>]>\n<idg",
         "x.idg:1: a document type declaration"},
        {"<idg", "<!DOCTYPE idg SYSTEM 'file:///etc/passwd'>\n<idg",
         "x.idg:1: a document type declaration"},
        {"what", "\xFF", "x.idg:3: this is not UTF-8"},
        {"</idg>", "</idg><idg/>", "x.idg:11: Extra content"},
    };
    CHECK(cases);
}

static void test_schema(void)
{
    static const Case cases[] = {
        {"urn:pipesim:idg:1", "urn:x", "x.idg:1: <idg> has the namespace 'urn:x'"},
        {"version='1'", "version='2'", "x.idg:1: <idg> has version=\"2\", but that must be 1"},
        {" version='1'", "", "x.idg:1: <idg> needs the attribute 'version'"},
        {" name='k'", "", "x.idg:1: <idg> needs the attribute 'name'"},
        {"name='k'", "name=''", "x.idg:1: <idg> has name=\"\""},
        {"kind='vendor'", "kind='rumour'", "x.idg:2: <source> has kind=\"rumour\""},
        {"name='n'", "name='2n'", "x.idg:3: <param> has name=\"2n\""},
        {" value='10'", "", "x.idg:3: <param> needs the attribute 'value'"},
        {"<launch groups='n' group-size='64'/>", "", "x.idg:1: <idg> needs a <launch>"},
        {" group-size='64'", "", "x.idg:4: <launch> needs the attribute 'group-size'"},
        {"groups='n'", "groups=''", "x.idg:4: <launch> has groups=\"\""},
        {"times='n'", "", "x.idg:6: <loop> needs the attribute 'times'"},
        {"class='fadd'", "", "x.idg:8: <node> needs the attribute 'class'"},
        {"class='fadd'", "class='a..b'", "x.idg:8: <node> has class=\"a..b\""},
        {"class='fadd'", "class='.a'", "x.idg:8: <node> has class=\".a\""},
        {"class='fadd'", "class='a b'", "x.idg:8: <node> has class=\"a b\""},
        {"name='b'", "", "x.idg:8: <node> needs the attribute 'name'"},
        {"name='b'", "name='b-1'", "x.idg:8: <node> has name=\"b-1\""},
        {"type='fp32'", "type='fp8'", "x.idg:8: <node> has type=\"fp8\", but that must be one of:"},
        {"type='fp32'", "type='fp32' cycles='3'", "x.idg:8: <node> has no attribute 'cycles'"},
        {"line='9'", "line='0'", "x.idg:7: <node> has line=\"0\""},
        {"line='9'", "line='a.c'", "x.idg:7: <node> has line=\"a.c\""},
        {"line='9'", "line=':3'", "x.idg:7: <node> has line=\":3\""},
        {"line='9'", "line='9999999999'", "x.idg:7: <node> has line=\"9999999999\""},
        {"<loop ", "<lop/><loop ", "x.idg:6: unknown element <lop> in <code>"},
        {"<loop ", "text<loop ", "x.idg:5: <code> holds text"},
        {"<loop times='n'>", "<loop times='n'/><loop times='n'>", "x.idg:6: <loop> is empty"},
        {"</code>", "</code><code/>", "x.idg:10: <code> is empty"},
        {"</code>", "</code><launch groups='1' group-size='1'/>", "x.idg:10: "},
    };
    CHECK(cases);
}

static void test_names(void)
{
    static const Case cases[] = {
        {"<launch", "<param name='n' value='1'/><launch",
         "x.idg:4: there are two parameters \"n\"; the first is in line 3"},
        {"name='n'", "name='max'", "x.idg:3: a parameter cannot be named \"max\""},
        {"name='n'", "name='all'", "x.idg:3: a parameter cannot be named \"all\""},
        {"name='b'", "name='a'",
         "x.idg:8: there are two nodes in this code named \"a\"; the first is in line 7"},
        {"<param", "<source id='s' kind='vendor'/><param", "x.idg:3: there are two sources"},
        {" type='fp32'", "", "x.idg:8: node \"b\" has ops without a type"},
        {"bytes='4'", "l2='1'", "x.idg:7: l2 is a share of bytes, but node \"a\" has no bytes"},
        {"bytes='4'", "bytes='4' turns='1'", "x.idg:7: node \"a\" has turns without the place"},
        {"bytes='4'", "bytes='4' partial='1'", "x.idg:7: node \"a\" writes no memory"},
        {"class='global.load' after='b' bytes='4'", "class='global.store' partial='1'",
         "x.idg:7: partial is a share of bytes, but node \"a\" has no bytes"},
        {"bytes='4'", "bytes='4' spot='8x'", "x.idg:7: "},
        {"bytes='4'", "bytes='4' side='0'", "x.idg:7: "},
    };
    CHECK(cases);
}

static void test_expressions(void)
{
    static const Case cases[] = {
        {"value='10'", "value='1+'", "x.idg:3: \"1+\": ends where a value is expected"},
        {"groups='n'", "groups='n n'", "x.idg:4: \"n n\": \"n\" at character 3 where an operator"},
        {"group-size='64'", "group-size='64)'", "x.idg:4: \"64)\": \")\" at character 3"},
        {"'64'", "'64' registers='4x'", "x.idg:4: \"4x\": \"x\" at character 2"},
        {"'64'", "'64' local-memory='&#228;'",
         "x.idg:4: \"\xC3\xA4\": \"\xC3\xA4\" at character 1"},
        {"times='n'", "times='size/'", "x.idg:6: \"size/\": ends where a value is expected"},
        {"bytes='4'", "bytes='4*'", "x.idg:7: \"4*\": ends"},
        {"bytes='4'", "bytes='4' device='/2'", "x.idg:7: \"/2\": \"/\" at character 1"},
        {"bytes='4'", "spot='s' turns='1/'", "x.idg:7: \"1/\": ends where a value is expected"},
        {"ops='1'", "hold='4 cycles' ops='1'", "x.idg:8: \"4 cycles\": \"cycles\" at character 3"},
        {"ops='1'", "hold='' ops='1'", "x.idg:8: "},
        {"ops='1'", "banks='4 0' ops='1'", "x.idg:8: "},
        {"ops='1'", "banks='1 2' kept='2 0' ops='1'",
         "x.idg:8: node \"b\" reads 1 registers of bank 0, so no 2 of them are kept; state at most "
         "as many in kept as in banks"},
        {"ops='1'", "ops='()'", "x.idg:8: \"()\": \")\" at character 2"},
    };
    CHECK(cases);
}

static void test_after(void)
{
    static const Case cases[] = {
        {"after='b'", "after=''", "x.idg:7: <node> has after=\"\""},
        {"after='b'", "after=' '", "x.idg:7: after is empty"},
        {"after='b'", "after='b@'", "x.idg:7: after: \"b@\" lacks a distance"},
        {"after='b'", "after='b @2'", "x.idg:7: after: \"@2\" does not start with the name"},
        {"after='b'", "after='b, a'", "x.idg:7: after: \"b,\" does not start with the name"},
        {"after='b'", "after='2b'", "x.idg:7: after: \"2b\" does not start with the name"},
        {"after='b'", "after='b(2 3)'", "x.idg:7: after: \"b(2 3)\" does not start with"},
        {"after='b'", "after='b@2@3'", "x.idg:7: \"2@3\": \"@\" at character 2"},
        {"after='b'", "after='b@(2 a'", "x.idg:7: \"(2 a\": \"a\" at character 4"},
        {"after='b'", "after='b@2) a'", "x.idg:7: \"2)\": \")\" at character 2"},
        {"after='b'", "after='b@2*'", "x.idg:7: \"2*\": ends where a value is expected"},
    };
    CHECK(cases);
}

static void test_warps(void)
{
    static const Case cases[] = {
        {"'0..3'", "''", "x.idg:5: <code> has warps=\"\""},
        {"'0..3'", "' '", "x.idg:5: warps: a number is missing"},
        {"'0..3'", "'0..'", "x.idg:5: warps: a number is missing"},
        {"'0..3'", "'..3'", "x.idg:5: warps: a number is missing"},
        {"'0..3'", "'0,,3'", "x.idg:5: warps: a number is missing"},
        {"'0..3'", "'0,'", "x.idg:5: warps: a number is missing"},
        {"'0..3'", "'0...3'", "x.idg:5: \".3\": \".\" at character 1"},
        {"'0..3'", "'0..1..2'", "x.idg:5: \"1..2\": \".\" at character 2"},
        {"'0..3'", "'0-'", "x.idg:5: \"0-\": ends"},
        {"'0..3'", "'0 3'", "x.idg:5: \"0 3\": \"3\" at character 3"},
        {"'0..3'", "'max(1,2'", "x.idg:5: \"max(1,2\": ends"},
        {"'0..3'", "'1..2*'", "x.idg:5: \"2*\": ends"},
    };
    CHECK(cases);
}

/* The message of a node with n times the dependence on b. */
static char *message_of_after(int n)
{
    g_autoptr(GString) text = g_string_new(good);
    g_autoptr(GString) after = g_string_new("after='b");
    for (int i = 1; i < n; i++)
        g_string_append(after, " b");
    g_string_replace(text, "after='b", after->str, 1);
    return message_of(text->str, text->len);
}

static void test_long_after(void)
{
    g_autofree char *most = message_of_after(1000);
    g_autofree char *one_more = message_of_after(1001);
    g_autofree char *far_more = message_of_after(1000000);
    g_assert_cmpstr(most, ==, NULL);
    g_assert_cmpstr(one_more, ==,
                    "x.idg:7: after: node \"a\" has more than 1000 dependences, the most allowed");
    g_assert_cmpstr(far_more, ==, one_more);
}

/* The good file with one name made that long. */
static char *message_of_name(const char *old, guint length)
{
    g_autoptr(GString) text = g_string_new(good);
    g_autofree char *name = g_strnfill(length, 'x');
    const char *quote = strchr(old, '\'');
    g_autofree char *new = g_strdup_printf("%.*s'%s'", (int)(quote - old), old, name);
    g_assert_cmpuint(g_string_replace(text, old, new, 1), ==, 1);
    return message_of(text->str, text->len);
}

static void test_long_name(void)
{
    static const char *const names[] = {"name='b'", "class='fadd'", "id='s'"};
    for (gsize i = 0; i < G_N_ELEMENTS(names); i++) {
        g_autofree char *most = message_of_name(names[i], 200);
        g_autofree char *one_more = message_of_name(names[i], 201);
        g_assert_cmpstr(most, ==, NULL);
        g_assert_nonnull(one_more);
        if (one_more)
            g_assert_nonnull(strstr(one_more, "200 characters"));
    }
}

/* The good file with so many more loops around its loop. */
static char *message_of_depth(int more)
{
    g_autoptr(GString) text = g_string_new(good);
    g_autoptr(GString) open = g_string_new(NULL);
    g_autoptr(GString) close = g_string_new(NULL);
    for (int i = 0; i < more; i++) {
        g_string_append(open, "<loop times='1'>");
        g_string_append(close, "</loop>");
    }
    g_string_append(open, "<loop times='n'>");
    g_string_append(close, "</loop>");
    g_string_replace(text, "<loop times='n'>", open->str, 1);
    g_string_replace(text, "</loop>", close->str, 1);
    return message_of(text->str, text->len);
}

static void test_depth(void)
{
    g_autofree char *most = message_of_depth(63);
    g_autofree char *one_more = message_of_depth(64);
    g_autofree char *far_more = message_of_depth(100000);
    g_assert_cmpstr(most, ==, NULL);
    g_assert_cmpstr(one_more, ==, "x.idg:6: loops are nested more than 64 deep");
    g_assert_nonnull(far_more);
}

/* Every beginning of the good file is an error, and none is more than that. */
static void test_cut(void)
{
    for (gsize length = 0; length + 1 < strlen(good); length++) {
        g_autofree char *message = message_of(good, length);
        g_assert_nonnull(message);
        if (message)
            g_assert_true(g_str_has_prefix(message, "x.idg"));
    }
}

static void test_file(void)
{
    g_autoptr(GError) error = NULL;
    g_autoptr(PsIdg) idg = ps_idg_load("no/such.idg", &error);
    g_assert_null(idg);
    g_assert_error(error, PS_ERROR, PS_ERROR_READ);
    g_assert_true(g_str_has_prefix(error->message, "no/such.idg: "));
}

int main(int argc, char **argv)
{
    g_test_init(&argc, &argv, NULL);
    g_test_set_nonfatal_assertions();
    g_test_add_func("/idg-errors/good", test_good);
    g_test_add_func("/idg-errors/xml", test_xml);
    g_test_add_func("/idg-errors/schema", test_schema);
    g_test_add_func("/idg-errors/names", test_names);
    g_test_add_func("/idg-errors/expressions", test_expressions);
    g_test_add_func("/idg-errors/after", test_after);
    g_test_add_func("/idg-errors/long-after", test_long_after);
    g_test_add_func("/idg-errors/long-name", test_long_name);
    g_test_add_func("/idg-errors/warps", test_warps);
    g_test_add_func("/idg-errors/depth", test_depth);
    g_test_add_func("/idg-errors/cut", test_cut);
    g_test_add_func("/idg-errors/file", test_file);
    return g_test_run();
}

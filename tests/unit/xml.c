/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * The XML reader, with a small schema of its own: what it accepts, how it says what is wrong, and
 * that a hostile file gets one error in bounded time and memory.
 */
#include "base/file.h"
#include "base/xml-write.h"
#include "base/xml.h"
#include <fcntl.h>
#include <glib/gstdio.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

static const char rng[] =
    "<grammar xmlns='http://relaxng.org/ns/structure/1.0' ns='urn:test'\n"
    "  xmlns:a='http://relaxng.org/ns/compatibility/annotations/1.0'\n"
    "  datatypeLibrary='http://www.w3.org/2001/XMLSchema-datatypes'>\n"
    "<start><element name='box'>\n"
    "  <attribute name='version'><value>1</value></attribute>\n"
    "  <optional><attribute name='name'/></optional>\n"
    "  <interleave>\n"
    "    <ref name='lid'/><zeroOrMore><ref name='box'/></zeroOrMore><zeroOrMore>"
    "    <element name='note'><text/></element></zeroOrMore>\n"
    "  </interleave></element></start>\n"
    "<define name='lid'><element name='lid'>\n"
    "  <attribute name='size'><a:documentation>Size: a number above 0.</a:documentation>\n"
    "    <data type='decimal'><param name='minExclusive'>0</param></data></attribute>\n"
    "  <optional><attribute name='kind'><choice><value>flat</value><value>round</value></choice>\n"
    "  </attribute></optional><empty/></element></define>\n"
    "<define name='box'><element name='in'><oneOrMore><choice>\n"
    "  <ref name='box'/><ref name='lid'/><ref "
    "name='row'/></choice></oneOrMore></element></define>\n"
    "<define name='row'><element name='row'><optional><element "
    "name='a'><empty/></element></optional>"
    "  <zeroOrMore><element name='b'><empty/></element></zeroOrMore></element></define>\n"
    "</grammar>\n";

static const PsXmlSchema schema = {"test", rng, "box", "urn:test"};

#define BOX "<box xmlns='urn:test' version='1'>"

static xmlDoc *load(const char *text, GError **error)
{
    return ps_xml_load_memory(text, strlen(text), "x.box", &schema, error);
}

static void assert_bad(const char *text, const char *message)
{
    g_autoptr(GError) error = NULL;
    xmlDoc *doc = load(text, &error);
    g_assert_null(doc);
    g_assert_error(error, PS_ERROR, PS_ERROR_SYNTAX);
    g_assert_cmpstr(error ? error->message : NULL, ==, message);
    xmlFreeDoc(doc);
}

/* For those whose words are libxml2's: where it is must be right, and it must be one line; the
 * function that some of them begin with is left out. */
static void assert_bad_at(const char *text, const char *place)
{
    g_autoptr(GError) error = NULL;
    xmlDoc *doc = load(text, &error);
    g_assert_null(doc);
    g_assert_error(error, PS_ERROR, PS_ERROR_SYNTAX);
    if (error) {
        g_test_message("%s", error->message);
        g_assert_true(g_str_has_prefix(error->message, place));
        g_assert_cmpuint(strlen(error->message), >, strlen(place) + 5);
        g_assert_null(strpbrk(error->message, "\n\r\t"));
        g_assert_false(g_str_has_prefix(error->message + strlen(place), "xml"));
        g_assert_null(strstr(error->message, "  "));
        g_assert_null(strstr(error->message, ": :"));
    }
    xmlFreeDoc(doc);
}

static void test_read(void)
{
    g_autoptr(GError) error = NULL;
    xmlDoc *doc = load("<?xml version='1.0'?>\n<!-- a comment -->\n"
                       "<box xmlns='urn:test' version='1' name='a &amp; b'>\n"
                       "<note>  one\n two&#127; <!-- x --> <![CDATA[<three>]]></note>\n\n"
                       "<lid size='2.5'/></box>",
                       &error);
    g_assert_no_error(error);
    g_assert_nonnull(doc);
    xmlNode *root = xmlDocGetRootElement(doc);
    xmlNode *note = ps_xml_first(root);
    xmlNode *lid = ps_xml_next(note);
    g_autofree char *name = ps_xml_text(root, "name");
    g_autofree char *content = ps_xml_content(note);
    g_assert_cmpstr(name, ==, "a & b");
    g_assert_cmpstr(content, ==, "one two <three>");
    g_assert_true(ps_xml_is(lid, "lid"));
    g_assert_null(ps_xml_next(lid));
    g_assert_null(ps_xml_first(lid));
    g_assert_cmpstr(ps_xml_place(lid).file, ==, "x.box");
    g_assert_cmpint(ps_xml_place(lid).line, ==, 7);
    g_assert_null(ps_xml_text(lid, "absent"));
    xmlFreeDoc(doc);
}

static void test_numbers(void)
{
    xmlDoc *doc = load(BOX "<lid size='2.5'/></box>", NULL);
    g_assert_nonnull(doc);
    xmlNode *root = xmlDocGetRootElement(doc);
    xmlNode *lid = ps_xml_first(root);
    g_autoptr(GError) error = NULL;
    gint64 number = 7;
    PsRational size = {0, 1};
    g_assert_true(ps_xml_int(root, "version", 1, 9, &number, &error));
    g_assert_cmpint(number, ==, 1);
    g_assert_true(ps_xml_int(root, "absent", 1, 9, &number, &error));
    g_assert_cmpint(number, ==, 1);
    g_assert_true(ps_xml_decimal(lid, "size", &size, &error));
    g_assert_cmpint(size.num, ==, 5);
    g_assert_cmpint(size.den, ==, 2);
    g_assert_no_error(error);
    g_assert_false(ps_xml_int(lid, "size", 1, 9, &number, &error));
    g_assert_error(error, PS_ERROR, PS_ERROR_VALUE);
    g_assert_cmpstr(error->message, ==,
                    "x.box:1: size=\"2.5\" of <lid> must be a whole number from 1 to 9");
    xmlFreeDoc(doc);
}

static void test_explain(void)
{
    assert_bad(BOX "\n<lid size='1'/>\n<lod/></box>",
               "x.box:3: unknown element <lod> in <box>; it may contain: lid, in, note");
    assert_bad(BOX "\n<lid siz='1'/></box>",
               "x.box:2: <lid> has no attribute 'siz'; it takes: size, kind");
    assert_bad(BOX "\n<lid/></box>", "x.box:2: <lid> needs the attribute 'size'");
    assert_bad(BOX "<lid size='1' kind='oval'/></box>",
               "x.box:1: <lid> has kind=\"oval\", but that must be one of: flat, round");
    assert_bad("<box xmlns='urn:test' version='2'><lid size='1'/></box>",
               "x.box:1: <box> has version=\"2\", but that must be 1");
    assert_bad(BOX "<lid size='-1'/></box>", "x.box:1: <lid> has size=\"-1\", which is not right "
                                             "for size: Size: a number above 0.");
    assert_bad(BOX "<lid size='NaN'/></box>", "x.box:1: <lid> has size=\"NaN\", which is not right "
                                              "for size: Size: a number above 0.");
    assert_bad(BOX "<in><in/></in><lid size='1'/></box>",
               "x.box:1: <in> is empty; it must contain some of: in, lid, row");
    assert_bad(BOX "<in><row>\n<b/>\n<a/></row></in><lid size='1'/></box>",
               "x.box:3: <a> must stand before <b>; the order in <row> is: a, b");
    assert_bad(BOX "</box>", "x.box:1: <box> needs a <lid> in it");
    assert_bad(BOX "\n<lid size='1'/>hello</box>",
               "x.box:1: <box> holds text, but may hold only elements");
    assert_bad(BOX "<lid size='1' xml:lang='en'/></box>",
               "x.box:1: <lid> has no attribute 'xml:lang'; it takes: size, kind");
    assert_bad(BOX "\n<lid size='1'/>\n<lid size='1'/></box>",
               "x.box:3: <box> may have only one <lid>");
}

static void test_root(void)
{
    assert_bad("<bax xmlns='urn:test'/>",
               "x.box:1: the root element is <bax>, but must be <box xmlns=\"urn:test\">");
    assert_bad("<box version='1'/>", "x.box:1: <box> needs the attribute xmlns=\"urn:test\"");
    assert_bad("\n<box xmlns='urn:other'/>",
               "x.box:2: <box> has the namespace 'urn:other', but must have xmlns=\"urn:test\"");
    assert_bad(BOX "<lid xmlns='urn:other' size='1'/></box>",
               "x.box:1: <lid> is in the namespace 'urn:other'; it must be in 'urn:test'");
}

#define NO_DOCTYPE "a document type declaration is not allowed: entities are never resolved"

static void test_doctype(void)
{
    assert_bad("<?xml version='1.0'?>\n<!DOCTYPE box>" BOX "<lid size='1'/></box>",
               "x.box:2: " NO_DOCTYPE);
    assert_bad("<!DOCTYPE box SYSTEM 'file:///etc/passwd'>" BOX "<lid size='1'/></box>",
               "x.box:1: " NO_DOCTYPE);
    assert_bad("<!DOCTYPE box PUBLIC 'x' 'http://127.0.0.1:1/x.dtd'>" BOX "</box>",
               "x.box:1: " NO_DOCTYPE);
    assert_bad("<!DOCTYPE box [<!ENTITY e SYSTEM 'file:///etc/passwd'>]>" BOX
               "<note>&e;</note><lid size='1'/></box>",
               "x.box:1: " NO_DOCTYPE);
    assert_bad("<!DOCTYPE box [<!ENTITY % e SYSTEM 'file:///etc/passwd'> %e;]>" BOX "</box>",
               "x.box:1: " NO_DOCTYPE);
    assert_bad_at("<!DOCTYPE", "x.box:1: ");
    assert_bad_at(BOX "<note>&undefined;</note></box>", "x.box:1: ");
}

static void test_entity_bomb(void)
{
    g_autoptr(GString) text = g_string_new("<!DOCTYPE box [\n<!ENTITY e0 'ha'>\n");
    for (int i = 1; i < 30; i++)
        g_string_append_printf(text, "<!ENTITY e%d '&e%d;&e%d;'>\n", i, i - 1, i - 1);
    g_string_append(text, "]>\n" BOX "<note>&e29;</note><lid size='1'/></box>");
    assert_bad(text->str, "x.box:1: " NO_DOCTYPE);
}

static void test_malformed(void)
{
    assert_bad("", "x.box: the file is empty");
    assert_bad_at("   \n ", "x.box:");
    assert_bad_at("box", "x.box:1: ");
    assert_bad_at(BOX "\n<lid size='1'/>", "x.box:2: ");
    assert_bad_at(BOX "\n<lid size='1'/></bix>", "x.box:2: ");
    assert_bad_at(BOX "\n<lid size='1' size='1'/></box>", "x.box:2: ");
    assert_bad_at(BOX "\n<lid size=1/></box>", "x.box:2: ");
    assert_bad_at(BOX "</box>\n<box/>", "x.box:2: ");
    assert_bad_at(BOX "\n<p:lid size='1'/></box>", "x.box:2: ");
    assert_bad_at(BOX "<note>&#0;</note></box>", "x.box:1: ");
    assert_bad_at(BOX "<note>& </note></box>", "x.box:1: ");
    assert_bad_at(BOX "<? ?></box>", "x.box:1: ");
    assert_bad_at(BOX "<1/></box>", "x.box:1: ");
    assert_bad("<a>\n\xff\xfe</a>",
               "x.box:2: this is not UTF-8 text, which an XML file here must be");
    g_autoptr(GError) error = NULL;
    g_assert_null(ps_xml_load_memory("<\0?\0x\0", 6, "x.box", &schema, &error));
    g_assert_error(error, PS_ERROR, PS_ERROR_SYNTAX);
}

/* Every prefix of a good file is bad, and none is worse than that. */
static void test_truncated(void)
{
    const char *text = "<?xml version='1.0' encoding='UTF-8'?>\n" BOX
                       "<!-- c --><note>&#xe9;<![CDATA[x]]></note><?pi x?><lid size='1'/></box>";
    for (gsize length = 0; length < strlen(text); length++) {
        g_autoptr(GError) error = NULL;
        g_assert_null(ps_xml_load_memory(text, length, "x.box", &schema, &error));
        g_assert_error(error, PS_ERROR, PS_ERROR_SYNTAX);
    }
}

static void test_garbage(void)
{
    g_autoptr(GRand) rand = g_rand_new_with_seed(1);
    for (int round = 0; round < 500; round++) {
        char bytes[300];
        for (gsize i = 0; i < sizeof bytes; i++)
            bytes[i] = (char)g_rand_int_range(rand, 0, round % 2 ? 256 : 128);
        memcpy(bytes, "<box ", 5);
        g_autoptr(GError) error = NULL;
        g_assert_null(ps_xml_load_memory(bytes, sizeof bytes, "x.box", &schema, &error));
        g_assert_error(error, PS_ERROR, PS_ERROR_SYNTAX);
    }
}

static void test_nesting(void)
{
    g_autoptr(GString) text = g_string_new(BOX);
    for (int i = 0; i < 1000000; i++)
        g_string_append(text, "<in>");
    assert_bad(text->str,
               "x.box:1: elements are nested too deeply: 256 levels are the most allowed");
}

static void test_long_message(void)
{
    g_autofree char *name = g_strnfill(1000000, 'n');
    g_autofree char *text = g_strdup_printf(BOX "<lid %s='1'/></box>", name);
    g_autoptr(GError) error = NULL;
    g_assert_null(load(text, &error));
    g_assert_error(error, PS_ERROR, PS_ERROR_SYNTAX);
    g_assert_cmpuint(strlen(error->message), <, 1100);
}

/* What libxml2 would spend time on that grows with the square of the file. */
static void test_many_names(void)
{
    g_autoptr(GError) error = NULL;
    g_autoptr(GString) text = g_string_new("<box xmlns='urn:test'\n");
    for (int i = 0; i < 100000; i++)
        g_string_append_printf(text, " a%d = ''", i);
    g_string_append(text, "/>");
    g_assert_null(load(text->str, &error));
    g_assert_error(error, PS_ERROR, PS_ERROR_LIMIT);
    g_assert_cmpstr(error->message, ==, "x.box:2: an element has more than 200 attributes");
    g_string_assign(text, BOX);
    for (int i = 0; i < 100000; i++)
        g_string_append_printf(text, "<in xmlns:a%d='a'/>", i);
    g_string_append(text, "</box>");
    assert_bad(text->str, "x.box:1: there are more than 100 namespace declarations");
}

/* What takes many times its length in memory; the same count says what may be written. */
static void test_many_parts(void)
{
    g_autoptr(GError) error = NULL;
    g_autoptr(GString) text = g_string_new(BOX);
    for (int i = 0; i < PS_XML_MOST_PARTS / 2 - 2; i++) /* with <box> and its two attributes */
        g_string_append(text, "<a b=''/>");
    g_string_append(text, "</box>");
    g_assert_true(ps_xml_fits(text->str, text->len));
    g_string_insert(text, (gssize)strlen(BOX), "<a/><a/>");
    g_assert_false(ps_xml_fits(text->str, text->len));
    g_assert_null(load(text->str, &error));
    g_assert_error(error, PS_ERROR, PS_ERROR_LIMIT);
    g_assert_cmpstr(error ? error->message : NULL, ==,
                    "x.box: more than 2097152 elements and attributes, the most allowed");
}

/* An element is where its tag begins, however many lines and bytes that takes. */
static void test_long_tag(void)
{
    assert_bad(
        BOX "\n<lid\n\nsize='x'\n\n/></box>",
        "x.box:2: <lid> has size=\"x\", which is not right for size: Size: a number above 0.");
    g_autoptr(GString) text = g_string_new(BOX "\n<lid");
    for (int i = 0; i < 20000; i++)
        g_string_append(text, "          \n");
    g_string_append(text, "size='x'/>\n</box>");
    assert_bad(
        text->str,
        "x.box:2: <lid> has size=\"x\", which is not right for size: Size: a number above 0.");
}

static void test_many_lines(void)
{
    g_autoptr(GString) text = g_string_new(BOX);
    for (int i = 0; i < 99999; i++)
        g_string_append(text, "<in><lid size='1'/></in>\n");
    g_string_append(text, "<lod/>\n<lid size='1'/></box>");
    assert_bad(text->str,
               "x.box:100000: unknown element <lod> in <box>; it may contain: lid, in, note");
}

/* ---- files --------------------------------------------------------------------------------- */

static void assert_unreadable(const char *path, PsErrorCode code, const char *message)
{
    g_autoptr(GError) error = NULL;
    g_assert_null(ps_xml_load(path, &schema, &error));
    g_assert_error(error, PS_ERROR, (int)code);
    g_assert_cmpstr(error ? error->message : NULL, ==, message);
}

static void test_files(void)
{
    assert_unreadable("tests/unit", PS_ERROR_READ,
                      "tests/unit: cannot be read: it is a folder, not a file");
    assert_unreadable("no/such.box", PS_ERROR_READ,
                      "no/such.box: cannot be read: No such file or directory");
    assert_unreadable("/dev/null", PS_ERROR_SYNTAX, "/dev/null: the file is empty");
    assert_unreadable("/dev/zero", PS_ERROR_LIMIT,
                      "/dev/zero: longer than 32 MiB, the most allowed");
}

static void assert_read(const char *path, gsize most, const char *text, const char *message)
{
    g_autoptr(GError) error = NULL;
    gsize length = 99;
    g_autofree char *read = ps_file_read(path, most, &length, &error);
    g_assert_cmpstr(read, ==, text);
    g_assert_cmpstr(error ? error->message : NULL, ==, message);
    if (text)
        g_assert_cmpuint(length, ==, strlen(text));
}

/* Up to the limit, and not a byte more. */
static void test_read_file(void)
{
    g_autofree char *folder = g_dir_make_tmp("pipesim-XXXXXX", NULL);
    g_autofree char *path = g_build_filename(folder, "five", NULL);
    g_assert_true(g_file_set_contents(path, "12345", -1, NULL));
    g_autofree char *message = g_strdup_printf("%s: longer than 4 bytes, the most allowed", path);
    assert_read(path, 5, "12345", NULL);
    assert_read(path, 4, NULL, message);
    assert_read("/dev/null", 0, "", NULL);
    assert_read("/dev/zero", 2 << 20, NULL, "/dev/zero: longer than 2 MiB, the most allowed");
    assert_read("no/such", 5, NULL, "no/such: cannot be read: No such file or directory");
    assert_read("tests", 5, NULL, "tests: cannot be read: it is a folder, not a file");
    g_assert_cmpint(g_unlink(path), ==, 0);
    g_assert_cmpint(g_rmdir(folder), ==, 0);
}

/* C0, DEL, C1 and what is hidden become blanks; letters of several bytes and bytes that are no
 * UTF-8 stay. */
static void test_clean_text(void)
{
    static const struct {
        const char *text, *clean;
    } cases[] = {
        {"", ""},
        {"a\tb\nc\rd", "a b c d"},
        {"\x1b[31mred\x7f", " [31mred "},
        {"\xc2\x9b"
         "31m\xc2\x80\xc2\x9f",
         " 31m  "},
        {"\xc2\xa0\xc3\xa9\xe2\x82\xac", "\xc2\xa0\xc3\xa9\xe2\x82\xac"},
        {"\xff\x9b\xc2", "\xff\x9b\xc2"},
        {"\xff\x07", "\xff "},
        {"\xe2\x07z", "\xe2 z"},
        {"a\u202egpj\u202c\u200b.\u2066\u2069", "a gpj  .  "},
        {"\u00ad\u061c\u180e\u200f\u2028\u2060\ufeff\ufff9\U0001d173\U000e0041", "          "},
        {"\u200a\u2010\u2030\u2070\ufffd\U000e0100", "\u200a\u2010\u2030\u2070\ufffd\U000e0100"},
        {"\xed\xa0\x80 \xe2\x80 \xf4\x90\x80\x80", "\xed\xa0\x80 \xe2\x80 \xf4\x90\x80\x80"},
    };
    for (guint i = 0; i < G_N_ELEMENTS(cases); i++) {
        g_autofree char *clean = ps_text_clean(cases[i].text);
        g_assert_cmpstr(clean, ==, cases[i].clean);
    }
    g_assert_null(ps_text_clean(NULL));
}

/* A name that a URI would escape stays as it was given. */
static void test_odd_name(void)
{
    g_autofree char *folder = g_dir_make_tmp("pipesim-XXXXXX", NULL);
    g_autofree char *path = g_build_filename(folder, "a b%20\xc3\xa9.box", NULL);
    g_assert_true(g_file_set_contents(path, BOX "<lid/></box>", -1, NULL));
    g_autofree char *message = g_strdup_printf("%s:1: <lid> needs the attribute 'size'", path);
    assert_unreadable(path, PS_ERROR_SYNTAX, message);
    g_assert_cmpint(g_unlink(path), ==, 0);
    g_assert_cmpint(g_rmdir(folder), ==, 0);
}

static gpointer write_to_fifo(gpointer path)
{
    int fd = open(path, O_WRONLY);
    const char *text = BOX "<lid size='1'/></box>";
    for (const char *at = text; fd >= 0 && *at; at++)
        g_assert_cmpint(write(fd, at, 1), ==, 1);
    close(fd);
    return NULL;
}

static void test_fifo(void)
{
    g_autofree char *folder = g_dir_make_tmp("pipesim-XXXXXX", NULL);
    g_autofree char *path = g_build_filename(folder, "pipe", NULL);
    g_assert_cmpint(mkfifo(path, 0600), ==, 0);
    GThread *writer = g_thread_new("writer", write_to_fifo, path);
    g_autoptr(GError) error = NULL;
    xmlDoc *doc = ps_xml_load(path, &schema, &error);
    g_assert_no_error(error);
    g_assert_nonnull(doc);
    xmlFreeDoc(doc);
    g_thread_join(writer);
    g_assert_cmpint(g_unlink(path), ==, 0);
    g_assert_cmpint(g_rmdir(folder), ==, 0);
}

/* libxml2 itself must stay silent: this program's standard error is empty afterwards. */
static void test_silent(void)
{
    if (g_test_subprocess()) {
        static const char *const texts[] = {
            "<?xml version='1.0' encoding='ISO-2022-JP'?><box>\x1b$B\x1b</box>",
            "<?xml version='1.0' encoding='no-such'?>" BOX "<lid size='1'/></box>",
            "<?xml version='9.9'?><box xmlns='relative'/>", "<!DOCTYPE a SYSTEM 'x'><a>&b;</a>",
            BOX "<lid size='1'/><lid size='x'/></box>"};
        for (guint i = 0; i < G_N_ELEMENTS(texts); i++)
            xmlFreeDoc(load(texts[i], NULL));
        return;
    }
    g_test_trap_subprocess(NULL, 0, 0);
    g_test_trap_assert_passed();
    g_test_trap_assert_stderr("");
}

/* ---- threads, writing ---------------------------------------------------------------------- */

static gpointer load_often(gpointer number)
{
    g_autofree char *bad = g_strdup_printf(BOX "<lid size='%d' t='%d'/></box>",
                                           GPOINTER_TO_INT(number), GPOINTER_TO_INT(number));
    for (int i = 0; i < 50; i++) {
        g_autoptr(GError) error = NULL;
        g_assert_null(load(bad, &error));
        g_assert_error(error, PS_ERROR, PS_ERROR_SYNTAX);
        xmlDoc *doc = load(BOX "<lid size='1'/></box>", NULL);
        g_assert_nonnull(doc);
        xmlFreeDoc(doc);
    }
    return NULL;
}

static void test_threads(void)
{
    GThread *threads[4];
    for (int i = 0; i < 4; i++)
        threads[i] = g_thread_new("load", load_often, GINT_TO_POINTER(i + 1));
    for (int i = 0; i < 4; i++)
        g_thread_join(threads[i]);
}

static void test_write(void)
{
    xmlBuffer *buffer = xmlBufferCreate();
    xmlTextWriter *writer = ps_xml_writer_new(buffer, "box", "urn:test");
    ps_xml_put_int(writer, "version", 1);
    ps_xml_put_text(writer, "name", "a \"<b>\" & 'c'");
    ps_xml_start(writer, "lid");
    ps_xml_put_decimal(writer, "size", (PsRational){1, 4});
    ps_xml_put_text(writer, "kind", NULL);
    ps_xml_put_int(writer, "zero", 0);
    ps_xml_end(writer);
    g_autofree char *text = ps_xml_writer_finish(writer, buffer);
    g_autoptr(GError) error = NULL;
    xmlDoc *doc = load(text, &error);
    g_assert_no_error(error);
    g_assert_nonnull(doc);
    g_autofree char *name = ps_xml_text(xmlDocGetRootElement(doc), "name");
    g_assert_cmpstr(name, ==, "a \"<b>\" & 'c'");
    g_assert_nonnull(strstr(text, "\n  <lid size=\"0.25\"/>\n"));
    xmlFreeDoc(doc);
}

int main(int argc, char **argv)
{
    g_test_init(&argc, &argv, NULL);
    g_test_set_nonfatal_assertions();
    g_test_add_func("/xml/read", test_read);
    g_test_add_func("/xml/numbers", test_numbers);
    g_test_add_func("/xml/explain", test_explain);
    g_test_add_func("/xml/root", test_root);
    g_test_add_func("/xml/doctype", test_doctype);
    g_test_add_func("/xml/entity-bomb", test_entity_bomb);
    g_test_add_func("/xml/malformed", test_malformed);
    g_test_add_func("/xml/truncated", test_truncated);
    g_test_add_func("/xml/garbage", test_garbage);
    g_test_add_func("/xml/nesting", test_nesting);
    g_test_add_func("/xml/long-message", test_long_message);
    g_test_add_func("/xml/many-names", test_many_names);
    g_test_add_func("/xml/many-parts", test_many_parts);
    g_test_add_func("/xml/many-lines", test_many_lines);
    g_test_add_func("/xml/long-tag", test_long_tag);
    g_test_add_func("/xml/clean-text", test_clean_text);
    g_test_add_func("/xml/read-file", test_read_file);
    g_test_add_func("/xml/files", test_files);
    g_test_add_func("/xml/odd-name", test_odd_name);
    g_test_add_func("/xml/fifo", test_fifo);
    g_test_add_func("/xml/silent", test_silent);
    g_test_add_func("/xml/threads", test_threads);
    g_test_add_func("/xml/write", test_write);
    return g_test_run();
}

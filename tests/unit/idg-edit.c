/* SPDX-License-Identifier: BSD-3-Clause */
/* Copies of graphs, and graphs without some of their nodes. */
#include "idg/edit.h"

#include <string.h>

/* A graph with that body in one code. */
static PsIdg *graph(const char *body)
{
    g_autofree char *text = g_strconcat("<idg xmlns=\"urn:pipesim:idg:1\" version=\"1\" name=\"k\">"
                                        "<launch groups=\"1\" group-size=\"32\"/><code>",
                                        body, "</code></idg>", NULL);
    g_autoptr(GError) error = NULL;
    PsIdg *idg = ps_idg_parse(text, strlen(text), "test", &error);
    g_assert_no_error(error);
    return idg;
}

static gboolean has_class(const PsIdgItem *node, void *class_name)
{
    return strcmp(node->class_name, class_name) == 0;
}

/* Without the nodes of class "x", a graph is the other one. */
static void becomes(const char *body, guint gone, const char *without)
{
    g_autoptr(PsIdg) idg = graph(body);
    g_autoptr(PsIdg) expected = graph(without);
    g_assert_cmpuint(ps_idg_remove(idg, 0, has_class, (void *)"x"), ==, gone);
    g_autofree char *got_text = ps_idg_write(idg);
    g_autofree char *expected_text = ps_idg_write(expected);
    g_assert_cmpstr(got_text, ==, expected_text);
}

/* Kinds of groups, each with its codes, are copied as they are. */
static void test_kinds(void)
{
    static const char text[] =
        "<idg xmlns=\"urn:pipesim:idg:1\" version=\"1\" name=\"k\">"
        "<launch groups=\"4\" group-size=\"64\"/>"
        "<kind name=\"some\" share=\"3\"><code warps=\"0\"><node name=\"a\" class=\"i\"/></code>"
        "<code><node name=\"b\" class=\"i\"/></code></kind>"
        "<kind name=\"others\" share=\"1\"><code><node name=\"c\" "
        "class=\"i\"/></code></kind></idg>";
    g_autoptr(GError) error = NULL;
    g_autoptr(PsIdg) idg = ps_idg_parse(text, strlen(text), "test", &error);
    g_assert_no_error(error);
    g_autoptr(PsIdg) copy = ps_idg_copy(idg);
    g_autofree char *expected = ps_idg_write(idg), *got = ps_idg_write(copy);
    g_assert_cmpstr(got, ==, expected);
    g_assert_cmpuint(copy->codes->len, ==, 3);
}

/* ---- straight code ------------------------------------------------------------------------- */

static void test_chain(void)
{
    becomes(
        "<node name=\"a\" class=\"i\"/><node name=\"b\" class=\"x\" after=\"a\"/>"
        "<node name=\"c\" class=\"x\" after=\"b\"/><node name=\"d\" class=\"i\" after=\"c a\"/>",
        2, "<node name=\"a\" class=\"i\"/><node name=\"d\" class=\"i\" after=\"a\"/>");
    becomes("<node name=\"a\" class=\"x\"/><node name=\"d\" class=\"i\" after=\"a\"/>", 1,
            "<node name=\"d\" class=\"i\"/>");
    becomes("<node name=\"d\" class=\"i\"/>", 0, "<node name=\"d\" class=\"i\"/>");
}

static void test_loops_go(void)
{
    becomes("<loop times=\"2\"><loop times=\"3\"><node name=\"a\" class=\"x\"/></loop></loop>"
            "<node name=\"d\" class=\"i\" after=\"a@all\"/>",
            1, "<node name=\"d\" class=\"i\"/>");
}

/* ---- distances ----------------------------------------------------------------------------- */

/* The value that comes by way of b is of the same iteration, or of earlier ones. */
static void test_distance(void)
{
    /* c needs b of two iterations ago, which needs a of the same iteration: a of two ago. */
    becomes(
        "<loop times=\"9\"><node name=\"a\" class=\"i\"/><node name=\"b\" class=\"x\" after=\"a\"/>"
        "<node name=\"c\" class=\"i\" after=\"b@3\"/></loop>",
        1,
        "<loop times=\"9\"><node name=\"a\" class=\"i\"/>"
        "<node name=\"c\" class=\"i\" after=\"a@((3)+(1)-1)\"/></loop>");
    /* b stands before a, so its a is of one iteration before; c follows both. */
    becomes(
        "<loop times=\"9\"><node name=\"b\" class=\"x\" after=\"a\"/><node name=\"a\" class=\"i\"/>"
        "<node name=\"c\" class=\"i\" after=\"b\"/></loop>",
        1,
        "<loop times=\"9\"><node name=\"a\" class=\"i\"/>"
        "<node name=\"c\" class=\"i\" after=\"a@((1)+(1)+0)\"/></loop>");
}

/* A sum that adds to itself through what goes still waits for itself. */
static void test_circle(void)
{
    becomes("<loop times=\"9\"><node name=\"a\" class=\"i\" after=\"b\"/>"
            "<node name=\"b\" class=\"x\" after=\"a b\"/></loop>",
            1, "<loop times=\"9\"><node name=\"a\" class=\"i\" after=\"a@((1)+(1)-1)\"/></loop>");
}

/* Out of a loop, the last instance is waited for, or all as before. */
static void test_out_of_loop(void)
{
    becomes(
        "<loop times=\"9\"><node name=\"a\" class=\"i\"/><node name=\"b\" class=\"x\" "
        "after=\"a\"/></loop>"
        "<node name=\"c\" class=\"i\" after=\"b\"/><node name=\"d\" class=\"i\" after=\"b@all\"/>",
        1,
        "<loop times=\"9\"><node name=\"a\" class=\"i\"/></loop>"
        "<node name=\"c\" class=\"i\" after=\"a\"/><node name=\"d\" class=\"i\" after=\"a@all\"/>");
}

/* ---- codes --------------------------------------------------------------------------------- */

static void test_copied_code(void)
{
    g_autoptr(PsIdg) idg =
        graph("<loop times=\"2\"><node name=\"a\" class=\"i\" after=\"a@3\"/></loop>");
    PsIdgCode *copy = ps_idg_add_copy(idg, idg->codes->pdata[0]);
    g_assert_true(idg->codes->pdata[1] == copy);
    g_assert_null(copy->warps);
    ps_idg_add_warps(copy, ps_idg_number(7), NULL);
    g_autofree char *text = ps_idg_write(idg);
    g_assert_nonnull(strstr(text, "<code warps=\"7\">"));
    g_ptr_array_remove_index(idg->codes, 0);
    g_assert_nonnull(ps_idg_find(idg, 0, "a"));
}

/* A copy is of its code's kind, and is read back as such from the place that it is sorted to. */
static void test_sorted_codes(void)
{
    static const char text[] =
        "<idg xmlns=\"urn:pipesim:idg:1\" version=\"1\" name=\"k\"><launch groups=\"4\" "
        "group-size=\"64\"/><kind name=\"p\" share=\"1\"><code warps=\"0\"><node name=\"a\" "
        "class=\"i\"/></code></kind><kind name=\"q\" share=\"1\"><code><node name=\"b\" "
        "class=\"i\"/></code></kind></idg>";
    g_autoptr(GError) error = NULL;
    g_autoptr(PsIdg) idg = ps_idg_parse(text, strlen(text), "test", &error);
    g_assert_no_error(error);
    PsIdgCode *copy = ps_idg_add_copy(idg, idg->codes->pdata[0]);
    ps_idg_add_warps(copy, ps_idg_number(1), NULL);
    ps_idg_sort_codes(idg);
    g_assert_true(idg->codes->pdata[1] == copy);
    g_autofree char *written = ps_idg_write(idg);
    g_autoptr(PsIdg) again = ps_idg_parse(written, strlen(written), "test", &error);
    g_assert_no_error(error);
    g_assert_cmpuint(((const PsIdgCode *)again->codes->pdata[1])->kind, ==, 0);
    g_assert_nonnull(ps_idg_find(again, 1, "a"));
    g_assert_nonnull(ps_idg_find(again, 2, "b"));
}

int main(int argc, char **argv)
{
    g_test_init(&argc, &argv, NULL);
    g_test_add_func("/idg-edit/kinds", test_kinds);
    g_test_add_func("/idg-edit/chain", test_chain);
    g_test_add_func("/idg-edit/loops-go", test_loops_go);
    g_test_add_func("/idg-edit/distance", test_distance);
    g_test_add_func("/idg-edit/circle", test_circle);
    g_test_add_func("/idg-edit/out-of-loop", test_out_of_loop);
    g_test_add_func("/idg-edit/copied-code", test_copied_code);
    g_test_add_func("/idg-edit/sorted-codes", test_sorted_codes);
    return g_test_run();
}

/* SPDX-License-Identifier: BSD-3-Clause */
/* Graphs in which nodes became one, or left their loops. */
#include "idg/edit.h"
#include "idg/program.h"

#include <string.h>

/* A graph with that body in one code. */
static PsIdg *graph(const char *body)
{
    g_autofree char *text = g_strconcat("<idg xmlns='urn:pipesim:idg:1' version='1' name='k'>"
                                        "<param name='n' value='12'/>"
                                        "<launch groups='1' group-size='32'/><code>",
                                        body, "</code></idg>", NULL);
    g_autoptr(GError) error = NULL;
    PsIdg *idg = ps_idg_parse(text, strlen(text), "test", &error);
    g_assert_no_error(error);
    return idg;
}

/* It is a graph that can run, and that one. */
static void assert_body(const PsIdg *idg, const char *body)
{
    g_autoptr(GError) error = NULL;
    g_autoptr(PsIdg) expected = graph(body);
    g_autofree char *got_text = ps_idg_write(idg);
    g_autofree char *expected_text = ps_idg_write(expected);
    g_assert_cmpstr(got_text, ==, expected_text);
    PsKernel *kernel = ps_kernel_new(idg, NULL, &error);
    g_assert_no_error(error);
    ps_kernel_free(kernel);
}

static PsIdgItem *loop_of(const PsIdg *idg, guint level, const char *node)
{
    g_autoptr(GPtrArray) loops = ps_idg_loops_around(idg, 0, ps_idg_find(idg, 0, node));
    return level < loops->len ? loops->pdata[level] : NULL;
}

static void test_loops_around(void)
{
    g_autoptr(PsIdg) idg =
        graph("<loop name='o' times='2'><loop name='i' times='3'><node name='a' class='x'/>"
              "</loop><node name='b' class='x'/></loop><node name='c' class='x'/>");
    g_assert_cmpstr(loop_of(idg, 0, "a")->name, ==, "i");
    g_assert_cmpstr(loop_of(idg, 1, "a")->name, ==, "o");
    g_assert_cmpstr(loop_of(idg, 0, "b")->name, ==, "o");
    g_assert_null(loop_of(idg, 0, "c"));
}

/* ---- joining ------------------------------------------------------------------------------- */

static void joins(const char *body, const char *keep, const char *gone, const char *then)
{
    g_autoptr(PsIdg) idg = graph(body);
    ps_idg_join(idg, 0, ps_idg_find(idg, 0, keep), ps_idg_find(idg, 0, gone));
    assert_body(idg, then);
}

static void test_join_loads(void)
{
    joins("<node name='p' class='i'/><node name='a' class='x' after='p'/><node name='q' class='i'/>"
          "<node name='b' class='x' after='q'/><node name='c' class='y' after='a b'/>",
          "a", "b",
          "<node name='p' class='i'/><node name='a' class='x' after='p'/><node name='q' class='i'/>"
          "<node name='c' class='y' after='a'/>");
}

/* What stands between the two has the second one's value of the iteration before. */
static void test_join_in_loop(void)
{
    joins("<loop times='9'><node name='a' class='x'/><node name='c' class='y' after='b'/>"
          "<node name='b' class='x'/><node name='d' class='y' after='b@2'/></loop>"
          "<node name='e' class='y' after='b@all'/>",
          "a", "b",
          "<loop times='9'><node name='a' class='x'/><node name='c' class='y' after='a@((1)+1)'/>"
          "<node name='d' class='y' after='a@2'/></loop><node name='e' class='y' after='a@all'/>");
}

/* The last of two stores needs what both store. */
static void test_join_stores(void)
{
    joins("<node name='p' class='i'/><node name='a' class='s' after='p'/><node name='q' class='i'/>"
          "<node name='b' class='s' after='q'/>",
          "b", "a",
          "<node name='p' class='i'/><node name='q' class='i'/><node name='b' class='s' after='q "
          "p'/>");
}

/* ---- loops --------------------------------------------------------------------------------- */

static void hoists(const char *body, guint levels, gboolean behind, const char *then)
{
    g_autoptr(PsIdg) idg = graph(body);
    ps_idg_hoist(idg, 0, ps_idg_find(idg, 0, "a"), levels, behind);
    assert_body(idg, then);
}

static void test_hoist_before(void)
{
    hoists("<node name='p' class='i'/><loop times='9'><node name='q' class='i'/>"
           "<node name='a' class='x' after='p q'/><node name='b' class='y' after='a@2'/></loop>"
           "<node name='c' class='y' after='a@all'/>",
           1, FALSE,
           "<node name='p' class='i'/><node name='a' class='x' after='p'/><loop times='9'>"
           "<node name='q' class='i'/><node name='b' class='y' after='a'/></loop>"
           "<node name='c' class='y' after='a'/>");
}

static void test_hoist_behind(void)
{
    hoists("<loop times='2'><loop times='9'><node name='q' class='i'/><node name='a' class='x' "
           "after='q@2'/>"
           "</loop><node name='c' class='y'/></loop>",
           1, TRUE,
           "<loop times='2'><loop times='9'><node name='q' class='i'/></loop>"
           "<node name='a' class='x' after='q'/><node name='c' class='y'/></loop>");
    hoists("<loop times='2'><loop times='9'><node name='q' class='i'/><node name='a' class='x' "
           "after='q'/>"
           "</loop></loop>",
           5, TRUE,
           "<loop times='2'><loop times='9'><node name='q' class='i'/></loop></loop>"
           "<node name='a' class='x' after='q'/>");
}

static void puts_behind(guint levels, const char *then)
{
    g_autoptr(PsIdg) idg = graph("<loop times='2'><loop times='9'><node name='a' class='x'/>"
                                 "<node name='b' class='x'/></loop></loop>");
    g_autoptr(GPtrArray) holder = g_ptr_array_new();
    PsIdgItem *node = ps_idg_add_node(holder, "c", "y");
    ps_idg_put_behind(idg, 0, ps_idg_find(idg, 0, "a"), levels, node);
    assert_body(idg, then);
}

static void test_put_behind(void)
{
    puts_behind(0, "<loop times='2'><loop times='9'><node name='a' class='x'/>"
                   "<node name='c' class='y'/><node name='b' class='x'/></loop></loop>");
    puts_behind(1, "<loop times='2'><loop times='9'><node name='a' class='x'/>"
                   "<node name='b' class='x'/></loop><node name='c' class='y'/></loop>");
    puts_behind(2, "<loop times='2'><loop times='9'><node name='a' class='x'/>"
                   "<node name='b' class='x'/></loop></loop><node name='c' class='y'/>");
}

static void test_strip(void)
{
    g_autoptr(PsIdg) idg =
        graph("<loop name='l' times='n'><node name='a' class='i' after='a'/></loop>");
    PsIdgItem *outer = ps_idg_strip(idg, 0, loop_of(idg, 0, "a"), 4);
    g_assert_true(outer == loop_of(idg, 1, "a"));
    assert_body(idg, "<loop name='l' times='(n)/4'><loop name='l' times='4'>"
                     "<node name='a' class='i' after='a'/></loop></loop>");
}

static gboolean is_load(const PsIdgItem *node, void *data)
{
    (void)data;
    return strcmp(node->class_name, "global.load") == 0;
}

/* Loads go first, with their addresses; a sum that waited for one of the iteration before still
 * does, and nothing passes a store. */
static void test_raise(void)
{
    g_autoptr(PsIdg) idg = graph(
        "<loop times='9'><node name='s' class='y' after='b'/><node name='a' class='global.load'/>"
        "<node name='t' class='y' after='a'/><node name='p' class='i'/>"
        "<node name='b' class='global.load' after='p'/><node name='w' class='global.store'/>"
        "<node name='u' class='y'/><node name='c' class='global.load'/></loop>");
    ps_idg_raise(loop_of(idg, 0, "a")->body, is_load, NULL);
    assert_body(
        idg,
        "<loop times='9'><node name='a' class='global.load'/><node name='p' class='i'/>"
        "<node name='b' class='global.load' after='p'/><node name='s' class='y' after='b@((1)+1)'/>"
        "<node name='t' class='y' after='a'/><node name='w' class='global.store'/>"
        "<node name='c' class='global.load'/><node name='u' class='y'/></loop>");
}

/* ---- what nobody needs --------------------------------------------------------------------- */

/* Nothing stays of what b alone needed, circles neither; a counter that only counts, and what
 * nobody ever waited for, do. */
static void test_drop_unused(void)
{
    g_autoptr(PsIdg) before =
        graph("<loop times='3'><node name='n' class='i'/><node name='p' class='i' after='n q'/>"
              "<node name='q' class='i' after='p'/>"
              "<node name='k' class='i' after='k'/><node name='a' class='x' after='n'/>"
              "<node name='b' class='x' after='q'/><node name='c' class='y' after='a b'/></loop>");
    g_autoptr(PsIdg) idg = ps_idg_copy(before);
    ps_idg_join(idg, 0, ps_idg_find(idg, 0, "a"), ps_idg_find(idg, 0, "b"));
    ps_idg_drop_unused(idg, 0, before);
    assert_body(idg,
                "<loop times='3'><node name='n' class='i'/><node name='k' class='i' after='k'/>"
                "<node name='a' class='x' after='n'/><node name='c' class='y' after='a'/></loop>");
}

int main(int argc, char **argv)
{
    g_test_init(&argc, &argv, NULL);
    g_test_add_func("/idg-move/loops-around", test_loops_around);
    g_test_add_func("/idg-move/join/loads", test_join_loads);
    g_test_add_func("/idg-move/join/in-loop", test_join_in_loop);
    g_test_add_func("/idg-move/join/stores", test_join_stores);
    g_test_add_func("/idg-move/hoist/before", test_hoist_before);
    g_test_add_func("/idg-move/hoist/behind", test_hoist_behind);
    g_test_add_func("/idg-move/put-behind", test_put_behind);
    g_test_add_func("/idg-move/strip", test_strip);
    g_test_add_func("/idg-move/raise", test_raise);
    g_test_add_func("/idg-move/drop-unused", test_drop_unused);
    return g_test_run();
}

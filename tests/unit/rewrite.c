/* SPDX-License-Identifier: BSD-3-Clause */
/* Graphs in which operations of several nodes become other ones. */
#include "lift/emit/rewrite.h"

#include <string.h>

/* A graph with that body in one code. */
static PsIdg *graph(const char *body)
{
    g_autofree char *text = g_strconcat("<idg xmlns='urn:pipesim:idg:1' version='1' name='k'>"
                                        "<launch groups='1' group-size='32'/><code>",
                                        body, "</code></idg>", NULL);
    g_autoptr(GError) error = NULL;
    PsIdg *idg = ps_idg_parse(text, strlen(text), "test", &error);
    g_assert_no_error(error);
    return idg;
}

/* Nodes with an op become the text. */
static const char *becomes_text(const PsIdgItem *node, gpointer text)
{
    return node->op ? text : NULL;
}

/* With that for nodes that have an op, the first graph is the second, which has so many fewer. */
static void becomes(const char *body, const char *to, int less, const char *then)
{
    g_autoptr(PsIdg) idg = graph(body), expected = graph(then);
    g_assert_cmpint(ps_rewrite(idg, 0, becomes_text, (gpointer)to), ==, less);
    g_autofree char *got_text = ps_idg_write(idg);
    g_autofree char *expected_text = ps_idg_write(expected);
    g_assert_cmpstr(got_text, ==, expected_text);
}

#define LOAD "<node name='x' class='global.load'/>"
#define STORE "<node name='s' class='global.store' after='d'/>"

/* What the parts waited for, the first steps wait for; the result keeps name, place and count. */
static void test_parts(void)
{
    becomes(LOAD "<node name='d__1' class='rcp' after='x' part='d' line='7'/>"
                 "<node name='d__2' class='fmadd' after='d__1 x' part='d' line='7'/>"
                 "<node name='d' class='fmadd' after='d__2' ops='1' type='fp32' op='div.rn.f32' "
                 "line='7'/>"
                 "<node name='d__4' class='branch.sync' part='d' line='7'/>" STORE,
            "rcp:* =fmul:*,0", 2,
            LOAD
            "<node name='d__r1' class='rcp' after='x' line='7'/>"
            "<node name='d' class='fmul' after='x d__r1' ops='1' type='fp32' line='7'/>" STORE);
}

/* What only the result waits for is no input of the steps before it: here, the sum so far. */
static void test_sum(void)
{
    becomes("<loop times='4'><node name='x' class='global.load'/>"
            "<node name='p' class='fmadd' after='x' part='d'/>"
            "<node name='d' class='fmadd' after='p d' op='expf'/></loop>",
            "fmul:* =fadd:*,0", 0,
            "<loop times='4'><node name='x' class='global.load'/>"
            "<node name='d__r1' class='fmul' after='x'/>"
            "<node name='d' class='fadd' after='x d d__r1'/></loop>");
}

/* A part that others wait for stays, with what it needs; the operation needs no more of it. */
static void test_shared(void)
{
    becomes(LOAD "<node name='a' class='conversion' after='x' part='d'/>"
                 "<node name='r' class='rcp' after='a' part='d'/>"
                 "<node name='q' class='imad' after='r' part='d'/>"
                 "<node name='d' class='iadd' after='q' op='div.u32'/>"
                 "<node name='e' class='iadd' after='r'/>",
            "=shift:*", 1,
            LOAD "<node name='a' class='conversion' after='x' part='d'/>"
                 "<node name='r' class='rcp' after='a' part='d'/>"
                 "<node name='d' class='shift' after='x'/>"
                 "<node name='e' class='iadd' after='r'/>");
}

/* What goes altogether is bridged, parts and all; doubles become singles. */
static void test_gone(void)
{
    becomes(LOAD "<node name='c' class='conversion.f64' after='x' op='cvt.f64.f32'/>"
                 "<node name='d' class='dadd' after='c' ops='1' type='fp64'/>" STORE,
            "", 1, LOAD "<node name='d' class='dadd' after='x' ops='1' type='fp64'/>" STORE);
    becomes(LOAD "<node name='d' class='dadd' after='x' ops='1' type='fp64' op='add.f64'/>" STORE,
            "=fadd:*", 0, LOAD "<node name='d' class='fadd' after='x' ops='1' type='fp32'/>" STORE);
}

/* More instructions than before. */
static void test_more(void)
{
    becomes(
        LOAD
        "<node name='d' class='rcp' after='x' op='rcp.rn.f32' line='h.cu:3' via='v.h:1'/>" STORE,
        "fmul:* rcp:0 =fmul:1 branch:2", -3,
        LOAD "<node name='d__r1' class='fmul' after='x' line='h.cu:3' via='v.h:1'/>"
             "<node name='d__r2' class='rcp' after='d__r1' line='h.cu:3' via='v.h:1'/>"
             "<node name='d' class='fmul' after='d__r2' line='h.cu:3' via='v.h:1'/>"
             "<node name='d__r4' class='branch' after='d' line='h.cu:3' via='v.h:1'/>" STORE);
}

/* Parts before a loop go, too; the distance of what they waited for counted there. */
static void test_hoisted(void)
{
    becomes("<loop times='3'><node name='x' class='global.load'/></loop>"
            "<node name='r' class='rcp' after='x@2' part='d'/>"
            "<loop times='4'><node name='d' class='fmul' after='r' op='div.rn.f32'/></loop>",
            "rcp:* =fmul:0", 0,
            "<loop times='3'><node name='x' class='global.load'/></loop>"
            "<loop times='4'><node name='d__r1' class='rcp' after='x'/>"
            "<node name='d' class='fmul' after='d__r1'/></loop>");
}

/* A part behind the result waits for it, which is no input; what the next iteration begins with is
 * the result of this one. */
static void test_behind(void)
{
    becomes(LOAD "<node name='p' class='fmul' after='x' part='d'/>"
                 "<node name='d' class='fmadd' after='p' op='sinf'/>"
                 "<node name='n' class='fmadd' after='d' part='d'/>"
                 "<node name='s' class='global.store' after='n'/>",
            "fmul:* =sin:0", 1,
            LOAD "<node name='d__r1' class='fmul' after='x'/>"
                 "<node name='d' class='sin' after='d__r1'/>" STORE);
    becomes("<node name='x' class='global.load'/>"
            "<loop times='4'><node name='p' class='fmul' after='x d__n' part='d'/>"
            "<node name='d' class='fmadd' after='p' op='sinf'/>"
            "<node name='d__n' class='fmadd' after='d' part='d'/></loop>",
            "fmul:* =sin:0", 1,
            "<node name='x' class='global.load'/>"
            "<loop times='4'><node name='d__r1' class='fmul' after='x d'/>"
            "<node name='d' class='sin' after='d__r1'/></loop>");
}

int main(int argc, char **argv)
{
    g_test_init(&argc, &argv, NULL);
    g_test_add_func("/rewrite/parts", test_parts);
    g_test_add_func("/rewrite/sum", test_sum);
    g_test_add_func("/rewrite/shared", test_shared);
    g_test_add_func("/rewrite/gone", test_gone);
    g_test_add_func("/rewrite/more", test_more);
    g_test_add_func("/rewrite/hoisted", test_hoisted);
    g_test_add_func("/rewrite/behind", test_behind);
    return g_test_run();
}

/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Advice on operations that could be cheaper: what it predicts is what the graph takes that it says
 * the kernel would be, and it is silent where they could not.
 */
#include "tests/help/ask.h"

#define ROWS                                                                                       \
    "<class name='fadd' pipeline='a' issue='2' completion='4'/>"                                   \
    "<class name='fmul' pipeline='a' issue='2' completion='4'/>"                                   \
    "<class name='fmadd' pipeline='a' issue='2' completion='4'/>"                                  \
    "<class name='iadd' pipeline='b' issue='2' completion='4'/>"                                   \
    "<class name='imad' pipeline='b' issue='2' completion='5'/>"                                   \
    "<class name='logic' pipeline='b' issue='2' completion='4'/>"                                  \
    "<class name='shift' pipeline='b' issue='2' completion='4'/>"                                  \
    "<class name='rcp' pipeline='c' issue='8' completion='30'/>"                                   \
    "<class name='sqrt' pipeline='c' issue='8' completion='30'/>"                                  \
    "<class name='sin' pipeline='c' issue='8' completion='30'/>"                                   \
    "<class name='log2' pipeline='c' issue='8' completion='30'/>"                                  \
    "<class name='exp2' pipeline='c' issue='8' completion='30'/>"                                  \
    "<class name='branch' pipeline='b' issue='2' completion='4'/>"                                 \
    "<class name='loop' pipeline='b' issue='2' completion='4'/>"                                   \
    "<class name='conversion' pipeline='c' issue='8' completion='20'/>"                            \
    "<class name='dadd' pipeline='c' issue='16' completion='30'/>"                                 \
    "<class name='dfma' pipeline='c' issue='16' completion='30'/>"

#define LAUNCH "groups='8' group-size='64'"
#define LOOP(body) "<code><loop times='40'>" body "</loop></code>"
#define LOAD "<node name='x' class='local.load' after='s' bytes='4' line='2'/>"
#define STORE "<node name='s' class='local.store' after='d' bytes='4' line='9'/>"

/* The first advice with that change, of a graph, and that its seconds are those of the other. */
static const PsAdvice *told(Asked *asked, const char *change, PsCause cause, const char *then)
{
    const PsAdvice *advice = advice_by(ask_advice(asked), change);
    g_auto(Asked) other = asked_new(ROWS, LAUNCH, then);
    g_assert_nonnull(advice);
    g_assert_cmpint(advice->cause, ==, cause);
    assert_close(advice->seconds, ask(&other)->seconds);
    assert_close(advice->gain, 1 - advice->seconds / asked->answer->seconds);
    return advice;
}

static void silent(const char *codes, PsCause cause)
{
    g_auto(Asked) asked = asked_new(ROWS, LAUNCH, codes);
    const GPtrArray *advice = ask_advice(&asked)->advice;
    for (guint i = 0; i < advice->len; i++)
        g_assert_cmpint(((const PsAdvice *)advice->pdata[i])->cause, !=, cause);
}

/* ---- divisions ----------------------------------------------------------------------------- */

#define REMAINDER(by)                                                                              \
    LOAD "<node name='p' class='conversion' after='x' part='d' line='5'/>"                         \
         "<node name='q' class='rcp' after='p' part='d' line='5'/>"                                \
         "<node name='d' class='logic' after='q' op='rem.u32' " by " line='5'/>" STORE

static void test_division(void)
{
    g_auto(Asked) asked = asked_new(ROWS, LAUNCH, LOOP(REMAINDER("by='n'")));
    const PsAdvice *advice = told(&asked, "inverse", PS_CAUSE_DIVISION,
                                  LOOP(LOAD "<node name='a' class='imad.high' after='x'/>"
                                            "<node name='b' class='iadd' after='x a'/>"
                                            "<node name='c' class='shift' after='b'/>"
                                            "<node name='d' class='imad' after='x c'/>" STORE));
    g_assert_cmpfloat(advice_figure(advice, "instructions_now"), ==, 3);
    g_assert_cmpfloat(advice_figure(advice, "instructions_then"), ==, 4);
    g_assert_cmpfloat(advice_figure(advice, "lines"), ==, 1);
    g_assert_cmpstr(advice_text(advice, "by"), ==, "n");
    g_assert_cmpstr(advice_text(advice, "operation"), ==, "rem.u32");
    g_autofree char *line = ps_answer_place(asked.answer, advice->program, advice->node).line;
    g_assert_cmpstr(line, ==, "small.cl:5");
    /* By what differs from thread to thread nobody can prepare. */
    silent(LOOP(REMAINDER("")), PS_CAUSE_DIVISION);
}

/* A division of 64 bits, whatever it divides by. */
static void test_narrow_division(void)
{
    g_auto(Asked) asked =
        asked_new(ROWS, LAUNCH,
                  LOOP(LOAD "<node name='p' class='dfma' after='x p@1' part='d' line='5'/>"
                            "<node name='q' class='dfma' after='p' part='d' line='5'/>"
                            "<node name='r' class='dfma' after='q' part='d' line='5'/>"
                            "<node name='t' class='dfma' after='r' part='d' line='5'/>"
                            "<node name='u' class='dfma' after='t' part='d' line='5'/>"
                            "<node name='d' class='dfma' after='u' op='div.s64' line='5'/>" STORE));
    const PsAdvice *advice = advice_by(ask_advice(&asked), "narrow-division");
    g_assert_nonnull(advice);
    g_assert_cmpint(advice->cause, ==, PS_CAUSE_DIVISION);
    g_assert_cmpfloat(advice_figure(advice, "instructions_now"), ==, 6);
    g_assert_cmpfloat(advice_figure(advice, "instructions_then"), ==, 24);
}

/* ---- exact functions ----------------------------------------------------------------------- */

#define EXACT(d, x, op, line)                                                                      \
    "<node name='" d "1' class='rcp' after='" x "' part='" d "' line='" line "'/>"                 \
    "<node name='" d "2' class='fmadd' after='" d "1' part='" d "' line='" line "'/>"              \
    "<node name='" d "3' class='fmadd' after='" d "2' part='" d "' line='" line "'/>"              \
    "<node name='" d "4' class='fmadd' after='" d "3' part='" d "' line='" line "'/>"              \
    "<node name='" d "' class='fmadd' after='" d "4' op='" op "' line='" line "'/>"
#define QUOTIENT(d, x)                                                                             \
    "<node name='" d "1' class='rcp' after='" x "'/><node name='" d "' class='fmul' after='" x     \
    " " d "1'/>"

/* tanhf has an instruction on some GPUs; of this one nobody said so. */
static void test_functions(void)
{
    g_auto(Asked) sine = asked_new(ROWS, LAUNCH, LOOP(LOAD EXACT("d", "x", "sinf", "5") STORE));
    const PsAdvice *advice = told(&sine, "fast-math", PS_CAUSE_EXACT_MATH,
                                  LOOP(LOAD "<node name='a' class='fmul' after='x'/>"
                                            "<node name='d' class='sin' after='a'/>" STORE));
    g_assert_cmpstr(advice_text(advice, "operation"), ==, "sinf");
    g_assert_cmpfloat(advice_figure(advice, "instructions_now"), ==, 5);
    g_assert_cmpfloat(advice_figure(advice, "instructions_then"), ==, 2);
    g_auto(Asked) logarithm =
        asked_new(ROWS, LAUNCH, LOOP(LOAD EXACT("d", "x", "logf", "5") STORE));
    told(&logarithm, "fast-math", PS_CAUSE_EXACT_MATH,
         LOOP(LOAD "<node name='a' class='log2' after='x'/>"
                   "<node name='d' class='fmul' after='a'/>" STORE));
    silent(LOOP(LOAD EXACT("d", "x", "tanhf", "5") STORE), PS_CAUSE_EXACT_MATH);
}

static void test_fast_math(void)
{
    g_auto(Asked) root =
        asked_new(ROWS, LAUNCH, LOOP(LOAD EXACT("d", "x", "sqrt.rn.f32", "5") STORE));
    told(&root, "fast-math", PS_CAUSE_EXACT_MATH,
         LOOP(LOAD "<node name='d' class='sqrt' after='x'/>" STORE));
    g_assert_null(advice_by(root.answer, "approximate"));
    g_auto(Asked) one =
        asked_new(ROWS, LAUNCH, LOOP(LOAD EXACT("d", "x", "div.rn.f32", "5") STORE));
    const PsAdvice *advice =
        told(&one, "fast-math", PS_CAUSE_EXACT_MATH, LOOP(LOAD QUOTIENT("d", "x") STORE));
    g_assert_cmpfloat(advice_figure(advice, "instructions_now"), ==, 5);
    g_assert_cmpfloat(advice_figure(advice, "instructions_then"), ==, 2);
    g_auto(Asked) two = asked_new(
        ROWS, LAUNCH,
        LOOP(LOAD EXACT("e", "x", "sqrt.rn.f32", "4") EXACT("d", "e", "div.rn.f32", "5") STORE));
    advice = told(&two, "fast-math", PS_CAUSE_EXACT_MATH,
                  LOOP(LOAD "<node name='e' class='sqrt' after='x'/>" QUOTIENT("d", "e") STORE));
    g_assert_cmpfloat(advice_figure(advice, "lines"), ==, 2);
    silent(LOOP(LOAD EXACT("d", "x", "div.approx.f32", "5") STORE), PS_CAUSE_EXACT_MATH);
    silent(LOOP(LOAD EXACT("d", "x", "div.rn.f64", "5") STORE), PS_CAUSE_EXACT_MATH);
}

/* Each of two lines is tried alone, too: without zeros for very small numbers. */
static void test_approximate(void)
{
    g_auto(Asked) asked = asked_new(
        ROWS "<class name='rsqrt' pipeline='c' issue='8' completion='300'/>", LAUNCH,
        LOOP(LOAD "<node name='e1' class='rsqrt' after='x' part='e' line='4'/>"
                  "<node name='e' class='fmadd' after='e1' op='sqrt.rn.f32' line='4'/>" EXACT(
                      "d", "e", "div.rn.f32", "5") STORE));
    const PsAdvice *advice = told(&asked, "approximate", PS_CAUSE_EXACT_MATH,
                                  LOOP(LOAD "<node name='a' class='fadd.setp' after='x'/>"
                                            "<node name='b' class='fmul' after='x a'/>"
                                            "<node name='c' class='sqrt' after='b'/>"
                                            "<node name='e' class='fmul' after='a c'/>" EXACT(
                                                "d", "e", "div.rn.f32", "5") STORE));
    g_assert_cmpstr(advice_text(advice, "operation"), ==, "sqrt.rn.f32");
    g_assert_cmpfloat(advice_figure(advice, "lines"), ==, 1);
}

/* A sum with an exponential keeps its addition. */
static void test_exponential(void)
{
    g_auto(Asked) asked = asked_new(ROWS, LAUNCH, LOOP(LOAD EXACT("d", "x", "expf", "5") STORE));
    const PsAdvice *advice = advice_by(ask_advice(&asked), "fast-math");
    g_auto(Asked) other = asked_new(ROWS, LAUNCH,
                                    LOOP(LOAD "<node name='a' class='fmul' after='x'/>"
                                              "<node name='b' class='exp2' after='a'/>"
                                              "<node name='d' class='fadd' after='x b'/>" STORE));
    g_assert_nonnull(advice);
    assert_close(advice->seconds, ask(&other)->seconds);
}

/* ---- types --------------------------------------------------------------------------------- */

#define DOUBLES(line, bytes)                                                                       \
    "<node name='x' class='local.load' after='s' bytes='" bytes "' line='2'/>"                     \
    "<node name='c' class='conversion.f64' after='x' op='cvt.f64.f32' line='5'/>"                  \
    "<node name='e' class='dfma' after='c' ops='2' type='fp64' line='" line "'/>"                  \
    "<node name='d' class='conversion.f64' after='e' op='cvt.rn.f32.f64' line='5'/>" STORE

static void test_doubles(void)
{
    g_auto(Asked) asked = asked_new(ROWS, LAUNCH, LOOP(DOUBLES("5", "4")));
    told(&asked, "single", PS_CAUSE_DOUBLE_PRECISION,
         LOOP(LOAD "<node name='d' class='fmadd' after='x'/>" STORE));
    /* An expression of several lines. */
    g_auto(Asked) lines = asked_new(ROWS, LAUNCH, LOOP(DOUBLES("6", "4")));
    const PsAdvice *advice = told(&lines, "single", PS_CAUSE_DOUBLE_PRECISION,
                                  LOOP(LOAD "<node name='d' class='fmadd' after='x'/>" STORE));
    g_assert_cmpfloat(advice_figure(advice, "lines"), ==, 2);
    /* The sum stays one of doubles, which memory has. */
    silent(LOOP("<node name='y' class='local.load' bytes='8'/>"
                "<node name='x' class='local.load' after='s' bytes='4'/>"
                "<node name='c' class='conversion.f64' after='x' op='cvt.f64.f32' line='5'/>"
                "<node name='e' class='dfma' after='c y' line='5'/>"
                "<node name='d' class='conversion.f64' after='e' op='cvt.rn.f32.f64' "
                "line='5'/>" STORE),
           PS_CAUSE_DOUBLE_PRECISION);
    silent(LOOP(LOAD "<node name='c' class='conversion.f64' after='x' op='cvt.f64.f32' line='5'/>"
                     "<node name='d' class='dfma' after='c' line='5'/>"
                     "<node name='s' class='local.store' after='d' bytes='8' line='9'/>"),
           PS_CAUSE_DOUBLE_PRECISION);
}

#define WIDE(bytes)                                                                                \
    "<node name='k1' class='iadd' after='k' part='k' line='3'/>"                                   \
    "<node name='k' class='iadd.carry' after='k k1' op='add.s64' line='3'/>"                       \
    "<node name='i1' class='imad' after='k' part='i' line='4'/>"                                   \
    "<node name='i2' class='imad' after='k' part='i' line='4'/>"                                   \
    "<node name='i' class='iadd' after='i1 i2' op='mul.lo.s64' line='4'/>"                         \
    "<node name='a1' class='iadd' after='i' part='a' line='4'/>"                                   \
    "<node name='a' class='iadd.carry' after='i a1' op='add.s64' line='4'/>"                       \
    "<node name='x' class='local.load' after='a' bytes='" bytes "' line='4'/>"

static void test_indices(void)
{
    g_auto(Asked) asked = asked_new(ROWS, LAUNCH, LOOP(WIDE("4")));
    const PsAdvice *advice =
        told(&asked, "narrow-index", PS_CAUSE_WIDE_INDEX,
             LOOP("<node name='k' class='iadd' after='k'/><node name='i' class='imad' after='k'/>"
                  "<node name='a' class='imad' after='i'/>"
                  "<node name='x' class='local.load' after='a' bytes='4'/>"));
    g_assert_cmpfloat(advice_figure(advice, "lines"), ==, 2);
    /* Pointers alone are no indices. */
    silent(LOOP("<node name='k1' class='iadd' after='k' part='k' line='3'/>"
                "<node name='k' class='iadd.carry' after='k k1' op='add.s64' line='3'/>"
                "<node name='x' class='local.load' after='k' bytes='4' line='4'/>"),
           PS_CAUSE_WIDE_INDEX);
    /* Numbers of 64 bits that are stored, and what they are made of. */
    silent(LOOP(WIDE("4") "<node name='v1' class='iadd' after='i' part='v'/>"
                          "<node name='v' class='iadd.carry' after='v1' op='add.s64'/>"
                          "<node name='s' class='local.store' after='v' bytes='8'/>"),
           PS_CAUSE_WIDE_INDEX);
}

#define CONVERTED(from)                                                                            \
    "<node name='k' class='iadd' after='k' line='3'/>"                                             \
    "<node name='x' class='local.load' after='s' bytes='4' line='4'/>"                             \
    "<node name='c' class='conversion.i2f' after='" from "' op='cvt.rn.f32.s32' line='4'/>"        \
    "<node name='d' class='fmadd' after='x c' line='4'/>" STORE

/* What counts is an addition that machine code reads without waiting for it by name, or the loop's
 * own node. */
static void test_counter_elsewhere(void)
{
    static const char *const loops[] = {
        LOOP("<node name='k' class='iadd' reads='k' line='3'/>"
             "<node name='x' class='local.load' after='s' bytes='4' line='4'/>"
             "<node name='c' class='conversion' reads='k' op='cvt.rn.f32.s32' line='4'/>"
             "<node name='d' class='fmadd' after='x c' line='4'/>" STORE),
        LOOP("<node name='x' class='local.load' after='s' bytes='4' line='4'/>"
             "<node name='c' class='conversion' after='l' op='cvt.rn.f32.s32' line='4'/>"
             "<node name='d' class='fmadd' after='x c' line='4'/>" STORE
             "<node name='l' class='loop' after='l' line='3'/>")};
    for (gsize i = 0; i < G_N_ELEMENTS(loops); i++) {
        g_auto(Asked) asked = asked_new(ROWS, "groups='64' group-size='256'", loops[i]);
        const PsAdvice *advice = advice_by(ask_advice(&asked), "counter");
        g_assert_nonnull(advice);
        g_assert_cmpint(advice->cause, ==, PS_CAUSE_CONVERSION);
    }
    silent(LOOP("<node name='k' class='iadd' reads='x' line='3'/>"
                "<node name='x' class='local.load' after='s' bytes='4' line='4'/>"
                "<node name='d' class='conversion' reads='k' op='cvt.rn.f32.s32' line='4'/>" STORE),
           PS_CAUSE_CONVERSION);
}

static void test_counter(void)
{
    g_auto(Asked) asked = asked_new(ROWS, "groups='64' group-size='256'", LOOP(CONVERTED("k")));
    const PsAdvice *advice = advice_by(ask_advice(&asked), "counter");
    g_auto(Asked) other = asked_new(ROWS, "groups='64' group-size='256'",
                                    LOOP("<node name='k' class='iadd' after='k'/>"
                                         "<node name='x' class='local.load' after='s' bytes='4'/>"
                                         "<node name='c' class='fadd' after='k'/><node name='d' "
                                         "class='fmadd' after='x c'/>" STORE));
    g_assert_nonnull(advice);
    g_assert_cmpint(advice->cause, ==, PS_CAUSE_CONVERSION);
    assert_close(advice->seconds, ask(&other)->seconds);
    silent(LOOP(CONVERTED("x")), PS_CAUSE_CONVERSION);
    silent(LOOP("<node name='x' class='local.load' after='s' bytes='4'/>"
                "<node name='k' class='iadd' after='x'/>"
                "<node name='d' class='conversion.i2f' after='k' op='cvt.rn.f32.s32'/>" STORE),
           PS_CAUSE_CONVERSION);
}

/* Few others are made of a graph as large as that, unless somebody gives the time. */
static void test_large(void)
{
    static const guint kinds = 14, divisions = 1500;
    GString *codes = g_string_new("<code>");
    for (guint i = 0; i < divisions; i++) {
        const guint line = i % 3 + 1;
        g_string_append_printf(
            codes,
            "<node name='a%u' class='rcp' part='d%u' line='%u'/>"
            "<node name='b%u' class='fmadd' after='a%u' part='d%u' line='%u'/>"
            "<node name='c%u' class='fmadd' after='b%u' part='d%u' line='%u'/>"
            "<node name='d%u' class='fmadd' after='c%u' op='div.rn.f32' line='%u'/>"
            "<node name='e%u' class='rcp' part='f%u' line='%u'/>"
            "<node name='f%u' class='logic' after='e%u' op='rem.u32' by='n' line='%u'/>",
            i, i, line, i, i, i, line, i, i, i, line, i, i, line, i, i, line, i, i, line);
    }
    g_string_append(codes, "</code>");
    g_auto(Asked) asked = asked_new(ROWS, LAUNCH, codes->str);
    g_assert_cmpuint(ask_advice(&asked)->sensitivities->untried, >=, kinds - 2);
    asked.question.deadline = g_get_monotonic_time() + 1000 * G_TIME_SPAN_SECOND;
    g_assert_cmpuint(ask_advice(&asked)->sensitivities->untried, ==, 0);
    g_string_free(codes, TRUE);
}

int main(int argc, char **argv)
{
    g_test_init(&argc, &argv, NULL);
    g_test_add_func("/answer/strength/division", test_division);
    g_test_add_func("/answer/strength/narrow-division", test_narrow_division);
    g_test_add_func("/answer/strength/fast-math", test_fast_math);
    g_test_add_func("/answer/strength/approximate", test_approximate);
    g_test_add_func("/answer/strength/exponential", test_exponential);
    g_test_add_func("/answer/strength/doubles", test_doubles);
    g_test_add_func("/answer/strength/large", test_large);
    g_test_add_func("/answer/strength/indices", test_indices);
    g_test_add_func("/answer/strength/counter", test_counter);
    g_test_add_func("/answer/strength/counter-elsewhere", test_counter_elsewhere);
    g_test_add_func("/answer/strength/functions", test_functions);
    return g_test_run();
}

/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * A kernel as one piece of code: calls in place, where variables lie, loops, where lanes meet.
 */
#include "base/message.h"
#include "ptx/code/code.h"
#include "ptx/step/number.h"
#include <math.h>
#include <string.h>

#define HEAD ".version 8.0\n.target sm_80\n.address_size 64\n"

typedef struct {
    PsPtxModule *module;
    PsPtxCode *code;
} Made;

/* The code of kernel k. */
static Made make(const char *text)
{
    g_autoptr(GError) error = NULL;
    g_autofree char *whole = g_strconcat(HEAD, text, NULL);
    Made made = {.module = ps_ptx_parse(whole, strlen(whole), "x.ptx", &error)};
    g_assert_no_error(error);
    const PsPtxFunction *kernel = ps_ptx_kernel(made.module, "k", &error);
    g_assert_no_error(error);
    made.code = ps_ptx_code_new(made.module, kernel, &error);
    g_assert_no_error(error);
    return made;
}

static void clear(Made *made)
{
    ps_ptx_code_free(made->code);
    ps_ptx_free(made->module);
}

#define KERNEL(BODY) ".entry k() { .reg .pred p, q; .reg .u32 a, b;\n" BODY "\n}\n"

/* The point of the only instruction that is spelt like this; every body has such marks. 0 if there
 * is none. */
static guint at(const Made *made, const char *spelling)
{
    guint found = PS_PTX_NOWHERE;
    for (guint i = 0; i < made->code->n_points; i++) {
        const PsPtxPoint *point = &made->code->points[i];
        if (!point->instruction->operands)
            continue;
        g_autofree char *text = ps_ptx_spell(point->in->function, point->instruction);
        if (strcmp(text, spelling) == 0) {
            g_assert_cmpuint(found, ==, PS_PTX_NOWHERE);
            found = i;
        }
    }
    g_assert_cmpuint(found, !=, PS_PTX_NOWHERE);
    return found == PS_PTX_NOWHERE ? 0 : found;
}

/* ---- where lanes meet ----------------------------------------------------------------------- */

static void assert_meets(const Made *made, guint branch, guint meet)
{
    g_assert_cmpuint(made->code->points[branch].meet, ==, meet);
}

static void test_if(void)
{
    Made made = make(KERNEL("@p bra ELSE; mov.u32 a, 1; @q bra JOIN; mov.u32 a, 2; bra JOIN;"
                            "ELSE: mov.u32 a, 3; JOIN: mov.u32 a, 4; ret;"));
    assert_meets(&made, 0, at(&made, "mov.u32 a, 4"));
    assert_meets(&made, 2, at(&made, "mov.u32 a, 4"));
    g_assert_cmpuint(made.code->points[0].target, ==, at(&made, "mov.u32 a, 3"));
    g_assert_true(made.code->points[at(&made, "mov.u32 a, 4")].leader);
    g_assert_false(made.code->points[4].leader);
    g_assert_cmpuint(made.code->n_loops, ==, 0);
    clear(&made);
}

static void test_early_end(void)
{
    /* The branch to the shared end does not hide that lanes meet at 4. */
    Made made = make(KERNEL("@p bra JOIN; mov.u32 a, 1; @q bra END; mov.u32 a, 2;"
                            "JOIN: mov.u32 a, 4; END: ret;"));
    assert_meets(&made, 0, at(&made, "mov.u32 a, 4"));
    assert_meets(&made, 2, at(&made, "mov.u32 a, 2"));
    clear(&made);
    /* A branch with instructions of its own does not, either. */
    made =
        make(KERNEL("@p bra JOIN; mov.u32 a, 1; @!q bra ON; mov.u32 a, 5; exit; ON: mov.u32 a, 2;"
                    "JOIN: mov.u32 a, 4; ret;"));
    assert_meets(&made, 0, at(&made, "mov.u32 a, 4"));
    clear(&made);
    /* What stands behind the shared end and comes back to it is not how most threads get there. */
    made = make(KERNEL("@p bra COLD; mov.u32 b, 1; @p bra JOIN; mov.u32 a, 1; @q bra END;"
                       "mov.u32 a, 2; JOIN: mov.u32 a, 4; END: ret; COLD: mov.u32 b, 2; bra END;"));
    assert_meets(&made, 0, at(&made, "mov.u32 b, 1"));
    assert_meets(&made, 2, at(&made, "mov.u32 a, 4"));
    clear(&made);
    /* A trap at the end of the text is not, either. */
    made = make(KERNEL("@p bra TRAP; mov.u32 b, 1; @p bra JOIN; mov.u32 a, 1; @q bra END;"
                       "mov.u32 a, 2; JOIN: mov.u32 a, 4; END: ret; TRAP: trap;"));
    assert_meets(&made, 0, at(&made, "mov.u32 b, 1"));
    assert_meets(&made, 2, at(&made, "mov.u32 a, 4"));
    clear(&made);
    /* Where it has a barrier, meeting could be in vain. */
    made = make(KERNEL("@p bra JOIN; mov.u32 a, 1; @!q bra ON; bar.sync 0; exit; ON: mov.u32 a, 2;"
                       "JOIN: mov.u32 a, 4; ret;"));
    assert_meets(&made, 0, PS_PTX_NOWHERE);
    clear(&made);
    /* Two ways that both end. */
    made = make(KERNEL("@p bra OTHER; mov.u32 a, 1; bar.sync 0; ret; OTHER: mov.u32 a, 2; ret;"));
    assert_meets(&made, 0, PS_PTX_NOWHERE);
    clear(&made);
}

static void test_endless(void)
{
    Made made = make(KERNEL("@p bra A; B: mov.u32 a, 1; bra B; A: mov.u32 a, 2; bra A;"));
    assert_meets(&made, 0, PS_PTX_NOWHERE);
    g_assert_cmpuint(made.code->n_loops, ==, 2);
    clear(&made);
    made = make(KERNEL("ret; mov.u32 a, 1; L: mov.u32 a, 2; bra L;"));
    g_assert_cmpuint(made.code->n_loops, ==, 0); /* never reached */
    clear(&made);
    made = make(".entry k() { }\n");
    g_assert_cmpuint(made.code->n_points, ==, 0);
    clear(&made);
}

/* ---- loops ---------------------------------------------------------------------------------- */

static void test_loops(void)
{
    Made made =
        make(KERNEL("mov.u32 a, 0; ONE: mov.u32 a, 1; TWO: mov.u32 a, 2; @p bra TWO; mov.u32 a, 3;"
                    "THREE: mov.u32 a, 4; @q bra OUT; @p bra THREE; mov.u32 a, 5; @p bra ONE;"
                    "OUT: mov.u32 a, 6; ret;"));
    const PsPtxCode *code = made.code;
    const guint one = code->points[at(&made, "mov.u32 a, 1")].loop;
    const guint two = code->points[at(&made, "mov.u32 a, 2")].loop;
    const guint three = code->points[at(&made, "mov.u32 a, 4")].loop;
    g_assert_cmpuint(code->n_loops, ==, 3);
    g_assert_cmpuint(one, ==, 0);
    g_assert_cmpuint(code->loops[one].parent, ==, PS_PTX_NOWHERE);
    g_assert_cmpuint(code->loops[one].depth, ==, 1);
    g_assert_cmpuint(code->loops[two].parent, ==, one);
    g_assert_cmpuint(code->loops[three].parent, ==, one);
    g_assert_cmpuint(code->loops[three].depth, ==, 2);
    g_assert_cmpuint(code->loops[three].header, ==, at(&made, "mov.u32 a, 4"));
    g_assert_cmpuint(code->points[at(&made, "mov.u32 a, 3")].loop, ==, one);
    g_assert_cmpuint(code->points[at(&made, "mov.u32 a, 5")].loop, ==, one);
    g_assert_cmpuint(code->points[at(&made, "mov.u32 a, 0")].loop, ==, PS_PTX_NOWHERE);
    g_assert_cmpuint(code->points[at(&made, "mov.u32 a, 6")].loop, ==, PS_PTX_NOWHERE);
    g_assert_true(ps_ptx_code_in_loop(code, at(&made, "mov.u32 a, 4"), one));
    g_assert_true(ps_ptx_code_in_loop(code, at(&made, "mov.u32 a, 4"), three));
    g_assert_false(ps_ptx_code_in_loop(code, at(&made, "mov.u32 a, 4"), two));
    assert_meets(&made, 6, at(&made, "mov.u32 a, 6"));
    assert_meets(&made, 3, at(&made, "mov.u32 a, 3"));
    clear(&made);
}

static void test_irreducible(void)
{
    Made made = make(KERNEL("L: @p bra B; A: mov.u32 a, 1; @q bra DONE; B: mov.u32 a, 2; bra A;"
                            "DONE: mov.u32 a, 3; @p bra L; ret;"));
    g_assert_cmpuint(made.code->n_loops, ==, 1);
    g_assert_cmpuint(made.code->points[at(&made, "mov.u32 a, 2")].loop, ==, 0);
    clear(&made);
}

/* ---- size ----------------------------------------------------------------------------------- */

/* n loops in each other, and an if for each in a row. */
static void test_large(void)
{
    const guint n = 20000;
    g_autoptr(GString) text = g_string_new(".entry k() { .reg .pred p; .reg .u32 a;\n");
    for (guint i = 0; i < n; i++)
        g_string_append_printf(text, "L%u: mov.u32 a, %u;\n", i, i);
    for (guint i = 0; i < n; i++)
        g_string_append_printf(text, "@p bra I%u; mov.u32 a, 1; I%u:\n", i, i);
    for (guint i = n; i-- > 0;)
        g_string_append_printf(text, "@p bra L%u;\n", i);
    g_string_append(text, "ret; }\n");
    Made made = make(text->str);
    g_assert_cmpuint(made.code->n_loops, ==, n);
    g_assert_cmpuint(made.code->loops[n - 1].depth, ==, n);
    g_assert_cmpuint(made.code->points[n].meet, ==, n + 2);
    clear(&made);
}

/* A ladder: each rung leads across to the other side and up. */
static void test_ladder(void)
{
    const guint n = 20000;
    g_autoptr(GString) text = g_string_new(".entry k() { .reg .pred p; .reg .u32 a;\n");
    for (guint i = 0; i < n; i++)
        g_string_append_printf(text, "L%u: @p bra R%u; mov.u32 a, %u;\n", i, n - 1 - i, i);
    g_string_append(text, "bra END;\n");
    for (guint i = 0; i < n; i++)
        g_string_append_printf(text, "R%u: @p bra L%u; mov.u32 a, %u;\n", i, n - 1 - i, i);
    g_string_append(text, "END: mov.u32 a, 7; ret; }\n");
    Made made = make(text->str);
    g_assert_cmpuint(made.code->n_points, ==, 4 * n + 3);
    clear(&made);
}

/* ---- calls ---------------------------------------------------------------------------------- */

static void test_calls(void)
{
    Made made = make(".func (.param .b32 r) f(.param .b32 a) { .reg .u32 x, y; .local .b8 l[4];\n"
                     " ld.param.u32 x, [a]; st.param.u32 [r], x; ret; }\n"
                     ".func g() { .reg .u32 x; { .param .b32 p; .param .b32 q; mov.u32 x, 5;\n"
                     " st.param.u32 [p], x; call (q), f, (p); } }\n"
                     ".entry k() { .reg .u32 x; .reg .pred p; call g; @p call g; mov.u32 x, 1; ret;"
                     "}\n");
    const PsPtxCode *code = made.code;
    const guint first = 0, second = code->inlines->len > 3 ? 1 + 7 : 0;
    g_assert_cmpuint(code->inlines->len, ==, 5);
    g_assert_cmpuint(code->n_points, ==, 2 * (1 + 3 + 3 + 1) + 2);
    g_assert_cmpuint(code->points[first].target, ==, PS_PTX_NOWHERE);
    g_assert_cmpuint(code->points[second].target, ==, code->n_points - 2);
    g_assert_cmpuint(code->points[second].meet, ==, code->n_points - 2);
    /* f's ret goes back into g, g's implicit one into k. */
    g_assert_cmpuint(code->points[6].target, ==, 7);
    g_assert_cmpuint(code->points[7].target, ==, 8);
    const PsPtxInline *f = code->points[4].in, *g = code->points[1].in;
    g_assert_cmpstr(f->function->name, ==, "f");
    g_assert_true(f->caller == g);
    g_assert_cmpuint(f->call, ==, 3);
    g_assert_cmpuint(code->n_registers, ==, 2 + 2 * (1 + 2));
    /* f's parameter lies where g's variable does. */
    g_assert_true(g_hash_table_lookup(f->addresses, f->function->params->pdata[0]) ==
                  g_hash_table_lookup(g->addresses, g->function->variables->pdata[0]));
    g_assert_cmpuint(code->thread_bytes, ==, 2 * 12);
    clear(&made);
}

/* Calls as deep as there are functions; doubling in each makes too many instructions. */
static void test_deep_calls(void)
{
    g_autoptr(GString) text = g_string_new(".func f0() { .reg .u32 x; mov.u32 x, 1; ret; }\n");
    g_autoptr(GString) doubled = g_string_new(text->str);
    g_autoptr(GError) error = NULL;
    for (guint i = 1; i < 5000; i++)
        g_string_append_printf(text, ".func f%u() { call f%u; ret; }\n", i, i - 1);
    g_string_append(text, ".entry k() { call f4999; ret; }\n");
    Made made = make(text->str);
    g_assert_cmpuint(made.code->n_points, ==, 10002);
    clear(&made);
    for (guint i = 1; i < 40; i++)
        g_string_append_printf(doubled, ".func f%u() { call f%u; call f%u; ret; }\n", i, i - 1,
                               i - 1);
    g_string_append(doubled, ".entry k() { call f39; ret; }\n");
    g_autofree char *whole = g_strconcat(HEAD, doubled->str, NULL);
    g_autoptr(PsPtxModule) module = ps_ptx_parse(whole, strlen(whole), "x.ptx", &error);
    g_assert_no_error(error);
    const PsPtxFunction *kernel = ps_ptx_kernel(module, "k", &error);
    g_assert_null(ps_ptx_code_new(module, kernel, &error));
    g_assert_error(error, PS_ERROR, PS_ERROR_LIMIT);
    if (error)
        g_assert_cmpstr(error->message, ==,
                        "kernel \"k\" with its calls expanded has more than 16777216 registers or "
                        "262144 calls");
}

/* ---- variables ------------------------------------------------------------------------------ */

static void test_shared(void)
{
    Made made = make(".shared .align 16 .b8 unused[64];\n.shared .align 4 .b8 x[6];\n"
                     ".extern .shared .align 32 .b8 dyn[];\n"
                     ".func f() { .reg .u32 a; .shared .align 8 .b8 y[8]; ld.shared.u32 a, [y]; }\n"
                     ".entry k() { .reg .u32 a; ld.shared.u32 a, [x]; call f; call f;"
                     " ld.shared.u32 a, [dyn]; ret; }\n");
    const PsPtxCode *code = made.code;
    g_assert_cmpuint(code->shared->len, ==, 3);
    g_assert_cmpstr(((PsPtxVariable *)code->shared->pdata[0])->name, ==, "x");
    g_assert_cmpstr(((PsPtxVariable *)code->shared->pdata[1])->name, ==, "dyn");
    g_assert_cmpstr(((PsPtxVariable *)code->shared->pdata[2])->name, ==, "y");
    g_assert_cmpuint(code->shared_at[0], ==, 0);
    g_assert_cmpuint(code->shared_at[2], ==, 8);
    g_assert_cmpuint(code->shared_bytes, ==, 16);
    g_assert_cmpuint(code->shared_at[1], ==, 32);
    g_assert_cmpuint(code->dynamic_at, ==, 32);
    clear(&made);
}

static void test_where(void)
{
    /* A name is spelt as in C. */
    Made made = make(".file 7 \"a/b.cu\"\n.file 8 \"a\\\\\\\"b\\303\\244\\\"\"\n"
                     ".entry k() { .reg .u32 x;\nmov.u32 x, 1;\n"
                     ".loc 7 12 3\nmov.u32 x, 2;\n.loc 8 1 2\nmov.u32 x, 2; ret; }\n");
    g_autofree char *first = ps_ptx_code_where(made.code, 0);
    g_autofree char *second = ps_ptx_code_where(made.code, 1);
    g_autofree char *third = ps_ptx_code_where(made.code, 2);

    g_assert_cmpstr(first, ==, "x.ptx:7");
    g_assert_cmpstr(second, ==, "a/b.cu:12");
    g_assert_cmpstr(third, ==, "a\\\"b\303\244\":1");
    clear(&made);
}

/* What a header's function does is told of the line that calls it, be that in a function of the
 * kernel's file that was inlined itself. */
static void test_where_inlined(void)
{
    Made made = make(".file 1 \"k.cu\"\n.file 2 \"k.h\"\n.entry k() { .reg .u32 x;\n"
                     ".loc 1 44 5\nmov.u32 x, 1;\n"
                     ".loc 1 10 9, function_name $f, inlined_at 1 44 5\nmov.u32 x, 2;\n"
                     ".loc 2 449 9, function_name $g, inlined_at 1 10 9\nmov.u32 x, 2; ret; }\n");
    static const char *const expected[] = {"k.cu:44", "k.cu:10", "k.cu:10, in k.h:449"};
    for (guint i = 0; i < G_N_ELEMENTS(expected); i++) {
        g_autofree char *where = ps_ptx_code_where(made.code, i);
        g_assert_cmpstr(where, ==, expected[i]);
    }
    clear(&made);
}

/* ---- numbers of 16 bits --------------------------------------------------------------------- */

static void test_halves(void)
{
    for (guint bits = 0; bits < 65536; bits++) {
        double half = (double)ps_ptx_half_value(bits), bfloat = (double)ps_ptx_bfloat_value(bits);
        if (!isnan(half))
            g_assert_cmpuint(ps_ptx_half_bits(half), ==, bits);
        if (!isnan(bfloat))
            g_assert_cmpuint(ps_ptx_bfloat_bits(bfloat), ==, bits);
    }
    g_assert_cmphex(ps_ptx_half_bits(65519.9), ==, 0x7bff);
    g_assert_cmphex(ps_ptx_half_bits(65520), ==, 0x7c00);
    g_assert_cmphex(ps_ptx_half_bits(1 + 0x1p-11), ==, 0x3c00);
    g_assert_cmphex(ps_ptx_half_bits(1 + 0x3p-11), ==, 0x3c02);
    g_assert_cmphex(ps_ptx_half_bits(0x1p-25), ==, 0);
    g_assert_cmphex(ps_ptx_half_bits(-0x1.8p-25), ==, 0x8001);
    g_assert_cmphex(ps_ptx_half_bits((double)NAN), ==, 0x7fff);
}

int main(int argc, char **argv)
{
    g_test_init(&argc, &argv, NULL);
    g_test_set_nonfatal_assertions();
    g_test_add_func("/ptx-code/if", test_if);
    g_test_add_func("/ptx-code/early-end", test_early_end);
    g_test_add_func("/ptx-code/endless", test_endless);
    g_test_add_func("/ptx-code/loops", test_loops);
    g_test_add_func("/ptx-code/irreducible", test_irreducible);
    g_test_add_func("/ptx-code/large", test_large);
    g_test_add_func("/ptx-code/ladder", test_ladder);
    g_test_add_func("/ptx-code/calls", test_calls);
    g_test_add_func("/ptx-code/deep-calls", test_deep_calls);
    g_test_add_func("/ptx-code/shared", test_shared);
    g_test_add_func("/ptx-code/where", test_where);
    g_test_add_func("/ptx-code/where-inlined", test_where_inlined);
    g_test_add_func("/ptx-code/halves", test_halves);
    return g_test_run();
}

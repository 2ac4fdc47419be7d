/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * The reader of PTX: one clear error for everything that is none, limits, and time and memory in
 * proportion to the text.
 */
#include "ptx/ptx.h"
#include "tests/help/growth.h"

#include <string.h>

#define HEAD ".version 8.0\n.target sm_80\n.address_size 64\n"
#define BODY HEAD ".entry k(.param .b32 a) { .reg .pred p; .reg .b32 %r<9>; .reg .f32 f;\n"

typedef struct {
    const char *text;
    PsErrorCode code;
    const char *message;
} Case;

static void check(const char *text, gsize length, PsErrorCode code, const char *message)
{
    g_autoptr(GError) error = NULL;
    g_autoptr(PsPtxModule) module = ps_ptx_parse(text, length, "x.ptx", &error);
    g_assert_null(module);
    g_assert_error(error, PS_ERROR, (gint)code);
    if (error)
        g_assert_cmpstr(error->message, ==, message);
    else
        g_test_message("expected: %s", message);
}

static void check_cases(const Case *cases, gsize n)
{
    for (gsize i = 0; i < n; i++)
        check(cases[i].text, strlen(cases[i].text), cases[i].code, cases[i].message);
}

static void test_syntax(void)
{
    static const Case cases[] = {
        {"hello", PS_ERROR_SYNTAX,
         "x.ptx:1: \"hello\" where a directive such as .entry is expected"},
        {HEAD ".entry", PS_ERROR_SYNTAX, "x.ptx:4: the text ends where a name is expected"},
        {HEAD ".entry k() ret;", PS_ERROR_SYNTAX,
         "x.ptx:4: \"ret\" where \"{\", \";\" or a directive such as .maxntid is expected"},
        {HEAD ".visible ret;", PS_ERROR_SYNTAX,
         "x.ptx:4: \"ret\" where a declaration such as .entry or .global is expected"},
        {HEAD ".global 5;", PS_ERROR_SYNTAX, "x.ptx:4: \"5\" where a type or a name is expected"},
        {HEAD ".global x;", PS_ERROR_SYNTAX,
         "x.ptx:4: \"x\" is declared without a type, such as .u32"},
        {HEAD ".version x", PS_ERROR_SYNTAX,
         "x.ptx:4: \"x\" where a version such as 8.0 is expected"},
        {BODY "ret }", PS_ERROR_SYNTAX, "x.ptx:5: \"}\" where an operand is expected"},
        {BODY "mov.u32 %r1 \"\xFF\";\n}", PS_ERROR_SYNTAX,
         "x.ptx:5: \"\"\xEF\xBF\xBD\"\" where \",\" or \";\" is expected"},
        {BODY "mov.u32 %r1 %r2;\n}", PS_ERROR_SYNTAX,
         "x.ptx:5: \"%r2\" where \",\" or \";\" is expected"},
        {BODY "mov.u32 %r1, [%r2;\n}", PS_ERROR_SYNTAX,
         "x.ptx:5: \";\" where \",\" or \"]\" is expected"},
        {BODY "mov.u32 %r1,\n\n", PS_ERROR_SYNTAX,
         "x.ptx:7: the text ends where an operand is expected"},
        {BODY "ret;\n", PS_ERROR_SYNTAX,
         "x.ptx:6: the text ends where an instruction, a label, a directive or \"}\" is expected"},
        {BODY "5;\n", PS_ERROR_SYNTAX,
         "x.ptx:5: \"5\" where an instruction, a label, a directive or \"}\" is expected"},
        {BODY ".loc 1 2 3, foo bar\n}", PS_ERROR_SYNTAX,
         "x.ptx:6: \"foo\" where function_name or inlined_at is expected"},
        {BODY "mov.u32 %r1, 08;}", PS_ERROR_SYNTAX, "x.ptx:5: \"08\" is no number"},
        {BODY "mov.f32 f, 0f123;}", PS_ERROR_SYNTAX, "x.ptx:5: \"0f123\" is no number"},
        {BODY "mov.u32 %r1, `;}", PS_ERROR_SYNTAX, "x.ptx:5: \"`\" has no meaning in PTX"},
        {BODY "mov.u32 %r1, \xC3\xA9;}", PS_ERROR_SYNTAX,
         "x.ptx:5: \"\xC3\xA9\" has no meaning in PTX"},
        {BODY "mov.u32 %r1, \xFF;}", PS_ERROR_SYNTAX,
         "x.ptx:5: the byte 0xff has no meaning in PTX"},
        {HEAD "\n/* a\nb", PS_ERROR_SYNTAX, "x.ptx:5: the comment that begins here has no end"},
        {HEAD "\n.file 1 \"a\nb\"", PS_ERROR_SYNTAX,
         "x.ptx:5: the string that begins here has no end"},
        {HEAD "\n.section .d {\n.b8 1", PS_ERROR_SYNTAX,
         "x.ptx:5: the .section that begins here has no end"},
    };
    check_cases(cases, G_N_ELEMENTS(cases));
}

static void test_names(void)
{
    static const Case cases[] = {
        {BODY "\nadd.s32 %r1, %r9, 1; ret; }", PS_ERROR_VALUE,
         "x.ptx:6: \"%r9\" is not declared: no register, variable, function or label has this name "
         "here"},
        {BODY "bra L; { L: } }", PS_ERROR_VALUE,
         "x.ptx:5: \"L\" is not declared: no register, variable, function or label has this name "
         "here"},
        {BODY "L:\nL: ret; }", PS_ERROR_VALUE,
         "x.ptx:6: \"L\" is declared twice in the same block"},
        {BODY ".reg .u32 %r<3>; }", PS_ERROR_VALUE,
         "x.ptx:5: the registers \"%r<...>\" are declared twice in the same block"},
        {BODY "@%r1 ret; }", PS_ERROR_VALUE,
         "x.ptx:5: \"@\" stands before a predicate, and \"%r1\" is none"},
        {BODY "@x ret; }", PS_ERROR_VALUE,
         "x.ptx:5: \"@\" stands before a predicate, and \"x\" is not declared"},
        {BODY "t: .branchtargets t; ret; }", PS_ERROR_VALUE, "x.ptx:5: \"t\" is no label"},
        {BODY "ret; }\n.func k() { ret; }", PS_ERROR_VALUE, "x.ptx:6: \"k\" is defined twice"},
        {HEAD ".global .u32 x; .func x();", PS_ERROR_VALUE,
         "x.ptx:4: \"x\" is declared twice in the same block"},
        {HEAD ".reg .u32 x;", PS_ERROR_SYNTAX,
         "x.ptx:4: \".reg\" where a directive such as .entry is expected"},
        {HEAD ".alias a, b;", PS_ERROR_VALUE,
         "x.ptx:4: \"a\" is no function that was declared before the .alias"},
    };
    check_cases(cases, G_N_ELEMENTS(cases));
}

static void test_values(void)
{
    static const Case cases[] = {
        {HEAD ".address_size 16", PS_ERROR_VALUE, "x.ptx:4: .address_size is 32 or 64, not 16"},
        {BODY "mov.u32 %r1, 18446744073709551616; }", PS_ERROR_VALUE,
         "x.ptx:5: the number \"18446744073709551616\" does not fit in 64 bits"},
        {BODY "mov.u32 %r1, 1/0; }", PS_ERROR_VALUE, "x.ptx:5: a constant is divided by 0"},
        {BODY "mov.u32 %r1, %r2*2; }", PS_ERROR_VALUE,
         "x.ptx:5: only constants can be calculated with"},
        {BODY "mov.u32 %r1, %r2+%r3; }", PS_ERROR_VALUE,
         "x.ptx:5: only a number can be added to a register or an address"},
        {BODY "mov.u32 %r1, %r2+3; }", PS_ERROR_VALUE,
         "x.ptx:5: a register plus a number is an address, which stands in [ ]"},
        {BODY "mov.u32 %r1, ~%r2; }", PS_ERROR_VALUE, "x.ptx:5: \"~\" stands before a number"},
        {BODY "mov.u32 %r1, %r2|%r3; }", PS_ERROR_VALUE,
         "x.ptx:5: only the destination, which comes first, can be a pair a|b"},
        {BODY "mov.u32 %r1, generic(a); }", PS_ERROR_VALUE,
         "x.ptx:5: generic() and masks of addresses stand in initial values only"},
        {HEAD ".global .align 3 .b8 x;", PS_ERROR_VALUE, "x.ptx:4: .align 3 is no power of two"},
        {HEAD ".global .b8 x[2][];", PS_ERROR_VALUE,
         "x.ptx:4: only the first [ ] of an array can be without a number above 0"},
        {HEAD ".global .b8 x[2] = {1, 2, 3};", PS_ERROR_VALUE,
         "x.ptx:4: \"x\" has more initial values than elements"},
        {HEAD ".global .b8 x[2][2] = {{1, 2, 3}};", PS_ERROR_VALUE,
         "x.ptx:4: a { } of \"x\" has more values than elements"},
        {HEAD ".global .b8 x[2] = {{{1}}};", PS_ERROR_VALUE,
         "x.ptx:4: the initial value of \"x\" has more { } in each other than its type"},
        {HEAD ".global .b8 x = {{{{{{{{{{{{{{{{{{{{{{", PS_ERROR_VALUE,
         "x.ptx:4: the initial value of \"x\" has more { } in each other than its type"},
        {HEAD ".extern .global .b32 x = 1;", PS_ERROR_VALUE,
         "x.ptx:4: \"x\" is .extern or .common, so it has no initial value here"},
        {HEAD ".global .b32 x = 1.5;", PS_ERROR_VALUE,
         "x.ptx:4: an initial value of \"x\" is no .b32"},
        {HEAD ".global .b64 x = y;", PS_ERROR_VALUE,
         "x.ptx:4: \"y\" is not declared: no variable or function has this name here"},
        {HEAD ".global .b64 y; .global .b8 x[] = {0xfff(y)};", PS_ERROR_VALUE,
         "x.ptx:4: a mask of an address leaves one byte: 0xff, 0xff00, ..."},
        {HEAD ".entry k() .maxntid 1, 2, 3, 4 { }", PS_ERROR_VALUE,
         "x.ptx:4: a group of threads has at most 3 dimensions, not 4"},
        {HEAD ".entry k() .reqntid 0 { }", PS_ERROR_VALUE,
         "x.ptx:4: a group of threads cannot be 0 wide"},
        {HEAD ".entry k() .reqnctapercluster 2, 0 { }", PS_ERROR_VALUE,
         "x.ptx:4: a cluster of groups cannot be 0 wide"},
    };
    check_cases(cases, G_N_ELEMENTS(cases));
}

/* n copies of text between two others, as PTX. */
static char *repeated(const char *before, const char *text, guint n, const char *after)
{
    GString *whole = g_string_new(before);
    for (guint i = 0; i < n; i++)
        g_string_append(whole, text);
    g_string_append(whole, after);
    return g_string_free(whole, FALSE);
}

static void check_repeated(const char *before, const char *text, guint n, const char *message)
{
    g_autofree char *whole = repeated(before, text, n, "");
    check(whole, strlen(whole), PS_ERROR_LIMIT, message);
}

static void test_limits(void)
{
    static const Case cases[] = {
        {BODY ".reg .u32 %s<16777217>; }", PS_ERROR_LIMIT,
         "x.ptx:5: %s<16777217> is more than 16777216 registers"},
        {HEAD ".global .b8 x[281474976710657];", PS_ERROR_LIMIT,
         "x.ptx:4: \"x\" is larger than 281474976710656 bytes"},
        {HEAD ".global .b8 x[18446744073709551615][18446744073709551615];", PS_ERROR_LIMIT,
         "x.ptx:4: \"x\" is larger than 281474976710656 bytes"},
        {HEAD ".global .b8 x[2][300000000] = {{1}, {1}};", PS_ERROR_LIMIT,
         "x.ptx:4: the initial values take more than 268435456 bytes"},
        {HEAD ".file 65536 \"a\"\n", PS_ERROR_LIMIT,
         "x.ptx:4: the number of a .file is at most 65535, not 65536"},
        {BODY ".loc 1 2147483648 1\n}", PS_ERROR_LIMIT,
         "x.ptx:6: a .loc has a file up to 65535 and a line up to 2147483647"},
    };
    check_cases(cases, G_N_ELEMENTS(cases));
    check_repeated(BODY, "{", 1000, "x.ptx:5: more than 200 blocks are in each other");
    check_repeated(BODY "mov.u32 %r1, ", "(", 100000,
                   "x.ptx:5: brackets are nested too deeply; write it with fewer");
    check_repeated(BODY "mov.u32 %r1, ", "-", 100000,
                   "x.ptx:5: brackets are nested too deeply; write it with fewer");
    check_repeated(BODY "foo ", "a", 70000,
                   "x.ptx:5: the name that begins with \"aaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaa\" is "
                   "longer than 65535 characters");
    g_autofree char *many = repeated(BODY "foo %r1", ", 1", 255, "; }");
    check(many, strlen(many), PS_ERROR_LIMIT,
          "x.ptx:5: the instruction has more than 254 operands");
    g_autofree char *vector = repeated(BODY "foo {1", ", 1", 255, "}; }");
    check(vector, strlen(vector), PS_ERROR_LIMIT,
          "x.ptx:5: more than 255 operands are in one list");
}

static void test_binary(void)
{
    static const char text[] = HEAD "\n\0.entry";
    check(text, sizeof text - 1, PS_ERROR_SYNTAX,
          "x.ptx:5: a NUL byte, which no text has: PTX is expected, not a binary such as a cubin");
    /* At the end, drivers and compilers have one. */
    g_autoptr(PsPtxModule) module = ps_ptx_parse(HEAD "\0\0", sizeof HEAD + 1, "x.ptx", NULL);
    g_assert_nonnull(module);
    check("", 0, PS_ERROR_SYNTAX, "x.ptx:1: there is no .version, with which PTX begins");

    g_autoptr(GError) error = NULL;
    g_assert_null(ps_ptx_load("tests/ptx/nothing.ptx", &error));
    g_assert_error(error, PS_ERROR, PS_ERROR_READ);
}

/* What is cut off anywhere has one error, and frees all. */
static void test_cut(void)
{
    g_autofree char *text = NULL;
    gsize length;
    g_assert_true(g_file_get_contents("tests/ptx/forms.ptx", &text, &length, NULL));
    const gsize last = (gsize)(strrchr(text, '}') - text);
    for (gsize end = 0; end < last; end += 7) {
        g_autoptr(GError) error = NULL;
        g_autoptr(PsPtxModule) module = ps_ptx_parse(text, end, "x.ptx", &error);
        g_assert_true((module == NULL) == (error != NULL));
    }
}

/* ---- growth --------------------------------------------------------------------------------- */

static void read_all(GString *text)
{
    g_autoptr(PsPtxModule) module = ps_ptx_parse(text->str, text->len, "x.ptx", NULL);
    g_assert_nonnull(module);
    g_string_free(text, TRUE);
}

static void read_functions(guint functions, gpointer data)
{
    (void)data;
    GString *text = g_string_new(HEAD);
    for (guint f = 0; f < functions; f++) {
        g_string_append_printf(text, ".entry k%u() { .reg .pred p; .reg .b32 %%r<4000000>;\n", f);
        for (guint i = 0; i < 1000; i++)
            g_string_append_printf(text,
                                   "L%u_%u: add.s32 %%r%u, %%r%u, 5;\n{ .reg .b32 %%r<2>; mov.b32 "
                                   "%%r1, %%r%u; @p bra L%u_%u; }\n",
                                   f, i, i + 1, i, i + 2, f, (i + 500) % 1000);
        g_string_append(text, "}\n");
    }
    read_all(text);
}

/* Many names in one function. */
static void read_names(guint n, gpointer data)
{
    (void)data;
    GString *text = g_string_new(BODY ".reg .b32 %s<4000000>;\n");
    for (guint k = 0; k < n; k++)
        g_string_append_printf(text, "bra L%u; { L: foo %%s%u; }\n", n - 1 - k, k * 37);
    for (guint k = 0; k < n; k++)
        g_string_append_printf(text, "L%u:\n", k);
    g_string_append(text, "}");
    read_all(text);
}

static void test_growth(void)
{
    assert_growth(read_functions, 4, NULL);
}

static void test_growth_within(void)
{
    assert_growth(read_names, 5000, NULL);
}

int main(int argc, char **argv)
{
    g_test_init(&argc, &argv, NULL);
    g_test_set_nonfatal_assertions();
    g_test_add_func("/ptx-errors/syntax", test_syntax);
    g_test_add_func("/ptx-errors/names", test_names);
    g_test_add_func("/ptx-errors/values", test_values);
    g_test_add_func("/ptx-errors/limits", test_limits);
    g_test_add_func("/ptx-errors/binary", test_binary);
    g_test_add_func("/ptx-errors/cut", test_cut);
    g_test_add_func("/ptx-errors/growth", test_growth);
    g_test_add_func("/ptx-errors/growth-within", test_growth_within);
    return g_test_run();
}

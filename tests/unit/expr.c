/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Expressions: their values, their precedence, and one clear error for everything that is none.
 */
#include "idg/expr.h"
#include <string.h>

#define PLACE ((PsPlace){"x.idg", 7})

/* size = 1024, n = 5, k = 1.5 */
static PsScope *scope(void)
{
    PsScope *values = ps_scope_new();
    ps_scope_set(values, "size", PS_RATIONAL_INT(1024));
    ps_scope_set(values, "n", PS_RATIONAL_INT(5));
    ps_scope_set(values, "k", (PsRational){3, 2});
    return values;
}

/* What text comes to as a number, or the message of its error. */
static char *outcome(const char *text)
{
    g_autoptr(PsScope) values = scope();
    g_autoptr(GError) error = NULL;
    g_autoptr(PsExpr) expr = ps_expr_new(text, PLACE, &error);
    PsRational value;
    if (!expr) {
        g_assert_error(error, PS_ERROR, PS_ERROR_SYNTAX);
        return g_strdup(error->message);
    }
    g_assert_no_error(error);
    g_assert_cmpstr(ps_expr_text(expr), ==, text);
    if (ps_expr_eval(expr, values, PLACE, &value, &error))
        return ps_rational_format(value);
    g_assert_error(error, PS_ERROR, PS_ERROR_VALUE);
    return g_strdup(error->message);
}

typedef struct {
    const char *text;
    const char *result;
} Case;

static void check_cases(const Case *cases, gsize n)
{
    for (gsize i = 0; i < n; i++) {
        g_autofree char *result = outcome(cases[i].text);
        if (strcmp(result, cases[i].result) != 0)
            g_test_message("the expression is %s", cases[i].text);
        g_assert_cmpstr(result, ==, cases[i].result);
    }
}

#define CHECK(cases) check_cases(cases, G_N_ELEMENTS(cases))

static void test_values(void)
{
    static const Case cases[] = {
        {"1", "1"},
        {"0.25", "0.25"},
        {"007", "7"},
        {"9223372036854775807", "9223372036854775807"},
        {"n", "5"},
        {"  size / 8\t\n", "128"},
        {"(size/8)^2", "16384"},
        {"2*8*8*4", "512"},
        {"7/2", "3.5"},
        {"1/3", "1/3"},
        {"1/3*3", "1"},
        {"0.1+0.2", "0.3"},
        {"k*k", "2.25"},
        {"((((n))))", "5"},
        {"max(1, n-2)", "3"},
        {"max(1,2,n,3)", "5"},
        {"min(4,k,2)", "1.5"},
        {"min(max(1,2),max(3,4))", "2"},
        {"ceil(n/2)", "3"},
        {"ceil (-n/2)", "-2"},
        {"floor(n/2)", "2"},
        {"floor(-n/2)", "-3"},
        {"log2(size)", "10"},
        {"log2(1)", "0"},
        {"log2(1/8)", "-3"},
        {"log2(2^62)", "62"},
        {"7%3", "1"},
        {"-7%3", "2"},
        {"7%-3", "-2"},
        {"3.5%1", "0.5"},
        {"6%3", "0"},
    };
    CHECK(cases);
}

static void test_precedence(void)
{
    static const Case cases[] = {
        {"1+2*3", "7"},      {"(1+2)*3", "9"},    {"8-4-2", "2"},   {"16/4/2", "2"},
        {"16/4*2", "8"},     {"7-5%3", "5"},      {"2^3^2", "512"}, {"(2^3)^2", "64"},
        {"-2^2", "-4"},      {"(-2)^2", "4"},     {"2*-3", "-6"},   {"2--3", "5"},
        {"--3", "3"},        {"-n*2", "-10"},     {"2^n/4", "8"},   {"2*3^2", "18"},
        {"max(1,2+3)", "5"}, {"-max(1,2)", "-2"}, {"10-2+3", "11"}, {"20%7*2", "12"},
    };
    CHECK(cases);
}

static void test_powers(void)
{
    static const Case cases[] = {
        {"0^0", "1"},
        {"5^0", "1"},
        {"2^62", "4611686018427387904"},
        {"(-2)^63", "-9223372036854775808"},
        {"1^9223372036854775807", "1"},
        {"(-1)^9223372036854775807", "-1"},
        {"0^9223372036854775807", "0"},
        {"3037000499^2", "9223372030926249001"},
        {"(1/2)^10", "0.0009765625"},
        {"2^63", "x.idg:7: \"2^63\": 2 ^ 63 does not fit in 64 bits"},
        {"2^9223372036854775807",
         "x.idg:7: \"2^9223372036854775807\": 2 ^ 9223372036854775807 does not fit in 64 bits"},
        {"2^-1", "x.idg:7: \"2^-1\": 2 ^ -1 has an exponent that is no whole number of at least 0"},
        {"4^0.5",
         "x.idg:7: \"4^0.5\": 4 ^ 0.5 has an exponent that is no whole number of at least 0"},
    };
    CHECK(cases);
}

static void test_syntax_errors(void)
{
    static const Case cases[] = {
        {"", "x.idg:7: \"\": ends where a value is expected"},
        {"   ", "x.idg:7: \"   \": ends where a value is expected"},
        {"size/", "x.idg:7: \"size/\": ends where a value is expected"},
        {"2*(3+*4)", "x.idg:7: \"2*(3+*4)\": \"*\" at character 6 where a value is expected"},
        {"2 3", "x.idg:7: \"2 3\": \"3\" at character 3 where an operator is expected"},
        {"2(3)", "x.idg:7: \"2(3)\": \"(\" at character 2 where an operator is expected"},
        {"(2 3)",
         "x.idg:7: \"(2 3)\": \"3\" at character 4 where an operator or \")\" is expected"},
        {"(1", "x.idg:7: \"(1\": ends where an operator or \")\" is expected"},
        {"1)", "x.idg:7: \"1)\": \")\" at character 2 where an operator is expected"},
        {"()", "x.idg:7: \"()\": \")\" at character 2 where a value is expected"},
        {"1,2", "x.idg:7: \"1,2\": \",\" at character 2 where an operator is expected"},
        {"+1", "x.idg:7: \"+1\": \"+\" at character 1 where a value is expected"},
        {"max(1)",
         "x.idg:7: \"max(1)\": \")\" at character 6 where an operator or \",\" is expected"},
        {"max(1,2", "x.idg:7: \"max(1,2\": ends where an operator, \",\" or \")\" is expected"},
        {"ceil(1,2)",
         "x.idg:7: \"ceil(1,2)\": \",\" at character 7 where an operator or \")\" is expected"},
        {"ceil", "x.idg:7: \"ceil\": \"ceil\" is a function and needs a \"(\" after it"},
        {"sqrt(4)", "x.idg:7: \"sqrt(4)\": there is no function \"sqrt\"; there are ceil, floor, "
                    "log2, max, min"},
        {"1e5", "x.idg:7: \"1e5\": \"e5\" at character 2 where an operator is expected"},
        {".5", "x.idg:7: \".5\": \".\" at character 1 has no meaning in an expression"},
        {"1.", "x.idg:7: \"1.\": \".\" at character 2 has no meaning in an expression"},
        {"1.5.2", "x.idg:7: \"1.5.2\": \".\" at character 4 has no meaning in an expression"},
        {"n$2", "x.idg:7: \"n$2\": \"$\" at character 2 has no meaning in an expression"},
        {"n\xC3\xB7"
         "2",
         "x.idg:7: \"n\xC3\xB7"
         "2\": \"\xC3\xB7\" at character 2 has no meaning in an expression"},
        {"1+9223372036854775808",
         "x.idg:7: \"1+9223372036854775808\": the number at character 3 does not fit: it is above "
         "9223372036854775807 or has more than 9 digits after the point"},
        {"0.1234567891",
         "x.idg:7: \"0.1234567891\": the number at character 1 does not fit: it is above "
         "9223372036854775807 or has more than 9 digits after the point"},
    };
    CHECK(cases);
}

static void test_value_errors(void)
{
    static const Case cases[] = {
        {"n/0", "x.idg:7: \"n/0\": 5 / 0 divides by zero"},
        {"1/(n-5)", "x.idg:7: \"1/(n-5)\": 1 / 0 divides by zero"},
        {"n%(k-1.5)", "x.idg:7: \"n%(k-1.5)\": 5 % 0 divides by zero"},
        {"log2(3)", "x.idg:7: \"log2(3)\": log2(3) is no whole number (log2 takes powers of two)"},
        {"log2(0)", "x.idg:7: \"log2(0)\": log2(0) is no whole number (log2 takes powers of two)"},
        {"log2(-4)",
         "x.idg:7: \"log2(-4)\": log2(-4) is no whole number (log2 takes powers of two)"},
        {"9223372036854775807+1", "x.idg:7: \"9223372036854775807+1\": 9223372036854775807 + 1 "
                                  "does not fit in 64 bits"},
        {"-2^62*2-1", "x.idg:7: \"-2^62*2-1\": -9223372036854775808 - 1 does not fit in 64 bits"},
        {"-(-2^62*2)", "x.idg:7: \"-(-2^62*2)\": -(-9223372036854775808) does not fit in 64 bits"},
        {"2^40*2^40",
         "x.idg:7: \"2^40*2^40\": 1099511627776 * 1099511627776 does not fit in 64 bits"},
        {"size/bs", "x.idg:7: \"size/bs\": there is no parameter \"bs\"; known here: size, n, k"},
        {"sise/2",
         "x.idg:7: \"sise/2\": there is no parameter \"sise\"; known here: size, n, k; did "
         "you mean size?"},
    };
    CHECK(cases);
}

static void test_no_parameters(void)
{
    g_autoptr(PsScope) empty = ps_scope_new();
    g_autoptr(PsExpr) expr = ps_expr_new("n", PLACE, NULL);
    g_autoptr(GError) error = NULL;
    PsRational value;
    g_assert_false(ps_expr_eval(expr, empty, PLACE, &value, &error));
    g_assert_cmpstr(error->message, ==,
                    "x.idg:7: \"n\": there is no parameter \"n\"; known here: none");
}

static void check_int(const char *text, gint64 expected, const char *message)
{
    g_autoptr(PsScope) values = scope();
    g_autoptr(PsExpr) expr = ps_expr_new(text, PLACE, NULL);
    g_autoptr(GError) error = NULL;
    gint64 value = -1;

    gboolean good =
        ps_expr_eval_int(expr, values, PLACE, &(PsIntRange){"trip count", 0, 1000}, &value, &error);
    g_assert_cmpint(good, ==, !message);
    g_assert_cmpint(value, ==, expected);
    g_assert_cmpstr(error ? error->message : NULL, ==, message);
}

static void test_integers(void)
{
    check_int("size/8", 128, NULL);
    check_int("n-5", 0, NULL);
    check_int("1000", 1000, NULL);
    check_int("k*2", 3, NULL);
    check_int("7/2", -1,
              "x.idg:7: the trip count \"7/2\" is 3.5; it must be a whole number; "
              "write floor(A/B) or ceil(A/B), which round");
    check_int("size/3", -1,
              "x.idg:7: the trip count \"size/3\" is 1024/3; it must be a whole number; "
              "write floor(A/B) or ceil(A/B), which round");
    check_int("n-6", -1, "x.idg:7: the trip count \"n-6\" is -1; it must be at least 0");
    check_int("size", -1, "x.idg:7: the trip count \"size\" is 1024; it must be at most 1000");
    check_int("n/0", -1, "x.idg:7: \"n/0\": 5 / 0 divides by zero");
}

/* before repeated n times, middle, after repeated n times */
static char *nest(const char *before, const char *middle, const char *after, int n)
{
    GString *text = g_string_new(NULL);
    for (int i = 0; i < n; i++)
        g_string_append(text, before);
    g_string_append(text, middle);
    for (int i = 0; i < n; i++)
        g_string_append(text, after);
    return g_string_free(text, FALSE);
}

static void check_nested(const char *before, const char *after, int n, const char *expected)
{
    g_autofree char *text = nest(before, "1", after, n);
    g_autofree char *result = outcome(text);
    if (expected)
        g_assert_cmpstr(result, ==, expected);
    else
        g_assert_true(
            g_str_has_suffix(result, "is nested too deeply; write it with fewer brackets"));
}

/* As deep as 4096 bytes allow: either it works, or there is an error; the stack stays small. */
static void test_depth(void)
{
    check_nested("(", ")", 100, "1");
    check_nested("(", ")", 2000, NULL);
    check_nested("-", "", 100, "1");
    check_nested("-", "", 4000, NULL);
    check_nested("", "^1", 100, "1");
    check_nested("", "^1", 2000, NULL);
    check_nested("ceil(", ")", 600, NULL);
    check_nested("max(1,", ")", 500, NULL);
    check_nested("", "+1", 2000, "2001");
    check_nested("", "-1", 2000, "-1999");
    check_nested("", "*1", 2000, "1");
    g_autofree char *open = nest("(", "", "", 4096);
    g_autofree char *result = outcome(open);
    g_assert_true(g_str_has_suffix(result, "is nested too deeply; write it with fewer brackets"));
}

static void test_length(void)
{
    g_autofree char *longest = nest(" ", "1", "", PS_EXPR_MAX_BYTES - 1);
    g_autofree char *too_long = nest(" ", "1", "", PS_EXPR_MAX_BYTES);
    g_autofree char *good = outcome(longest);
    g_autofree char *bad = outcome(too_long);
    g_assert_cmpstr(good, ==, "1");
    g_assert_true(g_str_has_suffix(bad, "is longer than the 4096 bytes that are allowed"));
    g_assert_cmpuint(strlen(bad), <, 400);
}

static void test_names(void)
{
    static const char *const good[] = {"a", "_", "_1", "size", "A8x8"};
    static const char *const bad[] = {"", "8a", "a-b", "a.b", "a b", "\xC3\xA4", " a"};
    for (gsize i = 0; i < G_N_ELEMENTS(good); i++)
        g_assert_true(ps_expr_is_name(good[i]));
    for (gsize i = 0; i < G_N_ELEMENTS(bad); i++)
        g_assert_false(ps_expr_is_name(bad[i]));
}

static void test_scope(void)
{
    g_autoptr(PsScope) values = scope();
    PsRational value = PS_RATIONAL_INT(-1);
    g_assert_false(ps_scope_get(values, "m", &value));
    g_assert_cmpint(value.num, ==, -1);
    ps_scope_set(values, "n", PS_RATIONAL_INT(6));
    g_assert_true(ps_scope_get(values, "n", &value));
    g_assert_cmpint(value.num, ==, 6);

    g_autoptr(GPtrArray) names = ps_scope_names(values);
    g_assert_cmpuint(names->len, ==, 3);
    g_assert_cmpstr(g_ptr_array_index(names, 0), ==, "size");
    g_assert_cmpstr(g_ptr_array_index(names, 1), ==, "n");
    g_assert_cmpstr(g_ptr_array_index(names, 2), ==, "k");
}

int main(int argc, char **argv)
{
    g_test_init(&argc, &argv, NULL);
    g_test_set_nonfatal_assertions();
    g_test_add_func("/expr/values", test_values);
    g_test_add_func("/expr/precedence", test_precedence);
    g_test_add_func("/expr/powers", test_powers);
    g_test_add_func("/expr/syntax-errors", test_syntax_errors);
    g_test_add_func("/expr/value-errors", test_value_errors);
    g_test_add_func("/expr/no-parameters", test_no_parameters);
    g_test_add_func("/expr/integers", test_integers);
    g_test_add_func("/expr/depth", test_depth);
    g_test_add_func("/expr/length", test_length);
    g_test_add_func("/expr/names", test_names);
    g_test_add_func("/expr/scope", test_scope);
    return g_test_run();
}

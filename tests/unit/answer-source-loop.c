/* SPDX-License-Identifier: BSD-3-Clause */
/* Loops in sources: where the pragma goes, and where it does not. */
#include "answer/source-loop.h"

static void becomes(const char *text, guint line, const char *expected)
{
    g_autoptr(GError) error = NULL;
    g_autofree char *is = ps_source_unroll(text, line, 4, &error);
    g_assert_no_error(error);
    g_assert_cmpstr(is, ==, expected);
}

static void has_none(const char *text, guint line)
{
    g_autoptr(GError) error = NULL;
    g_autofree char *clause = g_strdup_printf("no for, while or do begins at line %u", line);
    g_assert_null(ps_source_unroll(text, line, 4, &error));
    g_assert_error(error, PS_ERROR, PS_ERROR_VALUE);
    g_assert_cmpstr(error->message, ==, clause);
}

#define P "_Pragma(\"unroll 4\") "

static void test_heads(void)
{
    becomes("int f;\n  for (;;) g();\n", 2, "int f;\n  " P "for (;;) g();\n");
    becomes("while (f(a)) ;", 1, P "while (f(a)) ;");
    becomes("if (x)\n for (a;\n  b;\n  c()) d;\n", 4, "if (x)\n " P "for (a;\n  b;\n  c()) d;\n");
    /* the inner one of two on a line, and each of two on lines of their own */
    becomes("for (a;;) for (b;;) ;", 1, "for (a;;) " P "for (b;;) ;");
    becomes("for (a;;)\n for (b;;) ;", 1, P "for (a;;)\n for (b;;) ;");
    becomes("for (a;;)\n for (b;;) ;", 2, "for (a;;)\n " P "for (b;;) ;");
}

/* Both ends of a do are its head; a while in it, or behind it, is a loop of its own. */
static void test_do(void)
{
    static const char text[] = "do {\n  while (a) b();\n} while (c);\nwhile (d) e();\n";
    becomes(text, 1, P "do {\n  while (a) b();\n} while (c);\nwhile (d) e();\n");
    becomes(text, 3, P "do {\n  while (a) b();\n} while (c);\nwhile (d) e();\n");
    becomes(text, 2, "do {\n  " P "while (a) b();\n} while (c);\nwhile (d) e();\n");
    becomes(text, 4, "do {\n  while (a) b();\n} while (c);\n" P "while (d) e();\n");
    becomes("do\n x();\nwhile (y);", 3, P "do\n x();\nwhile (y);");
}

static void test_none(void)
{
    has_none("int a;\nfor (;;) {\n  b();\n}\n", 3);
    has_none("for (;;) ;\n", 2);
    has_none("", 1);
    has_none("// for (;;)\n", 1);
    has_none("/*\nfor (;;)\n*/", 2);
    has_none("a = \"for (;;)\";", 1);
    has_none("a = \"\\\"for (;;)\";", 1);
    has_none("a = R\"x(\" for (;;) )x\";", 1);
    has_none("#define F for (;;) \\\n while (1)\n", 1);
    has_none("#define F for (;;) \\\n while (1)\n", 2);
    has_none("before (); do_it(); fortune(); for_each (x)", 1);
    has_none("for (;;", 1);
}

/* What looks like the beginning of a text that ends behind the loop, and is none. */
static void test_behind(void)
{
    becomes("a = 1'000; for (;;) ;", 1, "a = 1'000; " P "for (;;) ;");
    becomes("c = '\"'; for (;;) ;", 1, "c = '\"'; " P "for (;;) ;");
    becomes("c = '\\''; for (;;) ;", 1, "c = '\\''; " P "for (;;) ;");
    becomes("a = R\"(\")\"; for (;;) ;", 1, "a = R\"(\")\"; " P "for (;;) ;");
    becomes("a / b; for (char c = ')'; f; ) ;", 1, "a / b; " P "for (char c = ')'; f; ) ;");
}

/* One pragma for unrolling is enough; others stay. */
static void test_other_pragmas(void)
{
    becomes("x;\n#pragma unroll 1\nfor (;;) ;", 3, "x;\n                \n" P "for (;;) ;");
    becomes("x;\n  # pragma nounroll // no\n\n/* y */ for (;;) ;", 4,
            "x;\n                         \n\n/* y */ " P "for (;;) ;");
    becomes("_Pragma(\"unroll\") for (;;) ;", 1, "                  " P "for (;;) ;");
    becomes("#pragma nv_diag_default 1\nfor (;;) ;", 2,
            "#pragma nv_diag_default 1\n" P "for (;;) ;");
    becomes("_Pragma(\"once\") for (;;) ;", 1, "_Pragma(\"once\") " P "for (;;) ;");
    /* another loop's */
    becomes("#pragma unroll\nfor (;;) {\nfor (;;) ; }", 3,
            "#pragma unroll\nfor (;;) {\n" P "for (;;) ; }");
}

int main(int argc, char **argv)
{
    g_test_init(&argc, &argv, NULL);
    g_test_add_func("/answer/source-loop/heads", test_heads);
    g_test_add_func("/answer/source-loop/do", test_do);
    g_test_add_func("/answer/source-loop/none", test_none);
    g_test_add_func("/answer/source-loop/behind", test_behind);
    g_test_add_func("/answer/source-loop/other-pragmas", test_other_pragmas);
    return g_test_run();
}

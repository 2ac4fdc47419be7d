/* SPDX-License-Identifier: BSD-3-Clause */
/* Files of launches, a line each. */
#include "launch/listed.h"

#include <string.h>

static void check(const PsListedLaunch *launch, guint line, const char *kernel, const char *words)
{
    g_autofree char *joined = g_strjoinv("|", launch->words);
    g_assert_cmpuint(launch->line, ==, line);
    g_assert_cmpstr(launch->kernel, ==, kernel);
    g_assert_cmpstr(joined, ==, words);
}

static void fails_with(const char *text, gsize length, const char *message)
{
    g_autoptr(GError) error = NULL;
    g_assert_null(ps_listed_launches(text, length, "x.txt", "--", &error));
    g_assert_error(error, PS_ERROR, PS_ERROR_VALUE);
    g_assert_cmpstr(error->message, ==, message);
}

static void fails(const char *text, const char *message)
{
    fails_with(text, strlen(text), message);
}

/* Words as a shell has them; empty lines and comments count as lines, and are no launches. */
static void test_lines(void)
{
    static const char text[] = "# a step\n"
                               "\n"
                               "saxpy --grid 4 --arg 'x=zero:4 * n'\r\n"
                               "\t \n"
                               "'void f<int, (int)8>(T1 *)'   --count=3 # three\n"
                               "#\n"
                               "saxpy #\n"
                               "a#b \\#c";
    g_autoptr(GError) error = NULL;
    g_autoptr(GPtrArray) all = ps_listed_launches(text, strlen(text), "x.txt", "--", &error);
    g_assert_no_error(error);
    g_assert_cmpuint(all->len, ==, 4);
    check(all->pdata[0], 3, "saxpy", "--grid|4|--arg|x=zero:4 * n");
    check(all->pdata[1], 5, "void f<int, (int)8>(T1 *)", "--count=3");
    check(all->pdata[2], 7, "saxpy", "");
    check(all->pdata[3], 8, "a#b", "#c");
}

/* Two launches, in whatever way their text is kept. */
static void test_encodings(void)
{
    static const struct {
        const char *text;
        gsize length;
    } cases[] = {{"\xEF\xBB\xBF"
                  "a --grid 4\nb\n",
                  0},
                 {"a --grid 4\r\nb\r\n", 0},
                 {"a --grid 4\rb\r", 0},
                 {"a\t--grid\t4\t\n\tb\n", 0},
                 {"a\xC2\xA0--grid\xC2\xA0"
                  "4\nb",
                  0},
                 {"\xFF\xFE"
                  "a\0 \0-\0-\0g\0r\0i\0d\0 \0"
                  "4\0\n\0b\0",
                  26},
                 {"a\0 \0-\0-\0g\0r\0i\0d\0 \0"
                  "4\0\n\0b\0",
                  24},
                 {"\0a\0 \0-\0-\0g\0r\0i\0d\0 \0"
                  "4\0\n\0b",
                  24}};
    for (guint i = 0; i < G_N_ELEMENTS(cases); i++) {
        g_autoptr(GError) error = NULL;
        const gsize length = cases[i].length ? cases[i].length : strlen(cases[i].text);
        g_autoptr(GPtrArray) all = ps_listed_launches(cases[i].text, length, "x.txt", "--", &error);
        g_test_message("%u", i);
        g_assert_no_error(error);
        g_assert_cmpuint(all->len, ==, 2);
        check(all->pdata[0], 1, "a", "--grid|4");
        check(all->pdata[1], 2, "b", "");
    }
}

/* What people write there that is none, and what to write. */
static void test_other_launches(void)
{
    fails("pipesim run two.cu --gpu a100 --kernel scale --grid 4 --arg 'x=zero:4 * n'\n",
          "x.txt:1: begins with a launch's kernel, without what is for all; write scale --grid 4 "
          "--arg 'x=zero:4 * n'");
    fails("--kernel=scale --grid 4",
          "x.txt:1: begins with a launch's kernel, without what is for all; write scale --grid 4");
    fails("scale<<<4096,256>>>(x, 2.0f, n);",
          "x.txt:1: 'scale<<<4096,256>>>(x,' is a launch as CUDA has it; write scale --grid 4096 "
          "--block 256, and --arg for each argument");
    fails("// a comment", "x.txt:1: '//' begins no comment here; write #");
}

static void test_wrong(void)
{
    static const char none[] =
        "x.txt: has no launch; write a line for each: the kernel, and the options of its launch";
    fails("k\nk 'a\nk b'\n", "x.txt:2: a quote has no end; close it, or write \\ before it");
    fails("k --grid 4 \\\n--block 4\n",
          "x.txt:1: the line ends in a backslash; write each launch on one line");
    fails("", none);
    fails("# k\n\n", none);
    fails("k\n--grid 4\n",
          "x.txt:2: '--grid' is no kernel; write its name, and behind it the options of the "
          "launch");
    fails("'' --grid 4",
          "x.txt:1: '' is no kernel; write its name, and behind it the options of the launch");
    fails_with("k\n\0k\n", 5,
               "x.txt: has a byte of zero, so it is no text; write a line for each launch");
}

int main(int argc, char **argv)
{
    g_test_init(&argc, &argv, NULL);
    g_test_add_func("/launch/listed/lines", test_lines);
    g_test_add_func("/launch/listed/encodings", test_encodings);
    g_test_add_func("/launch/listed/other-launches", test_other_launches);
    g_test_add_func("/launch/listed/wrong", test_wrong);
    return g_test_run();
}

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
    g_assert_null(ps_listed_launches(text, length, "x.txt", &error));
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
    g_autoptr(GPtrArray) all = ps_listed_launches(text, strlen(text), "x.txt", &error);
    g_assert_no_error(error);
    g_assert_cmpuint(all->len, ==, 4);
    check(all->pdata[0], 3, "saxpy", "--grid|4|--arg|x=zero:4 * n");
    check(all->pdata[1], 5, "void f<int, (int)8>(T1 *)", "--count=3");
    check(all->pdata[2], 7, "saxpy", "");
    check(all->pdata[3], 8, "a#b", "#c");
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
    g_test_add_func("/launch/listed/wrong", test_wrong);
    return g_test_run();
}

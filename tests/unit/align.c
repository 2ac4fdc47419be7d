/* SPDX-License-Identifier: BSD-3-Clause */
/* Two sequences as diff finds them: by hand, against the table of the longest common subsequence,
 * and that nothing takes long. */
#include "base/align.h"

#include "tests/help/growth.h"

#include <string.h>

#define MOST 64

static PsAlignSequence sequence_of(const char *letters, guint *keys)
{
    const PsAlignSequence sequence = {keys, (guint)strlen(letters)};
    for (guint i = 0; i < sequence.n; i++)
        keys[i] = (guchar)letters[i];
    return sequence;
}

/* Both, with moved blocks on request. */
static guint align(const char *a, const char *b, gboolean moved, guint *beside)
{
    guint keys[2][MOST];
    const PsAlignSequence x = sequence_of(a, keys[0]), y = sequence_of(b, keys[1]);
    ps_align_in_order(x, y, beside);
    if (moved)
        ps_align_moved(x, y, beside);
    return x.n;
}

/* "0 2 -": what each of A's letters stands beside. */
static void check(const char *a, const char *b, gboolean moved, const char *should_be)
{
    guint beside[MOST];
    const guint n = align(a, b, moved, beside);
    g_autoptr(GString) text = g_string_new(NULL);
    for (guint i = 0; i < n; i++)
        if (beside[i] == PS_ALIGN_NONE)
            g_string_append(text, i ? " -" : "-");
        else
            g_string_append_printf(text, i ? " %u" : "%u", beside[i]);
    g_test_message("%s | %s", a, b);
    g_assert_cmpstr(text->str, ==, should_be);
}

static void test_by_hand(void)
{
    check("", "", TRUE, "");
    check("abc", "", TRUE, "- - -");
    check("", "abc", TRUE, "");
    check("abcabc", "abcabc", TRUE, "0 1 2 3 4 5");
    check("abc", "xyz", TRUE, "- - -");
    check("abcd", "abXYcd", TRUE, "0 1 4 5");
    check("abXYcd", "abcd", TRUE, "0 1 - - 2 3");
    check("abXcd", "abYZcd", TRUE, "0 1 - 4 5");
    check("abcdef", "axcdyf", FALSE, "0 - 2 3 - 5");
}

static void test_moved(void)
{
    /* The shorter block is what has moved, forwards and backwards. */
    check("pqABCDE", "ABCDEpq", FALSE, "- - 0 1 2 3 4");
    check("pqABCDE", "ABCDEpq", TRUE, "5 6 0 1 2 3 4");
    check("ABCDEpq", "pqABCDE", TRUE, "2 3 4 5 6 0 1");
    /* What is there more than once goes with a neighbour that is not. */
    check("zpzABCDE", "ABCDEzpz", TRUE, "5 6 7 0 1 2 3 4");
    /* Which of several equal ones it was is not known. */
    check("zABC", "ABCzz", TRUE, "- 0 1 2");
}

/* The longest common subsequence's length, by the table. */
static guint longest(const char *a, const char *b)
{
    guint table[MOST][MOST] = {{0}};
    for (gsize i = strlen(a); i-- > 0;)
        for (gsize j = strlen(b); j-- > 0;)
            table[i][j] =
                a[i] == b[j] ? table[i + 1][j + 1] + 1 : MAX(table[i + 1][j], table[i][j + 1]);
    return table[0][0];
}

static void draw(GRand *rand, char *letters)
{
    const gint32 n = g_rand_int_range(rand, 0, MOST - 1), n_letters = g_rand_int_range(rand, 1, 20);
    for (gint32 i = 0; i < n; i++)
        letters[i] = (char)('A' + g_rand_int_range(rand, 0, n_letters));
    letters[n] = '\0';
}

static void edit(GRand *rand, const char *from, char *to)
{
    gsize n = 0;
    for (; *from && n < MOST - 2; from++) {
        const gint32 what = g_rand_int_range(rand, 0, 8);
        if (what == 0)
            to[n++] = (char)('A' + g_rand_int_range(rand, 0, 20));
        if (what != 1)
            to[n++] = *from;
    }
    to[n] = '\0';
}

/* Random texts, and such with edits: equal ones stand beside each other, in order, as many as can;
 * with moved ones each is used once, and those that stood in order still do. */
static void test_random(void)
{
    g_autoptr(GRand) rand = g_rand_new_with_seed(1);
    for (guint round = 0; round < 4000; round++) {
        char a[MOST], b[MOST];
        guint beside[MOST], moved[MOST], n_both = 0;
        gboolean taken[MOST] = {FALSE};
        draw(rand, a);
        if (round % 2)
            edit(rand, a, b);
        else
            draw(rand, b);
        const guint n = align(a, b, FALSE, beside);
        align(a, b, TRUE, moved);
        for (guint i = 0, last = 0; i < n; i++) {
            if (beside[i] != PS_ALIGN_NONE) {
                g_assert_cmpuint(beside[i], >=, last);
                last = beside[i] + 1;
                n_both++;
                g_assert_cmpuint(moved[i], ==, beside[i]);
            }
            if (moved[i] == PS_ALIGN_NONE)
                continue;
            g_assert_true(a[i] == b[moved[i]] && !taken[moved[i]]);
            taken[moved[i]] = TRUE;
        }
        g_assert_cmpuint(n_both, ==, longest(a, b));
    }
}

/* Long sequences that have nothing, and half in common: what is found is common. */
static void align_long(guint n, gpointer data)
{
    (void)data;
    g_autofree guint *a = g_new(guint, n), *b = g_new(guint, n), *beside = g_new(guint, n);
    const PsAlignSequence x = {a, n}, y = {b, n};
    g_autoptr(GRand) rand = g_rand_new_with_seed(2);
    for (guint i = 0; i < n; i++) {
        a[i] = i;
        b[i] = i + n;
    }
    ps_align_in_order(x, y, beside);
    ps_align_moved(x, y, beside);
    for (guint i = 0; i < n; i++)
        g_assert_cmpuint(beside[i], ==, PS_ALIGN_NONE);
    for (guint i = 0; i < n; i++)
        b[i] = g_rand_boolean(rand) ? i : i + n;
    ps_align_in_order(x, y, beside);
    guint n_both = 0;
    for (guint i = 0; i < n; i++) {
        n_both += beside[i] != PS_ALIGN_NONE;
        g_assert_true(beside[i] == PS_ALIGN_NONE || a[i] == b[beside[i]]);
    }
    g_assert_cmpuint(n_both, >, n / 3);
}

/* Their time is a small multiple of their lengths. */
static void test_long(void)
{
    assert_growth(align_long, 4000, NULL);
}

int main(int argc, char **argv)
{
    g_test_init(&argc, &argv, NULL);
    g_test_add_func("/align/by-hand", test_by_hand);
    g_test_add_func("/align/moved", test_moved);
    g_test_add_func("/align/random", test_random);
    g_test_add_func("/align/long", test_long);
    return g_test_run();
}
